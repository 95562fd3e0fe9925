//! Converts types of HLSL to types of the IR, with the offsets of scalar layout (records, structured buffers).
//!
//! A matrix is stored in its declared order, without gaps. An inherited field has the offset that it has in the base.
//! `bool` takes four bytes. Other layouts are in [`crate::types::layout_rules`].

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::tables::binding_options::BlockLayout;
use crate::tables::builtin::Builtin;
use crate::tables::figures::grouped;
use crate::types::extent::{ENDLESS, excess, extent};
use crate::types::layout_rules::Rules;
use crate::types::record::{self, record};
use std::sync::Arc;
use wgc_ir::layout::LayoutError;
use wgc_ir::{Field, MatrixType, RecordsType, StructType, Type};

/// The reason why a type has no memory layout: the part that is at fault, as the user writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoLayout {
    /// Empty when an error was reported already.
    pub why: String,
    /// The record can never have a layout, in any use: its definition is at fault.
    pub at_definition: bool,
    /// It exceeds the size limit.
    pub is_too_large: bool,
    /// It is an object or contains one, so it is never stored in memory.
    pub is_object: bool,
}

/// The largest size of a value in bytes.
const MAX_BYTES: u64 = u32::MAX as u64;

impl NoLayout {
    /// Creates an error about the use of the type.
    pub fn new(why: impl Into<String>) -> NoLayout {
        NoLayout { why: why.into(), at_definition: false, is_too_large: false, is_object: false }
    }

    /// Creates an error about a type that exceeds the size limit.
    pub fn too_large(what: &str, bytes: u64) -> NoLayout {
        let why = format!("{what} needs {} bytes; the limit is {}", grouped(bytes), grouped(MAX_BYTES));
        NoLayout { is_too_large: true, ..NoLayout::new(why) }
    }
}

fn no(why: impl Into<String>) -> NoLayout {
    NoLayout::new(why)
}

/// Returns the type with its layout. Objects, unsized arrays and strings have none.
pub fn ir_type<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Result<Type, NoLayout> {
    not_too_large(db, ty)?;
    Ok(match ty.kind(db) {
        TyKind::Error => return Err(no("")),
        TyKind::Void => Type::Void,
        TyKind::Scalar(s) => Type::Scalar(s.repr()),
        TyKind::LiteralInt => Type::I32,
        TyKind::LiteralFloat => Type::F32,
        TyKind::Vector(s, n) => Type::vector_of(s.repr(), u32::from(*n)),
        TyKind::Matrix { scalar, rows, columns, row_major } => {
            Type::Matrix(MatrixType::tight(scalar.repr(), *rows, *columns, *row_major))
        }
        TyKind::Array(element, Some(n)) => array(db, ty, ir_type(db, *element)?, *n)?,
        TyKind::Array(element, None) => return Err(no(format!("`{}[]` has no size", element.display(db)))),
        TyKind::Record(inst) => Type::Struct(record_layout(db, *inst).clone()?),
        TyKind::Enum(e) => Type::Scalar(crate::types::const_eval::enum_values(db, *e).scalar),
        TyKind::String => return Err(no("a string has no size")),
    })
}

/// Returns the value type of a variable, parameter or result. Unlike [`ir_type`], it may be or contain resources,
/// handles to records and ray queries.
pub fn value_type<'db>(db: &'db dyn Db, ty: Ty<'db>, layout: BlockLayout) -> Result<Type, NoLayout> {
    if !holds_resources(db, ty) && !holds_handles(db, ty) && !extent(db, ty).has_query {
        return ir_type(db, ty);
    }
    not_too_large(db, ty)?;
    match ty.kind(db) {
        TyKind::Array(element, Some(n)) => {
            Ok(Type::Array { element: Arc::new(value_type(db, *element, layout)?), len: *n, stride: 0 })
        }
        TyKind::Record(inst) if record(db, *inst).builtin.is_none() => {
            let field = |f: &crate::types::record::Field<'db>| {
                let bits = crate::types::bit_fields::of_unit(db, f);
                Ok(Field { bits, ..Field::new(f.name.as_str(), value_type(db, f.ty, layout)?, 0) })
            };
            let fields = record(db, *inst).fields.iter().map(field).collect::<Result<_, NoLayout>>()?;
            Ok(Type::Struct(Arc::new(StructType { name: ty.display(db).into(), fields, size: 0, align: 1 })))
        }
        TyKind::Record(inst) => match record(db, *inst).builtin {
            Some(Builtin::RayQuery) => Ok(Type::RayQuery),
            Some(Builtin::OutputRecords(scope)) => {
                let argument = crate::types::record::type_arg(db, *inst).ok_or_else(|| no(""))?;
                let record = ir_type(db, argument)?;
                if !matches!(record, Type::Struct(_)) {
                    return Err(no(format!("`{}` cannot be a record", argument.display(db))));
                }
                Ok(Type::Records(RecordsType { scope, record: Arc::new(record) }))
            }
            Some(object) if object.is_resource() => crate::types::resource_types::resource_type(db, ty, false, layout),
            _ => ir_type(db, ty),
        },
        _ => ir_type(db, ty),
    }
}

