//! Tests of execution: the graph's inputs in order, and the handling of the results.

use wgc_abi::interface::{BindingKind, Interface};
use wgc_abi::{LayoutScalar, LayoutType, NodeName};

use super::super::{Dispatched, Finding, Outputs, RunError, Verdict, execute};
use super::{Graph, Memory, binding, idle, item, node, parsed, run, words};
use crate::device::{BufferId, Device, DeviceError};
use crate::image_io::Picture;

fn counted(records: &[(&str, u32, u64)]) -> Option<Vec<(NodeName, u64)>> {
    let named =
        |(name, index, count): &(&str, u32, u64)| (NodeName { name: (*name).to_owned(), index: *index }, *count);
    Some(records.iter().map(named).collect())
}

fn interface() -> Interface {
    Interface {
        nodes: vec![node("go", 0, true, None), node("leaf", 0, false, None), node("leaf", 1, false, None)],
        bindings: vec![binding("Out", 0, 1, words(true)), binding("In", 1, 1, words(false))],
        local_roots: None,
        push_constants: None,
        spec_constants: Vec::new(),
        compute: Vec::new(),
    }
}

const FILE: &str = r#"{
    "resources": { "Out": { "zero_bytes": 8 }, "In": { "u32": [5] } },
    "dispatch": [ { "inputs": [ { "node": "go", "count": 1 } ], "repeat": 3 }, { "inputs": [] } ],
    "expect": { "Out": { "u32": [20, 4] } },
    "expect_records": { "go": 4, "leaf": 12, "leaf[1]": 4 },
    "expect_findings": ["WG4001", "WG4003"]
}"#;

/// Adds the input to the first word and counts in the second.
fn step(device: &mut Memory) -> crate::device::Result<Dispatched> {
    let (mut input, mut out) = ([0; 4], [0; 8]);
    device.read_buffer(BufferId(1), 0, &mut input)?;
    device.read_buffer(BufferId(0), 0, &mut out)?;
    out[0] += input[0];
    out[4] += 1;
    device.write_buffer(BufferId(0), 0, &out)?;
    let finding = |code: &str| Finding { code: code.to_owned(), message: "text".to_owned() };
    Ok(Dispatched {
        messages: Some(vec!["thread 1\n".to_owned(), "thread 0".to_owned()]),
        records: counted(&[("go", 0, 1), ("leaf", 0, 2), ("leaf", 1, 1)]),
        findings: Some(vec![finding("WG4003"), finding("WG4001")]),
        uncounted: Vec::new(),
        meshes: None,
    })
}

#[test]
fn dispatches_run_in_order_and_repeat() {
    let mut graph = Graph::new(step);
    let report = run(FILE, &interface(), &mut graph).unwrap();
    assert_eq!(graph.inputs.len(), 4);
    assert_eq!(graph.inputs[2].len(), 1);
    assert!(graph.inputs[3].is_empty());
    insta::assert_snapshot!(report.to_string());
    assert_eq!(report.exit_code(), 0);
    assert_eq!(report.findings.len(), 8, "all are reported, though their number is not judged");
}

#[test]
fn failures_are_shown_and_counted() {
    let text = FILE.replace("[20, 4]", "[20, 5]").replace("\"leaf\": 12", "\"leaf\": 13").replace(", \"WG4003\"]", "]");
    let report = run(&text, &interface(), &mut Graph::new(step)).unwrap();
    let failed: Vec<_> = report.outcomes.iter().filter(|o| matches!(o.verdict, Verdict::Fail(_))).collect();
    assert_eq!(failed.len(), 3);
    assert_eq!(report.exit_code(), 1);
    insta::assert_snapshot!(report.to_string());
}

