//! The built-in declarations as items, each read when a name leads to it.
//!
//! [`wgc_stdlib::index`] says where the declarations of a name are. Each of them becomes an item like those of a
//! program's files, alone, so that a program pays for what it names. [`crate::db::items::items`] of the prelude is all of
//! them, for tests and for tools that list them.

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

/// Names of types and templates that it declares, for the cooking of programs.
#[salsa::tracked(returns(ref))]
pub(crate) fn template_names(_db: &dyn Db, _prelude: Program) -> Names {
    Names::known(TYPES, TEMPLATES)
}

/// All declarations, in the order of the text.
pub(crate) fn items<'db>(db: &'db dyn Db, prelude: Program) -> Vec<Item<'db>> {
    (0..PIECES.len() as u32).filter_map(|piece| piece_item(db, prelude, piece)).collect()
}

/// The item of a piece; `None` when there is no declaration in its text, which a test excludes.
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

/// Where the tokens of an item of the prelude stand.
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
