//! Reinterpretations, packing, and sums of packed numbers, all with exact results.

use crate::harness::{Case, Shape, Want};
use crate::inputs::{Among, Numbers, floats, integers, tuples, widened};
use crate::kind::Kind;
use half::f16;

use Kind::*;

/// Returns a component-wise case from bits to bits.
fn wise(text: &str, args: &[Kind], results: &[Kind], width: usize, want: fn(&[u64]) -> Vec<Want>) -> Case {
    let values = |k: &Kind| if k.is_float() { floats(*k, Among::All) } else { integers(*k) };
    let columns: Vec<Vec<u64>> = args.iter().map(values).collect();
    let (arity, count) = (args.len(), results.len());
    Case {
        name: name_of(text),
        text: text.to_owned(),
        args: args.iter().map(|&kind| Shape { kind, width }).collect(),
        results: results.iter().map(|&kind| Shape { kind, width }).collect(),
        inputs: widened(&tuples(&columns), arity, width),
        want: Box::new(move |bits| {
            let component = |c: usize| want(&(0..arity).map(|i| bits[i * width + c]).collect::<Vec<_>>());
            let each: Vec<Vec<Want>> = (0..width).map(component).collect();
            (0..count).flat_map(|r| each.iter().map(move |e| e[r].clone())).collect()
        }),
    }
}

/// Returns the function that statements call.
fn name_of(text: &str) -> String {
    text.split_once('(').map_or("", |t| t.0.rsplit(' ').next().unwrap_or("")).to_owned()
}

fn same(x: &[u64]) -> Vec<Want> {
    vec![Want::Bits(x[0])]
}

/// Expects the same bits, but any NaN for a NaN that passes through a float.
fn same_float(kind: Kind, bits: u64) -> Want {
    if kind.float(bits).is_nan() { Want::Near { value: f64::NAN, error: 0.0 } } else { Want::Bits(bits) }
}

pub fn reinterpretation() -> Vec<Case> {
    let mut cases = Vec::new();
    for width in 1..=4 {
        for from in [F32, I32, U32] {
            cases.push(wise("r0 = asint(a0);", &[from], &[I32], width, same));
            cases.push(wise("r0 = asuint(a0);", &[from], &[U32], width, same));
            cases.push(wise("r0 = asfloat(a0);", &[from], &[F32], width, |x| vec![same_float(F32, x[0])]));
        }
        for from in [F16, I16, U16] {
            cases.push(wise("r0 = asint16(a0);", &[from], &[I16], width, same));
            cases.push(wise("r0 = asuint16(a0);", &[from], &[U16], width, same));
            cases.push(wise("r0 = asfloat16(a0);", &[from], &[F16], width, |x| vec![same_float(F16, x[0])]));
        }
        cases.push(wise("r0 = asdouble(a0, a1);", &[U32, U32], &[F64], width, |x| {
            vec![same_float(F64, x[0] | x[1] << 32)]
        }));
        cases.push(wise("asuint(a0, r0, r1);", &[F64], &[U32, U32], width, |x| {
            vec![Want::Bits(x[0] & 0xffff_ffff), Want::Bits(x[0] >> 32)]
        }));
    }
    cases
}

/// Returns the half-precision numbers around a single-precision one: Vulkan lets a conversion round either way.
fn halves(x: f32) -> Want {
    let nearest = f16::from_f32(x);
    let bits = nearest.to_bits();
    let mut all = vec![u64::from(bits)];
    let beyond = f64::from(x).abs() > nearest.to_f64().abs();
    if nearest.is_nan() {
        // Every NaN of half precision.
        return Want::OneOf((1..0x400).flat_map(|f| [0x7c00 | f, 0xfc00 | f]).collect());
    }
    if f64::from(x) != nearest.to_f64() && x.is_finite() {
        all.push(u64::from(if beyond { bits + 1 } else { bits.wrapping_sub(1) }));
    }
    // A device may flush.
    if nearest.to_f64().abs() < F16.least_normal() {
        all.push(u64::from(bits & 0x8000));
    }
    Want::OneOf(all)
}

pub fn half_precision_in_words() -> Vec<Case> {
    let mut cases = Vec::new();
    for width in 1..=4 {
        cases.push(wise("r0 = f32tof16(a0);", &[F32], &[U32], width, |x| vec![halves(f32::from_bits(x[0] as u32))]));
        cases.push(wise("r0 = f16tof32(a0);", &[U32], &[F32], width, |x| {
            let value = f16::from_bits(x[0] as u16).to_f64();
            // A device may flush a denormal half to zero.
            let tiny = value.abs() < F16.least_normal();
            vec![Want::Near { value, error: if tiny { value.abs() } else { 0.0 } }]
        }));
    }
    cases
}

/// Returns a case over vectors of individual shapes.
fn whole(text: &str, args: &[(Kind, usize)], result: (Kind, usize), want: fn(&[u64]) -> Vec<u64>) -> Case {
    let mut numbers = Numbers::new(5);
    let kinds: Vec<Kind> = args.iter().flat_map(|(k, w)| std::iter::repeat_n(*k, *w)).collect();
    let row = |n: usize, numbers: &mut Numbers| -> Vec<u64> {
        let component = |(c, kind): (usize, &Kind)| {
            let values = integers(*kind);
            let value = values[(n * 7 + c * 5 + (numbers.bits() % 3) as usize) % values.len()];
            // Every second row has random bits.
            if n.is_multiple_of(2) { value } else { kind.of_integer(numbers.bits().into()) }
        };
        kinds.iter().enumerate().map(component).collect()
    };
    Case {
        name: name_of(text),
        text: text.to_owned(),
        args: args.iter().map(|&(kind, width)| Shape { kind, width }).collect(),
        results: vec![Shape { kind: result.0, width: result.1 }],
        inputs: (0..160).map(|n| row(n, &mut numbers)).collect(),
        want: Box::new(move |bits| want(bits).into_iter().map(Want::Bits).collect()),
    }
}

