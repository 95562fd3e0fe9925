//! Lowering: whole programs link and verify, and the IR of small functions matches snapshots.

mod support;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use support::{line, with_options};
use wgc_sema::Compiler;
use wgc_sema::check::check;
use wgc_sema::db::{Options, Program};
use wgc_sema::link::link;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns options that keep all functions.
fn library() -> Options {
    Options { enable_16bit_types: true, internal: true, library: true, ..Options::default() }
}

/// Prints the module of a text, with all functions kept.
fn ir(text: &str) -> String {
    let found = problems(text, library());
    assert!(found.is_empty(), "{found}");
    let (db, program) = with_options(text, library());
    link(&db, program).module.as_ref().map(wgc_ir::print).unwrap_or_default()
}

/// Returns all problems of a program up to a verified module; empty if it succeeds.
fn problems(text: &str, options: Options) -> String {
    let (db, program) = with_options(text, options);
    problems_of(&db, program)
}

fn problems_of(db: &Compiler, program: Program) -> String {
    let linked = link(db, program);
    let mut out = String::new();
    let checks = linked.reached.iter().flat_map(|f| &check(db, *f).diagnostics);
    // A program with only warnings has a module nevertheless.
    for d in checks.chain(&linked.diagnostics).filter(|d| d.severity == wgc_sema::tables::codes::Severity::Error) {
        let at = line(db, program, d.primary.place.text().expect("in the text"));
        let _ = writeln!(out, "{at}: {} {}", d.code, d.message);
    }
    match &linked.module {
        None => out.push_str("no module\n"),
        Some(module) => {
            if let Err(errors) = wgc_ir::verify(module) {
                let _ = writeln!(out, "{errors:?}\n{}", wgc_ir::print(module));
            }
        }
    }
    out
}

