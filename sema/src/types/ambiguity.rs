//! Ambiguous names: several namespaces declare them, and `using namespace` opens more than one of these.

use crate::db::Db;
use crate::db::def::{Def, Item, Name};
use crate::types::name_table::lies_in;
use crate::types::using_directives::first_use;
use crate::types::visible::precedes;

/// Returns whether an item can use the names of a namespace without qualification. The item is inside the namespace,
/// or a `using` before it names the namespace. A later `using` makes nothing ambiguous.
pub fn is_open<'db>(db: &'db dyn Db, scope: &str, at: Item<'db>) -> bool {
    if lies_in(at.scope(db), scope) {
        return true;
    }
    let scope = Name::new(db, scope.to_string());
    first_use(db, at.program(db), scope).is_some_and(|first| precedes(db, first, at))
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
