//! C++ constructs that HLSL lacks, with one diagnostic and an alternative for each. Most are recognised at the position
//! where the parser stopped. Named casts are well formed, so they are replaced before parsing.

use std::ops::Range;

use super::feed::{Fed, Tok};
use super::message::{Diagnosis, MISSING, Repair, StopPoint, closer};
use crate::ast::Span;
use crate::cook::{CASTS, is_builtin_type};
use crate::diagnostic::{ErrorCode, SyntaxError};
use crate::token::Sym;

/// The position of a C++ word, which determines the repair.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stands {
    /// Before a declaration's type.
    InFront,
    /// Before the type of a constant.
    Constant,
    /// Before a function, instead of an attribute in brackets.
    Attribute,
    /// Before an operand.
    Operand,
    /// Before a block.
    Block,
    /// After the parentheses of a function.
    Behind,
    /// Before members or a base.
    Access,
}

/// Word, position, help.
const WORDS: &[(&str, Stands, &str)] = &[
    ("virtual", Stands::InFront, "the declared type decides which method is called"),
    ("friend", Stands::InFront, "all members are public"),
    ("mutable", Stands::InFront, "methods without `const` may change all members"),
    ("thread_local", Stands::InFront, "each thread has its own copy of a `static` variable"),
    ("explicit", Stands::InFront, NO_CONSTRUCTORS),
    ("consteval", Stands::Constant, "`static const` is evaluated at compile time"),
    ("constinit", Stands::Constant, "`static const` is evaluated at compile time"),
    ("noinline", Stands::Attribute, "write an attribute in brackets, before the declaration"),
    ("new", Stands::Operand, "HLSL does not allocate memory: declare a variable, which is copied as a whole"),
    ("delete", Stands::Operand, "HLSL does not allocate memory, so nothing has to be freed"),
    ("throw", Stands::Operand, NO_EXCEPTIONS),
    ("try", Stands::Block, NO_EXCEPTIONS),
    ("override", Stands::Behind, "a method of a derived type hides the method of its base"),
    ("final", Stands::Behind, "a method of a derived type hides the method of its base"),
    ("noexcept", Stands::Behind, NO_EXCEPTIONS),
    ("public", Stands::Access, PUBLIC),
    ("protected", Stands::Access, PUBLIC),
    ("private", Stands::Access, PUBLIC),
];

const NO_EXCEPTIONS: &str = "HLSL has no exceptions: return an error code";
const NO_CONSTRUCTORS: &str = "initialise members with a list, `S s = { 1, 2 }`, or write a function that returns `S`";
const PUBLIC: &str = "all members are public";
const POINTERS: &str = "use an index, a copy of the value, or an `inout` parameter, which is copied in and out";
const REFERENCES: &str = "values are copied; `inout` parameters are copied in and out";

const UNIONS: &str = "use a `uint`: `asuint`, `asint` and `asfloat` reinterpret the bits of a number as another type";
const CAST: &str = "write a cast as `(T)value`";
const BITS: &str = "`asuint`, `asint` and `asfloat` reinterpret the bits of a number as another type";
/// The functions that reinterpret the bits of a number as another type.
const BIT_CASTS: &[(&str, &str)] = &[("uint", "asuint"), ("int", "asint"), ("float", "asfloat")];

fn word(tok: Tok) -> Option<(Stands, &'static str)> {
    let Tok::Ident(text) = tok else { return None };
    WORDS.iter().find(|row| row.0 == text).map(|row| (row.1, row.2))
}

/// Returns whether the token may continue a declaration or be an operand.
fn is_word(tok: Tok) -> bool {
    matches!(tok, Tok::Ident(_) | Tok::Modifier(_) | Tok::Inferred | Tok::Sym(Sym::Unsigned))
}

/// Returns the index of the bracket that closes the one at `open`.
fn partner(fed: &[Fed], open: usize) -> Option<usize> {
    let mut closers = Vec::new();
    for (index, token) in fed.iter().enumerate().skip(open) {
        match (closer(token.tok), token.tok) {
            (Some(close), _) => closers.push(close),
            (None, Tok::Sym(close @ (Sym::RParen | Sym::RBracket | Sym::RBrace))) if closers.pop() != Some(close) => {
                return None;
            }
            _ => {}
        }
        if closers.is_empty() {
            return Some(index);
        }
    }
    None
}

/// Returns the span of the fed tokens of a range.
fn covered(fed: &[Fed], range: &Range<usize>) -> Span {
    let tokens = fed.get(range.clone()).unwrap_or_default();
    let lo = tokens.first().or(fed.get(range.start)).or(fed.last()).map_or(0, |token| token.span.lo);
    Span { lo, hi: tokens.last().map_or(lo, |token| token.span.hi) }
}

