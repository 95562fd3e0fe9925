//! Which capability each instruction and each value of an enumeration asks for, and what capabilities bring along: data
//! only, from the machine-readable grammar of the Khronos registry. A test compares every row with rspirv's copy.

use crate::grammar::EnumKind;
use spirv::{Capability as C, Op};

/// Instructions by the capabilities of which one must be declared.
#[rustfmt::skip]
pub(super) const INSTRUCTIONS: &[(&[C], &[Op])] = &[
    (&[C::Matrix], &[
        Op::TypeMatrix, Op::Transpose, Op::MatrixTimesScalar, Op::VectorTimesMatrix, Op::MatrixTimesVector,
        Op::MatrixTimesMatrix, Op::OuterProduct,
    ]),
    (&[C::Shader], &[
        Op::TypeRuntimeArray, Op::ArrayLength, Op::ImageSampleImplicitLod, Op::ImageSampleDrefImplicitLod,
        Op::ImageSampleDrefExplicitLod, Op::ImageSampleProjImplicitLod, Op::ImageSampleProjExplicitLod,
        Op::ImageSampleProjDrefImplicitLod, Op::ImageSampleProjDrefExplicitLod, Op::ImageGather, Op::ImageDrefGather,
        Op::QuantizeToF16, Op::DPdx, Op::DPdy, Op::Fwidth, Op::Kill, Op::TerminateInvocation,
    ]),
    (&[C::Kernel], &[
        Op::TypeOpaque, Op::GenericPtrMemSemantics, Op::ImageQueryFormat, Op::ImageQueryOrder, Op::SatConvertSToU,
        Op::SatConvertUToS, Op::PtrCastToGeneric, Op::GenericCastToPtr, Op::GenericCastToPtrExplicit, Op::IsFinite,
        Op::IsNormal, Op::SignBitSet, Op::LessOrGreater, Op::Ordered, Op::Unordered, Op::AtomicCompareExchangeWeak,
        Op::LifetimeStart, Op::LifetimeStop, Op::GroupAsyncCopy, Op::AtomicFlagTestAndSet, Op::AtomicFlagClear,
    ]),
    (&[C::Pipes], &[
        Op::TypeReserveId, Op::IsValidReserveId,
    ]),
    (&[C::DeviceEnqueue], &[
        Op::TypeQueue, Op::EnqueueMarker, Op::EnqueueKernel, Op::GetKernelNDrangeSubGroupCount,
        Op::GetKernelNDrangeMaxSubGroupSize, Op::GetKernelWorkGroupSize, Op::GetKernelPreferredWorkGroupSizeMultiple,
        Op::GetDefaultQueue, Op::BuildNDRange,
    ]),
    (&[C::Addresses, C::PhysicalStorageBufferAddresses], &[
        Op::TypeForwardPointer, Op::ConvertPtrToU, Op::ConvertUToPtr,
    ]),
    (&[C::Addresses, C::UntypedPointersKHR], &[
        Op::CopyMemorySized,
    ]),
    (&[C::Addresses, C::VariablePointers, C::VariablePointersStorageBuffer, C::PhysicalStorageBufferAddresses], &[
        Op::PtrAccessChain,
    ]),
    (&[C::Addresses], &[
        Op::InBoundsPtrAccessChain, Op::SizeOf,
    ]),
    (&[C::Kernel, C::ImageQuery], &[
        Op::ImageQuerySizeLod, Op::ImageQuerySize, Op::ImageQueryLevels, Op::ImageQuerySamples,
    ]),
    (&[C::ImageQuery], &[
        Op::ImageQueryLod,
    ]),
    (&[C::Shader, C::BitInstructions], &[
        Op::BitFieldInsert, Op::BitFieldSExtract, Op::BitFieldUExtract, Op::BitReverse,
    ]),
    (&[C::DerivativeControl], &[
        Op::DPdxFine, Op::DPdyFine, Op::FwidthFine, Op::DPdxCoarse, Op::DPdyCoarse, Op::FwidthCoarse,
    ]),
    (&[C::Geometry], &[
        Op::EmitVertex, Op::EndPrimitive,
    ]),
    (&[C::GeometryStreams], &[
        Op::EmitStreamVertex, Op::EndStreamPrimitive,
    ]),
    (&[C::Groups], &[
        Op::GroupAll, Op::GroupAny, Op::GroupBroadcast, Op::GroupIAdd, Op::GroupFAdd, Op::GroupFMin, Op::GroupUMin,
        Op::GroupSMin, Op::GroupFMax, Op::GroupUMax, Op::GroupSMax,
    ]),
    (&[C::SparseResidency], &[
        Op::ImageSparseSampleImplicitLod, Op::ImageSparseSampleExplicitLod, Op::ImageSparseSampleDrefImplicitLod,
        Op::ImageSparseSampleDrefExplicitLod, Op::ImageSparseSampleProjImplicitLod,
        Op::ImageSparseSampleProjExplicitLod, Op::ImageSparseSampleProjDrefImplicitLod,
        Op::ImageSparseSampleProjDrefExplicitLod, Op::ImageSparseFetch, Op::ImageSparseGather,
        Op::ImageSparseDrefGather, Op::ImageSparseTexelsResident, Op::ImageSparseRead,
    ]),
    (&[C::SubgroupDispatch], &[
        Op::GetKernelLocalSizeForSubgroupCount, Op::GetKernelMaxNumSubgroups,
    ]),
    (&[C::NamedBarrier], &[
        Op::TypeNamedBarrier, Op::NamedBarrierInitialize, Op::MemoryNamedBarrier,
    ]),
    (&[C::GroupNonUniform], &[
        Op::GroupNonUniformElect,
    ]),
    (&[C::GroupNonUniformVote], &[
        Op::GroupNonUniformAll, Op::GroupNonUniformAny, Op::GroupNonUniformAllEqual,
    ]),
    (&[C::GroupNonUniformBallot], &[
        Op::GroupNonUniformBroadcast, Op::GroupNonUniformBroadcastFirst, Op::GroupNonUniformBallot,
        Op::GroupNonUniformInverseBallot, Op::GroupNonUniformBallotBitExtract, Op::GroupNonUniformBallotBitCount,
        Op::GroupNonUniformBallotFindLSB, Op::GroupNonUniformBallotFindMSB,
    ]),
    (&[C::GroupNonUniformShuffle], &[
        Op::GroupNonUniformShuffle, Op::GroupNonUniformShuffleXor,
    ]),
    (&[C::GroupNonUniformShuffleRelative], &[
        Op::GroupNonUniformShuffleUp, Op::GroupNonUniformShuffleDown,
    ]),
    (&[C::GroupNonUniformArithmetic, C::GroupNonUniformClustered, C::GroupNonUniformPartitionedEXT], &[
        Op::GroupNonUniformIAdd, Op::GroupNonUniformFAdd, Op::GroupNonUniformIMul, Op::GroupNonUniformFMul,
        Op::GroupNonUniformSMin, Op::GroupNonUniformUMin, Op::GroupNonUniformFMin, Op::GroupNonUniformSMax,
        Op::GroupNonUniformUMax, Op::GroupNonUniformFMax, Op::GroupNonUniformBitwiseAnd,
        Op::GroupNonUniformBitwiseOr, Op::GroupNonUniformBitwiseXor, Op::GroupNonUniformLogicalAnd,
        Op::GroupNonUniformLogicalOr, Op::GroupNonUniformLogicalXor,
    ]),
    (&[C::GroupNonUniformQuad], &[
        Op::GroupNonUniformQuadBroadcast, Op::GroupNonUniformQuadSwap,
    ]),
    (&[C::Addresses, C::VariablePointers, C::VariablePointersStorageBuffer], &[
        Op::PtrDiff,
    ]),
    (&[C::TileImageColorReadAccessEXT], &[
        Op::ColorAttachmentReadEXT,
    ]),
    (&[C::TileImageDepthReadAccessEXT], &[
        Op::DepthAttachmentReadEXT,
    ]),
    (&[C::TileImageStencilReadAccessEXT], &[
        Op::StencilAttachmentReadEXT,
    ]),
    (&[C::UntypedPointersKHR], &[
        Op::TypeUntypedPointerKHR, Op::UntypedVariableKHR, Op::UntypedAccessChainKHR,
        Op::UntypedInBoundsAccessChainKHR, Op::UntypedPtrAccessChainKHR, Op::UntypedInBoundsPtrAccessChainKHR,
        Op::UntypedArrayLengthKHR, Op::UntypedPrefetchKHR, Op::UntypedGroupAsyncCopyKHR,
    ]),
    (&[C::SubgroupBallotKHR], &[
        Op::SubgroupBallotKHR, Op::SubgroupFirstInvocationKHR, Op::SubgroupReadInvocationKHR,
    ]),
    (&[C::FMAKHR], &[
        Op::FmaKHR,
    ]),
    (&[C::SubgroupVoteKHR], &[
        Op::SubgroupAllKHR, Op::SubgroupAnyKHR, Op::SubgroupAllEqualKHR,
    ]),
    (&[C::GroupNonUniformRotateKHR], &[
        Op::GroupNonUniformRotateKHR,
    ]),
    (&[C::RayTracingKHR], &[
        Op::TraceRayKHR, Op::ExecuteCallableKHR, Op::IgnoreIntersectionKHR, Op::TerminateRayKHR,
    ]),
    (&[C::RayTracingKHR, C::RayQueryKHR], &[
        Op::ConvertUToAccelerationStructureKHR,
    ]),
    (&[C::DotProduct], &[
        Op::SDot, Op::UDot, Op::SUDot, Op::SDotAccSat, Op::UDotAccSat, Op::SUDotAccSat,
    ]),
    (&[C::CooperativeMatrixKHR], &[
        Op::TypeCooperativeMatrixKHR, Op::CooperativeMatrixLoadKHR, Op::CooperativeMatrixStoreKHR,
        Op::CooperativeMatrixLengthKHR,
    ]),
    (&[C::ReplicatedCompositesEXT], &[
        Op::ConstantCompositeReplicateEXT, Op::SpecConstantCompositeReplicateEXT, Op::CompositeConstructReplicateEXT,
    ]),
    (&[C::RayQueryKHR], &[
        Op::TypeRayQueryKHR, Op::RayQueryInitializeKHR, Op::RayQueryTerminateKHR,
        Op::RayQueryGenerateIntersectionKHR, Op::RayQueryConfirmIntersectionKHR, Op::RayQueryProceedKHR,
        Op::RayQueryGetIntersectionTypeKHR, Op::RayQueryGetRayTMinKHR, Op::RayQueryGetRayFlagsKHR,
        Op::RayQueryGetIntersectionTKHR, Op::RayQueryGetIntersectionInstanceCustomIndexKHR,
        Op::RayQueryGetIntersectionInstanceIdKHR,
        Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR,
        Op::RayQueryGetIntersectionGeometryIndexKHR, Op::RayQueryGetIntersectionPrimitiveIndexKHR,
        Op::RayQueryGetIntersectionBarycentricsKHR, Op::RayQueryGetIntersectionFrontFaceKHR,
        Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR, Op::RayQueryGetIntersectionObjectRayDirectionKHR,
        Op::RayQueryGetIntersectionObjectRayOriginKHR, Op::RayQueryGetWorldRayDirectionKHR,
        Op::RayQueryGetWorldRayOriginKHR, Op::RayQueryGetIntersectionObjectToWorldKHR,
        Op::RayQueryGetIntersectionWorldToObjectKHR,
    ]),
    (&[C::ShaderClockKHR], &[
        Op::ReadClockKHR,
    ]),
    (&[C::ShaderEnqueueAMDX], &[
        Op::AllocateNodePayloadsAMDX, Op::EnqueueNodePayloadsAMDX, Op::TypeNodePayloadArrayAMDX,
        Op::FinishWritingNodePayloadAMDX, Op::NodePayloadArrayLengthAMDX, Op::IsNodePayloadValidAMDX,
        Op::ConstantStringAMDX, Op::SpecConstantStringAMDX,
    ]),
    (&[C::QuadControlKHR], &[
        Op::GroupNonUniformQuadAllKHR, Op::GroupNonUniformQuadAnyKHR,
    ]),
    (&[C::DescriptorHeapEXT], &[
        Op::TypeBufferEXT, Op::BufferPointerEXT, Op::UntypedImageTexelPointerEXT, Op::MemberDecorateIdEXT,
        Op::ConstantSizeOfEXT,
    ]),
    (&[C::CooperativeVectorNV, C::LongVectorEXT], &[
        Op::TypeVectorIdEXT,
    ]),
    (&[C::MeshShadingEXT], &[
        Op::EmitMeshTasksEXT, Op::SetMeshOutputsEXT,
    ]),
    (&[C::GroupNonUniformPartitionedEXT], &[
        Op::GroupNonUniformPartitionEXT,
    ]),
    (&[C::ShaderInvocationReorderEXT], &[
        Op::HitObjectRecordFromQueryEXT, Op::HitObjectRecordMissEXT,
        Op::HitObjectGetIntersectionTriangleVertexPositionsEXT, Op::HitObjectGetRayFlagsEXT,
        Op::HitObjectSetShaderBindingTableRecordIndexEXT, Op::HitObjectReorderExecuteShaderEXT,
        Op::HitObjectTraceReorderExecuteEXT, Op::TypeHitObjectEXT, Op::ReorderThreadWithHintEXT,
        Op::ReorderThreadWithHitObjectEXT, Op::HitObjectTraceRayEXT, Op::HitObjectRecordEmptyEXT,
        Op::HitObjectExecuteShaderEXT, Op::HitObjectGetAttributesEXT, Op::HitObjectGetHitKindEXT,
        Op::HitObjectGetPrimitiveIndexEXT, Op::HitObjectGetGeometryIndexEXT, Op::HitObjectGetInstanceIdEXT,
        Op::HitObjectGetInstanceCustomIndexEXT, Op::HitObjectGetObjectRayOriginEXT,
        Op::HitObjectGetObjectRayDirectionEXT, Op::HitObjectGetWorldRayDirectionEXT,
        Op::HitObjectGetWorldRayOriginEXT, Op::HitObjectGetObjectToWorldEXT, Op::HitObjectGetWorldToObjectEXT,
        Op::HitObjectGetRayTMaxEXT, Op::HitObjectGetRayTMinEXT, Op::HitObjectGetShaderBindingTableRecordIndexEXT,
        Op::HitObjectGetShaderRecordBufferHandleEXT, Op::HitObjectIsEmptyEXT, Op::HitObjectIsHitEXT,
        Op::HitObjectIsMissEXT,
    ]),
    (&[C::ShaderInvocationReorderEXT, C::RayTracingMotionBlurNV], &[
        Op::HitObjectRecordMissMotionEXT, Op::HitObjectTraceMotionReorderExecuteEXT, Op::HitObjectTraceRayMotionEXT,
        Op::HitObjectGetCurrentTimeEXT,
    ]),
    (&[C::RayTracingNV, C::RayTracingKHR], &[
        Op::ReportIntersectionKHR,
    ]),
    (&[C::RayQueryPositionFetchKHR], &[
        Op::RayQueryGetIntersectionTriangleVertexPositionsKHR,
    ]),
    (&[C::RayTracingNV, C::RayTracingKHR, C::RayQueryKHR, C::DisplacementMicromapNV], &[
        Op::TypeAccelerationStructureKHR,
    ]),
    (&[C::FragmentShaderSampleInterlockEXT, C::FragmentShaderPixelInterlockEXT, C::FragmentShaderShadingRateInterlockEXT], &[
        Op::BeginInvocationInterlockEXT, Op::EndInvocationInterlockEXT,
    ]),
    (&[C::DemoteToHelperInvocation], &[
        Op::DemoteToHelperInvocation, Op::IsHelperInvocationEXT,
    ]),
    (&[C::AtomicFloat16MinMaxEXT, C::AtomicFloat32MinMaxEXT, C::AtomicFloat64MinMaxEXT, C::AtomicFloat16VectorNV], &[
        Op::AtomicFMinEXT, Op::AtomicFMaxEXT,
    ]),
    (&[C::ExpectAssumeKHR], &[
        Op::AssumeTrueKHR, Op::ExpectKHR,
    ]),
    (&[C::AtomicFloat16AddEXT, C::AtomicFloat32AddEXT, C::AtomicFloat64AddEXT, C::AtomicFloat16VectorNV], &[
        Op::AtomicFAddEXT,
    ]),
    (&[C::ArithmeticFenceEXT], &[
        Op::ArithmeticFenceEXT,
    ]),
    (&[C::GroupUniformArithmeticKHR], &[
        Op::GroupIMulKHR, Op::GroupFMulKHR, Op::GroupBitwiseAndKHR, Op::GroupBitwiseOrKHR, Op::GroupBitwiseXorKHR,
        Op::GroupLogicalAndKHR, Op::GroupLogicalOrKHR, Op::GroupLogicalXorKHR,
    ]),
];

