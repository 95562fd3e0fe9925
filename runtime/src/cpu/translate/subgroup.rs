//! Subgroup operations and barriers.

use super::{Result, Translator};
use crate::cpu::exec::ops::{Binary, Ternary, Unary};
use crate::cpu::program::{Combine, Fence, Ins, SubgroupOp};
use spirv::{MemorySemantics, Op, Scope};
use wgc_spirv_module::Id;
use wgc_spirv_module::module::Inst;

/// Returns an arithmetic operation's instructions for 32 and 64 bits, the signedness of its operands, and its identity.
fn arithmetic(op: Op) -> Option<(Binary, Binary, bool, Identity)> {
    use Identity::*;
    Some(match op {
        Op::GroupNonUniformIAdd => (Binary::Add32, Binary::Add64, false, Zero),
        Op::GroupNonUniformFAdd => (Binary::FAdd32, Binary::FAdd64, false, Float(0.0)),
        Op::GroupNonUniformIMul => (Binary::Mul32, Binary::Mul64, false, One),
        Op::GroupNonUniformFMul => (Binary::FMul32, Binary::FMul64, false, Float(1.0)),
        Op::GroupNonUniformSMin => (Binary::SMin32, Binary::SMin64, true, SignedMax),
        Op::GroupNonUniformUMin => (Binary::UMin, Binary::UMin, false, Ones),
        Op::GroupNonUniformFMin => (Binary::FMin32, Binary::FMin64, false, Float(f64::INFINITY)),
        Op::GroupNonUniformSMax => (Binary::SMax32, Binary::SMax64, true, SignedMin),
        Op::GroupNonUniformUMax => (Binary::UMax, Binary::UMax, false, Zero),
        Op::GroupNonUniformFMax => (Binary::FMax32, Binary::FMax64, false, Float(f64::NEG_INFINITY)),
        Op::GroupNonUniformBitwiseAnd | Op::GroupNonUniformLogicalAnd => (Binary::And, Binary::And, false, Ones),
        Op::GroupNonUniformBitwiseOr | Op::GroupNonUniformLogicalOr => (Binary::Or, Binary::Or, false, Zero),
        Op::GroupNonUniformBitwiseXor | Op::GroupNonUniformLogicalXor => (Binary::Xor, Binary::Xor, false, Zero),
        _ => return None,
    })
}

enum Identity {
    Zero,
    One,
    /// All ones of the type's width.
    Ones,
    SignedMin,
    SignedMax,
    Float(f64),
}

