//! Maps positions of a module to file locations. Only the emission of a module reads it, and no cached query does.

use crate::db::def::{Item, SourcePlace};
use crate::db::items::range_of_token;
use crate::db::items::{ProgramUnit, origins, unit};
use crate::db::{Db, Program};
use crate::link::link;
use crate::link::program::unit_name;
use crate::lower::position::{OF_DEVICE, OF_PRELUDE, text};
use compact_str::{CompactString, format_compact};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::cell::OnceCell;
use std::sync::Arc;
use wgc_frontend::diagnostic::FileId;
use wgc_ir::{Location, SourceFile, SourceMap, SourceText};

/// Names a text of an item like the module of several units, in which items of different files need distinct names.
pub fn linked_text<'db>(db: &'db dyn Db, whole: Program, item: Item<'db>, body: Option<u32>) -> SourceText {
    let text = text(db, item, body);
    match unit_name(db, whole, item.program(db)) {
        Some(unit) => of_unit(text, &unit),
        None => text,
    }
}

/// Names a text of a unit after the first; texts of the prelude and the device library keep their names.
pub(crate) fn of_unit(text: SourceText, unit: &str) -> SourceText {
    if text.item.starts_with(OF_PRELUDE) || text.item.starts_with(OF_DEVICE) {
        return text;
    }
    SourceText { item: format_compact!("{unit}/{}", text.item), ..text }
}

/// Returns the locations of all tokens that positions in the linked module can refer to.
pub fn source_map(db: &dyn Db, program: Program) -> SourceMap {
    located(db, program, Lines::Named).0
}

/// Returns a map with the lines of the source files, regardless of `#line`.
pub(crate) fn physical_map(db: &dyn Db, program: Program) -> SourceMap {
    located(db, program, Lines::Physical).0
}

/// Returns a map with all declarations for debuggers.
pub fn debug_map(db: &dyn Db, program: Program) -> SourceMap {
    let (mut map, places) = located(db, program, Lines::Named);
    map.declarations = crate::link::debug_declarations::declarations(db, program, &places);
    map
}

/// The numbering of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lines {
    /// Lines as counted in the file.
    Physical,
    /// Lines as given by `#line`.
    Named,
}

fn located(db: &dyn Db, program: Program, called: Lines) -> (SourceMap, Places) {
    let (mut map, mut places) = (SourceMap::default(), Places::default());
    // The program's own files come first.
    let mut wanted: IndexMap<Program, IndexSet<Item<'_>>> = IndexMap::from_iter([(program, IndexSet::new())]);
    for function in &link(db, program).reached {
        if let Some((item, _)) = crate::types::definition::body(db, *function) {
            // All methods of a record are in one item.
            wanted.entry(item.program(db)).or_default().insert(item);
        }
    }
    for (owner, items) in wanted {
        let part = ProgramPlaces::new(db, owner, called, &mut map);
        for item in items {
            for body in std::iter::once(None).chain((0..item.bodies(db).len() as u32).map(Some)) {
                if let Some(tokens) = tokens(db, item, body) {
                    let places = tokens.of.iter().map(|token| part.locate(tokens.unit, *token)).collect();
                    map.insert(linked_text(db, program, item, body), places);
                }
            }
        }
        places.of.insert(owner, part);
    }
    (map, places)
}

/// Locations of items' tokens in the files of a map.
#[derive(Default)]
pub(crate) struct Places {
    of: FxHashMap<Program, ProgramPlaces>,
}

impl Places {
    /// Returns a location; `None` if the map has no files of the program.
    pub fn location<'db>(&self, db: &'db dyn Db, place: SourcePlace<'db>) -> Option<Location> {
        let part = self.of.get(&place.item.program(db))?;
        let tokens = tokens(db, place.item, place.body)?;
        tokens.of.get(place.span.lo as usize).map(|token| part.locate(tokens.unit, *token))
    }

    /// Returns the brace that opens a nonempty body: the token before its first one.
    pub fn opening<'db>(&self, db: &'db dyn Db, item: Item<'db>, body: u32) -> Option<Location> {
        let part = self.of.get(&item.program(db))?;
        let tokens = tokens(db, item, Some(body))?;
        Some(part.locate(tokens.unit, tokens.of.first()?.checked_sub(1)?))
    }
}

