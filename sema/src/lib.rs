//! Meaning: names, types, node contracts, the graph, diagnostics, and lowering to IR, as one incremental database.
//!
//! Everything is a salsa query over two inputs, source files and programs. The queries, coarse to fine:
//!
//! ```text
//! unit(program)            preprocess and cook; moves with every edit; nobody but items and positions reads it
//! items(program)           cut into items whose contents carry no position
//! lookup(program, scope, name)   one query a name, so that a new global re-checks only those who mention it
//! visible(scope, name, item)    what of it is declared in front of an item
//! fn_signature(FnInst) / record(RecordInst) / const_value(VarId) / global(VarId)
//! check(FnInst)            typed body and diagnostics
//! node(FnId)               the contract of one node, from its signature
//! graph(program)           nodes and edges, from signatures and the host's file only, with its diagnostics
//! lowered(FnInst, role, ..) ir::Function, with the functions and globals that it needs
//! link(program)            ir::Module
//! diagnostics(program)     everything, with positions
//! ```
//!
//! Diagnostics are values that queries return; their places are token indexes within an item until `diagnostics`
//! turns them into file ranges. No query does I/O: includes are resolved by the database's loader.

#![forbid(unsafe_code)]

pub mod ahead;
mod ambiguity;
mod assign;
mod associated;
pub mod attribute_table;
pub mod attributes;
pub mod binding_options;
pub mod bindings;
mod bit_fields;
pub mod blocks;
mod brought;
pub mod builtin;
pub mod check;
pub mod codes;
pub mod coherence;
pub mod compute;
pub mod const_eval;
pub mod constant;
pub mod context;
pub mod cx;
mod damage;
pub mod db;
mod declared;
pub mod decls;
pub mod def;
mod default_arguments;
pub mod definition;
pub mod diagnostic;
pub mod diagnostics;
mod doubt;
pub mod enum_values;
pub mod extent;
pub mod figures;
mod foreign;
mod gaps;
pub mod globals;
pub mod graph;
pub mod graph_budget;
mod graph_checks;
pub mod graph_limits;
mod graph_model;
mod graph_sharing;
pub mod grid_writes;
pub mod heaps;
pub mod host;
pub mod ide;
mod inline_spirv;
pub mod instantiation;
pub(crate) mod interfaces;
pub mod items;
mod joint_bindings;
pub mod layout;
pub mod link;
mod lints;
pub mod literal_types;
pub mod local_roots;
pub mod local_types;
pub mod lower;
pub mod memory;
pub mod mesh_outputs;
pub mod mesh_values;
pub mod names;
mod near;
mod needed;
pub mod node;
pub mod node_budgets;
pub mod node_flow;
pub mod node_record;
pub mod noted;
pub mod offsets;
mod operand;
mod operator_rules;
mod order;
mod pattern;
pub mod prelude;
pub mod reach;
pub mod record;
mod record_difference;
mod redeclared;
mod requested;
mod resource_elements;
pub mod resource_parts;
pub mod root_signature;
mod rules;
pub mod said;
pub mod scalar;
pub mod sets;
mod shader_model;
pub mod signature;
pub mod source_map;
pub mod spec_value;
pub mod specialise;
mod suggest;
pub mod system_values;
pub mod target;
mod template_names;
pub mod template_value;
pub mod texts;
pub mod ty;
pub mod types;
mod usage;
mod useless_precise;
pub mod visible;
mod vulkan_attributes;
pub mod whole;

pub use codes::{Code, Severity};
pub use db::{Compiler, FileLoader, Options, Program};
pub use diagnostic::Rendered;
