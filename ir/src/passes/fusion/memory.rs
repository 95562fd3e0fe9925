//! The memory outside of the thread that the code of a node may access, by variable.

use super::FusionMode;
use super::groups::each_callee;
use crate::Symbol;
use crate::function::*;
use crate::module::{GlobalKind, Module};
use crate::types::{Space, Type};
use crate::walk;
use rustc_hash::FxHashSet;

/// Variables by kind of access. `None` is memory that cannot be named.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    read: FxHashSet<Option<Symbol>>,
    written: FxHashSet<Option<Symbol>>,
    changed_atomically: FxHashSet<Option<Symbol>>,
    /// Private globals that are accessed, and those that are written.
    statics: FxHashSet<Symbol>,
    written_statics: FxHashSet<Symbol>,
}

impl Touched {
    /// Collects the accesses of a function and all its callees.
    pub fn of(module: &Module, function: &Function) -> Touched {
        let mut touched = Touched::default();
        each_callee(module, function, &mut |function| touched.add(module, function));
        touched
    }

    /// Returns whether the order of the accesses of both matters. Atomics commute.
    ///
    /// The specification promises an order only for coherent buffers and atomics, by barriers that remain. So a program
    /// that keeps its rules does not depend on the order of two writes.
    pub fn conflicts(&self, other: &Touched, module: &Module, mode: FusionMode) -> bool {
        let by_rules = mode == FusionMode::Full;
        let is_ordered = |name: &Option<Symbol>| {
            let global = name.as_ref().and_then(|name| module.globals.get(name));
            by_rules && global.is_some_and(|global| matches!(global.kind, GlobalKind::Buffer { coherent: true, .. }))
        };
        let one_way = |a: &Touched, b: &Touched| {
            meet(&a.written, &b.read, is_ordered)
                || (!by_rules && meet(&a.written, &b.written, is_ordered))
                || meet(&a.written, &b.changed_atomically, is_ordered)
                || meet(&a.read, &b.changed_atomically, is_ordered)
        };
        one_way(self, other) || one_way(other, self)
    }

    /// Iterates over the accesses, each once.
    pub fn accesses(&self) -> impl Iterator<Item = (Option<Symbol>, Access)> {
        let all =
            [(&self.read, Access::Read), (&self.written, Access::Write), (&self.changed_atomically, Access::Atomic)];
        all.into_iter().flat_map(|(names, access)| names.iter().map(move |name| (name.clone(), access)))
    }

    /// Returns whether the code uses a static variable that it or `other` changes.
    pub fn needs_fresh_statics(&self, other: &Touched) -> bool {
        self.statics.iter().any(|name| self.written_statics.contains(name) || other.written_statics.contains(name))
    }

    fn add(&mut self, module: &Module, function: &Function) {
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Let(id) => self.value(module, function, *id),
            Stmt::Store { place, .. } => self.place(module, function, *place, Access::Write),
            Stmt::ImageStore { image, .. } => self.place(module, function, *image, Access::Write),
            Stmt::Spirv(_) => _ = self.written.insert(None),
            _ => {}
        });
    }

    fn value(&mut self, module: &Module, function: &Function, id: ValueId) {
        let Some(value) = function.value(id) else { return };
        match &value.op {
            Op::Load(place) => self.place(module, function, *place, Access::Read),
            Op::ImageLoad(load) => self.place(module, function, load.image, Access::Read),
            Op::Atomic { place, .. } => self.place(module, function, *place, Access::Atomic),
            // Other operations on images read them.
            Op::Global(name) => {
                if let Some(global) = module.globals.get(name) {
                    match global.kind {
                        GlobalKind::Private { .. } => _ = self.statics.insert(name.clone()),
                        GlobalKind::Image { .. } => _ = self.read.insert(Some(name.clone())),
                        _ => {}
                    }
                }
            }
            Op::Spirv(_) => _ = self.written.insert(None),
            _ => {}
        }
    }

    fn place(&mut self, module: &Module, function: &Function, place: ValueId, kind: Access) {
        let name = match root(function, place) {
            Root::Thread => return,
            Root::Global(name) => name,
            Root::Unknown => {
                self.insert(kind, None);
                return;
            }
        };
        match module.globals.get(&name).map(|global| &global.kind) {
            Some(GlobalKind::Private { .. }) => {
                if kind != Access::Read {
                    self.written_statics.insert(name);
                }
            }
            // Nobody writes them.
            Some(GlobalKind::Constant { .. } | GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. }) => {}
            Some(GlobalKind::Buffer { writable: false, .. }) => {}
            _ => self.insert(kind, Some(name)),
        }
    }

    fn insert(&mut self, kind: Access, name: Option<Symbol>) {
        match kind {
            Access::Read => self.read.insert(name),
            Access::Write => self.written.insert(name),
            Access::Atomic => self.changed_atomically.insert(name),
        };
    }
}

/// A kind of access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
    Atomic,
}

impl Access {
    pub const ALL: [Access; 3] = [Access::Read, Access::Write, Access::Atomic];

    /// Returns whether the order of both matters. Atomics commute.
    pub fn conflicts(self, other: Access) -> bool {
        (self, other) != (Access::Read, Access::Read) && (self, other) != (Access::Atomic, Access::Atomic)
    }
}

enum Root {
    /// Memory of the thread, or a record.
    Thread,
    Global(Symbol),
    Unknown,
}

fn root(function: &Function, place: ValueId) -> Root {
    let mut at = place;
    loop {
        let Some(value) = function.value(at) else { return Root::Unknown };
        at = match &value.op {
            Op::Field { base, .. } | Op::Index { base, .. } => *base,
            Op::Descriptor { array, .. } => *array,
            Op::Wide(buffer) => *buffer,
            Op::Global(name) => return Root::Global(name.clone()),
            Op::Local(_) | Op::InputRecord { .. } | Op::OutputRecord { .. } => return Root::Thread,
            Op::Param(_) if matches!(value.ty, Type::Ref(Space::Function, _)) => return Root::Thread,
            _ => return Root::Unknown,
        };
    }
}

type Names = FxHashSet<Option<Symbol>>;

/// Returns whether two sets have a member in common, except for ordered ones. Memory without a name may be any.
fn meet(a: &Names, b: &Names, is_ordered: impl Fn(&Option<Symbol>) -> bool + Copy) -> bool {
    let (mut a, b) = (a.iter().filter(|name| !is_ordered(name)), b);
    let any = || b.iter().any(|name| !is_ordered(name));
    a.any(|name| if name.is_none() { any() } else { b.contains(name) || b.contains(&None) })
}
