//! Resolves names before cooking, as far as the syntax depends on them. `<` starts template arguments only after the
//! name of a template, and `(N) - 1` is a cast only if `N` is a type (C++ [temp.names], [basic.scope.hiding]).
//!
//! One walk over the tokens of a unit declares names in [`scopes`], and answers at each `<` and `(`. For an undeclared
//! name the rules of [`crate::cook`] for unknown names apply. Units without such a `<` or `(` are not walked.

mod declare;
mod edit;
mod ends;
mod scopes;

use compact_str::CompactString;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::brackets::Brackets;
use crate::cook::is_builtin_type;
use crate::lex::{PpToken, Raw};
use crate::names::{Names, angle_end, template_end};
use crate::token::{Sym, is_modifier};
use scopes::{Meaning, Scopes};

pub(crate) use edit::asks_of_edit;

/// The result of name lookup at one token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The `<` starts template arguments; the index is after their `>`.
    Arguments(usize),
    /// The name at the `<`, or in the parentheses, is a value.
    Value,
}

/// The answers for a unit, by raw index of the `<` or `(`.
#[derive(Debug, Default)]
pub(crate) struct Lookup {
    answers: FxHashMap<usize, Answer>,
    /// Names whose declarations decide an answer, or could. An edit that mentions one needs another walk.
    pub sensitive: FxHashSet<CompactString>,
    /// The number of tokens with a question. Without any, nothing was walked.
    pub asks: u32,
}

impl Lookup {
    /// Walks the tokens. `own` are the names that they declare, `prelude` those known before.
    pub fn new(raw: &[PpToken], brackets: &Brackets, own: &Names, prelude: &Names) -> Lookup {
        let text = Text { raw, brackets, own, prelude };
        let asks = (0..raw.len()).filter(|index| text.asks(*index).is_some()).count() as u32;
        if asks == 0 {
            return Lookup::default();
        }
        let mut walk = Walk {
            text,
            scopes: Scopes::new(),
            frames: vec![Frame { end: raw.len(), kind: FrameKind::Plain, declares: None }],
            closed: FxHashMap::default(),
            tags: FxHashSet::default(),
            shared: FxHashSet::default(),
            parameters: FxHashSet::default(),
            answers: FxHashMap::default(),
            sensitive: FxHashSet::default(),
        };
        walk.run();
        let Walk { answers, mut sensitive, scopes, .. } = walk;
        sensitive.extend(scopes.hiding(own, prelude).map(CompactString::from));
        Lookup { answers, sensitive, asks }
    }

    pub fn answer(&self, index: usize) -> Option<Answer> {
        self.answers.get(&index).copied()
    }
}

/// The tokens of a unit, and the names that it declares anywhere.
#[derive(Clone, Copy)]
struct Text<'t> {
    raw: &'t [PpToken],
    brackets: &'t Brackets,
    own: &'t Names,
    prelude: &'t Names,
}

impl<'t> Text<'t> {
    fn is(&self, index: usize, sym: Sym) -> bool {
        self.raw.get(index).is_some_and(|token| token.is(sym))
    }

    fn is_any(&self, index: usize, syms: &[Sym]) -> bool {
        self.raw.get(index).and_then(PpToken::sym).is_some_and(|sym| syms.contains(&sym))
    }

    fn keyword(&self, index: usize) -> Option<Sym> {
        let token = self.raw.get(index).filter(|token| token.raw == Raw::Ident)?;
        Sym::keyword(&token.text)
    }

    fn is_keyword(&self, index: usize, sym: Sym) -> bool {
        self.keyword(index) == Some(sym)
    }

