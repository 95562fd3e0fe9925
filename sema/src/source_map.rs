//! What the positions of a module mean in files: read when a module is emitted, and by nothing that is cached.

use crate::db::{Db, Program};
use crate::def::{Item, Place};
use crate::diagnostics::range_of_token;
use crate::items::{Origins, ProgramUnit, item_origins, items, unit};
use crate::link::link;
use crate::whole::unit_name;
use compact_str::format_compact;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use wgc_ir::{Location, SourceFile, SourceMap, SourceText};

/// What the texts of wgc's own programs begin with: they are linked with those of users, and are the same in all units.
const OF_PRELUDE: &str = "prelude:";
const OF_DEVICE: &str = "wgc:";

/// The head or a body of an item, by a name that outlives edits around it. Its unit is not part of it: functions that two
/// units take from one header are equal.
pub fn text<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> SourceText {
    let program = item.program(db);
    let owner = match () {
        () if program == db.prelude() => OF_PRELUDE,
        () if program.options(db).internal => OF_DEVICE,
        () => "",
    };
    if let Some(around) = item.around(db) {
        let item = format!("{owner}{}@{}", crate::globals::qualified(db, item, item.name(db)), around.body(db));
        return SourceText { item: item.into(), body };
    }
    let scope = if item.scope(db).is_empty() { String::new() } else { format!("{}::", item.scope(db)) };
    let nth = if item.nth(db) == 0 { String::new() } else { format!("#{}", item.nth(db)) };
    SourceText { item: format!("{owner}{scope}{}{nth}", item.name(db)).into(), body }
}

/// The same as a module of several units calls it: items of different files have one name there.
pub fn linked_text<'db>(db: &'db dyn Db, whole: Program, item: Item<'db>, body: Option<u32>) -> SourceText {
    let text = text(db, item, body);
    match unit_name(db, whole, item.program(db)) {
        Some(unit) => of_unit(text, &unit),
        None => text,
    }
}

/// A text of a unit behind the first, which keeps the names as they are.
pub(crate) fn of_unit(text: SourceText, unit: &str) -> SourceText {
    if text.item.starts_with(OF_PRELUDE) || text.item.starts_with(OF_DEVICE) {
        return text;
    }
    SourceText { item: format_compact!("{unit}/{}", text.item), ..text }
}

/// The places of all tokens that positions in the linked module can name.
pub fn source_map(db: &dyn Db, program: Program) -> SourceMap {
    located(db, program).0
}

/// The same with all that debuggers ask of declarations.
pub fn debug_map(db: &dyn Db, program: Program) -> SourceMap {
    let (mut map, places) = located(db, program);
    map.declarations = crate::declared::declarations(db, program, &places);
    map
}

fn located(db: &dyn Db, program: Program) -> (SourceMap, Places<'_>) {
    let (mut map, mut places) = (SourceMap::default(), Places::default());
    // The program's own files come first.
    let mut wanted: IndexMap<Program, Vec<Item<'_>>> = IndexMap::from_iter([(program, Vec::new())]);
    for function in &link(db, program).reached {
        if let Some((item, _)) = crate::definition::body(db, *function) {
            wanted.entry(item.program(db)).or_default().push(item);
        }
    }
    for (owner, items) in wanted {
        let part = ProgramPlaces::new(db, owner, &mut map);
        for item in items {
            for body in std::iter::once(None).chain((0..item.bodies(db).len() as u32).map(Some)) {
                if let Some(tokens) = part.tokens(db, item, body) {
                    let places = tokens.iter().map(|token| part.locate(*token)).collect();
                    map.insert(linked_text(db, program, item, body), places);
                }
            }
        }
        places.of.insert(owner, part);
    }
    (map, places)
}

/// Where tokens of items stand in the files of a map.
#[derive(Default)]
pub(crate) struct Places<'db> {
    of: FxHashMap<Program, ProgramPlaces<'db>>,
}

impl<'db> Places<'db> {
    /// `None` for places of programs that the map has no files of.
    pub fn location(&self, db: &'db dyn Db, place: Place<'db>) -> Option<Location> {
        let part = self.of.get(&place.item.program(db))?;
        let tokens = part.tokens(db, place.item, place.body)?;
        tokens.get(place.span.lo as usize).map(|token| part.locate(*token))
    }

    /// The brace that opens a body with something in it: the token in front of it.
    pub fn opening(&self, db: &'db dyn Db, item: Item<'db>, body: u32) -> Option<Location> {
        let part = self.of.get(&item.program(db))?;
        let first = *part.tokens(db, item, Some(body))?.first()?;
        Some(part.locate(first.checked_sub(1)?))
    }
}

/// The places of one program.
struct ProgramPlaces<'db> {
    whole: &'db ProgramUnit,
    /// Its first file in the map.
    first: u32,
    /// Offsets at which lines begin, by file.
    lines: Vec<Vec<u32>>,
    index: FxHashMap<Item<'db>, usize>,
    origins: &'db [Origins],
}

impl<'db> ProgramPlaces<'db> {
    /// Adds the program's files to the map.
    fn new(db: &'db dyn Db, program: Program, map: &mut SourceMap) -> ProgramPlaces<'db> {
        let whole = unit(db, program);
        let first = map.files.len() as u32;
        map.roots.push(first);
        map.files.extend(whole.files.iter().map(|f| SourceFile { path: f.path(db).to_owned(), text: f.text(db) }));
        ProgramPlaces {
            whole,
            first,
            lines: map.files[first as usize..].iter().map(|f| line_starts(&f.text)).collect(),
            index: items(db, program).iter().enumerate().map(|(i, item)| (*item, i)).collect(),
            origins: &item_origins(db, program).0,
        }
    }

    fn locate(&self, token: u32) -> Location {
        let (file, offset) = range_of_token(self.whole, token);
        let starts = self.lines.get(file as usize).map_or(&[][..], Vec::as_slice);
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        Location { file: self.first + file, line: line as u32, column: offset.saturating_sub(start) + 1 }
    }

    /// The tokens of the head or of a body. Those of a type inside a function are some of that function's.
    fn tokens(&self, db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> Option<Vec<u32>> {
        let of = |item: Item<'db>, body: Option<u32>| {
            let tokens = self.origins.get(*self.index.get(&item)?)?;
            body.map_or(Some(&tokens.head), |n| tokens.bodies.get(n as usize))
        };
        match crate::local_types::in_body(db, item, body) {
            None => of(item, body).cloned(),
            Some((outer, n, tokens)) => {
                let around = of(outer, Some(n))?;
                Some(tokens.iter().filter_map(|token| around.get(*token as usize)).copied().collect())
            }
        }
    }
}

/// Offsets at which lines begin.
fn line_starts(text: &[u8]) -> Vec<u32> {
    let behind = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(behind).collect()
}
