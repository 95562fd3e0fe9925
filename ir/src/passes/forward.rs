//! Removes loads whose result is known: that of an equal load, or the stored value.
//!
//! A walk over the statements tracks the contents of places. It also joins equal pure values, since known loads make
//! more places equal. The events that end the knowledge depend on the memory:
//!
//! | memory | until |
//! |---|---|
//! | uniforms, push constants, constant tables | the end of the block |
//! | read-only buffers and images | a barrier for buffers, an acquiring atomic, a call |
//! | read-only input records | a barrier for input records, a call |
//! | locals | a store that may alias, a call or ray query with the place |
//! | private globals | a store that may alias, a call |
//! | output records of a thread | a store that may alias, a barrier, an atomic, `Complete`, a call |
//! | writable buffers | any store, atomic, barrier or call, and any nested block |
//!
//! Inline SPIR-V ends all but the first. Stores in a branch count after it, unless it ends in a jump. Those of a loop
//! count from its start. Nothing is known of memory that other threads may change without such an event: groupshared
//! and coherent memory, writable input records, shared output records, and memory at addresses.
//!
//! Two places are distinct if they have different constant indexes in one variable, or are in different variables of
//! the thread. A read-only buffer with the descriptor of another global counts as writable. The stores remain.

mod memory;

use super::gvn::{Values, take_op};
use crate::Symbol;
use crate::function::*;
use crate::module::{Global, GlobalKind, Module, shared_slots};
use crate::types::{AllocScope, Space, Type};
use indexmap::IndexMap;
use memory::{Memory, NodeId, Step, Time, Tree, shorten};
use rustc_hash::{FxHashMap, FxHashSet};

/// Replaces loads by known values, and joins equal pure values.
pub fn forward(module: &mut Module) {
    let Module { functions, globals, graph, .. } = module;
    let shared = shared_slots(globals);
    let mut reads_input: FxHashMap<&Symbol, bool> = FxHashMap::default();
    for node in &graph.nodes {
        *reads_input.entry(&node.function).or_insert(true) &= node.input.as_ref().is_some_and(|i| !i.read_write);
    }
    for (name, function) in functions.iter_mut() {
        let mut body = std::mem::take(&mut function.body);
        let mut known = Known {
            globals,
            shared: &shared,
            reads_input: reads_input.get(name).copied().unwrap_or(false),
            values: Values::default(),
            tree: Tree::new(),
            places: vec![None; function.values.len()],
            contents: FxHashMap::default(),
            undo: Vec::new(),
            loops: Vec::new(),
            next_loop: 0,
            open_switches: 0,
            jumped: Vec::new(),
        };
        known.scan_loops(&body, false, function);
        known.block(&mut body, function);
        function.body = body;
    }
}

/// The contents of a place, and when they were seen.
type Content = (ValueId, Time);

struct Known<'m> {
    globals: &'m IndexMap<Symbol, Global>,
    /// Slots of several globals, that may overlap.
    shared: &'m FxHashSet<(u32, u32)>,
    /// The function's input record is read-only.
    reads_input: bool,
    values: Values,
    tree: Tree,
    /// The nodes of the places made so far, by value.
    places: Vec<Option<NodeId>>,
    /// The latest contents in a visible value. Later stores may have changed them.
    contents: FxHashMap<NodeId, Content>,
    /// Earlier entries of `contents`, which are restored at the end of a block.
    undo: Vec<(NodeId, Option<Content>)>,
    /// The stores of each loop, in walk order.
    loops: Vec<Vec<NodeId>>,
    next_loop: usize,
    open_switches: usize,
    /// Stores of branches that jump, in the innermost switch. A `Break` takes them to the end of the switch.
    jumped: Vec<NodeId>,
}

/// An event that may change memory.
enum Change {
    /// A place, or a part of it.
    Place(ValueId),
    All(Memory),
}

