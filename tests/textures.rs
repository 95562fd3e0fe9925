//! Textures on the CPU device alone, on both targets: least levels and residency, which the software Vulkan device does not
//! have, beside derivatives in compute shaders, and textures with several samples whose contents the host gives.

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
