//! A compute device on a Vulkan 1.2 driver.
//!
//! Only this folder calls Vulkan. It is the plain host that a compute shader or an emulated package needs: buffers with
//! addresses, images, acceleration structures, one queue, and submissions that are waited for. Two folders know graphs.
//! `embed` records emulated ones into the commands of an engine, and `enqueue` passes native ones to drivers that
//! execute them. Every object owns the handles that it wraps and keeps the logical device alive. Dropping a
//! [`VulkanDevice`] in any state therefore releases everything.
//!
//! With `WGC_VULKAN_VALIDATION=1` in the environment the Khronos validation layer is loaded. Its reports become the
//! error of the call that caused them.

mod bindings;
pub mod embed;
mod enqueue;
mod features;
mod gpu;
mod image;
mod instance;
mod memory;
mod nowhere;
mod pipeline;
mod reconvergence;
mod sampler;
mod scene;
mod subgroups;
mod submit;
pub mod testing;
#[cfg(test)]
mod tests;

use std::rc::Rc;
use std::time::Duration;

use crate::device::{
    AccelerationStructureId, BindingsId, BufferId, Clock, Command, Device, DeviceError, ImageDesc, ImageId, Limits,
    PipelineId, ResourceBinding, Result, SamplerDesc, SamplerId,
};

use crate::scene::SceneDesc;

pub use self::enqueue::{DispatchForm, ExecutionGraphId, GraphModule, GraphRecords, Missing, StageNode};
pub use self::features::MINIMUM_LAVAPIPE;
pub use self::instance::{DeviceKind, PhysicalDeviceInfo, list_devices};

use self::bindings::Bindings;
use self::enqueue::ExecutionGraph;
use self::gpu::{Gpu, Purpose};
use self::image::Image;
use self::instance::VulkanInstance;
use self::memory::Buffer;
use self::pipeline::Pipeline;
use self::sampler::Sampler;
use self::scene::Scene;
use self::submit::{Queries, Submitter};

/// A logical device with all its objects.
///
/// Identifiers count up and are never reused, so a stale one is an error and never another object.
pub struct VulkanDevice {
    // Fields drop in this order: objects first. Each holds the `Gpu` too, so the order is tidy rather than necessary.
    pipelines: Vec<Pipeline>,
    graphs: Vec<ExecutionGraph>,
    bindings: Vec<Bindings>,
    scenes: Vec<Scene>,
    samplers: Vec<Sampler>,
    images: Vec<Image>,
    buffers: Vec<Option<Buffer>>,
    submitter: Submitter,
    gpu: Rc<Gpu>,
}

impl VulkanDevice {
    /// Opens the best device that can run emulated graphs, or the first whose name contains `name`, ignoring case. Real
    /// GPUs come before software devices.
    ///
    /// # Errors
    /// No loader, no driver, no such device, or required features are missing: the message names them.
    pub fn open(name: Option<&str>) -> Result<Self> {
        Self::on(Gpu::open(VulkanInstance::new()?, name, Purpose::Compute)?)
    }

    /// Opens the best device that executes native graphs, `VK_AMDX_shader_enqueue`, or the first so named.
    ///
    /// # Errors
    /// The errors of [`VulkanDevice::open`]; missing parts of the extension are named too, including entry points.
    pub fn open_for_graphs(name: Option<&str>) -> Result<Self> {
        Self::on(Gpu::open(VulkanInstance::new()?, name, Purpose::Graphs)?)
    }

    fn on(gpu: Gpu) -> Result<Self> {
        let gpu = Rc::new(gpu);
        let submitter = Submitter::new(&gpu)?;
        Ok(Self {
            pipelines: Vec::new(),
            graphs: Vec::new(),
            bindings: Vec::new(),
            scenes: Vec::new(),
            samplers: Vec::new(),
            images: Vec::new(),
            buffers: Vec::new(),
            submitter,
            gpu,
        })
    }

