//! Signatures of functions: template parameters, parameters, result, and the operation of a built-in function.

use crate::db::Db;
use crate::db::def::{Def, FnId, Item, Name, RecordId, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{fn_node, item_tree, record_node};
use crate::db::ty::Env;
use crate::db::ty::{FnInst, GenericArg, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::attribute_table::Attr;
use crate::types::attributes::is_named;
use crate::types::cx::Cx;
use crate::types::inline_spirv::{self, ExtInstruction};
use crate::types::instantiation::{MAX_INSTANTIATIONS, enter};
use crate::types::mesh_values::Slot;
use crate::types::record::env_of;
use wgc_frontend::ast::{self, Annotation, Ast, ExprKind, ItemId, ItemKind, Span};

/// One template parameter; its default is not evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateParam {
    pub name: String,
    /// A type parameter; otherwise an integer or enum value.
    pub is_type: bool,
    /// The type of a value.
    ty: Option<ast::TypeId>,
    default: Option<Default>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
enum Default {
    Type(ast::TypeId),
    Value(ast::ExprId),
}

impl TemplateParam {
    pub fn has_default(&self) -> bool {
        self.default.is_some()
    }
}

/// Returns the parameters of `template` items, outermost first.
pub(crate) fn params_of(tree: &Ast, templates: &[ItemId]) -> Vec<TemplateParam> {
    let mut out = Vec::new();
    for id in templates {
        let ItemKind::Template { params, .. } = &tree.items[*id].kind else { continue };
        out.extend(params.iter().map(|param| match param {
            ast::TemplateParam::Type { name, default } => {
                let default = default.map(Default::Type);
                TemplateParam { name: name.text.to_string(), is_type: true, ty: None, default }
            }
            ast::TemplateParam::Value { ty, name, default } => {
                let default = default.map(Default::Value);
                TemplateParam { name: name.text.to_string(), is_type: false, ty: Some(*ty), default }
            }
        }));
    }
    out
}

/// Returns a record's template parameters, those of enclosing records first; as many as `RecordInst::args`.
pub fn record_template_params<'db>(db: &'db dyn Db, record: RecordId<'db>) -> &'db [TemplateParam] {
    record_params(db, record.item, record.index)
}

#[salsa::tracked(returns(ref))]
fn record_params<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<TemplateParam> {
    match record_node(db, RecordId { item, index }) {
        Some(node) => params_of(&node.tree.ast, &node.tree.decls.templates(&node.decl.around)),
        None => Vec::new(),
    }
}

/// Returns a function's own template parameters, without those of its record; as many as `FnInst::args`. Empty for a
/// plain function.
pub fn template_params<'db>(db: &'db dyn Db, f: FnId<'db>) -> &'db [TemplateParam] {
    fn_params(db, f.item, f.index)
}

#[salsa::tracked(returns(ref))]
fn fn_params<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<TemplateParam> {
    match fn_node(db, FnId { item, index }) {
        Some(node) => params_of(&node.tree.ast, &node.decl.around.templates),
        None => Vec::new(),
    }
}

/// A default has an error, which was reported.
pub(crate) struct Reported;

/// Evaluates a parameter's default in the environment of the parameters before it; errors go to `cx`. `None`: it has no
/// default.
pub(crate) fn default_arg<'db>(
    cx: &mut Cx<'_, 'db>,
    declared_in: Item<'db>,
    param: &TemplateParam,
    env: &Env<'db>,
) -> Option<Result<GenericArg<'db>, Reported>> {
    let (arg, errors) = evaluated_default(cx.db, declared_in, param.default?, param.name.clone(), env.clone());
    cx.adopt(errors);
    Some(arg.clone().ok_or(Reported))
}

type EvaluatedDefault<'db> = (Option<GenericArg<'db>>, Vec<Diagnostic<'db>>);

