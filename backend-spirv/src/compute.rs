//! Plain shaders: the compute and mesh entry points of a module.

use crate::emitter::{Emitter, Target};
use crate::{EmitError, EmitOptions, EntryPoint, SpirvModule, WarningKind, mesh};
use rspirv::spirv::{ExecutionModel, Word};
use wgc_ir::{ComputeEntry, Module};

pub(crate) fn emit(module: &Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let mut e = Emitter::new(module, options, Target::compute(options.environment));
    let mut emitted = Vec::new();
    for entry in &module.entries {
        if e.wants(&entry.name) {
            let function = e.entry_function(&entry.function, None)?;
            let always = modes(&mut e, function, entry).map_err(|error| error.within(&entry.function))?;
            emitted.push((function, entry, always));
        }
    }
    if emitted.is_empty() {
        return Err(EmitError::new("the module has no compute entry point to emit"));
    }
    e.called_functions()?;
    for (function, entry, always) in emitted {
        e.derivative_group(function, entry.workgroup_size, &entry.specialised)
            .map_err(|error| error.within(&entry.function))?;
        let name = options.entry_point_name.as_deref().unwrap_or(&entry.name).to_string();
        let model = if entry.mesh.is_some() { ExecutionModel::MeshEXT } else { ExecutionModel::GLCompute };
        let entry = EntryPoint { name, node: None, wave_size: entry.wave_size };
        e.entry_point(function, entry, model, &always)?;
    }
    e.finish()
}

/// Emits the execution modes of an entry point. Returns the variables that always belong to its interface.
fn modes(e: &mut Emitter<'_>, function: Word, entry: &ComputeEntry) -> Result<Vec<Word>, EmitError> {
    e.local_size(function, entry.workgroup_size, &entry.specialised)?;
    if let Some([min, max, _]) = entry.wave_size {
        let sizes = if min == max { format!("{min}") } else { format!("{min} to {max}") };
        let message = format!(
            "a SPIR-V module cannot contain WaveSize: request subgroups of {sizes} when creating the pipeline (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)"
        );
        e.warn(WarningKind::Pipeline, message, &entry.name, None);
    }
    let Some(size) = entry.mesh else { return Ok(Vec::new()) };
    // SPV_EXT_mesh_shader requires this.
    if !e.target.environment.has_whole_interfaces() {
        return Err(EmitError::new("mesh shaders need SPIR-V 1.4: -fspv-target-env=vulkan1.1spirv1.4"));
    }
    mesh::modes(e, function, size);
    mesh::outputs(e, &entry.function)
}
