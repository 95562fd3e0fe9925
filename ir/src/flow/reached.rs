//! Finds statements that are unreachable because their conditions exclude each other. Mistakes there are ignored.

use super::Finding;
use super::paths::{Follow, Path, follow};
use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::Stmt;
use rustc_hash::FxHashSet;

/// Statements that some path reaches.
pub struct Reached {
    /// The statements, without jumps and statements with blocks.
    steps: FxHashSet<StepId>,
}

impl Reached {
    /// Runs the analysis. Returns `None` if there are too many paths.
    pub fn of(tree: &Tree<'_>, uniformity: &Uniformity) -> Option<Reached> {
        follow(tree, uniformity, || Reached { steps: FxHashSet::default() }, &())
    }

    fn is_open(&self, tree: &Tree<'_>, step: StepId) -> bool {
        let at = &tree.steps[step];
        is_jump(at.stmt) || !at.blocks.is_empty() || self.steps.contains(&step)
    }

    /// Returns whether control may enter a block of a statement.
    pub fn has_arm(&self, tree: &Tree<'_>, step: StepId, arm: usize) -> bool {
        let block = tree.steps[step].blocks.get(arm);
        let is_loop = matches!(tree.steps[step].stmt, Stmt::Loop { .. });
        is_loop || block.and_then(|block| block.first()).is_none_or(|first| self.is_open(tree, *first))
    }

    /// Drops findings at unreachable statements.
    pub fn keep(&self, tree: &Tree<'_>, findings: &mut Vec<Finding>) {
        // Jumps have no position of their own, but that of the previous statement.
        let is_simple = |step: &StepId| tree.steps[*step].blocks.is_empty() && !is_jump(tree.steps[*step].stmt);
        findings.retain(|finding| {
            let is_there = |step: &StepId| tree.steps[*step].at == finding.at && is_simple(step);
            let mut there = (0..tree.steps.len()).filter(is_there).peekable();
            finding.at.is_none() || there.peek().is_none() || there.any(|step| self.steps.contains(&step))
        });
    }
}

fn is_jump(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_))
}

impl Follow for Reached {
    type Own = ();

    fn meet(&mut self, _: &mut (), _: &()) -> Option<bool> {
        Some(false)
    }

    fn at(&mut self, step: StepId, _: &mut Path<()>, _: &Symbols) {
        self.steps.insert(step);
    }

    fn end(&mut self, _: &Path<()>) {}
}
