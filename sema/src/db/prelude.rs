//! The built-in declarations as items, each parsed when a name refers to it.
//!
//! [`wgc_stdlib::index`] locates the declarations of a name. Each becomes a separate item, like the items of a
//! program's files. So a program pays only for the names that it uses. For tests and tools,
//! [`crate::db::items::items`] of the prelude returns all of them.

use crate::db::def::Item;
use crate::db::items::{Origins, ProgramUnit, own_item};
use crate::db::reuse::Piece;
use crate::db::{Db, Program};
use std::sync::Arc;
use wgc_frontend::Names;
use wgc_frontend::diagnostic::FileId;
use wgc_frontend::preprocess::Unit;
use wgc_frontend::slice::ItemSlice;
use wgc_stdlib::index::{PIECES, TEMPLATES, TYPES, declaring};

/// Returns the names of its types and templates; programs need them to classify tokens.
#[salsa::tracked(returns(ref))]
pub(crate) fn template_names(_db: &dyn Db, _prelude: Program) -> Names {
    Names::known(TYPES, TEMPLATES)
}

/// Returns all declarations, in the order of the text.
pub(crate) fn items<'db>(db: &'db dyn Db, prelude: Program) -> Vec<Item<'db>> {
    (0..PIECES.len() as u32).filter_map(|piece| piece_item(db, prelude, piece)).collect()
}

/// Returns the item of a piece. `None` if its text has no declaration, which a test excludes.
#[salsa::tracked(returns(copy))]
pub(crate) fn piece_item<'db>(db: &'db dyn Db, prelude: Program, piece: u32) -> Option<Item<'db>> {
    let (_, slice) = cut(db, prelude, piece)?;
    let at = PIECES.get(piece as usize)?;
    Some(own_item(db, prelude, None, Piece::new(at.scope.to_string(), at.nth, false, slice)))
}

fn cut(db: &dyn Db, prelude: Program, piece: u32) -> Option<(Unit, ItemSlice)> {
    let piece = PIECES.get(piece as usize)?;
    let names = template_names(db, prelude);
    let unit = wgc_frontend::part(FileId(piece.file), piece.lo, piece.text().as_bytes(), names);
    let slice = wgc_frontend::slice(&unit).0.into_iter().next()?;
    Some((unit, slice))
}

/// Returns the origins of the tokens of a prelude item.
pub(crate) fn origins<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<(&'db ProgramUnit, &'db Origins)> {
    let mut same = declaring(item.scope(db), item.name(db)).iter();
    let piece = same.find(|piece| PIECES[**piece as usize].nth == item.nth(db))?;
    let (unit, origins) = piece_origins(db, item.program(db), *piece).as_ref()?;
    Some((unit, origins))
}

#[salsa::tracked(returns(ref), no_eq)]
fn piece_origins(db: &dyn Db, prelude: Program, piece: u32) -> Option<(ProgramUnit, Origins)> {
    let (unit, mut slice) = cut(db, prelude, piece)?;
    Some((
        ProgramUnit { unit: Arc::new(unit), files: prelude.roots(db).clone(), change: None },
        Origins::take(&mut slice),
    ))
}
