//! Removes dead code: unused values, stores to locals and groupshared variables that are never read, branches and calls
//! without effect, unused parameters, and unreachable functions and globals. The remaining values are renumbered without
//! gaps.

use super::inline::callees_first;
use super::markers::drop_idle_markers;
use super::promote::drop_unused_locals;
use crate::Symbol;
use crate::function::*;
use crate::module::{GlobalKind, Module};
use crate::types::Type;
use crate::value_map::ValueMap;
use crate::walk;
use la_arena::Arena;
use rustc_hash::{FxHashMap, FxHashSet};

/// The unused accesses to memory outside of functions that stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accesses {
    /// All, so that the CPU device finds the same errors in them.
    Stay,
    /// Those with an effect.
    MayGo,
}

/// Removes dead code in all functions, and functions and globals that no root reaches. Roots are the functions of nodes
/// and entries, and `more_roots`. They keep their parameters.
pub fn dead(module: &mut Module, more_roots: &[Symbol], accesses: Accesses) {
    remove_unreachable(module, more_roots);
    let roots: FxHashSet<Symbol> = module.roots().chain(more_roots).cloned().collect();
    // `verify` refuses recursion. Without an order, no parameter is removed.
    let order = callees_first(module);
    let names = order.unwrap_or_else(|_| module.functions.keys().cloned().collect());
    let mut idle = FxHashSet::default();
    let unread = if accesses == Accesses::MayGo { unread_variables(module) } else { FxHashSet::default() };
    // By callee: for each parameter that it had, true if it is left.
    let mut left: FxHashMap<Symbol, Vec<bool>> = FxHashMap::default();
    for name in names {
        let Some(function) = module.functions.get_mut(&name) else { continue };
        drop_arguments(function, &left);
        clean(function, Fixed { idle: &idle, unread: &unread, accesses });
        if accesses == Accesses::MayGo && is_idle(function, &idle) {
            idle.insert(name.clone());
        }
        if !roots.contains(&name)
            && let Some(used) = drop_parameters(function)
        {
            left.insert(name, used);
        }
    }
    // Calls may be gone, and globals may have lost their last use.
    remove_unreachable(module, more_roots);
}

/// Returns the groupshared variables that are only stored to. Private ones became locals, see
/// [`own_globals`](super::own_globals()).
fn unread_variables(module: &Module) -> FxHashSet<Symbol> {
    let shared = module.globals.values().filter(|global| matches!(global.kind, GlobalKind::Workgroup { .. }));
    let mut unread: FxHashSet<Symbol> = shared.map(|global| global.name.clone()).collect();
    for function in module.functions.values() {
        if unread.is_empty() {
            break;
        }
        let mut places: ValueMap<&Symbol> = ValueMap::default();
        walk::statements(&function.body, &mut |stmt| {
            let mut read = |id: ValueId| {
                if let Some(global) = places.get(id) {
                    unread.remove(*global);
                }
            };
            match stmt {
                Stmt::Let(id) => match function.value(*id).map(|value| &value.op) {
                    Some(Op::Global(name)) => places.insert(*id, name),
                    Some(Op::Field { base, .. }) => places.extend(places.get(*base).map(|global| (*id, *global))),
                    Some(Op::Index { base, index }) => {
                        read(*index);
                        places.extend(places.get(*base).map(|global| (*id, *global)));
                    }
                    Some(op) => op.for_each_operand(read),
                    None => {}
                },
                Stmt::Store { value, .. } => read(*value),
                Stmt::Holds { .. } => {}
                other => other.operands().into_iter().for_each(read),
            }
        });
    }
    unread
}

/// Returns whether a call of the function has no effect but its result. It ends: it has no loop.
fn is_idle(function: &Function, idle: &FxHashSet<Symbol>) -> bool {
    let mut own = FxHashSet::default();
    let mut has_effect = false;
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::At(_) | Stmt::Holds { .. } | Stmt::If { .. } | Stmt::Switch { .. } => {}
        Stmt::Yield(_) | Stmt::Break(_) | Stmt::Return(_) => {}
        Stmt::Let(id) => {
            let Some(value) = function.value(*id) else { return };
            let is_own = match value.op {
                Op::Local(_) => true,
                Op::Field { base, .. } | Op::Index { base, .. } => own.contains(&base),
                _ => false,
            };
            if is_own {
                own.insert(*id);
            }
            has_effect |= may_have_effect(&value.op, idle);
        }
        Stmt::Store { place, .. } => has_effect |= !own.contains(place),
        Stmt::Call { callee, .. } => has_effect |= !idle.contains(callee),
        _ => has_effect = true,
    });
    !has_effect
}

