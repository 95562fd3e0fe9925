//! Built-in operations on numbers: each row of [`crate::check::ops::OPS`] with value operands and a value as result.

use super::{Lower, Lowerer};
use crate::check::ops::BuiltinOp;
use wgc_ir::{BinaryOp, MathOp, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns whether [`Lowerer::number`] handles the operation.
    pub(super) fn is_number_op(op: BuiltinOp) -> bool {
        use BuiltinOp as O;
        matches!(
            op,
            O::Math(_)
                | O::Rem
                | O::Mad
                | O::Bitcast
                | O::JoinBits
                | O::FromHalf
                | O::ToHalf
                | O::And
                | O::Or
                | O::Select
                | O::MatrixProduct
                | O::Transpose
        )
    }

    /// Computes the result, of type `ty`. Component-wise operations apply to matrices row by row.
    pub(super) fn number(&mut self, op: BuiltinOp, values: &[ValueId], ty: &Type) -> Lower<ValueId> {
        let first = *values.first()?;
        match op {
            BuiltinOp::MatrixProduct => return self.product(first, *values.get(1)?),
            BuiltinOp::Transpose => return self.transpose(first),
            BuiltinOp::Math(op @ (MathOp::Any | MathOp::All)) if self.is_matrix(first) => {
                return self.reduce(op, first);
            }
            _ => {}
        }
        let row = match ty {
            Type::Matrix(m) => m.row(),
            _ => ty.clone(),
        };
        self.by_rows(values, |this, parts| this.vector_number(op, parts, &row))
    }

    fn vector_number(&mut self, op: BuiltinOp, values: &[ValueId], ty: &Type) -> Lower<ValueId> {
        Some(match (op, values) {
            (BuiltinOp::Math(op), _) => return self.math(op, values, ty),
            (BuiltinOp::Rem, [a, b]) => self.b.rem(*a, *b),
            (BuiltinOp::Mad, [a, b, c]) => {
                let product = self.b.mul(*a, *b);
                self.b.add(product, *c)
            }
            (BuiltinOp::And, [a, b]) => self.b.binary(BinaryOp::And, *a, *b),
            (BuiltinOp::Or, [a, b]) => self.b.binary(BinaryOp::Or, *a, *b),
            (BuiltinOp::Select, [condition, a, b]) => self.b.select(*condition, *a, *b),
            (BuiltinOp::Bitcast, [value]) => self.b.bitcast(*value, ty.clone()),
            (BuiltinOp::JoinBits, [low, high]) => return self.join_bits(*low, *high, ty),
            (BuiltinOp::FromHalf, [value]) => self.half_to_float(*value),
            (BuiltinOp::ToHalf, [value]) => self.float_to_half(*value),
            _ => return None,
        })
    }

    /// Lowers functions of numbers. Functions that the IR has for vectors only are the identity, or simple, on scalars.
    fn math(&mut self, op: MathOp, values: &[ValueId], ty: &Type) -> Lower<ValueId> {
        let first = *values.first()?;
        let is_scalar = matches!(self.b.ty(first), Type::Scalar(_));
        let value = match (op, is_scalar) {
            (MathOp::Dot, true) => self.b.mul(first, *values.get(1)?),
            (MathOp::Length, true) => self.b.math(MathOp::Abs, &[first]),
            (MathOp::Any | MathOp::All, true) => first,
            (MathOp::Normalize, true) => {
                let length = self.b.math(MathOp::Abs, &[first]);
                self.b.div(first, length)
            }
            // The absolute value of an unsigned number is the number.
            (MathOp::Abs, _) if self.b.ty(first).scalar().is_some_and(|s| s.is_integer() && !s.is_signed()) => first,
            (op, _) => self.b.math(op, values),
        };
        if matches!(op, MathOp::FirstBitLow | MathOp::FirstBitHigh) {
            return Some(self.bit_index(value, ty));
        }
        Some(self.adapt(value, ty))
    }
}
