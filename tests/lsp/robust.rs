//! Texts as they are while somebody types: cut off, and with words missing. The server answers everything, and says of each
//! text what a server says that has never seen another.

use crate::client::Client;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Of each shader so many beginnings, and as many texts without one word. `WGC_LSP_EDITS` says another number.
const OF_EACH: usize = 60;

fn examples() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let all = std::fs::read_dir(folder).expect("there are examples").filter_map(|entry| Some(entry.ok()?.path()));
    let mut all: Vec<PathBuf> = all.filter(|path| path.extension().is_some_and(|e| e == "hlsl")).collect();
    all.sort();
    all
}

/// Requests about a place. That there is nothing to rename is an answer too.
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

/// Where words, numbers and signs begin.
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

/// A byte of a text as the protocol has it.
fn place(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": before.matches('\n').count(), "character": offset - start })
}

/// Some of a list, evenly spread.
fn some(all: &[usize], offset: usize) -> Vec<usize> {
    let asked = std::env::var("WGC_LSP_EDITS").ok().and_then(|count| count.parse().ok());
    let count = asked.unwrap_or(OF_EACH).clamp(1, all.len().max(1));
    (0..count).filter_map(|n| all.get((n * all.len() + offset) / count).copied()).collect()
}

#[test]
fn half_typed_texts_are_answered_and_told_as_by_a_fresh_server() {
    let files = examples();
    assert!(files.len() > 3, "{files:?}");
    let mut client = Client::full();
    for (n, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).expect("readable");
        let uri = format!("file://{}", file.display());
        client.open(&uri, &text);
        let at = boundaries(&text);
        let beginnings = some(&at, n).into_iter().map(|end| (end, text[..end].to_owned()));
        let ends = |start: usize| at.iter().copied().find(|next| *next > start).unwrap_or(text.len());
        let gap = |start: usize| (start, format!("{}{}", &text[..start], &text[ends(start)..]));
        let gaps = some(&at, n / 2).into_iter().map(gap);
        for (k, (edited, changed)) in beginnings.chain(gaps).enumerate() {
            client.replace(&uri, &changed);
            let document = json!({ "uri": uri });
            // A picture is made of what the others read too.
            if k % 4 == 0 {
                let answer = client.request("wgc/graph", json!({ "textDocument": document }));
                assert!(answer.is_ok(), "{answer:?}\n{changed}");
            }
            let here = place(&changed, edited);
            for method in ["documentSymbol", "foldingRange", "codeLens", "documentLink", "formatting"] {
                let answer = client.request(&format!("textDocument/{method}"), json!({ "textDocument": document }));
                assert!(answer.is_ok(), "{method}: {answer:?}\n{changed}");
            }
            for method in NAMES {
                let params = json!({ "textDocument": document, "position": here });
                let answer = client.request(&format!("textDocument/{method}"), params);
                assert!(answer.is_ok(), "{method}: {answer:?}\n{changed}");
            }
            assert!(client.request("workspace/symbol", json!({ "query": "n" })).is_ok(), "{changed}");
            // A name in front of the edit gets another, or the user learns why not.
            let before = at.iter().rev().find(|start| **start < edited).copied().unwrap_or(0);
            let params = json!({ "textDocument": document, "position": place(&changed, before), "newName": "Other" });
            let methods: &[&str] = if k % 8 == 0 { &["prepareRename", "rename"] } else { &["prepareRename"] };
            for method in methods {
                let answer = client.request(&format!("textDocument/{method}"), params.clone());
                assert!(answer.is_ok() || answer == Err(-32602), "{method}: {answer:?}\n{changed}");
            }
            for typed in ["}", ";", "\n"] {
                let params = json!({ "textDocument": document, "position": here, "ch": typed });
                let answer = client.request("textDocument/onTypeFormatting", params);
                assert!(answer.is_ok(), "{answer:?}\n{changed}");
            }
            let said = client.diagnostics(&uri);
            // A server for each is slow.
            if k % 16 == n % 16 {
                let mut fresh = Client::full();
                fresh.open(&uri, &changed);
                assert_eq!(said, fresh.diagnostics(&uri), "{changed}");
            }
        }
        client.close(&uri);
        client.until(&uri, <[Value]>::is_empty);
    }
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert_eq!(client.leave(), Ok(()));
}
