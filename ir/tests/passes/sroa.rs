//! Locals that fall apart into their parts.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

const TYPES: &str = "struct S size 24 align 4 { a: u32 @0, v: f32x2 @4, t: [u32; 3 stride 4] @12 }
global @s: private S
global @g: private u32
fn @set(out: ref<function, u32>) -> void { %0: ref<function, u32> = param 0 }
";

const START: &str = "
    local $0 s: S
    %0: ref<function, S> = local $0
    %1: ref<private, u32> = global @g
    %2: ref<private, S> = global @s
    %3: u32 = load %1
    %4: ref<function, u32> = field %0, 0
    %5: ref<function, [u32; 3 stride 4]> = field %0, 2
";

fn split(body: &str) -> String {
    let mut module = read(&format!("{TYPES}{ENTRY}fn @f() -> void {{ {START} {body} }}"));
    passes::sroa(&mut module.functions["f"]);
    body_of_f(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

/// Returns the declared locals.
fn locals(body: &str) -> String {
    let out = split(body);
    let names = out.lines().filter_map(|line| line.strip_prefix("local $")?.split_once(' '));
    names.map(|(_, rest)| rest.split(':').next().unwrap_or(rest)).collect::<Vec<_>>().join(" ")
}

#[test]
fn fields_become_locals() {
    let out = split("store %4, %3 %6: u32 = load %4 store %1, %6");
    let expected = "
        local $0 s.a: u32
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: ref<function, u32> = local $0
        store %2, %1
        %3: u32 = load %2
        store %0, %3";
    assert_eq!(out, lines(expected));
}

#[test]
fn whole_values_are_composed_and_taken_apart() {
    let out = split("%6: S = load %2 store %0, %6 store %4, %3 %7: S = load %0 store %2, %7");
    assert!(out.contains("%10: u32 = extract %9, 0\nstore %0, %10"), "{out}");
    assert!(out.contains("compose"), "{out}");
    assert_eq!(out.lines().filter(|line| line.starts_with("local $")).count(), 5, "{out}");
}

#[test]
fn parts_with_other_uses_stay_together() {
    let at_run_time = "%6: ref<function, u32> = index %5, %3 store %6, %3 store %4, %3 %7: u32 = load %6
        store %1, %7 %8: u32 = load %4 store %1, %8";
    assert_eq!(locals(at_run_time), "s.a s.t");
    let called = "call @set(%4) %6: u32 = load %4 store %1, %6";
    assert_eq!(locals(called), "s.a");
    let known = "%6: u32 = 1 %7: ref<function, u32> = index %5, %6 store %7, %3 %8: u32 = load %7 store %1, %8";
    assert_eq!(locals(known), "\"s.t[1]\"");
}

#[test]
fn wholes_with_other_uses_stay() {
    let text = format!(
        "{TYPES}fn @take(s: ref<function, S>) -> void {{ %0: ref<function, S> = param 0 }}
        {ENTRY}fn @f() -> void {{ {START} store %4, %3 call @take(%0) }}"
    );
    let mut module = read(&text);
    passes::sroa(&mut module.functions["f"]);
    assert_eq!(module, read(&text));
}

#[test]
fn past_the_end_nothing_falls_apart() {
    let out = "%6: u32 = 3 %7: ref<function, u32> = index %5, %6 store %7, %3 %8: u32 = load %7 store %1, %8";
    assert_eq!(locals(out), "s.t");
}

#[test]
fn large_arrays_stay() {
    let split = |len: usize| {
        let mut module = read(&format!(
            "{ENTRY}fn @f() -> void {{
            local $0 a: [u32; {len} stride 4]
            %0: ref<function, [u32; {len} stride 4]> = local $0
            %1: u32 = 1
            %2: ref<function, u32> = index %0, %1
            store %2, %1 }}"
        ));
        passes::sroa(&mut module.functions["f"]);
        body_of_f(&module).contains("a[1]")
    };
    assert_eq!((split(64), split(65)), (true, false));
}

/// A load before may have made the places of the parts.
#[test]
fn parts_of_precise_places_are_precise() {
    let text = |before: &str| {
        let mut module = read(&format!(
            "{TYPES}{ENTRY}fn @f() -> void {{
            local $0 s: S
            %0: ref<function, S> = local $0
            %1: ref<function, S> = precise local $0
            %2: ref<private, S> = global @s
            {before}
            %4: S = load %2
            store %1, %4 }}"
        ));
        passes::sroa(&mut module.functions["f"]);
        body_of_f(&module)
    };
    for before in ["", "%3: S = load %0 store %2, %3"] {
        let out = text(before);
        assert_eq!(out.matches("precise local $").count(), 5, "{out}");
    }
}
