//! Constants: scalars from bits, composites, zeros and undefined values, each once per module.

use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::emitter::Emitter;
use crate::globals::EmittedGlobal;
use rspirv::dr::Operand;
use rspirv::spirv::{Decoration, Op, Word};
use wgc_ir::spec_value::SpecKind;
use wgc_ir::{
    Constant, GraphConstant, Scalar, ScalarConst, SpecOp, SpecStep, SpecValue, Specialised, Symbol, Type,
    specialised_by,
};

/// Returns the words of a number. A narrow number is sign-extended or zero-extended to a word by its type.
fn literal(constant: ScalarConst) -> Vec<Operand> {
    let low = constant.bits as u32;
    vec![match constant.ty {
        Scalar::I16 => lit(i32::from(low as i16) as u32),
        Scalar::U16 | Scalar::F16 => lit(low & 0xffff),
        Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => lit(low),
        Scalar::I64 | Scalar::U64 | Scalar::F64 => Operand::LiteralBit64(constant.bits),
    }]
}

/// Returns the instruction for an operation on unsigned words.
fn spec_op(op: SpecOp) -> Op {
    match op {
        SpecOp::Add => Op::IAdd,
        SpecOp::Sub | SpecOp::Neg => Op::ISub,
        SpecOp::Mul => Op::IMul,
        SpecOp::UDiv => Op::UDiv,
        SpecOp::SDiv => Op::SDiv,
        SpecOp::URem => Op::UMod,
        SpecOp::SRem => Op::SRem,
        SpecOp::Shl => Op::ShiftLeftLogical,
        SpecOp::UShr => Op::ShiftRightLogical,
        SpecOp::SShr => Op::ShiftRightArithmetic,
        SpecOp::And => Op::BitwiseAnd,
        SpecOp::Or => Op::BitwiseOr,
        SpecOp::Xor => Op::BitwiseXor,
        SpecOp::Not => Op::Not,
        SpecOp::Eq => Op::IEqual,
        SpecOp::Ne => Op::INotEqual,
        SpecOp::ULt => Op::ULessThan,
        SpecOp::ULe => Op::ULessThanEqual,
        SpecOp::SLt => Op::SLessThan,
        SpecOp::SLe => Op::SLessThanEqual,
        SpecOp::BothTrue => Op::LogicalAnd,
        SpecOp::AnyTrue => Op::LogicalOr,
        SpecOp::Untrue => Op::LogicalNot,
        SpecOp::Select => Op::Select,
    }
}

