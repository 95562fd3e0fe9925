//! Speed of the language server, driven as by an editor: a graph of 200 nodes in 5,000 lines.
//!
//! `cargo bench -p wgc-bench --bench lsp`; `WGC_BENCH_EDITS` is the number of edits (1,000), `WGC_BENCH_ROUNDS` that of
//! everything else (20). Figures are in docs/measurements.md. The server is in this process, which has one more thread
//! for the client, so its memory is the memory of the process.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use wgc_bench::{edited_line, long_graph};
use wgc_fmt::Style;

const URI: &str = "file:///bench/graph.hlsl";
const NODES: usize = 200;
/// Consecutive edits in one body, as in typing.
const IN_ONE_BODY: usize = 50;

struct Client {
    connection: Connection,
    version: i64,
    next: i32,
    /// The version and the number of diagnostics that were published last.
    published: (i64, usize),
}

impl Client {
    fn new() -> Client {
        let (here, there) = Connection::memory();
        std::thread::spawn(move || wgc_compiler::lsp::serve(&there));
        let mut client = Client { connection: here, version: 0, next: 0, published: (0, 0) };
        client.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
        client.notify("initialized", json!({}));
        client
    }

    fn notify(&self, method: &str, params: Value) {
        self.connection.sender.send(Notification::new(method.into(), params).into()).expect("the server is there");
    }

    fn receive(&mut self) -> Message {
        let message = self.connection.receiver.recv_timeout(Duration::from_secs(60)).expect("the server speaks");
        if let Message::Notification(note) = &message
            && note.method == "textDocument/publishDiagnostics"
        {
            let version = note.params["version"].as_i64().unwrap_or_default();
            self.published = (version, note.params["diagnostics"].as_array().map_or(0, Vec::len));
        }
        message
    }

    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.connection
            .sender
            .send(Request::new(id.clone(), method.into(), params).into())
            .expect("the server is there");
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                return response.response_result.expect("an answer");
            }
        }
    }

    fn open(&mut self, text: &str) {
        (self.version, self.published) = (1, (0, 0));
        let item = json!({ "uri": URI, "languageId": "hlsl", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    /// Replaces a line by a text, or inserts the text before it.
    fn change(&mut self, first: usize, end: usize, text: &str) {
        self.version += 1;
        let range = json!({ "start": { "line": first, "character": 0 }, "end": { "line": end, "character": 0 } });
        let document = json!({ "uri": URI, "version": self.version });
        let changes = json!([{ "range": range, "text": text }]);
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Waits for the diagnostics of the present version; returns their number.
    fn diagnosed(&mut self) -> usize {
        while self.published.0 != self.version {
            self.receive();
        }
        self.published.1
    }
}

/// Prints statistics of some times.
fn print_statistics(what: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize].as_secs_f64() * 1e3;
    println!("{what:<30} median {:8.2} ms   p99 {:8.2} ms   of {}", at(0.5), at(0.99), times.len());
}

/// Reads a number from the environment, or returns the default.
fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Returns the peak memory of the process in MB.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok()).unwrap_or(f64::NAN) / 1e3
}

/// Requests about names, each after an edit in a body.
fn names(client: &mut Client, text: &str, lines: &[usize], rounds: usize) {
    let start = text.find(&edited_line(NODES / 2, 1)).expect("it has it");
    for (method, part, from) in [
        ("definition", "input.Get()", start),
        ("hover", "input.Get()", start),
        ("documentHighlight", "input.Get()", start),
        ("references", "sum", start),
        // A name that the whole program uses.
        ("references", "Results", 0),
        ("signatureHelp", "Get().part", start),
        ("prepareRename", "sum", start),
        ("rename", "sum", start),
        ("rename", "Results", 0),
    ] {
        let offset = from + text[from..].find(part).expect("it has it");
        let character = offset - text[..offset].rfind('\n').map_or(0, |n| n + 1);
        // Signature help is for the place after the bracket.
        let character = character + if method == "signatureHelp" { "Get(".len() } else { 1 };
        let position = json!({ "line": text[..offset].matches('\n').count(), "character": character });
        let params = json!({ "textDocument": { "uri": URI }, "position": position, "newName": "other" });
        let mut times = Vec::new();
        for n in 0..rounds {
            let node = n * 7 % NODES;
            client.change(lines[node], lines[node] + 1, &edited_line(node, n + 2));
            let begin = Instant::now();
            let answer = client.request(&format!("textDocument/{method}"), params.clone());
            times.push(begin.elapsed());
            assert!(!answer.is_null(), "{method} of {part}");
            client.diagnosed();
        }
        print_statistics(&format!("{method} of {part}"), times);
    }
}

#[allow(clippy::print_stdout, reason = "it is what a benchmark is for")]
fn main() {
    let edits = number("WGC_BENCH_EDITS", 1_000);
    let rounds = number("WGC_BENCH_ROUNDS", 20);
    let text = long_graph(NODES);
    let opened = |client: &mut Client| {
        let begin = Instant::now();
        client.open(&text);
        assert_eq!(client.diagnosed(), 0, "the graph is right");
        begin.elapsed()
    };
    print_statistics("cold open", (0..rounds).map(|_| opened(&mut Client::new())).collect());

    let mut client = Client::new();
    opened(&mut client);
    let line_of = |node: usize| text[..text.find(&edited_line(node, 1)).expect("it has it")].matches('\n').count();
    let lines: Vec<usize> = (0..NODES).map(line_of).collect();
    // Typing continues in one body; the other figure is for edits that are each in a different body.
    for (what, in_one) in [("edit in a body", IN_ONE_BODY), ("edit in another body each", 1)] {
        let mut times = Vec::new();
        for n in 0..edits {
            let node = n / in_one * 7 % NODES;
            let begin = Instant::now();
            client.change(lines[node], lines[node] + 1, &edited_line(node, n + in_one));
            client.diagnosed();
            times.push(begin.elapsed());
        }
        print_statistics(what, times);
    }

    // Half-typed lines of a body, each after an edit.
    for (what, typed, times) in [
        ("completion after an edit", "    input.\n", edits),
        ("completion of a name", "    su\n", rounds),
        ("completion of all names", "    \n", rounds),
    ] {
        let mut took = Vec::new();
        for n in 0..times {
            let line = lines[n * 11 % NODES];
            client.change(line, line, typed);
            let position = json!({ "line": line, "character": typed.len() - 1 });
            let params = json!({ "textDocument": { "uri": URI }, "position": position });
            let begin = Instant::now();
            let found = client.request("textDocument/completion", params);
            took.push(begin.elapsed());
            assert!(found["items"].as_array().is_some_and(|items| !items.is_empty()), "{found}");
            client.change(line, line + 1, "");
            client.diagnosed();
        }
        print_statistics(what, took);
    }
    names(&mut client, &text, &lines, rounds);

    let mut times = Vec::new();
    for _ in 0..rounds {
        let begin = Instant::now();
        let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 4, "insertSpaces": true } });
        client.request("textDocument/formatting", params);
        times.push(begin.elapsed());
    }
    print_statistics("formatting, by request", times);
    let mut times = Vec::new();
    for _ in 0..rounds {
        let begin = Instant::now();
        std::hint::black_box(wgc_fmt::edits(text.as_bytes(), &Style::default()));
        times.push(begin.elapsed());
    }
    print_statistics("formatting", times);
    println!("{:<30} {:.0} MB", "memory at most", peak());
}
