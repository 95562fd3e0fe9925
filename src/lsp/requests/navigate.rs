//! Requests about names: definitions, references, hovers, signatures and renames.

use super::{Fault, Result, document, place, read};
use crate::lsp::features::{navigate, rename};
use crate::lsp::proto::{self, Client, Places};
use crate::lsp::world::Snapshot;
use serde_json::{Value, json};
use wgc_ide::Signatures;
use wgc_sema::db::diagnostic::FileRange;

fn locations(world: &Snapshot, params: &Value, find: fn(&Snapshot, &str, u32) -> Vec<FileRange>) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, params)?;
    let found = find(world, &path, at);
    Ok(json!(found.iter().map(|range| places.location(range)).collect::<Vec<_>>()))
}

pub fn definition(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    locations(world, &params, navigate::definitions)
}

pub fn type_definition(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    locations(world, &params, navigate::type_definitions)
}

pub fn implementation(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    locations(world, &params, navigate::implementations)
}

pub fn references(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let declared = params.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or(true);
    let found = navigate::references(world, &path, at, declared);
    Ok(json!(found.iter().map(|range| places.location(range)).collect::<Vec<_>>()))
}

pub fn highlight(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let found = navigate::highlights(world, &path, at).into_iter().map(|(range, how)| {
        let kind = match how {
            navigate::How::Text => 1,
            navigate::How::Read => 2,
            navigate::How::Write => 3,
        };
        json!({ "range": places.range(&path, range.lo..range.hi), "kind": kind })
    });
    Ok(Value::Array(found.collect()))
}

pub fn hover(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let Some((range, texts)) = navigate::described(world, &path, at) else { return Ok(Value::Null) };
    let mut out = json!({ "contents": { "kind": "markdown", "value": texts.join("\n---\n") } });
    if let Some(range) = range.filter(|range| &*range.file == path.as_str()) {
        out["range"] = json!(places.range(&path, range.lo..range.hi));
    }
    Ok(out)
}

pub fn prepare_rename(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let target = rename::target(world, &path, at).map_err(Fault)?;
    let range = places.range(&target.range.file, target.range.lo..target.range.hi);
    Ok(json!({ "range": range, "placeholder": target.name }))
}

pub fn rename_all(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let new: String = read(params.get("newName").cloned().unwrap_or_default())?;
    let edits = rename::rename(world, &path, at, &new).map_err(Fault)?;
    let edits = edits.iter().map(|at| (at, new.clone()));
    Ok(json!(proto::workspace_edit(edits, client, &mut places)))
}

pub fn signature_help(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let found = navigate::signatures(world, &path, at);
    Ok(found.map_or(Value::Null, |found| signatures(&found, client)))
}

fn signatures(found: &Signatures, client: &Client) -> Value {
    let all = found.all.iter().map(|one| {
        let params = one.params.iter().map(|(lo, hi)| {
            // Names are ASCII, so bytes equal UTF-16 units.
            let text = one.label.get(*lo as usize..*hi as usize).unwrap_or_default();
            if client.label_offsets { json!({ "label": [lo, hi] }) } else { json!({ "label": text }) }
        });
        let mut out = json!({ "label": one.label, "parameters": params.collect::<Vec<_>>() });
        if let Some(doc) = &one.doc {
            out["documentation"] = json!({ "kind": "markdown", "value": doc });
        }
        out
    });
    let all: Vec<Value> = all.collect();
    json!({ "signatures": all, "activeSignature": found.active, "activeParameter": found.param })
}

pub fn workspace_symbols(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let query = params.get("query").and_then(Value::as_str).unwrap_or_default();
    let mut places = Places::new(world);
    let found = navigate::workspace_symbols(world, query).into_iter().map(|symbol| {
        json!({
            "name": symbol.name,
            "kind": proto::symbol_kind(symbol.kind),
            "location": places.location(&symbol.name_range),
            "containerName": symbol.scope,
        })
    });
    Ok(Value::Array(found.collect()))
}

/// Returns the first declarations instead of the definition.
pub fn declaration(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    document(world, &params)?;
    locations(world, &params, navigate::declarations)
}
