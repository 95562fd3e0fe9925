//! Arithmetic on constants: literals during checking, and constant expressions of bodies.

use crate::check::hir::{Body, ExprId, ExprKind, LocalId, UnaryOp};
use crate::db::Db;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::types::const_eval::{Const, ConstTree, MAX_REPEATED, build, scalar_count};
use crate::types::numeric::Shape;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;
use wgc_ir::{BinaryOp, ScalarConst};

/// A constant as a number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(i128),
    Float(f64),
}

impl Number {
    pub fn truth(self) -> bool {
        match self {
            Number::Int(i) => i != 0,
            Number::Float(f) => f != 0.0,
        }
    }

    pub fn as_float(self) -> f64 {
        match self {
            Number::Int(i) => i as f64,
            Number::Float(f) => f,
        }
    }
}

/// Decodes the bits of a constant.
pub fn number(c: ScalarConst) -> Number {
    match c.ty {
        Scalar::Bool | Scalar::U16 | Scalar::U32 | Scalar::U64 => Number::Int(i128::from(c.bits)),
        Scalar::I16 => Number::Int(i128::from(c.bits as u16 as i16)),
        Scalar::I32 => Number::Int(i128::from(c.bits as u32 as i32)),
        Scalar::I64 => Number::Int(i128::from(c.bits as i64)),
        Scalar::F16 => Number::Float(half_to_f64(c.bits as u16)),
        Scalar::F32 => Number::Float(f64::from(f32::from_bits(c.bits as u32))),
        Scalar::F64 => Number::Float(f64::from_bits(c.bits)),
    }
}

/// Encodes a number as a constant of a type, by the rules of casts: integers wrap, floats truncate, bool compares with
/// zero.
pub fn constant(n: Number, ty: Scalar) -> ScalarConst {
    let c = match n {
        Number::Int(value) => Const::Int { value, scalar: None },
        Number::Float(value) => Const::float(value, None),
    };
    c.cast(ty).to_ir()
}

/// Converts an IEEE half to a double, which is always exact.
fn half_to_f64(bits: u16) -> f64 {
    let sign = if bits & 0x8000 != 0 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => f64::NAN,
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// Evaluates `lhs op rhs` for operands of one type; `None` for a division by zero and other undefined results.
pub fn binary(op: BinaryOp, lhs: Number, rhs: Number) -> Option<Number> {
    use BinaryOp as B;
    use Number::*;
    let truth = |b: bool| Some(Int(i128::from(b)));
    match (lhs, rhs) {
        (Int(a), Int(b)) => match op {
            // A product of 64 bits has up to 128. The result is cut to its type, so only its low bits matter.
            B::Add => Some(Int(a.wrapping_add(b))),
            B::Sub => Some(Int(a.wrapping_sub(b))),
            B::Mul => Some(Int(a.wrapping_mul(b))),
            B::Div => a.checked_div(b).map(Int),
            B::Rem => a.checked_rem(b).map(Int),
            B::And => Some(Int(a & b)),
            B::Or => Some(Int(a | b)),
            B::Xor => Some(Int(a ^ b)),
            B::Shl => u32::try_from(b & 63).ok().and_then(|n| a.checked_shl(n)).map(Int),
            B::Shr => u32::try_from(b & 63).ok().and_then(|n| a.checked_shr(n)).map(Int),
            B::Eq => truth(a == b),
            B::Ne => truth(a != b),
            B::Lt => truth(a < b),
            B::Le => truth(a <= b),
            B::Gt => truth(a > b),
            B::Ge => truth(a >= b),
        },
        _ => {
            let (a, b) = (lhs.as_float(), rhs.as_float());
            match op {
                B::Add => Some(Float(a + b)),
                B::Sub => Some(Float(a - b)),
                B::Mul => Some(Float(a * b)),
                B::Div => Some(Float(a / b)),
                B::Rem => Some(Float(a % b)),
                B::Eq => truth(a == b),
                B::Ne => truth(a != b),
                B::Lt => truth(a < b),
                B::Le => truth(a <= b),
                B::Gt => truth(a > b),
                B::Ge => truth(a >= b),
                B::And | B::Or | B::Xor | B::Shl | B::Shr => None,
            }
        }
    }
}

/// Returns the scalar type for computing components of a value of `ty`; for literals the widest.
pub(super) fn scalar_of(db: &dyn Db, ty: Ty<'_>) -> Option<Scalar> {
    match ty.kind(db) {
        TyKind::Scalar(s) | TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, .. } => Some(s.repr()),
        TyKind::LiteralInt => Some(Scalar::I64),
        TyKind::LiteralFloat => Some(Scalar::F64),
        TyKind::Enum(e) => Some(crate::check::env::enum_scalar(db, *e).repr()),
        _ => None,
    }
}

