//! The passes of each target, in their order.
//!
//! | target | function |
//! |---|---|
//! | compute shaders | [`compute`] |
//! | `spirv-amdx` | [`native`] |
//! | `spirv-emulated` | [`emulated_graph`] for the graph, then [`emulated_shader`] for each of its shaders |
//!
//! The functions run tables: [`GRAPH`] before a graph is rewritten, [`RESOLUTION`] and [`MEMORY`] before each emission,
//! and then the optimiser ([`passes::optimise`]).
//! `docs/ARCHITECTURE.md` has the same tables; a test compares them.

use crate::emulated::library::{self, Library};
use crate::emulated::node;
use crate::emulated::plan::{self, Settings};
use crate::emulated::shaders::{self, Dispatched, Rewritten, Shader, Sharing, root_of};
use crate::emulated::{EmuError, EmulatedOptions, joint, resident, roots};
use crate::file_names::FileNames;
use crate::resolve::{offsets, promote};
use crate::{EmitError, ReferentKind};
use indexmap::IndexMap;
use std::fmt::Display;
use wgc_abi::tables::THREAD_GROUP;
use wgc_ir::flow::drop_idle_completions;
use wgc_ir::passes::fusion::{self, EdgeChoice};
use wgc_ir::passes::{self, Inline, Plan};
use wgc_ir::{Function, Global, LocalRoot, Module, Node, Symbol};

/// A pass, with the reason for it or for its place.
#[cfg_attr(not(test), expect(dead_code, reason = "the test compares name and reason with the page"))]
struct Pass {
    name: &'static str,
    run: Run,
    why: &'static str,
}

const fn pass(name: &'static str, run: Run, why: &'static str) -> Pass {
    Pass { name, run, why }
}

#[derive(Clone, Copy)]
enum Run {
    /// On the module. It cannot fail.
    Sure(fn(&mut Module)),
    /// On the module.
    Whole(fn(&mut Module) -> Result<(), EmitError>),
    /// On each function. Neighbours of this kind run together: all of them on one function, then on the next.
    Each(fn(&mut Function, &IndexMap<Symbol, Global>) -> Result<(), EmitError>),
    /// Inlining of the calls that the target wants inlined.
    Calls,
}

use Run::{Calls, Each, Sure, Whole};

/// The passes before a graph is rewritten for emulation.
const GRAPH: [Pass; 5] = [
    pass("precise", Sure(passes::precise), "marks exact arithmetic before other passes copy it"),
    pass("fix_constants", Sure(passes::fix_constants), "the numbers of the graph size queues and tables"),
    pass("inline", Calls, "then only the functions of nodes contain graph operations"),
    pass(
        "thread_requests",
        Sure(passes::thread_requests),
        "each thread of a thread-launch node makes its inlined requests alone",
    ),
    pass("split", Each(|f, _| split_handles(f)), "each handle gets a local; only in functions with locals of handles"),
];

/// The passes before every emission that resolve calls, handles and resources.
const RESOLUTION: [Pass; 8] = [
    pass("precise", Sure(passes::precise), "marks exact arithmetic before other passes copy it"),
    pass("inline", Calls, "no target passes handles or resources to functions"),
    pass(
        "thread_requests",
        Sure(passes::thread_requests),
        "each thread of a thread-launch node makes its inlined requests alone",
    ),
    pass("localise", Sure(passes::localise), "private globals with resources become locals for `promote`"),
    pass("split", Each(|f, _| split(f)), "each resource or handle in a structure gets a local"),
    pass("drop_idle_completions", Each(|f, _| drop_idle(f)), "finds completions without records by their locals"),
    pass("promote", Each(|f, _| promote(f)), "locals become values; no target has locals of resources or handles"),
    pass(
        "offsets",
        Each(offsets),
        "checks that offsets of samples are constants; runs after the passes that can make them constant",
    ),
];

