//! Matrices: arithmetic row by row, changes of shape, products, and elements as places.
//!
//! The IR represents matrices as rows. Component-wise HLSL operations apply to each row; a vector, scalar or condition
//! next to matrices applies to every row.

use super::place::Lvalue;
use super::{Lower, Lowerer};
use wgc_ir::{BinaryOp, MathOp, MatrixType, Scalar, Type, ValueId};

/// Returns the matrix type with rows of this type.
fn matrix_of(row: &Type, rows: usize) -> Option<Type> {
    let (scalar, columns) = (row.scalar()?, row.components()?);
    Some(Type::Matrix(MatrixType::tight(scalar, rows as u8, columns as u8, true)))
}

/// Returns component type, rows (0 for a scalar or vector) and components of a row.
fn shape(ty: &Type) -> Option<(Scalar, u32, u32)> {
    match ty {
        Type::Matrix(m) => Some((m.scalar, u32::from(m.rows), u32::from(m.columns))),
        _ => Some((ty.scalar()?, 0, ty.components()?)),
    }
}

impl<'db> Lowerer<'db> {
    pub(super) fn is_matrix(&self, value: ValueId) -> bool {
        matches!(self.b.ty(value), Type::Matrix(_))
    }

    /// Builds a matrix from rows that all have the type of the first.
    fn of_rows(&mut self, rows: Vec<ValueId>) -> Lower<ValueId> {
        let row = self.b.ty(*rows.first()?);
        let ty = matrix_of(&row, rows.len())?;
        Some(self.b.compose(ty, rows))
    }

    fn rows(&mut self, matrix: ValueId) -> Vec<ValueId> {
        let Type::Matrix(m) = self.b.ty(matrix) else { return vec![matrix] };
        (0..u32::from(m.rows)).map(|r| self.b.extract(matrix, r)).collect()
    }

    /// Applies an operation to each row of the matrices among `values`, with the other values unchanged; without a
    /// matrix, once.
    pub(super) fn by_rows(
        &mut self,
        values: &[ValueId],
        mut row: impl FnMut(&mut Self, &[ValueId]) -> Lower<ValueId>,
    ) -> Lower<ValueId> {
        let matrix = values.iter().find_map(|v| match self.b.ty(*v) {
            Type::Matrix(m) => Some(m),
            _ => None,
        });
        let Some(matrix) = matrix else { return row(self, values) };
        let mut rows = Vec::new();
        for r in 0..u32::from(matrix.rows) {
            let mut parts = Vec::new();
            for value in values {
                parts.push(if self.is_matrix(*value) { self.b.extract(*value, r) } else { *value });
            }
            rows.push(row(self, &parts)?);
        }
        self.of_rows(rows)
    }

