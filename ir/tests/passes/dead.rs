//! Unreachable functions and globals. `fold.rs` has the unused code inside functions.

use crate::read;
use wgc_ir::{Module, passes};

/// The entry reaches `@called`, `@given` and `@deep`; nothing reaches `@other` and the globals that it names.
const TEXT: &str = "global @direct: private u32
    global @indirect: private u32
    global @counted: buffer<u32 stride 4> writable counter @counts set 0 binding 0
    global @counts: buffer<u32 stride 4> writable set 0 binding 1
    global @width: spec 3 = u32 4
    global @its: private u32
    global @unused: private u32
    entry \"f\" = @f threads 4 1 1 specialised threads 0 @width
    fn @f() -> void {
      %0: ref<private, u32> = global @direct
      %1: u32 = call @given()
      store %0, %1
      call @called()
    }
    fn @given() -> u32 {
      %0: u32 = 1
      return %0
    }
    fn @called() -> void {
      %0: bool = true
      if %0 {
        call @deep()
      }
    }
    fn @deep() -> void {
      %0: ref<private, u32> = global @indirect
      %1: u32 = 1
      store %0, %1
      %2: ref<storage, [u32 stride 4]> = global @counted
      %3: ref<storage, u32> = index %2, %1
      store %3, %1
      %4: ref<private, u32> = global @unused
    }
    fn @other() -> void {
      %0: ref<private, u32> = global @its
      %1: u32 = 1
      store %0, %1
    }";

fn left(more_roots: &[&str]) -> (Vec<String>, Vec<String>) {
    let mut module: Module = read(TEXT);
    let roots: Vec<_> = more_roots.iter().map(|name| (*name).into()).collect();
    passes::dead(&mut module, &roots);
    crate::check(&module);
    let functions = module.functions.keys().map(ToString::to_string).collect();
    (functions, module.globals.keys().map(ToString::to_string).collect())
}

#[test]
fn functions_and_globals_stay_if_an_entry_reaches_them() {
    let (functions, globals) = left(&[]);
    assert_eq!(functions, ["f", "given", "called", "deep"]);
    // A buffer keeps its counter, an entry the constant of its size. The last use of `@unused` was dead code.
    assert_eq!(globals, ["direct", "indirect", "counted", "counts", "width"]);
}

#[test]
fn additional_roots_keep_their_reachable_items() {
    let (functions, globals) = left(&["other"]);
    assert_eq!(functions, ["f", "given", "called", "deep", "other"]);
    assert_eq!(globals, ["direct", "indirect", "counted", "counts", "width", "its"]);
}
