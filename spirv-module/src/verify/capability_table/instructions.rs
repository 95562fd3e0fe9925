//! Instructions by their capabilities. Additional requirements of their operands are in other tables.

use spirv::{Capability as C, Op};

/// Instructions by capabilities. One of the capabilities must be declared.
#[rustfmt::skip]
pub(in crate::verify) const INSTRUCTIONS: &[(&[C], &[Op])] = &[
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
