//! Arithmetic on specialisation constants that stays open: an expression becomes a list of steps. A pipeline's host
//! or a target executes them when the constants have their values.
//!
//! 32-bit integers and booleans can stay open, with the operators and casts that SPIR-V has for constants. Everything
//! else (floats, other widths, calls) cannot; [`crate::types::specialise`] fixes it with a warning. Types follow
//! [`crate::tables::constant`], and the result is compared with the value that was computed there.

use crate::db::Db;
use crate::db::def::VarId;
use crate::db::items::var_node;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::types::const_eval::{Const, ConstTree};
use crate::types::constant_variables::{const_value, evaluate};
use crate::types::cx::{Cx, PathTarget};
use crate::types::globals::{GlobalKind, global};
use crate::types::specialise::is_specialised;
use wgc_frontend::ast::{BinaryOp, ExprId, ExprKind, UnaryOp};
use wgc_ir::{SpecOp, SpecStep, SpecValue};

/// The limit of steps. No realistic size or limit needs more; a longer expression is fixed.
const MAX_STEPS: usize = 256;

/// A step of [`wgc_ir::SpecValue`], with variables instead of symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Step<'db> {
    Constant(VarId<'db>),
    Truth(VarId<'db>),
    Number(u32),
    Op(SpecOp),
}

/// An expression over specialisation constants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Open<'db> {
    pub steps: Vec<Step<'db>>,
    /// U32, I32 or Bool.
    pub scalar: Scalar,
}

/// A part of an expression.
enum SpecOperand<'db> {
    Known(Const),
    Open(Open<'db>),
}

impl<'db> Open<'db> {
    /// Returns the variables in it.
    pub fn variables(&self) -> impl Iterator<Item = VarId<'db>> {
        self.steps.iter().filter_map(|step| match step {
            Step::Constant(var) | Step::Truth(var) => Some(*var),
            Step::Number(_) | Step::Op(_) => None,
        })
    }

    /// Converts the steps to the IR.
    pub fn to_ir(&self, db: &'db dyn Db) -> SpecValue {
        let symbol = |var: VarId<'db>| crate::types::globals::symbol(db, var, None);
        let step = |step: &Step<'db>| match *step {
            Step::Constant(var) => SpecStep::Constant(symbol(var)),
            Step::Truth(var) => SpecStep::Truth(symbol(var)),
            Step::Number(number) => SpecStep::Number(number),
            Step::Op(op) => SpecStep::Op(op),
        };
        SpecValue(self.steps.iter().map(step).collect())
    }

    fn new(step: Step<'db>, scalar: Scalar) -> Self {
        Open { steps: vec![step], scalar }
    }

    fn then(mut self, steps: impl IntoIterator<Item = Step<'db>>, scalar: Scalar) -> Self {
        self.steps.extend(steps);
        self.scalar = scalar;
        self
    }

    /// Converts to a type that can be open.
    fn cast(self, to: Scalar) -> Option<Self> {
        Some(match (self.scalar, to) {
            (Scalar::Bool, Scalar::Bool) => self,
            (Scalar::Bool, Scalar::U32 | Scalar::I32) => {
                self.then([Step::Number(1), Step::Number(0), Step::Op(SpecOp::Select)], to)
            }
            (Scalar::U32 | Scalar::I32, Scalar::Bool) => self.then([Step::Number(0), Step::Op(SpecOp::Ne)], to),
            // The bits are the same.
            (Scalar::U32 | Scalar::I32, Scalar::U32 | Scalar::I32) => self.then([], to),
            _ => return None,
        })
    }

    fn value(&self, db: &'db dyn Db) -> Option<u32> {
        let value = |var: &VarId<'db>| match const_value(db, var.item, var.index, None) {
            Ok(ConstTree::Scalar(value)) => Some(value.to_ir().bits as u32),
            _ => None,
        };
        let steps: Vec<SpecStep<VarId<'db>>> = (self.steps.iter())
            .map(|step| match *step {
                Step::Constant(var) => SpecStep::Constant(var),
                Step::Truth(var) => SpecStep::Truth(var),
                Step::Number(number) => SpecStep::Number(number),
                Step::Op(op) => SpecStep::Op(op),
            })
            .collect();
        wgc_ir::spec_value::evaluate(&steps, value)
    }
}

