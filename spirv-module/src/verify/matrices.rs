//! Rules of linear algebra: sizes and component types of vectors and matrices agree (SPIR-V 3.49.13, GLSL.std.450).

use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::{GlslStd450Op, Op};

/// The size of a vector, or of a matrix by its columns.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Size {
    component: Id,
    rows: u32,
    columns: u32,
}

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    if fits(c, op, inst) == Some(false) {
        let sizes: Vec<String> = c.m.operands(inst).iter().map(|id| c.type_name(c.m.type_of(*id))).collect();
        let message = format!("{} to {}", sizes.join(" and "), c.type_name(inst.ty));
        c.at(if op == Op::ExtInst { rules::EXT_INST } else { rules::OPERANDS }, inst, message);
    }
}

fn vector(c: &Checker, ty: Id) -> Option<Size> {
    match c.m.ty(ty)? {
        Type::Vector { component, count } => Some(Size { component: *component, rows: *count, columns: 1 }),
        _ => None,
    }
}

fn matrix(c: &Checker, ty: Id) -> Option<Size> {
    match c.m.ty(ty)? {
        Type::Matrix { column, columns } => Some(Size { columns: *columns, ..vector(c, *column)? }),
        _ => None,
    }
}

/// Returns whether the sizes agree; `None` for other instructions, and for wrong types, which other rules report.
fn fits(c: &Checker, op: Op, inst: &Inst) -> Option<bool> {
    let operand = |n| c.m.type_of(c.operand(inst, n));
    let is = |given: Size, rows, columns| given == Size { rows, columns, ..given };
    match op {
        Op::MatrixTimesScalar => Some(matrix(c, inst.ty)?.component == operand(1)),
        Op::MatrixTimesVector => {
            let (m, v, r) = (matrix(c, operand(0))?, vector(c, operand(1))?, vector(c, inst.ty)?);
            let same = m.component == v.component && m.component == r.component;
            Some(same && v.rows == m.columns && r.rows == m.rows)
        }
        Op::VectorTimesMatrix => {
            let (v, m, r) = (vector(c, operand(0))?, matrix(c, operand(1))?, vector(c, inst.ty)?);
            let same = m.component == v.component && m.component == r.component;
            Some(same && v.rows == m.rows && r.rows == m.columns)
        }
        Op::MatrixTimesMatrix => {
            let (a, b, r) = (matrix(c, operand(0))?, matrix(c, operand(1))?, matrix(c, inst.ty)?);
            let same = a.component == b.component && a.component == r.component;
            Some(same && a.columns == b.rows && is(r, a.rows, b.columns))
        }
        Op::Transpose => {
            let (m, r) = (matrix(c, operand(0))?, matrix(c, inst.ty)?);
            Some(m.component == r.component && is(r, m.columns, m.rows))
        }
        Op::OuterProduct => {
            let r = matrix(c, inst.ty);
            let (Some(a), Some(b), Some(r)) = (vector(c, operand(0)), vector(c, operand(1)), r) else {
                return Some(false);
            };
            Some(a.component == b.component && a.component == r.component && is(r, a.rows, b.rows))
        }
        Op::ExtInst if c.m.imports.get(&c.operand(inst, 0)).is_some_and(|name| name == "GLSL.std.450") => {
            let given = || matrix(c, operand(2)).filter(|m| m.rows == m.columns);
            match GlslStd450Op::from_u32(c.operand(inst, 1))? {
                GlslStd450Op::Determinant => Some(given().is_some_and(|m| m.component == inst.ty)),
                GlslStd450Op::MatrixInverse => Some(given().is_some() && operand(2) == inst.ty),
                _ => None,
            }
        }
        _ => None,
    }
}
