//! Textures on the CPU device only, on both targets. The software Vulkan device lacks minimum levels and residency in
//! addition to derivatives in compute shaders. It also lacks textures with several samples and contents from the host.

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
