//! Returns before a barrier.

use crate::{body_of_f, lines, read};
use wgc_ir::passes;

fn without_early_returns(body: &str) -> Option<String> {
    let mut module = read(&format!("entry \"f\" = @f threads 32 1 1\nfn @f() -> void {{\n{body}\n}}"));
    passes::early_returns(&mut module.functions[0]).then(|| body_of_f(&module))
}

#[test]
fn returns_before_a_barrier_become_conditions_around_it() {
    let out = without_early_returns(
        "local $0 x: u32
        %0: u32 = 7
        %1: ref<function, u32> = local $0
        %2: u32 = builtin.group_index
        %3: bool = ge %2, %0
        if %3 {
            %4: bool = eq %2, %0
            if %4 { return }
            store %1, %0
            return
        }
        store %1, %2
        barrier group_shared group_sync workgroup
        %5: bool = eq %2, %0
        if %5 { return }
        store %1, %0
        barrier group_shared group_sync workgroup
        if %3 { return }
        store %1, %2",
    );
    let expected = lines(
        "local $0 x: u32
        local $1 returned: bool
        %6: ref<function, bool> = local $1
        %7: bool = false
        %8: bool = true
        store %6, %7
        %0: u32 = 7
        %1: ref<function, u32> = local $0
        %2: u32 = builtin.group_index
        %3: bool = ge %2, %0
        if %3 {
        %4: bool = eq %2, %0
        if %4 {
        store %6, %8
        }
        %9: bool = load %6
        if %9 {
        } else {
        store %1, %0
        store %6, %8
        }
        }
        %10: bool = load %6
        if %10 {
        } else {
        store %1, %2
        }
        barrier group_shared group_sync workgroup
        %5: bool = eq %2, %0
        %11: bool = load %6
        if %11 {
        } else {
        if %5 {
        store %6, %8
        }
        %12: bool = load %6
        if %12 {
        } else {
        store %1, %0
        }
        }
        barrier group_shared group_sync workgroup
        %13: bool = load %6
        if %13 {
        } else {
        if %3 {
        return
        }
        store %1, %2
        }",
    );
    assert_eq!(out.as_deref(), Some(expected.as_str()));
}

#[test]
fn functions_without_returns_before_barriers_stay() {
    let barrier = "barrier group_shared group_sync workgroup";
    let condition = "%0: u32 = 7 %1: u32 = builtin.group_index %2: bool = ge %1, %0";
    // Three cases: no barrier follows, no return precedes, and the barrier does not synchronise threads.
    assert_eq!(without_early_returns(&format!("{condition} {barrier} if %2 {{ return }}")), None);
    assert_eq!(without_early_returns(&format!("{condition} {barrier} {barrier}")), None);
    assert_eq!(without_early_returns(&format!("{condition} if %2 {{ return }} barrier uav device")), None);
}

const BARRIER: &str = "barrier group_shared group_sync workgroup";
/// `%2` is true for threads that return.
const CONDITION: &str = "%0: u32 = 7 %1: u32 = builtin.group_index %2: bool = ge %1, %0";

#[test]
fn rewritten_returns_leave_all_loops_and_switches() {
    let nested = "loop { switch %1 { case 1 { if %2 { return } } default { } } break }";
    let out = without_early_returns(&format!(
        "local $0 x: u32 %3: ref<function, u32> = local $0
        {CONDITION} {nested} store %3, %0 {BARRIER}"
    ))
    .expect("it returns before a barrier");
    let expected = lines(
        "loop {
        switch %1 {
        case 1 {
        if %2 {
        store %4, %6
        break
        }
        }
        default {
        }
        }
        %7: bool = load %4
        if %7 {
        break
        }
        break
        }
        %8: bool = load %4
        if %8 {
        } else {
        store %3, %0
        }
        barrier group_shared group_sync workgroup",
    );
    assert!(out.ends_with(&expected), "{out}");
}

#[test]
fn values_hidden_by_conditions_are_recomputed_or_carried() {
    // `%4` is equal everywhere, but the contents of memory are not.
    let out = without_early_returns(&format!(
        "local $0 x: u32 %3: ref<function, u32> = local $0 {CONDITION} if %2 {{ return }}
        %5: u32 = load %3 %4: u32 = add %5, %0 store %3, %4 {BARRIER} store %3, %4"
    ))
    .expect("it returns before a barrier");
    assert!(out.contains("local $2 carried: u32"), "{out}");
    let behind = out.split(BARRIER).nth(1).expect("the barrier is there");
    // Under the condition: the value loaded before the barrier, and the sum.
    let order = ["if %", "load %9", "add %", "store %3"].map(|part| behind.find(part).unwrap_or(usize::MAX));
    assert!(order.is_sorted() && order[3] != usize::MAX, "{out}");
    assert_eq!(out.matches("load %3").count(), 1, "{out}");
}

