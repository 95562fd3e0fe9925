//! Tests of heaps in run files against a shader's uses of them.

use std::fmt::Write as _;

use wgc_abi::interface::{BindingInterface, BindingKind, Heap, Interface};
use wgc_abi::{LayoutScalar, LayoutType};

use super::super::check;
use super::{binding, idle, item, message, parsed, run, scalar, structure, words};
use crate::device::{BufferId, Descriptor, ImageFormat, Resources};

fn view(heap: Heap, name: &str, kind: BindingKind) -> BindingInterface {
    let (place, variable) = match heap {
        Heap::Resource => (3, "ResourceDescriptorHeap"),
        Heap::Sampler => (4, "SamplerDescriptorHeap"),
        Heap::Counter => (5, "counter.var.ResourceDescriptorHeap"),
    };
    let name = if heap == Heap::Counter { variable.to_owned() } else { format!("{variable}<{name}>") };
    BindingInterface { heap: Some(heap), ..binding(&name, place, 0, kind) }
}

fn interface() -> Interface {
    let items = BindingKind::StorageBuffer { element: LayoutType::Struct(item()), stride: 16, writable: false };
    let texels = |writable| BindingKind::TexelBuffer { writable, texel: LayoutScalar::U32, components: 1 };
    let block = structure("C", 16, &[("scale", 0, scalar(LayoutScalar::F32))]);
    Interface {
        bindings: vec![
            view(Heap::Resource, "RWStructuredBuffer<uint>", words(true)),
            view(Heap::Resource, "StructuredBuffer<Item>", items),
            view(Heap::Resource, "ConstantBuffer<C>", BindingKind::UniformBuffer { block }),
            view(Heap::Resource, "RWBuffer<uint>", texels(true)),
            view(Heap::Resource, "globallycoherent RWBuffer<uint>", texels(true)),
            view(Heap::Resource, "Buffer<uint>", texels(false)),
            view(Heap::Sampler, "SamplerState", BindingKind::Sampler),
            view(Heap::Counter, "", words(true)),
        ],
        ..Interface::default()
    }
}

fn file(resources: &str, samplers: &str, rest: &str) -> String {
    format!("{{\"dispatch\": [], \"resource_heap\": {resources}, \"sampler_heap\": {samplers}{rest}}}")
}

const SAMPLERS: &str = "[{\"sampler\": {}}]";

#[test]
fn elements_become_descriptors_of_their_types() {
    let mut graph = idle();
    let resources = r#"[
        {"u32": [7, 8, 9, 10]}, null, {"structs": [{"id": 1, "pos": [0, 0, 0]}]}, {"fields": {"scale": 2}},
        {"u32": [5], "as": "RWBuffer< uint >"}, {"u32": [6], "as": "Buffer<uint>"}]"#;
    let expected = r#", "expect": {"ResourceDescriptorHeap[0]": {"u32": [7, 8, 9, 10]},
        "counter.var.ResourceDescriptorHeap[2]": {"u32": [0]}}"#;
    let report = run(&file(resources, SAMPLERS, expected), &interface(), &mut graph).unwrap();
    assert!(report.passed(), "{report:?}");
    let bound = |binding| graph.bound.iter().find(|b| b.binding == binding).map(|b| b.resources.clone());
    use Descriptor as D;
    let format = ImageFormat::R32Uint;
    let heap = [
        D::StorageBuffer(BufferId(0)),
        D::Nothing,
        D::StorageBuffer(BufferId(1)),
        D::UniformBuffer(BufferId(2)),
        D::StorageTexels(BufferId(3), format),
        D::SampledTexels(BufferId(4), format),
    ];
    assert_eq!(bound(3), Some(Resources::Heap(heap.to_vec())));
    assert!(matches!(bound(4), Some(Resources::Heap(list)) if matches!(list.as_slice(), [D::Sampler(_)])));
    assert!(matches!(bound(5), Some(Resources::StorageBuffers(list)) if list.len() == 6), "a counter for each index");
}

#[test]
fn invalid_heap_entries_are_rejected() {
    let mut report = String::new();
    for (resources, samplers, rest) in [
        ("[]", SAMPLERS, ""),
        ("[{\"sampler\": {}}]", SAMPLERS, ""),
        ("[{\"u32\": [1], \"as\": \"RWBuffer<int>\"}]", SAMPLERS, ""),
        ("[{\"u32\": [1], \"as\": \"StructuredBuffer<Item>\"}]", SAMPLERS, ""),
        ("[{\"image\": {\"format\": \"r32_uint\", \"size\": [1]}}]", SAMPLERS, ""),
        ("[{\"u32\": [1], \"from\": 1}]", SAMPLERS, ""),
        ("[{\"as\": \"RWBuffer<uint>\"}]", SAMPLERS, ""),
        ("[{\"u32\": [1]}]", "[{\"u32\": [1]}]", ""),
        ("[null, {\"u32\": [1]}]", SAMPLERS, ", \"expect\": {\"ResourceDescriptorHeap[0]\": {\"u32\": [1]}}"),
        ("[{\"u32\": [1]}]", SAMPLERS, ", \"expect\": {\"ResourceDescriptorHeap[1]\": {\"u32\": [1]}}"),
    ] {
        let text = file(resources, samplers, rest);
        let error = match super::super::RunFile::parse(text, std::path::Path::new("folder/test.run.json")) {
            Err(error) => error,
            Ok(parsed) => check(&parsed, &interface()).expect_err(resources),
        };
        let _ = writeln!(report, "{}", message(error));
    }
    let _ = writeln!(report, "{}", message(check(&parsed("{\"dispatch\": []}"), &interface()).unwrap_err()));
    insta::assert_snapshot!(report);
}
