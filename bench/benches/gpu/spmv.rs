//! A sparse matrix times a vector, whose rows have very different lengths.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[100_000, 1_000_000] } else { &[50_000] };
    counts.iter().map(|rows| spmv(rig, *rows)).collect()
}

fn random(x: u64) -> u64 {
    let x = (x ^ x >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    (x ^ x >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53) >> 16
}

/// Returns the length of a row: 0 to 15 for nine rows of ten, some hundreds for most others, thousands for one of a
/// thousand.
fn length(row: u32) -> u32 {
    let random = random(u64::from(row)) as u32;
    match random % 1000 {
        0 => 1024 + random / 1000 % 3072,
        1..100 => 32 + random / 1000 % 256,
        _ => random / 1000 % 16,
    }
}

fn spmv(rig: &mut Rig, rows: u32) -> Workload {
    let mut begins = vec![0u32];
    let mut columns = Vec::new();
    for row in 0..rows {
        columns
            .extend((0..length(row)).map(|k| (random(u64::from(row) << 32 | u64::from(k)) % u64::from(rows)) as u32));
        begins.push(columns.len() as u32);
    }
    let vector: Vec<u32> = (0..rows).map(|i| i ^ i >> 3).collect();
    let values = columns.len() as u64;
    let matrix = (begins.clone(), columns.clone(), vector.clone());
    let host = move || {
        let (begins, columns, vector) = &matrix;
        let product = |k: u32| {
            let column = columns[k as usize];
            let factor = column.wrapping_mul(7).wrapping_add(k + 1);
            factor.wrapping_mul(vector[column as usize])
        };
        let sum = |ends: &[u32]| (ends[0]..ends[1]).map(product).fold(0, u32::wrapping_add);
        begins.windows(2).map(sum).collect()
    };

    let bound = rig.bind(&[
        Contents::Zeroes(u64::from(rows) * 4),
        Contents::Words(begins),
        Contents::Words(columns),
        Contents::Words(vector),
        Contents::Zeroes(u64::from(rows) * 12),
        Contents::Zeroes(12),
        Contents::Zeroes(48),
    ]);
    let groups = rows.div_ceil(64);
    let shaders = rig.shaders("spmv_compute.hlsl", &[], &bound, 8);
    let push = [rows, rig.group_limit()];
    let mut commands = vec![shaders.dispatch("Clear", &push, [1, 1, 1]), Command::Barrier];
    commands.extend([shaders.dispatch("Bin", &push, [groups, 1, 1]), Command::Barrier]);
    commands.extend([shaders.dispatch("Launch", &push, [1, 1, 1]), Command::Barrier]);
    let lists = ["Short", "Medium", "Long"].into_iter().zip(0..);
    commands.extend(lists.map(|(entry, index)| shaders.indirect(entry, &push, bound.buffers[6], index)));

    let mut graph = rig.graph("spmv.hlsl", &[("GROUPS", groups)], &bound, EmulatedOptions::default());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Bin".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[groups, rows])), stride: 8, count: 1 }])
    };
    let short = (0..rows).filter(|row| length(*row) < 32).count() as u64;
    let rows = u64::from(rows);
    let cost = Cost {
        // A row: its start, a record written and read, a result. A value: its column and a number of the vector.
        bytes: rows * (4 + 2 * 12 + 4) + values * 8,
        atomics: rows.div_ceil(rig.subgroup()),
        groups: u64::from(groups) + short.div_ceil(64) + rows - short,
    };
    Workload {
        name: format!("SpMV, {rows} rows, {values} values"),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        ],
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(host) }),
    }
}
