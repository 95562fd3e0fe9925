//! Tests of instructions whose types depend on each other: those of GLSL.std.450, and bit operations. SPIRV-Tools 2023.1
//! gave the verdict of each row, for Vulkan 1.2.

use wgc_spirv_module::{Module, asm, verify};

/// A module with an operand of each type. `RESULT` stands for the tested instruction.
const FRAME: &str = "OpCapability Shader
OpCapability Int64
OpCapability Float64
OpCapability Float16
OpCapability Int16
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%i32 = OpTypeInt 32 1
%u64 = OpTypeInt 64 0
%u16 = OpTypeInt 16 0
%f32 = OpTypeFloat 32
%f64 = OpTypeFloat 64
%f16 = OpTypeFloat 16
%v2f32 = OpTypeVector %f32 2
%v2u32 = OpTypeVector %u32 2
%v2i32 = OpTypeVector %i32 2
%m22 = OpTypeMatrix %v2f32 2
%v3f32 = OpTypeVector %f32 3
%m23 = OpTypeMatrix %v3f32 2
%pf = OpTypePointer Function %f32
%pi = OpTypePointer Function %i32
%pu = OpTypePointer Function %u32
%pu64 = OpTypePointer Function %u64
%sff = OpTypeStruct %f32 %f32
%sfu = OpTypeStruct %f32 %u32
%sfi = OpTypeStruct %f32 %i32
%cu32 = OpConstant %u32 1
%ci32 = OpConstant %i32 1
%cu64 = OpConstant %u64 1
%cu16 = OpConstant %u16 1
%cf32 = OpConstant %f32 1
%cf64 = OpConstant %f64 1
%cf16 = OpConstant %f16 0x3c00
%cv2 = OpConstantComposite %v2f32 %cf32 %cf32
%cv2u = OpConstantComposite %v2u32 %cu32 %cu32
%cv2i = OpConstantComposite %v2i32 %ci32 %ci32
%cv3 = OpConstantComposite %v3f32 %cf32 %cf32 %cf32
%cm = OpConstantComposite %m22 %cv2 %cv2
%cm23 = OpConstantComposite %m23 %cv3 %cv3
%main = OpFunction %void None %fn
%l = OpLabel
%vf = OpVariable %pf Function
%vi = OpVariable %pi Function
%vu = OpVariable %pu Function
%vu64 = OpVariable %pu64 Function
%r = RESULT
OpReturn
OpFunctionEnd
";

const ACCEPTED: &[&str] = &[
    "OpExtInst %u64 %glsl FindILsb %cu64",
    "OpExtInst %f64 %glsl Sqrt %cf64",
    "OpExtInst %f64 %glsl Normalize %cf64",
    "OpExtInst %f64 %glsl FMix %cf64 %cf64 %cf64",
    "OpExtInst %f16 %glsl Tanh %cf16",
    "OpExtInst %f64 %glsl InverseSqrt %cf64",
    "OpExtInst %f64 %glsl Ldexp %cf64 %cu64",
    "OpExtInst %f64 %glsl Ldexp %cf64 %cu32",
    "OpExtInst %f32 %glsl Ldexp %cf32 %cu16",
    "OpExtInst %f32 %glsl Refract %cf32 %cf32 %cf32",
    "OpExtInst %v2f32 %glsl Refract %cv2 %cv2 %cf32",
    "OpExtInst %v2f32 %glsl Refract %cv2 %cv2 %cf64",
    "OpExtInst %f64 %glsl Refract %cf64 %cf64 %cf64",
    "OpExtInst %f32 %glsl Modf %cf32 %vf",
    "OpExtInst %f32 %glsl Frexp %cf32 %vi",
    "OpExtInst %f32 %glsl Frexp %cf32 %vu",
    "OpExtInst %sff %glsl ModfStruct %cf32",
    "OpExtInst %sfu %glsl FrexpStruct %cf32",
    "OpExtInst %sfi %glsl FrexpStruct %cf32",
    "OpExtInst %f32 %glsl Determinant %cm",
    "OpExtInst %m22 %glsl MatrixInverse %cm",
    "OpExtInst %f64 %glsl PackDouble2x32 %cv2u",
    "OpExtInst %f64 %glsl PackDouble2x32 %cv2i",
    "OpExtInst %v2u32 %glsl UnpackDouble2x32 %cf64",
    "OpExtInst %v2i32 %glsl UnpackDouble2x32 %cf64",
    "OpExtInst %u32 %glsl PackHalf2x16 %cv2",
    "OpExtInst %i32 %glsl PackHalf2x16 %cv2",
    "OpExtInst %v3f32 %glsl Cross %cv3 %cv3",
    "OpExtInst %i32 %glsl UMin %cu32 %ci32",
    "OpExtInst %i32 %glsl SMin %cu32 %ci32",
    "OpExtInst %i32 %glsl SAbs %cu32",
    "OpExtInst %f32 %glsl NClamp %cf32 %cf32 %cf32",
    "OpExtInst %f32 %glsl Length %cv2",
    "OpExtInst %f64 %glsl Length %cf64",
    "OpExtInst %f32 %glsl FaceForward %cf32 %cf32 %cf32",
    "OpExtInst %v2f32 %glsl Ldexp %cv2 %cv2i",
    "OpExtInst %v2u32 %glsl FindUMsb %cv2u",
    "OpBitCount %u32 %cu32",
    "OpBitCount %u64 %cu32",
    "OpBitCount %u16 %cu32",
];

