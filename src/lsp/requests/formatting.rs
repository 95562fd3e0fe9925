//! `textDocument/formatting`, `rangeFormatting` and `onTypeFormatting`: minimal edits of white space.

use super::{Fault, Result, document, place, read};
use crate::lsp::proto::{Client, Places};
use crate::lsp::world::Snapshot;
use crate::project::formatting::Format;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use wgc_fmt::{Edit, Style, after_newline, after_token, edits, edits_in};

pub fn whole(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let style = style(&path, &params)?;
    Ok(answer(world, &path, edits(&world.text(&path), &style)))
}

pub fn range(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let style = style(&path, &params)?;
    let range: lsp::Range = read(params.get("range").cloned().unwrap_or_default())?;
    let range = Places::new(world).bytes(&path, range);
    Ok(answer(world, &path, edits_in(&world.text(&path), &style, range)))
}

/// Formats after a typed character: `}` and `;` format the construct that they end, and a new line is indented.
pub fn typed(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let (path, at) = place(world, &mut Places::new(world), &params)?;
    let style = style(&path, &params)?;
    let text = world.text(&path);
    let edits = match params.get("ch").and_then(Value::as_str) {
        Some("\n") => after_newline(&text, &style, at),
        Some(_) => after_token(&text, &style, at),
        None => return Err(Fault("the request lacks the typed character".into())),
    };
    Ok(answer(world, &path, edits))
}

/// Returns the project's style, completed by the client's options.
fn style(path: &str, params: &Value) -> Result<Style> {
    let tab = params.pointer("/options/tabSize").and_then(Value::as_u64);
    let spaces = params.pointer("/options/insertSpaces").and_then(Value::as_bool);
    let client = Format {
        indent: tab.map(|tab| tab.clamp(1, 16) as u32),
        tabs: spaces.map(|spaces| !spaces),
        ..Format::default()
    };
    let project = Format::of(path).map_err(Fault)?;
    project.or(client).style().map_err(Fault)
}

/// The most edits of an answer. Each takes some hundred bytes, so more become one.
const MAX_EDITS: usize = 10_000;

fn answer(world: &Snapshot, path: &str, edits: Vec<Edit>) -> Value {
    let edits = if edits.len() > MAX_EDITS { joined(&world.text(path), &edits) } else { edits };
    let mut places = Places::new(world);
    let edit = |edit: Edit| lsp::TextEdit { range: places.range(path, edit.range), new_text: edit.text };
    json!(edits.into_iter().map(edit).collect::<Vec<_>>())
}

/// Returns one edit for several that are sorted and disjoint.
fn joined(text: &[u8], edits: &[Edit]) -> Vec<Edit> {
    let (Some(first), Some(last)) = (edits.first(), edits.last()) else { return Vec::new() };
    let range = first.range.start..last.range.end;
    let new = wgc_fmt::apply(text.get(..range.end as usize).unwrap_or(text), edits);
    let new = new.get(range.start as usize..).unwrap_or_default();
    // The text between the edits is that of the document, which the server decodes in the same way.
    vec![Edit { text: String::from_utf8_lossy(new).into_owned(), range }]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_edits_have_the_same_result() {
        let edit = |range, text: &str| Edit { range, text: text.into() };
        let (text, edits) = (b"aa  bb  cc  dd", [edit(2..4, " "), edit(6..8, "\n"), edit(10..12, "")]);
        let one = joined(text, &edits);
        assert_eq!(one, [edit(2..12, " bb\ncc")]);
        assert_eq!(wgc_fmt::apply(text, &one), wgc_fmt::apply(text, &edits));
        assert_eq!(joined(text, &[]), []);
    }
}
