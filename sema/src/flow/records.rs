//! Checks of a node's records along all paths: [`wgc_ir::flow`] over the functions that the node reaches, reported in
//! terms of the source.
//!
//! There is one query for each node. It reads only the lowered functions that the node calls, so an edit in one body
//! rechecks only the nodes that reach it. A mistake in a function that several nodes call is reported once, with the
//! name of the first node.

mod messages;
mod size;
mod sums;

use crate::check::check;
use crate::check::hir::{self, ExprId, ExprKind};
use crate::check::ops::BuiltinOp;
use crate::check::symbol;
use crate::contracts::node::reaches;
use crate::contracts::node::{ArrayDecl, NodeDecl};
use crate::db::def::{FnId, Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst};
use crate::db::{Db, Program};
use crate::graph::host::overrides::contract;
use crate::link::roots;
use crate::lower::globals::ir_global;
use crate::lower::unit::Unit;
use crate::lower::{Lowered, Role};
use crate::tables::codes::{Code, Severity};
use crate::tables::collections::IndexSet;
use crate::types::globals::{GlobalKind, global};
use crate::types::node_record::RecordInfo;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_frontend::ast::Span;
use wgc_ir::flow::{self, Budget, Finding, FindingKind, Label, LaunchParameters};
use wgc_ir::passes::{fold_table_loads, inline_into, split};
use wgc_ir::{
    ComputeEntry, Function, GraphConstant, Grid, Launch, Module, Op, OutputArray, Position, SharedFunction, Stmt,
    Symbol, Type, walk,
};

/// Functions that one node may reach; more indicate a template that calls itself with new arguments each time.
const MAX_FUNCTIONS: usize = 4096;

/// Returns the mistakes in all nodes of a translation unit, each once. `whole` is the program that contains the unit;
/// its host overrides budgets and grids.
pub fn diagnostics<'db>(db: &'db dyn Db, program: Program, whole: Program) -> Vec<Diagnostic<'db>> {
    let mut reported = FxHashSet::default();
    let nodes = roots(db, program).into_iter().filter(|(_, role)| matches!(role, Role::Node(_)));
    let all = nodes.flat_map(|(function, _)| {
        let id = function.function(db);
        of_node(db, whole, id.item, id.index).diagnostics.iter()
    });
    all.filter(|d| reported.insert((d.code, d.primary.place))).cloned().collect()
}

/// The behaviour of a node, as far as it can be followed.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct NodeFlow<'db> {
    /// Mistakes in the node and the functions that it calls.
    pub diagnostics: Vec<Diagnostic<'db>>,
    /// `None` after an error, which is reported elsewhere.
    pub touched: Option<Touched<'db>>,
}

/// The first access to a buffer or image.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Access<'db> {
    pub buffer: flow::Buffer,
    pub at: SourcePlace<'db>,
}

/// Memory that a node shares with others.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Touched<'db> {
    /// Writes as in [`flow::Accesses`], without `globallycoherent` ones.
    pub written: Vec<Access<'db>>,
    /// Other writes that are not made visible before records are sent, with the locations of both.
    pub unpublished_writes: Vec<(Access<'db>, SourcePlace<'db>)>,
    pub read: Vec<Access<'db>>,
    /// Fields of the input record.
    pub fields: flow::Fields,
    /// The grids requested by records of each type.
    pub grids: Vec<(Type, [flow::Axis; 3])>,
    /// Stores to records of types in which a field repeats a constant, parallel to the location of each.
    pub stored: Vec<flow::Stored>,
    pub stored_at: Vec<SourcePlace<'db>>,
}

#[salsa::tracked(returns(ref))]
pub fn of_node<'db>(db: &'db dyn Db, whole: Program, item: Item<'db>, index: u32) -> NodeFlow<'db> {
    followed(db, whole, FnId { item, index }).unwrap_or_default()
}

