//! All diagnostics of a program with their locations in files, and diagnostics for what a target rejects.

pub(crate) mod damage;
pub mod diagnostics;
pub(crate) mod instantiation_notes;
pub(crate) mod missing_module;
pub mod node_source;
pub mod prefetch;
pub mod target_limits;
