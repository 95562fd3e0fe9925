//! Operations over the lanes of a wave. Expectations use the other lanes of the wave and their activity.
//!
//! Each thread's first argument is its number; the second is nonzero if it takes part. A wave has as many consecutive
//! threads of a group as a subgroup of the device has lanes.

use crate::harness::{Case, GROUP, Place, Shape, Want};
use crate::inputs::Numbers;
use crate::kind::Kind;

use Kind::*;

/// Threads that take part, two workgroups.
const THREADS: usize = 128;

/// A lane of a wave: whether it is active, and its value.
#[derive(Clone, Copy)]
struct Lane {
    active: bool,
    value: u64,
}

/// Computes the operation's result from the wave and the lane's index in it.
type Wanted = fn(Kind, &[Lane], usize) -> Vec<Want>;

fn case(text: &str, kind: Kind, width: usize, result: (Kind, usize), lanes: usize, wanted: Wanted) -> Case {
    let mut numbers = Numbers::new(23 + kind as u64);
    // Small numbers: sums and products stay exact, and some are equal.
    let value = |numbers: &mut Numbers| {
        let small = (numbers.bits() % 3 + 1) as i128;
        let sign = if numbers.bits() & 1 == 0 || !(kind.is_signed() || kind.is_float()) { 1 } else { -1 };
        if kind == Kind::Bool {
            small as u64 & 1
        } else if kind.is_float() {
            kind.of_float((small * sign) as f64)
        } else {
            kind.of_integer(small * sign)
        }
    };
    // Waves with all lanes, with some, and with one value in all lanes.
    let row = |thread: usize, numbers: &mut Numbers| -> Vec<u64> {
        let wave = thread / lanes;
        let active = wave % 3 != 1 || !numbers.bits().is_multiple_of(3);
        let mut row = vec![thread as u64, u64::from(active)];
        row.extend((0..width).map(|_| value(numbers)));
        if wave % 4 == 2 {
            row.truncate(2);
            row.extend((0..width).map(|c| if kind.is_float() { kind.of_float(c as f64) } else { c as u64 & 1 }));
        }
        row
    };
    let inputs: Vec<Vec<u64>> = (0..THREADS).map(|t| row(t, &mut numbers)).collect();
    let all = inputs.clone();
    let components = width;
    Case {
        name: text.split_once('(').map_or("", |t| t.0.rsplit(' ').next().unwrap_or("")).to_owned(),
        text: format!("if (a1) {{ {text} }}"),
        args: vec![Shape { kind: U32, width: 1 }, Shape { kind: Kind::Bool, width: 1 }, Shape { kind, width }],
        results: vec![Shape { kind: result.0, width: result.1 }],
        inputs,
        want: Box::new(move |bits| {
            let thread = bits[0] as usize;
            let wave = &all[thread / lanes * lanes..][..lanes];
            let lane = |row: &Vec<u64>, c: usize| Lane { active: row[1] != 0, value: row[2 + c] };
            if bits[1] == 0 {
                // It does not take part.
                return vec![Want::Anything; result.1];
            }
            let each = |c: usize| {
                let wave: Vec<Lane> = wave.iter().map(|row| lane(row, c)).collect();
                wanted(kind, &wave, thread % lanes)
            };
            (0..components).flat_map(each).take(result.1).collect()
        }),
    }
}

/// Folds over lanes in the arithmetic of the kind, exact for the small numbers in use.
fn fold(kind: Kind, lanes: impl Iterator<Item = Lane>, start: i128, op: fn(i128, i128) -> i128) -> Vec<Want> {
    let value = |lane: Lane| if kind.is_float() { kind.float(lane.value) as i128 } else { kind.integer(lane.value) };
    let total = lanes.fold(start, |total, lane| op(total, value(lane)));
    vec![if kind.is_float() {
        // Factors round in any order; many products exceed the largest half.
        Want::Near { value: total as f64, error: 4.0 * kind.ulp(total as f64) }
    } else {
        Want::Bits(kind.of_integer(total))
    }]
}

fn active(wave: &[Lane]) -> impl Iterator<Item = Lane> + Clone + '_ {
    wave.iter().copied().filter(|l| l.active)
}

fn truth(value: bool) -> Vec<Want> {
    vec![Want::Bits(u64::from(value))]
}

/// Returns four words with a bit for each matching lane.
fn ballot(wave: &[Lane], fits: impl Fn(Lane) -> bool) -> Vec<Want> {
    let bit = |n: usize, l: &Lane| u128::from(l.active && fits(*l)) << n;
    let mask: u128 = wave.iter().enumerate().map(|(n, l)| bit(n, l)).sum();
    (0..4).map(|word| Want::Bits((mask >> (32 * word)) as u64 & 0xffff_ffff)).collect()
}