fn followed<'db>(db: &'db dyn Db, whole: Program, id: FnId<'db>) -> Option<NodeFlow<'db>> {
    let item = id.item;
    let decl = contract(db, whole, id)?;
    let root = FnInst::new(db, id, None, Vec::new());
    let units = reached(db, Unit::root(root, Role::Node(decl.launch.into())))?;
    let lowered: Option<Vec<(&Unit<'db>, &SharedFunction)>> =
        units.iter().map(|unit| Some((unit, unit.lowered(db).function.as_ref()?))).collect();
    // Errors in a function are reported there; nothing else is known about the node.
    let lowered = lowered?;
    let asks = decl.launch == Launch::Mesh || lowered.iter().any(|(_, function)| asks_anything(function));
    let size = size::inlined(&lowered);
    if size > size::MAX_FOLLOWED {
        let diagnostics = if asks { vec![size::not_followed(decl, size)] } else { Vec::new() };
        return Some(NodeFlow { diagnostics, touched: None });
    }
    let function = inlined(db, &lowered, decl)?;
    let sources = lowered.iter().filter_map(|(unit, function)| match unit {
        Unit::Function(callee, _) => Some((function.name.clone(), callee.function)),
        Unit::Start(..) => None,
    });
    let hands_over = |function: &&SharedFunction| {
        let gives = |ty: &Type| matches!(ty, Type::Ref(_, pointee) if matches!(**pointee, Type::Records(_)));
        matches!(function.ret, Type::Records(_)) || function.params.iter().any(|param| gives(&param.ty))
    };
    let functions = lowered.iter().map(|(_, function)| *function);
    let hands_over = functions.filter(hands_over).map(|function| function.name.clone()).collect();
    let reporter = RecordReporter { db, decl, function: &function, sources: sources.collect(), hands_over };
    let severe = !item.program(db).options(db).library;
    let found = if asks { flow::check(&function, &launched(db, decl)) } else { flow::NodeFindings::default() };
    let all = found.mistakes.iter().chain(&found.advice).filter_map(|finding| reporter.diagnostic(finding));
    // For a library DXC checks none of this.
    let judged = |d: Diagnostic<'db>| {
        // DXC's validator checks all of it for a mesh.
        let severity = if severe || is_of_mesh(d.code) { d.severity } else { d.severity.min(Severity::Warning) };
        d.severity(severity)
    };
    let diagnostics = all.map(judged).collect();
    let accesses = flow::accesses(&function);
    let places = |all: &IndexMap<flow::Buffer, Option<Position>>| {
        let place = |at: &Option<Position>| Some(reporter.written((*at)?, SourceConstruct::Op(&|_| false))?.place);
        all.iter().filter_map(|(buffer, at)| Some(Access { buffer: buffer.clone(), at: place(at)? })).collect()
    };
    let coherent = coherent_symbols(db, lowered.iter().map(|(unit, _)| *unit));
    let mut written = accesses.written.clone();
    written.retain(|buffer, _| !coherent.contains(&buffer.name));
    let sends = |op: BuiltinOp| matches!(op, BuiltinOp::RecordsComplete | BuiltinOp::IncrementCount(_));
    let unpublished_writes = accesses.unpublished_writes.iter().filter(|(buffer, _)| !written.contains_key(*buffer));
    let unpublished_writes = unpublished_writes.filter_map(|(buffer, (write, sent))| {
        let write = reporter.written((*write)?, SourceConstruct::Op(&|_| false))?;
        let write = Access { buffer: buffer.clone(), at: write.place };
        Some((write, reporter.written((*sent)?, SourceConstruct::Op(&sends))?.place))
    });
    let gets = |op: BuiltinOp| op == BuiltinOp::RecordsGet;
    let stored = found.stored.into_iter();
    let stored = stored.filter_map(|one| {
        let place = reporter.written(one.at?, SourceConstruct::Op(&gets))?.place;
        Some((one, place))
    });
    let (stored, stored_at) = stored.unzip();
    let touched = Touched {
        stored,
        stored_at,
        unpublished_writes: unpublished_writes.collect(),
        written: places(&written),
        read: places(&accesses.read),
        fields: accesses.fields.clone(),
        grids: found.grids,
    };
    Some(NodeFlow { diagnostics, touched: Some(touched) })
}

/// Returns the node's function and all its callees, or `None` if there are too many.
fn reached<'db>(db: &'db dyn Db, root: Unit<'db>) -> Option<IndexSet<Unit<'db>>> {
    let mut units = IndexSet::from_iter([root]);
    let mut next = 0;
    // The set grows during the walk.
    while let Some(unit) = units.get_index(next).cloned() {
        next += 1;
        let Lowered { callees, .. } = unit.lowered(db);
        units.extend(callees.iter().map(|callee| Unit::Function(callee.clone(), Role::Callee)));
        if units.len() > MAX_FUNCTIONS {
            return None;
        }
    }
    Some(units)
}

/// Returns the `globallycoherent` globals among those that functions mention.
fn coherent_symbols<'a, 'db: 'a>(db: &'db dyn Db, units: impl Iterator<Item = &'a Unit<'db>>) -> FxHashSet<Symbol> {
    let globals = units.flat_map(|unit| unit.lowered(db).globals.iter());
    let coherent = globals.filter(|(var, owner)| global(db, *var, *owner).is_some_and(|global| global.coherent));
    coherent.map(|(var, owner)| crate::types::globals::symbol(db, *var, *owner)).collect()
}

