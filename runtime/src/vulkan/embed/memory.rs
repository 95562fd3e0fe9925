//! The memory of a graph: sizes by kind, and the layout of each.

use std::ptr::NonNull;

use vulkanalia::prelude::v1_2::*;

use super::Graph;
use crate::emulated::{Data, Input, LocalRootTable, Memory, Packed, Places, Prepared, Program, Run, RunError, pack};
use wgc_abi::NodeName;
use wgc_abi::device as abi;
use wgc_abi::tables::QueueRow;

/// The alignment of blocks, and of every part of a block.
pub const ALIGNMENT: u64 = 256;

/// A range of one of the caller's buffers, in memory that was allocated with `VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Block {
    pub buffer: vk::Buffer,
    /// In the buffer, a multiple of 256.
    pub offset: u64,
    pub bytes: u64,
    /// Device address of the first byte, a multiple of 256.
    pub address: u64,
}

/// A block that the host sees, in coherent memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub block: Block,
    /// Its first byte, mapped for as long as the graph has the block.
    pub pointer: NonNull<u8>,
}

/// The capacities that a host wants of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The most that the arena will ever have, all chunks together.
    pub arena_bytes: u64,
    /// The most inputs of a dispatch.
    pub inputs: u32,
    /// The most bytes of a dispatch's entry records in host memory.
    pub record_bytes: u64,
}

/// The memory that a graph needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requirements {
    /// The size of the block `state`: device memory; usage storage, indirect, device address, transfer source and
    /// destination.
    pub state_bytes: u64,
    /// The size of the block `exchange`, which is visible to the host; usage storage, device address, transfer source
    /// and destination.
    pub exchange_bytes: u64,
    /// Chunks of the arena have a multiple of this; device memory; usage storage, device address and transfer destination.
    pub page_bytes: u64,
    /// All chunks together, at least.
    pub least_arena_bytes: u64,
}

/// The caller's memory.
#[derive(Clone, Debug)]
pub struct GraphMemory {
    pub state: Block,
    pub exchange: Mapped,
    /// 1 to 16 chunks of one size.
    pub arena: Vec<Block>,
}

/// Offsets in the block `state`, and its size.
#[derive(Clone, Copy, Debug, Default)]
struct StateLayout {
    /// The context; the states follow it, without a gap that the kernels do not expect.
    context: u64,
    queues: u64,
    instances: u64,
    status: u64,
    tables: u64,
    arguments: u64,
    trash: u64,
    pages: u64,
    free: u64,
    bytes: u64,
}

/// Offsets in the block `exchange`, and its size. The tables stay there until their upload. A dispatch has either spans
/// and records there, for the kernels, or its initial state instead.
#[derive(Clone, Copy, Debug, Default)]
struct ExchangeLayout {
    status: u64,
    queues: u64,
    tables: u64,
    spans: u64,
    records: u64,
    /// The end of the records.
    records_end: u64,
    bytes: u64,
}

/// Copies from `exchange`, by the target buffer.
pub(super) struct Copies {
    pub state: Vec<vk::BufferCopy>,
    /// By chunk of the arena.
    pub arena: Vec<Vec<vk::BufferCopy>>,
}

/// The memory of a bound graph.
pub(super) struct Placed {
    state: StateLayout,
    exchange: ExchangeLayout,
    sizes: Sizes,
    pub memory: GraphMemory,
    pub chunk_pages: u32,
    /// The pages that the arena may grow to.
    most_pages: u32,
    table_bytes: u64,
    /// Bytes of the queues' states, which are read back.
    queue_bytes: u64,
    /// Set once the upload of the tables is recorded.
    pub uploaded: bool,
}

// SAFETY: the pointer is to the caller's memory, which no other code of this crate accesses.
unsafe impl Send for Mapped {}

/// A cursor that assigns consecutive offsets.
struct Cursor(u64);

impl Cursor {
    fn take(&mut self, bytes: u64) -> u64 {
        let place = self.0;
        // Sizes come from the caller; impossible ones are refused when memory is bound.
        self.0 = place.saturating_add(bytes).checked_next_multiple_of(ALIGNMENT).unwrap_or(place.max(u64::MAX / 2));
        place
    }

    /// Returns the end of the initial state of a dispatch, for records anywhere in the arena.
    fn prepared(mut self, program: &Program, sizes: &Sizes) -> u64 {
        let pages = pages(program, sizes);
        let parts = program.state_bytes().into_iter().chain([abi::Status::SIZE as u64, pages * 8]);
        for bytes in parts.chain([sizes.record_bytes.saturating_mul(growth(program))]) {
            self.take(bytes);
        }
        self.0
    }
}

