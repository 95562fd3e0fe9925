//! Opens namespaces, and makes names of inline ones visible in the enclosing scope. `sema` resolves the names.

use compact_str::CompactString;

use super::{Cut, ItemSlice, Slicer, symbol};
use crate::diagnostic::{Error, ErrorCode};
use crate::token::{Sym, Token, TokenKind};

/// The maximum nesting of namespaces, which limits the length of full names.
const NESTED: usize = 256;

/// An open namespace.
pub(super) struct Scope {
    /// `namespace A::B` opens two names at the same time.
    pub(super) names: Vec<CompactString>,
    /// Index of its `{`.
    pub(super) brace: usize,
    /// Number of items before it.
    items_before: usize,
    /// `inline namespace V`: its names become visible in the enclosing scope once it has an item.
    inline: bool,
}

impl Slicer<'_> {
    /// Opens `namespace A::B {`, or `inline namespace A {`. Returns the index after the `{`.
    pub(super) fn namespace(&mut self, start: usize) -> Option<usize> {
        let inline =
            self.tokens.get(start).is_some_and(|token| token.kind == TokenKind::Modifier && token.text == "inline");
        let mut index = start + usize::from(inline);
        if self.sym(index) != Some(Sym::Namespace) {
            return None;
        }
        index += 1;
        let mut names = Vec::new();
        while let Some(token) = self.tokens.get(index).filter(|token| token.kind == TokenKind::Ident) {
            names.push(token.text.clone());
            index += 1;
            if self.sym(index) == Some(Sym::ColonColon) {
                index += 1;
            }
        }
        if self.sym(index) != Some(Sym::LBrace) || inline && names.len() > 1 {
            return None;
        }
        // The names of an unnamed namespace are visible around it anyway.
        let inline = inline && !names.is_empty();
        if names.is_empty() {
            names.push(CompactString::default());
        }
        if self.scopes.iter().map(|scope| scope.names.len()).sum::<usize>() + names.len() > NESTED {
            let message = format!("namespaces nest more than {NESTED} levels deep");
            self.errors.push(Error::new(ErrorCode::NestingTooDeep, message, self.unit.origins[start]));
            return Some(self.brackets.partner(index).map_or(self.tokens.len(), |close| close + 1));
        }
        self.scopes.push(Scope { names, brace: index, items_before: self.items.len(), inline });
        Some(index + 1)
    }

    /// Closes the innermost namespace. Returns whether there is one. An empty one gets an empty item, because `sema`
    /// knows namespaces by their items.
    pub(super) fn close_namespace(&mut self) -> bool {
        let Some(scope) = self.scopes.last() else { return false };
        if self.items.len() == scope.items_before {
            let cut = Cut { head: vec![symbol(Sym::Semi)], origins: vec![scope.brace as u32], bodies: Vec::new() };
            self.push_item(CompactString::default(), cut);
        }
        self.scopes.pop();
        true
    }

    /// Adds `using namespace V;` before the first item of each enclosing inline namespace, because items are in text
    /// order.
    pub(super) fn use_inline_namespaces(&mut self) {
        for depth in 0..self.scopes.len() {
            let Some(scope) = self.scopes.get_mut(depth) else { continue };
            if !std::mem::take(&mut scope.inline) {
                continue;
            }
            let brace = scope.brace as u32;
            let name = scope.names.first().cloned().unwrap_or_default();
            let ident = Token { kind: TokenKind::Ident, line_start: false, text: name.clone() };
            let head = vec![symbol(Sym::Using), symbol(Sym::Namespace), ident, symbol(Sym::Semi)];
            // Its location is that of `inline namespace V {`.
            let head_origins = [3, 2, 1, 1].map(|back| brace.saturating_sub(back)).to_vec();
            let scope = names(self.scopes.get(..depth).unwrap_or_default());
            self.items.push(ItemSlice { scope, name, head, head_origins, bodies: Vec::new() });
        }
    }
}

/// Returns the names of namespaces, outermost first.
pub(super) fn names(scopes: &[Scope]) -> Vec<CompactString> {
    scopes.iter().flat_map(|scope| scope.names.iter().cloned()).collect()
}
