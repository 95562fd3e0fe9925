//! Constant folding: scalar operations on constants, parts of values just composed, and branches on constants.
//!
//! A folded value keeps its id, so its name and its position in the text stay. An operation may reduce to an earlier
//! value, such as an element of a composition or a select on a constant. Such a value replaces it in all uses.

use super::scalar;
use crate::function::*;
use crate::hint::BranchHint;
use crate::types::{Scalar, Type};
use rustc_hash::FxHashMap;

/// Folds constants. [`dead`](super::dead) removes the unused code that remains.
pub fn fold(function: &mut Function) {
    let body = std::mem::take(&mut function.body);
    let mut folder = Folder { function, replaced: FxHashMap::default() };
    let body = folder.block(body);
    function.body = body;
}

struct Folder<'a> {
    function: &'a mut Function,
    replaced: FxHashMap<ValueId, ValueId>,
}

impl Folder<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            self.stmt(stmt, &mut out);
            // A branch that is certainly taken may have ended the block.
            if out.last().is_some_and(Stmt::ends_block) {
                break;
            }
        }
        out
    }

    fn replace(&self, id: &mut ValueId) {
        if let Some(new) = self.replaced.get(id) {
            *id = *new;
        }
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        stmt.for_each_operand_mut(|id| self.replace(id));
        match stmt {
            Stmt::Let(id) => {
                self.value(id);
                out.push(Stmt::Let(id));
            }
            Stmt::If { cond, then, otherwise, results, hint } => match self.function.constant(cond) {
                Some(c) => {
                    let taken = self.block(if c.bits != 0 { then } else { otherwise });
                    self.taken(taken, &results, out);
                }
                None => {
                    let then = self.block(then);
                    let otherwise = self.block(otherwise);
                    out.push(Stmt::If { cond, then, otherwise, results, hint });
                }
            },
            Stmt::Switch { selector, cases, default, results, hint } => {
                self.switch(selector, cases, (default, results, hint), out);
            }
            mut other => {
                for inner in other.blocks_mut() {
                    *inner = self.block(std::mem::take(inner));
                }
                other.for_each_end_operand_mut(|id| self.replace(id));
                out.push(other);
            }
        }
    }

    /// Adds the arm that is certainly taken. Its values replace the results.
    fn taken(&mut self, mut arm: Block, results: &[ValueId], out: &mut Block) {
        if let Some(Stmt::Yield(values)) = arm.last() {
            self.replaced.extend(results.iter().copied().zip(values.iter().copied()));
            arm.pop();
        }
        out.append(&mut arm);
    }

    fn switch(
        &mut self,
        selector: ValueId,
        cases: Vec<Case>,
        (default, results, hint): (Block, Values, BranchHint),
        out: &mut Block,
    ) {
        if let Some(c) = self.function.constant(selector) {
            let chosen = cases.iter().find(|case| case.labels.iter().any(|&l| l as u64 & c.ty.mask() == c.bits));
            let body = chosen.map_or(&default, |case| &case.body);
            let (inner, values) = match body.split_last() {
                Some((Stmt::Break(values), inner)) => (inner, Some(values)),
                _ => (&body[..], None),
            };
            // A break in the middle needs an enclosing statement to leave.
            if !may_break(inner) {
                let mut arm = inner.to_vec();
                arm.extend(values.filter(|values| !values.is_empty()).map(|values| Stmt::Yield(values.clone())));
                let arm = self.block(arm);
                self.taken(arm, &results, out);
                return;
            }
        }
        let cases = cases.into_iter().map(|c| Case { labels: c.labels, body: self.block(c.body) }).collect();
        let default = self.block(default);
        out.push(Stmt::Switch { selector, cases, default, results, hint });
    }

    fn value(&mut self, id: ValueId) {
        if self.function.value(id).is_none() {
            return;
        }
        let mut op = std::mem::replace(&mut self.function.values[id].op, Op::Undef);
        op.for_each_operand_mut(|operand| self.replace(operand));
        let ty = self.function.values[id].ty.clone();
        if let Some(same) = self.one_of_its_operands(&op)
            && self.function.type_of(same) == Some(&ty)
        {
            self.function.values[same].precise |= self.function.values[id].precise;
            self.replaced.insert(id, same);
        } else if let Type::Scalar(scalar) = ty
            && let Some(constant) = self.evaluate(&op, scalar)
        {
            op = Op::Const(constant);
        }
        self.function.values[id].op = op;
    }

    fn op(&self, id: ValueId) -> Option<&Op> {
        self.function.value(id).map(|v| &v.op)
    }

    /// Returns the earlier value that the operation is equal to. It was computed before the operand in an enclosing
    /// block, so it is visible here.
    fn one_of_its_operands(&self, op: &Op) -> Option<ValueId> {
        match op {
            Op::Extract { base, index } => self.component(*base, *index),
            Op::Swizzle { base, components } => match components[..] {
                [index] if matches!(self.function.type_of(*base)?, Type::Scalar(_)) && index == 0 => Some(*base),
                [index] => self.component(*base, u32::from(index)),
                _ => None,
            },
            Op::ExtractDynamic { base, index } => {
                let index = self.function.constant(*index)?;
                self.component(*base, u32::try_from(index.bits).ok()?)
            }
            Op::Select { cond, then, otherwise } => {
                let cond = self.function.constant(*cond)?;
                Some(if cond.bits != 0 { *then } else { *otherwise })
            }
            Op::Convert(value) | Op::Bitcast(value) => Some(*value),
            Op::Binary { op, lhs, rhs } => self.neutral(*op, *lhs, *rhs),
            _ => None,
        }
    }

    /// Returns the operand that an operation on integers or bools does not change, as in `x + 0`.
    fn neutral(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<ValueId> {
        let is_neutral = |id: ValueId| {
            let constant = self.function.constant(id).filter(|c| !c.ty.is_float());
            constant.is_some_and(|c| neutral_bits(op, c.ty) == Some(c.bits))
        };
        let commutes = matches!(op, BinaryOp::Add | BinaryOp::Or | BinaryOp::Xor | BinaryOp::Mul | BinaryOp::And);
        if is_neutral(rhs) {
            Some(lhs)
        } else if commutes && is_neutral(lhs) {
            Some(rhs)
        } else {
            None
        }
    }

    /// Returns the result of an operation on integers or bools that one operand alone decides, as in `x * 0`.
    fn decided(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<ScalarConst> {
        use BinaryOp as B;
        let constant = |id: ValueId| self.function.constant(id).filter(|c| !c.ty.is_float());
        let is_unsigned_zero =
            |id: ValueId| constant(id).is_some_and(|c| c.bits == 0 && c.ty.is_integer() && !c.ty.is_signed());
        match op {
            B::Mul | B::And => [lhs, rhs].into_iter().filter_map(constant).find(|c| c.bits == 0),
            B::Or => [lhs, rhs].into_iter().filter_map(constant).find(|c| c.ty == Scalar::Bool && c.bits == 1),
            B::Lt if is_unsigned_zero(rhs) => Some(ScalarConst::bool(false)),
            B::Ge if is_unsigned_zero(rhs) => Some(ScalarConst::bool(true)),
            B::Gt if is_unsigned_zero(lhs) => Some(ScalarConst::bool(false)),
            B::Le if is_unsigned_zero(lhs) => Some(ScalarConst::bool(true)),
            B::Rem => constant(rhs).filter(|c| c.bits == 1).map(|c| ScalarConst { bits: 0, ..c }),
            _ => None,
        }
    }

    /// Returns the value of one element of a composed value.
    fn component(&self, base: ValueId, index: u32) -> Option<ValueId> {
        match self.op(base)? {
            Op::Compose(parts) => {
                let scalar_parts = parts.iter().all(|p| matches!(self.function.type_of(*p), Some(Type::Scalar(_))));
                let vector = matches!(self.function.type_of(base)?, Type::Vector(..));
                if vector && !scalar_parts {
                    return None;
                }
                parts.get(index as usize).copied()
            }
            Op::Insert { base, index: inserted, value } => {
                if *inserted == index {
                    Some(*value)
                } else {
                    self.component_once(*base, index)
                }
            }
            Op::Swizzle { base, components } => {
                let scalar = matches!(self.function.type_of(*base)?, Type::Scalar(_));
                match components.get(index as usize) {
                    Some(_) if scalar => Some(*base),
                    Some(&c) => self.component_once(*base, u32::from(c)),
                    None => None,
                }
            }
            _ => None,
        }
    }

    /// Looks one step back only: chains of insertions would make the pass quadratic.
    fn component_once(&self, base: ValueId, index: u32) -> Option<ValueId> {
        match self.op(base)? {
            Op::Compose(parts) if parts.len() as u32 == self.function.type_of(base)?.components()? => {
                parts.get(index as usize).copied()
            }
            _ => None,
        }
    }

    fn evaluate(&self, op: &Op, result: Scalar) -> Option<ScalarConst> {
        let constant = |id: &ValueId| self.function.constant(*id);
        let folded = match op {
            Op::Zero => ScalarConst { ty: result, bits: 0 },
            Op::Unary { op, value } => scalar::unary(*op, constant(value)?)?,
            Op::Binary { op, lhs, rhs } => match (constant(lhs), constant(rhs)) {
                (Some(lhs), Some(rhs)) => scalar::binary(*op, lhs, rhs)?,
                _ => self.decided(*op, *lhs, *rhs)?,
            },
            Op::Convert(value) => scalar::convert(constant(value)?, result)?,
            Op::Bitcast(value) => ScalarConst { ty: result, bits: constant(value)?.bits },
            Op::Math { op, args } => {
                let args: Vec<ScalarConst> = args.iter().map(constant).collect::<Option<_>>()?;
                scalar::math(*op, &args)?
            }
            _ => return None,
        };
        (folded.ty == result).then_some(folded)
    }
}

/// Returns the right operand with which an operation returns its left one.
fn neutral_bits(op: BinaryOp, ty: Scalar) -> Option<u64> {
    use BinaryOp as B;
    match op {
        B::Add | B::Sub | B::Or | B::Xor | B::Shl | B::Shr => Some(0),
        B::Mul | B::Div => Some(1),
        B::And => Some(if ty == Scalar::Bool { 1 } else { ty.mask() }),
        _ => None,
    }
}

/// Returns whether a `Break` in the block leaves the statement around it.
pub(super) fn may_break(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Break(_) => true,
        Stmt::If { then, otherwise, .. } => may_break(then) || may_break(otherwise),
        _ => false,
    })
}
