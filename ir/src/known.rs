//! Known bits and upper bounds of integers, from the operations that compute them.
//!
//! Nothing follows from accesses: an index need not be in range.

use crate::function::*;
use crate::types::{Scalar, Type};

/// The number of operations that are looked through.
const DEPTH: u32 = 6;

/// The bits of a scalar that have the same value whenever it is computed. Other bits are in neither mask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownBits {
    pub zeros: u64,
    pub ones: u64,
}

impl KnownBits {
    fn of_constant(bits: u64) -> KnownBits {
        KnownBits { zeros: !bits, ones: bits }
    }

    /// Returns the bits that may be one.
    pub fn possible(self) -> u64 {
        !self.zeros
    }

    /// Returns the number of low bits that are zero.
    fn trailing_zeros(self) -> u32 {
        self.zeros.trailing_ones()
    }

    fn both(self, other: KnownBits) -> KnownBits {
        KnownBits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones }
    }
}

/// Returns the known bits of a scalar integer or bool. Bits above its type are zero.
pub fn bits(function: &Function, id: ValueId) -> KnownBits {
    known(function, id, DEPTH)
}

/// Returns the largest value that a scalar integer may have, as its bits.
pub fn upper_bound(function: &Function, id: ValueId) -> u64 {
    bound(function, id, DEPTH).min(bits(function, id).possible())
}

/// Returns the type of a scalar integer or bool.
fn integer(function: &Function, id: ValueId) -> Option<Scalar> {
    match function.type_of(id)? {
        Type::Scalar(scalar) if !scalar.is_float() => Some(*scalar),
        _ => None,
    }
}

/// Returns the constant count of a shift, below the width.
fn count(function: &Function, id: ValueId, scalar: Scalar) -> Option<u32> {
    let count = function.constant(id)?.bits;
    (count < u64::from(scalar.bits())).then_some(count as u32)
}

fn known(function: &Function, id: ValueId, depth: u32) -> KnownBits {
    let Some(scalar) = integer(function, id) else { return KnownBits::default() };
    let width = scalar.mask();
    let above = KnownBits { zeros: !width, ones: 0 };
    if let Some(constant) = function.constant(id) {
        return KnownBits::of_constant(constant.bits);
    }
    let (Some(value), true) = (function.value(id), depth > 0) else { return above };
    let of = |id: ValueId| known(function, id, depth - 1);
    let low = |ones: u32| 1_u64.checked_shl(ones).map_or(u64::MAX, |bit| bit - 1);
    let found = match &value.op {
        Op::Unary { op: UnaryOp::BitNot | UnaryOp::Not, value } => {
            let of = of(*value);
            KnownBits { zeros: of.ones, ones: of.zeros & width }
        }
        Op::Binary { op: BinaryOp::And, lhs, rhs } => {
            let (a, b) = (of(*lhs), of(*rhs));
            KnownBits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones }
        }
        Op::Binary { op: BinaryOp::Or, lhs, rhs } => {
            let (a, b) = (of(*lhs), of(*rhs));
            KnownBits { zeros: a.zeros & b.zeros, ones: a.ones | b.ones }
        }
        Op::Binary { op: BinaryOp::Xor, lhs, rhs } => {
            let (a, b) = (of(*lhs), of(*rhs));
            KnownBits { zeros: a.zeros & b.zeros | a.ones & b.ones, ones: a.zeros & b.ones | a.ones & b.zeros }
        }
        Op::Binary { op: BinaryOp::Shl, lhs, rhs } => match count(function, *rhs, scalar) {
            Some(n) => {
                let of = of(*lhs);
                KnownBits { zeros: of.zeros << n | low(n), ones: of.ones << n }
            }
            None => KnownBits { zeros: low(of(*lhs).trailing_zeros()), ones: 0 },
        },
        Op::Binary { op: BinaryOp::Shr, lhs, rhs } if !scalar.is_signed() => match count(function, *rhs, scalar) {
            Some(n) => {
                let of = of(*lhs);
                KnownBits { zeros: of.zeros >> n | !(width >> n), ones: of.ones >> n }
            }
            None => KnownBits::default(),
        },
        Op::Binary { op: BinaryOp::Add, lhs, rhs } => sum(of(*lhs), of(*rhs)),
        Op::Binary { op: BinaryOp::Sub, lhs, rhs } => {
            KnownBits { zeros: low(of(*lhs).trailing_zeros().min(of(*rhs).trailing_zeros())), ones: 0 }
        }
        Op::Binary { op: BinaryOp::Mul, lhs, rhs } => {
            KnownBits { zeros: low(of(*lhs).trailing_zeros() + of(*rhs).trailing_zeros()), ones: 0 }
        }
        Op::Select { then, otherwise, .. } => of(*then).both(of(*otherwise)),
        Op::Convert(from) => match integer(function, *from) {
            // The bool of a number does not depend on its low bit alone.
            Some(from) if scalar == Scalar::Bool && from != Scalar::Bool => KnownBits::default(),
            // Zeros or copies of the sign go into new high bits.
            Some(narrow) if !narrow.is_signed() || narrow.bits() >= scalar.bits() => of(*from),
            Some(narrow) => {
                KnownBits { zeros: of(*from).zeros & narrow.mask() >> 1, ones: of(*from).ones & narrow.mask() >> 1 }
            }
            None => KnownBits::default(),
        },
        Op::Bitcast(from) => of(*from),
        _ => KnownBits::default(),
    };
    KnownBits { zeros: found.zeros | !width, ones: found.ones & width }
}

