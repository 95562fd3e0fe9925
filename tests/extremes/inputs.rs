//! Small programs that could be expensive: deep and wide ones, and those whose few letters expand to much code.

use std::fmt::Write;

/// Bytes of a program that repeats something. Code that multiplies itself is expensive at any size.
pub const SIZE: usize = if cfg!(debug_assertions) { 6 << 10 } else { 64_000 };

/// Uses of a large part: enough to reach every limit in optimised builds.
const USES: usize = if cfg!(debug_assertions) { 40 } else { 1000 };

pub struct Input {
    pub name: &'static str,
    pub text: String,
    /// True if it has the compute shader `main`; otherwise it has nodes or no entry point.
    #[allow(dead_code, reason = "the language server finds out itself")]
    pub has_main: bool,
}

const OUT: &str = "RWStructuredBuffer<uint> Out : register(u0);\n";

/// Repeats numbered parts up to `size` bytes.
fn repeat_to(size: usize, part: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    let mut n = 0;
    while text.len() < size {
        text += &part(n);
        n += 1;
    }
    text
}

fn repeat(part: impl Fn(usize) -> String) -> String {
    repeat_to(SIZE, part)
}

/// Returns `count` parts, by their numbers.
fn times(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

/// Returns `count` times `open`, then `inside`, then `count` times `close`.
fn nested(count: usize, open: &str, inside: &str, close: &str) -> String {
    format!("{}{inside}{}", open.repeat(count), close.repeat(count))
}

fn compute(head: &str, body: &str) -> String {
    format!("{head}{OUT}[numthreads(1, 1, 1)] void main(uint3 id : SV_DispatchThreadID) {{\n{body}\n}}\n")
}

/// Returns a node `a` that receives records and sends to `b`.
fn node(outputs: &str, body: &str) -> String {
    format!(
        "struct R {{ uint a; }};\n[Shader(\"node\")] [NodeLaunch(\"thread\")] void a(ThreadNodeInputRecord<R> r, {outputs}) {{\n\
         {body}\n}}\n[Shader(\"node\")] [NodeLaunch(\"thread\")] void b(ThreadNodeInputRecord<R> r) {{ }}\n"
    )
}

/// Returns a macro that expands to `base` to the power of `levels` copies of a text.
fn bomb(text: &str, base: usize, levels: usize) -> String {
    let mut out = format!("#define A0 {text}\n");
    for level in 1..=levels {
        writeln!(out, "#define A{level}{}", format!(" A{}", level - 1).repeat(base)).unwrap();
    }
    out
}

/// Returns functions that each call the previous one `calls` times.
fn call_tree(levels: usize, calls: usize) -> String {
    let mut out = "uint f0(uint x) { return x * 3 + 1; }\n".to_owned();
    for level in 1..=levels {
        let sum: String = (0..calls).map(|n| format!(" + f{}(x + {n})", level - 1)).collect();
        writeln!(out, "uint f{level}(uint x) {{ return 0{sum}; }}").unwrap();
    }
    out
}

/// Returns structures that each contain the previous one twice.
fn doubled(levels: usize, first: &str) -> String {
    let next = |n: usize| format!("struct S{} {{ S{n} a, b; }};\n", n + 1);
    format!("struct S0 {{ {first} }};\n{}", times(levels, next))
}

fn nesting() -> Vec<(&'static str, String)> {
    let body = |text: String| compute("", &text);
    let depth = SIZE / 3;
    vec![
        ("parentheses", body(format!("Out[0] = {};", nested(depth, "(", "1", ")")))),
        ("braces", body(nested(depth, "{", "", "}"))),
        ("ifs", body(format!("{};", "if (id.x) ".repeat(depth / 4)))),
        ("ifs at the limit", body(format!("{}Out[0] = 1;\n", "if (id.x) ".repeat(200)).repeat(SIZE / 2000))),
        ("else ifs", body(format!("{};", repeat(|n| format!("if (id.x == {n}) Out[{n}] = 1; else "))))),
        ("loops", body(format!("{};", "for (;;) ".repeat(depth / 4)))),
        ("unary", body(format!("Out[0] = {}1;", "- ".repeat(depth)))),
        ("casts", body(format!("Out[0] = {}1;", "(uint)".repeat(depth / 3)))),
        ("members", body(format!("Out[0] = id{};", ".x".repeat(depth)))),
        (
            "calls in calls",
            compute("uint f(uint x) { return x; }\n", &format!("Out[0] = {};", nested(depth, "f(", "1", ")"))),
        ),
        ("sum", body(format!("Out[0] = 1{};", " + id.x".repeat(depth / 3)))),
        ("comparisons or generics", body(format!("Out[0] = {}c;", "a<b<".repeat(120)))),
        ("template brackets", body(format!("{}uint x;", "vector<".repeat(depth / 4)))),
        ("brackets of a list", body(format!("uint a[1] = {};", nested(depth, "{", "1", "}")))),
        ("ternaries", body(format!("Out[0] = {}0;", "id.x ? 1 : ".repeat(depth / 5)))),
        ("switches", body(nested(200, "switch (id.x) { case 0: ", "Out[0] = 1;", "}"))),
        (
            "returns in loops",
            compute(
                &format!("uint f(uint x) {{ {} return 0; }}\n", nested(200, "for (;;) { if (x) return 1; ", ";", "}")),
                "Out[0] = f(id.x);",
            ),
        ),
        ("namespaces", nested(depth / 4, "namespace n { ", "uint a;", "}")),
        ("an angle without end", "a<".repeat(depth)),
        ("quotes", "\"".repeat(SIZE)),
        ("an open comment", format!("/*{}", "x".repeat(SIZE))),
        ("lines that go on", "\\\n".repeat(depth)),
        ("zeros", "\0".repeat(SIZE)),
    ]
}

fn width() -> Vec<(&'static str, String)> {
    let body = |text: String| compute("", &text);
    let overload = |n: usize| format!("uint f(uint x[{}]) {{ return 1; }}\n", n + 1);
    vec![
        ("locals", body(repeat(|n| format!("uint a{n} = id.x + {n};\n")))),
        ("globals", compute(&repeat(|n| format!("uint a{n};\n")), "Out[0] = a1;")),
        (
            "members of a buffer",
            compute(
                &format!("cbuffer C {{ {} }};\n", repeat_to(SIZE / 2, |n| format!("uint a{n};\n"))),
                "Out[0] = a1;",
            ),
        ),
        ("functions", repeat(|n| format!("uint f{n}() {{ return {n}; }}\n"))),
        ("braces that close nothing", times(SIZE / 8, |_| "}x".to_owned())),
        ("braces that close nothing after functions", times(SIZE / 24, |n| format!("void f{n}() {{ }}}}\n"))),
        (
            "functions in a chain",
            compute(
                &format!(
                    "uint f0(uint x) {{ return x; }}\n{}",
                    times(SIZE / 50, |n| format!("uint f{}(uint x) {{ return f{n}(x); }}\n", n + 1))
                ),
                &format!("Out[0] = f{}(id.x);", SIZE / 50),
            ),
        ),
        (
            "functions in a chain below a node",
            format!(
                "RWStructuredBuffer<uint> B;\nuint f0(uint x) {{ return x; }}\n{}{}",
                times(SIZE / 50, |n| format!("uint f{}(uint x) {{ return f{n}(x) * 3 + 1; }}\n", n + 1)),
                node("[MaxRecords(1)] NodeOutput<R> b", &format!("B[0] = f{}(B[1]);", SIZE / 50))
            ),
        ),
        (
            "constants in a chain",
            compute(
                &format!(
                    "static const uint c0 = 0;\n{}",
                    times(90, |n| format!("static const uint c{} = c{n} + 1;\n", n + 1))
                ),
                "Out[0] = c90;",
            ),
        ),
        ("structures", repeat(|n| format!("struct S{n} {{ uint a; }};\n"))),
        ("one name", repeat(|_| "uint a;\n".to_owned())),
        ("names that are missing", body(repeat(|n| format!("x{n} = y{n};\n")))),
        (
            "long names",
            compute(&format!("static uint {};\n", "a".repeat(SIZE / 3)), &format!("{}b = 1;", "a".repeat(SIZE / 3))),
        ),
        (
            "parameters",
            compute(
                &format!("uint f(uint a{}) {{ return a; }}\n", repeat_to(SIZE / 2, |n| format!(", uint a{n}"))),
                "Out[0] = f(1);",
            ),
        ),
        (
            "overloads",
            compute(
                &repeat_to(SIZE / 2, overload),
                &format!("uint a[5]; {}", repeat_to(SIZE / 8, |_| "Out[0] = f(a);\n".to_owned())),
            ),
        ),
        ("switch", body(format!("switch (id.x) {{ {} }}", repeat(|n| format!("case {n}: Out[{n}] = 1; break;\n"))))),
        (
            "switch that falls through",
            body(format!("switch (id.x) {{ {} }}", repeat(|n| format!("case {n}: Out[{n}] = 1;\n")))),
        ),
        ("labels", body(format!("switch (id.x) {{ {} Out[0] = 1; }}", repeat(|n| format!("case {n}: "))))),
        (
            "list",
            compute(&format!("static const uint a[] = {{ {} }};\n", repeat(|_| "1,".to_owned())), "Out[0] = a[id.x];"),
        ),
        ("list of a local", body(format!("uint a[] = {{ {} }}; Out[0] = a[id.y];", repeat(|_| "id.x,".to_owned())))),
        ("components", body(format!("Out[0] = uint4({}1).x;", "1,".repeat(SIZE / 3)))),
        ("enumerators", compute(&format!("enum E {{ {} }};\n", repeat(|n| format!("E{n},"))), "Out[0] = E5;")),
        (
            "matrices",
            body(format!(
                "float4x4 m = (float4x4)id.x; {} Out[0] = (uint)m[0][0];",
                repeat_to(SIZE / 2, |_| "m = mul(m, m);\n".to_owned())
            )),
        ),
        ("loops in a row", body(repeat(|n| format!("for (uint i{n} = 0; i{n} < id.x; i{n}++) Out[i{n}] = {n};\n")))),
        (
            "variables through branches",
            body(format!(
                "{} {} Out[0] = a0;",
                times(200, |n| format!("uint a{n} = 0;\n")),
                repeat_to(SIZE / 2, |n| format!("if (id.x == {n}) a{} += {n};\n", n % 200))
            )),
        ),
        ("resources", compute(&repeat(|n| format!("Texture2D<float4> t{n};\n")), "Out[0] = 1;")),
        (
            "nodes",
            format!(
                "struct R {{ uint a; }};\n{}",
                repeat(|n| format!(
                    "[Shader(\"node\")] [NodeLaunch(\"thread\")] void n{n}(ThreadNodeInputRecord<R> r) {{ }}\n"
                ))
            ),
        ),
        (
            "outputs",
            node(
                &repeat(|n| format!("[MaxRecords(1)] NodeOutput<R> b{n}, "))
                    .trim_end_matches(", ")
                    .replace("b0,", "b,"),
                "",
            ),
        ),
        (
            "records through branches",
            node(
                "[MaxRecords(100)] NodeOutput<R> b",
                &repeat(|n| format!("if (r.Get().a == {n}) b.GetThreadNodeOutputRecords(1).OutputComplete();\n")),
            ),
        ),
        ("attributes", compute("", &"[loop] ".repeat(SIZE / 8))),
        ("long texts", format!("[Shader(\"{}\")] void f() {{ }}\n", "x".repeat(SIZE))),
        ("a long number", body(format!("Out[0] = {};", "9".repeat(SIZE)))),
        ("stray characters of one line", body("@ ".repeat(SIZE))),
        ("errors of one line", body(format!("{};", times(SIZE / 8, |n| format!("u{n};"))))),
    ]
}

fn multiplied() -> Vec<(&'static str, String)> {
    let body = |text: String| compute("", &text);
    let large = "struct S { uint a[60000]; };\n";
    let each = |head: &str, part: &dyn Fn(usize) -> String| compute(head, &repeat_to(USES * 24, part));
    let template = |uses: &dyn Fn(usize) -> String| {
        let long = repeat_to(SIZE / 3, |n| format!("x += N * {n};"));
        let head = format!(
            "template<uint N> uint f(uint x) {{ {long} return x; }}\ntemplate<uint N> struct S {{ uint f(uint x) {{ {long} return x; }} }};\n"
        );
        compute(&head, &times(USES, uses))
    };
    vec![
        ("calls of calls", compute(&call_tree(40, 2), "Out[0] = f40(id.x);")),
        ("calls in loops", compute(&nested_loops(900), "Out[0] = f899(id.x);")),
        ("calls of calls below the limit", compute(&call_tree(14, 2), "Out[0] = f14(id.x);")),
        ("calls of calls for records", call_tree(30, 3) + &node("[MaxRecords(4)] NodeOutput<R> b", "b.GetThreadNodeOutputRecords(f30(r.Get().a)).OutputComplete();")),
        ("constants of calls", compute(&call_tree(40, 2), "static const uint c = f40(1); uint a[c]; Out[0] = a[0];")),
        ("default arguments", compute(&format!("uint f0(uint a = 1, uint b = 1) {{ return a; }}\n{}", times(31, |n| format!("uint f{}(uint a = f{n}(), uint b = f{n}()) {{ return a; }}\n", n + 1))), "Out[0] = f31();")),
        ("loops with offsets in loops", format!("Texture2D<float> t; SamplerState s;\n{}", compute("static const int2 steps[2] = { int2(-2, 0), int2(3, 1) };\n", "for (int j = 1025; j >= 0; j--) for (uint n = 0; n < Out[1]; ++n) Out[0] += t.SampleLevel(s, 0.5, 0, int2(j, steps[j].x)); Out[2] = 1;"))),
        ("unrolled loops in loops", body(format!("{} Out[0] += i0;", times(60, |n| format!("[unroll] for (uint i{n} = 0; i{n} < 4; i{n}++) "))))),
        ("unrolled loops", body(repeat(|n| format!("[unroll] for (uint i{n} = 0; i{n} < 1000; i{n}++) Out[i{n}] = {n};\n")))),
        ("an unrolled loop without end", body("[unroll] for (uint i = 0; i < 4000000000; i++) Out[i] = i;".into())),
        ("loads of large structures", each(&format!("{large}ByteAddressBuffer B;\n"), &|n| format!("{{ S s = B.Load<S>({}); Out[0] += s.a[id.x]; }}\n", n * 4))),
        ("stores of large structures", each(&format!("{large}RWByteAddressBuffer B;\n"), &|n| format!("{{ S s; B.Store<S>({}, s); }}\n", n * 4))),
        ("a load of a huge structure", compute("struct S { float a[100000000]; };\nByteAddressBuffer B;\n", "Out[0] = (uint)B.Load<S>(0).a[id.x];")),
        ("a number that fills", each(large, &|n| format!("{{ S s = (S){}; Out[0] += s.a[id.x]; }}\n", n + 1))),
        ("zero that fills", each(large, &|_| "{ S s = (S)0; Out[0] += s.a[id.x]; }\n".to_owned())),
        ("constants that are filled", compute(&format!("{large}{}", repeat(|n| format!("static const S s{n} = (S){n};\n"))), "Out[0] = s1.a[id.x];")),
        ("constants that are copied", compute(&format!("static const uint a0[60000] = (uint[60000])1;\n{}", repeat(|n| format!("static const uint a{}[60000] = a{n};\n", n + 1))), "Out[0] = a9[id.x];")),
        ("truth values in buffers", each("struct S { bool a[60000]; };\nRWStructuredBuffer<S> B;\n", &|n| format!("B[{n}] = B[{}];\n", n + 1))),
        ("huge truth values in a buffer", compute("struct S { bool a[100000000]; };\nRWStructuredBuffer<S> B;\n", "B[0] = B[1];")),
        ("a huge constant buffer of truth values", compute("struct S { bool a[4000]; };\ncbuffer C { S s; };\n", "S t = s; Out[0] = t.a[id.x];")),
        ("huge arrays", body("uint a[1000000000]; uint b[1000000000]; b = a; a[id.x] = 1; Out[0] = b[id.y];".into())),
        ("huge initialised arrays", body("uint a[1000000000] = (uint[1000000000])0; Out[0] = a[id.y];".into())),
        ("huge groupshared arrays", compute("groupshared uint a[1000000000];\n", "a[id.x] = 1; Out[0] = a[id.y];")),
        ("arrays in parameters", each("uint f(uint a[60000]) { return a[1]; }\nvoid g(inout uint a[60000]) { a[1]++; }\n", &|n| if n == 0 { "uint a[60000];\n".to_owned() } else { "g(a); Out[0] += f(a);\n".to_owned() })),
        ("instances of a function", template(&|n| format!("Out[{n}] = f<{n}>(id.x);\n"))),
        ("instances of a structure", template(&|n| format!("{{ S<{n}> s; Out[{n}] = s.f(id.x); }}\n"))),
        ("types in types", compute(&format!("template<typename A, typename B> struct P {{ A a; B b; }};\ntypedef P<uint, uint> T0;\n{}", times(50, |n| format!("typedef P<T{n}, T{n}> T{};\n", n + 1))), "T50 t; Out[0] = 1;")),
        ("types in instances", compute("template<typename A, typename B> struct P { };\ntemplate<uint N, typename T> uint f(T t) { P<T, T> p; return f<N - 1, P<T, T> >(p); }\n", "Out[0] = f<50, uint>(1);")),
        ("instances that need two", compute("template<uint N, uint M> struct S { static const uint V = S<N - 1, 2 * M>::V + S<N - 1, 2 * M + 1>::V; };\n", "Out[0] = S<90, 1>::V;")),
        ("structures in structures", compute(&doubled(60, "uint n;"), "S60 s; Out[0] = 1;")),
        ("resources in structures", compute(&format!("{}S11 x;\nuint f(S11 s) {{ return 1; }}\n", doubled(11, "Texture2D<float4> map;")), "Out[0] = f(x);")),
        ("fields in structures", each(&format!("{}RWStructuredBuffer<S11> B;\n", doubled(11, "uint n;")), &|n| format!("B[{n}] = B[{}];\n", n + 1))),
        ("node arrays", "struct R { uint a; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry] void a(ThreadNodeInputRecord<R> r, [MaxRecords(1)] [UnboundedSparseNodes] NodeOutputArray<R> b) { }\n[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"b\", 15000000)] void b(ThreadNodeInputRecord<R> r) { }\n".to_owned()),
        ("loops of records", node("[MaxRecords(100)] NodeOutput<R> b", &format!("{} b.GetThreadNodeOutputRecords(1).OutputComplete();", times(60, |n| format!("for (uint i{n} = 0; i{n} < 4; i{n}++) "))))),
    ]
}

/// Returns functions with a loop that each call the one before inside of it, and return early.
fn nested_loops(count: usize) -> String {
    let function = |n: usize, called: &str| {
        format!(
            "uint f{n}(uint x) {{ uint s = 0; for (uint i = 0; i < x; i++) {{ if (i == {n}) return s; s += {called}; }} return s; }}\n"
        )
    };
    let rest: String = (1..count).map(|n| function(n, &format!("f{}(x - 1)", n - 1))).collect();
    function(0, "x") + &rest
}

fn preprocessed() -> Vec<(&'static str, String)> {
    let uses = |levels: usize, text: &str| format!("{}A{levels}\n", bomb(text, 10, levels));
    vec![
        ("macros of macros", uses(39, "x x")),
        ("macros in conditions", format!("{}#if A39\n#endif\n", bomb("1 + 1 +", 2, 39))),
        ("macros in arguments", format!("#define F(x) x x\n{}\n", nested(120, "F(", "a", ")"))),
        ("arguments in arguments", format!("#define F(x) x\n{}\n", nested(SIZE / 3, "F(", "a", ")"))),
        (
            "pasted names",
            format!(
                "#define P(a, b) a##b\n#define Q(a, b) P(a, b)\n#define D(x) Q(x, x)\n{}\n",
                nested(60, "D(", "n", ")")
            ),
        ),
        ("a macro of statements", bomb("Out[0] += 1;", 10, 4) + &compute("", "A4")),
        (
            "a macro of functions",
            format!(
                "#define A0(n) uint n##a() {{ return 1; }}\n{}A5(q)\n",
                times(5, |n| format!(
                    "#define A{}(n) A{n}(n##0) A{n}(n##1) A{n}(n##2) A{n}(n##3) A{n}(n##4) A{n}(n##5)\n",
                    n + 1
                ))
            ),
        ),
        ("a macro of elements", bomb("1,", 10, 4) + &compute("static const uint a[] = { A4 };\n", "Out[0] = a[id.x];")),
        ("a macro of errors", bomb("q = ;", 10, 4) + &compute("", "A4")),
        ("macros", repeat(|n| format!("#define A{n} {n}\n"))),
        ("a macro defined again and again", repeat(|n| format!("#define A {n}\n"))),
        ("conditions", nested(SIZE / 16, "#if 1\n", "", "#endif\n")),
        ("conditions in a row", repeat(|_| "#if 1\n#else\n#endif\n".to_owned())),
        ("a condition with parentheses", format!("#if {}\n#endif\n", nested(SIZE / 3, "(", "1", ")"))),
        ("a condition with operators", format!("#if {}1\n#endif\n", "1+".repeat(SIZE / 3))),
        ("lines", repeat(|n| format!("#line {} \"f{n}\"\n", 4_294_967_295_u32 - n as u32)) + "foo;\n"),
        ("a line of a long name", format!("#line 1 \"{}\"\nfoo; bar; baz q;\n", "p".repeat(SIZE))),
        ("files that are missing", repeat(|n| format!("#include \"none{n}.hlsli\"\n"))),
        ("a file of a long name", format!("#include \"{}\"\n", "p".repeat(SIZE))),
    ]
}

/// Returns all inputs.
pub fn inputs() -> Vec<Input> {
    let all = nesting().into_iter().chain(width()).chain(multiplied()).chain(preprocessed());
    all.map(|(name, text)| Input { name, has_main: text.contains("void main("), text }).collect()
}
