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
    let mut checker = Checker {
        body_index: cx.body,
        outside: cx.locals,
        is_constant: true,
        sink: cx.sink,
        ..Checker::of_head(cx.db, cx.item, cx.ast, cx.env, cx.owner)
    };
    let (value, ty) = match ty {
        Some(ty) => checker.initializer(expr, ty.unordered(cx.db), "the initialiser"),
        None => {
            let value = checker.expr(expr);
            (value, checker.ty(value))
        }
    };
    if ty.is_error(cx.db) || checker.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    // Values of bit-fields are packed during the computation.
    crate::types::const_eval::scalar_count(cx.db, checker.settled(ty))?;
    Some((ty, fold::value(cx.db, &checker.body, value)?))
}
