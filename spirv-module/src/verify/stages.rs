//! Instructions that only some shader stages have, because they need quads, fragments, primitives or rays.

use super::{Checker, rules};
use crate::module::{EntryPoint, Inst};
use spirv::{ExecutionMode, ExecutionModel as M, Op};

/// Models whose invocations are in workgroups.
pub(super) const WITH_GROUPS: &[M] = &[M::GLCompute, M::TaskEXT, M::MeshEXT];

/// Instructions, and the only models with them.
#[rustfmt::skip]
const OF_MODELS: &[(&[Op], &[M])] = &[
    (&[Op::Kill, Op::TerminateInvocation, Op::DemoteToHelperInvocation, Op::IsHelperInvocationEXT,
       Op::BeginInvocationInterlockEXT, Op::EndInvocationInterlockEXT, Op::ColorAttachmentReadEXT,
       Op::DepthAttachmentReadEXT, Op::StencilAttachmentReadEXT], &[M::Fragment]),
    (&[Op::EmitVertex, Op::EndPrimitive, Op::EmitStreamVertex, Op::EndStreamPrimitive], &[M::Geometry]),
    (&[Op::TraceRayKHR], &[M::RayGenerationKHR, M::ClosestHitKHR, M::MissKHR]),
    (&[Op::ExecuteCallableKHR], &[M::RayGenerationKHR, M::ClosestHitKHR, M::MissKHR, M::CallableKHR]),
    (&[Op::ReportIntersectionKHR], &[M::IntersectionKHR]),
    (&[Op::IgnoreIntersectionKHR, Op::TerminateRayKHR], &[M::AnyHitKHR]),
];

/// Instructions that compare the invocations of a quad.
#[rustfmt::skip]
const DERIVATIVES: &[Op] = &[
    Op::DPdx, Op::DPdy, Op::Fwidth, Op::DPdxFine, Op::DPdyFine, Op::FwidthFine, Op::DPdxCoarse, Op::DPdyCoarse,
    Op::FwidthCoarse, Op::ImageSampleImplicitLod, Op::ImageSampleDrefImplicitLod, Op::ImageSampleProjImplicitLod,
    Op::ImageSampleProjDrefImplicitLod, Op::ImageSparseSampleImplicitLod, Op::ImageSparseSampleDrefImplicitLod,
    Op::ImageQueryLod,
];

/// Instructions of one function that not all stages have.
#[derive(Default)]
pub(super) struct StageUse {
    of_models: Vec<(Op, &'static [M])>,
    derivative: Option<Op>,
}

/// Returns the uses of each function's own instructions.
pub(super) fn uses(c: &Checker) -> Vec<StageUse> {
    let of_function = |function: &crate::module::Function| {
        let mut out = StageUse::default();
        let blocks = function.blocks.iter();
        let all = blocks.flat_map(|block| block.insts.iter().chain([&block.terminator_inst])).filter_map(Inst::op);
        for op in all {
            if out.derivative.is_none() && DERIVATIVES.contains(&op) {
                out.derivative = Some(op);
            }
            if let Some((_, models)) = OF_MODELS.iter().find(|(ops, _)| ops.contains(&op))
                && !out.of_models.iter().any(|(known, _)| *known == op)
            {
                out.of_models.push((op, *models));
            }
        }
        out
    };
    c.m.functions.iter().map(of_function).collect()
}

/// Checks a function that an entry point reaches.
pub(super) fn check(c: &mut Checker, entry: &EntryPoint, uses: &StageUse) {
    let word = entry.inst.word as usize;
    let model = M::from_u32(entry.model);
    for (op, models) in &uses.of_models {
        if !model.is_some_and(|model| models.contains(&model)) {
            let names: Vec<String> = models.iter().map(|model| format!("{model:?}")).collect();
            let message = format!("{} reaches Op{op:?}, which only {} may use", entry.name, names.join(", "));
            c.add(rules::STAGE, word, entry.function, message);
        }
    }
    if let Some(op) = uses.derivative
        && !has_quads(c, entry, model)
    {
        let message = format!("{} reaches Op{op:?}, but its invocations are not in quads", entry.name);
        c.add(rules::DERIVATIVES, word, entry.function, message);
    }
}

/// Returns whether the invocations of an entry point are in quads: those of fragment shaders, and those of workgroups
/// with an execution mode for it.
fn has_quads(c: &Checker, entry: &EntryPoint, model: Option<M>) -> bool {
    let modes = [ExecutionMode::DerivativeGroupQuadsKHR, ExecutionMode::DerivativeGroupLinearKHR];
    match model {
        Some(M::Fragment) => true,
        Some(model) if WITH_GROUPS.contains(&model) => {
            modes.into_iter().any(|mode| c.m.execution_mode(entry.function, mode).is_some())
        }
        _ => false,
    }
}
