//! The graph in the text: the locations of node and output names, and the edges between them.

use super::symbols::declared_everywhere;
use super::{text_range, whole_range};
use wgc_ir::{Launch, NodeId};
use wgc_sema::db::def::Def;
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::{Db, Program};
use wgc_sema::graph::model::Model;
use wgc_sema::graph::{graph, show_id};
use wgc_sema::report::diagnostics::range_of;
use wgc_sema::tables::builtin::Builtin;
use wgc_sema::types::name_uses::Symbol;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeSite {
    pub id: NodeId,
    /// The name as `name` or `name[3]`.
    pub shown: String,
    /// The function, and its name.
    pub range: FileRange,
    pub name_range: FileRange,
    /// The location of the node's ID: the string of `NodeID`, the function's name, or a value of the host's file.
    pub id_range: FileRange,
    pub launch: Launch,
    /// A host may start it.
    pub is_entry: bool,
    pub outputs: Vec<OutputSite>,
    /// The node whose input it shares, and the location that requests it.
    pub shares: Option<(usize, FileRange)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputSite {
    pub name: String,
    /// The parameter, and its name.
    pub range: FileRange,
    pub name_range: FileRange,
    /// The location of the target's name: the string of `NodeID`, the parameter's name, or a value of the host's file.
    pub target_range: FileRange,
    pub target: NodeId,
    pub max_records: u32,
}

/// An output that reaches a node, all by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    pub node: usize,
    pub output: usize,
    pub target: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphSites {
    /// In the order of the text.
    pub nodes: Vec<NodeSite>,
    /// By node, then output, then target.
    pub edges: Vec<Edge>,
}

/// Returns the nodes of a program.
pub fn graph_sites(db: &dyn Db, program: Program) -> GraphSites {
    let whole = graph(db, program);
    let model = Model::new(db, program);
    let by_id = |id: &NodeId| model.nodes.iter().position(|node| node.id == *id);
    let mut out = GraphSites::default();
    for (number, decl) in model.nodes.iter().enumerate() {
        let name_range = text_range(db, decl.name_place);
        let range = whole_range(db, decl.function.item).filter(|range| range.file == name_range.file);
        let output = |output: &wgc_sema::contracts::node::OutputDecl| OutputSite {
            name: output.name.clone(),
            range: text_range(db, output.place),
            name_range: text_range(db, output.name_place),
            target_range: range_of(db, output.target_place),
            target: output.target.clone(),
            max_records: output.max_records,
        };
        let shares = decl.share_input_of.as_ref().and_then(|share| {
            let at = share.named.map_or(share.place, Into::into);
            Some((by_id(&share.owner)?, range_of(db, at)))
        });
        out.nodes.push(NodeSite {
            id: decl.id.clone(),
            shown: show_id(&decl.id),
            range: range.unwrap_or_else(|| name_range.clone()),
            name_range,
            id_range: range_of(db, decl.id_place),
            launch: decl.launch,
            is_entry: whole.graph.nodes.get(number).is_some_and(|node| node.entry),
            outputs: decl.outputs.iter().map(output).collect(),
            shares,
        });
        for output in 0..decl.outputs.len() {
            let targets = model.targets(number, output).iter();
            out.edges.extend(targets.map(|target| Edge { node: number, output, target: *target }));
        }
    }
    out
}

/// Returns the declarations of an output parameter or node function, whose locations [`GraphSites::named_at`] knows.
/// Empty for all other symbols.
pub fn declared_for_nodes<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Vec<FileRange> {
    let is_node = |f| wgc_sema::contracts::node::node(db, f).is_some();
    let may_name = match symbol {
        Symbol::Local { ty, is_param, .. } => {
            // Attributes name parameters without types: only the declaration shows that it is an output.
            *is_param
                && (ty.is_error(db)
                    || matches!(wgc_sema::types::record::builtin(db, *ty), Some(Builtin::Output { .. })))
        }
        Symbol::Called(inst) => {
            is_node(inst.function(db)) || is_node(wgc_sema::types::definition::function(db, *inst).function)
        }
        Symbol::Def(Def::Function(f)) => {
            wgc_sema::types::names::declarations(db, *f).iter().chain([f]).any(|f| is_node(*f))
        }
        _ => false,
    };
    if may_name { declared_everywhere(db, part, symbol) } else { Vec::new() }
}

impl GraphSites {
    /// Returns the outputs that reach a node.
    pub fn producers(&self, node: usize) -> impl Iterator<Item = (&NodeSite, &OutputSite)> {
        let edges = self.edges.iter().filter(move |edge| edge.target == node);
        edges.map(|edge| (&self.nodes[edge.node], &self.nodes[edge.node].outputs[edge.output]))
    }

    /// Returns the nodes that are named at a byte of a file, or that an output named there reaches.
    pub fn named_at(&self, path: &str, at: u32) -> Vec<usize> {
        let covers = |range: &FileRange| &*range.file == path && (range.lo..=range.hi).contains(&at);
        let named = |node: &NodeSite| covers(&node.id_range) || covers(&node.name_range);
        let own: Vec<usize> = (0..self.nodes.len()).filter(|n| named(&self.nodes[*n])).collect();
        if !own.is_empty() {
            return own;
        }
        let output = |edge: &Edge| &self.nodes[edge.node].outputs[edge.output];
        let is_named = |output: &OutputSite| covers(&output.target_range) || covers(&output.name_range);
        let reached = self.edges.iter().filter(|edge| is_named(output(edge)));
        let mut out: Vec<usize> = reached.map(|edge| edge.target).collect();
        let shared = self.nodes.iter().filter_map(|node| node.shares.as_ref().filter(|(_, range)| covers(range)));
        out.extend(shared.map(|(owner, _)| *owner));
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Returns all mentions of a node: itself, the outputs that reach it, and the nodes that share its input.
    pub fn mentions(&self, node: usize) -> Vec<FileRange> {
        let mut out = vec![self.nodes[node].id_range.clone(), self.nodes[node].name_range.clone()];
        out.extend(self.producers(node).map(|(_, output)| output.target_range.clone()));
        let sharers = self.nodes.iter().filter_map(|other| other.shares.as_ref().filter(|(owner, _)| *owner == node));
        out.extend(sharers.map(|(_, range)| range.clone()));
        out.sort();
        out.dedup();
        out
    }
}
