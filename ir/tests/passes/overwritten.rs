//! Stores to locals that another store, or the end of the function, makes useless.

use crate::{ENTRY, read};
use wgc_ir::{passes, print, print_with_positions};

/// Returns the stores that stay, in order, of a function with an array, a vector and a number of its own.
fn stores(body: &str) -> Vec<String> {
    let mut module = read(&format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        local $0 a: [u32; 2 stride 4]
        local $1 v: u32x2
        local $2 n: u32
        %0: ref<function, [u32; 2 stride 4]> = local $0
        %1: ref<function, u32x2> = local $1
        %2: ref<function, u32> = local $2
        %3: ref<private, u32> = global @g
        %4: u32 = builtin.group_index
        %5: u32 = 0
        %6: u32 = 1
        %7: ref<function, u32> = index %0, %5
        %8: ref<function, u32> = index %0, %6
        %9: ref<function, u32> = index %0, %4
        %10: [u32; 2 stride 4] = zero
        %11: u32x2 = zero
        %12: ref<function, u32> = index %1, %6
        %13: bool = eq %4, %6
        {body}
        }}"
    ));
    passes::overwritten(&mut module.functions["f"]);
    let text = print(&module);
    text.lines().map(str::trim).filter(|line| line.starts_with("store")).map(str::to_owned).collect()
}

#[track_caller]
fn check(body: &str, left: &[&str]) {
    assert_eq!(stores(body), left, "{body}");
}

const READ_ALL: &str = "%14: [u32; 2 stride 4] = load %0 %15: u32 = extract %14, 0 store %3, %15";
const READ_SOME: &str = "%14: u32 = load %9 store %3, %14";

#[test]
fn a_store_after_the_last_read_goes() {
    check("store %2, %4", &[]);
    check("%14: u32 = load %2 store %3, %14 store %2, %4", &["store %3, %14"]);
    check(
        "if %13 { store %2, %4 return } store %2, %6 %14: u32 = load %2 store %3, %14",
        &["store %2, %6", "store %3, %14"],
    );
    check("store %2, %4 %14: u32 = load %2 store %3, %14", &["store %2, %4", "store %3, %14"]);
    // Other memory stays.
    check("store %3, %4 store %3, %6", &["store %3, %4", "store %3, %6"]);
}

#[test]
fn elements_that_are_all_stored_again_need_no_first_value() {
    let both = "store %7, %4 store %8, %6";
    check(&format!("store %0, %10 {both} {READ_SOME}"), &["store %7, %4", "store %8, %6", "store %3, %14"]);
    check(&format!("{both} store %0, %10 {READ_SOME}"), &["store %0, %10", "store %3, %14"]);
    check(&format!("store %9, %4 {both} {READ_ALL}"), &["store %7, %4", "store %8, %6", "store %3, %15"]);
    check(&format!("store %7, %4 store %7, %6 {READ_SOME}"), &["store %7, %6", "store %3, %14"]);
    // One element is not stored again, or the element is not known.
    check(&format!("store %0, %10 store %7, %4 {READ_SOME}"), &["store %0, %10", "store %7, %4", "store %3, %14"]);
    check(&format!("store %0, %10 store %9, %4 {READ_ALL}"), &["store %0, %10", "store %9, %4", "store %3, %15"]);
    check(&format!("store %7, %4 store %8, %6 {READ_SOME}"), &["store %7, %4", "store %8, %6", "store %3, %14"]);
    check(
        &format!("store %0, %10 {READ_SOME} store %7, %4 store %8, %6 %15: u32 = load %9 store %3, %15"),
        &["store %0, %10", "store %3, %14", "store %7, %4", "store %8, %6", "store %3, %15"],
    );
    check(
        "store %1, %11 store %12, %4 %14: u32x2 = load %1 %15: u32 = extract %14, 0 store %3, %15",
        &["store %1, %11", "store %12, %4", "store %3, %15"],
    );
}

#[test]
fn every_path_must_store_again() {
    let end = "%14: u32 = load %2 store %3, %14";
    let left = |stores: &[&'static str]| [stores, &["store %3, %14"]].concat();
    check(
        &format!("store %2, %5 if %13 {{ store %2, %4 }} else {{ store %2, %6 }} {end}"),
        &left(&["store %2, %4", "store %2, %6"]),
    );
    check(&format!("store %2, %5 if %13 {{ store %2, %4 }} {end}"), &left(&["store %2, %5", "store %2, %4"]));
    check(
        &format!("store %2, %5 switch %4 {{ case 0 {{ store %2, %4 break }} default {{ store %2, %6 }} }} {end}"),
        &left(&["store %2, %4", "store %2, %6"]),
    );
    check(
        &format!(
            "store %2, %5 switch %4 {{ case 0 {{ if %13 {{ break }} store %2, %4 }} default {{ store %2, %6 }} }} {end}"
        ),
        &left(&["store %2, %5", "store %2, %4", "store %2, %6"]),
    );
}

#[test]
fn an_iteration_may_read_values_of_the_one_before() {
    let exit = "} continuing { } break_if %13";
    // Read by the next iteration.
    check(
        &format!("store %2, %5 loop {{ %14: u32 = load %2 store %3, %14 store %2, %4 {exit}"),
        &["store %2, %5", "store %3, %14", "store %2, %4"],
    );
    // Read and stored in the continuing block.
    check(
        "store %2, %5 loop { store %2, %4 } continuing { %14: u32 = load %2 store %3, %14 store %2, %6 } break_if %13",
        &["store %2, %4", "store %3, %14", "store %2, %6"],
    );
    // Nothing in the loop reads it.
    check(
        &format!("loop {{ store %2, %4 {exit} store %2, %6 %14: u32 = load %2 store %3, %14"),
        &["store %2, %6", "store %3, %14"],
    );
    // A jump leaves the loop before the second store.
    check(
        "loop { store %2, %4 if %13 { break } store %2, %6 } continuing { } break_if %13 %14: u32 = load %2 store %3, %14",
        &["store %2, %4", "store %2, %6", "store %3, %14"],
    );
    check(
        "loop { store %2, %4 if %13 { continue } store %2, %6 } continuing { %14: u32 = load %2 store %3, %14 } break_if %13",
        &["store %2, %4", "store %2, %6", "store %3, %14"],
    );
}

#[test]
fn places_that_are_passed_keep_their_stores() {
    let text = |start: &str, middle: &str| {
        read(&format!(
            "{ENTRY}fn @h(a: ref<function, u32>) -> void {{ }}
            fn @f() -> void {{
            local $0 n: u32{start}
            %0: ref<function, u32> = local $0
            %1: u32 = 1
            store %0, %1
            {middle}
            store %0, %1
            }}"
        ))
    };
    let variable = " variable 0\nscope 0 @f \"f\" body 0 name 1\nvariable 0 n: u32 at 0:3";
    for (start, middle, left) in [("", "", 0), ("", "call @h(%0)", 2), (variable, "", 0)] {
        let mut module = text(start, middle);
        passes::overwritten(&mut module.functions["f"]);
        assert_eq!(print(&module).matches("store ").count(), left, "{start}{middle}");
        // A debugger would show an older value.
        assert!(!print_with_positions(&module).contains("local $0 n: u32 variable"), "{middle}");
    }
}
