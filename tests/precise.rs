//! `precise`, `-Gis` and attributes of loops and branches, from the source to the module: the decorated operations, and
//! the control operands of merge instructions.

mod support;

use std::collections::BTreeMap;
use support::{Scratch, wgc};

/// Compiles a program and returns the listing of its module.
fn listing(text: &str, options: &[&str]) -> String {
    let dir = Scratch::new().with("program.hlsl", text);
    let mut arguments = vec!["program.hlsl", "--emit", "asm"];
    arguments.extend(options);
    let ran = wgc(&dir.0, arguments);
    assert_eq!(ran.status, 0, "{}{}\n{text}", ran.out(), ran.stderr);
    ran.out()
}

/// At this level each operation of the source is in the module once.
const COMPUTE: &[&str] = &["-O0", "-T", "cs_6_6", "-E", "main", "-enable-16bit-types"];

/// Returns the decorated operations, with their numbers: `FAdd 1, FMul 2`.
fn decorated(listing: &str) -> String {
    let mut results = BTreeMap::new();
    for line in listing.lines() {
        if let Some((result, rest)) = line.trim().split_once(" = Op") {
            results.insert(result.to_string(), rest.split(' ').next().unwrap_or_default().to_string());
        }
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in listing.lines() {
        if let Some(target) = line.trim().strip_prefix("OpDecorate ").and_then(|l| l.strip_suffix(" NoContraction")) {
            *counts.entry(results[target].clone()).or_default() += 1;
        }
    }
    counts.iter().map(|(op, n)| format!("{op} {n}")).collect::<Vec<_>>().join(", ")
}

/// Returns a compute shader of three floats and two vectors with these statements and declarations.
fn shader(statements: &str, declarations: &str) -> String {
    format!(
        "RWStructuredBuffer<float> Out : register(u0);
StructuredBuffer<float4> In : register(t1);
{declarations}
[numthreads(1, 1, 1)] void main(uint t : SV_GroupIndex)
{{
    float a = Out[0], b = Out[1], c = Out[2];
    float4 v = In[0], u = In[1];
    {statements}
}}
"
    )
}

/// Statements, declarations, and the decorated operations. They are those that DXC computes precisely in DXIL.
const CASES: &[(&str, &str, &str)] = &[
    // ---- variables
    ("precise float s = a + b; precise float e = b - (s - a); Out[2] = s; Out[3] = e;", "", "FAdd 1, FSub 2"),
    ("float x = a * b + c; Out[2] = x;", "", ""),
    ("precise float x = a; x *= b; x /= c; x -= a; ++x; Out[2] = -x;", "", "FAdd 1, FDiv 1, FMul 1, FSub 1"),
    ("precise float x = fmod(a, b); Out[2] = -x;", "", "FRem 1"),
    ("precise float x = -a; Out[2] = x * b;", "", "FNegate 1"),
    ("precise float x; x = (a *= b, a + c); Out[2] = x;", "", "FAdd 1, FMul 1"),
    ("float y = a * b; y += 2; precise float x = y; Out[2] = x;", "", "FAdd 1, FMul 1"),
    ("static precise float x = a * b; Out[2] = x + c;", "", "FMul 1"),
    ("precise half h = (half)(a * b); precise int i = (int)(a / b); Out[2] = h + i;", "", "FDiv 1, FMul 1"),
    ("precise uint x = t * 3 + 1; Out[2] = x;", "", ""),
    // ---- loops
    (
        "precise float sum = 0, comp = 0;
        for (uint i = 0; i < 4; i++) { float y = Out[i] - comp, s = sum + y; comp = (s - sum) - y; sum = s; }
        Out[4] = sum; Out[5] = comp;",
        "",
        "FAdd 1, FSub 3",
    ),
    ("for (precise float f = a; f < 3; f += a * b) Out[2] = f * c;", "", "FAdd 1, FMul 1"),
    (
        "float y = a; precise float x = 0; int i = 0; while (i < 4) { x += y; y = y * b + c; ++i; } Out[2] = x;",
        "",
        "FAdd 2, FMul 1",
    ),
    ("precise float x = 0; do { x += a; } while (x * b + c < 9); Out[2] = x;", "", "FAdd 2, FMul 1"),
    // ---- conditions
    ("precise float x = t > 2 ? a * b + c : a - b * c; Out[2] = x;", "", "FAdd 1, FMul 2, FSub 1"),
    ("precise float x = a * b > c ? a : b; Out[2] = x;", "", "FMul 1"),
    ("precise bool x = a * b > c && a - b < c; Out[2] = x ? 1 : 2;", "", "FMul 1, FSub 1"),
    ("precise float x = a; if (a * b > c) x = b; Out[2] = x;", "", "FMul 1"),
    ("if (a * b > c) { precise float x = a + b; Out[2] = x; }", "", "FAdd 1"),
    (
        "precise float x = 0; switch (t) { case 0: x = a * b; break; case 1: x = a - b; break; } Out[2] = x;",
        "",
        "FMul 1, FSub 1",
    ),
    // ---- vectors, arrays, matrices
    ("precise float2 p; p.x = a * b; p.y = a - b; Out[2] = p.x + p.y;", "", "FMul 1, FSub 1"),
    ("precise float2 p; p.yx = v.xy * u.zw; Out[2] = p.x - p.y * a;", "", "FMul 1"),
    ("float2 w = float2(a * b, a + b); precise float x = w.x; Out[2] = x;", "", "FMul 1"),
    ("float r[2]; r[0] = a * b; r[1] = a + b; precise float x = r[1]; Out[2] = x + r[0];", "", "FAdd 1"),
    ("float r[2]; r[0] = a * b; r[1] = a + b; precise float x = r[t]; Out[2] = x;", "", "FAdd 1, FMul 1"),
    (
        "precise float4x4 m = M[0] * 2.0 + M[1]; precise float4 w = mul(m, m[0]); m[1] = w; M[2] = m;",
        "RWStructuredBuffer<float4x4> M : register(u2);",
        "FAdd 16, FMul 8",
    ),
    ("precise float2 w = mul(v.xy, float2x2(u.xy, v.zw)); Out[2] = w.x + w.y;", "", "FAdd 1, FMul 2"),
    (
        "precise float2x2 m = mul(float2x2(v.xy, u.xy), float2x2(u.zw, v.zw)); Out[2] = m._m00 + m._m11;",
        "",
        "FAdd 2, FMul 4",
    ),
    // ---- members
    (
        "S s; s.sum = a + b; s.other = s.sum - a; Out[2] = s.other;",
        "struct S { precise float sum; float other; };",
        "FAdd 1",
    ),
    ("S s = { a * b, a + b }; Out[2] = s.x + s.y;", "struct S { precise float x; float y; };", "FMul 1"),
    (
        "D d; d.x = a * b; d.y = a - b; Out[2] = d.x + d.y;",
        "struct B { precise float x; }; struct D : B { float y; };",
        "FMul 1",
    ),
    (
        "Os[0].x = a * b; Os[1].y = a + b; S s; s.x = a - b; s.y = a / b; Os[2] = s;",
        "struct S { precise float x; float y; }; RWStructuredBuffer<S> Os : register(u2);",
        "FMul 1, FSub 1",
    ),
    (
        "S s = Make(a, b); S r = Twist(s); Out[2] = r.y; Out[3] = r.x;",
        "struct S { precise float x; float y; };
        S Make(float p, float q) { S s; s.x = p * q; s.y = p - q; return s; }
        S Twist(S i) { S o; o.y = i.x / 3; o.x = i.y * i.y; return o; }",
        "FMul 2, FSub 1",
    ),
    (
        "S s; s.x = a * b; s.y = a - b; precise S q = s; Out[2] = q.y;",
        "struct S { float x; float y; };",
        "FMul 1, FSub 1",
    ),
    // ---- functions
    (
        "float h, l; Split(a, b, h, l); Out[2] = h; Out[3] = l;",
        "void Split(float a, float b, out precise float hi, out precise float lo) { hi = a + b; lo = b - (hi - a); }",
        "FAdd 1, FSub 2",
    ),
    (
        "precise float x = a; Twice(x, x); Out[2] = x;",
        "void Twice(inout float p, inout float q) { p = p * 2 + q; q = p - q * 3; }",
        "FAdd 1, FMul 2, FSub 1",
    ),
    ("Out[2] = F(a * b + c, b / c);", "float F(precise float p, float q) { return p * q; }", "FAdd 1, FMul 1"),
    (
        "Out[2] = F(a, b) + 1;",
        "precise float F(float x, float y) { if (x > y) return x * y; return x - y * y; }",
        "FMul 2, FSub 1",
    ),
    (
        "precise float x = F(a, b, t); Out[2] = x;",
        "float F(float p, float q, uint n)
        { for (uint i = 0; i < n; ++i) { p = p * q + 1; if (p > 10) return p / q; } return p - q; }",
        "FAdd 1, FDiv 1, FMul 1, FSub 1",
    ),
    // One call of two: a copy is precise, the function itself is not.
    (
        "precise float x = F(a); float y = F(b); Out[2] = x; Out[3] = y;",
        "float F(float p) { return p * p + 1; }",
        "FAdd 1, FMul 1",
    ),
    (
        "precise float x = Poly<float>(a, b); Out[2] = x;",
        "template<typename T> T Poly(T p, T q) { T r = p * q; r += p; return r; }",
        "FAdd 1, FMul 1",
    ),
    (
        "S s; s.k = a; float o; s.Get(b, o); precise float x = o; Out[2] = x;",
        "struct S { float k; void Get(float p, out float q) { q = p * k + 1; } };",
        "FAdd 1, FMul 1",
    ),
    (
        "precise S s; s.k = a; s.Scale(b); Out[2] = s.k;",
        "struct S { float k; void Scale(float p) { k = p * k; } };",
        "FMul 1",
    ),
    // ---- globals
    ("s = a * b; H(c); Out[2] = s;", "static precise float s; void H(float q) { s += q * 2; }", "FAdd 1, FMul 2"),
    ("g[t] = a * b; Out[2] = g[1] - a;", "groupshared precise float g[4];", "FMul 1"),
    (
        "g[t] = a * b; GroupMemoryBarrierWithGroupSync(); precise float x = g[0] + 1; Out[2] = x;",
        "groupshared float g[4];",
        "FAdd 1, FMul 1",
    ),
    ("O[3] = a * b; Out[2] = a - b;", "precise RWStructuredBuffer<float> O : register(u2);", "FMul 1"),
    ("T[uint2(t, 0)] = v * u;", "precise RWTexture2D<float4> T : register(u2);", "FMul 1"),
    // Values are not followed through memory.
    ("Out[4] = a * b; precise float x = Out[4] + 1; Out[2] = x;", "", "FAdd 1"),
    // ---- functions that hide roundings
    ("precise float x = mad(a, b, c); Out[2] = x;", "", "FAdd 1, FMul 1"),
    ("precise float x = dot(v, u); Out[2] = x;", "", "FAdd 3, FMul 1"),
    ("precise float x = dot(v.xy, u.xy); Out[2] = x;", "", "FAdd 1, FMul 1"),
    ("precise float x = length(v.xyz); Out[2] = x;", "", "FAdd 2, FMul 1"),
    ("precise float x = distance(v, u); Out[2] = x;", "", "FAdd 3, FMul 1, FSub 1"),
    ("precise float3 x = normalize(v.xyz); Out[2] = x.x;", "", "FAdd 2, FMul 2"),
    ("precise float3 x = cross(v.xyz, u.xyz); Out[2] = x.x;", "", "FMul 2, FSub 1"),
    ("precise float x = lerp(a, b, c); Out[2] = x;", "", "FAdd 1, FMul 1, FSub 1"),
    ("precise double d = fma((double)a, (double)b, (double)c); Out[2] = (float)d;", "", "ExtInst 1"),
    // ---- no effect
    ("Exact x = a * b; Out[2] = x;", "typedef precise float Exact;", ""),
];

#[test]
fn contributions_to_precise_values_are_decorated() {
    support::in_parallel(CASES, |(statements, declarations, expected)| {
        let found = decorated(&listing(&shader(statements, declarations), COMPUTE));
        (found != *expected).then(|| format!("{declarations}\n{statements}\nexpected {expected}\nfound    {found}\n\n"))
    });
}

#[test]
fn an_option_makes_all_floats_precise() {
    let text = shader("Out[2] = F(a * b + a); Out[3] = dot(v, u);", "float F(float x) { return x / 3; }");
    assert_eq!(decorated(&listing(&text, COMPUTE)), "");
    let with = [COMPUTE, &["-Gis"]].concat();
    assert_eq!(decorated(&listing(&text, &with)), "FAdd 4, FDiv 1, FMul 2");
}

/// A precise sum of a record in a node, through a function and a loop; and loops with hints.
const NODES: &str = "struct R { float a[4]; precise float sum; };
RWStructuredBuffer<float> Out : register(u0);
void Add(inout float sum, inout float rest, float x)
{
    float y = x - rest, s = sum + y;
    rest = (s - sum) - y;
    sum = s;
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void start(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> done)
{
    precise float sum = 0;
    float rest = 0;
    [unroll] for (uint i = 0; i < 4; ++i) Add(sum, rest, input.Get().a[i]);
    ThreadNodeOutputRecords<R> o = done.GetThreadNodeOutputRecords(1);
    [loop] for (uint k = 0; k < 4; ++k) o.Get().a[k] = input.Get().a[k] * 2;
    o.Get().sum = sum / 4;
    o.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void done(ThreadNodeInputRecord<R> input)
{
    [branch] if (input.Get().sum > 1) Out[0] = input.Get().sum + 1;
}
";

#[test]
fn precise_applies_to_nodes_on_both_targets() {
    for target in ["spirv-amdx", "spirv-emulated"] {
        let listing = listing(NODES, &["-O0", "--target", target]);
        assert_eq!(decorated_by_module(&listing), "FAdd 1, FDiv 1, FSub 3", "{target}");
        for control in ["Unroll", "DontUnroll", "DontFlatten"] {
            let found = listing.lines().filter(|l| l.contains("Merge ") && l.ends_with(&format!(" {control}"))).count();
            assert_eq!(found, 1, "{target}: {control}");
        }
    }
}

/// Returns the decorated operations of a package's listing, which has one module after another, with separate ids.
fn decorated_by_module(listing: &str) -> String {
    let parts: Vec<&str> = listing.split("; SPIR-V\n").collect();
    parts.iter().map(|part| decorated(part)).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Returns the control operands of merge instructions from hints, in the order of the text.
fn controls(listing: &str) -> Vec<String> {
    let merges =
        listing.lines().map(str::trim).filter(|l| l.starts_with("OpLoopMerge") || l.starts_with("OpSelection"));
    let control = |l: &str| l.rsplit(' ').next().unwrap_or_default().to_string();
    merges.map(control).filter(|c| c != "None").collect()
}

/// Statements, and the control operands other than `None`. DXC emits none for `switch`.
const HINTS: &[(&str, &[&str])] = &[
    (
        "[unroll] for (uint i = 0; i < 4; ++i) a += In[t + i].x; [loop] for (uint j = 0; j < 4; ++j) a *= In[t + j].x;",
        &["Unroll", "DontUnroll"],
    ),
    (
        "uint k = 0; [loop] while (k < 8) { a += In[k].x; ++k; } [unroll(2)] do { a *= In[k].x; --k; } while (k > 0);",
        &["DontUnroll", "Unroll"],
    ),
    ("[fastopt] for (uint i = 0; i < t; ++i) a += b;", &["DontUnroll"]),
    ("[fastopt] [loop] while (a < 9) a += b;", &["DontUnroll"]),
    ("[allow_uav_condition] while (a < 9) a += b;", &[]),
    ("[allow_uav_condition] [unroll] while (a < 9) a += b;", &["Unroll"]),
    ("[Unroll] for (uint i = 0; i < t; ++i) a += b; [LOOP] do a += b; while (a < 3);", &["Unroll", "DontUnroll"]),
    ("[unroll(COUNT + 1)] for (uint i = 0; i < t; ++i) a += b;", &["Unroll"]),
    ("[unroll] while (float f = a - 1) a = f;", &["Unroll"]),
    ("[branch] if (a < b) a = c;", &["DontFlatten"]),
    ("[flatten] if (a < b) a = c; else a = b; [branch] if (float f = a * b) a = f;", &["Flatten", "DontFlatten"]),
    ("[branch] switch (t) { case 0: a = b; break; case 1: a = c; break; }", &["DontFlatten"]),
    ("[flatten] switch (t) { case 0: a = b; break; default: a = c; break; }", &["Flatten"]),
    ("[call] switch (t) { case 0: a = b; break; } [forcecase] switch (t) { case 1: a = c; break; }", &[]),
    ("[branch] [forcecase] switch (t) { case 0: a = b; break; }", &["DontFlatten"]),
    // Each hint applies to its own statement.
    ("[loop] for (uint i = 0; i < t; ++i) { for (uint j = 0; j < t; ++j) if (a < b) a += c; }", &["DontUnroll"]),
    ("a = Sum(a); a += Sum(b);", &["Unroll"]),
    ("float r = 0; Early(a, r); a = r;", &["DontUnroll", "DontFlatten"]),
];

/// A small function is inlined by default.
#[test]
fn functions_with_noinline_stay_functions() {
    for (attribute, level, controls) in
        [("", "-O2", &[] as &[&str]), ("[noinline]", "-O2", &["DontInline"]), ("[NoInline]", "-O3", &["DontInline"])]
    {
        let text = shader("Out[2] = Twice(a);", &format!("{attribute} float Twice(float x) {{ return x * 2; }}"));
        let listing = listing(&text, &[COMPUTE, &[level]].concat());
        let functions = listing.lines().filter_map(|line| line.split_once(" = OpFunction ")).map(|(_, rest)| rest);
        let control = |rest: &str| rest.split_whitespace().nth(1).unwrap_or_default().to_owned();
        let found: Vec<String> = functions.map(control).filter(|c| c != "None").collect();
        assert_eq!(found, controls, "{attribute}");
        assert_eq!(listing.matches("OpFunctionCall").count(), controls.len(), "{attribute}");
    }
}

#[test]
fn hints_become_control_operands() {
    let declarations = "static const uint COUNT = 3;
    float Sum(float x) { [unroll] for (uint i = 0; i < 4; ++i) x += In[i].x; return x; }
    void Early(float x, out float r)
    {
        r = x;
        [loop] for (uint i = 0; i < 4; ++i) { [branch] if (x > 3) return; x += In[i].x; }
        r = x;
        GroupMemoryBarrierWithGroupSync();
    }";
    support::in_parallel(HINTS, |(statements, expected)| {
        let text = shader(&format!("{statements} Out[2] = a;"), declarations);
        // The optimiser decides some of these branches.
        let found = controls(&listing(&text, &[COMPUTE, &["-O0"]].concat()));
        (found != *expected).then(|| format!("{statements}\nexpected {expected:?}\nfound    {found:?}\n\n"))
    });
}
