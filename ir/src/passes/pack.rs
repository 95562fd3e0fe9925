//! Packs two stores of 16 bits into the store of one word.
//!
//! Lowering stores half of a word by two atomic operations: an And that clears it, and an Or that sets it. Two such pairs
//! on one place that cover the whole word are one store. Only pure values may be between them, so no other access of the
//! thread can tell. The atomic operations keep the other half, which another thread may store. Here there is none, so
//! the store need not be atomic.
//!
//! Programs write such pairs too, on other places. Words of 64 bits stay, because two halves of a smaller word do not
//! cover them. Texels stay, because they have no stores.

use crate::function::*;
use crate::known;
use crate::types::{Space, Type};

/// The bits of a word.
const WORD: u64 = u32::MAX as u64;

/// Packs the stores of a function. Places must already be joined, and masks known.
pub fn pack(function: &mut Function) {
    let is_and = |value: &Value| matches!(value.op, Op::Atomic { op: AtomicOp::And, .. });
    if !function.values.values().any(is_and) {
        return;
    }
    let mut used = vec![false; function.values.len()];
    let mut note = |id: ValueId| {
        if let Some(used) = used.get_mut(raw(id)) {
            *used = true;
        }
    };
    function.values.values().for_each(|value| value.op.for_each_operand(&mut note));
    crate::walk::statements(&function.body, &mut |stmt| {
        stmt.operands().into_iter().for_each(&mut note);
        stmt.for_each_end_operand(&mut note);
    });
    let mut body = std::mem::take(&mut function.body);
    block(function, &used, &mut body);
    function.body = body;
}

fn raw(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

/// Returns whether a place is a word of 32 bits that a store can set.
fn is_word(function: &Function, place: ValueId) -> bool {
    match function.type_of(place) {
        Some(Type::Ref(space, pointee)) => {
            *space != Space::Image && pointee.scalar().is_some_and(|scalar| scalar.mask() == WORD)
        }
        _ => false,
    }
}

/// A part of a word that was stored.
struct Part {
    place: ValueId,
    /// The bits that it sets.
    bits: u64,
    value: ValueId,
    /// The places of its And and Or in the block.
    at: [usize; 2],
}

fn block(function: &mut Function, used: &[bool], stmts: &mut Block) {
    let mut cleared: Option<(usize, ValueId, u64)> = None;
    let mut last: Option<Part> = None;
    let mut gone = Vec::new();
    for (at, stmt) in stmts.iter_mut().enumerate() {
        stmt.blocks_mut().for_each(|inner| block(function, used, inner));
        let id = match stmt {
            Stmt::At(_) | Stmt::Holds { .. } => continue,
            Stmt::Let(id) => *id,
            _ => {
                (cleared, last) = (None, None);
                continue;
            }
        };
        let Some(value) = function.value(id) else { continue };
        let atomic = match value.op {
            Op::Atomic { op, place, value, comparator: None, scope: Scope::Device, order: MemoryOrder::Relaxed } => {
                (!used[raw(id)]).then_some((op, place, value))
            }
            _ => None,
        };
        match (atomic, cleared.take()) {
            (Some((AtomicOp::And, place, mask)), None) => {
                let mask = function.constant(mask).filter(|_| is_word(function, place));
                cleared = mask.map(|mask| (at, place, !mask.bits & WORD));
                if cleared.is_none() {
                    last = None;
                }
            }
            (Some((AtomicOp::Or, place, value)), Some((and, of, bits)))
                if place == of && known::bits(function, value).possible() & !bits == 0 =>
            {
                let part = Part { place, bits, value, at: [and, at] };
                let pair = last.take().filter(|last| last.place == place && last.bits & bits == 0);
                match pair.filter(|last| last.bits | bits == WORD) {
                    Some(other) => {
                        let word = Op::Binary { op: BinaryOp::Or, lhs: other.value, rhs: value };
                        let ty = function.values[value].ty.clone();
                        let word = function.values.alloc(Value::new(ty, word));
                        gone.push((other.at, part.at, word, place));
                    }
                    None => last = Some(part),
                }
            }
            (None, pending) if value.op.is_pure() => cleared = pending,
            _ => last = None,
        }
    }
    for (other, [and, or], word, place) in gone.into_iter().rev() {
        // From the end, so that the places before stay.
        // The word comes after the values between And and Or, which it may use.
        stmts[and..or].rotate_left(1);
        stmts[or - 1] = Stmt::Let(word);
        stmts[or] = Stmt::Store { place, value: word };
        stmts.remove(other[1]);
        stmts.remove(other[0]);
    }
}
