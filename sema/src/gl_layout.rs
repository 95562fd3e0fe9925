//! The layouts of OpenGL (`-fvk-use-gl-layout`): std140 in constant buffers, std430 in structured ones.
//!
//! A vector of two starts at a multiple of its size, one of three or four at a multiple of the size of four. An array has
//! the alignment of its elements and a structure that of its most demanding field, and both are full multiples of it. std140
//! rounds those two up to 16 bytes, the vectors of a matrix included. (OpenGL 4.6, 7.6.2.2.)

use crate::layout::NoLayout;
use std::sync::Arc;
use wgc_ir::{Field, MatrixLayout, MatrixType, Scalar, StructType, Symbol, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rules {
    Std140,
    Std430,
}

/// A field and the offset that the source gives it.
pub(crate) type Fields = Vec<(Symbol, Type, Option<u32>)>;

impl Rules {
    /// The type as memory under these rules holds it.
    pub fn lay(self, ty: &Type) -> Result<Type, NoLayout> {
        self.placed(ty).map(|(ty, _)| ty)
    }

    /// An element of a buffer, and the distance to the next.
    pub fn element(self, ty: &Type) -> Result<(Type, u32), NoLayout> {
        let (ty, align) = self.placed(ty)?;
        let stride = round(bytes(&ty)?, align)?;
        Ok((ty, stride))
    }

    pub fn structure(self, name: Symbol, fields: Fields) -> Result<StructType, NoLayout> {
        let mut out = StructType { name, fields: Vec::new(), size: 0, align: self.composite(1) };
        for (name, ty, given) in fields {
            let (ty, align) = self.placed(&ty)?;
            let offset = given.map_or_else(|| round(out.size, align), Ok)?;
            out.align = out.align.max(align);
            out.size = offset.checked_add(bytes(&ty)?).ok_or_else(too_large)?;
            out.fields.push(Field { name, ty, offset });
        }
        out.size = round(out.size, out.align)?;
        Ok(out)
    }

    /// The type, and what its address is a multiple of.
    fn placed(self, ty: &Type) -> Result<(Type, u32), NoLayout> {
        Ok(match ty {
            Type::Struct(s) => {
                let fields = s.fields.iter().map(|f| (f.name.clone(), f.ty.clone(), None)).collect();
                let laid = self.structure(s.name.clone(), fields)?;
                let align = laid.align;
                (Type::Struct(Arc::new(laid)), align)
            }
            Type::Array { element, len, .. } => {
                let (element, align) = self.placed(element)?;
                let align = self.composite(align);
                let stride = round(bytes(&element)?, align)?;
                len.checked_mul(stride).ok_or_else(too_large)?;
                (Type::Array { element: Arc::new(element), len: *len, stride }, align)
            }
            Type::Matrix(m) => {
                let (_, length) = m.stored();
                let align = self.composite(vector(m.scalar, length));
                let stride = round(length * m.scalar.size(), align)?;
                (Type::Matrix(MatrixType { layout: MatrixLayout { stride, ..m.layout }, ..*m }), align)
            }
            Type::Vector(scalar, n) => (ty.clone(), vector(*scalar, u32::from(*n))),
            other => (other.clone(), other.align()),
        })
    }

    /// The alignment of what has parts.
    fn composite(self, align: u32) -> u32 {
        match self {
            Rules::Std140 => align.next_multiple_of(16),
            Rules::Std430 => align,
        }
    }
}

/// The alignment of a vector.
fn vector(scalar: Scalar, components: u32) -> u32 {
    scalar.size() * components.next_power_of_two()
}

fn bytes(ty: &Type) -> Result<u32, NoLayout> {
    ty.size().ok_or_else(|| NoLayout::new("a type without a size"))
}

fn round(offset: u32, align: u32) -> Result<u32, NoLayout> {
    wgc_ir::layout::align_up(offset, align).ok_or_else(too_large)
}

fn too_large() -> NoLayout {
    NoLayout::new("the type takes 4 GiB or more")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields() -> Fields {
        let float3 = || Type::Vector(Scalar::F32, 3);
        let array =
            |element: Type, len| Type::Array { stride: element.size().unwrap_or(0), element: Arc::new(element), len };
        let inner = StructType {
            name: "I".into(),
            fields: vec![Field { name: "x".into(), ty: Type::F32, offset: 0 }],
            size: 4,
            align: 4,
        };
        let matrix = Type::Matrix(MatrixType::tight(Scalar::F32, 3, 2, false));
        let rows = Type::Matrix(MatrixType::tight(Scalar::F32, 3, 2, true));
        let all = [
            Type::F32,
            Type::Vector(Scalar::F32, 2),
            float3(),
            Type::F32,
            array(Type::F32, 3),
            Type::Struct(Arc::new(inner)),
            array(float3(), 2),
            matrix,
            rows,
            Type::Vector(Scalar::F64, 3),
            Type::F32,
        ];
        all.into_iter().enumerate().map(|(i, ty)| (Symbol::from(format!("f{i}")), ty, None)).collect()
    }

    fn offsets(rules: Rules) -> (Vec<u32>, u32, u32) {
        let s = rules.structure("S".into(), fields()).expect("it has a layout");
        (s.fields.iter().map(|f| f.offset).collect(), s.size, s.align)
    }

    #[test]
    fn vectors_arrays_structures_and_matrices() {
        // Two columns of three floats in 16 bytes each; three rows of two in 8.
        let (at, size, align) = offsets(Rules::Std430);
        assert_eq!(at, [0, 8, 16, 28, 32, 44, 48, 80, 112, 160, 184]);
        assert_eq!((size, align), (192, 32));
        // Elements of arrays, structures and rows of matrices in 16 bytes each.
        let (at, size, align) = offsets(Rules::Std140);
        assert_eq!(at, [0, 8, 16, 28, 32, 80, 96, 128, 160, 224, 248]);
        assert_eq!((size, align), (256, 32));
    }

    #[test]
    fn an_element_is_a_full_multiple_of_its_alignment() {
        let stride = |ty: &Type| Rules::Std430.element(ty).expect("it has a layout").1;
        assert_eq!([1, 2, 3, 4].map(|n| stride(&Type::vector_of(Scalar::F32, n))), [4, 8, 16, 16]);
        assert_eq!(stride(&Type::Vector(Scalar::F16, 3)), 8);
    }
}