    /// Returns the text of a word other than a keyword or modifier.
    fn name(&self, index: usize) -> Option<&'t str> {
        let token = self.raw.get(index).filter(|token| token.raw == Raw::Ident)?;
        (Sym::keyword(&token.text).is_none() && !is_modifier(&token.text)).then_some(token.text.as_str())
    }

    fn is_type(&self, name: &str) -> bool {
        self.own.is_type(name) || self.prelude.is_type(name)
    }

    /// Returns whether a template of this name is a type, or declared by the program.
    fn is_template(&self, name: &str) -> bool {
        matches!(name, "vector" | "matrix")
            || self.own.is_template(name)
            || self.prelude.is_template(name) && self.prelude.is_type(name)
    }

    /// Returns the name that decides how to read a `<` or `(`.
    fn asks(&self, index: usize) -> Option<&'t str> {
        if self.is(index, Sym::Lt) {
            let name = self.name(index.checked_sub(1)?)?;
            // Template arguments may contain operators, at which the guess stops.
            let may_end = angle_end(self.raw, self.brackets, index).is_some()
                || self.is_template(name) && template_end(self.raw, self.brackets, index).is_some();
            return may_end.then_some(name);
        }
        let name = self.is(index, Sym::LParen).then(|| self.name(index + 1)).flatten()?;
        const AFTER: &[Sym] = &[Sym::LParen, Sym::Plus, Sym::Minus, Sym::PlusPlus, Sym::MinusMinus];
        let is_cast = self.is(index + 2, Sym::RParen) && self.is_any(index + 3, AFTER) && self.is_type(name);
        is_cast.then_some(name)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FrameKind {
    Plain,
    /// Parameters of a function, each with its own type.
    Parameters,
    TemplateParameters,
    /// Template arguments, which declare nothing.
    Arguments,
}

/// Brackets around the current token.
struct Frame<'t> {
    /// Index of the closing bracket.
    end: usize,
    kind: FrameKind,
    /// The meaning and type of the names that the statement declares.
    declares: Option<(Meaning, Option<&'t str>)>,
}

struct Walk<'t> {
    text: Text<'t>,
    scopes: Scopes<'t>,
    frames: Vec<Frame<'t>>,
    /// For the `>` of template arguments, by index: the index of the name before the `<`.
    closed: FxHashMap<usize, usize>,
    /// Indexes of the `}` of types; names may be declared after them.
    tags: FxHashSet<usize>,
    /// Indexes of the `{` without their own scope.
    shared: FxHashSet<usize>,
    /// Indexes of the `(` of parameters.
    parameters: FxHashSet<usize>,
    answers: FxHashMap<usize, Answer>,
    sensitive: FxHashSet<CompactString>,
}

impl<'t> Walk<'t> {
    fn run(&mut self) {
        let mut index = 0;
        while index < self.text.raw.len() {
            self.scopes.leave(index);
            while self.frames.len() > 1 && self.frames.last().is_some_and(|frame| frame.end <= index) {
                self.frames.pop();
            }
            index = self.step(index).max(index + 1);
        }
    }

    /// Reads the token at `index`. Returns the index of the next one to read.
    fn step(&mut self, index: usize) -> usize {
        let token = &self.text.raw[index];
        match token.raw {
            Raw::Ident => return self.word(index),
            Raw::Punct(sym @ (Sym::LParen | Sym::LBracket | Sym::LBrace)) => {
                if sym == Sym::LParen {
                    self.cast(index);
                }
                let Some(end) = self.text.brackets.partner(index).filter(|end| *end > index) else { return index + 1 };
                let is_list = self.parameters.contains(&index);
                let kind = if is_list { FrameKind::Parameters } else { FrameKind::Plain };
                self.frames.push(Frame { end, kind, declares: None });
                if sym == Sym::LBrace && !self.shared.contains(&index) {
                    self.scopes.open(end + 1);
                }
            }
            Raw::Punct(Sym::Semi) => {
                if let Some(frame) = self.frames.last_mut() {
                    frame.declares = None;
                }
            }
            Raw::Punct(Sym::Comma) => {
                const AFTER: &[Sym] = &[Sym::Semi, Sym::Comma, Sym::Eq, Sym::LBracket, Sym::Colon];
                if let Some(Frame { declares: Some((meaning, ty)), .. }) = self.frames.last()
                    && let Some(name) = self.text.name(index + 1)
                    && self.text.is_any(index + 2, AFTER)
                {
                    self.scopes.declare(name, *meaning, *ty);
                    return index + 2;
                }
            }
            Raw::Punct(Sym::Lt) => self.less(index),
            _ => {}
        }
        index + 1
    }

    fn cast(&mut self, index: usize) {
        if let Some(name) = self.text.asks(index)
            && self.scopes.find(name).is_some_and(|entry| entry.meaning == Meaning::Value)
        {
            self.answers.insert(index, Answer::Value);
            self.sensitive.insert(name.into());
        }
    }

