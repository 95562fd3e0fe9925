//! The exact shape of trees, and of the pieces that the slicer cuts.

mod common;

use common::{Files, all_errors, read, read_text};
use wgc_frontend::parse::dump_item;
use wgc_frontend::slice::{ItemSlice, slice};
use wgc_frontend::token;
use wgc_frontend::unit;

/// Returns the trees of all items. There must be no error.
#[track_caller]
fn tree(source: &str) -> String {
    let unit = read_text(source);
    let (items, errors) = all_errors(&unit);
    let messages: Vec<_> = errors.iter().map(|error| &error.message).collect();
    assert!(messages.is_empty(), "{source}\n{messages:?}");
    items.iter().map(dump_item).collect()
}

/// Checks the statements of a function, one on each line.
#[track_caller]
fn statements(body: &str, want: &[&str]) {
    let text = tree(&format!("struct S {{}}; template<typename T> struct A {{}};\nvoid f() {{ {body} }}"));
    let lines: Vec<&str> = text.lines().skip_while(|line| *line != "  body").skip(1).map(|line| &line[4..]).collect();
    assert_eq!(lines, want, "{body}");
}

#[track_caller]
fn item(source: &str, want: &[&str]) {
    let text = tree(source);
    assert_eq!(text.lines().collect::<Vec<_>>(), want, "{source}");
}

#[test]
fn declaration_or_expression() {
    statements(
        "a * b; A b; A<B> c; N::T d; a.b = 1;",
        &["(a * b)", "var A b", "var A<B> c", "var N::T d", "(a.b = 1)"],
    );
    statements("a < b; x = a < b, c > d;", &["(a < b)", "((x = (a < b)) , (c > d))"]);
    statements("let x = f(); var y = 1; var = let;", &["var let x = f()", "var let y = 1", "(var = let)"]);
    statements(
        "struct S s; unsigned int u = 1u; const uint b = 1, c;",
        &["var struct S s", "var unsigned int u = 1u", "var const uint b = 1", "var const uint c"],
    );
}

#[test]
fn casts() {
    statements(
        "x = (float4)y; x = (y) - z; x = (uint)-1; x = (S)0; x = (S[2])0;",
        &[
            "(x = cast<float4>(y))",
            "(x = ((y) - z))",
            "(x = cast<uint>((-1)))",
            "(x = cast<S>(0))",
            "(x = cast<S[2]>(0))",
        ],
    );
    statements(
        "x = (float)(a + b) * c; x = (S)-1; x = (N::E)2; x = (vector<float, 3>)v;",
        &[
            "(x = (cast<float>(((a + b))) * c))",
            "(x = cast<S>((-1)))",
            "(x = cast<N::E>(2))",
            "(x = cast<vector<float, 3>>(v))",
        ],
    );
    statements(
        "x = (a) * b; x = (a) & b; x = (float)(int)y; x = (Unknown<int>)y; x = (row_major float2x2)m;",
        &[
            "(x = ((a) * b))",
            "(x = ((a) & b))",
            "(x = cast<float>(cast<int>(y)))",
            "(x = cast<Unknown<int>>(y))",
            "(x = cast<row_major float2x2>(m))",
        ],
    );
    statements(
        "if (a) (b).c = 1; while (x) (y)++; return (int) q;",
        &["if a", "  ((b).c = 1)", "while x", "  ((y))++", "return cast<int>(q)"],
    );
}

#[test]
fn angles() {
    statements(
        "u = buf.Load<uint>(i); v = buf.Load<vector<float, 4> >(i).xyzw; q = a.b < c.d;",
        &["(u = buf.Load<uint>(i))", "(v = buf.Load<vector<float, 4>>(i).xyzw)", "(q = (a.b < c.d))"],
    );
    statements(
        "r = a.b < c && d > (e); x = a >> 2; x >>= 1; x = b >= c; if (i < N >> 1) ;",
        &[
            "(r = ((a.b < c) && (d > (e))))",
            "(x = (a >> 2))",
            "(x >>= 1)",
            "(x = (b >= c))",
            "if (i < (N >> 1))",
            "  empty",
        ],
    );
    statements(
        "A<A<int>> d; A<A<A<int>>> e; x = A<int>::n; x = a < b >> c;",
        &["var A<A<int>> d", "var A<A<A<int>>> e", "(x = A<int>::n)", "(x = (a < (b >> c)))"],
    );
    statements(
        "for (int i = 0; i < n; i++) x > y; A<unsigned int, 4, const S> z;",
        &["for", "  var int i = 0", "  while (i < n) step (i)++", "  (x > y)", "var A<unsigned int, 4, const S> z"],
    );
}

