//! Each record creates 1 to 256 others.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes, hash};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

/// The number of parts of one record.
const MOST: u32 = 256;

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[1000, 30_000] } else { &[1000] };
    counts.iter().map(|count| spread(rig, *count)).collect()
}

fn parts(id: u32) -> u32 {
    1 + hash(id) % MOST
}

fn host(count: u32) -> Vec<u32> {
    let value = |id: u32, part: u32| {
        let (a, b) = (id.wrapping_mul(3).wrapping_add(part), id ^ part << 8);
        if part < parts(id) { a.wrapping_mul(31).wrapping_add(b) } else { 0 }
    };
    (0..count).flat_map(|id| (0..MOST).map(move |part| value(id, part))).collect()
}

fn spread(rig: &mut Rig, count: u32) -> Workload {
    let places = u64::from(count * MOST);
    let bound = rig.bind(&[
        Contents::Zeroes(places * 4),
        Contents::Zeroes(places * 16),
        Contents::Zeroes(4),
        Contents::Zeroes(16),
    ]);
    let push = [rig.group_limit()];
    let by_hand = |rig: &mut Rig, name: &'static str, threads: u32| {
        let shaders = rig.shaders("spread_compute.hlsl", &[("THREADS", threads)], &bound, 4);
        let commands = vec![
            shaders.dispatch("Clear", &push, [1, 1, 1]),
            Command::Barrier,
            shaders.dispatch("Spread", &push, [count, 1, 1]),
            Command::Barrier,
            shaders.dispatch("Launch", &push, [1, 1, 1]),
            Command::Barrier,
            shaders.indirect("Take", &push, bound.buffers[3], 0),
        ];
        Way { name, run: Box::new(move |rig| rig.time(&commands)) }
    };
    let data = bytes(&(0..count).collect::<Vec<u32>>());
    let graph = |rig: &mut Rig, name: &'static str, threads: u32| {
        let mut graph = rig.graph("spread.hlsl", &[("THREADS", threads)], &bound, EmulatedOptions::default());
        let data = data.clone();
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Spread".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 4, count }])
        };
        Way { name, run: Box::new(run) }
    };
    let ways = vec![
        graph(rig, "graph", 64),
        by_hand(rig, "by hand", 64),
        graph(rig, "graph, 256 threads", 256),
        by_hand(rig, "by hand, 256 threads", 256),
        graph(rig, "graph, 32 threads", 32),
        by_hand(rig, "by hand, 32 threads", 32),
    ];
    let records: u64 = (0..count).map(|id| u64::from(parts(id))).sum();
    let cost = Cost {
        bytes: u64::from(count) * 4 + records * (2 * 16 + 4),
        // A workgroup allocates its records with one atomic.
        atomics: u64::from(count),
        groups: u64::from(count) + records.div_ceil(64),
    };
    Workload {
        name: format!("{count} records that make up to {MOST} each, {records} in all"),
        ways,
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(move || host(count)) }),
    }
}
