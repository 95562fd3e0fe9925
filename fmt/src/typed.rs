//! Formatting while typing: the block that a `}` closes, the statement that a `;` ends, and the start of a new line.

use crate::output::Edit;
use crate::pieces::pieces;
use crate::style::Style;
use crate::{brackets, edits, edits_in};
use wgc_frontend::token::Sym;

/// Returns the edits after a `}` or `;` that ends at `at`, on the lines of its block or statement.
pub fn after_token(bytes: &[u8], style: &Style, at: u32) -> Vec<Edit> {
    let Some(text) = pieces(bytes, style.indent.max(1)) else { return Vec::new() };
    let Some(index) = text.pieces.iter().position(|piece| piece.hi == at) else { return Vec::new() };
    let from = match text.pieces[index].is(Sym::RBrace) {
        // Half-typed code has unmatched braces, whose depth is unknown.
        true => match brackets::partners(&text)[index] {
            Some(open) => text.pieces[open].lo,
            None => return Vec::new(),
        },
        false => {
            let ends = |sym: Sym| matches!(sym, Sym::Semi | Sym::LBrace | Sym::RBrace);
            let before = text.pieces[..index].iter().rposition(|piece| match piece.kind {
                crate::pieces::PieceKind::Sym(sym) => ends(sym),
                crate::pieces::PieceKind::Directive(_) => true,
                _ => false,
            });
            text.pieces.get(before.map_or(0, |before| before + 1)).map_or(at, |piece| piece.lo)
        }
    };
    let mut all = edits_in(bytes, style, from..at);
    // Text after the cursor is not typed yet.
    all.retain(|edit| edit.range.end <= at);
    all
}

/// Returns the edit that indents the new line at `at`.
pub fn after_newline(bytes: &[u8], style: &Style, at: u32) -> Vec<Edit> {
    let at = (at as usize).min(bytes.len());
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    let blanks = bytes[start..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    let end = start + blanks;
    let empty = matches!(bytes.get(end), None | Some(b'\n' | b'\r'));
    // A placeholder for the word that will be typed.
    const WORD: &[u8] = b"_x_";
    let written = if empty { [&bytes[..end], WORD, &bytes[end..]].concat() } else { bytes.to_vec() };
    let first = start as u32..end as u32;
    for edit in edits(&written, style) {
        if edit.range.start <= first.end && edit.range.end == first.end {
            let wanted = match edit.text.rfind('\n') {
                Some(at) => &edit.text[at + 1..],
                // The placeholder would join the previous line, so the indentation is unknown.
                None => return Vec::new(),
            };
            let same = bytes[start..end] == *wanted.as_bytes();
            return if same { Vec::new() } else { vec![Edit { range: first, text: wanted.to_owned() }] };
        }
    }
    Vec::new()
}
