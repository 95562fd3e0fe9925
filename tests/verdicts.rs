//! `wgc check` and the compilation agree: over every program of the tests, for both targets, they accept the same
//! programs. A refusal of a target has a code and a location, and both report the same.
//!
//! `tests/refused/` has valid programs that a target refuses: `//~ amdx WG0504` names the targets and the code on the
//! line of the diagnostic.

mod support;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use support::{in_parallel, root};
use wgc_compiler::{Failure, Session, Target};
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// Stack for programs with the deepest allowed nesting.
const STACK: usize = 256 << 20;

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for entry in entries {
        if entry.is_dir() {
            sources(&entry, out);
        } else if entry.extension().is_some_and(|e| e == "hlsl") {
            out.push(entry);
        }
    }
}

/// Returns the options of a program, from its first line, as in `tests/ui.rs`.
fn options(file: &Path) -> Options {
    let text = String::from_utf8_lossy(&std::fs::read(file).expect("a file")).into_owned();
    let line = text.lines().next().and_then(|line| line.strip_prefix("//! ")).unwrap_or("");
    let mut options = Options { enable_16bit_types: !text.contains("min16"), ..Options::default() };
    match line.split(' ').collect::<Vec<_>>().as_slice() {
        ["version", year] => options.hlsl_version = year.parse().ok(),
        ["library"] => options.library = true,
        ["entries", names @ ..] => options.entries = Some(names.iter().map(|name| name.to_string()).collect()),
        ["host", host] => {
            options.host = Some(file.with_file_name(host).to_string_lossy().into_owned());
        }
        _ => {}
    }
    options
}

/// The result of a program: success, or the code and the location of the diagnostic that refuses it.
type Verdict = Result<(), (String, String, u32)>;

fn verdict<T>(session: &Session, result: Result<T, Failure>) -> Result<Verdict, String> {
    match result {
        Ok(_) => Ok(Ok(())),
        Err(Failure::Source(diagnostic)) => {
            let range = &diagnostic.labels.first().ok_or("a diagnostic without a place")?.range;
            if diagnostic.severity != Severity::Error || !session.files().iter().any(|file| **file == *range.file) {
                return Err(format!("{} `{}` is at {range:?}", diagnostic.code, diagnostic.message));
            }
            Ok(Err((diagnostic.code.to_string(), diagnostic.message, range.lo)))
        }
        Err(other) => Err(format!("{other:?}")),
    }
}

/// Compares both verdicts for a target; returns whether it refuses the program.
fn compare(session: &Session, target: Target) -> Result<bool, String> {
    let checked = verdict(session, session.check(target)).map_err(|e| format!("check: {e}"))?;
    let compiled = match target {
        _ if session.is_compute() => verdict(session, session.compute()),
        Target::Amdx => verdict(session, session.native()),
        Target::Emulated => verdict(session, session.emulated(&session.emulated_options())),
    };
    let compiled = compiled.map_err(|e| format!("compile: {e}"))?;
    if checked != compiled {
        return Err(format!("check: {checked:?}, compile: {compiled:?}"));
    }
    Ok(checked.is_err())
}

#[test]
fn check_and_compilation_agree() {
    let mut files = Vec::new();
    for folder in ["tests", "examples"] {
        sources(&root().join(folder), &mut files);
    }
    let (accepted, refused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let of_file = |file: &PathBuf| {
        let name = file.to_string_lossy().replace('\\', "/");
        let session = Session::new(&[&name], options(file));
        if session.diagnostics().iter().any(|d| d.severity == Severity::Error) {
            return None;
        }
        let of_target = |target| match compare(&session, target) {
            Ok(false) => {
                accepted.fetch_add(1, Ordering::Relaxed);
                None
            }
            Ok(true) => {
                refused.fetch_add(1, Ordering::Relaxed);
                None
            }
            Err(why) => Some(format!("{name}, {target:?}: {why}\n")),
        };
        TARGETS.into_iter().filter_map(|(_, target)| of_target(target)).reduce(|a, b| a + &b)
    };
    in_parallel(&files, |file| {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || of_file(file));
            let joined = thread.expect("a thread").join();
            joined.unwrap_or_else(|_| Some(format!("{}: a panic\n", file.display())))
        })
    });
    // Both verdicts occur.
    assert!(accepted.load(Ordering::Relaxed) > 300, "{accepted:?} are accepted");
    assert!(refused.load(Ordering::Relaxed) > 20, "{refused:?} are refused");
}

const TARGETS: [(&str, Target); 2] = [("emulated", Target::Emulated), ("amdx", Target::Amdx)];

/// Returns line and code of the marker of a target.
fn expected(text: &str, target: &str) -> Option<(usize, String)> {
    text.lines().enumerate().find_map(|(n, line)| {
        let words: Vec<&str> = line.split_once("//~")?.1.split_whitespace().collect();
        words.contains(&target).then(|| (n + 1, words.last().unwrap_or(&"").to_string()))
    })
}

#[test]
fn refusals_have_codes_and_locations() {
    let mut files = Vec::new();
    sources(&root().join("tests/refused"), &mut files);
    assert!(files.len() >= 10, "there are programs that targets refuse");
    in_parallel(&files, |file| {
        let name = file.to_string_lossy().replace('\\', "/");
        let text = std::fs::read_to_string(file).expect("a file");
        let session = Session::new(&[&name], options(file));
        let errors = session.diagnostics().into_iter().filter(|d| d.severity == Severity::Error).count();
        let of_target = |(shown, target): (&str, Target)| {
            let found = match verdict(&session, session.check(target)) {
                Ok(Ok(())) => None,
                Ok(Err((code, _, lo))) => Some((text[..lo as usize].matches('\n').count() + 1, code)),
                Err(why) => return Some(format!("{name}, {shown}: {why}\n")),
            };
            let expected = expected(&text, shown);
            (errors > 0 || found != expected)
                .then(|| format!("{name}, {shown}: {errors} errors; expected {expected:?}, found {found:?}\n"))
        };
        TARGETS.into_iter().filter_map(of_target).reduce(|a, b| a + &b)
    });
}
