//! Contracts a product and the only sum that uses it to [`MathOp::Fma`], which devices compute in one step.
//!
//! HLSL and SPIR-V allow it unless the sum or the product is precise (SPIR-V 1.6, 2.18.1, NoContraction). A device may
//! still round twice. Our CPU device does, so that all levels have the same bits there.

use super::associated_globals::{make, visit_lets};
use crate::function::*;
use crate::types::{Scalar, Type};
use crate::walk;

/// Contracts sums and differences of single precision: `a * b + c`, `a * b - c` and `c - a * b`.
pub fn contract(function: &mut Function) {
    let is_product = |value: &Value| is_free(value) && matches!(value.op, Op::Binary { op: BinaryOp::Mul, .. });
    if !function.values.values().any(is_product) {
        return;
    }
    let uses = uses(function);
    let mut body = std::mem::take(&mut function.body);
    visit_lets(&mut body, &mut |id, out| {
        if let Some(op) = contracted(function, &uses, id, out) {
            function.values[id].op = op;
        }
        Some(())
    });
    function.body = body;
}

/// Returns whether an operation on floats of single precision need not round as written.
fn is_free(value: &Value) -> bool {
    !value.precise && matches!(value.ty, Type::Scalar(Scalar::F32) | Type::Vector(Scalar::F32, _))
}

fn raw(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

/// Returns the number of uses of each value. Markers of variables are none, so that they do not change the code.
fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.values.len()];
    let mut count = |id: ValueId| {
        if let Some(uses) = uses.get_mut(raw(id)) {
            *uses += 1;
        }
    };
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Holds { .. } => {}
        Stmt::Let(id) => {
            if let Some(value) = function.value(*id) {
                value.op.for_each_operand(&mut count);
            }
        }
        other => {
            other.operands().into_iter().for_each(&mut count);
            other.for_each_end_operand(&mut count);
        }
    });
    uses
}

/// Returns the operation that computes a sum and one of its operands. Negations go to `out`.
fn contracted(function: &mut Function, uses: &[u32], id: ValueId, out: &mut Block) -> Option<Op> {
    let sum = function.value(id)?;
    let Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = sum.op else { return None };
    if !is_free(sum) {
        return None;
    }
    let factors = |id: ValueId| {
        let value = function.value(id)?;
        let Op::Binary { op: BinaryOp::Mul, lhs, rhs } = value.op else { return None };
        (is_free(value) && uses.get(raw(id)) == Some(&1)).then_some([lhs, rhs])
    };
    let args = match (op, factors(lhs), factors(rhs)) {
        (BinaryOp::Add, Some([a, b]), _) => vec![a, b, rhs],
        (BinaryOp::Add, None, Some([a, b])) => vec![a, b, lhs],
        (_, Some([a, b]), _) => vec![a, b, negated(function, rhs, out)],
        (_, None, Some([a, b])) => match function.is_constant(b) {
            true => vec![a, negated(function, b, out), lhs],
            false => vec![negated(function, a, out), b, lhs],
        },
        (_, None, None) => return None,
    };
    Some(Op::Math { op: MathOp::Fma, args })
}

/// Returns the negation of a float or a vector of floats.
fn negated(function: &mut Function, id: ValueId, out: &mut Block) -> ValueId {
    let value = &function.values[id];
    let op = match &value.op {
        Op::Const(constant) => Op::Const(ScalarConst { bits: constant.bits ^ 1 << 31, ..*constant }),
        Op::Unary { op: UnaryOp::Neg, value } => return *value,
        _ => Op::Unary { op: UnaryOp::Neg, value: id },
    };
    make(function, value.ty.clone(), op, out)
}
