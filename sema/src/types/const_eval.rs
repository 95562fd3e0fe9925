//! Constant expressions in the syntax tree: array sizes, attribute and template arguments, initialisers of constants.
//!
//! Arithmetic follows the types of the operands, like at run time: integers wrap at their width, literals take the
//! type of the other side. Calls of built-in functions and arithmetic of vectors need the full type checker
//! ([`CheckedConstant`]).

use crate::db::Db;
use crate::db::def::VarId;
use crate::db::ty::Local;
use crate::db::ty::{RecordInst, Repr as Scalar, Ty, TyKind};
use crate::tables::codes::Code;
pub use crate::tables::constant::{Const, binary, float_literal, int_literal};
use crate::tables::constant::{no_number, wrap};
use crate::types::constant_variables::{ConstError, const_value, specialised_by, too_deep};
use crate::types::cx::{Cx, PathTarget};
pub use crate::types::enum_values::{EnumValues, enum_values};
use crate::types::specialise;
use crate::types::suggestions::NameKind;
use std::borrow::Cow;
use wgc_frontend::ast::{Ast, BinaryOp, ExprId, ExprKind, Path, Span, UnaryOp};

/// A constant of any type; aggregates hold their parts in order.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum ConstTree {
    Scalar(Const),
    Composite(Vec<ConstTree>),
}

/// The reason why an expression has no value at compile time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotConst<'db> {
    /// Nothing was reported; the span is that of the smallest part that is not constant.
    Because(wgc_frontend::ast::Span, String),
    /// The same, if that part names a global variable.
    Variable(wgc_frontend::ast::Span, Option<RecordInst<'db>>, VarId<'db>),
    /// The chain of constants that it needs is too long; nothing was reported.
    TooDeep,
    Reported,
}

/// Evaluates a constant expression with the type checker, as the initialiser of a type if there is one. `None` if it
/// is not constant; nothing is reported. The checker is above this layer, which reaches it through [`Db::checker`].
pub struct CheckedConstant {
    pub evaluate: EvaluateChecked,
    pub type_of: TypeOf,
}

/// Evaluates an expression as the initialiser of a type, if there is one.
pub type EvaluateChecked = for<'a, 'db> fn(&Cx<'a, 'db>, ExprId, Option<Ty<'db>>) -> Option<TypedConstant<'db>>;

/// Returns the type of an expression without its value; `None` if it has an error.
pub type TypeOf = for<'a, 'db> fn(&Cx<'a, 'db>, ExprId) -> Option<Ty<'db>>;

/// A constant with its type.
pub type TypedConstant<'db> = (Ty<'db>, ConstTree);

impl CheckedConstant {
    fn of(db: &dyn Db) -> Option<&CheckedConstant> {
        db.checker().downcast_ref()
    }
}

fn checked<'db>(cx: &Cx<'_, 'db>, expr: ExprId, ty: Option<Ty<'db>>) -> Option<TypedConstant<'db>> {
    (CheckedConstant::of(cx.db)?.evaluate)(cx, expr, ty)
}

pub(super) type Eval<'db, T> = Result<T, NotConst<'db>>;

