//! The values that a mesh node outputs for each vertex and primitive, and their destinations in a pixel shader or the
//! rasteriser.
//!
//! The arrays themselves are globals ([`GlobalKind::MeshOutput`](crate::GlobalKind::MeshOutput)) of any structure.
//! `passes::mesh` splits them into one array for each value.

use crate::Symbol;
use crate::types::{Scalar, Type};

/// One value of each element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeshValue {
    /// The semantic, as in the source.
    pub semantic: Symbol,
    /// Field indexes from the element to the value.
    pub path: Vec<u32>,
    pub slot: MeshSlot,
    pub interpolation: Interpolation,
}

/// The destination of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MeshSlot {
    /// The pixel shader: the first of the locations that the value takes.
    Location(u32),
    Position,
    /// A clip distance, from this index on.
    ClipDistance(u32),
    CullDistance(u32),
    Layer,
    Viewport,
    ShadingRate,
    PrimitiveId,
    /// Culling: if true, the primitive is not drawn.
    Cull,
}

/// Interpolation modes between the vertices of a primitive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Interpolation {
    /// The value of one vertex is used.
    pub flat: bool,
    pub no_perspective: bool,
    pub centroid: bool,
    pub sample: bool,
}

impl MeshSlot {
    /// Returns whether a value of the type fits.
    pub fn takes(self, ty: &Type) -> bool {
        match self {
            MeshSlot::Location(_) => true,
            MeshSlot::Position => *ty == Type::Vector(Scalar::F32, 4),
            MeshSlot::ClipDistance(_) | MeshSlot::CullDistance(_) => distances(ty).is_some(),
            MeshSlot::Layer | MeshSlot::Viewport | MeshSlot::ShadingRate | MeshSlot::PrimitiveId => {
                matches!(ty, Type::Scalar(Scalar::U32 | Scalar::I32))
            }
            MeshSlot::Cull => matches!(ty, Type::Scalar(Scalar::U32 | Scalar::Bool)),
        }
    }
}

/// Returns the number of distances in a value: floats, a vector, or an array of them.
pub fn distances(ty: &Type) -> Option<u32> {
    match ty {
        Type::Scalar(Scalar::F32) => Some(1),
        Type::Vector(Scalar::F32, n) => Some(u32::from(*n)),
        Type::Array { element, len, .. } if !matches!(**element, Type::Array { .. }) => {
            distances(element)?.checked_mul(*len)
        }
        _ => None,
    }
}

/// Returns the number of locations that a value takes (Vulkan, "Location Assignment"). Elements of arrays and fields of
/// structures add up.
pub fn locations(ty: &Type) -> Option<u32> {
    let row = |scalar: Scalar, n: u8| if scalar.size() == 8 && n > 2 { 2 } else { 1 };
    match ty {
        Type::Scalar(_) => Some(1),
        Type::Vector(scalar, n) => Some(row(*scalar, *n)),
        Type::Matrix(m) => Some(row(m.scalar, m.columns) * u32::from(m.rows)),
        Type::Array { element, len, .. } => locations(element)?.checked_mul(*len),
        Type::Struct(s) => s.fields.iter().try_fold(0u32, |sum, f| sum.checked_add(locations(&f.ty)?)),
        _ => None,
    }
}

/// Returns the type at the end of a path.
pub fn at_path<'t>(ty: &'t Type, path: &[u32]) -> Option<&'t Type> {
    path.iter().try_fold(ty, |ty, index| match ty {
        Type::Struct(s) => s.fields.get(*index as usize).map(|f| &f.ty),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::MatrixType;

    #[test]
    fn location_counts_follow_vulkan() {
        let array = |element: Type, len| Type::Array { element: element.into(), len, stride: 16 };
        let cases = [
            (Type::F32, 1),
            (Type::Vector(Scalar::F32, 4), 1),
            (Type::Vector(Scalar::F64, 2), 1),
            (Type::Vector(Scalar::F64, 3), 2),
            (Type::Matrix(MatrixType::tight(Scalar::F32, 3, 4, true)), 3),
            (Type::Matrix(MatrixType::tight(Scalar::F32, 3, 4, false)), 3),
            (Type::Matrix(MatrixType::tight(Scalar::F64, 2, 3, true)), 4),
            (array(Type::F32, 4), 4),
            (array(array(Type::Vector(Scalar::U64, 4), 3), 2), 12),
        ];
        for (ty, expected) in cases {
            assert_eq!(locations(&ty), Some(expected), "{ty}");
        }
    }
}
