//! Upper bounds of unsigned integers, from the operations that compute them.
//!
//! Nothing follows from accesses: an index need not be in range.

use crate::function::*;
use crate::types::Scalar;

/// The number of operations that are looked through.
const DEPTH: u32 = 6;

/// Returns the largest value that a scalar integer may have, as its bits.
pub fn upper_bound(function: &Function, id: ValueId) -> u64 {
    bound(function, id, DEPTH)
}

fn bound(function: &Function, id: ValueId, depth: u32) -> u64 {
    let Some(value) = function.value(id) else { return u64::MAX };
    let Some(scalar) = value.ty.scalar() else { return u64::MAX };
    let all = scalar.mask();
    if let Some(constant) = function.constant(id) {
        return constant.bits;
    }
    if depth == 0 || !scalar.is_integer() || value.ty.components() != Some(1) {
        return all;
    }
    let of = |id: ValueId| bound(function, id, depth - 1);
    let found = match &value.op {
        Op::Binary { op: BinaryOp::And, lhs, rhs } => of(*lhs).min(of(*rhs)),
        Op::Binary { op: BinaryOp::Or | BinaryOp::Xor, lhs, rhs } => ones_up_to(of(*lhs) | of(*rhs)),
        Op::Binary { op: BinaryOp::Shl, lhs, rhs } => match function.constant(*rhs) {
            Some(count) if count.bits < u64::from(scalar.bits()) => {
                of(*lhs).checked_mul(1 << count.bits).unwrap_or(all)
            }
            _ => all,
        },
        Op::Binary { op, lhs, rhs } if !scalar.is_signed() => match (op, function.constant(*rhs)) {
            (BinaryOp::Shr, Some(count)) if count.bits < u64::from(scalar.bits()) => of(*lhs) >> count.bits,
            (BinaryOp::Rem, Some(by)) if by.bits != 0 => of(*lhs).min(by.bits - 1),
            (BinaryOp::Div, Some(by)) if by.bits != 0 => of(*lhs) / by.bits,
            (BinaryOp::Add, _) => of(*lhs).checked_add(of(*rhs)).unwrap_or(all),
            (BinaryOp::Mul, _) => of(*lhs).checked_mul(of(*rhs)).unwrap_or(all),
            _ => all,
        },
        Op::Select { then, otherwise, .. } => of(*then).max(of(*otherwise)),
        Op::Convert(from) => match function.type_of(*from).and_then(crate::Type::scalar) {
            Some(Scalar::Bool) => 1,
            Some(narrow) if narrow.is_integer() && !narrow.is_signed() => of(*from),
            _ => all,
        },
        Op::Bitcast(from) if function.type_of(*from).and_then(crate::Type::components) == Some(1) => of(*from),
        _ => all,
    };
    // A sum or product that does not fit wraps.
    if found > all { all } else { found }
}

/// Returns the largest number with as many bits.
fn ones_up_to(number: u64) -> u64 {
    u64::MAX.checked_shr(number.leading_zeros()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::upper_bound;
    use crate::parse;

    /// Returns the bound of the last value.
    fn of(text: &str) -> u64 {
        let module = parse(&format!("fn @f(a: u32, s: i32, h: u16) -> void {{ {text} }}")).expect(text);
        let function = &module.functions["f"];
        let (last, _) = function.values.iter().last().expect("a value");
        upper_bound(function, last)
    }

    #[test]
    fn operations_bound_their_results() {
        let a = "%0: u32 = param 0 %1: u32 = 6 %2: u32 = 3";
        for (text, expected) in [
            ("", 3),
            ("%3: u32 = and %0, %1", 6),
            ("%3: u32 = and %0, %1 %4: u32 = shl %3, %2", 48),
            ("%3: u32 = and %0, %1 %4: u32 = or %3, %2", 7),
            ("%3: u32 = shr %0, %2", u64::from(u32::MAX >> 3)),
            ("%3: u32 = rem %0, %1", 5),
            ("%3: u32 = div %0, %1", u64::from(u32::MAX / 6)),
            ("%3: u32 = and %0, %1 %4: u32 = add %3, %3", 12),
            ("%3: u32 = and %0, %1 %4: u32 = mul %3, %3", 36),
            ("%3: u32 = add %0, %1", u64::from(u32::MAX)),
            ("%3: u32 = sub %1, %2", u64::from(u32::MAX)),
            ("%3: u32 = shl %0, %1", u64::from(u32::MAX)),
            ("%3: u32 = shl %1, %0", u64::from(u32::MAX)),
            ("%3: i32 = param 1 %4: i32 = 2 %5: i32 = shr %3, %4", u64::from(u32::MAX)),
            ("%3: u16 = param 2 %4: u32 = convert %3", 0xffff),
            ("%3: i32 = param 1 %4: u64 = convert %3", u64::MAX),
            ("%3: bool = lt %0, %1 %4: u32 = convert %3", 1),
            ("%3: bool = lt %0, %1 %4: u32 = select %3, %1, %2", 6),
        ] {
            assert_eq!(of(&format!("{a} {text}")), expected, "{text}");
        }
    }
}
