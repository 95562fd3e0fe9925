//! Initialisers: constructors `uint2(a, b)` and lists `{ a, { b, c } }`, which HLSL flattens to scalars and distributes
//! to the parts of the type in order.

use super::Checker;
use super::env;
use super::hir::{Category, ExprId, ExprKind};
use crate::db::ty::{Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::extent::{Extent, MAX_DEPTH, MAX_PARTS, extent};
use crate::types::numeric::{Comp, Num};
use std::collections::VecDeque;
use wgc_frontend::ast::{self, Span};

/// Scalars of a value that a cast may split.
const MAX_DEALT: u64 = 1 << 12;

/// Tokens of `{}`.
const EMPTY_LIST: u32 = 2;

/// Parts that remain to be distributed.
#[derive(Default)]
struct Parts {
    left: VecDeque<ExprId>,
    /// For a cast, in which numbers also convert to enums.
    is_cast: bool,
}

impl<'db> Checker<'_, 'db> {
    /// Checks the initialiser of a variable of type `ty`; an unsized array gets its size. Also returns the type.
    pub(super) fn initializer(&mut self, init: ast::ExprId, ty: Ty<'db>, what: &str) -> (ExprId, Ty<'db>) {
        let span = self.ast.exprs[init].span;
        if let ast::ExprKind::List(items) = &self.ast.exprs[init].kind {
            return self.list(items, ty, span);
        }
        let value = self.expr(init);
        (self.coerce(value, ty, what), ty)
    }

    fn list(&mut self, items: &[ast::ExprId], ty: Ty<'db>, span: Span) -> (ExprId, Ty<'db>) {
        let mut parts = Parts::default();
        for item in items {
            self.flatten(*item, &mut parts);
        }
        // A record that contains itself or is too large: its definition is reported.
        let large = |e: Extent| e.depth > MAX_DEPTH || e.parts > MAX_PARTS;
        let wrong = |this: &Self, ty| this.is_error(ty) || large(extent(this.db, ty));
        if parts.left.iter().any(|p| wrong(self, self.ty(*p))) || wrong(self, ty) {
            return (self.error_expr(span), ty);
        }
        if let TyKind::Array(element, None) = ty.kind(self.db) {
            let mut elements = Vec::new();
            while !parts.left.is_empty() {
                match self.deal(*element, &mut parts, span) {
                    Some(e) => elements.push(e),
                    None => return (self.too_few(ty, span), ty),
                }
            }
            let ty = Ty::new(self.db, TyKind::Array(*element, Some(elements.len() as u32)));
            return (self.value(ExprKind::Compose(elements), ty, span), ty);
        }
        // `{ 0 }` and `{}` are not exceptions in HLSL: the counts must agree, apart from a scalar for a scalar.
        let Some(value) = self.deal(ty, &mut parts, span) else { return (self.too_few(ty, span), ty) };
        if !parts.left.is_empty() {
            let message = format!("too many values for `{}`", self.show(ty));
            return (self.error(Code::BadInitializer, span, message), ty);
        }
        (value, ty)
    }

    /// Converts a value to another shape with at most as many scalars: `(float3)array`. Matrices count row by row,
    /// regardless of their memory layout. Returns `None` if there is no such conversion.
    pub(super) fn recompose(&mut self, value: ExprId, to: Ty<'db>, span: Span) -> Option<ExprId> {
        let (have, want) = (extent(self.db, self.ty(value)), extent(self.db, to));
        let plain = |e: Extent| !e.has_opaque && e.depth <= MAX_DEPTH && e.parts <= MAX_PARTS;
        if !plain(have) || !plain(want) || want.scalars > have.scalars || want.scalars > MAX_DEALT {
            return None;
        }
        let whole = self.once(value);
        self.deal(to, &mut Parts { left: VecDeque::from([whole]), is_cast: true }, span)
    }

    /// Fills every bit-field and every other scalar of a type with a scalar.
    pub(super) fn fill(&mut self, scalar: ExprId, to: Ty<'db>, span: Span) -> Option<ExprId> {
        let count = extent(self.db, to).scalars;
        if count > MAX_DEALT {
            return None;
        }
        let one = self.once(scalar);
        self.deal(to, &mut Parts { left: std::iter::repeat_n(one, count as usize).collect(), is_cast: true }, span)
    }

    fn too_few(&mut self, ty: Ty<'db>, span: Span) -> ExprId {
        let shown = self.show(ty);
        let mut diagnostic = self.diagnostic(Code::BadInitializer, span, format!("too few values for `{shown}`"));
        // In C++ an empty list means zero.
        if span.hi == span.lo + EMPTY_LIST {
            diagnostic =
                diagnostic.fix(self.place(span), format!("({shown})0"), "cast zero to set all members to zero");
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    fn flatten(&mut self, item: ast::ExprId, parts: &mut Parts) {
        if let ast::ExprKind::List(items) = &self.ast.exprs[item].kind {
            for item in items {
                self.flatten(*item, parts);
            }
        } else {
            let value = self.expr(item);
            parts.left.push_back(value);
        }
    }

    /// Takes as many parts as `ty` needs; `None` if they run out. A part that does not fit is reported.
    fn deal(&mut self, ty: Ty<'db>, parts: &mut Parts, span: Span) -> Option<ExprId> {
        let ty = ty.unordered(self.db);
        // An empty type consumes nothing from the list but a value of that type, and contributes nothing to other
        // types.
        let is_empty = |this: &Self, ty: Ty<'db>| this.is_plain_data(ty) && extent(this.db, ty).scalars == 0;
        if is_empty(self, ty) {
            return match parts.left.front() {
                Some(given) if self.ty(*given) == ty => parts.left.pop_front(),
                _ => Some(self.value(ExprKind::Zero, ty, span)),
            };
        }
        while parts.left.front().is_some_and(|part| is_empty(self, self.ty(*part))) {
            parts.left.pop_front();
        }
        let first = *parts.left.front()?;
        let whole = self.ty(first) == ty
            || matches!((self.num(self.ty(first)), self.num(ty)), (Some(a), Some(b)) if a.shape == b.shape);
        if whole {
            parts.left.pop_front();
            return Some(self.fit(first, ty, parts));
        }
        match ty.kind(self.db).clone() {
            TyKind::Vector(s, n) => {
                let scalar = self.scalar_ty(s);
                let elements = (0..n).map(|_| self.deal(scalar, parts, span)).collect::<Option<Vec<_>>>()?;
                Some(self.value(ExprKind::Compose(elements), ty, span))
            }
            TyKind::Matrix { scalar, rows, columns, .. } => {
                let scalar = self.scalar_ty(scalar);
                let elements =
                    (0..rows * columns).map(|_| self.deal(scalar, parts, span)).collect::<Option<Vec<_>>>()?;
                Some(self.value(ExprKind::Compose(elements), ty, span))
            }
            TyKind::Array(element, Some(n)) => {
                let mut elements = Vec::new();
                for _ in 0..n {
                    elements.push(self.deal(element, parts, span)?);
                }
                Some(self.value(ExprKind::Compose(elements), ty, span))
            }
            TyKind::Record(r) if env::builtin(self.db, r).is_none() => {
                let mut elements = Vec::new();
                for field in env::fields(self.db, r) {
                    if field.bits.is_empty() {
                        elements.push(self.deal(field.ty, parts, span)?);
                        continue;
                    }
                    let mut packed = Vec::new();
                    for bits in field.named_bits() {
                        packed.push((self.deal(bits.ty, parts, span)?, bits.range));
                    }
                    elements.push(self.value(ExprKind::Pack(packed), field.ty, span));
                }
                Some(self.value(ExprKind::Compose(elements), ty, span))
            }
            _ => {
                // A scalar is needed and the part is larger, so it is split.
                if !self.cut(first, parts, ty) {
                    parts.left.pop_front();
                    return Some(self.fit(first, ty, parts));
                }
                self.deal(ty, parts, span)
            }
        }
    }

    /// Converts a part to a type that takes it whole.
    fn fit(&mut self, part: ExprId, ty: Ty<'db>, parts: &Parts) -> ExprId {
        let numbers = self.num_or_enum(self.ty(part)).is_some() && self.num_or_enum(ty).is_some();
        if parts.is_cast && numbers { self.convert(part, ty) } else { self.coerce(part, ty, "the initialiser") }
    }

    /// Replaces the first part by its own parts; false if it has none.
    fn cut(&mut self, part: ExprId, parts: &mut Parts, wanted: Ty<'db>) -> bool {
        let (ty, span) = (self.ty(part), self.span(part));
        // A resource is a part only of structures and arrays that contain resources.
        if self.num(wanted).is_none() && !(self.is_resource(wanted) && extent(self.db, ty).has_opaque) {
            return false;
        }
        let pieces: Vec<(ExprKind<'db>, Ty<'db>)> = match ty.kind(self.db) {
            TyKind::Vector(s, n) => {
                let scalar = self.scalar_ty(*s);
                let part = self.once(part);
                (0..*n).map(|i| (ExprKind::Swizzle { base: part, components: vec![i] }, scalar)).collect()
            }
            TyKind::Matrix { scalar, rows, columns, .. } => {
                let scalar = self.scalar_ty(*scalar);
                let part = self.once(part);
                let elements = (0..*rows).flat_map(|r| (0..*columns).map(move |c| (r, c)));
                elements.map(|e| (ExprKind::Elements { base: part, elements: vec![e] }, scalar)).collect()
            }
            TyKind::Array(element, Some(n)) => {
                let part = self.once(part);
                (0..*n).map(|index| (ExprKind::Field { base: part, index }, *element)).collect()
            }
            TyKind::Record(r) if env::builtin(self.db, *r).is_none() => {
                let part = self.once(part);
                let mut pieces = Vec::new();
                for (i, field) in env::fields(self.db, *r).iter().enumerate() {
                    let whole = ExprKind::Field { base: part, index: i as u32 };
                    if field.bits.is_empty() {
                        pieces.push((whole, field.ty));
                        continue;
                    }
                    let base = self.value(whole, field.ty, span);
                    pieces.extend(field.named_bits().map(|b| (ExprKind::Bits { base, range: b.range }, b.ty)));
                }
                pieces
            }
            _ => return false,
        };
        parts.left.pop_front();
        for (kind, ty) in pieces.into_iter().rev() {
            let piece = self.value(kind, ty.unordered(self.db), span);
            parts.left.push_front(piece);
        }
        true
    }

    /// Marks a value as evaluated only at its first occurrence.
    fn once(&mut self, id: ExprId) -> ExprId {
        self.value(ExprKind::Once(id), self.ty(id), self.span(id))
    }

    /// Checks `T(a, b)`: the components of scalars, vectors and matrices are concatenated and converted.
    pub(super) fn construct(&mut self, ty: Ty<'db>, args: &[ast::ExprId], span: Span) -> ExprId {
        let args: Vec<ExprId> = args.iter().map(|a| self.expr(*a)).collect();
        if self.is_error(ty) || args.iter().any(|a| self.is_error(self.ty(*a))) {
            return self.error_expr(span);
        }
        let Some(target) = self.num_or_enum(ty) else {
            // A structure from a number, and a resource from an element of a heap: like `(T)x`.
            if let [only] = args.as_slice()
                && (self.is_plain_data(ty) || matches!(self.builtin(self.ty(*only)), Some(Builtin::HeapElement(_))))
            {
                return self.cast(*only, ty, span);
            }
            if args.is_empty() && self.builtin(ty) == Some(Builtin::RayQuery) {
                return self.value(ExprKind::Zero, ty, span);
            }
            let message = format!("`{}` has no constructor", self.show(ty));
            let diagnostic = self.diagnostic(Code::NotCallable, span, message);
            self.report(diagnostic.note("use an initialiser list, or assign each field"));
            return self.error_expr(span);
        };
        if let [only] = args.as_slice() {
            return self.cast(*only, ty, span);
        }
        let mut total = 0u32;
        let mut parts = Vec::new();
        for arg in args {
            let from = self.ty(arg);
            let Some(num) = self.num(from) else {
                let message = format!("`{}` is not a component of `{}`", self.show(from), self.show(ty));
                return self.error(Code::TypeMismatch, self.span(arg), message);
            };
            total += u32::from(num.components());
            let part = self.num_ty(Num { comp: Comp::Of(target.comp.settled()), shape: num.shape });
            parts.push(self.convert(arg, part));
        }
        if total != u32::from(target.components()) {
            let (wanted, shown) = (target.components(), self.show(ty));
            let message = format!("`{shown}` needs {wanted} components, {total} given");
            return self.error(Code::BadInitializer, span, message);
        }
        self.expr_in(ExprKind::Compose(parts), ty, Category::Value, span)
    }
}
