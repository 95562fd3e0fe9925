//! Finds the ends of constructs: matched and unmatched brackets, declarations without their `;`. It only looks ahead;
//! [`super`] does the cutting.

use super::Slicer;
use crate::diagnostic::{Error, ErrorCode};
use crate::token::{Sym, Token, TokenKind};

/// The maximum number of tokens in a function's head before its parameters. Template arguments count as one.
const LONGEST_HEAD: usize = 32;

impl Slicer<'_> {
    /// Returns the index after the braces that open at `open`, and whether they end with a `}`. Reports a missing one.
    pub(super) fn end_of_braces(&mut self, open: usize, what: &str) -> (usize, bool) {
        let partner = self.brackets.partner(open);
        let limit = partner.unwrap_or(self.tokens.len());
        let next = self.resume.get(self.resume.partition_point(|&start| start <= open)).copied();
        if let Some(next) = next.filter(|&next| next < limit) {
            self.unclosed(open, next, what);
            return (next, false);
        }
        match partner {
            Some(close) => (close + 1, true),
            None => {
                self.unclosed(open, limit, what);
                (limit, false)
            }
        }
    }

    /// Reports a missing `}`. `end` is the index after the last token of the construct whose `{` is at `open`.
    pub(super) fn unclosed(&mut self, open: usize, end: usize, what: &str) {
        let at = self.unit.gap_after(end as u32 - 1).unwrap_or_else(|| self.unit.origins[end - 1].end());
        let message = format!("expected `}}` to close {what}");
        let mut error = Error::new(ErrorCode::UnclosedBrace, message, at).note("opened here", self.unit.origins[open]);
        // Unclosed braces inside of it are not reported separately.
        let missing = 1 + self.open_braces(open + 1..end);
        error.fix = self.unit.fix(at, &vec!["}"; missing].join(" "));
        self.errors.push(error);
    }

    /// Returns the number of braces that stay open in the range.
    pub(super) fn open_braces(&self, range: std::ops::Range<usize>) -> usize {
        let end = range.end;
        range
            .filter(|&index| {
                self.sym(index) == Some(Sym::LBrace) && self.brackets.partner(index).is_none_or(|close| close >= end)
            })
            .count()
    }

    /// Returns the index after the `)`, or of the first `;` or body before it.
    pub(super) fn end_of_parentheses(&self, open: usize) -> usize {
        let limit = self.brackets.partner(open).map_or(self.tokens.len(), |close| close + 1);
        let mut index = open + 1;
        while index < limit {
            match self.sym(index) {
                Some(Sym::Semi | Sym::RBrace) => return index,
                // An initialiser list as an argument, or the body if a `)` is missing.
                Some(Sym::LBrace) => {
                    let after = self.brackets.after(index);
                    let list = match self.sym(index - 1) {
                        Some(Sym::Eq | Sym::LBrace | Sym::Comma) => true,
                        Some(Sym::LParen) => matches!(self.sym(after), Some(Sym::RParen | Sym::Comma)),
                        _ => false,
                    };
                    if !list {
                        return index;
                    }
                    index = after;
                }
                _ => index += 1,
            }
        }
        limit
    }

    /// Returns the first token from `index` on that starts a line, or is a brace or a `;`.
    pub(super) fn end_of_line(&self, index: usize) -> usize {
        let ends = |token: &Token| {
            token.line_start || matches!(token.kind, TokenKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace))
        };
        let rest = self.tokens.get(index..).unwrap_or_default();
        index + rest.iter().position(ends).unwrap_or(rest.len())
    }

    pub(super) fn end_of_angles(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                TokenKind::TemplateOpen => depth += 1,
                TokenKind::TemplateClose => {
                    depth -= 1;
                    if depth == 0 {
                        return index + 1;
                    }
                }
                TokenKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace) => return index.max(open + 1),
                _ => {}
            }
        }
        open + 1
    }

    /// Returns whether a declaration without its `;` ends before the token at `index`, because the next one starts
    /// there on a new line. `start` is the declaration's first token. Continuation lines are indented, so a declaration
    /// in column 0 is only followed by another one in column 0.
    pub(super) fn begins_next_item(&self, start: usize, index: usize) -> bool {
        let (Some(before), Some(token)) = (self.tokens.get(index - 1), self.tokens.get(index)) else { return false };
        let ended = matches!(
            before.kind,
            TokenKind::Ident
                | TokenKind::Int
                | TokenKind::Float
                | TokenKind::Str
                | TokenKind::Char
                | TokenKind::Sym(Sym::RParen | Sym::RBrace | Sym::True | Sym::False)
        ) || self.closes_extent(start, index - 1);
        if !token.line_start || !ended || self.unit.margin[start] && !self.unit.margin[index] {
            return false;
        }
        let next = self.tokens.get(index + 1).map(|next| next.kind);
        match token.kind {
            TokenKind::Modifier => token.text != "const" || !before.is(Sym::RParen),
            TokenKind::Ident => matches!(next, Some(TokenKind::Ident | TokenKind::TemplateOpen)),
            TokenKind::Sym(Sym::LBracket) => self.unit.margin[index] && matches!(next, Some(TokenKind::Ident)),
            TokenKind::Sym(sym) => starts_with(sym),
            _ => false,
        }
    }

    /// Returns whether a `]` belongs to `name[4]`, and not to an attribute.
    fn closes_extent(&self, start: usize, mut close: usize) -> bool {
        while self.sym(close) == Some(Sym::RBracket) {
            let Some(open) = self.brackets.partner(close).filter(|open| *open > start) else { return false };
            close = open - 1;
            if self.tokens[close].kind == TokenKind::Ident {
                return true;
            }
        }
        false
    }

    /// Returns whether the token, in column 0, certainly starts an item: a keyword, or the head of a function.
    pub(super) fn starts_item(&self, mut index: usize) -> bool {
        while self.sym(index) == Some(Sym::LBracket) {
            let Some(close) = self.brackets.partner(index) else { return false };
            index = close + 1;
        }
        match self.tokens.get(index).map(|token| (token.kind, token.text.as_str())) {
            Some((TokenKind::Sym(sym), _)) if starts_with(sym) => return true,
            Some((TokenKind::Modifier, "groupshared")) => return true,
            _ => {}
        }
        let mut names = 0;
        for _ in 0..LONGEST_HEAD {
            let Some(token) = self.tokens.get(index) else { return false };
            match token.kind {
                TokenKind::Ident => names += 1,
                TokenKind::Modifier | TokenKind::Sym(Sym::ColonColon | Sym::Unsigned) => {}
                TokenKind::TemplateOpen => {
                    index = self.end_of_angles(index);
                    continue;
                }
                TokenKind::Sym(Sym::LParen) if names >= 2 => {
                    let Some(close) = self.brackets.partner(index) else { return false };
                    return match self.sym(close + 1) {
                        Some(Sym::LBrace) => true,
                        Some(Sym::Colon) => self.sym(close + 3) == Some(Sym::LBrace),
                        _ => false,
                    };
                }
                _ => return false,
            }
            index += 1;
        }
        false
    }
}

/// Returns whether no statement and no continuation of a declaration starts with this keyword.
fn starts_with(sym: Sym) -> bool {
    matches!(
        sym,
        Sym::Struct
            | Sym::Class
            | Sym::Interface
            | Sym::Enum
            | Sym::CBuffer
            | Sym::TBuffer
            | Sym::Template
            | Sym::Namespace
            | Sym::Typedef
            | Sym::Using
    )
}