/// Evaluates each default once for the arguments before it: defaults that use others several times would otherwise
/// take exponential time.
#[salsa::tracked(returns(ref), cycle_result = cyclic_default)]
fn evaluated_default<'db>(
    db: &'db dyn Db,
    declared_in: Item<'db>,
    default: Default,
    name: String,
    env: Env<'db>,
) -> EvaluatedDefault<'db> {
    let Some(_level) = enter() else {
        let why = format!("needs more than {MAX_INSTANTIATIONS} others in turn");
        return no_default(db, declared_in, default, Code::NestingTooDeep, &name, &why);
    };
    let tree = item_tree(db, declared_in);
    let mut inner = Cx::head(db, declared_in, &tree.ast, &env);
    let arg = match default {
        Default::Type(ty) => Some(GenericArg::Ty(inner.ty(ty))),
        Default::Value(expr) => inner.template_value(expr).map(GenericArg::Value),
    };
    (arg, inner.errors)
}

/// Ends a default that uses its own template, which lacks the same argument again.
fn cyclic_default<'db>(
    db: &'db dyn Db,
    _: salsa::Id,
    declared_in: Item<'db>,
    default: Default,
    name: String,
    _: Env<'db>,
) -> EvaluatedDefault<'db> {
    no_default(db, declared_in, default, Code::CyclicDefinition, &name, "depends on itself")
}

fn no_default<'db>(
    db: &'db dyn Db,
    declared_in: Item<'db>,
    default: Default,
    code: Code,
    name: &str,
    why: &str,
) -> EvaluatedDefault<'db> {
    let tree = item_tree(db, declared_in);
    let span = match default {
        Default::Type(ty) => tree.ast.types[ty].span,
        Default::Value(expr) => tree.ast.exprs[expr].span,
    };
    let message = format!("the default of the template parameter `{name}` {why}");
    (None, vec![Diagnostic::new(code, SourcePlace::head(declared_in, span), message)])
}

/// Returns the arguments under the parameter names of another declaration.
fn renamed<'db>(env: &Env<'db>, params: &[TemplateParam], others: &[TemplateParam]) -> Env<'db> {
    let mut out = env.clone();
    for (param, other) in params.iter().zip(others) {
        if param.name != other.name
            && let Some((_, arg)) = env.iter().rev().find(|(name, _)| *name == param.name)
        {
            out.push((other.name.clone(), arg.clone()));
        }
    }
    out
}

/// Returns the default that another declaration of the record `name` has for its `n`-th parameter.
pub(crate) fn default_elsewhere<'db>(
    cx: &mut Cx<'_, 'db>,
    declared_in: Item<'db>,
    name: &str,
    params: &[TemplateParam],
    n: usize,
    env: &Env<'db>,
) -> Option<Result<GenericArg<'db>, Reported>> {
    let (db, program) = (cx.db, declared_in.program(cx.db));
    if program == db.prelude() {
        return None;
    }
    let scope = Name::new(db, declared_in.scope(db).to_string());
    let defs = crate::types::names::lookup_in(db, program, scope, Name::new(db, name.to_string())).iter();
    let records = defs.filter_map(|def| if let Def::Record(record) = def { Some(*record) } else { None });
    let (item, others) = records
        .filter(|record| record.item != declared_in)
        .map(|record| (record.item, record_template_params(db, record)))
        .find(|(_, others)| others.len() == params.len() && others[n].has_default())?;
    default_arg(cx, item, &others[n], &renamed(env, params, others))
}

/// Returns the locations of a repeated default: in `params`, and in the earlier declaration.
pub(crate) fn default_given_again<'db>(
    db: &'db dyn Db,
    (item, params): (Item<'db>, &[TemplateParam]),
    (earlier, others): (Item<'db>, &[TemplateParam]),
) -> Option<(SourcePlace<'db>, SourcePlace<'db>)> {
    if params.len() != others.len() {
        return None;
    }
    let place = |item: Item<'db>, param: &TemplateParam| {
        let tree = &item_tree(db, item).ast;
        let span = match param.default? {
            Default::Type(ty) => tree.types[ty].span,
            Default::Value(expr) => tree.exprs[expr].span,
        };
        Some(SourcePlace::head(item, span))
    };
    params.iter().zip(others).find_map(|(param, other)| Some((place(item, param)?, place(earlier, other)?)))
}

