//! Inlay hints, and expanding selections.

use crate::client::{Client, at};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/hints.hlsl";

const TEXT: &str = r#"#define TILE 8
static const uint GROUPS = 4;
struct R { uint n; };
RWStructuredBuffer<uint> Out : register(u0);
Texture2D<float> Picture;
[[vk::binding(7)]] RWBuffer<uint> Fixed;
RWBuffer<uint> Unused;
cbuffer Numbers { uint factor; };
uint Add(uint left, uint right) { return left + right; }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry]
[NodeDispatchGrid(GROUPS, 2, 1)] [NumThreads(TILE, TILE, 1)]
void first(DispatchNodeInputRecord<R> input, uint right : SV_GroupIndex,
           [MaxRecords(TILE * 2)] NodeOutput<R> second,
           [MaxRecordsSharedWith(second)] [NodeID("second")] NodeOutput<R> other)
{
    Out[0] = Add(input.Get().n, right) + Add(1, 2 + factor) + max(1, 2);
    Fixed[0] = uint(Picture[uint2(0, 0)]);
}

[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)]
void second([MaxRecords(GROUPS + 1)] GroupNodeInputRecords<R> input)
{
}
"#;

/// Returns the line and the text around each hint, which is between `<` and `>`.
fn shown(hints: &Value, text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let one = |hint: &Value| {
        let number = |key: &str| hint["position"][key].as_u64().expect("a number") as usize;
        let (before, behind) = lines[number("line")].split_at(number("character"));
        let from = before.rfind([' ', '(', ',']).map_or(0, |n| n + 1);
        let to = behind.find([' ', ')', ',', ';']).unwrap_or(behind.len());
        let label = hint["label"].as_str().expect("a label");
        format!("{} {}<{label}>{}", number("line"), &before[from..], &behind[..to])
    };
    hints.as_array().expect("hints").iter().map(one).collect()
}

fn hints(client: &mut Client, text: &str, first: usize, last: usize) -> Vec<String> {
    let range = json!({ "start": { "line": first, "character": 0 }, "end": { "line": last, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    shown(&client.request("textDocument/inlayHint", params).expect("an answer"), text)
}

#[test]
fn inlay_hints_show_compiler_decisions() {
    let mut client = Client::full();
    client.open(URI, TEXT);
    let expected = [
        "2 R<4 bytes>",
        "3 u0)<binding 0, set 0>",
        "4 Picture<binding 1, set 0>",
        "6 Unused<binding 2, set 0>",
        "7 Numbers<binding 3, set 0>",
        "11 GROUPS<= 4>",
        "11 TILE<= 8>",
        "11 TILE<= 8>",
        "13 2<= 16>",
        "14 second<= 16>",
        "14 other)<8 groups of 64 threads>",
        "16 <left:>input.Get(",
        "16 <left:>1",
        "16 <right:>2",
        "21 1<= 5>",
        "21 input)<32 threads for up to 5 records>",
    ];
    assert_eq!(hints(&mut client, TEXT, 0, 99), expected);
    // Hints outside of the screen are omitted.
    assert_eq!(hints(&mut client, TEXT, 15, 18), expected[11..14]);
    assert_eq!(client.capabilities["inlayHintProvider"], true);
}

#[test]
fn settings_select_inlay_hints() {
    let mut client = Client::new(json!({}), json!({ "inlayHints": { "parameters": false, "bindings": false } }));
    client.open(URI, TEXT);
    let found = hints(&mut client, TEXT, 0, 99);
    assert!(found.iter().all(|hint| !hint.contains("binding") && !hint.contains("left:")), "{found:?}");
    assert_eq!(found.len(), 9);
    let settings = json!({ "wgc": { "inlayHints": { "parameters": true, "grids": false, "records": false } } });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": settings }));
    assert_eq!(hints(&mut client, TEXT, 0, 99), ["16 <left:>input.Get(", "16 <left:>1", "16 <right:>2"]);
}

#[test]
fn incomplete_programs_have_inlay_hints() {
    let text = TEXT.replace("    Fixed[0] = uint(Picture[uint2(0, 0)]);\n", "    Fixed[0] = Add(3, \n");
    let mut client = Client::full();
    client.open(URI, &text);
    let found = hints(&mut client, &text, 0, 99);
    assert!(found.contains(&"11 GROUPS<= 4>".to_owned()), "{found:?}");
    assert!(found.contains(&"16 <right:>2".to_owned()), "{found:?}");
    assert_eq!(client.messages, [""; 0]);
}

#[test]
fn inlay_hint_columns_count_utf16_units_by_default() {
    let text =
        "uint Add(uint left, uint right) { return left + right; }\nuint f() { /* \u{1f600} */ return Add(1, 2); }\n";
    let mut client = Client::new(json!({}), Value::Null);
    client.open(URI, text);
    let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } });
    let params = json!({ "textDocument": { "uri": URI }, "range": range });
    let found = client.request("textDocument/inlayHint", params).expect("an answer");
    let places: Vec<&Value> = found.as_array().expect("hints").iter().map(|hint| &hint["position"]).collect();
    assert_eq!(places, [&json!({ "line": 1, "character": 31 }), &json!({ "line": 1, "character": 34 })]);
    assert_eq!((&found[0]["kind"], &found[0]["paddingRight"]), (&json!(2), &json!(true)));
}

