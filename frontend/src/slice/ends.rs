//! Where what has begun ends: brackets that have partners and such that have none, declarations that lack their `;`.
//! It looks ahead and moves nothing; cutting is in [`super`].

use super::Slicer;
use crate::diagnostic::{Error, ErrorCode};
use crate::token::{Kind, Sym, Token};

/// Tokens of a function's head in front of its parameters, template arguments counted as one.
const LONGEST_HEAD: usize = 32;

impl Slicer<'_> {
    /// The index after the braces that open at `open`, and whether they end with a `}`; reports them if not.
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

    /// `end` is the index after the last token of what the `{` at `open` begins.
    pub(super) fn unclosed(&mut self, open: usize, end: usize, what: &str) {
        let at = self.unit.gap_after(end as u32 - 1).unwrap_or_else(|| self.unit.origins[end - 1].end());
        let message = format!("expected `}}` to close {what}");
        let mut error =
            Error::new(ErrorCode::UnclosedBrace, message, at).note("it opens here", self.unit.origins[open]);
        // Those inside of it are not told of.
        let missing = 1 + self.open_braces(open + 1..end);
        error.fix = self.unit.fix(at, &vec!["}"; missing].join(" "));
        self.errors.push(error);
    }

    /// How many braces of the range stay open in it.
    pub(super) fn open_braces(&self, range: std::ops::Range<usize>) -> usize {
        let end = range.end;
        range
            .filter(|&index| {
                self.sym(index) == Some(Sym::LBrace) && self.brackets.partner(index).is_none_or(|close| close >= end)
            })
            .count()
    }

    /// The index after the `)`; in front of the first `;` or body if that comes first.
    pub(super) fn end_of_parentheses(&self, open: usize) -> usize {
        let limit = self.brackets.partner(open).map_or(self.tokens.len(), |close| close + 1);
        let mut index = open + 1;
        while index < limit {
            match self.sym(index) {
                Some(Sym::Semi | Sym::RBrace) => return index,
                // An initialiser list as an argument, or the body because a `)` is missing.
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

    /// The first token from `index` on that begins a line, or is a brace or a `;`.
    pub(super) fn end_of_line(&self, index: usize) -> usize {
        let ends =
            |token: &Token| token.line_start || matches!(token.kind, Kind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace));
        let rest = self.tokens.get(index..).unwrap_or_default();
        index + rest.iter().position(ends).unwrap_or(rest.len())
    }

    pub(super) fn end_of_angles(&self, open: usize) -> usize {
        let mut depth = 0usize;
        for (index, token) in self.tokens.iter().enumerate().skip(open) {
            match token.kind {
                Kind::TemplateOpen => depth += 1,
                Kind::TemplateClose => {
                    depth -= 1;
                    if depth == 0 {
                        return index + 1;
                    }
                }
                Kind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace) => return index.max(open + 1),
                _ => {}
            }
        }
        open + 1
    }

    /// Whether a declaration that lacks its `;` ends in front of the token at `index`, because the next one starts
    /// there on a line of its own. `start` is the declaration's first token: lines that continue it are indented, so
    /// what follows one in column 0 stands in column 0 too.
    pub(super) fn begins_next_item(&self, start: usize, index: usize) -> bool {
        let (Some(before), Some(token)) = (self.tokens.get(index - 1), self.tokens.get(index)) else { return false };
        let ended = matches!(
            before.kind,
            Kind::Ident
                | Kind::Int
                | Kind::Float
                | Kind::Str
                | Kind::Char
                | Kind::Sym(Sym::RParen | Sym::RBrace | Sym::True | Sym::False)
        ) || self.closes_extent(start, index - 1);
        if !token.line_start || !ended || self.unit.margin[start] && !self.unit.margin[index] {
            return false;
        }
        let next = self.tokens.get(index + 1).map(|next| next.kind);
        match token.kind {
            Kind::Modifier => token.text != "const" || !before.is(Sym::RParen),
            Kind::Ident => matches!(next, Some(Kind::Ident | Kind::TemplateOpen)),
            Kind::Sym(Sym::LBracket) => self.unit.margin[index] && matches!(next, Some(Kind::Ident)),
            Kind::Sym(sym) => starts_with(sym),
            _ => false,
        }
    }

    /// Whether a `]` is that of `name[4]`, and not an attribute's.
    fn closes_extent(&self, start: usize, mut close: usize) -> bool {
        while self.sym(close) == Some(Sym::RBracket) {
            let Some(open) = self.brackets.partner(close).filter(|open| *open > start) else { return false };
            close = open - 1;
            if self.tokens[close].kind == Kind::Ident {
                return true;
            }
        }
        false
    }

    /// Whether the token, in column 0, starts an item beyond doubt: a keyword, or the head of a function.
    pub(super) fn starts_item(&self, mut index: usize) -> bool {
        while self.sym(index) == Some(Sym::LBracket) {
            let Some(close) = self.brackets.partner(index) else { return false };
            index = close + 1;
        }
        match self.tokens.get(index).map(|token| (token.kind, token.text.as_str())) {
            Some((Kind::Sym(sym), _)) if starts_with(sym) => return true,
            Some((Kind::Modifier, "groupshared")) => return true,
            _ => {}
        }
        let mut names = 0;
        for _ in 0..LONGEST_HEAD {
            let Some(token) = self.tokens.get(index) else { return false };
            match token.kind {
                Kind::Ident => names += 1,
                Kind::Modifier | Kind::Sym(Sym::ColonColon | Sym::Unsigned) => {}
                Kind::TemplateOpen => {
                    index = self.end_of_angles(index);
                    continue;
                }
                Kind::Sym(Sym::LParen) if names >= 2 => {
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

/// Keywords that no statement and no continuation of a declaration starts with.
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
