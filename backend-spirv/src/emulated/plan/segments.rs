//! Segments of stages, and the records that may follow from a workgroup of a segment's head.
//!
//! A **segment** consists of consecutive stages. Only the first, its **head**, receives records from outside: from the
//! host or from earlier segments. The records that follow from a workgroup of the head in the segment are bounded. So
//! one admission at the head of a scheduled run covers all of them; after the head, appending launches the consumers
//! (`stdlib/emulated/sched.hlsl`). In the order of the sweeps, a segment replaces a stage. All producers of a head's
//! queue are in earlier segments, and the other queues of a segment are empty when it ends.
//!
//! The bound is the worst case, and space is reserved for it. So a segment ends before a stage that may produce many
//! records from one, unless all of them are small. Usually few records come, and the more reserved space stays empty,
//! the fewer workgroups are admitted together.

use std::collections::BTreeMap;
use std::ops::Range;
use wgc_abi::device::{MAX_GROUPS, MAX_RECORDS, MESH_GROUPS};
use wgc_abi::tables::{InstanceRow, LAUNCH_COALESCING, LAUNCH_THREAD, StageRow, Tables};

/// Workgroups of one dispatch that every device supports.
const LEAST_GROUP_LIMIT: u64 = 65535;

/// The most records that a stage after the head appends for each record that it reads.
const MAX_GROWTH: u64 = 4;

/// Divisor of the allowed bytes for segments with more growth.
const LITTLE: u64 = 16;

/// The records that instances may append: pairs of queue or spill and number, per workgroup or, for thread launch, per
/// record.
pub type Appends = Vec<Vec<(u32, u32)>>;

/// The most records that may follow from one workgroup of a head in its segment.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// Records by queue.
    pub records: BTreeMap<u32, u64>,
    /// Records by spill.
    pub spilled: BTreeMap<u32, u64>,
}

impl Reach {
    fn count(&self) -> u64 {
        self.records.values().chain(self.spilled.values()).fold(0, |sum, &records| sum.saturating_add(records))
    }
}

/// The parts of the tables that determine segments.
#[derive(Clone, Copy)]
pub struct Segments<'a> {
    pub tables: &'a Tables,
    /// Records that each instance may append to queues, and to spills.
    pub targets: &'a Appends,
    pub charges: &'a Appends,
    /// The first stage that fills each queue; `None`: the host does.
    pub sources: &'a [Option<u32>],
    /// The most bytes of records that follow from one workgroup; 0: each stage is a segment.
    pub bytes: u32,
}

impl Segments<'_> {
    /// Returns the number of stages of the segment that begins at `head`, and the reach of the instances there.
    pub fn at(&self, head: u32) -> (u32, Vec<Reach>) {
        let stages = &self.tables.stages;
        let row = &stages[head as usize];
        let instances = row.first_instance..row.first_instance + row.instance_count;
        let mut reaches: Vec<Reach> = instances.map(|instance| self.of_a_group(instance)).collect();
        let mut next = head + 1;
        while let Some(row) = stages.get(next as usize).filter(|row| self.bytes != 0 && self.inside(row, head)) {
            let Some(longer) = reaches.iter().map(|reach| self.follow(reach, row)).collect() else { break };
            reaches = longer;
            next += 1;
        }
        (next - head, reaches)
    }

    /// Returns whether a stage receives records only from the stages since `head`, and no spilled ones.
    fn inside(&self, row: &StageRow, head: u32) -> bool {
        let queues = row.first_queue as usize..(row.first_queue + row.queue_count) as usize;
        row.spill_count == 0 && self.sources[queues].iter().all(|source| source.is_some_and(|stage| stage >= head))
    }

    fn of_a_group(&self, instance: u32) -> Reach {
        let mut reach = Reach::default();
        self.emit(&mut reach, instance, emitters_of_a_group(&self.tables.instances[instance as usize]));
        reach
    }

    fn emit(&self, reach: &mut Reach, instance: u32, emitters: u64) {
        let add = |sums: &mut BTreeMap<u32, u64>, appends: &[(u32, u32)]| {
            for &(to, records) in appends {
                let sum = sums.entry(to).or_default();
                *sum = sum.saturating_add(emitters.saturating_mul(u64::from(records)));
            }
        };
        add(&mut reach.records, &self.targets[instance as usize]);
        add(&mut reach.spilled, &self.charges[instance as usize]);
    }

    /// Returns the reach of the segment with one more stage. `None`: it exceeds a limit.
    fn follow(&self, reach: &Reach, stage: &StageRow) -> Option<Reach> {
        let mut longer = reach.clone();
        // All producers of the stage's queues are already counted.
        for (&queue, &records) in reach.records.range(queues_of(stage)) {
            let row = &self.tables.queues[queue as usize];
            for instance in row.first_instance..row.first_instance + row.instance_count {
                let row = &self.tables.instances[instance as usize];
                let groups = match row.launch {
                    LAUNCH_THREAD | LAUNCH_COALESCING => records.div_ceil(u64::from(row.unit)),
                    _ => records.saturating_mul(u64::from(row.grid_groups)),
                };
                if groups > LEAST_GROUP_LIMIT {
                    return None;
                }
                self.emit(&mut longer, instance, if row.launch == LAUNCH_THREAD { records } else { groups });
            }
        }
        let bytes = self.bytes(&longer)?;
        let read = reach.records.range(queues_of(stage)).map(|(_, &records)| records).fold(0, u64::saturating_add);
        let grown = longer.count() - reach.count() > MAX_GROWTH.saturating_mul(read);
        let allowed = u64::from(self.bytes);
        (bytes <= if grown { allowed / LITTLE } else { allowed }).then_some(longer)
    }

    /// Returns the bytes of a reach. `None`: some queue or spill cannot hold its records.
    fn bytes(&self, reach: &Reach) -> Option<u64> {
        let mut bytes = 0u64;
        for (&queue, &records) in &reach.records {
            let row = &self.tables.queues[queue as usize];
            let own = if row.spills() { 0 } else { u64::from(row.stride) };
            bytes = bytes.saturating_add(records.saturating_mul(own + 8 * u64::from(row.dynamic_count)));
            if records > u64::from(row.max_records) {
                return None;
            }
        }
        for (&spill, &records) in &reach.spilled {
            let slot = u64::from(self.tables.spills[spill as usize].stride) + 4;
            bytes = bytes.saturating_add(records.saturating_mul(slot));
            if records > MAX_RECORDS {
                return None;
            }
        }
        Some(bytes)
    }
}

fn queues_of(stage: &StageRow) -> Range<u32> {
    stage.first_queue..stage.first_queue + stage.queue_count
}

/// Returns the number of emitters, which may request records, in one workgroup.
pub fn emitters_of_a_group(row: &InstanceRow) -> u64 {
    if row.launch == LAUNCH_THREAD { u64::from(row.unit) } else { 1 }
}

/// Returns the most records of a consumer after a head whose workgroups can be launched together, by appending.
/// `drawn`: it is in the stage of the mesh nodes.
pub fn most_at_once(row: &InstanceRow, drawn: bool) -> u64 {
    let groups = if drawn { MESH_GROUPS } else { MAX_GROUPS };
    groups * u64::from(row.unit) / u64::from(row.grid_groups.max(1))
}
