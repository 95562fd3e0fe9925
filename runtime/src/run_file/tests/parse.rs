//! Tests of the format itself: its contents, and errors with their positions.

use std::fmt::Write as _;
use std::path::Path;

use super::super::model::{Arena, Batching, EmulationSettings, Order, ResourceKind, Sanitize, Schedule, Work};
use super::super::{RunFile, check};
use super::{message, parsed};

/// Every key of the format, as its description lists them.
const EVERYTHING: &str = r#"{
  "shader": "hello.hlsl",                  // relative to this file
  "defines": { "N": "4", "M": 3, "ON": true },
  "args": ["-enable-16bit-types"],
  "spec_constants": { "3": 64 },
  "entries": ["firstNode"],
  "targets": ["spirv-amdx", "spirv-emulated"],
  "resources": {
    "UAV":       { "u32": [0, 0, 0, 0] },
    "Scratch":   { "zero_bytes": 1048576 },
    "Filled":    { "fill_u32": [7, 3] },
    "Input":     { "file": "input.bin" },
    "Items":     { "structs": [ { "id": 1, "pos": [0, 1, 2] } ] },
    "Constants": { "fields": { "RenderSize": [640, 480], "Time": 0.5 } },
    "Target":    { "image": { "format": "rgba8_unorm", "size": [640, 480] } },
    "Albedo":    { "image": { "file": "albedo.png" } },
    "Linear":    { "sampler": { "filter": "linear", "address": "wrap" } },
    "Buffers":   [ { "zero_bytes": 64 }, { "zero_bytes": 64 } ],
    "Scene":     { "acceleration_structure": { "objects": [ [ { "vertices": [0,0,0, 1,0,0, 0,1,0], "opaque": false } ] ], "instances": [ { "object": 0, "transform": [1,0,0,0, 0,1,0,0, 0,0,1,0], "id": 7, "flags": ["cull_disable"] } ] } }
  },
  "resource_heap": [ { "zero_bytes": 64 } ], "sampler_heap": [],
  "local_root_arguments": [
    { "table_index": 0, "fields": { "offset": 30 },
      "resources": { "U": { "zero_bytes": 64 } } }
  ],
  "dispatch": [
    { "mode": "cpu",
      "inputs": [
        { "node": "firstNode", "index": 0, "records": [ { "gridSize": 2, "recordIndex": 0 } ] },
        { "node": "empty", "count": 5 },
        { "node": "raw", "u32": [1, 2, 3], "stride": 12, "count": 1 },
      ],
      "repeat": 2 }
  ],
  "emulation": { "arena": "default", "page_kib": 64, "segment_kib": 16, "joint_dispatch": 8, "direct_targets": 2, "schedule": "topological",
    "drain": 3, "int64_atomics": false, "allocator": "auto" },
  "cpu": { "subgroup_size": 32, "batching": "full", "order": "random:7", "sanitize": "warn" },
  "expect": {
    "UAV":    { "u32": [10, 0, 0, 0] },
    "List":   { "u32": [1, 2, 3], "any_order": true },
    "Out":    { "f32": [0.5], "abs": 1e-5, "rel": 1e-5 },
    "Part":   { "u32_at": { "30": 600, "50": 2400 } },
    "Target": { "png": "expected.png", "max_channel_error": 2, "max_differing_pixels": 0 }
  },
  "expect_records": { "secondNode": 8 },
  "expect_meshes": {
    "Draw": { "groups": 2, "vertices": 6, "primitives": 2,
      "meshes": [ { "vertices": [ { "SV_Position": [0, 0, 0, 1] } ], "indices": [[0, 1, 2]], "primitives": [ {} ] } ] }
  },
  "expect_findings": ["WG4003"]
}"#;

