//! Removes useless markers: those of statements that a pass removed, and those that no debugger will read.

use crate::function::{Block, Function, Stmt};
use crate::module::Module;
use crate::walk;
use la_arena::Arena;

/// Removes markers without a following statement in the block, so that a block without statements is empty. Also
/// removes positions that another position follows immediately.
pub(super) fn drop_idle_markers(block: &mut Block) {
    // The next item after the current marker: a statement of another kind, or the nearest position.
    let (mut statement, mut position) = (false, true);
    // From the last statement to the first.
    let mut kept = Vec::with_capacity(block.len());
    for stmt in block.iter().rev() {
        kept.push(match stmt {
            Stmt::At(_) => statement && !std::mem::replace(&mut position, true),
            Stmt::Holds { .. } => {
                // It needs its own position.
                position &= !statement;
                statement
            }
            // Nothing runs between the marker and the end of the block.
            Stmt::Yield(_) => true,
            _ => {
                (statement, position) = (true, false);
                true
            }
        });
    }
    if kept.iter().any(|kept| !kept) {
        block.retain(|_| kept.pop().unwrap_or(true));
    }
}

/// Removes the variables of debuggers, and the statements that name their values. Positions stay.
pub fn strip(module: &mut Module) {
    for function in module.functions.values_mut() {
        let locals_hold = || function.locals.values().any(|local| local.variable.is_some());
        if !function.variables.is_empty() || locals_hold() {
            strip_function(function);
        }
    }
}

fn strip_function(function: &mut Function) {
    function.variables = Arena::new();
    function.locals.values_mut().for_each(|local| local.variable = None);
    function.params.iter_mut().for_each(|param| param.variable = None);
    let is_kept = |stmt: &Stmt| !matches!(stmt, Stmt::Holds { .. });
    function.body.retain(is_kept);
    walk::statements_mut(&mut function.body, &mut |stmt| stmt.blocks_mut().for_each(|block| block.retain(is_kept)));
}
