//! Lost devices and refused memory, at any call. The runtime reports the memory that it needed, frees the memory that
//! it has, continues if it can, and never returns wrong results.
#![cfg(all(unix, target_pointer_width = "64"))]

mod driver;

use driver::{Faults, allocated, calls, fail, failed};
use std::sync::{Mutex, MutexGuard, PoisonError};
use vulkanalia::vk::ErrorCode;
use wgc_abi::{NodeName, Package};
use wgc_backend_spirv::emulated::EmulatedOptions as Compiled;
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{
    BindingsId, BufferId, Cause, Device, DeviceError, ImageDesc, ImageFormat, ResourceBinding, Resources,
};
use wgc_runtime::emulated::{ArenaLimits, Data, EmulatedGraph, EmulatedOptions, Input, RunError, RunReport};
use wgc_runtime::vulkan::{VulkanDevice, testing};
use wgc_sema::db::Options;

/// Each record becomes eight, and all of them are added up.
const GRAPH: &str = r#"
RWStructuredBuffer<uint> Result;
struct R { uint value; };
struct Wide { uint value; uint more[63]; };
[Shader("node")] [NodeLaunch("broadcasting")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Fan(DispatchNodeInputRecord<R> input, [MaxRecords(8)] NodeOutput<Wide> Sum)
{
    GroupNodeOutputRecords<Wide> items = Sum.GetGroupNodeOutputRecords(8);
    for (uint i = 0; i < 8; i++)
        items.Get(i).value = input.Get().value + i;
    items.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")]
void Sum(ThreadNodeInputRecord<Wide> input) { InterlockedAdd(Result[0], input.Get().value); }
"#;

fn package() -> Package {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("graph.hlsl");
    std::fs::write(&path, GRAPH).unwrap();
    let session = Session::new(&[&path.to_string_lossy()], Options::default());
    session.emulated(&Compiled::default()).unwrap_or_else(|e| panic!("{e:?}"))
}

/// Returns `count` records as bytes, and the sum.
fn records(count: u32) -> (Vec<u8>, u32) {
    let sum = (0..count).flat_map(|v| (0..8).map(move |i| v + i)).fold(0, u32::wrapping_add);
    ((0..count).flat_map(u32::to_le_bytes).collect(), sum)
}

/// Serialises the tests: the driver's own threads and caches belong to the process.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens the device, if it exists or is demanded.
fn open() -> Option<VulkanDevice> {
    fail(Faults::default());
    // Keeps the driver loaded.
    drop(testing::device()?);
    Some(driver::open().unwrap_or_else(|error| panic!("{error}")))
}

/// Creates the buffer of the result and its binding.
fn result(device: &mut dyn Device) -> Result<(BufferId, BindingsId), DeviceError> {
    let buffer = device.create_buffer(4)?;
    let resources = Resources::StorageBuffers(vec![buffer]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]);
    if bindings.is_err() {
        device.destroy_buffer(buffer);
    }
    Ok((buffer, bindings?))
}

/// Runs one dispatch of `count` records; returns the sum.
fn dispatch(
    device: &mut dyn Device,
    graph: &mut EmulatedGraph,
    result: BufferId,
    count: u32,
) -> Result<(u32, RunReport), RunError> {
    device.write_buffer(result, 0, &[0; 4])?;
    let (bytes, _) = records(count);
    let node = NodeName { name: "Fan".to_owned(), index: 0 };
    let report = graph.dispatch(device, &[Input { node, data: Data::Bytes(&bytes), stride: 4, count }], &[])?;
    let mut sum = [0; 4];
    device.read_buffer(result, 0, &mut sum)?;
    Ok((u32::from_le_bytes(sum), report))
}

fn with_code(at: usize, only: Option<&'static str>, code: ErrorCode) -> Faults {
    Faults { at: Some((at, only)), code, ..Faults::default() }
}

const SHORT: [ErrorCode; 2] = [ErrorCode::OUT_OF_DEVICE_MEMORY, ErrorCode::OUT_OF_HOST_MEMORY];

/// Checks that an error names the failed call's cause.
#[track_caller]
fn says_why(error: &str, code: ErrorCode) {
    let why = match code {
        ErrorCode::OUT_OF_DEVICE_MEMORY => "not enough device memory",
        ErrorCode::OUT_OF_HOST_MEMORY => "not enough host memory",
        _ => "lost",
    };
    assert!(error.contains(why), "{error}");
    assert!(error.contains("cannot ") || error.contains("was lost"), "{error}");
}

#[test]
fn failures_to_open_a_device_report_their_cause() {
    let _alone = alone();
    let Some(device) = open() else { return };
    drop(device);
    assert_eq!(allocated(), 0);
    fail(Faults::default());
    drop(driver::open());
    for at in 0..calls() {
        fail(with_code(at, None, SHORT[at % 2]));
        match driver::open() {
            // Pipelines are created without a cache.
            Ok(_) => assert!(matches!(failed()[..], [] | ["vkCreatePipelineCache"]), "{:?}", failed()),
            Err(error) => says_why(&error.message, SHORT[at % 2]),
        }
    }
}

/// Fails each call of loading and running a graph, one a run. Afterwards the same graph works on the same device.
#[test]
fn device_survives_allocation_failure_at_any_call() {
    let _alone = alone();
    let Some(mut device) = open() else { return };
    let package = package();
    let all = |device: &mut VulkanDevice| -> Result<u32, RunError> {
        let (buffer, bindings) = result(device)?;
        let options = EmulatedOptions::default();
        let sum = EmulatedGraph::load(device, &package, Some(bindings), options).and_then(|mut graph| {
            let sum = dispatch(device, &mut graph, buffer, 100);
            graph.destroy(device);
            sum
        });
        device.destroy_buffer(buffer);
        sum.map(|(sum, _)| sum)
    };
    let (_, wanted) = records(100);
    fail(Faults::default());
    assert_eq!(all(&mut device).unwrap_or_else(|e| panic!("{e}")), wanted);
    let (count, baseline) = (calls(), allocated());
    assert!(count > 20, "{count}");
    for at in 0..count {
        let code = SHORT[at % 2];
        fail(with_code(at, None, code));
        match all(&mut device) {
            // Another type of memory, or less of it, is also enough.
            Ok(sum) => assert_eq!(sum, wanted, "call {at}: {:?}", failed()),
            Err(error) => says_why(&error.to_string(), code),
        }
        assert_eq!(allocated(), baseline, "call {at}: {:?} leaks", failed());
        if at % 8 == 0 {
            fail(Faults::default());
            assert_eq!(all(&mut device).unwrap_or_else(|e| panic!("call {at}: {e}")), wanted, "call {at}");
        }
    }
}

/// Fails each call of one graph that stays loaded: a failed dispatch does not affect the next one.
#[test]
fn a_graph_whose_dispatch_failed_runs_the_next_one() {
    let _alone = alone();
    let Some(mut device) = open() else { return };
    let (buffer, bindings) = result(&mut device).unwrap();
    let mut graph = EmulatedGraph::load(&mut device, &package(), Some(bindings), EmulatedOptions::default()).unwrap();
    fail(Faults::default());
    let mut count = 50;
    let mut next = |device: &mut VulkanDevice, graph: &mut EmulatedGraph| {
        // More each time, so that the arena grows.
        count += 37;
        (records(count).1, dispatch(device, graph, buffer, count))
    };
    let (wanted, done) = next(&mut device, &mut graph);
    assert_eq!(done.unwrap().0, wanted);
    for at in 0..12 {
        for lasts in [false, true] {
            fail(Faults { lasts, ..with_code(at, None, SHORT[at % 2]) });
            match next(&mut device, &mut graph) {
                (wanted, Ok((sum, _))) => assert_eq!(sum, wanted, "call {at}: {:?}", failed()),
                (_, Err(error)) => says_why(&error.to_string(), SHORT[at % 2]),
            }
            fail(Faults::default());
            // If it is unknown whether a submission still runs, the device is lost.
            let (wanted, done) = next(&mut device, &mut graph);
            match done {
                Ok((sum, _)) => assert_eq!(sum, wanted, "call {at}"),
                Err(RunError::Device(error)) if lasts && error.cause == Cause::Lost => return,
                Err(error) => panic!("call {at}: {error}"),
            }
        }
    }
}

/// With less memory than one pass needs, the graph runs in several sweeps. Below the minimum, the error names that
/// minimum.
#[test]
fn graphs_run_in_sweeps_on_devices_with_little_memory() {
    let _alone = alone();
    let Some(mut device) = open() else { return };
    let (buffer, bindings) = result(&mut device).unwrap();
    let mut graph = EmulatedGraph::load(&mut device, &package(), Some(bindings), EmulatedOptions::default()).unwrap();
    let (_, wanted) = records(8_000);
    let baseline = allocated();
    // One pass needs about 16 MB.
    for (megabytes, sweeps) in [(256, false), (8, true), (4, true), (2, true)] {
        fail(Faults { memory: Some(baseline + (megabytes << 20)), ..Faults::default() });
        let (sum, report) =
            dispatch(&mut device, &mut graph, buffer, 8_000).unwrap_or_else(|e| panic!("{megabytes}: {e}"));
        assert_eq!(sum, wanted, "{megabytes} MB");
        assert_eq!(report.sweeps > 0, sweeps, "{megabytes} MB: {} sweeps in {} pages", report.sweeps, report.pages);
        assert!(allocated() <= baseline + (megabytes << 20));
        fail(Faults::default());
        graph.destroy(&mut device);
        graph = EmulatedGraph::load(&mut device, &package(), Some(bindings), EmulatedOptions::default()).unwrap();
    }
    fail(Faults { memory: Some(baseline + (64 << 10)), ..Faults::default() });
    let error = dispatch(&mut device, &mut graph, buffer, 8_000).unwrap_err();
    assert!(matches!(error, RunError::Memory { .. }), "{error}");
    let text = error.to_string();
    assert!(text.starts_with("this graph needs at least ") && text.contains("bytes of graph memory, but"), "{text}");
    says_why(&text, ErrorCode::OUT_OF_DEVICE_MEMORY);
    // With enough memory again, it runs.
    fail(Faults::default());
    assert_eq!(dispatch(&mut device, &mut graph, buffer, 8_000).unwrap().0, wanted);
    // The host's own choice is kept.
    let limits = ArenaLimits { bytes: 1 << 20, ..ArenaLimits::default() };
    let options = EmulatedOptions { arena: limits, ..EmulatedOptions::default() };
    let mut bounded = EmulatedGraph::load(&mut device, &package(), Some(bindings), options).unwrap();
    assert_eq!(dispatch(&mut device, &mut bounded, buffer, 8_000).unwrap().0, wanted);
}

/// A lost device refuses to run and returns no results; another one can be opened.
#[test]
fn a_lost_device_refuses_further_work() {
    let _alone = alone();
    let package = package();
    let (_, wanted) = records(100);
    for (name, at) in [
        ("vkQueueSubmit", 0),
        ("vkWaitForFences", 0),
        ("vkResetFences", 0),
        ("vkEndCommandBuffer", 0),
        ("vkQueueSubmit", 1),
    ] {
        let Some(mut device) = open() else { return };
        let (buffer, bindings) = result(&mut device).unwrap();
        let mut graph = EmulatedGraph::load(&mut device, &package, Some(bindings), EmulatedOptions::default()).unwrap();
        let image = device.create_image(ImageDesc::new(ImageFormat::R8Unorm, &[1, 1])).unwrap();
        if at == 1 {
            assert_eq!(dispatch(&mut device, &mut graph, buffer, 100).unwrap().0, wanted);
        }
        // Waiting for all fences has no known end either.
        fail(Faults { lasts: name == "vkWaitForFences", ..with_code(0, Some(name), ErrorCode::DEVICE_LOST) });
        let error = dispatch(&mut device, &mut graph, buffer, 100).unwrap_err();
        assert_eq!(failed().first(), Some(&name));
        says_why(&error.to_string(), ErrorCode::DEVICE_LOST);
        fail(Faults::default());
        let again = dispatch(&mut device, &mut graph, buffer, 100).unwrap_err().to_string();
        assert!(again.contains("is lost: open it again"), "{name}: {again}");
        let mut bytes = [0; 4];
        for refused in [device.read_buffer(buffer, 0, &mut bytes), device.read_image(image).map(|_| ())] {
            assert_eq!(refused.unwrap_err().cause, Cause::Lost, "{name}");
        }
        graph.destroy(&mut device);
        drop(device);
        assert_eq!(allocated(), 0, "{name}");
    }
}

/// The error for a buffer, an image or a pipeline that cannot be created names the requested size.
#[test]
fn allocation_errors_name_the_requested_size() {
    let _alone = alone();
    let Some(mut device) = open() else { return };
    fail(Faults { memory: Some(1 << 20), ..Faults::default() });
    let error = device.create_buffer(8 << 20).unwrap_err();
    assert_eq!(error.cause, Cause::Memory);
    assert!(error.message.contains("bytes of device memory") && error.message.contains("8388"), "{error}");
    let error = device.create_buffer(1 << 60).unwrap_err();
    assert!(error.message.contains("1152921504606846976") || error.message.contains("11529215046068"), "{error}");
    fail(Faults::default());
    device.create_buffer(8 << 20).unwrap();
    // The CPU device reports the size too.
    let mut cpu = CpuDevice::new(CpuSettings::default());
    let error = cpu.create_buffer(1 << 62).unwrap_err();
    assert_eq!(
        (error.cause, error.message.as_str()),
        (Cause::Memory, "cannot create a buffer of 4611686018427387904 bytes")
    );
}
