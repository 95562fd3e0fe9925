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
mod choice;
mod elements;
mod facts;
mod groups;
mod mailbox;
mod memory;
mod order;
mod recursion;
mod rewriter;
mod rules;
mod statics;

pub use choice::EdgeChoice;
pub use facts::Figures;
pub use rules::{Reason, Rule};

use choice::chosen;
use facts::Facts;
use order::{Accesses, Stages, reaches};
use rules::Limits;

use super::inline::for_each_call;
use crate::Symbol;
use crate::graph::{Graph, Node, NodeId, Output, OutputArray};
use crate::module::Module;
use indexmap::IndexSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The edges to fuse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum FusionMode {
    #[default]
    Off,
    /// Edges that no program notices, not even one that depends on the order of stages, and that cost little.
    Safe,
    /// Everything that the rules allow.
    Full,
}

/// The fate of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Fused(Rule),
    Kept(Reason),
}

/// An output and the nodes that it targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    pub producer: NodeId,
    /// The name of the output.
    pub output: Symbol,
    /// For an array, each element.
    pub consumers: Vec<NodeId>,
    pub decision: Decision,
    /// The most records of a thread, and the operations of the consumer, if the edge is fused.
    pub figures: Option<Figures>,
}

/// All edges of a graph, in the order of nodes and outputs, and the nodes that remain.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub edges: Vec<Edge>,
    /// The indexes of the remaining nodes in the original graph.
    pub remaining: Vec<usize>,
}

impl Report {
    /// Returns all guests of a carrier, also those of its guests, in the order in which they first run. A loop over its
    /// levels makes a node its own guest.
    pub fn guests<'a>(&'a self, carrier: &'a NodeId) -> Vec<&'a NodeId> {
        let of_node = |node: &NodeId| {
            let edges = self.edges.iter().rev().filter(|edge| edge.producer == *node && edge.is_fused());
            edges.flat_map(|edge| edge.consumers.iter().rev()).collect::<Vec<_>>()
        };
        let (mut found, mut work) = (IndexSet::new(), of_node(carrier));
        while let Some(node) = work.pop() {
            if found.insert(node) && node != carrier {
                work.extend(of_node(node));
            }
        }
        found.into_iter().collect()
    }
}

impl Edge {
    /// Returns the reason why the edge is kept although the author chose to fuse it.
    pub fn refused(&self, choices: &[EdgeChoice]) -> Option<Reason> {
        match self.decision {
            Decision::Kept(reason) if chosen(choices, &self.producer, &self.output) == Some(true) => Some(reason),
            _ => None,
        }
    }

    pub fn is_fused(&self) -> bool {
        matches!(self.decision, Decision::Fused(_))
    }
}

/// Fuses the edges of a graph. Graph operations must be in the functions of the nodes, so this runs after
/// [`inline`](super::inline). The report lists each edge. Edges of a fused function that would be too large are kept.
///
/// `choices` have priority over `mode`. Where an edge cannot be fused as chosen, the report has the reason.
pub fn fuse(module: &mut Module, mode: FusionMode, choices: &[EdgeChoice]) -> Report {
    let original = module.graph.clone();
    if mode == FusionMode::Off && !choices.iter().any(|choice| choice.fuse) {
        let decided = vec![Vec::new(); original.nodes.len()];
        return Report { edges: edges(&original, &decided), remaining: (0..original.nodes.len()).collect() };
    }
    let written = statics::written(module);
    let attempt = match mode {
        FusionMode::Safe => safe(module, choices, &written),
        _ => Attempt::new(module, choices, &written).run(mode, None, &Banned::default()),
    };
    let (remaining, edges) = (attempt.remaining(), edges(&original, &attempt.decided));
    *module = attempt.module;
    module.graph = kept(&module.graph, &remaining);
    drop_unreachable(module);
    Report { edges, remaining }
}

/// Edges that are kept, by node and output.
type Banned = FxHashMap<(usize, usize), Reason>;

