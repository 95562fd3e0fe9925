//! A program as one module of IR: the functions that its nodes and entry points reach, their globals, the graph.
//!
//! A program of wgc itself (`Options::internal`) is a library: all its functions are kept, so that a back end finds
//! them by name.
pub(crate) mod assignment;
pub mod bindings;
pub mod compute;
pub(crate) mod debug_declarations;
pub mod heaps;
pub mod joint_bindings;
pub mod local_roots;
pub mod program;
pub mod root_signature;
pub mod source_map;
pub(crate) mod usage;
use crate::check::initial::initial;
use crate::check::symbol;
use crate::contracts::node::{node, stage};
use crate::db::def::{Def, FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::is_whole;
use crate::db::items::functions;
use crate::db::items::{fn_node, items};
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::graph::graph;
use crate::graph::host::overrides::contract;
use crate::link::assignment::assign;
use crate::link::bindings::Bindings;
use crate::link::compute::{ambiguous_entry, beside_nodes, compute, compute_entries};
use crate::link::usage::{Usage, is_local};
use crate::lower::unit::Unit;
use crate::lower::{Lowered, MULTIPLIED, Role};
use crate::tables::binding_options::BlockLayout;
use crate::tables::codes::Code;
use crate::tables::collections::{IndexMap, IndexSet};
use crate::types::globals::global;
use crate::types::layout_rules::{Straddling, straddling};
use crate::types::signature::template_params;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_frontend::ast::Body;
use wgc_ir::{ComputeEntry, GlobalKind, MAX_VALUES, Module, Op, Space, Stmt, Symbol, Type};

/// A module, or the diagnostics that explain why there is none.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Linked<'db> {
    /// `None` if any required function or global is wrong.
    pub module: Option<Module>,
    /// All reached function instances, whose checks are part of the program's.
    pub reached: IndexSet<FnInst<'db>>,
    /// The units that the module's functions were lowered from.
    pub units: IndexSet<Unit<'db>>,
    /// By translation unit: symbols that are renamed in the module because an earlier unit has them too.
    pub renamed: FxHashMap<Program, FxHashMap<Symbol, Symbol>>,
    /// The resources in use, for a translation unit.
    pub(crate) usage: Usage,
    /// The bindings of a translation unit alone. For a whole program, only the diagnostics: each unit has its bindings.
    pub bindings: Bindings<'db>,
    /// Diagnostics that only lowering and linking find.
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl Linked<'_> {
    /// Returns the module's name for a symbol of a translation unit.
    pub fn symbol<'a>(&'a self, unit: Program, symbol: &'a Symbol) -> &'a Symbol {
        self.renamed.get(&unit).and_then(|names| names.get(symbol)).unwrap_or(symbol)
    }
}

/// Maximum number of instances of one function or variable; more indicate a template that instantiates itself forever.
pub(crate) const MAX_INSTANCES: u32 = 1024;

fn endless<'db>(db: &'db dyn Db, unit: &Unit<'db>) -> Option<Diagnostic<'db>> {
    let (name, place, does) = match unit {
        Unit::Function(callee, _) => {
            let signature = crate::types::signature::fn_signature(db, callee.function);
            (&signature.name, signature.name_place, "calls")
        }
        Unit::Start(var, owner) => {
            let global = global(db, *var, *owner)?;
            (&global.name, global.place, "needs")
        }
    };
    let message = format!("`{name}` is instantiated with more than {MAX_INSTANCES} sets of arguments");
    let why = format!("a template that {does} itself with other arguments each time never ends");
    Some(Diagnostic::new(Code::Recursion, place, message).note(why))
}

/// Reports that a program is too large, at the first unit that exceeds the limit.
pub(crate) fn too_much<'db>(db: &'db dyn Db, unit: &Unit<'db>) -> Option<Diagnostic<'db>> {
    let place = match unit {
        Unit::Function(callee, _) => crate::types::signature::fn_signature(db, callee.function).name_place,
        Unit::Start(var, owner) => global(db, *var, *owner)?.place,
    };
    let message = format!("the program has more than {MAX_VALUES} values");
    Some(Diagnostic::new(Code::TooMuchCode, place, message).note(MULTIPLIED))
}

pub(crate) fn has_compute_entry(db: &dyn Db, program: Program) -> bool {
    !compute_entries(db, program).is_empty()
}

