//! GLSL.std.450: the extended instructions of shaders, as operations or as compositions of them.

use super::{Result, Translator, Value};
use crate::cpu::exec::ops::{Binary, Ternary, Unary};
use crate::cpu::program::Row;
use spirv::{Decoration, GlslStd450Op as Gl};
use wgc_spirv_module::Id;
use wgc_spirv_module::module::Inst;

/// Float operations of one operand: in single and, if it exists, in double precision.
const UNARY: &[(Gl, Unary, Option<Unary>)] = &[
    (Gl::Round, Unary::RoundEven32, Some(Unary::RoundEven64)),
    (Gl::RoundEven, Unary::RoundEven32, Some(Unary::RoundEven64)),
    (Gl::Trunc, Unary::Trunc32, Some(Unary::Trunc64)),
    (Gl::FAbs, Unary::FAbs32, Some(Unary::FAbs64)),
    (Gl::FSign, Unary::FSign32, Some(Unary::FSign64)),
    (Gl::Floor, Unary::Floor32, Some(Unary::Floor64)),
    (Gl::Ceil, Unary::Ceil32, Some(Unary::Ceil64)),
    (Gl::Fract, Unary::Fract32, Some(Unary::Fract64)),
    (Gl::Sqrt, Unary::Sqrt32, Some(Unary::Sqrt64)),
    (Gl::InverseSqrt, Unary::InverseSqrt32, Some(Unary::InverseSqrt64)),
    (Gl::Sin, Unary::Sin, None),
    (Gl::Cos, Unary::Cos, None),
    (Gl::Tan, Unary::Tan, None),
    (Gl::Asin, Unary::Asin, None),
    (Gl::Acos, Unary::Acos, None),
    (Gl::Atan, Unary::Atan, None),
    (Gl::Sinh, Unary::Sinh, None),
    (Gl::Cosh, Unary::Cosh, None),
    (Gl::Tanh, Unary::Tanh, None),
    (Gl::Asinh, Unary::Asinh, None),
    (Gl::Acosh, Unary::Acosh, None),
    (Gl::Atanh, Unary::Atanh, None),
    (Gl::Exp, Unary::Exp, None),
    (Gl::Log, Unary::Log, None),
    (Gl::Exp2, Unary::Exp2, None),
    (Gl::Log2, Unary::Log2, None),
];

/// Float operations of two operands.
const BINARY: &[(Gl, Binary, Option<Binary>)] = &[
    (Gl::FMin, Binary::FMin32, Some(Binary::FMin64)),
    (Gl::NMin, Binary::FMin32, Some(Binary::FMin64)),
    (Gl::FMax, Binary::FMax32, Some(Binary::FMax64)),
    (Gl::NMax, Binary::FMax32, Some(Binary::FMax64)),
    (Gl::Step, Binary::Step32, Some(Binary::Step64)),
    (Gl::Pow, Binary::Pow, None),
    (Gl::Atan2, Binary::Atan2, None),
];

/// Integer operations of two operands: 32 bits, 64 bits, signed.
const INTEGER: &[(Gl, Binary, Binary, bool)] = &[
    (Gl::UMin, Binary::UMin, Binary::UMin, false),
    (Gl::UMax, Binary::UMax, Binary::UMax, false),
    (Gl::SMin, Binary::SMin32, Binary::SMin64, true),
    (Gl::SMax, Binary::SMax32, Binary::SMax64, true),
];

/// Packing: bits of each component, floats to bits and back.
const PACK: &[(Gl, Gl, u32, Unary, Unary)] = &[
    (Gl::PackSnorm4x8, Gl::UnpackSnorm4x8, 8, Unary::PackSnorm8, Unary::UnpackSnorm8),
    (Gl::PackUnorm4x8, Gl::UnpackUnorm4x8, 8, Unary::PackUnorm8, Unary::UnpackUnorm8),
    (Gl::PackSnorm2x16, Gl::UnpackSnorm2x16, 16, Unary::PackSnorm16, Unary::UnpackSnorm16),
    (Gl::PackUnorm2x16, Gl::UnpackUnorm2x16, 16, Unary::PackUnorm16, Unary::UnpackUnorm16),
    (Gl::PackHalf2x16, Gl::UnpackHalf2x16, 16, Unary::F32To16, Unary::F16To32),
];

/// A float computation in one precision: the operations by short names, over single or double rows.
struct Floats<'t, 'm> {
    t: &'t mut Translator<'m>,
    wide: bool,
}