impl Emitter<'_> {
    pub fn u32_constant(&mut self, value: u32) -> Word {
        self.scalar_constant(ScalarConst { ty: Scalar::U32, bits: u64::from(value) })
    }

    pub fn bool_constant(&mut self, value: bool) -> Word {
        self.scalar_constant(ScalarConst { ty: Scalar::Bool, bits: u64::from(value) })
    }

    pub fn scalar_constant(&mut self, constant: ScalarConst) -> Word {
        let ty = self.scalar_type(constant.ty);
        match constant.ty {
            Scalar::Bool if constant.bits != 0 => self.b.constant(Op::ConstantTrue, ty, Vec::new()),
            Scalar::Bool => self.b.constant(Op::ConstantFalse, ty, Vec::new()),
            _ => self.b.constant(Op::Constant, ty, literal(constant)),
        }
    }

    /// Adds a constant that hosts may set by its SpecId.
    pub fn spec_constant(&mut self, spec_id: u32, default: ScalarConst) -> Word {
        let ty = self.scalar_type(default.ty);
        let (op, operands) = match default.ty {
            Scalar::Bool if default.bits != 0 => (Op::SpecConstantTrue, Vec::new()),
            Scalar::Bool => (Op::SpecConstantFalse, Vec::new()),
            _ => (Op::SpecConstant, literal(default)),
        };
        let word = self.b.unique(op, Some(ty), operands);
        self.b.decorate(word, Decoration::SpecId, &[spec_id]);
        word
    }

    /// Returns a number of the graph as a u32 constant: the value of its specialisation constant, or the number itself.
    pub fn number(&mut self, specialised: &Specialised, what: GraphConstant, number: u32) -> Result<Word, EmitError> {
        match specialised_by(specialised, what) {
            Some(value) => self.spec_value(value),
            None => Ok(self.u32_constant(number)),
        }
    }

    /// Evaluates the steps of a specialised value. All integers are u32: signed operations accept them as well.
    fn spec_value(&mut self, value: &SpecValue) -> Result<Word, EmitError> {
        let mut stack: Vec<Word> = Vec::new();
        for step in &value.0 {
            let word = match step {
                SpecStep::Constant(name) => match self.spec_global(name)? {
                    (word, Scalar::U32) => word,
                    // Shaders cannot bit-cast specialisation constants; an addition may change the signedness.
                    (word, Scalar::I32) => {
                        let zero = self.u32_constant(0);
                        self.spec_sum(word, zero)
                    }
                    _ => return Err(EmitError::new(format!("`{name}` is not a constant of a 32-bit integer"))),
                },
                SpecStep::Truth(name) => match self.spec_global(name)? {
                    (word, Scalar::Bool) => word,
                    _ => return Err(EmitError::new(format!("`{name}` is not a constant of type bool"))),
                },
                SpecStep::Number(number) => self.u32_constant(*number),
                SpecStep::Op(op) => {
                    let (takes, leaves) = op.kinds();
                    let first = stack.len().checked_sub(takes.len());
                    let mut args = first.map(|first| stack.split_off(first)).unwrap_or_default();
                    // Unsigned types have no negation.
                    let op = match op {
                        SpecOp::Neg => {
                            args.insert(0, self.u32_constant(0));
                            Op::ISub
                        }
                        op => spec_op(*op),
                    };
                    let ty = if leaves == SpecKind::Truth { Scalar::Bool } else { Scalar::U32 };
                    self.spec_op(op, ty, &args)
                }
            };
            stack.push(word);
        }
        match stack[..] {
            [word] => Ok(word),
            _ => Err(EmitError::new("the specialised attribute has no value left")),
        }
    }

    fn spec_global(&mut self, name: &Symbol) -> Result<(Word, Scalar), EmitError> {
        let ty = self.module.globals.get(name).map(|g| g.value_type());
        match (self.global(name)?, ty) {
            (EmittedGlobal::Constant { word }, Some(Type::Scalar(scalar))) => Ok((word, scalar)),
            _ => Err(EmitError::new(format!("`{name}` is not a specialisation constant"))),
        }
    }

    fn spec_op(&mut self, op: Op, ty: Scalar, args: &[Word]) -> Word {
        let ty = self.scalar_type(ty);
        let mut operands = vec![Operand::LiteralSpecConstantOpInteger(op)];
        operands.extend(ids(args));
        self.b.intern(Op::SpecConstantOp, Some(ty), operands)
    }

    /// Returns the sum of two 32-bit integer constants, one of them a specialisation constant.
    pub fn spec_sum(&mut self, a: Word, b: Word) -> Word {
        self.spec_op(Op::IAdd, Scalar::U32, &[a, b])
    }

    /// Returns a scalar constant, or a vector of `n` equal components.
    pub fn splat_constant(&mut self, constant: ScalarConst, n: u32) -> Word {
        let scalar = self.scalar_constant(constant);
        self.splat_of(scalar, constant.ty, n)
    }

    fn splat_of(&mut self, scalar: Word, ty: Scalar, n: u32) -> Word {
        if n == 1 {
            return scalar;
        }
        let ty = self.vector_type(ty, n);
        self.b.constant(Op::ConstantComposite, ty, ids(&vec![scalar; n as usize]))
    }

    /// Returns zero of a value type.
    pub fn zero(&mut self, ty: &Type) -> Result<Word, EmitError> {
        match ty {
            Type::Scalar(scalar) => Ok(self.scalar_constant(ScalarConst { ty: *scalar, bits: 0 })),
            _ => {
                let ty = self.value_type(ty)?;
                Ok(self.b.constant(Op::ConstantNull, ty, Vec::new()))
            }
        }
    }

    /// Returns an undefined value. It does not count as a constant, so that no constant contains it.
    pub fn undef(&mut self, ty: &Type) -> Result<Word, EmitError> {
        let ty = self.value_type(ty)?;
        Ok(self.b.intern(Op::Undef, Some(ty), Vec::new()))
    }

    /// Returns a constant of a value type.
    pub fn composite_constant(&mut self, ty: &Type, constant: &Constant) -> Result<Word, EmitError> {
        let parts = match constant {
            Constant::Zero => return self.zero(ty),
            Constant::Scalar(scalar) if *ty == Type::Scalar(scalar.ty) => return Ok(self.scalar_constant(*scalar)),
            Constant::Scalar(_) => return Err(EmitError::new("a constant does not have the type of its global")),
            Constant::Composite(parts) => parts,
        };
        let types: Vec<Type> = match ty {
            Type::Vector(scalar, n) => vec![Type::Scalar(*scalar); usize::from(*n)],
            Type::Matrix(m) => vec![m.row(); usize::from(m.rows)],
            Type::Array { element, len, .. } if *len as usize == parts.len() => vec![(**element).clone(); parts.len()],
            Type::Struct(s) => s.fields.iter().map(|f| f.ty.clone()).collect(),
            _ => Vec::new(),
        };
        if types.len() != parts.len() {
            return Err(EmitError::new("a constant has the wrong number of elements for its type"));
        }
        let operands = types
            .iter()
            .zip(parts)
            .map(|(ty, part)| self.composite_constant(ty, part).map(id))
            .collect::<Result<Vec<_>, _>>()?;
        let ty = self.value_type(ty)?;
        Ok(self.b.constant(Op::ConstantComposite, ty, operands))
    }
}
