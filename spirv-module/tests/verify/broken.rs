//! Modules that break one rule each: a frame with some lines changed.

/// The rule, the frame (`plain`, `physical` or `rays`), and the replacements.
pub type Broken = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

#[path = "broken_code.rs"]
pub mod code;
#[path = "broken_memory.rs"]
mod memory;
#[path = "broken_shaders.rs"]
mod shaders;

/// Iterates over all of them, by subject.
pub fn all() -> impl Iterator<Item = &'static Broken> {
    [BROKEN, memory::BROKEN, code::BROKEN, shaders::BROKEN].into_iter().flatten()
}

const BROKEN: &[Broken] = &[
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
    ("core-decoration", "plain", &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %u1 Aliased")]),
    ("core-decoration", "plain", &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %a Coherent")]),
    ("core-decoration", "plain", &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %a Flat")]),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %shared Flat")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %count NoPerspective")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %shared Centroid")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %count Invariant")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %shared Location 0")],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %count BuiltIn Position")],
    ),
    (
        "core-decoration",
        "plain",
        &[
            ("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %count InputAttachmentIndex 0"),
            ("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability InputAttachment"),
        ],
    ),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %spec SpecId 1", "OpDecorate %spec SpecId 1\nOpDecorate %shared NonWritable")],
    ),
    (
        "core-order",
        "plain",
        &[("OpName %main \"main\"", "%file = OpString \"a\"\nOpLine %file 1 1\nOpName %main \"main\"")],
    ),
    ("core-merge", "plain", &[("OpBranchConditional", "OpNoLine\nOpBranchConditional")]),
    ("core-derivatives", "plain", &[("%a = OpIAdd", "%slope = OpDPdx %float %f1\n%a = OpIAdd")]),
    (
        "core-stage",
        "plain",
        &[
            ("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability Geometry"),
            ("%a = OpIAdd", "OpEmitVertex\n%a = OpIAdd"),
        ],
    ),
    (
        "core-stage",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability DemoteToHelperInvocation\nOpExtension \"SPV_EXT_demote_to_helper_invocation\"",
            ),
            ("%a = OpIAdd", "%helps = OpIsHelperInvocationEXT %bool\n%a = OpIAdd"),
        ],
    ),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"",
            ),
            ("%a = OpIAdd", "%turned = OpGroupNonUniformRotateKHR %uint %u3 %u1 %f1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-scope",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability GroupNonUniformRotateKHR\nOpExtension \"SPV_KHR_subgroup_rotate\"",
            ),
            ("%a = OpIAdd", "%turned = OpGroupNonUniformRotateKHR %uint %u1 %u1 %u1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"",
            ),
            ("%a = OpIAdd", "%likely = OpExpectKHR %uint %u1 %f1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"",
            ),
            ("%a = OpIAdd", "%likely = OpExpectKHR %float %f1 %f1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability ExpectAssumeKHR\nOpExtension \"SPV_KHR_expect_assume\"",
            ),
            ("%a = OpIAdd", "OpAssumeTrueKHR %u1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"",
            ),
            ("%a = OpIAdd", "%time = OpReadClockKHR %uint %u3\n%a = OpIAdd"),
        ],
    ),
    (
        "core-scope",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability ShaderClockKHR\nOpExtension \"SPV_KHR_shader_clock\"",
            ),
            ("%a = OpIAdd", "%time = OpReadClockKHR %v2 %u2\n%a = OpIAdd"),
        ],
    ),
    (
        "core-opcode",
        "plain",
        &[
            ("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability SparseResidency"),
            ("%a = OpIAdd", "%texels = OpImageSparseSampleProjImplicitLod %f4 %f1 %f1\n%a = OpIAdd"),
        ],
    ),
    ("core-operands", "plain", &[("%a = OpIAdd", "%is_same = OpPtrEqual %bool %u1 %buf\n%a = OpIAdd")]),
    ("core-pointer", "plain", &[("%a = OpIAdd", "%is_same = OpPtrEqual %bool %buf %buf\n%a = OpIAdd")]),
    (
        "core-operands",
        "plain",
        &[
            (
                "OpCapability ImageQuery",
                "OpCapability ImageQuery\nOpCapability DerivativeControl\nOpCapability ComputeDerivativeGroupLinearKHR\nOpExtension \"SPV_KHR_compute_shader_derivatives\"",
            ),
            (
                "OpExecutionMode %main LocalSize 4 2 1",
                "OpExecutionMode %main LocalSize 4 2 1\nOpExecutionMode %main DerivativeGroupLinearKHR",
            ),
            ("%a = OpIAdd", "%slope = OpDPdxFine %uint %u1\n%a = OpIAdd"),
        ],
    ),
    (
        "core-rays",
        "rays",
        &[(
            "OpRayQueryInitializeKHR",
            "%scene2 = OpConvertUToAccelerationStructureKHR %uint %u0\nOpRayQueryInitializeKHR",
        )],
    ),
    ("core-stage", "plain", &[("OpReturn\nOpFunctionEnd", "OpKill\nOpFunctionEnd")]),
    ("core-operands", "plain", &[("%void = OpTypeVoid", "OpLine %glsl 1 1\n%void = OpTypeVoid")]),
    ("core-operands", "plain", &[("%a = OpIAdd", "OpLine %uint 1 1\n%a = OpIAdd")]),
    ("core-operands", "plain", &[("OpName %main \"main\"", "OpSource HLSL 600 %glsl\nOpName %main \"main\"")]),
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
    ("core-decoration", "plain", &[("OpDecorate %sum NoContraction", "OpDecorate %sum RelaxedPrecision 1")]),
    ("core-decoration", "plain", &[("OpDecorate %sum NoContraction", "OpDecorate %uint Uniform")]),
    ("core-decoration", "plain", &[("OpDecorate %sum NoContraction", "OpDecorate %twice SpecId 2")]),
    (
        "core-extension",
        "plain",
        &[("OpCapability ImageQuery", "OpCapability ImageQuery\nOpCapability ShaderEnqueueAMDX")],
    ),
    ("core-enum", "plain", &[("OpSelectionMerge %joined None", "OpSelectionMerge %joined 32")]),
    ("core-enum", "plain", &[("OpDecorate %sum NoContraction", "OpDecorate %sum 999")]),
    ("core-name", "plain", &[("OpName %main \"main\"", "OpMemberName %blk 2 \"none\"")]),
    ("core-name", "plain", &[("OpName %main \"main\"", "OpMemberName %uint 0 \"none\"")]),
    // ---- types and constants
    ("core-type", "plain", &[("%f2 = OpTypeVector %float 2", "%f2 = OpTypeVector %float 5")]),
    ("core-type", "plain", &[("%f2 = OpTypeVector %float 2", "%f2 = OpTypeVector %v2 2")]),
    ("core-type", "plain", &[("%image = ", "%zero = OpTypeArray %uint %u0\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeStruct %rta %uint\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%rows = OpTypeArray %rta %u8\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%rows = OpTypeRuntimeArray %rta\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeFunction %void %void\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeStruct %u8\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeVector %u8 2\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeMatrix %u8 2\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeArray %u8 %u8\n%image = ")]),
    ("core-type", "plain", &[("%image = ", "%bad = OpTypeRuntimeArray %u8\n%image = ")]),
    ("core-constant", "plain", &[("%image = ", "%bad = OpUndef %void\n%image = ")]),
    ("core-constant", "plain", &[("%image = ", "%bad = OpUndef %u8\n%image = ")]),
    (
        "core-operands",
        "plain",
        &[("%a = OpIAdd %uint %old %u1", "%nothing = OpUndef %void\n%a = OpIAdd %uint %old %u1")],
    ),
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
];
