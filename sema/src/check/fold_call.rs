//! Calls in constant expressions: built-in operations, and built-in functions composed of others.
//!
//! A user's function is never a constant. The result is the one that every device computes. If devices may differ, it
//! is the nearest value of the result's type.

use super::fold::{Fold, Number, constant, number, scalar_of, to_const};
use super::hir::{Arg, ExprId, ExprKind, Stmt};
use super::ops::BuiltinOp;
use super::{check, env, fold_math};
use crate::db::ty::{FnInst, Repr, Ty, TyKind};
use crate::types::const_eval::{ConstTree, build};
use wgc_ir::{MathOp, ScalarConst};

impl<'db> Fold<'_, 'db> {
    /// Evaluates a call of a built-in function of numbers with constant arguments.
    pub(super) fn call(&self, id: ExprId) -> Option<ConstTree> {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Op { op, object: None, args, .. } => {
                let args: Vec<Vec<ScalarConst>> = args.iter().map(|arg| self.argument(arg)).collect::<Option<_>>()?;
                let result = scalar_of(self.db, expr.ty)?;
                let scalars = operation(*op, &args, result, components(self.db, expr.ty))?;
                build(self.db, expr.ty, &mut scalars.into_iter().map(to_const))
            }
            ExprKind::Call { callee, this: None, args } if env::is_prelude(self.db, callee.function(self.db)) => {
                let args = args.iter().map(|arg| match arg {
                    Arg::In(arg) => self.tree(*arg).map(|value| value.into_owned()),
                    _ => None,
                });
                composition(self.db, *callee, args.collect::<Option<_>>()?)
            }
            _ => None,
        }
    }

    fn argument(&self, arg: &Arg) -> Option<Vec<ScalarConst>> {
        let Arg::In(arg) = arg else { return None };
        (0..components(self.db, self.body.expr(*arg).ty)).map(|n| self.component(*arg, n)).collect()
    }

    /// Runs statements up to a return.
    fn run(&mut self, block: &[Stmt]) -> Option<Flow> {
        for stmt in block {
            match stmt {
                Stmt::Let { local, init: Some(init) } => {
                    let value = self.tree(*init)?.into_owned();
                    self.locals.insert(*local, value);
                }
                Stmt::Block(block) => {
                    if let Flow::Returned(value) = self.run(block)? {
                        return Some(Flow::Returned(value));
                    }
                }
                Stmt::If { cond, then, otherwise, .. } => {
                    let branch = if number(self.component(*cond, 0)?).truth() { then } else { otherwise };
                    if let Flow::Returned(value) = self.run(branch)? {
                        return Some(Flow::Returned(value));
                    }
                }
                Stmt::Return(Some(value)) => return Some(Flow::Returned(self.tree(*value)?.into_owned())),
                _ => return None,
            }
        }
        Some(Flow::On)
    }
}

enum Flow {
    On,
    Returned(ConstTree),
}

/// Runs a built-in function with a body: declarations, choices and a result.
fn composition<'db>(db: &'db dyn crate::db::Db, callee: FnInst<'db>, args: Vec<ConstTree>) -> Option<ConstTree> {
    let checked = check(db, callee);
    if !checked.is_correct {
        return None;
    }
    let mut fold = Fold::new(db, &checked.body);
    fold.locals = checked.body.params.iter().copied().zip(args).collect();
    match fold.run(&checked.body.block)? {
        Flow::Returned(value) => Some(value),
        Flow::On => None,
    }
}

/// Returns the number of components of a number, or 0.
fn components(db: &dyn crate::db::Db, ty: Ty<'_>) -> usize {
    match ty.kind(db) {
        TyKind::Vector(_, n) => usize::from(*n),
        TyKind::Matrix { rows, columns, .. } => usize::from(*rows) * usize::from(*columns),
        _ => usize::from(scalar_of(db, ty).is_some()),
    }
}

/// Computes the components of a result from those of the arguments.
fn operation(op: BuiltinOp, args: &[Vec<ScalarConst>], to: Repr, count: usize) -> Option<Vec<ScalarConst>> {
    if let BuiltinOp::Math(op) = op
        && let Some(result) = of_vectors(op, args, to)
    {
        return result;
    }
    let one = |n: usize| {
        let args: Option<Vec<ScalarConst>> = args.iter().map(|arg| arg.get(n).copied()).collect();
        of_components(op, &args?, to)
    };
    (0..count).map(one).collect()
}

