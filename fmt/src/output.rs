//! What changes: the white space between pieces that is not as it should be, and that in front of the lines of comments.

use crate::comments::{Place, Placed};
use crate::pieces::{Kind, Piece, Text};
use crate::style::Style;
use std::ops::Range;

/// A part of a text, and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub range: Range<u32>,
    pub text: String,
}

/// A text with edits, which are in order and do not meet.
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

/// The edits that make one text of another that differs from it in white space alone.
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
    // What stands behind a backslash says whether it joins its line with the next.
    let is_apart = |at: usize| at > 0 && text.bytes.get(at - 1) == Some(&b'\\');
    let mut push = |range: Range<u32>, wanted: String| {
        if !is_apart(range.start as usize) && text.bytes[range.start as usize..range.end as usize] != *wanted.as_bytes()
        {
            out.push(Edit { range, text: wanted });
        }
    };
    for (index, placed) in places.iter().enumerate() {
        let wanted = match placed.place {
            Place::Kept => None,
            Place::Spaces(spaces) => Some(" ".repeat(spaces as usize)),
            Place::Line { indent, .. } if index == 0 => Some(indentation(indent.steps, indent.spaces, style)),
            Place::Line { blank, indent } => {
                let lines = newline.repeat(1 + usize::from(blank));
                Some(lines + &indentation(indent.steps, indent.spaces, style))
            }
        };
        let gap = text.gap(index);
        // At the start of a file it would be a mark of its encoding.
        if index == 0 && text.of(0).starts_with(b"\xef\xbb\xbf") {
            continue;
        }
        if let Some(wanted) = wanted.filter(|_| !is_apart(gap.start as usize)) {
            push(gap, wanted);
            inner_lines(text, &text.pieces[index], placed.column, style, &mut push);
        }
    }
    let last = text.pieces.last();
    // Of an open comment the end is a part.
    if last.is_none_or(|last| !(last.raw || last.kind == Kind::Open && last.hi as usize == text.bytes.len())) {
        let end = if last.is_some() { newline.to_owned() } else { String::new() };
        let gap = text.gap(text.pieces.len());
        // A line that goes on, if with nothing, does.
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

/// Lines of a comment move as its first does.
fn inner_lines(text: &Text, piece: &Piece, column: u32, style: &Style, push: &mut impl FnMut(Range<u32>, String)) {
    if piece.kind != Kind::BlockComment || piece.last_width.is_none() || column == piece.column {
        return;
    }
    let body = &text.bytes[piece.lo as usize..piece.hi as usize];
    for at in (0..body.len()).filter(|at| body[*at] == b'\n').map(|at| at + 1) {
        let (mut old, mut end) = (0, at);
        while let Some(byte @ (b' ' | b'\t')) = body.get(end) {
            old = if *byte == b'\t' { (old / style.indent.max(1) + 1) * style.indent.max(1) } else { old + 1 };
            end += 1;
        }
        // A blank line, or one that goes on with what is in front of it.
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
    /// Whether another text has the same pieces.
    pub fn same_as(&self, other: &Text) -> bool {
        let same = |(n, piece): (usize, &Piece)| {
            let kind = piece.kind == other.pieces[n].kind;
            let plain = self.of(n) == other.of(n);
            kind && (plain || piece.kind == Kind::BlockComment && words(self.of(n)) == words(other.of(n)))
        };
        self.pieces.len() == other.pieces.len() && self.pieces.iter().enumerate().all(same)
    }
}

/// The lines of a comment without the white space around them.
fn words(comment: &[u8]) -> Vec<&[u8]> {
    comment.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).collect()
}
