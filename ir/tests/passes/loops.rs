//! Loops that become repeated statements.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes::{self, OptLevel};

const START: &str = "
    %0: ref<private, u32> = global @g
    %1: u32 = load %0
    %3: u32 = 0
    %4: u32 = 1
    %5: u32 = 3
    %2: bool = lt %1, %5
";

fn unrolled_at(body: &str, level: OptLevel) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {START} {body} }}"));
    passes::loops(&mut module.functions["f"], level);
    body_of_f(&module);
    passes::fold(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

fn unrolled(body: &str) -> String {
    unrolled_at(body, OptLevel::O2)
}

/// A loop that counts to 3 and adds to a sum.
const SUM: &str = "
    %10: u32 = loop (%11: u32 = %3, %12: u32 = %1) {
        %13: bool = lt %11, %5
        if %13 { } else { break %12 }
        %14: u32 = xor %12, %11
        yield %14
    } continuing (%15: u32) {
        %16: u32 = add %11, %4
        next %16, %15
    }
    store %0, %10";

#[test]
fn a_small_count_is_unrolled() {
    // The three values of the counter, 0, 1 and 2, combine to 3.
    let expected = "
        %0: u32 = 3
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: u32 = xor %2, %0
        store %1, %3";
    assert_eq!(unrolled(SUM), lines(expected));
}

/// Operations after the loop use its results too.
#[test]
fn operations_after_the_loop_get_its_results() {
    let expected = "
        %0: u32 = 3
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: u32 = xor %2, %0
        %4: u32 = mul %3, %2
        store %1, %4";
    let sum = SUM.replace("store %0, %10", "%17: u32 = mul %10, %1 store %0, %17");
    assert_eq!(unrolled(&sum), lines(expected));
}

#[test]
fn the_count_is_that_of_the_operations() {
    // Three doublings of 1 reach 8; a signed counter goes below zero; a subtraction wraps.
    for (first, next, test, count) in [
        ("1", "shl %11, %4", "lt %11, %7", 3),
        ("3", "sub %11, %4", "ne %11, %3", 3),
        ("1", "sub %11, %4", "le %11, %4", 2),
        ("5", "add %11, %4", "lt %11, %4", 0),
        ("0", "add %11, %4", "gt %5, %11", 3),
        ("7", "sub %7, %11", "ge %11, %5", 1),
    ] {
        let out = unrolled(&format!(
            "%7: u32 = 8 %8: u32 = {first}
            loop (%11: u32 = %8) {{
                %13: bool = {test}
                if %13 {{ }} else {{ break }}
                store %0, %11
            }} continuing {{ %16: u32 = {next} next %16 }}"
        ));
        assert_eq!(out.matches("store").count(), count, "{first} {next}: {out}");
        assert!(!out.contains("loop"), "{out}");
    }
}

#[test]
fn a_test_at_the_end_runs_the_body_once() {
    let out = unrolled(
        "%10: u32 = loop (%11: u32 = %5) {
            store %0, %11
        } continuing {
            %16: u32 = add %11, %4
            %17: bool = gt %16, %4
            next %16
        } break_if %17 last %11
        store %0, %10",
    );
    assert_eq!(out.matches("store").count(), 2, "{out}");
    assert!(!out.contains("loop"), "{out}");
}

/// The test sees the counter of the next iteration or that of this one.
#[test]
fn a_test_at_the_end_counts_the_iterations_before() {
    for (tested, count) in [("%16", 3), ("%11", 4)] {
        let out = unrolled(&format!(
            "loop (%11: u32 = %3) {{
                store %0, %11
            }} continuing {{
                %16: u32 = add %11, %4
                %17: bool = ge {tested}, %5
                next %16
            }} break_if %17"
        ));
        assert_eq!(out.matches("store").count(), count, "{tested}: {out}");
        assert!(!out.contains("loop"), "{out}");
    }
}

#[test]
fn a_break_leaves_all_iterations() {
    let out = unrolled(&SUM.replace("%14: u32", "if %2 { break %1 } %14: u32"));
    assert!(out.contains("= switch") && !out.contains("loop"), "{out}");
    assert_eq!(out.matches("break %2").count(), 3, "{out}");
    assert!(out.contains("default {"), "{out}");
}

#[test]
fn a_continue_leaves_one_iteration() {
    let out = unrolled(&SUM.replace("%14: u32", "if %2 { continue %1 } %14: u32"));
    assert_eq!(out.matches("switch").count(), 3, "{out}");
    assert_eq!(out.matches("break %1").count(), 3, "{out}");
}

#[test]
fn a_loop_that_its_end_leaves_is_no_loop() {
    let once =
        "%10: u32 = loop (%11: u32 = %4) { %12: u32 = add %11, %1 break %12 } continuing { next %1 } store %0, %10";
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 1
        %3: u32 = add %2, %1
        store %0, %3";
    assert_eq!(unrolled(once), lines(expected));
    let again = once.replace("%12: u32", "if %2 { continue } %12: u32");
    assert!(unrolled(&again).contains("loop"), "{again}");
}

