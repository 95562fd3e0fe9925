//! Advice: correct code that costs more than necessary. Endless recursion is both advice and a mistake.
//!
//! Findings here are about the code as written, regardless of how often it runs.

use super::grids::Written;
use super::places::{Root, root_of};
use super::successors::RepeatedStatements;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label, LaunchParameters, recursion};
use crate::function::*;
use crate::types::AllocScope;

pub fn check(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    written: &Written,
    out: &mut Vec<Finding>,
) {
    let repeated = RepeatedStatements::of(tree, uniformity);
    for step in 0..tree.steps.len() {
        let at = tree.steps[step].at;
        if let Some(Op::Allocate { scope: AllocScope::Thread, .. }) = tree.op(step)
            // A request that leaves the loop afterwards runs once.
            && let Some(around) = repeated.repeating_loop(step)
        {
            out.push(Finding::new(FindingKind::RequestInLoop, at).also(Label::RepeatedLoop, tree.steps[around].at));
        }
        if let Stmt::Store { place, .. } = tree.steps[step].stmt {
            let may = empty_grid(tree, launched, written, step, *place);
            out.extend(may.map(|may| Finding::new(FindingKind::EmptyGrid, at).maybe(may)));
        }
    }
    recursion::check(tree, launched, uniformity, out);
}

/// Finds an empty grid that is stored into a record, on every path or on some.
fn empty_grid(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    written: &Written,
    step: StepId,
    place: ValueId,
) -> Option<bool> {
    let (Root::Output(record), path) = root_of(tree.function, place)? else { return None };
    let grid = launched.grids.iter().find(|(ty, _)| *ty == record).map(|(_, path)| path)?;
    // The grid itself or one of its components.
    if path.strip_prefix(grid.as_slice())?.len() > 1 {
        return None;
    }
    let parts = written.get(&step)?.iter();
    let zeros =
        parts.map(|part| (part.known.contains(&0), part.are_all && part.known.iter().all(|number| *number == 0)));
    let (any, all) = zeros.fold((false, false), |(any, all), (some, only)| (any || some, all || only));
    any.then_some(!all)
}
