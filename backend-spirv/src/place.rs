//! Places: pointers as a base and a list of indexes, and the alignment of their target. A single OpAccessChain is
//! emitted at the memory access.

use crate::EmitError;
use crate::builder::{id, ids};
use crate::emitter::Emitter;
use crate::globals::wrap;
use crate::matrix::decorated;
use crate::types::{LayoutId, LayoutKind, Role, is_laid_out, storage_class};
use rspirv::spirv::{Op, StorageClass, Word};
use wgc_ir::{MatrixType, Space, Type};

/// A place in memory.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// A variable, parameter, allocated payload or converted address.
    pub base: Word,
    pub indexes: Vec<Word>,
    pub space: Space,
    pub content: Content,
    /// A guaranteed divisor of the address in bytes; used for physical memory.
    pub align: u32,
    /// Memory without writes needs no ordering.
    pub writable: bool,
    /// The block's layout, if the base is an array of blocks and the first index selects one.
    pub block: Option<LayoutId>,
    /// Threads of a subgroup may access different blocks of the array.
    pub non_uniform: bool,
}

/// The contents of a place.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A value, in memory without layout.
    Value(Type),
    /// Memory with a layout.
    Memory(LayoutId),
    /// A row that is not contiguous: the place is still that of the matrix, an array of columns.
    Row { matrix: MatrixType, row: Word },
}

impl Place {
    pub fn new(base: Word, space: Space, content: Content) -> Self {
        let writable = !matches!(space, Space::Uniform | Space::PushConstant);
        Place { base, indexes: Vec::new(), space, content, align: 1, writable, block: None, non_uniform: false }
    }

    pub fn class(&self) -> StorageClass {
        storage_class(self.space)
    }
}

/// Returns the largest power of two that divides `offset` and is at most `align`.
pub(crate) fn offset_align(align: u32, offset: u32) -> u32 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros()) }
}

impl Emitter<'_> {
    /// Moves a place to a field of a structure.
    pub fn enter_field(&mut self, place: &mut Place, field: u32) -> Result<(), EmitError> {
        let none = || EmitError::new(format!("a place has no field {field}"));
        match &place.content {
            Content::Value(Type::Struct(s)) => {
                place.content = Content::Value(s.fields.get(field as usize).ok_or_else(none)?.ty.clone());
            }
            Content::Memory(layout) => match &self.layout(*layout).kind {
                LayoutKind::Struct(fields) => {
                    let &(inner, offset) = fields.get(field as usize).ok_or_else(none)?;
                    place.content = Content::Memory(inner);
                    place.align = offset_align(place.align, offset);
                }
                _ => return Err(none()),
            },
            Content::Value(_) | Content::Row { .. } => return Err(none()),
        }
        let index = self.u32_constant(field);
        place.indexes.push(index);
        Ok(())
    }

    /// Moves a place to an element of an array or vector, or to a row of a matrix.
    pub fn enter_element(&mut self, place: &mut Place, index: Word) -> Result<(), EmitError> {
        let none = || EmitError::new("a place has no elements");
        match &place.content {
            Content::Value(Type::Vector(scalar, _)) => place.content = Content::Value(Type::Scalar(*scalar)),
            Content::Value(Type::Array { element, .. }) => place.content = Content::Value((**element).clone()),
            Content::Value(Type::Matrix(m)) => place.content = Content::Value(m.row()),
            Content::Value(_) => return Err(none()),
            &Content::Row { matrix, row } => return self.enter_component(place, matrix, row, index),
            Content::Memory(layout) => match self.layout(*layout).kind.clone() {
                LayoutKind::Matrix(m) => return self.enter_row(place, m, index),
                LayoutKind::Array { element, stride, .. } | LayoutKind::Runtime { element, stride } => {
                    place.content = Content::Memory(element);
                    place.align = offset_align(place.align, stride);
                }
                LayoutKind::Vector(scalar, _) => {
                    place.content = Content::Memory(self.layout_of(&Type::Scalar(scalar), Role::Plain)?);
                    place.align = place.align.min(scalar.size());
                }
                LayoutKind::GridArray { scalar, len } => {
                    place.content = Content::Memory(self.layout_of(&Type::Scalar(scalar), Role::Plain)?);
                    place.align = place.align.min(scalar.size());
                    if len == 1 {
                        return Ok(());
                    }
                }
                LayoutKind::Scalar | LayoutKind::Struct(_) => return Err(none()),
            },
        }
        place.indexes.push(index);
        Ok(())
    }

    /// Returns the place at an address.
    pub fn physical_place(&mut self, address: Word, space: Space, pointee: &Type) -> Result<Place, EmitError> {
        self.needs_physical_addresses();
        // A runtime array is allowed only inside a block, and a matrix gets its layout from the enclosing structure.
        let wrapped = matches!(pointee, Type::RuntimeArray { .. }) || decorated(pointee).is_some();
        let layout = if wrapped {
            self.layout_of(&wrap(pointee.clone(), pointee.size().unwrap_or(0), "memory"), Role::Block)?
        } else {
            self.layout_of(pointee, Role::Plain)?
        };
        let ty = self.layout_pointer(StorageClass::PhysicalStorageBuffer, layout);
        let base = self.b.op(Op::ConvertUToPtr, ty, vec![id(address)]);
        let mut place = Place::new(base, space, Content::Memory(layout));
        // Structures by the rules of std140 may be aligned to 16, but addresses from hosts need not be.
        place.align = pointee.widest();
        if wrapped {
            self.enter_field(&mut place, 0)?;
        }
        Ok(place)
    }

    /// Returns the type of a pointer's target.
    pub fn content_type(&mut self, place: &Place) -> Result<Word, EmitError> {
        match &place.content {
            Content::Value(ty) => self.value_type(ty),
            Content::Memory(layout) => Ok(self.layout(*layout).word),
            Content::Row { .. } => Err(in_pieces()),
        }
    }

    /// Emits the access chain, unless the place is its base.
    pub fn pointer(&mut self, place: &Place) -> Result<Word, EmitError> {
        if place.indexes.is_empty() && !matches!(place.content, Content::Row { .. }) {
            return Ok(place.base);
        }
        let class = place.class();
        debug_assert_eq!(is_laid_out(class), !matches!(place.content, Content::Value(_)));
        let ty = match &place.content {
            Content::Value(ty) => {
                let pointee = self.value_type(ty)?;
                self.b.pointer_type(class, pointee)
            }
            Content::Memory(layout) => self.layout_pointer(class, *layout),
            Content::Row { .. } => return Err(in_pieces()),
        };
        let mut operands = vec![id(place.base)];
        operands.extend(ids(&place.indexes));
        let pointer = self.b.op(Op::AccessChain, ty, operands);
        if place.non_uniform {
            self.non_uniform(pointer);
        }
        Ok(pointer)
    }
}

/// Returns an error: a row that is not contiguous has no pointer, so loads and stores split it.
fn in_pieces() -> EmitError {
    EmitError::new("a row of a column-major matrix is not contiguous in memory")
}

#[cfg(test)]
mod tests {
    use super::offset_align;

    #[test]
    fn an_offset_lowers_alignment_to_the_common_divisor() {
        let cases = [(8, 0, 8), (8, 4, 4), (8, 12, 4), (8, 8, 8), (8, 16, 8), (4, 2, 2), (4, 6, 2), (1, 64, 1)];
        for (align, offset, expected) in cases {
            assert_eq!(offset_align(align, offset), expected, "align {align}, offset {offset}");
        }
    }
}
