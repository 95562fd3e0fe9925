//! Cycles and the numeric limits of a graph (WorkGraphs.md, "Graph limits").

use crate::contracts::node::NodeDecl;
use crate::contracts::node::{reaches, targets_itself};
use crate::db::def::At;
use crate::db::diagnostic::Diagnostic;
use crate::graph::model::{Model, OutputRef};
use crate::graph::rules::Check;
use crate::graph::show_id;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The longest chain of nodes.
pub const MAX_DEPTH: u32 = 32;
const MAX_NODES: u64 = 0xff_ffff;
/// Nodes of a cycle that a message names; `MAX_OF_CHAIN` is the number for a chain.
const MAX_OF_CYCLE: usize = 16;
const MAX_OF_CHAIN: usize = 40;

/// An output that reaches a vertex other than its node's, and the first node that it reaches.
#[derive(Clone, Copy, Debug)]
struct Edge {
    by: OutputRef,
    to: usize,
}

/// The graph between vertices. All nodes of an array have the same level, and nodes that share an input get it at the
/// same level of a chain. A vertex is therefore a set of arrays that sharing joins. Recursion is not an edge.
struct Arrays {
    /// The vertex of each array, which has the number of its first array.
    vertex: Vec<usize>,
    /// The outgoing edges of each vertex, one for each target.
    out: Vec<Vec<(usize, Edge)>>,
    /// All outgoing edges of each vertex.
    all: Vec<Vec<(usize, Edge)>>,
    incoming: Vec<usize>,
}

impl Arrays {
    fn of_node(&self, model: &Model, node: usize) -> usize {
        self.vertex[model.array_of[node]]
    }
}

/// Returns for each array the first array that sharing joins it with.
fn vertices(model: &Model) -> Vec<usize> {
    fn first_of(joined: &mut [usize], mut array: usize) -> usize {
        while joined[array] != array {
            joined[array] = joined[joined[array]];
            array = joined[array];
        }
        array
    }
    let mut joined: Vec<usize> = (0..model.arrays.len()).collect();
    for (owner, sharers) in model.sharers.iter().enumerate() {
        for sharer in sharers {
            let a = first_of(&mut joined, model.array_of[owner]);
            let b = first_of(&mut joined, model.array_of[*sharer]);
            joined[a.max(b)] = a.min(b);
        }
    }
    (0..joined.len()).map(|array| first_of(&mut joined, array)).collect()
}

fn array_graph(model: &Model) -> Arrays {
    let count = model.arrays.len();
    let (out, all) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    let mut arrays = Arrays { vertex: vertices(model), out, all, incoming: vec![0; count] };
    let mut known = FxHashSet::default();
    for n in 0..model.nodes.len() {
        for o in 0..model.nodes[n].outputs.len() {
            let Some(first) = model.targets(n, o).first() else { continue };
            let (from, to) = (arrays.of_node(model, n), arrays.of_node(model, *first));
            let mut end = *first;
            if from == to {
                // Edges within one array are recursion or the subject of another rule, as are edges to nodes that
                // share.
                let is_targeted = |to: &&usize| model.nodes[**to].share_input_of.is_none();
                let other = model.array_of[n] != model.array_of[*first];
                match model.targets(n, o).iter().find(is_targeted).filter(|_| other) {
                    Some(first) => end = *first,
                    None => continue,
                }
            }
            let edge = Edge { by: OutputRef { node: n, output: o }, to: end };
            arrays.all[from].push((to, edge));
            if known.insert((from, to)) {
                arrays.out[from].push((to, edge));
                arrays.incoming[to] += 1;
            }
        }
    }
    arrays
}

/// Sorts the vertices topologically, producers first. Vertices that depend on a cycle are missing.
fn sorted(arrays: &Arrays) -> (Vec<usize>, Vec<usize>) {
    let mut incoming = arrays.incoming.clone();
    let mut ready: VecDeque<usize> = (0..incoming.len()).filter(|v| incoming[*v] == 0).collect();
    let mut order = Vec::new();
    while let Some(v) = ready.pop_front() {
        order.push(v);
        for (to, _) in &arrays.out[v] {
            incoming[*to] -= 1;
            if incoming[*to] == 0 {
                ready.push_back(*to);
            }
        }
    }
    (order, incoming)
}

/// Checks `Code::Cycle` and `Code::GraphDepth`; a graph with a cycle has no depth, so one walk serves both.
pub(crate) fn cycles_and_depth(check: &mut Check) {
    let arrays = array_graph(check.model);
    let (order, left) = sorted(&arrays);
    if order.len() < left.len() {
        cycles(check, &arrays, &left);
    } else {
        depth(check, &Levels::of(check.model, arrays, &order));
    }
}

