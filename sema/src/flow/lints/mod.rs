//! Advice about the paths of nodes: programs that are correct but cost more than necessary.
//!
//! Advice that needs contracts alone is in [`crate::graph::lints`].

mod copies;
mod grids;
pub mod memory;
