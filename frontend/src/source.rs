//! Decodes the bytes of a file into text for the lexer: encoding, byte-order mark, line continuations. It maps offsets
//! in that text back to offsets in the file. It has no tokens.

use std::borrow::Cow;

/// The replacement for each invalid UTF-8 byte, which keeps offsets right.
const SUBSTITUTE: char = '\u{1a}';

#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The file without byte-order mark and line continuations.
    pub text: String,
    /// The reason that the file was not read.
    pub refused: Option<String>,
    /// (offset in `text`, number of bytes omitted before it), ascending.
    cuts: Vec<(u32, u32)>,
    /// File offsets of invalid UTF-8 bytes, ascending.
    bad: Vec<u32>,
    /// File offset of each line's first byte.
    lines: Vec<u32>,
}

/// Returns the bytes of a text in which each carriage return without a line feed is a line feed. Both end a line.
pub fn with_line_feeds(bytes: &[u8]) -> Cow<'_, [u8]> {
    let is_alone = |at: usize| bytes.get(at + 1) != Some(&b'\n');
    let returns = || bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\r').map(|(at, _)| at);
    if !returns().any(is_alone) {
        return Cow::Borrowed(bytes);
    }
    let mut out = bytes.to_owned();
    returns().filter(|at| is_alone(*at)).for_each(|at| out[at] = b'\n');
    Cow::Owned(out)
}

impl Source {
    pub fn decode(bytes: &[u8]) -> Source {
        let bytes = &*with_line_feeds(bytes);
        let refuse = |why: &str| Source { refused: Some(why.to_owned()), lines: vec![0], ..Source::default() };
        if bytes.len() >= u32::MAX as usize {
            return refuse("the file is 4 GiB or larger");
        }
        match bytes {
            [0xff, 0xfe, 0, 0, ..] | [0, 0, 0xfe, 0xff, ..] => {
                return refuse("the file is UTF-32, but only UTF-8 is supported");
            }
            [0xff, 0xfe, ..] => return refuse("the file is UTF-16 (little endian), but only UTF-8 is supported"),
            [0xfe, 0xff, ..] => return refuse("the file is UTF-16 (big endian), but only UTF-8 is supported"),
            _ => {}
        }
        let body = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let base = bytes.len() - body.len();
        let mut source = Source::default();
        if base > 0 {
            source.cuts.push((0, base as u32));
        }
        let text = match std::str::from_utf8(body) {
            Ok(text) => text.to_owned(),
            Err(_) => source.substitute(body, base),
        };
        source.lines.push(0);
        source.lines.extend(text.match_indices('\n').map(|(at, _)| (base + at + 1) as u32));
        source.text = source.join_lines(text, base);
        source
    }

    /// Returns the text with each invalid UTF-8 byte replaced.
    fn substitute(&mut self, body: &[u8], base: usize) -> String {
        let mut text = String::with_capacity(body.len());
        for chunk in body.utf8_chunks() {
            text.push_str(chunk.valid());
            for _ in chunk.invalid() {
                self.bad.push((base + text.len()) as u32);
                text.push(SUBSTITUTE);
            }
        }
        text
    }

    /// Removes each backslash together with the line break after it.
    fn join_lines(&mut self, text: String, base: usize) -> String {
        if !text.contains("\\\n") && !text.contains("\\\r\n") {
            return text;
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find('\\') {
            let (before, from) = rest.split_at(at);
            out.push_str(before);
            let cut = if from.starts_with("\\\n") {
                2
            } else if from.starts_with("\\\r\n") {
                3
            } else {
                0
            };
            if cut == 0 {
                out.push('\\');
                rest = &from[1..];
            } else {
                rest = &from[cut..];
                let removed = base + text.len() - rest.len() - out.len();
                self.cuts.push((out.len() as u32, removed as u32));
            }
        }
        out.push_str(rest);
        out
    }

    /// Returns whether the text equals the file: nothing omitted, nothing replaced.
    pub fn is_file(&self) -> bool {
        self.cuts.is_empty() && self.bad.is_empty()
    }

    /// Returns the file offset of the byte at `offset` of the text.
    pub fn original(&self, offset: u32) -> u32 {
        let cuts = self.cuts.partition_point(|cut| cut.0 <= offset);
        offset + cuts.checked_sub(1).map_or(0, |last| self.cuts[last].1)
    }

    /// Returns the file range of a non-empty range of the text.
    pub fn original_range(&self, lo: u32, hi: u32) -> (u32, u32) {
        (self.original(lo), self.original(hi - 1) + 1)
    }

    /// Returns whether an invalid UTF-8 byte is in this range of the file.
    pub fn has_bad_byte(&self, lo: u32, hi: u32) -> bool {
        let first = self.bad.partition_point(|&at| at < lo);
        self.bad.get(first).is_some_and(|&at| at < hi)
    }

    /// Returns the line of a file offset, from 1.
    pub fn line(&self, offset: u32) -> u32 {
        self.lines.partition_point(|&start| start <= offset) as u32
    }

    /// Returns the file offset at which the line of `offset` starts.
    pub fn line_start(&self, offset: u32) -> u32 {
        let line = self.line(offset) as usize;
        line.checked_sub(1).and_then(|index| self.lines.get(index)).copied().unwrap_or(0)
    }

    /// Returns the file offset at which the next line after `offset` starts, or `None` on the last line.
    pub fn next_line_start(&self, offset: u32) -> Option<u32> {
        self.lines.get(self.line(offset) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lone_carriage_returns_end_lines() {
        let source = Source::decode(b"a // b\rc\r\nd\re\\\rf\r");
        assert_eq!(source.text, "a // b\nc\r\nd\nef\n");
        assert_eq!((source.line(5), source.line(7), source.line(10), source.line(15)), (1, 2, 3, 5));
        assert!(matches!(with_line_feeds(b"a\r\nb"), Cow::Borrowed(_)));
    }

    #[test]
    fn offsets_map_back_across_line_continuations() {
        let source = Source::decode(b"ab\\\ncd\\\r\ne\\f");
        assert_eq!(source.text, "abcde\\f");
        let back: Vec<u32> = (0..7).map(|at| source.original(at)).collect();
        assert_eq!(back, [0, 1, 4, 5, 9, 10, 11]);
        assert_eq!(source.original_range(1, 3), (1, 5));
        // A range that ends before a continuation excludes it.
        assert_eq!(source.original_range(0, 2), (0, 2));
        assert_eq!((source.line(1), source.line(4), source.line(9)), (1, 2, 3));
    }

    #[test]
    fn byte_order_marks() {
        let source = Source::decode(b"\xef\xbb\xbfx\\\ny");
        assert_eq!(source.text, "xy");
        assert_eq!((source.original(0), source.original(1)), (3, 6));
        assert!(Source::decode(b"\xff\xfea\0").refused.unwrap().contains("UTF-16 (little endian)"));
        assert!(Source::decode(b"\xfe\xff\0a").refused.unwrap().contains("UTF-16 (big endian)"));
        assert!(Source::decode(b"\xff\xfe\0\0a\0\0\0").refused.unwrap().contains("UTF-32"));
    }

    #[test]
    fn invalid_utf8_bytes_keep_their_positions() {
        let source = Source::decode(b"a\xe9b\xff\xfe");
        assert_eq!(source.text, "a\u{1a}b\u{1a}\u{1a}");
        assert!(source.has_bad_byte(1, 2) && !source.has_bad_byte(2, 3) && source.has_bad_byte(2, 5));
    }
}
