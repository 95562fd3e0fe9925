//! Joins equal values: the first one replaces the others.
//!
//! Two values are equal if they have the same type, the same pure operation and the same operands. A walk over the
//! statements keeps a table of the visible values. At the end of a block its values leave the table. Equal places join
//! too, so that [`forward`](super::forward()) recognises them. [`dead`](super::dead) removes the replaced values.

use crate::function::*;
use crate::types::Type;
use crate::value_map::ValueMap;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};

/// Joins equal pure values of a function. The remaining value is `precise` if one of them is.
pub fn gvn(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    walk(&mut body, function, &mut Values::default());
    function.body = body;
}

fn walk(block: &mut Block, function: &mut Function, values: &mut Values) {
    for stmt in block {
        stmt.for_each_operand_mut(|id| values.replace(id));
        if let Stmt::Let(id) = stmt {
            let Some(mut op) = take_op(function, *id) else { continue };
            op.for_each_operand_mut(|operand| values.replace(operand));
            values.join_pure(function, *id, &op);
            function.values[*id].op = op;
        }
        for inner in stmt.blocks_mut() {
            let start = values.start();
            walk(inner, function, values);
            values.end(start);
        }
        // The condition is a value of `continuing`, or of a block around the loop.
        if let Stmt::Loop { break_if: Some(id), .. } = stmt {
            values.replace(id);
        }
    }
}

/// Takes the operation out of a value. The caller puts it back.
pub(super) fn take_op(function: &mut Function, id: ValueId) -> Option<Op> {
    function.value(id)?;
    Some(std::mem::replace(&mut function.values[id].op, Op::Undef))
}

/// The version of the memory that a value depends on, other than by its operands. Pure values have the first one.
pub(super) type Version = u32;

/// The visible values, by their contents.
#[derive(Default)]
pub(super) struct Values {
    /// By hash. If two different values share a hash, only the later one is found.
    visible: FxHashMap<u64, (ValueId, Version)>,
    /// Earlier entries of `visible`, which are restored at the end of a block.
    undo: Vec<(u64, Option<(ValueId, Version)>)>,
    replaced: ValueMap<ValueId>,
}

impl Values {
    /// Replaces an operand by the value that it was joined with.
    pub(super) fn replace(&self, id: &mut ValueId) {
        self.replaced.replace(id);
    }

    /// Starts a block. Its end takes the result.
    pub(super) fn start(&self) -> usize {
        self.undo.len()
    }

    /// Forgets the values since the start of a block.
    pub(super) fn end(&mut self, start: usize) {
        for (hash, old) in self.undo.drain(start..).rev() {
            match old {
                Some(old) => self.visible.insert(hash, old),
                None => self.visible.remove(&hash),
            };
        }
    }

    /// Joins a value with an equal one if its operation is pure.
    pub(super) fn join_pure(&mut self, function: &mut Function, id: ValueId, op: &Op) {
        // Undefined values may differ.
        if op.is_pure() && *op != Op::Undef {
            self.join(function, id, op, 0);
        }
    }

    /// Joins a value with a visible one of the same type, operation, operands and version, or makes it visible. The
    /// operands of `op`, the value's operation, are replaced already.
    pub(super) fn join(&mut self, function: &mut Function, id: ValueId, op: &Op, version: Version) {
        let commutes = commutes(function, op);
        let hash = hash(&function.values[id].ty, op, commutes);
        if let Some(&(first, of)) = self.visible.get(&hash)
            && of == version
            && function.values[first].ty == function.values[id].ty
            && (function.values[first].op == *op || commutes && is_swapped(&function.values[first].op, op))
        {
            self.replace_by(function, id, first);
        } else {
            let old = self.visible.insert(hash, (id, version));
            self.undo.push((hash, old));
        }
    }

    /// Replaces a value by another one in all later uses.
    pub(super) fn replace_by(&mut self, function: &mut Function, id: ValueId, by: ValueId) {
        function.values[by].precise |= function.values[id].precise;
        self.replaced.insert(id, by);
    }
}

/// Returns whether the operands may change places. Those of floats may not: the bits of a NaN depend on them.
fn commutes(function: &Function, op: &Op) -> bool {
    use BinaryOp as B;
    match op {
        Op::Binary { op: B::Add | B::Mul | B::And | B::Or | B::Xor | B::Eq | B::Ne, lhs, .. } => {
            function.type_of(*lhs).and_then(Type::scalar).is_some_and(|scalar| !scalar.is_float())
        }
        _ => false,
    }
}

/// Returns whether two binary operations differ only in the order of their operands.
fn is_swapped(first: &Op, second: &Op) -> bool {
    match (first, second) {
        (Op::Binary { op: a, lhs, rhs }, Op::Binary { op: b, lhs: l, rhs: r }) => a == b && lhs == r && rhs == l,
        _ => false,
    }
}

/// Returns a hash of a value's contents. `commutes`: the order of the operands has no influence.
fn hash(ty: &Type, op: &Op, commutes: bool) -> u64 {
    let mut hasher = FxHasher::default();
    std::mem::discriminant(op).hash(&mut hasher);
    hash_type(ty, &mut hasher);
    match op {
        Op::Const(constant) => constant.hash(&mut hasher),
        Op::Param(n) => n.hash(&mut hasher),
        Op::Extract { index, .. } | Op::Insert { index, .. } | Op::Field { index, .. } => index.hash(&mut hasher),
        Op::Swizzle { components, .. } | Op::Shuffle { components, .. } => components.hash(&mut hasher),
        Op::Unary { op, .. } => op.hash(&mut hasher),
        Op::Binary { op, .. } => op.hash(&mut hasher),
        Op::Math { op, .. } => op.hash(&mut hasher),
        Op::Local(local) => local.hash(&mut hasher),
        Op::Global(name) => name.hash(&mut hasher),
        Op::Builtin(builtin) => builtin.hash(&mut hasher),
        Op::OutputValid { output, .. } => output.hash(&mut hasher),
        _ => {}
    }
    match op {
        Op::Binary { lhs, rhs, .. } if commutes => (lhs.min(rhs), lhs.max(rhs)).hash(&mut hasher),
        Op::Global(_) => {}
        op => op.for_each_operand(|operand| operand.hash(&mut hasher)),
    }
    hasher.finish()
}

/// Adds a type to a hash. Structures count by name and size: types that contain others twice at each level would take
/// exponential time.
fn hash_type(ty: &Type, hasher: &mut FxHasher) {
    std::mem::discriminant(ty).hash(hasher);
    match ty {
        Type::Scalar(scalar) => scalar.hash(hasher),
        Type::Vector(scalar, n) => (scalar, n).hash(hasher),
        Type::Array { element, len, stride } => {
            (len, stride).hash(hasher);
            hash_type(element, hasher);
        }
        Type::Struct(structure) => (&structure.name, structure.size).hash(hasher),
        Type::Ref(space, pointee) => {
            space.hash(hasher);
            hash_type(pointee, hasher);
        }
        _ => {}
    }
}
