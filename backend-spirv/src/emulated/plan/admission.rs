//! The numbers that the kernel sched needs to admit workgroups: the most records of each, and the pages to keep free
//! for later segments.
//!
//! The numbers are worst cases of one workgroup. The kernel decides on the number of workgroups
//! (`stdlib/emulated/sched.hlsl`).

use super::segments::{Appends, Reach, Segments, emitters_of_a_group, most_at_once};
use indexmap::IndexMap;
use wgc_abi::device::{MAX_DYNAMIC_RECORDS, MAX_RECORDS, PREFIX_GROUP_BITS};
use wgc_abi::tables::{ChargeRow, InstanceRow, LAUNCH_DYNAMIC, QueueRow, Tables, TargetRow, prefix_pages};

/// The producers of a queue: records of a budget, by instance and by the output that owns the budget.
pub type Producers = IndexMap<(u32, usize), u32>;

/// Computes the segments, the targets and charges of the instances at their heads, the limits of the queues and the
/// reserves of the stages.
///
/// `producers` has the producers of each queue. Queues and instances are already numbered, and the host's queues are
/// known. Every instance has the charges of its own outputs. `segment_bytes` is as in the settings.
pub fn fill(tables: &mut Tables, producers: &[Producers], segment_bytes: u32) {
    for queue in 0..tables.queues.len() {
        tables.queues[queue].max_records = max_records(tables, &tables.queues[queue]);
    }
    let (targets, charges) = (targets(tables, producers), charges(tables));
    let sources = sources(tables, producers);
    (tables.targets, tables.charges) = (Vec::new(), Vec::new());
    let mut head = 0;
    while (head as usize) < tables.stages.len() {
        let segments =
            Segments { tables, targets: &targets, charges: &charges, sources: &sources, bytes: segment_bytes };
        let (stages, reaches) = segments.at(head);
        join(tables, head, stages, &reaches);
        head += stages;
    }
    reserve(tables);
}

/// Records a segment of some stages, and the reach of the instances at its head.
fn join(tables: &mut Tables, head: u32, stages: u32, reaches: &[Reach]) {
    tables.stages[head as usize].segment = stages;
    let first = tables.stages[head as usize].first_instance;
    for (instance, reach) in (first..).zip(reaches) {
        let row = &mut tables.instances[instance as usize];
        (row.first_target, row.target_count) = (tables.targets.len() as u32, reach.records.len() as u32);
        (row.first_charge, row.charge_count) = (tables.charges.len() as u32, reach.spilled.len() as u32);
        // A partial workgroup counts as a whole one, so the number is never too small.
        let emitters = emitters_of_a_group(row);
        let share = |(&to, records): (&u32, &u64)| (to, word(records.div_ceil(emitters)));
        let targets = reach.records.iter().map(share);
        tables.targets.extend(targets.map(|(queue, max_records)| TargetRow { queue, max_records }));
        let charges = reach.spilled.iter().map(share);
        tables.charges.extend(charges.map(|(spill, max_records)| ChargeRow { spill, max_records }));
    }
    for stage in head + 1..head + stages {
        let drawn = tables.mesh_stage == Some(stage);
        let row = tables.stages[stage as usize];
        for instance in row.first_instance..row.first_instance + row.instance_count {
            let row = &mut tables.instances[instance as usize];
            (row.first_target, row.target_count, row.first_charge, row.charge_count) = (0, 0, 0, 0);
            let queue = &mut tables.queues[row.queue as usize];
            queue.max_records = u64::from(queue.max_records).min(most_at_once(row, drawn)) as u32;
        }
    }
}

/// Computes the pages that must stay free for later segments, and the minimum number of pages.
fn reserve(tables: &mut Tables) {
    let mut reserve = 0u64;
    for stage in (0..tables.stages.len()).rev() {
        tables.stages[stage].reserve = word(reserve);
        let row = tables.stages[stage];
        // Instances that are not at a head have no targets: their head reserves for them.
        let instances = row.first_instance..row.first_instance + row.instance_count;
        reserve += instances.map(|instance| of_a_group(tables, instance)).max().unwrap_or(0);
    }
    let entries = tables.entries.iter().filter_map(|&queue| tables.queues.get(queue as usize));
    tables.entry_pages = word(entries.map(|queue| queue.pages(1, tables.page_bytes)).max().unwrap_or(0));
    tables.min_pages = word(reserve + u64::from(tables.entry_pages)).max(1);
}

