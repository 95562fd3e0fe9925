//! Template argument deduction from the arguments of a call.
//!
//! User templates follow C++: a parameter's type is matched with the argument's, and two different results are an
//! error, except that a literal adapts. Built-in templates follow `stdlib/prelude/README.md`: the usual arithmetic
//! conversions give all arguments a common type, and `[[wgc::on("kind")]]` restricts the component type.

use super::Checker;
use super::env::{self, Direction};
use super::hir::ExprId;
use super::overload::Misfit;
use crate::db::Db;
use crate::db::def::{Def, FnId, Item, RecordId};
use crate::db::ty::Env;
use crate::db::ty::Value;
use crate::db::ty::{GenericArg, RecordInst, Repr, Scalar, Ty, TyKind};
use crate::types::definition::def_at;
use crate::types::numeric::{self, Comp, Num, Shape};
use crate::types::partial_order::{Head, Reader, Term};
use crate::types::signature::{self, TemplateParam};
use rustc_hash::FxHashMap;
use wgc_frontend::ast::{self, Ast, TemplateArg, TypeId, TypeKind};

/// The deduced value of a template parameter.
#[derive(Clone)]
enum Deduced<'db> {
    /// A number type. Unless fixed, it may still combine with others.
    Num {
        num: Num,
        fixed: bool,
    },
    Ty(Ty<'db>),
    Value {
        value: Value<'db>,
        fixed: bool,
    },
}

struct Deduction<'a, 'db> {
    db: &'db dyn Db,
    params: &'a [TemplateParam],
    /// The item that declares the parameters.
    item: Item<'db>,
    ast: &'a Ast,
    names: Vec<&'a str>,
    known: FxHashMap<String, Deduced<'db>>,
    /// Built-in rules apply.
    meets: bool,
    /// Number of explicit arguments; in a user's template nothing else decides those.
    given: usize,
}

use Others::{Become, Literals, Refused};

/// The conversion of arguments with a component type outside a kind.
#[derive(Clone, Copy)]
enum Others {
    /// All are converted to this type.
    Become(Scalar),
    /// Literals are converted to this type, as in DXC; nothing else is accepted.
    Literals(Scalar),
    Refused,
}

/// A kind of `[[wgc::on]]`: its name, its description in messages, a test for component types, and the conversion of
/// others.
type ArgumentKind = (&'static str, &'static str, fn(Comp) -> bool, Others);

#[rustfmt::skip]
const KINDS: &[ArgumentKind] = &[
    // The kind of most float functions: for example, there is no sine of a double.
    ("float", "`float` or `half` numbers", |c| c.is_float() && !is(c, &[Repr::F64]), Become(Scalar::F32)),
    ("any_float", "floating-point numbers", |c| c.is_float(), Become(Scalar::F32)),
    ("float32", "`float` numbers", |c| is(c, &[Repr::F32]), Become(Scalar::F32)),
    ("double", "`double` numbers", |c| is(c, &[Repr::F64]), Become(Scalar::F64)),
    ("int", "integers", |c| !c.is_float() && !c.is_bool(), Become(Scalar::I32)),
    ("int_only", "integers", |c| !c.is_float() && !c.is_bool(), Refused),
    ("int16or32", "16-bit or 32-bit integers", |c| is(c, &[Repr::I16, Repr::U16, Repr::I32, Repr::U32]), Become(Scalar::I32)),
    ("sint16or32", "signed 16-bit or 32-bit integers", |c| is(c, &[Repr::I16, Repr::I32]), Become(Scalar::I32)),
    ("signed", "signed numbers", |c| c.is_float() || matches!(c, Comp::Of(s) if s.is_signed()) || c == Comp::LitInt, Become(Scalar::I32)),
    ("number", "numbers", |c| !c.is_bool(), Become(Scalar::I32)),
    ("bool", "`bool`s", |c| c.is_bool(), Become(Scalar::Bool)),
    ("any", "numbers or `bool`s", |_| true, Become(Scalar::I32)),
    ("bits16", "16-bit numbers", |c| !c.is_literal() && is(c, &[Repr::I16, Repr::U16, Repr::F16]), Literals(Scalar::F16)),
    ("bits32", "32-bit numbers", |c| is(c, &[Repr::I32, Repr::U32, Repr::F32]), Refused),
];

/// Returns whether a component type is one of these; a literal's type is settled first.
fn is(comp: Comp, among: &[Repr]) -> bool {
    among.contains(&comp.settled().repr())
}

