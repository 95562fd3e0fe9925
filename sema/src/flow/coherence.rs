//! Copies of handles that gain or lose `globallycoherent` (WorkGraphs.md, "globallycoherent").
//!
//! A variable of resource or record type is another name for the object. The declaration of the resource or node input
//! says if accesses bypass near caches, and each other name repeats it. If two names disagree, one of them is
//! misleading.

use crate::check::check;
use crate::check::env;
use crate::check::hir::{Arg, Block, Body, ExprId, ExprKind, Stmt};
use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, Ty};
use crate::tables::codes::Code;
use crate::types::globals::global;
use crate::types::signature::fn_signature;
use wgc_frontend::ast::Span;

/// Finds copies in a function that change coherence.
#[salsa::tracked(returns(ref))]
pub fn coherence<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Vec<Diagnostic<'db>> {
    let Some((item, index)) = crate::types::definition::body(db, function) else { return Vec::new() };
    let body = &check(db, function).body;
    let mut found = Vec::new();
    of_block(db, body, &body.block, &mut found);
    for expr in &body.exprs {
        match &expr.kind {
            ExprKind::Assign { place, value } => {
                found.extend(coherent(db, body, *place).and_then(|to| Change::of(db, body, *value, to)));
            }
            ExprKind::Call { callee, args, .. } if !env::is_prelude(db, callee.function(db)) => {
                let params = &fn_signature(db, *callee).params;
                found.extend(args.iter().zip(params).filter_map(|(arg, param)| match arg {
                    Arg::In(value) => Change::of(db, body, *value, param.has("globallycoherent")),
                    Arg::Out(_) | Arg::InOut(_) | Arg::Place(_) => None,
                }));
            }
            _ => {}
        }
    }
    let place = |span| SourcePlace { item, body: Some(index), span };
    found.into_iter().map(|change| change.message(db, place(change.span))).collect()
}

/// A copy of a handle that gains or loses `globallycoherent`.
struct Change<'db> {
    ty: Ty<'db>,
    gains: bool,
    span: Span,
}

impl<'db> Change<'db> {
    fn of(db: &'db dyn Db, body: &Body<'db>, value: ExprId, to: bool) -> Option<Change<'db>> {
        let expr = body.expr(value);
        let from = coherent(db, body, value)?;
        (from != to).then_some(Change { ty: expr.ty, gains: to, span: expr.span })
    }

    fn message(&self, db: &'db dyn Db, place: SourcePlace<'db>) -> Diagnostic<'db> {
        let shown = env::show(db, self.ty);
        let (message, note) = if self.gains {
            let message = format!("this `{shown}` is not declared `globallycoherent`, but its copy is");
            (message, "declare the resource or the node's input `globallycoherent`, or remove it here")
        } else {
            let message = format!("this `{shown}` is declared `globallycoherent`, but its copy is not");
            (message, "repeat `globallycoherent` on the copy")
        };
        Diagnostic::new(Code::CoherenceMismatch, place, message).note(note)
    }
}

fn of_block<'db>(db: &'db dyn Db, body: &Body<'db>, block: &Block, out: &mut Vec<Change<'db>>) {
    for stmt in block {
        match stmt {
            Stmt::Let { local, init: Some(init) } => {
                out.extend(Change::of(db, body, *init, body.local(*local).is_coherent));
            }
            Stmt::Block(block) | Stmt::Loop { body: block, .. } => of_block(db, body, block, out),
            Stmt::If { then, otherwise, .. } => {
                of_block(db, body, then, out);
                of_block(db, body, otherwise, out);
            }
            Stmt::Switch { cases, .. } => cases.iter().for_each(|case| of_block(db, body, &case.body, out)),
            Stmt::Let { init: None, .. } | Stmt::Expr(_) | Stmt::Break | Stmt::Continue | Stmt::Return(_) => {}
        }
    }
}

/// Returns whether the source of a copied handle is declared coherent; `None` for values without a declaration and for
/// types that cannot be coherent.
fn coherent<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<bool> {
    let expr = body.expr(id);
    let object = crate::types::record::builtin(db, crate::types::globals::element(db, expr.ty))?;
    if !object.is_shared_input() && object.register_class() != Some('u') {
        return None;
    }
    match &expr.kind {
        ExprKind::Local(local) => Some(body.local(*local).is_coherent),
        ExprKind::Global(var, owner) => Some(global(db, *var, *owner)?.coherent),
        ExprKind::Index { base, .. } | ExprKind::Convert(base) | ExprKind::Once(base) => coherent(db, body, *base),
        _ => None,
    }
}
