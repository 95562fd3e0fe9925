//! The passes that emission relies on, whatever else a driver runs: calls that no target can express are inlined, and
//! completions without records go, and locals become values, which leaves no local of handle or resource type; counters and other views of memory become
//! memory; what mesh nodes put out becomes an array for each value; offsets of samples become constants; threads are
//! numbered by quads.

use crate::{EmitError, Unfollowed, What};
use indexmap::IndexMap;
use wgc_ir::flow::drop_idle_completions;
use wgc_ir::{Function, Global, Module, SAMPLE_OFFSETS, Symbol, passes};

/// The module as the emitter takes it, with these calls inlined.
pub(crate) fn prepared(module: &Module, calls: passes::Inline) -> Result<Module, EmitError> {
    let mut module = traced(module, calls)?;
    passes::counters(&mut module)
        .map_err(|e| EmitError::new("which buffer a counter belongs to depends on control flow").within(&e.function))?;
    passes::mesh(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    passes::bits(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    passes::wide(&mut module).map_err(|e| {
        EmitError::new("which buffer an atomic of 64 bits works on depends on control flow").within(&e.function)
    })?;
    passes::quads(&mut module).map_err(|e| EmitError::new(e.to_string()).within(&e.function))?;
    Ok(module)
}

/// The module once it is known of each resource and handle which one it is.
pub(crate) fn traced(module: &Module, calls: passes::Inline) -> Result<Module, EmitError> {
    let mut module = module.clone();
    passes::precise(&mut module);
    passes::inline(&mut module, calls).map_err(|e| EmitError::new(e.to_string()).within(e.function()))?;
    passes::alone(&mut module);
    passes::localise(&mut module);
    for function in module.functions.values_mut() {
        passes::split(function).map_err(|e| {
            let message =
                format!("an element of `{}` that is chosen at run time is neither loaded nor stored", e.local);
            EmitError::new(message).within(&e.function)
        })?;
        drop_idle_completions(function);
        promote(function)?;
        offsets(function, &module.globals)?;
    }
    Ok(module)
}

/// Iterations that loops may have in all, for the sake of the records or resources that they choose.
const MAX_PEELED: u32 = 64;

/// Which resource it is may depend on a branch that is decided by constants, here or in the arguments of a call: as long
/// as folding takes such a branch away, there is more to know. So it may on the number of a loop's iteration, which is
/// a constant where each iteration stands by itself. What is left is chosen at run time, from the function as it was
/// before loops were taken apart.
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
            let message = format!("which records `{}` holds depends on control flow", error.local);
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

/// The same for the offsets of samples, which have to be constants.
fn offsets(function: &mut Function, globals: &IndexMap<Symbol, Global>) -> Result<(), EmitError> {
    while let Err(error) = passes::offsets(function) {
        let message = match error.outside {
            Some(part) => {
                format!("the offset {part} is not from {} to {}", SAMPLE_OFFSETS.start(), SAMPLE_OFFSETS.end())
            }
            None => {
                let before = function.body.clone();
                let settled = passes::settle(function, globals);
                passes::fold(function);
                if settled || function.body != before || passes::unroll(function, globals) {
                    promote(function)?;
                    continue;
                }
                "the offset is no constant, neither in each call nor in each iteration of a loop".to_owned()
            }
        };
        return Err(EmitError { offset: error.at.map(Box::new), ..EmitError::new(message) }.within(&error.function));
    }
    Ok(())
}
