//! The structural successors of a statement: out of enclosing statements, or into another iteration of a loop.

use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::Stmt;

/// Returns whether a jump inside a statement leaves it.
pub fn leaves(tree: &Tree<'_>, step: StepId) -> bool {
    /// Searches inside the statement. `loops` counts the loops around the current position, `frames` also the switches.
    fn inside(tree: &Tree<'_>, step: StepId, loops: usize, frames: usize) -> bool {
        let (loops, frames) = match tree.steps[step].stmt {
            Stmt::Return(_) => return true,
            Stmt::Break(_) => return frames == 0,
            Stmt::Continue(_) => return loops == 0,
            Stmt::Loop { .. } => (loops + 1, frames + 1),
            Stmt::Switch { .. } => (loops, frames + 1),
            _ => (loops, frames),
        };
        tree.steps[step].blocks.iter().flatten().any(|inner| inside(tree, *inner, loops, frames))
    }
    tree.steps[step].blocks.iter().flatten().any(|inner| {
        let (loops, frames) = match tree.steps[step].stmt {
            Stmt::Loop { .. } => (1, 1),
            Stmt::Switch { .. } => (0, 1),
            _ => (0, 0),
        };
        inside(tree, *inner, loops, frames)
    })
}

/// The statements that later iterations of loops repeat.
pub struct RepeatedStatements<'a, 'f> {
    tree: &'a Tree<'f>,
    uniformity: &'a Uniformity,
    /// For each statement: the possible continuations after it, within its block.
    after: Vec<Goes>,
    /// The enclosing statement of each.
    enclosing: Vec<Option<StepId>>,
}

impl<'a, 'f> RepeatedStatements<'a, 'f> {
    pub fn of(tree: &'a Tree<'f>, uniformity: &'a Uniformity) -> RepeatedStatements<'a, 'f> {
        let steps = tree.steps.len();
        let mut repeated =
            RepeatedStatements { tree, uniformity, after: vec![Goes::default(); steps], enclosing: vec![None; steps] };
        if !tree.loops.is_empty() {
            repeated.block(&tree.body, None);
        }
        repeated
    }

    /// Returns the innermost loop with a later iteration that may repeat a statement.
    pub fn repeating_loop(&self, step: StepId) -> Option<StepId> {
        self.tree.steps[step].innermost_loop?;
        let mut goes = self.after[step];
        let mut inside = step;
        while let Some(owner) = self.enclosing[inside] {
            match self.tree.steps[owner].stmt {
                Stmt::Loop { .. } => {
                    let repeated = goes.on || goes.continues;
                    if repeated && self.uniformity.takes(self.tree, owner, 1) {
                        return Some(owner);
                    }
                    goes = Goes { on: goes.breaks || repeated && self.ends(owner), ..Goes::default() };
                }
                Stmt::Switch { .. } => goes = goes.after_switch(),
                _ => {}
            }
            goes = goes.then(self.after[owner]);
            inside = owner;
        }
        None
    }

    /// Returns the possible continuations from the start of a block.
    fn block(&mut self, steps: &[StepId], enclosing: Option<StepId>) -> Goes {
        let mut goes = Goes { on: true, ..Goes::default() };
        for &step in steps.iter().rev() {
            (self.after[step], self.enclosing[step]) = (goes, enclosing);
            goes = self.step(step).then(goes);
        }
        goes
    }

    fn step(&mut self, step: StepId) -> Goes {
        let tree = self.tree;
        let mut arms = Goes::default();
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            let goes = self.block(block, Some(step));
            let is_loop = matches!(tree.steps[step].stmt, Stmt::Loop { .. });
            // Only the body of a loop has jumps.
            if if is_loop { arm == 0 } else { self.uniformity.takes(tree, step, arm) } {
                arms = arms.or(goes);
            }
        }
        match tree.steps[step].stmt {
            Stmt::Break(_) => Goes { breaks: true, ..Goes::default() },
            Stmt::Continue(_) => Goes { continues: true, ..Goes::default() },
            Stmt::Return(_) => Goes::default(),
            Stmt::If { .. } => arms,
            Stmt::Switch { .. } => arms.after_switch(),
            Stmt::Loop { .. } => {
                let on = arms.breaks || (arms.on || arms.continues) && self.ends(step);
                Goes { on, ..Goes::default() }
            }
            _ => Goes { on: true, ..Goes::default() },
        }
    }

    /// Returns whether a loop may be left at the end of an iteration.
    fn ends(&self, step: StepId) -> bool {
        let decides = matches!(self.tree.steps[step].stmt, Stmt::Loop { break_if: Some(_), .. });
        decides && self.uniformity.takes(self.tree, step, 0)
    }
}

/// The possible continuations of a statement.
#[derive(Clone, Copy, Default)]
struct Goes {
    /// To the next one.
    on: bool,
    /// Out of the loop or switch around it.
    breaks: bool,
    continues: bool,
}

impl Goes {
    fn or(self, other: Goes) -> Goes {
        Goes {
            on: self.on || other.on,
            breaks: self.breaks || other.breaks,
            continues: self.continues || other.continues,
        }
    }

    fn then(self, next: Goes) -> Goes {
        if self.on { Goes { on: false, ..self }.or(next) } else { self }
    }

    fn after_switch(self) -> Goes {
        Goes { on: self.on || self.breaks, breaks: false, ..self }
    }
}
