//! Raw tokens of one file (logos), as the preprocessor reads them. The lexer knows no keywords, macros or errors.
//!
//! `>` is always a separate token, so that `A<B<int>>` needs no splitting. `cook` joins it into operators.

use compact_str::CompactString;
use logos::{Filter, Lexer, Logos, Skip};

use crate::source::Source;
use crate::token::Sym;

#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\x0b\x0c]+")]
pub(crate) enum Raw {
    #[token("\n")]
    Newline,
    #[token("//", line_comment)]
    LineComment,
    /// A comment without an end; other comments are not emitted.
    #[token("/*", block_comment)]
    OpenComment,
    #[regex(r"[A-Za-z_$][A-Za-z0-9_$]*")]
    Ident,
    #[regex(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU][lL]?[lL]?|[lL][lL]?[uU]?)?")]
    Int,
    #[regex(r"([0-9]+\.[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?([fFhHlL]|[fF](16|32|64))?")]
    #[regex(r"[0-9]+[eE][+-]?[0-9]+([fFhHlL]|[fF](16|32|64))?")]
    #[regex(r"[0-9]+[fFhH]")]
    #[regex(r"0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?[0-9]+[fFhHlL]?")]
    #[regex(r"[0-9]+\.#(INF|IND|NAN|QNAN|SNAN)[fFhHlL]?")]
    Float,
    #[regex(r#""([^"\\\n]|\\[^\n])*""#)]
    Str,
    #[regex(r"'([^'\\\n]|\\[^\n])+'")]
    Char,
    /// A string or character without its closing quote, to the end of the line.
    #[regex(r#""([^"\\\n]|\\[^\n])*"#)]
    #[regex(r"'([^'\\\n]|\\[^\n])*")]
    OpenLiteral,
    #[token("#")]
    Hash,
    #[token("##")]
    HashHash,
    #[token("...")]
    Ellipsis,
    #[regex(r"[(){}\[\];,.:?+\-*/%!~&|^<>=]", sym)]
    #[regex(r"::|\+\+|--|&&|\|\||==|!=|<=|<<|<<=|\+=|-=|\*=|/=|%=|&=|\|=|\^=", sym)]
    Punct(Sym),
    /// Characters outside of any token.
    Unknown,
    /// A token with an invalid UTF-8 byte.
    NotUtf8,
}

fn line_comment(lexer: &mut Lexer<Raw>) -> Skip {
    let end = lexer.remainder().find('\n').unwrap_or(lexer.remainder().len());
    lexer.bump(end);
    Skip
}

fn block_comment(lexer: &mut Lexer<Raw>) -> Filter<()> {
    match lexer.remainder().find("*/") {
        Some(end) => {
            lexer.bump(end + 2);
            Filter::Skip
        }
        None => {
            lexer.bump(lexer.remainder().len());
            Filter::Emit(())
        }
    }
}

fn sym(lexer: &mut Lexer<Raw>) -> Option<Sym> {
    Sym::punctuation(lexer.slice())
}

/// One token of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lexeme {
    pub raw: Raw,
    /// Range in the source's text.
    text: (u32, u32),
    /// Range in the file.
    pub lo: u32,
    pub hi: u32,
    /// True for the first of a line as directives count lines. Line breaks within comments and continuations do
    /// not count.
    pub starts_line: bool,
    /// True if any line break precedes it.
    pub after_break: bool,
    /// True if white space or a comment precedes it.
    pub after_space: bool,
    /// True in column 0.
    pub margin: bool,
}

#[derive(Debug)]
pub(crate) struct Lexed {
    pub source: Source,
    pub tokens: Vec<Lexeme>,
}

impl Lexed {
    pub fn new(bytes: &[u8]) -> Lexed {
        let source = Source::decode(bytes);
        let tokens = lexemes(&source);
        Lexed { source, tokens }
    }

    pub fn text(&self, lexeme: &Lexeme) -> &str {
        self.source.text.get(lexeme.text.0 as usize..lexeme.text.1 as usize).unwrap_or("")
    }
}

