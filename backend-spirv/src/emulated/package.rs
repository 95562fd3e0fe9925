//! The assembly of a package from emitted shaders, tables and manifest.

use super::error::EmuError;
use super::plan;
use super::resident::RESIDENT;
use super::roots;
use super::shaders::{GUARD, JOINT, Rewritten, SCAN, SCATTER, Shader, root_of};
use crate::EmitError;
use crate::interface::{node_launch, node_name, of_module, record_layout};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wgc_abi::device;
use wgc_abi::interface::{BindingKind, Heap, Interface};
use wgc_abi::layout::StructLayout;
use wgc_abi::manifest as abi;
use wgc_abi::package::{code_hash, content_hash};
use wgc_abi::tables::RunRow;
use wgc_abi::{Package, manifest::Manifest};
use wgc_ir::{Mesh, Module, Node, RecordEnd, Symbol, Topology};

/// Returns the package of shaders that [`emulated_graph`](crate::emulated_graph) created from `module`. They are already emitted, as `modules` by
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
    // A host may do without resident mode.
    let of_kind = modules.iter().filter(|module| module.mesh.is_some() == draws && module.file != RESIDENT);
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
    let nodes = &rewritten.graph.nodes;
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
        .collect::<Result<Vec<_>, EmitError>>()?;
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
        arena: plan::closure::arena(&plan.tables, entrypoints.iter().map(|entry| entry.queue)),
        features: features(dynamic && scan.is_none(), plan.tables.mesh_stage.is_some(), &interface),
        limits: abi::Limits {
            group_threads: largest_group(&modules, false),
            mesh_threads: largest_group(&modules, true),
        },
        resident: resident(&modules),
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
        carriers: carriers(rewritten),
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

/// The stages of a resident workgroup for which it is faster than dispatches, in rounds of all its threads.
const RESIDENT_ROUNDS: u32 = 4;

fn resident(modules: &[abi::ModuleRef]) -> Option<abi::Resident> {
    let module = modules.iter().position(|module| module.file == RESIDENT)?;
    let threads: u32 = modules[module].group_size.iter().product();
    Some(abi::Resident { module: module as u32, most_threads: RESIDENT_ROUNDS * threads })
}

/// Returns the nodes with fused edges.
fn carriers(rewritten: &Rewritten) -> Vec<abi::Carrier> {
    let end = |end: &RecordEnd| abi::RecordEnd {
        node: node_name(&end.node),
        output: end.output,
        target: end.target.as_ref().map(node_name),
    };
    let fused = rewritten.graph.nodes.iter().filter(|node| !node.ends.is_empty());
    let carrier = |node: &Node| abi::Carrier {
        node: node_name(&node.id),
        guests: rewritten.fusion.guests(&node.id).into_iter().map(node_name).collect(),
        ends: node.ends.iter().map(end).collect(),
    };
    fused.map(carrier).collect()
}
