//! Sums of products: vectors, matrices, integer dot products.

use super::{Result, Translator};
use crate::cpu::exec::ops::{Binary, Unary};
use crate::cpu::program::Row;
use spirv::Op;
use wgc_spirv_module::Id;
use wgc_spirv_module::module::Inst;

impl Translator<'_> {
    /// Products of vectors and matrices, sums from the first component on.
    pub(super) fn linear(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<()> {
        let (ida, idb) = (w.first().copied().unwrap_or(0), w.get(1).copied().unwrap_or(0));
        let (va, vb) = (self.value(ida)?, self.value(idb)?);
        let width = self.width_of(ida)?.0;
        let (a, wide) = self.float_in(va.row, va.n, width)?;
        let (b, _) = self.float_in(vb.row, vb.n, width)?;
        let mul = if wide { Binary::FMul64 } else { Binary::FMul32 };
        let add = if wide { Binary::FAdd64 } else { Binary::FAdd32 };
        let n = self.count(inst.ty)?;
        let dst = self.rows(n)?;
        // Each result is a sum of products of two strided runs: start, step, start, step, length.
        let sum = |t: &mut Self, to: Row, x: Row, dx: u32, y: Row, dy: u32, length: u32| -> Result<()> {
            let mut total = t.binary(mul, x, y, 1)?;
            for i in 1..length {
                let product = t.binary(mul, x + i * dx, y + i * dy, 1)?;
                total = t.binary(add, total, product, 1)?;
            }
            t.copy(to, total, 1);
            Ok(())
        };
        match op {
            Op::Dot => sum(self, dst, a, 1, b, 1, va.n.min(vb.n))?,
            Op::VectorTimesScalar | Op::MatrixTimesScalar => {
                for i in 0..n.min(va.n) {
                    sum(self, dst + i, a + i, 0, b, 0, 1)?;
                }
            }
            Op::MatrixTimesVector => {
                let (columns, rows) = self.matrix(self.m.type_of(ida))?;
                for r in 0..rows.min(n) {
                    sum(self, dst + r, a + r, rows, b, 1, columns.min(vb.n))?;
                }
            }
            Op::VectorTimesMatrix => {
                let (columns, rows) = self.matrix(self.m.type_of(idb))?;
                for c in 0..columns.min(n) {
                    sum(self, dst + c, a, 1, b + c * rows, 1, rows.min(va.n))?;
                }
            }
            Op::MatrixTimesMatrix => {
                let (inner, rows) = self.matrix(self.m.type_of(ida))?;
                let (columns, _) = self.matrix(self.m.type_of(idb))?;
                if vb.n != columns * inner || n != columns * rows {
                    return Err("OpMatrixTimesMatrix has operands of different size".into());
                }
                for c in 0..columns {
                    for r in 0..rows {
                        sum(self, dst + c * rows + r, a + r, rows, b + c * inner, 1, inner)?;
                    }
                }
            }
            _ => {
                if n != va.n * vb.n {
                    return Err("OpOuterProduct has operands of different size".into());
                }
                for c in 0..vb.n {
                    for r in 0..va.n {
                        sum(self, dst + c * va.n + r, a + r, 0, b + c, 0, 1)?;
                    }
                }
            }
        }
        let dst = self.float_out(dst, n, width)?;
        self.define(inst, dst, n);
        Ok(())
    }

    /// Translates dot products of integer vectors, or of four bytes packed in a word.
    pub(super) fn integer_dot(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<()> {
        let accumulate = matches!(op, Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat);
        let (signed_a, signed_b) = match op {
            Op::UDot | Op::UDotAccSat => (false, false),
            Op::SUDot | Op::SUDotAccSat => (true, false),
            _ => (true, true),
        };
        let parts = |t: &mut Self, id: Id, signed: bool| -> Result<(Row, u32)> {
            let value = t.value(id)?;
            let mut width = t.width_of(id)?.0;
            let (mut row, mut n) = (value.row, value.n);
            if n == 1 {
                let packed = value.row;
                row = t.rows(4)?;
                for i in 0..4 {
                    let shift = t.constant(u64::from(i * 8))?;
                    let byte = t.binary(Binary::Shr32, packed, shift, 1)?;
                    let byte = t.unary(Unary::Cut8, byte, 1)?;
                    t.copy(row + i, byte, 1);
                }
                (width, n) = (8, 4);
            }
            let row = t.integer_in(row, n, width, signed)?;
            let row = if signed && width < 64 { t.unary(Unary::SExt32To64, row, n)? } else { row };
            Ok((row, n))
        };
        let (a, n) = parts(self, w.first().copied().unwrap_or(0), signed_a)?;
        let (b, _) = parts(self, w.get(1).copied().unwrap_or(0), signed_b)?;
        let products = self.binary(Binary::Mul64, a, b, n)?;
        let mut total = self.fold(Binary::Add64, products, n)?;
        let (width, _) = self.width(inst.ty)?;
        let signed = signed_a || signed_b;
        if accumulate {
            let third = self.scalar(w.get(2).copied().unwrap_or(0))?;
            let third = self.integer_in(third, 1, width, signed)?;
            let third = if signed && width < 64 { self.unary(Unary::SExt32To64, third, 1)? } else { third };
            total = self.binary(Binary::Add64, total, third, 1)?;
            if width < 64 {
                // Saturate to the result's range.
                if signed {
                    let (low, high) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
                    let (low, high) = (self.constant(low as u64)?, self.constant(high as u64)?);
                    total = self.binary(Binary::SMax64, total, low, 1)?;
                    total = self.binary(Binary::SMin64, total, high, 1)?;
                } else {
                    let high = self.constant((1u64 << width) - 1)?;
                    total = self.binary(Binary::UMin, total, high, 1)?;
                }
            }
        }
        let row = if width == 32 { self.unary(Unary::Cut32, total, 1)? } else { self.cut(total, 1, width)? };
        self.define(inst, row, 1);
        Ok(())
    }
}
