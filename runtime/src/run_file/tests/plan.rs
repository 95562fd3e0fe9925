//! Tests of run files against an interface: bytes of resources and records, and parts that do not fit.

use std::fmt::Write as _;

use wgc_abi::interface::{BindingKind, Interface, PushConstants};
use wgc_abi::{LayoutScalar, LayoutType};

use super::super::plan::Plan;
use super::super::{EntryInput, check};
use super::{binding, idle, item, message, node, parsed, run, scalar, structure, vector, words};
use crate::device::{AddressMode, Filter, ImageDesc, ImageFormat, Resources};

/// Returns `struct Constants { uint2 RenderSize; float Time; }` as a constant buffer.
fn constants() -> BindingKind {
    let fields = [("RenderSize", 0, vector(LayoutScalar::U32, 2)), ("Time", 8, scalar(LayoutScalar::F32))];
    BindingKind::UniformBuffer { block: structure("Constants", 16, &fields) }
}

fn record() -> wgc_abi::StructLayout {
    let fields = [("gridSize", 0, scalar(LayoutScalar::U32)), ("recordIndex", 4, scalar(LayoutScalar::U16))];
    structure("Record", 6, &fields)
}

/// Resources of every kind, and nodes.
fn interface() -> Interface {
    let items = BindingKind::StorageBuffer { element: LayoutType::Struct(item()), stride: 16, writable: false };
    let texture = |writable| {
        let (dimensions, arrayed, texel, components) = (2, false, LayoutScalar::F32, 4);
        match writable {
            true => BindingKind::StorageImage {
                texture: wgc_abi::interface::Texture {
                    dimensions,
                    arrayed,
                    cube: false,
                    multisampled: false,
                    texel,
                    components,
                },
            },
            false => BindingKind::SampledImage {
                texture: wgc_abi::interface::Texture {
                    dimensions,
                    arrayed,
                    cube: false,
                    multisampled: false,
                    texel,
                    components,
                },
            },
        }
    };
    let push = structure("", 8, &[("scale", 0, scalar(LayoutScalar::F32)), ("seed", 4, scalar(LayoutScalar::U32))]);
    Interface {
        nodes: vec![
            node("first", 0, true, Some(record())),
            node("second", 0, false, Some(record())),
            node("part", 0, true, Some(item())),
            node("part", 1, true, Some(item())),
            node("ping", 0, true, None),
        ],
        bindings: vec![
            binding("lib::Out", 0, 1, words(true)),
            binding("Items", 1, 1, items),
            binding("Constants", 2, 1, constants()),
            binding("Target", 3, 1, texture(true)),
            binding("Albedo", 4, 1, texture(false)),
            binding("Linear", 5, 1, BindingKind::Sampler),
            binding("Buffers", 6, 2, words(true)),
        ],
        local_roots: None,
        push_constants: Some(PushConstants { name: "Push".to_owned(), block: push }),
        spec_constants: Vec::new(),
        compute: Vec::new(),
    }
}

/// Returns a correct run file for `interface`; resources and the dispatch can be replaced.
fn file(replaced: &[(&str, &str)], dispatch: &str, rest: &str) -> String {
    let mut resources = vec![
        ("Out", "{\"zero_bytes\": 8}"),
        ("Items", "{\"structs\": [{\"id\": 1, \"pos\": [0, 1, -2]}, {\"id\": 2, \"pos\": [0.5, 0, 0]}]}"),
        ("Constants", "{\"fields\": {\"RenderSize\": [640, 480], \"Time\": 0.5}}"),
        ("Target", "{\"image\": {\"format\": \"rgba8_unorm\", \"size\": [3, 2]}}"),
        ("Albedo", "{\"image\": {\"format\": \"r32_sfloat\", \"size\": [1, 1]}}"),
        ("Linear", "{\"sampler\": {\"filter\": \"nearest\", \"address\": \"mirror\"}}"),
        ("Buffers", "[{\"u32\": [7]}, {\"fill_u32\": [9, 3]}]"),
        ("Push", "{\"fields\": {\"scale\": 2, \"seed\": \"0xff\"}}"),
    ];
    for (name, text) in replaced {
        match resources.iter_mut().find(|r| r.0 == *name) {
            Some(resource) => resource.1 = text,
            None => resources.push((name, text)),
        }
    }
    let resources: Vec<String> =
        resources.iter().filter(|r| !r.1.is_empty()).map(|(name, text)| format!("    {name:?}: {text}")).collect();
    format!("{{\n  \"dispatch\": [{dispatch}],\n  \"resources\": {{\n{}\n  }}{rest}\n}}", resources.join(",\n"))
}

