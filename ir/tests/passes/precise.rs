//! The contributions to marked values. Each case lists the arithmetic that is marked afterwards.

use crate::{check, lines, read};
use wgc_ir::{passes, print};

const GLOBALS: &str = "struct S size 8 align 4 { a: f32 @0, b: f32 @4 }
    global @buf: buffer<f32 stride 4> writable set 0 binding 0
    global @g: private f32
    global @shared: workgroup [f32; 4 stride 4]
    entry \"f\" = @f threads 4 1 1\n";

/// Returns the marked operations of each function, in text order: `f: add mul`.
fn marked(functions: &str) -> String {
    let mut module = read(&format!("{GLOBALS}{functions}"));
    passes::precise(&mut module);
    check(&module);
    let mut out = Vec::new();
    for line in print(&module).lines() {
        if let Some(head) = line.strip_prefix("fn @") {
            out.push(format!("{}:", head.split('(').next().unwrap_or_default()));
        }
        let op = line.split_once("= precise ").and_then(|(_, op)| op.split(' ').next());
        let op = op.filter(|op| !["local", "load", "field", "global", "param", "extract", "swizzle"].contains(op));
        if let (Some(op), Some(last)) = (op, out.last_mut()) {
            last.push(' ');
            last.push_str(op);
        }
    }
    out.join("\n")
}

/// Returns the marked operations of one function of two floats with the `precise` local `x`.
fn of_body(body: &str) -> String {
    marked(&format!(
        "fn @f() -> void {{
          local $0 x: f32
          local $1 y: f32
          %0: ref<function, f32> = precise local $0
          %1: ref<function, f32> = local $1
          %2: ref<storage, [f32 stride 4]> = global @buf
          %3: u32 = builtin.group_index
          %4: ref<storage, f32> = index %2, %3
          %5: f32 = load %4
          %6: f32 = 3.0
          {body}
        }}"
    ))
}

#[test]
fn precise_stores_mark_their_operands() {
    assert_eq!(
        of_body(
            "%7: f32 = mul %5, %6
            %8: f32 = add %7, %6
            %9: f32 = sub %5, %6
            store %0, %8
            store %4, %9"
        ),
        "f: mul add"
    );
}

#[test]
fn precise_tracks_values_through_variables() {
    let body = "%7: f32 = mul %5, %6
        store %1, %7
        %8: f32 = load %1
        %9: f32 = neg %8
        store %0, %9";
    assert_eq!(of_body(body), "f: mul neg");
    // A later store is earlier in the next iteration.
    let carried = "loop {
            %7: f32 = load %1
            %8: f32 = add %7, %6
            store %0, %8
            %9: f32 = div %7, %5
            store %1, %9
            %10: bool = lt %9, %6
            if %10 { break }
        }";
    assert_eq!(of_body(carried), "f: add div");
}

#[test]
fn precise_does_not_track_buffer_memory() {
    let body = "%7: f32 = mul %5, %6
        store %4, %7
        %8: f32 = load %4
        %9: f32 = add %8, %6
        store %0, %9";
    assert_eq!(of_body(body), "f: add");
}

