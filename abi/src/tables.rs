//! `tables.bin`: the static graph for the kernels and the shaders' helpers.
//!
//! The file has a [`TableHeader`], then the rows of each kind at the byte offsets in the header. Instances are numbered
//! by stage and, inside a stage, by queue, so that the consumers of one queue are neighbours. Queues are numbered by
//! stage too.

use crate::device::{MAX_GROUPS, MAX_RUN, MESH_GROUPS};
use crate::row::row;

/// `TableHeader::magic`: "WGCT".
pub const TABLES_MAGIC: u32 = 0x5443_4757;
/// `TableHeader::version`
pub const TABLES_VERSION: u32 = crate::manifest::VERSION;

row! {
    TableHeader {
        magic: u32,
        version: u32,
        stage_count: u32,
        queue_count: u32,
        instance_count: u32,
        edge_count: u32,
        output_count: u32,
        map_words: u32,
        /// Byte offsets from the start of the tables.
        stages: u32,
        queues: u32,
        instances: u32,
        edges: u32,
        outputs: u32,
        maps: u32,
        page_bytes: u32,
        targets: u32,
        target_count: u32,
        /// Pages that one entry record may need.
        entry_pages: u32,
        /// The fewest pages that a scheduled run needs.
        min_pages: u32,
        /// Byte offsets of the spill rows, the words of their members and the charge rows, and their numbers.
        spills: u32,
        spill_count: u32,
        members: u32,
        member_count: u32,
        charges: u32,
        charge_count: u32,
        /// Byte offset of the queues of the entry nodes, and their number.
        entries: u32,
        entry_count: u32,
        /// The stage of the mesh nodes, the last; [`ABSENT`] if there are none.
        mesh_stage: u32,
        /// Byte offset of the rows of joint dispatches, and their number.
        runs: u32,
        run_count: u32,
    }
}

row! {
    /// Consecutive queues and instances that run between two barriers.
    StageRow {
        first_queue: u32,
        queue_count: u32,
        first_instance: u32,
        instance_count: u32,
        /// Pages that must be free for the later segments: for each, the most that one workgroup of its head may need.
        reserve: u32,
        /// The spills of its queues.
        first_spill: u32,
        spill_count: u32,
        /// Stages of the segment that it is the head of; 0 if it is not a head.
        segment: u32,
        /// The joint dispatches of its instances.
        first_run: u32,
        run_count: u32,
    }
}

row! {
    QueueRow {
        /// Bytes from one record to the next, including the tracking word; 0 for empty records.
        stride: u32,
        /// Records of a page; 0 for empty records.
        slots: u32,
        /// Bytes of a record, as declared by the nodes.
        record_bytes: u32,
        /// Byte offset in a record of the word that counts finished groups; [`ABSENT`] if there is none.
        trailer: u32,
        /// Consumers.
        first_instance: u32,
        instance_count: u32,
        /// Producers.
        first_edge: u32,
        edge_count: u32,
        /// Consumers that read their grid from the record.
        dynamic_count: u32,
        stage: u32,
        /// Records that the queue may hold at a time in a scheduled run.
        max_records: u32,
        /// Its spill and its number among the spill's members; [`ABSENT`] and 0 if all its records are stored in its
        /// own pages.
        spill: u32,
        member: u32,
    }
}

impl QueueRow {
    /// Returns whether records that do not fit into its own pages go to a spill.
    pub fn spills(&self) -> bool {
        self.spill != ABSENT
    }

    /// Returns the pages of `records` records.
    pub fn record_pages(&self, records: u64) -> u64 {
        if self.slots == 0 { 0 } else { records.div_ceil(u64::from(self.slots)) }
    }

    /// Returns the pages of `records` records and of the prefixes of their grids.
    pub fn pages(&self, records: u64, page_bytes: u32) -> u64 {
        self.record_pages(records) + prefix_pages(records, page_bytes) * u64::from(self.dynamic_count)
    }
}

/// Returns the pages of the prefix of one consumer that reads the grids of `records` records. An entry has eight bytes.
pub fn prefix_pages(records: u64, page_bytes: u32) -> u64 {
    records.div_ceil(u64::from(page_bytes / 8))
}

