//! Programs of `wgc.json` that cannot be read as named. The user sees the reason in the open files, and no file is
//! checked without its program.

use crate::GRAPH;
use crate::client::Client;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Creates a folder with a `wgc.json` and files.
fn folder(programs: &str, files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("written");
    write("wgc.json", &format!("{{ \"programs\": {{ {programs} }} }}"));
    files.iter().for_each(|(name, text)| write(name, text));
    folder
}

fn uri(folder: &Path, name: &str) -> String {
    format!("file://{}/{name}", folder.display())
}

/// Returns codes and messages about a file of a folder, with its text on the disk.
fn opened(client: &mut Client, folder: &Path, name: &str) -> Vec<(String, String)> {
    let text = fs::read_to_string(folder.join(name)).expect("it is text");
    client.open(&uri(folder, name), &text);
    client.diagnostics(&uri(folder, name))
}

#[test]
fn unreadable_program_files_are_reported_in_open_files() {
    let programs = r#""some": { "files": ["here.hlsl", "gone.hlsl"] }, "other": { "files": ["other.hlsl"] }, "huge": { "files": ["huge.hlsl"] }"#;
    let other = GRAPH.replace("uint n", "float n");
    let folder = folder(programs, &[("here.hlsl", GRAPH), ("other.hlsl", GRAPH), ("alone.hlsl", &other)]);
    let folder = folder.path();
    fs::File::create(folder.join("huge.hlsl")).expect("made").set_len((8 << 20) + 1).expect("sparse");
    let mut client = Client::full();
    let found = opened(&mut client, folder, "here.hlsl");
    let gone =
        found.iter().filter(|(code, _)| code == "project").map(|(_, message)| message.as_str()).collect::<Vec<_>>();
    assert_eq!(gone.len(), 1, "{found:?}");
    assert!(
        gone[0].contains("program `some`: cannot read") && gone[0].ends_with("gone.hlsl: no such file"),
        "{gone:?}"
    );
    // A complete program does not report errors of others; a file outside all programs reports all.
    assert_eq!(opened(&mut client, folder, "other.hlsl"), []);
    let found = opened(&mut client, folder, "alone.hlsl");
    let huge = found.iter().any(|(_, message)| {
        message.contains("program `huge`") && message.contains("it has 8388609 bytes; the limit is 8388608")
    });
    assert!(huge && found.iter().filter(|(code, _)| code == "project").count() == 2, "{found:?}");
    // The file is created.
    fs::write(folder.join("gone.hlsl"), "uint late;\n").expect("written");
    let changes = json!([{ "uri": uri(folder, "gone.hlsl"), "type": 1 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    client.until(&uri(folder, "here.hlsl"), <[Value]>::is_empty);
    assert_eq!(client.leave(), Ok(()));
}

/// The text stays the same: there is none.
#[test]
fn the_reason_of_an_unreadable_include_is_current() {
    let folder = folder("", &[("here.hlsl", "#include \"part.h\"\n")]);
    let folder = folder.path();
    fs::File::create(folder.join("part.h")).expect("made").set_len((8 << 20) + 1).expect("sparse");
    let mut client = Client::full();
    let has = |found: &[(String, String)], reason: &str| found.iter().any(|(_, message)| message.contains(reason));
    let found = opened(&mut client, folder, "here.hlsl");
    assert!(has(&found, "it has 8388609 bytes; the limit is 8388608"), "{found:?}");
    fs::remove_file(folder.join("part.h")).expect("removed");
    fs::create_dir(folder.join("part.h")).expect("made");
    let changes = json!([{ "uri": uri(folder, "part.h"), "type": 2 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    client.until(&uri(folder, "here.hlsl"), |found| {
        let text = json!(found).to_string();
        text.contains("is a directory") && !text.contains("8388609")
    });
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn project_errors_are_reported_in_its_files() {
    let folder = folder(r#""some": { "files": ["a.hlsl"], "options": ["--no-such"] }"#, &[("a.hlsl", GRAPH)]);
    let mut client = Client::full();
    let found = opened(&mut client, folder.path(), "a.hlsl");
    assert!(found.iter().any(|(code, message)| code == "project" && message.contains("--no-such")), "{found:?}");
    fs::write(folder.path().join("wgc.json"), r#"{ "programs": { "some": { "files": ["a.hlsl"] } } }"#)
        .expect("written");
    let project = uri(folder.path(), "wgc.json");
    let changes = json!([{ "uri": project, "type": 2 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    client.until(&uri(folder.path(), "a.hlsl"), <[Value]>::is_empty);
    // Clients that watch no files report each save.
    fs::write(folder.path().join("wgc.json"), "{").expect("written");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": project } }));
    client.until(&uri(folder.path(), "a.hlsl"), |all| !all.is_empty());
    assert_eq!(client.leave(), Ok(()));
}

/// A header needs the declarations that precede it in its program. Checked alone it would have errors, and the program
/// exceeds the limit.
#[test]
fn files_of_oversized_programs_are_not_checked_alone() {
    let many = "#include \"half.hlsli\"\n".to_owned() + &"uint a; ".repeat(170_000);
    let files =
        [("main.hlsl", format!("#define N uint\n{many}")), ("half.hlsli", "N f(N x) { return x; }\n".to_owned())];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder(r#""some": { "files": ["main.hlsl"] }"#, &files);
    let mut client = Client::full();
    for name in ["half.hlsli", "main.hlsl"] {
        let found = opened(&mut client, folder.path(), name);
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        assert!(found[0].0 == "large" && (found[0].1.contains("`some`") || name == "main.hlsl"), "{name}: {found:?}");
    }
    assert_eq!(client.leave(), Ok(()));
}

/// A folder next to a secret file that links lead to.
#[cfg(unix)]
fn confined(programs: &str) -> (tempfile::TempDir, PathBuf) {
    let outside = tempfile::tempdir().expect("a folder");
    fs::write(outside.path().join("secret.txt"), "password: hunter2\n").expect("written");
    let project = outside.path().join("project");
    fs::create_dir(&project).expect("made");
    std::os::unix::fs::symlink("../secret.txt", project.join("link.hlsli")).expect("linked");
    fs::write(project.join("wgc.json"), format!("{{ \"programs\": {{ {programs} }} }}")).expect("written");
    let text = format!("#include \"link.hlsli\"\n#include \"../secret.txt\"\n{GRAPH}");
    fs::write(project.join("a.hlsl"), text).expect("written");
    (outside, project)
}

#[cfg(unix)]
#[test]
fn projects_and_settings_confine_included_files() {
    let cases = [
        (r#""some": { "files": ["a.hlsl"] }"#, json!([]), true),
        (r#""some": { "files": ["a.hlsl"], "include_roots": ["."] }"#, json!([]), false),
        ("", json!(["--include-root", "."]), false),
    ];
    for (programs, arguments, is_read) in cases {
        let (_outside, project) = confined(programs);
        let root = format!("file://{}", project.display());
        let mut client = Client::in_folder(&root, json!({ "arguments": arguments }));
        let found = opened(&mut client, &project, "a.hlsl");
        let shown = format!("{found:?} {:?}", client.published);
        assert!(is_read || !shown.contains("hunter2"), "{programs}: {shown}");
        assert_eq!(found.iter().filter(|(code, _)| code == "WG0004").count(), if is_read { 0 } else { 2 }, "{shown}");
        let links =
            client.request("textDocument/documentLink", json!({ "textDocument": { "uri": uri(&project, "a.hlsl") } }));
        assert_eq!(links.expect("links").as_array().map(Vec::len), Some(if is_read { 2 } else { 0 }));
        assert_eq!(client.leave(), Ok(()));
    }
}
