//! The request `wgc/graph`: the graph of a document as a picture, with the data that makes a view interactive.
//! `docs/editors.md` describes it for clients.

use super::features;
use super::proto::{Client, Places};
use super::requests::{Fault, document};
use super::uri::uri_of;
use super::world::Snapshot;
use serde_json::{Value, json};
use std::io::Write;
use wgc_ide::{GraphView, NodeView, RecordView};
use wgc_ir::{Grid, OutputArray};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::types::system_values::launch_name;

/// The command that draws the graph, for clients that only support commands.
pub const COMMAND: &str = "wgc.graph";

pub fn graph(world: &Snapshot, _: &Client, params: Value) -> Result<Value, Fault> {
    let path = document(world, &params)?;
    let programs = features::graphs(world, &path);
    let names: Vec<&str> = programs.iter().map(|(name, _)| name.as_str()).collect();
    let wanted = params.get("program").and_then(Value::as_str);
    let Some(at) = names.iter().position(|name| Some(*name) == wanted).or((!names.is_empty()).then_some(0)) else {
        return Ok(Value::Null);
    };
    let view = features::graph(world, programs[at].1);
    let mut places = Places::new(world);
    Ok(json!({
        "programs": names,
        "program": names[at],
        "svg": crate::picture::draw(&view, None, false),
        "style": crate::picture::STYLE,
        "nodes": view.nodes.iter().map(|node| described(node, &mut places)).collect::<Vec<_>>(),
        "edges": edges(&view, &mut places),
    }))
}

fn described(node: &NodeView, places: &mut Places) -> Value {
    let grid = match node.grid {
        Grid::None => Value::Null,
        Grid::Fixed(grid) => json!({ "fixed": grid }),
        Grid::Max(grid) => json!({ "max": grid }),
    };
    let input = node.input.as_ref().map(|input| {
        let mut out = record(input.record.as_ref());
        out["name"] = json!(input.name);
        out["maxRecords"] = json!(input.max_records);
        out
    });
    let budget = node.budget.map(|(records, bytes)| {
        json!({
            "records": { "used": records.used, "limit": records.limit },
            "bytes": { "used": bytes.used, "limit": bytes.limit },
        })
    });
    let mut location = |range: &FileRange| places.location(range);
    json!({
        "name": node.shown,
        "count": node.nodes,
        "launch": node.launch.map(launch_name),
        "entry": node.is_entry,
        "threads": node.threads,
        "grid": grid,
        "maxRecursion": node.recursion,
        "input": input,
        "sharesInputOf": node.shares,
        "budget": budget,
        "errors": node.errors,
        "warnings": node.warnings,
        "location": node.name_range.as_ref().map(&mut location),
        "ranges": node.ranges.iter().map(location).collect::<Vec<_>>(),
    })
}

fn record(record: Option<&RecordView>) -> Value {
    json!({ "record": record.map(|r| r.name.as_str()), "bytes": record.map_or(0, |r| r.bytes) })
}

/// Returns one edge for each output and each box that it reaches.
fn edges(view: &GraphView, places: &mut Places) -> Vec<Value> {
    let mut out = Vec::new();
    for (from, node) in view.nodes.iter().enumerate() {
        for output in &node.outputs {
            let array = match output.array {
                OutputArray::Single => Value::Null,
                OutputArray::Sized(count) => json!(count),
                OutputArray::Unbounded => json!("unbounded"),
            };
            let shared = output.shared_with.and_then(|other| node.outputs.get(other as usize));
            let mut edge = record(output.record.as_ref());
            edge["output"] = json!(output.name);
            edge["target"] = json!(output.target);
            edge["maxRecords"] = json!(output.max_records);
            edge["sharesRecordsWith"] = json!(shared.map(|other| other.name.as_str()));
            edge["array"] = array;
            edge["sparse"] = json!(output.sparse);
            edge["location"] = json!(places.location(&output.range));
            edge["from"] = json!(from);
            for to in &output.reaches {
                edge["to"] = json!(to);
                edge["recursion"] = json!(from == *to);
                out.push(edge.clone());
            }
        }
    }
    out
}

/// Handles `workspace/executeCommand`: writes the picture to a file and returns its URI, which the server then shows.
pub fn command(world: &Snapshot, client: &Client, params: Value) -> Result<Value, Fault> {
    if params.get("command").and_then(Value::as_str) != Some(COMMAND) {
        return Err(Fault("unknown command".into()));
    }
    // Without a document, use the last one opened.
    let named = params.pointer("/arguments/0").and_then(Value::as_str).map(str::to_owned);
    let Some(uri) = named.or_else(|| world.last_opened()) else { return Err(Fault("no document is open".into())) };
    let answer = graph(world, client, json!({ "textDocument": { "uri": uri } }))?;
    let Some(program) = answer["program"].as_str() else { return Err(Fault("this file belongs to no program".into())) };
    let programs = features::graphs(world, &world.path(&uri));
    let Some((_, program)) = programs.iter().find(|(name, _)| name == program) else { return Ok(Value::Null) };
    let text = crate::picture::draw(&features::graph(world, *program), None, true);
    let file = std::env::temp_dir().join(format!("wgc-graph-{}.svg", std::process::id()));
    let failed = |error: std::io::Error| Fault(format!("cannot write {}: {error}", file.display()));
    // Never write through a link or file that somebody else put here.
    let _ = std::fs::remove_file(&file);
    let mut open = std::fs::OpenOptions::new().write(true).create_new(true).open(&file).map_err(failed)?;
    open.write_all(text.as_bytes()).map_err(failed)?;
    Ok(json!({ "uri": uri_of(&wgc_sema::db::normalize(&file.to_string_lossy())) }))
}
