//! Converts the position at which the parser stopped and the expected terminals into one message and one repair. The
//! rules are tried in order; each covers one kind of mistake.

use std::ops::Range;

use super::builder::Stop;
use super::feed::{Fed, Tok};
use crate::ast::Span;
use crate::diagnostic::{ErrorCode, SyntaxError};
use crate::token::Sym;

pub(super) enum Repair {
    Insert(Tok<'static>),
    Replace(Tok<'static>),
    Drop,
    /// Remove everything from here on.
    DropRest,
    /// Remove these ranges, from first to last, and insert this at the first one.
    Splice {
        cut: Vec<Range<usize>>,
        put: Vec<Tok<'static>>,
    },
}

pub(super) struct Diagnosis {
    /// `None` if the repair only leads to a more specific message.
    pub error: Option<SyntaxError>,
    pub repair: Repair,
}

impl Diagnosis {
    fn note(&mut self, text: String, span: Span) {
        if let Some(error) = &mut self.error {
            error.notes.push((text, span));
        }
    }

    fn at(&mut self, span: Span) {
        if let Some(error) = &mut self.error {
            error.span = span;
        }
    }

    fn fix(&mut self, fix: Option<(Span, String)>) {
        if let Some(error) = &mut self.error {
            error.fix = fix;
        }
    }
}

/// A missing name or operand.
pub(super) const MISSING: Tok<'static> = Tok::Ident("");

pub(super) struct StopPoint<'a, 't> {
    pub fed: &'a [Fed<'t>],
    /// Index of the token at which the parser stopped.
    pub at: usize,
    expected: &'a [String],
    /// The number of tokens of the piece.
    len: u32,
}

pub(super) fn diagnose(fed: &[Fed<'_>], stop: &Stop, len: u32) -> Diagnosis {
    let place = StopPoint { fed, at: stop.at.min(fed.len()), expected: &stop.expected, len };
    StopPoint::RULES.iter().find_map(|rule| rule(&place)).unwrap_or_else(|| place.unexpected())
}

impl<'t> StopPoint<'_, 't> {
    /// The rules in the order in which they are tried.
    const RULES: [fn(&Self) -> Option<Diagnosis>; 14] = [
        Self::foreign,
        Self::after_the_item,
        Self::stray_closer,
        Self::keyword_as_name,
        Self::missing_open,
        Self::missing_closer,
        Self::stray_else,
        Self::statement_start,
        Self::missing_operand,
        Self::missing_colon,
        Self::missing_semicolon,
        Self::open_angle,
        Self::missing_name,
        Self::single_token,
    ];

    pub fn expects(&self, terminal: &str) -> bool {
        self.expected
            .iter()
            .any(|name| name.strip_prefix('"').and_then(|n| n.strip_suffix('"')).unwrap_or(name) == terminal)
    }

    fn bad(&self) -> Option<Fed<'t>> {
        self.fed.get(self.at).copied()
    }

