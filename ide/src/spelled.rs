//! Tokens formatted as a line of source text.

use wgc_frontend::ast::Span;
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::db::def::Item;

/// Formats the tokens of a span in an item's head, without attributes in double brackets.
pub fn in_head<'db>(db: &'db dyn wgc_sema::db::Db, item: Item<'db>, span: Span) -> String {
    let head = item.head(db);
    line(head.get(span.lo as usize..(span.hi as usize).min(head.len())).unwrap_or_default())
}

/// Formats tokens as a line.
pub fn line(tokens: &[Token]) -> String {
    let mut out = String::new();
    let mut before: Option<&Token> = None;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if token.is(Sym::LBracket) && tokens.get(at + 1).is_some_and(|next| next.is(Sym::LBracket)) {
            let is_end = |two: &[Token]| two[0].is(Sym::RBracket) && two[1].is(Sym::RBracket);
            if let Some(end) = tokens[at..].windows(2).position(is_end) {
                at += end + 2;
                continue;
            }
        }
        if before.is_some_and(|before| is_apart(before, token)) {
            out.push(' ');
        }
        out.push_str(token.spelling());
        before = Some(token);
        at += 1;
    }
    out
}

fn is_apart(before: &Token, token: &Token) -> bool {
    let is_word = |token: &Token| match token.kind {
        TokenKind::Sym(sym) => sym.text().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'),
        TokenKind::TemplateOpen | TokenKind::TemplateClose | TokenKind::CastOpen | TokenKind::Body => false,
        _ => true,
    };
    let is_tight = |token: &Token| {
        let tight = [Sym::LParen, Sym::LBracket, Sym::ColonColon, Sym::Dot, Sym::Tilde, Sym::Bang];
        tight.iter().any(|sym| token.is(*sym)) || matches!(token.kind, TokenKind::TemplateOpen | TokenKind::CastOpen)
    };
    let closes = |token: &Token| {
        let closing = [Sym::RParen, Sym::RBracket, Sym::Comma, Sym::Semi];
        closing.iter().any(|sym| token.is(*sym)) || token.kind == TokenKind::TemplateClose
    };
    if closes(token) || is_tight(before) {
        return false;
    }
    match (is_word(before), is_word(token)) {
        (true, true) => true,
        (_, false) => !is_tight(token),
        (false, true) => true,
    }
}
