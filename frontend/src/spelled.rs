//! The tokens of one file as spelled, for formatters. Directives are not processed, macros not expanded, files not
//! included. Comments and white space are the gaps between tokens.

use crate::lex::{Lexed, Raw};
use crate::token::Sym;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpellingShape {
    Word,
    Number,
    /// A string or a character, with its quotes.
    Text,
    /// An unterminated literal, which ends with its line, or comment, which ends with the file.
    Open,
    /// A symbol. `>` is always alone: touching ones may be an operator, or the ends of two template lists.
    Sym(Sym),
    Hash,
    /// `##`, `...`, and characters outside of any token.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled {
    pub shape: SpellingShape,
    /// The range in the file.
    pub lo: u32,
    pub hi: u32,
    /// True for the first of a line as directives count lines. A `#` there starts a directive.
    pub starts_line: bool,
}

/// Returns the tokens of a file, or `None` for an unsupported encoding.
pub fn spelled(bytes: &[u8]) -> Option<Vec<Spelled>> {
    let lexed = Lexed::new(bytes);
    if lexed.source.refused.is_some() {
        return None;
    }
    let shape = |raw| match raw {
        Raw::Ident => SpellingShape::Word,
        Raw::Int | Raw::Float => SpellingShape::Number,
        Raw::Str | Raw::Char => SpellingShape::Text,
        Raw::OpenLiteral | Raw::OpenComment => SpellingShape::Open,
        Raw::Punct(sym) => SpellingShape::Sym(sym),
        Raw::Hash => SpellingShape::Hash,
        Raw::HashHash | Raw::Ellipsis | Raw::Unknown | Raw::NotUtf8 => SpellingShape::Other,
        // The lexer never emits these.
        Raw::Newline | Raw::LineComment => SpellingShape::Other,
    };
    let tokens = lexed.tokens.iter();
    let spelt = tokens.map(|t| Spelled { shape: shape(t.raw), lo: t.lo, hi: t.hi, starts_line: t.starts_line });
    Some(spelt.collect())
}
