//! Cycles and the numeric limits of a graph (WorkGraphs.md, "Graph limits", "Node output limits").

use crate::codes::{Code, Severity};
use crate::diagnostic::Diagnostic;
use crate::graph::{Edge, arrays, show_id, targets_itself};
use crate::graph_checks::Check;
use crate::node::{NodeDecl, OutputDecl};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use wgc_ir::Launch;

/// Longest chain of nodes.
const MAX_DEPTH: u32 = 32;
const MAX_NODES: u64 = 0xff_ffff;

/// The graph between node arrays, without self edges: for each vertex its edges out, one for each target.
struct Arrays {
    names: Vec<wgc_ir::Symbol>,
    out: Vec<Vec<(usize, Edge)>>,
    incoming: Vec<usize>,
}

fn array_graph(check: &Check) -> Arrays {
    let (names, index) = arrays(check.model);
    let mut out: Vec<Vec<(usize, Edge)>> = vec![Vec::new(); names.len()];
    let mut incoming = vec![0; names.len()];
    let vertex = |node: usize| index.get(&check.model.nodes[node].id.name).copied();
    for edge in &check.model.edges {
        let (Some(from), Some(to)) = (vertex(edge.from), vertex(edge.to)) else { continue };
        // Edges within one array are recursion, or another rule's business.
        if from != to && !out[from].iter().any(|(t, _)| *t == to) {
            out[from].push((to, *edge));
            incoming[to] += 1;
        }
    }
    Arrays { names, out, incoming }
}

/// Rows 16 and 22: a graph with a cycle has no depth, so one walk serves both.
pub(crate) fn cycles_and_depth(check: &mut Check) {
    let arrays = array_graph(check);
    let mut incoming = arrays.incoming.clone();
    let mut ready: VecDeque<usize> = (0..arrays.names.len()).filter(|v| incoming[*v] == 0).collect();
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
    if order.len() < arrays.names.len() {
        cycles(check, &arrays, &incoming);
    } else {
        depth(check, &arrays, &order);
    }
}

