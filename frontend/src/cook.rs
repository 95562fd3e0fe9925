//! Turns preprocessed raw tokens into tokens: keywords, modifiers, joined `>`. It also answers two questions that a
//! grammar without type names cannot: is this `<` a template bracket, and is this `(` a cast?
//!
//! HLSL has no pointers, so `a * b;` is never a declaration, and one token of lookahead separates declarations from
//! expressions. The two questions need the names of the whole unit (`names`), so cooking precedes slicing.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use crate::brackets::Brackets;
use crate::lex::{PpToken, Raw};
use crate::lookup::{Answer, Lookup};
use crate::names::{Names, angle_end, parameters_end, template_end};
use crate::preprocess::Origin;
use crate::token::{Sym, Token, TokenKind, is_contextual_modifier, is_modifier, is_soft_modifier};

#[derive(Debug, Default)]
pub(crate) struct Cooked {
    pub tokens: Vec<Token>,
    pub origins: Vec<Origin>,
    /// For each token, true if it is in column 0.
    pub margin: Vec<bool>,
    /// Index of the token's first raw token.
    pub raw_index: Vec<u32>,
    /// True if a name counted as a template because it was used as one before.
    pub uses_templates: bool,
}

impl Cooked {
    fn with_capacity(count: usize) -> Cooked {
        Cooked {
            tokens: Vec::with_capacity(count),
            origins: Vec::with_capacity(count),
            margin: Vec::with_capacity(count),
            raw_index: Vec::with_capacity(count),
            uses_templates: false,
        }
    }
}

/// Cooks raw tokens. `own` are the names that the tokens declare, `prelude` those known before them, `lookup` their
/// meanings in scope.
pub(crate) fn cook(raw: &[PpToken], brackets: &Brackets, own: &Names, prelude: &Names, lookup: &Lookup) -> Cooked {
    let mut cook = Cook {
        raw,
        brackets,
        own,
        prelude,
        lookup,
        closers: Vec::new(),
        forced: Vec::new(),
        casts: vec![false; raw.len()],
        used: FxHashSet::default(),
        out: Cooked::with_capacity(raw.len()),
    };
    let mut index = 0;
    while let Some(token) = raw.get(index) {
        let (kind, used) = cook.kind(index, token);
        let mut at = token.at;
        if let Some(last) = raw.get(index + used - 1) {
            at.place.hi = if used > 1 { last.at.place.hi } else { at.place.hi };
        }
        let text = match kind {
            TokenKind::Ident
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Str
            | TokenKind::Char
            | TokenKind::Modifier
            | TokenKind::Inferred => token.text.clone(),
            _ => Default::default(),
        };
        cook.out.tokens.push(Token { kind, line_start: token.line_start, text });
        cook.out.origins.push(at);
        cook.out.margin.push(token.margin);
        cook.out.raw_index.push(index as u32);
        index += used;
    }
    cook.out.uses_templates = !cook.used.is_empty();
    cook.out
}

struct Cook<'t> {
    raw: &'t [PpToken],
    brackets: &'t Brackets,
    own: &'t Names,
    prelude: &'t Names,
    lookup: &'t Lookup,
    /// Indexes of the `>` that end the open template lists, innermost last.
    closers: Vec<usize>,
    /// Indexes of `<` in casts, descending. They are template brackets regardless of the name.
    forced: Vec<usize>,
    /// By raw index, whether this `(` opens a cast.
    casts: Vec<bool>,
    /// Names that a declaration has used as templates, such as `N<1> x`.
    used: FxHashSet<CompactString>,
    out: Cooked,
}

