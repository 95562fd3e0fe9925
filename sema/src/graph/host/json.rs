//! JSON with the location of every value, for files with diagnostics.
//!
//! Values, including keys, are numbered in source order. Invalid text gives its first error.

use std::ops::Range;

/// A parsed text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Json {
    /// In source order; the first is the whole document, and an object's keys are values like others.
    pub values: Vec<Value>,
    /// Byte ranges, parallel to `values`.
    pub spans: Vec<Range<u32>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    Null,
    Bool(bool),
    /// The number as written.
    Number(String),
    Text(String),
    /// Numbers of values.
    List(Vec<u32>),
    /// Numbers of keys and values.
    Object(Vec<(u32, u32)>),
}

impl Value {
    /// Describes the type of value for messages.
    pub fn what(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::Text(_) => "a string",
            Value::List(_) => "a list",
            Value::Object(_) => "an object",
        }
    }
}

/// An error and its location.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub message: String,
    pub span: Range<u32>,
}

/// Maximum nesting depth of brackets.
const MAX_DEPTH: u32 = 64;

/// Parses a text; bytes that are not UTF-8 are an error.
///
/// # Errors
/// The first location that is not valid JSON.
pub fn parse(bytes: &[u8]) -> Result<Json, Error> {
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let at = e.valid_up_to() as u32;
            return Err(Error { message: "invalid UTF-8".into(), span: at..at + 1 });
        }
    };
    let mut reader = Reader { text, at: 0, out: Json { values: Vec::new(), spans: Vec::new() } };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.value(0)?;
    match reader.peek() {
        None => Ok(reader.out),
        Some(_) => Err(reader.error("expected the end of the file")),
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    out: Json,
}