impl<'db> Cx<'_, 'db> {
    /// Evaluates an integer constant. Reports an error and returns `None` if it is not one.
    pub fn int(&mut self, expr: ExprId) -> Option<i64> {
        let value = self.constant(expr)?;
        let int = value.to_int().and_then(|v| i64::try_from(v).ok());
        if int.is_none() {
            self.error(Code::ConstantOverflow, self.ast.exprs[expr].span, "this constant does not fit into 64 bits");
        }
        int
    }

    /// Evaluates a scalar constant. Reports an error and returns `None` if it is not one.
    pub fn constant(&mut self, expr: ExprId) -> Option<Const> {
        let value = self.unfixed_constant(expr);
        specialise::warn_fixed(self, self.ast.exprs[expr].span);
        value
    }

    /// Evaluates a scalar constant and leaves the specialisation constants in `specialised`.
    pub(crate) fn unfixed_constant(&mut self, expr: ExprId) -> Option<Const> {
        match self.eval(expr) {
            Ok(value) => Some(value),
            Err(NotConst::Reported) => None,
            Err(NotConst::TooDeep) => {
                self.error(Code::NestingTooDeep, self.ast.exprs[expr].span, too_deep());
                None
            }
            Err(NotConst::Because(span, why)) => {
                self.error(Code::NotConstant, span, why);
                None
            }
            Err(NotConst::Variable(span, owner, var)) => {
                self.not_constant(span, owner, var);
                None
            }
        }
    }

    fn no_number(&mut self, text: &str, span: Span) -> NotConst<'db> {
        self.error(Code::BadLiteral, span, no_number(text));
        NotConst::Reported
    }

    /// Evaluates without reporting that something is not constant.
    pub fn eval(&mut self, expr: ExprId) -> Eval<'db, Const> {
        let found = self.eval_tree(expr);
        let may_be = matches!(
            self.ast.exprs[expr].kind,
            ExprKind::Call { .. } | ExprKind::Member { .. } | ExprKind::Index { .. }
        );
        match found {
            Err(NotConst::Because(..) | NotConst::Variable(..)) if may_be => match checked(self, expr, None) {
                Some((_, ConstTree::Scalar(value))) => Ok(value),
                _ => found,
            },
            found => found,
        }
    }

    /// Returns the number of a literal. Without a suffix, the language version decides its type.
    fn literal(&mut self, number: Option<Const>, text: &str, span: Span) -> Eval<'db, Const> {
        let number = number.ok_or_else(|| self.no_number(text, span))?;
        let integer = match number {
            Const::Int { value, scalar: None } => Some(value),
            Const::Float { scalar: None, .. } => None,
            _ => return Ok(number),
        };
        let scalar = crate::types::literal_types::unsuffixed(self.db, self.item, text, integer);
        Ok(scalar.map_or(number, |scalar| number.cast(scalar)))
    }

    /// Evaluates expressions that need only the syntax tree.
    fn eval_tree(&mut self, expr: ExprId) -> Eval<'db, Const> {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        let because = |why: &str| Err(NotConst::Because(node.span, why.to_string()));
        match &node.kind {
            ExprKind::Int(text) => self.literal(int_literal(text), text, node.span),
            ExprKind::Float(text) => match float_literal(text) {
                // `0.1h` is a `half`, whose size depends on an option.
                Some(Const::Float { bits, scalar: Some(suffix) }) => {
                    let has_16_bits = self.item.program(self.db).options(self.db).enable_16bit_types;
                    let scalar = if suffix == Scalar::F16 && !has_16_bits { Scalar::F32 } else { suffix };
                    Ok(Const::float(f64::from_bits(bits), None).cast(scalar))
                }
                found => self.literal(found, text, node.span),
            },
            ExprKind::Char(text) => match wgc_frontend::escape::character(text) {
                Some(c) => Ok(Const::int(i64::from(u32::from(c)), Scalar::U32)),
                None => because("invalid character literal"),
            },
            ExprKind::Bool(b) => Ok(Const::Bool(*b)),
            ExprKind::Paren(inner) => self.eval(*inner),
            ExprKind::Path(path) => self.named(path, node.span),
            ExprKind::Unary { op, operand } => {
                let value = self.eval(*operand)?;
                unary(*op, value).map_err(|why| NotConst::Because(node.span, why.to_string()))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (a, b) = (self.eval(*lhs)?, self.eval(*rhs)?);
                match binary(*op, a, b) {
                    Some(value) => Ok(value),
                    None => {
                        let why = match op {
                            BinaryOp::Div | BinaryOp::Rem => "division by zero",
                            _ => "this operator does not accept these operands",
                        };
                        self.error(Code::ConstantOverflow, node.span, why);
                        Err(NotConst::Reported)
                    }
                }
            }
            ExprKind::Cond { cond, then, otherwise } => {
                // The type depends on both operands.
                let chosen = if self.eval(*cond)?.truthy() { *then } else { *otherwise };
                let value = self.eval(chosen)?;
                match self.type_of(expr) {
                    Some(ty) => self.cast_const(ty, value, node.span),
                    None => because("the type of this `?:` is not known"),
                }
            }
            ExprKind::Cast { ty, operand } => {
                let ty = self.ty(*ty);
                let value = self.eval(*operand)?;
                self.cast_const(ty, value, node.span)
            }
            ExprKind::Call { callee, args } => {
                // `uint(x)`
                if let (ExprKind::Path(path), [arg]) = (&ast.exprs[*callee].kind, args.as_slice())
                    && let PathTarget::Type(ty) = self.resolve(path)
                {
                    let value = self.eval(*arg)?;
                    return self.cast_const(ty, value, node.span);
                }
                because("the result of this call is not a constant")
            }
            ExprKind::Sizeof(operand) => self.sizeof(*operand, node.span),
            ExprKind::List(elements) => match elements.as_slice() {
                [one] => self.eval(*one),
                _ => because("an initialiser list is not a scalar constant"),
            },
            ExprKind::Member { .. } | ExprKind::Index { .. } => match *self.part(expr)?.1 {
                ConstTree::Scalar(value) => Ok(value),
                ConstTree::Composite(_) => because("this is a constant, but not a scalar"),
            },
            ExprKind::Error => Err(NotConst::Reported),
            _ => because("this is not a constant expression"),
        }
    }

    /// Returns the constant that a path names. It is a function of its own because chains of constants nest deeply.
    fn named(&mut self, path: &Path, span: Span) -> Eval<'db, Const> {
        let because = |why: &str| Err(NotConst::Because(span, why.to_string()));
        match self.resolve(path) {
            PathTarget::Value(value) => Ok(value.constant),
            PathTarget::Local(Local::Constant(_, value)) => Ok(value),
            PathTarget::Var(owner, var) => match const_value(self.db, var.item, var.index, owner) {
                Ok(ConstTree::Scalar(value)) => {
                    self.specialised.extend(specialised_by(self.db, var, owner));
                    Ok(match crate::types::globals::global_ty(self.db, var, owner).kind(self.db) {
                        TyKind::Enum(e) => enum_values(self.db, *e).promoted(*value),
                        _ => *value,
                    })
                }
                Ok(ConstTree::Composite(_)) => because("this is a constant, but not a scalar"),
                Err(ConstError::NotConst) => Err(NotConst::Variable(span, owner, var)),
                Err(ConstError::TooDeep) => Err(NotConst::TooDeep),
                Err(ConstError::Wrong) => Err(self.wrong_constant(owner, var)),
            },
            PathTarget::EnumValue(e, n) => match enum_values(self.db, e).values.get(n as usize) {
                Some(Some(value)) => Ok(enum_values(self.db, e).promoted(*value)),
                _ => {
                    self.adopt(crate::types::enum_values::wrong_in_instance(self.db, e));
                    Err(NotConst::Reported)
                }
            },
            PathTarget::Error => Err(NotConst::Reported),
            PathTarget::Nothing(at) => {
                self.unknown(path, at, NameKind::Value);
                Err(NotConst::Reported)
            }
            _ => because("this is not a constant"),
        }
    }

    /// Returns the error of a constant with a wrong declaration. Members of an instance are not checked elsewhere.
    fn wrong_constant(&mut self, owner: Option<RecordInst<'db>>, var: VarId<'db>) -> NotConst<'db> {
        if owner.is_some_and(|owner| !owner.args(self.db).is_empty())
            && let Some(global) = crate::types::globals::global(self.db, var, owner)
        {
            self.adopt(&global.diagnostics);
        }
        NotConst::Reported
    }

    /// Evaluates a constant of any type that a path names, or a part of one: a field, an element, components.
    fn part(&mut self, expr: ExprId) -> Eval<'db, (Ty<'db>, Cow<'db, ConstTree>)> {
        let (ast, db) = (self.ast, self.db);
        let node = &ast.exprs[expr];
        let nothing = || NotConst::Because(node.span, "this is not a constant expression".to_string());
        match &node.kind {
            ExprKind::Paren(inner) => self.part(*inner),
            ExprKind::Path(path) => {
                let PathTarget::Var(owner, var) = self.resolve(path) else { return Err(nothing()) };
                let tree = match const_value(db, var.item, var.index, owner) {
                    Ok(tree) => {
                        self.specialised.extend(specialised_by(db, var, owner));
                        Cow::Borrowed(tree)
                    }
                    Err(ConstError::TooDeep) => return Err(NotConst::TooDeep),
                    Err(ConstError::Wrong) => return Err(self.wrong_constant(owner, var)),
                    Err(ConstError::NotConst) => return Err(NotConst::Variable(node.span, owner, var)),
                };
                Ok((crate::types::globals::global_ty(db, var, owner), tree))
            }
            ExprKind::Member { base, name, args: None } => {
                let (ty, tree) = self.part(*base)?;
                if let TyKind::Record(inst) = ty.kind(db) {
                    let path = crate::types::record::path_to_field(db, *inst, &name.text).ok_or_else(nothing)?;
                    return path.iter().try_fold((ty, tree), |(ty, tree), n| nth(db, ty, tree, *n)).ok_or_else(nothing);
                }
                let set = ["xyzw", "rgba"].into_iter().find(|set| name.text.chars().all(|c| set.contains(c)));
                let components = name.text.chars().filter_map(|c| set?.find(c)).map(|n| n as u32);
                let parts: Option<Vec<_>> = components.map(|n| nth(db, ty, tree.clone(), n)).collect();
                match parts.as_deref() {
                    Some([only]) => Ok(only.clone()),
                    Some([(scalar, _), ..]) => {
                        let TyKind::Scalar(s) = *scalar.kind(db) else { return Err(nothing()) };
                        let parts: Vec<_> = parts.into_iter().flatten().map(|(_, tree)| tree.into_owned()).collect();
                        Ok((Ty::new(db, TyKind::Vector(s, parts.len() as u8)), Cow::Owned(ConstTree::Composite(parts))))
                    }
                    _ => Err(nothing()),
                }
            }
            ExprKind::Index { base, index } => {
                let (ty, tree) = self.part(*base)?;
                let index = self.eval(*index)?.to_int().and_then(|n| u32::try_from(n).ok());
                index.and_then(|n| nth(db, ty, tree, n)).ok_or_else(nothing)
            }
            _ => Err(nothing()),
        }
    }

    /// Asks the type checker for the type of an expression.
    pub(crate) fn type_of(&self, expr: ExprId) -> Option<Ty<'db>> {
        let checker: &CheckedConstant = self.db.checker().downcast_ref()?;
        (checker.type_of)(self, expr)
    }

    fn cast_const(&mut self, ty: Ty<'db>, value: Const, span: wgc_frontend::ast::Span) -> Eval<'db, Const> {
        match ty.kind(self.db) {
            TyKind::Scalar(s) | TyKind::Vector(s, 1) => Ok(value.cast(s.repr())),
            TyKind::Enum(e) => Ok(value.cast(enum_values(self.db, *e).scalar)),
            TyKind::LiteralInt => Ok(value),
            TyKind::LiteralFloat => Ok(Const::float(value.to_f64(), None)),
            TyKind::Error => Err(NotConst::Reported),
            _ => Err(NotConst::Because(span, "this is not a scalar constant".to_string())),
        }
    }

    /// Evaluates an initialiser as a constant of type `ty`: a list, a constructor call, or a scalar that fills a
    /// vector.
    pub fn eval_as(&mut self, ty: Ty<'db>, expr: ExprId) -> Eval<'db, ConstTree> {
        let most = MAX_REPEATED + MAX_OF_ELEMENT * listed(self.ast, expr);
        if crate::types::extent::extent(self.db, ty).scalars > most as u64 {
            let message = format!("a constant with more than {MAX_REPEATED} repeated scalars");
            return Err(NotConst::Because(self.ast.exprs[expr].span, message));
        }
        let found = self.eval_parts(ty, expr);
        match found {
            Err(NotConst::Because(..) | NotConst::Variable(..)) => {
                checked(self, expr, Some(ty)).map(|(_, value)| value).map_or(found, Ok)
            }
            found => found,
        }
    }

    fn eval_parts(&mut self, ty: Ty<'db>, expr: ExprId) -> Eval<'db, ConstTree> {
        let mut scalars = Vec::new();
        self.flatten(expr, &mut scalars)?;
        let span = self.ast.exprs[expr].span;
        let Some(wanted) = scalar_count(self.db, ty) else {
            return Err(NotConst::Because(span, format!("a `{}` cannot be constant", ty.display(self.db))));
        };
        if scalars.len() == 1 && wanted > 1 {
            // One scalar fills the whole value, as in `float4 x = 1` and the cast `(S)0`.
            scalars = vec![scalars[0]; wanted];
        }
        if scalars.len() != wanted {
            let message = format!("expected {wanted} values for `{1}`, found {0}", scalars.len(), ty.display(self.db));
            return Err(NotConst::Because(span, message));
        }
        let mut rest = scalars.into_iter();
        build(self.db, ty, &mut rest).ok_or(NotConst::Reported)
    }

    fn flatten(&mut self, expr: ExprId, out: &mut Vec<Const>) -> Eval<'db, ()> {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ExprKind::List(elements) => elements.iter().try_for_each(|e| self.flatten(*e, out)),
            ExprKind::Paren(inner) => self.flatten(*inner, out),
            ExprKind::Call { callee, args } => {
                if let ExprKind::Path(path) = &ast.exprs[*callee].kind
                    && let PathTarget::Type(ty) = self.resolve(path)
                    && let Some(wanted) = scalar_count(self.db, ty)
                {
                    return self.construct(ty, wanted, args, node.span, out);
                }
                out.push(self.eval(expr)?);
                Ok(())
            }
            ExprKind::Cast { ty, operand } => {
                let ty = self.ty(*ty);
                match scalar_count(self.db, ty) {
                    Some(wanted) => self.construct(ty, wanted, &[*operand], node.span, out),
                    None => Err(NotConst::Because(node.span, "this is not a constant".to_string())),
                }
            }
            ExprKind::Path(path) => {
                if let PathTarget::Var(owner, var) = self.resolve(path)
                    && let Ok(tree) = const_value(self.db, var.item, var.index, owner)
                {
                    self.specialised.extend(specialised_by(self.db, var, owner));
                    leaves(tree, out);
                    return Ok(());
                }
                out.push(self.eval(expr)?);
                Ok(())
            }
            ExprKind::Member { .. } | ExprKind::Index { .. } => {
                leaves(&self.part(expr)?.1, out);
                Ok(())
            }
            ExprKind::Unary { op: UnaryOp::Neg, operand } => {
                let start = out.len();
                self.flatten(*operand, out)?;
                for value in &mut out[start..] {
                    *value = value.negated();
                }
                Ok(())
            }
            _ => {
                out.push(self.eval(expr)?);
                Ok(())
            }
        }
    }

    /// Evaluates `T(args)`: converts the scalars of the arguments; a single one fills the value.
    fn construct(
        &mut self,
        ty: Ty<'db>,
        wanted: usize,
        args: &[ExprId],
        span: wgc_frontend::ast::Span,
        out: &mut Vec<Const>,
    ) -> Eval<'db, ()> {
        let mut parts = Vec::new();
        args.iter().try_for_each(|a| self.flatten(*a, &mut parts))?;
        if parts.len() == 1 && wanted > 1 {
            parts = vec![parts[0]; wanted];
        }
        if parts.len() != wanted {
            let message = format!("expected {wanted} values for `{1}`, found {0}", parts.len(), ty.display(self.db));
            return Err(NotConst::Because(span, message));
        }
        match build(self.db, ty, &mut parts.into_iter()) {
            Some(tree) => {
                leaves(&tree, out);
                Ok(())
            }
            None => Err(NotConst::Reported),
        }
    }
}

