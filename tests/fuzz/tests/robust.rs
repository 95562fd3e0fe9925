//! Any text gives diagnostics or output. Programs of the tests are truncated at a token, or lose a token. They pass
//! through the whole compiler without a panic, an internal error or an invalid module.
//!
//! The choice of mutants is fixed, and their number is bounded so that the test takes seconds.

use std::path::PathBuf;
use wgc_compiler::Session;
use wgc_compiler::loader::PreloadedFiles;
use wgc_compiler::report::{Format, to_string};
use wgc_fuzz::mutate::tokens;
use wgc_fuzz::targets::compile::{check, emulated, native};
use wgc_fuzz::{seeds, with_stack};
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// Mutants of each kind for each program; the campaign tries others.
const PREFIXES: usize = 2;
const DELETIONS: usize = 2;

fn programs_in(folders: &[&str]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for dir in folders {
        let files = std::fs::read_dir(seeds::root().join(dir)).expect("the directory exists");
        all.extend(
            files.map(|f| f.expect("it can be read").path()).filter(|f| f.extension().is_some_and(|e| e == "hlsl")),
        );
    }
    all.sort();
    all
}

fn programs() -> Vec<PathBuf> {
    programs_in(&["examples", "tests/run"])
}

/// Compiles a text for both targets, and panics on results that no text may cause.
fn survive(text: &[u8], what: &str) {
    for body in [check, native, emulated] {
        if let Err(broken) = body(text) {
            panic!("{what}: {broken}\n{}", String::from_utf8_lossy(text));
        }
    }
}

/// Returns a session with one text in memory.
fn session(text: &str) -> Session {
    let mut given = PreloadedFiles::default();
    given.add("mutant.hlsl", text.as_bytes().to_vec());
    Session::of_given(vec![("mutant.hlsl", Options::default())], Options::default(), given)
}

/// Returns every `n`-th of `len` indexes, so that `count` remain; they differ from program to program.
fn sampled(len: usize, count: usize, salt: usize) -> impl Iterator<Item = usize> {
    let step = (len / count).max(1);
    (0..len).skip(salt * 7 % step).step_by(step)
}

#[test]
fn prefixes_give_diagnostics_or_output() {
    with_stack(|| {
        for (salt, program) in programs().iter().enumerate() {
            let text = std::fs::read(program).expect("it can be read");
            let tokens = tokens(&text);
            for n in sampled(tokens.len(), PREFIXES, salt) {
                survive(&tokens[..=n].concat(), &format!("{} up to token {n}", program.display()));
            }
        }
    });
}

#[test]
fn programs_without_a_token_give_diagnostics_or_output() {
    with_stack(|| {
        for (salt, program) in programs().iter().enumerate() {
            let text = std::fs::read(program).expect("it can be read");
            let tokens = tokens(&text);
            for n in sampled(tokens.len(), DELETIONS, salt + 3) {
                let mutant = [&tokens[..n], &tokens[n + 1..]].concat().concat();
                survive(&mutant, &format!("{} without token {n}", program.display()));
            }
        }
    });
}

/// A library leaves some errors unchecked, because other nodes may reach it. None of them leads to an invalid module.
#[test]
fn unchecked_library_errors_never_yield_invalid_modules() {
    with_stack(|| {
        let is_flow = |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("flow"));
        let flow = programs_in(&["tests/ui"]).into_iter().filter(is_flow);
        for program in programs_in(&["tests/ui/graph"]).into_iter().chain(flow) {
            let text = std::fs::read(&program).expect("it can be read");
            let library = [b"//@ options library\n", text.as_slice()].concat();
            survive(&library, &program.to_string_lossy());
        }
    });
}

/// Small texts that once looped forever, or needed exponential time or the whole stack.
#[test]
fn recursive_and_exploding_definitions_are_diagnosed() {
    with_stack(|| {
        let chain =
            |n: usize| (1..n).map(|k| format!("struct S{k} {{ S{} a; S{} b; }};\n", k - 1, k - 1)).collect::<String>();
        let node =
            "struct R { uint a; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")] void n(ThreadNodeInputRecord<R> r)";
        let cases = [
            ("a parameter of the function's own name as its type", "void f(f x) {}".to_string()),
            ("a result of the function's own name", "f f() {}".to_string()),
            (
                "a default argument that calls its function",
                format!("int f(int a = f()) {{ return a; }}\n{node} {{ f(); }}"),
            ),
            ("bases in a circle", format!("struct B : C {{}};\nstruct C : B {{}};\n{node} {{ B b; b.foo(); }}")),
            ("a record in itself", format!("struct A {{ A a; uint b; }};\n{node} {{ A a = (A)0; a.b = 1; }}")),
            (
                "a template of ever more",
                format!("template<int N> int f() {{ return f<N + 1>(); }}\n{node} {{ f<0>(); }}"),
            ),
            ("2^40 fields", format!("struct S0 {{ uint a; }};\n{}{node} {{ S39 s = (S39)1; }}", chain(40))),
            ("100 levels of records", format!("struct S0 {{ uint a; }};\n{}", chain(100))),
            ("600 levels of blocks", format!("{node} {{ {} ; }}", "if (r.Get().a)".repeat(600))),
        ];
        for (what, text) in &cases {
            let session = session(text);
            let has_error = session.diagnostics().iter().any(|d| d.severity == Severity::Error);
            assert!(has_error, "{what} is not diagnosed");
        }
    });
}

/// A missing bracket or separator causes one message, next to its place or at a brace that is then unmatched.
#[test]
fn a_missing_token_is_one_message() {
    with_stack(|| {
        let mut mistakes = 0;
        for (salt, name) in ["hello", "classify"].into_iter().enumerate() {
            let text =
                std::fs::read_to_string(seeds::root().join(format!("examples/{name}.hlsl"))).expect("it is there");
            let code = |at: usize| !text[..at].rsplit('\n').next().is_some_and(|line| line.contains("//"));
            let marks: Vec<usize> =
                text.match_indices(['(', ')', '{', '}', '[', ']', ';', ',', '<', '>', '=', '.']).map(|m| m.0).collect();
            let marks: Vec<usize> = marks.into_iter().filter(|at| code(*at)).collect();
            for n in sampled(marks.len(), 20, salt) {
                let at = marks[n];
                let mutant = format!("{} {}", &text[..at], &text[at + 1..]);
                let session = session(&mutant);
                let errors: Vec<_> =
                    session.diagnostics().into_iter().filter(|d| d.severity == Severity::Error).collect();
                let shown = to_string(&errors, Format::Short, &|p| session.text(p));
                if errors.is_empty() {
                    // For example, `<=` has become `<`.
                    continue;
                }
                mistakes += 1;
                let missing = format!("`{}` of {name} at {at}", &text[at..=at]);
                assert_eq!(errors.len(), 1, "{missing}\n{shown}");
                let lines = |range: std::ops::Range<usize>| mutant[range].matches('\n').count();
                let found = errors[0].labels[0].range.lo as usize;
                let off = lines(found.min(at)..found.max(at));
                assert!(off <= 2 || shown.contains("unmatched"), "{missing}: {off} lines away\n{shown}");
            }
        }
        assert!(mistakes > 35, "only {mistakes} of 40 are mistakes");
    });
}
