//! Matrices: rows as values, one of two orders in memory.
//!
//! As a value a matrix is its rows, and nothing depends on its order: the layout is part of the type because a place
//! has a type, and shapes ignore it. The value of a computation has the type that [`MatrixType::tight`] gives, so that
//! equal matrices have equal types.

use crate::types::{Scalar, Type};

/// 1 to 4 rows and columns of any scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixType {
    pub scalar: Scalar,
    pub rows: u8,
    pub columns: u8,
    pub layout: MatrixLayout,
}

/// Order and distance of the vectors that memory holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MatrixLayout {
    /// Rows lie in one piece; else columns do.
    pub row_major: bool,
    /// Bytes from one row (or column) to the next.
    pub stride: u32,
}

impl MatrixType {
    /// Without gaps.
    pub fn tight(scalar: Scalar, rows: u8, columns: u8, row_major: bool) -> MatrixType {
        let length = if row_major { columns } else { rows };
        let layout = MatrixLayout { row_major, stride: scalar.size() * u32::from(length) };
        MatrixType { scalar, rows, columns, layout }
    }

    /// The same matrix as a value has it: row after row, without gaps.
    pub fn as_value(self) -> MatrixType {
        MatrixType::tight(self.scalar, self.rows, self.columns, true)
    }

    /// A scalar for a matrix of one column.
    pub fn row(self) -> Type {
        Type::vector_of(self.scalar, u32::from(self.columns))
    }

    /// How many vectors memory holds, and how many components each has.
    pub fn stored(self) -> (u32, u32) {
        let (rows, columns) = (u32::from(self.rows), u32::from(self.columns));
        if self.layout.row_major { (rows, columns) } else { (columns, rows) }
    }

    /// Bytes, with the gap behind the last vector, as an array of the vectors has it.
    pub fn size(self) -> u32 {
        self.stored().0.saturating_mul(self.layout.stride)
    }

    /// Byte offset of an element.
    pub fn offset(self, row: u32, column: u32) -> u32 {
        let (major, minor) = if self.layout.row_major { (row, column) } else { (column, row) };
        major * self.layout.stride + minor * self.scalar.size()
    }

    /// Equal but for the layout.
    pub fn same_shape(self, other: MatrixType) -> bool {
        self.as_value() == other.as_value()
    }

    /// Why there is no such matrix.
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
