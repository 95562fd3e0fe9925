//! The results of inlining: returns become jumps, and only the required calls are inlined.

use crate::{ENTRY, body_of_f, check, lines, read};
use wgc_ir::passes::{self, Inline};

fn inlined(text: &str) -> String {
    let mut module = read(text);
    passes::inline(&mut module, Inline::All).unwrap();
    body_of_f(&module)
}

#[test]
fn inlining_a_callee_with_a_tail_return_adds_no_control_flow() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            %1: u32 = call @twice(%0)
            %2: u32 = add %1, %0
        }}
        fn @twice(x: u32) -> u32 {{
            local $0 t: u32
            %0: u32 = param 0
            %1: u32 = add %0, %0
            %2: ref<function, u32> = local $0
            store %2, %1
            return %1
        }}"
    ));
    assert_eq!(
        out,
        lines(
            "local $0 t: u32
            unused %1: u32 = call @twice(%0)
            %0: u32 = 7
            %3: u32 = add %0, %0
            %4: ref<function, u32> = local $0
            store %4, %3
            %2: u32 = add %3, %0"
        )
    );
}

#[test]
fn an_early_return_leaves_a_switch() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            %1: u32 = call @low(%0)
        }}
        fn @low(x: u32) -> u32 {{
            %0: u32 = param 0
            %1: u32 = 4
            %2: bool = lt %0, %1
            if %2 {{ return %0 }}
            return %1
        }}"
    ));
    assert_eq!(
        out,
        lines(
            "local $0 low.result: u32
            unused %1: u32 = call @low(%0)
            %0: u32 = 7
            %2: ref<function, u32> = local $0
            switch %5 {
            default {
            %3: u32 = 4
            %4: bool = lt %0, %3
            if %4 {
            store %2, %0
            break
            }
            store %2, %3
            break
            }
            }
            %6: u32 = load %2"
        )
        .replace("switch %5 {", "%5: u32 = 0\nswitch %5 {")
    );
}

#[test]
fn inlined_returns_leave_all_loops_and_switches() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            call @search(%0)
        }}
        fn @search(x: u32) -> void {{
            %0: u32 = param 0
            loop {{
                switch %0 {{
                    case 1 {{ return }}
                    case 2 {{ continue }}
                }}
                loop {{ break }}
            }}
        }}"
    ));
    let expected = "
        local $0 search.returned: bool
        %0: u32 = 7
        %1: ref<function, bool> = local $0
        %2: bool = false
        %3: bool = true
        store %1, %2
        %6: u32 = 0
        switch %6 {
        default {
        loop {
        switch %0 {
        case 1 {
        store %1, %3
        break
        }
        case 2 {
        continue
        }
        default {
        }
        }
        %4: bool = load %1
        if %4 {
        break
        }
        loop {
        break
        }
        }
        %5: bool = load %1
        if %5 {
        break
        }
        }
        }";
    assert_eq!(out, lines(expected));
}

