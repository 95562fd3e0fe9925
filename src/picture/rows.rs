//! The text in the boxes of a picture, and the sizes that result from it.

use super::layout::Size;
use crate::report::visible;
use wgc_ide::{NodeView, OutputView, RecordView};
use wgc_ir::{Grid, OutputArray};
use wgc_sema::tables::figures::grouped;
use wgc_sema::types::system_values::launch_name;

/// The width of a character of the monospaced font.
const LETTER: f64 = 7.25;
pub const LINE: f64 = 17.0;
pub const HEAD: f64 = 24.0;
pub const SIDE: f64 = 10.0;
const FOOT: f64 = 7.0;
/// Longer texts are truncated with an ellipsis; tooltips show all.
const MAX_LETTERS: usize = 56;

/// The subject of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Launch,
    Groups,
    Input,
    /// By number.
    Output(usize),
    Budget,
    Problems,
}

/// A line of text in a box, below its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextLine {
    pub what: What,
    pub text: String,
}

/// A box with its text.
#[derive(Clone, Debug)]
pub struct NodeBox {
    pub name: String,
    pub rows: Vec<TextLine>,
    pub size: Size,
}

impl NodeBox {
    pub fn of(node: &NodeView) -> NodeBox {
        let mut rows = Vec::new();
        let mut row = |what: What, text: String| {
            if !text.is_empty() {
                rows.push(TextLine { what, text: short(&text) });
            }
        };
        row(What::Launch, launched(node));
        row(What::Groups, groups(node));
        if let Some(input) = &node.input {
            let many = if input.max_records > 1 { format!("up to {} of ", input.max_records) } else { String::new() };
            row(What::Input, format!("{many}{}", record(input.record.as_ref())));
        }
        for (number, output) in node.outputs.iter().enumerate() {
            row(What::Output(number), sent(node, output));
        }
        if let Some((records, bytes)) = &node.budget {
            let of = |used: u64, limit: u64, what: &str| format!("{} of {} {what}", grouped(used), grouped(limit));
            let bytes = of(bytes.used, bytes.limit, "bytes");
            row(What::Budget, format!("{}, {bytes}", of(records.used, records.limit, "records")));
        }
        row(What::Problems, problems(node));
        let name = short(&node.shown);
        let longest = rows.iter().map(|row| letters(&row.text)).chain([letters(&name) + 2]).max().unwrap_or(0);
        let width = (longest as f64 * LETTER + 2.0 * SIDE).ceil();
        let height = HEAD + rows.len() as f64 * LINE + if rows.is_empty() { 0.0 } else { FOOT };
        NodeBox { name, rows, size: Size { width, height } }
    }

    /// Returns the vertical offset of a row, or of the name if there is no such row.
    pub fn port(&self, what: What) -> f64 {
        let row = self.rows.iter().position(|row| row.what == what);
        row.map_or(HEAD / 2.0, |row| HEAD + (row as f64 + 0.5) * LINE)
    }
}

fn letters(text: &str) -> usize {
    text.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum()
}

fn short(text: &str) -> String {
    // Control characters, such as line breaks, cannot be drawn.
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let plain = visible(&plain);
    if plain.chars().count() <= MAX_LETTERS {
        return plain.into_owned();
    }
    plain.chars().take(MAX_LETTERS - 1).chain(['\u{2026}']).collect()
}

fn by([x, y, z]: [u32; 3]) -> String {
    format!("{x}\u{d7}{y}\u{d7}{z}")
}

fn launched(node: &NodeView) -> String {
    let Some(launch) = node.launch else { return "does not exist".to_owned() };
    let mut out = launch_name(launch).to_owned();
    if node.nodes > 1 {
        out = format!("{} {out} nodes", grouped(node.nodes as u64));
    }
    if node.is_entry {
        out += ", entry";
    }
    if node.recursion != 0 {
        out += &format!(", {} levels of recursion", node.recursion);
    }
    out
}

/// Describes threads and grid.
fn groups(node: &NodeView) -> String {
    let threads = node.threads.map(|threads| format!("{} threads", by(threads)));
    let grid = match node.grid {
        Grid::None => None,
        Grid::Fixed(grid) => Some(format!("grid {}", by(grid))),
        Grid::Max(grid) => Some(format!("grids up to {}", by(grid))),
    };
    threads.into_iter().chain(grid).collect::<Vec<_>>().join(", ")
}

pub fn record(record: Option<&RecordView>) -> String {
    record.map_or("no data".to_owned(), |record| format!("{}, {} bytes", record.name, grouped(record.bytes.into())))
}

/// Describes an output and its limits.
pub fn sent(node: &NodeView, output: &OutputView) -> String {
    let array = match output.array {
        OutputArray::Single => String::new(),
        OutputArray::Sized(count) => format!("[{count}]"),
        OutputArray::Unbounded => "[]".to_owned(),
    };
    let sparse = if output.sparse { ", sparse" } else { "" };
    let shared = output.shared_with.and_then(|other| node.outputs.get(other as usize));
    let most = match shared {
        Some(other) => format!("shared with {}", other.name),
        None => format!("at most {}", grouped(output.max_records.into())),
    };
    format!("{}{array}: {most}{sparse}; {}", output.name, record(output.record.as_ref()))
}

pub fn problems(node: &NodeView) -> String {
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    match (node.errors, node.warnings) {
        (0, 0) => String::new(),
        (errors, 0) => counted(errors, "error"),
        (0, warnings) => counted(warnings, "warning"),
        (errors, warnings) => format!("{}, {}", counted(errors, "error"), counted(warnings, "warning")),
    }
}

#[cfg(test)]
mod tests {
    use super::short;

    #[test]
    fn row_texts_are_truncated_without_control_characters() {
        assert_eq!(short("a\nb\u{7}c"), "a b c");
        assert_eq!(short(&"x".repeat(56)), "x".repeat(56));
        assert_eq!(short(&"x".repeat(57)), "x".repeat(55) + "\u{2026}");
    }
}
