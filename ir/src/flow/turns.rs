//! Where control goes on from a statement by the structure alone: out of what is around it, or into another turn of a
//! loop.

use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::Stmt;

/// Whether a jump inside a statement leads out of it.
pub fn leaves(tree: &Tree<'_>, step: StepId) -> bool {
    /// In so many loops, and loops and switches, that are inside.
    fn inside(tree: &Tree<'_>, step: StepId, loops: usize, frames: usize) -> bool {
        let (loops, frames) = match tree.steps[step].stmt {
            Stmt::Return(_) => return true,
            Stmt::Break => return frames == 0,
            Stmt::Continue => return loops == 0,
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

/// Which statements later turns of loops come to again.
pub struct Turns<'a, 'f> {
    tree: &'a Tree<'f>,
    uniformity: &'a Uniformity,
    /// By statement: where control may go from behind it, as far as its block.
    behind: Vec<Goes>,
    /// The statement that each is in a block of.
    around: Vec<Option<StepId>>,
}

impl<'a, 'f> Turns<'a, 'f> {
    pub fn of(tree: &'a Tree<'f>, uniformity: &'a Uniformity) -> Turns<'a, 'f> {
        let steps = tree.steps.len();
        let mut turns = Turns { tree, uniformity, behind: vec![Goes::default(); steps], around: vec![None; steps] };
        if !tree.loops.is_empty() {
            turns.block(&tree.body, None);
        }
        turns
    }

    /// The innermost loop of which a later turn may come to a statement again.
    pub fn again(&self, step: StepId) -> Option<StepId> {
        self.tree.steps[step].innermost_loop?;
        let mut goes = self.behind[step];
        let mut inside = step;
        while let Some(owner) = self.around[inside] {
            match self.tree.steps[owner].stmt {
                Stmt::Loop { .. } => {
                    let turns = goes.on || goes.continues;
                    if turns && self.uniformity.takes(self.tree, owner, 1) {
                        return Some(owner);
                    }
                    goes = Goes { on: goes.breaks || turns && self.ends(owner), ..Goes::default() };
                }
                Stmt::Switch { .. } => goes = goes.behind_switch(),
                _ => {}
            }
            goes = goes.then(self.behind[owner]);
            inside = owner;
        }
        None
    }

    /// Where control may go from the begin of a block.
    fn block(&mut self, steps: &[StepId], around: Option<StepId>) -> Goes {
        let mut goes = Goes { on: true, ..Goes::default() };
        for &step in steps.iter().rev() {
            (self.behind[step], self.around[step]) = (goes, around);
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
            // Of a loop the body alone has jumps.
            if if is_loop { arm == 0 } else { self.uniformity.takes(tree, step, arm) } {
                arms = arms.or(goes);
            }
        }
        match tree.steps[step].stmt {
            Stmt::Break => Goes { breaks: true, ..Goes::default() },
            Stmt::Continue => Goes { continues: true, ..Goes::default() },
            Stmt::Return(_) => Goes::default(),
            Stmt::If { .. } => arms,
            Stmt::Switch { .. } => arms.behind_switch(),
            Stmt::Loop { .. } => {
                let on = arms.breaks || (arms.on || arms.continues) && self.ends(step);
                Goes { on, ..Goes::default() }
            }
            _ => Goes { on: true, ..Goes::default() },
        }
    }

    /// Whether a loop is left at the end of a turn.
    fn ends(&self, step: StepId) -> bool {
        let decides = matches!(self.tree.steps[step].stmt, Stmt::Loop { break_if: Some(_), .. });
        decides && self.uniformity.takes(self.tree, step, 0)
    }
}

/// Where control may go from a statement.
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

    fn behind_switch(self) -> Goes {
        Goes { on: self.on || self.breaks, breaks: false, ..self }
    }
}
