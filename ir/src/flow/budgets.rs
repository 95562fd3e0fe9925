//! What the calls of a node ask for together, against the budgets that it declares.
//!
//! A sum is certain where all ways through the node come to too much, and possible where one decision is enough for it: of
//! two conditions it is not known that they hold together, unless one follows from the other. So the ways are followed
//! apart as long as their sums differ, where what their conditions say rules ways out, and [`ends`](super::ends) says what
//! the ways of each decision come to. Where they are too many, those that meet are one, which asks for the least of them.

use super::counts::{self, Request, request};
use super::ends::{End, Ends, Spent};
use super::forward::{Forward, run};
use super::handles::HandleFlow;
use super::symbols::{Sym, Symbols};
use super::tree::{StepId, Tree};
use super::turns::leaves;
use super::uniformity::Uniformity;
use super::ways::{Follow, Way, follow};
use super::{Asked, Finding, Kind, Label, Launched, Part};
use crate::function::*;
use crate::types::AllocScope;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// Turns of a loop that are parts of a sum one by one.
const MAX_UNEVEN: u64 = 8;

/// A call that asks for records, and the one before it on the same way.
#[derive(Clone)]
struct Spending {
    step: StepId,
    output: OutputId,
    count: u64,
    threads: u64,
    before: Option<usize>,
}

/// What one request asks for on one way.
struct Count {
    least: u64,
    or_more: bool,
}

/// Requests above their budgets, one by one and together, and in turns of loops indexes of records that do not exist.
pub fn check(
    tree: &Tree<'_>,
    launched: &Launched,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    out: &mut Vec<Finding>,
) {
    let mut shape = Shape { asks: vec![false; tree.steps.len()], leaves: vec![false; tree.steps.len()] };
    let mut has_ways = false;
    for step in 0..tree.steps.len() {
        let in_loop = tree.steps[step].innermost_loop.is_some();
        let is_open = |id: ValueId| uniformity.constant(id).is_none();
        if let Some(request) = request(tree, step) {
            shape.asks[step] = true;
            has_ways |= in_loop || is_open(request.count);
        } else if let Some(Op::OutputRecord { index, .. } | Op::InputRecord { index }) = tree.op(step) {
            has_ways |= in_loop && is_open(*index);
        }
    }
    let asks_any = shape.asks.contains(&true);
    for step in (0..tree.steps.len()).rev().filter(|step| asks_any && !tree.steps[*step].blocks.is_empty()) {
        shape.asks[step] = tree.steps[step].blocks.iter().flatten().any(|inner| shape.asks[*inner]);
        shape.leaves[step] = leaves(tree, step);
        has_ways |= shape.asks[step] || shape.leaves[step];
    }
    let new = |apart: bool| Ledger {
        tree,
        launched,
        uniformity,
        handles,
        shape: &shape,
        apart,
        calls: Vec::new(),
        ends: Ends::default(),
        alone: BTreeMap::new(),
        chosen: BTreeMap::new(),
    };
    let start = vec![Spent::default(); launched.outputs.len()];
    let followed = |apart: bool| follow(tree, uniformity, || new(apart), &start).filter(|_| has_ways);
    let ledger = match has_ways.then(|| followed(true).or_else(|| followed(false))).flatten() {
        Some(ledger) => ledger,
        None if asks_any => {
            let analysis = Unconditional { ledger: new(false), reporting: false };
            match run(tree, analysis, start) {
                Some(done) => done.ledger,
                None => return,
            }
        }
        None => return,
    };
    out.extend(ledger.findings());
}

/// By statement, what is known of it without the ways.
struct Shape {
    /// It asks for records, or something in it does.
    asks: Vec<bool>,
    /// Control may leave it for somewhere else than behind it.
    leaves: Vec<bool>,
}

/// What is asked for, and what of that is too much.
struct Ledger<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t Launched,
    uniformity: &'t Uniformity,
    handles: Option<&'t HandleFlow>,
    shape: &'t Shape,
    /// Ways that asked for different numbers are kept apart.
    apart: bool,
    calls: Vec<Spending>,
    ends: Ends,
    /// What is wrong with a statement by itself.
    alone: BTreeMap<StepId, Finding>,
    /// The numbers that a request may be for on some way, where conditions choose between them.
    chosen: BTreeMap<StepId, BTreeSet<u64>>,
}

impl Ledger<'_, '_> {
    /// The budget that a request counts against.
    fn budget(&self, request: &Request) -> Option<(usize, u64)> {
        let output = self.launched.outputs.get(request.output as usize)?;
        Some((output.budget, u64::from(output.max_records?)))
    }