row! {
    InstanceRow {
        queue: u32,
        /// `LAUNCH_*`
        launch: u32,
        /// Records of a workgroup: the threads of a thread node's workgroup, the input's MaxRecords, or 1.
        unit: u32,
        /// Workgroups per record of a broadcasting node: all of the fixed grid, or of the largest one; 1 elsewhere.
        grid_groups: u32,
        /// The field with SV_DispatchGrid: its byte offset in the record, the bytes of a component (2 or 4), and the
        /// number of components.
        grid_offset: u32,
        grid_scalar: u32,
        grid_components: u32,
        /// NodeMaxDispatchGrid, or the fixed grid.
        grid_x: u32,
        grid_y: u32,
        grid_z: u32,
        /// The first of its output rows.
        first_output: u32,
        output_count: u32,
        /// `GetRemainingRecursionLevels()`
        remaining_levels: u32,
        /// Recursion level.
        level: u32,
        /// The queues that it may append to.
        first_target: u32,
        target_count: u32,
        /// The spills that it may append to.
        first_charge: u32,
        charge_count: u32,
        /// The record of its local root arguments; [`ABSENT`] if there is none.
        local_root: u32,
        /// 1 in a joint dispatch, which the kernel joint launches; else 0.
        joint: u32,
    }
}

row! {
    /// Consecutive instances of a stage that share one dispatch. They share their code, and each has its own queue.
    RunRow {
        first_instance: u32,
        /// At most [`crate::device::MAX_RUN`].
        instance_count: u32,
        stage: u32,
    }
}

row! {
    /// A spill: space that some queues of one stage, its members, share for records that do not fit into their own
    /// pages. A slot holds the member's number, the record's number among the member's spilled records, and the record.
    SpillRow {
        /// The stage of the members' consumers.
        stage: u32,
        /// Bytes from slot to slot: [`SPILL_HEADER`] plus the largest stride of the members, rounded up to a multiple
        /// of eight.
        stride: u32,
        /// Slots of a page.
        slots: u32,
        /// The first of its words in `members`.
        first_member: u32,
        member_count: u32,
        /// Producers: every budget that reaches a member, once.
        first_edge: u32,
        edge_count: u32,
    }
}

impl SpillRow {
    /// Returns the pages of `records` slots and of their index.
    pub fn pages(&self, records: u64, page_bytes: u32) -> u64 {
        records.div_ceil(u64::from(self.slots.max(1))) + index_pages(records, page_bytes)
    }
}

/// Returns the pages of the index of `records` spilled records. An entry has four bytes.
pub fn index_pages(records: u64, page_bytes: u32) -> u64 {
    records.div_ceil(u64::from(page_bytes / 4))
}

/// Bytes of a slot before the record.
pub const SPILL_HEADER: u32 = 8;

row! {
    /// The most records that one producer may append to a queue.
    EdgeRow {
        instance: u32,
        /// Per workgroup; per record for thread launch.
        max_records: u32,
    }
}

row! {
    /// The most records that one instance of a segment's head may append to one queue. The number covers all its
    /// outputs and those of the later instances of the segment.
    TargetRow {
        queue: u32,
        /// Per workgroup; per record for thread launch.
        max_records: u32,
    }
}

row! {
    /// The most records that one instance of a segment's head, and the later instances of the segment, may append to
    /// one spill. Each of their budgets counts once.
    ChargeRow {
        spill: u32,
        /// Per workgroup; per record for thread launch.
        max_records: u32,
    }
}

row! {
    /// An output of an instance: the map from array index to queue.
    OutputRow {
        /// First word in `maps`.
        map: u32,
        /// Indexes (`MAP_DENSE`) or pairs (`MAP_SORTED`).
        count: u32,
        /// `MAP_*`
        kind: u32,
        /// The budget as declared in the source.
        max_records: u32,
    }
}

/// No queue: the target node does not exist, or no recursion level is left.
pub const ABSENT: u32 = 0xffff_ffff;

