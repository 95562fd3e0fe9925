//! Operations that only some shaders support: group barriers, comparisons within quads, node-only queries.
//!
//! Shaders of several kinds may call a function, so each operation is judged in the shaders that reach it, directly or
//! through calls. The query [`uses`] lists the needs of a function's body, and [`RUNNERS`] the features of each kind of
//! shader. The query [`contexts`] walks from each shader. Functions that nothing runs may use any operation, as may
//! exported functions, whose callers are unknown. (WorkGraphs.md, "Barrier", "Thread launch nodes"; HLSL SM 6.6,
//! Derivatives.)

use crate::check::check;
use crate::check::env;
use crate::check::excluded_code::ExcludedCode;
use crate::check::fold;
use crate::check::hir::{Arg, Body, ExprId, ExprKind};
use crate::check::initial::{initial, is_computed};
use crate::check::ops::{BuiltinOp, memory, semantics};
use crate::contracts::node::{node, stage};
use crate::db::def::{FnId, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::body_tree;
use crate::db::items::functions;
use crate::db::ty::{FnInst, RecordInst};
use crate::db::{Db, Program};
use crate::link::MAX_INSTANCES;
use crate::link::compute::{compute, compute_entries};
use crate::lower::start_effects::initialisers_with_effects;
use crate::tables::codes::{Code, Severity};
use crate::tables::collections::{IndexMap, IndexSet};
use crate::types::globals::{GlobalKind, global};
use crate::types::signature::{fn_signature, template_params};
use rustc_hash::FxHashMap;
use wgc_frontend::ast;
use wgc_ir::{AllocScope, Launch};

/// The availability of quads: groups of four threads whose coordinates can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quads {
    Never,
    /// `NumThreads` decides if quads form.
    OfGroup,
    Always,
}

/// A global or static member.
type GlobalRef<'db> = (VarId<'db>, Option<RecordInst<'db>>);

/// A kind of shader and the features of its threads.
#[derive(Debug, PartialEq, Eq)]
pub struct Runner {
    /// The name in `Shader("..")`.
    pub stage: &'static str,
    /// The launch mode, for nodes.
    pub launch: Option<Launch>,
    /// Threads form a group with barriers and shared memory.
    pub group: bool,
    /// The shader has input or output records.
    pub records: bool,
    pub quads: Quads,
}

const fn runner(stage: &'static str, launch: Option<Launch>, group: bool, quads: Quads) -> Runner {
    Runner { stage, launch, group, records: launch.is_some(), quads }
}

pub const RUNNERS: &[Runner] = &[
    runner("node", Some(Launch::Broadcasting), true, Quads::OfGroup),
    runner("node", Some(Launch::Coalescing), true, Quads::OfGroup),
    runner("node", Some(Launch::Thread), false, Quads::Never),
    runner("node", Some(Launch::Mesh), true, Quads::OfGroup),
    runner("compute", None, true, Quads::OfGroup),
    runner("mesh", None, true, Quads::OfGroup),
    runner("amplification", None, true, Quads::OfGroup),
    runner("pixel", None, false, Quads::Always),
    runner("vertex", None, false, Quads::Never),
    runner("geometry", None, false, Quads::Never),
    runner("hull", None, false, Quads::Never),
    runner("domain", None, false, Quads::Never),
    runner("raygeneration", None, false, Quads::Never),
    runner("intersection", None, false, Quads::Never),
    runner("anyhit", None, false, Quads::Never),
    runner("closesthit", None, false, Quads::Never),
    runner("miss", None, false, Quads::Never),
    runner("callable", None, false, Quads::Never),
];

/// A requirement that an operation has for the shader that executes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Need {
    /// Flags of `Barrier`, as constants; for one resource or record the memory is [`memory::ALL`].
    Barrier { memory: u32, semantics: u32 },
    /// A call that all threads of a group make together, for records or counts of the group.
    GroupCall,
    /// A query about the waves of the group.
    GroupWaves,
    /// A comparison of coordinates; `level` if the call only uses it to choose a level of detail.
    Quads { level: bool },
    /// Reads of values from other threads of the quad.
    QuadLanes,
    /// A query that only nodes can answer.
    Node,
    /// The size of the mesh.
    Mesh,
    /// The end of sharing an input record among the groups of a grid.
    Sharing,
}

/// An operation of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Use<'db> {
    pub need: Need,
    /// The name in the program.
    pub name: String,
    pub place: SourcePlace<'db>,
    /// The location of the method's name, if the single-thread method can replace it without other changes.
    pub replaceable: Option<SourcePlace<'db>>,
}

