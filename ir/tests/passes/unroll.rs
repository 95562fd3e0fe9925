use super::{ENTRY, body_of_f, read};
use wgc_ir::passes;

const GLOBALS: &str = "global @g: private u32\n";

fn peeled(body: &str, local: &str) -> Option<String> {
    let mut module = read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{\n{body}\n}}\n"));
    let function = module.functions.get_mut("f").expect("it is there");
    let done = passes::peel(function, &local.into());
    let text = body_of_f(&module);
    done.then_some(text)
}

const COUNTED: &str = "local $0 j: u32
    local $1 chosen: u32
    %0: ref<function, u32> = local $0
    %1: ref<function, u32> = local $1
    %2: ref<private, u32> = global @g
    %3: u32 = 0
    %4: u32 = 1
    %5: u32 = 2
    store %0, %3
    loop {
        %6: u32 = load %0
        %7: bool = lt %6, %5
        if %7 {
        } else {
            break
        }
        %11: bool = lt %6, %4
        if %11 {
            store %1, %5
        } else {
            store %1, %3
        }
        %8: u32 = load %1
        store %2, %8
    } continuing {
        %9: u32 = load %0
        %10: u32 = add %9, %4
        store %0, %10
    }";

#[test]
fn repeated_peeling_unrolls_a_counted_loop() {
    let mut module = read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{\n{COUNTED}\n}}\n"));
    let function = module.functions.get_mut("f").expect("it is there");
    for _ in 0..3 {
        assert!(passes::peel(function, &"chosen".into()));
        for _ in 0..3 {
            passes::promote(function).expect("it holds numbers");
            passes::fold(function);
        }
    }
    let text = body_of_f(&module);
    assert!(!text.contains("loop") && !text.contains("switch"), "{text}");
    let stores: Vec<&str> = text.lines().filter(|l| l.starts_with("store %2")).collect();
    assert_eq!(stores.len(), 2, "{text}");
    let value = |line: &str| {
        let id = line.rsplit(' ').next().expect("a value").to_string();
        let found = text.lines().find(|l| l.starts_with(&format!("{id}: "))).map(|l| l.rsplit(' ').next());
        found.flatten().map(str::to_string)
    };
    assert_eq!(stores.iter().map(|s| value(s)).collect::<Vec<_>>(), [Some("2".into()), Some("0".into())], "{text}");
}

#[test]
fn peeled_iteration_is_wrapped_in_a_switch() {
    let text = peeled(COUNTED, "chosen").expect("there is a loop");
    let order: Vec<usize> =
        ["switch", "break", "add", "loop"].iter().map(|w| text.find(w).expect("it is there")).collect();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn unrelated_or_early_continuing_loops_are_not_peeled() {
    assert_eq!(peeled(COUNTED, "other"), None);
    let continued = COUNTED.replace("if %7 {\n        } else", "if %7 {\n continue\n        } else");
    assert_ne!(continued, COUNTED);
    assert_eq!(peeled(&continued, "chosen"), None);
    let in_switch = COUNTED.replace("%8: u32", "if %11 {\n switch %5 {\n case 1 {\n continue\n }\n }\n }\n%8: u32");
    assert_eq!(peeled(&in_switch, "chosen"), None);
}

#[test]
fn continues_in_peeled_iterations_exit_an_inner_switch() {
    let continued = COUNTED.replace("%8: u32", "if %11 {\n continue\n}\n%8: u32");
    let text = peeled(&continued, "chosen").expect("there is a loop");
    assert_eq!(text.matches("switch").count(), 2, "{text}");
    let iteration = text.split("loop").next().expect("the text before the loop");
    assert!(!iteration.contains("continue"), "{text}");
}

#[test]
fn peeling_keeps_the_exit_test_of_do_while_loops() {
    let tested = "local $0 j: u32
        %0: ref<function, u32> = local $0
        %1: u32 = 3
        loop {
            store %0, %1
        } continuing {
            %2: u32 = load %0
            %3: bool = eq %2, %1
        } break_if %3";
    let text = peeled(tested, "j").expect("there is a loop");
    let copy = text.split("loop").next().expect("the text before the loop");
    assert!(copy.contains("eq ") && copy.contains("break\n}"), "{text}");
}

#[test]
fn an_iteration_is_peeled_only_if_constants_decide_its_end() {
    let decided = |body: &str| {
        let mut module = read(&format!("{GLOBALS}{ENTRY}fn @f() -> void {{\n{body}\n}}\n"));
        let before = body_of_f(&module);
        let done = passes::peel_decided(&mut module.functions["f"], &"chosen".into());
        (done, before, body_of_f(&module))
    };
    let (done, _, text) = decided(COUNTED);
    assert!(done && !text.contains("switch") && text.contains("loop"), "{text}");
    // The iteration before the loop chose and stored the first value, 2.
    let iteration = text.split("loop").next().expect("the text before the loop");
    assert!(iteration.contains("store %2, %5"), "{text}");
    let unknown = COUNTED.replace("store %0, %3", "%12: u32 = builtin.group_index store %0, %12");
    let (done, before, text) = decided(&unknown);
    assert!(!done);
    assert_eq!(text, before);
}
