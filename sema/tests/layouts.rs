//! Locations of buffer members under each of the four layouts, computed manually by the rules of Direct3D, OpenGL and
//! Vulkan.

mod support;

use support::with_options;
use wgc_ir::{GlobalKind, StructType, Type};
use wgc_sema::check::check;
use wgc_sema::db::Options;
use wgc_sema::link::link;
use wgc_sema::tables::binding_options::{BindingOptions, BlockLayout};

/// The layouts in the order of the tables below.
const LAYOUTS: [BlockLayout; 4] = [BlockLayout::Vulkan, BlockLayout::Dx, BlockLayout::Gl, BlockLayout::Scalar];

fn options(layout: BlockLayout) -> Options {
    let bindings = BindingOptions { layout, ..BindingOptions::default() };
    Options { internal: true, library: true, enable_16bit_types: true, bindings, ..Options::default() }
}

/// Returns the structure in a buffer of this name, and its stride.
fn buffer_struct(text: &str, name: &str, layout: BlockLayout) -> (StructType, u32) {
    let (db, program) = with_options(text, options(layout));
    let linked = link(&db, program);
    let found: Vec<_> = linked.reached.iter().flat_map(|f| &check(&db, *f).diagnostics).collect();
    assert!(found.is_empty() && linked.diagnostics.is_empty(), "{found:?} {:?}", linked.diagnostics);
    let module = linked.module.as_ref().expect("a module without diagnostics");
    assert_eq!(wgc_ir::verify(module), Ok(()), "{}", wgc_ir::print(module));
    let (ty, stride) = match &module.globals.get(name).expect("the buffer is used").kind {
        GlobalKind::Uniform { block, .. } | GlobalKind::PushConstant { block } => (block, 0),
        GlobalKind::Buffer { element, stride, .. } => (element, *stride),
        other => panic!("{other:?}"),
    };
    let Type::Struct(s) = ty else { panic!("{ty}") };
    (StructType::clone(s), stride)
}

fn offsets(s: &StructType) -> Vec<u32> {
    s.fields.iter().map(|f| f.offset).collect()
}

/// Returns the offsets of the fields of `T` in a constant buffer and in a structured buffer, and the stride of the
/// latter.
fn of_record(text: &str, layout: BlockLayout) -> (Vec<u32>, Vec<u32>, u32) {
    let text = format!(
        "{text} ConstantBuffer<T> Block; StructuredBuffer<T> Items; T c() {{ return Block; }} T s() {{ return Items[0]; }}"
    );
    let (uniform, _) = buffer_struct(&text, "Block", layout);
    let (element, stride) = buffer_struct(&text, "Items", layout);
    (offsets(&uniform), offsets(&element), stride)
}

fn field<'s>(s: &'s StructType, name: &str) -> &'s Type {
    &s.fields.iter().find(|f| f.name == name).expect("a field of this name").ty
}

#[test]
fn struct_offsets_under_each_block_layout() {
    let text = "
        struct S { float3 f; };
        struct T {
            float a; float3 b; S c; float2x3 d; row_major float2x3 e; int f[3]; float2 g[2];
        };";
    let uniform = [
        [0, 4, 16, 32, 80, 112, 160],
        [0, 4, 16, 32, 80, 112, 160],
        [0, 16, 32, 48, 96, 128, 176],
        [0, 4, 16, 28, 52, 76, 88],
    ];
    let storage = [
        [0, 4, 16, 32, 64, 96, 112],
        [0, 4, 16, 28, 52, 76, 88],
        [0, 16, 32, 48, 80, 112, 128],
        [0, 4, 16, 28, 52, 76, 88],
    ];
    // The last array takes 16 bytes; std430 pads to the 16-byte alignment of three-component vectors.
    let strides = [128, 104, 144, 104];
    for (i, layout) in LAYOUTS.into_iter().enumerate() {
        assert_eq!(of_record(text, layout), (uniform[i].to_vec(), storage[i].to_vec(), strides[i]), "{layout:?}");
    }
}

