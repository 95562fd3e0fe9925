//! The rule that built-in variables of compute shaders and nodes have the type of the built-in (Vulkan "Built-In
//! Variables").

use super::{Checker, rules};
use crate::types::Type;
use spirv::BuiltIn as B;
use spirv::{Decoration, StorageClass};

/// Built-ins, and their number of components of an unsigned (or, for the AMDX ones, any) 32-bit integer.
const TABLE: &[(B, u32)] = &[
    (B::NumWorkgroups, 3),
    (B::WorkgroupSize, 3),
    (B::WorkgroupId, 3),
    (B::LocalInvocationId, 3),
    (B::GlobalInvocationId, 3),
    (B::LocalInvocationIndex, 1),
    (B::SubgroupSize, 1),
    (B::NumSubgroups, 1),
    (B::SubgroupId, 1),
    (B::SubgroupLocalInvocationId, 1),
    (B::SubgroupEqMask, 4),
    (B::SubgroupGeMask, 4),
    (B::SubgroupGtMask, 4),
    (B::SubgroupLeMask, 4),
    (B::SubgroupLtMask, 4),
    (B::DeviceIndex, 1),
    (B::RemainingRecursionLevelsAMDX, 1),
    (B::ShaderIndexAMDX, 1),
];

pub(super) fn check(c: &mut Checker) {
    for (&id, decorations) in &c.m.decorations {
        for decoration in decorations.iter().filter(|d| d.kind == Decoration::BuiltIn as u32 && d.member.is_none()) {
            let builtin = c.m.decoration_operands(decoration).first().copied().and_then(B::from_u32);
            let Some((builtin, count)) = TABLE.iter().find(|row| Some(row.0) == builtin) else { continue };
            let (ty, input) = match (c.m.globals.get(&id), *builtin) {
                // This is the only built-in that is a constant.
                (None, B::WorkgroupSize) => (c.m.type_of(id), true),
                (None, _) => (0, false),
                (Some(_), B::WorkgroupSize) => (0, false),
                (Some(g), _) => (c.pointer(id).map_or(0, |p| p.1), g.class == StorageClass::Input as u32),
            };
            let fits = matches!(c.shape(ty), Some((Type::Int { width: 32, .. }, n)) if n == *count);
            if !fits || !input {
                let message = format!(
                    "{}: {builtin:?} must be an input of {count} 32-bit integers, not {}",
                    c.m.describe(id),
                    c.type_name(ty)
                );
                c.add(rules::BUILTIN, decoration.inst.word as usize, id, message);
            }
        }
    }
}
