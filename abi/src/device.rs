//! Memory that the host and the kernels share. Addresses are 64-bit device addresses.

use crate::row::row;
use crate::tables::ABSENT;

row! {
    /// The first 16 bytes of the push constants of every shader of a package. The user's follow at
    /// [`USER_PUSH_OFFSET`].
    Push {
        /// Address of the [`Context`].
        context: u64,
        /// The instance that a node runs as, or the first of a joint dispatch. For kernels it is a stage, spill, run or
        /// instance, or a number of spans: see "Push constants" in `docs/emulation-abi.md`.
        instance: u32,
        /// `PUSH_*`
        flags: u32,
    }
}

/// Byte offset of the user's push constants, before it is rounded up to their alignment.
pub const USER_PUSH_OFFSET: u32 = 16;

/// Returns the offset of the user's block of push constants, which is aligned to `align` bytes.
pub fn user_push_offset(align: u32) -> u64 {
    u64::from(USER_PUSH_OFFSET).next_multiple_of(u64::from(align.max(4)))
}

/// Allocators may use subgroup operations in divergent control flow (maximal reconvergence).
pub const PUSH_SUBGROUP_ALLOCATOR: u32 = 1;
/// The kernel sched decides on launches; shaders leave the arguments of their consumers unchanged.
pub const PUSH_SCHEDULED: u32 = 2;
/// The specialisation constant of nodes, a bool: requests of a whole workgroup share one atomic. It needs barriers, so it
/// pays on GPUs only. Modules without such requests lack it.
pub const CONSTANT_GROUP_APPEND: u32 = 0x7767_6301;
/// First bit of the number of instances in a joint dispatch, or of instances that the kernel scan processes. They start at
/// `Push::instance`. 0: the instance runs alone.
pub const PUSH_RUN_SHIFT: u32 = 8;
/// The most instances of a joint dispatch.
pub const MAX_RUN: u32 = (1 << (32 - PUSH_RUN_SHIFT)) - 1;

/// A value of `Push::instance` for the kernel sched: it accepts the inputs of a dispatch and begins a sweep.
pub const SCHED_OPEN: u32 = 0xffff_fffd;
/// It accepts inputs that the kernel gather counts afterwards; no sweep begins.
pub const SCHED_OPEN_COUNTED: u32 = 0xffff_fffc;
/// It begins a sweep over the stages.
pub const SCHED_BEGIN: u32 = 0xffff_fffe;
/// It ends the sweep.
pub const SCHED_END: u32 = 0xffff_ffff;

/// The most chunks of an arena.
pub const MAX_CHUNKS: usize = 16;

/// Bytes from the start of the context to the states of the queues. The fixed offset lets shaders load the states of
/// their instance and queues without waiting for the context.
pub const QUEUE_STATES: u32 = 384;

/// Returns the number of bytes from the start of the context to the states of the instances. They follow the states of
/// the queues and of the spills.
pub const fn instance_states(queues: usize, spills: usize) -> u64 {
    QUEUE_STATES as u64 + ((queues + spills) * QueueState::SIZE) as u64
}

row! {
    /// Addresses and settings of a dispatch; written by the host.
    Context {
        /// `tables.bin`
        tables: u64,
        /// [`QueueState`] by queue, then [`SpillState`] by spill: [`QUEUE_STATES`] after the start of the context.
        queues: u64,
        /// [`InstanceState`] by instance: [`instance_states`] after the start of the context.
        instances: u64,
        /// Page table: the address of each mapped page.
        pages: u64,
        /// [`Arguments`] by instance, then those of the kernel inject, then those of scatter by spill.
        arguments: u64,
        /// [`Span`]s of this dispatch.
        spans: u64,
        /// [`Status`]
        status: u64,
        /// One page that receives the writes of shaders that exceed their limits.
        trash: u64,
        /// The output rows and the maps of `tables`.
        outputs: u64,
        maps: u64,
        /// Pages in all chunks.
        page_count: u32,
        /// Pages in each chunk, at least 1. All chunks have one size.
        chunk_pages: u32,
        span_count: u32,
        /// Threads of the inject kernel.
        span_threads: u32,
        /// Workgroups that one dispatch may have on X, and on Y.
        group_limit: u32,
        /// Chosen by the host, different in each dispatch.
        dispatch_id: u32,
        /// `ADMIT_*`
        admit: u32,
        /// `DIRECT_*`
        direct: u32,
        /// Stack of the addresses of free pages; only in scheduled runs.
        free: u64,
        /// [`InputList`] of a dispatch with inputs that the device counts.
        inputs: u64,
        /// Addresses of the arena's chunks.
        chunks: [u64; MAX_CHUNKS],
        /// The table of local root arguments, and bytes from record to record; 0 if no node has any.
        local_roots: u64,
        /// `tables` and `TableHeader::instances`: the rows of the instances.
        rows: u64,
        local_root_stride: u32,
        /// Scheduled: pages that the arena may grow to before the dispatch ends. The page table has runs for that many.
        most_pages: u32,
    }
}