/// The needs and callees of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Uses<'db> {
    pub uses: Vec<Use<'db>>,
    /// In the order of the first call, whose location is kept.
    pub calls: Vec<(FnInst<'db>, SourcePlace<'db>)>,
    /// Groupshared variables in the order of the first mention, whose location is kept.
    pub groupshared: Vec<(GlobalRef<'db>, SourcePlace<'db>)>,
}

impl<'db> Uses<'db> {
    fn mention(&mut self, db: &'db dyn Db, (var, owner): GlobalRef<'db>, place: SourcePlace<'db>) {
        let is_shared = || global(db, var, owner).is_some_and(|g| g.kind == GlobalKind::Groupshared);
        if self.groupshared.iter().all(|(known, _)| *known != (var, owner)) && is_shared() {
            self.groupshared.push(((var, owner), place));
        }
    }

    fn call(&mut self, callee: FnInst<'db>, place: SourcePlace<'db>) {
        if self.calls.iter().all(|(known, _)| *known != callee) {
            self.calls.push((callee, place));
        }
    }
}

/// Returns the operations in one function's own body, including those that the prelude performs on its behalf. Code
/// that constant conditions exclude does not count.
#[salsa::tracked(returns(ref))]
pub fn uses<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Uses<'db> {
    let mut out = Uses::default();
    if let Some((item, body)) = crate::types::definition::body(db, function) {
        let place = |span| SourcePlace { item, body: Some(body), span };
        of_body(db, &check(db, function).body, &place, &mut out);
    }
    out
}

fn of_body<'db>(
    db: &'db dyn Db,
    body: &Body<'db>,
    place: &dyn Fn(wgc_frontend::ast::Span) -> SourcePlace<'db>,
    out: &mut Uses<'db>,
) {
    let excluded = ExcludedCode::of(db, body);
    let evaluated = (0..).map(ExprId).zip(&body.exprs).filter(|(_, expr)| !excluded.contains(expr.span));
    for (id, expr) in evaluated {
        match &expr.kind {
            ExprKind::Op { op, callee, args, .. } => {
                if let Some(need) = need(db, body, *op, args) {
                    let name = env::signature(db, *callee).name.clone();
                    let place = place(expr.span);
                    let alone = need == Need::GroupCall && is_alone(body, id);
                    let replaceable = if alone { method_name(db, place) } else { None };
                    out.uses.push(Use { need, name, place, replaceable });
                }
            }
            ExprKind::Call { callee, .. } if env::is_prelude(db, callee.function(db)) => {
                let name = &env::signature(db, *callee).name;
                let inner = uses(db, *callee).uses.iter();
                let outer =
                    |u: &Use<'db>| Use { name: name.clone(), place: place(expr.span), replaceable: None, ..u.clone() };
                out.uses.extend(inner.map(outer));
            }
            ExprKind::Call { callee, .. } => out.call(*callee, place(expr.span)),
            ExprKind::Global(var, owner) if is_computed(db, *var, *owner) => {
                let initial = &initial(db, var.item, var.index, *owner).body;
                // The needs of an initial value arise where the variable is named.
                let place = place(expr.span);
                for expr in &initial.exprs {
                    match &expr.kind {
                        ExprKind::Call { callee, .. } => out.call(*callee, place),
                        ExprKind::Global(var, owner) => out.mention(db, (*var, *owner), place),
                        _ => {}
                    }
                }
            }
            ExprKind::Global(var, owner) => out.mention(db, (*var, *owner), place(expr.span)),
            _ => {}
        }
    }
}

/// Returns whether no variable stores the call's result. The call counts empty records, or its records are completed
/// immediately.
fn is_alone(body: &Body, call: ExprId) -> bool {
    let is_op = |id: ExprId, wanted: &dyn Fn(BuiltinOp) -> bool| match &body.exprs[id.0 as usize].kind {
        ExprKind::Op { op, .. } => wanted(*op),
        _ => false,
    };
    let completes = |id: ExprId| match &body.exprs[id.0 as usize].kind {
        ExprKind::Op { op: BuiltinOp::RecordsComplete, object, .. } => *object == Some(call),
        _ => false,
    };
    is_op(call, &|op| matches!(op, BuiltinOp::IncrementCount(_)))
        || (0..body.exprs.len() as u32).map(ExprId).any(completes)
}

