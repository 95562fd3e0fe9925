//! The objects created from a package's modules: a pipeline of each compute shader, a shader module of each mesh
//! shader, and one layout. Graphs of one package share them. A reloaded package reuses those with unchanged code.

use std::borrow::Cow;
use std::sync::Arc;

use vulkanalia::prelude::v1_2::*;

use super::super::pipeline::{compute_pipeline, make_layout, shader_module};
use super::super::reconvergence::maximally_reconverging;
use super::super::subgroups::Asking;
use super::host::{Host, descriptor_type, stages};
use crate::emulated::{Program, RunError, with_group_append};
use wgc_abi::Package;

/// The layout and the objects created with it. Dropping it destroys the layout, and all objects without another owner.
pub(super) struct Pipelines {
    device: vulkanalia::Device,
    pub layout: vk::PipelineLayout,
    pub stages: vk::ShaderStageFlags,
    push_bytes: u32,
    /// Set, binding, type and number of descriptors, by set and binding.
    bindings: Vec<(u32, u32, i32, u32)>,
    /// By module of the manifest.
    all: Vec<Arc<PipelineObject>>,
    /// The number of new objects.
    pub new: usize,
}

/// One of the objects. Parts that do not apply to the module are null.
struct PipelineObject {
    device: vulkanalia::Device,
    key: Key,
    pipeline: vk::Pipeline,
    mesh: vk::ShaderModule,
}

/// The identity of an object: with one layout, equal keys mean equal behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    /// The hash of the words without debug information.
    code: String,
    entry: String,
    subgroup_size: Option<u32>,
    is_mesh: bool,
}

impl Pipelines {
    /// Creates the pipelines. `before` has those of another package, reused if layouts are compatible: if bindings are
    /// the same, the set layouts are defined like those before.
    ///
    /// # Safety
    /// The conditions of [`super::Graph::load`].
    pub unsafe fn new(
        host: &Host,
        program: &Program,
        package: &Package,
        set_layouts: &[vk::DescriptorSetLayout],
        cache: vk::PipelineCache,
        before: Option<&Pipelines>,
    ) -> Result<Self, RunError> {
        let device = &host.device;
        let stages = stages(&program.manifest);
        // SAFETY: as the caller promises.
        let (layout, push_bytes) =
            unsafe { make_layout(device, &host.limits, set_layouts, program.manifest.push_bytes, stages) }?;
        let bindings = program.manifest.bindings.iter();
        let mut bindings: Vec<_> =
            bindings.map(|b| (b.set, b.binding, descriptor_type(&b.kind).as_raw(), b.count)).collect();
        bindings.sort_unstable();
        let mut made = Self { device: device.clone(), layout, stages, push_bytes, bindings, all: Vec::new(), new: 0 };
        // Layouts are compatible that have the same sets and the same range of push constants.
        let before = before.filter(|before| {
            (before.stages, before.push_bytes, &before.bindings) == (made.stages, made.push_bytes, &made.bindings)
        });
        let before = before.map_or(&[][..], |before| &before.all);
        for (number, module) in program.manifest.modules.iter().enumerate() {
            let (words, entry) = program.module(package, number)?;
            let asked = crate::emulated::subgroup_size(module, &host.subgroups);
            let subgroup_size = asked.map_err(|other| RunError::Device(other.of(entry)))?;
            let key = Key {
                // The manifest's own hash is not trusted.
                code: wgc_abi::package::code_hash(words),
                entry: entry.to_owned(),
                subgroup_size,
                is_mesh: module.mesh.is_some(),
            };
            if let Some(same) = before.iter().find(|made| made.key == key) {
                made.all.push(same.clone());
                continue;
            }
            let mut words = with_group_append(words, host.is_gpu);
            if host.maximal_reconvergence {
                words = Cow::Owned(maximally_reconverging(&words));
            }
            let (mut pipeline, mut mesh) = (vk::Pipeline::null(), vk::ShaderModule::null());
            let asking = subgroup_size.map(|lanes| Asking::new(lanes, module.group_size));
            match key.is_mesh {
                true => mesh = shader_module(device, &words)?,
                // SAFETY: the module is valid, as the caller promises, and the device has such subgroups, by `subgroup_size`.
                false => pipeline = unsafe { compute_pipeline(device, &words, entry, layout, asking, cache) }?,
            }
            made.all.push(Arc::new(PipelineObject { device: device.clone(), key, pipeline, mesh }));
            made.new += 1;
        }
        Ok(made)
    }

    /// Returns the pipeline of a compute shader module of the manifest.
    pub fn pipeline(&self, module: u32) -> vk::Pipeline {
        // The checks of `Program` ensure that launches have such modules.
        self.all.get(module as usize).map(|made| made.pipeline).unwrap_or_default()
    }

    /// Returns the shader module of a mesh shader, and the size of subgroups that its stage requests.
    pub fn mesh(&self, module: u32) -> Option<(vk::ShaderModule, Option<u32>)> {
        self.all.get(module as usize).map(|made| (made.mesh, made.key.subgroup_size))
    }
}

impl Drop for Pipelines {
    fn drop(&mut self) {
        // SAFETY: no command buffer that is being recorded or executed has it, as the documentation of `Graph` asks for.
        unsafe { self.device.destroy_pipeline_layout(self.layout, None) };
    }
}

impl Drop for PipelineObject {
    fn drop(&mut self) {
        // SAFETY: as above; null handles are ignored.
        unsafe {
            self.device.destroy_shader_module(self.mesh, None);
            self.device.destroy_pipeline(self.pipeline, None);
        }
    }
}
