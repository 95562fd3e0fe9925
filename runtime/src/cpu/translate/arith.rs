//! Arithmetic, comparison, conversion and composite instructions.
//!
//! Integers of 8 and 16 bits are computed in 32 bits: extended if the sign matters, truncated if the result may not
//! fit. Half floats are computed in single precision and rounded after each operation.

use super::{Result, Translator, Value};
use crate::cpu::exec::ops::{Binary, Ternary, Unary};
use crate::cpu::program::{Ins, Row};
use spirv::Op;
use wgc_spirv_module::module::Inst;
use wgc_spirv_module::{Id, Type};

/// Integer operations: for 32 and 64 bits; signed operands; a result that must be cut; operands swapped.
struct Integer(Op, Binary, Binary, bool, bool, bool);

const INTEGER: &[Integer] = &[
    Integer(Op::IAdd, Binary::Add32, Binary::Add64, false, true, false),
    Integer(Op::ISub, Binary::Sub32, Binary::Sub64, false, true, false),
    Integer(Op::IMul, Binary::Mul32, Binary::Mul64, false, true, false),
    Integer(Op::UDiv, Binary::UDiv32, Binary::UDiv64, false, true, false),
    Integer(Op::SDiv, Binary::SDiv32, Binary::SDiv64, true, true, false),
    Integer(Op::UMod, Binary::UMod32, Binary::UMod64, false, true, false),
    Integer(Op::SRem, Binary::SRem32, Binary::SRem64, true, true, false),
    Integer(Op::SMod, Binary::SMod32, Binary::SMod64, true, true, false),
    Integer(Op::BitwiseAnd, Binary::And, Binary::And, false, false, false),
    Integer(Op::BitwiseOr, Binary::Or, Binary::Or, false, false, false),
    Integer(Op::BitwiseXor, Binary::Xor, Binary::Xor, false, false, false),
    Integer(Op::LogicalAnd, Binary::And, Binary::And, false, false, false),
    Integer(Op::LogicalOr, Binary::Or, Binary::Or, false, false, false),
    Integer(Op::LogicalEqual, Binary::Equal, Binary::Equal, false, false, false),
    Integer(Op::LogicalNotEqual, Binary::NotEqual, Binary::NotEqual, false, false, false),
    Integer(Op::IEqual, Binary::Equal, Binary::Equal, false, false, false),
    Integer(Op::INotEqual, Binary::NotEqual, Binary::NotEqual, false, false, false),
    Integer(Op::ULessThan, Binary::ULess, Binary::ULess, false, false, false),
    Integer(Op::ULessThanEqual, Binary::ULessEqual, Binary::ULessEqual, false, false, false),
    Integer(Op::UGreaterThan, Binary::ULess, Binary::ULess, false, false, true),
    Integer(Op::UGreaterThanEqual, Binary::ULessEqual, Binary::ULessEqual, false, false, true),
    Integer(Op::SLessThan, Binary::SLess32, Binary::SLess64, true, false, false),
    Integer(Op::SLessThanEqual, Binary::SLessEqual32, Binary::SLessEqual64, true, false, false),
    Integer(Op::SGreaterThan, Binary::SLess32, Binary::SLess64, true, false, true),
    Integer(Op::SGreaterThanEqual, Binary::SLessEqual32, Binary::SLessEqual64, true, false, true),
];

/// Float operations: for 32 and 64 bits; a boolean result; operands swapped; the result negated.
struct Float(Op, Binary, Binary, bool, bool, bool);