/// Finds the method name in a call of a body.
fn method_name<'db>(db: &'db dyn Db, call: SourcePlace<'db>) -> Option<SourcePlace<'db>> {
    let ast = &body_tree(db, call.item, call.body?)?.ast;
    let mut calls = ast.exprs.iter().map(|(_, expr)| expr).filter(|expr| expr.span == call.span);
    let name = calls.find_map(|expr| match &expr.kind {
        ast::ExprKind::Call { callee, .. } => match &ast.exprs[*callee].kind {
            ast::ExprKind::Member { name, .. } => Some(name.at),
            _ => None,
        },
        _ => None,
    })?;
    Some(SourcePlace { span: ast::Span { lo: name, hi: name + 1 }, ..call })
}

fn need<'db>(db: &'db dyn Db, body: &Body<'db>, op: BuiltinOp, args: &[Arg]) -> Option<Need> {
    // Flags that are not constants are not checked.
    let flag = |n: usize| match fold::number(fold::eval(db, body, args.get(n)?.expr())?) {
        fold::Number::Int(i) => u32::try_from(i).ok(),
        fold::Number::Float(_) => None,
    };
    Some(match op {
        BuiltinOp::BarrierMemory => Need::Barrier { memory: flag(0)?, semantics: flag(1)? },
        BuiltinOp::Barrier { memory, semantics } => Need::Barrier { memory, semantics },
        BuiltinOp::BarrierObject => Need::Barrier { memory: memory::ALL, semantics: flag(1)? },
        BuiltinOp::Allocate(AllocScope::Group) | BuiltinOp::IncrementCount(AllocScope::Group) => Need::GroupCall,
        BuiltinOp::Builtin(wgc_ir::Builtin::SubgroupId | wgc_ir::Builtin::NumSubgroups) => Need::GroupWaves,
        BuiltinOp::RemainingLevels => Need::Node,
        BuiltinOp::MeshCounts => Need::Mesh,
        BuiltinOp::InputFinished => Need::Sharing,
        BuiltinOp::Subgroup(lanes) if lanes.is_of_quads() => Need::QuadLanes,
        _ if op.needs_derivatives() => Need::Quads { level: matches!(op, BuiltinOp::ImageLod { .. }) },
        _ => return None,
    })
}

/// A reason why a shader cannot perform an operation, and the text for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingCapability {
    pub code: Code,
    pub severity: Severity,
    /// Follows the name of the operation or of the shader; see [`contexts`].
    pub why: String,
}

/// Checks an operation in a kind of shader with the given group size.
pub fn judge(need: Need, runner: &Runner, threads: [u32; 3]) -> Option<MissingCapability> {
    let error = |code, why: &str| Some(MissingCapability { code, severity: Severity::Error, why: why.to_string() });
    match need {
        Need::Barrier { memory: mem, semantics: sem } => {
            // With all memory kinds, each shader orders those that it has.
            let names = |kinds: u32| mem != memory::ALL && mem & kinds != 0;
            let records = memory::NODE_INPUT | memory::NODE_OUTPUT;
            if sem & semantics::GROUP_SYNC != 0 && !runner.group {
                error(Code::LaunchOperation, "thread group to synchronise")
            } else if (sem & semantics::GROUP_SCOPE != 0 || names(memory::GROUP_SHARED)) && !runner.group {
                error(Code::LaunchOperation, "group to share the memory with")
            } else if names(records) && !runner.records {
                error(Code::LaunchOperation, "records to order")
            } else if names(records) && runner.launch == Some(Launch::Thread) && mem & memory::UAV == 0 {
                error(
                    Code::LaunchOperation,
                    "other threads that see its records, so a barrier for them alone orders nothing",
                )
            } else {
                None
            }
        }
        // DXC compiles it and treats the thread as a group of one.
        Need::GroupCall if runner.launch == Some(Launch::Thread) => {
            let why = "thread group: call the method for one thread".to_string();
            Some(MissingCapability { code: Code::LaunchOperation, severity: Severity::Warning, why })
        }
        Need::GroupCall if !runner.group => error(Code::LaunchOperation, "thread group"),
        Need::GroupWaves if !runner.group => error(Code::LaunchOperation, "group whose waves it could count"),
        Need::Node if runner.launch.is_none() => error(Code::LaunchOperation, "levels of recursion"),
        Need::Mesh if runner.launch != Some(Launch::Mesh) && runner.stage != "mesh" => {
            error(Code::OtherStage, "belongs to mesh nodes, not to")
        }
        Need::Sharing if runner.launch == Some(Launch::Mesh) => {
            error(Code::LaunchOperation, "such call: only broadcasting nodes do")
        }
        // DXC accepts these in every stage; wgc compiles only nodes and compute shaders.
        Need::QuadLanes if runner.launch.is_none() && runner.stage != "compute" => None,
        Need::Quads { .. } | Need::QuadLanes => match runner.quads {
            Quads::Always => None,
            Quads::Never => error(Code::Derivatives, "never has"),
            Quads::OfGroup if wgc_ir::has_quads(threads) => None,
            Quads::OfGroup => {
                let [x, y, z] = threads;
                let mistake = error(Code::Derivatives, &format!("of {x} x {y} x {z} threads does not have"));
                // A compute shader may read from threads that do not exist, so this is only a warning.
                let is_warning = need == Need::QuadLanes && runner.launch.is_none();
                mistake.map(
                    |lack| if is_warning { MissingCapability { severity: Severity::Warning, ..lack } } else { lack },
                )
            }
        },
        Need::GroupCall | Need::GroupWaves | Need::Node | Need::Mesh | Need::Sharing => None,
    }
}

