//! Types that functions define.
//!
//! Each is a separate [`Item`], cut out of the body. So records, enums, methods, layouts and names of functions work
//! like at global scope. The names that it uses from the function are part of its identity ([`LocalTypeContext`]). Each
//! instance of a template has its own types, and an edit elsewhere in the body leaves them unchanged.

use crate::db::Db;
use crate::db::def::LocalTypeContext;
use crate::db::def::{EnumId, Item, RecordId, SourcePlace};
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

/// Returns the index of a type among those that a body defines.
pub(crate) fn ordinal(ast: &Ast, ty: TypeId) -> u32 {
    ast.types.iter().take_while(|(id, _)| *id != ty).filter(|(id, _)| is_definition(ast, *id)).count() as u32
}

/// Returns the number of nested functions around the item.
fn depth<'db>(db: &'db dyn Db, item: Item<'db>) -> usize {
    std::iter::successors(item.around(db), |around| around.outer(db).around(db)).count()
}

/// Returns whether a type in this item's functions would exceed the nesting limit.
pub(crate) fn is_too_deep<'db>(db: &'db dyn Db, item: Item<'db>) -> bool {
    depth(db, item) >= LOCAL_DEPTH
}

/// Cuts the tokens of the type like those of an item; origins index tokens of the enclosing body.
fn slice<'db>(db: &'db dyn Db, around: LocalTypeContext<'db>) -> Option<ItemSlice> {
    let (outer, body) = (around.outer(db), around.body(db));
    let tree = body_tree(db, outer, body)?;
    let mut types = tree.ast.types.iter().filter(|(id, _)| is_definition(&tree.ast, *id));
    let span = types.nth(around.nth(db) as usize)?.1.span;
    let tokens = outer.bodies(db).get(body as usize)?.tokens(db);
    wgc_frontend::slice_local(tokens, span.lo as usize..span.hi as usize)
}

/// Returns the item of a type that a function defines.
#[salsa::tracked(returns(copy))]
pub(crate) fn local_item<'db>(db: &'db dyn Db, around: LocalTypeContext<'db>) -> Option<Item<'db>> {
    let outer = around.outer(db);
    let (program, scope, row_major) =
        (outer.program(db), crate::types::definition::home(db, outer).to_string(), outer.row_major(db));
    let slice = slice(db, around)?;
    Some(own_item(db, program, Some(around), Piece::new(scope, around.nth(db), row_major, slice)))
}

/// Returns the type that such an item defines.
pub(crate) fn type_of<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<Ty<'db>> {
    let decls = &item_tree(db, item).decls;
    let kind = match (decls.records.is_empty(), decls.enums.is_empty()) {
        (false, _) => TyKind::Record(RecordInst::new(db, RecordId { item, index: 0 }, Vec::new())),
        (true, false) => TyKind::Enum(EnumId { item, index: 0, owner: None }),
        (true, true) => return None,
    };
    Some(Ty::new(db, kind))
}

/// Returns the enclosing body of such an item, and for each token of its head or body the token there.
pub(crate) fn in_outer<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<(Item<'db>, u32, Vec<u32>)> {
    let around = item.around(db)?;
    let mut slice = slice(db, around)?;
    let tokens = match body {
        None => slice.head_origins,
        Some(n) => std::mem::take(&mut slice.bodies.get_mut(n as usize)?.origins),
    };
    Some((around.outer(db), around.body(db), tokens))
}

/// Like [`in_outer`], returns a body of an item of the program, through any number of enclosing functions.
pub(crate) fn in_body<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<(Item<'db>, u32, Vec<u32>)> {
    let (mut outer, mut body, mut tokens) = in_outer(db, item, body)?;
    while let Some((next, n, origins)) = in_outer(db, outer, Some(body)) {
        tokens = tokens.iter().filter_map(|token| origins.get(*token as usize).copied()).collect();
        (outer, body) = (next, n);
    }
    Some((outer, body, tokens))
}

/// Converts a location to one in an item of the program.
pub fn in_program<'db>(db: &'db dyn Db, mut place: SourcePlace<'db>) -> SourcePlace<'db> {
    while let Some((item, body, tokens)) = in_outer(db, place.item, place.body) {
        let token = |at: u32| tokens.get(at as usize).or(tokens.last()).copied().unwrap_or(0);
        let Span { lo, hi } = place.span;
        let span = match hi.checked_sub(1) {
            Some(last) if lo < hi => Span { lo: token(lo), hi: token(last) + 1 },
            // After the previous token.
            Some(before) => Span { lo: token(before) + 1, hi: token(before) + 1 },
            None => Span { lo: token(0), hi: token(0) },
        };
        place = SourcePlace { item, body: Some(body), span };
    }
    place
}