/// Values of enumerations, and bits of masks, by the capabilities of which one must be declared.
#[rustfmt::skip]
pub(super) const ENUMERANTS: &[(EnumKind, &[C], &[u32])] = &[
    (EnumKind::ExecutionModel, &[C::Shader], &[0, 4, 5]),
    (EnumKind::ExecutionModel, &[C::Tessellation], &[1, 2]),
    (EnumKind::ExecutionModel, &[C::Geometry], &[3]),
    (EnumKind::ExecutionModel, &[C::Kernel], &[6]),
    (EnumKind::ExecutionModel, &[C::RayTracingNV, C::RayTracingKHR], &[5313, 5314, 5315, 5316, 5317, 5318]),
    (EnumKind::ExecutionModel, &[C::MeshShadingEXT], &[5364, 5365]),
    (EnumKind::AddressingModel, &[C::Addresses], &[1, 2]),
    (EnumKind::AddressingModel, &[C::PhysicalStorageBufferAddresses], &[5348]),
    (EnumKind::MemoryModel, &[C::Shader], &[0, 1]),
    (EnumKind::MemoryModel, &[C::Kernel], &[2]),
    (EnumKind::MemoryModel, &[C::VulkanMemoryModel], &[3]),
    (EnumKind::ExecutionMode, &[C::Geometry], &[0, 19, 20, 21, 23, 28, 29]),
    (EnumKind::ExecutionMode, &[C::Tessellation], &[1, 2, 3, 4, 5, 10, 24, 25]),
    (EnumKind::ExecutionMode, &[C::Shader], &[6, 7, 8, 9, 12, 14, 15, 16, 4421, 5017, 6023]),
    (EnumKind::ExecutionMode, &[C::TransformFeedback], &[11]),
    (EnumKind::ExecutionMode, &[C::Kernel], &[18, 30, 31, 33, 34, 39]),
    (EnumKind::ExecutionMode, &[C::Geometry, C::Tessellation], &[22]),
    (EnumKind::ExecutionMode, &[C::Geometry, C::Tessellation, C::MeshShadingNV, C::MeshShadingEXT], &[26]),
    (EnumKind::ExecutionMode, &[C::Geometry, C::MeshShadingNV, C::MeshShadingEXT], &[27]),
    (EnumKind::ExecutionMode, &[C::SubgroupDispatch], &[35, 36, 37]),
    (EnumKind::ExecutionMode, &[C::TileImageColorReadAccessEXT], &[4169]),
    (EnumKind::ExecutionMode, &[C::TileImageDepthReadAccessEXT], &[4170]),
    (EnumKind::ExecutionMode, &[C::TileImageStencilReadAccessEXT], &[4171]),
    (EnumKind::ExecutionMode, &[C::SampleMaskPostDepthCoverage], &[4446]),
    (EnumKind::ExecutionMode, &[C::DenormPreserve], &[4459]),
    (EnumKind::ExecutionMode, &[C::DenormFlushToZero], &[4460]),
    (EnumKind::ExecutionMode, &[C::SignedZeroInfNanPreserve], &[4461]),
    (EnumKind::ExecutionMode, &[C::RoundingModeRTE], &[4462]),
    (EnumKind::ExecutionMode, &[C::RoundingModeRTZ], &[4463]),
    (EnumKind::ExecutionMode, &[C::StencilExportEXT], &[5027, 5079, 5080, 5081, 5082, 5083, 5084]),
    (EnumKind::ExecutionMode, &[C::ShaderEnqueueAMDX], &[5069, 5070, 5071, 5072, 5073, 5077, 5102]),
    (EnumKind::ExecutionMode, &[C::QuadControlKHR], &[5088, 5089]),
    (EnumKind::ExecutionMode, &[C::MeshShadingNV, C::MeshShadingEXT], &[5269, 5270, 5298]),
    (EnumKind::ExecutionMode, &[C::ComputeDerivativeGroupQuadsKHR], &[5289]),
    (EnumKind::ExecutionMode, &[C::ComputeDerivativeGroupLinearKHR], &[5290]),
    (EnumKind::ExecutionMode, &[C::FragmentShaderPixelInterlockEXT], &[5366, 5367]),
    (EnumKind::ExecutionMode, &[C::FragmentShaderSampleInterlockEXT], &[5368, 5369]),
    (EnumKind::ExecutionMode, &[C::FragmentShaderShadingRateInterlockEXT], &[5370, 5371]),
    (EnumKind::ExecutionMode, &[C::Shader64BitIndexingEXT], &[5427]),
    (EnumKind::ExecutionMode, &[C::FloatControls2], &[6028]),
    (EnumKind::StorageClass, &[C::Shader], &[2, 3, 9, 12]),
    (EnumKind::StorageClass, &[C::Shader, C::VectorComputeINTEL], &[6]),
    (EnumKind::StorageClass, &[C::GenericPointer], &[8]),
    (EnumKind::StorageClass, &[C::AtomicStorage], &[10]),
    (EnumKind::StorageClass, &[C::TileImageColorReadAccessEXT], &[4172]),
    (EnumKind::StorageClass, &[C::ShaderEnqueueAMDX], &[5068]),
    (EnumKind::StorageClass, &[C::RayTracingNV, C::RayTracingKHR], &[5328, 5329, 5338, 5339, 5342, 5343]),
    (EnumKind::StorageClass, &[C::PhysicalStorageBufferAddresses], &[5349]),
    (EnumKind::StorageClass, &[C::MeshShadingEXT], &[5402]),
    (EnumKind::StorageClass, &[C::ShaderInvocationReorderEXT], &[5411]),
    (EnumKind::Dim, &[C::Sampled1D], &[0]),
    (EnumKind::Dim, &[C::Shader], &[3]),
    (EnumKind::Dim, &[C::SampledRect], &[4]),
    (EnumKind::Dim, &[C::SampledBuffer], &[5]),
    (EnumKind::Dim, &[C::InputAttachment], &[6]),
    (EnumKind::Dim, &[C::TileImageColorReadAccessEXT], &[4173]),
    (EnumKind::ImageFormat, &[C::Shader], &[1, 2, 3, 4, 5, 21, 22, 23, 24, 30, 31, 32, 33]),
    (EnumKind::ImageFormat, &[C::StorageImageExtendedFormats], &[
        6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 25, 26, 27, 28, 29, 34, 35, 36, 37, 38, 39,
    ]),
    (EnumKind::ImageFormat, &[C::Int64ImageEXT], &[40, 41]),
    (EnumKind::Decoration, &[C::Shader], &[0, 2, 3, 6, 8, 9, 13, 14, 16, 18, 30, 31, 32, 33, 34, 35, 42]),
    (EnumKind::Decoration, &[C::Shader, C::Kernel], &[1]),
    (EnumKind::Decoration, &[C::Matrix], &[4, 5, 7]),
    (EnumKind::Decoration, &[C::Kernel], &[10, 22, 28, 38, 44, 46]),
    (EnumKind::Decoration, &[C::Tessellation], &[15]),
    (EnumKind::Decoration, &[C::SampleRateShading], &[17]),
    (EnumKind::Decoration, &[C::Shader, C::UniformDecoration], &[26, 27]),
    (EnumKind::Decoration, &[C::GeometryStreams], &[29]),
    (EnumKind::Decoration, &[C::TransformFeedback], &[36, 37]),
    (EnumKind::Decoration, &[C::Kernel, C::FloatControls2], &[40]),
    (EnumKind::Decoration, &[C::Linkage], &[41]),
    (EnumKind::Decoration, &[C::InputAttachment], &[43]),
    (EnumKind::Decoration, &[C::Addresses], &[45, 47]),
    (EnumKind::Decoration, &[C::Float8EXT], &[4216]),
    (EnumKind::Decoration, &[C::ShaderEnqueueAMDX], &[5019, 5020, 5078, 5091, 5098, 5099, 5100, 5105]),
    (EnumKind::Decoration, &[C::DescriptorHeapEXT], &[5124, 5125]),
    (EnumKind::Decoration, &[C::MeshShadingNV, C::MeshShadingEXT], &[5271]),
    (EnumKind::Decoration, &[C::FragmentBarycentricKHR], &[5285]),
    (EnumKind::Decoration, &[C::ShaderNonUniform], &[5300]),
    (EnumKind::Decoration, &[C::PhysicalStorageBufferAddresses], &[5355, 5356]),
    (EnumKind::Decoration, &[C::ShaderInvocationReorderEXT], &[5389]),
    (EnumKind::BuiltIn, &[C::Shader], &[0, 1, 5, 6, 15, 16, 17, 20, 22, 23, 42, 43]),
    (EnumKind::BuiltIn, &[C::ClipDistance], &[3]),
    (EnumKind::BuiltIn, &[C::CullDistance], &[4]),
    (EnumKind::BuiltIn, &[C::Geometry, C::Tessellation, C::RayTracingNV, C::RayTracingKHR, C::MeshShadingNV, C::MeshShadingEXT], &[
        7,
    ]),
    (EnumKind::BuiltIn, &[C::Geometry, C::Tessellation], &[8]),
    (EnumKind::BuiltIn, &[C::Geometry, C::ShaderLayer, C::ShaderViewportIndexLayerEXT, C::MeshShadingNV, C::MeshShadingEXT], &[
        9,
    ]),
    (EnumKind::BuiltIn, &[C::MultiViewport, C::ShaderViewportIndex, C::ShaderViewportIndexLayerEXT, C::MeshShadingNV, C::MeshShadingEXT], &[
        10,
    ]),
    (EnumKind::BuiltIn, &[C::Tessellation], &[11, 12, 13, 14]),
    (EnumKind::BuiltIn, &[C::SampleRateShading], &[18, 19]),
    (EnumKind::BuiltIn, &[C::Kernel], &[30, 31, 32, 33, 34, 37, 39]),
    (EnumKind::BuiltIn, &[C::Kernel, C::GroupNonUniform, C::SubgroupBallotKHR], &[36, 41]),
    (EnumKind::BuiltIn, &[C::Kernel, C::GroupNonUniform], &[38, 40]),
    (EnumKind::BuiltIn, &[C::SubgroupBallotKHR, C::GroupNonUniformBallot], &[4416, 4417, 4418, 4419, 4420]),
    (EnumKind::BuiltIn, &[C::DrawParameters], &[4424, 4425]),
    (EnumKind::BuiltIn, &[C::DrawParameters, C::MeshShadingNV, C::MeshShadingEXT], &[4426]),
    (EnumKind::BuiltIn, &[C::FragmentShadingRateKHR], &[4432, 4444]),
    (EnumKind::BuiltIn, &[C::DeviceGroup], &[4438]),
    (EnumKind::BuiltIn, &[C::MultiView], &[4440]),
    (EnumKind::BuiltIn, &[C::StencilExportEXT], &[5014]),
    (EnumKind::BuiltIn, &[C::ShaderEnqueueAMDX], &[5021, 5073]),
    (EnumKind::BuiltIn, &[C::DescriptorHeapEXT], &[5122, 5123]),
    (EnumKind::BuiltIn, &[C::FragmentFullyCoveredEXT], &[5264]),
    (EnumKind::BuiltIn, &[C::FragmentBarycentricKHR], &[5286, 5287]),
    (EnumKind::BuiltIn, &[C::FragmentDensityEXT], &[5292, 5293]),
    (EnumKind::BuiltIn, &[C::MeshShadingEXT], &[5294, 5295, 5296, 5299]),
    (EnumKind::BuiltIn, &[C::RayTracingNV, C::RayTracingKHR], &[
        5319, 5320, 5321, 5322, 5323, 5324, 5325, 5326, 5327, 5330, 5331, 5333, 5351,
    ]),
    (EnumKind::BuiltIn, &[C::RayTracingPositionFetchKHR], &[5335]),
    (EnumKind::BuiltIn, &[C::RayTracingKHR], &[5352]),
    (EnumKind::BuiltIn, &[C::RayCullMaskKHR], &[6021]),
    (EnumKind::GroupOperation, &[C::Kernel, C::GroupNonUniformArithmetic, C::GroupNonUniformBallot], &[0, 1, 2]),
    (EnumKind::GroupOperation, &[C::GroupNonUniformClustered], &[3]),
    (EnumKind::GroupOperation, &[C::GroupNonUniformPartitionedEXT], &[6, 7, 8]),
    (EnumKind::MemoryAccess, &[C::VulkanMemoryModel], &[8, 16, 32]),
    (EnumKind::ImageOperands, &[C::Shader], &[1]),
    (EnumKind::ImageOperands, &[C::ImageGatherExtended], &[16, 32]),
    (EnumKind::ImageOperands, &[C::MinLod], &[128]),
    (EnumKind::ImageOperands, &[C::VulkanMemoryModel], &[256, 512, 1024, 2048]),
];

