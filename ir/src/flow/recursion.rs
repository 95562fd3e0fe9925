//! Finds requests for records of the node itself that happen at every recursion level, including the last one.
//!
//! The node is followed as its last level runs: no levels remain, and its own output is invalid. If every
//! [`path`](super::paths) still requests records, nothing ends the recursion. One thread that certainly requests them
//! suffices: the first one or the last one.

use super::paths::{Follow, Path, follow};
use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Call, Finding, FindingKind, LaunchParameters};
use crate::function::*;

pub fn check(tree: &Tree<'_>, launched: &LaunchParameters, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    let asks = |step: usize| request(tree, step).is_some_and(|(_, output, _)| is_recursive(launched, output));
    if !(0..tree.steps.len()).any(asks) {
        return;
    }
    let found = [false, true].into_iter().find_map(|is_last| {
        let make = || LastLevel { tree, launched, uniformity, is_last, first: None, ends: false };
        let found = follow(tree, uniformity, make, &None)?;
        found.first.filter(|_| !found.ends)
    });
    if let Some((step, (call, output, _))) = found.and_then(|step| Some((step, request(tree, step)?))) {
        out.push(Finding::new(FindingKind::EndlessRecursion { call, output }, tree.steps[step].at));
    }
}

/// Returns a request for records with its output and its count.
fn request(tree: &Tree<'_>, step: StepId) -> Option<(Call, OutputId, ValueId)> {
    match (tree.steps[step].stmt, tree.op(step)) {
        (_, Some(Op::Allocate { scope, output, count, .. })) => Some((Call::Allocate(*scope), *output, *count)),
        (Stmt::IncrementCount { scope, output, count, .. }, _) => Some((Call::Increment(*scope), *output, *count)),
        _ => None,
    }
}

fn is_recursive(launched: &LaunchParameters, output: OutputId) -> bool {
    launched.outputs.get(output as usize).is_some_and(|output| output.is_recursive)
}

struct LastLevel<'a, 'f> {
    tree: &'a Tree<'f>,
    launched: &'a LaunchParameters,
    uniformity: &'a Uniformity,
    /// The last thread is followed, otherwise the first.
    is_last: bool,
    /// The earliest of the first requests of all paths.
    first: Option<StepId>,
    /// Some path makes no request.
    ends: bool,
}

impl Follow for LastLevel<'_, '_> {
    /// The first request.
    type Own = Option<StepId>;

    fn meet(&mut self, own: &mut Option<StepId>, other: &Option<StepId>) -> Option<bool> {
        if own.is_some() != other.is_some() {
            return None;
        }
        *own = (*own).min(*other);
        Some(false)
    }

    fn assumed(&self, op: &Op, part: usize) -> Option<ScalarConst> {
        match op {
            Op::RemainingLevels => Some(ScalarConst::u32(0)),
            Op::OutputValid { output, .. } if is_recursive(self.launched, *output) => Some(ScalarConst::bool(false)),
            Op::Builtin(Builtin::GroupThreadId) => {
                let threads = self.launched.num_threads?[part.min(2)];
                Some(ScalarConst::u32(if self.is_last { threads.saturating_sub(1) } else { 0 }))
            }
            Op::Builtin(Builtin::GroupIndex) => {
                let last = u32::try_from(self.launched.threads()?.saturating_sub(1)).ok()?;
                Some(ScalarConst::u32(if self.is_last { last } else { 0 }))
            }
            _ => None,
        }
    }

    fn at(&mut self, step: StepId, path: &mut Path<Option<StepId>>, symbols: &Symbols) {
        if let Some((_, output, count)) = request(self.tree, step)
            && is_recursive(self.launched, output)
            && path.choices(symbols, self.uniformity, count).is_some_and(|all| all.iter().all(|count| count.bits > 0))
        {
            path.own.get_or_insert(step);
        }
    }

    fn end(&mut self, path: &Path<Option<StepId>>) {
        match path.own {
            Some(step) => self.first = Some(self.first.map_or(step, |first| first.min(step))),
            None => self.ends = true,
        }
    }
}
