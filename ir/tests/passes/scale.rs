//! Vectors times scalars.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

const START: &str = "
    %0: ref<private, f32x3> = global @v
    %1: ref<private, f32> = global @s
    %2: f32x3 = load %0
    %3: f32 = load %1
    %4: f32 = 2.0
";

fn scaled(body: &str) -> String {
    let globals = "global @v: private f32x3\nglobal @s: private f32\n";
    let mut module = read(&format!("{globals}{ENTRY}fn @f() -> void {{ {START} {body} }}"));
    passes::scale(&mut module.functions["f"]);
    body_of_f(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn repeated_scalars_become_operands() {
    let expected = "
        %0: ref<private, f32x3> = global @v
        %1: ref<private, f32> = global @s
        %2: f32x3 = load %0
        %3: f32 = load %1
        %4: f32x3 = product %2, %3
        store %0, %4
    ";
    for body in [
        "%5: f32x3 = swizzle %3, 0 0 0 %6: f32x3 = mul %2, %5 store %0, %6",
        "%5: f32x3 = swizzle %3, 0 0 0 %6: f32x3 = mul %5, %2 store %0, %6",
        "%5: f32x3 = compose %3, %3, %3 %6: f32x3 = mul %2, %5 store %0, %6",
    ] {
        assert_eq!(lines(&scaled(body)), lines(expected), "{body}");
    }
}

#[test]
fn other_products_stay() {
    for body in [
        // A constant vector costs nothing.
        "%5: f32x3 = swizzle %4, 0 0 0 %6: f32x3 = mul %2, %5 store %0, %6",
        // The scalars differ.
        "%5: f32x3 = compose %3, %4, %3 %6: f32x3 = mul %2, %5 store %0, %6",
        // A component of a vector is not a scalar.
        "%5: f32x3 = swizzle %2, 0 0 0 %6: f32x3 = mul %2, %5 store %0, %6",
        // Exact.
        "%5: f32x3 = swizzle %3, 0 0 0 %6: f32x3 = precise mul %2, %5 store %0, %6",
        // Another operation.
        "%5: f32x3 = swizzle %3, 0 0 0 %6: f32x3 = add %2, %5 store %0, %6",
    ] {
        assert!(!scaled(body).contains("product"), "{body}");
    }
}
