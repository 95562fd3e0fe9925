//! Entry records with a grid, in the memory of the host: the arena has room for the grids that they request, and not for
//! the largest ones.

use wgc_abi::{NodeName, Package};
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::Device;
use wgc_runtime::emulated::{Data, EmulatedGraph, EmulatedOptions, Input, Memory, Preparation, RunReport};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;

/// Each workgroup sends a record of 16 bytes.
const TILES: &str = r#"
struct Frame { uint2 tiles : SV_DispatchGrid; };
struct Tile { uint4 place; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeMaxDispatchGrid(64, 64, 1)] [NumThreads(1, 1, 1)]
void Screen(DispatchNodeInputRecord<Frame> frame, uint2 group : SV_GroupID, [MaxRecords(1)] NodeOutput<Tile> Shade)
{
    ThreadNodeOutputRecords<Tile> tile = Shade.GetThreadNodeOutputRecords(1);
    tile.Get().place = uint4(group, 0, 0);
    tile.OutputComplete();
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(8, 1, 1)]
void Shade([MaxRecords(8)] GroupNodeInputRecords<Tile> tiles) { }
"#;

/// Bytes of a page. A page holds 64 records of `Shade`.
const PAGE: u32 = 1 << 10;

fn package() -> Package {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("tiles.hlsl");
    std::fs::write(&shader, TILES).expect("the shader can be written");
    let session = Session::new(&[&shader.to_string_lossy()], Options::default());
    let plan = Settings { page_bytes: PAGE, ..Settings::default() };
    session.emulated(&CompilerOptions { plan, ..CompilerOptions::default() }).expect("it compiles")
}

/// Runs the graph on these grids, as an input each.
fn run(device: &mut dyn Device, options: EmulatedOptions, inputs: &[(&[[u32; 2]], u32, u32)]) -> RunReport {
    let mut graph = EmulatedGraph::load(device, &package(), None, options).expect("it loads");
    let bytes: Vec<Vec<u8>> =
        inputs.iter().map(|input| input.0.iter().flatten().flat_map(|word| word.to_le_bytes()).collect()).collect();
    let inputs: Vec<Input> = inputs
        .iter()
        .zip(&bytes)
        .map(|((_, stride, count), bytes)| Input {
            node: NodeName { name: "Screen".to_owned(), index: 0 },
            data: Data::Bytes(bytes),
            stride: *stride,
            count: *count,
        })
        .collect();
    let report = graph.dispatch(device, &inputs, &[]).unwrap_or_else(|error| panic!("{}", graph.in_words(&error)));
    graph.destroy(device);
    report
}

fn shaded(report: &RunReport) -> u64 {
    report.instances.iter().find(|instance| instance.node.name == "Shade").map_or(0, |instance| instance.records)
}

/// 4 x 2 and three times 3 x 1 tiles, and 100 x 1 that are cut to 64 x 1: 81 records. The records of `Screen` and of
/// `Shade` take 1 and 2 pages, the prefixes of grids 1.
const INPUTS: [(&[[u32; 2]], u32, u32); 3] = [(&[[4, 2], [0, 5]], 8, 2), (&[[3, 1]], 0, 3), (&[[100, 1]], 8, 1)];

#[test]
fn memory_is_planned_for_the_requested_grids() {
    for report in with_all_devices(EmulatedOptions::default(), &INPUTS) {
        assert_eq!((report.sweeps, shaded(&report), report.grid_clamped), (0, 81, true));
        assert_eq!(report.pages, 4);
    }
    // The kernels count 6 grids of 64 x 64: 24,576 records in 384 pages.
    let by_kernels = EmulatedOptions { preparation: Preparation::Device, ..EmulatedOptions::default() };
    for report in with_all_devices(by_kernels, &INPUTS) {
        assert_eq!((report.sweeps, shaded(&report), report.grid_clamped), (0, 81, true));
        assert_eq!(report.pages, 1 + 384 + 1);
    }
}

/// In 100 pages, the requested grids fit one pass.
#[test]
fn small_memory_holds_small_grids_in_one_pass() {
    for (preparation, is_swept) in [(Preparation::Host, false), (Preparation::Device, true)] {
        let memory = Memory::Enough;
        let arena = wgc_runtime::emulated::ArenaLimits { bytes: 100 * u64::from(PAGE), ..Default::default() };
        let options = EmulatedOptions { preparation, memory, arena, ..EmulatedOptions::default() };
        for report in with_all_devices(options, &INPUTS) {
            assert_eq!(shaded(&report), 81);
            assert_eq!(report.sweeps != 0, is_swept, "{preparation:?}");
        }
    }
}

/// Runs on the CPU device, and on a Vulkan device if there is one.
fn with_all_devices(options: EmulatedOptions, inputs: &[(&[[u32; 2]], u32, u32)]) -> Vec<RunReport> {
    let mut reports = vec![run(&mut CpuDevice::new(CpuSettings::default()), options, inputs)];
    if let Some(mut device) = testing::device() {
        reports.push(run(&mut device, options, inputs));
    }
    reports
}
