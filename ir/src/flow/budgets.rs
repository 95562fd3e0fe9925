//! Compares the records that a node requests in total with its declared budgets.
//!
//! A sum is certain if every path through the node exceeds the budget. It is possible if a single decision suffices:
//! two conditions may exclude each other unless one implies the other. So paths are followed separately while their
//! sums differ and their conditions do not rule them out. [`path_sums`](super::path_sums) records the least sum for
//! each decision. If there are too many paths, merging paths become one with the least sum.

use super::counts::{self, Request, request};
use super::forward::{Forward, run};
use super::handles::HandleFlow;
use super::path_sums::{LeastSum, PathSum, PathSums};
use super::paths::{Follow, Path, follow};
use super::successors::leaves;
use super::symbols::{Sym, Symbols};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label, LaunchParameters, RequestCertainty, SumTerm};
use crate::function::*;
use crate::types::AllocScope;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of iterations that become separate parts of a sum.
const MAX_UNEVEN: u64 = 8;

/// A call that requests records, and the previous one on the same path.
#[derive(Clone)]
struct Spending {
    step: StepId,
    output: OutputId,
    count: u64,
    threads: u64,
    before: Option<usize>,
}

/// The number of records that one request adds on one path.
struct Count {
    least: u64,
    or_more: bool,
}

