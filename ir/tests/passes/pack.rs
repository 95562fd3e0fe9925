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
