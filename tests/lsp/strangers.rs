//! Clients that violate the protocol, and documents that are not files: each is answered, and the server continues.

use crate::GRAPH;
use crate::client::Client;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const URI: &str = "file:///lsp/strange.hlsl";

/// Requests about a position, a range or a whole document.
pub const METHODS: &[&str] = &[
    "callHierarchy/incomingCalls",
    "callHierarchy/outgoingCalls",
    "completionItem/resolve",
    "textDocument/codeAction",
    "textDocument/codeLens",
    "textDocument/completion",
    "textDocument/declaration",
    "textDocument/definition",
    "textDocument/diagnostic",
    "textDocument/documentHighlight",
    "textDocument/documentLink",
    "textDocument/documentSymbol",
    "textDocument/foldingRange",
    "textDocument/formatting",
    "textDocument/hover",
    "textDocument/implementation",
    "textDocument/inlayHint",
    "textDocument/onTypeFormatting",
    "textDocument/prepareCallHierarchy",
    "textDocument/prepareRename",
    "textDocument/rangeFormatting",
    "textDocument/references",
    "textDocument/rename",
    "textDocument/selectionRange",
    "textDocument/semanticTokens/full",
    "textDocument/semanticTokens/full/delta",
    "textDocument/semanticTokens/range",
    "textDocument/signatureHelp",
    "textDocument/typeDefinition",
    "wgc/graph",
    "workspace/executeCommand",
    "workspace/symbol",
];

/// Parameters that any of [`METHODS`] can read.
pub fn parameters(uri: &str, line: u32, character: u32) -> Value {
    let place = json!({ "line": line, "character": character });
    json!({
        "textDocument": { "uri": uri }, "position": place, "positions": [place], "newName": "other", "ch": ";", "query": "a",
        "range": { "start": { "line": 0, "character": 0 }, "end": place }, "context": { "diagnostics": [], "includeDeclaration": true },
        "options": { "tabSize": 4, "insertSpaces": true }, "previousResultId": "none", "command": "wgc.graph", "arguments": [uri],
    })
}

/// Checks that the server still works normally.
fn is_well(client: &mut Client) {
    let uri = "file:///lsp/well.hlsl";
    client.open(uri, GRAPH);
    assert_eq!(client.diagnostics(uri), []);
    client.close(uri);
}

struct Raw(Connection, std::thread::JoinHandle<Result<(), String>>);

impl Raw {
    fn new() -> Raw {
        let (here, there) = Connection::memory();
        Raw(here, std::thread::spawn(move || wgc_compiler::lsp::serve(&there)))
    }

    fn send(&self, message: impl Into<Message>) {
        self.0.sender.send(message.into()).expect("it listens");
    }

    fn request(&self, id: impl Into<RequestId>, method: &str, params: Value) -> Response {
        let id = id.into();
        self.send(Request::new(id.clone(), method.into(), params));
        loop {
            match self.0.receiver.recv_timeout(Duration::from_secs(30)).expect("it speaks") {
                Message::Response(answer) if answer.id == id => return answer,
                _ => {}
            }
        }
    }

    fn code(&self, id: i32, method: &str) -> i32 {
        self.request(id, method, Value::Null).response_result.expect_err("it is refused").code
    }

    fn note(&self, method: &str, params: Value) {
        self.send(Notification::new(method.into(), params));
    }

    fn end(self) -> Result<(), String> {
        let Raw(connection, server) = self;
        let ended = server.join().expect("it does not panic");
        drop(connection);
        ended
    }
}

#[test]
fn initialize_comes_first_and_once_and_nothing_after_shutdown() {
    let server = Raw::new();
    assert_eq!(server.code(1, "textDocument/hover"), -32002);
    assert_eq!(server.code(2, "shutdown"), -32002);
    // Neither a notification nor a response has an effect yet.
    server.note("textDocument/didOpen", json!({ "nonsense": 1 }));
    server.send(Response::new_ok(7.into(), Value::Null));
    assert!(server.request(3, "initialize", json!({ "capabilities": {} })).response_result.is_ok());
    // The server does not wait for `initialized`.
    assert_eq!(server.code(4, "no/such"), -32601);
    server.note("initialized", json!({}));
    server.note("initialized", json!({}));
    assert_eq!(server.code(5, "initialize"), -32600);
    assert!(server.request("text".to_owned(), "workspace/symbol", json!({ "query": "" })).response_result.is_ok());
    assert!(server.request(6, "shutdown", Value::Null).response_result.is_ok());
    assert_eq!(server.code(7, "workspace/symbol"), -32600);
    assert_eq!(server.code(8, "shutdown"), -32600);
    server.note("textDocument/didOpen", json!({ "nonsense": 1 }));
    server.note("exit", Value::Null);
    assert_eq!(server.end(), Ok(()));
    // Without `shutdown`.
    let server = Raw::new();
    server.note("exit", Value::Null);
    assert_eq!(server.end(), Err("the client exited without `shutdown`".into()));
}

