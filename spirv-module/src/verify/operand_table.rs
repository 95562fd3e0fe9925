//! The operand and result types of arithmetic, comparison, conversion and group instructions: only data, from the prose
//! of SPIR-V 3.49.
//!
//! A row is a list of instructions, their result, and each of their operands. [`Result`] and [`Arg`] explain the
//! values.

use spirv::Op;

/// The result type: a scalar or vector of ..
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Result {
    Int,
    /// 32 bits wide (Vulkan VUID-StandaloneSpirv-Base-04781).
    Int32,
    /// Signedness 0.
    Unsigned,
    Float,
    /// 32 bits wide.
    Float32,
    Bool,
    /// One bool.
    OneBool,
    OneInt,
    OneFloat,
    FloatVector,
    /// Any scalar or vector.
    Any,
    /// Four unsigned 32-bit integers: a ballot.
    Ballot,
    Matrix,
}

/// The type of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arg {
    /// The result's type.
    Same,
    /// Integers with the count and width of the result's.
    Like,
    /// Integers of any width, one for each component of the result.
    Ints,
    /// Integers of 32 bits, one for each component of the result (Vulkan VUID-StandaloneSpirv-Base-04781).
    Ints32,
    Floats,
    /// Floats of another width, one for each component of the result.
    OtherFloats,
    /// Integers of another width, one for each component of the result.
    OtherInts,
    /// The first operand's type; integers may differ in sign.
    AsFirst,
    OneBool,
    /// A vector of bools.
    BoolVector,
    OneInt,
    /// Signedness 0.
    OneUnsigned,
    /// A vector with the result's type as component.
    VectorOfResult,
    /// The result's component.
    Component,
    Ballot,
    Matrix,
    /// Checked elsewhere: scopes, group operations.
    Skip,
    /// Any scalar or vector.
    Any,
}

use self::{Arg as A, Result as R};

pub(super) struct OperandRow {
    pub ops: &'static [Op],
    pub result: R,
    pub args: &'static [A],
}

const fn row(ops: &'static [Op], result: R, args: &'static [A]) -> OperandRow {
    OperandRow { ops, result, args }
}