fn lexemes(source: &Source) -> Vec<Lexeme> {
    let text = source.text.as_str();
    let is_file = source.is_file();
    let mut out: Vec<Lexeme> = Vec::with_capacity(text.len() / 4);
    let mut lexer = Raw::lexer(text);
    let mut starts_line = true;
    let mut end = 0;
    while let Some(raw) = lexer.next() {
        let raw = raw.unwrap_or(Raw::Unknown);
        if raw == Raw::Newline {
            starts_line = true;
            continue;
        }
        let mut span = lexer.span();
        let mut push = |mut raw: Raw, lo: usize, hi: usize| {
            let (file_lo, file_hi, margin);
            if is_file {
                // A fast path for the values computed below.
                (file_lo, file_hi) = (lo as u32, hi as u32);
                margin = lo == 0 || text.as_bytes()[lo - 1] == b'\n';
            } else {
                (file_lo, file_hi) = source.original_range(lo as u32, hi as u32);
                margin = source.line_start(file_lo) == file_lo;
                if !matches!(raw, Raw::OpenComment | Raw::OpenLiteral) && source.has_bad_byte(file_lo, file_hi) {
                    raw = Raw::NotUtf8;
                }
            }
            let glued = lo == end && !starts_line;
            if matches!(raw, Raw::Unknown | Raw::NotUtf8)
                && glued
                && let Some(last) = out.last_mut()
                && last.raw == raw
            {
                // A run of such characters is one error.
                last.text.1 = hi as u32;
                last.hi = file_hi;
            } else {
                out.push(Lexeme {
                    raw,
                    text: (lo as u32, hi as u32),
                    lo: file_lo,
                    hi: file_hi,
                    starts_line,
                    after_break: starts_line || text.as_bytes().get(end..lo).is_some_and(|gap| gap.contains(&b'\n')),
                    after_space: lo > end,
                    margin,
                });
            }
            starts_line = false;
            end = hi;
        };
        let swizzled = raw == Raw::Float
            && text[span.clone()].ends_with('.')
            && text[span.end..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if matches!(raw, Raw::Int | Raw::Float) && !swizzled {
            // `1e`, `0x`, `1u2`: a single number, though an invalid one. The code that needs its value reports it.
            lexer.bump(number_rest(lexer.remainder()));
            span = lexer.span();
        }
        if swizzled {
            // `0.xxxx`
            push(Raw::Int, span.start, span.end - 1);
            push(Raw::Punct(Sym::Dot), span.end - 1, span.end);
        } else {
            push(raw, span.start, span.end);
        }
    }
    out
}

/// Returns the number of bytes after a number that belong to it, since no token may touch it there.
fn number_rest(text: &str) -> usize {
    let mut rest = text.bytes().enumerate().peekable();
    while let Some((at, byte)) = rest.next() {
        let digit_follows = rest.peek().is_some_and(|(_, next)| next.is_ascii_digit());
        if !(byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' && digit_follows) {
            return at;
        }
    }
    text.len()
}

/// Returns the single token that `text` consists of, for `##`. `>` is joined here, because pasted parts have no gap
/// between them.
pub(crate) fn single(text: &str) -> Option<Raw> {
    if let ">>" | ">=" | ">>=" = text {
        return Sym::punctuation(text).map(Raw::Punct);
    }
    match lexemes(&Source::decode(text.as_bytes())).as_slice() {
        [one] if one.text == (0, text.len() as u32) && !matches!(one.raw, Raw::Unknown | Raw::OpenLiteral) => {
            Some(one.raw)
        }
        _ => None,
    }
}

/// A token in the preprocessor.
#[derive(Clone, Debug)]
pub(crate) struct PpToken {
    pub raw: Raw,
    pub text: CompactString,
    pub at: crate::diagnostic::Location,
    /// Names of macros that must not expand in the token.
    pub hide: crate::hide_sets::HideSet,
    pub line_start: bool,
    pub space: bool,
    pub margin: bool,
}

impl PpToken {
    pub fn sym(&self) -> Option<Sym> {
        match self.raw {
            Raw::Punct(sym) => Some(sym),
            _ => None,
        }
    }

    pub fn is(&self, sym: Sym) -> bool {
        self.raw == Raw::Punct(sym)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.raw == Raw::Ident && self.text == word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(text: &str) -> Vec<String> {
        let lexed = Lexed::new(text.as_bytes());
        lexed.tokens.iter().map(|token| format!("{:?} {}", token.raw, lexed.text(token))).collect()
    }

    #[test]
    fn numbers() {
        assert_eq!(spell("0.xxxx"), ["Int 0", "Punct(Dot) .", "Ident xxxx"]);
        assert_eq!(spell("1.f 1.e5 1. .5h"), ["Float 1.f", "Float 1.e5", "Float 1.", "Float .5h"]);
        assert_eq!(spell("0x1.8p3 0x.8P-2f 0x1p+4h"), ["Float 0x1.8p3", "Float 0x.8P-2f", "Float 0x1p+4h"]);
        assert_eq!(spell("1.#INF 1l 0x1Fu 10ull 1f"), ["Float 1.#INF", "Int 1l", "Int 0x1Fu", "Int 10ull", "Float 1f"]);
    }

    #[test]
    fn malformed_numbers_are_one_token() {
        assert_eq!(
            spell("1e; 0x 1u2 08 1.5.5"),
            ["Int 1e", "Punct(Semi) ;", "Int 0x", "Int 1u2", "Int 08", "Float 1.5.5"]
        );
        assert_eq!(
            spell("1e+x 0b2_ 1.0q 1.0.x"),
            ["Int 1e", "Punct(Plus) +", "Ident x", "Int 0b2_", "Float 1.0q", "Float 1.0", "Punct(Dot) .", "Ident x"]
        );
    }

    #[test]
    fn comments_and_literals_without_end() {
        assert_eq!(spell("a /* b */ c // d\ne"), ["Ident a", "Ident c", "Ident e"]);
        assert_eq!(spell("a /* b"), ["Ident a", "OpenComment /* b"]);
        assert_eq!(spell("don't"), ["Ident don", "OpenLiteral 't"]);
        assert_eq!(spell("\"a\\\"b\" 'c'"), ["Str \"a\\\"b\"", "Char 'c'"]);
    }

    #[test]
    fn line_starts() {
        let lexed = Lexed::new(b"a /* \n */ b\n/* x */ c \\\n d");
        let flags: Vec<_> = lexed.tokens.iter().map(|t| (t.starts_line, t.after_break)).collect();
        // `b` follows a line break that only repair counts; `d` is on the line of `c`.
        assert_eq!(flags, [(true, true), (false, true), (true, true), (false, false)]);
    }

    #[test]
    fn a_megabyte_in_one_token() {
        let long = format!("/*{0}*/ {0} \"{0}\"", "x".repeat(1 << 20));
        assert_eq!(Lexed::new(long.as_bytes()).tokens.len(), 2);
    }
}
