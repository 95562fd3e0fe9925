//! Words of the text form for enumerations, in one table for printing and parsing.

use crate::function::{AtomicOp, BinaryOp, Builtin, MathOp, MemoryOrder, Misuse, Scope, SubgroupOp, UnaryOp};
use crate::graph::{Launch, MeshArray, Topology};
use crate::hint::BranchHint;
use crate::image::TexelFormat;
use crate::mesh::MeshSlot;
use crate::module::Heap;
use crate::ray::{HitPart, RayCommand, RayHit, RayQuestion};
use crate::types::{AllocScope, ImageDim, Scalar, Space};

/// An enumeration with a word for each value. Values of several words have none.
pub(crate) trait Words: Copy + PartialEq + 'static {
    const WORDS: &'static [(Self, &'static str)];

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(value, _)| *value == self).map_or("", |(_, word)| word)
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(_, w)| *w == word).map(|(value, _)| *value)
    }
}

macro_rules! words {
    ($ty:ident { $($value:ident = $word:literal,)* } $(, $composed:pat)?) => {
        impl Words for $ty {
            const WORDS: &'static [($ty, &'static str)] = &[$(($ty::$value, $word),)*];

            // The compiler finds a variant without a word.
            fn word(self) -> &'static str {
                match self {
                    $($ty::$value => $word,)*
                    $($composed => "",)?
                }
            }
        }
    };
}

words!(Scalar {
    Bool = "bool",
    I16 = "i16",
    U16 = "u16",
    I32 = "i32",
    U32 = "u32",
    I64 = "i64",
    U64 = "u64",
    F16 = "f16",
    F32 = "f32",
    F64 = "f64",
});

words!(BranchHint {
    Any = "",
    Branch = "branch",
    Flatten = "flatten",
    Call = "call",
    ForceCase = "forcecase",
});

words!(Heap { Resource = "resource", Sampler = "sampler", Counter = "counter", });

words!(Misuse { Absent = "absent", Budget = "budget", Element = "element", Record = "record", });

words!(AllocScope { Thread = "thread", Group = "group", });

words!(ImageDim { D1 = "1d", D2 = "2d", D3 = "3d", Cube = "cube", Buffer = "buffer", });

words!(Launch { Broadcasting = "broadcasting", Coalescing = "coalescing", Thread = "thread", Mesh = "mesh", });

words!(Topology { Line = "line", Triangle = "triangle", });

words!(MeshArray { Indices = "indices", Vertices = "vertices", Primitives = "primitives", });

words!(Scope { Workgroup = "workgroup", Device = "device", });

words!(MemoryOrder { Relaxed = "relaxed", AcquireRelease = "acquire_release", });

words!(UnaryOp { Neg = "neg", Not = "not", BitNot = "bit_not", });

words!(BinaryOp {
    Add = "add",
    Sub = "sub",
    Mul = "mul",
    Div = "div",
    Rem = "rem",
    And = "and",
    Or = "or",
    Xor = "xor",
    Shl = "shl",
    Shr = "shr",
    Eq = "eq",
    Ne = "ne",
    Lt = "lt",
    Le = "le",
    Gt = "gt",
    Ge = "ge",
});

words!(MathOp {
    Abs = "abs",
    Sign = "sign",
    Min = "min",
    Max = "max",
    Clamp = "clamp",
    Floor = "floor",
    Ceil = "ceil",
    Round = "round",
    Trunc = "trunc",
    Fract = "fract",
    Sqrt = "sqrt",
    InverseSqrt = "inverse_sqrt",
    Exp = "exp",
    Exp2 = "exp2",
    Log = "log",
    Log2 = "log2",
    Pow = "pow",
    Sin = "sin",
    Cos = "cos",
    Tan = "tan",
    Asin = "asin",
    Acos = "acos",
    Atan = "atan",
    Atan2 = "atan2",
    Sinh = "sinh",
    Cosh = "cosh",
    Tanh = "tanh",
    Fma = "fma",
    Mix = "mix",
    Dot = "dot",
    Cross = "cross",
    Product = "product",
    Length = "length",
    Normalize = "normalize",
    Any = "any",
    All = "all",
    CountBits = "count_bits",
    FirstBitLow = "first_bit_low",
    FirstBitHigh = "first_bit_high",
    ReverseBits = "reverse_bits",
    IsNan = "is_nan",
    IsInf = "is_inf",
    PackHalf = "pack_half",
    UnpackHalf = "unpack_half",
});

impl MathOp {
    /// Returns all functions, in the order of the table.
    pub fn all() -> impl Iterator<Item = MathOp> {
        Self::WORDS.iter().map(|(op, _)| *op)
    }
}

words!(AtomicOp {
    Add = "atomic.add",
    Min = "atomic.min",
    Max = "atomic.max",
    SignedMin = "atomic.signed_min",
    SignedMax = "atomic.signed_max",
    And = "atomic.and",
    Or = "atomic.or",
    Xor = "atomic.xor",
    Exchange = "atomic.exchange",
    CompareExchange = "atomic.compare_exchange",
    Load = "atomic.load",
    Store = "atomic.store",
});

words!(Builtin {
    GroupThreadId = "builtin.group_thread_id",
    GroupIndex = "builtin.group_index",
    GroupId = "builtin.group_id",
    DispatchThreadId = "builtin.dispatch_thread_id",
    NumWorkgroups = "builtin.num_workgroups",
    SubgroupSize = "builtin.subgroup_size",
    SubgroupLane = "builtin.subgroup_lane",
    SubgroupId = "builtin.subgroup_id",
    NumSubgroups = "builtin.num_subgroups",
});

