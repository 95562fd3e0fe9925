//! The order that stages give a program, for [`FusionMode::Safe`].
//!
//! The specification promises no order between nodes, but stages make one: a node starts after all nodes of earlier
//! stages have ended. Programs depend on it without notice. So a guest moves to an earlier stage only past nodes with
//! which it shares no memory that one of them writes.
//!
//! [`FusionMode::Safe`]: super::FusionMode::Safe

use super::memory::{Access, Touched};
use super::{targets, targets_of};
use crate::Symbol;
use crate::graph::Graph;
use crate::module::Module;
use indexmap::IndexMap;
use std::ops::Range;

/// The stages of each node: one, and one more for each level of recursion.
pub(super) struct Stages(Vec<Range<u32>>);

impl Stages {
    /// Returns the stages of a graph. `order` has the targets of a node before it.
    pub fn of(graph: &Graph, order: &[usize]) -> Stages {
        let mut first = vec![0; graph.nodes.len()];
        let after = |first: &[u32], node: usize| first[node] + graph.nodes[node].max_recursion + 1;
        for node in order.iter().rev() {
            let next = after(&first, *node);
            for target in targets(graph, &graph.nodes[*node]).into_iter().filter(|target| target != node) {
                first[target] = first[target].max(next);
            }
        }
        Stages((0..first.len()).map(|node| first[node]..after(&first, node)).collect())
    }

    pub fn of_node(&self, node: usize) -> Range<u32> {
        self.0[node].clone()
    }
}

/// The accesses to each memory that more than one thread may see.
pub(super) struct Accesses {
    of_node: Vec<Vec<(Option<Symbol>, Access)>>,
    of_memory: IndexMap<Option<Symbol>, Vec<(usize, Access)>>,
}

impl Accesses {
    pub fn of(module: &Module) -> Accesses {
        let mut accesses = Accesses { of_node: Vec::new(), of_memory: IndexMap::new() };
        for (number, node) in module.graph.nodes.iter().enumerate() {
            let function = module.functions.get(&node.function);
            let touched = function.map(|function| Touched::of(module, function)).unwrap_or_default();
            let mut all: Vec<(Option<Symbol>, Access)> = touched.accesses().collect();
            all.sort_unstable();
            for (memory, access) in &all {
                accesses.of_memory.entry(memory.clone()).or_default().push((number, *access));
            }
            accesses.of_node.push(all);
        }
        accesses
    }

    /// Returns whether the order of a node and of any node in these stages matters.
    pub fn conflict(&self, node: usize, stages: &Stages, within: &Range<u32>) -> bool {
        let conflicts = |access: Access, others: &[(usize, Access)]| {
            let meets = |other: usize| {
                let other = stages.of_node(other);
                other.start < within.end && within.start < other.end
            };
            others.iter().any(|(other, of_other)| access.conflicts(*of_other) && meets(*other))
        };
        self.of_node[node].iter().any(|(memory, access)| match memory {
            Some(_) => {
                let named = self.of_memory.get(memory).is_some_and(|others| conflicts(*access, others));
                named || self.of_memory.get(&None).is_some_and(|others| conflicts(*access, others))
            }
            None => self.of_memory.values().any(|others| conflicts(*access, others)),
        })
    }

    /// Returns the first node, in any order, that no longer starts after all nodes that it depends on. `carriers` has
    /// the nodes that run the code of each node, and `now` the stages of these.
    pub fn overtaking(&self, before: &Stages, now: &Stages, carriers: &[Vec<usize>]) -> Option<usize> {
        let unnamed = self.of_memory.get(&None).map_or(&[][..], Vec::as_slice);
        self.of_memory.values().find_map(|accesses| {
            let mut all: Vec<(usize, Access)> = accesses.iter().chain(unnamed).copied().collect();
            all.sort_by_key(|(node, _)| before.of_node(*node).start);
            let mut ended = all.clone();
            ended.sort_by_key(|(node, _)| before.of_node(*node).end);
            let mut ended = ended.into_iter().peekable();
            // The end of the last stage so far, by kind of access.
            let mut last = [0; Access::ALL.len()];
            all.into_iter().find_map(|(node, access)| {
                while let Some((other, of_other)) =
                    ended.next_if(|(other, _)| before.of_node(*other).end <= before.of_node(node).start)
                {
                    let end = carriers[other].iter().map(|carrier| now.of_node(*carrier).end).max();
                    let last = &mut last[of_other as usize];
                    *last = (*last).max(end.unwrap_or(0));
                }
                let starts = || carriers[node].iter().copied().map(|carrier| (now.of_node(carrier).start, carrier));
                Access::ALL.iter().filter(|of_other| access.conflicts(**of_other)).find_map(|of_other| {
                    starts().find(|(start, _)| *start < last[*of_other as usize]).map(|(_, carrier)| carrier)
                })
            })
        })
    }
}

/// Returns whether a node reaches another one, or is it.
pub(super) fn reaches(graph: &Graph, from: usize, to: usize) -> bool {
    let (mut seen, mut work) = (vec![false; graph.nodes.len()], vec![from]);
    while let Some(node) = work.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            work.extend(graph.nodes[node].outputs.iter().flat_map(|output| targets_of(graph, output)));
        }
    }
    false
}