/// Returns the most pages that the arena may ever have.
fn pages(program: &Program, sizes: &Sizes) -> u64 {
    (sizes.arena_bytes / u64::from(program.tables.page_bytes)).clamp(1, u64::from(u32::MAX) / 2)
}

impl StateLayout {
    fn new(program: &Program, tables: u64, sizes: &Sizes) -> Self {
        let page_bytes = u64::from(program.tables.page_bytes);
        let pages = pages(program, sizes);
        let entries = |scheduled| program.page_table(&Run { pages: pages as u32, needed: 0, scheduled });
        let [_, instances, arguments] = program.state_bytes();
        let mut cursor = Cursor(0);
        let context = cursor.take(program.instance_states() + instances);
        Self {
            context,
            queues: context + u64::from(abi::QUEUE_STATES),
            instances: context + program.instance_states(),
            status: cursor.take(abi::Status::SIZE as u64),
            tables: cursor.take(tables),
            arguments: cursor.take(arguments),
            trash: cursor.take(page_bytes),
            pages: cursor.take(entries(false).max(entries(true)) * 8),
            // The kernel guard has a word for each page after their addresses.
            free: cursor.take(pages * if program.manifest.kernels.guard.is_some() { 12 } else { 8 }),
            bytes: cursor.0,
        }
    }
}

impl ExchangeLayout {
    fn new(program: &Program, tables: u64, sizes: &Sizes) -> Self {
        let mut cursor = Cursor(0);
        let mut layout = Self {
            status: cursor.take(abi::Status::SIZE as u64),
            queues: cursor.take(program.state_bytes()[0]),
            tables: cursor.take(tables),
            spans: cursor.take(u64::from(sizes.inputs.max(1)) * abi::Span::SIZE as u64),
            // Each input's records begin at a multiple of their alignment.
            records: cursor.take(sizes.record_bytes.saturating_add(u64::from(sizes.inputs) * 16)),
            ..Self::default()
        };
        layout.records_end = cursor.0;
        let prepared = Cursor(layout.spans).prepared(program, sizes);
        layout.bytes = cursor.0.max(prepared);
        layout
    }
}

/// Returns the most bytes in a queue for each byte of the host's record: its stride, and a number for each dynamic
/// grid.
fn growth(program: &Program) -> u64 {
    let entries = program.tables.entries.iter().filter_map(|&queue| program.tables.queues.get(queue as usize));
    let of_queue = |row: &QueueRow| {
        let bytes = u64::from(row.stride) + 8 * u64::from(row.dynamic_count);
        bytes.div_ceil(u64::from(row.record_bytes.max(1)))
    };
    entries.map(of_queue).max().unwrap_or(1)
}

impl Graph {
    /// Returns the memory that the graph needs for these sizes.
    pub fn requirements(&self, sizes: &Sizes) -> Requirements {
        let page_bytes = u64::from(self.loaded.program.tables.page_bytes);
        let tables = self.loaded.tables.len() as u64;
        Requirements {
            state_bytes: StateLayout::new(&self.loaded.program, tables, sizes).bytes,
            exchange_bytes: ExchangeLayout::new(&self.loaded.program, tables, sizes).bytes,
            page_bytes,
            least_arena_bytes: u64::from(self.loaded.program.tables.min_pages) * page_bytes,
        }
    }

    /// Returns an arena size in bytes for dispatches of these records, by entry node, at most `most`. It is one pass
    /// with room for the peaks of the last dispatch, if that is enough.
    ///
    /// # Errors
    /// No such entry node, or `most` is below [`Requirements::least_arena_bytes`].
    pub fn recommended_arena(&self, records: &[(NodeName, u32)], most: u64) -> Result<u64, RunError> {
        let inputs: Vec<Input> = records
            .iter()
            .map(|(node, count)| Input { node: node.clone(), data: Data::Address(0), stride: 0, count: *count })
            .collect();
        self.arena_for(&inputs, most)
    }

