//! Template deduction: the arguments of a call decide the template's.
//!
//! For user templates as in C++: a parameter's type is matched with the argument's, and two different answers are an
//! error, except that a literal yields. For built-in ones the rules are in `stdlib/prelude/README.md`: all arguments
//! meet by the usual arithmetic conversions, and `[[wgc::on("kind")]]` restricts the component type.

use super::Checker;
use super::env::{self, Direction};
use super::hir::ExprId;
use super::numeric::{self, Comp, Num, Shape};
use crate::def::FnId;
use crate::ty::{GenericArg, RecordInst, Repr, Scalar, Ty, TyKind};
use rustc_hash::FxHashMap;
use wgc_frontend::ast::{self, Ast, TemplateArg, TypeId, TypeKind};

/// What is known about one template parameter.
#[derive(Clone)]
enum Known<'db> {
    /// A number: may still meet others. Fixed ones may not.
    Num {
        num: Num,
        fixed: bool,
    },
    Ty(Ty<'db>),
    Int {
        value: i64,
        fixed: bool,
    },
}

struct Deduction<'a, 'db> {
    ast: &'a Ast,
    names: Vec<&'a str>,
    known: FxHashMap<String, Known<'db>>,
    /// Built-in rules.
    meets: bool,
}

/// A kind of `[[wgc::on]]`: its name, whether a component type belongs, and the one that others become; a kind without
/// one takes no others.
type Kind = (&'static str, fn(Comp) -> bool, Option<Scalar>);

#[rustfmt::skip]
const KINDS: &[Kind] = &[
    // What most functions of floats take: there is no sine of a double.
    ("float", |c| c.is_float() && !is(c, &[Repr::F64]), Some(Scalar::F32)),
    ("any_float", |c| c.is_float(), Some(Scalar::F32)),
    ("float32", |c| is(c, &[Repr::F32]), Some(Scalar::F32)),
    ("double", |c| is(c, &[Repr::F64]), Some(Scalar::F64)),
    ("int", |c| !c.is_float() && !c.is_bool(), Some(Scalar::I32)),
    ("int16or32", |c| is(c, &[Repr::I16, Repr::U16, Repr::I32, Repr::U32]), Some(Scalar::I32)),
    ("sint16or32", |c| is(c, &[Repr::I16, Repr::I32]), Some(Scalar::I32)),
    ("signed", |c| c.is_float() || matches!(c, Comp::Of(s) if s.is_signed()) || c == Comp::LitInt, Some(Scalar::I32)),
    ("number", |c| !c.is_bool(), Some(Scalar::I32)),
    ("bool", |c| c.is_bool(), Some(Scalar::Bool)),
    ("any", |_| true, Some(Scalar::I32)),
    ("bits16", |c| is(c, &[Repr::I16, Repr::U16, Repr::F16]), None),
    ("bits32", |c| is(c, &[Repr::I32, Repr::U32, Repr::F32]), None),
];

/// Whether a component type, a literal's settled, is one of these.
fn is(comp: Comp, among: &[Repr]) -> bool {
    among.contains(&comp.settled().repr())
}

type ShapeTest = fn(Shape) -> bool;

/// What a parameter's attribute says of its argument.
const SHAPES: &[(&str, ShapeTest)] = &[
    ("scalar", |s| !s.is_matrix() && s.components() == 1),
    ("vector", |s| !s.is_matrix() && s.components() > 1),
    ("matrix", |s| s.is_matrix()),
    ("no_matrix", |s| !s.is_matrix()),
];

impl<'db> Checker<'_, 'db> {
    /// Arguments for all parameters of a function template, or what keeps them from being known.
    pub(super) fn deduce(
        &mut self,
        owner: Option<RecordInst<'db>>,
        function: FnId<'db>,
        given: Vec<GenericArg<'db>>,
        args: &[ExprId],
    ) -> Result<Vec<GenericArg<'db>>, String> {
        let params = env::template_params(self.db, function);
        let Some(node) = crate::items::fn_node(self.db, function) else { return Err("it has changed".to_string()) };
        let mut deduction = Deduction {
            ast: &node.tree.ast,
            names: params.iter().map(|p| p.name.as_str()).collect(),
            known: FxHashMap::default(),
            meets: env::is_prelude(self.db, function),
        };
        for (param, arg) in params.iter().zip(&given) {
            let known = match arg {
                GenericArg::Int(value) => Known::Int { value: *value, fixed: true },
                GenericArg::Ty(ty) => match self.num(*ty) {
                    Some(num) if !matches!(ty.kind(self.db), TyKind::Enum(_)) => Known::Num { num, fixed: true },
                    _ => Known::Ty(*ty),
                },
            };
            deduction.known.insert(param.name.clone(), known);
        }
        // Places first, since they decide alone; results last, since they only take what is left.
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
        let mut out = given;
        for param in params.iter().skip(out.len()) {
            let arg = match deduction.known.get(&param.name) {
                Some(known) => self.settle(&param.name, known.clone(), kind)?,
                None => env::default_arg(self.db, owner, function, param, &out)
                    .ok_or_else(|| format!("nothing decides the template argument `{}`", param.name))?,
            };
            out.push(arg);
        }
        Ok(out)
    }

    /// `[[wgc::scalar]]`, `[[wgc::vector]]`, `[[wgc::matrix]]`: what the argument is before it is converted.
    fn fits_shape(&self, param: &ast::Param, ty: Ty<'db>) -> Result<(), String> {
        let Some(num) = self.num(ty) else { return Ok(()) };
        for (name, fits) in SHAPES {
            if env::has_attribute(&param.attributes, name) && !fits(num.shape) {
                return Err(format!("`{}` is no {name}", self.show(ty)));
            }
        }
        Ok(())
    }

    /// Applies the kind, and gives the argument.
    fn settle(&self, name: &str, known: Known<'db>, kind: Option<&str>) -> Result<GenericArg<'db>, String> {
        match known {
            Known::Int { value, .. } => Ok(GenericArg::Int(value)),
            Known::Ty(ty) => match kind {
                None => Ok(GenericArg::Ty(ty)),
                Some("object") if self.is_object(ty) => Ok(GenericArg::Ty(ty)),
                Some(kind) => Err(format!("`{name}` is of kind {kind}, `{}` is not", self.show(ty))),
            },
            Known::Num { num, fixed } => {
                let Some(kind) = kind else { return Ok(GenericArg::Ty(self.settled(self.num_ty(num)))) };
                let Some((_, belongs, default)) = KINDS.iter().find(|(k, ..)| *k == kind) else {
                    return Err(format!("`{name}` is of kind {kind}, `{}` is not", self.show(self.num_ty(num))));
                };
                let comp = match num.comp {
                    c if belongs(c) => Comp::Of(c.settled()),
                    _ if fixed || default.is_none() => {
                        return Err(format!("`{name}` is of kind {kind}, `{}` is not", self.show(self.num_ty(num))));
                    }
                    _ => default.map_or(num.comp, Comp::Of),
                };
                Ok(GenericArg::Ty(self.num_ty(Num { comp, ..num })))
            }
        }
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
            d.learn_int(&name, i64::from(*len), true)?;
        }
        self.unify_dims(d, pattern, rest, *element, fix)
    }

    /// Matches a parameter's type with an argument's. Shapes that differ teach nothing: the conversion will fail.
    fn unify(&self, d: &mut Deduction<'_, 'db>, pattern: TypeId, ty: Ty<'db>, fix: bool) -> Result<(), String> {
        let TypeKind::Path(path) = &d.ast.types[pattern].kind else { return Ok(()) };
        self.unify_path(d, path, ty, fix)
    }

    fn unify_path(&self, d: &mut Deduction<'_, 'db>, path: &ast::Path, ty: Ty<'db>, fix: bool) -> Result<(), String> {
        let ([segment], false) = (path.segments.as_slice(), path.global) else { return Ok(()) };
        let name = segment.name.text.as_str();
        let args = segment.args.as_deref().unwrap_or_default();
        if self.is_error(ty) {
            return Ok(());
        }
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
                    // Of two sizes that `mul` pairs the larger loses components.
                    Some(Known::Int { value: old, .. }) if d.meets && *old > 1 => {
                        let least = i64::from(value).min(*old);
                        d.known.insert(name, Known::Int { value: least, fixed: true });
                    }
                    _ => d.learn_int(&name, i64::from(value), true)?,
                }
            }
            return Ok(());
        }
        if let ("vector", [component, rest @ ..]) = (name, args) {
            let Some(num) = self.num(ty).filter(|n| d.meets || !n.shape.is_matrix()) else { return Ok(()) };
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
        // `X<T>` with an argument `X<float>`.
        let TyKind::Record(inst) = ty.kind(self.db) else { return Ok(()) };
        if crate::record::record_name(self.db, inst.record(self.db)) != name {
            return Ok(());
        }
        for (pattern, actual) in args.iter().zip(inst.args(self.db)) {
            match (pattern, actual) {
                (TemplateArg::Type(pattern), GenericArg::Ty(actual)) => self.unify(d, *pattern, *actual, true)?,
                // A name reads as an expression until it is known to be a type.
                (TemplateArg::Expr(pattern), GenericArg::Ty(actual)) => match &d.ast.exprs[*pattern].kind {
                    ast::ExprKind::Path(path) => self.unify_path(d, path, *actual, true)?,
                    ast::ExprKind::Type(pattern) => self.unify(d, *pattern, *actual, true)?,
                    _ => {}
                },
                (TemplateArg::Expr(pattern), GenericArg::Int(actual)) => {
                    if let Some(name) = d.value_name(*pattern) {
                        d.learn_int(&name, *actual, true)?;
                    }
                }
                (TemplateArg::Type(_), GenericArg::Int(_)) => {}
            }
        }
        Ok(())
    }

    fn learn_num(&self, d: &mut Deduction<'_, 'db>, name: &str, num: Num, fix: bool) -> Result<(), String> {
        let (num, fixed) = match d.known.get(name) {
            None => (num, fix),
            Some(Known::Num { num: old, fixed: true }) if !fix || *old == num => (*old, true),
            Some(Known::Num { num: old, fixed: false }) if d.meets => {
                // Of different shapes the smaller, as for operands.
                let Some(meet) = numeric::common(*old, num) else {
                    let (a, b) = (self.show(self.num_ty(*old)), self.show(self.num_ty(num)));
                    return Err(format!("`{a}` and `{b}` have different shapes"));
                };
                (meet, fix)
            }
            // A literal yields to what has a type.
            Some(Known::Num { num: old, fixed: false }) if num.comp == Comp::LitInt || num == *old => (*old, fix),
            Some(Known::Num { num: old, fixed: false })
                if old.comp == Comp::LitInt || num.comp == Comp::LitFloat && !old.comp.is_float() =>
            {
                (num, fix)
            }
            Some(Known::Num { num: old, .. }) => {
                let (a, b) = (self.show(self.num_ty(*old)), self.show(self.num_ty(num)));
                return Err(format!("`{name}` would be `{a}` and `{b}`"));
            }
            Some(Known::Ty(old)) => {
                let (a, b) = (self.show(*old), self.show(self.num_ty(num)));
                return Err(format!("`{name}` would be `{a}` and `{b}`"));
            }
            Some(Known::Int { .. }) => return Ok(()),
        };
        d.known.insert(name.to_string(), Known::Num { num, fixed });
        Ok(())
    }

    fn learn_ty(&self, d: &mut Deduction<'_, 'db>, name: &str, ty: Ty<'db>) -> Result<(), String> {
        let old = match d.known.get(name) {
            None => {
                d.known.insert(name.to_string(), Known::Ty(ty));
                return Ok(());
            }
            Some(Known::Ty(old)) if *old == ty => return Ok(()),
            Some(Known::Ty(old)) => *old,
            Some(Known::Num { num, .. }) => self.num_ty(*num),
            Some(Known::Int { .. }) => return Ok(()),
        };
        Err(format!("`{name}` would be `{}` and `{}`", self.show(old), self.show(ty)))
    }
}