#[test]
fn conditions_that_select_values_become_precise() {
    let select = "%7: f32 = mul %5, %6
        %8: bool = lt %7, %5
        %9: f32 = select %8, %5, %6
        store %0, %9";
    assert_eq!(of_body(select), "f: mul");
    let branch = "store %0, %5
        %7: f32 = mul %5, %6
        %8: bool = lt %7, %5
        if %8 { store %0, %6 }
        %9: f32 = load %0
        store %4, %9";
    assert_eq!(of_body(branch), "f: mul");
    // The variable is unused outside of the branch, so the condition does not affect its value.
    let inside = "%7: f32 = mul %5, %6
        %8: bool = lt %7, %5
        if %8 {
            %9: f32 = add %5, %6
            store %0, %9
            %10: f32 = load %0
            store %4, %10
        }";
    assert_eq!(of_body(inside), "f: add");
    // The exit of the loop determines the number of additions.
    let ended = "store %0, %6
        loop {
            %7: f32 = load %0
            %8: f32 = add %7, %6
            store %0, %8
            %9: f32 = load %4
            %10: f32 = mul %9, %6
            %11: bool = lt %10, %6
            if %11 { break }
        }";
    assert_eq!(of_body(ended), "f: add mul");
    let tested = "store %0, %6
        loop {
            %7: f32 = load %0
            %8: f32 = add %7, %6
            store %0, %8
        } continuing {
            %9: f32 = load %4
            %10: f32 = mul %9, %6
            %11: bool = lt %10, %6
        } break_if %11";
    assert_eq!(of_body(tested), "f: add mul");
    let switched = "store %0, %6
        %7: f32 = mul %5, %6
        %8: i32 = convert %7
        switch %8 { case 1 { store %0, %5 } default { } }";
    assert_eq!(of_body(switched), "f: mul");
}

#[test]
fn precise_tracks_struct_members_separately() {
    let with = |rest: &str| {
        marked(&format!(
            "fn @f() -> void {{
              local $0 s: S
              local $1 x: f32
              %0: ref<function, S> = local $0
              %1: ref<function, f32> = precise local $1
              %2: ref<storage, [f32 stride 4]> = global @buf
              %3: u32 = builtin.group_index
              %4: ref<storage, f32> = index %2, %3
              %5: f32 = load %4
              %6: f32 = mul %5, %5
              %7: f32 = add %5, %5
              {rest}
            }}"
        ))
    };
    let stores = "%8: ref<function, f32> = field %0, 0 store %8, %6
        %9: ref<function, f32> = field %0, 1 store %9, %7";
    assert_eq!(with(&format!("{stores} %10: f32 = load %8 store %1, %10")), "f: mul");
    assert_eq!(with(&format!("{stores} %10: f32 = load %9 store %1, %10")), "f: add");
    assert_eq!(with(&format!("{stores} %10: S = load %0 %11: f32 = extract %10, 1 store %1, %11")), "f: add");
    let whole = "%8: S = compose %6, %7 store %0, %8";
    assert_eq!(
        with(&format!("{whole} %9: ref<function, f32> = field %0, 0 %10: f32 = load %9 store %1, %10")),
        "f: mul"
    );
    let inserted = "%8: S = zero %9: S = insert %8, 0, %6 %10: S = insert %9, 1, %7";
    assert_eq!(with(&format!("{inserted} %11: f32 = extract %10, 1 store %1, %11")), "f: add");
    assert_eq!(with(&format!("{inserted} %11: f32 = extract %10, 0 store %1, %11")), "f: mul");
    // The contents of a marked place are marked.
    assert_eq!(with("%8: ref<function, f32> = precise field %0, 0 store %8, %6 store %4, %7"), "f: mul");
}

#[test]
fn precise_tracks_composed_vector_components() {
    let body = "%7: f32 = mul %5, %6
        %8: f32 = add %5, %6
        %9: f32x2 = compose %7, %8
        %10: f32x2 = swizzle %9, 1 1
        %11: f32 = extract %10, 0
        store %0, %11";
    assert_eq!(of_body(body), "f: add");
    let dynamic = body.replace("extract %10, 0", "extract_dynamic %9, %3");
    assert_eq!(of_body(&dynamic), "f: mul add");
}

#[test]
fn unknown_indexes_may_select_any_element() {
    let body = |index: &str| {
        marked(&format!(
            "fn @f() -> void {{
              local $0 a: [f32; 3 stride 4]
              local $1 x: f32
              %0: ref<function, [f32; 3 stride 4]> = local $0
              %1: ref<function, f32> = precise local $1
              %2: u32 = builtin.group_index
              %3: u32 = 0
              %4: u32 = 1
              %5: f32 = convert %2
              %6: f32 = mul %5, %5
              %7: f32 = add %5, %5
              %8: ref<function, f32> = index %0, %3
              %9: ref<function, f32> = index %0, %4
              store %8, %6
              store %9, %7
              %10: ref<function, f32> = index %0, {index}
              %11: f32 = load %10
              store %1, %11
            }}"
        ))
    };
    assert_eq!(body("%4"), "f: add");
    assert_eq!(body("%2"), "f: mul add");
}

