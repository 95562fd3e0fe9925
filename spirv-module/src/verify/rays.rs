//! Rules about ray queries (SPV_KHR_ray_query): types of operands and results, and storage classes of the objects.

use super::{Checker, rules};
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::{Op, StorageClass};

/// A type of an operand or result.
#[derive(Clone, Copy)]
enum RayValueType {
    Bool,
    /// An integer of 32 bits.
    Word,
    Float,
    /// A vector of this many floats.
    Floats(u32),
    /// Four columns of three floats.
    Transform,
}

/// The operands of an instruction after the query.
#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    Query,
    /// A constant that selects the candidate or the committed hit.
    Hit,
}

/// The results of query instructions, and their operands.
const QUESTIONS: &[(Op, RayValueType, About)] = &[
    (Op::RayQueryProceedKHR, RayValueType::Bool, About::Query),
    (Op::RayQueryGetRayTMinKHR, RayValueType::Float, About::Query),
    (Op::RayQueryGetRayFlagsKHR, RayValueType::Word, About::Query),
    (Op::RayQueryGetWorldRayDirectionKHR, RayValueType::Floats(3), About::Query),
    (Op::RayQueryGetWorldRayOriginKHR, RayValueType::Floats(3), About::Query),
    (Op::RayQueryGetIntersectionCandidateAABBOpaqueKHR, RayValueType::Bool, About::Query),
    (Op::RayQueryGetIntersectionTypeKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionTKHR, RayValueType::Float, About::Hit),
    (Op::RayQueryGetIntersectionInstanceCustomIndexKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionInstanceIdKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionGeometryIndexKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionPrimitiveIndexKHR, RayValueType::Word, About::Hit),
    (Op::RayQueryGetIntersectionBarycentricsKHR, RayValueType::Floats(2), About::Hit),
    (Op::RayQueryGetIntersectionFrontFaceKHR, RayValueType::Bool, About::Hit),
    (Op::RayQueryGetIntersectionObjectRayDirectionKHR, RayValueType::Floats(3), About::Hit),
    (Op::RayQueryGetIntersectionObjectRayOriginKHR, RayValueType::Floats(3), About::Hit),
    (Op::RayQueryGetIntersectionObjectToWorldKHR, RayValueType::Transform, About::Hit),
    (Op::RayQueryGetIntersectionWorldToObjectKHR, RayValueType::Transform, About::Hit),
];

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    let result = match op {
        Op::RayQueryInitializeKHR => initialize(c, inst),
        Op::RayQueryTerminateKHR | Op::RayQueryConfirmIntersectionKHR => query(c, inst),
        Op::RayQueryGenerateIntersectionKHR => query(c, inst).and(takes(c, inst, 1, RayValueType::Float)),
        Op::ConvertUToAccelerationStructureKHR => acceleration_structure(c, inst),
        Op::Load => no_query(c, inst.ty),
        Op::Store => no_query(c, c.m.type_of(c.operand(inst, 1))),
        _ => match QUESTIONS.iter().find(|row| row.0 == op) {
            Some((_, kind, about)) => query(c, inst).and(gives(c, inst.ty, *kind)).and(hit(c, inst, *about)),
            None => return,
        },
    };
    if let Err(message) = result {
        c.at(rules::RAYS, inst, message);
    }
}

/// Returns whether a type is the opaque one that this instruction declares.
pub(super) fn is_opaque(c: &Checker, ty: Id, op: Op) -> bool {
    matches!(c.m.ty(ty), Some(Type::Other { opcode }) if *opcode == op as u16)
}

/// Checks the conversion of an address.
fn acceleration_structure(c: &Checker, inst: &Inst) -> Result<(), String> {
    if !is_opaque(c, inst.ty, Op::TypeAccelerationStructureKHR) {
        return Err(format!("the result cannot be {}", c.type_name(inst.ty)));
    }
    match c.shape(c.m.type_of(c.operand(inst, 0))) {
        Some((Type::Int { width: 64, signed: false }, 1) | (Type::Int { width: 32, signed: false }, 2)) => Ok(()),
        _ => Err("the operand must be an address: 64 unsigned bits, or two unsigned words".into()),
    }
}

/// Checks the storage class of a variable that is a ray query, or an array of them.
pub(super) fn variable(c: &Checker, class: StorageClass, mut pointee: Id) -> Result<(), String> {
    while let Some(Type::Array { element, .. }) = c.m.ty(pointee) {
        pointee = *element;
    }
    let fits = matches!(class, StorageClass::Function | StorageClass::Private);
    match is_opaque(c, pointee, Op::TypeRayQueryKHR) && !fits {
        true => Err(format!("a ray query cannot be in {class:?}")),
        false => Ok(()),
    }
}

fn no_query(c: &Checker, ty: Id) -> Result<(), String> {
    match is_opaque(c, ty, Op::TypeRayQueryKHR) {
        true => Err("a ray query cannot be loaded or stored".into()),
        false => Ok(()),
    }
}

/// Checks that the first operand points to a ray query.
fn query(c: &Checker, inst: &Inst) -> Result<(), String> {
    match c.pointer(c.operand(inst, 0)) {
        Some((_, pointee)) if is_opaque(c, pointee, Op::TypeRayQueryKHR) => Ok(()),
        _ => Err("the operand must be a pointer to a ray query".into()),
    }
}

fn initialize(c: &Checker, inst: &Inst) -> Result<(), String> {
    query(c, inst)?;
    if !is_opaque(c, c.m.type_of(c.operand(inst, 1)), Op::TypeAccelerationStructureKHR) {
        return Err("the operand must be an acceleration structure".into());
    }
    let operands = [
        RayValueType::Word,
        RayValueType::Word,
        RayValueType::Floats(3),
        RayValueType::Float,
        RayValueType::Floats(3),
        RayValueType::Float,
    ];
    operands.iter().zip(2..).try_for_each(|(kind, index)| takes(c, inst, index, *kind))
}

fn hit(c: &Checker, inst: &Inst, about: About) -> Result<(), String> {
    match (about, c.m.constant_u32(c.operand(inst, 1))) {
        (About::Query, _) | (About::Hit, Some(0 | 1)) => Ok(()),
        (About::Hit, _) => Err("the operand must be the constant 0 (candidate) or 1 (committed)".into()),
    }
}

fn takes(c: &Checker, inst: &Inst, index: usize, kind: RayValueType) -> Result<(), String> {
    let ty = c.m.type_of(c.operand(inst, index));
    match is(c, ty, kind) {
        true => Ok(()),
        false => Err(format!("operand {index} is {}", c.type_name(ty))),
    }
}

fn gives(c: &Checker, ty: Id, kind: RayValueType) -> Result<(), String> {
    match is(c, ty, kind) {
        true => Ok(()),
        false => Err(format!("the result cannot be {}", c.type_name(ty))),
    }
}

fn is(c: &Checker, ty: Id, kind: RayValueType) -> bool {
    let shape = c.shape(ty);
    match kind {
        RayValueType::Bool => matches!(shape, Some((Type::Bool, 1))),
        RayValueType::Word => matches!(shape, Some((Type::Int { width: 32, .. }, 1))),
        RayValueType::Float => matches!(shape, Some((Type::Float { width: 32 }, 1))),
        RayValueType::Floats(n) => matches!(shape, Some((Type::Float { width: 32 }, m)) if m == n),
        RayValueType::Transform => {
            matches!(c.m.ty(ty), Some(Type::Matrix { column, columns: 4 }) if is(c, *column, RayValueType::Floats(3)))
        }
    }
}
