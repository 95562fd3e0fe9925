//! Constant and texture buffers in memory: cbuffers, the types of `ConstantBuffer`, and `$Globals`, which gathers the variables that
//! the host sets and that belong to no cbuffer.

use crate::binding_options::BlockLayout;
use crate::db::{Db, Program};
use crate::def::VarId;
use crate::gl_layout::Rules;
use crate::globals::{self, GlobalKind, Member, global};
use crate::items::{item_tree, items};
use crate::layout::{NoLayout, ir_type};
use crate::packoffset;
use crate::ty::Ty;
use std::sync::Arc;
use wgc_ir::{Field, MatrixLayout, MatrixType, StructType, Symbol, Type};

/// The constant buffer of variables outside any.
pub const GLOBALS: &str = "$Globals";

/// Variables that the host sets, in the order of the text.
#[salsa::tracked(returns(ref))]
pub fn loose<'db>(db: &'db dyn Db, program: Program) -> Vec<VarId<'db>> {
    let vars = items(db, program)
        .iter()
        .flat_map(|item| (0..item_tree(db, *item).decls.vars.len() as u32).map(|index| VarId { item: *item, index }));
    vars.filter(|var| global(db, *var, None).is_some_and(|g| g.kind == GlobalKind::Loose)).collect()
}

/// The field of `$Globals` that a variable is.
pub fn loose_position<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<u32> {
    loose(db, var.item.program(db)).iter().position(|v| *v == var).map(|i| i as u32)
}

/// `$Globals` as a structure.
pub fn loose_block(db: &dyn Db, program: Program) -> Result<Type, NoLayout> {
    let members = loose(db, program).iter().filter_map(|var| {
        let global = global(db, *var, None)?;
        Some(Member {
            name: globals::symbol(db, *var, None).to_string(),
            ty: global.ty,
            offset: None,
            place: global.place,
        })
    });
    block(db, GLOBALS, &members.collect::<Vec<_>>(), Memory::Uniform, program.options(db).bindings.layout)
}

/// The field that the n-th member is: fields stand in the order of their offsets.
pub fn position(members: &[Member<'_>], n: u32) -> Option<u32> {
    packoffset::order(members).iter().position(|i| *i == n as usize).map(|i| i as u32)
}

/// A cbuffer as one structure.
pub fn block<'db>(
    db: &'db dyn Db,
    name: &str,
    members: &[Member<'db>],
    memory: Memory,
    layout: BlockLayout,
) -> Result<Type, NoLayout> {
    let mut fields = Vec::new();
    for member in packoffset::order(members).into_iter().map(|i| &members[i]) {
        fields.push((Symbol::from(member.name.as_str()), ir_type(db, member.ty)?, member.offset));
    }
    Ok(Type::Struct(Arc::new(match layout {
        BlockLayout::Dx => pack_fields(name.into(), fields)?,
        BlockLayout::Scalar => natural(name.into(), fields)?,
        BlockLayout::Gl => memory.rules().structure(name.into(), fields)?,
    })))
}

/// A type as a constant buffer of the default layout holds it.
pub(crate) fn packed<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Result<Type, NoLayout> {
    pack(&ir_type(db, ty)?)
}

/// What a block of constants lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// `cbuffer`, `ConstantBuffer`
    Uniform,
    /// `tbuffer`, `TextureBuffer`: a storage buffer that is only read.
    Storage,
}

impl Memory {
    fn rules(self) -> Rules {
        match self {
            Memory::Uniform => Rules::Std140,
            Memory::Storage => Rules::Std430,
        }
    }
}

/// The type of the contents of a constant or texture buffer.
pub fn laid_out(ty: &Type, memory: Memory, layout: BlockLayout) -> Result<Type, NoLayout> {
    match layout {
        BlockLayout::Dx => pack(ty),
        BlockLayout::Scalar => Ok(ty.clone()),
        BlockLayout::Gl => memory.rules().lay(ty),
    }
}

/// An element of a structured buffer, and the distance to the next.
pub fn element(ty: Type, layout: BlockLayout) -> Result<(Type, u32), NoLayout> {
    match layout {
        BlockLayout::Gl => Rules::Std430.element(&ty),
        BlockLayout::Dx | BlockLayout::Scalar => {
            let stride = wgc_ir::layout::scalar_stride(&ty).map_err(|e| NoLayout::new(e.to_string()))?;
            Ok((ty, stride))
        }
    }
}

/// Fields with the offsets that the source gives some of them.
type Fields = Vec<(Symbol, Type, Option<u32>)>;