/// A break leaves the loop only. The flag leaves the rest of the callee.
#[test]
fn returns_in_loop_branches_leave_the_callee() {
    let out = inlined(&format!(
        "global @g: private u32
        {ENTRY}fn @f() -> void {{
            %0: u32 = 7
            call @search(%0)
        }}
        fn @search(x: u32) -> void {{
            %0: u32 = param 0
            %1: ref<private, u32> = global @g
            %2: u32 = load %1
            %3: bool = eq %2, %0
            loop {{
                if %3 {{ return }}
                break
            }}
            store %1, %0
        }}"
    ));
    let expected = "
        local $0 search.returned: bool
        %0: u32 = 7
        %1: ref<function, bool> = local $0
        %2: bool = false
        %3: bool = true
        store %1, %2
        %8: u32 = 0
        switch %8 {
        default {
        %4: ref<private, u32> = global @g
        %5: u32 = load %4
        %6: bool = eq %5, %0
        loop {
        if %6 {
        store %1, %3
        break
        }
        break
        }
        %7: bool = load %1
        if %7 {
        break
        }
        store %4, %0
        }
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn only_calls_that_require_inlining_are_inlined() {
    let text = format!(
        "global @data: buffer<u32 stride 4> writable set 0 binding 0
        {ENTRY}fn @f() -> void {{
            local $0 pair: [u32; 2 stride 4]
            %0: u32 = 1
            %1: ref<storage, [u32 stride 4]> = global @data
            call @write(%1, %0)
            %2: u32 = call @twice(%0)
            %3: ref<function, [u32; 2 stride 4]> = local $0
            %4: ref<function, u32> = index %3, %0
            call @out(%4)
            local_end()
        }}
        fn @write(to: ref<storage, [u32 stride 4]>, v: u32) -> void {{
            %0: ref<storage, [u32 stride 4]> = param 0
            %1: u32 = param 1
            %2: ref<storage, u32> = index %0, %1
            store %2, %1
        }}
        fn @twice(x: u32) -> u32 {{ %0: u32 = param 0 %1: u32 = add %0, %0 return %1 }}
        fn @out(x: ref<function, u32>) -> void {{ %0: ref<function, u32> = param 0 %1: u32 = 5 store %0, %1 }}"
    )
    .replace("local_end()\n", "\n");
    let mut module = read(&text);
    passes::inline(&mut module, Inline::Required).unwrap();
    check(&module);
    let names: Vec<&str> = module.functions.keys().map(|n| n.as_str()).collect();
    // @write takes a buffer and is removed. @out stays, but the call with a part of an array is inlined.
    assert_eq!(names, ["f", "twice", "out"]);
    let text = body_of_f(&module);
    assert!(text.contains("call @twice") && !text.contains("\ncall"), "{text}");
}

/// SPIR-V has no arguments that are a part of a variable. One such argument is enough.
#[test]
fn calls_with_parts_as_arguments_are_inlined() {
    let mut module = read(&format!(
        "{ENTRY}fn @f() -> void {{
            local $0 pair: [u32; 2 stride 4]
            %0: u32 = 1
            %1: ref<function, [u32; 2 stride 4]> = local $0
            %2: ref<function, u32> = index %1, %0
            call @set(%0, %2)
        }}
        fn @set(n: u32, to: ref<function, u32>) -> void {{
            %0: u32 = param 0
            %1: ref<function, u32> = param 1
            store %1, %0
        }}"
    ));
    passes::inline(&mut module, Inline::Required).unwrap();
    let expected = "local $0 pair: [u32; 2 stride 4]
        %0: u32 = 1
        %1: ref<function, [u32; 2 stride 4]> = local $0
        %2: ref<function, u32> = index %1, %0
        store %2, %0";
    assert_eq!(body_of_f(&module), lines(expected));
}

/// Only a node has outputs.
#[test]
fn functions_that_count_records_are_inlined() {
    let mut module = read(
        "node \"N\"[0] = @f {
            launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
            output done: empty -> \"D\"[0] max 2
        }
        fn @f() -> void { %0: u32 = 0 call @count(%0) }
        fn @count(n: u32) -> void { %0: u32 = param 0 increment_count group 0[%0], %0 }",
    );
    passes::inline(&mut module, Inline::Required).unwrap();
    assert_eq!(body_of_f(&module), "%0: u32 = 0\nincrement_count group 0[%0], %0");
}

/// The mark of a call is that of the result.
#[test]
fn results_of_precise_calls_are_precise() {
    let mut module = read(&format!(
        "global @g: private f32
        {ENTRY}fn @f() -> void {{
            %0: ref<private, f32> = global @g
            %1: f32 = load %0
            %2: f32 = precise call @square(%1)
            store %0, %2
        }}
        fn @square(x: f32) -> f32 {{ %0: f32 = param 0 %1: f32 = mul %0, %0 return %1 }}"
    ));
    passes::inline(&mut module, Inline::All).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "%0: ref<private, f32> = global @g
        %1: f32 = load %0
        %2: f32 = precise mul %1, %1
        store %0, %2";
    assert_eq!(body_of_f(&module), lines(expected));
}

pub const RECORDS: &str = "struct R { x: u32 }
    node \"N\"[0] = @f {
      launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
      output out: R -> \"M\"[0] max 2
    }
    ";

