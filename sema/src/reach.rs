//! What a node or compute shader reaches through the functions that it calls: groupshared memory, derivatives, barriers.

use crate::check::check;
use crate::codes::{Code, Severity};
use crate::compute::compute;
use crate::db::{Db, Program};
use crate::def::VarId;
use crate::diagnostic::Diagnostic;
use crate::globals::{GlobalKind, global};
use crate::layout::size_of;
use crate::link::{link, reached_units, roots};
use crate::lower::unit::Unit;
use crate::lower::{LaunchMode, Lowered, Role};
use crate::node::node;
use crate::signature::fn_signature;
use crate::ty::{FnInst, RecordInst};
use indexmap::IndexSet;

/// Bytes that a group may use without `GroupSharedLimit`.
const MAX_GROUPSHARED: u64 = 32_768;

type Global<'db> = (VarId<'db>, Option<RecordInst<'db>>);

/// Globals that a function in a role mentions, itself or through callees, in the order of the first mention.
pub fn reached_globals<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role) -> IndexSet<Global<'db>> {
    reached(db, function, role).into_iter().flat_map(|lowered| lowered.globals.iter().copied()).collect()
}

/// A function in a role and all that it calls, each once, callers first.
fn reached<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role) -> Vec<&'db Lowered<'db>> {
    let linked = &link(db, function.function(db).item.program(db)).units;
    reached_units(db, Unit::root(function, role), linked).iter().map(|unit| unit.lowered(db)).collect()
}

/// Rows 5 and 24: who may use groupshared memory, and how much.
#[salsa::tracked(returns(ref))]
pub fn groupshared<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    for (function, role) in roots(db, program) {
        let what = match role {
            Role::Node(_) => "node",
            Role::Compute => "compute shader",
            Role::Callee => continue,
        };
        let mut parts = Vec::new();
        for (var, owner) in reached_globals(db, function, role) {
            let Some(global) = global(db, var, owner).filter(|g| g.kind == GlobalKind::Groupshared) else { continue };
            parts.push((global, u64::from(size_of(db, global.ty).unwrap_or(0))));
        }
        let signature = fn_signature(db, function);
        let name = &signature.name;
        if let (Role::Node(LaunchMode::Thread), Some((first, _))) = (role, parts.first()) {
            let message = format!("thread node `{name}` uses the groupshared variable `{}`", first.name);
            out.push(
                Diagnostic::new(Code::GroupsharedInThread, signature.name_place, message)
                    .also(first.place, "declared here")
                    .note("threads of a thread-launch node are in no group that they can see"),
            );
            continue;
        }
        let bytes: u64 = parts.iter().map(|(_, size)| size).sum();
        let id = function.function(db);
        let limit = match role {
            Role::Node(_) => node(db, id).as_ref().and_then(|n| n.groupshared_limit),
            _ => compute(db, id).groupshared_limit,
        };
        let limit = limit.map_or(MAX_GROUPSHARED, u64::from);
        if bytes > limit {
            let sum: Vec<_> = parts.iter().map(|(g, size)| format!("`{}` {size} B", g.name)).collect();
            let message = format!("{what} `{name}` uses {bytes} B of groupshared memory, of at most {limit} B");
            let mut diagnostic = Diagnostic::new(Code::GroupsharedLimit, signature.name_place, message);
            for (global, _) in &parts {
                diagnostic = diagnostic.also(global.place, "counts");
            }
            out.push(diagnostic.note(format!("{} = {bytes} B", sum.join(" + "))));
        }
    }
    out
}

/// Who may compare the coordinates of a quad: its threads must be found, in twos on both axes or in fours on X.
#[salsa::tracked(returns(ref))]
pub fn derivatives<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    for (function, role) in roots(db, program) {
        let id = function.function(db);
        let (what, threads) = match role {
            Role::Node(LaunchMode::Thread) => ("thread node", None),
            Role::Node(_) => ("node", node(db, id).as_ref().map(|n| n.num_threads)),
            Role::Compute => ("compute shader", Some(compute(db, id).num_threads)),
            Role::Callee => continue,
        };
        if threads.is_some_and(wgc_ir::has_quads) {
            continue;
        }
        let first = reached(db, function, role).into_iter().find_map(|lowered| lowered.derivatives.as_ref());
        let Some((operation, place)) = first else { continue };
        let signature = fn_signature(db, function);
        let name = &signature.name;
        let message = match threads {
            Some([x, y, z]) => format!(
                "`{operation}` needs quads of threads, which the {x} x {y} x {z} threads of {what} `{name}` do not form"
            ),
            None => format!("`{operation}` needs quads of threads, which {what} `{name}` has not"),
        };
        // Of a library only the names are used: what cannot run is refused where it becomes a module.
        let options = program.options(db);
        let severity =
            if options.library && options.compute_entry.is_none() { Severity::Warning } else { Severity::Error };
        out.push(
            Diagnostic::new(Code::Derivatives, *place, message)
                .severity(severity)
                .also(signature.name_place, "used by this one")
                .note("quads are formed when X and Y are even, or when X is a multiple of 4 and Y and Z are 1")
                .note("`SampleLevel` and `SampleGrad` need no quads"),
        );
    }
    out
}

/// Nodes of thread launch come to no barrier of a group in the functions that they call.
#[salsa::tracked(returns(ref))]
pub fn meetings<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out: Vec<Diagnostic<'db>> = Vec::new();
    for (function, role) in roots(db, program) {
        if role != Role::Node(LaunchMode::Thread) {
            continue;
        }
        let linked = &link(db, function.function(db).item.program(db)).units;
        let root = Unit::root(function, role);
        for unit in reached_units(db, root.clone(), linked) {
            let Unit::Function(callee, _) = &unit else { continue };
            // Its own are reported where it is checked.
            for (what, place) in check(db, callee.function).body.meetings.iter().filter(|_| unit != root) {
                if out.iter().any(|d| d.primary.place == *place) {
                    continue;
                }
                let signature = fn_signature(db, function);
                let message = format!("a node of thread launch has no {what}");
                let diagnostic = Diagnostic::new(Code::LaunchOperation, *place, message);
                out.push(diagnostic.also(signature.name_place, format!("`{}` comes here", signature.name)));
            }
        }
    }
    out
}
