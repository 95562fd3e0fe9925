//! Locals that are copies of memory.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{passes, print_with_positions, verify};

const START: &str = "local $0 copy: [u32; 4 stride 4]
    local $1 other: [u32; 4 stride 4]
    %0: u32 = builtin.group_index
    %1: ref<storage, [u32 stride 4]> = global @out
    %2: ref<storage, u32> = index %1, %0
    %3: ref<function, [u32; 4 stride 4]> = local $0
";

const COPY: &str = "%4: ref<storage, [B stride 32]> = global @table
    %5: ref<storage, B> = index %4, %0
    %6: ref<storage, [u32; 4 stride 4]> = field %5, 1
    %7: [u32; 4 stride 4] = load %6
    store %3, %7
";

const LOAD: &str = "%8: ref<function, u32> = index %3, %0
    %9: u32 = load %8
";

const USE: &str = "%8: ref<function, u32> = index %3, %0
    %9: u32 = load %8
    store %2, %9
";

/// Returns the body after the pass, with an entry that may have more than `@f`.
fn after(table: &str, body: &str) -> String {
    let mut module = read(&format!(
        "struct B size 32 align 4 {{ n: u32 @0, list: [u32; 4 stride 4] @4 }}
        struct U size 64 align 16 {{ list: [u32; 4 stride 16] @0 }}
        global @table: buffer<B stride 32> {table} set 0 binding 0
        global @out: buffer<u32 stride 4> writable set 0 binding 1
        global @u: uniform U set 0 binding 2
        global @shared: workgroup u32
        {ENTRY}fn @f() -> void {{ {START}{body} }}
        fn @take(a: ref<function, [u32; 4 stride 4]>) -> void {{ }}
        fn @idle() -> void {{ }}"
    ));
    passes::read_in_place(&mut module);
    body_of_f(&module);
    passes::dead(&mut module, &["take".into(), "idle".into()], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn elements_are_read_where_they_were_copied_from() {
    let expected = "%0: u32 = builtin.group_index
        %1: ref<storage, [u32 stride 4]> = global @out
        %2: ref<storage, u32> = index %1, %0
        %3: ref<storage, [B stride 32]> = global @table
        %4: ref<storage, B> = index %3, %0
        %5: ref<storage, [u32; 4 stride 4]> = field %4, 1
        %6: ref<storage, u32> = index %5, %0
        %7: u32 = load %6
        store %2, %7";
    assert_eq!(after("", &format!("{COPY}{USE}")), lines(expected));
}

#[test]
fn the_layout_is_that_of_the_memory() {
    let copy = "%4: ref<uniform, U> = global @u
        %6: ref<uniform, [u32; 4 stride 16]> = field %4, 0
        %7: [u32; 4 stride 4] = load %6
        store %3, %7
        barrier uav group_sync
        call @idle()";
    let out = after("", &format!("{copy}{USE}"));
    assert!(out.contains("ref<uniform, u32> = index") && !out.contains("local $"), "{out}");
}

#[test]
fn uses_in_blocks_after_the_copy_count() {
    let inside = format!("{COPY} %10: u32 = 3 %11: bool = lt %0, %10 if %11 {{ {USE} }} else {{ }}");
    assert!(!after("", &inside).contains("local $"));
    // Nothing that the barrier orders is in the buffer.
    assert!(!after("", &format!("{COPY} barrier group_shared group_sync workgroup {USE}")).contains("local $"));
    // There is no copy after the branch.
    let body = format!("%10: u32 = 3 %11: bool = lt %0, %10 if %11 {{ {COPY} }} else {{ }} {USE}");
    assert!(after("", &body).contains("local $"));
    // In the first iteration the local has another value.
    let body = format!("loop {{ {USE} {COPY} }} continuing {{ %10: bool = lt %0, %9 }} break_if %10");
    assert!(
        after("", &body.replace("%9: u32", "%20: u32").replace("%2, %9", "%2, %20").replace("%0, %9", "%0, %0"))
            .contains("local $")
    );
}

/// A store to a local, or before the copy, changes no buffer.
#[test]
fn writable_memory_is_read_in_place_before_it_changes() {
    let change =
        "%20: ref<function, [u32; 4 stride 4]> = local $1 %21: ref<function, u32> = index %20, %0 store %21, %0";
    for body in [
        format!("store %2, %0 {COPY}{change}{USE} store %2, %0"),
        format!("{COPY} loop {{ {change}{LOAD} }} continuing {{ %10: bool = lt %0, %0 }} break_if %10"),
        format!("loop {{ {COPY}{USE} }} continuing {{ %10: bool = lt %0, %0 }} break_if %10"),
    ] {
        let out = after("writable", &body);
        assert!(!out.contains("= local $0"), "{body}\n{out}");
    }
}

/// A read that nothing needs keeps no copy, and a debugger shows no value that is computed from it.
#[test]
fn dead_reads_after_a_change_keep_no_copy() {
    let dead = "%10: ref<function, u32> = index %3, %0 %11: u32 = load %10 %12: u32 = add %11, %11";
    // A variable stands after the locals.
    let first = "%0: u32 = builtin.group_index";
    let start = START.replace(first, &format!("scope 0 @f \"main\" body 0 name 1 variable 0 x: u32 at 0:3 {first}"));
    let run = |end: &str| {
        let mut module = read(&format!(
            "struct B size 32 align 4 {{ n: u32 @0, list: [u32; 4 stride 4] @4 }}
            global @table: buffer<B stride 32> writable set 0 binding 0
            global @out: buffer<u32 stride 4> writable set 0 binding 1
            {ENTRY}fn @f() -> void {{
                {start}{COPY}{USE} store %2, %0 {dead} {end} }}"
        ));
        passes::read_in_place(&mut module);
        verify(&module).unwrap();
        print_with_positions(&module)
    };
    let out = run("holds 0 %12 holds 0 %9 store %2, %0");
    assert!(!out.contains("= local $0"), "{out}");
    assert!(out.contains("holds 0 nothing\n  holds 0 %"), "{out}");
    // Here something needs it.
    let out = run("store %2, %12 holds 0 %12 store %2, %0");
    assert!(out.contains("= local $0") && out.contains("holds 0 %12"), "{out}");
}

/// Records have no global: their place is an input, or an address.
#[test]
fn copies_of_records_are_read_in_place() {
    let shared = "node \"f\"[0] = @f { launch broadcasting threads 1 1 1 grid fixed 2 1 1 entry input input: B read_write max 1 }";
    let entry = "node \"f\"[0] = @f { launch thread threads 1 1 1 entry input input: B max 1 }";
    for (entry, space, source, is_replaced) in [
        (entry, "node_input", "input_record %18", true),
        (shared, "node_input", "input_record %18", false),
        (ENTRY, "physical", "address %19", true),
        (ENTRY, "physical.coherent", "address %19", false),
    ] {
        let mut module = read(&format!(
            "struct B size 32 align 4 {{ n: u32 @0, list: [u32; 4 stride 4] @4 }}
            global @out: buffer<u32 stride 4> writable set 0 binding 1
            {entry} fn @f() -> void {{ {START}
                %18: u32 = 0
                %19: u64 = 64
                %5: ref<{space}, B> = {source}
                %6: ref<{space}, [u32; 4 stride 4]> = field %5, 1
                %7: [u32; 4 stride 4] = load %6
                store %3, %7
                {USE} }}"
        ));
        passes::read_in_place(&mut module);
        let out = body_of_f(&module);
        assert_eq!(!out.contains("local $0"), is_replaced, "{space}\n{out}");
    }
}

#[test]
fn other_locals_stay() {
    let first = "%20: u32 = 1 %21: ref<function, u32> = index %3, %20";
    let late = &format!("{}{USE}", COPY.replace("store %3", "store %2, %0 store %3"));
    for (table, body) in [
        // The memory may change, in this iteration or an earlier one.
        ("writable", format!("{COPY} store %2, %0 {USE}")),
        ("writable", format!("{COPY} call @idle() {USE}")),
        ("writable", late.to_owned()),
        ("writable", format!("{COPY} loop {{ {USE} }} continuing {{ %10: bool = lt %0, %0 }} break_if %10")),
        ("", format!("{COPY} barrier uav group_sync {USE}")),
        // Other threads may write.
        ("writable coherent", format!("{}{USE}", COPY.replace("ref<storage,", "ref<storage.coherent,"))),
        ("", format!("{COPY} call @idle() {USE}")),
        // The local changes, or may change.
        ("", format!("{COPY}{first} store %21, %0 {USE}")),
        ("", format!("{COPY}{COPY_AGAIN}{USE}")),
        ("", format!("{COPY} call @take(%3) {USE}")),
        // A place that is made before the copy.
        ("", format!("{first} {COPY} %22: u32 = load %21 store %2, %22 {USE}")),
        // Only an element is a copy.
        (
            "",
            format!(
                "{} {first} %22: ref<storage, u32> = index %6, %20 %23: u32 = load %22 store %21, %23 {USE}",
                &COPY[..COPY.find("%7").expect("it loads")]
            ),
        ),
        // No copy of memory.
        ("", format!("%7: [u32; 4 stride 4] = compose %0, %0, %0, %0 store %3, %7 {USE}")),
    ] {
        let out = after(table, &body);
        assert!(out.contains("= local $"), "{table} {body}\n{out}");
    }
}

/// Calls change no constant buffer. But they may change a local that they get.
#[test]
fn copies_that_callees_get_stay() {
    let copy = "%4: ref<uniform, U> = global @u
        %6: ref<uniform, [u32; 4 stride 16]> = field %4, 0
        %7: [u32; 4 stride 4] = load %6
        store %3, %7";
    let out = after("", &format!("{copy} call @take(%3) {USE}"));
    assert!(out.contains("= local $0"), "{out}");
}

/// A local that was copied may change after the copy.
#[test]
fn copies_of_locals_stay() {
    let out = after(
        "",
        &format!(
            "%4: ref<function, [u32; 4 stride 4]> = local $1
            %6: [u32; 4 stride 4] = compose %0, %0, %0, %0
            store %4, %6
            %7: [u32; 4 stride 4] = load %4
            store %3, %7
            %20: u32 = 1
            %21: ref<function, u32> = index %4, %20
            store %21, %20
            {USE}"
        ),
    );
    assert_eq!(out.matches("= local $").count(), 2, "{out}");
}

/// An element of a matrix is a row, in memory by columns too.
#[test]
fn rows_of_matrices_are_read_in_place() {
    let mut module = read(&format!(
        "struct M size 32 align 16 {{ m: matrix<f32, 2, 2, columns stride 16> @0 }}
        global @u: uniform M set 0 binding 0
        global @g: private f32x2
        {ENTRY}fn @f() -> void {{
            local $0 copy: matrix<f32, 2, 2, rows stride 8>
            %0: u32 = builtin.group_index
            %1: ref<private, f32x2> = global @g
            %2: ref<function, matrix<f32, 2, 2, rows stride 8>> = local $0
            %3: ref<uniform, M> = global @u
            %4: ref<uniform, matrix<f32, 2, 2, columns stride 16>> = field %3, 0
            %5: matrix<f32, 2, 2, rows stride 8> = load %4
            store %2, %5
            %6: ref<function, f32x2> = index %2, %0
            %7: f32x2 = load %6
            store %1, %7
        }}"
    ));
    passes::read_in_place(&mut module);
    let out = body_of_f(&module);
    assert!(!out.contains("local $"), "{out}");
    let place = "ref<uniform, matrix<f32, 2, 2, columns stride 16>> = field";
    let row = out.lines().find_map(|line| line.trim().split_once(": ref<uniform, f32x2> = index "));
    assert!(out.contains(place) && row.is_some_and(|(_, operands)| operands.ends_with("%0")), "{out}");
}

const COPY_AGAIN: &str = "%30: ref<storage, [u32; 4 stride 4]> = field %5, 1
    %31: [u32; 4 stride 4] = load %30
    store %3, %31
";
