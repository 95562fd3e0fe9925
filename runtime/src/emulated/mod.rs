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
mod record;
mod report;

pub use arena::ArenaLimits;
pub use closure::{Closure, ClosureError, closure};
pub use input::Input;
pub use report::{GraphError, InputProblem, InstanceReport, RunError, RunReport};

use crate::device::{BindingsId, BufferId, Device, PipelineId, other_lanes};
use arena::Arena;
use wgc_abi::Package;
use wgc_abi::device as abi;
use wgc_abi::manifest::Manifest;
use wgc_abi::tables::{QueueRow, TableHeader, Tables, prefix_pages};

/// What a host may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmulatedOptions {
    pub arena: ArenaLimits,
    pub memory: Memory,
    /// Scheduled runs launch one workgroup of an instance at a time, which shows whether they come back to the rest.
    pub admit_one: bool,
    /// Allocators use subgroup operations in varying control flow: only for devices with maximal reconvergence.
    pub subgroup_allocator: bool,
}

/// How much of the arena a dispatch takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Memory {
    /// The closure of its entry records, which then run in one pass; where that is above the limit, what a scheduled
    /// run does well with.
    #[default]
    Enough,
    /// So many times the fewest pages that the graph comes to its end with, in a scheduled run.
    Least(u32),
}

/// Memory of a scheduled run that may have as much as it likes.
const SCHEDULED_BYTES: u64 = 256 << 20;
/// Sweeps of one submission at most: each costs little when nothing is left.
const MOST_SWEEPS: u32 = 16;

