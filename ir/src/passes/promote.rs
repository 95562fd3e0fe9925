//! Turns locals into values where a load can see only one store.
//!
//! A walk over the statements tracks the value of each local while it is known and visible. A store sets it; a block
//! that may store another value ends it. Loads of known locals are replaced by the value. A local without loads is
//! removed with its stores, which leave markers for debuggers. This pass merges no values
//! ([`ssa`](super::ssa()) does), so a local that two branches set stays a local.
//!
//! Handles and resources cannot stay: a remaining local of such a type is an error that names it. The function is then
//! still valid and equivalent, with all other locals replaced. Folding or loop unrolling may make the remaining one
//! known, and `resource_selection` handles resources from there.

use super::markers::settle_markers;
use crate::Symbol;
use crate::function::*;
use crate::position::SourceText;
use crate::types::{Space, Type};
use crate::typing::{self, Typing};
use crate::variable::VariableId;
use crate::walk;
use la_arena::Arena;
use rustc_hash::{FxHashMap, FxHashSet};

/// A local of handle or resource type whose value differs between paths to a use, or is unset on some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromoteError {
    pub function: Symbol,
    pub local: Symbol,
    /// True for a handle to records, false for a resource.
    pub is_handle: bool,
    /// The position of its declaration in the source, if there is one.
    pub declared: Option<(SourceText, u32)>,
}

impl std::fmt::Display for PromoteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the target of {} in {} depends on control flow", self.local, self.function)
    }
}

impl std::error::Error for PromoteError {}

/// Replaces loads of locals by values where possible, and removes locals that are never read. Returns an error for
/// remaining handles and resources, after the same replacement.
pub fn promote(function: &mut Function) -> Result<(), PromoteError> {
    super::demote(function);
    let places = places(function);
    let mut forward = Forward {
        escaped: escaped(function, &places),
        stored_in_loops: Vec::new(),
        next_loop: 0,
        known: FxHashMap::default(),
        undo: Vec::new(),
        leaves: Vec::new(),
        replaced: FxHashMap::default(),
        unknown_loads: FxHashSet::default(),
        places,
    };
    let unset = start_unset(function, &mut forward);
    let mut body = std::mem::take(&mut function.body);
    forward.scan_loops(&body);
    forward.block(&mut body, function);

    let kept = |local: LocalId| forward.unknown_loads.contains(&local) || forward.escaped.contains(&local);
    let left = function
        .locals
        .iter()
        .find(|(id, local)| kept(*id) && (matches!(local.ty, Type::Records(_)) || local.ty.is_resource()));
    let used = used_unset(function, &body);
    let error = match (left, used.first()) {
        (Some((_, local)), _) => Some(PromoteError {
            function: function.name.clone(),
            local: local.name.clone(),
            is_handle: matches!(local.ty, Type::Records(_)),
            declared: declared(function, local),
        }),
        (None, Some(&id)) => {
            let local = unset.get(&id).and_then(|local| function.local(*local));
            Some(PromoteError {
                function: function.name.clone(),
                local: function.value(id).map(|value| value.name.clone()).unwrap_or_default(),
                is_handle: true,
                declared: local.and_then(|local| declared(function, local)),
            })
        }
        (None, None) => None,
    };
    let gone = |place: &ValueId| forward.places.get(place).copied().filter(|local| !kept(*local));
    rewrite(&mut body, &|stmt| match stmt {
        Stmt::Let(id) if forward.replaced.contains_key(id) || gone(id).is_some() => Fate::Goes,
        Stmt::Store { place, value } => match gone(place) {
            Some(local) => shown_variable(function, local)
                .map_or(Fate::Goes, |variable| Fate::Becomes(Stmt::Holds { variable, value: Some(*value) })),
            None => Fate::Stays,
        },
        _ => Fate::Stays,
    });
    settle_markers(&mut body, function);
    reload_unset(function, &mut body, &unset);
    function.body = body;
    drop_unused_locals(function);
    error.map_or(Ok(()), Err)
}