/// Returns the texts that a selection expands to.
fn grown(text: &str, part: &str, plus: usize) -> Vec<String> {
    let mut client = Client::full();
    client.open(URI, text);
    let params = json!({ "textDocument": { "uri": URI }, "positions": [at(text, part, plus)] });
    let answer = client.request("textDocument/selectionRange", params).expect("an answer");
    let lines: Vec<&str> = text.split('\n').collect();
    let byte = |at: &Value| {
        let number = |key: &str| at[key].as_u64().expect("a number") as usize;
        lines[..number("line")].iter().map(|line| line.len() + 1).sum::<usize>() + number("character")
    };
    let mut out = Vec::new();
    let mut next = &answer[0];
    while !next.is_null() {
        out.push(text[byte(&next["range"]["start"])..byte(&next["range"]["end"])].to_owned());
        next = next.get("parent").unwrap_or(&Value::Null);
    }
    out
}

#[test]
fn selection_ranges_expand_to_enclosing_syntax() {
    let text = "uint g(uint a, uint b);\nvoid f(uint a, uint b[4])\n{\n    uint c = 0;\n    g(a + 1, b[2]);\n}\n";
    let function = "void f(uint a, uint b[4])\n{\n    uint c = 0;\n    g(a + 1, b[2]);\n}";
    let statements = "uint c = 0;\n    g(a + 1, b[2]);";
    let block = "{\n    uint c = 0;\n    g(a + 1, b[2]);\n}";
    assert_eq!(
        grown(text, "a + 1", 0),
        [
            "a",
            "a + 1",
            "a + 1, b[2]",
            "(a + 1, b[2])",
            "g(a + 1, b[2])",
            "g(a + 1, b[2]);",
            statements,
            block,
            function,
            text
        ]
    );
    assert_eq!(grown(text, "b[2]", 2)[..4], ["2", "[2]", "b[2]", "a + 1, b[2]"]);
    assert_eq!(grown(text, "b[4]", 0)[..4], ["b", "uint b[4]", "uint a, uint b[4]", "(uint a, uint b[4])"]);
    // After a name with a following bracket.
    assert_eq!(grown(text, "g(a +", 1)[..2], ["g", "g(a + 1, b[2])"]);
}

#[test]
fn selection_ranges_handle_strings_and_unclosed_code() {
    let text = "// What it is.\n[Shader(\"node\")]\nvoid f() { g(a + 1, h(2\n";
    assert_eq!(grown(text, "What", 1)[..1], ["// What it is."]);
    assert_eq!(grown(text, "node", 1)[..4], ["node", "\"node\"", "(\"node\")", "Shader(\"node\")"]);
    let grown = grown(text, "a + 1", 0);
    assert_eq!((grown[0].as_str(), grown.last().map(String::as_str)), ("a", Some(text)));
    let none = self::grown("\n\n", "\n", 1);
    assert_eq!(none, ["\n\n"]);
    assert_eq!(self::grown("", "", 0), [""]);
}