/// Finds requests above their budgets, alone and together. In loops it also finds indexes of records that do not exist.
pub fn check(
    tree: &Tree<'_>,
    launched: &LaunchParameters,
    uniformity: &Uniformity,
    handles: Option<&HandleFlow>,
    out: &mut Vec<Finding>,
) {
    let mut shape = StepFacts { asks: vec![false; tree.steps.len()], leaves: vec![false; tree.steps.len()] };
    let mut has_paths = false;
    for step in 0..tree.steps.len() {
        let in_loop = tree.steps[step].innermost_loop.is_some();
        let is_open = |id: ValueId| uniformity.constant(id).is_none();
        if let Some(request) = request(tree, step) {
            shape.asks[step] = true;
            has_paths |= in_loop || is_open(request.count);
        } else if let Some(Op::OutputRecord { index, .. } | Op::InputRecord { index }) = tree.op(step) {
            has_paths |= in_loop && is_open(*index);
        }
    }
    let asks_any = shape.asks.contains(&true);
    for step in (0..tree.steps.len()).rev().filter(|step| asks_any && !tree.steps[*step].blocks.is_empty()) {
        shape.asks[step] = tree.steps[step].blocks.iter().flatten().any(|inner| shape.asks[*inner]);
        shape.leaves[step] = leaves(tree, step);
        has_paths |= shape.asks[step] || shape.leaves[step];
    }
    let new = |apart: bool| Ledger {
        tree,
        launched,
        uniformity,
        handles,
        shape: &shape,
        apart,
        calls: Vec::new(),
        ends: PathSums::default(),
        alone: BTreeMap::new(),
        chosen: BTreeMap::new(),
    };
    let start = vec![PathSum::default(); launched.outputs.len()];
    let followed = |apart: bool| follow(tree, uniformity, || new(apart), &start).filter(|_| has_paths);
    let ledger = match has_paths.then(|| followed(true).or_else(|| followed(false))).flatten() {
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

/// The facts about each statement that do not depend on paths.
struct StepFacts {
    /// It requests records, directly or in a nested statement.
    asks: Vec<bool>,
    /// Control may leave it for a target other than the next statement.
    leaves: Vec<bool>,
}

/// The requests and those of them that exceed a budget.
struct Ledger<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t LaunchParameters,
    uniformity: &'t Uniformity,
    handles: Option<&'t HandleFlow>,
    shape: &'t StepFacts,
    /// True if paths with different sums stay separate.
    apart: bool,
    calls: Vec<Spending>,
    ends: PathSums,
    /// Statements that are wrong on their own.
    alone: BTreeMap<StepId, Finding>,
    /// The numbers of records that a request may have on some path, where conditions choose between them.
    chosen: BTreeMap<StepId, BTreeSet<u64>>,
}

impl Ledger<'_, '_> {
    /// Returns the budget that a request counts against.
    fn budget(&self, request: &Request) -> Option<(usize, u64)> {
        let output = self.launched.outputs.get(request.output as usize)?;
        Some((output.budget, u64::from(output.max_records?)))
    }

    /// Returns the number of threads that make a request. If only some threads do, at least one does.
    fn threads(&self, step: StepId, request: &Request) -> u64 {
        let all = self.uniformity.control(step).is_some_and(|control| !control.level.parts_groups());
        match request.scope {
            AllocScope::Thread if all => self.launched.threads().unwrap_or(1),
            _ => 1,
        }
    }

    /// Returns whether threads of a group request different numbers.
    fn varies(&self, request: &Request) -> bool {
        self.uniformity.level(request.count).parts_groups()
    }

    /// Reports a request that exceeds its budget on its own. `counts` are its possible numbers; if `open`, there may be
    /// others.
    fn judge(&mut self, step: StepId, spent: &[PathSum], counts: &[u64], open: bool) {
        let Some(request) = request(self.tree, step) else { return };
        let Some((budget, most)) = self.budget(&request) else { return };
        if is_above(spent.get(budget), most) || self.alone.contains_key(&step) {
            return;
        }
        let threads = self.threads(step, &request);
        let Some((count, threads, asked)) = self.too_large(&request, counts, threads, most) else { return };
        let asked = match asked {
            RequestCertainty::Exactly if open => RequestCertainty::AtLeast,
            RequestCertainty::Unless0 if open => RequestCertainty::Perhaps,
            asked => asked,
        };
        let (call, output) = (request.call, request.output);
        let kind = FindingKind::RequestTooLarge { call, output, count, threads, most, asked };
        let finding = Finding::new(kind, self.tree.steps[step].at).maybe(asked == RequestCertainty::Perhaps);
        self.alone.insert(step, finding);
    }

    /// Collects the possible numbers of a request; conditions may choose differently on other paths.
    fn gather(&mut self, step: StepId, spent: &[PathSum], counts: &[u64]) {
        let budget = request(self.tree, step).and_then(|request| self.budget(&request));
        if budget.is_some_and(|(budget, most)| !is_above(spent.get(budget), most)) {
            self.chosen.entry(step).or_default().extend(counts);
        }
    }

    /// Adds a request to the sums of a path.
    fn spend(&mut self, step: StepId, spent: &mut [PathSum], count: &Count) {
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

    /// Returns the excessive number of records of a single request, the number of threads, and the certainty.
    fn too_large(
        &self,
        request: &Request,
        counts: &[u64],
        threads: u64,
        most: u64,
    ) -> Option<(u64, u64, RequestCertainty)> {
        let least = counts.iter().copied().min()?;
        if least.checked_mul(threads)? > most {
            let asked = if counts.iter().all(|count| *count == least) {
                RequestCertainty::Exactly
            } else {
                RequestCertainty::AtLeast
            };
            return Some((least, threads, asked));
        }
        // If threads differ, perhaps only one of them requests more.
        let threads = if self.uniformity.level(request.count).parts_groups() { 1 } else { threads };
        let exceeds = |count: &&u64| count.saturating_mul(threads) > most;
        let count = counts.iter().filter(exceeds).copied().min()?;
        let others = counts.iter().filter(|count| **count > 0).any(|count| !exceeds(&count));
        Some((count, threads, if others { RequestCertainty::Perhaps } else { RequestCertainty::Unless0 }))
    }

    /// Reports the index of a record that does not exist in one iteration.
    fn index(&mut self, step: StepId, index: u64) {
        let finding = counts::record(self.tree, self.launched, self.uniformity, self.handles, step, index);
        if let Some(finding) = finding {
            self.alone.entry(step).or_insert(finding);
        }
    }

    /// Returns the calls of a path, the last one first.
    fn chain(&self, last: Option<usize>) -> impl Iterator<Item = usize> {
        std::iter::successors(last, |n| self.calls[*n].before)
    }

    /// Records the sums at the end of the node.
    fn close(&mut self, spent: &[PathSum]) {
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
                // If a budget is exceeded for certain, possible excesses are not reported.
                Some(end) => (false, vec![end]),
                None => (true, possible()),
            };
            let mut reported: FxHashSet<StepId> = FxHashSet::default();
            for end in ends {
                let steps: FxHashSet<StepId> = self.chain(end.last).map(|n| self.calls[n].step).collect();
                // Sums that share a call are one mistake. A call that exceeds the budget alone is also reported only
                // once.
                let is_known = |step: &StepId| {
                    let alone = self.alone.get(step);
                    reported.contains(step) || alone.is_some_and(|finding| may || !finding.may)
                };
                if !steps.iter().any(is_known) {
                    self.alone.retain(|step, _| !steps.contains(step));
                    sums.extend(self.sum(&end, most).map(|(step, finding)| (step, finding.maybe(may))));
                    reported.extend(steps);
                }
            }
        }
        let mut all: Vec<(StepId, Finding)> = self.alone.into_iter().chain(sums).collect();
        all.sort_by_key(|(step, _)| *step);
        all.into_iter().map(|(_, finding)| finding).collect()
    }

    /// Returns the finding for all calls of a path together, at the first call that exceeds the budget.
    fn sum(&self, end: &LeastSum, most: u64) -> Option<(StepId, Finding)> {
        let chain: Vec<usize> = self.chain(end.last).collect();
        let mut asked = 0u64;
        let exceeds = |call: &&Spending| {
            asked = asked.saturating_add(call.count.saturating_mul(call.threads));
            asked > most
        };
        let Spending { step, output, .. } = *chain.iter().rev().map(|n| &self.calls[*n]).find(exceeds)?;
        let mut parts: IndexMap<StepId, SumTerm> = IndexMap::new();
        for call in chain.iter().rev().map(|n| &self.calls[*n]) {
            let new =
                SumTerm { output: call.output, count: call.count, threads: call.threads, iterations: 1, is_even: true };
            let part = parts.entry(call.step).or_insert(SumTerm { iterations: 0, ..new });
            if part.iterations > 0 && part.is_even && call.count != part.count {
                *part = SumTerm { count: part.count * part.iterations, is_even: false, ..*part };
            }
            if !part.is_even {
                part.count += call.count;
            }
            part.iterations += 1;
        }
        // Uneven iterations become one part each, if there are few.
        let iterations =
            |step: StepId| chain.iter().rev().map(|n| &self.calls[*n]).filter(move |call| call.step == step);
        let each = |(step, part): (&StepId, &SumTerm)| -> Vec<SumTerm> {
            if part.is_even || part.iterations > MAX_UNEVEN {
                return vec![*part];
            }
            iterations(*step).map(|call| SumTerm { count: call.count, iterations: 1, is_even: true, ..*part }).collect()
        };
        let all: Vec<SumTerm> = parts.iter().flat_map(each).collect();
        let kind = FindingKind::RequestsTooLarge { output, parts: all, most, or_more: end.or_more };
        let at = |step: StepId| self.tree.steps[step].at;
        let others = parts.iter().filter(|(other, _)| **other != step);
        let finding = Finding::new(kind, at(step));
        Some((step, others.fold(finding, |finding, (step, part)| finding.also(Label::Records(*part), at(*step)))))
    }
}