fn unary(op: UnaryOp, value: Const) -> Result<Const, &'static str> {
    match op {
        UnaryOp::Plus => Ok(value),
        UnaryOp::Not => Ok(Const::Bool(!value.truthy())),
        UnaryOp::Neg => Ok(value.negated()),
        UnaryOp::BitNot => match value {
            Const::Int { value, scalar } => Ok(Const::Int { value: wrap(!value, scalar), scalar }),
            Const::Bool(b) => Ok(Const::int(!i64::from(b), Scalar::I32)),
            Const::Float { .. } => Err("`~` needs an integer"),
        },
        UnaryOp::PreInc | UnaryOp::PreDec => Err("a constant cannot be modified"),
    }
}

/// Returns the n-th component, element or field of a constant, with its type.
fn nth<'db>(db: &'db dyn Db, ty: Ty<'db>, tree: Cow<'db, ConstTree>, n: u32) -> Option<(Ty<'db>, Cow<'db, ConstTree>)> {
    let part = match ty.kind(db) {
        TyKind::Scalar(_) => ty,
        TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, columns: 1, .. } => Ty::scalar_ty(db, *s),
        TyKind::Matrix { scalar, columns, .. } => Ty::new(db, TyKind::Vector(*scalar, *columns)),
        TyKind::Array(element, _) => *element,
        TyKind::Record(inst) => crate::types::record::record(db, *inst).fields.get(n as usize)?.ty,
        _ => return None,
    };
    Some((part, component(tree, n as usize)?))
}

