//! Compares requests and indexes of records and outputs with the existing numbers. [`budgets`](super::budgets) adds
//! requests up.

use super::handles::{Handle, HandleFlow};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Call, Finding, FindingKind, Label, LaunchParameters};
use crate::function::*;
use crate::types::AllocScope;

/// A request for records, possibly for empty ones.
#[derive(Clone, Copy)]
pub struct Request {
    pub scope: AllocScope,
    pub output: OutputId,
    pub index: ValueId,
    pub count: ValueId,
    pub call: Call,
}

pub fn request(tree: &Tree<'_>, step: StepId) -> Option<Request> {
    match tree.steps[step].stmt {
        Stmt::Let(id) => match tree.function.value(*id)?.op {
            Op::Allocate { scope, output, index, count } => {
                Some(Request { scope, output, index, count, call: Call::Allocate(scope) })
            }
            _ => None,
        },
        Stmt::IncrementCount { scope, output, index, count } => Some(Request {
            scope: *scope,
            output: *output,
            index: *index,
            count: *count,
            call: Call::Increment(*scope),
        }),
        _ => None,
    }
}

/// The certainty that a request has that many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestCertainty {
    /// It has exactly that many.
    Exactly,
    /// It has that many or more.
    AtLeast,
    /// It has that many unless it has none.
    Unless0,
    /// It has that many on some path.
    Perhaps,
}

/// The contribution of a call to a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SumTerm {
    pub output: OutputId,
    /// The number for each thread in each iteration, or for all iterations together if they differ.
    pub count: u64,
    pub threads: u64,
    /// The number of executions.
    pub iterations: u64,
    /// Every iteration requests the same number.
    pub is_even: bool,
}

/// Returns the output element that a statement refers to. Returns `None` for a request without records, since its
/// element has no effect.
fn element(tree: &Tree<'_>, uniformity: &Uniformity, step: StepId) -> Option<(OutputId, ValueId)> {
    match (request(tree, step), tree.op(step)) {
        (Some(request), _) => {
            let is_none = uniformity.constant(request.count).is_some_and(|count| count.bits == 0);
            Some((request.output, request.index)).filter(|_| !is_none)
        }
        (None, Some(Op::OutputValid { output, index })) => Some((*output, *index)),
        _ => None,
    }
}

/// Finds indexes of records and outputs that do not exist, and arguments that must be equal in all threads of a group.
pub fn indexes(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    out: &mut Vec<Finding>,
) {
    for (step, at) in tree.steps.iter().enumerate().filter(|(step, _)| uniformity.control(*step).is_some()) {
        if let Some(request) = request(tree, step)
            && request.scope == AllocScope::Group
        {
            let varies = |id: ValueId| uniformity.level(id).parts_groups();
            let what = [(request.count, Argument::Count), (request.index, Argument::Index)];
            if let Some((id, argument)) = what.into_iter().find(|(id, _)| varies(*id)) {
                let finding = Finding::new(FindingKind::VaryingArgument { call: request.call, argument }, at.at);
                out.push(finding.maybe(uniformity.may_be_one(uniformity.level(id))));
            }
        }
        if let Some((output, index)) = element(tree, uniformity, step)
            && let Some(index) = uniformity.constant(index).map(|c| c.bits)
            && let Some(elements) = launched.outputs.get(output as usize).and_then(|output| output.elements)
            && index >= u64::from(elements)
        {
            out.push(Finding::new(FindingKind::OutputElement { output, index, elements }, at.at));
        }
        if let Some(Op::InputRecord { index } | Op::OutputRecord { index, .. }) = tree.op(step)
            && let Some(index) = uniformity.constant(*index)
        {
            out.extend(record(tree, launched, uniformity, handles, step, index.bits));
        }
    }
}

/// Finds an index of a record that does not exist, in the input or in a handle.
pub fn record(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    step: StepId,
    index: u64,
) -> Option<Finding> {
    let at = tree.steps[step].at;
    match tree.op(step)? {
        Op::InputRecord { .. } => {
            let most = launched.max_input_records.map(u64::from).filter(|most| index >= *most)?;
            Some(Finding::new(FindingKind::InputIndex { index, most }, at))
        }
        Op::OutputRecord { records, .. } => output_index(tree, launched, uniformity, handles?, *records, index, at),
        _ => None,
    }
}

/// An argument of a request that must not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Count,
    /// The index of an array of outputs.
    Index,
}

/// Finds an index that exceeds every request that the handle may come from.
fn output_index(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    flow: &HandleFlow,
    records: ValueId,
    index: u64,
    at: Option<crate::Position>,
) -> Option<Finding> {
    let (mut most, mut allocated) = (0, None);
    for handle in flow.handles(records) {
        let (Handle::Latest(site) | Handle::Older(site)) = handle else { return None };
        let site = &flow.sites[site];
        let request = request(tree, site.step)?;
        let budget = launched.outputs.get(request.output as usize)?.max_records.map(u64::from);
        let asked = uniformity.constant(request.count).map(|c| c.bits);
        most = most.max(asked.or(budget)?);
        allocated = Some((tree.steps[site.step].at, asked.is_some()));
    }
    let (place, is_known) = allocated.filter(|_| index >= most)?;
    let label = if is_known { Label::Asked(most) } else { Label::Allocated };
    Some(Finding::new(FindingKind::OutputIndex { index, most, is_known }, at).also(label, place))
}
