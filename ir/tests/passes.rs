//! Each pass on IR text: what goes in is valid, what comes out is valid and is what one would write by hand.

use wgc_ir::passes::{self, Inline};
use wgc_ir::{Module, parse, print, verify};

fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check(&module);
    module
}

fn check(module: &Module) {
    if let Err(errors) = verify(module) {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", list.join("\n"), print(module));
    }
}

/// The text of the function `@f` after the pass, without indentation.
fn body_of_f(module: &Module) -> String {
    check(module);
    let text = print(module);
    let start = text.find("fn @f(").expect("@f is there");
    let text = &text[start..];
    let end = text.find("\n}\n").expect("it ends");
    text[..end].lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
}

fn inlined(text: &str) -> String {
    let mut module = read(text);
    passes::inline(&mut module, Inline::All).unwrap();
    body_of_f(&module)
}

fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}

const ENTRY: &str = "entry \"f\" = @f threads 1 1 1\n";

#[test]
fn a_callee_that_returns_at_its_end_leaves_only_its_statements() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            %1: u32 = call @twice(%0)
            %2: u32 = add %1, %0
        }}
        fn @twice(x: u32) -> u32 {{
            local $0 t: u32
            %0: u32 = param 0
            %1: u32 = add %0, %0
            %2: ref<function, u32> = local $0
            store %2, %1
            return %1
        }}"
    ));
    assert_eq!(
        out,
        lines(
            "local $0 t: u32
            unused %1: u32 = call @twice(%0)
            %0: u32 = 7
            %3: u32 = add %0, %0
            %4: ref<function, u32> = local $0
            store %4, %3
            %2: u32 = add %3, %0"
        )
    );
}

#[test]
fn an_early_return_leaves_a_switch() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            %1: u32 = call @low(%0)
        }}
        fn @low(x: u32) -> u32 {{
            %0: u32 = param 0
            %1: u32 = 4
            %2: bool = lt %0, %1
            if %2 {{ return %0 }}
            return %1
        }}"
    ));
    assert_eq!(
        out,
        lines(
            "local $0 low.result: u32
            unused %1: u32 = call @low(%0)
            %0: u32 = 7
            %2: ref<function, u32> = local $0
            switch %5 {
            default {
            %3: u32 = 4
            %4: bool = lt %0, %3
            if %4 {
            store %2, %0
            break
            }
            store %2, %3
            break
            }
            }
            %6: u32 = load %2"
        )
        .replace("switch %5 {", "%5: u32 = 0\nswitch %5 {")
    );
}

#[test]
fn a_return_inside_loops_and_switches_leaves_all_of_them() {
    let out = inlined(&format!(
        "{ENTRY}fn @f() -> void {{
            %0: u32 = 7
            call @search(%0)
        }}
        fn @search(x: u32) -> void {{
            %0: u32 = param 0
            loop {{
                switch %0 {{
                    case 1 {{ return }}
                    case 2 {{ continue }}
                }}
                loop {{ break }}
            }}
        }}"
    ));
    let expected = "
        local $0 search.returned: bool
        %0: u32 = 7
        %1: ref<function, bool> = local $0
        %2: bool = false
        %3: bool = true
        store %1, %2
        %6: u32 = 0
        switch %6 {
        default {
        loop {
        switch %0 {
        case 1 {
        store %1, %3
        break
        }
        case 2 {
        continue
        }
        default {
        }
        }
        %4: bool = load %1
        if %4 {
        break
        }
        loop {
        break
        }
        }
        %5: bool = load %1
        if %5 {
        break
        }
        }
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn only_what_must_be_inlined_is() {
    let text = format!(
        "global @data: buffer<u32 stride 4> writable set 0 binding 0
        {ENTRY}fn @f() -> void {{
            local $0 pair: [u32; 2 stride 4]
            %0: u32 = 1
            %1: ref<storage, [u32 stride 4]> = global @data
            call @write(%1, %0)
            %2: u32 = call @twice(%0)
            %3: ref<function, [u32; 2 stride 4]> = local $0
            %4: ref<function, u32> = index %3, %0
            call @out(%4)
            local_end()
        }}
        fn @write(to: ref<storage, [u32 stride 4]>, v: u32) -> void {{
            %0: ref<storage, [u32 stride 4]> = param 0
            %1: u32 = param 1
            %2: ref<storage, u32> = index %0, %1
            store %2, %1
        }}
        fn @twice(x: u32) -> u32 {{ %0: u32 = param 0 %1: u32 = add %0, %0 return %1 }}
        fn @out(x: ref<function, u32>) -> void {{ %0: ref<function, u32> = param 0 %1: u32 = 5 store %0, %1 }}"
    )
    .replace("local_end()\n", "\n");
    let mut module = read(&text);
    passes::inline(&mut module, Inline::Required).unwrap();
    check(&module);
    let names: Vec<&str> = module.functions.keys().map(|n| n.as_str()).collect();
    // @write takes a buffer and is gone; @out stays, but the call with a part of an array is inlined.
    assert_eq!(names, ["f", "twice", "out"]);
    let text = body_of_f(&module);
    assert!(text.contains("call @twice") && !text.contains("\ncall"), "{text}");
}

const RECORDS: &str = "struct R { x: u32 }
    node \"N\"[0] = @f {
      launch broadcasting threads 4 1 1 grid fixed 1 1 1 entry
      output out: R -> \"M\"[0] max 2
    }
    ";

