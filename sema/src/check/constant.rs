//! Constant expressions that need the type checker: calls of built-in functions and arithmetic of vectors.
//!
//! Expressions that [`crate::types::const_eval`] cannot evaluate on the tree are checked like a body and folded. Only
//! built-in functions are called. Other results are never constant, so the signatures of other functions are not
//! examined.

use super::Checker;
use super::fold;
use crate::db::ty::Ty;
use crate::tables::codes::Severity;
use crate::types::const_eval::ConstTree;
use crate::types::cx::Cx;
use wgc_frontend::ast::ExprId;

/// Evaluates a constant expression and returns its type and value, as the initialiser of a `ty` if given. Returns
/// `None` for other expressions; nothing is reported.
pub(crate) fn evaluate<'db>(cx: &Cx<'_, 'db>, expr: ExprId, ty: Option<Ty<'db>>) -> Option<(Ty<'db>, ConstTree)> {
    let mut checker = checker(cx);
    let (value, ty) = match ty {
        Some(ty) => checker.initializer(expr, ty.unordered(cx.db), "the initialiser"),
        None => {
            let value = checker.expr(expr);
            (value, checker.ty(value))
        }
    };
    if ty.is_error(cx.db) || has_errors(&checker) {
        return None;
    }
    // Values of bit-fields are packed during the computation.
    crate::types::const_eval::scalar_count(cx.db, checker.settled(ty))?;
    Some((ty, fold::value(cx.db, &checker.body, value)?))
}

/// Returns the type of a constant expression, which may be that of a literal. Returns `None` if there is an error in
/// the expression; nothing is reported and nothing is evaluated.
pub(crate) fn type_of<'db>(cx: &Cx<'_, 'db>, expr: ExprId) -> Option<Ty<'db>> {
    let mut checker = checker(cx);
    let value = checker.expr(expr);
    let ty = checker.ty(value);
    (!ty.is_error(cx.db) && !has_errors(&checker)).then_some(ty)
}

/// Returns a checker of constant expressions in a context.
fn checker<'a, 'db>(cx: &Cx<'a, 'db>) -> Checker<'a, 'db> {
    Checker {
        body_index: cx.body,
        outside: cx.locals,
        is_constant: true,
        sink: cx.sink,
        ..Checker::of_head(cx.db, cx.item, cx.ast, cx.env, cx.owner)
    }
}

fn has_errors(checker: &Checker) -> bool {
    checker.diagnostics.iter().any(|d| d.severity == Severity::Error)
}