/// Threads of a workgroup of a thread-launch node, unless requests of the whole workgroup make it larger.
pub const THREAD_GROUP: u32 = 64;

pub const LAUNCH_THREAD: u32 = 0;
pub const LAUNCH_COALESCING: u32 = 1;
/// Broadcasting, fixed grid.
pub const LAUNCH_FIXED: u32 = 2;
/// Broadcasting, grid in the record.
pub const LAUNCH_DYNAMIC: u32 = 3;

/// Word i of the map is the queue of array index i, or [`ABSENT`].
pub const MAP_DENSE: u32 = 0;
/// Pairs {array index, queue}, sorted by index.
pub const MAP_SORTED: u32 = 1;

/// The tables as values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    pub page_bytes: u32,
    pub stages: Vec<StageRow>,
    pub queues: Vec<QueueRow>,
    pub instances: Vec<InstanceRow>,
    pub edges: Vec<EdgeRow>,
    pub targets: Vec<TargetRow>,
    pub spills: Vec<SpillRow>,
    /// Queues that belong to the spills.
    pub members: Vec<u32>,
    pub charges: Vec<ChargeRow>,
    /// Queues of the entry nodes, in the manifest's order.
    pub entries: Vec<u32>,
    /// Pages that one entry record may need.
    pub entry_pages: u32,
    /// The fewest pages that a scheduled run needs.
    pub min_pages: u32,
    pub outputs: Vec<OutputRow>,
    pub maps: Vec<u32>,
    /// The stage of the mesh nodes, the last.
    pub mesh_stage: Option<u32>,
    /// Sorted by stage.
    pub runs: Vec<RunRow>,
}

/// An error in the bytes of a table file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TablesError {
    /// Not a table file of this version.
    Header,
    /// Rows extend past the end of the file.
    Bounds,
    /// A row names another row that does not exist.
    Reference,
}

impl std::fmt::Display for TablesError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Header => "the tables have another version",
            Self::Bounds => "the tables are incomplete",
            Self::Reference => "the tables are inconsistent",
        })
    }
}

impl std::error::Error for TablesError {}

impl Tables {
    /// Returns the most workgroups of one launch of an instance of this stage, if appending to its queue launches it.
    pub fn most_groups(&self, stage: u32) -> u64 {
        if self.mesh_stage == Some(stage) { MESH_GROUPS } else { MAX_GROUPS }
    }

    /// Returns the number of workgroups to count for an instance of this stage with `groups` workgroups, with all grids
    /// at their largest. `None`: there may be too many for one pass. The sizes of grids in records are unknown until
    /// they are launched, so these are counted up to the most of one launch. The limit of mesh nodes is low, so all
    /// their workgroups count: larger numbers run in sweeps, and none is lost.
    pub fn counted_groups(&self, stage: u32, launch: u32, groups: u64) -> Option<u64> {
        let most = self.most_groups(stage);
        let is_bounded = launch != LAUNCH_DYNAMIC || self.mesh_stage == Some(stage);
        (groups <= most || !is_bounded).then(|| groups.min(most))
    }

