//! Unrolls loops with a known number of iterations.
//!
//! A loop counts by a parameter: its first value is constant, and `next` is one operation with a constant. The test is
//! the first `if` of the body, or `break_if`. The count is found by running these operations.
//!
//! A body with other exits is unrolled into a switch that has only a default, which a `Break` leaves. A `Continue`
//! leaves such a switch around one iteration.

mod arrays;
mod count;

use super::OptLevel;
use super::copy::{Copier, break_instead_of_continue};
use crate::function::*;
use crate::hint::{BranchHint, LoopControl};
use crate::types::{Scalar, Type};
use crate::value_map::ValueMap;
use arrays::Arrays;
use count::{Test, Trips, trips};

/// The limits of a level.
#[derive(Clone, Copy)]
struct Limits {
    /// Values of a loop with `[unroll]`, after unrolling and folding. Twice as many if a local array goes away.
    asked: usize,
    /// Iterations, and values after unrolling, of a loop whose counter is in the index of a local array that can go.
    indexing: (u32, usize),
    /// Iterations, and values after unrolling, of other loops.
    small: (u32, usize),
}

const O2: Limits = Limits { asked: 2048, indexing: (32, 1024), small: (4, 64) };
const O3: Limits = Limits { asked: 16384, indexing: (64, 4096), small: (8, 256) };

impl Limits {
    /// Returns the most iterations of a loop that is unrolled.
    fn iterations(&self, details: &LoopDetails) -> u32 {
        let asked = u32::try_from(2 * self.asked).unwrap_or(u32::MAX);
        match details.hint.control {
            LoopControl::Loop | LoopControl::FastOpt => 0,
            LoopControl::Unroll(most) => most.unwrap_or(asked).min(asked),
            LoopControl::Any => self.indexing.0.max(self.small.0),
        }
    }
}

/// Unrolls loops, inner ones first. [`fold`](super::fold()) then folds the operations on counters. Returns whether
/// it unrolled any.
pub fn loops(function: &mut Function, level: OptLevel) -> bool {
    let limits = if level >= OptLevel::O3 { O3 } else { O2 };
    let mut body = std::mem::take(&mut function.body);
    let arrays = Arrays::of(function, &body, |details| limits.iterations(details));
    let mut unroller = Unroller { function, limits, arrays, replaced: ValueMap::default(), any: false };
    unroller.block(&mut body);
    let any = unroller.any;
    function.body = body;
    any
}

struct Unroller<'a> {
    function: &'a mut Function,
    limits: Limits,
    arrays: Arrays,
    /// The results of unrolled loops, with their values.
    replaced: ValueMap<ValueId>,
    any: bool,
}

/// The exits of a body, besides its test.
#[derive(Clone, Copy, Default)]
struct Exits {
    breaks: bool,
    continues: bool,
    /// A `Continue` inside of a switch, which a `Break` in its place would leave alone.
    continues_in_switch: bool,
    /// Operations that depend on which threads run together.
    meets: bool,
}

