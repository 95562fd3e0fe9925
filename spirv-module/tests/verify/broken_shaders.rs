//! Modules that break one rule each: ray queries, mesh shaders and samples.

use super::Broken;

pub const BROKEN: &[Broken] = &[
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
    // ---- built-ins of other stages
    ("core-builtin", "plain", &[("OpDecorate %wg BuiltIn WorkgroupId", "OpDecorate %wg BuiltIn Position")]),
    ("core-builtin", "plain", &[("OpDecorate %wg BuiltIn WorkgroupId", "OpDecorate %wg BuiltIn FragCoord")]),
    ("core-builtin", "plain", &[("OpDecorate %wg BuiltIn WorkgroupId", "OpDecorate %wg BuiltIn InstanceIndex")]),
    ("core-builtin", "plain", &[("OpDecorate %wg BuiltIn WorkgroupId", "OpDecorate %wg BuiltIn FrontFacing")]),
    // A member of a block.
    (
        "core-builtin",
        "plain",
        &[
            (
                "OpDecorate %wg BuiltIn WorkgroupId",
                "OpDecorate %inputs Block\nOpMemberDecorate %inputs 0 BuiltIn VertexIndex",
            ),
            ("%p_in = OpTypePointer Input %v3", "%inputs = OpTypeStruct %v3\n%p_in = OpTypePointer Input %inputs"),
            ("%id3 = OpLoad %v3 %wg", "%in = OpLoad %inputs %wg\n%id3 = OpCompositeExtract %v3 %in 0"),
        ],
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
    // Constants above the limits of an entry point, in it and in its callees.
    ("core-mesh", "mesh", &[("OpSetMeshOutputsEXT %u8 %u4", "OpSetMeshOutputsEXT %u8 %u8")]),
    ("core-mesh", "mesh", &[("OpExecutionMode %main OutputVertices 8", "OpExecutionMode %main OutputVertices 7")]),
    ("core-mesh", "mesh", &[("OpSetMeshOutputsEXT %u0 %u0", "OpSetMeshOutputsEXT %u0 %u8")]),
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
    // ---- operands and results of samples
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
    (
        "core-execution-mode",
        "plain",
        &[
            ("OpExecutionMode %main", "OpEntryPoint Fragment %shade \"shade\"\nOpExecutionMode %main"),
            (
                "%main = OpFunction",
                "%shade = OpFunction %void None %ft\n%shade_l = OpLabel\nOpReturn\nOpFunctionEnd\n%main = OpFunction",
            ),
        ],
    ),
    (
        "core-memory-model",
        "plain",
        &[(
            "OpCapability ImageQuery\n",
            "OpCapability ImageQuery\nOpCapability VulkanMemoryModel\nOpExtension \"SPV_KHR_vulkan_memory_model\"\n",
        )],
    ),
];
