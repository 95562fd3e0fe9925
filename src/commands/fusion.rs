//! `wgc check --fusion`: the edges of a graph and their fusion, as a table or as JSON lines.

use super::{Stop, budget};
use crate::{Failure, Session};
use serde_json::{Value, json};
use wgc_ir::NodeId;
use wgc_ir::passes::fusion::{Decision, Edge, Reason, Report};
use wgc_sema::graph::show_id;
use wgc_sema::tables::figures::grouped;

const COLUMNS: [&str; 5] = ["edge", "to", "fusion", "records", "operations"];

fn report(session: &Session) -> Result<Option<Report>, Failure> {
    if session.is_compute() { Ok(None) } else { session.fusion(&session.emulated_options()).map(Some) }
}

/// Formats the targets of an edge: a node, or the elements of an array.
fn targets(consumers: &[NodeId]) -> String {
    match consumers {
        [] => "-".to_owned(),
        [one] => show_id(one),
        // Their order is that of the declarations.
        [first, ..] => {
            let (least, most) = consumers
                .iter()
                .fold((first.index, first.index), |(least, most), node| (least.min(node.index), most.max(node.index)));
            format!("{}[{least}..{most}]", first.name)
        }
    }
}

/// Returns a table with a line for each edge, and the reasons below.
pub(super) fn table(session: &Session, program: Option<&str>) -> Result<String, Failure> {
    let title = program.map_or_else(String::new, |name| format!("{name}:\n"));
    let edges = match report(session)? {
        Some(report) if !report.edges.is_empty() => report.edges,
        _ => return Ok(format!("{title}no edges\n")),
    };
    let mut reasons: Vec<Reason> = Vec::new();
    let mut rows = vec![COLUMNS.map(str::to_owned)];
    for edge in &edges {
        let decision = match edge.decision {
            Decision::Fused(rule) => rule.code().to_owned(),
            Decision::Kept(reason) => {
                reasons.push(reason);
                format!("kept: {}", reason.code())
            }
        };
        let number = |number: Option<u64>| number.map_or_else(|| "-".to_owned(), grouped);
        rows.push([
            format!("{}.{}", show_id(&edge.producer), edge.output),
            targets(&edge.consumers),
            decision,
            number(edge.figures.map(|figures| figures.records.into())),
            number(edge.figures.map(|figures| figures.operations as u64)),
        ]);
    }
    let mut out = title + &budget::aligned(&rows);
    for reason in Reason::ALL.iter().filter(|reason| reasons.contains(reason)) {
        out += &format!("{reason}\n");
    }
    Ok(out)
}

/// Returns a JSON object for each edge, one a line.
pub(super) fn json_lines(session: &Session, program: Option<&str>) -> Result<String, Failure> {
    let edges = report(session)?.map_or_else(Vec::new, |report| report.edges);
    Ok(edges.iter().map(|edge| line(edge, program).to_string() + "\n").collect())
}

fn line(edge: &Edge, program: Option<&str>) -> Value {
    let node = |id: &NodeId| json!({ "node": id.name.as_str(), "index": id.index });
    let mut line = serde_json::Map::new();
    if let Some(program) = program {
        line.insert("program".into(), program.into());
    }
    line.insert("producer".into(), node(&edge.producer));
    line.insert("output".into(), edge.output.as_str().into());
    line.insert("targets".into(), edge.consumers.iter().map(node).collect());
    line.insert("fused".into(), edge.is_fused().into());
    match edge.decision {
        Decision::Fused(rule) => line.insert("rule".into(), rule.code().into()),
        Decision::Kept(reason) => {
            line.insert("reason".into(), reason.code().into());
            line.insert("message".into(), reason.text().into())
        }
    };
    if let Some(figures) = edge.figures {
        line.insert("records".into(), figures.records.into());
        line.insert("operations".into(), figures.operations.into());
    }
    Value::Object(line)
}

/// Prints the edges in the format of messages.
pub(super) fn print_edges(session: &Session, format: Option<&str>, program: Option<&str>) -> Result<String, Stop> {
    let printed = match format {
        Some("json") => json_lines(session, program),
        Some("sarif") => {
            return Err(Stop::Usage("--fusion prints a table or JSON lines: SARIF is for diagnostics only".into()));
        }
        _ => table(session, program),
    };
    printed.map_err(Stop::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_ir::passes::fusion::Rule;

    #[test]
    fn the_page_lists_all_rules_and_reasons() {
        let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/fusion.md")).expect("the page");
        for rule in Rule::ALL {
            assert!(page.contains(&format!("\n| `{rule}` | ")), "{rule}");
        }
        for reason in Reason::ALL {
            assert!(page.contains(&format!("\n| `{}` | {} | ", reason.code(), reason.text())), "{reason}");
        }
    }
}
