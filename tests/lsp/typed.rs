//! Examples typed from the start: requests at the typing position are answered, however incomplete the text is.

use crate::client::Client;
use serde_json::{Value, json};
use std::path::Path;

/// Number of prefixes of each example. `WGC_LSP_EDITS` sets another.
const OF_EACH: usize = 40;

fn position(text: &str) -> Value {
    let start = text.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": text.matches('\n').count(), "character": text.len() - start })
}

/// Returns whether a position is in a range, in lines and columns.
fn contains(range: &Value, at: &Value) -> bool {
    let of = |at: &Value| (at["line"].as_u64(), at["character"].as_u64());
    of(&range["start"]) <= of(at) && of(at) <= of(&range["end"])
}

#[test]
fn server_answers_requests_while_examples_are_typed() {
    let count = std::env::var("WGC_LSP_EDITS").ok().and_then(|count| count.parse().ok()).unwrap_or(OF_EACH);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let all = std::fs::read_dir(folder).expect("there are examples").filter_map(|entry| Some(entry.ok()?.path()));
    let mut files: Vec<_> = all.filter(|path| path.extension().is_some_and(|e| e == "hlsl")).collect();
    files.sort();
    let mut client = Client::full();
    let mut found = 0;
    for (n, file) in files.iter().enumerate() {
        let text = std::fs::read_to_string(file).expect("readable");
        let uri = format!("file://{}", file.display());
        let document = json!({ "uri": uri });
        client.open(&uri, "");
        for k in 0..count {
            let end = (text.len() * (k + 1) / count + n * 7).min(text.len());
            let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
            // With and without the rest.
            let (typed, rest) = text.split_at(end);
            let whole = if k % 2 == 0 { typed.to_owned() } else { format!("{typed}\n{rest}") };
            client.replace(&uri, &whole);
            let at = position(typed);
            let params = json!({ "textDocument": document, "position": at });
            let answer = client.request("textDocument/completion", params).expect("an answer");
            for item in answer["items"].as_array().into_iter().flatten() {
                assert!(contains(&item["textEdit"]["range"], &at), "{item} at {at}\n{typed}");
                found += 1;
            }
            let params = json!({ "textDocument": document, "positions": [at] });
            let answer = client.request("textDocument/selectionRange", params).expect("an answer");
            let mut range = &answer[0];
            assert!(contains(&range["range"], &at), "{range} at {at}\n{typed}");
            while let Some(parent) = range.get("parent") {
                let inner = &range["range"];
                assert!(contains(&parent["range"], &inner["start"]) && contains(&parent["range"], &inner["end"]));
                range = parent;
            }
            let params = json!({ "textDocument": document });
            let tokens = client.request("textDocument/semanticTokens/full", params).expect("an answer");
            assert_eq!(tokens["data"].as_array().map(|data| data.len() % 5), Some(0), "{tokens}");
            let all = json!({ "start": { "line": 0, "character": 0 }, "end": position(&whole) });
            let params = json!({ "textDocument": document, "range": all });
            let hints = client.request("textDocument/inlayHint", params).expect("an answer");
            assert!(hints.as_array().expect("hints").iter().all(|hint| contains(&all, &hint["position"])));
        }
        client.close(&uri);
    }
    assert!(found > 1000, "{found} completions");
    assert_eq!(client.messages, [""; 0], "no request panicked");
    assert_eq!(client.leave(), Ok(()));
}
