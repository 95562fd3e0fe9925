//! Execution graphs that the driver runs itself: `VK_AMDX_shader_enqueue`, revision 2.
//!
//! `support` lists a device's support of the extension and the missing parts. `commands` has the entry points.
//! `records` lays out the input of a dispatch, for any of its three forms. `graph` creates the pipeline with its
//! scratch memory, and dispatches it. Nodes are compute shaders: mesh nodes need graphics pipelines, and this host has
//! none.
//!
//! No driver that can be installed executes revision 2. The tests run on the mock driver of `tests/driver/`, which
//! checks every call against the specification.

mod commands;
mod graph;
mod records;
mod support;
#[cfg(test)]
mod tests;

pub use self::graph::{DispatchForm, ExecutionGraphId, GraphModule, StageNode};
pub use self::records::GraphRecords;
pub use self::support::Missing;

pub(super) use self::commands::Commands;
pub(super) use self::graph::ExecutionGraph;
pub(super) use self::support::Support;
