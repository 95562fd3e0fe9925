//! Names are visible from their declarations on, as in C++. The text of an item sees earlier declarations of the
//! program. A scope that declares a name only later is skipped ([`visible`]).
//!
//! A function or variable that is declared only after its use is unknown there. Types, values of enums and namespaces
//! may be declared later ([`later`]) if no earlier declaration has their name. Members of a record see each other.
//! Queries ask only if one item comes before another ([`precedes`]), so adding or removing an item elsewhere changes
//! no answer. Calls in templates see more, once types are known: [`crate::types::associated`].

use crate::db::def::{Def, FnId, Item, Name, RecordId};
use crate::db::items::{fn_node, number, record_node};
use crate::db::{Db, Program};
use crate::types::name_table::opening;
use crate::types::names::{declarations, lookup, lookup_among, lookup_in};
use std::borrow::Cow;
use wgc_frontend::ast::Body;

/// Returns whether an item comes before another of its program.
#[salsa::tracked(returns(copy))]
pub(crate) fn precedes<'db>(db: &'db dyn Db, one: Item<'db>, other: Item<'db>) -> bool {
    number(db, one) < number(db, other)
}

/// Returns whether a definition is visible in the text of an item.
fn is_known<'db>(db: &'db dyn Db, def: &Def<'db>, at: Item<'db>) -> bool {
    let is_in_front = |item: Item<'db>| {
        let program = item.program(db);
        item == at || program == db.prelude() || program != at.program(db) || precedes(db, item, at)
    };
    match def {
        Def::Function(_) | Def::Var(_) | Def::Enum(_) | Def::EnumValue(..) => def.item().is_none_or(is_in_front),
        // In `typedef S S;` the type is a different definition.
        Def::Alias(alias) => alias.item != at && is_in_front(alias.item),
        Def::Record(record) => is_in_front(record.item) || is_announced(db, *record, at),
        Def::Namespace(name) => opening(db, at.program(db), *name).is_none_or(is_in_front),
    }
}

/// Returns whether a record that is defined after an item is declared before it.
fn is_announced<'db>(db: &'db dyn Db, record: RecordId<'db>, at: Item<'db>) -> bool {
    let Some(name) = record_node(db, record).and_then(|node| node.record.name.as_ref()) else { return false };
    let (program, scope) = (record.item.program(db), record.item.scope(db));
    let names = [scope, name.text.as_str()].map(|text| Name::new(db, text.to_string()));
    lookup_in(db, program, names[0], names[1]).iter().any(|def| match def {
        Def::Record(other) => {
            let item = other.item;
            item.program(db) == program && item.scope(db) == scope && (item == at || precedes(db, item, at))
        }
        _ => false,
    })
}

/// Returns whether a definition after its use counts if there is no earlier one.
fn may_be_late(def: &Def) -> bool {
    !matches!(def, Def::Function(_) | Def::Var(_))
}

/// Returns the item of the program that contains this one, which may be a type inside a function.
fn outermost<'db>(db: &'db dyn Db, item: Item<'db>) -> Item<'db> {
    let outer = |item: &Item<'db>| item.around(db).map(|around| around.outer(db));
    std::iter::successors(Some(item), outer).last().unwrap_or(item)
}

/// The fewest functions whose last one is found once for all uses of their name.
const MANY: usize = 16;

/// Functions of one name.
#[salsa::interned(debug, revisions = usize::MAX)]
struct FunctionSet<'db> {
    #[returns(ref)]
    defs: Vec<Def<'db>>,
}

/// Returns the item of the last function in the order of the text; `None` if there are other definitions.
#[salsa::tracked(returns(copy))]
fn last_function<'db>(db: &'db dyn Db, set: FunctionSet<'db>) -> Option<Item<'db>> {
    let items = set.defs(db).iter().map(|def| if let Def::Function(f) = def { Some(f.item) } else { None });
    items.collect::<Option<Vec<_>>>()?.into_iter().max_by_key(|item| number(db, *item))
}

