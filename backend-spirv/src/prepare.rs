//! The passes that run before every emission, in their order. [`traced`] is the first part, which the emulated target
//! also runs before it lowers local root arguments.
//!
//! They inline calls that no target can express, remove completions without records, and turn locals into values. So no
//! local of a handle or resource type remains. Counters and other views of memory become memory. Each output value of
//! mesh nodes becomes an array, and the offsets of samples become constants. Threads are numbered by quads.

use crate::{EmitError, Unfollowed, What};
use indexmap::IndexMap;
use wgc_ir::flow::drop_idle_completions;
use wgc_ir::{Function, Global, Module, SAMPLE_OFFSETS, Symbol, passes};

/// Returns the module as the emitter expects it, with these calls inlined.
pub(crate) fn prepared(module: &Module, calls: passes::Inline) -> Result<Module, EmitError> {
    let mut module = traced(module, calls)?;
    passes::counters(&mut module).map_err(|e| {
        EmitError::new("the choice of the counter's buffer depends on control flow").within(&e.function)
    })?;
    passes::mesh(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    passes::bits(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    passes::wide(&mut module).map_err(|e| {
        EmitError::new("the choice of the buffer of a 64-bit atomic depends on control flow").within(&e.function)
    })?;
    passes::quads(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    Ok(module)
}

/// Returns the module with every resource and handle resolved.
pub(crate) fn traced(module: &Module, calls: passes::Inline) -> Result<Module, EmitError> {
    let mut module = module.clone();
    passes::precise(&mut module);
    passes::inline(&mut module, calls).map_err(|e| EmitError::new(e.to_string()).within(e.function()))?;
    passes::alone(&mut module);
    passes::localise(&mut module);
    for function in module.functions.values_mut() {
        passes::split(function).map_err(|e| {
            let message =
                format!("an element of `{}` is chosen at run time, but is neither loaded nor stored", e.local);
            EmitError::new(message).within(&e.function)
        })?;
        drop_idle_completions(function);
        promote(function)?;
        offsets(function, &module.globals)?;
    }
    Ok(module)
}

/// The most iterations of loops to peel, to resolve the records or resources that they select.
const MAX_PEELED: u32 = 64;

/// Promotes locals until every resource and handle is known. The selection of a resource may depend on a branch with a
/// constant condition, here or by the arguments of a call. So promotion repeats while folding removes such branches.
/// The selection may also depend on the number of an iteration, which is a constant once iterations are peeled. All
/// other resources are selected at run time, in the function as it was before peeling.
fn promote(function: &mut Function) -> Result<(), EmitError> {
    let mut peeled = 0;
    let mut before_loops = None;
    loop {
        let Err(error) = passes::promote(function) else { return Ok(()) };
        let before = function.body.clone();
        passes::fold(function);
        if function.body != before {
            continue;
        }
        if peeled == 0 {
            before_loops = Some(function.clone());
        }
        peeled += 1;
        let came_apart = match error.is_handle {
            true => passes::peel(function, &error.local),
            false => passes::peel_decided(function, &error.local),
        };
        if came_apart && peeled <= MAX_PEELED {
            continue;
        }
        if error.is_handle {
            let message = format!("the choice of records in `{}` depends on control flow", error.local);
            let what = Unfollowed { local: error.local, declared: error.declared, what: What::Records };
            return Err(EmitError::unfollowed(message, what).within(&error.function));
        }
        if let Some(whole) = before_loops.take() {
            *function = whole;
        }
        passes::choices(function).map_err(|e| {
            let what = Unfollowed { local: e.local.clone(), declared: e.declared.clone(), what: What::Resource(e.why) };
            EmitError::unfollowed(e.to_string(), what).within(&e.function)
        })?;
        peeled = 0;
    }
}

/// Turns the offsets of samples into constants, as required, by promotion and unrolling.
fn offsets(function: &mut Function, globals: &IndexMap<Symbol, Global>) -> Result<(), EmitError> {
    while let Err(error) = passes::offsets(function) {
        let message = match error.outside {
            Some(part) => {
                format!(
                    "the offset {part} is outside of the range {} to {}",
                    SAMPLE_OFFSETS.start(),
                    SAMPLE_OFFSETS.end()
                )
            }
            None => {
                let before = function.body.clone();
                let settled = passes::settle(function, globals);
                passes::fold(function);
                if settled || function.body != before || passes::unroll(function, globals) {
                    promote(function)?;
                    continue;
                }
                "the offset is not constant in each call or loop iteration".to_owned()
            }
        };
        return Err(EmitError { offset: error.at.map(Box::new), ..EmitError::new(message) }.within(&error.function));
    }
    Ok(())
}
