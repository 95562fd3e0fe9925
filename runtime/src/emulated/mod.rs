//! The host loop of an emulated package, over any compute device.
//!
//! [`EmulatedGraph::load`] creates pipelines and the permanent buffers; [`EmulatedGraph::dispatch`] is one
//! DispatchGraph. It packs the entry records. If the arena holds their closure, it computes the initial state of the
//! stages, or lets the kernels prep and inject compute it. It then records the stages with a barrier between them,
//! submits once and reads the status. Otherwise the kernel sched admits as much as fits, and sweeps are submitted until
//! nothing is pending. Mesh nodes run after all others, as the device runs mesh shaders. `docs/emulation-abi.md`
//! describes the same for engines with a host loop of their own.

mod arena;
mod closure;
mod group_append;
mod input;
pub mod inside;
mod options;
mod prepare;
mod program;
mod report;
mod reports;
mod roots;
mod steps;

pub use arena::ArenaLimits;
pub use closure::{Closure, ClosureError, closure};
pub use input::{Counted, Data, Input};
pub use options::{Allocator, EmulatedOptions, Preparation};
pub use program::Memory;
use report::NamedError;
pub use report::{CutGrid, GraphError, GuardError, InputProblem, InstanceReport, Reports, RunError, RunReport};
pub use roots::{LocalRootTable, RootTableProblem};

use crate::device::{
    BindingsId, BufferId, Cause, Command, Device, DeviceError, Limits, OtherSubgroups, PipelineId, SubgroupSizes,
};
use crate::mesh::Meshes;
pub(crate) use input::{Packed, pack};
pub(crate) use prepare::Prepared;
pub(crate) use program::{Places, Program, Run};
pub(crate) use steps::{Groups, Launch, Step, Steps, Work};

use inside::{
    GraphPages, Measured, Moment, Observer, QueueTracker, Trace, appends, before_last, phases, split_after_sched,
};

use arena::Arena;
pub(crate) use group_append::with_group_append;
use std::cell::RefCell;
use std::rc::Rc;
use wgc_abi::device as abi;
use wgc_abi::manifest::{Manifest, ModuleRef};
use wgc_abi::{NodeName, Package};

/// Vulkan's name of the feature.
pub(crate) const MAXIMAL_RECONVERGENCE: &str = "shaderMaximalReconvergence";

/// The offset of the states of the queues, after the context.
const QUEUE_STATES: u64 = abi::QUEUE_STATES as u64;

/// The most sweeps of one submission: each costs little when no work is left.
const MAX_SWEEPS: u32 = 16;

/// A package on a device. The device is handed to each call and must always be the same.
#[derive(Debug)]
pub struct EmulatedGraph {
    program: Program,
    options: EmulatedOptions,
    bindings: Option<BindingsId>,
    /// By module of the manifest.
    pipelines: Vec<PipelineId>,
    group_limit: u32,
    buffers: Buffers,
    arena: Arena,
    dispatches: u32,
    /// The most records that each queue had at a time in the last dispatch.
    peaks: Vec<u32>,
    local_roots: Option<LocalRootTable>,
    /// The reports of the last dispatch.
    reports: Reports,
    report: Option<RunReport>,
    observer: Option<Box<dyn Observer>>,
    trace: Option<Rc<RefCell<Trace>>>,
}

/// The source of a dispatch's entry records.
#[derive(Clone, Copy)]
enum Inputs<'i> {
    /// In their queues already; whether a resident workgroup runs them.
    Prepared { resident: bool },
    /// Records of the host, with their spans in a buffer.
    Packed(&'i Packed, BufferId),
    /// Records that the device has counted; the buffer is for their spans.
    Counted(Counted, BufferId),
}

/// The observers of the queues during a dispatch.
struct Watch<'w> {
    tracker: Option<QueueTracker>,
    observer: &'w mut Option<Box<dyn Observer>>,
}

/// Buffers that live as long as the graph.
#[derive(Debug)]
struct Buffers {
    /// The context, followed by the states of the queues, the spills and the instances.
    context: BufferId,
    tables: BufferId,
    arguments: BufferId,
    status: BufferId,
    trash: BufferId,
}

