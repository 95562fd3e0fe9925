//! The meanings of names in a text, recorded during its check, for editors.
//!
//! An ordinary check keeps none of it. An editor query checks a text again with a [`Sink`]. [`crate::types::cx::Cx`]
//! and the checker add a [`Note`] to it for each name that they resolve. Notes hold locations in items; `wgc_ide` turns
//! these into ranges of files.

use crate::db::Db;
use crate::db::def::{Def, FnId, Item, SourcePlace};
use crate::db::items::item_tree;
use crate::db::ty::{FnInst, RecordInst, Ty};
use std::cell::RefCell;
use wgc_frontend::ast::{self, ItemId, ItemKind, Span};

/// The meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub enum Symbol<'db> {
    /// For functions, any one of that name.
    Def(Def<'db>),
    /// The function that a call chose.
    Called(FnInst<'db>),
    /// A field of a record instance, with the location of its declaration.
    Field { place: SourcePlace<'db>, owner: RecordInst<'db>, ty: Ty<'db> },
    /// A variable or parameter of a function, with the location of its declaration.
    Local { place: SourcePlace<'db>, ty: Ty<'db>, is_param: bool },
    /// A template parameter, with the location of its declaration.
    TemplateParam(SourcePlace<'db>),
    /// The name of a constant buffer, which expressions cannot use.
    Buffer(SourcePlace<'db>),
    /// An attribute or a semantic, as its table spells it.
    Word(&'static str),
    /// A type; its declaration, if there is one, follows from the type.
    Type(Ty<'db>),
}

/// One name of a text, which is a single token.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Note<'db> {
    pub place: SourcePlace<'db>,
    pub symbol: Symbol<'db>,
    /// The name is declared here.
    pub declares: bool,
}

/// A call, complete or not.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct CallNote<'db> {
    /// The name of the callee.
    pub name: SourcePlace<'db>,
    /// The overload set; methods come with their record.
    pub candidates: Vec<(Option<RecordInst<'db>>, FnId<'db>)>,
    pub chosen: Option<FnInst<'db>>,
}

/// The notes about one text, in the order in which its names were resolved.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Notes<'db> {
    pub names: Vec<Note<'db>>,
    pub calls: Vec<CallNote<'db>>,
    /// Types that the text defines inside a function; their heads and methods have separate notes.
    pub local_types: Vec<Item<'db>>,
}

pub type Sink<'db> = RefCell<Notes<'db>>;

/// Adds a note to a sink, if there is one.
pub fn note<'db>(sink: Option<&Sink<'db>>, place: SourcePlace<'db>, symbol: Symbol<'db>) {
    add(sink, Note { place, symbol, declares: false });
}

pub fn add<'db>(sink: Option<&Sink<'db>>, note: Note<'db>) {
    if let Some(sink) = sink {
        sink.borrow_mut().names.push(note);
    }
}

/// Returns the declaration of a template parameter that is visible at a token of an item's head or body.
pub(crate) fn template_param<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    body: Option<u32>,
    at: u32,
    name: &str,
) -> Option<SourcePlace<'db>> {
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
    Some(SourcePlace::token(item, named.at))
}

/// Returns the name of a template parameter.
pub fn param_name(param: &ast::TemplateParam) -> &ast::Ident {
    match param {
        ast::TemplateParam::Type { name, .. } | ast::TemplateParam::Value { name, .. } => name,
    }
}
