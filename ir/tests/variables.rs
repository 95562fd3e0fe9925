//! Source variables: their text form, their verification, and their treatment in passes.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::{lines_of, read};
use wgc_ir::passes::{self, Inline};
use wgc_ir::{Function, Module, parse, print, print_with_positions, verify};

/// `x` is set twice and read in between. `n` of the callee is passed by value, `r` by reference.
const TEXT: &str = r#"entry "f" = @f threads 1 1 1
global @out: buffer<u32 stride 4> writable set 0 binding 0
fn @f() -> void {
  local $0 x: u32 variable 0
  local $1 r: u32
  scope 0 @f "main" body 0 name 1
  variable 0 x: u32 at 0:3
  %0: ref<function, u32> = local $0
  %1: ref<function, u32> = local $1
  %2: ref<storage, [u32 stride 4]> = global @out
  %3: u32 = 7
  %4: u32 = builtin.group_index
  at 0:5
  store %0, %4
  at 0:9
  %5: u32 = load %0
  call @set(%5, %1)
  at 0:14
  store %0, %3
  at 0:20
  %6: u32 = load %1
  %7: ref<storage, u32> = index %2, %3
  store %7, %6
}
fn @set(n: u32, r: ref<function, u32> variable 1) -> void {
  local $0 n: u32 variable 0
  scope 0 @set "set" body 0 name 1
  variable 0 n: u32 at 0:4 argument 1
  variable 1 r: u32 at 0:7 argument 2
  %0: u32 = param 0
  %1: ref<function, u32> = param 1
  %2: ref<function, u32> = local $0
  store %2, %0
  at 0:2
  %3: u32 = load %2
  %4: u32 = add %3, %3
  store %1, %4
}
"#;

fn promoted(mut module: Module) -> Module {
    for function in module.functions.values_mut() {
        passes::promote(function).expect("nothing to refuse");
    }
    assert_eq!(verify(&module), Ok(()));
    module
}

#[test]
fn variables_print_and_parse_on_request() {
    let module = read(TEXT);
    let text = print_with_positions(&module);
    assert_eq!(parse(&text), Ok(module.clone()));
    assert!(text.contains("  variable 1 r: u32 at 0:7 argument 2\n"), "{text}");
    assert!(text.contains("fn @set(n: u32, r: ref<function, u32> variable 1)"), "{text}");
    let without = print(&module);
    assert!(!without.contains("variable"), "{without}");
    // After `promote`, statements describe them too.
    let module = promoted(module);
    assert_eq!(parse(&print_with_positions(&module)), Ok(module.clone()));
    assert!(!print(&module).contains("holds"));
}

#[test]
fn debug_variables_must_exist_and_match_their_value_type() {
    let wrong = |from: &str, to: &str, message: &str| {
        let text = TEXT.replacen(from, to, 1);
        assert_ne!(text, TEXT);
        let errors = verify(&parse(&text).expect("it parses")).expect_err(message);
        assert!(errors[0].to_string().contains(message), "{}", errors[0]);
    };
    wrong("local $0 x: u32 variable 0", "local $0 x: u32 variable 3", "there is no variable 3");
    wrong("variable 0 x: u32 at 0:3", "variable 0 x: f32 at 0:3", "variable x of type f32 is held by u32");
    wrong("variable 0 x: u32 at 0:3", "variable 0 x: u32 at 2:3", "variable x is declared in no scope");
    wrong("  at 0:20\n", "  holds 4 %3\n", "there is no variable 4");
    wrong("  at 0:20\n", "  holds 4 nothing\n", "there is no variable 4");
    wrong("  at 0:20\n", "  holds 0 %2\n", "variable x of type u32 is held by");
}

/// `holds` accepts a place of the variable's type. A variable that is a place itself needs a value of that type.
#[test]
fn variables_may_be_in_memory() {
    let text = TEXT.replacen("  at 0:20\n", "  holds 0 %1\n  at 0:20\n", 1);
    let module = read(&text);
    assert_eq!(parse(&print_with_positions(&module)), Ok(module));
    let text = text.replacen("variable 0 x: u32 at 0:3", "variable 0 x: ref<function, u32> at 0:3", 1);
    let text = text.replacen("local $0 x: u32 variable 0", "local $0 x: u32", 1);
    read(&text);
    let errors =
        verify(&parse(&text.replacen("holds 0 %1", "holds 0 %4", 1)).expect("it parses")).expect_err("a value");
    assert!(errors[0].to_string().contains("is held by u32"), "{}", errors[0]);
}

