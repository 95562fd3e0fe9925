//! Switches whose lanes meet in operations on several lanes have one value for each case; all others stay.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

fn after(before: &str) -> String {
    let mut module = read(&format!("{ENTRY}{before}"));
    passes::case_labels(&mut module);
    body_of_f(&module)
}

#[test]
fn case_index_becomes_the_switch_selector() {
    let out = after(
        "fn @f() -> void {
           %0: u32 = builtin.group_index
           switch %0 {
             case 6, 3, 4294967295 { %1: u32 = subgroup.add %0 }
             case 5 { %2: u32 = subgroup.add %0 }
             default { }
           }
         }",
    );
    let expected = "%0: u32 = builtin.group_index
        %3: u32 = 2
        %4: u32 = 6
        %5: bool = eq %0, %4
        %6: u32 = 3
        %7: bool = eq %0, %6
        %8: bool = or %5, %7
        %9: u32 = 4294967295
        %10: bool = eq %0, %9
        %11: bool = or %8, %10
        %12: u32 = 0
        %13: u32 = select %11, %12, %3
        %14: u32 = 5
        %15: bool = eq %0, %14
        %16: u32 = 1
        %17: u32 = select %15, %16, %13
        switch %17 {
        case 0 {
        %1: u32 = subgroup.add %0
        }
        case 1 {
        %2: u32 = subgroup.add %0
        }
        default {
        }
        }";
    assert_eq!(out, lines(expected));
}

/// Returns the labels of all cases of @f after the pass, one line a case.
fn labels(before: &str) -> Vec<String> {
    after(before).lines().filter(|line| line.starts_with("case ")).map(str::to_owned).collect()
}

#[test]
fn multi_label_cases_without_subgroup_ops_keep_labels() {
    let arithmetic = "fn @f() -> void { %0: u32 = builtin.group_index
        switch %0 { case 1, 2 { %1: u32 = add %0, %0 } case 4 { %2: u32 = subgroup.add %0 } default { } } }";
    assert_eq!(labels(arithmetic), ["case 1, 2 {", "case 4 {"]);
}

#[test]
fn default_counts_as_a_multi_label_case() {
    let default = "fn @f() -> void { %0: u32 = builtin.group_index
        switch %0 { case 4 { } default { %1: u32 = subgroup.add %0 } } }";
    assert_eq!(labels(default), ["case 0 {"]);
    let alone = "fn @f() -> void { %0: u32 = builtin.group_index
        switch %0 { default { %1: u32 = subgroup.add %0 } } }";
    assert!(after(alone).contains("switch %0 {"), "{}", after(alone));
}

#[test]
fn subgroup_operations_are_found_in_blocks_and_callees() {
    let inner = "fn @f() -> void { %0: u32 = builtin.group_index %1: bool = eq %0, %0
        switch %0 { case 1, 2 { if %1 { %2: f32 = 1.0 %3: f32 = subgroup.ddx %2 } } default { } } }";
    assert_eq!(labels(inner), ["case 0 {"]);
    let called = "fn @f() -> void { %0: u32 = builtin.group_index
        switch %0 { case 1, 2 { call @outer(%0) } case 3, 4 { %1: u32 = call @idle(%0) } default { } } }
        fn @outer(x: u32) -> void { %0: u32 = param 0 %1: u32 = call @sum(%0) }
        fn @sum(x: u32) -> u32 { %0: u32 = param 0 %1: u32 = subgroup.add %0 return %1 }
        fn @idle(x: u32) -> u32 { %0: u32 = param 0 return %0 }";
    assert_eq!(labels(called), ["case 0 {", "case 1 {"]);
    let idle = called.replace("call @outer(%0)", "%9: u32 = call @idle(%0)");
    assert_eq!(labels(&idle), ["case 1, 2 {", "case 3, 4 {"]);
}

#[test]
fn inner_switches_are_rewritten_too() {
    let nested = "fn @f() -> void { %0: u32 = builtin.group_index
        switch %0 { case 1, 2 { switch %0 { case 7, 8 { %1: u32 = subgroup.add %0 } default { } } }
                    default { switch %0 { case 5, 6 { %2: u32 = subgroup.add %0 } default { } } } } }";
    assert_eq!(labels(nested), ["case 0 {", "case 0 {", "case 0 {"]);
}

#[test]
fn case_constants_have_the_width_of_the_selector() {
    let signed = "fn @f() -> void { %9: u32 = builtin.group_index %0: i32 = convert %9
        switch %0 { case -3, -2 { %1: i32 = subgroup.add %0 } default { } } }";
    let out = after(signed);
    assert!(out.contains("i32 = -3\n%5: bool = eq %1, %4\n%6: i32 = -2\n%7: bool = eq %1, %6\n"), "{out}");
    let wide = "fn @f() -> void { %9: u32 = builtin.group_index %0: u64 = convert %9
        switch %0 { case 1, -1 { %1: u64 = subgroup.add %0 } default { } } }";
    let out = after(wide);
    assert!(out.contains("%6: u64 = 18446744073709551615\n%7: bool = eq %1, %6\n"), "{out}");
}
