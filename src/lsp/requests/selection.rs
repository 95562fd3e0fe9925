//! `textDocument/selectionRange`.

use super::{Result, document, read};
use crate::lsp::features::program_at;
use crate::lsp::proto::{Client, MAX_NESTED, Places};
use crate::lsp::world::Snapshot;
use gen_lsp_types as lsp;
use serde_json::{Value, json};

/// Returns the nested ranges around each position, innermost first.
pub fn ranges(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let positions: Vec<lsp::Position> = read(params.get("positions").cloned().unwrap_or_default())?;
    let mut places = Places::new(world);
    let text = world.text(&path);
    let mut out = Vec::new();
    for at in positions {
        let at = places.offset(&path, at);
        let Some(program) = program_at(world, &path, at) else { return Ok(Value::Null) };
        let mut nested = Value::Null;
        // If there are too many, keep the innermost ranges and the whole text.
        let mut all = wgc_ide::selection(&world.db, program, &path, &text, at);
        if all.len() > MAX_NESTED {
            all.drain(MAX_NESTED - 1..all.len() - 1);
        }
        for range in all.into_iter().rev() {
            let mut own = json!({ "range": places.range(&path, range) });
            if !nested.is_null() {
                own["parent"] = nested;
            }
            nested = own;
        }
        out.push(nested);
    }
    Ok(Value::Array(out))
}
