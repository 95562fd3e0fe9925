//! Arithmetic on scalar constants, exactly as SPIR-V and IEEE 754 define it. The result is `None` if it is not fully
//! defined.
//!
//! Half precision is left to the device. Operations without a fixed precision in SPIR-V (`exp`, `sin`, `pow`) have a
//! function of their own, [`rounded`]. Division is exact, since a correctly rounded quotient is always allowed.

use crate::function::{BinaryOp, MathOp, ScalarConst, UnaryOp};
use crate::types::Scalar;

/// A float as f64, which holds every f32 exactly.
#[derive(Clone, Copy)]
enum Float {
    F32(f32),
    F64(f64),
}

fn float(c: ScalarConst) -> Option<Float> {
    match c.ty {
        Scalar::F32 => Some(Float::F32(f32::from_bits(c.bits as u32))),
        Scalar::F64 => Some(Float::F64(f64::from_bits(c.bits))),
        _ => None,
    }
}

fn make32(x: f32) -> Option<ScalarConst> {
    Some(ScalarConst::f32(x))
}

fn make64(x: f64) -> Option<ScalarConst> {
    Some(ScalarConst { ty: Scalar::F64, bits: x.to_bits() })
}

/// Returns an integer result, wrapped to its type.
fn wrap(ty: Scalar, value: i128) -> Option<ScalarConst> {
    Some(ScalarConst::new(ty, value as u64))
}

/// Returns the integer's value with its sign.
fn integer(c: ScalarConst) -> i128 {
    if c.ty.is_signed() { i128::from(c.as_i64()) } else { i128::from(c.bits) }
}

pub(crate) fn unary(op: UnaryOp, a: ScalarConst) -> Option<ScalarConst> {
    match op {
        UnaryOp::Not => Some(ScalarConst::bool(a.bits == 0)),
        UnaryOp::BitNot => Some(ScalarConst::new(a.ty, !a.bits)),
        UnaryOp::Neg if a.ty.is_integer() => wrap(a.ty, -integer(a)),
        UnaryOp::Neg => match float(a)? {
            Float::F32(x) => make32(-x),
            Float::F64(x) => make64(-x),
        },
    }
}

pub(crate) fn binary(op: BinaryOp, a: ScalarConst, b: ScalarConst) -> Option<ScalarConst> {
    use BinaryOp as B;
    if a.ty.is_float() {
        return match (float(a)?, float(b)?) {
            (Float::F32(x), Float::F32(y)) => match op {
                B::Add => make32(x + y),
                B::Sub => make32(x - y),
                B::Mul => make32(x * y),
                B::Div if y != 0.0 => make32(x / y),
                _ => compare(op, x.partial_cmp(&y)),
            },
            (Float::F64(x), Float::F64(y)) => match op {
                B::Add => make64(x + y),
                B::Sub => make64(x - y),
                B::Mul => make64(x * y),
                B::Div if y != 0.0 => make64(x / y),
                _ => compare(op, x.partial_cmp(&y)),
            },
            _ => None,
        };
    }
    let (x, y) = (integer(a), integer(b));
    let in_range = |value: i128| ScalarConst::new(a.ty, value as u64).ty == a.ty && fits(a.ty, value);
    match op {
        B::And => Some(ScalarConst::new(a.ty, a.bits & b.bits)),
        B::Or => Some(ScalarConst::new(a.ty, a.bits | b.bits)),
        B::Xor => Some(ScalarConst::new(a.ty, a.bits ^ b.bits)),
        B::Add => wrap(a.ty, x + y),
        B::Sub => wrap(a.ty, x - y),
        // 64 by 64 bits fit into 128, signed or not, except for the sign bit of the unsigned product.
        B::Mul => wrap(a.ty, x.wrapping_mul(y)),
        // The one quotient that does not fit is undefined.
        B::Div if y != 0 && in_range(x / y) => wrap(a.ty, x / y),
        B::Rem if y != 0 && in_range(x / y) => wrap(a.ty, x % y),
        B::Div | B::Rem => None,
        B::Shl => {
            let count = b.bits & u64::from(a.ty.bits() - 1);
            Some(ScalarConst::new(a.ty, a.bits << count))
        }
        B::Shr => {
            let count = b.bits & u64::from(a.ty.bits() - 1);
            wrap(a.ty, x >> count)
        }
        B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge => compare(op, Some(x.cmp(&y))),
    }
}

