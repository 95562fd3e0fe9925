//! Recording: one dispatch of a graph, or more sweeps of one that has not come to its end.

use vulkanalia::prelude::v1_2::*;

use super::super::submit::Label;
use super::Graph;
use super::memory::{Placed, unbound};
use crate::device::DeviceError;
use crate::emulated::{Counted, Groups, Input, Launch, Memory, Packed, Run, RunError, Step, Steps, pack};
use wgc_abi::device as abi;

/// How a dispatch comes to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// In one pass: the arena must hold the closure of the entry records. Nothing is left to ask for afterwards but
    /// errors of shaders.
    Single,
    /// In so many sweeps, each recorded; [`Graph::status`] says whether more are needed. The arena may be of any size from
    /// the least on.
    Sweeps(u32),
    /// In one pass where the arena allows it, else in so many sweeps.
    Either(u32),
}

/// Who says how many entry records there are.
#[derive(Clone, Copy, Debug)]
pub enum Inputs<'a> {
    /// The host, now.
    Host(&'a [Input<'a>]),
    /// The device, when the commands run: the dispatch runs in sweeps then.
    Device(Counted),
}

/// One dispatch of a graph.
#[derive(Clone, Debug)]
pub struct Dispatch<'a> {
    pub inputs: Inputs<'a>,
    /// The user's push constants.
    pub push: &'a [u8],
    /// Descriptor sets of the user's resources, from set 0 on.
    pub sets: &'a [vk::DescriptorSet],
    pub completion: Completion,
}

/// More sweeps of the last dispatch: everything else is as it was.
#[derive(Clone, Debug)]
pub struct Resume<'a> {
    pub push: &'a [u8],
    pub sets: &'a [vk::DescriptorSet],
    pub sweeps: u32,
}

/// What was recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// It runs in sweeps: [`Graph::status`] says whether these were enough.
    pub scheduled: bool,
    /// Pages of the arena that it needs at least.
    pub pages: u64,
}

