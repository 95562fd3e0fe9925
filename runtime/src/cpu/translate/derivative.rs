//! Derivative instructions. Of those that leave the choice to the device, the fine kind is executed.

use super::{Result, Translator};
use crate::cpu::exec::ops::{Binary, Unary};
use crate::cpu::program::{Ins, Row};
use spirv::Op;
use wgc_spirv_module::module::Inst;

impl Translator<'_> {
    pub(super) fn derivative(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let (axis, coarse) = match op {
            Op::DPdx | Op::DPdxFine => (Some(0), false),
            Op::DPdy | Op::DPdyFine => (Some(1), false),
            Op::DPdxCoarse => (Some(0), true),
            Op::DPdyCoarse => (Some(1), true),
            Op::Fwidth | Op::FwidthFine => (None, false),
            Op::FwidthCoarse => (None, true),
            _ => return Ok(false),
        };
        let value = self.value(*w.first().ok_or("a derivative without an operand")?)?;
        if self.width(inst.ty)?.0 != 32 {
            return Err("only single-precision derivatives are supported".into());
        }
        self.program.cooperates = true;
        let row = match axis {
            Some(axis) => self.difference(axis, coarse, value.row, value.n)?,
            None => {
                let (x, y) =
                    (self.difference(0, coarse, value.row, value.n)?, self.difference(1, coarse, value.row, value.n)?);
                let (x, y) = (self.unary(Unary::FAbs32, x, value.n)?, self.unary(Unary::FAbs32, y, value.n)?);
                self.binary(Binary::FAdd32, x, y, value.n)?
            }
        };
        self.define(inst, row, value.n);
        Ok(true)
    }

    fn difference(&mut self, axis: usize, coarse: bool, a: Row, n: u32) -> Result<Row> {
        let dst = self.rows(n)?;
        self.emit(Ins::Derivative { axis, coarse, dst, a, n });
        Ok(dst)
    }
}