/// Returns a template parameter's default for deduction: `None` without one, or the error in it.
pub fn template_default<'db>(
    db: &'db dyn Db,
    f: FnId<'db>,
    param: &TemplateParam,
    env: &Env<'db>,
) -> Result<Option<GenericArg<'db>>, Box<Diagnostic<'db>>> {
    let params = template_params(db, f);
    let nth = params.iter().position(|one| one.name == param.name);
    let has_default = |other: &FnId<'db>| {
        let others = template_params(db, *other);
        others.len() == params.len() && nth.and_then(|n| others.get(n)).is_some_and(TemplateParam::has_default)
    };
    // Declarations share their defaults (C++ [temp.param]).
    let source = match param.default {
        Some(_) => Some(f),
        None => crate::types::names::declarations(db, f).iter().copied().find(has_default),
    };
    let (Some(source), Some(nth)) = (source, nth) else { return Ok(None) };
    let others = template_params(db, source);
    let env = renamed(env, params, others);
    let tree = item_tree(db, source.item);
    let mut cx = Cx::head(db, source.item, &tree.ast, &env);
    let arg = default_arg(&mut cx, source.item, &others[nth], &env).and_then(Result::ok);
    cx.errors.into_iter().find(Diagnostic::is_error).map_or(Ok(arg), |error| Err(Box::new(error)))
}

/// The error in an argument for a value parameter.
pub(crate) enum WrongArg<'db> {
    /// The type of the parameter is invalid with the arguments before it.
    Type(Box<Diagnostic<'db>>),
    /// The value does not fit the type.
    Value(String),
}

impl<'db> WrongArg<'db> {
    /// Creates a diagnostic for the template `name` at the location of its argument.
    pub fn diagnostic(self, name: &str, at: SourcePlace<'db>) -> Diagnostic<'db> {
        match self {
            WrongArg::Type(diagnostic) => *diagnostic,
            WrongArg::Value(why) => Diagnostic::new(Code::TemplateArguments, at, format!("`{name}`: {why}")),
        }
    }
}

/// Converts the argument of a value parameter to the parameter's type, which may depend on earlier parameters.
pub(crate) fn value_arg<'db>(
    db: &'db dyn Db,
    declared_in: Item<'db>,
    param: &TemplateParam,
    env: &Env<'db>,
    arg: GenericArg<'db>,
) -> Result<GenericArg<'db>, WrongArg<'db>> {
    let (Some(ty), GenericArg::Value(value)) = (param.ty, &arg) else { return Ok(arg) };
    let mut cx = Cx::head(db, declared_in, &item_tree(db, declared_in).ast, env);
    let ty = cx.ty(ty);
    if let Some(error) = cx.errors.into_iter().find(Diagnostic::is_error) {
        return Err(WrongArg::Type(Box::new(error)));
    }
    value.converted(db, ty).map(GenericArg::Value).map_err(WrongArg::Value)
}

/// Returns the names visible in a function: the template parameters of its record, then its own.
pub fn env_of_fn<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Env<'db> {
    let mut env = env_of(db, f.owner(db));
    let names = template_params(db, f.function(db)).iter().map(|p| p.name.clone());
    env.extend(names.zip(f.args(db).iter().cloned()));
    env
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    In,
    Out,
    InOut,
}

/// A parameter as the caller sees it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Param<'db> {
    /// Empty when it has none.
    pub name: String,
    pub ty: Ty<'db>,
    pub direction: Direction,
    /// `= value`; the expression is in the head's tree, at the same index among the function's parameters.
    pub has_default: bool,
    /// `const`, `globallycoherent`, .. without the direction, in the order written.
    pub modifiers: Vec<String>,
    /// `SV_GroupIndex`, as written.
    pub semantic: Option<(String, SourcePlace<'db>)>,
    /// `[[vk::location(n)]]` and similar attributes, for outputs of a mesh node.
    pub slot: Option<Slot>,
    /// The whole parameter.
    pub place: SourcePlace<'db>,
    /// Its name, or the whole when it has none.
    pub name_place: SourcePlace<'db>,
}

impl Param<'_> {
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|m| m == modifier)
    }
}

