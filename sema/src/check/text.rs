//! String literals as arrays of characters: `template<typename T, uint N> void f(T text[N])`, called with a literal,
//! and `"text"[i]`.
//!
//! Otherwise a string is a name for a text that is known at compile time: a literal, or a variable declared with one.
//!
//! The array has an element for each byte and the terminating zero. Characters are `int`, unless the parameter has
//! another type.

use super::Checker;
use super::fold;
use super::hir::{Body, ExprId, ExprKind, Stmt};
use super::initial::initial;
use crate::db::Db;
use crate::db::ty::{Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use wgc_frontend::ast::{self, Span};

/// Maximum chain of strings declared with one another; it stops at one that names itself.
const MAX_NAMES: usize = 64;

/// Returns the text of an expression of type `string`: a literal, or a variable that was declared with one.
pub fn literal<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<String> {
    let (mut body, mut id) = (body, id);
    for _ in 0..MAX_NAMES {
        match &body.expr(id).kind {
            ExprKind::Str(text) => return Some(text.clone()),
            ExprKind::Local(local) => id = body.local(*local).value?,
            ExprKind::Global(var, owner) => {
                body = &initial(db, var.item, var.index, *owner).body;
                let Some(Stmt::Expr(assignment)) = body.block.last() else { return None };
                let ExprKind::Assign { value, .. } = body.expr(*assignment).kind else { return None };
                id = value;
            }
            _ => return None,
        }
    }
    None
}

impl<'db> Checker<'_, 'db> {
    /// Returns the array type of a string literal for a parameter: of the parameter's integers, or of `int`. `None` for
    /// other expressions, or if the parameter is not an array.
    pub(super) fn text_array(&self, id: ExprId, wanted: Option<Ty<'db>>) -> Option<Ty<'db>> {
        let ExprKind::Str(text) = &self.body.expr(id).kind else { return None };
        let element = match wanted.map(|ty| ty.kind(self.db)) {
            None => self.scalar_ty(Scalar::I32),
            Some(TyKind::Array(element, _))
                if self.num(*element).is_some_and(|n| n.shape == crate::types::numeric::Shape::SCALAR) =>
            {
                *element
            }
            Some(_) => return None,
        };
        Some(Ty::new(self.db, TyKind::Array(element, Some(text.len() as u32 + 1))))
    }

    /// Checks a local `string`: another name for the text that it is declared with, without memory.
    pub(super) fn check_text(&mut self, name: &ast::Ident, init: Option<ExprId>) {
        let is_wrong = init.is_some_and(|init| self.is_error(self.ty(init)));
        if !is_wrong && init.is_none_or(|init| literal(self.db, &self.body, init).is_none()) {
            let message = format!("the text of `{}` is unknown here", name.text);
            let span = Span { lo: name.at, hi: name.at + 1 };
            let diagnostic = self.diagnostic(Code::NotConstant, span, message);
            self.report(diagnostic.note("declare a string with a literal or another string, and do not assign it"));
        }
    }

    /// Converts a string literal to the array `ty`.
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
