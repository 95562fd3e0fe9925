//! One queue to which many threads send records, with one consumer node, or four that share it.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes, grid, hash};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Allocator, Data, EmulatedOptions, Input};

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[300_000, 6_000_000] } else { &[300_000] };
    counts.iter().flat_map(|count| [1, 4].map(|takers| (*count, takers))).map(|(c, t)| hot(rig, c, t)).collect()
}

fn sends(id: u32) -> bool {
    hash(id) & 1 != 0
}

/// Each sender's numbers are consecutive.
fn host(count: u32, takers: u32) -> Vec<u32> {
    let value = |id: u32, taker: u32| {
        let first = id.wrapping_mul(3).wrapping_add(taker).wrapping_mul(31);
        first.wrapping_add((id ^ id >> 5) ^ (!id).wrapping_mul(taker + 1))
    };
    let of = |id| (0..takers).map(move |taker| if sends(id) { value(id, taker) } else { 0 });
    (0..count).flat_map(of).collect()
}

fn hot(rig: &mut Rig, count: u32, takers: u32) -> Workload {
    let bound = rig.bind(&[
        Contents::Zeroes(u64::from(count * takers) * 4),
        Contents::Zeroes(u64::from(count) * 16),
        Contents::Zeroes(4),
        Contents::Zeroes(16),
    ]);
    let groups = count.div_ceil(64);
    let defines = [("TAKERS", takers)];
    let shaders = rig.shaders("hot_compute.hlsl", &defines, &bound, 8);
    let push = [count, rig.group_limit()];
    let by_hand = |name: &'static str, send: &str| {
        let mut commands = vec![
            shaders.dispatch("Clear", &push, [1, 1, 1]),
            Command::Barrier,
            shaders.dispatch(send, &push, [groups, 1, 1]),
            Command::Barrier,
            shaders.dispatch("Launch", &push, [1, 1, 1]),
            Command::Barrier,
        ];
        let take = |taker: u32| shaders.indirect(&format!("Take{taker}"), &push, bound.buffers[3], 0);
        commands.extend((0..takers).map(take));
        Way { name, run: Box::new(move |rig| rig.time(&commands)) }
    };
    // `each`: the number of senders for a thread.
    let mut graph = |name: &'static str, each: u32, allocator: Allocator| {
        let [x, y] = grid(count.div_ceil(64 * each));
        let defines = [("TAKERS", takers), ("GROUPS_X", x), ("GROUPS_Y", y), ("EACH", each)];
        let options = EmulatedOptions { allocator, ..EmulatedOptions::default() };
        let mut graph = rig.graph("hot.hlsl", &defines, &bound, options);
        let data = bytes(&[x, y, count]);
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Send".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 12, count: 1 }])
        };
        Way { name, run: Box::new(run) }
    };
    let mut ways = vec![
        graph("graph", 1, Allocator::Auto),
        by_hand("by hand, a list by workgroups", "Send"),
        by_hand("by hand, a list by waves", "SendByWaves"),
        graph("graph, an atomic for each thread", 1, Allocator::Lane),
    ];
    // Each record counts for all sharers, so a group may not send more of them.
    if takers == 1 {
        ways.push(graph("graph, a thread for four", 4, Allocator::Auto));
    }
    let records = (0..count).filter(|id| sends(*id)).count() as u64;
    let cost = Cost {
        bytes: records * (16 + u64::from(takers) * (16 + 4)),
        atomics: u64::from(count).div_ceil(rig.subgroup()),
        groups: u64::from(groups) + records.div_ceil(64) * u64::from(takers),
    };
    let name = match takers {
        1 => format!("{count} threads that send to one queue"),
        _ => format!("the same ({count} threads), whose records {takers} nodes share"),
    };
    Workload {
        name,
        ways,
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(move || host(count, takers)) }),
    }
}
