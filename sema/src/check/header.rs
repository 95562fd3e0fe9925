//! Statements whose header declares a variable: `for (int i = 0; ..)`, `if (int i = f())`.
//!
//! The variable's scope surrounds the statement. An inner block may hide it, but the statement's own block may not
//! declare its name again (C++ \[stmt.pre\]). So that block's scope starts with the names of the header.

use super::hir::{Block, Stmt};
use super::stmt::EnclosingStatement;
use super::{Checker, Named};
use compact_str::CompactString;
use wgc_frontend::ast::{self, StmtId};
use wgc_ir::{BranchHint, LoopHint};

/// The declarations of a header, for the block that belongs to it.
pub(super) type Header<'db> = Vec<(CompactString, Named<'db>)>;

impl<'db> Checker<'_, 'db> {
    /// Adds a statement in a scope that `decl` opens.
    pub(super) fn declaring(
        &mut self,
        decl: Option<StmtId>,
        out: &mut Block,
        statement: impl FnOnce(&mut Self, &mut Block),
    ) {
        let Some(decl) = decl else { return statement(self, out) };
        self.open_scope();
        let mut block = Block::new();
        self.stmt(decl, &mut block);
        self.header = self.names_declared();
        statement(self, &mut block);
        self.scopes.pop();
        out.push(Stmt::Block(block));
    }

    /// Checks a loop that tests its condition first. If the condition declares a variable, each iteration declares it,
    /// and the body is in its scope. The test therefore moves into the body, where `continue` cannot skip it.
    pub(super) fn tested_loop(
        &mut self,
        decl: Option<StmtId>,
        (cond, step): (Option<ast::ExprId>, Option<ast::ExprId>),
        body: StmtId,
        hint: LoopHint,
        out: &mut Block,
    ) {
        let header = std::mem::take(&mut self.header);
        let Some(decl) = decl else {
            let cond = cond.map(|c| self.condition(c));
            let step = step.map(|s| self.expr_or_void(s));
            self.header = header;
            let body = self.inside(EnclosingStatement::Loop, &[body]);
            return out.push(Stmt::Loop { test_first: true, cond, step, body, hint });
        };
        self.open_scope();
        let mut turn = Block::new();
        self.stmt(decl, &mut turn);
        let around = self.names_declared();
        if let Some(cond) = cond {
            let cond = self.condition(cond);
            let hint = BranchHint::Any;
            turn.push(Stmt::If { cond, then: Block::new(), otherwise: vec![Stmt::Break], hint });
        }
        let step = step.map(|s| self.expr_or_void(s));
        self.header = header;
        self.header.extend(around);
        turn.extend(self.inside(EnclosingStatement::Loop, &[body]));
        self.scopes.pop();
        out.push(Stmt::Loop { test_first: true, cond: None, step, body: turn, hint });
    }

    /// Checks the block of a statement in a new scope.
    pub(super) fn block_of(&mut self, header: Header<'db>, stmts: &[StmtId]) -> Block {
        self.open_scope();
        self.keep(header);
        let block = self.statements(stmts);
        self.scopes.pop();
        block
    }

    /// Adds the names of a header to the current scope.
    pub(super) fn keep(&mut self, header: Header<'db>) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(header);
        }
    }

    /// Returns the variables of the current scope. Before HLSL 2021 a block may declare them again, as in DXC.
    fn names_declared(&self) -> Header<'db> {
        if self.is_before_2021() {
            return Header::new();
        }
        let names = self.scopes.last().into_iter().flatten();
        names
            .filter(|(_, named)| matches!(named, Named::Local(_)))
            .map(|(name, named)| (name.clone(), *named))
            .collect()
    }
}
