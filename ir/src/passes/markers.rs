//! Removes useless markers: those of statements that a pass removed, and those that no debugger will read.

use crate::function::{Block, Function, Stmt};
use crate::module::Module;
use crate::variable::VariableId;
use crate::walk;
use la_arena::Arena;
use rustc_hash::FxHashSet;

/// Removes markers without a following statement in the block, so that a block without statements is empty. Also
/// removes positions that another position follows immediately. [`settle_markers`] has made the first of these useless.
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

/// Ends the values of variables that depend on control flow, and drops idle markers. After a statement with blocks, a
/// variable that a block sets has no value, unless a marker there gives it one. The same applies at the start of the
/// blocks of a loop. So passes may drop markers at the end of a block, and those of blocks that they remove.
pub(super) fn settle_markers(block: &mut Block, function: &Function) {
    if !function.variables.is_empty() {
        lose_changed(block);
    }
    drop_all_idle_markers(block);
}

fn drop_all_idle_markers(block: &mut Block) {
    block.iter_mut().flat_map(Stmt::blocks_mut).for_each(drop_all_idle_markers);
    drop_idle_markers(block);
}

/// Adds markers without a value. Returns the variables that the block sets.
fn lose_changed(block: &mut Block) -> FxHashSet<VariableId> {
    let mut changed = FxHashSet::default();
    let mut out = Block::with_capacity(block.len());
    // Those that the statement before sets, and no marker since.
    let mut lost = FxHashSet::default();
    for mut stmt in block.drain(..) {
        if let Stmt::Holds { variable, .. } = &stmt {
            lost.remove(variable);
            changed.insert(*variable);
        } else if !stmt.is_marker() {
            out.extend(without_values(std::mem::take(&mut lost)));
        }
        for inner in stmt.blocks_mut() {
            lost.extend(lose_changed(inner));
        }
        if let Stmt::Loop { body, continuing, .. } = &mut stmt {
            start_without_values(body, lost.clone());
            start_without_values(continuing, lost.clone());
        }
        changed.extend(&lost);
        out.push(stmt);
    }
    out.extend(without_values(lost));
    *block = out;
    changed
}

/// Makes a block start without values of variables, unless its first markers give them one.
fn start_without_values(block: &mut Block, mut variables: FxHashSet<VariableId>) {
    for stmt in block.iter().take_while(|stmt| stmt.is_marker()) {
        if let Stmt::Holds { variable, .. } = stmt {
            variables.remove(variable);
        }
    }
    block.splice(0..0, without_values(variables));
}

fn without_values(variables: FxHashSet<VariableId>) -> impl Iterator<Item = Stmt> {
    let mut variables: Vec<VariableId> = variables.into_iter().collect();
    variables.sort_unstable_by_key(|variable| variable.into_raw());
    variables.into_iter().map(|variable| Stmt::Holds { variable, value: None })
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
