//! `wgc check --budget`: the limits and each node's usage, as a table or as JSON lines.

use crate::Session;
use serde_json::{Value, json};
use wgc_ir::Launch;
use wgc_sema::flow::budgets::{NodeBudget, Used};
use wgc_sema::graph::show_id;
use wgc_sema::tables::figures::grouped;

const COLUMNS: [&str; 7] = ["node", "launch", "records", "bytes", "groupshared", "together", "depth"];

/// Returns a node's usage. `None` for limits that it does not have, and for the depth in a cycle.
fn figures(node: &NodeBudget) -> [Option<Used>; 5] {
    [Some(node.records), Some(node.bytes), node.groupshared, node.together, node.depth]
}

fn launch(node: &NodeBudget) -> &'static str {
    match node.launch {
        Launch::Broadcasting => "broadcasting",
        Launch::Coalescing => "coalescing",
        Launch::Thread => "thread",
        Launch::Mesh => "mesh",
    }
}

/// Returns rows as lines with aligned columns.
pub(super) fn aligned<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut out = String::new();
    for row in rows {
        let cells = row.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        out += cells.collect::<Vec<_>>().join("  ").trim_end();
        out.push('\n');
    }
    out
}

/// Returns a table with a line for each node, or an explanation.
pub(super) fn table(session: &Session, program: Option<&str>) -> String {
    let title = program.map_or_else(String::new, |name| format!("{name}:\n"));
    let nodes = match session.budgets() {
        None => return format!("{title}no budgets: errors affect the nodes\n"),
        Some(nodes) if nodes.is_empty() => return format!("{title}no budgets: the program has no nodes\n"),
        Some(nodes) => nodes,
    };
    let shown = |used: Option<Used>| match used {
        None => "-".to_owned(),
        Some(u) => {
            let mark = if u.is_too_much() { " !" } else { "" };
            format!("{} of {}{mark}", grouped(u.used), grouped(u.limit))
        }
    };
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    rows.extend(nodes.iter().map(|node| {
        let [records, bytes, shared, together, depth] = figures(node).map(shown);
        [show_id(&node.id), launch(node).to_owned(), records, bytes, shared, together, depth]
    }));
    let mut out = title + &aligned(&rows);
    if nodes.iter().flat_map(figures).flatten().any(Used::is_too_much) {
        out += "! exceeds the limit\n";
    }
    out
}

/// Returns a JSON object for each node, one a line.
pub(super) fn json_lines(session: &Session, program: Option<&str>) -> String {
    let used = |used: Option<Used>| match used {
        None => Value::Null,
        Some(Used { used, limit }) => json!({ "used": used, "limit": limit }),
    };
    let mut out = String::new();
    for node in session.budgets().unwrap_or_default() {
        let mut line = serde_json::Map::new();
        if let Some(program) = program {
            line.insert("program".into(), program.into());
        }
        line.insert("node".into(), node.id.name.as_str().into());
        line.insert("index".into(), node.id.index.into());
        line.insert("launch".into(), launch(&node).into());
        for (name, figure) in COLUMNS[2..].iter().zip(figures(&node)) {
            line.insert((*name).into(), used(figure));
        }
        out += &Value::Object(line).to_string();
        out.push('\n');
    }
    out
}
