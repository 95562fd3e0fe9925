//! Fusion: the rules, the reasons against it, and the fused function. Each row changes the program of [`BASE`] a little.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::{fused_in, read};
use wgc_ir::passes::fusion::{Decision, EdgeChoice, FusionMode, Reason, Rule, fuse};
use wgc_ir::passes::{Inline, inline};
use wgc_ir::{Builtin, Function, MAX_NESTING, Module, Op, Stmt, print, verify};

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
    fused_in(FusionMode::Full, text)
}

const GUEST: &str = "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n";
const GUEST_INPUT: &str = "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n  input input: R";
const GUEST_NODE: &str = "  input input: R max 1\n}\nfn @a()";
const LAST_STORE: &str = "  store %7, %6\n";

/// Changes that keep the edge, with the reason.
const KEPT: &[(Reason, &[(&str, &str)])] = &[
    (Reason::Missing, &[("-> \"b\"[0]", "-> \"c\"[0]")]),
    (Reason::NeedsGroup, &[(GUEST, "\"b\"[0] = @b {\n  launch coalescing threads 1 1 1\n")]),
    (
        Reason::RecordSize,
        &[
            ("{ i: u32 @0, v: u32 @4 }", "{ i: u32 @0, v: u32 @4, more: [u32; 80 stride 4] @8 }"),
            ("R size 8", "R size 328"),
        ],
    ),
    (Reason::WaveSize, &[(GUEST, "\"b\"[0] = @b {\n  launch thread threads 1 1 1 wave 32 32 32\n")]),
    (
        Reason::MemoryOrder,
        &[("global @other\n", "global @results\n"), ("  store %12, %2\n", "  %13: u32 = load %12\n  store %12, %13\n")],
    ),
    (Reason::Barrier, &[(LAST_STORE, "  store %7, %6\n  barrier uav group_sync device\n")]),
    (Reason::Recursion, &[(LAST_STORE, "  store %7, %6\n  %8: u32 = remaining_levels\n")]),
    (
        Reason::Statics,
        &[
            ("global @memory: private u32", "global @memory: private [u32; 65 stride 4]"),
            (
                LAST_STORE,
                "  store %7, %6\n  %8: ref<private, [u32; 65 stride 4]> = global @memory\n  %9: ref<private, u32> = index %8, %0\n  store %9, %6\n",
            ),
        ],
    ),
    (Reason::Array, &[("-> \"b\"[0] max", "-> \"b\"[0] array unbounded max")]),
    (
        Reason::SharedInput,
        &[(
            "fn @a()",
            "node \"c\"[0] = @b {\n  launch thread threads 1 1 1 share_input_of \"b\"[0]\n  input input: R max 1\n}\nfn @a()",
        )],
    ),
    (Reason::LocalRoots, &[(GUEST, "\"b\"[0] = @b {\n  launch thread threads 1 1 1 local_root 3\n")]),
    (
        Reason::MixedRequests,
        &[
            ("launch thread threads 1 1 1 entry", "launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry"),
            ("  complete %8\n", "  complete %8\n  %13: records<group, R> = allocate group 0[%0], %1\n  complete %13\n"),
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
    (Reason::InlineSpirv, &[(LAST_STORE, "  store %7, %6\n  %8: u32 = spirv 61 (%6, 2, 4)\n")]),
    (
        Reason::InlineSpirv,
        &[
            (LAST_STORE, "  %8: u32 = call @outer(%6)\n  store %7, %8\n"),
            (
                "fn @b()",
                "fn @inner(n: u32) -> u32 {\n  %0: u32 = param 0\n  %1: u32 = spirv 61 (%0, 2, 4)\n  return %1\n}\nfn @outer(n: u32) -> u32 {\n  %0: u32 = param 0\n  loop {\n    %1: bool = eq %0, %0\n    if %1 {\n      %2: u32 = call @inner(%0)\n      return %2\n    }\n  }\n  return %0\n}\nfn @b()",
            ),
        ],
    ),
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
    let elsewhere = [
        Reason::GroupBudget,
        Reason::Lanes,
        Reason::Off,
        Reason::Chosen,
        Reason::CodeSize,
        Reason::ElementCode,
        Reason::OtherSources,
        Reason::StageOrder,
        // fusion_groups.rs has these.
        Reason::GroupArray,
        Reason::Grid,
        Reason::GroupSize,
        Reason::GroupMemory,
        Reason::CoalescingFill,
    ];
    for reason in Reason::ALL.iter().filter(|reason| !elsewhere.contains(reason)) {
        assert!(KEPT.iter().any(|(tested, _)| tested == reason), "no row has {reason}");
    }
}

/// `a` is fused with `b` by the rules. A choice is stronger than the mode, but not than the rules.
/// Guests begin with the initial values of static variables that some function changes.
#[test]
fn small_static_variables_are_reset() {
    let text = |stores: bool| {
        let store = if stores { "  store %8, %9\n" } else { "" };
        changed(&[
            ("global @memory: private u32", "global @memory: private u32 = u32 77"),
            (
                LAST_STORE,
                &format!("  %8: ref<private, u32> = global @memory\n  %9: u32 = load %8\n{store}  store %7, %9\n"),
            ),
        ])
    };
    let (module, decisions) = fused(&text(true));
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    let text_of = |module: &Module| print(module);
    let fused_text = text_of(&module);
    let reset = fused_text.find("u32 = 77").expect("the initial value");
    let value = fused_text[..reset].rsplit('%').next().and_then(|text| text.split(':').next()).expect("its number");
    let store = fused_text.find(&format!(", %{value}\n")).expect("a store of it");
    assert!(fused_text[store..].contains("load %"), "{fused_text}");
    // Nothing to reset if nobody changes it.
    let (module, decisions) = fused(&text(false));
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    assert!(!text_of(&module).contains(" = 77\n"), "{}", text_of(&module));
}

/// Only in the full mode: which threads run together is not promised, but a program may notice it.
#[test]
fn safe_mode_keeps_threads_with_wave_operations() {
    let text = changed(&[(LAST_STORE, "  %8: u32 = subgroup.add %6\n  store %7, %8\n")]);
    assert_eq!(fused_in(FusionMode::Safe, &text).1, [Decision::Kept(Reason::Lanes)]);
    assert_eq!(fused_in(FusionMode::Full, &text).1, [Decision::Fused(Rule::OneRecord)]);
}

/// Atomics on texels, counters, and questions about images name their memory.
#[test]
fn texels_and_counters_are_memory_with_a_name() {
    let globals = "global @memory: private u32\n\
        global @image: rwimage<2d, u32x1> set 0 binding 4\n";
    let decision = |of_guest: &str| {
        let edits = [
            ("global @memory: private u32\n", globals),
            ("  store %12, %2\n", "  %13: u32 = load %12\n  store %12, %13\n"),
            (LAST_STORE, of_guest),
        ];
        fused_in(FusionMode::Safe, &changed(&edits)).1[0]
    };
    let texel = "  %8: rwimage<2d, u32x1> = global @image\n  %9: u32x2 = zero\n  %10: ref<image, u32> = texel %8, %9\n  %11: u32 = atomic.add %10, %0 device relaxed\n  store %7, %11\n";
    // The carrier reads and writes `other` only.
    assert_eq!(decision(texel), Decision::Fused(Rule::OneRecord));
}

#[test]
fn choices_come_before_the_mode() {
    let choose = |edge: &str, fuse| EdgeChoice { edge: edge.to_owned(), fuse };
    let decision = |text: &str, mode, choices: &[EdgeChoice]| {
        let mut module = read(text);
        inline(&mut module, Inline::Meeting).expect("there is nothing to refuse");
        let report = fuse(&mut module, mode, choices);
        assert_eq!(verify(&module), Ok(()));
        (report.edges[0].decision, report.edges[0].refused(choices))
    };
    let (fused, kept) = (Decision::Fused(Rule::OneRecord), |reason| Decision::Kept(reason));
    for mode in [FusionMode::Off, FusionMode::Safe, FusionMode::Full] {
        assert_eq!(decision(BASE, mode, &[choose("a.b", true)]), (fused, None), "{mode:?}");
        let reason = if mode == FusionMode::Off { Reason::Off } else { Reason::Chosen };
        assert_eq!(decision(BASE, mode, &[choose("a", false)]), (kept(reason), None), "{mode:?}");
        let refused = changed(&[(LAST_STORE, "  store %7, %6\n  barrier uav group_sync device\n")]);
        let barrier = Reason::Barrier;
        assert_eq!(decision(&refused, mode, &[choose("a", true)]), (kept(barrier), Some(barrier)), "{mode:?}");
    }
    // Safe mode looks at the order of stages, and a choice does not.
    let ordered = changed(&[("global @other\n", "global @results\n")]);
    assert_eq!(decision(&ordered, FusionMode::Safe, &[]).0, kept(Reason::MemoryOrder));
    assert_eq!(decision(&ordered, FusionMode::Safe, &[choose("a.b", true)]).0, fused);
}

#[test]
fn without_fusion_nothing_changes() {
    let mut module = read(BASE);
    let report = fuse(&mut module, FusionMode::Off, &[]);
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
/// Returns the program with a guest of this many nested `if`s. The text form has a lower limit.
fn nested(levels: usize) -> Module {
    let block = "  %8: bool = lt %6, %4\n  if %8 {\n    store %7, %6\n  }\n";
    let mut module = read(&changed(&[(LAST_STORE, block)]));
    let guest = module.functions.get_mut("b").expect("the guest");
    let innermost = guest.body.pop().expect("the statement `if`");
    let Stmt::If { cond, otherwise, results, hint, .. } = innermost.clone() else { panic!("no `if`") };
    let around =
        |inner, _| Stmt::If { cond, then: vec![inner], otherwise: otherwise.clone(), results: results.clone(), hint };
    guest.body.push((1..levels).fold(innermost, around));
    module
}

/// The fused function has one more level: the condition that there is a record.
#[test]
fn edges_stay_if_the_fused_code_nests_too_deep() {
    // Passes are recursive, so they need a large stack, as `wgc` has.
    let thread = std::thread::Builder::new().stack_size(256 << 20);
    thread.spawn(check_deep_guests).expect("a thread").join().expect("the assertions hold");
}

fn check_deep_guests() {
    let fused_in = |mode, levels| {
        let mut module = nested(levels);
        assert_eq!(verify(&module), Ok(()));
        inline(&mut module, Inline::Meeting).expect("there is nothing to refuse");
        let report = fuse(&mut module, mode, &[]);
        assert_eq!(verify(&module), Ok(()));
        (module, report.edges[0].decision)
    };
    let most = MAX_NESTING;
    assert_eq!(fused_in(FusionMode::Full, most - 1).1, Decision::Fused(Rule::OneRecord));
    let (module, decision) = fused_in(FusionMode::Full, most);
    assert_eq!(decision, Decision::Kept(Reason::CodeSize));
    assert_eq!(module, fused_in(FusionMode::Off, most).0, "a failed attempt leaves nothing");
    assert!(verify(&nested(most + 1)).is_err(), "the unfused program is at the limit");
}

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
    assert!(text.contains("    report budget 0\n"), "{text}");
    let cut = text.lines().find(|line| line.contains(": u32 = min ")).unwrap_or_else(|| panic!("{text}"));
    let ids = text.lines().filter_map(|line| line.trim().strip_suffix(": u32 = 1"));
    assert!(ids.into_iter().any(|max_records| cut.ends_with(&format!(", {max_records}"))), "{text}");
}

/// The guest has no record, and runs once for each that was counted.
#[test]
fn empty_records_are_counted() {
    let text = changed(&[
        ("output b: R -> \"b\"[0] max 1", "output b: empty -> \"b\"[0] max 3"),
        (GUEST_INPUT, "\"b\"[0] = @b {\n  launch thread threads 1 1 1\n  input input: empty"),
        ("  %2: u32 = 7\n", "  %2: u32 = 3\n"),
        (
            "    %8: records<thread, R> = allocate thread 0[%0], %1\n    %9: ref<node_output, R> = output_record %8, %0\n    \
             %10: ref<node_output, u32> = field %9, 0\n    store %10, %6\n    %11: ref<node_output, u32> = field %9, 1\n    \
             store %11, %2\n    complete %8\n",
            "    increment_count thread 0[%0], %2\n",
        ),
        (
            "  %2: ref<node_input, R> = input_record %0\n  %3: ref<node_input, u32> = field %2, 0\n  %4: u32 = load %3\n  \
             %5: ref<node_input, u32> = field %2, 1\n  %6: u32 = load %5\n  %7: ref<storage, u32> = index %1, %4\n  \
             store %7, %6\n",
            "  %7: ref<storage, u32> = index %1, %0\n  store %7, %0\n",
        ),
    ]);
    let (module, decisions) = fused(&text);
    assert_eq!(decisions, [Decision::Fused(Rule::EmptyRecords)]);
    let text = print(&module);
    assert!(text.contains("loop") && !text.contains("increment_count"), "{text}");
}

/// The element that a record is for, and the nodes of an array, in place of `b`.
fn array(bodies: &[&str]) -> String {
    let text = changed(&[
        ("-> \"b\"[0] max", &format!("-> \"b\"[0] array {} max", bodies.len())),
        ("allocate thread 0[%0], %1", "allocate thread 0[%6], %1"),
    ]);
    let (head, tail) = text.split_once("node \"b\"").expect("the guest");
    let (_, functions) = tail.split_once("fn @a()").expect("the carrier");
    let (carrier, guest) = functions.split_once("fn @b()").expect("the guest's function");
    let nodes = (0..bodies.len())
        .map(|n| format!("node \"b\"[{n}] = @b{n} {{\n  launch thread threads 1 1 1\n  input input: R max 1\n}}\n"));
    let functions = bodies.iter().enumerate().map(|(n, body)| format!("fn @b{n}(){}", guest.replace(LAST_STORE, body)));
    format!("{head}{}fn @a(){carrier}{}", nodes.collect::<String>(), functions.collect::<String>())
}

fn scaled(by: [u32; 3]) -> String {
    let bodies = by.map(|by| format!("  %8: u32 = {by}\n  %9: u32 = mul %6, %8\n  store %7, %9\n"));
    array(&bodies.each_ref().map(String::as_str))
}

#[test]
fn elements_that_differ_in_a_constant_become_one_body() {
    // 0 is also the constant index of the input record in `b0`, but it varies in the product alone.
    for (constants, is_table) in [([0, 1, 2], false), ([5, 3, 1], false), ([4, 0, 7], true), ([2, 2, 2], false)] {
        let (module, decisions) = fused(&scaled(constants));
        assert_eq!(decisions, [Decision::Fused(Rule::OneCode)], "{constants:?}");
        assert_eq!(module.graph.nodes.len(), 1, "{constants:?}");
        let text = print(&module);
        assert_eq!(text.contains("global @b0.constants."), is_table, "{text}");
        // An element that does not exist gets no record.
        assert!(text.contains("report absent 0\n"), "{text}");
    }
}

#[test]
fn elements_with_other_differences_become_cases_of_a_switch() {
    let store = LAST_STORE;
    let of_type = "  %8: f32 = 0x3f800000\n  %9: u32 = convert %8\n  store %7, %9\n";
    let negative = "  %8: u32 = 1\n  %9: u32 = sub %6, %8\n  store %7, %9\n";
    let sum = "  %8: u32 = 1\n  %9: u32 = add %6, %8\n  store %7, %9\n";
    let swapped = "  %8: u32 = 1\n  %9: u32 = sub %8, %6\n  store %7, %9\n";
    let twice = "  store %7, %6\n  store %7, %6\n";
    let precise = "  %8: u32 = 1\n  %9: u32 = precise sub %6, %8\n  store %7, %9\n";
    for pair in
        [[store, sum], [negative, sum], [negative, swapped], [store, twice], [sum, of_type], [negative, precise]]
    {
        let (module, decisions) = fused(&array(&pair));
        assert_eq!(decisions, [Decision::Fused(Rule::Switch)], "{pair:?}");
        assert_eq!(module.graph.nodes.len(), 1);
        assert_eq!(cases(&module), ["0", "1"], "{pair:?}");
    }
    // Only the lanes of one node may take part.
    let lanes = "  %8: u32 = subgroup.add %6\n  store %7, %8\n";
    let (module, decisions) = fused(&array(&[lanes, lanes]));
    assert_eq!(decisions, [Decision::Fused(Rule::Switch)]);
    assert_eq!(cases(&module), ["0", "1"]);
    let second = "node \"b\"[1] = @b1 {\n  launch thread threads 1 1 1\n  input input: R max 1\n";
    let text = array(&[store, store]).replace(second, &format!("{second}  output c: R -> \"c\"[0] max 1\n"));
    let (module, decisions) = fused(&text);
    assert_eq!((decisions[0], cases(&module)), (Decision::Fused(Rule::Switch), vec!["0".to_owned(), "1".to_owned()]));
    // Elements 0 and 2, and 1 and 3, differ in a constant only.
    let product = |by: u32| format!("  %8: u32 = {by}\n  %9: u32 = mul %6, %8\n  store %7, %9\n");
    let sum = |by: u32| format!("  %8: u32 = {by}\n  %9: u32 = add %6, %8\n  store %7, %9\n");
    let bodies = [product(7), sum(3), product(9), sum(5)];
    let (module, decisions) = fused(&array(&bodies.each_ref().map(String::as_str)));
    assert_eq!(decisions, [Decision::Fused(Rule::Switch)]);
    assert_eq!(cases(&module), ["0, 2", "1, 3"]);
    let text = print(&module);
    assert!(text.contains("constant [u32; 3 stride 4] = { u32 7, u32 7, u32 9 }"), "{text}");
    assert!(text.contains("constant [u32; 4 stride 4] = { u32 3, u32 3, u32 3, u32 5 }"), "{text}");
}

/// Returns the labels of the cases of all switches.
fn cases(module: &wgc_ir::Module) -> Vec<String> {
    let text = print(module);
    text.lines()
        .filter_map(|line| {
            Some(line.trim().strip_prefix("case ")?.split(':').next()?.trim_end_matches(" {").to_owned())
        })
        .collect()
}

/// Safe fusion takes eight codes, the full one 32.
#[test]
fn a_switch_has_few_cases() {
    let body = |n: usize| {
        "  %8: u32 = 1\n".to_owned()
            + &(0..n).map(|n| format!("  %{}: u32 = add %6, %8\n", 9 + n)).collect::<String>()
            + "  store %7, %6\n"
    };
    for (mode, most) in [(FusionMode::Safe, 8), (FusionMode::Full, 32)] {
        for (count, expected) in
            [(most, Decision::Fused(Rule::Switch)), (most + 1, Decision::Kept(Reason::ElementCode))]
        {
            let bodies: Vec<String> = (0..count).map(body).collect();
            let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
            let mut module = wgc_ir::parse(&array(&bodies)).expect("it parses");
            let report = fuse(&mut module, mode, &[]);
            assert_eq!(report.edges[0].decision, expected, "{mode:?}, {count} codes");
        }
    }
}

/// More constants than a table may have.
#[test]
fn elements_with_many_constants_become_cases() {
    let body = |first: u32, count: u32| {
        let sums = (0..count).map(|n| {
            let (id, before) = (8 + 2 * n, if n == 0 { 6 } else { 7 + 2 * n });
            format!("  %{id}: u32 = {}\n  %{}: u32 = mul %{before}, %{id}\n", first + n * n, id + 1)
        });
        format!("{}  store %7, %{}\n", sums.collect::<String>(), 7 + 2 * count)
    };
    for (count, expected) in [(16, Decision::Fused(Rule::OneCode)), (17, Decision::Fused(Rule::Switch))] {
        let (_, decisions) = fused(&array(&[&body(1, count), &body(2, count)]));
        assert_eq!(decisions, [expected], "{count} constants");
    }
}

/// `a` adds to a counter and sends its number, less one, to itself, and a record to `c`.
const RECURSIVE: &str = r#"struct R size 4 align 4 { n: u32 @0 }
global @results: buffer<u32 stride 4> writable set 0 binding 0
node "a"[0] = @a {
  launch thread threads 1 1 1 entry recursion 3
  input input: R max 1
  output a: R -> "a"[0] max 1
  output c: R -> "c"[0] max 2
}
fn @a() -> void {
  %0: u32 = 0
  %1: u32 = 1
  %2: ref<storage, [u32 stride 4]> = global @results
  %3: ref<node_input, R> = input_record %0
  %4: ref<node_input, u32> = field %3, 0
  %5: u32 = load %4
  %6: ref<storage, u32> = index %2, %0
  %7: u32 = atomic.add %6, %5 device relaxed
  %8: u32 = remaining_levels
  %9: bool = output_valid 0[%0]
  if %9 {
    %10: records<thread, R> = allocate thread 0[%0], %1
    %11: ref<node_output, R> = output_record %10, %0
    %12: ref<node_output, u32> = field %11, 0
    store %12, %8
    complete %10
  }
  %13: records<thread, R> = allocate thread 1[%0], %1
  complete %13
}
"#;

/// Four threads request at most one record each, in a group that may send fewer.
#[test]
fn safe_mode_keeps_edges_above_a_group_budget() {
    let launch = ("launch thread threads 1 1 1 entry", "launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry");
    let budget = |most: &'static str| changed(&[launch, ("output b: R -> \"b\"[0] max 1", most)]);
    let (too_few, enough) = (budget("output b: R -> \"b\"[0] max 3"), budget("output b: R -> \"b\"[0] max 4"));
    let fused = Decision::Fused(Rule::OneRecord);
    assert_eq!(fused_in(FusionMode::Safe, &too_few).1, [Decision::Kept(Reason::GroupBudget)]);
    assert_eq!(fused_in(FusionMode::Safe, &enough).1, [fused]);
    assert_eq!(fused_in(FusionMode::Full, &too_few).1, [fused]);
}

/// Targets replace the place of a thread in the function of the node alone.
#[test]
fn producers_that_read_their_place_are_inlined() {
    let (module, decisions) = fused(&changed(&[
        ("launch thread threads 1 1 1 entry", "launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry"),
        ("output b: R -> \"b\"[0] max 1", "output b: R -> \"b\"[0] max 4"),
        ("  %4: ref<node_input, R> = input_record %0\n  %5: ref<node_input, u32> = field %4, 0\n", ""),
        ("  %6: u32 = load %5\n", "  %4: u32x3 = builtin.group_id\n  %6: u32 = extract %4, 0\n"),
    ]));
    assert_eq!(decisions, [Decision::Fused(Rule::OneRecord)]);
    let reads = |function: &Function| function.values.values().any(|value| value.op == Op::Builtin(Builtin::GroupId));
    let found: Vec<&str> = module.functions.values().filter(|f| reads(f)).map(|f| &*f.name).collect();
    assert_eq!(found, ["a+"], "{}", print(&module));
}

#[test]
fn recursion_with_one_record_becomes_a_loop() {
    for mode in [FusionMode::Safe, FusionMode::Full] {
        let (module, decisions) = fused_in(mode, RECURSIVE);
        assert_eq!(decisions, [Decision::Fused(Rule::Loop), Decision::Kept(Reason::Missing)], "{mode:?}");
        let [node] = module.graph.nodes.as_slice() else { panic!("one node remains") };
        assert_eq!(node.max_recursion, 0);
        let outputs: Vec<_> = node.outputs.iter().map(|output| (output.name.to_string(), output.max_records)).collect();
        // Two for each of four levels.
        assert_eq!(outputs, [("c".to_owned(), 8)]);
        let text = print(&module);
        assert!(
            text.contains("loop {") && !text.contains("remaining_levels") && !text.contains("output_valid"),
            "{text}"
        );
        // The end of the own output follows that of `c`.
        assert!(text.contains("report absent 1\n"), "{text}");
        assert!(text.contains("  end \"a\"[0] output 1 -> \"c\"[0]\n  end \"a\"[0] output 0 -> \"a\"[0]\n"), "{text}");
    }
}

#[test]
fn other_recursion_stays() {
    let change = |from: &str, to: &str| {
        assert!(RECURSIVE.contains(from), "{from}");
        RECURSIVE.replace(from, to)
    };
    let group = "  launch broadcasting threads 1 1 1 grid fixed 1 1 1 entry recursion 3\n";
    for (mode, text, reason) in [
        (
            FusionMode::Full,
            change("  output a: R -> \"a\"[0] max 1", "  output a: R -> \"a\"[0] max 2")
                .replace("0[%0], %1\n    %11", "0[%0], %5\n    %11"),
            Reason::Unbounded,
        ),
        (FusionMode::Full, change("  launch thread threads 1 1 1 entry recursion 3\n", group), Reason::Recursion),
        (
            FusionMode::Full,
            change(
                "%13: records<thread, R> = allocate thread 1[%0], %1\n  complete %13",
                "%13: records<thread, R> = allocate thread 1[%0], %5\n  complete %13\n  %14: records<thread, R> = allocate thread 1[%0], %5\n  complete %14",
            ),
            Reason::Budget,
        ),
        (
            FusionMode::Full,
            change("  %7: u32 = atomic.add %6, %5 device relaxed\n", "  %7: u32 = load %6\n  store %6, %7\n"),
            Reason::MemoryOrder,
        ),
        // Levels of different invocations write the same word.
        (
            FusionMode::Safe,
            change("  %7: u32 = atomic.add %6, %5 device relaxed\n", "  store %6, %5\n"),
            Reason::MemoryOrder,
        ),
    ] {
        let (module, decisions) = fused_in(mode, &text);
        assert_eq!(decisions[0], Decision::Kept(reason), "{text}");
        assert_eq!(module.graph.nodes[0].max_recursion, 3);
    }
}

#[test]
fn atomics_commute_only_if_their_order_has_no_effect() {
    let (fused, order) = (Decision::Fused(Rule::OneRecord), Decision::Kept(Reason::MemoryOrder));
    // Each node makes one atomic change of `results`.
    let decision = |of_carrier: &str, of_guest: &str| {
        let change =
            |id: u32, text: &str| text.replace("OLD", &format!("%{id}")).replace("PLACE", &format!("%{}", id - 1));
        let carrier = format!("%19: ref<storage, u32> = index %18, %0\n  {}", change(20, of_carrier));
        let carrier = format!("  %18: ref<storage, [u32 stride 4]> = global @results\n  {carrier}\n");
        let guest = format!("  {}\n", change(8, of_guest));
        let edits = [("  store %12, %2\n", carrier.as_str()), (LAST_STORE, guest.as_str())];
        fused_in(FusionMode::Safe, &changed(&edits)).1[0]
    };
    let of = |op: &str| format!("OLD: u32 = atomic.{op} PLACE, %0 device relaxed");
    let used = format!("{}\n  store PLACE, OLD", of("add"));
    for op in ["add", "min", "max", "and", "or", "xor"] {
        assert_eq!(decision(&of(op), &of(op)), fused, "{op}");
        assert_eq!(decision(&of(op), &of("exchange")), order, "{op}");
    }
    assert_eq!(decision(&of("max"), &of("add")), order, "the sum of a maximum is not the maximum of a sum");
    assert_eq!(decision(&of("exchange"), &of("exchange")), order);
    assert_eq!(decision(&used, &of("add")), order, "the old value depends on the order");
    assert_eq!(decision(&of("add"), &used), order);
}

/// `other` and `results` are one buffer.
#[test]
fn globals_with_one_descriptor_are_the_same_memory() {
    let binding = ("set 0 binding 1", "set 0 binding 0");
    let decision = |edits: &[(&str, &str)]| fused_in(FusionMode::Safe, &changed(edits)).1[0];
    assert_eq!(decision(&[]), Decision::Fused(Rule::OneRecord));
    assert_eq!(decision(&[binding]), Decision::Kept(Reason::MemoryOrder));
    // A view without writes is one as well.
    let read = ("  store %12, %2\n", "  %13: u32 = load %12\n");
    let view = [read, ("@other: buffer<u32 stride 4> writable", "@other: buffer<u32 stride 4>")];
    assert_eq!(decision(&view), Decision::Fused(Rule::OneRecord));
    assert_eq!(decision(&[view[0], view[1], binding]), Decision::Kept(Reason::MemoryOrder));
}
