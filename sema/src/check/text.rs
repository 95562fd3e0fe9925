//! String literals as arrays of characters: `template<typename T, uint N> void f(T text[N])`, called with a literal, and
//! `"text"[i]`.
//!
//! The array has an element for each byte, and the zero that ends a string. Characters are `int`, unless the parameter
//! says otherwise.

use super::Checker;
use super::fold;
use super::hir::{Body, ExprId, ExprKind};
use crate::db::Db;
use crate::items::var_node;
use crate::ty::{Scalar, Ty, TyKind};
use wgc_frontend::ast;

/// The text of an expression of type `string`: a literal, or a global that was initialised with one.
pub fn literal<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<String> {
    match &body.expr(id).kind {
        ExprKind::Str(text) => Some(text.clone()),
        ExprKind::Global(var, _) => {
            let node = var_node(db, *var)?;
            match &node.tree.ast.exprs[node.declarator.init?].kind {
                ast::ExprKind::Str(parts) => Some(crate::attributes::unquote(parts)),
                _ => None,
            }
        }
        _ => None,
    }
}

impl<'db> Checker<'_, 'db> {
    /// The array that a string literal is for a parameter: of the parameter's integers, or of `int`. `None` for every
    /// other expression, and where no array is wanted.
    pub(super) fn text_array(&self, id: ExprId, wanted: Option<Ty<'db>>) -> Option<Ty<'db>> {
        let ExprKind::Str(text) = &self.body.expr(id).kind else { return None };
        let element = match wanted.map(|ty| ty.kind(self.db)) {
            None => self.scalar_ty(Scalar::I32),
            Some(TyKind::Array(element, _))
                if self.num(*element).is_some_and(|n| n.shape == super::numeric::Shape::SCALAR) =>
            {
                *element
            }
            Some(_) => return None,
        };
        Some(Ty::new(self.db, TyKind::Array(element, Some(text.len() as u32 + 1))))
    }

    /// A string literal as the array `ty`.
    pub(super) fn text_elements(&mut self, id: ExprId, ty: Ty<'db>) -> ExprId {
        let (ExprKind::Str(text), TyKind::Array(element, _)) = (self.body.expr(id).kind.clone(), ty.kind(self.db))
        else {
            return id;
        };
        let (span, scalar) = (self.span(id), self.storage_scalar(*element));
        let bytes = text.bytes().chain([0]);
        let elements = bytes
            .map(|byte| {
                let c = fold::constant(fold::Number::Int(i128::from(byte)), scalar);
                self.value(ExprKind::Const(c), *element, span)
            })
            .collect();
        self.value(ExprKind::Compose(elements), ty, span)
    }
}