/// Converts a number of pages to a word. No arena has more pages than a word can count, so larger numbers may be
/// clamped.
fn word(pages: u64) -> u32 {
    u32::try_from(pages).unwrap_or(u32::MAX)
}

/// Returns the records that each instance may append to queues. All outputs with one target are added up, since they
/// need not share a budget.
fn targets(tables: &Tables, producers: &[Producers]) -> Appends {
    let mut by_instance: Vec<IndexMap<u32, u32>> = vec![IndexMap::new(); tables.instances.len()];
    for (queue, producers) in (0..).zip(producers) {
        for (&(instance, _), &records) in producers {
            let sum = by_instance[instance as usize].entry(queue).or_default();
            *sum = sum.saturating_add(records);
        }
    }
    by_instance.into_iter().map(|targets| targets.into_iter().collect()).collect()
}

/// Returns the records that each instance may append to spills.
fn charges(tables: &Tables) -> Appends {
    let of = |row: &InstanceRow| {
        let charges = &tables.charges[row.first_charge as usize..][..row.charge_count as usize];
        charges.iter().map(|charge| (charge.spill, charge.max_records)).collect()
    };
    tables.instances.iter().map(of).collect()
}

/// Returns the first stage that fills each queue; `None`: the host does.
fn sources(tables: &Tables, producers: &[Producers]) -> Vec<Option<u32>> {
    let stage = |instance: u32| tables.queues[tables.instances[instance as usize].queue as usize].stage;
    let first = |(queue, producers): (u32, &Producers)| match tables.entries.contains(&queue) {
        true => None,
        false => producers.keys().map(|&(instance, _)| stage(instance)).min().or(Some(u32::MAX)),
    };
    (0..).zip(producers).map(first).collect()
}

/// Returns the most records of a queue. Ranks are words, and the prefix of a dynamic consumer counts its workgroups in
/// a limited number of bits.
fn max_records(tables: &Tables, queue: &QueueRow) -> u32 {
    let consumers = queue.first_instance..queue.first_instance + queue.instance_count;
    let grids = consumers.map(|instance| tables.instances[instance as usize]).filter(|i| i.launch == LAUNCH_DYNAMIC);
    let most = grids.map(|i| ((1u64 << PREFIX_GROUP_BITS) - 1) / u64::from(i.grid_groups.max(1)));
    most.map(|groups| groups.min(MAX_DYNAMIC_RECORDS)).fold(MAX_RECORDS, u64::min) as u32
}

