//! Tests of the emulated target without the front end: graphs in IR text are planned, rewritten against a stand-in
//! library, verified and emitted.

#[path = "emulated/plans.rs"]
mod plans;

use wgc_backend_spirv::emulated::{EmulatedOptions, Rewritten};
use wgc_backend_spirv::{EmitOptions, emit_compute, emulated_graph};
use wgc_ir::Module;

fn parse(name: &str, text: &str) -> Module {
    let module = wgc_ir::parse(text).unwrap_or_else(|e| panic!("{name}:{e}"));
    verify(name, &module);
    module
}

fn verify(name: &str, module: &Module) {
    if let Err(errors) = wgc_ir::verify(module) {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{name}: {}\n{}", errors.join("\n"), wgc_ir::print(module));
    }
}

fn library() -> Module {
    parse("library.ir", include_str!("emulated/library.ir"))
}

/// Rewrites a graph. Every shader must be valid IR without a graph, and emit.
fn shaders(name: &str, text: &str) -> Rewritten {
    let rewritten =
        emulated_graph(&parse(name, text), &library(), Vec::new(), &EmulatedOptions::default()).expect(name);
    for shader in &rewritten.shaders {
        let name = format!("{name}: {}", shader.file);
        assert!(shader.module.graph.nodes.is_empty(), "{name}");
        assert_eq!(shader.module.entries.len(), 1, "{name}");
        verify(&name, &shader.module);
        emit_compute(&shader.module, &EmitOptions::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
    rewritten
}

/// Returns the text of one shader's functions.
fn shader(rewritten: &Rewritten, file: &str) -> String {
    let found = rewritten.shaders.iter().find(|s| s.file == file);
    wgc_ir::print(&found.unwrap_or_else(|| panic!("no {file}")).module)
}

#[test]
fn the_graphs_of_the_native_target_are_rewritten_too() {
    let graphs = [
        ("arrays", include_str!("ir/amdx_arrays.ir")),
        ("grids", include_str!("ir/amdx_grids.ir")),
        ("launches", include_str!("ir/amdx_launches.ir")),
        ("sharing", include_str!("ir/amdx_sharing.ir")),
    ];
    for (name, text) in graphs {
        shaders(name, text);
    }
}

#[test]
fn handles_pass_through_helpers_and_branches() {
    let text = "struct R size 4 align 4 { a: u32 @0 }
        node \"n\"[0] = @n { launch broadcasting threads 8 1 1 grid fixed 1 1 1 entry
          output x: R -> \"m\"[0] max 8 output y: R -> \"m\"[0] max 8 }
        node \"m\"[0] = @m { launch thread threads 1 1 1 input in: R max 1 }
        fn @m() -> void {}
        fn @fill(r: records<thread, R>) -> void {
          %0: records<thread, R> = param 0 %1: u32 = 0 %2: ref<node_output, R> = output_record %0, %1
          %3: ref<node_output, u32> = field %2, 0 store %3, %1 complete %0 }
        fn @n() -> void { local $0 h: records<thread, R> %0: ref<function, records<thread, R>> = local $0
          %1: u32 = 1 %2: bool = true %6: u32 = 0
          if %2 { %3: records<thread, R> = allocate thread 0[%6], %1 store %0, %3 }
          else { %4: records<thread, R> = allocate thread 1[%6], %1 store %0, %4 }
          %5: records<thread, R> = load %0 call @fill(%5) }";
    let text = shader(&shaders("merged", text), "nodes/n.spv");
    assert_eq!(text.matches("ref<physical, u32> = field").count(), 1, "{text}");
    assert!(text.contains("local $0 h: WgRecords"), "{text}");
}

const LAUNCHES: &str = include_str!("ir/amdx_launches.ir");

#[test]
fn thread_nodes_exit_surplus_threads_and_load_by_address() {
    let rewritten = shaders("launches", LAUNCHES);
    insta::assert_snapshot!(shader(&rewritten, "nodes/entry.spv"));
}

#[test]
fn a_group_allocates_in_one_thread() {
    let rewritten = shaders("launches", LAUNCHES);
    insta::assert_snapshot!(shader(&rewritten, "nodes/wide.spv"));
}

/// The counter of a node's records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counted {
    /// None: its calls never exceed the budget.
    Not,
    /// One for each thread, or for a group that allocates together.
    InVariable,
    /// One for the threads of a group together, after a barrier.
    InWord,
}

/// Returns a call on output 0 for `count` records.
fn call(scope: &str, id: u32, count: &str) -> String {
    format!("%{id}: records<{scope}, R> = allocate {scope} 0[%0], {count} complete %{id}\n")
}

#[test]
fn record_counters_exist_where_budgets_may_be_exceeded() {
    use Counted::{InVariable, InWord, Not};
    let (thread, group) = (|id, count| call("thread", id, count), |id, count| call("group", id, count));
    // %0 to %9 are these numbers, %10 is a number from the host, %11 whether it is 0, %12 less than four.
    let unknown = "%10";
    let branch = |then: &str, otherwise: &str| format!("if %11 {{ {then} }} else {{ {otherwise} }}\n");
    let counted = |turns: u32, body: &str| {
        format!(
            "store %15, %0 loop {{ %20: u32 = load %15 %21: bool = ge %20, %{turns} if %21 {{ break }} {body}
             }} continuing {{ %22: u32 = load %15 %23: u32 = add %22, %1 store %15, %23 }}\n"
        )
    };
    let cases = [
        // One call of each of eight threads.
        ("broadcasting", 8, 8, thread(30, "%1"), Not),
        ("broadcasting", 8, 7, thread(30, "%1"), InWord),
        ("broadcasting", 8, 8, thread(30, unknown), InWord),
        ("broadcasting", 8, 24, thread(30, "%12"), Not),
        ("broadcasting", 8, 23, thread(30, "%12"), InWord),
        ("coalescing", 8, 8, thread(30, "%1"), Not),
        // A selection of numbers.
        ("broadcasting", 8, 8, "%30: u32 = select %11, %1, %0\n".to_owned() + &thread(31, "%30"), Not),
        ("broadcasting", 8, 8, "%30: u32 = select %11, %2, %0\n".to_owned() + &thread(31, "%30"), InWord),
        ("broadcasting", 8, 8, "%30: u32 = convert %11\n".to_owned() + &thread(31, "%30"), Not),
        // A variable that differs on one of two paths.
        (
            "broadcasting",
            8,
            16,
            "store %15, %1 if %11 { store %15, %2 } %30: u32 = load %15\n".to_owned() + &thread(31, "%30"),
            Not,
        ),
        (
            "broadcasting",
            8,
            15,
            "store %15, %1 if %11 { store %15, %2 } %30: u32 = load %15\n".to_owned() + &thread(31, "%30"),
            InWord,
        ),
        // One thread of all, and all but one.
        ("broadcasting", 8, 1, "%30: bool = eq %17, %0 %31: u32 = convert %30\n".to_owned() + &thread(32, "%31"), Not),
        ("broadcasting", 8, 7, "%30: bool = ne %17, %0 %31: u32 = convert %30\n".to_owned() + &thread(32, "%31"), Not),
        (
            "broadcasting",
            8,
            6,
            "%30: bool = ne %17, %0 %31: u32 = convert %30\n".to_owned() + &thread(32, "%31"),
            InWord,
        ),
        // A vector with two components that both count.
        (
            "broadcasting",
            8,
            1,
            "%30: u32x3 = builtin.group_thread_id %31: u32x2 = swizzle %30, 0 1 store %18, %31
             %32: ref<function, u32> = index %18, %0 %33: u32 = load %32 %34: bool = eq %33, %7
             %35: ref<function, u32> = index %18, %1 %36: u32 = load %35 %37: bool = eq %36, %0
             %38: bool = and %34, %37 %39: u32 = select %38, %1, %0\n"
                .to_owned()
                + &thread(40, "%39"),
            Not,
        ),
        // Two calls, in sequence and as alternatives.
        ("broadcasting", 8, 16, thread(30, "%1") + &thread(31, "%1"), Not),
        ("broadcasting", 8, 15, thread(30, "%1") + &thread(31, "%1"), InWord),
        ("broadcasting", 8, 8, branch(&thread(30, "%1"), &thread(31, "%1")), Not),
        ("broadcasting", 8, 16, branch(&thread(30, "%1"), &thread(31, "%2")), Not),
        ("broadcasting", 8, 15, branch(&thread(30, "%1"), &thread(31, "%2")), InWord),
        ("broadcasting", 8, 8, branch(&(thread(30, "%1") + "return"), "") + &thread(31, "%1"), Not),
        ("broadcasting", 8, 8, branch(&thread(30, "%1"), "") + &thread(31, "%1"), InWord),
        // In loops, and after a loop that counts.
        ("broadcasting", 8, 24, counted(3, &thread(30, "%1")), Not),
        ("broadcasting", 8, 23, counted(3, &thread(30, "%1")), InWord),
        ("broadcasting", 8, 255, counted(10, &thread(30, "%1")), InWord),
        (
            "broadcasting",
            8,
            24,
            format!(
                "store %16, %0\n{}%32: u32 = load %16\n{}",
                counted(3, &branch("%30: u32 = load %16 %31: u32 = add %30, %1 store %16, %31", "")),
                thread(33, "%32")
            ),
            Not,
        ),
        // The group allocates together: no call gets more than all.
        ("broadcasting", 8, 8, group(30, unknown), Not),
        ("broadcasting", 8, 8, group(30, unknown) + &group(31, "%1"), InVariable),
        ("broadcasting", 8, 8, counted(10, &group(30, "%1")), InVariable),
        ("broadcasting", 8, 8, branch(&group(30, unknown), &group(31, unknown)), Not),
        // Its threads allocate separately too.
        ("broadcasting", 8, 12, group(30, "%4") + &thread(31, "%1"), Not),
        ("broadcasting", 8, 11, group(30, "%4") + &thread(31, "%1"), InWord),
        // A group of one thread needs no word.
        ("broadcasting", 1, 8, thread(30, unknown), Not),
        ("broadcasting", 1, 8, thread(30, unknown) + &group(31, "%1"), InVariable),
        // Threads that allocate separately.
        ("thread", 1, 8, thread(30, unknown), Not),
        ("thread", 1, 2, thread(30, "%1") + &thread(31, "%1"), Not),
        ("thread", 1, 1, thread(30, "%1") + &thread(31, "%1"), InVariable),
        ("thread", 1, 8, counted(10, &thread(30, "%1")), InVariable),
        // Output 1 has the same budget.
        ("thread", 1, 3, thread(30, "%1") + "%31: records<thread, R> = allocate thread 1[%0], %2 complete %31\n", Not),
        (
            "thread",
            1,
            2,
            thread(30, "%1") + "%31: records<thread, R> = allocate thread 1[%0], %2 complete %31\n",
            InVariable,
        ),
        // Empty records.
        ("broadcasting", 8, 8, "increment_count thread 2[%0], %1\n".to_owned(), Not),
        ("broadcasting", 8, 7, "increment_count thread 2[%0], %1\n".to_owned(), InWord),
        ("broadcasting", 8, 7, "increment_count group 2[%0], %10\n".to_owned(), Not),
        (
            "broadcasting",
            8,
            7,
            "increment_count group 2[%0], %4 increment_count group 2[%0], %4\n".to_owned(),
            InVariable,
        ),
    ];
    for (launch, threads, max, body, expected) in cases {
        let grid = if launch == "broadcasting" { "grid fixed 1 1 1" } else { "" };
        let numbers: String = (0..10).map(|n| format!("%{n}: u32 = {n}\n")).collect();
        let text = format!(
            "struct R size 4 align 4 {{ a: u32 @0 }}
             global @out: buffer<u32 stride 4> writable set 0 binding 0
             node \"n\"[0] = @n {{ launch {launch} threads {threads} 1 1 {grid} entry
               output x: R -> \"m\"[0] max {max} output y: R -> \"m\"[0] max 0 shared_with 0
               output e: empty -> \"e\"[0] max {max} }}
             node \"m\"[0] = @m {{ launch thread threads 1 1 1 input in: R max 1 }}
             node \"e\"[0] = @m {{ launch coalescing threads 1 1 1 input in: empty max 1 }}
             fn @m() -> void {{}}
             fn @n() -> void {{ local $0 i: u32 local $1 count: u32 local $2 place: u32x2
               {numbers} %13: ref<storage, [u32 stride 4]> = global @out %14: ref<storage, u32> = index %13, %0
               %15: ref<function, u32> = local $0 %16: ref<function, u32> = local $1 %18: ref<function, u32x2> = local $2
               %10: u32 = load %14 %11: bool = eq %10, %0 %12: u32 = and %10, %3
               %17: u32 = builtin.group_index
               {body} }}"
        );
        let text = shader(&shaders("budget", &text), "nodes/n.spv");
        let found = match (text.contains("@wgc_grant("), text.contains("global @wgc.spent")) {
            (false, false) => Not,
            (true, false) => InVariable,
            (true, true) => InWord,
            (false, true) => panic!("a word for nobody\n{text}"),
        };
        assert_eq!(found, expected, "{launch}, {threads} threads, {max} records:\n{body}\n{text}");
    }
}

