//! Equal values that join.

use crate::{ENTRY, body_of_f, lines, read};
use wgc_ir::{passes, print, print_with_positions, verify};

const GLOBALS: &str = "struct P size 8 align 4 { x: u32 @0, y: u32 @4 }
    global @out: buffer<u32 stride 4> writable set 0 binding 0
    global @pairs: buffer<P stride 8> writable set 0 binding 1
    global @images: image<2d, f32x4> set 0 binding 2 count 8
    global @sampler: sampler set 0 binding 3
";

/// Returns the body of `@f` with this text after `%0` to `%5`, without the joined values.
fn joined(rest: &str) -> String {
    let mut module = read(&format!(
        "{GLOBALS}{ENTRY}fn @f() -> void {{
          %0: u32 = builtin.group_index
          %1: u32x3 = builtin.group_id
          %2: u32 = extract %1, 0
          %3: ref<storage, [u32 stride 4]> = global @out
          %4: ref<storage, u32> = index %3, %0
          %5: bool = lt %0, %2
          {rest}
        }}"
    ));
    module.functions.values_mut().for_each(|function| passes::gvn(function));
    passes::dead(&mut module, &[], passes::Accesses::MayGo);
    body_of_f(&module)
}

/// Returns whether two values join. They are the last ones of the text, of type u32.
fn join(text: &str, first: u32, second: u32) -> bool {
    let out = joined(&format!("{text}\nstore %4, %{first}\nstore %4, %{second}"));
    let stored: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("store ")?.split(' ').nth(1)).collect();
    assert_eq!(stored.len(), 2, "{out}");
    stored[0] == stored[1]
}

#[test]
fn equal_operations_on_equal_operands_join() {
    let out = joined(
        "%6: u32 = 2
        %7: u32 = mul %0, %6
        %8: u32 = 2
        %9: u32 = mul %0, %8
        %10: u32x2 = compose %7, %9
        %11: u32x2 = compose %9, %7
        %12: u32 = extract %11, 1
        %13: u32 = extract %10, 1
        %14: u32 = builtin.group_index
        %15: ref<storage, [u32 stride 4]> = global @out
        %16: ref<storage, u32> = index %15, %14
        store %4, %12
        store %16, %13",
    );
    let expected = "
        %0: u32 = builtin.group_index
        %1: ref<storage, [u32 stride 4]> = global @out
        %2: ref<storage, u32> = index %1, %0
        %3: u32 = 2
        %4: u32 = mul %0, %3
        %5: u32x2 = compose %4, %4
        %6: u32 = extract %5, 1
        store %2, %6
        store %2, %6";
    assert_eq!(out, lines(expected));
}

#[test]
fn each_part_of_an_operation_counts() {
    assert!(join("%6: u32 = add %0, %2\n%7: u32 = add %0, %2", 6, 7));
    assert!(!join("%6: u32 = sub %0, %2\n%7: u32 = add %0, %2", 6, 7));
    assert!(!join("%6: u32 = add %0, %2\n%7: u32 = add %0, %0", 6, 7));
    assert!(!join("%6: u32 = extract %1, 1\n%7: u32 = extract %1, 2", 6, 7));
    assert!(!join("%6: u32 = 1\n%7: u32 = 2", 6, 7));
    assert!(!join("%6: u32 = builtin.subgroup_size\n%7: u32 = builtin.subgroup_lane", 6, 7));
    assert!(join("%6: u32 = builtin.subgroup_lane\n%7: u32 = builtin.subgroup_lane", 6, 7));
}

/// A conversion has the same operand for several types.
#[test]
fn types_count() {
    let text = |ty: &str| {
        format!(
            "%6: i32 = bitcast %0\n%7: {ty} = convert %6\n%8: u32 = bitcast %7\n%9: f32 = convert %6\n%10: u32 = bitcast %9"
        )
    };
    assert!(!join(&text("u32"), 8, 10));
    assert!(join(&text("f32"), 8, 10));
}

