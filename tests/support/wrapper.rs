//! A device that forwards everything to another one, except for a test's overrides.

#![allow(dead_code, reason = "each test binary uses a part")]

use std::sync::Arc;
use wgc_abi::device as abi;
use wgc_runtime::device::{
    AccelerationStructureId, BindingsId, BufferId, Clock, Command, Device, Finding, ImageDesc, ImageId, Limits,
    PipelineId, ResourceBinding, Result, SamplerDesc, SamplerId,
};
use wgc_runtime::mesh::{MeshShape, Meshes};
use wgc_runtime::scene::SceneDesc;

/// A test's replacements for functions of a device.
pub trait Overrides {
    fn limits<'d>(&'d self, device: &'d dyn Device) -> &'d Limits {
        device.limits()
    }

    fn knows_the_undefined(&self, device: &dyn Device) -> bool {
        device.knows_the_undefined()
    }

    /// Returns the bytes to write instead of `data`.
    fn written(&mut self, data: &[u8]) -> Vec<u8> {
        data.to_vec()
    }

    /// Submits commands; `known` are the existing buffers.
    fn submit(&mut self, device: &mut dyn Device, _known: &Known, commands: &[Command]) -> Result<()> {
        device.submit(commands)
    }
}

/// The buffers of a device, and the last written context.
#[derive(Default)]
pub struct Known {
    /// Buffers with their sizes in bytes.
    buffers: Vec<(BufferId, u64)>,
    pub context: abi::Context,
}

impl Known {
    fn place(&self, device: &dyn Device, address: u64) -> (BufferId, u64) {
        let place = |(buffer, bytes): &(BufferId, u64)| {
            let offset = address.checked_sub(device.buffer_address(*buffer))?;
            (offset < *bytes).then_some((*buffer, offset))
        };
        self.buffers.iter().rev().find_map(place).expect("there is a buffer at that address")
    }

    /// Reads bytes at an address.
    pub fn read(&self, device: &mut dyn Device, address: u64, bytes: usize) -> Result<Vec<u8>> {
        let (buffer, offset) = self.place(device, address);
        let mut out = vec![0; bytes];
        device.read_buffer(buffer, offset, &mut out)?;
        Ok(out)
    }

    pub fn write(&self, device: &mut dyn Device, address: u64, bytes: &[u8]) -> Result<()> {
        let (buffer, offset) = self.place(device, address);
        device.write_buffer(buffer, offset, bytes)
    }
}

pub struct Wrapper<D, O> {
    pub device: D,
    pub overrides: O,
    known: Known,
}

impl<D: Device, O: Overrides> Wrapper<D, O> {
    pub fn new(device: D, overrides: O) -> Self {
        Self { device, overrides, known: Known::default() }
    }
}

impl<D: Device, O: Overrides> Device for Wrapper<D, O> {
    fn name(&self) -> String {
        self.device.name()
    }

    fn limits(&self) -> &Limits {
        self.overrides.limits(&self.device)
    }

    fn offers(&self, feature: &str) -> bool {
        self.device.offers(feature)
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        let buffer = self.device.create_buffer(bytes)?;
        self.known.buffers.push((buffer, bytes));
        Ok(buffer)
    }

    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.device.buffer_address(buffer)
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        let data = self.overrides.written(data);
        if let Some(context) = abi::Context::decode(&data).filter(|_| data.len() == abi::Context::SIZE) {
            self.known.context = context;
        }
        self.device.write_buffer(buffer, offset, &data)
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        self.device.read_buffer(buffer, offset, data)
    }

    fn name_buffer(&mut self, buffer: BufferId, name: &str) {
        self.device.name_buffer(buffer, name);
    }

    fn disregard(&mut self, buffer: BufferId) {
        self.device.disregard(buffer);
    }

    fn knows_the_undefined(&self) -> bool {
        self.overrides.knows_the_undefined(&self.device)
    }

    fn forget(&mut self, buffer: BufferId, offset: u64, bytes: u64) -> Result<()> {
        self.device.forget(buffer, offset, bytes)
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
        self.known.buffers.retain(|(known, _)| *known != buffer);
        self.device.destroy_buffer(buffer);
    }

    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId> {
        self.device.create_image(desc)
    }

    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()> {
        self.device.write_image(image, texels)
    }

    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>> {
        self.device.read_image(image)
    }

    fn create_sampler(&mut self, desc: SamplerDesc) -> Result<SamplerId> {
        self.device.create_sampler(desc)
    }

    fn create_acceleration_structure(&mut self, desc: &SceneDesc) -> Result<AccelerationStructureId> {
        self.device.create_acceleration_structure(desc)
    }

    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId> {
        self.device.create_bindings(bindings)
    }

    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId> {
        self.device.create_pipeline(words, entry, layout, push_bytes, wave_size)
    }

    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        self.overrides.submit(&mut self.device, &self.known, commands)
    }

    fn clock(&self) -> Option<Clock> {
        self.device.clock()
    }

    fn submit_measured(&mut self, commands: &[Command]) -> Result<Vec<u64>> {
        self.device.submit_measured(commands)
    }

    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        self.device.take_meshes()
    }

    fn mesh_shape(&self, words: &[u32], entry: &str) -> Option<Arc<MeshShape>> {
        self.device.mesh_shape(words, entry)
    }

    fn take_messages(&mut self) -> Option<Vec<String>> {
        self.device.take_messages()
    }

    fn take_findings(&mut self) -> Option<Vec<Finding>> {
        self.device.take_findings()
    }
}