const REFUSED: &[&str] = &[
    "OpExtInst %u64 %glsl FindSMsb %cu64",
    "OpExtInst %u16 %glsl FindUMsb %cu16",
    "OpExtInst %f64 %glsl Sin %cf64",
    "OpExtInst %f64 %glsl Radians %cf64",
    "OpExtInst %f64 %glsl Pow %cf64 %cf64",
    "OpExtInst %f64 %glsl Atan2 %cf64 %cf64",
    "OpExtInst %f64 %glsl Exp %cf64",
    "OpExtInst %f64 %glsl Tanh %cf64",
    "OpExtInst %f32 %glsl Ldexp %cf32 %cv2u",
    "OpExtInst %v2f32 %glsl Refract %cv2 %cv2 %cu32",
    "OpExtInst %f32 %glsl Modf %cf32 %vi",
    "OpExtInst %f32 %glsl Modf %cf32 %cf32",
    "OpExtInst %f32 %glsl Frexp %cf32 %vu64",
    "OpExtInst %f32 %glsl Frexp %cf32 %vf",
    "OpExtInst %u32 %glsl Frexp %cf32 %vi",
    "OpExtInst %sfu %glsl ModfStruct %cf32",
    "OpExtInst %sff %glsl FrexpStruct %cf32",
    "OpExtInst %f32 %glsl Determinant %cm23",
    "OpExtInst %f64 %glsl Determinant %cm",
    "OpExtInst %m23 %glsl MatrixInverse %cm23",
    "OpExtInst %f64 %glsl PackDouble2x32 %cv2",
    "OpExtInst %f32 %glsl PackDouble2x32 %cv2u",
    "OpExtInst %v2u32 %glsl UnpackDouble2x32 %cf32",
    "OpExtInst %f32 %glsl InterpolateAtCentroid %vf",
    "OpExtInst %i32 %glsl IMix %ci32 %ci32 %ci32",
    "OpExtInst %f32 %glsl IMix %ci32 %ci32 %ci32",
    "OpExtInst %f32 %glsl Cross %cf32 %cf32",
    "OpExtInst %f32 %glsl Length %cv2i",
    "OpExtInst %v2f32 %glsl Length %cv2",
    "OpExtInst %f32 %glsl Distance %cv2 %cv3",
    "OpExtInst %u32 %glsl FindUMsb %cv2u",
    "OpBitCount %u32 %cu64",
    "OpBitCount %u32 %cu16",
    "OpBitReverse %u64 %cu64",
    "OpBitReverse %u16 %cu16",
    "OpBitFieldUExtract %u64 %cu64 %cu32 %cu32",
    "OpBitFieldUExtract %u16 %cu16 %cu32 %cu32",
    "OpBitFieldInsert %u64 %cu64 %cu64 %cu32 %cu32",
    "OpBitFieldSExtract %u64 %cu64 %cu32 %cu32",
];

/// Returns the rules that a module with the instruction breaks.
fn broken_rules(instruction: &str) -> Vec<&'static str> {
    let text = FRAME.replace("RESULT", instruction);
    let words = asm::assemble(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let module = Module::load(&words).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&module).iter().map(|v| v.rule).collect()
}