impl Known<'_> {
    /// Collects the stores of each loop of a block. Returns those of the block, if it is in a loop.
    fn scan_loops(&mut self, block: &Block, in_loop: bool, function: &Function) -> Vec<NodeId> {
        let mut stores = Vec::new();
        for stmt in block {
            let slot = matches!(stmt, Stmt::Loop { .. }).then(|| {
                self.loops.push(Vec::new());
                self.loops.len() - 1
            });
            if in_loop {
                for_each_change(function, stmt, &mut |change| {
                    stores.push(match change {
                        Change::Place(place) => self.fixed_part(function, place),
                        Change::All(memory) => Tree::all(memory),
                    });
                });
            }
            let mut inner = Vec::new();
            for block in stmt.blocks() {
                inner.append(&mut self.scan_loops(block, in_loop || slot.is_some(), function));
            }
            if let Some(slot) = slot {
                shorten(&mut inner);
                self.loops[slot].clone_from(&inner);
            }
            if in_loop {
                stores.append(&mut inner);
            }
        }
        shorten(&mut stores);
        stores
    }

    /// Returns the node of the variable of a place, or of its part before the first variable index.
    fn fixed_part(&mut self, function: &Function, place: ValueId) -> NodeId {
        let mut steps = Vec::new();
        let mut at = place;
        let mut node = loop {
            match function.value(at).map(|value| &value.op) {
                Some(Op::Field { base, index }) => {
                    steps.push(Some(Step::Constant(u64::from(*index))));
                    at = *base;
                }
                Some(Op::Index { base, index }) => {
                    steps.push(function.constant(*index).map(|c| Step::Constant(c.bits)));
                    at = *base;
                }
                Some(op @ (Op::Local(_) | Op::Global(_) | Op::Param(_))) => match self.variable(at, op, function) {
                    Some(node) => break node,
                    None => return other_memory(function, place),
                },
                _ => return other_memory(function, place),
            }
        };
        for step in steps.into_iter().rev().map_while(|step| step) {
            node = self.tree.child(node, step);
        }
        node
    }

    /// Returns the node of a variable, if this pass knows its memory.
    fn variable(&mut self, id: ValueId, op: &Op, function: &Function) -> Option<NodeId> {
        let (memory, step) = match op {
            Op::Local(local) => (Memory::Local, Step::Local(*local)),
            Op::Param(_) if matches!(function.type_of(id)?, Type::Ref(Space::Function, _)) => {
                (Memory::Parameter, Step::Value(id))
            }
            Op::Global(name) => {
                let (index, _, global) = self.globals.get_full(name)?;
                let memory = match &global.kind {
                    GlobalKind::Private { .. } => Memory::Private,
                    GlobalKind::Constant { .. } | GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. } => {
                        Memory::Constant
                    }
                    GlobalKind::Buffer { coherent: false, writable, binding, .. } => {
                        if *writable || self.shared.contains(&binding.slot()) {
                            Memory::Buffer
                        } else {
                            Memory::ReadOnly
                        }
                    }
                    _ => return None,
                };
                (memory, Step::Global(index))
            }
            Op::InputRecord { .. } if self.reads_input => (Memory::Input, Step::Value(id)),
            Op::OutputRecord { records, .. } => match function.type_of(*records)? {
                Type::Records(records_type) if records_type.scope == AllocScope::Thread => {
                    (Memory::Output, Step::Value(*records))
                }
                _ => return None,
            },
            _ => return None,
        };
        Some(self.tree.child(Tree::all(memory), step))
    }

    /// Returns whether other globals have the descriptor of an image.
    fn is_shared(&self, image: ValueId, function: &Function) -> bool {
        let mut at = image;
        loop {
            at = match function.value(at).map(|value| &value.op) {
                Some(Op::Descriptor { array, .. }) => *array,
                Some(Op::NonUniform(inner)) => *inner,
                Some(Op::Global(name)) => {
                    let binding = self.globals.get(name).and_then(Global::binding);
                    return binding.is_some_and(|binding| self.shared.contains(&binding.slot()));
                }
                _ => return true,
            };
        }
    }

    /// Notes the node of a place.
    fn note_place(&mut self, id: ValueId, op: &Op, function: &Function) {
        let node = match op {
            Op::Field { base, index } => self.below(*base, Step::Constant(u64::from(*index))),
            Op::Index { base, index } => self.below(*base, step(function, *index)),
            Op::Descriptor { array, .. } => self.below(*array, Step::Value(id)),
            Op::OutputRecord { index, .. } => {
                let records = self.variable(id, op, function);
                records.map(|records| self.tree.child(records, step(function, *index)))
            }
            op => self.variable(id, op, function),
        };
        self.places[raw(id)] = node;
    }

    fn below(&mut self, base: ValueId, step: Step) -> Option<NodeId> {
        let node = self.place(base)?;
        Some(self.tree.child(node, step))
    }

    fn place(&self, id: ValueId) -> Option<NodeId> {
        self.places.get(raw(id)).copied().flatten()
    }

    /// Notes the changes by a statement, except those in its blocks.
    fn change(&mut self, function: &Function, stmt: &Stmt) {
        for_each_change(function, stmt, &mut |change| {
            let node = match change {
                Change::Place(place) => self.place(place).unwrap_or_else(|| other_memory(function, place)),
                Change::All(memory) => Tree::all(memory),
            };
            self.tree.store(node);
        });
    }

    /// Walks a nested block and restores the knowledge before it. Returns the stores.
    fn nested(&mut self, block: &mut Block, function: &mut Function) -> Vec<NodeId> {
        let (values, tree, undo) = (self.values.start(), self.tree.start(), self.undo.len());
        self.block(block, function);
        self.values.end(values);
        for (node, old) in self.undo.drain(undo..).rev() {
            match old {
                Some(old) => self.contents.insert(node, old),
                None => self.contents.remove(&node),
            };
        }
        self.tree.end(tree)
    }

    fn block(&mut self, block: &mut Block, function: &mut Function) {
        for stmt in block {
            stmt.for_each_operand_mut(|id| self.values.replace(id));
            if let Stmt::Let(id) = stmt {
                self.let_value(*id, function);
            }
            self.change(function, stmt);
            match stmt {
                Stmt::Store { place, value } => {
                    if let Some(node) = self.place(*place) {
                        self.set(node, *value);
                    }
                }
                Stmt::Loop { body, continuing, break_if, .. } => {
                    // The stores of all iterations count here, and so after the loop.
                    let stores = self.loops.get_mut(self.next_loop).map(std::mem::take).unwrap_or_default();
                    self.next_loop += 1;
                    self.tree.store_all(stores);
                    self.nested(body, function);
                    self.nested(continuing, function);
                    if let Some(id) = break_if {
                        self.values.replace(id);
                    }
                }
                Stmt::Switch { .. } => {
                    let around = std::mem::take(&mut self.jumped);
                    self.open_switches += 1;
                    let mut stores = Vec::new();
                    for case in stmt.blocks_mut() {
                        stores.append(&mut self.nested(case, function));
                    }
                    self.open_switches -= 1;
                    stores.append(&mut std::mem::replace(&mut self.jumped, around));
                    self.tree.store_all(stores);
                }
                stmt => {
                    let mut stores = Vec::new();
                    for branch in stmt.blocks_mut() {
                        let mut one = self.nested(branch, function);
                        if !branch.last().is_some_and(Stmt::is_jump) {
                            stores.append(&mut one);
                        } else if self.open_switches > 0 {
                            self.jumped.append(&mut one);
                        }
                    }
                    if !stores.is_empty() {
                        self.tree.store_all(stores);
                    }
                }
            }
        }
    }

    fn let_value(&mut self, id: ValueId, function: &mut Function) {
        let Some(mut op) = take_op(function, id) else { return };
        op.for_each_operand_mut(|operand| self.values.replace(operand));
        match &op {
            Op::Load(place) => self.load(id, *place, function),
            Op::ImageLoad(load)
                if matches!(function.type_of(load.image), Some(Type::Image(ty)) if !ty.storage)
                    && !self.is_shared(load.image, function) =>
            {
                // Version 0 is that of pure values.
                let version = self.tree.changed(Memory::ReadOnly) + 1;
                self.values.join(function, id, &op, version);
            }
            op => {
                self.values.join_pure(function, id, op);
                self.note_place(id, op, function);
            }
        }
        function.values[id].op = op;
    }

    fn load(&mut self, id: ValueId, place: ValueId, function: &mut Function) {
        let ty = &function.values[id].ty;
        // `promote` and `resource_selection` resolve these.
        if ty.is_resource() || matches!(ty, Type::Records(_)) {
            return;
        }
        let Some(node) = self.place(place) else { return };
        if self.tree.memory(node) == Memory::Parameter {
            return;
        }
        match self.contents.get(&node) {
            Some(&(value, since)) if self.tree.is_unchanged(node, since) && function.type_of(value) == Some(ty) => {
                function.values[value].precise |= function.values[place].precise;
                self.values.replace_by(function, id, value);
            }
            _ => self.set(node, id),
        }
    }

    fn set(&mut self, node: NodeId, value: ValueId) {
        let old = self.contents.insert(node, (value, self.tree.now()));
        self.undo.push((node, old));
    }
}