/// A capability, those it declares implicitly, the extensions of which one must be declared for it, and the minor version
/// of SPIR-V from which on it needs none (`NEVER`: always one).
pub(super) struct Row {
    pub capability: C,
    pub implies: &'static [C],
    pub extensions: &'static [&'static str],
    pub core_since: u8,
}

const NEVER: u8 = u8::MAX;

const fn row(capability: C, implies: &'static [C], extensions: &'static [&'static str], core_since: u8) -> Row {
    Row { capability, implies, extensions, core_since }
}

#[rustfmt::skip]
pub(super) const CAPABILITIES: &[Row] = &[
    row(C::Matrix, &[], &[], 0),
    row(C::Shader, &[C::Matrix], &[], 0),
    row(C::Geometry, &[C::Shader], &[], 0),
    row(C::Tessellation, &[C::Shader], &[], 0),
    row(C::Addresses, &[], &[], 0),
    row(C::Linkage, &[], &[], 0),
    row(C::Kernel, &[], &[], 0),
    row(C::Vector16, &[C::Kernel], &[], 0),
    row(C::Float16Buffer, &[C::Kernel], &[], 0),
    row(C::Float16, &[], &[], 0),
    row(C::Float64, &[], &[], 0),
    row(C::Int64, &[], &[], 0),
    row(C::Int64Atomics, &[C::Int64], &[], 0),
    row(C::ImageBasic, &[C::Kernel], &[], 0),
    row(C::ImageReadWrite, &[C::ImageBasic], &[], 0),
    row(C::ImageMipmap, &[C::ImageBasic], &[], 0),
    row(C::Pipes, &[C::Kernel], &[], 0),
    row(C::Groups, &[], &[], 0),
    row(C::DeviceEnqueue, &[C::Kernel], &[], 0),
    row(C::LiteralSampler, &[C::Kernel], &[], 0),
    row(C::AtomicStorage, &[C::Shader], &[], 0),
    row(C::Int16, &[], &[], 0),
    row(C::TessellationPointSize, &[C::Tessellation], &[], 0),
    row(C::GeometryPointSize, &[C::Geometry], &[], 0),
    row(C::ImageGatherExtended, &[C::Shader], &[], 0),
    row(C::StorageImageMultisample, &[C::Shader], &[], 0),
    row(C::UniformBufferArrayDynamicIndexing, &[C::Shader], &[], 0),
    row(C::SampledImageArrayDynamicIndexing, &[C::Shader], &[], 0),
    row(C::StorageBufferArrayDynamicIndexing, &[C::Shader], &[], 0),
    row(C::StorageImageArrayDynamicIndexing, &[C::Shader], &[], 0),
    row(C::ClipDistance, &[C::Shader], &[], 0),
    row(C::CullDistance, &[C::Shader], &[], 0),
    row(C::ImageCubeArray, &[C::SampledCubeArray], &[], 0),
    row(C::SampleRateShading, &[C::Shader], &[], 0),
    row(C::ImageRect, &[C::SampledRect], &[], 0),
    row(C::SampledRect, &[C::Shader], &[], 0),
    row(C::GenericPointer, &[C::Addresses], &[], 0),
    row(C::Int8, &[], &[], 0),
    row(C::InputAttachment, &[C::Shader], &[], 0),
    row(C::SparseResidency, &[C::Shader], &[], 0),
    row(C::MinLod, &[C::Shader], &[], 0),
    row(C::Sampled1D, &[], &[], 0),
    row(C::Image1D, &[C::Sampled1D], &[], 0),
    row(C::SampledCubeArray, &[C::Shader], &[], 0),
    row(C::SampledBuffer, &[], &[], 0),
    row(C::ImageBuffer, &[C::SampledBuffer], &[], 0),
    row(C::ImageMSArray, &[C::Shader], &[], 0),
    row(C::StorageImageExtendedFormats, &[C::Shader], &[], 0),
    row(C::ImageQuery, &[C::Shader], &[], 0),
    row(C::DerivativeControl, &[C::Shader], &[], 0),
    row(C::InterpolationFunction, &[C::Shader], &[], 0),
    row(C::TransformFeedback, &[C::Shader], &[], 0),
    row(C::GeometryStreams, &[C::Geometry], &[], 0),
    row(C::StorageImageReadWithoutFormat, &[C::Shader], &[], 0),
    row(C::StorageImageWriteWithoutFormat, &[C::Shader], &[], 0),
    row(C::MultiViewport, &[C::Geometry], &[], 0),
    row(C::SubgroupDispatch, &[C::DeviceEnqueue], &[], 0),
    row(C::NamedBarrier, &[C::Kernel], &[], 0),
    row(C::PipeStorage, &[C::Pipes], &[], 0),
    row(C::GroupNonUniform, &[], &[], 0),
    row(C::GroupNonUniformVote, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformArithmetic, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformBallot, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformShuffle, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformShuffleRelative, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformClustered, &[C::GroupNonUniform], &[], 0),
    row(C::GroupNonUniformQuad, &[C::GroupNonUniform], &[], 0),
    row(C::ShaderLayer, &[], &[], 0),
    row(C::ShaderViewportIndex, &[], &[], 0),
    row(C::UniformDecoration, &[], &[], 0),
    row(C::TileImageColorReadAccessEXT, &[], &["SPV_EXT_shader_tile_image"], NEVER),
    row(C::TileImageDepthReadAccessEXT, &[], &["SPV_EXT_shader_tile_image"], NEVER),
    row(C::TileImageStencilReadAccessEXT, &[], &["SPV_EXT_shader_tile_image"], NEVER),
    row(C::Float8EXT, &[], &["SPV_EXT_float8"], NEVER),
    row(C::Float8CooperativeMatrixEXT, &[C::Float8EXT, C::CooperativeMatrixKHR], &["SPV_EXT_float8"], NEVER),
    row(C::FragmentShadingRateKHR, &[C::Shader], &["SPV_KHR_fragment_shading_rate"], NEVER),
    row(C::SubgroupBallotKHR, &[], &["SPV_KHR_shader_ballot"], NEVER),
    row(C::DrawParameters, &[C::Shader], &["SPV_KHR_shader_draw_parameters"], 3),
    row(C::WorkgroupMemoryExplicitLayoutKHR, &[C::Shader], &["SPV_KHR_workgroup_memory_explicit_layout"], NEVER),
    row(C::WorkgroupMemoryExplicitLayout8BitAccessKHR, &[C::WorkgroupMemoryExplicitLayoutKHR], &["SPV_KHR_workgroup_memory_explicit_layout"], NEVER),
    row(C::WorkgroupMemoryExplicitLayout16BitAccessKHR, &[C::WorkgroupMemoryExplicitLayoutKHR], &["SPV_KHR_workgroup_memory_explicit_layout"], NEVER),
    row(C::SubgroupVoteKHR, &[], &["SPV_KHR_subgroup_vote"], NEVER),
    row(C::StorageBuffer16BitAccess, &[], &["SPV_KHR_16bit_storage"], 3),
    row(C::UniformAndStorageBuffer16BitAccess, &[C::StorageBuffer16BitAccess], &["SPV_KHR_16bit_storage"], 3),
    row(C::StoragePushConstant16, &[], &["SPV_KHR_16bit_storage"], 3),
    row(C::StorageInputOutput16, &[], &["SPV_KHR_16bit_storage"], 3),
    row(C::DeviceGroup, &[], &["SPV_KHR_device_group"], 3),
    row(C::MultiView, &[C::Shader], &["SPV_KHR_multiview"], 3),
    row(C::VariablePointersStorageBuffer, &[C::Shader], &["SPV_KHR_variable_pointers"], 3),
    row(C::VariablePointers, &[C::VariablePointersStorageBuffer], &["SPV_KHR_variable_pointers"], 3),
    row(C::AtomicStorageOps, &[C::AtomicStorage], &["SPV_KHR_shader_atomic_counter_ops"], NEVER),
    row(C::SampleMaskPostDepthCoverage, &[], &["SPV_KHR_post_depth_coverage"], NEVER),
    row(C::StorageBuffer8BitAccess, &[], &["SPV_KHR_8bit_storage"], 5),
    row(C::UniformAndStorageBuffer8BitAccess, &[C::StorageBuffer8BitAccess], &["SPV_KHR_8bit_storage"], 5),
    row(C::StoragePushConstant8, &[], &["SPV_KHR_8bit_storage"], 5),
    row(C::DenormPreserve, &[], &["SPV_KHR_float_controls"], 4),
    row(C::DenormFlushToZero, &[], &["SPV_KHR_float_controls"], 4),
    row(C::SignedZeroInfNanPreserve, &[], &["SPV_KHR_float_controls"], 4),
    row(C::RoundingModeRTE, &[], &["SPV_KHR_float_controls"], 4),
    row(C::RoundingModeRTZ, &[], &["SPV_KHR_float_controls"], 4),
    row(C::RayQueryProvisionalKHR, &[C::Shader], &["SPV_KHR_ray_query"], NEVER),
    row(C::RayQueryKHR, &[C::Shader], &["SPV_KHR_ray_query"], NEVER),
    row(C::UntypedPointersKHR, &[], &["SPV_KHR_untyped_pointers"], NEVER),
    row(C::RayTraversalPrimitiveCullingKHR, &[C::RayQueryKHR, C::RayTracingKHR], &["SPV_KHR_ray_query", "SPV_KHR_ray_tracing"], NEVER),
    row(C::RayTracingKHR, &[C::Shader], &["SPV_KHR_ray_tracing"], NEVER),
    row(C::StencilExportEXT, &[C::Shader], &["SPV_EXT_shader_stencil_export"], NEVER),
    row(C::Int64ImageEXT, &[C::Shader], &["SPV_EXT_shader_image_int64"], NEVER),
    row(C::ShaderClockKHR, &[], &["SPV_KHR_shader_clock"], NEVER),
    row(C::ShaderEnqueueAMDX, &[C::Shader], &["SPV_AMDX_shader_enqueue"], NEVER),
    row(C::QuadControlKHR, &[], &["SPV_KHR_quad_control"], NEVER),
    row(C::BFloat16TypeKHR, &[], &["SPV_KHR_bfloat16"], NEVER),
    row(C::BFloat16DotProductKHR, &[C::BFloat16TypeKHR], &["SPV_KHR_bfloat16"], NEVER),
    row(C::BFloat16CooperativeMatrixKHR, &[C::BFloat16TypeKHR, C::CooperativeMatrixKHR], &["SPV_KHR_bfloat16"], NEVER),
    row(C::DescriptorHeapEXT, &[C::UntypedPointersKHR], &["SPV_EXT_descriptor_heap"], NEVER),
    row(C::ShaderViewportIndexLayerEXT, &[C::MultiViewport], &["SPV_EXT_shader_viewport_index_layer", "SPV_NV_viewport_array2"], NEVER),
    row(C::FragmentFullyCoveredEXT, &[C::Shader], &["SPV_EXT_fragment_fully_covered"], NEVER),
    row(C::MeshShadingEXT, &[C::Shader], &["SPV_EXT_mesh_shader"], NEVER),
    row(C::FragmentBarycentricKHR, &[], &["SPV_NV_fragment_shader_barycentric", "SPV_KHR_fragment_shader_barycentric"], NEVER),
    row(C::ComputeDerivativeGroupQuadsKHR, &[C::Shader], &["SPV_NV_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives"], NEVER),
    row(C::FragmentDensityEXT, &[C::Shader], &["SPV_EXT_fragment_invocation_density", "SPV_NV_shading_rate"], NEVER),
    row(C::GroupNonUniformPartitionedEXT, &[], &["SPV_NV_shader_subgroup_partitioned", "SPV_EXT_shader_subgroup_partitioned"], NEVER),
    row(C::ShaderNonUniform, &[C::Shader], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::RuntimeDescriptorArray, &[C::Shader], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::InputAttachmentArrayDynamicIndexing, &[C::InputAttachment], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::UniformTexelBufferArrayDynamicIndexing, &[C::SampledBuffer], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::StorageTexelBufferArrayDynamicIndexing, &[C::ImageBuffer], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::UniformBufferArrayNonUniformIndexing, &[C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::SampledImageArrayNonUniformIndexing, &[C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::StorageBufferArrayNonUniformIndexing, &[C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::StorageImageArrayNonUniformIndexing, &[C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::InputAttachmentArrayNonUniformIndexing, &[C::InputAttachment, C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::UniformTexelBufferArrayNonUniformIndexing, &[C::SampledBuffer, C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::StorageTexelBufferArrayNonUniformIndexing, &[C::ImageBuffer, C::ShaderNonUniform], &["SPV_EXT_descriptor_indexing"], 5),
    row(C::RayTracingPositionFetchKHR, &[C::Shader], &["SPV_KHR_ray_tracing_position_fetch"], NEVER),
    row(C::VulkanMemoryModel, &[], &["SPV_KHR_vulkan_memory_model"], 5),
    row(C::VulkanMemoryModelDeviceScope, &[], &["SPV_KHR_vulkan_memory_model"], 5),
    row(C::PhysicalStorageBufferAddresses, &[C::Shader], &["SPV_EXT_physical_storage_buffer", "SPV_KHR_physical_storage_buffer"], 5),
    row(C::ComputeDerivativeGroupLinearKHR, &[C::Shader], &["SPV_NV_compute_shader_derivatives", "SPV_KHR_compute_shader_derivatives"], NEVER),
    row(C::RayTracingProvisionalKHR, &[C::Shader], &["SPV_KHR_ray_tracing"], NEVER),
    row(C::FragmentShaderSampleInterlockEXT, &[C::Shader], &["SPV_EXT_fragment_shader_interlock"], NEVER),
    row(C::FragmentShaderShadingRateInterlockEXT, &[C::Shader], &["SPV_EXT_fragment_shader_interlock"], NEVER),
    row(C::FragmentShaderPixelInterlockEXT, &[C::Shader], &["SPV_EXT_fragment_shader_interlock"], NEVER),
    row(C::DemoteToHelperInvocation, &[C::Shader], &["SPV_EXT_demote_to_helper_invocation"], 6),
    row(C::RayTracingOpacityMicromapEXT, &[C::Shader], &["SPV_EXT_opacity_micromap"], NEVER),
    row(C::ShaderInvocationReorderEXT, &[C::RayTracingKHR], &["SPV_EXT_shader_invocation_reorder"], NEVER),
    row(C::RayQueryPositionFetchKHR, &[C::Shader], &["SPV_KHR_ray_tracing_position_fetch"], NEVER),
    row(C::LongVectorEXT, &[], &["SPV_EXT_long_vector"], NEVER),
    row(C::Shader64BitIndexingEXT, &[], &["SPV_EXT_shader_64bit_indexing"], NEVER),
    row(C::AtomicFloat32MinMaxEXT, &[], &["SPV_EXT_shader_atomic_float_min_max"], NEVER),
    row(C::AtomicFloat64MinMaxEXT, &[], &["SPV_EXT_shader_atomic_float_min_max"], NEVER),
    row(C::AtomicFloat16MinMaxEXT, &[], &["SPV_EXT_shader_atomic_float_min_max"], NEVER),
    row(C::ExpectAssumeKHR, &[], &["SPV_KHR_expect_assume"], NEVER),
    row(C::DotProductInputAll, &[], &["SPV_KHR_integer_dot_product"], 6),
    row(C::DotProductInput4x8Bit, &[C::Int8], &["SPV_KHR_integer_dot_product"], 6),
    row(C::DotProductInput4x8BitPacked, &[], &["SPV_KHR_integer_dot_product"], 6),
    row(C::DotProduct, &[], &["SPV_KHR_integer_dot_product"], 6),
    row(C::RayCullMaskKHR, &[], &["SPV_KHR_ray_cull_mask"], NEVER),
    row(C::CooperativeMatrixKHR, &[], &["SPV_KHR_cooperative_matrix"], NEVER),
    row(C::ReplicatedCompositesEXT, &[], &["SPV_EXT_replicated_composites"], NEVER),
    row(C::BitInstructions, &[], &["SPV_KHR_bit_instructions"], NEVER),
    row(C::GroupNonUniformRotateKHR, &[C::GroupNonUniform], &["SPV_KHR_subgroup_rotate"], NEVER),
    row(C::FloatControls2, &[], &["SPV_KHR_float_controls2"], NEVER),
    row(C::FMAKHR, &[], &["SPV_KHR_fma"], NEVER),
    row(C::AtomicFloat32AddEXT, &[], &["SPV_EXT_shader_atomic_float_add"], NEVER),
    row(C::AtomicFloat64AddEXT, &[], &["SPV_EXT_shader_atomic_float_add"], NEVER),
    row(C::OptNoneEXT, &[], &["SPV_EXT_optnone", "SPV_INTEL_optnone"], NEVER),
    row(C::AtomicFloat16AddEXT, &[], &["SPV_EXT_shader_atomic_float16_add"], NEVER),
    row(C::ArithmeticFenceEXT, &[], &["SPV_EXT_arithmetic_fence"], NEVER),
    row(C::GroupUniformArithmeticKHR, &[], &["SPV_KHR_uniform_group_instructions"], NEVER),
];

#[cfg(test)]
mod tests {
    use super::*;
    use rspirv::dr::Operand as O;
    use rspirv::grammar::INSTRUCTION_TABLE;

    /// Vendors whose capabilities no module of ours declares: rows that ask for nothing else are left out.
    const LEFT_OUT: &[&str] = &["INTEL", "ALTERA", "NV", "ARM", "QCOM", "AMD"];

    fn names(list: &[C]) -> Vec<String> {
        list.iter().map(|c| format!("{c:?}")).collect()
    }

    fn expected(list: Vec<C>) -> Vec<String> {
        let mut names = names(&list);
        let mut seen = std::collections::HashSet::new();
        names.retain(|n| seen.insert(n.clone()));
        if names.iter().all(|n| LEFT_OUT.iter().any(|v| n.ends_with(v))) { Vec::new() } else { names }
    }

    #[test]
    fn instructions_ask_for_what_the_grammar_says() {
        for inst in INSTRUCTION_TABLE.iter().filter(|i| crate::grammar::pattern(i.opcode as u16).is_some()) {
            let row = INSTRUCTIONS.iter().find(|(_, ops)| ops.contains(&inst.opcode));
            let found = row.map(|r| names(r.0)).unwrap_or_default();
            assert_eq!(found, expected(inst.capabilities.to_vec()), "{}", inst.opname);
        }
    }

    #[test]
    fn enumerations_ask_for_what_the_grammar_says() {
        let check = |kind: EnumKind, value: u32, operand: O| {
            let row = ENUMERANTS.iter().find(|r| r.0 == kind && r.2.contains(&value));
            let found = row.map(|r| names(r.1)).unwrap_or_default();
            assert_eq!(found, expected(operand.required_capabilities()), "{kind:?} {value}");
        };
        macro_rules! values {
            ($($kind:ident)*) => {$(
                for value in 0..8000 {
                    if let Some(x) = spirv::$kind::from_u32(value) {
                        check(EnumKind::$kind, value, O::$kind(x));
                    }
                }
            )*};
        }
        values!(ExecutionModel AddressingModel MemoryModel ExecutionMode StorageClass Dim ImageFormat Decoration BuiltIn
            GroupOperation);
        for bit in (0..32).map(|b| 1u32 << b) {
            if let Some(x) = spirv::MemoryAccess::from_bits(bit) {
                check(EnumKind::MemoryAccess, bit, O::MemoryAccess(x));
            }
            if let Some(x) = spirv::ImageOperands::from_bits(bit) {
                check(EnumKind::ImageOperands, bit, O::ImageOperands(x));
            }
        }
    }

    #[test]
    fn capabilities_bring_along_what_the_grammar_says() {
        for row in CAPABILITIES {
            let operand = O::Capability(row.capability);
            assert_eq!(names(row.implies), names(&operand.required_capabilities()), "{:?}", row.capability);
            // `Groups` is core; the grammar names an extension that may have it as well.
            let extensions = operand.required_extensions();
            assert!(row.capability == C::Groups || row.extensions == extensions, "{:?}", row.capability);
            assert_eq!(row.core_since == 0, row.extensions.is_empty(), "{:?}", row.capability);
        }
    }
}