    /// Answers a `<`.
    fn less(&mut self, index: usize) {
        let Some(before) = index.checked_sub(1) else { return };
        let Some(name) = self.text.name(before) else { return };
        let meaning = self.meaning(before);
        let end = match meaning {
            Some(Meaning::Template) => self.arguments_end(index),
            Some(Meaning::Value) => {
                if self.text.asks(index).is_some() {
                    self.sensitive.insert(name.into());
                    // Recovery reports `f<int>(x)` without a template better than a comparison with a type.
                    if !self.begins_with_type(index + 1) {
                        self.answers.insert(index, Answer::Value);
                    }
                }
                None
            }
            _ if self.text.is_template(name) => self.arguments_end(index),
            _ => {
                if self.text.asks(index).is_some() {
                    self.sensitive.insert(name.into());
                }
                // An unknown template still declares the name after its arguments.
                let end = angle_end(self.text.raw, self.text.brackets, index);
                if let Some(end) = end.filter(|end| self.text.name(*end).is_some()) {
                    self.closed.insert(end - 1, before);
                }
                None
            }
        };
        if let Some(end) = end {
            self.answers.insert(index, Answer::Arguments(end));
            self.closed.insert(end - 1, before);
            self.frames.push(Frame { end: end - 1, kind: FrameKind::Arguments, declares: None });
        }
    }

    /// Returns the meaning of the name at `index`, considering the tokens before it.
    fn meaning(&self, index: usize) -> Option<Meaning> {
        let name = self.text.name(index)?;
        let before = index.checked_sub(1);
        let follows = |sym: Sym| before.is_some_and(|before| self.text.is(before, sym));
        if follows(Sym::Dot) {
            return self.member(index, name);
        }
        if follows(Sym::ColonColon) {
            return self.qualified(index, name);
        }
        if before.is_some_and(|before| self.text.is_keyword(before, Sym::Template)) {
            return None;
        }
        Some(self.scopes.find(name)?.meaning)
    }

    /// Returns the meaning of `scope::name`.
    fn qualified(&self, index: usize, name: &str) -> Option<Meaning> {
        let mut before = index.checked_sub(2)?;
        if let Some(open) = self.closed.get(&before) {
            before = *open;
        }
        match self.text.name(before) {
            Some(scope) => self.scopes.find_in(scope, name),
            None => self.scopes.find_global(name),
        }
    }

    /// Returns the meaning of `object.name`.
    fn member(&self, index: usize, name: &str) -> Option<Meaning> {
        let object = index.checked_sub(2)?;
        let is_whole = !object
            .checked_sub(1)
            .is_some_and(|before| self.text.is(before, Sym::Dot) || self.text.is(before, Sym::ColonColon));
        let found = match self.text.name(object).filter(|_| is_whole) {
            Some("this") => self.scopes.find_own(name),
            Some(object) => self.scopes.find(object).and_then(|entry| self.scopes.find_in(entry.ty?, name)),
            None => None,
        };
        if found.is_some() {
            return found;
        }
        let (is_template, is_value) = self.scopes.members_named(name);
        match (is_template, is_value, self.text.prelude.is_template(name)) {
            (true, false, _) => Some(Meaning::Template),
            (false, _, false) => Some(Meaning::Value),
            (false, false, true) => None,
            // Only calls have arguments.
            _ => {
                let end = angle_end(self.text.raw, self.text.brackets, index + 1);
                let is_call = end.is_some_and(|end| self.text.is(end, Sym::LParen));
                Some(if is_call { Meaning::Template } else { Meaning::Value })
            }
        }
    }

    /// Returns whether the tokens from `index` on spell a type without a call. Operands of operators never do.
    fn begins_with_type(&self, mut index: usize) -> bool {
        while self.text.raw.get(index).is_some_and(|token| token.raw == Raw::Ident && is_modifier(&token.text)) {
            index += 1;
        }
        if self.text.is_keyword(index, Sym::Unsigned) || self.text.is_keyword(index, Sym::Typename) {
            return true;
        }
        let Some(name) = self.text.name(index) else { return false };
        let is_type = is_builtin_type(name)
            || match self.scopes.find(name) {
                Some(entry) => entry.meaning != Meaning::Value,
                None => self.text.is_type(name),
            };
        is_type && self.text.is_any(index + 1, &[Sym::Comma, Sym::Gt, Sym::Lt])
    }
}
