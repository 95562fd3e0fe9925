//! Component types in the tables of this test: their HLSL names, their bits, their values.

use half::f16;

/// A component type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl Kind {
    pub fn word(self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::I16 => "int16_t",
            Kind::U16 => "uint16_t",
            Kind::I32 => "int",
            Kind::U32 => "uint",
            Kind::I64 => "int64_t",
            Kind::U64 => "uint64_t",
            Kind::F16 => "float16_t",
            Kind::F32 => "float",
            Kind::F64 => "double",
        }
    }

    /// Returns the type with `width` components; a scalar for 1.
    pub fn vector(self, width: usize) -> String {
        if width == 1 { self.word().to_owned() } else { format!("{}{width}", self.word()) }
    }

    pub fn bits(self) -> u32 {
        match self {
            Kind::Bool => 1,
            Kind::I16 | Kind::U16 | Kind::F16 => 16,
            Kind::I32 | Kind::U32 | Kind::F32 => 32,
            Kind::I64 | Kind::U64 | Kind::F64 => 64,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F16 | Kind::F32 | Kind::F64)
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Kind::I16 | Kind::I32 | Kind::I64)
    }

    /// Returns the value of a float's bits.
    pub fn float(self, bits: u64) -> f64 {
        match self {
            Kind::F16 => f16::from_bits(bits as u16).to_f64(),
            Kind::F32 => f64::from(f32::from_bits(bits as u32)),
            Kind::F64 => f64::from_bits(bits),
            _ => unreachable!("{self:?} is no float"),
        }
    }

    /// Returns the bits of the float nearest to a value.
    pub fn of_float(self, value: f64) -> u64 {
        match self {
            Kind::F16 => u64::from(f16::from_f64(value).to_bits()),
            Kind::F32 => u64::from((value as f32).to_bits()),
            Kind::F64 => value.to_bits(),
            _ => unreachable!("{self:?} is no float"),
        }
    }

    /// Returns the value of an integer's or bool's bits.
    pub fn integer(self, bits: u64) -> i128 {
        let unused = 64 - self.bits();
        if self.is_signed() { i128::from((bits << unused) as i64 >> unused) } else { i128::from(bits) }
    }

    /// Returns the low bits of a value.
    pub fn of_integer(self, value: i128) -> u64 {
        value as u64 & (u64::MAX >> (64 - self.bits()))
    }

    /// Returns the number of bits in the fraction of a float.
    fn fraction(self) -> i32 {
        match self {
            Kind::F16 => 10,
            Kind::F32 => 23,
            _ => 52,
        }
    }

    /// Returns the exponent of the least normal number.
    fn least_exponent(self) -> i32 {
        match self {
            Kind::F16 => -14,
            Kind::F32 => -126,
            _ => -1022,
        }
    }

    /// Returns the least positive normal number.
    pub fn least_normal(self) -> f64 {
        2f64.powi(self.least_exponent())
    }

    /// Returns the largest finite number.
    pub fn largest(self) -> f64 {
        match self {
            Kind::F16 => 65504.0,
            Kind::F32 => f64::from(f32::MAX),
            _ => f64::MAX,
        }
    }

    /// Returns the distance of neighbouring floats at a value.
    pub fn ulp(self, value: f64) -> f64 {
        if value.is_nan() {
            return 0.0;
        }
        let value = value.abs().clamp(self.least_normal(), self.largest());
        2f64.powi(value.log2().floor() as i32 - self.fraction())
    }

    /// Returns a value for messages.
    pub fn show(self, bits: u64) -> String {
        if self.is_float() {
            format!("{:?} ({bits:#x})", self.float(bits))
        } else {
            format!("{} ({bits:#x})", self.integer(bits))
        }
    }
}
