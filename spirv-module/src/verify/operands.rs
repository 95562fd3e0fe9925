//! The rule that operands and results have the types that the instruction requires. It covers the rows of the table,
//! and composites, selections and bit casts, which a table cannot express.

use super::operand_table::{Arg, ROWS, Result as Gives};
use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use rustc_hash::FxHashMap;
use spirv::{Op, StorageClass};
use std::sync::LazyLock;

type Outcome = Result<(), String>;

/// Rows of the table by opcode.
static BY_OP: LazyLock<FxHashMap<Op, usize>> =
    LazyLock::new(|| ROWS.iter().enumerate().flat_map(|(i, row)| row.ops.iter().map(move |op| (*op, i))).collect());

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    if let Err(message) = instruction(c, op, inst) {
        c.at(rules::OPERANDS, inst, message);
    }
}

/// Checks the operation inside an OpSpecConstantOp.
pub(super) fn of_constant(c: &Checker, inst: &Inst) -> Outcome {
    let opcode = c.operand(inst, 0);
    let Some(op) = Op::from_u32(opcode) else { return Ok(()) };
    let operands = inst.operands.start + 1..inst.operands.end;
    let outcome = instruction(c, op, &Inst { opcode: opcode as u16, operands, ..inst.clone() });
    outcome.map_err(|message| format!("its operation {op:?}: {message}"))
}

fn instruction(c: &Checker, op: Op, inst: &Inst) -> Outcome {
    let row = BY_OP.get(&op).and_then(|i| ROWS.get(*i));
    match (row, op) {
        (Some(row), _) => gives(c, inst.ty, row.result).and_then(|()| {
            let given = c.m.operands(inst);
            row.args.iter().zip(given).try_for_each(|(arg, id)| takes(c, inst, *arg, *id))
        }),
        (None, Op::Select) => select(c, inst),
        (None, Op::Bitcast) => bitcast(c, inst),
        (None, Op::CompositeConstruct) => construct(c, inst),
        (None, Op::CompositeExtract) => {
            let words = c.m.operands(inst);
            if words.len() < 2 {
                return Err("it has no index".into());
            }
            let from = words.first().map_or(0, |id| c.m.type_of(*id));
            part(c, from, words.get(1..).unwrap_or(&[])).and_then(|ty| same(c, "the part", ty, inst.ty))
        }
        (None, Op::CompositeInsert) => insert(c, inst),
        (None, Op::VectorExtractDynamic) => match c.value_type(inst, 0) {
            Some(Type::Vector { component, .. }) => {
                same(c, "the component", *component, inst.ty).and(integer(c, c.operand(inst, 1)))
            }
            _ => Err("the operand must be a vector".into()),
        },
        (None, Op::VectorInsertDynamic) => match c.m.ty(inst.ty) {
            Some(Type::Vector { component, .. }) => same(c, "the vector", c.m.type_of(c.operand(inst, 0)), inst.ty)
                .and(same(c, "the component", c.m.type_of(c.operand(inst, 1)), *component))
                .and(integer(c, c.operand(inst, 2))),
            _ => Err("the result must be a vector".into()),
        },
        (None, Op::VectorShuffle) => shuffle(c, inst),
        (None, Op::Undef) => super::constants::has_values(c, inst.ty),
        (None, Op::CopyObject) => same(c, "the copy", c.m.type_of(c.operand(inst, 0)), inst.ty),
        (None, Op::CopyLogical) => logical_copy(c, inst),
        (None, Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended) => extended(c, inst),
        (None, Op::ExpectKHR) => match c.shape(inst.ty) {
            Some((Type::Int { .. } | Type::Bool, _)) => {
                [0, 1].into_iter().try_for_each(|at| same(c, "an operand", c.m.type_of(c.operand(inst, at)), inst.ty))
            }
            _ => Err(format!("the result cannot be {}", c.type_name(inst.ty))),
        },
        (None, Op::AssumeTrueKHR) => match c.shape(c.m.type_of(c.operand(inst, 0))) {
            Some((Type::Bool, 1)) => Ok(()),
            _ => Err("the operand must be a bool".into()),
        },
        (None, Op::ReadClockKHR) => match c.shape(inst.ty) {
            Some((Type::Int { width: 64, signed: false }, 1) | (Type::Int { width: 32, signed: false }, 2)) => Ok(()),
            _ => Err(format!("the result cannot be {}", c.type_name(inst.ty))),
        },
        (None, Op::ConvertUToPtr) => match (c.m.ty(inst.ty), c.value_type(inst, 0)) {
            (Some(Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. }), Some(Type::Int { .. })) => Ok(()),
            _ => Err("it converts an integer to a physical pointer".into()),
        },
        (None, Op::ConvertPtrToU) => match (c.m.ty(inst.ty), c.pointer(c.operand(inst, 0))) {
            (Some(Type::Int { .. }), Some((StorageClass::PhysicalStorageBuffer, _))) => Ok(()),
            _ => Err("it converts a physical pointer to an integer".into()),
        },
        _ => Ok(()),
    }
}

