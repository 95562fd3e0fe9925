//! A file as a sequence of pieces with white space between them: tokens, comments and whole directives.
//!
//! A piece is everything that formatting must keep. The gaps between pieces are rewritten.

use wgc_frontend::spelled::{Spelled, SpellingShape, spelled};
use wgc_frontend::token::Sym;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Word,
    Number,
    Text,
    Sym(Sym),
    /// An unterminated literal, which ends with its line, or an unterminated comment, which ends with the file.
    Open,
    /// A `#` that starts no directive.
    Hash,
    Other,
    LineComment,
    BlockComment,
    Directive(Directive),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive {
    /// `#if`, `#ifdef`, `#ifndef`
    If,
    /// `#elif`, `#else`
    Else,
    EndIf,
    Other,
}

#[derive(Clone, Debug)]
pub struct Piece {
    pub kind: PieceKind,
    pub lo: u32,
    pub hi: u32,
    /// The number of line breaks between the previous piece and this one.
    pub newlines: u32,
    /// The start column, with tabs expanded.
    pub column: u32,
    /// The number of characters of the first line, and of the last line if there are several.
    pub width: u32,
    pub last_width: Option<u32>,
    /// The white space before the piece stays, because formatting is off or the text is never read.
    pub raw: bool,
    /// A backslash ends a line before the piece, so the white space there stays.
    pub continues: bool,
}

impl Piece {
    pub fn is(&self, sym: Sym) -> bool {
        self.kind == PieceKind::Sym(sym)
    }

    pub fn is_comment(&self) -> bool {
        matches!(self.kind, PieceKind::LineComment | PieceKind::BlockComment)
    }

    pub fn is_token(&self) -> bool {
        !self.is_comment() && !matches!(self.kind, PieceKind::Directive(_))
    }

    /// Returns whether nothing may follow the piece on its line.
    pub fn ends_line(&self) -> bool {
        matches!(self.kind, PieceKind::LineComment | PieceKind::Open | PieceKind::Directive(_))
    }
}

pub struct Text<'t> {
    pub bytes: &'t [u8],
    pub pieces: Vec<Piece>,
    /// The offset after a byte-order mark.
    pub start: u32,
}

impl Text<'_> {
    pub fn of(&self, index: usize) -> &[u8] {
        self.pieces.get(index).map_or(&[], |piece| &self.bytes[piece.lo as usize..piece.hi as usize])
    }

    /// Returns the range of white space before a piece, or after the last one.
    pub fn gap(&self, index: usize) -> std::ops::Range<u32> {
        let lo = index.checked_sub(1).map_or(self.start, |before| self.pieces[before].hi);
        lo..self.pieces.get(index).map_or(self.bytes.len() as u32, |piece| piece.lo)
    }
}

/// Splits a text into pieces. Returns `None` if it cannot be laid out: another encoding, or comments that only the
/// lexer can follow.
pub fn pieces(bytes: &[u8], tab: u32) -> Option<Text<'_>> {
    let tokens = spelled(bytes)?;
    let start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let mut scan = Scan {
        bytes,
        at: start,
        pieces: Vec::with_capacity(tokens.len()),
        newlines: 0,
        continues: false,
        column: 0,
        tab,
    };
    let mut rest = tokens.iter().peekable();
    while let Some(token) = rest.next() {
        scan.gap(token.lo as usize)?;
        if token.shape == SpellingShape::Hash && token.starts_line {
            let of_line = |next: &Spelled| !next.starts_line;
            while rest.next_if(|next| of_line(next)).is_some() {}
            let end = rest.peek().map_or(bytes.len(), |next| next.lo as usize);
            scan.directive(end)?;
        } else {
            // An unterminated literal ends before the line break, and CR is part of that break.
            let text = &bytes[token.lo as usize..token.hi as usize];
            let has_break = token.shape == SpellingShape::Open && !text.starts_with(b"/*") && text.ends_with(b"\r");
            scan.push(kind(token.shape), token.hi as usize - usize::from(has_break));
        }
    }
    scan.gap(bytes.len())?;
    let mut text = Text { bytes, pieces: scan.pieces, start: start as u32 };
    mark_raw(&mut text);
    Some(text)
}