/// Sets each local of handle type to an empty handle, which may be copied but not used otherwise. No statement computes
/// it.
fn start_unset(function: &mut Function, forward: &mut Forward) -> FxHashMap<ValueId, LocalId> {
    let is_handle = |(id, local): (LocalId, &Local)| {
        let unset = Value { name: local.name.clone(), ..Value::new(local.ty.clone(), Op::Undef) };
        (matches!(local.ty, Type::Records(_)) && !forward.escaped.contains(&id)).then_some((id, unset))
    };
    let handles: Vec<(LocalId, Value)> = function.locals.iter().filter_map(is_handle).collect();
    let mut unset = FxHashMap::default();
    for (local, value) in handles {
        let id = function.values.alloc(value);
        forward.known.insert(local, id);
        unset.insert(id, local);
    }
    unset
}

fn is_unset(function: &Function, id: ValueId) -> bool {
    function.value(id).is_some_and(|value| value.op == Op::Undef && matches!(value.ty, Type::Records(_)))
}

/// Returns empty handles with uses other than copies.
fn used_unset(function: &Function, body: &Block) -> Vec<ValueId> {
    unset_operands(function, body, |stmt| !matches!(stmt, Stmt::Store { .. } | Stmt::Holds { .. }))
}

/// Replaces remaining empty handles by loads of their uninitialised locals.
fn reload_unset(function: &mut Function, body: &mut Block, unset: &FxHashMap<ValueId, LocalId>) {
    let mut loads = Block::new();
    for id in unset_operands(function, body, |_| true) {
        let Some(&local) = unset.get(&id) else { continue };
        let ty = Type::reference(Space::Function, function.values[id].ty.clone());
        let place = function.values.alloc(Value::new(ty, Op::Local(local)));
        function.values[id].op = Op::Load(place);
        loads.extend([Stmt::Let(place), Stmt::Let(id)]);
    }
    body.splice(0..0, loads);
}

/// Returns the empty handles among the operands of some statements, without repetition.
fn unset_operands(function: &Function, body: &Block, among: impl Fn(&Stmt) -> bool) -> Vec<ValueId> {
    let mut used = Vec::new();
    let mut operand = |id: ValueId| {
        if is_unset(function, id) && !used.contains(&id) {
            used.push(id);
        }
    };
    walk::statements(body, &mut |stmt| match stmt {
        stmt if !among(stmt) => {}
        Stmt::Let(id) => {
            if let Some(value) = function.value(*id) {
                value.op.for_each_operand(&mut operand);
            }
        }
        stmt => stmt.operands().into_iter().for_each(&mut operand),
    });
    used
}

/// Returns the values that are places of whole locals.
fn places(function: &Function) -> FxHashMap<ValueId, LocalId> {
    let places = function.values.iter().filter_map(|(id, value)| match value.op {
        Op::Local(local) => Some((id, local)),
        _ => None,
    });
    places.collect()
}

/// Returns the locals whose place has uses other than whole loads and stores of the local's own type.
fn escaped(function: &Function, places: &FxHashMap<ValueId, LocalId>) -> FxHashSet<LocalId> {
    let mut escaped = FxHashSet::default();
    let own_type = |place: ValueId, value: ValueId| {
        let pointee = function.type_of(place).and_then(Type::pointee);
        match (pointee, function.type_of(value)) {
            // A variable of a buffer type accepts both coherent and incoherent buffers.
            (Some(pointee), Some(ty)) => pointee == ty || pointee.is_resource() && pointee.same_shape(ty),
            _ => false,
        }
    };
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Let(id) => {
            let Some(value) = function.value(*id) else { return };
            match value.op {
                Op::Load(place) if own_type(place, *id) => {}
                _ => value.op.for_each_operand(|operand| escaped.extend(places.get(&operand))),
            }
        }
        Stmt::Store { place, value } => {
            let stores_place = places.get(value);
            escaped.extend(stores_place);
            if !own_type(*place, *value) {
                escaped.extend(places.get(place));
            }
        }
        other => escaped.extend(other.operands().iter().filter_map(|id| places.get(id))),
    });
    escaped
}

