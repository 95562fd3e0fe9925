//! Cycles and the numeric limits of a graph (WorkGraphs.md, "Graph limits").

use crate::codes::Code;
use crate::diagnostic::Diagnostic;
use crate::figures::grouped;
use crate::graph::show_id;
use crate::graph_checks::Check;
use crate::graph_model::{Model, OutputRef, targets_itself};
use crate::node::NodeDecl;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// Longest chain of nodes.
pub const MAX_DEPTH: u32 = 32;
const MAX_NODES: u64 = 0xff_ffff;

/// An output that reaches another array than its node's, and the first node that it reaches.
#[derive(Clone, Copy, Debug)]
struct Edge {
    by: OutputRef,
    to: usize,
}

/// The graph between node arrays, without self edges: all nodes of an array move together.
struct Arrays {
    /// For each vertex its edges out, one for each target.
    out: Vec<Vec<(usize, Edge)>>,
    /// For each vertex all its edges out.
    all: Vec<Vec<(usize, Edge)>>,
    incoming: Vec<usize>,
}

fn array_graph(model: &Model) -> Arrays {
    let count = model.arrays.len();
    let mut arrays = Arrays { out: vec![Vec::new(); count], all: vec![Vec::new(); count], incoming: vec![0; count] };
    let mut known = FxHashSet::default();
    for (n, node) in model.nodes.iter().enumerate() {
        let from = model.array_of[n];
        for o in 0..node.outputs.len() {
            let Some(to) = model.targets(n, o).first() else { continue };
            let (edge, to) = (Edge { by: OutputRef { node: n, output: o }, to: *to }, model.array_of[*to]);
            // Edges within one array are recursion, or another rule's business.
            if from == to {
                continue;
            }
            arrays.all[from].push((to, edge));
            if known.insert((from, to)) {
                arrays.out[from].push((to, edge));
                arrays.incoming[to] += 1;
            }
        }
    }
    arrays
}

/// Arrays so that producers stand before those whom they target; fewer than there are when some lead into cycles.
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

/// Rows 16 and 22: a graph with a cycle has no depth, so one walk serves both.
pub(crate) fn cycles_and_depth(check: &mut Check) {
    let arrays = array_graph(check.model);
    let (order, left) = sorted(&arrays);
    if order.len() < left.len() {
        cycles(check, &arrays, &left);
    } else {
        depth(check, &Levels::of(check.model, &arrays, &order));
    }
}

/// For each node the nodes that a chain has down to it, with all of its own levels: at most [`MAX_DEPTH`]. `None` for a
/// graph with a cycle.
pub(crate) fn depths(model: &Model) -> Option<Vec<u32>> {
    let arrays = array_graph(model);
    let (order, left) = sorted(&arrays);
    if order.len() < left.len() {
        return None;
    }
    let levels = Levels::of(model, &arrays, &order);
    Some((0..model.nodes.len()).map(|n| levels.exit(model, n) + 1).collect())
}

/// One message for each set of arrays that reach each other.
fn cycles(check: &mut Check, arrays: &Arrays, left: &[usize]) {
    let knots = knots(arrays, left);
    let mut done: FxHashSet<usize> = FxHashSet::default();
    for start in (0..left.len()).filter(|v| left[*v] > 0) {
        let Some(knot) = knots[start] else { continue };
        let Some(cycle) = shortest_cycle(arrays, &knots, start).filter(|_| done.insert(knot)) else { continue };
        let names: Vec<_> = cycle.iter().map(|(v, _)| check.model.arrays[*v].name.as_str()).collect();
        let message = format!("nodes target each other in a cycle: {} -> {}", names.join(" -> "), names[0]);
        let place = |edge: &Edge| {
            let (from, to) = (&check.model.nodes[edge.by.node], &check.model.nodes[edge.to]);
            (check.model.output(edge.by).target_place, format!("`{}` targets `{}`", from.name, to.name))
        };
        let (first, text) = place(&cycle[0].1);
        let mut diagnostic = Diagnostic::new(Code::Cycle, first, message).label(text);
        for (_, edge) in &cycle[1..] {
            let (at, text) = place(edge);
            diagnostic = diagnostic.also(at, text);
        }
        check.out.push(
            diagnostic.note("a node may target itself, with `NodeMaxRecursionDepth`; longer cycles are not allowed"),
        );
    }
}