impl Floats<'_, '_> {
    fn binary(&mut self, narrow: Binary, wide: Binary, a: Row, b: Row, n: u32) -> Result<Row> {
        self.t.binary(if self.wide { wide } else { narrow }, a, b, n)
    }
    fn mul(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FMul32, Binary::FMul64, a, b, n)
    }
    fn add(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FAdd32, Binary::FAdd64, a, b, n)
    }
    fn sub(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FSub32, Binary::FSub64, a, b, n)
    }
    fn div(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FDiv32, Binary::FDiv64, a, b, n)
    }
    fn min(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FMin32, Binary::FMin64, a, b, n)
    }
    fn max(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        self.binary(Binary::FMax32, Binary::FMax64, a, b, n)
    }
    fn less(&mut self, a: Row, b: Row) -> Result<Row> {
        self.binary(Binary::FLess32, Binary::FLess64, a, b, 1)
    }
    fn neg(&mut self, a: Row, n: u32) -> Result<Row> {
        self.t.unary(if self.wide { Unary::FNeg64 } else { Unary::FNeg32 }, a, n)
    }
    fn sqrt(&mut self, a: Row) -> Result<Row> {
        self.t.unary(if self.wide { Unary::Sqrt64 } else { Unary::Sqrt32 }, a, 1)
    }
    fn number(&mut self, value: f64, n: u32) -> Result<Row> {
        let bits = if self.wide { value.to_bits() } else { u64::from((value as f32).to_bits()) };
        self.t.splat(bits, n)
    }
    fn dot(&mut self, a: Row, b: Row, n: u32) -> Result<Row> {
        let products = self.mul(a, b, n)?;
        self.t.fold(if self.wide { Binary::FAdd64 } else { Binary::FAdd32 }, products, n)
    }
    /// Returns `n` copies of a row.
    fn spread(&mut self, row: Row, n: u32) -> Result<Row> {
        if n == 1 {
            return Ok(row);
        }
        let out = self.t.rows(n)?;
        for i in 0..n {
            self.t.copy(out + i, row, 1);
        }
        Ok(out)
    }
    fn scale(&mut self, a: Row, n: u32, by: Row) -> Result<Row> {
        let by = self.spread(by, n)?;
        self.mul(a, by, n)
    }
    fn select(&mut self, condition: Row, a: Row, b: Row, n: u32) -> Result<Row> {
        let condition = self.spread(condition, n)?;
        self.t.ternary(Ternary::Select, [condition, a, b], n)
    }
}

impl<'m> Translator<'m> {
    pub(super) fn extended(&mut self, inst: &Inst, w: &[u32]) -> Result<()> {
        let (&[set, number], args) = w.split_at_checked(2).map_or((&[0, 0], w), |(h, a)| {
            let head: &[u32; 2] = h.try_into().unwrap_or(&[0, 0]);
            (head, a)
        });
        let name = self.m.imports.get(&set).map(String::as_str).unwrap_or("");
        if name == "NonSemantic.DebugPrintf" {
            return self.print(number, args);
        }
        if name.starts_with("NonSemantic.") || name.starts_with("OpenCL.DebugInfo") || name == "DebugInfo" {
            return Ok(());
        }
        if name != "GLSL.std.450" {
            return Err(format!("the instruction set {name:?} is not supported"));
        }
        let op = Gl::from_u32(number).ok_or_else(|| format!("GLSL.std.450 has no instruction {number}"))?;
        if self.pack(op, inst, args)? || self.integers(op, inst, args)? {
            return Ok(());
        }
        self.floats(op, inst, args)
    }

