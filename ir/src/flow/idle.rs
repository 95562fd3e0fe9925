//! Removes completions that have no effect. The language ignores `Complete` on a variable without a handle, but targets
//! have no such case.

use super::handles::{Handle, HandleFlow};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{LaunchParameters, tree};
use crate::function::*;
use crate::graph::Launch;
use rustc_hash::FxHashSet;

/// Removes each `Complete` of a variable that holds no handle there on any path, because none was assigned or another
/// `Complete` cleared it. Barriers lose their handles, which only checks need. The calls with handles must be inlined,
/// and [`promote`](crate::passes::promote) must not have run.
pub fn drop_idle_completions(function: &mut Function) {
    forget(&mut function.body);
    let idle = idle(function);
    if idle.is_empty() {
        return;
    }
    let mut next = 0;
    remove(&mut function.body, &mut next, &idle);
}

/// Removes the handles of barriers.
fn forget(block: &mut Block) {
    for stmt in block {
        if let Stmt::Barrier(barrier) = stmt {
            barrier.records = None;
        }
        stmt.blocks_mut().for_each(forget);
    }
}

/// Returns the statements to remove: completions, and the loads that only they use.
fn idle(function: &Function) -> FxHashSet<StepId> {
    let tree = Tree::new(function);
    let mut idle = FxHashSet::default();
    let is_completion = |step: &tree::Step<'_>| matches!(step.stmt, Stmt::Complete(_));
    if !tree.steps.iter().any(is_completion) {
        return idle;
    }
    // The launch parameters do not affect handles.
    let anyone = LaunchParameters {
        is_coherent: false,
        launch: Launch::Thread,
        num_threads: None,
        grid: None,
        wave_size: None,
        max_input_records: None,
        outputs: Vec::new(),
        grids: Vec::new(),
        mesh: Vec::new(),
    };
    let Some(uniformity) = Uniformity::of(&tree, &anyone) else { return idle };
    let Some(flow) = HandleFlow::of(&tree, &uniformity) else { return idle };
    let mut loads = FxHashSet::default();
    for (step, handles) in &flow.completed {
        if let Stmt::Complete(records) = tree.steps[*step].stmt
            && handles.iter().all(|handle| matches!(handle, Handle::Null | Handle::Taken(_)))
        {
            idle.insert(*step);
            loads.insert(*records);
        }
    }
    // Other uses keep the loads.
    let others = tree.steps.iter().enumerate().filter(|(step, _)| !idle.contains(step));
    for used in others.flat_map(|(_, step)| operands(function, step.stmt)) {
        loads.remove(&used);
    }
    let is_load = |id: &ValueId| matches!(function.value(*id), Some(Value { op: Op::Load(_), .. }));
    let steps = tree.steps.iter().enumerate();
    idle.extend(steps.filter_map(|(step, at)| match at.stmt {
        Stmt::Let(id) if loads.contains(id) && is_load(id) => Some(step),
        _ => None,
    }));
    idle
}

/// Returns the operands of a statement, and of the operation of a `Let`.
fn operands(function: &Function, stmt: &Stmt) -> Vec<ValueId> {
    let mut all = stmt.operands();
    if let Stmt::Let(id) = stmt
        && let Some(value) = function.value(*id)
    {
        value.op.for_each_operand(|operand| all.push(operand));
    }
    all
}

/// Removes idle statements. They are numbered as in [`Tree`].
fn remove(block: &mut Block, next: &mut StepId, idle: &FxHashSet<StepId>) {
    block.retain_mut(|stmt| {
        if stmt.is_marker() {
            return true;
        }
        let step = *next;
        *next += 1;
        stmt.blocks_mut().for_each(|inner| remove(inner, next, idle));
        !idle.contains(&step)
    });
}
