//! Conversions: their existence, their distance, and the resulting nodes.
//!
//! Implicit conversions exist between scalars, vectors and matrices of numbers, from unscoped enums to numbers, and
//! from a structure to its base. Scalars spread; vectors and matrices may lose components, with a warning. A vector and
//! a matrix convert if they have the same number of components.
//!
//! Explicit conversions also turn numbers into enums, fill a structure or array with a scalar (`(S)0`), and connect
//! structures of equal fields.

use super::Checker;
use super::env;
use super::fold;
use super::hir::{Category, ExprId, ExprKind, ReadOnly};
use crate::db::ty::{RecordInst, Repr, Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::extent::{MAX_LISTED, extent};
use crate::types::numeric::{self, Comp, Distance, Num, Shape};
use wgc_frontend::ast::Span;

impl<'db> Checker<'_, 'db> {
    /// Returns the type as an operand of arithmetic; unscoped enums count as their underlying integer.
    pub(super) fn num(&self, ty: Ty<'db>) -> Option<Num> {
        match ty.kind(self.db) {
            TyKind::Scalar(s) => Some(Num::scalar(Comp::Of(*s))),
            TyKind::LiteralInt => Some(Num::scalar(Comp::LitInt)),
            TyKind::LiteralFloat => Some(Num::scalar(Comp::LitFloat)),
            TyKind::Vector(s, n) => Some(Num { comp: Comp::Of(*s), shape: Shape::vector(*n) }),
            TyKind::Matrix { scalar, rows, columns, .. } => {
                Some(Num { comp: Comp::Of(*scalar), shape: Shape { rows: *rows, width: *columns } })
            }
            TyKind::Enum(e) if !crate::types::enum_values::enum_is_scoped(self.db, *e) => {
                Some(Num::scalar(Comp::Of(env::enum_scalar(self.db, *e))))
            }
            _ => None,
        }
    }

    pub(super) fn num_ty(&self, num: Num) -> Ty<'db> {
        let kind = match (num.comp, num.shape) {
            (Comp::LitInt, Shape::SCALAR) => TyKind::LiteralInt,
            (Comp::LitFloat, Shape::SCALAR) => TyKind::LiteralFloat,
            (comp, Shape::SCALAR) => TyKind::Scalar(comp.settled()),
            (comp, Shape { rows: 0, width }) => TyKind::Vector(comp.settled(), width),
            (comp, Shape { rows, width }) => {
                TyKind::Matrix { scalar: comp.settled(), rows, columns: width, row_major: false }
            }
        };
        Ty::new(self.db, kind)
    }

    /// Returns the type of a variable initialised with this one; literals get a concrete type.
    pub(super) fn settled(&self, ty: Ty<'db>) -> Ty<'db> {
        match ty.kind(self.db) {
            TyKind::LiteralInt => self.scalar_ty(Scalar::I32),
            TyKind::LiteralFloat => self.scalar_ty(Scalar::F32),
            _ => ty,
        }
    }

    /// Returns the distance of an implicit conversion, or `None` if there is none.
    pub(super) fn distance(&self, from: Ty<'db>, to: Ty<'db>) -> Option<Distance> {
        if from == to || self.is_error(from) || self.is_error(to) {
            return Some(0);
        }
        if let (Some(a), Some(b)) = (self.num(from), self.num(to)) {
            // Numbers do not convert implicitly to enums.
            if matches!(to.kind(self.db), TyKind::Enum(_)) {
                return None;
            }
            let enumerated = u32::from(matches!(from.kind(self.db), TyKind::Enum(_)));
            return Some(
                numeric::component_distance(a.comp, b.comp) + numeric::shape_distance(a.shape, b.shape)? + enumerated,
            );
        }
        match (from.kind(self.db), to.kind(self.db)) {
            (TyKind::Record(a), TyKind::Record(_)) if self.holds(*a, to) => Some(1),
            (TyKind::Record(_), TyKind::Record(_)) if self.lies_in_heap(from, to) => Some(1),
            (TyKind::Record(a), TyKind::Record(b)) => crate::types::record::base_depth(self.db, *a, *b),
            _ => None,
        }
    }

    /// Returns whether a record is a constant buffer of that type.
    fn holds(&self, buffer: RecordInst<'db>, contents: Ty<'db>) -> bool {
        matches!(env::builtin(self.db, buffer), Some(Builtin::ConstantBuffer | Builtin::TextureBuffer))
            && env::argument_ty(self.db, buffer) == Some(contents)
    }

    /// Returns whether an element of a heap may be a resource of that type.
    pub(super) fn lies_in_heap(&self, element: Ty<'db>, resource: Ty<'db>) -> bool {
        match (self.builtin(element), self.builtin(resource)) {
            (Some(Builtin::HeapElement(heap)), Some(resource)) => resource.heap() == Some(heap),
            _ => false,
        }
    }

    /// Marks a heap element as `globallycoherent`, as its variable is declared.
    pub(super) fn make_coherent(&mut self, resource: ExprId) {
        match &mut self.body.exprs[resource.0 as usize].kind {
            ExprKind::FromHeap { coherent, .. } => *coherent = true,
            &mut ExprKind::Cond { then, otherwise, .. } => {
                self.make_coherent(then);
                self.make_coherent(otherwise);
            }
            _ => {}
        }
    }

    /// Converts an element of a heap to a resource; if `?:` chooses one of two, converts both.
    fn element_as(&mut self, element: ExprId, to: Ty<'db>) -> ExprId {
        let span = self.span(element);
        let kind = match self.body.expr(element).kind {
            ExprKind::Cond { cond, then, otherwise } => {
                let (then, otherwise) = (self.element_as(then, to), self.element_as(otherwise, to));
                ExprKind::Cond { cond, then, otherwise }
            }
            _ => ExprKind::FromHeap { element, coherent: false },
        };
        self.value(kind, to, span)
    }

    /// Converts implicitly; an impossible conversion is reported, with `what` naming the target.
    pub(super) fn coerce(&mut self, id: ExprId, to: Ty<'db>, what: &str) -> ExprId {
        // Matrix order is part of a global's type, but not of a value's.
        let (from, to) = (self.ty(id), to.unordered(self.db));
        if from == to || self.is_error(from) || self.is_error(to) {
            return id;
        }
        if self.distance(from, to).is_none() {
            let message = format!("cannot convert {what} from `{}` to `{}`", self.show(from), self.show(to));
            let span = self.span(id);
            let mut diagnostic = self.diagnostic(Code::TypeMismatch, span, message);
            if let Some(note) = self.conversion_note(from, to) {
                diagnostic = diagnostic.note(note);
            }
            self.report(diagnostic);
            return self.error_expr(span);
        }
        if let (Some(a), Some(b)) = (self.num(from), self.num(to))
            && a.components() > b.components()
        {
            let message = format!("the conversion of `{}` to `{}` drops components", self.show(from), self.show(to));
            self.error(Code::Truncation, self.span(id), message);
        }
        self.convert(id, to)
    }

    fn conversion_note(&self, from: Ty<'db>, to: Ty<'db>) -> Option<String> {
        match (self.num(from), self.num(to)) {
            (Some(a), Some(b)) if a.shape.width > 0 && b.components() > a.components() => {
                let what = if a.shape.is_matrix() { "matrix" } else { "vector" };
                Some(format!("a {what} of {} components has too few: write a constructor", a.components()))
            }
            (Some(_), _) if matches!(to.kind(self.db), TyKind::Enum(_)) => {
                Some(format!("cast it explicitly: `({})..`", self.show(to)))
            }
            _ if matches!(self.builtin(from), Some(Builtin::HeapElement(_))) => Some(
                "use `SamplerDescriptorHeap` for samplers and `ResourceDescriptorHeap` for other resources".to_string(),
            ),
            _ => None,
        }
    }

    /// Builds a conversion that is known to exist or is explicit.
    pub(super) fn convert(&mut self, id: ExprId, to: Ty<'db>) -> ExprId {
        let from = self.ty(id);
        if from == to || self.is_error(from) {
            return id;
        }
        let span = self.span(id);
        if self.settled(from) != from
            && let Some(passed_on) = self.convert_passed_on(id, to)
        {
            return passed_on;
        }
        let (mut id, mut from_num, to_num) = (id, self.num_or_enum(from), self.num_or_enum(to));
        if let Some(a) = from_num
            && a.shape.is_matrix()
            && a.components() == 1
            && to_num.is_none_or(|b| b.shape != a.shape)
        {
            // The only element of a matrix spreads like a scalar.
            let only = Num::scalar(a.comp);
            let ty = self.num_ty(only);
            (id, from_num) = (self.value(ExprKind::Shape(id), ty, span), Some(only));
            if ty == to {
                return id;
            }
        }
        let (Some(a), Some(b)) = (from_num, to_num) else {
            return match (from_num, to.kind(self.db)) {
                (Some(_), _) if self.is_zero(id) => self.value(ExprKind::Zero, to, span),
                (Some(_), _) if extent(self.db, to).has_bits => match self.fill(id, to, span) {
                    Some(filled) => filled,
                    None => self.unsupported(span, "a cast to this many bit-fields"),
                },
                (Some(_), _) => self.value(ExprKind::Splat(id), to, span),
                _ if from.as_record(self.db).is_some_and(|buffer| self.holds(buffer, to)) => {
                    let category = Category::ReadOnly(ReadOnly::Resource);
                    self.expr_in(ExprKind::Contents(id), to, category, span)
                }
                _ if self.lies_in_heap(from, to) => self.element_as(id, to),
                _ => self.value(ExprKind::Reshape(id), to, span),
            };
        };
        if let ExprKind::Const(c) = self.body.expr(id).kind
            && b.shape == Shape::SCALAR
        {
            let c = fold::constant(fold::number(c), self.storage_scalar(to));
            return self.value(ExprKind::Const(c), to, span);
        }
        // Order: the shape, the component type, the spreading.
        let mut num = a;
        if (a.shape.is_matrix() || b.shape.is_matrix()) && a.shape != b.shape && a.components() > 1 {
            num.shape = b.shape;
            let ty = self.num_ty(num);
            id = self.value(ExprKind::Shape(id), ty, span);
        } else if num.components() > b.components() {
            num.shape = Shape::vector(b.components());
            let components = (0..num.shape.width).collect();
            let ty = self.num_ty(num);
            id = self.value(ExprKind::Swizzle { base: id, components }, ty, span);
        }
        if num.comp != b.comp {
            num.comp = b.comp;
            let ty = self.num_ty(num);
            id = match self.body.expr(id).kind {
                ExprKind::Const(c) => {
                    let c = fold::constant(fold::number(c), b.comp.settled().repr());
                    self.value(ExprKind::Const(c), ty, span)
                }
                _ => self.value(ExprKind::Convert(id), ty, span),
            };
        }
        if num.components() < b.components() {
            return self.value(ExprKind::Splat(id), to, span);
        }
        if self.ty(id) == to { id } else { self.value(ExprKind::Convert(id), to, span) }
    }

    /// Converts the literals in `?:` or `,`, so that `c ? 0.1 : 0.2` keeps their precision. Returns `None` for other
    /// expressions.
    fn convert_passed_on(&mut self, id: ExprId, to: Ty<'db>) -> Option<ExprId> {
        let (kind, span) = (self.body.expr(id).kind.clone(), self.span(id));
        let scalar = match self.num_or_enum(to) {
            Some(num) => self.num_ty(Num::scalar(num.comp)),
            None => self.settled(self.ty(id)),
        };
        let kind = match kind {
            ExprKind::Cond { cond, then, otherwise } => {
                ExprKind::Cond { cond, then: self.convert(then, scalar), otherwise: self.convert(otherwise, scalar) }
            }
            ExprKind::Comma { lhs, rhs } => ExprKind::Comma { lhs, rhs: self.convert(rhs, scalar) },
            _ => return None,
        };
        let converted = self.value(kind, scalar, span);
        Some(self.convert(converted, to))
    }

    /// Like [`Checker::num`], but includes scoped enums for casts.
    pub(super) fn num_or_enum(&self, ty: Ty<'db>) -> Option<Num> {
        match ty.kind(self.db) {
            TyKind::Enum(e) => Some(Num::scalar(Comp::Of(env::enum_scalar(self.db, *e)))),
            _ => self.num(ty),
        }
    }

    /// Returns the scalar type that stores a constant of a scalar type.
    pub(super) fn storage_scalar(&self, ty: Ty<'db>) -> Repr {
        match self.num_or_enum(ty).map(|n| n.comp) {
            Some(Comp::LitInt) => Repr::I64,
            Some(Comp::LitFloat) => Repr::F64,
            Some(Comp::Of(s)) => s.repr(),
            None => Repr::I32,
        }
    }

    fn is_zero(&self, id: ExprId) -> bool {
        match self.body.expr(id).kind {
            ExprKind::Const(c) => matches!(fold::number(c), fold::Number::Int(0)),
            ExprKind::Zero => true,
            _ => false,
        }
    }

    /// Checks `(T)operand`.
    pub(super) fn cast(&mut self, operand: ExprId, to: Ty<'db>, span: Span) -> ExprId {
        let from = self.ty(operand);
        if self.is_error(from) || self.is_error(to) {
            return self.error_expr(span);
        }
        if matches!(to.kind(self.db), TyKind::Void) {
            // Evaluated, and the value is discarded.
            return self.value(ExprKind::Discard(operand), to, span);
        }
        if let (TyKind::Record(a), TyKind::Record(b)) = (from.kind(self.db), to.kind(self.db))
            && crate::types::record::base_depth(self.db, *a, *b).is_some()
        {
            // `((Base)object).field = 1`: an object is also its base.
            let category = self.category(operand);
            return self.expr_in(ExprKind::Base(operand), to, category, span);
        }
        let allowed = match (self.num_or_enum(from), self.num_or_enum(to)) {
            (Some(a), Some(b)) => numeric::shape_distance(a.shape, b.shape).is_some(),
            (Some(a), None) => a.components() == 1 && self.is_plain_data(to),
            _ => from == to || self.distance(from, to).is_some() || self.same_fields(from, to),
        };
        if !allowed {
            if let Some(dealt) = self.recompose(operand, to, span) {
                return dealt;
            }
            let message = format!("`{}` cannot be cast to `{}`", self.show(from), self.show(to));
            return self.error(Code::TypeMismatch, span, message);
        }
        let scalars = extent(self.db, to).scalars;
        if scalars > MAX_LISTED as u64 && !self.is_zero(operand) && self.num_or_enum(to).is_none() {
            return self.unsupported(span, &format!("a cast to {scalars} numbers (the limit is {MAX_LISTED})"));
        }
        if let (TyKind::Record(derived), TyKind::Record(base)) = (from.kind(self.db), to.kind(self.db))
            && crate::types::record::base_depth(self.db, *derived, *base).is_some()
        {
            // A place stays a place: `(Base)derived = base` assigns a part.
            let category = self.body.expr(operand).category;
            return self.expr_in(ExprKind::Base(operand), to, category, span);
        }
        let converted = self.convert(operand, to);
        if self.body.expr(converted).category != Category::Value {
            // A cast is not a place: `(uint)x = 1` is an error.
            return self.value(ExprKind::Convert(converted), to, span);
        }
        converted
    }

    /// Returns whether a type consists of numbers alone, so that `(T)0` can fill it.
    pub(super) fn is_plain_data(&self, ty: Ty<'db>) -> bool {
        let extent = extent(self.db, ty);
        !extent.has_opaque
    }

    /// Returns whether two structures have the same layout under different names.
    fn same_fields(&self, a: Ty<'db>, b: Ty<'db>) -> bool {
        match (a.kind(self.db), b.kind(self.db)) {
            (TyKind::Record(a), TyKind::Record(b)) => {
                let (a, b) = (env::fields(self.db, *a), env::fields(self.db, *b));
                !a.is_empty()
                    && a.len() == b.len()
                    && a.iter().zip(b).all(|(x, y)| x.ty.unordered(self.db) == y.ty.unordered(self.db))
            }
            _ => false,
        }
    }
}
