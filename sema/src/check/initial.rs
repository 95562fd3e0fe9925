//! Initial values of globals that are not constants: `static float scale = sqrt(2) * Size;`.
//!
//! Constants that depend on a specialisation constant are not constants in this sense. Such a value is computed when an
//! entry point starts, before its body, in the order of the declarations. Its typed body is one assignment to the
//! global. Each call that omits a default argument checks it; this module checks it separately, for editors.

use super::Checked;
use super::Checker;
use super::hir::{Body, Category, ExprKind, Stmt};
use crate::db::Db;
use crate::db::def::{Item, VarId};
use crate::db::items::var_node;
use crate::db::ty::{FnInst, RecordInst};
use crate::tables::codes::Severity;
use crate::types::constant_variables::{ConstError, const_value, specialised_by};
use crate::types::globals::{GlobalKind, global, initial_value};

/// Returns whether the initial value of a global is computed at run time. Errors in a value that must be constant are
/// reported with its declaration.
pub fn is_computed<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> bool {
    let Some(global) = global(db, var, owner) else { return false };
    let may_be = match global.kind {
        GlobalKind::Static => true,
        GlobalKind::Constant => {
            const_value(db, var.item, var.index, owner) == Err(ConstError::NotConst)
                || !specialised_by(db, var, owner).is_empty()
        }
        _ => false,
    };
    may_be && global.has_init && !global.ty.is_error(db) && initial_value(db, var, owner).is_none()
}

/// Checks the assignment of a global's initial value.
#[salsa::tracked(returns(ref))]
pub fn initial<'db>(db: &'db dyn Db, item: Item<'db>, index: u32, owner: Option<RecordInst<'db>>) -> Checked<'db> {
    let nothing = Checked { body: Body::default(), diagnostics: Vec::new(), is_correct: false };
    let var = VarId { item, index };
    let text = crate::types::definition::variable(db, var, owner);
    let (Some(global), Some(node)) = (global(db, var, owner), var_node(db, text.var)) else { return nothing };
    let Some(init) = node.declarator.init else { return nothing };
    let mut checker = Checker::of_head(db, text.var.item, &node.tree.ast, &text.env, owner);
    let (value, ty) = checker.initializer(init, global.ty.unordered(db), "the initialiser");
    if global.coherent {
        checker.make_coherent(value);
    }
    let span = node.tree.ast.exprs[init].span;
    let place = checker.expr_in(ExprKind::Global(var, owner), ty, Category::Place, span);
    let assignment = checker.expr_in(ExprKind::Assign { place, value }, ty, Category::Place, span);
    checker.body.block.push(Stmt::Expr(assignment));
    let is_correct = checker.diagnostics.iter().all(|d| d.severity != Severity::Error);
    Checked { body: checker.body, diagnostics: checker.diagnostics, is_correct }
}

/// Checks the default argument of the `index`-th parameter in the function's own declaration, separately.
#[salsa::tracked(returns(ref))]
pub fn default_argument<'db>(db: &'db dyn Db, inst: FnInst<'db>, index: u32) -> Option<Checked<'db>> {
    let function = inst.function(db);
    let init = crate::types::default_arguments::own(db, function, index as usize)?;
    let ty = crate::types::signature::fn_signature(db, inst).params.get(index as usize)?.ty;
    let node = crate::db::items::fn_node(db, function)?;
    let env = crate::types::signature::env_of_fn(db, inst);
    let mut checker = Checker::of_head(db, function.item, &node.tree.ast, &env, inst.owner(db));
    checker.initializer(init, ty, "the default argument");
    Some(Checked { body: checker.body, diagnostics: checker.diagnostics, is_correct: false })
}
