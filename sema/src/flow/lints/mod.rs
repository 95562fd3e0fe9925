//! Advice about the paths of nodes: programs that are correct and cost more than they need.
//!
//! Advice that needs contracts alone is in [`crate::graph::lints`].

mod copies;
mod grids;
pub mod memory;
