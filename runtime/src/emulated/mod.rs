//! The host loop of an emulated package, over any compute device.
//!
//! [`EmulatedGraph::load`] makes pipelines and the buffers that stay; [`EmulatedGraph::dispatch`] is one DispatchGraph.
//! It packs the entry records. Where the arena holds their closure, it records prep, inject and the stages with a
//! barrier between them, submits once and reads the status; elsewhere the kernel sched admits what has room, and
//! sweeps are submitted until nothing waits. `docs/emulation-abi.md` is the same in prose, for engines that write their
//! own.

mod arena;
mod closure;
mod input;
mod program;
mod report;
mod steps;

pub use arena::ArenaLimits;
pub use closure::{Closure, ClosureError, closure};
pub use input::{Counted, Data, Input};
pub use program::Memory;
pub use report::{GraphError, InputProblem, InstanceReport, RunError, RunReport};

use crate::device::{BindingsId, BufferId, Command, Device, PipelineId, other_lanes};
pub(crate) use input::{Packed, pack};
pub(crate) use program::{Places, Program, Run};
pub(crate) use steps::{Groups, Launch, Step, Steps};

use arena::Arena;
use wgc_abi::Package;
use wgc_abi::device as abi;
use wgc_abi::manifest::Manifest;

/// What a host may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmulatedOptions {
    pub arena: ArenaLimits,
    pub memory: Memory,
    /// Scheduled runs launch one workgroup of an instance at a time, which shows whether they come back to the rest.
    pub admit_one: bool,
    /// Scheduled runs send all records for queues that share a spill there, but for the host's.
    pub spill_all: bool,
    /// Allocators use subgroup operations in varying control flow: only for devices with maximal reconvergence.
    pub subgroup_allocator: bool,
}

/// Sweeps of one submission at most: each costs little when nothing is left.
const MOST_SWEEPS: u32 = 16;

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
}