/// Returns whether removing the operation may change the program, if its value is unused. `idle`: functions whose calls
/// have no effect.
fn may_have_effect(op: &Op, idle: &FxHashSet<Symbol>) -> bool {
    match op {
        Op::Call { callee, .. } => !idle.contains(callee),
        op => op.has_effect(),
    }
}

/// Removes unused parameters. Returns for each parameter whether it is left, or `None` if all are.
fn drop_parameters(function: &mut Function) -> Option<Vec<bool>> {
    let mut used = vec![false; function.params.len()];
    for value in function.values.values() {
        if let Op::Param(n) = value.op
            && let Some(used) = used.get_mut(n as usize)
        {
            *used = true;
        }
    }
    if used.iter().all(|used| *used) {
        return None;
    }
    let mut new = Vec::with_capacity(used.len());
    let mut next = 0;
    for used in &used {
        new.push(next);
        next += u32::from(*used);
    }
    for value in function.values.values_mut() {
        if let Op::Param(n) = &mut value.op {
            *n = new[*n as usize];
        }
    }
    retain_by(&mut function.params, &used);
    Some(used)
}

/// Removes the arguments of removed parameters.
fn drop_arguments(function: &mut Function, left: &FxHashMap<Symbol, Vec<bool>>) {
    if left.is_empty() {
        return;
    }
    for value in function.values.values_mut() {
        if let Op::Call { callee, args } = &mut value.op
            && let Some(left) = left.get(callee)
        {
            retain_by(args, left);
        }
    }
    walk::statements_mut(&mut function.body, &mut |stmt| {
        if let Stmt::Call { callee, args } = stmt
            && let Some(left) = left.get(callee)
        {
            retain_by(args, left);
        }
    });
}

/// Keeps the elements for which `left` is true.
pub(super) fn retain_by<T>(list: &mut Vec<T>, left: &[bool]) {
    let mut left = left.iter();
    list.retain(|_| left.next().is_none_or(|left| *left));
}

/// Removes functions and globals that no root reaches.
pub(super) fn remove_unreachable(module: &mut Module, more_roots: &[Symbol]) {
    let mut work: Vec<Symbol> = module.roots().chain(more_roots).cloned().collect();
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
fn clean(function: &mut Function, fixed: Fixed) {
    remove_unused(function, fixed);
    if fixed.accesses == Accesses::MayGo && drop_last_jumps(function) {
        remove_unused(function, fixed);
    }
    renumber(function);
    drop_unused_locals(function);
}

/// Removes unused values, and unused accesses to locals. All accesses to other memory stay, and so do calls.
pub(super) fn remove_unused_values(function: &mut Function) {
    let none = FxHashSet::default();
    remove_unused(function, Fixed { idle: &none, unread: &none, accesses: Accesses::Stay });
}

fn remove_unused(function: &mut Function, fixed: Fixed) {
    let live = Liveness::of(function, fixed);
    let mut body = std::mem::take(&mut function.body);
    live.retain(&mut body, &Kept::default());
    function.body = body;
}

/// Removes jumps that lead to the next statement anyway. Their conditions decide nothing then. Returns whether there
/// were any.
fn drop_last_jumps(function: &mut Function) -> bool {
    let returns =
        function.ret == Type::Void && drop_last(&mut function.body, |stmt| matches!(stmt, Stmt::Return(None)));
    drop_last_inside(&mut function.body) || returns
}

/// Removes the last jumps of switches and loops.
fn drop_last_inside(block: &mut Block) -> bool {
    let mut any = false;
    for stmt in block {
        stmt.blocks_mut().for_each(|inner| any |= drop_last_inside(inner));
        match stmt {
            Stmt::Switch { cases, default, results, .. } if results.is_empty() => {
                let bodies = cases.iter_mut().map(|case| &mut case.body).chain([default]);
                bodies.for_each(|body| any |= drop_last(body, |stmt| matches!(stmt, Stmt::Break(_))));
            }
            Stmt::Loop { body, details, .. } if details.again.is_empty() => {
                any |= drop_last(body, |stmt| matches!(stmt, Stmt::Continue(_)));
            }
            _ => {}
        }
    }
    any
}

/// Removes these jumps from branches at the end of a block.
fn drop_last(block: &mut Block, is_jump: fn(&Stmt) -> bool) -> bool {
    let last = block.iter_mut().rfind(|stmt| !is_jump(stmt) && !stmt.is_marker());
    let Some(Stmt::If { then, otherwise, results, .. }) = last else { return false };
    let mut any = false;
    for branch in [then, otherwise].into_iter().filter(|_| results.is_empty()) {
        any |= drop_last(branch, is_jump);
        if branch.last().is_some_and(is_jump) {
            branch.pop();
            any = true;
        }
    }
    any
}

/// The facts that hold for all functions.
#[derive(Clone, Copy)]
struct Fixed<'a> {
    /// Functions whose calls have no effect.
    idle: &'a FxHashSet<Symbol>,
    /// Groupshared variables that nothing reads.
    unread: &'a FxHashSet<Symbol>,
    accesses: Accesses,
}

