//! A function's statements by number, each with the place that it was written at.
//!
//! Analyses keep what they find out about statements in tables beside the function; the numbers are the keys. Markers
//! are left out, and what they say is in the steps.

use super::Label;
use crate::function::{Block, Function, Op, Stmt};
use crate::position::Position;

/// The n-th statement, outer ones before those inside them.
pub type StepId = usize;

pub struct Step<'f> {
    pub stmt: &'f Stmt,
    pub at: Option<Position>,
    /// The statements of the blocks inside, in the order of [`Stmt::blocks`].
    pub blocks: Vec<Vec<StepId>>,
    /// The loop that it is in, by its place in [`Tree::loops`].
    pub innermost_loop: Option<usize>,
    /// The last statement inside, or itself.
    pub last: StepId,
}

pub struct Tree<'f> {
    pub function: &'f Function,
    pub steps: Vec<Step<'f>>,
    pub body: Vec<StepId>,
    /// Each loop, and the loop around it by its place here.
    pub loops: Vec<(StepId, Option<usize>)>,
}

impl<'f> Tree<'f> {
    pub fn new(function: &'f Function) -> Tree<'f> {
        let mut tree = Tree { function, steps: Vec::new(), body: Vec::new(), loops: Vec::new() };
        tree.body = tree.block(&function.body, None, None);
        tree
    }

    fn block(&mut self, block: &'f Block, mut at: Option<Position>, around: Option<usize>) -> Vec<StepId> {
        let mut steps = Vec::new();
        for stmt in block {
            match stmt {
                Stmt::At(position) => at = Some(*position),
                Stmt::Holds { .. } => {}
                stmt => {
                    let id = self.steps.len();
                    self.steps.push(Step { stmt, at, blocks: Vec::new(), innermost_loop: around, last: id });
                    let mut inside = around;
                    if let Stmt::Loop { .. } = stmt {
                        self.loops.push((id, around));
                        inside = Some(self.loops.len() - 1);
                    }
                    let blocks = stmt.blocks().into_iter().map(|inner| self.block(inner, at, inside)).collect();
                    self.steps[id].blocks = blocks;
                    self.steps[id].last = self.steps.len() - 1;
                    steps.push(id);
                }
            }
        }
        steps
    }

    /// The operation whose value comes into being in a step.
    pub fn op(&self, step: StepId) -> Option<&'f Op> {
        match self.steps[step].stmt {
            Stmt::Let(id) => self.function.value(*id).map(|value| &value.op),
            _ => None,
        }
    }

    /// How a statement comes to be where threads have parted: it is inside the one that parts them, or some left early.
    pub fn parting(&self, step: StepId, cause: StepId) -> Label {
        if cause < step && step <= self.steps[cause].last { Label::Parts } else { Label::Leaves }
    }
}