#[test]
fn the_run_file_parser_reads_every_field() {
    let file = parsed(EVERYTHING);
    assert_eq!(file.shaders, ["hello.hlsl"]);
    assert_eq!(file.folder(), Path::new("folder"));
    let defines: Vec<_> = file.defines.iter().map(|(k, v)| (k.as_str(), v.as_str())).collect();
    assert_eq!(defines, [("N", "4"), ("M", "3"), ("ON", "true")]);
    assert_eq!(file.args, ["-enable-16bit-types"]);
    assert_eq!(file.spec_constants.get(&3).map(String::as_str), Some("64"));
    assert_eq!(file.entries.as_deref(), Some(&["firstNode".to_owned()][..]));
    assert_eq!(file.emulation.arena, Some(Arena::Default));
    assert_eq!(file.emulation.schedule, Some(Schedule::Topological));
    let EmulationSettings { page_kib, segment_kib, joint_dispatch, drain, int64_atomics, .. } = file.emulation;
    assert_eq!((page_kib, segment_kib, joint_dispatch, drain), (Some(64), Some(16), Some(8), Some(3)));
    assert_eq!((int64_atomics, file.emulation.direct_targets), (Some(false), Some(2)));
    let old_name = parsed(r#"{"dispatch": [], "emulation": {"fuse_arrays": 8}}"#);
    assert_eq!(old_name.emulation.joint_dispatch, Some(8));
    let by_depth = parsed(r#"{"dispatch": [], "emulation": {"schedule": "depth"}}"#);
    assert_eq!(by_depth.emulation.schedule, Some(Schedule::Depth));
    assert_eq!(file.cpu.subgroup_size, Some(32));
    assert_eq!(file.cpu.batching, Some(Batching::Full));
    assert_eq!(file.cpu.order, Some(Order::Random(7)));
    assert_eq!(file.cpu.sanitize, Some(Sanitize::Warn));
    assert_eq!(file.resources.len(), 11);
    assert_eq!(file.resources[0].value.kind, ResourceKind::Bytes(vec![0; 16]));
    assert_eq!(file.resources[2].value.kind, ResourceKind::FillU32 { value: 7, count: 3 });
    assert_eq!(file.dispatches[0].repeat, 2);
    assert!(matches!(&file.dispatches[0].work, Work::Graph { inputs, .. } if inputs.len() == 3));
    assert_eq!(file.expect.len(), 5);
}

#[test]
fn repeats_are_limited() {
    let file = |count: u32| format!("{{\"dispatch\": [ {{\"groups\": [1], \"repeat\": {count}}} ]}}");
    assert_eq!(parsed(&file(1_000_000)).dispatches[0].repeat, 1_000_000);
    let error = RunFile::parse(file(1_000_001), Path::new("a.run.json")).unwrap_err().to_string();
    assert!(error.contains("at most 1000000 times, not 1000001"), "{error}");
}

#[test]
fn unused_heaps_are_accepted() {
    let heaps = r#"{"resource_heap": [null, {"u32": [1], "as": "X"}], "sampler_heap": [], "dispatch": []}"#;
    check(&parsed(heaps), &Default::default()).unwrap();
}

#[test]
fn run_files_may_list_several_shaders_or_none() {
    assert_eq!(parsed(r#"{"shader": ["a.hlsl", "b.spv"], "dispatch": []}"#).shaders, ["a.hlsl", "b.spv"]);
    assert!(parsed(r#"{"dispatch": []}"#).shaders.is_empty());
}

#[test]
fn run_file_errors_have_locations() {
    let resource = |text: &str| format!("{{\"dispatch\": [],\n  \"resources\": {{\n    \"R\": {text}\n}}}}");
    let input = |text: &str| format!("{{\"dispatch\": [\n  {{\"inputs\": [{text}]}}\n]}}");
    let expect = |text: &str| format!("{{\"dispatch\": [],\n  \"expect\": {{\n    \"R\": {text}\n}}}}");
    let setting = |text: &str| format!("{{\"dispatch\": [],\n  {text}}}");
    let mut files = vec![
        "[]".to_owned(),
        "{}".to_owned(),
        "{\"dispatch\": [],\n \"shader\": 3}".to_owned(),
        "{\"dispatch\": {}}".to_owned(),
        "{\"dispatch\": [{}]}".to_owned(),
        "{\"dispatch\": [], \"Shader\": \"x\"}".to_owned(),
    ];
    files.extend(
        [
            "{}",
            "3",
            "{\"u33\": [1]}",
            "{\"u32\": [1, -1]}",
            "{\"u32\": 1}",
            "{\"u32\": [1], \"f32\": [1]}",
            "{\"f32\": [1, \"NaN\"]}",
            "{\"zero_bytes\": -1}",
            "{\"zero_bytes\": 1.5}",
            "{\"fill_u32\": [1]}",
            "{\"fill_u32\": [1, 2, 3]}",
            "{\"file\": 1}",
            "{\"structs\": {}}",
            "{\"fields\": []}",
            "{\"image\": {\"size\": [1, 2]}}",
            "{\"image\": {\"format\": \"rgba9\", \"size\": [1, 2]}}",
            "{\"image\": {\"format\": \"r8_unorm\", \"size\": [1, 0]}}",
            "{\"image\": {\"format\": \"r8_unorm\", \"size\": [1, 1, 1, 1]}}",
            "{\"sampler\": {\"filter\": \"anisotropic\"}}",
            "{\"sampler\": {\"lod\": 1}}",
            "[{\"zero_bytes\": 4}, []]",
            "{\"acceleration_structure\": {\"instances\": []}}",
            "{\"acceleration_structure\": {\"objects\": [[]], \"instances\": []}}",
            "{\"acceleration_structure\": {\"objects\": [[{\"boxes\": [1]}]], \"instances\": []}}",
            "{\"acceleration_structure\": {\"objects\": [[{\"vertices\": [0, 0, 0], \"indices\": [0, 0, 1]}]], \"instances\": []}}",
            "{\"acceleration_structure\": {\"objects\": [], \"instances\": [{\"object\": 0, \"transform\": [1]}]}}",
        ]
        .map(resource),
    );
    files.extend(
        [
            "3",
            "{}",
            "{\"node\": \"a\"}",
            "{\"node\": 1, \"count\": 1}",
            "{\"node\": \"a\", \"count\": -1}",
            "{\"node\": \"a\", \"count\": 4294967296}",
            "{\"node\": \"a\", \"records\": {}}",
            "{\"node\": \"a\", \"records\": [], \"stride\": 4}",
            "{\"node\": \"a\", \"records\": [], \"u32\": []}",
            "{\"node\": \"a\", \"count\": 1, \"stride\": 4}",
            "{\"node\": \"a\", \"bytes\": [256]}",
            "{\"node\": \"a\", \"index\": \"0\", \"count\": 1}",
        ]
        .map(input),
    );
    files.extend(
        [
            "{}",
            "{\"u32\": [1], \"u32_at\": {}}",
            "{\"u32_at\": {\"x\": 1}}",
            "{\"u32_at\": [1]}",
            "{\"f32\": [1], \"abs\": -1}",
            "{\"f32\": [1], \"rel\": \"1\"}",
            "{\"f32\": [1], \"rel\": 1, \"any_order\": true}",
            "{\"f32\": [1], \"any_order\": 1}",
            "{\"u32_at\": {\"1\": 1}, \"any_order\": true}",
            "{\"u32\": []}",
            "{\"u32_at\": {}}",
            "{\"structs\": []}",
            "{\"u32\": [1], \"max_channel_error\": 1}",
            "{\"png\": \"a.png\", \"abs\": 1}",
            "{\"png\": \"a.png\", \"max_channel_error\": 256}",
        ]
        .map(expect),
    );
    files.extend(
        [
            "\"defines\": {\"A\": []}",
            "\"defines\": {\"A B\": 1}",
            "\"defines\": {\"F(x)y\": 1}",
            "\"args\": [1]",
            "\"spec_constants\": {\"A\": 1}",
            "\"entries\": \"a\"",
            "\"cpu\": {\"order\": \"random\"}",
            "\"cpu\": {\"subgroup_size\": 3}",
            "\"cpu\": {\"batch\": 3}",
            "\"emulation\": {\"arena\": \"big\"}",
            "\"emulation\": {\"schedule\": \"depth\", \"drain\": 2}",
            "\"emulation\": {\"joint_dispatch\": 8, \"fuse_arrays\": 8}",
            "\"emulation\": {\"joints\": 8}",
            "\"emulation\": {\"segment_kib\": -1}",
            "\"emulation\": {\"int64_atomics\": 0}",
            "\"expect_records\": {\"a\": \"b\"}",
            "\"expect_findings\": [1]",
            "\"expect_messages\": [1]",
            "\"expect_messages\": {\"any_order\": true}",
            "\"local_root_arguments\": [{}]",
        ]
        .map(setting),
    );
    let mut report = String::new();
    for text in files {
        let error = RunFile::parse(text.clone(), Path::new("folder/test.run.json")).expect_err(&text);
        let _ = writeln!(report, "{}\n  {}", text.replace('\n', " "), message(error));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn files_that_cannot_be_read() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let error = RunFile::read(&dir.join("absent.run.json")).unwrap_err();
    assert!(error.message.starts_with("cannot read this file: "), "{error}");
    let path = dir.join("bytes.run.json");
    std::fs::write(&path, b"{\n  \"a\": \"\xff\"}").unwrap();
    let error = RunFile::read(&path).unwrap_err();
    assert_eq!((error.place, error.message.as_str()), (Some((2, 9)), "this byte is not valid UTF-8"));
}

#[test]
fn setting_errors_have_locations() {
    let file = parsed("{\"dispatch\": [],\n \"cpu\": {\"order\": \"lifo\"}}");
    assert_eq!(message(file.error_at(&["cpu", "order"], "no")), "2:19: cpu.order: no");
    assert_eq!(message(file.error_at(&["cpu", "batching"], "no")), "2:9: cpu: no");
}
