//! Known loads across branches and loops.

use crate::forward::{ELEMENT, FUNCTIONS, GLOBALS, LOCAL, UAV_BARRIER, after, clean, element, left_after_store, loads};
use crate::{ENTRY, body_of_f, read};
use std::fmt::Write;
use std::time::{Duration, Instant};
use wgc_ir::passes;

#[test]
fn branches_that_store_end_the_knowledge() {
    let cases = [
        ("if %4 { store %9, %1 }", 1),
        ("if %4 { } else { store %9, %1 }", 1),
        ("if %4 { store %9, %1\n return }", 0),
        ("if %4 { if %4 { store %9, %1 } }", 1),
        ("if %4 { if %4 { store %9, %1\n return } }", 0),
        ("switch %2 { case 1 { store %9, %1 } }", 1),
        ("switch %2 { case 1 { } default { store %9, %1 } }", 1),
        ("switch %2 { case 1 { store %9, %1\n break } }", 1),
        ("switch %2 { case 1 { if %4 { store %9, %1\n break }\n return } }", 1),
        ("switch %2 { case 1 { switch %2 { default { if %4 { store %9, %1\n break } } } } }", 1),
        ("switch %2 { case 1 { if %4 { if %4 { store %9, %1\n break } } } }", 1),
        ("loop { store %9, %1\n break }", 1),
        ("loop { break } continuing { store %9, %1 }", 1),
        ("loop { if %4 { store %9, %1\n break }\n break }", 1),
        ("loop { store %6, %1\n break }", 0),
        ("loop { loop { store %9, %1\n break }\n break }", 1),
    ];
    for place in [LOCAL, ELEMENT] {
        for (between, wanted) in cases {
            assert_eq!(left_after_store(ENTRY, place, between), wanted, "{between}");
        }
    }
}

/// A branch does not see the stores of the other one, or those of earlier cases.
#[test]
fn branches_start_with_the_knowledge_before_them() {
    let branch = "store %5, %2
        if %4 {
          store %5, %1
        } else {
          %10: u32 = load %5
          store %3, %10
        }";
    assert_eq!(loads(&after(ENTRY, branch)), 0);
    let case = "store %5, %2
        switch %2 {
          case 1 { store %5, %1 }
          default {
            %10: u32 = load %5
            store %3, %10
          }
        }";
    assert_eq!(loads(&after(ENTRY, case)), 0);
    // A value of one branch is invisible in the other one and afterwards.
    let values = "if %4 {
          %10: u32 = load %5
          store %3, %10
        } else {
          %11: u32 = load %5
          store %3, %11
        }
        %12: u32 = load %5
        store %3, %12";
    assert_eq!(loads(&after(ENTRY, values)), 3);
}

/// The barrier is on another path, and so is the second load.
#[test]
fn texels_stay_known_after_a_branch_that_returns() {
    let text = |jump: &str| {
        format!(
            "%20: image<2d, u32x1> = global @texture
            %21: u32x2 = compose %2, %2
            %10: u32 = image_load %20, %21
            if %4 {{
              {UAV_BARRIER}
              %11: u32 = image_load %20, %21
              store %3, %11
              {jump}
            }}
            %12: u32 = image_load %20, %21
            %13: u32 = sub %10, %12
            store %3, %13"
        )
    };
    assert_eq!(loads(&after(ENTRY, &text("return"))), 2);
    assert_eq!(loads(&after(ENTRY, &text(""))), 3);
}

/// A branch that returns stores twice. After it, the value before it is known.
#[test]
fn stores_before_a_return_are_forgotten() {
    let out = after(
        ENTRY,
        "%9: u32 = builtin.subgroup_lane
        %10: u32 = builtin.subgroup_size
        %11: u32 = builtin.subgroup_id
        store %5, %9
        if %4 {
          store %5, %10
          store %5, %11
          %12: u32 = load %5
          store %3, %12
          return
        }
        %13: u32 = load %5
        store %3, %13",
    );
    let value = |builtin: &str| {
        let line = out.lines().find(|line| line.ends_with(builtin)).expect("it is used");
        line.split(':').next().expect("an id").to_owned()
    };
    assert_eq!(loads(&out), 0, "{out}");
    assert!(out.ends_with(&format!(", {}", value("subgroup_lane"))), "{out}");
    assert!(out.contains(&format!(", {}\nreturn", value("subgroup_id"))), "{out}");
}

/// The first load of the branch is not visible after it, though the memory is as it was there.
#[test]
fn texels_of_a_branch_that_returns_are_forgotten() {
    let out = after(
        ENTRY,
        &format!(
            "%20: image<2d, u32x1> = global @texture
            %21: u32x2 = compose %2, %2
            if %4 {{
              %10: u32 = image_load %20, %21
              {UAV_BARRIER}
              %11: u32 = image_load %20, %21
              %12: u32 = sub %10, %11
              store %3, %12
              return
            }}
            %13: u32 = image_load %20, %21
            store %3, %13"
        ),
    );
    assert_eq!(loads(&out), 3, "{out}");
}

