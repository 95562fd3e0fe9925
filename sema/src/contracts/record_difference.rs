//! Differences between the records at both ends of an edge, or of nodes that must consume the same record.
//!
//! A runtime sees size, alignment, the grid and tracking; other differences only mix up fields. The consumer decides
//! about the grid: a producer that leaves out its semantic gets a warning. Both structures, which may have the same
//! name, get a label with their role. The first field that differs gets a label too.

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::items::record_node;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use crate::types::node_record::RecordInfo;
use crate::types::record::record;
use wgc_frontend::ast::Span;
use wgc_ir::{Field, Grid, GridField, Scalar, StructType, Type};

/// A record and its role, which distinguishes it from the other one in messages.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a, 'db> {
    pub record: &'a RecordInfo<'db>,
    /// `as sent`
    pub role: &'a str,
    /// The record's input may track sharing.
    pub may_track: bool,
}

pub(crate) struct Difference<'db> {
    pub code: Code,
    pub why: String,
    labels: Vec<(SourcePlace<'db>, String)>,
    /// The location for the missing `[NodeTrackRWInputSharing]`, and the name of its record.
    untracked: Option<(SourcePlace<'db>, String)>,
}

impl<'db> Difference<'db> {
    /// Adds labels and a fix to a diagnostic about the difference; the reason is in `why`.
    pub fn show(self, mut diagnostic: Diagnostic<'db>) -> Diagnostic<'db> {
        for (place, text) in self.labels {
            diagnostic = diagnostic.also(place, text);
        }
        match self.untracked {
            Some((place, name)) => {
                let what = format!("make `{name}` track sharing");
                diagnostic.fix(place, "[NodeTrackRWInputSharing] ", what)
            }
            None => diagnostic,
        }
    }
}

/// Returns whether both are one type. Separate files may each declare it.
pub(crate) fn is_same_type(a: &RecordInfo, b: &RecordInfo) -> bool {
    a.ty == b.ty || a.ir == b.ir
}

/// Returns the difference between two records if it matters to a node with this grid that consumes the second.
pub(crate) fn difference<'db>(
    db: &'db dyn Db,
    a: Side<'_, 'db>,
    b: Side<'_, 'db>,
    grid: Grid,
) -> Option<Difference<'db>> {
    if is_same_type(a.record, b.record) {
        return None;
    }
    let (x, y) = (a.show(db), b.show(db));
    let found = |code, why: String, of_a: String, of_b: String| {
        let labels = [a.label(db, of_a), b.label(db, of_b)].into_iter().flatten().collect();
        Difference { code, why, labels, untracked: None }
    };
    let bytes = |side: &Side| format!("{} B", grouped(side.record.size().into()));
    if a.record.size() != b.record.size() {
        let (m, n) = (bytes(&a), bytes(&b));
        let why = format!("{x} has {m}, {y} has {n}");
        let mut wrong = found(Code::RecordMismatch, why, format!("{x} has {m}"), format!("{y} has {n}"));
        wrong.labels.extend(first_field(db, a, b));
        return Some(wrong);
    }
    let (m, n) = (a.record.ir.ty.widest(), b.record.ir.ty.widest());
    if m != n {
        let to = |n: u32| format!("is aligned to {n} B");
        let why = format!("{x} {}, {y} {}", to(m), to(n));
        let mut wrong = found(Code::RecordMismatch, why, format!("{x} {}", to(m)), format!("{y} {}", to(n)));
        wrong.labels.extend(first_field(db, a, b));
        return Some(wrong);
    }
    if a.record.ir.track_sharing != b.record.ir.track_sharing {
        let (with, without) = if a.record.ir.track_sharing { ((a, x), (b, y)) } else { ((b, y), (a, x)) };
        let why = format!("{} has `[NodeTrackRWInputSharing]`, but {} does not", with.1, without.1);
        let label = |side: &(Side<'_, 'db>, String), has: &str| {
            side.0.label(db, format!("{} {has} `[NodeTrackRWInputSharing]`", side.1))
        };
        let labels = [label(&with, "has"), label(&without, "lacks")].into_iter().flatten().collect();
        let untracked = b.may_track.then(|| without.0.name_place(db)).flatten();
        let untracked = untracked.map(|place| (place, without.0.record.ty.display(db).to_string()));
        return Some(Difference { code: Code::RecordMismatch, why, labels, untracked });
    }
    let is_laid_out_alike = same_layout(&a.record.ir.ty, &b.record.ir.ty);
    if let (Grid::Max(_), Some(to)) = (grid, &b.record.ir.grid) {
        let from = a.record.ir.grid.as_ref();
        let is_same =
            |from: &GridField| (from.offset, from.scalar, from.components) == (to.offset, to.scalar, to.components);
        if !from.is_some_and(is_same) {
            let (of_a, of_b) = (of_grid(from), of_grid(Some(to)));
            let why = format!("{x} {of_a}, {y} {of_b}");
            let mut labels = Vec::new();
            for (side, name, text) in [(a, &x, of_a), (b, &y, of_b)] {
                let text = format!("{name} {text}");
                labels.extend(
                    side.record.grid_place.map_or_else(|| side.label(db, text.clone()), |at| Some((at, text.clone()))),
                );
            }
            // The second record defines the grid. The first may omit the semantic, but not contradict it.
            let is_silent = from.is_none() && is_laid_out_alike && to.in_record(&a.record.ir.ty).is_some();
            let code = if is_silent { Code::GridSemantic } else { Code::RecordMismatch };
            return Some(Difference { code, why, labels, untracked: None });
        }
    }
    if !is_laid_out_alike {
        let why = "both have the same size, but different fields or offsets".to_string();
        let fields = first_field(db, a, b);
        let labels =
            if fields.is_empty() { [a.label(db, x), b.label(db, y)].into_iter().flatten().collect() } else { fields };
        return Some(Difference { code: Code::RecordLayout, why, labels, untracked: None });
    }
    None
}

