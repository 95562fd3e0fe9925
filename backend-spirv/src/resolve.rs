//! The passes `promote` and `offsets`, with those that run if they fail and may let them succeed: folding, peeling and
//! unrolling of loops, and choices at run time.

use crate::{EmitError, ReferentKind, UntraceableLocal};
use indexmap::IndexMap;
use wgc_ir::{Function, Global, SAMPLE_OFFSETS, Symbol, passes};

/// The maximum number of iterations of loops to peel, to resolve the records or resources that they select.
const MAX_PEELED: u32 = 64;

/// Promotes locals until every resource and handle is known. The selection of a resource may depend on a branch with a
/// constant condition, here or by the arguments of a call. So promotion repeats while folding removes such branches.
/// The selection may also depend on the number of an iteration, which is a constant once iterations are peeled. All
/// other resources are selected at run time, in the function as it was before peeling.
pub(crate) fn promote(function: &mut Function) -> Result<(), EmitError> {
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
        // The last copy only ends the loop.
        if came_apart && peeled <= MAX_PEELED + 1 {
            continue;
        }
        if error.is_handle {
            let message = format!("the choice of records in `{}` depends on control flow", error.local);
            let what = UntraceableLocal { local: error.local, declared: error.declared, what: ReferentKind::Records };
            return Err(EmitError::untraceable(message, what).within(&error.function));
        }
        if let Some(whole) = before_loops.take() {
            *function = whole;
        }
        passes::resource_selection(function).map_err(|e| {
            let what = UntraceableLocal {
                local: e.local.clone(),
                declared: e.declared.clone(),
                what: ReferentKind::Resource(e.why),
            };
            EmitError::untraceable(e.to_string(), what).within(&e.function)
        })?;
        peeled = 0;
    }
}

/// Turns the offsets of samples into constants, as required, by promotion and unrolling.
pub(crate) fn offsets(function: &mut Function, globals: &IndexMap<Symbol, Global>) -> Result<(), EmitError> {
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
                let settled = passes::fold_conditions(function, globals);
                passes::fold(function);
                if settled || function.body != before || passes::unroll(function, globals) {
                    promote(function)?;
                    continue;
                }
                "the texel offset is not a constant, even after inlining and unrolling".to_owned()
            }
        };
        return Err(EmitError { offset: error.at.map(Box::new), ..EmitError::new(message) }.within(&error.function));
    }
    Ok(())
}