/// Fuses edges that no program notices. If the whole graph rules out an edge, all starts again without it.
fn safe<'a>(module: &'a Module, choices: &'a [EdgeChoice], written: &'a FxHashSet<Symbol>) -> Attempt<'a> {
    let graph = &module.graph;
    let stages = Stages::of(graph, &consumers_first(graph));
    let accesses = Accesses::of(module);
    let mut banned = Banned::default();
    loop {
        let order = Some((&stages, &accesses));
        let attempt = Attempt::new(module, choices, written).run(FusionMode::Safe, order, &banned);
        let remaining = attempt.remaining();
        // The author's choices stay.
        let fused = || attempt.fused().filter(|(node, output)| attempt.chosen(*node, *output).is_none());
        let has_other_sources = |(node, output): &(usize, usize)| {
            let targets = targets_of(graph, &graph.nodes[*node].outputs[*output]);
            targets.iter().any(|target| target != node && remaining.binary_search(target).is_ok())
        };
        let before = banned.len();
        banned.extend(fused().filter(has_other_sources).map(|edge| (edge, Reason::OtherSources)));
        if banned.len() == before {
            let Some(late) = attempt.overtaking(&stages, &accesses, &remaining) else { return attempt };
            let leads = |(node, _): &(usize, usize)| reaches(&attempt.module.graph, *node, late);
            banned.extend(fused().filter(leads).map(|edge| (edge, Reason::StageOrder)));
            if banned.len() == before {
                banned.extend(fused().map(|edge| (edge, Reason::StageOrder)));
            }
            if banned.len() == before {
                return attempt;
            }
        }
    }
}

/// A module whose edges are being fused.
struct Attempt<'a> {
    original: &'a Graph,
    choices: &'a [EdgeChoice],
    /// The static variables that some function of the original changes.
    written: &'a FxHashSet<Symbol>,
    module: Module,
    decided: Vec<Vec<Decided>>,
    /// By node, the nodes whose code it runs, itself first.
    runs: Vec<Vec<usize>>,
}

impl<'a> Attempt<'a> {
    fn new(module: &'a Module, choices: &'a [EdgeChoice], written: &'a FxHashSet<Symbol>) -> Attempt<'a> {
        let count = module.graph.nodes.len();
        let runs = (0..count).map(|node| vec![node]).collect();
        let decided = vec![Vec::new(); count];
        Attempt { original: &module.graph, choices, written, module: module.clone(), decided, runs }
    }

    /// Returns the author's choice for an output.
    fn chosen(&self, node: usize, output: usize) -> Option<bool> {
        let node = &self.original.nodes[node];
        chosen(self.choices, &node.id, &node.outputs[output].name)
    }

    /// Fuses consumers before their producers. With `order`, stages keep their order.
    fn run(mut self, mode: FusionMode, order: Option<(&Stages, &Accesses)>, banned: &Banned) -> Attempt<'a> {
        let original = self.original;
        let numbers: FxHashMap<&NodeId, usize> = original.nodes.iter().map(|node| &node.id).zip(0..).collect();
        let (limits, full) = (Limits::of(mode), Limits::of(FusionMode::Full));
        // The facts about guests depend on the limits.
        let (seen, seen_in_full) = (facts::Guests::default(), facts::Guests::default());
        for carrier in consumers_first(original) {
            let node = &original.nodes[carrier];
            let facts = Facts::of(&self.module, carrier, &limits, &seen, self.written);
            let has_choice = (0..node.outputs.len()).any(|output| self.chosen(carrier, output) == Some(true));
            let by_choice = has_choice.then(|| Facts::of(&self.module, carrier, &full, &seen_in_full, self.written));
            let (mut guests, mut moved) = (Vec::new(), Vec::new());
            for output in 0..node.outputs.len() {
                let consumers = consumers(&numbers, &node.outputs[output]);
                let decision = match (self.chosen(carrier, output), &by_choice, banned.get(&(carrier, output))) {
                    (Some(true), Some(facts), _) => facts.decide(&self.module, output, &consumers),
                    (Some(_), ..) => Err(Reason::Chosen),
                    _ if mode == FusionMode::Off => Err(Reason::Off),
                    (None, _, Some(reason)) => Err(*reason),
                    (None, _, None) => facts.decide(&self.module, output, &consumers).and_then(|fusable| {
                        self.keeps_order(carrier, consumers.iter().flatten(), order).map(|()| fusable)
                    }),
                };
                self.decided[carrier].push(match decision {
                    Ok(fusable) => {
                        let figures = Figures::of(&self.module, &fusable);
                        let decided = Decided { decision: Decision::Fused(fusable.rule), figures: Some(figures) };
                        guests.push(build::GuestCall { output, fusable });
                        moved.extend(consumers.iter().flatten().flat_map(|guest| self.runs[*guest].iter().copied()));
                        decided
                    }
                    Err(reason) => Decided::kept(reason),
                });
            }
            match guests.is_empty() || build::fuse(&mut self.module, carrier, facts.body, &guests).is_ok() {
                true => self.runs[carrier].extend(moved),
                false => {
                    for call in &guests {
                        self.decided[carrier][call.output] = Decided::kept(Reason::CodeSize);
                    }
                }
            }
            self.fuse_levels(carrier, mode, order, banned);
            seen.forget(carrier);
            seen_in_full.forget(carrier);
        }
        self
    }

