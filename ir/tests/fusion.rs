//! Fusion: the rules, the reasons against it, and the fused function. Each row changes the program of [`BASE`] a little.

#[allow(dead_code)]
mod common;

use common::read;
use wgc_ir::passes::fusion::{Decision, FusionMode, Reason, Rule, fuse};
use wgc_ir::passes::{Inline, inline};
use wgc_ir::{Module, print, verify};

/// `a` sends at most one record to `b`, which writes a buffer.
const BASE: &str = r#"struct R size 8 align 4 { i: u32 @0, v: u32 @4 }
global @results: buffer<u32 stride 4> writable set 0 binding 0
global @other: buffer<u32 stride 4> writable set 0 binding 1
global @memory: private u32
node "a"[0] = @a {
  launch thread threads 1 1 1 entry
  input input: R max 1
  output b: R -> "b"[0] max 1
}
node "b"[0] = @b {
  launch thread threads 1 1 1
  input input: R max 1
}
fn @a() -> void {
  %0: u32 = 0
  %1: u32 = 1
  %2: u32 = 7
  %3: ref<storage, [u32 stride 4]> = global @other
  %4: ref<node_input, R> = input_record %0
  %5: ref<node_input, u32> = field %4, 0
  %6: u32 = load %5
  %7: bool = lt %6, %2
  if %7 {
    %8: records<thread, R> = allocate thread 0[%0], %1
    %9: ref<node_output, R> = output_record %8, %0
    %10: ref<node_output, u32> = field %9, 0
    store %10, %6
    %11: ref<node_output, u32> = field %9, 1
    store %11, %2
    complete %8
  }
  %12: ref<storage, u32> = index %3, %6
  store %12, %2
}
fn @b() -> void {
  %0: u32 = 0
  %1: ref<storage, [u32 stride 4]> = global @results
  %2: ref<node_input, R> = input_record %0
  %3: ref<node_input, u32> = field %2, 0
  %4: u32 = load %3
  %5: ref<node_input, u32> = field %2, 1
  %6: u32 = load %5
  %7: ref<storage, u32> = index %1, %4
  store %7, %6
}
"#;

/// Makes replacements in the program, each of which must apply.
fn changed(edits: &[(&str, &str)]) -> String {
    edits.iter().fold(BASE.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "the program has no {from}");
        text.replacen(from, to, 1)
    })
}

fn fused(text: &str) -> (Module, Vec<Decision>) {
    let mut module = read(text);
    inline(&mut module, Inline::Meeting).expect("there is nothing to refuse");
    let report = fuse(&mut module, FusionMode::Full).expect("it is small");
    assert_eq!(verify(&module), Ok(()), "{}", print(&module));
    (module, report.edges.into_iter().map(|edge| edge.decision).collect())
}

const GUEST: &str = "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n";
const GUEST_INPUT: &str = "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n  input input: R";
const GUEST_NODE: &str = "  input input: R max 1\n}\nfn @a()";
const LAST_STORE: &str = "  store %7, %6\n";

