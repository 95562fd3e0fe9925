//! Compiles a case in this process, as the command line would, and returns its verdict.

use crate::corpus::{Case, SPIRV_DIR};
use crate::lines;
use crate::{Role, Verdict};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::{Arc, Once};
use wgc_compiler::commands::session;
use wgc_compiler::loader::Disk;
use wgc_compiler::{Failure, Session};
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::db::{Db, Options};
use wgc_sema::tables::codes::Severity;

/// The result of a case.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub verdict: Verdict,
    /// The first message, for a verdict that is not [`Verdict::Ok`].
    pub reason: Option<Reason>,
    /// Words of the module, for a compute case or for a graph of a SPIR-V test.
    pub module: Option<Vec<u32>>,
}

#[derive(Clone, Debug)]
pub struct Reason {
    /// `WG0101`, or empty without a diagnostic.
    pub code: String,
    pub message: String,
    /// From 1; 0 when unknown.
    pub line: u32,
}

/// Codes of text and syntax are below this number.
const FIRST_SEMANTIC_CODE: &str = "WG0100";

/// The number of programs that share one database. A new one then frees the memory of the files read.
const PROGRAMS: usize = 100;

thread_local! {
    /// A database for syntax checks, which reads the prelude once for many programs.
    static READER: RefCell<Option<(Compiler, usize)>> = const { RefCell::new(None) };
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Compiles a case of the tests under `root`. A crash is a verdict too.
pub fn compile(root: &Path, case: &Case) -> Outcome {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| panic::set_hook(Box::new(|info| PANIC.with(|p| *p.borrow_mut() = info.to_string()))));
    panic::catch_unwind(AssertUnwindSafe(|| attempt(root, case))).unwrap_or_else(|_| {
        let message = PANIC.with(|p| p.borrow().lines().collect::<Vec<_>>().join(" "));
        Outcome::failed(Verdict::Panic, Reason { code: String::new(), message, line: 0 })
    })
}

impl Outcome {
    fn ok() -> Outcome {
        Outcome { verdict: Verdict::Ok, reason: None, module: None }
    }

    pub fn failed(verdict: Verdict, reason: Reason) -> Outcome {
        Outcome { verdict, reason: Some(reason), module: None }
    }

    fn of_failure(verdict: Verdict, failure: Failure) -> Outcome {
        let (code, message) = match failure {
            Failure::Target(message) => (String::new(), message),
            Failure::Source(diagnostic) => (diagnostic.code.to_string(), diagnostic.message),
            Failure::Internal(error) => (String::new(), error.0),
        };
        Outcome::failed(verdict, Reason { code, message, line: 0 })
    }
}

fn attempt(root: &Path, case: &Case) -> Outcome {
    let path = root.join(&case.path).to_string_lossy().into_owned();
    let (session, text) = match case.role {
        Role::Parse => {
            let (errors, text) = syntax(&path, syntax_options(&path, case));
            return first_error(&errors, &text, Verdict::Ok).unwrap_or_else(Outcome::ok);
        }
        Role::Refused | Role::Effect | Role::Xfail => {
            syntax(&path, syntax_options(&path, case));
            return Outcome::ok();
        }
        Role::Lines | Role::Graph | Role::Compute => match session(&arguments(&path, case)) {
            Ok(session) => {
                let text = session.text(&path);
                (session, text)
            }
            Err(message) => {
                return Outcome::failed(Verdict::Check, Reason { code: String::new(), message, line: 0 });
            }
        },
    };
    if case.role == Role::Lines {
        return error_lines(&session.diagnostics(), &text);
    }
    if let Err(outcome) = lowered(&session, &text) {
        return outcome;
    }
    let module = match case.role {
        Role::Graph if !case.path.starts_with(SPIRV_DIR) => return Outcome::ok(),
        // A test about nodes may compile a compute shader in the same file.
        Role::Graph if !session.is_compute() => session.native(),
        _ => session.compute(),
    };
    match module {
        Ok(module) => Outcome { module: Some(module.words), ..Outcome::ok() },
        Err(failure) => Outcome::of_failure(Verdict::Emit, failure),
    }
}

/// Lowers a program to IR; returns the outcome if that fails.
fn lowered(session: &Session, text: &[u8]) -> Result<(), Outcome> {
    if let Some(outcome) = first_error(&session.diagnostics(), text, Verdict::Check) {
        return Err(outcome);
    }
    session.module().map(drop).map_err(|failure| Outcome::of_failure(Verdict::Lower, failure))
}

