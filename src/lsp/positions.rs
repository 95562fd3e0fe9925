//! Lines and columns of a text, in the units that client and server agreed on.

use line_index::{LineCol, LineIndex, TextSize, WideEncoding, WideLineCol};

/// The unit of columns.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    Utf8,
    /// The default of the protocol.
    #[default]
    Utf16,
}

/// A line and a column, both from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u32,
    pub column: u32,
}

/// The lines of one text.
#[derive(Clone, Debug)]
pub struct Lines {
    index: LineIndex,
    text: String,
    encoding: Encoding,
}

impl Lines {
    /// Splits a text into lines. Each byte that is not UTF-8 counts as a character.
    pub fn new(bytes: &[u8], encoding: Encoding) -> Lines {
        let text = crate::report::displayable(bytes);
        Lines { index: LineIndex::new(&text), text, encoding }
    }

    /// Returns the position of a byte, or the end of the text for a byte after it.
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let at = self.index.line_col(TextSize::from(offset as u32));
        let column = match self.wide() {
            None => at.col,
            Some(wide) => self.index.to_wide(wide, at).map_or(at.col, |at| at.col),
        };
        Position { line: at.line, column }
    }

    /// Returns the byte at a position. Columns after the end of a line map to that end, lines after the last one to the
    /// end of the text.
    pub fn offset(&self, at: Position) -> u32 {
        let Some(line) = self.index.line(at.line) else { return self.text.len() as u32 };
        let (start, mut end) = (u32::from(line.start()) as usize, u32::from(line.end()) as usize);
        let bytes = self.text.as_bytes();
        while end > start && matches!(bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        let narrow = match self.wide() {
            None => Some(LineCol { line: at.line, col: at.column }),
            Some(wide) => self.index.to_utf8(wide, WideLineCol { line: at.line, col: at.column }),
        };
        let inside = narrow.map_or(end, |at| start.saturating_add(at.col as usize).min(end));
        // A position inside a character, such as between UTF-16 surrogates, maps to its start.
        (start..=inside).rev().find(|offset| self.text.is_char_boundary(*offset)).unwrap_or(start) as u32
    }

    fn wide(&self) -> Option<WideEncoding> {
        match self.encoding {
            Encoding::Utf8 => None,
            Encoding::Utf16 => Some(WideEncoding::Utf16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_the_negotiated_encoding() {
        // Characters of two, three and four bytes; one, one and two units of UTF-16.
        let text = "a\u{e9}\u{20ac}\u{1f600}b\r\nc".as_bytes();
        let of = |encoding| {
            let lines = Lines::new(text, encoding);
            [0, 1, 3, 6, 10, 13].map(|offset| {
                let at = lines.position(offset);
                assert_eq!(lines.offset(at), offset);
                (at.line, at.column)
            })
        };
        assert_eq!(of(Encoding::Utf8), [(0, 0), (0, 1), (0, 3), (0, 6), (0, 10), (1, 0)]);
        assert_eq!(of(Encoding::Utf16), [(0, 0), (0, 1), (0, 2), (0, 3), (0, 5), (1, 0)]);
    }

    #[test]
    fn lines_end_at_cr_lf_or_crlf() {
        let lines = Lines::new(b"a\rb\r\nc\nd\r", Encoding::Utf16);
        let at = |offset| (lines.position(offset).line, lines.position(offset).column);
        assert_eq!([0, 2, 5, 7, 9].map(at), [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0)]);
        assert_eq!(lines.offset(Position { line: 1, column: 9 }), 3);
    }

    #[test]
    fn out_of_range_positions_are_clamped() {
        let lines = Lines::new(b"ab\r\n\r\n\xff!", Encoding::Utf16);
        let offset = |line, column| lines.offset(Position { line, column });
        assert_eq!([offset(0, 9), offset(1, 1), offset(2, 1), offset(2, 7), offset(3, 0)], [2, 4, 7, 8, 8]);
        assert_eq!(lines.position(99), Position { line: 2, column: 2 });
        let lines = Lines::new("\u{1f600}".as_bytes(), Encoding::Utf16);
        assert_eq!(lines.offset(Position { line: 0, column: 1 }), 0, "between the halves");
        assert_eq!(lines.position(2), Position { line: 0, column: 0 });
    }
}
