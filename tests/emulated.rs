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
#[path = "support/random.rs"]
mod random;
#[path = "emulated/reports.rs"]
mod reports;
#[path = "support/settings.rs"]
mod settings;

use settings::{Choice, Way};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wgc_abi::{Interface, NodeName, Package, device as abi};
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Order};
use wgc_runtime::device::{
    BindingsId, BufferId, Command, Device, ImageDesc, ImageId, Limits, PipelineId, ResourceBinding, Resources, Result,
    SamplerId,
};
use wgc_runtime::emulated::{
    Allocator, ArenaLimits, Counted, Data, EmulatedGraph, EmulatedOptions, GraphError, Input, Memory, Preparation,
    RunError,
};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::mesh::{MeshShape, Meshes};
use wgc_runtime::run_file::{self, Outputs, RunFile};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;

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
    let options = Options { enable_16bit_types: true, ..Options::default() };
    let session = Session::new(&[&shader.to_string_lossy()], options);
    let errors: Vec<String> = session.diagnostics().iter().map(|d| d.message.clone()).collect();
    let options = CompilerOptions { plan, ..CompilerOptions::default() };
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
        let device = Wrapped { appended: true, ..Wrapped::new(cpu(32, Order::Lifo)) };
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
fn scheduled_runs_lose_nothing_in_any_memory() {
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
        let device = Wrapped { limits, ..Wrapped::new(cpu(32, Order::Lifo)) };
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
fn mesh_nodes_are_drawn_in_windows() {
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
        let device = Wrapped { limits, left_out: Some("Draw"), ..Wrapped::new(cpu(32, Order::Fifo)) };
        let mut graph = Loaded::with(device, &shader, Settings::default(), EmulatedOptions::default());
        let report = graph.graph.dispatch(&mut graph.device, std::slice::from_ref(&input), &[]).unwrap();
        assert_eq!(report.sweeps, 3);
        // Every device with mesh shaders supports 65535 on an axis, and 2^22 in all.
        assert_eq!(graph.device.launched, [[1 << 15, 128, 1]; 3]);
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
fn stages_are_scheduled_one_by_one_and_together() {
    with_segments(|name, plan, options| run_with(name, plan, cpu(32, Order::Lifo), options));
}

#[test]
fn stages_are_scheduled_one_by_one_and_together_on_vulkan() {
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
        let device = Wrapped { limits: limits.clone(), ..Wrapped::new(cpu(32, Order::Lifo)) };
        run_with("joint", Settings { segment_bytes: 0, ..joint(1 << 10) }, device, options);
    }
}

/// Returns the labels between two barriers, for a dispatch with one record for the array of 200 elements.
fn steps_of_the_array(joint_dispatch: u32, memory: Memory) -> Vec<Vec<String>> {
    let plan = Settings { joint_dispatch, ..Settings::default() };
    let options = EmulatedOptions { memory, ..EmulatedOptions::default() };
    let mut graph = Loaded::with(Wrapped::new(cpu(32, Order::Fifo)), &graph("../run/joint_array"), plan, options);
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    let input = Input { node, data: Data::Bytes(&[0; 12]), stride: 0, count: 1 };
    graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
    graph.device.steps.into_iter().filter(|step| !step.is_empty()).collect()
}

#[test]
fn an_array_that_is_joint_is_one_dispatch_for_each_level() {
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
        let device = Wrapped { left_out: Some("Wide[0..2]"), ..Wrapped::new(cpu(32, Order::Fifo)) };
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
        assert_eq!(graph.device.launched, [launched]);
    }
}

/// Returns the recorded commands for 1,000 records of the chain: the labels between two barriers.
fn steps_of_the_chain(segment_bytes: u32, memory: Memory, preparation: Preparation) -> Vec<String> {
    let plan = Settings { segment_bytes, ..Settings::default() };
    let options = EmulatedOptions { memory, preparation, ..EmulatedOptions::default() };
    let mut graph = Loaded::with(Wrapped::new(cpu(32, Order::Fifo)), &graph("chain"), plan, options);
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    let input = Input { node, data: Data::Bytes(&[0; 4]), stride: 0, count: 1000 };
    let report = graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
    assert_eq!(report.sweeps, u32::from(memory != Memory::Enough), "one sweep takes all records");
    graph.device.steps.iter().filter(|step| !step.is_empty()).map(|step| step.join(" ")).collect()
}