fn fits(ty: Scalar, value: i128) -> bool {
    let (low, high) = if ty.is_signed() {
        (-(1i128 << (ty.bits() - 1)), (1i128 << (ty.bits() - 1)) - 1)
    } else {
        (0, i128::from(ty.mask()))
    };
    (low..=high).contains(&value)
}

/// Compares two operands. `order` is `None` for unordered ones, for which every comparison but `Ne` is false.
fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<ScalarConst> {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let result = match op {
        BinaryOp::Eq => order == Some(Equal),
        BinaryOp::Ne => order != Some(Equal),
        BinaryOp::Lt => order == Some(Less),
        BinaryOp::Le => matches!(order, Some(Less | Equal)),
        BinaryOp::Gt => order == Some(Greater),
        BinaryOp::Ge => matches!(order, Some(Greater | Equal)),
        _ => return None,
    };
    Some(ScalarConst::bool(result))
}

pub(crate) fn convert(a: ScalarConst, to: Scalar) -> Option<ScalarConst> {
    if to == a.ty {
        return Some(a);
    }
    if to == Scalar::Bool {
        return match (a.ty.is_float(), float(a)) {
            (false, _) => Some(ScalarConst::bool(a.bits != 0)),
            (true, Some(Float::F32(x))) => Some(ScalarConst::bool(x != 0.0)),
            (true, Some(Float::F64(x))) => Some(ScalarConst::bool(x != 0.0)),
            (true, None) => None,
        };
    }
    match (a.ty.is_float(), to) {
        (false, Scalar::F32) => make32(integer(a) as f32),
        (false, Scalar::F64) => make64(integer(a) as f64),
        (false, to) if to.is_integer() => wrap(to, integer(a)),
        (true, Scalar::F32) => match float(a)? {
            Float::F64(x) => make32(x as f32),
            Float::F32(x) => make32(x),
        },
        (true, Scalar::F64) => match float(a)? {
            Float::F32(x) => make64(f64::from(x)),
            Float::F64(x) => make64(x),
        },
        (true, to) if to.is_integer() => {
            let x = match float(a)? {
                Float::F32(x) => f64::from(x),
                Float::F64(x) => x,
            };
            // The result is undefined for NaN and out of range.
            let value = x.is_finite().then(|| x.trunc() as i128)?;
            if fits(to, value) { wrap(to, value) } else { None }
        }
        _ => None,
    }
}

pub(crate) fn math(op: MathOp, args: &[ScalarConst]) -> Option<ScalarConst> {
    let a = *args.first()?;
    if a.ty.is_float() { float_math(op, args) } else { integer_math(op, a, args) }
}

fn integer_math(op: MathOp, a: ScalarConst, args: &[ScalarConst]) -> Option<ScalarConst> {
    let x = integer(a);
    let width = a.ty.bits();
    match (op, args) {
        (MathOp::Abs, [_]) => wrap(a.ty, x.abs()),
        (MathOp::Sign, [_]) => wrap(a.ty, x.signum()),
        (MathOp::Min, [_, b]) => wrap(a.ty, x.min(integer(*b))),
        (MathOp::Max, [_, b]) => wrap(a.ty, x.max(integer(*b))),
        (MathOp::Clamp, [_, low, high]) if integer(*low) <= integer(*high) => {
            wrap(a.ty, x.clamp(integer(*low), integer(*high)))
        }
        (MathOp::CountBits, [_]) => wrap(a.ty, i128::from(a.bits.count_ones())),
        (MathOp::ReverseBits, [_]) => Some(ScalarConst::new(a.ty, a.bits.reverse_bits() >> (64 - width))),
        (MathOp::FirstBitLow, [_]) if a.bits == 0 => wrap(a.ty, -1),
        (MathOp::FirstBitLow, [_]) => wrap(a.ty, i128::from(a.bits.trailing_zeros())),
        (MathOp::FirstBitHigh, [_]) => {
            let bits = if x < 0 { !a.bits & a.ty.mask() } else { a.bits };
            wrap(a.ty, if bits == 0 { -1 } else { 63 - i128::from(bits.leading_zeros()) })
        }
        _ => None,
    }
}

