//! The possible values of an integer or bool: an interval, the possible bits, and their number.
//!
//! A value has the bits of its type, zero-extended. An unknown value may be any value of the type.

use crate::{BinaryOp, MathOp, Scalar, UnaryOp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub least: u64,
    pub most: u64,
    /// Bits that may be set.
    ones: u64,
    /// The most of these bits that are set together.
    few: u32,
}

impl Range {
    pub fn any(ty: Scalar) -> Range {
        Range::up_to(ty.mask())
    }

    pub fn exact(bits: u64) -> Range {
        Range { least: bits, most: bits, ones: bits, few: bits.count_ones() }
    }

    pub fn up_to(most: u64) -> Range {
        Range::between(0, most)
    }

    fn between(least: u64, most: u64) -> Range {
        let ones = below_power(most);
        Range { least, most, ones, few: ones.count_ones() }
    }

    /// Creates a range, tightened by its possible bits.
    fn of_bits(least: u64, most: u64, ones: u64, few: u32) -> Range {
        let most = most.min(ones);
        let ones = ones & below_power(most);
        Range { least: least.min(most), most, ones, few: few.min(ones.count_ones()) }
    }

    pub fn known(self) -> Option<u64> {
        (self.least == self.most).then_some(self.least)
    }

    /// Returns the range of a value that is in one of two.
    pub fn join(self, other: Range) -> Range {
        Range {
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            ones: self.ones | other.ones,
            few: self.few.max(other.few),
        }
    }

    /// Returns whether no value is negative in the type.
    fn is_natural(self, ty: Scalar) -> bool {
        !ty.is_signed() || self.most <= ty.mask() >> 1
    }

    fn within(self, ty: Scalar) -> Range {
        if self.most <= ty.mask() { self } else { Range::any(ty) }
    }

    pub fn convert(self, from: Scalar, to: Scalar) -> Range {
        match () {
            () if from.is_float() || to.is_float() => Range::any(to),
            () if to == Scalar::Bool => match (self.least, self.most) {
                (_, 0) => Range::exact(0),
                (1.., _) => Range::exact(1),
                _ => Range::any(to),
            },
            () if self.is_natural(from) => self.within(to),
            () => Range::any(to),
        }
    }

    pub fn unary(op: UnaryOp, value: Range, ty: Scalar) -> Range {
        match (op, value.known()) {
            (UnaryOp::Not, Some(bits)) => Range::exact(u64::from(bits == 0)),
            (UnaryOp::BitNot, Some(bits)) => Range::exact(!bits & ty.mask()),
            (UnaryOp::Neg, Some(bits)) if !ty.is_float() => Range::exact(bits.wrapping_neg() & ty.mask()),
            _ => Range::any(ty),
        }
    }

    /// Returns the range of a binary operation; `ty` is the type of the left side.
    pub fn binary(op: BinaryOp, a: Range, b: Range, ty: Scalar) -> Range {
        use BinaryOp as B;
        if ty.is_float() {
            return Range::any(if is_comparison(op) { Scalar::Bool } else { ty });
        }
        let natural = a.is_natural(ty) && b.is_natural(ty);
        let bits = u64::from(ty.bits());
        let both = a.known().zip(b.known());
        match op {
            B::And | B::Xor if both.is_some() => {
                both.map_or(Range::any(ty), |(a, b)| Range::exact(if op == B::And { a & b } else { a ^ b }))
            }
            B::And => Range::of_bits(0, a.most.min(b.most), a.ones & b.ones, a.few.min(b.few)),
            B::Or => {
                let ones = a.ones | b.ones;
                Range::of_bits(a.least.max(b.least), ones, ones, a.few + b.few)
            }
            B::Xor => {
                let ones = a.ones | b.ones;
                Range::of_bits(0, ones, ones, a.few + b.few)
            }
            B::Add => arithmetic(u64::checked_add, u64::wrapping_add, a, b, ty),
            B::Mul => arithmetic(u64::checked_mul, u64::wrapping_mul, a, b, ty),
            B::Sub => match (a.known(), b.known()) {
                (Some(a), Some(b)) => Range::exact(a.wrapping_sub(b) & ty.mask()),
                _ if a.least >= b.most => Range::between(a.least - b.most, a.most - b.least),
                _ => Range::any(ty),
            },
            B::Div if natural && b.least > 0 => Range::between(a.least / b.most, a.most / b.least),
            B::Rem if natural && b.least > 0 => Range::up_to(a.most.min(b.most - 1)),
            B::Shl => match b.known().map(|by| by % bits) {
                Some(by) if a.most <= ty.mask() >> by => {
                    Range::of_bits(a.least << by, a.most << by, a.ones << by, a.few)
                }
                _ => Range::any(ty),
            },
            B::Shr if a.is_natural(ty) => match b.known().map(|by| by % bits) {
                Some(by) => Range::of_bits(a.least >> by, a.most >> by, a.ones >> by, a.few),
                None => Range::up_to(a.most),
            },
            B::Eq => truth(a.known().is_some() && a.known() == b.known(), a.most < b.least || b.most < a.least),
            B::Ne => truth(a.most < b.least || b.most < a.least, a.known().is_some() && a.known() == b.known()),
            B::Lt | B::Le | B::Gt | B::Ge => match natural {
                true => compared(op, a, b),
                // Signed numbers are ordered like their bits with the highest bit flipped.
                false => match (a.known(), b.known()) {
                    (Some(x), Some(y)) => {
                        let turned = |bits: u64| Range::exact(bits ^ ((ty.mask() >> 1) + 1));
                        compared(op, turned(x), turned(y))
                    }
                    _ => Range::any(Scalar::Bool),
                },
            },
            B::Div | B::Rem | B::Shr => Range::any(ty),
        }
    }

