//! Pixels to a hundred materials: the graph, by hand with a sort, and in the way of emulators that work level by level.

use crate::rig::{Contents, Rig, Sizes, Way, Workload, bytes, hash, same};
use wgc_abi::NodeName;
use wgc_runtime::device::Command;
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

const MATERIALS: u32 = 100;

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let screens: &[(u32, u32)] = if sizes.large { &[(640, 480), (1920, 1088), (3840, 1632)] } else { &[(640, 480)] };
    let words: &[u32] = if sizes.large { &[4, 8, 16] } else { &[8] };
    let mut all = Vec::new();
    for &(width, height) in screens {
        for &words in words {
            for coherent in [0, 1] {
                all.push(classify(rig, width, height, words, coherent));
            }
        }
    }
    all
}

fn shaded(pixel: u32, width: u32, words: u32, coherent: u32) -> u32 {
    let tile = (pixel / width / 32) * (width / 32) + pixel % width / 32;
    let material = hash(if coherent == 1 { tile } else { pixel }) % MATERIALS;
    (0..words - 2).fold(material, |sum, i| {
        let data = pixel.wrapping_mul(i + 1).wrapping_add(material);
        sum.wrapping_mul(31).wrapping_add(data)
    })
}

fn classify(rig: &mut Rig, width: u32, height: u32, words: u32, coherent: u32) -> Workload {
    let pixels = width * height;
    let (x, y) = (width / 8, height / 8);
    let expected: Vec<u32> = (0..pixels).map(|pixel| shaded(pixel, width, words, coherent)).collect();
    let defines = [("PAYLOAD_WORDS", words), ("COHERENT", coherent), ("TILES_X", x), ("TILES_Y", y)];
    let records = u64::from(pixels) * u64::from(words.next_multiple_of(4)) * 4;
    let out = Contents::Zeroes(u64::from(pixels) * 4);

    let zeroes = |count: u32| Contents::Zeroes(u64::from(count) * 4);
    let args = || Contents::Zeroes(16 * u64::from(MATERIALS + 1));
    let bound =
        rig.bind(&[out, Contents::Zeroes(records), zeroes(MATERIALS), zeroes(MATERIALS), zeroes(MATERIALS), args()]);
    let out = bound.buffers[0];
    let shaders = rig.shaders("classify_sorted.hlsl", &defines, &bound, 8);
    let mut sorted = vec![shaders.dispatch("Clear", &[width, 0], [1, 1, 1]), Command::Barrier];
    sorted.extend([shaders.dispatch("Count", &[width, 0], [x, y, 1]), Command::Barrier]);
    sorted.extend([shaders.dispatch("Prefix", &[width, 0], [1, 1, 1]), Command::Barrier]);
    sorted.extend([shaders.dispatch("Scatter", &[width, 0], [x, y, 1]), Command::Barrier]);
    sorted.extend((0..MATERIALS).map(|m| shaders.indirect("Consume", &[width, m], bound.buffers[5], u64::from(m))));

    let mut graph = rig.graph("classify.hlsl", &defines, &bound, EmulatedOptions::default());
    let run = move |rig: &mut Rig| {
        let node = NodeName { name: "Classify".to_owned(), index: 0 };
        rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[x, y])), stride: 8, count: 1 }])
    };

    // The same buffer for results; each pixel may be an allocation of its own.
    let bound = rig.bind_with(
        out,
        &[
            Contents::Zeroes(records),
            Contents::Zeroes(u64::from(pixels) * 8),
            zeroes(2),
            zeroes(MATERIALS),
            zeroes(MATERIALS),
            zeroes(MATERIALS),
            args(),
            zeroes(pixels),
        ],
    );
    let shaders = rig.shaders("classify_waterfall.hlsl", &defines, &bound, 8);
    let mut waterfall = vec![shaders.dispatch("Clear", &[width, 0], [1, 1, 1]), Command::Barrier];
    waterfall.extend([shaders.dispatch("Classify", &[width, 0], [x, y, 1]), Command::Barrier]);
    waterfall.extend([shaders.dispatch("Distribute", &[width, 0], [1, 1, 1]), Command::Barrier]);
    waterfall
        .extend([shaders.indirect("Expand", &[width, 0], bound.buffers[7], u64::from(MATERIALS)), Command::Barrier]);
    waterfall.extend((0..MATERIALS).map(|m| shaders.indirect("Consume", &[width, m], bound.buffers[7], u64::from(m))));

    let kind = if coherent == 1 { "coherent" } else { "random" };
    let cleared = vec![0; pixels as usize];
    Workload {
        name: format!("classify {pixels} pixels, {kind}, {} bytes", words * 4),
        ways: vec![
            Way { name: "graph", run: Box::new(run) },
            Way { name: "by hand, sorted", run: Box::new(move |rig| rig.time(&sorted)) },
            Way { name: "level by level", run: Box::new(move |rig| rig.time(&waterfall)) },
        ],
        clear: Box::new(move |rig| rig.write(out, &cleared)),
        check: Box::new(move |rig, way| same(way, &rig.read(out, expected.len()), &expected)),
    }
}
