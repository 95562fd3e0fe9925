//! What a type is made of, summed up: how many scalars, how deep it nests, and which kinds of parts.
//!
//! A record is summed up once, so that structures which hold each other twice cost no exponential time, and one that
//! holds itself ends. Layout is `layout`'s.

use crate::db::Db;
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::instantiation::enter_part;
use crate::types::record::declared_record;

/// Levels of arrays and structures in a type. The IR refuses more: everything that walks types may recurse.
pub const MAX_DEPTH: u32 = 60;

/// Fields of a structure and of those in it, elements of arrays counted once. Structures that hold each other twice
/// double with every level; everything that walks types visits each of them.
pub const MAX_PARTS: u64 = 4096;
/// The most parts of one array or structure that a list gives: instructions of SPIR-V have 65535 words, three beside them.
pub const MAX_LISTED: usize = 65_532;

/// The depth of a record that holds itself, and of what holds it.
pub const ENDLESS: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// Scalars of a value; `u64::MAX` stands for that many or more.
    pub scalars: u64,
    /// Scalars and vectors, those of an array counted once.
    pub parts: u64,
    /// Levels below the type; 0 for a scalar, vector or matrix.
    pub depth: u32,
    pub has_matrix: bool,
    /// Some part is no number: an object, a string, an array without size, a record without definition.
    pub has_opaque: bool,
    /// Some part is a bit-field, so that the parts are not those of the layout.
    pub has_bits: bool,
    /// Some part is a ray query.
    pub has_query: bool,
}

const NUMBER: Extent =
    Extent { scalars: 1, parts: 1, depth: 0, has_matrix: false, has_opaque: false, has_bits: false, has_query: false };
const OPAQUE: Extent = Extent { scalars: 0, has_opaque: true, ..NUMBER };

/// The sum of a type's parts. The parts of an object of the language are not looked at.
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

/// What is wrong with the depth or the number of parts of a type, as the end of a sentence about it.
pub fn excess(extent: Extent) -> Option<(Code, String)> {
    let Extent { depth, parts, .. } = extent;
    if depth > MAX_DEPTH {
        let message = format!("nests arrays and structures more than {MAX_DEPTH} levels deep");
        return Some((Code::NestingTooDeep, message));
    }
    (parts > MAX_PARTS).then(|| (Code::UnsupportedType, format!("has {parts} fields in all, of at most {MAX_PARTS}")))
}

/// The sum of a record as its text declares it.
#[salsa::tracked(returns(copy), cycle_result = cyclic_extent)]
pub(crate) fn declared_extent<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Extent {
    // A template that contains ever other instances of itself.
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

/// A record that holds itself: its definition is reported.
fn cyclic_extent<'db>(_: &'db dyn Db, _: salsa::Id, _: RecordInst<'db>) -> Extent {
    Extent { depth: ENDLESS, ..OPAQUE }
}

/// Types and values in a template argument and in those inside it. `P<T, T>` of itself doubles them with every level, and
/// each name spells all of them.
pub const MAX_ARGUMENTS: u32 = 1024;

/// What is wrong with a template argument, as the end of a sentence about it: `W<W<S> >` without end, or ever more.
pub fn argument_excess<'db>(db: &'db dyn Db, arg: &GenericArg<'db>) -> Option<String> {
    let (depth, count) = argument_extent(db, arg);
    if depth >= MAX_DEPTH {
        return Some(format!("nest more than {MAX_DEPTH} levels deep"));
    }
    (count > MAX_ARGUMENTS).then(|| format!("are more than {MAX_ARGUMENTS} types and values in all"))
}

/// How deep an argument nests, 0 for `S`, 1 for `W<S>`, 2 for `W<W<S> >`; and how many types and values it has.
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
