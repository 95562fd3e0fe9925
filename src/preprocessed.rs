//! Preprocessed tokens as text that people can read and compilers accept (`-P`).
//!
//! Line breaks are kept: a token that starts a line in its file starts one here. A short gap becomes empty lines. Any
//! other jump gets a `#line`. Expansions of macros are placed at the use.

use std::fmt::Write;
use std::sync::Arc;
use wgc_frontend::diagnostic::FileId;
use wgc_frontend::preprocess::{Pragma, Unit};
use wgc_frontend::token::TokenKind;

/// The limit of empty lines in a gap; longer gaps get a `#line`.
const MAX_EMPTY_LINES: usize = 4;

/// Path and text of a file.
pub type FileOf<'a> = &'a dyn Fn(FileId) -> Option<(String, Arc<[u8]>)>;

/// Returns the text of the whole unit. It ends with a line break.
pub fn text(unit: &Unit, file_of: FileOf<'_>) -> String {
    let mut out = String::new();
    let mut lines = Lines { file_of, known: None };
    // The location of the current line in its file.
    let mut at: Option<(FileId, usize)> = None;
    let mut pragmas = unit.pragmas.iter().peekable();
    let mut before = String::new();
    for (n, (token, origin)) in unit.tokens.iter().zip(&unit.origins).enumerate() {
        while let Some((_, pragma)) = pragmas.next_if(|p| p.0 as usize <= n) {
            if !out.is_empty() {
                out.push('\n');
            }
            let _ = write!(out, "#pragma {}", pragma_text(pragma));
            at = None;
        }
        let place = unit.place(*origin);
        let line = lines.line(place.file, place.lo as usize);
        let begins = token.line_start || at.is_none_or(|(file, _)| file != place.file);
        if begins && at != Some((place.file, line)) {
            if !out.is_empty() {
                out.push('\n');
            }
            match at {
                Some((file, old)) if file == place.file && old < line && line - old <= MAX_EMPTY_LINES => {
                    out.extend(std::iter::repeat_n('\n', line - old - 1));
                }
                _ => {
                    let path = file_of(place.file).map_or_else(String::new, |f| f.0);
                    let _ = writeln!(out, "#line {line} \"{}\"", path.replace('\\', "\\\\"));
                }
            }
            out.push_str(lines.indentation(place.file, place.lo as usize));
            at = Some((place.file, line));
            before.clear();
        }
        let spelling = token.spelling();
        if !before.is_empty() && needs_space(&before, spelling, token.kind) {
            out.push(' ');
        }
        out.push_str(spelling);
        before.clear();
        before.push_str(spelling);
    }
    out.push('\n');
    for (_, pragma) in pragmas {
        let _ = writeln!(out, "#pragma {}", pragma_text(pragma));
    }
    out
}

fn pragma_text(pragma: &Pragma) -> String {
    match pragma {
        Pragma::PackMatrix { row_major: true } => "pack_matrix(row_major)".into(),
        Pragma::PackMatrix { row_major: false } => "pack_matrix(column_major)".into(),
        Pragma::Other(text) => text.to_string(),
    }
}

/// Returns whether two tokens need a space between them. It is the default, so two tokens never merge.
fn needs_space(before: &str, after: &str, kind: TokenKind) -> bool {
    let tight_before =
        matches!(before, "(" | "[" | "." | "::" | "~") || before == "<" && kind == TokenKind::TemplateClose;
    let tight_after = matches!(after, ";" | "," | ")" | "]" | "[" | "." | "::");
    // `1 .x` and `1.x` differ, and so do `. 5` and `.5`, `. . .` and `...`, `: ::` and `:: :`.
    let digit = |text: &str| text.trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit());
    let joins = match before {
        "." => after == "." || digit(after),
        ":" => after == "::",
        _ => after == "." && digit(before),
    };
    let call = after == "(" && before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    joins || !(tight_before || tight_after || call)
}

/// The lines of the last requested file.
struct Lines<'a> {
    file_of: FileOf<'a>,
    known: Option<(FileId, Arc<[u8]>, Vec<usize>)>,
}

impl Lines<'_> {
    fn starts(&mut self, file: FileId) -> (&[u8], &[usize]) {
        if self.known.as_ref().is_none_or(|known| known.0 != file) {
            let text = (self.file_of)(file).map_or_else(|| Arc::from([]), |f| f.1);
            let breaks = text.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
            let starts = std::iter::once(0).chain(breaks).collect();
            self.known = Some((file, text, starts));
        }
        self.known.as_ref().map_or((&[], &[]), |known| (&known.1, &known.2))
    }

    /// Returns the line number of an offset, from 1.
    fn line(&mut self, file: FileId, offset: usize) -> usize {
        self.starts(file).1.partition_point(|start| *start <= offset)
    }

    /// Returns the white space before a token that starts a line.
    fn indentation(&mut self, file: FileId, offset: usize) -> &'static str {
        const SPACES: &str = "                                ";
        let (text, starts) = self.starts(file);
        let start = starts[..starts.partition_point(|start| *start <= offset)].last().copied().unwrap_or(0);
        let blank = text.get(start..offset).unwrap_or_default().iter().take_while(|b| matches!(b, b' ' | b'\t'));
        let width: usize = blank.map(|b| if *b == b'\t' { 4 } else { 1 }).sum();
        &SPACES[..width.min(SPACES.len())]
    }
}
