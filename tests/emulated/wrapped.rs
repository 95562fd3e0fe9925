//! A device around another one, with other limits, that keeps the recorded commands.

use std::sync::Arc;
use wgc_abi::device as abi;
use wgc_runtime::device::{
    BindingsId, BufferId, Command, Device, ImageDesc, ImageId, Limits, PipelineId, ResourceBinding, Result, SamplerId,
};
use wgc_runtime::mesh::{MeshShape, Meshes};

/// A device with other limits, which may report another number of pages to the kernels, and keeps recorded commands.
pub struct Wrapped<D> {
    pub device: D,
    pub limits: Limits,
    pub page_count: Option<u32>,
    /// Labels of the commands between two barriers.
    pub steps: Vec<Vec<String>>,
    /// A label whose dispatches do not run; their workgroups are stored.
    pub left_out: Option<&'static str>,
    pub launched: Vec<[u32; 3]>,
    /// True if appending shaders launch: checks rows of 64 workgroups, of which only the last has spare ones.
    pub appended: bool,
}

impl<D: Device> Wrapped<D> {
    pub fn new(device: D) -> Self {
        Self {
            limits: device.limits().clone(),
            device,
            page_count: None,
            steps: vec![Vec::new()],
            left_out: None,
            launched: Vec::new(),
            appended: false,
        }
    }
}

impl<D: Device> Device for Wrapped<D> {
    fn name(&self) -> String {
        self.device.name()
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn offers(&self, feature: &str) -> bool {
        self.device.offers(feature)
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        self.device.create_buffer(bytes)
    }

    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.device.buffer_address(buffer)
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        match (self.page_count, abi::Context::decode(data)) {
            (Some(page_count), Some(context)) if data.len() == abi::Context::SIZE => {
                let context = abi::Context { page_count, ..context };
                self.device.write_buffer(buffer, offset, &context.to_bytes())
            }
            _ => self.device.write_buffer(buffer, offset, data),
        }
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        self.device.read_buffer(buffer, offset, data)
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
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

    fn create_sampler(&mut self, desc: wgc_runtime::device::SamplerDesc) -> Result<SamplerId> {
        self.device.create_sampler(desc)
    }

    fn create_acceleration_structure(
        &mut self,
        desc: &wgc_runtime::scene::SceneDesc,
    ) -> wgc_runtime::device::Result<wgc_runtime::device::AccelerationStructureId> {
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

    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        self.device.take_meshes()
    }

    fn mesh_shape(&self, words: &[u32], entry: &str) -> Option<Arc<MeshShape>> {
        self.device.mesh_shape(words, entry)
    }

    /// Checks that dispatches respect the limits that this device claims.
    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        for command in commands {
            let groups = match command {
                Command::Dispatch { groups, .. } => *groups,
                Command::DispatchIndirect { args, offset, .. } => {
                    // The earlier commands have run.
                    let mut bytes = [0; 12];
                    self.device.read_buffer(*args, *offset, &mut bytes)?;
                    let words = bytes.as_chunks::<4>().0;
                    [0, 1, 2].map(|word: usize| u32::from_le_bytes(words[word]))
                }
                _ => [0; 3],
            };
            match (command, self.steps.last_mut()) {
                (Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. }, Some(step)) => {
                    assert!(
                        groups.iter().zip(self.limits.max_groups).all(|(&n, most)| n <= most),
                        "{label}: {groups:?}"
                    );
                    let indirect = matches!(command, Command::DispatchIndirect { .. });
                    assert!(!self.appended || !indirect || groups[1] == 1 || groups[0] == 64, "{label}: {groups:?}");
                    step.push(label.clone());
                }
                (Command::Barrier, _) => self.steps.push(Vec::new()),
                _ => {}
            }
            if let Command::DispatchIndirect { label, .. } = command
                && self.left_out == Some(label)
            {
                self.launched.push(groups);
                continue;
            }
            self.device.submit(std::slice::from_ref(command))?;
        }
        Ok(())
    }
}
