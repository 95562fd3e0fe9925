//! Modules that break one rule each: a frame, and lines of it changed.

/// The rule, the frame (`plain`, `physical` or `rays`), and what stands instead of what.
pub type Broken = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

pub const BROKEN: &[Broken] = &[
    // ---- the module as a whole
    (
        "core-order",
        "plain",
        &[
            ("OpCapability ImageQuery\n", ""),
            ("OpName %main \"main\"", "OpName %main \"main\"\nOpCapability ImageQuery"),
        ],
    ),
    ("core-order", "plain", &[("OpMemoryModel Logical GLSL450\n", "")]),
    ("core-order", "plain", &[("OpName %main \"main\"\n", ""), ("%f1 =", "OpName %main \"main\"\n%f1 =")]),
    ("core-defined", "plain", &[("%a = OpIAdd %uint %old %u1", "%a = OpIAdd %uint %old %nobody")]),
    (
        "core-defined",
        "plain",
        &[("%v2 = OpTypeVector %uint 2\n", ""), ("%ft = ", "%v2 = OpTypeVector %uint 2\n%ft = ")],
    ),
    (
        "core-defined",
        "plain",
        &[("OpDecorate %rta ArrayStride 4", "OpDecorate %rta ArrayStride 4\nOpDecorate %gone RelaxedPrecision")],
    ),
    (
        "core-defined",
        "plain",
        &[
            (
                "OpMemoryModel Logical GLSL450",
                "%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Logical GLSL450",
            ),
            ("%ft = ", "%early = OpExtInst %void %set 23 %late\n%late = OpExtInst %void %set 0\n%ft = "),
        ],
    ),
    ("core-dominance", "plain", &[("%length = OpArrayLength %uint %buf 1", "%length = OpIAdd %uint %a %b")]),
    (
        "core-dominance",
        "plain",
        &[("%a = OpIAdd %uint %old %u1", "%a = OpIAdd %uint %a2 %u1\n%a2 = OpIAdd %uint %old %u1")],
    ),
    (
        "core-dominance",
        "plain",
        &[("%either = OpPhi %uint %a %then %b %else", "%either = OpPhi %uint %b %then %a %else")],
    ),
    ("core-dominance", "plain", &[("%conv = OpConvertUToF %float %n", "%conv = OpConvertUToF %float %old")]),
    ("core-capability", "plain", &[("OpCapability GroupNonUniformArithmetic\n", "")]),
    ("core-capability", "physical", &[("OpCapability Int64Atomics\n", "")]),
    ("core-capability", "physical", &[("OpCapability VulkanMemoryModel\n", "")]),
    ("core-capability", "plain", &[("Rgba32f", "Rg32f")]),
    ("core-capability", "plain", &[("%f1 =", "%half = OpTypeFloat 16\n%f1 =")]),
    ("core-environment", "plain", &[("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability Linkage")]),
    ("core-environment", "plain", &[("Logical GLSL450", "Logical Simple")]),
    (
        "core-extension",
        "plain",
        &[("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability ShaderEnqueueAMDX")],
    ),
    ("core-enum", "plain", &[("OpSelectionMerge %joined None", "OpSelectionMerge %joined 32")]),
    ("core-enum", "plain", &[("OpDecorate %sum NoContraction", "OpDecorate %sum 999")]),
    ("core-name", "plain", &[("OpName %main \"main\"", "OpMemberName %blk 2 \"none\"")]),
    ("core-name", "plain", &[("OpName %main \"main\"", "OpMemberName %uint 0 \"none\"")]),
    // ---- ray queries
    ("core-capability", "rays", &[("OpCapability RayQueryKHR\n", "")]),
    ("core-rays", "rays", &[("OpRayQueryConfirmIntersectionKHR %query", "OpRayQueryConfirmIntersectionKHR %scene")]),
    (
        "core-rays",
        "rays",
        &[("OpRayQueryGenerateIntersectionKHR %query %far", "OpRayQueryGenerateIntersectionKHR %query %u1")],
    ),
    ("core-rays", "rays", &[("%query %in %u0 %u1 %v %zero", "%query %u0 %u0 %u1 %v %zero")]),
    ("core-rays", "rays", &[("%query %in %u0 %u1 %v %zero", "%query %in %u0 %u1 %zero %zero")]),
    (
        "core-rays",
        "rays",
        &[("OpRayQueryGetIntersectionTypeKHR %uint %query %u0", "OpRayQueryGetIntersectionTypeKHR %uint %query %u2")],
    ),
    ("core-rays", "rays", &[("%more = OpRayQueryProceedKHR %bool", "%more = OpRayQueryProceedKHR %uint")]),
    (
        "core-rays",
        "rays",
        &[(
            "%weights = OpRayQueryGetIntersectionBarycentricsKHR %f2",
            "%weights = OpRayQueryGetIntersectionBarycentricsKHR %f3",
        )],
    ),
    ("core-rays", "rays", &[("OpRayQueryConfirmIntersectionKHR %query", "%copy = OpLoad %rq %query")]),
    (
        "core-variable",
        "rays",
        &[(
            "%ft = OpTypeFunction %void",
            "%wgp = OpTypePointer Workgroup %rq\n%shared = OpVariable %wgp Workgroup\n%ft = OpTypeFunction %void",
        )],
    ),
    // ---- mesh shaders
    (
        "core-mesh",
        "mesh",
        &[(
            "OpExecutionMode %main OutputTrianglesEXT",
            "OpExecutionMode %main OutputTrianglesEXT\nOpExecutionMode %main OutputPoints",
        )],
    ),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpExecutionMode %other OutputVertices 8
",
            "",
        )],
    ),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpExecutionMode %main OutputPrimitivesEXT 4
