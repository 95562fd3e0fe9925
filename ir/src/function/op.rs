//! Operations: what a value can be computed by, and the enumerations that tell them apart. Which operands each takes
//! and which type it gives is in [`crate::typing`]; statements are in [`super`].

use super::{LocalId, MemoryOrder, OutputId, ScalarConst, Scope, ValueId};
use crate::Symbol;
use crate::image::{ImageLoad, ImageQuery, ImageSample};
use crate::ray::RayQuestion;
use crate::spirv;
use crate::types::AllocScope;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    // ---- values
    Const(ScalarConst),
    /// Zero of any sized type.
    Zero,
    Undef,
    /// The n-th parameter of the function.
    Param(u32),
    /// A vector from scalars and vectors (components add up), an array or structure from its elements.
    Compose(Vec<ValueId>),
    /// Element of a vector, array or structure value.
    Extract {
        base: ValueId,
        index: u32,
    },
    /// Component of a vector or element of an array by a run-time index.
    ExtractDynamic {
        base: ValueId,
        index: ValueId,
    },
    /// `base` with one element replaced.
    Insert {
        base: ValueId,
        index: u32,
        value: ValueId,
    },
    /// Components of a vector (or of a scalar: all zero); the result has one to four.
    Swizzle {
        base: ValueId,
        components: Vec<u8>,
    },
    Unary {
        op: UnaryOp,
        value: ValueId,
    },
    /// Both sides have the same type, except shifts (same width, any sign). Comparisons give bool per component.
    Binary {
        op: BinaryOp,
        lhs: ValueId,
        rhs: ValueId,
    },
    /// `cond` is bool, or a bool vector as wide as the result.
    Select {
        cond: ValueId,
        then: ValueId,
        otherwise: ValueId,
    },
    /// Numeric conversion to this value's type, component by component, as HLSL's casts: float to integer truncates,
    /// to bool compares with zero, from bool gives 0 or 1.
    Convert(ValueId),
    /// Same size, same component count or total bits (u64 <-> 2 x u32).
    Bitcast(ValueId),
    Math {
        op: MathOp,
        args: Vec<ValueId>,
    },

    // ---- places
    Local(LocalId),
    Global(Symbol),
    /// An element of an array of resources: what `Global` is for a single one.
    Descriptor {
        array: ValueId,
        index: ValueId,
    },
    /// The value itself, which may differ between the threads of a subgroup where a `Descriptor` is chosen with it.
    NonUniform(ValueId),
    /// The place (u32) of the counter that belongs to a buffer.
    Counter(ValueId),
    /// The place (u32) of the bits of a float (f32), for atomics that compare or exchange them.
    Bits(ValueId),
    /// A buffer of words (u32) as one of pairs of them (u64), for atomics.
    Wide(ValueId),
    /// Field of a structure place.
    Field {
        base: ValueId,
        index: u32,
    },
    /// Element of an array or runtime array place, or component of a vector place.
    Index {
        base: ValueId,
        index: ValueId,
    },
    /// The place of type `Ref(Physical, T)` at an address (u64).
    Address(ValueId),
    Load(ValueId),
    /// Elements of a runtime array place (u32).
    ArrayLength(ValueId),
    /// Returns the old value. `comparator` only for `CompareExchange`.
    Atomic {
        op: AtomicOp,
        place: ValueId,
        value: ValueId,
        comparator: Option<ValueId>,
        scope: Scope,
        order: MemoryOrder,
    },

    // ---- images
    ImageLoad(Box<ImageLoad>),
    ImageSample(Box<ImageSample>),
    ImageQuery {
        image: ValueId,
        query: ImageQuery,
    },
    /// The place of a texel of one component, `Ref(Image, T)`; operands as in [`ImageLoad`].
    Texel {
        image: ValueId,
        coord: ValueId,
        sample: Option<ValueId>,
    },
    /// Whether all texels behind a residency code were in memory.
    Resident(ValueId),

    // ---- rays
    /// `query` is the place of a ray query.
    RayQuery {
        ask: RayQuestion,
        query: ValueId,
    },

    // ---- environment
    Builtin(Builtin),
    Subgroup {
        op: SubgroupOp,
        args: Vec<ValueId>,
    },
    Call {
        callee: Symbol,
        args: Vec<ValueId>,
    },
    /// An instruction of the program's own; its result has the type of the value.
    Spirv(Box<spirv::Instruction>),

    // ---- graph operations
    /// Place of an input record, `Ref(NodeInput, R)`. `index` is the constant 0 for single-record inputs.
    InputRecord {
        index: ValueId,
    },
    /// Records that this group received (coalescing; 1 elsewhere).
    InputCount,
    /// A handle to `count` fresh records of element `index` (0 for a single output) of an output.
    Allocate {
        scope: AllocScope,
        output: OutputId,
        index: ValueId,
        count: ValueId,
    },
    /// Place of a record behind a handle, `Ref(NodeOutput, R)`.
    OutputRecord {
        records: ValueId,
        index: ValueId,
    },
    /// `IsValid()` of element `index`.
    OutputValid {
        output: OutputId,
        index: ValueId,
    },
    /// `GetRemainingRecursionLevels()`
    RemainingLevels,
    /// `FinishedCrossGroupSharing()`
    FinishedSharing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Arithmetic negation of an integer or float.
    Neg,
    /// Of bool.
    Not,
    BitNot,
}

