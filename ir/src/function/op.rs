//! Operations that compute values, and their enumerations. [`crate::typing`] has the operands and result types of each.
//! Statements are in [`super`].

use super::{LocalId, MemoryOrder, OutputId, ScalarConst, Scope, ValueId};
use crate::Symbol;
use crate::image::{ImageLoad, ImageQuery, ImageSample};
use crate::ray::RayQuestion;
use crate::spirv;
use crate::types::AllocScope;

/// An operation. Its result is one value, whose type the value has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Op {
    // ---- values
    /// A scalar constant.
    Const(ScalarConst),
    /// Zero of any sized type.
    Zero,
    /// Any value of the type. Each use may see another one.
    Undef,
    /// The n-th parameter of the function.
    Param(u32),
    /// A value that a statement lists as a result or as a parameter of a loop. It has no `Let`.
    Merge,
    /// A vector from scalars and vectors (components add up), an array or structure from its elements.
    Compose(Vec<ValueId>),
    /// Element of a vector, array or structure value.
    Extract { base: ValueId, index: u32 },
    /// Component of a vector or element of an array at a run-time index.
    ExtractDynamic { base: ValueId, index: ValueId },
    /// `base` with one element replaced.
    Insert { base: ValueId, index: u32, value: ValueId },
    /// Components of a vector (or of a scalar: all zero); the result has one to four.
    Swizzle { base: ValueId, components: Vec<u8> },
    /// Components of two vectors of one scalar type; the result has two to four. Those of `rhs` are numbered after those of
    /// `lhs`.
    Shuffle { lhs: ValueId, rhs: ValueId, components: Vec<u8> },
    /// An operator with one operand of the result's type.
    Unary { op: UnaryOp, value: ValueId },
    /// Both sides have the same type, except shifts (same width, any sign). Comparisons give bool per component.
    Binary { op: BinaryOp, lhs: ValueId, rhs: ValueId },
    /// `cond` is bool, or a bool vector as wide as the result.
    Select { cond: ValueId, then: ValueId, otherwise: ValueId },
    /// Numeric conversion to this value's type, component by component. It follows HLSL casts: float to integer
    /// truncates, to bool compares with zero, from bool gives 0 or 1.
    Convert(ValueId),
    /// Same size, same component count or total bits (u64 <-> 2 x u32).
    Bitcast(ValueId),
    /// A function of numbers.
    Math { op: MathOp, args: Vec<ValueId> },

    // ---- places
    /// The place of a local variable.
    Local(LocalId),
    /// The place of a global variable, or a resource.
    Global(Symbol),
    /// An element of an array of resources, like `Global` for a single resource.
    Descriptor { array: ValueId, index: ValueId },
    /// The value itself. It may differ between the threads of a subgroup if it selects a `Descriptor`.
    NonUniform(ValueId),
    /// The place (u32) of a buffer's counter.
    Counter(ValueId),
    /// The place (u32) of the bits of a float (f32), for atomics that compare or exchange them.
    Bits(ValueId),
    /// A buffer of words (u32) viewed as a buffer of word pairs (u64), for atomics.
    Wide(ValueId),
    /// Field of a structure place.
    Field { base: ValueId, index: u32 },
    /// Element of an array or runtime array place, or component of a vector place.
    Index { base: ValueId, index: ValueId },
    /// The place of type `Ref(Physical, T)` at an address (u64).
    Address(ValueId),
    /// The value in a place.
    Load(ValueId),
    /// Number of elements of a runtime array place (u32).
    ArrayLength(ValueId),
    /// An atomic operation. Returns the old value. `comparator` only for `CompareExchange`.
    Atomic {
        op: AtomicOp,
        place: ValueId,
        value: ValueId,
        comparator: Option<ValueId>,
        scope: Scope,
        order: MemoryOrder,
    },

    // ---- images
    /// A texel, read by its integer coordinates.
    ImageLoad(Box<ImageLoad>),
    /// Texels, filtered or gathered by a sampler.
    ImageSample(Box<ImageSample>),
    /// A size, count of levels or samples, or level of detail.
    ImageQuery { image: ValueId, query: ImageQuery },
    /// The place of a texel of one component, `Ref(Image, T)`; operands as in [`ImageLoad`].
    Texel { image: ValueId, coord: ValueId, sample: Option<ValueId> },
    /// A bool from the residency code of an access: all its texels were resident.
    Resident(ValueId),

    // ---- rays
    /// A question about a ray query, whose place is `query`.
    RayQuery { ask: RayQuestion, query: ValueId },

    // ---- environment
    /// A system value.
    Builtin(Builtin),
    /// An operation over the active lanes of a subgroup.
    Subgroup { op: SubgroupOp, args: Vec<ValueId> },
    /// A call; the callee returns the value.
    Call { callee: Symbol, args: Vec<ValueId> },
    /// An instruction of inline SPIR-V, whose result has the type of the value.
    Spirv(Box<spirv::Instruction>),

    // ---- graph operations
    /// Place of an input record, `Ref(NodeInput, R)`. `index` is the constant 0 for single-record inputs.
    InputRecord { index: ValueId },
    /// Number of records that this group received (coalescing; 1 elsewhere).
    InputCount,
    /// A handle to `count` new records of element `index` (0 for a single output) of an output.
    Allocate { scope: AllocScope, output: OutputId, index: ValueId, count: ValueId },
    /// Place of a record of a handle, `Ref(NodeOutput, R)`.
    OutputRecord { records: ValueId, index: ValueId },
    /// `IsValid()` of element `index`.
    OutputValid { output: OutputId, index: ValueId },
    /// `GetRemainingRecursionLevels()`: a u32.
    RemainingLevels,
    /// `FinishedCrossGroupSharing()`: true for the last group that calls it.
    FinishedSharing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Arithmetic negation of an integer or float.
    Neg,
    /// Negation of bool.
    Not,
    /// Complement of the bits of an integer.
    BitNot,
}

