//! Recording: one dispatch of a graph, or more sweeps of a pending one.

use std::mem::offset_of;
use vulkanalia::prelude::v1_2::*;

use super::super::submit::Label;
use super::Graph;
use super::memory::{Block, Copies, Placed, unbound};
use crate::emulated::{
    Counted, Groups, Input, Launch, LocalRootTable, Memory, Packed, Places, Run, RunError, Step, Steps, Work, pack,
};
use wgc_abi::device as abi;

/// The most sweeps of one recording: each costs memory and time, with or without work.
pub(super) const MAX_SWEEPS: u32 = 4096;

/// The completion of a dispatch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completion {
    /// In one pass: the arena must hold the closure of the entry records. Afterwards only errors of shaders remain to
    /// be queried.
    Single,
    /// In this number of sweeps, each recorded; [`Graph::status`] reports whether more are needed. The arena may have
    /// any size from the least on. With mesh nodes there is one sweep, because its draws follow it.
    Sweeps(u32),
    /// In one pass if the arena allows it, else in this number of sweeps.
    Either(u32),
}

/// The source of the number of entry records.
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
    /// The table of a graph with local root arguments.
    pub local_roots: Option<LocalRootTable>,
    /// The queries for timestamps, if wanted.
    pub timestamps: Option<Timestamps>,
}

/// Timestamp queries that nothing else uses. The recording resets them and writes one at its start. It writes one after
/// every launch, when all before it has finished, in the order of [`Graph::marks`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamps {
    pub pool: vk::QueryPool,
    pub first: u32,
    /// At least [`Graph::most_timestamps`], or the number that turns out to be needed.
    pub count: u32,
}

/// A launch followed by a timestamp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The label of an instance or a joint dispatch, or the name of a kernel.
    pub label: String,
    /// Index in `instances` of the manifest, of a joint dispatch that of its first; `None`: a kernel.
    pub instance: Option<u32>,
    pub stage: Option<u32>,
}

/// More sweeps of the last dispatch; everything else is unchanged.
#[derive(Clone, Debug)]
pub struct Resume<'a> {
    pub push: &'a [u8],
    pub sets: &'a [vk::DescriptorSet],
    pub sweeps: u32,
    /// [`GraphStatus::deepest`](super::GraphStatus), if the last submission has finished, else 0: stages before it are
    /// left out of the first sweep.
    pub deepest: u32,
    pub timestamps: Option<Timestamps>,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// It runs in sweeps: [`Graph::status`] reports whether these were enough.
    pub scheduled: bool,
    /// Pages of the arena that it needs at least.
    pub pages: u64,
}

/// The last dispatch that was recorded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Last {
    pub run: Run,
    context: abi::Context,
    /// Chunks of the arena that its commands use.
    chunks: usize,
}

/// Returns the launch before each timestamp.
///
/// # Errors
/// There are too few queries.
fn marks(steps: &[Step], timestamps: Option<Timestamps>) -> Result<Vec<Mark>, RunError> {
    let Some(timestamps) = timestamps else { return Ok(Vec::new()) };
    let mark = |step: &Step| match step {
        Step::Barrier => None,
        Step::Run(Launch { work, label, .. }) => {
            let (instance, stage) = match work {
                Work::Node { instance, stage } => (Some(*instance), Some(*stage)),
                Work::Run { instance, stage, .. } => (Some(*instance), Some(*stage)),
                Work::Scatter(stage) | Work::Joint(stage) | Work::Scan(stage) => (None, Some(*stage)),
                _ => (None, None),
            };
            Some(Mark { label: (*label).to_owned(), instance, stage })
        }
    };
    let marks: Vec<Mark> = steps.iter().filter_map(mark).collect();
    if marks.len() as u64 + 1 > u64::from(timestamps.count) {
        let message = too_few_queries(marks.len() as u64 + 1, timestamps.count);
        return Err(RunError::Given(message));
    }
    Ok(marks)
}

pub(super) fn too_few_queries(needed: u64, queries: u32) -> String {
    format!("{needed} timestamps are needed, but there are only {queries} queries")
}

/// The timestamps being written, to consecutive queries.
pub(super) struct Stamps<'d> {
    device: &'d vulkanalia::Device,
    commands: vk::CommandBuffer,
    timestamps: Option<Timestamps>,
    written: u32,
}

impl<'d> Stamps<'d> {
    pub fn new(device: &'d vulkanalia::Device, commands: vk::CommandBuffer, timestamps: Option<Timestamps>) -> Self {
        Self { device, commands, timestamps, written: 0 }
    }