const FLOAT: &[Float] = &[
    Float(Op::FAdd, Binary::FAdd32, Binary::FAdd64, false, false, false),
    Float(Op::FSub, Binary::FSub32, Binary::FSub64, false, false, false),
    Float(Op::FMul, Binary::FMul32, Binary::FMul64, false, false, false),
    Float(Op::FDiv, Binary::FDiv32, Binary::FDiv64, false, false, false),
    Float(Op::FRem, Binary::FRem32, Binary::FRem64, false, false, false),
    Float(Op::FMod, Binary::FMod32, Binary::FMod64, false, false, false),
    Float(Op::FOrdEqual, Binary::FEqual32, Binary::FEqual64, true, false, false),
    Float(Op::FUnordNotEqual, Binary::FEqual32, Binary::FEqual64, true, false, true),
    Float(Op::FOrdLessThan, Binary::FLess32, Binary::FLess64, true, false, false),
    Float(Op::FOrdGreaterThan, Binary::FLess32, Binary::FLess64, true, true, false),
    Float(Op::FOrdLessThanEqual, Binary::FLessEqual32, Binary::FLessEqual64, true, false, false),
    Float(Op::FOrdGreaterThanEqual, Binary::FLessEqual32, Binary::FLessEqual64, true, true, false),
    // Unordered comparisons are the opposite ordered ones, negated.
    Float(Op::FUnordLessThan, Binary::FLessEqual32, Binary::FLessEqual64, true, true, true),
    Float(Op::FUnordGreaterThan, Binary::FLessEqual32, Binary::FLessEqual64, true, false, true),
    Float(Op::FUnordLessThanEqual, Binary::FLess32, Binary::FLess64, true, true, true),
    Float(Op::FUnordGreaterThanEqual, Binary::FLess32, Binary::FLess64, true, false, true),
    Float(Op::Unordered, Binary::Unordered32, Binary::Unordered64, true, false, false),
    Float(Op::Ordered, Binary::Unordered32, Binary::Unordered64, true, false, true),
];

