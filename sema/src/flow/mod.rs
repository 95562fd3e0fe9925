//! Analyses of node functions along their paths: records and outputs, calls in context, reachable code.

pub mod budgets;
pub mod call_context;
pub mod coherence;
pub mod group_memory;
pub mod lints;
pub mod reach;
pub(crate) mod reachability;
pub mod records;
