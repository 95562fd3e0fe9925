//! Edits of white space: the gaps between pieces, and the space before the lines of comments.

use crate::comments::{PiecePosition, Placed};
use crate::pieces::{Piece, PieceKind, Text};
use crate::style::Style;
use std::ops::Range;

/// A range of a text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<u32>,
    pub text: String,
}

/// Applies edits that are sorted and disjoint.
pub fn apply(bytes: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() + bytes.len() / 8);
    let mut at = 0;
    for edit in edits {
        out.extend_from_slice(&bytes[at..edit.range.start as usize]);
        out.extend_from_slice(edit.text.as_bytes());
        at = edit.range.end as usize;
    }
    out.extend_from_slice(&bytes[at..]);
    out
}

/// Returns the edits that turn one text into another that differs only in white space.
pub fn between(old: &[u8], new: &[u8]) -> Vec<Edit> {
    let blanks = |bytes: &[u8]| bytes.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
    let (mut at, mut to) = (0, 0);
    let mut out = Vec::new();
    while at < old.len() || to < new.len() {
        let (lo, from) = (at, to);
        (at, to) = (at + blanks(&old[at..]), to + blanks(&new[to..]));
        if old[lo..at] != new[from..to] {
            let text = String::from_utf8_lossy(&new[from..to]).into_owned();
            out.push(Edit { range: lo as u32..at as u32, text });
        }
        (at, to) = ((at + 1).min(old.len()), (to + 1).min(new.len()));
    }
    out
}

pub fn edits(text: &Text, places: &[Placed], style: &Style) -> Vec<Edit> {
    let newline = match text.bytes.iter().position(|b| *b == b'\n') {
        Some(at) if at > 0 && text.bytes[at - 1] == b'\r' => "\r\n",
        _ => "\n",
    };
    let mut out = Vec::new();
    // The white space after a backslash decides whether it joins its line with the next.
    let is_apart = |at: usize| at > 0 && text.bytes.get(at - 1) == Some(&b'\\');
    let mut push = |range: Range<u32>, wanted: String| {
        if !is_apart(range.start as usize) && text.bytes[range.start as usize..range.end as usize] != *wanted.as_bytes()
        {
            out.push(Edit { range, text: wanted });
        }
    };
    for (index, placed) in places.iter().enumerate() {
        let wanted = match placed.place {
            PiecePosition::Kept => None,
            PiecePosition::Spaces(spaces) => Some(" ".repeat(spaces as usize)),
            PiecePosition::Line { indent, .. } if index == 0 => Some(indentation(indent.steps, indent.spaces, style)),
            PiecePosition::Line { blank, indent } => {
                let lines = newline.repeat(1 + usize::from(blank));
                Some(lines + &indentation(indent.steps, indent.spaces, style))
            }
        };
        let gap = text.gap(index);
        // At the start of a file this would be a byte-order mark.
        if index == 0 && text.of(0).starts_with(b"\xef\xbb\xbf") {
            continue;
        }
        if let Some(wanted) = wanted.filter(|_| !is_apart(gap.start as usize)) {
            push(gap, wanted);
            inner_lines(text, &text.pieces[index], placed.column, style, &mut push);
        }
    }
    let last = text.pieces.last();
    // An unterminated comment includes the end of the file.
    if last.is_none_or(|last| !(last.raw || last.kind == PieceKind::Open && last.hi as usize == text.bytes.len())) {
        let end = if last.is_some() { newline.to_owned() } else { String::new() };
        let gap = text.gap(text.pieces.len());
        // A line that ends with a backslash continues, even if nothing follows.
        if !text.bytes[gap.start as usize..gap.end as usize].contains(&b'\\') {
            push(gap, end);
        }
    }
    out
}

fn indentation(steps: u32, spaces: u32, style: &Style) -> String {
    let steps = match style.tabs {
        true => "\t".repeat(steps as usize),
        false => " ".repeat((steps * style.indent) as usize),
    };
    steps + &" ".repeat(spaces as usize)
}

/// Moves the lines of a comment together with its first one.
fn inner_lines(text: &Text, piece: &Piece, column: u32, style: &Style, push: &mut impl FnMut(Range<u32>, String)) {
    if piece.kind != PieceKind::BlockComment || piece.last_width.is_none() || column == piece.column {
        return;
    }
    let body = &text.bytes[piece.lo as usize..piece.hi as usize];
    for at in (0..body.len()).filter(|at| body[*at] == b'\n').map(|at| at + 1) {
        let (mut old, mut end) = (0, at);
        while let Some(byte @ (b' ' | b'\t')) = body.get(end) {
            old = if *byte == b'\t' { (old / style.indent.max(1) + 1) * style.indent.max(1) } else { old + 1 };
            end += 1;
        }
        // A blank line, or one that continues the line before it.
        let goes_on = body[..at].ends_with(b"\\\n") || body[..at].ends_with(b"\\\r\n");
        if goes_on || matches!(body.get(end), Some(b'\n' | b'\r')) {
            continue;
        }
        let new = (old + column).saturating_sub(piece.column);
        let (steps, spaces) =
            if style.tabs { (new / style.indent.max(1), new % style.indent.max(1)) } else { (0, new) };
        push(piece.lo + at as u32..piece.lo + end as u32, indentation(steps, spaces, style));
    }
}

impl Text<'_> {
    /// Returns whether another text has the same pieces.
    pub fn same_as(&self, other: &Text) -> bool {
        let same = |(n, piece): (usize, &Piece)| {
            let kind = piece.kind == other.pieces[n].kind;
            let plain = self.of(n) == other.of(n);
            kind && (plain || piece.kind == PieceKind::BlockComment && words(self.of(n)) == words(other.of(n)))
        };
        self.pieces.len() == other.pieces.len() && self.pieces.iter().enumerate().all(same)
    }
}

/// Returns the lines of a comment without surrounding white space.
fn words(comment: &[u8]) -> Vec<&[u8]> {
    comment.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).collect()
}