    /// Of a call that only some threads make, one makes it for certain.
    fn threads(&self, step: StepId, request: &Request) -> u64 {
        let all = self.uniformity.control(step).is_some_and(|control| !control.level.parts_groups());
        match request.scope {
            AllocScope::Thread if all => self.launched.threads().unwrap_or(1),
            _ => 1,
        }
    }

    /// Whether threads of a group ask for different numbers.
    fn varies(&self, request: &Request) -> bool {
        self.uniformity.level(request.count).parts_groups()
    }

    /// A request that is too large whatever else is asked for. `counts` are the numbers that it may be, of which there may
    /// be more where it is `open`.
    fn judge(&mut self, step: StepId, spent: &[Spent], counts: &[u64], open: bool) {
        let Some(request) = request(self.tree, step) else { return };
        let Some((budget, most)) = self.budget(&request) else { return };
        if is_above(spent.get(budget), most) || self.alone.contains_key(&step) {
            return;
        }
        let threads = self.threads(step, &request);
        let Some((count, threads, asked)) = self.too_large(&request, counts, threads, most) else { return };
        let asked = match asked {
            Asked::Exactly if open => Asked::AtLeast,
            Asked::Unless0 if open => Asked::Perhaps,
            asked => asked,
        };
        let (call, output) = (request.call, request.output);
        let kind = Kind::RequestTooLarge { call, output, count, threads, most, asked };
        let finding = Finding::new(kind, self.tree.steps[step].at).maybe(asked == Asked::Perhaps);
        self.alone.insert(step, finding);
    }

    /// A request is for one of some numbers, by conditions that other ways may decide otherwise.
    fn gather(&mut self, step: StepId, spent: &[Spent], counts: &[u64]) {
        let budget = request(self.tree, step).and_then(|request| self.budget(&request));
        if budget.is_some_and(|(budget, most)| !is_above(spent.get(budget), most)) {
            self.chosen.entry(step).or_default().extend(counts);
        }
    }

    /// A request is made.
    fn spend(&mut self, step: StepId, spent: &mut [Spent], count: &Count) {
        let Some(request) = request(self.tree, step) else { return };
        let Some((budget, _)) = self.budget(&request) else { return };
        let threads = self.threads(step, &request);
        let (Some(spent), Some(records)) = (spent.get_mut(budget), count.least.checked_mul(threads)) else { return };
        spent.or_more |= count.or_more;
        if records > 0 {
            let before = spent.last;
            self.calls.push(Spending { step, output: request.output, count: count.least, threads, before });
            spent.records = spent.records.saturating_add(records);
            spent.last = Some(self.calls.len() - 1);
        }
    }

    /// How many records a request alone asks for that are too many, of each of how many threads.
    fn too_large(&self, request: &Request, counts: &[u64], threads: u64, most: u64) -> Option<(u64, u64, Asked)> {
        let least = counts.iter().copied().min()?;
        if least.checked_mul(threads)? > most {
            let asked = if counts.iter().all(|count| *count == least) { Asked::Exactly } else { Asked::AtLeast };
            return Some((least, threads, asked));
        }
        // Where threads differ, one may be the only one that asks for more.
        let threads = if self.uniformity.level(request.count).parts_groups() { 1 } else { threads };
        let exceeds = |count: &&u64| count.saturating_mul(threads) > most;
        let count = counts.iter().filter(exceeds).copied().min()?;
        let others = counts.iter().filter(|count| **count > 0).any(|count| !exceeds(&count));
        Some((count, threads, if others { Asked::Perhaps } else { Asked::Unless0 }))
    }

    /// A record that is not there, by its number in one turn.
    fn index(&mut self, step: StepId, index: u64) {
        let finding = counts::record(self.tree, self.launched, self.uniformity, self.handles, step, index);
        if let Some(finding) = finding {
            self.alone.entry(step).or_insert(finding);
        }
    }

    /// The calls of a way, the last one first.
    fn chain(&self, last: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(last, |n| self.calls[*n].before)
    }

    /// The node ends.
    fn close(&mut self, spent: &[Spent]) {
        spent.iter().enumerate().for_each(|(budget, spent)| self.ends.end(budget, spent));
    }

