//! A package from the host's view, for every device: checks its indexes, computes its memory, and words its status.

use super::closure::{Closure, ClosureError, closure_of_grids};
use super::input::Packed;
use super::report::{InstanceReport, RunError};
use super::roots::LocalRootTable;
use wgc_abi::device as abi;
use wgc_abi::manifest::{Instance, JointDispatch, Kernels, Manifest, Stage, push_bytes};
use wgc_abi::tables::{
    InstanceRow, LAUNCH_COALESCING, LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, QueueRow, RunRow, SpillRow, StageRow,
    TableHeader, Tables, index_pages, prefix_pages,
};
use wgc_abi::{NodeLaunch, Package};

/// A manifest with matching tables.
#[derive(Clone, Debug)]
pub struct Program {
    pub manifest: Manifest,
    pub tables: Tables,
    pub header: TableHeader,
}

/// The mode of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// The least number of pages of the arena.
    pub pages: u32,
    /// The number of needed pages that the kernels must report.
    pub needed: u64,
    pub scheduled: bool,
}

/// The share of the arena that a dispatch uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The closure of its entry records, which then run in one pass. Above the limit, as much as a scheduled run does
    /// well with.
    #[default]
    Enough,
    /// One pass in the fewest pages with all spills: all records for queues that share one spill, except those of the
    /// host.
    Tight,
    /// This multiple of the fewest pages with which the graph can end, in a scheduled run.
    Least(u32),
}

/// The device addresses of a dispatch's memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places {
    /// The address of the context; the states follow it.
    pub context: u64,
    pub tables: u64,
    pub pages: u64,
    pub arguments: u64,
    pub spans: u64,
    pub status: u64,
    pub trash: u64,
    pub free: u64,
    pub chunks: [u64; abi::MAX_CHUNKS],
    pub chunk_pages: u32,
    pub page_count: u32,
    /// The pages that it may grow to while a dispatch is pending.
    pub most_pages: u32,
    pub local_roots: Option<LocalRootTable>,
}

/// The memory limit for giving every record of one pass its own slot. Above it, arrays of outputs have
/// direct slots for 1.25 times the records that they had last time.
const DIRECT_BYTES: u64 = 256 << 20;

impl Program {
    /// # Errors
    /// Tables or indexes that are damaged.
    pub fn new(package: &Package) -> Result<Self, RunError> {
        let tables = Tables::decode(&package.tables).map_err(RunError::Tables)?;
        let header = TableHeader::decode(&package.tables).unwrap_or_default();
        let program = Self { manifest: package.manifest.clone(), tables, header };
        program.check()?;
        Ok(program)
    }

    /// Returns whether its module is a mesh shader.
    fn is_drawn(&self, instance: &Instance) -> bool {
        self.manifest.modules.get(instance.module as usize).is_some_and(|module| module.mesh.is_some())
    }

    /// Checks that every index that a host follows is in range.
    fn check(&self) -> Result<(), RunError> {
        let (manifest, tables) = (&self.manifest, &self.tables);
        let modules = manifest.modules.len();
        let instances = manifest.instances.len();
        let within = |first: u32, count: u32| u64::from(first) + u64::from(count) <= instances as u64;
        let kernels = manifest.kernels;
        let spills = |s: &Stage| u64::from(s.first_spill) + u64::from(s.spills);
        let always = [kernels.prep, kernels.inject, kernels.sched, kernels.gather];
        let kernels =
            always.into_iter().chain(kernels.scatter).chain(kernels.guard).chain(kernels.joint).chain(kernels.scan);
        let kernels = kernels.chain(manifest.resident.map(|resident| resident.module));
        let problem = if kernels.clone().any(|kernel| kernel as usize >= modules) {
            "a kernel is missing"
        } else if !self.has_its_kernels() {
            "a kernel has the wrong name"
        } else if manifest.instances.iter().any(|i| i.module as usize >= modules) {
            "a module is missing"
        } else if manifest.instances.iter().any(|i| kernels.clone().any(|kernel| kernel == i.module)) {
            "a node uses the module of a kernel"
        } else if manifest.instances.iter().any(|i| self.is_drawn(i) != (i.launch == NodeLaunch::Mesh)) {
            "a mesh node has no mesh shader, or another node has one"
        } else if self.mesh_instances().any(|i| Some(manifest.instances[i].stage) != tables.mesh_stage) {
            "a mesh node is not in the stage that is drawn"
        } else if instances != tables.instances.len()
            || !manifest.instances.iter().zip(&tables.instances).all(|(i, row)| self.is_row_of(i, row))
            || !manifest.entrypoints.iter().map(|e| e.queue).eq(tables.entries.iter().copied())
        {
            "the tables have different instances or entry nodes"
        } else if !manifest
            .entrypoints
            .iter()
            .all(|e| self.has_records(e.queue, e.record.as_ref().map_or(0, |r| r.size)))
        {
            "the tables have records of a different size"
        } else if manifest.buffers.page_bytes != tables.page_bytes {
            "the tables have pages of a different size"
        } else if !self.has_sound_roots() {
            "the tables have different local root arguments"
        } else if manifest.stages.iter().any(|s| !within(s.first_instance, s.instances)) {
            "a stage has instances that do not exist"
        } else if manifest.stages.iter().any(|s| spills(s) > tables.spills.len() as u64)
            || !tables.spills.is_empty() && manifest.kernels.scatter.is_none()
        {
            "a stage has spills that do not exist"
        } else if !self.has_sound_stages() {
            "the tables have different stages"
        } else if !self.has_sound_runs() {
            "the tables have different joint dispatches"
        } else if u64::from(manifest.push_bytes) != push_bytes(manifest.push_constants.as_ref()) {
            "the push constants have a different size"
        } else if manifest.min_pages != tables.min_pages {
            "the tables have a different minimum of pages"
        } else {
            return Ok(());
        };
        Err(RunError::Manifest(problem))
    }

