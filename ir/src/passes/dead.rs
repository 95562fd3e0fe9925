//! Removes dead code: unused values, stores to locals that are never read, branches without effect, and unreachable
//! functions and globals. The remaining values are renumbered without gaps.

use super::markers::drop_idle_markers;
use super::promote::drop_unused_locals;
use crate::Symbol;
use crate::function::*;
use crate::module::Module;
use crate::walk;
use la_arena::Arena;
use rustc_hash::{FxHashMap, FxHashSet};

/// Removes dead code in all functions, and functions and globals that no root reaches. Roots are the functions of nodes
/// and entries, and `more_roots`.
pub fn dead(module: &mut Module, more_roots: &[Symbol]) {
    remove_unreachable(module, more_roots);
    module.functions.values_mut().for_each(|function| clean(function));
    // Calls stay, but globals may have lost their last use.
    remove_unreachable(module, more_roots);
}

/// Removes functions and globals that no root reaches.
fn remove_unreachable(module: &mut Module, more_roots: &[Symbol]) {
    let nodes = module.graph.nodes.iter().map(|n| &n.function);
    let mut work: Vec<Symbol> =
        nodes.chain(module.entries.iter().map(|e| &e.function)).chain(more_roots).cloned().collect();
    let mut functions: FxHashSet<Symbol> = work.iter().cloned().collect();
    let mut globals: FxHashSet<Symbol> = functions.clone();
    while let Some(name) = work.pop() {
        let Some(function) = module.functions.get(&name) else { continue };
        let mut call = |callee: &Symbol| {
            if functions.insert(callee.clone()) {
                work.push(callee.clone());
            }
        };
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Call { callee, .. } => call(callee),
            Stmt::Let(id) => match function.value(*id).map(|v| &v.op) {
                Some(Op::Call { callee, .. }) => call(callee),
                Some(Op::Global(global)) => {
                    globals.insert(global.clone());
                }
                _ => {}
            },
            _ => {}
        });
    }
    let numbers =
        module.graph.nodes.iter().map(|n| &n.specialised).chain(module.entries.iter().map(|e| &e.specialised));
    globals.extend(numbers.flatten().flat_map(|(_, by)| by.constants()).cloned());
    let counters = module.globals.values().filter(|g| globals.contains(&g.name)).filter_map(|g| g.counter().cloned());
    let counters: Vec<Symbol> = counters.collect();
    globals.extend(counters);
    module.functions.retain(|name, _| functions.contains(name));
    module.globals.retain(|name, _| globals.contains(name));
}

/// Removes dead code inside one function.
fn clean(function: &mut Function) {
    let live = Liveness::of(function);
    let mut body = std::mem::take(&mut function.body);
    live.retain(&mut body, function);
    function.body = body;
    renumber(function);
    drop_unused_locals(function);
}

/// The live values, locals and blocks.
struct Liveness {
    values: Vec<bool>,
    places: FxHashMap<ValueId, LocalId>,
    live_locals: FxHashSet<LocalId>,
}

/// Dependencies that become live together with something else.
#[derive(Default)]
struct Pending {
    /// Operands of stores with their blocks, by the local that they write to.
    stores: FxHashMap<LocalId, Vec<(ValueId, usize)>>,
    /// For each block: the enclosing statement.
    parents: Vec<Parent>,
    /// For each value: the block that contains its `Let`.
    made_in: FxHashMap<ValueId, usize>,
}

/// The statement around a block.
#[derive(Clone, Copy)]
struct Parent {
    block: Option<usize>,
    /// The condition or selector.
    operand: Option<ValueId>,
}

impl Liveness {
    fn of(function: &Function) -> Liveness {
        let mut pending = Pending::default();
        let mut places = FxHashMap::default();
        let mut roots = Vec::new();
        pending.parents.push(Parent { block: None, operand: None });
        let mut used_blocks = vec![0usize];
        scan(function, &function.body, 0, &mut pending, &mut places, &mut roots, &mut used_blocks);

        let mut live =
            Liveness { values: vec![false; function.values.len()], places, live_locals: FxHashSet::default() };
        let mut needed_blocks = vec![false; pending.parents.len()];
        let mut work = roots;
        for block in used_blocks {
            need_block(block, &pending, &mut needed_blocks, &mut work);
        }
        while let Some(id) = work.pop() {
            let Some(seen) = live.values.get_mut(id.into_raw().into_u32() as usize) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            if let Some(&block) = pending.made_in.get(&id) {
                need_block(block, &pending, &mut needed_blocks, &mut work);
            }
            if let Some(value) = function.value(id) {
                value.op.for_each_operand(|operand| work.push(operand));
            }
            if let Some(&local) = live.places.get(&id)
                && live.live_locals.insert(local)
            {
                for (operand, block) in pending.stores.remove(&local).unwrap_or_default() {
                    work.push(operand);
                    need_block(block, &pending, &mut needed_blocks, &mut work);
                }
            }
        }
        live
    }

