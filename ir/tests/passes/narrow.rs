//! Loads of structures and arrays of which parts are used.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

const STRUCTS: &str = "struct P size 8 align 4 { x: f32 @0, y: f32 @4 }
struct S size 32 align 4 { a: u32 @0, p: P @4, list: [u32; 4 stride 4] @12, z: u32 @28 }
";

/// Narrows the loads of a body in which `%0` is the place of an `S` in a buffer, or in another `global`.
fn narrowed_in(global: &str, place: &str, body: &str) -> String {
    let (space, _) = place.split_once(',').expect("a space and a type");
    let mut module = read(&format!(
        "{STRUCTS}global @s: {global}
        global @u: private u32
        global @f: private f32
        {ENTRY}fn @f() -> void {{
            %90: ref<private, u32> = global @u
            %91: ref<private, f32> = global @f
            %92: u32 = builtin.group_index
            %93: ref<{place}> = global @s
            %0: ref<{space}, S> = index %93, %92
            {body}
        }}"
    ));
    passes::narrow(&mut module.functions["f"]);
    body_of_f(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let all = body_of_f(&module);
    let start = all.find("= index").expect("the place is used");
    all[start..].lines().skip(1).map(|line| format!("{line}\n")).collect::<String>().trim_end().to_owned()
}

fn narrowed(body: &str) -> String {
    narrowed_in("buffer<S stride 32> set 0 binding 0", "storage, [S stride 32]", body)
}

/// All parts are used, but the array is only copied, and `read_in_place` may remove the copy.
#[test]
fn copied_arrays_are_loaded_alone() {
    let out = narrowed(
        "%1: S = load %0 %2: u32 = extract %1, 0 store %90, %2 %3: P = extract %1, 1 %4: f32 = extract %3, 0
        store %91, %4 %5: f32 = extract %3, 1 store %91, %5 %6: [u32; 4 stride 4] = extract %1, 2
        %7: u32 = extract_dynamic %6, %92 store %90, %7 %8: u32 = extract %1, 3 store %90, %8",
    );
    assert!(out.contains(": [u32; 4 stride 4] = load"), "{out}");
    assert!(!out.contains(": S = load"), "{out}");
}

#[test]
fn a_used_field_is_loaded_alone() {
    assert_eq!(
        narrowed("%1: S = load %0 %2: u32 = extract %1, 3 store %90, %2"),
        lines(
            "%4: ref<storage, u32> = field %3, 3
            %5: u32 = load %4
            store %0, %5"
        )
    );
}

#[test]
fn parts_of_parts_are_loaded_once_each_where_the_whole_was() {
    let out = narrowed(
        "%1: S = load %0
        store %90, %92
        %2: P = extract %1, 1
        %3: f32 = extract %2, 1
        %4: [u32; 4 stride 4] = extract %1, 2
        %5: u32 = extract %4, 3
        %6: P = extract %1, 1
        %7: f32 = extract %6, 1
        store %91, %3
        store %90, %5
        store %91, %7",
    );
    let expected = "%5: ref<storage, P> = field %4, 1
        %6: ref<storage, f32> = field %5, 1
        %7: f32 = load %6
        %8: ref<storage, [u32; 4 stride 4]> = field %4, 2
        %9: u32 = 3
        %10: ref<storage, u32> = index %8, %9
        %11: u32 = load %10
        store %0, %2
        store %1, %7
        store %0, %11
        store %1, %7";
    assert_eq!(out, lines(expected));
}

#[test]
fn a_part_with_other_uses_is_loaded_whole() {
    let out = narrowed(
        "%1: S = load %0
        %2: [u32; 4 stride 4] = extract %1, 2
        %3: u32 = extract_dynamic %2, %92
        store %90, %3",
    );
    assert!(out.contains("load %4") && out.contains("[u32; 4 stride 4] = load"), "{out}");
    assert!(!out.contains("S = load"), "{out}");
}

#[test]
fn uses_in_nested_blocks_and_merges_count() {
    let out = narrowed(
        "%1: S = load %0
        %2: u32 = 3
        %3: bool = lt %92, %2
        %4: u32 = if %3 { %5: u32 = extract %1, 0 yield %5 } else { yield %2 }
        store %90, %4",
    );
    assert!(out.contains("field %3, 0") && !out.contains("S = load"), "{out}");
    // The whole is a result of the branch.
    let out = narrowed(
        "%1: S = load %0
        %2: u32 = 3
        %3: bool = lt %92, %2
        %4: S = zero
        %6: S = if %3 { yield %1 } else { yield %4 }
        %7: u32 = extract %6, 0
        store %90, %7",
    );
    assert!(out.contains("S = load") && !out.contains("field"), "{out}");
}

#[test]
fn other_loads_stay() {
    let one = "%1: S = load %0 %2: u32 = extract %1, 3 store %90, %2";
    // Other threads may see each access.
    for (global, place) in [
        ("buffer<S stride 32> writable coherent set 0 binding 0", "storage.coherent, [S stride 32]"),
        ("workgroup [S; 4 stride 32]", "workgroup, [S; 4 stride 32]"),
        ("private [S; 4 stride 32]", "private, [S; 4 stride 32]"),
    ] {
        let out = narrowed_in(global, place, one);
        assert!(out.contains("S = load"), "{place}\n{out}");
    }
    // Every scalar is used, which one load and extractions do in fewer operations.
    let all = "%1: S = load %0
        %2: u32 = extract %1, 0
        %3: P = extract %1, 1
        %4: f32 = extract %3, 0
        %5: f32 = extract %3, 1
        %6: [u32; 4 stride 4] = extract %1, 2
        %7: u32 = extract %6, 0 %9: u32 = extract %6, 1 %10: u32 = extract %6, 2 %11: u32 = extract %6, 3
        %8: u32 = extract %1, 3
        store %90, %9 store %90, %10 store %90, %11
        store %90, %2 store %91, %4 store %91, %5 store %90, %7 store %90, %8";
    assert!(narrowed(all).contains("S = load"));
    // An extraction that nothing uses is none, also if another unused one uses it.
    for unused in ["store %91, %5", "store %91, %4 store %91, %5", "store %90, %7"] {
        assert!(!narrowed(&all.replace(unused, "")).contains("S = load"), "{unused}");
    }
}
