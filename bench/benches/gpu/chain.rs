//! Records through nodes in a row.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_ir::passes::fusion::FusionMode;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input, Memory, Preparation};

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[1, 1000, 1_000_000] } else { &[1, 1000] };
    let lengths = [5, 31].into_iter().flat_map(|length| counts.iter().map(move |count| (length, *count)));
    lengths.map(|(length, count)| chain(rig, length, count)).collect()
}

fn chain(rig: &mut Rig, length: u32, count: u32) -> Workload {
    let items: Vec<u32> = (0..count).flat_map(|id| [id, id * 17]).collect();
    let host = move || {
        (0..count).map(|id| (0..length).fold(id * 17, |value, _| value.wrapping_mul(3).wrapping_add(1))).collect()
    };
    let bound = rig.bind(&[
        Contents::Zeroes(u64::from(count) * 4),
        Contents::Words(items.clone()),
        Contents::Zeroes(u64::from(count) * 8),
        Contents::Zeroes(u64::from(count) * 8),
        Contents::Words(vec![count.div_ceil(64), 1, 1, 0]),
    ]);
    let shaders = rig.shaders("chain_compute.hlsl", &[], &bound, 4);
    // One version for shaders that know the number of records, one for shaders that do not.
    let (mut commands, mut indirect) = (Vec::new(), Vec::new());
    for link in 0..length {
        let entry = match link {
            0 => "First",
            _ if link + 1 == length => "Last",
            _ => ["ToOdd", "ToEven"][link as usize % 2],
        };
        commands.push(shaders.dispatch(entry, &[count], [count.div_ceil(64), 1, 1]));
        indirect.push(shaders.indirect(entry, &[count], bound.buffers[4], 0));
        commands.push(Command::Barrier);
        indirect.push(Command::Barrier);
    }
    let data = bytes(&items);
    let mut graph = |name: &'static str, memory: Memory, plan: Settings, preparation: Preparation| {
        let options = EmulatedOptions { memory, preparation, ..EmulatedOptions::default() };
        let mut graph = rig.planned("chain.hlsl", &[("LENGTH", length)], &bound, options, plan);
        let data = data.clone();
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Link0".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 8, count }])
        };
        Way { name, run: Box::new(run) }
    };
    let plan = Settings::default();
    let fused = Settings { fusion: FusionMode::Safe, ..plan };
    // The pages that one sweep uses.
    let pages = 4 + count / 100_000;
    let resident = Settings { resident: true, ..plan };
    let mut ways = vec![
        graph("graph, in one pass", Memory::Enough, plan, Preparation::Host),
        Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        Way { name: "by hand, indirect dispatches", run: Box::new(move |rig| rig.time(&indirect)) },
        graph("graph, in one pass, prepared by kernels", Memory::Enough, plan, Preparation::Device),
        graph("graph, scheduled", Memory::Least(pages), plan, Preparation::Device),
        graph(
            "graph, scheduled stage by stage",
            Memory::Least(pages),
            Settings { segment_bytes: 0, ..plan },
            Preparation::Device,
        ),
        graph("graph, fused, in one pass", Memory::Enough, fused, Preparation::Host),
        graph("graph, fused, prepared by kernels", Memory::Enough, fused, Preparation::Device),
    ];
    // More records than that are no work for one workgroup.
    if count <= 1000 {
        ways.push(graph("graph, resident", Memory::Enough, resident, Preparation::Host));
    }
    let (records, links) = (u64::from(count), u64::from(length));
    let subgroups = records.div_ceil(rig.subgroup());
    let cost = Cost {
        // Read by each node and written by all but the last, and the results.
        bytes: records * (8 * (2 * links - 1) + 4),
        atomics: subgroups * (links - 1),
        groups: records.div_ceil(64) * links,
    };
    let results = Some(Results { buffer: bound.buffers[0], host: Box::new(host) });
    Workload { name: format!("{length} nodes, {count} records"), ways, cost, results }
}