/// A loop with a barrier and a counter, after a return.
const COUNTED: &str = "local $0 i: u32
    local $1 x: u32
    %3: ref<function, u32> = local $0
    %4: ref<function, u32> = local $1
    %10: u32 = 0
    CONDITION
    if %2 { return }
    store %3, %10
    loop {
        %5: u32 = load %3
        %6: bool = lt %5, %0
        if %6 { } else { break }
        %7: bool = eq %5, %1
        if %7 { INSIDE }
        BARRIER
        store %4, %1
    } continuing {
        %8: u32 = load %3
        %9: u32 = add %8, STEP
        store %3, %9
    }";

fn counted(inside: &str, step: &str) -> Option<String> {
    let text = COUNTED.replace("CONDITION", CONDITION).replace("BARRIER", BARRIER);
    without_early_returns(&text.replace("INSIDE", inside).replace("STEP", step))
}

#[test]
fn returned_threads_still_iterate_loops_with_barriers() {
    let out = counted("store %4, %0", "%0").expect("it returns before a barrier");
    let expected = lines(
        "store %3, %10
        loop {
        %5: u32 = load %3
        %6: bool = lt %5, %0
        if %6 {
        } else {
        break
        }
        %7: bool = eq %5, %1
        %14: bool = load %11
        if %14 {
        } else {
        if %7 {
        store %4, %0
        }
        }
        barrier group_shared group_sync workgroup
        %15: bool = load %11
        if %15 {
        } else {
        store %4, %1
        }
        } continuing {
        %8: u32 = load %3
        %9: u32 = add %8, %0
        store %3, %9
        }",
    );
    assert!(out.ends_with(&expected), "{out}");
}

#[test]
fn early_returns_in_barrier_loops_set_a_per_thread_flag() {
    let out = counted("return", "%0").expect("it returns before a barrier");
    // The flag is set and tested within the loop, also for returns in an earlier iteration.
    let body = out.split("loop {").nth(1).expect("the loop stays");
    assert!(body.contains("store %11, %13") && !body.contains("return"), "{out}");
    assert_eq!(body.matches("load %11").count(), 2, "{out}");
}

#[test]
fn early_returns_with_unknown_trip_counts_stay() {
    // The trip count comes from memory at a place that differs between threads, or from an atomic.
    for (ty, op) in [("workgroup [u32; 8 stride 4]", "load"), ("workgroup [u32; 8 stride 4]", "atomic")] {
        let what = if op == "load" { "load %22" } else { "atomic.add %22, %0 workgroup relaxed" };
        let text = format!(
            "entry \"f\" = @f threads 32 1 1 global @s: {ty}
            fn @f() -> void {{ {CONDITION} if %2 {{ return }}
            %21: ref<workgroup, [u32; 8 stride 4]> = global @s
            %22: ref<workgroup, u32> = index %21, %1
            %23: u32 = {what}
            %24: bool = eq %23, %0
            if %24 {{ {BARRIER} }} }}"
        );
        let mut module = read(&text);
        assert!(!passes::early_returns(&mut module.functions[0]), "{op}");
        // All threads may read a number that is the same for all of them.
        let mut same = read(&text.replace("index %21, %1", "index %21, %0"));
        assert_eq!(passes::early_returns(&mut same.functions[0]), op == "load");
        crate::check(&same);
    }
    // A loop with returns as its only exits never ends for threads that returned.
    let endless = format!("{CONDITION} loop {{ {BARRIER} if %2 {{ return }} }}");
    assert_eq!(without_early_returns(&endless), None);
}

#[test]
fn uniform_returns_are_not_rewritten() {
    let body = format!(
        "%0: u32 = 7 %1: u32x3 = builtin.group_id %2: u32 = extract %1, 0 %3: bool = ge %2, %0
        %4: u32 = builtin.group_index %5: bool = ge %4, %0
        if %3 {{ return }} {BARRIER} if %5 {{ return }} loop {{ {BARRIER} if %3 {{ return }} }}"
    );
    let out = without_early_returns(&body).expect("%5 differs");
    assert_eq!(out.matches("if %3 {\nreturn\n}").count(), 2, "{out}");
    assert!(out.contains("if %5 {\nstore"), "{out}");
}

#[test]
fn each_thread_returns_the_value_of_the_return_it_took() {
    let text = format!(
        "entry \"main\" = @main threads 32 1 1 fn @main() -> void {{ %0: u32 = call @f() }}
        fn @f() -> u32 {{ {CONDITION} if %2 {{ return %1 }} {BARRIER} return %0 }}"
    );
    let mut module = read(&text);
    assert!(passes::early_returns(&mut module.functions["f"]));
    let out = body_of_f(&module);
    let end = lines("if %7 { } else { store %6, %0 } %8: u32 = load %6 return %8").replace(' ', "\n");
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join("\n");
    assert!(flat(&out).ends_with(&flat(&end)) && out.contains("store %6, %1"), "{out}");
}
