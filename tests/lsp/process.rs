//! The server as a separate process, on standard input and output; also checks its behaviour after errors of wgc
//! itself.

use crate::GRAPH;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const URI: &str = "file:///lsp/process.hlsl";

/// A server with a folder for reports, which panics at a given method.
struct Server {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i32,
    /// Its messages, by method.
    notifications: Vec<(String, Value)>,
}

impl Server {
    fn that_panics_at(method: &str, reports: &Path) -> Server {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wgc"));
        command.args(["lsp", "--stdio"]).env("WGC_SIMULATE_INTERNAL_ERROR", method).env("TMPDIR", reports);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("it starts");
        let input = BufWriter::new(child.stdin.take().expect("a pipe"));
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server { child, input, output, next: 0, notifications: Vec::new() };
        server.request("initialize", json!({ "capabilities": { "textDocument": { "documentSymbol": { "hierarchicalDocumentSymbolSupport": true } } } })).expect("it begins");
        server.notify("initialized", json!({}));
        server
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).and_then(|()| self.input.flush()).expect("it listens");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.into(), params).into());
    }

    /// Returns the answer, or the message of an error.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request::new(id.clone(), method.into(), params).into());
        loop {
            match Message::read(&mut self.output).expect("it speaks").expect("it lives") {
                Message::Response(answer) if answer.id == id => {
                    return answer.response_result.map_err(|error| error.message);
                }
                Message::Notification(note) => self.notifications.push((note.method, note.params)),
                _ => {}
            }
        }
    }

    /// Returns the next message as JSON, because the types of the protocol may not fit it.
    fn raw(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("it speaks");
            match line.trim().split_once(": ") {
                Some((_, value)) => length = value.parse().expect("a number"),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("it speaks");
        serde_json::from_slice(&body).expect("JSON")
    }

    fn wait(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|(name, _)| name == method) {
                return self.notifications.remove(at).1;
            }
            if let Message::Notification(note) = Message::read(&mut self.output).expect("it speaks").expect("it lives")
            {
                self.notifications.push((note.method, note.params));
            }
        }
    }

    fn open(&mut self, text: &str) {
        let item = json!({ "uri": URI, "languageId": "hlsl", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    fn change(&mut self, text: &str) {
        let document = json!({ "uri": URI, "version": 2 });
        self.notify(
            "textDocument/didChange",
            json!({ "textDocument": document, "contentChanges": [{ "text": text }] }),
        );
    }

    fn symbols(&mut self) -> usize {
        let params = json!({ "textDocument": { "uri": URI } });
        let answer = self.request("textDocument/documentSymbol", params).expect("an answer");
        answer.as_array().map_or(0, Vec::len)
    }

    /// Shuts down as every server does.
    fn leave(mut self) {
        self.request("shutdown", Value::Null).expect("it shuts down");
        self.notify("exit", Value::Null);
        assert!(self.child.wait().expect("it ends").success());
    }
}

/// Returns the text of the only report.
fn report(folder: &Path, message: &str) -> String {
    let files: Vec<_> = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path()).collect();
    assert_eq!(files.len(), 1, "{message}");
    assert!(message.contains(&*files[0].to_string_lossy()), "{message}");
    std::fs::read_to_string(&files[0]).expect("readable")
}

#[test]
fn a_request_that_panics_is_an_error_with_a_report() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("textDocument/hover", folder.path());
    server.open("an older text");
    // The report has the editor's text: neither that of the disk nor the first version.
    server.change(GRAPH);
    let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 4, "character": 6 } });
    let message = server.request("textDocument/hover", params.clone()).expect_err("it panics");
    assert!(message.contains("internal error") && message.contains("bug in wgc"), "{message}");
    let text = report(folder.path(), &message);
    assert!(text.contains("language server: textDocument/hover {") && text.contains("\"line\":4"), "{text}");
    assert!(text.contains(GRAPH) && !text.contains("an older text"), "{text}");
    // Everything else works as before.
    assert_eq!(server.symbols(), 6);
    assert!(server.request("textDocument/definition", params).is_ok());
    server.leave();
}

