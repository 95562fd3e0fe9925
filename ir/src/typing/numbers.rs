//! Typing rules for numbers and bools: operators, mathematical functions and subgroup operations. They depend only on
//! the types of operands, never on the function.

use super::{Result, numeric, numeric_or_bool, same};
use crate::function::{BinaryOp, MathOp, SubgroupOp, UnaryOp};
use crate::matrix::MatrixType;
use crate::types::{Scalar, Type};

/// The number and types of operands of a mathematical function, and its result type.
enum MathShape {
    /// All operands and the result have one type.
    Same(usize),
    /// Bool for each component.
    Test,
    /// Two vectors to a scalar.
    Dot,
    Cross,
    /// See [`product`].
    Product,
    /// A vector to a scalar.
    Length,
    Normalize,
    /// A bool vector to bool.
    Reduce,
    /// One operand of a certain type to another.
    Fixed(Type, Type),
}

#[derive(PartialEq, Eq)]
enum MathOperands {
    Float,
    Integer,
    Number,
    Bool,
}

fn math_rule(op: MathOp) -> (MathShape, MathOperands) {
    use {MathOp as M, MathOperands::*, MathShape::*};
    match op {
        M::Abs | M::Sign => (Same(1), Number),
        M::Min | M::Max => (Same(2), Number),
        M::Clamp => (Same(3), Number),
        M::Floor | M::Ceil | M::Round | M::Trunc | M::Fract | M::Sqrt | M::InverseSqrt => (Same(1), Float),
        M::Exp | M::Exp2 | M::Log | M::Log2 | M::Sin | M::Cos | M::Tan | M::Asin | M::Acos | M::Atan => {
            (Same(1), Float)
        }
        M::Sinh | M::Cosh | M::Tanh => (Same(1), Float),
        M::Pow | M::Atan2 => (Same(2), Float),
        M::Fma | M::Mix => (Same(3), Float),
        M::Dot => (Dot, Number),
        M::Cross => (Cross, Float),
        M::Product => (Product, Float),
        M::Length => (Length, Float),
        M::Normalize => (Normalize, Float),
        M::Any | M::All => (Reduce, Bool),
        M::CountBits | M::FirstBitLow | M::FirstBitHigh | M::ReverseBits => (Same(1), Integer),
        M::IsNan | M::IsInf => (Test, Float),
        M::PackHalf => (Fixed(Type::Vector(Scalar::F32, 2), Type::U32), Number),
        M::UnpackHalf => (Fixed(Type::U32, Type::Vector(Scalar::F32, 2)), Number),
    }
}

/// Returns the type of a product of two operands: rows and columns as in linear algebra. A vector is a row on the left
/// and a column on the right.
fn product(lhs: &Type, rhs: &Type) -> Result {
    let refused = || Err(format!("does not take {lhs} and {rhs}"));
    let (Some(scalar), Some(other)) = (component(lhs), component(rhs)) else { return refused() };
    if !scalar.is_float() || scalar != other {
        return refused();
    }
    let is_whole = |m: &MatrixType| m.rows > 1 && m.columns > 1;
    match (lhs, rhs) {
        (Type::Vector(..), Type::Scalar(_)) => Ok(lhs.clone()),
        (Type::Vector(_, n), Type::Matrix(m)) if is_whole(m) && *n == m.rows => Ok(m.row()),
        (Type::Matrix(m), Type::Vector(_, n)) if is_whole(m) && *n == m.columns => Ok(Type::Vector(scalar, m.rows)),
        (Type::Matrix(a), Type::Matrix(b)) if is_whole(a) && is_whole(b) && a.columns == b.rows => {
            Ok(Type::Matrix(MatrixType::tight(scalar, a.rows, b.columns, true)))
        }
        _ => refused(),
    }
}

fn component(ty: &Type) -> Option<Scalar> {
    match ty {
        Type::Matrix(m) => Some(m.scalar),
        _ => ty.scalar(),
    }
}

