//! The rules of `fold` on floats: those that keep every bit, and well-known ones that do not.

use crate::fold_rules::simplified;
use wgc_ir::passes::DenormalFlush::{Optional, Required};

/// Statements with a parameter `%0`, and the result if devices need not flush denormals, and if they must.
const ROWS: &[(&str, &str, &str)] = &[
    ("%1: f32 = 1.0 %2: f32 = mul %0, %1", "a", "mul a 1.0"),
    ("%1: f32 = 1.0 %2: f32 = mul %1, %0", "a", "mul 1.0 a"),
    ("%1: f32 = 1.0 %2: f32 = div %0, %1", "a", "mul a 1.0"),
    ("%1: f32 = 0.0 %2: f32 = sub %0, %1", "a", "sub a 0.0"),
    ("%1: f32 = -0.0 %2: f32 = add %0, %1", "a", "add a -0.0"),
    ("%1: f32 = -0.0 %2: f32 = add %1, %0", "a", "add -0.0 a"),
    ("%1: f32 = neg %0 %2: f32 = neg %1", "a", "neg (neg a)"),
    ("%1: f32 = 8.0 %2: f32 = div %0, %1", "mul a 0.125", "mul a 0.125"),
    ("%1: f32 = -0.5 %2: f32 = div %0, %1", "mul a -2.0", "mul a -2.0"),
];

/// Statements whose last operation stays as it is.
const STAY: &[(&str, &str)] = &[
    // -0 + 0 is 0, and -0 - -0 is 0.
    ("%1: f32 = 0.0 %2: f32 = add %0, %1", "add a 0.0"),
    ("%1: f32 = -0.0 %2: f32 = sub %0, %1", "sub a -0.0"),
    ("%1: f32 = 0.0 %2: f32 = sub %1, %0", "sub 0.0 a"),
    ("%1: f32 = 1.0 %2: f32 = div %1, %0", "div 1.0 a"),
    // Infinity and NaN.
    ("%1: f32 = 0.0 %2: f32 = mul %0, %1", "mul a 0.0"),
    ("%1: f32 = sub %0, %0", "sub a a"),
    ("%1: f32 = div %0, %0", "div a a"),
    ("%1: bool = eq %0, %0", "eq a a"),
    ("%1: bool = le %0, %0", "le a a"),
    ("%1: bool = ne %0, %0", "ne a a"),
    ("%1: f32 = min %0, %0", "min a a"),
    ("%1: f32 = 1.0 %2: bool = lt %0, %1 %3: bool = not %2", "not (lt a 1.0)"),
    ("%1: f32 = 1.0 %2: bool = eq %0, %1 %3: bool = not %2", "not (eq a 1.0)"),
    ("%1: f32 = 1.0 %2: bool = lt %0, %1 %3: f32 = select %2, %0, %1", "select (lt a 1.0) a 1.0"),
    // Each operation rounds.
    ("%1: f32 = 3.0 %2: f32 = 5.0 %3: f32 = add %0, %1 %4: f32 = add %3, %2", "add (add a 3.0) 5.0"),
    ("%1: f32 = 3.0 %2: f32 = 5.0 %3: f32 = mul %0, %1 %4: f32 = mul %3, %2", "mul (mul a 3.0) 5.0"),
    ("%1: f32 = 3.0 %2: f32 = div %0, %1", "div a 3.0"),
    // The inverse of 2^127 is denormal, that of 2^-149 is too large.
    ("%1: f32 = 1.7014118e38 %2: f32 = div %0, %1", "div a 1.7014118e38"),
    ("%1: f32 = 1e-45 %2: f32 = div %0, %1", "div a 1e-45"),
    ("%1: f32 = 0.0 %2: f32 = div %0, %1", "div a 0.0"),
    // A new NaN.
    ("%1: f32 = 1.0 %2: f32 = 0.0 %3: f32 = div %1, %2", "div 1.0 0.0"),
    ("%1: f32 = -1.0 %2: f32 = sqrt %1", "sqrt -1.0"),
    ("%1: f32 = 3e38 %2: f32 = mul %1, %1 %3: f32 = sub %2, %2", ""),
    // Outside of the domain.
    ("%1: f32 = 0.0 %2: f32 = log2 %1", "log2 0.0"),
    ("%1: f16 = 0x3c00 %2: f16 = add %1, %1", "add 0x3c00 0x3c00"),
];

#[test]
fn operations_that_keep_every_bit_vanish_unless_they_flush() {
    for (statements, optional, required) in ROWS {
        assert_eq!(simplified("f32", statements, Optional), *optional, "{statements}");
        assert_eq!(simplified("f32", statements, Required), *required, "{statements}");
    }
}

/// Devices may round these to any of several values.
#[test]
fn functions_of_constants_are_constants() {
    for (statements, expected) in [
        ("%1: f32 = 2.0 %2: f32 = exp2 %1", "4.0"),
        ("%1: f32 = 0.5 %2: f32 = 2.0 %3: f32 = pow %2, %1", "1.4142135"),
        ("%1: f32 = 0.0 %2: f32 = cos %1 %3: f32 = mul %0, %2", "a"),
    ] {
        assert_eq!(simplified("f32", statements, Optional), expected, "{statements}");
    }
}

#[test]
fn operations_that_change_a_bit_stay() {
    for (statements, expected) in STAY {
        for flush in [Optional, Required] {
            let found = simplified("f32", statements, flush);
            if expected.is_empty() {
                assert!(found.starts_with("sub"), "{statements}: {found}");
            } else {
                assert_eq!(found, *expected, "{statements}");
            }
        }
    }
}

#[test]
fn other_widths_and_vectors_follow() {
    for (param, statements, expected) in [
        ("f64", "%1: f64 = 1.0 %2: f64 = mul %0, %1", "a"),
        ("f64", "%1: f64 = 4.0 %2: f64 = div %0, %1", "mul a 0.25"),
        ("f16", "%1: f16 = 0x3c00 %2: f16 = mul %0, %1", "a"),
        ("f16", "%1: f16 = 0x4000 %2: f16 = div %0, %1", "div a 0x4000"),
        (
            "f32x2",
            "%1: f32 = 2.0 %2: f32 = 4.0 %3: f32x2 = compose %1, %2 %4: f32x2 = div %0, %3",
            "mul a (compose 0.5 0.25)",
        ),
        ("f32x2", "%1: f32x2 = zero %2: f32x2 = sub %0, %1", "a"),
    ] {
        assert_eq!(simplified(param, statements, Optional), expected, "{statements}");
    }
}

/// 1e-20 squared is denormal.
#[test]
fn denormal_constants_fold_unless_devices_must_flush() {
    let product = "%1: f32 = 1e-20 %2: f32 = mul %1, %1";
    assert!(!simplified("f32", product, Optional).contains("mul"));
    assert!(simplified("f32", product, Required).contains("mul"));
    let sum = "%1: f32 = 1e-40 %2: f32 = 1.0 %3: f32 = add %1, %2";
    assert_eq!(simplified("f32", sum, Optional), "1.0");
    assert!(simplified("f32", sum, Required).contains("add"));
}
