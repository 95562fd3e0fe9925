//! The memory of a thread group: outputs, groupshared memory and bookkeeping together.

use crate::db::diagnostic::Diagnostic;
use crate::db::{Db, Program};
use crate::flow::groupshared_usage::groupshared_of;
use crate::graph::budget::{BYTES_PER_RECORD, MAX_GROUP_MEMORY, limits, sharing};
use crate::graph::graph;
use crate::graph::host::overrides::contract;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::grouped;
use wgc_ir::Launch;

/// Checks the memory of each thread group (`Code::GroupMemory`): outputs, the groupshared memory in use and 8 bytes for
/// each record share one memory.
#[salsa::tracked(returns(ref))]
pub fn group_memory<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let whole = graph(db, program);
    let severity = if program.options(db).library { Severity::Warning } else { Severity::Error };
    let mut out = Vec::new();
    if whole.host_is_wrong {
        return out;
    }
    for (n, f) in whole.functions.iter().enumerate() {
        let (ir, budget) = (&whole.graph.nodes[n], &whole.budgets[n]);
        let (records, bytes) = (budget.records(), budget.bytes());
        let limits = limits(ir.launch);
        // Another limit is exceeded, and its diagnostic is clearer.
        if ir.launch == Launch::Thread
            || records == 0
            || records > limits.records
            || budget.limited_bytes(ir.launch) > limits.bytes
        {
            continue;
        }
        let Some(decl) = contract(db, program, *f) else { continue };
        if decl.outputs.iter().any(|output| output.budget_is_unknown) {
            continue;
        }
        let shared = groupshared_of(db, *f);
        let used: u64 = shared.iter().map(|(_, bytes)| bytes).sum();
        let all = bytes + used + BYTES_PER_RECORD * records;
        if all <= MAX_GROUP_MEMORY {
            continue;
        }
        let (all, most) = (grouped(all), grouped(MAX_GROUP_MEMORY));
        let message =
            format!("a thread group of node `{}` needs {all} B of group memory; the limit is {most} B", decl.name);
        let mut diagnostic = Diagnostic::new(Code::GroupMemory, decl.name_place, message).severity(severity);
        for part in &budget.parts {
            if let Some(place) = decl.outputs.get(part.output).and_then(|output| output.budget_place) {
                diagnostic = diagnostic.also(place, format!("{} = {} B", part.sum(), grouped(part.bytes())));
            }
            diagnostic = sharing(decl, part, diagnostic);
        }
        for (global, bytes) in &shared {
            diagnostic = diagnostic.also(global.place, format!("{} B of groupshared memory", grouped(*bytes)));
        }
        out.push(diagnostic.note(format!(
            "records: {} B + groupshared: {} B + {BYTES_PER_RECORD} B for each of {records} records = {all} of {most} B",
            grouped(bytes),
            grouped(used)
        )));
    }
    out
}