struct Forward {
    places: FxHashMap<ValueId, LocalId>,
    escaped: FxHashSet<LocalId>,
    /// Locals stored in each loop, in walk order.
    stored_in_loops: Vec<FxHashSet<LocalId>>,
    next_loop: usize,
    /// The known contents of locals.
    known: FxHashMap<LocalId, ValueId>,
    /// Earlier entries of `known`, which are restored at the end of a block.
    undo: Vec<(LocalId, Option<ValueId>)>,
    /// The targets of a `Break`, the innermost last. For a switch: the length of `undo` before the case, and the locals
    /// stored on the paths to its breaks. `None` for a loop.
    leaves: Vec<Option<(usize, Vec<LocalId>)>>,
    /// Replaced loads, with their values.
    replaced: FxHashMap<ValueId, ValueId>,
    unknown_loads: FxHashSet<LocalId>,
}

impl Forward {
    fn scan_loops(&mut self, block: &Block) -> FxHashSet<LocalId> {
        let mut stored = FxHashSet::default();
        for stmt in block {
            let slot = matches!(stmt, Stmt::Loop { .. }).then(|| {
                self.stored_in_loops.push(FxHashSet::default());
                self.stored_in_loops.len() - 1
            });
            if let Stmt::Store { place, .. } = stmt {
                stored.extend(self.places.get(place));
            }
            let mut inner = FxHashSet::default();
            for block in stmt.blocks() {
                inner.extend(self.scan_loops(block));
            }
            stored.extend(&inner);
            if let Some(slot) = slot {
                self.stored_in_loops[slot] = inner;
            }
        }
        stored
    }

    fn set(&mut self, local: LocalId, value: Option<ValueId>) {
        let old = match value {
            Some(value) => self.known.insert(local, value),
            None => self.known.remove(&local),
        };
        self.undo.push((local, old));
    }

    fn replace(&self, id: &mut ValueId) {
        if let Some(new) = self.replaced.get(id) {
            *id = *new;
        }
    }

    /// Walks a nested block and restores the known contents afterwards. Returns the locals that it stores to.
    fn nested(&mut self, block: &mut Block, function: &mut Function) -> Vec<LocalId> {
        let mark = self.undo.len();
        self.block(block, function);
        let mut stored = Vec::new();
        while self.undo.len() > mark {
            let Some((local, old)) = self.undo.pop() else { break };
            match old {
                Some(value) => self.known.insert(local, value),
                None => self.known.remove(&local),
            };
            stored.push(local);
        }
        stored
    }

    fn block(&mut self, block: &mut Block, function: &mut Function) {
        for stmt in block {
            stmt.for_each_operand_mut(|id| self.replace(id));
            match stmt {
                Stmt::Let(id) => self.let_value(*id, function),
                Stmt::Store { place, value } => {
                    if let Some(&local) = self.places.get(place)
                        && !self.escaped.contains(&local)
                    {
                        self.set(local, Some(*value));
                    }
                }
                Stmt::If { then, otherwise, .. } => {
                    let mut stored = Vec::new();
                    for branch in [then, otherwise] {
                        let one = self.nested(branch, function);
                        // A branch that ends in a jump does not reach this point.
                        if !branch.last().is_some_and(Stmt::is_jump) {
                            stored.extend(one);
                        }
                    }
                    self.forget(stored);
                }
                Stmt::Loop { body, continuing, break_if, .. } => {
                    let stored = self.stored_in_loops.get(self.next_loop).cloned().unwrap_or_default();
                    self.next_loop += 1;
                    self.forget(stored);
                    self.leaves.push(None);
                    self.nested(body, function);
                    self.nested(continuing, function);
                    self.leaves.pop();
                    if let Some(id) = break_if {
                        self.replace(id);
                    }
                }
                Stmt::Switch { cases, default, .. } => {
                    let mut stored = Vec::new();
                    for body in cases.iter_mut().map(|c| &mut c.body).chain(std::iter::once(default)) {
                        self.leaves.push(Some((self.undo.len(), Vec::new())));
                        let one = self.nested(body, function);
                        if let Some(Some((_, before_breaks))) = self.leaves.pop() {
                            stored.extend(before_breaks);
                        }
                        if !body.last().is_some_and(Stmt::is_jump) {
                            stored.extend(one);
                        }
                    }
                    self.forget(stored);
                }
                Stmt::Break(_) => {
                    // The undo list has the stores on the path to here. It is rolled back at the end of the block.
                    if let Some(Some((mark, stored))) = self.leaves.last_mut() {
                        stored.extend(self.undo.iter().skip(*mark).map(|(local, _)| *local));
                    }
                }
                _ => {}
            }
        }
    }

