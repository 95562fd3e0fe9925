//! The table of requests, and helpers that read their parameters.

mod completion;
mod formatting;
mod hierarchy;
mod hints;
mod navigate;
mod selection;
pub mod tokens;

use super::Answer;
use super::features;
use super::graph_view;
use super::proto::{self, Client, Places};
use super::world::Snapshot;
use gen_lsp_types as lsp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use wgc_ide::FoldKind;

/// The reason why a request has no answer.
#[derive(Debug)]
pub struct Fault(pub String);

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Fault {
        Fault(error.to_string())
    }
}

type Result<T> = std::result::Result<T, Fault>;

const REQUESTS: &[(&str, Answer)] = &[
    ("callHierarchy/incomingCalls", hierarchy::incoming),
    ("callHierarchy/outgoingCalls", hierarchy::outgoing),
    ("completionItem/resolve", completion::resolve),
    ("textDocument/codeAction", code_actions),
    ("textDocument/codeLens", code_lenses),
    ("textDocument/completion", completion::complete),
    ("textDocument/declaration", navigate::declaration),
    ("textDocument/definition", navigate::definition),
    ("textDocument/diagnostic", diagnostic),
    ("textDocument/documentHighlight", navigate::highlight),
    ("textDocument/documentLink", links),
    ("textDocument/documentSymbol", symbols),
    ("textDocument/foldingRange", folding),
    ("textDocument/formatting", formatting::whole),
    ("textDocument/hover", navigate::hover),
    ("textDocument/implementation", navigate::implementation),
    ("textDocument/inlayHint", hints::in_range),
    ("textDocument/onTypeFormatting", formatting::typed),
    ("textDocument/prepareCallHierarchy", hierarchy::prepare),
    ("textDocument/prepareRename", navigate::prepare_rename),
    ("textDocument/rangeFormatting", formatting::range),
    ("textDocument/references", navigate::references),
    ("textDocument/rename", navigate::rename_all),
    ("textDocument/selectionRange", selection::ranges),
    ("textDocument/semanticTokens/full", tokens::full),
    ("textDocument/semanticTokens/full/delta", tokens::delta),
    ("textDocument/semanticTokens/range", tokens::in_range),
    ("textDocument/signatureHelp", navigate::signature_help),
    ("textDocument/typeDefinition", navigate::type_definition),
    ("wgc/graph", graph_view::graph),
    ("workspace/executeCommand", graph_view::command),
    ("workspace/symbol", navigate::workspace_symbols),
];

pub fn find(method: &str) -> Option<Answer> {
    REQUESTS.iter().find(|row| row.0 == method).map(|row| row.1)
}

fn read<T: DeserializeOwned>(params: Value) -> Result<T> {
    Ok(serde_json::from_value(params)?)
}

/// Returns the path that `textDocument` names.
pub(super) fn document(world: &Snapshot, params: &Value) -> Result<String> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    uri.map(|uri| world.path(uri)).ok_or_else(|| Fault("the request names no document".into()))
}

/// Returns the path, and the byte that `position` names.
fn place(world: &Snapshot, places: &mut Places, params: &Value) -> Result<(String, u32)> {
    let path = document(world, params)?;
    let at: lsp::Position = read(params.get("position").cloned().unwrap_or_default())?;
    let offset = places.offset(&path, at);
    Ok((path, offset))
}

fn diagnostic(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let items = proto::diagnostics(world, client, &path, &mut Places::new(world));
    Ok(json!({ "kind": "full", "items": items }))
}

fn code_actions(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let params: lsp::CodeActionParams = read(params)?;
    let wants = |kind: &str| {
        let wanted = params.context.only.as_ref();
        wanted.is_none_or(|all| all.iter().any(|one| kind.starts_with(&String::from(one.clone()))))
    };
    let mut places = Places::new(world);
    let mut out = Vec::new();
    if wants("quickfix") {
        let range = places.bytes(&path, params.range);
        let fixes = features::fixes(world, &path, range);
        out.extend(fixes.iter().filter_map(|diagnostic| proto::quick_fix(diagnostic, client, &mut places)));
    }
    if wants(proto::FIX_ALL) {
        let all = features::all_fixes(world, &path);
        if !all.is_empty() {
            out.push(proto::fix_all(&all, client, &mut places));
        }
    }
    Ok(json!(out))
}

fn symbols(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    Ok(proto::symbols(&features::outline(world, &path, client.nests), client, &mut Places::new(world)))
}

fn folding(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let mut places = Places::new(world);
    let mut out: Vec<Value> = Vec::new();
    let mut last = None;
    for fold in wgc_ide::folds(&world.text(&path)) {
        let range = places.range(&path, fold.from..fold.to);
        let (from, to) = (range.start.line, range.end.line);
        // Editors accept only one folding range for each line.
        if from >= to || last == Some(from) {
            continue;
        }
        last = Some(from);
        let mut found = json!({ "startLine": from, "endLine": to });
        match fold.kind {
            FoldKind::Code => {}
            FoldKind::Comment => found["kind"] = json!("comment"),
            FoldKind::Includes => found["kind"] = json!("imports"),
            FoldKind::Region => found["kind"] = json!("region"),
        }
        out.push(found);
    }
    Ok(Value::Array(out))
}

fn links(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let mut places = Places::new(world);
    let link = |(range, to): (std::ops::Range<u32>, String)| json!({ "range": places.range(&path, range), "target": world.uri(&to) });
    Ok(json!(features::links(world, &path).into_iter().map(link).collect::<Vec<_>>()))
}

/// The command of a client that shows graphs itself.
const SHOW_GRAPH: &str = "wgc.showGraph";

fn code_lenses(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let mut places = Places::new(world);
    // The lens opens the graph if the client can show it.
    let (command, arguments) = match (client.draws, client.shows) {
        (true, _) => (SHOW_GRAPH.to_owned(), None),
        (false, true) => (graph_view::COMMAND.to_owned(), Some(vec![json!(world.uri(&path))])),
        (false, false) => (String::new(), None),
    };
    let lenses = features::lenses(world, &path).into_iter().map(|(at, title)| lsp::CodeLens {
        range: places.range(&at.file, at.lo..at.hi),
        command: Some(lsp::Command {
            title,
            command: command.clone(),
            arguments: arguments.clone(),
            ..lsp::Command::default()
        }),
        data: None,
    });
    Ok(json!(lenses.collect::<Vec<_>>()))
}
