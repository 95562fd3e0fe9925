//! Drains: queues of a node that many recursion levels send to, between those levels.
//!
//! Topologically a leaf of a recursive node waits for the last level, and the records of all levels with it. Split, it has a
//! queue behind every `most` levels, or fewer where that makes the last as large as the others, so what was sent by then
//! is consumed and gives its memory back. Each queue is still consumed in one stage, and all that fill it are in stages before.
//!
//! What is not split: recursive nodes themselves, whose levels are queues of their own, and whatever shares a node array with
//! one; mesh nodes, which the host draws at the end.

use super::Edge;
use super::schedule::Place;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The places of a schedule in which every leader's level has one, with more of them where more than `most` places of one
/// node send to a leader. `class`: leaders that stand in one stage with another have a number in common.
pub fn split(
    once: Vec<Place>,
    leaders: &[usize],
    levels: &[u32],
    edges: &[Edge],
    class: impl Fn(usize) -> usize,
    most: usize,
) -> Vec<Place> {
    let mut producers: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); leaders.len()];
    for edge in edges.iter().filter(|edge| edge.node != edge.target) {
        producers[edge.target].insert(leaders[edge.node]);
    }
    // Producers come before what they send to: by stage, they have been split by then.
    let mut classes: BTreeMap<(u32, usize), Vec<usize>> = BTreeMap::new();
    for place in once.iter().filter(|place| place.level == 0) {
        classes.entry((place.stage, class(place.leader))).or_default().push(place.leader);
    }
    // The stages in which each leader consumes, and so sends.
    let mut stages: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
    for place in &once {
        stages.entry(place.leader).or_default().push(place.stage);
    }
    let mut places: Vec<Place> = once.into_iter().filter(|place| levels[place.leader] > 1).collect();
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
            let behind = |from: &u32| cuts.iter().copied().find(|stage| stage > from);
            // Each element of an array has the queues that something is sent to.
            let mut own: BTreeSet<u32> =
                feeds_of(leader, &producers, &stages).filter_map(|from| behind(&from)).collect();
            if own.is_empty() {
                own.insert(last);
            }
            places.extend(own.iter().map(|stage| Place { stage: *stage, leader, level: 0 }));
            stages.insert(leader, own.into_iter().collect());
        }
    }
    // A stage that was there for the sake of an array mate may be nobody's now.
    let used: BTreeSet<u32> = places.iter().map(|place| place.stage).collect();
    let numbers: FxHashMap<u32, u32> = used.into_iter().zip(0..).collect();
    places.iter_mut().for_each(|place| place.stage = numbers[&place.stage]);
    places
}

/// The stages in which something is sent to a leader, but for its own.
fn feeds_of<'a>(
    leader: usize,
    producers: &'a [BTreeSet<usize>],
    stages: &'a FxHashMap<usize, Vec<u32>>,
) -> impl Iterator<Item = u32> + 'a {
    producers[leader].iter().filter_map(|producer| stages.get(producer)).flatten().copied()
}
