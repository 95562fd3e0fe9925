//! Records for few elements of an array that share their code, each with many levels of recursion. They share one joint
//! dispatch for each level, or have a dispatch for each element.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input, Preparation};

/// Levels below the first.
const LEVELS: u32 = 16;
/// Records, and of how many elements.
const RECORDS: u32 = 256;
const TOUCHED: u32 = 8;

/// Returns the workloads. The shader has arrays of 10, 30, 60, 100, 300 and 1000.
pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[10, 30, 60, 100, 300, 1000] } else { &[10, 30, 60, 100] };
    counts.iter().map(|count| fan(rig, *count)).collect()
}

fn fan(rig: &mut Rig, count: u32) -> Workload {
    let value = move |id: u32| id % TOUCHED * (count / TOUCHED) + id / TOUCHED * count;
    let items: Vec<u32> = (0..RECORDS).flat_map(|id| [id, value(id)]).collect();
    let host = move || {
        (0..RECORDS).map(|id| (0..LEVELS).fold(value(id), |value, _| value.wrapping_mul(3).wrapping_add(1))).collect()
    };
    let bound = rig.bind(&[
        Contents::Zeroes(u64::from(RECORDS) * 4),
        Contents::Words(items.clone()),
        Contents::Zeroes(u64::from(RECORDS) * 8),
    ]);
    let shaders = rig.shaders("fan_compute.hlsl", &[], &bound, 4);
    let mut commands = Vec::new();
    let levels = std::iter::repeat_n("Level", LEVELS as usize);
    for entry in std::iter::once("Start").chain(levels).chain(["Last"]) {
        commands.push(shaders.dispatch(entry, &[RECORDS], [RECORDS.div_ceil(64), 1, 1]));
        commands.push(Command::Barrier);
    }
    let data = bytes(&items);
    let mut graph = |name: &'static str, joint_dispatch: u32, preparation: Preparation| {
        let options = EmulatedOptions { preparation, ..EmulatedOptions::default() };
        let plan = Settings { joint_dispatch, page_bytes: 1 << 12, ..Settings::default() };
        let mut graph = rig.planned("fan.hlsl", &[("COUNT", count)], &bound, options, plan);
        let data = data.clone();
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Start".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 8, count: RECORDS }])
        };
        Way { name, run: Box::new(run) }
    };
    let mut ways = vec![
        graph("graph, joint", 2, Preparation::Host),
        Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        graph("graph, joint, prepared by kernels", 2, Preparation::Device),
    ];
    // A run would have one more than there are: one module, but a dispatch for each element.
    ways.push(graph("graph, apart", count + 1, Preparation::Host));
    if count <= 100 {
        ways.push(graph("graph, a module for each element", 0, Preparation::Host));
    }
    let (records, levels) = (u64::from(RECORDS), u64::from(LEVELS));
    let subgroups = (records / u64::from(TOUCHED)).div_ceil(rig.subgroup());
    let cost = Cost {
        bytes: records * (8 * (2 * levels + 3) + 4),
        atomics: subgroups * (levels + 1),
        groups: records.div_ceil(64) + u64::from(TOUCHED) * (levels + 1),
    };
    Workload {
        name: format!("{count} elements with {} levels, {RECORDS} records for {TOUCHED} of them", LEVELS + 1),
        ways,
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(host) }),
    }
}
