//! Peels iterations off loops.
//!
//! The resource of a variable or the offset of a sample may depend on the iteration. Folding resolves it if each
//! iteration has its own statements. This is only done if a loop must go away, not for speed.
//!
//! The iteration and the loop become the default of a `switch`, which `Break` leaves as it left the loop. If folding
//! resolves the exits of the iteration, the `switch` disappears, with or without the rest of the loop.

use super::copy::{Copier, break_instead_of_continue};
use super::offsets::variable_offset;
use super::{fold, fold_conditions, promote};
use crate::Symbol;
use crate::function::*;
use crate::hint::BranchHint;
use crate::module::Global;
use crate::types::{Scalar, Type};
use crate::walk;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// The maximum number of iterations of one loop, or of nested loops.
const MAX_ITERATIONS: usize = 1024;
/// The number of values of a function above which no iteration is copied.
const MAX_VALUES: usize = 1 << 16;

/// The maximum number of values read while loops are unrolled. Each iteration reads the whole function several times.
/// This is about a second of work.
const MAX_READ: usize = 1 << 20;

/// The maximum number of iterations of a loop that may end early, since they nest.
const MAX_NESTED: usize = 64;

/// Unrolls loops with constant bounds that sample with a variable offset, and folds the result. Returns whether there
/// was one. `globals` are the module's globals.
pub fn unroll(function: &mut Function, globals: &IndexMap<Symbol, Global>) -> bool {
    super::demote(function);
    let mut unrolled = false;
    // The number of loops before the current one that stay.
    let mut staying = 0;
    let mut read = 0;
    for _ in 0..MAX_ITERATIONS {
        let before = function.clone();
        let Some(selector) = iteration(function, globals, staying, &mut read) else { break };
        let decided = !stays(function, selector) || ends(function, globals, staying, selector, &mut read);
        if decided && function.values.len() <= MAX_VALUES {
            unrolled = true;
        } else {
            *function = before;
            staying += 1;
        }
    }
    unrolled
}

/// Peels an iteration off the first loop that samples after `staying` other ones, and folds the result. Returns the
/// selector of its switch.
fn iteration(
    function: &mut Function,
    globals: &IndexMap<Symbol, Global>,
    staying: usize,
    read: &mut usize,
) -> Option<ValueId> {
    *read += function.values.len();
    if *read > MAX_READ {
        return None;
    }
    let selector = peel_first(function, &Loops::Sampling, staying)?;
    // First the initial values of the iteration, then its exits, then the switch.
    for _ in 0..3 {
        // A local with an unknown resource may be one of a later iteration.
        let _ = promote(function);
        fold_conditions(function, globals);
        fold(function);
    }
    Some(selector)
}

/// Returns whether a loop ends that may also exit on run-time conditions. Its iterations stay in nested switches until
/// the bounds end it. `first` is the selector of the first of them.
fn ends(
    function: &mut Function,
    globals: &IndexMap<Symbol, Global>,
    staying: usize,
    first: ValueId,
    read: &mut usize,
) -> bool {
    for _ in 0..MAX_NESTED {
        let mut left = false;
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Switch { selector, default, .. } if *selector == first => {
                walk::statements(default, &mut |inner| {
                    left |= matches!(inner, Stmt::Loop { body, .. } if Loops::Sampling.has(function, body));
                });
            }
            _ => {}
        });
        if !left {
            return true;
        }
        if function.values.len() > MAX_VALUES || iteration(function, globals, staying, read).is_none() {
            return false;
        }
    }
    false
}

/// Returns whether the switch of a peeled iteration still exists.
fn stays(function: &Function, selector: ValueId) -> bool {
    let mut found = false;
    walk::statements(&function.body, &mut |stmt| {
        found |= matches!(stmt, Stmt::Switch { selector: s, .. } if *s == selector);
    });
    found
}

/// Peels the first iteration off an innermost loop that sets a local of this name. Returns false if there is none, or
/// it is too large.
pub fn peel(function: &mut Function, local: &Symbol) -> bool {
    super::demote(function);
    function.values.len() <= MAX_VALUES && peel_first(function, &Loops::Setting(local), 0).is_some()
}

/// Peels like [`peel`], but only if constants decide the end of the iteration. Otherwise the function stays unchanged.
pub fn peel_decided(function: &mut Function, local: &Symbol) -> bool {
    super::demote(function);
    if function.values.len() > MAX_VALUES {
        return false;
    }
    let before = function.clone();
    let Some(selector) = peel_first(function, &Loops::Setting(local), 0) else { return false };
    for _ in 0..3 {
        let _ = promote(function);
        fold(function);
    }
    let decided = !stays(function, selector);
    if !decided {
        *function = before;
    }
    decided
}

/// The loops that are unrolled.
enum Loops<'a> {
    /// Loops that set a local of this name, inner ones first.
    Setting(&'a Symbol),
    /// Loops that sample with a variable offset, outer ones first. The bounds of an inner one may depend on the
    /// iteration of an outer one.
    Sampling,
}

impl Loops<'_> {
    fn has(&self, function: &Function, body: &Block) -> bool {
        let mut found = false;
        walk::statements(body, &mut |stmt| match (self, stmt) {
            (Loops::Setting(name), Stmt::Store { place, .. }) => {
                if let Some(Op::Local(id)) = function.value(*place).map(|v| &v.op) {
                    found |= function.local(*id).is_some_and(|l| l.name == **name);
                }
            }
            (Loops::Sampling, stmt) => found |= variable_offset(function, stmt).is_some(),
            _ => {}
        });
        found
    }
}

