//! Finds the requests for records that all threads of a workgroup make together, so that one thread can allocate for all.
//! Outputs that are arrays do not count, because their threads may send to different queues.
//!
//! The specification requires it of nodes that run in groups, except for the number of records (WorkGraphs.md, "Common
//! group-uniform object semantics"). A request that some threads certainly miss does not count. The threads of a
//! thread node are independent: only a request counts that stands in no branch or loop, with no `return` before it.
//! That is also true for fused nodes, because the code of their consumers has no such promise.

use super::LaunchParameters;
use super::tree::Tree;
use super::uniformity::Uniformity;
use crate::function::*;
use crate::graph::{Grid, Launch, Node, OutputArray};
use crate::types::AllocScope;
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};

/// The requests of a function that its threads make together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GroupRequests {
    allocations: FxHashSet<ValueId>,
    /// Each increment by its operands: whether all increments with these are made together.
    increments: FxHashMap<(OutputId, ValueId, ValueId), bool>,
}

impl GroupRequests {
    /// Finds the requests of single threads. The function implements `node`, and the calls with handles are inlined.
    pub fn of(node: &Node, function: &Function) -> GroupRequests {
        let mut requests = GroupRequests::default();
        let mut any = false;
        walk::statements(&function.body, &mut |stmt| any |= request(node, function, stmt).is_some());
        if !any {
            return requests;
        }
        if node.launch == Launch::Thread || !node.ends.is_empty() {
            requests.add_unconditional(node, function);
        } else {
            requests.add_promised(node, function);
        }
        requests
    }

    pub fn is_empty(&self) -> bool {
        self.allocations.is_empty() && !self.increments.values().any(|is_together| *is_together)
    }

    pub fn has_allocation(&self, records: ValueId) -> bool {
        self.allocations.contains(&records)
    }

    pub fn has_increment(&self, output: OutputId, index: ValueId, count: ValueId) -> bool {
        self.increments.get(&(output, index, count)).copied().unwrap_or(false)
    }

    fn add_unconditional(&mut self, node: &Node, function: &Function) {
        let mut all_are_here = true;
        for stmt in &function.body {
            self.add(request(node, function, stmt), all_are_here);
            let mut nested = Vec::new();
            for block in stmt.blocks() {
                walk::statements(block, &mut |inner| nested.push(inner));
            }
            nested.iter().for_each(|inner| self.add(request(node, function, inner), false));
            let leaves = |stmt: &Stmt| matches!(stmt, Stmt::Return(_) | Stmt::Spirv(_));
            all_are_here &= !leaves(stmt) && !nested.iter().any(|inner| leaves(inner));
        }
    }

    fn add_promised(&mut self, node: &Node, function: &Function) {
        let grid = match node.grid {
            Grid::Fixed(grid) | Grid::Max(grid) => Some(grid),
            Grid::None => None,
        };
        let launched = LaunchParameters {
            launch: node.launch,
            is_coherent: false,
            num_threads: Some(node.num_threads),
            grid,
            wave_size: node.wave_size.map(|[least, most, _]| [least, most]),
            max_input_records: node.input.as_ref().map(|input| input.max_records),
            outputs: Vec::new(),
            grids: Vec::new(),
            mesh: Vec::new(),
        };
        let tree = Tree::new(function);
        let Some(uniformity) = Uniformity::of(&tree, &launched) else { return };
        for (step, at) in tree.steps.iter().enumerate() {
            self.add(request(node, function, at.stmt), uniformity.parted(step).is_none());
        }
    }

    fn add(&mut self, request: Option<Request>, is_together: bool) {
        match request {
            Some(Request::Increment(output, index, count)) => {
                *self.increments.entry((output, index, count)).or_insert(true) &= is_together;
            }
            Some(Request::Allocation(records)) if is_together => {
                self.allocations.insert(records);
            }
            _ => {}
        }
    }
}

/// A request of single threads.
enum Request {
    Allocation(ValueId),
    Increment(OutputId, ValueId, ValueId),
}

/// Returns the request that a statement makes for an output that is no array.
fn request(node: &Node, function: &Function, stmt: &Stmt) -> Option<Request> {
    let (output, request) = match stmt {
        Stmt::IncrementCount { scope: AllocScope::Thread, output, index, count } => {
            (*output, Request::Increment(*output, *index, *count))
        }
        Stmt::Let(id) => match function.value(*id)?.op {
            Op::Allocate { scope: AllocScope::Thread, output, .. } => (output, Request::Allocation(*id)),
            _ => return None,
        },
        _ => return None,
    };
    let is_single = node.outputs.get(output as usize).is_some_and(|output| output.array == OutputArray::Single);
    is_single.then_some(request)
}