fn bound(function: &Function, id: ValueId, depth: u32) -> u64 {
    let Some(scalar) = integer(function, id) else { return u64::MAX };
    let all = scalar.mask();
    if let Some(constant) = function.constant(id) {
        return constant.bits;
    }
    let (Some(value), true) = (function.value(id), depth > 0) else { return all };
    let of = |id: ValueId| bound(function, id, depth - 1);
    let found = match &value.op {
        Op::Binary { op: BinaryOp::And, lhs, rhs } => of(*lhs).min(of(*rhs)),
        Op::Binary { op, lhs, rhs } if !scalar.is_signed() => match (op, function.constant(*rhs)) {
            (BinaryOp::Shr, _) => count(function, *rhs, scalar).map_or(all, |n| of(*lhs) >> n),
            (BinaryOp::Rem, Some(by)) if by.bits != 0 => of(*lhs).min(by.bits - 1),
            (BinaryOp::Div, Some(by)) if by.bits != 0 => of(*lhs) / by.bits,
            (BinaryOp::Add, _) => of(*lhs).checked_add(of(*rhs)).unwrap_or(all),
            (BinaryOp::Mul, _) => of(*lhs).checked_mul(of(*rhs)).unwrap_or(all),
            _ => all,
        },
        Op::Select { then, otherwise, .. } => of(*then).max(of(*otherwise)),
        Op::Convert(from) if integer(function, *from).is_some_and(|narrow| !narrow.is_signed()) => of(*from),
        Op::Bitcast(from) => of(*from),
        _ => all,
    };
    // A sum or product that does not fit wraps.
    if found > all { all } else { found }
}

/// Returns the known bits of a sum. A bit is known if both operands and the carry into it are. The largest sum has all
/// carries that are possible, the smallest those that are certain.
fn sum(a: KnownBits, b: KnownBits) -> KnownBits {
    let (largest, smallest) = ((!a.zeros).wrapping_add(!b.zeros), a.ones.wrapping_add(b.ones));
    let carry = !(largest ^ a.zeros ^ b.zeros) | (smallest ^ a.ones ^ b.ones);
    let known = (a.zeros | a.ones) & (b.zeros | b.ones) & carry;
    KnownBits { zeros: !largest & known, ones: smallest & known }
}

#[cfg(test)]
mod tests {
    use super::{KnownBits, bits, sum, upper_bound};
    use crate::{Function, ValueId, parse};

    /// Returns the function, and its last value.
    fn last(text: &str) -> (Function, ValueId) {
        let text = format!(
            "fn @f(a: u32, s: i32, h: u16) -> void {{ %0: u32 = param 0 %1: u32 = 6 %2: u32 = 3 %3: u32 = 4 {text} }}"
        );
        let module = parse(&text).expect(&text);
        let function = (*module.functions["f"]).clone();
        let last = function.values.iter().last().expect("a value").0;
        (function, last)
    }

