//! What the kernel sched needs to know before it admits workgroups: what each may append, and the pages that must stay
//! free for the stages behind.
//!
//! The numbers are worst cases of one workgroup. How many workgroups are admitted is the kernel's business
//! (`stdlib/emulated/sched.hlsl`).

use indexmap::IndexMap;
use wgc_abi::device::{MAX_DYNAMIC_RECORDS, MAX_RECORDS, PREFIX_GROUP_BITS};
use wgc_abi::tables::{ChargeRow, LAUNCH_DYNAMIC, LAUNCH_THREAD, QueueRow, Tables, TargetRow, prefix_pages};

/// Who fills a queue: the records of a budget, by instance and by the output that has the budget.
pub type Producers = IndexMap<(u32, usize), u32>;

/// Fills the targets of the instances, the limits of the queues and the reserves of the stages.
///
/// `producers` are those of each queue. `entries`: the queues that the host's
/// records go to. Queues and instances are numbered by now.
pub fn fill(tables: &mut Tables, producers: &[Producers], entries: impl Iterator<Item = u32>) {
    targets(tables, producers);
    for queue in 0..tables.queues.len() {
        tables.queues[queue].max_records = max_records(tables, &tables.queues[queue]);
    }
    let mut reserve = 0u64;
    for stage in (0..tables.stages.len()).rev() {
        tables.stages[stage].reserve = word(reserve);
        let row = tables.stages[stage];
        let instances = row.first_instance..row.first_instance + row.instance_count;
        reserve += instances.map(|instance| of_a_group(tables, instance)).max().unwrap_or(0);
    }
    let of_an_entry =
        entries.filter_map(|queue| tables.queues.get(queue as usize)).map(|queue| queue.pages(1, tables.page_bytes));
    tables.entry_pages = word(of_an_entry.max().unwrap_or(0));
    tables.min_pages = word(reserve + u64::from(tables.entry_pages)).max(1);
}

/// No arena has as many pages as a word counts, so a number above it may be cut.
fn word(pages: u64) -> u32 {
    u32::try_from(pages).unwrap_or(u32::MAX)
}

/// All outputs with one target are added up: they need not share a budget.
fn targets(tables: &mut Tables, producers: &[Producers]) {
    let mut by_instance: Vec<IndexMap<u32, u32>> = vec![IndexMap::new(); tables.instances.len()];
    for (queue, producers) in (0..).zip(producers) {
        for (&(instance, _), &records) in producers {
            let sum = by_instance[instance as usize].entry(queue).or_default();
            *sum = sum.saturating_add(records);
        }
    }
    for (instance, targets) in by_instance.into_iter().enumerate() {
        let row = &mut tables.instances[instance];
        (row.first_target, row.target_count) = (tables.targets.len() as u32, targets.len() as u32);
        tables.targets.extend(targets.into_iter().map(|(queue, max_records)| TargetRow { queue, max_records }));
    }
}

/// Ranks are words, and the prefix of a dynamic consumer counts its workgroups in some bits.
fn max_records(tables: &Tables, queue: &QueueRow) -> u32 {
    let consumers = queue.first_instance..queue.first_instance + queue.instance_count;
    let grids = consumers.map(|instance| tables.instances[instance as usize]).filter(|i| i.launch == LAUNCH_DYNAMIC);
    let most = grids.map(|i| ((1u64 << PREFIX_GROUP_BITS) - 1) / u64::from(i.grid_groups.max(1)));
    most.map(|groups| groups.min(MAX_DYNAMIC_RECORDS)).fold(MAX_RECORDS, u64::min) as u32
}

