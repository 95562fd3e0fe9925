//! Mathematical functions: GLSL.std.450, core instructions, and a few compositions of those.
//!
//! GLSL.std.450 restricts widths: transcendental functions support 16 and 32 bits, bit searches 32. Vulkan restricts
//! OpBitCount and OpBitReverse to 32 bits. The table has the restriction of each function. Bit functions of other
//! widths are composed of 32-bit ones.

use super::arithmetic::{NumberKind, kind};
use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use rspirv::spirv::{GlslStd450Op, Op as Spv, Word};
use wgc_ir::{MathOp, Scalar, ScalarConst, Type, ValueId};

#[derive(Clone, Copy)]
enum Lowering {
    /// An instruction of any width.
    Glsl(GlslStd450Op),
    /// An instruction of 16 and 32 bits.
    GlslNarrow(GlslStd450Op),
    Core(Spv),
    /// The operand itself.
    Identity,
    /// Zero or one.
    UnsignedSign,
    IntegerDot,
    Bits(BitOp),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BitOp {
    Count,
    Low,
    High,
    Reverse,
}

fn lowering(op: MathOp, kind: NumberKind) -> Option<Lowering> {
    use Lowering::{Bits, Core, Glsl, GlslNarrow, Identity, IntegerDot, UnsignedSign};
    use MathOp as M;
    let by_kind = |signed: Lowering, unsigned: Lowering, float: Lowering| match kind {
        NumberKind::Signed => Some(signed),
        NumberKind::Unsigned => Some(unsigned),
        NumberKind::Float => Some(float),
        NumberKind::Bool => None,
    };
    let (float, bool_, integer) = (
        kind == NumberKind::Float,
        kind == NumberKind::Bool,
        matches!(kind, NumberKind::Signed | NumberKind::Unsigned),
    );
    match op {
        M::Abs => by_kind(Glsl(GlslStd450Op::SAbs), Identity, Glsl(GlslStd450Op::FAbs)),
        M::Sign => by_kind(Glsl(GlslStd450Op::SSign), UnsignedSign, Glsl(GlslStd450Op::FSign)),
        // For a NaN, the N forms return the other operand, as HLSL does.
        M::Min => by_kind(Glsl(GlslStd450Op::SMin), Glsl(GlslStd450Op::UMin), Glsl(GlslStd450Op::NMin)),
        M::Max => by_kind(Glsl(GlslStd450Op::SMax), Glsl(GlslStd450Op::UMax), Glsl(GlslStd450Op::NMax)),
        M::Clamp => by_kind(Glsl(GlslStd450Op::SClamp), Glsl(GlslStd450Op::UClamp), Glsl(GlslStd450Op::NClamp)),
        M::Dot => by_kind(IntegerDot, IntegerDot, Core(Spv::Dot)),
        M::Any => bool_.then_some(Core(Spv::Any)),
        M::All => bool_.then_some(Core(Spv::All)),
        M::CountBits => integer.then_some(Bits(BitOp::Count)),
        M::FirstBitLow => integer.then_some(Bits(BitOp::Low)),
        M::FirstBitHigh => integer.then_some(Bits(BitOp::High)),
        M::ReverseBits => integer.then_some(Bits(BitOp::Reverse)),
        M::UnpackHalf => Some(Glsl(GlslStd450Op::UnpackHalf2x16)),
        _ if !float => None,
        M::Floor => Some(Glsl(GlslStd450Op::Floor)),
        M::Ceil => Some(Glsl(GlslStd450Op::Ceil)),
        M::Round => Some(Glsl(GlslStd450Op::RoundEven)),
        M::Trunc => Some(Glsl(GlslStd450Op::Trunc)),
        M::Fract => Some(Glsl(GlslStd450Op::Fract)),
        M::Sqrt => Some(Glsl(GlslStd450Op::Sqrt)),
        M::InverseSqrt => Some(Glsl(GlslStd450Op::InverseSqrt)),
        M::Exp => Some(GlslNarrow(GlslStd450Op::Exp)),
        M::Exp2 => Some(GlslNarrow(GlslStd450Op::Exp2)),
        M::Log => Some(GlslNarrow(GlslStd450Op::Log)),
        M::Log2 => Some(GlslNarrow(GlslStd450Op::Log2)),
        M::Pow => Some(GlslNarrow(GlslStd450Op::Pow)),
        M::Sin => Some(GlslNarrow(GlslStd450Op::Sin)),
        M::Cos => Some(GlslNarrow(GlslStd450Op::Cos)),
        M::Tan => Some(GlslNarrow(GlslStd450Op::Tan)),
        M::Asin => Some(GlslNarrow(GlslStd450Op::Asin)),
        M::Acos => Some(GlslNarrow(GlslStd450Op::Acos)),
        M::Atan => Some(GlslNarrow(GlslStd450Op::Atan)),
        M::Atan2 => Some(GlslNarrow(GlslStd450Op::Atan2)),
        M::Sinh => Some(GlslNarrow(GlslStd450Op::Sinh)),
        M::Cosh => Some(GlslNarrow(GlslStd450Op::Cosh)),
        M::Tanh => Some(GlslNarrow(GlslStd450Op::Tanh)),
        M::PackHalf => Some(Glsl(GlslStd450Op::PackHalf2x16)),
        M::Fma => Some(Glsl(GlslStd450Op::Fma)),
        M::Mix => Some(Glsl(GlslStd450Op::FMix)),
        M::Cross => Some(Glsl(GlslStd450Op::Cross)),
        M::Product => None,
        M::Length => Some(Glsl(GlslStd450Op::Length)),
        M::Normalize => Some(Glsl(GlslStd450Op::Normalize)),
        M::IsNan => Some(Core(Spv::IsNan)),
        M::IsInf => Some(Core(Spv::IsInf)),
    }
}

impl FunctionEmitter<'_, '_> {
    pub(super) fn math(&mut self, op: MathOp, args: &[ValueId], ty: &Type) -> Result<Word> {
        let Some(&first) = args.first() else {
            return Err(EmitError::new(format!("function {op:?} without operands")));
        };
        if op == MathOp::Product {
            return self.product(args, ty);
        }
        let (scalar, n) = self.numeric(first)?;
        let words = self.words(args)?;
        let refused = || EmitError::new(format!("function {op:?} of {}", Type::Scalar(scalar)));
        let result = self.e.value_type(ty)?;
        Ok(match lowering(op, kind(scalar)).ok_or_else(refused)? {
            Lowering::GlslNarrow(_) if scalar.size() == 8 => return Err(refused()),
            Lowering::Glsl(glsl) | Lowering::GlslNarrow(glsl) => self.e.b.glsl_op(glsl, result, &words),
            Lowering::Core(spv) => self.e.b.op(spv, result, ids(&words)),
            Lowering::Identity => words[0],
            Lowering::UnsignedSign => {
                let one = self.e.splat_constant(ScalarConst { ty: scalar, bits: 1 }, n);
                self.e.b.glsl_op(GlslStd450Op::UMin, result, &[words[0], one])
            }
            Lowering::IntegerDot => self.integer_dot(&words, scalar, n)?,
            Lowering::Bits(bits) => self.bits(bits, words[0], scalar, n)?,
        })
    }