    fn findings(mut self) -> Vec<Finding> {
        for (step, counts) in std::mem::take(&mut self.chosen) {
            self.judge(step, &[], &Vec::from_iter(counts), false);
        }
        let mut sums: Vec<(StepId, Finding)> = Vec::new();
        for (budget, declared) in self.launched.outputs.iter().enumerate() {
            let Some(most) = declared.max_records.map(u64::from).filter(|_| declared.budget == budget) else {
                continue;
            };
            let certain = self.ends.of_all(budget).filter(|end| end.records > most).cloned();
            let possible = || self.ends.above(budget, most).into_iter().cloned().collect();
            let (may, ends) = match certain {
                // Of a budget that is too small for certain, what it may be beside is no news.
                Some(end) => (false, vec![end]),
                None => (true, possible()),
            };
            let mut told: FxHashSet<StepId> = FxHashSet::default();
            for end in ends {
                let steps: FxHashSet<StepId> = self.chain(end.last).map(|n| self.calls[n].step).collect();
                // Sums that have a call in common are one mistake, and so is a call that is too much by itself.
                let is_known = |step: &StepId| {
                    let alone = self.alone.get(step);
                    told.contains(step) || alone.is_some_and(|finding| may || !finding.may)
                };
                if !steps.iter().any(is_known) {
                    self.alone.retain(|step, _| !steps.contains(step));
                    sums.extend(self.sum(&end, most).map(|(step, finding)| (step, finding.maybe(may))));
                    told.extend(steps);
                }
            }
        }
        let mut all: Vec<(StepId, Finding)> = self.alone.into_iter().chain(sums).collect();
        all.sort_by_key(|(step, _)| *step);
        all.into_iter().map(|(_, finding)| finding).collect()
    }

    /// What the calls of a way ask for together, told at the first one that is too much.
    fn sum(&self, end: &End, most: u64) -> Option<(StepId, Finding)> {
        let chain: Vec<usize> = self.chain(end.last).collect();
        let mut asked = 0u64;
        let exceeds = |call: &&Spending| {
            asked = asked.saturating_add(call.count.saturating_mul(call.threads));
            asked > most
        };
        let Spending { step, output, .. } = *chain.iter().rev().map(|n| &self.calls[*n]).find(exceeds)?;
        let mut parts: IndexMap<StepId, Part> = IndexMap::new();
        for call in chain.iter().rev().map(|n| &self.calls[*n]) {
            let new = Part { output: call.output, count: call.count, threads: call.threads, turns: 1, is_even: true };
            let part = parts.entry(call.step).or_insert(Part { turns: 0, ..new });
            if part.turns > 0 && part.is_even && call.count != part.count {
                *part = Part { count: part.count * part.turns, is_even: false, ..*part };
            }
            if !part.is_even {
                part.count += call.count;
            }
            part.turns += 1;
        }
        // Of turns that differ each is a part, where they are few.
        let turns = |step: StepId| chain.iter().rev().map(|n| &self.calls[*n]).filter(move |call| call.step == step);
        let each = |(step, part): (&StepId, &Part)| -> Vec<Part> {
            if part.is_even || part.turns > MAX_UNEVEN {
                return vec![*part];
            }
            turns(*step).map(|call| Part { count: call.count, turns: 1, is_even: true, ..*part }).collect()
        };
        let all: Vec<Part> = parts.iter().flat_map(each).collect();
        let kind = Kind::RequestsTooLarge { output, parts: all, most, or_more: end.or_more };
        let at = |step: StepId| self.tree.steps[step].at;
        let others = parts.iter().filter(|(other, _)| **other != step);
        let finding = Finding::new(kind, at(step));
        Some((step, others.fold(finding, |finding, (step, part)| finding.also(Label::Records(*part), at(*step)))))
    }
}

/// Behind calls that are too much already another one is no news.
fn is_above(spent: Option<&Spent>, most: u64) -> bool {
    spent.is_some_and(|spent| spent.records > most)
}

impl Follow for Ledger<'_, '_> {
    /// By output that owns a budget.
    type Own = Vec<Spent>;

    fn meet(&mut self, own: &mut Vec<Spent>, other: &Vec<Spent>) -> Option<bool> {
        let mut pairs = own.iter().zip(other);
        if self.apart && pairs.any(|(own, other)| own.records != other.records) {
            return None;
        }
        let mut changed = false;
        for (budget, (own, other)) in own.iter_mut().zip(other).enumerate() {
            changed |= match other.records.cmp(&own.records) {
                Ordering::Equal => {
                    own.or_more |= other.or_more;
                    own.passed.join(&other.passed)
                }
                Ordering::Greater => {
                    self.ends.leave(budget, other, &own.passed);
                    own.or_more = true;
                    false
                }
                Ordering::Less => {
                    self.ends.leave(budget, own, &other.passed);
                    *own = Spent { or_more: true, ..other.clone() };
                    true
                }
            };
        }
        Some(changed)
    }

    fn unsure_turn(&mut self, own: &mut Vec<Spent>, entry: &Vec<Spent>) {
        for (budget, (own, entry)) in own.iter_mut().zip(entry).enumerate() {
            self.ends.leave(budget, own, &entry.passed);
            let or_more = entry.or_more || own.records > entry.records;
            *own = Spent { or_more, ..entry.clone() };
        }
    }

