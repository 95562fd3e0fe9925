//! The last check: a program without errors has a module.
//!
//! An erroneous expression or type always has a diagnostic. If one is missing, compiling would end with an internal
//! error and checking would accept the program. This check reports the expression instead, so that both agree.

use crate::check::check;
use crate::check::hir::ExprKind;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::items::fn_node;
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::link::link;
use crate::tables::codes::Code;
use crate::types::definition;
use wgc_frontend::ast::{Body, Span};

/// Reports the first expression without a meaning in a program that has no module and no error.
pub(crate) fn unexplained<'db>(db: &'db dyn Db, program: Program) -> Option<Diagnostic<'db>> {
    let linked = link(db, program);
    if linked.module.is_some() || crate::report::target_limits::missing_body(db, program).is_some() {
        return None;
    }
    linked.reached.iter().find_map(|function| in_function(db, *function))
}

fn in_function<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Option<Diagnostic<'db>> {
    let id = definition::function(db, function).function;
    let Body::Sliced(n) = fn_node(db, id)?.function.body else { return None };
    let body = &check(db, function).body;
    let is_wrong = |e: &&crate::check::hir::Expr<'db>| e.kind == ExprKind::Error || e.ty.is_error(db);
    let expr = body.exprs.iter().find(is_wrong).map(|e| (e.span, "expression"));
    let local = || body.locals.iter().find(|l| l.ty.is_error(db)).map(|l| (l.span, "variable"));
    let (span, what): (Span, &str) = expr.or_else(local)?;
    let place = SourcePlace { item: id.item, body: Some(n), span };
    Some(Diagnostic::new(Code::NotSupported, place, format!("wgc cannot compile this {what}")))
}
