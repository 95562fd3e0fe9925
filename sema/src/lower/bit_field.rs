//! Bit-fields: the bits of a unit as a value, and a unit with some of its bits replaced.

use super::Lowerer;
use super::place::Lvalue;
use crate::types::bit_fields::BitRange;
use wgc_ir::{Scalar, ScalarConst, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns the value of a bit-field in the unit's type, sign-extended if that type is signed; `bool` is true if any
    /// bit is set.
    pub(super) fn extract_bits(&mut self, unit: ValueId, range: BitRange, ty: &Type) -> ValueId {
        let scalar = self.b.ty(unit).scalar().unwrap_or(Scalar::U32);
        let bits = (scalar.size() * 8) as u8;
        // Shifts the bits to the upper end and down again; the second shift copies the sign of signed integers.
        let up = self.shift_count(bits - range.offset - range.width, scalar);
        let down = self.shift_count(bits - range.width, scalar);
        let high = self.b.shl(unit, up);
        let value = self.b.shr(high, down);
        self.b.convert(value, ty.clone())
    }

    /// Returns the contents of a place after a store of `value`: a bit-field keeps only the low bits.
    pub(super) fn as_stored(&mut self, place: &Lvalue, value: ValueId) -> ValueId {
        let Lvalue::Bits { range, ty, .. } = place else { return value };
        self.extract_bits(value, BitRange { offset: 0, ..*range }, ty)
    }

    /// Returns the unit with the range replaced by the bits of `value`.
    pub(super) fn insert_bits(&mut self, unit: ValueId, range: BitRange, value: ValueId) -> ValueId {
        let ty = self.b.ty(unit);
        let scalar = ty.scalar().unwrap_or(Scalar::U32);
        let mask = (u64::MAX >> (64 - u32::from(range.width))) << range.offset;
        let all = u64::MAX >> (64 - scalar.size() * 8);
        let (inside, outside) = (mask & all, !mask & all);
        let value = self.b.convert(value, ty);
        let by = self.shift_count(range.offset, scalar);
        let moved = self.b.shl(value, by);
        let inside = self.b.constant(ScalarConst { ty: scalar, bits: inside });
        let moved = self.b.and(moved, inside);
        let outside = self.b.constant(ScalarConst { ty: scalar, bits: outside });
        let kept = self.b.and(unit, outside);
        self.b.or(kept, moved)
    }

    fn shift_count(&mut self, n: u8, scalar: Scalar) -> ValueId {
        self.b.constant(ScalarConst { ty: scalar, bits: u64::from(n) })
    }
}
