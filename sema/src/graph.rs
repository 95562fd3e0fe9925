//! The graph of a program: its nodes, who targets whom, who starts it.
//!
//! Made from the contracts of nodes alone, so no edit in a body re-runs it. The rules about the graph as a whole are
//! in [`crate::graph_checks`]; here is what they and code generation start from.

use crate::db::{Db, Program};
use crate::def::{FnId, Item};
use crate::diagnostic::Diagnostic;
use crate::graph_checks;
use crate::items::{item_tree, items};
use crate::lower::symbol;
use crate::node::{NodeDecl, node};
use crate::specialise::{GivenBy, to_ir};
use crate::ty::FnInst;
use crate::whole::units;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use wgc_ir::{Graph, GraphConstant, Input, Node, NodeId, Output, OutputArray, Specialised, Symbol};

/// The graph with everything that was found out about it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ProgramGraph<'db> {
    pub graph: Graph,
    /// The functions of the nodes, parallel to `graph.nodes`.
    pub functions: Vec<FnId<'db>>,
    /// In the order of producers, outputs, consumers.
    pub edges: Vec<Edge>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// Records may go from an output of one node to another node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Edge {
    pub from: usize,
    pub output: usize,
    pub to: usize,
}

/// Functions of an item that are nodes.
#[salsa::tracked(returns(ref))]
fn item_nodes<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<FnId<'db>> {
    let count = item_tree(db, item).decls.functions.len() as u32;
    (0..count).map(|index| FnId { item, index }).filter(|f| node(db, *f).is_some()).collect()
}

/// All nodes of a program, in the order of its units and of their text. `-T cs_*` asks for one compute shader and nothing else.
#[salsa::tracked(returns(ref))]
pub fn node_functions<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    if program.options(db).compute_entry.is_some() {
        return Vec::new();
    }
    let of_unit = |unit| items(db, unit).iter().flat_map(|item| item_nodes(db, *item).iter().copied());
    units(db, program).into_iter().flat_map(of_unit).collect()
}

/// What the checks read: contracts, and indexes over them.
pub(crate) struct Model<'db> {
    pub nodes: Vec<&'db NodeDecl<'db>>,
    /// Nodes of a library whose identity one of `nodes` has: overloads of one name, of which the first counts.
    pub repeated: Vec<&'db NodeDecl<'db>>,
    /// Nodes by name, then index. Of duplicates the first.
    pub by_name: BTreeMap<Symbol, BTreeMap<u32, usize>>,
    pub edges: Vec<Edge>,
    /// For each node, the nodes other than itself that target it.
    pub producers: Vec<Vec<usize>>,
    /// For each node, the nodes that share its input.
    pub sharers: Vec<Vec<usize>>,
    pub entries: Vec<bool>,
}

impl<'db> Model<'db> {
    pub fn find(&self, id: &NodeId) -> Option<usize> {
        self.by_name.get(&id.name)?.get(&id.index).copied()
    }

    /// The node of `NodeShareInputOf`.
    pub fn owner_of_input(&self, node: usize) -> Option<usize> {
        self.find(&self.nodes[node].share_input_of.as_ref()?.owner)
    }

