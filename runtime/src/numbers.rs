//! Numbers and their bytes: loading, comparing and printing one component of a value. Memory is little-endian.
//!
//! Numbers are printed as `run_file` reads them.

use half::f16;
use wgc_abi::LayoutScalar;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    U8,
    U16,
    U32,
    U64,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    /// Four bytes, 0 or 1.
    Bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Unsigned,
    Signed,
    Float,
    Bool,
}

impl Scalar {
    /// Keys of typed arrays.
    pub const KEYS: [(&'static str, Scalar); 10] = [
        ("u8", Scalar::U8),
        ("u16", Scalar::U16),
        ("u32", Scalar::U32),
        ("u64", Scalar::U64),
        ("i16", Scalar::I16),
        ("i32", Scalar::I32),
        ("i64", Scalar::I64),
        ("f16", Scalar::F16),
        ("f32", Scalar::F32),
        ("f64", Scalar::F64),
    ];

    pub fn from_key(key: &str) -> Option<Self> {
        Self::KEYS.iter().find(|k| k.0 == key).map(|k| k.1)
    }

    pub fn of(layout: LayoutScalar) -> Self {
        match layout {
            LayoutScalar::Bool => Scalar::Bool,
            LayoutScalar::I16 => Scalar::I16,
            LayoutScalar::U16 => Scalar::U16,
            LayoutScalar::I32 => Scalar::I32,
            LayoutScalar::U32 => Scalar::U32,
            LayoutScalar::I64 => Scalar::I64,
            LayoutScalar::U64 => Scalar::U64,
            LayoutScalar::F16 => Scalar::F16,
            LayoutScalar::F32 => Scalar::F32,
            LayoutScalar::F64 => Scalar::F64,
        }
    }

    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the bytes in memory.
    pub fn size(self) -> usize {
        self.row().1
    }

    pub fn is_float(self) -> bool {
        self.class() == Class::Float
    }

    pub(crate) fn class(self) -> Class {
        self.row().2
    }

    fn row(self) -> (&'static str, usize, Class) {
        match self {
            Scalar::U8 => ("u8", 1, Class::Unsigned),
            Scalar::U16 => ("u16", 2, Class::Unsigned),
            Scalar::U32 => ("u32", 4, Class::Unsigned),
            Scalar::U64 => ("u64", 8, Class::Unsigned),
            Scalar::I16 => ("i16", 2, Class::Signed),
            Scalar::I32 => ("i32", 4, Class::Signed),
            Scalar::I64 => ("i64", 8, Class::Signed),
            Scalar::F16 => ("f16", 2, Class::Float),
            Scalar::F32 => ("f32", 4, Class::Float),
            Scalar::F64 => ("f64", 8, Class::Float),
            Scalar::Bool => ("bool", 4, Class::Bool),
        }
    }

    pub(crate) fn quiet_nan(self) -> u64 {
        match self {
            Scalar::F16 => 0x7e00,
            Scalar::F32 => 0x7fc0_0000,
            _ => 0x7ff8_0000_0000_0000,
        }
    }

    /// Reads the number at the start of `bytes`; missing bytes read as zero.
    pub fn load(self, bytes: &[u8]) -> Number {
        let mut word = [0u8; 8];
        for (target, source) in word.iter_mut().zip(bytes.iter().take(self.size())) {
            *target = *source;
        }
        Number { scalar: self, bits: u64::from_le_bytes(word), any_nan: false, exact: false }
    }
}

/// Returns ones in as many low bytes.
pub(crate) fn mask(bytes: usize) -> u64 {
    if bytes >= 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 }
}

/// One component of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub scalar: Scalar,
    /// The number's bits in memory; the upper bits are zero.
    pub bits: u64,
    /// Written as `nan`: matches every NaN.
    pub any_nan: bool,
    /// Written as bits: matches these alone.
    pub exact: bool,
}

/// The allowed difference between an actual value and the expected one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Absolute difference that is accepted.
    pub abs: f64,
    /// Difference relative to the expected value that is accepted.
    pub rel: f64,
}

