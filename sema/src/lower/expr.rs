//! Evaluation of expressions.

use super::place::Place;
use super::{Lower, Lowerer};
use crate::check::env;
use crate::check::hir::{ExprId, ExprKind, UnaryOp};
use crate::const_eval::ConstTree;
use wgc_ir::{BinaryOp, Scalar, ScalarConst, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// The value of an expression; a place is loaded.
    pub(super) fn value(&mut self, id: ExprId) -> Lower<ValueId> {
        let expr = self.body.expr(id);
        if self.is_resource(expr.ty) {
            return self.resource(id);
        }
        if expr.category.in_memory() {
            if let ExprKind::Global(var, owner) = &expr.kind
                && let Some(value) = self.constant_global(*var, *owner, id)
            {
                return Some(value);
            }
            let place = self.place(id)?;
            return self.load(&place);
        }
        match self.effect(id)? {
            Some(value) => Some(value),
            None => self.unsupported(expr.span, "a value of type `void`"),
        }
    }

    /// Evaluates; `None` inside where there is no value.
    pub(super) fn effect(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        let expr = self.body.expr(id);
        let span = expr.span;
        if self.is_resource(expr.ty) && !matches!(expr.kind, ExprKind::Assign { .. }) {
            return self.resource(id).map(Some);
        }
        if expr.category.in_memory() {
            // `a = b;` as a statement: the place is not read.
            self.place(id)?;
            return Some(None);
        }
        let value = match &expr.kind {
            ExprKind::Error => return None,
            ExprKind::Str(_) => return self.unsupported(span, "a string"),
            ExprKind::Const(c) => {
                let ty = self.expr_type(id)?;
                let scalar = ty.scalar().unwrap_or(c.ty);
                // A literal that nothing gave a type has the widest.
                let c = crate::check::fold::constant(crate::check::fold::number(*c), scalar);
                self.b.constant(c)
            }
            ExprKind::Zero => {
                let ty = self.expr_type(id)?;
                self.b.zero(ty)
            }
            ExprKind::Unary { op, operand } => {
                let value = self.value(*operand)?;
                let op = match op {
                    UnaryOp::Neg => wgc_ir::UnaryOp::Neg,
                    UnaryOp::Not => wgc_ir::UnaryOp::Not,
                    UnaryOp::BitNot => wgc_ir::UnaryOp::BitNot,
                };
                self.b.unary(op, value)
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(*lhs)?, self.value(*rhs)?);
                self.b.binary(*op, lhs, rhs)
            }
            ExprKind::Logical { and, lhs, rhs } => self.logical(*and, *lhs, *rhs)?,
            ExprKind::Cond { cond, then, otherwise } => self.cond(id, *cond, *then, *otherwise)?,
            ExprKind::Step { increment, post, place } => {
                let place = self.place(*place)?;
                let old = self.load(&place)?;
                let ty = self.b.ty(old);
                let scalar = ty.scalar().unwrap_or(Scalar::U32);
                let one = crate::check::fold::constant(crate::check::fold::Number::Int(1), scalar);
                let one = self.b.splat_const(&ty, one.bits);
                let new = if *increment { self.b.add(old, one) } else { self.b.sub(old, one) };
                self.store(&place, new)?;
                if *post { old } else { new }
            }
            ExprKind::Comma { lhs, rhs } => {
                self.effect(*lhs)?;
                if self.body.expr(*rhs).category.in_memory() {
                    return self.value(*rhs).map(Some);
                }
                return self.effect(*rhs);
            }
            ExprKind::Convert(inner) => {
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                if ty.scalar().is_some() { self.b.convert(value, ty) } else { value }
            }
            ExprKind::Splat(inner) => {
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                self.splat(value, &ty)
            }
            ExprKind::Compose(parts) => {
                let parts = parts.iter().map(|p| self.value(*p)).collect::<Lower<Vec<_>>>()?;
                match (self.expr_type(id)?, parts.as_slice()) {
                    (Type::Scalar(_), [only]) => *only,
                    (ty, _) => self.b.compose(ty, parts),
                }
            }
            ExprKind::Once(inner) => {
                if let Some(value) = self.once.get(&id) {
                    return Some(Some(*value));
                }
                let value = self.value(*inner)?;
                self.once.insert(id, value);
                value
            }
            ExprKind::Reshape(inner) => {
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                self.prefix(value, &ty)
            }
            ExprKind::Base(inner) => {
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                self.prefix(value, &ty)
            }
            ExprKind::Field { base, index } => {
                let base = self.value(*base)?;
                self.b.extract(base, *index)
            }
            ExprKind::Index { base, index } => {
                let base = self.value(*base)?;
                let index = self.value(*index)?;
                match self.b.ty(base) {
                    Type::Scalar(_) => base,
                    _ => self.b.extract_dynamic(base, index),
                }
            }
            ExprKind::Swizzle { base, components } => {
                let base = self.value(*base)?;
                self.pick(base, components)
            }
            ExprKind::Call { callee, this, args } => return self.call(id, *callee, *this, args),
            ExprKind::Op { op, object, args, callee } => return self.op(id, *op, *callee, *object, args),
            // Always in memory.
            ExprKind::Local(_)
            | ExprKind::Global(..)
            | ExprKind::This
            | ExprKind::Contents(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. } => return self.unsupported(span, "an object as a value"),
        };
        Some(Some(value))
    }

    /// A constant of the program, as itself: scalars and vectors need no memory.
    fn constant_global(
        &mut self,
        var: crate::def::VarId<'db>,
        owner: Option<crate::ty::RecordInst<'db>>,
        id: ExprId,
    ) -> Option<ValueId> {
        let tree = env::const_tree(self.db, var, owner)?;
        let ty = self.expr_type(id)?;
        let scalar = ty.scalar()?;
        match tree {
            ConstTree::Scalar(c) => Some(self.b.constant(c.cast(scalar).to_ir())),
            ConstTree::Composite(parts) => {
                let parts: Option<Vec<ScalarConst>> = parts
                    .iter()
                    .map(|p| match p {
                        ConstTree::Scalar(c) => Some(c.cast(scalar).to_ir()),
                        ConstTree::Composite(_) => None,
                    })
                    .collect();
                let parts = parts?.into_iter().map(|c| self.b.constant(c)).collect();
                Some(self.b.compose(ty, parts))
            }
        }
    }

    /// A scalar in every scalar of a type, converted to each.
    pub(super) fn splat(&mut self, value: ValueId, ty: &Type) -> ValueId {
        match ty {
            Type::Scalar(_) => self.b.convert(value, ty.clone()),
            Type::Vector(s, n) => {
                let scalar = self.b.convert(value, Type::Scalar(*s));
                self.b.splat(scalar, u32::from(*n))
            }
            Type::Array { element, len, .. } => {
                let element = self.splat(value, element);
                self.b.compose(ty.clone(), vec![element; *len as usize])
            }
            Type::Struct(s) => {
                let parts = s.fields.iter().map(|f| self.splat(value, &f.ty)).collect();
                self.b.compose(ty.clone(), parts)
            }
            _ => value,
        }
    }

    /// Numbers to another type of as many components, or of fewer, or from a scalar to more.
    pub(super) fn adapt(&mut self, value: ValueId, ty: &Type) -> ValueId {
        let from = self.b.ty(value);
        if from == *ty {
            return value;
        }
        let (Some(scalar), Some(have), Some(want)) = (ty.scalar(), from.components(), ty.components()) else {
            return value;
        };
        let value = if have > want {
            let components: Vec<u8> = (0..want as u8).collect();
            self.pick(value, &components)
        } else {
            value
        };
        let value = self.b.convert(value, Type::vector_of(scalar, have.min(want)));
        if have < want { self.b.splat(value, want) } else { value }
    }

    pub(super) fn assign_op(&mut self, op: BinaryOp, place: &Place, value: ExprId) -> Lower<()> {
        let rhs = self.value(value)?;
        let old = self.load(place)?;
        let (work, target) = (self.b.ty(rhs), self.place_type(place));
        let old = self.adapt(old, &work);
        let new = self.b.binary(op, old, rhs);
        let new = self.adapt(new, &target);
        self.store(place, new)
    }

    // ---- choices

    fn logical(&mut self, and: bool, lhs: ExprId, rhs: ExprId) -> Lower<ValueId> {
        let left = self.value(lhs)?;
        if self.is_simple(rhs, 8) {
            let right = self.value(rhs)?;
            return Some(self.b.binary(if and { BinaryOp::And } else { BinaryOp::Or }, left, right));
        }
        let result = self.b.new_local("", Type::BOOL);
        self.b.store(result, left);
        let block = self.nested(|this| {
            let right = this.value(rhs)?;
            this.b.store(result, right);
            Some(())
        })?;
        let (then, otherwise) = if and { (block, Vec::new()) } else { (Vec::new(), block) };
        self.b.push(wgc_ir::Stmt::If { cond: left, then, otherwise });
        Some(self.b.load(result))
    }

    pub(super) fn cond(&mut self, id: ExprId, cond: ExprId, then: ExprId, otherwise: ExprId) -> Lower<ValueId> {
        let ty = self.expr_type(id)?;
        let cond = self.value(cond)?;
        let is_number = ty.scalar().is_some();
        if is_number && self.is_simple(then, 8) && self.is_simple(otherwise, 8) {
            let (then, otherwise) = (self.value(then)?, self.value(otherwise)?);
            return Some(self.b.select(cond, then, otherwise));
        }
        let result = self.b.new_local("", ty);
        let mut blocks = Vec::new();
        for side in [then, otherwise] {
            blocks.push(self.nested(|this| {
                let value = this.value(side)?;
                this.b.store(result, value);
                Some(())
            })?);
        }
        let otherwise = blocks.pop().unwrap_or_default();
        let then = blocks.pop().unwrap_or_default();
        self.b.push(wgc_ir::Stmt::If { cond, then, otherwise });
        Some(self.b.load(result))
    }

    /// Without effect, without danger, and no more than `budget` nodes: as cheap to evaluate as to jump over.
    fn is_simple(&self, id: ExprId, budget: u32) -> bool {
        self.cost(id, budget).is_some()
    }

    /// What is left of the budget.
    fn cost(&self, id: ExprId, budget: u32) -> Option<u32> {
        let budget = budget.checked_sub(1)?;
        match &self.body.expr(id).kind {
            ExprKind::Const(_) | ExprKind::Zero | ExprKind::Local(_) => Some(budget),
            ExprKind::Global(var, owner) if env::const_tree(self.db, *var, *owner).is_some() => Some(budget),
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Convert(inner)
            | ExprKind::Splat(inner)
            | ExprKind::Swizzle { base: inner, .. } => self.cost(*inner, budget),
            ExprKind::Field { base, .. } if matches!(self.body.expr(*base).kind, ExprKind::Local(_)) => Some(budget),
            ExprKind::Binary { op, lhs, rhs } if !matches!(op, BinaryOp::Div | BinaryOp::Rem) => {
                let left = self.cost(*lhs, budget)?;
                self.cost(*rhs, left)
            }
            ExprKind::Logical { lhs, rhs, .. } => {
                let left = self.cost(*lhs, budget)?;
                self.cost(*rhs, left)
            }
            _ => None,
        }
    }
}
