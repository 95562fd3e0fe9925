//! Triangles of very different sizes, drawn by compute shaders.

use crate::rig::{Contents, Rig, Sizes, Way, Workload, bytes, hash, same};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

const WIDTH: i32 = 1920;
const HEIGHT: i32 = 1080;

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let counts: &[u32] = if sizes.large { &[100_000, 1_000_000] } else { &[20_000] };
    counts.iter().map(|count| raster(rig, *count)).collect()
}

fn side(a: [i32; 2], b: [i32; 2], p: [i32; 2]) -> i32 {
    (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
}

/// What all triangles leave in the buffer.
fn drawn(count: u32) -> Vec<u32> {
    let mut out = vec![0; (WIDTH * HEIGHT) as usize];
    for id in 0..count {
        let (h, k, l) = (hash(id.wrapping_mul(4)), hash(id * 4 + 1), hash(id * 4 + 2));
        let size = if l & 63 == 0 { 256 } else { 12 };
        let byte = |n: u32| (k >> n & 0xff) as i32 * size / 256;
        let a = [(h % WIDTH as u32) as i32, ((h >> 16) % HEIGHT as u32) as i32];
        let (b, c) = ([a[0] + byte(0), a[1] + byte(8)], [a[0] + byte(16), a[1] + byte(24)]);
        let [low, high] = [i32::min as fn(i32, i32) -> i32, i32::max]
            .map(|of: fn(i32, i32) -> i32| [0, 1].map(|axis: usize| of(a[axis], of(b[axis], c[axis]))));
        for y in low[1]..=high[1].min(HEIGHT - 1) {
            for x in low[0]..=high[0].min(WIDTH - 1) {
                let sides = [side(a, b, [x, y]), side(b, c, [x, y]), side(c, a, [x, y])];
                if sides.iter().all(|s| *s >= 0) || sides.iter().all(|s| *s <= 0) {
                    let pixel: &mut u32 = &mut out[(y * WIDTH + x) as usize];
                    *pixel = (*pixel).max((l >> 12) << 12 | id & 0xfff);
                }
            }
        }
    }
    out
}

fn raster(rig: &mut Rig, count: u32) -> Workload {
    let expected = drawn(count);
    let bound = rig.bind(&[
        Contents::Zeroes(expected.len() as u64 * 4),
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
    let mut graph = rig.graph("raster.hlsl", &[("GROUPS", groups)], &bound, EmulatedOptions::default());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Setup".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[groups, count])), stride: 8, count: 1 }])
    };
    let (out, zeroes) = (bound.buffers[0], vec![0; expected.len()]);
    Workload {
        name: format!("rasteriser, {count} triangles"),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        ],
        clear: Box::new(move |rig| rig.write(out, &zeroes)),
        check: Box::new(move |rig, way| same(way, &rig.read(out, expected.len()), &expected)),
    }
}
