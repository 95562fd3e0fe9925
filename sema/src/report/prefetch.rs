//! Prefetches the queries of the diagnostics in reverse order on a second thread when a program is opened. Both threads
//! meet in the middle, and nothing is computed twice.

use crate::check::check;
use crate::contracts::node::node;
use crate::db::items::functions;
use crate::db::units;
use crate::db::{Db, Program};
use crate::flow::coherence::coherence;
use crate::flow::records::of_node;
use crate::lower::grid_writes::grid_writes;
use crate::types::definition::has_body;
use crate::types::instantiation::plain_function;

/// Computes the diagnostics of each function and node, starting from the last.
pub fn prefetch(db: &dyn Db, program: Program) {
    for unit in units(db, program).into_iter().rev() {
        for f in functions(db, unit).into_iter().rev() {
            db.unwind_if_revision_cancelled();
            if let Some(function) = plain_function(db, f).filter(|function| has_body(db, *function)) {
                check(db, function);
                grid_writes(db, function);
                coherence(db, function);
            }
            if node(db, f).is_some() {
                of_node(db, program, f.item, f.index);
            }
        }
    }
}
