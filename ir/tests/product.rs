//! Products of vectors, matrices and scalars: their types.

use wgc_ir::{parse, verify};

/// Returns the type that a product of these types has, by trying all of them.
fn product(lhs: &str, rhs: &str) -> Option<&'static str> {
    const RESULTS: [&str; 8] = [
        "f32",
        "f32x2",
        "f32x3",
        "f64x2",
        "matrix<f32, 2, 3, rows stride 12>",
        "matrix<f32, 3, 2, rows stride 8>",
        "matrix<f32, 2, 2, rows stride 8>",
        "matrix<f32, 3, 3, rows stride 12>",
    ];
    RESULTS.into_iter().find(|result| {
        let text = format!(
            "fn @f(a: {lhs}, b: {rhs}) -> void {{
                %0: {lhs} = param 0
                %1: {rhs} = param 1
                %2: {result} = product %0, %1
            }}"
        );
        let module = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&module).is_ok()
    })
}

#[test]
fn rows_times_columns() {
    for (lhs, rhs, expected) in [
        ("f32x2", "f32", Some("f32x2")),
        ("f64x2", "f64", Some("f64x2")),
        // A row: one component for each row of the matrix.
        ("f32x2", "matrix<f32, 2, 3, rows stride 12>", Some("f32x3")),
        ("f32x3", "matrix<f32, 2, 3, rows stride 12>", None),
        // A column: one component for each column of the matrix.
        ("matrix<f32, 2, 3, rows stride 12>", "f32x3", Some("f32x2")),
        ("matrix<f32, 2, 3, rows stride 12>", "f32x2", None),
        (
            "matrix<f32, 2, 3, rows stride 12>",
            "matrix<f32, 3, 2, rows stride 8>",
            Some("matrix<f32, 2, 2, rows stride 8>"),
        ),
        (
            "matrix<f32, 3, 2, rows stride 8>",
            "matrix<f32, 2, 3, rows stride 12>",
            Some("matrix<f32, 3, 3, rows stride 12>"),
        ),
        ("matrix<f32, 2, 3, rows stride 12>", "matrix<f32, 2, 3, rows stride 12>", None),
        // Neither single rows and columns, nor integers, nor mixed types.
        ("f32x2", "matrix<f32, 2, 1, rows stride 4>", None),
        ("matrix<f32, 1, 3, rows stride 12>", "f32x3", None),
        ("i32x2", "i32", None),
        ("i32x2", "matrix<i32, 2, 3, rows stride 12>", None),
        ("f32x2", "f64", None),
        ("f32", "f32x2", None),
        ("f32x2", "f32x2", None),
        ("matrix<f32, 2, 3, rows stride 12>", "f32", None),
    ] {
        assert_eq!(product(lhs, rhs), expected, "{lhs} * {rhs}");
    }
}
