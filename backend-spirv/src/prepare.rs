//! The passes that emission relies on, whatever else a driver runs: calls that no target can express are inlined, and
//! locals become values, which leaves no local of handle or resource type; counters become memory.

use crate::EmitError;
use wgc_ir::{Module, passes};

/// The module as the emitter takes it.
pub(crate) fn prepared(module: &Module) -> Result<Module, EmitError> {
    let mut module = module.clone();
    passes::inline(&mut module, passes::Inline::Required).map_err(|e| EmitError::new(e.to_string()))?;
    for function in module.functions.values_mut() {
        passes::split(function).map_err(|e| {
            let message = format!("which resource an element of `{}` is is known at run time only", e.local);
            EmitError::new(message).within(&e.function)
        })?;
        passes::promote(function).map_err(|e| {
            let message = format!("which record or resource `{}` is depends on control flow", e.local);
            EmitError { merged: Some(e.local), ..EmitError::new(message) }.within(&e.function)
        })?;
    }
    passes::counters(&mut module)
        .map_err(|e| EmitError::new("which buffer a counter belongs to depends on control flow").within(&e.function))?;
    Ok(module)
}
