//! Graphs inside an engine that owns the device, the memory and the submissions.
//!
//! Expected values are computed here from the records.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one proof for all: the engine is these tests', handles come from it and live to the end of the process, and each \
              submission is waited for"
)]

#[path = "../support/altered.rs"]
mod altered;
mod canvas;
mod engine;
mod inside;
mod meshes;
mod roots;
mod shared;
#[path = "../support/unchecked.rs"]
mod unchecked;

use engine::{Engine, take, write};
use vulkanalia::prelude::v1_2::*;
use wgc_abi::{NodeName, Package};
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_runtime::emulated::{Counted, Data, Input, LocalRootTable, RunError};
use wgc_runtime::vulkan::embed::{
    Block, Completion, Dispatch, Graph, GraphMemory, GraphStatus, Host, Inputs, Recorded, Resume, Sizes, Timestamps,
};
use wgc_runtime::vulkan::{VulkanDevice, testing};
use wgc_sema::db::Options;

const PAGE: u64 = 64 << 10;

fn compile(source: &str, plan: Settings) -> Package {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("graph.hlsl");
    std::fs::write(&path, source).unwrap();
    let session = Session::new(&[&path.to_string_lossy()], Options::default());
    session.emulated(&EmulatedOptions { plan, ..EmulatedOptions::default() }).unwrap_or_else(|e| panic!("{e:?}"))
}

/// A thread node sends each record `count` times to a node that adds them up.
const FAN: &str = r#"
RWStructuredBuffer<uint> Result;
struct Order { uint value; uint count; };
struct Item { uint value; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Fan(ThreadNodeInputRecord<Order> input, [MaxRecords(8)] NodeOutput<Item> Sum)
{
    Order order = input.Get();
    ThreadNodeOutputRecords<Item> items = Sum.GetThreadNodeOutputRecords(order.count);
    for (uint i = 0; i < min(order.count, 8); i++)
        items.Get(i).value = order.value + i;
    items.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Item> input)
{
    InterlockedAdd(Result[0], input.Get().value);
    InterlockedAdd(Result[1], 1);
}
"#;

/// Returns `count` orders as words; and the sum and the number of their items.
fn orders(count: u32) -> (Vec<u32>, Vec<u32>) {
    let orders: Vec<[u32; 2]> = (0..count).map(|i| [i * 7, i % 9]).collect();
    let items = orders.iter().flat_map(|[value, count]| (0..*count).map(move |i| value + i));
    let sums = vec![items.clone().fold(0, u32::wrapping_add), items.count() as u32];
    (orders.concat(), sums)
}

struct Fan {
    engine: Engine,
    graph: Graph,
    sizes: Sizes,
    timestamps: Option<Timestamps>,
    local_roots: Option<LocalRootTable>,
}

impl Fan {
    /// Opens with an arena of `pages` pages, and room to grow to `most`. Returns `None` without a device.
    fn open(pages: u64, most: u64) -> Option<Self> {
        let package = compile(FAN, Settings::default());
        Self::with(&package, pages, most, |engine| {
            let (instance, device) = (engine.instance.handle(), engine.device.handle());
            unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap()
        })
    }

    /// Loads a graph with the entry node of [`FAN`].
    fn with(package: &Package, pages: u64, most: u64, host: impl FnOnce(&Engine) -> Host) -> Option<Self> {
        VulkanDevice::open(None).map_err(|error| testing::left_out(&error)).ok()?;
        let engine = Engine::open();
        let layouts = [engine.set_layout];
        let graph = unsafe { Graph::load(host(&engine), package, &layouts, vk::PipelineCache::null()) }.unwrap();
        let sizes = Sizes { arena_bytes: most * PAGE, inputs: 2, record_bytes: 1 << 20 };
        let mut fan = Self { engine, graph, sizes, timestamps: None, local_roots: None };
        let memory = fan.memory(pages);
        unsafe { fan.graph.bind(sizes, memory) }.unwrap();
        let upload = fan.engine.record(|commands| unsafe { fan.graph.record_upload(commands) }.unwrap());
        fan.engine.submit(upload);
        Some(fan)
    }