fn kind(shape: SpellingShape) -> PieceKind {
    match shape {
        SpellingShape::Word => PieceKind::Word,
        SpellingShape::Number => PieceKind::Number,
        SpellingShape::Text => PieceKind::Text,
        SpellingShape::Open => PieceKind::Open,
        SpellingShape::Sym(sym) => PieceKind::Sym(sym),
        SpellingShape::Hash => PieceKind::Hash,
        SpellingShape::Other => PieceKind::Other,
    }
}

struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
    pieces: Vec<Piece>,
    newlines: u32,
    continues: bool,
    column: u32,
    tab: u32,
}

/// Returns the length of a backslash and the following line break, in bytes.
fn continuation(bytes: &[u8]) -> usize {
    match bytes {
        [b'\\', b'\n', ..] => 2,
        [b'\\', b'\r', b'\n', ..] => 3,
        _ => 0,
    }
}

/// Counts the characters of a text; an invalid byte counts as one.
fn width(bytes: &[u8]) -> u32 {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count() as u32
}

impl Scan<'_> {
    fn push(&mut self, kind: PieceKind, end: usize) {
        let text = &self.bytes[self.at..end];
        let first = text.split(|b| *b == b'\n').next().unwrap_or_default();
        let last = (first.len() < text.len()).then(|| text.rsplit(|b| *b == b'\n').next().unwrap_or_default());
        let piece = Piece {
            kind,
            lo: self.at as u32,
            hi: end as u32,
            newlines: self.newlines,
            column: self.column,
            width: width(first),
            last_width: last.map(width),
            raw: false,
            continues: std::mem::take(&mut self.continues),
        };
        self.column = piece.last_width.unwrap_or(self.column + piece.width);
        self.newlines = 0;
        self.at = end;
        self.pieces.push(piece);
    }

    /// Scans white space and comments up to the next token.
    fn gap(&mut self, end: usize) -> Option<()> {
        while self.at < end {
            let rest = &self.bytes[self.at..end];
            match rest {
                [b'\n', ..] => {
                    self.newlines += 1;
                    self.column = 0;
                    self.at += 1;
                }
                [b'\t', ..] => {
                    self.column = (self.column / self.tab + 1) * self.tab;
                    self.at += 1;
                }
                [b' ' | b'\r' | 0x0b | 0x0c, ..] => {
                    self.column += 1;
                    self.at += 1;
                }
                [b'/', b'/', ..] => self.push(PieceKind::LineComment, self.at + line_comment(rest)),
                [b'/', b'*', ..] => {
                    let close = rest[2..].windows(2).position(|two| two == b"*/")?;
                    self.push(PieceKind::BlockComment, self.at + close + 4);
                }
                _ => match continuation(rest) {
                    0 => return None,
                    bytes => {
                        self.column = 0;
                        self.newlines += 1;
                        self.continues = true;
                        self.at += bytes;
                    }
                },
            }
        }
        Some(())
    }

    /// Scans a directive from its `#` to the end of its line. Returns `None` if it contains an unterminated comment.
    fn directive(&mut self, limit: usize) -> Option<()> {
        let text = &self.bytes[self.at..limit];
        let mut end = 0;
        while end < text.len() && text[end] != b'\n' {
            let rest = &text[end..];
            end += match rest {
                [b'/', b'/', ..] => line_comment(rest),
                [b'/', b'*', ..] => rest[2..].windows(2).position(|two| two == b"*/")? + 4,
                [quote @ (b'"' | b'\''), ..] => literal(rest, *quote),
                _ => continuation(rest).max(1),
            };
        }
        let trimmed = trimmed(&text[..end.min(text.len())]);
        let word = trimmed[1..].iter().skip_while(|b| matches!(b, b' ' | b'\t'));
        let word: Vec<u8> = word.take_while(|b| b.is_ascii_alphabetic()).copied().collect();
        let kind = match word.as_slice() {
            b"if" | b"ifdef" | b"ifndef" => Directive::If,
            b"elif" | b"else" | b"elifdef" | b"elifndef" => Directive::Else,
            b"endif" => Directive::EndIf,
            _ => Directive::Other,
        };
        self.push(PieceKind::Directive(kind), self.at + trimmed.len());
        Some(())
    }
}

