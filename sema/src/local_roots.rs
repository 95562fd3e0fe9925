//! Local root arguments of nodes: `NodeLocalRootArgumentsTableIndex` and the local root signatures behind it.
//!
//! A node has the local root signature that an association names it for, or else the one that no association gives to
//! anybody, as subobjects of a library have it.

use crate::codes::Code;
use crate::db::{Db, Program};
use crate::diagnostic::Diagnostic;
use crate::graph_checks::Check;
use crate::graph_model::Model;
use crate::node::NodeDecl;
use crate::root_signature::{Declared, Parameter, declared};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use wgc_ir::{LocalRoot, LocalRootArgument, LocalRootKind, LocalRootLayout};

/// Rows 30 and 36.
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
            let message = format!("node `{}` asks for the local root arguments {index}", node.name);
            let why = match local.is_empty() {
                true => "no local root signature exists",
                false => "no local root signature is associated with it",
            };
            check.out.push(Diagnostic::new(Code::LocalRootIndex, place, format!("{message}, and {why}")));
            continue;
        };
        let (other, taken) = *first.entry(index).or_insert((node, signature));
        if taken.signature != signature.signature
            && let Some((_, at)) = other.local_root_index
        {
            let message = format!(
                "`{}` and `{}` have the local root arguments {index}, but different local root signatures",
                other.name, node.name
            );
            check.out.push(
                Diagnostic::new(Code::LocalRootCollision, place, message)
                    .label(format!("`{}` has `{}`", node.name, signature.name))
                    .also(at, format!("`{}` has `{}`", other.name, taken.name))
                    .note("nodes share an index only when their arguments are laid out by the same signature"),
            );
        }
    }
}

/// The place of each node in the table of local root arguments: the one that is said or, where a local root signature is
/// the node's and none is said, the lowest that no node has said and none before it has, in the order in which nodes come
/// into a graph of all (WorkGraphs.md, "Shader function attributes" and D3D12_WORK_GRAPH_DESC): that of the text, each
/// followed by what its outputs reach, depth first.
pub fn indexes(db: &dyn Db, program: Program) -> Vec<Option<u32>> {
    let model = Model::new(db, program);
    let mut out: Vec<Option<u32>> =
        model.nodes.iter().map(|node| node.local_root_index.as_ref().map(|(index, _)| *index)).collect();
    let local: Vec<Declared> = declared(db, program).into_iter().filter(|s| s.is_local).collect();
    if local.is_empty() {
        return out;
    }
    let said: BTreeSet<u32> = out.iter().flatten().copied().collect();
    let mut free = (0..).filter(|index| !said.contains(index));
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

/// The local root signature of a node.
pub(crate) fn of_node<'a>(local: &'a [Declared], node: &NodeDecl) -> Option<&'a Declared> {
    if let Some(named) = local.iter().find(|signature| signature.exports.contains(&node.name)) {
        return Some(named);
    }
    let mut for_all = local.iter().filter(|signature| signature.exports.is_empty());
    let only = for_all.next()?;
    for_all.next().is_none().then_some(only)
}

/// What each node finds in its record of the table of local root arguments, in the order of the graph's nodes; nothing
/// where it has no local root signature.
pub fn arguments(db: &dyn Db, program: Program) -> Vec<Option<LocalRoot>> {
    let local: Vec<(Declared, Arc<LocalRootLayout>)> = declared(db, program)
        .into_iter()
        .filter(|signature| signature.is_local)
        .map(|signature| {
            let layout = Arc::new(layout(&signature));
            (signature, layout)
        })
        .collect();
    let signatures: Vec<Declared> = local.iter().map(|(signature, _)| signature.clone()).collect();
    let model = Model::new(db, program);
    let of = |(node, index): (&&NodeDecl, Option<u32>)| {
        let signature = of_node(&signatures, node)?;
        let (_, layout) = local.iter().find(|(known, _)| known == signature)?;
        Some(LocalRoot { index: index?, layout: Arc::clone(layout) })
    };
    model.nodes.iter().zip(indexes(db, program)).map(of).collect()
}

/// Parameters lie in their order: constants at multiples of four bytes, addresses and descriptor tables, which have eight
/// bytes as well, at multiples of eight. Static samplers are not in the record.
fn layout(signature: &Declared) -> LocalRootLayout {
    let (mut end, mut arguments) = (0u32, Vec::new());
    for parameter in &signature.signature.parameters {
        let (align, bytes, kind) = match parameter.clause {
            "RootConstants" => {
                let words = constants(parameter);
                (4, words * 4, Some(LocalRootKind::Constants { words }))
            }
            "CBV" | "SRV" | "UAV" => (8, 8, Some(LocalRootKind::Address)),
            "DescriptorTable" => (8, 8, None),
            _ => continue,
        };
        let offset = end.next_multiple_of(align);
        end = offset + bytes;
        let (Some(kind), [range]) = (kind, parameter.ranges.as_slice()) else { continue };
        let register = (range.class, range.first, range.space);
        arguments.push(LocalRootArgument { register, offset, kind });
    }
    LocalRootLayout { signature: signature.name.as_str().into(), size: end, arguments }
}

/// Words of root constants; the parser has checked the number.
fn constants(parameter: &Parameter) -> u32 {
    let said = parameter.settings.iter().find(|(name, _)| *name == "num32BitConstants");
    said.and_then(|(_, words)| words.parse().ok()).unwrap_or(0)
}
