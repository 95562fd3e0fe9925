//! Operations over the active lanes of a subgroup.

use super::arithmetic::{NumberKind, kind};
use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::id;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, GroupOperation, Op as Spv, Scope, Word};
use wgc_ir::{SubgroupOp, Type, ValueId};

/// Returns the instruction, the capability it needs, and its group operation.
fn instruction(op: SubgroupOp, kind: NumberKind) -> Option<(Spv, Capability, Option<GroupOperation>)> {
    use Capability as C;
    use SubgroupOp as S;
    let arithmetic = |signed, unsigned, float, group| {
        let spv = match kind {
            NumberKind::Signed => signed,
            NumberKind::Unsigned => unsigned,
            NumberKind::Float => float,
            NumberKind::Bool => return None,
        };
        Some((spv, C::GroupNonUniformArithmetic, Some(group)))
    };
    let (iadd, fadd) = (Spv::GroupNonUniformIAdd, Spv::GroupNonUniformFAdd);
    let (imul, fmul) = (Spv::GroupNonUniformIMul, Spv::GroupNonUniformFMul);
    let bitwise =
        |spv| (kind != NumberKind::Float).then_some((spv, C::GroupNonUniformArithmetic, Some(GroupOperation::Reduce)));
    match op {
        S::Elect => Some((Spv::GroupNonUniformElect, C::GroupNonUniform, None)),
        S::Ballot => Some((Spv::GroupNonUniformBallot, C::GroupNonUniformBallot, None)),
        S::Shuffle => Some((Spv::GroupNonUniformShuffle, C::GroupNonUniformShuffle, None)),
        S::BroadcastFirst => Some((Spv::GroupNonUniformBroadcastFirst, C::GroupNonUniformBallot, None)),
        S::Any => Some((Spv::GroupNonUniformAny, C::GroupNonUniformVote, None)),
        S::All => Some((Spv::GroupNonUniformAll, C::GroupNonUniformVote, None)),
        S::Add => arithmetic(iadd, iadd, fadd, GroupOperation::Reduce),
        S::ExclusiveAdd => arithmetic(iadd, iadd, fadd, GroupOperation::ExclusiveScan),
        S::Mul => arithmetic(imul, imul, fmul, GroupOperation::Reduce),
        S::ExclusiveMul => arithmetic(imul, imul, fmul, GroupOperation::ExclusiveScan),
        S::BitAnd => bitwise(Spv::GroupNonUniformBitwiseAnd),
        S::BitOr => bitwise(Spv::GroupNonUniformBitwiseOr),
        S::BitXor => bitwise(Spv::GroupNonUniformBitwiseXor),
        S::AllEqual => Some((Spv::GroupNonUniformAllEqual, C::GroupNonUniformVote, None)),
        S::QuadBroadcast => Some((Spv::GroupNonUniformQuadBroadcast, C::GroupNonUniformQuad, None)),
        S::QuadSwapX | S::QuadSwapY | S::QuadSwapDiagonal => {
            Some((Spv::GroupNonUniformQuadSwap, C::GroupNonUniformQuad, None))
        }
        S::Ddx => Some((Spv::DPdx, C::Shader, None)),
        S::Ddy => Some((Spv::DPdy, C::Shader, None)),
        S::Fwidth => Some((Spv::Fwidth, C::Shader, None)),
        S::DdxCoarse => Some((Spv::DPdxCoarse, C::DerivativeControl, None)),
        S::DdyCoarse => Some((Spv::DPdyCoarse, C::DerivativeControl, None)),
        S::DdxFine => Some((Spv::DPdxFine, C::DerivativeControl, None)),
        S::DdyFine => Some((Spv::DPdyFine, C::DerivativeControl, None)),
        S::Min => arithmetic(
            Spv::GroupNonUniformSMin,
            Spv::GroupNonUniformUMin,
            Spv::GroupNonUniformFMin,
            GroupOperation::Reduce,
        ),
        S::Max => arithmetic(
            Spv::GroupNonUniformSMax,
            Spv::GroupNonUniformUMax,
            Spv::GroupNonUniformFMax,
            GroupOperation::Reduce,
        ),
    }
}

impl FunctionEmitter<'_, '_> {
    pub(super) fn subgroup(&mut self, op: SubgroupOp, args: &[ValueId], ty: &Type) -> Result<Word> {
        let kind = match args.first() {
            Some(&first) => kind(self.numeric(first)?.0),
            None => NumberKind::Bool,
        };
        let (spv, capability, group) =
            instruction(op, kind).ok_or_else(|| EmitError::new(format!("subgroup operation {op:?} on bool")))?;
        self.e.b.capability(capability);
        if op.is_derivative() {
            self.uses_derivatives();
            let (operands, ty) = (self.words(args)?.into_iter().map(id).collect(), self.e.value_type(ty)?);
            return Ok(self.e.b.op(spv, ty, operands));
        }
        self.e.b.capability(Capability::GroupNonUniform);
        let mut operands = vec![Operand::IdScope(self.e.u32_constant(Scope::Subgroup as u32))];
        operands.extend(group.map(Operand::GroupOperation));
        operands.extend(self.words(args)?.into_iter().map(id));
        let direction = match op {
            SubgroupOp::QuadSwapX => Some(0),
            SubgroupOp::QuadSwapY => Some(1),
            SubgroupOp::QuadSwapDiagonal => Some(2),
            _ => None,
        };
        if let Some(direction) = direction {
            operands.push(id(self.e.u32_constant(direction)));
        }
        let ty = self.e.value_type(ty)?;
        Ok(self.e.b.op(spv, ty, operands))
    }
}
