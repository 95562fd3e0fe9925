//! Tests of a run from its file to the results, call by call, in the three forms of the dispatch, and of the driver's
//! limits.

use std::path::Path;

use wgc_abi::interface::{BindingInterface, BindingKind, Interface, NodeInterface, NodeLaunch, PushConstants};
use wgc_abi::{FieldLayout, LayoutScalar, LayoutType, NodeName, StructLayout};

use super::super::super::gpu::{Gpu, Purpose};
use super::super::super::{DispatchForm, GraphModule, GraphRecords, StageNode, VulkanDevice};
use super::driver::{Setup, calls, with};
use crate::device::{BindingsId, BufferId, Device, ResourceBinding, Resources};
use crate::executors::EnqueueExecutor;
use crate::run_file::{Outputs, RunFile, execute};

/// Returns a module of `tests/amdx-graphs`; its entry points are `entry`, `bcast` and `coal`.
fn module() -> Vec<u32> {
    let path = format!("{}/../tests/amdx-graphs/g1.spv", env!("CARGO_MANIFEST_DIR"));
    wgc_spirv_module::words::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

fn node(entry_point: &str, name: &str, index: u32) -> StageNode {
    StageNode { entry_point: entry_point.to_owned(), name: name.to_owned(), index }
}

fn nodes() -> Vec<StageNode> {
    vec![node("entry", "start", 0), node("bcast", "work", 0), node("coal", "work", 3)]
}

fn open(setup: Setup) -> VulkanDevice {
    let device = VulkanDevice::on(Gpu::open(setup.start(), None, Purpose::Graphs).unwrap()).unwrap();
    calls();
    device
}

fn interface() -> Interface {
    let scalar = LayoutType::Scalar(LayoutScalar::U32);
    let field = |name: &str, offset| FieldLayout { name: name.to_owned(), offset, ty: scalar.clone() };
    let record =
        StructLayout { name: "Record".to_owned(), fields: vec![field("a", 0), field("b", 4)], size: 8, align: 4 };
    let node = |name: &str, index, record: Option<&StructLayout>| NodeInterface {
        id: NodeName { name: name.to_owned(), index },
        launch: NodeLaunch::Thread,
        entry: true,
        record: record.cloned(),
    };
    Interface {
        nodes: vec![node("start", 0, Some(&record)), node("work", 0, None), node("work", 3, Some(&record))],
        bindings: vec![BindingInterface {
            name: "Out".to_owned(),
            set: 0,
            binding: 0,
            count: 1,
            kind: BindingKind::StorageBuffer { element: scalar.clone(), stride: 4, writable: true },
            register: None,
            heap: None,
            counter_of: None,
        }],
        local_roots: None,
        push_constants: Some(PushConstants {
            name: "Push".to_owned(),
            block: StructLayout { name: "Push".to_owned(), fields: vec![field("seed", 0)], size: 4, align: 4 },
        }),
        spec_constants: Vec::new(),
        compute: Vec::new(),
    }
}

/// Returns a run file with three records of one node, one repeated of another, and two empty ones; then a second
/// dispatch.
fn file(mode: &str) -> RunFile {
    let text = r#"{
        "resources": { "Out": { "zero_bytes": 64 }, "Push": { "fields": { "seed": 5 } } },
        "dispatch": [
            { "mode": "MODE", "inputs": [
                { "node": "start", "records": [ { "a": 1, "b": 2 }, { "a": 3, "b": 4 }, { "a": 5, "b": 6 } ] },
                { "node": "work", "index": 3, "u32": [7, 8], "stride": 0, "count": 2 },
                { "node": "work", "count": 2 }
            ] },
            { "mode": "MODE", "inputs": [ { "node": "start", "u32": [100, 0] } ] }
        ],
        "expect": { "Out": { "u32": [109, 0, 14, 0, 0, 0, 0, 0, 8, 10, 0, 0, 0, 0, 0, 0] } }
    }"#;
    RunFile::parse(text.replace("MODE", mode), Path::new("graph.run.json")).unwrap()
}