type ShapeTest = fn(Shape) -> bool;

/// Requirements on arguments from a parameter's attribute.
const SHAPES: &[(&str, ShapeTest)] = &[
    ("scalar", |s| !s.is_matrix() && s.components() == 1),
    ("vector", |s| !s.is_matrix() && s.components() > 1),
    ("matrix", |s| s.is_matrix()),
    ("no_matrix", |s| !s.is_matrix()),
];

impl<'db> Checker<'_, 'db> {
    /// Deduces the arguments for all parameters of a function template, or returns the obstacle.
    pub(super) fn deduce(
        &mut self,
        owner: Option<RecordInst<'db>>,
        function: FnId<'db>,
        given: Vec<GenericArg<'db>>,
        args: &[ExprId],
    ) -> Result<Vec<GenericArg<'db>>, Misfit<'db>> {
        let params = env::template_params(self.db, function);
        let Some(node) = crate::db::items::fn_node(self.db, function) else {
            return Err("it has changed".to_string().into());
        };
        let mut deduction = Deduction {
            db: self.db,
            params,
            item: function.item,
            ast: &node.tree.ast,
            names: params.iter().map(|p| p.name.as_str()).collect(),
            known: FxHashMap::default(),
            meets: env::is_prelude(self.db, function),
            given: given.len(),
        };
        for (param, arg) in params.iter().zip(&given) {
            let known = match arg {
                GenericArg::Value(value) => Deduced::Value { value: *value, fixed: true },
                GenericArg::Ty(ty) => match self.num(*ty) {
                    Some(num) if !matches!(ty.kind(self.db), TyKind::Enum(_)) => Deduced::Num { num, fixed: true },
                    _ => Deduced::Ty(*ty),
                },
            };
            deduction.known.insert(param.name.clone(), known);
        }
        // Places first, since they decide alone; results last, since they only take the remainder.
        let order = |param: &ast::Param| {
            let place = env::has_attribute(&param.attributes, "place");
            (!place, env::direction(&node.tree.ast.types[param.ty]) == Direction::Out && !place)
        };
        let mut pairs: Vec<(&ast::Param, ExprId)> = node.function.params.iter().zip(args.iter().copied()).collect();
        pairs.sort_by_key(|(param, _)| order(param));
        for (param, arg) in pairs {
            let dims = param.declarator.as_ref().map_or(&[][..], |d| d.dims.as_slice());
            let fix = env::has_attribute(&param.attributes, "place");
            let text = if dims.is_empty() { None } else { self.text_array(arg, None) };
            let ty = text.unwrap_or_else(|| self.ty(arg));
            if deduction.meets {
                self.fits_shape(param, ty)?;
            }
            self.unify_dims(&mut deduction, param.ty, dims, ty, fix)?;
        }
        let kind = env::on(self.db, function);
        let mut out = Vec::new();
        let mut env = env::template_env(self.db, owner, function, &[]);
        let mut given = given.into_iter();
        for param in params {
            let arg = match (given.next(), deduction.known.get(&param.name)) {
                (Some(given), known) => {
                    // A built-in function is for numbers of its kind, even if the call names the type.
                    if let Some(known) = known.filter(|_| kind.is_some()) {
                        self.settle(known.clone(), kind)?;
                    }
                    given
                }
                (None, Some(known)) => self.in_default_order(self.settle(known.clone(), kind)?),
                (None, None) => signature::template_default(self.db, function, param, &env)?
                    .ok_or_else(|| self.not_deduced(&param.name, deduction.meets, args))?,
            };
            let arg = signature::value_arg(self.db, function.item, param, &env, arg)?;
            env.push((param.name.clone(), arg.clone()));
            out.push(arg);
        }
        Ok(out)
    }

    /// Checks `[[wgc::scalar]]`, `[[wgc::vector]]` and `[[wgc::matrix]]` against the argument before its conversion.
    fn fits_shape(&self, param: &ast::Param, ty: Ty<'db>) -> Result<(), String> {
        let Some(num) = self.num(ty) else { return Ok(()) };
        for (name, fits) in SHAPES {
            if env::has_attribute(&param.attributes, name) && !fits(num.shape) {
                let is = if *name == "no_matrix" { "is a matrix" } else { &format!("is not a {name}") };
                return Err(format!("`{}` {is}", self.show(ty)));
            }
        }
        Ok(())
    }

    /// Applies the kind and returns the argument.
    fn settle(&self, known: Deduced<'db>, kind: Option<&str>) -> Result<GenericArg<'db>, String> {
        match known {
            Deduced::Value { value, .. } => Ok(GenericArg::Value(value)),
            Deduced::Ty(ty) => match kind {
                None => Ok(GenericArg::Ty(ty)),
                Some("object") if self.is_object(ty) => Ok(GenericArg::Ty(ty)),
                Some(kind) => Err(self.not_of_kind(kind, ty)),
            },
            Deduced::Num { num, fixed } => {
                let Some(kind) = kind else { return Ok(GenericArg::Ty(self.settled(self.num_ty(num)))) };
                let refused = || Err(self.not_of_kind(kind, self.num_ty(num)));
                let Some((.., belongs, others)) = KINDS.iter().find(|(k, ..)| *k == kind) else { return refused() };
                let comp = match others {
                    _ if belongs(num.comp) => Comp::Of(num.comp.settled()),
                    Become(scalar) if !fixed => Comp::Of(*scalar),
                    Literals(scalar) if !fixed && num.comp.is_literal() => Comp::Of(*scalar),
                    _ => return refused(),
                };
                Ok(GenericArg::Ty(self.num_ty(Num { comp, ..num })))
            }
        }
    }

    /// Gives the matrices of a deduced type the order of `-Zpr` and `#pragma pack_matrix` at the call, as for a written
    /// type.
    fn in_default_order(&self, arg: GenericArg<'db>) -> GenericArg<'db> {
        match arg {
            GenericArg::Ty(ty) => GenericArg::Ty(ty.ordered(self.db, self.item.row_major(self.db))),
            value => value,
        }
    }

    /// Describes an undecided parameter; users do not know the template parameters of built-in functions.
    fn not_deduced(&self, name: &str, meets: bool, args: &[ExprId]) -> String {
        let other = args.iter().map(|arg| self.ty(*arg)).find(|ty| self.num(*ty).is_none());
        match other.filter(|_| meets) {
            Some(ty) => format!("`{}` is not a number, vector or matrix", self.show(ty)),
            None => format!("cannot deduce the template argument `{name}`"),
        }
    }

    fn not_of_kind(&self, kind: &str, ty: Ty<'db>) -> String {
        let words = KINDS.iter().find(|(k, ..)| *k == kind).map_or("objects", |(_, words, ..)| words);
        format!("expected {words}, found `{}`", self.show(ty))
    }

    fn unify_dims(
        &self,
        d: &mut Deduction<'_, 'db>,
        pattern: TypeId,
        dims: &[Option<ast::ExprId>],
        ty: Ty<'db>,
        fix: bool,
    ) -> Result<(), String> {
        let Some((dim, rest)) = dims.split_first() else { return self.unify(d, pattern, ty, fix) };
        let TyKind::Array(element, len) = ty.kind(self.db) else { return Ok(()) };
        if let (Some(dim), Some(len)) = (dim, len)
            && let Some(name) = d.value_name(*dim)
        {
            d.learn_value(&name, Value::literal(self.db, i64::from(*len)), true)?;
        }
        self.unify_dims(d, pattern, rest, *element, fix)
    }

    /// Matches a parameter's type with an argument's. Different shapes give no information: the conversion will fail.
    fn unify(&self, d: &mut Deduction<'_, 'db>, pattern: TypeId, ty: Ty<'db>, fix: bool) -> Result<(), String> {
        let TypeKind::Path(path) = &d.ast.types[pattern].kind else { return Ok(()) };
        self.unify_path(d, path, ty, fix)
    }

    fn unify_path(&self, d: &mut Deduction<'_, 'db>, path: &ast::Path, ty: Ty<'db>, fix: bool) -> Result<(), String> {
        if self.is_error(ty) {
            return Ok(());
        }
        let ([segment], false) = (path.segments.as_slice(), path.global) else { return self.unify_record(d, path, ty) };
        let name = segment.name.text.as_str();
        let args = segment.args.as_deref().unwrap_or_default();
        if d.names.contains(&name) {
            return match self.num(ty).filter(|_| !matches!(ty.kind(self.db), TyKind::Enum(_)) || d.meets) {
                Some(num) => self.learn_num(d, name, num, fix),
                None => self.learn_ty(d, name, ty),
            };
        }
        if let ("matrix", [component, sizes @ ..]) = (name, args) {
            let Some(num) = self.num(ty).filter(|n| n.shape.is_matrix()) else { return Ok(()) };
            if let Some(name) = d.type_name(*component) {
                self.learn_num(d, &name, Num::scalar(num.comp), fix)?;
            }
            for (size, value) in sizes.iter().zip([num.shape.rows, num.shape.width]) {
                let TemplateArg::Expr(size) = size else { continue };
                let Some(name) = d.value_name(*size) else { continue };
                match d.known.get(&name) {
                    // If `mul` pairs two sizes, the larger one loses components.
                    Some(Deduced::Value { value: old, .. }) if d.meets && old.number() > 1 => {
                        let least = if i128::from(value) < old.number() { d.size(value) } else { *old };
                        d.known.insert(name, Deduced::Value { value: least, fixed: true });
                    }
                    _ => d.learn_value(&name, d.size(value), true)?,
                }
            }
            return Ok(());
        }
        if let ("vector", [component, rest @ ..]) = (name, args) {
            let Some(num) = self.num(ty).filter(|n| d.meets || !n.shape.is_matrix()) else { return Ok(()) };
            if !d.meets {
                self.is_vector_of(d, path, ty, num)?;
            }
            if let Some(name) = d.type_name(*component) {
                self.learn_num(d, &name, Num::scalar(num.comp), fix)?;
            }
            if let Some(TemplateArg::Expr(width)) = rest.first()
                && let Some(name) = d.value_name(*width)
            {
                d.learn_width(&name, num)?;
            }
            return Ok(());
        }
        self.unify_record(d, path, ty)
    }

    /// Checks that the argument of a user's template is a vector, with the component type and the number of components
    /// that the pattern writes out. An argument does not convert to a type that is deduced from it ([temp.deduct.call]).
    fn is_vector_of(&self, d: &Deduction<'_, 'db>, path: &ast::Path, ty: Ty<'db>, num: Num) -> Result<(), String> {
        let env = Env::new();
        let pattern = Reader::new(self.db, d.item, d.ast, &env, None, d.params).path(path);
        let Term::Of(Head::Vector, parts) = pattern else { return Ok(()) };
        let is_deduced = |part: &Term<'db>| match part {
            Term::Open(n) => d.names.get(*n).is_some_and(|name| !d.is_written(name)),
            _ => false,
        };
        if !parts.iter().any(is_deduced) {
            return Ok(());
        }
        if num.shape.width == 0 {
            return Err(format!("`{}` is not a vector", self.show(ty)));
        }
        let component = Num::scalar(num.comp);
        for part in &parts {
            match part {
                Term::Int(width) if *width != i128::from(num.shape.width) => {
                    return Err(format!("`{}` does not have {width} components", self.show(ty)));
                }
                Term::Ty(of) if !num.comp.is_literal() && *of != self.num_ty(component) => {
                    return Err(format!("the components of `{}` are not `{}`", self.show(ty), self.show(*of)));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Matches `X<T>` with an argument `X<float>`, or with one that has it as a base.
    fn unify_record(&self, d: &mut Deduction<'_, 'db>, path: &ast::Path, ty: Ty<'db>) -> Result<(), String> {
        if let Some(Def::Alias(_)) = def_at(self.db, d.item, path) {
            let env = Env::new();
            let pattern = Reader::new(self.db, d.item, d.ast, &env, None, d.params).path(path);
            return self.unify_term(d, &pattern, &GenericArg::Ty(ty));
        }
        let (TyKind::Record(inst), Some(last)) = (ty.kind(self.db), path.segments.last()) else { return Ok(()) };
        let Some(args) = last.args.as_deref() else { return Ok(()) };
        let inst = match def_at(self.db, d.item, path) {
            Some(Def::Record(template)) => self.instance_of(*inst, template),
            // A member of the enclosing record.
            _ => {
                Some(*inst).filter(|i| crate::types::record::record_name(self.db, i.record(self.db)) == *last.name.text)
            }
        };
        let Some(inst) = inst else { return Ok(()) };
        for (pattern, actual) in args.iter().zip(inst.args(self.db)) {
            match (pattern, actual) {
                (TemplateArg::Type(pattern), GenericArg::Ty(actual)) => self.unify(d, *pattern, *actual, true)?,
                // A name parses as an expression until it is known to be a type.
                (TemplateArg::Expr(pattern), GenericArg::Ty(actual)) => match &d.ast.exprs[*pattern].kind {
                    ast::ExprKind::Path(path) => self.unify_path(d, path, *actual, true)?,
                    ast::ExprKind::Type(pattern) => self.unify(d, *pattern, *actual, true)?,
                    _ => {}
                },
                (TemplateArg::Expr(pattern), GenericArg::Value(actual)) => {
                    if let Some(name) = d.value_name(*pattern) {
                        d.learn_value(&name, *actual, true)?;
                    }
                }
                (TemplateArg::Type(_), GenericArg::Value(_)) => {}
            }
        }
        Ok(())
    }

    /// Matches the pattern that an alias expands to with an argument.
    fn unify_term(
        &self,
        d: &mut Deduction<'_, 'db>,
        pattern: &Term<'db>,
        actual: &GenericArg<'db>,
    ) -> Result<(), String> {
        let int = |n: u8| GenericArg::Value(d.size(n));
        let scalar = |s| GenericArg::Ty(Ty::scalar_ty(self.db, s));
        let (patterns, parts) = match (pattern, actual) {
            (Term::Open(n), actual) => {
                let Some(name) = d.names.get(*n).copied() else { return Ok(()) };
                return match actual {
                    GenericArg::Value(value) => d.learn_value(name, *value, true),
                    GenericArg::Ty(ty) => {
                        match self.num(*ty).filter(|_| !matches!(ty.kind(self.db), TyKind::Enum(_))) {
                            Some(num) => self.learn_num(d, name, num, true),
                            None => self.learn_ty(d, name, *ty),
                        }
                    }
                };
            }
            (Term::Of(head, parts), GenericArg::Ty(ty)) => match (head, ty.kind(self.db)) {
                (Head::Vector, TyKind::Vector(s, n)) => (parts, vec![scalar(*s), int(*n)]),
                (Head::Matrix, TyKind::Matrix { scalar: s, rows, columns, .. }) => {
                    (parts, vec![scalar(*s), int(*rows), int(*columns)])
                }
                (Head::Array, TyKind::Array(element, Some(n))) => {
                    (parts, vec![GenericArg::Ty(*element), GenericArg::Value(Value::literal(self.db, i64::from(*n)))])
                }
                (Head::Record(template), TyKind::Record(inst)) => match self.instance_of(*inst, *template) {
                    Some(inst) => (parts, inst.args(self.db).clone()),
                    None => return Ok(()),
                },
                _ => return Ok(()),
            },
            _ => return Ok(()),
        };
        patterns.iter().zip(&parts).try_for_each(|(pattern, actual)| self.unify_term(d, pattern, actual))
    }

    /// Returns the instance of a template that a record is or inherits from.
    fn instance_of(&self, inst: RecordInst<'db>, template: RecordId<'db>) -> Option<RecordInst<'db>> {
        if inst.record(self.db) == template {
            return Some(inst);
        }
        let bases = &crate::types::record::record(self.db, inst).bases;
        bases.iter().find_map(|base| self.instance_of(*base, template))
    }

    fn learn_num(&self, d: &mut Deduction<'_, 'db>, name: &str, num: Num, fix: bool) -> Result<(), String> {
        if d.is_written(name) {
            return Ok(());
        }
        let (num, fixed) = match d.known.get(name) {
            None => (num, fix),
            Some(Deduced::Num { num: old, fixed: true }) if !fix || *old == num => (*old, true),
            Some(Deduced::Num { num: old, fixed: false }) if d.meets => {
                // For different shapes, the smaller one, as for operands.
                let Some(meet) = numeric::common(*old, num) else {
                    let (a, b) = (self.show(self.num_ty(*old)), self.show(self.num_ty(num)));
                    return Err(format!("`{a}` and `{b}` have different shapes"));
                };
                (meet, fix)
            }
            // A literal adapts to a typed value.
            Some(Deduced::Num { num: old, fixed: false }) if num.comp == Comp::LitInt || num == *old => (*old, fix),
            Some(Deduced::Num { num: old, fixed: false })
                if old.comp == Comp::LitInt || num.comp == Comp::LitFloat && !old.comp.is_float() =>
            {
                (num, fix)
            }
            Some(Deduced::Num { num: old, .. }) => {
                let (a, b) = (self.show(self.num_ty(*old)), self.show(self.num_ty(num)));
                return Err(d.differ(name, a, b));
            }
            Some(Deduced::Ty(old)) => {
                let (a, b) = (self.show(*old), self.show(self.num_ty(num)));
                return Err(d.differ(name, a, b));
            }
            Some(Deduced::Value { .. }) => return Ok(()),
        };
        d.known.insert(name.to_string(), Deduced::Num { num, fixed });
        Ok(())
    }

    fn learn_ty(&self, d: &mut Deduction<'_, 'db>, name: &str, ty: Ty<'db>) -> Result<(), String> {
        if d.is_written(name) {
            return Ok(());
        }
        let old = match d.known.get(name) {
            None => {
                d.known.insert(name.to_string(), Deduced::Ty(ty));
                return Ok(());
            }
            Some(Deduced::Ty(old)) if *old == ty => return Ok(()),
            Some(Deduced::Ty(old)) => *old,
            Some(Deduced::Num { num, .. }) => self.num_ty(*num),
            Some(Deduced::Value { .. }) => return Ok(()),
        };
        Err(d.differ(name, self.show(old), self.show(ty)))
    }
}

impl<'db> Deduction<'_, 'db> {
    /// Returns whether the call gives this parameter explicitly; arguments then convert to the resulting parameter
    /// types.
    fn is_written(&self, name: &str) -> bool {
        !self.meets && self.names.iter().take(self.given).any(|given| *given == name)
    }

    /// Returns the width of a vector, or another small number, as an argument.
    fn size(&self, n: u8) -> Value<'db> {
        Value::literal(self.db, i64::from(n))
    }

    fn differ(&self, name: &str, a: String, b: String) -> String {
        match self.meets {
            true => format!("`{a}` and `{b}` have no common type"),
            false => format!("the type of `{name}` is both `{a}` and `{b}`"),
        }
    }

    /// Returns the type parameter that a template argument names.
    fn type_name(&self, arg: TemplateArg) -> Option<String> {
        let path = match arg {
            TemplateArg::Expr(e) => match &self.ast.exprs[e].kind {
                ast::ExprKind::Path(path) => path,
                _ => return None,
            },
            TemplateArg::Type(t) => match &self.ast.types[t].kind {
                TypeKind::Path(path) => path,
                _ => return None,
            },
        };
        self.parameter(path)
    }

    fn value_name(&self, expr: ast::ExprId) -> Option<String> {
        match &self.ast.exprs[expr].kind {
            ast::ExprKind::Path(path) => self.parameter(path),
            _ => None,
        }
    }

    fn parameter(&self, path: &ast::Path) -> Option<String> {
        match path.segments.as_slice() {
            [only] if only.args.is_none() && self.names.contains(&only.name.text.as_str()) => {
                Some(only.name.text.to_string())
            }
            _ => None,
        }
    }

    fn learn_value(&mut self, name: &str, value: Value<'db>, fixed: bool) -> Result<(), String> {
        match self.known.get(name) {
            _ if self.is_written(name) => Ok(()),
            Some(Deduced::Value { value: old, fixed: true }) if old.number() != value.number() => {
                Err(format!("the value of `{name}` is both {} and {}", old.display(self.db), value.display(self.db)))
            }
            _ => {
                self.known.insert(name.to_string(), Deduced::Value { value, fixed });
                Ok(())
            }
        }
    }

    /// Learns the shape of a vector or matrix; scalars spread to any.
    fn learn_width(&mut self, name: &str, num: Num) -> Result<(), String> {
        let width = i128::from(num.shape.code());
        let value = self.size(num.shape.code());
        match self.known.get(name) {
            // With a matrix next to the vector, the larger loses components.
            Some(Deduced::Value { value: old, fixed: true }) if width > 1 && old.number() > width => {
                self.known.insert(name.to_string(), Deduced::Value { value, fixed: true });
                Ok(())
            }
            Some(Deduced::Value { fixed: true, .. }) => Ok(()),
            Some(Deduced::Value { value: old, .. }) if old.number() > 1 && width > 1 => {
                let Some(meet) = numeric::common_shape(Shape::of_code(old.number() as u8), num.shape) else {
                    return Err("a vector and a matrix have different numbers of components".to_string());
                };
                self.known.insert(name.to_string(), Deduced::Value { value: self.size(meet.code()), fixed: false });
                Ok(())
            }
            Some(Deduced::Value { value: old, .. }) if old.number() >= width => Ok(()),
            _ => {
                self.known.insert(name.to_string(), Deduced::Value { value, fixed: false });
                Ok(())
            }
        }
    }
}
