//! What a node or compute shader reaches through the functions that it calls: groupshared memory, for now.

use crate::codes::Code;
use crate::db::{Db, Program};
use crate::def::VarId;
use crate::diagnostic::Diagnostic;
use crate::globals::{GlobalKind, global};
use crate::layout::size_of;
use crate::link::{link, roots};
use crate::lower::{Callee, LaunchMode, Role, lowered};
use crate::signature::fn_signature;
use crate::ty::{FnInst, RecordInst};
use indexmap::IndexSet;

const MAX_GROUPSHARED: u64 = 32_768;

type Global<'db> = (VarId<'db>, Option<RecordInst<'db>>);

/// Globals that a function in a role mentions, itself or through callees, in the order of the first mention.
pub fn reached_globals<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role) -> IndexSet<Global<'db>> {
    let mut globals = IndexSet::new();
    let mut done: IndexSet<(Callee<'db>, Role)> = IndexSet::new();
    done.insert((Callee { function, bound: Vec::new() }, role));
    // A template that needs itself with ever more arguments is cut off there.
    let linked = &link(db, function.function(db).item.program(db)).reached;
    let mut next = 0;
    while let Some((callee, role)) = done.get_index(next).cloned() {
        next += 1;
        let lowered = lowered(db, callee.function, role, callee.bound.clone());
        globals.extend(lowered.globals.iter().copied());
        done.extend(lowered.callees.iter().filter(|c| linked.contains(&c.function)).map(|c| (c.clone(), Role::Callee)));
    }
    globals
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
        if bytes > MAX_GROUPSHARED {
            let sum: Vec<_> = parts.iter().map(|(g, size)| format!("`{}` {size} B", g.name)).collect();
            let message =
                format!("{what} `{name}` uses {bytes} B of groupshared memory, of at most {MAX_GROUPSHARED} B");
            let mut diagnostic = Diagnostic::new(Code::GroupsharedLimit, signature.name_place, message);
            for (global, _) in &parts {
                diagnostic = diagnostic.also(global.place, "counts");
            }
            out.push(diagnostic.note(format!("{} = {bytes} B", sum.join(" + "))));
        }
    }
    out
}
