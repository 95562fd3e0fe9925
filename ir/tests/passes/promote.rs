//! Locals that become values.

use crate::inline::RECORDS;
use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{Module, passes, print, verify};

fn promoted(body: &str) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {body} }}"));
    passes::promote(&mut module.functions["f"]).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn loads_after_one_store_are_its_value() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        store %0, %2
        %3: u32 = load %0
        %4: u32 = add %3, %2
        store %0, %4
        loop {
            %5: u32 = load %0
            store %1, %5
        }",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = add %1, %1
        loop {
        store %0, %2
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn locals_changed_in_a_loop_are_not_promoted() {
    let out = promoted(
        "local $0 i: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        store %0, %2
        loop {
            %3: u32 = load %0
            store %1, %3
        } continuing {
            %4: u32 = load %0
            %5: u32 = add %4, %2
            store %0, %5
        }",
    );
    assert!(out.contains("load %0") && out.contains("continuing"), "{out}");
    assert_eq!(out.matches("store %0").count(), 2, "{out}");
    assert_eq!(out.matches("load %0").count(), 2, "{out}");
}

#[test]
fn promotion_ignores_stores_in_returning_branches() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        %3: u32 = 2
        %4: u32 = load %1
        %5: bool = eq %4, %2
        store %0, %2
        if %5 {
            store %0, %3
            %6: u32 = load %0
            store %1, %6
            return
        }
        %7: u32 = load %0
        store %1, %7",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = 1
        %2: u32 = 2
        %3: u32 = load %0
        %4: bool = eq %3, %1
        if %4 {
        store %0, %2
        return
        }
        store %0, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn promotion_respects_stores_before_conditional_breaks() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        store %0, %2
        switch %2 {
            case 1 {
                %3: u32 = 9
                store %0, %3
                %4: bool = eq %3, %2
                if %4 { break }
                return
            }
        }
        %5: u32 = load %0
        store %1, %5",
    );
    assert!(out.contains("load %0\nstore %1"), "{out}");
}

#[test]
fn stores_in_cases_count_after_the_switch() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        store %0, %2
        switch %2 {
            case 1 {
                %3: u32 = 9
                store %0, %3
            }
        }
        %5: u32 = load %0
        store %1, %5",
    );
    assert!(out.contains("load %0\nstore %1"), "{out}");
}

#[test]
fn promotion_keeps_stores_of_branches_that_break() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: u32 = 9
        store %0, %2
        switch %2 {
            case 1 {
                %4: bool = eq %3, %2
                if %4 {
                    store %0, %3
                    break
                }
                store %1, %2
            }
            case 2 {
                loop {
                    store %1, %3
                    break
                }
            }
        }
        %5: u32 = load %0
        store %1, %5",
    );
    assert!(out.contains("store %0, %3\nbreak"), "{out}");
    assert!(out.contains("load %0\nstore %1"), "{out}");
}

/// The second iteration loads the value that a branch of the first one stored.
#[test]
fn stores_in_loop_branches_count_at_its_start() {
    let out = promoted(
        "local $0 i: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        %3: u32 = 2
        store %0, %2
        loop {
            %4: u32 = load %0
            store %1, %4
            %5: bool = eq %4, %2
            if %5 { store %0, %3 } else { break }
        }",
    );
    let expected = "
        local $0 i: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        %3: u32 = 2
        store %0, %2
        loop {
        %4: u32 = load %0
        store %1, %4
        %5: bool = eq %4, %2
        if %5 {
        store %0, %3
        } else {
        break
        }
        }";
    assert_eq!(out, lines(expected));
}

/// A callee may store to a local that it gets by reference.
#[test]
fn locals_that_callees_get_stay() {
    let mut module = read(&format!(
        "global @g: private u32
        {ENTRY}fn @f() -> void {{
            local $0 a: u32
            %0: ref<function, u32> = local $0
            %1: ref<private, u32> = global @g
            %2: u32 = 1
            store %0, %2
            call @set(%0)
            %3: u32 = load %0
            store %1, %3
        }}
        fn @set(a: ref<function, u32>) -> void {{ %0: ref<function, u32> = param 0 %1: u32 = 2 store %0, %1 }}"
    ));
    let before = body_of_f(&module);
    passes::promote(&mut module.functions["f"]).expect("it holds numbers");
    assert_eq!(body_of_f(&module), before);
}

/// Returns the local in the error. The module stays valid.
fn refused(module: &mut Module) -> String {
    let error = passes::promote(&mut module.functions["f"]).unwrap_err();
    assert!(error.is_handle);
    assert_eq!(verify(module), Ok(()), "{}", print(module));
    error.local.to_string()
}

/// Removes values without a statement.
fn left_of_f(module: &Module) -> String {
    let mut module = module.clone();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

/// A local that cannot become a value stays. All others are replaced, and the function is valid.
#[test]
fn unpromotable_locals_stay_and_others_become_values() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            local $1 n: u32
            local $2 copy: records<group, R>
            %0: u32 = 0
            %1: ref<function, u32> = local $1
            store %1, %0
            %2: u32 = load %1
            %3: u32 = builtin.group_index
            %4: bool = eq %3, %2
            %5: ref<function, records<group, R>> = local $0
            if %4 {{
                %6: records<group, R> = allocate group 0[%2], %3
                store %5, %6
            }}
            %7: records<group, R> = load %5
            %8: ref<function, records<group, R>> = local $2
            store %8, %7
            %9: records<group, R> = load %8
            complete %9
        }}"
    ));
    // A second run gives the same result, since nothing has changed.
    for _ in 0..2 {
        assert_eq!(refused(&mut module), "mine");
        let expected = "
            local $0 mine: records<group, R>
            %0: u32 = 0
            %1: u32 = builtin.group_index
            %2: bool = eq %1, %0
            %3: ref<function, records<group, R>> = local $0
            if %2 {
            %4: records<group, R> = allocate group 0[%0], %1
            store %3, %4
            }
            %5: records<group, R> = load %3
            complete %5";
        assert_eq!(left_of_f(&module), lines(expected));
    }
}

#[test]
fn unset_record_handles_are_rejected_and_stay_in_their_local() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            %0: ref<function, records<group, R>> = local $0
            %1: records<group, R> = load %0
            complete %1
        }}"
    ));
    for _ in 0..2 {
        assert_eq!(refused(&mut module), "mine");
        let expected = "
            local $0 mine: records<group, R>
            %0: ref<function, records<group, R>> = local $0
            %1 mine: records<group, R> = load %0
            complete %1";
        assert_eq!(left_of_f(&module), lines(expected));
    }
}
