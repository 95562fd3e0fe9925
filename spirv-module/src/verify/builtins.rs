//! Rules about built-in variables (Vulkan "Built-In Variables"): those of compute shaders and nodes have the type of the
//! built-in, and a stage uses only those that it has.

use super::decorations::innermost;
use super::{Checker, rules};
use crate::module::{EntryPoint, Id};
use crate::types::Type;
use spirv::BuiltIn as B;
use spirv::{Decoration, ExecutionModel as M, StorageClass};

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

/// Built-ins that only some stages have, and the models of these.
#[rustfmt::skip]
const OF_MODELS: &[(&[B], &[M])] = &[
    (&[B::BaseInstance, B::BaseVertex, B::InstanceIndex, B::VertexIndex], &[M::Vertex]),
    (&[B::DrawIndex], &[M::Vertex, M::TaskNV, M::MeshNV, M::TaskEXT, M::MeshEXT]),
    (&[B::Position, B::PointSize],
     &[M::Vertex, M::TessellationControl, M::TessellationEvaluation, M::Geometry, M::MeshNV, M::MeshEXT]),
    (&[B::ClipDistance, B::CullDistance],
     &[M::Vertex, M::TessellationControl, M::TessellationEvaluation, M::Geometry, M::Fragment, M::MeshNV, M::MeshEXT]),
    (&[B::Layer, B::ViewportIndex],
     &[M::Vertex, M::TessellationEvaluation, M::Geometry, M::Fragment, M::MeshNV, M::MeshEXT]),
    (&[B::PrimitiveId],
     &[M::TessellationControl, M::TessellationEvaluation, M::Geometry, M::Fragment, M::MeshNV, M::MeshEXT,
       M::IntersectionKHR, M::AnyHitKHR, M::ClosestHitKHR]),
    (&[B::InvocationId], &[M::TessellationControl, M::Geometry]),
    (&[B::PatchVertices, B::TessLevelInner, B::TessLevelOuter], &[M::TessellationControl, M::TessellationEvaluation]),
    (&[B::TessCoord], &[M::TessellationEvaluation]),
    (&[B::FragCoord, B::FragDepth, B::FrontFacing, B::HelperInvocation, B::PointCoord, B::SampleId, B::SampleMask,
       B::SamplePosition], &[M::Fragment]),
    (&[B::GlobalInvocationId, B::LocalInvocationId, B::LocalInvocationIndex, B::NumWorkgroups, B::WorkgroupId,
       B::NumSubgroups, B::SubgroupId], &[M::GLCompute, M::TaskNV, M::MeshNV, M::TaskEXT, M::MeshEXT]),
];

/// Returns the built-ins of a variable, or of the members of its block.
fn of_variable(c: &Checker, variable: Id) -> Vec<B> {
    let mut ids = vec![variable];
    let ty = innermost(c, c.pointer(variable).map_or(0, |pointer| pointer.1));
    if let Some(Type::Struct { .. }) = c.m.ty(ty) {
        ids.push(ty);
    }
    let decorations = ids.iter().filter_map(|id| c.m.decorations.get(id)).flatten();
    let builtins = decorations.filter(|d| d.kind == Decoration::BuiltIn as u32);
    builtins.filter_map(|d| B::from_u32(*c.m.decoration_operands(d).first()?)).collect()
}

/// Checks that the stage of an entry point has the built-ins of a variable that it uses.
pub(super) fn check_stage(c: &mut Checker, entry: &EntryPoint, variable: Id) {
    for builtin in of_variable(c, variable) {
        let row = OF_MODELS.iter().find(|(builtins, _)| builtins.contains(&builtin));
        if row.is_some_and(|(_, models)| models.iter().all(|model| *model as u32 != entry.model)) {
            let message = format!("{} uses {}, but its stage has no {builtin:?}", entry.name, c.m.describe(variable));
            c.add(rules::BUILTIN, entry.inst.word as usize, variable, message);
        }
    }
}

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
