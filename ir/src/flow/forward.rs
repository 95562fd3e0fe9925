//! Forward data flow over structured control flow.
//!
//! Branches start from the state before them, and their results are joined after them. Loops are repeated until their
//! state no longer grows. Jumps carry their state to their targets. The last walk knows the states of all loops. In it
//! the analysis reports its findings, and each reachable statement is visited once.

use super::tree::{StepId, Tree};
use crate::function::Stmt;
use rustc_hash::FxHashMap;

/// The number of visited statements after which an analysis gives up. Loops nested hundreds deep need ever more rounds.
const MAX_VISITS: usize = 1 << 20;

/// The target of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The end of the function.
    Function,
    /// The statement after the n-th open loop or switch.
    Behind(usize),
    /// The `continuing` of the n-th open loop.
    Next(usize),
}

/// An analysis, as operations on its state. States only grow.
pub trait Forward {
    type State: Clone;

    /// Adds the state of another path. Returns whether anything is new.
    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool;

    /// Visits a statement without blocks that is not a jump.
    fn simple(&mut self, step: StepId, state: &mut Self::State);

    /// Enters block `arm` of an `If` or `Switch`, or decides at the end of a `Loop` to leave it (arm 0) or to repeat it
    /// (arm 1). Returns false if that never happens.
    fn arm(&mut self, step: StepId, arm: usize, state: &mut Self::State) -> bool;

    /// Returns a counter that rises with every result outside of the states.
    fn version(&self) -> usize {
        0
    }

    /// Starts the last walk.
    fn report(&mut self) {}

    /// Opens a loop or switch.
    fn open(&mut self) {}

    /// Closes the innermost loop or switch.
    fn close(&mut self) {}

    fn jump(&mut self, _step: StepId, _target: Target, _state: &Self::State) {}

    /// Enters an `If`, `Switch` or `Loop`.
    fn enter(&mut self) {}

    /// Leaves a block of an `If` or `Switch`. The argument tells if control reaches its end.
    fn arm_end(&mut self, _comes_out: bool) {}

    /// Leaves an `If`, `Switch` or `Loop`, even if control does not continue after it.
    fn leave(&mut self) {}

    /// Continues after an `If`, `Switch` or `Loop`.
    fn after(&mut self, _step: StepId, _before: &Self::State, _after: &mut Self::State) {}

    /// Enters the `continuing` of a loop from its body.
    fn continuing(&mut self, _step: StepId, _head: &Self::State, _state: &mut Self::State) {}

    /// Starts the next iteration of a loop.
    fn repeat(&mut self, _step: StepId, _state: &Self::State) {}

    /// Reaches the end of the function in the last walk.
    fn end(&mut self, _state: &Self::State) {}

    /// Finishes one round over a loop.
    fn round(&mut self) {}
}

/// Runs an analysis with an initial state. Returns `None` if it takes too long.
pub fn run<A: Forward>(tree: &Tree<'_>, analysis: A, start: A::State) -> Option<A> {
    let mut walk =
        Walk { tree, analysis, frames: Vec::new(), heads: FxHashMap::default(), reporting: false, visits: 0 };
    walk.block(&tree.body, Some(start.clone()));
    walk.analysis.report();
    walk.reporting = true;
    if let Some(end) = walk.block(&tree.body, Some(start)) {
        walk.analysis.end(&end);
    }
    (walk.visits < MAX_VISITS).then_some(walk.analysis)
}

struct Walk<'t, 'f, A: Forward> {
    tree: &'t Tree<'f>,
    analysis: A,
    /// The open loops and switches.
    frames: Vec<Frame<A::State>>,
    /// The known states at the start of loops.
    heads: FxHashMap<StepId, A::State>,
    reporting: bool,
    visits: usize,
}

struct Frame<S> {
    is_loop: bool,
    /// The state of jumps that leave it.
    left: Option<S>,
    /// The state of jumps to the next round.
    continued: Option<S>,
}

impl<A: Forward> Walk<'_, '_, A> {
    /// Returns the state after the statements, or `None` if it is unreachable.
    fn block(&mut self, steps: &[StepId], mut state: Option<A::State>) -> Option<A::State> {
        for &step in steps {
            let before = state?;
            self.visits += 1;
            if self.visits >= MAX_VISITS {
                return None;
            }
            state = self.step(step, before);
        }
        state
    }

