//! The examples in the registry of codes: the wrong one gets its code and no other, the right one gets none.
//!
//! `wgc check` compiles those of the compiler, each in its own directory, and `wgc run` executes those of the CPU device.
//! `wgc_sema::tables::codes` and `runtime/src/cpu/findings.rs` define the conventions for files, options and command
//! lines. So the examples that `wgc explain` prints can be pasted, and behave as described.
//!
//! Each code is also reported by a test that was written for it: a marked line of `tests/ui` or `tests/refused`, or a
//! test that [`ELSEWHERE`] names.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use support::{Ran, Scratch, root, wgc};
use wgc_compiler::registry::page::run_file;
use wgc_compiler::registry::{CodeKind, Entry, all};
use wgc_runtime::cpu::EXAMPLE_COMMAND;
use wgc_sema::tables::codes::{Code, CodeRow, Severity, TABLE};

/// Codes without a marked line: the file of a test that expects them, its function, and the reason.
const ELSEWHERE: &[(&str, &str, &str, &str)] = &[
    ("WG0100", "sema/tests/files.rs", "missing_requirements_are_reported", "it has no line"),
    ("WG0124", "sema/tests/files.rs", "the_contract_of_a_compute_shader", "`-E` names the entry point"),
    ("WG0384", "tests/cli/native.rs", "atomics_on_records_are_warnings_errors_or_nothing", "a warning of one target"),
    ("WG0387", "tests/cli/local_roots.rs", "unsupported_address_uses_are_rejected_at_declaration", "many variants"),
    ("WG0502", "tests/cli/main.rs", "unset_resources_are_diagnosed_at_their_declaration", "several files"),
    ("WG0560", "sema/tests/limits.rs", "values_of_functions_and_programs_are_limited", "the program is generated"),
    ("WG4016", "runtime/tests/cpu_meshes.rs", "mesh_errors_are_reported", "no source has it"),
    ("WG4021", "runtime/tests/cpu_graphs.rs", "finishing_records_of_the_host_is_reported", "no source has it"),
];

/// Codes that only their examples report, with the reason.
const EXAMPLE_ONLY: &[(&str, &str)] = &[
    ("WG0001", "`tests/ui` has only files in UTF-8"),
    ("WG0339", "`-T` selects the shader model"),
    ("WG0354", "the program is long"),
];

/// Diagnostics that the command prints without their code, with the reason.
const SILENT: &[(Code, &str)] =
    &[(Code::FileNotFound, "the command opens its files itself: it stops with status 2 before anything is compiled")];

/// The shader that an example refers to when it is a command line.
const SHADER: &str = "[Shader(\"compute\")] [NumThreads(8, 1, 1)]\nvoid main() { }\n";

/// The replacement for a byte that is not UTF-8.
const NOT_UTF8: &str = "\u{fffd}";

/// An example as a directory and a command line.
struct Example {
    files: Vec<(String, Vec<u8>)>,
    arguments: Vec<String>,
}

impl Example {
    fn read(row: &CodeRow, text: &str) -> Example {
        let words = |text: &str| text.split_whitespace().map(String::from).collect::<Vec<_>>();
        let mut example = match text.strip_prefix("wgc ") {
            Some(arguments) => {
                Example { files: vec![("shader.hlsl".into(), SHADER.into())], arguments: words(arguments) }
            }
            None => {
                let (options, text) = match text.strip_prefix("// options: ") {
                    Some(rest) => rest.split_once('\n').unwrap_or((rest, "")),
                    None => ("", text),
                };
                let mut arguments = vec!["check".to_string(), "example.hlsl".to_string()];
                arguments.extend(words(options));
                Example { files: files(text), arguments }
            }
        };
        if row.code < "WG0300" {
            example.arguments.extend(["--allow".into(), Code::NoNodes.to_string()]);
        }
        if row.severity == Severity::Hint {
            example.arguments.extend(["--warn".into(), row.code.into()]);
        }
        example.arguments.extend(["--message-format".into(), "json".into()]);
        example
    }

    fn run(&self) -> Ran {
        let dir = self.files.iter().fold(Scratch::new(), |dir, (name, bytes)| dir.with(name, bytes));
        wgc(&dir.0, &self.arguments)
    }
}

/// Splits the program from the files that follow it after lines `// file: NAME`.
fn files(text: &str) -> Vec<(String, Vec<u8>)> {
    let mut files = vec![("example.hlsl".to_string(), String::new())];
    for line in text.lines() {
        match line.strip_prefix("// file: ") {
            Some(name) => files.push((name.to_string(), String::new())),
            None => files.last_mut().expect("there is a first").1.extend([line, "\n"]),
        }
    }
    files.into_iter().map(|(name, text)| (name, bytes(&text))).collect()
}

fn bytes(text: &str) -> Vec<u8> {
    text.split(NOT_UTF8).map(str::as_bytes).collect::<Vec<_>>().join(&0xff)
}

/// Returns code and severity of each message of an example, sorted and without duplicates, and the whole output.
fn messages(row: &CodeRow, text: &str) -> (Vec<(String, String)>, Ran) {
    let ran = Example::read(row, text).run();
    let out = ran.out();
    let mut found: Vec<(String, String)> = out
        .lines()
        .map(|line| {
            let message: serde_json::Value = serde_json::from_str(line).expect("a line is an object");
            let text = |key: &str| message[key].as_str().unwrap_or("none").to_string();
            (text("code"), text("severity"))
        })
        .collect();
    found.sort();
    found.dedup();
    (found, ran)
}