impl<'db> SpecOperand<'db> {
    fn scalar(&self) -> Scalar {
        match self {
            SpecOperand::Known(value) => value.scalar(),
            SpecOperand::Open(open) => open.scalar,
        }
    }

    /// Converts to a type that can be open. A number that does not fit the type is truncated, as everywhere.
    fn into_open(self, to: Scalar) -> Option<Open<'db>> {
        match self {
            SpecOperand::Known(value) => match value.cast(to) {
                Const::Bool(truth) => Some(
                    Open::new(Step::Number(u32::from(truth)), Scalar::U32)
                        .then([Step::Number(0), Step::Op(SpecOp::Ne)], Scalar::Bool),
                ),
                Const::Int { value, .. } if matches!(to, Scalar::U32 | Scalar::I32) => {
                    Some(Open::new(Step::Number(value as u32), to))
                }
                _ => None,
            },
            SpecOperand::Open(open) => open.cast(to),
        }
    }

    /// Returns the type that the other side of an operator sees; `None` for a literal, which has no type of its own.
    fn operand(&self) -> Option<Scalar> {
        match self {
            SpecOperand::Known(Const::Int { scalar, .. }) => *scalar,
            SpecOperand::Known(Const::Bool(_)) => Some(Scalar::I32),
            SpecOperand::Known(Const::Float { .. }) => Some(Scalar::F32),
            SpecOperand::Open(Open { scalar: Scalar::Bool, .. }) => Some(Scalar::I32),
            SpecOperand::Open(open) => Some(open.scalar),
        }
    }
}

/// Returns the steps of an expression that depends on specialisation constants and can stay open. `value` is its
/// value at compilation.
pub(crate) fn open<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId, value: Const) -> Option<Open<'db>> {
    let to = value.scalar();
    let open = converted(cx, expr, to)?;
    agrees(cx.db, &open, value).then_some(open)
}

/// Returns the steps of a variable's initialiser, like `open`.
pub(crate) fn open_as<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, init: ExprId, value: &ConstTree) -> Option<Open<'db>> {
    let (TyKind::Scalar(to), ConstTree::Scalar(value)) = (ty.kind(cx.db), value) else { return None };
    let open = converted(cx, init, to.repr())?;
    agrees(cx.db, &open, *value).then_some(open)
}

fn agrees<'db>(db: &'db dyn Db, open: &Open<'db>, value: Const) -> bool {
    open.value(db) == Some(value.to_ir().bits as u32)
}

fn converted<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId, to: Scalar) -> Option<Open<'db>> {
    // All errors in the expression were reported already.
    let errors = cx.errors.len();
    let before = std::mem::take(&mut cx.specialised);
    let part = part(cx, expr);
    cx.specialised = before;
    cx.errors.truncate(errors);
    match part? {
        SpecOperand::Known(_) => None,
        SpecOperand::Open(open) => open.cast(to).filter(|open| open.steps.len() <= MAX_STEPS),
    }
}

