//! The parts of a function, of a global and of an entry, as tables of fields and variants. The numbers of variants are
//! their places in the table.

use super::Encoded;
use super::bytes::{Decoder, Encoder, Row};
use crate::function::*;
use crate::graph::{Mesh, MeshArray, Topology};
use crate::hint::{BranchHint, LoopControl, LoopHint};
use crate::image::*;
use crate::matrix::{MatrixLayout, MatrixType};
use crate::mesh::{Interpolation, MeshSlot, MeshValue};
use crate::module::{Binding, ComputeEntry, Constant, Count, Global, GlobalKind, Heap};
use crate::position::{Position, SourceFile, SourceScope, SourceText};
use crate::ray::{HitPart, RayCommand, RayHit, RayQuestion};
use crate::spec_value::{SpecOp, SpecStep, SpecValue};
use crate::specialise::GraphConstant;
use crate::spirv::{Instruction, Needs, Operand};
use crate::types::*;
use crate::variable::Variable;

/// Implements [`Encoded`] for structures: all their fields, in this order.
macro_rules! structures {
    ($($name:ident { $($field:ident),* })*) => {$(
        impl Encoded for $name {
            fn put(&self, to: &mut Encoder) {
                let Self { $($field),* } = self;
                $(Encoded::put($field, to);)*
            }

            fn take(from: &mut Decoder<'_>) -> Option<Self> {
                $(let $field = Encoded::take(from)?;)*
                Some(Self { $($field),* })
            }
        }
    )*};
}

/// Implements a trait for enumerations: the number of the variant, then its fields.
macro_rules! enumerations {
    ($($as:ident for $name:ident { $($variant:ident $(($($item:ident),*))? $({ $($field:ident),* })?,)* })*) => {$(
        const _: () = {
            enum Tag { $($variant),* }
            struct Tags;
            #[allow(non_upper_case_globals, reason = "constants have the names of variants")]
            impl Tags {
                $(const $variant: u8 = Tag::$variant as u8;)*
            }

            impl $as for $name {
                fn put(&self, to: &mut Encoder) {
                    match self {$(
                        Self::$variant $(($($item),*))? $({ $($field),* })? => {
                            to.byte(Tags::$variant);
                            $($(Encoded::put($item, to);)*)?
                            $($(Encoded::put($field, to);)*)?
                        }
                    )*}
                }

                fn take(from: &mut Decoder<'_>) -> Option<Self> {
                    match from.byte()? {
                        $(Tags::$variant => {
                            $($(let $item = Encoded::take(from)?;)*)?
                            $($(let $field = Encoded::take(from)?;)*)?
                            Some(Self::$variant $(($($item),*))? $({ $($field),* })?)
                        })*
                        _ => None,
                    }
                }
            }
        };
    )*};
}

structures! {
    Function { name, params, ret, locals, values, body, scopes, needs, noinline, variables }
    Param { name, ty, variable }
    Local { name, ty, variable }
    Value { ty, op, name, precise }
    LoopDetails { hint, params, first, again, next, last, results }
    Case { labels, body }
    ScalarConst { ty, bits }
    Barrier { memory, group_sync, scope, records }
    MemoryFlags { uav, group_shared, node_input, node_output }
    LoopHint { control, uav_condition }
    ImageLoad { image, coord, level, sample, sparse }
    ImageSample { image, sampler, coord, result, lod, offset, min_lod, sparse }
    Instruction { set, opcode, operands }
    Needs { capabilities, extensions }
    Position { scope, token }
    SourceScope { function, text, name, inlined_at }
    SourceText { item, body }
    SourceFile { path, text }
    Variable { name, ty, declared, argument }
    StructType { name, fields, size, align }
    Field { name, ty, offset, bits }
    BitField { name, scalar, first, width }
    RecordsType { scope, record }
    ImageType { dim, arrayed, multisampled, texel, components, storage }
    MatrixType { scalar, rows, columns, layout }
    MatrixLayout { row_major, stride }
    Global { name, kind }
    Binding { set, binding, count, register, heap }
    ComputeEntry { name, function, workgroup_size, wave_size, mesh, specialised }
    Mesh { topology, max_vertices, max_primitives }
    MeshValue { semantic, path, slot, interpolation }
    Interpolation { flat, no_perspective, centroid, sample }
}

