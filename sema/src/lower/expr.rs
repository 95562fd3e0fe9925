//! Evaluation of expressions.

use super::place::Lvalue;
use super::{Lower, Lowerer};
use crate::check::env;
use crate::check::hir::{ExprId, ExprKind, UnaryOp};
use crate::tables::figures::grouped;
use crate::types::const_eval::ConstTree;
use crate::types::extent::MAX_LISTED;
use wgc_ir::{BinaryOp, Scalar, ScalarConst, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Evaluates an expression to a value; a place is loaded.
    pub(super) fn value(&mut self, id: ExprId) -> Lower<ValueId> {
        let expr = self.body.expr(id);
        if self.is_resource(expr.ty) {
            return self.resource(id);
        }
        if self.holds_query(expr.ty) {
            return self.copied_query(expr.span);
        }
        if expr.category.in_memory() {
            if let ExprKind::Global(var, owner) = &expr.kind
                && let Some(value) = self.constant_global(*var, *owner, id)
            {
                return Some(value);
            }
            if let ExprKind::Step { increment, post: false, place } = expr.kind {
                // The result is the stored value, regardless of concurrent changes to the place.
                let place = self.place(place)?;
                return self.step(increment, &place).map(|(_, new)| new);
            }
            let place = self.place(id)?;
            return self.at_access(&place, expr.span, |this| this.load(&place));
        }
        match self.effect(id)? {
            Some(value) => Some(value),
            None => self.unsupported(expr.span, "a value of type `void`"),
        }
    }

    /// Evaluates an expression; `None` inside if it has no value.
    pub(super) fn effect(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        self.positioned(id, |this| this.effect_here(id))
    }

    fn effect_here(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        let expr = self.body.expr(id);
        let span = expr.span;
        self.room(span, 0)?;
        if self.is_resource(expr.ty) && !matches!(expr.kind, ExprKind::Assign { .. }) {
            return self.resource(id).map(Some);
        }
        if self.is_node_object(expr.ty) && matches!(expr.kind, ExprKind::Assign { .. } | ExprKind::Call { .. }) {
            self.object(id)?;
            return Some(None);
        }
        if expr.category.in_memory() {
            // `a = b;` as a statement: the place is not read.
            self.place(id)?;
            return Some(None);
        }
        if let Some(value) = self.structure_of_parts(id)? {
            return Some(Some(value));
        }
        let value = match &expr.kind {
            ExprKind::Error => return None,
            ExprKind::Str(_) => return self.unsupported(span, "a string"),
            ExprKind::Const(c) => {
                let ty = self.expr_type(id)?;
                let scalar = ty.scalar().unwrap_or(c.ty);
                // A literal without a type from its context has the widest one.
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
                self.by_rows(&[value], |this, parts| Some(this.b.unary(op, parts[0])))?
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (self.value(*lhs)?, self.value(*rhs)?);
                self.binary(*op, lhs, rhs)?
            }
            ExprKind::Logical { and, lhs, rhs } => self.logical(*and, *lhs, *rhs)?,
            ExprKind::Cond { cond, then, otherwise } => self.cond(id, *cond, *then, *otherwise)?,
            ExprKind::Select { cond, then, otherwise } => {
                let parts = [self.value(*cond)?, self.value(*then)?, self.value(*otherwise)?];
                self.by_rows(&parts, |this, parts| Some(this.b.select(parts[0], parts[1], parts[2])))?
            }
            ExprKind::Step { increment, post, place } => {
                let place = self.place(*place)?;
                let (old, new) = self.step(*increment, &place)?;
                if *post { old } else { new }
            }
            ExprKind::Discard(inner) => {
                self.effect(*inner)?;
                return Some(None);
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
                self.adapt(value, &ty)
            }
            ExprKind::Shape(inner) => {
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                self.adapt(value, &ty)
            }
            ExprKind::Splat(inner) => {
                let scalars = crate::types::extent::extent(self.db, expr.ty).scalars;
                self.room(span, usize::try_from(scalars).unwrap_or(usize::MAX))?;
                let value = self.value(*inner)?;
                let ty = self.expr_type(id)?;
                self.splat(value, &ty)
            }
            ExprKind::Compose(parts) if parts.len() > MAX_LISTED => {
                let what = format!("an array with more than {} listed elements", grouped(MAX_LISTED as u64));
                return self.unsupported(self.body.expr(id).span, &what);
            }
            ExprKind::Compose(parts) => {
                self.room(span, parts.len())?;
                let parts = parts.iter().map(|p| self.value(*p)).collect::<Lower<Vec<_>>>()?;
                match self.expr_type(id)? {
                    ty @ (Type::Scalar(_) | Type::Vector(..) | Type::Matrix(_)) => self.string(ty, parts),
                    ty => {
                        self.mark_parts(expr.ty, &parts);
                        self.b.compose(ty, parts)
                    }
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
            ExprKind::Bits { base, range } => {
                let unit = self.value(*base)?;
                let ty = self.expr_type(id)?;
                self.extract_bits(unit, *range, &ty)
            }
            ExprKind::Pack(fields) => {
                let ty = self.expr_type(id)?;
                let mut unit = self.b.zero(ty);
                for (value, range) in fields {
                    let value = self.value(*value)?;
                    unit = self.insert_bits(unit, *range, value);
                }
                unit
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
            ExprKind::Elements { base, elements } => {
                let base = self.value(*base)?;
                self.element_values(base, elements)?
            }
            ExprKind::Call { callee, this, args } => return Some(self.call(id, *callee, *this, args)?.0),
            ExprKind::Op { op, object, args, callee } => return self.op(id, *op, *callee, *object, args),
            // A resource.
            ExprKind::FromHeap { .. } => return self.resource(id).map(Some),
            // These are always in memory.
            ExprKind::Local(_)
            | ExprKind::Global(..)
            | ExprKind::This
            | ExprKind::Contents(_)
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. } => return self.unsupported(span, "an object as a value"),
        };
        Some(Some(value))
    }

    /// Increments or decrements a place; returns the old and the new value.
    pub(super) fn step(&mut self, increment: bool, place: &Lvalue) -> Lower<(ValueId, ValueId)> {
        let old = self.load(place)?;
        let new = self.by_rows(&[old], |this, parts| {
            let ty = this.b.ty(parts[0]);
            let scalar = ty.scalar().unwrap_or(Scalar::U32);
            let one = crate::check::fold::constant(crate::check::fold::Number::Int(1), scalar);
            let one = this.b.splat_const(&ty, one.bits);
            Some(if increment { this.b.add(parts[0], one) } else { this.b.sub(parts[0], one) })
        })?;
        self.store(place, new)?;
        Some((old, self.as_stored(place, new)))
    }

    /// Returns a constant of the program as a value: scalars, vectors and matrices need no memory.
    fn constant_global(
        &mut self,
        var: crate::db::def::VarId<'db>,
        owner: Option<crate::db::ty::RecordInst<'db>>,
        id: ExprId,
    ) -> Option<ValueId> {
        if let Some(value) = self.input_global(var, owner) {
            let ty = self.expr_type(id)?;
            return Some(self.adapt(value, &ty));
        }
        let tree = env::const_tree(self.db, var, owner)?;
        let ty = self.expr_type(id)?;
        if let (Type::Matrix(m), ConstTree::Composite(rows)) = (&ty, tree) {
            let rows = rows.iter().map(|row| self.constant_number(row, &m.row())).collect::<Option<_>>()?;
            return Some(self.b.compose(ty, rows));
        }
        self.constant_number(tree, &ty)
    }

    /// Returns the system value of a global.
    pub(super) fn input_global(
        &mut self,
        var: crate::db::def::VarId<'db>,
        owner: Option<crate::db::ty::RecordInst<'db>>,
    ) -> Option<ValueId> {
        let crate::types::globals::GlobalKind::SystemValue(number) =
            crate::types::globals::global(self.db, var, owner)?.kind
        else {
            return None;
        };
        crate::types::inline_spirv::input(number).map(|builtin| self.b.builtin(builtin))
    }

    fn constant_number(&mut self, tree: &ConstTree, ty: &Type) -> Option<ValueId> {
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
                Some(self.b.compose(ty.clone(), parts))
            }
        }
    }

    /// Copies a scalar to every component of a type, converted to each.
    pub(super) fn splat(&mut self, value: ValueId, ty: &Type) -> ValueId {
        match ty {
            Type::Scalar(_) => self.b.convert(value, ty.clone()),
            Type::Vector(s, n) => {
                let scalar = self.b.convert(value, Type::Scalar(*s));
                self.b.splat(scalar, u32::from(*n))
            }
            Type::Matrix(m) => {
                let row = self.splat(value, &m.row());
                self.b.compose(ty.clone(), vec![row; usize::from(m.rows)])
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

    pub(super) fn assign_op(&mut self, op: BinaryOp, place: &Lvalue, rhs: ValueId) -> Lower<()> {
        let old = self.load(place)?;
        let (work, target) = (self.b.ty(rhs), self.place_type(place));
        let old = self.adapt(old, &work);
        let new = self.binary(op, old, rhs)?;
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
        self.b.push(wgc_ir::Stmt::if_(left, then, otherwise));
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
        self.b.push(wgc_ir::Stmt::if_(cond, then, otherwise));
        Some(self.b.load(result))
    }

    /// Returns whether an expression has no side effects, cannot fail and has at most `budget` nodes, so that
    /// evaluation costs no more than a branch.
    fn is_simple(&self, id: ExprId, budget: u32) -> bool {
        self.cost(id, budget).is_some()
    }

    /// Returns the remaining budget.
    fn cost(&self, id: ExprId, budget: u32) -> Option<u32> {
        let budget = budget.checked_sub(1)?;
        match &self.body.expr(id).kind {
            ExprKind::Const(_) | ExprKind::Zero | ExprKind::Local(_) => Some(budget),
            ExprKind::Global(var, owner) if env::const_tree(self.db, *var, *owner).is_some() => Some(budget),
            ExprKind::Unary { operand: inner, .. }
            | ExprKind::Convert(inner)
            | ExprKind::Shape(inner)
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
