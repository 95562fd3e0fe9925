//! Constants through branches, and unused code.

use crate::{ENTRY, body_of_f, check, lines, read};
use wgc_ir::{passes, print};

fn folded(body: &str) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {body} }}"));
    module.functions.values_mut().for_each(|function| passes::fold(function));
    check(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn parameters_that_never_change_are_their_first_value() {
    let mut module = read(&format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        loop (%2: u32 = %1) {{ store %0, %2 }} continuing {{ next %2 }}
        }}"
    ));
    passes::fold(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        loop {
        store %0, %1
        }";
    assert_eq!(body_of_f(&module), lines(expected));
}

#[test]
fn constants_fold_through_branches() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = 40
        %2: u32 = 2
        %3: u32 = add %1, %2
        %4: bool = lt %1, %2
        if %4 {
            store %0, %1
        } else {
            %5: u32x3 = compose %3, %1, %2
            %6: u32 = extract %5, 0
            store %0, %6
            return
        }
        store %0, %2",
    );
    assert_eq!(out, "%0: ref<private, u32> = global @g\n%1: u32 = 42\nstore %0, %1\nreturn");
}

/// The two operands share bits, so all operations give different results.
#[test]
fn every_binary_operation_folds_to_its_own_result() {
    for (operation, value) in [
        ("and", 4),
        ("or", 14),
        ("xor", 10),
        ("add", 18),
        ("sub", 6),
        ("mul", 72),
        ("div", 2),
        ("rem", 0),
        ("shl", 768),
        ("shr", 0),
        ("min", 6),
        ("max", 12),
    ] {
        let text = format!(
            "%0: ref<private, u32> = global @g %1: u32 = 12 %2: u32 = 6 %3: u32 = {operation} %1, %2 store %0, %3"
        );
        assert_eq!(
            folded(&text),
            format!("%0: ref<private, u32> = global @g\n%1: u32 = {value}\nstore %0, %1"),
            "{operation}"
        );
    }
}

#[test]
fn a_switch_on_a_constant_folds_to_its_case() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: i32 = -1
        %2: u32 = 5
        %3: u32 = 6
        switch %1 {
            case 0 { store %0, %2 break }
            case -1 { store %0, %3 break }
        }
        store %0, %2",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = 5
        %2: u32 = 6
        store %0, %2
        store %0, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn a_case_that_breaks_in_the_middle_stays_a_switch() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 0
        %3: bool = eq %1, %2
        switch %2 {
            case 0 {
                if %3 { break }
                store %0, %2
            }
        }",
    );
    assert!(out.contains("switch"), "{out}");
}

#[test]
fn dead_code_is_removed_and_effects_are_kept() {
    let mut module = read(&format!(
        "global @g: private u32
        global @unused: private u32
        global @shared: workgroup u32
        {ENTRY}fn @f() -> void {{
            local $0 never: [u32; 4 stride 4]
            local $1 read: u32
            %0: u32 = 1
            %1: ref<private, u32> = global @unused
            %2: u32 = load %1
            %3: u32 = mul %2, %0
            %4: ref<function, [u32; 4 stride 4]> = local $0
            %5: ref<function, u32> = index %4, %0
            store %5, %3
            %6: bool = eq %2, %0
            if %6 {{ store %5, %0 }}
            %7: ref<workgroup, u32> = global @shared
            %8: u32 = atomic.add %7, %0 device relaxed
            %9: ref<function, u32> = local $1
            store %9, %0
            %10: u32 = load %9
            %11: ref<private, u32> = global @g
            store %11, %10
        }}
        fn @nobody() -> void {{ }}"
    ));
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "
        local $0 read: u32
        %0: u32 = 1
        %1: ref<workgroup, u32> = global @shared
        %2: u32 = atomic.add %1, %0 device relaxed
        %3: ref<function, u32> = local $0
        store %3, %0
        %4: u32 = load %3
        %5: ref<private, u32> = global @g
        store %5, %4";
    assert_eq!(body_of_f(&module), lines(expected));
    assert_eq!(module.functions.len(), 1);
    assert_eq!(module.globals.keys().collect::<Vec<_>>(), ["g", "shared"]);
}

