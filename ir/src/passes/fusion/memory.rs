//! The memory outside of the thread that the code of a node may access, by variable.

use crate::Symbol;
use crate::function::*;
use crate::module::{GlobalKind, Module};
use crate::passes::inline::for_each_call;
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
        let (mut seen, mut work) = (FxHashSet::default(), vec![function]);
        while let Some(function) = work.pop() {
            touched.add(module, function);
            for_each_call(function, &mut |callee| {
                if let Some(callee) = module.functions.get(callee).filter(|_| seen.insert(callee.clone())) {
                    work.push(callee);
                }
            });
        }
        touched
    }

    /// Returns whether the order of the accesses of both matters. Atomics commute.
    pub fn conflicts(&self, other: &Touched) -> bool {
        let one_way = |a: &Touched, b: &Touched| {
            meet(&a.written, &b.read)
                || meet(&a.written, &b.written)
                || meet(&a.written, &b.changed_atomically)
                || meet(&a.read, &b.changed_atomically)
        };
        one_way(self, other) || one_way(other, self)
    }

    /// Returns whether the code uses a static variable that it or `other` changes.
    pub fn needs_fresh_statics(&self, other: &Touched) -> bool {
        self.statics.iter().any(|name| self.written_statics.contains(name) || other.written_statics.contains(name))
    }

    fn add(&mut self, module: &Module, function: &Function) {
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Let(id) => self.value(module, function, *id),
            Stmt::Store { place, .. } => self.place(module, function, *place, Kind::Write),
            Stmt::ImageStore { image, .. } => self.place(module, function, *image, Kind::Write),
            Stmt::Spirv(_) => _ = self.written.insert(None),
            _ => {}
        });
    }

    fn value(&mut self, module: &Module, function: &Function, id: ValueId) {
        let Some(value) = function.value(id) else { return };
        match &value.op {
            Op::Load(place) => self.place(module, function, *place, Kind::Read),
            Op::ImageLoad(load) => self.place(module, function, load.image, Kind::Read),
            Op::Atomic { place, .. } => self.place(module, function, *place, Kind::Atomic),
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

    fn place(&mut self, module: &Module, function: &Function, place: ValueId, kind: Kind) {
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
                if kind != Kind::Read {
                    self.written_statics.insert(name);
                }
            }
            // Nobody writes them.
            Some(GlobalKind::Constant { .. } | GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. }) => {}
            Some(GlobalKind::Buffer { writable: false, .. }) => {}
            _ => self.insert(kind, Some(name)),
        }
    }

    fn insert(&mut self, kind: Kind, name: Option<Symbol>) {
        match kind {
            Kind::Read => self.read.insert(name),
            Kind::Write => self.written.insert(name),
            Kind::Atomic => self.changed_atomically.insert(name),
        };
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    Atomic,
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

/// Returns whether two sets have a member in common. Memory without a name may be any.
fn meet(a: &FxHashSet<Option<Symbol>>, b: &FxHashSet<Option<Symbol>>) -> bool {
    let (unnamed, any) = (a.contains(&None) || b.contains(&None), !a.is_empty() && !b.is_empty());
    any && (unnamed || a.iter().any(|name| b.contains(name)))
}
