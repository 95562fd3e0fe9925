//! Suggestions for unknown names: the nearest valid name.
//!
//! Only types are offered if a type is expected. The names of scalars, vectors and matrices are among them.

use crate::db::def::{Def, SourcePlace};
use crate::db::ty::GenericArg;
use crate::tables::similar_names::closest;
use crate::types::cx::Cx;
use crate::types::name_table::name_table;
use crate::types::names::def_place;
use crate::types::written::{spelled, spellings};
use std::borrow::Cow;
use wgc_stdlib::index;

/// The kind of name that is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Value,
    /// A callee: a function, or a type for a constructor.
    Called,
    Type,
    /// A scope with members: a type or a namespace.
    Scope,
}

impl NameKind {
    fn is_type(self) -> bool {
        matches!(self, NameKind::Type | NameKind::Scope)
    }

    /// Returns whether a definition of the program is of this kind.
    fn takes<'db>(self, cx: &Cx<'_, 'db>, def: &Def<'db>) -> bool {
        match def {
            Def::Record(record) => !self.is_type() || !crate::types::record::is_variable(cx.db, *record),
            Def::Enum(_) | Def::Alias(_) => true,
            Def::Namespace(_) => self != NameKind::Type,
            Def::Function(_) => !self.is_type(),
            Def::Var(_) | Def::EnumValue(..) => self == NameKind::Value,
        }
    }
}

/// Returns the nearest name, and its declaration in the program.
pub(crate) fn nearest<'db>(
    cx: &Cx<'_, 'db>,
    name: &str,
    wanted: NameKind,
) -> Option<(String, Option<SourcePlace<'db>>)> {
    let may_be = crate::tables::similar_names::possible(name);
    let mut known: Vec<(Cow<'_, str>, Option<Def<'db>>)> = Vec::new();
    if wanted.is_type() {
        known.extend(cx.locals.map_or_else(Vec::new, |l| l.types()).into_iter().map(|name| (name.into(), None)));
        let types = cx.env.iter().filter(|(_, arg)| matches!(arg, GenericArg::Ty(_)));
        known.extend(types.map(|(name, _)| (name.as_str().into(), None)));
    }
    let table = name_table(cx.db, cx.item.program(cx.db));
    let mut around = Some(crate::types::definition::home(cx.db, cx.item));
    while let Some(scope) = around {
        for (name, defs) in table.scopes.get(scope).into_iter().flatten().filter(|(name, _)| may_be(name)) {
            if let Some(def) = defs.iter().find(|def| wanted.takes(cx, def)) {
                known.push((name.as_str().into(), Some(*def)));
            }
        }
        around = (!scope.is_empty()).then(|| scope.rsplit_once("::").map_or("", |(outer, _)| outer));
    }
    let built_in = index::names("").filter(|name| may_be(name));
    let built_in = built_in.filter(|name| !wanted.is_type() || index::TYPES.binary_search(name).is_ok());
    known.extend(built_in.map(|name| (name.into(), None)));
    if matches!(wanted, NameKind::Type | NameKind::Called) {
        known.extend(spellings().map(|name| (name.into(), None)));
    }
    let meant = closest(name, known.iter().map(|(name, _)| &**name))?.to_string();
    let def = known.iter().find(|(name, _)| **name == meant).and_then(|(_, def)| *def);
    let place = def.and_then(|def| def_place(cx.db, def));
    Some((meant, place))
}

/// Returns the nearest name in a namespace, which is given by its full name.
pub(crate) fn nearest_in<'db>(cx: &Cx<'_, 'db>, scope: &str, name: &str) -> Option<(String, Option<SourcePlace<'db>>)> {
    let own = name_table(cx.db, cx.item.program(cx.db)).scopes.get(scope);
    let names = own.into_iter().flat_map(|names| names.keys().map(|name| name.as_str()));
    let meant = closest(name, names.chain(index::names(scope).map(|name| -> &str { name })))?;
    let def = own.and_then(|names| names.get(meant)).and_then(|defs| defs.first().copied());
    Some((meant.to_string(), def.and_then(|def| def_place(cx.db, def))))
}

/// Returns the HLSL type for a type name of another language.
pub(crate) fn foreign_type(name: &str) -> Option<&'static str> {
    let word = crate::types::foreign_names::instead(name)?.strip_prefix("HLSL has `")?.strip_suffix('`')?;
    spelled(word, false).map(|_| word)
}