#[test]
fn instructions_with_fitting_types_are_accepted() {
    for instruction in ACCEPTED {
        assert_eq!(broken_rules(instruction), [""; 0], "{instruction}");
    }
}

#[test]
fn instructions_with_other_types_are_refused() {
    for instruction in REFUSED {
        let rule = if instruction.starts_with("OpExtInst") { "core-ext-inst" } else { "core-operands" };
        let rules = broken_rules(instruction);
        assert!(rules.contains(&rule), "{instruction}: {rules:?}");
    }
}

/// The pointer is to an input, as the instruction wants, but the shader has no fragments.
#[test]
fn inputs_are_interpolated_only_in_fragment_shaders() {
    let text = FRAME
        .replace("OpCapability Int16", "OpCapability Int16\nOpCapability InterpolationFunction")
        .replace("OpEntryPoint GLCompute %main \"main\"", "OpEntryPoint GLCompute %main \"main\" %input")
        .replace("%void = OpTypeVoid", "OpDecorate %input Location 0\n%void = OpTypeVoid")
        .replace(
            "%main = OpFunction",
            "%pin = OpTypePointer Input %f32\n%input = OpVariable %pin Input\n%main = OpFunction",
        )
        .replace("RESULT", "OpExtInst %f32 %glsl InterpolateAtCentroid %input");
    let module = Module::load(&asm::assemble(&text).expect("it assembles")).expect("it loads");
    let rules: Vec<_> = verify(&module).iter().map(|v| v.rule).collect();
    assert_eq!(rules, ["core-stage"]);
    let fragment = text
        .replace("OpEntryPoint GLCompute", "OpEntryPoint Fragment")
        .replace("OpExecutionMode %main LocalSize 1 1 1", "OpExecutionMode %main OriginUpperLeft");
    let module = Module::load(&asm::assemble(&fragment).expect("it assembles")).expect("it loads");
    assert_eq!(verify(&module).iter().map(|v| v.to_string()).collect::<Vec<_>>(), [""; 0]);
}

/// Each width of floats has its own capability.
#[test]
fn float_atomics_need_the_capability_of_their_width() {
    for (op, width, capability) in [
        ("FAdd", 32, "AtomicFloat32AddEXT"),
        ("FAdd", 64, "AtomicFloat64AddEXT"),
        ("FAdd", 16, "AtomicFloat16AddEXT"),
        ("FMin", 32, "AtomicFloat32MinMaxEXT"),
        ("FMax", 64, "AtomicFloat64MinMaxEXT"),
        ("FMax", 16, "AtomicFloat16MinMaxEXT"),
    ] {
        for other in [
            "AtomicFloat16AddEXT",
            "AtomicFloat32AddEXT",
            "AtomicFloat64AddEXT",
            "AtomicFloat16MinMaxEXT",
            "AtomicFloat32MinMaxEXT",
            "AtomicFloat64MinMaxEXT",
        ] {
            let extensions = "OpExtension \"SPV_EXT_shader_atomic_float_add\"
OpExtension \"SPV_EXT_shader_atomic_float_min_max\"
OpExtension \"SPV_EXT_shader_atomic_float16_add\"";
            let text = FRAME
                .replace("OpCapability Int16", &format!("OpCapability Int16\nOpCapability {other}\n{extensions}"))
                .replace("%main = OpFunction", &format!("%pw = OpTypePointer Workgroup %f{width}\n%shared = OpVariable %pw Workgroup\n%main = OpFunction"))
                .replace("%main \"main\"", "%main \"main\" %shared")
                .replace("RESULT", &format!("OpAtomic{op}EXT %f{width} %shared %cu32 %none %cf{width}"))
                .replace("%cu32 = OpConstant", "%none = OpConstant %u32 0\n%cu32 = OpConstant");
            let module = Module::load(&asm::assemble(&text).expect("it assembles")).expect("it loads");
            let mut rules: Vec<_> = verify(&module).iter().map(|v| v.rule).collect();
            rules.dedup();
            let expected: &[&str] = if other == capability { &[] } else { &["core-capability"] };
            assert_eq!(rules, expected, "{op} {width} {other}");
        }
    }
}