    /// Creates an execution graph from the nodes of all modules, with the bindings of `layout`. `push_bytes` is the
    /// size of the block of push constants.
    ///
    /// # Errors
    /// The device was not opened for graphs, it lacks features of a module, or the driver fails.
    pub fn create_graph(
        &mut self,
        modules: &[GraphModule],
        layout: Option<BindingsId>,
        push_bytes: u32,
    ) -> Result<ExecutionGraphId> {
        let id = next_id(&self.graphs)?;
        let graph = ExecutionGraph::new(&self.gpu, modules, self.set_layouts(layout)?, push_bytes);
        self.graphs.push(self.gpu.instance.validated(graph)?);
        Ok(ExecutionGraphId(id))
    }

    /// Runs one dispatch of a graph to its end.
    ///
    /// # Errors
    /// Objects or nodes that do not exist, push constants of another size, or a driver error.
    pub fn dispatch_graph(
        &mut self,
        graph: ExecutionGraphId,
        bindings: Option<BindingsId>,
        push: &[u8],
        form: DispatchForm,
        inputs: &[GraphRecords],
    ) -> Result<()> {
        let sets = match bindings {
            Some(id) => lookup_bindings(&self.bindings, id)?.sets(),
            None => &[],
        };
        let graph = self.graphs.get_mut(graph.0 as usize).ok_or_else(|| unknown("execution graph", graph.0))?;
        graph.dispatch(&mut self.submitter, form, inputs, sets, push)
    }

    /// Starts reading the device's clock around each submission, for [`VulkanDevice::take_time`].
    ///
    /// # Errors
    /// The queue has no clock.
    pub fn time_submissions(&mut self) -> Result<()> {
        self.submitter.time()
    }

    /// Takes the device time of submissions since the last call; zero unless they are timed.
    pub fn take_time(&mut self) -> Duration {
        self.submitter.take_time()
    }

    fn set_layouts(&self, layout: Option<BindingsId>) -> Result<&[vulkanalia::vk::DescriptorSetLayout]> {
        layout.map_or(Ok(&[][..]), |id| Ok(lookup_bindings(&self.bindings, id)?.set_layouts()))
    }

    fn buffer(&self, id: BufferId) -> Result<&Buffer> {
        lookup_buffer(&self.buffers, id)
    }

    /// Reads through a buffer in memory that the host caches.
    fn read_by_copy(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        let source = lookup_buffer(&self.buffers, buffer)?;
        source.check_copy(offset, data.len())?;
        let staging = Buffer::staging(&self.gpu, data.len() as u64)?;
        self.submitter.run(|commands| source.record_copy(commands, offset, &staging, data.len()))?;
        staging.read(0, data)
    }

    fn image(&self, id: ImageId) -> Result<&Image> {
        self.images.get(id.0 as usize).ok_or_else(|| unknown("image", id.0))
    }
}

/// The least size at which a read of uncached memory goes through a copy: about the cost of a submission.
const COPIED_READ: usize = 16 << 10;

fn unknown(what: &str, id: u32) -> DeviceError {
    DeviceError::new(format!("the {what} {id} does not exist on this device"))
}

fn lookup_buffer(buffers: &[Option<Buffer>], id: BufferId) -> Result<&Buffer> {
    buffers.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(|| unknown("buffer", id.0))
}

fn lookup_bindings(bindings: &[Bindings], id: BindingsId) -> Result<&Bindings> {
    bindings.get(id.0 as usize).ok_or_else(|| unknown("set of bindings", id.0))
}

/// Returns the index of the next object as an identifier.
fn next_id<T>(objects: &[T]) -> Result<u32> {
    u32::try_from(objects.len()).map_err(|_| DeviceError::new("too many objects on one device"))
}

impl Device for VulkanDevice {
    fn name(&self) -> String {
        format!("vulkan:{}", self.gpu.info.name)
    }

    fn limits(&self) -> &Limits {
        &self.gpu.limits
    }

    fn is_gpu(&self) -> bool {
        self.gpu.info.kind != DeviceKind::Cpu
    }

