//! The shaders of an emulated graph: kernels of the device library, and one for nodes with the same code.

use super::error::{EmuError, GraphProblem};
use super::joint::share_shader;
use super::library::{self, Helper, Library};
use super::link::link;
use super::node::{self, Context};
use super::plan::{self, Plan};
use crate::EmitOptions;
use wgc_abi::device;
use wgc_abi::tables::{ABSENT, MAP_DENSE, OutputRow};
use wgc_ir::passes::fusion::{self, EdgeChoice};
use wgc_ir::{ComputeEntry, Graph, LocalRoot, Module, Node, Output, OutputArray, Symbol, Type};

#[derive(Clone, Debug, Default)]
pub struct EmulatedOptions {
    pub plan: plan::Settings,
    /// The edges that the author chose to fuse or to keep.
    pub edges: Vec<EdgeChoice>,
    pub emit: EmitOptions,
}

/// Compute and mesh shaders and tables of a graph, before emission.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// The graph after fusion.
    pub graph: Graph,
    /// The decision for each edge of the original graph.
    pub fusion: fusion::Report,
    pub plan: Plan,
    /// The kernels prep, inject, sched, gather and, if needed, scatter, guard, joint and scan; then the nodes.
    pub shaders: Vec<Shader>,
    /// Index in `shaders`, by node.
    pub shader_of_node: Vec<usize>,
    /// Local root arguments of the nodes, as passed in.
    pub roots: Vec<Option<LocalRoot>>,
    /// Variables of the program that are local root arguments, by shader.
    pub(crate) found_in_roots: Vec<Vec<Symbol>>,
}

impl Rewritten {
    /// Writes the numbers of the nodes' local root arguments to the tables. A node that reads nothing from its record
    /// needs none. Pixel shaders may still read it, but they are not part of the package.
    pub(crate) fn number_roots(&mut self) {
        for (root, shader) in self.roots.iter_mut().zip(&self.shader_of_node) {
            root.take_if(|_| self.found_in_roots[*shader].is_empty());
        }
        for (instance, row) in self.plan.instances.iter().zip(&mut self.plan.tables.instances) {
            row.local_root = root_of(&self.roots, instance.node).map_or(ABSENT, |root| root.index);
        }
    }
}

/// A module with one compute or mesh entry point and no graph.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Name in the package: `nodes/x.spv`, `sched/prep.spv`.
    pub file: String,
    pub module: Module,
    /// `WaveSize` of the node.
    pub subgroup_size: Option<[u32; 3]>,
    /// The kernel of the library, which is the same in every program. `None`: a node.
    pub kernel: Option<&'static str>,
}

/// Returns the local root arguments of a node.
pub(crate) fn root_of(roots: &[Option<LocalRoot>], node: usize) -> Option<&LocalRoot> {
    roots.get(node)?.as_ref()
}

/// The files of the kernels scatter, guard, joint and scan.
pub(super) const SCATTER: &str = "sched/scatter.spv";
pub(super) const GUARD: &str = "sched/guard.spv";
pub(super) const JOINT: &str = "sched/joint.spv";
pub(super) const SCAN: &str = "sched/scan.spv";

/// The nodes of each shader. Nodes with the same code and interface share one.
pub(crate) struct Sharing {
    /// Number of the shader, by node.
    pub of_node: Vec<usize>,
    /// The first node of each shader.
    pub firsts: Vec<usize>,
}

impl Sharing {
    pub fn new(graph: &Graph, local_roots: &[Option<LocalRoot>]) -> Sharing {
        let layout = |node| root_of(local_roots, node).map(|root| &root.layout);
        let mut firsts: Vec<usize> = Vec::new();
        let mut of_node = Vec::with_capacity(graph.nodes.len());
        for (index, node) in graph.nodes.iter().enumerate() {
            let is_same = |first: &usize| share_shader(&graph.nodes[*first], node) && layout(*first) == layout(index);
            let shader = firsts.iter().position(is_same);
            of_node.push(shader.unwrap_or(firsts.len()));
            if shader.is_none() {
                firsts.push(index);
            }
        }
        Sharing { of_node, firsts }
    }

