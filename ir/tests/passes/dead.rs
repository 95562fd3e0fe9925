//! Unreachable functions and globals. `fold.rs` has the unused code inside functions.

use crate::{ENTRY, read};

use wgc_ir::{Module, passes, print};

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
    passes::dead(&mut module, &roots, passes::Accesses::MayGo);
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

fn cleaned(text: &str) -> String {
    let mut module = read(text);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    crate::check(&module);
    print(&module)
}

/// `@pure` changes only its own locals and calls a function like it; `@loops` may never end; `@writes` stores through
/// its parameter.
#[test]
fn unused_calls_without_effects_are_removed() {
    let left = cleaned(
        "entry \"main\" = @main threads 1 1 1
        global @kept: private u32
        fn @main() -> void {
          local $0 x: u32
          %0: u32 = 1
          %1: u32 = call @pure(%0)
          call @idle(%0)
          %2: u32 = call @loops(%0)
          %3: ref<function, u32> = local $0
          call @writes(%3)
          %4: u32 = load %3
          %5: ref<private, u32> = global @kept
          store %5, %4
        }
        fn @idle(a: u32) -> void {
          %0: u32 = param 0
          %1: u32 = call @pure(%0)
        }
        fn @pure(a: u32) -> u32 {
          local $0 x: u32
          %0: u32 = param 0
          %1: ref<function, u32> = local $0
          store %1, %0
          %2: u32 = load %1
          return %2
        }
        fn @loops(a: u32) -> u32 {
          %0: u32 = param 0
          loop {
            %1: bool = eq %0, %0
            if %1 {
              break
            }
          } continuing {
          }
          return %0
        }
        fn @writes(a: ref<function, u32>) -> void {
          %0: ref<function, u32> = param 0
          %1: u32 = 5
          store %0, %1
        }",
    );
    assert!(!left.contains("@pure") && !left.contains("@idle"), "{left}");
    assert!(left.contains("call @loops(") && left.contains("call @writes("), "{left}");
}

/// The arguments of a removed parameter become unused too, up to the entry.
#[test]
fn unused_parameters_are_removed_through_callers() {
    let left = cleaned(
        "global @unread: buffer<u32 stride 4> set 0 binding 0
        global @out: private u32
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {
          %0: ref<storage, [u32 stride 4]> = global @unread
          %1: u32 = 0
          %2: ref<storage, u32> = index %0, %1
          %3: u32 = load %2
          call @outer(%3, %1)
        }
        fn @outer(a: u32, b: u32) -> void {
          %0: u32 = param 0
          %1: u32 = param 1
          call @inner(%1, %0)
        }
        fn @inner(a: u32, b: u32) -> void {
          %0: u32 = param 0
          %1: ref<private, u32> = global @out
          store %1, %0
        }",
    );
    assert!(!left.contains("@unread"), "{left}");
    assert!(left.contains("fn @outer(b: u32)") && left.contains("fn @inner(a: u32)"), "{left}");
    assert!(left.contains("call @inner(%0)"), "{left}");
}

#[test]
fn unused_accesses_stay_if_the_device_checks_them() {
    let text = format!(
        "global @b: buffer<u32 stride 4> set 0 binding 0\n{ENTRY}
        fn @g() -> u32 {{
        %0: ref<storage, [u32 stride 4]> = global @b
        %1: u32 = 3
        %2: ref<storage, u32> = index %0, %1
        %3: u32 = load %2
        return %1
        }}
        fn @f() -> void {{
        local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: u32 = load %0
        %2: u32 = call @g()
        }}"
    );
    let left = |accesses| {
        let mut module = read(&text);
        passes::dead(&mut module, &[], accesses);
        let text = wgc_ir::print(&module);
        ["call @g", "load %2", "local $0"].map(|part| text.contains(part))
    };
    assert_eq!(left(passes::Accesses::Stay), [true, true, false]);
    assert_eq!(left(passes::Accesses::MayGo), [false, false, false]);
}

#[test]
fn endless_loops_stay() {
    let left = cleaned("entry \"main\" = @main threads 1 1 1 fn @main() -> void { loop { } }");
    assert!(left.contains("loop {"), "{left}");
}

/// Cleans a body that may use the loaded value `%3`, the conditions `%4` and `%5` of it, and the place `%7`.
fn cleaned_body(body: &str) -> String {
    cleaned(&format!(
        "global @n: buffer<u32 stride 4> set 0 binding 0
        global @out: buffer<u32 stride 4> writable set 0 binding 1
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {{
            %0: u32 = builtin.group_index
            %1: ref<storage, [u32 stride 4]> = global @n
            %2: ref<storage, u32> = index %1, %0
            %3: u32 = load %2
            %4: bool = lt %0, %3
            %5: bool = lt %3, %0
            %6: ref<storage, [u32 stride 4]> = global @out
            %7: ref<storage, u32> = index %6, %0
            {body}
        }}"
    ))
}