fn float_math(op: MathOp, args: &[ScalarConst]) -> Option<ScalarConst> {
    let args: Vec<Float> = args.iter().map(|&c| float(c)).collect::<Option<_>>()?;
    match args[..] {
        [Float::F32(x)] => match op {
            MathOp::Abs => make32(x.abs()),
            MathOp::Floor => make32(x.floor()),
            MathOp::Ceil => make32(x.ceil()),
            MathOp::Trunc => make32(x.trunc()),
            MathOp::Round => make32(x.round_ties_even()),
            MathOp::Sqrt if x >= 0.0 => make32(x.sqrt()),
            MathOp::IsNan => Some(ScalarConst::bool(x.is_nan())),
            MathOp::IsInf => Some(ScalarConst::bool(x.is_infinite())),
            _ => None,
        },
        [Float::F64(x)] => match op {
            MathOp::Abs => make64(x.abs()),
            MathOp::Floor => make64(x.floor()),
            MathOp::Ceil => make64(x.ceil()),
            MathOp::Trunc => make64(x.trunc()),
            MathOp::Round => make64(x.round_ties_even()),
            MathOp::Sqrt if x >= 0.0 => make64(x.sqrt()),
            MathOp::IsNan => Some(ScalarConst::bool(x.is_nan())),
            MathOp::IsInf => Some(ScalarConst::bool(x.is_infinite())),
            _ => None,
        },
        // The choice between two zeros is undefined, and so is the result for NaN.
        [Float::F32(x), Float::F32(y)] if x < y || y < x => match op {
            MathOp::Min => make32(x.min(y)),
            MathOp::Max => make32(x.max(y)),
            _ => None,
        },
        [Float::F64(x), Float::F64(y)] if x < y || y < x => match op {
            MathOp::Min => make64(x.min(y)),
            MathOp::Max => make64(x.max(y)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the result of an operation on floats that SPIR-V does not define to the last bit, rounded once. Every device
/// may return it. The CPU device does.
pub(crate) fn rounded(op: MathOp, args: &[ScalarConst]) -> Option<ScalarConst> {
    let all: Vec<Float> = args.iter().map(|&c| float(c)).collect::<Option<_>>()?;
    let near = |x: f64| make32(x as f32);
    match all[..] {
        [Float::F32(x)] => one(op, f64::from(x)).and_then(near),
        [Float::F32(x), Float::F32(y)] => {
            let (x, y) = (f64::from(x), f64::from(y));
            match op {
                // Elsewhere, devices differ.
                MathOp::Pow if x > 0.0 => near(x.powf(y)),
                MathOp::Atan2 if x != 0.0 && y != 0.0 => near(x.atan2(y)),
                _ => None,
            }
        }
        [Float::F32(x), Float::F32(y), Float::F32(z)] => match op {
            // Between equal bounds, the sign of a zero is open.
            MathOp::Clamp if y < x && x < z => make32(x),
            MathOp::Clamp if x < y && y < z => make32(y),
            MathOp::Clamp if y < z && z < x => make32(z),
            _ => None,
        },
        [Float::F64(x), Float::F64(y), Float::F64(z)] if op == MathOp::Fma => make64(x.mul_add(y, z)),
        _ => None,
    }
}

/// Returns the result of a function of one number, in its domain.
fn one(op: MathOp, x: f64) -> Option<f64> {
    Some(match op {
        MathOp::Fract if x.is_finite() => f64::from(x as f32 - (x as f32).floor()),
        MathOp::Sign if x != 0.0 => x.signum(),
        MathOp::InverseSqrt if x > 0.0 => 1.0 / x.sqrt(),
        MathOp::Exp => x.exp(),
        MathOp::Exp2 => x.exp2(),
        MathOp::Log if x > 0.0 => x.ln(),
        MathOp::Log2 if x > 0.0 => x.log2(),
        MathOp::Sin => x.sin(),
        MathOp::Cos => x.cos(),
        MathOp::Tan => x.tan(),
        MathOp::Asin if x.abs() <= 1.0 => x.asin(),
        MathOp::Acos if x.abs() <= 1.0 => x.acos(),
        MathOp::Atan => x.atan(),
        MathOp::Sinh => x.sinh(),
        MathOp::Cosh => x.cosh(),
        MathOp::Tanh => x.tanh(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn i32s(op: BinaryOp, a: i32, b: i32) -> Option<i64> {
        binary(op, ScalarConst::i32(a), ScalarConst::i32(b)).map(|c| c.as_i64())
    }

    fn u64s(op: BinaryOp, a: u64, b: u64) -> Option<u64> {
        binary(op, ScalarConst::u64(a), ScalarConst::u64(b)).map(|c| c.bits)
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(i32s(BinaryOp::Add, i32::MAX, 1), Some(i64::from(i32::MIN)));
        assert_eq!(i32s(BinaryOp::Mul, 65536, 65536), Some(0));
        assert_eq!(u64s(BinaryOp::Mul, u64::MAX, u64::MAX), Some(1));
        assert_eq!(u64s(BinaryOp::Sub, 0, 1), Some(u64::MAX));
    }

    #[test]
    fn division_truncates_and_undefined_division_is_not_folded() {
        assert_eq!(i32s(BinaryOp::Div, -7, 2), Some(-3));
        assert_eq!(i32s(BinaryOp::Rem, -7, 2), Some(-1));
        assert_eq!(i32s(BinaryOp::Rem, 7, -2), Some(1));
        assert_eq!(i32s(BinaryOp::Div, 1, 0), None);
        assert_eq!(i32s(BinaryOp::Div, i32::MIN, -1), None);
        assert_eq!(u64s(BinaryOp::Div, u64::MAX, 3), Some(6148914691236517205));
    }

    #[test]
    fn shifts_take_the_low_bits_of_the_count() {
        assert_eq!(i32s(BinaryOp::Shl, 1, 33), Some(2));
        assert_eq!(i32s(BinaryOp::Shr, -8, 1), Some(-4));
        assert_eq!(u64s(BinaryOp::Shr, 1 << 63, 63), Some(1));
    }

    #[test]
    fn nan_is_unordered() {
        let nan = ScalarConst::f32(f32::NAN);
        assert_eq!(binary(BinaryOp::Eq, nan, nan), Some(ScalarConst::bool(false)));
        assert_eq!(binary(BinaryOp::Ne, nan, nan), Some(ScalarConst::bool(true)));
        assert_eq!(binary(BinaryOp::Ge, nan, nan), Some(ScalarConst::bool(false)));
    }

    #[test]
    fn conversions() {
        let minus = ScalarConst::f32(-1.75);
        assert_eq!(convert(minus, Scalar::I32), Some(ScalarConst::i32(-1)));
        assert_eq!(convert(minus, Scalar::U32), None);
        assert_eq!(convert(ScalarConst::f32(4294967296.0), Scalar::U32), None);
        assert_eq!(convert(ScalarConst::i32(-1), Scalar::U64), Some(ScalarConst::u64(u64::MAX)));
        assert_eq!(convert(ScalarConst::u32(16777217), Scalar::F32), Some(ScalarConst::f32(16777216.0)));
        assert_eq!(convert(ScalarConst::bool(true), Scalar::F32), Some(ScalarConst::f32(1.0)));
        assert_eq!(convert(ScalarConst::f32(-0.0), Scalar::Bool), Some(ScalarConst::bool(false)));
    }

    #[test]
    fn bits() {
        let one = |op, c| math(op, &[c]).map(|c| c.as_i64());
        assert_eq!(one(MathOp::CountBits, ScalarConst::i32(-1)), Some(32));
        assert_eq!(one(MathOp::FirstBitHigh, ScalarConst::u32(1)), Some(0));
        assert_eq!(one(MathOp::FirstBitHigh, ScalarConst::i32(-256)), Some(7));
        assert_eq!(one(MathOp::FirstBitHigh, ScalarConst::i32(-1)), Some(-1));
        assert_eq!(one(MathOp::FirstBitLow, ScalarConst::u32(40)), Some(3));
        assert_eq!(one(MathOp::FirstBitLow, ScalarConst::u32(0)), Some(i64::from(u32::MAX)));
        assert_eq!(one(MathOp::ReverseBits, ScalarConst::u32(1)), Some(1 << 31));
    }

    /// Values of tables, to nine digits.
    #[test]
    fn functions_round_once_in_their_domain() {
        let of = |op, args: &[f32]| {
            let args: Vec<ScalarConst> = args.iter().map(|x| ScalarConst::f32(*x)).collect();
            rounded(op, &args).map(|c| f32::from_bits(c.bits as u32))
        };
        for (op, args, expected) in [
            (MathOp::Cos, &[0.5][..], 0.877_582_56),
            (MathOp::Sin, &[0.5], 0.479_425_54),
            (MathOp::Tan, &[0.5], 0.546_302_5),
            (MathOp::Exp, &[2.0], 7.389_056),
            (MathOp::Exp2, &[0.25], 1.189_207_1),
            (MathOp::Log, &[7.0], 1.945_910_1),
            (MathOp::Log2, &[7.0], 2.807_355),
            (MathOp::InverseSqrt, &[3.0], 0.577_350_26),
            (MathOp::Asin, &[0.25], 0.252_680_25),
            (MathOp::Acos, &[0.25], 1.318_116_1),
            (MathOp::Atan, &[2.0], 1.107_148_8),
            (MathOp::Sinh, &[1.0], 1.175_201_2),
            (MathOp::Cosh, &[1.0], 1.543_080_7),
            (MathOp::Tanh, &[1.0], 0.761_594_2),
            (MathOp::Pow, &[3.0, 0.5], 1.732_050_8),
            (MathOp::Atan2, &[2.0, -1.0], 2.034_443_9),
            (MathOp::Fract, &[-1.25], 0.75),
            (MathOp::Sign, &[-3.0], -1.0),
            (MathOp::Clamp, &[5.0, 1.0, 2.0], 2.0),
            (MathOp::Clamp, &[-5.0, 1.0, 2.0], 1.0),
            (MathOp::Clamp, &[1.5, 1.0, 2.0], 1.5),
        ] {
            assert_eq!(of(op, args), Some(expected), "{op:?} {args:?}");
        }
        for (op, args) in [
            (MathOp::Log, &[0.0][..]),
            // It rounds twice unless it is precise.
            (MathOp::Fma, &[2.0, 3.0, 1.0]),
            (MathOp::Log2, &[-1.0]),
            (MathOp::InverseSqrt, &[0.0]),
            (MathOp::Asin, &[1.5]),
            (MathOp::Acos, &[-1.5]),
            (MathOp::Sign, &[0.0]),
            (MathOp::Fract, &[f32::INFINITY]),
            (MathOp::Pow, &[0.0, 0.0]),
            (MathOp::Pow, &[-2.0, 2.0]),
            (MathOp::Atan2, &[0.0, -1.0]),
            (MathOp::Clamp, &[0.0, 0.0, 1.0]),
            (MathOp::Clamp, &[1.5, 2.0, 1.0]),
            (MathOp::Clamp, &[f32::NAN, 1.0, 2.0]),
        ] {
            assert_eq!(of(op, args), None, "{op:?} {args:?}");
        }
        let double = |x: f64| ScalarConst { ty: Scalar::F64, bits: x.to_bits() };
        // The product alone would round to 1.
        let near = f64::EPSILON;
        let sum = rounded(MathOp::Fma, &[double(1.0 + near), double(1.0 - near), double(-1.0)]);
        assert_eq!(sum, Some(double(-near * near)));
    }
}
