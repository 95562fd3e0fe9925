//! Atomics and byte-address buffers. Each thread works on its own memory, and the results contain the values before and
//! after.

use crate::harness::{Case, Shape, Want};
use crate::inputs::{Among, floats, integers, tuples};
use crate::kind::Kind;

use Kind::*;

/// The value that an atomic writes, from the old value and its operand.
type Operation = fn(Kind, u64, u64) -> u64;

#[rustfmt::skip]
const OPERATIONS: &[(&str, Operation)] = &[
    ("Add", |k, old, x| k.of_integer(k.integer(old) + k.integer(x))),
    ("Min", |k, old, x| k.of_integer(k.integer(old).min(k.integer(x)))),
    ("Max", |k, old, x| k.of_integer(k.integer(old).max(k.integer(x)))),
    ("And", |_, old, x| old & x),
    ("Or", |_, old, x| old | x),
    ("Xor", |_, old, x| old ^ x),
];

fn scalars(kinds: &[Kind]) -> Vec<Shape> {
    kinds.iter().map(|&kind| Shape { kind, width: 1 }).collect()
}

fn case(
    name: &str,
    text: String,
    args: &[Kind],
    results: &[Kind],
    want: impl Fn(&[u64]) -> Vec<u64> + 'static,
) -> Case {
    let values = |k: &Kind| if k.is_float() { floats(*k, Among::Range(-4.0, 4.0)) } else { integers(*k) };
    let columns: Vec<Vec<u64>> = args.iter().map(values).collect();
    let mut inputs = tuples(&columns);
    // Includes comparisons that succeed.
    for row in inputs.iter_mut().step_by(3).filter(|row| row.len() == 3) {
        row[1] = row[0];
    }
    Case {
        name: name.to_owned(),
        text,
        args: scalars(args),
        results: scalars(results),
        inputs,
        want: Box::new(move |bits| want(bits).into_iter().map(Want::Bits).collect()),
    }
}

pub fn on_groupshared() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in [I32, U32, I64, U64] {
        let at = format!("Shared_{}[lane % 64]", kind.word());
        let pair = [kind, kind];
        for &(name, operation) in OPERATIONS {
            let name = format!("Interlocked{name}");
            let text = format!("{at} = a0; {name}({at}, a1); r0 = {at};");
            cases.push(case(&name, text, &pair, &[kind], move |x| vec![operation(kind, x[0], x[1])]));
            let text = format!("{at} = a0; {name}({at}, a1, r1); r0 = {at};");
            cases.push(case(&name, text, &pair, &pair, move |x| vec![operation(kind, x[0], x[1]), x[0]]));
        }
        let text = format!("{at} = a0; InterlockedExchange({at}, a1, r1); r0 = {at};");
        cases.push(case("InterlockedExchange", text, &pair, &pair, |x| vec![x[1], x[0]]));
        let three = [kind; 3];
        let swapped = |x: &[u64]| if x[0] == x[1] { x[2] } else { x[0] };
        let text = format!("{at} = a0; InterlockedCompareExchange({at}, a1, a2, r1); r0 = {at};");
        cases.push(case("InterlockedCompareExchange", text, &three, &pair, move |x| vec![swapped(x), x[0]]));
        let text = format!("{at} = a0; InterlockedCompareStore({at}, a1, a2); r0 = {at};");
        cases.push(case("InterlockedCompareStore", text, &three, &[kind], move |x| vec![swapped(x)]));
    }
    let text = "Shared_float[lane % 64] = a0; InterlockedExchange(Shared_float[lane % 64], a1, r1); r0 = Shared_float[lane % 64];";
    cases.push(case("InterlockedExchange", text.to_owned(), &[F32, F32], &[F32, F32], |x| vec![x[1], x[0]]));
    // Bits: a NaN equals itself, -0 is not 0.
    let at = "Shared_float[lane % 64]";
    let swapped = |x: &[u64]| if x[0] == x[1] { x[2] } else { x[0] };
    let name = "InterlockedCompareExchangeFloatBitwise";
    let text = format!("{at} = a0; {name}({at}, a1, a2, r1); r0 = {at};");
    cases.push(of_edges(case(name, text, &[F32; 3], &[F32; 2], move |x| vec![swapped(x), x[0]])));
    let name = "InterlockedCompareStoreFloatBitwise";
    let text = format!("{at} = a0; {name}({at}, a1, a2); r0 = {at};");
    cases.push(of_edges(case(name, text, &[F32; 3], &[F32], move |x| vec![swapped(x)])));
    cases
}

