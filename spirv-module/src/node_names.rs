//! What a host would call the nodes of a module, where nobody says it: the names of their entry points, and of modules that
//! wgc made the names that those stand for.

use crate::module::{EntryPoint, Module};
use crate::verify::NodeName;
use spirv::{Decoration, ExecutionModel};

/// The name of the node of an entry point. Modules of wgc have entry points `name.index`, with underscores behind it, where several
/// nodes have a name or the index is not 0; the index is as it is unless it is specialised. `graph` are the modules of the
/// graph: their payloads tell whether that is a name itself.
pub fn node_name(module: &Module, entry: &EntryPoint, graph: &[&Module]) -> String {
    let name = &entry.name;
    let index = module.node_index(entry).unwrap_or(0);
    match name.trim_end_matches('_').strip_suffix(&format!(".{index}")) {
        Some(plain) if !plain.is_empty() && !graph.iter().any(|m| sends_to(m, name)) => plain.to_owned(),
        _ => name.clone(),
    }
}

/// The nodes of a module, with the indexes that it says.
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

/// Whether payloads of the module go to a node of this very name.
fn sends_to(module: &Module, name: &str) -> bool {
    module.decorations.values().flatten().any(|d| {
        Decoration::from_u32(d.kind) == Some(Decoration::PayloadNodeNameAMDX)
            && module.decoration_operands(d).first().and_then(|id| module.string(*id)) == Some(name)
    })
}