/// Changes that keep the edge, with the reason.
const KEPT: &[(Reason, &[(&str, &str)])] = &[
    (Reason::Missing, &[("-> \"b\"[0]", "-> \"c\"[0]")]),
    (Reason::GroupConsumer, &[(GUEST, "\"b\"[0] = @b {\n  launch coalescing threads 1 1 1\n")]),
    (
        Reason::RecordSize,
        &[
            ("{ i: u32 @0, v: u32 @4 }", "{ i: u32 @0, v: u32 @4, more: [u32; 80 stride 4] @8 }"),
            ("R size 8", "R size 328"),
        ],
    ),
    (Reason::WaveSize, &[(GUEST, "\"b\"[0] = @b {\n  launch thread threads 1 1 1 wave 32 32 32\n")]),
    (Reason::MemoryOrder, &[("global @other\n", "global @results\n")]),
    (Reason::Barrier, &[(LAST_STORE, "  store %7, %6\n  barrier uav group_sync device\n")]),
    (Reason::Recursion, &[(LAST_STORE, "  store %7, %6\n  %8: u32 = remaining_levels\n")]),
    (
        Reason::Statics,
        &[(
            LAST_STORE,
            "  store %7, %6\n  %8: ref<private, u32> = global @memory\n  %9: u32 = load %8\n  store %8, %6\n",
        )],
    ),
    (Reason::Array, &[("-> \"b\"[0] max", "-> \"b\"[0] array 2 max")]),
    (
        Reason::SharedInput,
        &[(
            "fn @a()",
            "node \"c\"[0] = @b {\n  launch thread threads 1 1 1 share_input_of \"b\"[0]\n  input input: R max 1\n}\nfn @a()",
        )],
    ),
    (Reason::LocalRoots, &[(GUEST, "\"b\"[0] = @b {\n  launch thread threads 1 1 1 local_root 3\n")]),
    (
        Reason::GroupRequest,
        &[
            ("launch thread threads 1 1 1 entry", "launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry"),
            ("records<thread, R> = allocate thread", "records<group, R> = allocate group"),
        ],
    ),
    (
        Reason::Unbounded,
        &[
            ("output b: R -> \"b\"[0] max 1", "output b: R -> \"b\"[0] max 99"),
            ("allocate thread 0[%0], %1", "allocate thread 0[%0], %6"),
        ],
    ),
    (
        Reason::Handles,
        &[
            ("fn @a() -> void {\n", "fn @a() -> void {\n  local $0 h: records<thread, R>\n"),
            (
                "    complete %8\n",
                "    complete %8\n  }\n  %20: ref<function, records<thread, R>> = local $0\n  if %7 {\n    %21: records<thread, R> = allocate thread 0[%0], %0\n    store %20, %21\n  } else {\n    %22: records<thread, R> = allocate thread 0[%0], %0\n    store %20, %22\n  }\n  %23: records<thread, R> = load %20\n  complete %23\n  if %7 {\n",
            ),
        ],
    ),
    (
        Reason::RecordType,
        &[
            ("struct R size", "struct S size 8 align 4 { j: u32 @0, w: u32 @4 }\nstruct R size"),
            (GUEST_INPUT, "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n  input input: S"),
            ("%2: ref<node_input, R>", "%2: ref<node_input, S>"),
        ],
    ),
    (
        Reason::Empty,
        &[
            ("output b: R ->", "output b: empty ->"),
            (GUEST_INPUT, "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n  input input: empty"),
            (
                "    %8: records<thread, R> = allocate thread 0[%0], %1\n    %9: ref<node_output, R> = output_record %8, %0\n    \
             %10: ref<node_output, u32> = field %9, 0\n    store %10, %6\n    %11: ref<node_output, u32> = field %9, 1\n    \
             store %11, %2\n    complete %8\n",
                "    increment_count thread 0[%0], %1\n",
            ),
            (
                "  %2: ref<node_input, R> = input_record %0\n  %3: ref<node_input, u32> = field %2, 0\n  %4: u32 = load %3\n  \
             %5: ref<node_input, u32> = field %2, 1\n  %6: u32 = load %5\n  %7: ref<storage, u32> = index %1, %4\n  \
             store %7, %6\n",
                "",
            ),
        ],
    ),
    (Reason::InlineSpirv, &[(LAST_STORE, "  store %7, %6\n  %8: u32 = spirv 61 (%6, 2, 4)\n")]),
    (
        Reason::Budget,
        &[
            (GUEST_NODE, "  input input: R max 1\n  output c: R -> \"c\"[0] max 1\n}\nfn @a()"),
            (
                LAST_STORE,
                "  store %7, %6\n  %8: records<thread, R> = allocate thread 0[%0], %4\n  complete %8\n  %9: records<thread, R> = allocate thread 0[%0], %4\n  complete %9\n",
            ),
        ],
    ),
    (
        Reason::OutputGrowth,
        &[
            ("output b: R -> \"b\"[0] max 1", "output b: R -> \"b\"[0] max 8"),
            ("allocate thread 0[%0], %1\n", "allocate thread 0[%0], %2\n"),
            (GUEST_NODE, "  input input: R max 1\n  output c: R -> \"c\"[0] max 9999\n}\nfn @a()"),
        ],
    ),
    (Reason::Mesh, &[(GUEST, "\"b\"[0] = @b {\n  launch mesh threads 1 1 1 grid fixed 1 1 1 mesh triangle 3 1\n")]),
    (Reason::RecordUse, &[("  complete %8\n", "  %13: u32 = atomic.add %11, %2 device relaxed\n  complete %8\n")]),
];

