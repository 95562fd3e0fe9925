//! Finds operations for all threads of a group that only some of its threads reach.

use super::handles::{Handle, HandleFlow};
use super::tree::{StepId, Tree};
use super::uniformity::{Divergence, Uniformity};
use super::{Call, Finding, FindingKind, Label};
use crate::function::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Reports one finding for each condition that makes threads diverge. Labels name the other calls that it affects.
pub fn check(tree: &Tree<'_>, uniformity: &Uniformity, flow: Option<&HandleFlow>, out: &mut Vec<Finding>) {
    let mut of_cause: FxHashMap<StepId, usize> = FxHashMap::default();
    for step in 0..tree.steps.len() {
        let Some(call) = together(tree, step, flow) else { continue };
        let Some(parted) = uniformity.parted(step) else { continue };
        let Divergence { may, cause, .. } = parted;
        let at = tree.steps[step].at;
        match of_cause.get(&cause).and_then(|n| out.get_mut(*n)) {
            Some(finding) => finding.labels.push((Label::Too(call), at)),
            None => {
                of_cause.insert(cause, out.len());
                let finding = Finding::new(FindingKind::VaryingFlow { call }, at).maybe(may);
                out.push(parted.labels(tree, step, finding));
            }
        }
    }
}

/// Returns a call that all threads of the group must make.
fn together(tree: &Tree<'_>, step: StepId, flow: Option<&HandleFlow>) -> Option<Call> {
    match tree.steps[step].stmt {
        Stmt::Let(id) => match tree.function.value(*id)?.op {
            Op::Allocate { scope, .. } => Some(Call::Allocate(scope)),
            _ => None,
        },
        Stmt::IncrementCount { scope, .. } => Some(Call::Increment(*scope)),
        // Completing an empty handle has no effect.
        Stmt::Complete(records) => {
            let handles = flow?.handles(*records);
            handles.iter().any(|h| !matches!(h, Handle::Null | Handle::Taken(_))).then_some(Call::Complete)
        }
        _ => None,
    }
}

/// Finds barriers at which threads of a group wait for others that do not arrive or have returned.
pub fn barriers(tree: &Tree<'_>, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    let mut reported = FxHashSet::default();
    for (step, at) in tree.steps.iter().enumerate() {
        let Stmt::Barrier(Barrier { group_sync: true, .. }) = at.stmt else { continue };
        let Some(parted) = uniformity.parted(step) else { continue };
        let Divergence { between, may, cause, .. } = parted;
        let label = tree.parting(step, cause, between);
        let returns = |step: StepId| matches!(tree.steps[step].stmt, Stmt::Return(_));
        let have_returned = matches!(label, Label::Leaves(_)) && (cause..=tree.steps[cause].last).any(returns);
        if reported.insert(cause) {
            let kind = if have_returned { FindingKind::BarrierAfterReturn } else { FindingKind::VaryingBarrier };
            out.push(parted.labels(tree, step, Finding::new(kind, at.at).maybe(may)));
        }
    }
}