impl Graph {
    /// Records the upload of the tables, and the clearing of what a dispatch knows of the one before, once for the memory that the graph is bound to.
    ///
    /// # Errors
    /// The graph has no memory.
    ///
    /// # Safety
    /// The command buffer is being recorded, outside of a render pass, for a queue that computes.
    pub unsafe fn record_upload(&mut self, commands: vk::CommandBuffer) -> Result<(), RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let (state, exchange) = (&memory.memory.state, &memory.memory.exchange.block);
        // SAFETY: the caller's promise, and that of `bind` for the buffers.
        unsafe {
            self.host.device.cmd_copy_buffer(commands, exchange.buffer, state.buffer, &[memory.tables_copy()]);
            let (queues, bytes) = memory.queues();
            self.host.device.cmd_fill_buffer(commands, state.buffer, queues, bytes, 0);
            self.barrier(commands);
        }
        Ok(())
    }

    /// Records one dispatch. Entry records that lie in the host's memory are copied now, those on the device are read when
    /// the commands run; so the commands may be submitted again, with the same records, but only when the last
    /// submission has finished. What was recorded before in this queue is visible to the graph.
    ///
    /// # Errors
    /// Inputs that do not fit the graph or the memory; nothing is recorded then.
    ///
    /// # Safety
    /// As [`Graph::record_upload`]; the sets fit the layout; records on the device are there; no dispatch of the graph is
    /// in flight or pending.
    pub unsafe fn record(&mut self, commands: vk::CommandBuffer, dispatch: &Dispatch) -> Result<Recorded, RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let (packed, counted) = match dispatch.inputs {
            Inputs::Host(inputs) => (pack(&self.program.manifest, self.program.tables.queues.len(), inputs)?, None),
            Inputs::Device(counted) => (Packed::default(), Some(counted)),
        };
        let (run, sweeps) = self.run(memory, &packed, counted.is_some(), dispatch.completion)?;
        self.dispatches = self.dispatches.wrapping_add(1);
        let places = memory.places(run.pages);
        let mut context = self.program.context(&places, &packed, self.group_limit, self.dispatches);
        context.inputs = counted.map_or(0, |counted| counted.list);
        let (address, offset) = memory.context();
        let steps = Steps::new(&self.program, address, self.flags(&run), self.group_limit, dispatch.push);
        let steps = match run.scheduled {
            true => steps.begin(counted.map(|counted| counted.most.min(memory.most_inputs())), sweeps),
            false => steps.single(packed.threads),
        };
        // SAFETY: no dispatch of the graph is in flight; the buffers are those of `bind`.
        unsafe {
            memory.write_inputs(&packed)?;
            self.barrier(commands);
            let state = memory.memory.state.buffer;
            self.host.device.cmd_update_buffer(commands, state, offset, &context.to_bytes());
            self.barrier(commands);
            self.take(commands, memory, steps, dispatch.sets);
        }
        self.last = Some(run);
        Ok(Recorded { scheduled: run.scheduled, pages: run.needed })
    }

    /// Records more sweeps of a dispatch that is pending.
    ///
    /// # Errors
    /// No scheduled dispatch was recorded.
    ///
    /// # Safety
    /// As [`Graph::record`], but for the dispatch, whose submissions have finished.
    pub unsafe fn resume(&mut self, commands: vk::CommandBuffer, resume: &Resume) -> Result<(), RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let Some(run) = self.last.filter(|run| run.scheduled) else {
            return Err(RunError::Manifest("no dispatch in sweeps was recorded"));
        };
        let (address, _) = memory.context();
        let steps = Steps::new(&self.program, address, self.flags(&run), self.group_limit, resume.push);
        // SAFETY: as `record`.
        unsafe {
            self.barrier(commands);
            self.take(commands, memory, steps.sweeps(false, resume.sweeps.max(1)), resume.sets);
        }
        Ok(())
    }

    /// How the dispatch runs in the memory there is, and in how many sweeps.
    fn run(
        &self,
        memory: &Placed,
        packed: &Packed,
        counted: bool,
        completion: Completion,
    ) -> Result<(Run, u32), RunError> {
        let pages = memory.arena_pages();
        let enough = match counted {
            true => self.program.plan_scheduled(Memory::Enough, pages)?,
            false => self.program.plan(packed, Memory::Enough, pages, self.group_limit, &[])?,
        };
        // All memory there is, whatever it needs.
        let all = pages as u32;
        let least = Run { pages: all, needed: u64::from(self.program.tables.min_pages), scheduled: true };
        match completion {
            Completion::Single | Completion::Either(_) if !enough.scheduled => Ok((Run { pages: all, ..enough }, 0)),
            Completion::Single if counted => {
                Err(RunError::Device(DeviceError::new("what the device counts runs in sweeps")))
            }
            Completion::Single => Err(self.program.one_pass_error(packed, pages, self.group_limit)),
            Completion::Sweeps(sweeps) | Completion::Either(sweeps) => Ok((least, sweeps.max(1))),
        }
    }

    fn flags(&self, run: &Run) -> u32 {
        let allocator = if self.host.maximal_reconvergence { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        allocator | if run.scheduled { abi::PUSH_SCHEDULED } else { 0 }
    }

    /// Records the steps, and the copies that the status is read from.
    ///
    /// # Safety
    /// As [`Graph::record`].
    unsafe fn take(&self, commands: vk::CommandBuffer, memory: &Placed, steps: Vec<Step>, sets: &[vk::DescriptorSet]) {
        let (device, layout) = (&self.host.device, self.pipelines.layout);
        let (state, exchange) = (memory.memory.state.buffer, memory.memory.exchange.block.buffer);
        let point = vk::PipelineBindPoint::COMPUTE;
        let mut bound = None;
        // SAFETY: as the caller promises; modules are in range by the checks of `Program`.
        unsafe {
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands, point, layout, 0, sets, &[]);
            }
            for step in steps {
                let Step::Run(Launch { module, mut push, groups, label }) = step else {
                    self.barrier(commands);
                    continue;
                };
                if bound.replace(module) != Some(module) {
                    device.cmd_bind_pipeline(commands, point, self.pipelines.all[module as usize]);
                }
                push.resize(push.len().next_multiple_of(4), 0);
                let labelled = Label::begin(self.host.labels(), commands, label);
                device.cmd_push_constants(commands, layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
                match groups {
                    Groups::Fixed([x, y, z]) => device.cmd_dispatch(commands, x, y, z),
                    Groups::Indirect(offset) => {
                        device.cmd_dispatch_indirect(commands, state, memory.arguments() + offset);
                    }
                }
                drop(labelled);
            }
            device.cmd_copy_buffer(commands, state, exchange, &memory.status_copies());
            self.barrier(commands);
        }
    }

    /// # Safety
    /// The command buffer is being recorded.
    unsafe fn barrier(&self, commands: vk::CommandBuffer) {
        super::super::submit::full_barrier(&self.host.device, commands);
    }
}