/// Evaluates a scalar constant expression of a body.
pub fn eval<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<ScalarConst> {
    match shape(db, body.expr(id).ty)? {
        Shape::SCALAR => Fold::new(db, body).component(id, 0),
        _ => None,
    }
}

/// Returns the components of a constant expression that is a scalar or a vector.
pub fn components<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Vec<ScalarConst>> {
    let shape = shape(db, body.expr(id).ty).filter(|shape| !shape.is_matrix())?;
    let fold = Fold::new(db, body);
    (0..usize::from(shape.components())).map(|n| fold.component(id, n)).collect()
}

/// Evaluates a constant expression of any type.
pub fn value<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<ConstTree> {
    Fold::new(db, body).tree(id).map(Cow::into_owned)
}

/// Returns the arrangement of a number's components; `None` for other types.
fn shape(db: &dyn Db, ty: Ty<'_>) -> Option<Shape> {
    match ty.kind(db) {
        TyKind::Vector(_, n) => Some(Shape::vector(*n)),
        TyKind::Matrix { rows, columns, .. } => Some(Shape { rows: *rows, width: *columns }),
        _ => scalar_of(db, ty).map(|_| Shape::SCALAR),
    }
}

/// The evaluation of constant expressions of one body.
pub(super) struct Fold<'a, 'db> {
    pub db: &'db dyn Db,
    pub body: &'a Body<'db>,
    /// Values of locals that are not constants: those of a called built-in function.
    pub locals: FxHashMap<LocalId, ConstTree>,
    /// Cached results of calls, as each component of an expression that uses them requests them.
    calls: RefCell<FxHashMap<ExprId, Option<Rc<ConstTree>>>>,
}

impl<'a, 'db> Fold<'a, 'db> {
    pub fn new(db: &'db dyn Db, body: &'a Body<'db>) -> Self {
        Fold { db, body, locals: FxHashMap::default(), calls: RefCell::default() }
    }