    /// Encodes `tables.bin`. The file stays far below 4 GiB, since counts come from one source program.
    pub fn encode(&self) -> Vec<u8> {
        let mut at = TableHeader::SIZE;
        let mut place = |count: usize, size: usize| {
            let start = at;
            at += count * size;
            start as u32
        };
        let header = TableHeader {
            magic: TABLES_MAGIC,
            version: TABLES_VERSION,
            stage_count: self.stages.len() as u32,
            queue_count: self.queues.len() as u32,
            instance_count: self.instances.len() as u32,
            edge_count: self.edges.len() as u32,
            output_count: self.outputs.len() as u32,
            map_words: self.maps.len() as u32,
            stages: place(self.stages.len(), StageRow::SIZE),
            queues: place(self.queues.len(), QueueRow::SIZE),
            instances: place(self.instances.len(), InstanceRow::SIZE),
            edges: place(self.edges.len(), EdgeRow::SIZE),
            outputs: place(self.outputs.len(), OutputRow::SIZE),
            maps: place(self.maps.len(), 4),
            page_bytes: self.page_bytes,
            targets: place(self.targets.len(), TargetRow::SIZE),
            target_count: self.targets.len() as u32,
            entry_pages: self.entry_pages,
            min_pages: self.min_pages,
            spills: place(self.spills.len(), SpillRow::SIZE),
            spill_count: self.spills.len() as u32,
            members: place(self.members.len(), 4),
            member_count: self.members.len() as u32,
            charges: place(self.charges.len(), ChargeRow::SIZE),
            charge_count: self.charges.len() as u32,
            entries: place(self.entries.len(), 4),
            entry_count: self.entries.len() as u32,
            mesh_stage: self.mesh_stage.unwrap_or(ABSENT),
            runs: place(self.runs.len(), RunRow::SIZE),
            run_count: self.runs.len() as u32,
        };
        let mut out = Vec::with_capacity(at);
        header.encode(&mut out);
        self.stages.iter().for_each(|r| r.encode(&mut out));
        self.queues.iter().for_each(|r| r.encode(&mut out));
        self.instances.iter().for_each(|r| r.encode(&mut out));
        self.edges.iter().for_each(|r| r.encode(&mut out));
        self.outputs.iter().for_each(|r| r.encode(&mut out));
        self.maps.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        self.targets.iter().for_each(|r| r.encode(&mut out));
        self.spills.iter().for_each(|r| r.encode(&mut out));
        self.members.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        self.charges.iter().for_each(|r| r.encode(&mut out));
        self.entries.iter().for_each(|w| out.extend_from_slice(&w.to_le_bytes()));
        self.runs.iter().for_each(|r| r.encode(&mut out));
        out
    }

    /// Decodes and checks a file: every index in a row of the result is in range.
    pub fn decode(bytes: &[u8]) -> Result<Tables, TablesError> {
        let header = TableHeader::decode(bytes).ok_or(TablesError::Bounds)?;
        if header.magic != TABLES_MAGIC || header.version != TABLES_VERSION {
            return Err(TablesError::Header);
        }
        let word = |b: &[u8]| b.first_chunk().map(|w| u32::from_le_bytes(*w));
        let tables = Tables {
            page_bytes: header.page_bytes,
            stages: rows(bytes, header.stages, header.stage_count, StageRow::SIZE, StageRow::decode)?,
            queues: rows(bytes, header.queues, header.queue_count, QueueRow::SIZE, QueueRow::decode)?,
            instances: rows(bytes, header.instances, header.instance_count, InstanceRow::SIZE, InstanceRow::decode)?,
            edges: rows(bytes, header.edges, header.edge_count, EdgeRow::SIZE, EdgeRow::decode)?,
            targets: rows(bytes, header.targets, header.target_count, TargetRow::SIZE, TargetRow::decode)?,
            entry_pages: header.entry_pages,
            min_pages: header.min_pages,
            outputs: rows(bytes, header.outputs, header.output_count, OutputRow::SIZE, OutputRow::decode)?,
            maps: rows(bytes, header.maps, header.map_words, 4, word)?,
            spills: rows(bytes, header.spills, header.spill_count, SpillRow::SIZE, SpillRow::decode)?,
            members: rows(bytes, header.members, header.member_count, 4, word)?,
            charges: rows(bytes, header.charges, header.charge_count, ChargeRow::SIZE, ChargeRow::decode)?,
            entries: rows(bytes, header.entries, header.entry_count, 4, word)?,
            mesh_stage: Some(header.mesh_stage).filter(|&stage| stage != ABSENT),
            runs: rows(bytes, header.runs, header.run_count, RunRow::SIZE, RunRow::decode)?,
        };
        if tables.consistent() { Ok(tables) } else { Err(TablesError::Reference) }
    }