#[rustfmt::skip]
pub(super) const ROWS: &[OperandRow] = &[
    row(&[Op::IAdd, Op::ISub, Op::IMul, Op::SDiv, Op::SRem, Op::SMod, Op::BitwiseAnd, Op::BitwiseOr, Op::BitwiseXor],
        R::Int, &[A::Like, A::Like]),
    row(&[Op::UDiv, Op::UMod], R::Unsigned, &[A::Same, A::Same]),
    row(&[Op::SNegate, Op::Not], R::Int, &[A::Like]),
    row(&[Op::FAdd, Op::FSub, Op::FMul, Op::FDiv, Op::FRem, Op::FMod], R::Float, &[A::Same, A::Same]),
    row(&[Op::FNegate, Op::QuantizeToF16], R::Float, &[A::Same]),
    row(&[Op::DPdx, Op::DPdy, Op::Fwidth, Op::DPdxFine, Op::DPdyFine, Op::FwidthFine, Op::DPdxCoarse, Op::DPdyCoarse,
          Op::FwidthCoarse],
        R::Float32, &[A::Same]),
    row(&[Op::ShiftLeftLogical, Op::ShiftRightLogical, Op::ShiftRightArithmetic], R::Int, &[A::Like, A::Ints]),
    row(&[Op::BitFieldInsert], R::Int32, &[A::Same, A::Same, A::OneInt, A::OneInt]),
    row(&[Op::BitFieldSExtract, Op::BitFieldUExtract], R::Int32, &[A::Same, A::OneInt, A::OneInt]),
    row(&[Op::BitReverse], R::Int32, &[A::Same]),
    row(&[Op::BitCount], R::Int, &[A::Ints32]),

    row(&[Op::IEqual, Op::INotEqual, Op::UGreaterThan, Op::SGreaterThan, Op::UGreaterThanEqual, Op::SGreaterThanEqual,
          Op::ULessThan, Op::SLessThan, Op::ULessThanEqual, Op::SLessThanEqual],
        R::Bool, &[A::Ints, A::AsFirst]),
    row(&[Op::FOrdEqual, Op::FUnordEqual, Op::FOrdNotEqual, Op::FUnordNotEqual, Op::FOrdLessThan, Op::FUnordLessThan,
          Op::FOrdGreaterThan, Op::FUnordGreaterThan, Op::FOrdLessThanEqual, Op::FUnordLessThanEqual,
          Op::FOrdGreaterThanEqual, Op::FUnordGreaterThanEqual],
        R::Bool, &[A::Floats, A::AsFirst]),
    row(&[Op::IsNan, Op::IsInf], R::Bool, &[A::Floats]),
    row(&[Op::LogicalEqual, Op::LogicalNotEqual, Op::LogicalOr, Op::LogicalAnd], R::Bool, &[A::Same, A::Same]),
    row(&[Op::LogicalNot], R::Bool, &[A::Same]),
    row(&[Op::Any, Op::All], R::OneBool, &[A::BoolVector]),

    row(&[Op::ConvertFToU], R::Unsigned, &[A::Floats]),
    row(&[Op::ConvertFToS], R::Int, &[A::Floats]),
    row(&[Op::ConvertSToF, Op::ConvertUToF], R::Float, &[A::Ints]),
    row(&[Op::UConvert], R::Unsigned, &[A::OtherInts]),
    row(&[Op::SConvert], R::Int, &[A::OtherInts]),
    row(&[Op::FConvert], R::Float, &[A::OtherFloats]),

    row(&[Op::VectorTimesScalar], R::FloatVector, &[A::Same, A::Component]),
    row(&[Op::Dot], R::OneFloat, &[A::VectorOfResult, A::AsFirst]),
    row(&[Op::VectorTimesMatrix], R::FloatVector, &[A::Any, A::Matrix]),
    row(&[Op::MatrixTimesVector], R::FloatVector, &[A::Matrix, A::Any]),
    row(&[Op::MatrixTimesScalar], R::Matrix, &[A::Same, A::Skip]),
    row(&[Op::MatrixTimesMatrix], R::Matrix, &[A::Matrix, A::Matrix]),
    row(&[Op::Transpose], R::Matrix, &[A::Matrix]),

    row(&[Op::GroupNonUniformElect], R::OneBool, &[A::Skip]),
    row(&[Op::GroupNonUniformAll, Op::GroupNonUniformAny], R::OneBool, &[A::Skip, A::OneBool]),
    row(&[Op::GroupNonUniformAllEqual], R::OneBool, &[A::Skip, A::Any]),
    row(&[Op::GroupNonUniformBroadcast, Op::GroupNonUniformShuffle, Op::GroupNonUniformShuffleXor,
          Op::GroupNonUniformShuffleUp, Op::GroupNonUniformShuffleDown, Op::GroupNonUniformQuadBroadcast,
          Op::GroupNonUniformQuadSwap],
        R::Any, &[A::Skip, A::Same, A::OneInt]),
    row(&[Op::GroupNonUniformBroadcastFirst], R::Any, &[A::Skip, A::Same]),
    row(&[Op::GroupNonUniformRotateKHR], R::Any, &[A::Skip, A::Same, A::OneUnsigned, A::OneUnsigned]),
    row(&[Op::GroupNonUniformQuadAllKHR, Op::GroupNonUniformQuadAnyKHR], R::OneBool, &[A::OneBool]),
    row(&[Op::IsHelperInvocationEXT], R::OneBool, &[]),
    row(&[Op::GroupNonUniformBallot], R::Ballot, &[A::Skip, A::OneBool]),
    row(&[Op::GroupNonUniformInverseBallot], R::OneBool, &[A::Skip, A::Ballot]),
    row(&[Op::GroupNonUniformBallotBitExtract], R::OneBool, &[A::Skip, A::Ballot, A::OneInt]),
    row(&[Op::GroupNonUniformBallotBitCount], R::OneInt, &[A::Skip, A::Skip, A::Ballot]),
    row(&[Op::GroupNonUniformBallotFindLSB, Op::GroupNonUniformBallotFindMSB], R::OneInt, &[A::Skip, A::Ballot]),
    row(&[Op::GroupNonUniformIAdd, Op::GroupNonUniformIMul, Op::GroupNonUniformSMin, Op::GroupNonUniformUMin,
          Op::GroupNonUniformSMax, Op::GroupNonUniformUMax, Op::GroupNonUniformBitwiseAnd,
          Op::GroupNonUniformBitwiseOr, Op::GroupNonUniformBitwiseXor],
        R::Int, &[A::Skip, A::Skip, A::Same]),
    row(&[Op::GroupNonUniformFAdd, Op::GroupNonUniformFMul, Op::GroupNonUniformFMin, Op::GroupNonUniformFMax],
        R::Float, &[A::Skip, A::Skip, A::Same]),
    row(&[Op::GroupNonUniformLogicalAnd, Op::GroupNonUniformLogicalOr, Op::GroupNonUniformLogicalXor],
        R::Bool, &[A::Skip, A::Skip, A::Same]),
];