    pub fn tok(&self) -> Option<Tok<'t>> {
        self.bad().map(|token| token.tok)
    }

    pub fn is(&self, sym: Sym) -> bool {
        self.tok() == Some(Tok::Sym(sym))
    }

    pub fn before(&self) -> Tok<'t> {
        self.at.checked_sub(1).and_then(|before| self.fed.get(before)).map_or(Tok::StartBody, |token| token.tok)
    }

    /// Returns whether it is at the end of the piece or the start of a line.
    pub fn at_break(&self) -> bool {
        self.bad().is_none_or(|token| token.line_start)
    }

    /// Returns whether an operand is complete, so that an operator could follow.
    fn after_operand(&self) -> bool {
        self.expects("+") && self.expects("*")
    }

    pub fn wants_operand(&self) -> bool {
        self.expects("int") && self.expects("(") && self.expects("ident")
    }

    pub fn wants_statement(&self) -> bool {
        self.expects("if") && self.expects("return")
    }

    pub fn wants_item(&self) -> bool {
        self.expects("struct") && self.expects("cbuffer")
    }

    /// Returns the gap between the last token and the one at which the parser stopped.
    fn gap(&self) -> Span {
        let at = self.bad().map_or(self.len, |token| token.span.lo);
        Span { lo: at, hi: at }
    }

    /// Returns the token at which the parser stopped, or the gap at the end.
    fn span(&self) -> Span {
        self.bad().map_or(self.gap(), |token| token.span)
    }

    fn found(&self) -> String {
        match self.tok() {
            None => "the end".to_owned(),
            Some(Tok::Str(_)) => "a string".to_owned(),
            Some(tok) => format!("`{}`", tok.text()),
        }
    }

    /// Returns ` after X`, in words if X is not a symbol.
    fn after(&self) -> String {
        match self.before() {
            Tok::StartItem | Tok::StartBody => String::new(),
            tok if tok.text().is_empty() => String::new(),
            tok => format!(" after `{}`", tok.text()),
        }
    }

    /// Returns the innermost bracket of the statement that is open here, with its index.
    pub fn open_bracket(&self) -> Option<(Sym, usize)> {
        let mut closed = 0usize;
        for index in (0..self.at).rev() {
            match self.fed[index].tok {
                Tok::Sym(Sym::RParen | Sym::RBracket | Sym::RBrace) => closed += 1,
                Tok::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) | Tok::CastOpen => {
                    if closed > 0 {
                        closed -= 1;
                        continue;
                    }
                    let sym = match self.fed[index].tok {
                        Tok::Sym(sym) => sym,
                        _ => Sym::LParen,
                    };
                    return Some((sym, index));
                }
                _ => {}
            }
        }
        None
    }

    /// Returns whether a bracket that `close` closes is open here, within the innermost braces.
    fn is_open(&self, close: Sym) -> bool {
        let mut closed = 0usize;
        for token in self.fed[..self.at].iter().rev() {
            match token.tok {
                Tok::Sym(Sym::RParen | Sym::RBracket | Sym::RBrace) => closed += 1,
                Tok::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) | Tok::CastOpen => {
                    if closed > 0 {
                        closed -= 1;
                    } else if closer(token.tok) == Some(close) {
                        return true;
                    } else if token.tok.is(Sym::LBrace) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        false
    }

    fn error(&self, code: ErrorCode, message: String, span: Span) -> SyntaxError {
        SyntaxError::new(code, message, span)
    }

    /// Returns the diagnosis that a token is missing in the gap.
    fn insert(&self, code: ErrorCode, message: String, tok: Tok<'static>) -> Option<Diagnosis> {
        let mut error = self.error(code, message, self.gap());
        if !tok.text().is_empty() && self.is_certain(tok) {
            error.fix = Some((self.gap(), tok.text().to_owned()));
        }
        Some(Diagnosis { error: Some(error), repair: Repair::Insert(tok) })
    }

    /// Returns whether only a missing token makes sense, so that the fix can be applied without asking.
    fn is_certain(&self, missing: Tok<'static>) -> bool {
        match missing {
            // The rest of the line may belong to it: `1 2;`, `int[3] k;`. In `for (a; b, c)` the comma is wrong.
            Tok::Sym(Sym::Semi) => {
                let ends = self.bad().is_none() || self.at_break() || self.is(Sym::RBrace);
                ends && !self.is_open(Sym::RParen)
            }
            Tok::Sym(Sym::LParen) => self.closes_ahead(Sym::RParen),
            // It may belong elsewhere: `a = (1; b = 2);`.
            Tok::Sym(close @ (Sym::RParen | Sym::RBracket)) => !self.closes_later(close),
            Tok::Sym(Sym::Colon) => !self.is(Sym::Semi),
            _ => true,
        }
    }

    /// Returns whether the rest closes more brackets than it opens.
    fn closes_later(&self, close: Sym) -> bool {
        let mut open = 0usize;
        for token in &self.fed[self.at..] {
            match token.tok {
                Tok::Sym(Sym::LParen) | Tok::CastOpen if close == Sym::RParen => open += 1,
                Tok::Sym(Sym::LBracket) if close == Sym::RBracket => open += 1,
                Tok::Sym(sym) if sym == close && open == 0 => return true,
                Tok::Sym(sym) if sym == close => open -= 1,
                _ => {}
            }
        }
        false
    }

    // ---- rules

    /// Diagnoses text after a complete item.
    fn after_the_item(&self) -> Option<Diagnosis> {
        (self.expected.is_empty() && self.at > 0 && self.bad().is_some()).then(|| Diagnosis {
            error: Some(self.error(
                ErrorCode::UnexpectedToken,
                format!("unexpected {} after the declaration", self.found()),
                self.span(),
            )),
            repair: Repair::DropRest,
        })
    }

    /// Diagnoses an unmatched `)` or `]`, or one in place of the other.
    fn stray_closer(&self) -> Option<Diagnosis> {
        let Some(Tok::Sym(close @ (Sym::RParen | Sym::RBracket))) = self.tok() else { return None };
        if self.is_open(close) {
            return None;
        }
        let fix = Some((self.span(), String::new()));
        if let Some((open, index)) = self.open_bracket()
            && let Some(right) = closer(Tok::Sym(open)).filter(|right| *right != Sym::RBrace)
            && self.expects(right.text())
        {
            let message = format!("expected `{}`, found `{}`", right.text(), close.text());
            let mut error = self.error(ErrorCode::ExpectedToken, message, self.span());
            error.notes.push((format!("to match this `{}`", open.text()), self.fed[index].span));
            error.fix = Some((self.span(), right.text().to_owned()));
            return Some(Diagnosis { error: Some(error), repair: Repair::Replace(Tok::Sym(right)) });
        }
        let message = format!("unmatched `{}`", close.text());
        let mut error = self.error(ErrorCode::UnexpectedToken, message, self.span());
        error.fix = fix;
        Some(Diagnosis { error: Some(error), repair: Repair::Drop })
    }

    /// Diagnoses `int for = 1;`.
    fn keyword_as_name(&self) -> Option<Diagnosis> {
        let Some(Tok::Sym(sym)) = self.tok() else { return None };
        let word = sym.text().starts_with(|c: char| c.is_ascii_alphabetic());
        let next = self.fed.get(self.at + 1).map(|token| token.tok);
        let declared = matches!(
            next,
            Some(Tok::Sym(Sym::Eq | Sym::Semi | Sym::Comma | Sym::LBracket | Sym::Colon | Sym::RParen | Sym::LParen))
        );
        let type_before = matches!(self.before(), Tok::Ident(_) | Tok::TemplateClose | Tok::Sym(Sym::Dot));
        let name_only = self.expects("ident") && !self.expects("int") && !self.wants_item();
        let yes = word && declared && (name_only || type_before && self.expects("ident")) && !self.at_break();
        yes.then(|| Diagnosis {
            error: Some(self.error(
                ErrorCode::ExpectedName,
                format!("`{}` is a keyword and cannot be a name", sym.text()),
                self.span(),
            )),
            repair: Repair::Replace(Tok::Ident(sym.text())),
        })
    }

    /// Diagnoses `if x)`, `switch (x) case`.
    fn missing_open(&self) -> Option<Diagnosis> {
        let only = |terminal: &str| self.expected.len() == 1 && self.expects(terminal);
        if only("(") {
            return self.insert(
                ErrorCode::ExpectedToken,
                format!("expected `(`{}", self.after()),
                Tok::Sym(Sym::LParen),
            );
        }
        if only("{") {
            return self.insert(
                ErrorCode::ExpectedToken,
                format!("expected `{{`{}", self.after()),
                Tok::Sym(Sym::LBrace),
            );
        }
        // `[NodeLaunch "thread")]`
        let literal = matches!(self.tok(), Some(Tok::Str(_) | Tok::Int(_) | Tok::Float(_)));
        let called = matches!(self.before(), Tok::Ident(_)) && !self.at_break() && self.expects("(");
        if literal && called && !self.is_open(Sym::RParen) && self.closes_ahead(Sym::RParen) {
            let message = format!("expected `(`{}", self.after());
            return self.insert(ErrorCode::ExpectedToken, message, Tok::Sym(Sym::LParen));
        }
        // A function without a parameter list.
        let body = matches!(self.tok(), Some(Tok::Body(_)));
        if body && self.expects("(") && matches!(self.before(), Tok::Ident(_)) {
            let message = format!("expected `(` and parameters{}", self.after());
            let mut diagnosis = self.insert(ErrorCode::ExpectedToken, message, Tok::Sym(Sym::LParen))?;
            diagnosis.fix(Some((self.gap(), "()".to_owned())));
            return Some(diagnosis);
        }
        None
    }

    /// Diagnoses `f(a;`, `a[1;`, `f(a b)`, and `{ .. ` at the end.
    fn missing_closer(&self) -> Option<Diagnosis> {
        if self.bad().is_none() && self.expects("}") {
            let mut diagnosis =
                self.insert(ErrorCode::ExpectedToken, "expected `}`".to_owned(), Tok::Sym(Sym::RBrace))?;
            if let Some((open, index)) = self.open_bracket() {
                diagnosis.note(format!("to match this `{}`", open.text()), self.fed[index].span);
            }
            return Some(diagnosis);
        }
        if self.expects("t>") && !self.wants_operand() && !self.expects("ident") {
            return self.insert(ErrorCode::ExpectedToken, "expected `>`".to_owned(), Tok::TemplateClose);
        }
        let (open, index) = self.open_bracket()?;
        let close = closer(Tok::Sym(open))?;
        if !self.expects(close.text()) || self.wants_statement() || self.wants_item() || self.wants_operand() {
            return None;
        }
        let more = match self.tok() {
            Some(Tok::Ident(_) | Tok::Int(_) | Tok::Float(_) | Tok::Str(_) | Tok::Char(_) | Tok::Modifier(_)) => {
                self.expects(",")
            }
            Some(Tok::Sym(Sym::LBracket)) => self.expects(",") && !self.after_operand(),
            Some(Tok::Sym(Sym::True | Sym::False)) => self.expects(","),
            _ => false,
        };
        if more && self.closes_ahead(close) {
            let message = format!("expected `,` or `{}`{}, found {}", close.text(), self.after(), self.found());
            let mut diagnosis = self.insert(ErrorCode::ExpectedToken, message, Tok::Sym(Sym::Comma))?;
            diagnosis.at(self.span());
            diagnosis.fix(None);
            return Some(diagnosis);
        }
        if matches!(self.tok(), Some(Tok::Sym(sym)) if is_operator(sym)) {
            return None;
        }
        let message = format!("expected `{}`", close.text());
        let mut diagnosis = self.insert(ErrorCode::ExpectedToken, message, Tok::Sym(close))?;
        diagnosis.note(format!("to match this `{}`", open.text()), self.fed[index].span);
        Some(diagnosis)
    }

    /// Returns whether `close` closes the open bracket further on: a `]` on this line, a `)` in this statement.
    fn closes_ahead(&self, close: Sym) -> bool {
        let mut open = 0usize;
        for (offset, token) in self.fed[self.at..].iter().enumerate() {
            match token.tok {
                Tok::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace) | Tok::Body(_) => return close == Sym::RBrace,
                _ if close == Sym::RBracket && token.line_start && offset > 0 => return false,
                Tok::Sym(Sym::LParen | Sym::LBracket) | Tok::CastOpen => open += 1,
                Tok::Sym(sym) if sym == close && open == 0 => return true,
                Tok::Sym(Sym::RParen | Sym::RBracket) => open = open.saturating_sub(1),
                _ => {}
            }
        }
        false
    }

    /// Repairs `Texture2D<float4 tex;`, for which cooking found no `>`. The parser reports the missing one.
    fn open_angle(&self) -> Option<Diagnosis> {
        let after_name = matches!(self.before(), Tok::Ident(_));
        let declares = self.expects("ident") && !self.wants_operand();
        (self.is(Sym::Lt) && after_name && declares)
            .then_some(Diagnosis { error: None, repair: Repair::Replace(Tok::TemplateOpen) })
    }

    fn stray_else(&self) -> Option<Diagnosis> {
        (self.is(Sym::Else) && self.wants_statement()).then(|| Diagnosis {
            error: Some(self.error(ErrorCode::UnexpectedToken, "`else` without `if`".to_owned(), self.span())),
            repair: Repair::Drop,
        })
    }

    /// Diagnoses a token that cannot start a statement or item.
    fn statement_start(&self) -> Option<Diagnosis> {
        if !self.wants_statement() && !self.wants_item() {
            return None;
        }
        let (code, what) = if self.wants_statement() {
            (ErrorCode::ExpectedStatement, "a statement")
        } else {
            (ErrorCode::ExpectedDeclaration, "a declaration")
        };
        let message = format!("expected {what}{}, found {}", self.after_head(), self.found());
        // A `}` of a block, or the end, where a statement is required.
        if self.wants_statement() && (self.bad().is_none() || self.is(Sym::RBrace)) {
            let error = self.error(code, message, self.gap());
            return Some(Diagnosis { error: Some(error), repair: Repair::Insert(Tok::Sym(Sym::Semi)) });
        }
        if self.bad().is_none() {
            let error = self.error(code, format!("expected {what}{}", self.after()), self.gap());
            return Some(Diagnosis { error: Some(error), repair: Repair::Insert(Tok::Sym(Sym::Semi)) });
        }
        Some(Diagnosis { error: Some(self.error(code, message, self.span())), repair: Repair::Drop })
    }

    /// Returns ` after X` if X requires a statement, as in `else }`.
    fn after_head(&self) -> String {
        match self.before() {
            Tok::Sym(Sym::Else | Sym::Do | Sym::RParen | Sym::RBracket) => self.after(),
            _ => String::new(),
        }
    }

    /// Diagnoses `a + ;`, `f(a, )`, `x = ;`.
    fn missing_operand(&self) -> Option<Diagnosis> {
        if !self.wants_operand() {
            return None;
        }
        let message = format!("expected an expression{}", self.after());
        self.insert(ErrorCode::ExpectedExpression, message, MISSING)
    }

    /// Diagnoses `a ? b;`, `case 1 x`.
    fn missing_colon(&self) -> Option<Diagnosis> {
        let case = self.fed[..self.at].iter().rev().find_map(|token| match token.tok {
            Tok::Sym(sym @ (Sym::Case | Sym::Default | Sym::Question)) => Some(Some(sym)),
            Tok::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace | Sym::Colon) => Some(None),
            _ => None,
        });
        let sym = case.flatten()?;
        if !self.expects(":") || self.expects(";") {
            return None;
        }
        let after = match sym {
            Sym::Case => " after the value of `case`",
            Sym::Default => " after `default`",
            _ => ", the other half of this `?`",
        };
        self.insert(ErrorCode::ExpectedToken, format!("expected `:`{after}"), Tok::Sym(Sym::Colon))
    }

    /// Diagnoses a missing `;`.
    fn missing_semicolon(&self) -> Option<Diagnosis> {
        if !self.expects(";") || self.wants_operand() {
            return None;
        }
        let starts = match self.tok() {
            None => true,
            Some(Tok::Sym(sym)) => {
                let word = sym.text().starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                word || matches!(sym, Sym::RBrace | Sym::LBrace)
                    || matches!(sym, Sym::PlusPlus | Sym::MinusMinus | Sym::LParen | Sym::LBracket) && self.at_break()
                    || matches!(sym, Sym::RParen) && self.is_open(Sym::RParen)
            }
            Some(Tok::CastOpen) => self.at_break(),
            Some(Tok::TemplateOpen | Tok::TemplateClose | Tok::Body(_)) => false,
            Some(_) => true,
        };
        if !starts {
            return None;
        }
        let after = if self.after_operand() {
            " after expression".to_owned()
        } else if self.expects("body") {
            return self.insert(
                ErrorCode::ExpectedBody,
                "expected a body or `;` after the function's head".to_owned(),
                Tok::Sym(Sym::Semi),
            );
        } else if self.expects("[") && self.expects("=") {
            " after declaration".to_owned()
        } else {
            self.after()
        };
        self.insert(ErrorCode::ExpectedToken, format!("expected `;`{after}"), Tok::Sym(Sym::Semi))
    }

    /// Diagnoses `a.;`, `struct : B {`, `void (`.
    fn missing_name(&self) -> Option<Diagnosis> {
        if !self.expects("ident") {
            return None;
        }
        let (code, what) = if self.expects("unsigned") {
            (ErrorCode::ExpectedType, "a type")
        } else {
            (ErrorCode::ExpectedName, "a name")
        };
        // A token that cannot follow a name either is superfluous, not a sign of a missing name.
        let message = format!("expected {what}{}", self.after());
        let follows = match self.tok() {
            None => true,
            Some(Tok::Sym(sym)) => !is_binary(sym),
            Some(Tok::Body(_) | Tok::TemplateClose | Tok::TemplateOpen | Tok::CastOpen) => true,
            Some(_) => false,
        };
        if follows {
            return self.insert(code, message, MISSING);
        }
        let error = self.error(code, format!("{message}, found {}", self.found()), self.span());
        Some(Diagnosis { error: Some(error), repair: Repair::Drop })
    }

    /// Diagnoses a missing token if only one was possible.
    fn single_token(&self) -> Option<Diagnosis> {
        let [one] = self.expected else { return None };
        let text = one.strip_prefix('"')?.strip_suffix('"')?;
        let sym = Sym::ALL.iter().copied().find(|sym| sym.text() == text)?;
        let message = format!("expected `{text}`{}", self.after());
        self.insert(ErrorCode::ExpectedToken, message, Tok::Sym(sym))
    }

    fn unexpected(&self) -> Diagnosis {
        let message = match self.tok() {
            None => format!("unexpected end{}", self.after()),
            Some(_) => format!("unexpected {}{}", self.found(), self.after()),
        };
        Diagnosis { error: Some(self.error(ErrorCode::UnexpectedToken, message, self.span())), repair: Repair::Drop }
    }
}

pub(super) fn closer(open: Tok) -> Option<Sym> {
    match open {
        Tok::Sym(Sym::LParen) | Tok::CastOpen => Some(Sym::RParen),
        Tok::Sym(Sym::LBracket) => Some(Sym::RBracket),
        Tok::Sym(Sym::LBrace) => Some(Sym::RBrace),
        _ => None,
    }
}

/// Returns whether the operator joins two operands.
fn is_binary(sym: Sym) -> bool {
    matches!(
        sym,
        Sym::Plus
            | Sym::Minus
            | Sym::Star
            | Sym::Slash
            | Sym::Percent
            | Sym::Amp
            | Sym::Pipe
            | Sym::Caret
            | Sym::AmpAmp
            | Sym::PipePipe
            | Sym::EqEq
            | Sym::NotEq
            | Sym::LtEq
            | Sym::GtEq
            | Sym::Lt
            | Sym::Gt
            | Sym::Shl
            | Sym::Shr
            | Sym::Question
            | Sym::Bang
            | Sym::Tilde
    )
}

fn is_operator(sym: Sym) -> bool {
    is_binary(sym) || matches!(sym, Sym::Colon | Sym::ColonColon | Sym::Dot | Sym::Eq)
}