#[test]
fn expected_messages_are_compared() {
    // Four dispatches print "thread 1\n" and "thread 0" each.
    let judged = |expected: &str| {
        let text = FILE.replace("\"expect_records\"", &format!("\"expect_messages\": {expected}, \"expect_records\""));
        let report = run(&text, &interface(), &mut Graph::new(step)).unwrap();
        report.outcomes.iter().find(|o| o.subject == "messages").expect("they are judged").verdict.clone()
    };
    let four = |pair: &str| [pair; 4].join(", ");
    assert_eq!(judged(&format!("[{}]", four(r#""thread 1", "thread 0\n""#))), Verdict::Pass("8 messages".into()));
    assert_eq!(
        judged(&format!("[{}]", four(r#""thread 0", "thread 1""#))),
        Verdict::Fail("number 1: expected \"thread 0\", found \"thread 1\" (8 expected, 8 found)".into())
    );
    let any = |texts: &str| format!("{{ \"texts\": [{texts}], \"any_order\": true }}");
    assert_eq!(judged(&any(&four(r#""thread 0", "thread 1""#))), Verdict::Pass("8 messages".into()));
    let fails = |texts: &str, what: &str| match judged(texts) {
        Verdict::Fail(text) => assert!(text.contains(what), "{text}"),
        other => panic!("{texts}: {other:?}"),
    };
    fails(&any(&["\"thread 0\""; 8].join(", ")), "number 5 of the sorted ones: expected \"thread 0\", found");
    fails("[]", "number 1: expected none, found \"thread 1\" (0 expected, 8 found)");
    fails(&format!("[{}, \"more\"]", four(r#""thread 1", "thread 0""#)), "number 9: expected \"more\", found none");
}

#[test]
fn unreported_expectations_are_skipped() {
    let quiet = |device: &mut Memory| step(device).map(|_| Dispatched::default());
    let file = FILE.replace("\"expect_records\"", "\"expect_messages\": [\"x\"], \"expect_records\"");
    let report = run(&file, &interface(), &mut Graph::new(quiet)).unwrap();
    assert!(report.passed());
    let skipped: Vec<&str> = report
        .outcomes
        .iter()
        .filter(|o| matches!(o.verdict, Verdict::Skipped(_)))
        .map(|o| o.subject.as_str())
        .collect();
    assert_eq!(skipped, ["records of go", "records of leaf", "records of leaf[1]", "findings", "messages"]);
}

#[test]
fn a_device_that_fails_ends_the_run() {
    let mut graph = Graph::new(|_: &mut Memory| Err(DeviceError::new("lost")));
    let error = run(FILE, &interface(), &mut graph).unwrap_err();
    assert_eq!(error, RunError::Device(DeviceError::new("lost")));
    assert_eq!(error.exit_code(), 1);
    assert_eq!(graph.inputs.len(), 1);
}

#[test]
fn device_memory_records_require_native_graphs() {
    let mut graph = Graph::new(step);
    for mode in ["gpu", "gpu_count"] {
        let file = FILE.replace("\"repeat\": 3", &format!("\"mode\": \"{mode}\", \"repeat\": 3"));
        let error = run(&file, &interface(), &mut graph).unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert_eq!(
            super::message(error),
            "3:73: dispatch[0].mode: only native graphs support records in device memory"
        );
    }
    assert!(graph.bound.is_empty() && graph.device.buffers.is_empty());
    run(&FILE.replace("\"repeat\": 3", "\"mode\": \"cpu\", \"repeat\": 3"), &interface(), &mut graph).unwrap();
}

#[test]
fn an_invalid_run_file_executes_nothing() {
    let mut graph = Graph::new(step);
    let error = run(&FILE.replace("\"leaf[1]\"", "\"leaf[2]\""), &interface(), &mut graph).unwrap_err();
    assert_eq!(error.exit_code(), 2);
    assert!(graph.inputs.is_empty() && graph.bound.is_empty() && graph.device.buffers.is_empty());
}

/// Returns a buffer of structures, an image and a buffer that shaders only read.
fn outputs_interface() -> Interface {
    let items = BindingKind::StorageBuffer { element: LayoutType::Struct(item()), stride: 16, writable: true };
    let texture = BindingKind::StorageImage {
        texture: wgc_abi::interface::Texture {
            dimensions: 2,
            arrayed: false,
            cube: false,
            multisampled: false,
            texel: LayoutScalar::F32,
            components: 4,
        },
    };
    Interface {
        bindings: vec![
            binding("my::Items", 0, 2, items),
            binding("Target", 1, 1, texture),
            binding("In", 2, 1, words(false)),
        ],
        ..Interface::default()
    }
}

const OUTPUTS: &str = r#"{
    "resources": {
        "Items": [ { "structs": [ { "id": 3, "pos": [0.5, 1, -2] } ] }, { "zero_bytes": 32 } ],
        "Target": { "image": { "format": "rgba8_unorm", "size": [2, 3] } },
        "In": { "u32": [5, 6] },
    },
    "dispatch": [],
}"#;

#[test]
fn results_are_written() {
    let parent = tempfile::tempdir().unwrap();
    let dir = parent.path().join("new");
    let outputs = Outputs { out_dir: Some(dir.clone()), ..Outputs::default() };
    let report = execute(&parsed(OUTPUTS), &outputs_interface(), &mut idle(), &outputs).unwrap();
    let mut names: Vec<String> =
        std::fs::read_dir(&dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, ["Target.bin", "Target.png", "my__Items[0].bin", "my__Items[1].bin"]);
    assert_eq!(report.written.len(), 4);
    let items = std::fs::read(dir.join("my__Items[0].bin")).unwrap();
    assert_eq!(items, [3, 0, 0, 0, 0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0]);
    let picture = Picture::from_png(&std::fs::read(dir.join("Target.png")).unwrap()).unwrap();
    assert_eq!(picture, Picture { width: 2, height: 3, rgba: vec![0; 24] });
}

#[test]
fn an_output_folder_that_cannot_be_created_is_an_error() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let outputs = Outputs { out_dir: Some(file.path().join("dir")), ..Outputs::default() };
    let error = execute(&parsed(OUTPUTS), &outputs_interface(), &mut idle(), &outputs).unwrap_err();
    assert!(matches!(error, RunError::Output { .. }), "{error}");
    assert_eq!(error.exit_code(), 2);
}

#[test]
fn results_are_printed() {
    let print = |names: &[&str]| {
        let print = names.iter().map(|n| (*n).to_owned()).collect();
        execute(&parsed(OUTPUTS), &outputs_interface(), &mut idle(), &Outputs { print, out_dir: None })
    };
    let report = print(&["In", "Items[0]", "Target"]).unwrap();
    assert_eq!(
        report.to_string(),
        "In = [5, 6]\nmy::Items[0] = [{ \"id\": 3, \"pos\": [0.5, 1.0, -2.0] }]\nTarget = [[[0, 0, 0, 0], [0, 0, 0, 0]], \
         [[0, 0, 0, 0], [0, 0, 0, 0]], [[0, 0, 0, 0], [0, 0, 0, 0]]]\nran on memory; nothing was expected\n"
    );
    let error = print(&["Nope"]).unwrap_err();
    assert!(
        error.to_string().ends_with(
            "cannot print \"Nope\": the shader has no such resource; it has: my::Items[0], my::Items[1], Target, In"
        ),
        "{error}"
    );
}
