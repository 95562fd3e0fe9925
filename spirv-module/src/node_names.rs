//! Default names of a module's nodes for hosts: the names of their entry points. For modules of wgc, the node names
//! that these are derived from.

use crate::module::{EntryPoint, Module};
use crate::verify::NodeName;
use spirv::{Decoration, ExecutionModel};

/// Returns the name of an entry point's node. Modules of wgc have entry points named `name.index`, with optional
/// underscores at the end, if several nodes have a name or the index is not 0. The index in the name equals the
/// module's, unless that is specialised. The payloads in `graph`, the modules of the graph, show whether the full name
/// is itself a node's name.
pub fn node_name(module: &Module, entry: &EntryPoint, graph: &[&Module]) -> String {
    let name = &entry.name;
    let index = module.node_index(entry).unwrap_or(0);
    match name.trim_end_matches('_').strip_suffix(&format!(".{index}")) {
        Some(plain) if !plain.is_empty() && !graph.iter().any(|m| sends_to(m, name)) => plain.to_owned(),
        _ => name.clone(),
    }
}

/// Returns the nodes of a module, with the module's indexes.
pub fn node_names(module: &Module, graph: &[&Module]) -> Vec<NodeName> {
    let is_node = |entry: &&EntryPoint| {
        matches!(ExecutionModel::from_u32(entry.model), Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT))
    };
    let named = |entry: &EntryPoint| NodeName {
        entry_point: entry.name.clone(),
        name: node_name(module, entry, graph),
        index: None,
    };
    module.entry_points.iter().filter(is_node).map(named).collect()
}

/// Returns whether payloads of the module go to a node with exactly this name.
fn sends_to(module: &Module, name: &str) -> bool {
    module.decorations.values().flatten().any(|d| {
        Decoration::from_u32(d.kind) == Some(Decoration::PayloadNodeNameAMDX)
            && module.decoration_operands(d).first().and_then(|id| module.string(*id)) == Some(name)
    })
}
