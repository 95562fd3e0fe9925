//! Conversions and bit casts, and tests of numbers that a bool has chosen.

use super::{DenormalFlush, Folder, Simpler};
use crate::function::*;
use crate::types::{Scalar, Type};

/// One of two constants, as `cond ? then : otherwise`. A bool converted to a number is one.
struct Choice {
    cond: ValueId,
    then: Vec<ScalarConst>,
    otherwise: Vec<ScalarConst>,
}

impl Folder<'_> {
    pub(super) fn convert(&self, value: ValueId, ty: &Type) -> Option<Simpler> {
        if self.function.type_of(value) == Some(ty) {
            return Some(Simpler::Same(value));
        }
        let Op::Convert(first) = *self.op(value)? else { return None };
        let (from, through, to) = (self.scalar_type(first)?, self.scalar_type(value)?, ty.scalar()?);
        let skips_flush = self.flush == DenormalFlush::Required && [from, through].iter().any(|s| s.is_float());
        (!skips_flush && is_exact(from, through, to)).then_some(Simpler::Op(Op::Convert(first)))
    }

    pub(super) fn bitcast(&self, value: ValueId, ty: &Type) -> Option<Simpler> {
        if self.function.type_of(value) == Some(ty) {
            return Some(Simpler::Same(value));
        }
        match self.op(value)? {
            Op::Bitcast(first) => Some(Simpler::Op(Op::Bitcast(*first))),
            _ => None,
        }
    }

    /// Returns the bool, its negation or the constant that a test of one of two constants is.
    pub(super) fn chosen(&self, op: &Op, ty: &Type) -> Option<Simpler> {
        let id = match op {
            _ if ty.scalar() != Some(Scalar::Bool) => return None,
            Op::Convert(value) => *value,
            Op::Binary { lhs, rhs, .. } if self.function.is_constant(*rhs) => *lhs,
            Op::Binary { lhs, rhs, .. } if self.function.is_constant(*lhs) => *rhs,
            _ => return None,
        };
        let Choice { cond, then, otherwise } = self.choice(id)?;
        let result = |chosen: &Vec<ScalarConst>| {
            let operands = self.known_operands(op, |operand| (operand == id).then(|| chosen.clone()))?;
            self.computed(op, ty, &operands)
        };
        let (then, otherwise) = (result(&then)?, result(&otherwise)?);
        if then == otherwise {
            return Some(Simpler::Constant(then));
        }
        let all = |results: &[ScalarConst], wanted: u64| results.iter().all(|c| c.bits == wanted);
        match self.function.type_of(cond)? == ty {
            true if all(&then, 1) && all(&otherwise, 0) => Some(Simpler::Same(cond)),
            true if all(&then, 0) && all(&otherwise, 1) => {
                Some(Simpler::Op(Op::Unary { op: UnaryOp::Not, value: cond }))
            }
            _ => None,
        }
    }

    fn choice(&self, id: ValueId) -> Option<Choice> {
        match *self.op(id)? {
            Op::Select { cond, then, otherwise } => {
                Some(Choice { cond, then: self.scalars(then)?, otherwise: self.scalars(otherwise)? })
            }
            Op::Convert(cond) if self.scalar_type(cond) == Some(Scalar::Bool) => {
                let op = Op::Convert(cond);
                let (ty, n) = (self.function.type_of(id)?, self.function.type_of(cond)?.components()? as usize);
                let converted = |value| self.computed(&op, ty, &[vec![ScalarConst::bool(value); n]]);
                Some(Choice { cond, then: converted(true)?, otherwise: converted(false)? })
            }
            _ => None,
        }
    }
}

/// Returns whether a conversion through a type in between gives the same as a direct one, where both are defined.
fn is_exact(from: Scalar, through: Scalar, to: Scalar) -> bool {
    if to == Scalar::Bool {
        // No number other than zero becomes zero: integers are at least 1.
        return holds(through, from) || through.is_float() && from.is_integer() || keeps_low_bits(from, through);
    }
    // Between integers, the low bits are kept and the rest is filled.
    let low_bits = [from, through, to].iter().all(|s| s.is_integer()) && to.bits() <= through.bits();
    low_bits || holds(through, from)
}

/// Returns whether an integer keeps all its bits in another type.
fn keeps_low_bits(from: Scalar, to: Scalar) -> bool {
    from.is_integer() && to.is_integer() && from.bits() <= to.bits()
}

/// Returns whether a type has all numbers of another one.
fn holds(ty: Scalar, all_of: Scalar) -> bool {
    if ty == Scalar::Bool {
        return all_of == Scalar::Bool;
    }
    if ty.is_float() && all_of.is_float() {
        return all_of.bits() <= ty.bits();
    }
    // The bits of the largest number, without a sign.
    let digits = |s: Scalar| match s {
        Scalar::F16 => 11,
        Scalar::F32 => 24,
        Scalar::F64 => 53,
        s => s.bits() - u32::from(s.is_signed()),
    };
    let has_sign = |s: Scalar| s.is_signed() || s.is_float();
    !all_of.is_float() && digits(all_of) <= digits(ty) && (has_sign(ty) || !has_sign(all_of))
}