impl Unroller<'_> {
    fn replace(&self, id: &mut ValueId) {
        self.replaced.replace(id);
    }

    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            stmt.for_each_operand_mut(|id| self.replace(id));
            if let Stmt::Let(id) = stmt
                && self.function.value(id).is_some()
                && !self.replaced.is_empty()
            {
                let mut op = std::mem::replace(&mut self.function.values[id].op, Op::Undef);
                op.for_each_operand_mut(|id| self.replace(id));
                self.function.values[id].op = op;
            }
            stmt.blocks_mut().for_each(|inner| self.block(inner));
            stmt.for_each_end_operand_mut(|id| self.replace(id));
            match stmt {
                Stmt::Loop { body, continuing, break_if, details } => {
                    self.loop_(body, (continuing, break_if), details, &mut out);
                }
                other => out.push(other),
            }
        }
        *block = out;
    }

    fn loop_(
        &mut self,
        body: Block,
        (continuing, break_if): (Block, Option<ValueId>),
        details: Box<LoopDetails>,
        out: &mut Block,
    ) {
        if runs_once(self.function, &body) {
            self.any = true;
            return self.once(&body, &details, out);
        }
        let most = self.limits.iterations(&details);
        let size = size(&body) + size(&continuing);
        let folded = self.arrays.size_if_unrolled(self.function, [&body, &continuing], &details.params);
        let most = most.min(u32::try_from(2 * self.limits.asked / folded.max(1)).unwrap_or(0));
        let found = trips(self.function, (&body, &continuing, break_if), &details, most);
        match found.filter(|trips| self.is_wanted(trips, (&body, &continuing, size, folded), &details)) {
            Some(trips) => {
                self.any = true;
                self.unroll(&trips, &body, &continuing, &details, out);
            }
            None => out.push(Stmt::Loop { body, continuing, break_if, details }),
        }
    }

    /// Adds the body of a loop that its end leaves.
    fn once(&mut self, body: &Block, details: &LoopDetails, out: &mut Block) {
        let mut copier = Copier::new(self.function);
        copier.values.extend(details.params.iter().copied().zip(details.first.iter().copied()));
        let mut body = copier.block(body);
        if let Some(Stmt::Break(values)) = body.pop() {
            self.replaced.extend(details.results.iter().copied().zip(values));
        }
        out.append(&mut body);
    }

    /// Returns whether the loop is small enough, and has exits that can be unrolled.
    fn is_wanted(
        &self,
        trips: &Trips,
        (body, continuing, size, folded): (&Block, &Block, usize, usize),
        details: &LoopDetails,
    ) -> bool {
        let rest = trips.rest(body);
        if rest.last().is_some_and(Stmt::is_jump) {
            return false;
        }
        let mut exits = Exits::default();
        exits_of(self.function, rest, (true, true), &mut exits);
        // They run after the breaks of earlier iterations, and have none of their own.
        for block in [trips.head(body), continuing] {
            exits_of(self.function, block, (false, false), &mut exits);
        }
        if exits.continues_in_switch
            || exits.breaks && (exits.continues || exits.meets)
            || exits.continues && exits.meets
        {
            return false;
        }
        let counter = details.params.get(trips.counter).copied();
        let frees_memory = || counter.is_some_and(|counter| self.arrays.go_by(self.function, body, counter));
        if matches!(details.hint.control, LoopControl::Unroll(_)) {
            return folded.saturating_mul(trips.counts.len()) <= self.limits.asked || frees_memory();
        }
        let unrolled = size.saturating_mul(trips.counts.len().max(1));
        let fits = |(most, values): (u32, usize)| trips.counts.len() <= most as usize && unrolled <= values;
        fits(self.limits.small) || fits(self.limits.indexing) && frees_memory()
    }

    fn unroll(&mut self, trips: &Trips, body: &Block, continuing: &Block, details: &LoopDetails, out: &mut Block) {
        let mut exits = Exits::default();
        exits_of(self.function, trips.rest(body), (true, true), &mut exits);
        let mut params = details.first.clone();
        let mut last = Vec::new();
        let mut unrolled = Block::new();
        for count in &trips.counts {
            params[trips.counter] = constant(self.function, *count, &mut unrolled);
            let mut copier = Copier::new(self.function);
            copier.values.extend(details.params.iter().copied().zip(params));
            iteration(&mut copier, trips, body, (details, exits), &mut unrolled);
            unrolled.extend(copier.block(continuing));
            params = copier.map_all(&details.next);
            if matches!(trips.test, Test::Last) {
                last = copier.map_all(&details.last);
            }
        }
        if let Test::First { leaves, .. } = &trips.test {
            // The statements before the test run once more.
            params[trips.counter] = constant(self.function, trips.end, &mut unrolled);
            let mut copier = Copier::new(self.function);
            copier.values.extend(details.params.iter().copied().zip(params));
            unrolled.extend(copier.block(trips.head(body)));
            last = copier.map_all(leaves);
        }
        if exits.breaks {
            if !last.is_empty() {
                unrolled.push(Stmt::Yield(last.into()));
            }
            push_switch(self.function, unrolled, details.results.clone(), out);
        } else {
            self.replaced.extend(details.results.iter().copied().zip(last));
            out.append(&mut unrolled);
        }
    }
}