/// The live values and locals.
struct Liveness<'a> {
    fixed: Fixed<'a>,
    values: Vec<bool>,
}

/// The memory that a place is in.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Memory {
    Local(LocalId),
    /// A variable that nothing reads.
    Unread,
}

/// Dependencies that become live together with something else.
struct Pending<'a> {
    function: &'a Function,
    fixed: Fixed<'a>,
    /// The memory of places, through fields and elements, unless each store there is an effect.
    places: ValueMap<Memory>,
    /// Operands of stores with their blocks, by the local that they write to.
    stores: FxHashMap<LocalId, Vec<(ValueId, usize)>>,
    /// For each merged value, those of the edges, with their blocks.
    merged: ValueMap<Vec<(ValueId, usize)>>,
    /// For each block: the enclosing statement.
    parents: Vec<Parent>,
    /// For each value: the block that contains its `Let`.
    made_in: ValueMap<usize>,
    /// Values that are always live.
    roots: Vec<ValueId>,
    /// Blocks with a statement that is always live.
    used_blocks: Vec<usize>,
}

/// The statement around a block.
#[derive(Clone, Copy)]
struct Parent {
    block: Option<usize>,
    /// The condition or selector.
    operand: Option<ValueId>,
}

impl Liveness<'_> {
    fn of<'a>(function: &Function, fixed: Fixed<'a>) -> Liveness<'a> {
        let mut pending = Pending {
            function,
            fixed,
            places: ValueMap::default(),
            stores: FxHashMap::default(),
            merged: ValueMap::default(),
            parents: vec![Parent { block: None, operand: None }],
            made_in: ValueMap::default(),
            roots: Vec::new(),
            used_blocks: vec![0],
        };
        pending.scan(&function.body, 0, Edges::default());

        let mut live = Liveness { fixed, values: vec![false; function.values.len()] };
        let mut live_locals = FxHashSet::default();
        let mut needed_blocks = vec![false; pending.parents.len()];
        let mut work = std::mem::take(&mut pending.roots);
        for block in std::mem::take(&mut pending.used_blocks) {
            need_block(block, &pending.parents, &mut needed_blocks, &mut work);
        }
        while let Some(id) = work.pop() {
            let Some(seen) = live.values.get_mut(id.into_raw().into_u32() as usize) else { continue };
            if std::mem::replace(seen, true) {
                continue;
            }
            if let Some(&block) = pending.made_in.get(id) {
                need_block(block, &pending.parents, &mut needed_blocks, &mut work);
            }
            if let Some(value) = function.value(id) {
                value.op.for_each_operand(|operand| work.push(operand));
            }
            for (operand, block) in pending.merged.take(id).unwrap_or_default() {
                work.push(operand);
                need_block(block, &pending.parents, &mut needed_blocks, &mut work);
            }
            if let Some(&Memory::Local(local)) = pending.places.get(id)
                && live_locals.insert(local)
            {
                for (operand, block) in pending.stores.remove(&local).unwrap_or_default() {
                    work.push(operand);
                    need_block(block, &pending.parents, &mut needed_blocks, &mut work);
                }
            }
        }
        live
    }

    fn is_live(&self, id: ValueId) -> bool {
        self.values.get(id.into_raw().into_u32() as usize).is_some_and(|live| *live)
    }

    fn live_ones(&self, values: &[ValueId]) -> Vec<bool> {
        values.iter().map(|id| self.is_live(*id)).collect()
    }

    /// Keeps only live statements, results and parameters. A store through a place that is itself dead goes to a dead
    /// local.
    fn retain(&self, block: &mut Block, around: &Kept) {
        block.retain_mut(|stmt| {
            let results = self.live_ones(stmt.results());
            match stmt {
                Stmt::If { then, otherwise, results: listed, .. } => {
                    keep_by(listed, &results);
                    let inside = Kept { yields: results, ..around.clone() };
                    self.retain(then, &inside);
                    self.retain(otherwise, &inside);
                }
                Stmt::Switch { cases, default, results: listed, .. } => {
                    keep_by(listed, &results);
                    let inside = Kept { yields: results.clone(), breaks: results, ..around.clone() };
                    cases.iter_mut().for_each(|case| self.retain(&mut case.body, &inside));
                    self.retain(default, &inside);
                }
                Stmt::Loop { body, continuing, details, .. } => {
                    let (params, again) = (self.live_ones(&details.params), self.live_ones(&details.again));
                    for list in [&mut details.params, &mut details.first, &mut details.next] {
                        retain_by(list, &params);
                    }
                    retain_by(&mut details.again, &again);
                    retain_by(&mut details.results, &results);
                    retain_by(&mut details.last, &results);
                    let inside = Kept { yields: again.clone(), breaks: results, continues: again };
                    self.retain(body, &inside);
                    self.retain(continuing, &Kept::default());
                }
                Stmt::Yield(values) => keep_by(values, &around.yields),
                Stmt::Break(values) => keep_by(values, &around.breaks),
                Stmt::Continue(values) => keep_by(values, &around.continues),
                _ => {}
            }
            match stmt {
                Stmt::Yield(values) => !values.is_empty(),
                // Values with an effect are roots.
                Stmt::Let(id) => self.is_live(*id),
                Stmt::Store { place, .. } => self.is_live(*place),
                Stmt::Call { callee, .. } => !self.fixed.idle.contains(callee),
                Stmt::At(_) => true,
                Stmt::Holds { value, .. } => {
                    *value = value.filter(|id| self.is_live(*id));
                    true
                }
                Stmt::If { then, otherwise, .. } => !then.is_empty() || !otherwise.is_empty(),
                Stmt::Switch { cases, default, .. } => {
                    let empty = |b: &Block| {
                        b.iter().all(|s| s.is_marker() || matches!(s, Stmt::Break(values) if values.is_empty()))
                    };
                    !(cases.iter().all(|c| empty(&c.body)) && empty(default))
                }
                _ => true,
            }
        });
        drop_idle_markers(block);
    }
}

