//! The commands of a dispatch: which kernel stands where, and a barrier between all that depends on each other.

use super::{EmulatedGraph, Run};
use crate::device::{Command, Device};
use wgc_abi::device as abi;
use wgc_abi::tables::THREAD_GROUP;

/// Records the commands of one dispatch of a graph.
#[derive(Debug)]
pub struct Recorder<'g> {
    graph: &'g EmulatedGraph,
    /// Address of the context.
    context: u64,
    flags: u32,
    /// The user's push constants.
    user: &'g [u8],
}

impl EmulatedGraph {
    pub(super) fn recorder<'g>(&'g self, device: &dyn Device, user: &'g [u8], run: &Run) -> Recorder<'g> {
        let allocator = if self.options.subgroup_allocator { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        let scheduled = if run.scheduled { abi::PUSH_SCHEDULED } else { 0 };
        let context = device.buffer_address(self.buffers.context);
        Recorder { graph: self, context, flags: allocator | scheduled, user }
    }
}

impl Recorder<'_> {
    /// The whole graph in one pass, for so many threads of the kernel inject.
    pub fn single(&self, threads: u32) -> Vec<Command> {
        let kernels = self.graph.manifest.kernels;
        let mut commands = vec![self.kernel(kernels.prep, 0, [1; 3], "prep"), Command::Barrier];
        if threads != 0 {
            let groups = threads.div_ceil(THREAD_GROUP);
            let rows = groups.div_ceil(self.graph.group_limit);
            commands.push(self.kernel(kernels.inject, 0, [groups.div_ceil(rows), rows, 1], "inject"));
            commands.push(Command::Barrier);
        }
        for stage in 0..self.graph.manifest.stages.len() {
            self.stage(stage, &mut commands);
        }
        commands
    }

    /// The beginning of a scheduled run, and its first sweep.
    pub fn opening(&self) -> Vec<Command> {
        let mut commands = vec![self.sched(abi::SCHED_OPEN, "open"), Command::Barrier];
        commands.extend(self.sweeps(1));
        commands
    }

    /// Sweeps that take records further, in order.
    pub fn sweeps(&self, count: u32) -> Vec<Command> {
        let mut commands = Vec::new();
        for _ in 0..count {
            commands.extend([self.sched(abi::SCHED_BEGIN, "begin"), Command::Barrier]);
            let inject = self.graph.manifest.kernels.inject;
            let slot = self.graph.manifest.instances.len() as u32;
            commands.extend([self.indirect(inject, 0, slot, "inject"), Command::Barrier]);
            for stage in 0..self.graph.manifest.stages.len() {
                commands.extend([self.sched(stage as u32, "sched"), Command::Barrier]);
                self.stage(stage, &mut commands);
            }
            commands.extend([self.sched(abi::SCHED_END, "end"), Command::Barrier]);
        }
        commands
    }

    fn stage(&self, stage: usize, commands: &mut Vec<Command>) {
        let manifest = &self.graph.manifest;
        let Some(stage) = manifest.stages.get(stage) else { return };
        for number in stage.first_instance..stage.first_instance + stage.instances {
            let instance = &manifest.instances[number as usize];
            commands.push(self.indirect(instance.module, number, number, &instance.label));
        }
        commands.push(Command::Barrier);
    }

    fn sched(&self, stage: u32, label: &str) -> Command {
        self.kernel(self.graph.manifest.kernels.sched, stage, [1; 3], label)
    }

    fn kernel(&self, module: u32, instance: u32, groups: [u32; 3], label: &str) -> Command {
        Command::Dispatch {
            pipeline: self.graph.pipelines[module as usize],
            bindings: self.graph.bindings,
            push: self.push(instance),
            groups,
            label: label.to_owned(),
        }
    }

    /// With the arguments of the slot.
    fn indirect(&self, module: u32, instance: u32, slot: u32, label: &str) -> Command {
        Command::DispatchIndirect {
            pipeline: self.graph.pipelines[module as usize],
            bindings: self.graph.bindings,
            push: self.push(instance),
            args: self.graph.buffers.arguments,
            offset: u64::from(slot) * abi::Arguments::SIZE as u64,
            label: label.to_owned(),
        }
    }

    fn push(&self, instance: u32) -> Vec<u8> {
        let manifest = &self.graph.manifest;
        let mut bytes = abi::Push { context: self.context, instance, flags: self.flags }.to_bytes();
        if let Some(block) = &manifest.push_constants {
            let offset = (abi::USER_PUSH_OFFSET as usize).next_multiple_of(block.block.align.max(4) as usize);
            bytes.resize(offset, 0);
            bytes.extend_from_slice(&self.user[..self.user.len().min(block.block.size as usize)]);
        }
        bytes.resize(manifest.push_bytes as usize, 0);
        bytes
    }
}
