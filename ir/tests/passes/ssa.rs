//! Locals that become values across branches and loops.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

const GLOBALS: &str = "global @g: private u32\nglobal @c: private bool\n";

/// Returns the body of `@f` after the pass and the removal of dead code.
fn merged(body: &str) -> String {
    let mut module = read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{ {body} }}"));
    passes::ssa(&mut module.functions["f"], passes::Unset::Zero);
    let text = body_of_f(&module);
    passes::demote(&mut module.functions["f"]);
    body_of_f(&module);
    let mut module = read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{\n{text}\n}}"));
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

/// The places of a local and of the globals, and a condition.
const START: &str = "
    %0: ref<function, u32> = local $0
    %1: ref<private, u32> = global @g
    %2: ref<private, bool> = global @c
    %3: bool = load %2
    %4: u32 = 1
    %5: u32 = 2
";

#[test]
fn both_arms_give_a_local_its_value() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        if %3 {{ store %0, %4 }} else {{ store %0, %5 }}
        %6: u32 = load %0
        store %1, %6"
    ));
    let expected = "
        %0: ref<private, u32> = global @g
        %1: ref<private, bool> = global @c
        %2: bool = load %1
        %3: u32 = 1
        %4: u32 = 2
        %5 a: u32 = if %2 {
        yield %3
        } else {
        yield %4
        }
        store %0, %5";
    assert_eq!(out, lines(expected));
}

#[test]
fn an_arm_without_a_store_keeps_the_value() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %5
        if %3 {{ store %0, %4 }}
        %6: u32 = load %0
        store %1, %6"
    ));
    assert!(out.contains("= if %2 {\nyield %3\n} else {\nyield %4\n}\nstore %0, %5"), "{out}");
}

#[test]
fn unset_locals_are_zero() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        if %3 {{ store %0, %4 }}
        %6: u32 = load %0
        store %1, %6"
    ));
    assert!(out.contains("%0: u32 = zero") && out.contains("yield %0"), "{out}");
}

#[test]
fn locals_used_inside_of_an_arm_do_not_merge() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        if %3 {{
            store %0, %4
            %6: u32 = load %0
            store %1, %6
        }}"
    ));
    assert!(!out.contains("yield"), "{out}");
}

#[test]
fn loops_pass_values_on() {
    let out = merged(&format!(
        "local $0 i: u32
        {START}
        store %0, %4
        loop {{
            %6: u32 = load %0
            %7: bool = lt %6, %5
            if %7 {{ }} else {{ break }}
        }} continuing {{
            %8: u32 = load %0
            %9: u32 = add %8, %4
            store %0, %9
        }}
        %10: u32 = load %0
        store %1, %10"
    ));
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = 1
        %2: u32 = 2
        %4 i: u32 = loop (%3 i: u32 = %1) {
        %5: bool = lt %3, %2
        if %5 {
        } else {
        break %3
        }
        } continuing {
        %6: u32 = add %3, %1
        next %6
        }
        store %0, %4";
    assert_eq!(out, lines(expected));
}

#[test]
fn continuing_gets_the_values_of_all_its_edges() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        loop {{
            if %3 {{
                store %0, %4
                continue
            }}
            store %0, %5
        }} continuing {{
            %6: u32 = load %0
            store %1, %6
        }} break_if %3"
    ));
    assert!(out.contains("continue %3\n}\nyield %4\n} continuing (%5 a: u32) {\nstore %0, %5"), "{out}");
    assert!(!out.contains("loop ("), "nothing reads the value of the last iteration: {out}");
}

#[test]
fn unchanged_values_are_not_passed_on() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %5
        loop {{
            if %3 {{ store %0, %4 break }}
            if %3 {{ continue }}
            store %1, %5
        }} continuing {{
        }} break_if %3
        %6: u32 = load %0
        store %1, %6"
    ));
    assert!(out.contains("continue\n}\nstore %0, %4\n} continuing {\nnext %5\n} break_if %2 last %5"), "{out}");
}

#[test]
fn break_if_carries_the_values_of_continuing() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %4
        loop {{
        }} continuing {{
            %6: u32 = load %0
            %7: u32 = add %6, %5
            store %0, %7
        }} break_if %3
        %8: u32 = load %0
        store %1, %8"
    ));
    assert!(out.contains("next %7\n} break_if %2 last %7\nstore %0, %6"), "{out}");
}