impl EmulatedGraph {
    /// Loads a package. `bindings` are the user's resources, with the sets and bindings of the manifest; they may be
    /// `None` when the manifest lists none.
    pub fn load(
        device: &mut dyn Device,
        package: &Package,
        bindings: Option<BindingsId>,
        options: EmulatedOptions,
    ) -> Result<Self, RunError> {
        let program = Program::new(package)?;
        support(device, &program.manifest)?;
        if options.poison && program.manifest.kernels.guard.is_none() {
            return Err(RunError::NoGuards);
        }
        let grouped = match options.allocator {
            Allocator::Auto => device.is_gpu(),
            Allocator::Group => true,
            Allocator::Lane | Allocator::Subgroup => false,
        };
        let mut pipelines = Vec::with_capacity(program.manifest.modules.len());
        for module in 0..program.manifest.modules.len() {
            let (words, entry) = program.module(package, module)?;
            let (push_bytes, wave_size) = (program.manifest.push_bytes, program.manifest.modules[module].subgroup_size);
            let words = with_group_append(words, grouped);
            let file = &program.manifest.modules[module].file;
            let of_file = |e: DeviceError| DeviceError { message: format!("{file}: {}", e.message), ..e };
            pipelines.push(device.create_pipeline(&words, entry, bindings, push_bytes, wave_size).map_err(of_file)?);
        }
        let [queues, instances, arguments] = program.state_bytes();
        let page_bytes = program.tables.page_bytes;
        let (states, status) = (program.instance_states() + instances, abi::Status::SIZE as u64);
        let sizes = [states, package.tables.len() as u64, arguments, status, u64::from(page_bytes)];
        let [context, tables, arguments, status, trash] = create_all(device, sizes)?;
        let buffers = Buffers { context, tables, arguments, status, trash };
        for (buffer, name) in buffers.named() {
            device.name_buffer(buffer, name);
        }
        // All threads write there once they exceed their limits.
        device.disregard(buffers.trash);
        device.write_buffer(buffers.tables, 0, &package.tables)?;
        // No dispatch was before the first.
        device.write_buffer(buffers.context, QUEUE_STATES, &vec![0; queues as usize])?;
        let [x, y, _] = device.limits().max_groups;
        Ok(Self {
            program,
            arena: Arena::new(page_bytes, options.arena, options.poison),
            options,
            bindings,
            pipelines,
            group_limit: x.min(y).min(1 << 31),
            buffers,
            dispatches: 0,
            peaks: Vec::new(),
            local_roots: None,
            reports: Reports::default(),
            report: None,
            observer: None,
            trace: None,
        })
    }

