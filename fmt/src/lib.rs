//! The formatter: white space of an HLSL file laid out anew.
//!
//! It works on the tokens as they stand in the file, with their comments and directives, so that any file can be formatted:
//! half-typed ones, both branches of a conditional, what macros stand for nowhere. No token changes, and no comment but for
//! white space at its ends and in front of its lines; what comes out is compared with what went in, and if that ever failed
//! the file would stay as it is.
//!
//! ```text
//! bytes -> pieces -> partners of brackets -> roles -> lines (statements, wrapped) -> comments aligned -> edits
//! ```
//!
//! Where the file ends lines within a statement, they mostly stay ended; lines that are too long are broken where
//! that costs least; statements have lines of their own. So formatting twice is formatting once (and where it is not, since
//! the text is no program, it is done again here), and takes time by the length of the file.

#![forbid(unsafe_code)]

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

/// A file with its white space laid out anew.
pub fn format(bytes: &[u8], style: &Style) -> Vec<u8> {
    apply(bytes, &edits(bytes, style))
}

/// The white space of a file that changes, in order. A file in an encoding that is not read has none.
///
/// Of a text that is no program the new lines can be read in another way than the old ones: then it is laid out until
/// nothing changes any more.
pub fn edits(bytes: &[u8], style: &Style) -> Vec<Edit> {
    let tab = style.indent.max(1);
    let Some(text) = pieces::pieces(bytes, tab) else { return Vec::new() };
    let mut all = once(&text, style);
    let mut new = apply(bytes, &all);
    for _ in 0..MOST_TURNS {
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

/// What is not settled then goes round in circles, and stays as it is.
const MOST_TURNS: u32 = 4;

fn once(text: &pieces::Text, style: &Style) -> Vec<Edit> {
    let partner = brackets::partners(text);
    let roles = roles::roles(text, &partner);
    let before = lines::lines(text, &roles, &partner, style);
    let places = comments::places(text, &before, &roles, style);
    output::edits(text, &places, style)
}

/// The edits of [`edits`] on the lines of a range; the line that it ends in front of is not one of them.
pub fn edits_in(bytes: &[u8], style: &Style, range: Range<u32>) -> Vec<Edit> {
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
