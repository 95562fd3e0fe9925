//! Matrices as SPIR-V types, and places inside them.
//!
//! OpTypeMatrix holds floats and has two to four columns of two to four components. An HLSL row is its column, so that
//! `m[i]` is an element of it. Memory in HLSL's column-major order is therefore decorated RowMajor, and vice versa. The
//! decoration is on the member of the enclosing structure.
//!
//! Every other matrix (integers, bool, one row, one column) is an array of its rows as a value, and an array of rows or
//! columns in memory. If that array would be a single vector, or scalars without gaps, it is a vector in memory. The
//! reason is that arrays in uniform buffers have strides of 16.

use crate::EmitError;
use crate::builder::{id, lit};
use crate::emitter::Emitter;
use crate::place::{Content, Place};
use crate::types::{Layout, LayoutKind, Relation, Role};
use rspirv::spirv::{Decoration, Op, Word};
use wgc_ir::{MatrixType, Scalar, Type};

/// Returns whether SPIR-V has a type for the matrix.
pub(crate) fn is_native(m: MatrixType) -> bool {
    m.scalar.is_float() && m.rows > 1 && m.columns > 1
}

/// Returns the matrix of a field that is a matrix or an array of matrices, if the field's decorations give its layout.
pub(crate) fn decorated(mut ty: &Type) -> Option<MatrixType> {
    loop {
        match ty {
            Type::Array { element, .. } | Type::RuntimeArray { element, .. } => ty = element,
            Type::Matrix(m) if is_native(*m) => return Some(*m),
            _ => return None,
        }
    }
}

/// Returns the components of the vector in memory for a matrix of one row or one column.
pub(crate) fn single_vector(m: MatrixType) -> Option<u32> {
    match m.stored() {
        (1, length) => Some(length),
        (count, 1) if m.layout.stride == m.scalar.size() => Some(count),
        _ => None,
    }
}

impl Emitter<'_> {
    /// Returns the type of a matrix as a value.
    pub fn matrix_type(&mut self, m: MatrixType) -> Word {
        let row = self.vector_type(m.scalar, u32::from(m.columns));
        if is_native(m) {
            return self.b.intern(Op::TypeMatrix, None, vec![id(row), lit(u32::from(m.rows))]);
        }
        let rows = self.u32_constant(u32::from(m.rows));
        self.b.intern(Op::TypeArray, None, vec![id(row), id(rows)])
    }

    pub fn matrix_layout(&mut self, m: MatrixType) -> Layout {
        let half = m.scalar.size() == 2;
        let kind = LayoutKind::Matrix(m);
        if is_native(m) {
            return Layout { word: self.matrix_type(m), kind, shape: Relation::Same, half };
        }
        let (count, length) = m.stored();
        let stored = if m.scalar == Scalar::Bool { Scalar::U32 } else { m.scalar };
        if let Some(components) = single_vector(m) {
            return Layout { word: self.vector_type(stored, components), kind, shape: Relation::Members, half };
        }
        let (vector, count) = (self.vector_type(stored, length), self.u32_constant(count));
        let word = self.b.unique(Op::TypeArray, None, vec![id(vector), id(count)]);
        self.b.decorate(word, Decoration::ArrayStride, &[m.layout.stride]);
        let is_value = m.layout.row_major && m.scalar != Scalar::Bool;
        Layout { word, kind, shape: if is_value { Relation::Copy } else { Relation::Members }, half }
    }

    /// Decorates a member of a structure with the layout of its matrices.
    pub fn decorate_matrix(&mut self, structure: Word, member: u32, m: MatrixType) {
        let order = if m.layout.row_major { Decoration::ColMajor } else { Decoration::RowMajor };
        self.b.member_decorate(structure, member, order, &[]);
        self.b.member_decorate(structure, member, Decoration::MatrixStride, &[m.layout.stride]);
    }

    /// Moves a place to a row of a matrix in memory with a layout.
    pub fn enter_row(&mut self, place: &mut Place, m: MatrixType, row: Word) -> Result<(), EmitError> {
        if single_vector(m).is_some() {
            place.content = Content::Memory(self.layout_of(&m.row(), Role::Plain)?);
            // The only row is the whole vector.
            if m.rows > 1 {
                place.align = place.align.min(m.scalar.size());
                place.indexes.push(row);
            }
            return Ok(());
        }
        if is_native(m) || m.layout.row_major {
            place.content = Content::Memory(self.layout_of(&m.row(), Role::Plain)?);
            let step = if m.layout.row_major { m.layout.stride } else { m.scalar.size() };
            place.align = crate::place::offset_align(place.align, step);
            place.indexes.push(row);
            return Ok(());
        }
        place.content = Content::Row { matrix: m, row };
        Ok(())
    }

    /// Moves a place to a component of a row that is not contiguous.
    pub fn enter_component(
        &mut self,
        place: &mut Place,
        m: MatrixType,
        row: Word,
        column: Word,
    ) -> Result<(), EmitError> {
        place.content = Content::Memory(self.layout_of(&Type::Scalar(m.scalar), Role::Plain)?);
        place.align = place.align.min(m.scalar.size());
        place.indexes.push(column);
        if m.rows > 1 {
            place.indexes.push(row);
        }
        Ok(())
    }
}
