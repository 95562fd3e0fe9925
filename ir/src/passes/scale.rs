//! Multiplies vectors by scalars without repeating the scalar: `v * s.xxx` is [`MathOp::Product`] of `v` and `s`.
//!
//! The roundings are the same. If both operands are NaN, the result may have the bits of the other one.

use crate::function::*;
use crate::types::{Scalar, Type};

/// Rewrites products of a float vector and a repeated scalar that is no constant. [`dead`](super::dead()) removes the
/// repetitions. Exact products stay: a decoration cannot tell which rounding of a [`MathOp::Product`] it means.
pub fn scale(function: &mut Function) {
    let ids: Vec<ValueId> = function.values.iter().filter(|(_, value)| is_candidate(value)).map(|(id, _)| id).collect();
    for id in ids {
        let Op::Binary { lhs, rhs, .. } = function.values[id].op else { continue };
        let scaled = repeated(function, rhs).map(|scalar| (lhs, scalar));
        let scaled = scaled.or_else(|| repeated(function, lhs).map(|scalar| (rhs, scalar)));
        if let Some((vector, scalar)) = scaled {
            function.values[id].op = Op::Math { op: MathOp::Product, args: vec![vector, scalar] };
        }
    }
}

fn is_candidate(value: &Value) -> bool {
    let is_float = matches!(value.ty, Type::Vector(Scalar::F16 | Scalar::F32 | Scalar::F64, _));
    is_float && !value.precise && matches!(value.op, Op::Binary { op: BinaryOp::Mul, .. })
}

/// Returns the scalar that all components of a vector are, unless it is a constant.
fn repeated(function: &Function, vector: ValueId) -> Option<ValueId> {
    let scalar = match &function.value(vector)?.op {
        Op::Swizzle { base, .. } => *base,
        Op::Compose(parts) => *parts.first().filter(|first| parts.iter().all(|part| part == *first))?,
        _ => return None,
    };
    let is_scalar = matches!(function.type_of(scalar)?, Type::Scalar(_));
    (is_scalar && function.constant(scalar).is_none()).then_some(scalar)
}
