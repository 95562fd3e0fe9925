//! Host-bound resources as arguments of `inout` parameters. The host fixes the resource, so the function must not
//! assign another one to its parameter.

use super::{Lower, Lowerer};
use crate::check::check;
use crate::check::env::{self, Direction};
use crate::check::hir::{Arg, Body, ExprId, ExprKind, LocalId};
use crate::db::Db;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::FnInst;
use crate::tables::codes::Code;
use rustc_hash::FxHashSet;

/// Returns whether a function, or one that it passes the parameter to, assigns to its n-th parameter or a part of it.
pub(super) fn assigns<'db>(db: &'db dyn Db, f: FnInst<'db>, param: usize) -> bool {
    let mut seen = FxHashSet::default();
    let mut left = vec![(f, param)];
    while let Some((f, param)) = left.pop() {
        if !seen.insert((f, param)) {
            continue;
        }
        let body = &check(db, f).body;
        let Some(local) = body.params.get(param).copied() else { continue };
        for expr in &body.exprs {
            let is_assigned = match &expr.kind {
                ExprKind::Assign { place, .. } | ExprKind::AssignOp { place, .. } | ExprKind::Step { place, .. } => {
                    is_part(body, *place, local)
                }
                ExprKind::Call { callee, args, .. } => {
                    let params = &env::signature(db, *callee).params;
                    for (i, (param, arg)) in params.iter().zip(args).enumerate() {
                        if param.direction == Direction::InOut && is_part(body, arg.expr(), local) {
                            left.push((*callee, i));
                        }
                    }
                    args.iter().any(|arg| matches!(arg, Arg::Out(place) if is_part(body, *place, local)))
                }
                ExprKind::Op { args, .. } => {
                    args.iter().any(|arg| !matches!(arg, Arg::In(_)) && is_part(body, arg.expr(), local))
                }
                _ => false,
            };
            if is_assigned {
                return true;
            }
        }
    }
    false
}

/// Returns whether a place is the variable or a part of it; memory that a resource refers to is not a part.
fn is_part(body: &Body, place: ExprId, local: LocalId) -> bool {
    match body.expr(place).kind {
        ExprKind::Local(other) => other == local,
        ExprKind::Field { base, .. } | ExprKind::Index { base, .. } | ExprKind::Base(base) => {
            is_part(body, base, local)
        }
        _ => false,
    }
}

impl<'db> Lowerer<'db> {
    /// Reports an assignment to a global resource, which only the host may set.
    pub(super) fn assigned_resource<T>(&mut self, arg: ExprId, index: usize, function: &str) -> Lower<T> {
        let place = self.source(self.body.expr(arg).span);
        let message =
            format!("`{function}` assigns its argument {}, but only the host can set this resource", index + 1);
        let diagnostic = Diagnostic::new(Code::NotAPlace, place, message);
        self.diagnostics.push(diagnostic.note("assign a local variable that is initialised with the resource instead"));
        None
    }
}