#[test]
fn completion_calls_are_emitted_only_for_grid_launches() {
    let grids = shaders("grids", include_str!("ir/amdx_grids.ir"));
    let source = shader(&grids, "nodes/source.spv");
    assert_eq!(source.matches("call @wgc_complete_thread").count(), 4, "{source}");
    assert!(source.contains("fn @wgc_publish"), "what completion calls is linked too");
    let launches = shaders("launches", LAUNCHES);
    assert!(!shader(&launches, "nodes/entry.spv").contains("wgc_complete"));
    assert_eq!(grids.shaders[1].module.entries[0].function, "wgc_inject_grids");
    assert_eq!(launches.shaders[1].module.entries[0].function, "wgc_inject");
}

#[test]
fn user_push_constants_follow_the_library_block() {
    let text = "struct P size 20 align 4 { a: u32x4 @0, b: u32 @16 }
        node \"n\"[0] = @n { launch broadcasting threads 1 1 1 grid fixed 1 1 1 entry }
        global @p: push_constant P
        global @out: buffer<u32 stride 4> writable set 0 binding 0
        fn @helper() -> u32 { %0: ref<push_constant, P> = global @p %1: ref<push_constant, u32> = field %0, 1
          %2: u32 = load %1 return %2 }
        fn @n() -> void { %0: u32 = call @helper() %1: ref<storage, [u32 stride 4]> = global @out
          %2: u32 = 0 %3: ref<storage, u32> = index %1, %2 store %3, %0 }";
    let rewritten = shaders("push", text);
    let text = shader(&rewritten, "nodes/n.spv");
    assert!(text.contains("{ wgc: WgPush @0, user: P @16 }"), "{text}");
    assert_eq!(text.matches("push_constant wgc.push").count(), 1, "{text}");
}