    fn consistent(&self) -> bool {
        let within = |first: u32, count: u32, len: usize| u64::from(first) + u64::from(count) <= len as u64;
        let queue = |q: u32| (q as usize) < self.queues.len();
        self.page_bytes.is_power_of_two()
            && self.stages.iter().all(|s| {
                within(s.first_queue, s.queue_count, self.queues.len())
                    && within(s.first_instance, s.instance_count, self.instances.len())
                    && within(s.first_spill, s.spill_count, self.spills.len())
            })
            && self.mesh_stage.is_none_or(|stage| stage as usize + 1 == self.stages.len())
            && self.segments_consistent()
            && self.queues.iter().all(|q| {
                within(q.first_instance, q.instance_count, self.instances.len())
                    && within(q.first_edge, q.edge_count, self.edges.len())
                    && (q.slots == 0) == (q.stride == 0)
                    && u64::from(q.slots) * u64::from(q.stride) <= u64::from(self.page_bytes)
                    && (q.stage as usize) < self.stages.len()
            })
            && self.queues.iter().zip(0..).all(|(row, queue)| self.consumers_consistent(row, queue))
            && self.spills_consistent()
            && self.runs_consistent()
            && self.instances.iter().all(|i| {
                queue(i.queue)
                    && i.unit != 0
                    && i.grid_groups != 0
                    && within(i.first_output, i.output_count, self.outputs.len())
                    && within(i.first_target, i.target_count, self.targets.len())
                    && within(i.first_charge, i.charge_count, self.charges.len())
            })
            && self.targets.iter().all(|t| queue(t.queue))
            && self.entries.iter().all(|q| queue(*q))
            && self.edges.iter().all(|e| (e.instance as usize) < self.instances.len())
            && self.outputs.iter().all(|o| {
                let words = if o.kind == MAP_SORTED { o.count.saturating_mul(2) } else { o.count };
                within(o.map, words, self.maps.len()) && o.kind <= MAP_SORTED
            })
    }

    /// Checks that the consumers of a queue name it and find their grids in its records, and that its tracking word is
    /// inside them.
    fn consumers_consistent(&self, row: &QueueRow, queue: u32) -> bool {
        let all = row.first_instance as usize..row.first_instance as usize + row.instance_count as usize;
        let consumers = self.instances.get(all).unwrap_or_default();
        let is_sound = |i: &InstanceRow| {
            let grid = u64::from(i.grid_offset) + u64::from(i.grid_scalar) * u64::from(i.grid_components);
            let has_grid = matches!(i.grid_scalar, 2 | 4) && grid <= row.record_bytes.into();
            let is_dynamic = i.launch == LAUNCH_DYNAMIC && (1..=3).contains(&i.grid_components) && has_grid;
            i.queue == queue && (i.launch < LAUNCH_DYNAMIC || is_dynamic)
        };
        let dynamic = consumers.iter().filter(|i| i.launch == LAUNCH_DYNAMIC).count();
        consumers.iter().all(is_sound)
            && dynamic == row.dynamic_count as usize
            && row.record_bytes <= row.stride
            && (row.trailer == ABSENT || u64::from(row.trailer) + 4 <= row.stride.into())
    }

    /// Checks that segments follow each other without a gap, and that only heads have spills.
    fn segments_consistent(&self) -> bool {
        let mut behind = 0;
        let follows = |stage: &StageRow| {
            let head = behind == 0;
            behind = if head { stage.segment } else { behind }.saturating_sub(1);
            (stage.segment != 0) == head && (head || stage.spill_count == 0)
        };
        self.stages.iter().all(follows) && behind == 0
    }

    /// Checks that runs are in the order of stages, and that their instances belong to the stage and are marked as
    /// joint. No other instances may be marked.
    fn runs_consistent(&self) -> bool {
        let (mut runs, mut joint, mut end) = (0, 0, 0);
        let mut is_sound = |number: usize, run: &RunRow| {
            let stage = self.stages.get(number);
            let Some(stage) = stage.filter(|stage| run.first_instance >= end.max(stage.first_instance)) else {
                return false;
            };
            let Some(behind) = run.first_instance.checked_add(run.instance_count) else { return false };
            end = behind;
            joint += run.instance_count as usize;
            let Some(instances) = self.instances.get(run.first_instance as usize..behind as usize) else {
                return false;
            };
            let alone = |i: &InstanceRow| self.queues.get(i.queue as usize).is_some_and(|q| q.instance_count == 1);
            run.stage as usize == number
                && (1..=MAX_RUN).contains(&run.instance_count)
                && u64::from(behind) <= u64::from(stage.first_instance) + u64::from(stage.instance_count)
                && instances.iter().all(|i| i.joint == 1 && alone(i))
        };
        let of_stage = |(number, stage): (usize, &StageRow)| {
            let first = runs;
            runs += stage.run_count as usize;
            let own = self.runs.get(first..runs);
            stage.first_run as usize == if stage.run_count == 0 { 0 } else { first }
                && own.is_some_and(|own| own.iter().all(|run| is_sound(number, run)))
        };
        self.stages.iter().enumerate().all(of_stage)
            && runs == self.runs.len()
            && self.instances.iter().filter(|i| i.joint != 0).count() == joint
    }