impl Reader<'_> {
    /// Returns the next character that is not white space.
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
        self.text[self.at..].chars().next()
    }

    fn error(&self, message: impl Into<String>) -> Error {
        let len = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Error { message: message.into(), span: self.at as u32..(self.at + len) as u32 }
    }

    fn expect(&mut self, wanted: char, what: &str) -> Result<(), Error> {
        if self.peek() != Some(wanted) {
            return Err(self.error(format!("expected {what}")));
        }
        self.at += wanted.len_utf8();
        Ok(())
    }

    /// Reads a value and returns its number.
    fn value(&mut self, depth: u32) -> Result<u32, Error> {
        let first = self.peek();
        if depth > MAX_DEPTH {
            return Err(self.error("values nest too deeply"));
        }
        let (number, from) = (self.out.values.len(), self.at as u32);
        self.out.values.push(Value::Null);
        self.out.spans.push(from..from);
        let value = match first {
            Some('{') => self.object(depth)?,
            Some('[') => self.list(depth)?,
            Some('"') => Value::Text(self.string()?),
            Some('-' | '0'..='9') => self.number()?,
            Some('a'..='z') => self.word()?,
            _ => return Err(self.error("expected a value")),
        };
        self.out.values[number] = value;
        self.out.spans[number] = from..self.at as u32;
        Ok(number as u32)
    }

    fn object(&mut self, depth: u32) -> Result<Value, Error> {
        self.at += 1;
        let mut members = Vec::new();
        if self.peek() == Some('}') {
            self.at += 1;
            return Ok(Value::Object(members));
        }
        loop {
            if self.peek() != Some('"') {
                return Err(self.error("expected a key in quotes"));
            }
            let key = self.value(depth + 1)?;
            self.expect(':', "`:`")?;
            members.push((key, self.value(depth + 1)?));
            match self.peek() {
                Some(',') => self.at += 1,
                _ => break,
            }
        }
        self.expect('}', "`,` or `}`")?;
        Ok(Value::Object(members))
    }

    fn list(&mut self, depth: u32) -> Result<Value, Error> {
        self.at += 1;
        let mut elements = Vec::new();
        if self.peek() == Some(']') {
            self.at += 1;
            return Ok(Value::List(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            match self.peek() {
                Some(',') => self.at += 1,
                _ => break,
            }
        }
        self.expect(']', "`,` or `]`")?;
        Ok(Value::List(elements))
    }

    fn word(&mut self) -> Result<Value, Error> {
        let words = [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)];
        for (word, value) in words {
            if self.text[self.at..].starts_with(word) {
                self.at += word.len();
                return Ok(value);
            }
        }
        Err(self.error("expected a value"))
    }

    fn number(&mut self) -> Result<Value, Error> {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E')).unwrap_or(rest.len());
        let text = &rest[..end];
        if text.parse::<f64>().is_err() {
            return Err(self.error("invalid number"));
        }
        self.at += end;
        Ok(Value::Number(text.to_owned()))
    }

    fn string(&mut self) -> Result<String, Error> {
        let start = self.at;
        self.at += 1;
        let mut out = String::new();
        loop {
            match self.text[self.at..].chars().next() {
                None | Some('\n') => {
                    self.at = start;
                    return Err(self.error("unterminated string"));
                }
                Some('"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some('\\') => out.push(self.escape()?),
                Some(c) => {
                    self.at += c.len_utf8();
                    out.push(c);
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Error> {
        let rest = &self.text[self.at + 1..];
        let simple = match rest.chars().next() {
            Some(c @ ('"' | '\\' | '/')) => Some(c),
            Some('b') => Some('\u{8}'),
            Some('f') => Some('\u{c}'),
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            _ => None,
        };
        if let Some(c) = simple {
            self.at += 2;
            return Ok(c);
        }
        let hex = |text: &str| u32::from_str_radix(text.get(..4)?, 16).ok();
        let first = rest.strip_prefix('u').and_then(hex);
        if let Some(c) = first.and_then(char::from_u32) {
            self.at += 6;
            return Ok(c);
        }
        // A surrogate pair.
        let second = rest.get(5..).and_then(|rest| rest.strip_prefix("\\u")).and_then(hex);
        if let (Some(high @ 0xd800..=0xdbff), Some(low @ 0xdc00..=0xdfff)) = (first, second)
            && let Some(c) = char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
        {
            self.at += 12;
            return Ok(c);
        }
        Err(self.error("unknown escape"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_places() {
        let text = r#" { "a": [1, -2.5e3], "b": {"c": null}, "d": true } "#;
        let json = parse(text.as_bytes()).unwrap();
        let shown: Vec<&str> = json.spans.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
        assert_eq!(
            shown[1..],
            ["\"a\"", "[1, -2.5e3]", "1", "-2.5e3", "\"b\"", "{\"c\": null}", "\"c\"", "null", "\"d\"", "true"]
        );
        assert_eq!(json.values[0], Value::Object(vec![(1, 2), (5, 6), (9, 10)]));
        assert_eq!(json.values[4], Value::Number("-2.5e3".into()));
    }

    #[test]
    fn escapes() {
        let text = r#""q\" b\\ s\/ n\n \u00e9 \ud83d\ude00""#;
        let json = parse(text.as_bytes()).unwrap();
        assert_eq!(json.values[0], Value::Text("q\" b\\ s/ n\n \u{e9} \u{1f600}".into()));
    }

    #[test]
    fn the_first_mistake_has_a_place() {
        let cases: [(&[u8], &str, Range<u32>); 10] = [
            (b"{\"a\" 1}", "expected `:`", 5..6),
            (b"[1 2]", "expected `,` or `]`", 3..4),
            (b"{\"a\": 1,}", "expected a key in quotes", 8..9),
            (b"[1,]", "expected a value", 3..4),
            (b"\"abc", "unterminated string", 0..1),
            (b"\"\\q\"", "unknown escape", 1..2),
            (b"1 2", "expected the end of the file", 2..3),
            (b"", "expected a value", 0..0),
            (b"[\xff]", "invalid UTF-8", 1..2),
            (b"[nil]", "expected a value", 1..2),
        ];
        for (text, message, span) in cases {
            assert_eq!(parse(text), Err(Error { message: message.into(), span }), "{text:?}");
        }
        assert!(parse("[".repeat(100_000).as_bytes()).is_err(), "no stack is used up");
    }
}