/// Returns for each node the length of the longest chain down to it, with all its recursion levels: at most
/// [`MAX_DEPTH`]. `None` for a graph with a cycle.
pub(crate) fn depths(model: &Model) -> Option<Vec<u32>> {
    let arrays = array_graph(model);
    let (order, left) = sorted(&arrays);
    if order.len() < left.len() {
        return None;
    }
    let levels = Levels::of(model, arrays, &order);
    Some((0..model.nodes.len()).map(|n| levels.exit(model, n) + 1).collect())
}

/// Reports one diagnostic for each set of arrays that reach each other.
fn cycles(check: &mut Check, arrays: &Arrays, left: &[usize]) {
    let knots = knots(arrays, left);
    let mut done: FxHashSet<usize> = FxHashSet::default();
    for start in (0..left.len()).filter(|v| left[*v] > 0) {
        let Some(knot) = knots[start] else { continue };
        let Some(cycle) = shortest_cycle(arrays, &knots, start).filter(|_| done.insert(knot)) else { continue };
        check.out.push(cycle_message(check.model, &cycle));
    }
}

fn cycle_message<'db>(model: &Model<'db>, cycle: &[(usize, Edge)]) -> Diagnostic<'db> {
    let array = |node: usize| &*model.arrays[model.array_of[node]].name;
    let mut names: Vec<String> = Vec::new();
    let mut labels: Vec<(At<'db>, String)> = Vec::new();
    let mut joined: Vec<String> = Vec::new();
    for (at, (_, edge)) in cycle.iter().enumerate() {
        // The input of one node continues at another that shares an input with it or is in its array.
        let came = cycle[(at + cycle.len() - 1) % cycle.len()].1;
        let before = came.to;
        if model.array_of[before] == model.array_of[edge.by.node]
            && !reaches(model.output(came.by), &model.nodes[edge.by.node].id)
        {
            let [a, b] = [before, edge.by.node].map(|node| {
                let id = element(model, node);
                let name = &model.nodes[node].name;
                if id == *name { format!("`{id}`") } else { format!("`{id}` (`{name}`)") }
            });
            joined.push(format!("{a} and {b} are nodes of the array `{}`, which counts as one node", array(before)));
        }
        let mut name = array(before).to_string();
        let mut current = model.array_of[before];
        for (sharer, owner) in share_links(model, current, model.array_of[edge.by.node]) {
            let is_owner = current == model.array_of[owner];
            name += &match is_owner {
                true => format!(" (shared by {})", array(sharer)),
                false => format!(" (shares the input of {})", array(owner)),
            };
            current = model.array_of[if is_owner { sharer } else { owner }];
            labels.extend(share_label(model, sharer, owner));
        }
        names.push(name);
        let (from, to) = (element(model, edge.by.node), element(model, edge.to));
        labels.push((model.output(edge.by).target_place, format!("`{from}` targets `{to}`")));
    }
    names.push(array(cycle[cycle.len() - 1].1.to).to_string());
    // The message belongs to an output, regardless of the cycle's first node.
    let first = labels.iter().position(|(at, _)| *at == model.output(cycle[0].1.by).target_place).unwrap_or(0);
    labels.rotate_left(first);
    let path = abridged(&names, " -> ", MAX_OF_CYCLE);
    let message = format!("nodes target each other in a cycle: {path}");
    let mut labels = labels.into_iter();
    let mut diagnostic = Diagnostic::new(Code::Cycle, model.output(cycle[0].1.by).target_place, message);
    if let Some((_, text)) = labels.next() {
        diagnostic = diagnostic.label(text);
    }
    for (at, text) in labels.take(MAX_OF_CYCLE) {
        diagnostic = diagnostic.also(at, text);
    }
    joined.truncate(MAX_OF_CYCLE);
    diagnostic = joined.into_iter().fold(diagnostic, Diagnostic::note);
    diagnostic.note("only a node with `NodeMaxRecursionDepth` may target itself; longer cycles are not allowed")
}

/// Formats a node's identity, with its index if its array has others.
fn element(model: &Model, node: usize) -> String {
    let id = &model.nodes[node].id;
    match model.members(&model.arrays[model.array_of[node]]) {
        [_, _, ..] => format!("{}[{}]", id.name, id.index),
        _ => show_id(id),
    }
}