    /// Checks that members and spills name each other, and that a slot has room for a record of each member.
    fn spills_consistent(&self) -> bool {
        let within = |first: u32, count: u32, len: usize| u64::from(first) + u64::from(count) <= len as u64;
        let holds = |row: &SpillRow, queue: &QueueRow| {
            queue.stage == row.stage && queue.stride != 0 && queue.stride.saturating_add(SPILL_HEADER) <= row.stride
        };
        let sound = self.spills.iter().all(|s| {
            within(s.first_member, s.member_count, self.members.len())
                && within(s.first_edge, s.edge_count, self.edges.len())
                && s.slots != 0
                && s.stride.is_multiple_of(8)
                && u64::from(s.slots) * u64::from(s.stride) <= u64::from(self.page_bytes)
                && (s.stage as usize) < self.stages.len()
        });
        let listed = |number: usize, queue: &QueueRow| {
            let Some(spill) = self.spills.get(queue.spill as usize) else { return false };
            let place = spill.first_member as usize + queue.member as usize;
            queue.member < spill.member_count
                && self.members.get(place).is_some_and(|m| *m as usize == number)
                && holds(spill, queue)
        };
        sound
            && self.queues.iter().enumerate().all(|(number, queue)| !queue.spills() || listed(number, queue))
            && self.queues.iter().filter(|q| q.spills()).count() == self.members.len()
            && self.members.iter().all(|m| self.queues.get(*m as usize).is_some_and(QueueRow::spills))
            && self.charges.iter().all(|c| (c.spill as usize) < self.spills.len())
    }

    /// Returns the queue of element `index` of an output, like `wgc_output_queue` of the device library.
    pub fn target(&self, output: &OutputRow, index: u32) -> Option<u32> {
        let queue = match output.kind {
            MAP_DENSE if index < output.count => self.maps.get(output.map as usize + index as usize).copied(),
            MAP_SORTED => {
                let start = output.map as usize;
                let pairs = self.maps.get(start..start + 2 * output.count as usize)?.as_chunks::<2>().0;
                let at = pairs.binary_search_by_key(&index, |p| p[0]).ok()?;
                Some(pairs[at][1])
            }
            _ => None,
        };
        queue.filter(|&q| q != ABSENT)
    }

    /// Returns the queue of the first element of an output that exists.
    pub fn some_target(&self, output: &OutputRow) -> Option<u32> {
        let words = if output.kind == MAP_SORTED { 2 } else { 1 };
        let end = u64::from(output.map) + words * u64::from(output.count);
        let map = self.maps.get(output.map as usize..usize::try_from(end).ok()?)?;
        map.chunks_exact(words as usize).filter_map(<[u32]>::last).copied().find(|&queue| queue != ABSENT)
    }
}

fn rows<T>(
    bytes: &[u8],
    offset: u32,
    count: u32,
    size: usize,
    decode: impl Fn(&[u8]) -> Option<T>,
) -> Result<Vec<T>, TablesError> {
    let start = offset as usize;
    let end = (count as usize).checked_mul(size).and_then(|n| n.checked_add(start)).ok_or(TablesError::Bounds)?;
    let bytes = bytes.get(start..end).ok_or(TablesError::Bounds)?;
    bytes.chunks_exact(size).map(|row| decode(row).ok_or(TablesError::Bounds)).collect()
}

#[cfg(test)]
mod tests;
