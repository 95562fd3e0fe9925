//! Tables and small helpers. They do not depend on programs.

pub(crate) mod attribute_target;
pub mod binding_options;
pub mod builtin;
pub mod codes;
pub mod collections;
pub mod constant;
pub mod decls;
pub mod figures;
pub mod root_signature;
pub mod scalar;
pub(crate) mod similar_names;