fn runs(mode: &str, dispatch: [&str; 2]) {
    let device = open(Setup::new());
    let mut executor = EnqueueExecutor::new(device, vec![(module(), nodes())], 4);
    let report = execute(&file(mode), &interface(), &mut executor, &Outputs::default()).unwrap();
    assert!(report.passed(), "{report}");
    assert_eq!(report.device, "vulkan:Graph Card");
    drop(executor);
    let bytes = module().len() * 4;
    let expected = format!(
        "vkCreateShaderModule {bytes} bytes
vkCreateExecutionGraphPipelinesAMDX entry as start[0], bcast as work[0], coal as work[3]
vkGetExecutionGraphPipelineNodeIndexAMDX start[0]
vkGetExecutionGraphPipelineNodeIndexAMDX work[0]
vkGetExecutionGraphPipelineNodeIndexAMDX work[3]
vkGetExecutionGraphPipelineScratchSizeAMDX
vkCmdBindPipeline EXECUTION_GRAPH_AMDX
vkCmdInitializeGraphScratchMemoryAMDX 8096 bytes
vkCmdPipelineBarrier
vkCmdBindDescriptorSets EXECUTION_GRAPH_AMDX 1 from 0
vkCmdPushConstants COMPUTE [5, 0, 0, 0] at 0
{}
vkCmdPipelineBarrier
vkQueueSubmit
  node 7: [[1, 2], [3, 4], [5, 6]]
  node 27: [[7, 8], [7, 8]]
  node 17: [[], []]
vkWaitForFences
vkCmdBindPipeline EXECUTION_GRAPH_AMDX
vkCmdBindDescriptorSets EXECUTION_GRAPH_AMDX 1 from 0
vkCmdPushConstants COMPUTE [5, 0, 0, 0] at 0
{}
vkCmdPipelineBarrier
vkQueueSubmit
  node 7: [[100, 0]]
vkWaitForFences
vkDestroyDevice",
        dispatch[0], dispatch[1]
    );
    assert_eq!(calls().join("\n"), expected);
    assert!(with(|driver| driver.living.is_empty()), "everything is released");
}

#[test]
fn the_host_gives_the_records() {
    runs("cpu", ["vkCmdDispatchGraphAMDX 3 nodes", "vkCmdDispatchGraphAMDX 1 nodes"]);
}

#[test]
fn the_device_reads_the_records() {
    runs("gpu", ["vkCmdDispatchGraphIndirectAMDX 3 nodes", "vkCmdDispatchGraphIndirectAMDX 1 nodes"]);
}

#[test]
fn the_device_reads_how_many_nodes_there_are() {
    runs("gpu_count", ["vkCmdDispatchGraphIndirectCountAMDX"; 2]);
}

const FORMS: [DispatchForm; 3] = [DispatchForm::Host, DispatchForm::Indirect, DispatchForm::IndirectCount];

fn bind(device: &mut VulkanDevice) -> (BufferId, BindingsId) {
    let buffer = device.create_buffer(64).unwrap();
    let resources = Resources::StorageBuffers(vec![buffer]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).unwrap();
    (buffer, bindings)
}

fn words(device: &mut VulkanDevice, buffer: BufferId) -> [u32; 16] {
    let mut bytes = [0; 64];
    device.read_buffer(buffer, 0, &mut bytes).unwrap();
    std::array::from_fn(|word| u32::from_le_bytes(std::array::from_fn(|byte| bytes[word * 4 + byte])))
}

#[test]
fn record_batches_split_at_the_payload_limit() {
    for form in FORMS {
        let mut device = open(Setup { max_payloads: 4, ..Setup::new() });
        let (buffer, bindings) = bind(&mut device);
        let words_of = module();
        let module = GraphModule { words: &words_of, nodes: nodes() };
        let graph = device.create_graph(&[module], Some(bindings), 0).unwrap();
        calls();
        // Ten records of three words; the last ends before its stride does.
        let word = |n: u32| if n.is_multiple_of(3) { 1u32 << (n / 3) } else { 99 };
        let data: Vec<u8> = (0..29).flat_map(|n| word(n).to_le_bytes()).collect();
        let records = GraphRecords { node: "work", index: 0, data: &data, stride: 12, count: 10 };
        let none = GraphRecords { node: "start", index: 0, data: &[], stride: 0, count: 0 };
        device.dispatch_graph(graph, Some(bindings), &[], form, &[none, records]).unwrap();
        let given: Vec<String> = calls().into_iter().filter(|line| line.starts_with("  node")).collect();
        assert_eq!(
            given,
            [
                "  node 17: [[1, 99, 99], [2, 99, 99], [4, 99, 99], [8, 99, 99]]",
                "  node 17: [[16, 99, 99], [32, 99, 99], [64, 99, 99], [128, 99, 99]]",
                "  node 17: [[256, 99, 99], [512, 99, 0]]"
            ],
            "{form:?}"
        );
        let found = words(&mut device, buffer);
        assert_eq!((found[1], found[8]), (1023, 10));
    }
}

#[test]
fn a_graph_of_several_modules() {
    let mut device = open(Setup::new());
    let (words_of, bytes) = (module(), module().len() * 4);
    let modules: Vec<_> = nodes().into_iter().map(|node| GraphModule { words: &words_of, nodes: vec![node] }).collect();
    device.create_graph(&modules, None, 0).unwrap();
    assert_eq!(
        calls()[..4],
        [
            format!("vkCreateShaderModule {bytes} bytes"),
            format!("vkCreateShaderModule {bytes} bytes"),
            format!("vkCreateShaderModule {bytes} bytes"),
            "vkCreateExecutionGraphPipelinesAMDX entry as start[0], bcast as work[0], coal as work[3]".to_owned()
        ]
    );
}