/// Returns whether a function contains any operation that the checks examine.
fn asks_anything(function: &Function) -> bool {
    let mut found = false;
    walk::statements(&function.body, &mut |stmt| {
        found |= match stmt {
            Stmt::Complete(_) | Stmt::IncrementCount { .. } => true,
            Stmt::Barrier(barrier) => barrier.group_sync || barrier.records.is_some(),
            Stmt::Let(id) => function.value(*id).is_some_and(|value| {
                let op = &value.op;
                let is_output = matches!(op, Op::Allocate { .. } | Op::OutputRecord { .. } | Op::OutputValid { .. });
                is_output || matches!(op, Op::FinishedSharing | Op::InputRecord { .. })
            }),
            _ => false,
        }
    });
    found
}

/// Returns the node's function with all calls inlined; `None` if inlining fails, as it will again in code generation.
fn inlined<'db>(
    db: &'db dyn Db,
    functions: &[(&Unit<'db>, &SharedFunction)],
    decl: &NodeDecl<'db>,
) -> Option<Function> {
    let mut module = Module::default();
    let root = functions.first()?.1.name.clone();
    for (_, function) in functions {
        module.add_function((*function).clone());
    }
    // The entry keeps the named function alive.
    module.entries.push(ComputeEntry {
        name: root.clone(),
        function: root.clone(),
        workgroup_size: decl.num_threads,
        wave_size: None,
        mesh: None,
        specialised: Vec::new(),
    });
    inline_into(&mut module, &root).ok()?;
    let mut function = module.functions.swap_remove(&root)?;
    let mentioned = functions.iter().flat_map(|(unit, _)| unit.lowered(db).globals.iter());
    let is_table = |(var, owner): &&(VarId<'db>, Option<RecordInst<'db>>)| {
        global(db, *var, *owner).is_some_and(|global| global.kind == GlobalKind::Constant)
    };
    let tables = mentioned.filter(is_table).filter_map(|(var, owner)| ir_global(db, *var, *owner).ok());
    fold_table_loads(&mut function, &tables.map(|table| (table.name.clone(), table)).collect());
    // A handle in a structure or an array is treated as a variable.
    if function.locals.values().any(|local| local.ty.holds_handles()) {
        split(&mut function).ok()?;
    }
    Some(function.into_function())
}

/// Describes how the node runs, without the values that a host may change.
fn launched<'db>(db: &'db dyn Db, decl: &NodeDecl<'db>) -> LaunchParameters {
    let is_fixed = |what: GraphConstant| decl.specialised.iter().all(|given| given.what != what);
    let axes = |of: fn(u32) -> GraphConstant| (0..3).all(|axis| is_fixed(of(axis)));
    let grid = match decl.grid {
        Grid::None => None,
        Grid::Fixed(grid) | Grid::Max(grid) => Some(grid),
    };
    let budget = |(n, output): (usize, &crate::contracts::node::OutputDecl<'_>)| {
        let budget = output.shared_with.map_or(n, |owner| owner as usize);
        let number = decl.outputs.get(budget).map(|owner| owner.max_records);
        // A missing attribute is reported elsewhere, and leaves no number.
        let number = number.filter(|records| *records > 0 && is_fixed(GraphConstant::Budget(budget as u32)));
        let elements = match output.array {
            OutputArray::Sized(elements) => Some(elements),
            OutputArray::Single | OutputArray::Unbounded => None,
        };
        let elements = elements.filter(|_| is_fixed(GraphConstant::Size(n as u32)));
        Budget { budget, max_records: number, elements, is_recursive: reaches(output, &decl.id) }
    };
    let function = FnInst::new(db, decl.function, None, Vec::new());
    let array = |array: &ArrayDecl<'_>| Some((array.array, symbol::mesh_output(db, function, &array.name), array.len?));
    let input = decl.input.as_ref().filter(|input| input.kind == crate::tables::builtin::InputKind::Group);
    LaunchParameters {
        launch: decl.launch,
        is_coherent: decl.input.as_ref().is_some_and(|input| input.coherent),
        num_threads: Some(decl.num_threads).filter(|_| axes(GraphConstant::Threads)),
        grid: grid.filter(|_| axes(GraphConstant::Grid)),
        wave_size: decl.wave_size.map(|[least, most, _]| [least, most]),
        max_input_records: input.map(|input| input.max_records).filter(|_| is_fixed(GraphConstant::InputRecords)),
        outputs: decl.outputs.iter().enumerate().map(budget).collect(),
        grids: decl.outputs.iter().filter_map(|o| o.record.as_ref()).filter_map(grid_of).collect(),
        mesh: decl.mesh.iter().flat_map(|mesh| &mesh.arrays).filter_map(array).collect(),
    }
}

