//! What the calls of a node ask for together, against the budgets that it declares.
//!
//! A sum is told where control is certain to come by all its calls: the calls of the way that asked for the least, and
//! those that follow one another without a condition between them, wherever the first of them stands. So the `ask` behind
//! `if (m) ask;` counts together with that one, as the order of the two says nothing; of two conditions it is not known
//! that they hold together, unless one follows from the other. For that the ways are followed twice: as one, where the
//! most and the least are kept, and apart as long as their sums differ, where what their conditions say rules ways out.

use super::counts::{self, Request, request};
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
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Turns of a loop that are parts of a sum one by one.
const MAX_UNEVEN: u64 = 8;

/// What was asked for so far of a budget, on one way.
#[derive(Clone, Default, PartialEq, Eq)]
struct Spent {
    records: u64,
    /// The last call that did, by its place in [`Ledger::calls`].
    last: Option<usize>,
    /// Some way here asked for more.
    or_more: bool,
}

/// A call that asks for records, and the one before it on the same way.
#[derive(Clone)]
struct Spending {
    step: StepId,
    output: OutputId,
    count: u64,
    threads: u64,
    before: Option<usize>,
}

/// A budget, at one place of the function.
#[derive(Clone, Default)]
struct Account {
    /// On the way that asked for the least.
    least: Spent,
    /// By calls that come together for certain, of which the first one may stand behind a condition.
    most: Spent,
    /// The first statement after those calls that not all ways through are here of.
    parted: Option<StepId>,
}

