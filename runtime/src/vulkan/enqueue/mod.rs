//! Execution graphs that the driver runs itself: `VK_AMDX_shader_enqueue`, revision 2.
//!
//! `support` says what of it a device has and what is missing; `commands` are its entry points; `records` lays out what a
//! dispatch is given, for any of its three forms; `graph` makes the pipeline with its scratch memory and dispatches it.
//! Nodes are compute shaders: mesh nodes need graphics pipelines, which this host has none of.
//!
//! No driver that can be installed executes revision 2. The tests run it on a driver made up in `tests/driver.rs`, which
//! holds every call to what the specification demands of it.

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
