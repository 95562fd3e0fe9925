//! Reduces a failing graph. It removes records, nodes and statements and resets settings while the graph still fails,
//! then writes it out.

use crate::evaluate::evaluate;
use crate::hlsl::spell;
use crate::limits;
use crate::model::{Graph, Stmt};
use crate::run::{Thoroughness, check};
use crate::settings::Choice;
use std::panic::catch_unwind;

/// Limit of attempts.
const TRIES: usize = 400;
const FUEL: u32 = 100_000;

/// Returns the test's report of a failure, and writes the graph to the test's folder.
pub fn report(seed: u64, graph: Graph, what: &str, how: Thoroughness) -> String {
    let (graph, what) = smallest(seed, graph, what.to_owned(), how);
    let what = simplest(seed, &graph, what, how);
    let text = spell(&graph);
    let expected = evaluate(&graph, FUEL).map(|outcome| format!("{outcome:x?}")).unwrap_or_default();
    let inputs = format!("{:x?}", graph.inputs);
    let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("graphgen-{seed}.hlsl"));
    let whole = format!("// seed {seed}: {what}\n// inputs {inputs}\n// expected {expected}\n{text}");
    let place = match std::fs::write(&file, &whole) {
        Ok(()) => format!("in {}", file.display()),
        Err(e) => format!("not written: {e}"),
    };
    format!("seed {seed}: {what}\n{place}\n{whole}")
}

fn smallest(seed: u64, mut graph: Graph, mut what: String, how: Thoroughness) -> (Graph, String) {
    let mut tries = 0;
    loop {
        let mut smaller = None;
        for candidate in candidates(&graph) {
            tries += 1;
            if tries > TRIES {
                return (graph, what);
            }
            // The rest may send to removed nodes, which the model reports as a mistake of `make`.
            let Ok(Ok(outcome)) = catch_unwind(|| evaluate(&candidate, FUEL)) else { continue };
            // Another error is a different failure.
            if let Err(found) = check(&candidate, &outcome, seed, how)
                && kind(&found) == kind(&what)
            {
                smaller = Some((candidate, found));
                break;
            }
        }
        match smaller {
            Some((candidate, found)) => (graph, what) = (candidate, found),
            None => return (graph, what),
        }
    }
}

/// Returns the error under the simplest settings: as many axes as possible have their first value.
fn simplest(seed: u64, graph: &Graph, mut what: String, how: Thoroughness) -> String {
    let Some((mut choice, on_vulkan)) = how.single_way(seed) else { return what };
    let Ok(outcome) = evaluate(graph, FUEL) else { return what };
    for simpler in 0..Choice::AXES {
        let candidate = choice.with_first(simpler);
        let how = Thoroughness::Setup { choice: candidate, on_vulkan };
        if let Err(found) = check(graph, &outcome, seed, how)
            && kind(&found) == kind(&what)
        {
            (choice, what) = (candidate, found);
        }
    }
    what
}

/// Returns the first letters of an error, without numbers.
fn kind(what: &str) -> String {
    what.chars().filter(|c| c.is_alphabetic()).take(12).collect()
}

/// Returns the graphs with one part less, large parts first.
fn candidates(graph: &Graph) -> Vec<Graph> {
    let mut out = Vec::new();
    for family in (0..graph.families.len()).rev() {
        out.extend(without_family(graph, family));
    }
    for input in 0..graph.inputs.len() {
        for record in 0..graph.inputs[input].records.len() {
            let mut less = graph.clone();
            less.inputs[input].records.remove(record);
            out.push(less);
        }
    }
    for node in 0..graph.nodes.len() {
        for stmt in (0..graph.nodes[node].body.len()).rev() {
            let mut less = graph.clone();
            let removed = less.nodes[node].body.remove(stmt);
            // The statements of a block may also work without it.
            if let Stmt::If(_, inner, _) | Stmt::For(_, _, inner) = removed
                && !format!("{inner:?}").contains("Counter")
            {
                let mut flat = less.clone();
                flat.nodes[node].body.splice(stmt..stmt, inner);
                out.push(flat);
            }
            out.push(less);
        }
    }
    out
}

/// Returns the graph without the nodes of a family, and without the edges to them. The nodes stay empty, so that
/// numbers do not change.
fn without_family(graph: &Graph, family: usize) -> Option<Graph> {
    let members = &graph.families[family].nodes;
    let shared = |n: &crate::model::Node| n.shares.is_some_and(|owner| members.contains(&owner));
    if graph.nodes.iter().any(shared) || graph.families.iter().filter(|f| !f.nodes.is_empty()).count() < 2 {
        return None;
    }
    let mut less = graph.clone();
    for node in &mut less.nodes {
        while let Some(output) = node.outputs.iter().position(|o| o.family == Some(family)) {
            drop_output(node, output);
        }
    }
    let first = *members.first()?;
    let gone = first..first + members.len();
    let renumbered =
        |n: usize| if n < gone.start { Some(n) } else { n.checked_sub(gone.len()).filter(|n| *n >= gone.start) };
    less.nodes.drain(gone.clone());
    less.inputs.retain(|input| !gone.contains(&input.node));
    less.inputs.iter_mut().for_each(|input| input.node = renumbered(input.node).unwrap_or_default());
    for node in &mut less.nodes {
        node.shares = node.shares.and_then(renumbered);
    }
    for (number, other) in less.families.iter_mut().enumerate() {
        match number == family {
            true => other.nodes.clear(),
            false => other.nodes = other.nodes.iter().filter_map(|n| renumbered(*n)).collect(),
        }
    }
    // A node without producers becomes an entry without records; nodes that accumulate must not.
    let targeted = limits::targeted(&less.nodes, &less.families);
    for (node, targeted) in less.nodes.iter_mut().zip(targeted) {
        let gathers = node.shape().is_some_and(|shape| less.structs[shape].tracked);
        if !targeted && gathers {
            return None;
        }
        node.entry |= !targeted && node.shares.is_none();
    }
    Some(less)
}

fn drop_output(node: &mut crate::model::Node, output: usize) {
    node.body.retain(|stmt| match stmt {
        Stmt::Emit(emit) => emit.output != output,
        Stmt::Increment(increment) => increment.output != output,
        _ => true,
    });
    let max = node.outputs[output].max;
    for other in &mut node.outputs {
        if other.shared_with == Some(output) {
            (other.shared_with, other.max) = (None, max);
        }
        other.shared_with = other.shared_with.map(|with| if with > output { with - 1 } else { with });
    }
    node.outputs.remove(output);
    for stmt in &mut node.body {
        let number = match stmt {
            Stmt::Emit(emit) => &mut emit.output,
            Stmt::Increment(increment) => &mut increment.output,
            Stmt::Finish { emit, .. } => {
                if emit.as_ref().is_some_and(|emit| emit.output == output) {
                    *emit = None;
                }
                match emit {
                    Some(emit) => &mut emit.output,
                    None => continue,
                }
            }
            _ => continue,
        };
        if *number > output {
            *number -= 1;
        }
    }
}
