//! Recording commands, submitting them and waiting. There is one command buffer, recorded anew for every submission.

use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::ExtDebugUtilsExtensionInstanceCommands;

use super::bindings::Bindings;
use super::gpu::Gpu;
use super::instance::failed;
use super::memory::Buffer;
use super::pipeline::Pipeline;
use super::{lookup_buffer, unknown};
use crate::device::{BindingsId, Command, DeviceError, Limits, PipelineId, Result};

pub(super) struct Submitter {
    gpu: Rc<Gpu>,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    fence: vk::Fence,
}

impl Submitter {
    pub fn new(gpu: &Rc<Gpu>) -> Result<Self> {
        let mut made = Self {
            gpu: gpu.clone(),
            pool: vk::CommandPool::null(),
            commands: vk::CommandBuffer::null(),
            fence: vk::Fence::null(),
        };
        let pool = vk::CommandPoolCreateInfo::builder().queue_family_index(gpu.queue_family);
        // SAFETY: the structures live until after the calls; what was made before a failure is released by the drop.
        unsafe {
            made.pool = gpu.device.create_command_pool(&pool, None).map_err(failed("make a command pool"))?;
            let buffers = vk::CommandBufferAllocateInfo::builder()
                .command_pool(made.pool)
                .level(vk::CommandBufferLevel::PRIMARY)
                .command_buffer_count(1);
            let buffers = gpu.device.allocate_command_buffers(&buffers).map_err(failed("make a command buffer"))?;
            made.commands = buffers.first().copied().unwrap_or_default();
            made.fence =
                gpu.device.create_fence(&vk::FenceCreateInfo::default(), None).map_err(failed("make a fence"))?;
        }
        Ok(made)
    }

    /// Runs what `record` records and waits until it has finished and its writes are visible to the host.
    pub fn run(&mut self, record: impl FnOnce(vk::CommandBuffer)) -> Result<()> {
        let recorded = self.record(record);
        self.gpu.instance.validated(recorded)?;
        let finished = self.submit_and_wait();
        self.gpu.instance.validated(finished)
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
        record(self.commands);
        full_barrier(device, self.commands);
        // SAFETY: recording was begun above.
        unsafe { device.end_command_buffer(self.commands) }.map_err(failed("record commands"))
    }

    fn submit_and_wait(&mut self) -> Result<()> {
        let device = &self.gpu.device;
        let buffers = [self.commands];
        let submit = vk::SubmitInfo::builder().command_buffers(&buffers);
        // SAFETY: the command buffer is recorded and the fence is unsignalled; what was recorded stays alive with its
        // owners, which the caller borrows until this returns.
        unsafe {
            device.queue_submit(self.gpu.queue, &[submit], self.fence).map_err(failed("submit commands"))?;
            device.wait_for_fences(&[self.fence], true, u64::MAX).map_err(failed("wait for the device"))?;
            device.reset_fences(&[self.fence]).map_err(failed("reset a fence"))
        }
    }
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

/// Makes everything before visible to everything after, indirect arguments, copies and the host included.
pub(super) fn full_barrier(device: &vulkanalia::Device, commands: vk::CommandBuffer) {
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
    // SAFETY: the command buffer is being recorded; these stages exist on every compute queue.
    unsafe {
        device.cmd_pipeline_barrier(
            commands,
            Stage::COMPUTE_SHADER | Stage::DRAW_INDIRECT | Stage::TRANSFER,
            Stage::COMPUTE_SHADER | Stage::DRAW_INDIRECT | Stage::TRANSFER | Stage::HOST,
            vk::DependencyFlags::empty(),
            &[barrier],
            &[] as &[vk::BufferMemoryBarrier],
            &[] as &[vk::ImageMemoryBarrier],
        );
    }
}

/// Refuses what Vulkan leaves undefined: unknown objects, push constants of another size, too many groups, arguments
/// outside of their buffer. Nothing is recorded unless all commands pass.
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
                "{label}: {given} bytes of push constants for a pipeline that has {}",
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
                        "{label}: {groups:?} workgroups; the device runs at most {:?}",
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

/// Records commands that have passed [`check`].
pub(super) fn record(
    gpu: &Gpu,
    target: vk::CommandBuffer,
    commands: &[Command],
    pipelines: &[Pipeline],
    bindings: &[Bindings],
    buffers: &[Option<Buffer>],
) {
    let device = &gpu.device;
    for command in commands {
        let (Command::Dispatch { pipeline, bindings: bound, push, label, .. }
        | Command::DispatchIndirect { pipeline, bindings: bound, push, label, .. }) = command
        else {
            full_barrier(device, target);
            continue;
        };
        let Some(pipeline) = pipelines.get(pipeline.0 as usize) else { continue };
        let sets = bound.and_then(|b| bindings.get(b.0 as usize)).map_or(&[][..], Bindings::sets);
        let labelled = Label::begin(gpu.labels(), target, label);
        // SAFETY: `check` has looked up every object; all live until the submission has been waited for.
        unsafe {
            device.cmd_bind_pipeline(target, vk::PipelineBindPoint::COMPUTE, pipeline.handle);
            if !sets.is_empty() {
                let point = vk::PipelineBindPoint::COMPUTE;
                device.cmd_bind_descriptor_sets(target, point, pipeline.layout, 0, sets, &[]);
            }
            if !push.is_empty() {
                let mut push = push.clone();
                push.resize(pipeline.push_bytes as usize, 0);
                device.cmd_push_constants(target, pipeline.layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
            }
            match command {
                Command::Dispatch { groups: [x, y, z], .. } => device.cmd_dispatch(target, *x, *y, *z),
                Command::DispatchIndirect { args, offset, .. } => {
                    if let Ok(args) = lookup_buffer(buffers, *args) {
                        device.cmd_dispatch_indirect(target, args.handle, args.start + offset);
                    }
                }
                Command::Barrier => {}
            }
        }
        drop(labelled);
    }
}

/// A debug label around what is recorded while it lives.
pub(super) struct Label<'i> {
    instance: &'i vulkanalia::Instance,
    target: vk::CommandBuffer,
}

impl<'i> Label<'i> {
    /// On a command buffer that is being recorded; none where `instance`, which has VK_EXT_debug_utils, is not given.
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
