//! Operations on the scalars of constant vectors, component by component. [`scalar`](super::scalar) has each step.

use super::scalar;
use crate::function::{MathOp, Op, ScalarConst};
use crate::types::Type;

/// Returns the scalars of the result of an operation. `operands` are the scalars of its operands, in order. Only
/// operations that work component by component have a result, and bit casts.
pub(crate) fn evaluate(op: &Op, result: &Type, operands: &[Vec<ScalarConst>]) -> Option<Vec<ScalarConst>> {
    match (op, operands) {
        (Op::Unary { op, .. }, [value]) => value.iter().map(|c| scalar::unary(*op, *c)).collect(),
        (Op::Binary { op, .. }, [lhs, rhs]) => lhs.iter().zip(rhs).map(|(a, b)| scalar::binary(*op, *a, *b)).collect(),
        (Op::Select { .. }, [cond, then, otherwise]) => {
            let chosen = |n: usize| {
                // One bool chooses for all components.
                let cond = if cond.len() == 1 { cond.first() } else { cond.get(n) }?;
                if cond.bits != 0 { then.get(n) } else { otherwise.get(n) }.copied()
            };
            (0..then.len()).map(chosen).collect()
        }
        (Op::Convert(_), [value]) => {
            let to = result.scalar()?;
            value.iter().map(|c| scalar::convert(*c, to)).collect()
        }
        (Op::Bitcast(_), [value]) => {
            // The first components have the low bits.
            let to = result.scalar()?;
            let bytes = |c: &ScalarConst| c.bits.to_le_bytes().into_iter().take(c.ty.size() as usize);
            let bytes: Vec<u8> = value.iter().flat_map(bytes).collect();
            let bits = |part: &[u8]| part.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            Some(bytes.chunks(to.size() as usize).map(|part| ScalarConst { ty: to, bits: bits(part) }).collect())
        }
        (Op::Math { op: MathOp::Any, .. }, [value]) => Some(vec![ScalarConst::bool(value.iter().any(|c| c.bits != 0))]),
        (Op::Math { op: MathOp::All, .. }, [value]) => Some(vec![ScalarConst::bool(value.iter().all(|c| c.bits != 0))]),
        (Op::Math { op, .. }, operands) => each(*op, operands, scalar::math),
        _ => None,
    }
}

/// Like [`evaluate`], for operations of which [`scalar::rounded`] chooses the last bit.
pub(crate) fn rounded(op: &Op, operands: &[Vec<ScalarConst>]) -> Option<Vec<ScalarConst>> {
    match op {
        Op::Math { op, .. } => each(*op, operands, scalar::rounded),
        _ => None,
    }
}

fn each(
    op: MathOp,
    operands: &[Vec<ScalarConst>],
    compute: fn(MathOp, &[ScalarConst]) -> Option<ScalarConst>,
) -> Option<Vec<ScalarConst>> {
    let component = |n: usize| {
        let args: Vec<ScalarConst> = operands.iter().map(|arg| arg.get(n).copied()).collect::<Option<_>>()?;
        compute(op, &args)
    };
    (0..operands.first()?.len()).map(component).collect()
}
