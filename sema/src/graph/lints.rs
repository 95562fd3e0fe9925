//! Advice about declarations of nodes: programs that are correct but cost more than necessary.
//!
//! A lint has a code from WG0600 on and the severity of its code; commands show hints only on request. This module has
//! the lints that need contracts alone, each a function in [`LINTS`]. Lints about one body are in
//! [`crate::flow::records`], those about records and memory of several nodes in [`crate::flow::lints`].

use crate::contracts::node::NodeDecl;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::TyKind;
use crate::graph::budget::limits;
use crate::graph::rules::{Check, Needs, Rule};
use crate::graph::show_id;
use crate::tables::builtin::InputKind;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::grouped;
use crate::types::node_record::RecordInfo;
use crate::types::record::record;
use rustc_hash::FxHashSet;
use wgc_ir::{GraphConstant, Grid, Launch};

/// Each lint and the knowledge that it needs.
pub(crate) const LINTS: &[Rule] = &[
    (uncoalesced, Needs::Node),
    (single_threads, Needs::Node),
    (largest_grids, Needs::Node),
    (padding, Needs::Node),
    (tiny_meshes, Needs::Graph),
    (shared_costs, Needs::Graph),
];

/// Returns the nodes without errors of their own; other nodes have more urgent problems.
fn sound<'a, 'db>(check: &Check<'a, 'db>) -> impl Iterator<Item = &'a NodeDecl<'db>> + use<'a, 'db> {
    check.model.nodes.iter().map(|node| &**node).filter(|node| !node.diagnostics.iter().any(|d| d.is_error()))
}

/// Finds coalescing nodes with one record for each group.
fn uncoalesced(check: &mut Check) {
    for node in sound(check) {
        // A host may specialise the value.
        let is_open = node.specialised.iter().any(|given| given.what == GraphConstant::InputRecords);
        if node.launch != Launch::Coalescing || is_open {
            continue;
        }
        if node.input.as_ref().is_some_and(|input| input.max_records > 1) {
            continue;
        }
        let message = format!("each group of coalescing node `{}` gets only one record", node.name);
        // An author who writes the 1 may want groups that work on one record.
        let (place, label, severity) = match node.input.as_ref().map(|input| (input.max_records_place, input.place)) {
            Some((Some(place), _)) => (place, "one record", Severity::Hint),
            Some((None, place)) => (place, "one record, unless `MaxRecords` is larger", Severity::Warning),
            // A node without producers may be started to run once.
            None if check.model.find(&node.id).is_some_and(|n| check.model.is_fed(n)) => {
                (node.name_place, "one record, as without an input", Severity::Warning)
            }
            None => (node.name_place, "one record, as without an input", Severity::Hint),
        };
        let gather = match node.input {
            Some(_) => {
                "add `[MaxRecords(n)]` to the input: a group then has up to n records, and `Count()` returns their number"
            }
            None => {
                "add an input `[MaxRecords(n)] EmptyNodeInput`: a group then has up to n records, and `Count()` returns their number"
            }
        };
        check.out.push(
            Diagnostic::new(Code::UncoalescedInput, place, message)
                .severity(severity)
                .label(label)
                .note(gather)
                .note("use `[NodeLaunch(\"thread\")]` if threads work alone, or `[NodeLaunch(\"broadcasting\")]` with `[NodeDispatchGrid(1, 1, 1)]` if a group works on one record"),
        );
    }
}

/// Finds groups of one thread, each of which takes a whole wave.
fn single_threads(check: &mut Check) {
    for node in sound(check) {
        // Threads of a mesh node have outputs that no thread node can have.
        if matches!(node.launch, Launch::Thread | Launch::Mesh) || node.num_threads != [1, 1, 1] {
            continue;
        }
        let most = limits(Launch::Thread);
        let message = format!("each group of node `{}` is one thread, but uses a whole wave", node.name);
        check.out.push(Diagnostic::new(Code::SingleThreads, node.name_place, message).note(format!(
            "threads of `[NodeLaunch(\"thread\")]` nodes share waves; each may send {} records and {} B",
            most.records, most.bytes
        )));
    }
}

/// The largest grid component that can be declared; a bound with it is a default rather than a chosen number.
pub(crate) const LARGEST: u32 = 65_535;

