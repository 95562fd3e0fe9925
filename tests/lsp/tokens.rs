//! Semantic tokens: the kinds of names.

use crate::client::Client;
use serde_json::{Value, json};

const URI: &str = "file:///lsp/tokens.hlsl";

const TEXT: &str = r#"#define SIZE 4
#if defined(SIZE) // not this
namespace n { struct S { uint count; uint Twice() { return 2 * count; } }; }
#endif
enum Mode { Fast };
typedef n::S Alias;
static const uint Limit = SIZE;
RWStructuredBuffer<uint> Out;
template<typename T> T Same(T x) { return x; }

[Shader("node")] [NodeLaunch("thread")]
void first(ThreadNodeInputRecord<n::S> input, [MaxRecords(Limit)] NodeOutput<n::S> first2)
{
    const uint local = Same(input.Get().count) + Fast;
    Alias s;
    Out[local] = s.Twice() + max(Limit, SIZE);
    first2.GetThreadNodeOutputRecords(1).OutputComplete();
}
"#;

/// Decodes the numbers of an answer: line, text, kind and modifiers.
fn words(client: &Client, data: &Value, text: &str) -> Vec<String> {
    let legend = &client.capabilities["semanticTokensProvider"]["legend"];
    let data: Vec<usize> =
        data.as_array().expect("data").iter().map(|n| n.as_u64().expect("a number") as usize).collect();
    let lines: Vec<&str> = text.lines().collect();
    let (mut line, mut column) = (0, 0);
    let mut out = Vec::new();
    for five in data.chunks(5) {
        column = if five[0] == 0 { column + five[1] } else { five[1] };
        line += five[0];
        let kind = legend["tokenTypes"][five[3]].as_str().expect("a kind");
        let modifiers = legend["tokenModifiers"].as_array().expect("modifiers").iter().enumerate();
        let modifiers = modifiers.filter(|(n, _)| five[4] & (1 << n) != 0);
        let modifiers: String = modifiers.map(|(_, name)| format!(" {}", name.as_str().unwrap_or("?"))).collect();
        // Columns are bytes, or the text before the name is ASCII.
        out.push(format!("{line} {} {kind}{modifiers}", &lines[line][column..column + five[2]]));
    }
    out
}

fn full(client: &mut Client) -> Value {
    client.request("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } })).expect("an answer")
}

#[test]
fn semantic_tokens_classify_names() {
    let mut client = Client::full();
    client.open(URI, TEXT);
    let answer = full(&mut client);
    let expected = [
        "0 SIZE macro declaration",
        "1 SIZE macro",
        "2 S struct declaration",
        "2 count property declaration",
        "2 Twice method declaration",
        "2 count property",
        "4 Mode enum declaration",
        "4 Fast enumMember declaration readonly",
        "5 n namespace",
        "5 S struct",
        "5 Alias type declaration",
        "6 Limit variable declaration readonly static",
        "6 SIZE macro",
        "7 RWStructuredBuffer struct defaultLibrary",
        "7 Out variable declaration",
        "8 T typeParameter declaration",
        "8 T typeParameter",
        "8 Same function declaration",
        "8 T typeParameter",
        "8 x parameter declaration",
        "8 x parameter",
        "11 first function declaration node",
        "11 ThreadNodeInputRecord struct defaultLibrary",
        "11 n namespace",
        "11 S struct",
        "11 input parameter declaration",
        "11 Limit variable readonly static",
        "11 NodeOutput struct defaultLibrary",
        "11 n namespace",
        "11 S struct",
        "11 first2 parameter declaration node",
        "13 local variable declaration readonly",
        "13 Same function",
        "13 input parameter",
        "13 Get method defaultLibrary",
        "13 count property",
        "13 Fast enumMember readonly",
        "14 Alias type",
        "14 s variable declaration",
        "15 Out variable",
        "15 local variable readonly",
        "15 s variable",
        "15 Twice method",
        "15 max function defaultLibrary",
        "15 Limit variable readonly static",
        "15 SIZE macro",
        "16 first2 parameter node",
        "16 GetThreadNodeOutputRecords method defaultLibrary",
        "16 OutputComplete method defaultLibrary",
    ];
    let found = words(&client, &answer["data"], TEXT);
    assert_eq!(found, expected);
    // A range has the tokens that it overlaps.
    let range = json!({ "start": { "line": 14, "character": 0 }, "end": { "line": 15, "character": 6 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let part = client.request("textDocument/semanticTokens/range", params).expect("an answer");
    assert_eq!(words(&client, &part["data"], TEXT), expected[37..40]);
}

#[test]
fn semantic_token_deltas_describe_edits() {
    let mut client = Client::full();
    client.open(URI, TEXT);
    let first = full(&mut client);
    let old: Vec<Value> = first["data"].as_array().expect("data").clone();
    let text = TEXT.replace("    Alias s;\n", "    Alias s, other;\n");
    client.replace(URI, &text);
    let ask = |client: &mut Client, id: &Value| {
        let params = json!({ "textDocument": { "uri": URI }, "previousResultId": id });
        client.request("textDocument/semanticTokens/full/delta", params).expect("an answer")
    };
    let delta = ask(&mut client, &first["resultId"]);
    let edits = delta["edits"].as_array().expect("edits").clone();
    assert_eq!(edits.len(), 1, "{delta}");
    let number = |key: &str| edits[0][key].as_u64().expect("a number") as usize;
    let mut patched = old;
    let new = edits[0]["data"].as_array().expect("data").clone();
    assert!(new.len() <= 10, "{new:?}");
    patched.splice(number("start")..number("start") + number("deleteCount"), new);
    let again = full(&mut client);
    assert_eq!(Value::Array(patched), again["data"]);
    assert!(words(&client, &again["data"], &text).contains(&"14 other variable declaration".to_owned()));
    // No changes; and for an unknown result the full list.
    assert_eq!(ask(&mut client, &again["resultId"])["edits"], json!([]));
    assert!(ask(&mut client, &first["resultId"])["data"].is_array());
}

#[test]
fn incomplete_texts_keep_their_semantic_tokens() {
    let text = TEXT.replace("s.Twice() + max(Limit, SIZE);", "s.Twice( + max(Limit, ");
    let mut client = Client::full();
    client.open(URI, &text);
    let answer = full(&mut client);
    let found = words(&client, &answer["data"], &text);
    for name in
        ["15 Out variable", "15 s variable", "11 first function declaration node", "13 Get method defaultLibrary"]
    {
        assert!(found.contains(&name.to_owned()), "{name}: {found:?}");
    }
    assert_eq!(client.messages, [""; 0]);
}

#[test]
fn semantic_token_columns_count_utf16_units_by_default() {
    let text = "static uint a; /* \u{1f600} */ static uint b;\n";
    let mut client = Client::new(json!({}), Value::Null);
    client.open(URI, text);
    // Columns 12 and 36: the face is two units.
    assert_eq!(full(&mut client)["data"], json!([0, 12, 1, 10, 5, 0, 24, 1, 10, 5]));
}
