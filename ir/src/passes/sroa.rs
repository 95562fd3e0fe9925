//! Splits locals of structures and arrays into locals of their parts, so that [`ssa`](super::ssa()) can make them values.
//!
//! A structure is split if its place is only loaded, stored, or used for a field. An array is split if all its indexes
//! are known, too. A part with other uses, such as an array with an index at run time, becomes a local of its own.
//! Vectors and matrices stay whole.

use super::promote::drop_unused_locals;
use crate::Symbol;
use crate::function::*;
use crate::types::{Space, Type};
use crate::value_map::ValueMap;
use crate::variable::{Variable, VariableId};
use compact_str::format_compact;
use rustc_hash::FxHashMap;

/// The maximum number of elements of an array that is split.
const MAX_ELEMENTS: u32 = 64;
/// The maximum number of parts of one local, and of loads and stores for all accesses to it as a whole.
const MAX_PARTS: usize = 256;
const MAX_ACCESSES: usize = 4096;

/// Splits locals. [`fold`](super::fold()) and [`dead`](super::dead()) remove the parts of whole values that nothing
/// uses.
pub fn sroa(function: &mut Function) {
    if !function.locals.values().any(|local| is_composite(&local.ty)) {
        return;
    }
    let mut places = Places { function, nodes: Vec::new(), at: ValueMap::default(), roots: FxHashMap::default() };
    places.scan();
    let Places { mut nodes, at, roots, .. } = places;
    let whole: Vec<(LocalId, usize)> =
        function.locals.iter().filter_map(|(id, _)| Some((id, *roots.get(&id)?))).collect();
    let mut any = false;
    for (id, root) in whole {
        let Local { name, variable, .. } = function.locals[id].clone();
        let (parts, accesses) = (parts(&nodes, root), accesses(&nodes, root));
        let is_small = parts <= MAX_PARTS && accesses.saturating_mul(parts) <= MAX_ACCESSES;
        if is_small && nodes[root].splits() {
            any = true;
            split(function, &mut nodes, root, (name, variable));
        }
    }
    if !any {
        return;
    }
    let mut body = std::mem::take(&mut function.body);
    let mut rewriter = Rewriter { function, nodes, at, start: Block::new(), places: FxHashMap::default() };
    rewriter.block(&mut body);
    let Rewriter { mut start, .. } = rewriter;
    start.append(&mut body);
    function.body = start;
    drop_unused_locals(function);
}

fn is_composite(ty: &Type) -> bool {
    matches!(ty, Type::Struct(_) | Type::Array { .. }) && !ty.holds_objects() && !ty.holds_query()
}

/// A local, or a part of one that the function names.
struct Node {
    ty: Type,
    /// By field or element, as far as places name them.
    parts: Vec<Option<usize>>,
    /// It has uses other than loads, stores and known parts.
    is_kept: bool,
    /// Loads and stores of the whole.
    accesses: usize,
    /// Set by [`split`]: the local that holds it, if it is not split further.
    local: Option<LocalId>,
}

impl Node {
    fn new(ty: Type) -> Node {
        let count = match &ty {
            Type::Struct(s) => s.fields.len(),
            Type::Array { len, .. } if *len <= MAX_ELEMENTS => *len as usize,
            _ => 0,
        };
        Node { parts: vec![None; count], ty, is_kept: false, accesses: 0, local: None }
    }

    fn splits(&self) -> bool {
        !self.is_kept && !self.parts.is_empty()
    }

    fn part_type(&self, index: usize) -> Option<Type> {
        match &self.ty {
            Type::Struct(s) => s.fields.get(index).map(|field| field.ty.clone()),
            Type::Array { element, .. } => Some((**element).clone()),
            _ => None,
        }
    }
}

/// Returns the number of locals that a node becomes.
fn parts(nodes: &[Node], at: usize) -> usize {
    let node = &nodes[at];
    if !node.splits() {
        return 1;
    }
    let of = |part: &Option<usize>| part.map_or(1, |part| parts(nodes, part));
    node.parts.iter().map(of).fold(0, usize::saturating_add)
}

