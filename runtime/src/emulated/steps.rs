//! The steps of a dispatch: the order of the kernels, with a barrier between steps that depend on each other.
//!
//! The hosts that run the steps decide on their commands.

use super::program::Program;
use wgc_abi::NodeLaunch;
use wgc_abi::device as abi;
use wgc_abi::manifest::JointDispatch;
use wgc_abi::tables::{ABSENT, LAUNCH_DYNAMIC, THREAD_GROUP};

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
    pub work: Work,
    pub label: &'g str,
}

/// The task of a launch for the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    Prep,
    Inject,
    /// All stages.
    Resident,
    Gather,
    /// Opens, begins or ends a sweep, or admits workgroups of the segment that begins at a stage.
    Sched,
    /// Checks the writes of the launch before it.
    Guard,
    /// Sorts the records that the queues of this stage have spilled.
    Scatter(u32),
    /// Shares the dispatches of the joint dispatches of this stage out.
    Joint(u32),
    /// Finds the positions of the grids in records that came since the last scan, of this stage or of all from it on.
    Scan(u32),
    /// A joint dispatch, by number, of a stage; its first instance, and how many there are.
    Run {
        instance: u32,
        instances: u32,
        stage: u32,
    },
    /// An instance, by number, of a stage.
    Node {
        instance: u32,
        stage: u32,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Groups {
    Fixed([u32; 3]),
    /// From the arguments, at this offset in bytes.
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

    /// Returns the launches of the mesh nodes. They follow the steps of a run in one pass, or those of each sweep.
    /// No barrier is needed between them.
    pub fn draws(&self) -> impl Iterator<Item = Launch<'g>> {
        self.program.mesh_instances().map(|number| self.node(number as u32))
    }

    /// Returns the whole graph in one pass without its draws, for this many threads of the kernel inject.
    pub fn single(&self, threads: u32) -> Vec<Step<'g>> {
        let kernels = self.program.manifest.kernels;
        let mut steps = vec![self.kernel(kernels.prep, 0, [1; 3], Work::Prep, "prep"), Step::Barrier];
        if threads != 0 {
            let groups = threads.div_ceil(THREAD_GROUP);
            let rows = groups.div_ceil(self.group_limit);
            steps.push(self.kernel(kernels.inject, 0, [groups.div_ceil(rows), rows, 1], Work::Inject, "inject"));
            steps.push(Step::Barrier);
        }
        steps.extend(self.prepared());
        steps
    }

    /// Returns the stages alone, in one pass, for a state that the host has prepared in place of prep and inject.
    pub fn prepared(&self) -> Vec<Step<'g>> {
        let mut steps = Vec::new();
        for stage in 0..self.program.manifest.stages.len() {
            self.stage(stage, false, &mut steps);
        }
        steps
    }

    /// Returns the dispatch of the resident workgroup in place of the stages, for a state that the host has prepared.
    pub fn resident(&self) -> Option<Vec<Step<'g>>> {
        let module = self.program.manifest.resident?.module;
        Some(vec![self.kernel(module, 0, [1; 3], Work::Resident, "resident"), Step::Barrier])
    }

    /// Returns the first sweeps of a scheduled run. `counted`: the device counts its inputs, up to this number.
    pub fn begin(&self, counted: Option<u32>, sweeps: u32) -> Vec<Step<'g>> {
        let Some(most) = counted else { return self.sweeps(true, 0, sweeps) };
        let gather = self.kernel(self.program.manifest.kernels.gather, most, [1; 3], Work::Gather, "gather");
        let mut steps = vec![self.sched(abi::SCHED_OPEN_COUNTED, "open"), Step::Barrier, gather, Step::Barrier];
        steps.extend(self.more(0, sweeps));
        steps
    }

    /// Returns sweeps of a pending dispatch. `deepest` is the stage in the status where the first sweep begins, or 0 if
    /// that is unknown. Stages before it launch nothing and are left out.
    pub fn more(&self, deepest: u32, count: u32) -> Vec<Step<'g>> {
        self.sweeps(false, deepest, count)
    }

    /// Returns sweeps that continue pending records, in order. With `open` the first of them begins a scheduled run.
    /// Each sweep of a graph with mesh nodes is followed by its draws, so there is only one sweep here.
    fn sweeps(&self, open: bool, deepest: u32, count: u32) -> Vec<Step<'g>> {
        let mut steps = Vec::new();
        for sweep in 0..count {
            let begin = if open && sweep == 0 { abi::SCHED_OPEN } else { abi::SCHED_BEGIN };
            steps.extend([self.sched(begin, "begin"), Step::Barrier]);
            let inject = self.program.manifest.kernels.inject;
            let slot = self.program.manifest.instances.len() as u32;
            let inject = self.indirect(inject, 0, slot, Work::Inject, "inject");
            steps.extend([Step::Run(inject), Step::Barrier]);
            let first = if sweep == 0 { deepest as usize } else { 0 };
            for (number, stage) in self.program.manifest.stages.iter().enumerate().skip(first) {
                if !stage.follows {
                    self.scan_from(number, &mut steps);
                    steps.extend([self.sched(number as u32, "sched"), Step::Barrier]);
                }
                self.stage(number, !stage.follows, &mut steps);
            }
        }
        self.scan_from(0, &mut steps);
        steps.extend([self.sched(abi::SCHED_END, "end"), Step::Barrier]);
        steps
    }

    /// Returns the steps one after the other, each followed by the kernel guard; unchanged if the package has none.
    pub fn guarded(&self, steps: Vec<Step<'g>>) -> Vec<Step<'g>> {
        let Some(guard) = self.program.manifest.kernels.guard else { return steps };
        let mut out = Vec::with_capacity(steps.len() * 3);
        for step in steps {
            let Step::Run(launch) = step else { continue };
            let ran = match launch.work {
                Work::Node { instance, .. } => instance,
                _ => ABSENT,
            };
            out.extend([Step::Run(launch), Step::Barrier]);
            out.extend([self.kernel(guard, ran, [1; 3], Work::Guard, "guard"), Step::Barrier]);
        }
        out
    }

    /// Adds the launches of a stage. `scanned`: the positions of grids in its records are known already.
    fn stage(&self, number: usize, scanned: bool, steps: &mut Vec<Step<'g>>) {
        let manifest = &self.program.manifest;
        let Some(stage) = manifest.stages.get(number) else { return };
        if let Some(scatter) = manifest.kernels.scatter.filter(|_| stage.spills != 0) {
            for spill in stage.first_spill..stage.first_spill + stage.spills {
                let slot = manifest.instances.len() as u32 + 1 + spill;
                let scatter = self.indirect(scatter, spill, slot, Work::Scatter(number as u32), "scatter");
                steps.push(Step::Run(scatter));
            }
        }
        if !scanned && let Some(scan) = self.scan(number, number + 1) {
            steps.push(scan);
        }
        let runs = &manifest.runs[stage.first_run as usize..][..stage.runs as usize];
        if let Some(joint) = manifest.kernels.joint.filter(|_| !runs.is_empty()) {
            let scanned = matches!(steps.last(), Some(Step::Run(Launch { work: Work::Scan(_), .. })));
            if scanned && runs.iter().any(|run| self.reads_grids(run)) {
                // It adds the workgroups up.
                steps.push(Step::Barrier);
            }
            steps.push(self.kernel(joint, stage.first_run, [stage.runs, 1, 1], Work::Joint(number as u32), "joint"));
        }
        // Scan and joint need no barrier between them, but one after them.
        if steps.last().is_some_and(|step| *step != Step::Barrier) {
            steps.push(Step::Barrier);
        }
        let mut runs = runs.iter().peekable();
        let mut index = stage.first_instance;
        while index < stage.first_instance + stage.instances {
            if let Some(run) = runs.next_if(|run| run.first_instance == index) {
                steps.push(Step::Run(self.joint(run, number as u32)));
                index += run.instances;
                continue;
            }
            if manifest.instances[index as usize].launch != NodeLaunch::Mesh {
                steps.push(Step::Run(self.node(index)));
            }
            index += 1;
        }
        // Draws alone need no barrier here.
        if steps.last() != Some(&Step::Barrier) {
            steps.push(Step::Barrier);
        }
    }

    /// Returns whether the instances of a joint dispatch read their grids from records: then all do, because they have one
    /// module.
    fn reads_grids(&self, run: &JointDispatch) -> bool {
        self.program.tables.instances.get(run.first_instance as usize).is_some_and(|row| row.launch == LAUNCH_DYNAMIC)
    }

    /// Adds scans to a scheduled run, from a stage on, before the kernel sched needs them. They find the positions of
    /// all grids in records that came since the last scan.
    fn scan_from(&self, first: usize, steps: &mut Vec<Step<'g>>) {
        steps.extend(
            self.scan(first, self.program.manifest.stages.len()).into_iter().flat_map(|scan| [scan, Step::Barrier]),
        );
    }

    /// Returns the kernel scan over the instances of the stages [first, last), if the package has it and some of these
    /// read their grids from records.
    fn scan(&self, first: usize, last: usize) -> Option<Step<'g>> {
        let manifest = &self.program.manifest;
        let scan = manifest.kernels.scan?;
        let from = manifest.stages.get(first)?.first_instance;
        let end = manifest.stages.get(last).map_or(manifest.instances.len() as u32, |stage| stage.first_instance);
        let rows = self.program.tables.instances.get(from as usize..end as usize)?;
        rows.iter().find(|row| row.launch == LAUNCH_DYNAMIC)?;
        let groups = [(end - from).min(self.group_limit), 1, 1];
        let push = self.push_with(from, self.flags | (end - from) << abi::PUSH_RUN_SHIFT);
        let work = Work::Scan(first as u32);
        Some(Step::Run(Launch { module: scan, push, groups: Groups::Fixed(groups), work, label: "scan" }))
    }

    /// Returns the launch of an instance's workgroups.
    fn node(&self, number: u32) -> Launch<'g> {
        let instance = &self.program.manifest.instances[number as usize];
        let work = Work::Node { instance: number, stage: instance.stage };
        self.indirect(instance.module, number, number, work, &instance.label)
    }

    /// Returns the launch of a joint dispatch's workgroups.
    fn joint(&self, run: &'g JointDispatch, stage: u32) -> Launch<'g> {
        let (first, instances) = (run.first_instance, run.instances);
        let work = Work::Run { instance: first, instances, stage };
        let module = self.program.manifest.instances[first as usize].module;
        let launch = self.indirect(module, first, first, work, &run.label);
        Launch { push: self.push_with(first, self.flags | instances << abi::PUSH_RUN_SHIFT), ..launch }
    }

    fn sched(&self, stage: u32, label: &'g str) -> Step<'g> {
        self.kernel(self.program.manifest.kernels.sched, stage, [1; 3], Work::Sched, label)
    }

    fn kernel(&self, module: u32, instance: u32, groups: [u32; 3], work: Work, label: &'g str) -> Step<'g> {
        Step::Run(Launch { module, push: self.push(instance), groups: Groups::Fixed(groups), work, label })
    }

    /// Returns a launch with the arguments of the slot.
    fn indirect(&self, module: u32, instance: u32, slot: u32, work: Work, label: &'g str) -> Launch<'g> {
        let groups = Groups::Indirect(u64::from(slot) * abi::Arguments::SIZE as u64);
        Launch { module, push: self.push(instance), groups, work, label }
    }

    fn push(&self, instance: u32) -> Vec<u8> {
        self.push_with(instance, self.flags)
    }

    fn push_with(&self, instance: u32, flags: u32) -> Vec<u8> {
        let manifest = &self.program.manifest;
        let mut bytes = abi::Push { context: self.context, instance, flags }.to_bytes();
        if let Some(block) = &manifest.push_constants {
            let offset = abi::user_push_offset(block.block.align) as usize;
            bytes.resize(offset, 0);
            bytes.extend_from_slice(&self.user[..self.user.len().min(block.block.size as usize)]);
        }
        bytes.resize(manifest.push_bytes as usize, 0);
        bytes
    }
}
