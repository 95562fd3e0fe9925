//! The server's diagnostics of a file equal those of `wgc check`: as a file, and as a program of `wgc.json`.

use crate::client::Client;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use wgc_compiler::Session;
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// Code, severity as in the protocol, line from 0, message.
type DiagnosticRow = (String, u64, u64, String);

/// The note about moved registers, which is only reported on request.
const QUIET: &str = "WG0132";

/// Returns the texts below a folder, by their relative paths.
fn files(folder: &Path, below: &str, out: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder.join(below)).expect("a folder").flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.strip_prefix(folder).expect("inside").to_string_lossy().replace('\\', "/");
        if path.is_dir() {
            files(folder, &name, out);
        } else if fs::read_to_string(&path).is_ok() {
            out.push((name, path));
        }
    }
}

/// Returns errors and warnings about the file itself.
fn checked(path: &str) -> Vec<DiagnosticRow> {
    let session = Session::new(&[path], Options::default());
    let text = session.text(path);
    let mut all: Vec<DiagnosticRow> = Vec::new();
    for diagnostic in session.diagnostics() {
        let severity = match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Hint => continue,
        };
        let Some(at) = diagnostic.labels.first().map(|label| &label.range).filter(|range| &*range.file == path) else {
            continue;
        };
        let before = &text[..at.lo as usize];
        // Any of these ends a line.
        let line = before
            .iter()
            .zip(before.iter().skip(1).chain([&0]))
            .filter(|(a, b)| **a == b'\n' || **a == b'\r' && **b != b'\n');
        all.push((diagnostic.code.to_string(), severity, line.count() as u64, first_line(&diagnostic.message)));
    }
    sorted(all)
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().to_owned()
}

fn sorted(mut all: Vec<DiagnosticRow>) -> Vec<DiagnosticRow> {
    all.retain(|row| row.0 != QUIET);
    all.sort();
    all.dedup();
    all
}

/// Returns the published diagnostics of a file, which is opened and closed again.
fn shown(client: &mut Client, path: &Path) -> Vec<DiagnosticRow> {
    let uri = format!("file://{}", path.display());
    client.open(&uri, &fs::read_to_string(path).expect("text"));
    client.diagnostics(&uri);
    let read = |diagnostic: &Value| {
        let code = diagnostic["code"].as_str().unwrap_or_default().to_owned();
        let line = diagnostic["range"]["start"]["line"].as_u64().expect("a line");
        (
            code,
            diagnostic["severity"].as_u64().expect("one"),
            line,
            first_line(diagnostic["message"].as_str().expect("text")),
        )
    };
    let all = client.published[&uri].1.iter().map(read).filter(|row| row.1 <= 2).collect();
    client.close(&uri);
    client.until(&uri, <[Value]>::is_empty);
    sorted(all)
}

#[test]
fn server_diagnostics_match_the_command_line() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let copy = tempfile::tempdir().expect("a folder");
    let mut all = Vec::new();
    for folder in ["ui", "run", "programs"] {
        files(&root, folder, &mut all);
    }
    for (name, path) in &all {
        let to = copy.path().join(name);
        fs::create_dir_all(to.parent().expect("a folder")).expect("made");
        fs::copy(path, to).expect("copied");
    }
    // Other files are included, or are not programs.
    all.retain(|(name, _)| name.ends_with(".hlsl"));
    assert!(all.len() > 400, "{}", all.len());
    let programs: Vec<Value> = all.iter().map(|(name, _)| json!({ "files": [name] })).collect();
    let named: serde_json::Map<String, Value> = all.iter().map(|(name, _)| name.clone()).zip(programs).collect();
    let mut client = Client::full();
    let mut wrong = String::new();
    let mut expected = Vec::new();
    for (name, _) in &all {
        let path = copy.path().join(name);
        let reported = checked(&path.to_string_lossy());
        let found = shown(&mut client, &path);
        if found != reported {
            wrong += &format!("{name}, as a file: {found:#?}\ninstead of {reported:#?}\n");
        }
        expected.push(reported);
    }
    fs::write(copy.path().join("wgc.json"), json!({ "programs": named }).to_string()).expect("written");
    let mut client = Client::full();
    for ((name, _), reported) in all.iter().zip(expected).step_by(STEP) {
        let found = shown(&mut client, &copy.path().join(name));
        if found != reported {
            wrong += &format!("{name}, as a program: {found:#?}\ninstead of {reported:#?}\n");
        }
    }
    client.messages.retain(|message| !message.contains("restarted its analysis"));
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert!(wrong.is_empty(), "{wrong}");
}

/// Opens every n-th program, because each is read every time.
const STEP: usize = 7;
