//! The closed list of built-in operations: the names that `[[wgc::op("name")]]` accepts.
//!
//! Names with a dot belong to `stdlib/prelude/`, those without to `stdlib/wgc.hlsl`. A test compares this table with
//! the declarations. The lowering of operations is in [`crate::lower::op`](mod@crate::lower::op); only the declarations
//! have their parameters and results.

use wgc_ir::{
    AllocScope, AtomicOp, Builtin, HitPart, MathOp, MemoryOrder, RayCommand, RayHit, RayQuestion, SubgroupOp,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuiltinOp {
    // ---- numbers
    Math(MathOp),
    /// `fmod`
    Rem,
    /// `a * b + c`
    Mad,
    /// Reinterprets the same bits.
    Bitcast,
    /// Joins two words to a 64-bit component.
    JoinBits,
    /// Splits a 64-bit component into two words, the last two arguments.
    SplitBits,
    /// Half precision in the low bits of a word, to and from single precision.
    FromHalf,
    ToHalf,
    And,
    Or,
    Select,
    /// The product of two matrices, or of a matrix and a vector on either side.
    MatrixProduct,
    Transpose,

    // ---- graph
    InputRecord,
    InputCount,
    InputFinished,
    RecordsGet,
    RecordsComplete,
    Allocate(AllocScope),
    OutputValid,
    IncrementCount(AllocScope),
    /// An element of an output array.
    OutputElement,
    /// An element of a heap; a conversion turns it into a resource.
    HeapElement,
    RemainingLevels,

    // ---- resources
    BufferElement,
    /// Returns the element's value, and a status that it was in memory.
    BufferLoad,
    BufferSize,
    /// Increments the counter and returns its old value.
    CounterIncrement,
    /// Decrements the counter and returns its new value.
    CounterDecrement,
    Append,
    Consume,
    NonUniform,
    RawLoad,
    RawStore,
    RawSize,
    RawAtomic(AtomicOp),
    RawCompareStore,
    /// Atomics of 64 bits.
    WideAtomic(AtomicOp),
    WideCompareStore,
    /// The place at a position: level 0, sample 0.
    ImageTexel,
    /// The place at a level and a position.
    ImageMipTexel,
    /// The place of a sample at a position.
    ImageSampleTexel,
    ImageLoad,
    /// Texels read through a sampler, or their comparisons with a reference.
    ImageSample {
        compare: bool,
        lod: SampleLod,
    },
    ImageGather {
        component: u8,
        compare: bool,
    },
    /// A gather of integer texels of one component.
    ImageGatherRaw,
    /// The level that an implicit sample would use.
    ImageLod {
        unclamped: bool,
    },
    ImageSize(SizeExtra),
    ImageSamplePosition,
    ImageResident,

    // ---- rays
    RayTrace,
    RayCommand(RayCommand),
    RayQuestion(RayQuestion),
    /// `CandidateProceduralPrimitiveNonOpaque`
    RayNonOpaque,

    // ---- synchronisation
    Atomic(AtomicOp),
    CompareStore,
    /// The flags are arguments.
    BarrierMemory,
    BarrierObject,
    /// The flags of `Barrier(memory, semantics)`.
    Barrier {
        memory: u32,
        semantics: u32,
    },

    // ---- lanes and system values
    Subgroup(SubgroupOp),
    Builtin(Builtin),

    // ---- memory at a 64-bit address
    /// The memory that the object, a structure with only an address, points to.
    AddressPlace,
    AddressLoad {
        coherent: bool,
    },
    AddressStore {
        coherent: bool,
    },
    AddressAtomic {
        op: AtomicOp,
        order: MemoryOrder,
    },

    // ---- meshes
    /// `SetMeshOutputCounts`
    MeshCounts,

    // ---- debugging
    /// Text with numbers to insert.
    Print,
    DebugBreak,

    /// The instruction that the function's `[[vk::ext_instruction]]` names; it has no entry in the table.
    Spirv,

    /// An operation of other stages: an error if a compiled function calls it.
    OtherStage(Stages),
    /// An operation that no module can express, and the reason; an error in the same cases.
    Lacking(&'static str),
}

/// Stages that are never compiled, as named in messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stages(pub &'static str);

impl Stages {
    pub const PIXEL: Stages = Stages("pixel shaders");

    /// Formats the message of [`Code::OtherStage`](crate::tables::codes::Code::OtherStage).
    pub fn refuse(self, name: &str) -> String {
        format!("`{name}` belongs to {}, not to nodes or compute shaders", self.0)
    }
}

/// The choice of level of a sampling method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SampleLod {
    Implicit,
    /// An argument is added to the implicit level.
    Bias,
    /// The level is an argument.
    Level,
    /// Level 0.
    Zero,
    /// Two arguments, the derivatives.
    Gradient,
}

/// The results of `GetDimensions` after the extents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeExtra {
    Nothing,
    /// The extents of the level that the first argument selects, and the number of levels.
    Levels,
    Samples,
}