    /// Makes a loop of a node that targets itself.
    fn fuse_levels(&mut self, node: usize, mode: FusionMode, order: Option<(&Stages, &Accesses)>, banned: &Banned) {
        let own = &self.original.nodes[node];
        let Some(output) = own.outputs.iter().position(|output| output.target == own.id) else { return };
        let decision = match (self.chosen(node, output), banned.get(&(node, output))) {
            (Some(true), _) => recursion::fuse(&mut self.module, node, &Limits::of(FusionMode::Full), self.written),
            (Some(false), _) => Err(Reason::Chosen),
            (None, _) if mode == FusionMode::Off => Err(Reason::Off),
            (None, Some(reason)) => Err(*reason),
            (None, None) => self
                .levels_keep_order(node, order)
                .and_then(|()| recursion::fuse(&mut self.module, node, &Limits::of(mode), self.written)),
        };
        self.decided[node][output] = match decision {
            Ok(figures) => Decided { decision: Decision::Fused(Rule::Loop), figures: Some(figures) },
            Err(reason) => Decided::kept(reason),
        };
    }

    /// Checks that the code of guests may run in the stage of a carrier.
    fn keeps_order<'g>(
        &self,
        carrier: usize,
        guests: impl Iterator<Item = &'g usize>,
        order: Option<(&Stages, &Accesses)>,
    ) -> Result<(), Reason> {
        let Some((stages, accesses)) = order else { return Ok(()) };
        let mut moved = guests.flat_map(|guest| &self.runs[*guest]);
        let conflicts = |node: &usize| {
            let passed = stages.of_node(carrier).start..stages.of_node(*node).start;
            accesses.conflict(*node, stages, &passed)
        };
        if moved.any(conflicts) { Err(Reason::MemoryOrder) } else { Ok(()) }
    }

    /// Checks that the code of all levels of a node may run in its first stage.
    fn levels_keep_order(&self, node: usize, order: Option<(&Stages, &Accesses)>) -> Result<(), Reason> {
        let Some((stages, accesses)) = order else { return Ok(()) };
        let levels = self.original.nodes[node].max_recursion;
        let conflicts = |guest: &usize| {
            let passed = stages.of_node(node).start..stages.of_node(*guest).end + levels;
            accesses.conflict(*guest, stages, &passed)
        };
        if self.runs[node].iter().any(conflicts) { Err(Reason::MemoryOrder) } else { Ok(()) }
    }

    /// Iterates over the fused edges, as nodes and outputs.
    fn fused(&self) -> impl Iterator<Item = (usize, usize)> {
        let of_node = |(node, decided): (usize, &'_ Vec<Decided>)| {
            let is_fused = |output: &usize| matches!(decided[*output].decision, Decision::Fused(_));
            (0..decided.len()).filter(is_fused).map(move |output| (node, output)).collect::<Vec<_>>()
        };
        self.decided.iter().enumerate().flat_map(of_node)
    }

    /// Returns the nodes that are not guests only, in order: entries, the targets of remaining edges, and nodes that no
    /// edge targeted from the beginning.
    fn remaining(&self) -> Vec<usize> {
        let outputs = self.fused().flat_map(|(node, output)| {
            let targets = targets_of(self.original, &self.original.nodes[node].outputs[output]);
            targets.into_iter().filter(move |target| *target != node)
        });
        let guests: FxHashSet<usize> = outputs.collect();
        let nodes = &self.original.nodes;
        let is_root = |index: &usize| nodes[*index].entry || !guests.contains(index);
        let mut work: Vec<usize> = (0..nodes.len()).filter(is_root).collect();
        let mut found = BTreeSet::new();
        while let Some(index) = work.pop() {
            if found.insert(index) {
                work.extend(targets(&self.module.graph, &self.module.graph.nodes[index]));
            }
        }
        found.into_iter().collect()
    }

    /// Returns a node that would start before another one on which it depends.
    fn overtaking(&self, before: &Stages, accesses: &Accesses, remaining: &[usize]) -> Option<usize> {
        let graph = kept(&self.module.graph, remaining);
        let now = Stages::of(&graph, &consumers_first(&graph));
        let mut carriers = vec![Vec::new(); self.runs.len()];
        for (carrier, node) in remaining.iter().enumerate() {
            self.runs[*node].iter().for_each(|guest| carriers[*guest].push(carrier));
        }
        accesses.overtaking(before, &now, &carriers).map(|carrier| remaining[carrier])
    }
}

