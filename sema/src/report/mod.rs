//! All diagnostics of a program with their locations in files. Also the filter of those that follow from syntax errors,
//! rejections by a target, and prefetching on a second thread.

pub(crate) mod damage;
pub mod diagnostics;
pub(crate) mod instantiation_notes;
pub(crate) mod missing_module;
pub mod node_source;
pub mod prefetch;
mod record_instances;
pub mod target_limits;