    fn memory(&self, pages: u64) -> GraphMemory {
        let needs = self.graph.requirements(&self.sizes);
        assert_eq!(needs.page_bytes, PAGE);
        // New memory contains leftovers of other uses.
        let garbage = |bytes: u64| {
            let made = self.engine.buffer(bytes);
            // SAFETY: it is mapped, and has this many bytes.
            unsafe { made.pointer.write_bytes(0xdb, bytes as usize) };
            made
        };
        GraphMemory {
            state: garbage(needs.state_bytes).block,
            exchange: garbage(needs.exchange_bytes),
            arena: vec![garbage(pages * PAGE).block],
        }
    }

    fn record(&mut self, inputs: &[Input], completion: Completion) -> (vk::CommandBuffer, Result<Recorded, RunError>) {
        self.record_any(Inputs::Host(inputs), completion)
    }

    fn record_any(
        &mut self,
        inputs: Inputs,
        completion: Completion,
    ) -> (vk::CommandBuffer, Result<Recorded, RunError>) {
        let sets = [self.engine.set];
        let dispatch = Dispatch {
            inputs,
            push: &[],
            sets: &sets,
            completion,
            local_roots: self.local_roots,
            timestamps: self.timestamps,
        };
        let mut recorded = None;
        let graph = &mut self.graph;
        let commands = self.engine.record(|commands| recorded = Some(unsafe { graph.record(commands, &dispatch) }));
        (commands, recorded.unwrap())
    }

    /// Submits, and resumes until no records are pending.
    fn finish(&mut self, commands: vk::CommandBuffer) -> GraphStatus {
        self.engine.submit(commands);
        let status = self.graph.status().unwrap();
        self.resume(status)
    }

    fn resume(&mut self, mut status: GraphStatus) -> GraphStatus {
        while status.pending {
            let deepest = status.deepest;
            let resume = Resume { push: &[], sets: &[self.engine.set], sweeps: 4, deepest, timestamps: None };
            let graph = &mut self.graph;
            let commands = self.engine.record(|commands| unsafe { graph.resume(commands, &resume) }.unwrap());
            self.engine.submit(commands);
            status = self.graph.status().unwrap();
        }
        status
    }
}

fn input(data: Data, count: u32) -> Input {
    input_of("Fan", data, 8, count)
}

fn input_of<'a>(node: &str, data: Data<'a>, stride: u32, count: u32) -> Input<'a> {
    Input { node: NodeName { name: node.to_owned(), index: 0 }, data, stride, count }
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn records(status: &GraphStatus) -> Vec<u64> {
    status.instances.iter().map(|i| i.records).collect()
}

#[test]
fn host_and_device_records_rerun_in_one_pass() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    let (words, sums) = orders(300);
    let on_device = fan.engine.buffer(4096);
    write(&on_device, &words);
    let data = bytes(&words[..200]);
    let inputs = [input(Data::Bytes(&data), 100), input(Data::Address(on_device.block.address + 800), 200)];
    let (commands, recorded) = fan.record(&inputs, Completion::Either(1));
    // A page of orders; 8 items of each, 4 bytes, 16384 to a page.
    assert_eq!(recorded, Ok(Recorded { scheduled: false, pages: 2 }));
    for _ in 0..2 {
        let status = fan.finish(commands);
        assert_eq!((status.pending, status.sweeps, status.error.is_none()), (false, 0, true));
        assert_eq!(records(&status), [300, u64::from(sums[1])]);
        assert_eq!(take(&fan.engine.result, 2), sums);
    }
    // The host's copy is read only once, while recording; data on the device is read when the commands run.
    write(&on_device, &[0; 600]);
    fan.finish(commands);
    let first: Vec<u32> = orders(100).1;
    assert_eq!(take(&fan.engine.result, 2), first);
}

/// The commands are recorded once. Another dispatch of the engine could have written the records.
#[test]
fn the_device_counts_the_records() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    let (words, _) = orders(300);
    let (records, inputs, list) = (fan.engine.buffer(2400), fan.engine.buffer(48), fan.engine.buffer(24));
    write(&records, &words);
    let address = |at: u64| [at as u32, (at >> 32) as u32];
    let at = records.block.address;
    let counted = Counted { list: list.block.address, most: 2 };
    let (commands, recorded) = fan.record_any(Inputs::Device(counted), Completion::Either(1));
    assert!(recorded.unwrap().scheduled);
    for (first, second) in [(100, 20), (0, 300), (0, 0), (300, 300)] {
        let input = |count: u32| [&[0, count], &address(at)[..], &[8, 0]].concat();
        write(&inputs, &[input(first), input(second)].concat());
        write(&list, &[&[2, 0], &address(inputs.block.address)[..], &[24, 0]].concat());
        let status = fan.finish(commands);
        assert_eq!(status.error, None);
        let (one, two) = (orders(first).1, orders(second).1);
        assert_eq!(take(&fan.engine.result, 2), [one[0] + two[0], one[1] + two[1]]);
        assert_eq!(self::records(&status), [u64::from(first + second), u64::from(one[1] + two[1])]);
    }
    // Three inputs in a list with room for two.
    write(&list, &[&[3, 0], &address(inputs.block.address)[..], &[24, 0]].concat());
    let status = fan.finish(commands);
    assert_eq!(status.error, Some(RunError::CountedInput { input: 2, count: 1 }));
    let single = fan.record_any(Inputs::Device(counted), Completion::Single).1;
    assert_eq!(single.unwrap_err().to_string(), "inputs counted on the device need sweeps");
}