/// Returns the functions that the module must contain, with their roles.
pub(crate) fn roots<'db>(db: &'db dyn Db, program: Program) -> Vec<(FnInst<'db>, Role)> {
    let plain = |f: FnId<'db>| FnInst::new(db, f, None, Vec::new());
    let mut roots = Vec::new();
    for f in &graph(db, program).functions {
        if let Some(decl) = node(db, *f) {
            roots.push((plain(*f), Role::Node(decl.launch.into())));
        }
    }
    roots.extend(compute_entries(db, program).iter().map(|f| (plain(*f), Role::Compute)));
    if program.options(db).internal {
        for f in functions(db, program) {
            let Some(node) = fn_node(db, f) else { continue };
            let is_library_function = node.function.body != Body::None
                && node.decl.around.owner.is_none()
                && crate::types::name_table::declares(&node)
                && template_params(db, f).is_empty()
                && stage(db, f).is_none();
            if is_library_function {
                roots.push((plain(f), Role::Callee));
            }
        }
    }
    roots
}

/// Links the whole program to IR. A program with errors has no module, or an unusable one: check
/// [`crate::report::diagnostics::diagnostics`] first.
#[salsa::tracked(returns(ref))]
pub fn link<'db>(db: &'db dyn Db, program: Program) -> Linked<'db> {
    if is_whole(db, program) {
        return crate::link::program::linked(db, program);
    }
    let mut module = Module { graph: graph(db, program).graph.clone(), ..Module::default() };
    let mut reached: IndexSet<FnInst<'db>> = IndexSet::default();
    let mut diagnostics = Vec::new();
    let mut complete = true;
    let roots = roots(db, program);
    let mut done: IndexSet<Unit<'db>> = roots.iter().map(|(f, role)| Unit::root(*f, *role)).collect();
    let (mut instances, mut refused) = (FxHashMap::default(), FxHashSet::default());
    let (mut next, mut size) = (0, 0);
    // The set grows during the walk: callees follow their callers.
    while let Some(unit) = done.get_index(next).cloned() {
        next += 1;
        db.unwind_if_revision_cancelled();
        match &unit {
            Unit::Function(callee, _) => {
                reached.insert(callee.function);
            }
            Unit::Start(var, owner) => {
                diagnostics.extend(initial(db, var.item, var.index, *owner).diagnostics.iter().cloned());
            }
        }
        if size > MAX_VALUES {
            complete = false;
            diagnostics.extend(too_much(db, &unit));
            // The remaining units must not be requested.
            done.truncate(next);
            break;
        }
        let Lowered { function, globals, statics, heaps, parts, diagnostics: found, .. } = unit.lowered(db);
        diagnostics.extend(found.iter().cloned());
        for part in parts {
            module.globals.entry(part.name.clone()).or_insert_with(|| part.clone());
        }
        for global in statics.iter().chain(heaps) {
            module.globals.entry(global.name.clone()).or_insert_with(|| global.clone());
        }
        match function {
            Some(function) => {
                size += function.size();
                module.functions.insert(function.name.clone(), function.clone());
            }
            None => complete = false,
        }
        for needed in unit.needs(db) {
            let of = match &needed {
                Unit::Function(callee, _) => Def::Function(callee.function.function(db)),
                Unit::Start(var, _) => Def::Var(*var),
            };
            let count = instances.entry(of).or_insert(0u32);
            if *count == MAX_INSTANCES {
                if refused.insert(of) {
                    complete = false;
                    diagnostics.extend(endless(db, &needed));
                }
            } else if done.insert(needed) {
                *count += 1;
            }
        }
        for (var, owner) in globals {
            match crate::lower::globals::ir_global(db, *var, *owner) {
                Ok(global) => {
                    module.globals.entry(global.name.clone()).or_insert(global);
                }
                Err(no) => {
                    complete = false;
                    if !no.why.is_empty()
                        && let Some(global) = global(db, *var, *owner)
                    {
                        let message = format!("`{}` cannot be compiled: {}", global.name, no.why);
                        diagnostics.push(Diagnostic::new(Code::UnsupportedType, global.place, message));
                    }
                }
            }
        }
    }
    start_globals(db, &roots, &done, &mut module);
    add_counters(&mut module);
    complete &= add_numbers(db, program, &mut module);
    for f in compute_entries(db, program) {
        let inst = FnInst::new(db, *f, None, Vec::new());
        let name = symbol::entry(db, inst);
        let decl = compute(db, *f);
        diagnostics.extend(decl.diagnostics.iter().cloned());
        module.entries.push(ComputeEntry {
            name: name.clone(),
            function: name,
            workgroup_size: decl.num_threads,
            wave_size: decl.wave_size,
            mesh: None,
            specialised: crate::types::specialise::to_ir(db, &decl.specialised),
        });
    }
    diagnostics.extend(beside_nodes(db, program).iter().flat_map(|f| compute(db, *f).diagnostics.iter().cloned()));
    diagnostics.extend(ambiguous_entry(db, program));
    let wanted = crate::link::bindings::wanted(db, program);
    let is_part = roots.is_empty() && functions(db, program).into_iter().all(|f| stage(db, f).is_none());
    let usage = if is_part { Usage::of_everything(wanted) } else { Usage::of_module(&module) };
    let options = &program.options(db).bindings;
    let bindings = assign(wanted, options, &usage, &|register| is_local(db, program, register));
    if options.preserve {
        module.globals.extend(preserved(db, program, &bindings, &module));
    }
    if module.graph.nodes.is_empty() {
        diagnostics.extend(straddling_vectors(db, program, &module));
    }
    crate::link::bindings::bind(&bindings.of, &mut module);
    let taken = bindings.taken(&module);
    crate::link::heaps::place(&mut module, options, taken.into_iter());
    let functions: Vec<FnInst<'db>> = reached.iter().copied().collect();
    let cycles = crate::lower::recursion::cycles(db, &functions);
    complete &= cycles.is_empty();
    diagnostics.extend(cycles);
    diagnostics.extend(crate::link::bindings::other_push_constants(db, program));
    let (module, renamed) = (complete.then_some(module), FxHashMap::default());
    Linked { module, reached, units: done, renamed, usage, bindings, diagnostics }
}

