//! The tree of the places of a function, with the times of the stores to them.
//!
//! The roots are the kinds of memory. Below them are variables, then fields and elements. A store is noted at its node
//! and at those above. A later query compares the few times on the path to the root, so stores and queries take time
//! proportional to the depth of the place only.

use crate::function::{LocalId, ValueId};
use rustc_hash::FxHashMap;

/// A kind of memory, by the events that may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Memory {
    /// Uniforms, push constants and constant tables.
    Constant,
    /// Buffers and images that the shader cannot write.
    ReadOnly,
    /// Input records that the node cannot write.
    Input,
    Local,
    /// Mutable globals of the thread.
    Private,
    /// Records that the thread has allocated and not sent.
    Output,
    /// Buffers that the shader may write, and that are not coherent.
    Buffer,
    /// Variables of callers. Nothing is known of them.
    Parameter,
}

impl Memory {
    pub(super) const ALL: [Memory; 8] = [
        Memory::Constant,
        Memory::ReadOnly,
        Memory::Input,
        Memory::Local,
        Memory::Private,
        Memory::Output,
        Memory::Buffer,
        Memory::Parameter,
    ];

    /// Returns whether two variables may be the same memory.
    fn may_alias(self) -> bool {
        matches!(self, Memory::Output | Memory::Buffer)
    }
}

/// The step from a node to one below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Local(LocalId),
    /// By the index in the module.
    Global(usize),
    /// A field, or an element at a constant index.
    Constant(u64),
    /// An element at a variable index, or the place or handle of a variable that a value names.
    Value(ValueId),
}

/// The number of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct NodeId(u32);

/// A point in time. Later stores have higher ones.
pub(super) type Time = u32;

struct Node {
    memory: Memory,
    parent: Option<NodeId>,
    /// The nodes with other fixed steps from the same parent are other memory.
    is_fixed: bool,
    times: Times,
}

/// The times of the latest stores.
#[derive(Clone, Copy, Default)]
struct Times {
    /// To exactly this place.
    at: Time,
    /// To this place or to a part of it.
    within: Time,
    /// By a fixed step.
    by_fixed: Time,
    /// By another step, and its node.
    by_variable: Time,
    variable: Option<NodeId>,
    /// By a step that is not fixed and leads to another node than `variable`.
    by_others: Time,
}

/// More stores than this in a block or loop count as stores to all memory. So nested blocks take linear time.
const MAX_STORES: usize = 256;

pub(super) struct Tree {
    nodes: Vec<Node>,
    children: FxHashMap<(NodeId, Step), NodeId>,
    now: Time,
    /// The changed times, which are restored at the end of a block.
    undo: Vec<(NodeId, Times)>,
    /// The stores since the start of the open blocks.
    stores: Vec<NodeId>,
}

/// The start of a block.
#[derive(Clone, Copy)]
pub(super) struct Start {
    undo: usize,
    stores: usize,
}

impl Tree {
    pub(super) fn new() -> Tree {
        let node = |&memory: &Memory| Node { memory, parent: None, is_fixed: true, times: Times::default() };
        let nodes = Memory::ALL.iter().map(node).collect();
        Tree { nodes, children: FxHashMap::default(), now: 0, undo: Vec::new(), stores: Vec::new() }
    }

    /// Returns the node of all memory of a kind.
    pub(super) fn all(memory: Memory) -> NodeId {
        NodeId(memory as u32)
    }

    /// Returns the node that a step leads to.
    pub(super) fn child(&mut self, parent: NodeId, step: Step) -> NodeId {
        let Node { memory, parent: above, .. } = self.node(parent);
        let is_fixed = match step {
            Step::Value(_) => false,
            _ => above.is_some() || !memory.may_alias(),
        };
        let new = Node { memory, parent: Some(parent), is_fixed, times: Times::default() };
        let nodes = &mut self.nodes;
        *self.children.entry((parent, step)).or_insert_with(|| {
            nodes.push(new);
            NodeId(nodes.len() as u32 - 1)
        })
    }

    fn node(&self, id: NodeId) -> Node {
        let Node { memory, parent, is_fixed, times } = self.nodes[id.0 as usize];
        Node { memory, parent, is_fixed, times }
    }

    pub(super) fn memory(&self, id: NodeId) -> Memory {
        self.nodes[id.0 as usize].memory
    }

    pub(super) fn now(&self) -> Time {
        self.now
    }

    /// Returns the time of the latest event that may have changed all memory of a kind.
    pub(super) fn changed(&self, memory: Memory) -> Time {
        self.nodes[memory as usize].times.at
    }

    /// Notes a store to a place.
    pub(super) fn store(&mut self, id: NodeId) {
        self.now += 1;
        self.note(id);
    }

    /// Notes stores to several places.
    pub(super) fn store_all(&mut self, mut stores: Vec<NodeId>) {
        shorten(&mut stores);
        self.now += 1;
        stores.into_iter().for_each(|id| self.note(id));
    }

    fn note(&mut self, id: NodeId) {
        let now = self.now;
        if self.nodes[id.0 as usize].times.at == now {
            return;
        }
        self.stores.push(id);
        self.change(id, |times| (times.at, times.within) = (now, now));
        let mut child = id;
        while let Node { parent: Some(parent), is_fixed, .. } = self.node(child) {
            self.change(parent, |times| {
                times.within = now;
                if is_fixed {
                    times.by_fixed = now;
                    return;
                }
                if times.variable != Some(child) {
                    (times.variable, times.by_others) = (Some(child), times.by_variable);
                }
                times.by_variable = now;
            });
            child = parent;
        }
    }

    fn change(&mut self, id: NodeId, change: impl FnOnce(&mut Times)) {
        let times = &mut self.nodes[id.0 as usize].times;
        self.undo.push((id, *times));
        change(times);
    }

    /// Returns whether no store since this time may have changed the place.
    pub(super) fn is_unchanged(&self, id: NodeId, since: Time) -> bool {
        if self.node(id).times.within > since {
            return false;
        }
        let mut child = id;
        while let Node { parent: Some(parent), is_fixed, .. } = self.node(child) {
            let times = self.node(parent).times;
            let by_variable = if times.variable == Some(child) { times.by_others } else { times.by_variable };
            if times.at > since || by_variable > since || !is_fixed && times.by_fixed > since {
                return false;
            }
            child = parent;
        }
        true
    }

    pub(super) fn start(&self) -> Start {
        Start { undo: self.undo.len(), stores: self.stores.len() }
    }

    /// Forgets the stores since the start of a block, and returns them.
    pub(super) fn end(&mut self, start: Start) -> Vec<NodeId> {
        for (id, times) in self.undo.drain(start.undo..).rev() {
            self.nodes[id.0 as usize].times = times;
        }
        let mut stores = self.stores.split_off(start.stores);
        shorten(&mut stores);
        stores
    }
}

/// Removes repetitions from a list of stores, and limits its length.
pub(super) fn shorten(stores: &mut Vec<NodeId>) {
    stores.sort_unstable();
    stores.dedup();
    if stores.len() > MAX_STORES {
        *stores = Memory::ALL.iter().filter(|memory| **memory != Memory::Constant).map(|m| Tree::all(*m)).collect();
    }
}