/// The expected results of a case for its arguments.
type Expected = fn(&[u64]) -> Vec<u64>;

/// Adds zeros of both signs, infinities, denormals and NaN, each compared with each. Every device preserves bits
/// without arithmetic.
fn of_edges(mut case: Case) -> Case {
    let edges = [0, 1 << 31, 1, 0x7f_ffff, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0x7fc0_0001, 0x3f80_0000];
    let columns = [edges.to_vec(), edges.to_vec(), vec![0x4000_0000]];
    case.inputs.extend(tuples(&columns));
    case
}

pub fn on_bytes() -> Vec<Case> {
    let mut cases = Vec::new();
    let (before, after) = ("Memory.Store(lane * 64 + 4, a0); Memory", "r0 = Memory.Load(lane * 64 + 4);");
    for kind in [U32, I32] {
        let pair = [U32, kind];
        for &(name, operation) in OPERATIONS {
            // Minimum and maximum of signed operands are signed; the other operations are identical.
            let name = format!("Interlocked{name}");
            let text = format!("{before}.{name}(lane * 64 + 4, a1); {after}");
            cases.push(case(&name, text, &pair, &[U32], move |x| vec![operation(kind, x[0], x[1])]));
            let text = format!("{before}.{name}(lane * 64 + 4, a1, r1); {after}");
            cases.push(case(&name, text, &pair, &[U32, U32], move |x| vec![operation(kind, x[0], x[1]), x[0]]));
        }
    }
    // A float becomes an int, so that the comparison is signed.
    for &(name, operation) in OPERATIONS.iter().filter(|(name, _)| matches!(*name, "Min" | "Max")) {
        let name = format!("Interlocked{name}");
        let want = move |x: &[u64]| operation(I32, x[0], I32.of_integer(F32.float(x[1]).trunc() as i128));
        let pair = [U32, F32];
        let text = format!("{before}.{name}(lane * 64 + 4, a1); {after}");
        cases.push(case(&name, text, &pair, &[U32], move |x| vec![want(x)]));
        let text = format!("{before}.{name}(lane * 64 + 4, a1, r1); {after}");
        cases.push(case(&name, text, &pair, &[U32, U32], move |x| vec![want(x), x[0]]));
    }
    let swapped = |x: &[u64]| if x[0] == x[1] { x[2] } else { x[0] };
    let text = format!("{before}.InterlockedExchange(lane * 64 + 4, a1, r1); {after}");
    cases.push(case("InterlockedExchange", text, &[U32, U32], &[U32, U32], |x| vec![x[1], x[0]]));
    let text = format!("{before}.InterlockedCompareExchange(lane * 64 + 4, a1, a2, r1); {after}");
    cases.push(case("InterlockedCompareExchange", text, &[U32; 3], &[U32, U32], move |x| vec![swapped(x), x[0]]));
    let text = format!("{before}.InterlockedCompareStore(lane * 64 + 4, a1, a2); {after}");
    cases.push(case("InterlockedCompareStore", text, &[U32; 3], &[U32], move |x| vec![swapped(x)]));

    // Bits of floats: -0 is not 0.
    let (before, after) =
        ("Memory.Store(lane * 64 + 8, asuint(a0)); Memory", "r0 = Memory.Load<float>(lane * 64 + 8);");
    let text = format!("{before}.InterlockedExchangeFloat(lane * 64 + 8, a1, r1); {after}");
    cases.push(case("InterlockedExchangeFloat", text, &[F32, F32], &[F32, F32], |x| vec![x[1], x[0]]));
    let name = "InterlockedCompareExchangeFloatBitwise";
    let text = format!("{before}.{name}(lane * 64 + 8, a1, a2, r1); {after}");
    cases.push(of_edges(case(name, text, &[F32; 3], &[F32, F32], move |x| vec![swapped(x), x[0]])));
    let name = "InterlockedCompareStoreFloatBitwise";
    let text = format!("{before}.{name}(lane * 64 + 8, a1, a2); {after}");
    cases.push(of_edges(case(name, text, &[F32; 3], &[F32], move |x| vec![swapped(x)])));
    cases
}

