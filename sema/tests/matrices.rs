//! Matrices from source to IR: their order in memory, and code that does not depend on it. Their computations are
//! tested in `tests/run/matrix_*.hlsl`.

mod support;

use support::with_options;
use wgc_sema::check::check;
use wgc_sema::db::Options;
use wgc_sema::link::link;
use wgc_sema::tables::binding_options::{BindingOptions, BlockLayout};

/// Prints the module, with all functions kept.
fn ir(text: &str, options: Options) -> String {
    // Without gaps in buffers, as the test is about the order.
    let bindings = BindingOptions { layout: BlockLayout::Dx, ..BindingOptions::default() };
    let options = Options { internal: true, library: true, bindings, ..options };
    let (db, program) = with_options(text, options);
    let linked = link(&db, program);
    let found: Vec<_> = linked.reached.iter().flat_map(|f| &check(&db, *f).diagnostics).collect();
    assert!(found.is_empty() && linked.diagnostics.is_empty(), "{found:?} {:?}", linked.diagnostics);
    let module = linked.module.as_ref().expect("a module without diagnostics");
    assert_eq!(wgc_ir::verify(module), Ok(()), "{}", wgc_ir::print(module));
    wgc_ir::print(module)
}

const ORDERS: &str = "
    struct A { float2x3 m; row_major float2x3 r; };
    #pragma pack_matrix(row_major)
    struct B { float2x3 m; column_major float2x3 c; };
    typedef float3x2 Rows;
    typedef column_major float2x2 Columns[2];
    #pragma pack_matrix(column_major)
    struct C { Rows a; column_major Rows b; Columns c; matrix<int, 2, 2> d; };
    RWStructuredBuffer<A> a; RWStructuredBuffer<B> b; RWStructuredBuffer<C> c;
    RWStructuredBuffer<row_major float4x3> d;
    void f() { a[0].m = 1; b[0].m = 1; c[0].a = 1; d[0] = 1; }
";

#[test]
fn matrix_order_keywords_override_the_pragma() {
    let text = ir(ORDERS, Options::default());
    for line in [
        "struct A size 48 align 4 { m: matrix<f32, 2, 3, columns stride 8> @0, r: matrix<f32, 2, 3, rows stride 12> @24 }",
        "struct B size 48 align 4 { m: matrix<f32, 2, 3, rows stride 12> @0, c: matrix<f32, 2, 3, columns stride 8> @24 }",
        "struct C size 96 align 4 { a: matrix<f32, 3, 2, rows stride 8> @0, b: matrix<f32, 3, 2, columns stride 12> @24, \
         c: [matrix<f32, 2, 2, columns stride 8>; 2 stride 16] @48, d: matrix<i32, 2, 2, columns stride 8> @80 }",
        "global @d: buffer<matrix<f32, 4, 3, rows stride 12> stride 48>",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

#[test]
fn pack_matrix_pragma_overrides_the_row_major_option() {
    let text = ir(ORDERS, Options { row_major: true, ..Options::default() });
    for line in ["struct A size 48 align 4 { m: matrix<f32, 2, 3, rows stride 12> @0", "d: matrix<i32, 2, 2, columns"] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Overloads, templates, assignments and parameters have one type; only memory differs.
#[test]
fn matrix_order_does_not_affect_expression_types() {
    let text = ir(
        "
        struct S { row_major float2x2 r; float2x2 c; };
        RWStructuredBuffer<S> B;
        template<typename T, int R, int C> T corner(matrix<T, R, C> m) { return m[R - 1][C - 1]; }
        template<typename T> T same(T a, T b) { return a; }
        float pick(float2x2 m) { return m._m10; }
        float pick(float2 v) { return v.x; }
        void f(inout row_major float2x2 m) { m = -m; }
        S made(row_major float2x2 m) { S s = { m, m }; return s; }
        void g() {
            S s = B[0];
            s.r = s.c;
            f(s.r);
            f(B[1].c);
            row_major float2x2 list[2] = { s.r, s.c };
            B[2] = made(list[1]);
            uint2x2 low, high;
            asuint(double2x2(s.r), low, high);
            B[3].r = float2x2(low) * float4(1, 2, 3, 4);
            B[0].c[0].x = corner(s.r) + corner(s.c) + pick(s.r) + pick(B[0].r) + same(s.r, s.c)[0][0];
        }
        ",
        Options::default(),
    );
    assert_eq!(text.matches("fn @\"corner<").count(), 1, "{text}");
    assert_eq!(text.matches("fn @\"same<").count(), 1, "{text}");
    // The two functions see the same values as all others.
    assert!(text.contains("m: ref<function, matrix<f32, 2, 2, rows stride 8>>"), "{text}");
}

/// A store of a row or element changes nothing else, regardless of the order.
#[test]
fn elements_are_stored_one_by_one() {
    let text = ir(
        "RWStructuredBuffer<float3x3> B; void f(float2 v) { B[0]._m12_m20 = v; B[1][2].zx = v; }",
        Options::default(),
    );
    assert_eq!(text.matches("store").count(), 5, "one of them is the parameter's\n{text}");
    assert!(!text.contains(": matrix<f32, 3, 3, rows stride 12> = load"), "{text}");
}

/// `static const` matrices are constants at all uses, and tables of them are memory.
#[test]
fn constants() {
    let text = ir(
        "
        static const float2x2 M = { 1, 2, 3, 4 };
        static const int3x1 Tall = { 5, 6, 7 };
        static const row_major float2x2 Table[] = { M, float2x2(5, 6, 7, 8), (float2x2)9 };
        float f(uint i) { return M[1][0] + Table[i][0][1] + Tall[2]; }
        ",
        Options::default(),
    );
    let table = "global @Table: constant [matrix<f32, 2, 2, rows stride 8>; 3 stride 16] = { { { f32 1.0, f32 2.0 }, \
                 { f32 3.0, f32 4.0 } }, { { f32 5.0, f32 6.0 }, { f32 7.0, f32 8.0 } }, { { f32 9.0, f32 9.0 }, { f32 9.0, f32 9.0 } } }";
    assert!(text.contains(table), "{text}");
    assert!(text.contains("{ i32 5, i32 6, i32 7 }") || !text.contains("@Tall"), "{text}");
}

#[test]
fn packoffset_sets_member_offsets() {
    let text = ir(
        "
        cbuffer C : register(b0) {
            float4x4 m : packoffset(c4);
            float a : packoffset(c0.y);
            row_major float2x3 r : packoffset(c1);
            float2 b : packoffset(c0.z);
        };
        RWStructuredBuffer<float> Out;
        void f() { Out[0] = m[0][1] + a + r[1][2] + b.y; }
        ",
        Options::default(),
    );
    let block = "struct C size 128 align 16 { m: matrix<f32, 4, 4, columns stride 16> @64, a: f32 @4, \
                 r: matrix<f32, 2, 3, rows stride 16> @16, b: f32x2 @8 }";
    assert!(text.contains(block), "{text}");
    // Fields have the order of the source, regardless of that in memory.
    let fields: Vec<&str> = text.matches("= field %").collect();
    assert_eq!(fields.len(), 4, "{text}");
    for (field, ty) in [(0, "matrix"), (1, "f32>"), (2, "matrix"), (3, "f32x2>")] {
        assert!(
            text.lines().any(|l| l.contains(ty) && l.ends_with(&format!(", {field}")) && l.contains("field")),
            "{text}"
        );
    }
}