#[test]
fn minimum_memory_suffices_and_more_saves_sweeps() {
    let least = 2;
    let Some(mut fan) = Fan::open(least, 4 * least) else { return };
    let (words, sums) = orders(60_000);
    let data = bytes(&words);
    let inputs = [input(Data::Bytes(&data), 60_000)];
    let run = |fan: &mut Fan| {
        let (commands, recorded) = fan.record(&inputs, Completion::Either(1));
        assert!(recorded.unwrap().scheduled);
        let status = fan.finish(commands);
        assert_eq!(records(&status), [60_000, u64::from(sums[1])]);
        assert_eq!(take(&fan.engine.result, 2), sums);
        status.sweeps
    };
    let before = run(&mut fan);
    for _ in 0..3 {
        let chunk = fan.engine.buffer(least * PAGE).block;
        unsafe { fan.graph.grow(chunk) }.unwrap();
    }
    let after = run(&mut fan);
    assert!(after < before, "{before} sweeps in the least memory, {after} in four times as much");
    let chunk = fan.engine.buffer(least * PAGE).block;
    let refused = unsafe { fan.graph.grow(chunk) }.unwrap_err().to_string();
    assert_eq!(refused, "the arena exceeds the size that the graph was bound for");
}

#[test]
fn arena_chunks_added_during_a_run_are_used() {
    let least = 2;
    let Some(mut fan) = Fan::open(least, 8 * least) else { return };
    let (words, sums) = orders(60_000);
    let data = bytes(&words);
    let inputs = [input(Data::Bytes(&data), 60_000)];
    let run = |fan: &mut Fan, chunks: u32| {
        let (commands, _) = fan.record(&inputs, Completion::Sweeps(1));
        fan.engine.submit(commands);
        let status = fan.graph.status().unwrap();
        assert_eq!((status.pending, status.pages_peak <= least as u32), (true, true));
        for _ in 0..chunks {
            let chunk = fan.engine.buffer(least * PAGE).block;
            unsafe { fan.graph.grow(chunk) }.unwrap();
        }
        let status = fan.resume(status);
        assert_eq!(records(&status), [60_000, u64::from(sums[1])]);
        assert_eq!(take(&fan.engine.result, 2), sums);
        (status.sweeps, u64::from(status.pages_peak))
    };
    let (before, _) = run(&mut fan, 0);
    let (after, peak) = run(&mut fan, 7);
    assert!(
        after < before && peak > least,
        "{before} sweeps in the least memory, {after} with pages that came, {peak} used"
    );
}

#[test]
fn resubmitted_commands_continue_pending_records() {
    let Some(mut fan) = Fan::open(2, 2) else { return };
    let (words, sums) = orders(10_000);
    let data = bytes(&words);
    let (commands, _) = fan.record(&[input(Data::Bytes(&data), 10_000)], Completion::Sweeps(3));
    // And then they start over.
    for _ in 0..2 {
        let mut submissions = 0;
        let status = loop {
            fan.engine.submit(commands);
            submissions += 1;
            let status = fan.graph.status().unwrap();
            if !status.pending {
                break status;
            }
        };
        assert!(submissions > 1 && status.sweeps > 3, "{submissions} submissions, {} sweeps", status.sweeps);
        assert_eq!(records(&status), [10_000, u64::from(sums[1])]);
        assert_eq!(take(&fan.engine.result, 2), sums);
    }
}

