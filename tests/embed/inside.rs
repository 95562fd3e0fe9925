//! The inside of a graph from an engine's view: timestamps in its own queries, labels in its command buffers, guards.

use super::engine::{Engine, take};
use super::{FAN, Fan, bytes, compile, input, orders, unchecked};
use std::ffi::{CStr, c_char};
use std::sync::Mutex;
use vulkanalia::prelude::v1_2::*;
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{Data, GuardError, RunError};
use wgc_runtime::vulkan::embed::{Completion, Host};

fn host(engine: &Engine) -> Host {
    let (instance, device) = (engine.instance.handle(), engine.device.handle());
    unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap()
}

#[test]
fn timestamps_are_written_to_engine_query_pools() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    let (words, _) = orders(300);
    let data = bytes(&words);
    let nodes = ["Fan", "Sum"];
    // The host has written the initial records.
    let in_one_pass = nodes.to_vec();
    // A stage each: the second follows directly, so `sched` runs only before the first.
    let in_sweeps =
        [&["begin", "inject", "sched"], &nodes[..], &["begin", "inject", "sched"], &nodes[..], &["end"]].concat();
    for (sweeps, completion, labels) in [(0, Completion::Single, in_one_pass), (2, Completion::Sweeps(2), in_sweeps)] {
        let most = fan.graph.most_timestamps(sweeps);
        fan.timestamps = Some(fan.engine.queries(labels.len() as u32));
        let (_, recorded) = fan.record(&[input(Data::Bytes(&data), 300)], completion);
        let message =
            format!("{0} timestamps are needed, but there are only {1} queries", labels.len() + 1, labels.len());
        assert_eq!(recorded, Err(RunError::Given(message)));
        let timestamps = fan.engine.queries(most);
        fan.timestamps = Some(timestamps);
        let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 300)], completion);
        recorded.unwrap();
        let marks = fan.graph.marks().to_vec();
        assert_eq!(marks.iter().map(|mark| mark.label.as_str()).collect::<Vec<_>>(), labels);
        let fans = marks.iter().find(|mark| mark.label == "Sum").unwrap();
        assert_eq!((fans.instance, fans.stage), (Some(1), Some(1)));
        assert!(marks.iter().all(|mark| mark.instance.is_some() == nodes.contains(&mark.label.as_str())));
        assert!((marks.len() as u32) < most, "with kernels where records lie on the device");
        fan.finish(commands);
        let ticks = fan.engine.ticks(timestamps, marks.len() + 1);
        assert!(ticks.is_sorted() && ticks.first() < ticks.last(), "{ticks:?}");
    }
}

/// A refused dispatch leaves the previous recording intact, and a dispatch that has not run has no status yet.
#[test]
fn rejected_dispatches_keep_the_previous_recording() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    let (words, sums) = orders(300);
    let (data, other) = (bytes(&words), bytes(&orders(7).0));
    let early = Err(RunError::Early("the last dispatch is not complete yet"));
    let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 300)], Completion::Single);
    recorded.unwrap();
    assert_eq!(fan.graph.status().map(|status| status.sweeps), early);
    fan.finish(commands);
    assert_eq!(take(&fan.engine.result, 2), sums);
    fan.timestamps = Some(fan.engine.queries(1));
    let (_, refused) = fan.record(&[input(Data::Bytes(&other), 7)], Completion::Single);
    assert!(matches!(refused, Err(RunError::Given(_))), "{refused:?}");
    assert_eq!(fan.finish(commands).error, None);
    assert_eq!(take(&fan.engine.result, 2), sums);
    fan.timestamps = None;
    let (commands, recorded) = fan.record(&[input(Data::Bytes(&other), 7)], Completion::Single);
    recorded.unwrap();
    assert_eq!(fan.graph.status().map(|status| status.sweeps), early);
    fan.finish(commands);
}

/// The recorded labels, and their ends.
static LABELS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static REAL: Mutex<Option<vk::PFN_vkGetInstanceProcAddr>> = Mutex::new(None);

unsafe extern "system" fn begin_label(_: vk::CommandBuffer, info: *const vk::DebugUtilsLabelEXT) {
    let name = unsafe { CStr::from_ptr((*info).label_name) };
    LABELS.lock().unwrap().push(name.to_str().unwrap().to_owned());
}

unsafe extern "system" fn end_label(_: vk::CommandBuffer) {
    LABELS.lock().unwrap().push("end".to_owned());
}