#[test]
fn a_chain_of_five_nodes_is_five_steps_and_what_prepares_them() {
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
fn in_several_ways(ways: u64, run: impl Fn(&str, Choice)) {
    let names = (0..ways).flat_map(|_| GRAPHS);
    (1..).zip(names).for_each(|(seed, name)| run(name, Choice::of(seed)));
}

/// Restricts settings that take too long. Most graphs send thousands of records, too many to run one workgroup at a
/// time. `counts` counts the workgroups of coalescing nodes, and a node that is reached at several depths has more.
fn in_reason(name: &str, way: Way) -> Way {
    let admit_one = way.host.admit_one && name == "bits";
    let schedule = if name == "counts" { Schedule::Topological } else { way.plan.schedule };
    Way { host: EmulatedOptions { admit_one, ..way.host }, plan: Settings { schedule, ..way.plan }, ..way }
}

#[test]
fn results_are_the_same_in_several_ways() {
    in_several_ways(3, |name, choice| {
        let way = in_reason(name, choice.way());
        run_with(name, way.plan, cpu(16, Order::Lifo), way.host);
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
fn results_are_the_same_in_several_ways_on_vulkan() {
    in_several_ways(1, |name, choice| {
        if let Some(device) = testing::device() {
            let way = in_reason(name, choice.way_on_vulkan(&device));
            run_with(name, way.plan, device, way.host);
        }
    });
}

/// A thread node whose record sets the number of requested records and of calls, for an output with MaxRecords(2). The
/// target counts the records that arrive. Element 1 of the array does not exist.
const LIMITS: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Ask { uint count; uint calls; uint element; };
struct Item { uint value; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Ask> input,
    [MaxRecords(2)] [NodeArraySize(3)] [AllowSparseNodes] NodeOutputArray<Item> Sink)
{
    for (uint call = 0; call < input.Get().calls; call++)
    {
        uint count = input.Get().count;
        ThreadNodeOutputRecords<Item> made = Sink[input.Get().element].GetThreadNodeOutputRecords(count);
        for (uint i = 0; i < count; i++)
        {
            made.Get(i).value = 5;
        }
        made.OutputComplete();
    }
}
[Shader("node")] [NodeLaunch("thread")] [NodeID("Sink", 0)]
void SinkZero(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[0], input.Get().value); }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Sink", 2)]
void SinkTwo(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[1], input.Get().value); }
"#;

struct Loaded<D: Device> {
    device: D,
    graph: EmulatedGraph,
    result: BufferId,
}

impl<D: Device> Loaded<D> {
    /// Loads the graph of [`LIMITS`].
    fn limits(device: D) -> Self {
        Self::limits_with(device, EmulatedOptions::default())
    }

    fn limits_with(device: D, options: EmulatedOptions) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let shader = dir.path().join("limits.hlsl");
        std::fs::write(&shader, LIMITS).expect("the shader can be written");
        Self::with(device, &shader, Settings::default(), options)
    }

    /// Loads a graph whose only resource is a buffer.
    fn new(device: D, shader: &Path) -> Self {
        Self::with(device, shader, Settings::default(), EmulatedOptions::default())
    }

    fn with(mut device: D, shader: &Path, plan: Settings, options: EmulatedOptions) -> Self {
        let (_, package) = compile_with(shader, plan);
        let result = device.create_buffer(512).unwrap();
        let resources = Resources::StorageBuffers(vec![result]);
        let binding = &package.manifest.bindings[0];
        let bindings = device
            .create_bindings(&[ResourceBinding { set: binding.set, binding: binding.binding, resources }])
            .unwrap();
        let graph = EmulatedGraph::load(&mut device, &package, Some(bindings), options).unwrap();
        Self { device, graph, result }
    }

    /// Sends records {count, calls, element}. Returns the sums of the sinks, and the result of the run.
    fn ask(&mut self, records: &[[u32; 3]]) -> ([u32; 2], std::result::Result<Vec<u64>, RunError>) {
        self.device.write_buffer(self.result, 0, &[0; 16]).unwrap();
        let data: Vec<u8> = records.iter().flatten().flat_map(|w| w.to_le_bytes()).collect();
        let node = NodeName { name: "Start".to_owned(), index: 0 };
        let input = Input { node, data: Data::Bytes(&data), stride: 12, count: records.len() as u32 };
        let report = self.graph.dispatch(&mut self.device, &[input], &[]);
        let mut sums = [0; 8];
        self.device.read_buffer(self.result, 0, &mut sums).unwrap();
        let sums = sums.as_chunks::<4>().0;
        let report = report.map(|r| r.instances.iter().map(|i| i.records).collect());
        ([u32::from_le_bytes(sums[0]), u32::from_le_bytes(sums[1])], report)
    }
}

fn start_broke(code: u32, count: u32) -> std::result::Result<Vec<u64>, RunError> {
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    Err(RunError::Graph(GraphError { code, node, level: 0, output: 0, past_recursion: false, count }))
}

/// Sends the same records to the array of a hundred targets, `times` times. Returns used pages and spilled records.
fn spilled(memory: Memory, limit: u64, times: usize) -> Vec<(u64, u64)> {
    let (_, package) = compile_with(&graph("spill"), spilling(4));
    let mut device = cpu(32, Order::Fifo);
    let result = device.create_buffer(4 * 306).unwrap();
    let resources = Resources::StorageBuffers(vec![result]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).unwrap();
    let arena = ArenaLimits { bytes: limit, chunk_bytes: 1 << 20 };
    let options = EmulatedOptions { arena, memory, ..EmulatedOptions::default() };
    let mut graph = EmulatedGraph::load(&mut device, &package, Some(bindings), options).unwrap();
    // 3000 records for element 42, and three each for 200 random elements.
    let entries = (0..1000u32).map(|_| [3, 42]).chain((0..200).map(|i| [4 * i + 3, 100]));
    let data: Vec<u8> = entries.flatten().flat_map(u32::to_le_bytes).collect();
    let mut dispatch = || {
        let node = NodeName { name: "Classify".to_owned(), index: 0 };
        let input = Input { node, data: Data::Bytes(&data), stride: 8, count: 1200 };
        let report = graph.dispatch(&mut device, &[input], &[]).unwrap();
        assert!(report.instances.iter().filter(|i| i.node.name == "Bin").map(|i| i.records).sum::<u64>() == 3600);
        (report.pages, report.spilled)
    };
    (0..times).map(|_| dispatch()).collect()
}

#[test]
fn direct_parts_are_as_large_as_they_had_to_be() {
    let unlimited = ArenaLimits::default().bytes;
    // All records of a thread node spill if there is no memory for queues.
    let tight = spilled(Memory::Tight, unlimited, 2);
    assert_eq!((tight[0].1, tight[1]), (3600, tight[0]));
    // With all the memory none spill.
    let all = spilled(Memory::Enough, unlimited, 1)[0];
    assert!(all.1 == 0 && all.0 > tight[0].0 + 1000, "{all:?}");
    // With 150 more pages of 128 records, equal parts are too small for element 42. Then its need is known: 30 pages
    // for 1.25 times 3000, and one for each of the others.
    let some = spilled(Memory::Enough, (tight[0].0 + 150) << 10, 3);
    assert!(some[0].1 > 2000, "{some:?}");
    assert_eq!((some[1].1, some[2].1), (0, 0), "{some:?}");
}

#[test]
fn broken_limits_are_reported_and_harm_nobody() {
    let mut graph = Loaded::limits(cpu(32, Order::Fifo));
    let good = [2, 1, 2];
    assert_eq!(graph.ask(&[good, [1, 2, 0]]), ([10, 10], Ok(vec![2, 2, 2])));
    // Three in one call: two are granted.
    assert_eq!(graph.ask(&[good, [3, 1, 0]]), ([10, 10], start_broke(abi::ERROR_MAX_RECORDS, 1)));
    // A target that does not exist, and an index outside the array.
    assert_eq!(graph.ask(&[good, [2, 1, 1]]), ([0, 10], start_broke(abi::ERROR_ABSENT, 1)));
    assert_eq!(graph.ask(&[good, [2, 1, 77]]), ([0, 10], start_broke(abi::ERROR_ABSENT, 1)));
    // Three calls too many, though the queue has room for two records of each of two threads.
    assert_eq!(graph.ask(&[good, [2, 4, 0]]), ([10, 10], start_broke(abi::ERROR_MAX_RECORDS, 3)));
    // The next run has no error.
    assert_eq!(graph.ask(&[good]), ([0, 10], Ok(vec![1, 0, 2])));
}

/// Runs inputs that the device reads: {entry, count, address, stride}. Returns the sums of the sinks.
fn counted<D: Device>(
    graph: &mut Loaded<D>,
    most: u32,
    inputs: impl FnOnce(u64) -> Vec<abi::NodeInput>,
) -> ([u32; 2], std::result::Result<(), RunError>) {
    counted_in(graph, most, |list| list, inputs)
}

/// Runs inputs from a list that is changed before the device reads it.
fn counted_in<D: Device>(
    graph: &mut Loaded<D>,
    most: u32,
    change: impl FnOnce(abi::InputList) -> abi::InputList,
    inputs: impl FnOnce(u64) -> Vec<abi::NodeInput>,
) -> ([u32; 2], std::result::Result<(), RunError>) {
    graph.device.write_buffer(graph.result, 0, &[0; 16]).unwrap();
    let mut put = |bytes: &[u8]| {
        let buffer = graph.device.create_buffer(bytes.len() as u64).unwrap();
        graph.device.write_buffer(buffer, 0, bytes).unwrap();
        graph.device.buffer_address(buffer)
    };
    // {count, calls, element}
    let words = [2u32, 1, 2, 1, 1, 0];
    let records = put(&words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>());
    let inputs = inputs(records);
    let mut bytes = Vec::new();
    inputs.iter().for_each(|input| input.encode(&mut bytes));
    let address = put(&bytes);
    let list = abi::InputList { count: inputs.len() as u32, pad: 0, address, stride: abi::NodeInput::SIZE as u64 };
    let list = put(&change(list).to_bytes());
    let ran = graph.graph.dispatch_counted(&mut graph.device, Counted { list, most }, &[]).map(drop);
    let mut sums = [0; 8];
    graph.device.read_buffer(graph.result, 0, &mut sums).unwrap();
    let sums = sums.as_chunks::<4>().0;
    ([u32::from_le_bytes(sums[0]), u32::from_le_bytes(sums[1])], ran)
}

/// Skips invalid inputs at any position; the others run.
fn bad_inputs_are_left_out(device: impl Device) {
    let mut graph = Loaded::limits(device);
    let good = |address| abi::NodeInput { entry: 0, count: 1, address, stride: 12 };
    let (sums, ran) = counted(&mut graph, 2, |records| vec![good(records), good(records + 12)]);
    assert_eq!((sums, ran), ([5, 10], Ok(())));
    let bad: [fn(abi::NodeInput) -> abi::NodeInput; 6] = [
        |input| abi::NodeInput { entry: 1, ..input },
        |input| abi::NodeInput { entry: u32::MAX, ..input },
        |input| abi::NodeInput { stride: 8, ..input },
        |input| abi::NodeInput { stride: 1 << 32, ..input },
        |input| abi::NodeInput { address: input.address + 2, ..input },
        |input| abi::NodeInput { address: 0, ..input },
    ];
    for (number, bad) in bad.into_iter().enumerate() {
        let (sums, ran) = counted(&mut graph, 3, |records| vec![good(records), bad(good(records)), good(records + 12)]);
        assert_eq!((sums, ran), ([5, 10], Err(RunError::CountedInput { input: 1, count: 1 })), "{number}");
    }
    // More than any queue holds, in single inputs: the inputs after them still run.
    let many = |address| abi::NodeInput { count: u32::MAX, ..good(address) };
    let inputs = |records| vec![good(records), many(records), many(records), good(records + 12)];
    let (sums, ran) = counted(&mut graph, 4, inputs);
    assert_eq!((sums, ran), ([5, 10], Err(RunError::CountedInput { input: 1, count: 2 })));
    // More inputs than there is room for, and more than the kernel has threads.
    let inputs = |records| (0..300).map(|_| good(records + 12)).collect();
    let (sums, ran) = counted(&mut graph, 299, inputs);
    assert_eq!((sums, ran), ([5 * 299, 0], Err(RunError::CountedInput { input: 299, count: 1 })));
}

#[test]
fn inputs_that_the_device_counts_are_checked() {
    bad_inputs_are_left_out(cpu(32, Order::Fifo));
    match wgc_runtime::vulkan::VulkanDevice::open(None) {
        Ok(device) => bad_inputs_are_left_out(device),
        Err(error) => testing::left_out(&error),
    }
}

#[test]
fn inputs_that_do_not_fit_run_nothing() {
    let mut graph = Loaded::limits(cpu(32, Order::Fifo));
    let mut dispatch = |name: &str, bytes: usize, stride, count| {
        let node = NodeName { name: name.to_owned(), index: 0 };
        let data = vec![0; bytes];
        let inputs = [Input { node, data: Data::Bytes(&data), stride, count }];
        graph.graph.dispatch(&mut graph.device, &inputs, &[]).map_err(|e| e.to_string())
    };
    let short = "records for Start need 36 bytes, but 35 were given";
    assert_eq!(dispatch("Start", 35, 12, 3), Err(short.to_owned()));
    assert_eq!(dispatch("Start", 36, 8, 3), Err("records of Start have 12 bytes, but the stride is 8".to_owned()));
    assert_eq!(dispatch("Sink", 4, 4, 1), Err("the graph has no entry node Sink".to_owned()));
    assert!(dispatch("Start", 28, 16, 2).is_ok(), "the last record may end before its stride");
    assert!(dispatch("Start", 12, 0, 500).is_ok(), "one record, repeated");
    assert!(dispatch("Start", 0, 12, 0).is_ok(), "no records");
}

#[test]
fn grids_above_the_declared_maximum_are_cut_and_reported() {
    let mut graph = Loaded::new(cpu(32, Order::Fifo), &graph("many"));
    let mut groups = |grid: [u32; 2]| {
        graph.device.write_buffer(graph.result, 0, &[0; 32]).unwrap();
        let data: Vec<u8> = [0, 0, 0, grid[0], grid[1]].iter().flat_map(|w| w.to_le_bytes()).collect();
        let node = NodeName { name: "Plain".to_owned(), index: 0 };
        let input = Input { node, data: Data::Bytes(&data), stride: 20, count: 1 };
        let report = graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
        let mut count = [0; 4];
        graph.device.read_buffer(graph.result, 12, &mut count).unwrap();
        (u32::from_le_bytes(count), report.grid_clamped)
    };
    assert_eq!(groups([400, 2]), (800, false));
    assert_eq!(groups([401, 2]), (800, true));
    assert_eq!(groups([2, u32::MAX]), (600, true));
    assert_eq!(groups([0, u32::MAX]), (0, true));
    assert_eq!(groups([1, 1]), (1, false));
}

#[test]
fn prep_refuses_an_arena_that_is_too_small() {
    // The host sizes the arena itself; here it passes another size to prep.
    let device = Wrapped { page_count: Some(2), ..Wrapped::new(cpu(32, Order::Fifo)) };
    let by_kernels = EmulatedOptions { preparation: Preparation::Device, ..EmulatedOptions::default() };
    let mut graph = Loaded::limits_with(device, by_kernels);
    // One page for the entries and one for each of two sinks.
    let (sums, result) = graph.ask(&[[2, 1, 0]]);
    assert_eq!((sums, result), ([0, 0], start_broke(abi::ERROR_ARENA, 1)));
}

/// A device with other limits, which may report another number of pages to the kernels, and keeps recorded commands.
struct Wrapped<D> {
    device: D,
    limits: Limits,
    page_count: Option<u32>,
    /// Labels of the commands between two barriers.
    steps: Vec<Vec<String>>,
    /// A label whose dispatches do not run; their workgroups are stored.
    left_out: Option<&'static str>,
    launched: Vec<[u32; 3]>,
    /// True if appending shaders launch: checks rows of 64 workgroups, of which only the last has spare ones.
    appended: bool,
}

impl<D: Device> Wrapped<D> {
    fn new(device: D) -> Self {
        Self {
            limits: device.limits().clone(),
            device,
            page_count: None,
            steps: vec![Vec::new()],
            left_out: None,
            launched: Vec::new(),
            appended: false,
        }
    }
}

impl<D: Device> Device for Wrapped<D> {
    fn name(&self) -> String {
        self.device.name()
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    fn offers(&self, feature: &str) -> bool {
        self.device.offers(feature)
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        self.device.create_buffer(bytes)
    }

    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.device.buffer_address(buffer)
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        match (self.page_count, abi::Context::decode(data)) {
            (Some(page_count), Some(context)) if data.len() == abi::Context::SIZE => {
                let context = abi::Context { page_count, ..context };
                self.device.write_buffer(buffer, offset, &context.to_bytes())
            }
            _ => self.device.write_buffer(buffer, offset, data),
        }
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        self.device.read_buffer(buffer, offset, data)
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
        self.device.destroy_buffer(buffer);
    }

    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId> {
        self.device.create_image(desc)
    }

    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()> {
        self.device.write_image(image, texels)
    }

    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>> {
        self.device.read_image(image)
    }

    fn create_sampler(&mut self, desc: wgc_runtime::device::SamplerDesc) -> Result<SamplerId> {
        self.device.create_sampler(desc)
    }

    fn create_acceleration_structure(
        &mut self,
        desc: &wgc_runtime::scene::SceneDesc,
    ) -> wgc_runtime::device::Result<wgc_runtime::device::AccelerationStructureId> {
        self.device.create_acceleration_structure(desc)
    }
    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId> {
        self.device.create_bindings(bindings)
    }

    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId> {
        self.device.create_pipeline(words, entry, layout, push_bytes, wave_size)
    }

    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        self.device.take_meshes()
    }

    fn mesh_shape(&self, words: &[u32], entry: &str) -> Option<Arc<MeshShape>> {
        self.device.mesh_shape(words, entry)
    }

    /// Checks that dispatches respect the limits that this device claims.
    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        for command in commands {
            let groups = match command {
                Command::Dispatch { groups, .. } => *groups,
                Command::DispatchIndirect { args, offset, .. } => {
                    // The earlier commands have run.
                    let mut bytes = [0; 12];
                    self.device.read_buffer(*args, *offset, &mut bytes)?;
                    let words = bytes.as_chunks::<4>().0;
                    [0, 1, 2].map(|word: usize| u32::from_le_bytes(words[word]))
                }
                _ => [0; 3],
            };
            match (command, self.steps.last_mut()) {
                (Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. }, Some(step)) => {
                    assert!(
                        groups.iter().zip(self.limits.max_groups).all(|(&n, most)| n <= most),
                        "{label}: {groups:?}"
                    );
                    let indirect = matches!(command, Command::DispatchIndirect { .. });
                    assert!(!self.appended || !indirect || groups[1] == 1 || groups[0] == 64, "{label}: {groups:?}");
                    step.push(label.clone());
                }
                (Command::Barrier, _) => self.steps.push(Vec::new()),
                _ => {}
            }
            if let Command::DispatchIndirect { label, .. } = command
                && self.left_out == Some(label)
            {
                self.launched.push(groups);
                continue;
            }
            self.device.submit(std::slice::from_ref(command))?;
        }
        Ok(())
    }
}

