//! Invariants of loops.

use crate::{body_of_f, lines, read};
use wgc_ir::passes;

const GLOBALS: &str = "struct C size 8 align 4 { n: u32 @0, k: u32 @4 }
global @c: uniform C set 0 binding 0
global @b: buffer<u32 stride 4> writable set 0 binding 1
entry \"f\" = @f threads 1 1 1
";

fn hoisted(body: &str) -> String {
    let mut module = read(&format!("{GLOBALS}fn @f() -> void {{ {body} }}"));
    passes::hoist(&mut module);
    body_of_f(&module)
}

/// Returns the statements before the first loop of the result, as the ids that they define.
fn before(body: &str) -> Vec<String> {
    let text = hoisted(body);
    let before = text.lines().take_while(|line| !line.contains("loop"));
    before.filter_map(|line| line.split(':').next()).map(str::to_owned).collect()
}

#[test]
fn invariants_move_before_the_loop() {
    let out = hoisted(
        "%0: u32 = builtin.group_index
        %1: ref<storage, [u32 stride 4]> = global @b
        loop (%2: u32 = %0) {
            %3: u32 = 3
            %4: u32 = mul %0, %3
            %5: ref<uniform, C> = global @c
            %6: ref<uniform, u32> = field %5, 1
            %7: u32 = load %6
            %8: u32 = add %4, %7
            %9: ref<storage, u32> = index %1, %2
            store %9, %8
            %10: u32 = add %2, %8
            %11: bool = lt %10, %7
            if %11 { break }
            yield %10
        } continuing (%12: u32) { next %12 }",
    );
    let expected = "
        %0: u32 = builtin.group_index
        %1: ref<storage, [u32 stride 4]> = global @b
        %3: u32 = 3
        %4: u32 = mul %0, %3
        %5: ref<uniform, C> = global @c
        %6: ref<uniform, u32> = field %5, 1
        %7: u32 = load %6
        %8: u32 = add %4, %7
        loop (%2: u32 = %0) {
        %9: ref<storage, u32> = index %1, %2
        store %9, %8
        %10: u32 = add %2, %8
        %11: bool = lt %10, %7
        if %11 {
        break
        }
        yield %10
        } continuing (%12: u32) {
        next %12
        }
    ";
    assert_eq!(lines(&out), lines(expected));
}

#[test]
fn invariants_of_nested_loops_leave_all_of_them() {
    let ids = before(
        "%0: u32 = builtin.group_index
        loop {
            loop {
                %1: u32 = add %0, %0
                %2: bool = eq %1, %0
                if %2 { break }
            }
            %3: u32 = add %0, %0
            %4: bool = eq %3, %0
            if %4 { break }
        }",
    );
    assert_eq!(ids, ["%0", "%1", "%2", "%3", "%4"]);
}

/// A value of an outer loop is invariant in the inner one only.
#[test]
fn values_leave_only_the_loops_that_do_not_change_them() {
    let text = hoisted(
        "%0: u32 = builtin.group_index
        loop (%1: u32 = %0) {
            loop {
                %2: u32 = add %1, %0
                %3: bool = eq %2, %0
                if %3 { break }
            }
            %4: bool = eq %1, %0
            if %4 { break }
            %5: u32 = add %1, %0
            yield %5
        } continuing (%6: u32) { next %6 }",
    );
    let place = |what: &str| text.lines().position(|line| line.contains(what)).expect(what);
    let second = text.lines().skip(place("loop (") + 1).position(|line| line.contains("loop")).expect("a loop");
    assert!(place("%2: u32") > place("loop (") && place("%2: u32") < place("loop (") + 1 + second, "{text}");
}

#[test]
fn other_operations_stay() {
    for (stmt, why) in [
        ("%3: u32 = div %0, %1", "the divisor may be 0"),
        ("%3: u32 = div %0, %11", "the divisor is 0"),
        ("%3: i32 = div %8, %9", "the quotient may overflow"),
        ("%3: i32 = convert %10", "the number may not fit"),
        ("%3: u32 = load %2", "another thread may store"),
        ("%3: u32 = subgroup.add %0", "the active threads may differ"),
        ("%3: u32 = atomic.add %2, %0 device relaxed", "it has an effect"),
        ("%3: u32 = undef", "it may differ between uses"),
        ("if %7 { %3: u32 = add %0, %1 }", "it is not in every iteration"),
    ] {
        let body = format!(
            "%0: u32 = builtin.group_index
            %1: u32 = builtin.subgroup_lane
            %4: ref<storage, [u32 stride 4]> = global @b
            %2: ref<storage, u32> = index %4, %0
            %7: bool = eq %0, %1
            %8: i32 = bitcast %0
            %9: i32 = -1
            %10: f32 = bitcast %0
            %11: u32 = 0
            loop {{ {stmt} if %7 {{ break }} }}"
        );
        assert_eq!(before(&body).len(), 9, "{why}: {}", hoisted(&body));
    }
}

#[test]
fn divisions_and_conversions_that_cannot_fault_move() {
    for stmt in [
        "%3: u32 = div %0, %1",
        "%3: u32 = rem %0, %2",
        "%3: f32 = div %4, %4",
        "%3: f32 = convert %0",
        "%3: bool = convert %4",
        "%3: u64 = convert %0",
    ] {
        let body = format!(
            "%0: u32 = builtin.group_index
            %1: u32 = 3
            %2: u32 = 4294967295
            %4: f32 = bitcast %0
            %5: bool = lt %0, %1
            loop {{ {stmt} if %5 {{ break }} }}"
        );
        assert_eq!(before(&body).len(), 6, "{stmt}: {}", hoisted(&body));
    }
}

/// The loop may test the index before it loads.
#[test]
fn loads_at_variable_indexes_stay() {
    let ids = |index: &str| {
        let mut module = read(&format!(
            "struct U size 64 align 16 {{ list: [u32; 4 stride 16] @0 }}
            global @u: uniform U set 0 binding 0
            entry \"f\" = @f threads 1 1 1
            fn @f() -> void {{
                %0: u32 = builtin.group_index
                %1: u32 = 3
                %2: bool = lt %0, %1
                loop {{
                    if %2 {{ }} else {{ break }}
                    %3: ref<uniform, U> = global @u
                    %4: ref<uniform, [u32; 4 stride 16]> = field %3, 0
                    %5: ref<uniform, u32> = index %4, {index}
                    %6: u32 = load %5
                }}
            }}"
        ));
        passes::hoist(&mut module);
        let text = body_of_f(&module);
        text.lines().take_while(|line| !line.contains("loop")).count()
    };
    assert_eq!((ids("%1"), ids("%0")), (7, 5));
}

#[test]
fn only_some_values_leave_a_loop() {
    let more: String = (2..22).map(|n| format!("%{n}: u32 = add %{}, %0 ", n - 1)).collect();
    let body = format!(
        "%0: u32 = builtin.group_index
        %1: bool = eq %0, %0
        loop {{ {} if %1 {{ break }} }}",
        more.replacen("%1,", "%0,", 1)
    );
    assert_eq!(before(&body).len(), 2 + 8);
}