row! {
    /// A queue. The states of the spills, of type [`SpillState`], follow. The first 32 bytes are for the shaders'
    /// atomics.
    QueueState {
        /// Records appended; may exceed `capacity`.
        tail: u32,
        /// Scheduled: pages at its beginning that were freed because all their records were consumed.
        returned: u32,
        /// Scheduled: records of its previous fillings in this dispatch.
        passed: u64,
        /// Records that the kernel guard has checked.
        guarded: u32,
        pad1: [u32; 3],
        /// Address of its first page if its pages are contiguous; 0: use the page table.
        linear: u64,
        pad2: [u32; 6],
        /// Records that it has space for.
        capacity: u32,
        /// Index of its first page in the page table.
        first_page: u32,
        /// Its pages; scheduled: its current pages and the `returned` ones before them.
        page_count: u32,
        /// Pages of one prefix of its dynamic consumers; scheduled: as `page_count`.
        prefix_pages: u32,
        /// Consumers.
        first_instance: u32,
        instance_count: u32,
        dynamic_count: u32,
        /// Like the field in the queue's row.
        trailer: u32,
        /// Entry records of this dispatch.
        entries: u64,
        /// Records stored in its own pages; further ones are in its spill.
        direct: u32,
        /// Index of its spill's state, counted from the first queue's; [`crate::tables::ABSENT`]: all records are
        /// direct.
        spill: u32,
        /// Start of its part of the spill's index; set by scatter.
        base: u32,
        /// Its number among the members of the spill.
        member: u32,
        /// The most records of a previous filling in this dispatch. The current filling is in `tail`.
        peak: u32,
        /// The peak of the previous dispatch; sizes the direct part.
        predicted: u32,
    }
}

row! {
    /// A spill. The first 64 bytes are only for the shaders' atomics.
    SpillState {
        /// Records appended; may exceed `capacity`.
        tail: u32,
        pad0: [u32; 3],
        /// Like the field in [`QueueState`].
        guarded: u32,
        pad2: [u32; 11],
        /// Records that have a slot and an entry in the index.
        capacity: u32,
        /// Index of its first page in the page table.
        first_page: u32,
        page_count: u32,
        /// First page and pages of its index. The index has the slot of each record, by member and number.
        index_page: u32,
        index_pages: u32,
        /// Like the fields in the spill's row.
        stride: u32,
        slots: u32,
        /// Index entries of a page.
        index_slots: u32,
        /// Number of its scatter's arguments.
        arguments: u32,
        /// Scheduled: 1 if scatter was launched since the members were empty.
        scattered: u32,
        pad1: [u32; 6],
    }
}

/// Spilled records that one workgroup of scatter moves.
pub const SCATTER_RECORDS: u32 = 512;

row! {
    /// An instance. The first 32 bytes are for the shaders' atomics.
    InstanceState {
        /// Dynamic grids: records with workgroups in the upper 26 bits, workgroups in the lower 38.
        counter: u64,
        /// Scheduled: workgroups launched since the queue was empty.
        cursor: u64,
        /// Dynamic grids in packages with the kernel scan: records with an entry in the prefix. `counter` includes them
        /// only after scan.
        listed: u32,
        pad0: [u32; 3],
        /// Like the field in [`QueueState`], for its prefix.
        linear: u64,
        /// In a joint dispatch: its first workgroup in the run, and the number of its workgroups. Set by the kernel joint.
        first_group: u64,
        group_count: u32,
        pad1: [u32; 3],
        queue: u32,
        /// `LAUNCH_*`
        launch: u32,
        unit: u32,
        grid_groups: u32,
        /// 1: appending to its queue launches it. 0: a kernel launches it.
        follows: u32,
        /// Index of the first page of its prefix in the page table, and entries of a page.
        prefix_page: u32,
        prefix_slots: u32,
        /// First of its output rows.
        first_output: u32,
        remaining_levels: u32,
        /// The window of this launch: `window_groups` workgroups from workgroup `window_local` of record
        /// `window_record` on. With a grid in the record, it starts at workgroup `window_first`.
        window_record: u32,
        /// The most workgroups (records for thread launch) that may request records.
        emitters: u64,
        window_first: u64,
        window_local: u32,
        window_groups: u32,
    }
}