/// The loads see the stores of earlier iterations.
#[test]
fn loops_that_store_forget_at_their_start() {
    let text = |body: &str, continuing: &str| {
        format!(
            "store %5, %2
            loop {{
              %10: u32 = load %5
              store %3, %10
              {body}
            }} continuing {{
              {continuing}
            }}"
        )
    };
    for (body, continuing, wanted) in [
        ("", "", 0),
        ("store %5, %1", "", 1),
        ("", "store %5, %1", 1),
        ("if %4 { store %5, %1 }", "", 1),
        ("if %4 { store %5, %1\n continue }", "", 1),
        ("loop { store %5, %1\n break }", "", 1),
        ("call @take(%5)", "", 1),
        ("spirv 62 (%3, %2)", "", 1),
        ("call @idle()", "", 0),
        ("store %6, %1", "", 0),
    ] {
        assert_eq!(loads(&after(ENTRY, &text(body, continuing))), wanted, "{body} {continuing}");
    }
}

/// A store at an index that the loop computes may reach each element, but not another local.
#[test]
fn stores_at_indexes_of_the_loop_end_the_knowledge_of_the_array() {
    let text = |place: &str| {
        format!(
            "%20: ref<function, P> = index %7, %1
            %21: ref<function, u32> = field %20, 0
            store %21, %2
            store %6, %8
            loop {{
              %10: u32 = load %21
              store %3, %10
              %11: u32 = load %6
              store %3, %11
              {place}
            }}"
        )
    };
    let variable = "%30: u32 = atomic.add %3, %1 workgroup relaxed
        %31: ref<function, P> = index %7, %30
        %32: ref<function, u32> = field %31, 0
        store %32, %1";
    assert_eq!(loads(&after(ENTRY, &text(variable))), 1);
    let other = "%31: ref<function, P> = index %7, %0
        %32: ref<function, u32> = field %31, 0
        store %32, %1";
    assert_eq!(loads(&after(ENTRY, &text(other))), 0);
}

/// Barriers in a loop end the knowledge at its start.
#[test]
fn barriers_in_loops_count_from_their_start() {
    let text = |event: &str| {
        format!(
            "{}
            %10: u32 = load %9
            loop {{
              %11: u32 = load %9
              %12: u32 = sub %10, %11
              store %3, %12
              {event}
            }}",
            element("ro")
        )
    };
    assert_eq!(loads(&after(ENTRY, &text(""))), 1);
    assert_eq!(loads(&after(ENTRY, &text(UAV_BARRIER))), 2);
}

#[test]
fn values_of_a_body_are_unknown_in_continuing() {
    let text = format!(
        "{}
        loop {{
          %10: u32 = load %9
          store %3, %10
        }} continuing {{
          %11: u32 = load %9
          store %3, %11
          %12: u32 = load %9
          %13: bool = lt %11, %12
        }} break_if %13
        %14: u32 = load %9
        store %3, %14",
        element("ro")
    );
    assert_eq!(loads(&after(ENTRY, &text)), 3);
}

/// Functions with many places, deep nesting, and both take a time proportional to their size.
#[test]
fn large_functions_take_linear_time() {
    // Stores to many elements of an array, with loads, in blocks nested deep.
    let elements = 4000;
    let mut body = format!("local $0 a: [u32; {elements} stride 4]\n%0: bool = true\n%1: u32 = 7\n");
    writeln!(body, "%2: ref<function, [u32; {elements} stride 4]> = local $0\n%3: ref<workgroup, u32> = global @sink")
        .unwrap();
    let mut next = 4;
    for n in 0..elements {
        writeln!(body, "%{next}: u32 = {n}\n%{}: ref<function, u32> = index %2, %{next}", next + 1).unwrap();
        writeln!(body, "store %{}, %1", next + 1).unwrap();
        next += 2;
    }
    let depth = 250;
    for level in 0..depth {
        writeln!(body, "{} {{", if level % 2 == 0 { "loop" } else { "if %0" }).unwrap();
    }
    for n in 0..elements {
        writeln!(body, "store %{}, %1\n%{next}: u32 = load %{}\nstore %3, %{next}", 5 + 2 * n, 5 + 2 * n).unwrap();
        next += 1;
    }
    let mut module = read(&format!("{GLOBALS}{FUNCTIONS}{ENTRY}fn @f() -> void {{ {body}{} }}", "}".repeat(depth)));
    let start = Instant::now();
    passes::forward(&mut module);
    let took = start.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    clean(&mut module);
    assert_eq!(loads(&body_of_f(&module)), 0);
}

/// A loop with more stores than the pass tells apart.
#[test]
fn many_stores_in_a_loop_all_count() {
    let count = 300;
    let mut body = format!(
        "local $0 a: [u32; {count} stride 4]\n%0: ref<function, [u32; {count} stride 4]> = local $0\n%1: u32 = 7
        %2: ref<workgroup, u32> = global @sink\n"
    );
    let place = |n: usize| 10 + 2 * n;
    for n in 0..count {
        writeln!(body, "%{}: u32 = {n}\n%{}: ref<function, u32> = index %0, %{}", place(n) - 1, place(n), place(n) - 1)
            .unwrap();
        writeln!(body, "store %{}, %1", place(n)).unwrap();
    }
    writeln!(body, "loop {{\n%3: u32 = load %{}\nstore %2, %3", place(count - 1)).unwrap();
    (0..count).for_each(|n| writeln!(body, "store %{}, %1", place(n)).unwrap());
    let mut module = read(&format!("{GLOBALS}{FUNCTIONS}{ENTRY}fn @f() -> void {{ {body} }} }}"));
    passes::forward(&mut module);
    clean(&mut module);
    assert_eq!(loads(&body_of_f(&module)), 1);
}