/// For each vertex of those left the set of two or more that it forms with others, all of which reach each other
/// (Tarjan's strongly connected components, without recursion).
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
        // Vertices on the way down, each with the number of edges that were followed.
        let mut way = vec![(start, 0usize)];
        while let Some((v, followed)) = way.last_mut() {
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
                    way.push((*to, 0));
                } else if is_open[*to] {
                    lowest[v] = lowest[v].min(number[*to]);
                }
                continue;
            }
            way.pop();
            if let Some((above, _)) = way.last() {
                lowest[*above] = lowest[*above].min(lowest[v]);
            }
            if lowest[v] == number[v] {
                let at = open.iter().rposition(|other| *other == v).unwrap_or(0);
                let knot = open.split_off(at);
                for member in &knot {
                    is_open[*member] = false;
                    knots[*member] = (knot.len() > 1).then_some(found);
                }
                found += 1;
            }
        }
    }
    knots
}

/// The shortest way from `start` back to itself: vertices, each with the edge to the next.
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

/// An entry is at level 0, a child array one below the lowest exit of its producers; a recursive node's exit is N below
/// its own level.
struct Levels {
    /// For each array.
    level: Vec<u32>,
    /// The edge that put it there.
    came: Vec<Option<Edge>>,
}

impl Levels {
    fn of(model: &Model, arrays: &Arrays, order: &[usize]) -> Levels {
        let count = model.arrays.len();
        let mut levels = Levels { level: vec![0; count], came: vec![None; count] };
        for v in order {
            for (to, edge) in &arrays.all[*v] {
                let below = levels.level[*v] + recursion(model.nodes[edge.by.node]) + 1;
                if below > levels.level[*to] {
                    (levels.level[*to], levels.came[*to]) = (below, Some(*edge));
                }
            }
        }
        levels
    }

    /// The level of a node's last recursion.
    fn exit(&self, model: &Model, node: usize) -> u32 {
        self.level[model.array_of[node]] + recursion(model.nodes[node])
    }
}

fn depth(check: &mut Check, levels: &Levels) {
    let model = check.model;
    // Of equals the first.
    let Some(worst) = (0..model.nodes.len()).rev().max_by_key(|n| levels.exit(model, *n)) else { return };
    let depth = levels.exit(model, worst) + 1;
    if depth <= MAX_DEPTH {
        return;
    }
    let mut chain = vec![worst];
    let mut at = worst;
    while let Some(edge) = levels.came[model.array_of[at]] {
        at = edge.by.node;
        chain.push(at);
    }
    chain.reverse();
    let part = |n: &usize| match recursion(model.nodes[*n]) {
        0 => format!("`{}` 1", show_id(&model.nodes[*n].id)),
        levels => format!("`{}` 1 + {levels}", show_id(&model.nodes[*n].id)),
    };
    let parts: Vec<_> = chain.iter().map(part).collect();
    let message = format!("a chain of {depth} nodes, of at most {MAX_DEPTH}");
    let mut diagnostic = Diagnostic::new(Code::GraphDepth, model.nodes[worst].id_place, message)
        .label("the chain ends here")
        .note(format!("{} = {depth}", parts.join(", ")));
    if chain[0] != worst {
        diagnostic = diagnostic.also(model.nodes[chain[0]].id_place, "and starts here");
    }
    for node in chain.iter().map(|n| &model.nodes[*n]).filter(|node| recursion(node) > 0) {
        if let Some(place) = node.recursion_place {
            diagnostic = diagnostic.also(place, "each level of recursion counts");
        }
    }
    check.out.push(diagnostic);
}

/// Extra levels that a node takes.
pub(crate) fn recursion(node: &NodeDecl) -> u32 {
    if targets_itself(node) { node.max_recursion } else { 0 }
}

/// Row 23.
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
    let sum = format!("{} indexes of node arrays + {levels} levels of recursion = {count}", grouped(slots));
    check.out.push(
        Diagnostic::new(Code::NodeCount, node.id_place, format!("{count} nodes, of at most {most}"))
            .label(format!("an array up to this index counts {}", grouped(u64::from(node.id.index) + 1)))
            .note(format!("{sum}; gaps in an array count")),
    );
}
