//! Packages for devices without 64-bit atomics (`--no-int64-atomics`): the kernel `scan` computes the offsets of grids
//! in records.

#[path = "support/wrapper.rs"]
mod wrapper;

use std::path::Path;
use wgc_abi::{Interface, NodeName, Package, device as abi};
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Order};
use wgc_runtime::device::{Command, Device, Limits, Result};
use wgc_runtime::emulated::{Data, EmulatedGraph, EmulatedOptions, Input, Memory, Preparation, RunError};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Outputs, RunFile};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;
use wrapper::{Known, Overrides, Wrapper};

/// Graphs whose nodes read their grids from records: readers of one queue, spilled records, records of the host and of
/// mesh nodes, and more than one block of the kernel.
const GRAPHS: [&str; 4] = ["emulated/grids", "emulated/spill", "emulated/joint", "run/mesh_mixed"];

/// A device without 64-bit atomics, which skips nodes with the label `left_out`.
struct Poor {
    limits: Limits,
    left_out: Option<&'static str>,
}

impl Overrides for Poor {
    fn limits<'d>(&'d self, _: &'d dyn Device) -> &'d Limits {
        &self.limits
    }

    fn submit(&mut self, device: &mut dyn Device, _: &Known, commands: &[Command]) -> Result<()> {
        let stays = |command: &&Command| match command {
            Command::DispatchIndirect { label, .. } => self.left_out != Some(label.as_str()),
            _ => true,
        };
        let commands: Vec<Command> = commands.iter().filter(stays).cloned().collect();
        device.submit(&commands)
    }
}

fn poor<D: Device>(device: D) -> Wrapper<D, Poor> {
    let limits = Limits { int64_atomics: false, ..device.limits().clone() };
    Wrapper::new(device, Poor { limits, left_out: None })
}

fn cpu() -> CpuDevice {
    CpuDevice::new(CpuSettings::default())
}

fn compile(shader: &Path, plan: Settings) -> (Interface, Package) {
    let options = Options { enable_16bit_types: true, ..Options::default() };
    let session = Session::new(&[&shader.to_string_lossy()], options);
    let options = CompilerOptions { plan, ..CompilerOptions::default() };
    let package = session.emulated(&options).unwrap_or_else(|e| panic!("{}: {e:?}", shader.display()));
    (session.interface().expect("the program compiled"), package)
}

fn run(name: &str, plan: Settings, device: impl Device, options: EmulatedOptions) {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).with_extension("hlsl");
    let (interface, package) = compile(&shader, plan);
    let file = RunFile::read(&shader.with_extension("run.json")).unwrap_or_else(|e| panic!("{e}"));
    let mut executor = EmulatedExecutor::new(device, package, options);
    let report = run_file::execute(&file, &interface, &mut executor, &Outputs::default());
    let report = report.unwrap_or_else(|e| panic!("{name}, {plan:?}, {options:?}: {e}"));
    assert!(report.passed() && report.findings.is_empty(), "{name}:\n{report}\n{:?}", report.findings);
}

fn listing() -> Settings {
    Settings { atomics64: false, ..Settings::default() }
}

/// Returns settings for one pass, prepared by the host and by kernels, with spills. Adds sweeps in little and much
/// memory, with and without segments, and of one workgroup at a time.
fn setups() -> Vec<(Settings, EmulatedOptions)> {
    let host = EmulatedOptions::default();
    let small = Settings { page_bytes: 1 << 10, ..listing() };
    let swept = |times| EmulatedOptions { memory: Memory::Least(times), ..host };
    vec![
        (listing(), host),
        (Settings { joint_dispatch: 2, ..small }, EmulatedOptions { preparation: Preparation::Device, ..host }),
        (Settings { direct_targets: 0, ..small }, EmulatedOptions { memory: Memory::Tight, ..host }),
        (Settings { segment_bytes: 0, ..small }, swept(1)),
        (Settings { segment_bytes: 1 << 20, ..small }, swept(16)),
        (Settings { direct_targets: 0, joint_dispatch: 2, ..small }, EmulatedOptions { spill_all: true, ..swept(400) }),
    ]
}

/// The words of `OpCapability Int64Atomics`.
const INT64_ATOMICS: [u32; 2] = [2 << 16 | 17, 12];

fn asks_for_atomics(package: &Package) -> bool {
    package.modules.values().any(|words| words.windows(2).any(|pair| pair == INT64_ATOMICS))
}