/// The passes after [`RESOLUTION`], which change the form of memory, labels of cases, and the numbers of threads.
const MEMORY: [Pass; 6] = [
    pass("counters", Whole(counters), "counters become memory; their buffers are known now"),
    pass("mesh", Whole(mesh), "outputs of mesh nodes become an array for each value, for rasterisers"),
    pass("float_atomics", Whole(float_atomics), "floats whose bits atomics compare or exchange become words"),
    pass(
        "wide_atomics",
        Whole(wide_atomics),
        "a buffer used as words and as 64-bit words gets a second global at its binding",
    ),
    pass(
        "case_labels",
        Sure(passes::case_labels),
        "lanes that reach a case by different labels reconverge there, also on a driver that separates them",
    ),
    pass("quads", Whole(quads), "quads get four consecutive lanes; last, since it renumbers threads"),
];

/// Returns a program's compute shaders, ready for emission. Threads that return early still reach the barriers of their
/// workgroup.
pub(crate) fn compute(module: &Module, plan: Plan) -> Result<Module, EmitError> {
    ready(module, Inline::Meeting, plan)
}

/// Returns a graph, ready for emission for VK_AMDX_shader_enqueue.
pub(crate) fn native(module: &Module, plan: Plan) -> Result<Module, EmitError> {
    let records = |error: &EmitError| error.untraceable.as_deref().is_some_and(|u| u.what == ReferentKind::Records);
    match ready(module, Inline::Meeting, plan) {
        // A condition in place of a return may hide the origin of records.
        Err(error) if records(&error) => ready(module, Inline::Required, plan),
        other => other,
    }
}

/// Compiles the graph of `module` for plain compute, up to emission: every node function becomes a compute or mesh
/// shader in IR.
///
/// `module` and `library`, the compiled `stdlib/emulated`, are verified. `local_roots` has the local root arguments of
/// each node; nodes beyond its end have none.
///
/// # Errors
/// The graph contradicts itself, or plain compute cannot express it.
pub fn emulated_graph(
    module: &Module,
    library: &Module,
    local_roots: Vec<Option<LocalRoot>>,
    options: &EmulatedOptions,
) -> Result<Rewritten, EmuError> {
    let settings = &options.plan;
    let listing = if settings.atomics64 { None } else { Some(library::without_atomics64(library)?) };
    let library = Library::new(listing.as_ref().unwrap_or(library))?;

    let mut module = module.clone();
    run(&GRAPH, Inline::Meeting, &mut module).map_err(EmuError::of_graph)?;
    let (fusion, local_roots) = fused(&mut module, local_roots, settings, &options.edges);
    check_choices(&fusion, &options.edges)?;
    // Equal functions of nodes become one, if that lets enough instances share a dispatch.
    joint::join(&mut module, settings);
    // The graph and the sizes of workgroups decide instances, stages, queues and tables.
    let packing = |node: &Node| {
        module.functions.get(&node.function).map_or(THREAD_GROUP, |function| node::packing(node, function))
    };
    let packing: Vec<u32> = module.graph.nodes.iter().map(packing).collect();
    let mut plan = plan::plan_packed(&module.graph, &packing, settings)?;
    // Nodes with the same code and interface share a shader, and neighbours with one shader may share a dispatch.
    let sharing = Sharing::new(&module.graph, &local_roots);
    joint::runs(&module.graph, &plan.instances, &sharing.of_node, settings, &mut plan.tables);

    // Kernels come from the library as they are.
    let mut shaders = shaders::kernels(&plan, library, settings)?;
    let kernels = shaders.len();
    let mut found_in_roots = vec![Vec::new(); kernels];
    let mut names = FileNames::default();
    let mut samplers = roots::StaticSamplers::default();
    for (number, &first) in sharing.firsts.iter().enumerate() {
        let node = &module.graph.nodes[first];
        let file = format!("nodes/{}.spv", names.name(&node.id));
        let joint = sharing.has_joint_dispatch(number, &plan);
        let record = if joint { library::LOCAL_ROOT_JOINT } else { library::LOCAL_ROOT };
        let root = root_of(&local_roots, first);
        // Graph operations become memory operations and calls of the library, whose functions are linked in.
        let dispatched = Dispatched { joint, record: root.map(|_| record), ..Dispatched::default() };
        let mut shader = shaders::of_node(&module, first, library, &plan, settings, dispatched)?;
        let mut found = Vec::new();
        if let Some(root) = root {
            // The record replaces resources, so each place must name its resource.
            shader =
                resolved(&shader, Inline::Required).map_err(|error| EmuError::Emit { module: file.clone(), error })?;
            found = roots::lower(&mut shader, &node.id, root, &library, record)?;
        }
        samplers.note(&shader, &node.id, root.map(|root| &*root.layout))?;
        found_in_roots.push(found);
        shaders.push(Shader { file, module: shader, subgroup_size: node.wave_size, kernel: None });
    }
    let shader_of_node: Vec<usize> = sharing.of_node.iter().map(|number| kernels + number).collect();
    let is_plain = !settings.guarded && local_roots.iter().all(Option::is_none);
    // A graph that is not suitable has no nodes to lower again.
    if settings.resident && is_plain && resident::may_be_resident(&shaders, &plan) {
        let dispatched = Dispatched { resident: true, ..Dispatched::default() };
        let node = |first: &usize| shaders::of_node(&module, *first, library, &plan, settings, dispatched);
        let nodes = sharing.firsts.iter().map(node).collect::<Result<Vec<_>, _>>()?;
        let resident = resident::resident(&shaders, &nodes, &shader_of_node, &plan, library);
        found_in_roots.extend(resident.is_some().then(Vec::new));
        shaders.extend(resident);
    }
    let graph = module.graph;
    let mut rewritten = Rewritten { graph, fusion, plan, shaders, shader_of_node, roots: local_roots, found_in_roots };
    // Instances name their record, if their shader reads it.
    rewritten.number_roots();
    Ok(rewritten)
}

