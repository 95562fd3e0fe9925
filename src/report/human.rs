//! Diagnostics as text for a terminal, with source lines or as one line for each message.

use super::{BYTE_ORDER_MARK, Format, TextOf, WriteError, displayable, renumbered};
use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as CodespanSeverity};
use codespan_reporting::files::{Error, SimpleFile};
use codespan_reporting::term::termcolor::WriteColor;
use codespan_reporting::term::{self, DisplayStyle};
use indexmap::IndexMap;
use std::ops::Range;
use std::sync::Arc;
use wgc_sema::db::diagnostic::{FileRange, LineName, Rendered, RenderedLabel};
use wgc_sema::tables::codes::Severity;

/// The limit of bytes in a source line that is shown.
const WIDEST_LINE: usize = 2000;

/// Writes diagnostics one after the other.
pub(super) fn write(
    out: &mut dyn WriteColor,
    diagnostics: &[Rendered],
    format: Format,
    text_of: TextOf<'_>,
) -> Result<(), WriteError> {
    let mut files = Files { ids: IndexMap::new(), files: Shown::default(), text_of };
    let style = if format == Format::Short { DisplayStyle::Short } else { DisplayStyle::Rich };
    let config = term::Config { display_style: style, tab_width: 4, ..term::Config::default() };
    let short = term::Config { display_style: DisplayStyle::Short, ..config.clone() };
    for diagnostic in diagnostics {
        let mut shown = convert(&mut files, diagnostic);
        // A wide source line would be repeated in full: location and message are enough.
        let wide = files.is_wide(&shown);
        if wide {
            shown.labels.truncate(1);
        }
        let config = if wide { &short } else { &config };
        term::emit_to_write_style(out, config, &files.files, &shown).map_err(|e| match e {
            codespan_reporting::files::Error::Io(e) => WriteError::Io(e),
            other => WriteError::LineRange(other.to_string()),
        })?;
    }
    Ok(())
}

/// The files that messages point into. A file with `#line` counts as one file for each name that it uses, so that each
/// is shown with its own line numbers.
struct Files<'a> {
    ids: IndexMap<(Arc<str>, Option<LineName>), usize>,
    files: Shown,
    text_of: TextOf<'a>,
}

#[derive(Default)]
struct Shown(Vec<ShownFile>);

struct ShownFile {
    file: SimpleFile<String, Arc<str>>,
    /// The shift of line numbers.
    named: Option<LineName>,
    /// The length of its byte-order mark in bytes, which is neither shown nor counted as a column.
    mark: usize,
}

impl Shown {
    fn get(&self, id: usize) -> Result<&ShownFile, Error> {
        self.0.get(id).ok_or(Error::FileMissing)
    }
}

impl<'a> codespan_reporting::files::Files<'a> for Shown {
    type FileId = usize;
    type Name = &'a String;
    type Source = &'a str;

    fn name(&'a self, id: usize) -> Result<&'a String, Error> {
        Ok(self.get(id)?.file.name())
    }

    fn source(&'a self, id: usize) -> Result<&'a str, Error> {
        Ok(self.get(id)?.file.source())
    }

    fn line_index(&'a self, id: usize, at: usize) -> Result<usize, Error> {
        self.get(id)?.file.line_index((), at)
    }

    fn line_number(&'a self, id: usize, index: usize) -> Result<usize, Error> {
        let shown = self.get(id)?;
        Ok(shown.named.as_ref().map_or(index + 1, |named| renumbered(index + 1, named)))
    }

    fn line_range(&'a self, id: usize, index: usize) -> Result<Range<usize>, Error> {
        self.get(id)?.file.line_range((), index)
    }
}

impl Files<'_> {
    fn id(&mut self, range: &FileRange) -> usize {
        let key = (range.file.clone(), range.named.clone());
        if let Some(id) = self.ids.get(&key) {
            return *id;
        }
        let bytes = (self.text_of)(&range.file);
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        let name = range.named.as_ref().map_or(&range.file, |named| &named.file).to_string();
        let id = self.files.0.len();
        let file = SimpleFile::new(name, displayable(text).into());
        self.files.0.push(ShownFile { file, named: range.named.clone(), mark: bytes.len() - text.len() });
        self.ids.insert(key, id);
        id
    }

    /// Converts a range to an ID in `files` and a range of the shown text.
    fn range(&mut self, range: &FileRange) -> (usize, Range<usize>) {
        let id = self.id(range);
        let mark = self.files.0.get(id).map_or(0, |shown| shown.mark);
        let shown = |at: u32| (at as usize).saturating_sub(mark);
        (id, shown(range.lo)..shown(range.hi))
    }

    /// Returns a note with the `#include`s that lead to a file.
    fn included(&mut self, by: &[FileRange]) -> Option<String> {
        use codespan_reporting::files::Files as _;
        let mut lines = Vec::new();
        for range in by {
            let (id, place) = self.range(range);
            let line =
                self.files.line_index(id, place.start).and_then(|index| self.files.line_number(id, index)).ok()?;
            lines.push(format!("{}:{line}", self.files.name(id).ok()?));
        }
        (!lines.is_empty()).then(|| format!("included from {}", lines.join(", ")))
    }

    /// Returns whether the message shows a line of machine-made width.
    fn is_wide(&self, diagnostic: &Diagnostic<usize>) -> bool {
        use codespan_reporting::files::Files as _;
        diagnostic.labels.iter().any(|label| {
            let ends = [label.range.start, label.range.end].into_iter();
            ends.filter_map(|at| {
                self.files.line_range(label.file_id, self.files.line_index(label.file_id, at).ok()?).ok()
            })
            .any(|line| line.len() > WIDEST_LINE)
        })
    }
}

fn convert(files: &mut Files<'_>, diagnostic: &Rendered) -> Diagnostic<usize> {
    let severity = match diagnostic.severity {
        Severity::Error => CodespanSeverity::Error,
        Severity::Warning => CodespanSeverity::Warning,
        Severity::Hint => CodespanSeverity::Help,
    };
    let mut labels = Vec::new();
    for (n, label) in diagnostic.labels.iter().enumerate() {
        convert_label(files, label, n == 0, &mut labels);
    }
    let mut notes: Vec<String> = diagnostic.notes.clone();
    notes.extend(diagnostic.labels.first().and_then(|label| files.included(&label.included)));
    if let Some(fix) = &diagnostic.fix {
        let shown = format!("`{}`", fix.replacement.trim());
        let is_empty = fix.replacement.trim().is_empty();
        // If the label already asks for the replacement, it says it all. Most messages contain the replacement, and the
        // others get it appended.
        let is_asked = diagnostic.labels.first().is_some_and(|l| !is_empty && l.message.contains(&shown));
        let is_shown = is_empty || fix.message.contains(&shown);
        let text = if is_shown { String::new() } else { format!(": {shown}") };
        if !is_asked {
            notes.push(format!("help: {}{text}", fix.message));
        }
    }
    Diagnostic::new(severity)
        .with_code(diagnostic.code.row().code)
        .with_message(&diagnostic.message)
        .with_labels(labels)
        .with_notes(notes)
}

fn convert_label(files: &mut Files<'_>, label: &RenderedLabel, primary: bool, out: &mut Vec<Label<usize>>) {
    let (id, range) = files.range(&label.range);
    let shown = if primary { Label::primary(id, range) } else { Label::secondary(id, range) };
    out.push(shown.with_message(&label.message));
    for (name, place) in label.written_elsewhere() {
        let (id, range) = files.range(place);
        out.push(Label::secondary(id, range).with_message(format!("expanded from macro `{name}`")));
    }
}