row! {
    /// Indirect dispatch arguments of an instance.
    Arguments {
        x: u32,
        y: u32,
        z: u32,
        pad: u32,
    }
}

row! {
    /// Entry records for one queue.
    Span {
        /// A multiple of 4.
        address: u64,
        /// Bytes from record to record, a multiple of 4; 0 repeats one record.
        stride: u32,
        /// Records.
        count: u32,
        queue: u32,
        /// The first of its threads in the inject kernel.
        first_thread: u32,
        /// One per record; one in all for empty records.
        threads: u32,
        pad: u32,
    }
}

row! {
    /// The inputs of a dispatch, in device memory: D3D12_MULTI_NODE_GPU_INPUT, VkDispatchGraphCountInfoAMDX.
    InputList {
        count: u32,
        pad: u32,
        /// Address of the first [`NodeInput`], and bytes from one to the next.
        address: u64,
        stride: u64,
    }
}

row! {
    /// One input: D3D12_NODE_GPU_INPUT, VkDispatchGraphInfoAMDX.
    NodeInput {
        /// Index in the manifest's `entrypoints`.
        entry: u32,
        /// Records.
        count: u32,
        /// Address of the records, and bytes from one to the next: multiples of 4. Ignored for empty records.
        address: u64,
        stride: u64,
    }
}

row! {
    /// The results of a dispatch; read by the host.
    Status {
        /// [`STATUS_MAGIC`] once prep has run.
        magic: u32,
        /// `STATE_*`
        state: u32,
        /// `ERROR_*` of the first error.
        error: u32,
        /// Instance that reported it. For [`ERROR_RECORDS`] and [`ERROR_GROUPS`]: the instance that would need too
        /// much.
        error_instance: u32,
        /// Output index, if the error concerns an output.
        error_output: u32,
        /// Number of errors reported.
        error_count: u32,
        /// `FLAG_*`
        flags: u32,
        dispatch_id: u32,
        /// Pages that the closure of the entry records needs; scheduled: the fewest pages that the graph can run in.
        pages_needed: u64,
        /// The first thread of the kernel inject that appends entry records, and the number of such threads.
        entry_first: u32,
        entry_count: u32,
        /// Scheduled: free pages, and the minimum of that number.
        pages_free: u32,
        pages_least: u32,
        /// Scheduled: the deepest stage with records, at which the sweep began. After the end of a sweep: the one at
        /// which the next begins.
        deepest: u32,
        /// Scheduled: sweeps so far.
        sweeps: u32,
        /// Scheduled: pages of the arena that the kernels know.
        pages: u32,
        pad: u32,
        /// All reports, each [`Report`] once, in no order; 0: free.
        reports: [u64; REPORTS],
    }
}

/// An error or a note about an output, or the input, of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Report {
    pub instance: u32,
    /// `ERROR_*`, `NOTE_*`
    pub code: u32,
    /// The output, like [`Status::error_output`].
    pub output: u32,
}

impl Report {
    /// Encodes the report for the status: code and instance in the lower half, the output counted from 1 in the upper
    /// half.
    pub fn to_entry(self) -> u64 {
        let output = if self.output == ABSENT { ABSENT } else { self.output.wrapping_add(1) };
        u64::from(output) << 32 | u64::from(self.code << REPORT_CODE_SHIFT | self.instance)
    }

    /// Decodes an entry of the status; `None`: the entry is free.
    pub fn of_entry(entry: u64) -> Option<Self> {
        let (what, output) = (entry as u32, (entry >> 32) as u32);
        let (code, instance) = (what >> REPORT_CODE_SHIFT, what & ((1 << REPORT_CODE_SHIFT) - 1));
        let output = if output == ABSENT { ABSENT } else { output.wrapping_sub(1) };
        (what != 0).then_some(Self { instance, code, output })
    }
}

impl Status {
    /// Iterates over the listed reports.
    pub fn reported(&self) -> impl Iterator<Item = Report> {
        self.reports.into_iter().filter_map(Report::of_entry)
    }
}

impl QueueState {
    /// Returns the most records that the queue had at a time.
    pub fn most(&self) -> u32 {
        self.peak.max(self.tail.min(self.capacity))
    }
}

pub const STATUS_MAGIC: u32 = 0x5343_4757;

