//! Facts about the flow of values through a function's memory: stores, calls, returns, and the conditions that they
//! depend on.

use crate::Symbol;
use crate::function::*;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// A path from a value or a variable to a part of it; `None` is any element.
pub(super) type Path = Vec<Option<u32>>;

/// Memory that values are followed through.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Local(LocalId),
    /// A parameter taken by reference.
    Param(u32),
    /// A private or groupshared variable of the module.
    Global(Symbol),
}

/// The memory of a place, and the path to it.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    /// `None` for memory that is not followed.
    pub root: Option<Root>,
    pub path: Path,
    /// The indexes on the path.
    pub indexes: Vec<ValueId>,
    /// The place, or one around it, is marked.
    pub precise: bool,
}

pub(super) struct Store {
    pub spot: Spot,
    pub value: ValueId,
    pub frame: usize,
}

pub(super) struct Call {
    pub callee: Symbol,
    pub args: Vec<ValueId>,
    pub result: Option<ValueId>,
    pub frame: usize,
}

/// A block, and the conditions under which it runs.
pub(super) struct Frame {
    /// An earlier frame. The body is its own parent.
    pub parent: usize,
    pub conditions: Vec<ValueId>,
    /// The targets of `break` and `continue`.
    breaks: usize,
    continues: usize,
}

pub(super) struct Facts {
    pub stores: Vec<Store>,
    /// The calls in program order.
    pub calls: Vec<Call>,
    pub returns: Vec<(ValueId, usize)>,
    /// The frames; the first is that of the body.
    pub frames: Vec<Frame>,
    /// The innermost frame that contains all uses of a local.
    pub homes: FxHashMap<LocalId, usize>,
}

impl Facts {
    pub fn of(function: &Function) -> Facts {
        let body = Frame { parent: 0, conditions: Vec::new(), breaks: 0, continues: 0 };
        let mut facts = Facts {
            stores: Vec::new(),
            calls: Vec::new(),
            returns: Vec::new(),
            frames: vec![body],
            homes: FxHashMap::default(),
        };
        facts.block(function, &function.body, 0);
        facts
    }

    fn open(&mut self, parent: usize, condition: Option<ValueId>) -> usize {
        let Frame { breaks, continues, .. } = self.frames[parent];
        self.frames.push(Frame { parent, conditions: condition.into_iter().collect(), breaks, continues });
        self.frames.len() - 1
    }

    fn block(&mut self, function: &Function, block: &Block, frame: usize) {
        for stmt in block {
            self.stmt(function, stmt, frame);
        }
    }

    fn stmt(&mut self, function: &Function, stmt: &Stmt, frame: usize) {
        match stmt {
            Stmt::Let(id) => return self.let_value(function, *id, frame),
            Stmt::Store { place, value } => self.store(function, *place, *value, frame),
            Stmt::ImageStore { image, value, .. } if function.value(*image).is_some_and(|v| v.precise) => {
                let spot = Spot { root: None, path: Path::new(), indexes: Vec::new(), precise: true };
                self.stores.push(Store { spot, value: *value, frame });
            }
            Stmt::Call { callee, args } => {
                let (callee, args) = (callee.clone(), args.clone());
                self.calls.push(Call { callee, args, result: None, frame });
            }
            Stmt::If { cond, then, otherwise, .. } => {
                for arm in [then, otherwise] {
                    let inner = self.open(frame, Some(*cond));
                    self.block(function, arm, inner);
                }
            }
            Stmt::Switch { selector, cases, default, .. } => {
                let whole = self.open(frame, Some(*selector));
                self.frames[whole].breaks = whole;
                for body in cases.iter().map(|c| &c.body).chain([default]) {
                    let inner = self.open(whole, None);
                    self.block(function, body, inner);
                }
            }
            Stmt::Loop { body, continuing, break_if, .. } => {
                let whole = self.open(frame, *break_if);
                (self.frames[whole].breaks, self.frames[whole].continues) = (whole, whole);
                self.block(function, body, whole);
                self.block(function, continuing, whole);
            }
            Stmt::Break(_) => self.jump(frame, self.frames[frame].breaks),
            Stmt::Continue(_) => self.jump(frame, self.frames[frame].continues),
            Stmt::Return(value) => {
                self.returns.extend(value.map(|value| (value, frame)));
                self.jump(frame, 0);
            }
            _ => {}
        }
        for operand in stmt.operands() {
            self.mention(function, operand, frame);
        }
    }

