//! Textures on the CPU device alone, on both targets: what takes derivatives in compute shaders, least levels, residency,
//! and contents of textures with several samples, none of which the software Vulkan device has.

mod support;

use support::wgc;

#[test]
fn what_only_the_cpu_device_has() {
    for file in ["quads", "samples"] {
        for target in ["spirv-amdx", "spirv-emulated"] {
            let inputs = format!("tests/textures/{file}.run.json");
            let ran = wgc(support::root(), ["run", "--inputs", &inputs, "--target", target, "--device", "cpu"]);
            assert_eq!(ran.status, 0, "{file} on {target}\n{}{}", ran.out(), ran.stderr);
        }
    }
}
