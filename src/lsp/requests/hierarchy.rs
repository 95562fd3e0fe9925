//! Call hierarchies. Functions are connected by calls, and nodes also by outputs that reach other nodes.

use super::{Fault, Result, features, place};
use crate::lsp::features::calls::{self, Call};
use crate::lsp::proto::{self, Client, Places};
use crate::lsp::world::Snapshot;
use serde_json::{Value, json};
use wgc_ide::{GraphSites, OutlineKind, Symbol};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::types::system_values::launch_name;

fn of_node(sites: &GraphSites, node: usize, places: &mut Places) -> Value {
    let site = &sites.nodes[node];
    let location = places.location(&site.range);
    let inside = site.range.file == site.name_range.file;
    let name = places.range(&site.name_range.file, site.name_range.lo..site.name_range.hi);
    json!({
        "name": site.shown, "kind": proto::symbol_kind(OutlineKind::Node),
        "detail": format!("{} node", launch_name(site.launch)),
        "uri": location.uri, "range": location.range, "selectionRange": if inside { name } else { location.range },
        "data": { "name": site.id.name.as_str(), "index": site.id.index },
    })
}

fn of_function(symbol: &Symbol, places: &mut Places) -> Value {
    let location = places.location(&symbol.range);
    let name = places.range(&symbol.name_range.file, symbol.name_range.lo..symbol.name_range.hi);
    json!({
        "name": symbol.name, "kind": proto::symbol_kind(symbol.kind), "detail": symbol.scope,
        "uri": location.uri, "range": location.range, "selectionRange": name,
    })
}

/// Returns the nodes of a symbol's function, or else the function.
fn items(world: &Snapshot, symbol: &Symbol, places: &mut Places) -> Vec<Value> {
    if symbol.kind == OutlineKind::Node {
        let nodes = nodes(world, &symbol.name_range.file, symbol.name_range.lo, places);
        if !nodes.is_empty() {
            return nodes;
        }
    }
    vec![of_function(symbol, places)]
}

fn nodes(world: &Snapshot, path: &str, at: u32, places: &mut Places) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for named in features::nodes_at(world, path, at) {
        for node in &named.nodes {
            add(&mut out, of_node(&named.sites, *node, places));
        }
    }
    out
}

fn add(out: &mut Vec<Value>, one: Value) {
    if !out.contains(&one) {
        out.push(one);
    }
}

pub fn prepare(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    let mut places = Places::new(world);
    let (path, at) = place(world, &mut places, &params)?;
    let mut out = nodes(world, &path, at, &mut places);
    if out.is_empty() {
        for symbol in calls::functions_at(world, &path, at) {
            out.extend(items(world, &symbol, &mut places));
        }
    }
    Ok(if out.is_empty() { Value::Null } else { Value::Array(out) })
}

/// The subject of a hierarchy item.
struct HierarchySubject {
    /// The node, in each program that has it.
    nodes: Vec<(GraphSites, usize)>,
    /// The locations of the functions' names.
    functions: Vec<FileRange>,
}

fn asked(world: &Snapshot, params: &Value, places: &mut Places) -> Result<HierarchySubject> {
    let text = |path: &str| params.pointer(path).and_then(Value::as_str);
    let Some(uri) = text("/item/uri") else { return Err(Fault("this item is not from this server".into())) };
    let path = world.path(uri);
    let Some(name) = text("/item/data/name") else {
        let position = params.pointer("/item/selectionRange/start").cloned().unwrap_or_default();
        let params = json!({ "textDocument": { "uri": uri }, "position": position });
        let (path, at) = place(world, places, &params)?;
        return Ok(HierarchySubject { nodes: Vec::new(), functions: vec![FileRange::new(path.into(), at, at)] });
    };
    let index = params.pointer("/item/data/index").and_then(Value::as_u64).unwrap_or(0);
    let mut out = HierarchySubject { nodes: Vec::new(), functions: Vec::new() };
    for program in world.programs_of(&path) {
        let sites = wgc_ide::graph_sites(&world.db, program);
        let is_it = |site: &wgc_ide::NodeSite| &*site.id.name == name && u64::from(site.id.index) == index;
        if let Some(node) = sites.nodes.iter().position(is_it) {
            let name = &sites.nodes[node].name_range;
            if !out.functions.contains(name) {
                out.functions.push(name.clone());
            }
            out.nodes.push((sites, node));
        }
    }
    Ok(out)
}

pub fn incoming(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    ends(world, &params, "from", |edge| (edge.target, edge.node), calls::callers)
}

pub fn outgoing(world: &Snapshot, _: &Client, params: Value) -> Result<Value> {
    ends(world, &params, "to", |edge| (edge.node, edge.target), calls::called)
}

/// Returns the neighbours of the subject along edges and calls, as hierarchy items.
fn ends(
    world: &Snapshot,
    params: &Value,
    other: &str,
    of_edge: fn(&wgc_ide::Edge) -> (usize, usize),
    of_calls: fn(&Snapshot, &str, u32) -> Vec<Call>,
) -> Result<Value> {
    let mut places = Places::new(world);
    let asked = asked(world, params, &mut places)?;
    let mut out = edges(&asked, other, of_edge, &mut places);
    let calls = asked.functions.iter().flat_map(|at| of_calls(world, &at.file, at.lo)).collect();
    functions(world, calls, other, &mut places, &mut out);
    Ok(Value::Array(out))
}

fn functions(world: &Snapshot, calls: Vec<Call>, other: &str, places: &mut Places, out: &mut Vec<Value>) {
    for call in calls {
        let ranges: Vec<_> = call.at.iter().map(|at| places.range(&at.file, at.lo..at.hi)).collect();
        for item in items(world, &call.other, places) {
            add(out, json!({ other: item, "fromRanges": ranges }));
        }
    }
}

/// Returns the neighbours of the subject along edges, each with the outputs of these edges. `ends` returns the
/// subject's own end of an edge, then the opposite one.
fn edges(
    asked: &HierarchySubject,
    other: &str,
    ends: fn(&wgc_ide::Edge) -> (usize, usize),
    places: &mut Places,
) -> Vec<Value> {
    let mut out: Vec<Value> = Vec::new();
    for (sites, node) in &asked.nodes {
        let mut others: Vec<usize> = Vec::new();
        for edge in sites.edges.iter().filter(|edge| ends(edge).0 == *node) {
            if !others.contains(&ends(edge).1) {
                others.push(ends(edge).1);
            }
        }
        for end in others {
            let edges = sites.edges.iter().filter(|edge| ends(edge) == (*node, end));
            let outputs = edges.map(|edge| &sites.nodes[edge.node].outputs[edge.output].range);
            let ranges: Vec<_> = outputs.map(|at| places.range(&at.file, at.lo..at.hi)).collect();
            add(&mut out, json!({ other: of_node(sites, end, places), "fromRanges": ranges }));
        }
    }
    out
}