/// Buffers that live as long as the graph.
#[derive(Debug)]
struct Buffers {
    context: BufferId,
    tables: BufferId,
    queues: BufferId,
    instances: BufferId,
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
        let mut pipelines = Vec::with_capacity(program.manifest.modules.len());
        for module in 0..program.manifest.modules.len() {
            let (words, entry) = program.module(package, module)?;
            pipelines.push(device.create_pipeline(words, entry, bindings, program.manifest.push_bytes)?);
        }
        let [queues, instances, arguments] = program.state_bytes();
        let page_bytes = program.tables.page_bytes;
        let buffers = Buffers {
            context: device.create_buffer(abi::Context::SIZE as u64)?,
            tables: device.create_buffer(package.tables.len() as u64)?,
            queues: device.create_buffer(queues)?,
            instances: device.create_buffer(instances)?,
            arguments: device.create_buffer(arguments)?,
            status: device.create_buffer(abi::Status::SIZE as u64)?,
            trash: device.create_buffer(u64::from(page_bytes))?,
        };
        device.write_buffer(buffers.tables, 0, &package.tables)?;
        // No dispatch was before the first.
        device.write_buffer(buffers.queues, 0, &vec![0; queues as usize])?;
        let [x, y, _] = device.limits().max_groups;
        Ok(Self {
            program,
            arena: Arena::new(page_bytes, options.arena),
            options,
            bindings,
            pipelines,
            group_limit: x.min(y).min(1 << 31),
            buffers,
            dispatches: 0,
            peaks: Vec::new(),
        })
    }

    pub fn manifest(&self) -> &Manifest {
        &self.program.manifest
    }

    /// Runs the graph on the inputs to its end. `push` are the user's push constants, at most as many bytes as the
    /// manifest's block has.
    ///
    /// # Errors
    /// When the inputs do not fit the graph or their closure the device, nothing has run. A [`RunError::Graph`] after
    /// the run means that shaders broke their own limits: what they exceeded them by is lost, the rest was done.
    pub fn dispatch(&mut self, device: &mut dyn Device, inputs: &[Input], push: &[u8]) -> Result<RunReport, RunError> {
        let packed = pack(&self.program.manifest, self.program.tables.queues.len(), inputs)?;
        let (memory, most) = (self.options.memory, self.arena.most_pages());
        let run = self.program.plan(&packed, memory, most, self.group_limit, &self.peaks)?;
        self.arena.hold(device, u64::from(run.pages), self.program.page_table(&run))?;
        let (records, spans) = upload(device, &packed)?;
        let result = self.run(device, &packed, None, spans, push, run);
        records.into_iter().chain([spans]).for_each(|buffer| device.destroy_buffer(buffer));
        result
    }

    /// The same with inputs that the device has counted, in a scheduled run: nobody knows before how much memory they need.
    ///
    /// # Errors
    /// As [`EmulatedGraph::dispatch`], and [`RunError::CountedInput`] after a run that left some of them out.
    pub fn dispatch_counted(
        &mut self,
        device: &mut dyn Device,
        inputs: Counted,
        push: &[u8],
    ) -> Result<RunReport, RunError> {
        let run = self.program.plan_scheduled(self.options.memory, self.arena.most_pages())?;
        self.arena.hold(device, u64::from(run.pages), self.program.page_table(&run))?;
        let spans = device.create_buffer(u64::from(inputs.most.max(1)) * abi::Span::SIZE as u64)?;
        let result = self.run(device, &Packed::default(), Some(inputs), spans, push, run);
        device.destroy_buffer(spans);
        result
    }

    /// Gives all memory of the graph back to the device.
    pub fn destroy(mut self, device: &mut dyn Device) {
        let b = &self.buffers;
        for buffer in [b.context, b.tables, b.queues, b.instances, b.arguments, b.status, b.trash] {
            device.destroy_buffer(buffer);
        }
        self.arena.release(device);
    }

    fn run(
        &mut self,
        device: &mut dyn Device,
        packed: &Packed,
        counted: Option<Counted>,
        spans: BufferId,
        push: &[u8],
        run: Run,
    ) -> Result<RunReport, RunError> {
        self.dispatches = self.dispatches.wrapping_add(1);
        let mut context = self.context(device, packed, spans, &run);
        context.inputs = counted.map_or(0, |counted| counted.list);
        device.write_buffer(self.buffers.context, 0, &context.to_bytes())?;
        let allocator = if self.options.subgroup_allocator { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        let scheduled = if run.scheduled { abi::PUSH_SCHEDULED } else { 0 };
        let address = device.buffer_address(self.buffers.context);
        let steps = Steps::new(&self.program, address, allocator | scheduled, self.group_limit, push);
        let mut sweeps = 1;
        let first = match run.scheduled {
            true => steps.begin(counted.map(|counted| counted.most), sweeps),
            false => steps.single(packed.threads),
        };
        device.submit(&self.commands(first))?;
        let mut status = self.status(device)?;
        while run.scheduled && status.state == abi::STATE_PENDING {
            let before = (status, self.progress(device)?);
            sweeps = (sweeps * 2).min(MOST_SWEEPS);
            device.submit(&self.commands(steps.sweeps(false, sweeps)))?;
            status = self.status(device)?;
            if before == (abi::Status { sweeps: before.0.sweeps, ..status }, self.progress(device)?) {
                return Err(RunError::Stuck { deepest: status.deepest });
            }
        }
        self.program.judge(&status, self.dispatches, run.needed)?;
        let mut queues = vec![0; self.program.state_bytes()[0] as usize];
        device.read_buffer(self.buffers.queues, 0, &mut queues)?;
        let queues = self.program.queues(&queues);
        self.peaks = queues.iter().map(|q| q.peak.max(q.tail.min(q.capacity))).collect();
        Ok(RunReport {
            instances: self.program.consumed(&queues),
            spilled: queues.iter().map(|q| u64::from(q.tail.min(q.capacity).saturating_sub(q.direct))).sum(),
            pages: u64::from(run.pages),
            sweeps: status.sweeps,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
        })
    }

    fn context(&self, device: &dyn Device, packed: &Packed, spans: BufferId, run: &Run) -> abi::Context {
        let places = Places {
            tables: device.buffer_address(self.buffers.tables),
            queues: device.buffer_address(self.buffers.queues),
            instances: device.buffer_address(self.buffers.instances),
            pages: self.arena.page_table(device),
            arguments: device.buffer_address(self.buffers.arguments),
            spans: device.buffer_address(spans),
            status: device.buffer_address(self.buffers.status),
            trash: device.buffer_address(self.buffers.trash),
            free: self.arena.free_pages(device),
            chunks: self.arena.chunks(device),
            chunk_pages: self.arena.chunk_pages(),
            page_count: run.pages,
        };
        let admit = if self.options.admit_one { abi::ADMIT_ONE } else { abi::ADMIT_ALL };
        let tight = self.options.memory == Memory::Tight;
        let none = if run.scheduled { self.options.spill_all } else { tight };
        let direct = if none { abi::DIRECT_NONE } else { abi::DIRECT_ALL };
        abi::Context { admit, direct, ..self.program.context(&places, packed, self.group_limit, self.dispatches) }
    }

    fn commands(&self, steps: Vec<Step>) -> Vec<Command> {
        let command = |step| match step {
            Step::Barrier => Command::Barrier,
            Step::Run(Launch { module, push, groups, label }) => {
                let (pipeline, bindings) = (self.pipelines[module as usize], self.bindings);
                let label = label.to_owned();
                match groups {
                    Groups::Fixed(groups) => Command::Dispatch { pipeline, bindings, push, groups, label },
                    Groups::Indirect(offset) => {
                        let args = self.buffers.arguments;
                        Command::DispatchIndirect { pipeline, bindings, push, args, offset, label }
                    }
                }
            }
        };
        steps.into_iter().map(command).collect()
    }

    fn status(&self, device: &mut dyn Device) -> Result<abi::Status, RunError> {
        let mut bytes = [0; abi::Status::SIZE];
        device.read_buffer(self.buffers.status, 0, &mut bytes)?;
        abi::Status::decode(&bytes).ok_or(RunError::Manifest("the status is cut off"))
    }

    /// What changes when a workgroup runs: what went through the queues, and what was launched.
    fn progress(&self, device: &mut dyn Device) -> Result<(Vec<u8>, Vec<u8>), RunError> {
        let [queues, instances, _] = self.program.state_bytes();
        let (mut queues, mut instances) = (vec![0; queues as usize], vec![0; instances as usize]);
        device.read_buffer(self.buffers.queues, 0, &mut queues)?;
        device.read_buffer(self.buffers.instances, 0, &mut instances)?;
        Ok((queues, instances))
    }
}

