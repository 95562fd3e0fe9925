//! Joins modules: equal symbols are shared, clashing ones are renamed, and callers of renamed ones are not shared.

use wgc_ir::merge::merge;
use wgc_ir::{Module, Symbol, parse, print, verify};

const A: &str = "
global @state: private u32 = zero
global @table: private u32 = zero
entry \"a\" = @a threads 1 1 1
fn @a() -> void {
  call @outer()
}
fn @outer() -> void {
  call @inner()
}
fn @inner() -> void {
  %0: u32 = 1
  %1: ref<private, u32> = global @state
  store %1, %0
}
fn @same() -> void {
  %0: u32 = 3
  %1: ref<private, u32> = global @table
  store %1, %0
}
";

fn module(text: &str) -> Module {
    parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

fn joined(b: &str) -> (Module, Vec<(String, String)>) {
    let mut all = module(A);
    let renamed = merge(&mut all, module(b), "b");
    if let Err(errors) = verify(&all) {
        panic!("{errors:?}\n{}", print(&all));
    }
    let mut renamed: Vec<_> = renamed.into_iter().map(|(from, to)| (from.to_string(), to.to_string())).collect();
    renamed.sort();
    (all, renamed)
}

fn names(module: &Module) -> Vec<&str> {
    module.functions.keys().chain(module.globals.keys()).map(Symbol::as_str).collect()
}

#[test]
fn merging_an_equal_module_adds_only_entries() {
    let (all, renamed) = joined(&A.replace("entry \"a\"", "entry \"b\""));
    assert!(renamed.is_empty());
    assert_eq!(names(&all), names(&module(A)));
    assert_eq!(
        all.entries.iter().map(|e| (e.name.as_str(), e.function.as_str())).collect::<Vec<_>>(),
        [("a", "a"), ("b", "a")]
    );
}

/// `inner` differs, so `outer` and `a`, whose text is equal, call another function and differ too. `same` and the
/// globals are unchanged.
#[test]
fn callers_of_differing_functions_are_not_shared() {
    let (all, renamed) = joined(&A.replace("entry \"a\"", "entry \"b\"").replace("%0: u32 = 1", "%0: u32 = 2"));
    let own = |name: &str| (name.to_string(), format!("b::{name}"));
    assert_eq!(renamed, [own("a"), own("inner"), own("outer")]);
    assert_eq!(all.entries[1].function, "b::a");
    let text = print(&all);
    assert_eq!(text.matches("@\"b::inner\"()").count(), 2, "defined and called once:\n{text}");
    assert_eq!(text.matches("fn @same").count(), 1, "{text}");
    assert_eq!(text.matches("global @state").count(), 3, "one definition, two uses:\n{text}");
}

#[test]
fn users_of_differing_globals_are_renamed_too() {
    let (all, renamed) =
        joined(&A.replace("entry \"a\"", "entry \"b\"").replace("@state: private u32 = zero", "@state: private u32"));
    assert!(renamed.iter().any(|r| r.1 == "b::state") && renamed.iter().any(|r| r.1 == "b::inner"), "{renamed:?}");
    assert!(!renamed.iter().any(|r| r.0 == "same" || r.0 == "table"), "{renamed:?}");
    assert_eq!(all.globals.len(), 3);
}

#[test]
fn merging_avoids_names_that_are_already_taken() {
    let b = "fn @inner() -> void {\n  %0: u32 = 2\n}\nfn @\"b::inner\"() -> void {\n  call @inner()\n}\n";
    let (all, renamed) = joined(b);
    assert_eq!(renamed, [("inner".to_string(), "b::inner'".to_string())]);
    assert!(all.functions.contains_key("b::inner") && all.functions.contains_key("b::inner'"));
}
