//! Modules that break one rule each: functions, operands and control flow.

use super::Broken;

/// Pointers that are selected at run time, into a buffer and into workgroup memory.
pub const CHOSEN_BUFFER: (&str, &str) =
    ("%old = OpLoad %uint %place", "%chosen = OpSelect %p_u %true %place %place\n%old = OpLoad %uint %chosen");
pub const CHOSEN_SHARED: (&str, &str) = (
    "%before = OpAtomicIAdd %uint %slot",
    "%chosen = OpSelect %p_s %true %slot %slot\n%before = OpAtomicIAdd %uint %chosen",
);

pub const BROKEN: &[Broken] = &[
    // ---- declarations that are no targets of a decoration
    ("core-decoration", "plain", &[("OpDecorate %wg BuiltIn", "OpDecorate %glsl NonWritable\nOpDecorate %wg BuiltIn")]),
    ("core-decoration", "plain", &[("OpDecorate %wg BuiltIn", "OpDecorate %glsl SpecId 5\nOpDecorate %wg BuiltIn")]),
    (
        "core-decoration",
        "plain",
        &[("OpDecorate %wg BuiltIn", "OpMemberDecorate %glsl 0 Offset 0\nOpDecorate %wg BuiltIn")],
    ),
    ("core-type", "plain", &[("%image = ", "%nothing = OpTypeImage %void 2D 0 0 0 2 Rgba32f\n%image = ")]),
    // ---- parts of composites
    ("core-operands", "plain", &[("%id = OpCompositeExtract %uint %id3 0", "%id = OpCompositeExtract %uint %id3")]),
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
    // ---- pointers
    ("core-pointer", "plain", &[CHOSEN_BUFFER]),
    (
        "core-pointer",
        "plain",
        &[("OpCapability Shader", "OpCapability Shader\nOpCapability VariablePointersStorageBuffer"), CHOSEN_SHARED],
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
    ("core-ext-inst", "plain", &[("%glsl Sqrt %sum", "%glsl FrexpStruct %sum %sum")]),
    (
        "core-ext-inst",
        "plain",
        &[
            (
                "OpMemoryModel Logical GLSL450",
                "%set = OpExtInstImport \"NonSemantic.Shader.DebugInfo.100\"\nOpMemoryModel Logical GLSL450",
            ),
            ("%ft = ", "%none = OpExtInst %uint %set 0\n%ft = "),
        ],
    ),
    ("core-ext-inst", "plain", &[("GLSL.std.450", "SPV_AMD_gcn_shader"), ("%glsl Sqrt %sum", "%glsl 3 %sum")]),
    ("core-ext-inst", "plain", &[("GLSL.std.450", "SPV_AMD_shader_ballot"), ("%glsl Sqrt %sum", "%glsl 5 %sum")]),
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
    ("core-branch", "plain", &[("OpBranchConditional %less %then %else", "OpBranchConditional %less %then %else 1")]),
    ("core-branch", "plain", &[("OpSwitch %id %end 1 %one 2 %two", "OpSwitch %less %end 1 %one 2 %two")]),
    ("core-branch", "plain", &[("%kept = OpLabel\nOpBranch %continue", "%kept = OpLabel\nOpBranch %hentry")]),
    (
        "core-branch",
        "plain",
        &[("%kept = OpLabel\nOpBranch %continue", "%kept = OpLabel\nOpBranchConditional %odd %continue %continue")],
    ),
    (
        "core-control",
        "plain",
        &[("OpLoopMerge %after %continue None", "OpLoopMerge %after %continue Unroll|DontUnroll")],
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
