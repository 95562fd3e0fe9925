//! The computations that all threads of a group continue, returned or not, so that they reach its barriers together.
//!
//! The conditions around a barrier are uniform for all threads that reach it, or the program is undefined. A thread
//! that has returned also reaches it if it computes these conditions. They, their operands and the branches that decide
//! them form a slice of the function, which every thread runs. The slice must be harmless: its only effects are stores
//! to locals, and it reads memory only at places that do not depend on the thread.

use crate::function::*;
use crate::types::Space;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The part of a function that every thread runs.
#[derive(Debug)]
pub(super) struct Shared {
    /// The `If`, `Loop` and `Switch` statements.
    statements: FxHashSet<*const Stmt>,
    pub(super) values: FxHashSet<ValueId>,
    locals: FxHashSet<LocalId>,
}

impl Shared {
    /// Returns the slice of a function with such a barrier, or `None` if not all threads can run it.
    pub(super) fn of(function: &Function) -> Option<Shared> {
        let outline = Outline::of(function);
        let varying = Varying::of(function, &outline);
        let mut slice = Slice {
            function,
            outline: &outline,
            varying: &varying,
            nodes: FxHashSet::default(),
            values: FxHashSet::default(),
            locals: FxHashSet::default(),
        };
        for (n, node) in outline.nodes.iter().enumerate() {
            if super::meets(node.stmt) {
                slice.node(n)?;
            }
        }
        // A return that all threads take together also applies to threads that returned before.
        for &at in &outline.returns {
            if let Some(n) = at
                && !varying.inside(&outline, at, None)
            {
                let mut more = slice.clone();
                if more.node(n).is_some() {
                    slice = more;
                }
            }
        }
        let Slice { nodes, values, locals, .. } = slice;
        let statements = nodes.into_iter().map(|n| outline.nodes[n].stmt as *const Stmt).collect();
        Some(Shared { statements, values, locals })
    }

    /// Returns whether every thread reaches this statement, with its jumps and stores.
    pub(super) fn has(&self, function: &Function, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::If { .. } | Stmt::Loop { .. } | Stmt::Switch { .. } => {
                self.statements.contains(&(stmt as *const Stmt))
            }
            Stmt::Let(id) => self.values.contains(id),
            Stmt::Store { place, .. } => {
                matches!(root(function, *place), Some(Root::Local(l)) if self.locals.contains(&l))
            }
            _ => false,
        }
    }
}

/// The root of a place.
enum Root {
    Local(LocalId),
    /// A variable of the thread that other functions can access.
    Private,
    Memory,
}

fn root(function: &Function, place: ValueId) -> Option<Root> {
    let Value { op, ty, .. } = function.value(place)?;
    Some(match (op, ty) {
        (Op::Local(local), _) => Root::Local(*local),
        (Op::Field { base, .. } | Op::Index { base, .. }, _) => root(function, *base)?,
        (_, Type::Ref(Space::Private | Space::Function, _)) => Root::Private,
        _ => Root::Memory,
    })
}

/// A statement with blocks.
struct Node<'a> {
    stmt: &'a Stmt,
    parent: Option<usize>,
    /// The value that decides: a condition, a selector, a `break_if`.
    decides: Option<ValueId>,
    /// The enclosing statements of jumps out of this one, or to its next iteration.
    jumps: Vec<usize>,
}

/// The nesting of the statements of a function.
#[derive(Default)]
struct Outline<'a> {
    nodes: Vec<Node<'a>>,
    /// The enclosing statements of returns.
    returns: Vec<Option<usize>>,
    /// Stores to locals, with the enclosing statement.
    stores: FxHashMap<LocalId, Vec<(ValueId, ValueId, Option<usize>)>>,
    /// Locals with a place that is used other than by loads and stores.
    given: FxHashSet<LocalId>,
}