    fn integers(&mut self, op: Gl, inst: &Inst, args: &[Id]) -> Result<bool> {
        let arg = |i: usize| args.get(i).copied().unwrap_or(0);
        let pair = |t: &mut Self, narrow, wide, signed: bool, a: Value, b: Value, width| -> Result<Row> {
            let x = t.integer_in(a.row, a.n, width, signed)?;
            let y = t.integer_in(b.row, a.n, width, signed)?;
            let row = t.binary(if width == 64 { wide } else { narrow }, x, y, a.n)?;
            t.cut(row, a.n, width)
        };
        if let Some(&(_, narrow, wide, signed)) = INTEGER.iter().find(|r| r.0 == op) {
            let (a, b) = (self.value(arg(0))?, self.value(arg(1))?);
            let row = pair(self, narrow, wide, signed, a, b, self.width_of(arg(0))?.0)?;
            self.define(inst, row, a.n);
            return Ok(true);
        }
        match op {
            Gl::UClamp | Gl::SClamp => {
                let (a, low, high) = (self.value(arg(0))?, self.value(arg(1))?, self.value(arg(2))?);
                let width = self.width_of(arg(0))?.0;
                let signed = op == Gl::SClamp;
                let ((max32, max64), (min32, min64)) = match signed {
                    true => ((Binary::SMax32, Binary::SMax64), (Binary::SMin32, Binary::SMin64)),
                    false => ((Binary::UMax, Binary::UMax), (Binary::UMin, Binary::UMin)),
                };
                let row = pair(self, max32, max64, signed, a, low, width)?;
                let row = pair(self, min32, min64, signed, Value { row, n: a.n }, high, width)?;
                self.define(inst, row, a.n);
            }
            Gl::SAbs | Gl::SSign | Gl::FindILsb | Gl::FindSMsb | Gl::FindUMsb => {
                let a = self.value(arg(0))?;
                let width = self.width_of(arg(0))?.0;
                let signed = matches!(op, Gl::SAbs | Gl::SSign | Gl::FindSMsb);
                let row = self.integer_in(a.row, a.n, width, signed)?;
                let unary = match (op, width == 64) {
                    (Gl::SAbs, false) => Unary::SAbs32,
                    (Gl::SAbs, true) => Unary::SAbs64,
                    (Gl::SSign, false) => Unary::SSign32,
                    (Gl::SSign, true) => Unary::SSign64,
                    (Gl::FindILsb, false) => Unary::FindLsb32,
                    (Gl::FindILsb, true) => Unary::FindLsb64,
                    (Gl::FindSMsb, false) => Unary::FindMsbS32,
                    (Gl::FindSMsb, true) => Unary::FindMsbS64,
                    (_, false) => Unary::FindMsbU32,
                    _ => Unary::FindMsbU64,
                };
                let row = self.unary(unary, row, a.n)?;
                let row = self.cut(row, a.n, self.width(inst.ty)?.0)?;
                self.define(inst, row, a.n);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn pack(&mut self, op: Gl, inst: &Inst, args: &[Id]) -> Result<bool> {
        let Some(&(pack, _, bits, to_bits, from_bits)) = PACK.iter().find(|r| r.0 == op || r.1 == op) else {
            return Ok(false);
        };
        let value = self.value(args.first().copied().unwrap_or(0))?;
        let parts = 32 / bits;
        if op == pack {
            if value.n != parts {
                return Err(format!("{op:?} has an operand of another size"));
            }
            let packed = self.unary(to_bits, value.row, parts)?;
            let mut whole = packed;
            for i in 1..parts {
                let shift = self.constant(u64::from(i * bits))?;
                let part = self.binary(Binary::Shl32, packed + i, shift, 1)?;
                whole = self.binary(Binary::Or, whole, part, 1)?;
            }
            self.define(inst, whole, 1);
        } else {
            let shifted = self.rows(parts)?;
            for i in 0..parts {
                let shift = self.constant(u64::from(i * bits))?;
                let part = self.binary(Binary::Shr32, value.row, shift, 1)?;
                self.copy(shifted + i, part, 1);
            }
            let row = self.unary(from_bits, shifted, parts)?;
            self.define(inst, row, parts);
        }
        Ok(true)
    }

    fn floats(&mut self, op: Gl, inst: &Inst, args: &[Id]) -> Result<()> {
        let arg = |i: usize| args.get(i).copied().unwrap_or(0);
        let width = self.width_of(arg(0))?.0;
        let n = self.value(arg(0))?.n;
        // Every float operand in single or double; others unchanged.
        let mut x: [Row; 3] = [0; 3];
        let mut wide = false;
        for (slot, id) in x.iter_mut().zip(args) {
            if self.locals.contains_key(id) {
                continue;
            }
            let value = self.value(*id)?;
            *slot = value.row;
            if self.is_float(self.m.type_of(*id)) {
                (*slot, wide) = self.float_in(value.row, value.n, width)?;
            }
        }
        let [a, b, c] = x;
        let missing = || format!("GLSL.std.450 {op:?} of {width} bits is not supported");
        if let Some((_, narrow, double)) = UNARY.iter().find(|r| r.0 == op) {
            let unary = if wide { double.ok_or_else(missing)? } else { *narrow };
            let row = self.unary(unary, a, n)?;
            return self.finish(inst, row, n, width);
        }
        if let Some((_, narrow, double)) = BINARY.iter().find(|r| r.0 == op) {
            let binary = if wide { double.ok_or_else(missing)? } else { *narrow };
            let row = self.binary(binary, a, b, n)?;
            return self.finish(inst, row, n, width);
        }
        let exact = self.m.decoration(inst.result, None, Decoration::NoContraction).is_some();
        let mut f = Floats { t: self, wide };
        let (row, n) = match op {
            Gl::Radians | Gl::Degrees => {
                let one = std::f64::consts::PI / 180.0;
                let by = f.number(if op == Gl::Radians { one } else { 1.0 / one }, n)?;
                (f.mul(a, by, n)?, n)
            }
            Gl::FClamp | Gl::NClamp => {
                let low = f.max(a, b, n)?;
                (f.min(low, c, n)?, n)
            }
            Gl::FMix => {
                // x * (1 - a) + y * a
                let one = f.number(1.0, n)?;
                let rest = f.sub(one, c, n)?;
                let (x, y) = (f.mul(a, rest, n)?, f.mul(b, c, n)?);
                (f.add(x, y, n)?, n)
            }
            Gl::SmoothStep => {
                let (over, span) = (f.sub(c, a, n)?, f.sub(b, a, n)?);
                let t = f.div(over, span, n)?;
                let (zero, one) = (f.number(0.0, n)?, f.number(1.0, n)?);
                let t = f.max(t, zero, n)?;
                let t = f.min(t, one, n)?;
                let (two, three) = (f.number(2.0, n)?, f.number(3.0, n)?);
                let double = f.mul(two, t, n)?;
                let slope = f.sub(three, double, n)?;
                let square = f.mul(t, t, n)?;
                (f.mul(square, slope, n)?, n)
            }
            // Compilers contract products and sums to this one if they may also round twice (SPIR-V 1.6, NoContraction).
            Gl::Fma if !wide && !exact => {
                let product = f.mul(a, b, n)?;
                (f.add(product, c, n)?, n)
            }
            Gl::Fma => (f.t.ternary(if wide { Ternary::Fma64 } else { Ternary::Fma32 }, [a, b, c], n)?, n),
            Gl::Ldexp => (f.t.binary(if wide { Binary::Ldexp64 } else { Binary::Ldexp32 }, a, b, n)?, n),
            Gl::Length => {
                let square = f.dot(a, a, n)?;
                (f.sqrt(square)?, 1)
            }
            Gl::Distance => {
                let difference = f.sub(a, b, n)?;
                let square = f.dot(difference, difference, n)?;
                (f.sqrt(square)?, 1)
            }
            Gl::Normalize => {
                let square = f.dot(a, a, n)?;
                let length = f.sqrt(square)?;
                let length = f.spread(length, n)?;
                (f.div(a, length, n)?, n)
            }
            Gl::Cross if n == 3 => {
                let out = f.t.rows(3)?;
                for (i, (j, k)) in [(1, 2), (2, 0), (0, 1)].into_iter().enumerate() {
                    let (x, y) = (f.mul(a + j, b + k, 1)?, f.mul(a + k, b + j, 1)?);
                    let component = f.sub(x, y, 1)?;
                    f.t.copy(out + i as u32, component, 1);
                }
                (out, 3)
            }
            Gl::FaceForward => {
                let zero = f.number(0.0, 1)?;
                let dot = f.dot(c, b, n)?;
                let front = f.less(dot, zero)?;
                let back = f.neg(a, n)?;
                (f.select(front, a, back, n)?, n)
            }
            Gl::Reflect => {
                let two = f.number(2.0, 1)?;
                let dot = f.dot(b, a, n)?;
                let double = f.mul(two, dot, 1)?;
                let along = f.scale(b, n, double)?;
                (f.sub(a, along, n)?, n)
            }
            Gl::Refract => {
                // k = 1 - eta^2 (1 - dot(N, I)^2); k < 0 ? 0 : eta I - (eta dot(N, I) + sqrt(k)) N
                let (zero, one) = (f.number(0.0, 1)?, f.number(1.0, 1)?);
                let dot = f.dot(b, a, n)?;
                let square = f.mul(dot, dot, 1)?;
                let rest = f.sub(one, square, 1)?;
                let eta2 = f.mul(c, c, 1)?;
                let part = f.mul(eta2, rest, 1)?;
                let k = f.sub(one, part, 1)?;
                let total = f.less(k, zero)?;
                let root = f.sqrt(k)?;
                let bent = f.mul(c, dot, 1)?;
                let factor = f.add(bent, root, 1)?;
                let (x, y) = (f.scale(a, n, c)?, f.scale(b, n, factor)?);
                let result = f.sub(x, y, n)?;
                let none = f.number(0.0, n)?;
                (f.select(total, none, result, n)?, n)
            }
            Gl::Modf | Gl::ModfStruct | Gl::Frexp | Gl::FrexpStruct => return self.split(op, inst, args, a, n, width),
            Gl::Determinant => {
                let size = (1..=4).find(|s| s * s == n).ok_or("Determinant of a matrix that is not square")?;
                let all: Vec<u32> = (0..size).collect();
                (f.minor(a, size, &all, &all)?, 1)
            }
            Gl::MatrixInverse => {
                let size = (2..=4).find(|s| s * s == n).ok_or("MatrixInverse of a matrix that is not square")?;
                let all: Vec<u32> = (0..size).collect();
                let determinant = f.minor(a, size, &all, &all)?;
                let out = f.t.rows(n)?;
                for column in 0..size {
                    for line in 0..size {
                        // The adjugate is the transpose of the cofactors.
                        let without = |skip: u32| (0..size).filter(|&i| i != skip).collect::<Vec<_>>();
                        let mut cofactor = f.minor(a, size, &without(line), &without(column))?;
                        if (line + column) % 2 == 1 {
                            cofactor = f.neg(cofactor, 1)?;
                        }
                        let entry = f.div(cofactor, determinant, 1)?;
                        f.t.copy(out + column * size + line, entry, 1);
                    }
                }
                (out, n)
            }
            _ => return Err(missing()),
        };
        self.finish(inst, row, n, width)
    }

    fn finish(&mut self, inst: &Inst, row: Row, n: u32, width: u32) -> Result<()> {
        let row = self.float_out(row, n, width)?;
        self.define(inst, row, n);
        Ok(())
    }

    /// Translates Modf and Frexp: two results, by pointer or as a structure.
    fn split(&mut self, op: Gl, inst: &Inst, args: &[Id], a: Row, n: u32, width: u32) -> Result<()> {
        let wide = width == 64;
        let (first, second) = if matches!(op, Gl::Modf | Gl::ModfStruct) {
            let whole = self.unary(if wide { Unary::Trunc64 } else { Unary::Trunc32 }, a, n)?;
            let rest = self.binary(if wide { Binary::FSub64 } else { Binary::FSub32 }, a, whole, n)?;
            (self.float_out(rest, n, width)?, self.float_out(whole, n, width)?)
        } else {
            let mantissa = self.unary(if wide { Unary::FrexpMantissa64 } else { Unary::FrexpMantissa32 }, a, n)?;
            let exponent = self.unary(if wide { Unary::FrexpExponent64 } else { Unary::FrexpExponent32 }, a, n)?;
            (self.float_out(mantissa, n, width)?, exponent)
        };
        if matches!(op, Gl::Modf | Gl::Frexp) {
            let pointer = args.get(1).copied().unwrap_or(0);
            let ty = self.pointee_of(pointer)?;
            self.store(pointer, ty, Value { row: second, n })?;
            self.define(inst, first, n);
        } else {
            let row = self.rows(2 * n)?;
            self.copy(row, first, n);
            self.copy(row + n, second, n);
            self.define(inst, row, 2 * n);
        }
        Ok(())
    }
}

impl Floats<'_, '_> {
    /// Computes the determinant of the given columns and lines, expanded along the first column.
    fn minor(&mut self, matrix: Row, size: u32, columns: &[u32], lines: &[u32]) -> Result<Row> {
        let Some((&column, rest)) = columns.split_first() else { return self.number(1.0, 1) };
        if let [line] = lines {
            return Ok(matrix + column * size + line);
        }
        let mut sum = None;
        for (i, &line) in lines.iter().enumerate() {
            let others: Vec<u32> = lines.iter().copied().filter(|&l| l != line).collect();
            let inner = self.minor(matrix, size, rest, &others)?;
            let term = self.mul(matrix + column * size + line, inner, 1)?;
            sum = Some(match sum {
                None => term,
                Some(sum) if i % 2 == 1 => self.sub(sum, term, 1)?,
                Some(sum) => self.add(sum, term, 1)?,
            });
        }
        sum.map_or_else(|| self.number(0.0, 1), Ok)
    }
}
