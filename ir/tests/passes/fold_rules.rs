//! One row for each rule of `fold` on integers, bools and composed values, and for each case that must stay.

use crate::{body_of_f, lines, read};
use std::collections::HashMap;
use wgc_ir::passes::{self, DenormalFlush};

/// A rule: the types of the parameters `%0`, `%1` .., statements, and the expression that the last value becomes. There
/// the parameters are `a`, `b` ...
type Row = (&'static str, &'static str, &'static str);

/// Returns the last value as an expression, after the pass.
pub(crate) fn simplified(params: &str, statements: &str, flush: DenormalFlush) -> String {
    let types: Vec<&str> = params.split(", ").filter(|ty| !ty.is_empty()).collect();
    let (last, ret) = statements
        .match_indices('%')
        .filter_map(|(at, _)| statements[at..].split_once(": ").filter(|(id, _)| !id.contains([' ', ','])))
        .next_back()
        .map(|(id, rest)| (id, rest.split(" =").next().expect("a type")))
        .expect("a value");
    let list: Vec<String> = types.iter().enumerate().map(|(n, ty)| format!("p{n}: {ty}")).collect();
    let values: String = types.iter().enumerate().map(|(n, ty)| format!("%{n}: {ty} = param {n}\n")).collect();
    let structs = "struct Pair size 8 align 4 { x: u32 @0, y: u32 @4 }\n";
    let mut module =
        read(&format!("{structs}fn @f({}) -> {ret} {{\n{values}{statements}\nreturn {last}\n}}", list.join(", ")));
    module.functions.values_mut().for_each(|function| passes::fold_floats(function, flush));
    let body = body_of_f(&module);
    let known: HashMap<&str, &str> = body
        .lines()
        .filter_map(|line| line.trim_start_matches("unused ").split_once(": "))
        .map(|(id, rest)| (id, rest.split_once(" = ").expect("an operation").1))
        .collect();
    let returned = body.lines().find_map(|line| line.strip_prefix("return ")).expect("it returns");
    expression(returned, &known)
}

fn expression(id: &str, known: &HashMap<&str, &str>) -> String {
    let op = known[id];
    if let Some(n) = op.strip_prefix("param ") {
        return char::from(b'a' + n.parse::<u8>().expect("a number")).to_string();
    }
    let word = |word: &str| match word.trim_end_matches(',') {
        operand if operand.starts_with('%') => {
            let inner = expression(operand, known);
            if inner.contains(' ') { format!("({inner})") } else { inner }
        }
        other => other.to_owned(),
    };
    op.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn check(rows: &[Row]) {
    for (params, statements, expected) in rows {
        let found = simplified(params, statements, DenormalFlush::Required);
        assert_eq!(found, *expected, "{statements}");
    }
}

#[test]
fn masks_and_shifts_of_known_bits_vanish() {
    let out = |text: &str| {
        let mut module = crate::read(&format!(
            "global @g: private u32\n{}fn @f() -> void {{
            %0: ref<private, u32> = global @g
            %1: u32 = load %0
            %2: u32 = 12
            %3: u32 = 2
            %4: u32 = mul %1, %2
            {text}
            store %0, %9
            }}",
            crate::ENTRY
        ));
        passes::fold(&mut module.functions["f"]);
        passes::dead(&mut module, &[], passes::Accesses::MayGo);
        let body = crate::body_of_f(&module);
        body.lines()
            .filter_map(|line| line.split_once(" = "))
            .map(|(_, op)| op.to_string())
            .collect::<Vec<_>>()
            .join("; ")
    };
    // 12 x is a multiple of 4.
    assert_eq!(out("%9: u32 = and %4, %3"), "global @g; 0");
    assert_eq!(out("%5: u32 = add %4, %3 %9: u32 = and %5, %3"), "global @g; 2");
    assert!(!out("%5: u32 = add %4, %3 %9: u32 = shr %5, %3").contains("add"));
    assert!(out("%5: u32 = 4 %6: u32 = add %4, %5 %9: u32 = shr %6, %3").contains("add"));
    // 12 x + 6 and 12 x + 4 have the same word.
    let offset = |op: &str, offset: u32| {
        let text = out(&format!("%5: u32 = {offset} %6: u32 = {op} %4, %5 %9: u32 = shr %6, %3"));
        assert!(text.contains(op), "{text}");
        text.split("; ").filter_map(|op| op.parse().ok()).find(|n: &u32| ![2, 12].contains(n)).expect("it has one")
    };
    assert_eq!([4, 5, 6, 7, 8, u32::MAX].map(|n| offset("add", n)), [4, 4, 4, 4, 8, u32::MAX - 3]);
    assert_eq!([6, 21].map(|n| offset("or", n)), [4, 20]);
    assert!(out("%5: u32 = add %1, %3 %9: u32 = shr %5, %3").contains("add"));
    assert!(out("%5: u32 = 4 %9: u32 = and %4, %5").contains("and"));
    // A shift by 33 is one by 1, which does not remove the 2.
    assert!(out("%5: u32 = 33 %6: u32 = add %4, %3 %9: u32 = shr %6, %5").contains("add"));
    // A multiple of 4 is true if any bit is set.
    assert!(out("%5: bool = convert %4 %6: u32 = convert %5 %7: u32 = 1 %9: u32 = and %6, %7").contains("convert"));
    assert!(!out("%5: u32 = 7 %6: u32 = and %1, %5 %7: u32 = 15 %9: u32 = and %6, %7").contains("15"));
}