    fn at(&mut self, step: StepId, way: &mut Way<Vec<Spent>>, symbols: &Symbols) {
        if let Some(request) = request(self.tree, step) {
            let least = match way.choices(symbols, self.uniformity, request.count) {
                Some(counts) => {
                    let counts: Vec<u64> = counts.iter().map(|count| count.bits).collect();
                    let sym = way.first_symbol(self.uniformity, request.count);
                    let is_given = self.uniformity.constant(request.count).is_some()
                        || sym.is_some_and(|sym| symbols.constant(sym).is_some());
                    if is_given {
                        self.judge(step, &way.own, &counts, false);
                    } else {
                        self.gather(step, &way.own, &counts);
                    }
                    counts.into_iter().min().unwrap_or(0)
                }
                None => {
                    let (least, cut_off) = way.bounds(symbols, self.uniformity, request.count);
                    self.judge(step, &way.own, &[least], true);
                    // A number that is cut off may be as large, of one thread.
                    if let Some(most) = cut_off {
                        self.judge(step, &way.own, &[least, most.max(least)], true);
                    }
                    least
                }
            };
            // Each thread asks for the least at least.
            if self.varies(&request) {
                self.spend(step, &mut way.own, &Count { least, or_more: true });
            }
            // Conditions before it say nothing about the records that it gives.
            way.was_unsure |= !way.is_sure;
            way.is_sure = true;
        } else if let Some(op @ (Op::OutputRecord { index, .. } | Op::InputRecord { index })) = self.tree.op(step)
            && way.is_sure
            && !(way.was_unsure && matches!(op, Op::InputRecord { .. }))
            && self.uniformity.constant(*index).is_none()
            && let Some(index) = way.number(symbols, self.uniformity, *index)
        {
            self.index(step, index.bits);
        }
    }

    fn divides(&self, step: StepId) -> Option<ValueId> {
        request(self.tree, step).filter(|request| !self.varies(request)).map(|request| request.count)
    }

    fn divided(&mut self, step: StepId, by: Option<ScalarConst>, way: &mut Way<Vec<Spent>>, symbols: &Symbols) {
        let Some(request) = request(self.tree, step) else { return };
        let known = by.or_else(|| way.number(symbols, self.uniformity, request.count));
        let count = match known {
            Some(count) => Count { least: count.bits, or_more: false },
            None => Count { least: way.bounds(symbols, self.uniformity, request.count).0, or_more: true },
        };
        if let Some(by) = by {
            for spent in &mut way.own {
                self.ends.pass((step, by.bits), &mut spent.passed);
            }
        }
        self.spend(step, &mut way.own, &count);
    }

    fn chosen(&mut self, (step, arm): (StepId, usize), _: Option<Sym>, own: &mut Vec<Spent>, _: &Symbols) {
        if self.shape.asks[step] || self.shape.leaves[step] {
            for spent in own {
                self.ends.pass((step, arm as u64), &mut spent.passed);
            }
        }
    }

    fn end(&mut self, way: &Way<Vec<Spent>>) {
        self.close(&way.own);
    }
}

/// The same without conditions, for what has too many ways.
struct Unconditional<'t, 'f> {
    ledger: Ledger<'t, 'f>,
    reporting: bool,
}

impl Forward for Unconditional<'_, '_> {
    type State = Vec<Spent>;

    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool {
        let mut changed = false;
        for (own, other) in state.iter_mut().zip(other) {
            if other.records < own.records {
                own.clone_from(other);
                changed = true;
            }
            own.or_more |= own.records != other.records;
        }
        changed
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, step: StepId, arm: usize, _: &mut Self::State) -> bool {
        self.ledger.uniformity.takes(self.ledger.tree, step, arm)
    }

    fn simple(&mut self, step: StepId, state: &mut Self::State) {
        let Some(request) = request(self.ledger.tree, step) else { return };
        let count = self.ledger.uniformity.constant(request.count).map(|count| count.bits);
        if let Some(count) = count.filter(|_| self.reporting) {
            self.ledger.judge(step, state, &[count], false);
        }
        self.ledger.spend(step, state, &Count { least: count.unwrap_or(0), or_more: count.is_none() });
    }

    fn jump(&mut self, _: StepId, target: super::forward::Target, state: &Self::State) {
        if target == super::forward::Target::Function && self.reporting {
            self.ledger.close(state);
        }
    }

    fn end(&mut self, state: &Self::State) {
        self.ledger.close(state);
    }
}