    /// Returns whether the kernels have the expected file names.
    fn has_its_kernels(&self) -> bool {
        let Kernels { prep, inject, sched, gather, scatter, guard, joint, scan } = self.manifest.kernels;
        let always = [("prep", prep), ("inject", inject), ("sched", sched), ("gather", gather)];
        let some = [("scatter", scatter), ("guard", guard), ("joint", joint), ("scan", scan)];
        let some = some.into_iter().filter_map(|(name, kernel)| Some((name, kernel?)));
        always.into_iter().chain(some).all(|(name, kernel)| {
            let module = self.manifest.modules.get(kernel as usize);
            module.is_some_and(|module| module.file == format!("sched/{name}.spv"))
        })
    }

    /// Returns whether a row of the tables belongs to an instance.
    fn is_row_of(&self, instance: &Instance, row: &InstanceRow) -> bool {
        let is_launched = match instance.launch {
            NodeLaunch::Thread => row.launch == LAUNCH_THREAD,
            NodeLaunch::Coalescing => row.launch == LAUNCH_COALESCING,
            NodeLaunch::Broadcasting | NodeLaunch::Mesh => matches!(row.launch, LAUNCH_FIXED | LAUNCH_DYNAMIC),
        };
        let queue = self.tables.queues.get(instance.queue as usize);
        let has_records = instance.record.is_none_or(|record| {
            let layout = self.manifest.records.get(record as usize);
            layout.is_some_and(|layout| self.has_records(instance.queue, layout.size))
        });
        (instance.queue, instance.level) == (row.queue, row.level)
            && queue.is_some_and(|queue| queue.stage == instance.stage)
            && is_launched
            && has_records
    }

    /// Returns whether a queue's records have this size.
    fn has_records(&self, queue: u32, bytes: u32) -> bool {
        self.tables.queues.get(queue as usize).is_some_and(|row| row.record_bytes == bytes)
    }

    /// Returns whether the stages equal those of the tables.
    fn has_sound_stages(&self) -> bool {
        let same = |(stage, row): (&Stage, &StageRow)| {
            let instances = (stage.first_instance, stage.instances) == (row.first_instance, row.instance_count);
            let spills = (stage.first_spill, stage.spills) == (row.first_spill, row.spill_count);
            instances && spills && stage.follows == (row.segment == 0)
        };
        let (stages, rows) = (&self.manifest.stages, &self.tables.stages);
        stages.len() == rows.len() && stages.iter().zip(rows).all(same)
    }

    /// Returns whether the joint dispatches equal those of the tables, and their instances have one module.
    fn has_sound_runs(&self) -> bool {
        let (manifest, tables) = (&self.manifest, &self.tables);
        let same = |(run, row): (&JointDispatch, &RunRow)| {
            (run.first_instance, run.instances) == (row.first_instance, row.instance_count)
                && manifest.instances[run.first_instance as usize..][..run.instances as usize]
                    .iter()
                    .all(|i| i.module == manifest.instances[run.first_instance as usize].module)
        };
        let of_stage =
            |(stage, row): (&Stage, &StageRow)| (stage.first_run, stage.runs) == (row.first_run, row.run_count);
        manifest.runs.len() == tables.runs.len()
            && manifest.runs.iter().zip(&tables.runs).all(same)
            && manifest.stages.iter().zip(&tables.stages).all(of_stage)
            && (tables.runs.is_empty() || manifest.kernels.joint.is_some())
    }