    /// Like [`Self::recommended_arena`], for a dispatch of these inputs. If all records are in host memory, the grids in
    /// them count, in place of the largest ones. The same inputs then fit [`Completion::Single`](super::Completion).
    ///
    /// # Errors
    /// The errors of [`Self::recommended_arena`], and inputs that do not fit the graph.
    pub fn arena_for(&self, inputs: &[Input], most: u64) -> Result<u64, RunError> {
        let mut entries = pack(&self.loaded.program.manifest, self.loaded.program.tables.queues.len(), inputs)?;
        if !self.poison {
            self.loaded.program.read_grids(&mut entries);
        }
        let page_bytes = u64::from(self.loaded.program.tables.page_bytes);
        let most = (most / page_bytes).min(u64::from(u32::MAX) / 2);
        let run = self.loaded.program.plan(&entries, Memory::Enough, most, &self.peaks())?;
        Ok(u64::from(run.pages) * page_bytes)
    }

    /// Binds memory, in place of the previous one. [`Graph::record_upload`] must be recorded, and submitted before any
    /// other commands of the graph. No dispatch may be in flight.
    ///
    /// # Errors
    /// The memory differs from [`Graph::requirements`] with the same `sizes`.
    ///
    /// # Safety
    /// The blocks match their fields, and nothing else uses them while the graph has them. They outlive the submissions
    /// of all recorded commands.
    pub unsafe fn bind(&mut self, sizes: Sizes, memory: GraphMemory) -> Result<(), RunError> {
        let needed = self.requirements(&sizes);
        block(&memory.state, needed.state_bytes, "state")?;
        block(&memory.exchange.block, needed.exchange_bytes, "exchange")?;
        let first = memory.arena.first().copied().unwrap_or_default();
        let chunk_pages = u32::try_from(first.bytes / needed.page_bytes).unwrap_or(u32::MAX);
        let tables = self.loaded.tables.len() as u64;
        let mut placed = Placed {
            state: StateLayout::new(&self.loaded.program, tables, &sizes),
            exchange: ExchangeLayout::new(&self.loaded.program, tables, &sizes),
            sizes,
            memory: GraphMemory { arena: Vec::new(), state: memory.state, exchange: memory.exchange },
            chunk_pages,
            most_pages: pages(&self.loaded.program, &sizes) as u32,
            table_bytes: tables,
            queue_bytes: self.loaded.program.state_bytes()[0],
            uploaded: false,
        };
        for chunk in &memory.arena {
            placed.add(*chunk, needed.page_bytes)?;
        }
        if placed.arena_pages() < u64::from(self.loaded.program.tables.min_pages) {
            return Err(self
                .loaded
                .program
                .below_least(u64::from(self.loaded.program.tables.min_pages), placed.arena_pages()));
        }
        // SAFETY: the block has this size by the checks above, and is the graph's by the caller's promise.
        unsafe {
            placed.write(placed.exchange.tables, &self.loaded.tables);
            placed.forget();
        }
        self.memory = Some(placed);
        self.last = None;
        Ok(())
    }

    /// Adds a chunk to the arena, of the size of the other chunks. No dispatch may be in flight; a pending one uses it
    /// from its next [`Graph::resume`] on.
    ///
    /// # Errors
    /// It has another size, is the seventeenth, or makes the arena larger than the graph was bound for.
    ///
    /// # Safety
    /// The conditions of [`Graph::bind`].
    pub unsafe fn grow(&mut self, chunk: Block) -> Result<(), RunError> {
        let page_bytes = u64::from(self.loaded.program.tables.page_bytes);
        self.memory.as_mut().ok_or_else(unbound)?.add(chunk, page_bytes)
    }
}

impl Placed {
    fn add(&mut self, chunk: Block, page_bytes: u64) -> Result<(), RunError> {
        let pages = u64::from(self.chunk_pages);
        block(&chunk, pages.max(1) * page_bytes, "arena")?;
        let arena = &mut self.memory.arena;
        let problem = if chunk.bytes != pages * page_bytes {
            "chunks of the arena must have the same size, a multiple of a page"
        } else if arena.len() == abi::MAX_CHUNKS {
            "an arena can have at most 16 chunks"
        } else if (arena.len() as u64 + 1) * chunk.bytes > self.sizes.arena_bytes {
            "the arena exceeds the size that the graph was bound for"
        } else {
            arena.push(chunk);
            return Ok(());
        };
        Err(RunError::Given(problem.to_owned()))
    }

    /// Returns the pages of all chunks.
    pub fn arena_pages(&self) -> u64 {
        u64::from(self.chunk_pages) * self.memory.arena.len() as u64
    }

    /// Spans that there is room for.
    pub fn most_inputs(&self) -> u32 {
        self.sizes.inputs
    }

