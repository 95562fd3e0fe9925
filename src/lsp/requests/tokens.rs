//! `textDocument/semanticTokens`: all tokens of a document, a range or a delta.

use super::{Result, document, read};
use crate::lsp::features::tokens::{difference, tokens};
use crate::lsp::proto::{Client, Places};
use crate::lsp::world::Snapshot;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use wgc_ide::{HighlightKind, Token};

/// The names of the kinds, in the order of the legend.
const KINDS: &[(HighlightKind, &str)] = &[
    (HighlightKind::Namespace, "namespace"),
    (HighlightKind::Type, "type"),
    (HighlightKind::Struct, "struct"),
    (HighlightKind::Interface, "interface"),
    (HighlightKind::Enum, "enum"),
    (HighlightKind::EnumMember, "enumMember"),
    (HighlightKind::TypeParameter, "typeParameter"),
    (HighlightKind::Function, "function"),
    (HighlightKind::Method, "method"),
    (HighlightKind::Parameter, "parameter"),
    (HighlightKind::Variable, "variable"),
    (HighlightKind::Property, "property"),
    (HighlightKind::Macro, "macro"),
];

/// The modifiers. `node` is specific to wgc: functions that are nodes, and the outputs that target them.
const MODIFIERS: &[&str] = &["declaration", "readonly", "static", "defaultLibrary", "node"];

/// Returns the server's capabilities for tokens.
pub fn provider() -> Value {
    let kinds: Vec<&str> = KINDS.iter().map(|(_, name)| *name).collect();
    json!({
        "legend": { "tokenTypes": kinds, "tokenModifiers": MODIFIERS },
        "full": { "delta": true },
        "range": true,
    })
}

pub fn full(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let data = whole(world, &path);
    let (name, _) = world.sent.keep(&path, &data, None);
    Ok(json!({ "resultId": name, "data": data }))
}

/// Returns the changes since an earlier answer, or all tokens if that answer is no longer known.
pub fn delta(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let before = params.get("previousResultId").and_then(Value::as_str);
    let data = whole(world, &path);
    let (name, old) = world.sent.keep(&path, &data, before);
    let Some(old) = old else { return Ok(json!({ "resultId": name, "data": data })) };
    let edits: Vec<Value> = difference(&old, &data)
        .map(|(start, gone, come)| json!({ "start": start, "deleteCount": gone, "data": &data[start..start + come] }))
        .into_iter()
        .collect();
    Ok(json!({ "resultId": name, "edits": edits }))
}

pub fn in_range(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let range: lsp::Range = read(params.get("range").cloned().unwrap_or_default())?;
    let mut places = Places::new(world);
    let bytes = places.bytes(&path, range);
    let found = tokens(world, &path, bytes);
    Ok(json!({ "data": encoded(&found, &path, &mut places) }))
}

fn whole(world: &Snapshot, path: &str) -> Vec<u32> {
    let found = tokens(world, path, 0..u32::MAX);
    encoded(&found, path, &mut Places::new(world))
}

/// Encodes each token as five numbers: line and column relative to the previous one, length, kind, modifiers.
fn encoded(all: &[Token], path: &str, places: &mut Places) -> Vec<u32> {
    let mut out = Vec::with_capacity(all.len() * 5);
    let (mut line, mut column) = (0, 0);
    for token in all {
        let lsp::Range { start, end } = places.range(path, token.range.clone());
        // A name with a line continuation covers two lines.
        if start.line != end.line {
            continue;
        }
        let kind = KINDS.iter().position(|(kind, _)| *kind == token.kind).unwrap_or(0);
        let own = token.modifiers;
        let bits = [own.declares, own.is_readonly, own.is_static, own.is_built_in, own.is_node];
        let bits: u32 = bits.iter().enumerate().map(|(n, bit)| u32::from(*bit) << n).sum();
        let from = if start.line == line { column } else { 0 };
        out.extend([start.line - line, start.character - from, end.character - start.character, kind as u32, bits]);
        (line, column) = (start.line, start.character);
    }
    out
}
