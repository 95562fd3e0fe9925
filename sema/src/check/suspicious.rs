//! Common slips: valid code that is hardly intended. Each is a warning that explains how to write the literal meaning,
//! as in clang.

use super::Checker;
use super::hir::{self, ExprId};
use crate::tables::codes::Code;
use wgc_frontend::ast::{self, BinaryOp, ExprKind, Span};

impl Checker<'_, '_> {
    /// Warns about `if (x = 1)`. In extra parentheses the assignment is intended.
    pub(super) fn assigned_condition(&mut self, id: ast::ExprId) {
        let ExprKind::Assign { op: None, lhs, rhs } = &self.ast.exprs[id].kind else { return };
        let (lhs, rhs) = (*lhs, *rhs);
        let message = "assignment used as a condition".to_string();
        let mut slip = self.diagnostic(Code::AssignedCondition, self.ast.exprs[id].span, message);
        slip = slip.note("write parentheses around the assignment if it is intended");
        if let Some(operator) = self.operator(lhs, rhs) {
            slip = slip.fix(self.place(operator), "==", "use `==` to compare");
        }
        self.report(slip);
    }

    /// Warns about a statement that computes a value and discards it: `x == 1;`. Calls may have effects, including
    /// those of overloaded operators.
    pub(super) fn dropped_value(&mut self, id: ast::ExprId, checked: ExprId) {
        let what = match self.body.expr(checked).kind {
            hir::ExprKind::Binary { op, .. } if op.is_comparison() => "comparison",
            hir::ExprKind::Binary { .. } | hir::ExprKind::Unary { .. } => "result",
            _ => return,
        };
        let expr = &self.ast.exprs[id];
        let mut slip = self.diagnostic(Code::DroppedValue, expr.span, format!("the {what} is not used"));
        if let ExprKind::Binary { op: BinaryOp::Eq, lhs, rhs } = expr.kind
            && let Some(operator) = self.operator(lhs, rhs)
        {
            slip = slip.fix(self.place(operator), "=", "use `=` to assign");
        }
        self.report(slip);
    }

    /// Returns the token between two operands.
    fn operator(&self, lhs: ast::ExprId, rhs: ast::ExprId) -> Option<Span> {
        let (lo, hi) = (self.ast.exprs[lhs].span.hi, self.ast.exprs[rhs].span.lo);
        (lo + 1 == hi).then_some(Span { lo, hi })
    }
}
