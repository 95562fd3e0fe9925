//! Constants as arguments.

use crate::{check, read};
use wgc_ir::{passes, print};

/// Returns the module after the pass, and then after dead code is removed.
fn after(text: &str) -> (String, String) {
    let mut module = read(text);
    passes::call_constants(&mut module, &[]);
    check(&module);
    let set = print(&module);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    check(&module);
    (set, print(&module))
}

/// `@inner` gets 3 through `@outer`, whose first parameter is 3 at both calls. Its second one differs.
#[test]
fn equal_constants_reach_functions_below() {
    let (_, left) = after(
        "global @out: private u32
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {
          %0: u32 = 3
          %1: u32 = 4
          call @outer(%0, %0)
          call @outer(%0, %1)
        }
        fn @outer(a: u32, b: u32) -> void {
          %0: u32 = param 0
          %1: u32 = param 1
          call @inner(%0, %1)
        }
        fn @inner(a: u32, b: u32) -> void {
          %0: ref<private, u32> = global @out
          %1: u32 = param 0
          %2: u32 = param 1
          %3: u32 = mul %1, %1
          %4: u32 = add %3, %2
          store %0, %4
        }",
    );
    let left = left.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(left.contains("call @outer(%0)") && left.contains("call @outer(%1)"), "{left}");
    assert!(left.contains("fn @inner(b: u32) -> void { %0: ref<private, u32> = global @out"), "{left}");
    assert!(left.contains("%1: u32 = param 0 %2: u32 = 9 %3: u32 = add %2, %1 store %0, %3"), "{left}");
}

/// A branch on a parameter that is false at every call is not taken, and the buffer it reads is unused.
#[test]
fn branches_on_constant_arguments_are_decided() {
    let (_, left) = after(
        "global @read: buffer<u32 stride 4> set 0 binding 0
        global @out: buffer<u32 stride 4> writable set 0 binding 1
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {
          %0: bool = false
          %1: f32x2 = zero
          call @write(%0, %1)
        }
        fn @write(also: bool, unused: f32x2) -> void {
          %0: bool = param 0
          %9: f32x2 = param 1
          %1: u32 = 0
          %2: ref<storage, [u32 stride 4]> = global @out
          %3: ref<storage, u32> = index %2, %1
          if %0 {
            %4: ref<storage, [u32 stride 4]> = global @read
            %5: ref<storage, u32> = index %4, %1
            %6: u32 = load %5
            store %3, %6
          } else {
            %7: u32 = 7
            store %3, %7
          }
        }",
    );
    assert!(!left.contains("@read") && !left.contains("if ") && left.contains("fn @write() -> void"), "{left}");
    assert!(left.contains("call @write()"), "{left}");
}

/// Others may call the functions of entries and additional roots with other arguments.
#[test]
fn roots_keep_their_parameters() {
    let text = "entry \"main\" = @main threads 1 1 1
        fn @main() -> void {
          %0: u32 = 3
          %1: u32 = call @library(%0)
        }
        fn @library(a: u32) -> u32 {
          %0: u32 = param 0
          return %0
        }";
    let mut module = read(text);
    passes::call_constants(&mut module, &["library".into()]);
    passes::dead(&mut module, &["library".into()], passes::Accesses::MayGo);
    check(&module);
    assert!(print(&module).contains("fn @library(a: u32) -> u32 {\n  %0: u32 = param 0"), "{}", print(&module));
    let mut module = read(text);
    passes::call_constants(&mut module, &[]);
    assert!(print(&module).contains("fn @library(a: u32) -> u32 {\n  %0: u32 = 3"), "{}", print(&module));
}

/// Vectors of constants are constants too; a vector with a part that varies is none.
#[test]
fn vectors_of_constants_are_set() {
    let (set, _) = after(
        "global @out: private f32x2
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {
          %0: f32 = 1.5
          %1: f32 = 2.5
          %2: f32x2 = compose %0, %1
          %3: u32 = builtin.group_index
          %4: f32 = convert %3
          %5: f32x2 = compose %0, %4
          call @write(%2, %5)
        }
        fn @write(constant: f32x2, varies: f32x2) -> void {
          %0: f32x2 = param 0
          %1: f32x2 = param 1
          %2: f32x2 = add %0, %1
          %3: ref<private, f32x2> = global @out
          store %3, %2
        }",
    );
    let write = set.split("fn @write").nth(1).expect("it is there");
    assert!(write.contains("= 1.5") && write.contains("= 2.5") && write.contains("= param 1"), "{write}");
    assert!(!write.contains("= param 0"), "{write}");
    // The parts keep their order.
    let id = |constant: &str| {
        let line = write.lines().find(|line| line.ends_with(constant)).expect("it is there");
        line.trim().split(':').next().expect("an id").to_owned()
    };
    let parts = format!("= compose {}, {}", id("= 1.5"), id("= 2.5"));
    assert!(write.contains(&parts), "{parts}: {write}");
}