/// Reports vectors at offsets that need `scalarBlockLayout`. Hosts of graphs enable it, because records need it.
fn straddling_vectors<'db>(db: &'db dyn Db, program: Program, module: &Module) -> Vec<Diagnostic<'db>> {
    if let BlockLayout::Scalar | BlockLayout::Dx = program.options(db).bindings.layout {
        return Vec::new();
    }
    let declared = crate::lower::globals::declared(db, program);
    let mut found = Vec::new();
    for global in module.globals.values() {
        let memory = match &global.kind {
            GlobalKind::Buffer { element, .. } => element,
            GlobalKind::Uniform { block, .. } | GlobalKind::PushConstant { block } => block,
            _ => continue,
        };
        let Some(Straddling { path, offset }) = straddling(memory, 0) else { continue };
        let (what, place) = match declared.get(&global.name) {
            // Another check covers members with explicit offsets.
            Some(None) => continue,
            Some(Some(place)) => (format!("`{}`", global.name), *place),
            // A resource of the heap has no declaration.
            None => {
                let Some(entry) = compute_entries(db, program).first() else { continue };
                let signature = crate::types::signature::fn_signature(db, FnInst::new(db, *entry, None, Vec::new()));
                ("a buffer of the heap".to_owned(), signature.name_place)
            }
        };
        let message = format!("{what} has a vector that crosses 16 bytes: `{path}` at byte {offset}");
        let help = "move the members, or use -fvk-use-scalar-layout on a device with `scalarBlockLayout`";
        found.push(Diagnostic::new(Code::StraddlingVector, place, message).note(help));
    }
    found
}

/// Returns the declared resources that nothing uses, in source order. Buffers to append to or to consume have their counter.
fn preserved<'db>(
    db: &'db dyn Db,
    program: Program,
    bindings: &Bindings<'db>,
    module: &Module,
) -> IndexMap<Symbol, wgc_ir::Global> {
    let wanted = crate::link::bindings::wanted(db, program);
    let counted: FxHashSet<&str> = wanted.iter().filter(|w| w.is_counted).map(|w| w.symbol.as_str()).collect();
    let mut found = IndexMap::default();
    for mut global in crate::lower::globals::resources(db, program) {
        let is_counted = counted.contains(global.name.as_str());
        let counter = crate::types::resource_types::counter(&global).filter(|_| is_counted);
        if let (GlobalKind::Buffer { counter: named, .. }, None) = (&mut global.kind, &counter) {
            *named = None;
        }
        for global in [global].into_iter().chain(counter) {
            if bindings.of.contains_key(global.name.as_str()) && !module.globals.contains_key(&global.name) {
                found.insert(global.name.clone(), global);
            }
        }
    }
    found
}