    /// Returns the words of a module and the name of its entry point, by index in the manifest.
    pub fn module<'p>(&'p self, package: &'p Package, module: usize) -> Result<(&'p [u32], &'p str), RunError> {
        let module = self.manifest.modules.get(module).ok_or(RunError::Manifest("a module is missing"))?;
        let words = package.modules.get(&module.file).ok_or(RunError::Manifest("a module is missing"))?;
        Ok((words, &module.entry))
    }

    /// Returns the instances of mesh nodes, in order.
    pub fn mesh_instances(&self) -> impl Iterator<Item = usize> {
        let instances = self.manifest.instances.iter().enumerate();
        instances.filter(|(_, instance)| instance.launch == NodeLaunch::Mesh).map(|(number, _)| number)
    }

    /// Returns the bytes from the context to the states of the instances.
    pub fn instance_states(&self) -> u64 {
        abi::instance_states(self.tables.queues.len(), self.tables.spills.len())
    }

    /// Returns the bytes of the states of all queues and spills, of all instances, and of the arguments, none of them
    /// 0.
    pub fn state_bytes(&self) -> [u64; 3] {
        let sized = |count: usize, bytes: usize| (count.max(1) * bytes) as u64;
        let (instances, spills) = (self.tables.instances.len(), self.tables.spills.len());
        [
            sized(self.tables.queues.len() + spills, abi::QueueState::SIZE),
            sized(instances, abi::InstanceState::SIZE),
            sized(instances + 1 + spills, abi::Arguments::SIZE),
        ]
    }

    /// Plans one pass or a scheduled run of these inputs. `peaks`: the most records that each queue had in the last
    /// dispatch, if known.
    ///
    /// # Errors
    /// More than `most` pages are needed.
    pub fn plan(&self, packed: &Packed, memory: Memory, most: u64, peaks: &[u32]) -> Result<Run, RunError> {
        if let Memory::Least(_) = memory {
            return self.plan_scheduled(memory, most);
        }
        let needed = |closure: &Closure| if memory == Memory::Tight { closure.tight } else { closure.needed() };
        let fits = |closure: &Closure| needed(closure) <= most;
        let Some(closure) = closure_of_grids(&self.tables, &packed.entries, &packed.grids).ok().filter(fits) else {
            return self.scheduled(memory, most, DIRECT_BYTES);
        };
        let needed = needed(&closure);
        let ample = closure.all.saturating_mul(u64::from(self.tables.page_bytes)) <= DIRECT_BYTES;
        let wish = match memory {
            Memory::Tight => needed,
            _ if ample => closure.all,
            _ => closure.all.min(closure.tight.saturating_add(closure.wish(&self.tables, peaks))),
        };
        Ok(Run { pages: wish.clamp(needed, most) as u32, needed, scheduled: false })
    }

    /// Plans a scheduled run, in at most `most` pages: also for inputs that the device counts.
    ///
    /// # Errors
    /// More than `most` pages are needed.
    pub fn plan_scheduled(&self, memory: Memory, most: u64) -> Result<Run, RunError> {
        self.scheduled(memory, most, self.manifest.arena.recommended)
    }

    /// Plans a scheduled run in this many bytes, or in the minimum that the graph or the device needs.
    fn scheduled(&self, memory: Memory, most: u64, bytes: u64) -> Result<Run, RunError> {
        let least = u64::from(self.tables.min_pages);
        let wish = match memory {
            Memory::Least(times) => least * u64::from(times.max(1)),
            _ => (bytes / u64::from(self.tables.page_bytes)).min(most).max(least),
        };
        match u32::try_from(wish) {
            Ok(pages) if wish <= most => Ok(Run { pages, needed: least, scheduled: true }),
            _ => Err(self.below_least(wish, most)),
        }
    }

    /// Plans a run in less memory if the device has no room: in fewer pages, and then in several sweeps. Returns `None`
    /// if the run is the smallest, or the host's choice.
    pub fn smaller(&self, run: Run, memory: Memory) -> Option<Run> {
        let needed = u32::try_from(run.needed).ok()?;
        match (run.scheduled, run.pages > needed) {
            _ if memory != Memory::Enough => None,
            // Halves down to the least need.
            (_, true) => Some(Run { pages: (run.pages / 2).max(needed), ..run }),
            (false, false) => {
                let less = self.plan_scheduled(memory, u64::from(run.pages)).ok();
                less.filter(|less| less.pages <= run.pages)
            }
            (true, false) => None,
        }
    }

    /// Returns the reason why these inputs do not run in one pass in `most` pages.
    pub fn one_pass_error(&self, packed: &Packed, most: u64) -> RunError {
        match closure_of_grids(&self.tables, &packed.entries, &packed.grids) {
            Ok(closure) => RunError::Arena { needed: self.bytes(closure.needed()), limit: self.bytes(most) },
            Err(error) => {
                let (code, instance) = match error {
                    ClosureError::Records { instance } => (abi::ERROR_RECORDS, instance),
                    ClosureError::Groups { instance } => (abi::ERROR_GROUPS, instance),
                };
                self.run_error(abi::Report { code, instance, output: 0 }, 1)
            }
        }
    }

    /// Returns the error for a limit below the fewest pages of a scheduled run.
    pub fn below_least(&self, pages: u64, most: u64) -> RunError {
        RunError::LeastArena { needed: self.bytes(pages), limit: self.bytes(most) }
    }

    fn bytes(&self, pages: u64) -> u64 {
        pages.saturating_mul(u64::from(self.tables.page_bytes))
    }

    /// Returns the entries of the page table. A scheduled queue has as many as it may ever have pages, at fixed
    /// positions.
    pub fn page_table(&self, run: &Run) -> u64 {
        if !run.scheduled {
            return u64::from(run.pages);
        }
        let pages = u64::from(run.pages);
        let of_queue = |queue: &QueueRow| {
            let records = u64::from(queue.max_records);
            let prefix = prefix_pages(records, self.tables.page_bytes).min(pages);
            queue.record_pages(records).min(pages) + prefix * u64::from(queue.dynamic_count)
        };
        let of_spill = |spill: &SpillRow| {
            let records = abi::MAX_RECORDS.div_ceil(u64::from(spill.slots)).min(pages);
            records + index_pages(abi::MAX_RECORDS, self.tables.page_bytes).min(pages)
        };
        self.tables.queues.iter().map(of_queue).sum::<u64>() + self.tables.spills.iter().map(of_spill).sum::<u64>()
    }

    /// Returns the context of a dispatch.
    pub fn context(&self, places: &Places, packed: &Packed, group_limit: u32, dispatch_id: u32) -> abi::Context {
        abi::Context {
            tables: places.tables,
            queues: places.context + u64::from(abi::QUEUE_STATES),
            instances: places.context + self.instance_states(),
            pages: places.pages,
            arguments: places.arguments,
            spans: places.spans,
            status: places.status,
            trash: places.trash,
            outputs: places.tables + u64::from(self.header.outputs),
            maps: places.tables + u64::from(self.header.maps),
            page_count: places.page_count,
            chunk_pages: places.chunk_pages,
            span_count: packed.spans.len() as u32,
            span_threads: packed.threads,
            group_limit,
            dispatch_id,
            admit: abi::ADMIT_ALL,
            direct: abi::DIRECT_ALL,
            free: places.free,
            inputs: 0,
            chunks: places.chunks,
            local_roots: places.local_roots.map_or(0, |table| table.address),
            rows: places.tables + u64::from(self.header.instances),
            local_root_stride: places.local_roots.map_or(0, |table| table.stride),
            most_pages: places.most_pages,
        }
    }

    // ---- afterwards

    /// Checks that the kernels ran this dispatch, and without errors.
    ///
    /// # Errors
    /// The first error that prep or a shader reported: [`Program::reports`] has all.
    pub fn judge(&self, status: &abi::Status, dispatch_id: u32, needed: u64) -> Result<(), RunError> {
        if status.flags & abi::FLAG_BUSY != 0 {
            return Err(RunError::Busy);
        }
        if status.magic != abi::STATUS_MAGIC || status.dispatch_id != dispatch_id || status.pages_needed != needed {
            return Err(RunError::Disagreement { host: needed, device: status.pages_needed });
        }
        if status.error_count == 0 { Ok(()) } else { Err(self.first_error(status)) }
    }

    /// Returns the states of the queues, from those of all queues and spills.
    pub fn queues(&self, states: &[u8]) -> Vec<abi::QueueState> {
        let states = states.chunks_exact(abi::QueueState::SIZE).take(self.tables.queues.len());
        states.filter_map(abi::QueueState::decode).collect()
    }

    /// Returns the workgroups in the last draw of a mesh node. Those that only fill up the arguments, and leave
    /// immediately, are not counted. `queue` is the state of the node's queue.
    pub fn drawn_groups(&self, instance: usize, state: &abi::InstanceState, queue: &abi::QueueState) -> u64 {
        let row = &self.tables.instances[instance];
        match (state.follows, row.launch) {
            // The kernel sched has launched it.
            (0, _) => u64::from(state.window_groups),
            (_, LAUNCH_DYNAMIC) => state.counter & ((1 << abi::PREFIX_GROUP_BITS) - 1),
            _ => u64::from(queue.tail.min(queue.capacity)) * u64::from(row.grid_groups),
        }
    }

    /// Returns the records that each instance found in its queue.
    pub fn consumed(&self, queues: &[abi::QueueState]) -> Vec<InstanceReport> {
        let records = |queue: &abi::QueueState| queue.passed + u64::from(queue.tail.min(queue.capacity));
        let instances = self.manifest.instances.iter();
        instances
            .map(|i| InstanceReport {
                node: i.node.clone(),
                level: i.level,
                records: queues.get(i.queue as usize).map_or(0, records),
            })
            .collect()
    }
}
