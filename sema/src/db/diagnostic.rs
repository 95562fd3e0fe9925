//! Diagnostics as values, before and after their locations become file ranges.
//!
//! Queries return [`Diagnostic`]s, whose locations are token ranges within an item. `diagnostics(program)` turns them
//! into [`Rendered`]s. The texts of codes are in [`crate::tables::codes`]; nothing here prints.

use crate::db::def::{At, SourcePlace};
use crate::tables::codes::{Code, Severity};
use std::sync::Arc;
use wgc_frontend::ast::Span;

/// One message about one location, with related locations and notes.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Diagnostic<'db> {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    pub primary: Label<'db>,
    pub secondary: Vec<Label<'db>>,
    pub notes: Vec<String>,
    pub fix: Option<Fix<'db>>,
    /// The wrong part of the string literal at the primary location, if that is one.
    pub inside: Option<Inside>,
}

/// A part of a string literal, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inside {
    pub at: u32,
    pub len: u32,
    /// The length of the text between the quotes. If the literal's length differs, it contains escapes, and the whole
    /// literal is marked.
    pub whole: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Label<'db> {
    pub place: At<'db>,
    /// May be empty.
    pub message: String,
}

/// A change that is certain to be the intended one. The text replaces the tokens of `place`, or goes before its first
/// token when the span is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Fix<'db> {
    pub place: SourcePlace<'db>,
    pub replacement: String,
    pub message: String,
}

impl<'db> Diagnostic<'db> {
    /// Creates a diagnostic with its code's default severity.
    pub fn new(code: Code, place: impl Into<At<'db>>, message: impl Into<String>) -> Diagnostic<'db> {
        Diagnostic {
            code,
            severity: code.row().severity,
            message: message.into(),
            primary: Label { place: place.into(), message: String::new() },
            secondary: Vec::new(),
            notes: Vec::new(),
            fix: None,
            inside: None,
        }
    }

    /// Points to a part of the string literal at the primary location.
    #[must_use]
    pub fn inside(self, inside: Inside) -> Diagnostic<'db> {
        Diagnostic { inside: Some(inside), ..self }
    }