    fn new(db: &'db dyn Db, program: Program) -> Model<'db> {
        let mut nodes: Vec<&NodeDecl> = node_functions(db, program).iter().filter_map(|f| node(db, *f)).collect();
        let mut repeated = Vec::new();
        if program.options(db).library {
            let mut known = FxHashSet::default();
            (nodes, repeated) = nodes.into_iter().partition(|node| known.insert(&node.id));
        }
        let mut by_name: BTreeMap<Symbol, BTreeMap<u32, usize>> = BTreeMap::new();
        for (i, n) in nodes.iter().enumerate() {
            by_name.entry(n.id.name.clone()).or_default().entry(n.id.index).or_insert(i);
        }
        let mut model = Model {
            producers: vec![Vec::new(); nodes.len()],
            sharers: vec![Vec::new(); nodes.len()],
            entries: vec![false; nodes.len()],
            edges: Vec::new(),
            nodes,
            repeated,
            by_name,
        };
        for from in 0..model.nodes.len() {
            for output in 0..model.nodes[from].outputs.len() {
                for to in model.targets(from, output) {
                    model.edges.push(Edge { from, output, to });
                    if to != from && model.producers[to].last() != Some(&from) {
                        model.producers[to].push(from);
                    }
                }
            }
            if let Some(owner) = model.owner_of_input(from)
                && owner != from
            {
                model.sharers[owner].push(from);
            }
        }
        model.resolve_entries(program.options(db).entries.as_deref());
        model
    }

    /// Nodes that an output reaches, by rising index.
    pub fn targets(&self, node: usize, output: usize) -> Vec<usize> {
        let output = &self.nodes[node].outputs[output];
        let Some(members) = self.by_name.get(&output.target.name) else { return Vec::new() };
        let first = output.target.index;
        let last = match output.array {
            OutputArray::Single => first,
            OutputArray::Sized(n) => first.saturating_add(n - n.min(1)),
            OutputArray::Unbounded => u32::MAX,
        };
        members.range(first..=last).map(|(_, node)| *node).collect()
    }

    /// Marked nodes, and nodes that no other node targets and that share no input; a host's list replaces that set.
    fn resolve_entries(&mut self, host: Option<&[String]>) {
        for i in 0..self.nodes.len() {
            self.entries[i] = match host {
                Some(list) => list.iter().any(|name| parse_id(name) == self.nodes[i].id),
                None => {
                    let node = self.nodes[i];
                    node.is_entry.is_some() || (self.producers[i].is_empty() && node.share_input_of.is_none())
                }
            };
        }
    }
}

/// `name` or `name[3]`, as a host writes it.
pub fn parse_id(text: &str) -> NodeId {
    if let Some((name, rest)) = text.rsplit_once('[')
        && let Some(index) = rest.strip_suffix(']').and_then(|n| n.parse().ok())
    {
        return NodeId { name: name.into(), index };
    }
    NodeId { name: text.into(), index: 0 }
}

/// `name`, or `name[3]`, for messages.
pub fn show_id(id: &NodeId) -> String {
    if id.index == 0 { id.name.to_string() } else { format!("{}[{}]", id.name, id.index) }
}

/// The graph of a program and what is wrong with it.
#[salsa::tracked(returns(ref))]
pub fn graph<'db>(db: &'db dyn Db, program: Program) -> ProgramGraph<'db> {
    let model = Model::new(db, program);
    let diagnostics = graph_checks::check(db, program, &model);
    let nodes = model.nodes.iter().enumerate().map(|(i, n)| ir_node(db, n, model.entries[i])).collect();
    ProgramGraph {
        graph: Graph { nodes },
        functions: model.nodes.iter().map(|n| n.function).collect(),
        edges: model.edges,
        diagnostics,
    }
}

fn ir_node<'db>(db: &'db dyn Db, decl: &NodeDecl<'db>, entry: bool) -> Node {
    Node {
        id: decl.id.clone(),
        function: symbol::entry(db, FnInst::new(db, decl.function, None, Vec::new())),
        launch: decl.launch,
        num_threads: decl.num_threads,
        grid: decl.grid,
        entry,
        max_recursion: if targets_itself(decl) { decl.max_recursion } else { 0 },
        share_input_of: decl.share_input_of.as_ref().map(|s| s.owner.clone()),
        local_root_index: decl.local_root_index.map(|(index, _)| index),
        wave_size: decl.wave_size,
        input: decl.input.as_ref().map(|input| Input {
            name: input.name.as_str().into(),
            record: input.record.as_ref().map(|r| r.ir.clone()),
            read_write: input.read_write,
            coherent: input.coherent,
            max_records: input.max_records,
        }),
        outputs: decl.outputs.iter().map(ir_output).collect(),
        specialised: specialised(db, decl),
    }
}

/// Recursion counts only where it happens.
fn specialised<'db>(db: &'db dyn Db, decl: &NodeDecl<'db>) -> Specialised {
    let counts = |given: &GivenBy| given.what != GraphConstant::Recursion || targets_itself(decl);
    to_ir(db, decl.specialised.iter().copied().filter(counts))
}

fn ir_output(output: &crate::node::OutputDecl) -> Output {
    Output {
        name: output.name.as_str().into(),
        record: output.record.as_ref().map(|r| r.ir.clone()),
        target: output.target.clone(),
        array: output.array,
        sparse: output.sparse,
        max_records: output.max_records,
        shared_with: output.shared_with,
    }
}

/// An output of the node may reach the node itself.
pub(crate) fn targets_itself(decl: &NodeDecl) -> bool {
    decl.outputs.iter().any(|o| reaches(o, &decl.id))
}

/// An output's declared range holds this identity.
pub(crate) fn reaches(output: &crate::node::OutputDecl, id: &NodeId) -> bool {
    output.target.name == id.name
        && match id.index.checked_sub(output.target.index) {
            None => false,
            Some(at) => match output.array {
                OutputArray::Single => at == 0,
                OutputArray::Sized(n) => at < n,
                OutputArray::Unbounded => true,
            },
        }
}

/// Nodes by function, for lowering.
pub fn output_index<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> Option<u32> {
    node(db, f)?.outputs.iter().position(|o| o.name == name).map(|i| i as u32)
}

/// Vertices of the graph for cycles and depth: one for each node name, because all nodes of an array move together.
pub(crate) fn arrays(model: &Model) -> (Vec<Symbol>, FxHashMap<Symbol, usize>) {
    let names: Vec<Symbol> = model.by_name.keys().cloned().collect();
    let index = names.iter().enumerate().map(|(i, n)| (n.clone(), i)).collect();
    (names, index)
}
