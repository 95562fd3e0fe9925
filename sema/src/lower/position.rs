//! Source locations of statements and expressions, for the positions of the IR.
//!
//! Positions count tokens of the body, so they are as stable as the body itself. When a module is emitted,
//! [`crate::link::source_map`] maps them to file locations.

use super::{Lower, Lowerer};
use crate::check::hir::{ExprId, ExprKind, LocalId, Stmt};
use crate::db::Db;
use crate::db::def::Item;
use crate::db::items::fn_node;
use wgc_frontend::ast::Span;
use wgc_ir::SourceText;
use wgc_ir::{Position, SourceScope, Type, ValueId, Variable};

impl<'db> Lowerer<'db> {
    /// Opens the scope of the function itself; positions without one are left out.
    pub(super) fn open_scope(&mut self) {
        let Some(instance) = self.instance else { return };
        let Some((item, body)) = crate::types::definition::body(self.db, instance) else { return };
        let definition = crate::types::definition::function(self.db, instance).function;
        let Some(node) = fn_node(self.db, definition) else { return };
        let scope = SourceScope {
            function: self.b.function().name.clone(),
            text: crate::lower::position::text(self.db, item, Some(body)),
            name: node.function.name.at,
            inlined_at: None,
        };
        self.scope = Some(self.b.function_mut().scopes.alloc(scope));
    }

    /// Declares for debuggers that a place holds a variable of the body.
    pub(super) fn declare(&mut self, place: ValueId, local: LocalId) {
        let decl = self.body.local(local);
        self.declare_as(place, decl.name.as_str(), decl.span.lo, self.argument(local));
        self.declare_handle(place, local);
    }

    /// Returns the number of a parameter, from 1; `None` for other variables.
    pub(super) fn argument(&self, local: LocalId) -> Option<u32> {
        let is_param = (local.0 as usize) < self.body.params.len();
        // The object of a method is the first argument.
        is_param.then(|| local.0 + 1 + u32::from(self.this.is_some()))
    }

    /// Declares the object of a method at the function's name, the only location that it has.
    pub(super) fn declare_this(&mut self, place: ValueId) {
        let name = self.scope.map_or(0, |scope| self.b.function().scopes[scope].name);
        self.declare_as(place, "this", name, Some(1));
    }

    fn declare_as(&mut self, place: ValueId, name: &str, token: u32, argument: Option<u32>) {
        let Some(scope) = self.scope.filter(|_| !name.is_empty()) else { return };
        let ty = match self.b.ty(place) {
            Type::Ref(_, pointee) => (*pointee).clone(),
            other => other,
        };
        let declared = Position { scope, token };
        self.b.function_mut().declare(place, Variable { name: name.into(), ty, declared, argument });
    }

    pub(super) fn set_position(&mut self, span: Span) {
        if let Some(scope) = self.scope {
            self.b.set_position(Some(Position { scope, token: span.lo }));
        }
    }

    /// Evaluates an expression at its own position, if it performs an action.
    pub(super) fn positioned<T>(&mut self, id: ExprId, evaluate: impl FnOnce(&mut Self) -> Lower<T>) -> Lower<T> {
        let expr = self.body.expr(id);
        if !acts(&expr.kind) {
            return evaluate(self);
        }
        let around = self.b.position();
        self.set_position(expr.span);
        let result = evaluate(self);
        self.b.set_position(around);
        result
    }

    /// Returns the location at the start of a statement; `None` for statements without a token in the tree.
    pub(super) fn first_token(&self, stmt: &Stmt) -> Option<Span> {
        match stmt {
            Stmt::Expr(e) | Stmt::Return(Some(e)) | Stmt::If { cond: e, .. } | Stmt::Switch { selector: e, .. } => {
                Some(self.body.expr(*e).span)
            }
            Stmt::Let { local, .. } => Some(self.body.local(*local).span),
            Stmt::Loop { cond, .. } => cond.map(|e| self.body.expr(e).span),
            Stmt::Block(_) | Stmt::Break | Stmt::Continue | Stmt::Return(None) => None,
        }
    }
}

/// Returns whether an expression gets its own position; a name or a conversion belongs to its use.
fn acts(kind: &ExprKind<'_>) -> bool {
    matches!(
        kind,
        ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Logical { .. }
            | ExprKind::Cond { .. }
            | ExprKind::Select { .. }
            | ExprKind::Assign { .. }
            | ExprKind::AssignOp { .. }
            | ExprKind::Step { .. }
            | ExprKind::Call { .. }
            | ExprKind::Op { .. }
    )
}

/// Prefix for source texts of the prelude. wgc's own programs are linked with those of users and are equal in all
/// units.
pub(crate) const OF_PRELUDE: &str = "prelude:";
pub(crate) const OF_DEVICE: &str = "wgc:";

/// Returns the head or a body of an item, by a name that survives edits around it. The name excludes the unit, so
/// functions that two units include from one header are equal.
pub fn text<'db>(db: &'db dyn Db, item: Item<'db>, body: Option<u32>) -> SourceText {
    let program = item.program(db);
    let owner = match () {
        () if program == db.prelude() => OF_PRELUDE,
        () if program.options(db).internal => OF_DEVICE,
        () => "",
    };
    if let Some(around) = item.around(db) {
        let item = format!("{owner}{}@{}", crate::types::globals::qualified(db, item, item.name(db)), around.body(db));
        return SourceText { item: item.into(), body };
    }
    let scope = if item.scope(db).is_empty() { String::new() } else { format!("{}::", item.scope(db)) };
    let nth = if item.nth(db) == 0 { String::new() } else { format!("#{}", item.nth(db)) };
    SourceText { item: format!("{owner}{scope}{}{nth}", item.name(db)).into(), body }
}
