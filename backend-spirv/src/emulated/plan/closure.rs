//! Upper bounds of the arena that an entry record can need in one pass, for the manifest. Hosts use them to choose
//! between one pass and sweeps. `runtime` computes the closure of all entry records of a dispatch; this bound of it is
//! linear in their number.

use wgc_abi::device::{MAX_DYNAMIC_RECORDS, MAX_RECORDS};
use wgc_abi::manifest::ArenaBytes;
use wgc_abi::tables::{LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, Tables};

/// The arena for a dispatch of unknown size has room for one pass of this many records of each entry node ..
const USUAL_RECORDS: u64 = 1 << 20;

/// .. but at most this size, unless the graph needs more for its smallest step.
const MAX_RECOMMENDED: u64 = 256 << 20;

/// Returns the sizes of the arena, not counting entry records. `entries` are the queues of the entry nodes.
pub fn arena(tables: &Tables, entries: impl Iterator<Item = u32>) -> ArenaBytes {
    let page = u64::from(tables.page_bytes);
    let least = u64::from(tables.min_pages) * page;
    // Each run of pages is rounded up once, regardless of the number of records.
    let runs = tables.queues.iter().map(|row| u64::from(row.slots != 0) + u64::from(row.dynamic_count)).sum::<u64>();
    let single = (runs * page).max(least);
    let of_entry = |entry| closure_bytes(tables, entry).and_then(|bytes| bytes.checked_mul(USUAL_RECORDS));
    let usual = entries.map(of_entry).try_fold(single, |sum, bytes| sum.checked_add(bytes?));
    let usual = usual.map_or(MAX_RECOMMENDED, |bytes| bytes.next_multiple_of(page).min(MAX_RECOMMENDED));
    ArenaBytes { least, recommended: least.max(usual), single }
}

/// Returns the bytes of the arena for one record of the entry node that reads queue `entry`, in addition to
/// [`ArenaBytes::single`]. `None`: one record is too many.
pub fn closure_bytes(tables: &Tables, entry: u32) -> Option<u64> {
    let mut bytes = 0u64;
    let mut emitters = vec![0u64; tables.instances.len()];
    // Queues are numbered by stage: producers come first.
    for (queue, row) in (0..).zip(&tables.queues) {
        let edges = &tables.edges[row.first_edge as usize..][..row.edge_count as usize];
        let appended = edges.iter().try_fold(0u64, |sum, edge| {
            sum.checked_add(emitters[edge.instance as usize].checked_mul(u64::from(edge.max_records))?)
        })?;
        let records = appended.checked_add(u64::from(queue == entry))?;
        let most = if row.dynamic_count == 0 { MAX_RECORDS } else { MAX_DYNAMIC_RECORDS };
        if records > most {
            return None;
        }
        let stage = row.stage;
        for instance in row.first_instance..row.first_instance + row.instance_count {
            let row = &tables.instances[instance as usize];
            let groups = match row.launch {
                LAUNCH_FIXED | LAUNCH_DYNAMIC => records.checked_mul(u64::from(row.grid_groups))?,
                _ => records.div_ceil(u64::from(row.unit.max(1))),
            };
            // All emitters count: only launches are limited, and the runtime's closure counts so, too.
            tables.counted_groups(stage, row.launch, groups)?;
            emitters[instance as usize] = if row.launch == LAUNCH_THREAD { records } else { groups };
        }
        // Fractions of pages: the records, and a prefix of eight bytes for each record and dynamic grid.
        let own = if row.slots == 0 { 0 } else { (records * u64::from(tables.page_bytes)).div_ceil(row.slots.into()) };
        bytes = bytes.checked_add(own + records * 8 * u64::from(row.dynamic_count))?;
    }
    Some(bytes)
}
