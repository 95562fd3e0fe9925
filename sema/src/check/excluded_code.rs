//! Code that constant conditions exclude from a body. One source serves many features, and code of a disabled feature
//! is not executed.
//!
//! Such code is checked like any other, but rules about reachable operations ignore it (groupshared memory, operations
//! that some launch modes lack).

use super::fold;
use super::hir::{Block, Body, ExprId, ExprKind, Stmt};
use crate::db::Db;
use wgc_frontend::ast::Span;

/// Expressions of a body that are never evaluated.
pub(crate) struct ExcludedCode {
    /// Spans of expressions include those of their parts.
    spans: Vec<Span>,
}

impl ExcludedCode {
    pub fn of<'db>(db: &'db dyn Db, body: &Body<'db>) -> ExcludedCode {
        let mut walk = Walk { db, body, spans: Vec::new() };
        walk.block(&body.block);
        for expr in &body.exprs {
            match &expr.kind {
                ExprKind::Cond { cond, then, otherwise } => match walk.truth(*cond) {
                    Some(true) => walk.expr(*otherwise),
                    Some(false) => walk.expr(*then),
                    None => {}
                },
                ExprKind::Logical { and, lhs, rhs } if walk.truth(*lhs) == Some(!*and) => walk.expr(*rhs),
                _ => {}
            }
        }
        ExcludedCode { spans: walk.spans }
    }

    pub fn contains(&self, span: Span) -> bool {
        self.spans.iter().any(|out| out.lo <= span.lo && span.hi <= out.hi)
    }
}

struct Walk<'a, 'db> {
    db: &'db dyn Db,
    body: &'a Body<'db>,
    spans: Vec<Span>,
}

impl Walk<'_, '_> {
    fn number(&self, id: ExprId) -> Option<fold::Number> {
        fold::eval(self.db, self.body, id).map(fold::number)
    }

    fn truth(&self, id: ExprId) -> Option<bool> {
        self.number(id).map(fold::Number::truth)
    }

    fn expr(&mut self, id: ExprId) {
        self.spans.push(self.body.expr(id).span);
    }

    /// Finds the excluded parts of a block that is included.
    fn block(&mut self, block: &Block) {
        for stmt in block {
            match stmt {
                Stmt::Block(inner) => self.block(inner),
                Stmt::If { cond, then, otherwise, .. } => {
                    let truth = self.truth(*cond);
                    self.part(then, truth != Some(false));
                    self.part(otherwise, truth != Some(true));
                }
                Stmt::Loop { test_first, cond, step, body, .. } => {
                    let runs = !test_first || cond.and_then(|cond| self.truth(cond)) != Some(false);
                    self.part(body, runs);
                    step.iter().filter(|_| !runs).for_each(|step| self.expr(*step));
                }
                Stmt::Switch { selector, cases, .. } => {
                    let chosen = match self.number(*selector) {
                        Some(fold::Number::Int(n)) => Some(n),
                        _ => None,
                    };
                    // Labels are the bits of the selector; for a negative number the upper bits are set too.
                    let has = |label: &i64| chosen.is_some_and(|n| *label as u32 == n as u32);
                    let first = cases.iter().position(|case| case.labels.iter().any(has));
                    let first = first.or_else(|| cases.iter().position(|case| case.is_default));
                    let mut live = chosen.is_none();
                    for (n, case) in cases.iter().enumerate() {
                        live |= first == Some(n);
                        self.part(&case.body, live);
                        live &= case.falls || chosen.is_none();
                    }
                }
                Stmt::Expr(_) | Stmt::Let { .. } | Stmt::Break | Stmt::Continue | Stmt::Return(_) => {}
            }
        }
    }

    fn part(&mut self, block: &Block, live: bool) {
        if live { self.block(block) } else { self.all(block) }
    }

    /// Excludes a whole block.
    fn all(&mut self, block: &Block) {
        for stmt in block {
            match stmt {
                Stmt::Expr(id) | Stmt::Let { init: Some(id), .. } | Stmt::Return(Some(id)) => self.expr(*id),
                Stmt::Block(inner) => self.all(inner),
                Stmt::If { cond, then, otherwise, .. } => {
                    self.expr(*cond);
                    self.all(then);
                    self.all(otherwise);
                }
                Stmt::Loop { cond, step, body, .. } => {
                    cond.iter().chain(step).for_each(|id| self.expr(*id));
                    self.all(body);
                }
                Stmt::Switch { selector, cases, .. } => {
                    self.expr(*selector);
                    cases.iter().for_each(|case| self.all(&case.body));
                }
                Stmt::Let { init: None, .. } | Stmt::Return(None) | Stmt::Break | Stmt::Continue => {}
            }
        }
    }
}