/// Returns the number of accesses to a node and its parts as wholes.
fn accesses(nodes: &[Node], at: usize) -> usize {
    let node = &nodes[at];
    let inner = node.parts.iter().flatten().map(|part| accesses(nodes, *part));
    inner.fold(if node.splits() { node.accesses } else { 0 }, usize::saturating_add)
}

/// The walk that finds the uses of places.
struct Places<'a> {
    function: &'a Function,
    nodes: Vec<Node>,
    /// The node of each place.
    at: ValueMap<usize>,
    roots: FxHashMap<LocalId, usize>,
}

impl Places<'_> {
    fn scan(&mut self) {
        let function = self.function;
        crate::walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Let(id) => self.let_value(*id),
            Stmt::Store { place, value } => {
                self.keep(*value);
                self.access(*place, function.type_of(*value));
            }
            other => {
                other.operands().into_iter().for_each(|id| self.keep(id));
                other.for_each_end_operand(|id| self.keep(id));
            }
        });
    }

    fn keep(&mut self, id: ValueId) {
        if let Some(node) = self.at.get(id) {
            self.nodes[*node].is_kept = true;
        }
    }

    fn access(&mut self, place: ValueId, ty: Option<&Type>) {
        let Some(node) = self.at.get(place).map(|at| &mut self.nodes[*at]) else { return };
        node.accesses += 1;
        // Any other layout would be converted.
        node.is_kept |= ty != Some(&node.ty.as_value());
    }

    fn let_value(&mut self, id: ValueId) {
        let Some(value) = self.function.value(id) else { return };
        match &value.op {
            Op::Local(local) => {
                let Some(data) = self.function.local(*local).filter(|local| is_composite(&local.ty)) else { return };
                let nodes = &mut self.nodes;
                let root = *self.roots.entry(*local).or_insert_with(|| {
                    nodes.push(Node::new(data.ty.clone()));
                    nodes.len() - 1
                });
                self.at.insert(id, root);
            }
            Op::Field { base, index } => self.part(id, *base, Some(*index as usize)),
            Op::Index { base, index } => {
                self.keep(*index);
                let known = self.function.constant(*index).and_then(|c| usize::try_from(c.bits).ok());
                self.part(id, *base, known);
            }
            Op::Load(place) => self.access(*place, Some(&value.ty)),
            op => op.for_each_operand(|operand| self.keep(operand)),
        }
    }

    fn part(&mut self, id: ValueId, base: ValueId, index: Option<usize>) {
        let Some(&outer) = self.at.get(base) else { return };
        let part_type = index.and_then(|index| self.nodes[outer].part_type(index));
        match index.zip(part_type).filter(|(index, _)| *index < self.nodes[outer].parts.len()) {
            Some((index, ty)) => {
                let known = self.nodes[outer].parts[index];
                let part = known.unwrap_or_else(|| {
                    self.nodes.push(Node::new(ty));
                    self.nodes.len() - 1
                });
                self.nodes[outer].parts[index] = Some(part);
                self.at.insert(id, part);
            }
            None => self.nodes[outer].is_kept = true,
        }
    }
}

/// Creates the locals of a node's parts.
fn split(function: &mut Function, nodes: &mut Vec<Node>, at: usize, (name, variable): (Symbol, Option<VariableId>)) {
    if !nodes[at].splits() {
        let local = Local { name, ty: nodes[at].ty.clone(), variable };
        nodes[at].local = Some(function.locals.alloc(local));
        return;
    }
    for index in 0..nodes[at].parts.len() {
        let Some(ty) = nodes[at].part_type(index) else { continue };
        let name = match &nodes[at].ty {
            Type::Struct(s) => format_compact!("{name}.{}", s.fields[index].name),
            _ => format_compact!("{name}[{index}]"),
        };
        // A debugger sees a variable for each part.
        let whole = variable.and_then(|variable| function.variable(variable)).cloned();
        let variable =
            whole.map(|whole| function.variables.alloc(Variable { name: name.clone(), ty: ty.clone(), ..whole }));
        let part = nodes[at].parts[index].unwrap_or_else(|| {
            nodes.push(Node::new(ty));
            nodes.len() - 1
        });
        nodes[at].parts[index] = Some(part);
        split(function, nodes, part, (name, variable));
    }
}

