// Numbers of SPIR-V for inline instructions, by their names in its registry with the enumerant's kind in front.
#ifndef WGC_VK_SPIRV
#define WGC_VK_SPIRV

namespace vk
{
    // The invocations that an instruction affects.
    enum Scope
    {
        ScopeCrossDevice = 0,
        ScopeDevice = 1,
        ScopeWorkgroup = 2,
        ScopeSubgroup = 3,
        ScopeInvocation = 4,
        ScopeQueueFamily = 5,
        ScopeShaderCallKHR = 6,
    };

    // Kinds of memory.
    enum StorageClass
    {
        StorageClassUniformConstant = 0,
        StorageClassInput = 1,
        StorageClassUniform = 2,
        StorageClassOutput = 3,
        StorageClassWorkgroup = 4,
        StorageClassCrossWorkgroup = 5,
        StorageClassPrivate = 6,
        StorageClassFunction = 7,
        StorageClassGeneric = 8,
        StorageClassPushConstant = 9,
        StorageClassAtomicCounter = 10,
        StorageClassImage = 11,
        StorageClassStorageBuffer = 12,
        StorageClassTileImageEXT = 4172,
        StorageClassTileAttachmentQCOM = 4491,
        StorageClassNodePayloadAMDX = 5068,
        StorageClassCallableDataKHR = 5328,
        StorageClassIncomingCallableDataKHR = 5329,
        StorageClassRayPayloadKHR = 5338,
        StorageClassHitAttributeKHR = 5339,
        StorageClassIncomingRayPayloadKHR = 5342,
        StorageClassShaderRecordBufferKHR = 5343,
        StorageClassPhysicalStorageBuffer = 5349,
        StorageClassHitObjectAttributeNV = 5385,
        StorageClassTaskPayloadWorkgroupEXT = 5402,
        StorageClassHitObjectAttributeEXT = 5411,
        StorageClassCodeSectionINTEL = 5605,
        StorageClassDeviceOnlyINTEL = 5936,
        StorageClassHostOnlyINTEL = 5937,
    };

    // Flags of memory accesses.
    enum MemoryAccess
    {
        MemoryAccessMaskNone = 0x0,
        MemoryAccessVolatileMask = 0x1,
        MemoryAccessAlignedMask = 0x2,
        MemoryAccessNontemporalMask = 0x4,
        MemoryAccessMakePointerAvailableMask = 0x8,
        MemoryAccessMakePointerVisibleMask = 0x10,
        MemoryAccessNonPrivatePointerMask = 0x20,
        MemoryAccessAliasScopeINTELMaskMask = 0x10000,
        MemoryAccessNoAliasINTELMaskMask = 0x20000,
    };

    // The memory that barriers and atomics order.
    enum MemorySemantics
    {
        MemorySemanticsMaskNone = 0x0,
        MemorySemanticsAcquireMask = 0x2,
        MemorySemanticsReleaseMask = 0x4,
        MemorySemanticsAcquireReleaseMask = 0x8,
        MemorySemanticsSequentiallyConsistentMask = 0x10,
        MemorySemanticsUniformMemoryMask = 0x40,
        MemorySemanticsSubgroupMemoryMask = 0x80,
        MemorySemanticsWorkgroupMemoryMask = 0x100,
        MemorySemanticsCrossWorkgroupMemoryMask = 0x200,
        MemorySemanticsAtomicCounterMemoryMask = 0x400,
        MemorySemanticsImageMemoryMask = 0x800,
        MemorySemanticsOutputMemoryMask = 0x1000,
        MemorySemanticsMakeAvailableMask = 0x2000,
        MemorySemanticsMakeVisibleMask = 0x4000,
        MemorySemanticsVolatileMask = 0x8000,
    };

    // The layout of a cooperative matrix in memory.
    enum CooperativeMatrixLayout
    {
        CooperativeMatrixLayoutRowMajorKHR = 0,
        CooperativeMatrixLayoutColumnMajorKHR = 1,
        CooperativeMatrixLayoutRowBlockedInterleavedARM = 4202,
        CooperativeMatrixLayoutColumnBlockedInterleavedARM = 4203,
    };

    // The role of a cooperative matrix in a multiplication.
    enum CooperativeMatrixUse
    {
        CooperativeMatrixUseMatrixAKHR = 0,
        CooperativeMatrixUseMatrixBKHR = 1,
        CooperativeMatrixUseMatrixAccumulatorKHR = 2,
    };

    // Flags for the operands of a multiplication.
    enum CooperativeMatrixOperands
    {
        CooperativeMatrixOperandsMaskNone = 0x0,
        CooperativeMatrixOperandsMatrixASignedComponentsKHRMask = 0x1,
        CooperativeMatrixOperandsMatrixBSignedComponentsKHRMask = 0x2,
        CooperativeMatrixOperandsMatrixCSignedComponentsKHRMask = 0x4,
        CooperativeMatrixOperandsMatrixResultSignedComponentsKHRMask = 0x8,
        CooperativeMatrixOperandsSaturatingAccumulationKHRMask = 0x10,
    };
}

#endif