    /// Returns whether an instance of the shader is in a joint dispatch.
    pub fn has_joint_dispatch(&self, shader: usize, plan: &Plan) -> bool {
        let mut instances = plan.instances.iter().zip(&plan.tables.instances);
        instances.any(|(instance, row)| self.of_node[instance.node] == shader && row.joint != 0)
    }
}

/// The properties of a package that its kernels depend on.
struct KernelNeeds {
    /// There are queues of records with grids.
    dynamic: bool,
    spills: bool,
    guarded: bool,
    joint: bool,
    atomics64: bool,
}

impl KernelNeeds {
    /// Returns the files and names of the kernels, in the order of a package.
    fn kernels(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        let inject = match (self.dynamic, self.atomics64) {
            (false, _) => library::INJECT,
            (true, true) => library::INJECT_GRIDS,
            (true, false) => library::INJECT_LISTED,
        };
        let kernels = [
            (true, "sched/prep.spv", library::PREP),
            (true, "sched/inject.spv", inject),
            (true, "sched/sched.spv", library::SCHED),
            (true, "sched/gather.spv", library::GATHER),
            (self.spills, SCATTER, library::SCATTER),
            (self.guarded, GUARD, library::GUARD),
            (self.joint, JOINT, library::JOINT),
            (self.dynamic && !self.atomics64, SCAN, library::SCAN),
        ];
        kernels.into_iter().filter(|(needed, ..)| *needed).map(|(_, file, name)| (file, name))
    }
}

/// Returns the kernels that the plan needs.
pub(crate) fn kernels(plan: &Plan, library: Library, settings: &plan::Settings) -> Result<Vec<Shader>, EmuError> {
    let needs = KernelNeeds {
        dynamic: plan.tables.queues.iter().any(|q| q.dynamic_count != 0),
        spills: !plan.tables.spills.is_empty(),
        guarded: settings.guarded,
        joint: !plan.tables.runs.is_empty(),
        atomics64: settings.atomics64,
    };
    needs.kernels().map(|(file, name)| kernel(file, name, library)).collect()
}

/// Returns the kernels of all packages. A kernel depends on its name alone.
///
/// # Errors
/// The library lacks a kernel, or its packages have different kernels of one name. Both are bugs in wgc.
pub fn library_kernels(module: &Module) -> Result<Vec<Shader>, EmuError> {
    let listing = library::without_atomics64(module)?;
    let mut all: Vec<Shader> = Vec::new();
    for (library, atomics64) in [(module, true), (&listing, false)] {
        let library = Library::new(library)?;
        for dynamic in [false, true] {
            let needs = KernelNeeds { dynamic, spills: true, guarded: true, joint: true, atomics64 };
            for (file, name) in needs.kernels() {
                let new = kernel(file, name, library)?;
                match all.iter().find(|other| other.kernel == new.kernel) {
                    None => all.push(new),
                    Some(same) if same.module == new.module => {}
                    Some(_) => return Err(EmuError::Library { function: name }),
                }
            }
        }
    }
    Ok(all)
}

/// The properties of the dispatches of a node's shader.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dispatched {
    /// Some are joint dispatches.
    pub joint: bool,
    /// They are loops of a resident workgroup.
    pub resident: bool,
    /// The function that finds the record of local root arguments.
    pub record: Option<Helper>,
}

