//! An output and its target node count as one symbol.

use crate::GRAPH;
use crate::client::{Client, at, shown};
use crate::navigate::Opened;
use serde_json::{Value, json};

const URI: &str = "file:///lsp/graph.hlsl";

fn opened() -> Client {
    let mut client = Client::full();
    client.open(URI, GRAPH);
    client.diagnostics(URI);
    client
}

/// Returns the source texts at the locations of an answer.
fn texts(answer: &Value) -> Vec<String> {
    let lines: Vec<&str> = GRAPH.lines().collect();
    let text = |one: &Value| {
        let at = |end: &str, key: &str| one["range"][end][key].as_u64().expect("a number") as usize;
        format!(
            "{}:{}",
            at("start", "line"),
            &lines[at("start", "line")][at("start", "character")..at("end", "character")]
        )
    };
    answer.as_array().expect("locations").iter().map(text).collect()
}

fn asked(client: &mut Client, method: &str, part: &str, plus: usize) -> Value {
    let params = json!({ "textDocument": { "uri": URI }, "position": at(GRAPH, part, plus) });
    client.request(method, params).expect("an answer")
}

#[test]
fn go_to_definition_on_an_output_finds_its_node() {
    let mut client = opened();
    // The parameter, whose name selects the node.
    let found = asked(&mut client, "textDocument/definition", "> second,", 4);
    assert_eq!(texts(&found), ["12:second"]);
    // The string, which selects both elements.
    let found = asked(&mut client, "textDocument/definition", "NodeID(\"leaves\")]", 9);
    assert_eq!(texts(&found), ["18:leaf", "21:other_leaf"]);
    let found = asked(&mut client, "textDocument/definition", "> others", 3);
    assert_eq!(texts(&found), ["18:leaf", "21:other_leaf"]);
    // A use leads to the parameter.
    assert_eq!(texts(&asked(&mut client, "textDocument/definition", "others[", 3)), ["5:others"]);
    assert_eq!(texts(&asked(&mut client, "textDocument/definition", "uint n", 1)), [""; 0]);
}

#[test]
fn references_of_a_node_include_outputs_and_node_ids() {
    let mut client = opened();
    let found = asked(&mut client, "textDocument/references", "void second", 6);
    assert_eq!(texts(&found), ["4:second", "7:second", "12:second"]);
    let found = asked(&mut client, "textDocument/references", "void other_leaf", 6);
    // The output's own name refers to the same array, although a string names the target.
    let all = ["5:\"leaves\"", "5:others", "8:others", "20:\"leaves\"", "21:other_leaf"];
    assert_eq!(texts(&found), all);
    let found = asked(&mut client, "textDocument/references", "> others", 3);
    let both = ["5:\"leaves\"", "5:others", "8:others", "17:\"leaves\"", "18:leaf", "20:\"leaves\"", "21:other_leaf"];
    assert_eq!(texts(&found), both);
    // Same result at a use as at the parameter.
    let found = asked(&mut client, "textDocument/references", "others[", 3);
    assert_eq!(texts(&found), both);
    let found = asked(&mut client, "textDocument/references", "second.Get", 3);
    assert_eq!(texts(&found), ["4:second", "7:second", "12:second"]);
}

#[test]
fn references_include_outputs_named_in_attributes() {
    const SHARED: &str = "file:///lsp/shared_records.hlsl";
    let text = GRAPH.replace("[MaxRecords(2)] [NodeID", "[MaxRecordsSharedWith(second)] [NodeID");
    let mut client = Client::full();
    client.open(SHARED, &text);
    let mut lines = |part: &str, plus: usize| -> Vec<u64> {
        let mut params = json!({ "textDocument": { "uri": SHARED }, "position": at(&text, part, plus) });
        params["context"] = json!({ "includeDeclaration": true });
        let found = client.request("textDocument/references", params).expect("an answer");
        let line = |one: &Value| one["range"]["start"]["line"].as_u64().expect("a line");
        found.as_array().expect("places").iter().map(line).collect()
    };
    for (part, plus) in [("SharedWith(second", 12), ("> second,", 3), ("second.Get", 1), ("void second", 6)] {
        assert_eq!(lines(part, plus), [4, 5, 7, 12], "{part}");
    }
}

