//! Matrices without a SPIR-V type, converted between their rows and memory in another order.

use super::{FunctionEmitter, Result};
use crate::builder::{id, ids, lit};
use crate::matrix::single_vector;
use crate::place::Place;
use rspirv::spirv::{Op as Spv, Word};
use wgc_ir::{MatrixType, Scalar, Type};

impl FunctionEmitter<'_, '_> {
    /// Returns the value of a matrix from the vector, or array of vectors, in memory.
    pub(super) fn matrix_from_memory(&mut self, m: MatrixType, word: Word) -> Result<Word> {
        let (count, length) = m.stored();
        let stored = if m.scalar == Scalar::Bool { Scalar::U32 } else { m.scalar };
        if let Some(components) = single_vector(m) {
            let whole = self.each(vec![word], (stored, m.scalar), components)?;
            let rows = if m.rows == 1 { whole } else { self.vectors(whole[0], m.scalar, components, 1) };
            let ty = self.e.matrix_type(m);
            return Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&rows)));
        }
        let vectors = self.vectors(word, stored, count, length);
        let vectors = self.each(vectors, (stored, m.scalar), length)?;
        let rows = if m.layout.row_major { vectors } else { self.turned(&vectors, m.scalar, length) };
        let ty = self.e.matrix_type(m);
        Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&rows)))
    }

    /// Returns the vector, or array of vectors, for memory of type `target` from a matrix value.
    pub(super) fn matrix_to_memory(&mut self, m: MatrixType, word: Word, target: Word) -> Result<Word> {
        let (_, length) = m.stored();
        let stored = if m.scalar == Scalar::Bool { Scalar::U32 } else { m.scalar };
        let rows = self.vectors(word, m.scalar, u32::from(m.rows), u32::from(m.columns));
        if single_vector(m).is_some() {
            let parts = self.each(rows, (m.scalar, stored), u32::from(m.columns))?;
            return Ok(match parts.as_slice() {
                [only] => *only,
                _ => self.e.b.op(Spv::CompositeConstruct, target, ids(&parts)),
            });
        }
        let vectors = if m.layout.row_major { rows } else { self.turned(&rows, m.scalar, u32::from(m.columns)) };
        let vectors = self.each(vectors, (m.scalar, stored), length)?;
        Ok(self.e.b.op(Spv::CompositeConstruct, target, ids(&vectors)))
    }

    /// Loads a row with components that are not contiguous.
    pub(super) fn load_row(&mut self, place: &Place, m: MatrixType, row: Word) -> Result<Word> {
        let mut parts = Vec::new();
        for column in 0..u32::from(m.columns) {
            let part = self.component(place, m, row, column)?;
            parts.push(self.load_place(&part, &Type::Scalar(m.scalar))?);
        }
        let ty = self.e.vector_type(m.scalar, u32::from(m.columns));
        Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&parts)))
    }

    pub(super) fn store_row(&mut self, place: &Place, m: MatrixType, row: Word, value: Word) -> Result {
        let scalar = self.e.scalar_type(m.scalar);
        for column in 0..u32::from(m.columns) {
            let target = self.component(place, m, row, column)?;
            let part = self.e.b.op(Spv::CompositeExtract, scalar, vec![id(value), lit(column)]);
            self.store_place(&target, part, &Type::Scalar(m.scalar))?;
        }
        Ok(())
    }

    fn component(&mut self, place: &Place, m: MatrixType, row: Word, column: u32) -> Result<Place> {
        let mut place = place.clone();
        let column = self.e.u32_constant(column);
        self.e.enter_component(&mut place, m, row, column)?;
        Ok(place)
    }

    /// Returns the elements of an array of `count` vectors.
    fn vectors(&mut self, array: Word, scalar: Scalar, count: u32, length: u32) -> Vec<Word> {
        let ty = self.e.vector_type(scalar, length);
        (0..count).map(|n| self.e.b.op(Spv::CompositeExtract, ty, vec![id(array), lit(n)])).collect()
    }

    fn each(&mut self, vectors: Vec<Word>, (from, to): (Scalar, Scalar), length: u32) -> Result<Vec<Word>> {
        let (from, to) = (Type::vector_of(from, length), Type::vector_of(to, length));
        vectors.into_iter().map(|vector| self.convert_numeric(vector, &from, &to)).collect()
    }

    /// Transposes: returns `length` vectors of the n-th components of vectors of that length.
    fn turned(&mut self, vectors: &[Word], scalar: Scalar, length: u32) -> Vec<Word> {
        let component = self.e.scalar_type(scalar);
        let ty = self.e.vector_type(scalar, vectors.len() as u32);
        let mut out = Vec::new();
        for n in 0..length {
            let parts: Vec<Word> = match length {
                1 => vectors.to_vec(),
                _ => vectors
                    .iter()
                    .map(|&v| self.e.b.op(Spv::CompositeExtract, component, vec![id(v), lit(n)]))
                    .collect(),
            };
            out.push(match parts.as_slice() {
                [only] => *only,
                _ => self.e.b.op(Spv::CompositeConstruct, ty, ids(&parts)),
            });
        }
        out
    }
}
