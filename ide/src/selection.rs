//! Expanding selections: a token, the expressions around it, an argument, the arguments, a statement, a block, a
//! function, the file.
//!
//! Expressions and statements come from the syntax trees. Brackets, arguments and comments come from the tokens, so that
//! incomplete code works as well.

use super::scope::spot;
use super::source_tokens::{SourceTokenKind, SourceTokens};
use super::{text_range, whole_range};
use std::ops::Range;
use wgc_frontend::ast::{Ast, Span};
use wgc_sema::db::def::SourcePlace;
use wgc_sema::db::items::{body_tree, item_tree};
use wgc_sema::db::{Db, Program};

/// Returns the ranges around a byte of a file, innermost first, each inside the next.
pub fn selection(db: &dyn Db, program: Program, path: &str, text: &[u8], at: u32) -> Vec<Range<u32>> {
    let tokens = SourceTokens::new(text);
    let mut out = token(&tokens, at);
    let mut all = brackets(&tokens, at);
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

/// Returns the token at a byte; for a string, its contents first. Between two tokens, a name has priority over a sign.
fn token(tokens: &SourceTokens, at: u32) -> Vec<Range<u32>> {
    if let Some(comment) = tokens.comment(at) {
        return vec![comment];
    }
    let behind = tokens.first_after(at);
    let inside = tokens.get(behind).filter(|token| token.lo <= at);
    let before = behind.checked_sub(1).and_then(|n| tokens.get(n)).filter(|token| token.hi == at);
    let is_sign = |kind: SourceTokenKind| matches!(kind, SourceTokenKind::Sign(_) | SourceTokenKind::Scope);
    let token = match (before, inside) {
        (Some(before), Some(inside)) if is_sign(inside.kind) => Some(before),
        (before, None) => before,
        (_, inside) => inside,
    };
    let Some(token) = token else { return Vec::new() };
    let mut out = Vec::new();
    if token.kind == (SourceTokenKind::Text { closed: true })
        && token.lo < at
        && at < token.hi
        && token.lo + 2 < token.hi
    {
        out.push(token.lo + 1..token.hi - 1);
    }
    out.push(token.lo..token.hi);
    out
}

/// Returns the brackets around a byte, with and without the brackets themselves, and their arguments.
fn brackets(tokens: &SourceTokens, at: u32) -> Vec<Range<u32>> {
    let n = tokens.first_after(at);
    let mut all = tokens.open_brackets(n);
    // Add brackets that start or end at the byte.
    all.extend(tokens.get(n).filter(|token| token.lo == at).map(|_| n));
    let before = n.checked_sub(1).filter(|n| tokens.all[*n].hi == at);
    all.extend(before.and_then(|n| tokens.partner(n)).filter(|open| *open < n));
    let mut out = Vec::new();
    for open in all {
        let Some(close) = tokens.partner(open).filter(|close| open < *close) else { continue };
        out.push(tokens.all[open].lo..tokens.all[close].hi);
        if open + 1 < close {
            out.push(tokens.all[open + 1].lo..tokens.all[close - 1].hi);
        }
        if !tokens.is(open, b'{') {
            out.extend(arguments(tokens, open, close));
        }
    }
    out
}

fn word_opens(tokens: &SourceTokens, n: usize) -> bool {
    tokens.is(n, b'(') || tokens.is(n, b'[') || tokens.is(n, b'{')
}

/// Returns the arguments between two brackets, separated by commas.
fn arguments(tokens: &SourceTokens, open: usize, close: usize) -> Vec<Range<u32>> {
    let mut out = Vec::new();
    let (mut from, mut n) = (open + 1, open + 1);
    while n <= close {
        if n == close || tokens.is(n, b',') {
            if from < n {
                out.push(tokens.all[from].lo..tokens.all[n - 1].hi);
            }
            from = n + 1;
        } else if word_opens(tokens, n) {
            n = tokens.partner(n).map_or(n, |partner| partner.min(close - 1));
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
