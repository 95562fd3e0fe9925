//! Pixels sorted to a hundred materials. The versions are the graph, hand-written shaders with a sort, one shader that
//! has all materials, and the level-by-level method of emulators.

use crate::rig::{Contents, Cost, Results, Rig, Sizes, Way, Workload, bytes, hash};
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_ir::passes::fusion::FusionMode;
use wgc_runtime::device::{BufferId, Command};
use wgc_runtime::emulated::{Data, EmulatedOptions, Input};

const MATERIALS: u32 = 100;

#[derive(Clone, Copy)]
struct Case {
    width: u32,
    height: u32,
    /// The words of a record.
    words: u32,
    /// Gives tiles of 32 by 32 pixels one material.
    coherent: bool,
    /// Gives each material different code.
    distinct: bool,
}

pub fn workloads(rig: &mut Rig, sizes: Sizes) -> Vec<Workload> {
    let screens: &[(u32, u32)] = if sizes.large { &[(640, 480), (1920, 1088), (3840, 1632)] } else { &[(640, 480)] };
    let words: &[u32] = if sizes.large { &[4, 8, 16] } else { &[8] };
    let mut all = Vec::new();
    for &(width, height) in screens {
        for &words in words {
            for coherent in [false, true] {
                all.push(classify(rig, Case { width, height, words, coherent, distinct: false }));
            }
        }
        for coherent in [false, true] {
            all.push(classify(rig, Case { width, height, words: 8, coherent, distinct: true }));
        }
    }
    all
}

impl Case {
    fn material(self, pixel: u32) -> u32 {
        let tile = (pixel / self.width / 32) * (self.width / 32) + pixel % self.width / 32;
        hash(if self.coherent { tile } else { pixel }) % MATERIALS
    }

    fn shaded(self, pixel: u32) -> u32 {
        let material = self.material(pixel);
        let sum = (0..self.words - 2).fold(material, |sum, i| {
            let data = pixel.wrapping_mul(i + 1).wrapping_add(material);
            sum.wrapping_mul(31).wrapping_add(data)
        });
        let turns = if self.distinct { 4 + material % 8 } else { 0 };
        (0..turns)
            .fold(sum, |sum, turn| (sum ^ sum >> (1 + material % 13)).wrapping_mul(2 * material + 3).wrapping_add(turn))
    }

    fn cost(self, subgroup: u64) -> Cost {
        let pixels = u64::from(self.width * self.height);
        let mut records = vec![0u64; MATERIALS as usize];
        // Threads of a workgroup are numbered line by line.
        let mut subgroups = records.clone();
        for tile in 0..self.width * self.height / 64 {
            let mut last = vec![u64::MAX; MATERIALS as usize];
            for thread in 0..64 {
                let (x, y) = (tile % (self.width / 8) * 8 + thread % 8, tile / (self.width / 8) * 8 + thread / 8);
                let material = self.material(y * self.width + x) as usize;
                records[material] += 1;
                let own = u64::from(thread) / subgroup;
                if std::mem::replace(&mut last[material], own) != own {
                    subgroups[material] += 1;
                }
            }
        }
        let consumers: u64 = records.iter().map(|records| records.div_ceil(64)).sum();
        Cost {
            bytes: pixels * (2 * u64::from(self.words) * 4 + 4),
            atomics: subgroups.into_iter().max().unwrap_or(0),
            groups: pixels / 64 + consumers,
        }
    }
}

fn classify(rig: &mut Rig, case: Case) -> Workload {
    let Case { width, height, words, .. } = case;
    let [coherent, distinct] = [case.coherent, case.distinct].map(u32::from);
    let pixels = width * height;
    let (x, y) = (width / 8, height / 8);
    let defines =
        [("PAYLOAD_WORDS", words), ("COHERENT", coherent), ("DISTINCT", distinct), ("TILES_X", x), ("TILES_Y", y)];
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
    sorted.extend((0..MATERIALS).map(|m| {
        let entry = if case.distinct { format!("Consume{m}") } else { "Consume".to_owned() };
        shaders.indirect(&entry, &[width, m], bound.buffers[5], u64::from(m))
    }));
    let uber = [shaders.dispatch("Uber", &[width, 0], [x, y, 1])];

    let mut graph = |name: &'static str, fusion: FusionMode| {
        let plan = Settings { fusion, ..Settings::default() };
        let mut graph = rig.planned("classify.hlsl", &defines, &bound, EmulatedOptions::default(), plan);
        let run = move |rig: &mut Rig| {
            let node = NodeName { name: "Classify".to_owned(), index: 0 };
            rig.dispatch(&mut graph, &[Input { node, data: Data::Bytes(&bytes(&[x, y])), stride: 8, count: 1 }])
        };
        Way { name, run: Box::new(run) }
    };

    let mut ways = vec![
        graph("graph", FusionMode::Off),
        Way { name: "by hand, sorted", run: Box::new(move |rig| rig.time(&sorted)) },
        Way { name: "by hand, all materials in one shader", run: Box::new(move |rig| rig.time(&uber)) },
        graph("graph, fused", FusionMode::Safe),
    ];
    if !case.distinct {
        let waterfall = level_by_level(rig, case, &defines, out);
        ways.push(Way { name: "level by level", run: Box::new(move |rig| rig.time(&waterfall)) });
    }
    let kind = if case.coherent { "coherent" } else { "random" };
    let codes = if case.distinct { ", 100 codes" } else { "" };
    Workload {
        name: format!("classify {pixels} pixels, {kind}, {} bytes{codes}", words * 4),
        ways,
        cost: case.cost(rig.subgroup()),
        results: Some(Results { buffer: out, host: Box::new(move || (0..pixels).map(|p| case.shaded(p)).collect()) }),
    }
}

/// Writes its results into an existing buffer.
fn level_by_level(rig: &mut Rig, case: Case, defines: &[(&str, u32)], out: BufferId) -> Vec<Command> {
    let Case { width, height, .. } = case;
    let (pixels, x, y) = (width * height, width / 8, height / 8);
    let zeroes = |count: u32| Contents::Zeroes(u64::from(count) * 4);
    // Each pixel may be a separate allocation.
    let bound = rig.bind_with(
        out,
        &[
            Contents::Zeroes(u64::from(pixels) * u64::from(case.words.next_multiple_of(4)) * 4),
            Contents::Zeroes(u64::from(pixels) * 8),
            zeroes(2),
            zeroes(MATERIALS),
            zeroes(MATERIALS),
            zeroes(MATERIALS),
            Contents::Zeroes(16 * u64::from(MATERIALS + 1)),
            zeroes(pixels),
        ],
    );
    let shaders = rig.shaders("classify_waterfall.hlsl", defines, &bound, 8);
    let mut waterfall = vec![shaders.dispatch("Clear", &[width, 0], [1, 1, 1]), Command::Barrier];
    waterfall.extend([shaders.dispatch("Classify", &[width, 0], [x, y, 1]), Command::Barrier]);
    waterfall.extend([shaders.dispatch("Distribute", &[width, 0], [1, 1, 1]), Command::Barrier]);
    waterfall
        .extend([shaders.indirect("Expand", &[width, 0], bound.buffers[7], u64::from(MATERIALS)), Command::Barrier]);
    waterfall.extend((0..MATERIALS).map(|m| shaders.indirect("Consume", &[width, m], bound.buffers[7], u64::from(m))));
    waterfall
}
