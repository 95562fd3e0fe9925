//! Guards and filled pages. Graphs that stay within their records run as without guards. Planted faults are found, with
//! their node and queue.

use super::planted::{Fault, Planted};
use super::records::{Setup, check, one_pass, scheduled, spilling};
use super::{compile, cpu, folder, unchecked};
use wgc_abi::{NodeName, Package};
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::cpu::Order;
use wgc_runtime::device::{Device, ResourceBinding, Resources};
use wgc_runtime::emulated::{Data, EmulatedGraph, EmulatedOptions, GuardError, Input, Memory, RunError};
use wgc_runtime::vulkan::testing;

fn guarded(setup: Setup) -> Setup {
    let plan = Settings { guarded: true, ..setup.plan };
    Setup { plan, options: EmulatedOptions { poison: true, ..setup.options } }
}

#[test]
fn record_guards_do_not_affect_correct_graphs() {
    let in_one_pass = ["arrays", "chain", "grids"].map(|name| (name, one_pass()));
    let in_sweeps = ["chain", "counts", "grids"].map(|name| (name, scheduled(2)));
    let spilled = [Memory::Tight, Memory::Least(100)].map(|memory| ("spill", spilling(memory)));
    for (name, setup) in in_one_pass.into_iter().chain(in_sweeps).chain(spilled) {
        check(name, guarded(setup), cpu(Order::Fifo));
        if let Some(device) = testing::device() {
            check(name, guarded(setup), device);
        }
    }
}

#[test]
fn poison_requires_a_package_with_guards() {
    let (_, package) = compile(&folder().join("../emulated/bits.hlsl"), Settings::default());
    let options = EmulatedOptions { poison: true, ..EmulatedOptions::default() };
    let loaded = EmulatedGraph::load(&mut cpu(Order::Fifo), &package, None, options);
    assert_eq!(loaded.map(|_| ()), Err(RunError::NoGuards));
}

/// Runs 12 records {i, last for one of them} of the entry node; returns the result.
fn run(
    mut device: impl Device,
    package: &Package,
    setup: Setup,
    node: &str,
    words: usize,
    last: u32,
) -> Result<(), RunError> {
    run_on(&mut device, package, setup, node, words, last)
}

fn run_on(
    device: &mut dyn Device,
    package: &Package,
    setup: Setup,
    node: &str,
    words: usize,
    last: u32,
) -> Result<(), RunError> {
    let result = device.create_buffer(32).unwrap();
    let resources = Resources::StorageBuffers(vec![result]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).unwrap();
    let mut graph = EmulatedGraph::load(device, package, Some(bindings), setup.options).unwrap();
    let record = |i: u32| [i, if i == 5 { last } else { 0 }].into_iter().take(words);
    let data: Vec<u8> = (0..12).flat_map(record).flat_map(u32::to_le_bytes).collect();
    let node = NodeName { name: node.to_owned(), index: 0 };
    let stride = 4 * words as u32;
    graph.dispatch(device, &[Input { node, data: Data::Bytes(&data), stride, count: 12 }], &[]).map(|_| ())
}

fn found(overrun: bool, node: &str, queue: u32, target: &str, count: u32) -> Result<(), RunError> {
    let name = |name: &str| NodeName { name: name.to_owned(), index: 0 };
    Err(RunError::Guard(GuardError { overrun, node: name(node), level: 0, queue, target: name(target), count }))
}

/// `Make` writes to the element of its output that the record names, `Touch` to that of its input. There are elements 0
/// and 1, and the index is not checked.
const OVERRUN: &str = r#"
RWStructuredBuffer<uint> Result : register(u0);
struct Order { uint value; uint element; };
struct Item { uint data[2]; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Make(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<Item> Touch)
{
    ThreadNodeOutputRecords<Item> item = Touch[0].GetThreadNodeOutputRecords(1);
    item.Get().data[0] = input.Get().value;
    item.Get().data[1] = 0;
    item.Get().data[input.Get().element] = 1;
    item.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeID("Touch", 0)]
[NodeIsProgramEntry]
void TouchZero(RWDispatchNodeInputRecord<Item> input)
{
    input.Get().data[input.Get().data[1]] = 1;
    InterlockedAdd(Result[0], 1);
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeID("Touch", 1)]
void TouchOne(RWDispatchNodeInputRecord<Item> input) { InterlockedAdd(Result[1], input.Get().data[0]); }
"#;

fn overrun(setup: Setup) -> Package {
    let dir = tempfile::tempdir().unwrap();
    let shader = dir.path().join("overrun.hlsl");
    std::fs::write(&shader, OVERRUN).unwrap();
    unchecked::package(&shader, setup.plan)
}

#[test]
fn guards_detect_writes_after_a_record() {
    for setup in [one_pass(), scheduled(2), spilling(Memory::Tight), spilling(Memory::Least(2))].map(guarded) {
        let package = overrun(setup);
        for node in ["Make", "Touch"] {
            let Some(device) = testing::device() else { return };
            assert_eq!(run(device, &package, setup, node, 2, 1), Ok(()), "{node}, {:?}", setup.options);
            let Some(device) = testing::device() else { return };
            let found = found(true, node, 1, "Touch", 1);
            assert_eq!(run(device, &package, setup, node, 2, 2), found, "{node}, {:?}", setup.options);
        }
    }
}

/// On the CPU device no shader can write that far, because the device checks the bounds of arrays. So the test changes
/// the word itself.
#[test]
fn cpu_guards_detect_changes_after_a_record() {
    for setup in [one_pass(), scheduled(2)].map(guarded) {
        let package = overrun(setup);
        let mut device = cpu(Order::Fifo);
        assert_eq!(run_on(&mut device, &package, setup, "Make", 2, 2), Ok(()));
        let findings = device.take_findings().unwrap();
        assert!(findings.iter().any(|f| f.code == "WG4001" && f.message.starts_with("Make")), "{findings:?}");
        // After the fourth record of eight bytes: records are twelve bytes apart.
        for (place, expected) in [(3 * 12 + 8, found(true, "Make", 1, "Touch", 1)), (3 * 12 + 4, Ok(()))] {
            let device = Planted::on(cpu(Order::Fifo), "Make", 1, Fault::Word(place));
            assert_eq!(run(device, &package, setup, "Make", 2, 1), expected, "{place}");
        }
    }
}

/// The page table places the records of Twice in a free page (in sweeps), or in a page of Start (in one pass).
#[test]
fn guards_detect_records_in_free_or_foreign_pages() {
    let shader = folder().join("../emulated/chain.hlsl");
    for setup in [scheduled(400), one_pass()].map(guarded) {
        let (_, package) = compile(&shader, setup.plan);
        let judge = |result: Result<(), RunError>| match result {
            Err(RunError::Guard(error)) => {
                // Each of 12 records, as often as it was checked.
                assert!(error.count >= 12 && error.count.is_multiple_of(12), "{error}");
                assert_eq!(
                    Err(RunError::Guard(GuardError { count: 1, ..error })),
                    found(false, "Twice", 1, "Twice", 1)
                );
            }
            other => panic!("{other:?}"),
        };
        judge(run(Planted::on(cpu(Order::Fifo), "Start", 1, Fault::Page), &package, setup, "Start", 1, 0));
        if let Some(device) = testing::device() {
            judge(run(Planted::on(device, "Start", 1, Fault::Page), &package, setup, "Start", 1, 0));
        }
    }
}
