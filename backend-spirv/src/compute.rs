//! Plain compute: the entry points of a module.

use crate::emitter::{COMPUTE, Emitter};
use crate::{EmitError, EmitOptions, SpirvModule};
use rspirv::spirv::ExecutionMode;
use wgc_ir::Module;

pub(crate) fn emit(module: &Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let mut e = Emitter::new(module, options, COMPUTE);
    let mut emitted = Vec::new();
    for entry in &module.entries {
        if e.wants(&entry.name) {
            let function = e.entry_function(&entry.function, None)?;
            e.b.execution_mode(function, ExecutionMode::LocalSize, &entry.workgroup_size);
            emitted.push((function, entry));
        }
    }
    if emitted.is_empty() {
        return Err(EmitError::new("the module has no compute entry point to emit"));
    }
    e.called_functions()?;
    for (function, entry) in emitted {
        e.derivative_group(function, entry.workgroup_size).map_err(|error| error.within(&entry.function))?;
        e.entry_point(function, entry.name.to_string(), None, &[])?;
    }
    e.finish()
}