/// Fuses edges. Returns the decisions, and the local root arguments of the nodes that remain.
fn fused(
    module: &mut Module,
    mut local_roots: Vec<Option<LocalRoot>>,
    settings: &Settings,
    choices: &[EdgeChoice],
) -> (fusion::Report, Vec<Option<LocalRoot>>) {
    let report = fusion::fuse(module, settings.fusion, choices);
    let mut index = 0..;
    local_roots.retain(|_| index.next().is_some_and(|index: usize| report.remaining.binary_search(&index).is_ok()));
    (report, local_roots)
}

/// Refuses choices that name no edge, and edges that cannot be fused as chosen.
fn check_choices(report: &fusion::Report, choices: &[EdgeChoice]) -> Result<(), EmuError> {
    let is_unknown = |choice: &&EdgeChoice| !report.edges.iter().any(|edge| choice.names(&edge.producer, &edge.output));
    if let Some(choice) = choices.iter().find(is_unknown) {
        return Err(EmuError::NoEdge { edge: choice.edge.clone() });
    }
    match report.edges.iter().find_map(|edge| Some((edge, edge.refused(choices)?))) {
        Some((edge, reason)) => {
            Err(EmuError::Edge { node: edge.producer.clone(), output: edge.output.clone(), reason })
        }
        None => Ok(()),
    }
}

/// Returns the edges of the graph of `module`, and whether [`emulated_graph`] fuses each. Edges that cannot be fused as
/// chosen have their reason.
///
/// # Errors
/// The graph contradicts itself.
pub fn fusion_of(module: &Module, settings: &Settings, choices: &[EdgeChoice]) -> Result<fusion::Report, EmuError> {
    let mut module = module.clone();
    run(&GRAPH, Inline::Meeting, &mut module).map_err(EmuError::of_graph)?;
    Ok(fused(&mut module, Vec::new(), settings, choices).0)
}

/// Returns whether a symbol of `module` may also be one of the device library, which [`emulated_graph`] refuses.
pub fn may_use_library_names(module: &Module) -> bool {
    let mut names = module.functions.keys().chain(module.globals.keys());
    names.any(|name| name.starts_with(library::PREFIX))
}

