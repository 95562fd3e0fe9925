//! Scalar constants: literals as spelled, arithmetic by the rules of the operands' types, casts, bits for the IR.
//!
//! Syntax trees and names are not used here: [`crate::types::const_eval`] walks expressions and computes with these.

use crate::tables::scalar::Repr as Scalar;
use wgc_frontend::ast::BinaryOp;

/// A scalar constant. `scalar` is `None` for the type of an unsuffixed literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Const {
    Bool(bool),
    Int {
        value: i128,
        scalar: Option<Scalar>,
    },
    Float {
        /// The bits of an `f64`, for every scalar type.
        bits: u64,
        scalar: Option<Scalar>,
    },
}

impl Const {
    pub fn int(value: i64, scalar: Scalar) -> Const {
        Const::Int { value: wrap(i128::from(value), Some(scalar)), scalar: Some(scalar) }
    }

    pub fn float(value: f64, scalar: Option<Scalar>) -> Const {
        Const::Float { bits: value.to_bits(), scalar }
    }

    /// Converts to an integer; floats are truncated. `None` when the result does not fit 64 bits.
    pub fn to_int(self) -> Option<i128> {
        match self {
            Const::Bool(b) => Some(i128::from(b)),
            Const::Int { value, .. } => Some(value),
            Const::Float { bits, .. } => {
                let value = f64::from_bits(bits).trunc();
                (value.abs() < 1.8e19).then_some(value as i128)
            }
        }
    }

    pub fn to_f64(self) -> f64 {
        match self {
            Const::Bool(b) => f64::from(u8::from(b)),
            Const::Int { value, .. } => value as f64,
            Const::Float { bits, .. } => f64::from_bits(bits),
        }
    }

    pub fn truthy(self) -> bool {
        match self {
            Const::Bool(b) => b,
            Const::Int { value, .. } => value != 0,
            Const::Float { bits, .. } => f64::from_bits(bits) != 0.0,
        }
    }

    /// Negates the value, with the type of unary `-`. A float zero changes its sign.
    pub fn negated(self) -> Const {
        match self {
            Const::Float { bits, scalar } => Const::float(-f64::from_bits(bits), scalar),
            Const::Int { value, scalar } => Const::Int { value: wrap(-value, scalar), scalar },
            Const::Bool(b) => Const::int(-i64::from(b), Scalar::I32),
        }
    }

    /// Converts the value by the rules of an HLSL cast.
    pub fn cast(self, scalar: Scalar) -> Const {
        match scalar {
            Scalar::Bool => Const::Bool(self.truthy()),
            s if s.is_float() => {
                let value = match (s, self) {
                    (Scalar::F64, _) => self.to_f64(),
                    (Scalar::F16, _) => round_to_half(self.to_f64()),
                    // An integer of 64 bits is rounded once.
                    (_, Const::Int { value, .. }) => f64::from(value as f32),
                    _ => f64::from(self.to_f64() as f32),
                };
                Const::float(value, Some(s))
            }
            s => {
                let value = match self {
                    // Saturates as Rust's casts do: the result of an overflow is undefined in HLSL.
                    Const::Float { bits, .. } => f64::from_bits(bits) as i128,
                    other => other.to_int().unwrap_or_default(),
                };
                Const::Int { value: wrap(value, Some(s)), scalar: Some(s) }
            }
        }
    }

    /// Returns the scalar type; literals without a suffix are `int` and `float`.
    pub fn scalar(self) -> Scalar {
        match self {
            Const::Bool(_) => Scalar::Bool,
            Const::Int { scalar, .. } => scalar.unwrap_or(Scalar::I32),
            Const::Float { scalar, .. } => scalar.unwrap_or(Scalar::F32),
        }
    }

    /// Converts to a constant of the IR, with the bits in the low end.
    pub fn to_ir(self) -> wgc_ir::ScalarConst {
        let ty = self.scalar();
        let bits = match self.cast(ty) {
            Const::Bool(b) => u64::from(b),
            Const::Int { value, .. } => (value as u64) & mask(ty.size()),
            Const::Float { bits, .. } => {
                let value = f64::from_bits(bits);
                match ty {
                    Scalar::F64 => bits,
                    Scalar::F16 => u64::from(half_bits(value as f32)),
                    _ => u64::from((value as f32).to_bits()),
                }
            }
        };
        wgc_ir::ScalarConst { ty, bits }
    }
}

