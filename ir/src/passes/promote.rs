//! Locals become values where a load can see only one store.
//!
//! A walk over the statements carries what each local holds, as far as one value is known and visible: a store says it,
//! a block that may store something else ends it. Loads of known locals are replaced by the value; a local of which no
//! load is left disappears with its stores, which leave behind what a debugger may say of its variable. The IR merges nothing, so a local that two branches set stays a local.
//!
//! Handles and resources cannot stay: a local of such a type that is left is an error that names it. The function is then
//! as valid as it was and does the same, with all other locals replaced: folding, or loops taken apart, may make the one
//! that is left known, and `choices` follows resources from there.

use super::markers::drop_idle_markers;
use crate::Symbol;
use crate::function::*;
use crate::position::SourceText;
use crate::types::{Space, Type};
use crate::typing::{self, Typing};
use crate::variable::VariableId;
use crate::walk;
use la_arena::Arena;
use rustc_hash::{FxHashMap, FxHashSet};

/// A local of handle or resource type whose value is not the same on all ways to a use, or not set on some.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PromoteError {
    pub function: Symbol,
    pub local: Symbol,
    /// A handle to records; else it is a resource.
    pub is_handle: bool,
    /// Where the source declares it, if it does.
    pub declared: Option<(SourceText, u32)>,
}

impl std::fmt::Display for PromoteError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "what {} refers to in {} depends on control flow", self.local, self.function)
    }
}

impl std::error::Error for PromoteError {}

/// Replaces loads of locals by values where it can, and removes locals that nobody reads any more. An error says what is
/// left of handles and resources, behind the same replacement.
pub fn promote(function: &mut Function) -> Result<(), PromoteError> {
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
            Some(local) => held(function, local)
                .map_or(Fate::Goes, |variable| Fate::Becomes(Stmt::Holds { variable, value: Some(*value) })),
            None => Fate::Stays,
        },
        _ => Fate::Stays,
    });
    reload_unset(function, &mut body, &unset);
    function.body = body;
    drop_unused_locals(function);
    error.map_or(Ok(()), Err)
}

/// A handle to nothing in each local of handle type, which may be copied, and used for nothing else. It is made by no
/// statement.
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

/// Handles to nothing that are more than copied.
fn used_unset(function: &Function, body: &Block) -> Vec<ValueId> {
    unset_operands(function, body, |stmt| !matches!(stmt, Stmt::Store { .. } | Stmt::Holds { .. }))
}

/// Where handles to nothing are left, they are again what their locals hold before anything is stored.
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

/// Handles to nothing among the operands of some statements, each once.
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

/// Values that are places of whole locals.
fn places(function: &Function) -> FxHashMap<ValueId, LocalId> {
    let places = function.values.iter().filter_map(|(id, value)| match value.op {
        Op::Local(local) => Some((id, local)),
        _ => None,
    });
    places.collect()
}

/// Locals whose place has other uses than whole loads and stores of the local's own type.
fn escaped(function: &Function, places: &FxHashMap<ValueId, LocalId>) -> FxHashSet<LocalId> {
    let mut escaped = FxHashSet::default();
    let own_type = |place: ValueId, value: ValueId| {
        let pointee = function.type_of(place).and_then(Type::pointee);
        match (pointee, function.type_of(value)) {
            // A variable of a buffer takes coherent ones and others.
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
    /// Locals stored in each loop, in the order in which the walk meets them.
    stored_in_loops: Vec<FxHashSet<LocalId>>,
    next_loop: usize,
    /// What locals hold.
    known: FxHashMap<LocalId, ValueId>,
    /// Earlier entries of `known`, to return to at the end of a block.
    undo: Vec<(LocalId, Option<ValueId>)>,
    /// What a `Break` leaves, the innermost last: for a switch, how long `undo` was before the case, and the locals
    /// stored on the ways to its breaks; `None` for a loop.
    leaves: Vec<Option<(usize, Vec<LocalId>)>>,
    /// Loads, and the values that they are.
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

    /// A nested block: afterwards everything is known as before it. Gives the locals that it stored to.
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
                        // Control does not come here from a branch that ends in a jump.
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
                Stmt::Break => {
                    // The undo list has what was stored on the way here; at the end of the block it is rolled back.
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
        // What a buffer's variable held may be coherent where the variable did not say so.
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

/// Text and token that declare the variable of a local; for one that carries what another holds, of that one.
pub(super) fn declared(function: &Function, local: &Local) -> Option<(SourceText, u32)> {
    let of = |local: &Local| {
        let variable = function.variable(local.variable?)?;
        Some((variable.text(function.scope(variable.scope())?), variable.declared.token))
    };
    let same_name = || function.locals.values().filter(|other| other.name == local.name).find_map(of);
    of(local).or_else(same_name)
}

/// The variable whose values a debugger can show: handles and resources are nothing that it knows.
fn held(function: &Function, local: LocalId) -> Option<VariableId> {
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
        stmt.blocks_mut().into_iter().for_each(|inner| rewrite(inner, fate));
        match fate(stmt) {
            Fate::Stays => true,
            Fate::Goes => false,
            Fate::Becomes(new) => {
                *stmt = new;
                true
            }
        }
    });
    drop_idle_markers(block);
}

/// Leaves out locals that no statement mentions.
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
    // Places that no statement makes name no local any more.
    for id in unused {
        function.values[id].op = Op::Undef;
    }
}
