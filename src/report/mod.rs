//! Diagnostics for people and programs.
//!
//! The values come from `wgc_sema`; the modules here only format them: [`human`] with source lines, [`json`] one object
//! a line, [`sarif`] one document for tools that collect findings.

mod human;
mod json;
mod place;
mod sarif;
mod visible;

use codespan_reporting::term::termcolor::{NoColor, WriteColor};
use std::io;
use std::sync::Arc;
use wgc_sema::db::diagnostic::{LineName, Rendered};
use wgc_sema::tables::codes::Severity;

pub use json::plain;
pub use sarif::{Log, artifact};
pub use visible::{Visible, visible};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With source lines.
    Human,
    /// One line a message.
    Short,
    /// One JSON object a line, see [`json`].
    Json,
    /// SARIF 2.1.0, see [`sarif`].
    Sarif,
}

impl Format {
    /// Finds a format by its name in `--message-format`.
    pub fn find(name: &str) -> Option<Format> {
        FORMATS.iter().find(|f| f.0 == name).map(|f| f.1)
    }

    /// Returns whether programs read this format.
    pub fn is_for_machines(self) -> bool {
        matches!(self, Format::Json | Format::Sarif)
    }
}

/// The values of `--message-format`.
pub const FORMATS: &[(&str, Format)] =
    &[("human", Format::Human), ("short", Format::Short), ("json", Format::Json), ("sarif", Format::Sarif)];

/// The default of `--error-limit`: more errors would hide the important ones.
pub const ERROR_LIMIT: usize = 100;

/// A function that returns the text of a file that a diagnostic points into.
pub type TextOf<'a> = &'a dyn Fn(&str) -> Arc<[u8]>;

/// The reason why messages could not be written.
#[derive(Debug)]
pub enum WriteError {
    Io(io::Error),
    /// A diagnostic points outside its file: a bug in wgc.
    LineRange(String),
}

impl From<io::Error> for WriteError {
    fn from(e: io::Error) -> Self {
        WriteError::Io(e)
    }
}

/// Counts the errors among diagnostics.
pub fn errors(diagnostics: &[Rendered]) -> usize {
    diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
}

/// Returns the diagnostics up to `limit` errors, and the number of omitted ones. 0 means no limit.
pub fn limited(diagnostics: &[Rendered], limit: usize) -> (&[Rendered], usize) {
    let over = diagnostics.iter().enumerate().filter(|(_, d)| d.severity == Severity::Error).nth(limit);
    let shown = over.filter(|_| limit > 0).map_or(diagnostics.len(), |(n, _)| n);
    (&diagnostics[..shown], diagnostics.len() - shown)
}

/// Writes diagnostics as lines, up to `limit` errors (0: all).
///
/// # Panics
/// Never. For [`Format::Sarif`] nothing is written, because a [`Log`] creates that document.
pub fn write(
    out: &mut dyn WriteColor,
    diagnostics: &[Rendered],
    format: Format,
    limit: usize,
    text_of: TextOf<'_>,
) -> Result<(), WriteError> {
    let (shown, left_out) = limited(diagnostics, limit);
    match format {
        Format::Human | Format::Short => human::write(&mut Visible(&mut *out), shown, format, text_of)?,
        Format::Json => json::write(out, shown, text_of)?,
        Format::Sarif => return Ok(()),
    }
    match (left_out, format) {
        (0, _) | (_, Format::Json) => {}
        (1, _) => writeln!(out, "... and 1 more message (--error-limit=0 shows all)")?,
        (n, _) => writeln!(out, "... and {n} more messages (--error-limit=0 shows all)")?,
    }
    Ok(())
}

/// Returns all diagnostics as plain text.
pub fn to_string(diagnostics: &[Rendered], format: Format, text_of: TextOf<'_>) -> String {
    let mut out = NoColor::new(Vec::new());
    match write(&mut out, diagnostics, format, 0, text_of) {
        Ok(()) => String::from_utf8_lossy(&out.into_inner()).into_owned(),
        // The messages matter more than their format.
        Err(e) => diagnostics.iter().map(|d| format!("{}\n", d.message)).collect::<String>() + &format!("({e:?})\n"),
    }
}

/// Converts bytes to text, whose lines end with a line feed. Each byte that is not UTF-8 is replaced by one byte, so that
/// offsets stay valid.
pub(crate) fn displayable(bytes: &[u8]) -> String {
    let bytes = &*wgc_frontend::with_line_feeds(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        return text.to_owned();
    }
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    out
}

/// Returns the line number after `#line`, which is at least 1: `#line 0` is accepted, but readers of positions know no
/// line 0. SARIF and most readers have lines of 31 bits.
fn renumbered(line: usize, named: &LineName) -> usize {
    let line = i64::try_from(line).unwrap_or(i64::MAX).saturating_add(named.shift);
    line.clamp(1, i64::from(i32::MAX)) as usize
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_sema::tables::codes::Code;

    #[test]
    fn bytes_outside_utf8_keep_their_offsets() {
        assert_eq!(displayable(b"a\xff\xfeb\xc3\xa9"), "a??b\u{e9}");
    }

    #[test]
    fn error_limit_omits_everything_from_the_next_error() {
        let of = |severity| Rendered {
            code: Code::Syntax,
            severity,
            message: String::new(),
            labels: Vec::new(),
            notes: Vec::new(),
            fix: None,
        };
        use Severity::{Error, Warning};
        let all: Vec<_> = [Warning, Error, Warning, Error, Warning].map(of).into();
        assert_eq!([0, 1, 2, 3].map(|n| limited(&all, n).1), [0, 2, 0, 0]);
        assert_eq!(limited(&all[..1], 1).0.len(), 1);
    }
}
