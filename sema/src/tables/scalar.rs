//! Scalar types of the language. Several share one representation. Without 16-bit types, `half` and the
//! minimum-precision types are computed and stored in 32 bits. They remain separate types for overloads,
//! specialisations and messages.

pub use wgc_ir::Scalar as Repr;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, salsa::SalsaValue)]
pub enum Scalar {
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    /// `float16_t`, and with 16-bit types `half`, `min16float` and `min10float`.
    F16,
    F32,
    F64,
    /// `half` without 16-bit types.
    Half,
    /// `min16float` without 16-bit types. The other minimum-precision types follow.
    Min16F,
    Min10F,
    Min16I,
    Min12I,
    Min16U,
}

impl Scalar {
    /// Returns the representation of the type's values.
    pub fn repr(self) -> Repr {
        match self {
            Scalar::Bool => Repr::Bool,
            Scalar::I16 => Repr::I16,
            Scalar::U16 => Repr::U16,
            Scalar::I32 | Scalar::Min16I | Scalar::Min12I => Repr::I32,
            Scalar::U32 | Scalar::Min16U => Repr::U32,
            Scalar::I64 => Repr::I64,
            Scalar::U64 => Repr::U64,
            Scalar::F16 => Repr::F16,
            Scalar::F32 | Scalar::Half | Scalar::Min16F | Scalar::Min10F => Repr::F32,
            Scalar::F64 => Repr::F64,
        }
    }

    /// Returns the type that has this representation at full precision.
    pub fn of(repr: Repr) -> Scalar {
        match repr {
            Repr::Bool => Scalar::Bool,
            Repr::I16 => Scalar::I16,
            Repr::U16 => Scalar::U16,
            Repr::I32 => Scalar::I32,
            Repr::U32 => Scalar::U32,
            Repr::I64 => Scalar::I64,
            Repr::U64 => Scalar::U64,
            Repr::F16 => Scalar::F16,
            Repr::F32 => Scalar::F32,
            Repr::F64 => Scalar::F64,
        }
    }

    /// Returns the precision rank, among floats and among integers. An operation takes the type of the operand with
    /// the higher rank.
    pub fn rank(self) -> u8 {
        match self {
            Scalar::Bool => 0,
            Scalar::Min10F | Scalar::Min12I => 1,
            Scalar::Min16F | Scalar::Min16I | Scalar::Min16U => 2,
            Scalar::F16 | Scalar::I16 | Scalar::U16 => 3,
            Scalar::Half => 4,
            Scalar::F32 | Scalar::I32 | Scalar::U32 => 5,
            Scalar::F64 | Scalar::I64 | Scalar::U64 => 6,
        }
    }

    /// Returns the unsigned integer type of the same precision; other types are unchanged.
    pub fn to_unsigned(self) -> Scalar {
        match self {
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            Scalar::Min16I | Scalar::Min12I => Scalar::Min16U,
            other => other,
        }
    }

    pub fn is_float(self) -> bool {
        self.repr().is_float()
    }

    pub fn is_integer(self) -> bool {
        self.repr().is_integer()
    }

    pub fn is_signed(self) -> bool {
        self.repr().is_signed()
    }

    /// Returns the size in bytes.
    pub fn size(self) -> u32 {
        self.repr().size()
    }

    /// Returns the name for messages.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I16 => "int16_t",
            Scalar::U16 => "uint16_t",
            Scalar::I32 => "int",
            Scalar::U32 => "uint",
            Scalar::I64 => "int64_t",
            Scalar::U64 => "uint64_t",
            Scalar::F16 | Scalar::Half => "half",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
            Scalar::Min16F => "min16float",
            Scalar::Min10F => "min10float",
            Scalar::Min16I => "min16int",
            Scalar::Min12I => "min12int",
            Scalar::Min16U => "min16uint",
        }
    }
}
