//! JSON with comments and trailing commas, as values with their positions: run files, host files and settings.
//!
//! `//` and `/* */` comments and one comma before a closing bracket are allowed; everything else is RFC 8259. Numbers
//! keep their text, because a 64-bit integer does not survive a double. [`Value::duplicate`] finds repeated keys.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

use std::collections::HashSet;
use std::fmt::Write as _;

/// A byte offset into the text.
pub type Position = usize;

#[derive(Clone, Debug, PartialEq)]
pub struct Value {
    pub at: Position,
    /// The position after the value.
    pub end: Position,
    pub kind: ValueKind,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ValueKind {
    Null,
    Bool(bool),
    /// The text of the number.
    Number(String),
    String(String),
    Array(Vec<Value>),
    Object(Vec<Member>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    pub key: String,
    pub key_at: Position,
    /// The position after the key.
    pub key_end: Position,
    pub value: Value,
}

impl Value {
    /// Describes the kind, for messages.
    pub fn describe(&self) -> &'static str {
        match self.kind {
            ValueKind::Null => "null",
            ValueKind::Bool(_) => "a boolean",
            ValueKind::Number(_) => "a number",
            ValueKind::String(_) => "a string",
            ValueKind::Array(_) => "an array",
            ValueKind::Object(_) => "an object",
        }
    }

    /// Finds the first key of this value that its object has already, and reports it.
    pub fn duplicate(&self) -> Option<SyntaxError> {
        match &self.kind {
            ValueKind::Array(items) => items.iter().find_map(Value::duplicate),
            ValueKind::Object(members) => {
                let mut keys = HashSet::new();
                members.iter().find_map(|member| match keys.insert(&member.key) {
                    true => member.value.duplicate(),
                    false => {
                        Some(SyntaxError { at: member.key_at, message: format!("duplicate key `{}`", member.key) })
                    }
                })
            }
            _ => None,
        }
    }

    /// Returns the value's text without comments and trailing commas, for other parsers. Each token stays at its line
    /// and column. `text`: the text that it was read from.
    pub fn without_comments(&self, text: &str) -> String {
        let mut out: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { byte } else { b' ' }).collect();
        self.copy_tokens(text.as_bytes(), &mut out);
        // Strings are copied whole, so that no character is cut.
        String::from_utf8_lossy(&out).into_owned()
    }

    fn copy_tokens(&self, text: &[u8], out: &mut [u8]) {
        match &self.kind {
            ValueKind::Array(items) => {
                items.iter().for_each(|item| item.copy_tokens(text, out));
                let ranges = items.windows(2).map(|pair| pair[0].end..pair[1].at);
                ranges.for_each(|range| put(out, range, b','));
            }
            ValueKind::Object(members) => {
                for member in members {
                    out[member.key_at..member.key_end].copy_from_slice(&text[member.key_at..member.key_end]);
                    put(out, member.key_end..member.value.at, b':');
                    member.value.copy_tokens(text, out);
                }
                let ranges = members.windows(2).map(|pair| pair[0].value.end..pair[1].key_at);
                ranges.for_each(|range| put(out, range, b','));
            }
            _ => return out[self.at..self.end].copy_from_slice(&text[self.at..self.end]),
        }
        out[self.at] = text[self.at];
        out[self.end - 1] = text[self.end - 1];
    }

    /// Returns the path to the innermost value, or key, that begins at `at` in this value, as `resources.Out.u32[3]`.
    /// Empty for the whole.
    pub fn path_to(&self, at: Position) -> String {
        let mut path = String::new();
        let mut value = self;
        loop {
            // Children are in the order of the text, so the last one that does not begin after `at` contains it.
            let child = match &value.kind {
                ValueKind::Array(items) => {
                    items.iter().enumerate().rev().find(|(_, v)| v.at <= at).map(|(index, v)| {
                        let _ = write!(path, "[{index}]");
                        v
                    })
                }
                ValueKind::Object(members) => members.iter().rev().find(|m| m.key_at <= at).map(|m| {
                    if !path.is_empty() {
                        path.push('.');
                    }
                    path.push_str(&m.key);
                    &m.value
                }),
                _ => None,
            };
            match child {
                Some(child) if value.at < at => value = child,
                _ => return path,
            }
        }
    }
}

