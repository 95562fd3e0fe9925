//! SPIR-V modules: loading words into a typed module, its control-flow structure, and the verifier.
//!
//! [`Module::load`] reads any words and never panics. Unreadable input is a [`LoadError`] with the position of the
//! word. Instructions outside the grammar are kept raw. Constants are evaluated with the given values of specialisation
//! constants. [`structure`] orders a function's blocks for execution and lists its constructs.
//!
//! Loading checks no rules of validity: a loaded module may use undefined ids or types that do not fit. The verifier
//! checks that, so other users must look things up with `get`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod asm;
pub mod constant;
pub mod error;
mod fold;
pub mod grammar;
mod grammar_table;
pub mod lines;
mod load;
pub mod module;
mod node_names;
mod specialise;
pub mod structure;
pub mod types;
pub mod verify;
pub mod words;

pub use error::{LoadError, Result};
pub use lines::Lines;
pub use load::Specialisation;
pub use module::{Id, Inst, Module};
pub use node_names::{node_name, node_names};
pub use specialise::specialise;
pub use spirv::MAGIC_NUMBER as MAGIC;
pub use types::Type;
pub use verify::{
    Extensions, Extent, Level, NodeName, Part, Violation, extensions_of, verify, verify_graph, verify_set,
};
