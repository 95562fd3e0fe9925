//! The Mandelbrot set by quarters of squares.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

/// Squares of 128, 64, 32 and 16 pixels.
const LEVELS: u32 = 4;
const LARGEST: u32 = 128;
const TURNS: u32 = 256;

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let widths: &[u32] = if sizes.large { &[1024, 4096] } else { &[1024] };
    widths.iter().map(|width| quadtree(rig, *width)).collect()
}

/// Fixed-point numbers with 13 fractional bits, as in the shaders.
fn turns(width: u32, x: u32, y: u32) -> u32 {
    let step = i64::from((3 << 13) / width);
    let (real, imaginary) = (i64::from(x) * step - (9 << 11), i64::from(y) * step - (3 << 12));
    let (mut a, mut b) = (0i64, 0i64);
    for turn in 0..TURNS {
        let (aa, bb) = ((a * a) >> 13, (b * b) >> 13);
        if aa + bb > 4 << 13 {
            return turn;
        }
        (a, b) = (aa - bb + real, ((a * b) >> 12) + imaginary);
    }
    TURNS
}

/// The counts of squares by result.
#[derive(Default)]
struct Tally {
    squares: u64,
    filled: u64,
    /// Tiles of 8 by 8 pixels.
    filled_tiles: u64,
    rest: u64,
}

fn draw(width: u32, at: [u32; 2], size: u32, out: &mut [u32], tally: &mut Tally) {
    tally.squares += 1;
    let value = turns(width, at[0], at[1]);
    let even = (0..size).all(|i| {
        let border = [[i, 0], [i, size - 1], [0, i], [size - 1, i]];
        border.into_iter().all(|[x, y]| turns(width, at[0] + x, at[1] + y) == value)
    });
    if !even && size > LARGEST >> (LEVELS - 1) {
        for [x, y] in [[0, 0], [1, 0], [0, 1], [1, 1]] {
            draw(width, [at[0] + x * size / 2, at[1] + y * size / 2], size / 2, out, tally);
        }
        return;
    }
    for y in at[1]..at[1] + size {
        for x in at[0]..at[0] + size {
            out[(y * width + x) as usize] = if even { value } else { turns(width, x, y) };
        }
    }
    if even {
        tally.filled += 1;
        tally.filled_tiles += u64::from(size / 8).pow(2);
    } else {
        tally.rest += 1;
    }
}

fn squares(width: u32) -> impl Iterator<Item = [u32; 2]> {
    let along = width / LARGEST;
    (0..along * along).map(move |square| [square % along * LARGEST, square / along * LARGEST])
}

fn drawn(width: u32, tally: &mut Tally) -> Vec<u32> {
    let mut out = vec![0; (width * width) as usize];
    squares(width).for_each(|at| draw(width, at, LARGEST, &mut out, tally));
    out
}

fn quadtree(rig: &mut Rig, width: u32) -> Workload {
    let mut tally = Tally::default();
    drawn(width, &mut tally);
    // The most squares that the last level may have.
    let room = (width >> 4).pow(2);
    let list = |levels: u32| Contents::Zeroes(u64::from(room * levels) * 16);
    let bound = rig.bind(&[
        Contents::Zeroes(u64::from(width * width) * 4),
        list(LEVELS),
        list(LEVELS),
        list(1),
        Contents::Zeroes(16 * u64::from(LEVELS * 2 + 1)),
    ]);
    let defines = [("WIDTH", width), ("LEVELS", LEVELS)];
    let first: Vec<u32> = squares(width).flat_map(|[x, y]| [x, y, LARGEST]).collect();
    let count = first.len() as u32 / 3;
    let shaders = rig.shaders("quadtree_compute.hlsl", &defines, &bound, 12);
    let push = |level: u32| [level, count, room];
    let mut commands = vec![shaders.dispatch("Clear", &push(0), [1, 1, 1])];
    for level in 0..LEVELS {
        let level_commands = shaders.indirect("Level", &push(level), bound.buffers[4], u64::from(level * 2));
        commands.extend([Command::Barrier, level_commands]);
    }
    commands.push(Command::Barrier);
    commands.extend(
        (0..LEVELS)
            .map(|level| shaders.indirect("Fill", &push(level), bound.buffers[4], u64::from(level * 2 + 1)))
            .chain([shaders.indirect("Pixels", &push(0), bound.buffers[4], u64::from(LEVELS * 2))]),
    );
    let data = bytes(&first);
    let mut graph = rig.graph("quadtree.hlsl", &defines, &bound, EmulatedOptions::default());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Squares".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&data), stride: 12, count }])
    };
    let cost = Cost {
        // Records of 12, 20 (with a prefix) and 8 bytes, and the image.
        bytes: tally.squares * 24 + tally.filled * 2 * 28 + tally.rest * 16 + u64::from(width * width) * 4,
        // Workgroups that append to the same queue.
        atomics: tally.filled.max(tally.rest),
        groups: tally.squares + tally.filled_tiles + tally.rest * 4,
    };
    Workload {
        name: format!("Mandelbrot set by quarters, {width} x {width}, {} squares", tally.squares),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand", run: Box::new(move |rig| rig.time(&commands)) },
        ],
        cost,
        results: Some(Results {
            buffer: bound.buffers[0],
            host: Box::new(move || drawn(width, &mut Tally::default())),
        }),
    }
}
