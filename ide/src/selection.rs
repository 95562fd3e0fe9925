//! Expanding selections: a word, the expressions around it, an argument, the arguments, a statement, a block, a
//! function, the file.
//!
//! Expressions and statements come from the syntax trees. Brackets, arguments and comments come from the words, so that
//! incomplete code works as well.

use super::scope::spot;
use super::source_tokens::{WordKind, Words};
use super::{text_range, whole_range};
use std::ops::Range;
use wgc_frontend::ast::{Ast, Span};
use wgc_sema::db::def::SourcePlace;
use wgc_sema::db::items::{body_tree, item_tree};
use wgc_sema::db::{Db, Program};

/// Returns the ranges around a byte of a file, innermost first, each inside the next.
pub fn selection(db: &dyn Db, program: Program, path: &str, text: &[u8], at: u32) -> Vec<Range<u32>> {
    let words = Words::new(text);
    let mut out = word(&words, at);
    let mut all = brackets(&words, at);
    all.extend(parsed(db, program, path, at));
    all.push(0..text.len() as u32);
    all.retain(|range| range.start <= at && at <= range.end && range.start < range.end);
    all.sort_by_key(|range| (range.end - range.start, range.start));
    for range in all {
        let grows = out.last().is_none_or(|last| range.start <= last.start && last.end <= range.end && range != *last);
        if grows {
            out.push(range);
        }
    }
    if out.is_empty() {
        out.push(at..at);
    }
    out
}

/// Returns the word at a byte; for a string, its contents first. Between two words, a name has priority over a sign.
fn word(words: &Words, at: u32) -> Vec<Range<u32>> {
    if let Some(comment) = words.comment(at) {
        return vec![comment];
    }
    let behind = words.first_after(at);
    let inside = words.get(behind).filter(|word| word.lo <= at);
    let before = behind.checked_sub(1).and_then(|n| words.get(n)).filter(|word| word.hi == at);
    let is_sign = |kind: WordKind| matches!(kind, WordKind::Sign(_) | WordKind::Scope);
    let word = match (before, inside) {
        (Some(before), Some(inside)) if is_sign(inside.kind) => Some(before),
        (before, None) => before,
        (_, inside) => inside,
    };
    let Some(word) = word else { return Vec::new() };
    let mut out = Vec::new();
    if word.kind == (WordKind::Text { closed: true }) && word.lo < at && at < word.hi && word.lo + 2 < word.hi {
        out.push(word.lo + 1..word.hi - 1);
    }
    out.push(word.lo..word.hi);
    out
}

/// Returns the brackets around a byte, with and without the brackets themselves, and their arguments.
fn brackets(words: &Words, at: u32) -> Vec<Range<u32>> {
    let n = words.first_after(at);
    let mut all = words.open_brackets(n);
    // Add brackets that start or end at the byte.
    all.extend(words.get(n).filter(|word| word.lo == at).map(|_| n));
    let before = n.checked_sub(1).filter(|n| words.all[*n].hi == at);
    all.extend(before.and_then(|n| words.partner(n)).filter(|open| *open < n));
    let mut out = Vec::new();
    for open in all {
        let Some(close) = words.partner(open).filter(|close| open < *close) else { continue };
        out.push(words.all[open].lo..words.all[close].hi);
        if open + 1 < close {
            out.push(words.all[open + 1].lo..words.all[close - 1].hi);
        }
        if !words.is(open, b'{') {
            out.extend(arguments(words, open, close));
        }
    }
    out
}

fn word_opens(words: &Words, n: usize) -> bool {
    words.is(n, b'(') || words.is(n, b'[') || words.is(n, b'{')
}

/// Returns the arguments between two brackets, separated by commas.
fn arguments(words: &Words, open: usize, close: usize) -> Vec<Range<u32>> {
    let mut out = Vec::new();
    let (mut from, mut n) = (open + 1, open + 1);
    while n <= close {
        if n == close || words.is(n, b',') {
            if from < n {
                out.push(words.all[from].lo..words.all[n - 1].hi);
            }
            from = n + 1;
        } else if word_opens(words, n) {
            n = words.partner(n).map_or(n, |partner| partner.min(close - 1));
        }
        n += 1;
    }
    out
}

/// Returns the ranges of the surrounding item's syntax trees.
fn parsed(db: &dyn Db, program: Program, path: &str, at: u32) -> Vec<Range<u32>> {
    let Some(spot) = spot(db, program, path, at, false) else { return Vec::new() };
    let Some(item) = spot.item else { return Vec::new() };
    let tree = item_tree(db, item);
    let spans = |ast: &Ast| -> Vec<Span> {
        let exprs = ast.exprs.iter().map(|(_, expr)| expr.span);
        let stmts = ast.stmts.iter().map(|(_, stmt)| stmt.span);
        let types = ast.types.iter().map(|(_, ty)| ty.span);
        exprs.chain(stmts).chain(types).chain(ast.items.iter().map(|(_, item)| item.span)).collect()
    };
    let mut places: Vec<SourcePlace> = spans(&tree.ast).into_iter().map(|span| SourcePlace::head(item, span)).collect();
    if let Some((n, _)) = spot.body
        && let Some(body) = body_tree(db, item, n)
    {
        places.extend(spans(&body.ast).into_iter().map(|span| SourcePlace { item, body: Some(n), span }));
    }
    let ranges = places.into_iter().filter(|place| place.span.lo < place.span.hi).map(|place| text_range(db, place));
    let ranges = ranges.chain(whole_range(db, item)).filter(|range| &*range.file == path);
    ranges.map(|range| range.lo..range.hi).collect()
}