/// Returns whether the graph of `module` has a plan, which [`emulated_graph`] would use.
pub fn can_be_planned(module: &Module, settings: &Settings) -> bool {
    let mut module = module.clone();
    passes::fix_constants(&mut module);
    joint::join(&mut module, settings);
    plan::plan(&module.graph, settings).is_ok()
}

/// Returns a shader of the emulated target, ready for emission.
pub(crate) fn emulated_shader(module: &Module, plan: Plan) -> Result<Module, EmitError> {
    ready(module, Inline::Required, plan)
}

/// Returns the module as the emitter expects it, with these calls inlined, and optimised. The variables of debuggers are
/// gone if the module will not describe them.
fn ready(module: &Module, calls: Inline, plan: Plan) -> Result<Module, EmitError> {
    let mut module = resolved(module, calls)?;
    // Errors before this point name variables.
    if !plan.describes_variables {
        passes::strip(&mut module);
    }
    run(&MEMORY, calls, &mut module)?;
    passes::optimise(&mut module, plan);
    Ok(module)
}

/// Returns the module with every resource and handle resolved.
fn resolved(module: &Module, calls: Inline) -> Result<Module, EmitError> {
    let mut module = module.clone();
    run(&RESOLUTION, calls, &mut module)?;
    Ok(module)
}

fn run(order: &[Pass], calls: Inline, module: &mut Module) -> Result<(), EmitError> {
    for passes in order.chunk_by(|a, b| matches!((a.run, b.run), (Each(_), Each(_)))) {
        match passes[0].run {
            Sure(pass) => pass(module),
            Whole(pass) => pass(module)?,
            Calls => passes::inline(module, calls).map_err(|e| refused(&e, e.function()))?,
            Each(_) => {
                let Module { functions, globals, .. } = module;
                for function in functions.values_mut() {
                    for pass in passes {
                        if let Each(pass) = pass.run {
                            pass(function, globals)?;
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

macro_rules! refusing {
    ($($name:ident)*) => {
        $(fn $name(module: &mut Module) -> Result<(), EmitError> {
            passes::$name(module).map_err(|e| refused(&e, &e.function))
        })*
    };
}

refusing!(counters mesh float_atomics wide_atomics quads);

fn split(function: &mut Function) -> Result<(), EmitError> {
    passes::split(function).map_err(|e| refused(&e, &e.function))
}

fn split_handles(function: &mut Function) -> Result<(), EmitError> {
    let has_handles = function.locals.values().any(|local| local.ty.holds_handles());
    if has_handles { split(function) } else { Ok(()) }
}

fn drop_idle(function: &mut Function) -> Result<(), EmitError> {
    drop_idle_completions(function);
    Ok(())
}

fn refused(error: &dyn Display, function: &Symbol) -> EmitError {
    EmitError::new(error.to_string()).within(function)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rows of the page for these passes.
    fn rows(passes: &[Pass]) -> String {
        let row = |pass: &Pass| {
            let on = if matches!(pass.run, Each(_)) { "each function" } else { "the module" };
            format!("| `{}` | {on} | {} |\n", pass.name, pass.why)
        };
        passes.iter().map(row).collect()
    }

    #[test]
    fn the_page_lists_the_passes_in_their_order() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/ARCHITECTURE.md");
        let page = std::fs::read_to_string(page).expect("the page can be read");
        for (name, rows) in [("GRAPH", rows(&GRAPH)), ("RESOLUTION and MEMORY", rows(&RESOLUTION) + &rows(&MEMORY))] {
            let table = format!("\n| pass | works on | reason |\n|---|---|---|\n{rows}\n");
            assert!(page.contains(&table), "the table of {name} in docs/ARCHITECTURE.md is not:\n{table}");
        }
        let row = |step: &passes::Step| format!("| `{}` | `-{:?}` | {} |\n", step.name, step.from, step.why);
        let rows: String = passes::STEPS.iter().map(row).collect();
        let table = format!("\n| pass | from | reason |\n|---|---|---|\n{rows}\n");
        assert!(page.contains(&table), "the table of the optimiser in docs/ARCHITECTURE.md is not:\n{table}");
    }
}
