//! Requests for records that all threads of a workgroup make together.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::read;
use wgc_ir::flow::GroupRequests;
use wgc_ir::{AllocScope, Module, NodeId, Op, OutputArray, RecordEnd, Stmt, walk};

/// Returns a graph whose node `a` has this launch and these statements. `%0` is 0, `%1` is 1, `%2` varies by thread and
/// `%3` is the record's number.
fn program(launch: &str, statements: &str) -> Module {
    let text = format!(
        r#"struct R size 4 align 4 {{ i: u32 @0 }}
node "a"[0] = @a {{
  launch {launch} entry
  input input: R max 1
  output b: R -> "b"[0] max 64
  output c: empty -> "c"[0] max 64
}}
node "b"[0] = @b {{
  launch thread threads 1 1 1
  input input: R max 1
}}
node "c"[0] = @b {{
  launch thread threads 1 1 1
  input input: empty max 1
}}
fn @a() -> void {{
  %0: u32 = 0
  %1: u32 = 1
  %2: u32 = builtin.group_index
  %20: ref<node_input, R> = input_record %0
  %21: ref<node_input, u32> = field %20, 0
  %3: u32 = load %21
  %4: bool = lt %2, %1
  %5: bool = lt %3, %1
{statements}
}}
fn @b() -> void {{
}}
"#
    );
    read(&text)
}

/// Returns for each request of `a`, in source order, whether its threads make it together.
fn together(module: &Module) -> Vec<bool> {
    let node = &module.graph.nodes[0];
    let function = &module.functions[&node.function];
    let requests = GroupRequests::of(node, function);
    let mut out = Vec::new();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::IncrementCount { scope: AllocScope::Thread, output, index, count } => {
            out.push(requests.has_increment(*output, *index, *count));
        }
        Stmt::Let(id) if matches!(function.value(*id).map(|v| &v.op), Some(Op::Allocate { .. })) => {
            out.push(requests.has_allocation(*id));
        }
        _ => {}
    });
    out
}

const ASK: &str = "%9: records<thread, R> = allocate thread 0[%0], %1\n  complete %9\n";
const COUNT: &str = "increment_count thread 1[%0], %1\n";
const GROUP: &str = "broadcasting threads 64 1 1 grid fixed 2 1 1";
const THREAD: &str = "thread threads 1 1 1";

fn inside(condition: &str, statements: &str) -> String {
    format!("if {condition} {{\n{statements}}}\n")
}

#[test]
fn groups_request_together_unless_threads_are_missing() {
    for (statements, expected) in [
        (format!("{ASK}{COUNT}"), vec![true, true]),
        // The branch depends on the record of the group.
        (inside("%5", ASK), vec![true]),
        (inside("%5", COUNT), vec![true]),
        (inside("%4", ASK), vec![false]),
        (inside("%4", COUNT), vec![false]),
        (format!("{}{ASK}", inside("%4", "return\n")), vec![false]),
        (format!("{}{ASK}", inside("%5", "return\n")), vec![true]),
        // Two increments with equal operands: one lacks threads.
        (format!("{}{COUNT}", inside("%4", COUNT)), vec![false, false]),
        // A request of the group has one thread anyway.
        (ASK.replace("thread", "group"), vec![false]),
    ] {
        assert_eq!(together(&program(GROUP, &statements)), expected, "{statements}");
    }
}

#[test]
fn thread_nodes_request_together_without_conditions() {
    for (statements, expected) in [
        (format!("{ASK}{COUNT}"), vec![true, true]),
        (inside("%5", ASK), vec![false]),
        (format!("{}{ASK}", inside("%5", "return\n")), vec![false]),
        (format!("{ASK}{}", inside("%5", "return\n")), vec![true]),
        (format!("{}{COUNT}", inside("%5", COUNT)), vec![false, false]),
        (format!("{ASK}loop {{\n{COUNT}break\n}} continuing {{\n}}\n"), vec![true, false]),
    ] {
        assert_eq!(together(&program(THREAD, &statements)), expected, "{statements}");
    }
}

#[test]
fn fused_nodes_request_together_without_conditions() {
    let mut module = program(GROUP, &format!("{}{COUNT}", inside("%5", ASK)));
    assert_eq!(together(&module), [true, true]);
    let node = NodeId { name: "a".into(), index: 0 };
    module.graph.nodes[0].ends = vec![RecordEnd { node, output: Some(0), target: None }];
    assert_eq!(together(&module), [false, true]);
}

#[test]
fn requests_for_arrays_of_outputs_have_several_targets() {
    for launch in [GROUP, THREAD] {
        let mut module = program(launch, &format!("{ASK}{COUNT}"));
        module.graph.nodes[0].outputs[0].array = OutputArray::Sized(2);
        assert_eq!(together(&module), [false, true], "{launch}");
        module.graph.nodes[0].outputs[1].array = OutputArray::Unbounded;
        let node = &module.graph.nodes[0];
        assert!(GroupRequests::of(node, &module.functions[&node.function]).is_empty(), "{launch}");
    }
}
