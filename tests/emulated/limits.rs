//! Broken limits of shaders and hosts: they are reported, and the other records stay right.

use super::wrapped::Recorder;
use super::{compile_with, cpu, graph, spilling};
use std::path::Path;
use wgc_abi::{NodeName, device as abi};
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_runtime::cpu::Order;
use wgc_runtime::device::{BufferId, Device, ResourceBinding, Resources};
use wgc_runtime::emulated::{
    ArenaLimits, Counted, Data, EmulatedGraph, EmulatedOptions, GraphError, Input, Memory, Preparation, RunError,
};
use wgc_runtime::vulkan::testing;

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

pub struct Loaded<D: Device> {
    pub device: D,
    pub graph: EmulatedGraph,
    pub result: BufferId,
}

impl<D: Device> Loaded<D> {
    /// Loads the graph of [`LIMITS`].
    pub fn limits(device: D) -> Self {
        Self::limits_with(device, EmulatedOptions::default())
    }

    fn limits_with(device: D, options: EmulatedOptions) -> Self {
        let dir = tempfile::tempdir().expect("a temporary directory");
        let shader = dir.path().join("limits.hlsl");
        std::fs::write(&shader, LIMITS).expect("the shader can be written");
        Self::with(device, &shader, Settings::default(), options)
    }

    /// Loads a graph whose only resource is a buffer.
    pub fn new(device: D, shader: &Path) -> Self {
        Self::with(device, shader, Settings::default(), EmulatedOptions::default())
    }

    pub fn with(mut device: D, shader: &Path, plan: Settings, options: EmulatedOptions) -> Self {
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
fn direct_queue_sizes_follow_the_previous_peak() {
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
fn exceeded_limits_are_reported_and_contained() {
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
pub fn counted<D: Device>(
    graph: &mut Loaded<D>,
    most: u32,
    inputs: impl FnOnce(u64) -> Vec<abi::NodeInput>,
) -> ([u32; 2], std::result::Result<(), RunError>) {
    counted_in(graph, most, |list| list, inputs)
}

/// Runs inputs from a list that is changed before the device reads it.
pub fn counted_in<D: Device>(
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
fn device_counted_inputs_are_checked() {
    bad_inputs_are_left_out(cpu(32, Order::Fifo));
    match wgc_runtime::vulkan::VulkanDevice::open(None) {
        Ok(device) => bad_inputs_are_left_out(device),
        Err(error) => testing::left_out(&error),
    }
}

#[test]
fn mismatched_inputs_are_rejected() {
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
fn grids_above_the_declared_maximum_are_clamped_and_reported() {
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
    let device = Recorder { page_count: Some(2), ..Recorder::default() }.around(cpu(32, Order::Fifo));
    let by_kernels = EmulatedOptions { preparation: Preparation::Device, ..EmulatedOptions::default() };
    let mut graph = Loaded::limits_with(device, by_kernels);
    // One page for the entries and one for each of two sinks.
    let (sums, result) = graph.ask(&[[2, 1, 0]]);
    assert_eq!((sums, result), ([0, 0], start_broke(abi::ERROR_ARENA, 1)));
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
fn excessive_recursion_is_reported_under_both_schedules() {
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