fn part<'db>(cx: &mut Cx<'_, 'db>, expr: ExprId) -> Option<SpecOperand<'db>> {
    cx.specialised.clear();
    let value = cx.eval(expr).ok()?;
    if cx.specialised.is_empty() {
        return Some(SpecOperand::Known(value));
    }
    let ast = cx.ast;
    match &ast.exprs[expr].kind {
        ExprKind::Paren(inner) => part(cx, *inner),
        ExprKind::List(elements) => match elements.as_slice() {
            [one] => part(cx, *one),
            _ => None,
        },
        ExprKind::Path(path) => match cx.resolve(path) {
            PathTarget::Var(owner, var) if var_node(cx.db, var).is_some_and(|n| is_specialised(&n)) => {
                owner.is_none().then(|| constant(cx.db, var))?.map(SpecOperand::Open)
            }
            PathTarget::Var(owner, var) => {
                evaluate(cx.db, var.item, var.index, owner).open.clone().map(SpecOperand::Open)
            }
            _ => None,
        },
        ExprKind::Unary { op, operand } => unary(*op, part(cx, *operand)?).map(SpecOperand::Open),
        ExprKind::Binary { op, lhs, rhs } => {
            let (a, b) = (part(cx, *lhs)?, part(cx, *rhs)?);
            binary(*op, a, b).map(SpecOperand::Open)
        }
        ExprKind::Cond { cond, then, otherwise } => {
            let cond = match part(cx, *cond)? {
                SpecOperand::Known(known) => {
                    let chosen = part(cx, if known.truthy() { *then } else { *otherwise })?;
                    // The other operand may give the result another type.
                    return match cx.type_of(expr)?.kind(cx.db) {
                        TyKind::Scalar(scalar) => chosen.into_open(scalar.repr()).map(SpecOperand::Open),
                        _ => Some(chosen),
                    };
                }
                SpecOperand::Open(cond) => cond.cast(Scalar::Bool)?,
            };
            let (then, otherwise) = (part(cx, *then)?, part(cx, *otherwise)?);
            let scalar = match (then.operand(), otherwise.operand()) {
                (Some(a), Some(b)) if a != b => return None,
                (a, b) => a.or(b).unwrap_or(Scalar::I32),
            };
            let (then, otherwise) = (then.into_open(scalar)?, otherwise.into_open(scalar)?);
            let rest = then.steps.into_iter().chain(otherwise.steps).chain([Step::Op(SpecOp::Select)]);
            Some(SpecOperand::Open(cond.then(rest, scalar)))
        }
        ExprKind::Cast { ty, operand } => {
            let ty = cx.ty(*ty);
            cast(cx, ty, *operand)
        }
        ExprKind::Call { callee, args } => {
            // `uint(x)`
            let (ExprKind::Path(path), [arg]) = (&ast.exprs[*callee].kind, args.as_slice()) else { return None };
            let PathTarget::Type(ty) = cx.resolve(path) else { return None };
            cast(cx, ty, *arg)
        }
        _ => None,
    }
}

fn constant<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<Open<'db>> {
    let found = global(db, var, None)?;
    let TyKind::Scalar(scalar) = found.ty.kind(db) else { return None };
    if !matches!(found.kind, GlobalKind::Specialised(_)) {
        return None;
    }
    Some(match scalar.repr() {
        Scalar::Bool => Open::new(Step::Truth(var), Scalar::Bool),
        scalar @ (Scalar::U32 | Scalar::I32) => Open::new(Step::Constant(var), scalar),
        _ => return None,
    })
}

fn cast<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, operand: ExprId) -> Option<SpecOperand<'db>> {
    let TyKind::Scalar(scalar) = ty.kind(cx.db) else { return None };
    part(cx, operand)?.into_open(scalar.repr()).map(SpecOperand::Open)
}

fn unary<'db>(op: UnaryOp, operand: SpecOperand<'db>) -> Option<Open<'db>> {
    let scalar = operand.operand()?;
    match op {
        UnaryOp::Plus => operand.into_open(scalar),
        UnaryOp::Neg => Some(operand.into_open(scalar)?.then([Step::Op(SpecOp::Neg)], scalar)),
        UnaryOp::BitNot => Some(operand.into_open(scalar)?.then([Step::Op(SpecOp::Not)], scalar)),
        UnaryOp::Not => Some(operand.into_open(Scalar::Bool)?.then([Step::Op(SpecOp::Untrue)], Scalar::Bool)),
        UnaryOp::PreInc | UnaryOp::PreDec => None,
    }
}