/// Adds the scalars of a constant to `out`, in order.
pub fn leaves(tree: &ConstTree, out: &mut Vec<Const>) {
    match tree {
        ConstTree::Scalar(value) => out.push(*value),
        ConstTree::Composite(parts) => parts.iter().for_each(|p| leaves(p, out)),
    }
}

/// The largest constant that is evaluated, in scalars. Arrays may be declared very large, but nobody lists that many
/// values.
const MAX_SCALARS: usize = 1 << 20;

/// The limit of scalars in a constant that are not listed: a short cast or name of a constant can give many.
pub(crate) const MAX_REPEATED: usize = 4096;

/// The scalars that each listed element adds to this limit: those of a matrix.
const MAX_OF_ELEMENT: usize = 16;

/// Counts the elements of a list, including nested lists.
fn listed(ast: &Ast, expr: ExprId) -> usize {
    match &ast.exprs[expr].kind {
        ExprKind::List(elements) => elements.iter().map(|element| listed(ast, *element)).sum(),
        ExprKind::Paren(inner) => listed(ast, *inner),
        _ => 1,
    }
}

/// Returns the number of scalars in a value of this type; `None` when it does not consist of numbers, or is too
/// large.
pub fn scalar_count<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<usize> {
    if crate::types::extent::extent(db, ty).scalars > MAX_SCALARS as u64 {
        return None;
    }
    let count = match ty.kind(db) {
        TyKind::Scalar(_) | TyKind::Enum(_) => 1,
        TyKind::Vector(_, n) => usize::from(*n),
        TyKind::Matrix { rows, columns, .. } => usize::from(*rows) * usize::from(*columns),
        TyKind::Array(element, Some(n)) => scalar_count(db, *element)?.checked_mul(*n as usize)?,
        TyKind::Record(inst) => {
            let record = crate::types::record::record(db, *inst);
            // The values of bit-fields are packed at the computation.
            if record.builtin.is_some() || record.fields.iter().any(|f| !f.bits.is_empty()) {
                return None;
            }
            record.fields.iter().try_fold(0usize, |sum, f| sum.checked_add(scalar_count(db, f.ty)?))?
        }
        _ => return None,
    };
    (count <= MAX_SCALARS).then_some(count)
}