struct Rewriter<'a> {
    function: &'a mut Function,
    nodes: Vec<Node>,
    at: ValueMap<usize>,
    /// The places of the new locals.
    start: Block,
    places: FxHashMap<LocalId, ValueId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            match &mut stmt {
                Stmt::Let(id) => {
                    if !self.let_value(*id, &mut out) {
                        continue;
                    }
                }
                Stmt::Store { place, value } => {
                    if let Some(node) = self.split_node(*place) {
                        let (value, precise) = (*value, self.function.values[*place].precise);
                        self.store(node, value, precise, &mut out);
                        continue;
                    }
                }
                _ => stmt.blocks_mut().for_each(|inner| self.block(inner)),
            }
            out.push(stmt);
        }
        *block = out;
    }

    /// Returns the node of a place whose local is split, unless it is a whole local now.
    fn split_node(&self, place: ValueId) -> Option<usize> {
        let node = *self.at.get(place)?;
        let is_split = self.nodes[node].local.is_none() && self.first_local(node).is_some();
        is_split.then_some(node)
    }

    fn first_local(&self, node: usize) -> Option<LocalId> {
        let node = &self.nodes[node];
        node.local.or_else(|| node.parts.iter().flatten().find_map(|part| self.first_local(*part)))
    }

    /// Rewrites a value. Returns whether its statement stays.
    fn let_value(&mut self, id: ValueId, out: &mut Block) -> bool {
        if let Some(&node) = self.at.get(id) {
            return match self.nodes[node].local {
                Some(local) => {
                    self.function.values[id].op = Op::Local(local);
                    true
                }
                None => self.first_local(node).is_none(),
            };
        }
        if let Some(Value { op: Op::Load(place), .. }) = self.function.value(id)
            && let Some(node) = self.split_node(*place)
        {
            let parts = self.loads(node, out);
            self.function.values[id].op = Op::Compose(parts);
        }
        true
    }

    fn value(&mut self, ty: Type, op: Op, out: &mut Block) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        out.push(Stmt::Let(id));
        id
    }

    /// Returns the place of a new local.
    fn place(&mut self, local: LocalId, precise: bool) -> ValueId {
        if let Some(&place) = self.places.get(&local) {
            self.function.values[place].precise |= precise;
            return place;
        }
        let ty = Type::reference(Space::Function, self.function.locals[local].ty.clone());
        let value = Value { precise, ..Value::new(ty, Op::Local(local)) };
        let place = self.function.values.alloc(value);
        self.start.push(Stmt::Let(place));
        self.places.insert(local, place);
        place
    }

    /// Loads the parts of a split node.
    fn loads(&mut self, node: usize, out: &mut Block) -> Vec<ValueId> {
        let parts: Vec<usize> = self.nodes[node].parts.iter().flatten().copied().collect();
        parts.into_iter().map(|part| self.load(part, out)).collect()
    }

    fn load(&mut self, node: usize, out: &mut Block) -> ValueId {
        let ty = self.nodes[node].ty.as_value();
        let op = match self.nodes[node].local {
            Some(local) => Op::Load(self.place(local, false)),
            None => Op::Compose(self.loads(node, out)),
        };
        self.value(ty, op, out)
    }

    fn store(&mut self, node: usize, value: ValueId, precise: bool, out: &mut Block) {
        if let Some(local) = self.nodes[node].local {
            let place = self.place(local, precise);
            out.push(Stmt::Store { place, value });
            return;
        }
        let parts: Vec<usize> = self.nodes[node].parts.iter().flatten().copied().collect();
        for (part, index) in parts.into_iter().zip(0..) {
            let ty = self.nodes[part].ty.as_value();
            let value = self.value(ty, Op::Extract { base: value, index }, out);
            self.store(part, value, precise, out);
        }
    }
}