    /// Returns all addresses; `pages` of the arena are used.
    pub fn places(&self, pages: u32, local_roots: Option<LocalRootTable>) -> Places {
        let state = |offset| self.memory.state.address + offset;
        let mut chunks = [0; abi::MAX_CHUNKS];
        for (address, chunk) in chunks.iter_mut().zip(&self.memory.arena) {
            *address = chunk.address;
        }
        Places {
            context: state(self.state.context),
            tables: state(self.state.tables),
            pages: state(self.state.pages),
            arguments: state(self.state.arguments),
            spans: self.memory.exchange.block.address + self.exchange.spans,
            status: state(self.state.status),
            trash: state(self.state.trash),
            free: state(self.state.free),
            chunks,
            chunk_pages: self.chunk_pages,
            page_count: pages,
            most_pages: self.most_pages,
            local_roots,
        }
    }

    /// Address and place in its buffer of the context.
    pub fn context(&self) -> (u64, u64) {
        (self.memory.state.address + self.state.context, self.memory.state.offset + self.state.context)
    }

    /// Returns offset and size of the kernel guard's page data in the state's buffer.
    pub fn given(&self) -> (u64, u64) {
        let pages = u64::from(self.most_pages);
        (self.memory.state.offset + self.state.free + pages * 8, pages * 4)
    }

    /// Returns the offset of the indirect arguments in the state's buffer.
    pub fn arguments(&self) -> u64 {
        self.memory.state.offset + self.state.arguments
    }

    /// Returns the copy of the tables from `exchange` to `state`.
    pub fn tables_copy(&self) -> vk::BufferCopy {
        let (from, to) = (self.exchange.tables, self.state.tables);
        let (from, to) = (self.memory.exchange.block.offset + from, self.memory.state.offset + to);
        vk::BufferCopy { src_offset: from, dst_offset: to, size: self.table_bytes }
    }

    /// Returns offsets and sizes in the state's buffer of the data kept from the previous dispatch: the queues' states
    /// and the status.
    pub fn remembered(&self) -> [(u64, u64); 2] {
        let offset = self.memory.state.offset;
        [(offset + self.state.queues, self.queue_bytes), (offset + self.state.status, abi::Status::SIZE as u64)]
    }

    /// Returns the copies from `state` to `exchange` that the status is read from.
    pub fn status_copies(&self) -> [vk::BufferCopy; 2] {
        let pairs = [
            (self.state.status, self.exchange.status, abi::Status::SIZE as u64),
            (self.state.queues, self.exchange.queues, self.queue_bytes),
        ];
        pairs.map(|(from, to, bytes)| {
            let (from, to) = (self.memory.state.offset + from, self.memory.exchange.block.offset + to);
            vk::BufferCopy { src_offset: from, dst_offset: to, size: bytes }
        })
    }

    /// Returns whether records of the last finished dispatch are pending.
    pub fn is_pending(&self) -> bool {
        abi::Status::decode(self.read_back().0)
            .is_some_and(|status| status.magic == abi::STATUS_MAGIC && status.state == abi::STATE_PENDING)
    }

    /// Returns the status and the states of the queues, as last copied.
    pub fn read_back(&self) -> (&[u8], &[u8]) {
        let at = |offset: u64, bytes: u64| {
            let start = self.memory.exchange.pointer.as_ptr().wrapping_add(offset as usize);
            // SAFETY: the block is mapped and large enough, by `bind`; no submission writes it now, as `status` asks for.
            unsafe { std::slice::from_raw_parts(start, bytes as usize) }
        };
        (at(self.exchange.status, abi::Status::SIZE as u64), at(self.exchange.queues, self.queue_bytes))
    }

    /// # Errors
    /// There is more than the graph was bound for.
    pub fn check_inputs(&self, packed: &Packed) -> Result<(), RunError> {
        let records = packed.bytes.len() as u64;
        let most = self.exchange.records_end - self.exchange.records;
        if packed.spans.len() as u64 > u64::from(self.sizes.inputs) || records > most {
            let (spans, inputs) = (packed.spans.len(), self.sizes.inputs);
            let message =
                format!("{spans} inputs of {records} bytes, but the graph was bound for {inputs} of {most} bytes");
            return Err(RunError::Given(message));
        }
        Ok(())
    }

