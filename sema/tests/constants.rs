//! Constant expressions compared with an evaluator of the test. Random expressions appear in a body and in the head of
//! an item, which evaluates them on the tree, or checks and folds them.

#[path = "../../tests/support/random.rs"]
mod random;
mod support;

use random::Random;
use std::fmt::Write;
use wgc_sema::db::Options;
use wgc_sema::report::diagnostics::diagnostics;

/// A value of HLSL, computed in plain Rust.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Value {
    Int(i32),
    Uint(u32),
    Bool(bool),
    Float(f32),
}

use Value::{Bool, Float, Int, Uint};

impl Value {
    /// Spells the value in HLSL, with its type.
    fn spelled(self) -> String {
        match self {
            Int(v) => format!("(int)0x{v:x}u"),
            Uint(v) => format!("{v}u"),
            Bool(v) => v.to_string(),
            Float(v) if v < 0.0 => format!("(-{:?}f)", -v),
            Float(v) => format!("{v:?}f"),
        }
    }
}

const EDGES: [u32; 8] = [0, 1, 2, 31, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x1234_5678];

/// Generates an integer expression with its value. Both sides of an operator have the same type, so only explicit casts
/// need conversion rules.
fn integer(r: &mut Random, depth: u32, signed: bool) -> (String, u32) {
    let edge = EDGES[r.below(8) as usize];
    if depth == 0 {
        let value = if signed { Int(edge as i32) } else { Uint(edge) };
        return (value.spelled(), edge);
    }
    let (a, x) = integer(r, depth - 1, signed);
    match r.below(6) {
        0 => {
            let (b, y) = integer(r, depth - 1, signed);
            let op = r.pick(&["+", "-", "*", "&", "|", "^"]);
            let value = match op {
                "+" => x.wrapping_add(y),
                "-" => x.wrapping_sub(y),
                "*" => x.wrapping_mul(y),
                "&" => x & y,
                "|" => x | y,
                _ => x ^ y,
            };
            (format!("({a} {op} {b})"), value)
        }
        1 => {
            // The count is taken modulo the width.
            let (b, y) = integer(r, 0, false);
            let value = match r.pick(&["<<", ">>"]) {
                "<<" => return (format!("({a} << {b})"), x.wrapping_shl(y)),
                _ if signed => (x as i32).wrapping_shr(y) as u32,
                _ => x.wrapping_shr(y),
            };
            (format!("({a} >> {b})"), value)
        }
        2 => {
            let (b, y) = integer(r, depth - 1, signed);
            let less = if signed { (x as i32) < y as i32 } else { x < y };
            match r.pick(&["min", "max", "?:", "select", "?: of two types"]) {
                "min" => (format!("min({a}, {b})"), if less { x } else { y }),
                "max" => (format!("max({a}, {b})"), if less { y } else { x }),
                "?:" => (format!("({a} < {b} ? {a} : {b})"), if less { x } else { y }),
                "?: of two types" => {
                    // Both operands decide the type, and the quotient shows it.
                    let (other, z) = if signed { ("(2 > 1)".to_owned(), 1) } else { integer(r, 0, true) };
                    let chosen = if less { z } else { x };
                    let value = if signed { (chosen as i32 / 7) as u32 } else { chosen / 7 };
                    (format!("(({a} < {b} ? {other} : {a}) / 7)"), value)
                }
                _ => (format!("select({a} < {b}, {b}, {a})"), if less { y } else { x }),
            }
        }
        3 => match r.pick(&["~", "-", "reversebits"]) {
            "~" => (format!("(~{a})"), !x),
            "-" => (format!("(-{a})"), x.wrapping_neg()),
            _ => (format!("reversebits({a})"), x.reverse_bits()),
        },
        4 => {
            // Division: never by zero, never the one quotient that overflows.
            let (b, y) = integer(r, 0, signed);
            let op = r.pick(&["/", "%"]);
            if y == 0 || signed && x == 0x8000_0000 && y == 0xffff_ffff {
                return (a, x);
            }
            let value = match (op, signed) {
                ("/", true) => (x as i32 / y as i32) as u32,
                ("/", false) => x / y,
                (_, true) => (x as i32 % y as i32) as u32,
                (_, false) => x % y,
            };
            (format!("({a} {op} {b})"), value)
        }
        _ => {
            // Counts are unsigned, regardless of their operand.
            let (b, y) = integer(r, depth - 1, signed);
            let cast = if signed { "(int)" } else { "(uint)" };
            match r.pick(&["countbits", "firstbitlow", "asuint", "vector"]) {
                "countbits" => (format!("({cast}countbits({b}))"), y.count_ones()),
                "firstbitlow" => {
                    let low = if y == 0 { u32::MAX } else { y.trailing_zeros() };
                    (format!("({cast}firstbitlow({b}))"), low)
                }
                "asuint" => (format!("({cast}asuint({b}))"), y),
                _ => {
                    let ty = if signed { "int2" } else { "uint2" };
                    (format!("({ty}({a}, {b}).yx + {ty}({b}, {a})).x"), y.wrapping_add(y))
                }
            }
        }
    }
}

