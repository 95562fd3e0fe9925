//! The text form: printed text parses to the same module, and errors in text have their location.

use wgc_ir::{Module, parse, print, verify};

fn sample() -> Module {
    parse(include_str!("text/sample.wir")).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn the_sample_prints_as_it_is_written() {
    // The constant written with its type is printed without.
    let written = include_str!("text/sample.wir").replace("const i64 ", "");
    assert_eq!(print(&sample()), written);
}

#[test]
fn printed_modules_parse_to_the_same_module() {
    let module = sample();
    assert_eq!(parse(&print(&module)), Ok(module));
}

#[test]
fn the_sample_is_valid() {
    let errors = verify(&sample()).err().unwrap_or_default();
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn mesh_node_ir_round_trips_through_text() {
    let written = include_str!("text/mesh.wir");
    let module = parse(written).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&module), written);
    assert_eq!(verify(&module), Ok(()));
}

#[test]
fn printing_renumbers_values_and_locals() {
    let module =
        parse("fn @f() -> u32 { local $7 x: u32 %10: ref<function, u32> = local $7 %3: u32 = load %10 return %3 }");
    let expected = "fn @f() -> u32 {\n  local $0 x: u32\n  %0: ref<function, u32> = local $0\n  %1: u32 = load %0\n  return %1\n}\n";
    assert_eq!(print(&module.unwrap()), expected);
}

#[test]
fn a_structure_without_size_gets_the_scalar_layout() {
    let module = parse("struct S { a: u16, b: u64 } global @g: private S").unwrap();
    assert_eq!(print(&module), "struct S size 16 align 8 { a: u16 @0, b: u64 @8 }\nglobal @g: private S\n");
    let bits = "struct S { a_b: u32 bits a u32 0 4 b bool 4 1, c: u32 } global @g: private S";
    let text = "struct S size 8 align 4 { a_b: u32 @0 bits a u32 0 4 b bool 4 1, c: u32 @4 }\nglobal @g: private S\n";
    let module = parse(bits).unwrap();
    assert_eq!(print(&module), text);
    assert_eq!(parse(text).unwrap(), module);
}

#[test]
fn parse_errors_have_locations() {
    let cases = [
        ("fn @f() -> void {\n  %0: u32 = wobble\n}", "2:13: expected an operation, found `wobble`"),
        ("fn @f() -> void {\n  store %1, %2\n}", "2:10: value %1 is not defined"),
        ("fn @f() -> S { }", "1:12: no type or structure `S`"),
        ("global @g: private u32 = u32 4294967296", "1:30: `4294967296` is not a constant of type u32"),
        ("global @g: private i16 = i16 -32769", "1:30: `-32769` is not a constant of type i16"),
        ("fn @f() -> void {\n  %0: u32 = 1\n  %0: u32 = 1\n}", "3:4: value %0 is defined twice"),
        ("struct A size 4 align 4 { x: u32 @0 ", "1:37: expected `,`, found the end of the text"),
        ("node \"a", "1:6: the string does not end on its line"),
        ("# comment", "1:1: unexpected character '#'"),
        (
            "fn @f() -> void { return } return",
            "1:28: expected `struct`, `global`, `node`, `entry` or `fn`, found `return`",
        ),
    ];
    for (text, error) in cases {
        assert_eq!(parse(text).map_err(|e| e.to_string()), Err(error.to_string()), "{text}");
    }
    let deep = format!("fn @f() -> {}u32", "[".repeat(100_000));
    assert!(parse(&deep).unwrap_err().message.contains("nested deeper"));
}

#[test]
fn hints_and_marks_print_as_they_are_written() {
    let written = include_str!("text/hints.wir");
    let module = parse(written).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&module), written);
    assert_eq!(verify(&module), Ok(()));
}

#[test]
fn merged_values_print_as_they_are_written() {
    let written = include_str!("text/merges.wir");
    let module = parse(written).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(print(&module), written);
    assert_eq!(verify(&module), Ok(()));
}

#[test]
fn invalid_control_hints_are_rejected() {
    for hint in ["if %0 [unroll] {}", "if %0 [branch flatten] {}", "if %0 [] {}", "loop [branch] {}", "loop [unroll {}"]
    {
        let text = format!("fn @f(c: bool) -> void {{ %0: bool = param 0 {hint} }}");
        assert!(parse(&text).is_err(), "{text}");
    }
}