/// Returns the known shaders of a program, each with its kind and, if declared, its group size.
fn shaders<'db>(db: &'db dyn Db, program: Program) -> Vec<(FnInst<'db>, &'static Runner, Option<[u32; 3]>)> {
    let find = |stage: &str, launch: Option<Launch>| RUNNERS.iter().find(|r| r.stage == stage && r.launch == launch);
    let plain = |f: FnId<'db>| FnInst::new(db, f, None, Vec::new());
    let threads = |f: FnId<'db>| {
        let decl = compute(db, f);
        decl.diagnostics.is_empty().then_some(decl.num_threads)
    };
    // -E selects the only entry point, regardless of attributes.
    if program.options(db).compute_entry.is_some() {
        let entries = compute_entries(db, program).iter();
        return entries.filter_map(|f| Some((plain(*f), find("compute", None)?, threads(*f)))).collect();
    }
    let mut out = Vec::new();
    for f in functions(db, program) {
        let Some(stage) = stage(db, f).filter(|_| template_params(db, f).is_empty()) else { continue };
        let (launch, threads) = match node(db, f) {
            Some(node) => (Some(node.launch), Some(node.num_threads)),
            None if stage == "compute" => (None, threads(f)),
            // Compute shaders are the only other stage with known contents.
            None => (None, Some([1; 3])),
        };
        out.extend(find(stage, launch).map(|runner| (plain(f), runner, threads)));
    }
    out
}

/// Checks the operations that the shaders of a translation unit reach; reports each location once.
#[salsa::tracked(returns(ref))]
pub fn contexts<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let options = program.options(db);
    let library = options.library && options.compute_entry.is_none();
    let mut out: IndexMap<SourcePlace<'db>, Diagnostic<'db>> = IndexMap::default();
    for (shader, runner, threads) in shaders(db, program) {
        for function in reached(db, shader) {
            for used in &uses(db, function).uses {
                let known = |lack: &MissingCapability| threads.is_some() || lack.code != Code::Derivatives;
                let lack = judge(used.need, runner, threads.unwrap_or([1; 3])).filter(known);
                let Some(lack) = lack.filter(|_| !out.contains_key(&used.place)) else { continue };
                let is_lenient = || is_validators(used.need) || is_of_lone_records(used.need, runner);
                let severity = if library && is_lenient() { Severity::Warning } else { lack.severity };
                let mut diagnostic = message(db, shader, runner, used, &lack);
                // Another function may also be called from group shaders.
                if let Some(name) = used.replaceable.filter(|_| function == shader) {
                    let single = used.name.replace("Group", "Thread");
                    diagnostic = diagnostic.fix(name, &*single, format!("call `{single}`"));
                }
                out.insert(used.place, diagnostic.severity(severity));
            }
        }
    }
    out.into_values().collect()
}

/// Returns whether DXC leaves the check to its validator or does not check. Libraries with such code exist; linking a
/// module still rejects code that cannot run.
fn is_validators(need: Need) -> bool {
    matches!(need, Need::GroupCall)
}

/// Returns whether this is a thread node's barrier for its records alone, with no other mistake. The specification
/// forbids it, but DXC accepts it.
fn is_of_lone_records(need: Need, runner: &Runner) -> bool {
    let records = memory::NODE_INPUT | memory::NODE_OUTPUT;
    let group = semantics::GROUP_SYNC | semantics::GROUP_SCOPE;
    runner.launch == Some(Launch::Thread)
        && matches!(need, Need::Barrier { memory, semantics } if memory & !records == 0 && semantics & group == 0)
}

