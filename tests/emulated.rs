//! The emulated target from its host's view: the graphs of `tests/emulated` under many settings of compiler, host and
//! device. Also checks the reports when a shader or a host breaks a limit.
//!
//! Expected values come from `tests/emulated/expected.py`.

#[path = "emulated/documented.rs"]
mod documented;
#[path = "emulated/garbage.rs"]
mod garbage;
#[path = "emulated/indexes.rs"]
mod indexes;
#[path = "emulated/limits.rs"]
mod limits;
#[path = "support/random.rs"]
mod random;
#[path = "emulated/reports.rs"]
mod reports;
#[path = "support/settings.rs"]
mod settings;
#[path = "emulated/wrapped.rs"]
mod wrapped;
#[path = "support/wrapper.rs"]
mod wrapper;

use limits::{Loaded, counted, counted_in};
use settings::{Choice, Setup};
use std::path::{Path, PathBuf};
use wgc_abi::{Interface, NodeName, Package, device as abi};
use wgc_backend_spirv::EmitOptions;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_compiler::Session;
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Order};
use wgc_runtime::device::{Device, Limits};
use wgc_runtime::emulated::{
    Allocator, ArenaLimits, Data, EmulatedOptions, GraphError, Input, Memory, Preparation, RunError,
};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Outputs, RunFile};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;
use wrapped::Recorder;

/// Large graphs, in addition to [`GRAPHS`]. They have more than 32,768 records with their own grids, records that more
/// than 65,536 workgroups share, and the largest possible grid. (Missing outputs, recursion from two producers:
/// `arrays`. Readers of one queue with their own grids: `grids`. More workgroups than an axis allows: `many`. Inputs
/// that the device counts: `tests/run/counted_inputs`.)
const LARGE: [&str; 3] = ["large_grids", "tracked_grids", "largest_grid"];
const GRAPHS: [&str; 10] =
    ["amplify", "arrays", "bits", "chain", "counts", "grids", "many", MESHES, "sharing", "spill"];
const MESHES: &str = "../run/mesh_mixed";
/// Graphs that do not count the workgroups of coalescing nodes, because these may receive any number of records. They
/// run some workgroups at a time.
const COUNTED: [&str; 6] = ["amplify", "bits", "grids", "many", MESHES, "sharing"];

fn compile_with(shader: &Path, plan: Settings) -> (Interface, Package) {
    compile_at(shader, plan, OptLevel::default())
}

fn compile_at(shader: &Path, plan: Settings, level: OptLevel) -> (Interface, Package) {
    let options = Options { enable_16bit_types: true, ..Options::default() };
    let session = Session::new(&[&shader.to_string_lossy()], options);
    let errors: Vec<String> = session.diagnostics().iter().map(|d| d.message.clone()).collect();
    let emit = EmitOptions { level, ..CompilerOptions::default().emit };
    let options = CompilerOptions { plan, emit, edges: Vec::new() };
    let package = session.emulated(&options).unwrap_or_else(|e| panic!("{}: {e:?} {errors:?}", shader.display()));
    (session.interface().expect("the program compiled"), package)
}

fn graph(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emulated").join(name).with_extension("hlsl")
}

/// Runs a graph's run file and checks all its expectations.
fn run(name: &str, page_bytes: u32, device: impl Device, options: EmulatedOptions) {
    run_with(name, Settings { page_bytes, ..Settings::default() }, device, options);
}

fn run_with(name: &str, plan: Settings, device: impl Device, options: EmulatedOptions) {
    let shader = graph(name);
    let (interface, package) = compile_with(&shader, plan);
    let file = RunFile::read(&shader.with_extension("run.json")).unwrap_or_else(|e| panic!("{e}"));
    let mut executor = EmulatedExecutor::new(device, package, options);
    let report = run_file::execute(&file, &interface, &mut executor, &Outputs::default());
    let report = report.unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(report.passed() && report.findings.is_empty(), "{name}:\n{report}\n{:?}", report.findings);
}

