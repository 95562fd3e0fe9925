//! Checks that writes of a group to its input record are visible to other groups before it calls `FinishedSharing`.
//!
//! A finding is a write from which control may reach `FinishedSharing` without a barrier of device scope. For an
//! incoherent record, a write with a barrier is also a finding if the written value is read afterwards.

use super::forward::{Forward, run};
use super::places::{Root, root_of};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label, LaunchParameters};
use crate::function::*;
use std::collections::{BTreeMap, BTreeSet};

pub fn check(tree: &Tree<'_>, launched: &LaunchParameters, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    if !(0..tree.steps.len()).any(|step| matches!(tree.op(step), Some(Op::FinishedSharing))) {
        return;
    }
    let analysis =
        SharingVisibility { tree, uniformity, reporting: false, unordered: BTreeMap::new(), unseen: BTreeMap::new() };
    let Some(found) = run(tree, analysis, State::default()) else { return };
    let at = |step: StepId| tree.steps[step].at;
    for (finished, write) in &found.unordered {
        out.push(Finding::new(FindingKind::FinishedUnordered, at(*finished)).also(Label::Written, at(*write)));
    }
    // Without a barrier no write is visible, coherent or not.
    let unseen = found.unseen.iter().filter(|(finished, _)| !found.unordered.contains_key(finished));
    for (finished, (write, read)) in unseen.filter(|_| !launched.is_coherent) {
        let finding = Finding::new(FindingKind::FinishedIncoherent, at(*finished));
        out.push(finding.also(Label::Written, at(*write)).also(Label::Read, at(*read)));
    }
}

#[derive(Clone, Default)]
struct State {
    /// The first write that no barrier has made visible yet.
    unpublished: Option<StepId>,
    /// Writes other than by atomics.
    stores: BTreeSet<StepId>,
    /// The ends of sharing that control has passed.
    finished: BTreeSet<StepId>,
}

struct SharingVisibility<'t, 'f> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    reporting: bool,
    /// For each end of sharing: a write that is not made visible before it.
    unordered: BTreeMap<StepId, StepId>,
    /// For each end of sharing: the first earlier write that is read after it, and the read.
    unseen: BTreeMap<StepId, (StepId, StepId)>,
}

impl Forward for SharingVisibility<'_, '_> {
    type State = State;

    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let unpublished = state.unpublished.iter().chain(&other.unpublished).min().copied();
        let before = (state.unpublished, state.stores.len(), state.finished.len());
        state.unpublished = unpublished;
        state.stores.extend(&other.stores);
        state.finished.extend(&other.finished);
        before != (state.unpublished, state.stores.len(), state.finished.len())
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, _: &mut State) -> bool {
        self.uniformity.takes(self.tree, step, arm)
    }

    fn simple(&mut self, step: StepId, state: &mut State) {
        if let Some(is_store) = self.writes(step) {
            state.unpublished.get_or_insert(step);
            // Writes of the last group concern only that group.
            if is_store && state.finished.is_empty() {
                state.stores.insert(step);
            }
            return;
        }
        match (self.tree.steps[step].stmt, self.tree.op(step)) {
            (Stmt::Barrier(Barrier { memory, scope: Some(Scope::Device), .. }), _) if memory.node_input => {
                state.unpublished = None;
            }
            (_, Some(Op::FinishedSharing)) => {
                state.finished.insert(step);
                if let (true, Some(write)) = (self.reporting, state.unpublished) {
                    self.unordered.insert(step, write);
                }
            }
            (_, Some(Op::Load(place))) if self.reporting => {
                let Some(read) = self.of_input(*place) else { return };
                let is_read = |store: &&StepId| {
                    let Stmt::Store { place, .. } = self.tree.steps[**store].stmt else { return false };
                    self.of_input(*place).is_some_and(|path| path.iter().zip(&read).all(|(a, b)| a == b))
                };
                let Some(write) = state.stores.iter().find(is_read).copied() else { return };
                for finished in &state.finished {
                    self.unseen.entry(*finished).or_insert((write, step));
                }
            }
            _ => {}
        }
    }
}

impl SharingVisibility<'_, '_> {
    /// Returns the constant indexes of a place in the input record.
    fn of_input(&self, place: ValueId) -> Option<Vec<u32>> {
        match root_of(self.tree.function, place)? {
            (Root::Input, path) => Some(path),
            _ => None,
        }
    }

    /// Returns `None` if the step does not write the input record, and otherwise whether it is a store. Other threads
    /// see atomics immediately, but only a barrier orders them before the call.
    fn writes(&self, step: StepId) -> Option<bool> {
        let (place, is_store) = match (self.tree.steps[step].stmt, self.tree.op(step)) {
            (Stmt::Store { place, .. }, _) => (*place, true),
            (_, Some(Op::Atomic { op, place, .. })) if *op != AtomicOp::Load => (*place, false),
            _ => return None,
        };
        self.of_input(place).map(|_| is_store)
    }
}
