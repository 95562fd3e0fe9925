//! Lowers statements of typed bodies to the IR's structured control flow.

use super::{Binding, Lower, Lowerer};
use crate::check::flow::is_true;
use crate::check::hir::{Block, ExprId, Stmt};
use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use wgc_ir::{BranchHint, LoopHint};

/// Limit for nested blocks, including conditions of expressions. Passes may add a few around them.
const MAX_NESTING: u32 = wgc_ir::MAX_NESTING as u32 - 23;

impl<'db> Lowerer<'db> {
    /// Lowers statements up to the first jump; later ones are unreachable.
    pub(super) fn block(&mut self, block: &'db Block) -> Lower<()> {
        for stmt in block {
            if self.b.is_closed() {
                break;
            }
            self.stmt(stmt)?;
        }
        Some(())
    }

    pub(super) fn nested(&mut self, write: impl FnOnce(&mut Self) -> Lower<()>) -> Lower<wgc_ir::Block> {
        if self.nesting == MAX_NESTING {
            let place = self.name_place();
            let message = format!("blocks of this function nest more than {MAX_NESTING} levels deep");
            self.diagnostics.push(Diagnostic::new(Code::NestingTooDeep, place, message));
            return None;
        }
        self.nesting += 1;
        self.b.begin_block();
        let done = write(self);
        let block = self.b.end_block();
        self.nesting -= 1;
        done.map(|()| block)
    }

    fn stmt(&mut self, stmt: &'db Stmt) -> Lower<()> {
        if let Some(span) = self.first_token(stmt) {
            self.set_position(span);
        }
        match stmt {
            Stmt::Expr(e) => {
                self.effect(*e)?;
            }
            Stmt::Let { local, init } => {
                let decl = self.body.local(*local);
                let (ty, span) = (decl.ty, decl.span);
                if decl.is_static {
                    return self.static_local(*local, *init);
                }
                if self.is_node_object(ty) {
                    return self.object_local(*local, *init);
                }
                // Another name for the same query, like DXC's handle.
                if let Some(init) = init
                    && self.holds_query(ty)
                {
                    let place = self.query_place(*init)?;
                    self.locals.insert(*local, Binding::Place(place));
                    return Some(());
                }
                let value = match init {
                    Some(init) => Some(self.value(*init)?),
                    None => None,
                };
                let ir = self.ir_type(ty, span)?;
                let place = self.b.new_local(decl.name.as_str(), ir);
                self.declare(place, *local);
                if decl.is_precise {
                    self.b.set_precise(place);
                }
                self.locals.insert(*local, Binding::Place(place));
                if let Some(value) = value {
                    self.b.store(place, value);
                }
            }
            Stmt::Block(block) => self.block(block)?,
            Stmt::If { cond, then, otherwise, hint } => {
                let cond = self.value(*cond)?;
                let at = self.b.position();
                let then = self.nested(|this| this.block(then))?;
                let otherwise = self.nested(|this| this.block(otherwise))?;
                self.b.set_position(at);
                self.b.push(wgc_ir::Stmt::If { cond, then, otherwise, results: [].into(), hint: *hint });
            }
            Stmt::Loop { test_first, cond, step, body, hint } => {
                self.repeat(*test_first, *cond, *step, body, *hint)?;
            }
            Stmt::Switch { selector, cases, hint } => self.switch(*selector, cases, *hint)?,
            Stmt::Break => self.b.break_(),
            Stmt::Continue => self.b.continue_(),
            Stmt::Return(Some(value)) if self.is_node_object(self.body.expr(*value).ty) => {
                self.return_object(*value)?;
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => self.effect_or_value(*value)?,
                    None => None,
                };
                if let Some(value) = value
                    && self.returns_precise
                {
                    self.b.set_precise(value);
                }
                self.b.ret(value);
            }
        }
        Some(())
    }

    /// Returns the value of an expression, if its type has any.
    fn effect_or_value(&mut self, id: ExprId) -> Lower<Option<wgc_ir::ValueId>> {
        match self.body.expr(id).ty.kind(self.db) {
            crate::db::ty::TyKind::Void => self.effect(id).map(|_| None),
            _ => self.value(id).map(Some),
        }
    }

    fn repeat(
        &mut self,
        test_first: bool,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: &'db Block,
        hint: LoopHint,
    ) -> Lower<()> {
        // `while (true)` has no test: only `break` reaches the code after it, which the IR must reflect.
        let cond = cond.filter(|c| !is_true(self.body, Some(*c)));
        let first = cond.filter(|_| test_first);
        let at = self.b.position();
        let body = self.nested(|this| {
            if let Some(cond) = first {
                let cond = this.value(cond)?;
                let leave = this.nested(|this| {
                    this.b.break_();
                    Some(())
                })?;
                let hint = BranchHint::Any;
                this.b.push(wgc_ir::Stmt::If { cond, then: Vec::new(), otherwise: leave, results: [].into(), hint });
            }
            this.block(body)
        })?;
        let mut break_if = None;
        let continuing = self.nested(|this| {
            if let Some(step) = step {
                this.effect(step)?;
            }
            if let Some(cond) = cond.filter(|_| !test_first) {
                let cond = this.value(cond)?;
                break_if = Some(this.b.not(cond));
            }
            Some(())
        })?;
        self.b.set_position(at);
        let details = Box::new(wgc_ir::LoopDetails { hint, ..Default::default() });
        self.b.push(wgc_ir::Stmt::Loop { body, continuing, break_if, details });
        Some(())
    }
}