#[test]
fn handles_pass_through_helpers_and_locals() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            %0: u32 = 0
            %1: u32 = 2
            %2: records<group, R> = call @get(%1)
            %3: ref<function, records<group, R>> = local $0
            store %3, %2
            %4: records<group, R> = load %3
            call @fill(%4, %0)
            %5: records<group, R> = load %3
            complete %5
        }}
        fn @get(n: u32) -> records<group, R> {{
            %0: u32 = param 0
            %1: u32 = 0
            %2: records<group, R> = allocate group 0[%1], %0
            return %2
        }}
        fn @fill(r: records<group, R>, x: u32) -> void {{
            %0: records<group, R> = param 0
            %1: u32 = param 1
            %2: ref<node_output, R> = output_record %0, %1
            %3: ref<node_output, u32> = field %2, 0
            store %3, %1
        }}"
    ));
    passes::inline(&mut module, Inline::Required).unwrap();
    for function in module.functions.values_mut() {
        passes::promote(function).unwrap();
    }
    passes::dead(&mut module, &[]);
    let expected = "
        %0: u32 = 0
        %1: u32 = 2
        %2: u32 = 0
        %3: records<group, R> = allocate group 0[%2], %1
        %4: ref<node_output, R> = output_record %3, %0
        %5: ref<node_output, u32> = field %4, 0
        store %5, %0
        complete %3";
    assert_eq!(body_of_f(&module), lines(expected));
    assert_eq!(module.functions.len(), 1);
}

#[test]
fn a_handle_that_depends_on_control_flow_is_an_error() {
    let mut module = read(&format!(
        "{RECORDS}fn @f() -> void {{
            local $0 mine: records<group, R>
            %0: u32 = 0
            %1: u32 = builtin.group_index
            %2: bool = eq %1, %0
            %3: ref<function, records<group, R>> = local $0
            if %2 {{
                %4: records<group, R> = allocate group 0[%0], %1
                store %3, %4
            }}
            %5: records<group, R> = load %3
            complete %5
        }}"
    ));
    let before = module.clone();
    let error = passes::promote(&mut module.functions["f"]).unwrap_err();
    assert_eq!((error.function.as_str(), error.local.as_str()), ("f", "mine"));
    assert_eq!(before.functions.len(), module.functions.len());
}

fn promoted(body: &str) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {body} }}"));
    passes::promote(&mut module.functions["f"]).unwrap();
    passes::dead(&mut module, &[]);
    body_of_f(&module)
}

#[test]
fn loads_after_one_store_are_its_value() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        store %0, %2
        %3: u32 = load %0
        %4: u32 = add %3, %2
        store %0, %4
        loop {
            %5: u32 = load %0
            store %1, %5
        }",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = add %1, %1
        loop {
        store %0, %2
        }";
    assert_eq!(out, lines(expected));
}

#[test]
fn a_local_that_a_loop_changes_stays() {
    let out = promoted(
        "local $0 i: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        store %0, %2
        loop {
            %3: u32 = load %0
            store %1, %3
        } continuing {
            %4: u32 = load %0
            %5: u32 = add %4, %2
            store %0, %5
        }",
    );
    assert!(out.contains("load %0") && out.contains("continuing"), "{out}");
    assert_eq!(out.matches("store %0").count(), 2, "{out}");
    assert_eq!(out.matches("load %0").count(), 2, "{out}");
}

#[test]
fn branches_that_jump_do_not_count() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = 1
        %3: u32 = 2
        %4: u32 = load %1
        %5: bool = eq %4, %2
        store %0, %2
        if %5 {
            store %0, %3
            %6: u32 = load %0
            store %1, %6
            return
        }
        %7: u32 = load %0
        store %1, %7",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = 1
        %2: u32 = 2
        %3: u32 = load %0
        %4: bool = eq %3, %1
        if %4 {
        store %0, %2
        return
        }
        store %0, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn a_break_out_of_a_case_carries_its_store() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        store %0, %2
        switch %2 {
            case 1 {
                %3: u32 = 9
                store %0, %3
                %4: bool = eq %3, %2
                if %4 { break }
                return
            }
        }
        %5: u32 = load %0
        store %1, %5",
    );
    assert!(out.contains("load %0\nstore %1"), "{out}");
}