/// Bits of the first argument of `Barrier(memory, semantics)`; SPEC "Barrier", flags.
pub mod memory {
    pub const UAV: u32 = 1;
    pub const GROUP_SHARED: u32 = 2;
    pub const NODE_INPUT: u32 = 4;
    pub const NODE_OUTPUT: u32 = 8;
    pub const ALL: u32 = 15;
}

/// Bits of the second argument.
pub mod semantics {
    pub const GROUP_SYNC: u32 = 1;
    pub const GROUP_SCOPE: u32 = 2;
    pub const DEVICE_SCOPE: u32 = 4;
    pub const ALL: u32 = 7;
}

const fn atomic(op: AtomicOp) -> BuiltinOp {
    BuiltinOp::AddressAtomic { op, order: MemoryOrder::Relaxed }
}

const fn sample(compare: bool, lod: SampleLod) -> BuiltinOp {
    BuiltinOp::ImageSample { compare, lod }
}

const fn gather(component: u8, compare: bool) -> BuiltinOp {
    BuiltinOp::ImageGather { component, compare }
}

const fn candidate(part: HitPart) -> BuiltinOp {
    BuiltinOp::RayQuestion(RayQuestion::Of(RayHit::Candidate, part))
}

const fn committed(part: HitPart) -> BuiltinOp {
    BuiltinOp::RayQuestion(RayQuestion::Of(RayHit::Committed, part))
}

