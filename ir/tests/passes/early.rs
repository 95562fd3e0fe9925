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
        %11: bool = load %6
        if %11 {
        } else {
        %5: bool = eq %2, %0
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
fn what_cannot_become_a_condition_stays() {
    let barrier = "barrier group_shared group_sync workgroup";
    let condition = "%0: u32 = 7 %1: u32 = builtin.group_index %2: bool = ge %1, %0";
    // No barrier follows; no return precedes; the barrier lets threads pass.
    assert_eq!(without_early_returns(&format!("{condition} {barrier} if %2 {{ return }}")), None);
    assert_eq!(without_early_returns(&format!("{condition} {barrier} {barrier}")), None);
    assert_eq!(without_early_returns(&format!("{condition} if %2 {{ return }} barrier uav device")), None);
    // A return out of a loop; a value that both sides of the barrier use.
    let from_loop = format!("{condition} loop {{ if %2 {{ return }} break }} {barrier}");
    assert_eq!(without_early_returns(&from_loop), None);
    let crossing = format!("{condition} if %2 {{ return }} %3: u32 = add %1, %0 {barrier} %4: u32 = add %3, %0");
    assert_eq!(without_early_returns(&crossing), None);
}
