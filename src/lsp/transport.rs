//! Messages over standard input and output: JSON-RPC in frames with headers.
//!
//! A malformed body is answered with an error whose ID is null (JSON-RPC 2.0, 5.1), and reading continues. Bytes are
//! buffered as they arrive, up to a limit; a larger body is read and dropped. The server ends only if the headers do
//! not show where the body ends.

use crossbeam_channel::{Receiver, Sender, bounded};
use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// The size limit of a message in bytes. A document of 8 MiB with every byte escaped is smaller.
pub const MAX_BYTES: u64 = 64 << 20;

/// The size limit of the headers of a message in bytes.
const MAX_HEADER_BYTES: u64 = 8 << 10;

/// The threads that read and write.
pub struct Transport {
    /// The error of the reader thread.
    read: Arc<Mutex<Option<String>>>,
    writer: JoinHandle<io::Result<()>>,
}

/// Opens the connection.
///
/// # Errors
/// The threads cannot be started.
pub fn stdio() -> Result<(Connection, Transport), String> {
    let (sender, outgoing) = bounded::<Message>(0);
    let (incoming, receiver) = bounded::<Message>(0);
    let short = |_| crate::internal_error::short_of_memory();
    let writer = Builder::new().name("wgc-writer".into()).spawn(move || write_all(&outgoing)).map_err(short)?;
    let read: Arc<Mutex<Option<String>>> = Arc::default();
    let failed = read.clone();
    let work = move || {
        let answer = |answer: &Value| frame(&mut io::stdout().lock(), answer);
        let result = read_all(&mut io::stdin().lock(), &incoming, answer);
        // This must come before the drop of `incoming`, which ends the server.
        *failed.lock().unwrap_or_else(PoisonError::into_inner) = result.err();
    };
    Builder::new().name("wgc-reader".into()).spawn(work).map_err(short)?;
    Ok((Connection { sender, receiver }, Transport { read, writer }))
}

impl Transport {
    /// Waits until everything is written. An error of the reader explains why the server ended, so it comes first.
    ///
    /// # Errors
    /// The server failed, or one of the threads has.
    pub fn end(self, served: Result<(), String>) -> Result<(), String> {
        let failed = |_| Err("a thread of the server has failed".to_owned());
        let written = self.writer.join().map_or_else(failed, |written| written.map_err(|e| e.to_string()));
        // Don't join the reader: it may wait for a client that stays.
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner).take();
        read.map_or(Ok(()), Err).and(served).and(written)
    }
}

/// Writes messages until the channel closes; drops those for a lost client.
fn write_all(outgoing: &Receiver<Message>) -> io::Result<()> {
    let mut result = Ok(());
    for message in outgoing {
        if result.is_ok() {
            result = message.write(&mut io::stdout().lock());
        }
    }
    result
}

/// A body, or the reason why there is none.
#[derive(Debug, PartialEq)]
enum Body {
    Bytes(Vec<u8>),
    /// The size of a body that was read and dropped.
    TooLarge(u64),
    /// An encoding that the protocol does not allow.
    Charset(String),
}

/// Reads messages until the input ends, `exit` comes, or the server is gone.
fn read_all(
    from: &mut impl BufRead,
    to: &Sender<Message>,
    answer: impl Fn(&Value) -> io::Result<()>,
) -> Result<(), String> {
    while let Some(body) = read_body(from)? {
        let message = match body {
            Body::Bytes(bytes) => parse(&bytes),
            Body::TooLarge(bytes) => {
                let message = format!("the message has {bytes} bytes; the limit is {MAX_BYTES}");
                Err((ErrorCode::InvalidRequest, message))
            }
            Body::Charset(name) => {
                Err((ErrorCode::ParseError, format!("a message must be UTF-8, not `{}`", name.escape_debug())))
            }
        };
        match message {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(note) if note.method == "exit");
                if to.send(message).is_err() || is_exit {
                    return Ok(());
                }
            }
            Err((code, message)) => {
                let error = json!({ "code": code as i32, "message": message });
                // A lost client is detected when the next read fails.
                let _ = answer(&json!({ "jsonrpc": "2.0", "id": null, "error": error }));
            }
        }
    }
    Ok(())
}

/// Returns the messages in a client's bytes, the answers to malformed bodies, and the outcome of reading.
pub fn received(bytes: &[u8]) -> (Vec<Message>, Vec<Value>, Result<(), String>) {
    let (to, messages) = crossbeam_channel::unbounded();
    let answers = std::cell::RefCell::new(Vec::new());
    let answer = |answer: &Value| {
        answers.borrow_mut().push(answer.clone());
        Ok(())
    };
    let mut from = bytes;
    let end = read_all(&mut from, &to, answer);
    drop(to);
    (messages.into_iter().collect(), answers.into_inner(), end)
}