impl Account {
    /// Whether something else is known now.
    fn meet(&mut self, other: &Account) -> bool {
        let mut changed = false;
        if other.least.records < self.least.records {
            self.least = Spent { or_more: true, ..other.least.clone() };
            changed = true;
        } else if other.least.records > self.least.records && !self.least.or_more {
            self.least.or_more = true;
        }
        self.most.or_more |= other.most.or_more;
        let by_most = |account: &Account| (account.most.records, account.parted.is_none());
        match by_most(other).cmp(&by_most(self)) {
            std::cmp::Ordering::Greater => {
                (self.most, self.parted) = (other.most.clone(), other.parted);
                changed = true;
            }
            std::cmp::Ordering::Equal => self.parted = self.parted.min(other.parted),
            std::cmp::Ordering::Less => {}
        }
        changed
    }
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
    let (mut has_ways, mut has_choices) = (false, false);
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
        has_choices |= shape.asks[step] && !matches!(tree.steps[step].stmt, Stmt::Loop { .. });
    }
    let new = || Ledger {
        tree,
        launched,
        uniformity,
        handles,
        shape: &shape,
        apart: false,
        calls: Vec::new(),
        first: 0,
        before: FxHashMap::default(),
        wrong: BTreeMap::new(),
    };
    let start = vec![Account::default(); launched.outputs.len()];
    let joined = (has_ways || has_choices).then(|| follow(tree, uniformity, new, &start)).flatten();
    let ledger = match joined {
        Some(joined) if has_choices => {
            let apart = || Ledger { apart: true, first: joined.calls.len(), ..joined.clone() };
            follow(tree, uniformity, apart, &start).unwrap_or(joined)
        }
        Some(joined) => joined,
        None if asks_any => {
            let analysis = Unconditional { ledger: new(), reporting: false };
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

/// What is wrong with a statement.
#[derive(Clone)]
enum Wrong {
    /// By itself.
    Alone(Finding),
    /// With the calls before it.
    Sum {
        output: OutputId,
        /// The call, by its place in [`Ledger::calls`].
        call: usize,
        /// What was asked for when the node ends, on the way that asks for the least then.
        whole: Option<Spent>,
        may: bool,
    },
}

/// What is asked for, and what of that is too much.
#[derive(Clone)]
struct Ledger<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t Launched,
    uniformity: &'t Uniformity,
    handles: Option<&'t HandleFlow>,
    shape: &'t Shape,
    /// Ways that asked for different numbers are kept apart; an account has no `least` then.
    apart: bool,
    calls: Vec<Spending>,
    /// The first one that was met since ways are apart.
    first: usize,
    /// By statement: what was asked for at least when control comes there.
    before: FxHashMap<StepId, Vec<Spent>>,
    wrong: BTreeMap<StepId, Wrong>,
}

impl Ledger<'_, '_> {
    /// A request for one of several numbers of records.
    fn spend(&mut self, step: StepId, accounts: &mut [Account], counts: &[u64], reporting: bool) {
        let Some(request) = request(self.tree, step) else { return };
        let Some(output) = self.launched.outputs.get(request.output as usize) else { return };
        let Some(limit) = output.max_records.map(u64::from) else { return };
        let Some(least) = counts.iter().copied().min() else { return };
        let all = self.uniformity.control(step).is_some_and(|control| !control.level.parts_groups());
        // Of a call that only some threads make, one makes it for certain.
        let threads = match request.scope {
            AllocScope::Thread if all => self.launched.threads().unwrap_or(1),
            _ => 1,
        };
        let Some(records) = least.checked_mul(threads) else { return };
        if !self.apart {
            self.remember(step, accounts);
        }
        let is_told = accounts.get(output.budget).is_none_or(|account| account.least.records > limit);
        let reports = reporting && !is_told;
        if let Some((count, threads, asked)) = self.too_large(&request, counts, threads, limit).filter(|_| reports) {
            let kind = Kind::RequestTooLarge {
                call: request.call,
                output: request.output,
                count,
                threads,
                most: limit,
                asked,
            };
            let finding = Finding::new(kind, self.tree.steps[step].at).maybe(asked == Asked::Perhaps);
            self.wrong.entry(step).or_insert(Wrong::Alone(finding));
        }
        let Some(account) = accounts.get_mut(output.budget).filter(|_| records > 0) else { return };
        if account.parted.take().is_some() {
            // Whether the calls before it come together with this one is not known.
            let before = self.before.get(&step).and_then(|all| all.get(output.budget));
            account.most = if self.apart { before.cloned().unwrap_or_default() } else { account.least.clone() };
        }
        let or_more = counts.iter().any(|count| *count != least);
        let is_one = account.least == account.most;
        let mut spend = |spent: &mut Spent| {
            self.calls.push(Spending { step, output: request.output, count: least, threads, before: spent.last });
            let was = spent.records;
            let last = Some(self.calls.len() - 1);
            *spent = Spent { records: was.saturating_add(records), last, or_more: spent.or_more || or_more };
            was <= limit && spent.records > limit
        };
        let exceeds = !self.apart && spend(&mut account.least);
        let may_exceed = (self.apart || !is_one) && spend(&mut account.most);
        if is_one && !self.apart {
            account.most = account.least.clone();
        }
        let call = if exceeds { account.least.last } else { account.most.last };
        if let Some(call) = call.filter(|_| reporting && (exceeds || may_exceed)) {
            let is_known = match self.wrong.get(&step) {
                Some(Wrong::Sum { may, .. }) => !*may || !exceeds,
                Some(Wrong::Alone(_)) => true,
                None => false,
            };
            if !is_known {
                self.wrong.insert(step, Wrong::Sum { output: request.output, call, whole: None, may: !exceeds });
            }
        }
    }

    /// Keeps what was asked for at least in front of a statement.
    fn remember(&mut self, step: StepId, accounts: &[Account]) {
        let now = accounts.iter().map(|account| &account.least);
        match self.before.get_mut(&step) {
            Some(before) => {
                for (before, now) in before.iter_mut().zip(now) {
                    if now.records < before.records {
                        before.clone_from(now);
                    }
                }
            }
            None => drop(self.before.insert(step, now.cloned().collect())),
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
            self.wrong.entry(step).or_insert(Wrong::Alone(finding));
        }
    }

    /// All that came into a statement have come out of it.
    fn rejoin(&self, step: StepId, own: &mut [Account]) {
        let inside = step..=self.tree.steps[step].last;
        let is_here = |account: &Account| account.parted.is_some_and(|parted| inside.contains(&parted));
        if own.iter().any(is_here) && !self.shape.leaves[step] {
            own.iter_mut().filter(|account| is_here(account)).for_each(|account| account.parted = None);
        }
    }

    /// The calls of a way, the last one first.
    fn chain(&self, spent: &Spent) -> impl Iterator<Item = usize> {
        std::iter::successors(spent.last, |n| self.calls[*n].before)
    }

    /// The node ends: the sums that were too large are whole.
    fn close(&mut self, accounts: &[Account]) {
        if self.wrong.is_empty() {
            return;
        }
        for spent in accounts.iter().flat_map(|account| [&account.least, &account.most]) {
            let calls: FxHashSet<usize> = self.chain(spent).collect();
            for wrong in self.wrong.values_mut() {
                if let Wrong::Sum { call, whole, .. } = wrong
                    && *call >= self.first
                    && calls.contains(call)
                {
                    let or_more = whole.as_ref().is_some_and(|known| known.records != spent.records);
                    let is_less = whole.as_ref().is_none_or(|known| spent.records < known.records);
                    if is_less {
                        *whole = Some(spent.clone());
                    }
                    if let Some(whole) = whole {
                        whole.or_more |= or_more;
                    }
                }
            }
        }
    }

    fn findings(self) -> Vec<Finding> {
        let budget = |output: OutputId| self.launched.outputs.get(output as usize).map(|output| output.budget);
        let certain: FxHashSet<Option<usize>> = self
            .wrong
            .values()
            .filter_map(|wrong| match wrong {
                Wrong::Sum { output, may: false, .. } => Some(budget(*output)),
                _ => None,
            })
            .collect();
        let of = |(step, wrong): (&StepId, &Wrong)| match wrong {
            Wrong::Alone(finding) => Some(finding.clone()),
            // Of one budget that is too small for certain, what it may be beside is no news.
            Wrong::Sum { output, may: true, .. } if certain.contains(&budget(*output)) => None,
            Wrong::Sum { output, call, whole, may } => {
                // Where calls come after it on no way that was kept, there may be more of them.
                let (last, or_more) = match whole {
                    Some(whole) => (whole.last, whole.or_more),
                    None => (Some(*call), true),
                };
                let most = self.launched.outputs.get(*output as usize)?.max_records?;
                Some(self.sum(*step, *output, last, or_more, u64::from(most)).maybe(*may))
            }
        };
        self.wrong.iter().filter_map(of).collect()
    }

    /// What the calls up to one ask for together.
    fn sum(&self, step: StepId, output: OutputId, last: Option<usize>, or_more: bool, most: u64) -> Finding {
        let chain: Vec<usize> = self.chain(&Spent { last, ..Spent::default() }).collect();
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
        let kind = Kind::RequestsTooLarge { output, parts: all, most, or_more };
        let at = |step: StepId| self.tree.steps[step].at;
        let others = parts.iter().filter(|(other, _)| **other != step);
        others
            .fold(Finding::new(kind, at(step)), |finding, (step, part)| finding.also(Label::Records(*part), at(*step)))
    }
}

impl Follow for Ledger<'_, '_> {
    /// By output that owns a budget.
    type Own = Vec<Account>;

    fn meet(&self, own: &mut Vec<Account>, other: &Vec<Account>) -> Option<bool> {
        let mut pairs = own.iter().zip(other);
        if self.apart && pairs.any(|(own, other)| own.most.records != other.most.records) {
            return None;
        }
        Some(own.iter_mut().zip(other).fold(false, |changed, (own, other)| own.meet(other) || changed))
    }

    fn unsure_turn(&self, own: &mut Vec<Account>, entry: &Vec<Account>) {
        for (own, entry) in own.iter_mut().zip(entry) {
            let asked = own.most.records > entry.most.records;
            own.clone_from(entry);
            own.most.or_more |= asked;
        }
    }

    fn at(&mut self, step: StepId, way: &mut Way<Vec<Account>>, symbols: &Symbols) {
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

    fn chosen(&mut self, step: StepId, _: Option<Sym>, own: &mut Vec<Account>, _: &Symbols) {
        // Of ways that are one again behind it nothing is forgotten.
        if self.apart && !self.shape.leaves[step] && !self.shape.asks[step] {
            return;
        }
        for account in own {
            account.parted.get_or_insert(step);
        }
    }

    fn behind(&mut self, step: StepId, own: &mut Vec<Account>) -> bool {
        if !self.apart {
            self.rejoin(step, own);
        }
        false
    }

    fn end(&mut self, way: &Way<Vec<Account>>) {
        self.close(&way.own);
    }
}

/// The same without conditions, for what has too many ways.
struct Unconditional<'t, 'f> {
    ledger: Ledger<'t, 'f>,
    reporting: bool,
}

impl Forward for Unconditional<'_, '_> {
    type State = Vec<Account>;

    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool {
        // Of what only some way asks for nothing is kept: it would grow with every turn of a loop.
        let mut changed = false;
        for (own, other) in state.iter_mut().zip(other) {
            let least = own.least.records;
            own.meet(other);
            changed |= own.least.records != least;
            (own.most, own.parted) = (own.least.clone(), None);
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
        let count = request(self.ledger.tree, step).and_then(|request| self.ledger.uniformity.constant(request.count));
        if let Some(count) = count {
            self.ledger.spend(step, state, &[count.bits], self.reporting);
        }
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
