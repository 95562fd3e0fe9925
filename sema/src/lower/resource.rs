//! Objects that expressions of object type denote.
//!
//! Inputs and outputs of a node are known during lowering. Resources are values of the IR that are never in memory:
//! globals, elements of their arrays, parameters and locals. The IR's passes resolve them after inlining.

use super::returned_objects::{RETURNED, returned_objects};
use super::{Binding, Bound, Lower, Lowerer, Object, Passed};
use crate::check::hir::{ExprId, ExprKind};
use crate::check::ops::BuiltinOp;
use crate::db::ty::{Ty, TyKind};
use crate::tables::builtin::Builtin;
use wgc_frontend::ast::Span;
use wgc_ir::{Op, Space, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns the object that an expression denotes.
    pub(super) fn object(&mut self, id: ExprId) -> Lower<Object> {
        let expr = self.body.expr(id);
        if self.is_resource(expr.ty) {
            return self.resource(id).map(Object::Value);
        }
        match &expr.kind {
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(Binding::Object(object)) => Some(*object),
                Some(Binding::Output { id: Some(id), place }) => {
                    let (id, place) = (*id, *place);
                    Some(Object::Output { id, index: self.b.load(place) })
                }
                // There was no assignment.
                Some(Binding::Output { id: None, .. }) => self.nothing(*local, expr.span),
                None if self.is_node_object(expr.ty) => self.nothing(*local, expr.span),
                _ => self.unsupported(expr.span, "this use of an object"),
            },
            ExprKind::Global(..) => self.global_object(id).map(Object::Value),
            ExprKind::Op { op: BuiltinOp::OutputElement, object, args, .. } => {
                let Object::OutputArray(id) = self.object((*object)?)? else {
                    return self.unsupported(expr.span, "this array of outputs");
                };
                let index = self.value(args.first()?.expr())?;
                Some(Object::Output { id, index })
            }
            ExprKind::Convert(inner) => self.object(*inner),
            ExprKind::Comma { lhs, rhs } => {
                self.effect(*lhs)?;
                self.object(*rhs)
            }
            ExprKind::Assign { place, value } => {
                let object = self.object(*value)?;
                self.assign_object(*place, object)?;
                Some(object)
            }
            ExprKind::Call { callee, this, args } => {
                let (index, objects) = self.call(id, *callee, *this, args)?;
                match (returned_objects(self.db, *callee).returned(&objects), index) {
                    (Some(Object::Output { id, .. } | Object::OutputArray(id)), Some(index)) => {
                        Some(Object::Output { id, index })
                    }
                    (Some(object), None) => Some(object),
                    // Errors in the function are reported there.
                    _ if !crate::check::check(self.db, *callee).is_correct => None,
                    _ => self.unknown_output(expr.span, RETURNED),
                }
            }
            _ if self.is_node_object(expr.ty) => self.kept_in_memory(expr.span),
            _ => self.unsupported(expr.span, "this use of an object"),
        }
    }

    /// Returns a buffer's place, or an image.
    pub(super) fn object_value(&mut self, id: ExprId, span: Span) -> Lower<ValueId> {
        match self.object(id)? {
            Object::Value(value) => Some(value),
            _ => self.unsupported(span, "this use of an object"),
        }
    }

    fn global_object(&mut self, id: ExprId) -> Lower<ValueId> {
        let expr = self.body.expr(id);
        let ExprKind::Global(var, owner) = &expr.kind else { return None };
        match crate::lower::globals::access(self.db, *var, *owner) {
            Ok(access) => {
                self.globals.insert((*var, *owner));
                let value = self.b.global_as(access.symbol, access.ty);
                if crate::types::globals::global(self.db, *var, *owner).is_some_and(|g| g.is_precise) {
                    self.b.set_precise(value);
                }
                Some(value)
            }
            Err(no) => self.no_layout(expr.span, &format!("`{}`", expr.ty.display(self.db)), expr.ty, no),
        }
    }

    /// Returns the value of a resource or of an array of them; an array of the program is split into its elements.
    pub(super) fn resource(&mut self, id: ExprId) -> Lower<ValueId> {
        let expr = self.body.expr(id);
        match self.chosen(id)? {
            Some(value) => self.elements(value, self.array_type(id), 0, 1, expr.span),
            None => self.resource_expr(id),
        }
    }

    /// Passes the argument for a parameter that is a resource or an array of them.
    pub(super) fn pass_resource(&mut self, ty: Ty<'db>, arg: ExprId, values: &mut Vec<ValueId>) -> Lower<Bound<'db>> {
        let expr = self.body.expr(arg);
        let whole = match (ty.kind(self.db), &expr.kind) {
            (TyKind::Array(..), ExprKind::Global(..) | ExprKind::Local(_) | ExprKind::Field { .. }) => {
                self.array(arg)?
            }
            _ => None,
        };
        let value = match whole {
            Some(array) => array,
            None => self.resource(arg)?,
        };
        values.push(value);
        let array = Some(self.array_type(arg)).filter(|array| *array != ty);
        let ty = match self.b.ty(value) {
            Type::Array { .. } => return Some(array.map_or(Bound::None, Bound::Array)),
            Type::Descriptors { element, .. } => (*element).clone(),
            ty => ty,
        };
        let passed = match ty {
            Type::Ref(Space::Storage { coherent: true }, _) => Passed::Coherent,
            Type::Ref(Space::PushConstant, _) => Passed::Pushed,
            _ => Passed::Plain,
        };
        Some(Bound::Resource(passed, array.filter(|array| matches!(array.kind(self.db), TyKind::Array(..)))))
    }

    /// Returns the type of an argument; for a parameter that is an array of any length, the type in this lowering.
    pub(super) fn array_type(&self, id: ExprId) -> Ty<'db> {
        let expr = self.body.expr(id);
        match expr.kind {
            ExprKind::Local(local) => self.arrays.get(&local).copied().unwrap_or(expr.ty),
            _ => expr.ty,
        }
    }

    /// Returns the array of the program that an expression without indexes denotes.
    fn array(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        if let Some(part) = self.resource_part(id)? {
            return Some(Some(part).filter(|part| matches!(self.b.ty(*part), Type::Descriptors { .. })));
        }
        let value = match &self.body.expr(id).kind {
            ExprKind::Global(..) if self.body.expr(id).category.in_memory() => return Some(None),
            ExprKind::Global(..) => self.global_object(id)?,
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(Binding::Object(Object::Value(value))) => *value,
                _ => return Some(None),
            },
            _ => return Some(None),
        };
        Some(matches!(self.b.ty(value), Type::Descriptors { .. }).then_some(value))
    }

    /// Splits `array[i][j]` of an array of the program into the array and the index over all dimensions so far. An
    /// array itself has no index.
    fn chosen(&mut self, id: ExprId) -> Lower<Option<(ValueId, Option<ValueId>)>> {
        let expr = self.body.expr(id);
        let ExprKind::Index { base, index } = &expr.kind else {
            return Some(self.array(id)?.map(|array| (array, None)));
        };
        let Some((array, before)) = self.chosen(*base)? else { return Some(None) };
        let index = self.value(*index)?;
        let index = self.b.convert(index, Type::U32);
        let index = match (before, self.body.expr(*base).ty.kind(self.db)) {
            (Some(before), TyKind::Array(_, Some(len))) => {
                let len = self.b.const_u32(*len);
                let rows = self.b.mul(before, len);
                self.b.add(rows, index)
            }
            _ => index,
        };
        Some(Some((array, Some(index))))
    }

    /// Returns the chosen element, or all elements below it as an array value.
    pub(super) fn elements(
        &mut self,
        (array, index): (ValueId, Option<ValueId>),
        ty: Ty<'db>,
        offset: u32,
        scale: u32,
        span: Span,
    ) -> Lower<ValueId> {
        match ty.kind(self.db) {
            TyKind::Array(element, Some(len)) => {
                let value_type = self.ir_type(ty, span)?;
                let mut parts = Vec::new();
                for i in 0..*len {
                    parts.push(self.elements((array, index), *element, offset * len + i, scale * len, span)?);
                }
                Some(self.b.compose(value_type, parts))
            }
            TyKind::Array(_, None) => self.unsupported(span, "a copy of an array of resources without a size"),
            _ => {
                let offset = self.b.const_u32(offset);
                let index = match index {
                    Some(index) if scale == 1 => index,
                    Some(index) => {
                        let scale = self.b.const_u32(scale);
                        let first = self.b.mul(index, scale);
                        self.b.add(first, offset)
                    }
                    None => offset,
                };
                Some(self.b.value(Op::Descriptor { array, index }))
            }
        }
    }

    /// Returns a resource that is not an element of an array of the program.
    fn resource_expr(&mut self, id: ExprId) -> Lower<ValueId> {
        if let Some(part) = self.resource_part(id)? {
            return Some(part);
        }
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Local(local) => match self.locals.get(local).copied() {
                Some(Binding::Object(Object::Value(value))) => Some(value),
                Some(Binding::Place(_)) => self.loaded(id),
                _ => self.unsupported(expr.span, "this use of an object"),
            },
            ExprKind::Global(..) if expr.category.in_memory() => self.loaded(id),
            ExprKind::Global(..) => self.global_object(id),
            ExprKind::Cond { cond, then, otherwise } => self.cond(id, *cond, *then, *otherwise),
            ExprKind::Call { callee, this, args } => self.call(id, *callee, *this, args)?.0,
            ExprKind::Comma { lhs, rhs } => {
                self.effect(*lhs)?;
                self.resource(*rhs)
            }
            ExprKind::Convert(inner) => self.resource(*inner),
            ExprKind::FromHeap { element, coherent } => self.heap_element(*element, expr.ty, *coherent),
            ExprKind::Compose(parts) => {
                let parts = parts.iter().map(|p| self.value(*p)).collect::<Lower<Vec<_>>>()?;
                let ty = self.expr_type(id)?;
                Some(self.b.compose(ty, parts))
            }
            ExprKind::Field { base, index } if !expr.category.in_memory() => {
                let base = self.value(*base)?;
                Some(self.b.extract(base, *index))
            }
            ExprKind::Index { base, index } if !expr.category.in_memory() => {
                let (base, index) = (self.value(*base)?, self.value(*index)?);
                Some(self.b.extract_dynamic(base, index))
            }
            _ if expr.category.in_memory() => self.loaded(id),
            _ => {
                let is_inline = crate::types::record::builtin(self.db, expr.ty) == Some(Builtin::SpirvType);
                let what = if is_inline { "values of a type of inline SPIR-V" } else { "this use of a resource" };
                self.unsupported(expr.span, what)
            }
        }
    }

    /// Returns an element of a heap as a resource.
    fn heap_element(&mut self, element: ExprId, ty: Ty<'db>, coherent: bool) -> Lower<ValueId> {
        let expr = self.body.expr(element);
        let (ExprKind::Op { op: BuiltinOp::HeapElement, args, .. }, Some(Builtin::HeapElement(heap))) =
            (&expr.kind, self.builtin(expr.ty))
        else {
            return self.unsupported(expr.span, "this use of a heap");
        };
        let index = self.value(args.first()?.expr())?;
        let index = self.b.convert(index, Type::U32);
        let view = match crate::lower::heaps::view(self.db, heap, ty, coherent, self.block_layout()) {
            Ok(view) => view,
            Err(no) => return self.no_layout(expr.span, &format!("`{}`", ty.display(self.db)), ty, no),
        };
        let array = self.b.global_as(view.name.clone(), view.value_type());
        if !self.heaps.contains(&view) {
            self.heaps.push(view);
        }
        Some(self.b.value(Op::Descriptor { array, index }))
    }

    fn loaded(&mut self, id: ExprId) -> Lower<ValueId> {
        let place = self.place(id)?;
        self.load(&place)
    }
}
