//! Statements: blocks, declarations, loops, switches, returns.

use super::Checker;
use super::fold;
use super::hir::{Block, ExprId, Local, LocalId, Stmt};
use super::ops::Stages;
use super::{Named, hidden_key};
use crate::db::ty::{Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::name_uses::Symbol;
use wgc_frontend::ast::{self, Span, StmtId, StmtKind};

/// Modifiers that a local variable cannot have.
const NOT_LOCAL: &[&str] = &[
    "groupshared",
    "in",
    "out",
    "inout",
    "extern",
    "uniform",
    "shared",
    "export",
    "inline",
    "nointerpolation",
    "linear",
    "centroid",
    "noperspective",
    "sample",
];

/// The enclosing statement that a jump may leave or continue.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EnclosingStatement {
    Loop,
    Switch,
}

impl<'db> Checker<'_, 'db> {
    /// Checks statements in a new scope.
    pub(super) fn scoped(&mut self, stmts: &[StmtId]) -> Block {
        self.open_scope();
        let block = self.statements(stmts);
        self.scopes.pop();
        block
    }

    /// Checks statements in the current scope: those of a function share the scope of its parameters
    /// ([basic.scope.block]).
    pub(super) fn statements(&mut self, stmts: &[StmtId]) -> Block {
        let mut block = Block::new();
        for stmt in stmts {
            self.stmt(*stmt, &mut block);
        }
        block
    }

    pub(super) fn stmt(&mut self, id: StmtId, out: &mut Block) {
        let stmt = &self.ast.stmts[id];
        let span = stmt.span;
        let hints = std::mem::take(&mut self.hints);
        let header = std::mem::take(&mut self.header);
        match &stmt.kind {
            StmtKind::Empty | StmtKind::Error => {}
            StmtKind::Expr(e) if self.declares_pointer(*e) => {}
            StmtKind::Expr(id) => {
                let e = self.expr_or_void(*id);
                self.dropped_value(*id, e);
                let settled = self.settled(self.ty(e));
                let e = self.convert(e, settled);
                out.push(Stmt::Expr(e));
            }
            StmtKind::Var(var) if self.is_foreign_statement(var) => {}
            StmtKind::Var(var) => self.var(var, out),
            StmtKind::Item(item) => self.local_item(*item),
            StmtKind::Block(stmts) => {
                let block = self.block_of(header, stmts);
                out.push(Stmt::Block(block));
            }
            StmtKind::Attributed { attribute, stmt } => {
                self.hints = hints;
                self.header = header;
                self.statement_attribute(attribute, *stmt);
                self.stmt(*stmt, out);
            }
            StmtKind::If { decl, cond, then, otherwise } => self.declaring(*decl, out, |this, out| {
                let header = this.header.clone();
                let cond = this.condition(*cond);
                let then = this.scoped(&[*then]);
                this.header = header;
                let otherwise = otherwise.map_or_else(Block::new, |s| this.scoped(&[s]));
                out.push(Stmt::If { cond, then, otherwise, hint: hints.branch() });
            }),
            StmtKind::While { decl, cond, body } => {
                self.tested_loop(*decl, (Some(*cond), None), *body, hints.of_loop(), out)
            }
            StmtKind::DoWhile { body, cond } => {
                let body = self.inside(EnclosingStatement::Loop, &[*body]);
                let cond = self.condition(*cond);
                let hint = hints.of_loop();
                out.push(Stmt::Loop { test_first: false, cond: Some(cond), step: None, body, hint });
            }
            StmtKind::For { init, decl, cond, step, body } if self.is_before_2021() => {
                self.open_scope();
                self.stmt(*init, out);
                self.tested_loop(*decl, (*cond, *step), *body, hints.of_loop(), out);
                // From here on the block around the loop sees its variables, which replace others of these names.
                let declared = self.scopes.pop().unwrap_or_default();
                if let Some(around) = self.scopes.last_mut() {
                    around.extend(declared);
                }
            }
            StmtKind::For { init, decl, cond, step, body } => self.declaring(Some(*init), out, |this, out| {
                this.tested_loop(*decl, (*cond, *step), *body, hints.of_loop(), out);
            }),
            StmtKind::Switch { decl, selector, body } => self.declaring(*decl, out, |this, out| {
                let header = std::mem::take(&mut this.header);
                let stmt = this.switch(header, *selector, body, hints.branch());
                out.push(stmt);
            }),
            StmtKind::Case(_) | StmtKind::Default => {
                let message = match self.around.contains(&EnclosingStatement::Switch) {
                    true => "a label in a block of its own: move it out of the block",
                    false => "a label outside a switch",
                };
                self.error(Code::BadSwitch, span, message.to_string());
            }
            StmtKind::Break if self.around.is_empty() => {
                self.error(Code::BadJump, span, "`break` outside a loop or switch".to_string());
            }
            StmtKind::Break => out.push(Stmt::Break),
            StmtKind::Continue if !self.around.contains(&EnclosingStatement::Loop) => {
                self.error(Code::BadJump, span, "`continue` outside a loop".to_string());
            }
            StmtKind::Continue => out.push(Stmt::Continue),
            StmtKind::Discard => {
                self.error(Code::OtherStage, span, Stages::PIXEL.refuse("discard"));
            }
            StmtKind::Return(value) => {
                let value = self.return_value(*value, span);
                out.push(Stmt::Return(value));
            }
        }
    }

    pub(super) fn inside(&mut self, around: EnclosingStatement, stmts: &[StmtId]) -> Block {
        self.around.push(around);
        let block = self.scoped(stmts);
        self.around.pop();
        block
    }

    fn return_value(&mut self, value: Option<ast::ExprId>, span: Span) -> Option<ExprId> {
        let is_void = matches!(self.ret.kind(self.db), TyKind::Void);
        match value {
            None if is_void || self.is_error(self.ret) => None,
            None => {
                let message = format!("the function must return `{}`", self.show(self.ret));
                self.error(Code::BadReturn, span, message);
                None
            }
            Some(value) => {
                let (ret, is_list) = (self.ret, matches!(self.ast.exprs[value].kind, ast::ExprKind::List(_)));
                if is_void {
                    let value = self.expr_or_void(value);
                    // `return f();` of a void function is legal.
                    if !matches!(self.ty(value).kind(self.db), TyKind::Void | TyKind::Error) {
                        self.error(
                            Code::BadReturn,
                            span,
                            "the function returns `void`, but this `return` has a value".to_string(),
                        );
                    }
                    return Some(value);
                }
                if is_list {
                    self.error(Code::BadReturn, span, "an initialiser list cannot be returned".to_string());
                    return None;
                }
                let value = self.expr(value);
                let value = self.coerce(value, ret, "the returned value");
                if self.returns_coherent() {
                    self.make_coherent(value);
                }
                Some(value)
            }
        }
    }

    /// Returns whether the function is declared `globallycoherent`, which applies to the resource that it returns.
    fn returns_coherent(&self) -> bool {
        let node = self.function.and_then(|f| crate::db::items::fn_node(self.db, f.function(self.db)));
        node.is_some_and(|n| {
            let ret = &n.tree.ast.types[n.function.ret];
            ret.modifiers.iter().any(|m| m.text == "globallycoherent")
        })
    }

    // ---- declarations

    fn var(&mut self, decl: &ast::VarDecl, out: &mut Block) {
        let modifiers = &self.ast.types[decl.ty].modifiers;
        let has = |text: &str| modifiers.iter().any(|m| m.text == text);
        let (is_const, is_static, coherent) = (has("const"), has("static"), has("globallycoherent"));
        let is_precise = has("precise");
        self.with_cx(|cx| cx.refuse_modifiers(decl.ty, NOT_LOCAL, "a local variable"));
        let base = match self.ast.types[decl.ty].kind {
            ast::TypeKind::Inferred => None,
            _ => Some(match self.local_type(decl.ty) {
                Some(defined) => defined,
                None => self.with_cx(|cx| cx.value_ty(decl.ty)).unordered(self.db),
            }),
        };
        for var in &decl.vars {
            let init = self.declare(var, base, is_const, is_static, out);
            if coherent && let Some(Stmt::Let { local, .. }) = out.last() {
                self.body.locals[local.0 as usize].is_coherent = true;
            }
            if is_precise && let Some(Stmt::Let { local, .. }) = out.last() {
                self.body.locals[local.0 as usize].is_precise = true;
            }
            if let Some(init) = init.filter(|_| coherent) {
                self.make_coherent(init);
            }
        }
    }

    /// Declares a variable and returns its initialiser.
    fn declare(
        &mut self,
        var: &ast::Declarator,
        base: Option<Ty<'db>>,
        is_const: bool,
        is_static: bool,
        out: &mut Block,
    ) -> Option<ExprId> {
        let name_span = Span { lo: var.name.at, hi: var.name.at + 1 };
        let declared = base.map(|base| self.with_dims(base, &var.dims));
        if var.init.is_some() {
            self.open_own(&var.name, declared, is_const, is_static);
        }
        let (init, ty) = match (var.init, declared) {
            (Some(init), Some(ty)) => {
                let (init, ty) = self.initializer(init, ty, "the initialiser");
                (Some(init), ty)
            }
            (Some(init), None) => {
                let init = self.expr(init);
                let ty = self.settled(self.ty(init));
                let is_heap = matches!(self.builtin(ty), Some(Builtin::Heap(_) | Builtin::HeapElement(_)));
                if matches!(ty.kind(self.db), TyKind::Void) || is_heap {
                    let message = format!("a variable cannot be `{}`", self.show(ty));
                    let mut diagnostic = self.diagnostic(Code::TypeMismatch, self.span(init), message);
                    if is_heap {
                        diagnostic = diagnostic.note("write the type of the resource: a heap element has none");
                    }
                    self.report(diagnostic);
                }
                (Some(self.convert(init, ty)), ty)
            }
            (None, Some(ty)) => {
                let is_text = matches!(ty.kind(self.db), TyKind::String);
                if is_const && !is_static && !is_text {
                    let message = format!("`{}` is const but has no initialiser", var.name.text);
                    self.error(Code::BadInitializer, name_span, message);
                }
                (None, ty)
            }
            (None, None) => {
                let message = format!("cannot deduce the type of `{}` without an initialiser", var.name.text);
                self.error(Code::MissingType, name_span, message);
                (None, self.error_ty())
            }
        };
        let own = self.close_own(&var.name);
        let uses_itself = own.is_some_and(|(_, uses)| uses);
        if var.annotations.iter().any(|a| matches!(a, ast::Annotation::Bits(_))) {
            let message = format!("`{}` is a variable: only members of records can be bit-fields", var.name.text);
            self.error(Code::BadBitField, name_span, message);
        }
        if let TyKind::Array(_, None) = ty.kind(self.db)
            && !init.is_some_and(|init| self.is_error(self.ty(init)))
        {
            self.error(Code::ArraySize, name_span, format!("the size of `{}` is unknown", var.name.text));
        }
        let is_text = matches!(ty.kind(self.db), TyKind::String);
        if matches!(ty.kind(self.db), TyKind::Void) {
            self.error(Code::TypeMismatch, name_span, format!("`{}` cannot be `void`", var.name.text));
        } else if is_text {
            self.check_text(&var.name, init);
        }
        // The handle's declaration reports wrong record types; errors at its uses would add nothing.
        let ty = match self.with_cx(|cx| crate::types::node_record::check_object(cx, ty, name_span)) {
            Ok(()) => ty,
            Err(_) => self.error_ty(),
        };
        let local = match own {
            Some((local, _)) => local,
            None => self.open_local(&var.name, ty, is_const),
        };
        let variable = &mut self.body.locals[local.0 as usize];
        variable.ty = ty;
        variable.is_const = is_const || is_text;
        // A value that uses itself is useless: reading it would never end.
        variable.value = init.filter(|_| (is_const || is_text) && !uses_itself);
        self.note_local(&var.name, local);
        if is_text {
            return init;
        }
        if is_static {
            if crate::types::extent::extent(self.db, ty).has_query {
                if let Some(message) = crate::types::globals::no_static_query(self.db, ty, !is_const) {
                    self.error(Code::UnsupportedType, name_span, message);
                }
            } else if self.is_object(ty) && !self.is_resource(ty) || crate::types::layout::holds_handles(self.db, ty) {
                let message = format!("`{}` belongs to one call, but a `static` variable outlives it", self.show(ty));
                self.error(Code::UnsupportedType, name_span, message);
            }
            // For a constant it makes no difference whether it is created once or each time.
            self.body.locals[local.0 as usize].is_static = !is_const || !init.is_some_and(|i| self.is_constant(i));
        }
        match init {
            Some(value) if uses_itself => self.assigned_later(local, value, out),
            _ => out.push(Stmt::Let { local, init }),
        }
        init
    }

    /// Returns whether an expression consists of constants, so that every evaluation gives the same value.
    fn is_constant(&self, id: ExprId) -> bool {
        use super::hir::ExprKind as K;
        match &self.body.expr(id).kind {
            K::Const(_) | K::Zero | K::Error => true,
            K::Local(local) => self.body.local(*local).value.is_some_and(|value| self.is_constant(value)),
            K::Global(var, owner) => super::env::const_tree(self.db, *var, *owner).is_some(),
            K::Unary { operand: inner, .. }
            | K::Convert(inner)
            | K::Splat(inner)
            | K::Once(inner)
            | K::Reshape(inner)
            | K::Base(inner)
            | K::Field { base: inner, .. }
            | K::Swizzle { base: inner, .. } => self.is_constant(*inner),
            K::Binary { lhs, rhs, .. } | K::Logical { lhs, rhs, .. } => {
                self.is_constant(*lhs) && self.is_constant(*rhs)
            }
            K::Compose(parts) => parts.iter().all(|part| self.is_constant(*part)),
            _ => false,
        }
    }

    /// Returns `base` with the dimensions of a declarator, the innermost last.
    pub(super) fn with_dims(&mut self, base: Ty<'db>, dims: &[Option<ast::ExprId>]) -> Ty<'db> {
        let mut ty = base;
        for dim in dims.iter().rev() {
            let len = match dim {
                None => None,
                Some(dim) => {
                    let id = self.expr(*dim);
                    if self.is_error(self.ty(id)) {
                        return self.error_ty();
                    }
                    let span = self.span(id);
                    match fold::eval(self.db, &self.body, id).map(fold::number) {
                        Some(fold::Number::Int(n)) if n > 0 && n <= i128::from(u32::MAX) => Some(n as u32),
                        Some(_) => {
                            self.error(Code::ArraySize, span, "an array needs at least one element".to_string());
                            return self.error_ty();
                        }
                        None => {
                            self.error(Code::NotConstant, span, "the size of an array must be a constant".to_string());
                            return self.error_ty();
                        }
                    }
                }
            };
            ty = Ty::new(self.db, TyKind::Array(ty, len));
        }
        ty
    }

    pub(super) fn new_local(&mut self, name: &ast::Ident, ty: Ty<'db>, is_const: bool) -> LocalId {
        let id = self.open_local(name, ty, is_const);
        self.note_local(name, id);
        id
    }

    fn note_local(&self, name: &ast::Ident, id: LocalId) {
        if !name.text.is_empty() {
            let Local { ty, span, .. } = *self.body.local(id);
            self.note_declaration(name.at, Symbol::Local { place: self.place(span), ty, is_param: false });
        }
    }

    /// Adds a local without recording it yet.
    pub(super) fn open_local(&mut self, name: &ast::Ident, ty: Ty<'db>, is_const: bool) -> LocalId {
        let span = Span { lo: name.at, hi: name.at + 1 };
        let id = LocalId(self.body.locals.len() as u32);
        self.body.locals.push(Local {
            name: name.text.to_string(),
            ty,
            is_const,
            is_static: false,
            is_shared: false,
            is_coherent: false,
            is_precise: false,
            value: None,
            span,
        });
        let clash = match self.scopes.last_mut() {
            Some(scope) if !name.text.is_empty() => {
                let old = scope.insert(name.text.clone(), Named::Local(id));
                if let Some(Named::Type(ty)) = old {
                    scope.insert(hidden_key(&name.text), Named::Type(ty));
                }
                old
            }
            _ => None,
        };
        if let Some(Named::Local(old)) = clash {
            if self.body.params.contains(&old) {
                self.error(Code::Redefinition, span, format!("`{}` is a parameter of this function", name.text));
            } else {
                let place = self.place(self.body.local(old).span);
                let diagnostic =
                    self.diagnostic(Code::Redefinition, span, format!("duplicate definition of `{}`", name.text));
                self.report(diagnostic.also(place, "first defined here"));
            }
        }
        id
    }

    /// Returns the type of an alias; an object of a node needs a record.
    fn object_type(&mut self, id: ast::TypeId) -> Ty<'db> {
        let (ty, span) = (self.resolve_type(id), self.ast.types[id].span);
        self.with_cx(|cx| crate::types::node_record::check_object(cx, ty, span)).map_or(self.error_ty(), |()| ty)
    }

    /// Warns about a `precise` that does not apply to a value.
    pub(super) fn useless_precise(&mut self, ty: ast::TypeId, what: &str) {
        if let Some(span) = crate::check::useless_precise::word(self.ast, ty) {
            self.error(Code::UselessPrecise, span, crate::check::useless_precise::message(what));
        }
    }

    /// Checks a type, an alias or an assertion inside a function.
    fn local_item(&mut self, item: ast::ItemId) {
        let span = self.ast.items[item].span;
        match &self.ast.items[item].kind {
            ast::ItemKind::Typedef { ty, declarators } => {
                self.useless_precise(*ty, "an alias");
                let base = self.object_type(*ty);
                for declarator in declarators {
                    let ty = self.with_dims(base, &declarator.dims);
                    self.name_type(&declarator.name, ty);
                }
            }
            ast::ItemKind::Type(ty) => {
                self.useless_precise(*ty, "a type");
                self.local_type(*ty);
            }
            ast::ItemKind::Using { name, attributes, ty, dims } => {
                self.useless_precise(*ty, "an alias");
                if let Some(attribute) = attributes.first() {
                    self.unsupported(attribute.span, "an attribute of a type alias");
                }
                let base = self.object_type(*ty);
                let ty = self.with_dims(base, dims);
                self.name_type(name, ty);
            }
            ast::ItemKind::StaticAssert(args) => {
                let Some(first) = args.first() else { return };
                let id = self.condition(*first);
                let span = self.span(id);
                match fold::eval(self.db, &self.body, id) {
                    _ if self.is_error(self.ty(id)) => {}
                    Some(c) if c.bits != 0 => {}
                    Some(_) => {
                        let message = crate::check::item::failed_assertion(self.ast, args);
                        self.error(Code::StaticAssert, span, message);
                    }
                    None => {
                        let message = "the condition of an assertion must be a constant";
                        self.error(Code::NotConstant, span, message.to_string());
                    }
                }
            }
            ast::ItemKind::Function(function) => self.local_function(function, span),
            ast::ItemKind::UsingNamespace(path) => self.use_namespace(path),
            ast::ItemKind::UsingName(path) => self.use_name(path),
            ast::ItemKind::NamespaceAlias { name, path } => self.name_namespace(name, path),
            ast::ItemKind::Empty | ast::ItemKind::Error => {}
            _ => {
                self.unsupported(span, "a declaration of this kind inside a function");
            }
        }
    }

    pub(super) fn name_type(&mut self, name: &ast::Ident, ty: Ty<'db>) {
        if let Some(scope) = self.scopes.last_mut() {
            // A variable of the scope hides a type that is defined after it, too.
            let is_hidden = matches!(scope.get(&name.text), Some(Named::Local(_)));
            scope.insert(if is_hidden { hidden_key(&name.text) } else { name.text.clone() }, Named::Type(ty));
        }
    }

    /// Checks an expression that may have no value.
    pub(super) fn expr_or_void(&mut self, id: ast::ExprId) -> ExprId {
        self.expr_any(id)
    }
}
