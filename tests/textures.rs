//! Textures on the CPU device only, on both targets. `quads` combines minimum levels and residency, which the software
//! Vulkan device lacks, with derivatives in compute shaders. `samples` has multisampled textures with contents from the
//! host, which that device lacks too.

mod support;

use support::wgc;

#[test]
fn cpu_device_runs_quad_and_sample_programs() {
    for file in ["quads", "samples"] {
        for target in ["spirv-amdx", "spirv-emulated"] {
            let inputs = format!("tests/textures/{file}.run.json");
            let ran = wgc(support::root(), ["run", "--inputs", &inputs, "--target", target, "--device", "cpu"]);
            assert_eq!(ran.status, 0, "{file} on {target}\n{}{}", ran.out(), ran.stderr);
        }
    }
}
