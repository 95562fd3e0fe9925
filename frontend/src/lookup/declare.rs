//! Finds declarations in raw tokens: a name after a type, after the keyword of a type, or after a comma in a list of
//! declarators.

use super::scopes::Meaning;
use super::{Answer, Frame, FrameKind, Walk};
use crate::cook::is_builtin_type;
use crate::lex::Raw;
use crate::token::{Sym, is_modifier};

/// The maximum number of tokens in the head of a record.
const LONGEST_HEAD: usize = 256;

impl<'t> Walk<'t> {
    fn frame_kind(&self) -> FrameKind {
        self.frames.last().map_or(FrameKind::Plain, |frame| frame.kind)
    }

    /// Reads a word. Returns the index of the next token to read.
    pub(super) fn word(&mut self, index: usize) -> usize {
        match self.text.keyword(index) {
            Some(Sym::Template) => self.template(index),
            Some(Sym::Typename | Sym::Class)
                if self.frame_kind() == FrameKind::TemplateParameters
                    && !self.text.is(index + 2, Sym::ColonColon)
                    && !self.text.is(index + 2, Sym::Lt) =>
            {
                if let Some(name) = self.text.name(index + 1) {
                    self.scopes.declare_parameter(name, Meaning::Type, None);
                }
                index + 2
            }
            Some(Sym::Struct | Sym::Class | Sym::Interface) => self.record(index),
            Some(Sym::Enum) => self.enumeration(index),
            Some(Sym::CBuffer | Sym::TBuffer) => {
                let ends = |at: &usize| self.text.is_any(*at, &[Sym::LBrace, Sym::Semi]);
                // Its members are names of the enclosing scope.
                let open = (index..self.text.raw.len()).take(LONGEST_HEAD).find(ends);
                self.shared.extend(open);
                index + 1
            }
            Some(Sym::Namespace) => self.namespace(index),
            Some(Sym::Using) => self.using(index),
            Some(Sym::Typedef) => {
                self.declares(Meaning::Type, None);
                index + 1
            }
            Some(Sym::If | Sym::For | Sym::While | Sym::Switch) if self.text.is(index + 1, Sym::LParen) => {
                let end = self.text.statement_end(self.text.brackets.after(index + 1));
                self.scopes.open(end);
                index + 1
            }
            Some(Sym::Operator) => self.operator(index),
            Some(_) => index + 1,
            None => match self.text.name(index).filter(|name| !is_builtin_type(name)) {
                Some(_) if self.frame_kind() != FrameKind::Arguments => match self.type_before(index) {
                    Some(ty) => self.declarator(index, ty),
                    None => index + 1,
                },
                _ => index + 1,
            },
        }
    }

    fn declares(&mut self, meaning: Meaning, ty: Option<&'t str>) {
        if let Some(frame) = self.frames.last_mut().filter(|frame| frame.kind == FrameKind::Plain) {
            frame.declares = Some((meaning, ty));
        }
    }

