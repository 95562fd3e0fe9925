//! A minimal editor: it sends given messages, and stores the answers.

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Time without a message after which the server counts as hanging.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
    versions: HashMap<String, i32>,
    /// Answers that arrived before the test waited for them.
    answers: HashMap<RequestId, Result<Value, i32>>,
    /// The last published version and diagnostics, by URI.
    pub published: HashMap<String, (Option<i64>, Vec<Value>)>,
    pub messages: Vec<String>,
    /// The section `wgc`, for the server's requests.
    pub settings: Value,
    /// Methods and parameters of the server's other messages, in order.
    pub notifications: Vec<(String, Value)>,
    /// The longest request, and its method.
    pub longest: (Duration, String),
    /// Messages of refused requests.
    pub refusals: Vec<String>,
    pub capabilities: Value,
}

impl Client {
    /// Connects with capabilities of the client, and initialisation options.
    pub fn new(capabilities: Value, options: Value) -> Client {
        let (here, there) = Connection::memory();
        let server = std::thread::spawn(move || wgc_compiler::lsp::serve(&there));
        Client::on(here, server, Value::Null, capabilities, options)
    }

    /// Connects with a workspace folder, and initialisation options.
    pub fn in_folder(folder: &str, options: Value) -> Client {
        let (here, there) = Connection::memory();
        let server = std::thread::spawn(move || wgc_compiler::lsp::serve(&there));
        Client::on(here, server, json!(folder), json!({}), options)
    }

    /// Connects to a server that rebuilds its database at every check.
    pub fn forgetful() -> Client {
        let (here, there) = Connection::memory();
        let server = std::thread::spawn(move || wgc_compiler::lsp::serve_within(&there, 0));
        Client::on(here, server, Value::Null, json!({}), Value::Null)
    }

    fn on(
        connection: Connection,
        server: JoinHandle<Result<(), String>>,
        folder: Value,
        capabilities: Value,
        options: Value,
    ) -> Client {
        let mut client = Client {
            connection,
            server: Some(server),
            next: 0,
            versions: HashMap::new(),
            answers: HashMap::new(),
            published: HashMap::new(),
            messages: Vec::new(),
            settings: Value::Null,
            notifications: Vec::new(),
            longest: Default::default(),
            refusals: Vec::new(),
            capabilities: Value::Null,
        };
        let params = json!({
            "processId": null, "rootUri": folder, "capabilities": capabilities, "initializationOptions": options,
        });
        client.capabilities = client.request("initialize", params).expect("initialize")["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    /// Connects with support for all messages of the server, and positions in bytes.
    pub fn full() -> Client {
        let capabilities = json!({
            "general": { "positionEncodings": ["utf-8", "utf-16"] },
            "textDocument": {
                "publishDiagnostics": {
                    "relatedInformation": true, "tagSupport": { "valueSet": [1] }, "codeDescriptionSupport": true,
                },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            },
        });
        Client::new(capabilities, Value::Null)
    }

    pub fn notify(&self, method: &str, params: Value) {
        let _ = self.connection.sender.send(Notification::new(method.into(), params).into());
    }

    /// Sends without waiting.
    pub fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        let _ = self.connection.sender.send(Request::new(id.clone(), method.into(), params).into());
        id
    }

    /// Returns the answer to a request, or the code of its error.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        let start = Instant::now();
        let id = self.ask(method, params);
        let answer = self.answer(&id);
        if start.elapsed() > self.longest.0 {
            self.longest = (start.elapsed(), method.to_owned());
        }
        answer
    }

