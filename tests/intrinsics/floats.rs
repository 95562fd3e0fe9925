//! Functions of floats that work component by component.
//!
//! Error bounds are those of Vulkan ("Precision of GLSL.std.450 instructions"), in 32 and 16 bits. A composed function
//! has the sum of its operations' bounds. Results that HLSL does not specify are not checked.

use crate::harness::{Case, Shape, Want};
use crate::inputs::{Among, floats, tuples};
use crate::kind::Kind;

/// The permitted absolute error, for a kind, arguments and the true value.
type Error = fn(Kind, &[f64], f64) -> f64;

struct Row {
    name: &'static str,
    arity: usize,
    among: Among,
    kinds: &'static [Kind],
    reference: fn(&[f64]) -> f64,
    error: Error,
}

const NARROW: &[Kind] = &[Kind::F32, Kind::F16];
const EVERY: &[Kind] = &[Kind::F32, Kind::F16, Kind::F64];
const SINGLE: &[Kind] = &[Kind::F32];
const DOUBLE: &[Kind] = &[Kind::F64];
const ANYTHING: f64 = f64::INFINITY;

const fn row(
    name: &'static str,
    arity: usize,
    among: Among,
    kinds: &'static [Kind],
    reference: fn(&[f64]) -> f64,
    error: Error,
) -> Row {
    Row { name, arity, among, kinds, reference, error }
}

/// Returns the error of the nearest number: at most half a unit, which the comparison allows.
fn exact(_: Kind, _: &[f64], _: f64) -> f64 {
    0.0
}

/// Correct rounding allows either neighbour.
fn rounded(kind: Kind, _: &[f64], value: f64) -> f64 {
    kind.ulp(value)
}

fn ulps(kind: Kind, value: f64, n: f64) -> f64 {
    kind.ulp(value) * n
}

/// 3 + 2 |x| units; 1 + 2 |x| of 16 bits.
fn exponential(kind: Kind, x: f64, value: f64) -> f64 {
    ulps(kind, value, if kind == Kind::F16 { 1.0 } else { 3.0 } + 2.0 * x.abs())
}

/// 3 units; near 1, 2^-21 or 2^-7. For a denormal, drivers use the logarithm of zero, of itself or of its bits.
fn logarithm(kind: Kind, x: f64, value: f64) -> f64 {
    if x != 0.0 && x.abs() < kind.least_normal() {
        return ANYTHING;
    }
    let near = if kind == Kind::F16 { 2f64.powi(-7) } else { 2f64.powi(-21) };
    if (0.5..=2.0).contains(&x) { near } else { ulps(kind, value, 3.0) }
}

/// 2^-11 or 2^-7, absolute, in [-pi, pi].
fn circular(kind: Kind) -> f64 {
    if kind == Kind::F16 { 2f64.powi(-7) } else { 2f64.powi(-11) }
}

/// 4096 units, or 5.
fn arc(kind: Kind, value: f64) -> f64 {
    ulps(kind, value, if kind == Kind::F16 { 5.0 } else { 4096.0 })
}

/// 2.5 units if the divisor is neither tiny nor huge.
fn quotient(kind: Kind, divisor: f64, value: f64) -> f64 {
    let usual = divisor.abs() >= kind.least_normal() && divisor.abs() <= 1.0 / kind.least_normal();
    if usual { ulps(kind, value, 2.5) } else { ANYTHING }
}

/// `asin` and `acos` are computed as arc tangents of `sqrt(1 - x * x)`.
fn arc_of_root(kind: Kind, x: f64, value: f64) -> f64 {
    let lost = kind.ulp(1.0) * 2.0 / (1.0 - x * x).max(kind.ulp(1.0)).sqrt();
    arc(kind, value) + lost + if kind == Kind::F16 { 2f64.powi(-9) } else { 2f64.powi(-11) }
}

fn round_even(x: f64) -> f64 {
    x.round_ties_even()
}

/// Returns the other operand if one is NaN.
fn min(a: f64, b: f64) -> f64 {
    a.min(b)
}

fn max(a: f64, b: f64) -> f64 {
    a.max(b)
}

use Among::{All, Range};