/// Generates a float expression, exact or rounded once for each operator.
fn float(r: &mut Random, depth: u32) -> (String, f32) {
    if depth == 0 {
        let value = (r.below(64) as f32 - 32.0) * 0.375;
        return (Float(value).spelled(), value);
    }
    let ((a, x), (b, y)) = (float(r, depth - 1), float(r, depth - 1));
    match r
        .pick(&["+", "-", "*", "min", "max", "floor", "ceil", "trunc", "abs", "round", "saturate", "dot", "?:", "-x"])
    {
        "+" => (format!("({a} + {b})"), x + y),
        "-" => (format!("({a} - {b})"), x - y),
        "*" => (format!("({a} * {b})"), x * y),
        "min" => (format!("min({a}, {b})"), x.min(y)),
        "max" => (format!("max({a}, {b})"), x.max(y)),
        "floor" => (format!("floor({a})"), x.floor()),
        "ceil" => (format!("ceil({a})"), x.ceil()),
        "trunc" => (format!("trunc({a})"), x.trunc()),
        "abs" => (format!("abs({a})"), x.abs()),
        "round" => (format!("round({a})"), x.round_ties_even()),
        "saturate" => (format!("saturate({a})"), x.clamp(0.0, 1.0)),
        // The integer becomes a float.
        "?:" => {
            let whole = r.below(9) as f32;
            (format!("(({a} < {b} ? {whole} : {b}) / 4)"), if x < y { whole / 4.0 } else { y / 4.0 })
        }
        "-x" => (format!("(-{a})"), -x),
        _ => (format!("dot(float2({a}, 1.0f), float2(1.0f, {b}))"), x + y),
    }
}

/// Operands with a type of their own, each with its value as `float`.
const TYPED: [(&str, f32, bool); 9] = [
    ("0.1f", 0.1, true),
    ("0.7f", 0.7, true),
    ("float(1e-3)", 1e-3, true),
    ("100.25f", 100.25, true),
    ("int(16777217)", 16_777_217_i32 as f32, false),
    ("(-int(33554435))", -33_554_435_i32 as f32, false),
    ("4294967295u", u32::MAX as f32, false),
    ("16777217ll", 16_777_217_i64 as f32, false),
    ("9007199791611905ll", 9_007_199_791_611_905_i64 as f32, false),
];

/// Literals, which take the type of the other operand.
const LITERALS: [(&str, f64, bool); 7] = [
    ("0.1", 0.1, true),
    ("0.7", 0.7, true),
    ("0.3", 0.3, true),
    ("16777216.0", 16_777_216.0, true),
    ("1e-3", 1e-3, true),
    ("16777219", 16_777_219.0, false),
    ("7", 7.0, false),
];