    pub fn math(op: MathOp, args: &[Range], ty: Scalar) -> Range {
        if ty.is_float() {
            return Range::any(ty);
        }
        let natural = args.iter().all(|arg| arg.is_natural(ty));
        let least = |of: &[Range]| of.iter().map(|arg| arg.least).min().unwrap_or(0);
        match (op, args) {
            (MathOp::Min, [a, b]) if natural => Range::between(least(args), a.most.min(b.most)),
            (MathOp::Max, [a, b]) if natural => Range::between(a.least.max(b.least), a.most.max(b.most)),
            // A signed first operand may have any value.
            (MathOp::Clamp, [_, low, high]) if [low, high].into_iter().all(|arg| arg.is_natural(ty)) => {
                Range::between(least(&args[1..]), high.most)
            }
            (MathOp::CountBits, [a]) => Range::between(u64::from(a.least > 0), u64::from(a.few)),
            _ => Range::any(ty),
        }
    }
}

/// Returns a mask with the bits of all numbers up to this one.
fn below_power(most: u64) -> u64 {
    u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0)
}

fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(op, B::Eq | B::Ne | B::Lt | B::Le | B::Gt | B::Ge)
}

/// Returns the range of a condition that certainly holds, certainly fails, or neither.
fn truth(holds: bool, fails: bool) -> Range {
    match (holds, fails) {
        (true, _) => Range::exact(1),
        (_, true) => Range::exact(0),
        _ => Range::any(Scalar::Bool),
    }
}

fn compared(op: BinaryOp, a: Range, b: Range) -> Range {
    match op {
        BinaryOp::Lt => truth(a.most < b.least, a.least >= b.most),
        BinaryOp::Le => truth(a.most <= b.least, a.least > b.most),
        BinaryOp::Gt => truth(a.least > b.most, a.most <= b.least),
        _ => truth(a.least >= b.most, a.most < b.least),
    }
}

