//! Local root arguments: the requirements of a dispatch's table.

use crate::error::{self, guard};
use crate::{WgcGraph, WgcLocalRoots, WgcResult, name, read, write};
use std::ffi::c_char;

/// Gets the requirements of a dispatch's table of local root arguments: the least number of records, and of bytes from
/// one to the next. Both are 0 if no node has any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_local_roots(graph: *const WgcGraph, table: *mut WgcLocalRoots) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let roots = graph.graph.manifest().local_roots.as_ref();
        let (stride, records) = roots.map_or((0, 0), |roots| (roots.stride, roots.records));
        // SAFETY: null or valid.
        unsafe { write(table, WgcLocalRoots { address: 0, stride, records }, "table") }
    })
}

/// Gets the offset of a variable in record `index` of that table. Root constants have the contents of their constant
/// buffer there, another buffer its address. A variable in a descriptor table has the table there, a 32-bit index in
/// the host's heap. UINT32_MAX: no node reads the variable there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_local_argument(graph: *const WgcGraph, index: u32, variable: *const c_char) -> u32 {
    let mut offset = u32::MAX;
    guard(|| {
        let graph = read(graph)?;
        // SAFETY: null or valid.
        let variable = unsafe { name(variable, "variable") }?;
        let roots = graph.graph.manifest().local_roots.as_ref().ok_or(error::Failure::argument("graph"))?;
        let entry = roots.entries.iter().find(|entry| entry.index == index);
        let layout = entry.and_then(|entry| roots.layout(entry)).ok_or(error::Failure::argument("index"))?;
        let mut arguments = layout.arguments.iter();
        if let Some(found) = arguments.find(|argument| argument.variables.iter().any(|v| v.name == variable)) {
            offset = found.offset;
        }
        Ok(())
    });
    offset
}
