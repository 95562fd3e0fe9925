//! The tokens of a piece as the grammar reads them, numbered and in a list that repair can change. It also limits
//! nested brackets before parsing.

use std::ops::Range;

use crate::ast::Span;
use crate::token::{Sym, Token, TokenKind};

/// The maximum nesting of brackets.
const NESTING: usize = 256;

/// A terminal of the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok<'t> {
    /// Selects the kind of piece, before its tokens.
    StartItem,
    StartBody,
    /// A name, empty if repair inserted it.
    Ident(&'t str),
    Int(&'t str),
    Float(&'t str),
    Str(&'t str),
    Char(&'t str),
    Modifier(&'t str),
    Inferred,
    Sym(Sym),
    TemplateOpen,
    TemplateClose,
    CastOpen,
    /// The n-th body of the item.
    Body(u32),
}

impl<'t> Tok<'t> {
    pub fn text(self) -> &'t str {
        match self {
            Tok::StartItem | Tok::StartBody => "",
            Tok::Ident(text)
            | Tok::Int(text)
            | Tok::Float(text)
            | Tok::Str(text)
            | Tok::Char(text)
            | Tok::Modifier(text) => text,
            Tok::Inferred => "let",
            Tok::Sym(sym) => sym.text(),
            Tok::TemplateOpen => "<",
            Tok::TemplateClose => ">",
            Tok::CastOpen => "(",
            Tok::Body(_) => "{",
        }
    }

    pub fn is(self, sym: Sym) -> bool {
        self == Tok::Sym(sym)
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Fed<'t> {
    pub tok: Tok<'t>,
    /// The span in the piece; empty for a token that repair inserted.
    pub span: Span,
    pub line_start: bool,
}

/// Returns the tokens of the piece after its selector. Each range of `closed` becomes one body.
pub(super) fn feed<'t>(start: Tok<'t>, tokens: &'t [Token], closed: &[Range<usize>]) -> Vec<Fed<'t>> {
    let mut bodies = 0;
    let mut out = Vec::with_capacity(tokens.len() + 1);
    out.push(Fed { tok: start, span: Span::default(), line_start: true });
    let mut closed = closed.iter().peekable();
    for (index, token) in tokens.iter().enumerate() {
        if let Some(range) = closed.peek().filter(|range| index >= range.start) {
            if index == range.start {
                let span = Span { lo: index as u32, hi: range.end as u32 };
                out.push(Fed { tok: Tok::Body(bodies), span, line_start: token.line_start });
                bodies += 1;
            }
            if index + 1 >= range.end {
                closed.next();
            }
            continue;
        }
        let text = token.text.as_str();
        let tok = match token.kind {
            TokenKind::Ident => Tok::Ident(text),
            TokenKind::Int => Tok::Int(text),
            TokenKind::Float => Tok::Float(text),
            TokenKind::Str => Tok::Str(text),
            TokenKind::Char => Tok::Char(text),
            TokenKind::Modifier => Tok::Modifier(text),
            TokenKind::Inferred => Tok::Inferred,
            TokenKind::Sym(sym) => Tok::Sym(sym),
            TokenKind::TemplateOpen => Tok::TemplateOpen,
            TokenKind::TemplateClose => Tok::TemplateClose,
            TokenKind::CastOpen => Tok::CastOpen,
            TokenKind::Body => {
                bodies += 1;
                Tok::Body(bodies - 1)
            }
        };
        let index = index as u32;
        out.push(Fed { tok, span: Span { lo: index, hi: index + 1 }, line_start: token.line_start });
    }
    out
}

/// Returns the first bracket that nests too deeply. A closing bracket of the wrong kind closes nothing, so that wrong
/// text cannot hide its depth.
pub(super) fn too_deep(fed: &[Fed]) -> Option<Span> {
    let mut open: Vec<Tok> = Vec::new();
    for token in fed {
        match token.tok {
            Tok::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) | Tok::CastOpen | Tok::TemplateOpen => {
                open.push(token.tok);
                if open.len() > NESTING {
                    return Some(token.span);
                }
            }
            close @ (Tok::Sym(Sym::RParen | Sym::RBracket | Sym::RBrace) | Tok::TemplateClose) => {
                let inner = open
                    .iter()
                    .rposition(|tok| closes(*tok) == Some(close) || tok.is(Sym::LBrace) && !close.is(Sym::RBrace));
                if let Some(at) = inner.filter(|&at| closes(open[at]) == Some(close)) {
                    open.truncate(at);
                }
            }
            _ => {}
        }
    }
    None
}

fn closes(open: Tok) -> Option<Tok<'static>> {
    match open {
        Tok::Sym(Sym::LParen) | Tok::CastOpen => Some(Tok::Sym(Sym::RParen)),
        Tok::Sym(Sym::LBracket) => Some(Tok::Sym(Sym::RBracket)),
        Tok::Sym(Sym::LBrace) => Some(Tok::Sym(Sym::RBrace)),
        Tok::TemplateOpen => Some(Tok::TemplateClose),
        _ => None,
    }
}

pub(super) fn nesting_message() -> String {
    format!("brackets nest more than {NESTING} levels deep")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The grammar's table of terminals and the token table must agree.
    #[test]
    fn grammar_names_every_symbol() {
        let grammar = include_str!("grammar.lalrpop");
        for sym in Sym::ALL {
            let line = format!("\"{}\" => Tok::Sym(Sym::{sym:?}),", sym.text());
            assert!(grammar.contains(&line), "{line}");
        }
        assert_eq!(grammar.matches("=> Tok::Sym(").count(), Sym::ALL.len());
    }
}