/// Cases of 64 bits, in memory that other statements use by the word.
pub fn of_64_bits_on_bytes() -> Vec<Case> {
    let mut cases = Vec::new();
    let before = "Memory.Store<uint64_t>(lane * 64 + 16, a0); Memory";
    let after = "r0 = Memory.Load<uint64_t>(lane * 64 + 16);";
    for kind in [U64, I64] {
        let pair = [U64, kind];
        for &(name, operation) in OPERATIONS {
            let name = format!("Interlocked{name}64");
            let text = format!("{before}.{name}(lane * 64 + 16, a1); {after}");
            cases.push(case(&name, text, &pair, &[U64], move |x| vec![operation(kind, x[0], x[1])]));
            // The old value is stored in either kind of variable.
            let text = format!("{before}.{name}(lane * 64 + 16, a1, r1); {after}");
            cases.push(case(&name, text, &pair, &[U64, kind], move |x| vec![operation(kind, x[0], x[1]), x[0]]));
        }
        let text = format!("{before}.InterlockedExchange64(lane * 64 + 16, a1, r1); {after}");
        cases.push(case("InterlockedExchange64", text, &pair, &[U64, kind], |x| vec![x[1], x[0]]));
    }
    let swapped = |x: &[u64]| if x[0] == x[1] { x[2] } else { x[0] };
    let text = format!("{before}.InterlockedCompareExchange64(lane * 64 + 16, a1, a2, r1); {after}");
    cases.push(case("InterlockedCompareExchange64", text, &[U64; 3], &[U64, U64], move |x| vec![swapped(x), x[0]]));
    let text = format!("{before}.InterlockedCompareStore64(lane * 64 + 16, a1, a2); {after}");
    cases.push(case("InterlockedCompareStore64", text, &[U64; 3], &[U64], move |x| vec![swapped(x)]));
    // The adjacent words keep their values.
    let text = "Memory.Store2(lane * 64 + 16, a0); Memory.Store2(lane * 64 + 24, ~a0); \
        Memory.InterlockedAdd64(lane * 64 + 16, 1); r0 = Memory.Load4(lane * 64 + 16);";
    let mut beside = case("InterlockedAdd64", text.to_owned(), &[U32; 2], &[], |x| {
        let sum = (x[0] | x[1] << 32).wrapping_add(1);
        vec![sum & 0xffff_ffff, sum >> 32, !x[0] & 0xffff_ffff, !x[1] & 0xffff_ffff]
    });
    beside.args = vec![Shape { kind: U32, width: 2 }];
    beside.results = vec![Shape { kind: U32, width: 4 }];
    cases.push(beside);
    cases
}

/// Loads that report whether the memory is resident: it is.
pub fn with_status() -> Vec<Case> {
    let mut cases = Vec::new();
    let found = "r1 = CheckAccessFullyMapped(s);";
    let mut add = |name: &str, text: String, args: Shape, result: Shape, want: Expected| {
        let mut case =
            case(name, text, &vec![args.kind; args.width], &[], move |x| want(x).into_iter().chain([1]).collect());
        case.args = vec![args];
        case.results = vec![result, Shape { kind: Kind::Bool, width: 1 }];
        cases.push(case);
    };
    for width in 1..=4usize {
        let n = if width == 1 { String::new() } else { width.to_string() };
        let (name, words) = (format!("Load{n}"), Shape { kind: U32, width });
        let text =
            format!("uint s = 7; Memory.Store{n}(lane * 64 + 8, a0); r0 = Memory.{name}(lane * 64 + 8, s); {found}");
        add(&name, text, words, words, |x| x.to_vec());
        // Components of arguments are eight bytes apart.
        let text = format!("uint s = 7; r0 = Data.{name}(p, s); {found}");
        let spread: [Expected; 4] =
            [|x| vec![x[0]], |x| vec![x[0], 0], |x| vec![x[0], 0, x[1]], |x| vec![x[0], 0, x[1], 0]];
        add(&name, text, words, words, spread[width - 1]);
    }
    let three = Shape { kind: F32, width: 3 };
    let text =
        format!("uint s = 7; Memory.Store(lane * 64 + 8, a0); r0 = Memory.Load<float3>(lane * 64 + 8, s); {found}");
    add("Load", text, three, three, |x| x.to_vec());
    let (two, one) = (Shape { kind: U32, width: 2 }, Shape { kind: U64, width: 1 });
    let text = format!("uint s = 7; r0 = Data.Load<uint64_t>(p + 8, s); {found}");
    add("Load", text, two, one, |x| vec![x[1]]);
    cases
}

