//! Types that functions define.
//!
//! Each is an [`Item`] of its own, cut out of the body, so that records, enums, methods, layouts and names of functions
//! work as everywhere. What it sees of the function is part of its identity ([`Around`]): an instance of a template
//! has types of its own, and an edit elsewhere in the body leaves them as they were.

use crate::db::Db;
use crate::db::def::Around;
use crate::db::def::{EnumId, Item, Place, RecordId};
use crate::db::items::{body_tree, item_tree, own_item};
use crate::db::reuse::Piece;
use crate::db::ty::{RecordInst, Ty, TyKind};
use wgc_frontend::ast::{Ast, Span, TypeId, TypeKind};
use wgc_frontend::parse::LOCAL_DEPTH;
use wgc_frontend::slice::ItemSlice;

fn is_definition(ast: &Ast, ty: TypeId) -> bool {
    match &ast.types[ty].kind {
        TypeKind::Record(record) => record.members.is_some(),
        TypeKind::Enum(_) => true,
        _ => false,
    }
}

/// The number of a type among those that a body defines.
pub(crate) fn ordinal(ast: &Ast, ty: TypeId) -> u32 {
    ast.types.iter().take_while(|(id, _)| *id != ty).filter(|(id, _)| is_definition(ast, *id)).count() as u32
}

/// Functions around the item, each inside the one before it.
fn depth<'db>(db: &'db dyn Db, item: Item<'db>) -> usize {
    std::iter::successors(item.around(db), |around| around.outer(db).around(db)).count()
}

/// Whether a type defined in this item's functions would be in too many of them.
pub(crate) fn is_too_deep<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    depth(db, item) >= LOCAL_DEPTH
}

/// The tokens of the type, cut as those of an item; origins count tokens of the body around it.
fn slice<'db>(db: &'db dyn Db, around: Around<'db>) -> Option<ItemSlice> {
    let (outer, body) = (around.outer(db), around.body(db));
    let tree = body_tree(db, outer, body)?;
    let mut types = tree.ast.types.iter().filter(|(id, _)| is_definition(&tree.ast, *id));
    let span = types.nth(around.nth(db) as usize)?.1.span;
    let tokens = outer.bodies(db).get(body as usize)?.tokens(db);
    wgc_frontend::slice_local(tokens, span.lo as usize..span.hi as usize)
}

/// The item that a type of a function is.
#[salsa::tracked(returns(copy))]
pub(crate) fn local_item<'db>(db: &'db dyn Db, around: Around<'db>) -> Option<Item<'db>> {
    let outer = around.outer(db);
    let (program, scope, row_major) =
        (outer.program(db), crate::types::definition::home(db, outer).to_string(), outer.row_major(db));
    let slice = slice(db, around)?;
    Some(own_item(db, program, Some(around), Piece::new(scope, around.nth(db), row_major, slice)))
}

/// The type that such an item defines.
pub(crate) fn type_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Ty<'db>> {
    let decls = &item_tree(db, item).decls;
    let kind = match (decls.records.is_empty(), decls.enums.is_empty()) {
        (false, _) => TyKind::Record(RecordInst::new(db, RecordId { item, index: 0 }, Vec::new())),
        (true, false) => TyKind::Enum(EnumId { item, index: 0, owner: None }),
        (true, true) => return None,
    };
    Some(Ty::new(db, kind))
}

/// Where the head or a body of such an item stands in the body around it: that body, and for each token the token there.
pub(crate) fn in_outer<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<(Item<'db>, u32, Vec<u32>)> {
    let around = item.around(db)?;
    let mut slice = slice(db, around)?;
    let tokens = match body {
        None => slice.head_origins,
        Some(n) => std::mem::take(&mut slice.bodies.get_mut(n as usize)?.origins),
    };
    Some((around.outer(db), around.body(db), tokens))
}

/// As [`in_outer`], for a body of an item of the program, however many functions lie between.
pub(crate) fn in_body<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<(Item<'db>, u32, Vec<u32>)> {
    let (mut outer, mut body, mut tokens) = in_outer(db, item, body)?;
    while let Some((next, n, origins)) = in_outer(db, outer, Some(body)) {
        tokens = tokens.iter().filter_map(|token| origins.get(*token as usize).copied()).collect();
        (outer, body) = (next, n);
    }
    Some((outer, body, tokens))
}

/// The same place in an item of the program.
pub fn in_program<'db>(db: &'db dyn Db, mut place: Place<'db>) -> Place<'db> {
    while let Some((item, body, tokens)) = in_outer(db, place.item, place.body) {
        let token = |at: u32| tokens.get(at as usize).or(tokens.last()).copied().unwrap_or(0);
        let Span { lo, hi } = place.span;
        let span = match hi.checked_sub(1) {
            Some(last) if lo < hi => Span { lo: token(lo), hi: token(last) + 1 },
            // Behind the token before it.
            Some(before) => Span { lo: token(before) + 1, hi: token(before) + 1 },
            None => Span { lo: token(0), hi: token(0) },
        };
        place = Place { item, body: Some(body), span };
    }
    place
}
