//! Removes useless markers: those of statements that a pass removed.

use crate::function::{Block, Stmt};

/// Removes markers without a following statement in the block, so that a block without statements is empty. Also
/// removes positions that another position follows immediately.
pub(super) fn drop_idle_markers(block: &mut Block) {
    // The next item after the current marker: a statement of another kind, or the nearest position.
    let (mut statement, mut position) = (false, true);
    let mut at = block.len();
    while at > 0 {
        at -= 1;
        match &block[at] {
            Stmt::At(_) if !statement || position => drop(block.remove(at)),
            Stmt::At(_) => position = true,
            Stmt::Holds { .. } if !statement => drop(block.remove(at)),
            // It needs its own position.
            Stmt::Holds { .. } => position = false,
            _ => (statement, position) = (true, false),
        }
    }
}
