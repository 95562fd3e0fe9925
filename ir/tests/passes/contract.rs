//! Products and sums that become one operation.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

/// Contracts a body in which `%3`, `%4` and `%5` are loaded floats, and returns the lines after these.
fn contracted(ty: &str, body: &str) -> Vec<String> {
    let globals: String = ["a", "b", "c"].map(|name| format!("global @{name}: private {ty}\n")).concat();
    let mut module = read(&format!(
        "{globals}{ENTRY}fn @f() -> void {{
            %0: ref<private, {ty}> = global @a
            %1: ref<private, {ty}> = global @b
            %2: ref<private, {ty}> = global @c
            %3: {ty} = load %0
            %4: {ty} = load %1
            %5: {ty} = load %2
            {body}
        }}"
    ));
    passes::contract(&mut module.functions["f"]);
    body_of_f(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let body = body_of_f(&module);
    body.lines().filter(|line| !line.contains("load") && !line.contains("global")).map(str::to_owned).collect()
}

#[track_caller]
fn becomes(body: &str, expected: &str) {
    let expected: Vec<String> = lines(expected).lines().map(str::to_owned).collect();
    assert_eq!(contracted("f32", body), expected, "{body}");
}

#[test]
fn a_product_and_its_sum_are_one_operation() {
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = add %6, %5 store %0, %7",
        "%6: f32 = fma %3, %4, %5
        store %0, %6",
    );
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = add %5, %6 store %0, %7",
        "%6: f32 = fma %3, %4, %5
        store %0, %6",
    );
    let vector = contracted("f32x3", "%6: f32x3 = mul %3, %4 %7: f32x3 = add %6, %5 store %0, %7");
    assert_eq!(vector, ["%6: f32x3 = fma %3, %4, %5", "store %0, %6"]);
}

#[test]
fn differences_negate_an_operand() {
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = sub %6, %5 store %0, %7",
        "%6: f32 = neg %5
        %7: f32 = fma %3, %4, %6
        store %0, %7",
    );
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = sub %5, %6 store %0, %7",
        "%6: f32 = neg %3
        %7: f32 = fma %6, %4, %5
        store %0, %7",
    );
    // Negations of constants and negations cost nothing.
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = 2.0 %8: f32 = sub %6, %7 store %0, %8",
        "%4: f32 = -2.0
        %5: f32 = fma %2, %3, %4
        store %0, %5",
    );
    becomes(
        "%6: f32 = 2.0 %7: f32 = mul %3, %6 %8: f32 = sub %5, %7 store %0, %8",
        "%4: f32 = -2.0
        %5: f32 = fma %2, %4, %3
        store %0, %5",
    );
    becomes(
        "%6: f32 = neg %5 %7: f32 = mul %3, %4 %8: f32 = sub %7, %6 store %0, %8",
        "%6: f32 = fma %3, %4, %5
        store %0, %6",
    );
}

#[test]
fn one_of_two_products_stays() {
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = mul %4, %5 %8: f32 = add %6, %7 store %0, %8",
        "%6: f32 = mul %4, %5
        %7: f32 = fma %3, %4, %6
        store %0, %7",
    );
    becomes(
        "%6: f32 = mul %3, %4 %7: f32 = mul %4, %5 %8: f32 = add %6, %7 store %0, %8 store %1, %6",
        "%6: f32 = mul %3, %4
        %7: f32 = fma %4, %5, %6
        store %0, %7
        store %1, %6",
    );
}

#[test]
fn other_sums_stay() {
    for body in [
        // The product has another use.
        "%6: f32 = mul %3, %4 %7: f32 = add %6, %5 store %0, %7 store %1, %6",
        "%6: f32 = mul %3, %4 %7: f32 = add %6, %6 store %0, %7",
        // Exact.
        "%6: f32 = precise mul %3, %4 %7: f32 = add %6, %5 store %0, %7",
        "%6: f32 = precise mul %3, %4 %7: f32 = add %6, %5 %8: f32 = mul %3, %3 store %0, %7 store %1, %8",
        "%6: f32 = mul %3, %4 %7: f32 = precise add %6, %5 store %0, %7",
        // Other operations.
        "%6: f32 = div %3, %4 %7: f32 = add %6, %5 store %0, %7",
        "%6: f32 = mul %3, %4 %7: f32 = max %6, %5 store %0, %7",
    ] {
        let out = contracted("f32", body);
        assert!(!out.iter().any(|line| line.contains("fma")), "{body}\n{out:#?}");
    }
    for ty in ["f16", "f64", "u32"] {
        let out = contracted(ty, &format!("%6: {ty} = mul %3, %4 %7: {ty} = add %6, %5 store %0, %7"));
        assert!(!out.iter().any(|line| line.contains("fma")), "{ty}\n{out:#?}");
    }
}
