//! Budgets that the calls of a node might exceed together: what they ask for is counted while the node runs.
//!
//! One call never gets more than MaxRecords. Several, those of a loop, of all threads of a group, or of outputs that share a
//! budget may ask for more; queues are sized by what the budgets say, so it would be other nodes whose records find no place.
//! Where [`demand`](super::super::demand) shows that they stay within it, there is nothing here. Else each request is cut to what the budget
//! has left, before it comes to a queue. A thread that has the budget to itself, and a group that asks as one, keep what is left
//! in a variable; where the threads of a group ask each for itself, a groupshared word counts for them.

use super::super::demand::demands;
use super::super::error::EmuError;
use super::super::library;
use super::super::plan::budget;
use super::{Lowering, SHARED_BARRIER};
use wgc_ir::{AllocScope, AtomicOp, Function, MemoryOrder, OutputId, Scope, Space, Stmt, Symbol, Type, ValueId};

/// What counts the records of one budget.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    /// Place of the number of records that are left at most, of each thread.
    left: ValueId,
    /// The groupshared word that counts those that were asked for, where threads ask for themselves.
    pub(super) shared: Option<Symbol>,
}

impl Lowering<'_> {
    /// Threads that share a budget.
    fn sharing(&self) -> u32 {
        if self.thread.is_some() { self.threads } else { 1 }
    }

    /// Makes the counters, and sets them at the begin.
    pub(super) fn counters(&mut self, function: &Function) {
        let threads = self.sharing();
        let budgets: Vec<u32> = (0..self.node.outputs.len())
            .map(|output| budget(self.node, output))
            .enumerate()
            .map(|(output, (owner, max_records))| if owner == output { max_records } else { u32::MAX })
            .collect();
        let demands = demands(self.context.module, self.node, function, threads, |demands| {
            demands.iter().zip(&budgets).all(|(demand, budget)| demand.is_within(*budget))
        });
        let mut shared = Vec::new();
        for (output, (demand, max_records)) in demands.into_iter().zip(budgets).enumerate() {
            if demand.is_within(max_records) {
                continue;
            }
            let left = self.b.new_local("left", Type::U32);
            let all = self.b.const_u32(max_records);
            self.b.store(left, all);
            let is_shared = threads > 1 && demand.of_threads > 0;
            let name = is_shared.then(|| Symbol::from(format!("wgc.spent.{output}")));
            shared.extend(name.clone());
            self.counters[output] = Some(Counter { left, shared: name });
        }
        if let Some(thread) = self.thread.filter(|_| !shared.is_empty()) {
            let zero = self.b.const_u32(0);
            let first = self.b.eq(thread, zero);
            let words: Vec<ValueId> = shared.iter().map(|name| self.spent(name)).collect();
            self.b.if_then(first, |b| words.into_iter().for_each(|word| b.store(word, zero)));
            self.b.barrier(SHARED_BARRIER);
        }
    }

    /// Whether calls of an output may be cut.
    pub(super) fn is_counted(&self, output: OutputId) -> bool {
        let (owner, _) = budget(self.node, output as usize);
        self.counters.get(owner).is_some_and(Option::is_some)
    }

    fn spent(&mut self, name: &Symbol) -> ValueId {
        self.b.global_as(name.clone(), Type::reference(Space::Workgroup, Type::U32))
    }

    /// How many of the records that a call asks for it may have.
    pub(super) fn granted(&mut self, scope: AllocScope, output: OutputId, count: ValueId) -> Result<ValueId, EmuError> {
        let (owner, max_records) = budget(self.node, output as usize);
        let Some(counter) = self.counters.get(owner).cloned().flatten() else { return Ok(count) };
        match (&counter.shared, self.asking(scope)) {
            (None, _) => {
                let left = self.b.load(counter.left);
                self.grant(output, count, left, counter.left)
            }
            (Some(name), AllocScope::Thread) => self.grant_shared(output, count, max_records, name, counter.left),
            (Some(name), AllocScope::Group) => {
                self.in_one_thread(false, |s| s.grant_shared(output, count, max_records, name, counter.left))
            }
        }
    }

    /// `left` records are left; those behind the call go to a place.
    fn grant(&mut self, output: OutputId, count: ValueId, left: ValueId, behind: ValueId) -> Result<ValueId, EmuError> {
        let number = self.b.const_u32(output);
        let granted = self.call(library::GRANT, vec![self.enter, number, count, left])?;
        let rest = self.b.sub(left, granted);
        self.b.store(behind, rest);
        Ok(granted)
    }

    /// The same where other threads take from the budget too. No thread adds more than it knows to be left: once it found
    /// nothing, it adds nothing.
    fn grant_shared(
        &mut self,
        output: OutputId,
        count: ValueId,
        max_records: u32,
        name: &Symbol,
        known: ValueId,
    ) -> Result<ValueId, EmuError> {
        let word = self.spent(name);
        let most = self.b.const_u32(max_records);
        let left = self.b.load(known);
        let asked = self.b.min(count, left);
        // What all threads have under way at a time, and what went before.
        let may_overflow = (u64::from(self.threads) + 2) * u64::from(max_records) > u64::from(u32::MAX);
        let before = match may_overflow {
            true => self.spend_within(word, asked, left, most),
            false => self.b.atomic(AtomicOp::Add, word, asked, Scope::Workgroup, MemoryOrder::Relaxed),
        };
        let before = self.b.min(before, most);
        let left = self.b.sub(most, before);
        self.grant(output, count, left, known)
    }

    /// Adds to a groupshared word without going above `most`; what was there before.
    fn spend_within(&mut self, word: ValueId, asked: ValueId, left: ValueId, most: ValueId) -> ValueId {
        let seen = self.b.new_local("spent", Type::U32);
        let guess = self.b.sub(most, left);
        self.b.store(seen, guess);
        self.b.loop_forever(|b| {
            let before = b.load(seen);
            let room = b.sub(most, before);
            let added = b.min(asked, room);
            let sum = b.add(before, added);
            let found = b.compare_exchange(word, before, sum, Scope::Workgroup, MemoryOrder::Relaxed);
            b.store(seen, found);
            let done = b.eq(found, before);
            b.if_then(done, |b| b.push(Stmt::Break));
        });
        self.b.load(seen)
    }
}
