//! Local root arguments of nodes: `NodeLocalRootArgumentsTableIndex` and the local root signatures that it refers to.
//!
//! A node has the local root signature whose association names it. Otherwise it has the only one without an
//! association, as for subobjects of a library.

use crate::contracts::node::NodeDecl;
use crate::contracts::root_signatures::{Declared, declared};
use crate::db::diagnostic::Diagnostic;
use crate::db::{Db, Program};
use crate::graph::model::Model;
use crate::graph::rules::Check;
use crate::tables::codes::Code;
use std::collections::{BTreeMap, BTreeSet};

/// Checks `Code::LocalRootIndex` and `Code::LocalRootCollision`.
pub(crate) fn check(check: &mut Check) {
    let model = check.model;
    if model.nodes.iter().all(|node| node.local_root_index.is_none()) {
        return;
    }
    let local: Vec<Declared> = declared(check.db, check.program).into_iter().filter(|s| s.is_local).collect();
    let mut first: BTreeMap<u32, (&NodeDecl, &Declared)> = BTreeMap::new();
    for node in &model.nodes {
        let Some((index, place)) = node.local_root_index else { continue };
        let Some(signature) = of_node(&local, node) else {
            let message = format!("node `{}` uses record {index} of the local root arguments", node.name);
            let why = match local.is_empty() {
                true => "no local root signature exists",
                false => "no local root signature is associated with it",
            };
            check.out.push(Diagnostic::new(Code::LocalRootIndex, place, format!("{message}, but {why}")));
            continue;
        };
        let (other, taken) = *first.entry(index).or_insert((node, signature));
        if taken.signature != signature.signature
            && let Some((_, at)) = other.local_root_index
        {
            let message = format!(
                "`{}` and `{}` use record {index} of the local root arguments, but different local root signatures",
                other.name, node.name
            );
            check.out.push(
                Diagnostic::new(Code::LocalRootCollision, place, message)
                    .label(format!("`{}` has `{}`", node.name, signature.name))
                    .also(at, format!("`{}` has `{}`", other.name, taken.name))
                    .note("nodes can share an index only if their root signatures have the same layout"),
            );
        }
    }
}

/// Returns each node's index in the table of local root arguments (WorkGraphs.md, "Shader function attributes" and
/// D3D12_WORK_GRAPH_DESC).
///
/// A declared index is kept. A node with a local root signature but no declared index gets the lowest free index. An
/// index is free if no node declares it and no earlier node has it. Nodes are ordered as they enter a graph of all
/// nodes: in source order, each followed depth first by its targets.
pub fn indexes(db: &dyn Db, program: Program) -> Vec<Option<u32>> {
    let model = Model::new(db, program);
    let mut out: Vec<Option<u32>> =
        model.nodes.iter().map(|node| node.local_root_index.as_ref().map(|(index, _)| *index)).collect();
    let local: Vec<Declared> = declared(db, program).into_iter().filter(|s| s.is_local).collect();
    if local.is_empty() {
        return out;
    }
    let declared_indexes: BTreeSet<u32> = out.iter().flatten().copied().collect();
    let mut free = (0..).filter(|index| !declared_indexes.contains(index));
    let mut added = vec![false; model.nodes.len()];
    let mut open: Vec<usize> = (0..model.nodes.len()).rev().collect();
    while let Some(n) = open.pop() {
        if std::mem::replace(&mut added[n], true) {
            continue;
        }
        if out[n].is_none() && of_node(&local, model.nodes[n]).is_some() {
            out[n] = free.next();
        }
        for output in (0..model.nodes[n].outputs.len()).rev() {
            open.extend(model.targets(n, output).iter().rev().filter(|to| !added[**to]));
        }
    }
    out
}

/// Returns the local root signature of a node.
pub(crate) fn of_node<'a>(local: &'a [Declared], node: &NodeDecl) -> Option<&'a Declared> {
    if let Some(named) = local.iter().find(|signature| signature.exports.contains(&node.name)) {
        return Some(named);
    }
    let mut for_all = local.iter().filter(|signature| signature.exports.is_empty());
    let only = for_all.next()?;
    for_all.next().is_none().then_some(only)
}
