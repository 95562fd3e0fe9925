//! The arithmetic of the CPU device: one row per operation, and loops over lanes.
//!
//! Operations see 64-bit registers. Integers of 8 and 16 bits are computed in 32 (the translator extends and cuts);
//! half floats are computed in single precision and rounded. Basic floating-point operations are IEEE's; transcendental
//! ones are the platform's libm.

use crate::cpu::mask::Mask;
use half::f16;
use std::cell::Cell;

fn f(x: u64) -> f32 {
    f32::from_bits(x as u32)
}
fn wide(x: u64) -> f64 {
    f64::from(f(x))
}
fn d(x: u64) -> f64 {
    f64::from_bits(x)
}
fn s(x: u64) -> i32 {
    x as u32 as i32
}
fn l(x: u64) -> i64 {
    x as i64
}

/// Conversion of a result to a 64-bit register.
trait Register {
    fn register(self) -> u64;
}
macro_rules! register {
    ($($ty:ty => |$x:ident| $value:expr;)*) => { $(impl Register for $ty { fn register(self) -> u64 { let $x = self; $value } })* };
}
register! {
    u32 => |x| u64::from(x);
    i32 => |x| u64::from(x as u32);
    u64 => |x| x;
    i64 => |x| x as u64;
    bool => |x| u64::from(x);
    f32 => |x| u64::from(x.to_bits());
    f64 => |x| x.to_bits();
    u16 => |x| u64::from(x);
    u8 => |x| u64::from(x);
}

/// The executing lanes, and whether they are all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    pub mask: Mask,
    pub full: bool,
}

/// The register rows: a slice of cells, since operands may alias.
#[derive(Clone, Copy)]
pub struct Rows<'r> {
    pub cells: &'r [Cell<u64>],
    pub lanes: usize,
}

impl<'r> Rows<'r> {
    pub fn new(registers: &'r mut [u64], lanes: usize) -> Self {
        Rows { cells: Cell::from_mut(registers).as_slice_of_cells(), lanes }
    }

    /// Returns `n` rows from `row` on.
    pub fn rows(self, row: u32, n: u32) -> &'r [Cell<u64>] {
        let start = row as usize * self.lanes;
        self.cells.get(start..start + n as usize * self.lanes).unwrap_or(&[])
    }

    pub fn get(self, row: u32, lane: usize) -> u64 {
        self.cells.get(row as usize * self.lanes + lane).map_or(0, Cell::get)
    }

    pub fn set(self, row: u32, lane: usize, value: u64) {
        if let Some(cell) = self.cells.get(row as usize * self.lanes + lane) {
            cell.set(value);
        }
    }

    #[inline(always)]
    pub fn map1(self, active: &Active, dst: u32, a: u32, n: u32, op: impl Fn(u64) -> u64) {
        let (dst, a) = (self.rows(dst, n), self.rows(a, n));
        if active.full {
            for (dst, a) in dst.iter().zip(a) {
                dst.set(op(a.get()));
            }
        } else {
            for (dst, a) in dst.chunks_exact(self.lanes).zip(a.chunks_exact(self.lanes)) {
                for lane in active.mask.lanes() {
                    if let (Some(dst), Some(a)) = (dst.get(lane), a.get(lane)) {
                        dst.set(op(a.get()));
                    }
                }
            }
        }
    }

    #[inline(always)]
    pub fn map2(self, active: &Active, dst: u32, a: u32, b: u32, n: u32, op: impl Fn(u64, u64) -> u64) {
        let (dst, a, b) = (self.rows(dst, n), self.rows(a, n), self.rows(b, n));
        if active.full {
            for ((dst, a), b) in dst.iter().zip(a).zip(b) {
                dst.set(op(a.get(), b.get()));
            }
        } else {
            let w = self.lanes;
            for ((dst, a), b) in dst.chunks_exact(w).zip(a.chunks_exact(w)).zip(b.chunks_exact(w)) {
                for lane in active.mask.lanes() {
                    if let (Some(dst), Some(a), Some(b)) = (dst.get(lane), a.get(lane), b.get(lane)) {
                        dst.set(op(a.get(), b.get()));
                    }
                }
            }
        }
    }

    #[inline(always)]
    pub fn map3(self, active: &Active, [dst, a, b, c]: [u32; 4], n: u32, op: impl Fn(u64, u64, u64) -> u64) {
        for i in 0..n {
            let (dst, a, b, c) = (self.rows(dst + i, 1), self.rows(a + i, 1), self.rows(b + i, 1), self.rows(c + i, 1));
            if active.full {
                for (((dst, a), b), c) in dst.iter().zip(a).zip(b).zip(c) {
                    dst.set(op(a.get(), b.get(), c.get()));
                }
            } else {
                for lane in active.mask.lanes() {
                    if let (Some(dst), Some(a), Some(b), Some(c)) =
                        (dst.get(lane), a.get(lane), b.get(lane), c.get(lane))
                    {
                        dst.set(op(a.get(), b.get(), c.get()));
                    }
                }
            }
        }
    }
}

