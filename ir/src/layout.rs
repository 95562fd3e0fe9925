//! Scalar layout: field offsets of structures with natural alignment.
//!
//! This is the layout of node records and structured buffers (`VK_EXT_scalar_block_layout`, DXC's structured-buffer
//! rules). Constant buffers have other packing rules. The front end computes their offsets.

use crate::Symbol;
use crate::matrix::MatrixType;
use crate::types::{Field, StructType, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The reason that a type has no layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LayoutError {
    /// A field of handle, place, image or runtime-array type.
    Unsized { field: Symbol },
    /// More than 4 GiB - 1.
    TooLarge,
}

impl std::fmt::Display for LayoutError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LayoutError::Unsized { field } => write!(f, "field {field} has no size in memory"),
            LayoutError::TooLarge => write!(f, "the type takes 4 GiB or more"),
        }
    }
}

impl std::error::Error for LayoutError {}

/// Returns the number of bytes up to the last one of a value. Padding after the last array element, matrix vector or
/// structure field is free for the next field, as in the constant buffers of Direct3D. The exception is the last row of
/// a row-major matrix. It is a column of a column-major matrix in SPIR-V, which lets nothing overlap it.
pub fn occupied(ty: &Type) -> u64 {
    occupied_in(ty, &mut FxHashMap::default())
}

/// Computes [`occupied`]. `known` caches structures by address, since types share parts. A type that nests another one
/// twice, forty levels deep, has 2^40 parts.
fn occupied_in(ty: &Type, known: &mut FxHashMap<*const StructType, u64>) -> u64 {
    match ty {
        Type::Array { element, len, stride } => {
            u64::from(len.saturating_sub(1)) * u64::from(*stride) + occupied_in(element, known)
        }
        Type::Struct(s) => {
            if let Some(end) = known.get(&Arc::as_ptr(s)) {
                return *end;
            }
            let ends = s.fields.iter().map(|f| u64::from(f.offset) + occupied_in(&f.ty, known));
            let end = ends.max().unwrap_or(0);
            known.insert(Arc::as_ptr(s), end);
            end
        }
        Type::Matrix(m) => {
            let (count, length) = m.stored();
            // SPIR-V's column-major matrices have full columns.
            let is_full = m.layout.row_major && m.rows > 1 && m.columns > 1;
            let last = if is_full { m.layout.stride } else { length * m.scalar.size() };
            u64::from(count.saturating_sub(1)) * u64::from(m.layout.stride) + u64::from(last)
        }
        other => u64::from(other.size().unwrap_or(0)),
    }
}

/// Rounds `offset` up to a multiple of `align` (at least 1).
pub fn align_up(offset: u32, align: u32) -> Option<u32> {
    offset.checked_next_multiple_of(align.max(1))
}

/// Creates a structure of these fields in order, each at the next multiple of its natural alignment. The size is a
/// multiple of the largest alignment. Field types are not changed: lay out nested structures first.
pub fn scalar_struct(
    name: impl Into<Symbol>,
    fields: impl IntoIterator<Item = (Symbol, Type)>,
) -> Result<StructType, LayoutError> {
    let (mut end, mut align) = (0u32, 1u32);
    let mut placed = Vec::new();
    for (name, ty) in fields {
        let size = ty.size().ok_or_else(|| LayoutError::Unsized { field: name.clone() })?;
        let offset = align_up(end, ty.align()).ok_or(LayoutError::TooLarge)?;
        end = offset.checked_add(size).ok_or(LayoutError::TooLarge)?;
        align = align.max(ty.align());
        placed.push(Field::new(name, ty, offset));
    }
    let size = align_up(end, align).ok_or(LayoutError::TooLarge)?;
    Ok(StructType { name: name.into(), fields: placed, size, align })
}

/// Creates an array with the smallest stride that keeps its elements aligned.
pub fn scalar_array(element: Type, len: u32) -> Result<Type, LayoutError> {
    let stride = scalar_stride(&element)?;
    len.checked_mul(stride).ok_or(LayoutError::TooLarge)?;
    Ok(Type::Array { element: Arc::new(element), len, stride })
}

