//! The graph of a program: its nodes, edges and entries.
//!
//! It is built from the contracts of nodes and the host's file, so no edit in a body rebuilds it. The rules about the
//! whole graph are in [`crate::graph::rules`]; this module has the data that they and code generation start from.
pub mod budget;
pub mod host;
pub mod limits;
pub(crate) mod lints;
pub mod local_roots;
mod missing_targets;
pub mod model;
pub(crate) mod rules;
pub(crate) mod shader_model;
pub(crate) mod sharing;
use crate::check::symbol;
use crate::contracts::node::targets_itself;
use crate::contracts::node::{NodeDecl, node};
use crate::db::def::{At, FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items};
use crate::db::ty::FnInst;
use crate::db::units;
use crate::db::{Db, Program};
use crate::graph::budget::Budget;
use crate::graph::host::overrides;
use crate::graph::model::Model;
use crate::graph::rules::Needs;
use crate::types::specialise::{GivenBy, to_ir};
use wgc_ir::{Graph, GraphConstant, Input, Node, NodeId, Output, Specialised};

/// The graph with all derived facts.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ProgramGraph<'db> {
    pub graph: Graph,
    /// The functions of the nodes, parallel to `graph.nodes`.
    pub functions: Vec<FnId<'db>>,
    /// Decisions of the host are missing because they are wrong.
    pub host_is_wrong: bool,
    /// The budget of each node.
    pub budgets: Vec<Budget>,
    /// For each node the length of the longest chain down to its last recursion level; `None` if there are cycles.
    pub depths: Option<Vec<u32>>,
    /// The declaration that makes a node an entry, if there is one.
    pub entry_places: Vec<Option<At<'db>>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
    /// For a library: an error that is not reported for it, but that no module built from it may have.
    pub(crate) contradiction: Option<Diagnostic<'db>>,
}

/// Returns the functions of an item that are nodes.
#[salsa::tracked(returns(ref))]
fn item_nodes<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<FnId<'db>> {
    let count = item_tree(db, item).decls.functions.len() as u32;
    (0..count).map(|index| FnId { item, index }).filter(|f| node(db, *f).is_some()).collect()
}

/// Returns all nodes of a program, in the order of its units and of their source. `-T cs_*` selects one compute shader
/// and no nodes.
#[salsa::tracked(returns(ref))]
pub fn node_functions<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    if program.options(db).compute_entry.is_some() {
        return Vec::new();
    }
    let of_unit = |unit| items(db, unit).iter().flat_map(|item| item_nodes(db, *item).iter().copied());
    units(db, program).into_iter().flat_map(of_unit).collect()
}

/// Parses `name` or `name[3]` as written by a host. A name that itself ends like an index needs an explicit one,
/// `name[3][0]`.
pub fn parse_id(text: &str) -> NodeId {
    if let Some((name, rest)) = text.rsplit_once('[')
        && let Some(index) = rest.strip_suffix(']').and_then(|n| n.parse().ok())
    {
        return NodeId { name: name.into(), index };
    }
    NodeId { name: text.into(), index: 0 }
}

/// Returns the index in a host's identity if it is too large for an index.
pub fn excessive_index(text: &str) -> Option<&str> {
    let index = text.rsplit_once('[')?.1.strip_suffix(']')?;
    let is_number = !index.is_empty() && index.bytes().all(|digit| digit.is_ascii_digit());
    (is_number && index.parse::<u32>().is_err()).then_some(index)
}

/// Formats `name` or `name[3]` for messages, in the syntax of [`parse_id`].
pub fn show_id(id: &NodeId) -> String {
    let is_plain = id.index == 0 && parse_id(&id.name).name == id.name && excessive_index(&id.name).is_none();
    if is_plain { id.name.to_string() } else { format!("{}[{}]", id.name, id.index) }
}

/// Builds and checks the graph of a program.
#[salsa::tracked(returns(ref))]
pub fn graph<'db>(db: &'db dyn Db, program: Program) -> ProgramGraph<'db> {
    let model = Model::new(db, program);
    let budgets = budget::of_nodes(&model);
    let mut diagnostics = overrides::applied(db, program).diagnostics.clone();
    let host_is_wrong = crate::graph::host::is_doubtful(db, program) || diagnostics.iter().any(Diagnostic::is_error);
    // Further diagnostics would be about a graph that is not intended.
    let mut contradiction = None;
    if !host_is_wrong {
        let (known, reported) = match program.options(db).library {
            true => (Needs::Nodes, Needs::Node),
            false => (Needs::Graph, Needs::Graph),
        };
        let found = rules::check(db, program, &model, &budgets, known);
        contradiction = found.iter().find(|(needs, d)| *needs > reported && d.is_error()).map(|(_, d)| d.clone());
        diagnostics.extend(found.into_iter().filter(|(needs, _)| *needs <= reported).map(|(_, d)| d));
    }
    let nodes = model.nodes.iter().enumerate().map(|(i, n)| ir_node(db, n, model.entries[i])).collect();
    ProgramGraph {
        graph: Graph { nodes },
        functions: model.nodes.iter().map(|n| n.function).collect(),
        host_is_wrong,
        budgets,
        depths: limits::depths(&model),
        entry_places: model.entry_places,
        diagnostics,
        contradiction,
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
        mesh: decl.mesh.as_ref().map(|mesh| mesh.ir()),
        ends: Vec::new(),
        specialised: specialised(db, decl),
    }
}

/// Converts the specialisation constants; recursion counts only where it happens.
fn specialised<'db>(db: &'db dyn Db, decl: &NodeDecl<'db>) -> Specialised {
    let counts = |given: &&GivenBy| given.what != GraphConstant::Recursion || targets_itself(decl);
    to_ir(db, decl.specialised.iter().filter(counts))
}

fn ir_output(output: &crate::contracts::node::OutputDecl) -> Output {
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

/// Returns the index of an output, for lowering.
pub fn output_index<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> Option<u32> {
    node(db, f)?.outputs.iter().position(|o| o.name == name).map(|i| i as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_ids_round_trip_through_text() {
        for (name, index, shown) in [
            ("cull", 0, "cull"),
            ("tile", 3, "tile[3]"),
            ("tile[3]", 0, "tile[3][0]"),
            ("tile[3]", 2, "tile[3][2]"),
            ("[1]", 0, "[1][0]"),
            ("a[b]", 0, "a[b]"),
            ("a[4294967296]", 0, "a[4294967296][0]"),
            ("a[", 7, "a[[7]"),
        ] {
            let id = NodeId { name: name.into(), index };
            assert_eq!(show_id(&id), shown);
            assert_eq!(parse_id(shown), id);
        }
    }
}
