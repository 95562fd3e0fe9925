//! Tolerances between two devices, or two compilers on one device. They apply to single operations of floats, by the
//! table "Precision of core SPIR-V instructions" of the Vulkan specification. Each side may deviate that much, so they
//! are doubled.

/// An operation, and the maximum difference of two results: in units of the last place, or absolute.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// `$` and `@` are operands, which are multiples of 1/8 up to 64.
    pub spelling: &'static str,
    pub ulps: f64,
    pub absolute: f64,
}

const fn ulps(spelling: &'static str, ulps: f64) -> Row {
    Row { spelling, ulps: 2.0 * ulps, absolute: 0.0 }
}

const fn absolute(spelling: &'static str, absolute: f64) -> Row {
    Row { spelling, ulps: 0.0, absolute: 2.0 * absolute }
}

/// 2^-11, of sine and cosine within [-pi, pi].
const TRIGONOMETRIC: f64 = 1.0 / 2048.0;

pub const TABLE: &[Row] = &[
    // OpFDiv: 2.5 ULP.
    ulps("$ / (abs(@) + 1.0f)", 2.5),
    // 1.0 / inversesqrt(): 2 ULP of the root, 2.5 of the division.
    ulps("sqrt(abs($))", 4.5),
    ulps("rsqrt(abs($) + 0.5f)", 2.0),
    ulps("rcp(abs($) + 0.5f)", 2.5),
    // Exp and Exp2: 3 + 2 * |x| ULP; here |x| is at most 8.
    ulps("exp2($ / 8.0f)", 3.0 + 2.0 * 8.0),
    ulps("exp(clamp($, -8.0f, 8.0f))", 3.0 + 2.0 * 8.0),
    // Log and Log2: 3 ULP outside of [0.5, 2].
    ulps("log2(abs($) + 2.5f)", 3.0),
    ulps("log(abs($) + 2.5f)", 3.0),
    // Log2 with another multiplication.
    ulps("log10(abs($) + 2.5f)", 4.0),
    absolute("sin(clamp($, -3.125f, 3.125f))", TRIGONOMETRIC),
    absolute("cos(clamp($, -3.125f, 3.125f))", TRIGONOMETRIC),
    // Atan, Atan2, Asin, Acos: 4096 ULP; the last two use atan2 and a root.
    ulps("atan(abs($) + 0.5f)", 4096.0),
    ulps("atan2(abs($) + 0.5f, abs(@) + 0.5f)", 4096.0),
    // Pow is exp2(y * log2(x)).
    ulps("pow(abs($) / 16.0f + 2.5f, clamp(@, -4.0f, 4.0f))", 3.0 + 2.0 * 12.0 + 12.0 * 3.0),
    // Length: as dot and a root; dot of small multiples of 1/8 is exact.
    ulps("length(float2($, @))", 4.5),
    ulps("distance(float2($, @), float2(@, $))", 4.5),
    ulps("normalize(float2(abs($) + 1.0f, @)).x", 4.5 + 2.5),
    // A rounded constant, and a rounded product.
    ulps("degrees($)", 2.0),
    ulps("radians($)", 2.0),
];