#[test]
fn hints_decide() {
    let with = |hint: &str, count: &str| {
        let text = SUM.replace("loop (", &format!("loop {hint} (")).replace("lt %11, %5", "lt %11, %7");
        unrolled(&format!("%7: u32 = {count} {text}")).contains("loop")
    };
    assert!(with("[loop]", "2"));
    assert!(with("[fastopt]", "2"));
    assert!(!with("[unroll]", "200"));
    assert!(!with("[unroll]", "1500"));
    assert!(with("[unroll]", "3000"), "it would have more than 2,048 values");
    assert!(!with("[unroll 8]", "8"));
    assert!(with("[unroll 8]", "9"));
    assert!(!with("", "4"));
    assert!(with("", "5"));
    let at_o3 = unrolled_at(&format!("%7: u32 = 5 {}", SUM.replace("lt %11, %5", "lt %11, %7")), OptLevel::O3);
    assert!(!at_o3.contains("loop"), "{at_o3}");
    // More than 16,384 values.
    let asked = SUM.replace("loop (", "loop [unroll] (").replace("lt %11, %5", "lt %11, %7");
    let stays = |count: u32| unrolled_at(&format!("%7: u32 = {count} {asked}"), OptLevel::O3).contains("loop");
    assert_eq!([9_000, 40_000].map(stays), [false, true]);
}

/// 3,000 products that are stored to an array that goes away, or to a variable.
#[test]
fn asked_loops_unroll_further_for_arrays() {
    let stays = |place: &str| {
        let mut module = read(&format!(
            "global @g: private u32\n{ENTRY}fn @f() -> void {{
            local $0 a: [u32; 3000 stride 4]
            {START}
            %6: ref<function, [u32; 3000 stride 4]> = local $0
            %8: u32 = 3000
            loop [unroll] (%11: u32 = %3) {{
                %13: bool = lt %11, %8
                if %13 {{ }} else {{ break }}
                %14: ref<function, u32> = index %6, %11
                %15: u32 = mul %1, %1
                store {place}, %15
            }} continuing {{ %16: u32 = add %11, %4 next %16 }} }}"
        ));
        passes::loops(&mut module.functions["f"], OptLevel::O2);
        body_of_f(&module).contains("loop")
    };
    assert!(!stays("%14"));
    assert!(stays("%0"));
}

#[test]
fn counters_of_local_arrays_unroll_longer_loops() {
    let text = |array: &str| {
        format!(
            "global @table: private [u32; 16 stride 4]\nglobal @g: private u32\n{ENTRY}fn @f() -> void {{
            local $0 a: [u32; 16 stride 4]
            {START}
            %6: ref<function, [u32; 16 stride 4]> = local $0
            %7: ref<private, [u32; 16 stride 4]> = global @table
            %8: u32 = 16
            loop (%11: u32 = %3) {{
                %13: bool = lt %11, %8
                if %13 {{ }} else {{ break }}
                %14: ref<{array}, u32> = index %{}, %11
                store %14, %11
            }} continuing {{ %16: u32 = add %11, %4 next %16 }} }}",
            if array == "function" { 6 } else { 7 }
        )
    };
    for (array, stays) in [("function", false), ("private", true)] {
        let mut module = read(&text(array));
        passes::loops(&mut module.functions["f"], OptLevel::O2);
        assert_eq!(body_of_f(&module).contains("loop"), stays);
    }
}

/// Returns how many of the loops stay. `first` and `second` are the statements of an outer and an inner loop.
fn staying(first: &str, second: &str, rest: &str) -> usize {
    let text = format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        local $0 a: [u32; 16 stride 4]
        {START}
        %6: ref<function, [u32; 16 stride 4]> = local $0
        %8: u32 = 15
        loop (%11: u32 = %3) {{
            %13: bool = lt %11, %8
            if %13 {{ }} else {{ break }}
            {first}
            loop (%21: u32 = %3) {{
                %23: bool = lt %21, %1
                if %23 {{ }} else {{ break }}
                {second}
            }} continuing {{ %26: u32 = add %21, %4 next %26 }}
        }} continuing {{ %16: u32 = add %11, %4 next %16 }}
        {rest}
        }}
        fn @takes(a: ref<function, [u32; 16 stride 4]>) -> void {{ }}"
    );
    let mut module = read(&text);
    passes::loops(&mut module.functions["f"], OptLevel::O2);
    body_of_f(&module).matches("loop").count()
}

