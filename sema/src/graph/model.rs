//! The input of the graph checks: the contracts of nodes after the host's decisions, and indexes over them.
//!
//! Every index is linear in nodes and outputs. In particular there is no list of edges: an output reaches a range of
//! the nodes sorted by name and index. A hundred producers for an array of a thousand nodes are a hundred ranges, not a
//! hundred thousand edges.

use crate::contracts::node::reaches;
use crate::contracts::node::{NodeDecl, OutputDecl};
use crate::db::def::{At, FnId, HostPlace};
use crate::db::{Db, Program};
use crate::graph::host::overrides;
use crate::graph::node_functions;
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;
use wgc_ir::{NodeId, OutputArray, Symbol};

pub struct Model<'db> {
    /// In source order.
    pub nodes: Vec<&'db NodeDecl<'db>>,
    /// Nodes of a library with the identity of one in `nodes`: overloads of one name, of which the first counts.
    pub repeated: Vec<&'db NodeDecl<'db>>,
    /// Nodes by name: an array's nodes have the same level, so an array is one vertex for cycles and depth.
    pub arrays: Vec<Array>,
    /// The array of each node.
    pub array_of: Vec<usize>,
    /// For each node, the nodes that share its input.
    pub sharers: Vec<Vec<usize>>,
    pub entries: Vec<bool>,
    /// The declaration that makes each node an entry; `None` if it is one because no other node targets it.
    pub entry_places: Vec<Option<At<'db>>>,
    /// The host's list of entries, if any.
    pub list: Option<Vec<(NodeId, Option<At<'db>>)>>,
    /// Nodes that the host declares not to be entries.
    pub denied: &'db FxHashMap<FnId<'db>, HostPlace>,
    /// Nodes by name, then index; the first of duplicates.
    order: Vec<usize>,
    by_name: FxHashMap<Symbol, usize>,
    /// The range of `order` that each output of each node reaches.
    targets: Vec<Vec<Range<usize>>>,
    /// For each array, the outputs that reach part of it, in source order.
    incoming: Vec<Vec<OutputRef>>,
    /// Nodes that an output of another node reaches.
    fed: Vec<bool>,
    copies: RangeMax,
}

/// The nodes of one name.
pub struct Array {
    pub name: Symbol,
    members: Range<usize>,
}

/// An output, by the numbers of its node and of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputRef {
    pub node: usize,
    pub output: usize,
}