/// A package on a device. The device is handed to each call and must always be the same.
#[derive(Debug)]
pub struct EmulatedGraph {
    manifest: Manifest,
    tables: Tables,
    header: TableHeader,
    options: EmulatedOptions,
    bindings: Option<BindingsId>,
    /// By module of the manifest.
    pipelines: Vec<PipelineId>,
    group_limit: u32,
    buffers: Buffers,
    arena: Arena,
    dispatches: u32,
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
        let manifest = package.manifest.clone();
        let tables = Tables::decode(&package.tables).map_err(RunError::Tables)?;
        let header = TableHeader::decode(&package.tables).unwrap_or_default();
        check(&manifest, &tables)?;
        support(device, &manifest)?;
        let mut pipelines = Vec::with_capacity(manifest.modules.len());
        for module in &manifest.modules {
            let words = package.modules.get(&module.file).ok_or(RunError::Manifest("a module is missing"))?;
            pipelines.push(device.create_pipeline(words, &module.entry, bindings, manifest.push_bytes)?);
        }
        let sized = |count: usize, bytes: usize| (count.max(1) * bytes) as u64;
        let buffers = Buffers {
            context: device.create_buffer(abi::Context::SIZE as u64)?,
            tables: device.create_buffer(package.tables.len() as u64)?,
            queues: device.create_buffer(sized(tables.queues.len(), abi::QueueState::SIZE))?,
            instances: device.create_buffer(sized(tables.instances.len(), abi::InstanceState::SIZE))?,
            arguments: device.create_buffer(sized(tables.instances.len() + 1, abi::Arguments::SIZE))?,
            status: device.create_buffer(abi::Status::SIZE as u64)?,
            trash: device.create_buffer(u64::from(tables.page_bytes))?,
        };
        device.write_buffer(buffers.tables, 0, &package.tables)?;
        let [x, y, _] = device.limits().max_groups;
        Ok(Self {
            manifest,
            arena: Arena::new(tables.page_bytes, options.arena),
            tables,
            header,
            options,
            bindings,
            pipelines,
            group_limit: x.min(y).min(1 << 31),
            buffers,
            dispatches: 0,
        })
    }

    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Runs the graph on the inputs to its end. `push` are the user's push constants, at most as many bytes as the
    /// manifest's block has.
    ///
    /// # Errors
    /// When the inputs do not fit the graph or their closure the device, nothing has run. A [`RunError::Graph`] after
    /// the run means that shaders broke their own limits: what they exceeded them by is lost, the rest was done.
    pub fn dispatch(&mut self, device: &mut dyn Device, inputs: &[Input], push: &[u8]) -> Result<RunReport, RunError> {
        let packed = input::pack(&self.manifest, self.tables.queues.len(), inputs)?;
        let run = self.plan(&packed)?;
        self.arena.hold(device, u64::from(run.pages), self.page_table(&run))?;
        let (records, spans) = upload(device, &packed)?;
        let result = self.run(device, &packed, spans, push, run);
        records.into_iter().chain([spans]).for_each(|buffer| device.destroy_buffer(buffer));
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

    fn graph_error(&self, code: u32, instance: u32, output: u32, count: u32) -> RunError {
        match self.manifest.instances.get(instance as usize) {
            Some(i) => {
                let past_recursion = code == abi::ERROR_ABSENT && self.recurs(instance, output);
                RunError::Graph(GraphError {
                    code,
                    node: i.node.clone(),
                    level: i.level,
                    output,
                    past_recursion,
                    count,
                })
            }
            None => RunError::Manifest("the status names an instance that does not exist"),
        }
    }

    /// Whether an output leads to the next recursion level of its own node, and this instance is the last one: the same
    /// output of the level before leads here.
    fn recurs(&self, instance: u32, output: u32) -> bool {
        let (names, rows) = (&self.manifest.instances, &self.tables.instances);
        let Some((this, row)) = names.get(instance as usize).zip(rows.get(instance as usize)) else { return false };
        let before = |(name, _): &(&wgc_abi::manifest::Instance, _)| {
            name.node == this.node && name.level.checked_add(1) == Some(this.level)
        };
        let Some((_, before)) = names.iter().zip(rows).find(before).filter(|_| row.remaining_levels == 0) else {
            return false;
        };
        let at = before.first_output.checked_add(output).filter(|_| output < before.output_count);
        let Some(output) = at.and_then(|at| self.tables.outputs.get(at as usize)) else { return false };
        // Of an array, another element may have been meant.
        output.count == 1
            && [0, this.node.index].iter().any(|index| self.tables.target(output, *index) == Some(row.queue))
    }

    /// One pass or a scheduled run, and its pages.
    fn plan(&self, packed: &input::Packed) -> Result<Run, RunError> {
        let least = self.tables.min_pages;
        let most = self.arena.most_pages();
        let scheduled = |pages: u64| match u32::try_from(pages) {
            Ok(pages) if u64::from(pages) <= most => Ok(Run { pages, needed: u64::from(least), scheduled: true }),
            _ => Err(self.arena.too_small(pages)),
        };
        if let Memory::Least(times) = self.options.memory {
            return scheduled(u64::from(least) * u64::from(times.max(1)));
        }
        match closure(&self.tables, &packed.entries, self.group_limit) {
            Ok(closure) if closure.pages <= most => {
                Ok(Run { pages: closure.pages as u32, needed: closure.pages, scheduled: false })
            }
            _ => scheduled((SCHEDULED_BYTES / u64::from(self.tables.page_bytes)).min(most).max(u64::from(least))),
        }
    }

    /// Entries of the page table: a scheduled queue has as many as it may ever have pages, at places that do not move.
    fn page_table(&self, run: &Run) -> u64 {
        if !run.scheduled {
            return u64::from(run.pages);
        }
        let pages = u64::from(run.pages);
        let of_queue = |queue: &QueueRow| {
            let records = u64::from(queue.max_records);
            let prefix = prefix_pages(records, self.tables.page_bytes).min(pages);
            queue.record_pages(records).min(pages) + prefix * u64::from(queue.dynamic_count)
        };
        self.tables.queues.iter().map(of_queue).sum()
    }

    fn run(
        &mut self,
        device: &mut dyn Device,
        packed: &input::Packed,
        spans: BufferId,
        push: &[u8],
        run: Run,
    ) -> Result<RunReport, RunError> {
        self.dispatches = self.dispatches.wrapping_add(1);
        let context = self.context(device, packed, spans, &run);
        device.write_buffer(self.buffers.context, 0, &context.to_bytes())?;
        let record = self.recorder(device, push, &run);
        let mut sweeps = 1;
        device.submit(&if run.scheduled { record.opening() } else { record.single(packed.threads) })?;
        let mut status = self.status(device)?;
        while run.scheduled && status.state == abi::STATE_PENDING {
            let before = (status, self.progress(device)?);
            sweeps = (sweeps * 2).min(MOST_SWEEPS);
            device.submit(&record.sweeps(sweeps))?;
            status = self.status(device)?;
            if before == (abi::Status { sweeps: before.0.sweeps, ..status }, self.progress(device)?) {
                return Err(RunError::Stuck { deepest: status.deepest });
            }
        }
        if status.magic != abi::STATUS_MAGIC
            || status.dispatch_id != self.dispatches
            || status.pages_needed != run.needed
        {
            return Err(RunError::Disagreement { host: run.needed, device: status.pages_needed });
        }
        if status.error_count != 0 {
            return Err(self.graph_error(status.error, status.error_instance, status.error_output, status.error_count));
        }
        Ok(RunReport {
            instances: self.consumed(device)?,
            pages: u64::from(run.pages),
            sweeps: status.sweeps,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
        })
    }

    fn context(&self, device: &dyn Device, packed: &input::Packed, spans: BufferId, run: &Run) -> abi::Context {
        let tables = device.buffer_address(self.buffers.tables);
        abi::Context {
            tables,
            queues: device.buffer_address(self.buffers.queues),
            instances: device.buffer_address(self.buffers.instances),
            pages: self.arena.page_table(device),
            arguments: device.buffer_address(self.buffers.arguments),
            spans: device.buffer_address(spans),
            status: device.buffer_address(self.buffers.status),
            trash: device.buffer_address(self.buffers.trash),
            outputs: tables + u64::from(self.header.outputs),
            maps: tables + u64::from(self.header.maps),
            page_count: if run.scheduled { run.pages } else { self.arena.pages() },
            chunk_pages: self.arena.chunk_pages(),
            span_count: packed.spans.len() as u32,
            span_threads: packed.threads,
            group_limit: self.group_limit,
            dispatch_id: self.dispatches,
            admit: if self.options.admit_one { abi::ADMIT_ONE } else { abi::ADMIT_ALL },
            pad0: 0,
            free: self.arena.free_pages(device),
            pad1: 0,
            chunks: self.arena.chunks(device),
        }
    }

    fn status(&self, device: &mut dyn Device) -> Result<abi::Status, RunError> {
        let mut bytes = [0; abi::Status::SIZE];
        device.read_buffer(self.buffers.status, 0, &mut bytes)?;
        abi::Status::decode(&bytes).ok_or(RunError::Manifest("the status is cut off"))
    }

    /// What changes when a workgroup runs: what went through the queues, and what was launched.
    fn progress(&self, device: &mut dyn Device) -> Result<(Vec<u8>, Vec<u8>), RunError> {
        let mut queues = vec![0; self.tables.queues.len() * abi::QueueState::SIZE];
        device.read_buffer(self.buffers.queues, 0, &mut queues)?;
        let mut instances = vec![0; self.tables.instances.len() * abi::InstanceState::SIZE];
        device.read_buffer(self.buffers.instances, 0, &mut instances)?;
        Ok((queues, instances))
    }

    /// What each instance found in its queue.
    fn consumed(&self, device: &mut dyn Device) -> Result<Vec<InstanceReport>, RunError> {
        let mut bytes = vec![0; self.tables.queues.len() * abi::QueueState::SIZE];
        device.read_buffer(self.buffers.queues, 0, &mut bytes)?;
        let records: Vec<u64> = bytes
            .chunks_exact(abi::QueueState::SIZE)
            .map(|b| abi::QueueState::decode(b).map_or(0, |q| q.passed + u64::from(q.tail.min(q.capacity))))
            .collect();
        let instances = self.manifest.instances.iter();
        Ok(instances
            .map(|i| InstanceReport {
                node: i.node.clone(),
                level: i.level,
                records: records.get(i.queue as usize).copied().unwrap_or(0),
            })
            .collect())
    }
}