#[test]
fn neutral_operands_vanish() {
    check(&[
        ("u32", "%1: u32 = 32 %2: u32 = shl %0, %1", "a"),
        ("u32x2", "%1: u32x2 = zero %2: u32x2 = add %0, %1", "a"),
        ("u32x2", "%1: u32x2 = zero %2: u32x2 = mul %1, %0", "zero"),
        ("u32x2", "%1: u32 = 1 %2: u32x2 = compose %1, %1 %3: u32x2 = mul %0, %2", "a"),
        ("u32x2", "%1: u32 = 1 %2: u32 = 2 %3: u32x2 = compose %1, %2 %4: u32x2 = mul %0, %3", "mul a (compose 1 2)"),
        ("u32", "%1: u32 = 4294967295 %2: u32 = or %0, %1", "4294967295"),
        ("u32", "%1: u32 = 0 %2: u32 = shr %1, %0", "0"),
        ("bool", "%1: bool = true %2: bool = and %0, %1", "a"),
        ("bool", "%1: bool = true %2: bool = eq %1, %0", "a"),
        ("bool", "%1: bool = false %2: bool = ne %0, %1", "a"),
        ("bool", "%1: bool = false %2: bool = eq %0, %1", "not a"),
        ("bool", "%1: bool = true %2: bool = xor %0, %1", "not a"),
        ("bool", "%1: bool = true %2: bool = ne %0, %1", "not a"),
    ]);
}

#[test]
fn equal_operands_decide() {
    check(&[
        ("u32", "%1: u32 = sub %0, %0", "0"),
        ("u32x2", "%1: u32x2 = xor %0, %0", "zero"),
        ("u32", "%1: u32 = and %0, %0", "a"),
        ("u32", "%1: u32 = or %0, %0", "a"),
        ("u32", "%1: u32 = min %0, %0", "a"),
        ("i32", "%1: bool = eq %0, %0", "true"),
        ("i32", "%1: bool = le %0, %0", "true"),
        ("i32", "%1: bool = ge %0, %0", "true"),
        ("i32", "%1: bool = ne %0, %0", "false"),
        ("i32", "%1: bool = lt %0, %0", "false"),
        ("i32", "%1: bool = gt %0, %0", "false"),
        ("u32", "%1: u32 = div %0, %0", "div a a"),
        ("u32", "%1: u32 = add %0, %0", "add a a"),
    ]);
}

#[test]
fn negations_cancel() {
    check(&[
        ("bool", "%1: bool = not %0 %2: bool = not %1", "a"),
        ("u32", "%1: u32 = bit_not %0 %2: u32 = bit_not %1", "a"),
        ("i32", "%1: i32 = neg %0 %2: i32 = neg %1", "a"),
        ("i32", "%1: i32 = neg %0 %2: i32 = bit_not %1", "bit_not (neg a)"),
        ("i32, i32", "%2: bool = lt %0, %1 %3: bool = not %2", "ge a b"),
        ("i32, i32", "%2: bool = le %0, %1 %3: bool = not %2", "gt a b"),
        ("i32, i32", "%2: bool = gt %0, %1 %3: bool = not %2", "le a b"),
        ("i32, i32", "%2: bool = ge %0, %1 %3: bool = not %2", "lt a b"),
        ("i32, i32", "%2: bool = eq %0, %1 %3: bool = not %2", "ne a b"),
        ("bool, bool", "%2: bool = ne %0, %1 %3: bool = not %2", "eq a b"),
        ("bool, bool", "%2: bool = and %0, %1 %3: bool = not %2", "not (and a b)"),
    ]);
}