/// All operations by name.
pub const OPS: &[(&str, BuiltinOp)] = &[
    ("math.abs", BuiltinOp::Math(MathOp::Abs)),
    ("math.min", BuiltinOp::Math(MathOp::Min)),
    ("math.max", BuiltinOp::Math(MathOp::Max)),
    ("math.clamp", BuiltinOp::Math(MathOp::Clamp)),
    ("math.mad", BuiltinOp::Mad),
    ("math.floor", BuiltinOp::Math(MathOp::Floor)),
    ("math.ceil", BuiltinOp::Math(MathOp::Ceil)),
    ("math.round", BuiltinOp::Math(MathOp::Round)),
    ("math.trunc", BuiltinOp::Math(MathOp::Trunc)),
    ("math.fract", BuiltinOp::Math(MathOp::Fract)),
    ("math.rem", BuiltinOp::Rem),
    ("math.sqrt", BuiltinOp::Math(MathOp::Sqrt)),
    ("math.inverse_sqrt", BuiltinOp::Math(MathOp::InverseSqrt)),
    ("math.exp", BuiltinOp::Math(MathOp::Exp)),
    ("math.exp2", BuiltinOp::Math(MathOp::Exp2)),
    ("math.log", BuiltinOp::Math(MathOp::Log)),
    ("math.log2", BuiltinOp::Math(MathOp::Log2)),
    ("math.pow", BuiltinOp::Math(MathOp::Pow)),
    ("math.sin", BuiltinOp::Math(MathOp::Sin)),
    ("math.cos", BuiltinOp::Math(MathOp::Cos)),
    ("math.tan", BuiltinOp::Math(MathOp::Tan)),
    ("math.asin", BuiltinOp::Math(MathOp::Asin)),
    ("math.acos", BuiltinOp::Math(MathOp::Acos)),
    ("math.atan", BuiltinOp::Math(MathOp::Atan)),
    ("math.atan2", BuiltinOp::Math(MathOp::Atan2)),
    ("math.sinh", BuiltinOp::Math(MathOp::Sinh)),
    ("math.cosh", BuiltinOp::Math(MathOp::Cosh)),
    ("math.tanh", BuiltinOp::Math(MathOp::Tanh)),
    ("math.mix", BuiltinOp::Math(MathOp::Mix)),
    ("math.fma", BuiltinOp::Math(MathOp::Fma)),
    ("math.is_nan", BuiltinOp::Math(MathOp::IsNan)),
    ("math.is_inf", BuiltinOp::Math(MathOp::IsInf)),
    ("math.dot", BuiltinOp::Math(MathOp::Dot)),
    ("math.cross", BuiltinOp::Math(MathOp::Cross)),
    ("math.length", BuiltinOp::Math(MathOp::Length)),
    ("math.normalize", BuiltinOp::Math(MathOp::Normalize)),
    ("math.any", BuiltinOp::Math(MathOp::Any)),
    ("math.all", BuiltinOp::Math(MathOp::All)),
    ("math.count_bits", BuiltinOp::Math(MathOp::CountBits)),
    ("math.first_bit_high", BuiltinOp::Math(MathOp::FirstBitHigh)),
    ("math.first_bit_low", BuiltinOp::Math(MathOp::FirstBitLow)),
    ("math.reverse_bits", BuiltinOp::Math(MathOp::ReverseBits)),
    ("logic.and", BuiltinOp::And),
    ("logic.or", BuiltinOp::Or),
    ("logic.select", BuiltinOp::Select),
    ("bits.cast", BuiltinOp::Bitcast),
    ("bits.join", BuiltinOp::JoinBits),
    ("bits.split", BuiltinOp::SplitBits),
    ("bits.from_half", BuiltinOp::FromHalf),
    ("bits.to_half", BuiltinOp::ToHalf),
    ("matrix.product", BuiltinOp::MatrixProduct),
    ("matrix.transpose", BuiltinOp::Transpose),
    ("input.record", BuiltinOp::InputRecord),
    ("input.count", BuiltinOp::InputCount),
    ("input.finished", BuiltinOp::InputFinished),
    ("records.get", BuiltinOp::RecordsGet),
    ("records.complete", BuiltinOp::RecordsComplete),
    ("output.allocate_thread", BuiltinOp::Allocate(AllocScope::Thread)),
    ("output.allocate_group", BuiltinOp::Allocate(AllocScope::Group)),
    ("output.valid", BuiltinOp::OutputValid),
    ("output.increment_thread", BuiltinOp::IncrementCount(AllocScope::Thread)),
    ("output.increment_group", BuiltinOp::IncrementCount(AllocScope::Group)),
    ("output.element", BuiltinOp::OutputElement),
    ("node.remaining_levels", BuiltinOp::RemainingLevels),
    ("buffer.element", BuiltinOp::BufferElement),
    ("buffer.load", BuiltinOp::BufferLoad),
    ("buffer.size", BuiltinOp::BufferSize),
    ("buffer.increment", BuiltinOp::CounterIncrement),
    ("buffer.decrement", BuiltinOp::CounterDecrement),
    ("buffer.append", BuiltinOp::Append),
    ("buffer.consume", BuiltinOp::Consume),
    ("heap.element", BuiltinOp::HeapElement),
    ("resource.non_uniform", BuiltinOp::NonUniform),
    ("raw.load", BuiltinOp::RawLoad),
    ("raw.store", BuiltinOp::RawStore),
    ("raw.size", BuiltinOp::RawSize),
    ("raw.atomic_add", BuiltinOp::RawAtomic(AtomicOp::Add)),
    ("raw.atomic_min", BuiltinOp::RawAtomic(AtomicOp::Min)),
    ("raw.atomic_max", BuiltinOp::RawAtomic(AtomicOp::Max)),
    ("raw.atomic_signed_min", BuiltinOp::RawAtomic(AtomicOp::SignedMin)),
    ("raw.atomic_signed_max", BuiltinOp::RawAtomic(AtomicOp::SignedMax)),
    ("raw.atomic_and", BuiltinOp::RawAtomic(AtomicOp::And)),
    ("raw.atomic_or", BuiltinOp::RawAtomic(AtomicOp::Or)),
    ("raw.atomic_xor", BuiltinOp::RawAtomic(AtomicOp::Xor)),
    ("raw.atomic_exchange", BuiltinOp::RawAtomic(AtomicOp::Exchange)),
    ("raw.atomic_compare_exchange", BuiltinOp::RawAtomic(AtomicOp::CompareExchange)),
    ("raw.atomic_compare_store", BuiltinOp::RawCompareStore),
    ("raw.wide_add", BuiltinOp::WideAtomic(AtomicOp::Add)),
    ("raw.wide_min", BuiltinOp::WideAtomic(AtomicOp::Min)),
    ("raw.wide_max", BuiltinOp::WideAtomic(AtomicOp::Max)),
    ("raw.wide_signed_min", BuiltinOp::WideAtomic(AtomicOp::SignedMin)),
    ("raw.wide_signed_max", BuiltinOp::WideAtomic(AtomicOp::SignedMax)),
    ("raw.wide_and", BuiltinOp::WideAtomic(AtomicOp::And)),
    ("raw.wide_or", BuiltinOp::WideAtomic(AtomicOp::Or)),
    ("raw.wide_xor", BuiltinOp::WideAtomic(AtomicOp::Xor)),
    ("raw.wide_exchange", BuiltinOp::WideAtomic(AtomicOp::Exchange)),
    ("raw.wide_compare_exchange", BuiltinOp::WideAtomic(AtomicOp::CompareExchange)),
    ("raw.wide_compare_store", BuiltinOp::WideCompareStore),
    ("image.texel", BuiltinOp::ImageTexel),
    ("image.mip_texel", BuiltinOp::ImageMipTexel),
    ("image.sample_texel", BuiltinOp::ImageSampleTexel),
    ("image.load", BuiltinOp::ImageLoad),
    ("image.sample", sample(false, SampleLod::Implicit)),
    ("image.sample_bias", sample(false, SampleLod::Bias)),
    ("image.sample_level", sample(false, SampleLod::Level)),
    ("image.sample_grad", sample(false, SampleLod::Gradient)),
    ("image.compare", sample(true, SampleLod::Implicit)),
    ("image.compare_bias", sample(true, SampleLod::Bias)),
    ("image.compare_level", sample(true, SampleLod::Level)),
    ("image.compare_zero", sample(true, SampleLod::Zero)),
    ("image.compare_grad", sample(true, SampleLod::Gradient)),
    ("image.gather_red", gather(0, false)),
    ("image.gather_green", gather(1, false)),
    ("image.gather_blue", gather(2, false)),
    ("image.gather_alpha", gather(3, false)),
    ("image.gather_compare_red", gather(0, true)),
    ("image.gather_compare_green", gather(1, true)),
    ("image.gather_compare_blue", gather(2, true)),
    ("image.gather_compare_alpha", gather(3, true)),
    ("image.gather_raw", BuiltinOp::ImageGatherRaw),
    ("image.lod", BuiltinOp::ImageLod { unclamped: false }),
    ("image.lod_unclamped", BuiltinOp::ImageLod { unclamped: true }),
    ("image.size", BuiltinOp::ImageSize(SizeExtra::Nothing)),
    ("image.size_level", BuiltinOp::ImageSize(SizeExtra::Levels)),
    ("image.size_samples", BuiltinOp::ImageSize(SizeExtra::Samples)),
    ("image.sample_position", BuiltinOp::ImageSamplePosition),
    ("image.resident", BuiltinOp::ImageResident),
    ("ray.trace", BuiltinOp::RayTrace),
    ("ray.abort", BuiltinOp::RayCommand(RayCommand::Abort)),
    ("ray.commit_triangle", BuiltinOp::RayCommand(RayCommand::CommitTriangle)),
    ("ray.commit_procedural", BuiltinOp::RayCommand(RayCommand::CommitProcedural)),
    ("ray.candidate_non_opaque", BuiltinOp::RayNonOpaque),
    ("ray.proceed", BuiltinOp::RayQuestion(RayQuestion::Proceed)),
    ("ray.flags", BuiltinOp::RayQuestion(RayQuestion::Flags)),
    ("ray.t_min", BuiltinOp::RayQuestion(RayQuestion::TMin)),
    ("ray.world_origin", BuiltinOp::RayQuestion(RayQuestion::WorldOrigin)),
    ("ray.world_direction", BuiltinOp::RayQuestion(RayQuestion::WorldDirection)),
    ("ray.candidate_kind", candidate(HitPart::Kind)),
    ("ray.candidate_t", candidate(HitPart::T)),
    ("ray.candidate_front_face", candidate(HitPart::FrontFace)),
    ("ray.candidate_barycentrics", candidate(HitPart::Barycentrics)),
    ("ray.candidate_instance_index", candidate(HitPart::InstanceIndex)),
    ("ray.candidate_instance_id", candidate(HitPart::InstanceId)),
    ("ray.candidate_hit_group", candidate(HitPart::HitGroup)),
    ("ray.candidate_geometry_index", candidate(HitPart::GeometryIndex)),
    ("ray.candidate_primitive_index", candidate(HitPart::PrimitiveIndex)),
    ("ray.candidate_object_origin", candidate(HitPart::ObjectOrigin)),
    ("ray.candidate_object_direction", candidate(HitPart::ObjectDirection)),
    ("ray.candidate_object_to_world", candidate(HitPart::ObjectToWorld)),
    ("ray.candidate_world_to_object", candidate(HitPart::WorldToObject)),
    ("ray.committed_kind", committed(HitPart::Kind)),
    ("ray.committed_t", committed(HitPart::T)),
    ("ray.committed_front_face", committed(HitPart::FrontFace)),
    ("ray.committed_barycentrics", committed(HitPart::Barycentrics)),
    ("ray.committed_instance_index", committed(HitPart::InstanceIndex)),
    ("ray.committed_instance_id", committed(HitPart::InstanceId)),
    ("ray.committed_hit_group", committed(HitPart::HitGroup)),
    ("ray.committed_geometry_index", committed(HitPart::GeometryIndex)),
    ("ray.committed_primitive_index", committed(HitPart::PrimitiveIndex)),
    ("ray.committed_object_origin", committed(HitPart::ObjectOrigin)),
    ("ray.committed_object_direction", committed(HitPart::ObjectDirection)),
    ("ray.committed_object_to_world", committed(HitPart::ObjectToWorld)),
    ("ray.committed_world_to_object", committed(HitPart::WorldToObject)),
    ("atomic.add", BuiltinOp::Atomic(AtomicOp::Add)),
    ("atomic.min", BuiltinOp::Atomic(AtomicOp::Min)),
    ("atomic.max", BuiltinOp::Atomic(AtomicOp::Max)),
    ("atomic.and", BuiltinOp::Atomic(AtomicOp::And)),
    ("atomic.or", BuiltinOp::Atomic(AtomicOp::Or)),
    ("atomic.xor", BuiltinOp::Atomic(AtomicOp::Xor)),
    ("atomic.exchange", BuiltinOp::Atomic(AtomicOp::Exchange)),
    ("atomic.compare_exchange", BuiltinOp::Atomic(AtomicOp::CompareExchange)),
    ("atomic.compare_store", BuiltinOp::CompareStore),
    ("barrier.memory", BuiltinOp::BarrierMemory),
    ("barrier.object", BuiltinOp::BarrierObject),
    // SPEC 4490: the legacy intrinsics as flags.
    (
        "barrier.all",
        BuiltinOp::Barrier { memory: memory::UAV | memory::GROUP_SHARED, semantics: semantics::DEVICE_SCOPE },
    ),
    (
        "barrier.all_sync",
        BuiltinOp::Barrier {
            memory: memory::UAV | memory::GROUP_SHARED,
            semantics: semantics::DEVICE_SCOPE | semantics::GROUP_SYNC,
        },
    ),
    ("barrier.device", BuiltinOp::Barrier { memory: memory::UAV, semantics: semantics::DEVICE_SCOPE }),
    (
        "barrier.device_sync",
        BuiltinOp::Barrier { memory: memory::UAV, semantics: semantics::DEVICE_SCOPE | semantics::GROUP_SYNC },
    ),
    ("barrier.group", BuiltinOp::Barrier { memory: memory::GROUP_SHARED, semantics: semantics::GROUP_SCOPE }),
    (
        "barrier.group_sync",
        BuiltinOp::Barrier { memory: memory::GROUP_SHARED, semantics: semantics::GROUP_SCOPE | semantics::GROUP_SYNC },
    ),
    ("wave.size", BuiltinOp::Builtin(Builtin::SubgroupSize)),
    ("wave.lane", BuiltinOp::Builtin(Builtin::SubgroupLane)),
    ("wave.index", BuiltinOp::Builtin(Builtin::SubgroupId)),
    ("wave.count", BuiltinOp::Builtin(Builtin::NumSubgroups)),
    ("wave.elect", BuiltinOp::Subgroup(SubgroupOp::Elect)),
    ("wave.any", BuiltinOp::Subgroup(SubgroupOp::Any)),
    ("wave.all", BuiltinOp::Subgroup(SubgroupOp::All)),
    ("wave.ballot", BuiltinOp::Subgroup(SubgroupOp::Ballot)),
    ("wave.shuffle", BuiltinOp::Subgroup(SubgroupOp::Shuffle)),
    ("wave.first", BuiltinOp::Subgroup(SubgroupOp::BroadcastFirst)),
    ("wave.add", BuiltinOp::Subgroup(SubgroupOp::Add)),
    ("wave.exclusive_add", BuiltinOp::Subgroup(SubgroupOp::ExclusiveAdd)),
    ("wave.min", BuiltinOp::Subgroup(SubgroupOp::Min)),
    ("wave.max", BuiltinOp::Subgroup(SubgroupOp::Max)),
    ("wave.product", BuiltinOp::Subgroup(SubgroupOp::Mul)),
    ("wave.exclusive_product", BuiltinOp::Subgroup(SubgroupOp::ExclusiveMul)),
    ("wave.bit_and", BuiltinOp::Subgroup(SubgroupOp::BitAnd)),
    ("wave.bit_or", BuiltinOp::Subgroup(SubgroupOp::BitOr)),
    ("wave.bit_xor", BuiltinOp::Subgroup(SubgroupOp::BitXor)),
    ("wave.all_equal", BuiltinOp::Subgroup(SubgroupOp::AllEqual)),
    ("quad.lane", BuiltinOp::Subgroup(SubgroupOp::QuadBroadcast)),
    ("quad.x", BuiltinOp::Subgroup(SubgroupOp::QuadSwapX)),
    ("quad.y", BuiltinOp::Subgroup(SubgroupOp::QuadSwapY)),
    ("quad.diagonal", BuiltinOp::Subgroup(SubgroupOp::QuadSwapDiagonal)),
    ("quad.ddx", BuiltinOp::Subgroup(SubgroupOp::Ddx)),
    ("quad.ddy", BuiltinOp::Subgroup(SubgroupOp::Ddy)),
    ("quad.ddx_coarse", BuiltinOp::Subgroup(SubgroupOp::DdxCoarse)),
    ("quad.ddy_coarse", BuiltinOp::Subgroup(SubgroupOp::DdyCoarse)),
    ("quad.ddx_fine", BuiltinOp::Subgroup(SubgroupOp::DdxFine)),
    ("quad.ddy_fine", BuiltinOp::Subgroup(SubgroupOp::DdyFine)),
    ("quad.fwidth", BuiltinOp::Subgroup(SubgroupOp::Fwidth)),
    ("address.place", BuiltinOp::AddressPlace),
    // The namespace `wgc`, for the device library; `load` and `store` also have names in `vk`.
    ("load", BuiltinOp::AddressLoad { coherent: false }),
    ("load_coherent", BuiltinOp::AddressLoad { coherent: true }),
    ("store", BuiltinOp::AddressStore { coherent: false }),
    ("store_coherent", BuiltinOp::AddressStore { coherent: true }),
    ("atomic_add", atomic(AtomicOp::Add)),
    ("atomic_or", atomic(AtomicOp::Or)),
    ("atomic_compare_exchange", atomic(AtomicOp::CompareExchange)),
    ("atomic_add_acq_rel", BuiltinOp::AddressAtomic { op: AtomicOp::Add, order: MemoryOrder::AcquireRelease }),
    ("num_workgroups", BuiltinOp::Builtin(Builtin::NumWorkgroups)),
    ("workgroup_id", BuiltinOp::Builtin(Builtin::GroupId)),
    ("debug.print", BuiltinOp::Print),
    ("debug.break", BuiltinOp::DebugBreak),
    ("stage.pixel", BuiltinOp::OtherStage(Stages::PIXEL)),
    ("stage.geometry", BuiltinOp::OtherStage(Stages("geometry shaders"))),
    ("stage.patch", BuiltinOp::OtherStage(Stages("hull, domain and geometry shaders"))),
    ("stage.hull", BuiltinOp::OtherStage(Stages("hull shaders"))),
    ("mesh.counts", BuiltinOp::MeshCounts),
    ("stage.amplification", BuiltinOp::OtherStage(Stages("amplification shaders"))),
    ("stage.ray_tracing", BuiltinOp::OtherStage(Stages("ray tracing shaders"))),
    ("stage.effects", BuiltinOp::OtherStage(Stages("Direct3D 9 effects"))),
    ("lacking.feedback", BuiltinOp::Lacking("SPIR-V has no sampler feedback")),
];

impl BuiltinOp {
    /// Returns whether the result is a texel of an image, as a place.
    pub fn is_texel(self) -> bool {
        matches!(self, BuiltinOp::ImageTexel | BuiltinOp::ImageMipTexel | BuiltinOp::ImageSampleTexel)
    }

    /// Returns whether the operation compares the threads of a quad.
    pub fn needs_derivatives(self) -> bool {
        match self {
            BuiltinOp::ImageLod { .. } | BuiltinOp::ImageSample { lod: SampleLod::Implicit | SampleLod::Bias, .. } => {
                true
            }
            BuiltinOp::Subgroup(op) => op.is_derivative(),
            _ => false,
        }
    }
}

/// Finds an operation by name.
pub fn find(name: &str) -> Option<BuiltinOp> {
    OPS.iter().find(|(n, _)| *n == name).map(|&(_, op)| op)
}
