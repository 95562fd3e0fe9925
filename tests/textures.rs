//! Textures on the CPU device only, on both targets. `quads` combines minimum levels and residency, which the software
//! Vulkan device lacks, with derivatives in compute shaders. `samples` has multisampled textures with contents from the
//! host, which that device lacks too.

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
