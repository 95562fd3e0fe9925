//! The memory outside of the thread that the code of a node may access, by variable.

use super::FusionMode;
use super::groups::each_callee;
use crate::Symbol;
use crate::function::*;
use crate::module::{Binding, Global, GlobalKind, Module, shared_slots};
use crate::types::{Space, Type};
use crate::walk;
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Variables by kind of access. `None` is memory that cannot be named. Globals with one descriptor have the name of the
/// first of them.
#[derive(Clone, Debug, Default)]
pub(super) struct Touched {
    accesses: FxHashSet<(Access, Option<Symbol>)>,
    /// Private globals that are accessed, and those that are written.
    statics: FxHashSet<Symbol>,
    written_statics: FxHashSet<Symbol>,
}

impl Touched {
    /// Collects the accesses of a function and all its callees.
    pub fn of(module: &Module, function: &Function) -> Touched {
        let globals = Globals { all: &module.globals, shared: shared_slots(&module.globals) };
        let mut touched = Touched::default();
        each_callee(module, function, &mut |function| touched.add(&globals, function));
        touched
    }

    /// Collects the accesses of a function alone.
    pub fn of_body(module: &Module, function: &Function) -> Touched {
        let globals = Globals { all: &module.globals, shared: FxHashSet::default() };
        let mut touched = Touched::default();
        touched.add(&globals, function);
        touched
    }

    /// Returns whether the order of the accesses of both matters.
    ///
    /// The specification promises an order only for coherent buffers and atomics, by barriers that remain. So a program
    /// that keeps its rules does not depend on the order of two writes or of two atomics.
    pub fn conflicts(&self, other: &Touched, module: &Module, mode: FusionMode) -> bool {
        let by_rules = mode == FusionMode::Full;
        let is_ordered = |name: &Option<Symbol>| {
            let global = name.as_ref().and_then(|name| module.globals.get(name));
            by_rules && global.is_some_and(|global| matches!(global.kind, GlobalKind::Buffer { coherent: true, .. }))
        };
        let matters = |a: Access, b: Access| match by_rules {
            true => a.conflicts(b) && (a, b) != (Access::Write, Access::Write) && !(a.is_atomic() && b.is_atomic()),
            false => a.conflicts(b),
        };
        // Memory without a name may be any.
        let same = |a: &Option<Symbol>, b: &Option<Symbol>| a.is_none() || b.is_none() || a == b;
        let unordered = |(access, name): &&(Access, Option<Symbol>)| !is_ordered(name) && *access != Access::Read;
        let one_way = |a: &Touched, b: &Touched| {
            a.accesses.iter().filter(unordered).any(|(access, name)| {
                let meets = |(other, of_other): &(Access, Option<Symbol>)| {
                    matters(*access, *other) && same(name, of_other) && !is_ordered(of_other)
                };
                b.accesses.iter().any(meets)
            })
        };
        // Two reads never conflict.
        one_way(self, other) || one_way(other, self)
    }

    /// Iterates over the accesses, each once.
    pub fn accesses(&self) -> impl Iterator<Item = (Option<Symbol>, Access)> {
        self.accesses.iter().map(|(access, name)| (name.clone(), *access))
    }

    /// Iterates over the static variables that the code uses.
    pub fn statics(&self) -> impl Iterator<Item = &Symbol> {
        self.statics.iter()
    }

    /// Iterates over the static variables that the code changes.
    pub fn written_statics(&self) -> impl Iterator<Item = &Symbol> {
        self.written_statics.iter()
    }

    fn add(&mut self, globals: &Globals, function: &Function) {
        let is_atomic = |value: &Value| matches!(value.op, Op::Atomic { .. });
        let used = if function.values.values().any(is_atomic) { used_values(function) } else { FxHashSet::default() };
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Let(id) => self.value(globals, function, *id, used.contains(id)),
            Stmt::Store { place, .. } => self.place(globals, function, *place, Access::Write),
            Stmt::ImageStore { image, .. } => self.place(globals, function, *image, Access::Write),
            Stmt::Spirv(_) => self.spirv(globals, function, &stmt.operands()),
            _ => {}
        });
    }

    /// Adds an inline SPIR-V instruction, which may write any memory, and the static variables among its operands.
    fn spirv(&mut self, globals: &Globals, function: &Function, operands: &[ValueId]) {
        self.accesses.insert((Access::Write, None));
        operands.iter().for_each(|operand| self.place(globals, function, *operand, Access::Write));
    }

    fn value(&mut self, globals: &Globals, function: &Function, id: ValueId, is_used: bool) {
        let Some(value) = function.value(id) else { return };
        match &value.op {
            Op::Load(place) => self.place(globals, function, *place, Access::Read),
            Op::ImageLoad(load) => self.place(globals, function, load.image, Access::Read),
            Op::Atomic { op, place, .. } => self.place(globals, function, *place, Access::of_atomic(*op, is_used)),
            Op::ImageSample(sample) => self.place(globals, function, sample.image, Access::Read),
            Op::Global(name) => {
                if let Some(GlobalKind::Private { .. }) = globals.all.get(name).map(|global| &global.kind) {
                    self.statics.insert(name.clone());
                }
            }
            op @ Op::Spirv(_) => {
                let mut operands = Vec::new();
                op.for_each_operand(|operand| operands.push(operand));
                self.spirv(globals, function, &operands);
            }
            _ => {}
        }
    }

    fn place(&mut self, globals: &Globals, function: &Function, place: ValueId, kind: Access) {
        let name = match root(function, place) {
            Root::Thread => return,
            Root::Global(name) => name,
            Root::Counter(name) => match globals.all.get(&name).map(|global| &global.kind) {
                Some(GlobalKind::Buffer { counter: Some(counter), .. }) => counter.clone(),
                _ => name,
            },
            Root::Unknown => {
                self.insert(globals, kind, None);
                return;
            }
        };
        match globals.all.get(&name).map(|global| &global.kind) {
            Some(GlobalKind::Private { .. }) => {
                if kind != Access::Read {
                    self.written_statics.insert(name);
                }
            }
            // Each group has its own, and the fused code waits before a guest uses them.
            Some(GlobalKind::Workgroup { .. }) => {}
            // Nobody writes them.
            Some(GlobalKind::Constant { .. } | GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. }) => {}
            Some(GlobalKind::Buffer { writable: false, binding, .. }) if !globals.is_shared(binding) => {}
            _ => self.insert(globals, kind, Some(&name)),
        }
    }

    fn insert(&mut self, globals: &Globals, kind: Access, name: Option<&Symbol>) {
        self.accesses.insert((kind, name.map(|name| globals.memory_of(name).clone())));
    }
}

