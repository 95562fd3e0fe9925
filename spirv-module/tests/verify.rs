//! Tests of the verifier: valid modules pass, and each rule has a module that breaks it and no other.

use wgc_spirv_module::{Module, Violation, asm, verify, words};

fn violations(text: &str) -> Vec<Violation> {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&Module::load(&words).unwrap_or_else(|e| panic!("{e}\n{text}")))
}

fn file(path: &str) -> Module {
    let path = format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"));
    Module::load(&words::from_bytes(&std::fs::read(path).unwrap()).unwrap()).unwrap()
}

#[test]
fn hand_written_graphs_are_valid() {
    for name in ["g1", "g2", "g4"] {
        let found = verify(&file(&format!("tests/amdx-graphs/{name}.spv")));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

const PLAIN: &str = include_str!("verify/plain.spvasm");
const PHYSICAL: &str = include_str!("verify/physical.spvasm");
const RAYS: &str = include_str!("verify/rays.spvasm");
const MESH: &str = include_str!("verify/mesh.spvasm");
const SAMPLING: &str = include_str!("verify/sampling.spvasm");

#[test]
fn base_test_modules_are_valid() {
    for text in [PLAIN, PHYSICAL, RAYS, SAMPLING, MESH] {
        let found = violations(text);
        assert!(found.is_empty(), "{found:#?}");
    }
}

#[path = "verify/broken.rs"]
mod broken;

/// Returns the frame with the changes applied; each must match.
fn changed(frame: &str, changes: &[(&str, &str)]) -> String {
    let mut text = match frame {
        "plain" => PLAIN.to_string(),
        "rays" => RAYS.to_string(),
        "sampling" => SAMPLING.to_string(),
        "mesh" => MESH.to_string(),
        _ => PHYSICAL.to_string(),
    };
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in the frame");
        text = text.replacen(from, to, 1);
    }
    text
}

#[test]
fn each_case_violates_exactly_one_rule() {
    let mut failures = Vec::new();
    for (rule, frame, changes) in broken::all() {
        let found = violations(&changed(frame, changes));
        let wrong = found.iter().find(|v| v.rule != *rule);
        if found.is_empty() || wrong.is_some() {
            failures.push(format!("{rule} {changes:?}\n    {found:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Checks that lines may separate functions, and that Vulkan requires no particular memory model of shaders.
#[test]
fn unspecified_restrictions_are_not_enforced() {
    let line = ("OpName %main \"main\"", "%file = OpString \"a\"\nOpName %main \"main\"");
    for changes in [
        &[line, ("OpFunctionEnd", "OpFunctionEnd\nOpLine %file 3 1\nOpNoLine")][..],
        &[("Logical GLSL450", "Logical Simple")],
    ] {
        let found = violations(&changed("plain", changes));
        assert_eq!(found, [], "{changes:?}");
    }
}

/// Checks that FPFastMathDefault has a type before its constant.
#[test]
fn fast_mathematics_have_a_default_for_each_type() {
    let with = |modes: &str| {
        let begin = "OpCapability ImageQuery\nOpCapability FloatControls2\nOpExtension \"SPV_KHR_float_controls2\"";
        let modes = format!("LocalSize 4 2 1\n{modes}");
        violations(&changed("plain", &[("OpCapability ImageQuery", begin), ("LocalSize 4 2 1", &modes)]))
    };
    assert_eq!(with("OpExecutionModeId %main FPFastMathDefault %float %u0"), []);
    for wrong in [
        "OpExecutionModeId %main FPFastMathDefault %u0 %u0",
        "OpExecutionModeId %main FPFastMathDefault %float %float",
        "OpExecutionModeId %main FPFastMathDefault %float %u0\nOpExecutionModeId %main FPFastMathDefault %float %u1",
    ] {
        let rules: Vec<&str> = with(wrong).iter().map(|v| v.rule).collect();
        assert_eq!(rules, ["core-execution-mode"], "{wrong}");
    }
}

#[test]
fn workgroups_have_a_declared_size_and_threads() {
    let message = |from: &str, to: &str| violations(&changed("plain", &[(from, to)])).remove(0).message;
    let none = message("OpExecutionMode %main LocalSize 4 2 1\n", "");
    assert!(none.ends_with("does not declare the size of its workgroups"), "{none}");
    for size in ["0 2 1", "4 0 1", "4 2 0"] {
        let zero = message("LocalSize 4 2 1", &format!("LocalSize {size}"));
        assert!(zero.ends_with("declares workgroups without threads"), "{zero}");
    }
}

#[test]
fn capabilities_allow_selecting_between_pointers() {
    for (capability, change) in [
        ("VariablePointersStorageBuffer", broken::code::CHOSEN_BUFFER),
        ("VariablePointers", broken::code::CHOSEN_BUFFER),
        ("VariablePointers", broken::code::CHOSEN_SHARED),
    ] {
        let declared = format!("OpCapability Shader\nOpCapability {capability}");
        let found = violations(&changed("plain", &[("OpCapability Shader", &declared), change]));
        assert_eq!(found, [], "{capability} {change:?}");
    }
}

#[test]
fn every_rule_has_a_test() {
    let tested: std::collections::HashSet<&str> = broken::all().map(|b| b.0).chain(OTHERS.iter().copied()).collect();
    for rule in wgc_spirv_module::verify::RULES {
        assert!(tested.contains(rule.id), "{} has no test", rule.id);
    }
}

/// Rules about the header, which the assembler cannot vary: see `versions`.
const OTHERS: &[&str] = &["core-header", "core-version", "core-opcode"];

#[test]
fn versions() {
    let with_version = |version: u32| {
        let mut words = asm::assemble(PLAIN).unwrap();
        words[1] = version;
        let mut found: Vec<_> = verify(&Module::load(&words).unwrap()).iter().map(|v| v.rule).collect();
        found.dedup();
        found
    };
    assert_eq!(with_version(0x0001_0400), [""; 0]);
    assert_eq!(with_version(0x0001_0700), ["core-header"]);
    // Before 1.3 there are no group instructions, and storage buffers need an extension. Before 1.4 an entry point
    // lists only inputs and outputs.
    assert_eq!(with_version(0x0001_0200), ["core-version", "core-extension", "core-interface"]);
}

/// Tests instructions without a row in the grammar: unspecified, of OpenCL, or of a vendor. They have results or none,
/// and are in a block or outside of functions.
#[test]
fn unknown_instructions_are_errors() {
    let words = asm::assemble(PLAIN).expect("it assembles");
    let starts: Vec<usize> = {
        let mut at = 5;
        std::iter::from_fn(|| {
            let start = at;
            at += (*words.get(at)? >> 16) as usize;
            Some(start)
        })
        .collect()
    };
    let behind = |opcode: u32| {
        let start = starts.iter().position(|start| words[*start] & 0xffff == opcode).expect("exactly one is allowed");
        starts[start + 1]
    };
    let (label, int) = (behind(248), behind(21));
    for (at, unknown) in [
        (label, vec![0x0001_4005]),
        (label, vec![0x0003_fff0, 1, 2]),
        (int, vec![0x0002_0023, words[3] - 1]),
        (int, vec![0x0001_fff0]),
        (label, vec![0x0005_15ca, 1, 2, 3, 4]),
    ] {
        let mut words = words.clone();
        words.splice(at..at, unknown.iter().copied());
        let found = verify(&Module::load(&words).expect("it loads"));
        let at_it: Vec<_> = found.iter().filter(|f| f.rule == "core-opcode").map(|f| f.word).collect();
        assert_eq!(at_it, [at], "{unknown:x?}: {found:?}");
    }
}

/// Checks that strings precede the lines and sources that use them, and imports too.
#[test]
fn strings_precede_instructions_that_use_them() {
    let early = |text: &str| {
        let words = asm::assemble(text).expect("it assembles");
        let found = verify(&Module::load(&words).expect("it loads"));
        found.iter().map(|f| f.message.clone()).filter(|m| m.contains("is defined later")).count()
    };
    let head = "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\"\n";
    let mode = "OpExecutionMode %main LocalSize 1 1 1\n";
    let tail = "%void = OpTypeVoid\n%f = OpTypeFunction %void\n%main = OpFunction %void None %f\n%l = OpLabel\n\
        OpReturn\nOpFunctionEnd\n";
    let (file, line) = ("%a = OpString \"a\"\n", "OpLine %a 1 1\n");
    assert_eq!(early(&format!("{head}{mode}{file}{line}{tail}")), 0);
    assert_eq!(early(&format!("{head}{line}{mode}{file}{tail}")), 1);
    assert_eq!(early(&format!("{head}{mode}OpSource HLSL 600 %a\n{file}{tail}")), 1);
    assert_eq!(early(&format!("{head}{mode}{file}OpSource HLSL 600 %a\n{tail}")), 0);
}

/// Writes the broken modules to the directory in `WGC_BROKEN_DIR`, if set, to compare the results with another
/// validator.
#[test]
fn write_broken() {
    let Some(dir) = std::env::var_os("WGC_BROKEN_DIR") else { return };
    for (i, (rule, frame, changes)) in broken::all().enumerate() {
        let words = asm::assemble(&changed(frame, changes)).unwrap();
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        std::fs::write(std::path::Path::new(&dir).join(format!("{i:03}-{rule}.spv")), bytes).unwrap();
    }
}

/// Tests words that are changed at random: if they load, they are verified without a panic, and the verifier ends.
#[test]
fn random_modules_are_verified() {
    let mut state = 0x9E37_79B9_7F4A_7C15u64;
    let mut below = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % n.max(1)
    };
    let frames = [asm::assemble(PLAIN).unwrap(), asm::assemble(PHYSICAL).unwrap()];
    let (mut loaded, mut refused) = (0, 0);
    for _ in 0..4000 {
        let mut words = frames[below(2)].clone();
        let bound = words[3] as usize;
        for _ in 0..=below(4) {
            let at = 5 + below(words.len() - 5);
            words[at] = match below(4) {
                0 => u32::MAX - below(3) as u32,
                1 => words[at] ^ (1 << below(32)),
                _ => 1 + below(bound) as u32,
            };
        }
        if let Ok(module) = Module::load(&words) {
            loaded += 1;
            refused += usize::from(!verify(&module).is_empty());
        }
    }
    assert!(loaded > 500 && refused * 10 > loaded * 5, "{loaded} loaded, {refused} refused");
}

/// Checks that the output of other compilers for older versions is valid too.
#[test]
fn spirv_1_0_modules_are_valid() {
    let mut words = asm::assemble(include_str!("verify/old.spvasm")).unwrap();
    words[1] = 0x0001_0000;
    let found = verify(&Module::load(&words).unwrap());
    assert!(found.is_empty(), "{found:#?}");
    if let Some(dir) = std::env::var_os("WGC_BROKEN_DIR") {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        std::fs::write(std::path::Path::new(&dir).join("valid-old.spv"), bytes).unwrap();
    }
}

/// Checks that before version 1.4 only resources may have the decoration.
#[test]
fn nonwritable_private_variables_require_spirv_1_4() {
    let changes = [
        ("OpDecorate %buf Binding 0", "OpDecorate %buf Binding 0\nOpDecorate %table NonWritable"),
        (
            "%buf = OpVariable",
            "%p_table = OpTypePointer Private %uint\n%table = OpVariable %p_table Private\n%buf = OpVariable",
        ),
    ];
    let mut text = include_str!("verify/old.spvasm").to_string();
    for (from, to) in changes {
        assert!(text.contains(from), "{from:?} is not in the frame");
        text = text.replacen(from, to, 1);
    }
    let mut words = asm::assemble(&text).unwrap();
    let broken = |words: &[u32]| {
        verify(&Module::load(words).unwrap())
            .iter()
            .any(|v| v.rule == "core-decoration" && v.message.starts_with("NonWritable"))
    };
    words[1] = 0x0001_0300;
    assert!(broken(&words));
    words[1] = 0x0001_0400;
    assert!(!broken(&words));
}

/// SPIR-V 1.6 has these sets in the core.
#[test]
fn sets_without_semantics_require_an_extension_before_spirv_1_6() {
    let set = "%set = OpExtInstImport \"NonSemantic.DebugPrintf\"\nOpMemoryModel";
    let extension = "OpExtension \"SPV_KHR_non_semantic_info\"";
    let frame = include_str!("verify/old.spvasm");
    for (minor, before, is_broken) in [(3, "", true), (5, "", true), (5, extension, false), (6, "", false)] {
        let text = frame.replacen("OpMemoryModel", &format!("{before}\n{set}"), 1);
        let mut words = asm::assemble(&text).unwrap();
        words[1] = 0x0001_0000 | minor << 8;
        let found = verify(&Module::load(&words).unwrap());
        let broken =
            found.iter().any(|v| v.rule == "core-extension" && v.message.contains("SPV_KHR_non_semantic_info"));
        assert_eq!(broken, is_broken, "1.{minor} {before}");
    }
}

/// Checks that DXC's modules break no core rule. They keep payload arrays in variables of functions, which only the
/// extension forbids.
#[test]
fn dxc_modules_break_no_core_rule() {
    for name in ["d1", "d2", "d3"] {
        let mut found = verify(&file(&format!("tests/amdx-graphs/dxc/{name}.spv")));
        found.retain(|v| v.rule.starts_with("core-"));
        assert!(found.is_empty(), "{name}: {found:#?}");
    }
}

/// Checks that walks over types end: types that contain each other are opaque, and an error.
#[test]
fn types_that_contain_themselves_are_errors() {
    let circles = [
        "%first = OpTypeArray %second %u1\n%second = OpTypeArray %first %u1\n",
        "%first = OpTypeArray %first %u1\n%second = OpTypeStruct %first\n",
        "%first = OpTypeStruct %uint %second\n%second = OpTypeStruct %first %first\n",
        "%first = OpTypeRuntimeArray %second\n%second = OpTypeStruct %first\n",
        "OpTypeForwardPointer %second Private\n%first = OpTypeStruct %second\n%second = OpTypeArray %first %u1\n",
        "%first = OpTypeVector %second 2\n%second = OpTypeMatrix %first 2\n",
    ];
    for circle in circles {
        let variables = "%to_first = OpTypePointer Private %first\n%to_second = OpTypePointer Workgroup %second\n%in_first = OpVariable %to_first Private\n%in_second = OpVariable %to_second Workgroup\n";
        let anchor = PLAIN.lines().find(|line| line.starts_with("%u1 = OpConstant")).expect("the frame has a one");
        let found = violations(&PLAIN.replacen(anchor, &format!("{anchor}\n{circle}{variables}"), 1));
        assert!(found.iter().any(Violation::is_error), "{circle}");
    }
}