#[test]
fn handles_pass_through_helpers_and_locals() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            %0: u32 = 0
            %1: u32 = 2
            %2: records<group, R> = call @get(%1)
            %3: ref<function, records<group, R>> = local $0
            store %3, %2
            %4: records<group, R> = load %3
            call @fill(%4, %0)
            %5: records<group, R> = load %3
            complete %5
        }}
        fn @get(n: u32) -> records<group, R> {{
            %0: u32 = param 0
            %1: u32 = 0
            %2: records<group, R> = allocate group 0[%1], %0
            return %2
        }}
        fn @fill(r: records<group, R>, x: u32) -> void {{
            %0: records<group, R> = param 0
            %1: u32 = param 1
            %2: ref<node_output, R> = output_record %0, %1
            %3: ref<node_output, u32> = field %2, 0
            store %3, %1
        }}"
    ));
    passes::inline(&mut module, Inline::Required).unwrap();
    for function in module.functions.values_mut() {
        passes::promote(function).unwrap();
    }
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    let expected = "
        %0: u32 = 0
        %1: u32 = 2
        %2: u32 = 0
        %3: records<group, R> = allocate group 0[%2], %1
        %4: ref<node_output, R> = output_record %3, %0
        %5: ref<node_output, u32> = field %4, 0
        store %5, %0
        complete %3";
    assert_eq!(body_of_f(&module), lines(expected));
    assert_eq!(module.functions.len(), 1);
}

#[test]
fn a_handle_that_depends_on_control_flow_is_an_error() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            %0: u32 = 0
            %1: u32 = builtin.group_index
            %2: bool = eq %1, %0
            %3: ref<function, records<group, R>> = local $0
            if %2 {{
                %4: records<group, R> = allocate group 0[%0], %1
                store %3, %4
            }}
            %5: records<group, R> = load %3
            complete %5
        }}"
    ));
    let before = module.clone();
    let error = passes::promote(&mut module.functions["f"]).unwrap_err();
    assert_eq!((error.function.as_str(), error.local.as_str()), ("f", "mine"));
    assert_eq!(before.functions.len(), module.functions.len());
}

/// Functions that call each other in their innermost blocks. The text itself nests at most 256 levels.
fn nested(levels: [usize; 5]) -> Result<(), passes::InlineError> {
    let mut text = ENTRY.to_owned();
    for (n, levels) in levels.into_iter().enumerate() {
        let innermost = match n {
            4 => "%1: u32 = 1 %2: ref<function, u32> = local $0 store %2, %1".to_owned(),
            _ => format!("call @f{}()", n + 1),
        };
        let name = if n == 0 { "f".to_owned() } else { format!("f{n}") };
        let (open, close) = ("if %0 {".repeat(levels), "}".repeat(levels));
        let local = if n == 4 { "local $0 t: u32" } else { "" };
        text += &format!("fn @{name}() -> void {{ {local} %0: bool = true {open} {innermost} {close} }}\n");
    }
    passes::inline(&mut read(&text), Inline::All)
}

#[test]
fn inlined_block_nesting_is_limited() {
    assert!(nested([250, 250, 250, 250, 23]).is_ok());
    let error = nested([250, 250, 250, 250, 24]).unwrap_err().to_string();
    assert_eq!(error, "blocks of function f nest more than 1023 levels deep after inlining its calls");
}

/// Small functions, and large ones with one call, are copied. A return in a loop becomes a break of a switch, which
/// would separate lanes that work together.
#[test]
fn small_and_single_calls_are_inlined() {
    let adds = |n: usize| (1..=n).map(|i| format!("%{i}: u32 = add %{}, %0\n", i - 1)).collect::<String>();
    let text = format!(
        "global @out: private u32
        entry \"main\" = @main threads 1 1 1
        fn @small(a: u32) -> u32 {{
          %0: u32 = param 0
          {}
          return %3
        }}
        fn @large(a: u32) -> u32 {{
          %0: u32 = param 0
          {}
          return %110
        }}
        fn @once(a: u32) -> u32 {{
          %0: u32 = param 0
          {}
          return %110
        }}
        fn @kept(a: u32) -> u32 noinline {{
          %0: u32 = param 0
          return %0
        }}
        fn @early(a: u32) -> u32 {{
          %0: u32 = param 0
          %1: bool = lt %0, %0
          if %1 {{
            return %0
          }}
          %2: u32 = 5
          return %2
        }}
        fn @lanes(a: u32) -> u32 {{
          %0: u32 = param 0
          %1: bool = lt %0, %0
          if %1 {{
            return %0
          }}
          %2: u32 = subgroup.add %0
          return %2
        }}
        fn @turns(a: u32) -> u32 {{
          %0: u32 = param 0
          %1: bool = lt %0, %0
          loop {{
            if %1 {{
              return %0
            }}
            break
          }}
          %2: u32 = subgroup.add %0
          return %2
        }}
        fn @main() -> void {{
          %0: ref<private, u32> = global @out
          %1: u32 = load %0
          %2: u32 = call @small(%1)
          %3: u32 = call @small(%2)
          %4: u32 = call @large(%3)
          %5: u32 = call @large(%4)
          %6: u32 = call @once(%5)
          %7: u32 = call @early(%6)
          %8: u32 = call @lanes(%7)
          %9: u32 = call @turns(%8)
          %10: u32 = call @kept(%9)
          store %0, %10
        }}",
        adds(3),
        adds(110),
        adds(110)
    );
    let mut module = read(&text);
    passes::inline(&mut module, Inline::Small).unwrap();
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    check(&module);
    let left = wgc_ir::print(&module);
    let main = left.split("fn @main").nth(1).expect("it is there");
    let calls = |name: &str| main.matches(&format!("call @{name}(")).count();
    let names = ["small", "large", "once", "early", "lanes", "turns", "kept"];
    assert_eq!(names.map(calls), [0, 2, 0, 0, 0, 1, 1], "{main}");
    assert_eq!(main.matches("= add ").count(), 3 + 3 + 110, "{main}");
}