#[test]
fn malformed_request_parameters_are_rejected() {
    let mut client = Client::full();
    client.open(URI, GRAPH);
    assert_eq!(client.request("no/such", json!({})), Err(-32601));
    assert_eq!(client.request("", Value::Null), Err(-32601));
    let document = json!({ "uri": URI });
    let wrong = [
        Value::Null,
        json!([]),
        json!(7),
        json!({ "textDocument": 5 }),
        json!({ "textDocument": { "uri": 5 } }),
        json!({ "textDocument": document, "position": { "line": -1, "character": 0 } }),
        json!({ "textDocument": document, "position": { "line": 1e30, "character": 0.5 }, "range": "x" }),
        json!({ "textDocument": document, "position": { "line": 4294967296_u64, "character": 0 }, "positions": 7 }),
        json!({ "item": { "name": 1 }, "data": [[[]]], "query": {}, "command": null, "arguments": {} }),
    ];
    for method in METHODS {
        for params in &wrong {
            let answer = client.request(method, params.clone());
            assert!(answer.is_ok() || answer == Err(-32602), "{method} {params}: {answer:?}");
        }
        let answer = client.request(method, parameters(URI, 4_000_000_000, u32::MAX));
        assert!(answer.is_ok() || answer == Err(-32602), "{method}: {answer:?}");
    }
    client.messages.clear();
    is_well(&mut client);
    assert_eq!(client.messages, [""; 0]);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn cancelling_unknown_requests_is_ignored() {
    let mut client = Client::full();
    client.open(URI, GRAPH);
    for id in [Value::Null, json!(1.5), json!("text"), json!([1]), json!(u64::MAX), json!(-1), json!(1)] {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    client.notify("$/cancelRequest", Value::Null);
    client.notify("$/cancelRequest", json!([3]));
    is_well(&mut client);
    assert_eq!(client.leave(), Ok(()));
}

/// Two concurrent requests with one id: the second is refused, and both have an answer.
#[test]
fn concurrent_requests_must_have_distinct_ids() {
    let server = Raw::new();
    server.request(1, "initialize", json!({ "capabilities": {} }));
    let text: String = (0..300).map(|n| format!("uint f{n}(uint x) {{ return x; }}\n")).collect();
    let item = json!({ "uri": URI, "languageId": "hlsl", "version": 1, "text": text });
    server.note("textDocument/didOpen", json!({ "textDocument": item }));
    for _ in 0..2 {
        let params = json!({ "textDocument": { "uri": URI } });
        server.send(Request::new("same".to_owned().into(), "textDocument/semanticTokens/full".into(), params));
    }
    let mut answers = Vec::new();
    while answers.len() < 2 {
        if let Message::Response(answer) = server.0.receiver.recv_timeout(Duration::from_secs(30)).expect("it speaks") {
            answers.push(answer.response_result.map_err(|error| error.code).map(|_| ()));
        }
    }
    // The first may already have its answer.
    assert!(
        answers.contains(&Ok(())) && answers.iter().all(|answer| matches!(answer, Ok(()) | Err(-32600))),
        "{answers:?}"
    );
    server.request(2, "shutdown", Value::Null);
    server.note("exit", Value::Null);
    assert_eq!(server.end(), Ok(()));
}

#[test]
fn edits_outside_a_document_are_clamped() {
    let mut client = Client::new(json!({}), Value::Null);
    let at = |line: u64, character: u64| json!({ "line": line, "character": character });
    let edit =
        |start: Value, end: Value, text: &str| json!([{ "range": { "start": start, "end": end }, "text": text }]);
    let smile = "\u{1f600}";
    client.open(URI, &format!("uint a; // {smile}\nuint b;\n"));
    // Past the end, reversed, and between the halves of a character.
    client.change(URI, edit(at(99, 0), at(99, 9), "uint c;\n"));
    client.change(URI, edit(at(2, 6), at(2, 5), "see"));
    client.change(URI, edit(at(0, 12), at(0, 12), "x"));
    client.change(URI, json!([]));
    // None of these is readable, or belongs to an open document.
    client.change(URI, edit(json!({ "line": -1, "character": 0 }), at(0, 0), "nonsense"));
    client.change(URI, json!("nonsense"));
    client.change(URI, json!([{ "range": null }]));
    client.notify("textDocument/didChange", json!({ "textDocument": { "uri": URI }, "contentChanges": 7 }));
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": "file:///lsp/never.hlsl" } }));
    let never = json!({ "uri": "file:///lsp/never.hlsl", "version": 1 });
    client
        .notify("textDocument/didChange", json!({ "textDocument": never, "contentChanges": [{ "text": "uint n;" }] }));
    let names = |client: &mut Client| {
        let answer = client.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": URI } }));
        let answer = answer.expect("symbols");
        let name = |one: &Value| one["name"].as_str().unwrap_or_default().to_owned();
        answer.as_array().expect("a list").iter().map(name).collect::<Vec<_>>()
    };
    assert_eq!(names(&mut client), ["a", "b", "see"]);
    assert_eq!(client.messages.len(), 4, "what cannot be read is logged: {:?}", client.messages);
    // A decreasing version, and a document that is opened twice.
    let back = json!({ "uri": URI, "version": -5 });
    client.notify(
        "textDocument/didChange",
        json!({ "textDocument": back, "contentChanges": [{ "text": "uint back;" }] }),
    );
    assert_eq!(names(&mut client), ["back"]);
    client.open(URI, "uint again;");
    assert_eq!(names(&mut client), ["again"]);
    client.close(URI);
    client.close(URI);
    assert_eq!(names(&mut client), [""; 0]);
    is_well(&mut client);
    assert_eq!(client.leave(), Ok(()));
}

#[test]
fn documents_that_are_no_files_are_answered() {
    let mut client = Client::full();
    for uri in [
        "untitled:Untitled-1",
        "http://example.com/a.hlsl",
        "git:/a/b.hlsl?ref=main",
        "file:///%",
        "file:///%zz/%4.hlsl",
        "file:///%00/a.hlsl",
        "file:///%ff%fe.hlsl",
        "file://server/share/a.hlsl",
        "file://",
        "file:///",
        "file:",
        "/no/scheme.hlsl",
        "",
        "\u{1f600}:\u{0}",
        "file:///a/../../../b/./c.hlsl",
        "wgc:emulated/x.hlsl",
    ] {
        client.open(uri, GRAPH);
        for method in METHODS {
            let answer = client.request(method, parameters(uri, 4, 6));
            assert!(answer.is_ok() || answer == Err(-32602), "{uri} {method}: {answer:?}");
        }
        let changes = json!([{ "uri": uri, "type": 1 }, { "uri": uri, "type": 2 }, { "uri": uri, "type": 3 }]);
        client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
        client.replace(uri, "uint a;");
        client.close(uri);
    }
    let long = format!("file:///{}.hlsl", "p/".repeat(50_000));
    client.open(&long, GRAPH);
    client.close(&long);
    client.messages.retain(|message| !message.contains("restarted its analysis"));
    assert_eq!(client.messages, [""; 0], "no request panicked");
    is_well(&mut client);
    assert_eq!(client.leave(), Ok(()));
}

const DOCUMENTS: usize = if cfg!(debug_assertions) { 1_000 } else { 10_000 };

#[test]
fn server_handles_thousands_of_documents() {
    let mut client = Client::full();
    let start = Instant::now();
    let uri = |n: usize| format!("file:///lsp/many/{n}.hlsl");
    let symbols = |client: &mut Client, n: usize| {
        let params = json!({ "textDocument": { "uri": uri(n) } });
        client.request("textDocument/documentSymbol", params).expect("some")[0]["name"].clone()
    };
    for n in 0..DOCUMENTS {
        client.open(&uri(n), &format!("uint f{n}() {{ return {n}; }}\n"));
        if n % 100 == 99 {
            assert_eq!(symbols(&mut client, n), format!("f{n}"));
        }
    }
    let last = uri(DOCUMENTS - 1);
    client.replace(&last, "uint g() { return; }\n");
    assert!(!client.diagnostics(&last).is_empty());
    for n in 0..DOCUMENTS {
        client.close(&uri(n));
        if n % 100 == 99 {
            assert_eq!(symbols(&mut client, n), Value::Null);
        }
    }
    is_well(&mut client);
    assert!(start.elapsed() < Duration::from_secs(100), "{:?}", start.elapsed());
    assert_eq!(client.leave(), Ok(()));
}
