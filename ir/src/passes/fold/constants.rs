//! Constants: scalars and vectors of them, and operations on them.

use super::{DenormalFlush, Folder};
use crate::function::*;
use crate::passes::vector;
use crate::types::{Scalar, Type};

impl Folder<'_> {
    /// Returns the scalars of a constant scalar or vector. Compositions of other constants have been flattened.
    pub(super) fn scalars(&self, id: ValueId) -> Option<Vec<ScalarConst>> {
        let value = self.function.value(id)?;
        match (&value.op, &value.ty) {
            (Op::Const(constant), _) => Some(vec![*constant]),
            (Op::Zero, Type::Scalar(ty)) => Some(vec![ScalarConst { ty: *ty, bits: 0 }]),
            (Op::Zero, Type::Vector(ty, n)) => Some(vec![ScalarConst { ty: *ty, bits: 0 }; usize::from(*n)]),
            (Op::Compose(parts), Type::Vector(..)) => {
                self.function.constant(*parts.first()?)?;
                parts.iter().map(|part| self.function.constant(*part)).collect()
            }
            _ => None,
        }
    }

    /// Returns the scalar that a constant is, or that all its components are.
    pub(super) fn splat(&self, id: ValueId) -> Option<ScalarConst> {
        let value = self.function.value(id)?;
        match (&value.op, &value.ty) {
            (Op::Zero, Type::Vector(ty, _)) => Some(ScalarConst { ty: *ty, bits: 0 }),
            (Op::Compose(parts), Type::Vector(..)) => {
                let first = self.function.constant(*parts.first()?)?;
                parts.iter().all(|part| self.function.constant(*part) == Some(first)).then_some(first)
            }
            _ => self.function.constant(id),
        }
    }

    /// Returns the operation of a constant. Its components are new values.
    pub(super) fn constant_op(&mut self, ty: &Type, scalars: Vec<ScalarConst>) -> Op {
        match scalars[..] {
            [only] => Op::Const(only),
            _ if scalars.iter().all(|c| c.bits == 0) => Op::Zero,
            _ => {
                let Some(scalar) = ty.scalar() else { return Op::Zero };
                let part = |c: ScalarConst| self.constant(&Type::Scalar(scalar), vec![c]);
                Op::Compose(scalars.into_iter().map(part).collect())
            }
        }
    }

    /// Returns a constant at the start of the function.
    pub(super) fn constant(&mut self, ty: &Type, scalars: Vec<ScalarConst>) -> ValueId {
        if let Some(known) = self.constants.get(&scalars) {
            return *known;
        }
        let op = self.constant_op(ty, scalars.clone());
        let id = self.function.values.alloc(Value::new(ty.clone(), op));
        self.start.push(Stmt::Let(id));
        self.constants.insert(scalars, id);
        id
    }

    /// Returns the result of an operation on constants.
    pub(super) fn evaluate(&self, op: &Op, ty: &Type) -> Option<Vec<ScalarConst>> {
        if let (Op::Zero, Type::Scalar(scalar)) = (op, ty) {
            return Some(vec![ScalarConst { ty: *scalar, bits: 0 }]);
        }
        let operands = self.known_operands(op, |_| None)?;
        self.computed(op, ty, &operands)
    }

    /// Returns the scalars of all operands of an operation that [`vector::evaluate`] knows. `given` has other values.
    pub(super) fn known_operands(
        &self,
        op: &Op,
        given: impl Fn(ValueId) -> Option<Vec<ScalarConst>>,
    ) -> Option<Vec<Vec<ScalarConst>>> {
        let known = |id: &ValueId| given(*id).or_else(|| self.scalars(*id));
        match op {
            Op::Unary { value, .. } | Op::Convert(value) | Op::Bitcast(value) => Some(vec![known(value)?]),
            Op::Binary { lhs, rhs, .. } => Some(vec![known(lhs)?, known(rhs)?]),
            Op::Select { cond, then, otherwise } => Some(vec![known(cond)?, known(then)?, known(otherwise)?]),
            Op::Math { args, .. } => args.iter().map(known).collect(),
            _ => None,
        }
    }

    /// Returns the result of an operation on these scalars. A device that flushes denormals may compute others, and
    /// the bits of a NaN are its choice.
    pub(super) fn computed(&self, op: &Op, ty: &Type, operands: &[Vec<ScalarConst>]) -> Option<Vec<ScalarConst>> {
        let result = vector::evaluate(op, ty, operands).or_else(|| vector::rounded(op, operands))?;
        if result.len() != ty.components()? as usize || result.iter().any(|c| Some(c.ty) != ty.scalar()) {
            return None;
        }
        if !matches!(op, Op::Select { .. } | Op::Bitcast(_)) {
            let flushes = self.flush == DenormalFlush::Required;
            let mut all = operands.iter().flatten().chain(&result);
            if result.iter().any(is_nan) || flushes && all.any(is_denormal) {
                return None;
            }
        }
        Some(result)
    }
}

fn is_nan(c: &ScalarConst) -> bool {
    match c.ty {
        Scalar::F32 => f32::from_bits(c.bits as u32).is_nan(),
        Scalar::F64 => f64::from_bits(c.bits).is_nan(),
        _ => false,
    }
}

/// Returns whether it is a denormal 32-bit float. Devices flush no others on request.
fn is_denormal(c: &ScalarConst) -> bool {
    c.ty == Scalar::F32 && f32::from_bits(c.bits as u32).is_subnormal()
}
