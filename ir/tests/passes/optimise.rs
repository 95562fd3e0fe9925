//! The levels of the optimiser.

use crate::{check, lines, read};
use wgc_ir::passes::{self, OptLevel};
use wgc_ir::print;

/// A branch that a table decides, a constant argument, an unused load, and a local that becomes a value.
const TEXT: &str = "global @table: constant [u32; 2 stride 4] = { u32 0, u32 1 }
    global @unread: buffer<u32 stride 4> set 0 binding 0
    global @out: buffer<u32 stride 4> writable set 0 binding 1
    entry \"main\" = @main threads 1 1 1
    fn @main() -> void {
      local $0 x: u32
      %0: u32 = 1
      %1: ref<private, [u32; 2 stride 4]> = global @table
      %2: ref<private, u32> = index %1, %0
      %3: u32 = load %2
      %4: bool = eq %3, %0
      %5: ref<function, u32> = local $0
      if %4 {
        store %5, %3
      } else {
        %6: u32 = call @twice(%3)
        store %5, %6
      }
      %7: u32 = load %5
      %8: u32 = call @twice(%7)
      %13: ref<storage, [u32 stride 4]> = global @out
      %9: ref<storage, u32> = index %13, %0
      store %9, %8
      %10: ref<storage, [u32 stride 4]> = global @unread
      %11: ref<storage, u32> = index %10, %0
      %12: u32 = load %11
    }
    fn @twice(a: u32) -> u32 {
      %0: u32 = param 0
      %1: u32 = add %0, %0
      return %1
    }";

fn at(level: OptLevel) -> String {
    let mut module = read(TEXT);
    passes::optimise(&mut module, passes::Plan::new(level));
    check(&module);
    print(&module)
}

#[test]
fn the_lowest_level_keeps_the_code() {
    assert_eq!(at(OptLevel::O0), print(&read(TEXT)));
}

#[test]
fn the_next_level_keeps_calls_and_accesses() {
    let text = at(OptLevel::O1);
    assert!(!text.contains("local $"), "{text}");
    assert_eq!(text.matches("call @twice").count(), 2, "{text}");
    assert_eq!(text.matches("= load").count(), 2, "{text}");
    let unset = "fn @main() -> void { local $0 x: u32 %0: ref<function, u32> = local $0 %1: u32 = load %0
        %2: ref<storage, [u32 stride 4]> = global @out %3: ref<storage, u32> = index %2, %1 store %3, %1 }";
    let start = TEXT.find("fn @main").expect("it is there");
    let mut module = read(&format!("{}{unset}", &TEXT[..start]));
    passes::optimise(&mut module, passes::Plan::new(OptLevel::O1));
    assert!(print(&module).contains("= undef"), "{}", print(&module));
}

#[test]
fn high_levels_fold_and_remove_code() {
    for level in [OptLevel::O2, OptLevel::O3] {
        let text = at(level);
        let (start, body) = text.split_once("void {\n").expect("it has a function");
        assert_eq!(start.matches("global @").count(), 1, "{text}");
        let wanted = "%0: u32 = 1
            %1: u32 = 2
            %2: ref<storage, [u32 stride 4]> = global @out
            %3: ref<storage, u32> = index %2, %0
            store %3, %1
            }";
        assert_eq!(lines(body), lines(wanted), "{text}");
    }
}

/// A function of 900 additions of constants and a parameter has one addition after the first round.
#[test]
fn the_highest_level_inlines_again() {
    let mut callee = String::from("fn @sum(a: u32) -> u32 { %0: u32 = param 0 %1: u32 = 1\n");
    for n in 1..900 {
        callee += &format!("%{}: u32 = add %1, %{n}\n", n + 1);
    }
    callee += "%901: u32 = add %0, %900 return %901 }";
    let text = format!(
        "global @out: buffer<u32 stride 4> writable set 0 binding 1
        entry \"main\" = @main threads 1 1 1
        fn @main() -> void {{
          %0: u32 = builtin.group_index
          %1: u32 = call @sum(%0)
          %2: u32 = call @sum(%1)
          %3: ref<storage, [u32 stride 4]> = global @out
          %4: ref<storage, u32> = index %3, %0
          store %4, %2
        }}
        {callee}"
    );
    let calls = |level| {
        let mut module = read(&text);
        passes::optimise(&mut module, passes::Plan::new(level));
        check(&module);
        print(&module).matches("call @sum").count()
    };
    assert_eq!([OptLevel::O2, OptLevel::O3].map(calls), [2, 0]);
}