/// Returns whether earlier calls already exceed the budget. Further calls are not reported then.
fn is_above(spent: Option<&PathSum>, most: u64) -> bool {
    spent.is_some_and(|spent| spent.records > most)
}

impl Follow for Ledger<'_, '_> {
    /// The sums of each output that owns a budget.
    type Own = Vec<PathSum>;

    fn meet(&mut self, own: &mut Vec<PathSum>, other: &Vec<PathSum>) -> Option<bool> {
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
                    *own = PathSum { or_more: true, ..other.clone() };
                    true
                }
            };
        }
        Some(changed)
    }

    fn unsure_iteration(&mut self, own: &mut Vec<PathSum>, entry: &Vec<PathSum>) {
        for (budget, (own, entry)) in own.iter_mut().zip(entry).enumerate() {
            self.ends.leave(budget, own, &entry.passed);
            let or_more = entry.or_more || own.records > entry.records;
            *own = PathSum { or_more, ..entry.clone() };
        }
    }

    fn at(&mut self, step: StepId, path: &mut Path<Vec<PathSum>>, symbols: &Symbols) {
        if let Some(request) = request(self.tree, step) {
            let least = match path.choices(symbols, self.uniformity, request.count) {
                Some(counts) => {
                    let counts: Vec<u64> = counts.iter().map(|count| count.bits).collect();
                    let sym = path.first_symbol(self.uniformity, request.count);
                    let is_given = self.uniformity.constant(request.count).is_some()
                        || sym.is_some_and(|sym| symbols.constant(sym).is_some());
                    if is_given {
                        self.judge(step, &path.own, &counts, false);
                    } else {
                        self.gather(step, &path.own, &counts);
                    }
                    counts.into_iter().min().unwrap_or(0)
                }
                None => {
                    let (least, cut_off) = path.bounds(symbols, self.uniformity, request.count);
                    self.judge(step, &path.own, &[least], true);
                    // A count with an upper limit may reach it, at least in one thread.
                    if let Some(most) = cut_off {
                        self.judge(step, &path.own, &[least, most.max(least)], true);
                    }
                    least
                }
            };
            // Each thread requests at least the least number.
            if self.varies(&request) {
                self.spend(step, &mut path.own, &Count { least, or_more: true });
            }
            // Earlier conditions do not affect the records of this call.
            path.was_unsure |= !path.is_sure;
            path.is_sure = true;
        } else if let Some(op @ (Op::OutputRecord { index, .. } | Op::InputRecord { index })) = self.tree.op(step)
            && path.is_sure
            && !(path.was_unsure && matches!(op, Op::InputRecord { .. }))
            && self.uniformity.constant(*index).is_none()
            && let Some(index) = path.number(symbols, self.uniformity, *index)
        {
            self.index(step, index.bits);
        }
    }

    fn divides(&self, step: StepId) -> Option<ValueId> {
        request(self.tree, step).filter(|request| !self.varies(request)).map(|request| request.count)
    }

    fn divided(&mut self, step: StepId, by: Option<ScalarConst>, path: &mut Path<Vec<PathSum>>, symbols: &Symbols) {
        let Some(request) = request(self.tree, step) else { return };
        let known = by.or_else(|| path.number(symbols, self.uniformity, request.count));
        let count = match known {
            Some(count) => Count { least: count.bits, or_more: false },
            None => Count { least: path.bounds(symbols, self.uniformity, request.count).0, or_more: true },
        };
        if let Some(by) = by {
            for spent in &mut path.own {
                self.ends.pass((step, by.bits), &mut spent.passed);
            }
        }
        self.spend(step, &mut path.own, &count);
    }

    fn chosen(&mut self, (step, arm): (StepId, usize), _: Option<Sym>, own: &mut Vec<PathSum>, _: &Symbols) {
        if self.shape.asks[step] || self.shape.leaves[step] {
            for spent in own {
                self.ends.pass((step, arm as u64), &mut spent.passed);
            }
        }
    }

    fn end(&mut self, path: &Path<Vec<PathSum>>) {
        self.close(&path.own);
    }
}

/// This analysis without conditions, for functions with too many paths.
struct Unconditional<'t, 'f> {
    ledger: Ledger<'t, 'f>,
    reporting: bool,
}

impl Forward for Unconditional<'_, '_> {
    type State = Vec<PathSum>;

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