fn cpu(subgroup_size: u32, order: Order) -> CpuDevice {
    CpuDevice::new(CpuSettings { subgroup_size, order, ..CpuSettings::default() })
}

#[test]
fn default_settings() {
    for name in GRAPHS {
        for preparation in [Preparation::Host, Preparation::Device] {
            let options = EmulatedOptions { preparation, ..EmulatedOptions::default() };
            run(name, 64 << 10, cpu(32, Order::Fifo), options);
        }
    }
}

#[test]
fn small_pages_in_several_chunks() {
    let arena = ArenaLimits { bytes: 1 << 30, chunk_bytes: 256 << 10 };
    for name in GRAPHS {
        let device = Recorder { appended: true, ..Recorder::default() }.around(cpu(32, Order::Lifo));
        run(name, 1 << 10, device, EmulatedOptions { arena, ..EmulatedOptions::default() });
    }
}

#[test]
fn subgroup_allocator() {
    for (subgroup_size, seed) in [(1, 1), (4, 2), (64, 3)] {
        for name in GRAPHS {
            let options = EmulatedOptions { allocator: Allocator::Subgroup, ..EmulatedOptions::default() };
            run(name, 64 << 10, cpu(subgroup_size, Order::Random(seed)), options);
        }
    }
}

/// Returns options for scheduled runs, in pages of 1 KiB.
fn scheduled(times: u32, admit_one: bool) -> EmulatedOptions {
    EmulatedOptions { memory: Memory::Least(times), admit_one, ..EmulatedOptions::default() }
}

#[test]
fn scheduled_runs_complete_in_any_arena_size() {
    for times in [1, 2, 16] {
        for name in GRAPHS {
            run(name, 1 << 10, cpu(32, Order::Fifo), scheduled(times, false));
        }
    }
}

#[test]
fn scheduled_runs_in_dispatches_of_several_rows() {
    // Only devices with at least Vulkan's minimum of workgroups are sure to fit any segment. The segments of these
    // graphs fit into 1000 rows. The large memory makes them need more than one row of a thousand workgroups.
    let small = COUNTED.map(|name| (name, [7, 5, 1], 0, 3));
    let large = ["amplify", "chain"].map(|name| (name, [1000, 1000, 1], 64 << 10, 400));
    for (name, max_groups, segment_bytes, times) in small.into_iter().chain(large) {
        let limits = Limits { max_groups, ..cpu(32, Order::Fifo).limits().clone() };
        let device = Recorder { limits: Some(limits), ..Recorder::default() }.around(cpu(32, Order::Lifo));
        let plan = Settings { page_bytes: 1 << 10, segment_bytes, ..Settings::default() };
        run_with(name, plan, device, scheduled(times, false));
    }
}

#[test]
fn scheduled_runs_of_one_workgroup_at_a_time() {
    // The others have thousands of records.
    for name in ["bits", "sharing", "../run/mesh_tiles", "../run/mesh_lines"] {
        run(name, 4 << 10, cpu(32, Order::Fifo), scheduled(1, true));
    }
}