/// Returns the expected messages of a row's wrong example, in the form of [`messages`].
fn wanted(row: &CodeRow) -> Vec<(String, String)> {
    let is_silent = SILENT.iter().any(|s| s.0.row().code == row.code);
    let severity = row.severity.max(Severity::Warning);
    let code = if is_silent { "none" } else { row.code };
    vec![(code.to_string(), severity.to_string())]
}

/// Describes an example with messages other than these, or with an exit status that does not match them.
fn complaint(row: &CodeRow, which: &str, text: &str, wanted: &[(String, String)]) -> Option<String> {
    let (found, ran) = messages(row, text);
    let fails = wanted.iter().any(|(_, severity)| severity == "error");
    let is_right = found == wanted && (ran.status != 0) == fails && ran.stderr.is_empty();
    (!is_right).then(|| {
        let Ran { status, stderr, .. } = &ran;
        format!(
            "{} {}: the {which} example gets {found:?}, status {status}\n{}{stderr}\n",
            row.code,
            row.name,
            ran.out()
        )
    })
}

#[test]
fn code_examples_yield_exactly_their_diagnostic() {
    let complaints: Vec<String> = TABLE
        .iter()
        .flat_map(|row| [complaint(row, "wrong", row.bad, &wanted(row)), complaint(row, "right", row.good, &[])])
        .flatten()
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.concat());
}

/// Runs an example of the CPU device; returns its findings, sorted and without duplicates, and the output.
fn findings(entry: &Entry, text: &str) -> (Vec<String>, Ran) {
    let default = run_file(entry).map(|text| ("run.json".to_string(), text.as_bytes().to_vec()));
    let all = files(text).into_iter().chain(default);
    let dir = all.fold(Scratch::new(), |dir, (name, bytes)| dir.with(&name, bytes));
    let ran = wgc(&dir.0, EXAMPLE_COMMAND.split(' ').skip(1));
    let out = ran.out();
    let codes = out.lines().filter_map(|line| Some(line.strip_prefix("warning[")?.split_once("]: ")?.0.to_string()));
    (codes.collect::<BTreeSet<_>>().into_iter().collect(), ran)
}

#[test]
fn device_examples_yield_exactly_their_finding() {
    let mut complaints = String::new();
    for entry in all().iter().filter(|entry| matches!(entry.kind, CodeKind::Finding { .. }) && !entry.bad.is_empty()) {
        for (which, text, wanted) in [("wrong", entry.bad, vec![entry.code]), ("right", entry.good, vec![])] {
            let (found, ran) = findings(entry, text);
            // The compiler may warn of a mistake that it only suspects.
            let is_silent = which == "wrong" || ran.stderr.is_empty();
            if found != wanted || ran.status != wanted.len() as i32 || !is_silent {
                let Ran { status, stderr, .. } = &ran;
                let out = ran.out();
                complaints += &format!("{}: the {which} example, status {status}\n{out}{stderr}\n", entry.code);
            }
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

/// Adds the codes of marked lines in the programs below a folder.
fn marked(folder: &Path, codes: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            marked(&path, codes);
        } else if path.extension().is_some_and(|extension| extension == "hlsl") {
            let text = std::fs::read(&path).expect("the file is there");
            let text = String::from_utf8_lossy(&text);
            let markers = text.lines().filter_map(|line| line.split_once("//~"));
            codes.extend(markers.flat_map(|(_, marker)| marker.split_whitespace().map(String::from)));
        }
    }
}

/// Returns whether a function of a file expects a code.
fn expects(file: &str, function: &str, code: &str) -> bool {
    let text = std::fs::read_to_string(root().join(file)).expect("the file is there");
    let body = text.split_once(&format!("#[test]\nfn {function}(")).map(|(_, rest)| rest);
    body.is_some_and(|rest| rest.split("\n#[test]\n").next().unwrap_or(rest).contains(code))
}

/// For rules of the verifier, `amdx.rs` and `verify.rs` in `spirv-module/tests` check the same.
#[test]
fn every_code_is_reported_by_a_test() {
    let mut codes = BTreeSet::new();
    for folder in ["tests/ui", "tests/refused"] {
        marked(&root().join(folder), &mut codes);
    }
    let mut complaints = String::new();
    for entry in all().iter().filter(|entry| entry.code.starts_with("WG")) {
        let code = entry.code;
        let elsewhere = ELSEWHERE.iter().find(|row| row.0 == code);
        let only = EXAMPLE_ONLY.iter().find(|row| row.0 == code);
        // Findings have no marked lines: their examples are run.
        let is_seen = codes.contains(code) || (matches!(entry.kind, CodeKind::Finding { .. }) && !entry.bad.is_empty());
        let is_listed = elsewhere.is_some() || only.is_some();
        if is_seen == is_listed {
            let what = if is_seen { "is listed here for no reason" } else { "is reported by no test" };
            complaints += &format!("{code} {} {what}\n", entry.name);
        }
        if let Some((_, file, function, _)) = elsewhere.filter(|row| !expects(row.1, row.2, code)) {
            complaints += &format!("{code}: `{function}` of {file} does not expect it\n");
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn examples_are_read_by_their_conventions() {
    let row = Code::Encoding.row();
    let example = Example::read(row, "// options: -D N=4 -I lib\nuint \u{fffd};\n// file: a.hlsl\nuint x;\n");
    assert_eq!(example.arguments[..6], ["check", "example.hlsl", "-D", "N=4", "-I", "lib"]);
    let wanted: [(String, Vec<u8>); 2] =
        [("example.hlsl".into(), b"uint \xff;\n".to_vec()), ("a.hlsl".into(), b"uint x;\n".to_vec())];
    assert_eq!(example.files, wanted);
}
