//! Functions that call each other in a cycle. Checking finds a function that calls itself directly. A cycle spans
//! several bodies, so the search needs all reachable functions.

use crate::check::check;
use crate::check::hir::ExprKind;
use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::FnInst;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use crate::types::signature::fn_signature;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::Span;

/// Returns one diagnostic for each call that closes a cycle among `functions`, which must include all callees.
pub fn cycles<'db>(db: &'db dyn Db, functions: &[FnInst<'db>]) -> Vec<Diagnostic<'db>> {
    let calls: FxHashMap<FnInst<'db>, Vec<(FnInst<'db>, Span)>> =
        functions.iter().map(|f| (*f, calls(db, *f))).collect();
    let mut out = Vec::new();
    let mut done: FxHashMap<FnInst<'db>, bool> = FxHashMap::default();
    for root in functions {
        if done.contains_key(root) {
            continue;
        }
        // Depth-first search with an explicit stack: (function, next call). `false` in `done` means on the stack.
        let mut stack = vec![(*root, 0)];
        done.insert(*root, false);
        while let Some((f, next)) = stack.last_mut() {
            let of = calls.get(f).map_or(&[][..], Vec::as_slice);
            let Some((callee, span)) = of.get(*next) else {
                done.insert(*f, true);
                stack.pop();
                continue;
            };
            *next += 1;
            match done.get(callee) {
                None => {
                    done.insert(*callee, false);
                    stack.push((*callee, 0));
                }
                Some(false) if callee != f => {
                    let (callee, span) = (*callee, *span);
                    let cycle = stack.iter().map(|(f, _)| *f).skip_while(|f| *f != callee);
                    out.extend(report(db, &cycle.collect::<Vec<_>>(), span));
                }
                Some(_) => {}
            }
        }
    }
    out
}

fn calls<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Vec<(FnInst<'db>, Span)> {
    let exprs = check(db, f).body.exprs.iter();
    exprs
        .filter_map(|e| match &e.kind {
            ExprKind::Call { callee, .. } => Some((*callee, e.span)),
            _ => None,
        })
        .collect()
}

/// Reports the call that closes a cycle. `cycle` starts with the function that it calls, and ends with its caller.
fn report<'db>(db: &'db dyn Db, cycle: &[FnInst<'db>], span: Span) -> Option<Diagnostic<'db>> {
    let (callee, between, caller) = match cycle {
        [callee, between @ .., caller] => (callee, between, *caller),
        _ => return None,
    };
    let name = |f: &FnInst<'db>| fn_signature(db, *f).name.clone();
    let (item, body) = match crate::types::definition::body(db, caller) {
        Some((item, body)) => (item, Some(body)),
        None => (caller.function(db).item, None),
    };
    let place = SourcePlace { item, body, span };
    let (first, last) = (name(callee), name(&caller));
    let message = match between {
        [] => format!("`{first}` and `{last}` call each other"),
        [one] => format!("`{first}` calls itself through `{}` and `{last}`", name(one)),
        [one, two] => format!("`{first}` calls itself through `{}`, `{}` and `{last}`", name(one), name(two)),
        [one, rest @ ..] => {
            let others = grouped(rest.len() as u64);
            format!("`{first}` calls itself through `{}`, {others} other functions and `{last}`", name(one))
        }
    };
    Some(
        Diagnostic::new(Code::Recursion, place, message)
            .also(fn_signature(db, *callee).name_place, format!("`{first}` is declared here")),
    )
}
