//! Whether what a group writes to its input record is shown to other groups before it says that it has finished.
//!
//! A finding is a write that control may come from to `FinishedSharing` without a barrier of device scope on the way.

use super::forward::{Forward, run};
use super::places::{Root, root_of};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, Kind, Label};
use crate::function::*;

pub fn check(tree: &Tree<'_>, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    if (0..tree.steps.len()).any(|step| matches!(tree.op(step), Some(Op::FinishedSharing))) {
        let analysis = Shown { tree, uniformity, reporting: false, findings: Vec::new() };
        out.extend(run(tree, analysis, None).into_iter().flat_map(|done| done.findings));
    }
}

struct Shown<'t, 'f> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    reporting: bool,
    findings: Vec<Finding>,
}

impl Forward for Shown<'_, '_> {
    /// The first write that no barrier has shown yet.
    type State = Option<StepId>;

    fn join(&mut self, state: &mut Option<StepId>, other: &Option<StepId>) -> bool {
        let joined = state.iter().chain(other).min().copied();
        let grew = joined != *state;
        *state = joined;
        grew
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, _: &mut Option<StepId>) -> bool {
        self.uniformity.takes(self.tree, step, arm)
    }

    fn simple(&mut self, step: StepId, state: &mut Option<StepId>) {
        let at = self.tree.steps[step].at;
        if self.writes(step) {
            state.get_or_insert(step);
            return;
        }
        match self.tree.steps[step].stmt {
            Stmt::Barrier(Barrier { memory, scope: Some(Scope::Device), .. }) if memory.node_input => *state = None,
            _ => {
                if let (true, Some(Op::FinishedSharing), Some(write)) = (self.reporting, self.tree.op(step), *state) {
                    let written = self.tree.steps[write].at;
                    self.findings.push(Finding::new(Kind::FinishedUnordered, at).also(Label::Written, written));
                }
            }
        }
    }
}

impl Shown<'_, '_> {
    /// Whether a statement writes to the input record. Others see at once what atomics write, but without a barrier
    /// nothing says that they come before the call.
    fn writes(&self, step: StepId) -> bool {
        let place = match (self.tree.steps[step].stmt, self.tree.op(step)) {
            (Stmt::Store { place, .. }, _) => *place,
            (_, Some(Op::Atomic { op, place, .. })) if *op != AtomicOp::Load => *place,
            _ => return false,
        };
        matches!(root_of(self.tree.function, place), Some((Root::Input, _)))
    }
}
