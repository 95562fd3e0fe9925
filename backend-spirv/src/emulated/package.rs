//! The assembly of a package from node modules, kernels, tables and manifest.

use super::error::{EmuError, GraphProblem};
use super::joint::{self, alike};
use super::library::{self, Helper, Library};
use super::link::link;
use super::node::{self, Context};
use super::plan::{self, Plan};
use super::roots;
use crate::file_names::FileNames;
use crate::interface::{node_launch, node_name, of_module, record_layout};
use crate::prepare::traced;
use crate::{EmitError, EmitOptions, SpirvModule, emit_compute};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wgc_abi::device;
use wgc_abi::interface::{BindingKind, Heap, Interface};
use wgc_abi::layout::StructLayout;
use wgc_abi::manifest as abi;
use wgc_abi::package::{code_hash, content_hash};
use wgc_abi::tables::{ABSENT, MAP_DENSE, OutputRow, RunRow};
use wgc_abi::{Package, manifest::Manifest};
use wgc_ir::passes;
use wgc_ir::{ComputeEntry, Graph, LocalRoot, Mesh, Module, Node, Output, OutputArray, Symbol, Topology, Type};

#[derive(Clone, Debug, Default)]
pub struct EmulatedOptions {
    pub plan: plan::Settings,
    pub emit: EmitOptions,
}