/// Signedness and floatness come from the operands' type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Sign of the dividend, for integers and floats (HLSL `%`, `fmod`).
    Rem,
    And,
    Or,
    Xor,
    Shl,
    /// Arithmetic for signed operands.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Pure functions of numbers; all operate component by component on operands of one type, unless said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MathOp {
    Abs,
    Sign,
    Min,
    Max,
    Clamp,
    Floor,
    Ceil,
    Round,
    Trunc,
    Fract,
    Sqrt,
    InverseSqrt,
    Exp,
    Exp2,
    Log,
    Log2,
    Pow,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Atan2,
    Sinh,
    Cosh,
    Tanh,
    Fma,
    /// `x * (1 - t) + y * t`
    Mix,
    /// Of two vectors, gives a scalar.
    Dot,
    Cross,
    /// Of a vector, gives a scalar.
    Length,
    Normalize,
    /// Of a bool vector, gives bool.
    Any,
    All,
    /// Bits set.
    CountBits,
    /// Index of the lowest set bit, or all ones.
    FirstBitLow,
    /// Index of the highest bit that differs from the sign (of the highest set bit for unsigned), or all ones.
    FirstBitHigh,
    ReverseBits,
    IsNan,
    IsInf,
    /// Of two f32, gives a u32: each rounded to half precision, the first in the low bits.
    PackHalf,
    /// Of a u32, gives two f32.
    UnpackHalf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    /// Of words as signed integers, whatever their type says.
    SignedMin,
    SignedMax,
    And,
    Or,
    Xor,
    Exchange,
    CompareExchange,
    /// A relaxed atomic load: `value` is ignored and may be any value.
    Load,
    Store,
}

/// System values. Vectors are of u32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// uint3
    GroupThreadId,
    /// uint
    GroupIndex,
    /// uint3
    GroupId,
    /// uint3
    DispatchThreadId,
    /// uint3: workgroups of the dispatch. Not in node functions of the native target.
    NumWorkgroups,
    /// uint
    SubgroupSize,
    /// uint
    SubgroupLane,
    /// uint: which subgroup of the workgroup.
    SubgroupId,
    /// uint: subgroups of the workgroup.
    NumSubgroups,
}

/// Operations over the active lanes of a subgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SubgroupOp {
    /// () -> bool: the active lane with the lowest index.
    Elect,
    /// (bool) -> uint4
    Ballot,
    /// (T, uint lane) -> T
    Shuffle,
    /// (T) -> T, of the first active lane.
    BroadcastFirst,
    /// (T) -> T
    Add,
    /// (T) -> T
    ExclusiveAdd,
    Min,
    Max,
    /// (T) -> T
    Mul,
    ExclusiveMul,
    /// (T) -> T, of integers.
    BitAnd,
    BitOr,
    BitXor,
    /// (bool) -> bool
    Any,
    All,
    /// (T) -> bool, of a scalar T.
    AllEqual,
    /// (T, uint) -> T, of the lane of this lane's quad with that number.
    QuadBroadcast,
    /// (T) -> T, of the other lane of the quad's row, of its column, of neither.
    QuadSwapX,
    QuadSwapY,
    QuadSwapDiagonal,
    /// (T) -> T, of f32: the difference of the quad's columns and of its rows, by the device's choice the nearer one or
    /// one for the whole quad.
    Ddx,
    Ddy,
    DdxCoarse,
    DdyCoarse,
    DdxFine,
    DdyFine,
    /// (T) -> T, of f32: the sum of the magnitudes of `Ddx` and `Ddy`.
    Fwidth,
}

impl SubgroupOp {
    /// Whether lanes are counted by quads, to give each other values.
    pub fn is_of_quads(self) -> bool {
        use SubgroupOp as S;
        matches!(self, S::QuadBroadcast | S::QuadSwapX | S::QuadSwapY | S::QuadSwapDiagonal)
    }
}

impl SubgroupOp {
    /// Compares the threads of a quad: the workgroup must have quads ([`quad_shape`](crate::quad_shape)).
    pub fn is_derivative(self) -> bool {
        use SubgroupOp as S;
        matches!(self, S::Ddx | S::Ddy | S::DdxCoarse | S::DdyCoarse | S::DdxFine | S::DdyFine | S::Fwidth)
    }
}

impl BinaryOp {
    /// Gives bool per component.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }
}