/// Adds the body of one iteration. The copier then knows the parameters of `continuing`.
fn iteration(
    copier: &mut Copier,
    trips: &Trips,
    body: &Block,
    (details, exits): (&LoopDetails, Exits),
    out: &mut Block,
) {
    out.extend(copier.block(trips.head(body)));
    if let Test::First { results, stays, .. } = &trips.test {
        let stays = copier.map_all(stays);
        copier.values.extend(results.iter().copied().zip(stays));
    }
    let mut rest = copier.block(trips.rest(body));
    if exits.continues {
        let again = details.again.iter().map(|id| copier.define(*id)).collect();
        break_instead_of_continue(&mut rest);
        push_switch(copier.function, rest, again, out);
        return;
    }
    if let Some(Stmt::Yield(values)) = rest.last() {
        copier.values.extend(details.again.iter().copied().zip(values.iter().copied()));
        rest.pop();
    }
    out.append(&mut rest);
}

fn constant(function: &mut Function, constant: ScalarConst, out: &mut Block) -> ValueId {
    let id = function.values.alloc(Value::new(Type::Scalar(constant.ty), Op::Const(constant)));
    out.push(Stmt::Let(id));
    id
}

/// Adds a switch that only a `Break` leaves early.
fn push_switch(function: &mut Function, default: Block, results: Vec<ValueId>, out: &mut Block) {
    let selector = constant(function, ScalarConst { ty: Scalar::U32, bits: 0 }, out);
    out.push(Stmt::Switch { selector, cases: Vec::new(), default, results: results.into(), hint: BranchHint::Any });
}

/// Returns whether a body certainly ends with a `Break`, and has no other exit.
fn runs_once(function: &Function, body: &Block) -> bool {
    let Some((Stmt::Break(_), inner)) = body.split_last() else { return false };
    let mut exits = Exits::default();
    exits_of(function, inner, (true, true), &mut exits);
    !exits.breaks && !exits.continues && !exits.continues_in_switch
}

/// Returns the number of values that the statements compute.
fn size(block: &Block) -> usize {
    let mut size = 0;
    crate::walk::statements(block, &mut |stmt| size += usize::from(!stmt.is_marker()));
    size
}

/// Finds the exits of statements. `own`: whether a `Break` and a `Continue` leave the loop.
fn exits_of(function: &Function, block: &[Stmt], own: (bool, bool), exits: &mut Exits) {
    for stmt in block {
        match stmt {
            Stmt::Break(_) => exits.breaks |= own.0,
            Stmt::Continue(_) => exits.continues |= own.1,
            Stmt::Barrier(_) | Stmt::Call { .. } | Stmt::Spirv(_) => exits.meets = true,
            Stmt::Let(id) => {
                let op = function.value(*id).map(|value| &value.op);
                exits.meets |=
                    op.is_some_and(|op| op.is_across_lanes() || matches!(op, Op::Call { .. } | Op::Allocate { .. }));
            }
            Stmt::Loop { .. } => stmt.blocks().for_each(|inner| exits_of(function, inner, (false, false), exits)),
            Stmt::Switch { .. } => {
                let mut inside = Exits::default();
                stmt.blocks().for_each(|inner| exits_of(function, inner, (false, own.1), &mut inside));
                exits.continues_in_switch |= inside.continues || inside.continues_in_switch;
                exits.meets |= inside.meets;
            }
            _ => stmt.blocks().for_each(|inner| exits_of(function, inner, own, exits)),
        }
    }
}