    /// Evaluates component `n` of a constant scalar, vector or matrix (row by row). Operators and conversions work on
    /// each component separately.
    pub fn component(&self, id: ExprId, n: usize) -> Option<ScalarConst> {
        let expr = self.body.expr(id);
        let ty = scalar_of(self.db, expr.ty)?;
        let sub = |id: ExprId| self.component(id, n);
        let wrap = |n: Number| constant(n, ty);
        match &expr.kind {
            ExprKind::Const(c) => Some(ScalarConst { ty, ..constant(number(*c), ty) }),
            ExprKind::Zero => Some(wrap(Number::Int(0))),
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(value) => leaf(value, n).map(|c| wrap(number(c.to_ir()))),
                None => sub(self.body.local(*local).value?).map(|c| wrap(number(c))),
            },
            ExprKind::Convert(inner) => sub(*inner).map(|c| wrap(number(c))),
            ExprKind::Once(inner) => sub(*inner),
            ExprKind::Shape(inner) => self.component(*inner, self.from(*inner, expr.ty, n)?),
            ExprKind::Splat(inner) => self.component(*inner, 0).map(|c| wrap(number(c))),
            ExprKind::Compose(parts) => {
                let mut before = 0;
                for part in parts {
                    let width = usize::from(shape(self.db, self.body.expr(*part).ty)?.components());
                    if n < before + width {
                        return self.component(*part, n - before).map(|c| wrap(number(c)));
                    }
                    before += width;
                }
                None
            }
            ExprKind::Swizzle { base, components } => self.component(*base, usize::from(*components.get(n)?)),
            ExprKind::Elements { base, elements } => {
                let (row, column) = elements.get(n)?;
                let columns = shape(self.db, self.body.expr(*base).ty)?.width;
                self.component(*base, usize::from(row * columns + column))
            }
            ExprKind::Unary { op, operand } => {
                let n = number(sub(*operand)?);
                Some(wrap(match (op, n) {
                    (UnaryOp::Neg, Number::Int(i)) => Number::Int(i.checked_neg()?),
                    (UnaryOp::Neg, Number::Float(f)) => Number::Float(-f),
                    (UnaryOp::Not, n) => Number::Int(i128::from(!n.truth())),
                    (UnaryOp::BitNot, Number::Int(i)) => Number::Int(!i),
                    (UnaryOp::BitNot, Number::Float(_)) => return None,
                }))
            }
            ExprKind::Binary { op, lhs, rhs } => {
                let (lhs, rhs) = (sub(*lhs)?, sub(*rhs)?);
                let rhs = match op {
                    BinaryOp::Shl | BinaryOp::Shr => {
                        Number::Int(i128::from(rhs.bits & u64::from(lhs.ty.size() * 8 - 1)))
                    }
                    _ => number(rhs),
                };
                binary(*op, number(lhs), rhs).map(wrap)
            }
            ExprKind::Logical { and, lhs, rhs } => {
                let lhs = number(sub(*lhs)?).truth();
                if lhs != *and { Some(wrap(Number::Int(i128::from(lhs)))) } else { sub(*rhs) }
            }
            ExprKind::Cond { cond, then, otherwise } => sub(self.chosen(*cond, *then, *otherwise)?),
            ExprKind::Select { cond, then, otherwise } => {
                sub(if number(sub(*cond)?).truth() { *then } else { *otherwise })
            }
            ExprKind::Call { .. } | ExprKind::Op { .. } => leaf(&*self.called(id)?, n).map(|c| wrap(number(c.to_ir()))),
            ExprKind::Index { base, index } if shape(self.db, self.body.expr(*base).ty).is_some() => {
                let width = usize::from(shape(self.db, expr.ty)?.components());
                let of = usize::from(shape(self.db, self.body.expr(*base).ty)?.components());
                let at = self.index(*index)?.checked_mul(width).filter(|at| *at < of)?;
                self.component(*base, at + n)
            }
            ExprKind::Global(..) | ExprKind::Field { .. } | ExprKind::Index { .. } => {
                leaf(&*self.tree(id)?, n).map(|c| wrap(number(c.to_ir())))
            }
            _ => None,
        }
    }

    /// Returns the component of `inner` that becomes component `n` of the same number in another shape.
    fn from(&self, inner: ExprId, to: Ty<'db>, n: usize) -> Option<usize> {
        let (from, to) = (shape(self.db, self.body.expr(inner).ty)?, shape(self.db, to)?);
        if !from.is_matrix() || !to.is_matrix() || from.width == to.width {
            return Some(n);
        }
        let (row, column) = (n / usize::from(to.width), n % usize::from(to.width));
        Some(row * usize::from(from.width) + column)
    }

    fn chosen(&self, cond: ExprId, then: ExprId, otherwise: ExprId) -> Option<ExprId> {
        Some(if number(self.component(cond, 0)?).truth() { then } else { otherwise })
    }

    fn index(&self, id: ExprId) -> Option<usize> {
        match number(self.component(id, 0)?) {
            Number::Int(n) => usize::try_from(n).ok(),
            Number::Float(_) => None,
        }
    }

    /// Evaluates a constant of any type, or a part of one.
    pub fn tree(&self, id: ExprId) -> Option<Cow<'_, ConstTree>> {
        let (db, body) = (self.db, self.body);
        let expr = body.expr(id);
        let is_number = shape(db, expr.ty).is_some();
        match &expr.kind {
            ExprKind::Global(var, owner) => crate::check::env::const_tree(db, *var, *owner).map(Cow::Borrowed),
            ExprKind::Local(local) => match self.locals.get(local) {
                Some(value) => Some(Cow::Borrowed(value)),
                None => self.tree(body.local(*local).value?),
            },
            ExprKind::Field { base, index } => crate::types::const_eval::component(self.tree(*base)?, *index as usize),
            ExprKind::Index { base, index } => {
                crate::types::const_eval::component(self.tree(*base)?, self.index(*index)?)
            }
            _ if is_number => {
                let count = usize::from(shape(db, expr.ty)?.components());
                let scalars: Option<Vec<_>> = (0..count).map(|n| self.component(id, n).map(to_const)).collect();
                build(db, expr.ty, &mut scalars?.into_iter()).map(Cow::Owned)
            }
            ExprKind::Compose(parts) => {
                let parts: Option<Vec<_>> = parts.iter().map(|part| self.tree(*part).map(Cow::into_owned)).collect();
                Some(Cow::Owned(ConstTree::Composite(parts?)))
            }
            ExprKind::Zero => self.filled(expr.ty, Const::Int { value: 0, scalar: None }),
            ExprKind::Splat(inner) => self.filled(expr.ty, to_const(self.component(*inner, 0)?)),
            ExprKind::Once(inner) | ExprKind::Convert(inner) => self.tree(*inner),
            ExprKind::Cond { cond, then, otherwise } => self.tree(self.chosen(*cond, *then, *otherwise)?),
            _ => None,
        }
    }

    /// Fills every part of a type with a scalar.
    fn filled(&self, ty: Ty<'db>, scalar: Const) -> Option<Cow<'_, ConstTree>> {
        let count = scalar_count(self.db, ty).filter(|count| *count <= MAX_REPEATED)?;
        build(self.db, ty, &mut std::iter::repeat_n(scalar, count)).map(Cow::Owned)
    }

    fn called(&self, id: ExprId) -> Option<Rc<ConstTree>> {
        if let Some(known) = self.calls.borrow().get(&id) {
            return known.clone();
        }
        let result = self.call(id).map(Rc::new);
        self.calls.borrow_mut().insert(id, result.clone());
        result
    }
}

