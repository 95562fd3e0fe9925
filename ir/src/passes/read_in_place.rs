//! Reads memory in place of a local that is a copy of it.
//!
//! An array with an index at run time cannot become values. If it was loaded from a buffer or a record, the copy of the
//! whole array for each thread costs more than the elements that are used. Memory that the shader can write must not
//! change between the copy and its last use.

use super::dead::remove_unused_values;
use super::forward::{may_change_read_only, may_change_shared};
use super::promote::drop_unused_locals;
use crate::function::*;
use crate::module::{Global, GlobalKind, Module, shared_slots};
use crate::types::{Space, Type};
use crate::typing::element;
use crate::value_map::ValueMap;
use crate::{Symbol, walk};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Replaces such locals in all functions. The only store to a local is that of the whole copy, and all other uses are
/// loads after it.
pub fn read_in_place(module: &mut Module) {
    let Module { functions, globals, graph, .. } = module;
    let mut inputs = graph.nodes.iter().filter_map(|node| node.input.as_ref());
    let keeps_inputs = !inputs.any(|input| input.read_write);
    let shared = shared_slots(globals);
    for function in functions.values_mut().filter(|function| !function.locals.is_empty()) {
        let copies = |function: &Function| {
            let mut copies = Copies {
                function,
                globals,
                shared: &shared,
                keeps_buffers: keeps_buffers(function),
                keeps_inputs,
                locals: vec![Copied::default(); function.locals.len()],
                places: ValueMap::default(),
                open: Vec::new(),
                blocks: 0,
                changes: 0,
                loads: ValueMap::default(),
                has_late: false,
            };
            copies.block(&function.body);
            (copies.has_late, copies.locals.into_iter().map(Copied::source).collect::<Vec<_>>())
        };
        let (has_late, mut sources) = copies(function);
        if has_late {
            // Perhaps nothing needs the late reads.
            remove_unused_values(function);
            sources = copies(function).1;
        }
        if sources.iter().any(Option::is_some) {
            let mut body = std::mem::take(&mut function.body);
            let mut rewriter = Rewriter { function, sources, replaced: ValueMap::default() };
            rewriter.block(&mut body);
            function.body = body;
            drop_unused_locals(function);
        }
    }
}

/// Returns whether no statement of a function may change a read-only buffer, which a host may bind twice.
fn keeps_buffers(function: &Function) -> bool {
    let mut keeps = true;
    walk::statements(&function.body, &mut |stmt| keeps &= !may_change_read_only(function, stmt));
    keeps
}

/// The known facts about a local.
#[derive(Clone, Default)]
struct Copied {
    /// The place that it is a copy of, and the block of the store.
    from: Option<(ValueId, u32)>,
    /// The number of changes before the copy, if the place may change.
    since: Option<u32>,
    /// It has a use that a copy has not.
    is_other: bool,
}

impl Copied {
    fn source(self) -> Option<ValueId> {
        self.from.filter(|_| !self.is_other).map(|(place, _)| place)
    }
}

/// Memory that a local may be a copy of.
enum Source {
    /// The contents are the same in the whole function.
    Constant,
    /// A statement of the function may change the contents.
    Changing,
}

struct Copies<'a> {
    function: &'a Function,
    globals: &'a IndexMap<Symbol, Global>,
    /// Slots of several globals, that may overlap.
    shared: &'a FxHashSet<(u32, u32)>,
    keeps_buffers: bool,
    /// No other group may write an input record.
    keeps_inputs: bool,
    locals: Vec<Copied>,
    /// The locals of places, and whether the place is the whole.
    places: ValueMap<(LocalId, bool)>,
    /// The blocks around the current statement.
    open: Vec<u32>,
    blocks: u32,
    /// The number of statements so far that may change memory.
    changes: u32,
    /// That number at each load.
    loads: ValueMap<u32>,
    /// A local is used after the memory that it copies may have changed.
    has_late: bool,
}

fn raw(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}

