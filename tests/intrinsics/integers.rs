//! Component-wise functions of integers, and of booleans.

use crate::harness::{Case, Shape, Want};
use crate::inputs::{integers, tuples, widened};
use crate::kind::Kind;

const INTEGERS: &[Kind] = &[Kind::I32, Kind::U32, Kind::I16, Kind::U16, Kind::I64, Kind::U64];
const ALL: &[Kind] =
    &[Kind::Bool, Kind::I32, Kind::U32, Kind::I16, Kind::U16, Kind::I64, Kind::U64, Kind::F32, Kind::F16, Kind::F64];

/// Maps values (of bits, sign-extended if the kind is signed) to a value, whose low bits count.
type Reference = fn(Kind, &[i128]) -> i128;

struct Row {
    name: &'static str,
    arity: usize,
    kinds: &'static [Kind],
    /// `None`: the kind of the arguments.
    result: Option<Kind>,
    reference: Reference,
}

/// Returns the highest bit that differs from the sign.
fn high(x: i128) -> i128 {
    let x = if x < 0 { !x } else { x };
    (0..64).rev().find(|i| x >> i & 1 != 0).unwrap_or(-1)
}

#[rustfmt::skip]
const TABLE: &[Row] = &[
    Row { name: "abs", arity: 1, kinds: INTEGERS, result: None, reference: |_, x| x[0].abs() },
    Row { name: "sign", arity: 1, kinds: INTEGERS, result: Some(Kind::I32), reference: |_, x| x[0].signum() },
    Row { name: "min", arity: 2, kinds: INTEGERS, result: None, reference: |_, x| x[0].min(x[1]) },
    Row { name: "max", arity: 2, kinds: INTEGERS, result: None, reference: |_, x| x[0].max(x[1]) },
    Row { name: "clamp", arity: 3, kinds: INTEGERS, result: None, reference: |_, x| x[0].max(x[1]).min(x[2]) },
    Row { name: "mad", arity: 3, kinds: INTEGERS, result: None, reference: |_, x| x[0].wrapping_mul(x[1]).wrapping_add(x[2]) },
    Row { name: "countbits", arity: 1, kinds: INTEGERS, result: Some(Kind::U32),
        reference: |k, x| i128::from(k.of_integer(x[0]).count_ones()) },
    Row { name: "firstbitlow", arity: 1, kinds: INTEGERS, result: Some(Kind::U32),
        reference: |_, x| (0..64).find(|i| x[0] >> i & 1 != 0).unwrap_or(-1) },
    Row { name: "firstbithigh", arity: 1, kinds: INTEGERS, result: Some(Kind::U32), reference: |_, x| high(x[0]) },
    Row { name: "reversebits", arity: 1, kinds: INTEGERS, result: None,
        reference: |k, x| i128::from(k.of_integer(x[0]).reverse_bits() >> (64 - k.bits())) },
    Row { name: "and", arity: 2, kinds: &[Kind::Bool], result: None, reference: |_, x| x[0] & x[1] },
    Row { name: "or", arity: 2, kinds: &[Kind::Bool], result: None, reference: |_, x| x[0] | x[1] },
];

fn cases(row: &'static Row, kind: Kind) -> Vec<Case> {
    let tuples = tuples(&vec![integers(kind); row.arity]);
    let call: Vec<String> = (0..row.arity).map(|i| format!("a{i}")).collect();
    let result = row.result.unwrap_or(kind);
    (1..=4)
        .map(|width| Case {
            name: row.name.to_owned(),
            text: format!("r0 = {}({});", row.name, call.join(", ")),
            args: vec![Shape { kind, width }; row.arity],
            results: vec![Shape { kind: result, width }],
            inputs: widened(&tuples, row.arity, width),
            want: Box::new(move |bits| {
                let component = |c: usize| {
                    let x: Vec<i128> = (0..row.arity).map(|i| kind.integer(bits[i * width + c])).collect();
                    Want::Bits(result.of_integer((row.reference)(kind, &x)))
                };
                (0..width).map(component).collect()
            }),
        })
        .collect()
}

pub fn functions_of_integers() -> Vec<Case> {
    TABLE.iter().flat_map(|row| row.kinds.iter().flat_map(|k| cases(row, *k))).collect()
}

/// `any`, `all`: a component is true if it is not zero, and NaN is not zero.
pub fn truth_of_vectors() -> Vec<Case> {
    let mut out = Vec::new();
    for &kind in ALL {
        let values = if kind.is_float() {
            [0.0, -0.0, 1.0, -2.5, f64::NAN, f64::INFINITY].map(|x| kind.of_float(x)).to_vec()
        } else {
            integers(kind)
        };
        for width in 1..=4 {
            // Half of the components are zero, so that both answers occur.
            let columns = vec![[vec![0; values.len()], values.clone()].concat(); width];
            for (name, all) in [("any", false), ("all", true)] {
                let is = move |bits: u64| if kind.is_float() { kind.float(bits) != 0.0 } else { bits != 0 };
                out.push(Case {
                    name: name.to_owned(),
                    text: format!("r0 = {name}(a0);"),
                    args: vec![Shape { kind, width }],
                    results: vec![Shape { kind: Kind::Bool, width: 1 }],
                    inputs: tuples(&columns),
                    want: Box::new(move |bits| {
                        let truth = if all { bits.iter().all(|b| is(*b)) } else { bits.iter().any(|b| is(*b)) };
                        vec![Want::Bits(u64::from(truth))]
                    }),
                });
            }
        }
    }
    out
}

/// `select` returns the bits of either side unchanged.
pub fn selection() -> Vec<Case> {
    let mut out = Vec::new();
    for &kind in ALL {
        let mut numbers = crate::inputs::Numbers::new(3);
        for width in 1..=4 {
            for whole in [true, false] {
                let conditions = if whole { 1 } else { width };
                let value = |n: &mut crate::inputs::Numbers| {
                    if kind.is_float() { kind.of_float(n.between(-9.0, 9.0)) } else { kind.of_integer(n.bits().into()) }
                };
                let row = |n: &mut crate::inputs::Numbers| {
                    let mut row: Vec<u64> = (0..conditions).map(|_| n.bits() >> 7 & 1).collect();
                    row.extend((0..2 * width).map(|_| value(n)));
                    row
                };
                out.push(Case {
                    name: "select".to_owned(),
                    text: "r0 = select(a0, a1, a2);".to_owned(),
                    args: vec![
                        Shape { kind: Kind::Bool, width: conditions },
                        Shape { kind, width },
                        Shape { kind, width },
                    ],
                    results: vec![Shape { kind, width }],
                    inputs: (0..40).map(|_| row(&mut numbers)).collect(),
                    want: Box::new(move |bits| {
                        let (condition, values) = bits.split_at(conditions);
                        let side = |c: usize| if condition[c % conditions] != 0 { 0 } else { width };
                        (0..width).map(|c| Want::Bits(values[side(c) + c])).collect()
                    }),
                });
            }
        }
    }
    out
}