    /// Writes the input of the kernel inject: spans, followed by records.
    ///
    /// # Safety
    /// They passed [`Placed::check_inputs`]; no dispatch of the graph is in flight.
    pub unsafe fn write_inputs(&self, packed: &Packed) {
        let base = self.memory.exchange.block.address + self.exchange.records;
        // SAFETY: both ranges are in the block; guaranteed by the caller.
        unsafe {
            self.write(self.exchange.spans, &packed.spans_at(base));
            self.write(self.exchange.records, &packed.bytes);
        }
    }

    /// Writes the initial state of a dispatch and returns the target of its copy; `None` if there is no room for it.
    ///
    /// # Safety
    /// No dispatch of the graph is in flight.
    pub unsafe fn write_prepared(&self, made: &Prepared) -> Option<Copies> {
        let (status, mut table) = (made.status.to_bytes(), Vec::with_capacity(made.pages.len() * 8));
        made.pages.iter().for_each(|page| table.extend_from_slice(&page.to_le_bytes()));
        let parts: [(u64, &[u8]); 5] = [
            (self.state.status, &status),
            (self.state.queues, &made.queues),
            (self.state.instances, &made.instances),
            (self.state.arguments, &made.arguments),
            (self.state.pages, &table),
        ];
        let contents: u64 = made.contents.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        let fixed: u64 = parts.iter().map(|(_, bytes)| (bytes.len() as u64).next_multiple_of(ALIGNMENT)).sum();
        if self.exchange.spans + fixed + contents > self.exchange.bytes {
            return None;
        }
        let (mut cursor, exchange) = (Cursor(self.exchange.spans), self.memory.exchange.block.offset);
        let mut copies = Copies { state: Vec::new(), arena: vec![Vec::new(); self.memory.arena.len()] };
        for (to, bytes) in parts.into_iter().filter(|(_, bytes)| !bytes.is_empty()) {
            let from = cursor.take(bytes.len() as u64);
            // SAFETY: there is room, by the check above.
            unsafe { self.write(from, bytes) };
            let (from, to) = (exchange + from, self.memory.state.offset + to);
            copies.state.push(vk::BufferCopy { src_offset: from, dst_offset: to, size: bytes.len() as u64 });
        }
        let page_bytes = self.memory.arena.first()?.bytes / u64::from(self.chunk_pages.max(1));
        for (page, bytes) in &made.contents {
            let (chunk, place) = ((page / self.chunk_pages) as usize, u64::from(page % self.chunk_pages));
            let (from, size) = (cursor.0, bytes.len() as u64);
            cursor.0 += size;
            // SAFETY: as above.
            unsafe { self.write(from, bytes) };
            let (from, to) = (exchange + from, self.memory.arena.get(chunk)?.offset + place * page_bytes);
            let copies = copies.arena.get_mut(chunk)?;
            match copies.last_mut() {
                // Full pages of a queue are consecutive.
                Some(last) if last.src_offset + last.size == from && last.dst_offset + last.size == to => {
                    last.size += size
                }
                _ => copies.push(vk::BufferCopy { src_offset: from, dst_offset: to, size }),
            }
        }
        Some(copies)
    }

    /// Clears the data kept from the previous dispatch.
    ///
    /// # Safety
    /// No dispatch of the graph is in flight.
    pub unsafe fn forget(&self) {
        // SAFETY: as the caller promises.
        unsafe {
            self.write(self.exchange.queues, &vec![0; self.queue_bytes as usize]);
            self.write(self.exchange.status, &[0; abi::Status::SIZE]);
        }
    }

    /// # Safety
    /// The bytes have room in the block `exchange`, and the device does not read it now.
    unsafe fn write(&self, offset: u64, bytes: &[u8]) {
        let start = self.memory.exchange.pointer.as_ptr().wrapping_add(offset as usize);
        // SAFETY: as the caller promises.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), start, bytes.len()) };
    }
}

/// # Errors
/// A block is too small, or not aligned to 256.
fn block(block: &Block, bytes: u64, name: &str) -> Result<(), RunError> {
    let problem = if block.bytes < bytes {
        format!("the block {name} has {} bytes, but the graph needs {bytes}", block.bytes)
    } else if !block.offset.is_multiple_of(ALIGNMENT) || !block.address.is_multiple_of(ALIGNMENT) {
        format!("the block {name} must begin at a multiple of {ALIGNMENT} bytes")
    } else {
        return Ok(());
    };
    Err(RunError::Given(problem))
}

pub(super) fn unbound() -> RunError {
    RunError::Early("the graph has no memory yet")
}
