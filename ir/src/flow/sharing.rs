//! Checks `FinishedSharing`: all groups of the grid call it once, and only the last group accesses the record
//! afterwards.

use super::dependence::Dependence;
use super::forward::{Forward, Target, run};
use super::paths::{Follow, Path, follow};
use super::scalar_facts::UniformityLevel;
use super::symbols::{Sym, Symbols};
use super::tree::{StepId, Tree};
use super::uniformity::{Control, Divergence, Uniformity};
use super::{Finding, FindingKind, Label, VariesBetween};
use crate::function::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy, PartialEq, Eq)]
struct State {
    /// It may not have been called yet.
    before: bool,
    /// It may have returned true.
    last: bool,
    /// It may have returned false.
    other: bool,
    /// The first call.
    call: Option<StepId>,
    /// A condition between the call and here may decide like the result does.
    guarded: bool,
}

pub fn check(tree: &Tree<'_>, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    if !(0..tree.steps.len()).any(|step| is_call(tree, step)) {
        return;
    }
    let start = State { before: true, last: false, other: false, call: None, guarded: false };
    let analysis = Sharing {
        tree,
        uniformity,
        dependence: Dependence::of(tree, uniformity),
        reporting: false,
        jumps: 0,
        jumps_before: FxHashMap::default(),
        touched: false,
        findings: Vec::new(),
    };
    let first = out.len();
    out.extend(run(tree, analysis, start).into_iter().flat_map(|done| done.findings));
    on_paths(tree, uniformity, first, out);
}

/// Finds mistakes on some paths only. Findings from `first` on are already reported and not repeated.
fn on_paths(tree: &Tree<'_>, uniformity: &Uniformity, first: usize, out: &mut Vec<Finding>) {
    let start = CallState { call: None, gave: true, guarded: false };
    let dependence = Dependence::of(tree, uniformity);
    let make = || OnPaths {
        tree,
        uniformity,
        dependence: &dependence,
        twice: BTreeMap::new(),
        once: BTreeSet::new(),
        touched: None,
    };
    let Some(found) = follow(tree, uniformity, make, &start) else { return };
    let is_twice = |finding: &Finding| matches!(finding.kind, FindingKind::FinishedTwice | FindingKind::FinishedInLoop);
    if !out[first..].iter().any(is_twice)
        && let Some((step, (by, is_sure))) = found.twice.iter().next()
    {
        let is_certain = *is_sure || !found.once.contains(step);
        let finding = Finding::new(FindingKind::FinishedTwice, tree.steps[*step].at).maybe(!is_certain);
        out.push(finding.also(Label::Finished, tree.steps[*by].at));
    }
    let is_touch = |finding: &Finding| matches!(finding.kind, FindingKind::TouchedAfterFinished { .. });
    if !out[first..].iter().any(is_touch)
        && let Some((step, call)) = found.touched
    {
        let finding = Finding::new(FindingKind::TouchedAfterFinished { tested: true }, tree.steps[step].at).maybe(true);
        out.push(finding.also(Label::Finished, tree.steps[call].at));
    }
}

/// The state on one path.
#[derive(Clone)]
struct CallState {
    /// The first call.
    call: Option<StepId>,
    gave: bool,
    /// Part of a condition may decide like the result does.
    guarded: bool,
}

struct OnPaths<'a, 'f> {
    tree: &'a Tree<'f>,
    uniformity: &'a Uniformity,
    dependence: &'a Dependence,
    /// Calls after other calls, with one of these and the certainty.
    twice: BTreeMap<StepId, (StepId, bool)>,
    /// Calls that come first on some path.
    once: BTreeSet<StepId>,
    /// An access to the record of other groups, and the call.
    touched: Option<(StepId, StepId)>,
}

impl Follow for OnPaths<'_, '_> {
    type Own = CallState;

    fn meet(&mut self, own: &mut CallState, other: &CallState) -> Option<bool> {
        if own.call.is_some() != other.call.is_some() || own.gave != other.gave {
            return None;
        }
        own.call = own.call.min(other.call);
        let grew = other.guarded && !own.guarded;
        own.guarded |= other.guarded;
        Some(grew)
    }

    fn splits(&self, op: &Op) -> bool {
        matches!(op, Op::FinishedSharing)
    }

    fn chosen(&mut self, (step, _): (StepId, usize), cond: Option<Sym>, own: &mut CallState, symbols: &Symbols) {
        let by = match self.tree.steps[step].stmt {
            Stmt::If { cond, .. } | Stmt::Loop { break_if: Some(cond), .. } => *cond,
            Stmt::Switch { selector, .. } => *selector,
            _ => return,
        };
        // A condition on independent numbers does not know the result, even if it is combined with it.
        let is_free = cond.is_some_and(|cond| symbols.is_plain(cond));
        own.guarded |= own.call.is_some() && !is_free && self.dependence.has(by);
    }