/// Returns the most pages that a workgroup of an instance, and its consumers in the segment, may need.
fn of_a_group(tables: &Tables, instance: u32) -> u64 {
    let row = &tables.instances[instance as usize];
    let emitters = emitters_of_a_group(row);
    let targets = &tables.targets[row.first_target as usize..][..row.target_count as usize];
    let charges = &tables.charges[row.first_charge as usize..][..row.charge_count as usize];
    let of_target = |t: &TargetRow| {
        let (queue, records) = (&tables.queues[t.queue as usize], emitters * u64::from(t.max_records));
        match queue.spills() {
            // The records may be in the spill, with their order in its index. Their grids have a prefix of their own.
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
    use wgc_abi::tables::{ABSENT, LAUNCH_COALESCING, LAUNCH_FIXED, LAUNCH_THREAD, StageRow};

    /// Returns a test graph. A thread node fills a queue with 10 records a page and one of empty records. A fixed grid
    /// fills a queue of dynamic grids, with at most 1000 workgroups each. Pages have 1 KiB: 128 prefix entries.
    fn chain() -> (Tables, Vec<Producers>) {
        let stage = |first| StageRow {
            first_queue: first,
            queue_count: 1,
            first_instance: first,
            instance_count: 1,
            ..StageRow::default()
        };
        let queue = |stage, slots, dynamic_count, first_instance| QueueRow {
            stage,
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
            queues: vec![queue(0, 5, 0, 0), queue(1, 10, 0, 1), queue(1, 0, 0, 2), queue(2, 4, 1, 3)],
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
    fn reserves_cover_worst_case_later_stages() {
        let (mut tables, producers) = chain();
        tables.entries = vec![0];
        fill(&mut tables, &producers, 0);
        // Two budgets with one target make one row.
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
    fn segment_heads_admit_the_worst_case_of_a_workgroup() {
        let filled = |segment_bytes| {
            let (mut tables, producers) = chain();
            tables.entries = vec![0];
            fill(&mut tables, &producers, segment_bytes);
            tables
        };
        let lengths = |tables: &Tables| tables.stages.iter().map(|s| s.segment).collect::<Vec<_>>();
        // 64 threads produce 192 records for a grid of 7, whose 1344 workgroups produce 403,200 records with eight
        // bytes of prefix each. Grids of 1000 for that many are too many workgroups. If many records follow from one, a
        // sixteenth of the bytes counts.
        let tables = filled(16 * 403_200 * 8);
        assert_eq!(lengths(&tables), [2, 0, 1]);
        assert_eq!(lengths(&filled(16 * 403_200 * 8 - 1)), [1, 1, 1]);
        let target = |queue, max_records| TargetRow { queue, max_records };
        assert_eq!(tables.targets, [target(1, 3), target(2, 9), target(3, 403_200 / 64)]);
        assert_eq!(tables.instances.iter().map(|i| i.target_count).collect::<Vec<_>>(), [3, 0, 0, 0]);
        assert_eq!(tables.stages.iter().map(|s| s.reserve).collect::<Vec<_>>(), [0, 0, 0]);
        assert_eq!(tables.min_pages, 20 + 403_200 / 4 + 403_200 / 128 + 1);
        // 65535 * 32768 workgroups of a grid of 7 in one dispatch.
        assert_eq!(tables.queues[1].max_records, 306_778_697);
    }

    #[test]
    fn shares_of_a_workgroup_are_rounded_up() {
        let (mut tables, mut producers) = chain();
        tables.instances[2].unit = 5;
        producers[3] = IndexMap::from([((2, 0), 1)]);
        tables.entries = vec![0];
        fill(&mut tables, &producers, 1 << 20);
        // 64 threads send 9 each. 116 workgroups consume 5 or fewer of them and send one: 64 times 2 are enough.
        assert_eq!(tables.targets.last().map(|target| (target.queue, target.max_records)), Some((3, 2)));
    }

    #[test]
    fn segments_start_where_external_records_arrive() {
        let lengths = |change: fn(&mut Tables, &mut Vec<Producers>), entries: &[u32]| {
            let (mut tables, mut producers) = chain();
            producers[3] = IndexMap::from([((1, 0), 1)]);
            tables.instances[3].grid_groups = 2;
            change(&mut tables, &mut producers);
            tables.entries = entries.to_vec();
            fill(&mut tables, &producers, 1 << 20);
            tables.stages.iter().map(|s| s.segment).collect::<Vec<_>>()
        };
        assert_eq!(lengths(|_, _| {}, &[0]), [3, 0, 0]);
        assert_eq!(lengths(|_, _| {}, &[0, 2]), [1, 2, 0]);
        assert_eq!(lengths(|_, _| {}, &[0, 3]), [2, 0, 1]);
        // The first stage fills the last one too, so no other head may separate them.
        let skip = |_: &mut Tables, producers: &mut Vec<Producers>| {
            producers[3].insert((0, 3), 1);
        };
        assert_eq!(lengths(skip, &[0]), [3, 0, 0]);
        assert_eq!(lengths(skip, &[0, 1]), [1, 1, 1]);
        // 192 records of 7 workgroups: 192 * 7 * 48 is below 2^16, with 49 it is not.
        assert_eq!(lengths(|tables, _| tables.instances[3].grid_groups = 48, &[0]), [3, 0, 0]);
        assert_eq!(lengths(|tables, _| tables.instances[3].grid_groups = 49, &[0]), [2, 0, 1]);
    }

    #[test]
    fn dynamic_grids_limit_the_records_of_a_queue() {
        let (mut tables, producers) = chain();
        tables.entries = vec![3];
        fill(&mut tables, &producers, 0);
        // 2^38 / 1000 is above 2^26.
        assert_eq!(
            tables.queues.iter().map(|q| u64::from(q.max_records)).collect::<Vec<_>>(),
            [MAX_RECORDS, MAX_RECORDS, MAX_RECORDS, MAX_DYNAMIC_RECORDS]
        );
        // A record of the host has space in the prefix too.
        assert_eq!(tables.entry_pages, 2);
        tables.instances[3].grid_groups = (1 << 24) - 1;
        assert_eq!(max_records(&tables, &tables.queues[3]), 16384);
    }
}
