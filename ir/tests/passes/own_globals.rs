//! Private globals that become locals of entry points.

use crate::{body_of_f, check, lines, read};
use wgc_ir::{Module, passes, print};

fn moved(text: &str) -> Module {
    let mut module = read(text);
    passes::own_globals(&mut module);
    check(&module);
    module
}

const ENTRY: &str = "entry \"f\" = @f threads 1 1 1\n";

#[test]
fn globals_of_an_entry_become_its_locals() {
    let module = moved(&format!(
        "global @v: private u32x2 = {{ u32 7, u32 8 }}
        global @n: private u32 = zero
        {ENTRY}fn @f() -> void {{
            %0: ref<private, u32x2> = global @v
            %1: u32 = 1
            %2: ref<private, u32> = index %0, %1
            %3: u32 = load %2
            %4: ref<private, u32> = global @n
            store %4, %3
        }}"
    ));
    let expected = "
        local $0 v: u32x2
        local $1 n: u32
        %5: ref<function, u32x2> = local $0
        %6: u32 = 7
        %7: u32 = 8
        %8: u32x2 = compose %6, %7
        store %5, %8
        %9: ref<function, u32> = local $1
        %10: u32 = zero
        store %9, %10
        %0: ref<function, u32x2> = local $0
        %1: u32 = 1
        %2: ref<function, u32> = index %0, %1
        %3: u32 = load %2
        %4: ref<function, u32> = local $1
        store %4, %3
    ";
    assert_eq!(lines(&body_of_f(&module)), lines(expected));
    assert!(module.globals.is_empty());
}

#[test]
fn each_entry_gets_its_own() {
    let module = moved(&format!(
        "global @n: private u32
        {ENTRY}entry \"g\" = @g threads 1 1 1
        fn @f() -> void {{ %0: ref<private, u32> = global @n %1: u32 = 1 store %0, %1 }}
        fn @g() -> void {{ %0: ref<private, u32> = global @n %1: u32 = load %0 }}"
    ));
    assert_eq!(print(&module).matches("local $0 n: u32").count(), 2, "{}", print(&module));
    assert!(module.globals.is_empty());
}

/// A function sees what its caller stored.
#[test]
fn globals_that_other_functions_name_stay() {
    let callee = "fn @g() -> void { %0: ref<private, u32> = global @n %1: u32 = load %0 }";
    for (entries, callee) in [
        (ENTRY.to_owned(), callee),
        // An entry that is called runs several times.
        (format!("{ENTRY}entry \"g\" = @g threads 1 1 1\n"), callee),
    ] {
        let module = moved(&format!(
            "global @n: private u32
            {entries}fn @f() -> void {{
                %0: ref<private, u32> = global @n
                %1: u32 = 1
                store %0, %1
                call @g()
            }}
            {callee}"
        ));
        assert!(module.globals.contains_key("n"), "{}", print(&module));
        assert!(!print(&module).contains("local"), "{}", print(&module));
    }
}

#[test]
fn other_globals_stay() {
    for (ty, space, more) in [
        ("[u32; 65 stride 4]", "private", ""),
        ("u32", "workgroup", ""),
        // An instruction of the program may want a private variable.
        ("u32", "private", "%9: u32 = spirv 81 (%0)"),
    ] {
        let module = moved(&format!(
            "global @n: {space} {ty}
            {ENTRY}fn @f() -> void {{ %0: ref<{space}, {ty}> = global @n {more} }}"
        ));
        assert!(module.globals.contains_key("n"), "{ty} {space} {more}");
    }
}
