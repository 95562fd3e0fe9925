//! The texts of a program's items as inputs. An edit in one body leaves queries about all other items valid.
//!
//! When a file changes, salsa must revisit all queries that read it, and all queries that read those. So files are
//! cut outside the queries after every change ([`crate::Compiler`] does it). Heads of items are durable inputs,
//! because most facts about a program depend on them. Each body is a separate input, durable until its first edit:
//! further edits are likely in the same body, and then queries about other bodies are not revisited. An input is set
//! only if its tokens differ from before.

use crate::db::Program;
use crate::db::items::Tokens;
use crate::db::reuse::{Piece, Slices};
use crate::tables::collections::IndexMap;
use rustc_hash::FxHashMap;
use salsa::{Durability, Setter};
use std::sync::{Arc, Mutex, PoisonError};

/// The items of a program, in the order of the text.
#[salsa::input]
pub(crate) struct ProgramText {
    #[returns(ref)]
    pub items: Vec<ItemText>,
}

/// An item but for the tokens of its bodies.
#[salsa::input]
pub(crate) struct ItemText {
    #[returns(ref)]
    pub key: Key,
    #[returns(copy)]
    pub row_major: bool,
    #[returns(ref)]
    pub head: Tokens,
    #[returns(ref)]
    pub bodies: Vec<BodyTokens>,
}

#[salsa::input(debug)]
pub struct BodyTokens {
    #[returns(ref)]
    pub tokens: Tokens,
}

/// The stable identity of an item, independent of its text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub scope: String,
    pub name: String,
    pub nth: u32,
}

impl Key {
    fn of(piece: &Piece) -> Key {
        Key { scope: piece.scope.clone(), name: piece.name.clone(), nth: piece.nth }
    }
}

/// The texts of all programs, and the slices that they come from.
#[derive(Default)]
pub struct Texts {
    of: Mutex<IndexMap<Program, (ProgramText, Arc<Slices>)>>,
}

impl Texts {
    /// Returns the text of a program; `None` if it was never settled.
    pub(crate) fn of(&self, program: Program) -> Option<ProgramText> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).get(&program).map(|(text, _)| *text)
    }

    pub(crate) fn programs(&self) -> Vec<Program> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
    }

    pub(crate) fn forget(&self, program: Program) {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).shift_remove(&program);
    }

    fn slices(&self, program: Program) -> Option<(ProgramText, Arc<Slices>)> {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).get(&program).cloned()
    }

    fn keep(&self, program: Program, text: ProgramText, slices: Arc<Slices>) {
        self.of.lock().unwrap_or_else(PoisonError::into_inner).insert(program, (text, slices));
    }
}

/// Updates the inputs to a program's current slices.
pub(crate) fn settle(db: &mut dyn salsa::Database, texts: &Texts, program: Program, slices: Arc<Slices>) {
    let Some((text, before)) = texts.slices(program) else {
        let items = slices.pieces.iter().map(|piece| new_item(db, piece)).collect();
        let text = ProgramText::builder(items).durability(Durability::MEDIUM).new(db);
        texts.keep(program, text, slices);
        return;
    };
    if Arc::ptr_eq(&before, &slices) {
        return;
    }
    let is_same = |(old, new): (&Arc<Piece>, &Arc<Piece>)| Arc::ptr_eq(old, new) || old.is_called(new);
    let known = text.items(db).clone();
    if before.pieces.len() == slices.pieces.len() && before.pieces.iter().zip(&slices.pieces).all(is_same) {
        let pieces = before.pieces.iter().zip(&slices.pieces).zip(&known);
        for ((_, piece), item) in pieces.filter(|((old, new), _)| !Arc::ptr_eq(old, new)) {
            update(db, *item, piece);
        }
    } else {
        let mut by_key: FxHashMap<Key, ItemText> = known.iter().map(|item| (item.key(db).clone(), *item)).collect();
        let mut items = Vec::with_capacity(slices.pieces.len());
        for piece in &slices.pieces {
            items.push(match by_key.remove(&Key::of(piece)) {
                Some(item) => {
                    update(db, item, piece);
                    item
                }
                None => new_item(db, piece),
            });
        }
        if items != known {
            text.set_items(db).to(items);
        }
    }
    texts.keep(program, text, slices);
}

fn new_item(db: &dyn salsa::Database, piece: &Piece) -> ItemText {
    let bodies = piece.bodies.iter().map(|tokens| new_body(db, tokens)).collect();
    let (key, head) = (Key::of(piece), piece.head.clone());
    ItemText::builder(key, piece.row_major, head, bodies).durability(Durability::MEDIUM).new(db)
}

fn new_body(db: &dyn salsa::Database, tokens: &Tokens) -> BodyTokens {
    BodyTokens::builder(tokens.clone()).durability(Durability::MEDIUM).new(db)
}

fn update(db: &mut dyn salsa::Database, item: ItemText, piece: &Piece) {
    if item.row_major(db) != piece.row_major {
        item.set_row_major(db).to(piece.row_major);
    }
    if *item.head(db) != piece.head {
        item.set_head(db).to(piece.head.clone());
    }
    let bodies = item.bodies(db).clone();
    for (body, tokens) in bodies.iter().zip(&piece.bodies) {
        if body.tokens(db) != tokens {
            // More edits will follow in an edited body.
            body.set_tokens(db).with_durability(Durability::LOW).to(tokens.clone());
        }
    }
    if bodies.len() != piece.bodies.len() {
        let kept = bodies.iter().copied().take(piece.bodies.len());
        let new = piece.bodies.iter().skip(bodies.len()).map(|tokens| new_body(db, tokens));
        let bodies = kept.chain(new).collect();
        item.set_bodies(db).to(bodies);
    }
}
