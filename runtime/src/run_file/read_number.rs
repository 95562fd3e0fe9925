//! Numbers of run files.
//!
//! Integers are JSON numbers without fraction or exponent, or strings of decimal or `0x` digits. Floats are JSON
//! numbers, or the strings `nan`, `inf`, `-inf` and `0x` with all the bits.

use half::f16;

use super::error::{Checked, Fault};
use crate::numbers::{Class, Number, Scalar, mask};
use wgc_json::{Value, ValueKind};

impl Scalar {
    /// Reads a number from `value`.
    pub(super) fn read(self, value: &Value) -> Checked<Number> {
        let (bits, any_nan) = match self.class() {
            Class::Bool => (self.read_bool(value)?, false),
            Class::Float => self.read_float(value)?,
            Class::Unsigned | Class::Signed => (self.read_integer(value)?, false),
        };
        let exact = matches!(&value.kind, ValueKind::String(text) if text.starts_with("0x"));
        Ok(Number { scalar: self, bits, any_nan, exact })
    }

    fn read_bool(self, value: &Value) -> Checked<u64> {
        match &value.kind {
            ValueKind::Bool(b) => Ok(u64::from(*b)),
            ValueKind::Number(text) if text == "0" || text == "1" => Ok(u64::from(text == "1")),
            _ => Err(Fault::new(value.at, format!("expected true, false, 0 or 1, found {}", value.describe()))),
        }
    }