#[test]
fn the_server_survives_panics_in_diagnostics() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("textDocument/publishDiagnostics", folder.path());
    server.open(GRAPH);
    let message = server.wait("window/logMessage")["message"].as_str().unwrap_or_default().to_owned();
    assert!(report(folder.path(), &message).contains(GRAPH), "{message}");
    // An edit does not cause another report.
    for n in 0..40 {
        server.change(&format!("{GRAPH}// {n}\n"));
        server.wait("window/logMessage");
    }
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 16);
    assert_eq!(server.symbols(), 6);
    server.leave();
}

/// A thread with a small stack writes nested answers.
#[test]
fn deeply_nested_sources_are_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("nowhere/at/all", folder.path());
    let uri = "file:///lsp/deep.hlsl";
    let nest = "namespace a { ".repeat(5000) + &"}".repeat(5000);
    let text = format!("{nest}\nvoid f() {{ int x = {}1{}; }}\n", "(".repeat(20_000), ")".repeat(20_000));
    let document = json!({ "uri": uri, "languageId": "hlsl", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let symbols = server.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert!(symbols.is_ok_and(|symbols| symbols.is_array()));
    let positions = json!([{ "line": 1, "character": 20_020 }]);
    let params = json!({ "textDocument": { "uri": uri }, "positions": positions });
    let mut range = server.request("textDocument/selectionRange", params).expect("an answer")[0].take();
    let mut depth = 0;
    while range["parent"].is_object() {
        (depth, range) = (depth + 1, range["parent"].take());
    }
    assert!((10..100).contains(&depth), "{depth}");
    assert_eq!(range["range"]["start"], json!({ "line": 0, "character": 0 }), "the last is the whole text");
}

/// The size of the texts is computed before any request runs.
#[test]
fn requests_are_answered_if_the_size_query_panics() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("wgc/size", folder.path());
    let uri = "file:///lsp/counted.hlsl";
    let document = json!({ "uri": uri, "languageId": "hlsl", "version": 1, "text": "uint f() { return 1; }\n" });
    server.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let symbols = server.request("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(symbols.expect("an answer")[0]["name"], "f");
}

#[test]
fn a_panicking_notification_leaves_the_server_running() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("textDocument/didChange", folder.path());
    server.open(GRAPH);
    server.change("nothing");
    let message = server.wait("window/logMessage")["message"].as_str().unwrap_or_default().to_owned();
    assert!(report(folder.path(), &message).contains(GRAPH), "{message}");
    assert_eq!(server.symbols(), 6);
    server.leave();
}

/// Each is answered according to JSON-RPC, and so is the next request.
#[test]
fn malformed_message_bodies_are_answered_with_errors() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut server = Server::that_panics_at("nowhere/at/all", folder.path());
    server.open(GRAPH);
    assert_eq!(server.symbols(), 6);
    for (body, code) in [(&b"{bad}"[..], -32700), (b"\xff\xfe", -32700), (b"[1]", -32600)] {
        write!(server.input, "Content-Length: {}\r\n\r\n", body.len()).expect("it listens");
        server.input.write_all(body).and_then(|()| server.input.flush()).expect("it listens");
        let error = loop {
            let answer = server.raw();
            // Skips notifications.
            if answer.get("method").is_none() {
                break answer;
            }
        };
        assert_eq!((&error["id"], error["error"]["code"].as_i64()), (&Value::Null, Some(code)), "{error}");
        assert_eq!(server.symbols(), 6);
    }
    server.leave();
}

/// Waits for the bytes, and allocates no memory before they arrive.
#[test]
fn missing_bodies_and_bad_lengths_end_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    for (header, status) in [
        ("Content-Length: 8000000000\r\n\r\n{", "the client closed the connection"),
        ("Content-Length: many\r\n\r\n{}", "Content-Length is `many`, not a number of bytes"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_wgc"));
        command.arg("lsp").env("TMPDIR", folder.path());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        let mut input = child.stdin.take().expect("a pipe");
        for message in [
            Message::from(Request::new(1.into(), "initialize".into(), json!({ "capabilities": {} }))),
            Message::from(Notification::new("initialized".into(), json!({}))),
        ] {
            message.write(&mut input).expect("it listens");
        }
        input.write_all(header.as_bytes()).expect("it listens");
        drop(input);
        let out = child.wait_with_output().expect("it ends");
        let text = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{text}");
        assert!(text.contains(status), "{text}");
    }
}
