//! What nodes do along the paths of their functions: records and outputs, calls in context, what is reachable.

pub mod budgets;
pub mod call_context;
pub mod coherence;
pub mod group_memory;
pub mod lints;
pub mod reach;
pub(crate) mod reachability;
pub mod records;