#[test]
fn examples_link_and_verify() {
    let mut failures = String::new();
    for dir in ["examples", "tests/run", "sema/tests/lower"] {
        let mut paths: Vec<_> = std::fs::read_dir(repository().join(dir)).unwrap().map(|e| e.unwrap().path()).collect();
        paths.retain(|p| p.extension().is_some_and(|e| e == "hlsl"));
        paths.sort();
        assert!(!paths.is_empty(), "{dir}");
        for path in paths {
            // The run file of a program gives another version or 16-bit numbers.
            let run = std::fs::read_to_string(path.with_extension("run.json")).unwrap_or_default();
            let version = run.split_once("\"-HV\", \"").and_then(|(_, rest)| rest.get(..4)?.parse().ok());
            let enable_16bit_types = run.contains("\"-enable-16bit-types\"");
            let options = Options { hlsl_version: version, enable_16bit_types, ..Options::default() };
            let found = problems(&std::fs::read_to_string(&path).unwrap(), options);
            if !found.is_empty() {
                let _ = writeln!(failures, "{}:\n{found}", path.display());
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn everything_that_checking_accepts_is_lowered() {
    let text = std::fs::read_to_string(repository().join("sema/tests/check/accepted.hlsl")).unwrap();
    let found = problems(&text, library());
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn the_device_library_links_and_verifies() {
    let texts = wgc_stdlib::EMULATED.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
    let mut db = wgc_sema::Compiler::new(Box::new(support::Texts(texts)));
    let program = db.add_program(wgc_stdlib::EMULATED_ROOTS, library());
    let found = problems_of(&db, program);
    assert!(found.is_empty(), "\n{found}");
}

#[test]
fn short_circuit_and_choice() {
    let text = "
        RWStructuredBuffer<uint> Out;
        bool guarded(uint i, uint n) { return i < n && Out[i] != 0; }
        bool simple(uint i, uint n) { return i < n && i != 3; }
        uint choose(bool c, uint a) { return c ? a / 2 : a; }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn template_values_have_the_types_of_their_parameters() {
    let text = "
        enum class Mode : uint { Off, On = 3 };
        uint kind(int x) { return 1; }
        uint kind(uint x) { return 2; }
        uint kind(bool x) { return 3; }
        uint kind(Mode x) { return 4; }
        template<typename T, T V> bool below(T x) { return x < V - 2; }
        template<typename T, T V> uint of() { return kind(V); }
        bool f(int i, uint u) { return below<int, 1>(i) && below<uint, 1>(u); }
        uint g() { return of<int, 1>() + of<uint, 1>() + of<bool, 1>() + of<Mode, Mode::On>(); }
    ";
    let ir = ir(text);
    // A signed and an unsigned comparison with 1 - 2.
    insta::assert_snapshot!(ir);
}

#[test]
fn loops_and_switches() {
    let text = "
        uint f(uint n) {
            uint sum = 0;
            for (uint i = 0; i < n; ++i) {
                if (i == 3) continue;
                switch (i) { case 0: case 1: sum += 2; break; default: return sum; }
            }
            do { sum--; } while (sum > 5);
            return sum;
        }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn swizzles_and_texels_as_targets() {
    let text = "
        RWTexture2D<float4> Image;
        RWStructuredBuffer<float4> Buf;
        void f(uint2 p, float3 v) {
            v.zx = v.xy;
            Image[p] = 1;
            Image[p].yx = v.xy;
            Image[p] += 2;
            Buf[p.x].w = v.z;
            Buf[p.x].xy *= 3;
        }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn arguments_are_copied_in_and_out() {
    let text = "
        struct S { uint a; float2 b; uint sum(uint n) { a += n; return a; } };
        groupshared S Shared;
        void swap(inout uint a, inout uint b) { uint t = a; a = b; b = t; }
        void g(out float x) { x = 1; }
        uint f() {
            uint x = 1;
            swap(x, x);
            g(Shared.b.y);
            uint i;
            g(i);
            S s = (S)0;
            return s.sum(2) + Shared.sum(3) + i;
        }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn initialiser_lists_are_flattened_in_order() {
    let text = "
        struct P { uint2 at; float w; };
        uint2 next(inout uint n) { n += 1; return n; }
        float f() {
            uint n = 0;
            P p[2] = { next(n), 1, { 2, 3 }, 4 };
            uint all[4] = { p[0].at, next(n) };
            return p[1].w + all[3];
        }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn atomics_and_barriers() {
    let text = "
        RWStructuredBuffer<int> Out;
        RWByteAddressBuffer Raw;
        groupshared uint Sums[4];
        uint f(uint i, int v) {
            uint old;
            InterlockedAdd(Sums[i], v);
            InterlockedMin(Out[i], v, old);
            InterlockedCompareExchange(Sums[0], 1, 2, old);
            Raw.InterlockedOr(4 * i, 3u);
            uint3 words = Raw.Load3(8);
            Raw.Store<float>(16, 1.5);
            GroupMemoryBarrierWithGroupSync();
            Barrier(UAV_MEMORY, DEVICE_SCOPE);
            AllMemoryBarrier();
            return old + words.z;
        }
    ";
    insta::assert_snapshot!(ir(text));
}

#[test]
fn node_objects_and_resources_travel_through_helpers() {
    let text = std::fs::read_to_string(repository().join("sema/tests/lower/nodes.hlsl")).unwrap();
    let (db, program) = with_options(&text, Options::default());
    insta::assert_snapshot!(link(&db, program).module.as_ref().map(wgc_ir::print).unwrap_or_default());
}

#[test]
fn memory_at_addresses() {
    let text = "
        struct Node { float3 at; vk::BufferPointer<Node> next; };
        cbuffer C { vk::BufferPointer<Node, 16> first; uint64_t raw; };
        struct Holder { vk::BufferPointer<Node, 16> pointer; };
        float f(int i) {
            Holder holder = Holder(first);
            holder.pointer.Get().next.Get().at.y = 2;
            vk::BufferPointer<int[4]> numbers = vk::reinterpret_pointer_cast<int[4]>(first);
            numbers.Get()[i] += 1;
            vk::RawBufferStore<half2>(raw + 8, half2(1, 2), 8);
            vk::BufferPointer<float> made = vk::BufferPointer<float>(raw);
            return made.Get() + vk::RawBufferLoad(raw) + vk::RawBufferLoad<Node>(raw, 16).at.x + sizeof(made);
        }
    ";
    insta::assert_snapshot!(ir(text));
}

/// Returns the names in `[[wgc::op("..")]]` of all built-in texts.
fn declared_operations() -> std::collections::BTreeSet<String> {
    let texts = wgc_stdlib::PRELUDE.iter().chain(wgc_stdlib::EMULATED).map(|(_, text)| *text);
    let marks = texts.flat_map(|t| t.split("wgc::op(\"").skip(1));
    marks.filter_map(|m| m.split_once('"')).map(|(name, _)| name.to_string()).collect()
}

#[test]
fn operation_table_matches_library_declarations() {
    let table: std::collections::BTreeSet<String> =
        wgc_sema::check::ops::OPS.iter().map(|(name, _)| name.to_string()).collect();
    assert_eq!(table.len(), wgc_sema::check::ops::OPS.len(), "a name stands twice");
    let declared = declared_operations();
    let differing: Vec<_> = declared.symmetric_difference(&table).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

/// Valid constructs that are not compiled yet give an error with a location, and never wrong code.
#[test]
fn unsupported_constructs_are_diagnosed() {
    let cases = [
        ("RWTexture2D<float4> T; void f(uint i) { T[uint2(1, 2)][i] = 1; }", ""),
        ("groupshared float S; void f() { float o; InterlockedExchange(S, 1.0, o); }", ""),
        (
            "struct S { double d; }; groupshared S s; void f() { double o; InterlockedExchange(s.d, 1.0L, o); }",
            "atomic on `double`",
        ),
    ];
    for (text, wanted) in cases {
        let found = problems(text, library());
        if wanted.is_empty() {
            assert!(found.is_empty(), "{text}: {found}");
        } else {
            assert!(found.contains("WG0220") && found.contains(wanted), "{text}: {found}");
        }
    }
}

#[test]
fn call_cycles_are_diagnosed_once() {
    let text = "
        uint b(uint n);
        uint a(uint n) { return n > 3 ? b(n) : 0; }
        uint b(uint n) { return a(n - 1); }
        uint c(uint n) { return b(n) + a(n); }
    ";
    let found = problems(text, library());
    assert_eq!(found.matches("WG0225").count(), 1, "{found}");
    assert!(found.contains("4: WG0225 `a` and `b` call each other"), "{found}");
    // The last function calls the first.
    for (functions, through) in
        [("abc", "`b` and `c`"), ("abcd", "`b`, `c` and `d`"), ("abcde", "`b`, 2 other functions and `e`")]
    {
        let names: Vec<char> = functions.chars().collect();
        let next = |n: usize| names[(n + 1) % names.len()];
        let declared: String = names.iter().map(|name| format!("void {name}();\n")).collect();
        let defined: String = (0..names.len()).map(|n| format!("void {}() {{ {}(); }}\n", names[n], next(n))).collect();
        let found = problems(&(declared + &defined), library());
        assert!(found.contains(&format!("WG0225 `a` calls itself through {through}")), "{found}");
        assert_eq!(found.matches("WG0225").count(), 1, "{found}");
    }
}

/// Chains and nesting that the parser accepts do not exhaust the stack of a test's thread.
#[test]
fn long_expressions() {
    let sum = vec!["x"; 200].join(" + ");
    let found = problems(&format!("uint f(uint x) {{ return {sum}; }}"), library());
    assert!(found.is_empty(), "{found}");
    let nested = format!("{}x{}", "(".repeat(60), ")".repeat(60));
    let found = problems(&format!("uint f(uint x) {{ return {nested}; }}"), library());
    assert!(found.is_empty(), "{found}");
}