/// Constants are 3, then 5, except for shifts.
#[test]
fn constants_of_two_operations_combine() {
    let two = |ty: &str, first: &str, second: &str| {
        let statements = format!("%8: {ty} = 3 %9: {ty} = 5 %10: {ty} = {first} %11: {ty} = {second}");
        simplified(ty, &statements, DenormalFlush::Required)
    };
    for (first, second, expected) in [
        ("add %0, %8", "add %10, %9", "add a 8"),
        ("add %8, %0", "add %9, %10", "add a 8"),
        ("sub %0, %8", "sub %10, %9", "sub a 8"),
        ("add %0, %8", "sub %10, %9", "sub a 2"),
        ("sub %0, %9", "add %10, %8", "sub a 2"),
        ("sub %0, %8", "add %10, %9", "add a 2"),
        ("add %0, %9", "sub %10, %8", "add a 2"),
        ("add %0, %9", "sub %10, %9", "a"),
        ("sub %8, %0", "add %10, %9", "add (sub 3 a) 5"),
        ("add %0, %8", "sub %9, %10", "sub 5 (add a 3)"),
        ("mul %0, %8", "mul %10, %9", "mul a 15"),
        ("and %0, %8", "and %10, %9", "and a 1"),
        ("or %0, %8", "or %10, %9", "or a 7"),
        ("xor %0, %8", "xor %10, %9", "xor a 6"),
        ("shl %0, %8", "shl %10, %9", "shl a 8"),
        ("shr %0, %8", "shr %10, %9", "shr a 8"),
        ("shl %0, %8", "shr %10, %9", "shr (shl a 3) 5"),
        ("add %0, %8", "mul %10, %9", "mul (add a 3) 5"),
        ("div %0, %8", "div %10, %9", "div (div a 3) 5"),
    ] {
        assert_eq!(two("i32", first, second), expected, "{first}, {second}");
    }
    check(&[
        ("u32", "%1: u32 = 31 %2: u32 = 1 %3: u32 = shl %0, %1 %4: u32 = shl %3, %2", "shl (shl a 31) 1"),
        ("u32", "%1: u32 = 4294967295 %2: u32 = 2 %3: u32 = add %0, %1 %4: u32 = add %3, %2", "add a 1"),
        (
            "u32x2",
            "%1: u32 = 1 %2: u32 = 2 %3: u32x2 = compose %1, %2 %4: u32x2 = add %0, %3 %5: u32x2 = add %4, %3",
            "add a (compose 2 4)",
        ),
    ]);
}

#[test]
fn unsigned_divisions_by_powers_of_two_are_shifts_and_masks() {
    check(&[
        ("u32", "%1: u32 = 8 %2: u32 = div %0, %1", "shr a 3"),
        ("u32", "%1: u32 = 8 %2: u32 = rem %0, %1", "and a 7"),
        ("u64", "%1: u64 = 4294967296 %2: u64 = div %0, %1", "shr a 32"),
        ("u32x2", "%1: u32 = 2 %2: u32 = 4 %3: u32x2 = compose %1, %2 %4: u32x2 = rem %0, %3", "and a (compose 1 3)"),
        ("u32", "%1: u32 = 6 %2: u32 = div %0, %1", "div a 6"),
        ("u32", "%1: u32 = 8 %2: u32 = mul %0, %1", "mul a 8"),
        ("u32", "%1: u32 = 0 %2: u32 = rem %0, %1", "rem a 0"),
        ("i32", "%1: i32 = 8 %2: i32 = div %0, %1", "div a 8"),
        ("i32", "%1: i32 = 8 %2: i32 = rem %0, %1", "rem a 8"),
    ]);
}

