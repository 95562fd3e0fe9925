//! Calls: functions, methods, constructors, and the passing of arguments.

use super::Checker;
use super::env::{self, Direction};
use super::hir::{Arg, Category, ExprId, ExprKind, ReadOnly};
use super::ops::{self, BuiltinOp};
use super::resolve::Meaning;
use crate::db::def::{FnId, Name, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::{Code, Severity};
use crate::types::associated;
use crate::types::cx::PathTarget;
use crate::types::definition::Definition;
use crate::types::suggestions::NameKind;
use rustc_hash::FxHashSet;
use wgc_frontend::ast::{self, Span};

/// Maximum nesting depth of default arguments that call functions with default arguments.
const MAX_DEFAULTS: u32 = 32;
/// Maximum number of expressions that default arguments add to a body.
const MAX_EXPRESSIONS: usize = 1 << 16;

/// Atomics with the same effect on signed and unsigned integers.
const SIGNLESS_ATOMICS: &[&str] = &[
    "InterlockedAdd",
    "InterlockedAnd",
    "InterlockedCompareExchange",
    "InterlockedCompareStore",
    "InterlockedExchange",
    "InterlockedOr",
    "InterlockedXor",
];

/// Candidate functions of a call; methods come with their record.
type Candidates<'db> = Vec<(Option<RecordInst<'db>>, FnId<'db>)>;

impl<'db> Checker<'_, 'db> {
    pub(super) fn call(&mut self, callee: ast::ExprId, args: &[ast::ExprId], span: Span) -> ExprId {
        let ast = self.ast;
        match &ast.exprs[callee].kind {
            ast::ExprKind::Paren(inner) => self.call(*inner, args, span),
            ast::ExprKind::Path(path) => match self.callee(path) {
                Meaning::Functions(functions) => {
                    let last = path.segments.last();
                    let name = last.map_or("", |s| s.name.text.as_str());
                    let explicit = last.and_then(|s| s.args.as_deref()).unwrap_or_default();
                    let args: Vec<ExprId> = args.iter().map(|a| self.expr(*a)).collect();
                    let functions = self.with_associated(path, functions, &args);
                    self.callee = last.map(|s| s.name.at);
                    match functions {
                        Some(functions) => self.call_function(name, functions, explicit, args, span),
                        None => {
                            self.callee = None;
                            self.error_expr(span)
                        }
                    }
                }
                Meaning::Type(ty) => self.construct(ty, args, span),
                Meaning::Value(value) => {
                    let args = args.iter().map(|a| self.expr(*a)).collect();
                    if let Some(call) = self.overloaded("()", value, args, span) {
                        return call;
                    }
                    if let Some(wrong) = self.called_local(path, value) {
                        return wrong;
                    }
                    let message = format!("`{}` is not a function", self.show(self.ty(value)));
                    self.error(Code::NotCallable, span, message)
                }
                Meaning::Namespace => self.error(Code::NotCallable, span, "a namespace is not a function".to_string()),
                Meaning::Error => {
                    for arg in args {
                        self.expr(*arg);
                    }
                    self.error_expr(span)
                }
            },
            ast::ExprKind::Member { base, name, args: explicit } => {
                let base = self.expr(*base);
                let args: Vec<ExprId> = args.iter().map(|a| self.expr(*a)).collect();
                self.method(base, name, explicit.as_deref().unwrap_or_default(), args, span)
            }
            ast::ExprKind::Type(ty) => {
                let ty = self.resolve_type(*ty);
                self.construct(ty, args, span)
            }
            _ => {
                let callee = self.expr(callee);
                let args = args.iter().map(|a| self.expr(*a)).collect();
                if self.is_error(self.ty(callee)) {
                    return self.error_expr(span);
                }
                if let Some(call) = self.overloaded("()", callee, args, span) {
                    return call;
                }
                let message = format!("`{}` is not a function", self.show(self.ty(callee)));
                self.error(Code::NotCallable, span, message)
            }
        }
    }

    /// Resolves the callee of a call. An unknown plain name gives no functions and no diagnostic:
    /// [`Self::with_associated`] adds the functions in the namespaces of the arguments ([basic.lookup.argdep]).
    fn callee(&mut self, path: &ast::Path) -> Meaning<'db> {
        let [segment] = path.segments.as_slice() else { return self.meaning_as(path, NameKind::Called) };
        if path.global || segment.name.text.is_empty() || self.is_this(path) {
            return self.meaning_as(path, NameKind::Called);
        }
        match self.with_cx(|cx| cx.resolve_callee(path)) {
            // Without a template in scope, `f<` is a comparison.
            PathTarget::Nothing(_) if segment.args.is_none() => Meaning::Functions(Vec::new()),
            found => self.meaning_of(path, found, NameKind::Called),
        }
    }

    /// Adds the functions in the arguments' namespaces to the candidates of a call. Reports an unknown name and returns
    /// `None` if there are none.
    fn with_associated(
        &mut self,
        path: &ast::Path,
        mut functions: Candidates<'db>,
        args: &[ExprId],
    ) -> Option<Candidates<'db>> {
        let is_plain = !path.global && path.segments.len() == 1;
        if let Some(segment) = path.segments.last().filter(|_| is_plain)
            && functions.iter().all(|(owner, _)| owner.is_none())
        {
            let name = Name::new(self.db, segment.name.text.to_string());
            let types: Vec<_> = args.iter().map(|arg| self.ty(*arg)).collect();
            let found = associated::functions(self.db, self.item, name, types, !self.env.is_empty());
            // Both lookups mostly find the same functions.
            if !found.iter().eq(functions.iter().map(|(_, f)| f)) {
                let known: FxHashSet<_> = functions.iter().copied().collect();
                functions.extend(found.into_iter().map(|f| (None, f)).filter(|found| !known.contains(found)));
            }
        }
        if functions.is_empty() {
            // Reports the unknown name.
            self.meaning_as(path, NameKind::Called);
            return None;
        }
        Some(functions)
    }

    fn call_function(
        &mut self,
        name: &str,
        functions: Candidates<'db>,
        explicit: &[ast::TemplateArg],
        args: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let named = self.note_call(&functions);
        if args.iter().any(|a| self.is_error(self.ty(*a))) {
            return self.error_expr(span);
        }
        let args = self.same_bits(name, &functions, args);
        let Some(inst) = self.choose(name, &functions, explicit, &args, span) else { return self.error_expr(span) };
        self.note_chosen(named, inst);
        let signature = self.signature(inst);
        let this = match inst.owner(self.db) {
            // There is no object for methods of an enclosing record.
            Some(owner) if !signature.is_static => {
                match self.this(span).filter(|this| self.is_or_inherits(*this, owner)) {
                    Some(this) => Some(this),
                    None => {
                        let message = format!("`{name}` is a method and needs an object");
                        return self.error(Code::NotCallable, span, message);
                    }
                }
            }
            _ => None,
        };
        self.finish_call(inst, this, args, span)
    }

    /// Returns whether an argument is the cast of a writable place.
    fn cast_place(&self, arg: ExprId) -> bool {
        self.casts.get(&arg).is_some_and(|place| self.category(*place) == Category::Place)
    }

    /// Drops the cast in `InterlockedOr((uint)x, 1)` for an `int x`, as the operation is the same for both types.
    fn same_bits(
        &self,
        name: &str,
        functions: &[(Option<RecordInst<'db>>, FnId<'db>)],
        mut args: Vec<ExprId>,
    ) -> Vec<ExprId> {
        let is_built_in = functions.iter().all(|(_, f)| env::is_prelude(self.db, *f));
        if let Some(first) = args.first_mut()
            && is_built_in
            && SIGNLESS_ATOMICS.contains(&name)
            && self.cast_place(*first)
        {
            let bits = |ty: Ty<'db>| match ty.kind(self.db) {
                TyKind::Scalar(s) if s.is_integer() => Some(s.size()),
                _ => None,
            };
            let place = self.casts[first];
            if bits(self.ty(place)).is_some() && bits(self.ty(place)) == bits(self.ty(*first)) {
                *first = place;
            }
        }
        args
    }

    /// Checks `base.name(args)`.
    fn method(
        &mut self,
        base: ExprId,
        name: &ast::Ident,
        explicit: &[ast::TemplateArg],
        args: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let (ty, text) = (self.ty(base), name.text.as_str());
        if self.is_error(ty) || text.is_empty() {
            return self.error_expr(span);
        }
        let at = Span { lo: name.at, hi: name.at + 1 };
        let TyKind::Record(r) = ty.kind(self.db) else {
            let message = format!("`{}` has no methods", self.show(ty));
            return self.error(Code::UnknownMember, at, message);
        };
        let mut methods = env::methods(self.db, *r, text);
        methods.retain(|(_, f)| !env::is_indexed(self.db, *f));
        if methods.is_empty() {
            if let Some(Builtin::ConstantBuffer | Builtin::TextureBuffer) = self.builtin(ty)
                && let Some(inner) = env::argument_ty(self.db, *r)
            {
                let category = Category::ReadOnly(ReadOnly::Resource);
                let contents = self.expr_in(ExprKind::Contents(base), inner, category, self.span(base));
                return self.method(contents, name, explicit, args, span);
            }
            return self.no_method(ty, *r, text, at, span);
        }
        self.callee = Some(name.at);
        self.call_method(base, text, methods, explicit, args, span)
    }

    fn no_method(&mut self, ty: Ty<'db>, r: RecordInst<'db>, text: &str, at: Span, span: Span) -> ExprId {
        let shown = self.show(ty);
        if env::fields(self.db, r).iter().any(|f| f.name == text) {
            let message = format!("`{text}` is a field of `{shown}`, not a method");
            return self.error(Code::NotCallable, at, message);
        }
        if crate::types::record::lacks_a_base(self.db, r) {
            return self.error_expr(span);
        }
        let mut diagnostic = self.diagnostic(Code::UnknownMember, at, format!("`{shown}` has no method `{text}`"));
        let names = crate::types::record::member_names(self.db, r);
        if let Some(meant) = crate::tables::similar_names::closest(text, names.iter().map(String::as_str)) {
            diagnostic = diagnostic.meant(self.place(at), meant);
        }
        let note = match (self.builtin(ty), text) {
            (Some(Builtin::HeapElement(_)), _) => {
                Some("a variable, result or cast gives a heap element its type: `((T)heap[i]).method()`")
            }
            (Some(Builtin::Input(_)), "OutputComplete") => Some("only output records have `OutputComplete`"),
            (Some(Builtin::Output { array: false, .. }), "OutputComplete") => {
                Some("call `OutputComplete` on the records that the output returns")
            }
            (Some(Builtin::Output { array: true, .. }), _) => {
                Some("select an element of the array of outputs first: `output[i].method()`")
            }
            (Some(Builtin::Output { array: false, empty: true }), _) => Some(
                "an output without data has the methods `ThreadIncrementOutputCount(n)` and `GroupIncrementOutputCount(n)`",
            ),
            (
                Some(Builtin::Output { array: false, empty: false }),
                "Get" | "ThreadIncrementOutputCount" | "GroupIncrementOutputCount",
            ) => Some("call `GetThreadNodeOutputRecords(n)` or `GetGroupNodeOutputRecords(n)` to get records"),
            _ => None,
        };
        if let Some(note) = note {
            diagnostic = diagnostic.note(note);
        }
        self.report(diagnostic);
        self.error_expr(span)
    }

    pub(super) fn call_method(
        &mut self,
        base: ExprId,
        name: &str,
        methods: Vec<(RecordInst<'db>, FnId<'db>)>,
        explicit: &[ast::TemplateArg],
        args: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        let functions: Vec<_> = methods.into_iter().map(|(owner, f)| (Some(owner), f)).collect();
        let named = self.note_call(&functions);
        if args.iter().any(|a| self.is_error(self.ty(*a))) {
            return self.error_expr(span);
        }
        let Some(inst) = self.choose(name, &functions, explicit, &args, span) else { return self.error_expr(span) };
        self.note_chosen(named, inst);
        self.finish_call(inst, Some(base), args, span)
    }

    /// Converts the arguments and builds the node.
    fn finish_call(&mut self, inst: FnInst<'db>, this: Option<ExprId>, args: Vec<ExprId>, span: Span) -> ExprId {
        let signature = self.signature(inst);
        if self.is_error(signature.ret) || signature.params.iter().any(|p| self.is_error(p.ty)) {
            // A plain function reports its own signature; for an instance of a template this is the only location.
            if !inst.args(self.db).is_empty() {
                let found = crate::types::signature::fn_signature(self.db, inst).diagnostics.iter().cloned();
                self.diagnostics.extend(found);
            }
            return self.error_expr(span);
        }
        let mut passed = Vec::new();
        for (i, param) in signature.params.iter().enumerate() {
            let what = format!("argument {} of `{}`", i + 1, signature.name);
            let Some(arg) = args.get(i).copied() else {
                if param.is_optional {
                    break;
                }
                let Some(value) = self.default_argument(inst, i, param.ty, span) else { return self.error_expr(span) };
                passed.push(Arg::In(value));
                continue;
            };
            if param.is_constant && super::fold::eval(self.db, &self.body, arg).is_none() {
                return self.error(Code::NotConstant, self.span(arg), format!("{what} must be a constant"));
            }
            let arg = match self.text_array(arg, Some(param.ty)) {
                Some(ty) => self.text_elements(arg, ty),
                None => arg,
            };
            passed.push(match param.direction {
                _ if param.is_reference => match self.referred(arg, param.ty, &what) {
                    Some(arg) => arg,
                    None => return self.error_expr(span),
                },
                _ if param.is_shared => match self.shared(arg, param.is_const, &what) {
                    Some(arg) => arg,
                    None => return self.error_expr(span),
                },
                _ if param.is_place => {
                    if !self.must_be_place(arg, &what) {
                        return self.error_expr(span);
                    }
                    if let ExprKind::Bits { .. } = self.body.expr(arg).kind {
                        let message = format!("{what} is a bit-field, which has no address");
                        return self.error(Code::NotAPlace, self.span(arg), message);
                    }
                    Arg::Place(arg)
                }
                Direction::In => Arg::In(self.pass(arg, param, &what)),
                // `f((uint)x)`: the cast applies to the output value too.
                Direction::Out | Direction::InOut if self.cast_place(arg) && self.ty(arg) == param.ty => {
                    let place = self.casts[&arg];
                    if param.direction == Direction::Out { Arg::Out(place) } else { Arg::InOut(place) }
                }
                // Host-bound resources are passed directly: lowering checks that the function does not assign to them.
                Direction::InOut if self.is_bound(arg) => Arg::In(self.pass(arg, param, &what)),
                Direction::Out | Direction::InOut if !self.must_be_place(arg, &what) => return self.error_expr(span),
                Direction::Out => Arg::Out(arg),
                Direction::InOut => Arg::InOut(arg),
            });
        }
        for (i, &arg) in args.iter().enumerate().skip(signature.params.len()) {
            let ty = self.settled(self.ty(arg));
            if self.num(ty).is_none_or(|n| n.shape.is_matrix()) {
                let (name, shown) = (&signature.name, self.show(ty));
                let message = format!("argument {} of `{name}` is `{shown}`, not a scalar or vector", i + 1);
                return self.error(Code::TypeMismatch, self.span(arg), message);
            }
            passed.push(Arg::In(self.convert(arg, ty)));
        }
        let op = match signature.op.as_deref() {
            None if signature.is_instruction => Some(BuiltinOp::Spirv),
            None => None,
            Some(op) => match ops::find(op) {
                Some(op) => Some(op),
                None => return self.unsupported(span, &format!("`{}`", signature.name)),
            },
        };
        let Some(op) = op else {
            if !signature.has_body {
                self.no_body(inst, span);
            }
            if Some(inst) == self.function {
                let message = format!("`{}` calls itself", signature.name);
                return self.error(Code::Recursion, span, message);
            }
            // A base's method gets the base.
            let this = this.filter(|_| !signature.is_static).map(|this| self.as_owner(this, inst));
            return self.value(ExprKind::Call { callee: inst, this, args: passed }, signature.ret, span);
        };
        if !self.check_op(op, this, &passed, span) {
            return self.error_expr(span);
        }
        if let BuiltinOp::OtherStage(stages) = op {
            // The type is known nevertheless, so surrounding errors are reported.
            let object = this.filter(|_| signature.name.starts_with("operator")).map(|this| self.show(self.ty(this)));
            self.error(Code::OtherStage, span, stages.refuse(object.as_deref().unwrap_or(&signature.name)));
        }
        if let BuiltinOp::Lacking(why) = op {
            self.error(Code::NotSupported, span, format!("`{}` cannot be compiled: {why}", signature.name));
        }
        let object = this.map(|t| (self.builtin(self.ty(t)), self.category(t)));
        let category = match (signature.is_ref, object) {
            // The records of a const node object are const. A resource only names memory that is not const.
            (
                Some(true),
                Some((Some(Builtin::Input(_) | Builtin::OutputRecords(_)), read_only @ Category::ReadOnly(_))),
            ) => read_only,
            (Some(true), _) => Category::Place,
            (Some(false), Some((Some(Builtin::Input(_)), _))) => Category::ReadOnly(ReadOnly::Record),
            (Some(false), _) => Category::ReadOnly(ReadOnly::Resource),
            (None, _) => Category::Value,
        };
        self.expr_in(ExprKind::Op { op, callee: inst, object: this, args: passed }, signature.ret, category, span)
    }

    /// Returns whether the expression is a resource that the host binds, or an array or element of them.
    fn is_bound(&self, id: ExprId) -> bool {
        let mut root = id;
        while let ExprKind::Field { base, .. } | ExprKind::Index { base, .. } = self.body.expr(root).kind {
            root = base;
        }
        let is_global = matches!(self.body.expr(root).kind, ExprKind::Global(..));
        is_global && self.category(root) == Category::Value && self.is_resource(self.ty(id))
    }

    /// Converts an `in` argument to the parameter's type.
    fn pass(&mut self, arg: ExprId, param: &env::Param<'db>, what: &str) -> ExprId {
        if self.is_array_alike(self.ty(arg), param.ty) { arg } else { self.coerce(arg, param.ty, what) }
    }

    /// Returns whether two types are arrays of the same kind of resource and one of them has no length; the function
    /// uses the argument's length.
    pub(super) fn is_array_alike(&self, arg: Ty<'db>, param: Ty<'db>) -> bool {
        match (arg.kind(self.db), param.kind(self.db)) {
            (TyKind::Array(a, len), TyKind::Array(b, other)) => {
                a == b && (len.is_none() || other.is_none()) && self.is_resource(arg)
            }
            _ => false,
        }
    }

    /// Checks an argument for a `groupshared` parameter, which refers to group memory directly.
    fn shared(&mut self, arg: ExprId, is_const: bool, what: &str) -> Option<Arg> {
        if !is_const && !self.must_be_place(arg, what) {
            return None;
        }
        if !self.is_in_group(arg) {
            let message = format!("{what} must be in groupshared memory, like its parameter");
            let diagnostic = self.diagnostic(Code::NotAPlace, self.span(arg), message);
            self.report(diagnostic.note("without `groupshared`, an `inout` parameter copies any variable"));
            return None;
        }
        Some(Arg::Place(arg))
    }

    /// Returns whether a place is a variable in group memory, or an element or a field of one.
    pub(super) fn is_in_group(&self, id: ExprId) -> bool {
        match self.body.expr(id).kind {
            ExprKind::Field { base, .. } | ExprKind::Index { base, .. } => self.is_in_group(base),
            ExprKind::Global(var, owner) => env::is_shared(self.db, var, owner),
            ExprKind::Local(local) => self.body.local(local).is_shared,
            _ => false,
        }
    }

    /// Checks an argument for `[[vk::ext_reference]]`: memory of the parameter's type; the instruction decides if it is
    /// written.
    fn referred(&mut self, arg: ExprId, wanted: Ty<'db>, what: &str) -> Option<Arg> {
        let (ty, span) = (self.ty(arg), self.span(arg));
        if !self.category(arg).in_memory() {
            self.error(Code::NotAPlace, span, format!("{what} is a value, not a variable"));
            return None;
        }
        if ty != wanted {
            let message =
                format!("the type of {what} is `{}`, but the reference needs `{}`", self.show(ty), self.show(wanted));
            self.error(Code::TypeMismatch, span, message);
            return None;
        }
        Some(Arg::Place(arg))
    }

    /// Reports a call of a function without a body. It matters only if an entry point reaches it. In a library it is a
    /// warning, as another library may have the body.
    fn no_body(&mut self, inst: FnInst<'db>, span: Span) {
        let message = format!("`{}` is declared without a body", self.signature(inst).name);
        let mut diagnostic = self.diagnostic(Code::NoBody, span, message);
        if let Some(place) = env::fn_place(self.db, inst.function(self.db)) {
            diagnostic = diagnostic.also(place, "declared here");
        }
        let options = self.item.program(self.db).options(self.db);
        if options.library && options.compute_entry.is_none() {
            diagnostic = diagnostic.severity(Severity::Warning);
        }
        self.report(diagnostic);
    }

    fn is_or_inherits(&self, object: ExprId, owner: RecordInst<'db>) -> bool {
        let record = self.ty(object).as_record(self.db);
        record.is_some_and(|r| r == owner || crate::types::record::base_depth(self.db, r, owner).is_some())
    }

    /// Converts the object to the record that declares the method.
    fn as_owner(&mut self, this: ExprId, inst: FnInst<'db>) -> ExprId {
        let Some(owner) = inst.owner(self.db) else { return this };
        self.as_base(this, Ty::new(self.db, TyKind::Record(owner))).unwrap_or(this)
    }

    /// Checks a default argument in the context of its declaration and places it at the call, as spans count tokens of
    /// this body.
    fn default_argument(&mut self, inst: FnInst<'db>, index: usize, ty: Ty<'db>, call: Span) -> Option<ExprId> {
        let Definition { function, env } = crate::types::default_arguments::find(self.db, inst, index)?;
        let node = crate::db::items::fn_node(self.db, function)?;
        let init = crate::types::default_arguments::own(self.db, function, index)?;
        let first = self.body.exprs.len();
        let before_defaults = if self.defaults == 0 { first } else { self.before_defaults };
        if self.defaults == MAX_DEFAULTS || self.of_defaults + (first - before_defaults) > MAX_EXPRESSIONS {
            // A default argument that calls its own function never ends; with two such calls the expansion is
            // exponential.
            let message = format!(
                "default arguments call each other more than {MAX_DEFAULTS} levels deep, or expand to too many expressions"
            );
            let span = node.tree.ast.exprs[init].span;
            self.report(Diagnostic::new(Code::NestingTooDeep, SourcePlace::head(function.item, span), message));
            return Some(self.error_expr(Span::default()));
        }
        let mut inner = Checker {
            function: self.function,
            is_constant: self.is_constant,
            ret: self.ret,
            body: std::mem::take(&mut self.body),
            scopes: Vec::new(),
            defaults: self.defaults + 1,
            of_defaults: self.of_defaults,
            before_defaults,
            ..Checker::of_head(self.db, function.item, &node.tree.ast, &env, inst.owner(self.db))
        };
        let (value, _) = inner.initializer(init, ty, "the default argument");
        let diagnostics = std::mem::take(&mut inner.diagnostics);
        self.body = inner.body;
        if self.defaults == 0 {
            self.of_defaults += self.body.exprs.len() - first;
        }
        self.body.exprs[first..].iter_mut().for_each(|e| e.span = call);
        self.diagnostics.extend(diagnostics);
        Some(value)
    }
}
