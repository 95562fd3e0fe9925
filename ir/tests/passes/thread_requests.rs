//! Requests of thread-launch nodes: each thread makes its own.

use crate::{body_of_f, lines, read};
use wgc_ir::passes;

/// Returns the body of a node of this launch mode, whose requests are those of its group.
fn of_launch(launch: &str, record: &str) -> String {
    let mut module = read(
        &format!(
            "struct R {{ x: u32 }}
         struct Held size 0 align 1 {{ one: records<group, R> @0, n: u32 @0 }}
         node \"N\"[0] = @f {{
           launch {launch} threads 1 1 1 {record} entry
           output out: R -> \"M\"[0] max 2
           output done: empty -> \"D\"[0] max 2
         }}
         fn @f() -> void {{
           local $0 held: Held
           local $1 several: [records<group, R>; 2 stride 0]
           %0: u32 = 0
           %1: u32 = 1
           %2: records<group, R> = allocate group 0[%0], %1
           %3: ref<function, Held> = local $0
           %4: ref<function, records<group, R>> = field %3, 0
           store %4, %2
           %5: ref<function, [records<group, R>; 2 stride 0]> = local $1
           %6: [records<group, R>; 2 stride 0] = compose %2, %2
           store %5, %6
           complete %2
           if %7 {{
             increment_count group 1[%0], %1
           }}
         }}"
        )
        .replace("if %7", "%7: bool = eq %0, %1 if %7"),
    );
    passes::thread_requests(&mut module);
    body_of_f(&module)
}

#[test]
fn thread_launch_nodes_use_thread_requests() {
    let out = of_launch("thread", "");
    // A handle stays with its request: in locals, fields, elements and whole values.
    let expected = "local $0 held: Held
        local $1 several: [records<thread, R>; 2 stride 0]
        %0: u32 = 0
        %1: u32 = 1
        %2: records<thread, R> = allocate thread 0[%0], %1
        %3: ref<function, Held> = local $0
        %4: ref<function, records<thread, R>> = field %3, 0
        store %4, %2
        %5: ref<function, [records<thread, R>; 2 stride 0]> = local $1
        %6: [records<thread, R>; 2 stride 0] = compose %2, %2
        store %5, %6
        complete %2
        %7: bool = eq %0, %1
        if %7 {
        increment_count thread 1[%0], %1
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn other_launch_modes_keep_group_requests() {
    let out = of_launch("broadcasting", "grid fixed 4 1 1");
    assert!(!out.contains("thread"), "{out}");
}
