//! Constructs without a value in every position that needs one: an error, or a program that compiles. An expression
//! omitted without a diagnostic would end the compiler with "there is no module although there is no error".

mod support;

use support::with_options;
use wgc_sema::db::Options;
use wgc_sema::link::link;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

const BEFORE: &str = r#"
LocalRootSignature Locals = { "UAV(u5)" };
SubobjectToExportsAssociation Joined = { "Locals", "main" };
namespace Space { static const uint inner = 1; }
struct Item { uint value; uint twice() { return 2; } };
template <typename T> struct Kind { };
template <typename T> struct Holder { static const uint Size = Kind<T>::value; static const uint Twice = Size * 2; };
template <typename T> static const uint Wide = Kind<T>::value;
RWStructuredBuffer<uint> Out : register(u0);
void nothing() { }
"#;

/// Things without a value, or without a number as value.
const THINGS: &[&str] = &[
    "Locals",
    "Locals.x",
    "Locals[0]",
    "Locals()",
    "Joined",
    "Space",
    "Kind",
    "Kind<float>",
    "Kind<float>::value",
    "Kind<Absent>::value",
    "Holder<float>::Size",
    "Holder<float>::Twice",
    "Wide<float>",
    "Item::twice",
    "Item::value",
    "nothing",
    "nothing()",
    "this",
];

/// Declarations, and statements of the entry point; `@` is the placeholder for a thing.
const PLACES: &[(&str, &str)] = &[
    ("", "uint x = @; Out[0] = x;"),
    ("", "@(Out[0], 1u);"),
    ("", "Out[0] = @.value + @[0];"),
    ("", "@ = 1u;"),
    ("", "uint l[@]; Out[0] = l[0];"),
    ("", "switch (Out[1]) { case @: Out[0] = 1; break; default: break; }"),
    ("", "[unroll(@)] for (uint i = 0; i < 4; i++) Out[i] = i;"),
    ("", "Out[0] = Out[1] ? @ : max(@, 2u);"),
    ("uint f(uint a = @) { return a; }", "Out[0] = f();"),
    ("static uint g = @;", "Out[0] = g;"),
    ("static const uint g = @;", "Out[0] = g;"),
    ("static uint g[@];", "Out[0] = g[0];"),
    ("enum E { Q = @ };", "Out[0] = Q;"),
    ("struct B { uint a : @; };", "B b; b.a = 1; Out[0] = b.a;"),
    ("template <uint N> struct A { uint f() { return N; } };", "A<@> a; Out[0] = a.f();"),
    ("template <typename T> struct A { uint f() { return 1; } };", "A<@> a; Out[0] = a.f();"),
    ("template <uint N> uint fn() { return N; }", "Out[0] = fn<@>();"),
    ("template <typename T, uint N = @> struct W { uint f() { return N; } };", "W<float> w; Out[0] = w.f();"),
    (
        "template <typename T> struct W { static const uint K = @; uint f() { return K; } };",
        "W<float> w; Out[0] = w.f();",
    ),
    ("template <typename T> struct W { uint a[@]; };", "W<float> w; Out[0] = w.a[0];"),
    ("template <typename T> uint f(T a) { return 1; }", "Out[0] = f(@);"),
    ("template <typename T> vector<uint, @> f(T a) { return 1; }", "Out[0] = f(1).x;"),
];

#[test]
fn programs_yield_a_module_or_a_specific_error() {
    let mut wrong = Vec::new();
    for thing in THINGS {
        for (declared, statements) in PLACES {
            let text = format!("{BEFORE}{declared}\n[numthreads(1, 1, 1)] void main() {{ {statements} }}\n");
            let text = text.replace('@', thing);
            let options = Options { compute_entry: Some("main".into()), ..Options::default() };
            let (db, program) = with_options(&text, options);
            let all = diagnostics(&db, program);
            let of = format!("{thing} in {declared} {statements}");
            // The last check is for gaps that are unknown.
            if let Some(gap) = all.iter().find(|d| d.message.contains("wgc cannot compile this")) {
                wrong.push(format!("{of}: {}", gap.message));
            }
            if all.iter().all(|d| d.severity != Severity::Error) && link(&db, program).module.is_none() {
                wrong.push(format!("{of}: neither a module nor an error"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
