//! Conversion from bytes of a file to tokens of items and back: the location of a name, and the notes about it.
//!
//! A token's location is that of its text. For a token from a macro, this is the macro's definition, or the argument of
//! a call. A token that a macro combined from several, or that no file contains, is located at the macro's use.

use super::heads::{head_notes, stand_in, stand_in_record};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use wgc_frontend::ast::{Body, Span};
use wgc_frontend::token::{Token, TokenKind};
use wgc_sema::check::body_notes;
use wgc_sema::db::def::{Def, FnId, Item, Name, RecordId, SourcePlace};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::{fn_node, item_origins, item_tree, items, origins, unit};
use wgc_sema::db::ty::FnInst;
use wgc_sema::db::{Db, Program};
use wgc_sema::report::diagnostics::range;
use wgc_sema::types::instantiation::plain_function;
use wgc_sema::types::name_uses::{CallNote, Note, Notes};
use wgc_sema::types::names;
use wgc_sema::types::signature::template_params;

/// The location of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Spelled {
    pub range: FileRange,
    /// The file contains the token's text there.
    pub exact: bool,
}

/// The text that contains a token: the head of an item, or one of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TextId<'db> {
    pub item: Item<'db>,
    pub body: Option<u32>,
}

impl<'db> TextId<'db> {
    pub fn of(place: SourcePlace<'db>) -> TextId<'db> {
        TextId { item: place.item, body: place.body }
    }

    pub fn token(self, at: u32) -> SourcePlace<'db> {
        SourcePlace { item: self.item, body: self.body, span: Span { lo: at, hi: at + 1 } }
    }

    pub fn tokens(self, db: &'db dyn Db) -> &'db [Token] {
        match self.body {
            None => self.item.head(db).as_slice(),
            Some(n) => self.item.bodies(db).get(n as usize).map_or(&[][..], |body| body.tokens(db).as_slice()),
        }
    }

    /// Returns the unit indexes of the tokens.
    pub fn origins(self, db: &'db dyn Db) -> &'db [u32] {
        let Some((_, origins)) = origins(db, self.item) else { return &[] };
        match self.body {
            None => origins.head.as_slice(),
            Some(n) => origins.bodies.get(n as usize).map_or(&[][..], Vec::as_slice),
        }
    }
}

/// Returns all texts of a translation unit.
pub(super) fn texts<'db>(db: &'db dyn Db, part: Program) -> impl Iterator<Item = TextId<'db>> {
    items(db, part).iter().flat_map(move |item| {
        let bodies = (0..item.bodies(db).len() as u32).map(Some);
        std::iter::once(None).chain(bodies).map(|body| TextId { item: *item, body })
    })
}

/// Returns the location of a token; `None` if it has none.
pub(super) fn spelled<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<Spelled> {
    let place = wgc_sema::types::local_types::in_program(db, place);
    let (whole, _) = origins(db, place.item)?;
    let text = TextId::of(place);
    let at = place.span.lo as usize;
    let token = *text.origins(db).get(at)?;
    let origin = *whole.unit.origins.get(token as usize)?;
    let file = whole.files.get(origin.place.file.0 as usize)?;
    let bytes = file.text(db);
    let written = bytes.get(origin.place.lo as usize..origin.place.hi as usize);
    if written.is_some_and(|written| written == text.tokens(db).get(at).map_or("", Token::spelling).as_bytes()) {
        let range = FileRange::new(Arc::from(file.path(db)), origin.place.lo, origin.place.hi);
        return Some(Spelled { range, exact: true });
    }
    Some(Spelled { range: FileRange { named: None, ..range(db, whole, origin) }, exact: false })
}

/// Returns the names at a byte of a file, as tokens of texts. There are several if a file is read several times, or if
/// a macro repeats them. A name that continues after the byte has priority over one that ends there.
pub(super) fn names_at<'db>(db: &'db dyn Db, part: Program, path: &str, at: u32) -> Vec<SourcePlace<'db>> {
    let whole = unit(db, part);
    let Some(file) = whole.files.iter().position(|file| file.path(db) == path) else { return Vec::new() };
    let is_here = |(index, origin): (usize, &wgc_frontend::preprocess::Origin)| {
        let place = origin.place;
        let is_name = whole.unit.tokens.get(index).is_some_and(|token| token.kind == TokenKind::Ident);
        (is_name && place.file.0 as usize == file && (place.lo..=place.hi).contains(&at))
            .then_some((index, place.hi > at))
    };
    let mut found: Vec<(usize, bool)> = whole.unit.origins.iter().enumerate().filter_map(is_here).collect();
    if found.iter().any(|(_, goes_on)| *goes_on) {
        found.retain(|(_, goes_on)| *goes_on);
    }
    found.into_iter().filter_map(|(token, _)| place_of(db, part, token as u32)).collect()
}