/// Grids of three records have 2^22 workgroups each. Mesh shaders do not run: only launches are checked.
#[test]
fn large_mesh_grids_are_drawn_in_several_sweeps() {
    const DRAW: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Item { uint value; };
struct Corner { float4 position : SV_Position; };
[Shader("node")] [NodeLaunch("mesh")] [NodeIsProgramEntry] [NodeDispatchGrid(2048, 64, 32)] [NumThreads(1, 1, 1)]
[OutputTopology("triangle")]
void Draw(DispatchNodeInputRecord<Item> input, out vertices Corner corners[3], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(0, 0);
    Result[0] = input.Get().value;
}
"#;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("draw.hlsl");
    std::fs::write(&shader, DRAW).expect("the shader can be written");
    let node = NodeName { name: "Draw".to_owned(), index: 0 };
    let input = Input { node, data: Data::Bytes(&[0; 4]), stride: 0, count: 3 };
    let (wide, narrow) = ([1 << 20, 1 << 20, 1], [65535, 65535, 1]);
    for max_groups in [wide, narrow] {
        let limits = Limits { max_groups, ..cpu(32, Order::Fifo).limits().clone() };
        let device = Recorder { limits: Some(limits), left_out: Some("Draw"), ..Recorder::default() }
            .around(cpu(32, Order::Fifo));
        let mut graph = Loaded::with(device, &shader, Settings::default(), EmulatedOptions::default());
        let report = graph.graph.dispatch(&mut graph.device, std::slice::from_ref(&input), &[]).unwrap();
        assert_eq!(report.sweeps, 3);
        // Every device with mesh shaders supports 65535 on an axis, and 2^22 in all.
        assert_eq!(graph.device.overrides.launched, [[1 << 15, 128, 1]; 3]);
    }
}

/// Runs graphs with a segment for each stage, with default segments, and with longer ones.
fn with_segments(run: impl Fn(&str, Settings, EmulatedOptions)) {
    // The others have tens of thousands of records in one stage.
    for name in ["amplify", "arrays", "bits", "chain", "counts", "grids", MESHES, "sharing"] {
        for segment_bytes in [0, 64 << 10, 16 << 20] {
            for (page_bytes, times) in [(16 << 10, 1), (64 << 10, 400)] {
                let plan = Settings { page_bytes, segment_bytes, ..Settings::default() };
                run(name, plan, scheduled(times, false));
            }
        }
    }
}

#[test]
fn stages_run_separately_and_in_segments() {
    with_segments(|name, plan, options| run_with(name, plan, cpu(32, Order::Lifo), options));
}

#[test]
fn stages_run_separately_and_in_segments_on_vulkan() {
    with_segments(|name, plan, options| {
        if let Some(device) = testing::device() {
            run_with(name, plan, device, options);
        }
    });
}

/// Compiles arrays of elements with identical code into one dispatch a stage.
fn joint(page_bytes: u32) -> Settings {
    Settings { page_bytes, joint_dispatch: 2, ..Settings::default() }
}

#[test]
fn arrays_have_joint_dispatches() {
    for preparation in [Preparation::Host, Preparation::Device] {
        let options = EmulatedOptions { preparation, ..EmulatedOptions::default() };
        run_with("joint", joint(64 << 10), cpu(32, Order::Fifo), options);
        // The search advances one element at a time, or over all in one step.
        run_with("joint", joint(4 << 10), cpu(1, Order::Lifo), options);
        run_with("joint", joint(4 << 10), cpu(64, Order::Random(5)), options);
    }
    let together = EmulatedOptions { allocator: Allocator::Subgroup, ..tight() };
    run_with("joint", Settings { direct_targets: 0, ..joint(1 << 10) }, cpu(8, Order::Random(7)), together);
    run_with(
        "joint",
        Settings { joint_dispatch: 0, ..joint(1 << 10) },
        cpu(32, Order::Fifo),
        EmulatedOptions::default(),
    );
}

#[test]
fn joint_arrays_are_scheduled() {
    use Schedule::{Depth, Topological};
    for (schedule, segment_bytes, times) in [
        (Topological, 0, 1),
        (Topological, 64 << 10, 4),
        (Topological, 16 << 20, 400),
        (Depth, 0, 4),
        (Depth, 1 << 20, 40),
    ] {
        let plan = Settings { segment_bytes, schedule, ..joint(1 << 10) };
        run_with("joint", plan, cpu(32, Order::Lifo), scheduled(times, false));
    }
    let spill_all = EmulatedOptions { spill_all: true, ..scheduled(4, false) };
    run_with("joint", Settings { direct_targets: 0, ..joint(1 << 10) }, cpu(32, Order::Fifo), spill_all);
    run_with("../run/joint_array", joint(1 << 10), cpu(8, Order::Fifo), scheduled(16, false));
}

