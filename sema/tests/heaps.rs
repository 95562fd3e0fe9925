//! Heaps: the views in a module and their bindings. The expected numbers are those of DXC's page on SPIR-V.

use wgc_ir::{Count, Heap, Module};
use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options};
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

fn options(words: &[&str]) -> Options {
    let mut all = Options::default();
    for option in words {
        let words: Vec<&str> = option.split(' ').collect();
        all.bindings.set(words[0], &words[1..]).unwrap();
    }
    all
}

/// Compiles a compute shader with these declarations and this body.
fn module(declarations: &str, body: &str, words: &[&str]) -> Module {
    let text = format!("{declarations}\n[Shader(\"compute\")] [NumThreads(1, 1, 1)]\nvoid main() {{ {body} }}");
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["test.hlsl"], options(words));
    let errors: Vec<_> = diagnostics(&db, program).iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(errors, [""; 0]);
    let module = link(&db, program).module.clone().unwrap();
    wgc_ir::verify::verify(&module).unwrap();
    module
}

fn place(module: &Module, name: &str) -> (u32, u32) {
    let binding = module.globals.get(name).and_then(|g| g.binding()).unwrap_or_else(|| panic!("no {name}"));
    (binding.set, binding.binding)
}

const COUNTER: &str = "counter.var.ResourceDescriptorHeap";

#[test]
fn heap_accesses_of_one_type_share_one_array() {
    let module = module(
        "struct S { uint x; };
         static RWTexture2D<float> Target = ResourceDescriptorHeap[9];
         StructuredBuffer<S> Get(uint i) { return ResourceDescriptorHeap[NonUniformResourceIndex(i)]; }",
        "RWStructuredBuffer<uint> a = ResourceDescriptorHeap[1];
         RWStructuredBuffer<uint> b = ResourceDescriptorHeap[2];
         globallycoherent RWStructuredBuffer<uint> c = ResourceDescriptorHeap[3];
         SamplerState s = SamplerDescriptorHeap[0];
         a[0] = b[0] + c[0] + Get(4)[0].x;
         Target[uint2(0, 0)] = 1;",
        &[],
    );
    let heaps: Vec<(&str, Option<Heap>, Count)> =
        (module.globals.values()).filter_map(|g| g.binding().map(|b| (g.name.as_str(), b.heap, b.count))).collect();
    let row = |name, heap| (name, Some(heap), Count::Unbounded);
    let mut sorted = heaps.clone();
    sorted.sort_by_key(|h| h.0);
    assert_eq!(
        sorted,
        [
            row("ResourceDescriptorHeap<RWStructuredBuffer<uint>>", Heap::Resource),
            row("ResourceDescriptorHeap<RWTexture2D<float>>", Heap::Resource),
            row("ResourceDescriptorHeap<StructuredBuffer<S>>", Heap::Resource),
            row("ResourceDescriptorHeap<globallycoherent RWStructuredBuffer<uint>>", Heap::Resource),
            row("SamplerDescriptorHeap<SamplerState>", Heap::Sampler),
        ]
    );
    for (name, ..) in heaps {
        assert_eq!(place(&module, name), if name.starts_with('S') { (0, 1) } else { (0, 0) }, "{name}");
    }
}

#[test]
fn heaps_take_bindings_left_free_by_declarations() {
    let counted = "RWStructuredBuffer<int> tmp = ResourceDescriptorHeap[0]; tmp.IncrementCounter();";
    let first = module("[[vk::binding(0, 0)]] RWStructuredBuffer<int> buffer;", counted, &[]);
    let view = "ResourceDescriptorHeap<RWStructuredBuffer<int>>";
    assert_eq!((place(&first, view), place(&first, COUNTER)), ((0, 1), (0, 2)));
    let second = module("[[vk::binding(1, 0)]] RWStructuredBuffer<int> buffer;", counted, &[]);
    assert_eq!((place(&second, view), place(&second, COUNTER)), ((0, 0), (0, 2)));
    let both = module("RWStructuredBuffer<int> a;", &format!("a.IncrementCounter(); {counted}"), &[]);
    assert_eq!(["a", "counter.var.a", view, COUNTER].map(|name| place(&both, name)), [(0, 0), (0, 1), (0, 2), (0, 3)]);
    // The counter of `a` is never used, regardless of its type; nor is the counter of an uncounted buffer.
    let declared = "[[vk::counter_binding(1)]] RWStructuredBuffer<uint> a;";
    let unused = module(declared, &format!("a[0] = 1; {counted}"), &[]);
    assert_eq!([view, COUNTER].map(|name| place(&unused, name)), [(0, 1), (0, 2)]);
    assert!(!unused.globals.contains_key("counter.var.a"));
    let uncounted = module("", "RWStructuredBuffer<int> tmp = ResourceDescriptorHeap[0]; tmp[0] = 1;", &[]);
    assert!(!uncounted.globals.contains_key(COUNTER));
}

#[test]
fn heaps_go_where_the_options_say() {
    let module = module(
        "RWStructuredBuffer<uint> a;",
        "RWStructuredBuffer<uint> b = ResourceDescriptorHeap[1]; a.IncrementCounter(); b.IncrementCounter();",
        &["-fvk-bind-resource-heap 6 7", "-fvk-bind-counter-heap 8 9"],
    );
    assert_eq!(place(&module, "ResourceDescriptorHeap<RWStructuredBuffer<uint>>"), (7, 6));
    assert_eq!(place(&module, COUNTER), (9, 8));
    assert_eq!((place(&module, "a"), place(&module, "counter.var.a")), ((0, 0), (0, 1)));
}

#[test]
fn units_share_the_heaps() {
    let node = |name: &str, fields: &str, own: &str| {
        format!(
            "struct S {{ {fields} }};
             {own}
             [Shader(\"node\")] [NodeLaunch(\"thread\")] void {name}()
             {{
                 RWStructuredBuffer<S> list = ResourceDescriptorHeap[1];
                 list[list.IncrementCounter()] = (S)1;
             }}"
        )
    };
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("a.hlsl", Some(node("A", "uint x;", "RWByteAddressBuffer Own;").as_bytes()));
    db.set_text("b.hlsl", Some(node("B", "float2 y;", "").as_bytes()));
    let units = vec![("a.hlsl", Options::default()), ("b.hlsl", Options::default())];
    let whole = db.add_whole(units, Options::default());
    let errors: Vec<_> = diagnostics(&db, whole).iter().map(|d| d.message.clone()).collect();
    assert_eq!(errors, [""; 0]);
    let module = link(&db, whole).module.clone().unwrap();
    wgc_ir::verify::verify(&module).unwrap();
    let view = "ResourceDescriptorHeap<RWStructuredBuffer<S>>";
    assert_eq!(place(&module, view), (0, 1), "`Own` keeps its place");
    assert_eq!(place(&module, &format!("b::{view}")), (0, 1));
    assert_eq!(place(&module, COUNTER), (0, 2));
    assert_eq!(
        module.globals.values().filter(|g| g.binding().is_some_and(|b| b.heap == Some(Heap::Counter))).count(),
        1
    );
}
