//! The tokens of one file as they are spelt in it, for who lays its text out anew: no directive is obeyed, no macro
//! expanded and no file included. Comments and white space are what lies between them.

use crate::lex::{Lexed, Raw};
use crate::token::Sym;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Word,
    Number,
    /// A string or a character, with its quotes.
    Text,
    /// Without its end: a literal, which ends with its line, or a comment, which ends with the file.
    Open,
    /// `>` is always alone: what touches another one may be an operator, or the ends of two template lists.
    Sym(Sym),
    Hash,
    /// `##`, `...`, and characters that no token has.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spelled {
    pub shape: Shape,
    /// Range in the file.
    pub lo: u32,
    pub hi: u32,
    /// First of a line as directives count lines: a `#` that is begins one.
    pub starts_line: bool,
}

/// The tokens of a file. `None` when it is in an encoding that is not read.
pub fn spelled(bytes: &[u8]) -> Option<Vec<Spelled>> {
    let lexed = Lexed::new(bytes);
    if lexed.source.refused.is_some() {
        return None;
    }
    let shape = |raw| match raw {
        Raw::Ident => Shape::Word,
        Raw::Int | Raw::Float => Shape::Number,
        Raw::Str | Raw::Char => Shape::Text,
        Raw::OpenLiteral | Raw::OpenComment => Shape::Open,
        Raw::Punct(sym) => Shape::Sym(sym),
        Raw::Hash => Shape::Hash,
        Raw::HashHash | Raw::Ellipsis | Raw::Unknown | Raw::NotUtf8 => Shape::Other,
        // The lexer lets none of them out.
        Raw::Newline | Raw::LineComment => Shape::Other,
    };
    let tokens = lexed.tokens.iter();
    let spelt = tokens.map(|t| Spelled { shape: shape(t.raw), lo: t.lo, hi: t.hi, starts_line: t.starts_line });
    Some(spelt.collect())
}