    /// Sets an observer of appended records. From now on dispatches are submitted stage by stage, which is slower.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observer = Some(observer);
    }

    /// Starts measuring dispatches. Scheduled runs submit each sweep alone.
    pub fn trace(&mut self, trace: Rc<RefCell<Trace>>) {
        self.trace = Some(trace);
    }

    pub fn manifest(&self) -> &Manifest {
        &self.program.manifest
    }

    /// Returns all reports of the last dispatch, errors or not.
    pub fn reports(&self) -> &Reports {
        &self.reports
    }

    /// Describes an error with the package's names in place of the error's numbers.
    pub fn in_words(&self, error: &RunError) -> String {
        match error {
            RunError::Graph(error) => NamedError(error, self.program.target_name(error)).to_string(),
            other => other.to_string(),
        }
    }

    /// Sets the table of local root arguments for later dispatches.
    pub fn set_local_roots(&mut self, table: LocalRootTable) {
        self.local_roots = Some(table);
    }

    /// Runs the graph on the inputs to its end. `push` are the user's push constants, at most as many bytes as the
    /// manifest's block.
    ///
    /// # Errors
    /// If the inputs do not fit the graph, or their closure the device, nothing has run. A [`RunError::Graph`] after
    /// the run means that shaders broke their own limits: records beyond the limits are lost, and the rest was done. It
    /// is the first error; [`EmulatedGraph::reports`] has all.
    pub fn dispatch(&mut self, device: &mut dyn Device, inputs: &[Input], push: &[u8]) -> Result<RunReport, RunError> {
        self.reports = Reports::default();
        self.program.check_roots(self.local_roots.as_ref())?;
        let mut packed = pack(&self.program.manifest, self.program.tables.queues.len(), inputs)?;
        // Observers see the records that the kernels append, and guards follow records that the kernels have written.
        let watched = self.options.deterministic || self.options.poison;
        let alone = !watched && self.observer.is_none() && self.trace.is_none();
        let by_host = alone && self.options.preparation == Preparation::Host;
        if by_host {
            self.program.read_grids(&mut packed);
        }
        let mut run = self.plan(device, &packed)?;
        if by_host && let Some(resident) = self.prepare(device, &packed, &run)? {
            return self.run(device, Inputs::Prepared { resident }, push, run);
        }
        if !packed.grids.is_empty() {
            // The kernels prepare the run, and count with the largest grids.
            packed.grids.clear();
            run = self.plan(device, &packed)?;
        }
        let (records, spans) = upload(device, &packed)?;
        let result = self.run(device, Inputs::Packed(&packed, spans), push, run);
        records.into_iter().chain([spans]).for_each(|buffer| device.destroy_buffer(buffer));
        result
    }

    /// Dispatches inputs that the device has counted, in a scheduled run, because their memory needs are unknown before
    /// it.
    ///
    /// # Errors
    /// The errors of [`EmulatedGraph::dispatch`], and [`RunError::CountedInput`] after a run that left inputs out.
    pub fn dispatch_counted(
        &mut self,
        device: &mut dyn Device,
        inputs: Counted,
        push: &[u8],
    ) -> Result<RunReport, RunError> {
        self.reports = Reports::default();
        self.program.check_roots(self.local_roots.as_ref())?;
        let run = self.program.plan_scheduled(self.options.memory, self.arena.most_pages());
        let run = run.map_err(|error| self.arena.as_given(error))?;
        let run = self.hold(device, run)?;
        let spans = device.create_buffer(u64::from(inputs.most.max(1)) * abi::Span::SIZE as u64)?;
        let result = self.run(device, Inputs::Counted(inputs, spans), push, run);
        device.destroy_buffer(spans);
        result
    }

    /// Releases all memory of the graph to the device.
    pub fn destroy(mut self, device: &mut dyn Device) {
        let b = &self.buffers;
        for (buffer, _) in b.named() {
            device.destroy_buffer(buffer);
        }
        self.arena.release(device);
    }

    /// Plans the run of these inputs, and makes room for it.
    fn plan(&mut self, device: &mut dyn Device, packed: &Packed) -> Result<Run, RunError> {
        let run = self.program.plan(packed, self.options.memory, self.arena.most_pages(), &self.peaks);
        let run = run.map_err(|error| self.arena.as_given(error))?;
        self.hold(device, run)
    }

    /// Makes room for a dispatch. The next dispatch needs only the states of the queues from the last one. If the
    /// device has too little memory, the run gets less and takes longer.
    fn hold(&mut self, device: &mut dyn Device, mut run: Run) -> Result<Run, RunError> {
        loop {
            match self.arena.hold(device, u64::from(run.pages), self.program.page_table(&run)) {
                Ok(()) => break,
                Err(RunError::Device(error)) if error.cause == Cause::Memory => {
                    run = self.program.smaller(run, self.options.memory).ok_or_else(|| RunError::Memory {
                        needed: u64::from(run.pages) * u64::from(self.program.tables.page_bytes),
                        error,
                    })?;
                }
                Err(other) => return Err(other),
            }
        }
        let [_, instances, arguments] = self.program.state_bytes();
        let b = &self.buffers;
        device.forget(b.context, self.program.instance_states(), instances)?;
        device.forget(b.arguments, 0, arguments)?;
        device.forget(b.status, 0, abi::Status::SIZE as u64)?;
        Ok(run)
    }

    /// Prepares the state of a run in one pass on the host, and returns whether a resident workgroup should run it.
    /// `None`: the kernels have to prepare.
    fn prepare(&mut self, device: &mut dyn Device, packed: &Packed, run: &Run) -> Result<Option<bool>, RunError> {
        let dispatch_id = self.dispatches.wrapping_add(1);
        let context = abi::Context { dispatch_id, ..self.context(device, packed, 0, run) };
        let Some(made) = self.program.prepare(packed, run, &context, &self.peaks) else { return Ok(None) };
        let b = &self.buffers;
        let status = made.status.to_bytes();
        let states = [
            (b.context, QUEUE_STATES, &made.queues),
            (b.context, self.program.instance_states(), &made.instances),
            (b.arguments, 0, &made.arguments),
        ];
        for (buffer, offset, bytes) in states.into_iter().filter(|(_, _, bytes)| !bytes.is_empty()) {
            device.write_buffer(buffer, offset, bytes)?;
        }
        device.write_buffer(b.status, 0, &status)?;
        self.arena.write(device, &made.pages, &made.contents)?;
        Ok(Some(made.is_resident))
    }

    fn run(&mut self, device: &mut dyn Device, inputs: Inputs, push: &[u8], run: Run) -> Result<RunReport, RunError> {
        let mut observer = self.observer.take();
        let result = self.run_observed(device, inputs, push, run, &mut observer);
        self.observer = observer;
        result
    }

    fn run_observed(
        &mut self,
        device: &mut dyn Device,
        inputs: Inputs,
        push: &[u8],
        run: Run,
        observer: &mut Option<Box<dyn Observer>>,
    ) -> Result<RunReport, RunError> {
        self.dispatches = self.dispatches.wrapping_add(1);
        let none = Packed::default();
        let (packed, spans) = match inputs {
            Inputs::Prepared { .. } => (&none, 0),
            Inputs::Packed(packed, spans) => (packed, device.buffer_address(spans)),
            Inputs::Counted(_, spans) => (&none, device.buffer_address(spans)),
        };
        let mut context = self.context(device, packed, spans, &run);
        if let Inputs::Counted(counted, _) = inputs {
            context.inputs = counted.list;
        }
        device.write_buffer(self.buffers.context, 0, &context.to_bytes())?;
        if !matches!(inputs, Inputs::Prepared { .. }) {
            // A dispatch that did not end is not waited for.
            device.write_buffer(self.buffers.status, 0, &[0; abi::Status::SIZE])?;
        }
        let together = match self.options.allocator {
            Allocator::Auto | Allocator::Group => device.offers(MAXIMAL_RECONVERGENCE),
            Allocator::Lane => false,
            Allocator::Subgroup => true,
        };
        let allocator = if together { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        let scheduled = if run.scheduled { abi::PUSH_SCHEDULED } else { 0 };
        let address = device.buffer_address(self.buffers.context);
        if self.options.poison {
            self.arena.poison(device, run.pages)?;
        }
        let steps = Steps::new(&self.program, address, allocator | scheduled, self.group_limit, push);
        let mut sweeps = 1;
        let first = match inputs {
            Inputs::Prepared { resident } => {
                let all = if resident { steps.resident() } else { None };
                all.unwrap_or_else(|| steps.prepared())
            }
            Inputs::Counted(counted, _) => steps.begin(Some(counted.most), sweeps),
            Inputs::Packed(..) if run.scheduled => steps.begin(None, sweeps),
            Inputs::Packed(packed, _) => steps.single(packed.threads),
        };
        let guarded = |list| if self.options.poison { steps.guarded(list) } else { list };
        let ordered = self.options.deterministic;
        let tracker = (ordered || observer.is_some()).then(|| QueueTracker::new(ordered));
        let mut watch = Watch { tracker, observer };
        let mut meshes = Some(Vec::new());
        self.submit(device, guarded(first), steps.draws(), &run, &mut watch)?;
        self.collect_meshes(device, &mut meshes)?;
        let mut status = self.status(device)?;
        // Records of mesh nodes are drawn after each sweep.
        let most = if self.program.mesh_instances().next().is_some() { 1 } else { MAX_SWEEPS };
        while run.scheduled && status.state == abi::STATE_PENDING {
            let before = (status, self.progress(device)?);
            if watch.tracker.is_none() && self.trace.is_none() {
                sweeps = (sweeps * 2).min(most);
            }
            self.submit(device, guarded(steps.more(status.deepest, sweeps)), steps.draws(), &run, &mut watch)?;
            self.collect_meshes(device, &mut meshes)?;
            status = self.status(device)?;
            if before == (abi::Status { sweeps: before.0.sweeps, ..status }, self.progress(device)?) {
                return Err(RunError::Stuck { deepest: status.deepest });
            }
        }
        self.reports = self.program.reports(&status);
        let judged = self.program.judge(&status, self.dispatches, run.needed);
        let mut queues = vec![0; self.program.state_bytes()[0] as usize];
        device.read_buffer(self.buffers.context, QUEUE_STATES, &mut queues)?;
        let queues = self.program.queues(&queues);
        self.peaks = queues.iter().map(abi::QueueState::most).collect();
        let report = RunReport {
            instances: self.program.consumed(&queues),
            spilled: queues.iter().map(|q| u64::from(q.tail.min(q.capacity).saturating_sub(q.direct))).sum(),
            pages: u64::from(run.pages),
            sweeps: status.sweeps,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
            meshes,
        };
        self.report = Some(report.clone());
        judged.map(|()| report)
    }

    /// Returns the report of the last dispatch that ran to its end, even if a shader broke a rule of its graph.
    pub fn report(&self) -> Option<&RunReport> {
        self.report.as_ref()
    }

    /// Runs steps and then the draws: all in one submission or, if the queues are observed, phase by phase.
    fn submit<'g>(
        &self,
        device: &mut dyn Device,
        steps: Vec<Step<'g>>,
        draws: impl Iterator<Item = Launch<'g>>,
        run: &Run,
        watch: &mut Watch,
    ) -> Result<(), RunError> {
        let tables = &self.program.tables;
        let pages = GraphPages {
            arena: &self.arena,
            context: self.buffers.context,
            queue_count: tables.queues.len(),
            spill_count: tables.spills.len(),
        };
        let mut draws: Vec<Step> = draws.map(Step::Run).collect();
        if !draws.is_empty() {
            draws.push(Step::Barrier);
        }
        let (parts, behind) = match (&watch.tracker, &self.trace) {
            (Some(_), _) => (phases(steps), draws),
            // The arguments of launches stay readable until the last sweep is over.
            (None, Some(_)) if run.scheduled => (before_last(steps), draws),
            _ => (vec![[steps, draws].concat()], Vec::new()),
        };
        let forgets = run.scheduled && !self.options.poison && device.knows_the_undefined();
        let submit = |device: &mut dyn Device, part: &[Step]| match &self.trace {
            Some(trace) => self.measure(device, part, run, &pages, &mut trace.borrow_mut()),
            None if forgets => split_after_sched(part).into_iter().try_for_each(|part| {
                device.submit(&self.commands(part))?;
                self.forget_pages(device, &pages)
            }),
            None => Ok(device.submit(&self.commands(part))?),
        };
        for part in parts {
            submit(device, &part)?;
            if let (Some(tracker), Some(after)) = (&mut watch.tracker, appends(&part)) {
                let (program, status, dispatch) = (&self.program, self.buffers.status, self.dispatches);
                let moment = Moment { program, pages: &pages, status, dispatch, after };
                tracker.observe(device, &moment, watch.observer.as_mut())?;
            }
        }
        // They append no records.
        if behind.is_empty() { Ok(()) } else { submit(device, &behind) }
    }

    /// Adds the output of the last draws to `meshes`, which is `None` if it is unknown.
    fn collect_meshes(
        &self,
        device: &mut dyn Device,
        meshes: &mut Option<Vec<(NodeName, Meshes)>>,
    ) -> Result<(), RunError> {
        if self.program.mesh_instances().next().is_none() {
            return Ok(());
        }
        let Some((known, drawn)) = meshes.as_mut().zip(device.take_meshes()) else {
            *meshes = None;
            return Ok(());
        };
        let (queues, instances) = self.progress(device)?;
        let queues = self.program.queues(&queues);
        for (number, mut drawn) in self.program.mesh_instances().zip(drawn) {
            let instance = &self.program.manifest.instances[number];
            let state = abi::InstanceState::decode(&instances[number * abi::InstanceState::SIZE..]);
            if let (Some(state), Some(queue)) = (state, queues.get(instance.queue as usize)) {
                drawn.groups = drawn.groups.min(self.program.drawn_groups(number, &state, queue));
            }
            match known.iter_mut().find(|(node, _)| *node == instance.node) {
                Some((_, meshes)) => meshes.append(drawn),
                None => known.push((instance.node.clone(), drawn)),
            }
        }
        Ok(())
    }

    fn measure(
        &self,
        device: &mut dyn Device,
        steps: &[Step],
        run: &Run,
        pages: &GraphPages,
        trace: &mut Trace,
    ) -> Result<(), RunError> {
        let clock = device.clock().ok_or_else(|| RunError::Unsupported { what: "timestamps".to_owned() })?;
        let ticks = device.submit_measured(&self.commands(steps))?;
        let mut arguments = vec![0; self.program.state_bytes()[2] as usize];
        device.read_buffer(self.buffers.arguments, 0, &mut arguments)?;
        let arguments: Vec<_> =
            arguments.chunks_exact(abi::Arguments::SIZE).filter_map(abi::Arguments::decode).collect();
        trace.device = device.name();
        trace.add(&Measured {
            program: &self.program,
            dispatch: self.dispatches,
            clock,
            ticks: &ticks,
            steps,
            states: &pages.states(device)?,
            arguments: &arguments,
            status: self.status(device)?,
            run,
        });
        Ok(())
    }

    /// Returns the context. `spans` is the address of the spans.
    fn context(&self, device: &dyn Device, packed: &Packed, spans: u64, run: &Run) -> abi::Context {
        let places = Places {
            tables: device.buffer_address(self.buffers.tables),
            context: device.buffer_address(self.buffers.context),
            pages: self.arena.page_table(device),
            arguments: device.buffer_address(self.buffers.arguments),
            spans,
            status: device.buffer_address(self.buffers.status),
            trash: device.buffer_address(self.buffers.trash),
            free: self.arena.free_pages(device),
            chunks: self.arena.chunks(device),
            chunk_pages: self.arena.chunk_pages(),
            page_count: run.pages,
            most_pages: run.pages,
            local_roots: self.local_roots,
        };
        let admit = if self.options.admit_one { abi::ADMIT_ONE } else { abi::ADMIT_ALL };
        let tight = self.options.memory == Memory::Tight;
        let none = if run.scheduled { self.options.spill_all } else { tight };
        let direct = if none { abi::DIRECT_NONE } else { abi::DIRECT_ALL };
        abi::Context { admit, direct, ..self.program.context(&places, packed, self.group_limit, self.dispatches) }
    }

    fn commands(&self, steps: &[Step]) -> Vec<Command> {
        let command = |step: &Step| match step {
            Step::Barrier => Command::Barrier,
            Step::Run(Launch { module, push, groups, label, .. }) => {
                let (pipeline, bindings) = (self.pipelines[*module as usize], self.bindings);
                let (push, label) = (push.clone(), (*label).to_owned());
                match *groups {
                    Groups::Fixed(groups) => Command::Dispatch { pipeline, bindings, push, groups, label },
                    Groups::Indirect(offset) => {
                        let args = self.buffers.arguments;
                        Command::DispatchIndirect { pipeline, bindings, push, args, offset, label }
                    }
                }
            }
        };
        steps.iter().map(command).collect()
    }

    /// Forgets the contents of pages that the kernel sched has given out or taken back: they belong to no record.
    fn forget_pages(&self, device: &mut dyn Device, pages: &GraphPages) -> Result<(), RunError> {
        let status = self.status(device)?;
        let mut addresses = self.arena.free(device, status.pages_free)?;
        addresses.extend(pages.unused(device, &self.program.tables)?);
        self.arena.forget_pages(device, &addresses)
    }

    fn status(&self, device: &mut dyn Device) -> Result<abi::Status, RunError> {
        let mut bytes = [0; abi::Status::SIZE];
        device.read_buffer(self.buffers.status, 0, &mut bytes)?;
        abi::Status::decode(&bytes).ok_or(RunError::Manifest("the status is incomplete"))
    }

    /// Returns the state that changes when a workgroup runs: the counts of queues and of launches.
    fn progress(&self, device: &mut dyn Device) -> Result<(Vec<u8>, Vec<u8>), RunError> {
        let [queues, instances, _] = self.program.state_bytes();
        let (mut queues, mut instances) = (vec![0; queues as usize], vec![0; instances as usize]);
        device.read_buffer(self.buffers.context, QUEUE_STATES, &mut queues)?;
        device.read_buffer(self.buffers.context, self.program.instance_states(), &mut instances)?;
        Ok((queues, instances))
    }
}