/// Returns scalar `n` of a value, row by row.
fn leaf(tree: &ConstTree, mut n: usize) -> Option<Const> {
    fn walk(tree: &ConstTree, n: &mut usize) -> Option<Const> {
        match tree {
            ConstTree::Scalar(c) if *n == 0 => Some(*c),
            ConstTree::Scalar(_) => {
                *n -= 1;
                None
            }
            ConstTree::Composite(parts) => parts.iter().find_map(|part| walk(part, n)),
        }
    }
    walk(tree, &mut n)
}

/// Evaluates a scalar for the crate's other constant expressions: array sizes, template arguments.
pub fn eval_const<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Const> {
    eval(db, body, id).map(to_const)
}

pub(super) fn to_const(c: ScalarConst) -> Const {
    match number(c) {
        Number::Int(value) if c.ty == Scalar::Bool => Const::Bool(value != 0),
        Number::Int(value) => Const::Int { value, scalar: Some(c.ty) },
        Number::Float(value) => Const::float(value, Some(c.ty)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves() {
        for (value, bits) in [(1.0, 0x3c00u64), (-2.0, 0xc000), (65504.0, 0x7bff), (2f64.powi(-24), 1)] {
            assert_eq!(number(ScalarConst { ty: Scalar::F16, bits }), Number::Float(value));
        }
    }

    #[test]
    fn casts_wrap_and_truncate() {
        let c = |n, ty| constant(n, ty).bits;
        assert_eq!(c(Number::Int(-1), Scalar::U32), 0xffff_ffff);
        assert_eq!(c(Number::Float(-1.5), Scalar::I32), 0xffff_ffff);
        assert_eq!(c(Number::Float(2.9), Scalar::U16), 2);
        assert_eq!(c(Number::Float(0.5), Scalar::Bool), 1);
        assert_eq!(number(ScalarConst { ty: Scalar::I16, bits: 0x8000 }), Number::Int(-32768));
    }
}
