//! Numeric conversions, and conversions between a value and its layout in memory.

use super::{FunctionEmitter, Result};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::types::{LayoutId, LayoutKind, Relation};
use rspirv::spirv::{Op as Spv, Word};
use wgc_ir::{Scalar, ScalarConst, Type, ValueId};

/// Returns the bits of one in a scalar type.
fn one(scalar: Scalar) -> ScalarConst {
    let bits = match scalar {
        Scalar::F16 => 0x3c00,
        Scalar::F32 => u64::from(1f32.to_bits()),
        Scalar::F64 => 1f64.to_bits(),
        _ => 1,
    };
    ScalarConst { ty: scalar, bits }
}

/// Returns the integer type of the same width with this signedness.
fn with_sign(scalar: Scalar, signed: bool) -> Scalar {
    match (scalar.size(), signed) {
        (2, true) => Scalar::I16,
        (2, false) => Scalar::U16,
        (8, true) => Scalar::I64,
        (8, false) => Scalar::U64,
        (_, true) => Scalar::I32,
        (_, false) => Scalar::U32,
    }
}

impl FunctionEmitter<'_, '_> {
    pub(super) fn convert(&mut self, operand: ValueId, to: &Type) -> Result<Word> {
        let word = self.word(operand)?;
        let from = self.ty(operand)?;
        self.convert_numeric(word, from, to)
    }

    /// Emits HLSL's casts between scalars or vectors of equal size.
    pub(super) fn convert_numeric(&mut self, word: Word, from: &Type, to: &Type) -> Result<Word> {
        let (Some(a), Some(b), Some(n)) = (from.scalar(), to.scalar(), to.components()) else {
            return Err(EmitError::new(format!("a conversion from {from} to {to}")));
        };
        if a == b {
            return Ok(word);
        }
        let ty = self.e.vector_type(b, n);
        let zero = |e: &mut crate::emitter::Emitter<'_>, s| e.splat_constant(ScalarConst { ty: s, bits: 0 }, n);
        if a == Scalar::Bool {
            let (one, zero) = (self.e.splat_constant(one(b), n), zero(self.e, b));
            return Ok(self.e.b.op(Spv::Select, ty, vec![id(word), id(one), id(zero)]));
        }
        if b == Scalar::Bool {
            // NaN is true, hence the unordered comparison.
            let op = if a.is_float() { Spv::FUnordNotEqual } else { Spv::INotEqual };
            let zero = zero(self.e, a);
            return Ok(self.e.b.op(op, ty, vec![id(word), id(zero)]));
        }
        let op = match (a.is_float(), b.is_float()) {
            (true, true) => Spv::FConvert,
            (true, false) if b.is_signed() => Spv::ConvertFToS,
            (true, false) => Spv::ConvertFToU,
            (false, true) if a.is_signed() => Spv::ConvertSToF,
            (false, true) => Spv::ConvertUToF,
            (false, false) if a.size() == b.size() => Spv::Bitcast,
            (false, false) => return Ok(self.resize(word, a, b, n)),
        };
        Ok(self.e.b.op(op, ty, vec![id(word)]))
    }

    /// Resizes integers: they are extended by the sign of the source, then reinterpreted as the result type.
    fn resize(&mut self, word: Word, from: Scalar, to: Scalar, n: u32) -> Word {
        let (op, resized) =
            if from.is_signed() { (Spv::SConvert, with_sign(to, true)) } else { (Spv::UConvert, with_sign(to, false)) };
        let ty = self.e.vector_type(resized, n);
        let word = self.e.b.op(op, ty, vec![id(word)]);
        if resized == to {
            return word;
        }
        let ty = self.e.vector_type(to, n);
        self.e.b.op(Spv::Bitcast, ty, vec![id(word)])
    }

