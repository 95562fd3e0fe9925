//! Broken modules are errors or run as they can; the device never panics on one.

#[path = "../../tests/support/random.rs"]
mod random;

use random::Random;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphInput};
use wgc_runtime::device::{Device, ResourceBinding, Resources};

fn module(name: &str) -> Vec<u32> {
    let path = format!("{}/../tests/amdx-graphs/{name}.spv", env!("CARGO_MANIFEST_DIR"));
    wgc_spirv_module::words::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

#[test]
fn mutated_modules_do_not_panic() {
    let modules = [(module("g1"), "entry"), (module("g2"), "rec"), (module("g4"), "e4")];
    let mut random = Random::new(1);
    let (mut built, mut ran) = (0, 0);
    for case in 0..6000 {
        let (words, entry) = &modules[case % 3];
        let mut words = words.clone();
        for _ in 0..1 + random.below(2) {
            // Mostly function bodies: broken declarations rarely reach execution.
            let half = words.len() / 2;
            let at =
                if random.below(5) == 0 { 5 + random.below(half) } else { half + random.below(words.len() - half) };
            match random.below(4) {
                // A nearby number: another id, enumerant or literal, often of the same kind.
                0 => words[at] = words[at].wrapping_add(1 + random.below(3) as u32),
                1 => words[at] = words[at].wrapping_sub(1 + random.below(3) as u32),
                // Another word of the module.
                2 => words[at] = words[5 + random.below(words.len() - 5)],
                _ => words[at] ^= 1 << random.below(32),
            }
        }
        let settings = CpuSettings { fuel: 2000, max_workgroups: 500, ..CpuSettings::default() };
        let mut device = CpuDevice::new(settings);
        let buffer = device.create_buffer(400).unwrap();
        let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
        let bindings = device.create_bindings(&[binding]).unwrap();
        let Ok(graph) = device.create_graph(&words) else { continue };
        built += 1;
        let input = GraphInput { node: (*entry).into(), index: 0, records: vec![0; 64], stride: 32, count: 2 };
        ran += usize::from(device.dispatch_graph(graph, Some(bindings), &[], &[input]).is_ok());
    }
    // The mutations must be small enough to reach execution often.
    assert!(built > 500 && ran > 500, "{built} built, {ran} ran");
}
