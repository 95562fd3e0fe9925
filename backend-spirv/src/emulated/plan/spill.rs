//! Spills: the queues that share each one, and its producers.
//!
//! An array of outputs has one budget, regardless of the elements that receive the records. So the worst case of all
//! its queues together is the budget, not the budget times their number. Queues of one stage that are linked by budgets
//! with many targets become the members of a **spill**. It stores records that do not fit into their own pages
//! (`stdlib/emulated/spill.hlsl`). All members have their producers in earlier stages, so a spill is complete before
//! the first of them is consumed.

use super::admission::Producers;
use super::schedule::find;
use indexmap::{IndexMap, IndexSet};
use wgc_abi::tables::{ABSENT, ChargeRow, EdgeRow, SPILL_HEADER, SpillRow, Tables};

/// Computes the spills, their members and edges, and the charges of the instances. Queues, instances and the edges of
/// queues already exist.
///
/// A budget with more than `direct_targets` targets in one stage links them.
pub fn fill(tables: &mut Tables, producers: &[Producers], direct_targets: u32) {
    let budgets = budgets(tables, producers);
    let mut class: Vec<usize> = (0..tables.queues.len()).collect();
    let mut spills = vec![false; tables.queues.len()];
    for (_, targets) in budgets.values() {
        // Queues are numbered by stage.
        for targets in targets.chunk_by(|&a, &b| tables.queues[a].stage == tables.queues[b].stage) {
            if targets.len() > direct_targets as usize {
                for &target in targets {
                    let (a, b) = (find(&mut class, targets[0]), find(&mut class, target));
                    class[a.max(b)] = a.min(b);
                    spills[target] = true;
                }
            }
        }
    }
    let mut members: IndexMap<usize, Vec<u32>> = IndexMap::new();
    for queue in (0..spills.len()).filter(|&queue| spills[queue]) {
        members.entry(find(&mut class, queue)).or_default().push(queue as u32);
    }
    members.values().for_each(|members| add(tables, members));
    charge(tables, &budgets);
}

/// Records of each budget by instance and owner, and the queues of non-empty records that it reaches, sorted.
type Budgets = IndexMap<(u32, usize), (u32, Vec<usize>)>;

fn budgets(tables: &Tables, producers: &[Producers]) -> Budgets {
    let mut budgets = Budgets::new();
    for (queue, producers) in producers.iter().enumerate().filter(|(queue, _)| tables.queues[*queue].slots != 0) {
        for (&budget, &records) in producers {
            budgets.entry(budget).or_insert_with(|| (records, Vec::new())).1.push(queue);
        }
    }
    // Use the order of the instances, not of the queues.
    budgets.sort_unstable_keys();
    budgets
}

/// Adds the spill of some queues of one stage.
fn add(tables: &mut Tables, members: &[u32]) {
    let number = tables.spills.len() as u32;
    let largest = members.iter().map(|&queue| tables.queues[queue as usize].stride).max().unwrap_or(0);
    // A slot holds words, then a record with an alignment of up to eight bytes, after eight bytes.
    let stride = largest.saturating_add(SPILL_HEADER).next_multiple_of(8);
    let stage = members.first().map_or(0, |&queue| tables.queues[queue as usize].stage);
    for (place, &queue) in (0..).zip(members) {
        let row = &mut tables.queues[queue as usize];
        (row.spill, row.member) = (number, place);
    }
    let row = &mut tables.stages[stage as usize];
    if row.spill_count == 0 {
        row.first_spill = number;
    }
    row.spill_count += 1;
    tables.spills.push(SpillRow {
        stage,
        stride,
        slots: tables.page_bytes / stride,
        first_member: tables.members.len() as u32,
        member_count: members.len() as u32,
        ..SpillRow::default()
    });
    tables.members.extend(members);
}

/// Adds the charges; every budget counts once in each spill that it reaches.
fn charge(tables: &mut Tables, budgets: &Budgets) {
    let mut by_spill: Vec<Vec<EdgeRow>> = vec![Vec::new(); tables.spills.len()];
    let mut by_instance: Vec<IndexMap<u32, u32>> = vec![IndexMap::new(); tables.instances.len()];
    for (&(instance, _), (records, targets)) in budgets {
        let reached: IndexSet<u32> = targets.iter().map(|&target| tables.queues[target].spill).collect();
        for spill in reached.into_iter().filter(|spill| *spill != ABSENT) {
            by_spill[spill as usize].push(EdgeRow { instance, max_records: *records });
            let sum = by_instance[instance as usize].entry(spill).or_default();
            *sum = sum.saturating_add(*records);
        }
    }
    for (row, edges) in tables.spills.iter_mut().zip(by_spill) {
        (row.first_edge, row.edge_count) = (tables.edges.len() as u32, edges.len() as u32);
        tables.edges.extend(edges);
    }
    for (row, charges) in tables.instances.iter_mut().zip(by_instance) {
        (row.first_charge, row.charge_count) = (tables.charges.len() as u32, charges.len() as u32);
        tables.charges.extend(charges.into_iter().map(|(spill, max_records)| ChargeRow { spill, max_records }));
    }
}