    /// Converts a value of the memory type to the value type.
    pub(super) fn value_from(&mut self, layout: LayoutId, word: Word, ty: &Type) -> Result<Word> {
        let relation = self.e.layout(layout).shape;
        let target = self.e.value_type(ty)?;
        match (relation, self.e.layout(layout).kind.clone()) {
            (Relation::Same, _) => Ok(word),
            (_, LayoutKind::Struct(fields)) if fields.is_empty() => self.e.zero(ty),
            (Relation::Copy, _) if self.e.target.environment.has_whole_interfaces() => {
                Ok(self.e.b.op(Spv::CopyLogical, target, vec![id(word)]))
            }
            (_, LayoutKind::Matrix(m)) => self.matrix_from_memory(m, word),
            (_, LayoutKind::Scalar) => self.convert_numeric(word, &Type::U32, ty),
            (_, LayoutKind::Vector(_, n)) => self.convert_numeric(word, &Type::Vector(Scalar::U32, n), ty),
            (_, LayoutKind::GridArray { scalar, len }) => {
                let component = self.e.scalar_type(scalar);
                let parts: Vec<Word> = match len {
                    1 => vec![word],
                    _ => (0..len).map(|n| self.part(component, word, n)).collect(),
                };
                Ok(self.e.b.op(Spv::CompositeConstruct, target, ids(&parts)))
            }
            (_, kind) => {
                let parts = self.members(&kind, ty)?;
                let mut words = Vec::with_capacity(parts.len());
                for (n, (inner, ty)) in (0u32..).zip(parts) {
                    let stored = self.e.layout(inner).word;
                    let part = self.part(stored, word, n);
                    words.push(self.value_from(inner, part, &ty)?);
                }
                Ok(self.e.b.op(Spv::CompositeConstruct, target, ids(&words)))
            }
        }
    }

    /// Converts a value of the value type to the memory type.
    pub(super) fn memory_from(&mut self, layout: LayoutId, word: Word, ty: &Type) -> Result<Word> {
        let (relation, target) = (self.e.layout(layout).shape, self.e.layout(layout).word);
        match (relation, self.e.layout(layout).kind.clone()) {
            (Relation::Same, _) => Ok(word),
            (_, LayoutKind::Struct(fields)) if fields.is_empty() => {
                Ok(self.e.b.constant(Spv::ConstantNull, target, Vec::new()))
            }
            (Relation::Copy, _) if self.e.target.environment.has_whole_interfaces() => {
                Ok(self.e.b.op(Spv::CopyLogical, target, vec![id(word)]))
            }
            (_, LayoutKind::Matrix(m)) => self.matrix_to_memory(m, word, target),
            (_, LayoutKind::Scalar) => self.convert_numeric(word, ty, &Type::U32),
            (_, LayoutKind::Vector(_, n)) => self.convert_numeric(word, ty, &Type::Vector(Scalar::U32, n)),
            (_, LayoutKind::GridArray { scalar, len }) => {
                let component = self.e.scalar_type(scalar);
                let parts: Vec<Word> = (0..len).map(|n| self.part(component, word, n)).collect();
                match parts.as_slice() {
                    [only] => Ok(*only),
                    _ => Ok(self.e.b.op(Spv::CompositeConstruct, target, ids(&parts))),
                }
            }
            (_, kind) => {
                let parts = self.members(&kind, ty)?;
                let mut words = Vec::with_capacity(parts.len());
                for (n, (inner, ty)) in (0u32..).zip(parts) {
                    let value_type = self.e.value_type(&ty)?;
                    let part = self.part(value_type, word, n);
                    words.push(self.memory_from(inner, part, &ty)?);
                }
                Ok(self.e.b.op(Spv::CompositeConstruct, target, ids(&words)))
            }
        }
    }

    fn part(&mut self, ty: Word, composite: Word, index: u32) -> Word {
        self.e.b.op(Spv::CompositeExtract, ty, vec![id(composite), lit(index)])
    }

    /// Returns layouts and types of the members of an array or structure.
    fn members(&self, kind: &LayoutKind, ty: &Type) -> Result<Vec<(LayoutId, Type)>> {
        match (kind, ty) {
            (LayoutKind::Array { element, len, .. }, Type::Array { element: ty, .. }) => {
                self.e.b.room(*len as usize)?;
                Ok(vec![(*element, (**ty).clone()); *len as usize])
            }
            (LayoutKind::Struct(fields), Type::Struct(s)) if fields.len() == s.fields.len() => {
                Ok(fields.iter().zip(&s.fields).map(|(&(layout, _), f)| (layout, f.ty.clone())).collect())
            }
            _ => Err(EmitError::new(format!("{ty} does not have the shape of its memory"))),
        }
    }
}
