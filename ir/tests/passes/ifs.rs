//! Branches that become selects.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

fn selected(then: &str, hint: &str) -> String {
    let mut module = read(&format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        %3: u32 = 7
        %4: f32 = 1.0
        %20: u32 = if %2 {hint} {{
            {then}
        }} else {{
            yield %3
        }}
        store %0, %20
        }}"
    ));
    passes::ifs(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn few_operations_become_a_select() {
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        %3: u32 = 7
        %4: u32 = add %1, %3
        %5: u32 = select %2, %4, %3
        store %0, %5";
    assert_eq!(selected("%10: u32 = add %1, %3 yield %10", ""), lines(expected));
}

#[test]
fn hints_set_the_number_of_operations() {
    let chain = |count: usize| {
        let add = |n: usize| format!("%{}: u32 = add %{}, %1\n", 31 + n, if n == 0 { 1 } else { 30 + n });
        (0..count).map(add).collect::<String>() + &format!("yield %{}", 30 + count)
    };
    for (count, hint, stays) in
        [(4, "", false), (5, "", true), (16, "[flatten]", false), (17, "[flatten]", true), (1, "[branch]", true)]
    {
        assert_eq!(selected(&chain(count), hint).contains("if"), stays, "{count} {hint}");
    }
}

#[test]
fn failing_operations_and_effects_stay_in_their_arm() {
    for then in [
        "%10: u32 = load %0 yield %10",
        "store %0, %3 yield %1",
        "%10: u32 = div %3, %1 yield %10",
        "%10: u32 = rem %3, %1 yield %10",
        "%10: i32 = bitcast %1 %11: i32 = -1 %12: i32 = div %10, %11 %13: u32 = bitcast %12 yield %13",
        "%10: u32 = convert %4 yield %10",
        "%10: u32 = subgroup.add %1 yield %10",
        "return",
    ] {
        assert!(selected(then, "").contains("if"), "{then}");
    }
    for then in ["%10: u32 = div %1, %3 yield %10", "%10: f32 = div %4, %4 %11: u32 = bitcast %10 yield %11"] {
        assert!(!selected(then, "").contains("if"), "{then}");
    }
}

#[test]
fn statements_without_results_stay() {
    let mut module = read(&format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        if %2 {{ store %0, %1 }}
        }}"
    ));
    passes::ifs(&mut module.functions["f"]);
    assert!(body_of_f(&module).contains("if"));
}

#[test]
fn structures_are_not_selected() {
    let mut module = read(&format!(
        "global @g: private [u32; 2 stride 4]\n{ENTRY}fn @f() -> void {{
        %0: ref<private, [u32; 2 stride 4]> = global @g
        %1: [u32; 2 stride 4] = load %0
        %2: bool = true
        %3: [u32; 2 stride 4] = zero
        %4: [u32; 2 stride 4] = if %2 {{ yield %1 }} else {{ yield %3 }}
        store %0, %4
        }}"
    ));
    passes::ifs(&mut module.functions["f"]);
    assert!(body_of_f(&module).contains("if"));
}

/// One select of an array keeps the branch, also if other values need no array.
#[test]
fn structures_beside_scalars_are_not_selected() {
    let mut module = read(&format!(
        "global @g: private [u32; 2 stride 4]
        global @n: private u32
        {ENTRY}fn @f() -> void {{
        %0: ref<private, [u32; 2 stride 4]> = global @g
        %1: [u32; 2 stride 4] = load %0
        %2: bool = true
        %3: [u32; 2 stride 4] = zero
        %4: u32 = 1
        %5: u32 = 2
        %6: [u32; 2 stride 4], %7: u32 = if %2 {{ yield %1, %4 }} else {{ yield %3, %5 }}
        store %0, %6
        %8: ref<private, u32> = global @n
        store %8, %7
        }}"
    ));
    let before = body_of_f(&module);
    passes::ifs(&mut module.functions["f"]);
    assert_eq!(body_of_f(&module), before);
}