/// How a dispatch runs.
#[derive(Clone, Copy, Debug)]
struct Run {
    pages: u32,
    /// What the kernels must say that it needs.
    needed: u64,
    scheduled: bool,
}

/// Records and spans in buffers of their own.
fn upload(device: &mut dyn Device, packed: &input::Packed) -> Result<(Option<BufferId>, BufferId), RunError> {
    let mut records = None;
    let mut base = 0;
    if !packed.bytes.is_empty() {
        let buffer = device.create_buffer(packed.bytes.len() as u64)?;
        device.write_buffer(buffer, 0, &packed.bytes)?;
        base = device.buffer_address(buffer);
        records = Some(buffer);
    }
    let mut bytes = Vec::new();
    for span in &packed.spans {
        abi::Span { address: base + span.address, ..*span }.encode(&mut bytes);
    }
    let spans = device.create_buffer(bytes.len().max(abi::Span::SIZE) as u64)?;
    if !bytes.is_empty() {
        device.write_buffer(spans, 0, &bytes)?;
    }
    Ok((records, spans))
}

/// Every index that the host loop follows is in range.
fn check(manifest: &Manifest, tables: &Tables) -> Result<(), RunError> {
    let modules = manifest.modules.len();
    let instances = manifest.instances.len();
    let within = |first: u32, count: u32| u64::from(first) + u64::from(count) <= instances as u64;
    let kernels = [manifest.kernels.prep, manifest.kernels.inject, manifest.kernels.sched];
    let problem = if kernels.iter().any(|kernel| *kernel as usize >= modules) {
        "a kernel is missing"
    } else if manifest.instances.iter().any(|i| i.module as usize >= modules) {
        "a module is missing"
    } else if instances != tables.instances.len()
        || manifest.instances.iter().zip(&tables.instances).any(|(i, row)| i.queue != row.queue)
    {
        "the tables have other instances"
    } else if manifest.stages.iter().any(|s| !within(s.first_instance, s.instances)) {
        "a stage has instances that do not exist"
    } else if manifest.push_bytes < abi::USER_PUSH_OFFSET {
        "the push constants are too small"
    } else {
        return Ok(());
    };
    Err(RunError::Manifest(problem))
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