    /// Returns the type that ends before `index`, skipping modifiers. It is a name, or `Some(None)` for a type without
    /// one.
    fn type_before(&self, index: usize) -> Option<Option<&'t str>> {
        let mut before = index.checked_sub(1)?;
        let mut token = &self.text.raw[before];
        while token.raw == Raw::Ident && is_modifier(&token.text) {
            before = before.checked_sub(1)?;
            token = &self.text.raw[before];
        }
        match token.raw {
            Raw::Ident => match self.text.keyword(before) {
                None => Some(Some(token.text.as_str())),
                Some(Sym::Unsigned) => Some(None),
                Some(_) => None,
            },
            Raw::Punct(Sym::Gt) => self.closed.get(&before).map(|name| self.text.name(*name)),
            Raw::Punct(Sym::RBrace) => self.tags.contains(&before).then_some(None),
            _ => None,
        }
    }

    /// Reads the name after a type.
    fn declarator(&mut self, index: usize, ty: Option<&'t str>) -> usize {
        let (mut at, mut owner) = (index, None);
        loop {
            let next = at + 1;
            if self.text.is(next, Sym::ColonColon) {
                owner = self.text.name(at);
                if self.text.name(next + 1).is_none() {
                    // Possibly an operator.
                    return next + 1;
                }
                at = next + 1;
            } else if self.text.is(next, Sym::Lt)
                && self.text.name(at).is_some_and(|name| self.text.own.is_template(name))
            {
                let Some(end) = self.arguments_end(next) else { return index + 1 };
                if self.text.is(end, Sym::ColonColon) && self.text.name(end + 1).is_some() {
                    owner = self.text.name(at);
                    at = end + 1;
                } else {
                    // A specialisation declares no name.
                    if self.text.is(end, Sym::LParen) {
                        self.function(end, owner);
                    }
                    return index + 1;
                }
            } else {
                break;
            }
        }
        let Some(name) = self.text.name(at) else { return at };
        let kind = self.frame_kind();
        const AFTER: &[Sym] =
            &[Sym::Semi, Sym::Comma, Sym::Eq, Sym::RParen, Sym::LBracket, Sym::Colon, Sym::LBrace, Sym::RBrace];
        if self.text.is(at + 1, Sym::LParen) {
            if owner.is_none() {
                self.scopes.declare(name, Meaning::Value, ty);
            }
            self.function(at + 1, owner);
            return at + 1;
        }
        if kind == FrameKind::TemplateParameters {
            self.scopes.declare_parameter(name, Meaning::Value, ty);
            return at + 1;
        }
        if at + 1 < self.text.raw.len() && !self.text.is_any(at + 1, AFTER) {
            return index + 1;
        }
        let old = self.frames.last().and_then(|frame| frame.declares);
        let meaning = if let Some((Meaning::Type, _)) = old { Meaning::Type } else { Meaning::Value };
        if owner.is_none() {
            self.scopes.declare(name, meaning, ty);
        }
        self.declares(meaning, ty);
        at + 1
    }

    /// Opens the scope of a function with parameters at `open`.
    fn function(&mut self, open: usize, owner: Option<&'t str>) {
        let Some(close) = self.text.brackets.partner(open).filter(|close| *close > open) else { return };
        let end = self.text.function_end(close);
        if let Some(owner) = owner {
            self.scopes.open_record(owner, end);
        }
        self.scopes.open(end);
        self.parameters.insert(open);
    }

    /// Reads `T operator+(..)`, with the record before `::` if it is defined outside.
    fn operator(&mut self, index: usize) -> usize {
        let Some(before) = index.checked_sub(1) else { return index + 1 };
        let is_outside = self.text.is(before, Sym::ColonColon);
        let owner = before.checked_sub(1).filter(|_| is_outside).and_then(|at| self.text.name(at));
        if !is_outside && self.type_before(index).is_none() {
            return index + 1;
        }
        let skipped = if self.text.is_any(index + 1, &[Sym::LParen, Sym::LBracket]) { 3 } else { 2 };
        // `>>` and similar operators come in pieces.
        let open = (index + skipped..index + skipped + 3).find(|at| self.text.is(*at, Sym::LParen));
        if let Some(open) = open {
            self.function(open, owner);
            return open;
        }
        index + 1
    }

    fn template(&mut self, index: usize) -> usize {
        if !self.text.is(index + 1, Sym::Lt) {
            return index + 1;
        }
        // Default values may compare earlier parameters, so parameters are declared as they are read.
        let Some(end) = self.parameters_end(index + 1) else { return index + 1 };
        self.scopes.open_header(self.text.item_end(end));
        self.answers.insert(index + 1, Answer::Arguments(end));
        self.frames.push(Frame { end: end - 1, kind: FrameKind::TemplateParameters, declares: None });
        index + 2
    }

    fn record(&mut self, index: usize) -> usize {
        let mut at = index + 1;
        while self.text.is(at, Sym::LBracket) {
            at = self.text.brackets.after(at);
        }
        let name = self.text.name(at);
        at += usize::from(name.is_some());
        let is_special = self.text.is(at, Sym::Lt);
        if is_special {
            let Some(end) = self.arguments_end(at) else { return index + 1 };
            at = end;
        }
        if self.text.is(at, Sym::Semi)
            && let Some(name) = name
            && !is_special
        {
            self.scopes.declare(name, Meaning::Type, None);
        }
        let mut bases = Vec::new();
        if self.text.is(at, Sym::Colon) {
            let limit = at + LONGEST_HEAD;
            let mut base = None;
            while at < limit && !self.text.is_any(at, &[Sym::LBrace, Sym::Semi]) {
                base = self.text.name(at).or(base);
                if self.text.is(at, Sym::Lt)
                    && let Some(end) = self.arguments_end(at)
                {
                    at = end;
                    continue;
                }
                if self.text.is(at, Sym::Comma) {
                    bases.extend(base.take());
                }
                at += 1;
            }
            bases.extend(base);
        }
        let close = self.text.brackets.partner(at).filter(|close| self.text.is(at, Sym::LBrace) && *close > at);
        let Some(close) = close else { return index + 1 };
        if let Some(name) = name {
            self.scopes.declare(name, Meaning::Type, None);
        }
        let name = name.unwrap_or("");
        for base in bases.into_iter().filter(|base| *base != name) {
            self.scopes.add_base(name, base);
        }
        self.scopes.open_record(name, close + 1);
        self.shared.insert(at);
        self.tags.insert(close);
        self.members(name, at + 1..close);
        index + 1
    }

    /// Declares the members of a record whose body is the range.
    fn members(&mut self, record: &'t str, range: std::ops::Range<usize>) {
        let text = self.text;
        let (mut at, mut is_template, mut ty) = (range.start, false, None);
        // The name of the type that ends with the last token.
        let mut before: Option<Option<&'t str>> = None;
        while at < range.end {
            let here = before.take();
            let token = &text.raw[at];
            match (token.raw, text.keyword(at)) {
                (Raw::Punct(Sym::LBrace), _) => {
                    at = text.brackets.after(at);
                    (is_template, ty) = (false, None);
                    before = Some(None);
                    continue;
                }
                (Raw::Punct(Sym::LParen | Sym::LBracket), _) => {
                    at = text.brackets.after(at);
                    continue;
                }
                (Raw::Punct(Sym::Semi), _) => (is_template, ty) = (false, None),
                (Raw::Punct(Sym::Lt), _) => {
                    if let Some(end) = self.arguments_end(at) {
                        before = at.checked_sub(1).map(|name| text.name(name));
                        at = end;
                        continue;
                    }
                }
                (Raw::Punct(Sym::Comma), _) => before = ty,
                (Raw::Ident, Some(Sym::Template)) => {
                    if let Some(end) = self.parameters_end(at + 1) {
                        is_template = true;
                        at = end;
                        continue;
                    }
                }
                (Raw::Ident, Some(Sym::Unsigned)) => before = Some(None),
                (Raw::Ident, Some(Sym::Struct | Sym::Class | Sym::Enum | Sym::Using)) => {
                    if let Some(name) = text.name(at + 1).filter(|_| text.name(at + 2).is_none()) {
                        let meaning = if is_template { Meaning::Template } else { Meaning::Type };
                        self.scopes.add_member(record, name, meaning, None);
                        at += 1;
                    }
                }
                (Raw::Ident, Some(_)) => {}
                (Raw::Ident, None) if is_modifier(&token.text) => before = here,
                (Raw::Ident, None) => {
                    before = Some(Some(token.text.as_str()));
                    const AFTER: &[Sym] =
                        &[Sym::Semi, Sym::Comma, Sym::Eq, Sym::LParen, Sym::LBracket, Sym::Colon, Sym::RBrace];
                    if let Some(own) = here
                        && text.is_any(at + 1, AFTER)
                    {
                        let meaning = if is_template { Meaning::Template } else { Meaning::Value };
                        self.scopes.add_member(record, &token.text, meaning, own);
                        ty = Some(own);
                        before = None;
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    fn enumeration(&mut self, index: usize) -> usize {
        let mut at = index + 1;
        let is_scoped = matches!(self.text.keyword(at), Some(Sym::Class | Sym::Struct));
        at += usize::from(is_scoped);
        let name = self.text.name(at);
        at += usize::from(name.is_some());
        if self.text.is(at, Sym::Colon) {
            at += 1;
            while self.text.name(at).is_some()
                || self.text.is_any(at, &[Sym::ColonColon])
                || self.text.keyword(at).is_some()
            {
                at += 1;
            }
        }
        let close = self.text.brackets.partner(at).filter(|close| self.text.is(at, Sym::LBrace) && *close > at);
        let Some(close) = close else { return index + 1 };
        if let Some(name) = name {
            self.scopes.declare(name, Meaning::Type, None);
        }
        self.tags.insert(close);
        let mut value = at + 1;
        while value < close {
            const AFTER: &[Sym] = &[Sym::Eq, Sym::Comma, Sym::RBrace];
            if let Some(value) = self.text.name(value).filter(|_| self.text.is_any(value + 1, AFTER)) {
                if let Some(name) = name {
                    self.scopes.add_member(name, value, Meaning::Value, None);
                }
                if !is_scoped {
                    self.scopes.declare(value, Meaning::Value, None);
                }
            }
            while value < close && !self.text.is(value, Sym::Comma) {
                let is_list = value > 0
                    && self.text.is(value, Sym::Lt)
                    && self.text.name(value - 1).is_some_and(|name| self.text.is_template(name));
                value = match is_list.then(|| self.arguments_end(value)).flatten() {
                    Some(end) => end,
                    None => self.text.brackets.after(value),
                };
            }
            value += 1;
        }
        at
    }

    fn namespace(&mut self, index: usize) -> usize {
        let is_inline = index.checked_sub(1).is_some_and(|before| self.text.raw[before].is_word("inline"));
        let mut at = index + 1;
        let mut names = Vec::new();
        while let Some(name) = self.text.name(at) {
            names.push(name);
            at += 1 + usize::from(self.text.is(at + 1, Sym::ColonColon));
        }
        let close = self.text.brackets.partner(at).filter(|close| self.text.is(at, Sym::LBrace) && *close > at);
        let Some(close) = close else { return index + 1 };
        if let Some(name) = names.last().filter(|_| is_inline) {
            self.scopes.use_namespace(name);
        }
        self.scopes.open_namespace(&names.join("::"), close + 1);
        self.shared.insert(at);
        at
    }

    fn using(&mut self, index: usize) -> usize {
        if self.text.is_keyword(index + 1, Sym::Namespace) {
            let mut at = index + 2;
            let mut last = None;
            while self.text.name(at).is_some() || self.text.is(at, Sym::ColonColon) {
                last = self.text.name(at).or(last);
                at += 1;
            }
            if let Some(name) = last {
                self.scopes.use_namespace(name);
            }
            return at;
        }
        let Some(name) = self.text.name(index + 1) else { return index + 1 };
        if self.text.is(index + 2, Sym::Eq) {
            let aliased = self.text.name(index + 3);
            self.scopes.declare(name, Meaning::Type, aliased);
            return index + 2;
        }
        // `using a::f;`
        let mut at = index + 1;
        while self.text.is(at + 1, Sym::ColonColon) && self.text.name(at + 2).is_some() {
            at += 2;
        }
        if at > index + 1
            && let Some(name) = self.text.name(at)
            && let Some(meaning) = self.meaning(at)
        {
            self.scopes.declare(name, meaning, None);
        }
        at + 1
    }
}
