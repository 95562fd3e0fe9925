//! Names of entry points. SPIR-V requires them to be unique. A node's identity is a name and an index, and the index is
//! a separate mode. So several nodes of one name in one module cannot all use it.

use std::collections::{HashMap, HashSet};
use wgc_ir::Graph;

/// Returns an entry point name for each node of a module with all of them. A node keeps its own name if it is unique.
/// Otherwise the name is `name.index`, with underscores added while another node has that name. A module of one node
/// does not use these names: its entry point has the node's name.
pub(crate) fn entry_point_names(graph: &Graph) -> Vec<String> {
    let mut count: HashMap<&str, usize> = HashMap::new();
    for node in &graph.nodes {
        *count.entry(&node.id.name).or_default() += 1;
    }
    let plain = |node: &wgc_ir::Node| count.get(node.id.name.as_str()) == Some(&1);
    let mut taken: HashSet<String> = graph.nodes.iter().filter(|n| plain(n)).map(|n| n.id.name.to_string()).collect();
    let mut names = Vec::with_capacity(graph.nodes.len());
    for node in &graph.nodes {
        if plain(node) {
            names.push(node.id.name.to_string());
            continue;
        }
        let mut name = format!("{}.{}", node.id.name, node.id.index);
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        names.push(name);
    }
    names
}