/// Returns the range of a sum or product, which grows with both sides.
fn arithmetic(
    checked: fn(u64, u64) -> Option<u64>,
    wrapping: fn(u64, u64) -> u64,
    a: Range,
    b: Range,
    ty: Scalar,
) -> Range {
    match (a.known(), b.known(), checked(a.least, b.least), checked(a.most, b.most)) {
        (Some(a), Some(b), ..) => Range::exact(wrapping(a, b) & ty.mask()),
        (.., Some(least), Some(most)) if most <= ty.mask() => Range::between(least, most),
        _ => Range::any(ty),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOME: [u64; 9] = [0, 1, 2, 5, 8, 127, 128, 200, 255];

    /// Returns every range of a few numbers of 8 bits.
    fn ranges() -> Vec<(Range, Vec<u64>)> {
        let pairs = SOME.iter().flat_map(|a| SOME.iter().map(move |b| (*a, *b)));
        pairs.map(|(a, b)| (Range::exact(a).join(Range::exact(b)), vec![a, b])).collect()
    }

    /// Returns the processor's result for unsigned and signed 32-bit numbers.
    fn by_processor(op: BinaryOp, a: u64, b: u64, is_signed: bool) -> Option<u64> {
        use BinaryOp as B;
        let (x, y) = (a as u32, b as u32);
        let (s, t) = (x as i32, y as i32);
        let less = if is_signed { s < t } else { x < y };
        let greater = if is_signed { s > t } else { x > y };
        Some(u64::from(match op {
            B::Add => x.wrapping_add(y),
            B::Sub => x.wrapping_sub(y),
            B::Mul => x.wrapping_mul(y),
            B::Div if is_signed => s.checked_div(t)? as u32,
            B::Div => x.checked_div(y)?,
            B::Rem if is_signed => s.checked_rem(t)? as u32,
            B::Rem => x.checked_rem(y)?,
            B::And => x & y,
            B::Or => x | y,
            B::Xor => x ^ y,
            B::Shl => x.wrapping_shl(y),
            B::Shr if is_signed => s.wrapping_shr(y) as u32,
            B::Shr => x.wrapping_shr(y),
            B::Eq => u32::from(x == y),
            B::Ne => u32::from(x != y),
            B::Lt => u32::from(less),
            B::Ge => u32::from(!less),
            B::Gt => u32::from(greater),
            B::Le => u32::from(!greater),
        }))
    }

    #[test]
    fn interval_arithmetic_contains_all_results() {
        use BinaryOp as B;
        let all = [
            B::Add,
            B::Sub,
            B::Mul,
            B::Div,
            B::Rem,
            B::And,
            B::Or,
            B::Xor,
            B::Shl,
            B::Shr,
            B::Eq,
            B::Ne,
            B::Lt,
            B::Le,
            B::Gt,
            B::Ge,
        ];
        // Use the same numbers with the highest bits set.
        let high = |bits: u64| 0xffff_ff00 | bits;
        let mut ranges = ranges();
        let turned: Vec<_> = (ranges.iter())
            .map(|(_, of)| (Range::exact(high(of[0])).join(Range::exact(of[1])), vec![high(of[0]), of[1]]))
            .collect();
        ranges.extend(turned);
        for op in all {
            for ty in [Scalar::U32, Scalar::I32] {
                for (a, of_a) in &ranges {
                    for (b, of_b) in &ranges {
                        let range = Range::binary(op, *a, *b, ty);
                        for (x, y) in of_a.iter().flat_map(|x| of_b.iter().map(move |y| (*x, *y))) {
                            let Some(found) = by_processor(op, x, y, ty.is_signed()) else { continue };
                            let inside = range.least <= found && found <= range.most;
                            let bits = found & !range.ones == 0 && found.count_ones() <= range.few;
                            assert!(inside && bits, "{op:?} {ty:?} of {x:#x} and {y:#x}: {found:#x}, not in {range:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn value_ranges_of_operations_are_tight() {
        let (u, i) = (Scalar::U32, Scalar::I32);
        let any = Range::any(u);
        let up_to = |most| Range::up_to(most);
        assert_eq!(Range::binary(BinaryOp::And, any, Range::exact(0x7f00), u).few, 7);
        assert_eq!(
            Range::math(MathOp::CountBits, &[Range::binary(BinaryOp::And, any, Range::exact(0xf0), u)], u).most,
            4
        );
        assert_eq!(Range::math(MathOp::Min, &[any, Range::exact(4)], u).most, 4);
        // A negative number is the minimum, and a large shift count.
        assert_eq!(Range::math(MathOp::Min, &[Range::any(i), Range::exact(4)], i), Range::any(i));
        assert_eq!(Range::math(MathOp::Clamp, &[Range::any(i), Range::exact(1), Range::exact(4)], i).most, 4);
        assert_eq!(Range::binary(BinaryOp::Rem, any, Range::exact(3), u), up_to(2));
        assert_eq!(Range::any(Scalar::Bool).convert(Scalar::Bool, u), up_to(1));
        let [no, yes] = [0, 1].map(Range::exact);
        assert_eq!(Range::binary(BinaryOp::And, yes, yes, Scalar::Bool), yes);
        assert_eq!(Range::binary(BinaryOp::Or, yes, no, Scalar::Bool), yes);
        assert_eq!(Range::binary(BinaryOp::Add, up_to(3), up_to(4), u).most, 7);
        assert_eq!(Range::binary(BinaryOp::Lt, up_to(3), Range::exact(4), u), Range::exact(1));
    }
}
