//! The steps of a dispatch: which kernel stands where, and a barrier between all that depends on each other.
//!
//! What a step is on a device is the business of the host that takes them.

use super::program::Program;
use wgc_abi::device as abi;
use wgc_abi::tables::THREAD_GROUP;

/// One command of a dispatch, in terms of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'g> {
    Run(Launch<'g>),
    /// Everything before is finished and visible to everything after, indirect arguments and host reads included.
    Barrier,
}

/// Workgroups of a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch<'g> {
    /// Index in `modules` of the manifest.
    pub module: u32,
    pub push: Vec<u8>,
    pub groups: Groups,
    pub label: &'g str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    Fixed([u32; 3]),
    /// As the arguments say, so many bytes from their start.
    Indirect(u64),
}

/// Lists the steps of one dispatch of a graph.
#[derive(Debug)]
pub struct Steps<'g> {
    program: &'g Program,
    /// Address of the context.
    context: u64,
    flags: u32,
    /// Workgroups that the device allows on X and on Y.
    group_limit: u32,
    /// The user's push constants.
    user: &'g [u8],
}

impl<'g> Steps<'g> {
    pub fn new(program: &'g Program, context: u64, flags: u32, group_limit: u32, user: &'g [u8]) -> Self {
        Self { program, context, flags, group_limit, user }
    }

    /// The whole graph in one pass, for so many threads of the kernel inject.
    pub fn single(&self, threads: u32) -> Vec<Step<'g>> {
        let kernels = self.program.manifest.kernels;
        let mut steps = vec![self.kernel(kernels.prep, 0, [1; 3], "prep"), Step::Barrier];
        if threads != 0 {
            let groups = threads.div_ceil(THREAD_GROUP);
            let rows = groups.div_ceil(self.group_limit);
            steps.push(self.kernel(kernels.inject, 0, [groups.div_ceil(rows), rows, 1], "inject"));
            steps.push(Step::Barrier);
        }
        for stage in 0..self.program.manifest.stages.len() {
            self.stage(stage, &mut steps);
        }
        steps
    }

    /// The first sweeps of a scheduled run. `counted`: the device counts its inputs, at most so many.
    pub fn begin(&self, counted: Option<u32>, sweeps: u32) -> Vec<Step<'g>> {
        let Some(most) = counted else { return self.sweeps(true, sweeps) };
        let gather = self.kernel(self.program.manifest.kernels.gather, most, [1; 3], "gather");
        let mut steps = vec![self.sched(abi::SCHED_OPEN_COUNTED, "open"), Step::Barrier, gather, Step::Barrier];
        steps.extend(self.sweeps(false, sweeps));
        steps
    }

    /// Sweeps that take records further, in order. `open`: the first of them begins a scheduled run.
    pub fn sweeps(&self, open: bool, count: u32) -> Vec<Step<'g>> {
        let mut steps = Vec::new();
        for sweep in 0..count {
            let begin = if open && sweep == 0 { abi::SCHED_OPEN } else { abi::SCHED_BEGIN };
            steps.extend([self.sched(begin, "begin"), Step::Barrier]);
            let inject = self.program.manifest.kernels.inject;
            let slot = self.program.manifest.instances.len() as u32;
            steps.extend([self.indirect(inject, 0, slot, "inject"), Step::Barrier]);
            for (number, stage) in self.program.manifest.stages.iter().enumerate() {
                if !stage.follows {
                    steps.extend([self.sched(number as u32, "sched"), Step::Barrier]);
                }
                self.stage(number, &mut steps);
            }
        }
        steps.extend([self.sched(abi::SCHED_END, "end"), Step::Barrier]);
        steps
    }

    fn stage(&self, stage: usize, steps: &mut Vec<Step<'g>>) {
        let manifest = &self.program.manifest;
        let Some(stage) = manifest.stages.get(stage) else { return };
        if let Some(scatter) = manifest.kernels.scatter.filter(|_| stage.spills != 0) {
            for spill in stage.first_spill..stage.first_spill + stage.spills {
                let slot = manifest.instances.len() as u32 + 1 + spill;
                steps.push(self.indirect(scatter, spill, slot, "scatter"));
            }
            steps.push(Step::Barrier);
        }
        for number in stage.first_instance..stage.first_instance + stage.instances {
            let instance = &manifest.instances[number as usize];
            steps.push(self.indirect(instance.module, number, number, &instance.label));
        }
        steps.push(Step::Barrier);
    }

    fn sched(&self, stage: u32, label: &'g str) -> Step<'g> {
        self.kernel(self.program.manifest.kernels.sched, stage, [1; 3], label)
    }

    fn kernel(&self, module: u32, instance: u32, groups: [u32; 3], label: &'g str) -> Step<'g> {
        Step::Run(Launch { module, push: self.push(instance), groups: Groups::Fixed(groups), label })
    }

    /// With the arguments of the slot.
    fn indirect(&self, module: u32, instance: u32, slot: u32, label: &'g str) -> Step<'g> {
        let groups = Groups::Indirect(u64::from(slot) * abi::Arguments::SIZE as u64);
        Step::Run(Launch { module, push: self.push(instance), groups, label })
    }

    fn push(&self, instance: u32) -> Vec<u8> {
        let manifest = &self.program.manifest;
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
