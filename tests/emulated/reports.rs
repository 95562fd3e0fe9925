//! Reports of a dispatch with several errors. Each error is reported once, with node and output, and no error hides a
//! later one.

use super::{Loaded, compile_with, cpu, scheduled};
use std::fmt::Write;
use wgc_abi::tables::ABSENT;
use wgc_abi::{NodeName, device as abi};
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::cpu::Order;
use wgc_runtime::device::Device;
use wgc_runtime::emulated::{CutGrid, Data, EmulatedOptions, GraphError, Input, Preparation, Reports, RunError};
use wgc_runtime::vulkan::testing;

/// Bits of an order, one for each error of the shader.
const FIRST_ASKS: u32 = 1;
const NOBODY: u32 = 2;
const SECOND_ASKS: u32 = 4;
const WIDE: u32 = 8;

const SHADER: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Order { uint what; };
struct Item { uint value; };
struct Grid { uint groups : SV_DispatchGrid; uint unused; };

[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] NodeOutput<Grid> Spread, [MaxRecords(1)] NodeOutput<Order> Second,
           [MaxRecords(2)] [NodeID("Sum")] NodeOutput<Item> few)
{
    uint what = input.Get().what;
    ThreadNodeOutputRecords<Grid> grid = Spread.GetThreadNodeOutputRecords(1);
    grid.Get().groups = (what & 8) != 0 ? 9 : 2;
    grid.OutputComplete();
    ThreadNodeOutputRecords<Order> order = Second.GetThreadNodeOutputRecords(1);
    order.Get().what = what;
    order.OutputComplete();
    uint count = (what & 1) != 0 ? 3 : 1;
    ThreadNodeOutputRecords<Item> items = few.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
        items.Get(i).value = 1;
    items.OutputComplete();
}

[Shader("node")] [NodeLaunch("thread")]
void Second(ThreadNodeInputRecord<Order> input, [MaxRecords(2)] [NodeID("Sum")] NodeOutput<Item> few,
            [MaxRecords(1)] [NodeArraySize(3)] [AllowSparseNodes] [NodeID("Sum")] NodeOutputArray<Item> any)
{
    uint what = input.Get().what;
    uint count = (what & 4) != 0 ? 5 : 0;
    ThreadNodeOutputRecords<Item> items = few.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < count; i++)
        items.Get(i).value = 1;
    items.OutputComplete();
    ThreadNodeOutputRecords<Item> item = any[(what & 2) != 0 ? 1 : 2].GetThreadNodeOutputRecords(1);
    item.Get().value = 1;
    item.OutputComplete();
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(3, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Spread(DispatchNodeInputRecord<Grid> input) { InterlockedAdd(Result[0], 1); }

[Shader("node")] [NodeLaunch("thread")] [NodeID("Sum", 0)]
void Sum0(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[1], input.Get().value); }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Sum", 2)]
void Sum2(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[2], input.Get().value); }
"#;

fn node(name: &str, index: u32) -> NodeName {
    NodeName { name: name.to_owned(), index }
}

/// Returns the expected results and reports of the orders; `grids` are the host's own for `Spread`.
fn expected(orders: &[u32], grids: &[u32]) -> ([u32; 3], Reports) {
    let with = |bit: u32| orders.iter().filter(|what| *what & bit != 0).count() as u32;
    let all = orders.len() as u32;
    let cut = grids.iter().map(|groups| groups.min(&3)).sum::<u32>();
    let sums = [
        2 * all + with(WIDE) + cut,
        // One each from the first node, or the two that it may send, and from the second the two that it may send.
        all + with(FIRST_ASKS) + 2 * with(SECOND_ASKS),
        all - with(NOBODY),
    ];
    let broken = [
        (FIRST_ASKS, "First", abi::ERROR_MAX_RECORDS, 2),
        (SECOND_ASKS, "Second", abi::ERROR_MAX_RECORDS, 0),
        (NOBODY, "Second", abi::ERROR_ABSENT, 1),
    ];
    let error = |&(_, name, code, output): &(u32, &str, u32, u32)| {
        RunError::Graph(GraphError { code, node: node(name, 0), level: 0, output, past_recursion: false, count: 1 })
    };
    let is_cut = with(WIDE) != 0 || grids.iter().any(|groups| *groups > 3);
    let reports = Reports {
        errors: broken.iter().filter(|(bit, ..)| with(*bit) != 0).map(error).collect(),
        count: broken.iter().map(|(bit, ..)| with(*bit)).sum(),
        cut_grids: is_cut.then(|| CutGrid { node: node("Spread", 0), level: 0 }).into_iter().collect(),
        unlisted: false,
    };
    (sums, reports)
}

