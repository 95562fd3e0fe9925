//! A variable inside its own initialiser, which already has it in scope ([basic.scope.pdecl]), but without a value:
//! `uint x = x;`, `uint f = f(1);`. The name's outer meaning is inaccessible there.

use super::env;
use super::hir::{Arg, Block, Category, ExprId, ExprKind, LocalId, ReadOnly, Stmt};
use super::resolve::Meaning;
use super::{Checker, Named};
use crate::db::def::{Def, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Ty, TyKind};
use crate::tables::codes::{Code, Severity};
use crate::types::cx::PathTarget;
use crate::types::extent::extent;
use wgc_frontend::ast::{self, Span};

/// The variable whose initialiser is being checked.
#[derive(Clone, Debug)]
pub(super) struct Own {
    pub local: LocalId,
    /// The type does not come from the initialiser.
    has_type: bool,
    is_static: bool,
    /// The uses in the initialiser.
    uses: Vec<ExprId>,
    /// Number of expressions before those of the initialiser.
    first: usize,
}

impl<'db> Checker<'_, 'db> {
    /// Brings a variable into scope for its initialiser; `ty` is its declared type, if any.
    pub(super) fn open_own(&mut self, name: &ast::Ident, ty: Option<Ty<'db>>, is_const: bool, is_static: bool) {
        let has_type = ty.is_some_and(|ty| !matches!(ty.kind(self.db), TyKind::Array(_, None)));
        let local = self.open_local(name, ty.unwrap_or(self.error_ty()), is_const);
        self.own = Some(Own { local, has_type, is_static, uses: Vec::new(), first: self.body.exprs.len() });
    }

    /// Returns the variable in its own initialiser, if the name means it.
    pub(super) fn own_use(&mut self, name: &str, local: LocalId, span: Span) -> Option<Meaning<'db>> {
        let own = self.own.as_ref().filter(|own| own.local == local)?;
        if !own.has_type {
            let message = format!("cannot deduce the type of `{name}`: its initialiser uses `{name}` itself");
            let diagnostic = self.diagnostic(Code::MissingType, span, message);
            let hidden = self.hidden(name, local);
            self.report(self.not_hidden(diagnostic, hidden));
            return Some(Meaning::Error);
        }
        let (ty, is_const) = (self.body.local(local).ty, self.body.local(local).is_const);
        let category = if is_const { Category::ReadOnly(ReadOnly::Const) } else { Category::Place };
        let used = self.expr_in(ExprKind::Local(local), ty, category, span);
        self.own.as_mut()?.uses.push(used);
        Some(Meaning::Value(used))
    }

    /// Evaluates an expression that reads no variable: `sizeof(x)`.
    pub(super) fn unread<R>(&mut self, ask: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.own.as_ref().map_or(0, |own| own.uses.len());
        let answer = ask(self);
        if let Some(own) = &mut self.own {
            own.uses.truncate(before);
        }
        answer
    }

    /// Ends the scope of [`Self::open_own`] and warns about reads. The flag says if the initialiser uses the variable
    /// at all.
    pub(super) fn close_own(&mut self, name: &ast::Ident) -> Option<(LocalId, bool)> {
        let Own { local, is_static, uses, first, .. } = self.own.take()?;
        let written: Vec<ExprId> = self.body.exprs[first..]
            .iter()
            .flat_map(|expr| match &expr.kind {
                ExprKind::Assign { place, .. } => vec![*place],
                ExprKind::Call { args, .. } | ExprKind::Op { args, .. } => {
                    args.iter().filter_map(|arg| if let Arg::Out(place) = arg { Some(*place) } else { None }).collect()
                }
                _ => Vec::new(),
            })
            .collect();
        let ty = self.body.local(local).ty;
        let is_object = self.is_object(ty) || extent(self.db, ty).has_opaque;
        if let Some(read) = uses.iter().copied().find(|used| !written.contains(used))
            && !self.is_error(ty)
            && !is_static
        {
            let text = name.text.as_str();
            let message = format!("`{text}` is used in its own initialiser, before it has a value");
            let mut diagnostic = self.diagnostic(Code::OwnInitializer, self.span(read), message);
            if is_object {
                diagnostic = diagnostic.severity(Severity::Error);
            }
            let hidden = self.hidden(text, local);
            self.report(self.not_hidden(diagnostic, hidden));
        } else if let Some(used) = uses.first().filter(|_| is_static) {
            self.unsupported(self.span(*used), "a `static` variable in its own initialiser");
        }
        Some((local, !uses.is_empty()))
    }

    /// Declares a variable whose initialiser uses it: the declaration comes first, then an assignment.
    pub(super) fn assigned_later(&mut self, local: LocalId, value: ExprId, block: &mut Block) {
        let (ty, span) = (self.body.local(local).ty, self.body.local(local).span);
        block.push(Stmt::Let { local, init: None });
        let place = self.expr_in(ExprKind::Local(local), ty, Category::Place, span);
        let assignment = self.expr_in(ExprKind::Assign { place, value }, ty, Category::Place, self.span(value));
        block.push(Stmt::Expr(assignment));
    }

    /// Checks `f(x)` if `f` is a variable of this function.
    pub(super) fn called_local(&mut self, path: &ast::Path, value: ExprId) -> Option<ExprId> {
        let ([segment], ExprKind::Local(local)) = (path.segments.as_slice(), &self.body.expr(value).kind) else {
            return None;
        };
        let (name, local) = (segment.name.text.as_str(), *local);
        let hidden = match self.without_locals(name) {
            PathTarget::Functions(functions) => functions.first().map(|(_, f)| *f),
            _ => None,
        };
        let message = format!("`{name}` is a variable of type `{}` here, not a function", self.show(self.ty(value)));
        let mut diagnostic = self.diagnostic(Code::NotCallable, path.span, message);
        let in_own = self.own.as_ref().is_some_and(|own| own.local == local);
        let declared = if in_own { "the variable, already visible in its own initialiser" } else { "declared here" };
        diagnostic = diagnostic.also(self.local_place(local), declared);
        diagnostic = match hidden.map(|f| env::fn_place(self.db, f)) {
            Some(Some(place)) => diagnostic.also(place, "the variable hides this function: rename the variable"),
            Some(None) => {
                diagnostic.note(format!("the variable hides the built-in function `{name}`: rename the variable"))
            }
            None => diagnostic,
        };
        // The call is the mistake, so the use does not count as a read.
        if let Some(own) = self.own.as_mut() {
            own.uses.retain(|used| *used != value);
        }
        self.report(diagnostic);
        Some(self.error_expr(path.span))
    }

    // ---- hidden declarations

    /// Returns the declaration that the name would mean without the variable.
    fn hidden(&mut self, name: &str, local: LocalId) -> Option<SourcePlace<'db>> {
        let others = self.scopes.iter().rev().filter_map(|scope| scope.get(name));
        let mut others = others.filter_map(|named| if let Named::Local(id) = named { Some(*id) } else { None });
        if let Some(other) = others.find(|other| *other != local) {
            return Some(self.local_place(other));
        }
        let PathTarget::Var(_, var) = self.without_locals(name) else { return None };
        crate::types::names::def_place(self.db, Def::Var(var))
    }

    fn not_hidden(&self, diagnostic: Diagnostic<'db>, hidden: Option<SourcePlace<'db>>) -> Diagnostic<'db> {
        let Some(place) = hidden else { return diagnostic };
        diagnostic.also(place, "the new variable hides this one")
    }

    /// Resolves a name outside of the function.
    fn without_locals(&mut self, name: &str) -> PathTarget<'db> {
        let segment = ast::Segment { name: ast::Ident { text: name.into(), at: 0 }, args: None };
        let path = ast::Path { global: false, segments: vec![segment], span: Span { lo: 0, hi: 0 } };
        self.with_cx(|cx| {
            (cx.locals, cx.sink) = (None, None);
            let found = cx.resolve_callee(&path);
            cx.errors.clear();
            found
        })
    }

    fn local_place(&self, local: LocalId) -> SourcePlace<'db> {
        let body = self.body_index.filter(|_| !self.body.params.contains(&local));
        SourcePlace { item: self.item, body, span: self.body.local(local).span }
    }
}