const NUMBERS: &[Kind] = &[I32, U32, F32, I16, U16, F16, I64, U64, F64];
const INTEGERS: &[Kind] = &[I32, U32, I16, U16, I64, U64];

/// Returns component types with numbers of components.
fn shapes(place: Place, kinds: &[Kind], widths: &[usize]) -> Vec<(Kind, usize)> {
    let all = kinds.iter().flat_map(|kind| widths.iter().map(|width| (*kind, *width)));
    let last = widths.last().copied();
    let stands = |&(kind, width): &(Kind, usize)| match kind {
        U32 => width == 1,
        F32 => Some(width) == last,
        _ => false,
    };
    all.filter(|shape| place.thorough || stands(shape)).collect()
}

/// Returns the previous lanes with the same parity: the mask of the multi-prefix cases.
fn partners(wave: &[Lane], at: usize) -> impl Iterator<Item = Lane> + '_ {
    wave[..at].iter().enumerate().filter(move |(n, l)| l.active && n % 2 == at % 2).map(|(_, l)| *l)
}

const PARITY: &str = "WaveActiveBallot(true) & ((WaveGetLaneIndex() & 1) != 0 ? 0xaaaaaaaau : 0x55555555u)";

pub fn over_active_lanes(place: Place) -> Vec<Case> {
    let lanes = place.lanes;
    let mut cases = Vec::new();
    let mut one = |text: &str, kind, result, wanted| cases.push(case(text, kind, 1, result, lanes, wanted));
    one("r0 = WaveGetLaneCount();", U32, (U32, 1), |_, wave, _| vec![Want::Bits(wave.len() as u64)]);
    one("r0 = WaveGetLaneIndex();", U32, (U32, 1), |_, _, at| vec![Want::Bits(at as u64)]);
    one("r0 = WaveIsFirstLane();", U32, (Kind::Bool, 1), |_, wave, at| truth(wave[..at].iter().all(|l| !l.active)));
    one("r0 = IsHelperLane();", U32, (Kind::Bool, 1), |_, _, _| truth(false));
    one("r0 = WaveActiveAnyTrue(a2);", Kind::Bool, (Kind::Bool, 1), |_, w, _| truth(active(w).any(|l| l.value != 0)));
    one("r0 = WaveActiveAllTrue(a2);", Kind::Bool, (Kind::Bool, 1), |_, w, _| truth(active(w).all(|l| l.value != 0)));
    one("r0 = WaveActiveBallot(a2);", Kind::Bool, (U32, 4), |_, wave, _| ballot(wave, |l| l.value != 0));
    one("r0 = WaveActiveCountBits(a2);", Kind::Bool, (U32, 1), |_, wave, _| {
        vec![Want::Bits(active(wave).filter(|l| l.value != 0).count() as u64)]
    });
    one("r0 = WavePrefixCountBits(a2);", Kind::Bool, (U32, 1), |_, wave, at| {
        vec![Want::Bits(active(&wave[..at]).filter(|l| l.value != 0).count() as u64)]
    });
    for (kind, width) in shapes(place, NUMBERS, &[1, 3]) {
        let same = (kind, width);
        let mut each = |text: &str, result, wanted| cases.push(case(text, kind, width, result, lanes, wanted));
        each("r0 = WaveActiveAllEqual(a2);", (Kind::Bool, width), |_, wave, at| {
            truth(active(wave).all(|l| l.value == wave[at].value))
        });
        each("r0 = WaveReadLaneFirst(a2);", same, |_, wave, _| {
            active(wave).take(1).map(|l| Want::Bits(l.value)).collect()
        });
        // The lane is the first active one's number, so that it is active.
        each("r0 = WaveReadLaneAt(a2, WaveReadLaneFirst(WaveGetLaneIndex()));", same, |_, wave, _| {
            active(wave).take(1).map(|l| Want::Bits(l.value)).collect()
        });
        each("r0 = WaveActiveSum(a2);", same, |k, wave, _| fold(k, active(wave), 0, |a, b| a + b));
        each("r0 = WaveActiveProduct(a2);", same, |k, wave, _| fold(k, active(wave), 1, i128::wrapping_mul));
        each("r0 = WaveActiveMin(a2);", same, |k, wave, _| fold(k, active(wave), 1 << 100, i128::min));
        each("r0 = WaveActiveMax(a2);", same, |k, wave, _| fold(k, active(wave), -1 << 100, i128::max));
        each("r0 = WavePrefixSum(a2);", same, |k, wave, at| fold(k, active(&wave[..at]), 0, |a, b| a + b));
        each("r0 = WavePrefixProduct(a2);", same, |k, wave, at| fold(k, active(&wave[..at]), 1, i128::wrapping_mul));
    }
    for (kind, width) in shapes(place, INTEGERS, &[1, 4]) {
        let same = (kind, width);
        let mut each = |text: &str, wanted| cases.push(case(text, kind, width, same, lanes, wanted));
        each("r0 = WaveActiveBitAnd(a2);", |k, wave, _| fold(k, active(wave), -1, |a, b| a & b));
        each("r0 = WaveActiveBitOr(a2);", |k, wave, _| fold(k, active(wave), 0, |a, b| a | b));
        each("r0 = WaveActiveBitXor(a2);", |k, wave, _| fold(k, active(wave), 0, |a, b| a ^ b));
    }
    cases
}