impl Buffers {
    fn named(&self) -> [(BufferId, &'static str); 5] {
        [
            (self.context, "context and states"),
            (self.tables, "tables"),
            (self.arguments, "arguments"),
            (self.status, "status"),
            (self.trash, "trash"),
        ]
    }
}

/// Creates buffers of these sizes: all of them, or none.
fn create_all<const N: usize>(device: &mut dyn Device, sizes: [u64; N]) -> Result<[BufferId; N], RunError> {
    let mut buffers = [BufferId(0); N];
    for (at, bytes) in sizes.into_iter().enumerate() {
        match device.create_buffer(bytes) {
            Ok(buffer) => buffers[at] = buffer,
            Err(error) => {
                buffers[..at].iter().for_each(|buffer| device.destroy_buffer(*buffer));
                return Err(error.into());
            }
        }
    }
    Ok(buffers)
}

/// Records and spans in buffers of their own.
fn upload(device: &mut dyn Device, packed: &Packed) -> Result<(Option<BufferId>, BufferId), RunError> {
    let span_bytes = packed.spans_at(0).len().max(abi::Span::SIZE) as u64;
    let (records, spans) = match packed.bytes.len() as u64 {
        0 => (None, create_all(device, [span_bytes]).map(|[spans]| spans)?),
        bytes => create_all(device, [bytes, span_bytes]).map(|[records, spans]| (Some(records), spans))?,
    };
    let base = records.map_or(0, |records| device.buffer_address(records));
    if let Some(records) = records {
        device.write_buffer(records, 0, &packed.bytes)?;
    }
    let bytes = packed.spans_at(base);
    if !bytes.is_empty() {
        device.write_buffer(spans, 0, &bytes)?;
    }
    Ok((records, spans))
}

fn support(device: &dyn Device, manifest: &Manifest) -> Result<(), RunError> {
    let limits = device.limits();
    for feature in &manifest.features {
        let offered = match feature.as_str() {
            report::INT64_ATOMICS => limits.int64_atomics,
            other => device.offers(other),
        };
        if !offered {
            return Err(RunError::Unsupported { what: feature.clone() });
        }
    }
    has_lanes(manifest, &limits.subgroups)?;
    let Limits { max_group_threads, max_mesh_threads, .. } = *limits;
    too_many_threads(manifest, max_group_threads, max_mesh_threads)
}

/// Checks WaveSize of a package's nodes against the subgroups of the device.
pub(crate) fn has_lanes(manifest: &Manifest, sizes: &SubgroupSizes) -> Result<(), RunError> {
    for instance in &manifest.instances {
        let module = manifest.modules.get(instance.module as usize);
        if let Some(Err(OtherSubgroups { wanted, has })) = module.map(|module| subgroup_size(module, sizes)) {
            let node = &instance.node;
            let what = format!("{wanted}, which node {node} needs (WaveSize), but those of the device have {has}");
            return Err(RunError::Unsupported { what });
        }
    }
    Ok(())
}

/// Returns the lanes that the pipeline of a module requests.
pub(crate) fn subgroup_size(module: &ModuleRef, sizes: &SubgroupSizes) -> Result<Option<u32>, OtherSubgroups> {
    let Some(wanted) = module.subgroup_size else { return Ok(None) };
    let threads = module.group_size.iter().fold(1, |all: u32, axis| all.saturating_mul(*axis));
    sizes.choose(wanted, threads, module.mesh.is_some())
}

/// Checks the workgroups of a package against the thread limits of compute and of mesh shaders.
pub(crate) fn too_many_threads(manifest: &Manifest, compute: u32, mesh: u32) -> Result<(), RunError> {
    let threads = manifest.limits;
    let what = if threads.group_threads > compute {
        format!("workgroups of {} threads", threads.group_threads)
    } else if threads.mesh_threads > mesh {
        format!("workgroups of {} threads in mesh shaders", threads.mesh_threads)
    } else {
        return Ok(());
    };
    Err(RunError::Unsupported { what })
}
