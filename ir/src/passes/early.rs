//! Makes threads that return early still reach the barriers of their workgroup.
//!
//! Work graphs commonly start with `if (thread >= count) return;` before a barrier, including Microsoft's first sample.
//! It works on hardware that counts the remaining waves. Vulkan does not guarantee that: all invocations of the
//! workgroup must reach an `OpControlBarrier`. So a return before a barrier becomes a flag, and the following code
//! becomes conditional on it. The barriers stay outside of these conditions, in their original branches and loops.
//! Every thread keeps computing the conditions of those ([`shared`]).
//!
//! A value that is computed under one condition and used under another is carried by a local, or recomputed if that
//! gives the same result. A function stays unchanged if threads that returned cannot compute the conditions around the
//! barriers, or would not leave a loop.

mod shared;

use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::types::{Space, Type};
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};
use shared::Shared;

/// Turns returns before barriers into conditions. Returns whether anything changed.
pub fn early_returns(function: &mut Function) -> bool {
    super::demote(function);
    if !function.body.iter().any(meets) || !function.body.iter().any(returns) {
        return false;
    }
    let Some(shared) = Shared::of(function) else { return false };
    let mut carried = FxHashSet::default();
    loop {
        let mut early = Early::new(function, &shared, &carried);
        early.all(&function.body, false);
        if early.stuck || !early.flags {
            return false;
        }
        let more = std::mem::take(&mut early.wanted);
        if more.is_subset(&carried) {
            *function = early.finish();
            return true;
        }
        carried.extend(more);
    }
}

/// Returns whether it is or contains a barrier at which all threads of the group meet.
pub(super) fn meets(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Barrier(barrier) if barrier.group_sync) || stmt.blocks().flatten().any(meets)
}

fn returns(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return(_)) || stmt.blocks().flatten().any(returns)
}

struct Early<'a> {
    old: &'a Function,
    shared: &'a Shared,
    b: FunctionBuilder,
    /// The place of the flag, and the constant `true`.
    flag: ValueId,
    yes: ValueId,
    /// The place of the result, if the function has one.
    result: Option<ValueId>,
    /// True if a thread that reaches the current position may have returned.
    may_have_returned: bool,
    /// True if some return became a flag.
    flags: bool,
    /// True if a loop never ends for threads that returned.
    stuck: bool,
    /// The open blocks, and the block in which each value was computed.
    open: Vec<u32>,
    blocks: u32,
    home: FxHashMap<ValueId, u32>,
    /// Values that are used where they are not visible.
    wanted: FxHashSet<ValueId>,
    /// The locals that carry them.
    carriers: FxHashMap<ValueId, ValueId>,
}