impl Copies<'_> {
    fn block(&mut self, block: &Block) {
        self.open.push(self.blocks);
        self.blocks += 1;
        for stmt in block {
            match stmt {
                Stmt::Let(id) => self.value(*id),
                Stmt::Store { place, value } => {
                    self.other(*value);
                    self.store(*place, *value);
                }
                Stmt::Holds { .. } => {}
                // An earlier iteration may have changed what this one reads.
                Stmt::Loop { .. } if stmt.blocks().any(|inner| self.changes_in(inner)) => self.changes += 1,
                other => other.operands().into_iter().for_each(|id| self.other(id)),
            }
            self.changes += u32::from(may_change_shared(self.function, stmt));
            stmt.blocks().for_each(|inner| self.block(inner));
            stmt.for_each_end_operand(|id| self.other(id));
        }
        self.open.pop();
    }

    fn changes_in(&self, block: &Block) -> bool {
        let mut any = false;
        walk::statements(block, &mut |stmt| any |= may_change_shared(self.function, stmt));
        any
    }

    /// Notes a use that is no load.
    fn other(&mut self, id: ValueId) {
        if let Some(&(local, _)) = self.places.get(id) {
            self.locals[raw(local)].is_other = true;
        }
    }

    fn value(&mut self, id: ValueId) {
        let Some(value) = self.function.value(id) else { return };
        match &value.op {
            Op::Local(local) => self.places.insert(id, (*local, true)),
            Op::Field { base, .. } => self.part(id, *base),
            Op::Index { base, index } => {
                self.other(*index);
                self.part(id, *base);
            }
            Op::Load(place) => {
                self.loads.insert(id, self.changes);
                if let Some(&(local, _)) = self.places.get(*place) {
                    self.after(local);
                }
            }
            op => op.for_each_operand(|id| self.other(id)),
        }
    }

    fn part(&mut self, id: ValueId, base: ValueId) {
        let Some(&(local, _)) = self.places.get(base) else { return };
        self.places.insert(id, (local, false));
        self.after(local);
    }

    /// Notes a use that must come after the copy, where the place that was copied is known.
    fn after(&mut self, local: LocalId) {
        let copied = &mut self.locals[raw(local)];
        copied.is_other |= !copied.from.is_some_and(|(_, block)| self.open.contains(&block));
        let is_late = copied.since.is_some_and(|since| since != self.changes);
        copied.is_other |= is_late;
        self.has_late |= is_late;
    }

    fn store(&mut self, place: ValueId, value: ValueId) {
        let Some(&(local, is_whole)) = self.places.get(place) else { return };
        let from = match self.function.value(value) {
            Some(Value { op: Op::Load(from), .. }) if is_whole => self.source(*from).map(|source| (*from, source)),
            _ => None,
        };
        let this = self.open.last().copied().unwrap_or(0);
        let since = match &from {
            Some((_, Source::Changing)) => self.loads.get(value).copied(),
            _ => None,
        };
        let copied = &mut self.locals[raw(local)];
        copied.is_other |= from.is_none() || copied.from.is_some();
        copied.from = from.map(|(from, _)| (from, this));
        copied.since = since;
    }

    /// Returns whether the memory of a place can be read in place of a copy. Its parts are those of a local: an element of
    /// a matrix is a row, in memory by columns too.
    fn source(&self, mut place: ValueId) -> Option<Source> {
        loop {
            match self.function.value(place).map(|value| &value.op)? {
                Op::Field { base, .. } | Op::Index { base, .. } => place = *base,
                Op::Descriptor { array, .. } => place = *array,
                Op::InputRecord { .. } => return self.keeps_inputs.then_some(Source::Changing),
                Op::Address(_) => {
                    let ty = self.function.type_of(place);
                    let is_private = matches!(ty, Some(Type::Ref(Space::Physical { coherent: false }, _)));
                    return is_private.then_some(Source::Changing);
                }
                Op::Global(name) => {
                    return match self.globals.get(name).map(|global| &global.kind)? {
                        GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. } => Some(Source::Constant),
                        GlobalKind::Constant { .. } => Some(Source::Constant),
                        GlobalKind::Buffer { coherent: true, .. } => None,
                        GlobalKind::Buffer { writable, binding, .. } => {
                            let is_constant = !writable && self.keeps_buffers && !self.shared.contains(&binding.slot());
                            Some(if is_constant { Source::Constant } else { Source::Changing })
                        }
                        _ => None,
                    };
                }
                _ => return None,
            }
        }
    }
}

struct Rewriter<'a> {
    function: &'a mut Function,
    /// For each local: the place that it is a copy of.
    sources: Vec<Option<ValueId>>,
    replaced: ValueMap<ValueId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: &mut Block) {
        let before = std::mem::take(block);
        for mut stmt in before {
            match stmt {
                Stmt::Let(id) if self.value(id) => continue,
                Stmt::Store { place, .. } if self.replaced.contains(place) => continue,
                _ => {}
            }
            stmt.blocks_mut().for_each(|inner| self.block(inner));
            block.push(stmt);
        }
    }

    /// Rewrites a value. Returns whether another value replaces it.
    fn value(&mut self, id: ValueId) -> bool {
        let Some(value) = self.function.value(id) else { return false };
        if let Op::Local(local) = value.op
            && let Some(source) = self.sources[raw(local)]
        {
            self.replaced.insert(id, source);
            return true;
        }
        let replaced = &self.replaced;
        let mut op = value.op.clone();
        op.for_each_operand_mut(|id| replaced.replace(id));
        let ty = match op {
            Op::Field { base, index } => self.part(base, index),
            // All elements have one type.
            Op::Index { base, .. } => self.part(base, 0),
            _ => None,
        };
        let value = &mut self.function.values[id];
        value.op = op;
        // Places in the memory that was copied, not in a local.
        if let (Some(Type::Ref(to, part)), Type::Ref(from, _)) = (ty, &value.ty)
            && to != *from
        {
            value.ty = Type::Ref(to, part);
        }
        false
    }

    /// Returns the type of a part of a place.
    fn part(&self, base: ValueId, index: u32) -> Option<Type> {
        let Type::Ref(space, pointee) = self.function.type_of(base)? else { return None };
        Some(Type::reference(*space, element(pointee, index).ok()?))
    }
}
