//! Chains of comparisons.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

/// Returns the body of `@f`, a function of the index `%1` that writes to the place `%0`. The text has its rest.
fn after(rest: &str) -> String {
    let mut module = read(&format!(
        "{ENTRY}global @out: private u32
        fn @f() -> void {{
          %0: ref<private, u32> = global @out
          %1: u32 = builtin.group_index
          {rest}
        }}"
    ));
    passes::chains(&mut module);
    body_of_f(&module)
}

/// Returns an `if` that compares `%1` with a constant.
fn compare(first: u32, constant: &str, then: &str) -> String {
    format!("%{first}: u32 = {constant}\n%{}: bool = eq %1, %{first}\nif %{} {{\n{then}\n}}", first + 1, first + 1)
}

#[test]
fn sequences_that_return_become_a_switch() {
    let store = |value: u32| format!("store %0, %{value}\nreturn");
    let text = [compare(2, "7", &store(2)), compare(4, "8", &store(4)), compare(6, "9", &store(6))].join("\n");
    assert_eq!(
        after(&format!("{text}\nstore %0, %1")),
        lines(
            "%0: ref<private, u32> = global @out
            %1: u32 = builtin.group_index
            %2: u32 = 7
            %3: bool = eq %1, %2
            %4: u32 = 8
            %5: bool = eq %1, %4
            %6: u32 = 9
            %7: bool = eq %1, %6
            switch %1 {
            case 7 {
            store %0, %2
            return
            }
            case 8 {
            store %0, %4
            return
            }
            case 9 {
            store %0, %6
            return
            }
            default {
            store %0, %1
            }
            }"
        )
    );
}

#[test]
fn nested_comparisons_become_a_switch() {
    let text = "%2: u32 = 7
        %3: bool = eq %1, %2
        if %3 {
          store %0, %2
        } else {
          %4: u32 = 8
          %5: bool = eq %4, %1
          if %5 {
            store %0, %4
          } else {
            %6: u32 = 9
            %7: bool = eq %1, %6
            if %7 {
              store %0, %6
            } else {
              store %0, %1
            }
          }
        }
        store %0, %1";
    let switch = after(text);
    assert!(switch.contains("switch %1 {\ncase 7 {\nstore %0, %2\n}\ncase 8 {\nstore %0, %4\n}"), "{switch}");
    assert!(switch.ends_with("default {\nstore %0, %1\n}\n}\nstore %0, %1"), "{switch}");
}

/// Every one of these lacks one property of a chain.
#[test]
fn other_comparisons_stay() {
    let jumps = |first, constant: &str| compare(first, constant, "return");
    let chain = [jumps(2, "7"), jumps(4, "8"), jumps(6, "9")].join("\n");
    assert!(after(&chain).contains("switch"));
    let others = [
        // Two comparisons.
        [jumps(2, "7"), jumps(4, "8")].join("\n"),
        // One constant twice.
        chain.replace("= 9", "= 7"),
        // An arm that goes on.
        [jumps(2, "7"), compare(4, "8", "store %0, %4"), jumps(6, "9")].join("\n"),
        // A hint.
        chain.replace("if %5 {", "if %5 [branch] {"),
        // A store between the comparisons.
        chain.replace("%4: u32", "store %0, %1\n%4: u32"),
        // A second arm.
        chain.replace("if %5 {\nreturn\n}", "if %5 {\nreturn\n} else {\nstore %0, %1\n}"),
        // Another value.
        chain.replace("%5: bool = eq %1, %4", "%8: u32 = add %1, %4\n%5: bool = eq %8, %4"),
        // Another comparison.
        chain.replace("%5: bool = eq", "%5: bool = lt"),
        // An operation on several lanes after the chain.
        format!("{chain}\n%8: u32 = subgroup.add %1\nstore %0, %8"),
    ];
    // SPIR-V has no switches over floats. Comparisons of short integers stay too.
    let others = others.into_iter().chain(["f32", "u16"].map(|ty| {
        let constants = |text: String| {
            ["7", "8", "9"].iter().fold(text, |text, n| {
                let constant = if ty == "f32" { format!("= {n}.0") } else { format!("= {n}") };
                text.replace(&format!(": u32 = {n}"), &format!(": {ty} {constant}"))
            })
        };
        format!("%20: {ty} = convert %1\n{}", constants(chain.replace("eq %1", "eq %20")))
    }));
    for text in others {
        let left = after(&text);
        assert!(!left.contains("switch"), "{left}");
    }
}

