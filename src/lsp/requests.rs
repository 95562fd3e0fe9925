//! The table of requests, and what each reads of its parameters.

mod completion;
mod formatting;
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
use wgc_sema::ide::{self, FoldKind, GraphSites, Kind};
use wgc_sema::system_values::launch_name;

/// Why a request has no answer.
#[derive(Debug)]
pub struct Fault(pub String);

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Fault {
        Fault(error.to_string())
    }
}

type Result<T> = std::result::Result<T, Fault>;

const REQUESTS: &[(&str, Answer)] = &[
    ("callHierarchy/incomingCalls", incoming),
    ("callHierarchy/outgoingCalls", outgoing),
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
    ("textDocument/prepareCallHierarchy", hierarchy),
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

/// The path that `textDocument` names.
pub(super) fn document(world: &Snapshot, params: &Value) -> Result<String> {
    let uri = params.pointer("/textDocument/uri").and_then(Value::as_str);
    uri.map(|uri| world.path(uri)).ok_or_else(|| Fault("no document is named".into()))
}

/// The path, and the byte that `position` names.
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
        out.extend(fixes.iter().filter_map(|said| proto::quick_fix(said, client, &mut places)));
    }
    if wants(proto::FIX_ALL) {
        let all = features::all_fixes(world, &path);
        if !all.is_empty() {
            out.push(proto::fix_all(&all, &mut places));
        }
    }
    Ok(json!(out))
}

fn symbols(world: &Snapshot, client: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    Ok(proto::symbols(&features::outline(world, &path), client, &mut Places::new(world)))
}

fn folding(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let path = document(world, &params)?;
    let mut places = Places::new(world);
    let mut out: Vec<Value> = Vec::new();
    let mut last = None;
    for fold in ide::folds(&world.text(&path)) {
        let range = places.range(&path, fold.from..fold.to);
        let (from, to) = (range.start.line, range.end.line);
        // Editors take one for each line.
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
    // Who follows one sees the graph, where the client can show it.
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

// ---- the graph as a hierarchy of calls: a node calls those that its outputs reach

fn item(sites: &GraphSites, node: usize, places: &mut Places) -> Value {
    let site = &sites.nodes[node];
    let location = places.location(&site.range);
    let inside = site.range.file == site.name_range.file;
    let name = places.range(&site.name_range.file, site.name_range.lo..site.name_range.hi);
    json!({
        "name": site.shown, "kind": proto::symbol_kind(Kind::Node),
        "detail": format!("{} node", launch_name(site.launch)),
        "uri": location.uri, "range": location.range, "selectionRange": if inside { name } else { location.range },
        "data": { "name": site.id.name.as_str(), "index": site.id.index },
    })
}

fn hierarchy(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let mut out: Vec<Value> = Vec::new();
    for named in features::nodes_at(world, &path, at) {
        for node in &named.nodes {
            let item = item(&named.sites, *node, &mut places);
            if !out.contains(&item) {
                out.push(item);
            }
        }
    }
    Ok(if out.is_empty() { Value::Null } else { Value::Array(out) })
}

/// The node that an item of the hierarchy stands for, in each program that has it.
fn of_item(world: &Snapshot, params: &Value) -> Result<Vec<(GraphSites, usize)>> {
    let text = |path: &str| params.pointer(path).and_then(Value::as_str);
    let (Some(uri), Some(name)) = (text("/item/uri"), text("/item/data/name")) else {
        return Err(Fault("this is no item of ours".into()));
    };
    let index = params.pointer("/item/data/index").and_then(Value::as_u64).unwrap_or(0);
    let path = world.path(uri);
    let all = world.programs_of(&path).into_iter().filter_map(|program| {
        let sites = ide::graph_sites(&world.db, program);
        let is_it = |site: &ide::NodeSite| &*site.id.name == name && u64::from(site.id.index) == index;
        let node = sites.nodes.iter().position(is_it)?;
        Some((sites, node))
    });
    Ok(all.collect())
}

fn incoming(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    calls(world, &params, "from", |edge| (edge.target, edge.node))
}

fn outgoing(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    calls(world, &params, "to", |edge| (edge.node, edge.target))
}

/// The other ends of edges, each with the outputs that lead there. `ends`: the node's own end of an edge, and the other.
fn calls(world: &Snapshot, params: &Value, other: &str, ends: fn(&ide::Edge) -> (usize, usize)) -> Result<Value> {
    let mut places = Places::new(world);
    let mut out: Vec<Value> = Vec::new();
    for (sites, node) in of_item(world, params)? {
        let mut others: Vec<usize> = Vec::new();
        for edge in sites.edges.iter().filter(|edge| ends(edge).0 == node) {
            if !others.contains(&ends(edge).1) {
                others.push(ends(edge).1);
            }
        }
        for end in others {
            let edges = sites.edges.iter().filter(|edge| ends(edge) == (node, end));
            let ranges: Vec<lsp::Range> = edges
                .map(|edge| {
                    let at = &sites.nodes[edge.node].outputs[edge.output].range;
                    places.range(&at.file, at.lo..at.hi)
                })
                .collect();
            let call = json!({ other: item(&sites, end, &mut places), "fromRanges": ranges });
            if !out.contains(&call) {
                out.push(call);
            }
        }
    }
    Ok(Value::Array(out))
}
