//! Tokens of the text form: words (names and numbers alike), strings and punctuation.

use super::{ParseError, Result};
use crate::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LexemeKind {
    /// Letters, digits, `_` and `.`; a leading `-` and exponents `e-7` in numbers.
    Word,
    /// A string with its quotes.
    String,
    Punctuation,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub kind: LexemeKind,
    pub text: &'a str,
    pub line: u32,
    pub column: u32,
}

impl Token<'_> {
    pub fn describe(self) -> String {
        match self.kind {
            LexemeKind::End => "the end of the text".into(),
            _ => format!("`{}`", self.text),
        }
    }
}

/// Returns all tokens of a text, ending with one `End`.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let (mut line, mut line_start, mut at) = (1u32, 0usize, 0usize);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let column = text[line_start..at].chars().count() as u32 + 1;
        let (kind, len) = if c == '\n' {
            line += 1;
            at += 1;
            line_start = at;
            continue;
        } else if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        } else if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if c == '"' {
            let Some(len) = string_len(rest) else {
                return Err(ParseError { line, column, message: "the string does not end on its line".into() });
            };
            (LexemeKind::String, len)
        } else if rest.starts_with("->") {
            (LexemeKind::Punctuation, 2)
        } else if let Some(len) = word_len(rest) {
            (LexemeKind::Word, len)
        } else if "{}()<>[]:,;=@%$".contains(c) {
            (LexemeKind::Punctuation, 1)
        } else {
            return Err(ParseError { line, column, message: format!("unexpected character {c:?}") });
        };
        tokens.push(Token { kind, text: &rest[..len], line, column });
        at += len;
    }
    let column = text[line_start..].chars().count() as u32 + 1;
    tokens.push(Token { kind: LexemeKind::End, text: "", line, column });
    Ok(tokens)
}

fn word_len(rest: &str) -> Option<usize> {
    let bytes = rest.as_bytes();
    let negative = usize::from(bytes[0] == b'-');
    let first = *bytes.get(negative)?;
    if negative == 1 && !first.is_ascii_digit() || !(first.is_ascii_alphanumeric() || first == b'_') {
        return None;
    }
    let hexadecimal = rest[negative..].starts_with("0x");
    let number = first.is_ascii_digit() && !hexadecimal;
    let mut len = negative;
    while let Some(&b) = bytes.get(len) {
        let exponent = number && matches!(b, b'-' | b'+') && bytes[len - 1] == b'e';
        if !(b.is_ascii_alphanumeric() || b == b'_' || b == b'.' || exponent) {
            break;
        }
        len += 1;
    }
    Some(len)
}

fn string_len(rest: &str) -> Option<usize> {
    let mut escaped = false;
    for (i, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return Some(i + 1),
            _ => {}
        }
    }
    None
}

/// Returns the text of a string token. An unknown escape stands for its character.
pub(super) fn unquote(token: &str) -> Symbol {
    let inner = token.strip_prefix('"').and_then(|t| t.strip_suffix('"')).unwrap_or(token);
    let mut out = Symbol::default();
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let escape = &rest[at + 1..];
        let unicode = escape.strip_prefix("u{").and_then(|e| e.split_once('}'));
        let decoded =
            unicode.and_then(|(hex, after)| Some((char::from_u32(u32::from_str_radix(hex, 16).ok()?)?, after)));
        let mut chars = escape.chars();
        match decoded {
            Some((c, after)) => {
                out.push(c);
                rest = after;
            }
            None => {
                out.extend(chars.next());
                rest = chars.as_str();
            }
        }
    }
    out.push_str(rest);
    out
}
