//! Summary of a type's parts: the number of scalars, the depth, and the kinds of parts.
//!
//! Each record is summed up once. So structures that hold each other twice take no exponential time, and a record
//! that holds itself does not loop. Layout is in `layout`.

use crate::db::Db;
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::instantiation::enter_part;
use crate::types::record::declared_record;

/// The limit of nested arrays and structures in a type. The IR rejects more, so all code that walks types may
/// recurse.
pub const MAX_DEPTH: u32 = 60;

/// The limit of fields in a structure, nested ones included; elements of arrays count once. Structures that hold each
/// other twice double with every level, and all code that walks types visits each field.
pub const MAX_PARTS: u64 = 4096;
/// The limit of listed parts in one array or structure. A SPIR-V instruction has at most 65,535 words, and three of
/// them are not parts.
pub const MAX_LISTED: usize = 65_532;

/// The depth of a record that contains itself, and of types that contain it.
pub const ENDLESS: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Scalars of a value; `u64::MAX` stands for at least that many.
    pub scalars: u64,
    /// Scalars and vectors; those in an array count once.
    pub parts: u64,
    /// Levels below the type; 0 for a scalar, vector or matrix.
    pub depth: u32,
    pub has_matrix: bool,
    /// Some part is not a number: an object, a string, an unsized array, or a record without a definition.
    pub has_opaque: bool,
    /// Some part is a bit-field, so the parts differ from those of the layout.
    pub has_bits: bool,
    /// Some part is a ray query.
    pub has_query: bool,
}

const NUMBER: Extent =
    Extent { scalars: 1, parts: 1, depth: 0, has_matrix: false, has_opaque: false, has_bits: false, has_query: false };
const OPAQUE: Extent = Extent { scalars: 0, has_opaque: true, ..NUMBER };

/// Returns the sum of a type's parts. Objects of the language have no parts here.
pub fn extent<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Extent {
    match ty.kind(db) {
        TyKind::Scalar(_) | TyKind::Enum(_) => NUMBER,
        TyKind::Vector(_, n) => Extent { scalars: u64::from(*n), ..NUMBER },
        TyKind::Matrix { rows, columns, .. } => {
            Extent { scalars: u64::from(*rows) * u64::from(*columns), has_matrix: true, ..NUMBER }
        }
        TyKind::Array(element, n) => {
            let inner = extent(db, *element);
            Extent {
                scalars: inner.scalars.saturating_mul(u64::from(n.unwrap_or(0))),
                depth: inner.depth.saturating_add(1),
                has_opaque: inner.has_opaque || n.is_none(),
                ..inner
            }
        }
        TyKind::Record(inst) => declared_extent(db, *inst),
        _ => OPAQUE,
    }
}

/// Returns the error if a type is too deep or has too many parts, as the end of a sentence about it.
pub fn excess(extent: Extent) -> Option<(Code, String)> {
    let Extent { depth, parts, .. } = extent;
    if depth > MAX_DEPTH {
        let message = format!("nests arrays and structures more than {MAX_DEPTH} levels deep");
        return Some((Code::NestingTooDeep, message));
    }
    (parts > MAX_PARTS)
        .then(|| (Code::UnsupportedType, format!("has {parts} fields in total; the limit is {MAX_PARTS}")))
}

/// Returns the sum of a record as declared.
#[salsa::tracked(returns(copy), cycle_result = cyclic_extent)]
pub(crate) fn declared_extent<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Extent {
    // A template may contain ever new instances of itself.
    let Some(_level) = enter_part() else { return Extent { depth: MAX_DEPTH + 1, ..OPAQUE } };
    let decl = declared_record(db, inst);
    if let Some(object) = decl.builtin {
        return Extent { has_query: object == Builtin::RayQuery, ..OPAQUE };
    }
    let empty = Extent { scalars: 0, parts: 0, has_opaque: !decl.complete, ..NUMBER };
    let of = |f: &crate::types::record::Field<'db>| {
        if f.bits.is_empty() {
            return extent(db, f.ty);
        }
        let bits = f.named_bits().count() as u64;
        Extent { scalars: bits, parts: bits, has_bits: true, ..NUMBER }
    };
    let sum = decl.fields.iter().map(of).fold(empty, |sum, part| Extent {
        scalars: sum.scalars.saturating_add(part.scalars),
        parts: sum.parts.saturating_add(part.parts),
        depth: sum.depth.max(part.depth),
        has_matrix: sum.has_matrix || part.has_matrix,
        has_opaque: sum.has_opaque || part.has_opaque,
        has_bits: sum.has_bits || part.has_bits,
        has_query: sum.has_query || part.has_query,
    });
    Extent { depth: sum.depth.saturating_add(1), ..sum }
}

/// Returns the extent of a record that contains itself; its definition is reported.
fn cyclic_extent<'db>(_: &'db dyn Db, _: salsa::Id, _: RecordInst<'db>) -> Extent {
    Extent { depth: ENDLESS, ..OPAQUE }
}

/// The limit of types and values in a template argument, nested ones included. `P<T, T>` of itself doubles them with
/// every level, and each name spells all of them.
pub const MAX_ARGUMENTS: u32 = 1024;

/// Returns the error if a template argument is too deep or too large, as the end of a sentence about it. An example
/// is `W<W<S> >` without end.
pub fn argument_excess<'db>(db: &'db dyn Db, arg: &GenericArg<'db>) -> Option<String> {
    let (depth, count) = argument_extent(db, arg);
    if depth >= MAX_DEPTH {
        return Some(format!("nest more than {MAX_DEPTH} levels deep"));
    }
    (count > MAX_ARGUMENTS).then(|| format!("exceed {MAX_ARGUMENTS} types and values in total"))
}

/// Returns the depth of an argument (0 for `S`, 1 for `W<S>`, 2 for `W<W<S> >`), and its number of types and values.
fn argument_extent<'db>(db: &'db dyn Db, arg: &GenericArg<'db>) -> (u32, u32) {
    let mut ty = match arg {
        GenericArg::Ty(ty) => *ty,
        GenericArg::Value(_) => return (0, 1),
    };
    while let TyKind::Array(element, _) = ty.kind(db) {
        ty = *element;
    }
    ty.as_record(db).map_or((0, 1), |inst| instance_extent(db, inst))
}

#[salsa::tracked(returns(copy))]
fn instance_extent<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> (u32, u32) {
    inst.args(db)
        .iter()
        .map(|arg| argument_extent(db, arg))
        .fold((0, 1), |(depth, count), (inner, more)| (depth.max(inner.saturating_add(1)), count.saturating_add(more)))
}