#[test]
fn a_store_before_a_break_in_a_branch_is_seen_after_the_switch() {
    let out = promoted(
        "local $0 a: u32
        %0: ref<function, u32> = local $0
        %1: ref<private, u32> = global @g
        %2: u32 = load %1
        %3: u32 = 9
        store %0, %2
        switch %2 {
            case 1 {
                %4: bool = eq %3, %2
                if %4 {
                    store %0, %3
                    break
                }
            }
            case 2 {
                loop {
                    store %1, %3
                    break
                }
            }
        }
        %5: u32 = load %0
        store %1, %5",
    );
    assert!(out.contains("store %0, %3\nbreak"), "{out}");
    assert!(out.contains("load %0\nstore %1"), "{out}");
}

fn folded(body: &str) -> String {
    let mut module = read(&format!("global @g: private u32\n{ENTRY}fn @f() -> void {{ {body} }}"));
    module.functions.values_mut().for_each(passes::fold);
    check(&module);
    passes::dead(&mut module, &[]);
    body_of_f(&module)
}

#[test]
fn constants_fold_through_branches() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = 40
        %2: u32 = 2
        %3: u32 = add %1, %2
        %4: bool = lt %1, %2
        if %4 {
            store %0, %1
        } else {
            %5: u32x3 = compose %3, %1, %2
            %6: u32 = extract %5, 0
            store %0, %6
            return
        }
        store %0, %2",
    );
    assert_eq!(out, "%0: ref<private, u32> = global @g\n%1: u32 = 42\nstore %0, %1\nreturn");
}

#[test]
fn a_switch_on_a_constant_keeps_its_case() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: i32 = -1
        %2: u32 = 5
        %3: u32 = 6
        switch %1 {
            case 0 { store %0, %2 break }
            case -1 { store %0, %3 break }
        }
        store %0, %2",
    );
    let expected = "
        %0: ref<private, u32> = global @g
        %1: u32 = 5
        %2: u32 = 6
        store %0, %2
        store %0, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn a_case_that_breaks_in_the_middle_stays_a_switch() {
    let out = folded(
        "%0: ref<private, u32> = global @g
        %1: u32 = load %0
        %2: u32 = 0
        %3: bool = eq %1, %2
        switch %2 {
            case 0 {
                if %3 { break }
                store %0, %2
            }
        }",
    );
    assert!(out.contains("switch"), "{out}");
}

#[test]
fn dead_code_goes_and_effects_stay() {
    let mut module = read(&format!(
        "global @g: private u32
        global @unused: private u32
        global @shared: workgroup u32
        {ENTRY}fn @f() -> void {{
            local $0 never: [u32; 4 stride 4]
            local $1 read: u32
            %0: u32 = 1
            %1: ref<private, u32> = global @unused
            %2: u32 = load %1
            %3: u32 = mul %2, %0
            %4: ref<function, [u32; 4 stride 4]> = local $0
            %5: ref<function, u32> = index %4, %0
            store %5, %3
            %6: bool = eq %2, %0
            if %6 {{ store %5, %0 }}
            %7: ref<workgroup, u32> = global @shared
            %8: u32 = atomic.add %7, %0 device relaxed
            %9: ref<function, u32> = local $1
            store %9, %0
            %10: u32 = load %9
            %11: ref<private, u32> = global @g
            store %11, %10
        }}
        fn @nobody() -> void {{ }}"
    ));
    passes::dead(&mut module, &[]);
    let expected = "
        local $0 read: u32
        %0: u32 = 1
        %1: ref<workgroup, u32> = global @shared
        %2: u32 = atomic.add %1, %0 device relaxed
        %3: ref<function, u32> = local $0
        store %3, %0
        %4: u32 = load %3
        %5: ref<private, u32> = global @g
        store %5, %4";
    assert_eq!(body_of_f(&module), lines(expected));
    assert_eq!(module.functions.len(), 1);
    assert_eq!(module.globals.keys().collect::<Vec<_>>(), ["g", "shared"]);
}

#[test]
fn a_condition_of_a_live_branch_is_live() {
    let mut module = read(&format!(
        "global @g: private u32
        {ENTRY}fn @f() -> void {{
            local $0 a: u32
            %0: ref<private, u32> = global @g
            %1: u32 = load %0
            %2: u32 = 3
            %3: bool = lt %1, %2
            %4: ref<function, u32> = local $0
            store %4, %1
            if %3 {{
                loop {{ break }}
                store %4, %2
            }}
            %5: u32 = load %4
            store %0, %5
        }}"
    ));
    let before = print(&module);
    passes::dead(&mut module, &[]);
    assert_eq!(print(&module), before);
}