/// Compute and mesh shaders and tables of a graph, before emission.
#[derive(Clone, Debug)]
pub struct Rewritten {
    pub plan: Plan,
    /// The kernels prep, inject, sched, gather and, if needed, scatter, guard, joint and scan; then the nodes.
    pub shaders: Vec<Shader>,
    /// Index in `shaders`, by node.
    pub shader_of_node: Vec<usize>,
    /// Local root arguments of the nodes, as passed in.
    pub roots: Vec<Option<LocalRoot>>,
    /// Variables of the program that are local root arguments, by shader.
    found_in_roots: Vec<Vec<Symbol>>,
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

impl Shader {
    /// Emits the words of the module.
    pub fn emit(&self, options: &EmitOptions) -> Result<SpirvModule, EmuError> {
        emit_compute(&self.module, options).map_err(|error| EmuError::Emit { module: self.file.clone(), error })
    }
}

/// Returns the package of shaders that [`rewrite`] created from `module`. They are already emitted, as `modules` by
/// file.
pub fn package(
    module: &Module,
    rewritten: &Rewritten,
    modules: IndexMap<String, Vec<u32>>,
) -> Result<Package, EmuError> {
    let reflect = |error| EmuError::Emit { module: "reflection".to_owned(), error };
    let manifest = manifest(module, rewritten, &modules).map_err(reflect)?;
    Ok(Package { manifest, tables: rewritten.plan.tables.encode(), modules })
}

/// Returns whether the graph of `module` has a plan, which [`rewrite`] would use.
pub fn can_be_planned(module: &Module, settings: &plan::Settings) -> bool {
    let mut module = module.clone();
    passes::fix_constants(&mut module);
    joint::join(&mut module, settings);
    plan::plan(&module.graph, settings).is_ok()
}

/// Compiles the graph of `module` for plain compute, up to emission: every node function becomes a compute shader in
/// IR.
///
/// `module` and `library`, the compiled `stdlib/emulated`, are verified. `local_roots` has the local root arguments of
/// each node; nodes beyond its end have none.
pub fn rewrite(
    module: &Module,
    library: &Module,
    mut local_roots: Vec<Option<LocalRoot>>,
    options: &EmulatedOptions,
) -> Result<Rewritten, EmuError> {
    let listing = if options.plan.atomics64 { None } else { Some(library::without_atomics64(library)?) };
    let library = Library::new(listing.as_ref().unwrap_or(library))?;
    let mut module = module.clone();
    passes::precise(&mut module);
    // Queues, stages and tables are sized by the graph's numbers.
    passes::fix_constants(&mut module);
    // From here on only node functions contain graph operations.
    passes::inline(&mut module, passes::Inline::Meeting).map_err(EmuError::Inline)?;
    passes::alone(&mut module);
    for function in module.functions.values_mut().filter(|f| f.locals.values().any(|l| l.ty.holds_handles())) {
        passes::split(function).map_err(|error| {
            let refused = EmitError::new(error.to_string()).within(&error.function);
            EmuError::Emit { module: function.name.to_string(), error: refused }
        })?;
    }
    joint::join(&mut module, &options.plan);
    let mut plan = plan::plan(&module.graph, &options.plan)?;
    let (first_of_node, firsts) = sharers(&module.graph, &local_roots);
    joint::runs(&module.graph, &plan.instances, &first_of_node, &options.plan, &mut plan.tables);
    let dynamic = plan.tables.queues.iter().any(|q| q.dynamic_count != 0);
    let inject = match (dynamic, options.plan.atomics64) {
        (false, _) => library::INJECT,
        (true, true) => library::INJECT_GRIDS,
        (true, false) => library::INJECT_LISTED,
    };
    let mut shaders = vec![
        kernel("sched/prep.spv", library::PREP, library)?,
        kernel("sched/inject.spv", inject, library)?,
        kernel("sched/sched.spv", library::SCHED, library)?,
        kernel("sched/gather.spv", library::GATHER, library)?,
    ];
    if !plan.tables.spills.is_empty() {
        shaders.push(kernel(SCATTER, library::SCATTER, library)?);
    }
    if options.plan.guarded {
        shaders.push(kernel(GUARD, library::GUARD, library)?);
    }
    if !plan.tables.runs.is_empty() {
        shaders.push(kernel(JOINT, library::JOINT, library)?);
    }
    if dynamic && !options.plan.atomics64 {
        shaders.push(kernel(SCAN, library::SCAN, library)?);
    }
    let kernels = shaders.len();
    let shader_of_node: Vec<usize> = first_of_node.iter().map(|number| kernels + number).collect();
    let mut found_in_roots = vec![Vec::new(); kernels];
    let mut names = FileNames::default();
    let mut samplers = roots::StaticSamplers::default();
    for (number, &first) in firsts.iter().enumerate() {
        let n = &module.graph.nodes[first];
        let file = format!("nodes/{}.spv", names.name(&n.id));
        let runs = plan.instances.iter().zip(&plan.tables.instances);
        let joint = runs.into_iter().any(|(instance, row)| first_of_node[instance.node] == number && row.joint != 0);
        let record = if joint { library::LOCAL_ROOT_JOINT } else { library::LOCAL_ROOT };
        let root = root_of(&local_roots, first);
        let guarded = options.plan.guarded;
        let mut shader = shader_module(&module, n, library, &plan, guarded, joint, root.map(|_| record))?;
        let mut found = Vec::new();
        if let Some(root) = root {
            shader = traced(&shader, passes::Inline::Required)
                .map_err(|error| EmuError::Emit { module: file.clone(), error })?;
            found = roots::lower(&mut shader, &n.id, root, &library, record)?;
        }
        samplers.note(&shader, &n.id, root.map(|root| &*root.layout))?;
        found_in_roots.push(found);
        shaders.push(Shader { file, module: shader, subgroup_size: n.wave_size, kernel: None });
    }
    // A node that reads nothing from its record needs none. Pixel shaders may still read it, but they are not part of
    // the package.
    for (root, shader) in local_roots.iter_mut().zip(&shader_of_node) {
        root.take_if(|_| found_in_roots[*shader].is_empty());
    }
    for (instance, row) in plan.instances.iter().zip(&mut plan.tables.instances) {
        row.local_root = root_of(&local_roots, instance.node).map_or(ABSENT, |root| root.index);
    }
    Ok(Rewritten { plan, shaders, shader_of_node, roots: local_roots, found_in_roots })
}

/// Returns the local root arguments of a node.
fn root_of(roots: &[Option<LocalRoot>], node: usize) -> Option<&LocalRoot> {
    roots.get(node)?.as_ref()
}

/// The file of the kernel scatter in a package.
const SCATTER: &str = "sched/scatter.spv";
/// The files of the kernels guard, joint and scan.
const GUARD: &str = "sched/guard.spv";
const JOINT: &str = "sched/joint.spv";
const SCAN: &str = "sched/scan.spv";

/// Returns for each node the index of its shader among the shaders of nodes, and the first node of each shader. Nodes
/// with the same code and interface share a shader.
fn sharers(graph: &Graph, local_roots: &[Option<LocalRoot>]) -> (Vec<usize>, Vec<usize>) {
    let layout = |node| root_of(local_roots, node).map(|root| &root.layout);
    let mut firsts: Vec<usize> = Vec::new();
    let mut shader_of_node = Vec::with_capacity(graph.nodes.len());
    for (index, node) in graph.nodes.iter().enumerate() {
        let is_same = |first: &usize| alike(&graph.nodes[*first], node) && layout(*first) == layout(index);
        let shader = firsts.iter().position(is_same);
        shader_of_node.push(shader.unwrap_or(firsts.len()));
        if shader.is_none() {
            firsts.push(index);
        }
    }
    (shader_of_node, firsts)
}

fn shader_module(
    module: &Module,
    n: &Node,
    library: Library,
    plan: &Plan,
    guarded: bool,
    joint: bool,
    record: Option<Helper>,
) -> Result<Module, EmuError> {
    let function = module
        .functions
        .get(&n.function)
        .ok_or_else(|| EmuError::Graph { node: n.id.clone(), problem: GraphProblem::Function(n.function.clone()) })?;
    let dynamic = output_records(&module.graph, n, &plan.dynamic_outputs);
    let spilling = output_records(&module.graph, n, &plan.spilling_outputs);
    let place = place(module, n, plan);
    let of_code = module.graph.nodes.iter().zip(&plan.spilled_inputs).filter(|(node, _)| alike(node, n));
    let context = Context {
        library,
        module,
        page_bytes: plan.tables.page_bytes,
        dynamic: &dynamic,
        spilling: &spilling,
        guarded,
        place: place.as_ref(),
        joint,
        spilled_input: of_code.into_iter().any(|(_, spilled)| *spilled),
    };
    let lowered = node::lower(n, function, context)?;
    let mut functions = vec![lowered.function];
    if let Some(record) = record {
        functions.push(library.function(record)?.clone());
    }
    let mut linked = link(module, &library, functions)?;
    lowered.shared.into_iter().for_each(|shared| linked.add_global(shared));
    linked.entries = vec![ComputeEntry {
        name: Symbol::const_new("main"),
        function: n.function.clone(),
        workgroup_size: plan::group_size(n),
        // The package has the wave size, next to the shader.
        wave_size: None,
        mesh: n.mesh,
        specialised: Vec::new(),
    }];
    Ok(linked)
}

/// Returns the numbers of the only instance that runs the code of `n`; `None`: there are several.
fn place(module: &Module, n: &Node, plan: &Plan) -> Option<node::Place> {
    let runs = |i: &plan::Instance| alike(&module.graph.nodes[i.node], n);
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
    Some(node::Place { instance: instance as u32, queue, instances, targets })
}

/// Returns record types of outputs that `which` selects by node and output, for `n` and the nodes that share its code.
fn output_records<'g>(graph: &'g Graph, n: &Node, which: &[Vec<bool>]) -> Vec<&'g Type> {
    let mut types: Vec<&Type> = Vec::new();
    for (node, which) in graph.nodes.iter().zip(which).filter(|(node, _)| alike(node, n)) {
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

/// Returns the device features required in addition to the minimum and to the capabilities of the modules.
fn features(dynamic: bool, draws: bool, interface: &Interface) -> Vec<String> {
    let kinds = |heap: Heap| -> BTreeSet<u32> {
        let views = interface.bindings.iter().filter(|binding| binding.heap == Some(heap));
        views.map(|view| descriptor_kind(&view.kind)).collect()
    };
    let mutable = [Heap::Resource, Heap::Sampler].into_iter().any(|heap| kinds(heap).len() > 1);
    let features = [(dynamic, "shaderBufferInt64Atomics"), (mutable, "mutableDescriptorType"), (draws, "meshShader")];
    features.iter().filter(|(needed, _)| *needed).map(|(_, feature)| (*feature).to_owned()).collect()
}

fn mesh_size(mesh: Mesh) -> abi::MeshSize {
    let topology = match mesh.topology {
        Topology::Line => abi::Topology::Line,
        Topology::Triangle => abi::Topology::Triangle,
    };
    abi::MeshSize { topology, vertices: mesh.max_vertices, primitives: mesh.max_primitives }
}

/// Returns the threads of the largest workgroup of the mesh shaders, or of the others; 0 if there are none.
fn largest_group(modules: &[abi::ModuleRef], draws: bool) -> u32 {
    let of_kind = modules.iter().filter(|module| module.mesh.is_some() == draws);
    of_kind.map(|module| module.group_size.iter().product()).max().unwrap_or(0)
}

/// Returns a joint dispatch, with a label from the names of its instances.
fn joint_dispatch(run: &RunRow, instances: &[abi::Instance]) -> abi::JointDispatch {
    let own = &instances[run.first_instance as usize..][..run.instance_count as usize];
    let (first, last) = (&own[0], &own[own.len() - 1]);
    let is_array = own.iter().all(|i| i.node.name == first.node.name && i.level == first.level);
    let label = match is_array && first.node.index < last.node.index {
        true => {
            let level = if first.level == 0 { String::new() } else { format!(" level {}", first.level) };
            format!("{}[{}..{}]{level}", first.node.name, first.node.index, last.node.index)
        }
        false => format!("{} .. {}", first.label, last.label),
    };
    abi::JointDispatch { first_instance: run.first_instance, instances: run.instance_count, label }
}

/// Returns the VkDescriptorType of a binding.
fn descriptor_kind(kind: &BindingKind) -> u32 {
    match kind {
        BindingKind::Sampler => 0,
        BindingKind::SampledImage { .. } => 2,
        BindingKind::StorageImage { .. } => 3,
        BindingKind::TexelBuffer { writable: false, .. } => 4,
        BindingKind::TexelBuffer { writable: true, .. } => 5,
        BindingKind::UniformBuffer { .. } => 6,
        BindingKind::StorageBuffer { .. } => 7,
        BindingKind::AccelerationStructure => 1_000_150_000,
    }
}

/// Returns the interface of the program, with the resources that its shaders read from heaps by descriptor tables.
fn interface(module: &Module, shaders: &[Shader]) -> Result<Interface, EmitError> {
    let views = shaders.iter().flat_map(|shader| shader.module.globals.values());
    let Module { globals, graph, entries, .. } = module;
    let (globals, graph, entries) = (globals.clone(), graph.clone(), entries.clone());
    let mut all = Module { globals, graph, entries, ..Module::default() };
    for view in views.filter(|global| global.binding().is_some_and(|binding| binding.heap.is_some())) {
        all.globals.entry(view.name.clone()).or_insert_with(|| view.clone());
    }
    of_module(&all)
}

fn manifest(module: &Module, rewritten: &Rewritten, words: &IndexMap<String, Vec<u32>>) -> Result<Manifest, EmitError> {
    let plan = &rewritten.plan;
    let nodes = &module.graph.nodes;
    let mut interface = interface(module, &rewritten.shaders)?;
    let modules: Vec<abi::ModuleRef> = (rewritten.shaders.iter())
        .map(|shader| {
            let entry = shader.module.entries.first();
            abi::ModuleRef {
                file: shader.file.clone(),
                entry: "main".to_owned(),
                group_size: entry.map_or([1; 3], |e| e.workgroup_size),
                hash: words.get(&shader.file).map_or_else(String::new, |words| content_hash(words)),
                code: words.get(&shader.file).map_or_else(String::new, |words| code_hash(words)),
                subgroup_size: shader.subgroup_size,
                mesh: entry.and_then(|e| e.mesh).map(mesh_size),
            }
        })
        .collect();
    let mut records: IndexSet<StructLayout> = IndexSet::new();
    let mut counts: FxHashMap<(usize, u32), u32> = FxHashMap::default();
    for instance in &plan.instances {
        *counts.entry((instance.node, instance.level)).or_default() += 1;
    }
    let instances = (plan.instances.iter())
        .map(|instance| {
            let node = &nodes[instance.node];
            let name = node_name(&node.id);
            let level = if instance.level == 0 { String::new() } else { format!(" level {}", instance.level) };
            // With drains or a schedule by depth, one node and level has several instances.
            let several = counts[&(instance.node, instance.level)] > 1;
            let depth = if several { format!(" depth {}", instance.stage) } else { String::new() };
            let record = record_layout(node)?.map(|layout| records.insert_full(layout).0 as u32);
            Ok(abi::Instance {
                label: format!("{name}{level}{depth}"),
                node: name,
                level: instance.level,
                launch: node_launch(node.launch),
                module: rewritten.shader_of_node[instance.node] as u32,
                stage: instance.stage,
                queue: instance.queue,
                record,
                local_root: root_of(&rewritten.roots, instance.node).map(|root| root.index),
            })
        })
        .collect::<Result<Vec<_>, EmitError>>()?;
    let runs = plan.tables.runs.iter().map(|run| joint_dispatch(run, &instances)).collect();
    let entrypoints = (nodes.iter().enumerate())
        .filter(|(_, node)| node.entry)
        .map(|(index, node)| {
            let (node, record) = (node_name(&node.id), record_layout(node)?);
            let queue = plan.queue_of_node[index];
            let closure_bytes = plan::closure::closure_bytes(&plan.tables, queue);
            Ok(abi::EntryPoint { node, queue, record, closure_bytes })
        })
        .collect::<Result<_, EmitError>>()?;
    let dynamic = plan.tables.queues.iter().any(|q| q.dynamic_count != 0);
    let kernel = |file| rewritten.shaders.iter().position(|shader| shader.file == file).map(|at| at as u32);
    let (scatter, guard, joint, scan) = (kernel(SCATTER), kernel(GUARD), kernel(JOINT), kernel(SCAN));
    let shaders = &rewritten.shader_of_node;
    let found: Vec<Vec<Symbol>> = shaders.iter().map(|s| rewritten.found_in_roots[*s].clone()).collect();
    let local_roots = roots::manifest(&rewritten.roots, &found, &interface.bindings);
    // A resource that all shaders read from local root arguments needs no binding.
    let is_root = |name: &str| found.iter().flatten().any(|found| *found == name);
    let is_bound = |name: &str| rewritten.shaders.iter().any(|shader| shader.module.globals.contains_key(name));
    interface.bindings.retain(|binding| !is_root(&binding.name) || is_bound(&binding.name));
    Ok(Manifest {
        version: abi::VERSION,
        min_pages: plan.tables.min_pages,
        arena: plan::closure::arena(&plan.tables),
        features: features(dynamic && scan.is_none(), plan.tables.mesh_stage.is_some(), &interface),
        limits: abi::Limits {
            group_threads: largest_group(&modules, false),
            mesh_threads: largest_group(&modules, true),
        },
        kernels: abi::Kernels { prep: 0, inject: 1, sched: 2, gather: 3, scatter, guard, joint, scan },
        modules,
        instances,
        stages: (plan.tables.stages.iter())
            .map(|s| abi::Stage {
                first_instance: s.first_instance,
                instances: s.instance_count,
                first_spill: s.first_spill,
                spills: s.spill_count,
                follows: s.segment == 0,
                first_run: s.first_run,
                runs: s.run_count,
            })
            .collect(),
        runs,
        entrypoints,
        records: records.into_iter().collect(),
        bindings: interface.bindings,
        local_roots,
        push_bytes: abi::push_bytes(interface.push_constants.as_ref()) as u32,
        tables_hash: Some(wgc_abi::package::hash_of(&plan.tables.encode())),
        push_constants: interface.push_constants,
        // Not part of the IR: the driver adds them.
        root_signatures: Vec::new(),
        spec_constants: interface.spec_constants,
        buffers: abi::Buffers {
            context_bytes: device::Context::SIZE as u32,
            tables_bytes: plan.tables.encode().len() as u32,
            queue_state_bytes: device::QueueState::SIZE as u32,
            instance_state_bytes: device::InstanceState::SIZE as u32,
            arguments_bytes: device::Arguments::SIZE as u32,
            status_bytes: device::Status::SIZE as u32,
            span_bytes: device::Span::SIZE as u32,
            page_entry_bytes: 8,
            page_bytes: plan.tables.page_bytes,
        },
    })
}
