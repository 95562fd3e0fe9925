//! Values of constants: flattening, and the arithmetic of OpSpecConstantOp on numbers, booleans and their vectors.
//!
//! An operation that cannot be evaluated (pointers, kernels' conversions) becomes [`Value::Other`]; nothing fails here.

use crate::constant::Value;
use crate::grammar;
use crate::module::{Id, Inst, Module};
use crate::types::Type;
use spirv::Op;

/// The most scalars of an expanded constant.
const MAX_SCALARS: usize = 1 << 20;
/// The most levels of an expanded constant: malformed modules nest constants in themselves.
const MAX_DEPTH: u32 = 256;

impl Module {
    /// Returns the number of numbers, booleans and pointers in a value of type `ty`. `None`: the type has no fixed
    /// shape, or an unreasonable size.
    pub fn scalar_count(&self, ty: Id) -> Option<usize> {
        self.scalar_counts.get(&ty).copied()
    }

    /// Counts the scalars of a type with declared parts. The loader stores the counts by type, so nested types need no
    /// recursion.
    pub(crate) fn count_scalars(&self, ty: &Type) -> Option<usize> {
        let count = match ty {
            Type::Bool | Type::Int { .. } | Type::Float { .. } | Type::Pointer { .. } => 1,
            Type::Vector { component, count } => self.scalar_count(*component)?.checked_mul(*count as usize)?,
            Type::Matrix { column, columns } => self.scalar_count(*column)?.checked_mul(*columns as usize)?,
            Type::Array { element, length } => {
                let length = usize::try_from(self.constant_u64(*length)?).ok()?;
                self.scalar_count(*element)?.checked_mul(length)?
            }
            Type::Struct { members } => {
                members.iter().try_fold(0usize, |sum, m| sum.checked_add(self.scalar_count(*m)?))?
            }
            _ => return None,
        };
        (count <= MAX_SCALARS).then_some(count)
    }

    /// Returns the scalars of a constant in order, each zero-extended; undefined parts are 0. `None`: it has no
    /// scalars.
    pub fn constant_scalars(&self, id: Id) -> Option<Vec<u64>> {
        let mut out = Vec::new();
        let mut budget = 2 * MAX_SCALARS;
        self.push_scalars(id, &mut out, &mut budget, 0)?;
        Some(out)
    }

    fn push_scalars(&self, id: Id, out: &mut Vec<u64>, budget: &mut usize, depth: u32) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        *budget = budget.checked_sub(1)?;
        let constant = self.constants.get(&id)?;
        match &constant.value {
            Value::Scalar(bits) => out.push(*bits),
            Value::Flat(bits) => out.extend_from_slice(bits),
            Value::Null | Value::Undef => out.extend(std::iter::repeat_n(0, self.scalar_count(constant.ty)?)),
            Value::Composite(parts) => {
                for part in parts {
                    self.push_scalars(*part, out, budget, depth + 1)?;
                }
            }
            Value::String(_) | Value::Other(_) => return None,
        }
        (out.len() <= MAX_SCALARS).then_some(())
    }

    /// Returns the scalar type of a scalar, vector or matrix.
    pub fn scalar_type(&self, ty: Id) -> Option<&Type> {
        let mut ty = self.types.get(&ty)?;
        for _ in 0..2 {
            match ty {
                Type::Vector { component: inner, .. } | Type::Matrix { column: inner, .. } => {
                    ty = self.types.get(inner)?;
                }
                _ => break,
            }
        }
        ty.is_scalar().then_some(ty)
    }
}

fn width_of(ty: &Type) -> u32 {
    match ty {
        Type::Int { width, .. } | Type::Float { width } => *width,
        Type::Bool => 1,
        _ => 64,
    }
}

fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

fn sign_extend(bits: u64, width: u32) -> i64 {
    let shift = 64 - width.clamp(1, 64);
    ((bits << shift) as i64) >> shift
}

/// Truncates `bits` to the width of the scalar type `ty`.
pub(crate) fn truncate(module: &Module, ty: Id, bits: u64) -> u64 {
    module.types.get(&ty).map_or(bits, |ty| bits & mask(width_of(ty)))
}

/// Returns the value of an OpSpecConstantOp.
pub(crate) fn evaluate(module: &Module, inst: &Inst) -> Value {
    let operands = module.operands(inst);
    let raw = Value::Other(inst.opcode);
    let Some((&opcode, args)) = operands.split_first() else { return raw };
    let Some(op) = Op::from_u32(opcode) else { return raw };
    match compute(module, op, inst.ty, args) {
        Some(scalars) if module.types.get(&inst.ty).is_some_and(Type::is_scalar) => {
            scalars.first().map_or(raw, |bits| Value::Scalar(*bits))
        }
        Some(scalars) => Value::Flat(scalars),
        None => raw,
    }
}