    fn at(&mut self, step: StepId, path: &mut Path<CallState>, symbols: &Symbols) {
        match (self.tree.steps[step].stmt, self.tree.op(step)) {
            (Stmt::Let(id), Some(Op::FinishedSharing)) => {
                match path.own.call {
                    Some(first) => {
                        let known = self.twice.entry(step).or_insert((first, false));
                        known.1 |= path.is_sure;
                    }
                    None => drop(self.once.insert(step)),
                }
                let gave = path
                    .first_symbol(self.uniformity, *id)
                    .and_then(|sym| symbols.constant(sym))
                    .is_none_or(|c| c.bits != 0);
                path.own = CallState { call: path.own.call.or(Some(step)), gave, guarded: false };
                path.is_sure = true;
            }
            (_, Some(Op::InputRecord { .. })) => {
                if let (Some(call), false, false) = (path.own.call, path.own.gave, path.own.guarded) {
                    let touch = (step, call);
                    self.touched = Some(self.touched.map_or(touch, |known| known.min(touch)));
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, _: &Path<CallState>) {}
}

fn is_call(tree: &Tree<'_>, step: StepId) -> bool {
    matches!(tree.op(step), Some(Op::FinishedSharing))
}

struct Sharing<'t, 'f> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    dependence: Dependence,
    reporting: bool,
    /// The number of jumps so far, and when control reached each statement.
    jumps: usize,
    jumps_before: FxHashMap<StepId, usize>,
    /// An access was reported; one suffices.
    touched: bool,
    findings: Vec<Finding>,
}

impl Forward for Sharing<'_, '_> {
    type State = State;

    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let joined = State {
            before: state.before || other.before,
            last: state.last || other.last,
            other: state.other || other.other,
            call: state.call.into_iter().chain(other.call).min(),
            guarded: state.guarded || other.guarded,
        };
        let grew = *state != joined;
        *state = joined;
        grew
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, state: &mut State) -> bool {
        if !self.uniformity.takes(self.tree, step, arm) {
            return false;
        }
        let result = match self.tree.steps[step].stmt {
            Stmt::If { cond, .. } | Stmt::Loop { break_if: Some(cond), .. } => self.uniformity.finished(*cond),
            _ => None,
        };
        match result.map(|negated| (arm == 0) != negated) {
            Some(true) => state.other = false,
            Some(false) => state.last = false,
            None => state.guarded |= state.call.is_some() && self.decides(step),
        }
        if arm == 0 {
            self.jumps_before.insert(step, self.jumps);
        }
        true
    }

    fn jump(&mut self, _: StepId, _: Target, _: &State) {
        self.jumps += 1;
    }

    fn after(&mut self, step: StepId, before: &State, after: &mut State) {
        // All paths reconverge, so the condition guards nothing any more.
        let is_if = matches!(self.tree.steps[step].stmt, Stmt::If { .. });
        if is_if && before.call == after.call && self.jumps_before.get(&step) == Some(&self.jumps) {
            after.guarded = before.guarded;
        }
    }

    fn repeat(&mut self, step: StepId, state: &State) {
        let again = |call: &&StepId| is_call(self.tree, **call) && self.uniformity.control(**call).is_some();
        if self.reporting
            && !state.before
            && let Some(&call) = self.tree.steps[step].blocks.iter().flatten().find(again)
        {
            let at = self.tree.steps[step].at;
            let finding = Finding::new(FindingKind::FinishedInLoop, self.tree.steps[call].at);
            self.findings.push(finding.also(Label::Branch, at));
        }
    }

    fn simple(&mut self, step: StepId, state: &mut State) {
        let tree = self.tree;
        let at = tree.steps[step].at;
        match tree.op(step) {
            Some(Op::FinishedSharing) => {
                if self.reporting {
                    self.check_call(step, state);
                }
                let call = state.call.or(Some(step));
                *state = State { before: false, last: true, other: true, call, guarded: false };
            }
            Some(Op::InputRecord { .. }) if self.reporting && !self.touched && !state.before => {
                let tested = state.other && !state.last;
                if tested || state.other && !state.guarded {
                    self.touched = true;
                    let call = state.call.and_then(|call| tree.steps[call].at);
                    let kind = FindingKind::TouchedAfterFinished { tested };
                    self.findings.push(Finding::new(kind, at).also(Label::Finished, call));
                }
            }
            _ => {}
        }
    }
}

impl Sharing<'_, '_> {
    /// Returns whether a statement branches on a value that depends on the result.
    fn decides(&self, step: StepId) -> bool {
        let (decides, by) = match self.tree.steps[step].stmt {
            Stmt::Switch { selector, cases, .. } => (!cases.is_empty(), *selector),
            Stmt::If { cond, .. } | Stmt::Loop { break_if: Some(cond), .. } => (true, *cond),
            _ => return false,
        };
        decides && self.uniformity.constant(by).is_none() && self.dependence.has(by)
    }

    fn check_call(&mut self, step: StepId, state: &State) {
        let at = self.tree.steps[step].at;
        if let Some(first) = state.call.filter(|first| !state.before && *first != step) {
            let first = self.tree.steps[first].at;
            self.findings.push(Finding::new(FindingKind::FinishedTwice, at).also(Label::Finished, first));
            return;
        }
        let control = self.uniformity.control(step).unwrap_or_default();
        let of_groups = || match control {
            Control { level: UniformityLevel::Group, cause: Some(cause), again } => {
                Some(Divergence { between: VariesBetween::Groups, may: false, cause, again })
            }
            _ => None,
        };
        if let Some(parted) = self.uniformity.parted(step).or_else(of_groups) {
            let kind = FindingKind::FinishedFlow { in_group: parted.between != VariesBetween::Groups };
            self.findings.push(parted.labels(self.tree, step, Finding::new(kind, at).maybe(parted.may)));
        }
    }
}