/// Parses the message of a body; an error is the answer to the client.
fn parse(bytes: &[u8]) -> Result<Message, (ErrorCode, String)> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|e| (ErrorCode::ParseError, format!("the message is not JSON: {e}")))?;
    let wrong = |what: &str| (ErrorCode::InvalidRequest, what.to_owned());
    // Otherwise it would count as a notification, and its client would wait forever.
    if let (Some(id), Some(_)) = (value.get("id"), value.get("method"))
        && !(id.is_string() || id.as_i64().is_some_and(|id| i32::try_from(id).is_ok()))
    {
        return Err(wrong("the id of a request must be a string or a 32-bit integer"));
    }
    serde_json::from_value(value).map_err(|_| wrong("it is neither a request, a notification nor a response"))
}

/// Returns the charset of a `Content-Type`, unless it is UTF-8.
fn other_charset(value: &str) -> Option<String> {
    let charset = value.split(';').find_map(|part| {
        let (name, value) = part.split_once('=')?;
        name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"').to_owned())
    })?;
    let is_ours = ["utf-8", "utf8"].iter().any(|ours| charset.eq_ignore_ascii_case(ours));
    (!is_ours).then_some(charset)
}

/// Reads the next frame; `None` at the end of the input, even inside a frame.
fn read_body(from: &mut impl BufRead) -> Result<Option<Body>, String> {
    let failed = |e: io::Error| format!("cannot read from the client: {e}");
    let mut headers = from.by_ref().take(MAX_HEADER_BYTES);
    let (mut length, mut charset) = (None, None);
    loop {
        let mut line = Vec::new();
        headers.read_until(b'\n', &mut line).map_err(failed)?;
        if line.last() != Some(&b'\n') {
            return match headers.limit() {
                0 => Err(format!("the headers of a message exceed {MAX_HEADER_BYTES} bytes")),
                _ => Ok(None),
            };
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            break;
        }
        // Other headers and malformed lines are ignored.
        let colon = line.iter().position(|byte| *byte == b':').unwrap_or(line.len());
        let (name, value) = line.split_at(colon);
        let value = String::from_utf8_lossy(value.get(1..).unwrap_or_default()).trim().to_owned();
        if name.trim_ascii().eq_ignore_ascii_case(b"content-length") {
            let wrong = || format!("Content-Length is `{}`, not a number of bytes", value.escape_debug());
            let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
            let bytes = value.parse::<u64>().ok().filter(|_| is_number).ok_or_else(wrong)?;
            match length.replace(bytes) {
                Some(other) if other != bytes => {
                    return Err(format!("Content-Length is both {other} and {bytes}"));
                }
                _ => {}
            }
        } else if name.trim_ascii().eq_ignore_ascii_case(b"content-type") {
            charset = other_charset(&value);
        }
    }
    let Some(length) = length else { return Err("a message without Content-Length".to_owned()) };
    if length > MAX_BYTES {
        let dropped = io::copy(&mut from.by_ref().take(length), &mut io::sink()).map_err(failed)?;
        return Ok((dropped == length).then_some(Body::TooLarge(length)));
    }
    let mut bytes = Vec::new();
    from.by_ref().take(length).read_to_end(&mut bytes).map_err(failed)?;
    let is_whole = bytes.len() as u64 == length;
    let body = charset.map_or(Body::Bytes(bytes), Body::Charset);
    Ok(is_whole.then_some(body))
}

