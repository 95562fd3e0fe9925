//! How many bases of bases a record may have: each copies the fields of those before it.

use super::Record;
use super::members::bases_of;
use crate::db::Db;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::RecordInst;
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use rustc_hash::FxHashSet;
use wgc_frontend::ast;

/// Bases in turn, from a record to the one without a base.
pub const MAX_BASES: usize = 64;

/// Whether a record may have its bases. Too many in turn are reported by the first record that has one too many; those
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
    // Instances of templates are not all asked for: each reports.
    let is_instance = |inst: RecordInst<'db>| !inst.args(cx.db).is_empty();
    if levels == MAX_BASES + 1 || is_instance(inst) || bases_of(cx.db, inst).iter().any(|base| is_instance(*base)) {
        let message = format!("`{}` has more than {MAX_BASES} bases in turn", record.name);
        let place = cx.place(first.span);
        cx.errors.push(
            Diagnostic::new(Code::NestingTooDeep, place, message)
                .note("make some of the bases members, or join them into one structure"),
        );
    }
    false
}

/// Whether a record was left without its bases.
pub(super) fn are_too_many<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    levels(db, inst) > MAX_BASES
}

/// Bases in turn, of which no more than [`MAX_BASES`] and two are counted.
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