/// Computes a binary operation; the types are those of [`crate::tables::constant::binary`].
fn binary<'db>(op: BinaryOp, a: SpecOperand<'db>, b: SpecOperand<'db>) -> Option<Open<'db>> {
    use BinaryOp as B;
    let joined = |a: Open<'db>, b: Open<'db>, steps: Vec<SpecOp>, scalar| {
        a.then(b.steps.into_iter().chain(steps.into_iter().map(Step::Op)), scalar)
    };
    if matches!(op, B::And | B::Or) {
        let op = if op == B::And { SpecOp::BothTrue } else { SpecOp::AnyTrue };
        return Some(joined(a.into_open(Scalar::Bool)?, b.into_open(Scalar::Bool)?, vec![op], Scalar::Bool));
    }
    if [&a, &b].iter().any(|part| part.scalar().is_float()) {
        return None;
    }
    if matches!(op, B::Shl | B::Shr) {
        let scalar = match (a.operand(), b.operand()) {
            (Some(scalar), _) => scalar,
            (None, Some(Scalar::U32)) => Scalar::U32,
            (None, _) => Scalar::I32,
        };
        let shift = match (op, scalar) {
            (B::Shl, Scalar::U32 | Scalar::I32) => SpecOp::Shl,
            (_, Scalar::U32) => SpecOp::UShr,
            (_, Scalar::I32) => SpecOp::SShr,
            _ => return None,
        };
        let count = match b {
            SpecOperand::Known(count) => Open::new(Step::Number(count.to_int()?.rem_euclid(32) as u32), Scalar::U32),
            open => open.into_open(Scalar::U32)?.then([Step::Number(31), Step::Op(SpecOp::And)], Scalar::U32),
        };
        return Some(joined(a.into_open(scalar)?, count, vec![shift], scalar));
    }
    let scalar = match (a.operand(), b.operand()) {
        (Some(a), Some(b)) if a == b => a,
        (Some(a), Some(b)) if [a, b].iter().all(|s| matches!(s, Scalar::U32 | Scalar::I32)) => Scalar::U32,
        (Some(one), None) | (None, Some(one)) => one,
        _ => return None,
    };
    let signed = match scalar {
        Scalar::I32 => true,
        Scalar::U32 => false,
        _ => return None,
    };
    let (a, b) = (a.into_open(scalar)?, b.into_open(scalar)?);
    let of = |unsigned, with_sign| if signed { with_sign } else { unsigned };
    let number = |op| vec![op];
    let (less, at_most) = (of(SpecOp::ULt, SpecOp::SLt), of(SpecOp::ULe, SpecOp::SLe));
    Some(match op {
        B::Mul => joined(a, b, number(SpecOp::Mul), scalar),
        B::Div => joined(a, b, number(of(SpecOp::UDiv, SpecOp::SDiv)), scalar),
        B::Rem => joined(a, b, number(of(SpecOp::URem, SpecOp::SRem)), scalar),
        B::Add => joined(a, b, number(SpecOp::Add), scalar),
        B::Sub => joined(a, b, number(SpecOp::Sub), scalar),
        B::BitAnd => joined(a, b, number(SpecOp::And), scalar),
        B::BitOr => joined(a, b, number(SpecOp::Or), scalar),
        B::BitXor => joined(a, b, number(SpecOp::Xor), scalar),
        B::Lt => joined(a, b, number(less), Scalar::Bool),
        B::Le => joined(a, b, number(at_most), Scalar::Bool),
        B::Gt => joined(b, a, number(less), Scalar::Bool),
        B::Ge => joined(b, a, number(at_most), Scalar::Bool),
        B::Eq => joined(a, b, number(SpecOp::Eq), Scalar::Bool),
        B::Ne => joined(a, b, number(SpecOp::Ne), Scalar::Bool),
        B::Shl | B::Shr | B::And | B::Or => return None,
    })
}
