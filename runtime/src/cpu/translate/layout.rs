//! The layout of types in memory: sizes, offsets, and the cells that a load or store touches.
//!
//! Explicit layout (Offset, ArrayStride, MatrixStride, RowMajor) is followed if present. Types without it (in local and
//! workgroup memory) are packed by their scalars' own alignment. Booleans have four bytes.

use super::Result;
use crate::cpu::program::{Cell, Footprint};
use rustc_hash::FxHashMap;
use spirv::Decoration;
use wgc_spirv_module::{Id, Module, Type};

/// The stride that a member's decorations give to the matrices (or, once a column is taken, the vector) inside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Stride {
    #[default]
    Natural,
    /// Bytes from column to column.
    Columns(u32),
    /// Bytes from row to row.
    Rows(u32),
    /// The bytes from component to component of a vector.
    Components(u32),
}

/// The deepest nesting of types.
const MAX_DEPTH: u32 = 64;
const MAX_VISITS: u32 = 1 << 18;

#[derive(Debug)]
pub struct Layouts<'m> {
    module: &'m Module,
    sizes: FxHashMap<(Id, Stride), (u32, u32)>,
    /// Types visited for one footprint: structures of empty structures have no cells to count.
    visits: u32,
}

impl<'m> Layouts<'m> {
    pub fn new(module: &'m Module) -> Self {
        Layouts { module, sizes: FxHashMap::default(), visits: 0 }
    }

