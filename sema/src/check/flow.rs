//! Reachability of the end of a block, as pure functions of a typed body.

use super::hir::{Block, Body, ExprId, ExprKind, Stmt};

/// Returns whether control can reach the end of the block.
pub fn falls_through(body: &Body<'_>, block: &Block) -> bool {
    block.iter().all(|stmt| passes(body, stmt))
}

fn passes(body: &Body<'_>, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Expr(_) | Stmt::Let { .. } => true,
        Stmt::Break | Stmt::Continue | Stmt::Return(_) => false,
        Stmt::Block(block) => falls_through(body, block),
        Stmt::If { then, otherwise, .. } => falls_through(body, then) || falls_through(body, otherwise),
        Stmt::Loop { cond, body: inner, .. } => !is_true(body, *cond) || breaks(inner),
        Stmt::Switch { cases, .. } => {
            let leaves = |c: &super::hir::Case| !c.falls && falls_through(body, &c.body) || breaks(&c.body);
            !cases.iter().any(|c| c.is_default) || cases.iter().any(leaves)
        }
    }
}

/// Returns whether a condition is absent or constant and true.
pub fn is_true(body: &Body<'_>, cond: Option<ExprId>) -> bool {
    cond.is_none_or(|c| matches!(&body.expr(c).kind, ExprKind::Const(v) if v.bits != 0))
}

/// Returns whether a `break` leaves the statement whose body this block is.
fn breaks(block: &Block) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Break => true,
        Stmt::Block(b) => breaks(b),
        Stmt::If { then, otherwise, .. } => breaks(then) || breaks(otherwise),
        _ => false,
    })
}