    pub fn answer(&mut self, wanted: &RequestId) -> Result<Value, i32> {
        loop {
            if let Some(answer) = self.answers.remove(wanted) {
                return answer;
            }
            let message = self.receive();
            self.keep(message);
        }
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Response(response) => {
                let refused = |error: ResponseError| {
                    self.refusals.push(error.message);
                    error.code
                };
                let answer = response.response_result.map_err(refused);
                self.answers.insert(response.id, answer);
            }
            Message::Notification(note) => self.note(note),
            Message::Request(request) => {
                let answer = match request.method.as_str() {
                    "workspace/configuration" => json!([self.settings]),
                    _ => Value::Null,
                };
                self.notifications.push((request.method, request.params));
                let _ = self.connection.sender.send(Response::new_ok(request.id, answer).into());
            }
        }
    }

    fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(PATIENCE).expect("the server speaks")
    }

    fn note(&mut self, note: Notification) {
        let text = |key: &str| note.params[key].as_str().unwrap_or_default().to_owned();
        match note.method.as_str() {
            "textDocument/publishDiagnostics" => {
                let all = note.params["diagnostics"].as_array().cloned().unwrap_or_default();
                self.published.insert(text("uri"), (note.params["version"].as_i64(), all));
            }
            "window/showMessage" | "window/logMessage" => self.messages.push(text("message")),
            _ => self.notifications.push((note.method.clone(), note.params.clone())),
        }
    }

    pub fn open(&mut self, uri: &str, text: &str) {
        self.versions.insert(uri.into(), 1);
        let item = json!({ "uri": uri, "languageId": "hlsl", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub fn close(&mut self, uri: &str) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
    }

    /// Sends changes in the form of the protocol.
    pub fn change(&mut self, uri: &str, changes: Value) {
        let version = self.versions.entry(uri.into()).or_default();
        *version += 1;
        let document = json!({ "uri": uri, "version": *version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub fn replace(&mut self, uri: &str, text: &str) {
        self.change(uri, json!([{ "text": text }]));
    }

    /// Waits until the present version of a document has diagnostics; returns their codes and messages.
    pub fn diagnostics(&mut self, uri: &str) -> Vec<(String, String)> {
        let version = self.versions.get(uri).map(|version| i64::from(*version));
        while self.published.get(uri).is_none_or(|(of, _)| *of != version) {
            let message = self.receive();
            self.keep(message);
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.published[uri].1.iter().map(|d| (text(&d["code"]), text(&d["message"]))).collect()
    }

    /// Waits for wanted diagnostics of a file: one that is not open, or that depends on other files.
    pub fn until(&mut self, uri: &str, wanted: impl Fn(&[Value]) -> bool) {
        while self.published.get(uri).is_none_or(|(_, all)| !wanted(all)) {
            let message = self.receive();
            self.keep(message);
        }
    }

    /// Waits for a message of the server with this method; returns its parameters. Earlier messages count.
    pub fn wait(&mut self, method: &str) -> Value {
        loop {
            if let Some(at) = self.notifications.iter().position(|(name, _)| name == method) {
                return self.notifications.remove(at).1;
            }
            let message = self.receive();
            self.keep(message);
        }
    }

    /// Waits until the server shows a message to the user.
    pub fn wait_for_message(&mut self) -> String {
        while self.messages.is_empty() {
            let message = self.receive();
            self.keep(message);
        }
        self.messages.remove(0)
    }

    /// Shuts the server down; returns its result.
    pub fn leave(mut self) -> Result<(), String> {
        self.request("shutdown", Value::Null).expect("shutdown");
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it left once");
        server.join().expect("the server does not panic")
    }
}

/// A server ends with its connection. The client joins its thread: a detached thread that ends can crash the process
/// (glibc's bug 19951).
impl Drop for Client {
    fn drop(&mut self) {
        self.connection = Connection::memory().0;
        let _ = self.server.take().map(JoinHandle::join);
    }
}

/// Returns `line:column-line:column`, from 0, of a range of the protocol.
pub fn shown(range: &Value) -> String {
    let of = |at: &Value| format!("{}:{}", at["line"], at["character"]);
    format!("{}-{}", of(&range["start"]), of(&range["end"]))
}

/// Returns the start of a part of a text, plus some bytes, in lines and bytes.
pub fn at(text: &str, part: &str, plus: usize) -> Value {
    let offset = text.find(part).unwrap_or_else(|| panic!("{part} is in the text")) + plus;
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    json!({ "line": before.matches('\n').count(), "character": offset - start })
}
