//! What a node does rightly, and at a cost: advice, not mistakes, except that recursion without end is both.
//!
//! Findings here speak of what is written, not of how often control comes there.

use super::grids::Written;
use super::places::{Root, root_of};
use super::tree::{StepId, Tree};
use super::turns::Turns;
use super::uniformity::Uniformity;
use super::{Finding, Kind, Label, Launched, recursion};
use crate::function::*;
use crate::types::AllocScope;

pub fn check(tree: &Tree<'_>, launched: &Launched, uniformity: &Uniformity, written: &Written, out: &mut Vec<Finding>) {
    let turns = Turns::of(tree, uniformity);
    for step in 0..tree.steps.len() {
        let at = tree.steps[step].at;
        if let Some(Op::Allocate { scope: AllocScope::Thread, .. }) = tree.op(step)
            // What leaves the loop behind it asks once.
            && let Some(around) = turns.again(step)
        {
            out.push(Finding::new(Kind::RequestInLoop, at).also(Label::Turns, tree.steps[around].at));
        }
        if let Stmt::Store { place, .. } = tree.steps[step].stmt {
            let may = empty_grid(tree, launched, written, step, *place);
            out.extend(may.map(|may| Finding::new(Kind::EmptyGrid, at).maybe(may)));
        }
    }
    recursion::check(tree, launched, uniformity, out);
}

/// A grid of no groups that is stored into a record; whether only some way stores it.
fn empty_grid(tree: &Tree<'_>, launched: &Launched, written: &Written, step: StepId, place: ValueId) -> Option<bool> {
    let (Root::Output(record), path) = root_of(tree.function, place)? else { return None };
    let grid = launched.grids.iter().find(|(ty, _)| *ty == record).map(|(_, path)| path)?;
    // The grid itself, or a component of it.
    if path.strip_prefix(grid.as_slice())?.len() > 1 {
        return None;
    }
    let parts = written.get(&step)?.iter();
    let zeros =
        parts.map(|part| (part.known.contains(&0), part.are_all && part.known.iter().all(|number| *number == 0)));
    let (any, all) = zeros.fold((false, false), |(any, all), (some, only)| (any || some, all || only));
    any.then_some(!all)
}
