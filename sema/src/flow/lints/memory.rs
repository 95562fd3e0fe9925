//! Advice about memory that several nodes access: buffers that one writes and another reads, and fields that no node
//! reads. See [`super::grids`] for grids in records and [`super::copies`] for constants in records.
//!
//! The module reads the results of [`node_flow`](crate::flow::records) for each node. A write and a read may access
//! different elements, and a host may know better, so both lints are hints.

use crate::contracts::node::NodeDecl;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Ty, TyKind};
use crate::db::{Db, Program};
use crate::flow::records::{Access, Touched, of_node};
use crate::graph::model::Model;
use crate::tables::codes::Code;
use crate::types::record::record;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use wgc_ir::Type;
use wgc_ir::flow::Buffer;

/// Targets examined for each output; the nodes of an array are much alike.
const MAX_TARGETS: usize = 64;
/// Consumers examined for each node, direct and indirect.
const MAX_BEHIND: usize = 64;

/// Checks a whole program. A library's other nodes are unknown, so nothing is reported there.
#[salsa::tracked(returns(ref))]
pub fn of_program<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    if program.options(db).library {
        return Vec::new();
    }
    let model = Model::new(db, program);
    let touched: Vec<Option<&Touched>> = model
        .nodes
        .iter()
        .map(|node| of_node(db, program, node.function.item, node.function.index).touched.as_ref())
        .collect();
    let mut out = Vec::new();
    incoherent(db, &model, &touched, &mut out);
    unread(db, &model, &touched, &mut out);
    super::grids::bounds(&model, &touched, &mut out);
    super::copies::check(db, program, &model, &touched, &mut out);
    out
}

/// Returns the nodes that run because of a node's records, directly or indirectly, nearest first. The flag marks direct
/// consumers.
fn downstream(model: &Model<'_>, from: usize) -> Vec<(usize, bool)> {
    let mut known = FxHashSet::from_iter([from]);
    let mut all: Vec<(usize, bool)> = Vec::new();
    let mut next = vec![from];
    while !next.is_empty() && all.len() < MAX_BEHIND {
        let outputs = next.iter().flat_map(|n| (0..model.nodes[*n].outputs.len()).map(|o| (*n, o)));
        let targets = outputs.flat_map(|(n, o)| model.targets(n, o).iter().copied().take(MAX_TARGETS));
        let mut new: Vec<usize> = targets.filter(|to| known.insert(*to)).collect();
        new.sort_unstable();
        all.extend(new.iter().map(|to| (*to, next == [from])));
        next = new;
    }
    all
}

/// Checks memory that is passed along edges without making the writes visible (`Code::IncoherentBuffer`).
fn incoherent<'db>(
    db: &'db dyn Db,
    model: &Model<'db>,
    touched: &[Option<&Touched<'db>>],
    out: &mut Vec<Diagnostic<'db>>,
) {
    for (n, node) in model.nodes.iter().enumerate() {
        let Some(from) = touched[n] else { continue };
        if from.written.is_empty() && from.unpublished_writes.is_empty() {
            continue;
        }
        let targets = downstream(model, n);
        let reads = |buffer: &Buffer| {
            targets.iter().find_map(|(to, is_next)| {
                // A name identifies one buffer only within a translation unit.
                let reader = &model.nodes[*to];
                let is_same = reader.function.item.program(db) == node.function.item.program(db);
                let read = touched[*to]?.read.iter().find(|read| read.buffer == *buffer && is_same)?;
                Some((reader, read.at, *is_next))
            })
        };
        for Access { buffer, at: written } in &from.written {
            let Some((reader, read, is_next)) = reads(buffer) else { continue };
            let is = if is_next { ", which consumes its records," } else { ", further down the graph," };
            let message = format!(
                "node `{}` writes `{buffer}`, which is not `globallycoherent`, and node `{}`{is} reads it",
                node.name, reader.name
            );
            out.push(
                Diagnostic::new(Code::IncoherentBuffer, *written, message)
                    .label("written here")
                    .also(read, "read here, possibly before the write is visible")
                    .note("use atomics, or `globallycoherent` and `Barrier(UAV_MEMORY, DEVICE_SCOPE)` before `OutputComplete()`"),
            );
        }
        for (Access { buffer, at: written }, sent) in &from.unpublished_writes {
            let Some((reader, read, is_next)) = reads(buffer) else { continue };
            let writer = if is_next { "its producer" } else { "the earlier node" };
            let message = format!(
                "node `{}` reads `{buffer}`, which {writer} `{}` writes without a barrier before it sends the record",
                reader.name, node.name
            );
            out.push(
                Diagnostic::new(Code::IncoherentBuffer, *written, message)
                    .label("written here")
                    .also(*sent, "sent here")
                    .also(read, "read here, possibly before the write is visible")
                    .note("use atomics, or `Barrier(UAV_MEMORY, DEVICE_SCOPE)` between the two"),
            );
        }
    }
}

/// Finds fields of records that no consumer reads or writes.
fn unread<'db>(db: &'db dyn Db, model: &Model<'db>, touched: &[Option<&Touched<'db>>], out: &mut Vec<Diagnostic<'db>>) {
    let mut takers: IndexMap<Ty<'db>, Vec<usize>> = IndexMap::new();
    for (n, node) in model.nodes.iter().enumerate() {
        if let Some(info) = input_record(node) {
            takers.entry(info.ty).or_default().push(n);
        }
    }
    for (ty, nodes) in takers {
        let Some(all) = nodes.iter().map(|n| touched[*n]).collect::<Option<Vec<_>>>() else { continue };
        let first = model.nodes[nodes[0]];
        let (TyKind::Record(inst), Some(info)) = (ty.kind(db), input_record(first)) else { continue };
        let Type::Struct(layout) = &info.ir.ty else { continue };
        let touches = |index: u32| all.iter().any(|one| one.fields.contains(index));
        // Nodes that read nothing at all are unfinished.
        if !(0..layout.fields.len() as u32).any(touches) {
            continue;
        }
        let grid = info.ir.grid.as_ref().and_then(|grid| grid.path.first().copied());
        for (index, (field, declared)) in layout.fields.iter().zip(&record(db, *inst).fields).enumerate() {
            let index = index as u32;
            if touches(index) || grid == Some(index) || is_padding(&declared.name) {
                continue;
            }
            let message = format!("no node reads field `{}` of record `{}`", declared.name, ty.display(db));
            let bytes = field.ty.size().unwrap_or(0);
            let who = match nodes.as_slice() {
                [one] => format!("node `{}` consumes the record", model.nodes[*one].name),
                several => format!("{} nodes consume the record", several.len()),
            };
            out.push(
                Diagnostic::new(Code::UnreadField, declared.place, message)
                    .also(model.nodes[nodes[0]].input.as_ref().map_or(declared.place, |i| i.place), who)
                    .note(format!("it uses {bytes} B of every record")),
            );
        }
    }
}

fn input_record<'a, 'db>(node: &'a NodeDecl<'db>) -> Option<&'a crate::types::node_record::RecordInfo<'db>> {
    node.input.as_ref()?.record.as_ref()
}

/// Returns whether a name marks a field as unused.
fn is_padding(name: &str) -> bool {
    let name = name.trim_start_matches('_').to_ascii_lowercase();
    ["pad", "unused", "reserved", "dummy"].iter().any(|word| name.starts_with(word))
}