/// Creates a runtime array with the smallest stride.
pub fn scalar_runtime_array(element: Type) -> Result<Type, LayoutError> {
    let stride = scalar_stride(&element)?;
    Ok(Type::RuntimeArray { element: Arc::new(element), stride })
}

/// Returns the stride of an array of this element type.
pub fn scalar_stride(element: &Type) -> Result<u32, LayoutError> {
    let size = element.size().ok_or_else(|| LayoutError::Unsized { field: Symbol::const_new("element") })?;
    align_up(size, element.align()).ok_or(LayoutError::TooLarge)
}

/// Returns the type laid out by scalar rules throughout. Names stay.
pub fn relayout_scalar(ty: &Type) -> Result<Type, LayoutError> {
    match ty {
        Type::Array { element, len, .. } => scalar_array(relayout_scalar(element)?, *len),
        Type::RuntimeArray { element, .. } => scalar_runtime_array(relayout_scalar(element)?),
        Type::Struct(s) => {
            let fields = s
                .fields
                .iter()
                .map(|f| Ok((f.name.clone(), relayout_scalar(&f.ty)?)))
                .collect::<Result<Vec<_>, LayoutError>>()?;
            Ok(Type::Struct(Arc::new(scalar_struct(s.name.clone(), fields)?.with_bits_of(s))))
        }
        Type::Matrix(m) => Ok(Type::Matrix(MatrixType::tight(m.scalar, m.rows, m.columns, m.layout.row_major))),
        other => Ok(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::Scalar;

    fn offsets(fields: &[Type]) -> (Vec<u32>, u32, u32) {
        let s = scalar_struct("S", fields.iter().map(|t| (Symbol::const_new("f"), t.clone()))).unwrap();
        (s.fields.iter().map(|f| f.offset).collect(), s.size, s.align)
    }

    #[test]
    fn natural_alignment() {
        let half = Type::Scalar(Scalar::F16);
        let float3 = Type::Vector(Scalar::F32, 3);
        assert_eq!(offsets(&[half.clone(), float3.clone(), half.clone()]), (vec![0, 4, 16], 20, 4));
        assert_eq!(offsets(&[Type::U32, Type::U64, half]), (vec![0, 8, 16], 24, 8));
        assert_eq!(offsets(&[]), (vec![], 0, 1));
        assert_eq!(scalar_stride(&float3), Ok(12));
    }

    #[test]
    fn nested_structures_keep_their_alignment() {
        let inner = Type::Struct(Arc::new(
            scalar_struct("I", [("a".into(), Type::U64), ("b".into(), Type::Scalar(Scalar::U16))]).unwrap(),
        ));
        assert_eq!(offsets(&[Type::U32, inner.clone(), Type::U32]), (vec![0, 8, 24], 32, 8));
        let array = scalar_array(inner, 3).unwrap();
        assert_eq!(array.size(), Some(48));
    }

    #[test]
    fn occupied_size_excludes_last_row_padding() {
        let floats = Type::Array { element: Arc::new(Type::F32), len: 3, stride: 16 };
        assert_eq!(occupied(&floats), 36);
        let columns = MatrixType {
            layout: crate::MatrixLayout { row_major: false, stride: 16 },
            ..MatrixType::tight(Scalar::F32, 2, 3, false)
        };
        assert_eq!(occupied(&Type::Matrix(columns)), 40);
        let fields = [("late", 32), ("early", 0)].map(|(name, offset)| Field::new(name, floats.clone(), offset));
        let s = Type::Struct(Arc::new(StructType { name: "S".into(), fields: fields.to_vec(), size: 80, align: 16 }));
        assert_eq!(occupied(&s), 68);
        assert_eq!(occupied(&Type::Array { element: Arc::new(s), len: 2, stride: 80 }), 148);
    }

    #[test]
    fn unsized_and_huge_types_are_errors() {
        let image = ("i".into(), Type::Sampler);
        assert_eq!(scalar_struct("S", [image]), Err(LayoutError::Unsized { field: "i".into() }));
        assert_eq!(scalar_array(Type::U64, 1 << 29), Err(LayoutError::TooLarge));
        let big = scalar_array(Type::U32, (1 << 30) - 1).unwrap();
        let two = [("a".into(), big.clone()), ("b".into(), big)];
        assert_eq!(scalar_struct("S", two), Err(LayoutError::TooLarge));
    }
}