impl Cook<'_> {
    fn is_type(&self, name: &str) -> bool {
        is_builtin_type(name) || self.own.is_type(name) || self.prelude.is_type(name)
    }

    fn is_template(&self, name: &str) -> bool {
        matches!(name, "vector" | "matrix")
            || CASTS.contains(&name)
            || self.own.is_template(name)
            || self.prelude.is_template(name)
    }

    /// Returns whether a template is a built-in function or method that the program does not redeclare.
    fn is_built_in_function(&self, name: &str) -> bool {
        self.prelude.is_template(name)
            && !self.prelude.is_type(name)
            && !self.own.is_template(name)
            && !CASTS.contains(&name)
    }

    /// Returns whether the token is a word other than a keyword or modifier.
    fn is_name(&self, index: usize) -> bool {
        self.raw.get(index).is_some_and(|token| {
            token.raw == Raw::Ident && Sym::keyword(&token.text).is_none() && !is_modifier(&token.text)
        })
    }

    /// Returns the index after the path that starts at `index`.
    fn path_end(&self, index: usize) -> Option<usize> {
        let mut at = index + usize::from(self.is_sym(index, Sym::ColonColon));
        while self.is_name(at) {
            at = angle_end(self.raw, self.brackets, at + 1).unwrap_or(at + 1);
            if !self.is_sym(at, Sym::ColonColon) {
                return Some(at);
            }
            at += 1;
        }
        None
    }

    fn is_sym(&self, index: usize, sym: Sym) -> bool {
        self.raw.get(index).is_some_and(|token| token.is(sym))
    }

    /// Returns the kind of the token at `index`, and the number of its raw tokens.
    fn kind(&mut self, index: usize, token: &PpToken) -> (TokenKind, usize) {
        let kind = match token.raw {
            Raw::Ident => self.word(index, token),
            Raw::Int => TokenKind::Int,
            Raw::Float => TokenKind::Float,
            Raw::Str => TokenKind::Str,
            Raw::Char => TokenKind::Char,
            Raw::Punct(Sym::Lt) => match self.template_end(index) {
                Some(end) => {
                    self.closers.push(end - 1);
                    TokenKind::TemplateOpen
                }
                None => TokenKind::Sym(Sym::Lt),
            },
            Raw::Punct(Sym::Gt) if self.closers.last() == Some(&index) => {
                self.closers.pop();
                TokenKind::TemplateClose
            }
            Raw::Punct(Sym::Gt) => return self.greater(index),
            Raw::Punct(Sym::LParen) if self.opens_cast(index) => {
                if let Some(cast) = self.casts.get_mut(index) {
                    *cast = true;
                }
                TokenKind::CastOpen
            }
            Raw::Punct(sym) => TokenKind::Sym(sym),
            // The preprocessor emits no other token.
            _ => TokenKind::Ident,
        };
        (kind, 1)
    }

    fn word(&self, index: usize, token: &PpToken) -> TokenKind {
        let word = token.text.as_str();
        let follows = |sym: Sym| self.out.tokens.last().is_some_and(|last| last.is(sym));
        match Sym::keyword(word) {
            Some(Sym::Import) => {
                let begins = self.out.tokens.is_empty() || follows(Sym::Semi) || follows(Sym::RBrace);
                return if begins && self.is_name(index + 1) { TokenKind::Sym(Sym::Import) } else { TokenKind::Ident };
            }
            Some(sym @ (Sym::Struct | Sym::Class | Sym::Interface | Sym::Enum)) => {
                // `struct S x`: the keyword adds nothing to the name.
                let elaborated = self.path_end(index + 1).is_some_and(|after| {
                    self.is_name(after)
                        || sym != Sym::Class
                            && [Sym::Gt, Sym::RParen, Sym::Comma].into_iter().any(|end| self.is_sym(after, end))
                });
                return if elaborated { TokenKind::Modifier } else { TokenKind::Sym(sym) };
            }
            // Without a following integer type it is a type itself.
            Some(Sym::Unsigned) if !self.raw.get(index + 1).is_some_and(|next| is_builtin_type(&next.text)) => {
                return TokenKind::Ident;
            }
            Some(sym) => return TokenKind::Sym(sym),
            None => {}
        }
        if is_modifier(word) {
            // `float4 precise;`: newer words are also names if no type can follow.
            let named = is_soft_modifier(word)
                && self.raw.get(index + 1).is_none_or(
                    |next| matches!(next.raw, Raw::Punct(sym) if !matches!(sym, Sym::LBracket | Sym::ColonColon)),
                );
            return if named { TokenKind::Ident } else { TokenKind::Modifier };
        }
        if is_contextual_modifier(word) {
            let type_follows = self.raw.get(index + 1).is_some_and(|next| next.raw == Raw::Ident)
                && self
                    .raw
                    .get(index + 2)
                    .is_some_and(|next| next.raw == Raw::Ident || next.is(Sym::Lt) || next.is(Sym::ColonColon));
            return if type_follows { TokenKind::Modifier } else { TokenKind::Ident };
        }
        let inferred = matches!(word, "let" | "var" | "auto")
            && self.is_name(index + 1)
            && !self.is_type(word)
            && !follows(Sym::Dot)
            && !follows(Sym::ColonColon);
        if inferred { TokenKind::Inferred } else { TokenKind::Ident }
    }

    /// Returns `>`, `>=`, `>>` or `>>=` from touching pieces, unless a template list ends in one of them.
    fn greater(&self, index: usize) -> (TokenKind, usize) {
        let touching = |offset: usize, sym: Sym| {
            self.raw.get(index + offset).is_some_and(|next| {
                next.is(sym)
                    && !next.space
                    && !next.line_start
                    && next.at.expansion == self.raw[index].at.expansion
                    && self.closers.last() != Some(&(index + offset))
            })
        };
        let (sym, used) = if touching(1, Sym::Gt) {
            if touching(2, Sym::Eq) { (Sym::ShrEq, 3) } else { (Sym::Shr, 2) }
        } else if touching(1, Sym::Eq) {
            (Sym::GtEq, 2)
        } else {
            (Sym::Gt, 1)
        };
        (TokenKind::Sym(sym), used)
    }

    /// Returns the index after the `>`, if the `<` at `index` is a template bracket.
    fn template_end(&mut self, index: usize) -> Option<usize> {
        let forced = self.forced.last() == Some(&index);
        if forced {
            self.forced.pop();
        }
        let (before, last) = match self.out.tokens.as_slice() {
            [.., before, last] => (Some(before), last),
            [last] => (None, last),
            [] => return None,
        };
        let named = match last.kind {
            TokenKind::Sym(Sym::Template) => {
                return match self.lookup.answer(index) {
                    Some(Answer::Arguments(end)) => Some(end),
                    _ => parameters_end(self.raw, self.brackets, index),
                };
            }
            TokenKind::Ident if let Some(answer) = self.lookup.answer(index).filter(|_| !forced) => {
                return match answer {
                    Answer::Arguments(end) => Some(end),
                    Answer::Value => None,
                };
            }
            TokenKind::Ident => self.is_template(&last.text) || before.is_some_and(|token| token.is(Sym::Template)),
            _ => return None,
        };
        if named && self.is_built_in_function(&last.text) {
            // Such a template can only be called, and a variable may have its name.
            return angle_end(self.raw, self.brackets, index).filter(|end| self.is_sym(*end, Sym::LParen));
        }
        if named && let Some(end) = template_end(self.raw, self.brackets, index) {
            return Some(end);
        }
        let end = angle_end(self.raw, self.brackets, index)?;
        // All names in `vk` are functions or templates. A name that was once used as a template stays one.
        let in_vk =
            matches!(self.out.tokens.as_slice(), [.., vk, colons, _] if vk.text == "vk" && colons.is(Sym::ColonColon));
        if named || forced || in_vk || self.used.contains(&last.text) {
            return Some(end);
        }
        let next = self.raw.get(end)?;
        let yes = match next.raw {
            // `a < b > c` compares a bool with c, which nobody writes. But `x = a < b, c > d` is two values.
            Raw::Ident if !is_modifier(&next.text) && !self.after_operator() => {
                self.used.insert(last.text.clone());
                true
            }
            Raw::Punct(Sym::LParen) => before.is_some_and(|token| token.is(Sym::Dot)),
            // No token that could continue after an operator.
            Raw::Punct(
                Sym::Semi | Sym::Comma | Sym::RParen | Sym::LBrace | Sym::RBrace | Sym::RBracket | Sym::ColonColon,
            ) => true,
            Raw::Punct(Sym::Gt) => self.closers.last() == Some(&end),
            _ => false,
        };
        yes.then_some(end)
    }

    /// Returns whether the path at the end of the output follows a token that requires an operand.
    fn after_operator(&self) -> bool {
        let mut names = self.out.tokens.as_slice();
        while let [rest @ .., before, _] = names
            && before.is(Sym::ColonColon)
        {
            names = rest;
        }
        let Some((_, [.., before])) = names.split_last() else { return false };
        matches!(
            before.kind,
            TokenKind::Sym(
                Sym::Eq
                    | Sym::PlusEq
                    | Sym::MinusEq
                    | Sym::StarEq
                    | Sym::SlashEq
                    | Sym::PercentEq
                    | Sym::AmpEq
                    | Sym::PipeEq
                    | Sym::CaretEq
                    | Sym::ShlEq
                    | Sym::ShrEq
                    | Sym::Plus
                    | Sym::Minus
                    | Sym::Star
                    | Sym::Slash
                    | Sym::Percent
                    | Sym::Amp
                    | Sym::AmpAmp
                    | Sym::Pipe
                    | Sym::PipePipe
                    | Sym::Caret
                    | Sym::EqEq
                    | Sym::NotEq
                    | Sym::Lt
                    | Sym::Gt
                    | Sym::LtEq
                    | Sym::GtEq
                    | Sym::Question
                    | Sym::Return
                    | Sym::Case
            )
        )
    }

    /// Returns whether `(` opens a cast: a type with dimensions, `)`, then the start of an operand.
    fn opens_cast(&mut self, index: usize) -> bool {
        if !self.operand_expected(index) {
            return false;
        }
        let Some(close) = self.brackets.partner(index) else { return false };
        let mut at = index + 1;
        while self.raw.get(at).is_some_and(|token| {
            token.raw == Raw::Ident
                && (is_modifier(&token.text) || matches!(token.text.as_str(), "unsigned" | "struct" | "typename"))
        }) {
            at += 1;
        }
        let mut angles = Vec::new();
        let mut name = at;
        if at == close && self.raw.get(at - 1).is_some_and(|last| last.is_word("unsigned")) {
            name = at - 1;
        } else if self.is_name(at) {
            at += 1;
        } else {
            return false;
        }
        loop {
            if self.is_sym(at, Sym::ColonColon) {
                if !self.is_name(at + 1) {
                    return false;
                }
                name = at + 1;
                at += 2;
            } else if self.is_sym(at, Sym::Lt) {
                let Some(end) = angle_end(self.raw, self.brackets, at) else { return false };
                angles.push(at);
                at = end;
            } else if self.is_sym(at, Sym::LBracket) {
                at = self.brackets.after(at);
            } else {
                break;
            }
            if at > close {
                return false;
            }
        }
        if at != close {
            return false;
        }
        let Some(next) = self.raw.get(close + 1) else { return false };
        let yes = match next.raw {
            Raw::Ident => {
                Sym::keyword(&next.text).is_none_or(|sym| matches!(sym, Sym::True | Sym::False | Sym::Sizeof))
            }
            Raw::Int | Raw::Float | Raw::Char | Raw::Punct(Sym::Bang | Sym::Tilde | Sym::ColonColon) => true,
            Raw::Punct(Sym::LParen | Sym::Plus | Sym::Minus | Sym::PlusPlus | Sym::MinusMinus) => {
                self.raw.get(name).is_some_and(|token| self.is_type(&token.text))
                    && self.lookup.answer(index) != Some(Answer::Value)
            }
            _ => false,
        };
        if yes {
            angles.reverse();
            self.forced = angles;
        }
        yes
    }

    /// Returns whether an operand is expected at `index`.
    fn operand_expected(&self, index: usize) -> bool {
        let Some(last) = self.out.tokens.last() else { return true };
        match last.kind {
            TokenKind::Ident
            | TokenKind::TemplateClose
            | TokenKind::Int
            | TokenKind::Float
            | TokenKind::Str
            | TokenKind::Char => false,
            TokenKind::Sym(
                Sym::RBracket | Sym::If | Sym::While | Sym::For | Sym::Switch | Sym::Sizeof | Sym::Operator,
            ) => false,
            // An operand may follow a cast or the head of a control statement, but no other parentheses.
            TokenKind::Sym(Sym::RParen) => {
                let Some(open) = index.checked_sub(1).and_then(|close| self.brackets.partner(close)) else {
                    return false;
                };
                let before = open.checked_sub(1).and_then(|before| self.raw.get(before));
                self.casts.get(open) == Some(&true)
                    || before.is_some_and(|token| {
                        token.raw == Raw::Ident && matches!(token.text.as_str(), "if" | "while" | "for" | "switch")
                    })
            }
            _ => true,
        }
    }
}

