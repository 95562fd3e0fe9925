//! Positions: their text form, their verification, and their treatment in passes.

#[allow(dead_code, reason = "each test file uses a part")]
mod common;

use common::{lines_of, read};
use wgc_ir::passes::{self, Inline};
use wgc_ir::{Location, SourceFile, SourceMap, SourceText, parse, print, print_with_positions, verify};

const CALLER: &str = r#"entry "f" = @f threads 1 1 1
global @out: buffer<u32 stride 4> writable set 0 binding 0
fn @f() -> void {
  scope 0 @f "main" body 0 name 1
  %0: u32 = 7
  %1: ref<storage, [u32 stride 4]> = global @out
  at 0:5
  %2: u32 = call @twice(%0)
  %3: ref<storage, u32> = index %1, %0
  store %3, %2
}
fn @twice(x: u32) -> u32 {
  scope 0 @twice "shapes::twice#1" body 0 name 1
  %0: u32 = param 0
  at 0:2
  %1: u32 = add %0, %0
  at 0:9
  return %1
}
"#;

#[test]
fn positions_print_and_parse_on_request() {
    let module = read(CALLER);
    let text = print_with_positions(&module);
    assert_eq!(parse(&text), Ok(module.clone()));
    assert!(text.contains("  scope 0 @twice \"shapes::twice#1\" body 0 name 1\n"), "{text}");
    assert!(text.contains("  at 0:9\n  return %1\n"), "{text}");
    let without = print(&module);
    assert!(!without.contains("at 0:") && !without.contains("scope"), "{without}");
    assert_eq!(print(&read(&without)), without);
}

#[test]
fn positions_must_name_an_existing_earlier_scope() {
    let wrong = CALLER.replace("at 0:9", "at 1:9");
    let errors = verify(&parse(&wrong).expect("it parses")).expect_err("there is no scope 1");
    assert!(errors[0].to_string().contains("there is no scope 1"), "{}", errors[0]);
    let circle = CALLER.replace("\"main\" body 0 name 1", "\"main\" body 0 name 1 inlined 0:3");
    let errors = verify(&parse(&circle).expect("it parses")).expect_err("a scope inside itself");
    assert!(errors[0].to_string().contains("not in front of it"), "{}", errors[0]);
}

/// The statements of `twice` keep their own source and know the call. Those after the call have the caller's source.
#[test]
fn inlined_statements_keep_their_source() {
    let mut module = read(CALLER);
    passes::inline(&mut module, Inline::All).expect("it inlines");
    assert_eq!(verify(&module), Ok(()));
    let lines = &lines_of(&module, "f")[1..];
    assert_eq!(lines[0], "scope 0 @f \"main\" body 0 name 1");
    assert_eq!(lines[1], "scope 1 @twice \"shapes::twice#1\" body 0 name 1 inlined 0:5");
    let at = |what: &str| {
        let n = lines.iter().position(|l| l.contains(what)).unwrap_or_else(|| panic!("{what}: {lines:#?}"));
        lines[..n].iter().rev().find(|l| l.starts_with("at ")).cloned()
    };
    assert_eq!(at("= add").as_deref(), Some("at 1:2"));
    assert_eq!(at("= index").as_deref(), Some("at 0:5"));
    assert_eq!(at("store").as_deref(), Some("at 0:5"));
    // Inlining twice moves the scope of an inner call after those of the new caller.
    let mut outer = CALLER.replace("fn @f()", "fn @g()").replace("scope 0 @f", "scope 0 @g");
    outer.push_str("fn @f() -> void {\n  scope 0 @f \"outer\" body 0 name 1\n  at 0:30\n  call @g()\n}\n");
    let mut module = read(&outer);
    passes::inline(&mut module, Inline::All).expect("it inlines");
    assert_eq!(verify(&module), Ok(()));
    let lines = &lines_of(&module, "f")[1..];
    assert_eq!(lines[1], "scope 1 @g \"main\" body 0 name 1 inlined 0:30");
    assert_eq!(lines[2], "scope 2 @twice \"shapes::twice#1\" body 0 name 1 inlined 1:5");
}

/// Debug information changes no code: a branch with only positions counts as empty.
#[test]
fn debug_positions_do_not_affect_passes() {
    let text = "entry \"f\" = @f threads 1 1 1
        fn @f() -> void {
            local $0 x: u32
            scope 0 @f \"main\" body 0 name 1
            %0: u32 = 7
            %1: u32 = builtin.group_index
            %2: bool = eq %1, %0
            %3: ref<function, u32> = local $0
            if %2 { at 0:4 store %3, %0 at 0:6 } else { at 0:8 }
            at 0:9
            switch %1 { case 1 { at 0:11 break } default { } }
        }";
    let run = |text: &str| {
        let mut module = read(text);
        for function in module.functions.values_mut() {
            passes::promote(function).expect("there is nothing to refuse");
            passes::fold(function);
        }
        passes::dead(&mut module, &[], passes::Accesses::MayGo);
        assert_eq!(verify(&module), Ok(()));
        print(&module)
    };
    let bare = print(&read(text));
    assert!(!bare.contains("at 0:"));
    assert_eq!(run(text), run(&bare));
}

#[test]
fn source_maps_of_two_programs_merge() {
    let text = |item: &str| SourceText { item: item.into(), body: Some(0) };
    let at = |file, line| Location { file, line, column: 1 };
    let file = |path: &str| SourceFile { path: path.into(), text: b"".as_slice().into() };
    let mut user = SourceMap::default();
    user.files.push(file("a.hlsl"));
    user.insert(text("f"), vec![at(0, 1), at(0, 2)]);
    let mut library = SourceMap::default();
    library.files.push(file("lib.hlsl"));
    library.insert(text("wgc:f"), vec![at(0, 9)]);
    user.extend(library);
    assert_eq!(user.files[1].path, "lib.hlsl");
    assert_eq!(user.locate(&text("f"), 1), Some(at(0, 2)));
    assert_eq!(user.locate(&text("wgc:f"), 0), Some(at(1, 9)));
    assert_eq!(user.locate(&text("f"), 2), None);
    assert_eq!(user.locate(&text("g"), 0), None);
}
