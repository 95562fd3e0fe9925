//! Formatting: of documents, of ranges, and during typing.

use crate::client::{Client, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/formatting.hlsl";
const TEXT: &str = "uint  a;\nvoid f( uint x )\n{\nif(x)\n{\nreturn ;\n}\n}\n";

fn edits(client: &mut Client, method: &str, more: Value) -> Vec<String> {
    let mut params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
    for (key, value) in more.as_object().expect("an object") {
        params[key] = value.clone();
    }
    let answer = client.request(&format!("textDocument/{method}"), params).expect("an answer");
    let edit = |edit: &Value| format!("{} {:?}", shown(&edit["range"]), edit["newText"].as_str().expect("a text"));
    answer.as_array().expect("edits").iter().map(edit).collect()
}

fn opened(text: &str) -> Client {
    let mut client = Client::full();
    client.open(URI, text);
    client
}

#[test]
fn formatting_a_document_edits_only_its_white_space() {
    let mut client = opened(TEXT);
    let all = edits(&mut client, "formatting", json!({}));
    let wanted = [
        "0:4-0:6 \" \"",
        "1:7-1:8 \"\"",
        "1:14-1:15 \"\"",
        "2:1-3:0 \"\\n    \"",
        "3:2-3:2 \" \"",
        "3:5-4:0 \"\\n    \"",
        "4:1-5:0 \"\\n        \"",
        "5:6-5:7 \"\"",
        "5:8-6:0 \"\\n    \"",
    ];
    assert_eq!(all, wanted);
    let tabs = json!({ "options": { "tabSize": 8, "insertSpaces": false } });
    let with_tabs = edits(&mut client, "formatting", tabs);
    assert_eq!(with_tabs[3..4], ["2:1-3:0 \"\\n\\t\""]);
    assert_eq!(client.capabilities["documentFormattingProvider"], true);
    assert_eq!(client.capabilities["documentRangeFormattingProvider"], true);
}

#[test]
fn a_range_is_formatted_by_lines() {
    let mut client = opened(TEXT);
    let line = |line: u32| json!({ "line": line, "character": 3 });
    let found = edits(&mut client, "rangeFormatting", json!({ "range": { "start": line(5), "end": line(5) } }));
    assert_eq!(found, ["4:1-5:0 \"\\n        \"", "5:6-5:7 \"\"", "5:8-6:0 \"\\n    \""]);
    let found = edits(&mut client, "rangeFormatting", json!({ "range": { "start": line(0), "end": line(0) } }));
    assert_eq!(found, ["0:4-0:6 \" \""]);
    // A selection of a whole line ends at the start of the next.
    let start = |line: u32| json!({ "line": line, "character": 0 });
    let found = edits(&mut client, "rangeFormatting", json!({ "range": { "start": start(0), "end": start(1) } }));
    assert_eq!(found, ["0:4-0:6 \" \""]);
}

#[test]
fn on_type_formatting_formats_typed_code() {
    let mut client = opened(TEXT);
    let at = |line: u32, character: u32, typed: &str| json!({ "position": { "line": line, "character": character }, "ch": typed });
    let found = edits(&mut client, "onTypeFormatting", at(5, 8, ";"));
    assert_eq!(found, ["4:1-5:0 \"\\n        \"", "5:6-5:7 \"\""]);
    let found = edits(&mut client, "onTypeFormatting", at(6, 1, "}"));
    assert_eq!(found, ["3:5-4:0 \"\\n    \"", "4:1-5:0 \"\\n        \"", "5:6-5:7 \"\"", "5:8-6:0 \"\\n    \""]);
    client.replace(URI, "void f()\n{\n\n}\n");
    let found = edits(&mut client, "onTypeFormatting", at(2, 0, "\n"));
    assert_eq!(found, ["2:0-2:0 \"    \""]);
    let triggers = &client.capabilities["documentOnTypeFormattingProvider"];
    assert_eq!(
        (&triggers["firstTriggerCharacter"], &triggers["moreTriggerCharacter"]),
        (&json!("}"), &json!([";", "\n"]))
    );
}

#[test]
fn project_format_settings_override_the_client() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("wgc.json"), r#"{ "programs": {}, "format": { "indent": 3 } }"#)
        .expect("written");
    let uri = format!("file://{}/graph.hlsl", folder.path().display());
    let mut client = Client::full();
    client.open(&uri, "void f()\n{\nreturn;\n}\n");
    let options = json!({ "tabSize": 8, "insertSpaces": true });
    let answer =
        client.request("textDocument/formatting", json!({ "textDocument": { "uri": uri }, "options": options }));
    assert_eq!(answer.expect("edits")[0]["newText"], "\n   ");
}
