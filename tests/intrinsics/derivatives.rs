//! Derivatives: differences between the threads of a quad.
//!
//! Each thread's first argument is its index in its workgroup, so that an expectation finds the others of its quad. The
//! device chooses the source of coarse derivatives: the quad's first row or column, or its second.

use crate::harness::{Case, Shape, Want};
use crate::inputs::Numbers;
use crate::kind::Kind;

use Kind::*;

/// A thread's column and row in its quad, and the threads of the quad in reading order.
type Quads = fn(usize) -> ([usize; 2], [usize; 4]);

/// Groups four consecutive threads.
fn row(thread: usize) -> ([usize; 2], [usize; 4]) {
    let first = thread / 4 * 4;
    ([thread % 2, thread / 2 % 2], [first, first + 1, first + 2, first + 3])
}

/// Groups two by two threads of a workgroup of eight rows of eight.
fn square(thread: usize) -> ([usize; 2], [usize; 4]) {
    let (x, y) = (thread % 8, thread / 8);
    let first = y / 2 * 2 * 8 + x / 2 * 2;
    ([x % 2, y % 2], [first, first + 1, first + 8, first + 9])
}

/// Returns the allowed results of a function: differences along the axis, in the line of the thread or in each line of
/// the quad.
fn differences([x, y]: [usize; 2], quad: [f64; 4], axis: usize, coarse: bool) -> Vec<f64> {
    let of = |line: usize| match axis {
        0 => quad[2 * line + 1] - quad[2 * line],
        _ => quad[2 + line] - quad[line],
    };
    if coarse { vec![of(0), of(1)] } else { vec![of(if axis == 0 { y } else { x })] }
}

fn cases(quads: Quads) -> Vec<Case> {
    const FUNCTIONS: &[(&str, &[usize], bool)] = &[
        // Plain functions may be fine or coarse.
        ("ddx", &[0], true),
        ("ddy", &[1], true),
        ("ddx_coarse", &[0], true),
        ("ddy_coarse", &[1], true),
        ("ddx_fine", &[0], false),
        ("ddy_fine", &[1], false),
        ("fwidth", &[0, 1], true),
    ];
    let mut cases = Vec::new();
    for kind in [F32, F16] {
        for width in 1..=4 {
            for &(name, axes, coarse) in FUNCTIONS {
                let mut numbers = Numbers::new(31);
                // Eighths, whose differences are exact.
                let mut value = || kind.of_float((numbers.bits() % 512) as f64 / 8.0 - 32.0);
                let inputs: Vec<Vec<u64>> =
                    (0..64u64).map(|t| [t].into_iter().chain((0..width).map(|_| value())).collect()).collect();
                let all = inputs.clone();
                let want = move |bits: &[u64]| {
                    let (place, quad) = quads(bits[0] as usize);
                    let component = |c: usize| {
                        let values = quad.map(|t| kind.float(all[t][1 + c]));
                        let possible: Vec<f64> = match *axes {
                            [axis] => differences(place, values, axis, coarse),
                            _ => {
                                let (dx, dy) =
                                    (differences(place, values, 0, true), differences(place, values, 1, true));
                                dx.iter().flat_map(|x| dy.iter().map(move |y| x.abs() + y.abs())).collect()
                            }
                        };
                        // Zero has two signs.
                        let signs = possible.iter().flat_map(|x| if *x == 0.0 { vec![0.0, -0.0] } else { vec![*x] });
                        Want::OneOf(signs.map(|x| kind.of_float(x)).collect())
                    };
                    (0..width).map(component).collect()
                };
                cases.push(Case {
                    name: name.to_owned(),
                    text: format!("r0 = {name}(a1);"),
                    args: vec![Shape { kind: U32, width: 1 }, Shape { kind, width }],
                    results: vec![Shape { kind, width }],
                    inputs,
                    want: Box::new(want),
                });
            }
        }
    }
    cases
}

pub fn in_a_row() -> Vec<Case> {
    cases(row)
}

pub fn in_squares() -> Vec<Case> {
    cases(square)
}

/// Derivatives use the same quads as reads across lanes: squares of threads if X and Y of the workgroup are even.
pub fn beside_lanes() -> Vec<Case> {
    let mut numbers = Numbers::new(37);
    let value = |t: u64, numbers: &mut Numbers| vec![t, F32.of_float((numbers.bits() % 512) as f64 / 8.0 - 32.0)];
    let inputs: Vec<Vec<u64>> = (0..64u64).map(|t| value(t, &mut numbers)).collect();
    let all = inputs.clone();
    let want = move |bits: &[u64]| {
        let of = |t: usize| F32.float(all[t][1]);
        let thread = bits[0] as usize;
        let ([x, y], quad) = square(thread);
        let (across, down) = (of(quad[2 * y + 1]) - of(quad[2 * y]), of(quad[2 + x]) - of(quad[x]));
        let (beside, below) = (quad[2 * y + 1 - x], quad[2 * (1 - y) + x]);
        [across, down, of(beside), of(below)].map(|v| Want::Bits(F32.of_float(v + 0.0))).to_vec()
    };
    vec![Case {
        name: "QuadReadAcrossY".to_owned(),
        // No negative zeros.
        text:
            "r0 = ddx_fine(a1) + 0; r1 = ddy_fine(a1) + 0; r2 = QuadReadAcrossX(a1) + 0; r3 = QuadReadAcrossY(a1) + 0;"
                .to_owned(),
        args: [U32, F32].map(|kind| Shape { kind, width: 1 }).to_vec(),
        results: [F32; 4].map(|kind| Shape { kind, width: 1 }).to_vec(),
        inputs,
        want: Box::new(want),
    }]
}
