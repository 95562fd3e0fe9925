//! The worst inputs in an editor: opened, queried and edited, in one server with little memory.

#[path = "../extremes/inputs.rs"]
mod inputs;

use crate::strangers::{METHODS, parameters};
use inputs::inputs;
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::io::{BufReader, BufWriter, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// KiB of address space: it reserves stacks of four threads, 512 MiB each.
const SPACE: u32 = (4 * 512 + 2048) << 10;

/// Opens every n-th input; all of them in optimised builds.
const STEP: usize = if cfg!(debug_assertions) { 6 } else { 1 };

struct Server {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: i32,
}

impl Server {
    fn new() -> Server {
        let script = format!("ulimit -v {SPACE}; MALLOC_ARENA_MAX=2 exec \"$0\" lsp");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_wgc")]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = command.spawn().expect("it starts");
        let input = BufWriter::new(child.stdin.take().expect("a pipe"));
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server { child, input, output, next: 0 };
        // The client requests diagnostics itself, to wait for each document.
        server
            .request("initialize", json!({ "capabilities": { "textDocument": { "diagnostic": {} } } }))
            .expect("it begins");
        server.notify("initialized", json!({}));
        server
    }

    fn send(&mut self, message: Message) {
        message.write(&mut self.input).and_then(|()| self.input.flush()).expect("it listens");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(Notification::new(method.into(), params).into());
    }

    /// Returns the answer, or the code of an error.
    fn request(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request::new(id.clone(), method.into(), params).into());
        loop {
            match Message::read(&mut self.output).expect("it speaks").expect("it lives") {
                Message::Response(answer) if answer.id == id => {
                    return answer.response_result.map_err(|error| error.code);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn server_answers_extreme_inputs_within_memory_limits() {
    let mut server = Server::new();
    let mut wrong = String::new();
    for input in inputs().into_iter().step_by(STEP) {
        let uri = "file:///lsp/extreme.hlsl";
        let item = json!({ "uri": uri, "languageId": "hlsl", "version": 1, "text": input.text });
        server.notify("textDocument/didOpen", json!({ "textDocument": item }));
        let last = input.text.matches('\n').count() as u32;
        for (line, version) in [(last / 2, 2), (last.saturating_sub(1), 3)] {
            for method in METHODS {
                match server.request(method, parameters(uri, line, 9)) {
                    Ok(_) | Err(-32602) => {}
                    Err(code) => wrong += &format!("{}: {method}: {code}\n", input.name),
                }
            }
            let place = json!({ "line": line, "character": 4 });
            let change = json!({ "range": { "start": place, "end": place }, "text": "x " });
            let document = json!({ "uri": uri, "version": version });
            server.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
        }
        server.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }
    server.request("shutdown", Value::Null).expect("it shuts down");
    server.notify("exit", Value::Null);
    assert!(server.child.wait().expect("it ends").success());
    assert!(wrong.is_empty(), "{wrong}");
}
