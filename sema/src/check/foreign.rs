//! C++ statements that the grammar misreads because it does not know types: `S *p = x;` and `S &r = x;` as products,
//! `delete p;` as a declaration.

use super::Checker;
use crate::tables::codes::Code;
use crate::types::cx::PathTarget;
use wgc_frontend::ast::{self, BinaryOp, ExprKind, Ident, Path, TypeKind};

impl Checker<'_, '_> {
    /// Reports an expression that declares a pointer or a reference; its name stays declared, with an unknown type.
    pub(super) fn declares_pointer(&mut self, expr: ast::ExprId) -> bool {
        let ast = self.ast;
        let mut target = expr;
        // `S *p = 0, *q`
        while let ExprKind::Assign { lhs, op: None, .. } | ExprKind::Comma { lhs, .. } = &ast.exprs[target].kind {
            target = *lhs;
        }
        let ExprKind::Binary { op, lhs, rhs } = &ast.exprs[target].kind else { return false };
        let what = match op {
            BinaryOp::Mul => "pointers",
            BinaryOp::BitAnd | BinaryOp::And => "references",
            _ => return false,
        };
        let (ExprKind::Path(ty), ExprKind::Path(path)) = (&ast.exprs[*lhs].kind, &ast.exprs[*rhs].kind) else {
            return false;
        };
        let Some(name) = plain(path) else { return false };
        if !self.with_cx(|cx| matches!(cx.resolve(ty), PathTarget::Type(_))) {
            return false;
        }
        let help = "keep an index, or copy the value: `S s = x;`";
        let diagnostic = self.diagnostic(Code::Syntax, ast.exprs[target].span, format!("HLSL has no {what}"));
        self.report(diagnostic.note(help));
        let unknown = self.error_ty();
        self.new_local(name, unknown, false);
        true
    }
}

impl Checker<'_, '_> {
    /// Reports a declaration whose type is the first word of a C++ statement.
    pub(super) fn is_foreign_statement(&mut self, var: &ast::VarDecl) -> bool {
        let TypeKind::Path(path) = &self.ast.types[var.ty].kind else { return false };
        let Some(name) = plain(path) else { return false };
        let Some(help) = crate::types::foreign_names::statement(&name.text) else { return false };
        if !self.with_cx(|cx| matches!(cx.resolve(path), PathTarget::Nothing(_))) {
            return false;
        }
        let diagnostic = self.diagnostic(Code::Syntax, path.span, format!("HLSL has no `{}`", name.text));
        self.report(diagnostic.note(help));
        true
    }
}

fn plain(path: &Path) -> Option<&Ident> {
    match path.segments.as_slice() {
        [only] if !path.global && only.args.is_none() => Some(&only.name),
        _ => None,
    }
}