words!(SubgroupOp {
    Elect = "subgroup.elect",
    Ballot = "subgroup.ballot",
    Shuffle = "subgroup.shuffle",
    BroadcastFirst = "subgroup.broadcast_first",
    Add = "subgroup.add",
    ExclusiveAdd = "subgroup.exclusive_add",
    Min = "subgroup.min",
    Max = "subgroup.max",
    Mul = "subgroup.mul",
    ExclusiveMul = "subgroup.exclusive_mul",
    BitAnd = "subgroup.bit_and",
    BitOr = "subgroup.bit_or",
    BitXor = "subgroup.bit_xor",
    Any = "subgroup.any",
    All = "subgroup.all",
    AllEqual = "subgroup.all_equal",
    QuadBroadcast = "subgroup.quad_broadcast",
    QuadSwapX = "subgroup.quad_swap_x",
    QuadSwapY = "subgroup.quad_swap_y",
    QuadSwapDiagonal = "subgroup.quad_swap_diagonal",
    Ddx = "subgroup.ddx",
    Ddy = "subgroup.ddy",
    DdxCoarse = "subgroup.ddx_coarse",
    DdyCoarse = "subgroup.ddy_coarse",
    DdxFine = "subgroup.ddx_fine",
    DdyFine = "subgroup.ddy_fine",
    Fwidth = "subgroup.fwidth",
});

words!(RayCommand {
    Trace = "ray.trace",
    Abort = "ray.abort",
    CommitTriangle = "ray.commit_triangle",
    CommitProcedural = "ray.commit_procedural",
});

// The questions about hits have two words each and are not here.
words!(RayQuestion {
    Proceed = "ray.proceed",
    Flags = "ray.flags",
    TMin = "ray.t_min",
    WorldOrigin = "ray.world_origin",
    WorldDirection = "ray.world_direction",
    ProceduralOpaque = "ray.procedural_opaque",
}, RayQuestion::Of(..));

words!(RayHit { Candidate = "ray.candidate", Committed = "ray.committed", });

words!(HitPart {
    Kind = "kind",
    T = "t",
    InstanceIndex = "instance_index",
    InstanceId = "instance_id",
    HitGroup = "hit_group",
    GeometryIndex = "geometry_index",
    PrimitiveIndex = "primitive_index",
    Barycentrics = "barycentrics",
    FrontFace = "front_face",
    ObjectOrigin = "object_origin",
    ObjectDirection = "object_direction",
    ObjectToWorld = "object_to_world",
    WorldToObject = "world_to_object",
});

impl Words for TexelFormat {
    const WORDS: &'static [(TexelFormat, &'static str)] = TexelFormat::ALL;
}

impl MeshSlot {
    /// Returns its word, and its number if it has one.
    pub(crate) fn words(self) -> (&'static str, Option<u32>) {
        match self {
            MeshSlot::Location(n) => ("location", Some(n)),
            MeshSlot::Position => ("position", None),
            MeshSlot::ClipDistance(n) => ("clip_distance", Some(n)),
            MeshSlot::CullDistance(n) => ("cull_distance", Some(n)),
            MeshSlot::Layer => ("layer", None),
            MeshSlot::Viewport => ("viewport", None),
            MeshSlot::ShadingRate => ("shading_rate", None),
            MeshSlot::PrimitiveId => ("primitive_id", None),
            MeshSlot::Cull => ("cull", None),
        }
    }

    /// Returns the slot of a word, with 0 as its number.
    pub(crate) fn from_word(word: &str) -> Option<MeshSlot> {
        use MeshSlot as S;
        let numbered = [S::Location(0), S::ClipDistance(0), S::CullDistance(0)];
        let others = [S::Position, S::Layer, S::Viewport, S::ShadingRate, S::PrimitiveId, S::Cull];
        numbered.into_iter().chain(others).find(|slot| slot.words().0 == word)
    }
}

impl Words for Space {
    const WORDS: &'static [(Space, &'static str)] = &[
        (Space::Function, "function"),
        (Space::Private, "private"),
        (Space::Workgroup, "workgroup"),
        (Space::Storage { coherent: false }, "storage"),
        (Space::Storage { coherent: true }, "storage.coherent"),
        (Space::Uniform, "uniform"),
        (Space::PushConstant, "push_constant"),
        (Space::NodeInput, "node_input"),
        (Space::NodeOutput, "node_output"),
        (Space::MeshOutput, "mesh_output"),
        (Space::Image, "image"),
        (Space::Physical { coherent: false }, "physical"),
        (Space::Physical { coherent: true }, "physical.coherent"),
    ];
}

/// Returns whether a word names a type, so that no structure is printed under it.
pub(crate) fn is_type_word(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "ref"
            | "records"
            | "image"
            | "rwimage"
            | "sampler"
            | "acceleration_structure"
            | "ray_query"
            | "buffer"
            | "empty"
    ) || matches!(word, "private" | "constant" | "workgroup" | "uniform" | "push_constant")
        || vector_word(word).is_some()
}

/// Parses `u32` or `u32x3` into a scalar and, for a vector, its components.
pub(crate) fn vector_word(word: &str) -> Option<(Scalar, Option<u8>)> {
    if let Some(scalar) = Scalar::from_word(word) {
        return Some((scalar, None));
    }
    let (scalar, n) = word.rsplit_once('x')?;
    Some((Scalar::from_word(scalar)?, Some(n.parse().ok()?)))
}

/// Returns whether a name needs no quotes.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'))
}