/// Records in a body are separate pieces. The body does not see into their methods, but reports their errors.
#[test]
fn structs_declared_in_function_bodies() {
    statements(
        "struct L { int x; int m() { struct M { int n() { return 1; } }; return 2; } } l; x = 3;",
        &[
            "of struct L",
            "  var int x",
            "  fn m -> int",
            "    body",
            "      struct M",
            "        fn n -> int",
            "          body",
            "            return 1",
            "      return 2",
            "var above l",
            "(x = 3)",
        ],
    );
    let unit = read_text("void f() { a; struct L { int m() { struct M { int n() { return 1 +; } }; } }; }");
    let (items, errors) = all_errors(&unit);
    let error = errors.iter().map(|e| (e.message.as_str(), e.at.place.lo)).collect::<Vec<_>>();
    assert_eq!(error, [("expected an expression after `+`", 66)]);
    let body = &items[0].bodies[0];
    let local = wgc_frontend::slice_local(&body.tokens, 2..body.tokens.len() - 1).expect("a record");
    assert_eq!(local.name, "L");
    assert_eq!(local.bodies.len(), 1);
    // `struct` is the third token of the body. The last token of the method is the `;` after `M`.
    assert_eq!((local.head_origins[0], *local.bodies[0].origins.last().expect("a token")), (2, 24));
}

/// The names of a prelude decide where the text alone is ambiguous.
#[test]
fn templates_of_the_prelude() {
    let source = Files::one("void f() { x = Convert<1>(2); y = other<1>(2); }");
    let prelude = read_text("template<int N> int Convert(int x);");
    let names = prelude.names.clone();
    let unit = unit(&source, &prelude.files, &Default::default(), &names);
    let (items, errors) = all_errors(&unit);
    assert!(errors.is_empty());
    let text = dump_item(&items[0]);
    assert!(text.ends_with("    (x = Convert<1>(2))\n    (y = ((other < 1) > (2)))\n"), "{text}");
}

/// A variable with the name of a prelude function is compared, regardless of the tokens after it.
#[test]
fn variables_with_names_of_the_prelude() {
    let source = Files::one(
        "void f() { a = b && length < c, d = b && length >= c || length > d; a = length < 3 || length > (4); \
         x = length<int>(2); }",
    );
    let prelude = read_text("template<typename T> T length(T x);");
    let names = prelude.names.clone();
    let unit = unit(&source, &prelude.files, &Default::default(), &names);
    let (items, errors) = all_errors(&unit);
    assert!(errors.is_empty(), "{errors:?}");
    let text = dump_item(&items[0]);
    let body = [
        "    ((a = (b && (length < c))) , (d = ((b && (length >= c)) || (length > d))))",
        "    (a = ((length < 3) || (length > (4))))",
        "    (x = length<int>(2))",
    ];
    assert!(text.ends_with(&format!("{}\n", body.join("\n"))), "{text}");
}

#[test]
fn control_flow() {
    statements(
        "if (a) if (b) x; else y; [branch] if (c) z; else if (d) w;",
        &["if a", "  if b", "    x", "  else", "    y", "[branch]", "if c", "  z", "else", "  if d", "    w"],
    );
    statements(
        "[unroll(4)] [[loop, fastopt]] for (;;) { break; } do { continue; } while (a, b); discard;",
        &[
            "[unroll(4)]",
            "[[loop]]",
            "[[fastopt]]",
            "for",
            "  empty",
            "  while - step -",
            "  block",
            "    break",
            "do",
            "  block",
            "    continue",
            "while (a , b)",
            "discard",
        ],
    );
    statements(
        "switch (x) { case 1: case N::A: y; break; default: return; }",
        &["switch x", "  case 1", "  case N::A", "  y", "  break", "  default", "  return"],
    );
}

#[test]
fn declarations_in_conditions() {
    statements(
        "if (int a = f()) a; else b; while (bool c = g()) { } for (;A<1> d = h(); d++) ; switch (uint e = 3) { case 1: }",
        &[
            "var int a = f()",
            "if a",
            "  a",
            "else",
            "  b",
            "var bool c = g()",
            "while c",
            "  block",
            "for",
            "  empty",
            "  var A<1> d = h()",
            "  while d step (d)++",
            "  empty",
            "var uint e = 3",
            "switch e",
            "  case 1",
        ],
    );
    // The comparison and the assignment are expressions, not declarations.
    statements("if (a < b) ; while (a = b) ;", &["if (a < b)", "  empty", "while (a = b)", "  empty"]);
}

