//! Memory layouts by field, so that a host can fill records and constant buffers by name.
//!
//! Offsets are bytes from the start of the enclosing structure. A matrix is stored as vectors: rows if it is row-major,
//! columns otherwise. They are `stride` bytes apart.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StructLayout {
    /// The type's name in the source; may be empty.
    #[serde(default)]
    pub name: String,
    pub fields: Vec<FieldLayout>,
    /// Size in bytes, a multiple of `align`.
    pub size: u32,
    pub align: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FieldLayout {
    pub name: String,
    pub offset: u32,
    pub ty: LayoutType,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutType {
    Scalar(LayoutScalar),
    Vector {
        scalar: LayoutScalar,
        components: u32,
    },
    Matrix {
        scalar: LayoutScalar,
        rows: u32,
        columns: u32,
        row_major: bool,
        stride: u32,
    },
    Array {
        element: Box<LayoutType>,
        count: u32,
        stride: u32,
    },
    Struct(StructLayout),
    /// A bit-field: `width` bits from `first` of an integer of the scalar's size, as a number of its type. All fields
    /// of one integer have the same offset.
    Bits {
        scalar: LayoutScalar,
        first: u32,
        width: u32,
    },
}

/// A component type. `bool` is four bytes, 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutScalar {
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

impl LayoutScalar {
    /// Returns the size in memory, in bytes.
    pub fn size(self) -> u32 {
        match self {
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::Bool | Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

impl LayoutType {
    /// Returns the size of a value in bytes, including the padding after the last element of an array or the last
    /// vector of a matrix. Saturates.
    pub fn size(&self) -> u32 {
        match self {
            Self::Scalar(s) | Self::Bits { scalar: s, .. } => s.size(),
            Self::Vector { scalar, components } => scalar.size().saturating_mul(*components),
            Self::Matrix { rows, columns, row_major, stride, .. } => {
                let vectors = if *row_major { rows } else { columns };
                vectors.saturating_mul(*stride)
            }
            Self::Array { count, stride, .. } => count.saturating_mul(*stride),
            Self::Struct(s) => s.size,
        }
    }

    /// Returns the bytes up to the end of the last number in it.
    fn extent(&self) -> u64 {
        let last = |count: u32, stride: u32, own: u64| match count {
            0 => 0,
            _ => u64::from(count - 1) * u64::from(stride) + own,
        };
        match self {
            Self::Matrix { scalar, rows, columns, row_major, stride } => {
                let (vectors, components) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
                last(vectors, *stride, u64::from(components) * u64::from(scalar.size()))
            }
            Self::Array { element, count, stride } => last(*count, *stride, element.extent()),
            _ => self.size().into(),
        }
    }

    fn is_sound(&self) -> bool {
        let is_short = |n: &u32| (1..=4).contains(n);
        match self {
            Self::Scalar(_) => true,
            Self::Vector { components, .. } => is_short(components),
            Self::Matrix { rows, columns, .. } => is_short(rows) && is_short(columns),
            Self::Array { element, .. } => element.is_sound(),
            Self::Struct(fields) => fields.is_sound(),
            Self::Bits { scalar, first, width } => {
                u64::from(*first) + u64::from(*width) <= u64::from(scalar.size() * 8)
            }
        }
    }

    /// Returns the size of the widest scalar in bytes; 1 if there is none.
    pub fn widest(&self) -> u32 {
        match self {
            Self::Scalar(s)
            | Self::Bits { scalar: s, .. }
            | Self::Vector { scalar: s, .. }
            | Self::Matrix { scalar: s, .. } => s.size(),
            Self::Array { element, .. } => element.widest(),
            Self::Struct(s) => s.widest(),
        }
    }
}

/// Returns the byte offset of an element of a matrix.
pub fn matrix_offset(scalar: LayoutScalar, row_major: bool, stride: u32, row: u32, column: u32) -> u32 {
    let (major, minor) = if row_major { (row, column) } else { (column, row) };
    major.saturating_mul(stride).saturating_add(minor.saturating_mul(scalar.size()))
}

impl StructLayout {
    /// The size of the largest record that the emulated target stores. Records from outside the graph have no limit of
    /// their own.
    pub const MAX_BYTES: u32 = 1 << 30;
    /// The alignment of a vector of four doubles in the GLSL layout.
    const MAX_ALIGN: u32 = 32;

    /// Returns whether its members are inside it and it does not exceed the size limit. A manifest may contain any
    /// numbers.
    pub fn is_sound(&self) -> bool {
        let lies_within = |field: &FieldLayout| u64::from(field.offset) + field.ty.extent() <= u64::from(self.size);
        self.align.is_power_of_two()
            && self.align <= Self::MAX_ALIGN
            && self.size <= Self::MAX_BYTES
            && self.fields.iter().all(|field| field.ty.is_sound() && lies_within(field))
    }

    pub fn field(&self, name: &str) -> Option<&FieldLayout> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// Returns the size of the widest scalar in bytes; 1 if there is none.
    pub fn widest(&self) -> u32 {
        self.fields.iter().map(|field| field.ty.widest()).max().unwrap_or(1)
    }
}