/// Marks a block and its enclosing blocks, and the values that decide whether control reaches them.
fn need_block(block: usize, parents: &[Parent], needed: &mut [bool], work: &mut Vec<ValueId>) {
    let mut next = Some(block);
    while let Some(block) = next {
        if std::mem::replace(&mut needed[block], true) {
            return;
        }
        work.extend(parents[block].operand);
        next = parents[block].block;
    }
}

/// For the lists of each kind of edge: the values whose target is live.
#[derive(Clone, Default)]
struct Kept {
    yields: Vec<bool>,
    breaks: Vec<bool>,
    continues: Vec<bool>,
}

fn keep_by(list: &mut Values, live: &[bool]) {
    if live.iter().any(|live| !live) {
        let mut values = std::mem::take(list).into_vec();
        retain_by(&mut values, live);
        *list = values.into();
    }
}

/// The merged values that the edges of a block set.
#[derive(Clone, Copy, Default)]
struct Edges<'a> {
    yields: &'a [ValueId],
    breaks: &'a [ValueId],
    continues: &'a [ValueId],
    /// The block is a case of a switch, so that its end is a break.
    is_case: bool,
}

impl Pending<'_> {
    /// Notes the values that an edge in a block carries.
    fn edge(&mut self, target: &[ValueId], values: &[ValueId], this: usize) {
        for (id, value) in target.iter().zip(values) {
            self.merged.slot(*id).get_or_insert_default().push((*value, this));
        }
    }

    /// Finds the roots that are always live, and the dependencies of the others. `this`: the number of the block.
    fn scan(&mut self, block: &Block, this: usize, edges: Edges) {
        for (n, stmt) in block.iter().enumerate() {
            let mut operand = None;
            match stmt {
                Stmt::At(_) | Stmt::Holds { .. } => {}
                Stmt::Let(id) => self.let_value(*id, this),
                Stmt::Store { place, value } => match self.places.get(*place) {
                    Some(&Memory::Local(local)) => {
                        let stores = self.stores.entry(local).or_default();
                        stores.extend([(*place, this), (*value, this)]);
                    }
                    Some(Memory::Unread) => {}
                    None => {
                        self.roots.extend([*place, *value]);
                        self.used_blocks.push(this);
                    }
                },
                Stmt::Call { callee, .. } if self.fixed.idle.contains(callee) => {}
                // A loop may be infinite, so it stays, together with its exit conditions.
                Stmt::Loop { break_if, details, .. } => {
                    self.roots.extend(*break_if);
                    self.used_blocks.push(this);
                    self.edge(&details.params, &details.first, this);
                    self.edge(&details.params, &details.next, this);
                    self.edge(&details.results, &details.last, this);
                }
                Stmt::Yield(values) => self.edge(edges.yields, values, this),
                Stmt::Break(values) => {
                    self.edge(edges.breaks, values, this);
                    if !edges.is_case || n + 1 < block.len() {
                        self.used_blocks.push(this);
                    }
                }
                Stmt::Continue(values) => {
                    self.edge(edges.continues, values, this);
                    self.used_blocks.push(this);
                }
                Stmt::If { cond: value, .. } | Stmt::Switch { selector: value, .. } => operand = Some(*value),
                other => {
                    self.roots.extend(other.operands());
                    self.used_blocks.push(this);
                }
            }
            let inside = match stmt {
                Stmt::If { results, .. } => Edges { yields: results, is_case: false, ..edges },
                Stmt::Switch { results, .. } => Edges { yields: results, breaks: results, is_case: true, ..edges },
                Stmt::Loop { details, .. } => Edges {
                    yields: &details.again,
                    breaks: &details.results,
                    continues: &details.again,
                    is_case: false,
                },
                _ => edges,
            };
            for inner in stmt.blocks() {
                let index = self.parents.len();
                self.parents.push(Parent { block: Some(this), operand });
                self.scan(inner, index, inside);
            }
        }
    }

    fn let_value(&mut self, id: ValueId, this: usize) {
        self.made_in.insert(id, this);
        let Some(value) = self.function.value(id) else { return };
        let memory = match &value.op {
            Op::Local(local) => Some(Memory::Local(*local)),
            Op::Global(name) => self.fixed.unread.contains(name).then_some(Memory::Unread),
            Op::Field { base, .. } | Op::Index { base, .. } => self.places.get(*base).copied(),
            _ => None,
        };
        self.places.extend(memory.map(|memory| (id, memory)));
        let is_access = match &value.op {
            Op::Load(place) => !self.places.contains(*place),
            Op::ImageLoad(_) | Op::ImageSample(_) | Op::ArrayLength(_) => true,
            _ => false,
        };
        if may_have_effect(&value.op, self.fixed.idle) || is_access && self.fixed.accesses == Accesses::Stay {
            self.roots.push(id);
            self.used_blocks.push(this);
        }
    }
}

/// Removes values that no statement computes, and numbers the others in statement order.
fn renumber(function: &mut Function) {
    let mut new = ValueMap::default();
    let mut values = Arena::with_capacity(function.values.len());
    walk::statements(&function.body, &mut |stmt| {
        stmt.for_each_definition(|id| {
            if let Some(value) = function.value(id) {
                new.insert(id, values.alloc(value.clone()));
            }
        });
    });
    let rename = |id: &mut ValueId| new.replace(id);
    for (_, value) in values.iter_mut() {
        value.op.for_each_operand_mut(rename);
    }
    walk::statements_mut(&mut function.body, &mut |stmt| {
        stmt.for_each_definition_mut(rename);
        stmt.for_each_operand_mut(rename);
        stmt.for_each_end_operand_mut(rename);
    });
    function.values = values;
}