/// The quotient of a negative number is rounded up, that of a shift down.
#[test]
fn divisions_of_natural_numbers_are_shifts_and_masks() {
    for (mask, op, expected) in [
        (255, "8 %4: i32 = div %2, %3", "shr (and a 255) 3"),
        (-256, "8 %4: i32 = div %2, %3", "div (and a -256) 8"),
        (-256, "8 %4: i32 = rem %2, %3", "rem (and a -256) 8"),
        (255, "6 %4: i32 = div %2, %3", "div (and a 255) 6"),
        (255, "-8 %4: i32 = div %2, %3", "div (and a 255) -8"),
        (255, "8 %4: i32 = rem %2, %3", "and a 7"),
        // Less than the least number in size: the quotient is 0, and the rest is the number.
        (255, "-2147483648 %4: i32 = div %2, %3", "shr (and a 255) 31"),
        (255, "-2147483648 %4: i32 = rem %2, %3", "and a 255"),
    ] {
        let text = format!("%1: i32 = {mask} %2: i32 = and %0, %1 %3: i32 = {op}");
        assert_eq!(simplified("i32", &text, DenormalFlush::Required), expected, "{text}");
    }
}

#[test]
fn shifts_need_no_mask_of_the_low_bits() {
    check(&[
        ("u32, u32", "%2: u32 = 31 %3: u32 = and %1, %2 %4: u32 = shl %0, %3", "shl a b"),
        ("i32, u32", "%2: u32 = 31 %3: u32 = and %2, %1 %4: i32 = shr %0, %3", "shr a b"),
        ("u64, u64", "%2: u64 = 63 %3: u64 = and %1, %2 %4: u64 = shl %0, %3", "shl a b"),
        ("u32, u32", "%2: u32 = 32 %3: u32 = rem %1, %2 %4: u32 = shl %0, %3", "shl a b"),
        ("u32, u32", "%2: u32 = 15 %3: u32 = and %1, %2 %4: u32 = shl %0, %3", "shl a (and b 15)"),
        ("u64, u64", "%2: u64 = 31 %3: u64 = and %1, %2 %4: u64 = shl %0, %3", "shl a (and b 31)"),
        ("u32, u32", "%2: u32 = 31 %3: u32 = or %1, %2 %4: u32 = shl %0, %3", "shl a (or b 31)"),
    ]);
}

#[test]
fn selects_vanish() {
    check(&[
        ("bool, u32", "%2: u32 = select %0, %1, %1", "b"),
        ("bool", "%1: u32 = 7 %2: u32 = 7 %3: u32 = select %0, %1, %2", "7"),
        ("bool", "%1: bool = true %2: bool = false %3: bool = select %0, %1, %2", "a"),
        ("bool", "%1: bool = true %2: bool = false %3: bool = select %0, %2, %1", "not a"),
        ("bool, u32, u32", "%3: bool = not %0 %4: u32 = select %3, %1, %2", "select a c b"),
        ("bool, u32, u32", "%3: bool = true %4: u32 = select %3, %1, %2", "b"),
        ("bool, u32, u32", "%3: bool = not %0 %4: bool = not %3 %5: u32 = select %4, %1, %2", "select a b c"),
        // The condition has another type.
        (
            "bool",
            "%1: bool = true %2: boolx2 = compose %1, %1 %3: boolx2 = zero %4: boolx2 = select %0, %2, %3",
            "select a (compose true true) zero",
        ),
        ("bool, u32", "%2: u32 = 1 %3: u32 = select %0, %2, %1", "select a 1 b"),
    ]);
}

#[test]
fn constant_vectors_select_components() {
    check(&[
        ("u32x2, u32x2", "%2: boolx2 = zero %3: u32x2 = select %2, %0, %1", "b"),
        ("u32x2, u32x2", "%2: bool = true %3: boolx2 = compose %2, %2 %4: u32x2 = select %3, %0, %1", "a"),
        (
            "u32, u32",
            "%2: bool = true %3: bool = false %4: boolx2 = compose %2, %3 %5: u32x2 = compose %0, %1
            %6: u32x2 = compose %1, %0 %7: u32x2 = select %4, %5, %6",
            "compose a a",
        ),
        (
            "u32x2, u32x2",
            "%2: bool = true %3: bool = false %4: boolx2 = compose %2, %3 %5: u32x2 = select %4, %0, %1",
            "shuffle a b 0 3",
        ),
    ]);
}