/// Prep has accepted the entry records; the following stages run the graph to its end. Scheduled: the graph has run.
pub const STATE_READY: u32 = 1;
/// Nothing was launched.
pub const STATE_ERROR: u32 = 2;
/// Scheduled: records are waiting, and another sweep processes them.
pub const STATE_PENDING: u32 = 3;

/// Admit as many workgroups as have room for their outputs.
pub const ADMIT_ALL: u32 = 0;
/// Admit one workgroup of each instance at a time; for tests.
pub const ADMIT_ONE: u32 = 1;

/// Queues that share a spill have direct parts as large as there is room for.
pub const DIRECT_ALL: u32 = 0;
/// Only entry records are direct; all others spill. For tests.
pub const DIRECT_NONE: u32 = 1;

/// The arena is smaller than the closure of the entry records; scheduled: smaller than the fewest pages of the graph.
pub const ERROR_ARENA: u32 = 1;
/// A node could need more workgroups than one dispatch may have.
pub const ERROR_GROUPS: u32 = 2;
/// A queue could need more records than a queue may have.
pub const ERROR_RECORDS: u32 = 3;
/// A shader requested more records than MaxRecords of an output, or of outputs that share it, in one or several calls.
pub const ERROR_MAX_RECORDS: u32 = 16;
/// A shader requested records of a node that does not exist.
pub const ERROR_ABSENT: u32 = 17;
/// A queue is full. Budgets are checked earlier, so no shader reaches this.
pub const ERROR_FULL: u32 = 18;
/// No entry node accepts an input that the device counted, or the host has no room for it. The input was omitted. The
/// output field has its number.
pub const ERROR_INPUT: u32 = 19;
/// The kernel guard found a record in a page that is free or belongs to another queue. The output field has the queue.
pub const ERROR_STALE: u32 = 20;
/// The kernel guard found a write past the end of a record. The output field has the queue.
pub const ERROR_OVERRUN: u32 = 21;
/// A shader used a record that it does not have. The index is past the records of one call, or past `Count()` of its
/// input. For the input, the output field is [`ABSENT`](crate::tables::ABSENT), as it is for [`ERROR_ELEMENT`].
pub const ERROR_RECORD: u32 = 22;
/// A shader used an element that an array, vector or matrix in a record does not have.
pub const ERROR_ELEMENT: u32 = 23;

/// A note, not an error: a dispatch grid in a record for this instance was above NodeMaxDispatchGrid and was clamped.
pub const NOTE_GRID_CLAMPED: u32 = 24;

/// The most reports of a status.
pub const REPORTS: usize = 32;
/// Entries that notes may use; errors may use all.
pub const FIRST_NOTE: usize = 16;
/// Bits of the instance in the first word of a report, below the code.
pub const REPORT_CODE_SHIFT: u32 = 27;

/// Fill pattern of free pages, for the kernel guard.
pub const POISON: u32 = 0xcdcd_cdcd;

/// A dispatch grid in a record was above NodeMaxDispatchGrid and was clamped.
pub const FLAG_GRID_CLAMPED: u32 = 1;
/// Another dispatch was about to begin before this one ended; nothing of it was launched.
pub const FLAG_BUSY: u32 = 2;
/// There were more reports than [`REPORTS`].
pub const FLAG_UNLISTED: u32 = 4;

impl Arguments {
    /// Returns the arguments for `groups` workgroups, at most [`MAX_GROUPS`], as `wgc_launch_x` and `wgc_launch_y` in
    /// `stdlib/emulated/device.hlsl` do. X and Y only grow with the number: first one row of up to [`ROW`], then more
    /// rows of [`ROW`]. From `ROW * ROWS` on, [`ROWS`] rows grow wider.
    pub fn of(groups: u64) -> Self {
        let groups = groups.min(MAX_GROUPS) as u32;
        Self { x: groups.min(ROW).max(groups.div_ceil(ROWS)), y: groups.max(1).div_ceil(ROW).min(ROWS), z: 1, pad: 0 }
    }
}

