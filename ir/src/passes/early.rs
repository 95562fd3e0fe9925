//! Threads that return early still come to the barriers of their workgroup.
//!
//! `if (thread >= count) return;` before a barrier is how work graphs are written, Microsoft's first sample among them,
//! and hardware that counts the waves that are left makes it work. A Vulkan device need not: all invocations of the
//! workgroup have to reach an `OpControlBarrier`. Here a return in front of a barrier becomes a flag, what follows
//! becomes conditional on it, and the barriers stay outside of the conditions.
//!
//! Only barriers that stand in the function's own block, and returns that stand in nothing but `If`s, are dealt with: a
//! barrier in a loop or a branch stays where it is. Nor is a function changed in which a value made before such a
//! barrier is used behind it; what the front end lowers keeps such values in locals.

use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::types::Type;
use crate::walk;
use rustc_hash::FxHashSet;

/// Makes returns in front of barriers conditions, in a function that returns nothing. Says whether it changed anything.
pub fn early_returns(function: &mut Function) -> bool {
    let runs: Vec<&[Stmt]> = function.body.split(is_meeting).collect();
    let Some((last, before)) = runs.split_last() else { return false };
    let Some(first) = before.iter().position(|run| run.iter().any(returns)) else { return false };
    let in_the_way = before.iter().flat_map(|run| run.iter()).any(|stmt| !returns_from_ifs_alone(stmt));
    if in_the_way || values_cross(function, before, last, first) {
        return false;
    }

    let taken = std::mem::replace(function, Function::new("", Type::Void));
    let (mut b, body) = FunctionBuilder::rewrite(taken);
    let flag = b.new_local("returned", Type::BOOL);
    let (no, yes) = (b.const_bool(false), b.const_bool(true));
    b.push(Stmt::Store { place: flag, value: no });
    let mut early = Early { b, flag, yes };
    let mut run = Block::new();
    let mut number = 0;
    for stmt in body {
        if !is_meeting(&stmt) {
            run.push(stmt);
            continue;
        }
        early.run(std::mem::take(&mut run), number > first, true);
        early.b.push(stmt);
        number += 1;
    }
    early.run(run, true, false);
    *function = early.b.finish();
    true
}

/// A barrier at which all threads of the group meet.
fn is_meeting(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Barrier(barrier) if barrier.group_sync)
}

fn returns(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Return(_)) || stmt.blocks().into_iter().flatten().any(returns)
}

fn returns_from_ifs_alone(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::If { .. } => stmt.blocks().into_iter().flatten().all(returns_from_ifs_alone),
        Stmt::Loop { .. } | Stmt::Switch { .. } => !returns(stmt),
        _ => true,
    }
}

/// Whether a value that would become a part of a condition is used outside of that condition.
fn values_cross(function: &Function, before: &[&[Stmt]], last: &[Stmt], first: usize) -> bool {
    let mut hidden: FxHashSet<ValueId> = FxHashSet::default();
    for (number, run) in before.iter().chain([&last]).enumerate() {
        let mut crosses = false;
        each(run, &mut |stmt| {
            let op = if let Stmt::Let(id) = stmt { function.value(*id).map(|v| &v.op) } else { None };
            if let Some(op) = op {
                op.for_each_operand(|id| crosses |= hidden.contains(&id));
            }
            crosses |= stmt.operands().iter().any(|id| hidden.contains(id));
        });
        if crosses {
            return true;
        }
        // What stands in front of the first return stays where it is.
        let kept = if number == first { run.iter().position(returns).unwrap_or(0) } else { 0 };
        if number >= first {
            each(&run[kept..], &mut |stmt| {
                if let Stmt::Let(id) = stmt {
                    hidden.insert(*id);
                }
            });
        }
    }
    false
}

/// All statements, nested ones included.
fn each<'a>(stmts: &'a [Stmt], f: &mut impl FnMut(&'a Stmt)) {
    for stmt in stmts {
        f(stmt);
        stmt.blocks().into_iter().for_each(|block| walk::statements(block, f));
    }
}

struct Early {
    b: FunctionBuilder,
    flag: ValueId,
    yes: ValueId,
}

impl Early {
    /// What stands between two barriers: conditional if threads may have returned, its returns flags if a barrier
    /// follows.
    fn run(&mut self, stmts: Block, conditional: bool, barrier_follows: bool) {
        if stmts.is_empty() {
            return;
        }
        if conditional {
            self.unless_returned(|early| early.stmts(stmts, barrier_follows));
        } else {
            self.stmts(stmts, barrier_follows);
        }
    }

    fn unless_returned(&mut self, f: impl FnOnce(&mut Early)) {
        let cond = self.b.load(self.flag);
        self.b.begin_block();
        f(self);
        let otherwise = self.b.end_block();
        self.b.push(Stmt::If { cond, then: Block::new(), otherwise });
    }

    fn stmts(&mut self, stmts: Block, flags: bool) {
        let mut stmts = stmts.into_iter();
        while let Some(stmt) = stmts.next() {
            match stmt {
                Stmt::Return(_) if flags => self.b.push(Stmt::Store { place: self.flag, value: self.yes }),
                Stmt::If { cond, then, otherwise } if flags && then.iter().chain(&otherwise).any(returns) => {
                    let [then, otherwise] = [then, otherwise].map(|branch| {
                        self.b.begin_block();
                        self.stmts(branch, flags);
                        self.b.end_block()
                    });
                    self.b.push(Stmt::If { cond, then, otherwise });
                    let rest: Block = stmts.collect();
                    self.run(rest, true, flags);
                    return;
                }
                other => self.b.push(other),
            }
        }
    }
}
