//! Local arrays whose indices become constant if loops are unrolled. [`sroa`](super::super::sroa()) then splits them.

use super::count::trips;
use crate::function::*;
use crate::walk;
use rustc_hash::FxHashSet;

/// The number of values from which an index is taken for unknown.
const LONGEST: usize = 32;

/// The local arrays of a function that stay in memory, and the counters that are known in each iteration.
#[derive(Default)]
pub(super) struct Arrays {
    counters: FxHashSet<ValueId>,
    staying: FxHashSet<LocalId>,
}

impl Arrays {
    /// Finds them in a function with this body. `most` returns the number of iterations above which a loop stays.
    pub fn of(function: &Function, body: &Block, most: impl Fn(&LoopDetails) -> u32) -> Arrays {
        let mut arrays = Arrays::default();
        walk::statements(body, &mut |stmt| {
            if let Stmt::Loop { body, continuing, break_if, details } = stmt
                && let Some(found) = trips(function, (body, continuing, *break_if), details, most(details))
            {
                arrays.counters.insert(details.params[found.counter]);
            }
        });
        if arrays.counters.is_empty() {
            return arrays;
        }
        let mut staying = FxHashSet::default();
        walk::statements(body, &mut |stmt| {
            let op = match stmt {
                Stmt::Let(id) => function.value(*id).map(|value| &value.op),
                _ => None,
            };
            match (stmt, op) {
                (_, Some(Op::Index { base, index })) => {
                    let sources = sources(function, *index);
                    if !sources.is_some_and(|all| all.iter().all(|id| arrays.counters.contains(id))) {
                        staying.extend(local_of(function, *base));
                    }
                }
                // The callee needs its memory.
                (_, Some(Op::Call { args, .. })) | (Stmt::Call { args, .. }, _) => {
                    staying.extend(args.iter().filter_map(|arg| local_of(function, *arg)));
                }
                _ => {}
            }
        });
        arrays.staying = staying;
        arrays
    }

    /// Returns whether a place is in a local that goes away.
    fn goes(&self, function: &Function, place: ValueId) -> bool {
        local_of(function, place).is_some_and(|local| !self.staying.contains(&local))
    }

    /// Estimates the number of values of an iteration of an unrolled loop, after folding. `params` are the parameters of
    /// the loop. Its counter is constant in each iteration, and arrays that go away are no memory.
    pub fn size_if_unrolled(&self, function: &Function, blocks: [&Block; 2], params: &[ValueId]) -> usize {
        let mut known: FxHashSet<ValueId> = params.iter().copied().filter(|id| self.counters.contains(id)).collect();
        let goes = |place: ValueId| self.goes(function, place);
        let mut size = 0;
        for block in blocks {
            walk::statements(block, &mut |stmt| match stmt {
                Stmt::Let(id) => {
                    let Some(value) = function.value(*id) else { return };
                    let mut all_known = folds(&value.op);
                    value.op.for_each_operand(|operand| all_known &= is_known(function, &known, operand));
                    match &value.op {
                        _ if all_known => drop(known.insert(*id)),
                        Op::Load(place) if goes(*place) => {}
                        _ if goes(*id) => {}
                        _ => size += 1,
                    }
                }
                Stmt::Store { place, .. } if goes(*place) => {}
                Stmt::If { cond, .. } if is_known(function, &known, *cond) => {}
                Stmt::Yield(_) | Stmt::Break(_) | Stmt::Continue(_) => {}
                stmt => size += usize::from(!stmt.is_marker()),
            });
        }
        size
    }

    /// Returns whether an index of an array that goes away depends on the counter of a loop with this body. If inner
    /// loops stay, only indices in them count: outside, memory costs less than a copy of the inner loops.
    pub fn go_by(&self, function: &Function, body: &Block, counter: ValueId) -> bool {
        let indexes = |block| {
            let mut found = false;
            walk::statements(block, &mut |stmt| {
                if let Stmt::Let(id) = stmt
                    && let Some(Value { op: Op::Index { base, index }, .. }) = function.value(*id)
                    && self.goes(function, *base)
                {
                    found |= sources(function, *index).is_some_and(|all| all.contains(&counter));
                }
            });
            found
        };
        let mut inner = Vec::new();
        walk::statements(body, &mut |stmt| {
            if let Stmt::Loop { body, .. } = stmt {
                inner.push(body);
            }
        });
        if inner.is_empty() { indexes(body) } else { inner.into_iter().any(indexes) }
    }
}

/// Returns whether the value of an operation is constant if its operands are.
fn folds(op: &Op) -> bool {
    matches!(
        op,
        Op::Const(_)
            | Op::Zero
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::Bitcast(_)
            | Op::Math { .. }
            | Op::Compose(_)
            | Op::Extract { .. }
    )
}

/// Returns the values that an index is computed from, besides constants: counters, loads, and so on. `None` for too
/// many operations.
fn sources(function: &Function, index: ValueId) -> Option<Vec<ValueId>> {
    let mut found = Vec::new();
    let mut seen = vec![index];
    let mut next = 0;
    while let Some(id) = seen.get(next).copied() {
        next += 1;
        match function.value(id).map(|value| &value.op) {
            Some(Op::Const(_)) => {}
            Some(op @ (Op::Unary { .. } | Op::Binary { .. } | Op::Convert(_) | Op::Bitcast(_) | Op::Select { .. })) => {
                op.for_each_operand(|operand| {
                    if !seen.contains(&operand) {
                        seen.push(operand);
                    }
                });
            }
            _ => found.push(id),
        }
        if seen.len() > LONGEST {
            return None;
        }
    }
    Some(found)
}

fn is_known(function: &Function, known: &FxHashSet<ValueId>, id: ValueId) -> bool {
    known.contains(&id) || function.is_constant(id)
}

/// Returns the local that has this place.
fn local_of(function: &Function, place: ValueId) -> Option<LocalId> {
    match function.value(place)?.op {
        Op::Local(local) => Some(local),
        Op::Field { base, .. } | Op::Index { base, .. } => local_of(function, base),
        _ => None,
    }
}