fn mask(bytes: u32) -> u64 {
    if bytes >= 8 { u64::MAX } else { (1 << (bytes * 8)) - 1 }
}

/// Returns the nearest value of IEEE half precision; ties go to the even one.
fn round_to_half(value: f64) -> f64 {
    // Below 2^-14 all values are multiples of 2^-24; larger values have ten bits after the first one. Scaling is
    // exact.
    let magnitude = value.abs();
    let rounded = if magnitude < f64::from_bits(0x3f10_0000_0000_0000) {
        (magnitude * 16_777_216.0).round_ties_even() / 16_777_216.0
    } else if magnitude.is_finite() {
        let unit = f64::from_bits(magnitude.to_bits() & (0x7ff << 52)) / 1024.0;
        (magnitude / unit).round_ties_even() * unit
    } else {
        magnitude
    };
    if rounded > 65504.0 { f64::INFINITY.copysign(value) } else { rounded.copysign(value) }
}

/// Returns the bits of a value in IEEE half precision.
fn half_bits(value: f32) -> u16 {
    let bits = value.to_bits();
    let sign = ((bits >> 16) & 0x8000) as u16;
    let magnitude = value.abs();
    if value.is_nan() {
        return sign | 0x7e00;
    }
    // 65520 is the smallest value that rounds to infinity.
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    if magnitude < f32::from_bits(0x3880_0000) {
        // Subnormal: a multiple of 2^-24. The scaling is exact.
        let units = (magnitude * 16_777_216.0).round_ties_even() as u16;
        return sign | units;
    }
    let rounded = (bits & 0x7fff_ffff) + 0xfff + ((bits >> 13) & 1);
    sign | ((rounded >> 13) - (112 << 10)) as u16
}

/// Wraps the value to the width of the scalar. `None` is a literal, which has 64 bits.
pub(crate) fn wrap(value: i128, scalar: Option<Scalar>) -> i128 {
    match scalar.unwrap_or(Scalar::I64) {
        Scalar::I16 => i128::from(value as i16),
        Scalar::U16 => i128::from(value as u16),
        Scalar::I32 => i128::from(value as i32),
        Scalar::U32 => i128::from(value as u32),
        Scalar::U64 => i128::from(value as u64),
        _ => i128::from(value as i64),
    }
}

/// Splits an integer literal in lower case into radix, digits and suffix.
fn digits(lower: &str) -> (u32, &str, &str) {
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    match digits.as_bytes() {
        [b'0', b'x', ..] => (16, &digits[2..], suffix),
        [b'0', b'b', ..] => (2, &digits[2..], suffix),
        [b'0', _, ..] => (8, &digits[1..], suffix),
        _ => (10, digits, suffix),
    }
}

/// The suffixes of integer literals, in lower case.
const SUFFIXES: [&str; 8] = ["", "u", "l", "ul", "lu", "ll", "ull", "llu"];

/// Returns the error of a literal that has no value.
pub fn no_number(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let (radix, digits, suffix) = digits(&lower);
    let is_integer = !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix));
    let is_digits = |digits: &str| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    let is_float = lower.strip_suffix(['f', 'h']).is_some_and(is_digits);
    let why = match () {
        () if is_integer && SUFFIXES.contains(&suffix) => "does not fit into 64 bits",
        () if is_float => "needs a decimal point before its suffix, as in `1.0f`",
        () => "is not a number",
    };
    format!("`{text}` {why}")
}

/// Returns the value and type of an integer literal as spelled; `None` when it does not fit 64 bits.
pub fn int_literal(text: &str) -> Option<Const> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits, suffix) = digits(&lower);
    if !SUFFIXES.contains(&suffix) {
        return None;
    }
    let value = i128::from(u64::from_str_radix(digits, radix).ok()?);
    let is_long = suffix.contains("ll");
    // One `l` gives the literal a type, but not a 64-bit one; in bases other than ten that type is unsigned.
    let is_unsigned = suffix.contains('u') || suffix == "l" && radix != 10;
    let fits = match is_unsigned {
        true => value <= i128::from(u32::MAX),
        false => value <= i128::from(i32::MAX),
    };
    let scalar = match (is_unsigned, is_long || !fits) {
        _ if suffix.is_empty() => None,
        (true, false) => Some(Scalar::U32),
        (false, false) => Some(Scalar::I32),
        (false, true) => Some(Scalar::I64),
        (true, true) => Some(Scalar::U64),
    };
    Some(Const::Int { value, scalar })
}