#[test]
fn resources_are_laid_out_and_bound() {
    let mut graph = idle();
    run(&file(&[], "", ""), &interface(), &mut graph).unwrap();
    assert_eq!(graph.buffer(0, 0), [0; 8]);
    #[rustfmt::skip]
    let items = [
        1, 0, 0, 0,  0, 0, 0, 0,  0, 0, 0x80, 0x3f,  0, 0, 0, 0xc0,
        2, 0, 0, 0,  0, 0, 0, 0x3f,  0, 0, 0, 0,  0, 0, 0, 0,
    ];
    assert_eq!(graph.buffer(1, 0), items);
    assert_eq!(graph.buffer(2, 0), [0x80, 2, 0, 0, 0xe0, 1, 0, 0, 0, 0, 0, 0x3f, 0, 0, 0, 0]);
    assert_eq!(graph.buffer(6, 0), [7, 0, 0, 0]);
    assert_eq!(graph.buffer(6, 1), [9, 0, 0, 0, 9, 0, 0, 0, 9, 0, 0, 0]);
    assert_eq!(graph.push, [0, 0, 0, 0x40, 0xff, 0, 0, 0]);
    let target = ImageDesc::new(ImageFormat::Rgba8Unorm, &[3, 2]);
    let albedo = ImageDesc::new(ImageFormat::R32Float, &[1, 1]);
    let images: Vec<ImageDesc> = graph.device.images.iter().map(|i| i.0).collect();
    assert_eq!(images, [target, albedo]);
    assert_eq!(graph.device.samplers, [crate::device::SamplerDesc::new(Filter::Nearest, AddressMode::Mirror)]);
    let kinds: Vec<(u32, &str)> = graph
        .bound
        .iter()
        .map(|bound| {
            let kind = match bound.resources {
                Resources::StorageBuffers(_) => "storage buffer",
                Resources::UniformBuffers(_) => "uniform buffer",
                Resources::StorageImages(_) => "storage image",
                Resources::SampledImages(_) => "sampled image",
                Resources::StorageTexels(_) | Resources::SampledTexels(_) => "texel buffer",
                Resources::Samplers(_) => "sampler",
                Resources::AccelerationStructures(_) => "acceleration structure",
                Resources::Heap(_) => "heap",
            };
            (bound.binding, kind)
        })
        .collect();
    let expected = [
        (0, "storage buffer"),
        (1, "storage buffer"),
        (2, "uniform buffer"),
        (3, "storage image"),
        (4, "sampled image"),
        (5, "sampler"),
        (6, "storage buffer"),
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn raw_constants_and_resources_named_by_binding() {
    let mut graph = idle();
    let replaced = [("Out", ""), ("0.0", "{\"u32\": [3]}"), ("Constants", "{\"u32\": [1, 2, 3, 4, 5]}")];
    run(&file(&replaced, "", ""), &interface(), &mut graph).unwrap();
    assert_eq!(graph.buffer(0, 0), [3, 0, 0, 0]);
    assert_eq!(graph.buffer(2, 0).len(), 20, "a constant buffer may be larger than its block");
}

#[test]
fn records_are_laid_out() {
    let input = |node: &str, index, data: &[u8], stride, count| EntryInput {
        node: node.to_owned(),
        index,
        data: data.to_vec(),
        stride,
        count,
    };
    let cases = [
        (
            // Records of six bytes are aligned to eight.
            r#"{"node": "first", "records": [{"gridSize": 2, "recordIndex": 258}, {"recordIndex": 1, "gridSize": 3}]}"#,
            input("first", 0, &[2, 0, 0, 0, 2, 1, 0, 0, 3, 0, 0, 0, 1, 0, 0, 0], 8, 2),
        ),
        (r#"{"node": "first", "records": []}"#, input("first", 0, &[], 8, 0)),
        (
            r#"{"node": "part", "index": 1, "records": [{"id": 5, "pos": [0, 0, 0]}]}"#,
            input("part", 1, &[5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 16, 1),
        ),
        (r#"{"node": "ping", "count": 5}"#, input("ping", 0, &[], 0, 5)),
        (r#"{"node": "ping", "records": [{}, {}]}"#, input("ping", 0, &[], 0, 2)),
        (
            r#"{"node": "first", "u32": [1, 2, 3, 4]}"#,
            input("first", 0, &[1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0], 8, 2),
        ),
        (
            // The last record ends before its stride does.
            r#"{"node": "first", "bytes": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18], "stride": 12}"#,
            input("first", 0, &(1..=18).collect::<Vec<u8>>(), 12, 2),
        ),
        (
            r#"{"node": "first", "u32": [1, 2], "stride": 0, "count": 1000}"#,
            input("first", 0, &[1, 0, 0, 0, 2, 0], 0, 1000),
        ),
        (r#"{"node": "first", "u32": [], "count": 0}"#, input("first", 0, &[], 8, 0)),
    ];
    for (text, expected) in cases {
        let mut graph = idle();
        let dispatch = format!("{{\"inputs\": [{text}], \"repeat\": 2}}");
        run(&file(&[], &dispatch, ""), &interface(), &mut graph).unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(graph.inputs, [vec![expected.clone()], vec![expected]], "{text}");
    }
}

#[test]
fn run_files_that_mismatch_the_shader_are_rejected() {
    let mut report = String::new();
    let mut refuse = |what: &str, text: String| {
        let error = check(&parsed(&text), &interface()).expect_err(what);
        assert!(!error.unsupported, "{error}");
        let _ = writeln!(report, "{what}\n  {}", message(error));
    };
    let replaced = [
        ("Nope", "{\"zero_bytes\": 4}"),
        ("lib::Out", "{\"zero_bytes\": 4}"),
        ("Out", "{\"zero_bytes\": 6}"),
        ("Out", "{\"zero_bytes\": 0}"),
        ("Out", "{\"fields\": {}}"),
        ("Out", "[{\"zero_bytes\": 4}]"),
        ("Out", "{\"file\": \"absent.bin\"}"),
        ("Out", "{\"fill_u32\": [1, 18446744073709551615]}"),
        ("Items", "{\"structs\": [{\"id\": 1, \"pos\": [0, 1]}]}"),
        ("Items", "{\"structs\": [{\"id\": 1}]}"),
        ("Items", "{\"structs\": [{\"id\": 1, \"pos\": [0, 1, 2], \"x\": 1}]}"),
        ("Items", "{\"structs\": [{\"id\": -1, \"pos\": [0, 1, 2]}]}"),
        ("Constants", "{\"u32\": [1, 2, 3]}"),
        ("Constants", "{\"structs\": []}"),
        ("Target", "{\"zero_bytes\": 4}"),
        ("Target", "{\"image\": {\"format\": \"r32_uint\", \"size\": [3, 2]}}"),
        ("Target", "{\"image\": {\"format\": \"r32_sfloat\", \"size\": [3]}}"),
        ("Albedo", "{\"image\": {\"file\": \"absent.png\"}}"),
        ("Linear", "{\"zero_bytes\": 4}"),
        ("Buffers", "{\"zero_bytes\": 4}"),
        ("Buffers", "[{\"zero_bytes\": 4}]"),
        ("Push", "{\"u32\": [1]}"),
    ];
    for (name, text) in replaced {
        refuse(&format!("{name}: {text}"), file(&[(name, text)], "", ""));
    }
    refuse(
        "several missing",
        file(&[("Out", ""), ("Constants", ""), ("Target", ""), ("Buffers", ""), ("Push", "")], "", ""),
    );
    for input in [
        r#"{"node": "nope", "count": 1}"#,
        r#"{"node": "second", "count": 1}"#,
        r#"{"node": "part", "index": 2, "count": 1}"#,
        r#"{"node": "first", "count": 1}"#,
        r#"{"node": "ping", "u32": [1]}"#,
        r#"{"node": "ping", "records": [{"a": 1}]}"#,
        r#"{"node": "first", "records": [{"gridSize": 1}]}"#,
        r#"{"node": "first", "u32": [1, 2], "stride": 4}"#,
        r#"{"node": "first", "u32": [1, 2, 3, 4, 5], "stride": 10}"#,
        r#"{"node": "first", "u32": [1, 2], "stride": 0}"#,
        r#"{"node": "first", "u32": [1, 2], "count": 2}"#,
        r#"{"node": "first", "u32": [1, 2, 3]}"#,
        r#"{"node": "first", "u32": [1], "stride": 0, "count": 3}"#,
        r#"{"node": "first", "file": "absent.bin"}"#,
    ] {
        refuse(input, file(&[], &format!("{{\"inputs\": [{input}]}}"), ""));
    }
    for expect in [
        r#""expect": {"Nope": {"u32": [1]}}"#,
        r#""expect": {"Out": {"u32": [1]}}"#,
        r#""expect": {"Out": {"u32": [1, 2, 3], "any_order": true}}"#,
        r#""expect": {"Out": {"u64_at": {"1": 1}}}"#,
        r#""expect": {"Items": {"structs": [{}]}}"#,
        r#""expect": {"Items": {"structs": [{"id": 1}, {"id": 2}]}}"#,
        r#""expect": {"Target": {"structs": [{}]}}"#,
        r#""expect": {"Out": {"png": "absent.png"}}"#,
        r#""expect": {"Target": {"png": "absent.png"}}"#,
        r#""expect": {"Linear": {"u32": [1]}}"#,
        r#""expect": {"Buffers": {"u32": [1]}}"#,
        r#""expect": {"Buffers": [{"u32": [1]}]}"#,
        r#""expect": {"Buffers[2]": {"u32": [1]}}"#,
        r#""expect": {"Buffers[x]": {"u32": [1]}}"#,
        r#""expect": {"Out": [{"u32": [1, 2]}]}"#,
        r#""expect": {"Out[0]": {"u32": [1, 2]}}"#,
        r#""expect_records": {"nope": 1}"#,
        r#""expect_records": {"part[2]": 1}"#,
        r#""expect_records": {"part[x]": 1}"#,
    ] {
        refuse(expect, file(&[], "", &format!(",\n  {expect}")));
    }
    insta::assert_snapshot!(report);
}

#[test]
fn ambiguous_resource_names_must_be_qualified() {
    let mut interface = interface();
    interface.bindings.push(binding("other::Out", 9, 1, words(true)));
    let error = check(&parsed(&file(&[], "", "")), &interface).unwrap_err();
    assert_eq!(
        message(error),
        "4:5: resources.Out: \"Out\" is ambiguous: lib::Out or other::Out; write the whole name"
    );
    let replaced = [("Out", ""), ("lib::Out", "{\"zero_bytes\": 4}"), ("other::Out", "{\"zero_bytes\": 4}")];
    check(&parsed(&file(&replaced, "", "")), &interface).unwrap();
}

#[test]
fn variables_sharing_a_binding_are_given_once() {
    let mut interface = interface();
    // Beside `lib::Out`, at binding 0.
    interface.bindings.push(binding("View", 0, 1, words(false)));
    check(&parsed(&file(&[], "", "")), &interface).unwrap();
    check(&parsed(&file(&[("Out", ""), ("View", "{\"zero_bytes\": 8}")], "", "")), &interface).unwrap();
    let error = check(&parsed(&file(&[("View", "{\"zero_bytes\": 8}")], "", "")), &interface).unwrap_err();
    assert!(
        message(&error).ends_with("\"Out\" and \"View\" share one binding: set the contents of one of them"),
        "{error}"
    );
    let error = check(&parsed(&file(&[("Out", "")], "", "")), &interface).unwrap_err();
    assert!(message(&error).contains("missing in this file: lib::Out") && message(&error).contains("View"), "{error}");
}

#[test]
fn filled_contents_are_limited() {
    let planned = |count: u64| {
        let text = file(&[("Out", &format!("{{\"fill_u32\": [1, {count}]}}"))], "", "");
        check(&parsed(&text), &interface()).err().map(message)
    };
    let error = planned((64 << 20) + 1).expect("it is refused");
    assert!(error.contains("67108865 filled words have more than 268435456 bytes"), "{error}");
    assert_eq!(planned(64), None);
}

#[test]
fn contents_of_all_resources_are_limited_together() {
    let mut interface = interface();
    interface.bindings.push(binding("Table", 9, 3, words(false)));
    let filled = "{\"fill_u32\": [1, 100]}";
    let table = format!("[{filled}, {filled}, {filled}]");
    let parsed = parsed(&file(&[("Out", filled), ("Table", &table)], "", ""));
    let planned = |most: u64| Plan::with_contents_limit(&parsed, &interface, most).err().map(|fault| fault.message);
    // Four filled buffers; Items, Constants and Buffers of the usual file.
    assert_eq!(planned(4 * 400 + 32 + 16 + 16), None);
    let error = planned(4 * 400 + 32 + 16 + 15).expect("it is refused");
    assert!(error.contains("the contents of all resources have more than 1663 bytes"), "{error}");
}
