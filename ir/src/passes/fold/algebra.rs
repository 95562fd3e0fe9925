//! Identities of operations on integers and bools, scalars or vectors.

use super::{Folder, Simpler};
use crate::function::*;
use crate::known;
use crate::passes::scalar;
use crate::types::{Scalar, Type};
use BinaryOp as B;

impl Folder<'_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: ValueId) -> Option<Simpler> {
        match self.op(value)? {
            // Negating twice changes no bit. The value must be a number that no operation flushes.
            Op::Unary { op: inner, value: same } if *inner == op => {
                self.may_skip_operation(self.scalar_type(*same)?).then_some(Simpler::Same(*same))
            }
            // A NaN is neither less than a number nor greater than or equal to it.
            Op::Binary { op: comparison, lhs, rhs } if op == UnaryOp::Not && !self.scalar_type(*lhs)?.is_float() => {
                Some(Simpler::Op(Op::Binary { op: opposite(*comparison)?, lhs: *lhs, rhs: *rhs }))
            }
            _ => None,
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: &Type) -> Option<Simpler> {
        let scalar = self.scalar_type(lhs)?;
        if scalar.is_float() {
            return self.float_binary(op, lhs, rhs, ty);
        }
        if let Some(same) = self.neutral(op, lhs, rhs) {
            return Some(Simpler::Same(same));
        }
        if let Some(decided) = self.decided(op, lhs, rhs, scalar) {
            return Some(Simpler::Constant(vec![decided; ty.components()? as usize]));
        }
        if let Some(regrouped) = self.regrouped(op, lhs, rhs) {
            return Some(regrouped);
        }
        match op {
            B::Shl | B::Shr => {
                if op == B::Shr
                    && !scalar.is_signed()
                    && let Some(lhs) = self.without_low_part(lhs, rhs)
                {
                    return Some(Simpler::Op(Op::Binary { op, lhs, rhs }));
                }
                let rhs = self.unmasked(rhs)?;
                Some(Simpler::Op(Op::Binary { op, lhs, rhs }))
            }
            B::And if matches!(ty, Type::Scalar(_)) => self.masked(lhs, rhs),
            B::Div | B::Rem if !scalar.is_signed() || self.is_natural(lhs, scalar) => {
                self.power_of_two(op, lhs, rhs, ty)
            }
            B::Eq | B::Ne | B::Xor if scalar == Scalar::Bool => self.with_bool(op, lhs, rhs),
            _ => None,
        }
    }

    /// Simplifies a mask of a value some of whose bits are known.
    fn masked(&self, lhs: ValueId, rhs: ValueId) -> Option<Simpler> {
        let (value, mask) = self.with_constant(B::And, lhs, rhs)?;
        let mask = self.function.constant(mask)?;
        let known = known::bits(self.function, value);
        if mask.bits & !(known.zeros | known.ones) == 0 {
            let bits = mask.bits & known.ones;
            return Some(Simpler::Constant(vec![ScalarConst { bits, ..mask }]));
        }
        (known.possible() & !mask.bits == 0).then_some(Simpler::Same(value))
    }

    /// Returns `x + high` for the shift `(x + high + low) >> b`, if `low` only fills bits that are zero in `x` and go
    /// away. So shifts of neighbouring addresses become equal.
    fn without_low_part(&mut self, value: ValueId, count: ValueId) -> Option<ValueId> {
        let Op::Binary { op: op @ (B::Add | B::Or), lhs, rhs } = *self.op(value)? else { return None };
        let (value, part) = self.with_constant(B::Add, lhs, rhs)?;
        let (part, count) = (self.function.constant(part)?, self.function.constant(count)?.bits);
        // A count beyond the width shifts by less.
        let fits = count < u64::from(part.ty.bits());
        let goes = fits.then(|| (1_u64 << count) - 1)?;
        let (low, high) = (part.bits & goes, part.bits & !goes);
        let free = known::bits(self.function, value).zeros;
        if low == 0 || low & !free != 0 {
            return None;
        }
        if high == 0 {
            return Some(value);
        }
        let ty = Type::Scalar(part.ty);
        let rhs = self.constant(&ty, vec![ScalarConst { bits: high, ..part }]);
        let sum = self.function.values.alloc(Value::new(ty, Op::Binary { op, lhs: value, rhs }));
        self.before.push(Stmt::Let(sum));
        Some(sum)
    }

    pub(super) fn scalar_type(&self, id: ValueId) -> Option<Scalar> {
        self.function.type_of(id)?.scalar()
    }

    /// Returns the operand that an operation on integers or bools does not change, as in `x + 0` and `x & x`.
    fn neutral(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<ValueId> {
        let is_neutral = |id: ValueId| self.splat(id).is_some_and(|c| is_neutral(op, c));
        if is_neutral(rhs) {
            Some(lhs)
        } else if is_commutative(op) && is_neutral(lhs) {
            Some(rhs)
        } else {
            (lhs == rhs && matches!(op, B::And | B::Or)).then_some(lhs)
        }
    }

    /// Returns the result of an operation on integers or bools that one operand alone decides, as in `x * 0`, or that
    /// equal operands decide.
    fn decided(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: Scalar) -> Option<ScalarConst> {
        if lhs == rhs {
            match op {
                B::Sub | B::Xor => return Some(ScalarConst { ty, bits: 0 }),
                B::Eq | B::Le | B::Ge => return Some(ScalarConst::bool(true)),
                B::Ne | B::Lt | B::Gt => return Some(ScalarConst::bool(false)),
                _ => {}
            }
        }
        let constant = |id: ValueId| self.splat(id);
        let is_unsigned_zero =
            |id: ValueId| constant(id).is_some_and(|c| c.bits == 0 && c.ty.is_integer() && !c.ty.is_signed());
        match op {
            B::Mul | B::And => [lhs, rhs].into_iter().filter_map(constant).find(|c| c.bits == 0),
            B::Or => [lhs, rhs].into_iter().filter_map(constant).find(|c| c.bits == c.ty.mask()),
            B::Shl | B::Shr => constant(lhs).filter(|c| c.bits == 0),
            B::Lt if is_unsigned_zero(rhs) => Some(ScalarConst::bool(false)),
            B::Ge if is_unsigned_zero(rhs) => Some(ScalarConst::bool(true)),
            B::Gt if is_unsigned_zero(lhs) => Some(ScalarConst::bool(false)),
            B::Le if is_unsigned_zero(lhs) => Some(ScalarConst::bool(true)),
            B::Rem => constant(rhs).filter(|c| c.bits == 1).map(|c| ScalarConst { bits: 0, ..c }),
            _ => None,
        }
    }

    /// Combines the constants of two operations, as in `(x + 1) + 2`. Integers wrap, so the order does not matter.
    fn regrouped(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<Simpler> {
        let (inner, second) = self.with_constant(op, lhs, rhs)?;
        let Op::Binary { op: inner_op, lhs, rhs } = *self.op(inner)? else { return None };
        let (value, first) = self.with_constant(inner_op, lhs, rhs)?;
        let is_alike = match inner_op {
            B::Add | B::Sub => matches!(op, B::Add | B::Sub),
            B::Mul | B::And | B::Or | B::Xor | B::Shl | B::Shr => inner_op == op,
            _ => false,
        };
        if !is_alike {
            return None;
        }
        let (first, second) = (self.scalars(first)?, self.scalars(second)?);
        let pairs = first.iter().zip(&second);
        let combined =
            |op: BinaryOp| pairs.clone().map(|(a, b)| scalar::binary(op, *a, *b)).collect::<Option<Vec<_>>>();
        let (op, constants) = match (inner_op, op) {
            (B::Shl | B::Shr, _) => (op, pairs.map(|(a, b)| sum_of_counts(*a, *b)).collect::<Option<_>>()?),
            // `(x - a) - b` is `x - (a + b)`.
            (B::Sub, B::Sub) => (B::Sub, combined(B::Add)?),
            // `(x + a) - b` is `x + (a - b)`, or `x - (b - a)` if that is the small number.
            (B::Add, B::Sub) => sum_or_difference(combined(B::Sub)?),
            (B::Sub, B::Add) => {
                let negated = combined(B::Sub)?.into_iter().map(|c| scalar::unary(UnaryOp::Neg, c));
                sum_or_difference(negated.collect::<Option<_>>()?)
            }
            _ => (op, combined(op)?),
        };
        let ty = Type::vector_of(constants.first()?.ty, constants.len() as u32);
        let rhs = self.constant(&ty, constants);
        Some(Simpler::Op(Op::Binary { op, lhs: value, rhs }))
    }

    /// Returns the operand that is not constant, and the one that is, if their order does not matter or is this one.
    fn with_constant(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<(ValueId, ValueId)> {
        match (self.function.is_constant(lhs), self.function.is_constant(rhs)) {
            (false, true) => Some((lhs, rhs)),
            (true, false) if is_commutative(op) => Some((rhs, lhs)),
            _ => None,
        }
    }

    /// Returns the count of a shift without a mask of its low bits. A shift takes only those.
    fn unmasked(&self, count: ValueId) -> Option<ValueId> {
        let Op::Binary { op: B::And, lhs, rhs } = *self.op(count)? else { return None };
        let (count, mask) = self.with_constant(B::And, lhs, rhs)?;
        let keeps = |c: &ScalarConst| {
            let low = u64::from(c.ty.bits() - 1);
            c.bits & low == low
        };
        self.scalars(mask)?.iter().all(keeps).then_some(count)
    }

    /// Returns whether a scalar of this signed type is certainly not negative.
    fn is_natural(&self, id: ValueId, ty: Scalar) -> bool {
        let sign = ty.mask() ^ ty.mask() >> 1;
        known::bits(self.function, id).zeros & sign != 0
    }

    /// Returns a shift or a mask in place of a division by powers of two. `lhs` is unsigned or not negative; then the
    /// least number of a signed type divides like an unsigned one.
    fn power_of_two(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: &Type) -> Option<Simpler> {
        let mut scalars = self.scalars(rhs)?;
        if !scalars.iter().all(|c| c.bits.is_power_of_two()) {
            return None;
        }
        let is_quotient = op == B::Div;
        for c in &mut scalars {
            c.bits = if is_quotient { u64::from(c.bits.trailing_zeros()) } else { c.bits - 1 };
        }
        let rhs = self.constant(ty, scalars);
        Some(Simpler::Op(Op::Binary { op: if is_quotient { B::Shr } else { B::And }, lhs, rhs }))
    }

    /// Returns the negation that a comparison with a constant bool is. If it is not one, it is neutral.
    fn with_bool(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<Simpler> {
        let (value, constant) = match (self.splat(lhs), self.splat(rhs)) {
            (None, Some(constant)) => (lhs, constant),
            (Some(constant), None) => (rhs, constant),
            _ => return None,
        };
        let negates = (op == B::Eq) == (constant.bits == 0);
        negates.then_some(Simpler::Op(Op::Unary { op: UnaryOp::Not, value }))
    }

    pub(super) fn select(&self, cond: ValueId, then: ValueId, otherwise: ValueId, ty: &Type) -> Option<Simpler> {
        let known = match self.splat(cond) {
            Some(c) => Some(c.bits != 0),
            None => self.condition(cond),
        };
        if let Some(known) = known {
            return Some(Simpler::Same(if known { then } else { otherwise }));
        }
        if then == otherwise || self.scalars(then).is_some_and(|c| self.scalars(otherwise) == Some(c)) {
            return Some(Simpler::Same(then));
        }
        if let (cond, true) = self.without_not(cond) {
            return Some(Simpler::Op(Op::Select { cond, then: otherwise, otherwise: then }));
        }
        let are_bools = ty.scalar() == Some(Scalar::Bool) && self.function.type_of(cond) == Some(ty);
        match (self.splat(then)?.bits, self.splat(otherwise)?.bits) {
            (1, 0) if are_bools => Some(Simpler::Same(cond)),
            (0, 1) if are_bools => Some(Simpler::Op(Op::Unary { op: UnaryOp::Not, value: cond })),
            _ => None,
        }
    }
}

fn is_commutative(op: BinaryOp) -> bool {
    matches!(op, B::Add | B::Or | B::Xor | B::Mul | B::And | B::Eq | B::Ne)
}

/// Returns the count of two shifts in sequence. A sum beyond the width would count from zero again.
fn sum_of_counts(first: ScalarConst, second: ScalarConst) -> Option<ScalarConst> {
    let width = u64::from(first.ty.bits());
    let bits = first.bits % width + second.bits % width;
    (bits < width).then_some(ScalarConst { bits, ..second })
}

/// Returns the operation that adds these numbers: a difference if all are negative.
fn sum_or_difference(added: Vec<ScalarConst>) -> (BinaryOp, Vec<ScalarConst>) {
    let is_negative = |c: &ScalarConst| c.bits > c.ty.mask() / 2;
    let negated = added.iter().map(|c| scalar::unary(UnaryOp::Neg, *c)).collect::<Option<_>>();
    match negated {
        Some(subtracted) if added.iter().all(is_negative) => (B::Sub, subtracted),
        _ => (B::Add, added),
    }
}

/// Returns whether an operation on integers or bools returns its left operand if this is the right one.
fn is_neutral(op: BinaryOp, right: ScalarConst) -> bool {
    match op {
        B::Add | B::Sub | B::Or | B::Xor => right.bits == 0,
        B::Shl | B::Shr => right.bits.is_multiple_of(u64::from(right.ty.bits())),
        B::Mul | B::Div => right.bits == 1,
        B::And => right.bits == right.ty.mask(),
        B::Eq => right == ScalarConst::bool(true),
        B::Ne => right == ScalarConst::bool(false),
        _ => false,
    }
}

/// Returns the comparison with the opposite result.
fn opposite(comparison: BinaryOp) -> Option<BinaryOp> {
    Some(match comparison {
        B::Eq => B::Ne,
        B::Ne => B::Eq,
        B::Lt => B::Ge,
        B::Ge => B::Lt,
        B::Le => B::Gt,
        B::Gt => B::Le,
        _ => return None,
    })
}
