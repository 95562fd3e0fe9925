//! The contracts of nodes: launch, inputs, outputs and attributes, from signatures alone ([`node::node`]).

pub mod node;
pub(crate) mod record_difference;
pub(crate) mod syntax_doubt;