/// The edges of a branch lose the values of the unused result only.
#[test]
fn one_of_two_results_goes() {
    let left = cleaned_body("%8: u32, %9: u32 = if %4 { yield %3, %0 } else { yield %0, %3 } store %7, %9");
    let branch = left[left.find("= if").expect("it is used")..].split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(branch.starts_with("= if %4 { yield %0 } else { yield %3 } store %6, %7"), "{left}");
}

#[test]
fn conditions_of_last_returns_are_unused() {
    let returns = "if %4 { if %4 { return } else { return } } else { return }";
    let gone = cleaned_body(&format!("{returns} %8: u32 = add %0, %3"));
    assert!(!gone.contains("load") && !gone.contains("if") && !gone.contains("@n"), "{gone}");
    // Here the return keeps threads from the store.
    let kept = cleaned_body("if %4 { if %4 { return } else { } } else { } store %7, %0");
    assert!(kept.contains("load") && kept.contains("return"), "{kept}");
}

#[test]
fn stores_to_groupshared_variables_that_nothing_reads_are_unused() {
    let text = |more: &str| {
        format!(
            "global @n: buffer<u32 stride 4> set 0 binding 0
            global @list: workgroup [u32; 4 stride 4]
            global @o: buffer<u32 stride 4> writable set 0 binding 1
            entry \"main\" = @main threads 1 1 1
            fn @main() -> void {{
                %0: u32 = builtin.group_index
                %1: ref<storage, [u32 stride 4]> = global @n
                %2: ref<storage, u32> = index %1, %0
                %3: u32 = load %2
                %4: ref<workgroup, [u32; 4 stride 4]> = global @list
                %5: ref<workgroup, u32> = index %4, %3
                store %5, %0
                call @note(%3)
                barrier group_shared group_sync workgroup
                {more}
            }}
            fn @note(n: u32) -> void {{
                %0: u32 = param 0
                %1: ref<workgroup, [u32; 4 stride 4]> = global @list
                %2: ref<workgroup, u32> = index %1, %0
                store %2, %0
            }}"
        )
    };
    let gone = cleaned(&text(""));
    assert!(!gone.contains("store") && !gone.contains("global @") && gone.contains("barrier"), "{gone}");
    // A load and an atomic operation read the variable.
    let out = "%90: ref<storage, [u32 stride 4]> = global @o %91: ref<storage, u32> = index %90, %0";
    for read in ["%10: u32 = load %5 store %91, %10", "%10: u32 = atomic.add %5, %0 workgroup relaxed"] {
        let kept = cleaned(&text(&format!("{out} {read}")));
        let stores = kept.lines().filter(|line| line.trim().starts_with("store")).count();
        assert_eq!(stores, 2 + usize::from(read.contains("store")), "{kept}");
    }
    // Accesses that the CPU device checks stay.
    let mut module = read(&text(""));
    passes::dead(&mut module, &[], passes::Accesses::Stay);
    assert_eq!(print(&module).matches("store").count(), 2);
}

#[test]
fn conditions_of_last_breaks_and_continues_are_unused() {
    // Both branches leave the switch, as its end does.
    let gone = cleaned_body("switch %0 { default { if %4 { if %5 { break } else { } } else { break } } }");
    assert!(!gone.contains("switch") && !gone.contains("@n"), "{gone}");
    let gone = cleaned_body("if %5 { switch %0 { default { if %4 { break } else { } break } } } else { }");
    assert!(!gone.contains("switch") && !gone.contains("@n"), "{gone}");
    // The loop may not end, but its condition is another one.
    let gone = cleaned_body("loop { if %4 { continue } else { } } continuing { %8: bool = eq %0, %0 } break_if %8");
    assert!(gone.contains("loop") && !gone.contains("continue }") && !gone.contains("@n"), "{gone}");
    for body in [
        // The store depends on the break.
        "switch %0 { default { if %4 { break } else { } store %7, %0 } }",
        // The result does.
        "%8: u32 = switch %0 { default { if %4 { break %0 } else { } break %3 } } store %7, %8",
        // This break leaves the loop.
        "loop { if %4 { break } else { } }",
    ] {
        assert!(cleaned_body(body).contains("break"), "{body}");
    }
}