/// Returns the shader of the node with this index, and of the nodes that share it, with the library's functions.
pub(crate) fn of_node(
    module: &Module,
    index: usize,
    library: Library,
    plan: &Plan,
    settings: &plan::Settings,
    dispatched: Dispatched,
) -> Result<Module, EmuError> {
    let n = &module.graph.nodes[index];
    let function = module
        .functions
        .get(&n.function)
        .ok_or_else(|| EmuError::Graph { node: n.id.clone(), problem: GraphProblem::Function(n.function.clone()) })?;
    let packing = plan.packing[index];
    let dynamic = output_records(&module.graph, n, &plan.dynamic_outputs);
    let spilling = output_records(&module.graph, n, &plan.spilling_outputs);
    let fixed = fixed_instance(module, n, plan);
    let of_code = module.graph.nodes.iter().zip(&plan.spilled_inputs).filter(|(node, _)| share_shader(node, n));
    let context = Context {
        library,
        module,
        page_bytes: plan.tables.page_bytes,
        dynamic: &dynamic,
        spilling: &spilling,
        guarded: settings.guarded,
        fixed: fixed.as_ref(),
        joint: dispatched.joint,
        resident: dispatched.resident,
        packing,
        spilled_input: of_code.into_iter().any(|(_, spilled)| *spilled),
    };
    let lowered = node::lower(n, function, context)?;
    let mut functions = vec![lowered.function];
    if let Some(record) = dispatched.record {
        functions.push(library.function(record)?.clone());
    }
    let mut linked = link(module, &library, functions)?;
    lowered.shared.into_iter().for_each(|shared| linked.add_global(shared));
    linked.entries = vec![ComputeEntry {
        name: Symbol::const_new("main"),
        function: n.function.clone(),
        workgroup_size: plan::group_size(n, packing),
        // The package has the wave size, next to the shader.
        wave_size: None,
        mesh: n.mesh,
        specialised: Vec::new(),
    }];
    Ok(linked)
}

/// Returns the numbers of the only instance that runs the code of `n`; `None`: there are several.
fn fixed_instance(module: &Module, n: &Node, plan: &Plan) -> Option<node::FixedInstance> {
    let runs = |i: &plan::Instance| share_shader(&module.graph.nodes[i.node], n);
    let mut instances = plan.instances.iter().enumerate().filter(|(_, instance)| runs(instance));
    let (instance, &plan::Instance { queue, .. }) = instances.next().filter(|_| instances.next().is_none())?;
    let tables = &plan.tables;
    let first = tables.instances[instance].first_output as usize;
    let target = |(output, row): (&Output, &OutputRow)| {
        let single = output.array == OutputArray::Single && row.kind == MAP_DENSE && row.count == 1;
        let queue = *tables.maps.get(row.map as usize).filter(|queue| single && **queue != ABSENT)?;
        let row = tables.queues[queue as usize];
        let consumer = tables.instances[row.first_instance as usize];
        Some(node::Target { queue, row, consumer })
    };
    let targets = n.outputs.iter().zip(&tables.outputs[first..]).map(target).collect();
    let instances = u32::try_from(device::instance_states(tables.queues.len(), tables.spills.len())).ok()?;
    Some(node::FixedInstance { instance: instance as u32, queue, instances, targets })
}

/// Returns record types of outputs that `which` selects by node and output, for `n` and the nodes that share its code.
fn output_records<'g>(graph: &'g Graph, n: &Node, which: &[Vec<bool>]) -> Vec<&'g Type> {
    let mut types: Vec<&Type> = Vec::new();
    for (node, which) in graph.nodes.iter().zip(which).filter(|(node, _)| share_shader(node, n)) {
        let outputs = node.outputs.iter().zip(which).filter(|(_, named)| **named);
        for record in outputs.filter_map(|(output, _)| output.record.as_ref()) {
            if !types.contains(&&record.ty) {
                types.push(&record.ty);
            }
        }
    }
    types
}

fn kernel(file: &str, name: &'static str, library: Library) -> Result<Shader, EmuError> {
    let missing = EmuError::Library { function: name };
    let entry = library.module.entries.iter().find(|e| e.name == name).ok_or_else(|| missing.clone())?;
    let function = library.module.functions.get(&entry.function).ok_or(missing)?;
    let mut module = link(&Module::default(), &library, vec![function.clone().into_function()])?;
    module.entries = vec![ComputeEntry { name: Symbol::const_new("main"), ..entry.clone() }];
    Ok(Shader { file: file.to_owned(), module, subgroup_size: None, kernel: Some(name) })
}
