//! Expands functions that hide several roundings into their operations. Marked ones are computed in the same order on
//! all devices. The formulas are those of DXIL.

use super::super::associated_globals::make;
use crate::function::*;
use crate::matrix::MatrixType;
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
    // Products are of floats only.
    *op == MathOp::Product
        || is_float && matches!(op, MathOp::Mix | MathOp::Dot | MathOp::Cross | MathOp::Length | MathOp::Normalize)
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
        (MathOp::Product, a, Some(b)) => maker.product(a, b, &ty)?,
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

    /// Returns the product of vectors, matrices and scalars: a sum of rows for each row of the left side, a sum of
    /// products for each component that a column on the right side gives. `ty` is its type.
    fn product(&mut self, a: ValueId, b: ValueId, ty: &Type) -> Option<Op> {
        let (lhs, rhs) = (self.function.type_of(a)?.clone(), self.function.type_of(b)?.clone());
        match (&lhs, &rhs) {
            (Type::Vector(_, n), Type::Scalar(_)) => {
                let rhs = self.make(&lhs, Op::Swizzle { base: b, components: vec![0; usize::from(*n)] });
                Some(Op::Binary { op: BinaryOp::Mul, lhs: a, rhs })
            }
            (Type::Vector(..), Type::Matrix(m)) => {
                let rows = self.rows(b, *m);
                self.combination(a, &rows, ty)
            }
            (Type::Matrix(m), Type::Vector(scalar, _)) => {
                let mut parts = Vec::with_capacity(usize::from(m.rows));
                for row in self.rows(a, *m) {
                    let sum = self.sum_of_products(row, b)?;
                    parts.push(self.make(&Type::Scalar(*scalar), sum));
                }
                Some(Op::Compose(parts))
            }
            (Type::Matrix(left), Type::Matrix(right)) => {
                let rows = self.rows(b, *right);
                let mut parts = Vec::with_capacity(usize::from(left.rows));
                for row in self.rows(a, *left) {
                    let sum = self.combination(row, &rows, &right.row())?;
                    parts.push(self.make(&right.row(), sum));
                }
                Some(Op::Compose(parts))
            }
            _ => None,
        }
    }

    fn rows(&mut self, matrix: ValueId, m: MatrixType) -> Vec<ValueId> {
        (0..u32::from(m.rows)).map(|index| self.make(&m.row(), Op::Extract { base: matrix, index })).collect()
    }

    /// Returns the sum of rows, each times its component of `factors`.
    fn combination(&mut self, factors: ValueId, rows: &[ValueId], ty: &Type) -> Option<Op> {
        let components = ty.components()? as usize;
        let mut sum = None;
        for (row, at) in rows.iter().zip(0..) {
            let factor = self.make(ty, Op::Swizzle { base: factors, components: vec![at; components] });
            let term = Op::Binary { op: BinaryOp::Mul, lhs: factor, rhs: *row };
            sum = Some(match sum {
                None => term,
                Some(before) => {
                    let (lhs, rhs) = (self.make(ty, before), self.make(ty, term));
                    Op::Binary { op: BinaryOp::Add, lhs, rhs }
                }
            });
        }
        sum
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
