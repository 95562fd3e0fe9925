//! The closure of entry records: the most records that each queue, and workgroups that each instance, can receive.
//!
//! The host's own version of the closure that the kernel prep computes on the device (`stdlib/emulated/prep.hlsl`). The
//! host needs it to size the arena before it submits; after the run the two are compared.

use wgc_abi::device::{MAX_DYNAMIC_RECORDS, MAX_RECORDS};
use wgc_abi::tables::{
    EdgeRow, InstanceRow, LAUNCH_COALESCING, LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, QueueRow, SpillRow, Tables,
    prefix_pages,
};

/// Numbers above this are all the same: too many.
const SATURATED: u64 = 1 << 32;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// Records by queue.
    pub records: Vec<u64>,
    /// Workgroups by instance, up to the limit of a launch ([`Tables::counted_groups`]).
    pub groups: Vec<u64>,
    /// The emitters of records, by instance: workgroups, or records of thread launch.
    pub emitters: Vec<u64>,
    /// Records by spill.
    pub spilled: Vec<u64>,
    /// Pages of the arena for records and prefixes, if every record has its own slot.
    pub all: u64,
    /// The pages of the tight layout. Spills have full worst-case capacity; of their members' records only those of the
    /// host are direct.
    pub tight: u64,
}

impl Closure {
    /// Returns the fewest pages that hold it.
    pub fn needed(&self) -> u64 {
        self.all.min(self.tight)
    }

    /// Returns the pages beyond the tight ones with which few records will spill. Direct parts have room for a quarter
    /// more records than each queue had last time (`peaks`). Without peaks they have room for equal parts of the
    /// possible records.
    pub fn wish(&self, tables: &Tables, peaks: &[u32]) -> u64 {
        let members = |spill: &SpillRow| &tables.members[spill.first_member as usize..][..spill.member_count as usize];
        let of_spill = |(spill, records): (&SpillRow, &u64)| {
            let peak = |queue: u32| u64::from(peaks.get(queue as usize).copied().unwrap_or(0));
            let known = members(spill).iter().any(|&queue| peak(queue) != 0);
            let equal = records.div_ceil(u64::from(spill.member_count.max(1)));
            let of_queue = |&queue: &u32| {
                let likely = if known { peak(queue) } else { equal };
                let most = self.records[queue as usize];
                tables.queues[queue as usize].record_pages((likely + likely / 4).min(most))
            };
            members(spill).iter().map(of_queue).sum::<u64>()
        };
        tables.spills.iter().zip(&self.spilled).map(of_spill).sum()
    }
}

/// Why a graph cannot run in one pass with these entry records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureError {
    /// The queue of this instance could need more records than a queue may have.
    Records { instance: u32 },
    /// This instance could need more workgroups than one dispatch may have.
    Groups { instance: u32 },
}

/// Computes the closure of `entries`, the entry records by queue.
///
/// `tables` come from [`Tables::decode`], which has checked every index in them.
pub fn closure(tables: &Tables, entries: &[u64]) -> Result<Closure, ClosureError> {
    closure_of_grids(tables, entries, &[])
}

/// Like [`closure`], with the workgroups that the entry records request from each instance whose grid is in its record.
/// Without a number, all grids are the largest.
pub fn closure_of_grids(tables: &Tables, entries: &[u64], grids: &[Option<u64>]) -> Result<Closure, ClosureError> {
    let mut closure = Closure {
        records: vec![0; tables.queues.len()],
        groups: vec![0; tables.instances.len()],
        emitters: vec![0; tables.instances.len()],
        ..Closure::default()
    };
    // Queues are numbered by stage: producers come first.
    for (queue, row) in tables.queues.iter().enumerate() {
        let own = entries.get(queue).copied().unwrap_or(0);
        let records = (own.min(SATURATED) + closure.appended(tables, row.first_edge, row.edge_count)).min(SATURATED);
        let limit = if row.dynamic_count == 0 { MAX_RECORDS } else { MAX_DYNAMIC_RECORDS };
        if records > limit {
            return Err(ClosureError::Records { instance: row.first_instance });
        }
        closure.records[queue] = records;
        closure.all += row.pages(records, tables.page_bytes);
        closure.tight += tight(row, own, records, tables.page_bytes);
        let stage = row.stage;
        for instance in row.first_instance..row.first_instance + row.instance_count {
            let row = &tables.instances[instance as usize];
            let known = grids.get(instance as usize).copied().flatten();
            let groups = match known.filter(|_| row.launch == LAUNCH_DYNAMIC) {
                Some(requested) => groups(row, records.saturating_sub(own)).saturating_add(requested),
                None => groups(row, records),
            };
            closure.emitters[instance as usize] =
                if row.launch == LAUNCH_THREAD { records } else { groups }.min(SATURATED);
            let counted = tables.counted_groups(stage, row.launch, groups);
            closure.groups[instance as usize] = counted.ok_or(ClosureError::Groups { instance })?;
        }
    }
    for row in &tables.spills {
        let records = closure.appended(tables, row.first_edge, row.edge_count);
        closure.spilled.push(records);
        closure.tight += row.pages(records.min(MAX_RECORDS), tables.page_bytes);
        if records > MAX_RECORDS {
            // No arena is that large: every record must have a slot.
            closure.tight += u64::from(u32::MAX) - MAX_RECORDS.div_ceil(u64::from(row.slots));
        }
    }
    Ok(closure)
}

