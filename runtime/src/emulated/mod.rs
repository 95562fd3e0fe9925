//! The host loop of an emulated package, over any compute device.
//!
//! [`EmulatedGraph::load`] makes pipelines and the buffers that stay; [`EmulatedGraph::dispatch`] is one DispatchGraph:
//! it packs the entry records, sizes the arena for their closure, records prep, inject and the stages with a barrier
//! between them, submits once and reads the status. `docs/emulation-abi.md` is the same in prose, for engines that
//! write their own.

mod arena;
mod closure;
mod input;
mod report;

pub use arena::ArenaLimits;
pub use closure::{Closure, ClosureError, closure};
pub use input::Input;
pub use report::{GraphError, InputProblem, InstanceReport, RunError, RunReport};

use crate::device::{BindingsId, BufferId, Command, Device, PipelineId, other_lanes};
use arena::Arena;
use wgc_abi::Package;
use wgc_abi::device as abi;
use wgc_abi::manifest::{Completion, Manifest};
use wgc_abi::tables::{TableHeader, Tables};

/// What a host may choose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmulatedOptions {
    pub arena: ArenaLimits,
    /// Allocators use subgroup operations in varying control flow: only for devices with maximal reconvergence.
    pub subgroup_allocator: bool,
}

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
        let Completion::Single = manifest.completion;
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
            arguments: device.create_buffer(sized(tables.instances.len(), abi::Arguments::SIZE))?,
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
        let closure = closure(&self.tables, &packed.entries, self.group_limit).map_err(|e| self.too_much(e))?;
        self.arena.hold(device, closure.pages)?;
        let (records, spans) = upload(device, &packed)?;
        let result = self.run(device, &packed, spans, push, closure.pages);
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

    fn too_much(&self, error: ClosureError) -> RunError {
        let (code, instance) = match error {
            ClosureError::Records { instance } => (abi::ERROR_RECORDS, instance),
            ClosureError::Groups { instance } => (abi::ERROR_GROUPS, instance),
        };
        self.graph_error(code, instance, 0, 1)
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

    fn run(
        &mut self,
        device: &mut dyn Device,
        packed: &input::Packed,
        spans: BufferId,
        push: &[u8],
        pages: u64,
    ) -> Result<RunReport, RunError> {
        self.dispatches = self.dispatches.wrapping_add(1);
        let context = self.context(device, packed, spans);
        device.write_buffer(self.buffers.context, 0, &context.to_bytes())?;
        device.submit(&self.commands(device, packed.threads, push))?;
        let status = self.status(device)?;
        if status.magic != abi::STATUS_MAGIC || status.dispatch_id != self.dispatches || status.pages_needed != pages {
            return Err(RunError::Disagreement { host: pages, device: status.pages_needed });
        }
        if status.error_count != 0 {
            return Err(self.graph_error(status.error, status.error_instance, status.error_output, status.error_count));
        }
        Ok(RunReport {
            instances: self.consumed(device)?,
            pages,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
        })
    }

    fn context(&self, device: &dyn Device, packed: &input::Packed, spans: BufferId) -> abi::Context {
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
            page_count: self.arena.pages(),
            chunk_pages: self.arena.chunk_pages(),
            span_count: packed.spans.len() as u32,
            span_threads: packed.threads,
            group_limit: self.group_limit,
            dispatch_id: self.dispatches,
            pad: [0; 6],
            chunks: self.arena.chunks(device),
        }
    }

    fn push(&self, context: u64, instance: u32, user: &[u8]) -> Vec<u8> {
        let flags = if self.options.subgroup_allocator { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        let mut bytes = abi::Push { context, instance, flags }.to_bytes();
        if let Some(block) = &self.manifest.push_constants {
            let offset = (abi::USER_PUSH_OFFSET as usize).next_multiple_of(block.block.align.max(4) as usize);
            bytes.resize(offset, 0);
            bytes.extend_from_slice(&user[..user.len().min(block.block.size as usize)]);
        }
        bytes.resize(self.manifest.push_bytes as usize, 0);
        bytes
    }

    fn commands(&self, device: &dyn Device, threads: u32, user: &[u8]) -> Vec<Command> {
        let context = device.buffer_address(self.buffers.context);
        let pipeline = |module: u32| self.pipelines[module as usize];
        let mut commands = vec![
            Command::Dispatch {
                pipeline: pipeline(self.manifest.kernels.prep),
                bindings: self.bindings,
                push: self.push(context, 0, user),
                groups: [1; 3],
                label: "prep".to_owned(),
            },
            Command::Barrier,
        ];
        if threads != 0 {
            let groups = threads.div_ceil(wgc_abi::tables::THREAD_GROUP);
            let rows = groups.div_ceil(self.group_limit);
            commands.push(Command::Dispatch {
                pipeline: pipeline(self.manifest.kernels.inject),
                bindings: self.bindings,
                push: self.push(context, 0, user),
                groups: [groups.div_ceil(rows), rows, 1],
                label: "inject".to_owned(),
            });
            commands.push(Command::Barrier);
        }
        for stage in &self.manifest.stages {
            for number in stage.first_instance..stage.first_instance + stage.instances {
                let instance = &self.manifest.instances[number as usize];
                commands.push(Command::DispatchIndirect {
                    pipeline: pipeline(instance.module),
                    bindings: self.bindings,
                    push: self.push(context, number, user),
                    args: self.buffers.arguments,
                    offset: u64::from(number) * abi::Arguments::SIZE as u64,
                    label: instance.label.clone(),
                });
            }
            commands.push(Command::Barrier);
        }
        commands
    }

    fn status(&self, device: &mut dyn Device) -> Result<abi::Status, RunError> {
        let mut bytes = [0; abi::Status::SIZE];
        device.read_buffer(self.buffers.status, 0, &mut bytes)?;
        abi::Status::decode(&bytes).ok_or(RunError::Manifest("the status is cut off"))
    }

    /// What each instance found in its queue.
    fn consumed(&self, device: &mut dyn Device) -> Result<Vec<InstanceReport>, RunError> {
        let mut bytes = vec![0; self.tables.queues.len() * abi::QueueState::SIZE];
        device.read_buffer(self.buffers.queues, 0, &mut bytes)?;
        let records: Vec<u64> = bytes
            .chunks_exact(abi::QueueState::SIZE)
            .map(|b| abi::QueueState::decode(b).map_or(0, |q| u64::from(q.tail.min(q.capacity))))
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
    let problem = if manifest.kernels.prep as usize >= modules || manifest.kernels.inject as usize >= modules {
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