/// Returns the graph of some nodes.
fn kept(graph: &Graph, nodes: &[usize]) -> Graph {
    Graph { nodes: nodes.iter().map(|node| graph.nodes[*node].clone()).collect() }
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

/// The decision for an edge.
#[derive(Clone, Copy)]
struct Decided {
    decision: Decision,
    figures: Option<Figures>,
}

impl Decided {
    fn kept(reason: Reason) -> Self {
        Self { decision: Decision::Kept(reason), figures: None }
    }
}

fn edges(graph: &Graph, decided: &[Vec<Decided>]) -> Vec<Edge> {
    let mut all = Vec::new();
    for (node, decided) in graph.nodes.iter().zip(decided) {
        for (number, output) in node.outputs.iter().enumerate() {
            let Decided { decision, figures } = decided.get(number).copied().unwrap_or(Decided::kept(Reason::Off));
            let elements = targets_of(graph, output);
            let consumers = elements.into_iter().map(|element| graph.nodes[element].id.clone()).collect();
            all.push(Edge { producer: node.id.clone(), output: output.name.clone(), consumers, decision, figures });
        }
    }
    all
}

/// Returns the node for each element of an output of known size. If one is missing, the others may be left out.
fn consumers(numbers: &FxHashMap<&NodeId, usize>, output: &Output) -> Vec<Option<usize>> {
    let length = match output.array {
        OutputArray::Single => 1,
        OutputArray::Sized(length) => length,
        OutputArray::Unbounded => 0,
    };
    let mut found = Vec::new();
    for element in 0..length {
        let id = output.target.index.checked_add(element).map(|index| NodeId { index, ..output.target.clone() });
        let number = id.and_then(|id| numbers.get(&id).copied());
        found.push(number);
        if number.is_none() {
            break;
        }
    }
    found
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
    let is_target = |index: &usize| node.outputs.iter().any(|output| is_target(output, &graph.nodes[*index]));
    (0..graph.nodes.len()).filter(is_target).collect()
}

/// Returns the nodes that an output targets, in the order of the graph.
fn targets_of(graph: &Graph, output: &Output) -> Vec<usize> {
    (0..graph.nodes.len()).filter(|index| is_target(output, &graph.nodes[*index])).collect()
}

fn is_target(output: &Output, node: &Node) -> bool {
    // A node that shares an input receives the records of its owner.
    let other = node.input_owner();
    let from = output.target.index;
    let is_element = match output.array {
        OutputArray::Single => other.index == from,
        OutputArray::Sized(length) => (from..from.saturating_add(length)).contains(&other.index),
        OutputArray::Unbounded => other.index >= from,
    };
    other.name == output.target.name && is_element
}