    /// Emits a product of vectors, matrices and scalars. An HLSL row is a column here, so products with matrices have
    /// their operands in reverse.
    fn product(&mut self, args: &[ValueId], ty: &Type) -> Result<Word> {
        let &[left, right] = args else {
            return Err(EmitError::new("a product of other than two operands"));
        };
        let result = self.e.value_type(ty)?;
        let is_matrix = |ty: &Type| matches!(ty, Type::Matrix(_));
        let (spv, operands) = match (is_matrix(self.ty(left)?), is_matrix(self.ty(right)?)) {
            (false, false) => (Spv::VectorTimesScalar, [left, right]),
            (false, true) => (Spv::MatrixTimesVector, [right, left]),
            (true, false) => (Spv::VectorTimesMatrix, [right, left]),
            (true, true) => (Spv::MatrixTimesMatrix, [right, left]),
        };
        let words = self.words(&operands)?;
        Ok(self.e.b.op(spv, result, ids(&words)))
    }

    fn integer_dot(&mut self, words: &[Word], scalar: Scalar, n: u32) -> Result<Word> {
        let (vector, component) = (self.e.vector_type(scalar, n), self.e.scalar_type(scalar));
        let products = self.e.b.op(Spv::IMul, vector, ids(words));
        let mut sum = self.e.b.op(Spv::CompositeExtract, component, vec![id(products), lit(0)]);
        for n in 1..n {
            let next = self.e.b.op(Spv::CompositeExtract, component, vec![id(products), lit(n)]);
            sum = self.e.b.op(Spv::IAdd, component, ids(&[sum, next]));
        }
        Ok(sum)
    }