/// A promoted store leaves a marker with the variable's value. A store that stays in memory needs none.
#[test]
fn promoted_variables_have_value_markers() {
    let module = promoted(read(TEXT));
    let lines = lines_of(&module, "f");
    let index = |what: &str| lines.iter().position(|l| l == what).unwrap_or_else(|| panic!("{what}: {lines:#?}"));
    assert_eq!(lines[index("holds 0 %4") - 1], "at 0:5");
    assert_eq!(lines[index("holds 0 %3") - 1], "at 0:14");
    assert!(index("holds 0 %4") < index("call @set(%4, %1)"));
    // The temporary passed by reference holds the callee's variable, not one of the caller.
    assert_eq!(lines.iter().filter(|l| l.starts_with("holds")).count(), 2, "{lines:#?}");
    assert!(lines_of(&module, "set").contains(&"holds 0 %0".to_owned()));
}

#[test]
fn inlining_keeps_debug_variables() {
    let mut module = read(TEXT);
    passes::inline(&mut module, Inline::All).expect("it inlines");
    assert_eq!(verify(&module), Ok(()));
    let lines = lines_of(&module, "f");
    for line in [
        "variable 1 n: u32 at 1:4 argument 1",
        "variable 2 r: u32 at 1:7 argument 2",
        // The temporary for `r`, and the callee's copy of `n`.
        "local $1 r: u32 variable 2",
        "local $2 n: u32 variable 1",
    ] {
        assert!(lines.iter().any(|l| l == line), "{line}: {lines:#?}");
    }
    // All of it is promoted: `r` then holds the sum.
    let lines = lines_of(&promoted(module), "f");
    let sum = lines.iter().find(|l| l.contains("= add")).and_then(|l| l.split(':').next()).expect("a sum");
    assert!(lines.contains(&format!("holds 2 {sum}")), "{lines:#?}");
}

/// Unused values are not kept for debuggers: the variable loses its value instead.
#[test]
fn removing_dead_values_clears_debug_variables() {
    let text = "entry \"f\" = @f threads 1 1 1
        global @out: buffer<u32 stride 4> writable set 0 binding 0
        fn @f() -> void {
            scope 0 @f \"main\" body 0 name 1
            variable 0 x: u32 at 0:3
            %0: u32 = builtin.group_index
            %1: u32 = add %0, %0
            %2: ref<storage, [u32 stride 4]> = global @out
            holds 0 %0
            holds 0 %1
            %3: ref<storage, u32> = index %2, %0
            store %3, %0
            holds 0 %0
        }";
    let mut module = read(text);
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    assert_eq!(verify(&module), Ok(()));
    let lines = lines_of(&module, "f");
    let markers: Vec<&String> = lines.iter().filter(|l| l.starts_with("holds")).collect();
    // Nothing follows the last one.
    assert_eq!(markers, ["holds 0 %0", "holds 0 nothing"], "{lines:#?}");
    assert!(!lines.iter().any(|l| l.contains("add")), "{lines:#?}");
}

/// Debug information changes no code: a branch with only variable markers counts as empty.
#[test]
fn debug_variables_do_not_affect_passes() {
    let text = "entry \"f\" = @f threads 1 1 1
        fn @f() -> void {
            local $0 x: u32 variable 0
            scope 0 @f \"main\" body 0 name 1
            variable 0 x: u32 at 0:3
            %0: u32 = 7
            %1: u32 = builtin.group_index
            %2: bool = eq %1, %0
            %3: ref<function, u32> = local $0
            if %2 { at 0:4 store %3, %0 at 0:6 } else { at 0:8 store %3, %1 }
            at 0:9
            switch %1 { case 1 { at 0:11 store %3, %1 at 0:13 break } default { } }
        }";
    let run = |text: &str| {
        let mut module = promoted(read(text));
        passes::dead(&mut module, &[], passes::Accesses::MayGo);
        assert_eq!(verify(&module), Ok(()));
        print(&module)
    };
    let bare = print(&read(text));
    assert!(!bare.contains("variable"));
    assert_eq!(run(text), run(&bare));
    // A branch that only yields stays empty.
    let text = text.replace("%3: ref", "%4: ref<private, u32> = global @out %3: ref");
    let text = text.replace("at 0:9", "%5: u32 = load %3 store %4, %5");
    let mut module = read(&format!("global @out: private u32\n{text}"));
    module.functions.values_mut().for_each(|function| passes::ssa(function, passes::Unset::Zero));
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    assert_eq!(verify(&module), Ok(()));
    let lines = lines_of(&module, "f");
    let ends = |pair: &[String]| pair[0].starts_with("holds") && pair[1].starts_with("yield");
    assert!(lines.iter().any(|line| line.starts_with("yield")) && !lines.windows(2).any(ends), "{lines:#?}");
}