/// Returns the groupshared variables that a shader mentions, directly or through callees, in the order of the first
/// mention.
pub(crate) fn groupshared<'db>(db: &'db dyn Db, shader: FnInst<'db>) -> IndexSet<GlobalRef<'db>> {
    let all = reached(db, shader).into_iter().flat_map(|function| &uses(db, function).groupshared);
    all.map(|(var, _)| *var).collect()
}

/// Finds the shader's first access to a groupshared variable. If the access is in a callee, also returns the shader's
/// call that leads to it.
pub(crate) fn groupshared_access<'db>(
    db: &'db dyn Db,
    shader: FnInst<'db>,
) -> Option<(SourcePlace<'db>, Option<SourcePlace<'db>>)> {
    let mut by: FxHashMap<FnInst<'db>, SourcePlace<'db>> = FxHashMap::default();
    for function in reached(db, shader) {
        let call = by.get(&function).copied().filter(|_| function != shader);
        let used = uses(db, function);
        if let Some((_, place)) = used.groupshared.first() {
            return Some((*place, call));
        }
        for (callee, place) in &used.calls {
            by.entry(*callee).or_insert(call.unwrap_or(*place));
        }
    }
    None
}

/// Returns a shader, the functions that compute initial values with effects, and all callees, each once, callers first.
fn reached<'db>(db: &'db dyn Db, shader: FnInst<'db>) -> IndexSet<FnInst<'db>> {
    let mut out = IndexSet::from_iter([shader]);
    for (var, owner) in initialisers_with_effects(db, shader.function(db).item.program(db)) {
        out.extend(initial(db, var.item, var.index, *owner).body.exprs.iter().filter_map(|expr| match &expr.kind {
            ExprKind::Call { callee, .. } if !env::is_prelude(db, callee.function(db)) => Some(*callee),
            _ => None,
        }));
    }
    let mut instances: IndexMap<FnId<'db>, u32> = IndexMap::default();
    let mut next = 0;
    while let Some(function) = out.get_index(next).copied() {
        next += 1;
        for (callee, _) in &uses(db, function).calls {
            // Linking reports a template that instantiates itself forever; here the walk only has to end.
            let count = instances.entry(callee.function(db)).or_insert(0);
            if *count < MAX_INSTANCES && out.insert(*callee) {
                *count += 1;
            }
        }
    }
    out
}

fn message<'db>(
    db: &'db dyn Db,
    shader: FnInst<'db>,
    runner: &Runner,
    used: &Use<'db>,
    lack: &MissingCapability,
) -> Diagnostic<'db> {
    let signature = fn_signature(db, shader);
    let kind = match (runner.launch, runner.stage) {
        (Some(launch), _) => format!("{} node", crate::types::system_values::launch_name(launch)),
        (None, stage) => format!("{stage} shader"),
    };
    let (shown, operation) = (format!("{kind} `{}`", signature.name), &used.name);
    let here = Diagnostic::new(lack.code, used.place, String::new())
        .also(signature.name_place, "this shader reaches the call");
    if lack.code == Code::Derivatives {
        let message = format!("`{operation}` needs quads of threads, which {shown} {}", lack.why);
        let here = Diagnostic { message, ..here }
            .note("a group has quads if X and Y are even, or if X is a multiple of 4 and Y and Z are 1");
        return match used.need {
            Need::QuadLanes => here,
            _ => here.note("`SampleLevel` and `SampleGrad` need no quads"),
        };
    }
    if lack.code == Code::OtherStage {
        return Diagnostic { message: format!("`{operation}` {} {shown}", lack.why), ..here };
    }
    let here = Diagnostic { message: format!("`{operation}`: {shown} has no {}", lack.why), ..here };
    match used.need {
        Need::GroupCall if used.name.starts_with("Get") => {
            here.note("call `GetThreadNodeOutputRecords(n)`, which returns `ThreadNodeOutputRecords`")
        }
        Need::GroupCall => here.note("call `ThreadIncrementOutputCount`, which counts for a thread"),
        Need::Barrier { .. } if is_of_lone_records(used.need, runner) => {
            here.note("add `UAV_MEMORY`, or remove the barrier")
        }
        Need::Barrier { .. } if runner.launch == Some(Launch::Thread) => here.note(
            "broadcasting and coalescing nodes have groups; `Barrier(UAV_MEMORY, DEVICE_SCOPE)` orders device memory",
        ),
        _ => here,
    }
}