/// Returns whether all are functions before an item, or within it.
fn are_all_in_front<'db>(db: &'db dyn Db, defs: &[Def<'db>], at: Item<'db>) -> bool {
    let is_one = |def: &Def<'db>| def.item().is_some_and(|item| item.program(db) == at.program(db));
    defs.len() >= MANY
        && defs.iter().all(is_one)
        && last_function(db, FunctionSet::new(db, defs.to_vec()))
            .is_some_and(|last| last == at || precedes(db, last, at))
}

/// Returns the definitions that are visible in the text of an item.
pub fn known<'a, 'db>(db: &'db dyn Db, defs: &'a [Def<'db>], at: Item<'db>) -> Cow<'a, [Def<'db>]> {
    let at = outermost(db, at);
    let is_late = |def: &Def<'db>| !is_known(db, def, at);
    if !are_all_in_front(db, defs, at) && defs.iter().any(is_late) {
        Cow::Owned(defs.iter().filter(|def| !is_late(def)).copied().collect())
    } else {
        Cow::Borrowed(defs)
    }
}

/// Returns the definitions that may come after the text of an item, if none before it counts.
pub fn late_types<'db>(defs: &[Def<'db>]) -> Vec<Def<'db>> {
    defs.iter().filter(|def| may_be_late(def)).copied().collect()
}

/// Returns the result of [`lookup`] from the text of an item: a scope that declares the name only later is skipped.
pub fn visible<'db>(db: &'db dyn Db, scope: Name<'db>, name: Name<'db>, at: Item<'db>) -> Cow<'db, [Def<'db>]> {
    let program = at.program(db);
    let all = lookup(db, program, scope, name);
    match known(db, all, at) {
        Cow::Borrowed(all) => Cow::Borrowed(all),
        Cow::Owned(_) => Cow::Borrowed(visible_of_several(db, program, scope, name, outermost(db, at))),
    }
}

/// Like [`visible`], but considers only the definitions that count.
pub(crate) fn visible_among<'db>(
    db: &'db dyn Db,
    scope: Name<'db>,
    name: Name<'db>,
    at: Item<'db>,
    counts: &dyn Fn(&Def<'db>) -> bool,
) -> Vec<Def<'db>> {
    let (program, at) = (at.program(db), outermost(db, at));
    lookup_among(db, program, scope.text(db), name.text(db), &|def| is_known(db, def, at) && counts(def))
}

/// Returns the nearest types, values of enums or namespace of a name that [`visible`] does not find.
#[salsa::tracked(returns(ref))]
pub fn later<'db>(db: &'db dyn Db, program: Program, scope: Name<'db>, name: Name<'db>) -> Vec<Def<'db>> {
    lookup_among(db, program, scope.text(db), name.text(db), &may_be_late)
}

#[salsa::tracked(returns(ref))]
fn visible_of_several<'db>(
    db: &'db dyn Db,
    program: Program,
    scope: Name<'db>,
    name: Name<'db>,
    at: Item<'db>,
) -> Vec<Def<'db>> {
    lookup_among(db, program, scope.text(db), name.text(db), &|def| is_known(db, def, at))
}

/// Returns a function or variable of the name that is declared only after the text of an item.
pub fn late<'db>(
    db: &'db dyn Db,
    scope: Name<'db>,
    is_exact: bool,
    name: Name<'db>,
    at: Item<'db>,
) -> Option<Def<'db>> {
    let program = at.program(db);
    let all = if is_exact { lookup_in(db, program, scope, name) } else { lookup(db, program, scope, name) };
    let known = known(db, all, at);
    all.iter().find(|def| !may_be_late(def) && !known.contains(def)).copied()
}

/// Returns the definition of a declared function, regardless of its position.
pub fn defined<'db>(db: &'db dyn Db, f: FnId<'db>) -> FnId<'db> {
    let has_body = |f: &FnId<'db>| fn_node(db, *f).is_some_and(|node| node.function.body != Body::None);
    if has_body(&f) { f } else { declarations(db, f).iter().copied().find(has_body).unwrap_or(f) }
}