/// Replaces `static_cast<T>(x)` by a C-style cast, with one error for each.
pub(super) fn casts(fed: &mut Vec<Fed>) -> Vec<SyntaxError> {
    let mut errors = Vec::new();
    let mut at = 0;
    while at < fed.len() {
        errors.extend(cast(fed, at));
        at += 1;
    }
    errors
}

fn cast(fed: &mut Vec<Fed>, at: usize) -> Option<SyntaxError> {
    let Tok::Ident(name) = fed[at].tok else { return None };
    if !CASTS.contains(&name) || fed.get(at + 1)?.tok != Tok::TemplateOpen {
        return None;
    }
    let mut open = 0i32;
    let close = fed[at..].iter().position(|token| {
        match token.tok {
            Tok::TemplateOpen => open += 1,
            Tok::TemplateClose => open -= 1,
            _ => {}
        }
        open == 0 && token.tok == Tok::TemplateClose
    });
    let close = at + close?;
    let ty = spelled(&fed[at + 2..close]);
    let span = covered(fed, &(at..at + 1));
    let whole = covered(fed, &(at..close + 1));
    let mut error = SyntaxError::new(ErrorCode::UnexpectedToken, format!("HLSL has no `{name}`"), span);
    if name == "reinterpret_cast" {
        error.help = Some(BITS);
        let number = ty.trim_end_matches(|c: char| c.is_ascii_digit());
        error.fix = BIT_CASTS.iter().find(|row| row.0 == number).map(|row| (whole, row.1.to_owned()));
        return Some(error);
    }
    error.help = Some(CAST);
    if let Some(end) = partner(fed, close + 1).filter(|_| fed[close + 1].tok.is(Sym::LParen)) {
        // `((T)(x))`, regardless of the context.
        fed[at].tok = Tok::Sym(Sym::LParen);
        fed[at + 1].tok = Tok::CastOpen;
        fed[close].tok = Tok::Sym(Sym::RParen);
        let hi = fed[end].span.hi;
        fed.insert(end + 1, Fed { tok: Tok::Sym(Sym::RParen), span: Span { lo: hi, hi }, line_start: false });
        let goes_on = matches!(fed.get(end + 2)?.tok, Tok::Sym(Sym::Dot | Sym::LBracket));
        error.fix = (!goes_on).then(|| (whole, format!("({ty})")));
        error.harmless = true;
    }
    Some(error)
}

fn splice(cut: Range<usize>, put: Vec<Tok<'static>>) -> Repair {
    Repair::Splice { cut: vec![cut], put }
}

/// Returns tokens as text, with spaces between words.
fn spelled(tokens: &[Fed]) -> String {
    let mut text = String::new();
    for token in tokens {
        let next = token.tok.text();
        let word = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        if word(text.chars().last()) && word(next.chars().next()) {
            text.push(' ');
        }
        text.push_str(next);
    }
    text
}

impl StopPoint<'_, '_> {
    /// The rules in the order in which they are tried.
    const FOREIGN: [fn(&Self) -> Option<Diagnosis>; 14] = [
        Self::arrow,
        Self::lambda,
        Self::access,
        Self::word_behind,
        Self::word_of_operand,
        Self::block,
        Self::destructor,
        Self::constructor,
        Self::word_in_front,
        Self::declared_pointer,
        Self::pointer,
        Self::braces,
        Self::range_for,
        Self::union,
    ];

    /// Returns the diagnosis of a C++ construct.
    pub(super) fn foreign(&self) -> Option<Diagnosis> {
        Self::FOREIGN.iter().find_map(|rule| rule(self))
    }

