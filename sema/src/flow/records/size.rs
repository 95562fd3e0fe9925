//! The size of the code to follow in a node; functions count once for each call.

use crate::contracts::node::NodeDecl;
use crate::db::diagnostic::Diagnostic;
use crate::lower::unit::Unit;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use rustc_hash::FxHashMap;
use wgc_ir::{Function, Op, SharedFunction, Stmt, Symbol, walk};

/// Maximum number of values in one node's code with its calls inlined.
pub(super) const MAX_FOLLOWED: u64 = 1 << 17;

/// Returns the number of values in the first function after inlining, without inlining it.
pub(super) fn inlined(functions: &[(&Unit<'_>, &SharedFunction)]) -> u64 {
    let numbers: FxHashMap<&Symbol, usize> =
        functions.iter().enumerate().map(|(n, (_, function))| (&function.name, n)).collect();
    let calls: Vec<Vec<usize>> = functions
        .iter()
        .map(|(_, function)| called(function).into_iter().filter_map(|name| numbers.get(name).copied()).collect())
        .collect();
    let mut open = vec![0usize; functions.len()];
    calls.iter().flatten().for_each(|callee| open[*callee] += 1);
    // The number of calls is known once it is known for all callers. Recursive functions never become ready; recursion
    // is reported elsewhere.
    let mut times = vec![0u64; functions.len()];
    let mut ready = Vec::new();
    if let Some(first) = times.first_mut() {
        *first = 1;
        ready.push(0);
    }
    let mut sum = 0u64;
    while let Some(caller) = ready.pop() {
        let values = functions[caller].1.values.len() as u64;
        sum = sum.saturating_add(values.saturating_mul(times[caller]));
        for &callee in &calls[caller] {
            times[callee] = times[callee].saturating_add(times[caller]);
            open[callee] = open[callee].saturating_sub(1);
            if open[callee] == 0 {
                ready.push(callee);
            }
        }
    }
    sum
}

fn called(function: &Function) -> Vec<&Symbol> {
    let mut out = Vec::new();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Call { callee, .. } => out.push(callee),
        Stmt::Let(id) => {
            if let Some(Op::Call { callee, .. }) = function.value(*id).map(|value| &value.op) {
                out.push(callee);
            }
        }
        _ => {}
    });
    out
}

/// Reports that a node is too large.
pub(super) fn not_followed<'db>(decl: &NodeDecl<'db>, size: u64) -> Diagnostic<'db> {
    let message = format!(
        "node `{}` has {} operations, each call counted separately; the analysis is limited to {}",
        decl.name,
        grouped(size),
        grouped(MAX_FOLLOWED)
    );
    Diagnostic::new(Code::NotFollowed, decl.name_place, message)
        .note("its uses of records, barriers and its input are not checked")
}