impl Number {
    /// Appends the bytes in memory.
    pub fn store(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.bits.to_le_bytes()[..self.scalar.size()]);
    }

    /// Writes the bytes to the start of `target`, up to its length.
    pub fn store_at(self, target: &mut [u8]) {
        for (target, source) in target.iter_mut().zip(&self.bits.to_le_bytes()[..self.scalar.size()]) {
            *target = *source;
        }
    }

    /// Returns this many of its bits, starting at bit `first`, as a number of the same type.
    pub fn bits(self, first: u32, width: u32) -> Number {
        let above = 64u32.saturating_sub(width).min(63);
        let top = (self.bits >> first.min(63)) << above;
        let signed = self.scalar.class() == Class::Signed;
        let bits = if signed { ((top as i64) >> above) as u64 & mask(self.scalar.size()) } else { top >> above };
        Number { bits, ..self }
    }

    /// Returns this number with this many bits replaced by those of another.
    pub fn with_bits(self, first: u32, width: u32, part: Number) -> Number {
        let ones = u64::MAX >> 64u32.saturating_sub(width).min(63);
        Number { bits: self.bits & !(ones << first.min(63)) | (part.bits & ones) << first.min(63), ..self }
    }

    /// Returns the number as a double; integers of 64 bits are rounded.
    pub fn as_f64(self) -> f64 {
        match self.scalar {
            Scalar::F16 => f64::from(f16::from_bits(self.bits as u16)),
            Scalar::F32 => f64::from(f32::from_bits(self.bits as u32)),
            Scalar::F64 => f64::from_bits(self.bits),
            _ => self.as_integer() as f64,
        }
    }

    fn as_integer(self) -> i128 {
        match self.scalar {
            Scalar::I16 => i128::from(self.bits as i16),
            Scalar::I32 => i128::from(self.bits as i32),
            Scalar::I64 => i128::from(self.bits as i64),
            _ => i128::from(self.bits),
        }
    }

    /// Returns whether `actual` matches this expected number. It matches with the same bits, or with an equal value if
    /// the number is not written as bits (so 0 accepts -0). `nan` accepts any NaN. Otherwise the difference must be
    /// within the larger of both tolerances.
    pub fn accepts(self, actual: Number, tolerance: Tolerance) -> bool {
        if self.bits == actual.bits {
            return true;
        }
        if self.exact {
            return false;
        }
        if !self.scalar.is_float() {
            let difference = (self.as_integer() - actual.as_integer()).unsigned_abs() as f64;
            return difference <= tolerance.abs.max(tolerance.rel * self.as_f64().abs());
        }
        let (expected, actual) = (self.as_f64(), actual.as_f64());
        if self.any_nan || expected.is_nan() {
            return self.any_nan && actual.is_nan();
        }
        // Only the same infinity matches an infinity, regardless of the tolerance.
        expected == actual
            || (expected.is_finite() && (expected - actual).abs() <= tolerance.abs.max(tolerance.rel * expected.abs()))
    }

    /// Returns a value that is equal for numbers that [`Number::accepts`] without tolerance.
    pub fn class(self) -> u64 {
        if self.scalar.is_float() {
            let value = self.as_f64();
            if value == 0.0 && !self.exact {
                return 0;
            }
            if self.any_nan {
                return self.scalar.quiet_nan();
            }
        }
        self.bits
    }

    pub fn is_nan(self) -> bool {
        self.scalar.is_float() && self.as_f64().is_nan()
    }

    /// Returns the number in the syntax of run files.
    pub fn to_json(self) -> String {
        match self.scalar {
            Scalar::Bool if self.bits <= 1 => (self.bits == 1).to_string(),
            Scalar::U64 | Scalar::I64 => format!("\"{}\"", self.as_integer()),
            _ if !self.scalar.is_float() => self.as_integer().to_string(),
            _ if self.is_nan() && self.bits == self.scalar.quiet_nan() => "\"nan\"".to_owned(),
            _ if self.is_nan() => format!("\"0x{:0width$x}\"", self.bits, width = 2 * self.scalar.size()),
            _ if self.as_f64().is_infinite() => format!("\"{}inf\"", if self.as_f64() < 0.0 { "-" } else { "" }),
            // The shortest digits for the same number of this width.
            Scalar::F32 => format!("{:?}", f32::from_bits(self.bits as u32)),
            Scalar::F16 => format!("{:?}", f32::from(f16::from_bits(self.bits as u16))),
            _ => format!("{:?}", self.as_f64()),
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.to_json().trim_matches('"'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts() {
        let number = |scalar: Scalar, bits| Number { scalar, bits, any_nan: false, exact: false };
        assert_eq!(number(Scalar::U32, 0xabcd_1234).bits(4, 8).bits, 0x23);
        assert_eq!(number(Scalar::U64, u64::MAX).bits(0, 64).bits, u64::MAX);
        assert_eq!(number(Scalar::I32, 0b1_0110_0000).bits(5, 4).as_integer(), -5);
        assert_eq!(number(Scalar::I16, 0x7fff).bits(15, 1).as_integer(), 0);
        assert_eq!(number(Scalar::I16, 0x8000).bits(15, 1).bits, 0xffff);
        assert_eq!(number(Scalar::Bool, 4).bits(2, 1).bits, 1);
    }

    #[test]
    fn printing() {
        let print = |scalar: Scalar, bytes: &[u8]| scalar.load(bytes).to_json();
        assert_eq!(print(Scalar::F32, &[0xcd, 0xcc, 0xcc, 0x3d]), "0.1");
        assert_eq!(print(Scalar::F32, &[0, 0, 0xc0, 0x7f]), "\"nan\"");
        assert_eq!(print(Scalar::F32, &[1, 0, 0xc0, 0xff]), "\"0xffc00001\"");
        assert_eq!(print(Scalar::F64, &[0, 0, 0, 0, 0, 0, 0xf0, 0xff]), "\"-inf\"");
        assert_eq!(print(Scalar::I32, &[0xff; 4]), "-1");
        assert_eq!(print(Scalar::U64, &[0xff; 8]), "\"18446744073709551615\"");
        assert_eq!(print(Scalar::Bool, &[1, 0, 0, 0]), "true");
        assert_eq!(print(Scalar::Bool, &[7, 0, 0, 0]), "7");
        assert_eq!(print(Scalar::F16, &[0x00, 0x3e]), "1.5");
    }
}
