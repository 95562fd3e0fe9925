//! The data that wgc outputs. It includes the interface of a compiled graph, the manifest and tables of an emulated
//! package, and the structures that the host and the device exchange.
//!
//! `layout` and `interface` describe records and resources by field, for both targets. `manifest` and `package` are an
//! emulated package as values. `reflection` is a program for tools. `local_root` is the table of local root arguments,
//! and `root_signature` has the root signatures of the source. `tables` is the static graph that the kernels read.
//! `device` is the memory that the host and the kernels share. The last two are plain little-endian structures. Their
//! field offsets are exported, so that a test can compare them with `stdlib/emulated/abi.hlsl`.
//!
//! `file` reads files within limits, `replace` writes them atomically, and `touched` lists those that a command has
//! used.
//!
//! This crate has no code that runs a graph and does not depend on the compiler. `docs/emulation-abi.md` describes the
//! use of the parts.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod device;
pub mod file;
pub mod interface;
pub mod layout;
pub mod local_root;
pub mod manifest;
pub mod memory;
pub mod package;
pub mod reflection;
pub mod replace;
pub mod root_signature;
mod row;
pub mod stream;
pub mod tables;
pub mod touched;

pub use interface::{BindingInterface, BindingKind, Interface, NodeInterface, NodeLaunch};
pub use layout::{FieldLayout, LayoutScalar, LayoutType, StructLayout};
pub use manifest::Manifest;
pub use package::{Package, PackageError};

/// The identity of a node, from `NodeID`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct NodeName {
    pub name: String,
    /// Array index; 0 for a node outside an array.
    #[serde(default)]
    pub index: u32,
}

impl std::fmt::Display for NodeName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.index {
            0 => f.write_str(&self.name),
            index => write!(f, "{}[{index}]", self.name),
        }
    }
}
