//! Names and types: the resolution of names, and the types, constants, signatures and layouts of a program.
//!
//! In: items ([`crate::db`]). Out: [`record::record`], [`signature::fn_signature`], [`globals::global`],
//! [`const_eval::const_value`]. No body is checked here.

pub(crate) mod ambiguity;
pub(crate) mod associated;
pub mod attribute_table;
pub mod attributes;
pub(crate) mod bit_fields;
pub mod blocks;
pub mod const_eval;
pub mod cx;
pub(crate) mod default_arguments;
pub mod definition;
pub mod enum_values;
pub mod extent;
pub(crate) mod foreign_names;
pub mod globals;
pub(crate) mod inline_spirv;
pub mod instantiation;
pub mod interfaces;
pub mod layout;
pub mod layout_rules;
pub mod literal_types;
pub mod local_types;
pub mod mesh_outputs;
pub mod mesh_values;
pub mod name_table;
pub mod name_uses;
pub mod names;
pub mod node_record;
pub(crate) mod numeric;
pub mod offsets;
pub(crate) mod operator_rules;
pub(crate) mod partial_order;
pub mod prelude;
pub mod record;
pub(crate) mod redeclarations;
pub(crate) mod resource_elements;
pub mod resource_parts;
pub mod resource_types;
pub mod root_signature;
pub mod signature;
pub mod spec_value;
pub mod specialise;
pub(crate) mod suggestions;
pub mod system_values;
pub(crate) mod template_args;
pub(crate) mod template_pattern;
pub mod template_value;
pub(crate) mod unevaluated;
pub(crate) mod unknown_names;
pub(crate) mod using_declarations;
pub(crate) mod using_directives;
pub mod visible;
pub mod vulkan_attributes;
pub mod written;