enumerations! {
    Encoded for Stmt {
        At(a), Holds { variable, value }, Let(a), Store { place, value }, If { cond, then, otherwise, results, hint },
        Loop { body, continuing, break_if, details }, Switch { selector, cases, default, results, hint }, Yield(a),
        Break(a), Continue(a), Return(a), Barrier(a), ImageStore { image, coord, sample, value },
        RayQuery { command, query, args }, Complete(a), IncrementCount { scope, output, index, count },
        Report { misuse, end }, MeshCounts { vertices, primitives }, Call { callee, args }, Spirv(a),
    }
    Encoded for Scope {
        Workgroup, Device,
    }
    Encoded for Misuse {
        Absent, Budget, Element, Record,
    }
    Encoded for MemoryOrder {
        Relaxed, AcquireRelease,
    }
    Encoded for Op {
        Const(a), Zero, Undef, Param(a), Merge, Compose(a), Extract { base, index }, ExtractDynamic { base, index },
        Insert { base, index, value }, Swizzle { base, components },
        Shuffle { lhs, rhs, components }, Unary { op, value }, Binary { op, lhs, rhs },
        Select { cond, then, otherwise }, Convert(a), Bitcast(a), Math { op, args }, Local(a), Global(a),
        Descriptor { array, index }, NonUniform(a), Counter(a), Bits(a), Wide(a), Field { base, index },
        Index { base, index }, Address(a), Load(a), ArrayLength(a),
        Atomic { op, place, value, comparator, scope, order }, ImageLoad(a), ImageSample(a),
        ImageQuery { image, query }, Texel { image, coord, sample }, Resident(a), RayQuery { ask, query }, Builtin(a),
        Subgroup { op, args }, Call { callee, args }, Spirv(a), InputRecord { index }, InputCount,
        Allocate { scope, output, index, count }, OutputRecord { records, index }, OutputValid { output, index },
        RemainingLevels, FinishedSharing,
    }
    Encoded for UnaryOp {
        Neg, Not, BitNot,
    }
    Encoded for BinaryOp {
        Add, Sub, Mul, Div, Rem, And, Or, Xor, Shl, Shr, Eq, Ne, Lt, Le, Gt, Ge,
    }
    Encoded for MathOp {
        Abs, Sign, Min, Max, Clamp, Floor, Ceil, Round, Trunc, Fract, Sqrt, InverseSqrt, Exp, Exp2, Log, Log2, Pow,
        Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Fma, Mix, Dot, Cross, Product, Length, Normalize, Any, All,
        CountBits, FirstBitLow, FirstBitHigh, ReverseBits, IsNan, IsInf, PackHalf, UnpackHalf,
    }
    Encoded for AtomicOp {
        Add, Min, Max, SignedMin, SignedMax, And, Or, Xor, Exchange, CompareExchange, Load, Store,
    }
    Encoded for Builtin {
        GroupThreadId, GroupIndex, GroupId, DispatchThreadId, NumWorkgroups, SubgroupSize, SubgroupLane, SubgroupId,
        NumSubgroups,
    }
    Encoded for SubgroupOp {
        Elect, Ballot, Shuffle, BroadcastFirst, Add, ExclusiveAdd, Min, Max, Mul, ExclusiveMul, BitAnd, BitOr, BitXor,
        Any, All, AllEqual, QuadBroadcast, QuadSwapX, QuadSwapY, QuadSwapDiagonal, Ddx, Ddy, DdxCoarse, DdyCoarse,
        DdxFine, DdyFine, Fwidth,
    }
    Encoded for LoopControl {
        Any, Unroll(a), Loop, FastOpt,
    }
    Encoded for BranchHint {
        Any, Branch, Flatten, Call, ForceCase,
    }
    Encoded for SampleResult {
        Texel, Compared(a), Gathered(a), GatherCompared(a),
    }
    Encoded for Lod {
        Implicit, Bias(a), Level(a), Gradient(a, b),
    }
    Encoded for TexelOffset {
        None, One(a), Four(a),
    }
    Encoded for ImageQuery {
        Size(a), Levels, Samples, Lod { sampler, coord },
    }
    Encoded for RayCommand {
        Trace, Abort, CommitTriangle, CommitProcedural,
    }
    Encoded for RayHit {
        Candidate, Committed,
    }
    Encoded for RayQuestion {
        Proceed, Flags, TMin, WorldOrigin, WorldDirection, ProceduralOpaque, Of(a, b),
    }
    Encoded for HitPart {
        Kind, T, InstanceIndex, InstanceId, HitGroup, GeometryIndex, PrimitiveIndex, Barycentrics, FrontFace,
        ObjectOrigin, ObjectDirection, ObjectToWorld, WorldToObject,
    }
    Encoded for Operand {
        Value(a), Literal(a), Text(a),
    }
    Row for Type {
        Void, Scalar(a), Vector(a, b), Matrix(a), Array { element, len, stride }, RuntimeArray { element, stride },
        Struct(a), Ref(a, b), Records(a), Image(a), Sampler, AccelerationStructure, RayQuery,
        Descriptors { element, len },
    }
    Encoded for Scalar {
        Bool, I16, U16, I32, U32, I64, U64, F16, F32, F64,
    }
    Encoded for AllocScope {
        Thread, Group,
    }
    Encoded for Space {
        Function, Private, Workgroup, Storage { coherent }, Uniform, PushConstant, NodeInput, NodeOutput, MeshOutput,
        Image, Physical { coherent },
    }
    Encoded for ImageDim {
        D1, D2, D3, Cube, Buffer,
    }
    Encoded for GlobalKind {
        Private { ty, init }, Workgroup { ty }, MeshOutput { ty, array, values }, Constant { ty, value },
        Buffer { element, stride, writable, coherent, counter, binding }, Uniform { block, binding },
        PushConstant { block }, Image { ty, format, coherent, binding }, Sampler { binding },
        SpecConstant { id, default }, AccelerationStructure { binding },
    }
    Encoded for Constant {
        Scalar(a), Composite(a), Zero,
    }
    Encoded for Heap {
        Resource, Sampler, Counter,
    }
    Encoded for Count {
        One, Array(a), Unbounded,
    }
    Encoded for MeshArray {
        Indices, Vertices, Primitives,
    }
    Encoded for Topology {
        Line, Triangle,
    }
    Encoded for MeshSlot {
        Location(a), Position, ClipDistance(a), CullDistance(a), Layer, Viewport, ShadingRate, PrimitiveId, Cull,
    }
    Encoded for GraphConstant {
        Threads(a), Grid(a), Index, Owner, Recursion, InputRecords, Budget(a), Target(a), Size(a),
    }
    Encoded for SpecStep {
        Constant(a), Truth(a), Number(a), Op(a),
    }
    Encoded for SpecOp {
        Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, UShr, SShr, And, Or, Xor, Neg, Not, Eq, Ne, ULt, ULe, SLt, SLe,
        BothTrue, AnyTrue, Untrue, Select,
    }
    Encoded for TexelFormat {
        Unknown, Rgba32f, Rgba16f, R32f, Rgba8, Rgba8Snorm, Rg32f, Rg16f, R11fG11fB10f, R16f, Rgba16, Rgb10A2, Rg16,
        Rg8, R16, R8, Rgba16Snorm, Rg16Snorm, Rg8Snorm, R16Snorm, R8Snorm, Rgba32i, Rgba16i, Rgba8i, R32i, Rg32i,
        Rg16i, Rg8i, R16i, R8i, Rgba32ui, Rgba16ui, Rgba8ui, R32ui, Rgb10A2ui, Rg32ui, Rg16ui, Rg8ui, R16ui, R8ui,
        R64ui, R64i,
    }
}

impl Encoded for SpecValue {
    fn put(&self, to: &mut Encoder) {
        self.0.put(to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        Encoded::take(from).map(SpecValue)
    }
}

impl Encoded for std::sync::Arc<StructType> {
    fn put(&self, to: &mut Encoder) {
        StructType::put(self, to);
    }

    fn take(from: &mut Decoder<'_>) -> Option<Self> {
        StructType::take(from).map(Self::new)
    }
}
