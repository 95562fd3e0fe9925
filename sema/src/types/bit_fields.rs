//! Bit-fields and their allocation to units of memory.
//!
//! The rules are those of DXC for SPIR-V. A bit-field joins the unit of the previous one if two conditions hold. Both
//! have the same declared type, and its bits fit after the others of the unit, counted from the lowest bit. Otherwise
//! it begins the next unit, which is as wide as its type. A unit is one field of the record; it is unsigned unless
//! its bit-fields are signed. Unnamed bit-fields are padding and have no initialisers. One of zero bits ends the
//! unit.

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::ty::{RecordInst, Repr, Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::record::Field;

/// One bit-field of a unit.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct BitField<'db> {
    pub name: String,
    /// The declared type.
    pub ty: Ty<'db>,
    pub range: BitRange,
    pub place: SourcePlace<'db>,
}

/// Bits of an integer, from the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BitRange {
    pub offset: u8,
    /// At least 1.
    pub width: u8,
}

/// Returns the integer type that holds a bit-field; a `bool` uses bits of a `uint`.
fn storage<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Repr> {
    match ty.kind(db) {
        TyKind::Scalar(Scalar::Bool) => Some(Repr::U32),
        TyKind::Scalar(s) if s.is_integer() => Some(s.repr()),
        TyKind::Enum(e) => Some(crate::types::const_eval::enum_values(db, *e).scalar),
        _ => None,
    }
}

/// Adds a bit-field to the fields of a record and reports its errors. The record's own fields start at `own`.
pub(crate) fn add<'db>(
    cx: &mut Cx<'_, 'db>,
    fields: &mut Vec<Field<'db>>,
    own: usize,
    (name, ty, place): (String, Ty<'db>, SourcePlace<'db>),
    width: Option<u32>,
) {
    let db = cx.db;
    let Some(width) = width else { return };
    if ty.is_error(db) {
        return;
    }
    let Some(scalar) = storage(db, ty) else {
        let message = format!("`{name}` is a bit-field of type `{}`, which is not an integer", ty.display(db));
        return cx.errors.push(crate::db::diagnostic::Diagnostic::new(Code::BadBitField, place, message));
    };
    let bits = scalar.size() * 8;
    let is_padding = name.is_empty();
    if width == 0 && is_padding {
        if let Some(unit) = fields[own..].last_mut() {
            fill(db, unit, place);
        }
        return;
    }
    if width == 0 || width > bits {
        let message = match width {
            _ if is_padding => format!("the padding has {width} bits, but its type has {bits}"),
            0 => format!("the bit-field `{name}` has no bits"),
            _ => format!("the bit-field `{name}` has {width} bits, but its type has {bits}"),
        };
        return cx.errors.push(crate::db::diagnostic::Diagnostic::new(Code::BadBitField, place, message));
    }
    let width = width as u8;
    let field = |offset| BitField { name: name.clone(), ty, range: BitRange { offset, width }, place };
    if let Some(unit) = fields[own..].last_mut()
        && let Some(last) = unit.bits.last()
        && last.ty == ty
        && u32::from(last.range.offset) + u32::from(last.range.width) + u32::from(width) <= bits
    {
        let offset = last.range.offset + last.range.width;
        let names = [unit.name.as_str(), &name].into_iter().filter(|name| !name.is_empty());
        unit.name = names.collect::<Vec<_>>().join("_");
        return unit.bits.push(field(offset));
    }
    let unit = Ty::scalar_ty(db, Scalar::of(scalar));
    fields.push(Field { bits: vec![field(0)], ..Field::new(name.clone(), unit, place) });
}

/// Finds the first bit-field that begins a unit but shares the previous one in Direct3D, where types of one size
/// share units. Returns it and the bit-field before it. Nested records are searched too.
pub(crate) fn apart<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<(BitField<'db>, BitField<'db>)> {
    let fields = &crate::types::record::record(db, inst).fields;
    // The number of used bits in the current unit of Direct3D.
    let mut used = 0;
    for (n, field) in fields.iter().enumerate() {
        if let Some(found) =
            crate::types::globals::element(db, field.ty).as_record(db).and_then(|inner| apart(db, inner))
        {
            return Some(found);
        }
        let bits = |field: &Field<'db>| field.bits.iter().map(|b| u32::from(b.range.width)).sum::<u32>();
        let size = |b: &BitField<'db>| storage(db, b.ty).map(|scalar| scalar.size());
        let before = n.checked_sub(1).map(|n| &fields[n]).filter(|before| before.inherited == field.inherited);
        let Some(first) = field.bits.first() else { continue };
        if let Some(last) = before.and_then(|before| before.bits.last())
            && size(last) == size(first)
            && size(first).is_some_and(|bytes| used + u32::from(first.range.width) <= bytes * 8)
        {
            return Some((first.clone(), last.clone()));
        }
        used = bits(field);
    }
    None
}

/// Pads a unit of bit-fields to its end.
fn fill<'db>(db: &'db dyn Db, unit: &mut Field<'db>, place: SourcePlace<'db>) {
    let Some((last, scalar)) = unit.bits.last().and_then(|last| Some((last, storage(db, last.ty)?))) else { return };
    let offset = last.range.offset + last.range.width;
    let width = (scalar.size() * 8) as u8 - offset;
    if width > 0 {
        unit.bits.push(BitField { name: String::new(), ty: last.ty, range: BitRange { offset, width }, place });
    }
}

/// Returns the bit-fields of a unit for the IR.
pub(crate) fn of_unit<'db>(db: &'db dyn Db, unit: &Field<'db>) -> Vec<wgc_ir::BitField> {
    let bits = unit.bits.iter().filter_map(|field| {
        let scalar = match field.ty.kind(db) {
            TyKind::Scalar(Scalar::Bool) => Repr::Bool,
            _ => storage(db, field.ty)?,
        };
        let BitRange { offset, width } = field.range;
        Some(wgc_ir::BitField { name: field.name.as_str().into(), scalar, first: offset, width })
    });
    bits.collect()
}
