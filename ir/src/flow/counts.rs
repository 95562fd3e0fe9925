//! Numbers of records against what was declared, where they are known.

use super::forward::{Forward, run};
use super::handles::{Handle, HandleFlow};
use super::known::Level;
use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::ways::{Follow, Way, follow};
use super::{Call, Finding, Kind, Label, Launched};
use crate::function::*;
use crate::types::AllocScope;
use rustc_hash::FxHashSet;
use std::collections::BTreeMap;

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

/// How sure it is that a request asks for that many records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// It does.
    Exactly,
    /// For them or more.
    AtLeast,
    /// Where it asks for any.
    Unless0,
    /// On one way.
    Perhaps,
}

/// Requests above their budgets, one by one and together, and in turns of loops indexes of records that do not exist.
pub fn budgets(
    tree: &Tree<'_>,
    launched: &Launched,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    out: &mut Vec<Finding>,
) {
    let (mut is_any, mut has_ways) = (false, false);
    for step in 0..tree.steps.len() {
        let in_loop = tree.steps[step].innermost_loop.is_some();
        let is_open = |id: ValueId| uniformity.constant(id).is_none();
        if let Some(request) = request(tree, step) {
            is_any = true;
            has_ways |= in_loop || is_open(request.count);
        } else if let Some(Op::OutputRecord { index, .. } | Op::InputRecord { index }) = tree.op(step) {
            has_ways |= in_loop && is_open(*index);
        }
    }
    let ledger = || Ledger { tree, launched, uniformity, handles, calls: Vec::new(), findings: BTreeMap::new() };
    let start = vec![Spent::default(); launched.outputs.len()];
    let found = has_ways.then(|| follow(tree, uniformity, ledger, &start)).flatten();
    let findings = match found {
        Some(ledger) => Some(ledger.findings),
        None if is_any => {
            let analysis = Budgets { ledger: ledger(), reporting: false };
            run(tree, analysis, start).map(|done| done.ledger.findings)
        }
        None => None,
    };
    out.extend(findings.into_iter().flat_map(BTreeMap::into_values));
}

/// What is asked for, and what of that is too much.
struct Ledger<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t Launched,
    uniformity: &'t Uniformity,
    handles: Option<&'t HandleFlow>,
    calls: Vec<Spending>,
    /// By statement.
    findings: BTreeMap<StepId, Finding>,
}

impl Ledger<'_, '_> {
    /// A request for one of several numbers of records.
    fn spend(&mut self, step: StepId, state: &mut [Spent], counts: &[u64], reporting: bool) {
        let Some(request) = request(self.tree, step) else { return };
        let Some(output) = self.launched.outputs.get(request.output as usize) else { return };
        let (Some(most), Some(spent)) = (output.max_records, state.get_mut(output.budget)) else { return };
        let Some(least) = counts.iter().copied().min() else { return };
        let all = self.uniformity.control(step).is_some_and(|control| control.level < Level::Varying);
        // Of a call that only some threads make, one makes it for certain.
        let threads = match request.scope {
            AllocScope::Thread if all => self.launched.threads().unwrap_or(1),
            _ => 1,
        };
        let Some(records) = least.checked_mul(threads) else { return };
        let before = spent.records;
        spent.records = spent.records.saturating_add(records);
        if records > 0 {
            self.calls.push(Spending { step, records, before: spent.last });
            spent.last = Some(self.calls.len() - 1);
        }
        let (most, total) = (u64::from(most), spent.records);
        if !reporting || before > most || self.findings.contains_key(&step) {
            return;
        }
        let at = self.tree.steps[step].at;
        if let Some((count, threads, asked)) = self.too_large(&request, counts, threads, most) {
            let kind =
                Kind::RequestTooLarge { call: request.call, output: request.output, count, threads, most, asked };
            self.findings.insert(step, Finding::new(kind, at).maybe(asked == Asked::Perhaps));
            return;
        }
        if total <= most {
            return;
        }
        let before = |n: &usize| self.calls[*n].before;
        let mut calls: Vec<&Spending> = std::iter::successors(spent.last, before).map(|n| &self.calls[n]).collect();
        calls.reverse();
        let parts: Vec<u64> = calls.iter().map(|call| call.records).collect();
        let mut finding = Finding::new(Kind::RequestsTooLarge { output: request.output, parts, most }, at);
        let mut told = FxHashSet::from_iter([step]);
        for call in calls {
            if told.insert(call.step) {
                finding = finding.also(Label::Records(call.records), self.tree.steps[call.step].at);
            }
        }
        self.findings.insert(step, finding);
    }