#[rustfmt::skip]
const TABLE: &[Row] = &[
    row("abs", 1, All, EVERY, |x| x[0].abs(), exact),
    row("min", 2, All, EVERY, |x| min(x[0], x[1]), exact),
    row("max", 2, All, EVERY, |x| max(x[0], x[1]), exact),
    row("clamp", 3, All, EVERY, |x| min(max(x[0], x[1]), x[2]), exact),
    row("saturate", 1, All, EVERY, |x| min(max(x[0], 0.0), 1.0), exact),
    row("mad", 3, Range(-40.0, 40.0), EVERY, |x| x[0] * x[1] + x[2],
        |k, x, v| k.ulp(x[0] * x[1]) + k.ulp(v)),
    row("fma", 3, Range(-40.0, 40.0), DOUBLE, |x| x[0].mul_add(x[1], x[2]),
        // Vulkan permits a separately rounded product.
        |k, x, v| k.ulp(x[0] * x[1]) + k.ulp(v)),
    row("rcp", 1, All, EVERY, |x| 1.0 / x[0], |k, x, v| quotient(k, x[0], v)),

    row("floor", 1, All, NARROW, |x| x[0].floor(), exact),
    row("ceil", 1, All, NARROW, |x| x[0].ceil(), exact),
    row("round", 1, All, NARROW, |x| round_even(x[0]), exact),
    row("trunc", 1, All, NARROW, |x| x[0].trunc(), exact),
    // Just below an integer the difference rounds to 1.
    row("frac", 1, All, NARROW, |x| x[0] - x[0].floor(), |k, x, v| if x[0].is_infinite() { ANYTHING } else { rounded(k, x, v) }),
    row("fmod", 2, Range(-40.0, 40.0), NARROW, |x| x[0] % x[1],
        // x - y * trunc(x / y): near a multiple the quotient may be truncated to either side.
        |k, x, v| {
            let near = (x[0] / x[1] - (x[0] / x[1]).round()).abs() <= k.ulp(x[0] / x[1]) * 4.0;
            if x[1] == 0.0 { ANYTHING } else if near { x[1].abs() + k.ulp(x[0]) } else { k.ulp(x[0]) * 2.0 + k.ulp(v) }
        }),
    row("sqrt", 1, All, NARROW, |x| x[0].sqrt(),
        |k, x, v| if x[0] < 0.0 && x[0] > -k.least_normal() { ANYTHING } else { ulps(k, v, 4.0) }),
    row("rsqrt", 1, All, NARROW, |x| 1.0 / x[0].sqrt(),
        |k, x, v| if x[0] == 0.0 && x[0].is_sign_negative() || x[0].abs() < k.least_normal() && x[0] != 0.0 { ANYTHING } else { ulps(k, v, 2.0) }),
    row("exp", 1, All, NARROW, |x| x[0].exp(), |k, x, v| exponential(k, x[0], v)),
    row("exp2", 1, All, NARROW, |x| x[0].exp2(), |k, x, v| exponential(k, x[0], v)),
    row("log", 1, All, NARROW, |x| x[0].ln(), |k, x, v| logarithm(k, x[0], v)),
    row("log2", 1, All, NARROW, |x| x[0].log2(), |k, x, v| logarithm(k, x[0], v)),
    row("log10", 1, All, NARROW, |x| x[0].log10(), |k, x, v| logarithm(k, x[0], v) + k.ulp(v) * 2.0),
    // exp2(y * log2(x)); a negative x has no logarithm, and 0^0 is 1 or NaN.
    row("pow", 2, Range(-3.0, 8.0), NARROW, |x| if x[0] < 0.0 { f64::NAN } else { x[0].powf(x[1]) },
        |k, x, v| {
            if x[0] == 0.0 && x[1] <= 0.0 { return ANYTHING }
            if x[0] <= 0.0 { return 0.0 }
            let exponent = x[1] * x[0].log2();
            let lost = (logarithm(k, x[0], x[0].log2()) * x[1].abs() + k.ulp(exponent)) * v * 0.7;
            exponential(k, exponent, v) + lost
        }),

    row("sin", 1, Range(-3.140625, 3.140625), NARROW, |x| x[0].sin(), |k, _, _| circular(k)),
    row("cos", 1, Range(-3.140625, 3.140625), NARROW, |x| x[0].cos(), |k, _, _| circular(k)),
    // sin / cos
    row("tan", 1, Range(-1.4, 1.4), NARROW, |x| x[0].tan(),
        |k, x, v| circular(k) * (1.0 + v.abs()) / (x[0].cos() - circular(k)) + ulps(k, v, 2.5)),
    row("asin", 1, Range(-1.0, 1.0), NARROW, |x| x[0].asin(), |k, x, v| arc_of_root(k, x[0], v)),
    row("acos", 1, Range(-1.0, 1.0), NARROW, |x| x[0].acos(), |k, x, v| arc_of_root(k, x[0], v)),
    row("atan", 1, All, NARROW, |x| x[0].atan(), |k, _, v| arc(k, v)),
    row("atan2", 2, Range(-40.0, 40.0), NARROW, |x| x[0].atan2(x[1]),
        // Undefined if both are zero; the sign of a zero y may be lost on the negative axis.
        |k, x, v| if x[0] == 0.0 && x[1] <= 0.0 { ANYTHING } else { arc(k, v) }),
    // (exp(x) - exp(-x)) / 2 and similar: the error of the larger exponential.
    row("sinh", 1, Range(-9.0, 9.0), NARROW, |x| x[0].sinh(), |k, x, _| exponential(k, x[0], x[0].abs().exp()) + k.ulp(1.0)),
    row("cosh", 1, Range(-9.0, 9.0), NARROW, |x| x[0].cosh(), |k, x, _| exponential(k, x[0], x[0].abs().exp()) + k.ulp(1.0)),
    row("tanh", 1, All, NARROW, |x| x[0].tanh(),
        |k, x, v| {
            let x = x[0].abs().min(10.0);
            (exponential(k, x, x.exp()) + k.ulp(1.0)) * 2.0 / x.cosh() + ulps(k, v, 2.5)
        }),

    row("lerp", 3, Range(-40.0, 40.0), NARROW, |x| x[0] + x[2] * (x[1] - x[0]),
        |k, x, v| k.ulp(x[0] * (1.0 - x[2])) + k.ulp(x[1] * x[2]) + k.ulp(1.0 - x[2]) * x[0].abs() + k.ulp(v)),
    row("step", 2, All, NARROW, |x| if x[1] >= x[0] { 1.0 } else { 0.0 }, exact),
    row("smoothstep", 3, Range(-4.0, 4.0), NARROW,
        |x| {
            let t = min(max((x[2] - x[0]) / (x[1] - x[0]), 0.0), 1.0);
            t * t * (3.0 - 2.0 * t)
        },
        |k, x, _| {
            let (over, span) = (x[2] - x[0], x[1] - x[0]);
            if span.abs() < k.ulp(4.0) * 4.0 { return ANYTHING }
            // The slope is at most 3 / 2.
            1.5 * (k.ulp(over) / span.abs() + (over / span).abs().min(1.0) * (k.ulp(span) / span.abs()) + k.ulp(1.0) * 2.5) + k.ulp(1.0) * 4.0
        }),
    row("radians", 1, Range(-720.0, 720.0), NARROW, |x| x[0].to_radians(), |k, _, v| ulps(k, v, 2.0)),
    row("degrees", 1, Range(-12.0, 12.0), NARROW, |x| x[0].to_degrees(), |k, _, v| ulps(k, v, 2.0)),
    row("ldexp", 2, Range(-6.0, 6.0), NARROW, |x| x[0] * x[1].exp2(), |k, x, v| exponential(k, x[1], x[1].exp2()) * x[0].abs() + k.ulp(v)),
];

