//! Drains: queues of a node that many recursion levels send to, consumed between those levels.
//!
//! In a topological schedule, a leaf of a recursive node waits for the last level, and so do the records of all levels.
//! A split leaf has a queue after every `most` levels, or fewer if that makes the queues equally large. The records
//! sent until then are consumed, and their memory is freed. Each queue is still consumed in one stage, and all its
//! producers are in earlier stages.
//!
//! Recursive nodes themselves are not split, since their levels are separate queues, and neither are nodes that share
//! an array with one. Mesh nodes are not split either, since the host draws them at the end.

use super::Edge;
use super::schedule::QueuePosition;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// Splits the places of a schedule in which each level of a leader has one place. A leader gets more places if more
/// than `most` places of one node send to it. `class` gives the same number to leaders that must be in one stage.
pub fn split(
    once: Vec<QueuePosition>,
    leaders: &[usize],
    levels: &[u32],
    edges: &[Edge],
    class: impl Fn(usize) -> usize,
    most: usize,
) -> Vec<QueuePosition> {
    let mut producers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); leaders.len()];
    for edge in edges.iter().filter(|edge| edge.node != edge.target) {
        producers[edge.target].insert(leaders[edge.node]);
    }
    // Producers come before their targets: by stage, they are already split.
    let mut classes: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
    for place in once.iter().filter(|place| place.level == 0) {
        classes.entry((place.stage, class(place.leader))).or_default().push(place.leader);
    }
    // The stages in which each leader consumes, and so sends.
    let mut stages: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
    for place in &once {
        stages.entry(place.leader).or_default().push(place.stage);
    }
    let mut places: Vec<QueuePosition> = once.into_iter().filter(|place| levels[place.leader] > 1).collect();
    for ((last, _), members) in classes {
        let feeds = |leader: &usize| producers[*leader].iter().filter_map(|producer| stages.get(producer));
        let longest = members.iter().flat_map(feeds).max_by_key(|feeds| feeds.len());
        let recursive = members.iter().any(|leader| levels[*leader] > 1);
        let cuts: Vec<u32> = match longest.filter(|feeds| feeds.len() > most && !recursive) {
            Some(feeds) => {
                let parts = feeds.len().div_ceil(most);
                let ends = feeds.chunks(feeds.len().div_ceil(parts)).filter_map(|part| part.last());
                ends.map(|stage| stage + 1).filter(|stage| *stage < last).chain([last]).collect()
            }
            None => vec![last],
        };
        for leader in members.into_iter().filter(|leader| levels[*leader] == 1) {
            let after = |from: &u32| cuts.iter().copied().find(|stage| stage > from);
            // Each element of an array has only the queues that receive records.
            let mut own: BTreeSet<u32> =
                feeds_of(leader, &producers, &stages).filter_map(|from| after(&from)).collect();
            if own.is_empty() {
                own.insert(last);
            }
            places.extend(own.iter().map(|stage| QueuePosition { stage: *stage, leader, level: 0 }));
            stages.insert(leader, own.into_iter().collect());
        }
    }
    // A stage that existed only for another element of an array may be empty now.
    let used: BTreeSet<u32> = places.iter().map(|place| place.stage).collect();
    let numbers: FxHashMap<u32, u32> = used.into_iter().zip(0..).collect();
    places.iter_mut().for_each(|place| place.stage = numbers[&place.stage]);
    places
}

/// Returns the stages in which other nodes send to a leader.
fn feeds_of<'a>(
    leader: usize,
    producers: &'a [BTreeSet<usize>],
    stages: &'a FxHashMap<usize, Vec<u32>>,
) -> impl Iterator<Item = u32> + 'a {
    producers[leader].iter().filter_map(|producer| stages.get(producer)).flatten().copied()
}
