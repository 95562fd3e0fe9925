//! Counters of budgets that a node's calls might exceed together: requests are counted at run time.
//!
//! One call never gets more than MaxRecords. Several calls may request more: in a loop, by all threads of a group, or
//! on outputs that share a budget. Queues are sized by the budgets, so other nodes' records would find no space. If
//! [`demand`](wgc_ir::flow::demand) proves that the calls stay within the budget, nothing is emitted here. Otherwise
//! each request is cut to the rest of the budget before it reaches a queue. A thread with a budget of its own, and a
//! group that allocates together, keep the rest in a variable. If the threads of a group allocate separately, a
//! groupshared word counts for them.

use super::super::error::EmuError;
use super::super::library;
use super::{Lowering, SHARED_BARRIER};
use wgc_ir::flow::demand::{Requesters, demands};
use wgc_ir::{AllocScope, AtomicOp, Function, MemoryOrder, OutputId, Scope, Space, Stmt, Symbol, Type, ValueId};

/// A counter of the records of one budget.
#[derive(Clone, Debug)]
pub(super) struct Counter {
    /// The place with an upper bound of the remaining records, in each thread.
    left: ValueId,
    /// The groupshared word that counts requested records, if threads allocate separately.
    pub(super) shared: Option<Symbol>,
}

impl Lowering<'_> {
    /// Returns the number of threads that share a budget.
    fn sharing(&self) -> u32 {
        if self.thread.is_some() { self.threads } else { 1 }
    }

    /// Creates the counters, and initialises them at the start.
    pub(super) fn counters(&mut self, function: &Function) {
        let threads = self.sharing();
        let budgets: Vec<u32> = (0..self.node.outputs.len())
            .map(|output| self.node.budget(output))
            .enumerate()
            .map(|(output, (owner, max_records))| if owner == output { max_records } else { u32::MAX })
            .collect();
        let demands = demands(self.context.module, self.node, function, Requesters::Group(threads), |demands| {
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

    /// Returns whether requests of an output may be cut.
    pub(super) fn is_counted(&self, output: OutputId) -> bool {
        let (owner, _) = self.node.budget(output as usize);
        self.counters.get(owner).is_some_and(Option::is_some)
    }

    fn spent(&mut self, name: &Symbol) -> ValueId {
        self.b.global_as(name.clone(), Type::reference(Space::Workgroup, Type::U32))
    }

    /// Returns the number of requested records that the budget grants.
    pub(super) fn granted(&mut self, scope: AllocScope, output: OutputId, count: ValueId) -> Result<ValueId, EmuError> {
        let (owner, max_records) = self.node.budget(output as usize);
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

    /// Grants records from the `left` remaining ones, and stores the rest in a place.
    fn grant(&mut self, output: OutputId, count: ValueId, left: ValueId, after: ValueId) -> Result<ValueId, EmuError> {
        let number = self.b.const_u32(output);
        let granted = self.call(library::GRANT, vec![self.enter, number, count, left])?;
        let rest = self.b.sub(left, granted);
        self.b.store(after, rest);
        Ok(granted)
    }

    /// Grants records from a budget that is shared with other threads. A thread adds no more than the rest that it
    /// knows, so after it has found nothing left it adds nothing.
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
        // Requests in progress in all threads, and those before.
        let may_overflow = (u64::from(self.threads) + 2) * u64::from(max_records) > u64::from(u32::MAX);
        let before = match may_overflow {
            true => self.spend_within(word, asked, left, most),
            false => self.b.atomic(AtomicOp::Add, word, asked, Scope::Workgroup, MemoryOrder::Relaxed),
        };
        let before = self.b.min(before, most);
        let left = self.b.sub(most, before);
        self.grant(output, count, left, known)
    }

    /// Adds to a groupshared word up to `most`; returns the previous value.
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
            b.if_then(done, |b| b.push(Stmt::break_()));
        });
        self.b.load(seen)
    }
}