/// Evaluates operations that mix components; `None` for the others.
fn of_vectors(op: MathOp, args: &[Vec<ScalarConst>], to: Repr) -> Option<Option<Vec<ScalarConst>>> {
    let floats = |n: usize| -> Vec<f64> { args.get(n).into_iter().flatten().map(|c| number(*c).as_float()).collect() };
    let back = |values: Vec<f64>| values.into_iter().map(|v| constant(Number::Float(v), to)).collect::<Vec<_>>();
    let sum = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let truth = |b: bool| Some(vec![constant(Number::Int(i128::from(b)), to)]);
    Some(match (op, args) {
        (MathOp::Dot, [a, b]) if !to.is_float() => {
            let int = |c: &ScalarConst| match number(*c) {
                Number::Int(value) => value,
                Number::Float(_) => 0,
            };
            // Products of 64 bits fit; the sum has the width of the result.
            let sum = a.iter().zip(b).fold(0i128, |sum, (a, b)| sum.wrapping_add(int(a).wrapping_mul(int(b))));
            Some(vec![constant(Number::Int(sum), to)])
        }
        (MathOp::Dot, _) => Some(back(vec![sum(&floats(0), &floats(1))])),
        (MathOp::Length, _) => Some(back(vec![sum(&floats(0), &floats(0)).sqrt()])),
        (MathOp::Normalize, _) => {
            let v = floats(0);
            let length = sum(&v, &v).sqrt();
            (length > 0.0 && length.is_finite()).then(|| back(v.iter().map(|x| x / length).collect()))
        }
        (MathOp::Cross, _) => match (floats(0).as_slice(), floats(1).as_slice()) {
            ([a, b, c], [x, y, z]) => Some(back(vec![b * z - c * y, c * x - a * z, a * y - b * x])),
            _ => None,
        },
        (MathOp::Any, [all]) => truth(all.iter().any(|c| number(*c).truth())),
        (MathOp::All, [all]) => truth(all.iter().all(|c| number(*c).truth())),
        _ => return None,
    })
}

/// Evaluates an operation that works on each component separately.
fn of_components(op: BuiltinOp, args: &[ScalarConst], to: Repr) -> Option<ScalarConst> {
    let numbers: Vec<Number> = args.iter().map(|c| number(*c)).collect();
    let truth = |b: bool| Some(constant(Number::Int(i128::from(b)), to));
    match (op, args) {
        (BuiltinOp::Math(op), [first, ..]) => fold_math::math(op, first.ty, &numbers).map(|n| constant(n, to)),
        (BuiltinOp::Rem, _) => match numbers.as_slice() {
            [Number::Float(a), Number::Float(b)] => fold_math::known(a % b, &numbers).map(|n| constant(n, to)),
            _ => None,
        },
        (BuiltinOp::Mad, _) => match numbers.as_slice() {
            [Number::Int(a), Number::Int(b), Number::Int(c)] => {
                Some(constant(Number::Int(a.wrapping_mul(*b).wrapping_add(*c)), to))
            }
            [a, b, c] => {
                let exact = a.as_float().mul_add(b.as_float(), c.as_float());
                fold_math::known(exact, &numbers).map(|n| constant(n, to))
            }
            _ => None,
        },
        (BuiltinOp::Bitcast, [from]) if from.ty.size() == to.size() => Some(ScalarConst { ty: to, bits: from.bits }),
        (BuiltinOp::JoinBits, [low, high]) => {
            Some(ScalarConst { ty: to, bits: (low.bits & 0xffff_ffff) | high.bits << 32 })
        }
        (BuiltinOp::FromHalf, [half]) => {
            let value = number(ScalarConst { ty: Repr::F16, bits: half.bits & 0xffff });
            Some(constant(value, to))
        }
        (BuiltinOp::And, [a, b]) => truth(number(*a).truth() && number(*b).truth()),
        (BuiltinOp::Or, [a, b]) => truth(number(*a).truth() || number(*b).truth()),
        (BuiltinOp::Select, [condition, yes, no]) => Some(if number(*condition).truth() { *yes } else { *no }),
        _ => None,
    }
}
