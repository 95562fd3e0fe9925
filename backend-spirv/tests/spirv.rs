//! Tests of inline SPIR-V: declarations for it, and rejected instructions.

mod common;

use common::{emit, verify};
use wgc_backend_spirv::{EmitOptions, Environment};

/// Returns a compute shader with statements that use a `u32` value `%3` and a place `%2` of a buffer.
fn shader(needs: &str, statements: &str) -> String {
    format!(
        "global @out: buffer<u32 stride 4> writable set 0 binding 0\nentry \"main\" = @main threads 1 1 1\n\
         fn @main() -> void {needs} {{\n  %0: u32 = 0\n  %1: ref<storage, [u32 stride 4]> = global @out\n  \
         %2: ref<storage, u32> = index %1, %0\n  %3: u32 = load %2\n{statements}\n}}\n"
    )
}

fn text(needs: &str, statements: &str, environment: &str) -> String {
    let environment = Environment::find(environment).expect("a known environment");
    let options = EmitOptions { environment, ..EmitOptions::default() };
    match emit(&shader(needs, statements), "inline", &options) {
        Ok(module) => {
            verify("inline", &module);
            module.disassemble()
        }
        Err(error) => error.message,
    }
}

#[test]
fn inline_instructions_declare_required_capabilities() {
    let ballot = "%4: u32 = 3\n%5: u32x4 = zero\n%6: u32 = spirv 342 (%4, 0, %5)\nstore %2, %6";
    let module = text("", ballot, "vulkan1.2");
    assert!(module.contains("OpCapability GroupNonUniformBallot\n"), "{module}");
    assert!(module.contains("OpGroupNonUniformBallotBitCount %uint %uint_3 0 "), "{module}");
    // One existing capability of the grammar's list is enough.
    let reverse = text("", "%4: u32 = spirv 204 (%3)\nstore %2, %4", "vulkan1.2");
    assert!(reverse.contains("= OpBitReverse %uint "), "{reverse}");
    assert!(!reverse.contains("OpCapability Matrix"), "{reverse}");
}

#[test]
fn the_vulkan_memory_model_has_a_capability_for_the_whole_device() {
    let fence = |scope: u32| format!("%4: u32 = {scope}\n%5: u32 = 72\nspirv 225 (%4, %5)");
    let has = |text: String| text.contains("OpCapability VulkanMemoryModelDeviceScope");
    assert!(has(text("", &fence(1), "vulkan1.2")));
    assert!(!has(text("", &fence(2), "vulkan1.2")), "the group needs none");
    assert!(!has(text("", &fence(1), "vulkan1.1")), "the older model has none");
}

#[test]
fn capabilities_and_instruction_sets_are_declared_once() {
    let twice = "%4: u32 = spirv \"GLSL.std.450\" 74 (%3)\n%5: u32 = spirv \"GLSL.std.450\" 74 (%4)\n\
                 spirv \"NonSemantic.X\" 1 (%5)";
    let module = text("capability 39 extension \"SPV_KHR_shader_clock\"", twice, "vulkan1.2");
    for line in [
        "OpCapability Int8\n",
        "OpExtension \"SPV_KHR_shader_clock\"\n",
        "OpExtension \"SPV_KHR_non_semantic_info\"\n",
        "OpExtInstImport \"GLSL.std.450\"\n",
        "OpExtInstImport \"NonSemantic.X\"\n",
    ] {
        assert_eq!(module.matches(line).count(), 1, "{line}: {module}");
    }
    let later = text("", "spirv \"NonSemantic.X\" 1 ()", "vulkan1.3");
    assert!(!later.contains("non_semantic_info"), "part of the core: {later}");
}

#[test]
fn constants_precede_functions() {
    let module = text("", "%4: u32 = spirv 43 (42)\nstore %2, %4", "vulkan1.2");
    let (constant, function) = (module.find("OpConstant %uint 42"), module.find("OpFunction "));
    assert!(constant.is_some() && constant < function, "{module}");
}

#[test]
fn inline_spirv_rejects_unsupported_instructions() {
    let cases = [
        ("spirv 99999 ()", "no instruction with the number 99999"),
        ("spirv 253 ()", "OpReturn cannot be inline"),
        ("spirv 248 ()", "OpLabel cannot be inline"),
        ("spirv 71 (0)", "OpDecorate cannot be inline"),
        ("%4: u32 = spirv 21 (8, 0)", "OpTypeInt cannot be inline"),
        ("%4: u32 = spirv 59 (7)", "OpVariable cannot be inline"),
        ("%4: u32 = spirv 224 (%3, %3, %3)", "OpControlBarrier has no result"),
        ("spirv 204 (%3)", "OpBitReverse has a result"),
    ];
    for (statement, message) in cases {
        let found = text("", statement, "vulkan1.2");
        assert!(found.contains(message), "{statement}: {found}");
    }
    let found = text("capability 123456", "", "vulkan1.2");
    assert!(found.contains("no capability with the number 123456"), "{found}");
}
