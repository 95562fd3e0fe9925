//! What the names of a text stand for, noted while it is checked: what editors ask for.
//!
//! Checking itself keeps none of it. Whoever wants to know checks a text once more with a [`Sink`], into which
//! [`crate::types::cx::Cx`] and the checker put a [`Note`] for each name that they resolve. Notes hold places in items, which
//! `wgc_ide` turns into ranges of files.

use crate::db::Db;
use crate::db::def::{Def, FnId, Item, Place};
use crate::db::items::item_tree;
use crate::db::ty::{FnInst, RecordInst, Ty};
use std::cell::RefCell;
use wgc_frontend::ast::{self, ItemId, ItemKind, Span};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub enum Symbol<'db> {
    /// Of functions, any of those that have the name.
    Def(Def<'db>),
    /// The function that a call chose.
    Called(FnInst<'db>),
    /// A field, where it is declared; of a record instance.
    Field { place: Place<'db>, owner: RecordInst<'db>, ty: Ty<'db> },
    /// A variable or parameter of a function, where it is declared.
    Local { place: Place<'db>, ty: Ty<'db>, is_param: bool },
    /// A parameter of a template, where it is declared.
    TemplateParam(Place<'db>),
    /// The name of a constant buffer, which names nothing but itself.
    Buffer(Place<'db>),
    /// An attribute or a semantic, as its table spells it.
    Word(&'static str),
    /// A type that has no name of its own in any text, or whose declaration it tells.
    Type(Ty<'db>),
}

/// One name of a text, which is one token of it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Note<'db> {
    pub place: Place<'db>,
    pub symbol: Symbol<'db>,
    /// It is declared here.
    pub declares: bool,
}

/// A call, finished or not.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct CallNote<'db> {
    /// The name of what is called.
    pub name: Place<'db>,
    /// What the call chooses from; methods come with their record.
    pub candidates: Vec<(Option<RecordInst<'db>>, FnId<'db>)>,
    pub chosen: Option<FnInst<'db>>,
}

/// The notes about one text, in the order in which its names were resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Notes<'db> {
    pub names: Vec<Note<'db>>,
    pub calls: Vec<CallNote<'db>>,
    /// Types that the text defines inside a function, whose heads and methods have notes of their own.
    pub local_types: Vec<Item<'db>>,
}

pub type Sink<'db> = RefCell<Notes<'db>>;

/// Puts a note into a sink, if there is one.
pub fn note<'db>(sink: Option<&Sink<'db>>, place: Place<'db>, symbol: Symbol<'db>) {
    add(sink, Note { place, symbol, declares: false });
}

pub fn add<'db>(sink: Option<&Sink<'db>>, note: Note<'db>) {
    if let Some(sink) = sink {
        sink.borrow_mut().names.push(note);
    }
}

/// Where the template parameter of a name is declared that is known at a token of an item's head or body.
pub(crate) fn template_param<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    body: Option<u32>,
    at: u32,
    name: &str,
) -> Option<Place<'db>> {
    let tree = item_tree(db, item);
    let templates: Vec<ItemId> = match body {
        Some(n) => {
            let has_body = |f: &&crate::tables::decls::FnDecl| matches!(&tree.ast.items[f.item].kind, ItemKind::Function(function) if function.body == ast::Body::Sliced(n));
            tree.decls.templates(&tree.decls.functions.iter().find(has_body)?.around)
        }
        None => {
            let around = |id: &ItemId| {
                let Span { lo, hi } = tree.ast.items[*id].span;
                matches!(tree.ast.items[*id].kind, ItemKind::Template { .. }) && (lo..=hi).contains(&at)
            };
            let mut all: Vec<ItemId> = tree.ast.items.iter().map(|(id, _)| id).filter(around).collect();
            all.sort_by_key(|id| tree.ast.items[*id].span.lo);
            all
        }
    };
    let named = templates.iter().rev().find_map(|id| {
        let ItemKind::Template { params, .. } = &tree.ast.items[*id].kind else { return None };
        params.iter().map(param_name).find(|ident| ident.text == name)
    })?;
    Some(Place::token(item, named.at))
}

/// The name of a template parameter.
pub fn param_name(param: &ast::TemplateParam) -> &ast::Ident {
    match param {
        ast::TemplateParam::Type { name, .. } | ast::TemplateParam::Value { name, .. } => name,
    }
}