fn each_thing_is_reported(device: impl Device, options: EmulatedOptions, atomics64: bool) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("reports.hlsl");
    std::fs::write(&shader, SHADER).expect("the shader can be written");
    let plan = Settings { page_bytes: 1 << 10, atomics64, ..Settings::default() };
    let mut graph = Loaded::with(device, &shader, plan, options);
    let everything: Vec<u32> = (0..200).map(|i| i % 16).collect();
    let cases: [(&[u32], &[u32]); 9] = [
        (&[0, 0, 0], &[1]),
        (&[FIRST_ASKS, 0, FIRST_ASKS], &[]),
        (&[NOBODY], &[3]),
        // Another output of the previous node.
        (&[NOBODY, SECOND_ASKS], &[]),
        (&[FIRST_ASKS | NOBODY], &[]),
        (&[WIDE], &[]),
        (&[], &[4, 0]),
        (&[SECOND_ASKS], &[2, 4, 3]),
        (&everything, &[7]),
    ];
    for (orders, grids) in cases {
        graph.device.write_buffer(graph.result, 0, &[0; 12]).unwrap();
        let bytes = |words: &[u32]| words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
        let (orders_data, grids_data) = (bytes(orders), bytes(&grids.iter().flat_map(|&g| [g, 0]).collect::<Vec<_>>()));
        let input = |name, data, stride: u32, count: usize| Input {
            node: node(name, 0),
            data: Data::Bytes(data),
            stride,
            count: count as u32,
        };
        let inputs = [input("First", &orders_data, 4, orders.len()), input("Spread", &grids_data, 8, grids.len())];
        let ran = graph.graph.dispatch(&mut graph.device, &inputs, &[]);
        let mut sums = [0; 12];
        graph.device.read_buffer(graph.result, 0, &mut sums).unwrap();
        let sums = [0, 1, 2].map(|at| u32::from_le_bytes(sums.as_chunks::<4>().0[at]));
        let (left, reports) = expected(orders, grids);
        assert_eq!((sums, graph.graph.reports()), (left, &reports), "{orders:?} {grids:?}");
        // The dispatch ends with the first of them, which includes their number.
        match ran {
            Ok(report) => {
                assert!(reports.errors.is_empty());
                assert_eq!(report.grid_clamped, !reports.cut_grids.is_empty());
            }
            Err(RunError::Graph(error)) => {
                assert_eq!(error.count, reports.count);
                assert!(reports.errors.contains(&RunError::Graph(GraphError { count: 1, ..error })));
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The kernels prepare the run.
fn by_kernels() -> EmulatedOptions {
    EmulatedOptions { preparation: Preparation::Device, ..EmulatedOptions::default() }
}

#[test]
fn every_dispatch_error_is_reported() {
    each_thing_is_reported(cpu(32, Order::Fifo), EmulatedOptions::default(), true);
    each_thing_is_reported(cpu(4, Order::Lifo), by_kernels(), true);
    each_thing_is_reported(cpu(8, Order::Random(5)), scheduled(1, false), true);
    each_thing_is_reported(cpu(32, Order::Fifo), by_kernels(), false);
    each_thing_is_reported(cpu(32, Order::Fifo), scheduled(3, false), false);
}

#[test]
fn every_dispatch_error_is_reported_on_vulkan() {
    for options in [EmulatedOptions::default(), by_kernels(), scheduled(1, false)] {
        if let Some(device) = testing::device() {
            each_thing_is_reported(device, options, true);
        }
    }
}

/// More nodes than a status has room for. Each of them has its grid cut, and requests too many records.
fn check_status_overflow(device: impl Device, options: EmulatedOptions) {
    const NODES: u32 = 40;
    let mut text = "RWStructuredBuffer<uint> Result : register(u0);\nstruct Item { uint value; };\n\
                    struct Grid { uint groups : SV_DispatchGrid; uint count; };\n\
                    [Shader(\"node\")] [NodeLaunch(\"thread\")]\n\
                    void Sum(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[0], input.Get().value); }\n"
        .to_owned();
    for n in 0..NODES {
        write!(
            text,
            "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)]\n\
             [NodeIsProgramEntry] [NodeID(\"Many\", {n})]\n\
             void Many{n}(DispatchNodeInputRecord<Grid> input, [MaxRecords(1)] NodeOutput<Item> Sum)\n\
             {{\n    ThreadNodeOutputRecords<Item> item = Sum.GetThreadNodeOutputRecords(input.Get().count);\n\
             item.Get().value = 1;\n    item.OutputComplete();\n}}\n"
        )
        .expect("a string takes it");
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("many.hlsl");
    std::fs::write(&shader, text).expect("the shader can be written");
    let mut graph = Loaded::with(device, &shader, Settings::default(), options);
    // Groups requested by each node, nodes, and listed entries.
    for (groups, nodes, errors, cut, unlisted) in
        [(1, 32, 32, 0, false), (1, NODES, 32, 0, true), (2, 16, 16, 16, false), (2, 20, 16, 16, true)]
    {
        let data: Vec<u8> = [groups, 2].iter().flat_map(|word: &u32| word.to_le_bytes()).collect();
        let input = |index| Input { node: node("Many", index), data: Data::Bytes(&data), stride: 0, count: 1 };
        let inputs: Vec<Input> = (0..nodes).map(input).collect();
        let ran = graph.graph.dispatch(&mut graph.device, &inputs, &[]);
        assert!(matches!(ran, Err(RunError::Graph(error)) if error.count == nodes));
        let found = graph.graph.reports();
        assert_eq!((found.errors.len(), found.cut_grids.len(), found.unlisted), (errors, cut, unlisted));
        let mut names: Vec<&NodeName> = found.cut_grids.iter().map(|cut| &cut.node).collect();
        names.extend(found.errors.iter().filter_map(|error| match error {
            RunError::Graph(error) if (error.code, error.output) == (abi::ERROR_MAX_RECORDS, 0) => Some(&error.node),
            _ => None,
        }));
        assert_eq!(names.len(), errors + cut);
        // No entry is listed twice.
        names[cut..].sort_unstable_by_key(|name| name.index);
        names[..cut].sort_unstable_by_key(|name| name.index);
        assert!(
            names[cut..].windows(2).all(|two| two[0] != two[1]) && names[..cut].windows(2).all(|two| two[0] != two[1])
        );
        let expected = match nodes as usize - errors {
            0 if !unlisted => String::new(),
            rest => format!("{rest} more errors, and some kinds are not listed"),
        };
        assert_eq!(found.rest(), expected);
    }
}

#[test]
fn status_overflow_is_reported() {
    for options in [EmulatedOptions::default(), by_kernels(), scheduled(1, false)] {
        check_status_overflow(cpu(32, Order::Fifo), options);
    }
}

/// If a launch would have too many workgroups, the report names the consumer, not the producer of the last record.
#[test]
fn excess_workgroups_are_attributed_to_the_consumer() {
    const LARGE: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Item { uint2 grid : SV_DispatchGrid; };
struct Count { uint count; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Send(ThreadNodeInputRecord<Count> input, [MaxRecords(1)] NodeOutput<Item> Wide)
{
    ThreadNodeOutputRecords<Item> item = Wide.GetThreadNodeOutputRecords(1);
    item.Get().grid = uint2(4097, input.Get().count);
    item.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4097, 4095, 1)] [NumThreads(1, 1, 1)]
void Wide(DispatchNodeInputRecord<Item> input) { InterlockedAdd(Result[0], 1); }
"#;
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("large.hlsl");
    std::fs::write(&shader, LARGE).expect("the shader can be written");
    for atomics64 in [true, false] {
        let (_, package) = compile_with(&shader, Settings { atomics64, ..Settings::default() });
        assert_eq!(package.manifest.instances[1].node, node("Wide", 0));
        let device =
            super::Recorder { left_out: Some("Wide"), ..super::Recorder::default() }.around(cpu(32, Order::Fifo));
        let plan = Settings { atomics64, ..Settings::default() };
        let mut graph = Loaded::with(device, &shader, plan, EmulatedOptions::default());
        // 127 grids of 2^24 - 1 workgroups are within 65535 * 32768, 128 are not.
        let data: Vec<u8> = [4095u32].iter().flat_map(|word| word.to_le_bytes()).collect();
        let mut ask = |count| {
            let input = Input { node: node("Send", 0), data: Data::Bytes(&data), stride: 0, count };
            graph.graph.dispatch(&mut graph.device, &[input], &[]).map(drop)
        };
        let code = abi::ERROR_GROUPS;
        let error = GraphError { code, node: node("Wide", 0), level: 0, output: 0, past_recursion: false, count: 1 };
        assert_eq!((ask(127), ask(128)), (Ok(()), Err(RunError::Graph(error))));
    }
}

#[test]
fn reports_format_as_text() {
    let error = |output| {
        let (code, node) = (abi::ERROR_RECORD, node("Make", 1));
        RunError::Graph(GraphError { code, node, level: 2, output, past_recursion: false, count: 1 })
    };
    let reports = Reports { errors: vec![error(0), error(ABSENT)], count: 5, ..Reports::default() };
    let expected = "node Make[1] (level 2): it used a record beyond its last one (output 0)\n\
                    node Make[1] (level 2): it used a record beyond its last one (input); 3 more errors of these kinds";
    assert_eq!(reports.to_string(), expected);
}