",
            "",
        )],
    ),
    ("core-mesh", "mesh", &[("OpExecutionMode %main OutputVertices 8", "OpExecutionMode %main OutputVertices 0")]),
    ("core-mesh", "mesh", &[("%x = OpLoad %uint %thread", "%x = OpFunctionCall %void %size")]),
    ("core-mesh", "mesh", &[("OpSetMeshOutputsEXT %u8 %u4", "OpSetMeshOutputsEXT %u8 %i4")]),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpDecorate %layer PerPrimitiveEXT
",
            "",
        )],
    ),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpDecorate %position BuiltIn Position",
            "OpDecorate %position BuiltIn Position\nOpDecorate %position PerPrimitiveEXT",
        )],
    ),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpDecorate %thread BuiltIn LocalInvocationIndex",
            "OpDecorate %thread BuiltIn LocalInvocationIndex\nOpDecorate %thread PerPrimitiveEXT",
        )],
    ),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpDecorate %wide Location 0
",
            "",
        )],
    ),
    ("core-mesh", "mesh", &[("OpDecorate %wide Location 0", "OpDecorate %wide Location 1")]),
    ("core-mesh", "mesh", &[("OpDecorate %colour Location 5", "OpDecorate %colour Location 4")]),
    ("core-mesh", "mesh", &[("OpDecorate %planes BuiltIn ClipDistance", "OpDecorate %planes BuiltIn Position")]),
    ("core-mesh", "mesh", &[("OpDecorate %position BuiltIn Position", "OpDecorate %position BuiltIn FragDepth")]),
    ("core-mesh", "mesh", &[("%layer = OpVariable %po_u_4 Output", "%layer = OpVariable %po_f4_4 Output")]),
    ("core-mesh", "mesh", &[("%indices = OpVariable %po_v3_4 Output", "%indices = OpVariable %po_v2_4 Output")]),
    (
        "core-mesh",
        "mesh",
        &[(
            "OpDecorate %pairs BuiltIn PrimitiveLineIndicesEXT",
            "OpDecorate %pairs BuiltIn PrimitiveTriangleIndicesEXT",
        )],
    ),
    ("core-mesh", "mesh", &[("OpExecutionMode %main OutputTrianglesEXT", "OpExecutionMode %main OutputLinesEXT")]),
    ("core-mesh", "mesh", &[("%a_v3_4 = OpTypeArray %v3 %u4", "%a_v3_4 = OpTypeArray %v3 %u8")]),
    (
        "core-mesh",
        "mesh",
        &[(
            "%pairs = OpVariable %po_v2_4 Output",
            "%p_v2 = OpTypePointer Output %v2\n%pairs = OpVariable %p_v2 Output",
        )],
    ),
    (
        "core-execution-mode",
        "mesh",
        &[(
            "OpExecutionMode %plain LocalSize 1 1 1",
            "OpExecutionMode %plain LocalSize 1 1 1\nOpExecutionMode %plain OutputTrianglesEXT",
        )],
    ),
    (
        "core-execution-mode",
        "mesh",
        &[(
            "OpExecutionMode %main OutputTrianglesEXT",
            "OpExecutionMode %main OutputTrianglesEXT\nOpExecutionMode %main OriginUpperLeft",
        )],
    ),
    (
        "core-execution-mode",
        "mesh",
        &[(
            "OpExecutionMode %main OutputVertices 8",
            "OpExecutionMode %main OutputVertices 8\nOpExecutionMode %main OutputVertices 4",
        )],
    ),
    (
        "core-execution-mode",
        "mesh",
        &[(
            "OpExecutionMode %main LocalSize 32 1 1
",
            "",
        )],
    ),
    (
        "core-interface",
        "mesh",
        &[("OpEntryPoint GLCompute %plain \"plain\" %thread", "OpEntryPoint GLCompute %plain \"plain\" %thread %wide")],
    ),
    ("core-interface", "mesh", &[("\"other\" %corners %pairs", "\"other\" %pairs")]),
    (
        "core-capability",
        "mesh",
        &[(
            "OpCapability MeshShadingEXT
",
            "",
        )],
    ),
    // ---- types and constants
    ("core-type", "plain", &[("%f2 = OpTypeVector %float 2", "%f2 = OpTypeVector %float 5")]),
    ("core-type", "plain", &[("%f2 = OpTypeVector %float 2", "%f2 = OpTypeVector %v2 2")]),
    ("core-type", "plain", &[("%image = ", "%zero = OpTypeArray %uint %u0\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeStruct %rta %uint\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeFunction %void %void\n%image = ")]),
    (
        "core-type-unique",
        "plain",
        &[("%b2 = OpTypeVector %bool 2", "%b2 = OpTypeVector %bool 2\n%b3 = OpTypeVector %bool 2")],
    ),
    (
        "core-constant",
        "plain",
        &[("%true = OpConstantTrue %bool", "%true = OpConstantTrue %bool\n%t2 = OpConstantTrue %uint")],
    ),
    ("core-constant", "plain", &[("%c2 = OpConstantComposite %v2 %u1 %u2", "%c2 = OpConstantComposite %v2 %u1 %f1")]),
    (
        "core-constant",
        "plain",
        &[("%c2 = OpConstantComposite %v2 %u1 %u2", "%c2 = OpConstantComposite %v2 %u1 %u2 %u2")],
    ),
    ("core-constant", "plain", &[("%twice = OpSpecConstantOp %uint IAdd", "%twice = OpSpecConstantOp %uint FAdd")]),
    ("core-constant", "plain", &[("IAdd %spec %spec", "IAdd %spec %f1")]),
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
    // ---- what samples take and give
    (
        "core-image",
        "sampling",
        &[("%less = OpImageSampleDrefImplicitLod %float", "%less = OpImageSampleDrefImplicitLod %f4")],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%less = OpImageSampleDrefImplicitLod %float %t %uv %f0",
            "%less = OpImageSampleDrefImplicitLod %float %t %uv %i0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%lower = OpImageSampleDrefExplicitLod %float %t %uv %f0 Lod %f0",
            "%lower = OpImageSampleDrefExplicitLod %float %t %uv %f0 Bias %f0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[("%proj = OpImageSampleProjExplicitLod %f4 %t %uvw", "%proj = OpImageSampleProjExplicitLod %f4 %t %uv")],
    ),
    (
        "core-image",
        "sampling",
        &[("%proj = OpImageSampleProjExplicitLod %f4 %t %uvw", "%proj = OpImageSampleProjExplicitLod %f4 %r %uvw")],
    ),
    ("core-image", "sampling", &[("%all = OpImageGather %f4 %t %uv %i1", "%all = OpImageGather %f4 %t %uv %f0")]),
    (
        "core-image",
        "sampling",
        &[("%all = OpImageGather %f4 %t %uv %i1 Offset %ij", "%all = OpImageGather %f4 %t %uv %i1 Offset %i0")],
    ),
    ("core-image", "sampling", &[("%those = OpImageDrefGather %f4", "%those = OpImageDrefGather %float")]),
    ("core-image", "sampling", &[("%near = OpImageSparseGather %four", "%near = OpImageSparseGather %f4")]),
    (
        "core-image",
        "sampling",
        &[("%tested = OpImageSparseSampleDrefExplicitLod %one", "%tested = OpImageSparseSampleDrefExplicitLod %four")],
    ),
    ("core-image", "sampling", &[("%one = OpTypeStruct %int %float", "%one = OpTypeStruct %float %float")]),
    ("core-image", "sampling", &[("%near = OpImageSparseGather %four", "%near = OpImageSparseGather %one")]),
    (
        "core-image",
        "sampling",
        &[("%here = OpImageSparseTexelsResident %bool", "%here = OpImageSparseTexelsResident %int")],
    ),
    (
        "core-image",
        "sampling",
        &[("%here = OpImageSparseTexelsResident %bool %code", "%here = OpImageSparseTexelsResident %bool %f0")],
    ),
    ("core-image", "sampling", &[("%fetched = OpImageSparseFetch %four", "%fetched = OpImageSparseFetch %one")]),
    (
        "core-image",
        "sampling",
        &[("%fetched = OpImageSparseFetch %four %m %ij Lod %i0", "%fetched = OpImageSparseFetch %four %m %ij Lod %f0")],
    ),
    (
        "core-image",
        "sampling",
        &[("%single = OpImageFetch %f4 %g %ij Sample %i1", "%single = OpImageFetch %f4 %g %ij")],
    ),
    (
        "core-image",
        "sampling",
        &[("%single = OpImageFetch %f4 %g %ij Sample %i1", "%single = OpImageFetch %f4 %m %ij Sample %i1")],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%plain = OpImageSampleImplicitLod %f4 %t %uv Bias|ConstOffset|MinLod %f0 %ij %f0",
            "%plain = OpImageSampleImplicitLod %f4 %t %uv Lod %f0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|ConstOffset %f0 %ij",
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|Bias %f0 %f0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|ConstOffset %f0 %ij",
            "%level = OpImageSampleExplicitLod %f4 %t %uv None",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|ConstOffset %f0 %ij",
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|ConstOffset|Offset %f0 %ij %ij",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|ConstOffset %f0 %ij",
            "%level = OpImageSampleExplicitLod %f4 %t %uv Lod|MinLod %f0 %f0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%slope = OpImageSampleExplicitLod %f4 %t %uv Grad %uv %uv",
            "%slope = OpImageSampleExplicitLod %f4 %t %uv Grad %uvw %uv",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%slope = OpImageSampleExplicitLod %f4 %t %uv Grad %uv %uv",
            "%slope = OpImageSampleExplicitLod %f4 %t %uv Lod|Grad %f0 %uv %uv",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%around = OpImageSampleExplicitLod %f4 %r %uvw Lod %f0",
            "%around = OpImageSampleExplicitLod %f4 %r %uv Lod %f0",
        )],
    ),
    (
        "core-image",
        "sampling",
        &[(
            "%around = OpImageSampleExplicitLod %f4 %r %uvw Lod %f0",
            "%around = OpImageSampleExplicitLod %f4 %r %uvw Lod|ConstOffset %f0 %ij",
        )],
    ),
    ("core-image", "sampling", &[("%used = OpImageQueryLod %f2", "%used = OpImageQueryLod %f3")]),
    ("core-image", "sampling", &[("%used = OpImageQueryLod %f2 %t %uv", "%used = OpImageQueryLod %f2 %t %ij")]),
    ("core-image", "sampling", &[("%levels = OpImageQueryLevels %int %m", "%levels = OpImageQueryLevels %float %m")]),
    ("core-image", "sampling", &[("%samples = OpImageQuerySamples %int %g", "%samples = OpImageQuerySamples %int %m")]),
    ("core-execution-mode", "plain", &[("OpName %main \"main\"", "OpExecutionMode %main OriginUpperLeft")]),
    // ---- functions
    ("core-function", "plain", &[("OpReturnValue %pick", "OpReturnValue %conv")]),
    ("core-function", "plain", &[("OpReturnValue %pick", "OpReturn")]),
    (
        "core-function",
        "plain",
        &[
            ("%out = OpFunctionParameter %p_fn\n", ""),
            ("OpStore %out %n\n", ""),
            ("%helper %old %local", "%helper %old"),
        ],
    ),
    ("core-function", "plain", &[("%conv =", "%self = OpFunctionCall %uint %helper %n %out\n%conv =")]),
    (
        "core-call",
        "plain",
        &[("%called = OpFunctionCall %uint %helper %old %local", "%called = OpFunctionCall %uint %helper %old")],
    ),
    (
        "core-call",
        "plain",
        &[("%called = OpFunctionCall %uint %helper %old %local", "%called = OpFunctionCall %uint %helper %f1 %local")],
    ),
    // ---- operands
    ("core-operands", "plain", &[("%a = OpIAdd %uint %old %u1", "%a = OpIAdd %uint %old %f1")]),
    ("core-operands", "plain", &[("%sum = OpFAdd %float %x %f1", "%sum = OpIAdd %float %x %f1")]),
    ("core-operands", "plain", &[("%less = OpULessThan %bool %old %u8", "%less = OpULessThan %bool %old %c2")]),
    ("core-operands", "plain", &[("%conv = OpConvertUToF %float %n", "%conv = OpConvertUToF %float %f1")]),
    ("core-operands", "plain", &[("%pick = OpSelect %uint %true %back %n", "%pick = OpSelect %uint %n %back %n")]),
    (
        "core-operands",
        "plain",
        &[("%x = OpCompositeExtract %float %texel 0", "%x = OpCompositeExtract %float %texel 4")],
    ),
    (
        "core-operands",
        "plain",
        &[("%new = OpCompositeInsert %f4 %root %texel 3", "%new = OpCompositeInsert %f4 %n2 %texel 3")],
    ),
    (
        "core-operands",
        "plain",
        &[("%xy = OpCompositeConstruct %v2 %id %length", "%xy = OpCompositeConstruct %v2 %id %length %id")],
    ),
    ("core-operands", "plain", &[("%length = OpArrayLength %uint %buf 1", "%length = OpArrayLength %uint %buf 0")]),
    ("core-operands", "plain", &[("Reduce %id", "Reduce %less")]),
    ("core-operands", "physical", &[("%halves = OpBitcast %v2 %value", "%halves = OpBitcast %v2 %plain")]),
    (
        "core-operands",
        "physical",
        &[
            ("%pointer = OpConvertUToPtr %p_node %address", "%pointer = OpConvertUToPtr %p_node %again0"),
            ("%at =", "%again0 = OpUndef %p_node\n%at ="),
        ],
    ),
    ("core-ext-inst", "plain", &[("%glsl Sqrt %sum", "%glsl Sqrt %id")]),
    ("core-ext-inst", "plain", &[("%glsl Sqrt %sum", "%glsl Pow %sum")]),
    ("core-ext-inst", "plain", &[("%glsl Sqrt %sum", "%glsl 200 %sum")]),
    ("core-ext-inst", "plain", &[("GLSL.std.450", "GLSL.std.451")]),
    // ---- control flow
    ("core-block", "plain", &[("OpReturnValue %pick", "OpBranch %hentry")]),
    (
        "core-block",
        "plain",
        &[
            ("%test = OpLabel\n%more = OpULessThan %bool %i %either\nOpBranchConditional %more %body %after\n", ""),
            (
                "%leave = OpLabel",
                "%test = OpLabel\n%more = OpULessThan %bool %i %either\nOpBranchConditional %more %body %after\n%leave = OpLabel",
            ),
        ],
    ),
    ("core-block", "plain", &[("%kept = OpLabel", "%kept = OpLabel\n%late = OpVariable %p_fn Function")]),
    (
        "core-block",
        "plain",
        &[(
            "%either = OpPhi %uint %a %then %b %else",
            "%plus = OpIAdd %uint %old %old\n%either = OpPhi %uint %a %then %b %else",
        )],
    ),
    ("core-phi", "plain", &[("%either = OpPhi %uint %a %then %b %else", "%either = OpPhi %uint %a %then")]),
    ("core-phi", "plain", &[("%either = OpPhi %uint %a %then %b %else", "%either = OpPhi %uint %a %then %f1 %else")]),
    ("core-branch", "plain", &[("OpBranchConditional %less %then %else", "OpBranchConditional %old %then %else")]),
    ("core-branch", "plain", &[("OpSwitch %id %end 1 %one 2 %two", "OpSwitch %less %end 1 %one 2 %two")]),
    ("core-branch", "plain", &[("%kept = OpLabel\nOpBranch %continue", "%kept = OpLabel\nOpBranch %hentry")]),
    (
        "core-branch",
        "plain",
        &[("%kept = OpLabel\nOpBranch %continue", "%kept = OpLabel\nOpBranchConditional %odd %continue %continue")],
    ),
    ("core-merge", "plain", &[("OpSelectionMerge %joined None\n", "")]),
    ("core-merge", "plain", &[("OpSelectionMerge %end None\n", "")]),
    ("core-merge", "plain", &[("OpSelectionMerge %kept None", "OpSelectionMerge %after None")]),
    ("core-back-edge", "plain", &[("%kept = OpLabel\nOpBranch %continue", "%kept = OpLabel\nOpBranch %test")]),
    (
        "core-nesting",
        "plain",
        &[
            ("%one = OpLabel\nOpBranch %two", "%one = OpLabel\nOpBranch %both"),
            ("%two = OpLabel\nOpBranch %end", "%two = OpLabel\nOpBranch %both\n%both = OpLabel\nOpBranch %end"),
        ],
    ),
    (
        "core-back-edge",
        "plain",
        &[
            (
                "%next = OpIAdd %uint %i %u1\nOpBranch %header",
                "%next = OpIAdd %uint %i %u1\nOpSelectionMerge %k2 None\nOpBranchConditional %odd %k1 %k2\n%k1 = OpLabel\n\
             OpReturn\n%k2 = OpLabel\nOpBranch %header",
            ),
            ("%next %continue\n", "%next %k2\n"),
        ],
    ),
    ("core-nesting", "plain", &[("1 %one 2 %two", "2 %two 1 %one")]),
    (
        "core-nesting",
        "plain",
        &[(
            "%one = OpLabel\nOpBranch %two",
            "%one = OpLabel\nOpSelectionMerge %m1 None\nOpBranchConditional %less %x1 %m1\n%x1 = OpLabel\n\
             OpBranch %two\n%m1 = OpLabel\nOpBranch %two",
        )],
    ),
];