#[test]
fn a_dispatch_waits_for_the_previous_one() {
    let Some(mut fan) = Fan::open(2, 2) else { return };
    let (words, sums) = orders(10_000);
    let on_device = fan.engine.buffer(80_000);
    write(&on_device, &words);
    let inputs = |count| [input(Data::Address(on_device.block.address), count)];
    let address = |at: u64| [at as u32, (at >> 32) as u32];
    let lists = [10_000, 20].map(|count| {
        let (one, list) = (fan.engine.buffer(24), fan.engine.buffer(24));
        write(&one, &[&[0, count], &address(on_device.block.address)[..], &[8, 0]].concat());
        write(&list, &[&[1, 0], &address(one.block.address)[..], &[24, 0]].concat());
        Inputs::Device(Counted { list: list.block.address, most: 1 })
    });
    // Both are recorded before either runs.
    let [first, second] = lists.map(|inputs| {
        let (commands, recorded) = fan.record_any(inputs, Completion::Sweeps(1));
        recorded.unwrap();
        commands
    });
    fan.engine.submit(first);
    // Records are pending: nothing of the second is launched on any submission.
    for _ in 0..3 {
        fan.engine.submit(second);
        assert_eq!(fan.graph.status(), Err(RunError::Busy));
    }
    let (_, refused) = fan.record(&inputs(20), Completion::Sweeps(1));
    assert_eq!(refused, Err(RunError::Busy));
    for _ in 0..100 {
        fan.engine.submit(first);
        if !fan.graph.is_pending() {
            break;
        }
    }
    assert_eq!(take(&fan.engine.result, 2), sums);
    let status = fan.finish(second);
    assert_eq!((status.error, take(&fan.engine.result, 2)), (None, orders(20).1));

    // Abandons the first: the next dispatch starts from a clean state.
    let (first, _) = fan.record(&inputs(10_000), Completion::Sweeps(1));
    fan.engine.submit(first);
    assert!(fan.graph.status().unwrap().pending);
    let upload = fan.engine.record(|commands| unsafe { fan.graph.record_upload(commands) }.unwrap());
    fan.engine.submit(upload);
    take(&fan.engine.result, 2);
    let (second, recorded) = fan.record(&inputs(20), Completion::Sweeps(1));
    recorded.unwrap();
    fan.finish(second);
    assert_eq!(take(&fan.engine.result, 2), orders(20).1);
}

#[test]
fn recommended_arena_size() {
    let Some(fan) = Fan::open(4, 4) else { return };
    let ask =
        |count, most| fan.graph.recommended_arena(&[(NodeName { name: "Fan".to_owned(), index: 0 }, count)], most);
    // 8 pages of orders and 30 of items; otherwise all that is available, at most 256 MiB, and at least the two
    // required ones.
    assert_eq!(ask(60_000, 64 * PAGE), Ok(38 * PAGE));
    assert_eq!(ask(60_000, 37 * PAGE + 1), Ok(37 * PAGE));
    assert_eq!(ask(60_000_000, 1 << 30), Ok(256 << 20));
    assert_eq!(ask(1, PAGE), Err(RunError::LeastArena { needed: 2 * PAGE, limit: PAGE }));
}

#[test]
fn oversized_dispatches_are_rejected_before_recording() {
    let Some(mut fan) = Fan::open(4, 4) else { return };
    let (words, _) = orders(60_000);
    let data = bytes(&words);
    // 8 pages of orders and 30 of items.
    let (_, refused) = fan.record(&[input(Data::Bytes(&data), 60_000)], Completion::Single);
    assert_eq!(refused, Err(RunError::Arena { needed: 38 * PAGE, limit: 4 * PAGE }));
    let one = [input(Data::Bytes(&data), 1), input(Data::Bytes(&data), 1), input(Data::Bytes(&data), 1)];
    let (_, refused) = fan.record(&one, Completion::Either(1));
    assert_eq!(
        refused.unwrap_err().to_string(),
        "3 inputs of 24 bytes, but the graph was bound for 2 of 1048832 bytes"
    );
    let (_, refused) = fan.record(&[input(Data::Address(0x1002), 1)], Completion::Either(1));
    let message = "records of Fan at address 0x1002 with a stride of 8 bytes: both must be multiples of 4";
    assert_eq!(refused.unwrap_err().to_string(), message);

    let good = fan.memory(4);
    let needs = fan.graph.requirements(&fan.sizes);
    let mut bind = |change: fn(&mut GraphMemory)| {
        let mut memory = good.clone();
        change(&mut memory);
        unsafe { fan.graph.bind(fan.sizes, memory) }.unwrap_err().to_string()
    };
    let state = bind(|memory| memory.state.bytes -= 1);
    let bytes = needs.state_bytes;
    assert_eq!(state, format!("the block state has {} bytes, but the graph needs {bytes}", bytes - 1));
    let exchange = bind(|memory| memory.exchange.block.address += 4);
    assert_eq!(exchange, "the block exchange must begin at a multiple of 256 bytes");
    let odd = bind(|memory| memory.arena[0].bytes -= 8);
    assert_eq!(odd, "chunks of the arena must have the same size, a multiple of a page");
    let none = bind(|memory| memory.arena = Vec::<Block>::new());
    assert_eq!(none, "this graph needs at least 131072 bytes of graph memory in a scheduled run; the limit is 0");
}

