//! Arguments: the edges of every component type, numbers between them, and combinations.

use crate::kind::Kind;

/// A generator of numbers that are equal in every run (splitmix64).
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed)
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The numbers that test a function of floats.
#[derive(Clone, Copy, Debug)]
pub enum Among {
    /// Edges, and numbers of every magnitude.
    All,
    /// Numbers of a range, including both ends.
    Range(f64, f64),
}

/// Returns floats of a kind, as bits.
pub fn floats(kind: Kind, among: Among) -> Vec<u64> {
    let mut numbers = Numbers::new(7);
    let mut values = Vec::new();
    match among {
        Among::All => {
            let (tiny, large) = (kind.least_normal(), kind.largest());
            for x in [0.0, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 3.75, 7.25, 100.125, 1000.0, 1e-3, 3.140625] {
                values.extend([x, -x]);
            }
            for x in [tiny, tiny / 2.0, kind.ulp(0.0), large, f64::INFINITY] {
                values.extend([x, -x]);
            }
            values.push(f64::NAN);
            for _ in 0..12 {
                let (sign, magnitude) = (numbers.between(-1.0, 1.0), numbers.between(-14.0, 15.0));
                values.push(magnitude.exp2().copysign(sign));
            }
            for _ in 0..8 {
                values.push(numbers.between(-4.0, 4.0));
            }
        }
        Among::Range(low, high) => {
            values.extend([low, high]);
            values.extend([0.0, -0.0, 1.0, -1.0].into_iter().filter(|x| (low..=high).contains(x)));
            for _ in 0..40 {
                values.push(numbers.between(low, high));
            }
            // Drops values that a narrow type rounds out of the range.
            values.retain(|x| (low..=high).contains(&kind.float(kind.of_float(*x))));
        }
    }
    values.into_iter().map(|x| kind.of_float(x)).collect()
}

/// Returns integers of a kind, as bits.
pub fn integers(kind: Kind) -> Vec<u64> {
    if kind == Kind::Bool {
        return vec![0, 1];
    }
    let bits = kind.bits();
    let ones = u64::MAX >> (64 - bits);
    let mut values =
        vec![0, 1, 2, 3, 5, 7, 8, 31, 63, 100, 127, 128, 255, 256, ones, ones - 1, ones >> 1, ones / 2 + 1];
    values.extend([0x5555_5555_5555_5555 & ones, 0x8000_0001, 0x1234_5678_9abc_def0, 1 << (bits / 2), 0xff00]);
    let mut numbers = Numbers::new(11);
    values.extend((0..16).map(|i| numbers.bits() >> (i * bits as u64 / 16)));
    values.into_iter().map(|x| x & ones).collect()
}

/// Combines every value with every other if there are few; else each with some.
pub fn tuples(columns: &[Vec<u64>]) -> Vec<Vec<u64>> {
    const MOST: usize = 700;
    let all: usize = columns.iter().map(Vec::len).product();
    let at = |mut n: usize| -> Vec<u64> {
        let mut tuple = Vec::new();
        for column in columns {
            tuple.push(column[n % column.len()]);
            n /= column.len();
        }
        tuple
    };
    if all <= MOST {
        return (0..all).map(at).collect();
    }
    let mut numbers = Numbers::new(13);
    let mut out: Vec<Vec<u64>> = (0..MOST).map(|_| at(numbers.bits() as usize % all)).collect();
    // Includes each with itself.
    if columns.iter().all(|c| c == &columns[0]) {
        out.extend(columns[0].iter().map(|x| vec![*x; columns.len()]));
    }
    out
}

/// Turns tuples of scalars into tuples of vectors: each component of a row is from another tuple.
pub fn widened(tuples: &[Vec<u64>], arity: usize, width: usize) -> Vec<Vec<u64>> {
    if width == 1 {
        return tuples.to_vec();
    }
    const MOST: usize = 128;
    let n = tuples.len();
    let component = |row: usize, c: usize, i: usize| tuples[(row * 5 + c * 37) % n][i];
    (0..n.min(MOST))
        .map(|row| (0..arity).flat_map(|i| (0..width).map(move |c| component(row, c, i))).collect())
        .collect()
}
