//! `Select`: one instruction from SPIR-V 1.4 on, and its replacement in older versions.
//!
//! Older versions select scalars and vectors only, and vectors by a vector of conditions.

use super::{FunctionEmitter, Result};
use crate::builder::{id, ids, lit};
use rspirv::spirv::{Op as Spv, Word};
use wgc_ir::{Scalar, Type};

impl FunctionEmitter<'_, '_> {
    /// Emits the selection of `[condition, then, otherwise]`; `one`: the condition is a scalar.
    pub(super) fn select(&mut self, [cond, then, otherwise]: [Word; 3], one: bool, ty: &Type) -> Result<Word> {
        let word = self.e.value_type(ty)?;
        let parts: Vec<Type> = match ty {
            Type::Vector(_, n) if one && !self.e.target.environment.has_whole_interfaces() => {
                let bools = self.e.vector_type(Scalar::Bool, u32::from(*n));
                let cond = self.e.b.op(Spv::CompositeConstruct, bools, vec![id(cond); usize::from(*n)]);
                return Ok(self.e.b.op(Spv::Select, word, ids(&[cond, then, otherwise])));
            }
            _ if self.e.target.environment.has_whole_interfaces() => Vec::new(),
            Type::Struct(s) if s.fields.is_empty() => return Ok(then),
            Type::Struct(s) => s.fields.iter().map(|f| f.ty.clone()).collect(),
            Type::Array { element, len, .. } => vec![(**element).clone(); *len as usize],
            _ => Vec::new(),
        };
        if parts.is_empty() {
            return Ok(self.e.b.op(Spv::Select, word, ids(&[cond, then, otherwise])));
        }
        let mut words = Vec::with_capacity(parts.len());
        for (n, ty) in (0u32..).zip(&parts) {
            let part = self.e.value_type(ty)?;
            let [then, otherwise] =
                [then, otherwise].map(|whole| self.e.b.op(Spv::CompositeExtract, part, vec![id(whole), lit(n)]));
            words.push(self.select([cond, then, otherwise], one, ty)?);
        }
        Ok(self.e.b.op(Spv::CompositeConstruct, word, ids(&words)))
    }
}