impl<'db> Side<'_, 'db> {
    /// Formats `` `R` as sent ``.
    fn show(&self, db: &'db dyn Db) -> String {
        format!("`{}` {}", self.record.ty.display(db), self.role)
    }

    /// Returns a label at the structure.
    fn label(&self, db: &'db dyn Db, text: String) -> Option<(SourcePlace<'db>, String)> {
        Some((record(db, self.record.ty.as_record(db)?).place, text))
    }

    /// Returns the location before the structure's name.
    fn name_place(&self, db: &'db dyn Db) -> Option<SourcePlace<'db>> {
        let inst = self.record.ty.as_record(db)?;
        let id = crate::types::definition::record(db, inst).record;
        let at = record_node(db, id)?.record.name.as_ref()?.at;
        Some(SourcePlace { span: Span { lo: at, hi: at }, ..SourcePlace::token(id.item, at) })
    }

    fn structure(&self) -> Option<&StructType> {
        match &self.record.ir.ty {
            Type::Struct(structure) => Some(structure),
            _ => None,
        }
    }

    /// Returns a label at a field, with its type and offset.
    fn field(&self, db: &'db dyn Db, index: usize, placed: &Field) -> Option<(SourcePlace<'db>, String)> {
        let field = record(db, self.record.ty.as_record(db)?).fields.get(index)?;
        let (name, ty) = (&field.name, field.ty.display(db));
        Some((field.place, format!("{}: `{name}` is `{ty}` at byte {}", self.role, placed.offset)))
    }
}

/// Returns labels at the fields that hold the first differing byte.
fn first_field<'db>(db: &'db dyn Db, a: Side<'_, 'db>, b: Side<'_, 'db>) -> Vec<(SourcePlace<'db>, String)> {
    let (Some(x), Some(y)) = (a.structure(), b.structure()) else { return Vec::new() };
    let Some(at) = first_difference(&a.record.ir.ty, &b.record.ir.ty) else { return Vec::new() };
    let of = |side: Side<'_, 'db>, fields: &[Field]| {
        let index = fields.partition_point(|field| field.offset <= at).checked_sub(1)?;
        let field = fields.get(index).filter(|field| at < field.offset + field.ty.size().unwrap_or(0))?;
        side.field(db, index, field)
    };
    [of(a, &x.fields), of(b, &y.fields)].into_iter().flatten().collect()
}

