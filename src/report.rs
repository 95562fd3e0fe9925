//! Diagnostics as text for a terminal.
//!
//! The values come from `wgc_sema`; this module knows how they look, and nothing of how they come about.

use codespan_reporting::diagnostic::{Diagnostic, Label, Severity as CodespanSeverity};
use codespan_reporting::files::SimpleFiles;
use codespan_reporting::term::termcolor::{NoColor, WriteColor};
use codespan_reporting::term::{self, DisplayStyle};
use indexmap::IndexMap;
use std::ops::Range;
use std::sync::Arc;
use wgc_sema::codes::Severity;
use wgc_sema::diagnostic::{FileRange, Rendered, RenderedLabel};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// With source lines.
    Human,
    /// One line a message.
    Short,
}

/// Messages that are written; what is behind so many follows from those before.
const MOST_SHOWN: usize = 1000;
/// Bytes of a source line that is shown.
const WIDEST_LINE: usize = 2000;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Gives the text of a file that a diagnostic points into.
pub type TextOf<'a> = &'a dyn Fn(&str) -> Arc<[u8]>;

/// Writes all diagnostics and gives the number of errors among them.
pub fn write(
    out: &mut dyn WriteColor,
    diagnostics: &[Rendered],
    format: Format,
    text_of: TextOf<'_>,
) -> Result<usize, codespan_reporting::files::Error> {
    let mut files = Files { ids: IndexMap::new(), files: SimpleFiles::new(), marks: Vec::new(), text_of };
    let style = match format {
        Format::Human => DisplayStyle::Rich,
        Format::Short => DisplayStyle::Short,
    };
    let config = term::Config { display_style: style, tab_width: 4, ..term::Config::default() };
    let short = term::Config { display_style: DisplayStyle::Short, ..config.clone() };
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        let mut shown = convert(&mut files, diagnostic);
        if files.is_wide(&shown) {
            // The picture would repeat the whole line: place and message are enough.
            shown.labels.truncate(1);
            term::emit_to_write_style(out, &short, &files.files, &shown)?;
            continue;
        }
        term::emit_to_write_style(out, &config, &files.files, &shown)?;
    }
    if diagnostics.len() > MOST_SHOWN {
        writeln!(out, "... and {} more", diagnostics.len() - MOST_SHOWN)?;
    }
    Ok(errors(diagnostics))
}

/// How many of them are errors.
pub fn errors(diagnostics: &[Rendered]) -> usize {
    diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
}

/// All diagnostics as plain text.
pub fn to_string(diagnostics: &[Rendered], format: Format, text_of: TextOf<'_>) -> String {
    let mut out = NoColor::new(Vec::new());
    match write(&mut out, diagnostics, format, text_of) {
        Ok(_) => String::from_utf8_lossy(&out.into_inner()).into_owned(),
        // A range outside its file is a bug of ours; the messages matter more than the picture.
        Err(e) => diagnostics.iter().map(|d| format!("{}\n", d.message)).collect::<String>() + &format!("({e})\n"),
    }
}

struct Files<'a> {
    ids: IndexMap<Arc<str>, usize>,
    files: SimpleFiles<String, String>,
    /// Bytes of each file's byte-order mark, which is neither shown nor counted as a column.
    marks: Vec<usize>,
    text_of: TextOf<'a>,
}

impl Files<'_> {
    fn id(&mut self, path: &Arc<str>) -> usize {
        if let Some(id) = self.ids.get(path) {
            return *id;
        }
        let bytes = (self.text_of)(path);
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
        let id = self.files.add(path.to_string(), displayable(text));
        self.marks.push(bytes.len() - text.len());
        self.ids.insert(path.clone(), id);
        id
    }

    /// A range of a file as `files` has it.
    fn range(&mut self, range: &FileRange) -> (usize, Range<usize>) {
        let id = self.id(&range.file);
        let shown = |at: u32| (at as usize).saturating_sub(self.marks[id]);
        (id, shown(range.lo)..shown(range.hi))
    }

    /// Whether the message shows a line of machine-made width.
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

/// Text with every byte that is not UTF-8 replaced by one byte, so that offsets stay.
fn displayable(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        out.push_str(chunk.valid());
        out.extend(std::iter::repeat_n('?', chunk.invalid().len()));
    }
    out
}

fn convert(files: &mut Files<'_>, diagnostic: &Rendered) -> Diagnostic<usize> {
    let severity = match diagnostic.severity {
        Severity::Error => CodespanSeverity::Error,
        Severity::Warning => CodespanSeverity::Warning,
        Severity::Note => CodespanSeverity::Note,
    };
    let mut labels = Vec::new();
    for (n, label) in diagnostic.labels.iter().enumerate() {
        convert_label(files, label, n == 0, &mut labels);
    }
    let mut notes: Vec<String> = diagnostic.notes.clone();
    if let Some(fix) = &diagnostic.fix {
        let shown = format!("`{}`", fix.replacement.trim());
        // Most messages say what to write; the others get it added.
        let said = fix.replacement.trim().is_empty() || fix.message.contains(&shown);
        let text = if said { String::new() } else { format!(": {shown}") };
        notes.push(format!("help: {}{text}", fix.message));
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
    // An argument was written where the message points already.
    for (name, place) in label.trail.iter().filter(|(_, place)| *place != label.range) {
        let (id, range) = files.range(place);
        out.push(Label::secondary(id, range).with_message(format!("expanded from macro `{name}`")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_outside_utf8_keep_their_offsets() {
        assert_eq!(displayable(b"a\xff\xfeb\xc3\xa9"), "a??b\u{e9}");
    }
}