    fn step(&mut self, step: StepId, mut state: A::State) -> Option<A::State> {
        match self.tree.steps[step].stmt {
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Loop { .. } => {
                self.analysis.enter();
                let mut after = match self.tree.steps[step].stmt {
                    Stmt::If { .. } => self.arms(step, &state),
                    Stmt::Switch { .. } => {
                        self.push(false);
                        let after = self.arms(step, &state);
                        let left = self.pop().left;
                        self.joined(after, left)
                    }
                    _ => self.repeated(step, &state),
                };
                if let Some(after) = &mut after {
                    self.analysis.after(step, &state, after);
                }
                self.analysis.leave();
                after
            }
            Stmt::Break(_) => {
                let innermost = self.frames.len().checked_sub(1)?;
                self.analysis.jump(step, Target::Behind(innermost), &state);
                let left = self.frames[innermost].left.take();
                self.frames[innermost].left = self.joined(left, Some(state));
                None
            }
            Stmt::Continue(_) => {
                let innermost = self.frames.iter().rposition(|frame| frame.is_loop)?;
                self.analysis.jump(step, Target::Next(innermost), &state);
                let continued = self.frames[innermost].continued.take();
                self.frames[innermost].continued = self.joined(continued, Some(state));
                None
            }
            Stmt::Return(_) => {
                self.analysis.jump(step, Target::Function, &state);
                None
            }
            _ => {
                self.analysis.simple(step, &mut state);
                Some(state)
            }
        }
    }

    fn joined(&mut self, a: Option<A::State>, b: Option<A::State>) -> Option<A::State> {
        match (a, b) {
            (Some(mut a), Some(b)) => {
                self.analysis.join(&mut a, &b);
                Some(a)
            }
            (a, b) => a.or(b),
        }
    }

    fn push(&mut self, is_loop: bool) {
        self.frames.push(Frame { is_loop, left: None, continued: None });
        self.analysis.open();
    }

    fn pop(&mut self) -> Frame<A::State> {
        self.analysis.close();
        self.frames.pop().unwrap_or(Frame { is_loop: false, left: None, continued: None })
    }

    /// Walks the blocks of an `If` or `Switch` and joins their states.
    fn arms(&mut self, step: StepId, state: &A::State) -> Option<A::State> {
        let tree = self.tree;
        let mut after = None;
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            let mut inside = state.clone();
            if self.analysis.arm(step, arm, &mut inside) {
                let one = self.block(block, Some(inside));
                self.analysis.arm_end(one.is_some());
                after = self.joined(after, one);
            }
        }
        after
    }

    /// Walks a loop until nothing changes. Returns the state after it.
    fn repeated(&mut self, step: StepId, entry: &A::State) -> Option<A::State> {
        let mut head = entry.clone();
        // Results of earlier visits stay, so that enclosing loops do not restart this one from nothing.
        if let Some(known) = self.heads.remove(&step) {
            self.analysis.join(&mut head, &known);
        }
        loop {
            let version = self.analysis.version();
            self.analysis.round();
            let (exit, back) = self.round(step, &head);
            let grew = back.is_some_and(|back| self.analysis.join(&mut head, &back));
            let is_settled = !grew && version == self.analysis.version();
            if is_settled || self.reporting || self.visits >= MAX_VISITS {
                self.heads.insert(step, head);
                return exit;
            }
        }
    }

    /// Walks one round of a loop. Returns the states that leave it and that repeat it.
    fn round(&mut self, step: StepId, head: &A::State) -> (Option<A::State>, Option<A::State>) {
        let tree = self.tree;
        let [body, continuing] = &tree.steps[step].blocks[..] else { return (None, None) };
        self.push(true);
        let end = self.block(body, Some(head.clone()));
        let continued = self.frames.last_mut().and_then(|frame| frame.continued.take());
        let mut end = self.joined(end, continued);
        if let Some(end) = &mut end {
            self.analysis.continuing(step, head, end);
        }
        let end = self.block(continuing, end);
        let (mut exit, mut back) = (None, None);
        if let Some(end) = end {
            let decides = matches!(tree.steps[step].stmt, Stmt::Loop { break_if: Some(_), .. });
            let mut leaving = end.clone();
            if decides && self.analysis.arm(step, 0, &mut leaving) {
                exit = Some(leaving);
            }
            let mut again = end;
            if !decides || self.analysis.arm(step, 1, &mut again) {
                self.analysis.repeat(step, &again);
                back = Some(again);
            }
        }
        let left = self.pop().left;
        (self.joined(exit, left), back)
    }
}
