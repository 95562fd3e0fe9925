//! Moves operations whose operands do not change in a loop to before the loop.
//!
//! Only direct statements of the body move, and at most eight values of a loop: each occupies a register in all
//! iterations. They cannot fault, so it does not matter if the body left the loop before. Loads move from uniforms and
//! push constants at constant indexes. A loop around the loop may move them further.

use crate::Symbol;
use crate::function::*;
use crate::module::{Global, GlobalKind, Module};
use crate::types::{Scalar, Type};
use crate::value_map::ValueMap;
use indexmap::IndexMap;

/// The most values that leave one loop, without constants, places and parts of vectors.
const MAX_MOVED: usize = 8;
/// The most parts and compositions of vectors that leave one loop.
const MAX_PARTS: usize = 16;

/// Moves invariant operations out of the loops of all functions, inner loops first. Returns whether any moved, besides
/// constants and places.
pub fn hoist(module: &mut Module) -> bool {
    let Module { functions, globals, .. } = module;
    let mut any = false;
    for function in functions.values_mut() {
        let mut body = std::mem::take(&mut function.body);
        let mut hoister = Hoister { function, globals, order: ValueMap::default(), next: 0, any: false };
        hoister.block(&mut body);
        any |= hoister.any;
        function.body = body;
    }
    any
}

struct Hoister<'a> {
    function: &'a Function,
    globals: &'a IndexMap<Symbol, Global>,
    /// Increases with each definition. Those of a loop are at least the number of the loop.
    order: ValueMap<u32>,
    next: u32,
    any: bool,
}

/// The kinds of values, by their cost outside of a loop.
enum Weight {
    /// Constants, and places without an operation.
    Free,
    Part,
    Full,
}

impl Hoister<'_> {
    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            self.next += 1;
            let number = self.next;
            let (order, next) = (&mut self.order, &mut self.next);
            stmt.for_each_definition(|id| {
                *next += 1;
                order.insert(id, *next);
            });
            stmt.blocks_mut().for_each(|inner| self.block(inner));
            if let Stmt::Loop { body, .. } = &mut stmt {
                self.invariants(body, number, &mut out);
            }
            out.push(stmt);
        }
        *block = out;
    }

    /// Moves the invariants of a loop with this number.
    fn invariants(&mut self, body: &mut Block, number: u32, out: &mut Block) {
        let (mut left, mut parts_left) = (MAX_MOVED, MAX_PARTS);
        let mut moves = |this: &mut Self, stmt: &Stmt| {
            let Stmt::Let(id) = stmt else { return false };
            let Some(weight) = this.weight(*id).filter(|_| this.is_invariant(*id, number)) else { return false };
            let left = match weight {
                Weight::Free => None,
                Weight::Part => Some(&mut parts_left),
                Weight::Full => Some(&mut left),
            };
            if let Some(left) = left {
                if *left == 0 {
                    return false;
                }
                *left -= 1;
                this.any = true;
            }
            // Inside of the loops around this one.
            this.order.insert(*id, number - 1);
            true
        };
        let mut kept = Block::with_capacity(body.len());
        for stmt in body.drain(..) {
            let target = if moves(self, &stmt) { &mut *out } else { &mut kept };
            target.push(stmt);
        }
        *body = kept;
    }

    /// Returns whether all operands are computed before the loop.
    fn is_invariant(&self, id: ValueId, number: u32) -> bool {
        let mut all = true;
        self.function.values[id].op.for_each_operand(|operand| {
            all &= self.order.get(operand).is_some_and(|order| *order < number);
        });
        all
    }

    /// Returns the weight of a value that may be computed earlier and more often; `None` for others.
    fn weight(&self, id: ValueId) -> Option<Weight> {
        let Value { op, ty, .. } = self.function.value(id)?;
        if !matches!(ty, Type::Scalar(_) | Type::Vector(..) | Type::Matrix(_) | Type::Ref(..)) {
            return None;
        }
        match op {
            Op::Const(_) | Op::Zero => Some(Weight::Free),
            Op::Global(_) | Op::Field { .. } | Op::Index { .. } => self.is_uniform(id).then_some(Weight::Free),
            Op::Compose(_) | Op::Extract { .. } | Op::Swizzle { .. } | Op::Shuffle { .. } => Some(Weight::Part),
            Op::Unary { .. } | Op::Math { .. } | Op::Bitcast(_) | Op::Select { .. } => Some(Weight::Full),
            Op::Convert(of) => self.converts(*of, ty).then_some(Weight::Full),
            Op::Binary { op: BinaryOp::Div | BinaryOp::Rem, rhs, .. } => self.divides(*rhs).then_some(Weight::Full),
            Op::Binary { .. } => Some(Weight::Full),
            Op::Load(place) => self.is_uniform(*place).then_some(Weight::Full),
            _ => None,
        }
    }

    /// Returns whether a division by the value cannot fault: floats, and constants other than 0 and -1.
    fn divides(&self, by: ValueId) -> bool {
        let is_float = self.function.type_of(by).and_then(Type::scalar).is_some_and(|scalar| scalar.is_float());
        let constant = self.function.constant(by);
        is_float || constant.is_some_and(|c| c.bits != 0 && (c.as_i64() != -1 || !c.ty.is_signed()))
    }

    /// Returns whether a conversion to a type has a defined result for all values. An integer may be too short for a
    /// float, which the loop may have tested.
    fn converts(&self, of: ValueId, to: &Type) -> bool {
        let is_float = self.function.type_of(of).and_then(Type::scalar).is_some_and(Scalar::is_float);
        !is_float || to.scalar().is_some_and(|to| to.is_float() || to == Scalar::Bool)
    }

    /// Returns whether a place is in a uniform or in push constants, at constant indexes.
    fn is_uniform(&self, mut place: ValueId) -> bool {
        loop {
            match self.function.value(place).map(|value| &value.op) {
                Some(Op::Field { base, .. }) => place = *base,
                Some(Op::Index { base, index }) if self.function.constant(*index).is_some() => place = *base,
                Some(Op::Global(name)) => {
                    let kind = self.globals.get(name).map(|global| &global.kind);
                    return matches!(kind, Some(GlobalKind::Uniform { .. } | GlobalKind::PushConstant { .. }));
                }
                _ => return false,
            }
        }
    }
}