impl<'db> Deduction<'_, 'db> {
    /// The type parameter that a template argument names.
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

    fn learn_int(&mut self, name: &str, value: i64, fixed: bool) -> Result<(), String> {
        match self.known.get(name) {
            Some(Known::Int { value: old, fixed: true }) if *old != value => {
                Err(format!("`{name}` would be {old} and {value}"))
            }
            _ => {
                self.known.insert(name.to_string(), Known::Int { value, fixed });
                Ok(())
            }
        }
    }

    /// The shape of a vector or matrix: scalars spread to any.
    fn learn_width(&mut self, name: &str, num: Num) -> Result<(), String> {
        let value = i64::from(num.shape.code());
        match self.known.get(name) {
            // A matrix beside the vector: the larger loses components.
            Some(Known::Int { value: old, fixed: true }) if value > 1 && *old > value => {
                self.known.insert(name.to_string(), Known::Int { value, fixed: true });
                Ok(())
            }
            Some(Known::Int { fixed: true, .. }) => Ok(()),
            Some(Known::Int { value: old, .. }) if *old > 1 && value > 1 => {
                let Some(meet) = numeric::common_shape(Shape::of_code(*old as u8), num.shape) else {
                    return Err("a vector and a matrix have different numbers of components".to_string());
                };
                self.known.insert(name.to_string(), Known::Int { value: i64::from(meet.code()), fixed: false });
                Ok(())
            }
            Some(Known::Int { value: old, .. }) if *old >= value => Ok(()),
            _ => {
                self.known.insert(name.to_string(), Known::Int { value, fixed: false });
                Ok(())
            }
        }
    }
}