fn grid_of(record: &RecordInfo<'_>) -> Option<(Type, Vec<u32>)> {
    Some((record.ir.ty.clone(), record.ir.grid.as_ref()?.path.clone()))
}

/// A node whose findings are reported.
struct RecordReporter<'a, 'db> {
    db: &'db dyn Db,
    decl: &'a NodeDecl<'db>,
    /// Includes the scopes of positions.
    function: &'a Function,
    /// Keyed by the symbols of the inlined functions.
    sources: FxHashMap<Symbol, FnInst<'db>>,
    /// Functions that return handles to their callers.
    hands_over: FxHashSet<Symbol>,
}

/// The construct at a position, to underline all of it.
#[derive(Clone, Copy)]
enum SourceConstruct<'a, 'db> {
    /// A built-in operation.
    Op(&'a dyn Fn(BuiltinOp) -> bool),
    /// A call of this function.
    Call(FnInst<'db>),
    /// The condition of a statement.
    Condition,
    /// The output of a mesh or a part of it.
    Output,
}

/// A source location.
struct SourceLocation<'db> {
    place: SourcePlace<'db>,
    /// The node's call that leads there, if it is in another function.
    called: Option<SourcePlace<'db>>,
}

impl<'db> RecordReporter<'_, 'db> {
    fn diagnostic(&self, finding: &Finding) -> Option<Diagnostic<'db>> {
        let text = self.finding_text(finding);
        let at = match finding.kind {
            FindingKind::NoMesh => SourceLocation { place: self.decl.name_place, called: None },
            _ if is_of_mesh(text.code) && text.is_output => self.written(finding.at?, SourceConstruct::Output)?,
            FindingKind::NeverCompleted
            | FindingKind::NotCompleted(_)
            | FindingKind::LostInLoop
            | FindingKind::LastIterationNotCompleted => {
                let (position, maker) = self.handed(finding.at?);
                match maker {
                    Some(maker) => self.written(position, SourceConstruct::Call(maker))?,
                    None => self.written(position, SourceConstruct::Op(&text.is_meant))?,
                }
            }
            _ => self.written(finding.at?, SourceConstruct::Op(&text.is_meant))?,
        };
        // The node decides the request size and passes numbers and handles, so the node's call is the mistake. A second
        // label shows their use in the called function.
        let (place, inside) = match at.called {
            Some(call) if is_of_numbers(text.code) => (call, Some(at.place)),
            _ => (at.place, None),
        };
        let mut diagnostic = Diagnostic::new(text.code, place, text.message);
        if let Some(severity) = text.severity.or(finding.may.then_some(Severity::Warning.min(text.code.row().severity)))
        {
            diagnostic = diagnostic.severity(severity);
        }
        for (label, position) in &finding.labels {
            let meant = messages::meant_by(*label);
            let wanted = match label {
                Label::Branch | Label::Parts(_) | Label::Leaves(_) | Label::Decides(_) | Label::Again => {
                    SourceConstruct::Condition
                }
                _ => SourceConstruct::Op(&meant),
            };
            if let Some(position) = position
                && let Some(written) = self.written(*position, wanted)
            {
                // A function that is called several times has one location for the effects of all calls.
                let names_call = is_of_numbers(text.code) || written.place == place;
                let is_meant = |call: &SourcePlace<'db>| names_call && *call != place;
                let other = written.called.filter(is_meant).unwrap_or(written.place);
                diagnostic = diagnostic.also(other, self.label(*label, finding));
            }
        }
        if let Some(inside) = inside {
            let what = if text.code == Code::RecordIndex { "here" } else { "the request" };
            diagnostic = diagnostic.also(inside, what);
        }
        if let Some(place) = text.also {
            diagnostic = diagnostic.also(place.0, place.1);
        }
        if let Some(call) = at.called.filter(|_| inside.is_none()) {
            diagnostic = diagnostic.also(call, format!("node `{}` reaches this call", self.decl.name));
        }
        Some(text.notes.into_iter().fold(diagnostic, Diagnostic::note))
    }

    /// Finds the call that receives records from the function that requested them, as the caller must complete them.
    /// Returns the position unchanged if no function hands records over.
    fn handed(&self, mut position: Position) -> (Position, Option<FnInst<'db>>) {
        let mut maker = None;
        while let Some(scope) = self.function.scope(position.scope)
            && self.hands_over.contains(&scope.function)
            && let Some(call) = scope.inlined_at
        {
            maker = self.sources.get(&scope.function).copied();
            position = call;
        }
        (position, maker)
    }

    /// Returns the source of a position. Code in declarations of built-in functions is reported at their calls.
    fn written(&self, position: Position, wanted: SourceConstruct<'_, 'db>) -> Option<SourceLocation<'db>> {
        let program = self.decl.function.item.program(self.db);
        let (mut at, mut wanted) = (position, wanted);
        let mut found = None;
        loop {
            let scope = self.function.scope(at.scope)?;
            let function = *self.sources.get(&scope.function)?;
            let (item, body) = crate::types::definition::body(self.db, function)?;
            if found.is_none() && item.program(self.db) == program {
                found = Some(self.place(function, item, body, at.token, wanted));
                if scope.inlined_at.is_none() {
                    return Some(SourceLocation { place: found?, called: None });
                }
            }
            let Some(call) = scope.inlined_at else {
                let called = self.place(function, item, body, at.token, wanted);
                return Some(SourceLocation { place: found?, called: Some(called) });
            };
            (at, wanted) = (call, SourceConstruct::Call(function));
        }
    }

    /// Returns the whole wanted construct that begins with a token, or the token alone.
    fn place(
        &self,
        function: FnInst<'db>,
        item: Item<'db>,
        body: u32,
        token: u32,
        wanted: SourceConstruct<'_, 'db>,
    ) -> SourcePlace<'db> {
        let typed = &check(self.db, function).body;
        let begins = |id: &ExprId| typed.expr(*id).span.lo == token;
        let span = match wanted {
            SourceConstruct::Output => {
                let is_place = |expr: &&hir::Expr<'db>| {
                    use ExprKind as E;
                    matches!(expr.kind, E::Local(_) | E::Field { .. } | E::Index { .. } | E::Swizzle { .. })
                };
                let begin = typed.exprs.iter().filter(|expr| expr.span.lo == token);
                begin.filter(is_place).map(|expr| expr.span).max_by_key(|span| span.hi)
            }
            SourceConstruct::Condition => {
                conditions(&typed.block).into_iter().find(begins).map(|id| typed.expr(id).span)
            }
            _ => {
                let is_wanted = |expr: &&hir::Expr<'db>| match (&expr.kind, wanted) {
                    (ExprKind::Op { op, .. }, SourceConstruct::Op(is_meant)) => is_meant(*op),
                    (ExprKind::Call { callee, .. }, SourceConstruct::Call(function)) => *callee == function,
                    _ => false,
                };
                typed.exprs.iter().filter(|expr| expr.span.lo == token).find(is_wanted).map(|expr| expr.span)
            }
        };
        SourcePlace { item, body: Some(body), span: span.unwrap_or(Span { lo: token, hi: token + 1 }) }
    }
}