/// Direct3D: a member after an array, a structure or a matrix may begin in its last row. In the other layouts it starts
/// a row later.
#[test]
fn direct3d_members_may_share_the_last_row() {
    let cases: &[(&str, [&[u32]; 2])] = &[
        ("struct T { float a[2]; float j; };", [&[0, 32], &[0, 20]]),
        ("struct N { float a; float2 b; }; struct T { N n; float i; };", [&[0, 16], &[0, 12]]),
        ("struct N { float a; }; struct T { float a; N b; float c; N d; };", [&[0, 16, 32, 48], &[0, 16, 20, 32]]),
        // Three columns of two floats end 8 bytes into the third row. So do three rows of two, which SPIR-V treats as
        // columns, and it does not allow a member to begin there.
        ("struct T { float2x3 m; float2 after; float3 next; };", [&[0, 48, 64], &[0, 40, 48]]),
        ("struct T { row_major float3x2 m; float after; };", [&[0, 48], &[0, 48]]),
        // A column of one row is a row of its own; under the other rules it is a vector.
        ("struct T { float a; float1x2 m; float after; };", [&[0, 4, 12], &[0, 16, 36]]),
        ("struct T { float a; row_major float1x2 m; float after; };", [&[0, 4, 12], &[0, 4, 12]]),
        // The last matrix of an array, and the last structure of one.
        ("struct T { float3x2 m[2]; float after; };", [&[0, 64], &[0, 60]]),
        ("struct N { float a[2]; }; struct T { N n[2]; float after; };", [&[0, 64], &[0, 52]]),
        // The row is full: a vector of three does not fit after two floats.
        ("struct T { float2 a[2]; float3 after; };", [&[0, 32], &[0, 32]]),
        ("struct T { double3 a; float after; };", [&[0, 24], &[0, 24]]),
        (
            "struct T { float16_t a; float b[1]; float16_t c; float d; float16_t3 e; double f; };",
            [&[0, 16, 32, 36, 40, 48], &[0, 16, 20, 24, 32, 40]],
        ),
        // The inherited part is a structure at the start.
        ("struct B { float a; }; struct T : B { float b; float3 c; };", [&[0, 16, 20], &[0, 4, 16]]),
    ];
    for (text, [vulkan, dx]) in cases {
        assert_eq!(of_record(text, BlockLayout::Vulkan).0, *vulkan, "{text}");
        assert_eq!(of_record(text, BlockLayout::Dx).0, *dx, "{text}");
    }
}

#[test]
fn vectors_have_scalar_alignment_unless_they_straddle_rows() {
    let text = "struct T { float a; float2 b; float2 c; float3 d; float e; double2 f; float g; int64_t3 h; };";
    // `b` at 4; `c` would cross at 12. `f` has 64-bit components and starts at a multiple of its size, `h` at a
    // multiple of four components.
    let (uniform, storage, stride) = of_record(text, BlockLayout::Vulkan);
    assert_eq!(
        (uniform.as_slice(), storage.as_slice()),
        ([0, 4, 16, 32, 44, 48, 64, 96].as_slice(), [0, 4, 16, 32, 44, 48, 64, 96].as_slice())
    );
    assert_eq!(stride, 128);
    // OpenGL aligns all of them.
    assert_eq!(of_record(text, BlockLayout::Gl).0, [0, 8, 16, 32, 44, 48, 64, 96]);
    // A structure keeps the alignment of its vectors, and arrays of vectors are not relaxed.
    let text = "struct N { float3 a; }; struct T { float a; N n; float3 list[2]; float b; };";
    assert_eq!(of_record(text, BlockLayout::Vulkan), (vec![0, 16, 32, 64], vec![0, 16, 32, 64], 80));
    assert_eq!(of_record(text, BlockLayout::Scalar), (vec![0, 4, 16, 40], vec![0, 4, 16, 40], 44));
}

#[test]
fn strides_of_nested_arrays_and_matrices() {
    let text = "
        struct N { float a[2]; };
        struct T { N n[3]; row_major float3x2 m[2]; float2x1 v; double3 d[2]; };";
    for (layout, n, m, d) in
        [(BlockLayout::Vulkan, 32, 48, 32), (BlockLayout::Dx, 32, 48, 32), (BlockLayout::Scalar, 8, 24, 24)]
    {
        let (block, _) = buffer_struct(&format!("{text} ConstantBuffer<T> C; T c() {{ return C; }}"), "C", layout);
        let stride = |name| match field(&block, name) {
            Type::Array { stride, .. } => *stride,
            other => panic!("{other}"),
        };
        assert_eq!((stride("n"), stride("m"), stride("d")), (n, m, d), "{layout:?}");
        assert_eq!(field(&block, "v").size(), Some(8), "a matrix of one column is a vector");
    }
}