/// Records and spans in buffers of their own.
fn upload(device: &mut dyn Device, packed: &Packed) -> Result<(Option<BufferId>, BufferId), RunError> {
    let mut records = None;
    let mut base = 0;
    if !packed.bytes.is_empty() {
        let buffer = device.create_buffer(packed.bytes.len() as u64)?;
        device.write_buffer(buffer, 0, &packed.bytes)?;
        base = device.buffer_address(buffer);
        records = Some(buffer);
    }
    let bytes = packed.spans_at(base);
    let spans = device.create_buffer(bytes.len().max(abi::Span::SIZE) as u64)?;
    if !bytes.is_empty() {
        device.write_buffer(spans, 0, &bytes)?;
    }
    Ok((records, spans))
}

fn support(device: &dyn Device, manifest: &Manifest) -> Result<(), RunError> {
    let limits = device.limits();
    for feature in &manifest.features {
        let offered = match feature.as_str() {
            "shaderBufferInt64Atomics" => limits.int64_atomics,
            other => device.offers(other),
        };
        if !offered {
            return Err(RunError::Unsupported { what: feature.clone() });
        }
    }
    let sizes = manifest.modules.iter().filter_map(|m| m.subgroup_size);
    if let Some(what) = sizes.filter_map(|sizes| other_lanes(sizes, limits.subgroup_size)).next() {
        return Err(RunError::Unsupported { what });
    }
    if manifest.limits.group_threads > limits.max_group_threads {
        let what = format!("workgroups of {} threads", manifest.limits.group_threads);
        return Err(RunError::Unsupported { what });
    }
    Ok(())
}