/// Returns the loader's functions, except for labels: the instance lacks those, so they are intercepted here.
unsafe extern "system" fn get(instance: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    match unsafe { CStr::from_ptr(name) }.to_bytes() {
        b"vkCmdBeginDebugUtilsLabelEXT" => Some(unsafe {
            std::mem::transmute::<vk::PFN_vkCmdBeginDebugUtilsLabelEXT, unsafe extern "system" fn()>(begin_label)
        }),
        b"vkCmdEndDebugUtilsLabelEXT" => Some(unsafe {
            std::mem::transmute::<vk::PFN_vkCmdEndDebugUtilsLabelEXT, unsafe extern "system" fn()>(end_label)
        }),
        _ => unsafe { REAL.lock().unwrap().unwrap()(instance, name) },
    }
}

#[test]
fn stages_and_instances_have_labels() {
    let labelled = |engine: &Engine| {
        *REAL.lock().unwrap() = Some(engine.get_instance_proc_addr);
        let (instance, device) = (engine.instance.handle(), engine.device.handle());
        unsafe { Host::new(get, instance, engine.physical, device) }.unwrap().with_labels()
    };
    let Some(mut fan) = Fan::with(&compile(FAN, Settings::default()), 64, 64, labelled) else { return };
    let (words, _) = orders(300);
    LABELS.lock().unwrap().clear();
    let (_, recorded) = fan.record(&[input(Data::Bytes(&bytes(&words)), 300)], Completion::Single);
    recorded.unwrap();
    let stage = |number: &'static str, node: &'static str| [number, node, "end", "end"];
    let stages = [stage("stage 0", "Fan"), stage("stage 1", "Sum")].concat();
    assert_eq!(*LABELS.lock().unwrap(), stages);
    // The kernels read records that are on the device.
    LABELS.lock().unwrap().clear();
    let on_device = fan.engine.buffer(4096).block.address;
    let (_, recorded) = fan.record(&[input(Data::Address(on_device), 300)], Completion::Single);
    recorded.unwrap();
    assert_eq!(*LABELS.lock().unwrap(), [&["prep", "end", "inject", "end"][..], &stages].concat());
}

/// A variant of [`FAN`] with one item for each order. The item is written at the index in the order, which is not
/// checked; there are two elements.
const OVERRUN: &str = r#"
RWStructuredBuffer<uint> Result;
struct Order { uint value; uint count; };
struct Item { uint data[2]; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Fan(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] NodeOutput<Item> Sum)
{
    ThreadNodeOutputRecords<Item> item = Sum.GetThreadNodeOutputRecords(1);
    item.Get().data[0] = input.Get().value;
    item.Get().data[input.Get().count] = input.Get().value;
    item.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Result[0], input.Get().data[0]); }
"#;

#[test]
fn guards_detect_writes_past_the_end_of_records() {
    let dir = tempfile::tempdir().unwrap();
    let shader = dir.path().join("overrun.hlsl");
    std::fs::write(&shader, OVERRUN).unwrap();
    let package = unchecked::package(&shader, Settings { guarded: true, ..Settings::default() });
    let Some(mut fan) = Fan::with(&package, 16, 16, host) else { return };
    fan.graph.poison().unwrap();
    let orders = |at: u32| -> Vec<u8> {
        bytes(&(0..100).flat_map(|i| [i, if i == 50 { at } else { i % 2 }]).collect::<Vec<_>>())
    };
    let node = |name: &str| NodeName { name: name.to_owned(), index: 0 };
    for completion in [Completion::Single, Completion::Sweeps(1)] {
        let (commands, _) = fan.record(&[input(Data::Bytes(&orders(1)), 100)], completion);
        assert_eq!(fan.finish(commands).error, None, "{completion:?}");
        assert_eq!(take(&fan.engine.result, 1), [(0..100).sum::<u32>()], "{completion:?}");
        let (commands, _) = fan.record(&[input(Data::Bytes(&orders(2)), 100)], completion);
        let found = GuardError { overrun: true, node: node("Fan"), level: 0, queue: 1, target: node("Sum"), count: 1 };
        assert_eq!(fan.finish(commands).error, Some(RunError::Guard(found)), "{completion:?}");
        assert_eq!(take(&fan.engine.result, 1), [(0..100).sum::<u32>()], "nothing else is harmed");
    }
    let Some(mut fan) = Fan::open(4, 4) else { return };
    assert_eq!(fan.graph.poison(), Err(RunError::NoGuards));
}
