//! What a node does rightly, and at a cost: advice, not mistakes, except that recursion without end is both.
//!
//! Findings here speak of what is written, not of how often control comes there.

use super::places::{Root, root_of};
use super::tree::Tree;
use super::turns::Turns;
use super::uniformity::Uniformity;
use super::{Finding, Kind, Label, Launched, recursion};
use crate::function::*;
use crate::types::AllocScope;

pub fn check(tree: &Tree<'_>, launched: &Launched, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    let turns = Turns::of(tree, uniformity);
    for step in 0..tree.steps.len() {
        let at = tree.steps[step].at;
        if let Some(Op::Allocate { scope: AllocScope::Thread, .. }) = tree.op(step)
            // What leaves the loop behind it asks once.
            && let Some(around) = turns.again(step)
        {
            out.push(Finding::new(Kind::RequestInLoop, at).also(Label::Turns, tree.steps[around].at));
        }
        if let Stmt::Store { place, value } = tree.steps[step].stmt {
            out.extend(empty_grid(tree, launched, uniformity, *place, *value).map(|kind| Finding::new(kind, at)));
        }
    }
    recursion::check(tree, launched, uniformity, out);
}

/// A grid of no groups that is stored into a record.
fn empty_grid(
    tree: &Tree<'_>,
    launched: &Launched,
    uniformity: &Uniformity,
    place: ValueId,
    value: ValueId,
) -> Option<Kind> {
    let (Root::Output(record), path) = root_of(tree.function, place)? else { return None };
    let grid = launched.grids.iter().find(|(ty, _)| *ty == record).map(|(_, path)| path)?;
    // The grid itself, or a component of it.
    let component = match path.strip_prefix(grid.as_slice())? {
        [] => None,
        [component] => Some(*component),
        _ => return None,
    };
    let is_zero = |id: ValueId| uniformity.constant(id).is_some_and(|c| c.bits == 0);
    let empty = match (&tree.function.value(value)?.op, component) {
        (Op::Compose(parts), None) => parts.iter().any(|part| is_zero(*part)),
        (Op::Zero, None) => true,
        _ => is_zero(value),
    };
    empty.then_some(Kind::EmptyGrid)
}