impl Closure {
    /// Returns the records that the producers of some edges may append.
    fn appended(&self, tables: &Tables, first: u32, count: u32) -> u64 {
        let edges = &tables.edges[first as usize..][..count as usize];
        let of_edge = |edge: &EdgeRow| {
            self.emitters[edge.instance as usize].saturating_mul(u64::from(edge.max_records)).min(SATURATED)
        };
        edges.iter().map(of_edge).fold(0, |sum, records| (sum + records).min(SATURATED))
    }
}

/// Returns the pages of a queue that has room only for entry records, if its others may spill.
fn tight(row: &QueueRow, entries: u64, records: u64, page_bytes: u32) -> u64 {
    match row.spills() {
        true => {
            row.record_pages(entries.min(records)) + prefix_pages(records, page_bytes) * u64::from(row.dynamic_count)
        }
        false => row.pages(records, page_bytes),
    }
}

fn groups(row: &InstanceRow, records: u64) -> u64 {
    match row.launch {
        LAUNCH_THREAD | LAUNCH_COALESCING => records.div_ceil(u64::from(row.unit)),
        LAUNCH_FIXED | LAUNCH_DYNAMIC => records * u64::from(row.grid_groups),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_abi::tables::{ABSENT, EdgeRow, QueueRow};

    /// Returns a chain: thread node (8-byte records, at most 3 out) -> fixed grid of 10 -> dynamic grid of at most 100,
    /// 2 consumers.
    fn chain() -> Tables {
        let queue = |first_instance, instance_count, first_edge, edge_count, dynamic_count| QueueRow {
            stride: 8,
            slots: 128,
            first_instance,
            instance_count,
            first_edge,
            edge_count,
            dynamic_count,
            spill: ABSENT,
            ..QueueRow::default()
        };
        let instance = |queue, launch, unit, grid_groups| InstanceRow {
            queue,
            launch,
            unit,
            grid_groups,
            ..InstanceRow::default()
        };
        Tables {
            page_bytes: 1024,
            queues: vec![queue(0, 1, 0, 0, 0), queue(1, 1, 0, 1, 0), queue(2, 2, 1, 1, 1)],
            instances: vec![
                instance(0, LAUNCH_THREAD, 64, 1),
                instance(1, LAUNCH_FIXED, 1, 10),
                instance(2, LAUNCH_DYNAMIC, 1, 100),
                instance(2, LAUNCH_COALESCING, 7, 1),
            ],
            edges: vec![EdgeRow { instance: 0, max_records: 3 }, EdgeRow { instance: 1, max_records: 2 }],
            ..Tables::default()
        }
    }

    #[test]
    fn records_multiply_along_the_edges() {
        let c = closure(&chain(), &[100, 1, 0]).unwrap();
        // 100 threads emit 300 records and the host adds one; 3010 groups emit 6020 records.
        assert_eq!(c.records, [100, 301, 6020]);
        assert_eq!(c.groups, [2, 3010, 602_000, 860]);
        assert_eq!(c.emitters, [100, 3010, 602_000, 860]);
        // 1 + 3 pages of 128 records, 48 of 128 and 48 of 128 prefix entries.
        assert_eq!((c.all, c.tight), (1 + 3 + 48 + 48, 1 + 3 + 48 + 48));
    }

    /// Returns a thread node with 3 records for any of two queues of 8 bytes, one of which the host fills too.
    fn array() -> Tables {
        let mut tables = chain();
        let member = |first_edge, member| QueueRow {
            first_edge,
            edge_count: 1,
            instance_count: 0,
            dynamic_count: 0,
            spill: 0,
            member,
            ..tables.queues[0]
        };
        tables.queues = vec![tables.queues[0], member(0, 0), member(1, 1)];
        tables.edges = vec![EdgeRow { instance: 0, max_records: 3 }; 3];
        tables.members = vec![1, 2];
        tables.spills = vec![SpillRow {
            stride: 16,
            slots: 64,
            member_count: 2,
            first_edge: 2,
            edge_count: 1,
            ..SpillRow::default()
        }];
        tables
    }

    #[test]
    fn a_spill_counts_its_shared_budget_once() {
        let tables = array();
        let c = closure(&tables, &[1000, 200, 0]).unwrap();
        assert_eq!((c.records.as_slice(), c.spilled.as_slice()), ([1000, 3200, 3000].as_slice(), [3000].as_slice()));
        // Pages of 128 records: 8 of entries and 25 and 24, or 2 of entries, 47 of 64 slots and 12 of 256 numbers.
        assert_eq!((c.all, c.tight, c.needed()), (8 + 25 + 24, 8 + 2 + 47 + 12, 8 + 25 + 24));
        // Half of the records and a quarter more in each, or a quarter more than the last peak.
        assert_eq!(c.wish(&tables, &[]), 15 + 15);
        assert_eq!(c.wish(&tables, &[9, 0, 0]), 15 + 15);
        assert_eq!(c.wish(&tables, &[0, 1000, 0]), 10);
        assert_eq!(c.wish(&tables, &[0, 2800, 104]), 25 + 2);
    }

    #[test]
    fn oversized_spills_are_not_chosen() {
        // Three records of each of a third of the threads that a queue can count records, and of one more.
        let most = MAX_RECORDS / 3;
        let few = closure(&array(), &[most, 0, 0]).unwrap();
        assert_eq!(few.spilled, [most * 3]);
        assert!(few.tight < u64::from(u32::MAX));
        let more = closure(&array(), &[most + 1, 0, 0]);
        assert_eq!(more, Err(ClosureError::Records { instance: 0 }));
        // With as many for each of two outputs, no queue has too many, but their common spill has.
        let mut two = array();
        two.edges.push(EdgeRow { instance: 0, max_records: 3 });
        two.spills[0].edge_count = 2;
        let many = closure(&two, &[most, 0, 0]).unwrap();
        assert!(many.spilled[0] > MAX_RECORDS);
        assert!(many.tight > u64::from(u32::MAX) && many.needed() == many.all);
    }

    /// Two entry records request 7 and 5 workgroups of at most 100 each; other nodes send 20 more records.
    #[test]
    fn known_grids_count_in_place_of_the_largest() {
        let mut tables = chain();
        // A consumer of the instance with the grids, which sends one record for each workgroup.
        let grids = [None, None, Some(12), None];
        tables.queues.push(QueueRow {
            first_instance: 4,
            first_edge: 2,
            edge_count: 1,
            dynamic_count: 0,
            ..tables.queues[0]
        });
        tables.instances.push(InstanceRow {
            queue: 3,
            launch: LAUNCH_THREAD,
            unit: 64,
            grid_groups: 1,
            ..tables.instances[0]
        });
        tables.edges.push(EdgeRow { instance: 2, max_records: 1 });
        let known = closure_of_grids(&tables, &[0, 1, 2, 0], &grids).unwrap();
        let worst = closure(&tables, &[0, 1, 2, 0]).unwrap();
        assert_eq!((known.records[2], worst.records[2]), (22, 22));
        assert_eq!((known.groups[2], worst.groups[2]), (20 * 100 + 12, 22 * 100));
        assert_eq!((known.records[3], worst.records[3]), (2012, 2200));
        assert_eq!(known.all, worst.all - 2);
        // Without entry records, the number does not matter to others.
        let none = closure_of_grids(&tables, &[0, 1, 0, 0], &[None, None, Some(0), None]).unwrap();
        assert_eq!(none.groups[2], 2000);
    }

    #[test]
    fn closure_without_entries_needs_no_memory() {
        let c = closure(&chain(), &[0, 0, 0]).unwrap();
        assert_eq!((c.needed(), c.records), (0, vec![0, 0, 0]));
    }

    #[test]
    fn closure_overflow_names_the_instance() {
        // 2^26 records of a dynamic queue are one too many.
        let most = MAX_DYNAMIC_RECORDS;
        assert!(closure(&chain(), &[0, 0, most]).is_ok());
        assert_eq!(closure(&chain(), &[0, 0, most + 1]), Err(ClosureError::Records { instance: 2 }));
        // 3 * 2^32 / 3 saturates instead of wrapping.
        assert_eq!(closure(&chain(), &[u64::MAX, 0, 0]), Err(ClosureError::Records { instance: 0 }));
        assert_eq!(closure(&chain(), &[0, MAX_RECORDS, 0]), Err(ClosureError::Groups { instance: 1 }));
        // Mesh draws have a limit of their own: 2^22 are 419430 grids of 10 and a part.
        let all_drawn = Tables { mesh_stage: Some(0), ..chain() };
        let mut drawn = all_drawn.clone();
        drawn.queues[2].stage = 1;
        assert_eq!(closure(&drawn, &[0, 419_430, 0]).map(|c| c.groups[1]), Ok(4_194_300));
        assert_eq!(closure(&drawn, &[0, 419_431, 0]), Err(ClosureError::Groups { instance: 1 }));
        assert!(closure(&chain(), &[0, 419_431, 0]).is_ok());
        // So have those with a grid in the record, which all count with the largest grid: 41943 of 100.
        assert_eq!(closure(&all_drawn, &[0, 0, 41_943]).map(|c| c.groups[2]), Ok(4_194_300));
        assert_eq!(closure(&all_drawn, &[0, 0, 41_944]), Err(ClosureError::Groups { instance: 2 }));
    }
}