impl Translator<'_> {
    fn combine(&self, group_operation: u32, cluster: Option<&u32>) -> Result<Combine> {
        Ok(match group_operation {
            0 => Combine::Reduce,
            1 => Combine::Inclusive,
            2 => Combine::Exclusive,
            3 => Combine::Clustered(self.constant_u32(*cluster.ok_or("a cluster without a size")?)?.max(1)),
            other => return Err(format!("group operation {other} is not supported")),
        })
    }

    /// Returns the accesses that a barrier of these constants orders.
    fn fence(&self, scope: Id, semantics: Id) -> Result<Fence> {
        let (scope, semantics) = (self.constant_u32(scope)?, self.constant_u32(semantics)?);
        let has = |bits: MemorySemantics| semantics & bits.bits() != 0;
        let near = [Scope::Workgroup, Scope::Subgroup, Scope::Invocation];
        let both = MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::SEQUENTIALLY_CONSISTENT;
        Ok(Fence {
            group: has(MemorySemantics::WORKGROUP_MEMORY),
            device: has(MemorySemantics::UNIFORM_MEMORY
                | MemorySemantics::IMAGE_MEMORY
                | MemorySemantics::OUTPUT_MEMORY),
            far: !near.iter().any(|near| *near as u32 == scope),
            release: has(both | MemorySemantics::RELEASE),
            acquire: has(both | MemorySemantics::ACQUIRE),
        })
    }

    pub(super) fn subgroup(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::ControlBarrier => {
                let scope = self.constant_u32(operand(0))?;
                self.program.cooperates = true;
                let fence = self.fence(operand(1), operand(2))?;
                self.emit(Ins::ControlBarrier { subgroup: scope == spirv::Scope::Subgroup as u32, fence });
                return Ok(true);
            }
            Op::MemoryBarrier => {
                let fence = self.fence(operand(0), operand(1))?;
                self.emit(Ins::MemoryBarrier { fence });
                return Ok(true);
            }
            _ => {}
        }
        if let Some((narrow, wide, signed, identity)) = arithmetic(op) {
            self.scope(operand(0))?;
            let combine = self.combine(operand(1), w.get(3))?;
            let value = self.value(operand(2))?;
            let float = self.is_float(inst.ty);
            let width = self.width(inst.ty)?.0;
            let (a, is_wide) = match float {
                true => self.float_in(value.row, value.n, width)?,
                false => (self.integer_in(value.row, value.n, width, signed)?, width == 64),
            };
            let ones = if width == 64 { u64::MAX } else { (1 << width) - 1 };
            let identity = match identity {
                Identity::Zero => 0,
                Identity::One => 1,
                Identity::Ones => ones,
                Identity::SignedMax => ones >> 1,
                // Narrow types use a 32-bit number.
                Identity::SignedMin if width < 32 => u64::from(-(1i32 << (width - 1)) as u32),
                Identity::SignedMin => 1 << (width - 1),
                Identity::Float(x) if is_wide => x.to_bits(),
                Identity::Float(x) => u64::from((x as f32).to_bits()),
            };
            let dst = self.rows(value.n)?;
            let op = SubgroupOp::Arithmetic { op: if is_wide { wide } else { narrow }, combine, identity };
            self.emit(Ins::Subgroup { op, dst, a, b: 0, n: value.n });
            let row = if float { self.float_out(dst, value.n, width)? } else { self.cut(dst, value.n, width)? };
            self.define(inst, row, value.n);
            self.program.cooperates = true;
            return Ok(true);
        }
        let sub = match op {
            Op::GroupNonUniformElect => SubgroupOp::Elect,
            Op::GroupNonUniformAll | Op::SubgroupAllKHR => SubgroupOp::All,
            Op::GroupNonUniformAny | Op::SubgroupAnyKHR => SubgroupOp::Any,
            Op::GroupNonUniformAllEqual | Op::SubgroupAllEqualKHR => SubgroupOp::AllEqual,
            Op::GroupNonUniformBroadcast | Op::GroupNonUniformShuffle | Op::SubgroupReadInvocationKHR => {
                SubgroupOp::Shuffle
            }
            Op::GroupNonUniformShuffleXor => SubgroupOp::ShuffleXor,
            Op::GroupNonUniformShuffleUp => SubgroupOp::ShuffleUp,
            Op::GroupNonUniformShuffleDown => SubgroupOp::ShuffleDown,
            Op::GroupNonUniformBroadcastFirst | Op::SubgroupFirstInvocationKHR => SubgroupOp::BroadcastFirst,
            Op::GroupNonUniformQuadBroadcast => SubgroupOp::QuadBroadcast,
            Op::GroupNonUniformQuadSwap => SubgroupOp::QuadSwap,
            Op::GroupNonUniformBallot | Op::SubgroupBallotKHR => SubgroupOp::Ballot,
            Op::GroupNonUniformInverseBallot => SubgroupOp::InverseBallot,
            Op::GroupNonUniformBallotBitExtract => SubgroupOp::BallotBitExtract,
            Op::GroupNonUniformBallotBitCount => SubgroupOp::BallotBitCount(self.combine(operand(1), None)?),
            Op::GroupNonUniformBallotFindLSB => SubgroupOp::BallotFindLsb,
            Op::GroupNonUniformBallotFindMSB => SubgroupOp::BallotFindMsb,
            _ => return Ok(false),
        };
        self.program.cooperates = true;
        // The older instructions have no scope.
        let at = match op {
            Op::SubgroupAllKHR
            | Op::SubgroupAnyKHR
            | Op::SubgroupAllEqualKHR
            | Op::SubgroupReadInvocationKHR
            | Op::SubgroupFirstInvocationKHR
            | Op::SubgroupBallotKHR => 0,
            _ => {
                self.scope(operand(0))?;
                if matches!(sub, SubgroupOp::BallotBitCount(_)) { 2 } else { 1 }
            }
        };
        let first = if sub == SubgroupOp::Elect { None } else { Some(self.value(operand(at))?) };
        let b = match w.get(at + 1) {
            Some(&id) if sub != SubgroupOp::Elect && !matches!(sub, SubgroupOp::BallotBitCount(_)) => {
                self.scalar(id)?
            }
            _ => 0,
        };
        let n = self.count(inst.ty)?;
        let compared = first.map_or(0, |v| v.n);
        let mut a = first.map_or(0, |v| v.row);
        if sub == SubgroupOp::AllEqual && self.is_float(self.m.type_of(operand(at))) {
            // Minus zero equals zero: adding zero gives both the same bits.
            let width = self.width_of(operand(at))?.0;
            let (row, wide) = self.float_in(a, compared, width)?;
            let zero = self.splat(0, compared)?;
            a = self.binary(if wide { Binary::FAdd64 } else { Binary::FAdd32 }, row, zero, compared)?;
            // NaNs get the same bits, since operations choose their bits freely.
            let is_number = self.binary(if wide { Binary::FEqual64 } else { Binary::FEqual32 }, a, a, compared)?;
            let nan = self.splat(if wide { f64::NAN.to_bits() } else { f32::NAN.to_bits().into() }, compared)?;
            a = self.ternary(Ternary::Select, [is_number, a, nan], compared)?;
        }
        let dst = self.rows(n)?;
        let rows = if sub == SubgroupOp::AllEqual { compared } else { n };
        self.emit(Ins::Subgroup { op: sub, dst, a, b, n: rows });
        let row = if sub == SubgroupOp::AllEqual { self.unary(Unary::NonZero, dst, 1)? } else { dst };
        self.define(inst, row, n);
        Ok(true)
    }

    fn scope(&self, scope: u32) -> Result<()> {
        match self.constant_u32(scope)? {
            s if s == spirv::Scope::Subgroup as u32 => Ok(()),
            other => Err(format!("group operations of scope {other} are not supported, only those of subgroups")),
        }
    }
}
