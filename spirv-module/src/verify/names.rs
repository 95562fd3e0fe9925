//! Rules about enumerations and names: values exist, masks have known bits, and member names refer to members.

use super::{Checker, rules};
use crate::grammar::{EnumKind as K, Operand};
use crate::types::Type;
use spirv::Op;

pub(super) fn check(c: &mut Checker) {
    for inst in c.insts {
        for operand in c.decoded(inst) {
            if let Operand::Enum(kind, value) = *operand
                && !exists(kind, value)
            {
                c.at(rules::ENUM, inst, format!("{kind:?} has no value {value:#x}"));
            }
        }
        if inst.op() == Some(Op::MemberName) {
            let (ty, member) = (c.operand(inst, 0), c.operand(inst, 1));
            let fits = matches!(c.m.ty(ty), Some(Type::Struct { members }) if (member as usize) < members.len());
            if !fits {
                let message = format!("{} has no member {member}", c.m.describe(ty));
                c.at(rules::NAME, inst, message);
            }
        }
    }
}

fn exists(kind: K, value: u32) -> bool {
    match kind {
        K::SourceLanguage => spirv::SourceLanguage::from_u32(value).is_some(),
        K::ExecutionModel => spirv::ExecutionModel::from_u32(value).is_some(),
        K::AddressingModel => spirv::AddressingModel::from_u32(value).is_some(),
        K::MemoryModel => spirv::MemoryModel::from_u32(value).is_some(),
        K::ExecutionMode => spirv::ExecutionMode::from_u32(value).is_some(),
        K::StorageClass => spirv::StorageClass::from_u32(value).is_some(),
        K::Dim => spirv::Dim::from_u32(value).is_some(),
        K::ImageFormat => spirv::ImageFormat::from_u32(value).is_some(),
        K::AccessQualifier => spirv::AccessQualifier::from_u32(value).is_some(),
        K::Decoration => spirv::Decoration::from_u32(value).is_some(),
        K::BuiltIn => spirv::BuiltIn::from_u32(value).is_some(),
        K::Capability => spirv::Capability::from_u32(value).is_some(),
        K::GroupOperation => spirv::GroupOperation::from_u32(value).is_some(),
        K::PackedVectorFormat => spirv::PackedVectorFormat::from_u32(value).is_some(),
        K::FpEncoding => spirv::FPEncoding::from_u32(value).is_some(),
        K::FunctionControl => spirv::FunctionControl::from_bits(value).is_some(),
        K::SelectionControl => spirv::SelectionControl::from_bits(value).is_some(),
        K::LoopControl => spirv::LoopControl::from_bits(value).is_some(),
        K::MemoryAccess => spirv::MemoryAccess::from_bits(value).is_some(),
        K::ImageOperands => spirv::ImageOperands::from_bits(value).is_some(),
    }
}
