//! Modules as the back ends receive them: bindings, layouts, initial values, entry points, graphs.

use wgc_ir::{Binding, Constant, GlobalKind, Grid, Launch, Module, NodeId, OutputArray, Scalar, Type};
use wgc_sema::Compiler;
use wgc_sema::db::{FileLoader, Options};
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

struct Nothing;

impl FileLoader for Nothing {
    fn load(&self, _: &str) -> Option<Vec<u8>> {
        None
    }
}

fn module_with(text: &str, options: Options) -> Module {
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["test.hlsl"], options);
    let wrong = diagnostics(&db, program).iter().filter(|d| d.severity != Severity::Hint);
    let wrong: Vec<_> = wrong.map(|d| format!("{} {}", d.code, d.message)).collect();
    assert_eq!(wrong, [""; 0]);
    let module = link(&db, program).module.clone().unwrap();
    wgc_ir::verify::verify(&module).unwrap();
    module
}

fn module(text: &str) -> Module {
    module_with(text, Options { enable_16bit_types: true, ..Options::default() })
}

fn compute(body: &str) -> String {
    format!("{body}\n[Shader(\"compute\")] [NumThreads(8, 4, 1)]\n")
}

fn binding(module: &Module, name: &str) -> (u32, u32) {
    match &module.globals[name].kind {
        GlobalKind::Buffer { binding: Binding { set, binding, .. }, .. }
        | GlobalKind::Uniform { binding: Binding { set, binding, .. }, .. }
        | GlobalKind::Image { binding: Binding { set, binding, .. }, .. } => (*set, *binding),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn bindings_follow_the_source_and_never_collide() {
    let text = compute(
        "[[vk::binding(3, 1)]] RWStructuredBuffer<uint> by_vulkan;
         RWStructuredBuffer<uint> free_a;
         RWStructuredBuffer<uint> u0 : register(u0);
         StructuredBuffer<uint> t0 : register(t0);
         RWStructuredBuffer<uint> u2 : register(u2, space1);
         RWStructuredBuffer<uint> u3 : register(u4, space1);
         cbuffer Block : register(b5) { uint member; };
         RWStructuredBuffer<uint> free_b;",
    ) + "void main() { by_vulkan[0] = free_a[0] + u0[0] + t0[0] + u2[0] + u3[0] + member + free_b[0]; }";
    let (module, messages) = bound(&text, &[]);
    assert_eq!(messages, ["WG0132 `t0` at register t0 moves to binding 1 of set 0: `u0` has binding 0"]);
    assert_eq!(binding(&module, "by_vulkan"), (1, 3));
    assert_eq!(binding(&module, "u0"), (0, 0));
    assert_eq!(binding(&module, "t0"), (0, 1), "u0 has binding 0 already");
    assert_eq!(binding(&module, "u2"), (1, 2));
    assert_eq!(binding(&module, "u3"), (1, 4));
    assert_eq!(binding(&module, "Block"), (0, 5));
    assert_eq!(binding(&module, "free_a"), (0, 2));
    assert_eq!(binding(&module, "free_b"), (0, 3));
    let GlobalKind::Buffer { binding, .. } = &module.globals["u2"].kind else { panic!() };
    assert_eq!(binding.register, Some(('u', 2, 1)));
}

fn bound(text: &str, options: &[&str]) -> (Module, Vec<String>) {
    let mut all = Options { enable_16bit_types: true, ..Options::default() };
    for option in options {
        let words: Vec<&str> = option.split(' ').collect();
        all.bindings.set(words[0], &words[1..]).unwrap();
    }
    let mut db = Compiler::new(Box::new(Nothing));
    db.set_text("test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["test.hlsl"], all);
    let errors = diagnostics(&db, program).iter().map(|d| format!("{} {}", d.code, d.message)).collect();
    (link(&db, program).module.clone().unwrap_or_default(), errors)
}

/// The example of DXC's page on bindings, with the results documented there.
#[test]
fn binding_shifts_move_only_registers() {
    let text = compute(
        "struct S { float4 f; };
         ConstantBuffer<S> cbuffer1 : register(b0);
         RWTexture2D<float4> texture1 : register(u0);
         RWTexture2D<float4> texture2 : register(u1, space1);
         RWBuffer<float4> free;
         [[vk::binding(3)]] RWBuffer<float4> explicit : register(u5, space2);
         RWBuffer<float4> set_only : register(space4);",
    ) + "void main() { texture1[uint2(0, 0)] = cbuffer1.f + texture2[uint2(0, 0)] + free[0] + explicit[0] + set_only[0]; }";
    let (module, errors) = bound(&text, &["-fvk-u-shift 10 0", "-fvk-u-shift 20 1"]);
    assert_eq!(errors, [""; 0]);
    assert_eq!(binding(&module, "explicit"), (0, 3));
    assert_eq!(binding(&module, "cbuffer1"), (0, 0));
    assert_eq!(binding(&module, "texture1"), (0, 10));
    assert_eq!(binding(&module, "texture2"), (1, 21));
    assert_eq!(binding(&module, "free"), (0, 1));
    assert_eq!(binding(&module, "set_only"), (4, 0));
    let (module, errors) = bound(&text, &["-fvk-bind-register u0 0 9 7", "-auto-binding-space 5"]);
    assert_eq!(errors, [""; 0]);
    assert_eq!(binding(&module, "texture1"), (7, 9));
    assert_eq!(binding(&module, "texture2"), (1, 1));
    assert_eq!(binding(&module, "free"), (5, 0));
    let (module, _) = bound(&text, &["-fvk-u-shift 10 all", "-fvk-auto-shift-bindings"]);
    assert_eq!(binding(&module, "texture2"), (1, 11));
    assert_eq!(binding(&module, "free"), (0, 11), "the next one from the shift on");
    assert_eq!(binding(&module, "set_only"), (4, 10));
}

#[test]
fn collisions_of_explicit_bindings_are_errors() {
    let text = compute(
        "cbuffer C : register(b0) { uint x; };
         RWBuffer<uint> a : register(u0);
         RWBuffer<uint> b : register(u8);",
    ) + "void main() { a[0] = b[0] + x; }";
    // By default `u0` moves away from `b0`, with a warning.
    let (module, errors) = bound(&text, &[]);
    assert_eq!(errors, ["WG0132 `a` at register u0 moves to binding 1 of set 0: `C` has binding 0"]);
    assert_eq!((binding(&module, "a"), binding(&module, "b")), ((0, 1), (0, 8)));
    let (_, errors) = bound(&text, &["-fvk-b-shift 8 0"]);
    assert_eq!(errors, ["WG0114 `b` gets binding 8 of set 0, which is the binding of `C`"]);
    let (module, errors) = bound(&text, &["-fvk-u-shift 10 0"]);
    assert_eq!((binding(&module, "a"), errors), ((0, 10), Vec::new()), "the shift that both suggest");
    let (_, errors) = bound(&text, &["-fvk-u-shift 4294967288 0"]);
    assert_eq!(
        errors,
        ["WG0114 `b` at register u8 cannot be shifted by 4294967288: bindings end at 4294967295"],
        "`a` fits"
    );
    let explicit = compute("[[vk::binding(2, 1)]] RWBuffer<uint> a; RWBuffer<uint> b : register(u2, space1);")
        + "void main() { a[0] = b[0]; }";
    let (_, errors) = bound(&explicit, &[]);
    assert_eq!(errors, ["WG0114 `b` gets binding 2 of set 1, which is the binding of `a`"]);
    // A register for other stages does not apply to this one.
    let staged = compute(
        "StructuredBuffer<uint> a : register(ps, space1) : register(lib, t5, space2) : register(vs_6_0, t1);
         StructuredBuffer<uint> b : register(ps, t7);
         StructuredBuffer<uint> c : register(lib_6_8, space4);
         RWBuffer<uint> d : register(lib_6_x, u3);",
    ) + "void main() { d[0] = a[0] + b[0] + c[0]; }";
    let (module, errors) = bound(&staged, &[]);
    let bindings = ["a", "b", "c", "d"].map(|name| binding(&module, name));
    assert_eq!((bindings, errors), ([(2, 5), (0, 0), (4, 0), (0, 3)], Vec::new()));
    let aliases = compute(
        "[[vk::binding(1)]] StructuredBuffer<uint> x;
         [[vk::binding(1)]] StructuredBuffer<float> y;
         [[vk::binding(1)]] RWBuffer<uint> z;",
    ) + "void main() { z[0] = x[0] + uint(y[0]); }";
    let (_, errors) = bound(&aliases, &[]);
    assert_eq!(
        errors,
        ["WG0114 `z` is a storage texel buffer at binding 1 of set 0, but `y` there is a storage buffer"]
    );
}

#[test]
fn only_used_resources_conflict_over_registers() {
    let of = |body: &str, options: &[&str]| {
        let text = "cbuffer A : register(b3) { float4 a; };
             cbuffer B : register(b3) { uint b; };
             RWStructuredBuffer<uint> u : register(u0);
             RWByteAddressBuffer bytes : register(u0);
             RWTexture2D<uint> picture : register(u0);
             StructuredBuffer<uint> t : register(t0);
             StructuredBuffer<uint> free;
             [[vk::binding(3)]] Texture2D<float> named;
             [Shader(\"compute\")] [NumThreads(1, 1, 1)] ";
        let (module, messages) = bound(&format!("{text} {body}"), options);
        let bound = module.globals.values().filter(|g| g.binding().is_some());
        let mut slots: Vec<_> = bound.map(|g| (binding(&module, &g.name), g.name.to_string())).collect();
        slots.sort();
        let slots: Vec<String> = slots.into_iter().map(|(slot, name)| format!("{name} {slot:?}")).collect();
        (slots.join(", "), messages)
    };
    let fine = |slots: &str| (slots.to_string(), Vec::<String>::new());
    assert_eq!(of("void main() { u[0] = a.x; }", &[]), fine("u (0, 0), A (0, 3)"));
    assert_eq!(of("void main() { picture[uint2(0, 0)] = b; }", &[]), fine("picture (0, 0), B (0, 3)"));
    // With or without shifts, unused resources never collide, but keep their numbers from resources without one.
    let shifts = ["-fvk-t-shift 1 0", "-fvk-u-shift 1 0"];
    assert_eq!(of("void main() { bytes.Store(0, t[0]); }", &["-fvk-t-shift 1 0"]), fine("bytes (0, 0), t (0, 1)"));
    assert_eq!(of("void main() { u[0] = free[0]; }", &[]), fine("u (0, 0), free (0, 1)"));
    // Buffers at one register are one; an image cannot be the same, and moves.
    let (slots, messages) = of("void main() { u[0] = bytes.Load(4); picture[uint2(0, 0)] = 1; }", &[]);
    assert_eq!(slots, "bytes (0, 0), u (0, 0), picture (0, 1)");
    assert_eq!(messages.len(), 2, "{messages:?}");
    assert!(messages[0].starts_with("WG0137 `bytes` and `u` are one storage buffer: both have register u0"));
    assert!(messages[1].starts_with("WG0132 `picture` at register u0 moves to binding 1 of set 0"), "{messages:?}");
    // With shifts the numbers are intended: one error for each.
    let (_, messages) = of("void main() { u[0] = t[0]; picture[uint2(0, 0)] = 1; }", &shifts);
    let collisions = [
        "`picture` gets binding 1 of set 0, which is the binding of `u`",
        "`t` gets binding 1 of set 0, which is the binding of `u`",
    ];
    assert_eq!(messages, collisions.map(|text| format!("WG0114 {text}")));
    let (_, messages) = of("void main() { u[0] = a.x + named[uint2(0, 0)]; }", &[]);
    assert_eq!(messages, ["WG0114 `A` gets binding 3 of set 0, which is the binding of `named`"]);
}

#[test]
fn compute_shaders_of_one_file_may_reuse_a_register() {
    let text = "RWStructuredBuffer<uint> a : register(u0); RWStructuredBuffer<float> b : register(u0);
         [Shader(\"compute\")] [NumThreads(1, 1, 1)] void first() { a[0] = 1; }
         [Shader(\"compute\")] [NumThreads(1, 1, 1)] void second() { b[0] = 1; }";
    let (module, messages) = bound(text, &[]);
    assert_eq!((binding(&module, "a"), binding(&module, "b"), messages), ((0, 0), (0, 0), Vec::new()));
    let (_, messages) = bound(&text.replace("a[0] = 1", "a[0] = b[0]"), &[]);
    assert_eq!(messages, ["WG0137 `b` and `a` are one storage buffer: both have register u0"]);
}

#[test]
fn aliased_buffers_share_one_counter() {
    let text = compute("RWStructuredBuffer<uint> a : register(u2); RWStructuredBuffer<int> b : register(u2);")
        + "void main() { a[b.IncrementCounter()] = a.IncrementCounter(); }";
    let (module, messages) = bound(&text, &[]);
    assert_eq!(messages.len(), 1, "{messages:?}");
    let slots = ["a", "b", "counter.var.a", "counter.var.b"].map(|name| binding(&module, name));
    assert_eq!(slots, [(0, 2), (0, 2), (0, 0), (0, 0)]);
}

/// Each node has its own local root arguments, regardless of their registers.
#[test]
fn local_root_arguments_do_not_alias() {
    let text = "cbuffer First : register(b1) { float4 colour; };
         cbuffer Second : register(b1) { uint flags; };
         LocalRootSignature la = { \"CBV(b1)\" };
         SubobjectToExportsAssociation aa = { \"la\", \"A;B\" };
         RWStructuredBuffer<float> Out : register(u0);
         [Shader(\"node\")] [NodeLaunch(\"thread\")] void A() { Out[0] = colour.x; }
         [Shader(\"node\")] [NodeLaunch(\"thread\")] void B() { Out[1] = flags; }";
    let (module, messages) = bound(text, &[]);
    assert_eq!(["First", "Second", "Out"].map(|name| binding(&module, name)), [(0, 1), (0, 2), (0, 0)]);
    assert_eq!(messages, ["WG0132 `Second` at register b1 moves to binding 2 of set 0: `First` has binding 1"]);
    // Without the signature the register is the host's.
    let (module, messages) = bound(&text.replace("LocalRootSignature", "GlobalRootSignature"), &[]);
    assert_eq!(["First", "Second"].map(|name| binding(&module, name)), [(0, 1), (0, 1)]);
    assert!(messages.iter().any(|m| m.starts_with("WG0137")), "{messages:?}");
}

fn offsets(module: &Module, name: &str) -> Vec<(String, u32)> {
    let GlobalKind::Uniform { block: Type::Struct(block), .. } = &module.globals[name].kind else { panic!("{name}") };
    block.fields.iter().map(|f| (f.name.to_string(), f.offset)).collect()
}

#[test]
fn variables_outside_cbuffers_are_fields_of_one() {
    let text = compute(
        "RWBuffer<uint> o;
         uint a; float3 b; float3 c;
         cbuffer P { uint high : packoffset(c2.y); uint low : packoffset(c0.w); };",
    ) + "void main() { o[0] = a + uint(b.x) + uint(c.x) + high + low; }";
    let pairs = |list: &[(&str, u32)]| list.iter().map(|(n, o)| (n.to_string(), *o)).collect::<Vec<_>>();
    let (module, errors) = bound(&text, &[]);
    assert_eq!(errors, [""; 0]);
    assert_eq!(offsets(&module, "$Globals"), pairs(&[("a", 0), ("b", 4), ("c", 16)]));
    assert_eq!(offsets(&module, "P"), pairs(&[("high", 36), ("low", 12)]), "fields in the order of the text");
    assert_eq!(["o", "$Globals", "P"].map(|n| binding(&module, n)), [(0, 0), (0, 1), (0, 2)]);
    let (module, _) = bound(&text, &["-fvk-use-scalar-layout", "-fvk-bind-globals 7 3"]);
    assert_eq!(offsets(&module, "$Globals"), pairs(&[("a", 0), ("b", 4), ("c", 16)]));
    assert_eq!(["$Globals", "P"].map(|n| binding(&module, n)), [(3, 7), (0, 1)]);
    let (_, errors) =
        bound("cbuffer C { uint x = 3; }; cbuffer D { uint y : packoffset(d1); };", &["-auto-binding-space 1"]);
    assert_eq!(errors[..1], ["WG0127 the host sets `x`, so its initialiser is ignored"]);
    assert!(errors[1].starts_with("WG0131"), "{errors:?}");
}

#[test]
fn scalar_layout_packs_tightly() {
    let text = compute("RWBuffer<uint> o; cbuffer C { float2 a; float3 b; float c[2]; };")
        + "void main() { o[0] = uint(a.x + b.x + c[1]); }";
    let of = |options: &[&str]| offsets(&bound(&text, options).0, "C").into_iter().map(|(_, o)| o).collect::<Vec<_>>();
    assert_eq!(of(&[]), [0, 16, 32]);
    assert_eq!(of(&["-fvk-use-scalar-layout"]), [0, 8, 20]);
}

#[test]
fn counters_that_are_used_have_bindings() {
    let text = compute(
        "RWStructuredBuffer<uint> plain : register(u0);
         RWStructuredBuffer<uint> counted : register(u1);
         [[vk::counter_binding(9)]] AppendStructuredBuffer<uint> bin[3] : register(u2, space1);",
    ) + "void main() { plain[0] = counted.IncrementCounter(); bin[1].Append(4); }";
    let (module, errors) = bound(&text, &[]);
    assert_eq!(errors, [""; 0]);
    assert!(!module.globals.contains_key("counter.var.plain"));
    assert_eq!(binding(&module, "counter.var.bin"), (1, 9));
    // Counters without a number come last. The counter of `plain` follows this one, as it is unused.
    assert_eq!(binding(&module, "counter.var.counted"), (0, 2));
    let counts = ["bin", "counter.var.bin"].map(|n| module.globals[n].binding().unwrap().count);
    assert_eq!(counts, [wgc_ir::Count::Array(3); 2]);
}

/// The functions follow the entry point in the order in which they are reached, as in DXC; unused ones come last.
#[test]
fn implicit_counters_are_numbered_by_first_use() {
    let text = compute(
        "RWStructuredBuffer<uint> Unused; RWStructuredBuffer<uint> A : register(u3); RWStructuredBuffer<uint> B, C, D;
         Texture2D<float> T; uint g() { return C.IncrementCounter(); }
         uint f() { return A.DecrementCounter() + g(); }",
    ) + "void main() { uint n = D.IncrementCounter() + f(); B[B.IncrementCounter()] = n + T[uint2(0, 0)]; }";
    let (module, messages) = bound(&text, &[]);
    assert_eq!(messages, [""; 0]);
    let number = |name: &str| binding(&module, name).1;
    assert_eq!(["A", "B", "C", "D", "T"].map(number), [3, 1, 2, 4, 5]);
    assert_eq!(["D", "B", "A", "C"].map(|name| number(&format!("counter.var.{name}"))), [6, 7, 8, 9]);
}

/// An Append or Consume buffer is declared with its counter, used or not, as in DXC; other counters come last.
#[test]
fn append_buffer_counters_take_the_next_binding() {
    let text = compute(
        "[[vk::counter_binding(7)]] AppendStructuredBuffer<uint> Z;
         Texture2D<float> T : register(t1); Texture2D<float> U;
         AppendStructuredBuffer<uint> A : register(u3); Texture2D<float> V; RWStructuredBuffer<uint> R;
         ConsumeStructuredBuffer<uint> Q; AppendStructuredBuffer<uint> Unused; Texture2D<float> W;
         AppendStructuredBuffer<uint> S : register(u0, space1); Texture2D<float> X;",
    ) + "void main() { Z.Append(1); uint n = R.IncrementCounter();
         A.Append(n + T[uint2(0, 0)] + U[uint2(0, 0)] + V[uint2(0, 0)] + Q.Consume() + W[uint2(0, 0)] + X[uint2(0, 0)]);
         S.Append(2); }";
    let (module, messages) = bound(&text, &[]);
    assert_eq!(messages, [""; 0]);
    let number = |name: &str| binding(&module, name);
    assert_eq!(
        ["Z", "T", "U", "A", "V", "R", "Q", "W", "X"].map(number),
        [0, 1, 2, 3, 5, 6, 8, 12, 13].map(|n| (0, n))
    );
    let counters = ["Z", "A", "Q", "S", "R"].map(|name| number(&format!("counter.var.{name}")));
    assert_eq!(counters, [(0, 7), (0, 4), (0, 9), (1, 1), (0, 14)]);
    assert_eq!(number("S"), (1, 0));
}

#[test]
fn compute_entries_are_found_by_attribute_or_by_name() {
    let text = "RWStructuredBuffer<uint> o;
        [shader(\"compute\")] [numthreads(8, 4, 2)] void marked() { o[0] = 1; }
        [numthreads(64, 1, 1)] void plain(uint3 id : SV_DispatchThreadID) { o[id.x] = 2; }";
    let by_attribute = module(text);
    let shown: Vec<_> = by_attribute.entries.iter().map(|e| (e.name.as_str(), e.workgroup_size)).collect();
    assert_eq!(shown, [("marked", [8, 4, 2])]);
    let by_name = module_with(text, Options { compute_entry: Some("plain".into()), ..Options::default() });
    let shown: Vec<_> = by_name.entries.iter().map(|e| (e.name.as_str(), e.workgroup_size)).collect();
    assert_eq!(shown, [("plain", [64, 1, 1])]);
    assert!(by_name.functions.contains_key("plain") && !by_name.functions.contains_key("marked"));
}

/// Each stage of a library is part of another program.
#[test]
fn node_libraries_omit_compute_shaders_and_vice_versa() {
    let text = "RWStructuredBuffer<uint> o;
        [shader(\"compute\")] [numthreads(8, 4, 2)] void other() { o[0] = 1; }
        namespace inner { [numthreads(2, 1, 1)] void main() { o[0] = 2; } }
        [numthreads(64, 1, 1)] [WaveSize(16, 64, 32)] void main(uint3 id : SV_DispatchThreadID) { o[id.x] = 2; }
        [Shader(\"node\")] [NodeLaunch(\"thread\")] void n() { o[0] = 3; }";
    let library = module(text);
    assert!(library.entries.is_empty());
    assert_eq!(library.functions.keys().map(|k| k.as_str()).collect::<Vec<_>>(), ["n"]);
    let compute = module_with(text, Options { compute_entry: Some("main".into()), ..Options::default() });
    let [entry] = compute.entries.as_slice() else { panic!("{:?}", compute.entries) };
    assert_eq!((entry.name.as_str(), entry.workgroup_size, entry.wave_size), ("main", [64, 1, 1], Some([16, 64, 32])));
    assert!(compute.graph.nodes.is_empty());
    assert_eq!(compute.functions.len(), 1);
}

/// Sizes and offsets by the rules of C, computed manually.
#[test]
fn records_have_natural_layout() {
    let text = "
        struct Base { uint16_t a; double d; };
        struct Inner { uint16_t x; float3 v; };
        struct Record : Base { bool flag; Inner inner[2]; uint16_t last; uint64_t wide; };
        [Shader(\"node\")] [NodeLaunch(\"thread\")] void n(ThreadNodeInputRecord<Record> input) { }";
    let module = module(text);
    let record = module.graph.nodes[0].input.as_ref().unwrap().record.as_ref().unwrap();
    let Type::Struct(record) = &record.ty else { panic!() };
    let fields: Vec<_> = record.fields.iter().map(|f| (f.name.as_str(), f.offset)).collect();
    assert_eq!(fields, [("a", 0), ("d", 8), ("flag", 16), ("inner", 20), ("last", 52), ("wide", 56)]);
    assert_eq!((record.size, record.align), (64, 8));
    let Type::Array { element, len: 2, stride: 16 } = &record.fields[3].ty else { panic!("{:?}", record.fields[3]) };
    let Type::Struct(inner) = &**element else { panic!() };
    assert_eq!(inner.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn halves_have_32_bits_without_16_bit_types() {
    let text = "struct R { half h; min16uint m; };
        [Shader(\"node\")] [NodeLaunch(\"thread\")] void n(ThreadNodeInputRecord<R> input) { }";
    let types = |native: bool| {
        let module = module_with(text, Options { enable_16bit_types: native, ..Options::default() });
        let record = module.graph.nodes[0].input.clone().unwrap().record.unwrap();
        let Type::Struct(s) = &record.ty else { panic!() };
        s.fields.iter().map(|f| f.ty.clone()).collect::<Vec<_>>()
    };
    assert_eq!(types(false), [Type::F32, Type::U32]);
    assert_eq!(types(true), [Type::Scalar(Scalar::F16), Type::Scalar(Scalar::U16)]);
}

#[test]
fn initial_values_are_constants_of_the_declared_type() {
    let text = compute(
        "RWStructuredBuffer<float> o;
         static const float table[] = { 1, 0.5, -2 };
         static uint counter = 3 * 4;
         struct Pair { uint a; float2 b; };
         static Pair pair = { 7, float2(1.5, 2) };",
    ) + "void main(uint i : SV_GroupIndex) { counter += 1; o[i] = table[i] + counter + pair.a + pair.b.y; }";
    let module = module(&text);
    let bits = |c: &Constant| match c {
        Constant::Scalar(s) => s.bits,
        other => panic!("{other:?}"),
    };
    let GlobalKind::Constant { ty, value: Constant::Composite(parts) } = &module.globals["table"].kind else {
        panic!()
    };
    assert!(matches!(ty, Type::Array { len: 3, stride: 4, .. }));
    let expected: Vec<u64> = [1.0f32, 0.5, -2.0].iter().map(|f| u64::from(f.to_bits())).collect();
    assert_eq!(parts.iter().map(bits).collect::<Vec<_>>(), expected);
    let GlobalKind::Private { init: Some(init), .. } = &module.globals["counter"].kind else { panic!() };
    assert_eq!(bits(init), 12);
    let GlobalKind::Private { init: Some(Constant::Composite(parts)), .. } = &module.globals["pair"].kind else {
        panic!()
    };
    assert_eq!(bits(&parts[0]), 7);
    let Constant::Composite(vector) = &parts[1] else { panic!() };
    assert_eq!(vector.iter().map(bits).collect::<Vec<_>>(), [0x3fc0_0000, 0x4000_0000]);
}

#[test]
fn graph_model_contains_declared_contracts() {
    let text = "
        namespace N { enum Limit { Budget = 16, Size = 4 }; }
        struct R { uint pad; uint16_t3 grid : SV_DispatchGrid; };
        [Shader(\"node\")] [NodeID(\"first\", 2)] [NodeMaxDispatchGrid(64, 2, 1)] [NumThreads(4, 4, 2)]
        void start(
            RWDispatchNodeInputRecord<R> input,
            [MaxRecords(N::Budget)] [NodeID(\"leaves\", 1)] [NodeArraySize(N::Size)] [AllowSparseNodes] NodeOutputArray<R> many,
            [MaxRecordsSharedWith(many)] EmptyNodeOutput nothing) { }
        [Shader(\"node\")] [NodeLaunch(\"coalescing\")] [NumThreads(32, 1, 1)] [WaveSize(4, 32)]
        void nothing([MaxRecords(5)] EmptyNodeInput input) { }
        [Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"leaves\", 3)] [NodeMaxRecursionDepth(6)]
        void leaf(ThreadNodeInputRecord<R> input, [MaxRecords(1)] [NodeID(\"leaves\", 3)] NodeOutput<R> self) { }";
    let graph = module(text).graph;
    let [start, nothing, leaf] = graph.nodes.as_slice() else { panic!() };
    assert_eq!(start.id, NodeId { name: "first".into(), index: 2 });
    assert_eq!((start.launch, start.grid, start.num_threads), (Launch::Broadcasting, Grid::Max([64, 2, 1]), [4, 4, 2]));
    let input = start.input.as_ref().unwrap();
    assert!(input.read_write && !input.coherent);
    let grid = input.record.as_ref().unwrap().grid.as_ref().unwrap();
    assert_eq!((grid.path.as_slice(), grid.offset, grid.scalar, grid.components), (&[1][..], 4, Scalar::U16, 3));
    assert_eq!(start.outputs[0].array, OutputArray::Sized(4));
    assert_eq!(start.outputs[0].target, NodeId { name: "leaves".into(), index: 1 });
    assert!(start.outputs[0].sparse);
    assert_eq!((start.outputs[0].max_records, start.outputs[1].shared_with), (16, Some(0)));
    assert!(start.outputs[1].record.is_none());
    assert_eq!((nothing.launch, nothing.wave_size), (Launch::Coalescing, Some([4, 32, 0])));
    assert_eq!(nothing.input.as_ref().unwrap().max_records, 5);
    assert_eq!((leaf.max_recursion, leaf.num_threads), (6, [1, 1, 1]));
    // Recursion alone does not make `leaf` an entry, because `start` targets it too.
    let entries: Vec<_> = graph.nodes.iter().map(|n| n.entry).collect();
    assert_eq!(entries, [true, false, false]);
}

/// The prelude and the device library are ordinary programs.
#[test]
fn prelude_and_device_library_compile_without_errors() {
    let mut db = Compiler::new(Box::new(Nothing));
    let shown =
        |all: &[wgc_sema::Rendered]| all.iter().map(|d| format!("{} {}", d.code, d.message)).collect::<Vec<_>>();
    assert_eq!(shown(diagnostics(&db, wgc_sema::db::Db::prelude(&db))), [""; 0]);
    for (path, text) in wgc_stdlib::EMULATED {
        db.set_text(path, Some(text.as_bytes()));
    }
    let options = Options { internal: true, library: true, ..Options::default() };
    let program = db.add_program(wgc_stdlib::EMULATED_ROOTS, options);
    assert_eq!(shown(diagnostics(&db, program)), [""; 0]);
    let module = link(&db, program).module.as_ref().unwrap();
    wgc_ir::verify::verify(module).unwrap();
    let entries: Vec<_> = module.entries.iter().map(|e| e.name.as_str()).collect();
    for kernel in ["wgc_prep", "wgc_inject", "wgc_inject_grids"] {
        assert!(entries.contains(&kernel), "{entries:?}");
    }
}
