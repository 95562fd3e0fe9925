//! JSON with the location of every value, for files with diagnostics.
//!
//! Values, including keys, have numbers in source order. A diagnostic keeps the number of its value, so it stays the same
//! if only white space changes.

use std::ops::Range;
use wgc_json::ValueKind;

/// A parsed text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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

/// Parses a text; bytes that are not UTF-8 are an error.
///
/// # Errors
/// The first location that is not valid JSON.
pub fn parse(bytes: &[u8]) -> Result<Json, Error> {
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let at = e.valid_up_to() as u32;
        Error { message: "invalid UTF-8".into(), span: at..at + 1 }
    })?;
    let root = wgc_json::parse(text).map_err(|e| {
        let found = text.get(e.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Error { message: e.message, span: e.at as u32..(e.at + found) as u32 }
    })?;
    let mut json = Json::default();
    json.add(root);
    Ok(json)
}

impl Json {
    /// Adds a value with its contents. Returns its number.
    fn add(&mut self, value: wgc_json::Value) -> u32 {
        let number = self.add_one(Value::Null, value.at..value.end);
        let value = match value.kind {
            ValueKind::Null => Value::Null,
            ValueKind::Bool(is) => Value::Bool(is),
            ValueKind::Number(text) => Value::Number(text),
            ValueKind::String(text) => Value::Text(text),
            ValueKind::Array(items) => Value::List(items.into_iter().map(|item| self.add(item)).collect()),
            ValueKind::Object(members) => {
                let add = |member: wgc_json::Member| {
                    let key = self.add_one(Value::Text(member.key), member.key_at..member.key_end);
                    (key, self.add(member.value))
                };
                Value::Object(members.into_iter().map(add).collect())
            }
        };
        self.values[number as usize] = value;
        number
    }

    fn add_one(&mut self, value: Value, span: Range<usize>) -> u32 {
        self.values.push(value);
        self.spans.push(span.start as u32..span.end as u32);
        self.values.len() as u32 - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_values_have_spans() {
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
    fn first_json_error_has_a_span() {
        let cases: [(&[u8], &str, Range<u32>); 3] = [
            (b"{\"a\" 1}", "expected `:`, found `1`", 5..6),
            (b"", "expected a value, found the end of the file", 0..0),
            (b"[\xff]", "invalid UTF-8", 1..2),
        ];
        for (text, message, span) in cases {
            assert_eq!(parse(text), Err(Error { message: message.into(), span }), "{text:?}");
        }
    }
}