/// Returns the value and type of a float literal as spelled.
pub fn float_literal(text: &str) -> Option<Const> {
    let lower = text.to_ascii_lowercase();
    if let Some(("1", special)) = lower.split_once(".#") {
        return special_float(special);
    }
    if let Some(hex) = lower.strip_prefix("0x") {
        return hex_float(hex);
    }
    let (digits, scalar) = match lower.as_bytes().last()? {
        b'f' => (&lower[..lower.len() - 1], Some(Scalar::F32)),
        b'h' => (&lower[..lower.len() - 1], Some(Scalar::F16)),
        b'l' => (&lower[..lower.len() - 1], Some(Scalar::F64)),
        _ => (lower.as_str(), None),
    };
    // `19f` is an integer with a wrong suffix.
    if !digits.contains(['.', 'e']) {
        return None;
    }
    let value = match scalar {
        Some(Scalar::F32) => f64::from(digits.parse::<f32>().ok()?),
        _ => digits.parse().ok()?,
    };
    Some(suffixed(value, scalar))
}

/// Returns a literal, rounded to the type of its suffix. Those with `h` are not rounded: an option chooses the size of
/// `half`.
fn suffixed(value: f64, scalar: Option<Scalar>) -> Const {
    match scalar {
        Some(Scalar::F16) | None => Const::float(value, scalar),
        Some(scalar) => Const::float(value, None).cast(scalar),
    }
}