/// Makes each entry point compute the initial values of the globals that it reaches, in the order of the declarations.
fn start_globals<'db>(
    db: &'db dyn Db,
    roots: &[(FnInst<'db>, Role)],
    linked: &IndexSet<Unit<'db>>,
    module: &mut Module,
) {
    if !linked.iter().any(|unit| matches!(unit, Unit::Start(..))) {
        return;
    }
    for (root, role) in roots.iter().filter(|(_, role)| *role != Role::Callee) {
        let program = root.function(db).item.program(db);
        let order: FxHashMap<Item<'db>, usize> = items(db, program).iter().enumerate().map(|(n, i)| (*i, n)).collect();
        let mut starts: Vec<_> = reached_units(db, Unit::root(*root, *role), linked)
            .into_iter()
            .filter_map(|unit| if let Unit::Start(var, owner) = unit { Some((var, owner)) } else { None })
            .collect();
        // The definition of a static member counts, not its declaration.
        starts.sort_by_key(|(var, owner)| {
            let var = crate::types::definition::variable(db, *var, *owner).var;
            (order.get(&var.item).copied(), var.index)
        });
        let Some(entry) = module.functions.get_mut(&symbol::entry(db, *root)) else { continue };
        let calls = starts
            .into_iter()
            .map(|(var, owner)| Stmt::Call { callee: symbol::start(db, var, owner), args: Vec::new() });
        entry.body.splice(0..0, calls);
    }
}

/// Returns the units of the module that a root needs, itself first.
pub(crate) fn reached_units<'db>(
    db: &'db dyn Db,
    root: Unit<'db>,
    linked: &IndexSet<Unit<'db>>,
) -> IndexSet<Unit<'db>> {
    let mut out = IndexSet::from_iter([root]);
    let mut next = 0;
    while let Some(unit) = out.get_index(next).cloned() {
        next += 1;
        // A template that instantiates itself forever is cut off here.
        out.extend(unit.needs(db).filter(|needed| linked.contains(needed)));
    }
    out
}

/// Adds the specialisation constants that give numbers of nodes and entry points; false if one is wrong.
fn add_numbers(db: &dyn Db, program: Program, module: &mut Module) -> bool {
    let whole = graph(db, program);
    let nodes = whole.functions.iter().filter_map(|f| contract(db, program, *f)).flat_map(|n| &n.specialised);
    let entries = compute_entries(db, program).iter().flat_map(|f| &compute(db, *f).specialised);
    let mut complete = true;
    for var in nodes.chain(entries).flat_map(|given| given.by.variables()) {
        match crate::lower::globals::ir_global(db, var, None) {
            Ok(global) => module.add_global(global),
            Err(_) => complete = false,
        }
    }
    complete
}

/// Adds the counters in use. A buffer whose counter is never used has none, so that hosts need not bind one. A counter
/// reached through a parameter or variable may belong to any buffer of its type.
fn add_counters(module: &mut Module) {
    let (mut used, mut any) = (IndexSet::default(), FxHashSet::default());
    for function in module.functions.values() {
        for value in function.values.values() {
            let Op::Counter(buffer) = value.op else { continue };
            let array = match function.value(buffer).map(|v| &v.op) {
                Some(Op::Descriptor { array, .. }) => *array,
                _ => buffer,
            };
            match function.value(array).map(|v| &v.op) {
                Some(Op::Global(name)) => {
                    used.insert(name.clone());
                }
                _ => any.extend(function.type_of(buffer).map(shape)),
            }
        }
    }
    let mut counters = Vec::new();
    for global in module.globals.values_mut() {
        let rank = used.get_index_of(&global.name);
        if rank.is_some() || any.contains(&shape(&global.element_type())) {
            counters.extend(
                crate::types::resource_types::counter(global).map(|counter| (rank.unwrap_or(usize::MAX), counter)),
            );
        } else if let wgc_ir::GlobalKind::Buffer { counter, .. } = &mut global.kind {
            *counter = None;
        }
    }
    // The order of first uses numbers the counters without a binding in the source.
    counters.sort_by_key(|(rank, _)| *rank);
    counters.into_iter().for_each(|(_, counter)| module.add_global(counter));
}

/// Returns the type of a buffer's place without coherence.
fn shape(buffer: &Type) -> Type {
    match buffer {
        Type::Ref(Space::Storage { .. }, elements) => Type::Ref(Space::Storage { coherent: false }, elements.clone()),
        other => other.clone(),
    }
}
