//! A device on which the memory of a graph goes wrong in the middle of a dispatch.

use wgc_abi::device as abi;
use wgc_runtime::device::{
    AccelerationStructureId, BindingsId, BufferId, Command, Device, ImageDesc, ImageId, Limits, PipelineId,
    ResourceBinding, Result, SamplerDesc, SamplerId,
};
use wgc_runtime::scene::SceneDesc;

/// What goes wrong with a queue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Behind the launch that follows: its first page is the first page of the arena.
    Page,
    /// At once: a word at this place of its first page changes.
    Word(u64),
}

/// The fault comes behind the launch named `after`.
pub struct Planted<D> {
    device: D,
    after: &'static str,
    queue: u64,
    fault: Fault,
    buffers: Vec<BufferId>,
    context: abi::Context,
    /// Launches since that one.
    since: Option<u32>,
}

impl<D: Device> Planted<D> {
    pub fn new(device: D, after: &'static str, queue: u64, fault: Fault) -> Self {
        Self { device, after, queue, fault, buffers: Vec::new(), context: abi::Context::default(), since: None }
    }

    fn at(&self, address: u64) -> BufferId {
        let found = self.buffers.iter().find(|buffer| self.device.buffer_address(**buffer) == address);
        *found.expect("a buffer begins there")
    }

    fn plant(&mut self) -> Result<()> {
        let mut state = vec![0; abi::QueueState::SIZE];
        let queues = self.at(self.context.queues);
        self.device.read_buffer(queues, self.queue * abi::QueueState::SIZE as u64, &mut state)?;
        let state = abi::QueueState::decode(&state).unwrap();
        let table = self.at(self.context.pages);
        let (entry, first) = (u64::from(state.first_page) * 8, self.context.chunks[0]);
        let place = match self.fault {
            Fault::Page => return self.device.write_buffer(table, entry, &first.to_le_bytes()),
            Fault::Word(place) => place,
        };
        let mut page = [0; 8];
        self.device.read_buffer(table, entry, &mut page)?;
        self.device.write_buffer(self.at(first), u64::from_le_bytes(page) - first + place, &[7; 4])
    }
}

impl<D: Device> Device for Planted<D> {
    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        for command in commands {
            self.device.submit(std::slice::from_ref(command))?;
            if let Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. } = command {
                self.since = match self.since {
                    None => (label == self.after).then_some(0),
                    Some(launches) => Some(launches + 1),
                };
                if self.since == Some(u32::from(self.fault == Fault::Page)) {
                    self.plant()?;
                }
            }
        }
        Ok(())
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        let buffer = self.device.create_buffer(bytes)?;
        self.buffers.push(buffer);
        Ok(buffer)
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
        self.buffers.retain(|known| *known != buffer);
        self.device.destroy_buffer(buffer);
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        if data.len() == abi::Context::SIZE {
            self.context = abi::Context::decode(data).unwrap();
        }
        self.device.write_buffer(buffer, offset, data)
    }

    fn name(&self) -> String {
        self.device.name()
    }

    fn limits(&self) -> &Limits {
        self.device.limits()
    }

    fn offers(&self, feature: &str) -> bool {
        self.device.offers(feature)
    }

    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.device.buffer_address(buffer)
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        self.device.read_buffer(buffer, offset, data)
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
    ) -> Result<PipelineId> {
        self.device.create_pipeline(words, entry, layout, push_bytes)
    }
}