/// Finds dynamic grids without a real bound.
fn largest_grids(check: &mut Check) {
    for node in sound(check) {
        let Grid::Max(grid) = node.grid else { continue };
        if !grid.contains(&LARGEST) {
            continue;
        }
        let [x, y, z] = grid.map(|n| grouped(u64::from(n)));
        let most = grouped(u64::from(LARGEST));
        let message =
            format!("node `{}` limits its grids to {x} x {y} x {z}; {most} is the largest possible value", node.name);
        check.out.push(
            Diagnostic::new(Code::LargestGrid, node.name_place, message)
                .note("an implementation may plan for the largest grid: declare the largest that producers request"),
        );
    }
}

/// Finds records that another field order would make smaller.
fn padding(check: &mut Check) {
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    for node in sound(check) {
        let inputs = node.input.iter().filter(|i| i.kind != InputKind::Empty).filter_map(|i| i.record.as_ref());
        for info in inputs.chain(node.outputs.iter().filter_map(|o| o.record.as_ref())) {
            if seen.insert(info.ty) {
                found.extend(padded(check, info));
            }
        }
    }
    check.out.append(&mut found);
}

fn padded<'db>(check: &Check<'_, 'db>, info: &RecordInfo<'db>) -> Option<Diagnostic<'db>> {
    let db = check.db;
    let TyKind::Record(inst) = info.ty.kind(db) else { return None };
    let wgc_ir::Type::Struct(layout) = &info.ir.ty else { return None };
    let fields: u32 = layout.fields.iter().map(|f| f.ty.size().unwrap_or(0)).sum();
    // Sizes are multiples of alignments, so fields in descending order of width need no padding between them.
    let least = fields.next_multiple_of(layout.align.max(1));
    let size = info.size();
    if least >= size {
        return None;
    }
    let message = format!("record `{}` has {size} B, of which {} B are padding", info.ty.display(db), size - fields);
    Some(
        Diagnostic::new(Code::RecordPadding, record(db, *inst).place, message)
            .note(format!("sort its fields from widest to narrowest to reduce it to {least} B")),
    )
}

/// Finds mesh nodes whose records each launch one group. A graph that starts with such a node draws once.
fn tiny_meshes(check: &mut Check) {
    let model = check.model;
    for node in sound(check) {
        if node.launch != Launch::Mesh || node.grid != Grid::Fixed([1, 1, 1]) {
            continue;
        }
        let Some(from) = model.find(&node.id).and_then(|n| model.feeders(n).next()) else { continue };
        let message = format!("each record of mesh node `{}` launches a grid of one group", node.name);
        check.out.push(
            Diagnostic::new(Code::TinyMesh, node.name_place, message)
                .also(model.output(from).place, format!("`{}` sends them", model.nodes[from.node].name))
                .note("many small grids cost more than one large grid: add a coalescing node that gathers records and launches one grid, with a group for each record"),
        );
    }
}

/// Finds outputs whose records count several times because several nodes share the target's input.
fn shared_costs(check: &mut Check) {
    let model = check.model;
    let mut found = Vec::new();
    for (n, budget) in check.budgets.iter().enumerate() {
        let node = &model.nodes[n];
        for part in budget.parts.iter().filter(|part| part.copies > 1) {
            let Some(output) = node.outputs.get(part.output) else { continue };
            let (copies, most) = (part.copies, limits(node.launch));
            let message = format!("each record of output `{}` counts {copies} times", part.name);
            let mut lint = Diagnostic::new(Code::SharedCost, output.place, message);
            let targets = model.targets(n, part.output).iter();
            if let Some(target) = targets.copied().find(|t| model.sharers[*t].len() as u64 + 1 == copies) {
                let owner = &model.nodes[target];
                let label = format!("{} nodes share the input of `{}`", copies, show_id(&owner.id));
                lint = lint.also(owner.id_place, label);
            }
            found.push(lint.note(format!(
                "records: {} x {copies} nodes = {} of {}; bytes: {} of {}",
                grouped(part.max_records),
                grouped(part.records()),
                grouped(most.records),
                grouped(part.bytes()),
                grouped(most.bytes),
            )));
        }
    }
    check.out.append(&mut found);
}
