//! The rule that constants fit their types (SPIR-V 3.49.7).

use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::Op;

/// Operations that OpSpecConstantOp may contain in shaders (with any of their capabilities).
const SPEC_OPS: &[Op] = &[
    Op::SConvert,
    Op::UConvert,
    Op::FConvert,
    Op::SNegate,
    Op::Not,
    Op::IAdd,
    Op::ISub,
    Op::IMul,
    Op::UDiv,
    Op::SDiv,
    Op::UMod,
    Op::SRem,
    Op::SMod,
    Op::ShiftRightLogical,
    Op::ShiftRightArithmetic,
    Op::ShiftLeftLogical,
    Op::BitwiseOr,
    Op::BitwiseXor,
    Op::BitwiseAnd,
    Op::VectorShuffle,
    Op::CompositeExtract,
    Op::CompositeInsert,
    Op::LogicalOr,
    Op::LogicalAnd,
    Op::LogicalNot,
    Op::LogicalEqual,
    Op::LogicalNotEqual,
    Op::Select,
    Op::IEqual,
    Op::INotEqual,
    Op::ULessThan,
    Op::SLessThan,
    Op::UGreaterThan,
    Op::SGreaterThan,
    Op::ULessThanEqual,
    Op::SLessThanEqual,
    Op::UGreaterThanEqual,
    Op::SGreaterThanEqual,
    Op::QuantizeToF16,
];

pub(super) fn check(c: &mut Checker) {
    for inst in &c.m.declarations {
        let Some(op) = inst.op() else { continue };
        if let Err(message) = constant(c, op, inst) {
            c.at(rules::CONSTANT, inst, message);
        }
        if op == Op::Variable {
            super::memory::check_global(c, inst);
        }
    }
}

/// Checks that a type has values, of which `OpUndef` is one.
pub(super) fn has_values(c: &Checker, ty: Id) -> Result<(), String> {
    match c.m.ty(ty) {
        Some(Type::Void | Type::Function { .. }) | None => Err(format!("{} has no values", c.type_name(ty))),
        Some(_) => Ok(()),
    }
}

fn constant(c: &Checker, op: Op, inst: &Inst) -> Result<(), String> {
    let ty = c.m.ty(inst.ty);
    let wrong = |what: &str| Err(format!("{} is not a {what}", c.type_name(inst.ty)));
    match op {
        Op::ConstantTrue | Op::ConstantFalse | Op::SpecConstantTrue | Op::SpecConstantFalse => match ty {
            Some(Type::Bool) => Ok(()),
            _ => wrong("bool"),
        },
        Op::Constant | Op::SpecConstant => match ty {
            Some(Type::Int { width, signed }) => narrow(c, inst, *width, *signed),
            Some(Type::Float { width }) => narrow(c, inst, *width, false),
            _ => wrong("numeric scalar"),
        },
        Op::ConstantComposite | Op::SpecConstantComposite => composite(c, inst),
        Op::ConstantNull => match ty {
            Some(Type::Void | Type::Function { .. } | Type::RuntimeArray { .. } | Type::Image(_) | Type::Sampler)
            | None => wrong("type with a null value"),
            Some(_) => Ok(()),
        },
        Op::Undef => has_values(c, inst.ty),
        Op::SpecConstantOp => {
            let inner = Op::from_u32(c.operand(inst, 0));
            let kernel_only = !inner.is_some_and(|op| SPEC_OPS.contains(&op));
            if kernel_only && !c.is_kernel() && !matches!(inner, Some(Op::AccessChain | Op::InBoundsAccessChain)) {
                return Err("this operation is not allowed in a constant".into());
            }
            let mut others = None;
            c.for_each_used_id(inst, |id| {
                if id != inst.ty && !c.m.constants.contains_key(&id) {
                    others = Some(id);
                }
            });
            match others {
                Some(id) => Err(format!("{} is not a constant", c.m.describe(id))),
                None if ty.is_none() => wrong("type"),
                None => super::operands::of_constant(c, inst),
            }
        }
        _ => Ok(()),
    }
}

/// Checks that a number narrower than a word is sign- or zero-extended.
fn narrow(c: &Checker, inst: &Inst, width: u32, signed: bool) -> Result<(), String> {
    let word = c.operand(inst, 0);
    let fits = match width {
        8 if signed => i8::try_from(word as i32).is_ok(),
        16 if signed => i16::try_from(word as i32).is_ok(),
        8 => word <= 0xFF,
        16 => word <= 0xFFFF,
        _ => true,
    };
    if fits { Ok(()) } else { Err(format!("{word:#x} is not extended correctly from {width} bits")) }
}

fn composite(c: &Checker, inst: &Inst) -> Result<(), String> {
    let parts = c.m.operands(inst);
    let expected: Vec<Id> = match c.m.ty(inst.ty) {
        // Compare the counts first, so that a huge count in the module allocates no memory.
        Some(Type::Vector { component: part, count } | Type::Matrix { column: part, columns: count }) => {
            if parts.len() as u64 != u64::from(*count) {
                return Err(format!("{} constituents, expected {count}", parts.len()));
            }
            vec![*part; parts.len()]
        }
        Some(Type::Array { element, length }) => {
            let known = c.m.constants.get(length).filter(|l| !l.spec).and(c.m.constant_u64(*length));
            if known.is_some_and(|n| n != parts.len() as u64) {
                return Err(format!("{} constituents, but the array has another length", parts.len()));
            }
            vec![*element; parts.len()]
        }
        Some(Type::Struct { members }) => members.clone(),
        _ => return Err(format!("{} is not a composite", c.type_name(inst.ty))),
    };
    if expected.len() != parts.len() {
        return Err(format!("{} constituents, expected {}", parts.len(), expected.len()));
    }
    for (&part, ty) in parts.iter().zip(expected) {
        if !c.m.constants.contains_key(&part) {
            return Err(format!("{} is not a constant", c.m.describe(part)));
        }
        if c.m.type_of(part) != ty {
            return Err(format!("{} does not have the type {}", c.m.describe(part), c.type_name(ty)));
        }
    }
    Ok(())
}