/// Generates an operation on a float and another number. Both operands are converted to `float` first.
fn mixed(r: &mut Random) -> (String, Value) {
    loop {
        let (a, x, a_is_float) = TYPED[r.below(TYPED.len() as u32) as usize];
        let (b, y, b_is_float) = match r.below(2) {
            0 => TYPED[r.below(TYPED.len() as u32) as usize],
            _ => {
                let (b, y, is_float) = LITERALS[r.below(LITERALS.len() as u32) as usize];
                (b, y as f32, is_float)
            }
        };
        if !a_is_float && !b_is_float {
            continue;
        }
        let ((a, x), (b, y)) = if r.below(2) == 0 { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
        let op = r.pick(&["+", "-", "*", "/", "==", "!=", "<", ">=", "+ then -"]);
        let value = match op {
            "+" => Float(x + y),
            "-" => Float(x - y),
            "*" => Float(x * y),
            "/" => Float(x / y),
            "==" => Bool(x == y),
            "!=" => Bool(x != y),
            "<" => Bool(x < y),
            ">=" => Bool(x >= y),
            _ => return (format!("(({a} + {b}) - 0.3)"), Float((x + y) - 0.3)),
        };
        return (format!("({a} {op} {b})"), value);
    }
}

fn expressions() -> Vec<(String, Value)> {
    let mut r = Random::new(2021);
    let mut out = Vec::new();
    for n in 0..360 {
        let depth = 1 + n % 4;
        out.push(match n % 3 {
            0 => {
                let (text, value) = integer(&mut r, depth, true);
                (text, Int(value as i32))
            }
            1 => {
                let (text, value) = integer(&mut r, depth, false);
                (text, Uint(value))
            }
            _ => {
                let (text, value) = float(&mut r, depth.min(2));
                (text, Float(value))
            }
        });
    }
    // Comparisons and truth.
    for n in 0..40 {
        let ((a, x), (b, y)) = (integer(&mut r, 1, n % 2 == 0), integer(&mut r, 1, n % 2 == 0));
        let less = if n % 2 == 0 { (x as i32) < y as i32 } else { x < y };
        out.push((format!("({a} < {b} && !({a} == {b}) || false)"), Bool(less)));
    }
    out.extend((0..200).map(|_| mixed(&mut r)));
    // A double takes part as one, and two literals are computed as doubles.
    let doubles = [("0.1f > 0.1L", true), ("16777217 == 16777216.0L", false), ("0.1 + 0.2 == 0.3", false)];
    out.extend(doubles.map(|(text, value)| (format!("({text})"), Bool(value))));
    out
}

/// Returns all diagnostics of a program, each with its line.
fn wrong(text: &str) -> Vec<(usize, String)> {
    let options = Options { library: true, ..Options::default() };
    let (db, program) = support::with_options(text, options);
    let line = |at: u32| text[..at as usize].matches('\n').count() + 1;
    diagnostics(&db, program).iter().map(|d| (line(d.labels[0].range.lo), d.message.clone())).collect()
}

#[test]
fn random_expressions_match_the_model() {
    let mut text = String::new();
    for (n, (expression, value)) in expressions().iter().enumerate() {
        let ty = match value {
            Int(_) => "int",
            Uint(_) => "uint",
            Bool(_) => "bool",
            Float(_) => "float",
        };
        // The bits of a float show the sign of a zero.
        let (as_bits, wanted) = match value {
            Float(value) => ("asuint", format!("{}u", value.to_bits())),
            _ => ("", value.spelled()),
        };
        // Used as the value of a constant, as a constant expression of the head, and in a body.
        let _ = writeln!(text, "static const {ty} V{n} = {expression};");
        let _ = writeln!(text, "_Static_assert({as_bits}(V{n}) == {wanted}, \"\"); // {expression} is {value:?}");
        let _ = writeln!(text, "_Static_assert({as_bits}({expression}) == {wanted}, \"\");");
        let _ = writeln!(text, "void f{n}() {{ _Static_assert({as_bits}({expression}) == {wanted}, \"\"); }}");
    }
    let lines: Vec<&str> = text.lines().collect();
    let found: Vec<_> = wrong(&text).into_iter().map(|(line, what)| (what, lines[line - 1])).collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn a_wrong_value_is_found() {
    let found =
        wrong("_Static_assert(max(1u, 2u) == 1u, \"\");\nvoid f() { _Static_assert(max(1u, 2u) == 1u, \"\"); }");
    let lines: Vec<usize> = found.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [1, 2], "{found:?}");
    assert!(found.iter().all(|(_, what)| what.contains("the assertion fails")), "{found:?}");
}

/// The whole product has up to 128 bits.
#[test]
fn large_products_keep_the_low_bits() {
    for (a, b) in [(0xC000_0000_0000_0000_u64, 0xC000_0000_0000_0000), (u64::MAX, u64::MAX), (1 << 63, 3)] {
        let product = a.wrapping_mul(b);
        let text = format!(
            "template<uint64_t N> uint64_t id() {{ return N; }}\n\
             uint64_t f() {{ return id<(max({a}ull * {b}ull, 5ull))>(); }}\n\
             _Static_assert(max({a}ull * {b}ull, 5ull) == max({product}ull, 5ull), \"\");\n\
             void g() {{ _Static_assert({a}ull * {b}ull == {product}ull, \"\"); }}\n"
        );
        assert_eq!(wrong(&text), [], "{a} * {b}");
    }
}