/// The tokens of the head or of a body, by their numbers in a unit.
struct ItemTokens<'db> {
    unit: &'db ProgramUnit,
    of: Vec<u32>,
}

/// Returns the tokens of an item. Those of a type inside a function are part of the function's.
fn tokens<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<ItemTokens<'db>> {
    let inside = crate::types::local_types::in_body(db, item, body);
    let (outer, n) = inside.as_ref().map_or((item, body), |(outer, n, _)| (*outer, Some(*n)));
    let (unit, origins) = origins(db, outer)?;
    let around = n.map_or(Some(&origins.head), |n| origins.bodies.get(n as usize))?;
    let of = match inside {
        None => around.clone(),
        Some((_, _, inner)) => inner.iter().filter_map(|token| around.get(*token as usize)).copied().collect(),
    };
    Some(ItemTokens { unit, of })
}

/// The files of one program.
struct ProgramPlaces {
    /// The number of its first file in the map.
    first: u32,
    /// By file.
    lines: Vec<LineStarts>,
    /// The files that `#line` names, by their numbers in the map; `None` for physical lines.
    named: Option<FxHashMap<CompactString, u32>>,
}

/// Offsets of line starts in a text, computed on demand.
struct LineStarts {
    text: Arc<[u8]>,
    starts: OnceCell<Vec<u32>>,
}

impl ProgramPlaces {
    /// Adds the program's files to the map.
    fn new(db: &dyn Db, program: Program, called: Lines, map: &mut SourceMap) -> ProgramPlaces {
        let is_prelude = program == db.prelude();
        let files = if is_prelude { program.roots(db) } else { &unit(db, program).files };
        let first = map.files.len() as u32;
        map.roots.push(first);
        map.files.extend(files.iter().map(|f| SourceFile { path: f.path(db).to_owned(), text: f.text(db) }));
        let lines = files.iter().map(|f| LineStarts { text: f.text(db), starts: OnceCell::new() }).collect();
        let mut named = None;
        if called == Lines::Named && !is_prelude {
            let numbers: &mut FxHashMap<CompactString, u32> = named.get_or_insert_default();
            for name in unit(db, program).unit.line_names() {
                let known = map.files[first as usize..].iter().position(|file| file.path == name.as_str());
                let number = known.unwrap_or_else(|| {
                    // The text of the named file is not available: only the file generated from it was read.
                    map.files.push(SourceFile { path: name.to_string(), text: Arc::default() });
                    map.files.len() - 1 - first as usize
                });
                numbers.insert(name.clone(), first + number as u32);
            }
        }
        ProgramPlaces { first, lines, named }
    }

    fn locate(&self, unit: &ProgramUnit, token: u32) -> Location {
        let (file, offset) = range_of_token(unit, token);
        let lines = self.lines.get(file as usize);
        let starts = lines.map_or(&[][..], |lines| lines.starts.get_or_init(|| line_starts(&lines.text)));
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        let mut at = Location { file: self.first + file, line: line as u32, column: offset.saturating_sub(start) + 1 };
        if let Some(named) = &self.named
            && let Some(directive) = unit.unit.line_directive(FileId(file), offset)
        {
            at.line = (i64::from(at.line) + directive.shift).clamp(0, u32::MAX.into()) as u32;
            at.file = directive.name.as_ref().and_then(|name| named.get(name)).copied().unwrap_or(at.file);
        }
        at
    }
}

/// Returns the offsets of line starts.
fn line_starts(text: &[u8]) -> Vec<u32> {
    let text = wgc_frontend::with_line_feeds(text);
    let starts = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(starts).collect()
}
