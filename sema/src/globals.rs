//! Global variables: what each one is, where it is bound, its initial value.

use crate::cx::Cx;
use crate::ty::{Ty, TyKind};
use wgc_frontend::ast::{ExprId, ExprKind};

/// `T x[] = { a, b }`: the length comes from the initialiser.
pub(crate) fn complete_array<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, init: ExprId) -> Ty<'db> {
    match (ty.kind(cx.db), &cx.ast.exprs[init].kind) {
        (TyKind::Array(element, None), ExprKind::List(elements)) => {
            Ty::new(cx.db, TyKind::Array(*element, Some(elements.len() as u32)))
        }
        _ => ty,
    }
}
