//! Memory layouts by field, so that a host can fill records and constant buffers by name.
//!
//! Offsets are bytes from the start of the enclosing structure. A matrix is an array of its stored vectors (rows of a
//! row-major matrix, columns otherwise), `stride` bytes apart.

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructLayout {
    /// The type's name in the source; may be empty.
    #[serde(default)]
    pub name: String,
    pub fields: Vec<FieldLayout>,
    /// Bytes, a multiple of `align`.
    pub size: u32,
    pub align: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldLayout {
    pub name: String,
    pub offset: u32,
    pub ty: LayoutType,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LayoutType {
    Scalar(LayoutScalar),
    Vector { scalar: LayoutScalar, components: u32 },
    Array { element: Box<LayoutType>, count: u32, stride: u32 },
    Struct(StructLayout),
}

/// Component types. `bool` is four bytes, 0 or 1.
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
    /// Bytes in memory.
    pub fn size(self) -> u32 {
        match self {
            Self::I16 | Self::U16 | Self::F16 => 2,
            Self::Bool | Self::I32 | Self::U32 | Self::F32 => 4,
            Self::I64 | Self::U64 | Self::F64 => 8,
        }
    }
}

impl LayoutType {
    /// Bytes that a value takes, without padding behind it; saturates.
    pub fn size(&self) -> u32 {
        match self {
            Self::Scalar(s) => s.size(),
            Self::Vector { scalar, components } => scalar.size().saturating_mul(*components),
            Self::Array { count, stride, .. } => count.saturating_mul(*stride),
            Self::Struct(s) => s.size,
        }
    }
}

impl StructLayout {
    pub fn field(&self, name: &str) -> Option<&FieldLayout> {
        self.fields.iter().find(|f| f.name == name)
    }
}
