//! Computes the length of `T x[] = { .. }` from the initialiser's text and the types in it. No value is computed
//! here.

use super::global_ty;
use crate::db::ty::{Ty, TyKind};
use crate::types::const_eval::scalar_count;
use crate::types::cx::{Cx, PathTarget};
use wgc_frontend::ast::{ExprId, ExprKind};

/// Completes `T x[] = { a, b }` with the length of the initialiser.
pub(crate) fn complete_array<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, init: ExprId) -> Ty<'db> {
    match (ty.kind(cx.db), &cx.ast.exprs[init].kind) {
        (TyKind::Array(element, None), ExprKind::List(elements)) => {
            // Lists are flattened: `float2 a[] = { 1, 2, 3, 4 }` has two elements.
            let each = scalar_count(cx.db, *element).filter(|n| *n > 0);
            let all = elements.iter().map(|e| scalars_written(cx, *e)).sum::<Option<usize>>();
            let count = match (all, each) {
                (Some(all), Some(each)) if all % each == 0 => all / each,
                _ => elements.len(),
            };
            Ty::new(cx.db, TyKind::Array(*element, Some(count as u32)))
        }
        _ => ty,
    }
}

/// Returns the scalars in a part of an initialiser list, if its text determines them.
fn scalars_written(cx: &mut Cx<'_, '_>, expr: ExprId) -> Option<usize> {
    let ast = cx.ast;
    match &ast.exprs[expr].kind {
        ExprKind::List(parts) => parts.iter().map(|part| scalars_written(cx, *part)).sum(),
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Char(_) | ExprKind::Bool(_) => Some(1),
        ExprKind::Paren(inner) | ExprKind::Unary { operand: inner, .. } => scalars_written(cx, *inner),
        ExprKind::Binary { lhs, rhs, .. } => {
            let (lhs, rhs) = (scalars_written(cx, *lhs)?, scalars_written(cx, *rhs)?);
            (lhs == 1 && rhs == 1).then_some(1)
        }
        ExprKind::Cast { ty, .. } => {
            let ty = cx.ty(*ty);
            scalar_count(cx.db, ty)
        }
        ExprKind::Path(path) => match cx.resolve(path) {
            PathTarget::Var(owner, var) => scalar_count(cx.db, global_ty(cx.db, var, owner)),
            PathTarget::Value(_) | PathTarget::EnumValue(..) => Some(1),
            _ => None,
        },
        ExprKind::Call { callee, .. } => match &ast.exprs[*callee].kind {
            ExprKind::Path(path) => match cx.resolve(path) {
                PathTarget::Type(ty) => scalar_count(cx.db, ty),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    }
}