impl Translator<'_> {
    /// Returns rows of a float value in a width that operations support: halves become single.
    pub(super) fn float_in(&mut self, row: Row, n: u32, width: u32) -> Result<(Row, bool)> {
        match width {
            16 => Ok((self.unary(Unary::F16To32, row, n)?, false)),
            32 => Ok((row, false)),
            64 => Ok((row, true)),
            _ => Err(format!("floats of {width} bits are not supported")),
        }
    }

    pub(super) fn float_out(&mut self, row: Row, n: u32, width: u32) -> Result<Row> {
        if width == 16 { self.unary(Unary::F32To16, row, n) } else { Ok(row) }
    }

    /// Returns rows of an integer for operations of 32 or 64 bits.
    pub(super) fn integer_in(&mut self, row: Row, n: u32, width: u32, signed: bool) -> Result<Row> {
        match (width, signed) {
            (8, true) => self.unary(Unary::SExt8To32, row, n),
            (16, true) => self.unary(Unary::SExt16To32, row, n),
            _ => Ok(row),
        }
    }

    pub(super) fn cut(&mut self, row: Row, n: u32, width: u32) -> Result<Row> {
        match width {
            8 => self.unary(Unary::Cut8, row, n),
            16 => self.unary(Unary::Cut16, row, n),
            _ => Ok(row),
        }
    }

    /// Operands of an instruction that works component by component: values of the same number of rows.
    fn pair(&mut self, w: &[u32]) -> Result<(Value, Value)> {
        let (a, b) = (self.value(w.first().copied().unwrap_or(0))?, self.value(w.get(1).copied().unwrap_or(0))?);
        if a.n == b.n { Ok((a, b)) } else { Err("its operands differ in size".into()) }
    }

    pub(super) fn arithmetic(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        if let Some(Integer(_, op32, op64, signed, cut, swapped)) = INTEGER.iter().find(|row| row.0 == op) {
            let (a, b) = self.pair(w)?;
            let n = a.n;
            let (wa, wb) = (self.width_of(operand(0))?.0, self.width_of(operand(1))?.0);
            let mut a = self.integer_in(a.row, n, wa, *signed)?;
            let mut b = self.integer_in(b.row, n, wb, *signed)?;
            if *swapped {
                std::mem::swap(&mut a, &mut b);
            }
            let row = self.binary(if wa == 64 { *op64 } else { *op32 }, a, b, n)?;
            let row = if *cut { self.cut(row, n, wa)? } else { row };
            self.define(inst, row, n);
            return Ok(true);
        }
        if let Some(Float(_, op32, op64, boolean, swapped, negated)) = FLOAT.iter().find(|row| row.0 == op) {
            let (a, b) = self.pair(w)?;
            let n = a.n;
            let width = self.width_of(operand(0))?.0;
            let (mut a, wide) = self.float_in(a.row, n, width)?;
            let (mut b, _) = self.float_in(b.row, n, width)?;
            if *swapped {
                std::mem::swap(&mut a, &mut b);
            }
            let mut row = self.binary(if wide { *op64 } else { *op32 }, a, b, n)?;
            if *negated {
                row = self.unary(Unary::Not, row, n)?;
            }
            if !*boolean {
                row = self.float_out(row, n, width)?;
            }
            self.define(inst, row, n);
            return Ok(true);
        }
        Ok(self.one_operand(op, inst, w)? || self.composite(op, inst, w)? || self.other(op, inst, w)?)
    }

    fn one_operand(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let id = w.first().copied().unwrap_or(0);
        match op {
            Op::SNegate | Op::Not | Op::LogicalNot | Op::BitCount | Op::BitReverse => {
                let Value { row, n } = self.value(id)?;
                let width = self.width_of(id)?.0;
                let wide = width == 64;
                let (unary, cut) = match op {
                    Op::SNegate => (if wide { Unary::Neg64 } else { Unary::Neg32 }, true),
                    Op::Not => (if wide { Unary::Not64 } else { Unary::Not32 }, true),
                    Op::LogicalNot => (Unary::Not, false),
                    Op::BitCount => (Unary::BitCount, false),
                    _ => (if wide { Unary::BitReverse64 } else { Unary::BitReverse32 }, false),
                };
                let mut row = self.unary(unary, row, n)?;
                if op == Op::BitReverse && width < 32 {
                    // The bits are at the top of 32.
                    let shift = self.splat(u64::from(32 - width), n)?;
                    row = self.binary(Binary::Shr32, row, shift, n)?;
                }
                if cut {
                    row = self.cut(row, n, width)?;
                }
                self.define(inst, row, n);
            }
            Op::FNegate => {
                let Value { row, n } = self.value(id)?;
                let unary = match self.width_of(id)?.0 {
                    16 => Unary::FNeg16,
                    64 => Unary::FNeg64,
                    _ => Unary::FNeg32,
                };
                let row = self.unary(unary, row, n)?;
                self.define(inst, row, n);
            }
            Op::IsNan | Op::IsInf => {
                let Value { row, n } = self.value(id)?;
                let width = self.width_of(id)?.0;
                let (row, wide) = self.float_in(row, n, width)?;
                let unary = match (op, wide) {
                    (Op::IsNan, false) => Unary::IsNan32,
                    (Op::IsNan, true) => Unary::IsNan64,
                    (_, false) => Unary::IsInf32,
                    (_, true) => Unary::IsInf64,
                };
                let row = self.unary(unary, row, n)?;
                self.define(inst, row, n);
            }
            Op::Any | Op::All => {
                let Value { row, n } = self.value(id)?;
                let binary = if op == Op::Any { Binary::Or } else { Binary::And };
                let row = self.fold(binary, row, n)?;
                self.define(inst, row, 1);
            }
            Op::UConvert
            | Op::SConvert
            | Op::FConvert
            | Op::ConvertFToU
            | Op::ConvertFToS
            | Op::ConvertUToF
            | Op::ConvertSToF
            | Op::QuantizeToF16 => {
                let value = self.value(id)?;
                let row = self.convert(op, value, self.width_of(id)?.0, self.width(inst.ty)?.0)?;
                self.define(inst, row, value.n);
            }
            Op::Bitcast => {
                let value = self.value(id)?;
                let row = self.bitcast(value, self.width_of(id)?.0, inst.ty)?;
                let n = self.count(inst.ty)?;
                self.define(inst, row, n);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Combines `n` rows into one, from the first on.
    pub(super) fn fold(&mut self, op: Binary, row: Row, n: u32) -> Result<Row> {
        let mut sum = row;
        for i in 1..n {
            sum = self.binary(op, sum, row + i, 1)?;
        }
        Ok(sum)
    }

    fn convert(&mut self, op: Op, value: Value, from: u32, to: u32) -> Result<Row> {
        let Value { row, n } = value;
        // Through the widest form, which holds every narrower number exactly.
        let sign_extended = |t: &mut Self| -> Result<Row> {
            let row = t.integer_in(row, n, from, true)?;
            if from == 64 { Ok(row) } else { t.unary(Unary::SExt32To64, row, n) }
        };
        let as_double = |t: &mut Self| -> Result<Row> {
            let (row, wide) = t.float_in(row, n, from)?;
            if wide { Ok(row) } else { t.unary(Unary::F32To64, row, n) }
        };
        match op {
            Op::UConvert => match to {
                32 if from == 64 => self.unary(Unary::Cut32, row, n),
                _ => self.cut(row, n, to),
            },
            Op::SConvert => {
                let row = sign_extended(self)?;
                match to {
                    64 => Ok(row),
                    32 => self.unary(Unary::Cut32, row, n),
                    _ => self.cut(row, n, to),
                }
            }
            Op::QuantizeToF16 => self.unary(Unary::Quantize16, row, n),
            Op::FConvert => match (from, to) {
                (a, b) if a == b => Ok(row),
                (16, 32) => self.unary(Unary::F16To32, row, n),
                (32, 16) => self.unary(Unary::F32To16, row, n),
                (64, 16) => self.unary(Unary::F64To16, row, n),
                (64, 32) => self.unary(Unary::F64To32, row, n),
                (_, 64) => as_double(self),
                _ => Err(format!("no conversion from {from} to {to} bits")),
            },
            Op::ConvertFToU | Op::ConvertFToS => {
                let row = as_double(self)?;
                let unary = match (op, to) {
                    (Op::ConvertFToU, 8) => Unary::F64ToU8,
                    (Op::ConvertFToU, 16) => Unary::F64ToU16,
                    (Op::ConvertFToU, 32) => Unary::F64ToU32,
                    (Op::ConvertFToU, _) => Unary::F64ToU64,
                    (_, 8) => Unary::F64ToS8,
                    (_, 16) => Unary::F64ToS16,
                    (_, 32) => Unary::F64ToS32,
                    _ => Unary::F64ToS64,
                };
                self.unary(unary, row, n)
            }
            _ => {
                let signed = op == Op::ConvertSToF;
                let row = if signed { sign_extended(self)? } else { row };
                let unary = match (signed, to) {
                    (true, 32) => Unary::SToF32,
                    (true, _) => Unary::SToF64,
                    (false, 32) => Unary::UToF32,
                    _ => Unary::UToF64,
                };
                let row = self.unary(unary, row, n)?;
                if to == 16 { self.unary(Unary::F64To16, row, n) } else { Ok(row) }
            }
        }
    }

    /// Reinterprets the bits as another type: component by component, or repacked if the widths differ.
    fn bitcast(&mut self, value: Value, from: u32, ty: Id) -> Result<Row> {
        let (to, n) = (self.width(ty)?.0, self.count(ty)?);
        if from == to && n == value.n {
            return Ok(value.row);
        }
        if from * value.n != to * n || from == 1 || to == 1 {
            return Err("OpBitcast between types of different size".into());
        }
        let dst = self.rows(n)?;
        if from < to {
            let parts = to / from;
            for i in 0..n {
                let mut whole = value.row + i * parts;
                for part in 1..parts {
                    let shift = self.constant(u64::from(part * from))?;
                    let shifted = self.binary(Binary::Shl64, value.row + i * parts + part, shift, 1)?;
                    whole = self.binary(Binary::Or, whole, shifted, 1)?;
                }
                self.copy(dst + i, whole, 1);
            }
        } else {
            let parts = from / to;
            for i in 0..n {
                let shift = self.constant(u64::from((i % parts) * to))?;
                let shifted = self.binary(Binary::Shr64, value.row + i / parts, shift, 1)?;
                let part = match to {
                    32 => self.unary(Unary::Cut32, shifted, 1)?,
                    _ => self.cut(shifted, 1, to)?,
                };
                self.copy(dst + i, part, 1);
            }
        }
        Ok(dst)
    }

    fn composite(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::Undef => {
                let n = self.count(inst.ty)?;
                let row = self.undefined(n)?;
                self.define(inst, row, n);
            }
            Op::CompositeConstruct => {
                let whole = self.new_value(inst.ty)?;
                let mut at = whole.row;
                for part in w {
                    let part = self.value(*part)?;
                    if at + part.n > whole.row + whole.n {
                        return Err("OpCompositeConstruct has too many parts".into());
                    }
                    self.copy(at, part.row, part.n);
                    at += part.n;
                }
                self.define(inst, whole.row, whole.n);
            }
            Op::CompositeExtract => {
                let whole = self.value(operand(0))?;
                let (start, ty) = self.member(self.m.type_of(operand(0)), w.get(1..).unwrap_or(&[]))?;
                let n = self.count(ty)?;
                if start + n > whole.n {
                    return Err("OpCompositeExtract of a missing part".into());
                }
                self.define(inst, whole.row + start, n);
            }
            Op::CompositeInsert => {
                let (part, whole) = (self.value(operand(0))?, self.value(operand(1))?);
                let (start, _) = self.member(inst.ty, w.get(2..).unwrap_or(&[]))?;
                if start + part.n > whole.n {
                    return Err("OpCompositeInsert into a missing part".into());
                }
                let row = self.rows(whole.n)?;
                self.copy(row, whole.row, whole.n);
                self.copy(row + start, part.row, part.n);
                self.define(inst, row, whole.n);
            }
            Op::VectorShuffle => {
                let (a, b) = (self.value(operand(0))?, self.value(operand(1))?);
                let picks = w.get(2..).unwrap_or(&[]);
                let row = self.rows(picks.len() as u32)?;
                for (i, &pick) in picks.iter().enumerate() {
                    let from = match pick {
                        u32::MAX => self.constant(0)?,
                        _ if pick < a.n => a.row + pick,
                        _ if pick - a.n < b.n => b.row + pick - a.n,
                        _ => return Err("OpVectorShuffle of a missing component".into()),
                    };
                    self.copy(row + i as u32, from, 1);
                }
                self.define(inst, row, picks.len() as u32);
            }
            Op::VectorExtractDynamic => {
                let (vector, index) = (self.value(operand(0))?, self.scalar(operand(1))?);
                let offset = self.rows(1)?;
                let limit = u64::from(vector.n);
                self.emit(Ins::RowIndex { dst: offset, base: None, index, stride: 1, limit });
                let dst = self.rows(1)?;
                self.emit(Ins::GatherRows { dst, row: vector.row, offset, n: 1 });
                self.define(inst, dst, 1);
            }
            Op::VectorInsertDynamic => {
                let (vector, part, index) =
                    (self.value(operand(0))?, self.scalar(operand(1))?, self.scalar(operand(2))?);
                let row = self.rows(vector.n)?;
                self.copy(row, vector.row, vector.n);
                let offset = self.rows(1)?;
                let limit = u64::from(vector.n);
                self.emit(Ins::RowIndex { dst: offset, base: None, index, stride: 1, limit });
                self.emit(Ins::ScatterRows { src: part, row, offset, n: 1 });
                self.define(inst, row, vector.n);
            }
            Op::Transpose => {
                let value = self.value(operand(0))?;
                let (columns, rows) = self.matrix(self.m.type_of(operand(0)))?;
                let row = self.rows(value.n)?;
                for c in 0..columns {
                    for r in 0..rows {
                        self.copy(row + r * columns + c, value.row + c * rows + r, 1);
                    }
                }
                self.define(inst, row, value.n);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns columns and rows.
    pub(super) fn matrix(&self, ty: Id) -> Result<(u32, u32)> {
        match self.ty(ty)? {
            Type::Matrix { column, columns } => Ok((*columns, self.count(*column)?)),
            _ => Err("an operand is not a matrix".into()),
        }
    }

    /// Returns the first row and the type of a part of a composite.
    fn member(&self, composite: Id, path: &[u32]) -> Result<(u32, Id)> {
        let (mut start, mut ty) = (0, composite);
        for &index in path {
            ty = match self.ty(ty)? {
                Type::Struct { members } => {
                    let inner = *members.get(index as usize).ok_or("a structure has no such member")?;
                    for before in members.iter().take(index as usize) {
                        start += self.count(*before)?;
                    }
                    inner
                }
                Type::Vector { component: e, .. } | Type::Matrix { column: e, .. } | Type::Array { element: e, .. } => {
                    let skipped = self.count(*e)?.checked_mul(index);
                    start = skipped.and_then(|s| start.checked_add(s)).ok_or("a composite has no such part")?;
                    *e
                }
                other => return Err(format!("{other:?} has no parts")),
            };
        }
        Ok((start, ty))
    }

    fn other(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::Select => {
                let (c, a, b) = (self.value(operand(0))?, self.value(operand(1))?, self.value(operand(2))?);
                if a.n != b.n || (c.n != 1 && c.n != a.n) {
                    return Err("OpSelect has operands of different size".into());
                }
                let dst = self.rows(a.n)?;
                match c.n {
                    1 => self.emit(Ins::Select { dst, condition: c.row, a: a.row, b: b.row, n: a.n }),
                    n => {
                        let op = Ternary::Select;
                        self.emit(Ins::Ternary { op, dst, a: c.row, b: a.row, c: b.row, n });
                    }
                }
                self.define(inst, dst, a.n);
            }
            Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
                let (a, b) = self.pair(w)?;
                let width = self.width_of(operand(0))?.0;
                let wide = width == 64;
                let (binary, signed) = match op {
                    Op::ShiftLeftLogical => (if wide { Binary::Shl64 } else { Binary::Shl32 }, false),
                    Op::ShiftRightLogical => (if wide { Binary::Shr64 } else { Binary::Shr32 }, false),
                    _ => (if wide { Binary::Sar64 } else { Binary::Sar32 }, true),
                };
                let row = self.integer_in(a.row, a.n, width, signed)?;
                let row = self.binary(binary, row, b.row, a.n)?;
                let row = self.cut(row, a.n, width)?;
                self.define(inst, row, a.n);
            }
            Op::FOrdNotEqual | Op::FUnordEqual | Op::LessOrGreater => {
                let (a, b) = self.pair(w)?;
                let width = self.width_of(operand(0))?.0;
                let (x, wide) = self.float_in(a.row, a.n, width)?;
                let (y, _) = self.float_in(b.row, a.n, width)?;
                let less = if wide { Binary::FLess64 } else { Binary::FLess32 };
                let below = self.binary(less, x, y, a.n)?;
                let above = self.binary(less, y, x, a.n)?;
                let mut row = self.binary(Binary::Or, below, above, a.n)?;
                if op == Op::FUnordEqual {
                    row = self.unary(Unary::Not, row, a.n)?;
                }
                self.define(inst, row, a.n);
            }
            Op::BitFieldUExtract | Op::BitFieldSExtract => {
                let (base, offset, count) =
                    (self.value(operand(0))?, self.scalar(operand(1))?, self.scalar(operand(2))?);
                let width = self.width_of(operand(0))?.0;
                let ternary = match (op, width == 64) {
                    (Op::BitFieldUExtract, false) => Ternary::BitsU32,
                    (Op::BitFieldUExtract, true) => Ternary::BitsU64,
                    (_, false) => Ternary::BitsS32,
                    _ => Ternary::BitsS64,
                };
                let dst = self.rows(base.n)?;
                for i in 0..base.n {
                    self.emit(Ins::Ternary { op: ternary, dst: dst + i, a: base.row + i, b: offset, c: count, n: 1 });
                }
                let dst = self.cut(dst, base.n, width)?;
                self.define(inst, dst, base.n);
            }
            Op::BitFieldInsert => self.bit_insert(inst, w)?,
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                let (a, b) = self.pair(w)?;
                let wide = self.width_of(operand(0))?.0 == 64;
                let (low, high) = match (op, wide) {
                    (Op::IAddCarry, false) => (Binary::Add32, Binary::Carry32),
                    (Op::IAddCarry, true) => (Binary::Add64, Binary::Carry64),
                    (Op::ISubBorrow, false) => (Binary::Sub32, Binary::ULess),
                    (Op::ISubBorrow, true) => (Binary::Sub64, Binary::ULess),
                    (Op::UMulExtended, false) => (Binary::Mul32, Binary::MulHighU32),
                    (Op::UMulExtended, true) => (Binary::Mul64, Binary::MulHighU64),
                    (_, false) => (Binary::Mul32, Binary::MulHighS32),
                    _ => (Binary::Mul64, Binary::MulHighS64),
                };
                let dst = self.rows(2 * a.n)?;
                self.emit(Ins::Binary { op: low, dst, a: a.row, b: b.row, n: a.n });
                self.emit(Ins::Binary { op: high, dst: dst + a.n, a: a.row, b: b.row, n: a.n });
                self.define(inst, dst, 2 * a.n);
            }
            Op::Dot
            | Op::VectorTimesScalar
            | Op::MatrixTimesScalar
            | Op::MatrixTimesVector
            | Op::VectorTimesMatrix
            | Op::MatrixTimesMatrix
            | Op::OuterProduct => self.linear(op, inst, w)?,
            Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => {
                self.integer_dot(op, inst, w)?;
            }
            Op::ExtInst => self.extended(inst, w)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn bit_insert(&mut self, inst: &Inst, w: &[u32]) -> Result<()> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        let (base, insert) = self.pair(w)?;
        let (offset, count) = (self.scalar(operand(2))?, self.scalar(operand(3))?);
        let width = self.width_of(operand(0))?.0;
        // mask = the low `count` bits, moved to `offset`; a count of 64 is all bits.
        let ones = self.constant(u64::MAX)?;
        let zero = self.constant(0)?;
        let low = self.ternary(Ternary::BitsU64, [ones, zero, count], 1)?;
        let mask = self.binary(Binary::Shl64, low, offset, 1)?;
        let keep = self.unary(Unary::Not64, mask, 1)?;
        let dst = self.rows(base.n)?;
        for i in 0..base.n {
            let moved = self.binary(Binary::Shl64, insert.row + i, offset, 1)?;
            let moved = self.binary(Binary::And, moved, mask, 1)?;
            let kept = self.binary(Binary::And, base.row + i, keep, 1)?;
            let whole = self.binary(Binary::Or, moved, kept, 1)?;
            let whole = if width == 32 { self.unary(Unary::Cut32, whole, 1)? } else { self.cut(whole, 1, width)? };
            self.copy(dst + i, whole, 1);
        }
        self.define(inst, dst, base.n);
        Ok(())
    }
}
