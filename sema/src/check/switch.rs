//! `switch`: its selector, its labels, and the cases that they begin.

use super::header::Header;
use super::hir::{Block, Case, Stmt};
use super::stmt::EnclosingStatement;
use super::{Checker, fold};
use crate::db::ty::Ty;
use crate::tables::codes::{Code, Severity};
use wgc_frontend::ast::{self, Span, StmtId, StmtKind};
use wgc_ir::BranchHint;

impl<'db> Checker<'_, 'db> {
    pub(super) fn switch(
        &mut self,
        header: Header<'db>,
        selector: ast::ExprId,
        body: &[StmtId],
        hint: BranchHint,
    ) -> Stmt {
        let selector = self.expr(selector);
        let ty = self.settled(self.ty(selector));
        let is_scalar = |n: crate::types::numeric::Num| n.shape == crate::types::numeric::Shape::SCALAR;
        let integer = self.num_or_enum(ty).is_some_and(|n| is_scalar(n) && !n.comp.is_float());
        let is_float = self.num(ty).is_some_and(|n| is_scalar(n) && n.comp.is_float());
        if is_float {
            let message = format!("the switch ignores the fraction of this `{}`", self.show(ty));
            self.error(Code::FloatSwitch, self.span(selector), message);
        }
        let (ty, integer) = if is_float { (self.scalar_ty(crate::db::ty::Scalar::I32), true) } else { (ty, integer) };
        let selector = if self.is_error(ty) {
            selector
        } else if !integer {
            let message = format!("a switch needs an integer, not `{}`", self.show(ty));
            self.error(Code::BadSwitch, self.span(selector), message)
        } else {
            self.convert(selector, ty)
        };
        let mut cases: Vec<Case> = Vec::new();
        let mut has_default = false;
        let mut seen: Vec<(i64, Span)> = Vec::new();
        let mut initialised: Option<Span> = None;
        self.around.push(EnclosingStatement::Switch);
        self.open_scope();
        self.keep(header);
        let ast = self.ast;
        let is_label = |s: &StmtId| matches!(ast.stmts[*s].kind, StmtKind::Case(_) | StmtKind::Default);
        let has_labels = body.iter().any(is_label);
        let mut at = 0;
        while at < body.len() {
            // Labels, then the statements up to the next label.
            let (mut labels, mut is_default) = (Vec::new(), false);
            while let Some(stmt) = body.get(at).map(|s| &self.ast.stmts[*s]) {
                if let Some(variable) = initialised.take() {
                    self.jumps_over(variable, stmt.span);
                }
                match &stmt.kind {
                    StmtKind::Case(label) => labels.extend(self.label(*label, ty, &mut seen)),
                    StmtKind::Default if has_default => {
                        self.error(Code::BadSwitch, stmt.span, "duplicate `default`".to_string());
                    }
                    StmtKind::Default => (is_default, has_default) = (true, true),
                    _ => break,
                }
                at += 1;
            }
            let start = at;
            at += body[start..].iter().take_while(|s| !is_label(s)).count();
            if start == 0 && at > 0 {
                let span = self.ast.stmts[body[0]].span;
                let message = if has_labels { "statement before the first label" } else { "no label leads here" };
                let diagnostic = self.diagnostic(Code::BadSwitch, span, message.to_string());
                // This remains of a switch whose cases `#if` excludes.
                self.report(if has_labels { diagnostic } else { diagnostic.severity(Severity::Warning) });
                if has_labels {
                    continue;
                }
            }
            let mut block = Block::new();
            for stmt in &body[start..at] {
                self.stmt(*stmt, &mut block);
            }
            initialised = self.initialised(&body[start..at]);
            let falls = at < body.len() && super::flow::falls_through(&self.body, &block);
            cases.push(Case { labels, is_default, body: block, falls });
        }
        self.scopes.pop();
        self.around.pop();
        if has_labels { Stmt::Switch { selector, cases, hint } } else { Stmt::Expr(selector) }
    }

    /// Returns the first variable that statements declare with a value.
    fn initialised(&self, statements: &[StmtId]) -> Option<Span> {
        statements.iter().find_map(|stmt| {
            let StmtKind::Var(declared) = &self.ast.stmts[*stmt].kind else { return None };
            let is_static = self.ast.types[declared.ty].modifiers.iter().any(|word| word.text == "static");
            declared.vars.iter().find(|var| var.init.is_some() && !is_static).map(|var| var.span)
        })
    }

    /// Reports a label after a variable that only the cases before it initialise (C++ [stmt.dcl]).
    fn jumps_over(&mut self, variable: Span, label: Span) {
        let place = self.place(variable);
        let message = "a jump to this label skips the initialisation of a variable".to_string();
        let wrong = self.diagnostic(Code::BadSwitch, label, message);
        self.report(
            wrong
                .also(place, "the variable")
                .note("put the statements of the case that declares the variable in braces"),
        );
    }

    fn label(&mut self, label: ast::ExprId, ty: Ty<'db>, seen: &mut Vec<(i64, Span)>) -> Option<i64> {
        let id = self.expr(label);
        if self.is_error(self.ty(id)) || self.is_error(ty) {
            return None;
        }
        let span = self.span(id);
        let id = if self.ty(id) == ty { id } else { self.coerce(id, ty, "the label") };
        let folded = fold::eval(self.db, &self.body, id);
        let Some(c) = folded.or_else(|| self.fixed_label(label, ty)) else {
            if !self.is_error(self.ty(id)) {
                self.error(Code::NotConstant, span, "a label must be a constant".to_string());
            }
            return None;
        };
        // A switch over 16 bits uses 32 bits, so negative values are sign-extended to 32 bits.
        let value = if c.ty == wgc_ir::Scalar::I16 { i64::from(c.as_i64() as u32) } else { c.bits as i64 };
        if let Some((_, first)) = seen.iter().find(|(v, _)| *v == value) {
            let place = self.place(*first);
            let diagnostic = self.diagnostic(Code::BadSwitch, span, "duplicate label".to_string());
            self.report(diagnostic.also(place, "first label here"));
            return None;
        }
        seen.push((value, span));
        Some(value)
    }

    /// Returns the compile-time value of a label that depends on specialisation constants, with a warning: a label is
    /// fixed in the module.
    fn fixed_label(&mut self, label: ast::ExprId, ty: Ty<'db>) -> Option<wgc_ir::ScalarConst> {
        let scalar = self.storage_scalar(ty);
        let span = self.ast.exprs[label].span;
        self.with_cx(|cx| {
            let value = cx.eval(label).ok().filter(|_| !cx.specialised.is_empty())?;
            crate::types::specialise::warn_fixed(cx, span);
            Some(value.cast(scalar).to_ir())
        })
    }
}