const CALLED: &str = "fn @square(x: f32) -> f32 {
      %0: f32 = param 0
      %1: f32 = mul %0, %0
      return %1
    }
    fn @both(x: f32, out: ref<function, f32>) -> f32 {
      %0: f32 = param 0
      %1: ref<function, f32> = param 1
      %2: f32 = add %0, %0
      %3: f32 = div %0, %2
      store %1, %3
      return %2
    }\n";

fn calling(body: &str) -> String {
    marked(&format!(
        "{CALLED}fn @f() -> void {{
          local $0 x: f32
          local $1 y: f32
          %0: ref<function, f32> = precise local $0
          %1: ref<function, f32> = local $1
          %2: f32 = 2.0
          %3: f32 = sub %2, %2
          {body}
        }}"
    ))
}

#[test]
fn precise_tracks_results_arguments_and_out_parameters() {
    let out = calling("%4: f32 = call @square(%3) store %0, %4");
    assert_eq!(out, "square: mul\nboth:\nf: sub");
    // Only the result contributes; writes to the parameter do not.
    let out = calling("%4: f32 = call @both(%3, %1) store %0, %4");
    assert_eq!(out, "square:\nboth: add\nf: sub");
    let out = calling("%4: f32 = call @both(%3, %1) %5: f32 = load %1 store %0, %5");
    assert_eq!(out, "square:\nboth: add div\nf: sub");
    let out = calling("%4: f32 = call @both(%3, %0)");
    assert_eq!(out, "square:\nboth: add div\nf: sub");
}

#[test]
fn a_callee_is_cloned_if_only_some_calls_are_precise() {
    let out = calling("%4: f32 = call @square(%3) store %0, %4 %5: f32 = call @square(%2) store %1, %5");
    assert_eq!(out, "square:\nboth:\nf: sub\nsquare.precise: mul");
    // If all calls need it, there is no copy.
    let out = calling("%4: f32 = call @square(%3) store %0, %4 %5: f32 = call @square(%2) store %0, %5");
    assert_eq!(out, "square: mul\nboth:\nf: sub");
}

#[test]
fn precise_clones_call_precise_clones() {
    let out = marked(&format!(
        "{CALLED}fn @outer(x: f32) -> f32 {{
          %0: f32 = param 0
          %1: f32 = call @square(%0)
          %2: f32 = add %1, %0
          return %2
        }}
        fn @f() -> void {{
          local $0 x: f32
          %0: ref<function, f32> = precise local $0
          %1: f32 = 2.0
          %2: f32 = call @outer(%1)
          store %0, %2
          %3: f32 = call @outer(%1)
          %4: f32 = add %3, %3
        }}"
    ));
    assert_eq!(out, "square:\nboth:\nouter:\nf:\nsquare.precise: mul\nouter.precise: add");
}

#[test]
fn precise_uses_in_a_callee_mark_arguments_of_callers() {
    let out = marked(
        "fn @exact(x: f32) -> f32 {
          local $0 p: f32
          %0: ref<function, f32> = precise local $0
          %1: f32 = param 0
          store %0, %1
          %2: f32 = load %0
          return %2
        }
        fn @f() -> void {
          %0: f32 = 2.0
          %1: f32 = mul %0, %0
          %2: f32 = call @exact(%1)
          %3: f32 = add %2, %2
        }",
    );
    assert_eq!(out, "exact:\nf: mul");
}

