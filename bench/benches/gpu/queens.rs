//! Queens on a board, counted row by row: records emit more records than the worst-case capacity could ever hold.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input, Memory};

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    // Rows, and the number of solutions.
    let boards: &[(u32, u32)] =
        if sizes.large { &[(12, 14_200), (13, 73_712), (14, 365_596)] } else { &[(12, 14_200)] };
    boards.iter().map(|(rows, ways)| queens(rig, *rows, *ways)).collect()
}

/// Counts boards below this one by their number of rows; complete ones come last.
fn count(rows: u32, row: u32, [columns, left, right]: [u32; 3], boards: &mut [u64]) {
    boards[row as usize] += 1;
    if row == rows {
        return;
    }
    for column in 0..rows {
        let place = 1 << column;
        if (columns | left | right) & place == 0 {
            count(rows, row + 1, [columns | place, (left | place) << 1, (right | place) >> 1], boards);
        }
    }
}

fn queens(rig: &mut Rig, rows: u32, known: u32) -> Workload {
    let counted = move || {
        let mut boards = vec![0; rows as usize + 1];
        count(rows, 0, [0; 3], &mut boards);
        boards
    };
    let boards = counted();
    assert_eq!(boards[rows as usize], u64::from(known), "queens on {rows} rows");
    // The most boards of any row in this list.
    let list = |odd: usize| {
        let most = boards[..rows as usize].iter().skip(odd).step_by(2).max().copied().unwrap_or(1);
        Contents::Zeroes(most * 12)
    };
    let bound = rig.bind(&[Contents::Zeroes(4), list(0), list(1), Contents::Zeroes(4 * 32), Contents::Zeroes(16 * 32)]);
    let defines = [("QUEENS", rows)];
    let shaders = rig.shaders("queens_compute.hlsl", &defines, &bound, 4);
    let mut commands = vec![shaders.dispatch("Clear", &[0], [1, 1, 1]), Command::Barrier];
    for row in 0..rows {
        let entry = if row + 1 == rows { "Last" } else { ["ToOdd", "ToEven"][row as usize % 2] };
        commands.push(shaders.indirect(entry, &[row], bound.buffers[4], u64::from(row)));
        commands.push(Command::Barrier);
    }
    let mut graph = |name: &'static str, bytes_of_arena: u64, segment_bytes: u32| {
        let plan = Settings { segment_bytes, ..Settings::default() };
        let page = u64::from(plan.page_bytes);
        let load = |rig: &mut Rig, memory: Memory| {
            let options = EmulatedOptions { memory, ..EmulatedOptions::default() };
            rig.planned("queens.hlsl", &defines, &bound, options, plan)
        };
        let mut graph = load(rig, Memory::Enough);
        if bytes_of_arena != 0 {
            let times = bytes_of_arena / page / u64::from(graph.manifest().min_pages.max(1));
            graph = load(rig, Memory::Least(times as u32));
        }
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Place".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[0; 3])), stride: 12, count: 1 }])
        };
        Way { name, run: Box::new(run) }
    };
    // The default memory of a scheduled run, and eight times as much.
    let segment = Settings::default().segment_bytes;
    let ways = vec![
        graph("graph, in 256 MiB", 0, segment),
        Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        graph("graph, in 256 MiB, stage by stage", 0, 0),
        graph("graph, in 2 GiB", 2 << 30, segment),
        graph("graph, in 2 GiB, stage by stage", 2 << 30, 0),
    ];
    let consumed = &boards[..rows as usize];
    // The graph's shares: 16 boards to 32 threads.
    let shares = |unit: u64| consumed.iter().map(|boards| (boards * 2).div_ceil(unit)).sum();
    let bytes = consumed.iter().sum::<u64>() * 2 * 12;
    let cost = Cost { bytes, atomics: shares(rig.subgroup()), groups: shares(32) };
    let host = move || vec![counted()[rows as usize] as u32];
    Workload {
        name: format!("{rows} queens, {} boards", consumed.iter().sum::<u64>()),
        ways,
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(host) }),
    }
}