/// Bits of a prefix entry (and of a counter) below the upper half.
pub const PREFIX_GROUP_BITS: u32 = 38;
/// Bits of the record index in a prefix entry.
pub const PREFIX_RECORD_BITS: u32 = 26;
/// Records that a queue with dynamic consumers may hold.
pub const MAX_DYNAMIC_RECORDS: u64 = (1 << PREFIX_RECORD_BITS) - 1;
/// Records that any queue may count.
pub const MAX_RECORDS: u64 = 0xffff_0000;
/// Workgroups of a row in the arguments that appending shaders raise, and the most rows: see [`Arguments::of`].
pub const ROW: u32 = 64;
pub const ROWS: u32 = 1 << 15;
/// Workgroups that an instance may have in one dispatch: [`ROWS`] rows of a length that every Vulkan device supports.
pub const MAX_GROUPS: u64 = 65535 * ROWS as u64;
/// Workgroups that a scheduled launch may have, even if the device allows more.
pub const MAX_WINDOW: u64 = (1 << 31) - 1;
/// Workgroups that an instance in the stage of the mesh nodes may have in one launch: the minimum of Vulkan's
/// `maxMeshWorkGroupTotalCount`.
pub const MESH_GROUPS: u64 = 1 << 22;
/// Workgroups on X of such a launch. It divides [`MESH_GROUPS`], so that the required rows never exceed that number.
pub const MESH_WIDTH: u32 = 1 << 15;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abi_structures_have_documented_sizes_and_offsets() {
        assert_eq!(Push::SIZE, 16);
        assert_eq!(Context::SIZE, 280);
        assert_eq!(std::mem::offset_of!(Context, local_roots), 256);
        assert_eq!(std::mem::offset_of!(Context, chunks), 128);
        assert_eq!((QueueState::SIZE, SpillState::SIZE), (128, 128));
        assert_eq!(std::mem::offset_of!(Context, free), 112);
        assert_eq!(std::mem::offset_of!(QueueState, capacity), 64);
        assert_eq!(std::mem::offset_of!(InstanceState, queue), 64);
        // Shaders have one name for both.
        assert_eq!(std::mem::offset_of!(QueueState, linear), std::mem::offset_of!(InstanceState, linear));
        assert_eq!(InstanceState::SIZE, 128);
        assert_eq!(Arguments::SIZE, 16);
        assert_eq!(Span::SIZE, 32);
        assert_eq!((InputList::SIZE, NodeInput::SIZE), (24, 24));
        assert_eq!(std::mem::offset_of!(Context, inputs), 120);
        assert_eq!((Status::SIZE, std::mem::offset_of!(Status, reports)), (328, 72));
    }

    #[test]
    fn reports_encode_as_64_bit_entries() {
        let report = Report { instance: 5, code: ERROR_ABSENT, output: 2 };
        assert_eq!(report.to_entry(), 3 << 32 | 17 << 27 | 5);
        let of_input = Report { instance: (1 << 27) - 1, code: NOTE_GRID_CLAMPED, output: ABSENT };
        assert_eq!(of_input.to_entry(), 0xffff_ffff_c7ff_ffff);
        let first = Report { instance: 0, code: ERROR_MAX_RECORDS, output: 0 };
        let entries = [0, of_input.to_entry(), report.to_entry(), first.to_entry()];
        let mut status = Status::default();
        status.reports[..4].copy_from_slice(&entries);
        assert_eq!(status.reported().collect::<Vec<_>>(), [of_input, report, first]);
    }

    #[test]
    fn launched_groups_grow_monotonically_with_bounded_excess() {
        let edges = [0, 1, ROW, 2 * ROW, ROW * ROWS, 65535, 1 << 22, MAX_GROUPS as u32 / 2, MAX_GROUPS as u32];
        let mut all: Vec<u64> =
            edges.iter().flat_map(|&at| at.saturating_sub(70)..=at.saturating_add(70)).map(u64::from).collect();
        all.retain(|&groups| groups <= MAX_GROUPS);
        all.sort_unstable();
        let mut last = Arguments::of(0);
        assert_eq!((last.x, last.y), (0, 1));
        for groups in all {
            let Arguments { x, y, .. } = Arguments::of(groups);
            assert!(x >= last.x && y >= last.y && x <= 65535 && y <= 65535);
            let launched = u64::from(x) * u64::from(y);
            let spare = if groups <= u64::from(ROW * ROWS) { ROW } else { ROWS };
            assert!((groups..groups + u64::from(spare)).contains(&launched), "{groups}: {x} x {y}");
            assert!(groups > MESH_GROUPS || launched <= MESH_GROUPS);
            last = Arguments { x, y, z: 1, pad: 0 };
        }
        assert_eq!((last.x, last.y), (65535, ROWS));
    }

    #[test]
    fn rows_encode_field_by_field() {
        let span = Span { address: 0x0102_0304_0506_0708, stride: 9, queue: 3, ..Span::default() };
        let bytes = span.to_bytes();
        assert_eq!(&bytes[..12], &[8, 7, 6, 5, 4, 3, 2, 1, 9, 0, 0, 0]);
        assert_eq!(Span::decode(&bytes), Some(span));
        assert_eq!(Span::decode(&bytes[1..]), None);
    }
}
