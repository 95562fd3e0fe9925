//! `textDocument/completion` and `completionItem/resolve`.

use super::{Result, place};
use crate::lsp::features::completion::completion;
use crate::lsp::proto::{Client, Places};
use crate::lsp::world::Snapshot;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use wgc_ide::{Candidate, CandidateKind, More};

pub fn complete(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let Some(found) = completion(world, &path, at) else { return Ok(Value::Null) };
    let range = places.range(&path, found.replace);
    let items: Vec<Value> =
        found.candidates.iter().enumerate().map(|(n, candidate)| item(candidate, n, range, client)).collect();
    Ok(json!({ "isIncomplete": found.is_cut, "items": items }))
}

fn item(candidate: &Candidate, number: usize, range: lsp::Range, client: &Client) -> Value {
    let snippet = candidate.snippet.as_ref().filter(|_| client.snippets);
    let text = snippet.or(candidate.plain.as_ref()).unwrap_or(&candidate.label);
    let mut item = json!({
        "label": candidate.label,
        "kind": kind(candidate.kind),
        // Clients must keep this order.
        "sortText": format!("{number:04}"),
        "textEdit": { "range": range, "newText": text },
    });
    if snippet.is_some() {
        item["insertTextFormat"] = json!(2);
    }
    if !candidate.detail.is_empty() {
        item["detail"] = json!(candidate.detail);
    }
    if let Some(docs) = &candidate.docs {
        item["documentation"] = json!({ "kind": "markdown", "value": docs });
    }
    match &candidate.more {
        Some(More::BuiltIn { scope, name }) => item["data"] = json!({ "scope": scope, "name": name }),
        Some(More::Written { file, at }) => item["data"] = json!({ "file": file, "at": at }),
        None => {}
    }
    // After a folder, completion continues.
    if candidate.kind == CandidateKind::Folder {
        item["command"] = json!({ "title": "", "command": "editor.action.triggerSuggest" });
    }
    item
}

/// Adds the declarations of a built-in name, or the program's own documentation.
pub fn resolve(world: &Snapshot, _: &Client, mut item: Value) -> Result<Value> {
    let text = |path: &str| item.pointer(path).and_then(Value::as_str);
    let mut docs = None;
    if let (Some(scope), Some(name)) = (text("/data/scope"), text("/data/name")) {
        if let Some((detail, about)) = wgc_ide::built_in(&world.db, scope, name) {
            item["detail"] = json!(detail);
            docs = Some(about);
        }
    } else if let (Some(file), Some(at)) = (text("/data/file"), item.pointer("/data/at").and_then(Value::as_u64)) {
        // Only files that a program reads may be opened here.
        let is_known = world.paths().iter().any(|path| path == file);
        docs = u32::try_from(at).ok().filter(|_| is_known).and_then(|at| wgc_ide::written(&world.db, file, at));
    }
    if let Some(docs) = docs {
        item["documentation"] = json!({ "kind": "markdown", "value": docs });
    }
    Ok(item)
}

fn kind(kind: CandidateKind) -> lsp::CompletionItemKind {
    use lsp::CompletionItemKind as To;
    match kind {
        CandidateKind::Keyword | CandidateKind::Directive => To::Keyword,
        CandidateKind::Struct => To::Struct,
        CandidateKind::Interface => To::Interface,
        CandidateKind::Alias => To::Class,
        CandidateKind::Enum => To::Enum,
        CandidateKind::EnumValue => To::EnumMember,
        CandidateKind::Function => To::Function,
        // Matches the kind in document symbols.
        CandidateKind::Node => To::Event,
        CandidateKind::Method => To::Method,
        CandidateKind::Field | CandidateKind::Component => To::Field,
        CandidateKind::Property | CandidateKind::Attribute => To::Property,
        CandidateKind::Variable | CandidateKind::Param => To::Variable,
        CandidateKind::Constant | CandidateKind::Macro => To::Constant,
        CandidateKind::TypeParam => To::TypeParameter,
        CandidateKind::Namespace => To::Module,
        CandidateKind::Value | CandidateKind::Semantic => To::Value,
        CandidateKind::File => To::File,
        CandidateKind::Folder => To::Folder,
    }
}