/// A local that a call takes stays in memory, so these calls are worth more.
#[test]
fn larger_functions_are_inlined_if_they_take_a_local() {
    let calls = |which: Inline, values: usize| {
        let adds: String = (2..values).map(|i| format!("%{i}: u32 = add %{}, %1\n", i - 1)).collect();
        let text = format!(
            "{ENTRY}fn @f() -> void {{
                local $0 a: u32
                %0: ref<function, u32> = local $0
                call @moves(%0)
                call @moves(%0)
            }}
            fn @moves(p: ref<function, u32>) -> void {{
                %0: ref<function, u32> = param 0
                %1: u32 = load %0
                {adds}
                store %0, %{}
            }}",
            values - 1
        );
        let mut module = read(&text);
        passes::inline(&mut module, which).unwrap();
        check(&module);
        body_of_f(&module).matches("call @moves(").count()
    };
    assert_eq!([3, 10_000, 10_001].map(|values| calls(Inline::Small, values)), [0, 0, 2]);
    assert_eq!([10_001, 32_768, 32_769].map(|values| calls(Inline::Larger, values)), [0, 0, 2]);
}

#[test]
fn recursion_is_an_error() {
    let text = format!("{ENTRY}fn @f() -> void {{ call @g() }} fn @g() -> void {{ call @f() }}");
    let mut module = wgc_ir::parse(&text).expect(&text);
    let error = passes::inline(&mut module, Inline::All).unwrap_err();
    assert!(matches!(error, passes::InlineError::Recursion { .. }), "{error}");
}

#[test]
fn locals_of_the_callee_are_new() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            local $0 mine: u32
            %0: u32 = 7
            %1: ref<function, u32> = local $0
            store %1, %0
            call @g()
        }}
        fn @g() -> void {{
            local $0 its: u32
            %0: ref<function, u32> = local $0
            %1: u32 = 1
            store %0, %1
        }}"
    ));
    assert!(out.contains("local $1 its: u32") && out.contains("= local $1\n"), "{out}");
}

/// A chain of functions below `f`: each goes when its only call is inlined, so the module does not grow with the square
/// of the chain.
#[test]
fn inlining_into_one_function_drops_the_others() {
    let chain: String = (1..50)
        .map(|n| format!("fn @c{n}(x: u32) -> u32 {{ %0: u32 = param 0 %1: u32 = call @c{}(%0) %2: u32 = add %1, %0 return %2 }}\n", n - 1))
        .collect();
    let text = format!(
        "{ENTRY}fn @f() -> void {{ %0: u32 = 7 %1: u32 = call @c49(%0) %2: u32 = call @twice(%1) %3: u32 = call @twice(%2) }}
        fn @c0(x: u32) -> u32 {{ %0: u32 = param 0 return %0 }}
        fn @twice(x: u32) -> u32 {{ %0: u32 = param 0 %1: u32 = add %0, %0 return %1 }}
        {chain}"
    );
    let [mut whole, mut into] = [read(&text), read(&text)];
    passes::inline(&mut whole, Inline::All).unwrap();
    passes::inline_into(&mut into, &"f".into()).unwrap();
    assert_eq!(body_of_f(&into), body_of_f(&whole), "the root is the same");
    let sizes =
        |module: &wgc_ir::Module| module.functions.values().map(|function| function.values.len()).sum::<usize>();
    assert!(sizes(&into) < 100 && sizes(&whole) > 1000, "{} and {}", sizes(&into), sizes(&whole));
}
