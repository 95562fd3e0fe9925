//! `precise` without effect: on types that do not declare a value.

use crate::db::Db;
use crate::db::def::{Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::item_tree;
use crate::tables::codes::Code;
use wgc_frontend::ast::{Ast, ItemKind, Span, TypeId};

/// Returns the location of the modifier in a type.
pub(crate) fn word(ast: &Ast, ty: TypeId) -> Option<Span> {
    let word = ast.types[ty].modifiers.iter().find(|m| m.text == "precise")?;
    Some(Span { lo: word.at, hi: word.at + 1 })
}

/// Formats the message, for a cast, an alias or the definition of a type.
pub(crate) fn message(what: &str) -> String {
    format!("`precise` has no effect on {what}")
}

/// Reports a useless `precise` in the head of an item.
pub(crate) fn of_item<'db>(db: &'db dyn Db, item: Item<'db>, out: &mut Vec<Diagnostic<'db>>) {
    let ast = &item_tree(db, item).ast;
    for (_, one) in ast.items.iter() {
        let (ty, what) = match &one.kind {
            ItemKind::Typedef { ty, .. } | ItemKind::Using { ty, .. } => (*ty, "an alias"),
            ItemKind::Type(ty) => (*ty, "a type"),
            _ => continue,
        };
        if let Some(span) = word(ast, ty) {
            out.push(Diagnostic::new(Code::UselessPrecise, SourcePlace::head(item, span), message(what)));
        }
    }
}
