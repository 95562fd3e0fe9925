//! Filtering of consequential errors after syntax errors, so that one mistake gives one diagnostic.
//!
//! A missing token makes the parser fail more than once. The repaired code has names, types and nodes that the author
//! did not write. The function [`first_of_each`] keeps the syntax errors that represent a mistake, and
//! [`crate::contracts::unreliable_syntax`] identifies later diagnostics about guesses. For text that forms no token,
//! [`broken_parts`] does the same.

use crate::db::diagnostic::{FileRange, Rendered};
use crate::db::items::{Origins, ProgramUnit, item_origins, unit};
use crate::db::{Db, Program};
use crate::report::diagnostics::range;
use crate::tables::codes::Code;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use wgc_frontend::diagnostic::ErrorCode;

/// An error of grammar or braces, and its location in the unit.
pub(crate) struct Stumble {
    pub code: ErrorCode,
    pub error: Rendered,
    /// The item's number; `None` for braces.
    pub item: Option<usize>,
    /// Outside of bodies.
    pub is_head: bool,
}

/// Returns the errors of a unit that represent a mistake, by location. These are the first on each line of an item, or
/// of two lines outside of bodies. For a `}` that closes nothing, only its error is kept, without those about the
/// pieces of a function before it. If one of the pieces is a head without a body, its error is kept instead, as it
/// explains the missing `{` better.
pub(crate) fn first_of_each(db: &dyn Db, program: Program, mut stumbles: Vec<Stumble>) -> Vec<Rendered> {
    let whole = unit(db, program);
    let at = |stumble: &Stumble| stumble.error.labels[0].range.clone();
    stumbles.sort_by_cached_key(|stumble| (at(stumble), stumble.error.code));
    let errors: Vec<bool> = stumbles.iter().map(|s| !s.code.is_warning()).collect();
    let mut kept = errors.clone();
    let starts = starts_of_whole_items(db, program, &stumbles);
    let ends = (0..stumbles.len()).filter(|n| stumbles[*n].code == ErrorCode::UnmatchedBrace);
    let ends: Vec<(usize, FileRange)> = ends.map(|end| (end, start_of_pieces(&starts, &at(&stumbles[end])))).collect();
    for (n, (end, start)) in ends.iter().enumerate() {
        // The pieces of a later brace with this start include this one.
        if ends.get(n + 1).is_some_and(|(_, next)| next == start) {
            continue;
        }
        let end = *end;
        let pieces = (0..end).rev().take_while(|n| *start < at(&stumbles[*n]));
        let pieces: Vec<usize> = pieces.filter(|n| stumbles[*n].is_head && errors[*n]).collect();
        let headless = pieces.iter().rev().find(|n| stumbles[**n].code == ErrorCode::ExpectedBody);
        pieces.iter().chain(&[end]).for_each(|n| kept[*n] = false);
        kept[*headless.unwrap_or(&end)] = true;
    }
    let lines = |a: &FileRange, b: &FileRange| {
        let text = whole.files.iter().find(|f| a.file == b.file && f.path(db) == &*a.file).map(|f| f.text(db));
        let between = text.as_ref().and_then(|text| text.get(a.lo as usize..b.lo as usize));
        between.map_or(usize::MAX, |between| between.iter().filter(|b| **b == b'\n').count())
    };
    let mut last: Option<&Stumble> = None;
    let mut out = Vec::new();
    for (stumble, (error, kept)) in stumbles.iter().zip(errors.into_iter().zip(kept)) {
        let is_again = || {
            last.is_some_and(|last| {
                // Attributes before a head have their own lines.
                let reach = if stumble.is_head { 1 } else { 0 };
                last.item == stumble.item && lines(&at(last), &at(stumble)) <= reach
            })
        };
        if !error || kept && !is_again() {
            out.push(stumble.error.clone());
        }
        if kept {
            last = Some(stumble);
        }
    }
    out
}

/// Returns the starts of the complete items with a body, sorted by file and offset.
fn starts_of_whole_items(db: &dyn Db, program: Program, stumbles: &[Stumble]) -> Vec<FileRange> {
    let broken = stumbles.iter().filter(|s| s.is_head && !s.code.is_warning()).filter_map(|s| s.item);
    let broken: FxHashSet<usize> = broken.collect();
    let whole = starts_of_items(db, program).filter(|(n, item, _)| !item.bodies.is_empty() && !broken.contains(n));
    let mut starts: Vec<FileRange> = whole.map(|(_, _, start)| start).collect();
    starts.sort_by(|a, b| (&a.file, a.lo).cmp(&(&b.file, b.lo)));
    starts
}

/// Returns the last of these starts before a `}` that closes nothing.
fn start_of_pieces(starts: &[FileRange], brace: &FileRange) -> FileRange {
    let after = starts.partition_point(|start| (&start.file, start.lo) < (&brace.file, brace.lo));
    let before = after.checked_sub(1).and_then(|last| starts.get(last)).filter(|start| start.file == brace.file);
    before.cloned().unwrap_or(FileRange::new(brace.file.clone(), 0, 0))
}

/// Returns the items of a unit by number, each with the location of its first token.
fn starts_of_items(db: &dyn Db, program: Program) -> impl Iterator<Item = (usize, &Origins, FileRange)> {
    let whole = unit(db, program);
    item_origins(db, program).0.iter().enumerate().filter_map(move |(n, item)| {
        let token = *item.head.first()?;
        Some((n, item, range(db, whole, *whole.unit.origins.get(token as usize)?)))
    })
}

/// Returns the ranges from text that forms no token to the end of its line or item. Other errors there may be
/// consequences, and reappear after the fix if they are not.
pub(crate) fn broken_parts(db: &dyn Db, program: Program, whole: &ProgramUnit, errors: &[Rendered]) -> Vec<FileRange> {
    let lexical: Vec<&FileRange> = errors
        .iter()
        .filter(|r| matches!(r.code, Code::Lexical | Code::Encoding))
        .map(|r| &r.labels[0].range)
        .collect();
    if lexical.is_empty() {
        return Vec::new();
    }
    let mut starts: Vec<(Arc<str>, u32)> =
        starts_of_items(db, program).map(|(_, _, first)| (first.file, first.lo)).collect();
    starts.sort();
    // A long line may have many errors, so its end is searched once.
    let mut lines: FxHashMap<Arc<str>, Vec<usize>> = FxHashMap::default();
    lexical
        .into_iter()
        .filter_map(|range| {
            let file = whole.files.iter().find(|f| f.path(db) == &*range.file)?;
            let text = file.text(db);
            let ends = lines.entry(range.file.clone()).or_insert_with(|| line_ends(&text));
            // A token missing before it is reported after the previous token.
            let before = text.get(..range.lo as usize)?;
            let lo = before.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(0, |last| last + 1);
            text.get(range.hi as usize..)?;
            let line = ends.get(ends.partition_point(|end| *end < range.hi as usize)).unwrap_or(&text.len()) + 1;
            let next = starts.partition_point(|start| *start <= (range.file.clone(), range.lo));
            let item = starts.get(next).filter(|start| start.0 == range.file).map_or(u32::MAX, |start| start.1);
            Some(FileRange::new(range.file.clone(), lo as u32, item.min(line as u32)))
        })
        .collect()
}

/// Returns the offset of each line feed.
fn line_ends(text: &[u8]) -> Vec<usize> {
    (0..).zip(text).filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at).collect()
}