/// Operations over groups of lanes: those of even and of odd number, those of equal values.
pub fn over_given_lanes(place: Place) -> Vec<Case> {
    let lanes = place.lanes;
    let mut cases = Vec::new();
    let count = format!("r0 = WaveMultiPrefixCountBits(a2, {PARITY});");
    cases.push(case(&count, Kind::Bool, 1, (U32, 1), lanes, |_, wave, at| {
        vec![Want::Bits(partners(wave, at).filter(|l| l.value != 0).count() as u64)]
    }));
    let text = |name: &str| format!("r0 = WaveMultiPrefix{name}(a2, {PARITY});");
    for (kind, width) in shapes(place, NUMBERS, &[1, 2]) {
        if width == 1 {
            cases.push(case("r0 = WaveMatch(a2);", kind, 1, (U32, 4), lanes, |_, wave, at| {
                ballot(wave, |l| l.value == wave[at].value)
            }));
        }
        let mut each = |name, wanted| cases.push(case(&text(name), kind, width, (kind, width), lanes, wanted));
        each("Sum", |k, wave, at| fold(k, partners(wave, at), 0, |a, b| a + b));
        each("Product", |k, wave, at| fold(k, partners(wave, at), 1, i128::wrapping_mul));
    }
    for (kind, _) in shapes(place, INTEGERS, &[1]) {
        let mut each = |name, wanted| cases.push(case(&text(name), kind, 1, (kind, 1), lanes, wanted));
        each("BitAnd", |k, wave, at| fold(k, partners(wave, at), -1, |a, b| a & b));
        each("BitOr", |k, wave, at| fold(k, partners(wave, at), 0, |a, b| a | b));
        each("BitXor", |k, wave, at| fold(k, partners(wave, at), 0, |a, b| a ^ b));
    }
    cases
}

/// Expects the value of another lane of the quad; for an inactive one it is undefined.
fn read(wave: &[Lane], at: usize) -> Vec<Want> {
    vec![if wave[at].active { Want::Bits(wave[at].value) } else { Want::Anything }]
}

pub fn quads(place: Place) -> Vec<Case> {
    let lanes = place.lanes;
    let mut cases = Vec::new();
    for (kind, width) in shapes(place, NUMBERS, &[1, 2]) {
        let mut each = |text: &str, wanted| cases.push(case(text, kind, width, (kind, width), lanes, wanted));
        each("r0 = QuadReadAcrossX(a2);", |_, wave, at| read(wave, at ^ 1));
        each("r0 = QuadReadAcrossY(a2);", |_, wave, at| read(wave, at ^ 2));
        each("r0 = QuadReadAcrossDiagonal(a2);", |_, wave, at| read(wave, at ^ 3));
        each("r0 = QuadReadLaneAt(a2, 2);", |_, wave, at| read(wave, at / 4 * 4 + 2));
    }
    let mut test = |text: &str, wanted| cases.push(case(text, Kind::Bool, 1, (Kind::Bool, 1), lanes, wanted));
    test("r0 = QuadAny(a2);", |_, wave, at| {
        let quad = &wave[at / 4 * 4..][..4];
        let whole = quad.iter().all(|l| l.active);
        if whole { truth(quad.iter().any(|l| l.value != 0)) } else { vec![Want::Anything] }
    });
    test("r0 = QuadAll(a2);", |_, wave, at| {
        let quad = &wave[at / 4 * 4..][..4];
        let whole = quad.iter().all(|l| l.active);
        if whole { truth(quad.iter().all(|l| l.value != 0)) } else { vec![Want::Anything] }
    });
    cases
}

/// Returns cases for the number of a thread's wave in the group, and for the number of waves.
pub fn of_groups(place: Place) -> Vec<Case> {
    let lanes = place.lanes;
    let case = |name: &str, want: fn(usize, usize) -> usize| Case {
        name: name.to_owned(),
        text: format!("r0 = {name}();"),
        args: vec![Shape { kind: U32, width: 1 }],
        results: vec![Shape { kind: U32, width: 1 }],
        inputs: (0..THREADS as u64).map(|t| vec![t]).collect(),
        want: Box::new(move |bits| vec![Want::Bits(want(bits[0] as usize % GROUP, lanes) as u64)]),
    };
    vec![
        case("GetGroupWaveIndex", |thread, lanes| thread / lanes),
        case("GetGroupWaveCount", |_, lanes| GROUP.div_ceil(lanes)),
    ]
}
