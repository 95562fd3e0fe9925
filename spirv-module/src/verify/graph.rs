//! Types of the instructions of SPV_AMDX_shader_enqueue. Only what a consumer must rely on to read the module: the
//! extension's own rules are another table.

use super::{Checker, rules};
use crate::module::Inst;
use crate::types::Type;
use spirv::{Op, StorageClass};

pub(super) fn check(c: &mut Checker, op: Op, inst: &Inst) {
    let result = match op {
        Op::AllocateNodePayloadsAMDX => allocate(c, inst),
        Op::EnqueueNodePayloadsAMDX => payload(c, inst),
        Op::FinishWritingNodePayloadAMDX => payload(c, inst).and(is(c, inst, "bool", |t| matches!(t, Type::Bool))),
        Op::NodePayloadArrayLengthAMDX => {
            payload(c, inst).and(is(c, inst, "32-bit integer", |t| matches!(t, Type::Int { width: 32, .. })))
        }
        Op::IsNodePayloadValidAMDX => valid(c, inst),
        _ => return,
    };
    if let Err(message) = result {
        c.at(rules::OPERANDS, inst, message);
    }
}

fn is(c: &Checker, inst: &Inst, what: &str, fits: impl Fn(&Type) -> bool) -> Result<(), String> {
    if c.m.ty(inst.ty).is_some_and(fits) { Ok(()) } else { Err(format!("gives {}, not {what}", c.type_name(inst.ty))) }
}

fn allocate(c: &Checker, inst: &Inst) -> Result<(), String> {
    match c.m.ty(inst.ty) {
        Some(Type::Pointer { class: StorageClass::NodePayloadAMDX, pointee })
            if matches!(c.m.ty(*pointee), Some(Type::NodePayloadArray { .. })) => {}
        _ => return Err("gives no pointer to a payload array".into()),
    }
    for at in [0, 1, 2] {
        let id = c.operand(inst, at);
        if !matches!(c.m.ty(c.m.type_of(id)), Some(Type::Int { width: 32, .. })) {
            return Err(format!("{} is no 32-bit integer", c.m.describe(id)));
        }
    }
    Ok(())
}

/// The first operand points to a payload array.
fn payload(c: &Checker, inst: &Inst) -> Result<(), String> {
    let id = c.operand(inst, 0);
    match c.pointer(id) {
        // Which memory it may lie in is a rule of the extension.
        Some((_, ty)) if matches!(c.m.ty(ty), Some(Type::NodePayloadArray { .. })) => Ok(()),
        _ => Err(format!("{} is no pointer to a payload array", c.m.describe(id))),
    }
}

/// The first operand is the payload array's type; some front ends give a pointer or value of it.
fn valid(c: &Checker, inst: &Inst) -> Result<(), String> {
    is(c, inst, "bool", |t| matches!(t, Type::Bool))?;
    let id = c.operand(inst, 0);
    let ty = if c.m.ty(id).is_some() { id } else { c.pointer(id).map_or(c.m.type_of(id), |p| p.1) };
    if !matches!(c.m.ty(ty), Some(Type::NodePayloadArray { .. })) {
        return Err(format!("{} is no payload array type", c.m.describe(id)));
    }
    match c.value_type(inst, 1) {
        Some(Type::Int { width: 32, .. }) => Ok(()),
        _ => Err("the index is no 32-bit integer".into()),
    }
}