    /// # Safety
    /// The command buffer is being recorded, and there is one query more than were written, which was reset.
    pub unsafe fn write(&mut self) {
        let Some(Timestamps { pool, first, .. }) = self.timestamps else { return };
        // An earlier stage of the pipeline would not wait for barriers.
        let stage = vk::PipelineStageFlags::BOTTOM_OF_PIPE;
        // SAFETY: as the caller promises.
        unsafe { self.device.cmd_write_timestamp(self.commands, stage, pool, first + self.written) };
        self.written += 1;
    }
}

impl Graph {
    /// Records the upload of the tables, and the clearing of the data kept from the previous dispatch. It is recorded
    /// once for the memory that the graph is bound to. Recording it once more abandons a pending dispatch.
    ///
    /// # Errors
    /// The graph has no memory.
    ///
    /// # Safety
    /// The command buffer is being recorded, outside a render pass, for a queue that computes; no dispatch of the graph
    /// is in flight.
    pub unsafe fn record_upload(&mut self, commands: vk::CommandBuffer) -> Result<(), RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let (state, exchange) = (&memory.memory.state, &memory.memory.exchange.block);
        // SAFETY: the caller's promise, and that of `bind` for the buffers.
        unsafe {
            self.loaded.host.device.cmd_copy_buffer(commands, exchange.buffer, state.buffer, &[memory.tables_copy()]);
            for (offset, bytes) in memory.remembered() {
                self.loaded.host.device.cmd_fill_buffer(commands, state.buffer, offset, bytes, 0);
            }
            self.barrier(commands);
            memory.forget();
        }
        if let Some(memory) = &mut self.memory {
            memory.uploaded = true;
        }
        self.last = None;
        Ok(())
    }

    /// Records one dispatch. With mesh nodes, [`Graph::record_draws`] records their draws after it. Entry records in
    /// host memory are copied now; those on the device are read when the commands run. The commands may therefore be
    /// submitted again, with the same records, but only when the last submission has finished and nothing was recorded
    /// since. If that submission left records pending, they continue these, like [`Graph::resume`] does (but not with
    /// guards, which fill all of the arena first). Commands recorded before in this queue, in any stage, are visible to
    /// the graph. The graph's writes are visible to all commands recorded after it. Images must be in the layouts of
    /// the sets.
    ///
    /// If all records are in host memory and the dispatch runs in one pass, the host computes the initial state, and
    /// the commands copy it. Otherwise the kernels prep and inject run.
    ///
    /// # Errors
    /// Inputs that do not fit the graph or the memory, or [`RunError::Busy`]: records of the last dispatch are pending.
    /// Nothing is recorded then.
    ///
    /// # Safety
    /// The conditions of [`Graph::record_upload`]. The sets fit the layout, records on the device are present, and no
    /// dispatch of the graph is in flight.
    pub unsafe fn record(&mut self, commands: vk::CommandBuffer, dispatch: &Dispatch) -> Result<Recorded, RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        if !memory.uploaded {
            return Err(RunError::Early("the upload of the tables was not recorded"));
        }
        if self.last.is_some() && memory.is_pending() {
            return Err(RunError::Busy);
        }
        self.check_bindings(dispatch.push, dispatch.sets)?;
        if let Inputs::Device(Counted { list, .. }) = dispatch.inputs
            && !list.is_multiple_of(8)
        {
            return Err(RunError::Given(format!("the list of inputs at address {list:#x} is not at a multiple of 8")));
        }
        self.loaded.program.check_roots(dispatch.local_roots.as_ref())?;
        let (mut packed, counted) = match dispatch.inputs {
            Inputs::Host(inputs) => {
                (pack(&self.loaded.program.manifest, self.loaded.program.tables.queues.len(), inputs)?, None)
            }
            Inputs::Device(counted) => (Packed::default(), Some(counted)),
        };
        memory.check_inputs(&packed)?;
        // Guards follow the records that the kernels write.
        if !self.poison {
            self.loaded.program.read_grids(&mut packed);
        }
        loop {
            let (run, sweeps) = self.run(memory, &packed, counted.is_some(), dispatch.completion)?;
            let number = self.dispatches.wrapping_add(1);
            let places = memory.places(run.pages, dispatch.local_roots);
            let mut context = self.loaded.program.context(&places, &packed, self.loaded.group_limit, number);
            context.inputs = counted.map_or(0, |counted| counted.list);
            let (address, _) = memory.context();
            let steps_of =
                Steps::new(&self.loaded.program, address, self.flags(&run), self.loaded.group_limit, dispatch.push);
            let made =
                if self.poison { None } else { self.loaded.program.prepare(&packed, &run, &context, &self.peaks()) };
            let resident =
                || if made.as_ref().is_some_and(|made| made.is_resident) { steps_of.resident() } else { None };
            let steps = |is_prepared: bool| {
                let steps = match run.scheduled {
                    true => steps_of.begin(counted.map(|counted| counted.most.min(memory.most_inputs())), sweeps),
                    false if is_prepared => resident().unwrap_or_else(|| steps_of.prepared()),
                    false => steps_of.single(packed.threads),
                };
                let steps = if self.poison { steps_of.guarded(steps) } else { steps };
                marks(&steps, dispatch.timestamps).map(|marks| (steps, marks))
            };
            // Earlier recordings may be submitted again as long as nothing else is recorded, so a refusal comes before
            // anything is written.
            let (mut recorded, mut marks) = steps(made.is_some())?;
            // SAFETY: no dispatch of the graph is in flight.
            let copies = match &made {
                // SAFETY: as the caller promises, no dispatch of the graph is in flight that reads there.
                Some(made) => unsafe { memory.write_prepared(made) },
                None => None,
            };
            if copies.is_none() && !packed.grids.is_empty() {
                // The kernels prepare the run, and count with the largest grids.
                packed.grids.clear();
                continue;
            }
            if made.is_some() && copies.is_none() {
                (recorded, marks) = steps(false)?;
            }
            self.dispatches = number;
            // SAFETY: no dispatch of the graph is in flight; the buffers are those of `bind`.
            unsafe {
                if copies.is_none() {
                    memory.write_inputs(&packed);
                }
                self.border(commands);
                if let Some(copies) = &copies {
                    self.copy(commands, memory, copies);
                }
                self.write_context(commands, memory, &context);
                if self.poison {
                    self.fill(commands, &memory.memory.arena);
                    let (given, bytes) = memory.given();
                    self.loaded.host.device.cmd_fill_buffer(commands, memory.memory.state.buffer, given, bytes, 0);
                }
                self.barrier(commands);
                self.take(commands, memory, recorded, dispatch.sets, dispatch.timestamps);
            }
            self.marks = marks;
            self.last = Some(Last { run, context, chunks: memory.memory.arena.len() });
            return Ok(Recorded { scheduled: run.scheduled, pages: run.needed });
        }
    }

    /// Records more sweeps of a dispatch that is pending, or may be. Sweeps after its end launch nothing, so they may
    /// be recorded right after the dispatch. They use the memory that [`Graph::grow`] has added so far. With mesh nodes
    /// there is one sweep, followed by its draws.
    ///
    /// # Errors
    /// No scheduled dispatch was recorded.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`], except that the dispatch itself was recorded or submitted before on the
    /// same queue.
    pub unsafe fn resume(&mut self, commands: vk::CommandBuffer, resume: &Resume) -> Result<(), RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let Some(mut last) = self.last.filter(|last| last.run.scheduled) else {
            return Err(RunError::Early("no dispatch in sweeps was recorded"));
        };
        self.check_bindings(resume.push, resume.sets)?;
        let Resume { deepest, sweeps, .. } = *resume;
        if sweeps == 0 || deepest as usize >= self.loaded.program.tables.stages.len() {
            return Err(RunError::Sweeps { deepest, sweeps });
        }
        let (address, _) = memory.context();
        let steps =
            Steps::new(&self.loaded.program, address, self.flags(&last.run), self.loaded.group_limit, resume.push);
        let sweeps = steps.more(resume.deepest, self.sweeps(resume.sweeps)?);
        let steps = if self.poison { steps.guarded(sweeps) } else { sweeps };
        let marks = marks(&steps, resume.timestamps)?;
        let arena = &memory.memory.arena;
        let added = &arena[last.chunks.min(arena.len())..];
        // SAFETY: as `record`.
        unsafe {
            self.border(commands);
            if !added.is_empty() {
                let pages = memory.arena_pages() as u32;
                let Places { chunks, page_count, .. } = memory.places(pages, None);
                last.context = abi::Context { chunks, page_count, ..last.context };
                last.chunks = arena.len();
                self.write_pages(commands, memory, &last.context);
                if self.poison {
                    self.fill(commands, added);
                }
                self.barrier(commands);
            }
            self.take(commands, memory, steps, resume.sets, resume.timestamps);
        }
        self.marks = marks;
        self.last = Some(last);
        Ok(())
    }

    /// Checks the bindings of the user's code against its uses.
    ///
    /// # Errors
    /// Push constants of another size, or fewer sets.
    pub(super) fn check_bindings(&self, push: &[u8], sets: &[vk::DescriptorSet]) -> Result<(), RunError> {
        let manifest = &self.loaded.program.manifest;
        let bytes = manifest.push_constants.as_ref().map_or(0, |pushed| pushed.block.size as usize);
        let used = super::sets(manifest) as usize;
        if push.len() != bytes {
            let given = push.len();
            return Err(RunError::Given(format!(
                "the shaders have {bytes} bytes of push constants, but {given} were given"
            )));
        }
        if sets.len() < used {
            let given = sets.len();
            return Err(RunError::Given(format!("the shaders use {used} descriptor sets, but {given} were given")));
        }
        Ok(())
    }

    /// Writes the context of a dispatch.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`].
    unsafe fn write_context(&self, commands: vk::CommandBuffer, memory: &Placed, context: &abi::Context) {
        let (state, (_, offset)) = (memory.memory.state.buffer, memory.context());
        // SAFETY: the buffer is that of `bind`.
        unsafe { self.loaded.host.device.cmd_update_buffer(commands, state, offset, &context.to_bytes()) };
    }

    /// Writes the page counts of a context: the kernel gather has written to the rest.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`].
    unsafe fn write_pages(&self, commands: vk::CommandBuffer, memory: &Placed, context: &abi::Context) {
        let (state, (_, offset), bytes) = (memory.memory.state.buffer, memory.context(), context.to_bytes());
        let chunks = offset_of!(abi::Context, chunks);
        for part in [
            offset_of!(abi::Context, page_count)..offset_of!(abi::Context, chunk_pages),
            chunks..chunks + 8 * abi::MAX_CHUNKS,
        ] {
            // SAFETY: as above; multiples of 4, as every field.
            unsafe {
                self.loaded.host.device.cmd_update_buffer(commands, state, offset + part.start as u64, &bytes[part])
            };
        }
    }

    /// Returns the most records that each queue had in the last finished dispatch.
    pub(super) fn peaks(&self) -> Vec<u32> {
        let queues =
            self.memory.as_ref().map(|memory| self.loaded.program.queues(memory.read_back().1)).unwrap_or_default();
        queues.iter().map(abi::QueueState::most).collect()
    }

    /// Copies the initial state of a dispatch.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`].
    unsafe fn copy(&self, commands: vk::CommandBuffer, memory: &Placed, copies: &Copies) {
        let (device, from) = (&self.loaded.host.device, memory.memory.exchange.block.buffer);
        let chunks = memory.memory.arena.iter().zip(&copies.arena).map(|(chunk, copies)| (chunk.buffer, copies));
        for (to, copies) in chunks.chain([(memory.memory.state.buffer, &copies.state)]) {
            if !copies.is_empty() {
                // SAFETY: the buffers are those of `bind`, and the ranges in them.
                unsafe { device.cmd_copy_buffer(commands, from, to, copies) };
            }
        }
    }

    /// Fills chunks of the arena for the kernel guard: pages that are still free.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`].
    unsafe fn fill(&self, commands: vk::CommandBuffer, chunks: &[Block]) {
        for chunk in chunks {
            let device = &self.loaded.host.device;
            // SAFETY: the buffers are those of `bind`.
            unsafe { device.cmd_fill_buffer(commands, chunk.buffer, chunk.offset, chunk.bytes, abi::POISON) };
        }
    }

    /// Plans the run of the dispatch in the available memory, and the number of sweeps.
    fn run(
        &self,
        memory: &Placed,
        packed: &Packed,
        counted: bool,
        completion: Completion,
    ) -> Result<(Run, u32), RunError> {
        let pages = memory.arena_pages();
        let enough = match counted {
            true => self.loaded.program.plan_scheduled(Memory::Enough, pages)?,
            false => self.loaded.program.plan(packed, Memory::Enough, pages, &[])?,
        };
        // All available memory, regardless of the need.
        let all = pages as u32;
        let least = Run { pages: all, needed: u64::from(self.loaded.program.tables.min_pages), scheduled: true };
        match completion {
            Completion::Single | Completion::Either(_) if !enough.scheduled => Ok((Run { pages: all, ..enough }, 0)),
            Completion::Single if counted => {
                Err(RunError::Given("inputs counted on the device need sweeps".to_owned()))
            }
            Completion::Single => Err(self.loaded.program.one_pass_error(packed, pages)),
            Completion::Sweeps(0) | Completion::Either(0) => Err(RunError::Sweeps { deepest: 0, sweeps: 0 }),
            Completion::Sweeps(sweeps) | Completion::Either(sweeps) => Ok((least, self.sweeps(sweeps)?)),
        }
    }

    /// Returns the number of sweeps that one recording may have.
    fn sweeps(&self, wanted: u32) -> Result<u32, RunError> {
        if wanted > MAX_SWEEPS {
            let problem = format!("{wanted} sweeps in one recording; the limit is {MAX_SWEEPS}");
            return Err(RunError::Given(problem));
        }
        Ok(if self.loaded.program.mesh_instances().next().is_some() { 1 } else { wanted.max(1) })
    }

    pub(super) fn flags(&self, run: &Run) -> u32 {
        let allocator = if self.loaded.host.maximal_reconvergence { abi::PUSH_SUBGROUP_ALLOCATOR } else { 0 };
        allocator | if run.scheduled { abi::PUSH_SCHEDULED } else { 0 }
    }

    /// Records the steps, and the copies that the status is read from.
    ///
    /// # Safety
    /// The conditions of [`Graph::record`].
    unsafe fn take(
        &self,
        commands: vk::CommandBuffer,
        memory: &Placed,
        steps: Vec<Step>,
        sets: &[vk::DescriptorSet],
        timestamps: Option<Timestamps>,
    ) {
        let (device, layout) = (&self.loaded.host.device, self.loaded.pipelines.layout);
        let (state, exchange) = (memory.memory.state.buffer, memory.memory.exchange.block.buffer);
        let point = vk::PipelineBindPoint::COMPUTE;
        let mut bound = None;
        // Launches of a stage share a label.
        let mut stage: Option<Option<Label>> = None;
        let mut stamps = Stamps::new(device, commands, timestamps);
        // SAFETY: as the caller promises; modules are in range by the checks of `Program`, and there are as many queries, by
        // `marks`.
        unsafe {
            if let Some(Timestamps { pool, first, count }) = timestamps {
                device.cmd_reset_query_pool(commands, pool, first, count);
            }
            stamps.write();
            if !sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands, point, layout, 0, sets, &[]);
            }
            for step in steps {
                let Step::Run(Launch { module, mut push, groups, work, label }) = step else {
                    stage = None;
                    self.barrier(commands);
                    continue;
                };
                if let Work::Node { stage: number, .. } | Work::Run { stage: number, .. } = work
                    && stage.is_none()
                {
                    stage = Some(Label::begin(self.loaded.host.labels(), commands, &format!("stage {number}")));
                }
                if bound.replace(module) != Some(module) {
                    device.cmd_bind_pipeline(commands, point, self.loaded.pipelines.pipeline(module));
                }
                push.resize(push.len().next_multiple_of(4), 0);
                let labelled = Label::begin(self.loaded.host.labels(), commands, label);
                device.cmd_push_constants(commands, layout, self.loaded.pipelines.stages, 0, &push);
                match groups {
                    Groups::Fixed([x, y, z]) => device.cmd_dispatch(commands, x, y, z),
                    Groups::Indirect(offset) => {
                        device.cmd_dispatch_indirect(commands, state, memory.arguments() + offset);
                    }
                }
                drop(labelled);
                stamps.write();
            }
            device.cmd_copy_buffer(commands, state, exchange, &memory.status_copies());
            self.border(commands);
        }
    }

    /// # Safety
    /// The command buffer is being recorded.
    unsafe fn barrier(&self, commands: vk::CommandBuffer) {
        super::super::submit::full_barrier(&self.loaded.host.device, commands, self.loaded.pipelines.stages);
    }

    /// Records a barrier between the host's uses of its resources, in any stage, and the dispatch.
    ///
    /// # Safety
    /// The command buffer is being recorded, outside a render pass.
    unsafe fn border(&self, commands: vk::CommandBuffer) {
        use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
        let all = Access::MEMORY_READ | Access::MEMORY_WRITE;
        let barrier =
            vk::MemoryBarrier::builder().src_access_mask(Access::MEMORY_WRITE).dst_access_mask(all | Access::HOST_READ);
        // SAFETY: as this function's; these stages exist on every queue.
        unsafe {
            let (device, all) = (&self.loaded.host.device, Stage::ALL_COMMANDS);
            super::super::submit::memory_barrier(device, commands, all, all | Stage::HOST, barrier);
        }
    }
}
