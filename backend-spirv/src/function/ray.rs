//! Ray queries (SPV_KHR_ray_query), with one instruction for each command and query.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{id, ids};
use rspirv::spirv::{Capability, Op as Spv, Word};
use wgc_ir::{BinaryOp, HitPart, Op, RayCommand, RayHit, RayQuestion, Type, ValueId};

/// `RayFlagSkipTrianglesKHR` and `RayFlagSkipAABBsKHR`, which RayTraversalPrimitiveCullingKHR permits.
const SKIPS_PRIMITIVES: u64 = 0x100 | 0x200;

fn command(command: RayCommand) -> Spv {
    match command {
        RayCommand::Trace => Spv::RayQueryInitializeKHR,
        RayCommand::Abort => Spv::RayQueryTerminateKHR,
        RayCommand::CommitTriangle => Spv::RayQueryConfirmIntersectionKHR,
        RayCommand::CommitProcedural => Spv::RayQueryGenerateIntersectionKHR,
    }
}

fn question(ask: RayQuestion) -> Spv {
    match ask {
        RayQuestion::Proceed => Spv::RayQueryProceedKHR,
        RayQuestion::Flags => Spv::RayQueryGetRayFlagsKHR,
        RayQuestion::TMin => Spv::RayQueryGetRayTMinKHR,
        RayQuestion::WorldOrigin => Spv::RayQueryGetWorldRayOriginKHR,
        RayQuestion::WorldDirection => Spv::RayQueryGetWorldRayDirectionKHR,
        RayQuestion::ProceduralOpaque => Spv::RayQueryGetIntersectionCandidateAABBOpaqueKHR,
        RayQuestion::Of(_, part) => match part {
            HitPart::Kind => Spv::RayQueryGetIntersectionTypeKHR,
            HitPart::T => Spv::RayQueryGetIntersectionTKHR,
            HitPart::InstanceIndex => Spv::RayQueryGetIntersectionInstanceIdKHR,
            HitPart::InstanceId => Spv::RayQueryGetIntersectionInstanceCustomIndexKHR,
            HitPart::HitGroup => Spv::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR,
            HitPart::GeometryIndex => Spv::RayQueryGetIntersectionGeometryIndexKHR,
            HitPart::PrimitiveIndex => Spv::RayQueryGetIntersectionPrimitiveIndexKHR,
            HitPart::Barycentrics => Spv::RayQueryGetIntersectionBarycentricsKHR,
            HitPart::FrontFace => Spv::RayQueryGetIntersectionFrontFaceKHR,
            HitPart::ObjectOrigin => Spv::RayQueryGetIntersectionObjectRayOriginKHR,
            HitPart::ObjectDirection => Spv::RayQueryGetIntersectionObjectRayDirectionKHR,
            // Columns of SPIR-V's matrix are the rows of ours.
            HitPart::ObjectToWorld => Spv::RayQueryGetIntersectionObjectToWorldKHR,
            HitPart::WorldToObject => Spv::RayQueryGetIntersectionWorldToObjectKHR,
        },
    }
}

impl FunctionEmitter<'_, '_> {
    pub(super) fn ray_command(&mut self, which: RayCommand, query: ValueId, args: &[ValueId]) -> Result {
        let mut operands = vec![id(self.pointer_of(query)?)];
        match (which, args) {
            (RayCommand::Trace, [structure, flags, rest @ ..]) => {
                if self.known_bits(*flags) & SKIPS_PRIMITIVES != 0 {
                    self.e.b.capability(Capability::RayTraversalPrimitiveCullingKHR);
                }
                let Slot::AccelerationStructure(structure) = *self.slot(*structure)? else {
                    return Err(EmitError::new("a value is used as an acceleration structure"));
                };
                operands.extend(ids(&[structure, self.word(*flags)?]));
                operands.extend(ids(&self.words(rest)?));
            }
            _ => operands.extend(ids(&self.words(args)?)),
        }
        self.e.b.effect(command(which), operands);
        Ok(())
    }

    pub(super) fn ray_question(&mut self, ask: RayQuestion, query: ValueId, ty: &Type) -> Result<Word> {
        let (query, ty) = (self.pointer_of(query)?, self.e.value_type(ty)?);
        let mut operands = vec![id(query)];
        if let RayQuestion::Of(hit, _) = ask {
            let hit = self.e.u32_constant(match hit {
                RayHit::Candidate => 0,
                RayHit::Committed => 1,
            });
            operands.push(id(hit));
        }
        Ok(self.e.b.op(question(ask), ty, operands))
    }

    /// Returns the bits of a value that are certainly set.
    fn known_bits(&self, value: ValueId) -> u64 {
        if let Some(constant) = self.constant(value) {
            return constant.bits;
        }
        match self.f.value(value).map(|v| &v.op) {
            Some(Op::Binary { op: BinaryOp::Or, lhs, rhs }) => self.known_bits(*lhs) | self.known_bits(*rhs),
            _ => 0,
        }
    }
}