#[test]
fn a_conditional_record_is_fused() {
    let (module, decisions) = fused(BASE);
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    let nodes: Vec<String> = module.graph.nodes.iter().map(|node| node.id.name.to_string()).collect();
    assert_eq!(nodes, ["a"]);
    assert!(module.graph.nodes[0].outputs.is_empty());
    assert_eq!(module.functions.keys().map(ToString::to_string).collect::<Vec<_>>(), ["a+"]);
    let text = print(&module);
    assert!(!text.contains("allocate") && !text.contains("output_record") && !text.contains("complete"), "{text}");
}

#[test]
fn other_edges_are_kept_with_a_reason() {
    for (reason, edits) in KEPT {
        let (module, decisions) = fused(&changed(edits));
        assert_eq!(decisions[0], Decision::Kept(*reason), "{edits:?}");
        assert!(module.graph.nodes.iter().any(|node| &*node.id.name == "b"), "{edits:?}");
    }
    // Other tests have these.
    let elsewhere = [Reason::Off, Reason::CodeSize];
    for reason in Reason::ALL.iter().filter(|reason| !elsewhere.contains(reason)) {
        assert!(KEPT.iter().any(|(tested, _)| tested == reason), "no row has {reason}");
    }
}

#[test]
fn without_fusion_nothing_changes() {
    let mut module = read(BASE);
    let report = fuse(&mut module, FusionMode::Off).expect("nothing is too large");
    assert_eq!(module, read(BASE));
    assert_eq!(report.edges[0].decision, Decision::Kept(Reason::Off));
    assert_eq!(report.remaining, [0, 1]);
}

#[test]
fn large_guests_are_kept() {
    let sums = |count: u32| (0..count).map(|n| format!("  %{}: u32 = add %4, %6\n", n + 8)).collect::<String>();
    for (count, expected) in [(8_000, Decision::Fused(Rule::OneRecord)), (16_000, Decision::Kept(Reason::CodeSize))] {
        let (_, decisions) = fused(&changed(&[(LAST_STORE, &format!("{}{LAST_STORE}", sums(count)))]));
        assert_eq!(decisions, [expected], "{count} operations");
    }
}

/// An entry receives records of the host, too, so it stays a node.
#[test]
fn a_guest_that_is_an_entry_stays() {
    let (module, decisions) = fused(&changed(&[(GUEST, "\"b\"[0] = @b {\n  launch thread threads 1 1 1 entry\n")]));
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    let functions: Vec<String> = module.graph.nodes.iter().map(|node| node.function.to_string()).collect();
    assert_eq!(functions, ["a+", "b"]);
}

/// `a` sends three records in a loop. The guest runs three times, and its budget is counted three times.
#[test]
fn a_few_records_are_fused() {
    let text = changed(&[
        ("output b: R -> \"b\"[0] max 1", "output b: R -> \"b\"[0] max 3"),
        ("  %2: u32 = 7\n", "  %2: u32 = 3\n"),
        ("allocate thread 0[%0], %1\n", "allocate thread 0[%0], %2\n"),
        (GUEST_NODE, "  input input: R max 1\n  output c: R -> \"c\"[0] max 2\n}\nfn @a()"),
        (LAST_STORE, "  store %7, %6\n  %8: records<thread, R> = allocate thread 0[%0], %0\n  complete %8\n"),
    ]);
    let (module, decisions) = fused(&text);
    assert_eq!(decisions, [Decision::Fused(Rule::FewRecords), Decision::Kept(Reason::Missing)]);
    let [node] = module.graph.nodes.as_slice() else { panic!("one node remains") };
    let outputs: Vec<_> = node.outputs.iter().map(|output| (output.name.to_string(), output.max_records)).collect();
    assert_eq!(outputs, [("c".to_owned(), 6)]);
    assert!(print(&module).contains("[R; 3 stride 8]"));
}

/// A request above MaxRecords is cut, as in a queue.
#[test]
fn requests_are_cut_to_max_records() {
    let (module, decisions) = fused(&changed(&[("allocate thread 0[%0], %1\n", "allocate thread 0[%0], %6\n")]));
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    let text = print(&module);
    let cut = text.lines().find(|line| line.contains(": u32 = min ")).unwrap_or_else(|| panic!("{text}"));
    // The other operand is MaxRecords, 1.
    assert!(cut.ends_with(", %6"), "{cut}");
}