/// Writes a message that the protocol's types cannot express.
fn frame(out: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// Returns the methods of received messages, the codes of error answers, and the outcome.
    fn read(input: &[u8]) -> (Vec<String>, Vec<i64>, Result<(), String>) {
        let (to, messages) = crossbeam_channel::unbounded();
        let codes = RefCell::new(Vec::new());
        let answer = |answer: &Value| {
            assert_eq!((&answer["id"], &answer["jsonrpc"]), (&Value::Null, &json!("2.0")));
            codes.borrow_mut().push(answer["error"]["code"].as_i64().unwrap());
            Ok(())
        };
        let end = read_all(&mut io::BufReader::new(input), &to, answer);
        drop(to);
        let methods = messages.into_iter().map(|message| match message {
            Message::Request(request) => request.method,
            Message::Notification(note) => note.method,
            Message::Response(_) => "response".to_owned(),
        });
        (methods.collect(), codes.into_inner(), end)
    }

    fn framed(bodies: &[&[u8]]) -> Vec<u8> {
        let frame = |body: &&[u8]| [format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes(), body].concat();
        bodies.iter().flat_map(frame).collect()
    }

    const HELLO: &[u8] = br#"{"jsonrpc":"2.0","method":"hello"}"#;

    #[test]
    fn malformed_message_bodies_do_not_stop_the_reader() {
        let deep = [b"[".repeat(100_000), b"]".repeat(100_000)].concat();
        for (body, code) in [
            (&b"{ no"[..], -32700),
            (b"", -32700),
            (b"\xff\xfe", -32700),
            (b"{\"method\":\"\xff\"}", -32700),
            (&deep, -32700),
            (b"[]", -32600),
            (b"7", -32600),
            (br#"{"id":1}"#, -32600),
            (br#"{"id":null,"method":"hello"}"#, -32600),
            (br#"{"id":1.5,"method":"hello"}"#, -32600),
            (br#"{"id":[1],"method":"hello"}"#, -32600),
            (br#"{"id":4294967296,"method":"hello"}"#, -32600),
            (br#"[{"id":1,"method":"hello"},{"id":2,"method":"hello"}]"#, -32600),
        ] {
            let (methods, codes, end) = read(&framed(&[HELLO, body, HELLO]));
            assert_eq!((methods.len(), codes, end), (2, vec![code], Ok(())));
        }
    }

    #[test]
    fn oversized_message_bodies_are_rejected_and_skipped() {
        for (bytes, codes) in [(MAX_BYTES, vec![]), (MAX_BYTES + 1, vec![-32600])] {
            let mut body = HELLO.to_vec();
            body.resize(bytes as usize, b' ');
            let through = usize::from(codes.is_empty());
            let (methods, found, end) = read(&framed(&[&body, HELLO]));
            assert_eq!((methods.len(), found, end), (1 + through, codes, Ok(())));
        }
    }

    #[test]
    fn truncated_messages_end_the_stream_without_an_error() {
        assert_eq!(read(b"Content-Length: 18446744073709551615\r\n\r\n{"), (vec![], vec![], Ok(())));
        assert_eq!(read(b"Content-Length: 60000000\r\n\r\n{"), (vec![], vec![], Ok(())));
        assert_eq!(read(b"Content-Len"), (vec![], vec![], Ok(())));
        assert_eq!(read(b""), (vec![], vec![], Ok(())));
    }

    #[test]
    fn malformed_message_headers_end_the_stream() {
        for wrong in ["-1", "+1", "0x10", "1 2", "1e3", "x", "", "18446744073709551616"] {
            let error = read(format!("Content-Length: {wrong}\r\n\r\n").as_bytes()).2.unwrap_err();
            assert_eq!(error, format!("Content-Length is `{wrong}`, not a number of bytes"));
        }
        assert_eq!(read(b"Content-Type: x\r\n\r\n").2.unwrap_err(), "a message without Content-Length");
        let endless = vec![b'a'; 2 * MAX_HEADER_BYTES as usize];
        assert_eq!(read(&endless).2.unwrap_err(), "the headers of a message exceed 8192 bytes");
        let others = [b"content-LENGTH:34\nX-Other\r\n\r\n", HELLO].concat();
        assert_eq!(read(&others).0, ["hello"]);
        let error = read(b"Content-Length: 3\r\nContent-Length: 5\r\n\r\n").2.unwrap_err();
        assert_eq!(error, "Content-Length is both 3 and 5");
        let twice = [b"Content-Length: 34\r\nContent-Length: 34\r\n\r\n", HELLO].concat();
        assert_eq!(read(&twice).0, ["hello"]);
    }

    #[test]
    fn bodies_are_utf_8() {
        let of = |charset: &str| {
            let head = format!("Content-Type: application/vscode-jsonrpc{charset}\r\nContent-Length: 34\r\n\r\n");
            let (methods, codes, end) = read(&[head.as_bytes(), HELLO, &framed(&[HELLO])].concat());
            assert_eq!((methods.len() + codes.len(), end), (2, Ok(())));
            codes
        };
        for ours in ["", "; charset=utf-8", ";charset=utf8", "; charset=\"UTF-8\"", "; other=utf-16"] {
            assert_eq!(of(ours), [0; 0], "{ours}");
        }
        for other in ["; charset=utf-16", "; charset=iso-8859-1", "; CHARSET=\"\""] {
            assert_eq!(of(other), [-32700], "{other}");
        }
    }
}
