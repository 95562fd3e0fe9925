//! Unary and binary operators, by the kind of number they work on.

use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::{id, ids};
use rspirv::spirv::{Op as Spv, Word};
use wgc_ir::{BinaryOp, Op, Scalar, ScalarConst, Type, UnaryOp, ValueId};

/// The kinds of numbers that SPIR-V distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NumberKind {
    Bool,
    Signed,
    Unsigned,
    Float,
}

pub(super) fn kind(scalar: Scalar) -> NumberKind {
    match scalar {
        Scalar::Bool => NumberKind::Bool,
        s if s.is_float() => NumberKind::Float,
        s if s.is_signed() => NumberKind::Signed,
        _ => NumberKind::Unsigned,
    }
}

fn unary_op(op: UnaryOp, kind: NumberKind) -> Option<Spv> {
    Some(match (op, kind) {
        (UnaryOp::Neg, NumberKind::Float) => Spv::FNegate,
        (UnaryOp::Neg, NumberKind::Signed | NumberKind::Unsigned) => Spv::SNegate,
        (UnaryOp::Not, NumberKind::Bool) => Spv::LogicalNot,
        (UnaryOp::BitNot, NumberKind::Signed | NumberKind::Unsigned) => Spv::Not,
        _ => return None,
    })
}

/// Returns the instruction for an operator. `SRem` never reaches a module, see `signed_remainder`. Float comparisons
/// are ordered, except `!=`: a NaN differs from everything.
fn binary_op(op: BinaryOp, kind: NumberKind) -> Option<Spv> {
    use BinaryOp as B;
    let row = match op {
        //         bool                          signed                              unsigned                               float
        B::Add => [None, Some(Spv::IAdd), Some(Spv::IAdd), Some(Spv::FAdd)],
        B::Sub => [None, Some(Spv::ISub), Some(Spv::ISub), Some(Spv::FSub)],
        B::Mul => [None, Some(Spv::IMul), Some(Spv::IMul), Some(Spv::FMul)],
        B::Div => [None, Some(Spv::SDiv), Some(Spv::UDiv), Some(Spv::FDiv)],
        B::Rem => [None, Some(Spv::SRem), Some(Spv::UMod), Some(Spv::FRem)],
        B::And => [Some(Spv::LogicalAnd), Some(Spv::BitwiseAnd), Some(Spv::BitwiseAnd), None],
        B::Or => [Some(Spv::LogicalOr), Some(Spv::BitwiseOr), Some(Spv::BitwiseOr), None],
        B::Xor => [Some(Spv::LogicalNotEqual), Some(Spv::BitwiseXor), Some(Spv::BitwiseXor), None],
        B::Shl => [None, Some(Spv::ShiftLeftLogical), Some(Spv::ShiftLeftLogical), None],
        B::Shr => [None, Some(Spv::ShiftRightArithmetic), Some(Spv::ShiftRightLogical), None],
        B::Eq => [Some(Spv::LogicalEqual), Some(Spv::IEqual), Some(Spv::IEqual), Some(Spv::FOrdEqual)],
        B::Ne => [Some(Spv::LogicalNotEqual), Some(Spv::INotEqual), Some(Spv::INotEqual), Some(Spv::FUnordNotEqual)],
        B::Lt => [None, Some(Spv::SLessThan), Some(Spv::ULessThan), Some(Spv::FOrdLessThan)],
        B::Le => [None, Some(Spv::SLessThanEqual), Some(Spv::ULessThanEqual), Some(Spv::FOrdLessThanEqual)],
        B::Gt => [None, Some(Spv::SGreaterThan), Some(Spv::UGreaterThan), Some(Spv::FOrdGreaterThan)],
        B::Ge => [None, Some(Spv::SGreaterThanEqual), Some(Spv::UGreaterThanEqual), Some(Spv::FOrdGreaterThanEqual)],
    };
    row[kind as usize]
}

impl FunctionEmitter<'_, '_> {
    /// Returns the component type of a scalar or vector operand, and the number of components.
    pub(super) fn numeric(&self, value: ValueId) -> Result<(Scalar, u32)> {
        let ty = self.ty(value)?;
        match (ty.scalar(), ty.components()) {
            (Some(scalar), Some(n)) => Ok((scalar, n)),
            _ => Err(EmitError::new(format!("an operand of type {ty}"))),
        }
    }

    pub(super) fn unary(&mut self, op: UnaryOp, value: ValueId, ty: &Type) -> Result<Word> {
        let (scalar, _) = self.numeric(value)?;
        let spv = unary_op(op, kind(scalar))
            .ok_or_else(|| EmitError::new(format!("operator {op:?} on {}", Type::Scalar(scalar))))?;
        let (word, ty) = (self.word(value)?, self.e.value_type(ty)?);
        Ok(self.e.b.op(spv, ty, vec![id(word)]))
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId, ty: &Type) -> Result<Word> {
        let (scalar, _) = self.numeric(lhs)?;
        let spv = binary_op(op, kind(scalar))
            .ok_or_else(|| EmitError::new(format!("operator {op:?} on {}", Type::Scalar(scalar))))?;
        let rhs = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) { self.shift_count(rhs)? } else { self.word(rhs)? };
        let (lhs, ty) = (self.word(lhs)?, self.e.value_type(ty)?);
        if spv == Spv::SRem {
            return Ok(self.signed_remainder(lhs, rhs, ty));
        }
        Ok(self.e.b.op(spv, ty, ids(&[lhs, rhs])))
    }

    /// Emits `a - a / b * b`. Vulkan leaves OpSRem of a negative operand undefined, and some drivers differ from HLSL:
    /// on one, -3 % 2 was 1.
    fn signed_remainder(&mut self, lhs: Word, rhs: Word, ty: Word) -> Word {
        let quotient = self.e.b.op(Spv::SDiv, ty, ids(&[lhs, rhs]));
        let product = self.e.b.op(Spv::IMul, ty, ids(&[quotient, rhs]));
        self.e.b.op(Spv::ISub, ty, ids(&[lhs, product]))
    }

    /// Returns the low bits of the count. A larger count is undefined in SPIR-V, but not in the IR.
    fn shift_count(&mut self, count: ValueId) -> Result<Word> {
        let (scalar, n) = self.numeric(count)?;
        let last = u64::from(scalar.size() * 8 - 1);
        let word = self.word(count)?;
        let is_small = |count: ValueId| wgc_ir::known::upper_bound(self.f, count) <= last;
        let are_small = match self.f.value(count).map(|value| &value.op) {
            Some(Op::Compose(parts)) => parts.iter().all(|part| is_small(*part)),
            _ => n == 1 && is_small(count),
        };
        if are_small {
            return Ok(word);
        }
        let mask = self.e.splat_constant(ScalarConst { ty: scalar, bits: last }, n);
        let ty = self.e.vector_type(scalar, n);
        Ok(self.e.b.op(Spv::BitwiseAnd, ty, ids(&[word, mask])))
    }
}