    pub(super) fn binary(&mut self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Lower<ValueId> {
        self.by_rows(&[lhs, rhs], |this, parts| Some(this.b.binary(op, parts[0], parts[1])))
    }

    /// Lowers `any` and `all` of a matrix.
    pub(super) fn reduce(&mut self, op: MathOp, matrix: ValueId) -> Lower<ValueId> {
        let joined = if op == MathOp::Any { BinaryOp::Or } else { BinaryOp::And };
        let mut result = None;
        for row in self.rows(matrix) {
            let row = if matches!(self.b.ty(row), Type::Scalar(_)) { row } else { self.b.math(op, &[row]) };
            result = Some(match result {
                None => row,
                Some(before) => self.b.binary(joined, before, row),
            });
        }
        result
    }

    // ---- products

    /// Lowers `mul` of a matrix and a matrix, or a vector as a row (left) or column (right).
    pub(super) fn product(&mut self, a: ValueId, b: ValueId) -> Lower<ValueId> {
        let is_plain = |ty: Type| match ty {
            Type::Matrix(m) => m.scalar.is_float() && m.rows > 1 && m.columns > 1,
            Type::Vector(..) => true,
            _ => false,
        };
        if is_plain(self.b.ty(a)) && is_plain(self.b.ty(b)) && (self.is_matrix(a) || self.is_matrix(b)) {
            return Some(self.b.math(MathOp::Product, &[a, b]));
        }
        // Other matrices have no instructions: integers, and single rows and columns.
        match (self.is_matrix(a), self.is_matrix(b)) {
            (true, true) => {
                let right = self.rows(b);
                let mut rows = Vec::new();
                for left in self.rows(a) {
                    rows.push(self.combination(left, &right)?);
                }
                self.of_rows(rows)
            }
            (false, true) => {
                let right = self.rows(b);
                self.combination(a, &right)
            }
            (true, false) => {
                let mut sums = Vec::new();
                for row in self.rows(a) {
                    let scalar = matches!(self.b.ty(row), Type::Scalar(_));
                    sums.push(if scalar { self.b.mul(row, b) } else { self.b.math(MathOp::Dot, &[row, b]) });
                }
                let scalar = self.b.ty(*sums.first()?).scalar()?;
                Some(self.string(Type::vector_of(scalar, sums.len() as u32), sums))
            }
            (false, false) => None,
        }
    }

    /// Returns the sum of rows, each times its component of `factors`.
    fn combination(&mut self, factors: ValueId, rows: &[ValueId]) -> Lower<ValueId> {
        let mut sum = None;
        for (i, row) in rows.iter().enumerate() {
            let factor = self.pick(factors, &[i as u8]);
            let width = self.b.ty(*row).components()?;
            let factor = self.b.splat(factor, width);
            let term = self.b.mul(factor, *row);
            sum = Some(match sum {
                None => term,
                Some(before) => self.b.add(before, term),
            });
        }
        sum
    }

    pub(super) fn transpose(&mut self, matrix: ValueId) -> Lower<ValueId> {
        let Type::Matrix(m) = self.b.ty(matrix) else { return None };
        let rows = self.rows(matrix);
        let mut columns = Vec::new();
        for c in 0..m.columns {
            let parts: Vec<ValueId> = rows.iter().map(|row| self.pick(*row, &[c])).collect();
            columns.push(self.string(Type::vector_of(m.scalar, u32::from(m.rows)), parts));
        }
        self.of_rows(columns)
    }

    // ---- shapes

    /// Converts numbers to another type: the same components in another shape, fewer components, or one to more.
    pub(super) fn adapt(&mut self, value: ValueId, ty: &Type) -> ValueId {
        let from = self.b.ty(value);
        let (Some((_, rows, width)), Some((scalar, want_rows, want_width))) = (shape(&from), shape(ty)) else {
            return value;
        };
        let (have, want) = (rows.max(1) * width, want_rows.max(1) * want_width);
        match (rows, want_rows) {
            _ if from == *ty => value,
            (0, 0) => self.adapt_vector(value, ty),
            _ if have == 1 => {
                let only = self.scalars(value);
                only.first().map_or(value, |only| self.splat(*only, ty))
            }
            (1.., 1..) if want_rows <= rows && want_width <= width => {
                let row = Type::vector_of(scalar, want_width);
                let rows: Vec<ValueId> = self.rows(value).into_iter().take(want_rows as usize).collect();
                let rows = rows.into_iter().map(|r| self.adapt_vector(r, &row)).collect();
                self.b.compose(ty.clone(), rows)
            }
            _ => {
                let scalars: Vec<ValueId> = self.scalars(value).into_iter().take(want as usize).collect();
                let scalars = scalars.into_iter().map(|s| self.b.convert(s, Type::Scalar(scalar))).collect();
                self.string(ty.clone(), scalars)
            }
        }
    }

    fn adapt_vector(&mut self, value: ValueId, ty: &Type) -> ValueId {
        let from = self.b.ty(value);
        let (Some(scalar), Some(have), Some(want)) = (ty.scalar(), from.components(), ty.components()) else {
            return value;
        };
        let value = if have > want {
            let components: Vec<u8> = (0..want as u8).collect();
            self.pick(value, &components)
        } else {
            value
        };
        let value = self.b.convert(value, Type::vector_of(scalar, have.min(want)));
        if have < want { self.b.splat(value, want) } else { value }
    }

    /// Returns all components, row by row.
    fn scalars(&mut self, value: ValueId) -> Vec<ValueId> {
        let mut scalars = Vec::new();
        for row in self.rows(value) {
            let width = self.b.ty(row).components().unwrap_or(1);
            scalars.extend((0..width as u8).map(|c| self.pick(row, &[c])));
        }
        scalars
    }

    /// Builds a scalar, vector or matrix from the concatenated components of numbers.
    pub(super) fn string(&mut self, ty: Type, parts: Vec<ValueId>) -> ValueId {
        let Type::Matrix(m) = ty else {
            return match parts.as_slice() {
                [only] if self.b.ty(*only) == ty => *only,
                _ => {
                    // A matrix among them counts as its rows.
                    let parts = parts.into_iter().flat_map(|p| self.rows(p)).collect::<Vec<_>>();
                    match parts.as_slice() {
                        [only] if self.b.ty(*only) == ty => *only,
                        _ => self.b.compose(ty, parts),
                    }
                }
            };
        };
        let row = m.row();
        let parts: Vec<ValueId> = parts.into_iter().flat_map(|p| self.rows(p)).collect();
        let rows = if parts.iter().all(|p| self.b.ty(*p) == row) {
            parts
        } else {
            let scalars: Vec<ValueId> = parts.into_iter().flat_map(|p| self.scalars(p)).collect();
            let width = usize::from(m.columns);
            scalars.chunks(width).map(|row_parts| self.string(row.clone(), row_parts.to_vec())).collect()
        };
        self.b.compose(ty, rows)
    }

    // ---- elements

    /// Returns elements of a matrix value as a scalar or vector.
    pub(super) fn element_values(&mut self, matrix: ValueId, elements: &[(u8, u8)]) -> Lower<ValueId> {
        let scalar = shape(&self.b.ty(matrix))?.0;
        let mut parts = Vec::new();
        for (r, c) in elements {
            let row = self.b.extract(matrix, u32::from(*r));
            parts.push(self.pick(row, &[*c]));
        }
        Some(self.string(Type::vector_of(scalar, elements.len() as u32), parts))
    }

    /// Returns the places of a matrix's elements in memory.
    pub(super) fn element_places(&mut self, base: Lvalue, elements: &[(u8, u8)]) -> Lower<Lvalue> {
        let Lvalue::Memory { place, ty: Type::Matrix(m) } = base else { return None };
        let mut places = Vec::new();
        for (r, c) in elements {
            let row = self.b.index_const(place, u32::from(*r));
            places.push(if m.columns == 1 { row } else { self.b.index_const(row, u32::from(*c)) });
        }
        let ty = Type::Scalar(m.scalar);
        Some(match places.as_slice() {
            [only] => Lvalue::Memory { place: *only, ty },
            _ => Lvalue::Scalars { places, scalar: m.scalar },
        })
    }
}
