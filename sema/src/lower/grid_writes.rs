//! Writes to the dispatch grid of a record that a whole grid shares (WorkGraphs.md, "Node input declaration").
//!
//! The record of an `RWDispatchNodeInputRecord` is writable, except for its `SV_DispatchGrid`: other groups of the
//! same grid may start later. A write to the whole record writes the grid too, whether by assignment or by copying back
//! an `inout` parameter. An atomic is a write. A method writes the fields of `this` that its body writes.
//!
//! The module also reports methods that write members of read-only objects, as it has the necessary facts.

use crate::check::check;
use crate::check::env;
use crate::check::hir::{Arg, Body, Category, ExprId, ExprKind};
use crate::check::ops::BuiltinOp;
use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst, TyKind};
use crate::tables::codes::{Code, Severity};
use crate::types::node_record::{field_at, grid_path};
use crate::types::signature::fn_signature;
use wgc_frontend::ast::Span;

/// A place that a body writes: the fields from its root on, up to the first element of an array.
struct WrittenPlace<'db> {
    root: Root<'db>,
    path: Vec<u32>,
    span: Span,
}

#[derive(PartialEq, Eq)]
enum Root<'db> {
    This,
    /// The record of a shared input.
    Input(RecordInst<'db>),
}

/// Reports the forbidden writes of a function.
#[salsa::tracked(returns(ref))]
pub fn grid_writes<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Vec<Diagnostic<'db>> {
    let Some((item, body)) = crate::types::definition::body(db, function) else { return Vec::new() };
    // DXC does not check this for a library.
    let library = item.program(db).options(db).library;
    let severity = if library { Severity::Warning } else { Severity::Error };
    let mut out = Vec::new();
    let checked = &check(db, function).body;
    for written in writes(db, checked) {
        let Root::Input(record) = written.root else { continue };
        let Some(grid) = grid_path(db, record).filter(|grid| overlap(&written.path, grid)) else { continue };
        let message = match written.path.len() < grid.len() {
            true => "this writes the whole record, including its dispatch grid",
            false => "this writes the dispatch grid of a record that all groups of the grid share",
        };
        let place = SourcePlace { item, body: Some(body), span: written.span };
        let diagnostic = Diagnostic::new(Code::GridWrite, place, message).severity(severity);
        let field = field_at(db, record, &grid).unwrap_or(place);
        out.push(diagnostic.also(field, "the grid").note("other groups of the same grid may start later"));
    }
    for expr in &checked.exprs {
        let ExprKind::Call { callee, this: Some(this), .. } = &expr.kind else { continue };
        let object = checked.expr(*this);
        if !matches!(object.category, Category::ReadOnly(_)) || of_this(db, *callee).is_empty() {
            continue;
        }
        let signature = fn_signature(db, *callee);
        let message = format!("method `{}` writes members of its object, which is read-only here", signature.name);
        let place = SourcePlace { item, body: Some(body), span: object.span };
        let diagnostic = Diagnostic::new(Code::WriteToReadOnly, place, message);
        out.push(
            diagnostic
                .also(signature.name_place, "the method")
                .note("copy the object to a variable and call the method there"),
        );
    }
    out
}

/// Returns whether the paths are equal or one contains the other.
fn overlap(a: &[u32], b: &[u32]) -> bool {
    a.starts_with(b) || b.starts_with(a)
}

fn writes<'db>(db: &'db dyn Db, body: &Body<'db>) -> Vec<WrittenPlace<'db>> {
    let mut out = Vec::new();
    let mut add = |place: ExprId, below: &[u32]| {
        if let Some((root, mut path)) = root(db, body, place) {
            path.extend_from_slice(below);
            out.push(WrittenPlace { root, path, span: body.expr(place).span });
        }
    };
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } | ExprKind::Step { place, .. } => {
                add(*place, &[]);
            }
            ExprKind::Call { callee, this, args } => {
                outs(args).for_each(|place| add(place, &[]));
                for below in this.iter().flat_map(|_| of_this(db, *callee)) {
                    this.iter().for_each(|this| add(*this, below));
                }
            }
            ExprKind::Op { op, args, .. } => {
                outs(args).for_each(|place| add(place, &[]));
                if let (BuiltinOp::Atomic(_) | BuiltinOp::CompareStore, Some(Arg::Place(place))) = (op, args.first()) {
                    add(*place, &[]);
                }
            }
            _ => {}
        }
    }
    out
}

fn outs(args: &[Arg]) -> impl Iterator<Item = ExprId> {
    args.iter().filter_map(|arg| match arg {
        Arg::Out(place) | Arg::InOut(place) => Some(*place),
        Arg::In(_) | Arg::Place(_) => None,
    })
}

/// Returns the fields of its object that a method writes.
#[salsa::tracked(returns(ref), cycle_result = no_writes)]
fn of_this<'db>(db: &'db dyn Db, method: FnInst<'db>) -> Vec<Vec<u32>> {
    let written = writes(db, &check(db, method).body);
    written.into_iter().filter(|w| w.root == Root::This).map(|w| w.path).collect()
}

fn no_writes<'db>(_: &'db dyn Db, _: salsa::Id, _: FnInst<'db>) -> Vec<Vec<u32>> {
    Vec::new()
}

/// Returns the relevant root of a place and the path from it.
fn root<'db>(db: &'db dyn Db, body: &Body<'db>, place: ExprId) -> Option<(Root<'db>, Vec<u32>)> {
    let mut path = Vec::new();
    let mut at = place;
    let root = loop {
        match &body.expr(at).kind {
            ExprKind::Field { base, index } => {
                path.push(*index);
                at = *base;
            }
            // The contents of an array element are not the grid; the array itself may be.
            ExprKind::Index { base, .. } => {
                path.clear();
                at = *base;
            }
            ExprKind::Swizzle { base, .. }
            | ExprKind::Elements { base, .. }
            | ExprKind::Bits { base, .. }
            | ExprKind::Base(base) => at = *base,
            ExprKind::This => break Root::This,
            ExprKind::Op { op: BuiltinOp::InputRecord, object: Some(object), .. } => {
                let TyKind::Record(handle) = body.expr(*object).ty.kind(db) else { return None };
                let is_shared = env::builtin(db, *handle).is_some_and(|o| o.is_shared_input());
                let record = env::argument_ty(db, *handle).and_then(|ty| ty.as_record(db));
                break Root::Input(record.filter(|_| is_shared)?);
            }
            _ => return None,
        }
    };
    path.reverse();
    Some((root, path))
}
