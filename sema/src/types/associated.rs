//! Argument-dependent lookup (C++ [basic.lookup.argdep], as DXC does it). An unqualified call also finds functions in
//! the namespaces of its arguments.
//!
//! The decision to look there is in [`crate::check`], as is overload resolution.

use crate::db::def::{Def, FnId, Item, Name};
use crate::db::ty::{GenericArg, Ty, TyKind};
use crate::db::{Db, Program};
use crate::types::names::lookup_in;
use crate::types::record::record;
use crate::types::visible::{defined, known};
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use std::borrow::Cow;

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
) -> IndexSet<FnId<'db>, FxBuildHasher> {
    let mut namespaces = Vec::new();
    for ty in types {
        add_namespaces(db, ty, &mut namespaces);
    }
    let program = at.program(db);
    let mut out = IndexSet::default();
    for scope in namespaces {
        let scope = Name::new(db, scope.to_string());
        let all = lookup_in(db, program, scope, name);
        match known(db, all, at) {
            Cow::Owned(earlier) if !is_instance => {
                out.extend(of_scope(db, &earlier, program, scope).map(|f| defined(db, f)));
            }
            _ => out.extend(own_functions(db, program, scope, name)),
        }
    }
    out
}

/// Iterates over the functions of a namespace's own text. Names that a using-directive opens there do not count.
fn of_scope<'a, 'db>(
    db: &'db dyn Db,
    defs: &'a [Def<'db>],
    program: Program,
    scope: Name<'db>,
) -> impl Iterator<Item = FnId<'db>> + use<'a, 'db> {
    let functions = defs.iter().filter_map(|def| if let Def::Function(f) = def { Some(*f) } else { None });
    functions.filter(move |f| f.item.program(db) == program && f.item.scope(db) == scope.text(db))
}

/// Returns all functions of a name in a namespace, each by its definition if it has one.
#[salsa::tracked(returns(ref), cycle_result = declared_functions)]
fn own_functions<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> Vec<FnId<'db>> {
    let all = of_scope(db, lookup_in(db, program, scope, name), program, scope).map(|f| defined(db, f));
    all.collect::<IndexSet<_, FxBuildHasher>>().into_iter().collect()
}

/// Returns declarations too if a signature depends on a call.
fn declared_functions<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    program: Program,
    scope: Name<'db>,
    name: Name<'db>,
) -> Vec<FnId<'db>> {
    of_scope(db, lookup_in(db, program, scope, name), program, scope).collect()
}
