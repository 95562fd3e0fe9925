//! Descriptions of attributes and semantics, from their tables.

use super::attributes_at::attribute;
use wgc_sema::types::attribute_table;
use wgc_sema::types::system_values::{self, launch_name};

/// A field of broadcasting nodes' records, not a system value.
const GRID: &str = "SV_DispatchGrid";

/// Returns the table's spelling of a known semantic.
pub fn semantic(written: &str) -> Option<&'static str> {
    if written.eq_ignore_ascii_case(GRID) {
        return Some(GRID);
    }
    system_values::find(written).map(|row| row.name)
}

/// Formats an attribute or semantic: `[NodeDispatchGrid(uint, uint, uint)]`, `: SV_GroupIndex`.
pub fn shown(word: &str) -> Option<String> {
    if let Some(row) = attribute_table::find(word) {
        return Some(format!("[{}]", attribute(row).detail));
    }
    let ty = match system_values::find(word) {
        Some(row) if row.components == 1 => "uint",
        Some(_) => "uint3",
        None => "uint3",
    };
    Some(format!("{ty} .. : {word}"))
}

/// Describes the legal locations.
pub fn places(word: &str) -> Option<String> {
    if let Some(row) = attribute_table::find(word) {
        return attribute(row).docs;
    }
    let row = system_values::find(word)?;
    let modes: Vec<&str> = row.launch.iter().map(|launch| launch_name(*launch)).collect();
    Some(format!("Launch modes: {}.", modes.join(", ")))
}
