//! Specialisation constants: graph numbers agree with their constants, and a pass fixes them.

use wgc_ir::{Module, Op, parse, passes, print, verify};

fn module(launch: &str) -> Module {
    let text = format!(
        "global @n: spec 3 = u32 4
        global @x: spec 4 = f32 1.5
        global @flag: spec 5 = bool true
        node \"N\"[0] = @f {{
          launch {launch}
        }}
        fn @f() -> void {{
          %0: u32 = global @n
          %1: u32 = add %0, %0
          return
        }}"
    );
    parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn launch_numbers_must_equal_specialisation_defaults() {
    let accepted = "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 @n specialised grid 0 @n";
    assert_eq!(verify(&module(accepted)), Ok(()));
    // 4 * 2 - 1 if the flag is true, otherwise 1.
    let computed =
        "broadcasting threads 7 1 1 grid fixed 4 1 1 entry specialised threads 0 (truth @flag @n 2 mul 1 sub 1 select)";
    let computed = module(computed);
    assert_eq!(verify(&computed), Ok(()));
    assert_eq!(parse(&print(&computed)).expect("it parses"), computed);
    for (launch, part) in [
        ("broadcasting threads 8 1 1 grid fixed 4 1 1 entry specialised threads 0 @n", "Threads(0) is not the default"),
        ("broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 3 @n", "Threads(3) is not the default"),
        ("coalescing threads 4 1 1 entry specialised grid 0 @n", "Grid(0) is not the default"),
        (
            "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 @x",
            "@x is not a specialisation constant",
        ),
        (
            "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 @none",
            "@none is not a specialisation",
        ),
        (
            "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised grid 0 @n specialised grid 0 @n",
            "specialised twice",
        ),
        (
            "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 (@n 1 add)",
            "Threads(0) is not the default",
        ),
        ("broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 (@n add)", "leaves no number"),
        ("broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 (@n 0 udiv)", "not the default"),
        (
            "broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 (truth @n 4 4 select)",
            "@n is not a specialisation constant of type bool",
        ),
    ] {
        let errors = verify(&module(launch)).expect_err(launch);
        assert!(errors.iter().any(|e| e.to_string().contains(part)), "{launch}: {errors:?}");
    }
}

#[test]
fn fixed_constants_leave_nothing_to_specialise() {
    let mut module = module("broadcasting threads 4 1 1 grid fixed 4 1 1 entry specialised threads 0 @n");
    passes::fix_constants(&mut module);
    assert_eq!(verify(&module), Ok(()));
    assert!(module.globals.is_empty() && !print(&module).contains("specialised"));
    let constant =
        module.functions["f"].values.values().find_map(|v| if let Op::Const(c) = v.op { Some(c.bits) } else { None });
    assert_eq!(constant, Some(4));
}