#[test]
fn breaks_of_a_switch_carry_values() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %5
        switch %4 {{
            case 1 {{
                if %3 {{
                    store %0, %4
                    break
                }}
            }}
            default {{ }}
        }}
        %6: u32 = load %0
        store %1, %6"
    ));
    assert!(out.contains("break %3\n}\nyield %4\n}\ndefault {\nyield %4\n}\n}\nstore %0, %5"), "{out}");
}

#[test]
fn parts_become_insertions_and_extractions() {
    let out = merged(
        "local $0 v: f32x3
        %0: ref<function, f32x3> = local $0
        %1: u32 = 1
        %2: ref<function, f32> = index %0, %1
        %3: f32 = 2.0
        store %2, %3
        %4: ref<private, u32> = global @g
        %5: u32 = load %4
        %6: ref<function, f32> = index %0, %5
        %7: f32 = load %6
        %8: f32 = load %2
        %9: f32 = add %7, %8
        %10: u32 = convert %9
        store %4, %10",
    );
    let expected = "
        %0: f32x3 = zero
        %1: f32 = 2.0
        %2: f32x3 = insert %0, 1, %1
        %3: ref<private, u32> = global @g
        %4: u32 = load %3
        %5: f32 = extract_dynamic %2, %4
        %6: f32 = extract %2, 1
        %7: f32 = add %5, %6
        %8: u32 = convert %7
        store %3, %8";
    assert_eq!(out, lines(expected));
}

/// Returns whether the local is left.
fn stays(body: &str) -> bool {
    let text = format!(
        "{GLOBALS}{ENTRY}fn @set(out: ref<function, u32>) -> void {{ %0: ref<function, u32> = param 0 }}
        fn @f() -> void {{ {body} }}"
    );
    let mut module = read(&text);
    passes::ssa(&mut module.functions["f"], passes::Unset::Zero);
    body_of_f(&module).contains("local $0")
}

#[test]
fn locals_with_other_uses_stay() {
    let call = format!("local $0 a: u32 {START} call @set(%0) %6: u32 = load %0 store %1, %6");
    assert!(stays(&call));
    let written_at_run_time = "local $0 v: u32x2
        %0: ref<function, u32x2> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: ref<function, u32> = index %0, %2
        store %3, %2";
    assert!(stays(written_at_run_time));
    let array = "local $0 v: [u32; 4 stride 4]
        %0: ref<function, [u32; 4 stride 4]> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: ref<function, u32> = index %0, %2
        %4: u32 = load %3
        store %1, %4";
    assert!(stays(array));
    let large = "local $0 v: [u32; 17 stride 4]
        %0: ref<function, [u32; 17 stride 4]> = local $0
        %1: u32 = 3
        %2: ref<function, u32> = index %0, %1
        store %2, %1";
    assert!(stays(large));
    assert!(!stays(&large.replace("17", "16")));
    let past_the_end = "local $0 v: u32x2
        %0: ref<function, u32x2> = local $0
        %1: u32 = 2
        %2: ref<function, u32> = index %0, %1
        store %2, %1";
    assert!(stays(past_the_end));
}

#[test]
fn a_switch_of_too_many_values_keeps_its_locals() {
    let switch = |count: usize, used: usize| {
        let mut module = String::from("global @g: private u32\n");
        module.push_str(ENTRY);
        module.push_str("fn @f() -> void {\n");
        (0..count).for_each(|n| module.push_str(&format!("local ${n} a: u32\n")));
        (0..count).for_each(|n| module.push_str(&format!("%{n}: ref<function, u32> = local ${n}\n")));
        module.push_str(&format!("%{count}: u32 = builtin.group_index\nswitch %{count} {{\n"));
        (0..count).for_each(|n| module.push_str(&format!("case {n} {{ store %{n}, %{count} }}\n")));
        module.push_str("}\n");
        // The locals that nothing uses after the switch are not merged.
        (0..used).for_each(|n| module.push_str(&format!("%{}: u32 = load %{n}\n", count + 1 + n)));
        module.push_str("}\n");
        let mut module = read(&module);
        passes::ssa(&mut module.functions["f"], passes::Unset::Zero);
        module.functions["f"].locals.len()
    };
    assert_eq!(switch(200, 200), 0);
    assert_eq!(switch(300, 300), 300);
    assert_eq!(switch(300, 100), 0);
}