    /// How many records a request alone asks for that are too many, of each of how many threads.
    fn too_large(&self, request: &Request, counts: &[u64], threads: u64, most: u64) -> Option<(u64, u64, Asked)> {
        let least = counts.iter().copied().min()?;
        if least.checked_mul(threads)? > most {
            let asked = if counts.iter().all(|count| *count == least) { Asked::Exactly } else { Asked::AtLeast };
            return Some((least, threads, asked));
        }
        // Where threads differ, one may be the only one that asks for more.
        let threads = if self.uniformity.level(request.count) == Level::Varying { 1 } else { threads };
        let exceeds = |count: &&u64| count.saturating_mul(threads) > most;
        let count = counts.iter().filter(exceeds).copied().min()?;
        let others = counts.iter().filter(|count| **count > 0).any(|count| !exceeds(&count));
        Some((count, threads, if others { Asked::Perhaps } else { Asked::Unless0 }))
    }

    /// A record that is not there, by its number in one turn.
    fn index(&mut self, step: StepId, index: u64) {
        let at = self.tree.steps[step].at;
        let finding = match self.tree.op(step) {
            Some(Op::InputRecord { .. }) => {
                let most = self.launched.max_input_records.map(u64::from).filter(|most| index >= *most);
                most.map(|most| Finding::new(Kind::InputIndex { index, most }, at))
            }
            Some(Op::OutputRecord { records, .. }) => self.handles.and_then(|handles| {
                output_index(self.tree, self.launched, self.uniformity, handles, *records, index, at)
            }),
            _ => None,
        };
        if let Some(finding) = finding {
            self.findings.entry(step).or_insert(finding);
        }
    }
}

/// Keeps of each budget what the way asked for that asked for less; whether that is the other one.
fn least(state: &mut [Spent], other: &[Spent]) -> bool {
    let mut changed = false;
    for (spent, other) in state.iter_mut().zip(other) {
        if other.records < spent.records {
            spent.clone_from(other);
            changed = true;
        }
    }
    changed
}

impl Follow for Ledger<'_, '_> {
    /// By output that owns a budget.
    type Own = Vec<Spent>;

    fn meet(&self, own: &mut Vec<Spent>, other: &Vec<Spent>) -> Option<bool> {
        Some(least(own, other))
    }

    fn unsure_turn(&self, own: &mut Vec<Spent>, entry: &Vec<Spent>) {
        own.clone_from(entry);
    }

    fn at(&mut self, step: StepId, way: &mut Way<Vec<Spent>>, symbols: &Symbols) {
        if let Some(request) = request(self.tree, step) {
            if let Some(counts) = way.choices(symbols, self.uniformity, request.count) {
                let counts: Vec<u64> = counts.iter().map(|count| count.bits).collect();
                self.spend(step, &mut way.own, &counts, true);
            }
            // Conditions before it say nothing about the records that it gives.
            way.is_sure = true;
        } else if let Some(Op::OutputRecord { index, .. } | Op::InputRecord { index }) = self.tree.op(step)
            && way.is_sure
            && self.uniformity.constant(*index).is_none()
            && let Some(index) = way.number(symbols, self.uniformity, *index)
        {
            self.index(step, index.bits);
        }
    }

    fn end(&mut self, _: &Way<Vec<Spent>>) {}
}

/// The same without conditions, for what has too many ways.
struct Budgets<'t, 'f> {
    ledger: Ledger<'t, 'f>,
    reporting: bool,
}

impl Forward for Budgets<'_, '_> {
    type State = Vec<Spent>;

    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool {
        least(state, other)
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, _: &mut Self::State) -> bool {
        self.ledger.uniformity.takes(self.ledger.tree, step, arm)
    }

    fn simple(&mut self, step: StepId, state: &mut Self::State) {
        let count = request(self.ledger.tree, step).and_then(|request| self.ledger.uniformity.constant(request.count));
        if let Some(count) = count {
            self.ledger.spend(step, state, &[count.bits], self.reporting);
        }
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
