//! Expands functions that hide several roundings into their operations. Marked ones are computed in the same order on
//! all devices. The formulas are those of DXIL.

use super::super::associated_globals::make;
use crate::function::*;
use crate::types::{Scalar, Type};

/// Expands the marked functions of a block and of its nested blocks.
pub(super) fn expand(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    block(function, &mut body);
    function.body = body;
}

fn hides_roundings(function: &Function, id: ValueId) -> bool {
    let Some(Value { op: Op::Math { op, args }, precise: true, .. }) = function.value(id) else { return false };
    let is_float = args.first().and_then(|arg| function.type_of(*arg)?.scalar()).is_some_and(Scalar::is_float);
    is_float && matches!(op, MathOp::Mix | MathOp::Dot | MathOp::Cross | MathOp::Length | MathOp::Normalize)
}

fn block(function: &mut Function, body: &mut Block) {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in std::mem::take(body) {
        stmt.blocks_mut().for_each(|inner| block(function, inner));
        if let Stmt::Let(id) = stmt
            && hides_roundings(function, id)
            && let Some(op) = expanded(function, id, &mut out)
        {
            function.values[id].op = op;
        }
        out.push(stmt);
    }
    *body = out;
}

/// Returns the last of the operations.
fn expanded(function: &mut Function, id: ValueId, out: &mut Block) -> Option<Op> {
    let Value { op: Op::Math { op, args }, ty, .. } = function.value(id)?.clone() else { return None };
    let mut maker = Maker { function, out };
    Some(match (op, args[..].first().copied()?, args.get(1).copied()) {
        // x + t * (y - x)
        (MathOp::Mix, x, Some(y)) => {
            let difference = maker.binary(BinaryOp::Sub, &ty, y, x);
            let scaled = maker.binary(BinaryOp::Mul, &ty, *args.get(2)?, difference);
            Op::Binary { op: BinaryOp::Add, lhs: x, rhs: scaled }
        }
        (MathOp::Dot, a, Some(b)) => maker.sum_of_products(a, b)?,
        (MathOp::Length, a, _) => {
            let squares = maker.dot(a)?;
            Op::Math { op: MathOp::Sqrt, args: vec![squares] }
        }
        // a * (1 / sqrt(dot(a, a)))
        (MathOp::Normalize, a, _) => {
            let squares = maker.dot(a)?;
            let scalar = Type::Scalar(ty.scalar()?);
            let inverse = maker.make(&scalar, Op::Math { op: MathOp::InverseSqrt, args: vec![squares] });
            let components = vec![0; ty.components()? as usize];
            let inverse = maker.make(&ty, Op::Swizzle { base: inverse, components });
            Op::Binary { op: BinaryOp::Mul, lhs: a, rhs: inverse }
        }
        // a.yzx * b.zxy - a.zxy * b.yzx
        (MathOp::Cross, a, Some(b)) => {
            let mut product = |a_first: [u8; 3], b_first: [u8; 3]| {
                let a = maker.make(&ty, Op::Swizzle { base: a, components: a_first.to_vec() });
                let b = maker.make(&ty, Op::Swizzle { base: b, components: b_first.to_vec() });
                maker.binary(BinaryOp::Mul, &ty, a, b)
            };
            let (lhs, rhs) = (product([1, 2, 0], [2, 0, 1]), product([2, 0, 1], [1, 2, 0]));
            Op::Binary { op: BinaryOp::Sub, lhs, rhs }
        }
        _ => return None,
    })
}

struct Maker<'a> {
    function: &'a mut Function,
    out: &'a mut Block,
}

impl Maker<'_> {
    fn make(&mut self, ty: &Type, op: Op) -> ValueId {
        let precise = matches!(op, Op::Binary { .. } | Op::Math { .. });
        let id = make(self.function, ty.clone(), op, self.out);
        self.function.values[id].precise = precise;
        id
    }

    fn binary(&mut self, op: BinaryOp, ty: &Type, lhs: ValueId, rhs: ValueId) -> ValueId {
        self.make(ty, Op::Binary { op, lhs, rhs })
    }

    fn dot(&mut self, vector: ValueId) -> Option<ValueId> {
        let ty = Type::Scalar(self.function.type_of(vector)?.scalar()?);
        let sum = self.sum_of_products(vector, vector)?;
        Some(self.make(&ty, sum))
    }

    /// Returns `((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w`.
    fn sum_of_products(&mut self, a: ValueId, b: ValueId) -> Option<Op> {
        let ty = self.function.type_of(a)?.clone();
        let (scalar, n) = (Type::Scalar(ty.scalar()?), ty.components()?);
        let products = self.binary(BinaryOp::Mul, &ty, a, b);
        let mut sum = self.make(&scalar, Op::Extract { base: products, index: 0 });
        for index in 1..n {
            let next = self.make(&scalar, Op::Extract { base: products, index });
            if index + 1 == n {
                return Some(Op::Binary { op: BinaryOp::Add, lhs: sum, rhs: next });
            }
            sum = self.binary(BinaryOp::Add, &scalar, sum, next);
        }
        None
    }
}
