//! Values in memory, by field name as JSON. `run_file` reads them in the same syntax.

use crate::numbers::Scalar;
use wgc_abi::layout::matrix_offset;
use wgc_abi::{FieldLayout, LayoutType, StructLayout};

/// Writes the value at the start of `bytes` in the syntax of run files; bytes beyond the end read as zero.
pub(crate) fn to_json(ty: &LayoutType, bytes: &[u8]) -> String {
    let part = |offset: usize| bytes.get(offset..).unwrap_or_default();
    match ty {
        LayoutType::Scalar(scalar) => Scalar::of(*scalar).load(bytes).to_json(),
        LayoutType::Bits { scalar, first, width } => Scalar::of(*scalar).load(bytes).bits(*first, *width).to_json(),
        LayoutType::Vector { scalar, components } => {
            let size = scalar.size() as usize;
            let items: Vec<String> =
                (0..*components as usize).map(|i| Scalar::of(*scalar).load(part(i * size)).to_json()).collect();
            format!("[{}]", items.join(", "))
        }
        &LayoutType::Matrix { scalar, rows, columns, row_major, stride } => {
            let number = |row, column| {
                let offset = matrix_offset(scalar, row_major, stride, row, column);
                Scalar::of(scalar).load(part(offset as usize)).to_json()
            };
            let row = |row| (0..columns).map(|column| number(row, column)).collect::<Vec<_>>().join(", ");
            let rows: Vec<String> = (0..rows).map(|n| format!("[{}]", row(n))).collect();
            format!("[{}]", rows.join(", "))
        }
        LayoutType::Array { element, count, stride } => {
            let items: Vec<String> =
                (0..*count as usize).map(|i| to_json(element, part(i * *stride as usize))).collect();
            format!("[{}]", items.join(", "))
        }
        LayoutType::Struct(layout) => record_json(layout, bytes),
    }
}

/// Writes the fields of a structure in memory, by name.
pub(crate) fn record_json(layout: &StructLayout, bytes: &[u8]) -> String {
    let part = |offset: u32| bytes.get(offset as usize..).unwrap_or_default();
    let field = |f: &FieldLayout| format!("\"{}\": {}", f.name, to_json(&f.ty, part(f.offset)));
    let fields: Vec<String> = layout.fields.iter().map(field).collect();
    format!("{{ {} }}", fields.join(", "))
}