/// The globals of a module, and the slots that several of them use.
struct Globals<'m> {
    all: &'m IndexMap<Symbol, Global>,
    shared: FxHashSet<(u32, u32)>,
}

impl Globals<'_> {
    /// Returns whether another global has this descriptor.
    fn is_shared(&self, binding: &Binding) -> bool {
        self.shared.contains(&binding.slot())
    }

    /// Returns the first global with the descriptor of this one.
    fn memory_of<'s>(&'s self, name: &'s Symbol) -> &'s Symbol {
        let slot = self.all.get(name).and_then(Global::binding).filter(|binding| self.is_shared(binding));
        let Some(slot) = slot.map(Binding::slot) else { return name };
        let has_slot = |global: &&Global| global.binding().map(Binding::slot) == Some(slot);
        self.all.values().find(has_slot).map_or(name, |global| &global.name)
    }
}

/// Returns the values that operations and statements use.
fn used_values(function: &Function) -> FxHashSet<ValueId> {
    let mut used = FxHashSet::default();
    walk::statements(&function.body, &mut |stmt| {
        used.extend(stmt.operands());
        if let Stmt::Let(id) = stmt
            && let Some(value) = function.value(*id)
        {
            value.op.for_each_operand(|id| _ = used.insert(id));
        }
    });
    used
}

/// A kind of access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Access {
    Read,
    Write,
    /// Atomics whose result nothing uses. Those of one kind commute.
    Add,
    Min,
    Max,
    SignedMin,
    SignedMax,
    And,
    Or,
    Xor,
    /// Other atomics: their results, or the final contents, depend on the order.
    Exchange,
}

impl Access {
    pub const ALL: [Access; 11] = [
        Access::Read,
        Access::Write,
        Access::Add,
        Access::Min,
        Access::Max,
        Access::SignedMin,
        Access::SignedMax,
        Access::And,
        Access::Or,
        Access::Xor,
        Access::Exchange,
    ];

    fn of_atomic(op: AtomicOp, is_used: bool) -> Access {
        match op {
            _ if is_used => Access::Exchange,
            AtomicOp::Add => Access::Add,
            AtomicOp::Min => Access::Min,
            AtomicOp::Max => Access::Max,
            AtomicOp::SignedMin => Access::SignedMin,
            AtomicOp::SignedMax => Access::SignedMax,
            AtomicOp::And => Access::And,
            AtomicOp::Or => Access::Or,
            AtomicOp::Xor => Access::Xor,
            AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange | AtomicOp::CompareExchange => Access::Exchange,
        }
    }

    fn is_atomic(self) -> bool {
        !matches!(self, Access::Read | Access::Write)
    }

    /// Returns whether the order of both matters.
    pub fn conflicts(self, other: Access) -> bool {
        self != other || matches!(self, Access::Write | Access::Exchange)
    }
}

enum Root {
    /// Memory of the thread, or a record.
    Thread,
    Global(Symbol),
    /// The counter of a buffer.
    Counter(Symbol),
    Unknown,
}

fn root(function: &Function, place: ValueId) -> Root {
    let (mut at, mut is_counter) = (place, false);
    loop {
        let Some(value) = function.value(at) else { return Root::Unknown };
        at = match &value.op {
            Op::Field { base, .. } | Op::Index { base, .. } => *base,
            Op::Descriptor { array, .. } => *array,
            Op::Wide(buffer) => *buffer,
            Op::Bits(place) => *place,
            Op::Texel { image, .. } => *image,
            Op::Counter(buffer) => {
                is_counter = true;
                *buffer
            }
            Op::Global(name) if is_counter => return Root::Counter(name.clone()),
            Op::Global(name) => return Root::Global(name.clone()),
            Op::Local(_) | Op::InputRecord { .. } | Op::OutputRecord { .. } => return Root::Thread,
            Op::Param(_) if matches!(value.ty, Type::Ref(Space::Function, _)) => return Root::Thread,
            _ => return Root::Unknown,
        };
    }
}
