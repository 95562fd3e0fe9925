//! Fusion of consumers that share the group of their producer.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::read;
use wgc_ir::passes::fusion::{Decision, FusionMode, Reason, Rule, fuse};
use wgc_ir::passes::{Inline, inline};
use wgc_ir::{Module, print, verify};

/// A group of four threads. Each thread sends a record with its index. `b` writes the record to the buffer.
const BASE: &str = r#"struct R size 4 align 4 { i: u32 @0 }
global @results: buffer<u32 stride 4> writable set 0 binding 0
global @shared: workgroup u32
node "a"[0] = @a {
  launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
  input input: R max 1
  output b: R -> "b"[0] max 4
}
node "b"[0] = @b {
  launch CONSUMER
}
fn @a() -> void {
  %0: u32 = 0
  %1: u32 = 1
  %2: u32 = builtin.group_index
  %3: records<thread, R> = allocate thread 0[%0], %1
  %4: ref<node_output, R> = output_record %3, %0
  %5: ref<node_output, u32> = field %4, 0
  store %5, %2
  complete %3
}
fn @b() -> void {
  %0: u32 = 0
  %1: ref<storage, [u32 stride 4]> = global @results
  %2: ref<node_input, R> = input_record %0
  %3: ref<node_input, u32> = field %2, 0
  %4: u32 = load %3
  %5: ref<storage, u32> = index %1, %4
  store %5, %4
}
"#;

const THREAD: &str = "thread threads 1 1 1\n  input input: R max 1";
const GRID: &str = "broadcasting threads 4 1 1 grid fixed 1 1 1\n  input input: R max 1";
const BATCH: &str = "coalescing threads 4 1 1\n  input input: R max 3";
/// The whole group requests two records.
const TOGETHER: &[(&str, &str)] = &[
    (
        "%3: records<thread, R> = allocate thread 0[%0], %1",
        "%9: u32 = 2\n  %3: records<group, R> = allocate group 0[%0], %9",
    ),
    ("output_record %3, %0", "output_record %3, %1"),
];

fn program(consumer: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(BASE.replace("CONSUMER", consumer), |text, (from, to)| {
        assert!(text.contains(from), "the program has no {from}");
        text.replacen(from, to, 1)
    })
}

fn fused(text: &str) -> (Module, Decision) {
    fused_in(FusionMode::Full, text)
}

fn fused_in(mode: FusionMode, text: &str) -> (Module, Decision) {
    let mut module = read(text);
    inline(&mut module, Inline::Meeting).expect("there is nothing to refuse");
    let report = fuse(&mut module, mode, &[]);
    assert_eq!(verify(&module), Ok(()), "{}", print(&module));
    (module, report.edges[0].decision)
}

#[test]
fn consumers_share_the_group() {
    let own: &[(&str, &str)] = &[];
    for (consumer, edits, rule, counter, barriers) in [
        (THREAD, TOGETHER, Rule::GroupRecords, "local", 1),
        (GRID, TOGETHER, Rule::GroupGrids, "local", 2),
        (GRID, own, Rule::GroupGrids, "global @a.count.0: workgroup u32", 3),
        (BATCH, TOGETHER, Rule::GroupBatches, "local", 2),
        (BATCH, own, Rule::GroupBatches, "global @a.count.0: workgroup u32", 3),
    ] {
        let (module, decision) = fused(&program(consumer, edits));
        assert_eq!(decision, Decision::Fused(rule), "{consumer}");
        assert_eq!(module.graph.nodes.len(), 1);
        let text = print(&module);
        assert!(text.contains("global @a.records.0: workgroup [R; "), "{text}");
        assert!(text.contains(counter), "{text}");
        // One to clear the count, one before the guest, and one after each of its groups.
        assert_eq!(text.matches("barrier ").count(), barriers, "{text}");
    }
}

