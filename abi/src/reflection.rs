//! What a compiled program is, for tools and hosts: every node with its contract, the edges between nodes, the layouts of
//! records, what each node takes of each limit, and the resources. `docs/reflection.md` describes it,
//! `docs/reflection.schema.json` is its schema.
//!
//! A number that an attribute gives is a [`Resolved`]: the attribute as the source has it, and what came of it after
//! constants, defaults and the decisions of the host. This is no part of a package: nothing here is needed to run one.

use crate::NodeName;
use crate::interface::{BindingInterface, NodeLaunch, PushConstants, SpecConstant};
use crate::layout::{LayoutScalar, StructLayout};
use crate::root_signature::RootSignature;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version this crate reads and writes.
pub const VERSION: u32 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    /// [`VERSION`]
    pub version: u32,
    /// In declaration order.
    pub nodes: Vec<Node>,
    /// In the order of nodes and outputs; only between nodes that exist.
    pub edges: Vec<Edge>,
    /// `name`, or `name[index]` where the index is not 0: the number of the node in `nodes`.
    pub node_indexes: BTreeMap<String, u32>,
    pub bindings: Vec<BindingInterface>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    pub spec_constants: Vec<SpecConstant>,
    pub root_signatures: Vec<RootSignature>,
    /// Entry points of a program of compute shaders; a graph has none.
    pub compute: Vec<String>,
}

/// What the source said, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved<T> {
    pub value: T,
    /// The attribute as it is written, if there is one; what the host decides differs from it.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The SpecIds that decide it when a pipeline is made; `value` is by their values of compilation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub id: Resolved<NodeName>,
    /// What its entry point is called in a native module of all nodes; in a module of its own it has the node's name.
    #[serde(default)]
    pub entry_point: String,
    /// The function that it is written as.
    pub function: String,
    pub launch: Resolved<NodeLaunch>,
    /// Threads of a group; one for thread launch.
    pub threads: Resolved<[u32; 3]>,
    /// Of launch modes that have grids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Resolved<Grid>>,
    /// The host may send it records.
    pub entry: Resolved<bool>,
    /// Levels behind the first; 0 for a node that does not send to itself.
    pub max_recursion: Resolved<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares_input_of: Option<Resolved<NodeName>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_root_arguments_index: Option<Resolved<u32>>,
    /// Least, most and preferred lanes of a wave; 0: no preference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<Resolved<[u32; 3]>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Input>,
    pub outputs: Vec<Output>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<Mesh>,
    pub limits: Limits,
}

/// Groups that a record launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Grid {
    Fixed([u32; 3]),
    /// At most so many: each record says how many, in its field `grid`.
    Max([u32; 3]),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Name of the parameter.
    pub name: String,
    /// Records of a group.
    pub max_records: Resolved<u32>,
    pub read_write: bool,
    pub globally_coherent: bool,
    /// Absent for empty records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Name of the parameter.
    pub name: String,
    /// Of an array, that of element 0.
    pub target: Resolved<NodeName>,
    pub array: Resolved<OutputArray>,
    /// Targets may be missing.
    pub sparse: Resolved<bool>,
    /// Of a group, over the whole array.
    pub max_records: Resolved<u32>,
    /// The number of the output whose budget it shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares_budget_of: Option<u32>,
    /// Absent for empty records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutputArray {
    Single,
    Sized(u32),
    Unbounded,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub layout: StructLayout,
    /// The field with `SV_DispatchGrid`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridField>,
    /// `NodeTrackRWInputSharing`
    pub tracks_sharing: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GridField {
    /// Bytes from the start of the record.
    pub offset: u32,
    pub scalar: LayoutScalar,
    pub components: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mesh {
    /// `line` or `triangle`
    pub topology: Resolved<String>,
    pub max_vertices: u32,
    pub max_primitives: u32,
}

/// What a node takes of each limit of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Records with data that a group, or a thread of a thread node, may send.
    pub records: Used,
    /// Bytes of those; of a mesh node, of what it puts out.
    pub bytes: Used,
    /// Bytes of groupshared memory; thread nodes have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groupshared: Option<Used>,
    /// Bytes of outputs, of groupshared memory and for each record together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Used>,
    /// Nodes of the longest chain that ends here, with all levels of recursion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Used>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub used: u64,
    pub limit: u64,
}

/// Both ends by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// In [`Reflection::nodes`].
    pub from: u32,
    /// In the outputs of that node.
    pub output: u32,
    pub to: u32,
}