/// Returns the markers and the blocks of `@f` after a pass and the removal of dead code. The body has the local `x` in
/// `%3` and the condition `%2`.
fn markers(body: &str, pass: fn(&mut Function)) -> Vec<String> {
    let text = format!(
        "entry \"f\" = @f threads 1 1 1
        global @out: private u32
        fn @f() -> void {{
            local $0 x: u32 variable 0
            scope 0 @f \"main\" body 0 name 1
            variable 0 x: u32 at 0:3
            %0: u32 = builtin.group_index
            %1: u32 = 1
            %2: bool = eq %0, %1
            %3: ref<function, u32> = local $0
            %4: ref<private, u32> = global @out
            store %3, %0
            store %4, %0
            {body}
            store %4, %1
        }}"
    );
    let mut module = read(&text);
    pass(&mut module.functions["f"]);
    passes::dead(&mut module, &[], passes::Accesses::Stay);
    assert_eq!(verify(&module), Ok(()));
    let wanted = |line: &String| line.starts_with("holds") || line.contains('{') || line.starts_with('}');
    lines_of(&module, "f").into_iter().skip_while(|line| !line.starts_with("holds")).filter(wanted).collect()
}

const PASSES: [fn(&mut Function); 2] =
    [|f| passes::promote(f).expect("it holds numbers"), |f| passes::ssa(f, passes::Unset::Zero)];

/// Nothing reads `x` afterwards, so there is no merged value. The one before would be wrong.
#[test]
fn variables_set_in_an_arm_lose_their_value() {
    for pass in PASSES {
        let found = markers("if %2 { store %3, %1 store %4, %1 } else { }", pass);
        assert_eq!(found, ["holds 0 %0", "if %2 {", "holds 0 %1", "}", "holds 0 nothing"]);
        // The value at the end of an arm serves nobody.
        let found = markers("if %2 { store %4, %1 store %3, %1 } else { }", pass);
        assert_eq!(found, ["holds 0 %0", "if %2 {", "}", "holds 0 nothing"]);
        let found = markers("switch %0 { case 1 { store %3, %1 store %4, %1 break } default { } }", pass);
        assert_eq!(found.last().map(String::as_str), Some("holds 0 nothing"), "{found:#?}");
    }
}

/// Neither the value before the loop nor one of the iteration before is known.
#[test]
fn variables_set_in_a_loop_lose_their_value() {
    for pass in PASSES {
        let body = "store %4, %0 store %3, %1 store %4, %1";
        let found = markers(&format!("loop {{ {body} }} continuing {{ store %4, %0 }} break_if %2"), pass);
        let body = ["loop {", "holds 0 nothing", "holds 0 %1", "} continuing {", "holds 0 nothing", "} break_if %2"];
        let expected: Vec<&str> = ["holds 0 %0"].into_iter().chain(body).chain(["holds 0 nothing"]).collect();
        assert_eq!(found, expected);
    }
}

/// Without variables the code is the same, and positions stay.
#[test]
fn stripping_removes_variables_and_their_markers() {
    let stripped = |mut module: Module| {
        passes::strip(&mut module);
        assert_eq!(verify(&module), Ok(()));
        module
    };
    let module = promoted(read(TEXT));
    let text = print_with_positions(&stripped(module.clone()));
    assert!(!text.contains("variable") && !text.contains("holds"), "{text}");
    assert!(text.contains("at 0:14") && text.contains("scope 0 @f"), "{text}");
    assert_eq!(print(&stripped(module.clone())), print(&module));
    assert_eq!(print(&promoted(stripped(read(TEXT)))), print(&stripped(module)));
    // Nested blocks too.
    let nested = "fn @f() -> void {
        scope 0 @f \"main\" body 0 name 1
        variable 0 x: u32 at 0:3
        %0: u32 = builtin.group_index
        %1: bool = eq %0, %0
        if %1 { holds 0 %0 return } else { loop { holds 0 %0 if %1 { break } } }
    }";
    assert!(!print_with_positions(&stripped(read(nested))).contains("holds"));
}
