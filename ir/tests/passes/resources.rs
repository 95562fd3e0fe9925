//! Resources as values: their resolution, and the locations of their counters.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{parse, passes, print, verify};

const RESOURCES: &str =
    "struct S size 0 align 1 { image: rwimage<2d, u32x1> @0, data: ref<storage, [u32 stride 4]> @0, n: u32 @0 }
    global @images: rwimage<2d, u32x1> set 0 binding 0 count 2
    global @a: buffer<u32 stride 4> writable counter @count_a set 0 binding 1
    global @count_a: buffer<u32 stride 4> writable set 0 binding 2
    global @b: buffer<u32 stride 4> writable counter @count_b set 0 binding 3 count 2
    global @count_b: buffer<u32 stride 4> writable set 0 binding 4 count 2
    global @shared: buffer<u32 stride 4> writable coherent set 0 binding 5
";

fn resolved(body: &str) -> String {
    let mut module = read(&format!("{RESOURCES}{ENTRY}fn @f() -> void {{ {body} }}"));
    passes::split(&mut module.functions["f"]).unwrap();
    passes::promote(&mut module.functions["f"]).unwrap();
    passes::counters(&mut module).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

#[test]
fn struct_resource_members_resolve_to_globals() {
    let out = resolved(
        "local $0 s: S
        local $1 t: S
        %0: descriptors<rwimage<2d, u32x1>, 2> = global @images
        %1: u32 = 1
        %2: rwimage<2d, u32x1> = descriptor %0, %1
        %3: ref<storage, [u32 stride 4]> = global @a
        %4: u32 = 7
        %5: S = compose %2, %3, %4
        %6: ref<function, S> = local $0
        store %6, %5
        %7: S = load %6
        %8: ref<function, S> = local $1
        store %8, %7
        %9: ref<function, ref<storage, [u32 stride 4]>> = field %8, 1
        %10: ref<storage, [u32 stride 4]> = load %9
        %11: ref<function, u32> = field %8, 2
        %12: u32 = load %11
        %13: ref<storage, u32> = index %10, %12
        store %13, %1",
    );
    let expected = "%0: u32 = 1
        %1: ref<storage, [u32 stride 4]> = global @a
        %2: u32 = 7
        %3: ref<storage, u32> = index %1, %2
        store %3, %0";
    assert_eq!(out, lines(expected));
}

/// Returns the function after all passes that resolve resources.
fn chosen(body: &str) -> String {
    let mut module = read(&format!("{RESOURCES}{ENTRY}fn @f() -> void {{ {body} }}"));
    let f = &mut module.functions["f"];
    passes::split(f).unwrap();
    let _ = passes::promote(f);
    passes::resource_selection(f).unwrap_or_else(|e| panic!("{e}"));
    passes::promote(f).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

/// A choice between `@a` and the coherent `@shared` by the thread's index.
const BRANCH: &str = "local $0 x: ref<storage, [u32 stride 4]>
    %0: u32 = 0
    %1: ref<storage, [u32 stride 4]> = global @a
    %2: ref<storage.coherent, [u32 stride 4]> = global @shared
    %3: u32 = builtin.group_index
    %4: bool = eq %3, %0
    %5: ref<function, ref<storage, [u32 stride 4]>> = local $0
    if %4 { store %5, %1 } else { store %5, %2 }
    %6: ref<storage, [u32 stride 4]> = load %5
    %7: ref<storage, u32> = index %6, %3";

#[test]
fn branch_selected_resources_are_used_once_per_choice() {
    let out = chosen(&format!("{BRANCH} %8: u32 = load %7 store %7, %8"));
    // One word selects the buffer. The place is recreated at its use, in the space of each buffer. A local carries the
    // loaded value out.
    let expected = "local $0 x.which: u32
        local $1 : u32
        %0: u32 = 0
        %1: u32 = builtin.group_index
        %2: bool = eq %1, %0
        if %2 {
        %3: u32 = 0
        %4: ref<function, u32> = local $0
        store %4, %3
        } else {
        %5: u32 = 1
        %6: ref<function, u32> = local $0
        store %6, %5
        }
        %7: ref<function, u32> = local $0
        %8: u32 = load %7
        %9: ref<function, u32> = local $1
        switch %8 {
        case 0 {
        %10: ref<storage, [u32 stride 4]> = global @a
        %11: ref<storage, u32> = index %10, %1
        %12: u32 = load %11
        store %9, %12
        }
        default {
        %13: ref<storage.coherent, [u32 stride 4]> = global @shared
        %14: ref<storage.coherent, u32> = index %13, %1
        %15: u32 = load %14
        store %9, %15
        }
        }
        %16: u32 = load %9
        switch %8 {
        case 0 {
        %17: ref<storage, [u32 stride 4]> = global @a
        %18: ref<storage, u32> = index %17, %1
        store %18, %16
        }
        default {
        %19: ref<storage.coherent, [u32 stride 4]> = global @shared
        %20: ref<storage.coherent, u32> = index %19, %1
        store %20, %16
        }
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn selecting_a_descriptor_at_run_time_becomes_an_index() {
    let out = chosen(
        "local $0 x: ref<storage, [u32 stride 4]>
        %0: u32 = 0
        %1: descriptors<ref<storage, [u32 stride 4]>, 2> = global @b
        %2: u32 = builtin.group_index
        %3: ref<storage, [u32 stride 4]> = descriptor %1, %0
        %4: ref<storage, [u32 stride 4]> = descriptor %1, %2
        %5: ref<function, ref<storage, [u32 stride 4]>> = local $0
        %6: bool = eq %2, %0
        if %6 { store %5, %3 } else { store %5, %4 }
        %7: ref<storage, [u32 stride 4]> = load %5
        %8: ref<storage, u32> = index %7, %0
        store %8, %2",
    );
    // The array is the only candidate, so there is no `switch`. Threads differ in the index.
    assert!(!out.contains("switch") && out.contains("local $0 x.at: u32"), "{out}");
    assert_eq!(out.matches("= non_uniform").count(), 1, "{out}");
    assert_eq!(out.matches("= descriptor").count(), 1, "{out}");
}

#[test]
fn two_resource_choices_in_one_operation_nest_switches() {
    let swap =
        BRANCH.replace("if %4 { store %5, %1 } else { store %5, %2 }", "if %4 { store %5, %2 } else { store %5, %1 }");
    let second = swap.lines().skip(6).collect::<Vec<_>>().join("\n");
    let second = second.replace("%5", "%15").replace("%6", "%16").replace("%7", "%17").replace("local $0", "local $1");
    let locals = "local $0 x: ref<storage, [u32 stride 4]>";
    let both = BRANCH.replace(locals, &format!("{locals} local $1 y: ref<storage, [u32 stride 4]>"));
    let out = chosen(&format!("{both} {second} %8: u32 = load %7 store %17, %8"));
    // The load uses one, the store the other. A copy has both words.
    assert_eq!((out.matches("switch").count(), out.matches("case 0").count()), (2, 2), "{out}");
    let copied = format!(
        "{both} {second} if %4 {{ store %5, %16 }} %18: ref<storage, [u32 stride 4]> = load %5
        %19: ref<storage, u32> = index %18, %0 store %19, %3"
    );
    let out = chosen(&copied);
    assert!(out.contains("y.which") && out.contains("x.which"), "{out}");
}

#[test]
fn constants_may_be_pushed_or_bound() {
    // The two layouts differ, and each is read from its own memory. Push constants may be a part of a block.
    let text = "struct P size 8 align 4 { a: u32 @0, b: u32 @4 }
        struct D size 20 align 4 { a: u32 @0, b: u32 @16 }
        struct M size 16 align 4 { n: u32x2 @0, own: P @8 }
        global @pushed: push_constant M
        global @bound: uniform D set 0 binding 0
        global @out: buffer<u32 stride 4> writable set 0 binding 1
        entry \"f\" = @f threads 1 1 1
        fn @f() -> void {
          local $0 x: ref<uniform, D>
          %0: u32 = builtin.group_index
          %1: bool = eq %0, %0
          %2: ref<push_constant, M> = global @pushed
          %3: ref<push_constant, P> = field %2, 1
          %4: ref<uniform, D> = global @bound
          %5: ref<function, ref<uniform, D>> = local $0
          if %1 { store %5, %3 } else { store %5, %4 }
          %6: ref<uniform, D> = load %5
          %7: ref<uniform, u32> = field %6, 1
          %8: u32 = load %7
          %9: ref<storage, [u32 stride 4]> = global @out
          %10: ref<storage, u32> = index %9, %0
          store %10, %8
        }";
    let mut module = read(text);
    let f = &mut module.functions["f"];
    passes::resource_selection(f).unwrap_or_else(|e| panic!("{e}"));
    passes::promote(f).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let out = body_of_f(&module);
    for part in ["ref<push_constant, P> = field", "ref<push_constant, u32> = field", "ref<uniform, u32> = field"] {
        assert_eq!(out.matches(part).count(), 1, "{part}: {out}");
    }
}

#[test]
fn unset_or_foreign_resources_are_reported() {
    let error = |body: &str| {
        let mut module = read(&format!("{RESOURCES}{ENTRY}fn @f() -> void {{ {body} }}"));
        let error = passes::resource_selection(&mut module.functions["f"]).unwrap_err();
        (error.local.to_string(), error.why)
    };
    let unset = BRANCH.replace("if %4 { store %5, %1 } else { store %5, %2 }", "");
    assert_eq!(error(&format!("{unset} store %7, %0")), ("x".into(), passes::UntraceableReason::Unset));
    // An unused variable may hold any value.
    let mut unused = read(&format!("{RESOURCES}{ENTRY}fn @f() -> void {{ {unset} }}"));
    passes::resource_selection(&mut unused.functions["f"]).unwrap();
    let foreign = "local $0 list: descriptors<ref<storage, [u32 stride 4]>, 2>
        local $1 x: ref<storage, [u32 stride 4]>
        %0: u32 = 0
        %1: ref<function, descriptors<ref<storage, [u32 stride 4]>, 2>> = local $0
        %2: descriptors<ref<storage, [u32 stride 4]>, 2> = load %1
        %3: ref<storage, [u32 stride 4]> = descriptor %2, %0
        %4: ref<function, ref<storage, [u32 stride 4]>> = local $1
        store %4, %3
        %5: ref<storage, [u32 stride 4]> = load %4
        %6: ref<storage, u32> = index %5, %0
        store %6, %0";
    assert_eq!(error(foreign), ("x".into(), passes::UntraceableReason::Foreign));
}

#[test]
fn an_element_of_an_array_in_a_local_is_chosen_by_a_switch() {
    let body = "local $0 list: [S; 2 stride 0]
        %0: u32 = 0
        %1: u32 = 1
        %2: u32 = builtin.group_index
        %3: ref<function, [S; 2 stride 0]> = local $0
        %4: ref<function, S> = index %3, %0
        %5: ref<function, ref<storage, [u32 stride 4]>> = field %4, 1
        %6: ref<storage, [u32 stride 4]> = global @a
        store %5, %6
        %7: ref<function, S> = index %3, %1
        %8: ref<function, ref<storage, [u32 stride 4]>> = field %7, 1
        %9: ref<storage.coherent, [u32 stride 4]> = global @shared
        store %8, %9
        %10: ref<function, S> = index %3, %2
        %11: ref<function, u32> = field %10, 2
        store %11, %1
        %12: ref<function, ref<storage, [u32 stride 4]>> = field %10, 1
        %13: ref<storage, [u32 stride 4]> = load %12
        %14: ref<storage, u32> = index %13, %0
        %15: u32 = load %11
        store %14, %15";
    let out = chosen(body);
    // A store to one of two, a read from one of two, and one of two buffers. Each is a switch on the index or the word.
    assert_eq!(out.matches("switch %").count(), 4, "{out}");
    for part in ["\"list[0].n\": u32", "\"list[1].n\": u32", "global @a", "global @shared"] {
        assert!(out.contains(part), "{part}: {out}");
    }
}

#[test]
fn variables_may_hold_coherent_resources() {
    let out = resolved(
        "local $0 x: ref<storage, [u32 stride 4]>
        %0: ref<storage.coherent, [u32 stride 4]> = global @shared
        %1: ref<function, ref<storage, [u32 stride 4]>> = local $0
        store %1, %0
        %2: ref<storage, [u32 stride 4]> = load %1
        %3: u32 = 5
        %4: ref<storage, u32> = index %2, %3
        store %4, %3",
    );
    let expected = "%0: ref<storage.coherent, [u32 stride 4]> = global @shared
        %1: u32 = 5
        %2: ref<storage.coherent, u32> = index %0, %1
        store %2, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn counters_resolve_to_their_counter_globals() {
    let out = resolved(
        "%0: u32 = 1
        %1: ref<storage, [u32 stride 4]> = global @a
        %2: ref<storage, u32> = counter %1
        %3: u32 = atomic.add %2, %0 device relaxed
        %4: descriptors<ref<storage, [u32 stride 4]>, 2> = global @b
        %5: ref<storage, [u32 stride 4]> = descriptor %4, %3
        %6: ref<storage, u32> = counter %5
        %7: u32 = atomic.add %6, %0 device relaxed",
    );
    assert!(out.contains("global @count_a") && out.contains("global @count_b"), "{out}");
    assert!(!out.contains("global @a") && !out.contains("global @b"), "{out}");
    assert_eq!(out.lines().filter(|l| l.contains("= descriptor")).count(), 1, "{out}");
}

#[test]
fn private_globals_with_resources_become_locals_of_each_entry() {
    let text = "struct P size 0 align 1 { t: image<2d, f32x4> @0, k: u32 @0 }
        global @t: image<2d, f32x4> set 0 binding 0
        global @out: buffer<u32 stride 4> writable set 0 binding 1
        global @p: private P = zero
        global @q: private sampler = zero
        global @kept: private u32 = zero
        entry \"main\" = @main threads 1 1 1
        fn @start() -> void {
          %0: ref<private, P> = global @p
          %1: ref<private, image<2d, f32x4>> = field %0, 0
          %2: image<2d, f32x4> = global @t
          store %1, %2
        }
        fn @main() -> void {
          call @start()
          %0: ref<private, P> = global @p
          %1: ref<private, image<2d, f32x4>> = field %0, 0
          %2: image<2d, f32x4> = load %1
          %3: u32x2 = image_size %2
          %4: u32 = extract %3, 1
          %5: ref<private, u32> = field %0, 1
          %6: u32 = load %5
          %7: u32 = add %4, %6
          %8: ref<storage, [u32 stride 4]> = global @out
          %9: ref<storage, u32> = index %8, %6
          store %9, %7
        }";
    let mut module = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&module).unwrap();
    passes::inline(&mut module, passes::Inline::Required).unwrap();
    assert!(!module.functions.contains_key("start"), "who names such a global is inlined");
    passes::localise(&mut module);
    assert_eq!(module.globals.keys().map(|k| k.as_str()).collect::<Vec<_>>(), ["t", "out", "kept"]);
    verify(&module).unwrap();
    let main = &mut module.functions["main"];
    passes::split(main).unwrap();
    passes::promote(main).unwrap();
    passes::fold(main);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    verify(&module).unwrap();
    // The image is the global's, and the number that was never set is zero.
    let text = print(&module);
    assert!(text.contains("global @t") && !text.contains("local"), "{text}");
    assert!(
        text.contains("%0: u32 = 0\n") && text.contains("image_size %1") && text.contains("store %5, %3"),
        "{text}"
    );
}