fn same(c: &Checker, what: &str, given: Id, wanted: Id) -> Outcome {
    if given == wanted && given != 0 {
        return Ok(());
    }
    Err(format!("{what} is {}, expected {}", c.type_name(given), c.type_name(wanted)))
}

fn integer(c: &Checker, id: Id) -> Outcome {
    match c.m.ty(c.m.type_of(id)) {
        Some(Type::Int { .. }) => Ok(()),
        _ => Err(format!("{} is not an integer", c.m.describe(id))),
    }
}

fn is_ballot(c: &Checker, ty: Id) -> bool {
    matches!(c.shape(ty), Some((Type::Int { width: 32, signed: false }, 4)))
}

fn gives(c: &Checker, ty: Id, wanted: Gives) -> Outcome {
    let shape = c.shape(ty);
    let fits = match wanted {
        Gives::Int => matches!(shape, Some((Type::Int { .. }, _))),
        Gives::Int32 => matches!(shape, Some((Type::Int { width, .. }, _)) if *width == 32 || c.is_kernel()),
        Gives::Unsigned => matches!(shape, Some((Type::Int { signed: false, .. }, _))),
        Gives::Float => matches!(shape, Some((Type::Float { .. }, _))),
        Gives::Float32 => matches!(shape, Some((Type::Float { width: 32 }, _))),
        Gives::Bool => matches!(shape, Some((Type::Bool, _))),
        Gives::OneBool => matches!(shape, Some((Type::Bool, 1))),
        Gives::OneInt => matches!(shape, Some((Type::Int { .. }, 1))),
        Gives::OneFloat => matches!(shape, Some((Type::Float { .. }, 1))),
        Gives::FloatVector => matches!(shape, Some((Type::Float { .. }, 2..))),
        Gives::Any => shape.is_some(),
        Gives::Ballot => is_ballot(c, ty),
        Gives::Matrix => matches!(c.m.ty(ty), Some(Type::Matrix { .. })),
    };
    if fits { Ok(()) } else { Err(format!("the result cannot be {}", c.type_name(ty))) }
}

fn takes(c: &Checker, inst: &Inst, arg: Arg, id: Id) -> Outcome {
    let ty = c.m.type_of(id);
    let (shape, result) = (c.shape(ty), c.shape(inst.ty));
    let count = result.map_or(0, |r| r.1);
    let first = c.m.type_of(c.operand(inst, 0));
    let fits = match arg {
        Arg::Skip => true,
        Arg::Any => shape.is_some(),
        Arg::Same => ty == inst.ty,
        Arg::Like => {
            matches!((shape, result), (Some((Type::Int { width: a, .. }, n)), Some((Type::Int { width: b, .. }, m)))
            if a == b && n == m)
        }
        Arg::Ints => matches!(shape, Some((Type::Int { .. }, n)) if n == count),
        Arg::Ints32 => {
            matches!(shape, Some((Type::Int { width, .. }, n)) if n == count && (*width == 32 || c.is_kernel()))
        }
        Arg::Floats => matches!(shape, Some((Type::Float { .. }, n)) if n == count),
        Arg::OtherFloats => {
            matches!((shape, result), (Some((Type::Float { width: a }, n)), Some((Type::Float { width: b }, m)))
            if a != b && n == m)
        }
        Arg::OtherInts => {
            matches!((shape, result), (Some((Type::Int { width: a, .. }, n)), Some((Type::Int { width: b, .. }, m)))
            if a != b && n == m)
        }
        Arg::AsFirst => match (shape, c.shape(first)) {
            (Some((Type::Int { width: a, .. }, n)), Some((Type::Int { width: b, .. }, m))) => a == b && n == m,
            _ => ty == first && ty != 0,
        },
        Arg::OneBool => matches!(shape, Some((Type::Bool, 1))),
        Arg::BoolVector => matches!(shape, Some((Type::Bool, 2..))),
        Arg::OneInt => matches!(shape, Some((Type::Int { .. }, 1))),
        Arg::OneUnsigned => matches!(shape, Some((Type::Int { signed: false, .. }, 1))),
        Arg::VectorOfResult => matches!(c.m.ty(ty), Some(Type::Vector { component, .. }) if *component == inst.ty),
        Arg::Component => matches!(c.m.ty(inst.ty), Some(Type::Vector { component, .. }) if *component == ty),
        Arg::Ballot => is_ballot(c, ty),
        Arg::Matrix => matches!(c.m.ty(ty), Some(Type::Matrix { .. })),
    };
    if fits {
        return Ok(());
    }
    Err(format!("{} is {}, which cannot give {}", c.m.describe(id), c.type_name(ty), c.type_name(inst.ty)))
}

