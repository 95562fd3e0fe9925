//! Names and types inside a body: the meaning of a path, given the function's own names.
//!
//! The rules of lookup are in [`crate::types::cx`]; this module turns their results into expressions.

use super::env;
use super::fold;
use super::hir::{Body, Category, ExprId, ExprKind, ReadOnly};
use super::overload::Misfit;
use super::using::{Used, Using};
use super::{Checker, Named, Scope};
use crate::db::Db;
use crate::db::def::{Def, FnId, Item, Name, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::Local;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::tables::builtin::Subobject;
use crate::tables::codes::Code;
use crate::types::cx::{Cx, Locals, PathTarget};
use crate::types::globals::GlobalKind;
use crate::types::name_uses::Symbol;
use crate::types::suggestions::NameKind;
use rustc_hash::FxHashSet;
use wgc_frontend::ast::{self, Span, TypeId};

/// The referent of a path in an expression.
pub(super) enum Meaning<'db> {
    Value(ExprId),
    Type(Ty<'db>),
    /// An overload set; methods come with their record.
    Functions(Vec<(Option<RecordInst<'db>>, FnId<'db>)>),
    Namespace,
    /// Already reported.
    Error,
}

/// The function's names, as required by `Cx`.
pub(super) struct View<'a, 'db> {
    db: &'db dyn Db,
    scopes: &'a [Scope<'db>],
    using: &'a [Using<'db>],
    body: &'a Body<'db>,
    outside: Option<&'a dyn Locals<'db>>,
    item: Item<'db>,
    body_index: Option<u32>,
}

impl<'db> View<'_, 'db> {
    /// Iterates over the open using-declarations, innermost first.
    fn used(&self) -> impl Iterator<Item = &Used<'db>> {
        let open = self.scopes.len();
        self.using.iter().rev().filter(move |using| using.depth <= open).map(|using| &using.what)
    }
}

impl<'db> Locals<'db> for View<'_, 'db> {
    fn declared(&self, name: &str) -> &[Def<'db>] {
        let named = self.used().find_map(|used| match used {
            Used::Name(of, defs) if of == name => Some(defs.as_slice()),
            _ => None,
        });
        named.or_else(|| Some(self.outside?.declared(name))).unwrap_or_default()
    }

    fn namespaces(&self) -> Vec<Name<'db>> {
        let own = self.used().filter_map(|used| if let Used::Namespace(name) = used { Some(*name) } else { None });
        own.chain(self.outside.map_or_else(Vec::new, |outside| outside.namespaces())).collect()
    }

    fn types(&self) -> Vec<String> {
        let own = self.scopes.iter().rev().flatten().filter(|(_, named)| matches!(named, Named::Type(_)));
        let mut own: Vec<String> = own.map(|(name, _)| name.to_string()).collect();
        own.sort_unstable();
        own.extend(self.outside.map_or_else(Vec::new, |outside| outside.types()));
        own
    }

    fn variable(&self, name: &str) -> Option<Symbol<'db>> {
        let Some(named) = self.scopes.iter().rev().find_map(|s| s.get(name)) else {
            return self.outside?.variable(name);
        };
        let Named::Local(id) = named else { return None };
        let (local, is_param) = (self.body.local(*id), self.body.params.contains(id));
        let body = self.body_index.filter(|_| !is_param);
        Some(Symbol::Local { place: SourcePlace { item: self.item, body, span: local.span }, ty: local.ty, is_param })
    }

    fn find_type(&self, name: &str) -> Option<Local<'db>> {
        let in_scope = |scope: &Scope<'db>| match scope.get(name) {
            Some(Named::Type(ty)) => Some(*ty),
            _ => match scope.get(&super::hidden_key(name)) {
                Some(Named::Type(ty)) => Some(*ty),
                _ => None,
            },
        };
        match self.scopes.iter().rev().find_map(in_scope) {
            Some(ty) => Some(Local::Type(ty)),
            None => self.outside?.find_type(name),
        }
    }

    fn find(&self, name: &str) -> Option<Local<'db>> {
        let Some(named) = self.scopes.iter().rev().find_map(|s| s.get(name)) else { return self.outside?.find(name) };
        Some(match named {
            Named::Type(ty) => Local::Type(*ty),
            Named::EnumValue(e, n) => Local::EnumValue(*e, *n),
            Named::Local(local) => {
                let local = self.body.local(*local);
                let value = local.value.and_then(|v| fold::eval_const(self.db, self.body, v));
                value.map_or(Local::Variable, |value| Local::Constant(local.ty, value))
            }
        })
    }
}