/// Returns the front end's diagnostics for a file, and its text.
fn syntax(path: &str, options: Options) -> (Vec<Rendered>, Arc<[u8]>) {
    // Taken out, so that a panic leaves no inconsistent database.
    let reader = READER.with(|r| r.borrow_mut().take()).filter(|(_, programs)| *programs < PROGRAMS);
    let (mut db, programs) = reader.unwrap_or_else(|| (Compiler::new(Box::new(Disk)), 0));
    let program = db.add_program(&[path], options);
    let errors = wgc_sema::report::diagnostics::syntax(&db, program);
    let text = db.file(path).text(&db);
    READER.with(|r| *r.borrow_mut() = Some((db, programs + 1)));
    (errors, text)
}

/// Returns the command line of a case.
fn arguments(path: &str, case: &Case) -> Vec<String> {
    let mut arguments: Vec<String> = vec!["--library".into()];
    let mut flags = case.flags.iter();
    while let Some(flag) = flags.next() {
        match flag.as_str() {
            "-I" => arguments.extend(flags.next().map(|dir| format!("-I{}", include_dir(path, dir)))),
            flag => arguments.push(flag.into()),
        }
    }
    // Tests of errors in nodes name profiles of other stages too; an entry point of a library belongs to one stage.
    let profile = value(case, "-T").unwrap_or_default();
    let mut without = |flag: &str| {
        if let Some(at) = arguments.iter().position(|a| a == flag) {
            arguments.drain(at..(at + 2).min(arguments.len()));
        }
    };
    if !profile.starts_with("cs_") {
        without("-E");
        if !profile.starts_with("lib_") {
            without("-T");
        }
    }
    arguments.push(path.into());
    arguments
}

/// Returns the options that affect the syntax of a program of any stage.
fn syntax_options(path: &str, case: &Case) -> Options {
    let mut options = Options { library: true, ..Options::default() };
    let values = |flag: &'static str| case.flags.windows(2).filter(move |p| p[0] == flag).map(|p| p[1].as_str());
    for define in values("-D") {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        options.defines.push((name.into(), value.into()));
    }
    options.include_dirs.extend(values("-I").map(|dir| include_dir(path, dir)));
    options.hlsl_version = value(case, "-HV").and_then(|year| year.parse().ok());
    options.enable_16bit_types = case.flags.iter().any(|f| f == "-enable-16bit-types");
    options
}

fn value<'a>(case: &'a Case, flag: &str) -> Option<&'a str> {
    case.flags.windows(2).find(|pair| pair[0] == flag).map(|pair| pair[1].as_str())
}

/// Include directories are relative to the test's directory.
fn include_dir(path: &str, dir: &str) -> String {
    let home = Path::new(path).parent().unwrap_or(Path::new("."));
    home.join(dir.replace("%S", ".")).to_string_lossy().into_owned()
}

/// Returns the first error as a verdict: `Syntax`, or `semantic`.
fn first_error(diagnostics: &[Rendered], text: &[u8], semantic: Verdict) -> Option<Outcome> {
    let mut errors = diagnostics.iter().filter(|d| d.severity == Severity::Error).map(|d| reason(d, text));
    let first = errors.next()?;
    let syntax = std::iter::once(&first).chain(&errors.collect::<Vec<_>>()).find(|r| is_syntax(r)).cloned();
    Some(match syntax {
        Some(reason) => Outcome::failed(Verdict::Syntax, reason),
        None => Outcome::failed(semantic, first),
    })
}

fn is_syntax(reason: &Reason) -> bool {
    reason.code.as_str() < FIRST_SEMANTIC_CODE
}

fn reason(d: &Rendered, text: &[u8]) -> Reason {
    let line = line(text, d.labels[0].range.lo);
    Reason { code: d.code.to_string(), message: d.message.clone(), line }
}

fn line(text: &[u8], offset: u32) -> u32 {
    let before = text.get(..offset as usize).unwrap_or(text);
    before.iter().filter(|b| **b == b'\n').count() as u32 + 1
}

/// Compares the lines with errors with the lines that the test expects.
fn error_lines(diagnostics: &[Rendered], text: &[u8]) -> Outcome {
    let expected = lines::expected(&String::from_utf8_lossy(text));
    let found: BTreeSet<u32> = diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .map(|d| line(text, d.labels[0].range.lo))
        .collect();
    if expected == found {
        return Outcome::ok();
    }
    let list = |lines: Vec<&u32>| lines.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    let missing = list(expected.difference(&found).collect());
    let extra = list(found.difference(&expected).collect());
    let message = match (missing.is_empty(), extra.is_empty()) {
        (false, true) => format!("no error on lines {missing}"),
        (true, _) => format!("errors on lines {extra}"),
        _ => format!("no error on lines {missing}; errors on lines {extra}"),
    };
    Outcome::failed(Verdict::Differs, Reason { code: String::new(), message, line: 0 })
}