/// Returns the location in an item of a token of the unit.
pub(super) fn place_of<'db>(db: &'db dyn Db, part: Program, token: u32) -> Option<SourcePlace<'db>> {
    let all = &item_origins(db, part).0;
    // Items are in the order of the text.
    let behind = all.partition_point(|origins| origins.head.first().is_some_and(|first| *first <= token));
    let number = behind.checked_sub(1)?;
    let (item, origins) = (*items(db, part).get(number)?, all.get(number)?);
    let texts = origins.bodies.iter().zip(0..).map(|(body, n)| (Some(n), body));
    std::iter::once((None, &origins.head)).chain(texts).find_map(|(body, origins)| {
        let at = origins.binary_search(&token).ok()?;
        Some(TextId { item, body }.token(at as u32))
    })
}

/// Returns the items that have a token in a range: several if a file is read several times.
pub(super) fn items_at<'db>(db: &'db dyn Db, part: Program, range: &FileRange) -> Vec<Item<'db>> {
    let whole = unit(db, part);
    let Some(file) = whole.files.iter().position(|file| file.path(db) == &*range.file) else { return Vec::new() };
    let touches = |origin: &wgc_frontend::preprocess::Origin| {
        // A token that a macro combined is identified by the macro's use.
        let place = whole.unit.place(*origin);
        place.file.0 as usize == file && place.lo < range.hi && range.lo < place.hi
            || origin.place.file.0 as usize == file && origin.place.lo == range.lo
    };
    let tokens = whole.unit.origins.iter().zip(0_u32..).filter(|(origin, _)| touches(origin)).map(|(_, n)| n);
    let mut out: Vec<Item<'db>> = tokens.filter_map(|token| Some(place_of(db, part, token)?.item)).collect();
    out.dedup();
    out
}

/// Returns whether a byte of a file is in the head of an item, or in none. Functions, outputs and attributes are named
/// there.
pub(super) fn in_head(db: &dyn Db, part: Program, path: &str, at: u32) -> bool {
    let whole = unit(db, part);
    let Some(file) = whole.files.iter().position(|file| file.path(db) == path) else { return false };
    let covers = |origin: &wgc_frontend::preprocess::Origin| {
        origin.place.file.0 as usize == file && (origin.place.lo..=origin.place.hi).contains(&at)
    };
    let mut here =
        whole.unit.origins.iter().zip(0_u32..).filter(|(origin, _)| covers(origin)).map(|(_, n)| n).peekable();
    // A macro used here may have produced a head.
    here.peek().is_none() || here.any(|token| place_of(db, part, token).is_none_or(|place| place.body.is_none()))
}

/// Returns all notes about a text, the best ones last.
pub(super) fn notes<'db>(db: &'db dyn Db, program: Program, text: TextId<'db>) -> Vec<&'db Notes<'db>> {
    let mut out = Vec::new();
    match text.body {
        None => out.push(head_notes(db, text.item)),
        Some(n) => out.extend(instances(db, program, text.item, n).into_iter().map(|inst| body_notes(db, inst))),
    }
    with_local_types(db, out)
}

/// Adds the notes about types that these texts define inside functions.
pub(super) fn with_local_types<'db>(db: &'db dyn Db, mut out: Vec<&'db Notes<'db>>) -> Vec<&'db Notes<'db>> {
    // The list grows during the loop: such a type may contain functions with types.
    let mut next = 0;
    while let Some(notes) = out.get(next).copied() {
        next += 1;
        for item in &notes.local_types {
            out.push(head_notes(db, *item));
            let methods =
                (0..item_tree(db, *item).decls.functions.len() as u32).map(|index| FnId { item: *item, index });
            out.extend(methods.filter_map(|f| plain_function(db, f)).map(|inst| body_notes(db, inst)));
        }
    }
    out
}

/// Returns locations with their notes. A macro may create hundreds at one location of a file.
pub(super) fn with_notes<'db>(
    db: &'db dyn Db,
    program: Program,
    places: &[SourcePlace<'db>],
) -> Vec<(SourcePlace<'db>, &'db Note<'db>)> {
    let mut by_text: FxHashMap<TextId<'db>, Vec<u32>> = FxHashMap::default();
    for place in places {
        by_text.entry(TextId::of(*place)).or_default().push(place.span.lo);
    }
    let mut known: FxHashMap<SourcePlace<'db>, &'db Note<'db>> = FxHashMap::default();
    for (text, mut tokens) in by_text {
        tokens.sort_unstable();
        let found = tokens.iter().zip(notes_at(db, program, text, &tokens));
        known.extend(found.filter_map(|(at, note)| Some((text.token(*at), note?))));
    }
    places.iter().filter_map(|place| Some((*place, *known.get(place)?))).collect()
}

/// Returns the note about a token.
pub(super) fn note_at<'db>(db: &'db dyn Db, program: Program, at: SourcePlace<'db>) -> Option<&'db Note<'db>> {
    notes_at(db, program, TextId::of(at), &[at.span.lo]).into_iter().next().flatten()
}

