//! The limit on chains of template instantiations.
//!
//! An `S<N>` that needs `S<N - 1>` recurses through queries. Without an end it would overflow the stack. The depth is
//! that of the current thread's recursion. A program that reaches the limit is wrong regardless of the query that
//! came first.

use crate::db::Db;
use crate::db::def::{FnId, Item};
use crate::db::items::fn_node;
use crate::db::ty::{FnInst, RecordInst};
use crate::types::signature::template_params;
use std::cell::Cell;

/// The limit of nested instantiations.
pub const MAX_INSTANTIATIONS: u32 = 100;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One level of instantiation, until it is dropped.
pub struct Level(());

/// Enters a level; `None` at the limit.
pub fn enter() -> Option<Level> {
    enter_within(MAX_INSTANTIATIONS)
}

/// Enters a level for a name lookup in bases. This has a higher limit: the instance at the limit reports the error,
/// not the names that it needs.
pub fn enter_base() -> Option<Level> {
    enter_within(2 * MAX_INSTANTIATIONS)
}

/// Enters a level for the sum of a type's parts.
pub fn enter_part() -> Option<Level> {
    enter_within(4 * MAX_INSTANTIATIONS)
}

fn enter_within(limit: u32) -> Option<Level> {
    DEPTH.with(|depth| {
        let now = depth.get();
        (now < limit).then(|| {
            depth.set(now + 1);
            Level(())
        })
    })
}

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// Returns the instance of a record that is neither a template nor part of one.
pub fn plain_owner<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Option<RecordInst<'db>> {
    let id = crate::db::def::RecordId { item, index };
    crate::types::record::is_plain(db, id).then(|| RecordInst::new(db, id, Vec::new()))
}

/// Returns the only instance of a function if neither it nor its record is a template.
pub fn plain_function<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<FnInst<'db>> {
    let node = fn_node(db, f)?;
    if !template_params(db, f).is_empty() || !crate::types::name_table::declares(&node) {
        return None;
    }
    let owner = match node.decl.around.owner {
        Some(index) => Some(plain_owner(db, f.item, index)?),
        None => None,
    };
    Some(FnInst::new(db, f, owner, Vec::new()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instantiation_levels_are_released_on_drop() {
        for _ in 0..2 {
            let levels: Vec<Level> = (0..MAX_INSTANTIATIONS).map(|_| enter().unwrap()).collect();
            assert!(enter().is_none());
            drop(levels);
        }
    }
}
