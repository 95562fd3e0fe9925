//! Programs with thousands of parts of one kind. Work grows with their number, not with its square: the tests count
//! queries, or have so many parts that the square would take minutes to hours.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use support::{Texts, with_options};
use wgc_sema::Compiler;
use wgc_sema::db::{Options, Program};
use wgc_sema::link::link;
use wgc_sema::link::source_map::source_map;
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;

fn options() -> Options {
    Options { compute_entry: Some("main".into()), ..Options::default() }
}

fn errors(db: &Compiler, program: Program) -> Vec<String> {
    let all = diagnostics(db, program).iter().filter(|d| d.severity == Severity::Error);
    all.map(|d| format!("{}: {}", d.code.row().code, d.message)).collect()
}

/// Returns the errors of a program that is linked, on a stack as large as that of the command.
fn built(text: &str) -> Vec<String> {
    let build = || {
        let (db, program) = with_options(text, options());
        let found = errors(&db, program);
        assert!(!found.is_empty() || link(&db, program).module.is_some());
        let map = source_map(&db, program);
        assert!(!map.files.is_empty());
        found
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 20).spawn_scoped(scope, build);
        thread.expect("a thread can be started").join().expect("no panic")
    })
}

/// Returns the queries that a build executes, with their numbers.
fn executed(text: &str) -> BTreeMap<String, u32> {
    let mut db = Compiler::with_log(Box::new(Texts(BTreeMap::new())));
    db.set_text("test.hlsl", Some(text.as_bytes()));
    let program = db.add_program(&["test.hlsl"], options());
    assert_eq!(errors(&db, program), Vec::<String>::new());
    assert!(link(&db, program).module.is_some());
    db.take_log().into_iter().collect()
}

fn times(count: usize, part: impl Fn(usize) -> String) -> String {
    (0..count).map(part).collect()
}

fn compute(head: &str, body: &str) -> String {
    format!("{head}\nRWByteAddressBuffer Out;\n[numthreads(1, 1, 1)] void main() {{\n{body}\n}}\n")
}

/// Each namespace opens all earlier ones.
fn open_namespaces(count: usize) -> String {
    let uses = |end: usize| times(end, |n| format!("using namespace n{n};\n"));
    let namespaces = times(count, |n| format!("namespace n{n} {{\n{}static int v{n};\n}}\n", uses(n)));
    compute(&format!("{namespaces}{}", uses(count)), "v0 = 1; Out.Store(0, v0);")
}

#[test]
fn namespaces_that_open_all_earlier_ones_are_visited_once() {
    assert_eq!(built(&open_namespaces(120)), Vec::<String>::new());
    let ran = executed(&open_namespaces(5));
    assert_eq!(ran["directives"], 1, "{ran:#?}");
}

/// The functions of the prelude call each other. No lookup may need the table of all its names.
#[test]
fn calls_of_intrinsics_read_few_pieces_of_the_prelude() {
    let ran = executed(&compute(
        "RWStructuredBuffer<uint> B;",
        "uint old; InterlockedAdd(B[0], max(B[1], 2), old); Out.Store(0, asuint(lerp(0.5, asfloat(old), 2.0)));",
    ));
    assert_eq!(ran["name_table"], 1, "{ran:#?}");
}

/// Directives apply in the order of the walk: nearest first, and each scope once, even in cycles.
#[test]
fn names_of_opened_namespaces_are_found_through_others() {
    let cases = [
        ("namespace a { static int x; } namespace b { using namespace a; } using namespace b;", "x", ""),
        ("namespace a { static int x; } namespace b { using namespace a; }", "b::x", ""),
        ("namespace a { static int x; } namespace b { using a::x; } using namespace b;", "x", ""),
        (
            "namespace a { static int x; } namespace b { static int x; using namespace a; } using namespace b;",
            "x",
            "WG0231: `x` is ambiguous: `b::x` or `a::x`",
        ),
        ("namespace a { static int x; } namespace b { static int x; using namespace a; }", "b::x", ""),
        (
            "namespace a { static int x; } namespace b { } namespace a { using namespace b; }\n\
             namespace b { using namespace a; } using namespace b;",
            "x",
            "",
        ),
        ("namespace a { namespace i { static int x; } } namespace s = a::i; using namespace s;", "x", ""),
        ("namespace a { namespace i { static int x; } } using namespace a; using namespace i;", "x", ""),
        (
            "namespace a { static int x; } namespace b { using namespace a; using namespace a; } using namespace b;",
            "y",
            "WG0101: cannot find `y` in this scope",
        ),
    ];
    for (head, name, expected) in cases {
        let found = built(&compute(head, &format!("{name} = 1; Out.Store(0, {name});")));
        let found: Vec<&str> = found.iter().map(String::as_str).collect();
        let found: &[&str] = if found.is_empty() { &[""] } else { &found };
        assert!(found.iter().all(|found| *found == expected), "{head} {name}: {found:?}");
    }
}

