//! Elements of constant tables, and conditions of several known values.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{Module, passes};

const GLOBALS: &str = "struct Pair size 12 align 4 { a: u32 @0, b: u32x2 @4 }
    global @table: constant [Pair; 2 stride 12] = { { u32 1, { u32 2, u32 3 } }, { u32 4, { u32 5, u32 6 } } }
    global @zeros: constant [u32; 2 stride 4] = zero
    global @columns: constant matrix<f32, 2, 2, columns stride 8> = { { f32 1.0, f32 2.0 }, { f32 3.0, f32 4.0 } }
    global @changes: private [u32; 2 stride 4] = zero
    global @out: private u32
";

fn module(body: &str) -> Module {
    read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{ {body} }}"))
}

#[test]
fn elements_of_tables_at_constant_indexes_are_constants() {
    let mut module = module(
        "%0: u32 = 0
        %1: u32 = 1
        %2: u32 = 2
        %3: u32 = builtin.group_index
        %4: ref<private, [Pair; 2 stride 12]> = global @table
        %5: ref<private, Pair> = index %4, %1
        %6: ref<private, u32> = field %5, 0
        %7: u32 = load %6
        %8: ref<private, u32x2> = field %5, 1
        %9: ref<private, u32> = index %8, %1
        %10: u32 = load %9
        %11: ref<private, [u32; 2 stride 4]> = global @zeros
        %12: ref<private, u32> = index %11, %1
        %13: u32 = load %12
        %14: ref<private, Pair> = index %4, %3
        %15: ref<private, u32> = field %14, 0
        %16: u32 = load %15
        %17: ref<private, u32> = index %11, %2
        %18: u32 = load %17
        %19: ref<private, [u32; 2 stride 4]> = global @changes
        %20: ref<private, u32> = index %19, %0
        %21: u32 = load %20
        %22: u32x2 = load %8
        %23: Pair = load %5
        %24: ref<private, matrix<f32, 2, 2, columns stride 8>> = global @columns
        %25: ref<private, f32x2> = index %24, %1
        %26: f32x2 = load %25
        %27: ref<private, f32> = index %25, %0
        %28: f32 = load %27
        %29: [u32; 2 stride 4] = load %11",
    );
    let globals = module.globals.clone();
    passes::fold_table_loads(&mut module.functions["f"], &globals);
    let out = body_of_f(&module);
    for known in ["%7: u32 = 4", "%10: u32 = 6", "%13: u32 = 0", "%28: f32 = 3.0"] {
        assert!(out.lines().any(|line| line == known), "{known}\n{out}");
    }
    // The constants that a composition lists.
    let constants: std::collections::HashMap<&str, &str> = out
        .lines()
        .filter_map(|line| {
            line.split_once(": ")?.1.split_once(" = ").map(|(_, op)| (line.split(':').next().unwrap_or(""), op))
        })
        .collect();
    let parts = |id: &str| -> Vec<&str> {
        let listed = constants[id].strip_prefix("compose ").expect("a composition");
        listed.split(", ").map(|part| constants[part]).collect()
    };
    assert_eq!(parts("%22"), ["5", "6"]);
    // Rows, although columns are together in memory.
    assert_eq!(parts("%26"), ["3.0", "4.0"]);
    assert_eq!(parts("%23")[0], "4");
    assert!(parts("%23")[1].starts_with("compose"), "{out}");
    // A variable index, one out of bounds, a variable, and an array, which may be indexed at run time.
    let stays =
        ["%16: u32 = load %15", "%18: u32 = load %17", "%21: u32 = load %20", "%29: [u32; 2 stride 4] = load %11"];
    for stays in stays {
        assert!(out.lines().any(|line| line == stays), "{stays}\n{out}");
    }
}

#[test]
fn conditions_of_known_values_are_constants() {
    let mut module = module(
        "local $0 v: u32x2
        %0: u32 = 3
        %1: u32 = 5
        %2: u32x2 = compose %0, %1
        %3: ref<function, u32x2> = local $0
        store %3, %2
        %4: u32x2 = load %3
        %5: u32 = extract %4, 1
        %6: bool = lt %0, %5
        %7: u32 = builtin.group_index
        %8: bool = lt %0, %7
        if %6 {
        } else {
        }
        if %8 {
        } else {
        }",
    );
    let globals = module.globals.clone();
    let function = &mut module.functions["f"];
    assert!(passes::fold_conditions(function, &globals));
    assert!(!passes::fold_conditions(function, &globals), "the other condition is unknown");
    let expected = "local $0 v: u32x2
        %0: u32 = 3
        %1: u32 = 5
        %2: u32x2 = compose %0, %1
        %3: ref<function, u32x2> = local $0
        store %3, %2
        %4: u32x2 = load %3
        %5: u32 = extract %4, 1
        %6: bool = true
        %7: u32 = builtin.group_index
        %8: bool = lt %0, %7
        if %6 {
        }
        if %8 {
        }";
    assert_eq!(body_of_f(&module), lines(expected));
}

/// The second field begins after two scalars.
#[test]
fn fields_after_vectors_are_found() {
    let mut module = read(&format!(
        "struct Late size 12 align 4 {{ a: u32x2 @0, b: u32 @8 }}
        global @late: constant Late = {{ {{ u32 7, u32 8 }}, u32 9 }}
        {ENTRY}fn @f() -> void {{
            %0: ref<private, Late> = global @late
            %1: ref<private, u32> = field %0, 1
            %2: u32 = load %1
        }}"
    ));
    let globals = module.globals.clone();
    passes::fold_table_loads(&mut module.functions["f"], &globals);
    let out = body_of_f(&module);
    assert!(out.lines().any(|line| line == "%2: u32 = 9"), "{out}");
}

/// A local is known only if one store of the whole is all that changes it.
#[test]
fn conditions_on_changed_locals_stay() {
    let start = "local $0 v: u32x2
        %0: u32 = 3
        %1: u32 = 1
        %2: u32x2 = compose %0, %0
        %3: ref<function, u32x2> = local $0
        %7: u32 = builtin.group_index
        %8: u32x2 = compose %7, %7
        store %3, %2";
    let end = "%4: u32x2 = load %3
        %5: u32 = extract %4, 1
        %6: bool = lt %0, %5
        if %6 { }";
    let callee = "fn @take(a: ref<function, u32x2>) -> void { }";
    for (change, is_known) in [
        ("", true),
        ("store %3, %8", false),
        ("%9: ref<function, u32> = index %3, %1 store %9, %7", false),
        ("call @take(%3)", false),
    ] {
        let mut module = read(&format!("{ENTRY}fn @f() -> void {{ {start} {change} {end} }} {callee}"));
        let globals = module.globals.clone();
        assert_eq!(passes::fold_conditions(&mut module.functions["f"], &globals), is_known, "{change}");
        body_of_f(&module);
    }
}