/// Nodes that are almost right, with the reason.
#[test]
fn other_groups_are_kept() {
    let wide = BATCH.replace("threads 4 1 1", "threads 8 1 1");
    let turned = GRID.replace("threads 4 1 1", "threads 2 2 1");
    let narrow = GRID.replace("threads 4 1 1", "threads 2 1 1");
    let many = GRID.replace("grid fixed 1 1 1", "grid fixed 5 1 1");
    let two = GRID.replace("grid fixed 1 1 1", "grid fixed 2 1 1");
    let store = "  store %5, %4\n";
    let meeting = (store, "  store %5, %4\n  barrier group_shared group_sync workgroup\n");
    let lanes = (store, "  %6: u32 = subgroup.add %4\n  store %5, %6\n");
    let heap = (
        "global @shared: workgroup u32",
        "global @shared: workgroup u32\nglobal @t: image<2d, f32x4> set 0 binding 1\nglobal @s: sampler set 0 binding 2",
    );
    let level = (
        store,
        "  %6: f32x2 = zero\n  %7: image<2d, f32x4> = global @t\n  %8: sampler = global @s\n  %9: f32x2 = image_lod %7, %8, %6\n  %10: f32 = extract %9, 0\n  %11: u32 = convert %10\n  store %5, %11\n",
    );
    let large = ("@shared: workgroup u32", "@shared: workgroup [u32; 8192 stride 4]");
    let of_large = (store, "  %6: ref<workgroup, [u32; 8192 stride 4]> = global @shared\n  store %5, %4\n");
    let array = ("-> \"b\"[0] max", "-> \"b\"[0] array 1 max");
    let thread = ("launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry", "launch thread threads 1 1 1 entry");
    let (kept, own): (_, &[(&str, &str)]) = (Decision::Kept, &[]);
    for (consumer, edits, expected) in [
        (&*wide, own, kept(Reason::GroupSize)),
        (&turned, own, Decision::Fused(Rule::GroupGrids)),
        (&turned, &[lanes], kept(Reason::GroupSize)),
        (GRID, &[lanes], Decision::Fused(Rule::GroupGrids)),
        (&turned, &[heap, level], kept(Reason::GroupSize)),
        (GRID, &[heap, level], Decision::Fused(Rule::GroupGrids)),
        (&narrow, own, Decision::Fused(Rule::GroupGrids)),
        (&narrow, &[meeting], kept(Reason::GroupSize)),
        (GRID, &[meeting], Decision::Fused(Rule::GroupGrids)),
        (&many, own, kept(Reason::Grid)),
        // Four records of two groups each.
        (&two, own, kept(Reason::Unbounded)),
        (&two, TOGETHER, Decision::Fused(Rule::GroupGrids)),
        (GRID, &[large, of_large], kept(Reason::GroupMemory)),
        (BATCH, &[array], kept(Reason::GroupArray)),
        (BATCH, &[thread], kept(Reason::NeedsGroup)),
    ] {
        assert_eq!(fused(&program(consumer, edits)).1, expected, "{consumer} {edits:?}");
    }
}

/// A program may notice the number of records of a group.
#[test]
fn groups_stay_full_in_safe_mode() {
    let one = BATCH.replace("max 3", "max 1");
    for (consumer, expected) in
        [(BATCH, Decision::Kept(Reason::CoalescingFill)), (&*one, Decision::Fused(Rule::GroupBatches))]
    {
        assert_eq!(fused_in(FusionMode::Safe, &program(consumer, &[])).1, expected, "{consumer}");
    }
}

/// A wrong index gets the spare place, and no other record.
#[test]
fn wrong_records_are_nobodys() {
    let far = [("output_record %3, %0", "output_record %3, %2")];
    let (module, _) = fused(&program(GRID, &far));
    let text = print(&module);
    assert!(text.contains("global @a.records.0: workgroup [R; 5 stride 4]"), "{text}");
    assert!(text.contains("report record 0\n") && text.contains(" = select "), "{text}");
    assert!(print(&fused(&program(GRID, &[])).0).contains("workgroup [R; 4 stride 4]"));
}

/// Groups with fewer threads run in the first threads of the carrier.
#[test]
fn system_values_are_those_of_the_guest() {
    let store = "  store %5, %4\n";
    let ids = "  %6: u32x3 = builtin.dispatch_thread_id\n  %7: u32x3 = builtin.group_thread_id\n  %8: u32x3 = builtin.group_id\n  %9: u32x3 = add %6, %7\n  %10: u32x3 = add %9, %8\n  %11: u32 = extract %10, 0\n  store %5, %11\n";
    let turned = GRID.replace("threads 4 1 1", "threads 2 2 1");
    let (module, decision) = fused(&program(&turned, &[(store, ids)]));
    assert_eq!(decision, Decision::Fused(Rule::GroupGrids));
    let text = print(&module);
    for own in ["builtin.dispatch_thread_id", "builtin.group_thread_id", "builtin.group_id"] {
        assert!(!text.contains(own), "{own} remains:\n{text}");
    }
    assert!(text.contains("builtin.group_index") && text.contains(" rem "), "{text}");
}

#[test]
fn each_group_has_its_budget() {
    let guest = format!("{GRID}\n  output c: R -> \"c\"[0] max 2");
    let store = "  store %5, %4\n";
    let sends = "  store %5, %4\n  %6: u32 = 1\n  %7: records<group, R> = allocate group 0[%0], %6\n  complete %7\n";
    let (module, decision) = fused(&program(&guest, &[(store, sends)]));
    assert_eq!(decision, Decision::Fused(Rule::GroupGrids));
    let [node] = module.graph.nodes.as_slice() else { panic!("one node remains") };
    // Four records, each with a group.
    assert_eq!(node.outputs.iter().map(|output| output.max_records).collect::<Vec<_>>(), [8]);
}

/// Only thread 1 sends records, three together.
#[test]
fn requests_of_every_thread_count() {
    let text = program(
        THREAD,
        &[
            ("output b: R -> \"b\"[0] max 4", "output b: R -> \"b\"[0] max 3"),
            (
                "%3: records<thread, R> = allocate thread 0[%0], %1",
                "%6: bool = eq %2, %1\n  %7: u32 = 3\n  %8: u32 = select %6, %7, %0\n  %3: records<thread, R> = allocate thread 0[%0], %8",
            ),
        ],
    );
    let mut module = read(&text);
    let report = fuse(&mut module, FusionMode::Safe, &[]);
    assert_eq!(report.edges[0].decision, Decision::Fused(Rule::FewRecords), "{text}");
    assert_eq!(report.edges[0].figures.map(|figures| figures.records), Some(3));
}
