//! Ray queries: the operands of each instruction. A query's variable is eight bytes of memory with the number of the
//! query in the workgroup.

use super::{Result, Translator};
use crate::cpu::program::{Ins, RayAsk, RayIns, RayOp};
use spirv::Op;
use wgc_spirv_module::module::Inst;

/// Returns the query of an instruction, and whether its second operand names the hit that it concerns.
fn question(op: Op) -> Option<(RayAsk, bool)> {
    use {Op as O, RayAsk as A};
    Some(match op {
        O::RayQueryProceedKHR => (A::Proceed, false),
        O::RayQueryGetRayTMinKHR => (A::TMin, false),
        O::RayQueryGetRayFlagsKHR => (A::Flags, false),
        O::RayQueryGetWorldRayDirectionKHR => (A::WorldDirection, false),
        O::RayQueryGetWorldRayOriginKHR => (A::WorldOrigin, false),
        O::RayQueryGetIntersectionCandidateAABBOpaqueKHR => (A::ProceduralOpaque, false),
        O::RayQueryGetIntersectionTypeKHR => (A::Kind, true),
        O::RayQueryGetIntersectionTKHR => (A::T, true),
        O::RayQueryGetIntersectionInstanceCustomIndexKHR => (A::InstanceId, true),
        O::RayQueryGetIntersectionInstanceIdKHR => (A::InstanceIndex, true),
        O::RayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetKHR => (A::HitGroup, true),
        O::RayQueryGetIntersectionGeometryIndexKHR => (A::Geometry, true),
        O::RayQueryGetIntersectionPrimitiveIndexKHR => (A::Primitive, true),
        O::RayQueryGetIntersectionBarycentricsKHR => (A::Barycentrics, true),
        O::RayQueryGetIntersectionFrontFaceKHR => (A::FrontFace, true),
        O::RayQueryGetIntersectionObjectRayDirectionKHR => (A::ObjectDirection, true),
        O::RayQueryGetIntersectionObjectRayOriginKHR => (A::ObjectOrigin, true),
        O::RayQueryGetIntersectionObjectToWorldKHR => (A::ObjectToWorld, true),
        O::RayQueryGetIntersectionWorldToObjectKHR => (A::WorldToObject, true),
        _ => return None,
    })
}

impl Translator<'_> {
    pub(super) fn ray(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        let what = match op {
            Op::RayQueryInitializeKHR => {
                let mut rows = [0; 7];
                for (row, id) in rows.iter_mut().zip(w.iter().skip(1)) {
                    *row = self.value(*id)?.row;
                }
                let [scene, flags, mask, origin, least, direction, greatest] = rows;
                RayOp::Trace { scene, flags, mask, origin, least, direction, greatest }
            }
            Op::RayQueryTerminateKHR => RayOp::Abort,
            Op::RayQueryConfirmIntersectionKHR => RayOp::CommitTriangle,
            Op::RayQueryGenerateIntersectionKHR => RayOp::CommitProcedural { t: self.scalar(operand(1))? },
            _ => {
                let Some((ask, of_hit)) = question(op) else { return Ok(false) };
                let committed = of_hit && self.constant_u32(operand(1))? != 0;
                let value = self.new_value(inst.ty)?;
                let query = self.scalar(operand(0))?;
                self.emit(Ins::Ray(Box::new(RayIns { query, op: RayOp::Ask { ask, committed, dst: value.row } })));
                self.define(inst, value.row, value.n);
                return Ok(true);
            }
        };
        let query = self.scalar(operand(0))?;
        self.emit(Ins::Ray(Box::new(RayIns { query, op: what })));
        Ok(true)
    }
}