#[test]
fn joint_arrays_on_vulkan() {
    for options in [EmulatedOptions::default(), tight(), scheduled(1, false), scheduled(400, false)] {
        for name in ["joint", "../run/joint_array"] {
            if let Some(device) = testing::device() {
                run_with(name, joint(1 << 10), device, options);
            }
        }
    }
}

/// Thousands of workgroups of a run, with 35 of them in a plane.
#[test]
fn joint_dispatches_are_launched_in_rows_and_planes() {
    let limits = Limits { max_groups: [7, 5, 65535], ..cpu(32, Order::Fifo).limits().clone() };
    for options in [scheduled(400, false), scheduled(16, false)] {
        let device = Recorder { limits: Some(limits.clone()), ..Recorder::default() }.around(cpu(32, Order::Lifo));
        run_with("joint", Settings { segment_bytes: 0, ..joint(1 << 10) }, device, options);
    }
}

/// Returns the labels between two barriers, for a dispatch with one record for the array of 200 elements.
fn steps_of_the_array(joint_dispatch: u32, memory: Memory) -> Vec<Vec<String>> {
    let plan = Settings { joint_dispatch, ..Settings::default() };
    let options = EmulatedOptions { memory, ..EmulatedOptions::default() };
    let mut graph =
        Loaded::with(Recorder::default().around(cpu(32, Order::Fifo)), &graph("../run/joint_array"), plan, options);
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    let input = Input { node, data: Data::Bytes(&[0; 12]), stride: 0, count: 1 };
    graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
    graph.device.overrides.steps.into_iter().filter(|step| !step.is_empty()).collect()
}

#[test]
fn a_joint_array_is_dispatched_once_per_level() {
    let array = |level: u32| match level {
        0 => "Tile[100..299]".to_owned(),
        level => format!("Tile[100..299] level {level}"),
    };
    let labels = |of: &[Vec<String>]| of.iter().map(|step| step.join(" ")).collect::<Vec<_>>();
    let stages: Vec<String> = (0..4).flat_map(|level| ["joint".to_owned(), array(level)]).collect();
    // Spilled records are sorted under the same barrier.
    let one_pass = [&["Start".to_owned(), "scatter joint".to_owned()], &stages[1..]].concat();
    assert_eq!(labels(&steps_of_the_array(200, Memory::Enough)), one_pass);
    let swept = steps_of_the_array(2, Memory::Least(9));
    assert_eq!(swept.iter().flatten().filter(|label| label.starts_with("Tile")).count(), 4);
    // Fewer than the array has.
    let counts: Vec<usize> = steps_of_the_array(201, Memory::Enough).iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 1, 200, 200, 200, 200]);
}

