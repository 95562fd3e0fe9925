//! Semantic analysis: names, types, node contracts, the graph, diagnostics, and lowering to IR, as one incremental
//! database.
//!
//! Everything is a salsa query over two inputs, source files and programs. The queries, coarse to fine:
//!
//! ```text
//! unit(program)            preprocess and cook; changes with every edit; read for items, positions, front-end errors
//! items(program)           split into items whose contents carry no position
//! lookup(program, scope, name)   one query for each name, so that a new global rechecks only its users
//! visible(scope, name, item)    the declarations of the name before an item
//! fn_signature(FnInst) / record(RecordInst) / const_value(item, index, ..) / global(VarId, ..)
//! check(FnInst)            typed body and diagnostics
//! node(FnId)               the contract of one node, from its signature
//! graph(program)           nodes with their targets, from contracts and the host's file only, with its diagnostics
//! lowered(FnInst, role, ..) ir::Function, with the functions and globals that it needs
//! link(program)            ir::Module
//! diagnostics(program)     everything, with positions
//! ```
//!
//! The folders are layers, each of which uses itself and those below it (`tests/layers.rs`).
//!
//! Diagnostics are values that queries return. Their places are token indexes within an item until `diagnostics` turns
//! them into file ranges. No query does I/O: the database's loader resolves includes.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod check;
mod compiler;
pub mod contracts;
pub mod db;
pub mod flow;
pub mod graph;
pub mod link;
pub mod lower;
pub mod report;
pub mod tables;
pub mod types;

pub use compiler::Compiler;
pub use db::diagnostic::Rendered;
pub use db::{FileLoader, Options, Program};
pub use tables::codes::{Code, Severity};
