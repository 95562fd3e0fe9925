//! `manifest.json` of an emulated package: the objects that a host must create, bind and record.

use crate::NodeName;
use crate::device::{USER_PUSH_OFFSET, user_push_offset};
use crate::interface::{BindingInterface, Interface, NodeInterface, NodeLaunch, PushConstants, SpecConstant};
use crate::layout::StructLayout;
use crate::local_root::LocalRoots;
use crate::root_signature::RootSignature;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

/// The version this crate reads and writes. A reader rejects any other version.
pub const VERSION: u32 = 12;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`]
    pub version: u32,
    /// The fewest pages of an arena: with these every scheduled run ends, for any behaviour of the graph.
    pub min_pages: u32,
    pub arena: ArenaBytes,
    /// Required device features beyond the minimum, by Vulkan's names.
    pub features: Vec<String>,
    pub limits: Limits,
    /// Shader modules, kernels first. `instances[].module` and `kernels` index this list.
    pub modules: Vec<ModuleRef>,
    pub kernels: Kernels,
    /// Present only in packages that are compiled for it, if the graph is suitable.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resident: Option<Resident>,
    /// In the order of tables, push constants and argument slots.
    pub instances: Vec<Instance>,
    /// The stages. A barrier separates two stages. Another one follows the kernels before the instances of a stage.
    pub stages: Vec<Stage>,
    /// In the order of the stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<JointDispatch>,
    /// Nodes that the host may send records to.
    pub entrypoints: Vec<EntryPoint>,
    /// Nodes that run the code of others. The records between them are in no queue, so nobody counts them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub carriers: Vec<Carrier>,
    /// Layouts of the records of all nodes, each once, for tools. Older packages have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<StructLayout>,
    pub bindings: Vec<BindingInterface>,
    /// The table of local root arguments. If present, each dispatch needs such a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_roots: Option<LocalRoots>,
    /// The user's push constants, after the 16 bytes of [`crate::device::Push`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    /// Specialisation constants. All modules use these values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstant>,
    /// Root signatures of the source, for hosts that have root arguments. They change no binding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root_signatures: Vec<RootSignature>,
    /// Bytes of all push constants, the package's own included.
    pub push_bytes: u32,
    /// Hash of `tables.bin`, like [`ModuleRef::hash`] of a module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables_hash: Option<String>,
    pub buffers: Buffers,
}

/// Returns the bytes of a package's own push constants and of the user's block after them.
pub fn push_bytes(user: Option<&PushConstants>) -> u64 {
    let end = |p: &PushConstants| user_push_offset(p.block.align) + u64::from(p.block.size);
    user.map_or(USER_PUSH_OFFSET.into(), end)
}

impl Manifest {
    /// Iterates over the layouts of its records and of the push constants.
    pub fn layouts(&self) -> impl Iterator<Item = &StructLayout> {
        let entries = self.entrypoints.iter().filter_map(|entry| entry.record.as_ref());
        self.records.iter().chain(entries).chain(self.push_constants.iter().map(|push| &push.block))
    }

    /// Returns the graph as seen by a host that has only the package: all nodes and their records.
    pub fn interface(&self) -> Interface {
        let entry = |node: &NodeName| self.entrypoints.iter().find(|entry| entry.node == *node);
        // With a schedule by depth, a node may have several instances of level 0.
        let mut known = IndexSet::new();
        let nodes = self.instances.iter().filter(|instance| instance.level == 0 && known.insert(&instance.node));
        let nodes = nodes.map(|instance| NodeInterface {
            id: instance.node.clone(),
            launch: instance.launch,
            entry: entry(&instance.node).is_some(),
            record: (self.record(instance).or_else(|| entry(&instance.node)?.record.as_ref())).cloned(),
        });
        Interface {
            nodes: nodes.collect(),
            bindings: self.bindings.clone(),
            local_roots: self.local_roots.clone(),
            push_constants: self.push_constants.clone(),
            spec_constants: self.spec_constants.clone(),
            compute: Vec::new(),
        }
    }

    /// Returns the side of the records that an output's number in a report of a node stands for; `None` if the node is not
    /// fused.
    pub fn end(&self, node: &NodeName, output: u32) -> Option<&RecordEnd> {
        self.carriers.iter().find(|carrier| carrier.node == *node)?.ends.get(output as usize)
    }

    /// Returns the layout of the records that an instance consumes.
    pub fn record(&self, instance: &Instance) -> Option<&StructLayout> {
        self.records.get(instance.record? as usize)
    }
}

/// A node with fused edges.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Carrier {
    pub node: NodeName,
    /// The nodes whose code it runs. Those that are no instances have no other source.
    pub guests: Vec<NodeName>,
    /// The sides of records that the numbers of outputs in its reports stand for: those of its own outputs, then those of
    /// fused edges.
    pub ends: Vec<RecordEnd>,
}

/// One side of the records of an edge, in terms of the source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordEnd {
    /// The node whose code uses the records.
    pub node: NodeName,
    /// The number of its output; absent for its input.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<u32>,
    /// The target of the output, for an array that of element 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<NodeName>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Threads of the largest workgroup of a compute shader.
    pub group_threads: u32,
    /// Threads of the largest workgroup of a mesh shader; 0 if there are none.
    #[serde(default, skip_serializing_if = "none")]
    pub mesh_threads: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleRef {
    /// Relative to the package, with `/`.
    pub file: String,
    pub entry: String,
    pub group_size: [u32; 3],
    /// Hash of the words: see [`crate::package::content_hash`].
    pub hash: String,
    /// Hash of the words without debug information: see [`crate::package::code_hash`]. Pipelines with equal code,
    /// layout and subgroup size are equivalent. So a host that reloads a package recreates only the pipelines of
    /// changed modules.
    pub code: String,
    /// `WaveSize`: the minimum, maximum and preferred number of lanes of a subgroup (preferred 0: no preference). A
    /// device with subgroups outside these bounds cannot run the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subgroup_size: Option<[u32; 3]>,
    /// Present for mesh shaders only; all other modules are compute shaders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshSize>,
}

/// The output of a mesh shader's workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshSize {
    pub topology: Topology,
    /// Maximum numbers.
    pub vertices: u32,
    pub primitives: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Topology {
    Line,
    Triangle,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernels {
    /// Index in `modules`; dispatched as one workgroup before a run in one pass.
    pub prep: u32,
    /// Index in `modules`; dispatched with one thread per [`crate::device::Span`] thread.
    pub inject: u32,
    /// Index in `modules`; in a scheduled run, dispatched as one workgroup before each stage that is the head of a
    /// segment.
    pub sched: u32,
    /// Index in `modules`; dispatched as one workgroup at the beginning of a scheduled run whose inputs are counted on the
    /// device.
    pub gather: u32,
    /// Index in `modules`; dispatched indirectly before the stages of `spills`. Present only for graphs that have
    /// spills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<u32>,
    /// Index in `modules`; may be dispatched as one workgroup after every launch, to find writes outside the shaders'
    /// records. Present only in packages compiled for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<u32>,
    /// Index in `modules`; dispatched with one workgroup for each joint dispatch, before the stages that have such runs.
    /// Present only for graphs with joint dispatches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub joint: Option<u32>,
    /// Index in `modules`; dispatched over instances that read their grids from records. It runs before any step that
    /// needs the number of their workgroups. Present only in packages for devices without 64-bit atomics on buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<u32>,
}

/// A module that runs all stages of a small graph in one dispatch of one workgroup.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resident {
    /// Index in `modules`. Its dispatch replaces those of all stages in a run in one pass. The push constants are those of
    /// instance 0.
    pub module: u32,
    /// It is faster than dispatches if no stage can have more threads than this, all instances of the stage together.
    pub most_threads: u32,
}

/// One node at one recursion level: the unit of scheduling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    pub node: NodeName,
    /// Recursion level; 0 is the level that other nodes reach.
    pub level: u32,
    pub launch: NodeLaunch,
    /// Index in `modules`.
    pub module: u32,
    pub stage: u32,
    /// The queue that it reads; several instances may share one queue.
    pub queue: u32,
    /// For tools: `name[index] level n`.
    pub label: String,
    /// Index of its input record in `records`. `None`: empty records, or an older package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
    /// Index of the record of its local root arguments in the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_root: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Consecutive in `instances`.
    pub first_instance: u32,
    pub instances: u32,
    /// Consecutive spills. The kernel scatter runs for each one before the instances.
    #[serde(default, skip_serializing_if = "none")]
    pub first_spill: u32,
    #[serde(default, skip_serializing_if = "none")]
    pub spills: u32,
    /// Not the head of its segment: in a scheduled run the kernel sched does not run before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// Consecutive joint dispatches. The kernel joint runs for all of them before the instances.
    #[serde(default, skip_serializing_if = "none")]
    pub first_run: u32,
    #[serde(default, skip_serializing_if = "none")]
    pub runs: u32,
}

/// Instances of a stage that share one dispatch, with the arguments of the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JointDispatch {
    /// Consecutive in `instances`; all have the module of the first.
    pub first_instance: u32,
    pub instances: u32,
    /// For tools: `name[first..last] level n`.
    pub label: String,
}

fn none(count: &u32) -> bool {
    *count == 0
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPoint {
    #[serde(flatten)]
    pub node: NodeName,
    pub queue: u32,
    /// The record; `None`: empty records, only a count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<StructLayout>,
    /// Upper bound of the arena's bytes for one record and all that follows from it, in one pass. `None`: one record
    /// may exceed one pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure_bytes: Option<u64>,
}

/// Sizes of an arena. They decide whether a dispatch runs in one pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArenaBytes {
    /// The size of [`Manifest::min_pages`].
    pub least: u64,
    /// The size to use if nothing is known about the entry records.
    pub recommended: u64,
    /// A dispatch runs in one pass with this size plus [`EntryPoint::closure_bytes`] for each entry record.
    pub single: u64,
}

/// Sizes of the buffers that the host creates, as numbers and as per-item factors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Buffers {
    /// [`crate::device::Context`]
    pub context_bytes: u32,
    /// `tables.bin`
    pub tables_bytes: u32,
    /// One [`crate::device::QueueState`] per queue and one [`crate::device::SpillState`] per spill.
    pub queue_state_bytes: u32,
    /// One [`crate::device::InstanceState`] per instance.
    pub instance_state_bytes: u32,
    /// One [`crate::device::Arguments`] per instance, one more, and one per spill; usage includes indirect arguments.
    pub arguments_bytes: u32,
    /// [`crate::device::Status`]
    pub status_bytes: u32,
    /// Per span: [`crate::device::Span`]
    pub span_bytes: u32,
    /// Per page of the arena: one address.
    pub page_entry_bytes: u32,
    /// Page size of the arena, a power of two.
    pub page_bytes: u32,
}
