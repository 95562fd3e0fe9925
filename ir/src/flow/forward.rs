//! Forward data flow over structured control flow.
//!
//! Branches start from the state before them and are joined behind them, loops are walked until their state grows no
//! more, and jumps take theirs to where they lead. A last walk, with the states of the loops known, is the one in which
//! an analysis reports: every statement that control can reach is visited once then.

use super::tree::{StepId, Tree};
use crate::function::Stmt;
use rustc_hash::FxHashMap;

/// Statements visited before an analysis is given up: loops nested hundreds deep need ever more rounds.
const MAX_VISITS: usize = 1 << 20;

/// Where a jump leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The end of the function.
    Function,
    /// Behind the loop or switch that is the n-th of those that are open.
    Behind(usize),
    /// The `continuing` of the loop that is the n-th of those that are open.
    Next(usize),
}

/// What an analysis does with its state; states only grow.
pub trait Forward {
    type State: Clone;

    /// Adds what another way leads here with; whether that is something new.
    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool;

    /// A statement without blocks that is no jump.
    fn simple(&mut self, step: StepId, state: &mut Self::State);

    /// Control enters block `arm` of an `If` or `Switch`, or decides at the end of a `Loop` to leave it (arm 0) or to
    /// repeat it (arm 1). False when it never does.
    fn arm(&mut self, step: StepId, arm: usize, state: &mut Self::State) -> bool;

    /// A count that rises with everything found out beside the states.
    fn version(&self) -> usize {
        0
    }

    /// The last walk begins.
    fn report(&mut self) {}

    /// A loop or switch is open from here on.
    fn open(&mut self) {}

    /// The innermost loop or switch is closed.
    fn close(&mut self) {}

    fn jump(&mut self, _step: StepId, _target: Target, _state: &Self::State) {}

    /// Control comes to an `If`, `Switch` or `Loop`.
    fn enter(&mut self) {}

    /// A block of an `If` or `Switch` is walked, and control comes out of its end or not.
    fn arm_end(&mut self, _comes_out: bool) {}

    /// An `If`, `Switch` or `Loop` is walked, also where control does not come out of it.
    fn leave(&mut self) {}

    /// Control comes out of an `If`, `Switch` or `Loop`.
    fn behind(&mut self, _step: StepId, _before: &Self::State, _after: &mut Self::State) {}

    /// Control comes from the body of a loop to its `continuing`.
    fn continuing(&mut self, _step: StepId, _head: &Self::State, _state: &mut Self::State) {}

    /// A loop begins anew.
    fn repeat(&mut self, _step: StepId, _state: &Self::State) {}

    /// Control comes to the end of the function, in the last walk.
    fn end(&mut self, _state: &Self::State) {}

    /// A round of a loop is walked.
    fn round(&mut self) {}
}

/// Runs an analysis from the state at the function's begin; `None` when that takes too long.
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
    /// Loops and switches that are open.
    frames: Vec<Frame<A::State>>,
    /// The states that loops begin with, as far as they are known.
    heads: FxHashMap<StepId, A::State>,
    reporting: bool,
    visits: usize,
}

struct Frame<S> {
    is_loop: bool,
    /// What jumps leave it with.
    left: Option<S>,
    /// What jumps go on to the next round with.
    continued: Option<S>,
}

impl<A: Forward> Walk<'_, '_, A> {
    /// The state behind the statements; `None` where control does not come there.
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
                    self.analysis.behind(step, &state, after);
                }
                self.analysis.leave();
                after
            }
            Stmt::Break => {
                let innermost = self.frames.len().checked_sub(1)?;
                self.analysis.jump(step, Target::Behind(innermost), &state);
                let left = self.frames[innermost].left.take();
                self.frames[innermost].left = self.joined(left, Some(state));
                None
            }
            Stmt::Continue => {
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

    /// The blocks of an `If` or `Switch`, joined.
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

    /// A loop, until nothing changes: the state behind it.
    fn repeated(&mut self, step: StepId, entry: &A::State) -> Option<A::State> {
        let mut head = entry.clone();
        // What an earlier visit found stays, so that loops around this one do not begin it from nothing each time.
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

    /// One round of a loop: the states with which it is left, and begun anew.
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
