//! Stores of 16 bits that become stores of words.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::passes;

fn packed(body: &str) -> String {
    let mut module = read(&format!(
        "global @b: buffer<u32 stride 4> writable set 0 binding 0\nglobal @g: private u32\n{ENTRY}fn @f() -> void {{
        %0: ref<storage, [u32 stride 4]> = global @b
        %1: u32 = 5
        %2: ref<storage, u32> = index %0, %1
        %3: u32 = builtin.group_index
        %4: u32 = 65535
        %5: u32 = 4294901760
        %6: u32 = and %3, %4
        %7: u32 = 16
        %8: u32 = shl %3, %7
        %9: ref<private, u32> = global @g
        {body}
        }}"
    ));
    passes::pack(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

const LOW: &str = "%10: u32 = atomic.and %2, %5 device relaxed %11: u32 = atomic.or %2, %6 device relaxed\n";
const HIGH: &str = "%12: u32 = atomic.and %2, %4 device relaxed %13: u32 = atomic.or %2, %8 device relaxed\n";

#[test]
fn both_halves_become_one_store() {
    let expected = "
        %0: ref<storage, [u32 stride 4]> = global @b
        %1: u32 = 5
        %2: ref<storage, u32> = index %0, %1
        %3: u32 = builtin.group_index
        %4: u32 = 65535
        %5: u32 = and %3, %4
        %6: u32 = 16
        %7: u32 = shl %3, %6
        %8: u32 = or %5, %7
        store %2, %8";
    assert_eq!(packed(&format!("{LOW}{HIGH}")), lines(expected));
    let stores = |text: &str| (text.matches("atomic").count(), text.matches("store %").count());
    assert_eq!(stores(&packed(&format!("{HIGH}{LOW}"))), (0, 1));
    let between = packed(&format!("{LOW} %20: u32 = add %3, %3 {HIGH} store %9, %20"));
    assert_eq!(stores(&between), (0, 2), "{between}");
    let inside = "%12: u32 = atomic.and %2, %4 device relaxed %20: u32 = shl %3, %7
        %13: u32 = atomic.or %2, %20 device relaxed";
    let inside = packed(&format!("{LOW}{inside}"));
    assert_eq!(stores(&inside), (0, 1), "{inside}");
}

#[test]
fn other_accesses_keep_the_halves() {
    let wide = LOW.replace("%6", "%3");
    let elsewhere = HIGH.replace("%2,", "%21,");
    for body in [
        format!("{LOW} store %9, %3 {HIGH}"),
        format!("{LOW} %20: u32 = load %2 {HIGH} store %9, %20"),
        format!("{LOW} barrier uav group_sync {HIGH}"),
        format!("{LOW} %20: u32 = atomic.and %2, %3 device relaxed {HIGH}"),
        format!("{LOW}{HIGH} store %9, %13"),
        format!("{LOW}{HIGH} store %9, %10"),
        format!("{wide}{HIGH}"),
        format!("{LOW} %20: u32 = 6 %21: ref<storage, u32> = index %0, %20 {elsewhere}"),
        format!("{LOW}{}", HIGH.replace("%4 device", "%7 device")),
        format!("{LOW}{}", HIGH.replace("relaxed", "acquire_release")),
        LOW.to_owned(),
    ] {
        let out = packed(&body);
        let atomics = body.matches("atomic").count();
        assert_eq!(out.matches("atomic").count(), atomics, "{out}");
    }
}

/// Returns the number of atomics that stay of two pairs in `start`, whose place is `%2`. `%6` and `%8` are the values.
fn atomics_left(ty: &str, globals: &str, start: &str, masks: [&str; 2]) -> usize {
    let mut module = read(&format!(
        "{globals}\n{ENTRY}fn @f() -> void {{
        {start}
        %3: u32 = builtin.group_index
        %9: {ty} = convert %3
        %14: {ty} = 65535
        %4: {ty} = {}
        %5: {ty} = {}
        %6: {ty} = and %9, %14
        %7: {ty} = 16
        %8: {ty} = shl %6, %7
        {}{}
        }}",
        masks[0],
        masks[1],
        LOW.replace("u32", ty),
        HIGH.replace("u32", ty)
    ));
    passes::pack(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module).matches("atomic").count()
}

/// A program may write the same atomic operations as lowering.
#[test]
fn accesses_of_other_places_stay() {
    let start = |ty: &str, size: u32| {
        let globals = format!("global @b: buffer<{ty} stride {size}> writable set 0 binding 0");
        let start = format!(
            "%0: ref<storage, [{ty} stride {size}]> = global @b %1: u32 = 5
            %2: ref<storage, {ty}> = index %0, %1"
        );
        (globals, start)
    };
    let masks = ["65535", "4294901760"];
    let (globals, place) = start("u32", 4);
    assert_eq!(atomics_left("u32", &globals, &place, masks), 0);
    // The pairs set the low 32 bits. The others keep their values.
    let (globals, place) = start("u64", 8);
    assert_eq!(atomics_left("u64", &globals, &place, ["18446744069414649855", "18446744073709486080"]), 4);
    // A texel has no stores.
    let texel = "%0: rwimage<2d, u32x1> = global @t %1: u32x2 = zero %2: ref<image, u32> = texel %0, %1";
    assert_eq!(atomics_left("u32", "global @t: rwimage<2d, u32x1> set 0 binding 0", texel, masks), 4);
}