/// Returns the sharing steps from an array to another of its vertex: sharer and owner of each step. Empty for one
/// array.
fn share_links(model: &Model, from: usize, to: usize) -> Vec<(usize, usize)> {
    if from == to {
        return Vec::new();
    }
    let mut came: FxHashMap<usize, (usize, (usize, usize))> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    while let Some(array) = queue.pop_front() {
        let members = model.members(&model.arrays[array]);
        let shared = members.iter().flat_map(|n| model.sharers[*n].iter().map(move |sharer| (*sharer, *n)));
        let shares = members.iter().filter_map(|n| Some((*n, model.owner_of_input(*n)?)));
        for (sharer, owner) in shared.chain(shares) {
            let ends = (model.array_of[sharer], model.array_of[owner]);
            let next = if ends.0 == array { ends.1 } else { ends.0 };
            if next != from && !came.contains_key(&next) {
                came.insert(next, (array, (sharer, owner)));
                queue.push_back(next);
            }
        }
    }
    let mut links = Vec::new();
    let mut at = to;
    while let Some((before, link)) = came.get(&at) {
        links.push(*link);
        at = *before;
    }
    links.reverse();
    links
}

fn share_label<'db>(model: &Model<'db>, sharer: usize, owner: usize) -> Option<(At<'db>, String)> {
    let share = model.nodes[sharer].share_input_of.as_ref()?;
    let text = format!("`{}` shares the input of `{}`", model.nodes[sharer].name, model.nodes[owner].name);
    Some((share.place, text))
}

/// Formats a list and leaves out its middle if it is long.
fn abridged(parts: &[String], separator: &str, most: usize) -> String {
    if parts.len() <= most {
        return parts.join(separator);
    }
    let (head, tail) = (most / 2, most / 4);
    let left_out = grouped((parts.len() - head - tail) as u64);
    let middle = format!("({left_out} more)");
    let shown = parts[..head].iter().chain([&middle]).chain(&parts[parts.len() - tail..]);
    shown.map(String::as_str).collect::<Vec<_>>().join(separator)
}

/// Returns for each remaining vertex the set of two or more vertices that reach each other (Tarjan's strongly connected
/// components, without recursion). A vertex whose sharing nodes target each other is a set too.
fn knots(arrays: &Arrays, left: &[usize]) -> Vec<Option<usize>> {
    let count = left.len();
    let mut knots: Vec<Option<usize>> = vec![None; count];
    let (mut number, mut lowest) = (vec![usize::MAX; count], vec![usize::MAX; count]);
    let (mut open, mut is_open) = (Vec::new(), vec![false; count]);
    let (mut next, mut found) = (0, 0);
    for start in (0..count).filter(|v| left[*v] > 0) {
        if number[start] != usize::MAX {
            continue;
        }
        // The stack of vertices, each with the number of edges followed.
        let mut stack = vec![(start, 0usize)];
        while let Some((v, followed)) = stack.last_mut() {
            let v = *v;
            if *followed == 0 {
                (number[v], lowest[v]) = (next, next);
                next += 1;
                open.push(v);
                is_open[v] = true;
            }
            if let Some((to, _)) = arrays.out[v].get(*followed) {
                *followed += 1;
                if number[*to] == usize::MAX {
                    stack.push((*to, 0));
                } else if is_open[*to] {
                    lowest[v] = lowest[v].min(number[*to]);
                }
                continue;
            }
            stack.pop();
            if let Some((above, _)) = stack.last() {
                lowest[*above] = lowest[*above].min(lowest[v]);
            }
            if lowest[v] == number[v] {
                let at = open.iter().rposition(|other| *other == v).unwrap_or(0);
                let knot = open.split_off(at);
                let is_cycle = knot.len() > 1 || arrays.out[v].iter().any(|(to, _)| *to == v);
                for member in &knot {
                    is_open[*member] = false;
                    knots[*member] = is_cycle.then_some(found);
                }
                found += 1;
            }
        }
    }
    knots
}

/// Finds the shortest path from `start` back to itself: vertices, each with the edge to the next.
fn shortest_cycle(arrays: &Arrays, knots: &[Option<usize>], start: usize) -> Option<Vec<(usize, Edge)>> {
    let mut came: FxHashMap<usize, (usize, Edge)> = FxHashMap::default();
    let mut queue = VecDeque::from([start]);
    while let Some(v) = queue.pop_front() {
        for (to, edge) in &arrays.out[v] {
            if *to == start {
                let mut path = vec![(v, *edge)];
                let mut at = v;
                while at != start {
                    let (before, edge) = came.get(&at).copied()?;
                    path.push((before, edge));
                    at = before;
                }
                path.reverse();
                return Some(path);
            }
            if knots[*to] == knots[start] && !came.contains_key(to) {
                came.insert(*to, (v, *edge));
                queue.push_back(*to);
            }
        }
    }
    None
}

/// The level of each vertex. An entry is at level 0, a child array one below the lowest exit of its producers. A
/// recursive node's exit is N below its own level.
struct Levels {
    arrays: Arrays,
    /// Indexed by vertex.
    level: Vec<u32>,
    /// The edge that determined the level.
    came: Vec<Option<Edge>>,
}

