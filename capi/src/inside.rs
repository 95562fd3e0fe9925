//! Observation of a graph: timestamps with the launches before them, guards.

use crate::error::{self, guard, guard_value};
use crate::{WgcGraph, WgcMark, WgcResult, read, write};
use std::ffi::CString;
use wgc_runtime::vulkan::embed::Graph;

/// Makes later recordings check for shaders that write after the end of their records. The result of wgc_graph_status
/// is WGC_RESULT_GRAPH then, and wgc_last_error names the shader. The package was compiled with --poison
/// (WGC_RESULT_PACKAGE otherwise). Every launch is followed by a kernel and two barriers. The arena is filled before
/// each dispatch, so its buffers must have usage transfer destination.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_poison(graph: *mut WgcGraph) -> WgcResult {
    guard(|| Ok(read(graph)?.graph.poison()?))
}

/// Returns the most timestamps of a recording of this many sweeps; 0: in one pass.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_most_timestamps(graph: *const WgcGraph, sweeps: u32) -> u32 {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.graph.most_timestamps(sweeps))
    })
}

/// Returns the number of launches that the last recording wrote timestamps after: one less than there are timestamps. 0
/// if it wrote none.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_mark_count(graph: *const WgcGraph) -> u32 {
    guard_value(0, || {
        let g = read(graph)?;
        Ok(g.graph.marks().len() as u32)
    })
}

/// Gets the launch that ended at timestamp `number` + 1 of the last recording.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wgc_graph_mark(graph: *const WgcGraph, number: u32, mark: *mut WgcMark) -> WgcResult {
    guard(|| {
        let graph = read(graph)?;
        let found = graph.graph.marks().get(number as usize).zip(graph.labels.get(number as usize));
        let (found, label) = found.ok_or(error::Failure::argument("number"))?;
        let found = WgcMark {
            label: label.as_ptr(),
            instance: found.instance.unwrap_or(u32::MAX),
            stage: found.stage.unwrap_or(u32::MAX),
        };
        // SAFETY: null or valid.
        unsafe { write(mark, found, "mark") }
    })
}

/// Returns the labels of the marks as C strings.
pub(crate) fn labels(graph: &Graph) -> Vec<CString> {
    graph.marks().iter().map(|mark| CString::new(mark.label.as_str()).unwrap_or_default()).collect()
}