/// Returns whether a rule is about numbers that a node declares, requests or names.
fn is_of_numbers(code: Code) -> bool {
    matches!(code, Code::RequestTooLarge | Code::RecordIndex)
}

/// Returns whether a rule is about mesh outputs.
fn is_of_mesh(code: Code) -> bool {
    matches!(
        code,
        Code::MeshRead
            | Code::MeshCountsRepeated
            | Code::MeshCountsMissing
            | Code::NoMesh
            | Code::VaryingMeshCounts
            | Code::MeshCountTooLarge
            | Code::MeshIndex
    )
}

/// Returns the conditions of statements.
fn conditions(block: &hir::Block) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for stmt in block {
            match stmt {
                hir::Stmt::Block(inner) => blocks.push(inner),
                hir::Stmt::If { cond, then, otherwise, .. } => {
                    found.push(*cond);
                    blocks.extend([then, otherwise]);
                }
                hir::Stmt::Loop { cond, body, .. } => {
                    found.extend(cond);
                    blocks.push(body);
                }
                hir::Stmt::Switch { selector, cases, .. } => {
                    found.push(*selector);
                    blocks.extend(cases.iter().map(|case| &case.body));
                }
                hir::Stmt::Expr(_)
                | hir::Stmt::Let { .. }
                | hir::Stmt::Break
                | hir::Stmt::Continue
                | hir::Stmt::Return(_) => {}
            }
        }
    }
    found
}