/// Returns the step to an element.
fn step(function: &Function, index: ValueId) -> Step {
    function.constant(index).map_or(Step::Value(index), |c| Step::Constant(c.bits))
}

/// Returns the memory that a place may be in, if its variable is unknown.
fn other_memory(function: &Function, place: ValueId) -> NodeId {
    Tree::all(match function.type_of(place) {
        Some(Type::Ref(Space::Function, _)) => Memory::Local,
        Some(Type::Ref(Space::Private, _)) => Memory::Private,
        Some(Type::Ref(Space::NodeOutput, _)) => Memory::Output,
        _ => Memory::Buffer,
    })
}

/// Returns whether a statement may change the contents of buffers that the shader cannot write.
pub(super) fn may_change_read_only(function: &Function, stmt: &Stmt) -> bool {
    let mut any = false;
    for_each_change(function, stmt, &mut |change| any |= matches!(change, Change::All(Memory::ReadOnly)));
    any
}

/// Returns whether a statement, without those in its blocks, may change the contents of buffers or records.
pub(super) fn may_change_shared(function: &Function, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Loop { .. } => false,
        Stmt::Store { place, .. } => {
            let is_own = |space: &Space| matches!(space, Space::Function | Space::Private | Space::Workgroup);
            !matches!(function.type_of(*place), Some(Type::Ref(space, _)) if is_own(space))
        }
        _ => {
            let mut any = false;
            for_each_change(function, stmt, &mut |change| any |= matches!(change, Change::All(Memory::Buffer)));
            any
        }
    }
}