    fn ty(&self, ty: Id) -> Result<&'m Type> {
        self.module.ty(ty).ok_or_else(|| format!("%{ty} is not a type"))
    }

    /// Returns bytes and alignment. A runtime array has no bytes.
    pub fn size(&mut self, ty: Id, stride: Stride) -> Result<(u32, u32)> {
        self.size_at(ty, stride, 0)
    }

    fn size_at(&mut self, ty: Id, stride: Stride, depth: u32) -> Result<(u32, u32)> {
        if depth > MAX_DEPTH {
            return Err("the type nests too deeply".into());
        }
        if let Some(size) = self.sizes.get(&(ty, stride)) {
            return Ok(*size);
        }
        let too_large = || "the type is too large".to_string();
        let size = match self.ty(ty)? {
            Type::Bool => (4, 4),
            Type::Int { width, .. } | Type::Float { width } => (width / 8, width / 8),
            Type::Pointer { .. } => (8, 8),
            // The number of a query.
            Type::Other { opcode } if *opcode == spirv::Op::TypeRayQueryKHR as u16 => (8, 8),
            Type::Vector { component, count } => {
                let (bytes, align) = self.size_at(*component, Stride::Natural, depth + 1)?;
                let step = match stride {
                    Stride::Components(step) => step,
                    _ => bytes,
                };
                let last = step.checked_mul(count.saturating_sub(1)).ok_or_else(too_large)?;
                (last.checked_add(bytes).ok_or_else(too_large)?, align)
            }
            Type::Matrix { column, columns } => {
                let (bytes, align) = self.size_at(*column, Stride::Natural, depth + 1)?;
                let (step, steps) = match stride {
                    Stride::Columns(step) => (step, *columns),
                    Stride::Rows(step) => (step, bytes / align.max(1)),
                    _ => (bytes, *columns),
                };
                (step.checked_mul(steps).ok_or_else(too_large)?, align)
            }
            Type::Array { element, length } => {
                let align = self.size_at(*element, stride, depth + 1)?.1;
                let step = self.array_stride_at(ty, stride, depth + 1)?;
                let length = self.module.constant_u32(*length).ok_or("the length of an array is not a constant")?;
                (step.checked_mul(length).ok_or_else(too_large)?, align)
            }
            Type::RuntimeArray { element } | Type::NodePayloadArray { payload: element } => {
                (0, self.size_at(*element, stride, depth + 1)?.1)
            }
            Type::Struct { members } => {
                let (mut end, mut align) = (0u32, 1);
                for (index, member) in members.iter().enumerate() {
                    let inner = self.member_stride(ty, index as u32);
                    let (bytes, member_align) = self.size_at(*member, inner, depth + 1)?;
                    let offset = self.offset_after(ty, index as u32, end, member_align);
                    end = end.max(offset.checked_add(bytes).ok_or_else(too_large)?);
                    align = align.max(member_align);
                }
                (end.checked_next_multiple_of(align).ok_or_else(too_large)?, align)
            }
            other => return Err(format!("{other:?} has no representation in memory")),
        };
        self.sizes.insert((ty, stride), size);
        Ok(size)
    }

    fn offset_after(&self, ty: Id, member: u32, end: u32, align: u32) -> u32 {
        let explicit = self.module.decoration_word(ty, Some(member), Decoration::Offset);
        explicit.unwrap_or_else(|| end.checked_next_multiple_of(align.max(1)).unwrap_or(end))
    }

    /// Returns the stride of matrices in a member, from its decorations.
    pub fn member_stride(&self, ty: Id, member: u32) -> Stride {
        let Some(step) = self.module.decoration_word(ty, Some(member), Decoration::MatrixStride) else {
            return Stride::Natural;
        };
        match self.module.decoration(ty, Some(member), Decoration::RowMajor) {
            Some(_) => Stride::Rows(step),
            None => Stride::Columns(step),
        }
    }

    pub fn member_offset(&mut self, ty: Id, member: u32) -> Result<u32> {
        if let Some(offset) = self.module.decoration_word(ty, Some(member), Decoration::Offset) {
            return Ok(offset);
        }
        let Type::Struct { members } = self.ty(ty)? else { return Err(format!("%{ty} is not a structure")) };
        let mut end = 0;
        for (index, id) in members.iter().enumerate() {
            let (bytes, align) = self.size(*id, self.member_stride(ty, index as u32))?;
            let offset = self.offset_after(ty, index as u32, end, align);
            if index as u32 == member {
                return Ok(offset);
            }
            end = end.max(offset.saturating_add(bytes));
        }
        Err(format!("%{ty} has no member {member}"))
    }

    /// Returns the bytes from element to element of an array, a runtime array or a payload array.
    pub fn array_stride(&mut self, ty: Id, stride: Stride) -> Result<u32> {
        self.array_stride_at(ty, stride, 0)
    }

    fn array_stride_at(&mut self, ty: Id, stride: Stride, depth: u32) -> Result<u32> {
        if let Some(step) = self.module.decoration_word(ty, None, Decoration::ArrayStride) {
            return Ok(step);
        }
        let (Type::Array { element, .. }
        | Type::RuntimeArray { element }
        | Type::NodePayloadArray { payload: element }) = self.ty(ty)?
        else {
            return Err(format!("%{ty} is not an array"));
        };
        let (bytes, align) = self.size_at(*element, stride, depth + 1)?;
        bytes.checked_next_multiple_of(align.max(1)).ok_or_else(|| "the type is too large".to_string())
    }

    /// Returns the cells of a type, in the order of its scalars.
    pub fn footprint(&mut self, ty: Id, stride: Stride) -> Result<Footprint> {
        let mut cells = Vec::new();
        self.visits = 0;
        self.cells(ty, stride, 0, 0, &mut cells)?;
        let size = cells.iter().map(|c| c.offset.saturating_add(u32::from(c.bytes))).max().unwrap_or(0);
        Ok(Footprint { cells, size })
    }

    fn cells(&mut self, ty: Id, stride: Stride, at: u32, depth: u32, out: &mut Vec<Cell>) -> Result<()> {
        self.visits += 1;
        if depth > MAX_DEPTH || out.len() > 1 << 16 || self.visits > MAX_VISITS {
            return Err("the value is too large".into());
        }
        match self.ty(ty)? {
            Type::Bool => out.push(Cell { offset: at, bytes: 4, boolean: true }),
            Type::Int { width, .. } | Type::Float { width } => {
                out.push(Cell { offset: at, bytes: (width / 8) as u8, boolean: false });
            }
            Type::Pointer { .. } => out.push(Cell { offset: at, bytes: 8, boolean: false }),
            Type::Vector { component, count } => {
                let bytes = self.size(*component, Stride::Natural)?.0;
                let step = match stride {
                    Stride::Components(step) => step,
                    _ => bytes,
                };
                for i in 0..*count {
                    self.cells(*component, Stride::Natural, step_to(at, i, step)?, depth + 1, out)?;
                }
            }
            Type::Matrix { column, columns } => {
                let (bytes, align) = self.size(*column, Stride::Natural)?;
                for i in 0..*columns {
                    let (start, inner) = match stride {
                        Stride::Columns(step) => (step_to(at, i, step)?, Stride::Natural),
                        Stride::Rows(step) => (step_to(at, i, align)?, Stride::Components(step)),
                        _ => (step_to(at, i, bytes)?, Stride::Natural),
                    };
                    self.cells(*column, inner, start, depth + 1, out)?;
                }
            }
            Type::Array { element, length } => {
                let step = self.array_stride(ty, stride)?;
                let length = self.module.constant_u32(*length).ok_or("the length of an array is not a constant")?;
                for i in 0..length {
                    self.cells(*element, stride, step_to(at, i, step)?, depth + 1, out)?;
                }
            }
            Type::Struct { members } => {
                for (index, member) in members.iter().enumerate() {
                    let offset = self.member_offset(ty, index as u32)?;
                    let inner = self.member_stride(ty, index as u32);
                    self.cells(*member, inner, step_to(at, 1, offset)?, depth + 1, out)?;
                }
            }
            other => return Err(format!("{other:?} cannot be loaded or stored")),
        }
        Ok(())
    }
}

fn step_to(at: u32, count: u32, step: u32) -> Result<u32> {
    step.checked_mul(count).and_then(|b| at.checked_add(b)).ok_or_else(|| "the type is too large".to_string())
}
