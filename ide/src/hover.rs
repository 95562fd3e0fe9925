//! Descriptions of nodes as Markdown: launch, record layout, targets and budget.

use super::graph::GraphSites;
use std::fmt::Write as _;
use wgc_ir::{Grid, Launch};
use wgc_sema::contracts::node::NodeDecl;
use wgc_sema::db::{Db, Program};
use wgc_sema::flow::budgets::node_budgets;
use wgc_sema::graph::host::overrides::contract;
use wgc_sema::graph::{graph, show_id};
use wgc_sema::tables::figures::grouped;
use wgc_sema::types::system_values::launch_name;

/// Describes a node of a program by its index in `sites`, which belong to the program. `None` if there is no such node.
pub fn node_text(db: &dyn Db, program: Program, sites: &GraphSites, number: usize) -> Option<String> {
    let site = sites.nodes.get(number)?;
    let whole = graph(db, program);
    let function =
        whole.functions.iter().find(|f| contract(db, program, **f).is_some_and(|decl| decl.id == site.id))?;
    let decl = contract(db, program, *function)?;
    let mut out = format!("**`{}`**: {} node", site.shown, launch_name(decl.launch));
    if site.is_entry {
        out += ", entry";
    }
    out += &launched(decl);
    out += "\n";
    if let Some(input) = &decl.input {
        match &input.record {
            Some(info) => {
                let many = if input.max_records > 1 {
                    format!(", up to {} at a time", input.max_records)
                } else {
                    String::new()
                };
                out += &format!("\nInput `{}`{many}:\n\n", input.name);
                out += &super::bytes::of_record(db, info.ty, &info.ir.ty);
            }
            None => out += &format!("\nInput `{}` without data\n", input.name),
        }
    }
    if !decl.outputs.is_empty() {
        out += "\nOutputs:\n\n";
    }
    for (n, output) in decl.outputs.iter().enumerate() {
        let mut targets: Vec<String> = sites
            .edges
            .iter()
            .filter(|e| (e.node, e.output) == (number, n))
            .map(|e| sites.nodes[e.target].shown.clone())
            .collect();
        let more = targets.len().saturating_sub(SHOWN);
        targets.truncate(SHOWN);
        let mut to = targets.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        if more != 0 {
            to += &format!(" and {more} more");
        }
        if to.is_empty() {
            to = format!("`{}`, which does not exist", show_id(&output.target));
        }
        let record = output.record.as_ref().map_or("no data".to_owned(), |info| {
            format!("`{}`, {} bytes", info.ty.display(db), grouped(info.size().into()))
        });
        let _ = writeln!(out, "- `{}` to {to}: at most {}, {record}", output.name, output.max_records);
    }
    let budgets = node_budgets(db, program).unwrap_or_default();
    if let Some(budget) = budgets.get(number).filter(|_| !decl.outputs.is_empty()) {
        let (records, bytes) = (budget.records, budget.bytes);
        let _ = writeln!(
            out,
            "\n{} of {} records, {} of {} bytes",
            grouped(records.used),
            grouped(records.limit),
            grouped(bytes.used),
            grouped(bytes.limit)
        );
    }
    Some(out)
}

/// The limit of array targets that are named.
const SHOWN: usize = 8;

/// Describes threads and grid.
fn launched(decl: &NodeDecl) -> String {
    let by = |[x, y, z]: [u32; 3]| format!("{x}x{y}x{z}");
    let threads =
        if decl.launch == Launch::Thread { String::new() } else { format!(", {} threads", by(decl.num_threads)) };
    let grid = match decl.grid {
        Grid::None => String::new(),
        Grid::Fixed(grid) => format!(", a grid of {}", by(grid)),
        Grid::Max(grid) => format!(", grids up to {}", by(grid)),
    };
    let levels =
        if decl.max_recursion == 0 { String::new() } else { format!(", {} levels of recursion", decl.max_recursion) };
    threads + &grid + &levels
}
