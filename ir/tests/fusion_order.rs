//! Fusion keeps the order of nodes that use the same memory.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::fused_in;
use wgc_ir::passes::fusion::{Decision, FusionMode, Reason, Rule};

/// Nodes with one record and one output for each name, which store to the first resource and load from the second.
fn nodes(rows: &[(&str, &str, &[&str], &str, &str)]) -> String {
    let mut text = "struct R size 4 align 4 { n: u32 @0 }\n".to_owned();
    for (n, name) in ["x", "y", "z", "w"].iter().enumerate() {
        text += &format!("global @{name}: buffer<u32 stride 4> writable set 0 binding {n}\n");
    }
    for (name, launch, outputs, ..) in rows {
        text += &format!("node \"{name}\"[0] = @{name} {{\n  launch {launch}\n  input input: R max 1\n");
        outputs.iter().for_each(|to| text += &format!("  output {to}: R -> \"{to}\"[0] max 1\n"));
        text += "}\n";
    }
    for (name, _, outputs, store, load) in rows {
        text += &format!("fn @{name}() -> void {{\n  %0: u32 = 0\n  %1: u32 = 1\n");
        text +=
            &format!("  %2: ref<storage, [u32 stride 4]> = global @{store}\n  %3: ref<storage, u32> = index %2, %0\n");
        text +=
            &format!("  %4: ref<storage, [u32 stride 4]> = global @{load}\n  %5: ref<storage, u32> = index %4, %0\n");
        text += "  %6: u32 = load %5\n  store %3, %6\n";
        for (n, _) in outputs.iter().enumerate() {
            text += &format!("  %{}: records<thread, R> = allocate thread {n}[%0], %1\n  complete %{}\n", 7 + n, 7 + n);
        }
        text += "}\n";
    }
    text
}

const ENTRY: &str = "thread threads 1 1 1 entry";
const THREAD: &str = "thread threads 1 1 1";
const GROUP: &str = "coalescing threads 1 1 1";

/// The decisions without stages and with their order.
fn both(text: &str) -> [Vec<Decision>; 2] {
    [FusionMode::Full, FusionMode::Safe].map(|mode| fused_in(mode, text).1)
}

#[test]
fn guests_do_not_pass_nodes_that_use_the_same_memory() {
    let fused = Decision::Fused(Rule::OneRecord);
    let [group, order] = [Reason::NeedsGroup, Reason::MemoryOrder].map(Decision::Kept);
    // `d` runs in the stage of `b`, and `c` after it.
    let graph = |of_c: (&'static str, &'static str), of_d: (&'static str, &'static str)| {
        let a = ("a", ENTRY, &["b", "d"][..], "x", "w");
        let b = ("b", THREAD, &["c"][..], "w", "w");
        nodes(&[a, b, ("c", THREAD, &[], of_c.0, of_c.1), ("d", GROUP, &[], of_d.0, of_d.1)])
    };
    // Edges: a to b, a to d, b to c. `a` reads the memory that `b` writes.
    let kept = Decision::Kept(Reason::MemoryOrder);
    let expected = |c: Decision| [vec![kept, group, fused], vec![kept, group, c]];
    assert_eq!(both(&graph(("z", "y"), ("x", "x"))), expected(fused));
    assert_eq!(both(&graph(("z", "y"), ("y", "x"))), expected(order), "c reads what d writes");
    assert_eq!(both(&graph(("z", "y"), ("x", "z"))), expected(order), "c writes what d reads");
    assert_eq!(both(&graph(("z", "y"), ("z", "x"))), expected(order), "both write");
    assert_eq!(both(&graph(("z", "y"), ("x", "y"))), expected(fused), "both read");
}

#[test]
fn other_nodes_keep_their_order_too() {
    let fused = Decision::Fused(Rule::OneRecord);
    let [group, late] = [Reason::NeedsGroup, Reason::StageOrder].map(Decision::Kept);
    // `d` runs in the second stage and `c` in the third. With `b` in `a`, both would run in the second.
    let graph = |load: &'static str| {
        let a = ("a", ENTRY, &["b", "d"][..], "x", "w");
        let b = ("b", THREAD, &["c"][..], "z", "w");
        nodes(&[a, b, ("c", GROUP, &[], "z", load), ("d", GROUP, &[], "y", "w")])
    };
    assert_eq!(both(&graph("w")), [vec![fused, group, group], vec![fused, group, group]]);
    assert_eq!(both(&graph("y")), [vec![fused, group, group], vec![late, group, group]]);
}

#[test]
fn a_stage_that_stays_is_not_fused_away() {
    let fused = Decision::Fused(Rule::OneRecord);
    let [group, sources] = [Reason::NeedsGroup, Reason::OtherSources].map(Decision::Kept);
    let graph = |launch: &'static str, other: &'static [&'static str]| {
        let a = ("a", ENTRY, &["b", "d"][..], "x", "w");
        nodes(&[a, ("b", launch, &[], "y", "w"), ("d", GROUP, other, "z", "w")])
    };
    assert_eq!(both(&graph(THREAD, &[])), [vec![fused, group], vec![fused, group]]);
    assert_eq!(both(&graph(ENTRY, &[])), [vec![fused, group], vec![sources, group]]);
}
