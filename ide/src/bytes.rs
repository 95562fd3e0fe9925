//! Memory layouts as Markdown: records and structures by field, constant buffers, and elements of buffers.
//!
//! A structure has different layout rules in records, constant buffers and structured buffers
//! ([`wgc_sema::types::layout_rules`]). The options choose those of buffers.

use super::describe::buffer_around;
use std::fmt::Write as _;
use std::sync::Arc;
use wgc_ir::{StructType, Type};
use wgc_sema::db::Db;
use wgc_sema::db::def::{Item, SourcePlace, VarId};
use wgc_sema::db::ty::{RecordInst, Ty, TyKind};
use wgc_sema::tables::builtin::Builtin;
use wgc_sema::tables::figures::grouped;
use wgc_sema::types::blocks::{self, Memory};
use wgc_sema::types::definition;
use wgc_sema::types::globals::{CBuffer, GlobalKind, cbuffer, element, global};
use wgc_sema::types::layout_rules::Rules;
use wgc_sema::types::record::{builtin, record, type_arg};

/// The layout of a structure in a kind of buffer.
struct BufferLayout {
    name: &'static str,
    offsets: Vec<u32>,
    /// The distance between elements in bytes, for buffers with elements.
    stride: Option<u32>,
}

/// Returns the layouts of a structure in buffers.
fn elsewhere<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<BufferLayout> {
    let layout = definition::record(db, inst).record.item.program(db).options(db).bindings.layout;
    let there = |(name, memory)| {
        let rules = Rules::of(layout, memory);
        let fields = rules.record(db, inst).ok()?.fields;
        let element = || rules.element(db, Ty::new(db, TyKind::Record(inst))).ok();
        let stride = if memory == Memory::Elements { element().map(|(_, stride)| stride) } else { None };
        Some(BufferLayout { name, offsets: fields.iter().map(|field| field.offset).collect(), stride })
    };
    let kinds = [("a constant buffer", Memory::Uniform), ("a structured buffer", Memory::Elements)];
    kinds.into_iter().filter_map(there).collect()
}

fn heading(name: &str, size: u32, there: &[BufferLayout]) -> String {
    let names: String = there.iter().map(|there| format!(" in {} |", there.name)).collect();
    let size = grouped(size.into());
    format!("| offset |{names} bytes | `{name}`, {size} bytes |\n|---:|{}---:|---|\n", "---:|".repeat(there.len()))
}

/// Returns a table of fields with their offsets, including padding.
fn table(name: &str, size: u32, there: &[BufferLayout], rows: &[(u32, u32, String)]) -> String {
    let mut out = heading(name, size, there);
    let nowhere = " |".repeat(there.len());
    let padding = |out: &mut String, from: u32, to: u32| {
        if from < to {
            let _ = writeln!(out, "| {from} |{nowhere} {} | *padding* |", to - from);
        }
    };
    let mut end = 0;
    for (n, (offset, size, shown)) in rows.iter().enumerate() {
        padding(&mut out, end, *offset);
        let others = there.iter().map(|there| there.offsets.get(n).map_or(" |".to_owned(), |at| format!(" {at} |")));
        let others: String = others.collect();
        let _ = writeln!(out, "| {offset} |{others} {size} | `{shown}` |");
        end = end.max(offset.saturating_add(*size));
    }
    padding(&mut out, end, size);
    out
}

/// Returns the fields of a structure with a layout.
fn rows<'db>(db: &'db dyn Db, inst: RecordInst<'db>, laid: &StructType) -> Vec<(u32, u32, String)> {
    let both = laid.fields.iter().zip(&record(db, inst).fields);
    let row = |(field, declared): (&wgc_ir::Field, &wgc_sema::types::record::Field<'db>)| {
        let bits = declared.named_bits().map(|bits| format!("{} : {}", bits.name, bits.range.width));
        let name = if declared.bits.is_empty() { field.name.to_string() } else { bits.collect::<Vec<_>>().join(", ") };
        (field.offset, field.ty.size().unwrap_or(0), format!("{} {name}", declared.ty.display(db)))
    };
    both.map(row).collect()
}

/// Describes the record of a node, which is never in a buffer.
pub fn of_record<'db>(db: &'db dyn Db, ty: Ty<'db>, laid: &Type) -> String {
    let (name, size) = (ty.display(db), laid.size().unwrap_or(0));
    match (laid, ty.kind(db)) {
        (Type::Struct(laid), TyKind::Record(inst)) => table(&name, size, &[], &rows(db, *inst, laid)),
        _ => heading(&name, size, &[]),
    }
}

