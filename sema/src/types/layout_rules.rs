//! Layout rules for memory that a host shares: the offsets of members, and the strides of arrays and matrices.
//!
//! - [`Rules::Natural`]: everything has the alignment of its scalars, as in C. The size of a structure is a multiple
//!   of its alignment. Records of nodes always have this layout.
//! - [`Rules::Scalar`]: like natural, but a structure ends with its last member, and the next member may start there
//!   (`VK_EXT_scalar_block_layout` as in DXC, glslang and Slang).
//! - [`Rules::Rows`]: constant buffers of Direct3D. No vector crosses a row of 16 bytes. Arrays, structures and
//!   matrices of several vectors start a row, and the next member may begin in their last row.
//! - [`Rules::Std`]: OpenGL 4.6, 7.6.2.2. A vector of two starts at a multiple of its size, one of three or four at a
//!   multiple of the size of four. An array has the alignment of its elements, a structure the largest alignment of
//!   its members. Both are padded to a multiple of it. std140 rounds those two alignments up to 16 bytes, also for
//!   the vectors of a matrix. Relaxed rules are the default, as in DXC. A vector of scalars of at most four bytes
//!   then starts at any multiple of the scalar, if it does not cross 16 bytes. Its contribution to the structure's
//!   alignment stays the same.
//!
//! `[[vk::offset(n)]]` overrides all of them for one member; the next member follows it.

use crate::db::Db;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::types::layout::{NoLayout, ir_type, record_layout};
use crate::types::offsets;
use crate::types::record::record;
use std::sync::Arc;
use wgc_ir::layout::occupied;
use wgc_ir::{Field, MatrixLayout, MatrixType, Scalar, StructType, Symbol, Type};

/// The size of a row of a constant buffer, in bytes.
const ROW: u32 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rules {
    Natural,
    Scalar,
    Rows,
    Std {
        /// std140; otherwise std430.
        uniform: bool,
        /// Vectors start at multiples of their scalars.
        relaxed: bool,
    },
}

/// A type in memory, and the alignment of a member of this type.
pub struct LaidOutType {
    pub ty: Type,
    align: u32,
}

/// A structure under construction, to which members are added in order.
pub(crate) struct Body {
    rules: Rules,
    fields: Vec<Field>,
    /// The first possible offset of the next member.
    next: u32,
    end: u32,
    align: u32,
}

