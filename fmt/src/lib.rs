//! The formatter: rewrites the white space of an HLSL file.
//!
//! It works on the tokens of the file, together with comments and directives. So it can format any file: half-typed
//! code, both branches of a conditional, macros without expansion. No token changes. A comment changes only in the
//! white space at its ends and before its lines. The result is compared with the input, and the file stays unchanged if
//! anything else differs.
//!
//! ```text
//! bytes -> pieces -> partners of brackets -> roles -> lines (statements, wrapped) -> comments aligned -> edits
//! ```
//!
//! Line breaks within a statement mostly stay. A line that is too long is broken at the cheapest position. Each
//! statement has lines of its own. So formatting is idempotent; where it is not, because the text is not a valid
//! program, the formatter repeats it. The time is linear in the length of the file.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod brackets;
mod comments;
mod lines;
mod output;
mod pieces;
mod roles;
mod space;
mod style;
mod typed;
mod wrap;

pub use output::{Edit, apply};
pub use style::{Braces, Style};
pub use typed::{after_newline, after_token};

use std::ops::Range;

/// Returns the file with its white space reformatted.
pub fn format(bytes: &[u8], style: &Style) -> Vec<u8> {
    apply(bytes, &edits(bytes, style))
}

/// Returns the white-space edits of a file, in order. A file in an unsupported encoding has none.
///
/// If the text is not a valid program, the new line breaks may change how it is read. Formatting then repeats until
/// nothing changes.
pub fn edits(bytes: &[u8], style: &Style) -> Vec<Edit> {
    let bytes = &*wgc_frontend::with_line_feeds(bytes);
    let tab = style.indent.max(1);
    let Some(text) = pieces::pieces(bytes, tab) else { return Vec::new() };
    let mut all = once(&text, style);
    let mut new = apply(bytes, &all);
    for _ in 0..MAX_TURNS {
        let read = pieces::pieces(&new, tab).filter(|read| read.same_as(&text));
        debug_assert!(read.is_some(), "formatting changed a token");
        let Some(read) = read else { return Vec::new() };
        let more = once(&read, style);
        if more.is_empty() {
            return all;
        }
        new = apply(&new, &more);
        all = output::between(bytes, &new);
    }
    Vec::new()
}

/// The limit of repetitions. A text that has not settled by then oscillates and stays unchanged.
const MAX_TURNS: u32 = 4;

fn once(text: &pieces::Text, style: &Style) -> Vec<Edit> {
    let partner = brackets::partners(text);
    let roles = roles::roles(text, &partner);
    let before = lines::lines(text, &roles, &partner, style);
    let places = comments::places(text, &before, &roles, style);
    output::edits(text, &places, style)
}

/// Returns the edits of [`edits`] on the lines of a range. A line that starts at the end of the range is not included.
pub fn edits_in(bytes: &[u8], style: &Style, range: Range<u32>) -> Vec<Edit> {
    let bytes = &*wgc_frontend::with_line_feeds(bytes);
    let line = |at: u32| bytes[..(at as usize).min(bytes.len())].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
    let first = line(range.start) as u32;
    let end = (range.end as usize).min(bytes.len());
    let is_behind_line = range.start < range.end && bytes[..end].last() == Some(&b'\n');
    let end = end - usize::from(is_behind_line);
    let last = bytes[end..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| end + n) as u32;
    let mut all = edits(bytes, style);
    all.retain(|edit| edit.range.end >= first && edit.range.start <= last);
    all
}