#[test]
fn tests_of_chosen_constants_are_the_condition() {
    check(&[
        ("bool", "%1: u32 = convert %0 %2: u32 = 0 %3: bool = ne %1, %2", "a"),
        ("bool", "%1: u32 = convert %0 %2: u32 = 0 %3: bool = eq %1, %2", "not a"),
        ("bool", "%1: u32 = convert %0 %2: u32 = 1 %3: bool = eq %2, %1", "a"),
        ("bool", "%1: u32 = convert %0 %2: u32 = 2 %3: bool = lt %1, %2", "true"),
        ("bool", "%1: f32 = convert %0 %2: f32 = 0.5 %3: bool = gt %1, %2", "a"),
        ("bool", "%1: u32 = 5 %2: u32 = 9 %3: u32 = select %0, %1, %2 %4: bool = eq %3, %1", "a"),
        ("bool", "%1: u32 = 5 %2: u32 = 9 %3: u32 = select %0, %1, %2 %4: bool = ge %3, %2", "not a"),
        ("bool", "%1: u32 = 5 %2: u32 = 9 %3: u32 = select %0, %1, %2 %4: bool = convert %3", "true"),
        ("boolx2", "%1: u32x2 = convert %0 %2: u32x2 = zero %3: boolx2 = ne %1, %2", "a"),
        // Each component compares with another constant.
        (
            "boolx2",
            "%1: u32x2 = convert %0 %2: u32 = 0 %3: u32 = 1 %4: u32x2 = compose %2, %3 %5: boolx2 = ne %1, %4",
            "ne (convert a) (compose 0 1)",
        ),
        ("u32", "%1: f32 = convert %0 %2: f32 = 0.0 %3: bool = ne %1, %2", "ne (convert a) 0.0"),
    ]);
}

#[test]
fn conversions_combine_if_exact() {
    for (from, through, to, expected) in [
        ("u32", "i32", "u32", "a"),
        ("u32", "u64", "u32", "a"),
        ("i32", "i64", "u32", "convert a"),
        ("i64", "u32", "i32", "convert a"),
        ("u32", "u64", "i64", "convert a"),
        ("i16", "i32", "i64", "convert a"),
        ("bool", "u32", "bool", "a"),
        ("bool", "i32", "u64", "convert a"),
        ("u32", "u64", "bool", "convert a"),
        ("u32", "i32", "bool", "convert a"),
        ("i32", "u32", "i64", "convert (convert a)"),
        ("i32", "u64", "i32", "a"),
        ("u64", "u32", "u64", "convert (convert a)"),
        ("u64", "u32", "bool", "convert (convert a)"),
        ("u32", "bool", "u32", "convert (convert a)"),
        ("u32", "f32", "u32", "convert (convert a)"),
        ("f32", "u32", "f32", "convert (convert a)"),
        ("f32", "f64", "f32", "convert (convert a)"),
    ] {
        let statements = format!("%1: {through} = convert %0 %2: {to} = convert %1");
        let found = simplified(from, &statements, DenormalFlush::Required);
        assert_eq!(found, expected, "{from} {through} {to}");
    }
    for (from, through, to, expected) in [
        ("f32", "f64", "f32", "a"),
        ("f32", "f64", "i32", "convert a"),
        ("f64", "f32", "f64", "convert (convert a)"),
        ("f64", "f32", "bool", "convert (convert a)"),
        ("i16", "f32", "i32", "convert a"),
        ("u32", "f64", "u64", "convert a"),
        ("u32", "f32", "bool", "convert a"),
        ("i32", "f32", "i32", "convert (convert a)"),
        ("f32", "i32", "bool", "convert (convert a)"),
    ] {
        let statements = format!("%1: {through} = convert %0 %2: {to} = convert %1");
        let found = simplified(from, &statements, DenormalFlush::Optional);
        assert_eq!(found, expected, "{from} {through} {to}");
    }
}

#[test]
fn bit_casts_combine() {
    check(&[
        ("u32", "%1: f32 = bitcast %0 %2: u32 = bitcast %1", "a"),
        ("u32", "%1: f32 = bitcast %0 %2: i32 = bitcast %1", "bitcast a"),
        ("u64", "%1: u32x2 = bitcast %0 %2: u64 = bitcast %1", "a"),
        ("u32", "%1: f32 = bitcast %0 %2: u32 = convert %1", "convert (bitcast a)"),
        ("", "%1: u32 = 1 %2: u32 = 2 %3: u32x2 = compose %1, %2 %4: u64 = bitcast %3", "8589934593"),
        ("", "%1: u64 = 8589934593 %2: u32x2 = bitcast %1", "compose 1 2"),
    ]);
}