    #[test]
    fn operations_bound_their_results() {
        for (text, expected) in [
            ("", 4),
            ("%4: u32 = and %0, %1", 6),
            ("%4: u32 = and %0, %1 %5: u32 = shl %4, %2", 48),
            ("%4: u32 = and %0, %1 %5: u32 = or %4, %2", 7),
            ("%4: u32 = shr %0, %2", u64::from(u32::MAX >> 3)),
            ("%4: u32 = rem %0, %1", 5),
            ("%4: u32 = div %0, %1", u64::from(u32::MAX / 6)),
            ("%4: u32 = and %0, %1 %5: u32 = add %4, %4", 12),
            ("%4: u32 = and %0, %1 %5: u32 = mul %4, %4", 36),
            ("%4: u32 = add %0, %1", u64::from(u32::MAX)),
            ("%4: u32 = shl %1, %0", u64::from(u32::MAX) - 1),
            ("%4: i32 = param 1 %5: i32 = 2 %6: i32 = shr %4, %5", u64::from(u32::MAX)),
            ("%4: u16 = param 2 %5: u32 = convert %4", 0xffff),
            ("%4: i32 = param 1 %5: u64 = convert %4", u64::MAX),
            ("%4: bool = lt %0, %1 %5: u32 = convert %4", 1),
            ("%4: bool = lt %0, %1 %5: u32 = select %4, %1, %2", 6),
        ] {
            let (function, last) = last(text);
            assert_eq!(upper_bound(&function, last), expected, "{text}");
        }
    }

    #[test]
    fn low_bits_follow_from_products_sums_and_shifts() {
        let low = |text: &str| {
            let (function, last) = last(text);
            let KnownBits { zeros, ones } = bits(&function, last);
            assert_eq!(zeros & ones, 0, "{text}");
            (zeros & 7, ones & 7)
        };
        assert_eq!(low("%4: u32 = mul %0, %3"), (3, 0));
        assert_eq!(low("%4: u32 = mul %0, %3 %5: u32 = add %4, %2"), (0, 3));
        assert_eq!(low("%4: u32 = mul %0, %3 %5: u32 = add %4, %3"), (3, 0));
        // A multiple of 4, and 6.
        assert_eq!(low("%4: u32 = mul %0, %3 %5: u32 = add %4, %1"), (1, 2));
        assert_eq!(low("%4: u32 = mul %0, %3 %5: u32 = sub %4, %2"), (0, 0));
        assert_eq!(low("%4: u32 = or %0, %1 %5: bool = lt %0, %1 %6: u32 = select %5, %4, %3"), (0, 4));
        // The bool is one bit, and any bit of the number sets it.
        assert_eq!(low("%4: u32 = mul %0, %3 %5: bool = convert %4"), (6, 0));
        assert_eq!(low("%4: u32 = shl %0, %2"), (7, 0));
        assert_eq!(low("%4: u32 = shl %0, %0"), (0, 0));
        assert_eq!(low("%4: u32 = or %0, %1"), (0, 6));
        assert_eq!(low("%4: u32 = or %0, %1 %5: u32 = xor %4, %2"), (2, 4));
        assert_eq!(low("%4: u32 = or %0, %1 %5: u32 = bit_not %4"), (6, 0));
        assert_eq!(low("%4: u32 = mul %0, %3 %5: u32 = or %4, %1 %6: u32 = shr %5, %2"), (0, 0));
        assert_eq!(low("%4: i32 = param 1 %5: i32 = 4 %6: i32 = mul %4, %5 %7: i64 = convert %6"), (3, 0));
    }

    /// All operands of three bits with known ones and zeros, and all values that they stand for.
    #[test]
    fn known_bits_of_sums_are_exact() {
        let all = || (0..8u64).flat_map(|zeros| (0..8).map(move |ones| (zeros, ones))).filter(|(z, o)| z & o == 0);
        let values = |(zeros, ones): (u64, u64)| (0..8u64).filter(move |x| x & zeros == 0 && x & ones == ones);
        for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
            let known = |(zeros, ones): (u64, u64)| KnownBits { zeros: zeros | !7, ones };
            let found = sum(known(a), known(b));
            let sums: Vec<u64> = values(a).flat_map(|x| values(b).map(move |y| x + y)).collect();
            let zeros = sums.iter().fold(u64::MAX, |all, sum| all & !sum);
            let ones = sums.iter().fold(u64::MAX, |all, sum| all & sum);
            assert_eq!((found.zeros, found.ones), (zeros, ones), "{a:?} + {b:?}");
        }
    }
}
