//! Which statements a later turn of their loop comes to again, where constants decide how many turns there are.

use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::ways::{Follow, Way, follow};
use crate::function::Stmt;
use std::collections::BTreeSet;

/// Of some statements those that control comes to more than once before it leaves their innermost loop; all of them where
/// ways are too many to tell.
pub fn made(tree: &Tree<'_>, uniformity: &Uniformity, steps: &BTreeSet<StepId>) -> BTreeSet<StepId> {
    if steps.is_empty() {
        return BTreeSet::new();
    }
    let make = || Again { tree, steps, again: BTreeSet::new() };
    follow(tree, uniformity, make, &BTreeSet::new()).map_or_else(|| steps.clone(), |found| found.again)
}

struct Again<'a, 'f> {
    tree: &'a Tree<'f>,
    steps: &'a BTreeSet<StepId>,
    again: BTreeSet<StepId>,
}

impl Follow for Again<'_, '_> {
    /// Those that control came to since it came to their loops, on some of the ways that are one.
    type Own = BTreeSet<StepId>;

    fn meet(&mut self, own: &mut BTreeSet<StepId>, other: &BTreeSet<StepId>) -> Option<bool> {
        let before = own.len();
        own.extend(other);
        Some(own.len() > before)
    }

    fn at(&mut self, step: StepId, way: &mut Way<BTreeSet<StepId>>, _: &Symbols) {
        if self.steps.contains(&step) && !way.own.insert(step) {
            self.again.insert(step);
        }
    }

    fn behind(&mut self, step: StepId, own: &mut BTreeSet<StepId>) -> bool {
        let at = &self.tree.steps[step];
        if matches!(at.stmt, Stmt::Loop { .. }) {
            own.retain(|inside| !(step..=at.last).contains(inside));
        }
        false
    }

    fn end(&mut self, _: &Way<BTreeSet<StepId>>) {}
}
