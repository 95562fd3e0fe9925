//! Grids of records, one of which is large.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

const COUNT: u32 = 4096;

pub fn workloads(rig: &mut Rig, _: Sizes) -> Vec<Workload> {
    let sum = |id: u32| {
        let (width, height) = if id == 1234 { (33, 400) } else { (1, 1) };
        let groups = (0..height).flat_map(|y| (0..width).map(move |x| x + y));
        groups
            .flat_map(|place| (0..64u32).step_by(8).map(move |thread| (place, id * 64 + thread)))
            .map(|(place, value)| (0..64).fold(value, |v: u32, _| v.wrapping_mul(1_664_525).wrapping_add(place)))
            .fold(0u32, u32::wrapping_add)
    };
    let bytes_of = u64::from(COUNT) * 4;
    let bound = rig.bind(&[Contents::Zeroes(bytes_of), Contents::Zeroes(bytes_of), Contents::Zeroes(16)]);
    let shaders = rig.shaders("outlier_compute.hlsl", &[], &bound, 4);
    let commands = vec![
        shaders.dispatch("Prefix", &[COUNT], [1, 1, 1]),
        Command::Barrier,
        shaders.indirect("Work", &[COUNT], bound.buffers[2], 0),
    ];
    let mut graph = rig.graph("outlier.hlsl", &[], &bound, EmulatedOptions::default());
    let data = bytes(&(0..COUNT).collect::<Vec<u32>>());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Start".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 4, count: COUNT }])
    };
    // The record of the large grid has all its workgroups add to one number.
    let (records, large) = (u64::from(COUNT), 33 * 400);
    let cost = Cost {
        bytes: records * (4 + 2 * (12 + 8) + 4),
        atomics: records.div_ceil(rig.subgroup()) + large * 64u64.div_ceil(rig.subgroup()),
        groups: records.div_ceil(64) + records - 1 + large,
    };
    let host = move || (0..COUNT).map(sum).collect();
    vec![Workload {
        name: "one large grid of 4096".to_owned(),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        ],
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(host) }),
    }]
}
