//! The rest of the protocol: symbols, folding, links, and unusual clients.

use crate::GRAPH;
use crate::client::{Client, shown};
use serde_json::{Value, json};

const URI: &str = "file:///lsp/graph.hlsl";

fn of_document(client: &mut Client, method: &str) -> Value {
    client.request(method, json!({ "textDocument": { "uri": URI } })).expect("an answer")
}

#[test]
fn document_symbols_are_nested_or_flat() {
    let text = "namespace a::b { struct S { uint n; float f() { return 1; } }; } namespace a { uint c; }\nenum E { One, Two };\n\
                cbuffer C { float4 v; };\ntypedef uint T;\nstatic uint x, y;\n";
    let text = format!("{text}{GRAPH}");
    let mut client = Client::full();
    client.open(URI, &text);
    fn line(symbol: &Value, out: &mut Vec<String>, depth: usize) {
        let range = shown(&symbol["selectionRange"]);
        out.push(format!("{}{} {} {range}", " ".repeat(depth), symbol["name"].as_str().unwrap_or("?"), symbol["kind"]));
        symbol["children"].as_array().into_iter().flatten().for_each(|child| line(child, out, depth + 1));
    }
    let mut lines = Vec::new();
    let tree = of_document(&mut client, "textDocument/documentSymbol");
    tree.as_array().expect("symbols").iter().for_each(|symbol| line(symbol, &mut lines, 0));
    assert_eq!(
        lines,
        [
            "a 3 0:10-0:11",
            " b 3 0:13-0:14",
            "  S 23 0:24-0:25",
            "   n 8 0:33-0:34",
            "   f 6 0:42-0:43",
            "a 3 0:75-0:76",
            " c 13 0:84-0:85",
            "E 10 1:5-1:6",
            " One 22 1:9-1:12",
            " Two 22 1:14-1:17",
            "C 3 2:8-2:9",
            " v 8 2:19-2:20",
            "T 5 3:13-3:14",
            "x 13 4:12-4:13",
            "y 13 4:15-4:16",
            "R 23 5:7-5:8",
            " n 8 5:16-5:17",
            "Out 13 6:25-6:28",
            "first 24 9:5-9:10",
            "second 24 17:5-17:11",
            "leaf 24 23:5-23:9",
            "other_leaf 24 26:5-26:15",
        ]
    );
    let method = &tree[0]["children"][0]["children"][0]["children"][1];
    assert_eq!(shown(&method["range"]), "0:36-0:59", "with its body");
    let mut simple = Client::new(json!({}), Value::Null);
    simple.open(URI, &text);
    let row = of_document(&mut simple, "textDocument/documentSymbol");
    let row = row.as_array().expect("symbols");
    // The flat list has no namespaces: they are the containers of their members.
    assert_eq!(row.len(), lines.len() - 3);
    assert_eq!((&row[0]["name"], &row[0]["containerName"]), (&json!("S"), &json!("a::b")));
    assert_eq!((&row[1]["name"], &row[1]["containerName"]), (&json!("n"), &json!("S")));
}

#[test]
fn declarations_fold_and_includes_are_links() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("some.hlsli"), "uint F() { return 1; }\n").expect("written");
    let uri = format!("file://{}/graph.hlsl", folder.path().display());
    let mut client = Client::full();
    client.open(&uri, &format!("#include \"some.hlsli\"\n#include <wgc/graph.hlsl>\n{GRAPH}"));
    client.diagnostics(&uri);
    let params = json!({ "textDocument": { "uri": uri } });
    let links = client.request("textDocument/documentLink", params.clone()).expect("links");
    let links = links.as_array().expect("a list");
    assert_eq!(links.len(), 1, "{links:?}");
    assert_eq!(links[0]["target"], format!("file://{}/some.hlsli", folder.path().display()));
    assert!(shown(&links[0]["range"]).starts_with("0:9-0:"), "{links:?}");
    let folds = client.request("textDocument/foldingRange", params).expect("folds");
    let row = |from: u32, to: u32| json!({ "startLine": from, "endLine": to });
    let includes = json!({ "startLine": 0, "endLine": 1, "kind": "imports" });
    // The braces of bodies; records and bodies of one line have none.
    assert_eq!(folds, json!([includes, row(7, 11), row(14, 17)]));
}

#[test]
fn braces_comments_and_conditionals_fold() {
    let mut client = Client::full();
    client.open(URI, "// One\n// two.\n#if 0\nuint a;\n#else\nvoid f() {\n    for (;;) {\n    }\n#endif\n");
    let fold = |from: u32, to: u32, kind: &str| json!({ "startLine": from, "endLine": to, "kind": kind });
    let folds = of_document(&mut client, "textDocument/foldingRange");
    assert_eq!(folds, json!([fold(0, 1, "comment"), fold(2, 3, "region"), fold(4, 7, "region")]));
}

#[test]
fn invalid_requests_are_answered_with_errors() {
    let mut client = Client::full();
    assert_eq!(client.request("textDocument/noSuchThing", json!({})), Err(-32601));
    assert_eq!(client.request("textDocument/definition", json!({ "position": 7 })), Err(-32602));
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.notify("$/cancelRequest", json!({ "id": 99 }));
    // Never opened.
    assert_eq!(of_document(&mut client, "textDocument/documentSymbol"), json!([]));
    client.open(URI, GRAPH);
    assert_eq!(client.diagnostics(URI), []);
    // Far outside the text.
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    let params = json!({ "textDocument": { "uri": URI }, "position": far });
    assert_eq!(client.request("textDocument/definition", params), Ok(json!([])));
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn requests_cancelled_by_edits_are_retried() {
    let mut client = Client::full();
    let functions =
        |count: usize| (0..count).map(|n| format!("uint f{n}(uint x) {{ return x; }}\n")).collect::<String>();
    let text = functions(400);
    client.open(URI, &text);
    for n in 0..30 {
        let id = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
        client.replace(URI, &format!("{text}static uint number_{n};\n"));
        assert!(client.answer(&id).is_ok(), "{n}");
    }
}

#[test]
fn a_request_that_the_client_cancels_is_an_error() {
    let mut client = Client::full();
    let text: String = (0..400).map(|n| format!("uint f{n}(uint x) {{ return x; }}\n")).collect();
    client.open(URI, &text);
    // It may be answered before the server receives the cancellation.
    let cancelled = (0..30).any(|n| {
        client.replace(URI, &format!("{text}static uint number_{n};\n"));
        let id = client.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": URI } }));
        client.notify("$/cancelRequest", json!({ "id": id }));
        client.answer(&id) == Err(-32800)
    });
    assert!(cancelled);
}

#[test]
fn requests_are_answered_while_the_text_changes() {
    let mut client = Client::full();
    client.open(URI, GRAPH);
    let mut ids = Vec::new();
    for n in 0..40 {
        client.replace(URI, &format!("{GRAPH}static uint number_{n};\n"));
        ids.push(client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } })));
    }
    for (n, id) in ids.iter().enumerate() {
        match client.answer(id) {
            Ok(symbols) => {
                let last = symbols.as_array().and_then(|all| all.last()).map(|last| last["name"].clone());
                let number =
                    last.as_ref().and_then(Value::as_str).and_then(|name| name.strip_prefix("number_")?.parse().ok());
                assert!(number.is_some_and(|number: usize| number >= n), "of an older text: {last:?}");
            }
            Err(code) => assert_eq!(code, -32801),
        }
    }
    assert_eq!(client.diagnostics(URI), []);
}
