//! Triangles of very different sizes, drawn by compute shaders.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes, grid, hash};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

const WIDTH: i32 = 1920;
const HEIGHT: i32 = 1080;

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[100_000, 1_000_000, 10_000_000] } else { &[20_000] };
    counts.iter().map(|count| raster(rig, *count)).collect()
}

fn side(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> i32 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

struct Triangle {
    corners: [[i32; 2]; 3],
    /// The first and the last pixel of its box on the screen; the last may be before the first.
    low: [i32; 2],
    high: [i32; 2],
    depth: u32,
}

fn triangle(id: u32) -> Triangle {
    let (h, k, l) = (hash(id.wrapping_mul(4)), hash(id * 4 + 1), hash(id * 4 + 2));
    let size = if l & 63 == 0 { 256 } else { 12 };
    let byte = |n: u32| (k >> n & 0xff) as i32 * size / 256;
    let a = [(h % WIDTH as u32) as i32, ((h >> 16) % HEIGHT as u32) as i32];
    let (b, c) = ([a[0] + byte(0), a[1] + byte(8)], [a[0] + byte(16), a[1] + byte(24)]);
    let [low, high] = [i32::min as fn(i32, i32) -> i32, i32::max]
        .map(|of: fn(i32, i32) -> i32| [0, 1].map(|axis: usize| of(a[axis], of(b[axis], c[axis]))));
    let high = [high[0].min(WIDTH - 1), high[1].min(HEIGHT - 1)];
    Triangle { corners: [a, b, c], low, high, depth: l >> 12 }
}

/// Returns the buffer's contents after all triangles.
fn drawn(count: u32) -> Vec<u32> {
    let mut out = vec![0; (WIDTH * HEIGHT) as usize];
    for id in 0..count {
        let Triangle { corners: [a, b, c], low, high, depth } = triangle(id);
        for y in low[1]..=high[1] {
            for x in low[0]..=high[0] {
                let sides = [side(a, b, [x, y]), side(b, c, [x, y]), side(c, a, [x, y])];
                if sides.iter().all(|s| *s >= 0) || sides.iter().all(|s| *s <= 0) {
                    let pixel: &mut u32 = &mut out[(y * WIDTH + x) as usize];
                    *pixel = (*pixel).max(depth << 12 | id & 0xfff);
                }
            }
        }
    }
    out
}

/// Returns the number of 8 by 8 pixel tiles that overlap a triangle's box.
fn tiles(id: u32) -> u64 {
    let Triangle { low, high, .. } = triangle(id);
    let along = |axis: usize| (high[axis] / 8 - low[axis] / 8 + 1) as u64;
    if high[0] < low[0] || high[1] < low[1] { 0 } else { along(0) * along(1) }
}

fn raster(rig: &mut Rig, count: u32) -> Workload {
    let pixels = (WIDTH * HEIGHT) as u64;
    let bound = rig.bind(&[
        Contents::Zeroes(pixels * 4),
        Contents::Zeroes(u64::from(count) * 24),
        Contents::Zeroes(8),
        Contents::Zeroes(16),
    ]);
    let groups = count.div_ceil(64);
    let shaders = rig.shaders("raster_compute.hlsl", &[], &bound, 8);
    let push = [count, rig.group_limit()];
    let commands = vec![
        shaders.dispatch("Clear", &push, [1, 1, 1]),
        Command::Barrier,
        shaders.dispatch("Setup", &push, [groups, 1, 1]),
        Command::Barrier,
        shaders.dispatch("Launch", &push, [1, 1, 1]),
        Command::Barrier,
        shaders.indirect("Tiles", &push, bound.buffers[3], 0),
    ];
    let [x, y] = grid(groups);
    let mut graph = rig.graph("raster.hlsl", &[("GROUPS_X", x), ("GROUPS_Y", y)], &bound, EmulatedOptions::default());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Setup".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[x, y, count])), stride: 12, count: 1 }])
    };
    let (mut pieces, mut all_tiles) = (0, 0);
    for tiles in (0..count).map(tiles).filter(|tiles| *tiles != 0) {
        (pieces, all_tiles) = (pieces + 1, all_tiles + tiles);
    }
    let cost = Cost {
        // A record and its prefix, written and read, and the final pixels.
        bytes: pieces * 2 * (20 + 8) + pixels * 4,
        atomics: u64::from(count).div_ceil(rig.subgroup()),
        groups: u64::from(groups) + all_tiles,
    };
    Workload {
        name: format!("rasteriser, {count} triangles"),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        ],
        cost,
        results: Some(Results { buffer: bound.buffers[0], host: Box::new(move || drawn(count)) }),
    }
}