#[test]
fn conditions_of_early_returns_contribute_to_the_result() {
    let out = marked(
        "fn @early(x: f32) -> f32 {
          %0: f32 = param 0
          %1: f32 = mul %0, %0
          %2: bool = lt %1, %0
          if %2 {
            return %0
          }
          %3: f32 = neg %0
          return %3
        }
        fn @f() -> void {
          local $0 x: f32
          %0: ref<function, f32> = precise local $0
          %1: f32 = 2.0
          %2: f32 = call @early(%1)
          store %0, %2
        }",
    );
    assert_eq!(out, "early: mul neg\nf:");
}

#[test]
fn precise_tracks_module_variables_across_functions() {
    let with = |place: &str, stored: &str| {
        marked(&format!(
            "fn @set(x: f32) -> void {{
              %0: {place}
              {stored}
              %2: f32 = param 0
              %3: f32 = mul %2, %2
              store %1, %3
            }}
            fn @f() -> void {{
              local $0 x: f32
              %9: ref<function, f32> = precise local $0
              %0: {place}
              {stored}
              %2: f32 = 2.0
              %3: f32 = add %2, %2
              call @set(%3)
              %4: f32 = load %1
              store %9, %4
            }}"
        ))
    };
    let private = with("u32 = 0", "%1: ref<private, f32> = global @g");
    assert_eq!(private, "set: mul\nf: add");
    let shared = with(
        "ref<workgroup, [f32; 4 stride 4]> = global @shared",
        "%7: u32 = 1 %1: ref<workgroup, f32> = index %0, %7",
    );
    assert_eq!(shared, "set: mul\nf: add");
}

#[test]
fn precise_pass_leaves_unmarked_code_unchanged() {
    let text = format!("{GLOBALS}{CALLED}fn @f() -> void {{ %0: f32 = 1.0 %1: f32 = call @square(%0) }}");
    let mut module = read(&text);
    let before = module.clone();
    passes::precise(&mut module);
    assert_eq!(module, before);
    // The marks of the first run do not spread in a second one.
    let mut module = read(&format!(
        "{GLOBALS}{CALLED}fn @f() -> void {{ local $0 x: f32 %0: ref<function, f32> = precise local $0
        %1: f32 = 1.0 %2: f32 = call @square(%1) store %0, %2 %3: f32 = call @square(%1) }}"
    ));
    passes::precise(&mut module);
    let once = module.clone();
    passes::precise(&mut module);
    assert_eq!(module, once);
}

/// Returns the expanded body of a function of two vectors, whose last operation is marked.
fn expanded(operation: &str) -> String {
    let mut module = read(&format!(
        "fn @f(a: f32x3, b: f32x3, c: f32x3) -> void {{
          %0: f32x3 = param 0
          %1: f32x3 = param 1
          %2: f32x3 = param 2
          {operation}
        }}"
    ));
    passes::precise(&mut module);
    crate::body_of_f(&module).lines().skip(3).collect::<Vec<_>>().join("\n")
}

#[test]
fn precise_compound_functions_expand_to_single_operations() {
    // The last operation keeps the number of the function.
    assert_eq!(
        expanded("%3: f32x3 = precise mix %0, %1, %2"),
        lines(
            "%4: f32x3 = precise sub %1, %0
            %5: f32x3 = precise mul %2, %4
            %3: f32x3 = precise add %0, %5"
        )
    );
    let products = |a: &str, b: &str| {
        format!(
            "%4: f32x3 = precise mul {a}, {b}
            %5: f32 = extract %4, 0
            %6: f32 = extract %4, 1
            %7: f32 = precise add %5, %6
            %8: f32 = extract %4, 2\n"
        )
    };
    assert_eq!(
        expanded("%3: f32 = precise dot %0, %1"),
        lines(&format!("{} %3: f32 = precise add %7, %8", products("%0", "%1")))
    );
    assert_eq!(
        expanded("%3: f32 = precise length %0"),
        lines(&format!("{} %9: f32 = precise add %7, %8\n %3: f32 = precise sqrt %9", products("%0", "%0")))
    );
    assert_eq!(
        expanded("%3: f32x3 = precise normalize %0"),
        lines(&format!(
            "{} %9: f32 = precise add %7, %8
            %10: f32 = precise inverse_sqrt %9
            %11: f32x3 = swizzle %10, 0 0 0
            %3: f32x3 = precise mul %0, %11",
            products("%0", "%0")
        ))
    );
    assert_eq!(
        expanded("%3: f32x3 = precise cross %0, %1"),
        lines(
            "%4: f32x3 = swizzle %0, 1 2 0
            %5: f32x3 = swizzle %1, 2 0 1
            %6: f32x3 = precise mul %4, %5
            %7: f32x3 = swizzle %0, 2 0 1
            %8: f32x3 = swizzle %1, 1 2 0
            %9: f32x3 = precise mul %7, %8
            %3: f32x3 = precise sub %6, %9"
        )
    );
}