fn byte(word: u64, n: usize) -> u64 {
    word >> (8 * n) & 0xff
}

/// Returns a signed byte as a value.
fn signed(word: u64, n: usize) -> i128 {
    i128::from(byte(word, n) as u8 as i8)
}

fn word(bytes: impl Iterator<Item = i128>) -> Vec<u64> {
    vec![bytes.enumerate().map(|(n, b)| (b as u64 & 0xff) << (8 * n)).sum()]
}

pub fn packing() -> Vec<Case> {
    let mut cases = vec![
        whole("r0 = unpack_u8u32(a0);", &[(U32, 1)], (U32, 4), |x| (0..4).map(|n| byte(x[0], n)).collect()),
        whole("r0 = unpack_s8s32(a0);", &[(U32, 1)], (I32, 4), |x| {
            (0..4).map(|n| I32.of_integer(signed(x[0], n))).collect()
        }),
        whole("r0 = unpack_u8u16(a0);", &[(U32, 1)], (U16, 4), |x| (0..4).map(|n| byte(x[0], n)).collect()),
        whole("r0 = unpack_s8s16(a0);", &[(U32, 1)], (I16, 4), |x| {
            (0..4).map(|n| I16.of_integer(signed(x[0], n))).collect()
        }),
        whole("r0 = pack_clamp_u8(a0);", &[(I32, 4)], (U32, 1), |x| {
            word(x.iter().map(|x| I32.integer(*x).clamp(0, 255)))
        }),
        whole("r0 = pack_clamp_s8(a0);", &[(I32, 4)], (U32, 1), |x| {
            word(x.iter().map(|x| I32.integer(*x).clamp(-128, 127)))
        }),
        whole("r0 = pack_clamp_u8(a0);", &[(I16, 4)], (U32, 1), |x| {
            word(x.iter().map(|x| I16.integer(*x).clamp(0, 255)))
        }),
        whole("r0 = pack_clamp_s8(a0);", &[(I16, 4)], (U32, 1), |x| {
            word(x.iter().map(|x| I16.integer(*x).clamp(-128, 127)))
        }),
    ];
    for kind in [I32, U32, I16, U16] {
        for name in ["pack_u8", "pack_s8"] {
            let text = format!("r0 = {name}(a0);");
            cases.push(whole(&text, &[(kind, 4)], (U32, 1), |x| word(x.iter().map(|x| i128::from(*x)))));
        }
    }
    cases
}

pub fn sums_of_packed_numbers() -> Vec<Case> {
    let mut cases = vec![
        whole("r0 = dot4add_u8packed(a0, a1, a2);", &[(U32, 1); 3], (U32, 1), |x| {
            let sum: u64 = (0..4).map(|n| byte(x[0], n) * byte(x[1], n)).sum();
            vec![(x[2] + sum) & 0xffff_ffff]
        }),
        whole("r0 = dot4add_i8packed(a0, a1, a2);", &[(U32, 1), (U32, 1), (I32, 1)], (I32, 1), |x| {
            let sum: i128 = (0..4).map(|n| signed(x[0], n) * signed(x[1], n)).sum();
            vec![I32.of_integer(I32.integer(x[2]) + sum)]
        }),
        whole("r0 = msad4(a0, a1, a2);", &[(U32, 1), (U32, 2), (U32, 4)], (U32, 4), |x| {
            let source = x[1] | x[2] << 32;
            let differences = |at: usize| -> u64 {
                let used = (0..4).filter(|n| byte(x[0], *n) != 0);
                used.map(|n| byte(x[0], n).abs_diff(byte(source, at + n))).sum()
            };
            (0..4).map(|at| (x[3 + at] + differences(at)) & 0xffff_ffff).collect()
        }),
        whole("r0 = AddUint64(a0, a1);", &[(U32, 2); 2], (U32, 2), |x| {
            let sum = (x[0] | x[1] << 32).wrapping_add(x[2] | x[3] << 32);
            vec![sum & 0xffff_ffff, sum >> 32]
        }),
        whole("r0 = AddUint64(a0, a1);", &[(U32, 4); 2], (U32, 4), |x| {
            let sum = |a: usize, b: usize| (x[a] | x[a + 1] << 32).wrapping_add(x[b] | x[b + 1] << 32);
            let (first, second) = (sum(0, 4), sum(2, 6));
            vec![first & 0xffff_ffff, first >> 32, second & 0xffff_ffff, second >> 32]
        }),
    ];
    let halves = floats(F16, Among::Range(-100.0, 100.0));
    cases.push(Case {
        name: "dot2add".to_owned(),
        text: "r0 = dot2add(a0, a1, a2);".to_owned(),
        args: vec![Shape { kind: F16, width: 2 }, Shape { kind: F16, width: 2 }, Shape { kind: F32, width: 1 }],
        results: vec![Shape { kind: F32, width: 1 }],
        inputs: tuples(&[vec![halves; 4], vec![floats(F32, Among::Range(-50.0, 50.0))]].concat()),
        want: Box::new(|x| {
            let h = |i: usize| F16.float(x[i]);
            let (p, q, sum) = (h(0) * h(2), h(1) * h(3), F32.float(x[4]));
            // Two sums in single precision; the products are exact.
            let error = F32.ulp(p.abs() + sum.abs()) + F32.ulp(p.abs() + q.abs() + sum.abs());
            vec![Want::Near { value: p + q + sum, error }]
        }),
    });
    cases
}
