//! A function's statements by number, each with the place that it was written at.
//!
//! Analyses keep what they find out about statements in tables beside the function; the numbers are the keys. Markers
//! are left out, and what they say is in the steps.

use super::{Between, Label, turns};
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
    /// It decides by what the program does not say, see [`Tree::is_made`].
    pub is_made: bool,
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
                    let is_made = self.is_made(stmt, at, &steps);
                    self.steps.push(Step { stmt, at, blocks: Vec::new(), innermost_loop: around, last: id, is_made });
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

    /// Whether an `If` that comes next is no statement of the program: [`inline`](crate::passes::inline) leaves what is
    /// around a loop or switch that has a return of the callee in it.
    fn is_made(&self, stmt: &Stmt, at: Option<Position>, before: &[StepId]) -> bool {
        let [.., around, _] = before else { return false };
        let around = &self.steps[*around];
        matches!(stmt, Stmt::If { then, .. } if matches!(then.as_slice(), [Stmt::Break]))
            && matches!(around.stmt, Stmt::Loop { .. } | Stmt::Switch { .. })
            && around.at == at
    }

    /// How a statement comes to be where threads have parted: it is inside the one that parts them, some left early, or
    /// what was stored there decides again.
    pub fn parting(&self, step: StepId, cause: StepId, between: Between) -> Label {
        let inside = cause + 1..=self.steps[cause].last;
        if inside.contains(&step) {
            Label::Parts(between)
        } else if matches!(self.steps[cause].stmt, Stmt::Loop { .. }) || turns::leaves(self, cause) {
            Label::Leaves(between)
        } else {
            Label::Decides(between)
        }
    }
}