#[test]
fn operations_on_constant_vectors_are_constants() {
    let constants = "%1: u32 = 6 %2: u32 = 4 %3: u32x2 = compose %1, %2 %4: u32x2 = compose %2, %2";
    for (operation, expected) in [
        ("%5: u32x2 = add %3, %4", "compose 10 8"),
        ("%5: u32x2 = sub %3, %3", "zero"),
        ("%5: u32x2 = bit_not %3", "compose 4294967289 4294967291"),
        ("%5: boolx2 = gt %3, %4", "compose true false"),
        ("%5: boolx2 = gt %3, %4 %6: u32x2 = select %5, %4, %3", "compose 4 4"),
        ("%5: u32x2 = max %3, %4", "compose 6 4"),
        ("%5: f32x2 = convert %3", "compose 6.0 4.0"),
        ("%5: u32x2 = zero %6: u32x2 = add %5, %3", "compose 6 4"),
        ("%5: u32x3 = swizzle %3, 1 0 0", "compose 4 6 6"),
        ("%5: u32 = extract %3, 1", "4"),
        ("%5: u32x2 = zero %6: u32 = extract %5, 1", "0"),
        ("%5: u32x2 = div %3, %3", "compose 1 1"),
        ("%5: u32x2 = zero %6: u32x2 = div %3, %5", "div (compose 6 4) zero"),
    ] {
        let found = simplified("", &format!("{constants} {operation}"), DenormalFlush::Required);
        assert_eq!(found, expected, "{operation}");
    }
}

#[test]
fn elements_of_composed_values_are_known() {
    check(&[
        ("u32, u32", "%2: u32x2 = compose %0, %1 %3: u32 = extract %2, 1", "b"),
        ("u32x2, u32", "%2: u32x3 = compose %0, %1 %3: u32 = extract %2, 2", "b"),
        ("u32x2, u32", "%2: u32x3 = compose %1, %0 %3: u32 = extract %2, 2", "extract a 1"),
        ("u32x2, u32", "%2: u32x2 = insert %0, 1, %1 %3: u32 = extract %2, 1", "b"),
        ("u32x2, u32", "%2: u32x2 = insert %0, 1, %1 %3: u32 = extract %2, 0", "extract a 0"),
        ("u32x3", "%1: u32x2 = swizzle %0, 2 1 %2: u32 = extract %1, 0", "extract a 2"),
        ("u32x3", "%1: u32 = 1 %2: u32 = extract_dynamic %0, %1", "extract a 1"),
        ("u32x3", "%1: u32 = 3 %2: u32 = extract_dynamic %0, %1", "extract_dynamic a 3"),
        ("u32, u32", "%2: Pair = compose %0, %1 %3: u32 = extract %2, 0", "a"),
        ("", "%2: Pair = zero %3: u32 = extract %2, 0", "0"),
        (
            "u32x2",
            "%3: matrix<u32, 2, 2, rows stride 8> = zero %4: matrix<u32, 2, 2, rows stride 8> = insert %3, 0, %0
            %5: u32x2 = extract %4, 1",
            "zero",
        ),
    ]);
}

#[test]
fn swizzles_and_compositions_combine() {
    check(&[
        ("u32x4", "%1: u32x3 = swizzle %0, 3 2 1 %2: u32x2 = swizzle %1, 2 0", "swizzle a 1 3"),
        ("u32x4", "%1: u32x4 = swizzle %0, 0 1 2 3", "a"),
        ("u32x4", "%1: u32x2 = swizzle %0, 0 1", "swizzle a 0 1"),
        ("u32x4", "%1: u32x4 = swizzle %0, 3 2 1 0 %2: u32x4 = swizzle %1, 3 2 1 0", "a"),
        ("u32, u32", "%2: u32x2 = compose %0, %1 %3: u32x3 = swizzle %2, 1 1 0", "compose b b a"),
        ("u32", "%1: u32x3 = swizzle %0, 0 0 0", "swizzle a 0 0 0"),
        ("u32x2", "%1: u32 = extract %0, 0 %2: u32 = extract %0, 1 %3: u32x2 = compose %1, %2", "a"),
        ("u32x2", "%1: u32 = extract %0, 0 %2: u32 = extract %0, 1 %3: u32x2 = compose %2, %1", "swizzle a 1 0"),
        ("Pair", "%1: u32 = extract %0, 0 %2: u32 = extract %0, 1 %3: Pair = compose %1, %2", "a"),
        (
            "Pair",
            "%1: u32 = extract %0, 0 %2: u32 = extract %0, 1 %3: Pair = compose %2, %1",
            "compose (extract a 1) (extract a 0)",
        ),
        ("u32, u32, u32", "%3: u32x2 = compose %0, %1 %4: u32x3 = compose %3, %2", "compose a b c"),
        ("u32, u32", "%2: u32x2 = zero %3: u32x4 = compose %0, %2, %1", "compose a 0 0 b"),
        ("u32x2, u32", "%2: u32x3 = compose %0, %1", "compose a b"),
        ("u32x4", "%1: u32x2 = swizzle %0, 0 1 %2: u32x2 = swizzle %0, 2 3 %3: u32x4 = compose %1, %2", "a"),
    ]);
}