#[test]
fn modules_without_int64_atomics_do_not_require_them() {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/emulated/grids.hlsl");
    let (_, with) = compile(&shader, Settings::default());
    let (_, without) = compile(&shader, listing());
    let feature = ["shaderBufferInt64Atomics"];
    assert!(asks_for_atomics(&with) && with.manifest.features == feature);
    assert!(!asks_for_atomics(&without) && without.manifest.features.is_empty());
    let refused = EmulatedGraph::load(&mut poor(cpu()), &with, None, EmulatedOptions::default());
    let message = "the device does not support shaderBufferInt64Atomics: compile the graph with --no-int64-atomics";
    assert_eq!(refused.map(drop).unwrap_err().to_string(), message);
}

#[test]
fn listed_grids_run_like_others() {
    for name in GRAPHS {
        // Graphs with thousands of records take long.
        let step = if name.ends_with("grids") || name.ends_with("mixed") { 1 } else { 3 };
        setups().into_iter().step_by(step).for_each(|(plan, options)| run(name, plan, poor(cpu()), options));
    }
    // Next to packages with atomics, whose kernels differ.
    let by_kernels = EmulatedOptions { preparation: Preparation::Device, ..EmulatedOptions::default() };
    for plan in [Settings::default(), listing(), Settings::default()] {
        run("emulated/grids", plan, cpu(), by_kernels);
    }
    let one = EmulatedOptions { memory: Memory::Least(1), admit_one: true, ..EmulatedOptions::default() };
    run("emulated/sharing", Settings { page_bytes: 4 << 10, ..listing() }, poor(cpu()), one);
    run("emulated/large_grids", listing(), poor(cpu()), EmulatedOptions::default());
}

/// Between a node and the kernel `scan`, others read the list. The host sorts records, into an order that differs from
/// this one. The kernel `guard` fills pages without records.
#[test]
fn listed_grids_survive_sorting_and_guards() {
    let settings = CpuSettings { order: Order::Lifo, ..CpuSettings::default() };
    let plan = Settings { page_bytes: 1 << 10, segment_bytes: 0, ..listing() };
    for memory in [Memory::Enough, Memory::Least(2)] {
        let options = EmulatedOptions { deterministic: true, memory, ..EmulatedOptions::default() };
        run("emulated/grids", plan, poor(CpuDevice::new(settings)), options);
    }
    let guarded = EmulatedOptions { poison: true, memory: Memory::Least(2), ..EmulatedOptions::default() };
    run("emulated/grids", Settings { guarded: true, ..plan }, poor(cpu()), guarded);
}

#[test]
fn listed_grids_run_like_others_on_vulkan() {
    let some = || setups().into_iter().step_by(3);
    for (name, (plan, options)) in GRAPHS.into_iter().flat_map(|name| some().map(move |setup| (name, setup))) {
        let Some(device) = testing::device() else { return };
        run(name, plan, poor(device), options);
    }
}

/// 128 grids of 2^24 - 1 workgroups exceed the 65535 * 32768 of an instance. They come from a node, so that neither the
/// host nor the kernel `inject` processes them.
#[test]
fn more_workgroups_than_an_instance_may_have_are_reported() {
    const WIDE: &str = r#"
struct Item { uint2 grid : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start([MaxRecords(1)] NodeOutput<Item> Wide)
{
    ThreadNodeOutputRecords<Item> item = Wide.GetThreadNodeOutputRecords(1);
    item.Get().grid = uint2(4097, 4095);
    item.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4097, 4095, 1)] [NumThreads(1, 1, 1)]
void Wide(DispatchNodeInputRecord<Item> input) { }
"#;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("wide.hlsl");
    std::fs::write(&shader, WIDE).expect("the shader can be written");
    let (_, package) = compile(&shader, listing());
    for (count, error) in [(127, None), (128, Some(abi::ERROR_GROUPS))] {
        let mut device = poor(cpu());
        device.overrides.left_out = Some("Wide");
        let mut graph = EmulatedGraph::load(&mut device, &package, None, EmulatedOptions::default()).unwrap();
        let node = NodeName { name: "Start".to_owned(), index: 0 };
        let ran = graph.dispatch(&mut device, &[Input { node, data: Data::Bytes(&[]), stride: 0, count }], &[]);
        let found = match ran {
            Ok(_) => None,
            Err(RunError::Graph(found)) => Some((found.code, found.node.name)),
            Err(other) => panic!("{other}"),
        };
        assert_eq!(found, error.map(|code| (code, "Wide".to_owned())));
    }
}
