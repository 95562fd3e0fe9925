//! Finds the ends of scopes and template argument lists by brackets.

use super::{Meaning, Text, Walk};
use crate::lex::Raw;
use crate::names::{List, end_of_angle, follows_value};
use crate::token::Sym;

/// The maximum number of tokens between the parameters of a function and its body. Brackets count as one.
const LONGEST_HEAD: usize = 64;
/// The maximum number of nested statements without braces.
const NESTED: usize = 64;

impl Text<'_> {
    /// Returns the index after the function whose parameters end at `close`.
    pub(super) fn function_end(&self, close: usize) -> usize {
        let mut index = close + 1;
        for _ in 0..LONGEST_HEAD {
            match self.raw.get(index).map(|token| token.raw) {
                Some(Raw::Punct(Sym::LBrace)) => return self.brackets.after(index),
                Some(Raw::Punct(Sym::LParen | Sym::LBracket)) => index = self.brackets.after(index),
                Some(Raw::Ident | Raw::Punct(Sym::Colon) | Raw::Int) => index += 1,
                _ => break,
            }
        }
        close + 1
    }

    /// Returns the index after the declaration that continues at `index`: after its first braces, or its `;`.
    pub(super) fn item_end(&self, mut index: usize) -> usize {
        while let Some(token) = self.raw.get(index) {
            match token.raw {
                Raw::Punct(Sym::LBrace) => return self.brackets.after(index),
                Raw::Punct(Sym::Semi | Sym::RBrace) => return index + 1,
                Raw::Punct(Sym::LParen | Sym::LBracket) => index = self.brackets.after(index),
                _ => index += 1,
            }
        }
        index
    }

    /// Returns the index after the statement at `index`, including its `else`.
    pub(super) fn statement_end(&self, mut index: usize) -> usize {
        for _ in 0..NESTED {
            while self.is(index, Sym::LBracket) {
                index = self.brackets.after(index);
            }
            match self.keyword(index) {
                Some(Sym::If | Sym::For | Sym::While | Sym::Switch) if self.is(index + 1, Sym::LParen) => {
                    index = self.brackets.after(index + 1);
                    continue;
                }
                Some(Sym::Do | Sym::Else) => {
                    index += 1;
                    continue;
                }
                _ => {}
            }
            index = if self.is(index, Sym::LBrace) { self.brackets.after(index) } else { self.item_end(index) };
            if !self.is_keyword(index, Sym::Else) {
                break;
            }
        }
        index
    }
}

impl Walk<'_> {
    /// Returns the index after the `>` of the template arguments that start at `index`. A `<` in them that compares
    /// opens nothing: `Box<a < 3>` has one argument.
    pub(super) fn arguments_end(&mut self, index: usize) -> Option<usize> {
        self.list_end(index, List::Arguments)
    }

    pub(super) fn parameters_end(&mut self, index: usize) -> Option<usize> {
        self.list_end(index, List::Parameters)
    }

    fn list_end(&mut self, index: usize, list: List) -> Option<usize> {
        let mut names = Vec::new();
        let compares = |at: usize| {
            let Some(before) = at.checked_sub(1).filter(|_| at > index) else { return false };
            match self.text.raw[before].raw {
                Raw::Ident => {
                    let is_value = self.meaning(before) == Some(Meaning::Value);
                    if is_value {
                        names.push(self.text.raw[before].text.clone());
                    }
                    is_value
                }
                _ => follows_value(self.text.raw, at),
            }
        };
        let end = end_of_angle(self.text.raw, self.text.brackets, index, list, compares);
        self.sensitive.extend(names);
        end
    }
}
