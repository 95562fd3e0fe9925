//! Record types of node inputs and outputs: their requirements, and the location of the dispatch grid in them.

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{RecordInst, Repr as Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::cx::Cx;
use crate::types::layout::record_layout;
use crate::types::record::record;
use std::sync::Arc;
use wgc_frontend::ast::Span;
use wgc_ir::{GridField, Record, StructType, Type};

/// A record as a node declares it.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct RecordInfo<'db> {
    pub ty: Ty<'db>,
    pub ir: Record,
    /// The field of the grid.
    pub grid_place: Option<SourcePlace<'db>>,
}

impl RecordInfo<'_> {
    /// Returns the size in bytes.
    pub fn size(&self) -> u32 {
        self.ir.ty.size().unwrap_or(0)
    }
}

/// Checks the record of a node object in any type; other types are always valid. `span` is the location of the use.
pub fn check_object<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, span: Span) -> Result<(), BadRecord> {
    let object = crate::types::globals::element(cx.db, ty);
    let argument = match object.as_record(cx.db) {
        Some(inst) if crate::types::record::builtin(cx.db, object).is_some_and(Builtin::is_node_object) => {
            crate::types::record::type_arg(cx.db, inst)
        }
        _ => None,
    };
    match argument.map(|ty| structure(cx, ty, span)) {
        Some(None) => Err(BadRecord),
        _ => Ok(()),
    }
}

/// The record is wrong and was reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadRecord;

/// Returns a record type with its layout; reports a type that cannot be a record. `span` is the location of the use.
pub fn structure<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, span: Span) -> Option<(RecordInst<'db>, Arc<StructType>)> {
    let db = cx.db;
    let shown = ty.display(db);
    let inst = match ty.kind(db) {
        TyKind::Error => return None,
        TyKind::Record(inst) if record(db, *inst).builtin.is_none() => *inst,
        _ => {
            cx.errors.push(
                Diagnostic::new(Code::RecordType, cx.place(span), format!("`{shown}` cannot be a record"))
                    .note("use a structure of numbers"),
            );
            return None;
        }
    };
    let decl = record(db, inst);
    let layout = match record_layout(db, inst) {
        Ok(layout) => layout.clone(),
        Err(no) => {
            if !no.why.is_empty() {
                let message = format!("`{shown}` cannot be a record: {}", no.why);
                let wrong =
                    Diagnostic::new(Code::RecordType, cx.place(span), message).also(decl.place, "declared here");
                cx.errors.push(match no.is_object {
                    true => wrong
                        .note("records contain only numbers: declare resources globally and select one by an index in the record"),
                    false => wrong,
                });
            }
            return None;
        }
    };
    if layout.size == 0 {
        let message = format!("`{shown}` is empty, so it cannot be a record");
        cx.errors.push(
            Diagnostic::new(Code::RecordType, cx.place(span), message)
                .also(decl.place, "declared here")
                .note("use `EmptyNodeOutput` or `EmptyNodeInput` for records without data"),
        );
        return None;
    }
    Some((inst, layout))
}

