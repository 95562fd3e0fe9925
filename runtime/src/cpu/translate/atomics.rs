//! Atomic instructions. Scopes need no code. Semantics only tell the race check whether an operation orders others.

use super::{Result, Translator};
use crate::cpu::program::{AtomicOp, Ins};
use spirv::Op;
use wgc_spirv_module::module::Inst;

/// Acquire, Release, AcquireRelease and SequentiallyConsistent.
const ORDERING: u32 = 0x1e;

/// Returns the operation, and `true` if its operand is the constant 1.
fn atomic_op(op: Op) -> Option<(AtomicOp, bool)> {
    Some(match op {
        Op::AtomicLoad => (AtomicOp::Load, false),
        Op::AtomicStore => (AtomicOp::Store, false),
        Op::AtomicExchange => (AtomicOp::Exchange, false),
        Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => (AtomicOp::CompareExchange, false),
        Op::AtomicIIncrement => (AtomicOp::Add, true),
        Op::AtomicIDecrement => (AtomicOp::Sub, true),
        Op::AtomicIAdd => (AtomicOp::Add, false),
        Op::AtomicISub => (AtomicOp::Sub, false),
        Op::AtomicSMin => (AtomicOp::SMin, false),
        Op::AtomicUMin => (AtomicOp::UMin, false),
        Op::AtomicSMax => (AtomicOp::SMax, false),
        Op::AtomicUMax => (AtomicOp::UMax, false),
        Op::AtomicAnd => (AtomicOp::And, false),
        Op::AtomicOr => (AtomicOp::Or, false),
        Op::AtomicXor => (AtomicOp::Xor, false),
        Op::AtomicFAddEXT => (AtomicOp::FAdd, false),
        Op::AtomicFMinEXT => (AtomicOp::FMin, false),
        Op::AtomicFMaxEXT => (AtomicOp::FMax, false),
        _ => return None,
    })
}

impl Translator<'_> {
    pub(super) fn atomic(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let Some((atomic, one)) = atomic_op(op) else { return Ok(false) };
        let pointer = w.first().copied().unwrap_or(0);
        let address = self.scalar(pointer)?;
        let bytes = self.width(self.pointee_of(pointer)?)?.0 / 8;
        if !matches!(bytes, 4 | 8) {
            return Err(format!("atomics of {bytes} bytes are not supported"));
        }
        // Operands: pointer, scope, semantics (two of them for compare-exchange), value, comparator.
        let (value, compare) = match atomic {
            AtomicOp::Load => (0, 0),
            AtomicOp::CompareExchange => (w.get(4).copied().unwrap_or(0), w.get(5).copied().unwrap_or(0)),
            _ => (w.get(3).copied().unwrap_or(0), 0),
        };
        let value = match (one, value) {
            (true, _) => self.constant(1)?,
            (_, 0) => 0,
            (_, id) => self.scalar(id)?,
        };
        let compare = if compare == 0 { 0 } else { self.scalar(compare)? };
        let semantics = w.get(2).and_then(|id| self.m.constant_u32(*id)).unwrap_or(0);
        let (space, orders) = (self.space(pointer), semantics & ORDERING != 0);
        let dst = self.rows(1)?;
        self.emit(Ins::Atomic { op: atomic, dst, address, value, compare, bytes: bytes as u8, space, orders });
        if inst.result != 0 {
            self.define(inst, dst, 1);
        }
        Ok(true)
    }
}
