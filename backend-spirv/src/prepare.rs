//! The passes that emission relies on, whatever else a driver runs: calls that no target can express are inlined, and
//! locals become values, which leaves no local of handle or resource type; counters become memory.

use crate::EmitError;
use wgc_ir::{Function, Module, passes};

/// The module as the emitter takes it.
pub(crate) fn prepared(module: &Module) -> Result<Module, EmitError> {
    let mut module = module.clone();
    passes::inline(&mut module, passes::Inline::Required).map_err(|e| EmitError::new(e.to_string()))?;
    passes::localise(&mut module);
    for function in module.functions.values_mut() {
        passes::split(function).map_err(|e| {
            let message = format!("which resource an element of `{}` is is known at run time only", e.local);
            EmitError::new(message).within(&e.function)
        })?;
        promote(function).map_err(|e| {
            let message = format!("which record or resource `{}` is depends on control flow", e.local);
            EmitError { merged: Some(e.local), ..EmitError::new(message) }.within(&e.function)
        })?;
    }
    passes::counters(&mut module)
        .map_err(|e| EmitError::new("which buffer a counter belongs to depends on control flow").within(&e.function))?;
    Ok(module)
}

/// Iterations that loops may have in all, for the sake of the resources that they choose.
const MAX_PEELED: u32 = 64;

/// Which resource it is may depend on a branch that is decided by constants, here or in the arguments of a call: as long
/// as folding takes such a branch away, there is more to know. So it may on the number of a loop's iteration, which is
/// a constant where each iteration stands by itself.
fn promote(function: &mut Function) -> Result<(), passes::PromoteError> {
    let mut peeled = 0;
    loop {
        let Err(error) = passes::promote(function) else { return Ok(()) };
        let before = function.body.clone();
        passes::fold(function);
        if function.body == before {
            peeled += 1;
            if peeled > MAX_PEELED || !passes::peel(function, &error.local) {
                return Err(error);
            }
        }
    }
}