    fn is_live(&self, id: ValueId) -> bool {
        self.values.get(id.into_raw().into_u32() as usize).is_some_and(|live| *live)
    }

    /// Keeps only live statements. A store through a place that is itself dead goes to a dead local.
    fn retain(&self, block: &mut Block, function: &Function) {
        block.retain_mut(|stmt| {
            stmt.blocks_mut().into_iter().for_each(|inner| self.retain(inner, function));
            match stmt {
                Stmt::Let(id) => self.is_live(*id) || function.value(*id).is_some_and(|v| v.op.has_effect()),
                Stmt::Store { place, .. } => self.is_live(*place),
                Stmt::At(_) => true,
                Stmt::Holds { value, .. } => {
                    *value = value.filter(|id| self.is_live(*id));
                    true
                }
                Stmt::If { then, otherwise, .. } => !then.is_empty() || !otherwise.is_empty(),
                Stmt::Switch { cases, default, .. } => {
                    let empty = |b: &Block| b.iter().all(|s| s.is_marker() || matches!(s, Stmt::Break));
                    !(cases.iter().all(|c| empty(&c.body)) && empty(default))
                }
                _ => true,
            }
        });
        drop_idle_markers(block);
    }
}

/// Marks a block and its enclosing blocks, and the values that decide whether control reaches them.
fn need_block(block: usize, pending: &Pending, needed: &mut [bool], work: &mut Vec<ValueId>) {
    let mut next = Some(block);
    while let Some(block) = next {
        if std::mem::replace(&mut needed[block], true) {
            return;
        }
        work.extend(pending.parents[block].operand);
        next = pending.parents[block].block;
    }
}

/// Finds the roots that are always live, and the pending dependencies.
fn scan(
    function: &Function,
    block: &Block,
    this: usize,
    pending: &mut Pending,
    places: &mut FxHashMap<ValueId, LocalId>,
    roots: &mut Vec<ValueId>,
    used_blocks: &mut Vec<usize>,
) {
    for stmt in block {
        let mut operand = None;
        match stmt {
            Stmt::At(_) | Stmt::Holds { .. } => {}
            Stmt::Let(id) => {
                pending.made_in.insert(*id, this);
                let Some(value) = function.value(*id) else { continue };
                // The local of a place, through fields and elements.
                match value.op {
                    Op::Local(local) => {
                        places.insert(*id, local);
                    }
                    Op::Field { base, .. } | Op::Index { base, .. } => {
                        if let Some(&local) = places.get(&base) {
                            places.insert(*id, local);
                        }
                    }
                    _ => {}
                }
                if value.op.has_effect() {
                    roots.push(*id);
                    used_blocks.push(this);
                }
            }
            Stmt::Store { place, value } => match places.get(place) {
                Some(&local) => {
                    let stores = pending.stores.entry(local).or_default();
                    stores.push((*place, this));
                    stores.push((*value, this));
                }
                None => {
                    roots.extend([*place, *value]);
                    used_blocks.push(this);
                }
            },
            // A loop may be infinite, so it stays, together with its exit conditions.
            Stmt::Loop { break_if, .. } => {
                roots.extend(*break_if);
                used_blocks.push(this);
            }
            Stmt::If { cond: value, .. } | Stmt::Switch { selector: value, .. } => operand = Some(*value),
            other => {
                roots.extend(other.operands());
                used_blocks.push(this);
            }
        }
        for inner in stmt.blocks() {
            let index = pending.parents.len();
            pending.parents.push(Parent { block: Some(this), operand });
            scan(function, inner, index, pending, places, roots, used_blocks);
        }
    }
}

/// Removes values that no statement computes, and numbers the others in statement order.
fn renumber(function: &mut Function) {
    let mut new = FxHashMap::default();
    let mut values = Arena::with_capacity(function.values.len());
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some(value) = function.value(*id)
        {
            new.insert(*id, values.alloc(value.clone()));
        }
    });
    let rename = |id: &mut ValueId| {
        if let Some(kept) = new.get(id) {
            *id = *kept;
        }
    };
    for (_, value) in values.iter_mut() {
        value.op.for_each_operand_mut(rename);
    }
    walk::statements_mut(&mut function.body, &mut |stmt| match stmt {
        Stmt::Let(id) => rename(id),
        Stmt::Loop { break_if: Some(id), .. } => rename(id),
        other => other.for_each_operand_mut(rename),
    });
    function.values = values;
}