impl Rules {
    /// Returns the memory layout of a type under these rules.
    pub fn lay<'db>(self, db: &'db dyn Db, ty: Ty<'db>) -> Result<LaidOutType, NoLayout> {
        // Reports types without any layout. A type that contains itself would not end below.
        let natural = ir_type(db, ty)?;
        self.laid(db, ty, natural)
    }

    /// Returns the type of a buffer's element, and the stride.
    pub fn element<'db>(self, db: &'db dyn Db, ty: Ty<'db>) -> Result<(Type, u32), NoLayout> {
        let LaidOutType { ty, align } = self.lay(db, ty)?;
        let stride = round(bytes(&ty)?, align)?;
        Ok((ty, stride))
    }

    /// Lays out a record. Inherited fields are in a separate structure at its start.
    pub fn record<'db>(self, db: &'db dyn Db, inst: RecordInst<'db>) -> Result<StructType, NoLayout> {
        let laid = self.placed(db, inst)?;
        if record(db, inst).fields.iter().any(|f| f.offset.is_some())
            && let Some(wrong) = offsets::wrong(&laid).into_iter().next()
        {
            return Err(NoLayout::new(wrong.message(&laid)));
        }
        Ok(laid)
    }

    /// Lays out a record without a check of its explicit offsets.
    pub fn placed<'db>(self, db: &'db dyn Db, inst: RecordInst<'db>) -> Result<StructType, NoLayout> {
        let decl = record(db, inst);
        let mut body = Body::new(self);
        for base in &decl.bases {
            let base = match self {
                Rules::Natural => record_layout(db, *base).clone()?,
                _ => Arc::new(self.record(db, *base)?),
            };
            body.add_base(&base)?;
        }
        for field in decl.fields.iter().skip(body.fields.len()) {
            let laid = self.lay(db, field.ty)?;
            if laid.ty.size().is_none() {
                let (name, ty) = (&field.name, field.ty.display(db));
                return Err(NoLayout::new(format!("field `{name}` of type `{ty}` has no size")));
            }
            body.add(field.name.as_str().into(), laid, field.offset)?;
            if let Some(unit) = body.fields.last_mut() {
                unit.bits = crate::types::bit_fields::of_unit(db, field);
            }
        }
        body.finish(Symbol::from(Ty::new(db, TyKind::Record(inst)).display(db)))
    }

    fn laid<'db>(self, db: &'db dyn Db, ty: Ty<'db>, natural: Type) -> Result<LaidOutType, NoLayout> {
        match (ty.kind(db), &natural) {
            _ if self == Rules::Natural => Ok(LaidOutType { align: natural.align(), ty: natural }),
            (TyKind::Record(inst), Type::Struct(_)) => {
                let laid = self.record(db, *inst)?;
                Ok(LaidOutType { align: laid.align, ty: Type::Struct(Arc::new(laid)) })
            }
            (TyKind::Array(element, _), Type::Array { len, .. }) => {
                let element = self.lay(db, *element)?;
                self.array(element, *len)
            }
            _ => Ok(self.number(natural)),
        }
    }

    fn array(self, element: LaidOutType, len: u32) -> Result<LaidOutType, NoLayout> {
        let align = match self {
            Rules::Natural | Rules::Scalar => element.align,
            Rules::Rows => ROW,
            Rules::Std { .. } => self.composite(element.align),
        };
        let stride = round(bytes(&element.ty)?, align)?;
        let size = u64::from(len) * u64::from(stride);
        u32::try_from(size).map_err(|_| NoLayout::too_large("an array", size))?;
        Ok(LaidOutType { ty: Type::Array { element: Arc::new(element.ty), len, stride }, align })
    }

    /// Lays out a scalar, vector or matrix.
    fn number(self, ty: Type) -> LaidOutType {
        match (self, &ty) {
            (Rules::Rows, Type::Matrix(m)) if m.stored().0 > 1 => {
                LaidOutType { ty: strided(*m, (m.stored().1 * m.scalar.size()).next_multiple_of(ROW)), align: ROW }
            }
            // A single row or column is a vector, in either order.
            (Rules::Std { .. }, Type::Matrix(m)) if m.rows == 1 || m.columns == 1 => {
                let components = u32::from(m.rows) * u32::from(m.columns);
                LaidOutType { align: vector(m.scalar, components), ty: ty.clone() }
            }
            (Rules::Std { .. }, Type::Matrix(m)) => {
                let (_, length) = m.stored();
                let align = self.composite(vector(m.scalar, length));
                LaidOutType { ty: strided(*m, (length * m.scalar.size()).next_multiple_of(align)), align }
            }
            (Rules::Std { .. }, Type::Vector(scalar, n)) => {
                LaidOutType { align: vector(*scalar, u32::from(*n)), ty: ty.clone() }
            }
            _ => LaidOutType { align: ty.align(), ty },
        }
    }

    /// Returns the offset of a member that may not start before `next`.
    fn place(self, next: u32, member: &LaidOutType) -> Result<u32, NoLayout> {
        let size = bytes(&member.ty)?;
        let natural = round(next, member.ty.align())?;
        let crosses = natural % ROW + size > ROW;
        match self {
            Rules::Rows if is_vector(&member.ty, |m| m.stored().0 == 1) && crosses => round(next, ROW),
            Rules::Std { relaxed: true, .. }
                if is_vector(&member.ty, |m| m.rows == 1 || m.columns == 1) && member.ty.align() <= 4 =>
            {
                if crosses {
                    round(next, ROW)
                } else {
                    Ok(natural)
                }
            }
            _ => round(next, member.align),
        }
    }

    /// Returns the first possible offset after a member.
    fn next_offset(self, ty: &Type, offset: u32) -> Result<u32, NoLayout> {
        let size = match self {
            Rules::Rows => occupied(ty),
            _ => u64::from(bytes(ty)?),
        };
        fits(u64::from(offset) + size)
    }

    /// Returns the alignment of an aggregate.
    fn composite(self, align: u32) -> u32 {
        match self {
            Rules::Std { uniform: true, .. } | Rules::Rows => align.next_multiple_of(ROW),
            _ => align,
        }
    }
}

impl Body {
    pub fn new(rules: Rules) -> Body {
        Body { rules, fields: Vec::new(), next: 0, end: 0, align: rules.composite(1) }
    }

