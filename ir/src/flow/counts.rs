//! Numbers of records against what was declared, where they are known.

use super::forward::{Forward, run};
use super::handles::{Handle, HandleFlow};
use super::known::Level;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Call, Finding, Kind, Label, Launched};
use crate::function::*;
use crate::types::AllocScope;

/// A request for records, or for empty ones.
#[derive(Clone, Copy)]
struct Request {
    scope: AllocScope,
    output: OutputId,
    index: ValueId,
    count: ValueId,
    call: Call,
}

fn request(tree: &Tree<'_>, step: StepId) -> Option<Request> {
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

/// What was asked for so far of a budget, on the way that asked for the least.
#[derive(Clone, Default, PartialEq, Eq)]
struct Spent {
    records: u64,
    /// The last call that did, by its place in [`Budgets::calls`].
    last: Option<usize>,
}

/// A call that asks for records, and the one before it on the same way.
struct Spending {
    step: StepId,
    records: u64,
    before: Option<usize>,
}

/// Requests above their budgets, one by one and together.
pub fn budgets(tree: &Tree<'_>, launched: &Launched, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    if !(0..tree.steps.len()).any(|step| request(tree, step).is_some()) {
        return;
    }
    let analysis = Budgets { tree, launched, uniformity, reporting: false, calls: Vec::new(), findings: Vec::new() };
    let start = vec![Spent::default(); launched.outputs.len()];
    out.extend(run(tree, analysis, start).into_iter().flat_map(|done| done.findings));
}

struct Budgets<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t Launched,
    uniformity: &'t Uniformity,
    reporting: bool,
    calls: Vec<Spending>,
    findings: Vec<Finding>,
}

impl Forward for Budgets<'_, '_> {
    /// By output that owns a budget.
    type State = Vec<Spent>;

    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool {
        let mut changed = false;
        for (spent, other) in state.iter_mut().zip(other) {
            if other.records < spent.records {
                spent.clone_from(other);
                changed = true;
            }
        }
        changed
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, _: &mut Self::State) -> bool {
        self.uniformity.takes(self.tree, step, arm)
    }

    fn simple(&mut self, step: StepId, state: &mut Self::State) {
        let Some(request) = request(self.tree, step) else { return };
        let Some(output) = self.launched.outputs.get(request.output as usize) else { return };
        let (Some(most), Some(spent)) = (output.max_records, state.get_mut(output.budget)) else { return };
        let Some(count) = self.uniformity.constant(request.count).map(|c| c.bits) else { return };
        let all = self.uniformity.control(step).is_some_and(|control| control.level < Level::Varying);
        // Of a call that only some threads make, one makes it for certain.
        let threads = match request.scope {
            AllocScope::Thread if all => self.launched.threads().unwrap_or(1),
            _ => 1,
        };
        let Some(records) = count.checked_mul(threads) else { return };
        let before = spent.records;
        spent.records = spent.records.saturating_add(records);
        if records > 0 {
            self.calls.push(Spending { step, records, before: spent.last });
            spent.last = Some(self.calls.len() - 1);
        }
        let (most, total) = (u64::from(most), spent.records);
        if !self.reporting || total <= most || before > most {
            return;
        }
        let at = self.tree.steps[step].at;
        if records > most {
            let kind = Kind::RequestTooLarge { call: request.call, output: request.output, count, threads, most };
            self.findings.push(Finding::new(kind, at));
            return;
        }
        let before = |n: &usize| self.calls[*n].before;
        let mut calls: Vec<&Spending> = std::iter::successors(spent.last, before).map(|n| &self.calls[n]).collect();
        calls.reverse();
        let parts: Vec<u64> = calls.iter().map(|call| call.records).collect();
        let mut finding = Finding::new(Kind::RequestsTooLarge { output: request.output, parts, most }, at);
        calls.pop();
        for call in calls {
            finding = finding.also(Label::Records(call.records), self.tree.steps[call.step].at);
        }
        self.findings.push(finding);
    }
}

/// The element of an output that a statement has to do with; `None` where it asks for no records, when the element means
/// nothing.
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

/// Indexes of records and of outputs that do not exist, and arguments that all threads of a group must agree on.
pub fn indexes(
    tree: &Tree<'_>,
    launched: &Launched,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    out: &mut Vec<Finding>,
) {
    for (step, at) in tree.steps.iter().enumerate().filter(|(step, _)| uniformity.control(*step).is_some()) {
        if let Some(request) = request(tree, step)
            && request.scope == AllocScope::Group
        {
            let varies = |id: ValueId| uniformity.level(id) == Level::Varying;
            let what = [(request.count, Argument::Count), (request.index, Argument::Index)];
            if let Some((_, argument)) = what.into_iter().find(|(id, _)| varies(*id)) {
                out.push(Finding::new(Kind::VaryingArgument { call: request.call, argument }, at.at));
            }
        }
        if let Some((output, index)) = element(tree, uniformity, step)
            && let Some(index) = uniformity.constant(index).map(|c| c.bits)
            && let Some(elements) = launched.outputs.get(output as usize).and_then(|output| output.elements)
            && index >= u64::from(elements)
        {
            out.push(Finding::new(Kind::OutputElement { output, index, elements }, at.at));
        }
        let Stmt::Let(id) = at.stmt else { continue };
        match tree.function.value(*id).map(|value| &value.op) {
            Some(Op::InputRecord { index }) => {
                let index = uniformity.constant(*index).map(|c| c.bits);
                if let (Some(index), Some(most)) = (index, launched.max_input_records.map(u64::from))
                    && index >= most
                {
                    out.push(Finding::new(Kind::InputIndex { index, most }, at.at));
                }
            }
            Some(Op::OutputRecord { records, index }) => {
                let (Some(index), Some(handles)) = (uniformity.constant(*index).map(|c| c.bits), handles) else {
                    continue;
                };
                out.extend(output_index(tree, launched, uniformity, handles, *records, index, at.at));
            }
            _ => {}
        }
    }
}

/// Of a request whose argument must not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    Count,
    /// The index of an array of outputs.
    Index,
}

/// A record that none of the calls asked for that the handle may come from.
fn output_index(
    tree: &Tree<'_>,
    launched: &Launched,
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
    Some(Finding::new(Kind::OutputIndex { index, most, is_known }, at).also(label, place))
}
