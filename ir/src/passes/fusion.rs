//! Fusion of edges: the code of a consumer runs in the invocation of its producer, and the record stays in locals.
//!
//! A **carrier** is a node that runs others, a **guest** is a node that runs in a carrier. A guest that has another
//! source, or is an entry, also stays a node of its own.
//!
//! The work graphs specification promises no order between nodes. The guest runs at the end of the carrier, once for
//! each requested record, so each result of the fused graph is a result of the original one. [`rules`] lists the
//! rules and the reasons against fusion, [`facts`] decides by them, and [`build`] makes the fused function.
//!
//! Consumers are fused before their producers. So a chain becomes one node.

mod build;
mod facts;
mod memory;
mod rules;

pub use rules::{Reason, Rule};

use super::inline::{InlineError, for_each_call};
use crate::Symbol;
use crate::graph::{Graph, Node, NodeId, OutputArray};
use crate::module::Module;
use rustc_hash::FxHashSet;

/// The edges to fuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FusionMode {
    #[default]
    Off,
    /// Everything that the rules allow.
    Full,
}

/// The fate of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Fused(Rule),
    Kept(Reason),
}

/// An output and the node that it targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub producer: NodeId,
    /// The name of the output.
    pub output: Symbol,
    /// Element 0 of an array.
    pub consumer: NodeId,
    pub decision: Decision,
}

/// All edges of a graph, in the order of nodes and outputs, and the nodes that remain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub edges: Vec<Edge>,
    /// The indexes of the remaining nodes in the original graph.
    pub remaining: Vec<usize>,
}

impl Report {
    /// Returns all guests of a carrier, also those of its guests, in the order in which they run.
    pub fn guests<'a>(&'a self, carrier: &'a NodeId) -> Vec<&'a NodeId> {
        let (mut found, mut work) = (Vec::new(), vec![carrier]);
        while let Some(node) = work.pop() {
            let of_node = self.edges.iter().rev().filter(|edge| edge.producer == *node && edge.is_fused());
            work.extend(of_node.map(|edge| &edge.consumer));
            found.push(node);
        }
        found.split_off(1)
    }
}

impl Edge {
    pub fn is_fused(&self) -> bool {
        matches!(self.decision, Decision::Fused(_))
    }
}

/// Fuses the edges of a graph. Graph operations must be in the functions of the nodes, so this runs after
/// [`inline`](super::inline). The report lists each edge.
///
/// # Errors
/// A fused function is too large.
pub fn fuse(module: &mut Module, mode: FusionMode) -> Result<Report, InlineError> {
    let mut decided: Vec<Vec<Decision>> = vec![Vec::new(); module.graph.nodes.len()];
    let original = module.graph.clone();
    if mode == FusionMode::Off {
        return Ok(Report { edges: edges(&original, &decided), remaining: (0..original.nodes.len()).collect() });
    }
    for carrier in consumers_first(&original) {
        let node = &original.nodes[carrier];
        let facts = facts::Facts::of(module, carrier);
        let mut guests = Vec::new();
        for output in 0..node.outputs.len() {
            let guest = single_target(&original, &node.outputs[output]);
            let decision = match facts.decide(module, output, guest) {
                Ok((rule, slots)) => {
                    guests.extend(guest.map(|guest| build::GuestCall { output, guest, slots }));
                    Decision::Fused(rule)
                }
                Err(reason) => Decision::Kept(reason),
            };
            decided[carrier].push(decision);
        }
        if !guests.is_empty() {
            build::fuse(module, carrier, facts.body, &guests)?;
        }
    }
    let remaining = remaining(&original, &module.graph, &decided);
    let mut index = 0..;
    module.graph.nodes.retain(|_| index.next().is_some_and(|index: usize| remaining.contains(&index)));
    drop_unreachable(module);
    let edges = edges(&original, &decided);
    Ok(Report { edges, remaining: (0..original.nodes.len()).filter(|index| remaining.contains(index)).collect() })
}

/// Removes the functions that no node or entry point reaches any more.
fn drop_unreachable(module: &mut Module) {
    let mut work: Vec<Symbol> = module.roots().cloned().collect();
    let mut reached = FxHashSet::default();
    while let Some(name) = work.pop() {
        if let Some(function) = module.functions.get(&name).filter(|_| reached.insert(name.clone())) {
            for_each_call(function, &mut |callee| work.push(callee.clone()));
        }
    }
    module.functions.retain(|name, _| reached.contains(name));
}

fn edges(graph: &Graph, decided: &[Vec<Decision>]) -> Vec<Edge> {
    let mut all = Vec::new();
    for (node, decided) in graph.nodes.iter().zip(decided) {
        for (number, output) in node.outputs.iter().enumerate() {
            let decision = decided.get(number).copied().unwrap_or(Decision::Kept(Reason::Off));
            let (producer, consumer) = (node.id.clone(), output.target.clone());
            all.push(Edge { producer, output: output.name.clone(), consumer, decision });
        }
    }
    all
}

/// Returns the index of the node that an output targets, if it is no array.
fn single_target(graph: &Graph, output: &crate::graph::Output) -> Option<usize> {
    if output.array == OutputArray::Single { graph.find(&output.target) } else { None }
}

/// Returns the nodes in an order with the targets of a node before it, except for cycles.
fn consumers_first(graph: &Graph) -> Vec<usize> {
    let targets: Vec<Vec<usize>> = graph.nodes.iter().map(|node| targets(graph, node)).collect();
    let (mut order, mut seen) = (Vec::new(), vec![false; targets.len()]);
    for root in 0..targets.len() {
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.last_mut() {
            if *next == 0 && std::mem::replace(&mut seen[*node], true) {
                stack.pop();
                continue;
            }
            match targets[*node].get(*next) {
                Some(&target) => {
                    *next += 1;
                    stack.push((target, 0));
                }
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Returns the nodes that the outputs of a node target, all elements of arrays included.
fn targets(graph: &Graph, node: &Node) -> Vec<usize> {
    let targets = |output: &crate::graph::Output, other: &NodeId| {
        let from = output.target.index;
        let is_element = match output.array {
            OutputArray::Single => other.index == from,
            OutputArray::Sized(length) => (from..from.saturating_add(length)).contains(&other.index),
            OutputArray::Unbounded => other.index >= from,
        };
        other.name == output.target.name && is_element
    };
    let is_target = |index: &usize| {
        let other = &graph.nodes[*index];
        // A node that shares an input receives the records of its owner.
        let owner = other.share_input_of.as_ref().unwrap_or(&other.id);
        node.outputs.iter().any(|output| targets(output, owner))
    };
    (0..graph.nodes.len()).filter(is_target).collect()
}

/// Returns the nodes that are not guests only: entries, the targets of remaining edges, and nodes that no edge targeted
/// from the beginning.
fn remaining(original: &Graph, fused: &Graph, decided: &[Vec<Decision>]) -> FxHashSet<usize> {
    let is_guest = |index: usize| {
        let id = &original.nodes[index].id;
        let of_node = original.nodes.iter().zip(decided);
        let mut outputs = of_node.flat_map(|(node, decided)| node.outputs.iter().zip(decided));
        outputs.any(|(output, decision)| matches!(decision, Decision::Fused(_)) && output.target == *id)
    };
    let mut work: Vec<usize> =
        (0..original.nodes.len()).filter(|index| original.nodes[*index].entry || !is_guest(*index)).collect();
    let mut found = FxHashSet::default();
    while let Some(index) = work.pop() {
        if found.insert(index) {
            work.extend(targets(fused, &fused.nodes[index]));
        }
    }
    found
}
