//! Arithmetic on constants: literals while they are checked, and constant expressions of bodies.

use crate::check::hir::{Body, ExprId, ExprKind, UnaryOp};
use crate::const_eval::{Const, ConstTree};
use crate::db::Db;
use crate::ty::{Repr as Scalar, Ty, TyKind};
use std::borrow::Cow;
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

/// The number that the bits stand for.
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

/// The number as a constant of a type, by the rules of casts: integers wrap, floats truncate, bool compares with zero.
pub fn constant(n: Number, ty: Scalar) -> ScalarConst {
    let c = match n {
        Number::Int(value) => Const::Int { value, scalar: None },
        Number::Float(value) => Const::float(value, None),
    };
    c.cast(ty).to_ir()
}

/// IEEE half to double: every half is a double.
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

/// `lhs op rhs` for operands of one type; `None` for a division by zero and for what has no value.
pub fn binary(op: BinaryOp, lhs: Number, rhs: Number) -> Option<Number> {
    use BinaryOp as B;
    use Number::*;
    let truth = |b: bool| Some(Int(i128::from(b)));
    match (lhs, rhs) {
        (Int(a), Int(b)) => match op {
            B::Add => a.checked_add(b).map(Int),
            B::Sub => a.checked_sub(b).map(Int),
            B::Mul => a.checked_mul(b).map(Int),
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

/// The scalar type in which a value of `ty` is computed; literals at their widest.
fn scalar_of(db: &dyn Db, ty: Ty<'_>) -> Option<Scalar> {
    match ty.kind(db) {
        TyKind::Scalar(s) => Some(s.repr()),
        TyKind::LiteralInt => Some(Scalar::I64),
        TyKind::LiteralFloat => Some(Scalar::F64),
        TyKind::Enum(e) => Some(crate::check::env::enum_scalar(db, *e).repr()),
        _ => None,
    }
}

/// The value of a scalar constant expression of a body, if it is one.
pub fn eval<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<ScalarConst> {
    scalar_of(db, body.expr(id).ty)?;
    component(db, body, id, 0)
}

/// The components of a constant expression that is a scalar or a vector.
pub fn components<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Vec<ScalarConst>> {
    (0..count(db, body.expr(id).ty)?).map(|n| component(db, body, id, n)).collect()
}

fn count(db: &dyn Db, ty: Ty<'_>) -> Option<usize> {
    match ty.kind(db) {
        TyKind::Vector(_, n) => Some(usize::from(*n)),
        _ => scalar_of(db, ty).map(|_| 1),
    }
}

/// Component `n` of a constant scalar or vector: operators and conversions work on each by itself.
fn component<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId, n: usize) -> Option<ScalarConst> {
    let expr = body.expr(id);
    let ty = match expr.ty.kind(db) {
        TyKind::Vector(scalar, _) => scalar.repr(),
        _ => scalar_of(db, expr.ty)?,
    };
    let sub = |id: ExprId| component(db, body, id, n);
    let wrap = |n: Number| constant(n, ty);
    match &expr.kind {
        ExprKind::Const(c) => Some(ScalarConst { ty, ..constant(number(*c), ty) }),
        ExprKind::Zero => Some(wrap(Number::Int(0))),
        ExprKind::Local(local) => sub(body.local(*local).value?).map(|c| wrap(number(c))),
        ExprKind::Convert(inner) => sub(*inner).map(|c| wrap(number(c))),
        ExprKind::Once(inner) | ExprKind::Shape(inner) => sub(*inner),
        ExprKind::Splat(inner) => component(db, body, *inner, 0).map(|c| wrap(number(c))),
        ExprKind::Compose(parts) => {
            let mut before = 0;
            for part in parts {
                let width = count(db, body.expr(*part).ty)?;
                if n < before + width {
                    return component(db, body, *part, n - before).map(|c| wrap(number(c)));
                }
                before += width;
            }
            None
        }
        ExprKind::Swizzle { base, components } => component(db, body, *base, usize::from(*components.get(n)?)),
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
                BinaryOp::Shl | BinaryOp::Shr => Number::Int(i128::from(rhs.bits & u64::from(lhs.ty.size() * 8 - 1))),
                _ => number(rhs),
            };
            binary(*op, number(lhs), rhs).map(wrap)
        }
        ExprKind::Logical { and, lhs, rhs } => {
            let lhs = number(sub(*lhs)?).truth();
            if lhs != *and { Some(wrap(Number::Int(i128::from(lhs)))) } else { sub(*rhs) }
        }
        ExprKind::Cond { cond, then, otherwise } => {
            sub(if number(component(db, body, *cond, 0)?).truth() { *then } else { *otherwise })
        }
        ExprKind::Global(..) | ExprKind::Field { .. } | ExprKind::Index { .. } => match *nth(tree(db, body, id)?, n)? {
            ConstTree::Scalar(c) => Some(wrap(number(c.to_ir()))),
            ConstTree::Composite(_) => None,
        },
        _ => None,
    }
}

/// A constant of any type, or a part of one.
fn tree<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Cow<'db, ConstTree>> {
    let expr = body.expr(id);
    match &expr.kind {
        ExprKind::Global(var, owner) => crate::check::env::const_tree(db, *var, *owner).map(Cow::Borrowed),
        ExprKind::Local(local) => tree(db, body, body.local(*local).value?),
        ExprKind::Compose(parts) => {
            let is_vector = matches!(expr.ty.kind(db), TyKind::Vector(..));
            let mut out = Vec::new();
            for part in parts {
                match tree(db, body, *part)?.into_owned() {
                    // A vector is made of the components of shorter ones.
                    ConstTree::Composite(components) if is_vector => out.extend(components),
                    part => out.push(part),
                }
            }
            Some(Cow::Owned(ConstTree::Composite(out)))
        }
        ExprKind::Field { base, index } => nth(tree(db, body, *base)?, *index as usize),
        ExprKind::Index { base, index } => match number(eval(db, body, *index)?) {
            Number::Int(n) => nth(tree(db, body, *base)?, usize::try_from(n).ok()?),
            Number::Float(_) => None,
        },
        ExprKind::Swizzle { base, components } => {
            let base = tree(db, body, *base)?;
            if let [only] = components.as_slice() {
                return nth(base, usize::from(*only));
            }
            let parts = components.iter().map(|c| nth(base.clone(), usize::from(*c)).map(Cow::into_owned));
            Some(Cow::Owned(ConstTree::Composite(parts.collect::<Option<_>>()?)))
        }
        _ if matches!(expr.ty.kind(db), TyKind::Vector(..)) => {
            let parts = components(db, body, id)?;
            let parts = parts.into_iter().map(|c| ConstTree::Scalar(to_const(c))).collect();
            Some(Cow::Owned(ConstTree::Composite(parts)))
        }
        _ => eval_const(db, body, id).map(|c| Cow::Owned(ConstTree::Scalar(c))),
    }
}

/// A component, element or field; a scalar has one component.
pub fn nth(whole: Cow<'_, ConstTree>, n: usize) -> Option<Cow<'_, ConstTree>> {
    match whole {
        Cow::Borrowed(ConstTree::Composite(parts)) => parts.get(n).map(Cow::Borrowed),
        Cow::Owned(ConstTree::Composite(parts)) => parts.into_iter().nth(n).map(Cow::Owned),
        scalar => (n == 0).then_some(scalar),
    }
}

/// The same for the rest of the crate's constant expressions: array sizes, template arguments.
pub fn eval_const<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Const> {
    eval(db, body, id).map(to_const)
}

fn to_const(c: ScalarConst) -> Const {
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