/// The operation that a call of the function becomes, from `[[wgc::op("name", args..)]]`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    pub name: String,
    pub args: Vec<OpArg>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OpArg {
    Str(String),
    Int(i64),
    /// A bare word.
    Name(String),
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Signature<'db> {
    pub name: String,
    pub params: Vec<Param<'db>>,
    pub ret: Ty<'db>,
    /// A method that needs no object.
    pub is_static: bool,
    /// `T f() const`
    pub is_const: bool,
    pub op: Option<Op>,
    /// The instruction that a call becomes.
    pub instruction: Option<ExtInstruction>,
    /// The requirements of a module with the function.
    pub needs: wgc_ir::spirv::Needs,
    /// It has `[noinline]`.
    pub noinline: bool,
    pub name_place: SourcePlace<'db>,
    /// The declaration without attributes and body.
    pub place: SourcePlace<'db>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

impl<'db> Signature<'db> {
    /// Returns the signature of a function without a name, parameters or result.
    fn empty(db: &'db dyn Db, place: SourcePlace<'db>) -> Signature<'db> {
        Signature {
            name: String::new(),
            params: Vec::new(),
            ret: Ty::error(db),
            is_static: false,
            is_const: false,
            op: None,
            instruction: None,
            needs: wgc_ir::spirv::Needs::default(),
            noinline: false,
            name_place: place,
            place,
            diagnostics: Vec::new(),
        }
    }
}

/// Returns the signature of a function whose head calls functions of its own name, as in `void f(uint a[f()])`.
fn cyclic_signature<'db>(db: &'db dyn Db, _: salsa::Id, f: FnInst<'db>) -> Signature<'db> {
    let id = f.function(db);
    let Some(node) = fn_node(db, id) else { return Signature::empty(db, SourcePlace::head(id.item, Span::default())) };
    let name = node.function.name.text.to_string();
    let place = SourcePlace::token(id.item, node.function.name.at);
    let message = format!("the types of `{name}` depend on a call of `{name}`");
    let diagnostics = vec![Diagnostic::new(Code::CyclicDefinition, place, message)];
    Signature { name, diagnostics, ..Signature::empty(db, place) }
}

/// Returns the signature of one instance. A template's types have their arguments substituted.
#[salsa::tracked(returns(ref), cycle_result = cyclic_signature)]
pub fn fn_signature<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Signature<'db> {
    let id = f.function(db);
    let item = id.item;
    let error = Ty::error(db);
    // The ID is older than the text, so no current tree uses it.
    let Some(node) = fn_node(db, id) else { return Signature::empty(db, SourcePlace::head(item, Span::default())) };
    let tree = &node.tree.ast;
    let function = node.function;
    let env = env_of_fn(db, f);
    let mut cx = Cx::head(db, item, tree, &env).with_owner(f.owner(db));
    let ret = match &tree.types[function.ret].kind {
        // `let` cannot be a result; a repaired type is silent.
        ast::TypeKind::Error => error,
        _ => cx.value_ty(function.ret),
    };
    cx.refuse_modifiers(function.ret, &["groupshared"], "the result of a function");
    // An error is reported; the type stays as written, so that calls fit.
    let _ = crate::types::node_record::check_object(&mut cx, ret, tree.types[function.ret].span);
    let mut params = Vec::new();
    for param in &function.params {
        params.extend(one_param(&mut cx, param));
    }
    let attributes = crate::types::attributes::chain(node.tree, node.decl.item, &node.decl.around.templates);
    let instruction = inline_spirv::instruction(&mut cx, &attributes);
    let needs = inline_spirv::needs(&mut cx, &attributes);
    let is_static = tree.types[function.ret].modifiers.iter().any(|m| m.text == "static");
    Signature {
        name: function.name.text.to_string(),
        params,
        ret,
        is_static,
        is_const: function.is_const,
        op: op_of(tree, &attributes),
        instruction,
        needs,
        noinline: attributes.iter().any(|a| is_named(a, Attr::NoInline)),
        name_place: SourcePlace::token(item, function.name.at),
        place: SourcePlace::head(item, function.span),
        diagnostics: cx.errors,
    }
}

