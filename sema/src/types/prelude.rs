//! Names of the built-in declarations ([`crate::db::prelude`]).

use crate::db::Db;
use crate::db::def::{Def, Name};
use crate::db::prelude::piece_item;
use crate::types::name_table::declared;
use wgc_stdlib::index::{NAMESPACES, declaring};

/// Returns the definitions of a name in one scope of the prelude.
pub fn named<'db>(db: &'db dyn Db, scope: &str, name: &str) -> Vec<Def<'db>> {
    let is_namespace = scope.is_empty() && NAMESPACES.contains(&name);
    let mut found: Vec<Def<'db>> =
        is_namespace.then(|| Def::Namespace(Name::new(db, name.to_string()))).into_iter().collect();
    let prelude = db.prelude();
    for item in declaring(scope, name).iter().filter_map(|piece| piece_item(db, prelude, *piece)) {
        let named = declared(db, item).names.iter().filter(|(declared, _)| declared == name);
        found.extend(named.map(|(_, def)| *def));
    }
    found
}