    fn let_value(&mut self, function: &Function, id: ValueId, frame: usize) {
        let Some(value) = function.value(id) else { return };
        match &value.op {
            // Loads and stores use the place.
            Op::Field { .. } | Op::Index { .. } => return,
            Op::Call { callee, args } => {
                let (callee, args) = (callee.clone(), args.clone());
                self.calls.push(Call { callee, args, result: Some(id), frame });
            }
            Op::Atomic { place, value, .. } => self.store(function, *place, *value, frame),
            _ => {}
        }
        value.op.for_each_operand(|operand| self.mention(function, operand, frame));
    }

    fn store(&mut self, function: &Function, place: ValueId, value: ValueId, frame: usize) {
        self.stores.push(Store { spot: spot(function, place), value, frame });
    }

    /// Adds the conditions of a jump: a condition within the frame that is left also decides about the code after it.
    fn jump(&mut self, from: usize, target: usize) {
        let mut conditions = Vec::new();
        let mut frame = from;
        while frame != target && frame != 0 {
            conditions.extend(self.frames[frame].conditions.iter().copied());
            frame = self.frames[frame].parent;
        }
        let target = &mut self.frames[target].conditions;
        conditions.retain(|id| !target.contains(id));
        target.extend(conditions);
    }

    fn mention(&mut self, function: &Function, operand: ValueId, frame: usize) {
        if !matches!(function.type_of(operand), Some(Type::Ref(..))) {
            return;
        }
        if let Some(Root::Local(local)) = spot(function, operand).root {
            let home = self.homes.get(&local).map_or(frame, |home| self.common(*home, frame));
            self.homes.insert(local, home);
        }
    }

    fn common(&self, mut a: usize, mut b: usize) -> usize {
        // Outer frames are opened first.
        while a != b {
            if a > b {
                a = self.frames[a].parent;
            } else {
                b = self.frames[b].parent;
            }
        }
        a
    }
}

/// Returns the memory of a place.
pub(super) fn spot(function: &Function, place: ValueId) -> Spot {
    let mut spot = Spot { root: None, path: Path::new(), indexes: Vec::new(), precise: false };
    let mut at = place;
    while let Some(value) = function.value(at) {
        spot.precise |= value.precise;
        match &value.op {
            Op::Field { base, index } => {
                spot.path.push(Some(*index));
                at = *base;
            }
            Op::Index { base, index } => {
                spot.path.push(function.constant(*index).map(|c| c.bits as u32));
                spot.indexes.push(*index);
                at = *base;
            }
            Op::Descriptor { array, index } => {
                spot.indexes.push(*index);
                at = *array;
            }
            Op::Bits(inner) | Op::Wide(inner) => at = *inner,
            op => {
                spot.root = match (op, &value.ty) {
                    (Op::Local(local), _) => Some(Root::Local(*local)),
                    (Op::Param(n), Type::Ref(Space::Function, _)) => Some(Root::Param(*n)),
                    (Op::Global(name), Type::Ref(Space::Private | Space::Workgroup, _)) => {
                        Some(Root::Global(name.clone()))
                    }
                    (Op::Address(address), _) => {
                        spot.indexes.push(*address);
                        None
                    }
                    _ => None,
                };
                break;
            }
        }
    }
    spot.path.reverse();
    spot
}

/// Returns the part at `needed` within a value stored at `stored`, or `None` if the two are disjoint.
pub(super) fn overlap(stored: &Path, needed: &Path) -> Option<Path> {
    let apart = stored.iter().zip(needed).any(|pair| matches!(pair, (Some(a), Some(b)) if a != b));
    (!apart).then(|| needed.get(stored.len()..).map_or_else(Path::new, <[_]>::to_vec))
}