/// Returns the notes about tokens of a text, which must be in its order.
pub(super) fn notes_at<'db>(
    db: &'db dyn Db,
    program: Program,
    text: TextId<'db>,
    tokens: &[u32],
) -> Vec<Option<&'db Note<'db>>> {
    let mut out = vec![None; tokens.len()];
    for note in notes(db, program, text).into_iter().flat_map(|notes| &notes.names) {
        let is_inside = TextId::of(note.place) != text;
        let place = if is_inside { wgc_sema::types::local_types::in_program(db, note.place) } else { note.place };
        if is_inside && TextId::of(place) != text {
            continue;
        }
        // The last of several notes is the most precise.
        if let Ok(n) = tokens.binary_search(&place.span.lo) {
            out[n] = Some(note);
        }
    }
    out
}

/// Returns the calls of a text, each with the location of its name in the program.
pub(super) fn calls<'db>(
    db: &'db dyn Db,
    program: Program,
    text: TextId<'db>,
) -> Vec<(SourcePlace<'db>, &'db CallNote<'db>)> {
    let all = notes(db, program, text).into_iter().flat_map(|notes| &notes.calls);
    all.map(|call| (wgc_sema::types::local_types::in_program(db, call.name), call)).collect()
}

/// Returns the function of an item with a body, by the body's number.
pub(super) fn function_with<'db>(db: &'db dyn Db, item: Item<'db>, body: u32) -> Option<FnId<'db>> {
    let ids = (0..item_tree(db, item).decls.functions.len() as u32).map(|index| FnId { item, index });
    let has_body = |f: &FnId<'db>| fn_node(db, *f).is_some_and(|node| node.function.body == Body::Sliced(body));
    ids.into_iter().find(has_body)
}

/// Returns instances of the function with a body: the stand-in, and an instance of the program if that adds
/// information.
pub(super) fn instances<'db>(db: &'db dyn Db, program: Program, item: Item<'db>, body: u32) -> Vec<FnInst<'db>> {
    let Some(f) = function_with(db, item, body) else { return Vec::new() };
    let is_of = |inst: &FnInst<'db>| wgc_sema::types::definition::function(db, *inst).function == f;
    // A member defined outside its record is found through the member.
    let named = [f, primary(db, f)];
    if let Some(plain) = named.into_iter().filter_map(|f| plain_function(db, f)).find(is_of) {
        return vec![plain];
    }
    let mut out: Vec<FnInst<'db>> = named.into_iter().map(|f| generic(db, f)).find(is_of).into_iter().collect();
    out.extend(wgc_sema::report::diagnostics::program_instances(db, program).iter().find(|inst| is_of(inst)).copied());
    out
}

/// Returns a stand-in instance, which is valid for all template arguments.
pub(super) fn generic<'db>(db: &'db dyn Db, f: FnId<'db>) -> FnInst<'db> {
    let owner = fn_node(db, f).and_then(|node| node.decl.around.owner).map(|index| {
        let record = RecordId { item: f.item, index };
        stand_in_record(db, record)
    });
    FnInst::new(db, f, owner, stand_in(db, template_params(db, f)))
}

/// Returns the declaration that represents a function: the first in its scope, the one in its record, or that of the
/// template that it specialises.
pub(super) fn primary<'db>(db: &'db dyn Db, f: FnId<'db>) -> FnId<'db> {
    let Some(node) = fn_node(db, f) else { return f };
    if wgc_sema::types::name_table::declares(&node) {
        return names::declarations(db, f).first().copied().unwrap_or(f);
    }
    let mut candidates = wgc_sema::types::definition::methods_like(db, f);
    if candidates.is_empty() {
        let scope = Name::new(db, wgc_sema::types::definition::home(db, f.item).to_string());
        let name = Name::new(db, node.function.name.text.to_string());
        let found = names::lookup_in(db, f.item.program(db), scope, name).iter();
        candidates.extend(found.filter_map(|def| if let Def::Function(f) = def { Some(*f) } else { None }));
        candidates
            .retain(|c| fn_node(db, *c).is_some_and(|other| other.function.params.len() == node.function.params.len()));
    }
    let defines = |c: &FnId<'db>| wgc_sema::types::definition::function(db, generic(db, *c)).function == f;
    let found = candidates.iter().copied().find(defines).or_else(|| candidates.first().copied());
    found.map_or(f, |c| names::declarations(db, c).first().copied().unwrap_or(c))
}

/// Returns all declarations of a function by its first, and the definitions outside its record or scope.
pub(super) fn declarations<'db>(db: &'db dyn Db, first: FnId<'db>) -> Vec<FnId<'db>> {
    let mut out = vec![first];
    out.extend(names::declarations(db, first).iter().copied());
    if let Some(node) = fn_node(db, first) {
        let name = Name::new(db, node.function.name.text.to_string());
        let outside = wgc_sema::types::name_table::outside(db, first.item.program(db), name).iter();
        let functions = outside.filter_map(|def| if let Def::Function(f) = def { Some(*f) } else { None });
        out.extend(functions.filter(|f| primary(db, *f) == first));
    }
    let mut seen = FxHashSet::default();
    out.retain(|f| seen.insert(*f));
    out
}
