//! The names that a unit declares as types and as templates. They come from one scan over its tokens, before cooking,
//! without scopes. They do not replace lookup in `sema`. `cook` uses them for `<` and `(` if [`crate::lookup`], which
//! knows scopes, has no answer.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use crate::brackets::Brackets;
use crate::lex::{PpToken, Raw};
use crate::token::{Sym, is_modifier};

/// Names that are declared as types and as templates anywhere.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    types: FxHashSet<CompactString>,
    templates: FxHashSet<CompactString>,
}

/// Returns whether a word may start the declaration of a name collected here.
pub(crate) fn may_declare_a_type(word: &str) -> bool {
    matches!(
        word,
        "struct" | "class" | "enum" | "interface" | "typename" | "using" | "namespace" | "typedef" | "template"
    )
}

impl Names {
    /// Creates a set of names whose declarations need not be read.
    pub fn known<'n>(types: impl IntoIterator<Item = &'n str>, templates: impl IntoIterator<Item = &'n str>) -> Names {
        let set = |names: &mut dyn Iterator<Item = &'n str>| names.map(CompactString::from).collect();
        Names { types: set(&mut types.into_iter()), templates: set(&mut templates.into_iter()) }
    }

    pub fn is_type(&self, name: &str) -> bool {
        self.types.contains(name)
    }

    pub fn is_template(&self, name: &str) -> bool {
        self.templates.contains(name)
    }

    pub(crate) fn of_tokens(tokens: &[PpToken], brackets: &Brackets) -> Names {
        let mut names = Names::default();
        for (index, token) in tokens.iter().enumerate() {
            if token.raw != Raw::Ident {
                continue;
            }
            match token.text.as_str() {
                "struct" | "class" | "enum" | "interface" | "typename" | "using" => {
                    names.tagged(tokens, brackets, index + 1)
                }
                "typedef" => names.typedef(tokens, brackets, index + 1),
                "template" => names.template(tokens, brackets, index + 1),
                _ => {}
            }
        }
        names
    }

    fn tagged(&mut self, tokens: &[PpToken], brackets: &Brackets, mut at: usize) {
        while tokens.get(at).is_some_and(|token| token.is(Sym::LBracket)) {
            at = brackets.after(at);
        }
        if tokens.get(at).is_some_and(|token| token.is_word("class")) {
            at += 1;
        }
        if let Some(name) = tokens.get(at).filter(|token| token.raw == Raw::Ident && token.text != "namespace") {
            self.types.insert(name.text.clone());
        }
    }

    fn typedef(&mut self, tokens: &[PpToken], brackets: &Brackets, mut at: usize) {
        let mut name = None;
        while let Some(token) = tokens.get(at) {
            match token.raw {
                Raw::Punct(Sym::Semi | Sym::RBrace) => break,
                Raw::Punct(Sym::LBracket | Sym::LBrace | Sym::LParen) => {
                    at = brackets.after(at);
                    continue;
                }
                // Its commas do not separate names.
                Raw::Punct(Sym::Lt) if let Some(end) = template_end(tokens, brackets, at) => {
                    at = end;
                    continue;
                }
                Raw::Punct(Sym::Comma) => self.types.extend(name.take().map(|name: &PpToken| name.text.clone())),
                Raw::Ident if token.text == "typedef" => break,
                Raw::Ident => name = Some(token),
                _ => {}
            }
            at += 1;
        }
        if let Some(name) = name {
            self.types.insert(name.text.clone());
        }
    }

    /// Reads `template <..> struct N`, `template <..> T n(..)` or `template <..> using N = ..`; `at` is the `<`.
    fn template(&mut self, tokens: &[PpToken], brackets: &Brackets, at: usize) {
        let Some(mut at) = parameters_end(tokens, brackets, at) else { return };
        let mut name = None;
        while let Some(token) = tokens.get(at) {
            match token.raw {
                Raw::Punct(Sym::LBracket) => {
                    at = brackets.after(at);
                    continue;
                }
                // Arguments of an explicit specialisation, or of the return type.
                Raw::Punct(Sym::Lt) => {
                    if let Some(end) = template_end(tokens, brackets, at) {
                        at = end;
                        continue;
                    }
                }
                Raw::Ident if token.text == "template" => return,
                Raw::Ident if matches!(token.text.as_str(), "struct" | "class" | "using") => {
                    if let Some(tag) = tokens.get(at + 1).filter(|next| next.raw == Raw::Ident) {
                        self.types.insert(tag.text.clone());
                        self.templates.insert(tag.text.clone());
                        return;
                    }
                }
                Raw::Ident if !is_modifier(&token.text) => name = Some(token),
                Raw::Punct(Sym::LParen | Sym::Semi | Sym::LBrace | Sym::Eq | Sym::RBrace) => break,
                _ => {}
            }
            at += 1;
        }
        if let Some(name) = name {
            self.templates.insert(name.text.clone());
        }
    }
}