#[test]
fn unmarked_or_single_operation_functions_are_kept() {
    for kept in ["%3: f32x3 = mix %0, %1, %2", "%3: f32x3 = precise fma %0, %1, %2", "%3: f32x3 = precise sqrt %0"] {
        let out = match kept.contains("precise") {
            true => expanded(kept),
            // Another operation is marked.
            false => expanded(&format!("{kept} %4: f32x3 = precise neg %1")).lines().next().unwrap_or("").to_string(),
        };
        assert_eq!(out, kept);
    }
}

#[test]
fn all_float_arithmetic_is_marked_and_nothing_else() {
    let mut module = read(&format!(
        "{GLOBALS}fn @f() -> void {{
          %0: ref<private, f32> = global @g
          %1: f32 = load %0
          %2: f32 = mul %1, %1
          %3: f32 = neg %2
          %4: f32 = sqrt %3
          %5: bool = lt %3, %4
          if %5 {{
            %6: f32 = rem %3, %4
            store %0, %6
          }}
          %7: u32 = builtin.group_index
          %8: u32 = mul %7, %7
        }}"
    ));
    passes::mark_all(&mut module.functions["f"]);
    check(&module);
    let text = print(&module);
    let marked: Vec<&str> =
        text.lines().filter_map(|line| line.split_once("= precise ")?.1.split(' ').next()).collect();
    assert_eq!(marked, ["mul", "neg", "sqrt", "rem"], "{text}");
}

#[test]
fn precise_products_expand_row_by_row() {
    const M22: &str = "matrix<f32, 2, 2, rows stride 8>";
    const M23: &str = "matrix<f32, 2, 3, rows stride 12>";
    let expanded = |lhs: &str, rhs: &str, result: &str| {
        let mut module = read(&format!(
            "fn @f(a: {lhs}, b: {rhs}) -> void {{
              %0: {lhs} = param 0
              %1: {rhs} = param 1
              %2: {result} = precise product %0, %1
            }}"
        ));
        passes::precise(&mut module);
        crate::body_of_f(&module).lines().skip(2).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(
        expanded("f32x2", "f32", "f32x2"),
        lines("%3: f32x2 = swizzle %1, 0 0 \n %2: f32x2 = precise mul %0, %3")
    );
    assert_eq!(
        expanded("f32x2", M23, "f32x3"),
        lines(
            "%3: f32x3 = extract %1, 0
            %4: f32x3 = extract %1, 1
            %5: f32x3 = swizzle %0, 0 0 0
            %6: f32x3 = swizzle %0, 1 1 1
            %7: f32x3 = precise mul %5, %3
            %8: f32x3 = precise mul %6, %4
            %2: f32x3 = precise add %7, %8"
        )
    );
    let column = expanded(M23, "f32x3", "f32x2");
    assert!(column.ends_with("%2: f32x2 = precise compose %10, %16"), "{column}");
    let squares = expanded(M22, M22, M22);
    assert_eq!((squares.matches("precise mul").count(), squares.matches("precise add").count()), (4, 2), "{squares}");
    assert!(!column.contains("product") && !squares.contains("product"));
}
