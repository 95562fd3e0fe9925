//! `textDocument/completion` and `completionItem/resolve`.

use super::{Result, place};
use crate::lsp::features::completion::completion;
use crate::lsp::proto::{Client, Places};
use crate::lsp::world::Snapshot;
use gen_lsp_types as lsp;
use serde_json::{Value, json};
use wgc_sema::ide::{self, Candidate, CandidateKind};

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
        // In the order in which they come.
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
    if let Some((scope, name)) = &candidate.more {
        item["data"] = json!({ "scope": scope, "name": name });
    }
    // What goes on behind it.
    if candidate.kind == CandidateKind::Folder {
        item["command"] = json!({ "title": "", "command": "editor.action.triggerSuggest" });
    }
    item
}

/// The declarations of something built in.
pub fn resolve(world: &Snapshot, _: &Client, mut item: Value) -> Result<Value> {
    let text = |path: &str| item.pointer(path).and_then(Value::as_str);
    let (Some(scope), Some(name)) = (text("/data/scope"), text("/data/name")) else { return Ok(item) };
    if let Some((detail, docs)) = ide::built_in(&world.db, scope, name) {
        item["detail"] = json!(detail);
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
        // As among the symbols of a document.
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