#[test]
fn a_node_that_exceeds_its_limit_is_named_and_others_run() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    // 9 items with a maximum of 8: 8 are granted.
    let data = bytes(&[100, 9, 1, 2]);
    let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 2)], Completion::Single);
    recorded.unwrap();
    let status = fan.finish(commands);
    let error = status.error.as_ref().map(ToString::to_string);
    let expected = "node Fan (level 0): it requested more records than MaxRecords of its output (output 0)";
    assert_eq!(error.as_deref(), Some(expected));
    assert_eq!(status.reports.errors, status.error.into_iter().collect::<Vec<_>>());
    assert_eq!(take(&fan.engine.result, 2), [100 * 8 + 28 + 1 + 2, 10]);
}

/// Each error is named, whether the host or the kernels prepared the dispatch, and also when the commands are submitted
/// again.
#[test]
fn every_dispatch_error_names_its_node() {
    const WRONG: &str = r#"
RWStructuredBuffer<uint> Result;
struct Order { uint value; uint count; };
struct Grid { uint groups : SV_DispatchGrid; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Fan(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] NodeOutput<Grid> Wide, [MaxRecords(2)] NodeOutput<Order> Next)
{
    ThreadNodeOutputRecords<Grid> grid = Wide.GetThreadNodeOutputRecords(1);
    grid.Get().groups = input.Get().value;
    grid.OutputComplete();
    uint count = input.Get().count;
    ThreadNodeOutputRecords<Order> orders = Next.GetThreadNodeOutputRecords(count);
    for (uint i = 0; i < min(count, 2); i++)
        orders.Get(i).count = count;
    orders.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Next(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] [NodeArraySize(8)] [AllowSparseNodes] NodeOutputArray<Order> Last)
{
    ThreadNodeOutputRecords<Order> order = Last[input.Get().count].GetThreadNodeOutputRecords(1);
    order.Get().count = 1;
    order.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void Wide(DispatchNodeInputRecord<Grid> input) { InterlockedAdd(Result[0], 1); }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Last", 1)]
void Last(ThreadNodeInputRecord<Order> input) { InterlockedAdd(Result[1], 1); }
"#;
    let host = |engine: &Engine| {
        let (instance, device) = (engine.instance.handle(), engine.device.handle());
        unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap()
    };
    let Some(mut fan) = Fan::with(&compile(WRONG, Settings::default()), 64, 64, host) else { return };
    let expected = [
        "node Fan (level 0): it requested more records than MaxRecords of its output (output 1)",
        "node Next (level 0): it requested records of a node that does not exist (output 0)",
    ];
    // {groups, records}: valid; then too many of each, so that the next node uses an output that does not exist.
    let words = [2, 1, 3, 5];
    let on_device = fan.engine.buffer(16);
    write(&on_device, &words);
    let data = bytes(&words);
    for (data, completion) in [
        (Data::Bytes(&data), Completion::Single),
        (Data::Address(on_device.block.address), Completion::Single),
        (Data::Bytes(&data), Completion::Sweeps(1)),
    ] {
        let (commands, recorded) = fan.record(&[input(data, 2)], completion);
        recorded.unwrap();
        for _ in 0..2 {
            let status = fan.finish(commands);
            let errors: Vec<String> = status.reports.errors.iter().map(ToString::to_string).collect();
            assert_eq!(
                (&errors[..], status.reports.count, status.reports.unlisted),
                (&expected.map(str::to_owned)[..], 3, false)
            );
            let cut: Vec<&str> = status.reports.cut_grids.iter().map(|cut| cut.node.name.as_str()).collect();
            assert_eq!((cut, status.grid_clamped), (vec!["Wide"], true));
            assert_eq!(take(&fan.engine.result, 2), [2 + 2, 1]);
        }
    }
}