/// Each vertex that is left over leads into a cycle; one message for each cycle, none for those who lead there.
fn cycles(check: &mut Check, arrays: &Arrays, incoming: &[usize]) {
    let mut done = vec![false; arrays.names.len()];
    for start in 0..arrays.names.len() {
        if done[start] || incoming[start] == 0 {
            continue;
        }
        let Some(cycle) = shortest_cycle(arrays, incoming, start) else { continue };
        // A part of this one that was shown before is not shown again.
        let shown = cycle.iter().any(|(v, _)| done[*v]);
        for (v, _) in &cycle {
            done[*v] = true;
        }
        if shown {
            continue;
        }
        let path: Vec<_> = cycle.iter().map(|(v, _)| arrays.names[*v].as_str()).collect();
        let message = format!("nodes target each other in a cycle: {} -> {}", path.join(" -> "), path[0]);
        let place = |edge: &Edge| {
            let output = &check.model.nodes[edge.from].outputs[edge.output];
            let text = format!("`{}` targets `{}`", check.model.nodes[edge.from].name, check.model.nodes[edge.to].name);
            (output.target_place, text)
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

/// The shortest way from `start` back to itself: vertices, each with the edge to the next.
fn shortest_cycle(arrays: &Arrays, incoming: &[usize], start: usize) -> Option<Vec<(usize, Edge)>> {
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
            if incoming[*to] > 0 && !came.contains_key(to) {
                came.insert(*to, (v, *edge));
                queue.push_back(*to);
            }
        }
    }
    None
}

/// Levels: an entry is at 0, a child array one below the lowest exit of its producers; a recursive node's exit is N
/// below its own level.
fn depth(check: &mut Check, arrays: &Arrays, order: &[usize]) {
    let model = check.model;
    // For each vertex: the level of its nodes, and the edge that put it there.
    let mut level = vec![0u32; arrays.names.len()];
    let mut came: Vec<Option<Edge>> = vec![None; arrays.names.len()];
    let (_, index) = crate::graph::arrays(model);
    let mut by_vertex: Vec<Vec<Edge>> = vec![Vec::new(); arrays.names.len()];
    for edge in &model.edges {
        if let Some(v) = index.get(&model.nodes[edge.from].id.name) {
            by_vertex[*v].push(*edge);
        }
    }
    for v in order {
        for edge in &by_vertex[*v] {
            let Some(to) = index.get(&model.nodes[edge.to].id.name) else { continue };
            let below = level[*v] + recursion(model.nodes[edge.from]) + 1;
            if to != v && below > level[*to] {
                (level[*to], came[*to]) = (below, Some(*edge));
            }
        }
    }
    let deepest = |i: &usize| index.get(&model.nodes[*i].id.name).map_or(0, |v| level[*v]) + recursion(model.nodes[*i]);
    // Of equals the first.
    let Some(worst) = (0..model.nodes.len()).rev().max_by_key(deepest) else { return };
    let depth = deepest(&worst) + 1;
    if depth <= MAX_DEPTH {
        return;
    }
    let mut chain = vec![worst];
    let mut vertex = index.get(&model.nodes[worst].id.name).copied();
    while let Some(edge) = vertex.and_then(|v| came[v]) {
        chain.push(edge.from);
        vertex = index.get(&model.nodes[edge.from].id.name).copied();
    }
    chain.reverse();
    let part = |i: &usize| match recursion(model.nodes[*i]) {
        0 => format!("`{}` 1", show_id(&model.nodes[*i].id)),
        n => format!("`{}` 1 + {n}", show_id(&model.nodes[*i].id)),
    };
    let parts: Vec<_> = chain.iter().map(part).collect();
    let message = format!("a chain of {depth} nodes, of at most {MAX_DEPTH}");
    let mut diagnostic = Diagnostic::new(Code::GraphDepth, model.nodes[worst].id_place, message)
        .label("the chain ends here")
        .note(format!("{} = {depth}", parts.join(", ")));
    if chain[0] != worst {
        diagnostic = diagnostic.also(model.nodes[chain[0]].id_place, "and starts here");
    }
    for i in &chain {
        if let Some(place) = model.nodes[*i].recursion_place.filter(|_| recursion(model.nodes[*i]) > 0) {
            diagnostic = diagnostic.also(place, "each level of recursion counts");
        }
    }
    check.out.push(diagnostic);
}

/// Extra levels that a node takes.
fn recursion(node: &NodeDecl) -> u32 {
    if targets_itself(node) { node.max_recursion } else { 0 }
}

/// Row 23.
pub(crate) fn node_count(check: &mut Check) {
    let model = check.model;
    let highest = model.by_name.values().filter_map(|m| m.last_key_value());
    let slots: u64 = highest.map(|(index, _)| u64::from(*index) + 1).sum();
    let levels: u64 = model.nodes.iter().map(|n| u64::from(recursion(n))).sum();
    if slots + levels > MAX_NODES {
        let largest = model.nodes.iter().max_by_key(|n| n.id.index);
        let Some(node) = largest else { return };
        let message = format!("{} nodes, of at most {MAX_NODES}", slots + levels);
        check
            .out
            .push(Diagnostic::new(Code::NodeCount, node.id_place, message).note(format!(
                "{slots} indexes of node arrays + {levels} levels of recursion; gaps in an array count"
            )));
    }
}

/// Rows 24 to 26: what one group, or one thread of a thread node, sends at most.
///
/// Groupshared memory, which counts against a third limit, is known only from bodies and not looked at here.
pub(crate) fn budgets(check: &mut Check) {
    for i in 0..check.model.nodes.len() {
        let node = check.model.nodes[i];
        if node.outputs.len() > 1024 {
            let message = format!("node `{}` has {} outputs, of at most 1,024", node.name, node.outputs.len());
            check.out.push(Diagnostic::new(Code::TooManyOutputs, node.name_place, message));
        }
        node_budget(check, i);
    }
}

struct Part {
    name: String,
    records: u64,
    bytes: u64,
    text: String,
}

fn node_budget(check: &mut Check, index: usize) {
    let node = check.model.nodes[index];
    // Of a library, who uses it may have other limits.
    let severity = if check.program.options(check.db).library { Severity::Warning } else { Severity::Error };
    let (records_limit, bytes_limit, code) = match node.launch {
        Launch::Thread => (8, 128, Code::ThreadLimits),
        Launch::Broadcasting | Launch::Coalescing => (256, 32_768, Code::GroupLimits),
    };
    let mut parts = Vec::new();
    let mut tracked = 0;
    for (o, output) in node.outputs.iter().enumerate() {
        if output.shared_with.is_some() {
            continue;
        }
        // A budget belongs to its owner; the largest record of those who share it counts.
        let set = |(i, other): &(usize, &OutputDecl)| *i == o || other.shared_with == Some(o as u32);
        let set: Vec<_> = node.outputs.iter().enumerate().filter(set).collect();
        let Some(size) = set.iter().filter_map(|(_, o)| o.record.as_ref()).map(|r| u64::from(rounded(r.size()))).max()
        else {
            continue; // empty records take no space
        };
        let copies = set.iter().map(|(i, _)| multiplicity(check, index, *i)).max().unwrap_or(1);
        let count = u64::from(output.max_records);
        if set.iter().any(|(_, o)| o.record.as_ref().is_some_and(|r| r.ir.track_sharing)) {
            tracked += count * copies;
        }
        let times = if copies == 1 { String::new() } else { format!(" x {copies} nodes that share the input") };
        parts.push(Part {
            name: output.name.clone(),
            records: count * copies,
            bytes: count * copies * size,
            text: format!("{count} x {size} B{times}"),
        });
    }
    let records: u64 = parts.iter().map(|p| p.records).sum();
    let bytes: u64 = parts.iter().map(|p| p.bytes).sum();
    let allowed = if node.launch == Launch::Thread { bytes_limit } else { 32_768u64.saturating_sub(4 * tracked) };
    let who = if node.launch == Launch::Thread { "a thread" } else { "a thread group" };
    if records > records_limit {
        let sum: Vec<_> = parts.iter().map(|p| format!("`{}` {}", p.name, p.records)).collect();
        let message = format!("{who} of node `{}` may send {records} records, of at most {records_limit}", node.name);
        let mut diagnostic = Diagnostic::new(code, node.name_place, message).severity(severity);
        if sum.len() > 1 {
            diagnostic = diagnostic.note(format!("{} = {records}", sum.join(" + ")));
        }
        check.out.push(diagnostic);
    }
    if bytes > allowed {
        let sum: Vec<_> = parts.iter().map(|p| format!("`{}` {}", p.name, p.text)).collect();
        let message = format!("{who} of node `{}` may send {bytes} B, of at most {allowed} B", node.name);
        let mut diagnostic = Diagnostic::new(code, node.name_place, message)
            .severity(severity)
            .note(format!("{} = {bytes} B", sum.join(" + ")));
        if tracked > 0 && node.launch != Launch::Thread {
            diagnostic = diagnostic.note(format!("32,768 B less 4 B for each of {tracked} records that track sharing"));
        }
        check.out.push(diagnostic);
    }
}

/// Records lie at multiples of 4 bytes.
fn rounded(size: u32) -> u32 {
    size.div_ceil(4).saturating_mul(4)
}

/// Nodes that get a copy of each record: the target and those who share its input.
fn multiplicity(check: &Check, node: usize, output: usize) -> u64 {
    let targets = check.model.targets(node, output);
    targets.iter().map(|t| check.model.sharers[*t].len() as u64 + 1).max().unwrap_or(1)
}

/// Row 38.
pub(crate) fn record_sizes(check: &mut Check) {
    let model = check.model;
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(input) = &node.input else { continue };
        let Some(record) = &input.record else { continue };
        if record.size() > 32_768 && !model.producers[i].is_empty() {
            let message = format!(
                "node `{}` takes records of {} B from other nodes, which send at most 32,768 B",
                node.name,
                record.size()
            );
            check.out.push(Diagnostic::new(Code::RecordTooLarge, input.place, message));
        }
    }
}