impl Levels {
    fn of(model: &Model, arrays: Arrays, order: &[usize]) -> Levels {
        let count = model.arrays.len();
        let (mut level, mut came) = (vec![0; count], vec![None; count]);
        for v in order {
            for (to, edge) in &arrays.all[*v] {
                let below = level[*v] + recursion(model.nodes[edge.by.node]) + 1;
                if below > level[*to] {
                    (level[*to], came[*to]) = (below, Some(*edge));
                }
            }
        }
        Levels { arrays, level, came }
    }

    /// Returns the level of a node's last recursion.
    fn exit(&self, model: &Model, node: usize) -> u32 {
        self.level[self.arrays.of_node(model, node)] + recursion(model.nodes[node])
    }
}

fn depth(check: &mut Check, levels: &Levels) {
    let model = check.model;
    // The first on a tie.
    let Some(worst) = (0..model.nodes.len()).rev().max_by_key(|n| levels.exit(model, *n)) else { return };
    let depth = levels.exit(model, worst) + 1;
    if depth <= MAX_DEPTH {
        return;
    }
    let mut chain = vec![worst];
    let mut shared = Vec::new();
    let mut at = worst;
    while let Some(edge) = levels.came[levels.arrays.of_node(model, at)] {
        let links = share_links(model, model.array_of[edge.to], model.array_of[at]);
        shared.extend(links.into_iter().rev().filter_map(|(sharer, owner)| share_label(model, sharer, owner)));
        at = edge.by.node;
        chain.push(at);
    }
    chain.reverse();
    shared.reverse();
    let part = |n: &usize| match recursion(model.nodes[*n]) {
        0 => format!("`{}` 1", show_id(&model.nodes[*n].id)),
        levels => format!("`{}` 1 + {levels}", show_id(&model.nodes[*n].id)),
    };
    let parts: Vec<_> = chain.iter().map(part).collect();
    let message = format!("a chain of {depth} nodes; the limit is {MAX_DEPTH}");
    let mut diagnostic = Diagnostic::new(Code::GraphDepth, model.nodes[worst].id_place, message)
        .label("the chain ends here")
        .note(format!("{} = {depth}", abridged(&parts, ", ", MAX_OF_CHAIN)));
    if chain[0] != worst {
        diagnostic = diagnostic.also(model.nodes[chain[0]].id_place, "the chain starts here");
    }
    for (place, text) in shared {
        diagnostic = diagnostic.also(place, text);
    }
    for node in chain.iter().map(|n| &model.nodes[*n]).filter(|node| recursion(node) > 0) {
        if let Some(place) = node.recursion_place {
            diagnostic = diagnostic.also(place, "each level of recursion counts");
        }
    }
    check.out.push(diagnostic);
}

/// Returns the recursion levels of a node after the first.
pub(crate) fn recursion(node: &NodeDecl) -> u32 {
    if targets_itself(node) { node.max_recursion } else { 0 }
}

/// Checks `Code::NodeCount`.
pub(crate) fn node_count(check: &mut Check) {
    let model = check.model;
    let highest = model.arrays.iter().filter_map(|array| model.members(array).last());
    let slots: u64 = highest.map(|n| u64::from(model.nodes[*n].id.index) + 1).sum();
    let levels: u64 = model.nodes.iter().map(|n| u64::from(recursion(n))).sum();
    let count = slots + levels;
    if count <= MAX_NODES {
        return;
    }
    let Some(node) = model.nodes.iter().rev().max_by_key(|n| n.id.index) else { return };
    let (count, most) = (grouped(count), grouped(MAX_NODES));
    let sum = format!("{} indexes of node arrays + {} levels of recursion = {count}", grouped(slots), grouped(levels));
    check.out.push(
        Diagnostic::new(Code::NodeCount, node.id_place, format!("{count} nodes; the limit is {most}"))
            .label(format!("an array up to this index counts as {} nodes", grouped(u64::from(node.id.index) + 1)))
            .note(format!("{sum}; gaps in an array count too")),
    );
}

#[cfg(test)]
mod tests {
    #[test]
    fn long_lists_are_abridged_in_the_middle() {
        let parts: Vec<String> = (0..300).map(|n| n.to_string()).collect();
        assert_eq!(super::abridged(&parts[..4], ", ", 4), "0, 1, 2, 3");
        assert_eq!(super::abridged(&parts[..5], ", ", 4), "0, 1, (2 more), 4");
        assert_eq!(super::abridged(&parts, " -> ", 8), "0 -> 1 -> 2 -> 3 -> (294 more) -> 298 -> 299");
    }
}
