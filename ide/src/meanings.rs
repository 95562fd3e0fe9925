//! Names that denote different symbols in the instances of a template, or in the programs that read a file.
//!
//! A rename of only one of these symbols cannot keep the meaning of such a name.

use super::symbols::{SymbolId, symbol_id};
use super::texts::{self, TextId, function_with, spelled};
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_frontend::token::{Token, TokenKind};
use wgc_sema::check::body_notes;
use wgc_sema::db::def::Def;
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::ty::FnInst;
use wgc_sema::db::{Db, Program};
use wgc_sema::types::name_uses::{Notes, Symbol};

/// The symbols that a name was found to denote.
#[derive(Default)]
struct Meanings {
    /// One of the given symbols.
    of_ids: bool,
    /// Another symbol.
    of_others: bool,
}

/// Returns the first name that denotes one of these symbols, and in another instance or program another symbol. A call
/// in a template without instances may denote each of its overloads.
pub fn ambiguous(db: &dyn Db, parts: &[Program], ids: &[SymbolId]) -> Option<FileRange> {
    // A local symbol has its meaning in all instances.
    let ids: FxHashSet<&SymbolId> = ids.iter().filter(|id| !id.is_local).collect();
    let names: FxHashSet<&str> = ids.iter().map(|id| id.name.as_str()).collect();
    let mut found: FxHashMap<FileRange, Meanings> = FxHashMap::default();
    for part in parts {
        for text in texts::texts(db, *part) {
            let is_word = |token: &Token| token.kind == TokenKind::Ident && names.contains(&*token.text);
            if !text.tokens(db).iter().any(is_word) {
                continue;
            }
            for (at, symbol) in meanings(db, *part, text, &is_word) {
                let (Some(id), Some(spelled)) = (symbol_id(db, &symbol), spelled(db, text.token(at))) else { continue };
                let meanings = found.entry(spelled.range).or_default();
                let is_one = ids.contains(&id);
                meanings.of_ids |= is_one;
                meanings.of_others |= !is_one;
            }
        }
    }
    found.into_iter().filter(|(_, meanings)| meanings.of_ids && meanings.of_others).map(|(range, _)| range).min()
}

/// Returns the tokens of a text with one of these words, each with its symbol in each instance.
fn meanings<'db>(
    db: &'db dyn Db,
    part: Program,
    text: TextId<'db>,
    is_word: &impl Fn(&Token) -> bool,
) -> Vec<(u32, Symbol<'db>)> {
    let tokens = text.tokens(db);
    let word_at = |place| {
        let place = wgc_sema::types::local_types::in_program(db, place);
        let is_here = TextId::of(place) == text && tokens.get(place.span.lo as usize).is_some_and(is_word);
        is_here.then_some(place.span.lo)
    };
    let mut out = Vec::new();
    for notes in of_instances(db, part, text) {
        // The last of several notes is the most precise.
        let mut last: FxHashMap<u32, &Symbol<'db>> = FxHashMap::default();
        let names = notes.iter().flat_map(|notes| &notes.names);
        for note in names {
            if let Some(at) = word_at(note.place) {
                last.insert(at, &note.symbol);
            }
        }
        out.extend(last.into_iter().map(|(at, symbol)| (at, symbol.clone())));
        for call in notes.iter().flat_map(|notes| &notes.calls).filter(|call| call.chosen.is_none()) {
            if let Some(at) = word_at(call.name) {
                let candidates = call.candidates.iter().map(|(_, f)| Symbol::Def(Def::Function(*f)));
                out.extend(candidates.map(|candidate| (at, candidate)));
            }
        }
    }
    out
}

/// Returns the notes of each instance of a text in a program. Without instances, and for heads, they are those of the
/// stand-in.
fn of_instances<'db>(db: &'db dyn Db, part: Program, text: TextId<'db>) -> Vec<Vec<&'db Notes<'db>>> {
    let function = text.body.and_then(|body| function_with(db, text.item, body));
    let is_of = |inst: &&FnInst<'db>| Some(wgc_sema::types::definition::function(db, **inst).function) == function;
    let instances = wgc_sema::report::diagnostics::program_instances(db, part).iter().filter(is_of);
    let found: Vec<_> = instances.map(|inst| texts::with_local_types(db, vec![body_notes(db, *inst)])).collect();
    if found.is_empty() { vec![texts::notes(db, part, text)] } else { found }
}
