//! The examples in the table of diagnostics: the wrong one gets its diagnostic and no other, the right one gets none.
//!
//! `wgc check` compiles each of them in its own directory. `wgc_sema::tables::codes` defines the conventions for files,
//! options and command lines. So the examples that `wgc explain` prints can be pasted, and behave as described.

mod support;

use support::{Ran, Scratch, wgc};
use wgc_sema::tables::codes::{Code, Row, Severity, TABLE};

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
    fn read(row: &Row, text: &str) -> Example {
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
fn messages(row: &Row, text: &str) -> (Vec<(String, String)>, Ran) {
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
fn wanted(row: &Row) -> Vec<(String, String)> {
    let is_silent = SILENT.iter().any(|s| s.0.row().code == row.code);
    let severity = row.severity.max(Severity::Warning);
    let code = if is_silent { "none" } else { row.code };
    vec![(code.to_string(), severity.to_string())]
}

/// Describes an example with messages other than these, or with an exit status that does not match them.
fn complaint(row: &Row, which: &str, text: &str, wanted: &[(String, String)]) -> Option<String> {
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
fn examples_get_what_they_are_examples_of() {
    let complaints: Vec<String> = TABLE
        .iter()
        .flat_map(|row| [complaint(row, "wrong", row.bad, &wanted(row)), complaint(row, "right", row.good, &[])])
        .flatten()
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.concat());
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