/// Unrolling the outer loop repeats the inner one 15 times.
#[test]
fn loops_unroll_for_their_arrays() {
    let store = "%30: ref<function, u32> = index %6, %11 store %30, %4";
    let shifted = "%31: u32 = add %11, %4 %30: ref<function, u32> = index %6, %31 store %30, %4";
    assert_eq!(staying("", store, ""), 15);
    assert_eq!(staying("", shifted, ""), 15);
    // Outside of the inner loop, each iteration accesses the memory once.
    assert_eq!(staying(store, "", ""), 2);
    // The array stays in memory.
    assert_eq!(staying("", store, "%32: ref<function, u32> = index %6, %1 store %32, %4"), 2);
    assert_eq!(staying("", "%30: ref<function, u32> = index %6, %21 store %30, %4", ""), 2);
    assert_eq!(staying("", &format!("{store} %32: ref<function, u32> = index %6, %21 store %32, %4"), ""), 2);
    assert_eq!(staying("", store, "call @takes(%6)"), 2);
}

#[test]
fn unknown_counts_and_entangled_exits_stay() {
    for body in [
        SUM.replace("lt %11, %5", "lt %11, %1"),
        SUM.replace("loop (%11: u32 = %3", "loop (%11: u32 = %1"),
        SUM.replace("add %11, %4", "add %11, %1"),
        SUM.replace("add %11, %4", "add %15, %4"),
        SUM.replace("lt %11, %5", "lt %12, %5"),
        // It counts away from the end.
        SUM.replace("add %11, %4", "and %11, %4"),
        SUM.replace("%14: u32", "if %2 { break %1 } if %2 { continue %1 } %14: u32"),
        SUM.replace("%14: u32", "if %2 { break %1 } barrier group_shared group_sync %14: u32"),
        // A break in place of it would leave only the switch.
        SUM.replace("%14: u32", "switch %1 { case 1 { continue %1 } default { } } %14: u32"),
        SUM.replace("%14: u32", "if %2 { continue %1 } %17: u32 = subgroup.add %1 %14: u32"),
        // Threads that leave do not meet the others later: before the test, at the end of the iteration, or in blocks.
        SUM.replace("%14: u32", "if %2 { break %1 } %14: u32")
            .replace("%13: bool", "%17: u32 = subgroup.add %1 %13: bool"),
        SUM.replace("%14: u32", "if %2 { break %1 } %14: u32")
            .replace("%16: u32", "%17: u32 = subgroup.add %1 %16: u32"),
        SUM.replace("%14: u32", "if %2 { break %1 } switch %1 { case 1 { barrier group_shared group_sync } } %14: u32"),
    ] {
        assert!(unrolled(&body).contains("loop"), "{body}");
    }
    let inner = "if %2 { break %1 } loop { if %2 { break } } continuing { barrier group_shared group_sync } %14: u32";
    let out = unrolled(&SUM.replace("%14: u32", inner));
    assert_eq!(out.matches("loop").count(), 2, "{out}");
}

#[test]
fn the_inner_loop_goes_first() {
    let out = unrolled(
        "loop (%10: u32 = %3) {
            %13: bool = lt %10, %5
            if %13 { } else { break }
            loop (%20: u32 = %3) {
                %21: bool = lt %20, %4
                if %21 { } else { break }
                %22: u32 = add %10, %20
                store %0, %22
            } continuing { %26: u32 = add %20, %4 next %26 }
        } continuing { %16: u32 = add %10, %4 next %16 }",
    );
    assert!(!out.contains("loop"), "{out}");
    assert_eq!(out.matches("store").count(), 3, "{out}");
}

/// A `Break` in the place of the `Continue` would leave the inner switch only.
#[test]
fn a_continue_in_a_switch_keeps_the_loop() {
    for switch in ["switch %1 { case 1 { continue %1 } }", "if %2 { switch %1 { case 1 { continue %1 } } }"] {
        let body = SUM.replace("%14: u32", &format!("{switch} %14: u32"));
        assert!(unrolled(&body).contains("loop"), "{body}");
    }
}

#[test]
fn the_statements_before_the_test_run_once_more() {
    let body = SUM.replace("%13: bool", "%17: u32 = xor %12, %5 %13: bool").replace("break %12", "break %17");
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        store %0, %1";
    assert_eq!(unrolled(&body), lines(expected));
}

#[test]
fn inner_loops_are_copied() {
    let inner = "loop (%20: u32 = %3) {
            if %2 { continue }
            %21: bool = lt %20, %1
            if %21 { } else { break }
            store %0, %20
        } continuing { %26: u32 = add %20, %4 next %26 }
        if %2 { continue %1 }
        %14: u32";
    let out = unrolled(&SUM.replace("%14: u32", inner));
    assert_eq!(out.matches("loop (%").count(), 3, "{out}");
    assert_eq!(out.matches("continue\n").count(), 3, "{out}");
    assert_eq!(out.matches("next %").count(), 3, "{out}");
}
