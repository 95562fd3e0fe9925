//! Identities of operations on floats that keep every bit, also of zeros and infinities.
//!
//! Many well-known ones do not: `-0 + 0` is `0`, `NaN * 0` and `NaN - NaN` are NaN, and NaN differs from itself.

use super::{DenormalFlush, Folder, Simpler};
use crate::function::*;
use crate::types::{Scalar, Type};

impl Folder<'_> {
    pub(super) fn float_binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: &Type) -> Option<Simpler> {
        use BinaryOp as B;
        let scalar = self.scalar_type(lhs)?;
        if self.may_skip_operation(scalar) {
            let sign = 1 << (scalar.bits() - 1);
            // The right operand that returns the left one.
            let neutral = match op {
                B::Add => sign,
                B::Sub => 0,
                B::Mul | B::Div => one(scalar)?,
                _ => return None,
            };
            let is_neutral = |id: ValueId| self.splat(id).is_some_and(|c| c.bits == neutral);
            if is_neutral(rhs) {
                return Some(Simpler::Same(lhs));
            }
            if matches!(op, B::Add | B::Mul) && is_neutral(lhs) {
                return Some(Simpler::Same(rhs));
            }
        }
        if op != B::Div {
            return None;
        }
        let inverses: Vec<ScalarConst> = self.scalars(rhs)?.into_iter().map(inverse).collect::<Option<_>>()?;
        let rhs = self.constant(ty, inverses);
        Some(Simpler::Op(Op::Binary { op: B::Mul, lhs, rhs }))
    }

    /// Returns whether leaving out an operation that keeps its operand is allowed for this type. It could flush
    /// denormals.
    pub(super) fn may_skip_operation(&self, scalar: Scalar) -> bool {
        !scalar.is_float() || self.flush == DenormalFlush::Optional
    }
}

/// Returns the bits of 1 in a type of floats.
fn one(scalar: Scalar) -> Option<u64> {
    match scalar {
        Scalar::F16 => Some(0x3c00),
        Scalar::F32 => Some(0x3f80_0000),
        Scalar::F64 => Some(0x3ff0_0000_0000_0000),
        _ => None,
    }
}

/// Returns the exact inverse of a power of two. Both are normal numbers, which no device flushes.
fn inverse(c: ScalarConst) -> Option<ScalarConst> {
    let fraction_bits = match c.ty {
        Scalar::F32 => 23,
        Scalar::F64 => 52,
        _ => return None,
    };
    let sign = 1 << (c.ty.bits() - 1);
    let magnitude = c.bits & !sign;
    let (exponent, fraction) = (magnitude >> fraction_bits, magnitude & ((1 << fraction_bits) - 1));
    // The exponents of a number and its inverse are as far from that of 1.
    let inverse = (2 * (one(c.ty)? >> fraction_bits)).checked_sub(exponent)?;
    (fraction == 0 && exponent > 0 && inverse > 0)
        .then_some(ScalarConst { bits: c.bits & sign | inverse << fraction_bits, ..c })
}