/// Builds a value of a type from its scalars and converts each; `None` when there are too few.
pub(crate) fn build<'db>(db: &'db dyn Db, ty: Ty<'db>, rest: &mut impl Iterator<Item = Const>) -> Option<ConstTree> {
    let mut scalars = |scalar: Scalar, n: usize| -> Option<Vec<ConstTree>> {
        (0..n).map(|_| Some(ConstTree::Scalar(rest.next()?.cast(scalar)))).collect()
    };
    Some(match ty.kind(db) {
        TyKind::Scalar(s) => ConstTree::Scalar(rest.next()?.cast(s.repr())),
        TyKind::LiteralInt | TyKind::LiteralFloat => ConstTree::Scalar(rest.next()?),
        TyKind::Enum(e) => ConstTree::Scalar(rest.next()?.cast(enum_values(db, *e).scalar)),
        TyKind::Vector(s, 1) => ConstTree::Scalar(rest.next()?.cast(s.repr())),
        TyKind::Vector(s, n) => ConstTree::Composite(scalars(s.repr(), usize::from(*n))?),
        TyKind::Matrix { scalar, rows, columns, .. } => {
            let row = |_| match scalars(scalar.repr(), usize::from(*columns))? {
                // A row of a matrix with one column is a scalar.
                mut row if row.len() == 1 => row.pop(),
                row => Some(ConstTree::Composite(row)),
            };
            ConstTree::Composite((0..*rows).map(row).collect::<Option<_>>()?)
        }
        TyKind::Array(element, Some(n)) => {
            let mut parts = Vec::new();
            for _ in 0..*n {
                parts.push(build(db, *element, &mut *rest)?);
            }
            ConstTree::Composite(parts)
        }
        TyKind::Record(inst) => {
            let mut parts = Vec::new();
            for field in &crate::types::record::record(db, *inst).fields {
                parts.push(build(db, field.ty, &mut *rest)?);
            }
            ConstTree::Composite(parts)
        }
        _ => return None,
    })
}

/// Returns a component, element or field; a scalar has one component.
pub(crate) fn component(whole: Cow<'_, ConstTree>, n: usize) -> Option<Cow<'_, ConstTree>> {
    match whole {
        Cow::Borrowed(ConstTree::Composite(parts)) => parts.get(n).map(Cow::Borrowed),
        Cow::Owned(ConstTree::Composite(parts)) => parts.into_iter().nth(n).map(Cow::Owned),
        scalar => (n == 0).then_some(scalar),
    }
}