/// A binary operator. The operands' type determines signedness and floatness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    /// Remainder with the sign of the dividend, for integers and floats (HLSL `%`, `fmod`).
    Rem,
    And,
    Or,
    Xor,
    Shl,
    /// Arithmetic shift for signed operands.
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// Pure functions of numbers. Unless noted, they operate component by component on operands of one type.
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
    /// Takes two vectors, returns a scalar.
    Dot,
    Cross,
    /// The product of linear algebra, of floats: a vector times a scalar, a vector (a row) times a matrix, a matrix
    /// times a vector (a column), or two matrices. Matrices have at least two rows and columns.
    Product,
    /// Takes a vector, returns a scalar.
    Length,
    Normalize,
    /// Takes a bool vector, returns bool.
    Any,
    All,
    /// Number of set bits.
    CountBits,
    /// Index of the lowest set bit, or all ones.
    FirstBitLow,
    /// Index of the highest bit that differs from the sign (of the highest set bit for unsigned), or all ones.
    FirstBitHigh,
    ReverseBits,
    IsNan,
    IsInf,
    /// Takes two f32, returns a u32: each rounded to half precision, the first in the low bits.
    PackHalf,
    /// Takes a u32, returns two f32.
    UnpackHalf,
}

/// The change of memory that an atomic makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    /// Minimum of words as signed integers, regardless of their type.
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
    /// uint3: number of workgroups of the dispatch. Not in node functions of the native target.
    NumWorkgroups,
    /// uint
    SubgroupSize,
    /// uint
    SubgroupLane,
    /// uint: index of the subgroup in the workgroup.
    SubgroupId,
    /// uint: number of subgroups in the workgroup.
    NumSubgroups,
}

impl Builtin {
    /// Returns whether it is the place of a thread in its group, or of its group in the grid. For a group of one thread
    /// in a grid of one group, as of a thread node, it is 0.
    pub fn is_place_of_thread(self) -> bool {
        matches!(self, Builtin::GroupId | Builtin::DispatchThreadId | Builtin::GroupThreadId | Builtin::GroupIndex)
    }
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
    /// (T) -> T, from the first active lane.
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
    /// (T) -> T, for integers.
    BitAnd,
    BitOr,
    BitXor,
    /// (bool) -> bool
    Any,
    All,
    /// (T) -> bool, for a scalar T.
    AllEqual,
    /// (T, uint) -> T, from the lane with that number in this lane's quad.
    QuadBroadcast,
    /// (T) -> T, from the other lane in the quad's row, in its column, or in neither.
    QuadSwapX,
    QuadSwapY,
    QuadSwapDiagonal,
    /// (T) -> T, for f32: the difference of the quad's columns or rows. The device may use the nearer pair or one pair
    /// for the whole quad.
    Ddx,
    Ddy,
    DdxCoarse,
    DdyCoarse,
    DdxFine,
    DdyFine,
    /// (T) -> T, for f32: the sum of the magnitudes of `Ddx` and `Ddy`.
    Fwidth,
}

impl SubgroupOp {
    /// Returns whether the operation exchanges values within quads.
    pub fn is_of_quads(self) -> bool {
        use SubgroupOp as S;
        matches!(self, S::QuadBroadcast | S::QuadSwapX | S::QuadSwapY | S::QuadSwapDiagonal)
    }
}

impl SubgroupOp {
    /// Returns whether the operation compares the threads of a quad. The workgroup must have quads then
    /// ([`quad_shape`](crate::quad_shape)).
    pub fn is_derivative(self) -> bool {
        use SubgroupOp as S;
        matches!(self, S::Ddx | S::Ddy | S::DdxCoarse | S::DdyCoarse | S::DdxFine | S::DdyFine | S::Fwidth)
    }
}

impl MathOp {
    /// Returns whether a component of the result may depend on all components of the operands.
    pub fn mixes_components(self) -> bool {
        use MathOp as M;
        matches!(self, M::Dot | M::Cross | M::Product | M::Length | M::Normalize | M::Any | M::All)
    }
}

impl BinaryOp {
    /// Returns whether the result is a bool per component.
    pub fn is_comparison(self) -> bool {
        matches!(self, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge)
    }
}
