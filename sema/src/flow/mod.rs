//! Analyses beyond one function: records and outputs along the paths of nodes, calls in context, reachable code,
//! budgets, groupshared memory, coherent memory, and lints about these.

pub mod budgets;
pub mod call_context;
pub mod coherence;
pub mod group_memory;
pub mod groupshared_usage;
pub mod lints;
pub(crate) mod reachability;
pub mod records;
