//! Recording commands, submitting them and waiting. There is one command buffer, rerecorded for every submission.

use std::rc::Rc;
use std::time::Duration;

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::ExtDebugUtilsExtensionInstanceCommands;

use super::bindings::Bindings;
use super::gpu::Gpu;
use super::instance::failed;
use super::memory::Buffer;
use super::pipeline::Pipeline;
use super::{lookup_buffer, unknown};
use crate::device::{BindingsId, Cause, Command, DeviceError, Limits, PipelineId, Result};

pub(super) struct Submitter {
    gpu: Rc<Gpu>,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    /// The queries around each submission, if they are timed.
    clock: Option<Queries>,
    /// The time by that clock since the last call of `take_time`.
    taken: Duration,
}

impl Submitter {
    pub fn new(gpu: &Rc<Gpu>) -> Result<Self> {
        let mut made = Self {
            gpu: gpu.clone(),
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
            clock: None,
            taken: Duration::ZERO,
        };
        let pool = vk::CommandPoolCreateInfo::builder().queue_family_index(gpu.queue_family);
        // SAFETY: the structures live until after the calls; the drop releases objects created before a failure.
        unsafe {
            made.pool = gpu.device.create_command_pool(&pool, None).map_err(failed("create a command pool"))?;
            let buffers = vk::CommandBufferAllocateInfo::builder()
                .command_pool(made.pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let buffers = gpu.device.allocate_command_buffers(&buffers).map_err(failed("create a command buffer"))?;
            made.commands = buffers.first().copied().unwrap_or_default();
            made.fence =
                gpu.device.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed("create a fence"))?;
        }
        Ok(made)
    }

    /// Starts timing: the device's clock is read before and after the commands of each submission.
    ///
    /// # Errors
    /// The queue has no clock.
    pub fn time(&mut self) -> Result<()> {
        if self.gpu.timestamp_bits == 0 {
            return Err(DeviceError::new(format!("{} has no timestamps", self.gpu.info.name)));
        }
        if self.clock.is_none() {
            self.clock = Some(Queries::new(&self.gpu, 2)?);
        }
        Ok(())
    }

    /// Takes the device time of submissions since the last call.
    pub fn take_time(&mut self) -> Duration {
        std::mem::take(&mut self.taken)
    }

    /// Runs the commands that `record` records, and waits until they have finished and the host can see their writes.
    ///
    /// # Errors
    /// Nothing has run, or, if the device is lost, an unknown part.
    pub fn run(&mut self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        self.gpu.is_alive()?;
        let done = self.run_alive(record);
        if done.as_ref().is_err_and(|error| error.cause == Cause::Lost) {
            self.gpu.lost.set(true);
        }
        done
    }

    fn run_alive(&mut self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        let recorded = self.record(record);
        self.gpu.instance.validated(recorded)?;
        let finished = self.submit_and_wait();
        self.gpu.instance.validated(finished)?;
        if let Some(clock) = &self.clock {
            self.taken += Duration::from_nanos(clock.read()?.last().copied().unwrap_or(0));
        }
        Ok(())
    }

    fn record(&mut self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        let device = &self.gpu.device;
        let begin = vk::CommandBufferBeginInfo::builder().flags(vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT);
        // SAFETY: the last submission has been waited for, so the pool is free.
        unsafe {
            device
                .reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty())
                .map_err(failed("reset a command pool"))?;
            device.begin_command_buffer(self.commands, &begin).map_err(failed("record commands"))?;
        }
        if let Some(clock) = &self.clock {
            clock.reset(self.commands);
            clock.write(self.commands, 0);
        }
        record(self.commands);
        if let Some(clock) = &self.clock {
            clock.write(self.commands, 1);
        }
        full_barrier(device, self.commands, self.gpu.stages());
        // SAFETY: recording was begun above.
        unsafe { device.end_command_buffer(self.commands) }.map_err(failed("record commands"))
    }

    fn submit_and_wait(&mut self) -> Result<()> {
        let device = &self.gpu.device;
        let buffers = [self.commands];
        let submit = vk::SubmitInfo::builder().command_buffers(&buffers);
        // SAFETY: the command buffer is recorded and the fence is unsignalled. The caller borrows the owners of all
        // recorded objects until this returns, which keeps them alive.
        unsafe {
            device.queue_submit(self.gpu.queue, &[submit], self.fence).map_err(failed("submit commands"))?;
            // If the wait fails, the submitted commands may still be running and must keep all their objects.
            let waited = device.wait_for_fences(&[self.fence], true, u64::MAX).map(|_| ()).or_else(|code| match code {
                vk::ErrorCode::DEVICE_LOST => Err(code),
                _ => device.device_wait_idle(),
            });
            waited.map_err(|code| unusable(failed("wait for the device")(code)))?;
            device.reset_fences(&[self.fence]).map_err(|code| unusable(failed("reset a fence")(code)))?;
        }
        Ok(())
    }
}

/// Marks an error after which the device's state is unknown.
fn unusable(error: DeviceError) -> DeviceError {
    DeviceError { cause: Cause::Lost, ..error }
}