/// Every field at the next multiple of its alignment.
fn natural(name: Symbol, fields: Fields) -> Result<StructType, NoLayout> {
    let mut out = StructType { name, fields: Vec::new(), size: 0, align: 1 };
    for (name, ty, offset) in fields {
        let size = ty.size().ok_or_else(|| NoLayout::new(format!("field `{name}` has no size")))?;
        let offset = offset.map_or_else(|| round(out.size, ty.align()), Ok)?;
        out.align = out.align.max(ty.align());
        out.size = offset.checked_add(size).ok_or_else(too_large)?;
        out.fields.push(Field { name, ty, offset });
    }
    out.size = round(out.size, out.align)?;
    Ok(out)
}

/// Constant-buffer packing: nothing crosses a row of 16 bytes, arrays, structures and matrices start one;
/// each vector of a matrix takes its own.
fn pack(ty: &Type) -> Result<Type, NoLayout> {
    Ok(match ty {
        Type::Struct(s) => {
            let fields = s.fields.iter().map(|f| (f.name.clone(), f.ty.clone(), None)).collect();
            Type::Struct(Arc::new(pack_fields(s.name.clone(), fields)?))
        }
        Type::Array { element, len, .. } => {
            let element = pack(element)?;
            let stride = round(element.size().unwrap_or(0), 16)?;
            Type::Array { element: Arc::new(element), len: *len, stride }
        }
        Type::Matrix(m) => {
            let (count, length) = m.stored();
            let vector = length * m.scalar.size();
            let stride = if count == 1 { vector } else { round(vector, 16)? };
            Type::Matrix(MatrixType { layout: MatrixLayout { stride, ..m.layout }, ..*m })
        }
        other => other.clone(),
    })
}

/// Fields in the order of memory, some at a given offset.
fn pack_fields(name: Symbol, fields: Fields) -> Result<StructType, NoLayout> {
    let mut out = StructType { name, fields: Vec::new(), size: 0, align: 16 };
    for (name, ty, given) in fields {
        let ty = pack(&ty)?;
        let size = ty.size().ok_or_else(|| NoLayout::new(format!("field `{name}` has no size")))?;
        let mut offset = round(out.size, ty.align())?;
        let starts_row = match ty {
            Type::Struct(_) | Type::Array { .. } => true,
            // One vector, as `float3` is.
            Type::Matrix(m) => m.stored().0 > 1,
            _ => false,
        };
        if starts_row || (offset % 16) + size > 16 {
            offset = round(out.size, 16)?;
        }
        let offset = given.unwrap_or(offset);
        out.size = offset.checked_add(size).ok_or_else(too_large)?;
        out.fields.push(Field { name, ty, offset });
    }
    // An array's last element does not fill its row: what follows may use the rest, but the whole is full rows.
    out.size = round(out.size, 16)?;
    Ok(out)
}

fn round(offset: u32, align: u32) -> Result<u32, NoLayout> {
    wgc_ir::layout::align_up(offset, align).ok_or_else(too_large)
}

fn too_large() -> NoLayout {
    NoLayout::new("the buffer is too large")
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_ir::Scalar;

    #[test]
    fn constant_buffers_pack_by_rows() {
        let float = Type::F32;
        let float3 = Type::Vector(Scalar::F32, 3);
        let floats = Type::Array { element: Arc::new(Type::F32), len: 3, stride: 4 };
        let fields = [("a", float3), ("b", float.clone()), ("c", floats), ("d", float)];
        let fields = fields.into_iter().map(|(n, t)| (Symbol::from(n), t, None)).collect();
        let block = pack_fields("B".into(), fields).unwrap();
        // From Microsoft's packing rules: b shares a's row, c takes a row an element.
        assert_eq!(block.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 12, 16, 64]);
        assert_eq!(block.size, 80);
    }

    #[test]
    fn a_matrix_takes_a_row_for_each_of_its_vectors() {
        let matrix = |rows, columns, row_major| Type::Matrix(MatrixType::tight(Scalar::F32, rows, columns, row_major));
        let fields = [
            ("a", Type::F32),
            ("columns", matrix(3, 2, false)),
            ("b", Type::F32),
            ("rows", matrix(3, 2, true)),
            ("c", Type::F32),
            ("line", matrix(1, 3, true)),
            ("wide", Type::Matrix(MatrixType::tight(Scalar::F64, 2, 3, true))),
        ];
        let fields = fields.into_iter().map(|(n, t)| (Symbol::from(n), t, None)).collect();
        let block = pack_fields("B".into(), fields).unwrap();
        // Two columns from 16, three rows from 64; `line` is packed like a `float3`; three doubles take 32 bytes.
        assert_eq!(block.fields.iter().map(|f| f.offset).collect::<Vec<_>>(), [0, 16, 48, 64, 112, 116, 128]);
        assert_eq!(block.size, 192);
    }
}
