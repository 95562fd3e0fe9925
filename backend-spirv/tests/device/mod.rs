//! Helpers that run emitted compute modules on the CPU device, and on a Vulkan driver if there is one
//! (`WGC_REQUIRE_VULKAN=1` requires it).

#![allow(dead_code, reason = "each test file uses a part")]

use wgc_backend_spirv::{EmitOptions, emit_compute};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{BindingsId, BufferId, Command, Device, ResourceBinding, Resources};
use wgc_runtime::vulkan::testing;

pub fn on_devices(test: impl Fn(&mut dyn Device)) {
    test(&mut CpuDevice::new(CpuSettings::default()));
    if let Some(mut device) = testing::device() {
        test(&mut device);
    }
}

/// A buffer with its initial contents, at set 0. Its position in the list is the binding.
pub enum Input {
    Storage(Vec<u8>),
    Uniform(Vec<u8>),
    /// A storage buffer that is the one of an earlier binding.
    Same(usize),
}

pub fn bind(device: &mut dyn Device, inputs: &[Input]) -> (Vec<BufferId>, BindingsId) {
    let mut buffers = Vec::new();
    let mut bindings = Vec::new();
    for (binding, input) in (0..).zip(inputs) {
        let buffer = match input {
            Input::Storage(bytes) | Input::Uniform(bytes) => {
                let buffer = device.create_buffer(bytes.len() as u64).unwrap();
                device.write_buffer(buffer, 0, bytes).unwrap();
                buffer
            }
            Input::Same(earlier) => buffers[*earlier],
        };
        buffers.push(buffer);
        let resources = match input {
            Input::Storage(_) | Input::Same(_) => Resources::StorageBuffers(vec![buffer]),
            Input::Uniform(_) => Resources::UniformBuffers(vec![buffer]),
        };
        bindings.push(ResourceBinding { set: 0, binding, resources });
    }
    let bindings = device.create_bindings(&bindings).unwrap();
    (buffers, bindings)
}

pub fn contents(device: &mut dyn Device, buffer: BufferId, inputs: &[Input], n: usize) -> Vec<u8> {
    let bytes = match &inputs[n] {
        Input::Storage(bytes) | Input::Uniform(bytes) => bytes,
        Input::Same(earlier) => return contents(device, buffer, inputs, *earlier),
    };
    let mut out = vec![0; bytes.len()];
    device.read_buffer(buffer, 0, &mut out).unwrap();
    out
}

/// Runs one workgroup of `main`; returns the last buffer.
pub fn run(device: &mut dyn Device, module: &wgc_ir::Module, inputs: &[Input]) -> Vec<u8> {
    if let Err(errors) = wgc_ir::verify(module) {
        panic!("{}\n{}", errors[0], wgc_ir::print(module));
    }
    let words = emit_compute(module, &EmitOptions::default()).unwrap().words;
    let (buffers, bindings) = bind(device, inputs);
    let pipeline = device.create_pipeline(&words, "main", Some(bindings), 0, None).unwrap();
    let dispatch = Command::Dispatch {
        pipeline,
        bindings: Some(bindings),
        push: Vec::new(),
        groups: [1; 3],
        label: String::new(),
    };
    device.submit(&[dispatch, Command::Barrier]).unwrap();
    let last = inputs.len() - 1;
    contents(device, buffers[last], inputs, last)
}