/// Calls `f` with the memory that a statement may change, except in its blocks. A `Let` stands for its operation.
fn for_each_change(function: &Function, stmt: &Stmt, f: &mut impl FnMut(Change)) {
    use Memory as M;
    let mut all = |memories: &[Memory]| memories.iter().for_each(|memory| f(Change::All(*memory)));
    let op = match stmt {
        Stmt::Let(id) => function.value(*id).map(|value| &value.op),
        _ => None,
    };
    match (stmt, op) {
        (_, Some(Op::Atomic { order, .. })) => {
            all(&[M::Buffer, M::Output]);
            if *order != MemoryOrder::Relaxed {
                all(&[M::ReadOnly, M::Input]);
            }
        }
        (Stmt::Call { args, .. }, _) | (_, Some(Op::Call { args, .. })) => {
            all(&[M::Buffer, M::Output, M::ReadOnly, M::Input, M::Private]);
            let places = args.iter().filter(|arg| matches!(function.type_of(**arg), Some(Type::Ref(..))));
            places.for_each(|place| f(Change::Place(*place)));
        }
        (Stmt::Spirv(_), _) | (_, Some(Op::Spirv(_))) => {
            all(&[M::Buffer, M::Output, M::ReadOnly, M::Input, M::Private, M::Local]);
        }
        // Other groups may have written to the input before.
        (_, Some(Op::FinishedSharing)) => all(&[M::Buffer, M::Output, M::ReadOnly, M::Input]),
        (_, Some(Op::Allocate { .. })) => all(&[M::Buffer]),
        (_, Some(Op::RayQuery { query, ask })) if ask.has_effect() => f(Change::Place(*query)),
        (Stmt::RayQuery { query, .. }, _) => f(Change::Place(*query)),
        (Stmt::Store { place, .. }, _) => {
            all(&[M::Buffer]);
            f(Change::Place(*place));
        }
        (Stmt::ImageStore { .. } | Stmt::IncrementCount { .. }, _) => all(&[M::Buffer]),
        (Stmt::Barrier(barrier), _) => {
            all(&[M::Buffer, M::Output]);
            if barrier.memory.uav {
                all(&[M::ReadOnly]);
            }
            if barrier.memory.node_input {
                all(&[M::Input]);
            }
        }
        (Stmt::Complete(_), _) => all(&[M::Buffer, M::Output]),
        (Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Loop { .. }, _) => all(&[M::Buffer]),
        _ => {}
    }
}

fn raw(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}