fn select(c: &Checker, inst: &Inst) -> Outcome {
    for at in [1, 2] {
        same(c, "an object", c.m.type_of(c.operand(inst, at)), inst.ty)?;
    }
    let count = match c.m.ty(inst.ty) {
        Some(Type::Vector { count, .. }) => *count,
        Some(ty) if ty.is_scalar() || c.m.version.1 >= 4 => 1,
        Some(Type::Pointer { .. }) => 1,
        _ => return Err(format!("the result cannot be {}", c.type_name(inst.ty))),
    };
    match c.shape(c.m.type_of(c.operand(inst, 0))) {
        Some((Type::Bool, n)) if n == count || n == 1 && c.m.version.1 >= 4 => Ok(()),
        _ => Err("the condition is not a bool, or has another width".into()),
    }
}

/// Returns the bits of a scalar, a vector or a physical pointer.
fn bits(c: &Checker, ty: Id) -> Option<u64> {
    match c.m.ty(ty) {
        Some(Type::Pointer { class: StorageClass::PhysicalStorageBuffer, .. }) => Some(64),
        _ => match c.shape(ty)? {
            (Type::Int { width, .. } | Type::Float { width }, n) => Some(u64::from(*width) * u64::from(n)),
            _ => None,
        },
    }
}

fn bitcast(c: &Checker, inst: &Inst) -> Outcome {
    let from = c.m.type_of(c.operand(inst, 0));
    let logical = matches!((c.m.ty(from), c.m.ty(inst.ty)), (Some(Type::Pointer { class: a, .. }), Some(Type::Pointer { class: b, .. }))
        if a == b && *a != StorageClass::PhysicalStorageBuffer && c.is_kernel());
    match (bits(c, from), bits(c, inst.ty)) {
        (Some(a), Some(b)) if a == b => Ok(()),
        _ if logical => Ok(()),
        _ => Err(format!("cannot convert {} to {}", c.type_name(from), c.type_name(inst.ty))),
    }
}

fn construct(c: &Checker, inst: &Inst) -> Outcome {
    let parts = c.m.operands(inst);
    let expected: Vec<Id> = match c.m.ty(inst.ty) {
        Some(Type::Vector { component, count }) => {
            let mut total = 0u32;
            for &id in parts {
                let ty = c.m.type_of(id);
                total = total.saturating_add(match c.m.ty(ty) {
                    Some(Type::Vector { component: part, count }) if part == component => *count,
                    _ if ty == *component => 1,
                    _ => return Err(format!("{} is not a {}", c.m.describe(id), c.type_name(*component))),
                });
            }
            if total != *count || parts.len() < 2 {
                return Err(format!("{total} components, expected {count}"));
            }
            return Ok(());
        }
        Some(Type::Matrix { column, columns }) => {
            if parts.len() as u64 != u64::from(*columns) {
                return Err(format!("{} columns, expected {columns}", parts.len()));
            }
            vec![*column; parts.len()]
        }
        Some(Type::Array { element, length }) => {
            let known = c.m.constants.get(length).filter(|l| !l.spec).and(c.m.constant_u64(*length));
            if known.is_some_and(|n| n != parts.len() as u64) {
                return Err(format!("{} elements, but the array has another length", parts.len()));
            }
            vec![*element; parts.len()]
        }
        Some(Type::Struct { members }) => members.clone(),
        _ => return Err(format!("the result cannot be {}", c.type_name(inst.ty))),
    };
    if expected.len() != parts.len() {
        return Err(format!("{} members, expected {}", parts.len(), expected.len()));
    }
    parts.iter().zip(expected).try_for_each(|(&id, ty)| same(c, "a part", c.m.type_of(id), ty))
}