/// Puts punctuation at the first byte between two tokens that does not end a line. There is one: the punctuation itself.
fn put(out: &mut [u8], between: std::ops::Range<Position>, punctuation: u8) {
    if let Some(byte) = out[between].iter_mut().find(|byte| **byte != b'\n') {
        *byte = punctuation;
    }
}

/// Returns line and column of a byte offset, both from 1, columns in characters.
pub fn line_column(text: &str, at: Position) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line_start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

/// A syntax error with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub at: Position,
    pub message: String,
}

/// Values within values; deeper ones are refused rather than overflow the stack.
const MAX_DEPTH: usize = 64;

/// Reads one value that fills `text`; a byte-order mark before it is skipped.
///
/// # Errors
/// The first mistake.
///
/// ```
/// let value = wgc_json::parse("[1, 2] // two numbers")?;
/// assert_eq!((value.at, value.end), (0, 6));
/// # Ok::<(), wgc_json::SyntaxError>(())
/// ```
pub fn parse(text: &str) -> Result<Value, SyntaxError> {
    let mut parser = Parser { text, at: 0, depth: 0 };
    parser.eat('\u{feff}');
    parser.skip_space()?;
    let value = parser.value()?;
    parser.skip_space()?;
    match parser.peek() {
        None => Ok(value),
        Some(c) => Err(parser.error(format!("expected the end of the file, found `{}`", shown(c)))),
    }
}

/// Returns a character for a message: control characters as escapes.
fn shown(c: char) -> String {
    if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
}

