//! Diagnostics of structure template instances. A template alone is not checked, because its types are unknown.

use crate::check::check;
use crate::check::item::member_assertions;
use crate::db::def::{Def, FnId, RecordId, SourcePlace, VarId};
use crate::db::items::{item_tree, items};
use crate::db::ty::{FnInst, GenericArg, RecordInst, Ty, TyKind};
use crate::db::{Db, Program};
use crate::link::MAX_INSTANCES;
use crate::report::instantiation_notes::{Gathered, Mentions};
use crate::tables::collections::IndexSet;
use crate::types::globals::global;
use crate::types::names::def_place;
use crate::types::record::{plain_records, record};
use crate::types::signature::{fn_signature, template_params};
use rustc_hash::FxHashMap;

/// Returns the types of globals, of plain records, and of functions.
fn mentions<'db>(db: &'db dyn Db, program: Program, functions: &IndexSet<FnInst<'db>>) -> Mentions<'db> {
    let mut types = Mentions::default();
    for item in items(db, program) {
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            let var = VarId { item: *item, index };
            if let Some(global) = global(db, var, None) {
                types.add(global.ty, def_place(db, Def::Var(var)), None);
            }
        }
        for inst in plain_records(db, *item) {
            types.add(Ty::new(db, TyKind::Record(inst)), None, None);
        }
    }
    for function in functions {
        let signature = fn_signature(db, *function);
        signature.params.iter().for_each(|param| types.add(param.ty, Some(param.place), None));
        types.add(signature.ret, def_place(db, Def::Function(function.function(db))), None);
        let Some((item, body)) = crate::types::definition::body(db, *function) else { continue };
        let place = |span| Some(SourcePlace { item, body: Some(body), span });
        let body = &check(db, *function).body;
        body.locals.iter().for_each(|local| types.add(local.ty, place(local.span), None));
        body.exprs.iter().for_each(|expr| types.add(expr.ty, place(expr.span), None));
    }
    types
}

/// Adds the diagnostics of record template instances that globals and checked functions mention, and of the heads of
/// their methods. Returns the types that were found.
pub(super) fn record_instances<'db>(
    db: &'db dyn Db,
    program: Program,
    functions: &IndexSet<FnInst<'db>>,
    found: &mut Gathered<'db>,
) -> Mentions<'db> {
    let mut types = mentions(db, program, functions);
    let mut counts: FxHashMap<RecordId<'db>, u32> = FxHashMap::default();
    let mut next = 0;
    // The set grows during the walk.
    while let Some((ty, mention)) = types.get(next) {
        next += 1;
        match ty.kind(db) {
            TyKind::Array(element, _) => types.add(*element, mention.place, mention.by),
            TyKind::Record(inst) => {
                // A template that instantiates itself forever is reported by the instances within the limit.
                let count = counts.entry(inst.record(db)).or_insert(0);
                *count += 1;
                let is_own = inst.record(db).item.program(db) == program;
                if *count > MAX_INSTANCES && is_own {
                    continue;
                }
                let decl = record(db, *inst);
                if !inst.args(db).is_empty() && is_own {
                    found.add_of_record(*inst, decl.diagnostics.iter().cloned());
                    found.add_of_record(*inst, crate::types::interfaces::missing(db, *inst));
                    found.add_of_record(*inst, member_assertions(db, *inst));
                    for method in methods(db, *inst) {
                        found.add_of_record(*inst, fn_signature(db, method).diagnostics.iter().cloned());
                    }
                }
                for arg in inst.args(db) {
                    if let GenericArg::Ty(ty) = arg {
                        types.add(*ty, mention.place, mention.by);
                    }
                }
                decl.fields.iter().for_each(|field| types.add(field.ty, Some(field.place), Some(*inst)));
                for base in &decl.bases {
                    types.add(Ty::new(db, TyKind::Record(*base)), Some(decl.place), Some(*inst));
                }
            }
            _ => {}
        }
    }
    types
}

/// Returns the methods of a record that are not templates themselves.
fn methods<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> impl Iterator<Item = FnInst<'db>> {
    let record = crate::types::definition::record(db, inst).record;
    let functions = item_tree(db, record.item).decls.functions.iter().zip(0..);
    let own = functions.filter(move |(f, _)| f.around.owner == Some(record.index));
    own.map(move |(_, index)| FnId { item: record.item, index })
        .filter(|f| template_params(db, *f).is_empty())
        .map(move |f| FnInst::new(db, f, Some(inst), Vec::new()))
}