    fn forget(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            self.set(local, None);
        }
    }

    fn let_value(&mut self, id: ValueId, function: &mut Function) {
        if function.value(id).is_none() {
            return;
        }
        function.values[id].op.for_each_operand_mut(|operand| self.replace(operand));
        // The contents of a buffer variable may be coherent even if the variable is not.
        if matches!(function.values[id].op, Op::Field { .. } | Op::Index { .. } | Op::Descriptor { .. })
            && let Ok(Typing::Is(ty)) = typing::type_of(function, &function.values[id].op, &function.values[id].ty)
        {
            function.values[id].ty = ty;
        }
        let Op::Load(place) = function.values[id].op else { return };
        let Some(&local) = self.places.get(&place) else { return };
        match self.known.get(&local) {
            Some(&value) => {
                function.values[value].precise |= function.values[id].precise;
                self.replaced.insert(id, value);
            }
            None => {
                self.unknown_loads.insert(local);
            }
        }
    }
}

/// Returns the text and token that declare the variable of a local. A local that carries the contents of another one
/// uses the declaration of that one.
pub(super) fn declared(function: &Function, local: &Local) -> Option<(SourceText, u32)> {
    let of = |local: &Local| {
        let variable = function.variable(local.variable?)?;
        Some((variable.text(function.scope(variable.scope())?), variable.declared.token))
    };
    let same_name = || function.locals.values().filter(|other| other.name == local.name).find_map(of);
    of(local).or_else(same_name)
}

/// Returns the variable if a debugger can show its values. Debuggers do not know handles and resources.
pub(super) fn shown_variable(function: &Function, local: LocalId) -> Option<VariableId> {
    let local = function.local(local)?;
    local.variable.filter(|_| !matches!(local.ty, Type::Records(_)) && !local.ty.is_resource())
}

enum Fate {
    Stays,
    Goes,
    Becomes(Stmt),
}

fn rewrite(block: &mut Block, fate: &impl Fn(&Stmt) -> Fate) {
    block.retain_mut(|stmt| {
        stmt.blocks_mut().for_each(|inner| rewrite(inner, fate));
        match fate(stmt) {
            Fate::Stays => true,
            Fate::Goes => false,
            Fate::Becomes(new) => {
                *stmt = new;
                true
            }
        }
    });
}

/// Removes locals that no statement mentions.
pub(super) fn drop_unused_locals(function: &mut Function) {
    let mut used = vec![false; function.locals.len()];
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(Value { op: Op::Local(local), .. }) = function.value(*id)
            && let Some(used) = used.get_mut(local.into_raw().into_u32() as usize)
        {
            *used = true;
        }
    });
    if used.iter().all(|used| *used) {
        return;
    }
    let mut kept = Arena::new();
    let mut new = FxHashMap::default();
    for ((id, local), used) in function.locals.iter().zip(used) {
        if used {
            new.insert(id, kept.alloc(local.clone()));
        }
    }
    function.locals = kept;
    let mut unused = Vec::new();
    for (id, value) in function.values.iter_mut() {
        if let Op::Local(local) = &mut value.op {
            match new.get(local) {
                Some(kept) => *local = *kept,
                None => unused.push(id),
            }
        }
    }
    // Places without a statement no longer name a local.
    for id in unused {
        function.values[id].op = Op::Undef;
    }
}
