//! The language server, driven by the bytes of a client.

use super::holds;
use crate::input::sections;
use crossbeam_channel::{Receiver, RecvTimeoutError, SendTimeoutError, Sender};
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use rustc_hash::FxHashMap;
use serde_json::{Value, json};
use std::time::Duration;

/// Time without a message after which the server counts as hanging.
const PATIENCE: Duration = Duration::from_secs(15);

/// Returns the frames: for an input with sections, their bodies; else the input itself.
fn frames(input: &[u8]) -> Vec<u8> {
    let all = sections(input);
    if all.len() < 2 {
        return input.to_vec();
    }
    let bodies = all.iter().map(|section| section.body).filter(|body| !body.is_empty());
    let frame = |body: &[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
    bodies.flat_map(frame).collect()
}

/// Runs the target `lsp`.
pub fn lsp(input: &[u8]) -> Result<bool, String> {
    let (mut messages, answers, _) = wgc_compiler::lsp::received(&frames(input));
    for answer in &answers {
        holds(answer["error"]["code"].is_number(), || format!("{answer} answers bytes that are no message"))?;
    }
    // An `exit` may make the server end before it answers earlier messages.
    messages.retain(|message| !matches!(message, Message::Notification(note) if note.method == "exit"));
    if messages.is_empty() {
        return Ok(false);
    }
    let begins = |message: &Message| matches!(message, Message::Request(request) if request.method == "initialize");
    if !messages.first().is_some_and(begins) {
        let params = json!({ "processId": null, "rootUri": null, "capabilities": {} });
        messages.insert(0, Request::new(RequestId::from("first".to_owned()), "initialize".into(), params).into());
        messages.insert(1, Notification::new("initialized".into(), json!({})).into());
    }
    conversation(messages)?;
    Ok(true)
}

/// A client that reads while it sends.
struct Client {
    to: Sender<Message>,
    from: Receiver<Message>,
    answered: FxHashMap<RequestId, usize>,
    bug: Option<String>,
}

impl Client {
    /// Returns whether the server still runs.
    fn send(&mut self, message: Message) -> Result<bool, String> {
        let mut message = Some(message);
        while let Some(next) = message.take() {
            match self.to.send_timeout(next, Duration::from_millis(1)) {
                Ok(()) => {}
                Err(SendTimeoutError::Disconnected(_)) => return Ok(false),
                // The server may wait until someone reads.
                Err(SendTimeoutError::Timeout(again)) => {
                    message = Some(again);
                    while let Ok(received) = self.from.try_recv() {
                        self.keep(received);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Returns whether the server still runs.
    fn receive(&mut self) -> Result<bool, String> {
        match self.from.recv_timeout(PATIENCE) {
            Ok(message) => self.keep(message),
            Err(RecvTimeoutError::Disconnected) => return Ok(false),
            Err(RecvTimeoutError::Timeout) => return Err(format!("it says nothing for {PATIENCE:?}")),
        }
        Ok(true)
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Response(response) => *self.answered.entry(response.id).or_default() += 1,
            Message::Notification(note) if note.method == "window/showMessage" => {
                let text = note.params.to_string();
                if text.contains("internal error") {
                    self.bug = Some(text);
                }
            }
            _ => {}
        }
    }

    fn answers(&self, id: &RequestId) -> usize {
        self.answered.get(id).copied().unwrap_or(0)
    }
}

/// Sends messages, reads the answers, and shuts down.
fn conversation(messages: Vec<Message>) -> Result<(), String> {
    // Two requests with the same id may get one answer.
    let mut asked: FxHashMap<RequestId, usize> = FxHashMap::default();
    for message in &messages {
        if let Message::Request(request) = message {
            *asked.entry(request.id.clone()).or_default() += 1;
        }
    }
    let (here, there) = Connection::memory();
    let server = std::thread::Builder::new().spawn(move || wgc_compiler::lsp::serve(&there));
    let server = server.map_err(|e| format!("no thread: {e}"))?;
    let mut client = Client { to: here.sender, from: here.receiver, answered: FxHashMap::default(), bug: None };
    let mut lives = true;
    for message in messages {
        lives = lives && client.send(message)?;
    }
    let is_owed = |client: &Client| asked.iter().any(|(id, times)| *times == 1 && client.answers(id) == 0);
    while lives && is_owed(&client) {
        lives = client.receive()?;
    }
    let last = Request::new(RequestId::from("last".to_owned()), "shutdown".into(), Value::Null);
    for message in [last.into(), Notification::new("exit".into(), Value::Null).into()] {
        lives = lives && client.send(message)?;
    }
    while client.receive()? {}
    server.join().map_err(|_| "the server panicked".to_owned())?.ok();
    holds(client.bug.is_none(), || format!("it says {:?}", client.bug))?;
    for (id, times) in &asked {
        let found = client.answers(id);
        holds(found <= *times, || format!("request {id} came {times} times and has {found} answers"))?;
    }
    Ok(())
}