#[test]
fn scratch_memory_falls_back_to_the_minimum() {
    let initialized = |setup: Setup| {
        let mut device = open(setup);
        let words_of = module();
        let graph = device.create_graph(&[GraphModule { words: &words_of, nodes: nodes() }], None, 0);
        let graph = graph.map_err(|e| e.message)?;
        let record = GraphRecords { node: "start", index: 0, data: &[0; 8], stride: 8, count: 1 };
        device.dispatch_graph(graph, None, &[], DispatchForm::Host, &[record]).unwrap();
        Ok::<_, String>(calls().into_iter().find(|line| line.contains("Initialize")).unwrap_or_default())
    };
    let least = 1 << 16;
    let scratch = (least, 1 << 20, least);
    assert_eq!(
        initialized(Setup { scratch, ..Setup::new() }).unwrap(),
        "vkCmdInitializeGraphScratchMemoryAMDX 1048576 bytes"
    );
    assert_eq!(
        initialized(Setup { scratch, memory: 1 << 17, ..Setup::new() }).unwrap(),
        "vkCmdInitializeGraphScratchMemoryAMDX 65536 bytes"
    );
    let refused = initialized(Setup { scratch, memory: 1 << 15, ..Setup::new() }).unwrap_err();
    assert!(refused.contains("not enough device memory"), "{refused}");
    assert_eq!(with(|driver| driver.violations.clone()), [""; 0]);
}

#[test]
fn scratch_memory_is_initialised_again_after_a_failure() {
    let mut device = open(Setup { failing_submission: Some(2), ..Setup::new() });
    let words_of = module();
    let graph = device.create_graph(&[GraphModule { words: &words_of, nodes: nodes() }], None, 0).unwrap();
    let record = GraphRecords { node: "start", index: 0, data: &[0; 8], stride: 8, count: 1 };
    let mut initialized = || {
        let result = device.dispatch_graph(graph, None, &[], DispatchForm::Host, &[record]);
        (result.is_ok(), calls().iter().any(|line| line.contains("Initialize")))
    };
    assert_eq!(initialized(), (true, true));
    assert_eq!(initialized(), (false, false));
    assert_eq!(initialized(), (true, true));
    assert_eq!(initialized(), (true, false));
}

#[test]
fn misuse_is_rejected_before_driver_calls() {
    let mut device = open(Setup::new());
    let (_, bindings) = bind(&mut device);
    let words_of = module();
    let mut create = |nodes, push| {
        device.create_graph(&[GraphModule { words: &words_of, nodes }], Some(bindings), push).map_err(|e| e.message)
    };
    assert_eq!(create(vec![node("main", "start", 0)], 0).unwrap_err(), "the module has no compute entry point main");
    let twice = vec![node("entry", "start", 1), node("bcast", "start", 1)];
    assert_eq!(create(twice, 0).unwrap_err(), "duplicate node start[1] in the graph");
    assert_eq!(create(vec![node("entry", "a\0b", 0)], 0).unwrap_err(), "the name of a node contains a NUL");
    assert_eq!(create(nodes(), 200).unwrap_err(), "200 bytes of push constants; the limit of the device is 128");
    assert_eq!(create(Vec::new(), 0).unwrap_err(), "the graph has no nodes");
    let graph = create(nodes(), 4).unwrap();
    let mut other = words_of.clone();
    // Capability 5067, ShaderEnqueueAMDX, becomes 5301, ShaderNonUniform.
    let at = other.windows(2).position(|w| w == [2 << 16 | 17, 5067]).unwrap();
    other[at + 1] = 5301;
    let refused = device.create_graph(&[GraphModule { words: &other, nodes: nodes() }], None, 0).unwrap_err().message;
    assert!(refused.contains("ShaderNonUniform, but the device lacks descriptorIndexing"), "{refused}");
    calls();

    let mut dispatch = |node, data: &[u8], stride, count, push: &[u8]| {
        let records = GraphRecords { node, index: 0, data, stride, count };
        let forms = FORMS
            .map(|form| device.dispatch_graph(graph, Some(bindings), push, form, &[records]).map_err(|e| e.message));
        forms.into_iter().collect::<Result<Vec<()>, String>>()
    };
    assert_eq!(dispatch("leaf", &[0; 8], 8, 1, &[0; 4]).unwrap_err(), "the graph has no node leaf[0]");
    let push = "8 bytes of push constants, but the graph has 4";
    assert_eq!(dispatch("start", &[0; 8], 8, 1, &[0; 8]).unwrap_err(), push);
    let many = dispatch("start", &[0; 8], 0, u32::MAX, &[0; 4]).unwrap_err();
    assert!(many.ends_with("the limit of the device is 1073741824"), "{many}");
    dispatch("start", &[], 0, 0, &[0; 4]).unwrap();
    assert_eq!(calls(), [""; 0], "nothing is recorded for no records");
}