/// Returns the length of a line comment in bytes, without trailing white space.
fn line_comment(text: &[u8]) -> usize {
    let mut end = 0;
    while end < text.len() && text[end] != b'\n' {
        end += continuation(&text[end..]).max(1);
    }
    trimmed(&text[..end.min(text.len())]).len()
}

/// Removes blanks at the end. Blanks after a backslash stay, since it would join lines otherwise. The CR of a line
/// break also stays.
fn trimmed(text: &[u8]) -> &[u8] {
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let blanks = text.iter().rev().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)).count();
    let kept = &text[..text.len() - blanks];
    if kept.ends_with(b"\\") { text } else { kept }
}

/// Returns the length of a literal in bytes. The end of the line ends it at the latest.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut end = 1;
    while end < text.len() && !matches!(&text[end..], [b'\n', ..] | [b'\r', b'\n', ..]) {
        match text[end] {
            b'\\' => end += continuation(&text[end..]).max(2).min(text.len() - end),
            byte if byte == quote => return end + 1,
            _ => end += 1,
        }
    }
    end
}

/// Marks the pieces between `// wgc-fmt off` and `// wgc-fmt on`, and those that `#if 0` excludes.
fn mark_raw(text: &mut Text) {
    let mut off = false;
    // The depth of conditionals inside the excluded one.
    let mut out: Option<u32> = None;
    for index in 0..text.pieces.len() {
        let kind = text.pieces[index].kind;
        let mut raw = off;
        match (kind, &mut out) {
            (PieceKind::Directive(Directive::If), Some(depth)) => *depth += 1,
            (PieceKind::Directive(Directive::EndIf), Some(depth)) if *depth > 0 => *depth -= 1,
            (PieceKind::Directive(Directive::EndIf | Directive::Else), Some(0)) => out = None,
            (PieceKind::Directive(Directive::If), None) if is_zero(text.of(index)) => {
                text.pieces[index].raw = raw;
                out = Some(0);
                continue;
            }
            (PieceKind::LineComment | PieceKind::BlockComment, None) => match switch(text.of(index)) {
                Some(true) => off = false,
                Some(false) => {
                    // The comment itself is still laid out.
                    text.pieces[index].raw = raw;
                    off = true;
                    continue;
                }
                None => {}
            },
            _ => {}
        }
        raw |= out.is_some();
        text.pieces[index].raw = raw;
    }
}

/// Returns whether the directive is `#if 0`.
fn is_zero(directive: &[u8]) -> bool {
    let text = String::from_utf8_lossy(directive);
    let words: Vec<&str> = text.trim_start_matches('#').split_whitespace().take(3).collect();
    matches!(words.as_slice(), ["if", "0"]) || matches!(words.as_slice(), ["if", "0", more] if more.starts_with('/'))
}

/// Returns whether a comment turns formatting on or off.
fn switch(comment: &[u8]) -> Option<bool> {
    let text = std::str::from_utf8(comment).ok()?;
    let words = text.trim_start_matches(['/', '*']).trim_end_matches(['/', '*']).trim();
    let state = words.strip_prefix("wgc-fmt").or_else(|| words.strip_prefix("clang-format"))?;
    match state.trim_start_matches([' ', ':']) {
        "off" => Some(false),
        "on" => Some(true),
        _ => None,
    }
}
