//! The statements of a function by number, each with its source position.
//!
//! Analyses keep their results in tables keyed by statement number. Markers have no numbers; their contents are in the
//! steps.

use super::{Label, VariesBetween, successors};
use crate::function::{Block, Function, Op, Stmt};
use crate::position::Position;

/// The index of a statement; outer statements precede those inside them.
pub type StepId = usize;

pub struct Step<'f> {
    pub stmt: &'f Stmt,
    pub at: Option<Position>,
    /// The statements of the nested blocks, in the order of [`Stmt::blocks`].
    pub blocks: Vec<Vec<StepId>>,
    /// The innermost enclosing loop, as an index in [`Tree::loops`].
    pub innermost_loop: Option<usize>,
    /// The last nested statement, or the statement itself.
    pub last: StepId,
    /// The compiler created its condition, see [`Tree::is_made`].
    pub is_made: bool,
}

pub struct Tree<'f> {
    pub function: &'f Function,
    pub steps: Vec<Step<'f>>,
    pub body: Vec<StepId>,
    /// Each loop, with the index of the enclosing loop.
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
                    let blocks = stmt.blocks().map(|inner| self.block(inner, at, inside)).collect();
                    self.steps[id].blocks = blocks;
                    self.steps[id].last = self.steps.len() - 1;
                    steps.push(id);
                }
            }
        }
        steps
    }

    /// Returns the operation whose value a statement computes.
    pub fn op(&self, step: StepId) -> Option<&'f Op> {
        match self.steps[step].stmt {
            Stmt::Let(id) => self.function.value(*id).map(|value| &value.op),
            _ => None,
        }
    }

    /// Returns whether the next `If` was created by the compiler. [`inline`](crate::passes::inline) adds it after a
    /// loop or switch that contains a return of the callee, to leave the enclosing statement.
    fn is_made(&self, stmt: &Stmt, at: Option<Position>, before: &[StepId]) -> bool {
        let [.., around, _] = before else { return false };
        let around = &self.steps[*around];
        matches!(stmt, Stmt::If { then, .. } if matches!(then.as_slice(), [Stmt::Break(_)]))
            && matches!(around.stmt, Stmt::Loop { .. } | Stmt::Switch { .. })
            && around.at == at
    }

    /// Returns the relation of a statement to the divergence before it. It is inside the diverging statement, some
    /// threads left early, or a stored value decides again.
    pub fn parting(&self, step: StepId, cause: StepId, between: VariesBetween) -> Label {
        let inside = cause + 1..=self.steps[cause].last;
        if inside.contains(&step) {
            Label::Parts(between)
        } else if matches!(self.steps[cause].stmt, Stmt::Loop { .. }) || successors::leaves(self, cause) {
            Label::Leaves(between)
        } else {
            Label::Decides(between)
        }
    }
}
