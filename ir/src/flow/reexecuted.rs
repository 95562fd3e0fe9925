//! Statements that a later iteration of their loop repeats, if constants determine the trip count.

use super::paths::{Follow, Path, follow};
use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::Stmt;
use std::collections::BTreeSet;

/// Returns those of the statements that run more than once before control leaves their innermost loop. Returns all of
/// them if there are too many paths.
pub fn reexecuted(tree: &Tree<'_>, uniformity: &Uniformity, steps: &BTreeSet<StepId>) -> BTreeSet<StepId> {
    if steps.is_empty() {
        return BTreeSet::new();
    }
    let make = || Reexecuted { tree, steps, found: BTreeSet::new() };
    follow(tree, uniformity, make, &BTreeSet::new()).map_or_else(|| steps.clone(), |found| found.found)
}

struct Reexecuted<'a, 'f> {
    tree: &'a Tree<'f>,
    steps: &'a BTreeSet<StepId>,
    found: BTreeSet<StepId>,
}

impl Follow for Reexecuted<'_, '_> {
    /// The statements that ran since their loops started, on any of the merged paths.
    type Own = BTreeSet<StepId>;

    fn meet(&mut self, own: &mut BTreeSet<StepId>, other: &BTreeSet<StepId>) -> Option<bool> {
        let before = own.len();
        own.extend(other);
        Some(own.len() > before)
    }

    fn at(&mut self, step: StepId, path: &mut Path<BTreeSet<StepId>>, _: &Symbols) {
        if self.steps.contains(&step) && !path.own.insert(step) {
            self.found.insert(step);
        }
    }

    fn after(&mut self, step: StepId, own: &mut BTreeSet<StepId>) -> bool {
        let at = &self.tree.steps[step];
        if matches!(at.stmt, Stmt::Loop { .. }) {
            own.retain(|inside| !(step..=at.last).contains(inside));
        }
        false
    }

    fn end(&mut self, _: &Path<BTreeSet<StepId>>) {}
}