#[test]
fn operands_of_commutative_operations_change_places() {
    for operation in ["add", "mul", "and", "or", "xor"] {
        let text = format!("%6: u32 = {operation} %0, %2\n%7: u32 = {operation} %2, %0");
        assert!(join(&text, 6, 7), "{operation}");
    }
    for operation in ["sub", "div", "rem", "shl", "shr", "min"] {
        let text = format!("%6: u32 = {operation} %0, %2\n%7: u32 = {operation} %2, %0");
        assert!(!join(&text, 6, 7), "{operation}");
    }
    for (operation, joins) in [("eq", true), ("ne", true), ("lt", false), ("le", false)] {
        let select = "%8: u32 = select %6, %0, %2\n%9: u32 = select %7, %0, %2";
        let text = format!("%6: bool = {operation} %0, %2\n%7: bool = {operation} %2, %0\n{select}");
        assert_eq!(join(&text, 8, 9), joins, "{operation}");
    }
    let floats = "%6: f32 = bitcast %0\n%7: f32 = bitcast %2";
    let bits = "%10: u32 = bitcast %8\n%11: u32 = bitcast %9";
    for operation in ["add", "mul"] {
        let swapped = format!("%8: f32 = {operation} %6, %7\n%9: f32 = {operation} %7, %6");
        assert!(!join(&format!("{floats}\n{swapped}\n{bits}"), 10, 11), "{operation}");
        let same = format!("%8: f32 = {operation} %6, %7\n%9: f32 = {operation} %6, %7");
        assert!(join(&format!("{floats}\n{same}\n{bits}"), 10, 11), "{operation}");
    }
}

/// Values are visible in the rest of their block, and in the blocks there.
#[test]
fn values_of_other_blocks_do_not_join() {
    let out = joined(
        "%6: u32 = add %0, %2
        if %5 {
          %7: u32 = add %0, %2
          store %4, %7
          %8: u32 = mul %0, %2
          store %4, %8
        } else {
          %9: u32 = mul %0, %2
          store %4, %9
        }
        %10: u32 = mul %0, %2
        store %4, %10
        store %4, %6",
    );
    assert_eq!(out.matches("= add").count(), 1, "{out}");
    assert_eq!(out.matches("= mul").count(), 3, "{out}");
}

/// A block that uses an outer value does not hide it afterwards.
#[test]
fn outer_values_stay_visible_after_a_block() {
    let out = joined(
        "%6: u32 = add %0, %2
        if %5 {
          %7: u32 = add %0, %2
          store %4, %7
        }
        %8: u32 = add %0, %2
        store %4, %8
        store %4, %6",
    );
    assert_eq!(out.matches("= add").count(), 1, "{out}");
}

/// `continuing` does not see the values of the body, and neither does the code after the loop.
#[test]
fn values_of_a_body_are_invisible_in_continuing() {
    let out = joined(
        "loop {
          %6: u32 = add %0, %2
          store %4, %6
        } continuing {
          %7: u32 = add %0, %2
          store %4, %7
          %8: bool = lt %0, %2
          %9: bool = lt %7, %2
          %10: bool = lt %7, %2
        } break_if %10
        %11: u32 = add %0, %2
        store %4, %11",
    );
    assert_eq!(out.matches("= add").count(), 3, "{out}");
    assert_eq!(out.matches("= lt").count(), 1, "{out}");
}

/// The condition may be a value of `continuing`, or one before the loop.
#[test]
fn conditions_of_loops_are_replaced() {
    let out = joined("loop {\nstore %4, %0\n} continuing {\n%6: bool = lt %0, %2\n} break_if %6");
    assert!(out.contains("= lt") && out.contains("continuing {\n} break_if %5"), "{out}");
}

#[test]
fn the_remaining_value_is_precise_if_one_is() {
    let text = |first: &str, second: &str| {
        joined(&format!(
            "%6: f32 = bitcast %0
            %7: f32 = {first}mul %6, %6
            %8: f32 = {second}mul %6, %6
            %9: f32x2 = compose %7, %8
            %10: f32 = extract %9, 0
            %11: u32 = bitcast %10
            store %4, %11"
        ))
    };
    for (first, second, count) in [("", "precise ", 1), ("precise ", "", 1), ("", "", 0)] {
        let out = text(first, second);
        assert_eq!(out.matches("mul").count(), 1, "{out}");
        assert_eq!(out.matches("precise").count(), count, "{out}");
    }
}