    fn read_integer(self, value: &Value) -> Checked<u64> {
        let wrong = |found: &str| Fault::new(value.at, format!("expected an integer ({}), found {found}", self.name()));
        let text = match &value.kind {
            ValueKind::Number(text) | ValueKind::String(text) => text,
            _ => return Err(wrong(value.describe())),
        };
        let number = match text.strip_prefix("0x") {
            Some(digits) => i128::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with(['+', '-'])),
            None => text.parse::<i128>().ok().filter(|_| !text.starts_with('+')),
        };
        // A number with too many digits for any integer is out of range, not misspelt.
        let only_digits = text.bytes().enumerate().all(|(i, b)| b.is_ascii_digit() || (i == 0 && b == b'-'));
        let width = 8 * self.size() as u32;
        let range = match self.class() {
            Class::Signed => -(1i128 << (width - 1))..=(1i128 << (width - 1)) - 1,
            _ => 0..=(1i128 << width) - 1,
        };
        match number {
            Some(number) if range.contains(&number) => Ok(number as u64 & mask(self.size())),
            Some(_) => Err(Fault::new(value.at, format!("{text} does not fit into {}", self.name()))),
            None if only_digits && text.len() > 1 => {
                Err(Fault::new(value.at, format!("{text} does not fit into {}", self.name())))
            }
            None => Err(wrong(&format!("{text:?}"))),
        }
    }

    fn read_float(self, value: &Value) -> Checked<(u64, bool)> {
        let number = match &value.kind {
            ValueKind::Number(text) => text.as_str(),
            ValueKind::String(text) => match text.as_str() {
                "nan" => return Ok((self.quiet_nan(), true)),
                "inf" | "-inf" => text,
                _ => {
                    let digits = text.strip_prefix("0x").filter(|d| d.len() == 2 * self.size());
                    return match digits.filter(|d| !d.starts_with('+')).map(|d| u64::from_str_radix(d, 16)) {
                        Some(Ok(bits)) => Ok((bits, false)),
                        _ => Err(Fault::new(
                            value.at,
                            format!(
                                "expected a number, \"nan\", \"inf\", \"-inf\" or \"0x\" with {} digits, found {text:?}",
                                2 * self.size()
                            ),
                        )),
                    };
                }
            },
            _ => {
                let message = format!("expected a number ({}), found {}", self.name(), value.describe());
                return Err(Fault::new(value.at, message));
            }
        };
        // Each width is parsed separately: rounding to double first would round twice. Half goes through double, whose
        // precision is far beyond its own.
        let (bits, finite) = match self {
            Scalar::F32 => number.parse::<f32>().map_or((0, false), |v| (u64::from(v.to_bits()), v.is_finite())),
            Scalar::F16 => {
                number.parse::<f64>().map(f16::from_f64).map_or((0, false), |v| (u64::from(v.to_bits()), v.is_finite()))
            }
            _ => number.parse::<f64>().map_or((0, false), |v| (v.to_bits(), v.is_finite())),
        };
        if !finite && matches!(value.kind, ValueKind::Number(_)) {
            return Err(Fault::new(value.at, format!("{number} does not fit into {}", self.name())));
        }
        Ok((bits, false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::Tolerance;
    use wgc_json::parse;

    fn bytes(scalar: Scalar, text: &str) -> Result<Vec<u8>, String> {
        let number = scalar.read(&parse(text).unwrap()).map_err(|f| f.message)?;
        let mut bytes = Vec::new();
        number.store(&mut bytes);
        Ok(bytes)
    }

    #[test]
    fn bytes_in_memory() {
        // Worked out from the formats: two's complement, IEEE 754.
        let cases: &[(Scalar, &str, &[u8])] = &[
            (Scalar::U8, "255", &[255]),
            (Scalar::U16, "258", &[2, 1]),
            (Scalar::U32, "\"0xdeadbeef\"", &[0xef, 0xbe, 0xad, 0xde]),
            (Scalar::U64, "18446744073709551615", &[255; 8]),
            (Scalar::U64, "\"18446744073709551614\"", &[254, 255, 255, 255, 255, 255, 255, 255]),
            (Scalar::I16, "-2", &[0xfe, 0xff]),
            (Scalar::I32, "-2147483648", &[0, 0, 0, 0x80]),
            (Scalar::I64, "\"-1\"", &[255; 8]),
            (Scalar::F16, "1.5", &[0x00, 0x3e]),
            (Scalar::F16, "65504", &[0xff, 0x7b]),
            (Scalar::F32, "1", &[0, 0, 0x80, 0x3f]),
            (Scalar::F32, "-0.0", &[0, 0, 0, 0x80]),
            (Scalar::F32, "\"nan\"", &[0, 0, 0xc0, 0x7f]),
            (Scalar::F32, "\"-inf\"", &[0, 0, 0x80, 0xff]),
            (Scalar::F32, "\"0x7fc00001\"", &[1, 0, 0xc0, 0x7f]),
            (Scalar::F64, "0.5", &[0, 0, 0, 0, 0, 0, 0xe0, 0x3f]),
            // Halfway between two floats plus a little: rounding to double first would lose the little.
            (Scalar::F32, "1.00000005960464477540", &[1, 0, 0x80, 0x3f]),
            (Scalar::Bool, "true", &[1, 0, 0, 0]),
        ];
        for (scalar, text, expected) in cases {
            assert_eq!(bytes(*scalar, text).as_deref(), Ok(*expected), "{} {text}", scalar.name());
        }
    }

    #[test]
    fn invalid_numbers_are_rejected() {
        let cases = [
            (Scalar::U8, "256", "256 does not fit into u8"),
            (Scalar::U32, "-1", "-1 does not fit into u32"),
            (Scalar::U32, "1.5", "expected an integer (u32), found \"1.5\""),
            (Scalar::U32, "\"0x\"", "expected an integer (u32), found \"0x\""),
            (Scalar::U32, "\"0x-1\"", "expected an integer (u32), found \"0x-1\""),
            (Scalar::U32, "true", "expected an integer (u32), found a boolean"),
            (Scalar::I32, "2147483648", "2147483648 does not fit into i32"),
            (Scalar::U64, "18446744073709551616", "18446744073709551616 does not fit into u64"),
            (Scalar::F32, "1e39", "1e39 does not fit into f32"),
            (Scalar::F16, "65520", "65520 does not fit into f16"),
            (
                Scalar::F32,
                "\"0x7fc0\"",
                "expected a number, \"nan\", \"inf\", \"-inf\" or \"0x\" with 8 digits, found \"0x7fc0\"",
            ),
            (Scalar::F32, "[1]", "expected a number (f32), found an array"),
            (Scalar::Bool, "2", "expected true, false, 0 or 1, found a number"),
        ];
        for (scalar, text, message) in cases {
            assert_eq!(bytes(scalar, text), Err(message.to_owned()), "{text}");
        }
        let huge = format!("1{}", "0".repeat(60));
        assert_eq!(bytes(Scalar::U64, &huge), Err(format!("{huge} does not fit into u64")));
    }

    #[test]
    fn number_comparison_honours_tolerances_and_nan() {
        let number = |text: &str| Scalar::F32.read(&parse(text).unwrap()).unwrap();
        let none = Tolerance::default();
        let some = |abs, rel| Tolerance { abs, rel };
        assert!(number("0").accepts(number("-0.0"), none));
        assert!(!number("\"0x00000000\"").accepts(number("-0.0"), none));
        assert!(number("\"nan\"").accepts(number("\"0xffc00001\""), none));
        assert!(!number("\"0x7fc00000\"").accepts(number("\"0xffc00001\""), none));
        assert!(!number("\"nan\"").accepts(number("1"), some(9.0, 9.0)));
        assert!(!number("1").accepts(number("\"nan\""), some(9.0, 9.0)));
        assert!(!number("\"inf\"").accepts(number("1"), some(9.0, 9.0)));
        assert!(number("\"inf\"").accepts(number("\"inf\""), none));
        assert!(!number("1").accepts(number("1.5"), none));
        assert!(number("1").accepts(number("1.5"), some(0.5, 0.0)));
        assert!(!number("1").accepts(number("1.5"), some(0.25, 0.0)));
        assert!(number("-100").accepts(number("-101"), some(0.0, 0.01)));
        assert!(!number("-100").accepts(number("-102"), some(0.5, 0.01)));
        let integer = |text: &str| Scalar::I32.read(&parse(text).unwrap()).unwrap();
        assert!(integer("-1").accepts(integer("1"), some(2.0, 0.0)));
        assert!(!integer("-1").accepts(integer("1"), some(1.0, 0.0)));
    }
}
