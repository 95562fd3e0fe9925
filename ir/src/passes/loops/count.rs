//! The number of iterations of a loop, found by running its counter.

use super::super::scalar;
use crate::function::*;

/// The iterations of a loop.
pub(super) struct Trips {
    /// The number of the parameter that counts.
    pub counter: usize,
    /// Its value in each iteration.
    pub counts: Vec<ScalarConst>,
    /// Its value at the test that leaves before an iteration.
    pub end: ScalarConst,
    pub test: Test,
}

/// The test that ends a loop.
pub(super) enum Test {
    /// The first `if` of the body, with its place there.
    First {
        at: usize,
        /// The values that leave the loop.
        leaves: Values,
        /// The results of the `if`, and their values if the loop goes on.
        results: Values,
        stays: Values,
    },
    /// `break_if`.
    Last,
}

impl Trips {
    /// Returns the statements before the test.
    pub fn head<'b>(&self, body: &'b Block) -> &'b [Stmt] {
        match self.test {
            Test::First { at, .. } => &body[..at],
            Test::Last => &[],
        }
    }

    /// Returns the statements after the test.
    pub fn rest<'b>(&self, body: &'b Block) -> &'b [Stmt] {
        match self.test {
            Test::First { at, .. } => &body[at + 1..],
            Test::Last => body,
        }
    }
}

/// Returns the iterations of a loop, if they are known and at most `most`.
pub(super) fn trips(
    function: &Function,
    (body, continuing, break_if): (&Block, &Block, Option<ValueId>),
    details: &LoopDetails,
    most: u32,
) -> Option<Trips> {
    if most == 0 {
        return None;
    }
    let (test, cond, leaves_if) = match (first_test(body), break_if) {
        (Some((test, cond, leaves_if)), None) => (test, cond, leaves_if),
        (None, Some(cond)) => (Test::Last, cond, true),
        // Two tests may leave.
        _ => return None,
    };
    let Op::Binary { op: compare, lhs, rhs } = function.value(cond)?.op else { return None };
    // The side that counts, as a function of the counter, and the constant side.
    let (side, bound, counts_left) = match (function.constant(lhs), function.constant(rhs)) {
        (None, Some(bound)) => (lhs, bound, true),
        (Some(bound), None) => (rhs, bound, false),
        _ => return None,
    };
    let counter = details.params.iter().zip(&details.next).position(|(&param, &next)| side == param || side == next)?;
    let (param, next) = (details.params[counter], details.next[counter]);
    let tests_next = side == next;
    if tests_next && matches!(test, Test::First { .. }) {
        return None;
    }
    let step = Step::of(function, next, param)?;
    if !is_in(continuing, next) {
        return None;
    }
    let leaves = |at: ScalarConst| {
        let (lhs, rhs) = if counts_left { (at, bound) } else { (bound, at) };
        Some((scalar::binary(compare, lhs, rhs)?.bits != 0) == leaves_if)
    };
    let mut counts = Vec::new();
    let mut at = function.constant(details.first[counter])?;
    let is_first = matches!(test, Test::First { .. });
    loop {
        if is_first && leaves(at)? {
            break;
        }
        if counts.len() >= most as usize {
            return None;
        }
        counts.push(at);
        let next = step.run(at)?;
        if !is_first && leaves(if tests_next { next } else { at })? {
            at = next;
            break;
        }
        at = next;
    }
    Some(Trips { counter, counts, end: at, test })
}

fn is_in(block: &Block, id: ValueId) -> bool {
    block.iter().any(|stmt| matches!(stmt, Stmt::Let(other) if *other == id))
}

/// The operation that leads to the next iteration.
struct Step {
    op: BinaryOp,
    by: ScalarConst,
    /// The counter is the left operand.
    counts_left: bool,
}

impl Step {
    fn of(function: &Function, next: ValueId, param: ValueId) -> Option<Step> {
        let Op::Binary { op, lhs, rhs } = function.value(next)?.op else { return None };
        if lhs == param {
            Some(Step { op, by: function.constant(rhs)?, counts_left: true })
        } else if rhs == param {
            Some(Step { op, by: function.constant(lhs)?, counts_left: false })
        } else {
            None
        }
    }

    fn run(&self, at: ScalarConst) -> Option<ScalarConst> {
        let (lhs, rhs) = if self.counts_left { (at, self.by) } else { (self.by, at) };
        scalar::binary(self.op, lhs, rhs)
    }
}

/// Returns the first test of a body, if it may only leave the loop, with its condition and the value that leaves.
fn first_test(body: &Block) -> Option<(Test, ValueId, bool)> {
    let at = body.iter().position(|stmt| !matches!(stmt, Stmt::Let(_) | Stmt::At(_) | Stmt::Holds { .. }))?;
    let Stmt::If { cond, then, otherwise, results, .. } = &body[at] else { return None };
    let (leaves, stays, leaves_if) = match (arm(then)?, arm(otherwise)?) {
        (Arm::Leaves(leaves), Arm::Stays(stays)) => (leaves, stays, true),
        (Arm::Stays(stays), Arm::Leaves(leaves)) => (leaves, stays, false),
        _ => return None,
    };
    Some((Test::First { at, leaves, results: results.clone(), stays }, *cond, leaves_if))
}

enum Arm {
    Leaves(Values),
    Stays(Values),
}

/// Returns where an arm without other statements goes, with its values.
fn arm(block: &Block) -> Option<Arm> {
    let mut rest = block.iter().filter(|stmt| !stmt.is_marker());
    match (rest.next(), rest.next()) {
        (None, _) => Some(Arm::Stays(Values::default())),
        (Some(Stmt::Yield(values)), None) => Some(Arm::Stays(values.clone())),
        (Some(Stmt::Break(values)), None) => Some(Arm::Leaves(values.clone())),
        _ => None,
    }
}
