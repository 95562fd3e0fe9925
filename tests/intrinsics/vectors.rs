//! Functions of whole vectors: products, lengths, directions, and those of the fixed-function pipeline.

use crate::harness::{Case, Shape, Want};
use crate::inputs::Numbers;
use crate::kind::Kind;

use Kind::*;

/// Maps arguments (their components' values) to the components of the result, and the error of each.
type Reference = fn(Kind, &[Vec<f64>]) -> (Vec<f64>, f64);

/// Returns a case whose arguments are vectors of `width` or scalars.
fn case(name: &str, kind: Kind, widths: &[usize], result: usize, range: f64, reference: Reference) -> Case {
    let mut numbers = Numbers::new(17);
    let total: usize = widths.iter().sum();
    let row = |n: usize, numbers: &mut Numbers| -> Vec<u64> {
        let value = |numbers: &mut Numbers| match (n + numbers.bits() as usize) % 9 {
            0 => 0.0,
            1 => 1.0,
            2 => -1.0,
            _ => numbers.between(-range, range),
        };
        (0..total).map(|_| kind.of_float(value(numbers))).collect()
    };
    let call: Vec<String> = (0..widths.len()).map(|i| format!("a{i}")).collect();
    let widths = widths.to_vec();
    Case {
        name: name.to_owned(),
        text: format!("r0 = {name}({});", call.join(", ")),
        args: widths.iter().map(|&width| Shape { kind, width }).collect(),
        results: vec![Shape { kind, width: result }],
        inputs: (0..200).map(|n| row(n, &mut numbers)).collect(),
        want: Box::new(move |bits| {
            let mut rest = bits;
            let mut args = Vec::new();
            for width in &widths {
                let (arg, tail) = rest.split_at(*width);
                args.push(arg.iter().map(|b| kind.float(*b)).collect::<Vec<f64>>());
                rest = tail;
            }
            let (values, error) = reference(kind, &args);
            values.into_iter().map(|value| Want::Near { value, error }).collect()
        }),
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Returns the error of a sum of products: each product's and each sum's, of magnitudes.
fn dot_error(kind: Kind, a: &[f64], b: &[f64]) -> f64 {
    let magnitude: f64 = a.iter().zip(b).map(|(x, y)| (x * y).abs()).sum();
    kind.ulp(magnitude) * a.len() as f64
}

fn length(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Returns the error of a sum of squares and its root: half of the sum's relative error, plus that of the root.
fn length_error(kind: Kind, n: usize, value: f64) -> f64 {
    kind.ulp(value) * (n as f64 + 4.0)
}

const FLOATS: &[Kind] = &[F32, F16];

pub fn geometry() -> Vec<Case> {
    let mut cases = Vec::new();
    for &kind in &[F32, F16, F64] {
        for n in 1..=4 {
            cases
                .push(case("dot", kind, &[n, n], 1, 8.0, |k, a| (vec![dot(&a[0], &a[1])], dot_error(k, &a[0], &a[1]))));
        }
    }
    for &kind in FLOATS {
        for n in 1..=4 {
            cases.push(case("length", kind, &[n], 1, 8.0, |k, a| {
                let value = length(&a[0]);
                (vec![value], length_error(k, a[0].len(), value))
            }));
            cases.push(case("distance", kind, &[n, n], 1, 8.0, |k, a| {
                let d: Vec<f64> = a[0].iter().zip(&a[1]).map(|(x, y)| y - x).collect();
                // Each difference is rounded once.
                (vec![length(&d)], length_error(k, d.len(), length(&d)) + k.ulp(16.0) * 2.0)
            }));
            cases.push(case("normalize", kind, &[n], n, 8.0, |k, a| {
                let value = length(&a[0]);
                let error = if value == 0.0 { f64::INFINITY } else { k.ulp(1.0) * (a[0].len() as f64 + 7.0) };
                (a[0].iter().map(|x| x / value).collect(), error)
            }));
            cases.push(case("reflect", kind, &[n, n], n, 4.0, |k, a| {
                let d = dot(&a[0], &a[1]);
                let largest = a[1].iter().fold(0.0f64, |m, x| m.max(x.abs()));
                let error = 2.0 * dot_error(k, &a[0], &a[1]) * largest + k.ulp(2.0 * d * largest) * 2.0 + k.ulp(4.0);
                (a[0].iter().zip(&a[1]).map(|(i, n)| i - 2.0 * n * d).collect(), error)
            }));
            cases.push(case("faceforward", kind, &[n, n, n], n, 8.0, |k, a| {
                let d = dot(&a[1], &a[2]);
                let unsure = d != 0.0 && d.abs() <= dot_error(k, &a[1], &a[2]);
                let sign = if d < 0.0 { 1.0 } else { -1.0 };
                (a[0].iter().map(|x| x * sign).collect(), if unsure { f64::INFINITY } else { 0.0 })
            }));
            cases.push(case("refract", kind, &[n, n, 1], n, 1.0, |k, a| {
                let (i, n, eta) = (&a[0], &a[1], a[2][0]);
                let c = dot(n, i);
                let square = 1.0 - eta * eta * (1.0 - c * c);
                // The root near 0 loses half of the digits.
                let lost = k.ulp(1.0) * 64.0;
                if square.abs() < lost {
                    return (vec![0.0; i.len()], f64::INFINITY);
                }
                if square < 0.0 {
                    return (vec![0.0; i.len()], 0.0);
                }
                let root = square.sqrt();
                let error = lost / root + k.ulp(8.0) * 4.0;
                (i.iter().zip(n).map(|(i, n)| i * eta - n * (eta * c + root)).collect(), error)
            }));
        }
        cases.push(case("cross", kind, &[3, 3], 3, 8.0, |k, a| {
            let (x, y) = (&a[0], &a[1]);
            let part = |i: usize, j: usize| x[i] * y[j] - x[j] * y[i];
            (vec![part(1, 2), part(2, 0), part(0, 1)], k.ulp(64.0) * 2.0)
        }));
    }
    cases
}

pub fn of_the_fixed_pipeline() -> Vec<Case> {
    let mut cases = Vec::new();
    for &kind in FLOATS {
        // The power of the highlight has the error of `pow`; the numbers are small.
        cases.push(case("lit", kind, &[1, 1, 1], 4, 3.0, |k, a| {
            let (l, h, m) = (a[0][0], a[1][0], a[2][0]);
            let highlight = if l < 0.0 || h < 0.0 { 0.0 } else { h.powf(m) };
            let error = if h == 0.0 && m <= 0.0 && l >= 0.0 {
                f64::INFINITY
            } else {
                let exponent = (m * h.max(1e-30).log2()).abs();
                k.ulp(highlight) * (3.0 + 2.0 * exponent) + highlight * k.ulp(2.0) * 8.0 * (1.0 + m.abs())
            };
            (vec![1.0, l.max(0.0), highlight, 1.0], error)
        }));
    }
    for &kind in &[F32, F16, F64] {
        cases.push(case("dst", kind, &[4, 4], 4, 8.0, |_, a| (vec![1.0, a[0][1] * a[1][1], a[0][2], a[1][3]], 0.0)));
    }
    let mut color = case("D3DCOLORtoUBYTE4", F32, &[4], 4, 1.0, |_, _| (Vec::new(), 0.0));
    color.results[0].kind = I32;
    color.want = Box::new(|bits| {
        let at = |i: usize| {
            let product = (F32.float(bits[i]) as f32 * 255.001_95_f32).trunc();
            // The product may be rounded to either side of an integer.
            let exact = (F32.float(bits[i]) * f64::from(255.001_95_f32)).trunc();
            Want::OneOf(vec![I32.of_integer(product as i128), I32.of_integer(exact as i128)])
        };
        [2, 1, 0, 3].into_iter().map(at).collect()
    });
    cases.push(color);
    cases
}

/// Integer products wrap.
pub fn dot_of_integers() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in [I32, U32, I16, U16, I64, U64] {
        for width in 1..=4 {
            let mut case = case("dot", F32, &[width, width], 1, 8.0, |_, _| (Vec::new(), 0.0));
            case.args.iter_mut().chain(&mut case.results).for_each(|s| s.kind = kind);
            let mut numbers = Numbers::new(19);
            case.inputs = (0..100)
                .map(|n| (0..2 * width).map(|_| kind.of_integer(i128::from(numbers.bits() >> (n % 60)))).collect())
                .collect();
            case.want = Box::new(move |bits| {
                let (a, b) = bits.split_at(width);
                let products = a.iter().zip(b).map(|(a, b)| a.wrapping_mul(*b));
                vec![Want::Bits(kind.of_integer(products.fold(0u64, u64::wrapping_add).into()))]
            });
            cases.push(case);
        }
    }
    cases
}
