//! Groupshared memory that a node or compute shader reaches through calls, and entry nodes that share their input.

use crate::contracts::node::node;
use crate::db::def::FnId;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::flow::call_context;
use crate::graph::graph;
use crate::graph::host::overrides::{contract, redirected};
use crate::link::compute::compute;
use crate::link::{link, reached_units, roots};
use crate::lower::unit::Unit;
use crate::lower::{LaunchMode, Lowered, Role};
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use crate::types::globals::{Global, global};
use crate::types::layout::size_of;
use crate::types::signature::fn_signature;
use wgc_ir::Launch;

/// Bytes that a group may use without `GroupSharedLimit`.
const MAX_GROUPSHARED: u64 = 32_768;

/// Bytes that a group of a mesh node may use without `GroupSharedLimit` (MeshShader.md, Shared memory).
const MAX_MESH_GROUPSHARED: u64 = 28_672;

/// Returns a function in a role and all its callees, each once, callers first.
fn reached<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role) -> Vec<&'db Lowered<'db>> {
    let linked = &link(db, function.function(db).item.program(db)).units;
    reached_units(db, Unit::root(function, role), linked).iter().map(|unit| unit.lowered(db)).collect()
}

/// Returns the groupshared variables that a shader mentions, directly or through callees, with their bytes.
fn groupshared_in<'db>(db: &'db dyn Db, shader: FnInst<'db>) -> Vec<(&'db Global<'db>, u64)> {
    let all = call_context::groupshared(db, shader).into_iter().filter_map(|(var, owner)| global(db, var, owner));
    all.map(|global| (global, u64::from(size_of(db, global.ty).unwrap_or(0)))).collect()
}

/// Returns the groupshared variables of a node, with their bytes.
pub(crate) fn groupshared_of<'db>(db: &'db dyn Db, f: FnId<'db>) -> Vec<(&'db Global<'db>, u64)> {
    groupshared_in(db, FnInst::new(db, f, None, Vec::new()))
}

/// Returns the bytes that a group may use: the value of `GroupSharedLimit`, or the default of the launch mode.
pub(crate) fn groupshared_limit(launch: Option<Launch>, declared: Option<u32>) -> u64 {
    let default = if launch == Some(Launch::Mesh) { MAX_MESH_GROUPSHARED } else { MAX_GROUPSHARED };
    declared.map_or(default, u64::from)
}

/// Checks the use of groupshared memory (`Code::GroupsharedInThread`) and its size (`Code::GroupsharedLimit`).
#[salsa::tracked(returns(ref))]
pub fn groupshared<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    for (function, role) in roots(db, program) {
        let what = match role {
            Role::Node(LaunchMode::Mesh) => "mesh node",
            Role::Node(_) => "node",
            Role::Compute => "compute shader",
            Role::Callee => continue,
        };
        let parts = groupshared_in(db, function);
        let signature = fn_signature(db, function);
        let name = &signature.name;
        if let (Role::Node(LaunchMode::Thread), Some((first, _))) = (role, parts.first()) {
            let message = format!("thread node `{name}` uses the groupshared variable `{}`", first.name);
            let mut wrong = Diagnostic::new(Code::GroupsharedInThread, signature.name_place, message)
                .also(first.place, "declared here");
            if let Some((access, call)) = call_context::groupshared_access(db, function) {
                wrong = wrong.also(access, "used here");
                if let Some(call) = call {
                    wrong = wrong.also(call, format!("node `{name}` reaches this call"));
                }
            }
            out.push(wrong.note("threads of a thread-launch node have no thread group, so they share no memory"));
            continue;
        }
        let bytes: u64 = parts.iter().map(|(_, size)| size).sum();
        let id = function.function(db);
        let limit = match node(db, id).as_ref().filter(|_| matches!(role, Role::Node(_))) {
            Some(node) => groupshared_limit(Some(node.launch), node.groupshared_limit),
            None => groupshared_limit(None, compute(db, id).groupshared_limit),
        };
        if bytes > limit {
            let sum: Vec<_> = parts.iter().map(|(g, size)| format!("`{}` {} B", g.name, grouped(*size))).collect();
            let used = format!("{} of {} B", grouped(bytes), grouped(limit));
            let message = format!("{what} `{name}` uses {used} of groupshared memory");
            let mut diagnostic = Diagnostic::new(Code::GroupsharedLimit, signature.name_place, message);
            for (global, size) in &parts {
                diagnostic = diagnostic.also(global.place, format!("{} B of groupshared memory", grouped(*size)));
            }
            out.push(diagnostic.note(format!("groupshared: {} = {used}", sum.join(" + "))));
        }
    }
    out
}

/// Checks `FinishedCrossGroupSharing` in entry nodes (`Code::SharingAtEntry`): a host's records have no memory for the
/// counter of remaining groups. A graph rule checks that producing nodes track such records too.
#[salsa::tracked(returns(ref))]
pub fn sharing_at_entries<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    let whole = graph(db, program);
    if program.options(db).library || whole.host_is_wrong {
        return out;
    }
    // A mesh node has no such call, regardless of its producers.
    for (n, ir) in whole.graph.nodes.iter().enumerate().filter(|(_, ir)| ir.entry && ir.mesh.is_none()) {
        let writes = ir.input.as_ref().is_some_and(|input| input.read_write);
        let Some(decl) = contract(db, program, whole.functions[n]).filter(|_| writes) else { continue };
        let inst = FnInst::new(db, whole.functions[n], None, Vec::new());
        let reached = reached(db, inst, Role::Node(decl.launch.into()));
        let Some(place) = reached.into_iter().find_map(|lowered| lowered.finished) else { continue };
        let message = format!("node `{}` cannot use `FinishedCrossGroupSharing`: the host starts this node", decl.name);
        let mut wrong = Diagnostic::new(Code::SharingAtEntry, place, message);
        wrong = match whole.entry_places[n] {
            Some(entry) => wrong.also(entry, "marked as an entry"),
            None => {
                let untargeted = wrong.also(decl.id_place, "an entry, since no other node targets it");
                match redirected(db, program, &decl.id) {
                    Some((place, text)) => untargeted.also(place, text),
                    None => untargeted,
                }
            }
        };
        out.push(wrong.note("the call needs a counter, and only records from nodes have one"));
    }
    out
}