/// C++ casts, which the parser reports.
pub(crate) const CASTS: &[&str] = &["static_cast", "const_cast", "dynamic_cast", "reinterpret_cast"];

/// Returns whether the name is a scalar, or the short name of a vector or matrix.
pub fn is_builtin_type(name: &str) -> bool {
    const SCALARS: &[&str] = &[
        "bool",
        "int",
        "uint",
        "float",
        "half",
        "double",
        "dword",
        "min16float",
        "min10float",
        "min16int",
        "min12int",
        "min16uint",
        "int16_t",
        "uint16_t",
        "int32_t",
        "uint32_t",
        "int64_t",
        "uint64_t",
        "float16_t",
        "float32_t",
        "float64_t",
        "int8_t4_packed",
        "uint8_t4_packed",
    ];
    const OTHERS: &[&str] = &["void", "vector", "matrix", "string", "unsigned"];
    if SCALARS.contains(&name) || OTHERS.contains(&name) {
        return true;
    }
    let size = |c: char| ('1'..='4').contains(&c);
    let Some(row) = name.strip_suffix(size) else { return false };
    let matrix = row.strip_suffix('x').and_then(|rest| rest.strip_suffix(size));
    SCALARS.contains(&row) || matrix.is_some_and(|scalar| SCALARS.contains(&scalar))
}
