//! Instructions that only some shader stages have, because they need quads, fragments, primitives or rays.

use super::extended::{glsl, is_interpolation};
use super::{Checker, rules};
use crate::module::{EntryPoint, Inst};
use spirv::{ExecutionMode, ExecutionModel as M, GlslStd450Op, Op};

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

/// An instruction that only some models have. `extended` is its number in GLSL.std.450, if it is an OpExtInst.
struct Limited {
    op: Op,
    extended: Option<GlslStd450Op>,
    models: &'static [M],
}

impl Limited {
    fn of(c: &Checker, inst: &Inst) -> Option<Self> {
        let op = inst.op()?;
        if op == Op::ExtInst {
            let extended = glsl(c, inst).filter(|which| is_interpolation(*which))?;
            return Some(Self { op, extended: Some(extended), models: &[M::Fragment] });
        }
        let (_, models) = OF_MODELS.iter().find(|(ops, _)| ops.contains(&op))?;
        Some(Self { op, extended: None, models })
    }

    fn name(&self) -> String {
        self.extended.map_or_else(|| format!("Op{:?}", self.op), |which| format!("{which:?}"))
    }
}

/// Instructions of one function that not all stages have.
#[derive(Default)]
pub(super) struct StageUse {
    of_models: Vec<Limited>,
    derivative: Option<Op>,
}

/// Returns the uses of each function's own instructions.
pub(super) fn uses(c: &Checker) -> Vec<StageUse> {
    let of_function = |function: &crate::module::Function| {
        let mut out = StageUse::default();
        let blocks = function.blocks.iter();
        for inst in blocks.flat_map(|block| block.insts.iter().chain([&block.terminator_inst])) {
            if out.derivative.is_none() {
                out.derivative = inst.op().filter(|op| DERIVATIVES.contains(op));
            }
            if let Some(limited) = Limited::of(c, inst)
                && !out.of_models.iter().any(|known| (known.op, known.extended) == (limited.op, limited.extended))
            {
                out.of_models.push(limited);
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
    for limited in &uses.of_models {
        if !model.is_some_and(|model| limited.models.contains(&model)) {
            let names: Vec<String> = limited.models.iter().map(|model| format!("{model:?}")).collect();
            let message = format!("{} reaches {}, which only {} may use", entry.name, limited.name(), names.join(", "));
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