/// Reads a record type. Reports an error and returns `None` when it cannot be a record. `span` is the location of the
/// use. With `grids` it may launch grids there, so the grid field must have a valid type.
pub fn read<'db>(cx: &mut Cx<'_, 'db>, ty: Ty<'db>, span: Span, grids: bool) -> Option<RecordInfo<'db>> {
    let (inst, layout) = structure(cx, ty, span)?;
    let (db, shown, decl) = (cx.db, ty.display(cx.db), record(cx.db, inst));
    if let Some((bits, before)) = crate::types::bit_fields::apart(db, inst) {
        let message =
            format!("`{}` begins a new word here; in Direct3D it shares the word of `{}`", bits.name, before.name);
        cx.errors.push(
            Diagnostic::new(Code::MixedBitFields, bits.place, message)
                .also(before.place, "this one has another type")
                .note("hosts written for Direct3D write smaller records: give all bit-fields of a word one type"),
        );
    }
    let mut fields = Vec::new();
    find_grids(db, inst, &mut Vec::new(), 0, &mut fields);
    let mut grid = None;
    let mut grid_place: Option<SourcePlace<'db>> = None;
    for found in fields {
        if let Some(first) = grid_place {
            let message = format!("`{shown}` has two `SV_DispatchGrid` fields");
            cx.errors.push(Diagnostic::new(Code::GridField, found.place, message).also(first, "the first one"));
            continue;
        }
        if found.spelling != "SV_DispatchGrid" {
            let message = format!("`{}` should be spelled `SV_DispatchGrid`", found.spelling);
            cx.errors.push(Diagnostic::new(Code::SystemValueCase, found.semantic, message).fix(
                found.semantic,
                "SV_DispatchGrid",
                "use the usual spelling",
            ));
        }
        grid_place = Some(found.place);
        match grid_shape(db, found.ty) {
            Some((scalar, components)) => {
                grid = Some(GridField { path: found.path, offset: found.offset, scalar, components });
            }
            None if !grids => {}
            None => {
                let message = format!("`SV_DispatchGrid` cannot be a `{}`", found.ty.display(db));
                cx.errors.push(
                    Diagnostic::new(Code::GridField, found.place, message)
                        .note("use `uint` or `uint16_t`, or a vector or an array of up to three of them"),
                );
            }
        }
    }
    let ir = Record { ty: Type::Struct(layout), grid, track_sharing: decl.track_sharing };
    Some(RecordInfo { ty, ir, grid_place })
}

/// Returns the path of fields to the grid in a record that may otherwise be wrong; fields of bases are counted first.
pub(crate) fn grid_path<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<Vec<u32>> {
    let mut grids = Vec::new();
    find_grids(db, inst, &mut Vec::new(), 0, &mut grids);
    grids.into_iter().next().map(|found| found.path)
}

/// Returns the declaration of the field at a path.
pub(crate) fn field_at<'db>(db: &'db dyn Db, inst: RecordInst<'db>, path: &[u32]) -> Option<SourcePlace<'db>> {
    let (first, rest) = path.split_first()?;
    let field = record(db, inst).fields.get(*first as usize)?;
    match rest {
        [] => Some(field.place),
        _ => field_at(db, field.ty.as_record(db)?, rest),
    }
}

/// Returns the first semantic in a record that resembles `SV_DispatchGrid`.
pub(crate) fn misspelled_grid<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<SourcePlace<'db>> {
    record_layout(db, inst).as_ref().ok()?;
    record(db, inst).fields.iter().find_map(|field| match &field.semantic {
        Some((name, place)) => closest(name, ["SV_DispatchGrid"]).map(|_| *place),
        None => misspelled_grid(db, field.ty.as_record(db)?),
    })
}

struct SemanticField<'db> {
    path: Vec<u32>,
    offset: u32,
    ty: Ty<'db>,
    place: SourcePlace<'db>,
    semantic: SourcePlace<'db>,
    spelling: String,
}

/// Finds the fields with the semantic, base classes first, then in order. Nested structures are searched, arrays are
/// not.
fn find_grids<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    path: &mut Vec<u32>,
    offset: u32,
    out: &mut Vec<SemanticField<'db>>,
) {
    let Ok(layout) = record_layout(db, inst) else { return };
    for (i, (field, placed)) in record(db, inst).fields.iter().zip(&layout.fields).enumerate() {
        path.push(i as u32);
        let offset = offset + placed.offset;
        match &field.semantic {
            Some((name, semantic)) if name.eq_ignore_ascii_case("SV_DispatchGrid") => out.push(SemanticField {
                path: path.clone(),
                offset,
                ty: field.ty,
                place: field.place,
                semantic: *semantic,
                spelling: name.clone(),
            }),
            _ => {
                if let TyKind::Record(inner) = field.ty.kind(db) {
                    find_grids(db, *inner, path, offset, out);
                }
            }
        }
        path.pop();
    }
}

fn grid_shape<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<(Scalar, u32)> {
    let (scalar, components) = match ty.kind(db) {
        TyKind::Scalar(s) => (s.repr(), 1),
        TyKind::Vector(s, n) => (s.repr(), u32::from(*n)),
        TyKind::Array(element, Some(n)) => match element.kind(db) {
            TyKind::Scalar(s) => (s.repr(), *n),
            _ => return None,
        },
        _ => return None,
    };
    (matches!(scalar, Scalar::U32 | Scalar::U16) && (1..=3).contains(&components)).then_some((scalar, components))
}
