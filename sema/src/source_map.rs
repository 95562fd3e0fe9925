//! What the positions of a module mean in files: read when a module is emitted, and by nothing that is cached.

use crate::db::{Db, Program};
use crate::def::Item;
use crate::diagnostics::range_of_token;
use crate::items::{item_origins, items, unit};
use crate::link::link;
use rustc_hash::FxHashMap;
use wgc_ir::{Location, SourceFile, SourceMap, SourceText};

/// The head or a body of an item, by a name that outlives edits around it.
pub fn text<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> SourceText {
    let program = item.program(db);
    // Programs of wgc itself are linked with those of users.
    let owner = match () {
        () if program == db.prelude() => "prelude:",
        () if program.options(db).internal => "wgc:",
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

/// The places of all tokens that positions in the linked module can name.
pub fn source_map(db: &dyn Db, program: Program) -> SourceMap {
    let mut map = SourceMap::default();
    let mut wanted: FxHashMap<Program, Vec<Item<'_>>> = FxHashMap::default();
    wanted.entry(program).or_default();
    for function in &link(db, program).reached {
        if let Some((item, _)) = crate::definition::body(db, *function) {
            wanted.entry(item.program(db)).or_default().push(item);
        }
    }
    // The program's own files come first.
    let mut programs: Vec<Program> = wanted.keys().copied().collect();
    programs.sort_by_key(|p| *p != program);
    for owner in programs {
        add_program(db, owner, wanted.remove(&owner).unwrap_or_default(), &mut map);
    }
    map
}

fn add_program<'db>(db: &'db dyn Db, program: Program, wanted: Vec<Item<'db>>, map: &mut SourceMap) {
    let whole = unit(db, program);
    let first = map.files.len() as u32;
    map.files.extend(whole.files.iter().map(|f| SourceFile { path: f.path(db).to_owned(), text: f.text(db) }));
    let lines: Vec<Vec<u32>> = map.files[first as usize..].iter().map(|f| line_starts(&f.text)).collect();
    let locate = |token: &u32| {
        let (file, offset) = range_of_token(whole, *token);
        let starts = lines.get(file as usize).map_or(&[][..], Vec::as_slice);
        let line = starts.partition_point(|start| *start <= offset).max(1);
        let start = starts.get(line - 1).copied().unwrap_or(0);
        Location { file: first + file, line: line as u32, column: offset.saturating_sub(start) + 1 }
    };
    let index: FxHashMap<Item<'db>, usize> =
        items(db, program).iter().enumerate().map(|(i, item)| (*item, i)).collect();
    let origins = &item_origins(db, program).0;
    for item in wanted {
        for body in std::iter::once(None).chain((0..item.bodies(db).len() as u32).map(Some)) {
            let of = |item: Item<'db>, body: Option<u32>| {
                let tokens = origins.get(*index.get(&item)?)?;
                body.map_or(Some(&tokens.head), |n| tokens.bodies.get(n as usize))
            };
            let locations = match crate::local_types::in_body(db, item, body) {
                None => of(item, body).map(|tokens| tokens.iter().map(locate).collect()),
                Some((outer, n, tokens)) => of(outer, Some(n))
                    .map(|around| tokens.iter().filter_map(|token| around.get(*token as usize)).map(locate).collect()),
            };
            if let Some(locations) = locations {
                map.insert(text(db, item, body), locations);
            }
        }
    }
}

/// Offsets at which lines begin.
fn line_starts(text: &[u8]) -> Vec<u32> {
    let behind = text.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(i, _)| i as u32 + 1);
    std::iter::once(0).chain(behind).collect()
}