struct Parser<'t> {
    text: &'t str,
    at: Position,
    depth: usize,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        let end = rest.find(|c| !accept(c)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn error(&self, message: impl Into<String>) -> SyntaxError {
        SyntaxError { at: self.at, message: message.into() }
    }

    fn expected(&self, what: &str) -> SyntaxError {
        match self.peek() {
            Some(c) => self.error(format!("expected {what}, found `{}`", shown(c))),
            None => self.error(format!("expected {what}, found the end of the file")),
        }
    }

    fn skip_space(&mut self) -> Result<(), SyntaxError> {
        loop {
            self.take_while(|c| matches!(c, ' ' | '\t' | '\r' | '\n'));
            if self.rest().starts_with("//") {
                self.take_while(|c| c != '\n');
            } else if let Some(comment) = self.rest().strip_prefix("/*") {
                let Some(end) = comment.find("*/") else { return Err(self.error("unterminated comment")) };
                self.at += end + 4;
            } else {
                return Ok(());
            }
        }
    }

    fn value(&mut self) -> Result<Value, SyntaxError> {
        let at = self.at;
        let kind = match self.peek() {
            Some('{') => self.nested(Self::object)?,
            Some('[') => self.nested(Self::array)?,
            Some('"') => ValueKind::String(self.string()?),
            Some('-' | '0'..='9') => ValueKind::Number(self.number()?),
            Some('a'..='z' | 'A'..='Z') => self.word()?,
            _ => return Err(self.expected("a value")),
        };
        Ok(Value { at, end: self.at, kind })
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<ValueKind, SyntaxError>) -> Result<ValueKind, SyntaxError> {
        if self.depth == MAX_DEPTH {
            return Err(self.error(format!("values nest more than {MAX_DEPTH} levels deep")));
        }
        self.depth += 1;
        self.next();
        let kind = read(self);
        self.depth -= 1;
        kind
    }

    fn object(&mut self) -> Result<ValueKind, SyntaxError> {
        let mut members: Vec<Member> = Vec::new();
        loop {
            self.skip_space()?;
            if self.eat('}') {
                return Ok(ValueKind::Object(members));
            }
            let key_at = self.at;
            if self.peek() != Some('"') {
                return Err(self.expected("a key in quotes or `}`"));
            }
            let key = self.string()?;
            let key_end = self.at;
            self.skip_space()?;
            if !self.eat(':') {
                return Err(self.expected("`:`"));
            }
            self.skip_space()?;
            let value = self.value()?;
            members.push(Member { key, key_at, key_end, value });
            self.skip_space()?;
            if !self.eat(',') && self.peek() != Some('}') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn array(&mut self) -> Result<ValueKind, SyntaxError> {
        let mut items = Vec::new();
        loop {
            self.skip_space()?;
            if self.eat(']') {
                return Ok(ValueKind::Array(items));
            }
            items.push(self.value()?);
            self.skip_space()?;
            if !self.eat(',') && self.peek() != Some(']') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn word(&mut self) -> Result<ValueKind, SyntaxError> {
        let at = self.at;
        match self.take_while(|c| c.is_ascii_alphanumeric() || c == '_') {
            "null" => Ok(ValueKind::Null),
            "true" => Ok(ValueKind::Bool(true)),
            "false" => Ok(ValueKind::Bool(false)),
            word => Err(SyntaxError { at, message: format!("expected a value, found `{word}`") }),
        }
    }

    fn number(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.eat('-');
        let whole = self.digits("a digit")?;
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(SyntaxError { at: start, message: "a number cannot begin with 0".to_owned() });
        }
        if self.eat('.') {
            self.digits("a digit after the decimal point")?;
        }
        if self.eat('e') || self.eat('E') {
            let _ = self.eat('+') || self.eat('-');
            self.digits("a digit of the exponent")?;
        }
        Ok(self.text.get(start..self.at).unwrap_or_default().to_owned())
    }

    fn digits(&mut self, what: &str) -> Result<&'t str, SyntaxError> {
        match self.take_while(|c| c.is_ascii_digit()) {
            "" => Err(self.expected(what)),
            digits => Ok(digits),
        }
    }

    fn string(&mut self) -> Result<String, SyntaxError> {
        let start = self.at;
        self.next();
        let mut text = String::new();
        loop {
            let at = self.at;
            match self.next() {
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape(at)?),
                Some(c) if c >= ' ' => text.push(c),
                Some('\n') | None => {
                    return Err(SyntaxError { at: start, message: "unterminated string".to_owned() });
                }
                Some(c) => {
                    return Err(SyntaxError { at, message: format!("{c:?} must be escaped in a string") });
                }
            }
        }
    }

    fn escape(&mut self, at: Position) -> Result<char, SyntaxError> {
        let unknown = || SyntaxError { at, message: "unknown escape in a string".to_owned() };
        Ok(match self.next().ok_or_else(unknown)? {
            c @ ('"' | '\\' | '/') => c,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let first = self.code_unit(at)?;
                let code = if (0xd800..0xdc00).contains(&first) && self.rest().starts_with("\\u") {
                    self.at += 2;
                    let second = self.code_unit(at)?;
                    // Any other second value than a low surrogate gives an invalid character.
                    if (0xdc00..0xe000).contains(&second) {
                        0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
                    } else {
                        first
                    }
                } else {
                    first
                };
                char::from_u32(code).ok_or_else(unknown)?
            }
            _ => return Err(unknown()),
        })
    }

    fn code_unit(&mut self, at: Position) -> Result<u32, SyntaxError> {
        let digits = self.rest().get(..4).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|d| u32::from_str_radix(d, 16).ok()) else {
            return Err(SyntaxError { at, message: "\\u must be followed by four hexadecimal digits".to_owned() });
        };
        self.at += 4;
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str, at: Position) -> Value {
        Value { at, end: at + text.len(), kind: ValueKind::Number(text.to_owned()) }
    }

    #[test]
    fn comments_and_trailing_commas() {
        let text = "\u{feff}// first\n{ \"a\" /* x */ : [1, -2.5e3,], /* \"b\": 1 */\n}\n// last";
        let value = parse(text).unwrap();
        let ValueKind::Object(members) = &value.kind else { panic!("{value:?}") };
        assert_eq!(members.len(), 1);
        assert_eq!(members[0].key, "a");
        let key = text.find("\"a\"").unwrap();
        assert_eq!((members[0].key_at, members[0].key_end), (key, key + 3));
        let list = &members[0].value;
        assert_eq!(&text[list.at..list.end], "[1, -2.5e3,]");
        let (one, two) = (text.find("1,").unwrap(), text.find("-2").unwrap());
        assert_eq!(members[0].value.kind, ValueKind::Array(vec![number("1", one), number("-2.5e3", two)]));
    }

    #[test]
    fn large_integers_keep_their_digits() {
        assert_eq!(parse("18446744073709551615").unwrap().kind, ValueKind::Number("18446744073709551615".to_owned()));
    }

    #[test]
    fn strings() {
        let text = r#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é""#;
        assert_eq!(parse(text).unwrap().kind, ValueKind::String("a\"\\/\u{8}\u{c}\n\r\té😀é".to_owned()));
    }

    #[test]
    fn paths() {
        let text = r#"{"a": {"b": [10, {"c": 5}]}, "d": 1}"#;
        let value = parse(text).unwrap();
        let path = |part: &str| value.path_to(text.find(part).unwrap());
        assert_eq!(path("5"), "a.b[1].c");
        assert_eq!(path("10"), "a.b[0]");
        assert_eq!(path("[10"), "a.b");
        assert_eq!(path("\"d\""), "d");
        assert_eq!(value.path_to(0), "");
    }

    #[test]
    fn duplicate_keys_are_found_in_the_order_of_the_text() {
        let found = |text: &str| parse(text).unwrap().duplicate().map(|error| (error.at, error.message));
        let text = r#"{"a": 1, "b": [{"c": 1}, {"c": 1, "d": {}, "c\"\u0063": 2, "c": 3}], "a": 2}"#;
        assert_eq!(found(text), Some((text.rfind("\"c\"").unwrap(), "duplicate key `c`".to_owned())));
        assert_eq!(found(r#"{"a": {"a": {"a": 1}}, "b": 1}"#), None);
    }

    #[test]
    fn comments_and_trailing_commas_become_blanks() {
        let cases = [
            ("{ \"a\": 1, // one\n}", "{ \"a\": 1        \n}"),
            ("[1, /* two,\n */ 2, ]", "[1,        \n    2  ]"),
            ("{ \"b\": \"// \\\" , é} \" }", "{ \"b\": \"// \\\" , é} \" }"),
            ("[[1,], [2,\n],]", "[[1 ], [2 \n] ]"),
            // Punctuation moves to the end of the token before it.
            ("{\"a\" /* x */ : [] // y\n, \"c\": null}", "{\"a\":          [],    \n  \"c\": null}"),
            ("{\"a\"\n:\n1\n,\"b\": 2}", "{\"a\"\n:\n1\n,\"b\": 2}"),
            (" -1.5e3 // number", " -1.5e3          "),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text).unwrap().without_comments(text), expected, "{text}");
        }
    }

    #[test]
    fn lines_and_columns() {
        let text = "a\né b\n";
        assert_eq!(line_column(text, 0), (1, 1));
        assert_eq!(line_column(text, text.find('b').unwrap()), (2, 3));
        assert_eq!(line_column(text, text.len()), (3, 1));
    }

    #[test]
    fn parse_errors_have_locations() {
        let mut report = String::new();
        for text in [
            "",
            "{",
            "{\"a\" 1}",
            "{\"a\": 1 \"b\": 2}",
            "{a: 1}",
            "[1 2]",
            "[1,,2]",
            "[,]",
            "01",
            "1.",
            "-",
            "1e",
            "+1",
            "nul",
            "NaN",
            "\"abc",
            "\"a\nb\"",
            "\"\t\"",
            "\"\\x\"",
            "\"\\u12\"",
            "\"\\ud800\"",
            "/* x",
            "1 /",
            "{} x",
            "'a'",
            "/",
        ] {
            let error = parse(text).expect_err(text);
            let (line, column) = line_column(text, error.at);
            let _ = writeln!(report, "{text:?} {line}:{column} {}", error.message);
        }
        let deep = "[".repeat(100_000);
        let error = parse(&deep).unwrap_err();
        let _ = writeln!(report, "deep {} {}", error.at, error.message);
        insta::assert_snapshot!(report);
    }
}
