//! The contracts of nodes: launch, inputs, outputs and attributes, from signatures only ([`node::node`]).
//!
//! Also here: differences between the records of an edge, root signatures, and the items that syntax errors make
//! unreliable.

pub mod node;
pub(crate) mod record_difference;
pub mod root_signatures;
pub(crate) mod unreliable_syntax;
