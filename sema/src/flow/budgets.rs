//! The share of each limit that a node uses, for people who tune a graph (`wgc check --budget`).

use crate::contracts::unreliable_syntax::UnreliableSyntax;
use crate::db::{Db, Program};
use crate::flow::groupshared_usage::{groupshared_limit, groupshared_of};
use crate::graph::budget::{BYTES_PER_RECORD, MAX_GROUP_MEMORY, limits};
use crate::graph::graph;
use crate::graph::host::overrides::contract;
use crate::graph::limits::MAX_DEPTH;
use crate::types::mesh_outputs::MAX_BYTES;
use wgc_ir::{Launch, NodeId};

/// An amount in use and its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Used {
    pub used: u64,
    pub limit: u64,
}

impl Used {
    pub fn is_too_much(self) -> bool {
        self.used > self.limit
    }
}

/// A node and its use of each limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBudget {
    pub id: NodeId,
    pub launch: Launch,
    /// Records with data that a group, or a thread of a thread node, may send.
    pub records: Used,
    /// Bytes of these records; for a mesh node, bytes of its outputs.
    pub bytes: Used,
    /// Bytes of groupshared memory; thread nodes have none.
    pub groupshared: Option<Used>,
    /// Bytes of outputs and groupshared memory, plus the bytes for each record; thread nodes have no such limit.
    pub together: Option<Used>,
    /// Nodes of the longest chain that ends at this one, including all recursion levels; unknown in a graph with a
    /// cycle.
    pub depth: Option<Used>,
}

/// Returns the budgets in source order, or `None` if syntax errors leave the program's nodes in doubt.
pub fn node_budgets(db: &dyn Db, program: Program) -> Option<Vec<NodeBudget>> {
    if !UnreliableSyntax::of(db, program).is_none() {
        return None;
    }
    let whole = graph(db, program);
    let budget = |(n, ir): (usize, &wgc_ir::Node)| {
        let (budget, limits) = (&whole.budgets[n], limits(ir.launch));
        let decl = contract(db, program, whole.functions[n]);
        let (records, bytes) = (budget.records(), budget.bytes());
        let shared = (ir.launch != Launch::Thread).then(|| {
            let parts = groupshared_of(db, whole.functions[n]);
            parts.iter().map(|(_, bytes)| bytes).sum::<u64>()
        });
        let (bytes_used, bytes_limit) = match &decl.and_then(|decl| decl.mesh.as_ref()) {
            // A mesh node has outputs instead of records.
            Some(mesh) => (mesh.bytes(), MAX_BYTES),
            None => (budget.limited_bytes(ir.launch), limits.bytes),
        };
        let together =
            |shared: u64| Used { used: bytes + shared + BYTES_PER_RECORD * records, limit: MAX_GROUP_MEMORY };
        NodeBudget {
            id: ir.id.clone(),
            launch: ir.launch,
            records: Used { used: records, limit: limits.records },
            bytes: Used { used: bytes_used, limit: bytes_limit },
            groupshared: shared.map(|used| Used {
                used,
                limit: groupshared_limit(Some(ir.launch), decl.and_then(|c| c.groupshared_limit)),
            }),
            together: shared.filter(|_| ir.mesh.is_none()).map(together),
            depth: whole.depths.as_ref().map(|depths| Used { used: depths[n].into(), limit: MAX_DEPTH.into() }),
        }
    };
    Some(whole.graph.nodes.iter().enumerate().map(budget).collect())
}