impl Drop for Submitter {
    fn drop(&mut self) {
        // SAFETY: a submission whose wait failed may still be pending, so wait for it; null handles are ignored.
        unsafe {
            let _ = self.gpu.device.device_wait_idle();
            self.gpu.device.destroy_fence(self.fence, None);
            self.gpu.device.destroy_command_pool(self.pool, None);
        }
    }
}

/// Makes all earlier accesses visible to all later ones, including indirect arguments, copies and the host. `stages`
/// are those of the shaders.
pub(super) fn full_barrier(device: &vulkanalia::Device, commands: vk::CommandBuffer, stages: vk::ShaderStageFlags) {
    use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
    let barrier =
        vk::MemoryBarrier::builder().src_access_mask(Access::SHADER_WRITE | Access::TRANSFER_WRITE).dst_access_mask(
            Access::SHADER_READ
                | Access::SHADER_WRITE
                | Access::UNIFORM_READ
                | Access::INDIRECT_COMMAND_READ
                | Access::TRANSFER_READ
                | Access::TRANSFER_WRITE
                | Access::HOST_READ,
        );
    let meshes = stages.contains(vk::ShaderStageFlags::MESH_EXT);
    let shaders = Stage::COMPUTE_SHADER | if meshes { Stage::MESH_SHADER_EXT } else { Stage::empty() };
    // SAFETY: the command buffer is being recorded; these stages exist on every compute queue, and that of mesh shaders
    // where there are some.
    unsafe {
        let all = shaders | Stage::DRAW_INDIRECT | Stage::TRANSFER;
        memory_barrier(device, commands, all, all | Stage::HOST, barrier);
    }
}

/// Records a barrier of all memory between two groups of stages.
///
/// # Safety
/// The command buffer is being recorded, outside a render pass, and its queue has the stages.
pub(super) unsafe fn memory_barrier(
    device: &vulkanalia::Device,
    commands: vk::CommandBuffer,
    before: vk::PipelineStageFlags,
    after: vk::PipelineStageFlags,
    barrier: vk::MemoryBarrierBuilder,
) {
    let (none, buffers, images) = (vk::DependencyFlags::empty(), [], []);
    // SAFETY: as the caller promises.
    unsafe {
        let (buffers, images): (&[vk::BufferMemoryBarrier], &[vk::ImageMemoryBarrier]) = (&buffers, &images);
        device.cmd_pipeline_barrier(commands, before, after, none, &[barrier], buffers, images);
    }
}

/// Rejects uses that Vulkan leaves undefined: unknown objects, push constants of another size, too many groups,
/// arguments outside their buffer. Nothing is recorded unless all commands pass.
pub(super) fn check(
    commands: &[Command],
    pipelines: &[Pipeline],
    bindings: &[Bindings],
    buffers: &[Option<Buffer>],
    limits: &Limits,
) -> Result<()> {
    let common = |id: &PipelineId, bound: &Option<BindingsId>, push: &[u8], label: &str| -> Result<()> {
        let pipeline = pipelines.get(id.0 as usize).ok_or_else(|| unknown("pipeline", id.0))?;
        if let Some(bound) = bound {
            bindings.get(bound.0 as usize).ok_or_else(|| unknown("set of bindings", bound.0))?;
        }
        let given = push.len().next_multiple_of(4);
        if given != pipeline.push_bytes as usize {
            return Err(DeviceError::new(format!(
                "{label}: {given} bytes of push constants, but the pipeline has {}",
                pipeline.push_bytes
            )));
        }
        Ok(())
    };
    for command in commands {
        match command {
            Command::Dispatch { pipeline, bindings, push, groups, label } => {
                common(pipeline, bindings, push, label)?;
                if groups.iter().zip(limits.max_groups).any(|(&n, most)| n > most) {
                    return Err(DeviceError::new(format!(
                        "{label}: {groups:?} workgroups; the limit of the device is {:?}",
                        limits.max_groups
                    )));
                }
            }
            Command::DispatchIndirect { pipeline, bindings, push, args, offset, label } => {
                common(pipeline, bindings, push, label)?;
                let args = lookup_buffer(buffers, *args)?;
                if offset % 4 != 0 || offset.checked_add(12).is_none_or(|end| end > args.bytes) {
                    return Err(DeviceError::new(format!(
                        "{label}: indirect arguments at offset {offset} of a buffer of {} bytes",
                        args.bytes
                    )));
                }
            }
            Command::Barrier => {}
        }
    }
    Ok(())
}

