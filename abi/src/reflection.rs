//! A compiled program for tools and hosts. It has every node with its contract, the edges between nodes, the layouts of
//! records, the usage of each limit, and the resources. `docs/reflection.md` describes it,
//! `docs/reflection.schema.json` is its schema.
//!
//! A number from an attribute is a [`Resolved`]: the attribute as written, and its value after constants, defaults and
//! the decisions of the host. This is not part of a package, since running one does not need it.

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
    /// The nodes in declaration order.
    pub nodes: Vec<Node>,
    /// The edges by node and output, only between nodes that exist.
    pub edges: Vec<Edge>,
    /// The number of each node in `nodes`, by `name`, or `name[index]` if the index is not 0.
    pub node_indexes: BTreeMap<String, u32>,
    pub bindings: Vec<BindingInterface>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    pub spec_constants: Vec<SpecConstant>,
    pub root_signatures: Vec<RootSignature>,
    /// Entry points of a program of compute shaders; empty for a graph.
    pub compute: Vec<String>,
}

/// The attribute as written, and its resolved value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolved<T> {
    pub value: T,
    /// The attribute as written, if there is one. The host's decisions do not change it.
    #[serde(default = "Option::default", skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The SpecIds that decide the value when a pipeline is created. `value` uses their values at compile time.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    pub id: Resolved<NodeName>,
    /// The name of its entry point in a native module of all nodes. In a module of its own, the entry point has the
    /// node's name.
    #[serde(default)]
    pub entry_point: String,
    /// The function that implements it.
    pub function: String,
    pub launch: Resolved<NodeLaunch>,
    /// Threads of a group; one for thread launch.
    pub threads: Resolved<[u32; 3]>,
    /// The grid; only for launch modes that have grids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grid: Option<Resolved<Grid>>,
    /// The host may send it records.
    pub entry: Resolved<bool>,
    /// Levels after the first; 0 for a node that does not send to itself.
    pub max_recursion: Resolved<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares_input_of: Option<Resolved<NodeName>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_root_arguments_index: Option<Resolved<u32>>,
    /// Minimum, maximum and preferred lanes of a wave; 0: no preference.
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
    /// An upper bound: each record has its number of groups in the field `grid`.
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
    /// The record; `None` for empty records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Record>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Name of the parameter.
    pub name: String,
    /// The target; for an array, the target of element 0.
    pub target: Resolved<NodeName>,
    pub array: Resolved<OutputArray>,
    /// Targets may be missing.
    pub sparse: Resolved<bool>,
    /// The most records of a group, over the whole array.
    pub max_records: Resolved<u32>,
    /// The number of the output whose budget it shares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shares_budget_of: Option<u32>,
    /// The record; `None` for empty records.
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

/// A node's usage of each limit in the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Records with data that a group, or a thread of a thread node, may send.
    pub records: Used,
    /// Bytes of those records; for a mesh node, bytes of its output.
    pub bytes: Used,
    /// Bytes of groupshared memory; thread nodes have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groupshared: Option<Used>,
    /// Bytes of outputs, of groupshared memory and for each record together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<Used>,
    /// Nodes of the longest chain that ends here, including all levels of recursion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<Used>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Used {
    pub used: u64,
    pub limit: u64,
}

/// An edge, with the numbers of both ends.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edge {
    /// Index in [`Reflection::nodes`].
    pub from: u32,
    /// Index in the outputs of that node.
    pub output: u32,
    pub to: u32,
    /// The decision of the emulated target. Absent if its passes before fusion fail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fusion: Option<EdgeFusion>,
}

/// The decision about an edge in the default mode of packages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeFusion {
    /// The consumer runs inside the producer, by this rule.
    Fused(String),
    /// The records are in a queue, for this reason.
    Kept(String),
}