/// Two elements whose grids add up to more than 2^32 workgroups. Their shaders do not run.
#[test]
fn joint_dispatches_have_more_workgroups_than_one_instance() {
    const WIDE: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Item { uint2 grid : SV_DispatchGrid; uint value; };
#define WIDE(n) \
    [Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeMaxDispatchGrid(4097, 4095, 1)] \
    [NumThreads(1, 1, 1)] [NodeID("Wide", n)] \
    void Wide##n(DispatchNodeInputRecord<Item> input) { InterlockedAdd(Result[0], input.Get().value); }
WIDE(0) WIDE(1) WIDE(2)
"#;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("wide.hlsl");
    std::fs::write(&shader, WIDE).expect("the shader can be written");
    // 127 grids of 2^24 - 1 workgroups are 2,130,706,305; 128 exceed the 65535 * 32768 of an instance.
    let counts = [(127, [65535, 48769, 2], None), (128, [65535, 48897, 2], Some(1))];
    for ((second, launched, error), atomics64) in counts.into_iter().flat_map(|case| [(case, true), (case, false)]) {
        let device = Recorder { left_out: Some("Wide[0..2]"), ..Recorder::default() }.around(cpu(32, Order::Fifo));
        let mut graph =
            Loaded::with(device, &shader, Settings { atomics64, ..joint(64 << 10) }, EmulatedOptions::default());
        let record: Vec<u8> = [4097u32, 4095, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
        let data = record.repeat(128);
        let input = |index, count: u32| {
            let node = NodeName { name: "Wide".to_owned(), index };
            Input { node, data: Data::Bytes(&data[..12 * count as usize]), stride: 12, count }
        };
        let ran = graph.graph.dispatch(&mut graph.device, &[input(0, 127), input(1, second), input(2, 127)], &[]);
        let of_error = |index| {
            let node = NodeName { name: "Wide".to_owned(), index };
            let (code, level, output) = (abi::ERROR_GROUPS, 0, 0);
            RunError::Graph(GraphError { code, node, level, output, past_recursion: false, count: 1 })
        };
        assert_eq!(ran.map(drop).err(), error.map(of_error));
        assert_eq!(graph.device.overrides.launched, [launched]);
    }
}

/// Returns the recorded commands for 1,000 records of the chain: the labels between two barriers.
fn steps_of_the_chain(segment_bytes: u32, memory: Memory, preparation: Preparation) -> Vec<String> {
    let plan = Settings { segment_bytes, ..Settings::default() };
    let options = EmulatedOptions { memory, preparation, ..EmulatedOptions::default() };
    let mut graph = Loaded::with(Recorder::default().around(cpu(32, Order::Fifo)), &graph("chain"), plan, options);
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    let input = Input { node, data: Data::Bytes(&[0; 4]), stride: 0, count: 1000 };
    let report = graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
    assert_eq!(report.sweeps, u32::from(memory != Memory::Enough), "one sweep takes all records");
    graph.device.overrides.steps.iter().filter(|step| !step.is_empty()).map(|step| step.join(" ")).collect()
}

#[test]
fn a_chain_of_five_nodes_has_five_steps_plus_preparation() {
    let nodes = ["Start", "Twice", "Pack", "Spread", "Sum"];
    assert_eq!(steps_of_the_chain(64 << 10, Memory::Enough, Preparation::Host), nodes);
    let by_kernels = [&["prep", "inject"], &nodes[..]].concat();
    assert_eq!(steps_of_the_chain(64 << 10, Memory::Enough, Preparation::Device), by_kernels);
    let together = [&["begin", "inject", "sched"], &nodes[..], &["end"]].concat();
    assert_eq!(steps_of_the_chain(64 << 10, Memory::Least(9), Preparation::Host), together);
    let each = nodes.iter().flat_map(|node| ["sched", node]);
    let one_by_one: Vec<&str> = ["begin", "inject"].into_iter().chain(each).chain(["end"]).collect();
    assert_eq!(steps_of_the_chain(0, Memory::Least(9), Preparation::Host), one_by_one);
}

/// One pass in the fewest pages: all but entry records spill, if `direct_targets` demands it.
fn tight() -> EmulatedOptions {
    EmulatedOptions { memory: Memory::Tight, ..EmulatedOptions::default() }
}

/// Graphs whose outputs have arrays, grids or tracked records.
const SPILLING: [&str; 5] = ["arrays", "grids", MESHES, "sharing", "spill"];

fn spilling(direct_targets: u32) -> Settings {
    Settings { page_bytes: 1 << 10, direct_targets, ..Settings::default() }
}

#[test]
fn records_may_all_spill() {
    for name in SPILLING {
        run_with(name, spilling(0), cpu(32, Order::Fifo), tight());
        let by_kernels = EmulatedOptions { preparation: Preparation::Device, ..tight() };
        run_with(name, spilling(0), cpu(32, Order::Fifo), by_kernels);
        let together = EmulatedOptions { allocator: Allocator::Subgroup, ..tight() };
        run_with(name, spilling(1), cpu(8, Order::Random(7)), together);
    }
}

#[test]
fn scheduled_runs_spill_too() {
    for name in SPILLING {
        let spill_all = EmulatedOptions { spill_all: true, ..scheduled(4, false) };
        run_with(name, spilling(0), cpu(32, Order::Lifo), spill_all);
        run_with(name, spilling(1), cpu(32, Order::Lifo), scheduled(1, false));
    }
}

#[test]
fn records_spill_on_vulkan() {
    for name in SPILLING {
        for options in [tight(), scheduled(1, false), scheduled(16, false)] {
            if let Some(device) = testing::device() {
                run_with(name, spilling(0), device, options);
            }
        }
    }
}

#[test]
fn scheduled_runs_on_vulkan() {
    for name in GRAPHS {
        if let Some(device) = testing::device() {
            run(name, 1 << 10, device, scheduled(1, false));
        }
    }
}

#[test]
fn on_vulkan() {
    for name in GRAPHS {
        for preparation in [Preparation::Host, Preparation::Device] {
            if let Some(device) = testing::device() {
                let options = EmulatedOptions { preparation, ..EmulatedOptions::default() };
                run(name, 16 << 10, device, options);
            }
        }
    }
}

#[test]
fn large_graphs() {
    // 16,777,215 workgroups take minutes on the CPU device in a debug build.
    for name in &LARGE[..2] {
        run(name, 64 << 10, cpu(32, Order::Fifo), EmulatedOptions::default());
        run(name, 16 << 10, cpu(32, Order::Lifo), scheduled(1, false));
    }
}

#[test]
fn large_graphs_on_vulkan() {
    let whole = LARGE.map(|name| (name, EmulatedOptions::default()));
    let swept = LARGE[..2].iter().map(|name| (*name, scheduled(1, false)));
    for (name, options) in whole.into_iter().chain(swept) {
        if let Some(device) = testing::device() {
            run(name, 16 << 10, device, options);
        }
    }
}

/// Runs each graph under several settings of the table, different ones for each graph. `run` receives the name and the
/// choice. Run files test counted inputs.
fn in_several_ways(setups: u64, run: impl Fn(&str, Choice)) {
    let names = (0..setups).flat_map(|_| GRAPHS);
    (1..).zip(names).for_each(|(seed, name)| run(name, Choice::of(seed)));
}

/// Restricts settings that take too long. Most graphs send thousands of records, too many to run one workgroup at a
/// time. `counts` counts the workgroups of coalescing nodes, and a node that is reached at several depths has more.
fn in_reason(name: &str, setup: Setup) -> Setup {
    let admit_one = setup.host.admit_one && name == "bits";
    let schedule = if name == "counts" { Schedule::Topological } else { setup.plan.schedule };
    Setup { host: EmulatedOptions { admit_one, ..setup.host }, plan: Settings { schedule, ..setup.plan }, ..setup }
}

#[test]
fn results_match_under_random_configurations() {
    in_several_ways(3, |name, choice| {
        let setup = in_reason(name, choice.setup());
        run_with(name, setup.plan, cpu(16, Order::Lifo), setup.host);
    });
}

/// Forces the allocator also on devices that allocate for each lane by default, if lanes reconverge.
#[test]
fn subgroup_allocator_on_vulkan() {
    let together = EmulatedOptions { allocator: Allocator::Subgroup, ..EmulatedOptions::default() };
    for name in GRAPHS.into_iter().chain(LARGE).chain(["joint"]) {
        if let Some(device) = testing::device().filter(testing::lanes_reconverge) {
            run(name, 64 << 10, device, together);
        }
    }
}

#[test]
fn results_match_under_random_configurations_on_vulkan() {
    in_several_ways(1, |name, choice| {
        if let Some(device) = testing::device() {
            let setup = in_reason(name, choice.setup_on_vulkan(&device));
            run_with(name, setup.plan, device, setup.host);
        }
    });
}
