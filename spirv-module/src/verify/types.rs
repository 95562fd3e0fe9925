//! Rules about type declarations (SPIR-V 2.8 and 3.49.6).

use super::{Checker, rules};
use crate::module::{Def, Id, Inst};
use crate::types::Type;
use rustc_hash::FxHashSet;
use spirv::{Capability, Op, StorageClass};

pub(super) fn check(c: &mut Checker) {
    let mut unique: FxHashSet<(u16, Vec<u32>)> = FxHashSet::default();
    for inst in &c.m.declarations {
        let Some(ty) = c.m.ty(inst.result).filter(|_| inst.op().is_some_and(Op::is_type)) else { continue };
        if let Err(message) = declaration(c, inst, ty) {
            c.at(rules::TYPE, inst, message);
        }
        // Aggregates may differ by decoration, and pointers by their pointee.
        let may_repeat = matches!(
            ty,
            Type::Array { .. }
                | Type::RuntimeArray { .. }
                | Type::Struct { .. }
                | Type::Pointer { .. }
                | Type::NodePayloadArray { .. }
        );
        if !may_repeat && !unique.insert((inst.opcode, c.m.operands(inst).to_vec())) {
            c.at(rules::TYPE_UNIQUE, inst, "the same type is already declared");
        }
    }
}

fn declaration(c: &Checker, inst: &Inst, ty: &Type) -> Result<(), String> {
    match ty {
        Type::Vector { component, count } => {
            let long = c.m.has_capability(Capability::Vector16) && matches!(count, 8 | 16);
            match c.m.ty(*component) {
                Some(t) if t.is_scalar() && (matches!(count, 2..=4) || long) => Ok(()),
                Some(t) if t.is_scalar() => Err(format!("a vector of {count} components")),
                _ => Err(format!("{} is not a scalar type", c.m.describe(*component))),
            }
        }
        Type::Matrix { column, columns } => match c.m.ty(*column) {
            Some(Type::Vector { component, .. }) if matches!(c.m.ty(*component), Some(Type::Float { .. })) => {
                if matches!(columns, 2..=4) { Ok(()) } else { Err(format!("a matrix of {columns} columns")) }
            }
            _ => Err(format!("{} is not a vector of floats", c.m.describe(*column))),
        },
        Type::Array { element, length } => {
            element_of(c, *element)?;
            let is_integer = matches!(c.m.ty(c.m.type_of(*length)), Some(Type::Int { .. }));
            match c.m.constants.get(length) {
                Some(constant) if is_integer => match c.m.constant_u64(*length) {
                    Some(0) => Err("an array without elements".into()),
                    None if !constant.spec => Err(format!("{} is not a length", c.m.describe(*length))),
                    _ => Ok(()),
                },
                _ => Err(format!("{} is not a constant integer", c.m.describe(*length))),
            }
        }
        Type::RuntimeArray { element } => element_of(c, *element),
        Type::Struct { members } => {
            for (i, &member) in members.iter().enumerate() {
                data(c, member)?;
                let unsized_member = matches!(c.m.ty(member), Some(Type::RuntimeArray { .. }));
                if unsized_member && i + 1 != members.len() {
                    return Err(format!("member {i} is a runtime array, but not the last member"));
                }
            }
            Ok(())
        }
        Type::Pointer { pointee, .. } => is_type(c, *pointee),
        Type::Function { result, parameters } => {
            is_type(c, *result)?;
            parameters.iter().try_for_each(|&p| match c.m.ty(p) {
                Some(Type::Void | Type::Function { .. }) | None => {
                    Err(format!("{} cannot be the type of a parameter", c.m.describe(p)))
                }
                _ => Ok(()),
            })
        }
        Type::Image(image) => {
            let fits = match c.m.ty(image.sampled_type) {
                Some(Type::Int { .. } | Type::Float { .. }) => true,
                Some(Type::Void) => c.is_kernel(),
                _ => false,
            };
            let sampled = c.operand(inst, 5);
            if !fits {
                Err(format!("{} cannot be the type of texels", c.m.describe(image.sampled_type)))
            } else if sampled > 2 || c.operand(inst, 2) > 2 || c.operand(inst, 3) > 1 || c.operand(inst, 4) > 1 {
                Err("depth, arrayed, multisampled or sampled is out of range".into())
            } else {
                Ok(())
            }
        }
        Type::SampledImage { image } => match c.m.ty(*image) {
            Some(Type::Image(_)) => Ok(()),
            _ => Err(format!("{} is not an image type", c.m.describe(*image))),
        },
        Type::NodePayloadArray { payload } => match has_bytes(c, *payload) {
            true => Ok(()),
            false => Err(format!("{} cannot be the type of a payload", c.m.describe(*payload))),
        },
        Type::Int { .. } if c.operand(inst, 1) > 1 => Err("signedness is 0 or 1".into()),
        // A composite type of something that is not a type before it.
        Type::Other { .. } => parts(c, inst).iter().try_for_each(|&part| match c.m.def(part) {
            Def::Type => Ok(()),
            _ => Err(format!("{} is not a type", c.m.describe(part))),
        }),
        _ => Ok(()),
    }
}

/// Returns the ids of the component, element or member types of a type.
fn parts<'m>(c: &Checker<'m>, inst: &Inst) -> &'m [Id] {
    let words = c.m.operands(inst);
    match inst.op() {
        Some(Op::TypeVector | Op::TypeMatrix | Op::TypeArray | Op::TypeRuntimeArray) => words.get(..1).unwrap_or(&[]),
        Some(Op::TypeStruct) => words,
        _ => &[],
    }
}

fn is_type(c: &Checker, id: Id) -> Result<(), String> {
    match c.m.ty(id) {
        Some(_) => Ok(()),
        None => Err(format!("{} is not a type", c.m.describe(id))),
    }
}

/// Checks an element of an array. In nested arrays, only the outermost may have no length
/// (VUID-StandaloneSpirv-OpTypeRuntimeArray-04680).
fn element_of(c: &Checker, id: Id) -> Result<(), String> {
    match c.m.ty(id) {
        Some(Type::RuntimeArray { .. }) if !c.is_kernel() => Err("an array of runtime arrays".into()),
        _ => data(c, id),
    }
}

/// Returns whether values of a type are bytes at known offsets: numbers, and types with a layout by decorations of
/// members or arrays. A matrix has a stride only as a member.
fn has_bytes(c: &Checker, id: Id) -> bool {
    match c.m.ty(id) {
        Some(Type::Vector { component, .. }) => !matches!(c.m.ty(*component), Some(Type::Bool)),
        Some(Type::Pointer { class, .. }) => *class == StorageClass::PhysicalStorageBuffer,
        Some(
            Type::Int { .. }
            | Type::Float { .. }
            | Type::Array { .. }
            | Type::RuntimeArray { .. }
            | Type::Struct { .. },
        ) => true,
        _ => false,
    }
}

/// Checks that a type may be part of an aggregate.
fn data(c: &Checker, id: Id) -> Result<(), String> {
    match c.m.ty(id) {
        Some(Type::Void | Type::Function { .. }) | None => {
            Err(format!("{} cannot be the type of a part", c.m.describe(id)))
        }
        Some(_) => Ok(()),
    }
}