/// Values of every size are stored and loaded; the adjacent memory keeps its values.
pub fn byte_address_buffers() -> Vec<Case> {
    let mut cases = Vec::new();
    for kind in [I32, U32, F32, I64, U64, F64, I16, U16, F16, Kind::Bool] {
        for width in 1..=4 {
            let ty = kind.vector(width);
            let bytes = if kind == Kind::Bool { 4 } else { kind.bits() as usize / 8 };
            // 16-bit values may begin in the middle of a word.
            for at in if bytes == 2 { vec![20, 22] } else { vec![20] } {
                let end = at + bytes * width;
                let guards = format!(
                    "Memory.Store(lane * 64 + {}, 0x11111111); Memory.Store(lane * 64 + {}, 0x22222222);",
                    at / 4 * 4 - if bytes == 2 { 0 } else { 4 },
                    end / 4 * 4
                );
                for name in ["Store", "Load"] {
                    let mut case = case(
                        name,
                        format!(
                            "{guards} Memory.Store<{ty}>(lane * 64 + {at}, a0); r0 = Memory.Load<{ty}>(lane * 64 + {at}); \
                             r1 = Memory.Load(lane * 64 + {}); r2 = Memory.Load(lane * 64 + {});",
                            at / 4 * 4 - if bytes == 2 { 0 } else { 4 },
                            end / 4 * 4
                        ),
                        &vec![kind; width],
                        &[],
                        |_| Vec::new(),
                    );
                    case.args = vec![Shape { kind, width }];
                    case.results =
                        vec![Shape { kind, width }, Shape { kind: U32, width: 1 }, Shape { kind: U32, width: 1 }];
                    case.want = Box::new(move |x| {
                        // The two words as bytes: the old contents, overwritten by the value's bytes.
                        let word = |from: usize, fill: u8| {
                            let mut word = [fill; 4];
                            for (n, byte) in word.iter_mut().enumerate() {
                                let offset = (from + n).checked_sub(at).filter(|o| *o < bytes * width);
                                if let Some(o) = offset {
                                    *byte = (x[o / bytes] >> (8 * (o % bytes))) as u8;
                                }
                            }
                            Want::Bits(u64::from(u32::from_le_bytes(word)))
                        };
                        let first = at / 4 * 4 - if bytes == 2 { 0 } else { 4 };
                        let last = end / 4 * 4;
                        let fill = if first == last { 0x22 } else { 0x11 };
                        let mut wants: Vec<Want> = x.iter().map(|b| Want::Bits(*b)).collect();
                        wants.extend([word(first, fill), word(last, 0x22)]);
                        wants
                    });
                    cases.push(case);
                }
            }
        }
    }
    for n in 2..=4usize {
        for name in [format!("Store{n}"), format!("Load{n}")] {
            let text = format!("Memory.Store{n}(lane * 64 + 12, a0); r0 = Memory.Load{n}(lane * 64 + 12);");
            let mut case = case(&name, text, &vec![U32; n], &[], |x| x.to_vec());
            case.args = vec![Shape { kind: U32, width: n }];
            case.results = vec![Shape { kind: U32, width: n }];
            cases.push(case);
        }
    }
    let mut size = case("GetDimensions", "Memory.GetDimensions(r0); r0 &= 63;".to_owned(), &[U32], &[U32], |_| vec![0]);
    size.inputs.truncate(4);
    cases.push(size);
    cases
}
