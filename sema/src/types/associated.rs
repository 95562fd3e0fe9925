//! Argument-dependent lookup (C++ [basic.lookup.argdep], as DXC does it). An unqualified call also finds functions in
//! the namespaces of its arguments.
//!
//! The decision to look there is in [`crate::check`], as is overload resolution.

use crate::db::Db;
use crate::db::def::{Def, FnId, Item, Name};
use crate::db::ty::{GenericArg, Ty, TyKind};
use crate::types::names::lookup_in;
use crate::types::record::record;
use crate::types::visible::{defined, known};

/// Adds the full names of the namespaces that a type belongs to: those of enums, records, their bases and their
/// arguments. Vectors, matrices and object types belong to the global namespace; scalars to none.
fn add_namespaces<'db>(db: &'db dyn Db, ty: Ty<'db>, out: &mut Vec<&'db str>) {
    let mut add = |scope: &'db str| {
        if !out.contains(&scope) {
            out.push(scope);
        }
    };
    match ty.kind(db) {
        TyKind::Enum(id) => add(id.item.scope(db)),
        TyKind::Vector(..) | TyKind::Matrix { .. } => add(""),
        TyKind::Array(element, _) => add_namespaces(db, *element, out),
        TyKind::Record(inst) => {
            add(inst.record(db).item.scope(db));
            for arg in inst.args(db) {
                if let GenericArg::Ty(ty) = arg {
                    add_namespaces(db, *ty, out);
                }
            }
            for base in &record(db, *inst).bases {
                add_namespaces(db, Ty::new(db, TyKind::Record(*base)), out);
            }
        }
        _ => {}
    }
}

/// Returns the functions of a name in the namespaces of the arguments' types, each by its definition if it has one.
/// Plain text finds only earlier declarations. A template instance is checked at its call and finds all.
pub(crate) fn functions<'db>(
    db: &'db dyn Db,
    at: Item<'db>,
    name: Name<'db>,
    types: impl IntoIterator<Item = Ty<'db>>,
    is_instance: bool,
) -> Vec<FnId<'db>> {
    let mut namespaces = Vec::new();
    for ty in types {
        add_namespaces(db, ty, &mut namespaces);
    }
    let program = at.program(db);
    let mut out = Vec::new();
    for scope in namespaces {
        let all = lookup_in(db, program, Name::new(db, scope.to_string()), name);
        let seen = if is_instance { all.into() } else { known(db, all, at) };
        for def in seen.iter() {
            // Names that a using-directive opens in the namespace do not count.
            if let Def::Function(f) = def
                && f.item.program(db) == program
                && f.item.scope(db) == scope
            {
                let f = defined(db, *f);
                if !out.contains(&f) {
                    out.push(f);
                }
            }
        }
    }
    out
}
