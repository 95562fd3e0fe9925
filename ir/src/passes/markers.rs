//! Markers that say nothing: those of statements that a pass removed.

use crate::function::{Block, Stmt};

/// Leaves out markers that no statement of the block follows, so that a block without statements is empty, and
/// positions that another one follows at once.
pub(super) fn drop_idle_markers(block: &mut Block) {
    // What stands behind the marker at hand: a statement of another kind, or the nearest position.
    let (mut statement, mut position) = (false, true);
    let mut at = block.len();
    while at > 0 {
        at -= 1;
        match &block[at] {
            Stmt::At(_) if !statement || position => drop(block.remove(at)),
            Stmt::At(_) => position = true,
            Stmt::Holds { .. } if !statement => drop(block.remove(at)),
            // It stands at a position of its own.
            Stmt::Holds { .. } => position = false,
            _ => (statement, position) = (true, false),
        }
    }
}