    /// Sets the text at the primary location.
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// Adds a related location and its message.
    pub fn also(mut self, place: impl Into<At<'db>>, message: impl Into<String>) -> Self {
        self.secondary.push(Label { place: place.into(), message: message.into() });
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn fix(mut self, place: SourcePlace<'db>, replacement: impl Into<String>, message: impl Into<String>) -> Self {
        self.fix = Some(Fix { place, replacement: replacement.into(), message: message.into() });
        self
    }

    /// Suggests a similar word at a location, with a fix.
    pub fn meant(self, place: SourcePlace<'db>, word: &str) -> Self {
        self.label(format!("did you mean `{word}`?")).fix(place, word, format!("write `{word}`"))
    }

    /// Adds a fix that removes a misplaced attribute. The attribute's brackets surround the location.
    pub fn remove_attribute(self, place: SourcePlace<'db>, name: &str) -> Self {
        self.remove_brackets(place, format!("remove `{name}`"))
    }

    /// Adds a fix with a message of its own that removes an attribute. Its brackets surround the location.
    pub fn remove_brackets(self, place: SourcePlace<'db>, message: String) -> Self {
        let Span { lo, hi } = place.span;
        let span = Span { lo: lo.saturating_sub(1), hi: hi + 1 };
        self.fix(SourcePlace { span, ..place }, "", message)
    }

    /// Adds a fix that inserts a missing attribute before another one.
    pub fn add_attribute(self, place: SourcePlace<'db>, text: &str) -> Self {
        let span = Span { lo: place.span.lo.saturating_sub(1), ..place.span };
        self.insert(SourcePlace { span, ..place }, &format!("{text} "), format!("add `{text}`"))
    }

    /// Adds a fix that inserts missing text before a location.
    pub fn insert(self, place: SourcePlace<'db>, text: &str, message: impl Into<String>) -> Self {
        let lo = place.span.lo;
        self.fix(SourcePlace { span: Span { lo, hi: lo }, ..place }, text, message)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// A diagnostic with positions in files, for terminals, editors and JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rendered {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The labels, at least one. The first is the primary one.
    pub labels: Vec<RenderedLabel>,
    pub notes: Vec<String>,
    pub fix: Option<RenderedFix>,
}

impl Rendered {
    /// Cuts long names and numbers and appends the length of each. A program may have words of any length, and
    /// messages repeat them.
    #[must_use]
    pub fn shortened(mut self) -> Rendered {
        let labels = self.labels.iter_mut();
        let of_labels = labels.flat_map(|l| l.trail.iter_mut().map(|(name, _)| name).chain([&mut l.message]));
        let texts = [&mut self.message].into_iter().chain(of_labels).chain(&mut self.notes);
        for text in texts.chain(self.fix.iter_mut().map(|fix| &mut fix.message)) {
            if text.len() > LONGEST_QUOTE {
                *text = shorten(text);
            }
        }
        self
    }
}

/// The longest quotation between two backquotes, in bytes.
const LONGEST_QUOTE: usize = 256;
/// The bytes that are shown of a longer quotation.
const SHOWN_OF_QUOTE: usize = 64;
/// The longest message, in bytes.
const LONGEST_MESSAGE: usize = 8192;

/// Cuts text between backquotes, and then the whole message.
fn shorten(text: &str) -> String {
    let mut out = String::new();
    for (n, part) in text.split('`').enumerate() {
        if n > 0 {
            out.push('`');
        }
        if n % 2 == 1 && part.len() > LONGEST_QUOTE {
            out += &format!("{}.. ({} bytes)", start(part, SHOWN_OF_QUOTE), part.len());
        } else {
            out += part;
        }
    }
    if out.len() > LONGEST_MESSAGE {
        out = format!("{}.. ({} bytes)", start(&out, LONGEST_MESSAGE), out.len());
    }
    out
}

/// Returns at most `most` bytes of the start, in whole characters.
fn start(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    &text[..end]
}

/// Bytes `lo..hi` of a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileRange {
    pub file: Arc<str>,
    pub lo: u32,
    pub hi: u32,
    /// The name and numbers of these lines according to `#line`.
    pub named: Option<LineName>,
}

/// The effect of `#line` on lines: the name of their file, and the offset from physical to logical line numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineName {
    pub file: Arc<str>,
    pub shift: i64,
}

impl FileRange {
    /// Returns bytes of a file without `#line`.
    pub fn new(file: Arc<str>, lo: u32, hi: u32) -> FileRange {
        FileRange { file, lo, hi, named: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenderedLabel {
    pub range: FileRange,
    pub message: String,
    /// The macro expansions of the tokens, innermost first. Each has the macro's name and the range in its
    /// definition, or among its arguments, that the tokens come from.
    pub trail: Vec<(String, FileRange)>,
    /// The names in the `#include`s that lead to the file, innermost first.
    pub included: Vec<FileRange>,
}

impl RenderedLabel {
    /// Returns the macro expansions of the trail that show other text than the label. An argument is written at the
    /// label's own location.
    pub fn written_elsewhere(&self) -> impl Iterator<Item = &(String, FileRange)> {
        self.trail.iter().filter(|(_, place)| *place != self.range)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenderedFix {
    pub range: FileRange,
    pub replacement: String,
    pub message: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_short_ones_stay() {
        let quoted = |n: usize| format!("`{}` and `b` differ", "a".repeat(n));
        assert_eq!(shorten(&quoted(LONGEST_QUOTE)), quoted(LONGEST_QUOTE));
        let cut = format!("`{}.. (257 bytes)` and `b` differ", "a".repeat(SHOWN_OF_QUOTE));
        assert_eq!(shorten(&quoted(LONGEST_QUOTE + 1)), cut);
        // A character of two bytes at the cut is left out as a whole.
        let wide = shorten(&format!("`a{}`", "\u{e9}".repeat(LONGEST_QUOTE)));
        assert_eq!(wide, format!("`a{}.. (513 bytes)`", "\u{e9}".repeat(31)));
        let many = shorten(&"`name`, ".repeat(2000));
        assert!(many.len() < LONGEST_MESSAGE + 32 && many.ends_with("(16000 bytes)"), "{many}");
    }
}
