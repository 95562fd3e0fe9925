//! The native target: one entry point per node, for VK_AMDX_shader_enqueue revision 2.
//!
//! This file emits nodes: launch modes, grids, limits. Record layouts and payload arrays are in [`payload`], the
//! operations on them in [`ops`], the names of entry points in [`names`]. Outputs of mesh nodes are in [`crate::mesh`].

mod names;
mod ops;
mod payload;

pub(crate) use names::entry_point_names;

use crate::emitter::{Emitter, Target};
use crate::mesh;
use crate::{EmitError, EmitOptions, EntryPoint, SpirvModule};
use rspirv::spirv::{Capability, ExecutionMode, ExecutionModel, Word};
use wgc_ir::{GraphConstant, Grid, Launch, Module, Node, NodeId, Output, OutputArray};

/// Emits all nodes, or only one.
pub(crate) fn emit(module: &Module, options: &EmitOptions, only: Option<&NodeId>) -> Result<SpirvModule, EmitError> {
    let mut e = Emitter::new(module, options, Target::AMDX);
    e.b.capability(Capability::ShaderEnqueueAMDX);
    e.b.extension("SPV_AMDX_shader_enqueue");
    let names = entry_point_names(&module.graph);
    let mut emitted = Vec::new();
    for (node, name) in module.graph.nodes.iter().zip(names) {
        if !e.wants(&node.id.name) || only.is_some_and(|only| *only != node.id) {
            continue;
        }
        let context = e.node_context(node).map_err(|error| error.within(&node.function))?;
        let function = e.entry_function(&node.function, Some(&context))?;
        modes(&mut e, function, node).map_err(|error| error.within(&node.function))?;
        // The input is listed even if no instruction uses it, since it shows a host the node's record.
        let mut always: Vec<Word> = context.input_variable().into_iter().collect();
        if node.mesh.is_some() {
            always.extend(mesh::outputs(&mut e, &node.function).map_err(|error| error.within(&node.function))?);
        }
        emitted.push((function, name, node, always));
    }
    if emitted.is_empty() {
        return Err(EmitError::new("the module has no node to emit"));
    }
    e.called_functions()?;
    for (function, name, node, always) in emitted {
        e.derivative_group(function, workgroup_size(node), &node.specialised)
            .map_err(|error| error.within(&node.function))?;
        let name = if only.is_some() { node.id.name.to_string() } else { name };
        let entry = EntryPoint { name, node: Some(node.id.clone()), wave_size: node.wave_size };
        let model = if node.mesh.is_some() { ExecutionModel::MeshEXT } else { ExecutionModel::GLCompute };
        e.entry_point(function, entry, model, &always)?;
    }
    e.finish()
}

fn workgroup_size(node: &Node) -> [u32; 3] {
    if node.launch == Launch::Thread { [1, 1, 1] } else { node.num_threads }
}

/// Returns whether an element of an output sends to the node.
fn targets(output: &Output, node: &Node) -> bool {
    let first = output.target.index;
    output.target.name == node.id.name
        && match output.array {
            OutputArray::Single => node.id.index == first,
            OutputArray::Sized(length) => (first..first.saturating_add(length)).contains(&node.id.index),
            OutputArray::Unbounded => node.id.index >= first,
        }
}

/// Emits the execution modes of a node.
fn modes(e: &mut Emitter<'_>, function: Word, node: &Node) -> Result<(), EmitError> {
    e.local_size(function, workgroup_size(node), &node.specialised)?;
    match (node.launch, node.grid) {
        (Launch::Thread | Launch::Coalescing, _) => {
            e.b.execution_mode(function, ExecutionMode::CoalescingAMDX, &[]);
        }
        (Launch::Broadcasting | Launch::Mesh, Grid::Max(grid)) => {
            grid_mode(e, function, node, ExecutionMode::MaxNumWorkgroupsAMDX, grid)?
        }
        (Launch::Broadcasting | Launch::Mesh, Grid::Fixed(grid)) => {
            grid_mode(e, function, node, ExecutionMode::StaticNumWorkgroupsAMDX, grid)?;
        }
        (Launch::Broadcasting | Launch::Mesh, Grid::None) => {
            mode(e, function, ExecutionMode::StaticNumWorkgroupsAMDX, &[1, 1, 1]);
        }
    }
    if let Some(mesh) = node.mesh {
        mesh::modes(e, function, mesh);
    }
    let index = e.number(&node.specialised, GraphConstant::Index, node.id.index)?;
    e.b.execution_mode_id(function, ExecutionMode::ShaderIndexAMDX, &[index]);
    // A library may have passed checks without a recursion depth.
    if node.max_recursion == 0 && node.outputs.iter().any(|output| targets(output, node)) {
        let message = format!("node `{}` targets itself and has no `NodeMaxRecursionDepth`", node.id.name);
        return Err(EmitError::new(message));
    }
    if node.max_recursion > 0 {
        let levels = e.number(&node.specialised, GraphConstant::Recursion, node.max_recursion)?;
        e.b.execution_mode_id(function, ExecutionMode::MaxNodeRecursionAMDX, &[levels]);
    }
    if let Some(shared) = &node.share_input_of {
        let index = e.number(&node.specialised, GraphConstant::Owner, shared.index)?;
        let operands = [e.b.string(&shared.name), index];
        e.b.execution_mode_id(function, ExecutionMode::SharesInputWithAMDX, &operands);
    }
    // Every node has the mode, since the default is true and the compiler resolves the set of entries. The extension
    // forbids it on a node that shares its input.
    let entry = e.bool_constant(node.entry && node.share_input_of.is_none());
    e.b.execution_mode_id(function, ExecutionMode::IsApiEntryAMDX, &[entry]);
    Ok(())
}

fn grid_mode(
    e: &mut Emitter<'_>,
    function: Word,
    node: &Node,
    mode: ExecutionMode,
    grid: [u32; 3],
) -> Result<(), EmitError> {
    let mut operands = Vec::new();
    for (axis, n) in grid.into_iter().enumerate() {
        operands.push(e.number(&node.specialised, GraphConstant::Grid(axis as u32), n)?);
    }
    e.b.execution_mode_id(function, mode, &operands);
    Ok(())
}

fn mode(e: &mut Emitter<'_>, function: Word, mode: ExecutionMode, operands: &[u32]) {
    let operands: Vec<Word> = operands.iter().map(|&n| e.u32_constant(n)).collect();
    e.b.execution_mode_id(function, mode, &operands);
}