#[test]
fn components_of_two_vectors_are_one_shuffle() {
    check(&[
        (
            "u32x4, u32x3",
            "%2: u32x2 = swizzle %0, 3 0 %3: u32x2 = swizzle %1, 2 1 %4: u32x4 = compose %2, %3",
            "shuffle a b 3 0 6 5",
        ),
        ("u32x4, u32x3", "%2: u32 = extract %0, 3 %3: u32x4 = compose %1, %2", "shuffle b a 0 1 2 6"),
        ("u32x4, u32x4", "%2: u32x4 = shuffle %0, %1, 4 5 6 7", "b"),
        ("u32x4, u32x4", "%2: u32x4 = shuffle %0, %1, 3 2 1 0", "swizzle a 3 2 1 0"),
        ("u32x4", "%1: u32x4 = shuffle %0, %0, 0 7 6 5", "swizzle a 0 3 2 1"),
        ("u32x4, u32x4", "%2: u32x4 = shuffle %0, %1, 7 0 6 1 %3: u32x3 = swizzle %2, 1 0 3", "shuffle a b 0 7 1"),
        ("u32x4, u32x4", "%2: u32x4 = shuffle %0, %1, 7 0 6 1 %3: u32 = extract %2, 2", "extract b 2"),
        ("u32x2", "%1: u32 = 5 %2: u32x2 = compose %1, %1 %3: u32x2 = shuffle %2, %2, 0 3", "compose 5 5"),
        // Two whole vectors, and as few as two components, are composed.
        ("u32x2, u32x2", "%2: u32x4 = compose %0, %1", "compose a b"),
        (
            "u32x4, u32x4",
            "%2: u32 = extract %0, 3 %3: u32 = extract %1, 2 %4: u32x2 = compose %2, %3",
            "compose (extract a 3) (extract b 2)",
        ),
        // A third vector.
        (
            "u32x2, u32x2, u32x2",
            "%3: u32x3 = shuffle %0, %1, 0 3 1 %4: u32 = extract %2, 1 %5: u32x3 = insert %3, 2, %4",
            "insert (shuffle a b 0 3 1) 2 (extract c 1)",
        ),
    ]);
}

#[test]
fn insertions_combine() {
    check(&[
        ("u32x2, u32, u32", "%3: u32x2 = insert %0, 0, %1 %4: u32x2 = insert %3, 1, %2", "compose b c"),
        ("u32x3, u32, u32", "%3: u32x3 = insert %0, 1, %1 %4: u32x3 = insert %3, 1, %2", "insert a 1 c"),
        ("u32x3, u32, u32", "%3: u32x3 = insert %0, 1, %1 %4: u32x3 = insert %3, 2, %2", "insert (insert a 1 b) 2 c"),
        ("Pair, u32, u32", "%3: Pair = insert %0, 0, %1 %4: Pair = insert %3, 1, %2", "compose b c"),
        (
            "u32x4, u32x3",
            "%2: u32 = extract %1, 0 %3: u32x4 = insert %0, 0, %2 %4: u32 = extract %1, 2 %5: u32x4 = insert %3, 2, %4",
            "shuffle b a 0 4 2 6",
        ),
        (
            "u32x4, u32x4",
            "%2: u32 = extract %1, 1 %3: u32x4 = insert %0, 1, %2 %4: u32 = extract %1, 3 %5: u32x4 = insert %3, 3, %4",
            "shuffle a b 0 5 2 7",
        ),
        (
            "u32x3, u32x3",
            "%2: u32 = extract %1, 1 %3: u32x3 = insert %0, 0, %2 %4: u32 = extract %0, 0 %5: u32x3 = insert %3, 1, %4",
            "shuffle b a 1 3 5",
        ),
        ("u32x2", "%1: u32 = extract %0, 0 %2: u32x2 = insert %0, 0, %1", "a"),
        ("u32x2", "%1: u32 = extract %0, 0 %2: u32x2 = insert %0, 1, %1", "swizzle a 0 0"),
        ("u32x2, u32x2", "%2: u32 = extract %1, 0 %3: u32x2 = insert %0, 1, %2", "insert a 1 (extract b 0)"),
    ]);
}