impl<'db> Checker<'_, 'db> {
    pub(super) fn view(&self) -> View<'_, 'db> {
        View {
            db: self.db,
            scopes: &self.scopes,
            using: &self.using,
            body: &self.body,
            outside: self.outside,
            item: self.item,
            body_index: self.body_index,
        }
    }

    /// Queries a context that has the function's names, and adopts its diagnostics.
    pub(super) fn with_cx<R>(&mut self, ask: impl FnOnce(&mut Cx<'_, 'db>) -> R) -> R {
        let view = self.view();
        let mut cx = Cx {
            db: self.db,
            item: self.item,
            body: self.body_index,
            ast: self.ast,
            env: self.env,
            owner: self.owner,
            locals: Some(&view),
            errors: Vec::new(),
            adopted: FxHashSet::default(),
            specialised: Vec::new(),
            sink: self.sink,
        };
        let answer = ask(&mut cx);
        let errors = cx.errors;
        self.diagnostics.extend(errors);
        answer
    }

    pub(super) fn resolve_type(&mut self, ty: TypeId) -> Ty<'db> {
        match self.local_type(ty) {
            Some(defined) => defined,
            None => self.with_cx(|cx| cx.ty(ty)).unordered(self.db),
        }
    }

    /// Resolves the explicit template arguments of a call, or returns their mismatch with these parameters.
    pub(super) fn explicit_args(
        &mut self,
        params: &[crate::types::signature::TemplateParam],
        args: &[ast::TemplateArg],
    ) -> Result<Vec<crate::db::ty::GenericArg<'db>>, Misfit<'db>> {
        let before = self.diagnostics.len();
        let given: Option<Vec<_>> =
            self.with_cx(|cx| params.iter().zip(args).map(|(p, a)| cx.template_arg(p, *a)).collect());
        if let Some(n) = self.diagnostics[before..].iter().position(Diagnostic::is_error) {
            let error = self.diagnostics.swap_remove(before + n);
            self.diagnostics.truncate(before);
            return Err(Box::new(error).into());
        }
        // A missing argument without an error is a syntax error, which was already reported.
        given.ok_or(Misfit::Silent)
    }

    pub(super) fn meaning(&mut self, path: &ast::Path) -> Meaning<'db> {
        self.meaning_as(path, NameKind::Value)
    }

    /// Resolves a path like [`Self::meaning`], with the expected kind of name.
    pub(super) fn meaning_as(&mut self, path: &ast::Path, wanted: NameKind) -> Meaning<'db> {
        if self.is_this(path)
            && let Some(this) = self.this(path.span)
        {
            return Meaning::Value(this);
        }
        let found = self.with_cx(|cx| cx.resolve_callee(path));
        self.meaning_of(path, found, wanted)
    }

    /// Returns the meaning of a resolved path.
    pub(super) fn meaning_of(&mut self, path: &ast::Path, found: PathTarget<'db>, wanted: NameKind) -> Meaning<'db> {
        let span = path.span;
        if let PathTarget::Nothing(at) = found {
            self.unknown(path, at, wanted);
        }
        match found {
            PathTarget::Nothing(_) | PathTarget::Error => Meaning::Error,
            PathTarget::Type(ty) => Meaning::Type(ty),
            PathTarget::Functions(functions) => Meaning::Functions(functions),
            PathTarget::Namespace(_) => Meaning::Namespace,
            PathTarget::Local(local) => self.local(path, local, span),
            PathTarget::Value(value) => {
                let c = fold::constant(fold::Number::Int(value.number()), self.storage_scalar(value.ty));
                Meaning::Value(self.value(ExprKind::Const(c), value.ty, span))
            }
            PathTarget::Field(_) => self.own_field(path, span),
            PathTarget::EnumValue(e, n) => match env::enum_value(self.db, e, n) {
                Some(c) => {
                    let ty = Ty::new(self.db, TyKind::Enum(e));
                    Meaning::Value(self.value(ExprKind::Const(c), ty, span))
                }
                None => {
                    let wrong = crate::types::enum_values::wrong_in_instance(self.db, e);
                    self.diagnostics.extend(wrong.iter().cloned());
                    Meaning::Error
                }
            },
            PathTarget::Var(owner, var) => self.variable(owner, var, span).map_or(Meaning::Error, Meaning::Value),
        }
    }

    /// Returns a global or static member; `None` if it is erroneous.
    pub(super) fn variable(&mut self, owner: Option<RecordInst<'db>>, var: VarId<'db>, span: Span) -> Option<ExprId> {
        if let Some(global) = crate::types::globals::global(self.db, var, owner)
            && let GlobalKind::Subobject(kind) = global.kind
        {
            let what = if kind == Subobject::Effect { "an effect framework object" } else { "a subobject" };
            self.error(Code::NotAValue, span, format!("`{}` is {what}, which has no value", global.name));
            return None;
        }
        let info = env::global(self.db, var, owner);
        if owner.is_some_and(|owner| !owner.args(self.db).is_empty()) {
            // An instance is not checked anywhere else.
            let wrong = env::wrong(self.db, var, owner);
            self.diagnostics.extend(wrong.cloned());
        }
        if self.is_error(info.ty) {
            return None;
        }
        if info.too_deep {
            self.error(Code::NestingTooDeep, span, crate::types::constant_variables::too_deep());
            return None;
        }
        if let Some(what) = info.unsupported {
            self.unsupported(span, what);
            return None;
        }
        let category = match info.read_only {
            _ if info.is_object => Category::Value,
            Some(why) => Category::ReadOnly(why),
            None => Category::Place,
        };
        Some(self.expr_in(ExprKind::Global(var, owner), info.ty, category, span))
    }

    /// Returns whether the path is the keyword `this`, which the tree keeps as a name.
    pub(super) fn is_this(&self, path: &ast::Path) -> bool {
        !path.global && matches!(path.segments.as_slice(), [only] if only.name.text == "this")
    }

    /// Reports an unknown name. Suggestions prefer the function's own names to the program's.
    fn unknown(&mut self, path: &ast::Path, at: usize, wanted: NameKind) {
        let is_late = self.with_cx(|cx| cx.late(path, at)).is_some();
        if !is_late && self.with_cx(|cx| cx.may_be_inherited(path, at)) {
            return;
        }
        let name = path.segments.get(at).map(|s| (s.name.text.as_str(), s.name.at));
        let fits = |named: &Named<'db>| wanted == NameKind::Value || matches!(named, Named::Type(_));
        let own = self.scopes.iter().rev().flatten().filter(|(_, named)| fits(named)).map(|(n, _)| n.as_str());
        let mut own: Vec<&str> = own.collect();
        own.sort_unstable();
        let meant = name
            .filter(|_| path.segments.len() == 1 && !is_late)
            .and_then(|(n, _)| crate::tables::similar_names::closest(n, own));
        match (name, meant) {
            (Some((name, token)), Some(meant)) => {
                let span = Span { lo: token, hi: token + 1 };
                let message = format!("cannot find `{name}` in this scope");
                let place = self.place(span);
                let diagnostic = self.diagnostic(Code::UnknownName, span, message);
                self.report(diagnostic.meant(place, meant));
            }
            _ => self.with_cx(|cx| cx.unknown(path, at, wanted)),
        }
    }

    fn local(&mut self, path: &ast::Path, found: Local<'db>, span: Span) -> Meaning<'db> {
        let name = path.segments.last().map_or("", |s| s.name.text.as_str());
        let named = self.scopes.iter().rev().find_map(|s| s.get(name).copied());
        let Some(Named::Local(local)) = named else { return self.outer_local(name, found, span) };
        if let Some(own) = self.own_use(name, local, span) {
            return own;
        }
        let (ty, is_const) = (self.body.local(local).ty, self.body.local(local).is_const);
        if self.is_error(ty) {
            return Meaning::Error;
        }
        let category = if is_const { Category::ReadOnly(ReadOnly::Const) } else { Category::Place };
        Meaning::Value(self.expr_in(ExprKind::Local(local), ty, category, span))
    }

    /// Resolves a field of the enclosing record without `this`: `x`, or `Base::x`, which a field of a derived record
    /// does not hide.
    fn own_field(&mut self, path: &ast::Path, span: Span) -> Meaning<'db> {
        let Some((last, qualifier)) = path.segments.split_last() else { return Meaning::Error };
        let Some(this) = self.this(span) else {
            self.error(Code::NotAValue, span, "a static method cannot access fields".to_string());
            return Meaning::Error;
        };
        let object = if qualifier.is_empty() {
            this
        } else {
            let of = ast::Path { segments: qualifier.to_vec(), ..path.clone() };
            let PathTarget::Type(named) = self.with_cx(|cx| cx.resolve_callee(&of)) else { return Meaning::Error };
            let Some(object) = self.as_base(this, named) else {
                let (field, named, own) = (&last.name.text, self.show(named), self.show(self.ty(this)));
                let message =
                    format!("`{field}` is a field of `{named}`, which is not a base of `{own}`: it needs an object");
                self.error(Code::NotAValue, span, message);
                return Meaning::Error;
            };
            object
        };
        Meaning::Value(self.member(object, &last.name, span))
    }

    /// Converts an object to a record that it is or inherits from.
    pub(super) fn as_base(&mut self, object: ExprId, to: Ty<'db>) -> Option<ExprId> {
        let own = self.ty(object);
        if own == to {
            return Some(object);
        }
        crate::types::record::base_depth(self.db, own.as_record(self.db)?, to.as_record(self.db)?)?;
        let (category, span) = (self.category(object), self.span(object));
        Some(self.expr_in(ExprKind::Base(object), to, category, span))
    }
}