impl<'a> Early<'a> {
    fn new(old: &'a Function, shared: &'a Shared, carried: &FxHashSet<ValueId>) -> Early<'a> {
        let (mut b, _) = FunctionBuilder::rewrite(old.clone());
        let flag = b.new_local("returned", Type::BOOL);
        let (no, yes) = (b.const_bool(false), b.const_bool(true));
        b.push(Stmt::Store { place: flag, value: no });
        let result = (old.ret != Type::Void).then(|| b.new_local("result", old.ret.clone()));
        let mut ids: Vec<ValueId> = carried.iter().copied().collect();
        ids.sort_by_key(|id| id.into_raw().into_u32());
        let carriers = ids.into_iter().map(|id| (id, b.new_local("carried", b.ty(id)))).collect();
        Early {
            old,
            shared,
            b,
            flag,
            yes,
            result,
            may_have_returned: false,
            flags: false,
            stuck: false,
            open: vec![0],
            blocks: 0,
            home: FxHashMap::default(),
            wanted: FxHashSet::default(),
            carriers,
        }
    }

    fn finish(self) -> Function {
        self.b.finish()
    }

    /// Returns the statements of `f` as a separate block.
    fn block(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.blocks += 1;
        self.open.push(self.blocks);
        self.b.begin_block();
        f(self);
        self.open.pop();
        self.b.end_block()
    }

    /// Walks a block that every thread reaches. `follows` means that every thread also reaches a barrier after it.
    fn all(&mut self, block: &'a [Stmt], follows: bool) {
        let mut run: Vec<&'a Stmt> = Vec::new();
        for (i, stmt) in block.iter().enumerate() {
            let after = follows || block[i + 1..].iter().any(meets);
            let here = after || meets(stmt);
            match stmt {
                Stmt::Let(id) if self.is_free(*id) => self.push(stmt),
                Stmt::Barrier(_) if meets(stmt) => {
                    self.run(&mut run, here);
                    self.push(stmt);
                }
                Stmt::Break(_) | Stmt::Continue(_) => {
                    self.run(&mut run, here);
                    self.push(stmt);
                }
                Stmt::Return(value) => {
                    self.run(&mut run, here);
                    self.return_together(*value);
                }
                stmt if self.shared.has(self.old, stmt) => {
                    self.run(&mut run, here);
                    self.shared_statement(stmt, after);
                }
                stmt => run.push(stmt),
            }
        }
        self.run(&mut run, follows);
    }

    /// Writes a return that all threads take, including those that returned before.
    fn return_together(&mut self, value: Option<ValueId>) {
        let value = match (self.result, value) {
            (Some(place), Some(value)) if self.may_have_returned => {
                self.unless_returned(|this| {
                    let value = this.seen(value);
                    this.b.push(Stmt::Store { place, value });
                });
                Some(self.b.load(place))
            }
            _ => value.map(|value| self.seen(value)),
        };
        self.b.push(Stmt::Return(value));
    }

    /// Returns whether every thread can compute a value, even if only some may use it.
    fn is_free(&self, id: ValueId) -> bool {
        let Some(value) = self.old.value(id) else { return false };
        let mut free = value.op.is_pure() && !self.shared.values.contains(&id);
        value.op.for_each_operand(|operand| free &= self.is_visible(operand));
        free
    }

    fn is_visible(&self, id: ValueId) -> bool {
        self.home.get(&id).is_some_and(|block| self.open.contains(block))
    }

    fn shared_statement(&mut self, stmt: &'a Stmt, follows: bool) {
        match stmt {
            Stmt::If { cond, then, otherwise, hint, .. } => {
                let cond = self.seen(*cond);
                let [then, otherwise] = [then, otherwise].map(|side| self.block(|this| this.all(side, follows)));
                self.b.push(Stmt::If { cond, then, otherwise, hint: *hint, results: Values::default() });
            }
            Stmt::Switch { selector, cases, default, hint, .. } => {
                let selector = self.seen(*selector);
                let mut case = |body: &'a Block| self.block(|this| this.all(body, follows));
                let cases = cases.iter().map(|c| Case { labels: c.labels.clone(), body: case(&c.body) }).collect();
                let default = case(default);
                self.b.push(Stmt::Switch { selector, cases, default, hint: *hint, results: Values::default() });
            }
            Stmt::Loop { body, continuing, break_if, details } => {
                let follows = follows || meets(stmt);
                let flagged = self.flagged(body);
                self.may_have_returned |= flagged && follows;
                self.stuck |= self.may_have_returned && break_if.is_none() && !self.ends(body, false);
                let mut end = None;
                let body = self.block(|this| this.all(body, follows));
                let continuing = self.block(|this| {
                    this.all(continuing, follows);
                    end = break_if.map(|id| this.seen(id));
                });
                self.b.push(Stmt::Loop { body, continuing, break_if: end, details: details.clone() });
            }
            other => self.push(other),
        }
    }

    /// Returns whether a return in a block would become a flag.
    fn flagged(&self, block: &[Stmt]) -> bool {
        block.iter().any(|stmt| match self.shared.has(self.old, stmt) {
            true => stmt.blocks().any(|inner| self.flagged(inner)),
            false => !matches!(stmt, Stmt::Return(_)) && returns(stmt),
        })
    }

    /// Returns whether all threads can leave the loop around a block from there.
    fn ends(&self, block: &[Stmt], nested: bool) -> bool {
        block.iter().any(|stmt| match stmt {
            Stmt::Return(_) => true,
            Stmt::Break(_) => !nested,
            Stmt::Loop { .. } | Stmt::Switch { .. } | Stmt::If { .. } if self.shared.has(self.old, stmt) => {
                let nested = nested || !matches!(stmt, Stmt::If { .. });
                stmt.blocks().any(|inner| self.ends(inner, nested))
            }
            _ => false,
        })
    }

    /// Writes statements for the threads that have not returned. Their returns become flags if a barrier follows.
    fn run(&mut self, run: &mut Vec<&'a Stmt>, follows: bool) {
        let run = std::mem::take(run);
        if run.iter().all(|stmt| stmt.is_marker()) {
            run.into_iter().for_each(|stmt| self.push(stmt));
            return;
        }
        match self.may_have_returned {
            true => self.unless_returned(|this| this.some(&run, follows, false)),
            false => self.some(&run, follows, false),
        }
        self.may_have_returned |= follows && run.iter().any(|stmt| returns(stmt));
    }

    fn unless_returned(&mut self, f: impl FnOnce(&mut Self)) {
        let cond = self.b.load(self.flag);
        let otherwise = self.block(f);
        if !otherwise.is_empty() {
            self.b.push(Stmt::if_(cond, Block::new(), otherwise));
        }
    }

    /// Writes statements in which some threads may return. `inside` means in a loop or `switch` of the run, which a
    /// return leaves.
    fn some(&mut self, stmts: &[&'a Stmt], flags: bool, inside: bool) {
        for (i, &stmt) in stmts.iter().enumerate() {
            if !flags || !returns(stmt) {
                self.push(stmt);
                continue;
            }
            self.flags = true;
            let inner = |this: &mut Self, block: &'a Block, inside: bool| {
                this.block(|this| this.some(&block.iter().collect::<Vec<_>>(), flags, inside))
            };
            match stmt {
                Stmt::Return(value) => {
                    if let (Some(place), Some(value)) = (self.result, value) {
                        let value = self.seen(*value);
                        self.b.push(Stmt::Store { place, value });
                    }
                    self.b.push(Stmt::Store { place: self.flag, value: self.yes });
                    if inside {
                        self.b.push(Stmt::break_());
                    }
                    return;
                }
                Stmt::If { cond, then, otherwise, hint, .. } => {
                    let cond = self.seen(*cond);
                    let [then, otherwise] = [then, otherwise].map(|side| inner(self, side, inside));
                    self.b.push(Stmt::If { cond, then, otherwise, hint: *hint, results: Values::default() });
                    // A return inside a loop has already left it.
                    if inside {
                        continue;
                    }
                }
                Stmt::Switch { selector, cases, default, hint, .. } => {
                    let selector = self.seen(*selector);
                    let cases = cases
                        .iter()
                        .map(|c| Case { labels: c.labels.clone(), body: inner(self, &c.body, true) })
                        .collect();
                    let default = inner(self, default, true);
                    self.b.push(Stmt::Switch { selector, cases, default, hint: *hint, results: Values::default() });
                }
                Stmt::Loop { body, continuing, break_if, details } => {
                    let body = inner(self, body, true);
                    let mut end = None;
                    let continuing = self.block(|this| {
                        continuing.iter().for_each(|stmt| this.push(stmt));
                        end = break_if.map(|id| this.seen(id));
                    });
                    self.b.push(Stmt::Loop { body, continuing, break_if: end, details: details.clone() });
                }
                other => self.push(other),
            }
            if inside {
                let cond = self.b.load(self.flag);
                self.b.push(Stmt::if_(cond, vec![Stmt::break_()], Block::new()));
                continue;
            }
            let rest = &stmts[i + 1..];
            if !rest.is_empty() {
                self.unless_returned(|this| this.some(rest, flags, inside));
            }
            return;
        }
    }

    /// Writes a statement unchanged, but with visible values.
    fn push(&mut self, stmt: &Stmt) {
        let mut used = Vec::new();
        let mut made = FxHashSet::default();
        walk::statements(&vec![stmt.clone()], &mut |inner| {
            used.extend(inner.operands());
            match inner {
                Stmt::Let(id) => {
                    made.insert(*id);
                    if let Some(value) = self.old.value(*id) {
                        value.op.for_each_operand(|operand| used.push(operand));
                    }
                }
                Stmt::Loop { break_if, .. } => used.extend(*break_if),
                _ => {}
            }
        });
        let mut renamed = FxHashMap::default();
        for id in used {
            if !made.contains(&id) && !self.is_visible(id) {
                renamed.insert(id, self.seen(id));
            }
        }
        let mut block = vec![stmt.clone()];
        if !renamed.is_empty() {
            let rename = |id: &mut ValueId| *id = renamed.get(id).copied().unwrap_or(*id);
            walk::statements_mut(&mut block, &mut |inner| {
                inner.for_each_operand_mut(rename);
                match inner {
                    Stmt::Let(id) if self.b.function().value(*id).is_some() => {
                        self.b.function_mut().values[*id].op.for_each_operand_mut(rename);
                    }
                    Stmt::Loop { break_if: Some(id), .. } => rename(id),
                    _ => {}
                }
            });
        }
        block.into_iter().for_each(|stmt| self.b.push(stmt));
        if let Stmt::Let(id) = stmt {
            self.home.insert(*id, self.open.last().copied().unwrap_or(0));
            if let Some(&place) = self.carriers.get(id) {
                self.b.push(Stmt::Store { place, value: *id });
            }
        }
    }

    /// Returns a visible value equal to this one.
    fn seen(&mut self, id: ValueId) -> ValueId {
        if self.is_visible(id) {
            return id;
        }
        let Some(Value { op, ty, precise, .. }) = self.old.value(id) else { return id };
        if let Some(&place) = self.carriers.get(&id) {
            return self.b.load(place);
        }
        // Places cannot be stored, and pure operations can be repeated.
        if op.is_pure() || matches!(ty, Type::Ref(space, _) if *space != Space::Function) {
            let mut op = op.clone();
            op.for_each_operand_mut(|operand| *operand = self.seen(*operand));
            let again = self.b.value_as(ty.clone(), op);
            self.b.function_mut().values[again].precise = *precise;
            return again;
        }
        self.wanted.insert(id);
        id
    }
}
