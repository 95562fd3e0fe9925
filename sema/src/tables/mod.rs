//! Tables and small helpers that do not depend on programs: diagnostic codes, built-in types, figures, similar names.

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