pub(super) fn math(op: MathOp, args: &[&Type]) -> Result {
    let (shape, kind) = math_rule(op);
    if let (MathShape::Product, [lhs, rhs]) = (&shape, args) {
        return product(lhs, rhs);
    }
    let arity = match shape {
        MathShape::Same(n) => n,
        MathShape::Dot | MathShape::Cross | MathShape::Product => 2,
        _ => 1,
    };
    let [first, rest @ ..] = args else { return Err(format!("takes {arity} operands, not none")) };
    if args.len() != arity {
        return Err(format!("takes {arity} operands, not {}", args.len()));
    }
    for arg in rest {
        same("operand", arg, first)?;
    }
    let (scalar, n) = numeric_or_bool(first)?;
    let fits = match kind {
        MathOperands::Float => scalar.is_float(),
        MathOperands::Integer => scalar.is_integer(),
        MathOperands::Number => scalar != Scalar::Bool,
        MathOperands::Bool => scalar == Scalar::Bool,
    };
    let wide = match &shape {
        MathShape::Same(_) | MathShape::Test => true,
        MathShape::Fixed(operand, _) => *first == operand,
        MathShape::Cross => n == 3,
        _ => n > 1,
    };
    if !fits || !wide {
        return Err(format!("does not take {first}"));
    }
    Ok(match shape {
        MathShape::Same(_) | MathShape::Cross | MathShape::Normalize | MathShape::Product => (*first).clone(),
        MathShape::Test => Type::vector_of(Scalar::Bool, n),
        MathShape::Dot | MathShape::Length | MathShape::Reduce => Type::Scalar(scalar),
        MathShape::Fixed(_, result) => result,
    })
}

pub(super) fn unary(op: UnaryOp, ty: &Type) -> Result {
    let (scalar, _) = numeric_or_bool(ty)?;
    let fits = match op {
        UnaryOp::Neg => scalar != Scalar::Bool,
        UnaryOp::Not => scalar == Scalar::Bool,
        UnaryOp::BitNot => scalar.is_integer(),
    };
    if fits { Ok(ty.clone()) } else { Err(format!("does not take {ty}")) }
}

pub(super) fn binary(op: BinaryOp, lhs: &Type, rhs: &Type) -> Result {
    use BinaryOp as B;
    let (scalar, n) = numeric_or_bool(lhs)?;
    if matches!(op, B::Shl | B::Shr) {
        let (count, m) = numeric_or_bool(rhs)?;
        let fits = scalar.is_integer() && count.is_integer() && scalar.size() == count.size() && n == m;
        return if fits { Ok(lhs.clone()) } else { Err(format!("shifts {lhs} by {rhs}")) };
    }
    same("right operand", rhs, lhs)?;
    let fits = match op {
        B::Add | B::Sub | B::Mul | B::Div | B::Rem | B::Lt | B::Le | B::Gt | B::Ge => scalar != Scalar::Bool,
        B::And | B::Or | B::Xor => !scalar.is_float(),
        B::Eq | B::Ne | B::Shl | B::Shr => true,
    };
    if !fits {
        return Err(format!("does not take {lhs}"));
    }
    Ok(if op.is_comparison() { Type::vector_of(Scalar::Bool, n) } else { lhs.clone() })
}

pub(super) fn subgroup(op: SubgroupOp, args: &[&Type]) -> Result {
    use SubgroupOp as S;
    let uint4 = Type::Vector(Scalar::U32, 4);
    match (op, args) {
        (S::Elect, []) => Ok(Type::BOOL),
        (S::Ballot, [v]) => same("operand", v, &Type::BOOL).map(|()| uint4),
        (S::Any | S::All, [v]) => same("operand", v, &Type::BOOL).map(|()| Type::BOOL),
        (S::Shuffle | S::QuadBroadcast, [v, lane]) => {
            numeric_or_bool(v)?;
            same("lane", lane, &Type::U32)?;
            Ok((*v).clone())
        }
        (S::BroadcastFirst | S::QuadSwapX | S::QuadSwapY | S::QuadSwapDiagonal, [v]) => {
            numeric_or_bool(v).map(|_| (*v).clone())
        }
        (op, [v]) if op.is_derivative() => match numeric(v)? {
            (Scalar::F32, _) => Ok((*v).clone()),
            _ => Err(format!("does not take {v}")),
        },
        (S::AllEqual, [v]) => match numeric_or_bool(v)? {
            (_, 1) => Ok(Type::BOOL),
            _ => Err(format!("does not take {v}")),
        },
        (S::BitAnd | S::BitOr | S::BitXor, [v]) => match numeric(v)? {
            (s, _) if s.is_integer() => Ok((*v).clone()),
            _ => Err(format!("does not take {v}")),
        },
        (S::Add | S::ExclusiveAdd | S::Mul | S::ExclusiveMul | S::Min | S::Max, [v]) => {
            numeric(v).map(|_| (*v).clone())
        }
        _ => Err(format!("does not take {} operands", args.len())),
    }
}