/// A member after a structure or a base may start where its last member ends. Array elements stay aligned.
#[test]
fn scalar_layout_does_not_round_structures() {
    let text = "
        struct Wide { int64_t4 a; uint b; }; struct Mixed { float2 a[2]; half b; };
        struct Base { uint64_t a; half b; }; struct Derived : Base { uint16_t c; uint d; };
        struct T { int4 a; Wide b; float c[3]; Mixed d; half3 e; Derived f; half g; Wide h[2]; half i; };";
    let (uniform, storage, stride) = of_record(text, BlockLayout::Scalar);
    assert_eq!(uniform, [0, 16, 52, 64, 82, 88, 104, 112, 192]);
    assert_eq!((storage, stride), (uniform, 200));
    let derived = format!("{text} StructuredBuffer<Derived> D; Derived f() {{ return D[1]; }}");
    let (derived, stride) = buffer_struct(&derived, "D", BlockLayout::Scalar);
    assert_eq!((offsets(&derived), derived.size, stride), (vec![0, 8, 10, 12], 16, 16));
    // A host for Direct3D compiles the structures as C++.
    assert_eq!(of_record(text, BlockLayout::Dx).1, [0, 16, 56, 68, 88, 96, 120, 128, 208]);
}

/// Texture buffers follow the rules of constant buffers in Direct3D and of storage buffers elsewhere. Push constants
/// follow those of structured buffers.
#[test]
fn texture_buffer_and_push_constant_layouts() {
    let table = "tbuffer B { float a; float list[2]; float b; }; float f() { return a + list[0] + b; }";
    assert_eq!(offsets(&buffer_struct(table, "B", BlockLayout::Dx).0), [0, 16, 36]);
    assert_eq!(offsets(&buffer_struct(table, "B", BlockLayout::Vulkan).0), [0, 4, 12]);
    let push = "struct P { float a; float2 b; float2 list[2]; }; [[vk::push_constant]] P p; P f() { return p; }";
    assert_eq!(offsets(&buffer_struct(push, "p", BlockLayout::Vulkan).0), [0, 4, 16]);
    assert_eq!(offsets(&buffer_struct(push, "p", BlockLayout::Gl).0), [0, 8, 16]);
    assert_eq!(offsets(&buffer_struct(push, "p", BlockLayout::Dx).0), [0, 4, 12]);
}

#[test]
fn global_variables_use_their_registers_as_rows() {
    let text = "
        float x; float y : register(c0); float z : register(c2); float w : register(c1); float2 xy : register(c9);
        float4 xyzw; float2 list[3] : register(c10); float s;
        float f() { return x + y + z + w + xy.x + xyzw.x + list[0].x + s; }";
    // The others follow the highest: three rows of two floats from 160 on end at 200.
    let block = buffer_struct(text, "$Globals", BlockLayout::Dx).0;
    assert_eq!(offsets(&block), [200, 0, 32, 16, 144, 208, 160, 224]);
    let names: Vec<_> = block.fields.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["x", "y", "z", "w", "xy", "xyzw", "list", "s"]);
}

#[test]
fn explicit_offsets_override_layout_rules() {
    let text = "
        struct N { float a; [[vk::offset(32)]] float2 b; [[vk::offset(64)]] float3 c; float d[2]; };
        struct T { [[vk::offset(4)]] float a; N n; float b; };";
    // Rows: `d` starts one at 80 and ends at 100; `n` starts one at 16. Natural: `d` at 76, `n` at 8 for 84 bytes.
    assert_eq!(of_record(text, BlockLayout::Dx), (vec![4, 16, 116], vec![4, 8, 92], 96));
    // Before an earlier member of the source, with the next member after it.
    let text = "struct T { [[vk::offset(16)]] float a; [[vk::offset(0)]] float2 b; float c; };";
    assert_eq!(of_record(text, BlockLayout::Scalar), (vec![16, 0, 8], vec![16, 0, 8], 20));
    let text = "
        cbuffer B { [[vk::offset(8)]] float a : packoffset(c1); float2 b : packoffset(c1.z); };
        float f() { return a + b.y; }";
    assert_eq!(offsets(&buffer_struct(text, "B", BlockLayout::Vulkan).0), [8, 24]);
}