impl<'a> Outline<'a> {
    fn of(function: &'a Function) -> Outline<'a> {
        let mut outline = Outline::default();
        outline.block(function, &function.body, None);
        outline
    }

    fn block(&mut self, function: &'a Function, block: &'a [Stmt], parent: Option<usize>) {
        for stmt in block {
            let decides = match stmt {
                Stmt::If { cond, .. } => Some(*cond),
                Stmt::Switch { selector, .. } => Some(*selector),
                Stmt::Loop { break_if, .. } => *break_if,
                Stmt::Return(_) => {
                    self.returns.push(parent);
                    continue;
                }
                Stmt::Break(_) | Stmt::Continue(_) => {
                    self.jump(parent, matches!(stmt, Stmt::Continue(_)));
                    continue;
                }
                Stmt::Store { place, value } => {
                    if let Some(Root::Local(local)) = root(function, *place) {
                        self.stores.entry(local).or_default().push((*place, *value, parent));
                    }
                    continue;
                }
                Stmt::Let(id) => {
                    let Some(value) = function.value(*id) else { continue };
                    if !matches!(value.op, Op::Load(_) | Op::Field { .. } | Op::Index { .. }) {
                        value.op.for_each_operand(|operand| self.give(function, operand));
                    }
                    continue;
                }
                other => {
                    other.operands().into_iter().for_each(|operand| self.give(function, operand));
                    continue;
                }
            };
            let node = self.nodes.len();
            self.nodes.push(Node { stmt, parent, decides, jumps: Vec::new() });
            for inner in stmt.blocks() {
                self.block(function, inner, Some(node));
            }
        }
    }

    fn give(&mut self, function: &Function, operand: ValueId) {
        if let Some(Type::Ref(Space::Function, _)) = function.type_of(operand)
            && let Some(Root::Local(local)) = root(function, operand)
        {
            self.given.insert(local);
        }
    }

    /// Records a jump inside this statement at the statement that it leaves.
    fn jump(&mut self, from: Option<usize>, continues: bool) {
        let mut at = from;
        while let (Some(n), Some(from)) = (at, from) {
            let leaves = match self.nodes[n].stmt {
                Stmt::Loop { .. } => true,
                Stmt::Switch { .. } => !continues,
                _ => false,
            };
            if leaves {
                self.nodes[n].jumps.push(from);
                return;
            }
            at = self.nodes[n].parent;
        }
    }
}

/// Values and locals that may differ between the threads of a group.
#[derive(Default)]
struct Varying {
    values: FxHashSet<ValueId>,
    locals: FxHashSet<LocalId>,
    /// Statements at which threads run different blocks, or that they leave at different times.
    nodes: FxHashSet<usize>,
}

impl Varying {
    fn of(function: &Function, outline: &Outline<'_>) -> Varying {
        let mut varying = Varying { locals: outline.given.clone(), ..Varying::default() };
        loop {
            let before = (varying.values.len(), varying.locals.len(), varying.nodes.len());
            for (id, value) in function.values.iter() {
                if varying.op(function, &value.op) {
                    varying.values.insert(id);
                }
            }
            for (n, node) in outline.nodes.iter().enumerate() {
                let jumps = || node.jumps.iter().any(|&from| varying.inside(outline, Some(from), Some(n)));
                if node.decides.is_some_and(|id| varying.values.contains(&id)) || jumps() {
                    varying.nodes.insert(n);
                }
            }
            for (local, stores) in &outline.stores {
                let differs = |&(place, value, at): &(ValueId, ValueId, Option<usize>)| {
                    [place, value].iter().any(|id| varying.values.contains(id)) || varying.inside(outline, at, None)
                };
                if stores.iter().any(differs) {
                    varying.locals.insert(*local);
                }
            }
            if before == (varying.values.len(), varying.locals.len(), varying.nodes.len()) {
                return varying;
            }
        }
    }

    /// Returns whether one of the statements around a position varies, up to `within`.
    fn inside(&self, outline: &Outline<'_>, mut at: Option<usize>, within: Option<usize>) -> bool {
        while let Some(n) = at.filter(|_| at != within) {
            if self.nodes.contains(&n) {
                return true;
            }
            at = outline.nodes[n].parent;
        }
        false
    }

    fn op(&self, function: &Function, op: &Op) -> bool {
        let mut varies = match op {
            Op::Builtin(builtin) => !matches!(
                builtin,
                Builtin::GroupId | Builtin::NumWorkgroups | Builtin::SubgroupSize | Builtin::NumSubgroups
            ),
            Op::Load(place) => match root(function, *place) {
                Some(Root::Local(local)) => self.locals.contains(&local),
                Some(Root::Memory) => false,
                _ => true,
            },
            Op::ImageLoad(_) | Op::ImageSample(_) | Op::ImageQuery { .. } | Op::InputCount => false,
            Op::Param(_) => true,
            other => !other.is_pure(),
        };
        op.for_each_operand(|operand| varies |= self.values.contains(&operand));
        varies
    }
}

#[derive(Clone)]
struct Slice<'a> {
    function: &'a Function,
    outline: &'a Outline<'a>,
    varying: &'a Varying,
    nodes: FxHashSet<usize>,
    values: FxHashSet<ValueId>,
    locals: FxHashSet<LocalId>,
}

impl Slice<'_> {
    /// Adds a statement, with its condition and its enclosing statements. Returns `None` if threads that returned
    /// cannot run it.
    fn node(&mut self, n: usize) -> Option<()> {
        if !self.nodes.insert(n) {
            return Some(());
        }
        let Node { parent, decides, jumps, .. } = &self.outline.nodes[n];
        decides.map_or(Some(()), |id| self.value(id))?;
        parent.iter().chain(jumps).try_for_each(|other| self.node(*other))
    }

    fn value(&mut self, id: ValueId) -> Option<()> {
        if !self.values.insert(id) {
            return Some(());
        }
        let op = &self.function.value(id)?.op;
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(operand));
        match op {
            Op::Load(place) => match root(self.function, *place)? {
                Root::Local(local) => self.local(local)?,
                Root::Memory if !self.varying.values.contains(place) => {}
                _ => return None,
            },
            Op::ImageLoad(_) | Op::ImageQuery { .. } | Op::InputCount => {
                if operands.iter().any(|operand| self.varying.values.contains(operand)) {
                    return None;
                }
            }
            other if other.is_pure() => {}
            _ => return None,
        }
        operands.into_iter().try_for_each(|operand| self.value(operand))
    }

    fn local(&mut self, local: LocalId) -> Option<()> {
        if !self.locals.insert(local) {
            return Some(());
        }
        if self.outline.given.contains(&local) {
            return None;
        }
        for &(place, value, at) in self.outline.stores.get(&local).into_iter().flatten() {
            self.value(place)?;
            self.value(value)?;
            at.map_or(Some(()), |n| self.node(n))?;
        }
        Some(())
    }
}
