//! The deterministic mode: the same queues on every device, and results that follow from them.

use super::records::{GRAPHS, Setup, one_pass, scheduled, shown, spilling};
use super::{compile, cpu};
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Order};
use wgc_runtime::device::{Device, ResourceBinding, Resources};
use wgc_runtime::emulated::inside::Form;
use wgc_runtime::emulated::{Data, EmulatedGraph, EmulatedOptions, Input, Memory};
use wgc_runtime::vulkan::testing;

fn deterministic(setup: Setup) -> Setup {
    Setup { options: EmulatedOptions { deterministic: true, ..setup.options }, ..setup }
}

/// Its workgroups run in the order in which threads take them.
fn threads() -> CpuDevice {
    CpuDevice::new(CpuSettings { threads: 3, ..CpuSettings::default() })
}

#[test]
fn queues_are_the_same_on_every_device() {
    let in_one_pass = GRAPHS.map(|name| (name, one_pass()));
    let in_sweeps = ["chain", "counts", "grids"].map(|name| (name, scheduled(4)));
    let spilled = [Memory::Tight, Memory::Least(100)].map(|memory| ("spill", spilling(memory)));
    for (name, setup) in in_one_pass.into_iter().chain(in_sweeps).chain(spilled) {
        let setup = deterministic(setup);
        let expected = shown(name, setup, cpu(Order::Fifo), Form::Lines, false, &[]);
        assert!(!expected.is_empty());
        let on_threads = shown(name, setup, threads(), Form::Lines, false, &[]);
        assert!(on_threads == expected, "{name} on threads, {:?}", setup.options);
        if let Some(device) = testing::device() {
            let on_vulkan = shown(name, setup, device, Form::Lines, false, &[]);
            assert!(on_vulkan == expected, "{name} on Vulkan, {:?}", setup.options);
        }
    }
}

/// The results depend on neighbours. Groups of four weight their records by position, and grids of one to three groups
/// by the position of their record.
const NEIGHBOURS: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Seed { uint first; };
struct Item { uint value; };
struct Job { uint groups : SV_DispatchGrid; uint value; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(8, 1, 1)]
void Start(DispatchNodeInputRecord<Seed> input, uint thread : SV_GroupIndex,
    [MaxRecords(8)] NodeOutput<Item> Weigh)
{
    ThreadNodeOutputRecords<Item> item = Weigh.GetThreadNodeOutputRecords(1);
    item.Get().value = (input.Get().first * 8 + thread) * 7919 % 1009;
    item.OutputComplete();
}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 1, 1)]
void Weigh([MaxRecords(4)] GroupNodeInputRecords<Item> input, uint thread : SV_GroupIndex,
    [MaxRecords(4)] NodeOutput<Job> Grid)
{
    bool mine = thread < input.Count();
    ThreadNodeOutputRecords<Job> job = Grid.GetThreadNodeOutputRecords(mine ? 1 : 0);
    if (mine)
    {
        InterlockedAdd(Result[0], input[thread].value * (thread + 1));
        job.Get().groups = input[thread].value % 4;
        job.Get().value = input[thread].value * (thread + 1);
    }
    job.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(3, 1, 1)] [NumThreads(1, 1, 1)]
void Grid(DispatchNodeInputRecord<Job> input, uint group : SV_GroupID)
{
    InterlockedAdd(Result[1], input.Get().value * (group + 1));
}
"#;

fn neighbours(mut device: impl Device, options: EmulatedOptions) -> [u32; 2] {
    let dir = tempfile::tempdir().unwrap();
    let shader = dir.path().join("neighbours.hlsl");
    std::fs::write(&shader, NEIGHBOURS).unwrap();
    let (_, package) = compile(&shader, Settings { page_bytes: 1 << 10, ..Settings::default() });
    let result = device.create_buffer(8).unwrap();
    let resources = Resources::StorageBuffers(vec![result]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).unwrap();
    let mut graph = EmulatedGraph::load(&mut device, &package, Some(bindings), options).unwrap();
    let data: Vec<u8> = (0..100u32).flat_map(u32::to_le_bytes).collect();
    let node = NodeName { name: "Start".to_owned(), index: 0 };
    graph.dispatch(&mut device, &[Input { node, data: Data::Bytes(&data), stride: 4, count: 100 }], &[]).unwrap();
    let mut bytes = [0; 8];
    device.read_buffer(result, 0, &mut bytes).unwrap();
    [0, 4].map(|at| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]))
}

#[test]
fn deterministic_results_match_sorted_records() {
    let mut values: Vec<u32> = (0..800).map(|i| i * 7919 % 1009).collect();
    values.sort_unstable();
    let weighed = values.iter().zip((1..=4).cycle()).map(|(value, place)| (value % 4, value * place));
    let jobs = weighed.clone().map(|(groups, value)| (1..=groups).map(|group| value * group).sum::<u32>());
    let expected: [u32; 2] = [weighed.map(|(_, value)| value).sum(), jobs.sum()];
    for memory in [Memory::Enough, Memory::Least(400)] {
        let options = EmulatedOptions { deterministic: true, memory, ..EmulatedOptions::default() };
        assert_eq!(neighbours(cpu(Order::Fifo), options), expected, "{memory:?}");
        assert_eq!(neighbours(threads(), options), expected, "{memory:?}, threads");
        if let Some(device) = testing::device() {
            assert_eq!(neighbours(device, options), expected, "{memory:?}, Vulkan");
        }
    }
}
