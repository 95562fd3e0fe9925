//! Switches that have only a default.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

const START: &str = "
    %0: ref<private, u32> = global @g
    %1: u32 = load %0
    %2: u32 = 1
    %3: u32 = 2
    %4: bool = lt %1, %2
    %5: bool = lt %1, %3
";

fn nested(body: &str) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {START} {body} }}"));
    passes::nest(&mut module.functions["f"]);
    body_of_f(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn breaks_become_nested_branches() {
    let out = nested(
        "%10: u32 = switch %1 {
            default {
                if %4 { break %2 }
                store %0, %2
                if %5 { } else { store %0, %3 break %3 }
                yield %1
            }
        }
        store %0, %10",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 1
        %3: u32 = 2
        %4: bool = lt %1, %2
        %5: bool = lt %1, %3
        %6: u32 = if %4 {
        yield %2
        } else {
        store %0, %2
        %7: u32 = if %5 {
        yield %1
        } else {
        store %0, %3
        yield %3
        }
        yield %7
        }
        store %0, %6";
    assert_eq!(out, lines(expected));
}

#[test]
fn results_of_a_branch_reach_the_rest() {
    let out = nested(
        "%10: u32 = switch %1 {
            default {
                %11: u32 = if %4 { break %2 } else { %12: u32 = add %1, %1 yield %12 }
                store %0, %11
                yield %11
            }
        }
        store %0, %10",
    );
    assert!(
        out.contains("%4: u32 = if %3 {\nyield %2\n} else {\n%5: u32 = add %1, %1\nstore %0, %5\nyield %5\n}"),
        "{out}"
    );
}

/// The rest also computes with the result.
#[test]
fn later_operations_use_the_results_of_branches() {
    let out = nested(
        "%10: u32 = switch %1 {
            default {
                %11: u32 = if %4 { break %2 } else { %12: u32 = add %1, %1 yield %12 }
                %13: u32 = mul %11, %1
                yield %13
            }
        }
        store %0, %10",
    );
    let expected = "%4: u32 = if %3 {
        yield %2
        } else {
        %5: u32 = add %1, %1
        %6: u32 = mul %5, %1
        yield %6
        }
        store %0, %4";
    assert!(out.ends_with(&lines(expected)), "{out}");
}

#[test]
fn an_arm_that_jumps_has_no_rest() {
    let out = nested("switch %1 { default { if %4 { break } else { return } store %0, %2 } } store %0, %3");
    assert!(!out.contains("switch") && !out.contains("store %0, %2"), "{out}");
    assert_eq!(out.matches("store").count(), 1, "{out}");
}

#[test]
fn the_rest_of_a_switch_inside_stays_there() {
    let out = nested(
        "switch %1 { default {
            switch %1 { default { if %4 { break } store %0, %2 } }
            if %5 { break }
            store %0, %3
        } }",
    );
    assert!(!out.contains("switch"), "{out}");
    assert!(out.contains("if %4 {\n} else {\nstore"), "{out}");
}

#[test]
fn other_breaks_keep_the_switch() {
    let many = "if %4 { break } store %0, %2 ".repeat(9);
    let loop_inside = "if %4 { if %5 { break } store %0, %2 } store %0, %3";
    let both = "if %4 { break } else { if %5 { break } } store %0, %3";
    let hint = "if %4 [branch] { if %5 { break } store %0, %2 }";
    let hints = "if %4 [branch] { if %5 { break } store %0, %2 } else { store %0, %3 }";
    for body in [many.as_str(), loop_inside, both, hint, hints] {
        assert!(nested(&format!("switch %1 {{ default {{ {body} }} }}")).contains("switch"), "{body}");
    }
    let eight = "if %4 { break } store %0, %2 ".repeat(8);
    assert!(!nested(&format!("switch %1 {{ default {{ {eight} }} }}")).contains("switch"));
    let with_case = "switch %1 { case 1 { store %0, %3 } default { if %4 { break } store %0, %2 } }";
    assert!(nested(with_case).contains("switch"));
}