#[test]
fn using_and_instantiations() {
    item(
        "using N::f; using ::M::g; using A [[vk::x(1), y]] = int;\ntemplate void h<int>(int);\ntemplate struct S<int>;\n\
         template<typename T> void h(T t);",
        &[
            "using N::f",
            "using ::M::g",
            "[[vk::x(1)]]",
            "[[y]]",
            "using A = int",
            "instantiate",
            "  fn h<int> -> void (no body)",
            "    param int",
            "instantiate",
            "  struct S<int> (forward)",
            "template<typename T>",
            "  fn h -> void (no body)",
            "    param T t",
        ],
    );
    item("typename F<T>::template I<0> m;", &["var F<T>::I<0> m"]);
}

/// A name that one declaration uses as a template is one in the rest of the unit, and so is every name in `vk`.
#[test]
fn template_names_are_inferred_from_use() {
    statements("Q<1> q = Q<1>(); Q<1 + 2>(x);", &["var Q<1> q = Q<1>()", "Q<(1 + 2)>(x)"]);
    statements("q = Q < 1 > (x);", &["(q = ((Q < 1) > (x)))"]);
    statements("vk::P<int, 16> p = vk::P<int, 16>(q);", &["var vk::P<int, 16> p = vk::P<int, 16>(q)"]);
    statements("x = vk::cast<int, 16>(q) < y;", &["(x = (vk::cast<int, 16>(q) < y))"]);
}

#[test]
fn effect_syntax_is_skipped_with_warnings() {
    let unit = read_text(
        "SamplerState r[2] : register(s0) { Filter = POINT; };\nSamplerState f(int x) : S { return a; }\n\
         SamplerState a { Filter = POINT; AddressU[0] = ~; };\nBlendState b { X = 1; }\nsampler c = sampler_state { Texture = <t>; };\n\
         string d < string e = \"f\"; float g = 1; > = \"\";\ntechnique10 T { pass P { SetVertexShader(0); } }\n\
         struct S { SamplerState h { Filter = 1; }; int i; };\nint j = a < b;\nfloat k() { return 1; }",
    );
    let (items, errors) = slice(&unit);
    assert_eq!(
        outline(&items),
        [
            " r: SamplerState r [ 2 ] : register ( s0 ) ; []",
            " f: SamplerState f ( int x ) : S {..} [f]",
            " a: SamplerState a ; []",
            " b: BlendState b ; []",
            " c: sampler c ; []",
            " d: string d = \"\" ; []",
            " S: struct S { SamplerState h ; int i ; } ; []",
            " j: int j = a < b ; []",
            " k: float k ( ) {..} [k]",
        ]
    );
    assert!(errors.iter().all(|e| e.code.is_warning()), "{errors:?}");
    let reported: Vec<_> = errors.iter().map(|e| e.message.split('`').nth(1).unwrap_or_default()).collect();
    assert_eq!(reported, ["r", "a", "b", "c", "d", "technique10", "h"]);
}

#[test]
fn expressions() {
    statements(
        "x = a ? b : c ? d : e, f; x = y = z; a += -b + !c * ~d - --e;",
        &["((x = (a ? b : (c ? d : e))) , f)", "(x = (y = z))", "(a += (((-b) + ((!c) * (~d))) - (--e)))"],
    );
    statements(
        "x = a | b ^ c & d == e < f << g + h * i; x = a - b - c; x = a && b || c && d;",
        &[
            "(x = (a | (b ^ (c & (d == (e < (f << (g + (h * i)))))))))",
            "(x = ((a - b) - c))",
            "(x = ((a && b) || (c && d)))",
        ],
    );
    statements(
        "x = 0.xxxx + 1.#INF + 1l + 'a' + \"a\" \"b\"; x = f(a)[1].yz++; x = sizeof(unsigned int) + sizeof(x);",
        &[
            "(x = ((((0.xxxx + 1.#INF) + 1l) + 'a') + \"a\" \"b\"))",
            "(x = (f(a)[1].yz)++)",
            "(x = (sizeof(type unsigned int) + sizeof(x)))",
        ],
    );
    statements(
        "float2 a[2] = { { 1, 2 }, { 3, 4 }, }; x = ::g(true); Cursor c = Cursor::ctor(1);",
        &["var float2 a[2] = {{1, 2}, {3, 4}}", "(x = ::g(true))", "var Cursor c = Cursor::ctor(1)"],
    );
}

