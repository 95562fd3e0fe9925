//! Modules that break one rule each: layouts, variables and memory, and the interface.

use super::Broken;

pub const BROKEN: &[Broken] = &[
    // ---- interface
    (
        "core-entry-point",
        "plain",
        &[(
            "OpEntryPoint GLCompute %main \"main\" %buf",
            "OpEntryPoint GLCompute %main \"main\" %buf %params %wg %shared %count %img %push\nOpEntryPoint GLCompute %main \"main\" %buf",
        )],
    ),
    (
        "core-entry-point",
        "plain",
        &[
            (
                "OpExecutionMode %main LocalSize 4 2 1",
                "OpEntryPoint GLCompute %helper \"h\"\nOpExecutionMode %main LocalSize 4 2 1\nOpExecutionMode %helper LocalSize 1 1 1",
            ),
            ("%called = OpFunctionCall %uint %helper %old %local", "%called = OpIAdd %uint %old %old"),
        ],
    ),
    ("core-interface", "plain", &[("%wg %shared %count", "%wg %count")]),
    ("core-interface", "plain", &[("%wg %shared %count", "%wg %shared %shared %count")]),
    ("core-interface", "plain", &[("%wg %shared %count", "%wg %shared %u1 %count")]),
    ("core-execution-mode", "plain", &[("OpExecutionMode %main LocalSize 4 2 1\n", "")]),
    ("core-execution-mode", "plain", &[("LocalSize 4 2 1", "LocalSize 4 0 1")]),
    ("core-execution-mode", "plain", &[("LocalSize 4 2 1", "LocalSize 4 2 1\nOpExecutionMode %main LocalSize 4 2 1")]),
    (
        "core-execution-mode",
        "plain",
        &[("LocalSize 4 2 1", "LocalSize 4 2 1\nOpExecutionMode %helper LocalSize 4 2 1")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %buf Binding 0", "OpDecorate %buf Binding 0\nOpDecorate %buf Binding 4")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %buf Binding 0", "OpDecorate %buf Binding 0\nOpDecorate %uint Binding 0")],
    ),
    (
        "core-decoration",
        "plain",
        &[(
            "OpMemberDecorate %blk 1 Offset 16",
            "OpMemberDecorate %blk 1 Offset 16\nOpMemberDecorate %blk 2 Offset 20",
        )],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %u1 SpecId 2")],
    ),
    ("core-decoration", "physical", &[("OpDecorate %pblk Block", "OpDecorate %pblk Block\nOpDecorate %push Coherent")]),
    ("core-resource", "plain", &[("OpDecorate %buf Binding 0\n", "")]),
    ("core-resource", "plain", &[("OpDecorate %img DescriptorSet 0\n", "")]),
    ("core-resource", "plain", &[("OpDecorate %pblk Block\n", "")]),
    (
        "core-resource",
        "plain",
        &[
            ("%img %push", "%img %push %push2"),
            (
                "%push = OpVariable %p_pblk PushConstant",
                "%push = OpVariable %p_pblk PushConstant\n%push2 = OpVariable %p_pblk PushConstant",
            ),
        ],
    ),
    (
        "core-resource",
        "plain",
        &[("OpDecorate %wg BuiltIn WorkgroupId", "OpDecorate %wg BuiltIn WorkgroupId\nOpDecorate %wg Binding 7")],
    ),
    ("core-decoration", "plain", &[("OpDecorate %buf Binding 0", "OpDecorate %buf Binding 0 1")]),
    ("core-builtin", "plain", &[("BuiltIn WorkgroupId", "BuiltIn LocalInvocationIndex")]),
    (
        "core-execution-mode",
        "plain",
        &[("OpExecutionMode %main LocalSize 4 2 1", "OpExecutionModeId %main LocalSizeId %u1 %u1 %buf")],
    ),
    ("core-decoration", "plain", &[("OpDecorate %ublk Block", "OpDecorate %ublk Block\nOpDecorate %old NonWritable")]),
    ("core-decoration", "plain", &[("OpDecorate %pblk Block", "OpDecorate %pblk Block\nOpDecorate %pblk BufferBlock")]),
    ("core-operands", "plain", &[("%a = OpIAdd %uint %old %u1", "%a = OpIAdd %uint %old %uint")]),
    ("core-capability", "plain", &[("2 Rgba32f", "2 Unknown")]),
    (
        "core-capability",
        "plain",
        &[
            ("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability SampledBuffer"),
            ("%image = ", "%texels = OpTypeImage %float Buffer 0 0 0 2 Rgba32f\n%image = "),
        ],
    ),
    (
        "core-capability",
        "plain",
        &[
            ("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability Sampled1D"),
            ("%image = ", "%line = OpTypeImage %float 1D 0 0 0 2 Rgba32f\n%image = "),
        ],
    ),
    (
        "core-capability",
        "plain",
        &[
            (
                "OpDecorate %img Binding 2",
                "OpDecorate %img Binding 2\nOpDecorate %all DescriptorSet 0\nOpDecorate %all Binding 3",
            ),
            (
                "%buf = OpVariable",
                "%images = OpTypeRuntimeArray %image\n%p_images = OpTypePointer UniformConstant %images\n%all = OpVariable %p_images UniformConstant\n%buf = OpVariable",
            ),
        ],
    ),
    // ---- layout
    ("core-layout", "plain", &[("OpMemberDecorate %blk 1 Offset 16\n", "")]),
    ("core-layout", "plain", &[("OpMemberDecorate %blk 1 Offset 16", "OpMemberDecorate %blk 1 Offset 8")]),
    ("core-layout", "plain", &[("OpMemberDecorate %blk 1 Offset 16", "OpMemberDecorate %blk 1 Offset 18")]),
    ("core-layout", "plain", &[("OpDecorate %rta ArrayStride 4\n", "")]),
    ("core-layout", "plain", &[("OpDecorate %rta ArrayStride 4", "OpDecorate %rta ArrayStride 2")]),
    ("core-layout", "plain", &[("OpMemberDecorate %ublk 0 MatrixStride 16\n", "")]),
    ("core-layout", "plain", &[("OpMemberDecorate %ublk 1 Offset 64", "OpMemberDecorate %ublk 1 Offset 60")]),
    (
        "core-layout",
        "plain",
        &[("OpMemberDecorate %ublk 0 MatrixStride 16", "OpMemberDecorate %ublk 0 MatrixStride 32")],
    ),
    ("core-layout", "physical", &[("OpMemberDecorate %node 1 Offset 8\n", "")]),
    (
        "core-no-layout",
        "plain",
        &[("OpDecorate %rta ArrayStride 4", "OpDecorate %rta ArrayStride 4\nOpDecorate %arr ArrayStride 4")],
    ),
    // ---- variables and memory
    (
        "core-variable",
        "plain",
        &[(
            "%buf = OpVariable",
            "%ints = OpTypeRuntimeArray %int\n%tail = OpTypeStruct %int %ints\n%p_tail = OpTypePointer Private %tail\n%last = OpVariable %p_tail Private\n%buf = OpVariable",
        )],
    ),
    (
        "core-variable",
        "plain",
        &[
            (
                "OpDecorate %blk Block",
                "OpDecorate %blk Block\nOpDecorate %second DescriptorSet 0\nOpDecorate %second Binding 3",
            ),
            (
                "%buf = OpVariable",
                "%p_second = OpTypePointer Uniform %blk\n%second = OpVariable %p_second Uniform\n%buf = OpVariable",
            ),
        ],
    ),
    ("core-variable", "plain", &[("%count = OpVariable %p_pri Private %u1", "%count = OpVariable %p_pri Private %i1")]),
    ("core-variable", "plain", &[("%shared = OpVariable %p_arr Workgroup", "%shared = OpVariable %p_arr Private")]),
    (
        "core-variable",
        "plain",
        &[(
            "%local = OpVariable %p_fn Function %u1",
            "%local = OpVariable %p_fn Function %u1\n%other = OpVariable %p_pri Private",
        )],
    ),
    (
        "core-variable",
        "plain",
        &[
            (
                "%img = OpVariable %p_img UniformConstant",
                "%img = OpVariable %p_img UniformConstant\n%p_uc = OpTypePointer UniformConstant %uint\n%uc = OpVariable %p_uc UniformConstant",
            ),
            (
                "OpDecorate %img DescriptorSet 0",
                "OpDecorate %img DescriptorSet 0\nOpDecorate %uc DescriptorSet 0\nOpDecorate %uc Binding 8",
            ),
        ],
    ),
    ("core-access-chain", "plain", &[("OpAccessChain %p_u %buf %u1 %id", "OpAccessChain %p_u %buf %u0 %id %u0")]),
    ("core-access-chain", "plain", &[("OpAccessChain %p_u %buf %u1 %id", "OpAccessChain %p_u %buf %u2 %id")]),
    ("core-access-chain", "plain", &[("OpAccessChain %p_u %buf %u1 %id", "OpAccessChain %p_u %buf %id %id")]),
    (
        "core-access-chain",
        "plain",
        &[("%slot = OpAccessChain %p_s %shared %i", "%slot = OpAccessChain %p_s %buf %u1 %i")],
    ),
    (
        "core-memory-access",
        "plain",
        &[("%old = OpLoad %uint %place", "%oldf = OpLoad %float %place\n%old = OpLoad %uint %place")],
    ),
    ("core-memory-access", "plain", &[("OpStore %place %called", "OpStore %place %f1")]),
    ("core-memory-access", "plain", &[("OpStore %place %called", "OpStore %wg %id3")]),
    (
        "core-memory-access",
        "plain",
        &[("OpStore %place %called", "%up = OpAccessChain %p_uu %params %u1\nOpStore %up %called")],
    ),
    ("core-physical", "physical", &[("%value = OpLoad %ulong %first Aligned 8", "%value = OpLoad %ulong %first")]),
    (
        "core-physical",
        "physical",
        &[("%value = OpLoad %ulong %first Aligned 8", "%value = OpLoad %ulong %first Aligned 6")],
    ),
    ("core-physical", "physical", &[("OpDecorate %held AliasedPointer\n", "")]),
    (
        "core-physical",
        "physical",
        &[("OpDecorate %held AliasedPointer", "OpDecorate %held AliasedPointer\nOpDecorate %held RestrictPointer")],
    ),
    (
        "core-memory-model",
        "physical",
        &[("Aligned|MakePointerVisible|NonPrivatePointer 4 %u5", "Aligned|MakePointerVisible 4 %u5")],
    ),
    (
        "core-memory-model",
        "physical",
        &[(
            "Aligned|MakePointerVisible|NonPrivatePointer 4 %u5",
            "Aligned|MakePointerAvailable|NonPrivatePointer 4 %u5",
        )],
    ),
    ("core-memory-model", "physical", &[("OpLoad %p_node %held", "OpLoad %p_node %held NonPrivatePointer")]),
    ("core-scope", "physical", &[("OpCapability VulkanMemoryModelDeviceScope\n", "")]),
    ("core-scope", "plain", &[("OpControlBarrier %u2 %u2 %u264", "OpControlBarrier %u1 %u2 %u264")]),
    ("core-scope", "plain", &[("OpControlBarrier %u2 %u2 %u264", "OpControlBarrier %u2 %id %u264")]),
    ("core-scope", "plain", &[("OpGroupNonUniformIAdd %uint %u3", "OpGroupNonUniformIAdd %uint %u2")]),
    ("core-semantics", "physical", &[("OpMemoryBarrier %u1 %u72", "OpMemoryBarrier %u1 %u0")]),
    ("core-semantics", "physical", &[("%u72 = OpConstant %uint 72", "%u72 = OpConstant %uint 8")]),
    ("core-semantics", "physical", &[("%u72 = OpConstant %uint 72", "%u72 = OpConstant %uint 70")]),
    ("core-semantics", "physical", &[("%u72 = OpConstant %uint 72", "%u72 = OpConstant %uint 80")]),
    (
        "core-semantics",
        "physical",
        &[("%now = OpAtomicLoad %uint %second %u1 %u0", "%now = OpAtomicLoad %uint %second %u1 %u72")],
    ),
    (
        "core-atomic",
        "plain",
        &[("%before = OpAtomicIAdd %uint %slot %u2 %u264 %u1", "%before = OpAtomicIAdd %uint %local %u2 %u264 %u1")],
    ),
    (
        "core-atomic",
        "plain",
        &[("%before = OpAtomicIAdd %uint %slot %u2 %u264 %u1", "%before = OpAtomicIAdd %uint %slot %u2 %u264 %i1")],
    ),
    (
        "core-atomic",
        "physical",
        &[("OpAtomicIAdd %ulong %first %u1 %u0 %value", "OpAtomicIAdd %ulong %second %u1 %u0 %value")],
    ),
    ("core-image", "plain", &[("OpImageRead %f4 %pic %xy", "OpImageRead %f4 %pic %id")]),
    ("core-image", "plain", &[("OpImageWrite %pic %xy %new", "OpImageWrite %pic %xy %id3")]),
    (
        "core-image",
        "plain",
        &[
            (
                "%length = OpArrayLength %uint %buf 1",
                "%length = OpArrayLength %uint %buf 1\n%size = OpImageQuerySize %v3 %picture",
            ),
            ("%id3 = OpLoad", "%picture = OpLoad %image %img\n%id3 = OpLoad"),
        ],
    ),
    ("core-image", "plain", &[("OpImageRead %f4 %pic %xy", "OpImageRead %f4 %pic %xy Sample %f1")]),
];
