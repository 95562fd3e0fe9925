//! Types of generated programs.

use super::tree::Tree;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

use Scalar as S;

impl Scalar {
    pub fn name(self) -> &'static str {
        match self {
            S::Bool => "bool",
            S::I16 => "int16_t",
            S::U16 => "uint16_t",
            S::I32 => "int",
            S::U32 => "uint",
            S::I64 => "int64_t",
            S::U64 => "uint64_t",
            S::F16 => "float16_t",
            S::F32 => "float",
            S::F64 => "double",
        }
    }

    pub fn bits(self) -> u32 {
        match self {
            S::I16 | S::U16 | S::F16 => 16,
            S::Bool | S::I32 | S::U32 | S::F32 => 32,
            S::I64 | S::U64 | S::F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, S::F16 | S::F32 | S::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, S::I16 | S::I32 | S::I64)
    }

    pub fn is_int(self) -> bool {
        !self.is_float() && self != S::Bool
    }

    /// Returns the unsigned type for uses of this scalar.
    pub fn unsigned(self) -> Scalar {
        match self {
            S::I16 => S::U16,
            S::I64 => S::U64,
            S::I32 => S::U32,
            other => other,
        }
    }

    /// Returns the domain of variables: floats are multiples of 2^-fraction, at most 2^magnitude.
    pub fn domain(self) -> Exact {
        match self {
            S::F16 => Exact { magnitude: 3, fraction: 2 },
            S::F64 => Exact { magnitude: 8, fraction: 6 },
            _ => Exact { magnitude: 6, fraction: 3 },
        }
    }

    /// Returns the bits of the significand: values of at most this length are exact.
    pub fn significand(self) -> i32 {
        match self {
            S::F16 => 11,
            S::F64 => 53,
            _ => 24,
        }
    }
}

/// Bounds of a float that is exact in any order of computation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exact {
    pub magnitude: i32,
    pub fraction: i32,
}

impl Exact {
    pub fn fits(self, scalar: Scalar) -> bool {
        // No half exceeds 2^14, and masked values fit 32-bit integers.
        let largest = if scalar == S::F16 { 14 } else { 28 };
        self.magnitude + self.fraction <= scalar.significand() && self.magnitude <= largest
    }

    pub fn sum(self, other: Exact) -> Exact {
        Exact { magnitude: self.magnitude.max(other.magnitude) + 1, fraction: self.fraction.max(other.fraction) }
    }

    pub fn product(self, other: Exact) -> Exact {
        Exact { magnitude: self.magnitude + other.magnitude, fraction: self.fraction + other.fraction }
    }

    pub fn either(self, other: Exact) -> Exact {
        Exact { magnitude: self.magnitude.max(other.magnitude), fraction: self.fraction.max(other.fraction) }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Scalar(Scalar),
    Vector(Scalar, u32),
    Matrix(Scalar, u32, u32),
    Array(Box<Ty>, u32),
    Struct(usize),
    Enum(usize),
}

impl Ty {
    pub const BOOL: Ty = Ty::Scalar(S::Bool);
    pub const UINT: Ty = Ty::Scalar(S::U32);
    pub const INT: Ty = Ty::Scalar(S::I32);
    pub const FLOAT: Ty = Ty::Scalar(S::F32);

    /// Returns the component type of a number.
    pub fn scalar(&self) -> Option<Scalar> {
        match *self {
            Ty::Scalar(s) | Ty::Vector(s, _) | Ty::Matrix(s, ..) => Some(s),
            _ => None,
        }
    }

    /// Returns the same shape with another component type.
    pub fn with(&self, scalar: Scalar) -> Ty {
        match *self {
            Ty::Vector(_, n) => Ty::Vector(scalar, n),
            Ty::Matrix(_, rows, columns) => Ty::Matrix(scalar, rows, columns),
            _ => Ty::Scalar(scalar),
        }
    }

    pub fn vector(scalar: Scalar, n: u32) -> Ty {
        if n == 1 { Ty::Scalar(scalar) } else { Ty::Vector(scalar, n) }
    }

    /// Returns the number of components.
    pub fn components(&self) -> u32 {
        match *self {
            Ty::Vector(_, n) => n,
            Ty::Matrix(_, rows, columns) => rows * columns,
            _ => 1,
        }
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Value {
    pub tree: Tree,
    /// Bounds, for floats.
    pub exact: Exact,
    /// True if it only has untyped literals.
    pub literal: bool,
}

#[derive(Clone, Debug)]
pub struct Member {
    pub name: String,
    pub ty: Ty,
    /// Width of a bit-field.
    pub bits: Option<u32>,
    /// `row_major`, or empty.
    pub modifier: &'static str,
}

#[derive(Clone, Debug)]
pub struct Struct {
    /// The name, with any template arguments.
    pub name: String,
    pub base: Option<usize>,
    pub members: Vec<Member>,
    /// Methods without effects.
    pub methods: Vec<Function>,
    /// Operators on two values of it with a result of its type.
    pub operators: Vec<&'static str>,
    /// True if buffers may contain it.
    pub in_buffers: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    In,
    Out,
    InOut,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub ty: Ty,
    pub mode: Mode,
    pub defaulted: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    /// The name in calls, with template arguments.
    pub name: String,
    pub result: Ty,
    pub params: Vec<Param>,
    /// True if calls have no effect, so that they are allowed anywhere.
    pub pure: bool,
    /// Approximate number of statements that a call executes.
    pub cost: u32,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub enumerators: Vec<String>,
}
