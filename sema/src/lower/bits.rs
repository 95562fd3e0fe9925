//! Reinterpretations that change the number of components, and indexes of bits.

use super::{Lower, Lowerer};
use crate::check::hir::Arg;
use wgc_ir::{MathOp, Scalar, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns the components of a scalar or vector.
    fn parts_of(&mut self, value: ValueId) -> Vec<ValueId> {
        match self.b.ty(value) {
            Type::Vector(_, n) => (0..u32::from(n)).map(|i| self.b.extract(value, i)).collect(),
            _ => vec![value],
        }
    }

    /// Builds a scalar, or a vector, from components.
    fn gather(&mut self, scalar: Scalar, parts: Vec<ValueId>) -> ValueId {
        match parts.as_slice() {
            [only] => *only,
            _ => self.b.compose(Type::vector_of(scalar, parts.len() as u32), parts),
        }
    }

    /// Lowers `asdouble(low, high)`.
    pub(super) fn join_bits(&mut self, low: ValueId, high: ValueId, ty: &Type) -> Lower<ValueId> {
        let scalar = ty.scalar()?;
        let (low, high) = (self.parts_of(low), self.parts_of(high));
        let mut parts = Vec::new();
        for (low, high) in low.into_iter().zip(high) {
            let pair = self.b.compose(Type::Vector(Scalar::U32, 2), vec![low, high]);
            parts.push(self.b.bitcast(pair, Type::Scalar(scalar)));
        }
        Some(self.gather(scalar, parts))
    }

    /// Lowers `asuint(x, out low, out high)`.
    pub(super) fn split_bits(&mut self, args: &[Arg]) -> Lower<()> {
        let value = self.arg(args, 0)?;
        for half in [0, 1] {
            let words = self.by_rows(&[value], |this, row| {
                let mut words = Vec::new();
                for part in this.parts_of(row[0]) {
                    let pair = this.b.bitcast(part, Type::Vector(Scalar::U32, 2));
                    words.push(this.b.extract(pair, half));
                }
                Some(this.gather(Scalar::U32, words))
            })?;
            self.put(args, 1 + half as usize, words)?;
        }
        Some(())
    }

    /// Lowers `f16tof32(x)`, which ignores the high half of each word.
    pub(super) fn half_to_float(&mut self, value: ValueId) -> ValueId {
        let mut parts = Vec::new();
        for part in self.parts_of(value) {
            let pair = self.b.math(MathOp::UnpackHalf, &[part]);
            parts.push(self.b.extract(pair, 0));
        }
        self.gather(Scalar::F32, parts)
    }

    /// Lowers `f32tof16(x)`; the high half of each word is zero.
    pub(super) fn float_to_half(&mut self, value: ValueId) -> ValueId {
        let zero = self.b.splat_const(&Type::Scalar(Scalar::F32), 0);
        let mut parts = Vec::new();
        for part in self.parts_of(value) {
            let pair = self.b.compose(Type::Vector(Scalar::F32, 2), vec![part, zero]);
            parts.push(self.b.math(MathOp::PackHalf, &[pair]));
        }
        self.gather(Scalar::U32, parts)
    }

    /// Converts a bit index to the type of the result; all ones, the value for no bit, stay all ones.
    pub(super) fn bit_index(&mut self, value: ValueId, ty: &Type) -> ValueId {
        let from = self.b.ty(value);
        let (Some(scalar), Some(n)) = (from.scalar(), from.components()) else { return value };
        let signed = match scalar {
            Scalar::U16 => Scalar::I16,
            Scalar::U32 => Scalar::I32,
            Scalar::U64 => Scalar::I64,
            other => other,
        };
        let value = if signed == scalar { value } else { self.b.bitcast(value, Type::vector_of(signed, n)) };
        self.b.convert(value, ty.clone())
    }
}
