//! Edited parts of a unit: decides if their tokens can be read without another walk over the unit.

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use super::Text;
use crate::brackets::Brackets;
use crate::lex::{PpToken, Raw};
use crate::names::Names;
use crate::token::{Sym, is_modifier};

/// Returns the number of tokens of a part with a question about a name. Returns `None` if an answer, here or elsewhere
/// in the unit, may depend on declarations in or around the part.
pub(crate) fn asks_of_edit(
    raw: &[PpToken],
    brackets: &Brackets,
    own: &Names,
    prelude: &Names,
    sensitive: &FxHashSet<CompactString>,
) -> Option<u32> {
    let text = Text { raw, brackets, own, prelude };
    let mut asks = 0;
    for (index, token) in raw.iter().enumerate() {
        if let Some(name) = text.asks(index) {
            if text.is(index, Sym::Lt) && !text.has_plain_arguments(index, name) {
                return None;
            }
            asks += 1;
        }
        if token.raw == Raw::Ident && (sensitive.contains(&token.text) || text.may_hide(index)) {
            return None;
        }
    }
    Some(asks)
}

impl Text<'_> {
    /// Returns whether the name before a `<` is a template unless a declaration hides it.
    fn has_plain_arguments(&self, index: usize, name: &str) -> bool {
        let follows = |sym: Sym| index.checked_sub(2).is_some_and(|before| self.is(before, sym));
        let in_vk = follows(Sym::ColonColon) && index >= 3 && self.raw[index - 3].is_word("vk");
        self.is_template(name) || self.prelude.is_template(name) && (follows(Sym::Dot) || in_vk)
    }

    /// Returns whether the name at `index` is that of a type or template, and the tokens around it may declare a value.
    fn may_hide(&self, index: usize) -> bool {
        let Some(name) = self.name(index) else { return false };
        let is_member = self.prelude.is_template(name) && !self.prelude.is_type(name);
        if !(self.is_type(name) || self.own.is_template(name) || is_member) {
            return false;
        }
        let before = index.checked_sub(1).and_then(|before| self.raw.get(before));
        let follows_type = before.is_some_and(|token| match token.raw {
            Raw::Ident => Sym::keyword(&token.text).is_none() || is_modifier(&token.text),
            Raw::Punct(sym) => matches!(sym, Sym::Gt | Sym::RBrace),
            _ => false,
        });
        let is_listed = before.is_some_and(|token| token.is(Sym::Comma)) && !is_member
            || before.is_none_or(|token| token.is(Sym::LBrace));
        const AFTER: &[Sym] =
            &[Sym::Semi, Sym::Comma, Sym::Eq, Sym::RParen, Sym::LBracket, Sym::Colon, Sym::LBrace, Sym::RBrace];
        let ends = index + 1 >= self.raw.len() || self.is_any(index + 1, AFTER);
        (follows_type && (ends || self.is(index + 1, Sym::LParen))) || is_listed && ends
    }
}
