//! Debug messages of shaders. The CPU device collects them; another device without a debugger drops them. On both the
//! shader continues.

use crate::harness::{DEVICES, compile};
use std::sync::PoisonError;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device, ResourceBinding, Resources};
use wgc_runtime::vulkan::testing;

const SHADER: &str = include_str!("debugging.hlsl");

/// Runs the shader; returns the results of each thread.
fn run(device: &mut dyn Device) -> Vec<u8> {
    let buffer = device.create_buffer(16).expect("a buffer");
    let resources = Resources::StorageBuffers(vec![buffer]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).expect("bindings");
    let pipeline = device.create_pipeline(&compile(SHADER), "main", Some(bindings), 0, None).expect("a pipeline");
    let (push, label, groups) = (Vec::new(), String::new(), [1, 1, 1]);
    let dispatch = Command::Dispatch { pipeline, bindings: Some(bindings), push, groups, label };
    device.submit(&[dispatch]).expect("a dispatch");
    let mut out = vec![0; 16];
    device.read_buffer(buffer, 0, &mut out).expect("the results");
    out
}

#[test]
fn debug_messages_are_per_thread_and_have_no_side_effects() {
    let left = [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0];
    let mut device = CpuDevice::new(CpuSettings::default());
    assert_eq!(run(&mut device), left);
    let messages = [
        "once per thread",
        "once per thread",
        "once per thread",
        "once per thread",
        "thread 0 of 4",
        "thread 1 of 4",
        "thread 2 of 4",
        "thread 3 of 4",
        "1.000000, 2.500000, -3.000000 and   2.5|ab2",
        "1% -2 0.500000 0.001",
        "2.000000 7.000000\n",
        "abort()",
    ];
    assert_eq!(device.take_messages(), Some(messages.map(String::from).to_vec()));

    let _one = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mut device) = testing::device() {
        assert_eq!(run(&mut device), left);
        assert_eq!(device.take_messages(), None);
    }
}
