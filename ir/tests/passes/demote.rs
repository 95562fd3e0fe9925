//! Merged values that become locals.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

#[test]
fn edges_store_and_targets_load() {
    let text = format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        %3: u32 = loop (%4 i: u32 = %1) {{
            if %2 {{
                break %4
            }}
            %5: u32 = if %2 {{
                yield %1
            }} else {{
                continue %4
            }}
            yield %5
        }} continuing (%6: u32) {{
            %7: u32 = add %4, %6
            next %7
        }} break_if %2 last %6
        store %0, %3
        }}"
    );
    let mut module = read(&text);
    passes::demote(&mut module.functions["f"]);
    let expected = "
        local $0 : u32
        local $1 i: u32
        local $2 : u32
        local $3 : u32
        %8: ref<function, u32> = local $0
        %9: ref<function, u32> = local $1
        %10: ref<function, u32> = local $2
        %11: ref<function, u32> = local $3
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        store %9, %1
        loop {
        %4 i: u32 = load %9
        if %2 {
        store %8, %4
        break
        }
        if %2 {
        store %11, %1
        } else {
        store %10, %4
        continue
        }
        %5: u32 = load %11
        store %10, %5
        } continuing {
        %6: u32 = load %10
        %12 i: u32 = load %9
        %7: u32 = add %12, %6
        store %9, %7
        store %8, %6
        } break_if %2
        %3: u32 = load %8
        store %0, %3";
    assert_eq!(body_of_f(&module), lines(expected));
}

#[test]
fn breaks_of_a_switch_store_its_results() {
    let text = format!(
        "global @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: bool = ne %1, %1
        %3: u32 = loop {{
            %4: u32 = switch %1 {{
                default {{
                    if %2 {{
                        break %1
                    }}
                    %5: u32 = add %1, %1
                    yield %5
                }}
            }}
            break %4
        }}
        store %0, %3
        }}"
    );
    let mut module = read(&text);
    passes::demote(&mut module.functions["f"]);
    let out = body_of_f(&module);
    let place = |value: &str| {
        let line = out.lines().find(|line| line.starts_with("store") && line.ends_with(value));
        line.unwrap_or_else(|| panic!("{value}: {out}")).split(',').next()
    };
    assert_eq!(place(", %1"), place(", %5"), "{out}");
    assert_ne!(place(", %1"), place(", %4"), "{out}");
}
