//! Texts in the middle of typing: truncated at every token, and with every token missing, in one server. It answers
//! every request, and its diagnostics for each text equal those of a fresh server.
//!
//! Each text gets some of the requests, in rotation. `WGC_LSP_ALL=1` sends all requests for each, and `WGC_LSP_BYTES=1`
//! truncates at every byte; `WGC_LSP_FILE` names one file for it. The longest request is printed (`--nocapture`).

use crate::client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Number of texts that share one request of each kind.
const TURNS: usize = 4;

/// One of this many texts is sent to a fresh server, which is slow.
const FRESH: usize = 64;

fn examples() -> Vec<PathBuf> {
    shaders_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("examples"))
}

fn shaders_in(folder: &Path) -> Vec<PathBuf> {
    let all = std::fs::read_dir(folder).expect("a folder").filter_map(|entry| Some(entry.ok()?.path()));
    let mut all: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == "hlsl")).collect();
    all.sort();
    all
}

/// Requests about a position. A refusal to rename is an answer too.
const NAMES: &[&str] = &[
    "completion",
    "declaration",
    "definition",
    "documentHighlight",
    "hover",
    "implementation",
    "prepareCallHierarchy",
    "references",
    "signatureHelp",
    "typeDefinition",
];

/// Requests about all of a text.
const OF_DOCUMENTS: &[&str] =
    &["codeLens", "documentLink", "documentSymbol", "foldingRange", "formatting", "semanticTokens/full"];

/// Requests about a range.
const OF_RANGES: &[&str] = &["codeAction", "inlayHint", "rangeFormatting", "semanticTokens/range"];

/// Returns the starts of words, numbers and punctuation.
fn boundaries(text: &str) -> Vec<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        if !(c.is_whitespace() || is_word(c) && is_word(before)) {
            out.push(at);
        }
        before = c;
    }
    out
}

/// Limit for a request: a second; ten in unoptimised code, next to other tests.
const LONGEST: Duration = Duration::from_secs(if cfg!(debug_assertions) { 10 } else { 1 });

/// Returns the position of a byte in the form of the protocol.
fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": before.matches('\n').count(), "character": offset - start })
}

fn is_set(variable: &str) -> bool {
    std::env::var(variable).is_ok_and(|value| value == "1")
}

/// Returns the file that `WGC_LSP_FILE` names; else the examples, and shaders of the folders in `WGC_LSP_FOLDERS`.
fn shaders() -> Vec<PathBuf> {
    if let Ok(file) = std::env::var("WGC_LSP_FILE") {
        return vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(file)];
    }
    let mut all = examples();
    assert!(all.len() > 3, "{all:?}");
    let more = std::env::var("WGC_LSP_FOLDERS").unwrap_or_default();
    for folder in more.split(':').filter(|folder| !folder.is_empty()) {
        all.extend(shaders_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)));
    }
    all
}

#[test]
#[allow(clippy::print_stdout, reason = "the longest request is a figure for docs/measurements.md")]
fn incomplete_texts_get_the_answers_of_a_fresh_server() {
    let files = shaders();
    let (all, turns) = (is_set("WGC_LSP_ALL"), if is_set("WGC_LSP_ALL") { 1 } else { TURNS });
    let mut client = Client::full();
    for (n, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).expect("readable");
        let uri = format!("file://{}", file.display());
        client.open(&uri, &text);
        let at = boundaries(&text);
        let bytes = (0..text.len()).filter(|byte| text.is_char_boundary(*byte)).collect();
        let cuts = if is_set("WGC_LSP_BYTES") { bytes } else { at.clone() };
        let beginnings = cuts.into_iter().map(|end| (end, text[..end].to_owned()));
        let ends = |start: usize| at.iter().copied().find(|next| *next > start).unwrap_or(text.len());
        let gap = |start: usize| (start, format!("{}{}", &text[..start], &text[ends(start)..]));
        let gaps = at.iter().copied().map(gap);
        for (k, (edited, changed)) in beginnings.chain(gaps).enumerate() {
            client.replace(&uri, &changed);
            let document = json!({ "uri": uri });
            // The picture is built from the same data as the other answers.
            let turn = |n: usize| (k + n).is_multiple_of(turns);
            if all || k % 16 == 0 {
                let answer = client.request("wgc/graph", json!({ "textDocument": document }));
                assert!(answer.is_ok(), "{answer:?}\n{changed}");
            }
            let here = place(&changed, edited);
            for (_, method) in (0..).zip(OF_DOCUMENTS).filter(|(n, _)| turn(*n)) {
                let answer = client.request(&format!("textDocument/{method}"), json!({ "textDocument": document }));
                assert!(answer.is_ok(), "{method}: {answer:?}\n{changed}");
            }
            let start = json!({ "line": here["line"].as_u64().unwrap_or(0).saturating_sub(2), "character": 0 });
            let range = json!({ "start": start, "end": here });
            for (_, method) in (0..).zip(OF_RANGES).filter(|(n, _)| turn(*n)) {
                let context = json!({ "diagnostics": [] });
                let params = json!({ "textDocument": document, "range": range, "context": context });
                let answer = client.request(&format!("textDocument/{method}"), params);
                assert!(answer.is_ok(), "{method}: {answer:?}\n{changed}");
            }
            if turn(2) {
                let params = json!({ "textDocument": document, "positions": [here] });
                let answer = client.request("textDocument/selectionRange", params);
                assert!(answer.is_ok(), "{answer:?}\n{changed}");
            }
            for (_, method) in (0..).zip(NAMES).filter(|(n, _)| turn(*n)) {
                let params = json!({ "textDocument": document, "position": here });
                let answer = client.request(&format!("textDocument/{method}"), params);
                assert!(answer.is_ok(), "{method}: {answer:?}\n{changed}");
            }
            if turn(1) {
                assert!(client.request("workspace/symbol", json!({ "query": "n" })).is_ok(), "{changed}");
            }
            // A name before the edit is renamed, or the user learns the reason for a refusal.
            let before = at.iter().rev().find(|start| **start < edited).copied().unwrap_or(0);
            let params = json!({ "textDocument": document, "position": place(&changed, before), "newName": "Other" });
            let methods: &[&str] = if all || k % 16 == 0 { &["prepareRename", "rename"] } else { &["prepareRename"] };
            for method in methods {
                let answer = client.request(&format!("textDocument/{method}"), params.clone());
                assert!(answer.is_ok() || answer == Err(-32602), "{method}: {answer:?}\n{changed}");
            }
            for (_, typed) in (0..).zip(["}", ";", "\n"]).filter(|(n, _)| turn(*n)) {
                let params = json!({ "textDocument": document, "position": here, "ch": typed });
                let answer = client.request("textDocument/onTypeFormatting", params);
                assert!(answer.is_ok(), "{answer:?}\n{changed}");
            }
            let published = client.diagnostics(&uri);
            if k % FRESH == n % FRESH {
                let mut fresh = Client::full();
                fresh.open(&uri, &changed);
                assert_eq!(published, fresh.diagnostics(&uri), "{changed}");
            }
        }
        client.close(&uri);
        client.until(&uri, <[Value]>::is_empty);
    }
    // It may have rebuilt its database.
    client.messages.retain(|message| !message.contains("restarted its analysis"));
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert!(client.longest.0 < LONGEST, "{:?}", client.longest);
    println!("the longest request: {:?}", client.longest);
    assert_eq!(client.leave(), Ok(()));
}