/// The maximum number of tokens of a template argument list. Longer sequences are not lists, so a file of `<` takes
/// linear time.
const LONGEST: usize = 1024;

/// Returns the index after the `>` that ends the `<` at `at`, if the tokens between can be template arguments.
/// `a < b || c > d` is read as two comparisons.
pub(crate) fn angle_end(tokens: &[PpToken], brackets: &Brackets, at: usize) -> Option<usize> {
    end_of_angle(tokens, brackets, at, List::Guessed, |_| false)
}

/// Returns the index after the arguments of a known template: `X<A || B>`.
pub(crate) fn template_end(tokens: &[PpToken], brackets: &Brackets, at: usize) -> Option<usize> {
    end_of_angle(tokens, brackets, at, List::Arguments, |index| index > at && follows_value(tokens, index))
}

/// Returns the index after the parameters following `template`, which may have defaults.
pub(crate) fn parameters_end(tokens: &[PpToken], brackets: &Brackets, at: usize) -> Option<usize> {
    end_of_angle(tokens, brackets, at, List::Parameters, |index| index > at && follows_value(tokens, index))
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum List {
    Parameters,
    Arguments,
    Guessed,
}

/// Returns whether the previous token ends an operand other than a name.
pub(crate) fn follows_value(tokens: &[PpToken], index: usize) -> bool {
    let before = index.checked_sub(1).and_then(|before| tokens.get(before));
    before.is_some_and(|token| {
        matches!(token.raw, Raw::Int | Raw::Float | Raw::Char | Raw::Punct(Sym::RParen | Sym::RBracket))
    })
}

/// Returns the index after a list. `compares` returns whether a `<` opens no list.
pub(crate) fn end_of_angle(
    tokens: &[PpToken],
    brackets: &Brackets,
    at: usize,
    list: List,
    mut compares: impl FnMut(usize) -> bool,
) -> Option<usize> {
    if !tokens.get(at)?.is(Sym::Lt) {
        return None;
    }
    let mut depth = 0usize;
    let mut index = at;
    for _ in 0..LONGEST {
        let token = tokens.get(index)?;
        match token.raw {
            Raw::Punct(Sym::Lt) if !compares(index) => depth += 1,
            Raw::Punct(Sym::Gt) => {
                depth -= 1;
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            Raw::Punct(Sym::LParen | Sym::LBracket) => {
                index = brackets.after(index);
                continue;
            }
            Raw::Punct(Sym::AmpAmp | Sym::PipePipe | Sym::Question) if list != List::Guessed => {}
            Raw::Punct(Sym::Eq) if list != List::Parameters => return None,
            Raw::Punct(
                Sym::Semi
                | Sym::LBrace
                | Sym::RBrace
                | Sym::RParen
                | Sym::RBracket
                | Sym::AmpAmp
                | Sym::PipePipe
                | Sym::Question
                | Sym::PlusEq
                | Sym::MinusEq
                | Sym::PlusPlus
                | Sym::MinusMinus,
            )
            | Raw::Str => return None,
            _ => {}
        }
        index += 1;
    }
    None
}
