//! Products, transposes and determinants of small whole numbers, which are exact in every type.
//!
//! The shader builds matrices from rows and writes them row by row. The test computes a product as sums, and a
//! determinant as a sum over permutations.

use crate::harness::{Case, Shape, Want};
use crate::inputs::Numbers;
use crate::kind::Kind;

use Kind::*;

/// Rows by columns; a vector has 1 for one of them, a scalar for both.
#[derive(Clone, Copy)]
struct Size(usize, usize);

/// The notation of an operand.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    Scalar,
    Vector,
    Matrix,
}

impl Size {
    /// Returns the vectors that transfer an operand between host and shader: rows of a matrix.
    fn shapes(self, kind: Kind, form: Form) -> Vec<Shape> {
        match form {
            Form::Matrix => vec![Shape { kind, width: self.1 }; self.0],
            _ => vec![Shape { kind, width: self.0 * self.1 }],
        }
    }

    /// Returns the operand built from arguments, starting at number `first`.
    fn text(self, kind: Kind, form: Form, first: usize) -> String {
        match form {
            Form::Matrix => {
                let rows: Vec<String> = (first..first + self.0).map(|n| format!("a{n}")).collect();
                format!("{}{}x{}({})", kind.word(), self.0, self.1, rows.join(", "))
            }
            _ => format!("a{first}"),
        }
    }
}

/// Components, row by row.
type Cells = Vec<i128>;

fn case(
    name: &str,
    kind: Kind,
    operands: &[(Size, Form)],
    result: (Size, Form),
    want: impl Fn(&[Cells]) -> Cells + 'static,
) -> Case {
    let (mut args, mut texts) = (Vec::new(), Vec::new());
    for (size, form) in operands {
        texts.push(size.text(kind, *form, args.len()));
        args.extend(size.shapes(kind, *form));
    }
    let call = format!("{name}({})", texts.join(", "));
    let results = result.0.shapes(kind, result.1);
    let text = match result.1 {
        Form::Matrix => {
            let ty = format!("{}{}x{}", kind.word(), result.0.0, result.0.1);
            let rows: Vec<String> = (0..result.0.0).map(|n| format!("r{n} = m[{n}];")).collect();
            format!("{ty} m = {call}; {}", rows.join(" "))
        }
        _ => format!("r0 = {call};"),
    };
    let mut numbers = Numbers::new(41);
    let least = if kind.is_signed() || kind.is_float() { -3 } else { 0 };
    let bits = move |n: i128| if kind.is_float() { kind.of_float(n as f64) } else { kind.of_integer(n) };
    let value = move |b: u64| if kind.is_float() { kind.float(b) as i128 } else { kind.integer(b) };
    let cells: usize = args.iter().map(|s| s.width).sum();
    let mut number = || i128::from(numbers.bits() % 7) + least;
    let inputs = (0..16).map(|_| (0..cells).map(|_| bits(number())).collect()).collect();
    let sizes: Vec<usize> = operands.iter().map(|o| o.0.0 * o.0.1).collect();
    let want = move |given: &[u64]| {
        let mut rest = given.iter().map(|b| value(*b));
        let operands: Vec<Cells> = sizes.iter().map(|n| rest.by_ref().take(*n).collect()).collect();
        let same = |n: i128| {
            if n == 0 && kind.is_float() {
                Want::OneOf(vec![bits(0), kind.of_float(-0.0)])
            } else {
                Want::Bits(bits(n))
            }
        };
        want(&operands).into_iter().map(same).collect()
    };
    Case { name: name.to_owned(), text, args, results, inputs, want: Box::new(want) }
}

fn product(a: &[i128], b: &[i128], Size(rows, inner): Size, columns: usize) -> Cells {
    let cell = |n: usize| (0..inner).map(|k| a[n / columns * inner + k] * b[k * columns + n % columns]).sum();
    (0..rows * columns).map(cell).collect()
}

/// Returns the sum over all permutations, each with its sign.
fn determinant(m: &[i128], n: usize) -> i128 {
    fn sum(m: &[i128], n: usize, chosen: &mut Vec<usize>) -> i128 {
        if chosen.len() == n {
            let swaps =
                (0..n).flat_map(|i| (0..i).map(move |j| (j, i))).filter(|(j, i)| chosen[*j] > chosen[*i]).count();
            let product: i128 = chosen.iter().enumerate().map(|(row, column)| m[row * n + column]).product();
            return if swaps % 2 == 0 { product } else { -product };
        }
        let mut total = 0;
        for column in 0..n {
            if !chosen.contains(&column) {
                chosen.push(column);
                total += sum(m, n, chosen);
                chosen.pop();
            }
        }
        total
    }
    sum(m, n, &mut Vec::new())
}

pub fn products() -> Vec<Case> {
    use Form::*;
    let mut cases = Vec::new();
    let scaled = |x: &[Cells]| match (x[0].len(), x[1].len()) {
        (1, _) => x[1].iter().map(|n| n * x[0][0]).collect(),
        _ => x[0].iter().map(|n| n * x[1][0]).collect(),
    };
    let one = (Size(1, 1), Scalar);
    for kind in [F32, I32, F16] {
        cases.push(case("mul", kind, &[one, one], one, scaled));
        for n in 2..=4 {
            let vector = (Size(n, 1), Vector);
            cases.push(case("mul", kind, &[one, vector], vector, scaled));
            cases.push(case("mul", kind, &[vector, one], vector, scaled));
            cases.push(case("mul", kind, &[vector, vector], one, move |x| product(&x[0], &x[1], Size(1, n), 1)));
        }
        for (r, c) in [(2, 2), (2, 3), (4, 3), (3, 3), (4, 4)] {
            let matrix = (Size(r, c), Matrix);
            let (row, column) = ((Size(1, r), Vector), (Size(c, 1), Vector));
            cases.push(case("mul", kind, &[one, matrix], matrix, scaled));
            cases.push(case("mul", kind, &[matrix, one], matrix, scaled));
            let by_row = move |x: &[Cells]| product(&x[0], &x[1], Size(1, r), c);
            cases.push(case("mul", kind, &[row, matrix], (Size(1, c), Vector), by_row));
            let by_column = move |x: &[Cells]| product(&x[0], &x[1], Size(r, c), 1);
            cases.push(case("mul", kind, &[matrix, column], (Size(r, 1), Vector), by_column));
            for k in [2, 4] {
                let other = (Size(c, k), Matrix);
                let want = move |x: &[Cells]| product(&x[0], &x[1], Size(r, c), k);
                cases.push(case("mul", kind, &[matrix, other], (Size(r, k), Matrix), want));
            }
        }
    }
    cases
}

pub fn transposes_and_determinants() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in [F32, I16, U64] {
        for (r, c) in [(2, 2), (2, 3), (4, 3), (3, 3), (4, 4)] {
            let turned = move |x: &[Cells]| (0..r * c).map(|n| x[0][n % r * c + n / r]).collect();
            cases.push(case("transpose", kind, &[(Size(r, c), Form::Matrix)], (Size(c, r), Form::Matrix), turned));
        }
    }
    for kind in [F32, F16] {
        // Products of four numbers of at most three fit half floats.
        for n in 2..=4 {
            let matrix = (Size(n, n), Form::Matrix);
            let want = move |x: &[Cells]| vec![determinant(&x[0], n)];
            cases.push(case("determinant", kind, &[matrix], (Size(1, 1), Form::Scalar), want));
        }
    }
    cases
}