/// Returns a parameter; `f(void)` has none.
fn one_param<'db>(cx: &mut Cx<'_, 'db>, param: &ast::Param) -> Option<Param<'db>> {
    let base = cx.value_ty(param.ty);
    let place = cx.place(param.span);
    let ty = match &param.declarator {
        Some(declarator) => cx.declared_ty(base, declarator),
        None => base,
    };
    let _ = crate::types::node_record::check_object(cx, ty, param.span);
    if matches!(ty.kind(cx.db), TyKind::Void) {
        if param.declarator.is_some() {
            cx.error(Code::UnsupportedType, param.span, "a parameter cannot be `void`");
        } else {
            return None;
        }
    }
    let (mut has_in, mut has_out) = (false, false);
    let mut modifiers = Vec::new();
    let tree = cx.ast;
    let words = &tree.types[param.ty].modifiers;
    for (i, modifier) in words.iter().enumerate() {
        let text = modifier.text.as_str();
        if matches!(text, "in" | "out" | "inout") && words[..i].iter().any(|other| other.text == text) {
            let span = Span { lo: modifier.at, hi: modifier.at + 1 };
            cx.error(Code::BadModifier, span, format!("the parameter is already `{text}`"));
        }
        match text {
            "in" => has_in = true,
            "out" => has_out = true,
            "inout" => (has_in, has_out) = (true, true),
            other => modifiers.push(other.to_string()),
        }
    }
    let direction = match (has_in, has_out) {
        (_, false) => Direction::In,
        (false, true) => Direction::Out,
        (true, true) => Direction::InOut,
    };
    let declarator = param.declarator.as_ref();
    let semantic = declarator.into_iter().flat_map(|d| &d.annotations).find_map(|a| match a {
        Annotation::Semantic(ident) => Some((ident.text.to_string(), cx.token(ident.at))),
        _ => None,
    });
    let attributes: Vec<_> = param.attributes.iter().collect();
    let slot = crate::types::mesh_values::slot(cx, &attributes);
    Some(Param {
        slot,
        name: declarator.map(|d| d.name.text.to_string()).unwrap_or_default(),
        ty,
        direction,
        has_default: declarator.is_some_and(|d| d.init.is_some()),
        modifiers,
        semantic,
        place,
        name_place: declarator.filter(|d| !d.name.text.is_empty()).map_or(place, |d| cx.token(d.name.at)),
    })
}

/// Returns the operation of a built-in function, regardless of its instance.
pub fn op<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<Op> {
    let node = fn_node(db, f)?;
    op_of(&node.tree.ast, &crate::types::attributes::chain(node.tree, node.decl.item, &node.decl.around.templates))
}

fn op_of(tree: &Ast, attributes: &[&ast::Attribute]) -> Option<Op> {
    let attribute = attributes.iter().find(|a| crate::types::attributes::is_internal(a, "op"))?;
    let mut args = attribute.args.iter().flatten().filter_map(|arg| op_arg(tree, *arg));
    let name = match args.next()? {
        OpArg::Str(name) | OpArg::Name(name) => name,
        OpArg::Int(_) => return None,
    };
    Some(Op { name, args: args.collect() })
}

fn op_arg(tree: &Ast, expr: ast::ExprId) -> Option<OpArg> {
    match &tree.exprs[expr].kind {
        ExprKind::Str(parts) => Some(OpArg::Str(crate::types::attributes::unquote(parts))),
        ExprKind::Int(text) => {
            let value = crate::types::const_eval::int_literal(text)?.to_int()?;
            Some(OpArg::Int(i64::try_from(value).ok()?))
        }
        ExprKind::Unary { op: ast::UnaryOp::Neg, operand } => match op_arg(tree, *operand)? {
            OpArg::Int(value) => Some(OpArg::Int(value.checked_neg()?)),
            _ => None,
        },
        ExprKind::Bool(value) => Some(OpArg::Int(i64::from(*value))),
        ExprKind::Path(path) => Some(OpArg::Name(path.segments.last()?.name.text.to_string())),
        ExprKind::Paren(inner) => op_arg(tree, *inner),
        _ => None,
    }
}