/// Arrays of more than four elements have no table of their elements.
#[test]
fn elements_of_larger_arrays_are_known_a_few_insertions_back() {
    let chain = |insertions: usize, index: usize| {
        let array = "[u32; 32 stride 4]";
        let mut statements = String::new();
        for n in 0..insertions {
            let base = if n == 0 { 0 } else { 9 + n };
            statements += &format!("%{}: {array} = insert %{base}, {n}, %1\n", 10 + n);
        }
        statements += &format!("%99: u32 = extract %{}, {index}", 9 + insertions);
        simplified(&format!("{array}, u32"), &statements, DenormalFlush::Required)
    };
    assert_eq!(chain(3, 0), "b");
    assert_eq!(chain(3, 31), "extract a 31");
    // Four times four insertions back.
    assert_eq!(chain(20, 0), "extract (insert (insert (insert (insert a 0 b) 1 b) 2 b) 3 b) 0");
    assert_eq!(chain(20, 4), "b");
}

/// Each operation looks back a few steps only. All of them take milliseconds, not minutes.
#[test]
fn long_chains_of_insertions_take_linear_time() {
    for (ty, len) in [("u32x4", 3), ("[u32; 9 stride 4]", 8)] {
        let mut text = format!("fn @f(a: {ty}, b: u32) -> u32 {{\n%0: {ty} = param 0\n%1: u32 = param 1\n");
        // The last element is read again and again and is never inserted.
        for n in 1..50_000 {
            let (insertion, base) = (2 * n, if n == 1 { 0 } else { 2 * n - 2 });
            text += &format!("%{insertion}: {ty} = insert %{base}, {}, %1\n", n % len);
            text += &format!("%{}: u32 = extract %{insertion}, {len}\n", insertion + 1);
        }
        text += "return %99999\n}";
        let mut module = read(&text);
        let start = std::time::Instant::now();
        passes::fold(&mut module.functions[0]);
        assert!(start.elapsed().as_secs() < 10, "{ty}: {:?}", start.elapsed());
    }
}

fn folded(statements: &str) -> String {
    let mut module = read(&format!(
        "global @g: private u32\nfn @f(a: bool, b: u32) -> void {{ %0: bool = param 0 %1: u32 = param 1
        %2: ref<private, u32> = global @g {statements} }}"
    ));
    passes::fold(&mut module.functions["f"]);
    passes::dead(&mut module, &["f".into()], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn a_condition_is_known_in_its_arms() {
    let out = folded(
        "%3: bool = not %0
        %4: u32 = 7
        if %0 {
            if %0 { store %2, %1 } else { store %2, %4 }
            loop {
                if %3 { break }
                %5: u32 = select %0, %1, %4
                store %2, %5
            }
        } else {
            if %0 { store %2, %1 } else { store %2, %4 }
            %6: u32 = select %3, %1, %4
            store %2, %6
        }
        if %3 { } else {
            if %0 { store %2, %4 }
        }
        if %0 { store %2, %4 }",
    );
    let expected = "
        %0: bool = param 0
        %1: u32 = param 1
        %2: ref<private, u32> = global @g
        %3: bool = not %0
        %4: u32 = 7
        if %0 {
        store %2, %1
        loop {
        store %2, %1
        }
        } else {
        store %2, %4
        store %2, %1
        }
        if %3 {
        } else {
        store %2, %4
        }
        if %0 {
        store %2, %4
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn marks_move_to_the_value_that_stays() {
    let mut module = read(
        "fn @f(a: f32, b: f32) -> f32 {\n%0: f32 = param 0\n%1: f32 = param 1\n%2: f32 = mul %0, %1\n%3: f32 = 1.0
        %4: f32 = precise mul %2, %3\n%5: f32 = 4.0\n%6: f32 = precise div %4, %5\nreturn %6\n}",
    );
    passes::fold_floats(&mut module.functions[0], DenormalFlush::Optional);
    let out = body_of_f(&module);
    assert!(out.contains("%2: f32 = precise mul %0, %1"), "{out}");
    assert!(out.contains("%6: f32 = precise mul %2, "), "{out}");
}