/// Each of these may return another result the second time.
#[test]
fn operations_that_are_not_pure_stay() {
    for operation in [
        "subgroup.add %0",
        "subgroup.exclusive_add %0",
        "subgroup.broadcast_first %0",
        "subgroup.quad_swap_x %0",
        "atomic.add %4, %0 device relaxed",
        "atomic.load %4, %0 device relaxed",
        "call @get(%0)",
        "load %4",
        "undef",
        "spirv 124 (%0)",
    ] {
        let mut module = read(&format!(
            "{GLOBALS}{ENTRY}fn @f() -> void {{
              %0: u32 = builtin.group_index
              %3: ref<storage, [u32 stride 4]> = global @out
              %4: ref<storage, u32> = index %3, %0
              %5: u32 = {operation}
              %6: u32 = {operation}
              %7: u32 = sub %5, %6
              store %4, %7
            }}
            fn @get(a: u32) -> u32 {{
              %0: u32 = param 0
              return %0
            }}"
        ));
        passes::gvn(&mut module.functions["f"]);
        assert!(body_of_f(&module).contains("sub %3, %4"), "{operation}\n{}", print(&module));
    }
}

#[test]
fn derivatives_and_implicit_samples_stay() {
    let out = joined(
        "%6: ref<storage, [u32 stride 4]> = global @out
        %7: descriptors<image<2d, f32x4>, 8> = global @images
        %8: image<2d, f32x4> = descriptor %7, %0
        %9: sampler = global @sampler
        %10: f32 = convert %0
        %11: f32 = subgroup.ddx %10
        %12: f32 = subgroup.ddx %10
        %13: f32x2 = compose %11, %12
        %14: f32x4 = image_sample %8, %9, %13
        %15: f32x4 = image_sample %8, %9, %13
        %16: f32x2 = image_lod %8, %9, %13
        %17: f32x2 = image_lod %8, %9, %13
        %18: f32x4 = add %14, %15
        %19: f32x2 = add %16, %17
        %20: f32 = extract %18, 0
        %21: f32 = extract %19, 0
        %22: f32 = add %20, %21
        %23: u32 = bitcast %22
        store %4, %23",
    );
    for operation in ["subgroup.ddx", "image_sample", "image_lod"] {
        assert_eq!(out.matches(operation).count(), 2, "{operation}\n{out}");
    }
}

/// An index without the mark never replaces one with it.
#[test]
fn non_uniform_marks_stay() {
    let out = joined(
        "%6: descriptors<image<2d, f32x4>, 8> = global @images
        %7: u32 = non_uniform %0
        %8: image<2d, f32x4> = descriptor %6, %0
        %9: image<2d, f32x4> = descriptor %6, %7
        %10: u32 = non_uniform %0
        %11: image<2d, f32x4> = descriptor %6, %10
        %12: u32x2 = image_size %8
        %13: u32x2 = image_size %9
        %14: u32x2 = image_size %11
        %15: u32x2 = add %12, %13
        %16: u32x2 = add %15, %14
        %17: u32 = extract %16, 0
        store %4, %17",
    );
    assert_eq!(out.matches("non_uniform").count(), 1, "{out}");
    assert_eq!(out.matches("= descriptor").count(), 2, "{out}");
    assert_eq!(out.matches("image_size").count(), 2, "{out}");
}

#[test]
fn undefined_values_do_not_join() {
    assert!(!join("%6: u32 = undef\n%7: u32 = undef", 6, 7));
}

#[test]
fn fields_and_elements_join() {
    let out = joined(
        "%6: ref<storage, [P stride 8]> = global @pairs
        %7: ref<storage, P> = index %6, %0
        %8: ref<storage, u32> = field %7, 0
        %9: ref<storage, P> = index %6, %0
        %10: ref<storage, u32> = field %9, 1
        %11: ref<storage, u32> = field %9, 0
        store %8, %0
        store %10, %0
        store %11, %0",
    );
    assert_eq!(out.matches("= index").count(), 1, "{out}");
    assert_eq!(out.matches("= field").count(), 2, "{out}");
}

/// Debuggers see the same value.
#[test]
fn variables_hold_the_joined_value() {
    let mut module = read(&format!(
        "{GLOBALS}{ENTRY}fn @f() -> void {{
          scope 0 @f \"main\" body 0 name 1
          variable 0 x: u32 at 0:3
          %0: u32 = builtin.group_index
          %1: u32 = mul %0, %0
          %2: u32 = mul %0, %0
          holds 0 %2
          %3: ref<storage, [u32 stride 4]> = global @out
          %4: ref<storage, u32> = index %3, %0
          store %4, %1
        }}"
    ));
    passes::gvn(&mut module.functions["f"]);
    verify(&module).unwrap();
    assert!(print_with_positions(&module).contains("holds 0 %1"), "{}", print(&module));
}