/// The most pages that a workgroup of an instance may need.
fn of_a_group(tables: &Tables, instance: u32) -> u64 {
    let row = &tables.instances[instance as usize];
    let emitters = if row.launch == LAUNCH_THREAD { u64::from(row.unit) } else { 1 };
    let targets = &tables.targets[row.first_target as usize..][..row.target_count as usize];
    let charges = &tables.charges[row.first_charge as usize..][..row.charge_count as usize];
    let of_target = |t: &TargetRow| {
        let (queue, records) = (&tables.queues[t.queue as usize], emitters * u64::from(t.max_records));
        match queue.spills() {
            // The records may be in the spill, whose index has their order. Their grids have one of their own.
            true => prefix_pages(records, tables.page_bytes) * u64::from(queue.dynamic_count),
            false => queue.pages(records, tables.page_bytes),
        }
    };
    let of_charge =
        |c: &ChargeRow| tables.spills[c.spill as usize].pages(emitters * u64::from(c.max_records), tables.page_bytes);
    targets.iter().map(of_target).sum::<u64>() + charges.iter().map(of_charge).sum::<u64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_abi::tables::{ABSENT, InstanceRow, LAUNCH_COALESCING, LAUNCH_FIXED, StageRow};

    /// A thread node fills a queue with 10 records a page and one of empty records; a fixed grid fills a queue of
    /// dynamic grids, at most 1000 workgroups each. Pages have 1 KiB: 128 prefix entries.
    fn chain() -> (Tables, Vec<Producers>) {
        let stage = |first| StageRow {
            first_queue: first,
            queue_count: 1,
            first_instance: first,
            instance_count: 1,
            ..StageRow::default()
        };
        let queue = |slots, dynamic_count, first_instance| QueueRow {
            slots,
            dynamic_count,
            first_instance,
            instance_count: 1,
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
        let tables = Tables {
            page_bytes: 1024,
            stages: vec![stage(0), StageRow { queue_count: 2, instance_count: 2, ..stage(1) }, stage(3)],
            queues: vec![queue(5, 0, 0), queue(10, 0, 1), queue(0, 0, 2), queue(4, 1, 3)],
            instances: vec![
                instance(0, LAUNCH_THREAD, 64, 1),
                instance(1, LAUNCH_FIXED, 1, 7),
                instance(2, LAUNCH_COALESCING, 3, 1),
                instance(3, LAUNCH_DYNAMIC, 1, 1000),
            ],
            ..Tables::default()
        };
        let producers = [
            IndexMap::new(),
            IndexMap::from([((0, 0), 2), ((0, 1), 1)]),
            IndexMap::from([((0, 2), 9)]),
            IndexMap::from([((1, 0), 300)]),
        ];
        (tables, producers.to_vec())
    }

    #[test]
    fn reserves_are_the_worst_workgroups_of_the_stages_behind() {
        let (mut tables, producers) = chain();
        fill(&mut tables, &producers, [0].into_iter());
        // Two budgets with one target are one row.
        let target = |queue, max_records| TargetRow { queue, max_records };
        assert_eq!(tables.targets, [target(1, 3), target(2, 9), target(3, 300)]);
        assert_eq!(
            tables.instances.iter().map(|i| (i.first_target, i.target_count)).collect::<Vec<_>>(),
            [(0, 2), (2, 1), (3, 0), (3, 0)]
        );
        // 300 records are 75 pages and 3 of the prefix; 192 records of 64 threads are 20, and empty ones none.
        assert_eq!(tables.stages.iter().map(|s| s.reserve).collect::<Vec<_>>(), [78, 0, 0]);
        assert_eq!((tables.entry_pages, tables.min_pages), (1, 20 + 78 + 1));
    }

    #[test]
    fn grids_in_records_bound_what_a_queue_holds() {
        let (mut tables, producers) = chain();
        fill(&mut tables, &producers, [3].into_iter());
        // 2^38 / 1000 is above 2^26.
        assert_eq!(
            tables.queues.iter().map(|q| u64::from(q.max_records)).collect::<Vec<_>>(),
            [MAX_RECORDS, MAX_RECORDS, MAX_RECORDS, MAX_DYNAMIC_RECORDS]
        );
        // A record of the host has its place in the prefix too.
        assert_eq!(tables.entry_pages, 2);
        tables.instances[3].grid_groups = (1 << 24) - 1;
        assert_eq!(max_records(&tables, &tables.queues[3]), 16384);
    }
}