/// Peels an iteration off the first of these loops after `skipped` ones. Returns the selector of its switch.
fn peel_first(function: &mut Function, loops: &Loops<'_>, mut skipped: usize) -> Option<ValueId> {
    let mut body = std::mem::take(&mut function.body);
    let selector = peel_in(&mut body, function, loops, &mut skipped);
    function.body = body;
    selector
}

fn peel_in(block: &mut Block, function: &mut Function, loops: &Loops<'_>, skipped: &mut usize) -> Option<ValueId> {
    for at in 0..block.len() {
        let within = |block: &mut Block, function: &mut Function, skipped: &mut usize| {
            block[at].blocks_mut().find_map(|inner| peel_in(inner, function, loops, skipped))
        };
        if matches!(loops, Loops::Setting(_)) {
            let selector = within(block, function, skipped);
            if selector.is_some() {
                return selector;
            }
        }
        if let Stmt::Loop { body, .. } = &block[at]
            && loops.has(function, body)
        {
            if *skipped > 0 {
                *skipped -= 1;
            } else if let Some((selector, peeled)) = peeled(function, &block[at]) {
                block.splice(at..=at, peeled);
                return Some(selector);
            }
        }
        if matches!(loops, Loops::Sampling) {
            let selector = within(block, function, skipped);
            if selector.is_some() {
                return selector;
            }
        }
    }
    None
}

/// Returns the loop after a copy of its first iteration, or `None` for a loop whose exits do not nest.
fn peeled(function: &mut Function, stmt: &Stmt) -> Option<(ValueId, Block)> {
    let Stmt::Loop { body, continuing, break_if, .. } = stmt else { return None };
    // Statements that may continue with the next iteration must follow all that may leave the loop.
    let last_break = body.iter().rposition(|stmt| jumps(stmt, &|s| matches!(s, Stmt::Break(_))));
    let first_continue = body.iter().position(|stmt| jumps(stmt, &|s| matches!(s, Stmt::Continue(_))));
    let split = first_continue.unwrap_or(body.len());
    if body.iter().any(continues_in_switch) || last_break.is_some_and(|at| at >= split) {
        return None;
    }
    let (first, rest) = body.split_at(split);
    if !rest.is_empty() && uses_any(function, continuing, *break_if, rest) {
        return None;
    }

    let mut out = Block::new();
    let mut constant = |function: &mut Function| {
        let zero = Op::Const(ScalarConst::u32(0));
        let id = function.values.alloc(Value::new(Type::Scalar(Scalar::U32), zero));
        out.push(Stmt::Let(id));
        id
    };
    let (selector, inner) = (constant(function), constant(function));
    let mut copy = Copier::new(function);
    let mut iteration = copy.block(first);
    if !rest.is_empty() {
        // The next iteration leaves the switch around the rest.
        let mut default = copy.block(rest);
        break_instead_of_continue(&mut default);
        iteration.push(Stmt::Switch {
            selector: inner,
            cases: Vec::new(),
            default,
            hint: BranchHint::Any,
            results: Values::default(),
        });
    }
    // A jump that certainly ends the iteration is its last statement.
    if !iteration.last().is_some_and(Stmt::is_jump) {
        iteration.extend(copy.block(continuing));
        if let Some(cond) = break_if {
            let cond = copy.map(*cond);
            iteration.push(Stmt::if_(cond, vec![Stmt::break_()], Block::new()));
        }
        iteration.push(stmt.clone());
    }
    out.push(Stmt::Switch {
        selector,
        cases: Vec::new(),
        default: iteration,
        hint: BranchHint::Any,
        results: Values::default(),
    });
    Some((selector, out))
}

/// Returns whether the statement contains a jump of this kind that belongs to the surrounding loop. Breaks in switches
/// do not.
fn jumps(stmt: &Stmt, jump: &impl Fn(&Stmt) -> bool) -> bool {
    match stmt {
        Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).any(|stmt| jumps(stmt, jump)),
        stmt => jump(stmt),
    }
}

/// Returns whether a switch in the statement contains a `continue` of the loop.
fn continues_in_switch(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Switch { .. } => jumps_in_switch(stmt),
        Stmt::If { then, otherwise, .. } => then.iter().chain(otherwise).any(continues_in_switch),
        _ => false,
    }
}

/// Returns whether a switch contains a `continue` of the loop, which is not an exit.
fn jumps_in_switch(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Continue(_) => true,
        Stmt::Loop { .. } => false,
        stmt => stmt.blocks().flatten().any(jumps_in_switch),
    }
}

/// Returns whether the end of an iteration uses values that a part of it computes. In a separate block these would not
/// be visible.
fn uses_any(function: &Function, continuing: &Block, break_if: Option<ValueId>, made_in: &[Stmt]) -> bool {
    let mut made: FxHashSet<ValueId> = FxHashSet::default();
    walk::statements(&made_in.to_vec(), &mut |stmt| {
        if let Stmt::Let(id) = stmt {
            made.insert(*id);
        }
    });
    let mut found = break_if.is_some_and(|id| made.contains(&id));
    walk::statements(continuing, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(value) = function.value(*id)
        {
            value.op.for_each_operand(|operand| found |= made.contains(&operand));
        }
        found |= stmt.operands().iter().any(|id| made.contains(id));
    });
    found
}