#[test]
fn node_signature() {
    item(
        "struct [NodeTrackRWInputSharing] R { uint3 g : SV_DispatchGrid; int b : 3, c : 5; int : 4; };\n\
         [Shader(\"node\")]\n[NodeMaxDispatchGrid((tile + 7) / 8, 1, 1)]\n\
         void N([MaxRecords(4)] [NodeId(\"x\", (uint)E::X)] NodeOutputArray<R> o,\n\
         globallycoherent RWDispatchNodeInputRecord<R> i, const uint t : SV_GroupThreadID = 0, in [A] out B b[2], void)\n\
         { o[t].Get().g = i.Get().b; }",
        &[
            "struct [NodeTrackRWInputSharing] R",
            "  var uint3 g : SV_DispatchGrid",
            "  var int b : 3 bits",
            "  var int c : 5 bits",
            "  var int <missing> : 4 bits",
            "[Shader(\"node\")]",
            "[NodeMaxDispatchGrid((((tile + 7)) / 8), 1, 1)]",
            "fn N -> void",
            "  param [MaxRecords(4)] [NodeId(\"x\", cast<uint>(E::X))] NodeOutputArray<R> o",
            "  param globallycoherent RWDispatchNodeInputRecord<R> i",
            "  param const uint t : SV_GroupThreadID = 0",
            "  param [A] in out B b[2]",
            "  param void",
            "  body",
            "    (o[t].Get().g = i.Get().b)",
        ],
    );
}

#[test]
fn resources_and_buffers() {
    item(
        "RWTexture2D<unorm float4> T : register(u0, space1); Texture2D<float4> A[] : register(t0);\n\
         [[vk::binding(0, 1)]] ConstantBuffer<S> cb; float sample; GlobalRootSignature rs = { \"UAV(u0)\" };\n\
         cbuffer C : register(b0) { float4 a : packoffset(c0.x); row_major matrix m; };\n\
         [[vk::push_constant]] struct { uint x; } pc;\ngroupshared uint g[4];",
        &[
            "var RWTexture2D<unorm float4> T : register(u0, space1)",
            "var Texture2D<float4> A[] : register(t0)",
            "[[vk::binding(0, 1)]]",
            "var ConstantBuffer<S> cb",
            "var float sample",
            "var GlobalRootSignature rs = {\"UAV(u0)\"}",
            "cbuffer C : register(b0)",
            "  var float4 a : packoffset(c0.x)",
            "  var row_major matrix m",
            "[[vk::push_constant]]",
            "of struct ",
            "  var uint x",
            "var above pc",
            "var groupshared uint g[4]",
        ],
    );
}

#[test]
fn types_and_aliases() {
    item(
        "enum E { A, B = 2, }; enum class F : uint { X }; typedef vector<uint16_t, 2> U; typedef float M[3][4];\n\
         using V = float4; using namespace N::M; struct S; class C : I, J<int> { enum G : uint { Y } g; };\n\
         static const float S::x[] = { 1 }; import experimental.workgraph; _Static_assert(1 < 2, \"m\");\n\
         interface I { void m(); };",
        &[
            "enum E",
            "  A",
            "  B = 2",
            "enum class F : uint",
            "  X",
            "typedef U = vector<uint16_t, 2>",
            "typedef M[3][4] = float",
            "using V = float4",
            "using namespace N::M",
            "struct S (forward)",
            "class C : I, J<int>",
            "  of enum G : uint",
            "    Y",
            "  var above g",
            "var static const float S::x[] = {1}",
            "import experimental::workgraph",
            "static_assert((1 < 2), \"m\")",
            "interface I",
            "  fn m -> void (no body)",
        ],
    );
}

#[test]
fn methods_operators_templates() {
    item(
        "struct S { static float f(int a, float b = 1) { return a; } S operator+(S o) const { return o; } };\n\
         float S::f(int a) { return 1; }\nbool operator==(S a, S b) { return true; }\nint operator[](int i);\n\
         template<typename T = float, int N, class U> struct A { T g(T x[N]) { return x[0]; } };\n\
         template<> float3x3 Id<float3x3>() { return (float3x3)1; }\ntemplate<> struct A<int, 2, S> { };\n\
         template<typename T> T g(in const T a[4]);\nfloat h()[2] : SV_Target { local(); }",
        &[
            "struct S",
            "  fn f -> static float",
            "    param int a",
            "    param float b = 1",
            "    body",
            "      return a",
            "  fn operator+ const -> S",
            "    param S o",
            "    body",
            "      return o",
            "fn S::f -> float",
            "  param int a",
            "  body",
            "    return 1",
            "fn operator== -> bool",
            "  param S a",
            "  param S b",
            "  body",
            "    return true",
            "fn operator[] -> int (no body)",
            "  param int i",
            "template<typename T = float, int N, typename U>",
            "  struct A",
            "    fn g -> T",
            "      param T x[N]",
            "      body",
            "        return x[0]",
            "template<>",
            "  fn Id<float3x3> -> float3x3",
            "    body",
            "      return cast<float3x3>(1)",
            "template<>",
            "  struct A<int, 2, S>",
            "template<typename T>",
            "  fn g -> T (no body)",
            "    param in const T a[4]",
            "fn h : SV_Target -> float[2]",
            "  body",
            "    local()",
        ],
    );
}