    fn nth(&self, index: usize) -> Option<Tok<'_>> {
        self.fed.get(index).map(|token| token.tok)
    }

    fn back(&self, steps: usize) -> Option<Tok<'_>> {
        self.nth(self.at.checked_sub(steps)?)
    }

    /// Returns an error about `what` at a range of tokens, and a repair that removes them.
    fn no(&self, what: &str, help: &'static str, cut: Range<usize>) -> (SyntaxError, Repair) {
        let span = covered(self.fed, &cut);
        let mut error = SyntaxError::new(ErrorCode::UnexpectedToken, format!("HLSL has no {what}"), span);
        error.help = Some(help);
        (error, splice(cut, Vec::new()))
    }

    /// Returns an error about a construct without effect, whose removal is the fix.
    fn idle(&self, what: &str, help: &'static str, cut: Range<usize>) -> Option<Diagnosis> {
        let (mut error, repair) = self.no(what, help, cut);
        error.fix = Some((error.span, String::new()));
        error.harmless = true;
        Some(Diagnosis { error: Some(error), repair })
    }

    fn doubtful(&self, what: &str, help: &'static str, cut: Range<usize>) -> Option<Diagnosis> {
        let (error, repair) = self.no(what, help, cut);
        Some(Diagnosis { error: Some(error), repair })
    }

    /// Diagnoses `a->b`.
    fn arrow(&self) -> Option<Diagnosis> {
        if !self.is(Sym::Gt) || !self.before().is(Sym::Minus) {
            return None;
        }
        let cut = self.at - 1..self.at + 1;
        let (mut error, _) = self.no("`->`", "HLSL has no pointers: write `.` before members", cut.clone());
        error.fix = Some((error.span, ".".to_owned()));
        error.harmless = true;
        Some(Diagnosis { error: Some(error), repair: splice(cut, vec![Tok::Sym(Sym::Dot)]) })
    }

    /// Diagnoses `[&](int x) { .. }`.
    fn lambda(&self) -> Option<Diagnosis> {
        if !self.is(Sym::LBracket) || !self.wants_operand() || self.wants_statement() {
            return None;
        }
        let mut next = partner(self.fed, self.at)? + 1;
        if matches!(self.nth(next)?, Tok::Sym(Sym::LParen) | Tok::CastOpen) {
            next = partner(self.fed, next)? + 1;
        }
        // `-> type`
        while !matches!(self.nth(next)?, Tok::Sym(Sym::LBrace) | Tok::Body(_)) {
            if matches!(self.nth(next)?, Tok::Sym(Sym::Semi | Sym::RBrace | Sym::RParen)) {
                return None;
            }
            next += 1;
        }
        let end = if self.nth(next)?.is(Sym::LBrace) { partner(self.fed, next)? } else { next };
        let cut = self.at..end + 1;
        let (mut error, _) = self.no("lambdas", "write a named function", cut.clone());
        error.span = covered(self.fed, &(self.at..partner(self.fed, self.at)? + 1));
        Some(Diagnosis { error: Some(error), repair: splice(cut, vec![MISSING]) })
    }

    /// Diagnoses `union U {`, which reads like a function without parentheses.
    fn union(&self) -> Option<Diagnosis> {
        let named = matches!((self.back(2)?, self.before()), (Tok::Ident("union"), Tok::Ident(_)));
        if !named || !matches!(self.tok()?, Tok::Body(_) | Tok::Sym(Sym::LBrace)) {
            return None;
        }
        self.doubtful("unions", UNIONS, self.at - 2..self.at + 1)
    }

    /// Diagnoses `public:` before members, `public` before a base.
    fn access(&self) -> Option<Diagnosis> {
        let label = self.before().is(Sym::Colon);
        let length = if label { 2 } else { 1 };
        let Tok::Ident(name) = self.back(length)? else { return None };
        let (Stands::Access, help) = word(Tok::Ident(name))? else { return None };
        let base = matches!(self.back(2), Some(Tok::Sym(Sym::Colon | Sym::Comma))) && is_word(self.tok()?);
        if !label && !base {
            return None;
        }
        let colon = if label { ":" } else { "" };
        self.idle(&format!("`{name}{colon}`"), help, self.at - length..self.at)
    }

    /// Diagnoses `void f() override {`.
    fn word_behind(&self) -> Option<Diagnosis> {
        let Tok::Ident(name) = self.tok()? else { return None };
        let (Stands::Behind, help) = word(Tok::Ident(name))? else { return None };
        if !self.expects("body") {
            return None;
        }
        self.idle(&format!("`{name}`"), help, self.at..self.at + 1)
    }

    /// Diagnoses `new S()`, `throw 3`, `delete[] p`.
    fn word_of_operand(&self) -> Option<Diagnosis> {
        let array = self.is(Sym::RBracket) && self.before().is(Sym::LBracket);
        let start = self.at.checked_sub(if array { 2 } else { 1 })?;
        let Some(Tok::Ident(name)) = self.nth(start) else { return None };
        let (Stands::Operand, help) = word(Tok::Ident(name))? else { return None };
        self.doubtful(&format!("`{name}`"), help, start..if array { self.at + 1 } else { self.at })
    }

    /// Diagnoses `try { .. } catch (..) { .. }`.
    fn block(&self) -> Option<Diagnosis> {
        let Tok::Ident(name) = self.before() else { return None };
        let (Stands::Block, help) = word(Tok::Ident(name))? else { return None };
        if !self.is(Sym::LBrace) {
            return None;
        }
        let word = self.at - 1..self.at;
        let mut cut = vec![word.clone()];
        let mut end = partner(self.fed, self.at)? + 1;
        while self.nth(end) == Some(Tok::Ident("catch")) {
            let block = partner(self.fed, end + 1)? + 1;
            let next = partner(self.fed, block)? + 1;
            cut.push(end..next);
            end = next;
        }
        let (error, _) = self.no(&format!("`{name}`"), help, word);
        Some(Diagnosis { error: Some(error), repair: Repair::Splice { cut, put: Vec::new() } })
    }

    /// Returns the index after the body or the `;` of a function whose parameters open at `open`.
    fn end_of_function(&self, open: usize) -> Option<usize> {
        let close = partner(self.fed, open)?;
        let rest = &self.fed[close..];
        let end = rest
            .iter()
            .position(|token| matches!(token.tok, Tok::Body(_) | Tok::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace)))?;
        match rest[end].tok {
            Tok::Sym(Sym::LBrace) => Some(partner(self.fed, close + end)? + 1),
            Tok::Sym(Sym::RBrace) => None,
            _ => Some(close + end + 1),
        }
    }

    /// Diagnoses `~S() { .. }`.
    fn destructor(&self) -> Option<Diagnosis> {
        if !self.is(Sym::Tilde) || !self.wants_item() || !matches!(self.nth(self.at + 1)?, Tok::Ident(_)) {
            return None;
        }
        let end = self.end_of_function(self.at + 2)?;
        let (mut error, repair) = self.no("destructors", "nothing has to be freed", self.at..end);
        error.span = covered(self.fed, &(self.at..self.at + 2));
        error.harmless = true;
        Some(Diagnosis { error: Some(error), repair })
    }

    /// Diagnoses `S(int x) { .. }` in `struct S`.
    fn constructor(&self) -> Option<Diagnosis> {
        let (Tok::Ident(name), Tok::Sym(Sym::LParen) | Tok::CastOpen) = (self.before(), self.tok()?) else {
            return None;
        };
        let (Sym::LBrace, brace) = self.open_bracket()? else { return None };
        let head =
            self.fed[..brace].iter().rposition(|token| matches!(token.tok, Tok::Sym(Sym::Struct | Sym::Class)))?;
        if self.nth(head + 1)? != Tok::Ident(name) {
            return None;
        }
        let end = self.end_of_function(self.at)?;
        let (mut error, repair) = self.no("constructors", NO_CONSTRUCTORS, self.at - 1..end);
        error.span = covered(self.fed, &(self.at - 1..self.at));
        Some(Diagnosis { error: Some(error), repair })
    }

    /// Diagnoses `virtual void f()`, `constinit int k = 1;`.
    fn word_in_front(&self) -> Option<Diagnosis> {
        let tokens = self.fed[..self.at].iter().enumerate().rev();
        let declaration = tokens.take_while(|(_, token)| {
            is_word(token.tok)
                || matches!(
                    token.tok,
                    Tok::TemplateOpen | Tok::TemplateClose | Tok::Int(_) | Tok::Sym(Sym::Comma | Sym::ColonColon)
                )
        });
        let found = declaration.filter_map(|(index, token)| Some((index, token.tok.text(), word(token.tok)?)));
        let (index, name, (stands, help)) = found.last()?;
        if !matches!(stands, Stands::InFront | Stands::Constant | Stands::Attribute) || !is_word(self.nth(index + 1)?) {
            return None;
        }
        if stands == Stands::Attribute {
            return Some(self.attribute_in_front(index, name, help));
        }
        let mut diagnosis = self.idle(&format!("`{name}`"), help, index..index + 1)?;
        // A function cannot be `static const`.
        let is_function = matches!(self.nth(self.at + 1), Some(Tok::Sym(Sym::LParen) | Tok::CastOpen));
        if stands == Stands::Constant && !is_function {
            let is_static = self.fed[..index].iter().rev().map_while(|token| match token.tok {
                Tok::Modifier(text) => Some(text),
                _ => None,
            });
            let (text, put) = if is_static.into_iter().any(|text| text == "static") {
                ("const", vec![Tok::Modifier("const")])
            } else {
                ("static const", vec![Tok::Modifier("static"), Tok::Modifier("const")])
            };
            if let Some(error) = &mut diagnosis.error {
                error.fix = Some((error.span, text.to_owned()));
            }
            diagnosis.repair = splice(index..index + 1, put);
        }
        Some(diagnosis)
    }

    /// Diagnoses `static noinline void f()`.
    fn attribute_in_front(&self, index: usize, name: &str, help: &'static str) -> Diagnosis {
        let (mut error, repair) = self.no("", help, index..index + 1);
        error.message = format!("`{name}` is an attribute");
        let before = self.fed[..index].iter().rev().take_while(|token| matches!(token.tok, Tok::Modifier(_))).count();
        let modifiers = &self.fed[index - before..index];
        let space = if modifiers.is_empty() { "" } else { " " };
        let text = format!("[{name}]{space}{}", spelled(modifiers));
        error.fix = Some((covered(self.fed, &(index - before..index + 1)), text));
        error.harmless = true;
        Diagnosis { error: Some(error), repair }
    }

    /// Diagnoses `float *p`, `const S &s`.
    fn declared_pointer(&self) -> Option<Diagnosis> {
        let mark =
            |tok: Tok| matches!(tok, Tok::Sym(Sym::Star | Sym::Amp | Sym::AmpAmp)) || tok == Tok::Modifier("const");
        let after_type = matches!(self.before(), Tok::Ident(_) | Tok::TemplateClose | Tok::Modifier(_));
        if !self.tok().is_some_and(mark) || !after_type || !self.expects("ident") || self.wants_operand() {
            return None;
        }
        let length = self.fed[self.at..].iter().take_while(|token| mark(token.tok)).count();
        let cut = self.at..self.at + length;
        if self.fed[cut.clone()].iter().any(|token| token.tok.is(Sym::Star)) {
            return self.doubtful("pointers", POINTERS, cut);
        }
        let (mut error, repair) = self.no("references", REFERENCES, cut);
        error.harmless = true;
        Some(Diagnosis { error: Some(error), repair })
    }

    /// Diagnoses `&x`, `*p` as operands, and `(float *)p`.
    fn pointer(&self) -> Option<Diagnosis> {
        if !self.wants_operand() {
            return None;
        }
        let what = match (self.tok()?, self.nth(self.at + 1)) {
            (Tok::Sym(Sym::Amp), Some(Tok::Ident(_) | Tok::Sym(Sym::LParen))) => "addresses",
            (Tok::Sym(Sym::Star), Some(Tok::Ident(_) | Tok::Sym(Sym::LParen))) => "pointers",
            (Tok::Sym(Sym::RParen), _)
                if self.before().is(Sym::Star)
                    && matches!(self.back(2), Some(Tok::Ident(name)) if is_builtin_type(name)) =>
            {
                let (error, _) = self.no("pointers", POINTERS, self.at - 1..self.at);
                let (Sym::LParen, open) = self.open_bracket()? else { return None };
                let cut = vec![open..open + 1, self.at - 1..self.at];
                return Some(Diagnosis {
                    error: Some(error),
                    repair: Repair::Splice { cut, put: vec![Tok::CastOpen] },
                });
            }
            _ => return None,
        };
        self.doubtful(what, POINTERS, self.at..self.at + 1)
    }

    /// Diagnoses `int x{1};`.
    fn braces(&self) -> Option<Diagnosis> {
        let named = matches!(self.before(), Tok::Ident(_) | Tok::Sym(Sym::RBracket));
        if !self.is(Sym::LBrace) || !named || !self.expects("=") || self.expects("+") || self.at_break() {
            return None;
        }
        let at = self.at..self.at;
        let (mut error, _) = self.no("initialisation with braces alone", "write `=` before the value", at.clone());
        error.fix = Some((error.span, " = ".to_owned()));
        error.harmless = true;
        Some(Diagnosis { error: Some(error), repair: splice(at, vec![Tok::Sym(Sym::Eq)]) })
    }

    /// Diagnoses `for (int x : list)`.
    fn range_for(&self) -> Option<Diagnosis> {
        if !self.is(Sym::RParen) || !self.expects(";") {
            return None;
        }
        let (Sym::LParen, open) = self.open_bracket()? else { return None };
        let colon = self.fed[open..self.at].iter().position(|token| token.tok.is(Sym::Colon))?;
        if !self.nth(open.checked_sub(1)?)?.is(Sym::For) {
            return None;
        }
        let colon = open + colon..open + colon + 1;
        let help = "count iterations: `for (uint i = 0; i < n; ++i)`";
        let (error, _) = self.no("range-based `for`", help, colon);
        let semi = Tok::Sym(Sym::Semi);
        let repair = splice(self.at..self.at, vec![semi, semi]);
        Some(Diagnosis { error: Some(error), repair })
    }
}
