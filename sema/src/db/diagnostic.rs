//! A diagnostic as a value, before and after its places become file ranges.
//!
//! Queries return [`Diagnostic`]s, whose places are token ranges within an item; `diagnostics(program)` turns them
//! into [`Rendered`]s. The texts of codes are in [`crate::tables::codes`]; nothing here prints.

use crate::db::def::{At, Place};
use crate::tables::codes::{Code, Severity};
use std::sync::Arc;
use wgc_frontend::ast::Span;

/// One message about one place, with what else the reader must see.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Diagnostic<'db> {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    pub primary: Label<'db>,
    pub secondary: Vec<Label<'db>>,
    pub notes: Vec<String>,
    pub fix: Option<Fix<'db>>,
    /// The primary place is one string literal, and this is what is wrong in it.
    pub inside: Option<Inside>,
}

/// A part of a string literal, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Inside {
    pub at: u32,
    pub len: u32,
    /// Of the text between the quotes. Where the literal has another length, escapes are in between, and all of it is meant.
    pub whole: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Label<'db> {
    pub place: At<'db>,
    /// May be empty.
    pub message: String,
}

/// A change that is certain to be what was meant: the text that replaces the tokens of `place`
/// (or stands before its first token when the span is empty).
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Fix<'db> {
    pub place: Place<'db>,
    pub replacement: String,
    pub message: String,
}

impl<'db> Diagnostic<'db> {
    /// A diagnostic at its code's default severity.
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

    /// Points to a part of the string literal that the primary place is.
    #[must_use]
    pub fn inside(self, inside: Inside) -> Diagnostic<'db> {
        Diagnostic { inside: Some(inside), ..self }
    }

    /// Text at the primary place.
    pub fn label(mut self, message: impl Into<String>) -> Self {
        self.primary.message = message.into();
        self
    }

    /// Another place, with what it has to do with the message.
    pub fn also(mut self, place: impl Into<At<'db>>, message: impl Into<String>) -> Self {
        self.secondary.push(Label { place: place.into(), message: message.into() });
        self
    }

    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    pub fn fix(mut self, place: Place<'db>, replacement: impl Into<String>, message: impl Into<String>) -> Self {
        self.fix = Some(Fix { place, replacement: replacement.into(), message: message.into() });
        self
    }

    /// Another word was meant at a place, which is as likely as a slip can be.
    pub fn meant(self, place: Place<'db>, word: &str) -> Self {
        self.label(format!("did you mean `{word}`?")).fix(place, word, format!("write `{word}`"))
    }

    /// An attribute has no business where it is. Its brackets stand around the place.
    pub fn remove_attribute(self, place: Place<'db>, name: &str) -> Self {
        let Span { lo, hi } = place.span;
        let span = Span { lo: lo.saturating_sub(1), hi: hi + 1 };
        self.fix(Place { span, ..place }, "", format!("remove `{name}`"))
    }

    /// Another attribute is missing in front of one.
    pub fn add_attribute(self, place: Place<'db>, text: &str) -> Self {
        let span = Span { lo: place.span.lo.saturating_sub(1), ..place.span };
        self.insert(Place { span, ..place }, &format!("{text} "), format!("add `{text}`"))
    }

    /// Text that is missing in front of a place.
    pub fn insert(self, place: Place<'db>, text: &str, message: impl Into<String>) -> Self {
        let lo = place.span.lo;
        self.fix(Place { span: Span { lo, hi: lo }, ..place }, text, message)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    pub fn severity(mut self, severity: Severity) -> Self {
        self.severity = severity;
        self
    }
}

/// A diagnostic with positions in files: what a terminal, an editor or JSON shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rendered {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// The first is the primary one; there is at least one.
    pub labels: Vec<RenderedLabel>,
    pub notes: Vec<String>,
    pub fix: Option<RenderedFix>,
}

impl Rendered {
    /// The same with long names and numbers cut, each followed by its length: a text may have words of any length, and
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

/// Bytes between two backquotes that a message repeats.
const LONGEST_QUOTE: usize = 256;
/// Bytes of a longer text that are shown.
const SHOWN_OF_QUOTE: usize = 64;
/// Bytes of a message, whatever it quotes.
const LONGEST_MESSAGE: usize = 8192;

/// Cuts what stands between backquotes, and the whole.
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

/// No more than so many bytes of the start, whole characters.
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
    /// What the text calls these lines.
    pub named: Option<LineName>,
}

/// What `#line` says of lines: the name of their file, and what their numbers are beyond the physical ones.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineName {
    pub file: Arc<str>,
    pub shift: i64,
}

impl FileRange {
    /// Bytes of a file whose lines are called what they are.
    pub fn new(file: Arc<str>, lo: u32, hi: u32) -> FileRange {
        FileRange { file, lo, hi, named: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RenderedLabel {
    pub range: FileRange,
    pub message: String,
    /// Macro expansions that the tokens went through, innermost first: the macro's name, and what in its definition (or
    /// among its arguments) was written there.
    pub trail: Vec<(String, FileRange)>,
    /// The names in the `#include`s that lead to the file, innermost first.
    pub included: Vec<FileRange>,
}

impl RenderedLabel {
    /// The macro expansions of the trail that show another text than the label does: an argument was written where it
    /// points already.
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
        // A character of two bytes at the cut is left out whole.
        let wide = shorten(&format!("`a{}`", "\u{e9}".repeat(LONGEST_QUOTE)));
        assert_eq!(wide, format!("`a{}.. (513 bytes)`", "\u{e9}".repeat(31)));
        let many = shorten(&"`name`, ".repeat(2000));
        assert!(many.len() < LONGEST_MESSAGE + 32 && many.ends_with("(16000 bytes)"), "{many}");
    }
}