/// Returns the type that literal indexes lead to.
fn part(c: &Checker, mut ty: Id, indexes: &[u32]) -> Result<Id, String> {
    for &index in indexes {
        let (next, count) = match c.m.ty(ty) {
            Some(Type::Vector { component, count }) => (*component, u64::from(*count)),
            Some(Type::Matrix { column, columns }) => (*column, u64::from(*columns)),
            Some(Type::Array { element, length }) => {
                let known = c.m.constants.get(length).filter(|l| !l.spec).and(c.m.constant_u64(*length));
                (*element, known.unwrap_or(u64::MAX))
            }
            Some(Type::Struct { members }) => (members.get(index as usize).copied().unwrap_or(0), members.len() as u64),
            _ => return Err(format!("{} has no members", c.type_name(ty))),
        };
        if u64::from(index) >= count {
            return Err(format!("index {index} of a composite with {count} members"));
        }
        ty = next;
    }
    Ok(ty)
}

fn insert(c: &Checker, inst: &Inst) -> Outcome {
    let words = c.m.operands(inst);
    let &[object, composite, ref indexes @ ..] = words else { return Ok(()) };
    same(c, "the composite", c.m.type_of(composite), inst.ty)?;
    let ty = part(c, inst.ty, indexes)?;
    same(c, "the part", c.m.type_of(object), ty)
}

fn shuffle(c: &Checker, inst: &Inst) -> Outcome {
    let words = c.m.operands(inst);
    let &[a, b, ref picks @ ..] = words else { return Ok(()) };
    let vector = |ty: Id| match c.m.ty(ty) {
        Some(Type::Vector { component, count }) => Some((*component, *count)),
        _ => None,
    };
    match (vector(inst.ty), vector(c.m.type_of(a)), vector(c.m.type_of(b))) {
        (Some((r, n)), Some((x, p)), Some((y, q))) if r == x && r == y => {
            let bad = picks.iter().find(|&&pick| pick != u32::MAX && pick >= p.saturating_add(q));
            match bad {
                Some(pick) => Err(format!("selects component {pick} of {}", p.saturating_add(q))),
                None if picks.len() != n as usize => Err(format!("selects {} components for {n}", picks.len())),
                None => Ok(()),
            }
        }
        _ => Err("operands and result must be vectors of one component type".into()),
    }
}

/// Checks a copy between two types that match except for decorations.
fn logical_copy(c: &Checker, inst: &Inst) -> Outcome {
    let from = c.m.type_of(c.operand(inst, 0));
    let mut work = vec![(from, inst.ty)];
    let mut seen = rustc_hash::FxHashSet::default();
    if from == inst.ty {
        return Err("source and target must have the same type".into());
    }
    while let Some((a, b)) = work.pop() {
        if a == b || !seen.insert((a, b)) {
            continue;
        }
        match (c.m.ty(a), c.m.ty(b)) {
            (Some(Type::Array { element: x, length: n }), Some(Type::Array { element: y, length: m }))
                if n == m || c.m.constant_u64(*n) == c.m.constant_u64(*m) =>
            {
                work.push((*x, *y));
            }
            (Some(Type::Struct { members: x }), Some(Type::Struct { members: y })) if x.len() == y.len() => {
                work.extend(x.iter().copied().zip(y.iter().copied()));
            }
            _ => return Err(format!("{} does not match {}", c.type_name(a), c.type_name(b))),
        }
    }
    Ok(())
}

/// Checks that the result is a structure of two integers like the operands.
fn extended(c: &Checker, inst: &Inst) -> Outcome {
    let Some(Type::Struct { members }) = c.m.ty(inst.ty) else { return Err("the result must be a structure".into()) };
    let &[low, high] = members.as_slice() else { return Err("the result must have two members".into()) };
    let integers = matches!(c.shape(low), Some((Type::Int { .. }, _)));
    if low != high || !integers {
        return Err("the members of the result must be integers of one type".into());
    }
    for at in [0, 1] {
        same(c, "an operand", c.m.type_of(c.operand(inst, at)), low)?;
    }
    Ok(())
}
