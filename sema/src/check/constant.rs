//! Constant expressions that take the type checker: calls of built-in functions, arithmetic of vectors.
//!
//! What [`crate::types::const_eval`] cannot evaluate by walking the tree is checked as a body would be and folded. Only
//! built-in functions are called: the result of any other is no constant, so their signatures are not even looked at.

use super::Checker;
use super::fold;
use crate::db::ty::Ty;
use crate::tables::codes::Severity;
use crate::types::const_eval::ConstTree;
use crate::types::cx::Cx;
use wgc_frontend::ast::ExprId;

/// The value of a constant expression with its type, as the initialiser of a `ty` if there is one. `None` for what is
/// no constant; nothing is reported.
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
    // The values of bit-fields are packed where they are computed.
    crate::types::const_eval::scalar_count(cx.db, checker.settled(ty))?;
    Some((ty, fold::value(cx.db, &checker.body, value)?))
}
