//! Rows for values: types' sizes, constants, lookups.

use super::{MAX_ROWS, Result, Translator, Value};
use crate::cpu::program::{Footprint, Row};
use wgc_spirv_module::module::Def;
use wgc_spirv_module::{Id, Type};

impl Translator<'_> {
    pub(super) fn rows(&mut self, n: u32) -> Result<Row> {
        let row = self.program.rows;
        match row.checked_add(n) {
            Some(end) if end <= MAX_ROWS => {
                self.program.rows = end;
                Ok(row)
            }
            _ => Err(format!("it needs more than {MAX_ROWS} scalar registers")),
        }
    }

    pub(super) fn ty(&self, id: Id) -> Result<&Type> {
        self.m.ty(id).ok_or_else(|| format!("%{id} is not a type"))
    }

    /// Returns the number of rows of a value of this type.
    pub(super) fn count(&self, ty: Id) -> Result<u32> {
        match self.ty(ty)? {
            Type::Image(_) | Type::Sampler | Type::Other { .. } => Ok(1),
            Type::SampledImage { .. } => Ok(2),
            Type::NodePayloadArray { .. } => {
                Err("a payload array is used by value: revision 2 has no such value, and no record would be sent"
                    .into())
            }
            other => match self.m.scalar_count(ty) {
                Some(count) => Ok(count as u32),
                None => Err(format!("{other:?} cannot be the type of a value")),
            },
        }
    }

    pub(super) fn new_value(&mut self, ty: Id) -> Result<Value> {
        let n = self.count(ty)?;
        Ok(Value { row: self.rows(n)?, n })
    }

    /// Returns a row with `bits` in every lane.
    pub(super) fn constant(&mut self, bits: u64) -> Result<Row> {
        if let Some(row) = self.constants.get(&bits) {
            return Ok(*row);
        }
        let row = self.rows(1)?;
        self.constants.insert(bits, row);
        self.program.constants.push((row, bits));
        Ok(row)
    }

    /// Returns `n` consecutive rows of one constant.
    pub(super) fn splat(&mut self, bits: u64, n: u32) -> Result<Row> {
        if n == 1 {
            return self.constant(bits);
        }
        let row = self.rows(n)?;
        self.program.constants.extend((0..n).map(|i| (row + i, bits)));
        Ok(row)
    }

    /// Returns `n` undefined rows. They are 0.
    pub(super) fn undefined(&mut self, n: u32) -> Result<Row> {
        let row = self.rows(n)?;
        self.program.undefined.push((row, n));
        Ok(row)
    }

    pub(super) fn value(&mut self, id: Id) -> Result<Value> {
        if let Some(value) = self.values.get(&id) {
            return Ok(*value);
        }
        let constant = self.m.constants.get(&id);
        if constant.is_some_and(|c| c.value == wgc_spirv_module::constant::Value::Undef) {
            let n = self.count(self.m.type_of(id))?;
            let value = Value { row: self.undefined(n)?, n };
            self.values.insert(id, value);
            return Ok(value);
        }
        if self.m.def(id) == Def::Constant {
            let scalars = self
                .m
                .constant_scalars(id)
                .ok_or_else(|| format!("it has a constant that is too large, {}", self.m.describe(id)))?;
            let value = match scalars.as_slice() {
                [bits] => Value { row: self.constant(*bits)?, n: 1 },
                _ => {
                    let row = self.rows(scalars.len() as u32)?;
                    self.program.constants.extend((row..).zip(scalars.iter().copied()));
                    Value { row, n: scalars.len() as u32 }
                }
            };
            self.values.insert(id, value);
            return Ok(value);
        }
        Err(format!("{} has no value here", self.m.describe(id)))
    }

    /// Returns the row of a value that must have one row.
    pub(super) fn scalar(&mut self, id: Id) -> Result<Row> {
        match self.value(id)? {
            Value { row, n: 1 } => Ok(row),
            _ => Err(format!("{} is not a scalar", self.m.describe(id))),
        }
    }

    /// Returns the bits of a number's scalar type (1 for booleans), and whether it is a signed integer.
    pub(super) fn width(&self, ty: Id) -> Result<(u32, bool)> {
        match self.m.scalar_type(ty) {
            Some(Type::Int { width, signed }) => Ok((*width, *signed)),
            Some(Type::Float { width }) => Ok((*width, false)),
            Some(Type::Bool) => Ok((1, false)),
            _ => match self.m.ty(ty) {
                Some(Type::Pointer { .. }) => Ok((64, false)),
                _ => Err(format!("%{ty} is not a type of numbers")),
            },
        }
    }

    pub(super) fn width_of(&self, id: Id) -> Result<(u32, bool)> {
        self.width(self.m.type_of(id))
    }

    pub(super) fn is_float(&self, ty: Id) -> bool {
        matches!(self.m.scalar_type(ty), Some(Type::Float { .. }))
    }

    /// Returns the number of a footprint in the program.
    pub(super) fn intern(&mut self, footprint: Footprint) -> u32 {
        if let Some(index) = self.footprints.get(&footprint) {
            return *index;
        }
        let index = self.program.footprints.len() as u32;
        self.footprints.insert(footprint.clone(), index);
        self.program.footprints.push(footprint);
        index
    }

    pub(super) fn constant_u32(&self, id: Id) -> Result<u32> {
        self.m.constant_u32(id).ok_or_else(|| format!("{} is not a 32-bit constant", self.m.describe(id)))
    }
}
