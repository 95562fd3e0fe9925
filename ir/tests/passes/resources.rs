//! Resources as values: which one is meant, and where its counter lies.

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
    passes::dead(&mut module, &[]);
    body_of_f(&module)
}

#[test]
fn resources_in_a_structure_become_the_resources() {
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

#[test]
fn an_array_of_resources_in_a_local_has_constant_indexes() {
    let text = format!(
        "{RESOURCES}{ENTRY}fn @f() -> void {{
            local $0 list: [sampler; 2 stride 0]
            %0: u32 = builtin.group_index
            %1: ref<function, [sampler; 2 stride 0]> = local $0
            %2: ref<function, sampler> = index %1, %0
        }}"
    );
    let error = passes::split(&mut read(&text).functions["f"]).unwrap_err();
    assert_eq!((error.function.as_str(), error.local.as_str()), ("f", "list[0]"));
}

#[test]
fn what_a_variable_holds_may_be_coherent() {
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
fn counters_are_the_words_that_go_with_the_buffer() {
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
    passes::dead(&mut module, &[]);
    verify(&module).unwrap();
    // The image is the global's, and the number that nobody set is zero.
    let text = print(&module);
    assert!(text.contains("global @t") && !text.contains("local"), "{text}");
    assert!(text.contains("%0: u32 = 0\n") && text.contains("image_size %1") && text.contains("add %3, %0"), "{text}");
}
