//! The contracts of nodes: launch, inputs, outputs and attributes, from signatures only ([`node::node`]).

pub mod node;
pub(crate) mod record_difference;
pub mod root_signatures;
pub(crate) mod syntax_doubt;
