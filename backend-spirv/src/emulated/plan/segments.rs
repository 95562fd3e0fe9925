//! Which stages form segments, and what a workgroup of a segment's head may bring about.
//!
//! A **segment** is some consecutive stages, of which only the first, its **head**, gets records from outside: from the host
//! or from the segments before. Whatever a workgroup of the head and all that follow from it append is bounded, so in a
//! scheduled run one admission at the head serves all of them; behind it, whoever appends launches
//! (`stdlib/emulated/sched.hlsl`). A segment takes the place of a stage in the order of the sweeps: all producers of a
//! head's queue are in earlier segments, and the queues behind a head are empty when their segment ends.
//!
//! The bound is the worst case, and rooms are reserved for it. So a segment ends before a stage that may make many records
//! of one, unless all is little: usually few come, and the more rooms stay empty, the fewer workgroups are admitted at once.

use std::collections::BTreeMap;
use std::ops::Range;
use wgc_abi::device::{MAX_GROUPS, MAX_RECORDS, MESH_GROUPS};
use wgc_abi::tables::{InstanceRow, LAUNCH_COALESCING, LAUNCH_THREAD, StageRow, Tables};

/// Workgroups of one dispatch that every device allows.
const LEAST_GROUP_LIMIT: u64 = 65535;

/// A stage behind a head appends at most so many records for each that it reads,
const MOST_GROWTH: u64 = 4;

/// or what one workgroup of the head brings about has at most this part of the bytes that the settings allow.
const LITTLE: u64 = 16;

/// What instances may append: per workgroup; per record for thread launch. Queues, or spills, and records.
pub type Appends = Vec<Vec<(u32, u32)>>;

/// What one workgroup of a head, and all that follow from it in the segment, may append at most.
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

/// The tables as far as segments depend on them.
#[derive(Clone, Copy)]
pub struct Segments<'a> {
    pub tables: &'a Tables,
    /// What each instance may append to queues, and to spills.
    pub targets: &'a Appends,
    pub charges: &'a Appends,
    /// The first stage that fills each queue; `None` where the host does.
    pub sources: &'a [Option<u32>],
    /// The most bytes of the records of one workgroup; 0: there is a segment for each stage.
    pub bytes: u32,
}

impl Segments<'_> {
    /// The number of stages of the segment that begins at `head`, and the reach of the instances there.
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

    /// Whether a stage gets records from the stages between it and `head` alone, and they have places of their own.
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

    /// The reach when the segment has a stage more. `None`: that would be too much.
    fn follow(&self, reach: &Reach, stage: &StageRow) -> Option<Reach> {
        let mut longer = reach.clone();
        // Queues of the stage: all that fill them have been counted.
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
        let grown = longer.count() - reach.count() > MOST_GROWTH.saturating_mul(read);
        let allowed = u64::from(self.bytes);
        (bytes <= if grown { allowed / LITTLE } else { allowed }).then_some(longer)
    }

    /// Bytes of a reach. `None`: it has more records somewhere than there are places for.
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

/// What asks for records when one workgroup runs.
pub fn emitters_of_a_group(row: &InstanceRow) -> u64 {
    if row.launch == LAUNCH_THREAD { u64::from(row.unit) } else { 1 }
}

/// The most records whose workgroups are launched at once, for a consumer behind a head: by those who append. `drawn`: in the stage of the mesh nodes.
pub fn most_at_once(row: &InstanceRow, drawn: bool) -> u64 {
    let groups = if drawn { MESH_GROUPS } else { MAX_GROUPS };
    groups * u64::from(row.unit) / u64::from(row.grid_groups.max(1))
}