#[test]
fn a_value_that_only_a_continue_changes_reaches_continuing() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %5
        loop {{
            if %3 {{ store %0, %4 continue }}
        }} continuing {{
            %6: u32 = load %0
            store %1, %6
        }} break_if %3"
    ));
    assert!(out.contains("continue %3\n}\nyield %") && !out.contains("continuing {"), "{out}");
}

#[test]
fn a_continue_in_a_switch_carries_values() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        loop {{
            store %0, %5
            switch %4 {{
                case 1 {{ store %0, %4 continue }}
            }}
        }} continuing {{
            %6: u32 = load %0
            store %1, %6
        }} break_if %3"
    ));
    assert!(out.contains("continue %3\n}\n") && out.contains("continuing (%"), "{out}");
}

/// The `Continue` belongs to the inner loop.
#[test]
fn inner_continues_carry_values() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %5
        loop {{
            loop {{
                if %3 {{ store %0, %4 continue }}
            }} continuing {{
                %6: u32 = load %0
                store %1, %6
            }} break_if %3
        }} continuing {{
            %7: u32 = load %0
            store %1, %7
        }} break_if %3"
    ));
    let inner = out[out.rfind("loop").expect("two loops")..].split("} break_if").next().expect("it ends");
    assert!(inner.contains("continue %3\n}\n") && inner.contains("} continuing (%"), "{out}");
}

/// The edges to `continuing` carry the one of two locals that changes. The other one changes only where the loop ends.
#[test]
fn edges_to_continuing_carry_changed_locals_only() {
    let out = merged(&format!(
        "local $0 a: u32
        local $1 b: u32
        {START}
        %6: ref<function, u32> = local $1
        store %0, %4
        store %6, %4
        loop {{
            if %3 {{ store %0, %5 break }}
            store %6, %5
        }} continuing {{
            %7: u32 = load %0
            %8: u32 = load %6
            %9: u32 = add %7, %8
            store %1, %9
        }}
        %10: u32 = load %0
        store %1, %10"
    ));
    let (body, end) = out.split_once("} continuing (").expect("it gets a value");
    assert!(body.ends_with("\nyield %4\n"), "{out}");
    assert_eq!(end.split(')').next().map(|params| params.matches(": u32").count()), Some(1), "{out}");
}

/// Values that the edges carried before stay with the changed locals.
#[test]
fn edges_to_continuing_keep_their_own_values() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        store %0, %4
        loop {{
            if %3 {{ store %0, %5 break }}
            yield %5
        }} continuing (%6: u32) {{
            %7: u32 = load %0
            %8: u32 = add %7, %6
            store %1, %8
        }}
        %9: u32 = load %0
        store %1, %9"
    ));
    assert!(out.contains("\nyield %4\n} continuing (%"), "{out}");
}

#[test]
fn locals_keep_their_value_between_iterations() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        loop {{
            if %3 {{ store %0, %4 }}
            %6: u32 = load %0
            store %1, %6
        }} continuing {{
        }} break_if %3"
    ));
    assert!(out.contains("loop (%"), "{out}");
}

#[test]
fn the_first_statement_of_continuing_sees_the_body() {
    let out = merged(&format!(
        "local $0 a: u32
        {START}
        loop {{
            store %0, %4
            store %0, %5
        }} continuing {{
            %6: u32 = load %0
            store %1, %6
        }} break_if %3"
    ));
    assert!(out.contains("yield %3\n} continuing (%"), "{out}");
}

#[test]
fn precise_loads_mark_the_value() {
    let mut module = read(
        "fn @f(a: f32, b: f32) -> f32 {
          local $0 x: f32
          %0: f32 = param 0
          %1: f32 = param 1
          %2: f32 = mul %0, %1
          %3: ref<function, f32> = local $0
          store %3, %2
          %4: f32 = precise load %3
          return %4
        }",
    );
    passes::ssa(&mut module.functions[0], passes::Unset::Zero);
    let out = body_of_f(&module);
    assert!(out.contains("= precise mul"), "{out}");
}