    fn offers(&self, feature: &str) -> bool {
        self.gpu.support.offers(feature)
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        let id = next_id(&self.buffers)?;
        let buffer = self.gpu.instance.validated(Buffer::new(&self.gpu, bytes))?;
        self.buffers.push(Some(buffer));
        Ok(BufferId(id))
    }

    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.buffer(buffer).map_or(0, Buffer::address)
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        self.buffers
            .get_mut(buffer.0 as usize)
            .and_then(Option::as_mut)
            .ok_or_else(|| unknown("buffer", buffer.0))?
            .write(offset, data)
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        self.gpu.is_alive()?;
        let source = self.buffer(buffer)?;
        if data.len() >= COPIED_READ && source.reads_slowly() {
            return self.read_by_copy(buffer, offset, data);
        }
        source.read(offset, data)
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
        if let Some(slot) = self.buffers.get_mut(buffer.0 as usize) {
            *slot = None;
        }
    }

    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId> {
        let id = next_id(&self.images)?;
        let image = self.gpu.instance.validated(Image::new(&self.gpu, desc))?;
        self.submitter.run(|commands| image.record_clear(commands))?;
        self.images.push(image);
        Ok(ImageId(id))
    }

    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()> {
        let target = self.images.get(image.0 as usize).ok_or_else(|| unknown("image", image.0))?;
        let staging = target.upload_staging(texels)?;
        self.submitter.run(|commands| target.record_upload(commands, &staging))
    }

    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>> {
        let source = self.images.get(image.0 as usize).ok_or_else(|| unknown("image", image.0))?;
        let staging = source.download_staging()?;
        self.submitter.run(|commands| source.record_download(commands, &staging))?;
        let mut texels = vec![0; source.bytes()];
        staging.read(0, &mut texels)?;
        Ok(texels)
    }

    fn create_sampler(&mut self, desc: SamplerDesc) -> Result<SamplerId> {
        let id = next_id(&self.samplers)?;
        self.samplers.push(Sampler::new(&self.gpu, desc)?);
        Ok(SamplerId(id))
    }

    fn create_acceleration_structure(&mut self, desc: &SceneDesc) -> Result<AccelerationStructureId> {
        let id = next_id(&self.scenes)?;
        let made = Scene::new(&self.gpu, &mut self.submitter, desc);
        self.scenes.push(self.gpu.instance.validated(made)?);
        Ok(AccelerationStructureId(id))
    }

    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId> {
        let id = next_id(&self.bindings)?;
        let made = Bindings::new(
            &self.gpu,
            bindings,
            |id| self.buffer(id),
            |id| self.image(id),
            |id| self.samplers.get(id.0 as usize).ok_or_else(|| unknown("sampler", id.0)),
            |id| self.scenes.get(id.0 as usize).ok_or_else(|| unknown("acceleration structure", id.0)),
        );
        let made = self.gpu.instance.validated(made)?;
        self.bindings.push(made);
        Ok(BindingsId(id))
    }

    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId> {
        let id = next_id(&self.pipelines)?;
        let pipeline = Pipeline::new(&self.gpu, words, entry, self.set_layouts(layout)?, push_bytes, wave_size);
        let pipeline = self.gpu.instance.validated(pipeline)?;
        self.pipelines.push(pipeline);
        Ok(PipelineId(id))
    }

    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        submit::check(commands, &self.pipelines, &self.bindings, &self.buffers, &self.gpu.limits)?;
        let (gpu, pipelines, bindings, buffers) = (&self.gpu, &self.pipelines, &self.bindings, &self.buffers);
        self.submitter.run(|buffer| submit::record(gpu, buffer, commands, pipelines, bindings, buffers, None))
    }

    fn clock(&self) -> Option<Clock> {
        (self.gpu.timestamp_bits != 0).then_some(Clock::Nanoseconds)
    }

    fn submit_measured(&mut self, commands: &[Command]) -> Result<Vec<u64>> {
        if self.gpu.timestamp_bits == 0 {
            return Err(DeviceError::new(format!("{} has no timestamps", self.name())));
        }
        submit::check(commands, &self.pipelines, &self.bindings, &self.buffers, &self.gpu.limits)?;
        let queries = Queries::new(&self.gpu, commands.len() as u32 + 1)?;
        let (gpu, pipelines, bindings, buffers) = (&self.gpu, &self.pipelines, &self.bindings, &self.buffers);
        let record = |buffer| submit::record(gpu, buffer, commands, pipelines, bindings, buffers, Some(&queries));
        self.submitter.run(record)?;
        queries.read()
    }
}
