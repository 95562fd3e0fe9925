//! The closure of entry records: the most records that each queue, and workgroups that each instance, can receive.
//!
//! This is the host's own computation of what the kernel prep computes on the device (`stdlib/emulated/prep.hlsl`). The
//! host needs it to size the arena before it submits; after the run the two are compared.

use wgc_abi::device::{MAX_DYNAMIC_RECORDS, MAX_GROUPS, MAX_RECORDS};
use wgc_abi::tables::{InstanceRow, LAUNCH_COALESCING, LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, Tables};

/// Numbers above this are all the same: too many.
const SATURATED: u64 = 1 << 32;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Closure {
    /// Records by queue.
    pub records: Vec<u64>,
    /// Workgroups by instance, at most [`MAX_GROUPS`].
    pub groups: Vec<u64>,
    /// What may ask for records, by instance: workgroups, or records of thread launch.
    pub emitters: Vec<u64>,
    /// Pages of the arena for records and prefixes.
    pub pages: u64,
}

/// Why a graph cannot run in one pass with these entry records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureError {
    /// The queue of this instance could need more records than a queue may have.
    Records { instance: u32 },
    /// This instance could need more workgroups than one dispatch may have.
    Groups { instance: u32 },
}

/// Computes the closure of `entries`, the entry records by queue, for a device that allows `group_limit` workgroups on
/// X and on Y.
///
/// `tables` come from [`Tables::decode`], which has checked every index in them.
pub fn closure(tables: &Tables, entries: &[u64], group_limit: u32) -> Result<Closure, ClosureError> {
    let mut closure = Closure {
        records: vec![0; tables.queues.len()],
        groups: vec![0; tables.instances.len()],
        emitters: vec![0; tables.instances.len()],
        pages: 0,
    };
    // Queues are numbered by stage: producers come first.
    for (queue, row) in tables.queues.iter().enumerate() {
        let own = entries.get(queue).copied().unwrap_or(0);
        let edges = &tables.edges[row.first_edge as usize..][..row.edge_count as usize];
        let records = edges.iter().fold(own.min(SATURATED), |sum, edge| {
            let emitters = closure.emitters[edge.instance as usize];
            (sum + emitters.saturating_mul(u64::from(edge.max_records)).min(SATURATED)).min(SATURATED)
        });
        let limit = if row.dynamic_count == 0 { MAX_RECORDS } else { MAX_DYNAMIC_RECORDS };
        if records > limit {
            return Err(ClosureError::Records { instance: row.first_instance });
        }
        closure.records[queue] = records;
        closure.pages += row.pages(records, tables.page_bytes);
        for instance in row.first_instance..row.first_instance + row.instance_count {
            let row = &tables.instances[instance as usize];
            let groups = groups(row, records);
            closure.emitters[instance as usize] =
                if row.launch == LAUNCH_THREAD { records } else { groups }.min(SATURATED);
            // How large the grids in the records are shows only when they are launched.
            let bounded = groups.min(MAX_GROUPS);
            let fits = row.launch == LAUNCH_DYNAMIC || groups <= MAX_GROUPS;
            if !fits || bounded.div_ceil(u64::from(group_limit.max(1))) > u64::from(group_limit) {
                return Err(ClosureError::Groups { instance });
            }
            closure.groups[instance as usize] = bounded;
        }
    }
    Ok(closure)
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
    use wgc_abi::tables::{EdgeRow, QueueRow};

    /// thread node (8-byte records, at most 3 out) -> fixed grid of 10 -> dynamic grid of at most 100, 2 consumers.
    fn chain() -> Tables {
        let queue = |first_instance, instance_count, first_edge, edge_count, dynamic_count| QueueRow {
            stride: 8,
            slots: 128,
            first_instance,
            instance_count,
            first_edge,
            edge_count,
            dynamic_count,
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
        let c = closure(&chain(), &[100, 1, 0], 65535).unwrap();
        // 100 threads give 300 records and one comes from the host; 3010 groups give 6020 records.
        assert_eq!(c.records, [100, 301, 6020]);
        assert_eq!(c.groups, [2, 3010, 602_000, 860]);
        assert_eq!(c.emitters, [100, 3010, 602_000, 860]);
        // 1 + 3 pages of 128 records, 48 of 128 and 48 of 128 prefix entries.
        assert_eq!(c.pages, 1 + 3 + 48 + 48);
    }

    #[test]
    fn no_entries_need_nothing() {
        let c = closure(&chain(), &[0, 0, 0], 65535).unwrap();
        assert_eq!((c.pages, c.records), (0, vec![0, 0, 0]));
    }

    #[test]
    fn what_does_not_fit_is_named() {
        // 2^26 records of a dynamic queue are one too many.
        let most = MAX_DYNAMIC_RECORDS;
        assert!(closure(&chain(), &[0, 0, most], 65535).is_ok());
        assert_eq!(closure(&chain(), &[0, 0, most + 1], 65535), Err(ClosureError::Records { instance: 2 }));
        // 3 * 2^32 / 3 saturates instead of wrapping.
        assert_eq!(closure(&chain(), &[u64::MAX, 0, 0], 65535), Err(ClosureError::Records { instance: 0 }));
        assert_eq!(closure(&chain(), &[0, MAX_RECORDS, 0], 65535), Err(ClosureError::Groups { instance: 1 }));
        // 3010 groups on a device with 50 x 50.
        assert_eq!(closure(&chain(), &[100, 1, 0], 50), Err(ClosureError::Groups { instance: 1 }));
    }
}