/// Reads `1.8p3`: the digits are in base 16, the exponent is a power of two.
fn hex_float(text: &str) -> Option<Const> {
    let (digits, exponent) = text.split_once('p')?;
    let (exponent, scalar) = match exponent.as_bytes().last()? {
        b'f' => (&exponent[..exponent.len() - 1], Some(Scalar::F32)),
        b'h' => (&exponent[..exponent.len() - 1], Some(Scalar::F16)),
        b'l' => (&exponent[..exponent.len() - 1], Some(Scalar::F64)),
        _ => (exponent, None),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let value = whole
        .chars()
        .chain(fraction.chars())
        .try_fold(0.0f64, |value, digit| Some(value * 16.0 + f64::from(digit.to_digit(16)?)))?;
    let exponent = exponent.parse::<i32>().ok()?.checked_sub(i32::try_from(fraction.len()).ok()?.checked_mul(4)?)?;
    Some(suffixed(value * 2f64.powi(exponent), scalar))
}

/// Reads the text after `1.#`: a name, which may itself end in `f`, and a suffix.
fn special_float(text: &str) -> Option<Const> {
    const NAMES: [(&str, f64); 5] =
        [("inf", f64::INFINITY), ("ind", f64::NAN), ("nan", f64::NAN), ("qnan", f64::NAN), ("snan", f64::NAN)];
    let (suffix, value) = NAMES.iter().find_map(|(name, value)| Some((text.strip_prefix(name)?, *value)))?;
    let scalar = match suffix {
        "" => None,
        "f" => Some(Scalar::F32),
        "h" => Some(Scalar::F16),
        "l" => Some(Scalar::F64),
        _ => return None,
    };
    Some(Const::float(value, scalar))
}

/// Computes a binary operation. `None` for division by zero and for operators that the operands do not have.
pub fn binary(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    use BinaryOp as B;
    if matches!(op, B::And | B::Or) {
        let (a, b) = (a.truthy(), b.truthy());
        return Some(Const::Bool(if op == B::And { a && b } else { a || b }));
    }
    if matches!(a, Const::Float { .. }) || matches!(b, Const::Float { .. }) {
        return float_binary(op, a, b);
    }
    let scalar = match (op, int_scalar(a), int_scalar(b)) {
        // A literal shifted by a `uint` is a `uint`; shifted by another number it is an `int`.
        (B::Shl | B::Shr, a, b) => a.or(b.map(|b| if b == Scalar::U32 { b } else { Scalar::I32 })),
        (_, a, b) => common_int(a, b),
    };
    let (x, y) = (wrap(a.to_int()?, scalar), b.to_int()?);
    let y = if matches!(op, B::Shl | B::Shr) { y } else { wrap(y, scalar) };
    let bits = i128::from(scalar.map_or(64, |s| s.size() * 8));
    let value = match op {
        B::Mul => x.wrapping_mul(y),
        B::Div => x.checked_div(y)?,
        B::Rem => x.checked_rem(y)?,
        B::Add => x + y,
        B::Sub => x - y,
        B::Shl => x << y.rem_euclid(bits),
        B::Shr => x >> y.rem_euclid(bits),
        B::BitAnd => x & y,
        B::BitOr => x | y,
        B::BitXor => x ^ y,
        B::Lt => return Some(Const::Bool(x < y)),
        B::Gt => return Some(Const::Bool(x > y)),
        B::Le => return Some(Const::Bool(x <= y)),
        B::Ge => return Some(Const::Bool(x >= y)),
        B::Eq => return Some(Const::Bool(x == y)),
        B::Ne => return Some(Const::Bool(x != y)),
        B::And | B::Or => return None,
    };
    Some(Const::Int { value: wrap(value, scalar), scalar })
}

/// Returns the type of an operation with a float: the wider of two. A literal without a suffix takes the type of the other
/// operand, or `float` if that is an integer with a type. `None`: both are literals.
fn common_float(a: Const, b: Const) -> Option<Scalar> {
    match (a, b) {
        (Const::Float { scalar: Some(x), .. }, Const::Float { scalar: Some(y), .. }) => {
            Some(if x.size() >= y.size() { x } else { y })
        }
        (Const::Float { scalar: Some(one), .. }, _) | (_, Const::Float { scalar: Some(one), .. }) => Some(one),
        (
            Const::Float { .. } | Const::Int { scalar: None, .. },
            Const::Float { .. } | Const::Int { scalar: None, .. },
        ) => None,
        _ => Some(Scalar::F32),
    }
}

fn float_binary(op: BinaryOp, a: Const, b: Const) -> Option<Const> {
    use BinaryOp as B;
    let scalar = common_float(a, b);
    // Operands are converted first: `16777217 + 0.5f` adds 16777216.
    let [x, y] = [a, b].map(|operand| scalar.map_or(operand, |scalar| operand.cast(scalar)).to_f64());
    let value = match op {
        B::Mul => x * y,
        B::Div => x / y,
        B::Rem => x % y,
        B::Add => x + y,
        B::Sub => x - y,
        B::Lt => return Some(Const::Bool(x < y)),
        B::Gt => return Some(Const::Bool(x > y)),
        B::Le => return Some(Const::Bool(x <= y)),
        B::Ge => return Some(Const::Bool(x >= y)),
        B::Eq => return Some(Const::Bool(x == y)),
        B::Ne => return Some(Const::Bool(x != y)),
        _ => return None,
    };
    Some(match scalar {
        Some(s) => Const::float(value, None).cast(s),
        None => Const::float(value, None),
    })
}

fn int_scalar(value: Const) -> Option<Scalar> {
    match value {
        Const::Bool(_) => Some(Scalar::I32),
        Const::Int { scalar, .. } => scalar,
        Const::Float { .. } => None,
    }
}

/// Returns the wider of two types, unsigned if either is. A literal takes the other's type.
fn common_int(a: Option<Scalar>, b: Option<Scalar>) -> Option<Scalar> {
    match (a, b) {
        (Some(a), Some(b)) => {
            let wider = if a.size() >= b.size() { a } else { b };
            let is_signed = a.is_signed() && b.is_signed();
            Some(if is_signed { wider } else { crate::tables::scalar::Scalar::of(wider).to_unsigned().repr() })
        }
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i128, scalar: Option<Scalar>) -> Const {
        Const::Int { value, scalar }
    }

    #[test]
    fn literals_have_the_type_of_their_suffix() {
        assert_eq!(int_literal("0x1Fu"), Some(int(31, Some(Scalar::U32))));
        assert_eq!(int_literal("017"), Some(int(15, None)));
        assert_eq!(int_literal("10uLL"), Some(int(10, Some(Scalar::U64))));
        assert_eq!(int_literal("0"), Some(int(0, None)));
        assert_eq!(int_literal("3l"), Some(int(3, Some(Scalar::I32))));
        assert_eq!(int_literal("0x3L"), Some(int(3, Some(Scalar::U32))));
        assert_eq!(int_literal("3ul"), Some(int(3, Some(Scalar::U32))));
        assert_eq!(int_literal("0x3ll"), Some(int(3, Some(Scalar::I64))));
        // Values that need more than 32 bits are kept.
        assert_eq!(int_literal("2147483648l"), Some(int(1 << 31, Some(Scalar::I64))));
        assert_eq!(int_literal("0x100000000l"), Some(int(1 << 32, Some(Scalar::U64))));
        assert_eq!(int_literal("4294967296u"), Some(int(1 << 32, Some(Scalar::U64))));
        assert_eq!(int_literal("0b101u"), Some(int(5, Some(Scalar::U32))));
        assert_eq!(int_literal("99999999999999999999"), None);
        assert_eq!(no_number("99999999999999999999u"), "`99999999999999999999u` does not fit into 64 bits");
        assert_eq!(no_number("0x1FFFFFFFFFFFFFFFF"), "`0x1FFFFFFFFFFFFFFFF` does not fit into 64 bits");
        for wrong in ["08", "0x", "0b2", "1u2", "1e", "1.0q"] {
            assert_eq!(int_literal(wrong), None);
            assert_eq!(no_number(wrong), format!("`{wrong}` is not a number"));
        }
        assert_eq!(float_literal("1.5f"), Some(Const::float(1.5, Some(Scalar::F32))));
        assert_eq!(float_literal("2.h"), Some(Const::float(2.0, Some(Scalar::F16))));
        assert_eq!(float_literal("70000.0h"), Some(Const::float(70000.0, Some(Scalar::F16))));
        assert_eq!(float_literal("1e3"), Some(Const::float(1000.0, None)));
        assert_eq!(float_literal("1.#INF"), Some(Const::float(f64::INFINITY, None)));
        assert_eq!(float_literal("1.#INFf"), Some(Const::float(f64::INFINITY, Some(Scalar::F32))));
        assert_eq!(float_literal("0x1.8p3"), Some(Const::float(12.0, None)));
        assert_eq!(float_literal("0x.8P-2f"), Some(Const::float(0.125, Some(Scalar::F32))));
        assert_eq!(float_literal("0xAp1h"), Some(Const::float(20.0, Some(Scalar::F16))));
        for wrong in ["0xp1", "0x1.8", "0x1p", "0x1pf", "0xg.1p2"] {
            assert_eq!(float_literal(wrong), None, "{wrong}");
        }
        assert_eq!(float_literal("1.#INFi"), None);
        assert_eq!(float_literal("0.#INF"), None);
        assert!(matches!(float_literal("1.#QNANh"), Some(Const::Float { scalar: Some(Scalar::F16), .. })));
    }

    #[test]
    fn arithmetic_wraps_at_the_width_of_the_operands() {
        let max = int(i128::from(u32::MAX), Some(Scalar::U32));
        let one = int(1, None);
        assert_eq!(binary(BinaryOp::Add, max, one), Some(int(0, Some(Scalar::U32))));
        assert_eq!(binary(BinaryOp::Shl, one, int(40, None)), Some(int(1 << 40, None)));
        assert_eq!(binary(BinaryOp::Shl, int(1, Some(Scalar::I32)), int(33, None)), Some(int(2, Some(Scalar::I32))));
        assert_eq!(binary(BinaryOp::Div, one, int(0, None)), None);
        assert_eq!(
            binary(BinaryOp::Lt, int(-1, Some(Scalar::I32)), int(1, Some(Scalar::U32))),
            Some(Const::Bool(false))
        );
        assert_eq!(binary(BinaryOp::Rem, int(-7, None), int(3, None)), Some(int(-1, None)));
    }

    #[test]
    fn casts_and_bits() {
        assert_eq!(int(-1, Some(Scalar::I32)).cast(Scalar::U16), int(65535, Some(Scalar::U16)));
        assert_eq!(Const::float(2.9, None).cast(Scalar::I32), int(2, Some(Scalar::I32)));
        assert_eq!(int(-1, Some(Scalar::I32)).to_ir().bits, 0xffff_ffff);
        assert_eq!(Const::float(1.0, Some(Scalar::F32)).to_ir().bits, 0x3f80_0000);
        // IEEE 754 binary16: 1/3, the largest finite value, the smallest subnormal, a tie.
        for (value, bits) in
            [(1.0 / 3.0, 0x3555), (65504.0, 0x7bff), (5.960_464_5e-8, 1), (2049.0, 0x6800), (-2.0, 0xc000)]
        {
            assert_eq!(Const::float(value, Some(Scalar::F16)).to_ir().bits, bits, "{value}");
        }
    }
}
