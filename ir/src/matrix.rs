//! Matrices: rows as values, in one of two memory orders.
//!
//! A matrix value consists of its rows, independent of the memory order. The layout is part of the type because places
//! need it; shapes ignore it. A computed value has the type of [`MatrixType::tight`], so that equal matrices have equal
//! types.

use crate::types::{Scalar, Type};

/// 1 to 4 rows and columns of any scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixType {
    pub scalar: Scalar,
    pub rows: u8,
    pub columns: u8,
    pub layout: MatrixLayout,
}

/// The order and the stride of the vectors in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixLayout {
    /// Rows are contiguous; otherwise columns are.
    pub row_major: bool,
    /// Bytes from one row (or column) to the next.
    pub stride: u32,
}

impl MatrixType {
    /// Creates a type without gaps.
    pub fn tight(scalar: Scalar, rows: u8, columns: u8, row_major: bool) -> MatrixType {
        let length = if row_major { columns } else { rows };
        let layout = MatrixLayout { row_major, stride: scalar.size() * u32::from(length) };
        MatrixType { scalar, rows, columns, layout }
    }

    /// Returns the type of the matrix as a value: row after row, without gaps.
    pub fn as_value(self) -> MatrixType {
        MatrixType::tight(self.scalar, self.rows, self.columns, true)
    }

    /// Returns the type of a row, which is a scalar for a matrix of one column.
    pub fn row(self) -> Type {
        Type::vector_of(self.scalar, u32::from(self.columns))
    }

    /// Returns the number of vectors in memory, and the number of components of each.
    pub fn stored(self) -> (u32, u32) {
        let (rows, columns) = (u32::from(self.rows), u32::from(self.columns));
        if self.layout.row_major { (rows, columns) } else { (columns, rows) }
    }

    /// Returns the size in bytes, including the gap after the last vector, like an array of the vectors.
    pub fn size(self) -> u32 {
        self.stored().0.saturating_mul(self.layout.stride)
    }

    /// Returns the byte offset of an element.
    pub fn offset(self, row: u32, column: u32) -> u32 {
        let (major, minor) = if self.layout.row_major { (row, column) } else { (column, row) };
        major * self.layout.stride + minor * self.scalar.size()
    }

    /// Returns whether two types are equal except for the layout.
    pub fn same_shape(self, other: MatrixType) -> bool {
        self.as_value() == other.as_value()
    }

    /// Returns an error if there is no such matrix.
    pub(crate) fn check(self) -> Result<(), String> {
        let size = |n: u8| (1..=4).contains(&n);
        if !size(self.rows) || !size(self.columns) {
            return Err(format!("a matrix of {} rows and {} columns", self.rows, self.columns));
        }
        let (_, length) = self.stored();
        let (stride, vector) = (self.layout.stride, length * self.scalar.size());
        if stride < vector || !stride.is_multiple_of(self.scalar.size()) || stride > 1 << 16 {
            return Err(format!("a matrix with {vector} bytes every {stride} bytes"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_offsets_of_both_orders() {
        let rows = MatrixType::tight(Scalar::F32, 2, 3, true);
        assert_eq!((rows.stored(), rows.layout.stride, rows.size()), ((2, 3), 12, 24));
        assert_eq!((rows.offset(1, 0), rows.offset(0, 2), rows.offset(1, 2)), (12, 8, 20));
        let columns = MatrixType::tight(Scalar::F32, 2, 3, false);
        assert_eq!((columns.stored(), columns.layout.stride, columns.size()), ((3, 2), 8, 24));
        assert_eq!((columns.offset(1, 0), columns.offset(0, 2), columns.offset(1, 2)), (4, 16, 20));
        // Two rows of three floats in a constant buffer.
        let packed = MatrixType { layout: MatrixLayout { row_major: true, stride: 16 }, ..rows };
        assert_eq!((packed.size(), packed.offset(1, 2)), (32, 24));
        assert!(packed.same_shape(columns) && packed.as_value() == rows);
        let wrong = MatrixType { layout: MatrixLayout { row_major: true, stride: 8 }, ..rows };
        assert!(packed.check().is_ok() && wrong.check().is_err());
    }
}