fn of_grid(grid: Option<&GridField>) -> String {
    match grid {
        None => "has no `SV_DispatchGrid`".to_string(),
        Some(grid) => {
            let ty = Type::vector_of(grid.scalar, grid.components);
            format!("has `SV_DispatchGrid` at byte {} as `{}`", grid.offset, shown(&ty))
        }
    }
}

/// Returns the type as HLSL spells it.
fn shown(ty: &Type) -> String {
    let (scalar, n) = match ty {
        Type::Vector(scalar, n) => (*scalar, *n),
        Type::Scalar(scalar) => (*scalar, 1),
        _ => return "unknown".to_string(),
    };
    let name = if scalar == Scalar::U16 { "uint16_t" } else { "uint" };
    if n == 1 { name.to_string() } else { format!("{name}{n}") }
}

/// Returns whether both have the same numbers at the same bytes. Structures, arrays and vectors may group them
/// differently.
fn same_layout(a: &Type, b: &Type) -> bool {
    a == b || first_difference(a, b).is_none()
}

/// Returns the first byte at which two types do not have the same number.
fn first_difference(a: &Type, b: &Type) -> Option<u32> {
    let (mut a, mut b) = (Numbers::of(a), Numbers::of(b));
    loop {
        match (a.next(), b.next()) {
            (None, None) => return None,
            (x, y) if x == y => {}
            (x, y) => return x.into_iter().chain(y).map(|(at, _)| at).min(),
        }
    }
}

/// Iterates over the numbers of a type with their offsets, in order. A matrix is one item: the meaning of its bytes
/// depends on its order.
struct Numbers<'a> {
    /// The remaining parts, the next one last.
    left: Vec<(u32, LayoutPart<'a>)>,
}

enum LayoutPart<'a> {
    Whole(&'a Type),
    Scalars(Scalar, u8),
    Elements(&'a Type, u32, u32),
}

#[derive(PartialEq)]
enum Number<'a> {
    Scalar(Scalar),
    Other(&'a Type),
}

impl<'a> Numbers<'a> {
    fn of(ty: &'a Type) -> Numbers<'a> {
        Numbers { left: vec![(0, LayoutPart::Whole(ty))] }
    }
}

impl<'a> Iterator for Numbers<'a> {
    type Item = (u32, Number<'a>);

    fn next(&mut self) -> Option<(u32, Number<'a>)> {
        loop {
            let (at, part) = self.left.pop()?;
            match part {
                LayoutPart::Whole(Type::Struct(structure)) => {
                    let fields = structure.fields.iter().rev();
                    self.left.extend(fields.map(|field| (at + field.offset, LayoutPart::Whole(&field.ty))));
                }
                LayoutPart::Whole(Type::Array { element, len, stride }) => {
                    self.left.push((at, LayoutPart::Elements(element, *len, *stride)));
                }
                LayoutPart::Whole(Type::Vector(scalar, n)) => self.left.push((at, LayoutPart::Scalars(*scalar, *n))),
                LayoutPart::Whole(Type::Scalar(scalar)) => return Some((at, Number::Scalar(*scalar))),
                LayoutPart::Whole(other) => return Some((at, Number::Other(other))),
                LayoutPart::Scalars(_, 0) | LayoutPart::Elements(_, 0, _) => {}
                LayoutPart::Scalars(scalar, n) => {
                    self.left.push((at + scalar.size(), LayoutPart::Scalars(scalar, n - 1)));
                    return Some((at, Number::Scalar(scalar)));
                }
                LayoutPart::Elements(element, n, stride) => {
                    self.left.push((at + stride, LayoutPart::Elements(element, n - 1, stride)));
                    self.left.push((at, LayoutPart::Whole(element)));
                }
            }
        }
    }
}
