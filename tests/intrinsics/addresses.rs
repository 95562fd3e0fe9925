//! Memory at 64-bit addresses, on both devices: the values that a shader reads and writes.

use crate::harness::{DEVICES, compile};
use std::sync::PoisonError;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device, ResourceBinding, Resources};
use wgc_runtime::vulkan::testing;

const SHADER: &str = include_str!("addresses.hlsl");
const THREADS: usize = 4;
/// Bytes of each thread.
const EACH: usize = 64;

/// Returns the bytes of one thread, with zeros where nothing was written.
fn bytes(parts: &[(usize, &[u8])]) -> Vec<u8> {
    let mut out = vec![0; EACH];
    for (at, part) in parts {
        out[*at..at + part.len()].copy_from_slice(part);
    }
    out
}

/// Returns the initial values of the fields of `Whole`.
fn fields(thread: usize) -> (u32, [f32; 3], u64) {
    let n = thread as u32;
    (10 + n, [1.5, n as f32, -2.0], 0xffff_ffff - 1 + u64::from(n))
}

fn three(x: [f32; 3]) -> Vec<u8> {
    x.iter().flat_map(|x| x.to_le_bytes()).collect()
}

fn before(thread: usize) -> Vec<u8> {
    let (first, at, wide) = fields(thread);
    bytes(&[(0, &first.to_le_bytes()), (4, &three(at)), (16, &wide.to_le_bytes())])
}

fn after(thread: usize) -> Vec<u8> {
    let (n, (first, [x, y, z], wide)) = (thread as u32, fields(thread));
    bytes(&[
        (0, &(first * 3).to_le_bytes()),
        (4, &three([x, y + 0.5, z])),
        (16, &wide.to_le_bytes()),
        (32, &(n + 100).to_le_bytes()),
        (38, &(n as u16 + 7).to_le_bytes()),
        (40, &n.to_le_bytes()),
        (44, &9u32.to_le_bytes()),
    ])
}

fn results(thread: usize) -> Vec<u8> {
    let (first, at, wide) = fields(thread);
    bytes(&[
        (0, &first.to_le_bytes()),
        (4, &three(at)),
        (16, &wide.to_le_bytes()),
        (24, &(wide + 1).to_le_bytes()),
        (32, &(first * 3).to_le_bytes()),
    ])
}

/// Runs the shader; returns its results and the memory afterwards.
fn run(device: &mut dyn Device) -> (Vec<u8>, Vec<u8>) {
    let size = (THREADS * EACH) as u64;
    let memory = device.create_buffer(size).expect("a buffer");
    let contents: Vec<u8> = (0..THREADS).flat_map(before).collect();
    device.write_buffer(memory, 0, &contents).expect("contents");
    let addresses = device.create_buffer(8).expect("a buffer");
    let address = device.buffer_address(memory).to_le_bytes();
    device.write_buffer(addresses, 0, &address).expect("an address");
    let out = device.create_buffer(size).expect("a buffer");
    let binding =
        |binding, buffer| ResourceBinding { set: 0, binding, resources: Resources::StorageBuffers(vec![buffer]) };
    let bindings = device.create_bindings(&[binding(0, addresses), binding(1, out)]).expect("bindings");
    let pipeline = device.create_pipeline(&compile(SHADER), "main", Some(bindings), 0, None).expect("a pipeline");
    let (push, label, groups) = (Vec::new(), String::new(), [1, 1, 1]);
    let dispatch = Command::Dispatch { pipeline, bindings: Some(bindings), push, groups, label };
    device.submit(&[dispatch]).expect("a dispatch");
    let mut read = |buffer| {
        let mut bytes = vec![0; THREADS * EACH];
        device.read_buffer(buffer, 0, &mut bytes).expect("the results");
        bytes
    };
    (read(out), read(memory))
}

#[test]
fn memory_at_addresses() {
    let expected: (Vec<u8>, Vec<u8>) =
        ((0..THREADS).flat_map(results).collect(), (0..THREADS).flat_map(after).collect());
    assert_eq!(run(&mut CpuDevice::new(CpuSettings::default())), expected, "the CPU device");
    let _one = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(mut device) = testing::device() {
        assert_eq!(run(&mut device), expected, "Vulkan");
    }
}
