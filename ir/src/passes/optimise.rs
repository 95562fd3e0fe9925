//! The optimiser: the passes of each level, after those that a target requires.

use super::{call_constants, chains, dead, fold_conditions, fold_table_loads, promote};
use crate::Symbol;
use crate::module::Module;

/// The amount of optimisation (`-O0` to `-O3`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OptLevel {
    /// The code is as written, for debuggers.
    O0,
    /// All accesses to memory outside of functions stay, so that the CPU device finds the same errors.
    O1,
    #[default]
    O2,
    /// Larger budgets.
    O3,
}

/// Optimises a module that is ready for emission. `more_roots`: functions that stay, besides those of nodes and
/// entries.
pub fn optimise(module: &mut Module, level: OptLevel, more_roots: &[Symbol]) {
    if level < OptLevel::O2 {
        return;
    }
    let Module { functions, globals, .. } = module;
    for function in functions.values_mut() {
        fold_table_loads(function, globals);
        fold_conditions(function, globals);
    }
    call_constants(module, more_roots);
    for function in module.functions.values_mut() {
        // It fails for handles and resources only, which no function has in locals any more.
        let _ = promote(function);
    }
    call_constants(module, more_roots);
    chains(module);
    dead(module, more_roots);
}