fn compute(module: &Module, op: Op, result: Id, args: &[u32]) -> Option<Vec<u64>> {
    let arg = |i: usize| args.get(i).copied();
    let scalars = |i: usize| module.constant_scalars(arg(i)?);
    match op {
        Op::CompositeExtract => {
            let (start, count) = member_range(module, module.type_of(arg(0)?), args.get(1..)?)?;
            scalars(0)?.get(start..start.checked_add(count)?).map(<[u64]>::to_vec)
        }
        Op::CompositeInsert => {
            let mut whole = scalars(1)?;
            let (start, count) = member_range(module, result, args.get(2..)?)?;
            whole.get_mut(start..start.checked_add(count)?)?.copy_from_slice(scalars(0)?.get(..count)?);
            Some(whole)
        }
        Op::VectorShuffle => {
            let mut both = scalars(0)?;
            both.extend(scalars(1)?);
            args.get(2..)?
                .iter()
                .map(|&i| if i == u32::MAX { Some(0) } else { both.get(i as usize).copied() })
                .collect()
        }
        Op::Select => {
            let (condition, yes, no) = (scalars(0)?, scalars(1)?, scalars(2)?);
            let pick = |i: usize| if condition.len() == 1 { condition.first() } else { condition.get(i) };
            (0..yes.len()).map(|i| if *pick(i)? != 0 { yes.get(i) } else { no.get(i) }.copied()).collect()
        }
        _ => {
            let pattern = grammar::pattern(u16::try_from(op as u32).ok()?)?;
            let operand_type = module.scalar_type(module.type_of(arg(0)?))?;
            let result_type = module.scalar_type(result)?;
            let a = scalars(0)?;
            if pattern == "TRi" {
                a.iter().map(|&x| unary(op, x, operand_type, result_type)).collect()
            } else {
                let b = scalars(1)?;
                let shift_width = width_of(operand_type);
                a.iter().zip(b).map(|(&x, y)| binary(op, x, y, shift_width, width_of(result_type))).collect()
            }
        }
    }
}

/// Returns the range of a member's scalars in the flattened composite.
fn member_range(module: &Module, composite: Id, path: &[u32]) -> Option<(usize, usize)> {
    let (mut ty, mut start) = (composite, 0usize);
    for &index in path {
        let inner = match module.types.get(&ty)? {
            Type::Vector { component: e, .. } | Type::Matrix { column: e, .. } | Type::Array { element: e, .. } => {
                start = start.checked_add(module.scalar_count(*e)?.checked_mul(index as usize)?)?;
                *e
            }
            Type::Struct { members } => {
                for member in members.get(..index as usize)? {
                    start = start.checked_add(module.scalar_count(*member)?)?;
                }
                *members.get(index as usize)?
            }
            _ => return None,
        };
        ty = inner;
    }
    Some((start, module.scalar_count(ty)?))
}

fn unary(op: Op, x: u64, from: &Type, to: &Type) -> Option<u64> {
    let (width, out) = (width_of(from), mask(width_of(to)));
    Some(match op {
        Op::SNegate => x.wrapping_neg() & out,
        Op::Not => !x & out,
        Op::LogicalNot => x ^ 1,
        Op::UConvert | Op::Bitcast | Op::CopyObject => x & out,
        Op::SConvert => sign_extend(x, width) as u64 & out,
        Op::FConvert => match (width, width_of(to)) {
            (32, 64) => f64::from(f32::from_bits(x as u32)).to_bits(),
            (64, 32) => u64::from((f64::from_bits(x) as f32).to_bits()),
            (a, b) if a == b => x,
            _ => return None,
        },
        _ => return None,
    })
}

fn binary(op: Op, x: u64, y: u64, width: u32, out: u32) -> Option<u64> {
    let (sx, sy) = (sign_extend(x, width), sign_extend(y, width));
    let value = match op {
        Op::IAdd => x.wrapping_add(y),
        Op::ISub => x.wrapping_sub(y),
        Op::IMul => x.wrapping_mul(y),
        Op::UDiv => x.checked_div(y).unwrap_or(0),
        Op::UMod => x.checked_rem(y).unwrap_or(0),
        Op::SDiv => sx.checked_div(sy).unwrap_or(0) as u64,
        Op::SRem => sx.checked_rem(sy).unwrap_or(0) as u64,
        // The result has the sign of the divisor.
        Op::SMod => match sx.checked_rem(sy).unwrap_or(0) {
            r if r != 0 && (r < 0) != (sy < 0) => r.wrapping_add(sy) as u64,
            r => r as u64,
        },
        Op::ShiftLeftLogical => x.checked_shl(y.min(64) as u32).unwrap_or(0),
        Op::ShiftRightLogical => x.checked_shr(y.min(64) as u32).unwrap_or(0),
        Op::ShiftRightArithmetic => sx.checked_shr(y.min(63) as u32).unwrap_or(0) as u64,
        Op::BitwiseOr | Op::LogicalOr => x | y,
        Op::BitwiseAnd | Op::LogicalAnd => x & y,
        Op::BitwiseXor => x ^ y,
        Op::IEqual | Op::LogicalEqual => u64::from(x == y),
        Op::INotEqual | Op::LogicalNotEqual => u64::from(x != y),
        Op::ULessThan => u64::from(x < y),
        Op::ULessThanEqual => u64::from(x <= y),
        Op::UGreaterThan => u64::from(x > y),
        Op::UGreaterThanEqual => u64::from(x >= y),
        Op::SLessThan => u64::from(sx < sy),
        Op::SLessThanEqual => u64::from(sx <= sy),
        Op::SGreaterThan => u64::from(sx > sy),
        Op::SGreaterThanEqual => u64::from(sx >= sy),
        _ => return None,
    };
    Some(value & mask(out))
}
