//! Tests of compute shader dispatches: the choice of a shader, the workgroups, and parts that do not fit the program.

use wgc_abi::interface::Interface;

use super::{idle, message, node, run};
use crate::run_file::RunFile;
use std::path::Path;

fn shaders(names: &[&str]) -> Interface {
    Interface { compute: names.iter().map(|name| (*name).to_owned()).collect(), ..Interface::default() }
}

fn dispatching(items: &str) -> String {
    format!("{{ \"dispatch\": [{items}] }}")
}

#[test]
fn groups_are_dispatched_in_order() {
    let mut graph = idle();
    let file = dispatching(
        r#"{ "groups": [2, 3], "entry": "a" }, { "groups": [7], "entry": "b", "repeat": 2 }, { "groups": [1, 0, 4], "entry": "a" }"#,
    );
    run(&file, &shaders(&["a", "b"]), &mut graph).unwrap();
    let expected = [("a", [2, 3, 1]), ("b", [7, 1, 1]), ("b", [7, 1, 1]), ("a", [1, 0, 4])];
    assert_eq!(graph.groups, expected.map(|(entry, groups)| (entry.to_owned(), groups)));
    assert!(graph.inputs.is_empty());
}

#[test]
fn a_single_shader_needs_no_name() {
    let mut graph = idle();
    run(&dispatching(r#"{ "groups": [5, 1, 1] }"#), &shaders(&["main"]), &mut graph).unwrap();
    assert_eq!(graph.groups, [("main".to_owned(), [5, 1, 1])]);
}

#[test]
fn mismatched_compute_dispatches_run_nothing() {
    let graph = Interface { nodes: vec![node("go", 0, true, None)], ..Interface::default() };
    let cases = [
        (r#"{ "groups": [1] }"#, shaders(&["a", "b"]), "choose a compute shader with \"entry\": a, b"),
        (
            r#"{ "groups": [1], "entry": "c" }"#,
            shaders(&["a", "b"]),
            "c is not a compute shader of the program; it has: a, b",
        ),
        (r#"{ "groups": [1] }"#, graph, "this program has no compute shader: a graph needs \"inputs\""),
        (r#"{ "inputs": [] }"#, shaders(&["a"]), "this program is not a graph: a compute shader needs \"groups\""),
    ];
    for (dispatch, interface, expected) in cases {
        let mut executor = idle();
        let error = message(run(&dispatching(dispatch), &interface, &mut executor).unwrap_err());
        assert!(error.contains(expected), "{error}");
        assert!(executor.groups.is_empty() && executor.inputs.is_empty());
    }
}

#[test]
fn wrong_dispatches_are_named() {
    let cases = [
        ("{}", "a dispatch needs \"inputs\" (a graph) or \"groups\" (a compute shader)"),
        (r#"{ "inputs": [], "groups": [1] }"#, "not both"),
        (r#"{ "inputs": [], "entry": "a" }"#, "\"entry\" names a compute shader"),
        (r#"{ "groups": [1], "mode": "cpu" }"#, "not for compute shaders"),
        (r#"{ "groups": [] }"#, "needs one to three counts"),
        (r#"{ "groups": [1, 1, 1, 1] }"#, "needs one to three counts"),
        (r#"{ "groups": [-1] }"#, "expected"),
        (r#"{ "groups": 4 }"#, "expected an array"),
    ];
    for (dispatch, expected) in cases {
        let error = RunFile::parse(dispatching(dispatch), Path::new("folder/test.run.json")).unwrap_err();
        assert!(message(&error).contains(expected), "{dispatch}: {error}");
    }
}
