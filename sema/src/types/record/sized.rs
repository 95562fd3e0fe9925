//! Records whose types are finite and small enough to walk.
//!
//! Some fields make their record contain itself, nest too deep or have too many parts. They have an error type here.
//! So code that walks types may visit each part once, and it terminates.

use super::{Record, declared_record};
use crate::db::Db;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::extent::{ENDLESS, Extent, MAX_DEPTH, MAX_PARTS, declared_extent, excess, extent};
use rustc_hash::FxHashSet;

/// Returns a record with its template arguments substituted.
pub fn record<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> &'db Record<'db> {
    if is_walkable(declared_extent(db, inst)) { declared_record(db, inst) } else { limited(db, inst) }
}

fn is_walkable(extent: Extent) -> bool {
    extent.depth <= MAX_DEPTH && extent.parts <= MAX_PARTS
}

/// Returns the record with error types for the fields that make it too large, and with a diagnostic.
#[salsa::tracked(returns(ref))]
fn limited<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Record<'db> {
    let mut out = declared_record(db, inst).clone();
    for field in &mut out.fields {
        let Extent { depth, parts, .. } = extent(db, field.ty);
        if depth >= MAX_DEPTH || parts > MAX_PARTS {
            field.ty = Ty::error(db);
        }
    }
    let ty = Ty::new(db, TyKind::Record(inst));
    let found = declared_extent(db, inst);
    let wrong = match found.depth {
        ENDLESS => contains_itself(db, inst).then(|| (Code::CyclicDefinition, "contains itself".to_string())),
        _ => excess(found),
    };
    if let Some((code, what)) = wrong
        && out.diagnostics.iter().all(|d| d.code != Code::CyclicDefinition)
    {
        let message = format!("`{}` {what}", ty.display(db));
        out.diagnostics.push(Diagnostic::new(code, out.place, message));
    }
    out
}

/// Returns whether a record is a part of itself, not only of another record that contains itself.
fn contains_itself<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    let mut seen = FxHashSet::default();
    let mut next = vec![inst];
    while let Some(outer) = next.pop() {
        for field in &declared_record(db, outer).fields {
            let TyKind::Record(part) = *crate::types::globals::element(db, field.ty).kind(db) else { continue };
            if part == inst || seen.len() as u64 > MAX_PARTS {
                return true;
            }
            if declared_extent(db, part).depth == ENDLESS && seen.insert(part) {
                next.push(part);
            }
        }
    }
    false
}
