//! Positions that say nothing: the marker of a statement that a pass removed.

use crate::function::{Block, Stmt};

/// Leaves out markers that no statement of the block follows before the next one, so that a block without statements
/// is empty.
pub(super) fn drop_idle_markers(block: &mut Block) {
    let mut behind = true;
    let mut at = block.len();
    while at > 0 {
        at -= 1;
        let is_marker = matches!(block[at], Stmt::At(_));
        if is_marker && behind {
            block.remove(at);
        } else {
            behind = is_marker;
        }
    }
}