/// Describes the size of a type that a record or buffer can hold, and the fields of a structure.
pub fn of_type<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<String> {
    if builtin(db, ty).is_some() {
        return None;
    }
    if let TyKind::Record(inst) = ty.kind(db)
        && let Ok(laid) = wgc_sema::types::layout::record_layout(db, *inst)
    {
        if laid.fields.is_empty() {
            return Some("no data".to_owned());
        }
        let there = elsewhere(db, *inst);
        let is_other =
            |there: &BufferLayout| there.offsets.iter().zip(&laid.fields).any(|(at, field)| *at != field.offset);
        let (columns, same): (Vec<BufferLayout>, Vec<BufferLayout>) = there.into_iter().partition(is_other);
        let mut out = table(&ty.display(db), laid.size, &columns, &rows(db, *inst, laid));
        let strides = columns.iter().chain(&same).filter_map(|there| Some((there.stride?, there.name)));
        for (stride, name) in strides.filter(|(stride, _)| *stride != laid.size) {
            let _ = write!(out, "\n{} bytes from one element to the next in {name}\n", grouped(stride.into()));
        }
        return Some(out.trim_end().to_owned());
    }
    let size = wgc_sema::types::layout::size_of(db, ty)?;
    Some(format!("{} bytes", grouped(size.into())))
}

/// Describes the location of a field in its record.
pub fn of_field<'db>(db: &'db dyn Db, place: SourcePlace<'db>, owner: RecordInst<'db>) -> Option<String> {
    let decl = record(db, owner);
    if decl.builtin.is_some() {
        return None;
    }
    let laid = wgc_sema::types::layout::record_layout(db, owner).as_ref().ok()?;
    let index = decl.fields.iter().position(|f| f.place == place || f.bits.iter().any(|bits| bits.place == place))?;
    let (field, laid_field) = (&decl.fields[index], laid.fields.get(index)?);
    let whole = format!("of the {} of `{}`", laid.size, Ty::new(db, TyKind::Record(owner)).display(db));
    let mut out = match field.bits.iter().find(|bits| bits.place == place) {
        Some(bits) => {
            let last = bits.range.offset + bits.range.width.saturating_sub(1);
            format!("offset {}, bits {} to {last}, {whole}", laid_field.offset, bits.range.offset)
        }
        None => format!("offset {}, {} bytes {whole}", laid_field.offset, laid_field.ty.size()?),
    };
    for there in elsewhere(db, owner) {
        if let Some(offset) = there.offsets.get(index).filter(|offset| **offset != laid_field.offset) {
            let _ = write!(out, "; offset {offset} in {}", there.name);
        }
    }
    Some(out)
}

fn laid_buffer<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<(&'db CBuffer<'db>, Arc<StructType>)> {
    let buffer = cbuffer(db, item).as_ref()?;
    let layout = item.program(db).options(db).bindings.layout;
    match blocks::block(db, "", &buffer.members, buffer.memory(), layout).ok()? {
        Type::Struct(laid) => Some((buffer, laid)),
        _ => None,
    }
}

/// Describes the members of a constant buffer.
pub fn of_buffer<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let (buffer, laid) = laid_buffer(db, place.item)?;
    let row = |(field, member): (&wgc_ir::Field, &wgc_sema::types::globals::Member<'db>)| {
        let shown = format!("{} {}", member.ty.display(db), member.name);
        (field.offset, field.ty.size().unwrap_or(0), shown)
    };
    let mut rows: Vec<_> = laid.fields.iter().zip(&buffer.members).map(row).collect();
    // Sorts by offset, because `packoffset` may change the order.
    rows.sort_by_key(|row| row.0);
    Some(table(&buffer.symbol, laid.size, &[], &rows).trim_end().to_owned())
}

/// Describes the location of a member in its constant buffer, or the stride of a structured buffer.
pub fn of_variable<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<String> {
    let found = global(db, var, None)?;
    match found.kind {
        GlobalKind::CBufferMember(n) => {
            let (_, laid) = laid_buffer(db, var.item)?;
            let field = laid.fields.get(n as usize)?;
            let size = field.ty.size()?;
            Some(format!("offset {}, {size} bytes of the {} of `{}`", field.offset, laid.size, buffer_around(db, var)?))
        }
        GlobalKind::Resource(Builtin::StructuredBuffer { .. }) => {
            let TyKind::Record(inst) = element(db, found.ty).kind(db) else { return None };
            let record = type_arg(db, *inst).filter(|record| matches!(record.kind(db), TyKind::Record(_)))?;
            let layout = var.item.program(db).options(db).bindings.layout;
            let (_, stride) = blocks::element(db, record, layout).ok()?;
            Some(format!("{} bytes from one element to the next", grouped(stride.into())))
        }
        _ => None,
    }
}