    fn bits(&mut self, op: BitOp, word: Word, scalar: Scalar, n: u32) -> Result<Word> {
        match scalar.size() {
            4 => {
                let ty = self.e.vector_type(scalar, n);
                Ok(self.bits32(op, word, ty, scalar.is_signed()))
            }
            2 => self.bits16(op, word, scalar, n),
            _ if n == 1 => self.bits64(op, word, scalar),
            _ => {
                let component = self.e.scalar_type(scalar);
                let mut parts = Vec::with_capacity(n as usize);
                for n in 0..n {
                    let part = self.e.b.op(Spv::CompositeExtract, component, vec![id(word), lit(n)]);
                    parts.push(self.bits64(op, part, scalar)?);
                }
                let ty = self.e.vector_type(scalar, n);
                Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&parts)))
            }
        }
    }

    fn bits32(&mut self, op: BitOp, word: Word, ty: Word, signed: bool) -> Word {
        match op {
            BitOp::Count => self.e.b.op(Spv::BitCount, ty, vec![id(word)]),
            BitOp::Reverse => self.e.b.op(Spv::BitReverse, ty, vec![id(word)]),
            BitOp::Low => self.e.b.glsl_op(GlslStd450Op::FindILsb, ty, &[word]),
            BitOp::High if signed => self.e.b.glsl_op(GlslStd450Op::FindSMsb, ty, &[word]),
            BitOp::High => self.e.b.glsl_op(GlslStd450Op::FindUMsb, ty, &[word]),
        }
    }

    /// Emits a 16-bit function on operands extended to 32 bits: by the sign for the highest bit, by zeros otherwise.
    /// All ones stay all ones.
    fn bits16(&mut self, op: BitOp, word: Word, scalar: Scalar, n: u32) -> Result<Word> {
        let signed = scalar.is_signed() && op == BitOp::High;
        let wide = if signed { Scalar::I32 } else { Scalar::U32 };
        let narrow_type = Type::vector_of(scalar, n);
        let unsigned = Type::vector_of(if signed { Scalar::I16 } else { Scalar::U16 }, n);
        let wide_type = Type::vector_of(wide, n);
        let word = self.convert_numeric(word, &narrow_type, &unsigned)?;
        let word = self.convert_numeric(word, &unsigned, &wide_type)?;
        let ty = self.e.vector_type(wide, n);
        let mut word = self.bits32(op, word, ty, signed);
        if op == BitOp::Reverse {
            let sixteen = self.e.splat_constant(ScalarConst { ty: wide, bits: 16 }, n);
            word = self.e.b.op(Spv::ShiftRightLogical, ty, ids(&[word, sixteen]));
        }
        self.convert_numeric(word, &wide_type, &narrow_type)
    }

    /// Emits a 64-bit function from the two halves.
    fn bits64(&mut self, op: BitOp, word: Word, scalar: Scalar) -> Result<Word> {
        let (wide, narrow) = (self.e.scalar_type(scalar), self.e.scalar_type(Scalar::U32));
        let (pair, boolean) = (self.e.vector_type(Scalar::U32, 2), self.e.scalar_type(Scalar::Bool));
        let mut word = word;
        if op == BitOp::High && scalar.is_signed() {
            // The highest bit that differs from the sign is the highest set bit of the value or its complement.
            let last = self.e.scalar_constant(ScalarConst { ty: scalar, bits: 63 });
            let sign = self.e.b.op(Spv::ShiftRightArithmetic, wide, ids(&[word, last]));
            word = self.e.b.op(Spv::BitwiseXor, wide, ids(&[word, sign]));
        }
        let halves = self.e.b.op(Spv::Bitcast, pair, vec![id(word)]);
        let low = self.e.b.op(Spv::CompositeExtract, narrow, vec![id(halves), lit(0)]);
        let high = self.e.b.op(Spv::CompositeExtract, narrow, vec![id(halves), lit(1)]);
        let (low_bits, high_bits) = (self.bits32(op, low, narrow, false), self.bits32(op, high, narrow, false));
        let (first, rest, test) = match op {
            BitOp::Reverse => {
                let swapped = self.e.b.op(Spv::CompositeConstruct, pair, ids(&[high_bits, low_bits]));
                return Ok(self.e.b.op(Spv::Bitcast, wide, vec![id(swapped)]));
            }
            BitOp::Count => {
                let sum = self.e.b.op(Spv::IAdd, narrow, ids(&[low_bits, high_bits]));
                return self.convert_numeric(sum, &Type::U32, &Type::Scalar(scalar));
            }
            BitOp::Low => (low_bits, high_bits, low),
            BitOp::High => (high_bits, low_bits, high),
        };
        // The second half counts only if the first is zero. The high half adds 32, but all ones (none found) must stay.
        // So 32 is or-ed: that adds it to an index below 32 and keeps all ones.
        let offset = self.e.u32_constant(32);
        let zero = self.e.u32_constant(0);
        let found = self.e.b.op(Spv::INotEqual, boolean, ids(&[test, zero]));
        let (first, rest) = if op == BitOp::Low {
            (first, self.e.b.op(Spv::BitwiseOr, narrow, ids(&[rest, offset])))
        } else {
            (self.e.b.op(Spv::BitwiseOr, narrow, ids(&[first, offset])), rest)
        };
        let index = self.e.b.op(Spv::Select, narrow, ids(&[found, first, rest]));
        // Convert through i32, so that all ones are extended as such.
        let index = self.convert_numeric(index, &Type::U32, &Type::I32)?;
        self.convert_numeric(index, &Type::I32, &Type::Scalar(scalar))
    }
}
