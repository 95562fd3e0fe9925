//! Ambiguous names: several namespaces declare them, and `using namespace` opens more than one of these.

use crate::db::Db;
use crate::db::def::{Def, Item};
use crate::db::items::items;
use crate::types::names::{declared, name_table, scope_as_written};

/// Returns whether a namespace is in `scope` or equals it. If `scope` uses it, its names count as names of `scope`.
pub fn lies_in(namespace: &str, scope: &str) -> bool {
    scope.is_empty() || namespace.strip_prefix(scope).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Returns whether an item can use the names of a namespace without qualification. The item is inside the namespace,
/// or a `using` before it names the namespace. A later `using` makes nothing ambiguous.
pub fn is_open<'db>(db: &'db dyn Db, scope: &str, at: Item<'db>) -> bool {
    if lies_in(at.scope(db), scope) {
        return true;
    }
    let program = at.program(db);
    let table = name_table(db, program);
    items(db, program).iter().take_while(|item| **item != at).any(|item| {
        let declared = declared(db, *item);
        let names = declared.used.iter().map(|path| path.rsplit_once("::").map_or("", |(scope, _)| scope));
        let mut opened = declared.using.iter().map(String::as_str).chain(names);
        opened.any(|used| scope_as_written(table, item.scope(db), used).as_deref() == Some(scope))
    })
}

/// Returns a definition from another namespace than that of `best`, in the same program.
pub fn rival<'db>(db: &'db dyn Db, best: Def<'db>, defs: &[Def<'db>]) -> Option<Def<'db>> {
    let item = best.item()?;
    let differs = |other: Item<'db>| other.program(db) == item.program(db) && other.scope(db) != item.scope(db);
    defs.iter().copied().find(|def| def.item().is_some_and(differs))
}

/// Returns the full name of `name` in the namespace of the item.
pub fn full_name<'db>(db: &'db dyn Db, item: Item<'db>, name: &str) -> String {
    match item.scope(db) {
        "" => format!("::{name}"),
        scope => format!("{scope}::{name}"),
    }
}