/// The store runs only if the first comparison fails.
#[test]
fn stores_before_a_nested_comparison_stay_there() {
    let text = "%2: u32 = 7 %3: bool = eq %1, %2
        if %3 { store %0, %2 } else {
          store %0, %1
          %4: u32 = 8 %5: bool = eq %1, %4
          if %5 { store %0, %4 } else {
            %6: u32 = 9 %7: bool = eq %1, %6
            if %7 { store %0, %6 }
          }
        }";
    let left = after(text);
    assert!(left.contains("} else {\nstore %0, %1\n") && !left.contains("switch"), "{left}");
}

/// Breaks of a branch at the start of a case skip the rest of the case.
#[test]
fn early_breaks_of_cases_keep_their_target() {
    let breaks = [compare(2, "7", "break"), compare(4, "8", "break"), compare(6, "9", "break")].join("\n");
    let branch =
        after(&format!("%8: bool = lt %1, %1\nswitch %1 {{\ndefault {{\nif %8 {{\n{breaks}\n}}\nstore %0, %1\n}}\n}}"));
    assert_eq!(branch.matches("switch").count(), 1, "{branch}");
    let nested = after(
        "%2: u32 = 7 %3: bool = eq %1, %2
        switch %1 { default {
          if %3 { break } else {
            %4: u32 = 8 %5: bool = eq %1, %4
            if %5 { store %0, %4 } else {
              %6: u32 = 9 %7: bool = eq %1, %6
              if %7 { store %0, %6 }
            }
          }
          store %0, %1
        } }",
    );
    assert_eq!(nested.matches("switch").count(), 1, "{nested}");
}

/// A `break` in a loop would leave the switch only. In a switch it leaves both, if nothing follows.
#[test]
fn breaks_keep_their_targets() {
    let breaks = [compare(2, "7", "break"), compare(4, "8", "break"), compare(6, "9", "break")].join("\n");
    let in_loop = after(&format!("loop {{\n{breaks}\nstore %0, %1\n}} continuing {{\n}}"));
    assert!(!in_loop.contains("switch"), "{in_loop}");
    let nested = "%2: u32 = 7 %3: bool = eq %1, %2
        if %3 { break } else {
          %4: u32 = 8 %5: bool = eq %1, %4
          if %5 { store %0, %4 } else {
            %6: u32 = 9 %7: bool = eq %1, %6
            if %7 { store %0, %6 }
          }
        }";
    let in_loop = after(&format!("loop {{\n{nested}\nstore %0, %1\n}} continuing {{\n}}"));
    assert!(!in_loop.contains("switch"), "{in_loop}");
    let in_switch = after(&format!("switch %1 {{\ndefault {{\n{breaks}\nstore %0, %1\n}}\n}}"));
    assert_eq!(in_switch.matches("switch").count(), 2, "{in_switch}");
    let nested =
        after(&format!("switch %1 {{\ndefault {{\n%8: bool = lt %1, %1\nif %8 {{\n{breaks}\n}}\nstore %0, %1\n}}\n}}"));
    assert_eq!(nested.matches("switch").count(), 1, "{nested}");
    let continues = breaks.replace("break", "continue");
    let in_loop = after(&format!("loop {{\n{continues}\nstore %0, %1\n}} continuing {{\n}}"));
    assert_eq!(in_loop.matches("case").count(), 3, "{in_loop}");
}

/// The rest of the block is the default of the first switch, where the next chain begins.
#[test]
fn chains_follow_each_other() {
    let jumps = |first, constant: &str| compare(first, constant, "return");
    let one = [jumps(2, "7"), jumps(4, "8"), jumps(6, "9")].join("\n");
    let other: String = [jumps(8, "1"), jumps(10, "2"), jumps(12, "3")].join("\n").replace("eq %1", "eq %20");
    let left = after(&format!("{one}\n%20: u32 = add %1, %1\n{other}\nstore %0, %1"));
    assert_eq!((left.matches("switch").count(), left.matches("case").count()), (2, 6), "{left}");
}
