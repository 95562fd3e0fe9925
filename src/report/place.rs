//! Byte ranges as lines and columns, for machine-readable formats.
//!
//! Lines and columns count from 1. Columns count Unicode characters. A byte outside UTF-8 counts as one, a byte-order
//! mark does not count.

use super::{BYTE_ORDER_MARK, TextOf, displayable, renumbered};
use indexmap::IndexMap;
use std::cell::Cell;
use std::sync::Arc;
use wgc_sema::db::diagnostic::FileRange;

/// The location of a range. Its end is exclusive, and equals the start if the range is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineRange {
    pub file: Arc<str>,
    pub line: usize,
    pub column: usize,
    pub end_line: usize,
    pub end_column: usize,
}

/// A cache of files and their lines.
pub struct Places<'a> {
    text_of: TextOf<'a>,
    files: IndexMap<Arc<str>, File>,
}

struct File {
    text: String,
    /// The start of each line, in bytes of `text`.
    lines: Vec<usize>,
    /// The number of bytes before `text`.
    mark: usize,
    /// The last searched offset, and the number of characters before it in its line.
    last: Cell<(usize, usize)>,
}

impl File {
    fn new(bytes: &[u8]) -> File {
        let rest = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let text = displayable(rest);
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        File { mark: bytes.len() - rest.len(), text, lines, last: Cell::new((0, 0)) }
    }

    /// Returns line and column of a byte, or those of the end for a byte after it.
    fn position(&self, at: u32) -> (usize, usize) {
        let at = (at as usize).saturating_sub(self.mark).min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= at);
        let start = self.lines[line - 1];
        // Messages come in the order of the text, and a long line may have many.
        let (from, before) = match self.last.get() {
            (last, column) if (start..=at).contains(&last) => (last, column),
            _ => (start, 0),
        };
        let column = before + self.text[from..].char_indices().take_while(|(i, _)| from + *i < at).count();
        if self.text.is_char_boundary(at) {
            self.last.set((at, column));
        }
        (line, column + 1)
    }
}

impl<'a> Places<'a> {
    pub fn new(text_of: TextOf<'a>) -> Places<'a> {
        Places { text_of, files: IndexMap::new() }
    }

    /// Returns the location of a range, as renamed by `#line`.
    pub fn find(&mut self, range: &FileRange) -> LineRange {
        let mut place = self.physical(range);
        if let Some(named) = &range.named {
            place.file = named.file.clone();
            (place.line, place.end_line) = (renumbered(place.line, named), renumbered(place.end_line, named));
        }
        place
    }

    /// Returns the location in the file that was read, for edits.
    pub fn physical(&mut self, range: &FileRange) -> LineRange {
        let file = self.files.entry(range.file.clone()).or_insert_with_key(|path| File::new(&(self.text_of)(path)));
        let ((line, column), (end_line, end_column)) = (file.position(range.lo), file.position(range.hi));
        LineRange { file: range.file.clone(), line, column, end_line, end_column }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters() {
        let file = File::new("\u{feff}a\u{e9}b\n\n  \u{1f600}x".as_bytes());
        // Bytes: mark 0-2, a 3, e-acute 4-5, b 6, newline 7, newline 8, spaces 9-10, emoji 11-14, x 15.
        let at = |n| file.position(n);
        assert_eq!([at(0), at(3), at(4), at(6), at(7)], [(1, 1), (1, 1), (1, 2), (1, 3), (1, 4)]);
        assert_eq!([at(8), at(9), at(11), at(15), at(16), at(99)], [(2, 1), (3, 1), (3, 3), (3, 4), (3, 5), (3, 5)]);
        assert_eq!(File::new(b"\xff\xffz").position(2), (1, 3));
    }
}