    /// Adds a member after the last one, or at its explicit offset.
    pub fn add(&mut self, name: Symbol, member: LaidOutType, given: Option<u32>) -> Result<(), NoLayout> {
        let offset = match given {
            Some(offset) => offset,
            None => self.rules.place(self.next, &member)?,
        };
        self.align = self.align.max(member.align);
        self.next = self.rules.next_offset(&member.ty, offset)?;
        self.end = self.end.max(self.next);
        self.fields.push(Field::new(name, member.ty, offset));
        Ok(())
    }

    fn add_base(&mut self, base: &StructType) -> Result<(), NoLayout> {
        let start = round(self.next, base.align)?;
        self.align = self.align.max(base.align);
        self.next = self.rules.next_offset(&Type::Struct(Arc::new(base.clone())), start)?;
        self.end = self.end.max(self.next);
        self.fields.extend(base.fields.iter().map(|f| Field { offset: start + f.offset, ..f.clone() }));
        Ok(())
    }

    /// Moves the next member after all existing ones.
    pub fn continue_at_end(&mut self) {
        self.next = self.end;
    }

    pub fn finish(self, name: Symbol) -> Result<StructType, NoLayout> {
        let size = if self.rules == Rules::Scalar { self.end } else { round(self.end, self.align)? };
        Ok(StructType { name, fields: self.fields, size, align: self.align })
    }
}

/// A vector that relaxed rules do not allow at its offset.
pub struct Straddling {
    /// The members and elements from the outermost to the vector: `a[0].b`.
    pub path: String,
    pub offset: u32,
}

/// Returns the first vector of a type at an offset that crosses 16 bytes, or begins within them if it is larger (the
/// specification of Vulkan, "Offset and Stride Assignment"). Rules of one structure do not see the offset of the
/// structure itself. Of a runtime array, only the first element counts, as for other validators.
pub fn straddling(ty: &Type, offset: u32) -> Option<Straddling> {
    let wrong = |size: u32| match size <= ROW {
        true => offset % ROW + size > ROW,
        false => !offset.is_multiple_of(ROW),
    };
    match ty {
        Type::Vector(scalar, n) => {
            wrong(scalar.size() * u32::from(*n)).then(|| Straddling { path: String::new(), offset })
        }
        // A single row or column is a vector.
        Type::Matrix(m) if m.rows == 1 || m.columns == 1 => {
            let size = m.scalar.size() * u32::from(m.rows) * u32::from(m.columns);
            wrong(size).then(|| Straddling { path: String::new(), offset })
        }
        Type::Struct(structure) => structure.fields.iter().find_map(|field| {
            let inner = straddling(&field.ty, offset + field.offset)?;
            let dot = if inner.path.is_empty() || inner.path.starts_with('[') { "" } else { "." };
            Some(Straddling { path: format!("{}{dot}{}", field.name, inner.path), ..inner })
        }),
        Type::Array { element, len, stride } if matches!(**element, Type::Struct(_) | Type::Array { .. }) => {
            // Offsets repeat after at most 16 elements.
            (0..(*len).min(ROW)).find_map(|n| {
                let inner = straddling(element, offset + n * stride)?;
                let dot = if inner.path.is_empty() || inner.path.starts_with('[') { "" } else { "." };
                Some(Straddling { path: format!("[{n}]{dot}{}", inner.path), ..inner })
            })
        }
        Type::RuntimeArray { element, .. } => straddling(element, offset),
        _ => None,
    }
}

/// Returns whether a type is a vector, or a matrix that is laid out like one.
fn is_vector(ty: &Type, matrix: impl Fn(&MatrixType) -> bool) -> bool {
    match ty {
        Type::Vector(..) => true,
        Type::Matrix(m) => matrix(m),
        _ => false,
    }
}

fn strided(m: MatrixType, stride: u32) -> Type {
    Type::Matrix(MatrixType { layout: MatrixLayout { stride, ..m.layout }, ..m })
}

/// Returns the alignment of a vector.
fn vector(scalar: Scalar, components: u32) -> u32 {
    scalar.size() * components.next_power_of_two()
}

fn bytes(ty: &Type) -> Result<u32, NoLayout> {
    ty.size().ok_or_else(|| NoLayout::new("a type without a size"))
}

fn round(offset: u32, align: u32) -> Result<u32, NoLayout> {
    fits(u64::from(offset).next_multiple_of(u64::from(align.max(1))))
}

/// Returns the end of a member, or an error if it exceeds 32 bits.
fn fits(end: u64) -> Result<u32, NoLayout> {
    u32::try_from(end).map_err(|_| NoLayout::too_large("a structure", end))
}