// ---- resources

const RESOURCES: &str =
    "struct S size 0 align 1 { image: rwimage<2d, u32x1> @0, data: ref<storage, [u32 stride 4]> @0, n: u32 @0 }
    global @images: rwimage<2d, u32x1> set 0 binding 0 count 2
    global @a: buffer<u32 stride 4> writable counter @count_a set 0 binding 1
    global @count_a: buffer<u32 stride 4> writable set 0 binding 2
    global @b: buffer<u32 stride 4> writable counter @count_b set 0 binding 3 count 2
    global @count_b: buffer<u32 stride 4> writable set 0 binding 4 count 2
    global @shared: buffer<u32 stride 4> writable coherent set 0 binding 5
";

fn resolved(body: &str) -> String {
    let mut module = read(&format!("{RESOURCES}{ENTRY}fn @f() -> void {{ {body} }}"));
    passes::split(&mut module.functions["f"]).unwrap();
    passes::promote(&mut module.functions["f"]).unwrap();
    passes::counters(&mut module).unwrap();
    passes::dead(&mut module, &[]);
    body_of_f(&module)
}

#[test]
fn resources_in_a_structure_become_the_resources() {
    let out = resolved(
        "local $0 s: S
        local $1 t: S
        %0: descriptors<rwimage<2d, u32x1>, 2> = global @images
        %1: u32 = 1
        %2: rwimage<2d, u32x1> = descriptor %0, %1
        %3: ref<storage, [u32 stride 4]> = global @a
        %4: u32 = 7
        %5: S = compose %2, %3, %4
        %6: ref<function, S> = local $0
        store %6, %5
        %7: S = load %6
        %8: ref<function, S> = local $1
        store %8, %7
        %9: ref<function, ref<storage, [u32 stride 4]>> = field %8, 1
        %10: ref<storage, [u32 stride 4]> = load %9
        %11: ref<function, u32> = field %8, 2
        %12: u32 = load %11
        %13: ref<storage, u32> = index %10, %12
        store %13, %1",
    );
    let expected = "%0: u32 = 1
        %1: ref<storage, [u32 stride 4]> = global @a
        %2: u32 = 7
        %3: ref<storage, u32> = index %1, %2
        store %3, %0";
    assert_eq!(out, lines(expected));
}

#[test]
fn an_array_of_resources_in_a_local_has_constant_indexes() {
    let text = format!(
        "{RESOURCES}{ENTRY}fn @f() -> void {{
            local $0 list: [sampler; 2 stride 0]
            %0: u32 = builtin.group_index
            %1: ref<function, [sampler; 2 stride 0]> = local $0
            %2: ref<function, sampler> = index %1, %0
        }}"
    );
    let error = passes::split(&mut read(&text).functions["f"]).unwrap_err();
    assert_eq!((error.function.as_str(), error.local.as_str()), ("f", "list[0]"));
}

#[test]
fn what_a_variable_holds_may_be_coherent() {
    let out = resolved(
        "local $0 x: ref<storage, [u32 stride 4]>
        %0: ref<storage.coherent, [u32 stride 4]> = global @shared
        %1: ref<function, ref<storage, [u32 stride 4]>> = local $0
        store %1, %0
        %2: ref<storage, [u32 stride 4]> = load %1
        %3: u32 = 5
        %4: ref<storage, u32> = index %2, %3
        store %4, %3",
    );
    let expected = "%0: ref<storage.coherent, [u32 stride 4]> = global @shared
        %1: u32 = 5
        %2: ref<storage.coherent, u32> = index %0, %1
        store %2, %1";
    assert_eq!(out, lines(expected));
}

#[test]
fn counters_are_the_words_that_go_with_the_buffer() {
    let out = resolved(
        "%0: u32 = 1
        %1: ref<storage, [u32 stride 4]> = global @a
        %2: ref<storage, u32> = counter %1
        %3: u32 = atomic.add %2, %0 device relaxed
        %4: descriptors<ref<storage, [u32 stride 4]>, 2> = global @b
        %5: ref<storage, [u32 stride 4]> = descriptor %4, %3
        %6: ref<storage, u32> = counter %5
        %7: u32 = atomic.add %6, %0 device relaxed",
    );
    assert!(out.contains("global @count_a") && out.contains("global @count_b"), "{out}");
    assert!(!out.contains("global @a") && !out.contains("global @b"), "{out}");
    assert_eq!(out.lines().filter(|l| l.contains("= descriptor")).count(), 1, "{out}");
}

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
