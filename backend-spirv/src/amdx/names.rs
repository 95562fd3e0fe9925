//! Names of entry points. SPIR-V wants them unique, and a node's identity is a name and an index, which is a mode of its
//! own; so nodes of one name in one module cannot all carry it.

use std::collections::{HashMap, HashSet};
use wgc_ir::Graph;

/// A name for each node of a module that has all of them: its own when no other node has it, else `name.index`, with
/// underscores added while another node is called that. In a module of one node it has its own.
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