#[test]
fn modifiers_by_context() {
    item(
        "void g(triangle V v[3], linear sample float a, sample float b, point P p, float point) { }",
        &[
            "fn g -> void",
            "  param triangle V v[3]",
            "  param linear sample float a",
            "  param sample float b",
            "  param point P p",
            "  param float point",
            "  body",
        ],
    );
    statements(
        "float sample = 1, line = 2; point = line; triangle(x);",
        &["var float sample = 1", "var float line = 2", "(point = line)", "triangle(x)"],
    );
    statements(
        "precise float precise = 1; globallycoherent += precise.x; centroid = (precise);",
        &["var precise float precise = 1", "(globallycoherent += precise.x)", "(centroid = (precise))"],
    );
}

fn outline(items: &[ItemSlice]) -> Vec<String> {
    items
        .iter()
        .map(|item| {
            let bodies: Vec<&str> = item.bodies.iter().map(|body| body.name.as_str()).collect();
            format!(
                "{} {}: {} [{}]",
                item.scope.join("::"),
                item.name,
                token::dump(&item.head).trim(),
                bodies.join(" ")
            )
        })
        .collect()
}

#[test]
fn slices() {
    let unit = read_text(
        "namespace N { namespace M::K { uint a = 1; } void f(int x = g({1})) : T { if (x) { } } };\n\
         struct S { float m() { return 1; } struct I { int n() { } } i; float k[2]; };\n\
         [numthreads(1, 1, 1)] float4 h() { }\nT operator()(int i) { }\ncbuffer C { float x; }\nfloat v[2] = { 1, 2 };",
    );
    let (items, errors) = slice(&unit);
    assert!(errors.is_empty());
    assert_eq!(
        outline(&items),
        [
            "N::M::K a: uint a = 1 ; []",
            "N f: void f ( int x = g ( { 1 } ) ) : T {..} [f]",
            " S: struct S { float m ( ) {..} struct I { int n ( ) {..} } i ; float k [ 2 ] ; } ; [m n]",
            " h: [ numthreads ( 1 , 1 , 1 ) ] float4 h ( ) {..} [h]",
            " operator(): T operator ( ) ( int i ) {..} [operator()]",
            " C: cbuffer C { float x ; } []",
            " v: float v [ 2 ] = { 1 , 2 } ; []",
        ]
    );
}

/// Comments and lines added above must not change the data that `sema` stores.
#[test]
fn stored_tokens_exclude_positions() {
    let program = include_str!("../../examples/hello_work_graphs.hlsl");
    let (before, _) = slice(&read_text(program));
    let (after, _) = slice(&read_text(&format!("// a comment\n\n#define UNUSED 1\n{program}")));
    assert_eq!(before, after);
    let mended = program.replace("g_sum[i] = 0;", "g_sum[i] = 1;");
    let (edited, _) = slice(&read_text(&mended));
    assert_eq!(before.len(), edited.len());
    for (a, b) in before.iter().zip(&edited) {
        assert_eq!(a.head, b.head, "a head changed with a body: {}", a.name);
        assert_eq!(a.bodies == b.bodies, a.name != "thirdNode", "{}", a.name);
    }
}

#[test]
fn whole_programs() {
    for program in
        ["examples/slang_hello", "examples/hello_work_graphs", "tests/run/d1", "tests/run/d2", "tests/run/d3"]
    {
        let path = format!("{}/../{program}.hlsl", env!("CARGO_MANIFEST_DIR"));
        let name = program.rsplit('/').next().unwrap_or(program);
        let files = Files::one(std::fs::read(path).expect("test data"));
        let unit = read(&files);
        let (items, errors) = all_errors(&unit);
        assert!(errors.is_empty(), "{name}: {errors:?}");
        let text: String = items.iter().map(dump_item).collect();
        insta::assert_snapshot!(name, text);
    }
}
