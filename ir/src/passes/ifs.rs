//! Replaces small branches by selects: both arms only compute a few values that can be computed anyway.
//!
//! A driver does the same where it helps. Here it also removes blocks, which other passes cannot look through.

use crate::function::*;
use crate::hint::BranchHint;
use crate::types::{Scalar, Type};

/// The maximum number of operations in both arms; more with `[flatten]`.
const MAX_OPERATIONS: usize = 4;
const MAX_FLATTENED: usize = 16;

/// Functions that cost about as much as an operator.
const CHEAP: &[MathOp] = &[
    MathOp::Abs,
    MathOp::Sign,
    MathOp::Min,
    MathOp::Max,
    MathOp::Clamp,
    MathOp::Floor,
    MathOp::Ceil,
    MathOp::Round,
    MathOp::Trunc,
    MathOp::Fract,
    MathOp::Fma,
    MathOp::Any,
    MathOp::All,
    MathOp::CountBits,
    MathOp::ReverseBits,
    MathOp::IsNan,
    MathOp::IsInf,
];

/// Replaces small branches by selects, inner ones first.
pub fn ifs(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    block(function, &mut body);
    function.body = body;
}

fn block(function: &mut Function, block_: &mut Block) {
    let is_nested = |stmt: &Stmt| stmt.is_nested();
    if !block_.iter().any(is_nested) {
        return;
    }
    let mut out = Block::with_capacity(block_.len());
    for mut stmt in block_.drain(..) {
        stmt.blocks_mut().for_each(|inner| block(function, inner));
        match stmt {
            Stmt::If { cond, then, otherwise, results, hint }
                if selects(function, [&then, &otherwise], &results, hint) =>
            {
                let mut values = [then, otherwise].map(|arm| computed(arm, &mut out)).into_iter();
                let (then, otherwise) = (values.next().unwrap_or_default(), values.next().unwrap_or_default());
                for ((&result, &then), &otherwise) in results.iter().zip(&then).zip(&otherwise) {
                    function.values[result].op = Op::Select { cond, then, otherwise };
                    out.push(Stmt::Let(result));
                }
            }
            other => out.push(other),
        }
    }
    *block_ = out;
}

/// Moves the computations of an arm. Returns the values that it yields.
fn computed(arm: Block, out: &mut Block) -> Values {
    let mut yielded = Values::default();
    for stmt in arm {
        match stmt {
            Stmt::Yield(values) => yielded = values,
            // The values have the position of the branch, and a variable has one only in its arm.
            Stmt::At(_) | Stmt::Holds { .. } => {}
            other => out.push(other),
        }
    }
    yielded
}

fn selects(function: &Function, arms: [&Block; 2], results: &[ValueId], hint: BranchHint) -> bool {
    let most = match hint {
        BranchHint::Branch => return false,
        BranchHint::Flatten => MAX_FLATTENED,
        _ => MAX_OPERATIONS,
    };
    let is_selectable = |id: &ValueId| matches!(function.type_of(*id), Some(Type::Scalar(_) | Type::Vector(..)));
    if results.is_empty() || !results.iter().all(is_selectable) {
        return false;
    }
    let mut operations = 0;
    arms.into_iter().flatten().all(|stmt| match stmt {
        Stmt::At(_) | Stmt::Holds { .. } | Stmt::Yield(_) => true,
        Stmt::Let(id) => {
            let Some(value) = function.value(*id) else { return false };
            let is_free = matches!(value.op, Op::Const(_) | Op::Zero | Op::Undef | Op::Param(_));
            operations += usize::from(!is_free);
            operations <= most && can_always_run(function, value)
        }
        _ => false,
    })
}

/// Returns whether a value may be computed where the program would not: it cannot fail, and costs little.
fn can_always_run(function: &Function, value: &Value) -> bool {
    let is_float = |id: ValueId| function.type_of(id).and_then(Type::scalar).is_some_and(Scalar::is_float);
    match &value.op {
        Op::Const(_) | Op::Zero | Op::Undef | Op::Param(_) => true,
        Op::Compose(_) | Op::Extract { .. } | Op::Insert { .. } | Op::Swizzle { .. } => true,
        Op::Shuffle { .. } => true,
        Op::Unary { .. } | Op::Select { .. } | Op::Bitcast(_) | Op::Builtin(_) => true,
        // A division of integers may fail, except by a constant other than 0 and -1.
        Op::Binary { op: BinaryOp::Div | BinaryOp::Rem, lhs, rhs } => {
            let is_safe = |c: ScalarConst| c.bits != 0 && (!c.ty.is_signed() || c.as_i64() != -1);
            is_float(*lhs) || function.constant(*rhs).is_some_and(is_safe)
        }
        Op::Binary { .. } => true,
        // Only integers that fit have a defined result.
        Op::Convert(of) => !is_float(*of) || value.ty.scalar().is_some_and(|to| to.is_float() || to == Scalar::Bool),
        Op::Math { op, .. } => CHEAP.contains(op),
        _ => false,
    }
}