/// Returns cases of a component-wise function: a scalar and vectors of each kind.
fn componentwise(row: &'static Row, kind: Kind) -> Vec<Case> {
    let tuples = tuples(&vec![floats(kind, row.among); row.arity]);
    let call: Vec<String> = (0..row.arity).map(|i| format!("a{i}")).collect();
    (1..=4)
        .map(|width| {
            let shape = Shape { kind, width };
            let want = move |bits: &[u64]| {
                let component = |c: usize| {
                    let x: Vec<f64> = (0..row.arity).map(|i| kind.float(bits[i * width + c])).collect();
                    let value = (row.reference)(&x);
                    Want::Near { value, error: (row.error)(kind, &x, value) }
                };
                (0..width).map(component).collect()
            };
            Case {
                name: row.name.to_owned(),
                text: format!("r0 = {}({});", row.name, call.join(", ")),
                args: vec![shape; row.arity],
                results: vec![shape],
                inputs: crate::inputs::widened(&tuples, row.arity, width),
                want: Box::new(want),
            }
        })
        .collect()
}

pub fn functions_of_floats() -> Vec<Case> {
    TABLE.iter().flat_map(|row| row.kinds.iter().flat_map(|k| componentwise(row, *k))).collect()
}

/// Returns a case of one kind whose result has other types than its arguments.
fn case(
    text: &str,
    kind: Kind,
    arity: usize,
    width: usize,
    results: &[Kind],
    want: fn(Kind, &[f64]) -> Vec<Want>,
) -> Case {
    let tuples = tuples(&vec![floats(kind, Among::All); arity]);
    let count = results.len();
    Case {
        name: text.split_once('(').map_or("", |t| t.0.rsplit(' ').next().unwrap_or("")).to_owned(),
        text: text.to_owned(),
        args: vec![Shape { kind, width }; arity],
        results: results.iter().map(|&kind| Shape { kind, width }).collect(),
        inputs: crate::inputs::widened(&tuples, arity, width),
        want: Box::new(move |bits| {
            let each: Vec<Vec<Want>> = (0..width)
                .map(|c| {
                    let x: Vec<f64> = (0..arity).map(|i| kind.float(bits[i * width + c])).collect();
                    want(kind, &x)
                })
                .collect();
            (0..count).flat_map(|r| each.iter().map(move |e| e[r].clone())).collect()
        }),
    }
}