#[test]
fn references_agree_on_a_node_and_its_outputs() {
    // Two forms of naming a node; a declared function, and one whose output targets it.
    let text = r#"struct R { uint n; };
void target(ThreadNodeInputRecord<R> input);
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void first([NodeID("X")] [MaxRecords(1)] NodeOutput<R> other, [MaxRecords(1)] NodeOutput<R> plain)
{
    ThreadNodeOutputRecords<R> record = other.GetThreadNodeOutputRecords(1);
    record.OutputComplete();
    plain.GetThreadNodeOutputRecords(1).OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void second([NodeID("X")] [MaxRecords(1)] NodeOutput<R> more) { more.GetThreadNodeOutputRecords(1).OutputComplete(); }
[Shader("node")] [NodeLaunch("thread")] [NodeID("X")]
void target(ThreadNodeInputRecord<R> input) { }
[Shader("node")] [NodeLaunch("thread")]
void plain(ThreadNodeInputRecord<R> input) { }
"#;
    let mut opened = Opened::new(&[(URI, text)]);
    opened.is_right(URI);
    let mut all_say = |places: &[(&str, usize)], wanted: &[&str]| {
        for (part, plus) in places {
            for method in ["references", "documentHighlight"] {
                let answer = opened.ask(URI, method, part, *plus);
                let found = answer.as_array().expect("a list").iter();
                let found: Vec<String> = found.map(|one| opened.text(URI, &one["range"])).collect();
                assert_eq!(found, wanted, "{method} at {part}");
            }
        }
    };
    let named = [
        ("void target(ThreadNodeInputRecord<R> input);", 6),
        ("first([NodeID(\"X\")]", 15),
        ("> other", 3),
        ("other.Get", 3),
        ("second([NodeID(\"X\")]", 16),
        ("> more", 3),
        ("more.Get", 2),
        ("(\"thread\")] [NodeID(\"X\")]", 21),
        ("void target(ThreadNodeInputRecord<R> input) {", 6),
    ];
    let mentions =
        ["1:target", "3:\"X\"", "3:other", "5:other", "10:\"X\"", "10:more", "10:more", "11:\"X\"", "12:target"];
    all_say(&named, &mentions);
    all_say(&[("> plain", 3), ("plain.Get", 3), ("void plain", 6)], &["3:plain", "7:plain", "14:plain"]);
    // The handle is not one of the node's names.
    all_say(&[("> record", 3), ("record.Out", 3)], &["5:record", "6:record"]);
}

#[test]
fn strings_that_name_a_node_are_highlighted() {
    let mut client = opened();
    let mut kinds = |part: &str, plus: usize| -> Vec<String> {
        let found = asked(&mut client, "textDocument/documentHighlight", part, plus);
        let all = found.as_array().expect("a list").iter();
        all.zip(texts(&found)).map(|(one, text)| format!("{text} {}", one["kind"])).collect()
    };
    // Text, reads, writes.
    let array = [
        "5:\"leaves\" 1",
        "5:others 3",
        "8:others 2",
        "17:\"leaves\" 1",
        "18:leaf 3",
        "20:\"leaves\" 1",
        "21:other_leaf 3",
    ];
    assert_eq!(kinds("NodeID(\"leaves\")]", 9), array);
    assert_eq!(kinds("void second", 6), ["4:second 3", "7:second 2", "12:second 3"]);
}

#[test]
fn hovering_shows_records_byte_by_byte() {
    let text = GRAPH.replace("struct R { uint n; };", "struct R { uint n; uint64_t wide; uint16_t2 grid; };");
    let mut client = Client::new(json!({}), json!({ "arguments": ["-enable-16bit-types"] }));
    client.open(URI, &text);
    client.diagnostics(URI);
    let mut hover = |part: &str, plus: usize| {
        let params = json!({ "textDocument": { "uri": URI }, "position": at(&text, part, plus) });
        client.request("textDocument/hover", params).expect("an answer")["contents"]["value"].clone()
    };
    let record = "| offset | bytes | `R`, 24 bytes |\n|---:|---:|---|\n| 0 | 4 | `uint n` |\n| 4 | 4 | *padding* |\n\
                  | 8 | 8 | `uint64_t wide` |\n| 16 | 4 | `uint16_t2 grid` |\n| 20 | 4 | *padding* |\n";
    assert_eq!(hover("> second,", 4), format!("**`second`**: thread node\n\nInput `input`:\n\n{record}"));
    let outputs = "- `second` to `second`: at most 1, `R`, 24 bytes\n- `others` to `leaves`, `leaves[1]`: at most 2, `R`, 24 bytes\n";
    let first = format!(
        "**`first`**: thread node, entry\n\nInput `input`:\n\n{record}\nOutputs:\n\n{outputs}\n3 of 8 records, 72 of 128 bytes\n"
    );
    assert_eq!(hover("void first", 6), first);
    assert_eq!(hover("> others", 3), hover("NodeID(\"leaves\")]", 9));
    let both = hover("NodeID(\"leaves\")]", 9);
    assert_eq!(both.as_str().map(|text| text.matches("thread node").count()), Some(2), "{both}");
    assert_eq!(hover("struct R", 1), Value::Null);
}

#[test]
fn hovering_shows_how_a_node_is_launched() {
    let old = "[NodeLaunch(\"thread\")]\nvoid second(Thread";
    let new = "[NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(4, 2, 1)] [NumThreads(8, 1, 1)]\nvoid second(Dispatch";
    let text = GRAPH.replace(old, new);
    let mut client = Client::full();
    client.open(URI, &text);
    assert_eq!(client.diagnostics(URI), []);
    let params = json!({ "textDocument": { "uri": URI }, "position": at(&text, "void second", 6) });
    let found = client.request("textDocument/hover", params).expect("an answer")["contents"]["value"].clone();
    let first = found.as_str().and_then(|text| text.lines().next()).unwrap_or_default();
    assert_eq!(first, "**`second`**: broadcasting node, 8x1x1 threads, a grid of 4x2x1");
}

#[test]
fn lenses_summarise_nodes() {
    let mut client = opened();
    let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": URI } })).expect("lenses");
    let lens = |one: &Value| format!("{} {}", shown(&one["range"]), one["command"]["title"].as_str().unwrap_or("none"));
    let lenses: Vec<String> = lenses.as_array().expect("a list").iter().map(lens).collect();
    // One record of four bytes for `second`, two for the array: 3 of 1024, 12 of 32768 bytes, by thread 128.
    assert_eq!(
        lenses,
        [
            "4:5-4:10 thread node \u{b7} entry \u{b7} 0 producers \u{b7} 3 consumers \u{b7} 3 of 8 records \u{b7} 12 of 128 bytes",
            "12:5-12:11 thread node \u{b7} 1 producer \u{b7} 0 consumers",
            "18:5-18:9 thread node \u{b7} 1 producer \u{b7} 0 consumers",
            "21:5-21:15 thread node \u{b7} 1 producer \u{b7} 0 consumers",
        ]
    );
}

#[test]
fn call_hierarchy_follows_graph_edges() {
    let mut client = opened();
    let item = asked(&mut client, "textDocument/prepareCallHierarchy", "void first", 6)[0].clone();
    assert_eq!((&item["name"], &item["detail"]), (&json!("first"), &json!("thread node")));
    let out = client.request("callHierarchy/outgoingCalls", json!({ "item": item })).expect("calls");
    let names = |calls: &Value, end: &str| -> Vec<String> {
        let name = |call: &Value| call[end]["name"].as_str().unwrap_or_default().to_owned();
        calls.as_array().expect("calls").iter().map(name).collect()
    };
    assert_eq!(names(&out, "to"), ["second", "leaves", "leaves[1]"]);
    let line = shown(&out[2]["fromRanges"][0]);
    assert!(line.starts_with("5:"), "{line}");
    let back = client.request("callHierarchy/incomingCalls", json!({ "item": out[2]["to"] })).expect("calls");
    assert_eq!(names(&back, "from"), ["first"]);
    assert_eq!(asked(&mut client, "textDocument/prepareCallHierarchy", "uint n", 1), Value::Null);
}

#[test]
fn functions_are_in_the_hierarchy_with_the_nodes_that_call_them() {
    const FUNCTIONS: &str = "file:///lsp/functions.hlsl";
    let text = GRAPH.replace(
        "[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid second",
        "struct Sum\n{\n    uint of;\n    uint Twice()\n    {\n        return Add(of, of);\n    }\n    \
         uint Add(uint a, uint b);\n};\nuint Deep(uint n);\nuint Sum::Add(uint a, uint b) { return a + b + Deep(a); }\n\
         uint Deep(uint n) { return n; }\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid second",
    );
    let text = text.replace(
        "    Out[0] = input.Get().n;",
        "    Sum sum = { min(input.Get().n, 2) };\n    Out[0] = sum.Twice() + Deep(1) + Deep(2);",
    );
    let mut client = Client::full();
    client.open(FUNCTIONS, &text);
    assert_eq!(client.diagnostics(FUNCTIONS), []);
    let mut prepared = |part: &str, plus: usize| {
        let params = json!({ "textDocument": { "uri": FUNCTIONS }, "position": at(&text, part, plus) });
        client.request("textDocument/prepareCallHierarchy", params).expect("an answer")
    };
    let [deep, add, second] =
        [("Deep(a)", 1), ("Add(of", 1), ("void second", 6)].map(|(part, plus)| prepared(part, plus));
    let names: Vec<&Value> = [&deep, &add, &second].map(|items| &items[0]["name"]).to_vec();
    assert_eq!(names, ["Deep", "Add", "second"]);
    assert_eq!(prepared("min(", 1), Value::Null, "what is built in has no text");
    assert_eq!(prepared("sum.Twice", 1), Value::Null);
    let mut calls = |item: &Value, to: bool| -> Vec<String> {
        let (method, end) = if to { ("outgoingCalls", "to") } else { ("incomingCalls", "from") };
        let found = client.request(&format!("callHierarchy/{method}"), json!({ "item": item })).expect("calls");
        let words = |range: &Value| {
            let line = text.lines().nth(range["start"]["line"].as_u64().expect("a line") as usize).expect("a line");
            let column = |end: &str| range[end]["character"].as_u64().expect("a column") as usize;
            line[column("start")..column("end")].to_owned()
        };
        let line = |call: &Value| {
            let at: Vec<String> = call["fromRanges"].as_array().expect("ranges").iter().map(words).collect();
            let detail = Some(call[end]["detail"].as_str().unwrap_or_default()).filter(|detail| *detail == "Sum");
            let around = detail.map_or(String::new(), |detail| format!("{detail}::"));
            format!("{around}{}: {}", call[end]["name"].as_str().unwrap_or_default(), at.join(" "))
        };
        found.as_array().expect("calls").iter().map(line).collect()
    };
    assert_eq!(calls(&deep[0], false), ["Sum::Add: Deep", "second: Deep Deep"]);
    assert_eq!(calls(&deep[0], true), [""; 0]);
    assert_eq!(calls(&add[0], false), ["Sum::Twice: Add"]);
    assert_eq!(calls(&add[0], true), ["Deep: Deep"]);
    // The call hierarchy follows the node's edges and its calls.
    assert_eq!(calls(&second[0], true), ["Sum::Twice: Twice", "Deep: Deep Deep"]);
    assert_eq!(calls(&second[0], false), ["first: [MaxRecords(1)] NodeOutput<R> second"]);
}

#[test]
fn call_hierarchy_attributes_macro_calls_to_their_users() {
    const MACROS: &str = "file:///lsp/calls_of_macros.hlsl";
    let text = "uint Deep(uint n) { return n; }\n#define TWICE(x) Deep(Deep(x))\n\
                uint Uses(uint n = Deep(7)) { return TWICE(n) + 1; }\nuint Plain() { return Deep(1); }\n";
    let mut client = Client::full();
    client.open(MACROS, text);
    let mut calls = |name: &str, method: &str, end: &str| -> Vec<String> {
        let params = json!({ "textDocument": { "uri": MACROS }, "position": at(text, name, 6) });
        let item = client.request("textDocument/prepareCallHierarchy", params).expect("an answer")[0].clone();
        let found = client.request(&format!("callHierarchy/{method}"), json!({ "item": item })).expect("calls");
        let line = |call: &Value| {
            let at: Vec<String> = call["fromRanges"].as_array().expect("ranges").iter().map(shown).collect();
            format!("{} {}", call[end]["name"].as_str().unwrap_or_default(), at.join(" "))
        };
        found.as_array().expect("calls").iter().map(line).collect()
    };
    // The location of the macro's use, which is in the text of the function.
    let both = ["2:19-2:23", "2:37-2:45"];
    let incoming = calls("uint Deep", "incomingCalls", "from");
    assert_eq!(incoming, [format!("Uses {} {}", both[1], both[0]), "Plain 3:22-3:26".to_owned()]);
    let outgoing = calls("uint Uses", "outgoingCalls", "to");
    assert_eq!(outgoing, [format!("Deep {} {}", both[0], both[1])]);
}