macro_rules! operations {
    ($(#[$doc:meta])* unary $enum:ident, $run:ident { $($name:ident = |$x:ident| $body:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum { $($name),* }

        pub fn $run(op: $enum, rows: Rows<'_>, active: &Active, dst: u32, a: u32, n: u32) {
            match op { $($enum::$name => rows.map1(active, dst, a, n, |$x| Register::register($body)),)* }
        }
    };
    ($(#[$doc:meta])* binary $enum:ident, $run:ident, $one:ident { $($name:ident = |$x:ident, $y:ident| $body:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum { $($name),* }

        pub fn $run(op: $enum, rows: Rows<'_>, active: &Active, [dst, a, b]: [u32; 3], n: u32) {
            match op { $($enum::$name => rows.map2(active, dst, a, b, n, |$x, $y| Register::register($body)),)* }
        }

        /// The operation on one pair of registers.
        pub fn $one(op: $enum, a: u64, b: u64) -> u64 {
            match op { $($enum::$name => { let ($x, $y) = (a, b); Register::register($body) })* }
        }
    };
    ($(#[$doc:meta])* ternary $enum:ident, $run:ident { $($name:ident = |$x:ident, $y:ident, $z:ident| $body:expr;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $enum { $($name),* }

        pub fn $run(op: $enum, rows: Rows<'_>, active: &Active, operands: [u32; 4], n: u32) {
            match op { $($enum::$name => rows.map3(active, operands, n, |$x, $y, $z| Register::register($body)),)* }
        }
    };
}

operations! {
    /// Operations of one operand.
    unary Unary, unary {
        Neg32 = |x| s(x).wrapping_neg();
        Neg64 = |x| x.wrapping_neg();
        Not32 = |x| !(x as u32);
        Not64 = |x| !x;
        Not = |x| x ^ 1;
        NonZero = |x| x != 0;
        FNeg32 = |x| (x as u32) ^ 0x8000_0000;
        FNeg64 = |x| x ^ (1 << 63);
        FNeg16 = |x| (x as u16) ^ 0x8000;
        FAbs32 = |x| (x as u32) & 0x7fff_ffff;
        FAbs64 = |x| x & !(1 << 63);
        FAbs16 = |x| (x as u16) & 0x7fff;
        BitCount = |x| x.count_ones();
        BitReverse32 = |x| (x as u32).reverse_bits();
        BitReverse64 = |x| x.reverse_bits();
        // Width changes. Registers hold numbers zero-extended from their width.
        SExt8To32 = |x| i32::from(x as u8 as i8);
        SExt16To32 = |x| i32::from(x as u16 as i16);
        SExt32To64 = |x| i64::from(s(x));
        Cut8 = |x| x as u8;
        Cut16 = |x| x as u16;
        Cut32 = |x| x as u32;
        SToF32 = |x| l(x) as f32;
        UToF32 = |x| x as f32;
        SToF64 = |x| l(x) as f64;
        UToF64 = |x| x as f64;
        F16To32 = |x| f16::from_bits(x as u16).to_f32();
        F32To16 = |x| f16::from_f32(f(x)).to_bits();
        F64To16 = |x| f16::from_f64(d(x)).to_bits();
        F32To64 = |x| f64::from(f(x));
        F64To32 = |x| d(x) as f32;
        // Saturating; not-a-number gives 0.
        F64ToS64 = |x| d(x) as i64;
        F64ToU64 = |x| d(x) as u64;
        F64ToS32 = |x| d(x) as i32;
        F64ToU32 = |x| d(x) as u32;
        F64ToS16 = |x| d(x) as i16 as u16;
        F64ToU16 = |x| d(x) as u16;
        F64ToS8 = |x| d(x) as i8 as u8;
        F64ToU8 = |x| d(x) as u8;
        Quantize16 = |x| quantize(f(x));
        IsNan32 = |x| f(x).is_nan();
        IsNan64 = |x| d(x).is_nan();
        IsInf32 = |x| f(x).is_infinite();
        IsInf64 = |x| d(x).is_infinite();
        RoundEven32 = |x| f(x).round_ties_even();
        RoundEven64 = |x| d(x).round_ties_even();
        Trunc32 = |x| f(x).trunc();
        Trunc64 = |x| d(x).trunc();
        Floor32 = |x| f(x).floor();
        Floor64 = |x| d(x).floor();
        Ceil32 = |x| f(x).ceil();
        Ceil64 = |x| d(x).ceil();
        Fract32 = |x| f(x) - f(x).floor();
        Fract64 = |x| d(x) - d(x).floor();
        FSign32 = |x| if f(x) > 0.0 { 1.0 } else if f(x) < 0.0 { -1.0 } else { 0.0f32 };
        FSign64 = |x| if d(x) > 0.0 { 1.0 } else if d(x) < 0.0 { -1.0 } else { 0.0f64 };
        SAbs32 = |x| s(x).wrapping_abs();
        SAbs64 = |x| l(x).wrapping_abs();
        SSign32 = |x| s(x).signum();
        SSign64 = |x| l(x).signum();
        Sqrt32 = |x| f(x).sqrt();
        Sqrt64 = |x| d(x).sqrt();
        InverseSqrt32 = |x| (1.0 / wide(x).sqrt()) as f32;
        InverseSqrt64 = |x| 1.0 / d(x).sqrt();
        // Rounded once, like the constants that the optimiser computes.
        Sin = |x| wide(x).sin() as f32;
        Cos = |x| wide(x).cos() as f32;
        Tan = |x| wide(x).tan() as f32;
        Asin = |x| wide(x).asin() as f32;
        Acos = |x| wide(x).acos() as f32;
        Atan = |x| wide(x).atan() as f32;
        Sinh = |x| wide(x).sinh() as f32;
        Cosh = |x| wide(x).cosh() as f32;
        Tanh = |x| wide(x).tanh() as f32;
        Asinh = |x| f(x).asinh();
        Acosh = |x| f(x).acosh();
        Atanh = |x| f(x).atanh();
        Exp = |x| wide(x).exp() as f32;
        Log = |x| wide(x).ln() as f32;
        Exp2 = |x| wide(x).exp2() as f32;
        Log2 = |x| wide(x).log2() as f32;
        FindLsb32 = |x| if x as u32 == 0 { u32::MAX } else { (x as u32).trailing_zeros() };
        FindMsbU32 = |x| 31i32 - (x as u32).leading_zeros() as i32;
        FindMsbS32 = |x| 31i32 - (if s(x) < 0 { !(x as u32) } else { x as u32 }).leading_zeros() as i32;
        FindLsb64 = |x| if x == 0 { u32::MAX } else { x.trailing_zeros() };
        FindMsbU64 = |x| 63i32 - x.leading_zeros() as i32;
        FindMsbS64 = |x| 63i32 - (if l(x) < 0 { !x } else { x }).leading_zeros() as i32;
        FrexpMantissa32 = |x| frexp(wide(x)).0 as f32;
        FrexpExponent32 = |x| frexp(wide(x)).1;
        FrexpMantissa64 = |x| frexp(d(x)).0;
        FrexpExponent64 = |x| frexp(d(x)).1;
        PackUnorm8 = |x| (f(x).clamp(0.0, 1.0) * 255.0).round_ties_even() as u32;
        PackSnorm8 = |x| ((f(x).clamp(-1.0, 1.0) * 127.0).round_ties_even() as i32 as u32) & 0xff;
        PackUnorm16 = |x| (f(x).clamp(0.0, 1.0) * 65535.0).round_ties_even() as u32;
        PackSnorm16 = |x| ((f(x).clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i32 as u32) & 0xffff;
        UnpackUnorm8 = |x| f32::from(x as u8) / 255.0;
        UnpackSnorm8 = |x| (f32::from(x as u8 as i8) / 127.0).clamp(-1.0, 1.0);
        UnpackUnorm16 = |x| f32::from(x as u16) / 65535.0;
        UnpackSnorm16 = |x| (f32::from(x as u16 as i16) / 32767.0).clamp(-1.0, 1.0);
    }
}

operations! {
    /// Operations of two operands. Comparisons with more than their name's operands swapped are not repeated.
    binary Binary, binary, binary_one {
        Add32 = |x, y| (x as u32).wrapping_add(y as u32);
        Add64 = |x, y| x.wrapping_add(y);
        Sub32 = |x, y| (x as u32).wrapping_sub(y as u32);
        Sub64 = |x, y| x.wrapping_sub(y);
        Mul32 = |x, y| (x as u32).wrapping_mul(y as u32);
        Mul64 = |x, y| x.wrapping_mul(y);
        MulHighU32 = |x, y| (x.wrapping_mul(y) >> 32) as u32;
        MulHighS32 = |x, y| ((i64::from(s(x)) * i64::from(s(y))) >> 32) as i32;
        MulHighU64 = |x, y| ((u128::from(x) * u128::from(y)) >> 64) as u64;
        MulHighS64 = |x, y| ((i128::from(l(x)) * i128::from(l(y))) >> 64) as i64;
        Carry32 = |x, y| x.wrapping_add(y) >> 32;
        Carry64 = |x, y| x.checked_add(y).is_none();
        // Division by zero is undefined: all ones, as hardware does.
        UDiv32 = |x, y| (x as u32).checked_div(y as u32).unwrap_or(u32::MAX);
        UDiv64 = |x, y| x.checked_div(y).unwrap_or(u64::MAX);
        SDiv32 = |x, y| if s(y) == 0 { -1 } else { s(x).wrapping_div(s(y)) };
        SDiv64 = |x, y| if y == 0 { -1 } else { l(x).wrapping_div(l(y)) };
        UMod32 = |x, y| (x as u32).checked_rem(y as u32).unwrap_or(u32::MAX);
        UMod64 = |x, y| x.checked_rem(y).unwrap_or(u64::MAX);
        SRem32 = |x, y| if s(y) == 0 { -1 } else { s(x).wrapping_rem(s(y)) };
        SRem64 = |x, y| if y == 0 { -1 } else { l(x).wrapping_rem(l(y)) };
        SMod32 = |x, y| modulo(i64::from(s(x)), i64::from(s(y))) as i32;
        SMod64 = |x, y| modulo(l(x), l(y));
        // Shifts by more than the width are undefined: hardware takes the low bits.
        Shl32 = |x, y| (x as u32).wrapping_shl(y as u32);
        Shl64 = |x, y| x.wrapping_shl(y as u32);
        Shr32 = |x, y| (x as u32).wrapping_shr(y as u32);
        Shr64 = |x, y| x.wrapping_shr(y as u32);
        Sar32 = |x, y| s(x).wrapping_shr(y as u32);
        Sar64 = |x, y| l(x).wrapping_shr(y as u32);
        And = |x, y| x & y;
        Or = |x, y| x | y;
        Xor = |x, y| x ^ y;
        Equal = |x, y| x == y;
        NotEqual = |x, y| x != y;
        ULess = |x, y| x < y;
        ULessEqual = |x, y| x <= y;
        SLess32 = |x, y| s(x) < s(y);
        SLessEqual32 = |x, y| s(x) <= s(y);
        SLess64 = |x, y| l(x) < l(y);
        SLessEqual64 = |x, y| l(x) <= l(y);
        UMin = |x, y| x.min(y);
        UMax = |x, y| x.max(y);
        SMin32 = |x, y| s(x).min(s(y));
        SMax32 = |x, y| s(x).max(s(y));
        SMin64 = |x, y| l(x).min(l(y));
        SMax64 = |x, y| l(x).max(l(y));
        FAdd32 = |x, y| f(x) + f(y);
        FAdd64 = |x, y| d(x) + d(y);
        FSub32 = |x, y| f(x) - f(y);
        FSub64 = |x, y| d(x) - d(y);
        FMul32 = |x, y| f(x) * f(y);
        FMul64 = |x, y| d(x) * d(y);
        FDiv32 = |x, y| f(x) / f(y);
        FDiv64 = |x, y| d(x) / d(y);
        FRem32 = |x, y| f(x) % f(y);
        FRem64 = |x, y| d(x) % d(y);
        // OpFMod: the result has the sign of the divisor.
        FMod32 = |x, y| f(x) - f(y) * (f(x) / f(y)).floor();
        FMod64 = |x, y| d(x) - d(y) * (d(x) / d(y)).floor();
        FEqual32 = |x, y| f(x) == f(y);
        FEqual64 = |x, y| d(x) == d(y);
        FLess32 = |x, y| f(x) < f(y);
        FLess64 = |x, y| d(x) < d(y);
        FLessEqual32 = |x, y| f(x) <= f(y);
        FLessEqual64 = |x, y| d(x) <= d(y);
        Unordered32 = |x, y| f(x).is_nan() || f(y).is_nan();
        Unordered64 = |x, y| d(x).is_nan() || d(y).is_nan();
        // A number wins over not-a-number, as NMin and NMax require and FMin and FMax allow.
        FMin32 = |x, y| f(x).min(f(y));
        FMin64 = |x, y| d(x).min(d(y));
        FMax32 = |x, y| f(x).max(f(y));
        FMax64 = |x, y| d(x).max(d(y));
        Step32 = |x, y| if f(y) < f(x) { 0.0 } else { 1.0f32 };
        Step64 = |x, y| if d(y) < d(x) { 0.0 } else { 1.0f64 };
        // exp2(y * log2(x)): of a negative number it is none.
        Pow = |x, y| if f(x) < 0.0 { f32::NAN } else { wide(x).powf(wide(y)) as f32 };
        Atan2 = |x, y| wide(x).atan2(wide(y)) as f32;
        Ldexp32 = |x, y| ldexp(wide(x), s(y)) as f32;
        Ldexp64 = |x, y| ldexp(d(x), s(y));
    }
}

operations! {
    /// Operations of three operands.
    ternary Ternary, ternary {
        Fma32 = |x, y, z| f(x).mul_add(f(y), f(z));
        Fma64 = |x, y, z| d(x).mul_add(d(y), d(z));
        Select = |x, y, z| if x != 0 { y } else { z };
        BitsU32 = |x, y, z| bits_u(x & 0xffff_ffff, y, z);
        BitsU64 = |x, y, z| bits_u(x, y, z);
        BitsS32 = |x, y, z| bits_s(x & 0xffff_ffff, y, z) as u32;
        BitsS64 = |x, y, z| bits_s(x, y, z);
    }
}

/// Extracts bits `offset .. offset + count`.
fn bits_u(x: u64, offset: u64, count: u64) -> u64 {
    let shifted = x.checked_shr(offset as u32).unwrap_or(0);
    if count >= 64 { shifted } else { shifted & ((1 << count) - 1) }
}

fn bits_s(x: u64, offset: u64, count: u64) -> u64 {
    match count {
        0 => 0,
        64.. => bits_u(x, offset, count),
        _ => ((bits_u(x, offset, count) << (64 - count)) as i64 >> (64 - count)) as u64,
    }
}

fn modulo(x: i64, y: i64) -> i64 {
    match (y, x.wrapping_rem(if y == 0 { 1 } else { y })) {
        (0, _) => -1,
        (_, r) if r != 0 && (r < 0) != (y < 0) => r + y,
        (_, r) => r,
    }
}

/// Computes OpQuantizeToF16: to half and back, subnormals flushed.
fn quantize(x: f32) -> f32 {
    let half = f16::from_f32(x);
    if half.is_normal() || half.is_nan() || half.is_infinite() { half.to_f32() } else { 0f32.copysign(x) }
}

/// Returns the mantissa in [0.5, 1) and the exponent.
fn frexp(x: f64) -> (f64, i32) {
    if x == 0.0 || !x.is_finite() {
        return (x, 0);
    }
    // Subnormals are scaled first.
    let (scaled, bias) = if x.abs() < f64::MIN_POSITIVE { (x * 2f64.powi(64), 64) } else { (x, 0) };
    let bits = scaled.to_bits();
    let exponent = ((bits >> 52) & 0x7ff) as i32 - 1022;
    (f64::from_bits((bits & !(0x7ff << 52)) | (1022 << 52)), exponent - bias)
}

fn ldexp(x: f64, exponent: i32) -> f64 {
    // In two steps, so that results near the ends of the range neither vanish nor overflow too soon.
    let exponent = exponent.clamp(-2200, 2200);
    let half = exponent / 2;
    x * 2f64.powi(half) * 2f64.powi(exponent - half)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(op: Unary, x: u64) -> u64 {
        let mut registers = [x, 0];
        let active = Active { mask: Mask::first(1), full: true };
        unary(op, Rows::new(&mut registers, 1), &active, 1, 0, 1);
        registers[1]
    }

    #[test]
    fn integer_edges() {
        let m = |x: i32| u64::from(x as u32);
        assert_eq!(binary_one(Binary::SMod32, m(-7), m(3)), m(2));
        assert_eq!(binary_one(Binary::SRem32, m(-7), m(3)), m(-1));
        assert_eq!(binary_one(Binary::SMod32, m(7), m(-3)), m(-2));
        assert_eq!(binary_one(Binary::SDiv32, m(i32::MIN), m(-1)), m(i32::MIN));
        assert_eq!(binary_one(Binary::UDiv32, 5, 0), 0xffff_ffff);
        assert_eq!(binary_one(Binary::MulHighS32, m(-2), m(3)), m(-1));
        assert_eq!(binary_one(Binary::Carry32, 0xffff_ffff, 1), 1);
        assert_eq!(one(Unary::FindMsbS32, m(-1)), m(-1));
        assert_eq!(one(Unary::FindMsbU32, 0x8000), 15);
        assert_eq!(one(Unary::FindLsb32, 0), 0xffff_ffff);
        assert_eq!(bits_s(0b1110, 1, 3), u64::MAX);
        assert_eq!(bits_u(0xabcd, 4, 8), 0xbc);
    }

    #[test]
    fn masked_lanes_keep_their_registers() {
        let mut registers = [1, 2, 3, 4, 9, 9, 9, 9];
        let mask = Mask::first(4).filtered(|l| l != 2);
        unary(Unary::Neg64, Rows::new(&mut registers, 4), &Active { mask, full: false }, 1, 0, 1);
        assert_eq!(registers[4..], [-1i64 as u64, -2i64 as u64, 9, -4i64 as u64]);
    }

    #[test]
    fn float_edges() {
        assert_eq!(frexp(8.0), (0.5, 4));
        assert_eq!(frexp(-5e-324), (-0.5, -1073));
        assert_eq!(ldexp(0.5, -1073), 5e-324);
        assert_eq!(quantize(1.0e-6), 0.0);
        assert_eq!(one(Unary::F64ToU32, (-1.0f64).to_bits()), 0);
        assert_eq!(one(Unary::RoundEven32, u64::from(2.5f32.to_bits())), u64::from(2f32.to_bits()));
    }
}