fn truth(value: bool) -> Vec<Want> {
    vec![Want::Bits(u64::from(value))]
}

pub fn tests_and_parts_of_floats() -> Vec<Case> {
    let mut cases = Vec::new();
    for width in [1, 3, 4] {
        for &kind in NARROW {
            let test = |text, want| case(text, kind, 1, width, &[Kind::Bool], want);
            cases.push(test("r0 = isnan(a0);", |_, x| truth(x[0].is_nan())));
            cases.push(test("r0 = isinf(a0);", |_, x| truth(x[0].is_infinite())));
            cases.push(test("r0 = isfinite(a0);", |_, x| truth(x[0].is_finite())));
            cases.push(test("r0 = isnormal(a0);", |k, x| truth(x[0].is_finite() && x[0].abs() >= k.least_normal())));
            cases.push(case("r0 = modf(a0, r1);", kind, 1, width, &[kind, kind], |_, x| {
                let error = if x[0].is_infinite() { ANYTHING } else { 0.0 };
                vec![Want::Near { value: x[0] - x[0].trunc(), error }, Want::Near { value: x[0].trunc(), error: 0.0 }]
            }));
            cases.push(case("sincos(a0, r0, r1);", kind, 1, width, &[kind, kind], |k, x| {
                let error = if x[0].abs() <= std::f64::consts::PI { circular(k) } else { ANYTHING };
                vec![Want::Near { value: x[0].sin(), error }, Want::Near { value: x[0].cos(), error }]
            }));
        }
        for &kind in EVERY {
            cases.push(case("r0 = sign(a0);", kind, 1, width, &[Kind::I32], |_, x| {
                let sign = if x[0] > 0.0 {
                    1
                } else if x[0] < 0.0 {
                    -1
                } else {
                    0
                };
                vec![Want::Bits(Kind::I32.of_integer(sign))]
            }));
        }
        for &kind in SINGLE {
            cases.push(case("r0 = frexp(a0, r1);", kind, 1, width, &[kind, kind], |_, x| {
                if x[0] == 0.0 || !x[0].is_finite() {
                    return vec![Want::Near { value: x[0], error: 0.0 }, Want::Near { value: 0.0, error: 0.0 }];
                }
                let exponent = x[0].abs().log2().floor() + 1.0;
                vec![
                    Want::Near { value: x[0] / exponent.exp2(), error: 0.0 },
                    Want::Near { value: exponent, error: 0.0 },
                ]
            }));
        }
    }
    cases
}
