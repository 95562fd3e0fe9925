//! Mesh nodes, which the host draws with its own pipelines.

use crate::error::{self, guard, guard_value};
use crate::{
    VkCommandBuffer, VkShaderStageFlags, WGC_TOPOLOGY_LINE, WGC_TOPOLOGY_TRIANGLE, WgcDraws, WgcGraph, WgcMeshNode,
    WgcResult, array, bound, command_buffer, given, present, queries, read, write,
};
use std::ffi::CString;
use vulkanalia::prelude::v1_2::*;
use wgc_abi::manifest::Topology;
use wgc_runtime::vulkan::embed::{Draws, Graph};

/// Returns the stages that may read the push constants: compute shaders, and with mesh nodes also these and their pixel
/// shaders. All code that pushes constants with wgc_graph_layout must name the same stages.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_stages(graph: *const WgcGraph) -> VkShaderStageFlags {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.graph.stages().bits())
    })
}

/// Returns the number of mesh nodes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_mesh_node_count(graph: *const WgcGraph) -> u32 {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.meshes.len() as u32)
    })
}

/// Gets a mesh node, in the order of their draws.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_mesh_node(
    graph: *const WgcGraph,
    number: u32,
    mesh_node: *mut WgcMeshNode,
) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let nodes = graph.graph.mesh_nodes();
        let found = nodes.get(number as usize).zip(graph.meshes.get(number as usize));
        let (found, (node, entry)) = found.ok_or(error::Failure::argument("number"))?;
        let found = WgcMeshNode {
            node: node.as_ptr(),
            index: found.node.index,
            topology: match found.size.topology {
                Topology::Line => WGC_TOPOLOGY_LINE,
                Topology::Triangle => WGC_TOPOLOGY_TRIANGLE,
            },
            vertices: found.size.vertices,
            primitives: found.size.primitives,
            module: found.module.as_raw(),
            entry: entry.as_ptr(),
            subgroup_size: found.subgroup_size.unwrap_or(0),
        };
        // SAFETY: null or valid.
        unsafe { write(mesh_node, found, "mesh_node") }
    })
}

/// Records the draws of all mesh nodes, for all records that each received: once after each wgc_graph_record and
/// wgc_graph_resume. They are recorded inside a render pass of the host, with all dynamic state set. Attachments are
/// cleared for the first, and loaded for all others.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_record_draws(
    graph: *const WgcGraph,
    commands: VkCommandBuffer,
    draws: *const WgcDraws,
) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let commands = command_buffer(commands)?;
        // SAFETY: null or valid.
        let draws = unsafe { given(draws, "draws") }?;
        // SAFETY: arrays of these lengths, as the header requires.
        let (pipelines, (push, sets)) =
            unsafe { (array(draws.pipelines, draws.pipeline_count, "pipelines")?, bound(&draws.bindings)?) };
        present(pipelines, "pipelines")?;
        let pipelines: Vec<_> = pipelines.iter().map(|&raw| vk::Pipeline::from_raw(raw)).collect();
        // SAFETY: null or valid.
        let timestamps = unsafe { queries(draws.timestamps) }?;
        let draws = Draws { pipelines: &pipelines, push, sets: &sets, timestamps };
        // SAFETY: the command buffer is being recorded, and the rest is as the header asks for.
        Ok(unsafe { graph.graph.record_draws(commands, &draws) }?)
    })
}

/// Returns the names of the mesh nodes and of their entry points as C strings.
pub(crate) fn names(graph: &Graph) -> Vec<(CString, CString)> {
    let nodes = graph.mesh_nodes().into_iter();
    nodes.map(|mesh| (CString::new(mesh.node.name.as_str()).unwrap_or_default(), mesh.entry)).collect()
}