/// A node that is reached at two depths sends beyond its last recursion level.
const BEYOND: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Item { uint value; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Deep, [MaxRecords(1)] NodeOutput<Item> Again)
{
    ThreadNodeOutputRecords<Item> made = Deep.GetThreadNodeOutputRecords(input.Get().value == 0 ? 1 : 0);
    if (input.Get().value == 0) made.Get().value = 0;
    made.OutputComplete();
    ThreadNodeOutputRecords<Item> more = Again.GetThreadNodeOutputRecords(1);
    more.Get().value = 0;
    more.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Again(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Deep)
{
    ThreadNodeOutputRecords<Item> made = Deep.GetThreadNodeOutputRecords(1);
    made.Get().value = 0;
    made.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] [NodeMaxRecursionDepth(2)]
void Deep(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] [NodeID("Deep")] NodeOutput<Item> deeper)
{
    InterlockedAdd(Result[0], 1);
    ThreadNodeOutputRecords<Item> made = deeper.GetThreadNodeOutputRecords(1);
    made.Get().value = 0;
    made.OutputComplete();
}
"#;

#[test]
fn recursion_too_far_is_told_under_both_schedules() {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("beyond.hlsl");
    std::fs::write(&shader, BEYOND).expect("the shader can be written");
    for schedule in [Schedule::Topological, Schedule::Depth] {
        let plan = Settings { schedule, ..Settings::default() };
        let mut graph = Loaded::with(cpu(32, Order::Fifo), &shader, plan, EmulatedOptions::default());
        // Only by the longer path, then by both.
        for (value, count) in [(1, 1), (0, 2)] {
            let node = NodeName { name: "Start".to_owned(), index: 0 };
            let input = Input { node, data: Data::Bytes(&[value, 0, 0, 0]), stride: 0, count: 1 };
            let ran = graph.graph.dispatch(&mut graph.device, &[input], &[]).map(drop);
            let node = NodeName { name: "Deep".to_owned(), index: 0 };
            let (code, level, output) = (abi::ERROR_ABSENT, 2, 0);
            let error = GraphError { code, node, level, output, past_recursion: true, count };
            assert_eq!(ran, Err(RunError::Graph(error)), "{schedule:?}");
        }
    }
}