impl<'db> Model<'db> {
    pub fn new(db: &'db dyn Db, program: Program) -> Model<'db> {
        let applied = overrides::applied(db, program);
        let decls = node_functions(db, program).iter().filter_map(|f| overrides::contract(db, program, *f));
        let mut nodes: Vec<&NodeDecl> = decls.collect();
        let mut repeated = Vec::new();
        if program.options(db).library {
            let mut known = FxHashSet::default();
            (nodes, repeated) = nodes.into_iter().partition(|node| known.insert(&node.id));
        }
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        let key = |n: &usize| (&nodes[*n].id.name, nodes[*n].id.index);
        order.sort_by(|a, b| key(a).cmp(&key(b)));
        order.dedup_by(|b, a| key(a) == key(b));
        let mut arrays: Vec<Array> = Vec::new();
        let mut by_name = FxHashMap::default();
        for (at, n) in order.iter().enumerate() {
            let name = &nodes[*n].id.name;
            match arrays.last_mut().filter(|array| array.name == *name) {
                Some(array) => array.members.end = at + 1,
                None => {
                    by_name.insert(name.clone(), arrays.len());
                    arrays.push(Array { name: name.clone(), members: at..at + 1 });
                }
            }
        }
        let mut model = Model {
            array_of: nodes.iter().map(|n| by_name[&n.id.name]).collect(),
            sharers: vec![Vec::new(); nodes.len()],
            entries: vec![false; nodes.len()],
            entry_places: vec![None; nodes.len()],
            list: overrides::entries(db, program),
            denied: &applied.denied,
            targets: Vec::with_capacity(nodes.len()),
            incoming: vec![Vec::new(); arrays.len()],
            fed: vec![false; nodes.len()],
            copies: RangeMax::default(),
            nodes,
            repeated,
            arrays,
            order,
            by_name,
        };
        model.connect();
        model.share();
        model.resolve_entries(overrides::includes_all(db, program));
        model
    }

    /// Connects outputs with the nodes that they reach.
    fn connect(&mut self) {
        // Indexed by position in the order: the number of outputs that begin or end there.
        let mut change = vec![0i64; self.order.len() + 1];
        for (n, node) in self.nodes.iter().enumerate() {
            let ranges: Vec<Range<usize>> = node.outputs.iter().map(|output| self.reached(output)).collect();
            for (output, range) in ranges.iter().enumerate().filter(|(_, range)| !range.is_empty()) {
                change[range.start] += 1;
                change[range.end] -= 1;
                let array = self.array_of[self.order[range.start]];
                self.incoming[array].push(OutputRef { node: n, output });
            }
            self.targets.push(ranges);
        }
        let mut reaching = 0;
        for (at, n) in self.order.iter().enumerate() {
            reaching += change[at];
            let own = self.targets[*n].iter().filter(|range| range.contains(&at)).count() as i64;
            self.fed[*n] = reaching > own;
        }
    }

    fn reached(&self, output: &OutputDecl) -> Range<usize> {
        let Some(array) = self.by_name.get(&output.target.name).filter(|_| !output.target_is_unknown) else {
            return 0..0;
        };
        let members = self.arrays[*array].members.clone();
        let first = output.target.index;
        let last = match output.array {
            OutputArray::Single => first,
            OutputArray::Sized(n) => first.saturating_add(n - n.min(1)),
            OutputArray::Unbounded => u32::MAX,
        };
        let index = |n: &usize| self.nodes[*n].id.index;
        let part = &self.order[members.clone()];
        let lo = part.partition_point(|n| index(n) < first);
        let hi = part.partition_point(|n| index(n) <= last);
        members.start + lo..members.start + hi
    }

    fn share(&mut self) {
        for n in 0..self.nodes.len() {
            if let Some(owner) = self.owner_of_input(n)
                && owner != n
            {
                self.sharers[owner].push(n);
            }
        }
        if self.sharers.iter().any(|s| !s.is_empty()) {
            self.copies = RangeMax::new(self.order.iter().map(|n| self.sharers[*n].len() as u32).collect());
        }
    }

    /// Determines the entries: marked nodes, and nodes that no other node targets and that share no input. A host's
    /// list replaces that set, except for nodes that the host itself marks, unless it includes all.
    fn resolve_entries(&mut self, include_all: bool) {
        let list: Option<FxHashMap<&NodeId, Option<At>>> =
            self.list.as_ref().map(|list| list.iter().rev().map(|(id, at)| (id, *at)).collect());
        for (n, node) in self.nodes.iter().enumerate() {
            let marked = node.is_entry.filter(|at| list.is_none() || include_all || matches!(at, At::Host(_)));
            let listed = list.as_ref().and_then(|list| list.get(&node.id));
            let is_root = !self.fed[n] && node.share_input_of.is_none() && !self.denied.contains_key(&node.function);
            self.entries[n] = marked.is_some() || listed.is_some() || is_root && (list.is_none() || include_all);
            self.entry_places[n] = marked.or(listed.copied().flatten());
        }
    }

    pub fn find(&self, id: &NodeId) -> Option<usize> {
        let members = &self.order[self.arrays[*self.by_name.get(&id.name)?].members.clone()];
        let at = members.binary_search_by_key(&id.index, |n| self.nodes[*n].id.index).ok()?;
        Some(members[at])
    }

    pub fn array(&self, name: &str) -> Option<&Array> {
        self.by_name.get(name).map(|array| &self.arrays[*array])
    }

    /// Returns the nodes of an array by ascending index.
    pub fn members(&self, array: &Array) -> &[usize] {
        &self.order[array.members.clone()]
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arrays.iter().map(|array| array.name.as_str())
    }

    /// Returns the node named by `NodeShareInputOf`.
    pub fn owner_of_input(&self, node: usize) -> Option<usize> {
        self.find(&self.nodes[node].share_input_of.as_ref()?.owner)
    }

    /// Iterates over all outputs, as the numbers of node and output.
    pub fn outputs(&self) -> impl Iterator<Item = (usize, usize)> {
        self.nodes.iter().enumerate().flat_map(|(n, node)| (0..node.outputs.len()).map(move |o| (n, o)))
    }

    /// Returns the nodes that an output reaches, by ascending index.
    pub fn targets(&self, node: usize, output: usize) -> &[usize] {
        &self.order[self.targets[node][output].clone()]
    }

    /// Returns whether another node targets this one.
    pub fn is_fed(&self, node: usize) -> bool {
        self.fed[node]
    }

    /// Returns the outputs of other nodes that reach a node.
    pub fn feeders(&self, node: usize) -> impl Iterator<Item = OutputRef> {
        let id = &self.nodes[node].id;
        // The search over the array is skipped if it would find nothing.
        let incoming: &[OutputRef] = if self.fed[node] { &self.incoming[self.array_of[node]] } else { &[] };
        incoming.iter().copied().filter(move |from| from.node != node && reaches(self.output(*from), id))
    }

    pub fn output(&self, at: OutputRef) -> &OutputDecl<'db> {
        &self.nodes[at.node].outputs[at.output]
    }

    /// Returns the number of nodes that get a copy of each record of an output: its target and the nodes that share the
    /// target's input. For several targets, returns the maximum.
    pub fn copies(&self, node: usize, output: usize) -> u32 {
        1 + self.copies.of(&self.targets[node][output])
    }
}

/// Range maximum in constant time: level k has the largest of each 2^k neighbours.
#[derive(Default)]
struct RangeMax {
    levels: Vec<Vec<u32>>,
}

impl RangeMax {
    fn new(values: Vec<u32>) -> RangeMax {
        let mut levels = vec![values];
        let mut width = 1;
        while levels[0].len() >= 2 * width {
            let below = &levels[levels.len() - 1];
            levels.push((0..=levels[0].len() - 2 * width).map(|i| below[i].max(below[i + width])).collect());
            width *= 2;
        }
        RangeMax { levels }
    }

    /// Returns 0 for an empty range or without values.
    fn of(&self, range: &Range<usize>) -> u32 {
        let Some(k) = range.len().checked_ilog2().filter(|_| !self.levels.is_empty()) else { return 0 };
        let level = &self.levels[k as usize];
        level[range.start].max(level[range.end - (1 << k)])
    }
}

#[cfg(test)]
mod tests {
    use super::RangeMax;

    #[test]
    fn range_max_returns_the_largest_value() {
        let values = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5];
        let max = RangeMax::new(values.to_vec());
        for lo in 0..=values.len() {
            for hi in lo..=values.len() {
                assert_eq!(max.of(&(lo..hi)), values[lo..hi].iter().copied().max().unwrap_or(0), "{lo}..{hi}");
            }
        }
        assert_eq!(RangeMax::default().of(&(0..5)), 0);
    }
}
