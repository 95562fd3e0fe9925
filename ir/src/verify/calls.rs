//! The call graph: recursion, the nodes that reach a function, and restrictions of entry points.

use super::{Errors, Rule, function_part};
use crate::function::{Op, Stmt};
use crate::module::{Global, GlobalKind, Module};
use crate::walk;

/// Facts about the callers of each function.
pub(super) struct Calls {
    /// For each function: the nodes (indexes into the graph) that reach it.
    nodes: Vec<Vec<usize>>,
}

impl Calls {
    pub fn nodes(&self, function: usize) -> &[usize] {
        self.nodes.get(function).map_or(&[], Vec::as_slice)
    }
}

/// The symbols and requirements of one function.
#[derive(Default)]
struct Mentions {
    callees: Vec<usize>,
    push_constants: Vec<usize>,
    needs_node: bool,
    /// It writes to a mesh, or sets its size.
    needs_mesh: bool,
}

pub(super) fn analyse(module: &Module, errors: &mut Errors) -> Calls {
    let mentions: Vec<Mentions> = module.functions.values().map(|f| mentions(module, f)).collect();
    report_recursion(module, &mentions, errors);

    let mut nodes = vec![Vec::new(); mentions.len()];
    for (n, node) in module.graph.nodes.iter().enumerate() {
        let Some(root) = module.functions.get_index_of(&node.function) else { continue };
        let part = || format!("node \"{}\"[{}]", node.id.name, node.id.index);
        let mut blocks = Vec::new();
        for f in reach(&mentions, root) {
            if mentions[f].needs_mesh && node.mesh.is_none() {
                errors.add(Rule::NodeOperation, part(), "reaches operations on a mesh, but declares none");
            }
            nodes[f].push(n);
            blocks.extend(&mentions[f].push_constants);
        }
        report_push_constants(&mut blocks, part, errors);
    }
    for entry in &module.entries {
        let Some(root) = module.functions.get_index_of(&entry.function) else { continue };
        let part = || format!("entry \"{}\"", entry.name);
        let mut blocks = Vec::new();
        for f in reach(&mentions, root) {
            if mentions[f].needs_node {
                errors.add(Rule::NodeOperation, part(), "reaches graph operations, but belongs to no node");
            }
            if mentions[f].needs_mesh && entry.mesh.is_none() {
                errors.add(Rule::NodeOperation, part(), "reaches operations on a mesh, but declares none");
            }
            blocks.extend(&mentions[f].push_constants);
        }
        report_push_constants(&mut blocks, part, errors);
    }
    for ((name, _), (m, nodes)) in module.functions.iter().zip(mentions.iter().zip(&nodes)) {
        if m.needs_node && nodes.is_empty() {
            errors.add(Rule::NodeOperation, function_part(name), "graph operations in a function that no node calls");
        }
    }
    Calls { nodes }
}

fn mentions(module: &Module, function: &crate::Function) -> Mentions {
    let mut m = Mentions::default();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Call { callee, .. } => m.callees.extend(module.functions.get_index_of(callee)),
        Stmt::IncrementCount { .. } | Stmt::Report { .. } => m.needs_node = true,
        Stmt::MeshCounts { .. } => m.needs_mesh = true,
        Stmt::Let(id) => {
            let Some(value) = function.value(*id) else { return };
            m.needs_node |= value.op.needs_node();
            match &value.op {
                Op::Call { callee, .. } => m.callees.extend(module.functions.get_index_of(callee)),
                Op::Global(name) => match module.globals.get_full(name) {
                    Some((i, _, Global { kind: GlobalKind::PushConstant { .. }, .. })) => m.push_constants.push(i),
                    Some((_, _, Global { kind: GlobalKind::MeshOutput { .. }, .. })) => m.needs_mesh = true,
                    _ => {}
                },
                _ => {}
            }
        }
        _ => {}
    });
    m
}

/// Returns the functions that `root` reaches, including itself.
fn reach(mentions: &[Mentions], root: usize) -> Vec<usize> {
    let mut seen = vec![false; mentions.len()];
    let mut found = vec![root];
    seen[root] = true;
    let mut next = 0;
    while let Some(&f) = found.get(next) {
        next += 1;
        for &callee in &mentions[f].callees {
            if !std::mem::replace(&mut seen[callee], true) {
                found.push(callee);
            }
        }
    }
    found
}

fn report_push_constants(blocks: &mut Vec<usize>, part: impl Fn() -> String, errors: &mut Errors) {
    blocks.sort_unstable();
    blocks.dedup();
    if blocks.len() > 1 {
        errors.add(Rule::Interface, part(), "reaches more than one block of push constants");
    }
}

/// Reports recursive functions. Removing callees before callers leaves the functions that are part of a cycle or call
/// one. Removing callers before callees from the rest leaves the cycles.
fn report_recursion(module: &Module, mentions: &[Mentions], errors: &mut Errors) {
    let n = mentions.len();
    let mut callers = vec![Vec::new(); n];
    for (f, m) in mentions.iter().enumerate() {
        for &callee in &m.callees {
            callers[callee].push(f);
        }
    }
    let mut alive = vec![true; n];
    let callees: Vec<Vec<usize>> = mentions.iter().map(|m| m.callees.clone()).collect();
    strip(&mut alive, &callees, &callers);
    strip(&mut alive, &callers, &callees);
    for (i, name) in module.functions.keys().enumerate() {
        if alive[i] {
            errors.add(Rule::Call, function_part(name), "calls itself, or another function that calls it");
        }
    }
}

/// Removes functions without an edge to a remaining one, until none is left to remove.
fn strip(alive: &mut [bool], edges: &[Vec<usize>], back: &[Vec<usize>]) {
    let mut degree: Vec<usize> = edges.iter().map(|targets| targets.iter().filter(|&&t| alive[t]).count()).collect();
    let mut work: Vec<usize> = (0..alive.len()).filter(|&i| alive[i] && degree[i] == 0).collect();
    while let Some(i) = work.pop() {
        alive[i] = false;
        for &j in &back[i] {
            if alive[j] {
                degree[j] -= 1;
                if degree[j] == 0 {
                    work.push(j);
                }
            }
        }
    }
}