#[test]
fn a_condition_of_a_live_branch_is_live() {
    let mut module = read(&format!(
        "global @g: private u32
        {ENTRY}fn @f() -> void {{
            local $0 a: u32
            %0: ref<private, u32> = global @g
            %1: u32 = load %0
            %2: u32 = 3
            %3: bool = lt %1, %2
            %4: ref<function, u32> = local $0
            store %4, %1
            if %3 {{
                loop {{ break }}
                store %4, %2
            }}
            %5: u32 = load %4
            store %0, %5
        }}"
    ));
    let before = print(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    assert_eq!(print(&module), before);
}

/// Each operation leaves its other operand, a constant, or itself. Floats stay: `-0 + 0` is 0, and NaN * 0 is NaN.
#[test]
fn operations_with_neutral_constants_are_removed() {
    let cases = [
        ("u32", "add %0, %1", 0u32, "param"),
        ("u32", "add %1, %0", 0, "param"),
        ("u32", "add %0, %1", 1, "add %0, %1"),
        ("i32", "sub %0, %1", 0, "param"),
        ("i32", "sub %1, %0", 0, "sub %1, %0"),
        ("u32", "mul %1, %0", 1, "param"),
        ("u32", "mul %0, %1", 0, "0"),
        ("u32", "div %0, %1", 1, "param"),
        ("u32", "div %1, %0", 1, "div %1, %0"),
        ("u32", "rem %0, %1", 1, "0"),
        ("u32", "rem %0, %1", 3, "rem %0, %1"),
        ("u32", "and %0, %1", 4_294_967_295, "param"),
        ("u32", "and %0, %1", 0, "0"),
        ("u32", "and %0, %1", 1, "and %0, %1"),
        ("u32", "or %1, %0", 0, "param"),
        ("u32", "or %0, %1", 1, "or %0, %1"),
        ("u32", "xor %0, %1", 0, "param"),
        ("u32", "shl %0, %1", 0, "param"),
        ("u32", "shl %1, %0", 0, "0"),
        ("u32", "shl %1, %0", 1, "shl %1, %0"),
        ("i32", "shr %0, %1", 0, "param"),
    ];
    for (ty, op, constant, left) in cases {
        let text = format!(
            "fn @f(a: {ty}) -> {ty} {{\n%0: {ty} = param 0\n%1: {ty} = {constant}\n%2: {ty} = {op}\nreturn %2\n}}"
        );
        let body = body_of(&text);
        let wanted = if left == "param" { "return %0".to_owned() } else { format!("%2: {ty} = {left}") };
        assert!(body.contains(&wanted), "{op} with {constant}: {body}");
    }
    for (ty, op, left) in [
        ("u32", "lt %0, %1", "false"),
        ("u32", "ge %0, %1", "true"),
        ("u32", "gt %1, %0", "false"),
        ("u32", "le %1, %0", "true"),
        ("u32", "gt %0, %1", "gt %0, %1"),
        ("i32", "lt %0, %1", "lt %0, %1"),
    ] {
        let text =
            format!("fn @f(a: {ty}) -> bool {{\n%0: {ty} = param 0\n%1: {ty} = 0\n%2: bool = {op}\nreturn %2\n}}");
        assert!(body_of(&text).contains(&format!("%2: bool = {left}")), "{op} of {ty}: {}", body_of(&text));
    }
    for op in ["add %0, %1", "mul %0, %1", "sub %1, %0"] {
        let text = format!("fn @f(a: f32) -> f32 {{\n%0: f32 = param 0\n%1: f32 = 0.0\n%2: f32 = {op}\nreturn %2\n}}");
        assert!(body_of(&text).contains(op), "{op}: {}", body_of(&text));
    }
}

fn body_of(text: &str) -> String {
    let mut module = crate::read(text);
    module.functions.values_mut().for_each(|function| passes::fold(function));
    crate::body_of_f(&module)
}

#[test]
fn parameters_that_change_places_stay() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 7
        loop (%3: u32 = %1, %4: u32 = %2) { store %0, %3 } continuing { next %4, %3 }",
    );
    assert!(out.contains("= %1, ") && out.contains("= %2) {"), "{out}");
}

#[test]
fn arms_with_different_constants_stay() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 7
        %3: u32 = 8
        %4: bool = lt %1, %2
        %5: u32 = if %4 { yield %2 } else { yield %3 }
        %6: u32 = if %4 { yield %3 } else { yield %3 }
        store %0, %5
        store %0, %6",
    );
    assert!(out.contains("yield %2\n} else {\nyield %3\n}") && out.ends_with("store %0, %3"), "{out}");
}