/// Returns whether a type is a resource, or a structure or array that contains one.
pub(crate) fn holds_resources<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    match ty.kind(db) {
        TyKind::Array(element, Some(_)) => holds_resources(db, *element),
        TyKind::Record(inst) => record_holds_resources(db, *inst),
        _ => false,
    }
}

#[salsa::tracked(returns(copy), cycle_result = cyclic_resources)]
fn record_holds_resources<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    let decl = record(db, inst);
    match decl.builtin {
        Some(object) => object.is_resource(),
        None => decl.fields.iter().any(|f| holds_resources(db, f.ty)),
    }
}

/// Handles a record that contains itself; its definition is reported.
fn cyclic_resources<'db>(_: &'db dyn Db, _: salsa::Id, _: RecordInst<'db>) -> bool {
    false
}

/// Returns whether a type is a handle to records, or a structure or array that contains one.
pub(crate) fn holds_handles<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    match ty.kind(db) {
        TyKind::Array(element, _) => holds_handles(db, *element),
        TyKind::Record(inst) => record_holds_handles(db, *inst),
        _ => false,
    }
}

#[salsa::tracked(returns(copy), cycle_result = cyclic_resources)]
fn record_holds_handles<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    let decl = record(db, inst);
    match decl.builtin {
        Some(object) => matches!(object, Builtin::OutputRecords(_)),
        None => decl.fields.iter().any(|f| holds_handles(db, f.ty)),
    }
}

/// Returns whether a type is an input or output of a node or a handle to records, or contains one.
pub(crate) fn holds_node_objects<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    match ty.kind(db) {
        TyKind::Array(element, _) => holds_node_objects(db, *element),
        TyKind::Record(inst) => record_holds_node_objects(db, *inst),
        _ => false,
    }
}

#[salsa::tracked(returns(copy), cycle_result = cyclic_resources)]
fn record_holds_node_objects<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> bool {
    let decl = record(db, inst);
    match decl.builtin {
        Some(object) => object.is_node_object(),
        None => decl.fields.iter().any(|f| holds_node_objects(db, f.ty)),
    }
}

fn not_too_large<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Result<(), NoLayout> {
    let found = extent(db, ty);
    // A record that contains itself has a field of error type, which has no layout.
    match excess(found).filter(|_| found.depth != ENDLESS) {
        Some((_, what)) => {
            Err(NoLayout { at_definition: true, ..NoLayout::new(format!("`{}` {what}", ty.display(db))) })
        }
        None => Ok(()),
    }
}

/// Returns the field that makes a type too large: the innermost one whose type has no layout for its size.
pub fn too_large_field<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<SourcePlace<'db>> {
    match ty.kind(db) {
        TyKind::Array(element, _) => too_large_field(db, *element),
        TyKind::Record(inst) => {
            let is_wrong = |field: &&record::Field<'db>| matches!(ir_type(db, field.ty), Err(no) if no.is_too_large);
            let field = record(db, *inst).fields.iter().find(is_wrong)?;
            Some(too_large_field(db, field.ty).unwrap_or(field.place))
        }
        _ => None,
    }
}

fn array<'db>(db: &'db dyn Db, ty: Ty<'db>, element: Type, len: u32) -> Result<Type, NoLayout> {
    let stride = wgc_ir::layout::scalar_stride(&element);
    wgc_ir::layout::scalar_array(element, len).map_err(|e| match (e, stride) {
        (LayoutError::TooLarge, Ok(stride)) => {
            NoLayout::too_large(&format!("`{}`", ty.display(db)), u64::from(len) * u64::from(stride))
        }
        (e, _) => no(e.to_string()),
    })
}

/// Returns the size of a value in memory, in bytes.
pub fn size_of<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<u32> {
    ir_type(db, ty).ok()?.size()
}

/// Returns a record as a structure: one field for each of [`record`]'s, at the same index.
#[salsa::tracked(returns(ref), cycle_result = cyclic_layout)]
pub fn record_layout<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Result<Arc<StructType>, NoLayout> {
    let ty = Ty::new(db, TyKind::Record(inst));
    let decl = record(db, inst);
    if decl.builtin.is_some() {
        let why = format!("`{}` is an object, not a value in memory", ty.display(db));
        return Err(NoLayout { is_object: true, ..no(why) });
    }
    if !decl.complete {
        return Err(no(format!("`{}` is declared but not defined", ty.display(db))));
    }
    not_too_large(db, ty)?;
    Rules::Natural.record(db, inst).map(Arc::new)
}

fn cyclic_layout<'db>(db: &'db dyn Db, _: salsa::Id, inst: RecordInst<'db>) -> Result<Arc<StructType>, NoLayout> {
    let why = format!("`{}` contains itself", Ty::new(db, TyKind::Record(inst)).display(db));
    Err(NoLayout { at_definition: true, ..NoLayout::new(why) })
}
