//! Turns specialisation constants into ordinary ones, at their defaults, for targets whose hosts cannot set them.

use crate::function::Op;
use crate::module::{GlobalKind, Module};

/// Replaces every use of a specialisation constant by its default, and removes the globals.
pub fn fix_constants(module: &mut Module) {
    let Module { functions, globals, graph, entries } = module;
    for function in functions.values_mut() {
        for value in function.values.values_mut() {
            if let Op::Global(name) = &value.op
                && let Some(GlobalKind::SpecConstant { default, .. }) = globals.get(name).map(|g| &g.kind)
            {
                value.op = Op::Const(*default);
            }
        }
    }
    graph.nodes.iter_mut().for_each(|node| node.specialised.clear());
    entries.iter_mut().for_each(|entry| entry.specialised.clear());
    globals.retain(|_, global| !matches!(global.kind, GlobalKind::SpecConstant { .. }));
}
