//! Mesh nodes in the engine's own graphics pipelines and render passes.
//!
//! A graph has the mesh shader; the engine has its pixel shader, the attachments and all states. A frame is
//!
//! ```text
//! graph.record(commands, ..)          outside of a render pass
//! begin the render pass               attachments are cleared, or loaded
//! graph.record_draws(commands, ..)
//! end the render pass
//! ```
//!
//! and, while [`Graph::status`](super::Graph::status) says that records are pending, the same with
//! [`Graph::resume`](super::Graph::resume) in place of `record` and attachments that are loaded.

use std::ffi::CString;

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::ExtMeshShaderExtensionDeviceCommands;

use super::super::submit::Label;
use super::Graph;
use super::memory::unbound;
use super::record::{Stamps, Timestamps, too_few_queries};
use crate::emulated::{Groups, RunError, Steps};
use wgc_abi::NodeName;
use wgc_abi::manifest::MeshSize;

/// A mesh node: the first stage of a graphics pipeline that the caller creates, with [`Graph::layout`].
#[derive(Clone, Debug)]
pub struct MeshNode<'g> {
    pub node: &'g NodeName,
    /// For the stage `VK_SHADER_STAGE_MESH_BIT_EXT`, as long as the graph lives. Elements of an array that share their
    /// code have the same.
    pub module: vk::ShaderModule,
    pub entry: CString,
    /// The largest output of a workgroup; the module declares the topology too.
    pub size: MeshSize,
    /// WaveSize, for the stage's `VkPipelineShaderStageRequiredSubgroupSizeCreateInfo`; without it, the stage has no
    /// such structure.
    pub subgroup_size: Option<u32>,
}

/// The draws after a dispatch, or after a sweep of it.
#[derive(Clone, Copy, Debug)]
pub struct Draws<'a> {
    /// For each of [`Graph::mesh_nodes`].
    pub pipelines: &'a [vk::Pipeline],
    /// The dispatch's push constants.
    pub push: &'a [u8],
    pub sets: &'a [vk::DescriptorSet],
    /// Timestamp queries, one more than there are mesh nodes, which were reset before the render pass. One is written
    /// before the draws. One more is written after the draw of each of [`Graph::mesh_nodes`], when all before it has
    /// finished.
    pub timestamps: Option<Timestamps>,
}

impl Graph {
    /// Returns the mesh nodes, in the order of their draws.
    pub fn mesh_nodes(&self) -> Vec<MeshNode<'_>> {
        let node = |number: usize| {
            let instance = &self.loaded.program.manifest.instances[number];
            let module = self.loaded.program.manifest.modules.get(instance.module as usize)?;
            let (shader, subgroup_size) = self.loaded.pipelines.mesh(instance.module)?;
            Some(MeshNode {
                node: &instance.node,
                module: shader,
                entry: CString::new(module.entry.as_str()).ok()?,
                size: module.mesh?,
                subgroup_size,
            })
        };
        self.loaded.program.mesh_instances().filter_map(node).collect()
    }

    /// Records the draws of all mesh nodes, for all records that each received: once after each [`Graph::record`] and
    /// [`Graph::resume`]. They are indirect, and without records nothing is drawn. Afterwards the sets, the push
    /// constants and the pipeline of the graphics bind point belong to the graph.
    ///
    /// # Errors
    /// Nothing to draw from was recorded, there are more or fewer pipelines than mesh nodes, or too few queries.
    ///
    /// # Safety
    /// The command buffer is being recorded, inside a render pass that fits the pipelines, with all their dynamic state
    /// set. The pipelines are built from the modules of [`Graph::mesh_nodes`] and from [`Graph::layout`]; the sets fit
    /// it. The dispatch was recorded before on the same queue.
    pub unsafe fn record_draws(&self, commands: vk::CommandBuffer, draws: &Draws) -> Result<(), RunError> {
        let memory = self.memory.as_ref().ok_or_else(unbound)?;
        let last = self.last.as_ref().ok_or(RunError::Early("no dispatch was recorded"))?;
        let nodes = self.loaded.program.mesh_instances().count();
        if draws.pipelines.len() != nodes {
            let given = draws.pipelines.len();
            return Err(RunError::Given(format!("{given} pipelines for {nodes} mesh nodes")));
        }
        self.check_bindings(draws.push, draws.sets)?;
        let needed = nodes as u64 + 1;
        if let Some(Timestamps { count, .. }) = draws.timestamps
            && u64::from(count) < needed
        {
            return Err(RunError::Given(too_few_queries(needed, count)));
        }
        let (address, _) = memory.context();
        let steps =
            Steps::new(&self.loaded.program, address, self.flags(&last.run), self.loaded.group_limit, draws.push);
        let (device, layout, stages) =
            (&self.loaded.host.device, self.loaded.pipelines.layout, self.loaded.pipelines.stages);
        let (state, arguments) = (memory.memory.state.buffer, memory.arguments());
        let point = vk::PipelineBindPoint::GRAPHICS;
        let mut stamps = Stamps::new(device, commands, draws.timestamps);
        // SAFETY: as the caller promises; the arguments are in the buffer of `bind`.
        unsafe {
            stamps.write();
            if !draws.sets.is_empty() {
                device.cmd_bind_descriptor_sets(commands, point, layout, 0, draws.sets, &[]);
            }
            for (draw, pipeline) in steps.draws().zip(draws.pipelines) {
                let Groups::Indirect(offset) = draw.groups else { continue };
                let mut push = draw.push;
                push.resize(push.len().next_multiple_of(4), 0);
                device.cmd_bind_pipeline(commands, point, *pipeline);
                device.cmd_push_constants(commands, layout, stages, 0, &push);
                let labelled = Label::begin(self.loaded.host.labels(), commands, draw.label);
                device.cmd_draw_mesh_tasks_indirect_ext(commands, state, arguments + offset, 1, 12);
                drop(labelled);
                stamps.write();
            }
        }
        Ok(())
    }
}
