//! Mathematical operations on constants, one component at a time.
//!
//! Floats are computed in double precision and rounded once by the caller, to the type of the result.

use super::fold::Number;
use crate::db::ty::Repr;
use wgc_ir::MathOp;

/// Evaluates an operation on operands of type `of`; `None` if the result is not certain.
pub(super) fn math(op: MathOp, of: Repr, args: &[Number]) -> Option<Number> {
    match args {
        [Number::Int(a)] => int1(op, of, *a).map(Number::Int),
        [Number::Int(a), Number::Int(b)] => match op {
            MathOp::Min => Some(Number::Int(*a.min(b))),
            MathOp::Max => Some(Number::Int(*a.max(b))),
            _ => None,
        },
        [Number::Int(x), Number::Int(low), Number::Int(high)] if op == MathOp::Clamp => {
            (low <= high).then(|| Number::Int(*x.max(low).min(high)))
        }
        [Number::Float(x)] if op == MathOp::IsNan => Some(Number::Int(i128::from(x.is_nan()))),
        [Number::Float(x)] if op == MathOp::IsInf => Some(Number::Int(i128::from(x.is_infinite()))),
        [Number::Float(a)] => known(float1(op, *a)?, args),
        [Number::Float(a), Number::Float(b)] => known(float2(op, *a, *b)?, args),
        [Number::Float(a), Number::Float(b), Number::Float(c)] => known(float3(op, *a, *b, *c)?, args),
        _ => None,
    }
}

/// Returns a result unless it is NaN; devices decide about NaN results of ordinary operands.
pub(super) fn known(result: f64, args: &[Number]) -> Option<Number> {
    let is_nan = |n: &Number| matches!(n, Number::Float(f) if f.is_nan());
    (!result.is_nan() && !args.iter().any(is_nan)).then_some(Number::Float(result))
}

/// Evaluates an operation on an integer; counts and indexes are 32 bits of the caller's type.
fn int1(op: MathOp, of: Repr, value: i128) -> Option<i128> {
    let width = of.size() * 8;
    let bits = value as u64 & (u64::MAX >> (64 - width));
    const NONE: i128 = u32::MAX as i128;
    Some(match op {
        MathOp::Abs => value.abs(),
        MathOp::CountBits => i128::from(bits.count_ones()),
        MathOp::FirstBitLow if bits == 0 => NONE,
        MathOp::FirstBitLow => i128::from(bits.trailing_zeros()),
        MathOp::FirstBitHigh => {
            // For a negative number, the highest zero bit.
            let sought = if value < 0 { !bits & (u64::MAX >> (64 - width)) } else { bits };
            if sought == 0 { NONE } else { i128::from(63 - sought.leading_zeros()) }
        }
        MathOp::ReverseBits => i128::from(bits.reverse_bits() >> (64 - width)),
        _ => return None,
    })
}

fn float1(op: MathOp, x: f64) -> Option<f64> {
    Some(match op {
        MathOp::Abs => x.abs(),
        MathOp::Floor => x.floor(),
        MathOp::Ceil => x.ceil(),
        MathOp::Round => x.round_ties_even(),
        MathOp::Trunc => x.trunc(),
        MathOp::Fract => x - x.floor(),
        MathOp::Sqrt => x.sqrt(),
        MathOp::InverseSqrt => 1.0 / x.sqrt(),
        MathOp::Exp => x.exp(),
        MathOp::Exp2 => x.exp2(),
        MathOp::Log => x.ln(),
        MathOp::Log2 => x.log2(),
        MathOp::Sin => x.sin(),
        MathOp::Cos => x.cos(),
        MathOp::Tan => x.tan(),
        MathOp::Asin => x.asin(),
        MathOp::Acos => x.acos(),
        MathOp::Atan => x.atan(),
        MathOp::Sinh => x.sinh(),
        MathOp::Cosh => x.cosh(),
        MathOp::Tanh => x.tanh(),
        _ => return None,
    })
}

fn float2(op: MathOp, a: f64, b: f64) -> Option<f64> {
    Some(match op {
        MathOp::Min => a.min(b),
        MathOp::Max => a.max(b),
        // For a negative base, devices return NaN regardless of the exponent.
        MathOp::Pow if a >= 0.0 => a.powf(b),
        MathOp::Atan2 => a.atan2(b),
        _ => return None,
    })
}

fn float3(op: MathOp, a: f64, b: f64, c: f64) -> Option<f64> {
    Some(match op {
        MathOp::Clamp if b <= c => a.max(b).min(c),
        MathOp::Fma => a.mul_add(b, c),
        MathOp::Mix => a * (1.0 - c) + b * c,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use Number::{Float, Int};

    #[test]
    fn bits() {
        let i = |op, of, value| math(op, of, &[Int(value)]);
        for value in [0i32, 1, -1, 5, -6, i32::MAX, i32::MIN, 0x00f0_0000] {
            let v = i128::from(value);
            assert_eq!(i(MathOp::CountBits, Repr::I32, v), Some(Int(value.count_ones().into())), "{value}");
            let low = (0..32).find(|n| value >> n & 1 == 1).map_or(0xffff_ffff, i128::from);
            assert_eq!(i(MathOp::FirstBitLow, Repr::I32, v), Some(Int(low)), "{value}");
            let sign = value >> 31 & 1;
            let high = (0..32).rev().find(|n| value >> n & 1 != sign).map_or(0xffff_ffff, i128::from);
            assert_eq!(i(MathOp::FirstBitHigh, Repr::I32, v), Some(Int(high)), "{value}");
        }
        assert_eq!(i(MathOp::FirstBitHigh, Repr::U32, 0xffff_ffff), Some(Int(31)));
        assert_eq!(i(MathOp::ReverseBits, Repr::U32, 0x8000_0001), Some(Int(0x8000_0001)));
        assert_eq!(i(MathOp::ReverseBits, Repr::U16, 1), Some(Int(0x8000)));
        assert_eq!(i(MathOp::ReverseBits, Repr::U64, 1), Some(Int(1 << 63)));
        assert_eq!(i(MathOp::FirstBitHigh, Repr::U64, 1 << 40), Some(Int(40)));
    }

    #[test]
    fn floats_round_to_even_and_undefined_results_do_not_fold() {
        assert_eq!(math(MathOp::Round, Repr::F32, &[Float(2.5)]), Some(Float(2.0)));
        assert_eq!(math(MathOp::Round, Repr::F32, &[Float(-3.5)]), Some(Float(-4.0)));
        assert_eq!(math(MathOp::Sqrt, Repr::F32, &[Float(-1.0)]), None);
        assert_eq!(math(MathOp::Pow, Repr::F32, &[Float(-2.0), Float(2.0)]), None);
        assert_eq!(math(MathOp::Clamp, Repr::F32, &[Float(1.0), Float(3.0), Float(2.0)]), None);
        assert_eq!(math(MathOp::Max, Repr::F32, &[Float(f64::NAN), Float(2.0)]), None);
    }
}
