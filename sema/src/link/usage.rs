//! Resources in use by a program, and those in use together: only these can collide.
//!
//! Headers declare the resources of several shaders, each at the same registers. A resource that no node and no compute
//! shader reaches is not in the module, so its register is free for others.

use crate::db::{Db, Program};
use crate::link::bindings::BindingRequest;
use crate::types::resource_types::is_counter;
use std::collections::BTreeSet;
use wgc_ir::merge::mentioned;
use wgc_ir::{Module, Symbol};

/// A class, number and space.
pub(crate) type Register = (char, u32, u32);

/// Symbols of the resources in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Usage {
    /// Includes the counters of buffers.
    pub used: BTreeSet<String>,
    /// The counters among them, in the order of their first use. The entry point comes first, then the functions in the
    /// order in which they are reached.
    pub counters: Vec<String>,
    /// The resources of each pipeline layout: the nodes of a graph share one, each compute shader has its own.
    pub pipelines: Vec<BTreeSet<String>>,
}

impl Usage {
    pub fn of_module(module: &Module) -> Usage {
        let all =
            |names: &mut dyn Iterator<Item = &Symbol>| names.map(ToString::to_string).collect::<BTreeSet<String>>();
        let used = all(&mut module.globals.keys());
        let pipelines = match module.entries.is_empty() || !module.graph.nodes.is_empty() {
            true => vec![used.clone()],
            false => {
                module.entries.iter().map(|entry| all(&mut reached(module, &entry.function).into_iter())).collect()
            }
        };
        let counters = module.globals.keys().filter(|name| is_counter(name)).map(ToString::to_string).collect();
        Usage { used, counters, pipelines }
    }

    /// Counts all declarations as used, for a program without entry points or stages, such as a header.
    pub fn of_everything(wanted: &[BindingRequest<'_>]) -> Usage {
        let used: BTreeSet<String> = wanted.iter().map(|w| w.symbol.clone()).collect();
        Usage { pipelines: vec![used.clone()], counters: Vec::new(), used }
    }

    /// Returns whether one pipeline has both resources.
    pub fn together(&self, a: &str, b: &str) -> bool {
        self.pipelines.iter().any(|names| names.contains(a) && names.contains(b))
    }
}

/// Returns the globals that a function mentions, directly or through others.
fn reached<'m>(module: &'m Module, function: &'m Symbol) -> BTreeSet<&'m Symbol> {
    let (mut seen, mut open) = (BTreeSet::new(), vec![function]);
    while let Some(name) = open.pop() {
        if seen.insert(name)
            && let Some(function) = module.functions.get(name)
        {
            open.extend(mentioned(function));
        }
    }
    seen
}

/// Returns whether a register is a local root argument, so that each node has its own.
pub(crate) fn is_local(db: &dyn Db, program: Program, (class, number, space): Register) -> bool {
    let signatures = crate::contracts::root_signatures::declared(db, program);
    signatures.iter().any(|declared| declared.is_local && declared.signature.covers(class, number, space))
}