#[test]
fn variables_of_one_buffer_are_laid_out_once() {
    let members = times(50, |n| format!("float g{n};\n"));
    let stores = times(50, |n| format!("Out.Store({}, g{n});\n", 4 * n));
    let ran = executed(&compute(&members, &stores));
    assert_eq!((ran["loose_block"], ran["loose_positions"]), (1, 1), "{ran:#?}");
    let ran = executed(&compute(&format!("cbuffer C {{ {members} }}"), &stores));
    assert_eq!(ran["cbuffer_block"], 1, "{ran:#?}");
}

#[test]
fn thousands_of_loose_variables_are_found_by_an_index() {
    let members = times(5_000, |n| format!("float g{n};\n"));
    let stores = times(5_000, |n| format!("Out.Store({}, g{n});\n", 4 * n));
    assert_eq!(built(&compute(&members, &stores)), Vec::<String>::new());
}

/// The methods are parts of one item, so a function's positions must not list the whole item again.
#[test]
fn thousands_of_methods_call_each_other() {
    let methods = times(4_000, |n| match n {
        0 => "int m0() { return x; }\n".to_owned(),
        n => format!("int m{n}() {{ return m{}() + x; }}\n", n / 2),
    });
    let calls = times(4_000, |n| format!("Out.Store({}, s.m{n}());\n", 4 * n));
    let text = compute(&format!("struct S {{ int x;\n{methods}}};"), &format!("S s; s.x = 1;\n{calls}"));
    assert_eq!(built(&text), Vec::<String>::new());
    let ran = executed(&compute(
        "struct S { int x; int a() { return x; } int b() { return a() + x; } };",
        "S s; s.x = s.b();",
    ));
    assert!(ran["members_by_name"] > 0, "{ran:#?}");
}

/// Functions `f` for so many structures, and a call of each.
fn overloads(count: usize) -> String {
    let head = times(count, |n| format!("struct T{n} {{ int x; }}; int f(T{n} t) {{ return t.x + {n}; }}\n"));
    let body = times(count, |n| format!("{{ T{n} t; t.x = {n}; Out.Store({}, f(t)); }}\n", 4 * n));
    compute(&head, &body)
}

#[test]
fn thousands_of_overloads_are_found_by_their_types() {
    assert_eq!(built(&overloads(1_500)), Vec::<String>::new());
    let ran = executed(&overloads(20));
    assert_eq!((ran["type_index"], ran["same_functions"]), (1, 1), "{ran:#?}");
}

/// The index of a large set gives the same results as the comparison of each function of a small one.
#[test]
fn large_overload_sets_choose_like_small_ones() {
    let mut text = String::new();
    let cases = [
        // Declarations, a call, and its error.
        ("int f(int x) { return 1; } int f(uint x) { return 2; }", "f(1u)", ""),
        ("int f(float x) { return 1; } int f(double x) { return 2; }", "f(1)", ""),
        ("int f(int x) { return 1; } int f(int x, int y = 0) { return 2; }", "f(n)", "WG0202: ambiguous call of `f`"),
        ("int f(int x) { return 1; } int f(inout int x) { return 2; }", "f(n)", "WG0103: duplicate definition of `f`"),
        ("int f(int x) { return 1; } template<typename T> int f(T x) { return 2; }", "f(n)", ""),
        ("int f(int x); int f(int x) { return 1; } int f(uint x) { return 2; }", "f(n)", ""),
        ("int f(int2 x) { return 1; } int f(float2 x) { return 2; }", "f(int2(1, 2))", ""),
        (
            "int f(float x) { return 1; } int f(uint x) { return 2; }",
            "f(missing)",
            "WG0101: cannot find `missing` in this scope",
        ),
        ("int f(row_major float2x2 x) { return 1; } int f(float3x3 x) { return 2; }", "f((float2x2)n)", ""),
    ];
    for (head, call, expected) in cases {
        for more in [0, 40] {
            let others = times(more, |n| format!("struct T{n} {{ int x; }}; int f(T{n} t) {{ return {n}; }}\n"));
            let found = built(&compute(&format!("{others}{head}"), &format!("int n = 1; Out.Store(0, {call});")));
            writeln!(text, "{head} {call} of {more}: {found:?}").expect("it is text");
            let expected: Vec<&str> = Some(expected).filter(|error| !error.is_empty()).into_iter().collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