/// Records commands that have passed [`check`]. With `queries`, writes one at the beginning and one after each command.
pub(super) fn record(
    gpu: &Gpu,
    target: vk::CommandBuffer,
    commands: &[Command],
    pipelines: &[Pipeline],
    bindings: &[Bindings],
    buffers: &[Option<Buffer>],
    queries: Option<&Queries>,
) {
    let device = &gpu.device;
    let measure = |query: usize| {
        if let Some(queries) = queries {
            queries.write(target, query as u32);
        }
    };
    if let Some(queries) = queries {
        queries.reset(target);
    }
    for (number, command) in commands.iter().enumerate() {
        measure(number);
        let (Command::Dispatch { pipeline, bindings: bound, push, label, .. }
        | Command::DispatchIndirect { pipeline, bindings: bound, push, label, .. }) = command
        else {
            full_barrier(device, target, gpu.stages());
            continue;
        };
        let Some(pipeline) = pipelines.get(pipeline.0 as usize) else { continue };
        let sets = bound.and_then(|b| bindings.get(b.0 as usize)).map_or(&[][..], Bindings::sets);
        let labelled = Label::begin(gpu.labels(), target, label);
        // SAFETY: `check` has looked up every object; all live until the submission has been waited for.
        unsafe {
            let point = pipeline.begin(target);
            device.cmd_bind_pipeline(target, point, pipeline.handle);
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(target, point, pipeline.layout, 0, sets, &[]);
            }
            if !push.is_empty() {
                let mut push = push.clone();
                push.resize(pipeline.push_bytes as usize, 0);
                device.cmd_push_constants(target, pipeline.layout, pipeline.stage, 0, &push);
            }
            match command {
                Command::Dispatch { groups, .. } => pipeline.dispatch(target, *groups),
                Command::DispatchIndirect { args, offset, .. } => {
                    if let Ok(args) = lookup_buffer(buffers, *args) {
                        pipeline.dispatch_indirect(target, args.handle, args.start + offset);
                    }
                }
                Command::Barrier => {}
            }
            pipeline.end(target);
        }
        drop(labelled);
    }
    measure(commands.len());
}

/// Timestamps of one submission.
pub(super) struct Queries {
    gpu: Rc<Gpu>,
    pool: vk::QueryPool,
    count: u32,
}

impl Queries {
    /// Creates queries on a device that has timestamps.
    pub fn new(gpu: &Rc<Gpu>, count: u32) -> Result<Self> {
        let info = vk::QueryPoolCreateInfo::builder().query_type(vk::QueryType::TIMESTAMP).query_count(count);
        // SAFETY: the structure lives until after the call.
        let pool = unsafe { gpu.device.create_query_pool(&info, None) }.map_err(failed("create a query pool"))?;
        Ok(Self { gpu: gpu.clone(), pool, count })
    }

    fn reset(&self, target: vk::CommandBuffer) {
        // SAFETY: the command buffer is being recorded, outside of a render pass.
        unsafe { self.gpu.device.cmd_reset_query_pool(target, self.pool, 0, self.count) };
    }

    fn write(&self, target: vk::CommandBuffer, query: u32) {
        // After all earlier work: an earlier stage of the pipeline would not wait for barriers.
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: the query is in the pool and was reset.
        unsafe { self.gpu.device.cmd_write_timestamp(target, stage, self.pool, query) };
    }

    /// Nanoseconds. The submission has finished.
    pub fn read(&self) -> Result<Vec<u64>> {
        let mut bytes = vec![0; self.count as usize * 8];
        let flags = vk::QueryResultFlags::_64 | vk::QueryResultFlags::WAIT;
        // SAFETY: the queries were written by a submission that has finished; there is room for each.
        let read = unsafe { self.gpu.device.get_query_pool_results(self.pool, 0, self.count, &mut bytes, 8, flags) };
        read.map_err(failed("read timestamps"))?;
        let (period, bits) = (f64::from(self.gpu.raw_limits.timestamp_period), self.gpu.timestamp_bits);
        let mask = u64::MAX >> (64 - bits.clamp(1, 64));
        let ticks: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|raw| u64::from_le_bytes(*raw) & mask).collect();
        let first = ticks.first().copied().unwrap_or(0);
        // The differences come first, while all bits are exact: the counter may wrap around in between.
        Ok(ticks.iter().map(|tick| ((tick.wrapping_sub(first) & mask) as f64 * period) as u64).collect())
    }
}

impl Drop for Queries {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for.
        unsafe { self.gpu.device.destroy_query_pool(self.pool, None) };
    }
}

/// A debug label around the commands that are recorded during its lifetime.
pub(super) struct Label<'i> {
    instance: &'i vulkanalia::Instance,
    target: vk::CommandBuffer,
}

impl<'i> Label<'i> {
    /// Begins a label in a command buffer that is being recorded; none without `instance`, which has
    /// VK_EXT_debug_utils.
    pub fn begin(instance: Option<&'i vulkanalia::Instance>, target: vk::CommandBuffer, text: &str) -> Option<Self> {
        let instance = instance.filter(|_| !text.is_empty())?;
        let mut name: Vec<u8> = text.bytes().filter(|&b| b != 0).collect();
        name.push(0);
        let info = vk::DebugUtilsLabelEXT::builder().label_name(&name);
        // SAFETY: VK_EXT_debug_utils is enabled; the name ends with NUL and lives until after the call.
        unsafe { instance.cmd_begin_debug_utils_label_ext(target, &info) };
        Some(Self { instance, target })
    }
}

impl Drop for Label<'_> {
    fn drop(&mut self) {
        // SAFETY: a label was begun on this command buffer, which is still being recorded.
        unsafe { self.instance.cmd_end_debug_utils_label_ext(self.target) };
    }
}
