//! Plain compute: the entry points of a module.

use crate::emitter::{Emitter, Target};
use crate::{EmitError, EmitOptions, EntryPoint, SpirvModule, WarningKind};
use rspirv::spirv::ExecutionModel;
use wgc_ir::Module;

pub(crate) fn emit(module: &Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let mut e = Emitter::new(module, options, Target::compute(options.environment));
    let mut emitted = Vec::new();
    for entry in &module.entries {
        if e.wants(&entry.name) {
            let function = e.entry_function(&entry.function, None)?;
            e.local_size(function, entry.workgroup_size, &entry.specialised)
                .map_err(|error| error.within(&entry.function))?;
            if let Some([min, max, _]) = entry.wave_size {
                let sizes = if min == max { format!("{min}") } else { format!("{min} to {max}") };
                let message = format!(
                    "WaveSize is no part of a SPIR-V module: ask for subgroups of {sizes} when the pipeline is made \
                     (VkPipelineShaderStageRequiredSubgroupSizeCreateInfo)"
                );
                e.warn(WarningKind::Pipeline, message, &entry.name, None);
            }
            emitted.push((function, entry));
        }
    }
    if emitted.is_empty() {
        return Err(EmitError::new("the module has no compute entry point to emit"));
    }
    e.called_functions()?;
    for (function, entry) in emitted {
        e.derivative_group(function, entry.workgroup_size, &entry.specialised)
            .map_err(|error| error.within(&entry.function))?;
        let name = options.entry_point_name.as_deref().unwrap_or(&entry.name).to_string();
        let entry = EntryPoint { name, node: None, wave_size: entry.wave_size };
        e.entry_point(function, entry, ExecutionModel::GLCompute, &[])?;
    }
    e.finish()
}
