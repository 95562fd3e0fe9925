//! Argument-dependent lookup (C++ [basic.lookup.argdep], as DXC does it): the functions that a plain call finds in the
//! namespaces of its arguments, beside those that its place sees.
//!
//! Not here: when a call looks there at all ([`crate::check`]), and which of all functions it means.

use crate::db::Db;
use crate::db::def::{Def, FnId, Item, Name};
use crate::db::ty::{GenericArg, Ty, TyKind};
use crate::types::names::lookup_in;
use crate::types::record::record;
use crate::types::visible::{defined, known};

/// Adds the namespaces that a type belongs to, in full: those of records, their bases and arguments, and of enums.
/// Vectors, matrices and the types of objects belong to the global one; scalars to none.
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

/// The functions of a name in the namespaces of the arguments' types, each by its definition where it has one. Plain
/// text sees those declared in front of it; an instance of a template, which is read at its call, sees all.
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
            // What a using-directive opens in the namespace does not count.
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
