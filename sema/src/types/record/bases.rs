//! The limit on chains of bases: each record copies the fields of all its bases.

use super::Record;
use super::members::bases_of;
use crate::db::Db;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::RecordInst;
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use rustc_hash::FxHashSet;
use wgc_frontend::ast;

/// The longest chain of bases, from a record to one without a base.
pub const MAX_BASES: usize = 64;

/// Returns whether a record may have its bases. The first record with too long a chain reports the error; records
/// derived from it have no bases either.
pub(super) fn allowed<'db>(
    cx: &mut Cx<'_, 'db>,
    inst: RecordInst<'db>,
    written: &[ast::Path],
    record: &Record<'db>,
) -> bool {
    let Some(first) = written.first() else { return true };
    let levels = levels(cx.db, inst);
    if levels <= MAX_BASES {
        return true;
    }
    // Not every template instance is checked, so each of them reports.
    let is_instance = |inst: RecordInst<'db>| !inst.args(cx.db).is_empty();
    if levels == MAX_BASES + 1 || is_instance(inst) || bases_of(cx.db, inst).iter().any(|base| is_instance(*base)) {
        let message = format!("`{}` has a chain of more than {MAX_BASES} bases", record.name);
        let place = cx.place(first.span);
        cx.errors.push(
            Diagnostic::new(Code::NestingTooDeep, place, message)
                .note("turn some of the bases into members, or join them into one structure"),
        );
    }
    false
}

/// Returns whether a record was left without its bases.
pub(super) fn are_too_many<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    levels(db, inst) > MAX_BASES
}

/// Returns the length of the chain of bases, at most [`MAX_BASES`] + 2.
fn levels<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> usize {
    let mut level = vec![inst];
    let mut seen = FxHashSet::default();
    for count in 0..MAX_BASES + 2 {
        level = level.iter().flat_map(|inst| bases_of(db, *inst)).copied().filter(|base| seen.insert(*base)).collect();
        if level.is_empty() {
            return count;
        }
    }
    MAX_BASES + 2
}
