//! `manifest.json` of an emulated package: what a host must create, bind and record.

use crate::NodeName;
use crate::device::{USER_PUSH_OFFSET, user_push_offset};
use crate::interface::{BindingInterface, Interface, NodeInterface, NodeLaunch, PushConstants, SpecConstant};
use crate::layout::StructLayout;
use crate::local_root::LocalRoots;
use crate::root_signature::RootSignature;
use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

/// The version this crate reads and writes. A reader refuses another one.
pub const VERSION: u32 = 11;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`VERSION`]
    pub version: u32,
    /// The fewest pages of an arena: with these a scheduled run comes to its end, whatever the graph does.
    pub min_pages: u32,
    pub arena: ArenaBytes,
    /// What the device must offer beyond the floor, by Vulkan's feature names.
    pub features: Vec<String>,
    pub limits: Limits,
    /// Shader modules, kernels first. `instances[].module` and `kernels` index this list.
    pub modules: Vec<ModuleRef>,
    pub kernels: Kernels,
    /// In the order of tables, push constants and argument slots.
    pub instances: Vec<Instance>,
    /// One barrier stands between two stages, and one behind the kernels before the instances of a stage.
    pub stages: Vec<Stage>,
    /// In the order of the stages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<FusedRun>,
    /// Nodes that the host may send records to.
    pub entrypoints: Vec<EntryPoint>,
    /// Layouts of the records of all nodes, for tools: each once. Packages of before have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<StructLayout>,
    pub bindings: Vec<BindingInterface>,
    /// The table of local root arguments, which each dispatch needs where nodes have such.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_roots: Option<LocalRoots>,
    /// The user's push constants, behind the 16 bytes of [`crate::device::Push`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    /// Specialisation constants, which have these values in all modules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstant>,
    /// Those of the source, for hosts that have root arguments; they change no binding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub root_signatures: Vec<RootSignature>,
    /// Bytes of all push constants, the package's own included.
    pub push_bytes: u32,
    /// Of `tables.bin`, as [`ModuleRef::hash`] is of a module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tables_hash: Option<String>,
    pub buffers: Buffers,
}

/// Bytes of a package's own push constants and of the user's block behind them.
pub fn push_bytes(user: Option<&PushConstants>) -> u64 {
    let end = |p: &PushConstants| user_push_offset(p.block.align) + u64::from(p.block.size);
    user.map_or(USER_PUSH_OFFSET.into(), end)
}

impl Manifest {
    /// The layouts of its records and of the push constants.
    pub fn layouts(&self) -> impl Iterator<Item = &StructLayout> {
        let entries = self.entrypoints.iter().filter_map(|entry| entry.record.as_ref());
        self.records.iter().chain(entries).chain(self.push_constants.iter().map(|push| &push.block))
    }

    /// The graph as a host sees it that has the package alone: all nodes and their records.
    pub fn interface(&self) -> Interface {
        let entry = |node: &NodeName| self.entrypoints.iter().find(|entry| entry.node == *node);
        // Scheduled by depth a node may have several instances of level 0.
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

    /// What an instance gets, field by field.
    pub fn record(&self, instance: &Instance) -> Option<&StructLayout> {
        self.records.get(instance.record? as usize)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Threads of the largest workgroup of a compute shader.
    pub group_threads: u32,
    /// The same of mesh shaders; 0 where there are none.
    #[serde(default, skip_serializing_if = "none")]
    pub mesh_threads: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleRef {
    /// Relative to the package, with `/`.
    pub file: String,
    pub entry: String,
    pub group_size: [u32; 3],
    /// Of the words: see [`crate::package::content_hash`].
    pub hash: String,
    /// Of the words without what is for debuggers alone: see [`crate::package::code_hash`]. A pipeline of equal code, layout and
    /// subgroup size does the same, so a host that reloads a package makes pipelines of the modules that changed alone.
    pub code: String,
    /// `WaveSize`: the smallest, largest and preferred number of lanes of a subgroup (preferred 0: no preference). A
    /// device whose subgroups are outside cannot run the package.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subgroup_size: Option<[u32; 3]>,
    /// Of mesh shaders alone; all other modules are compute shaders.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mesh: Option<MeshSize>,
}

/// What a workgroup of a mesh shader puts out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshSize {
    pub topology: Topology,
    /// At most.
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
    /// Index in `modules`; dispatched as one workgroup before each stage of a scheduled run that does not follow another.
    pub sched: u32,
    /// Index in `modules`; dispatched as one workgroup at the beginning of a scheduled run whose inputs are counted on the
    /// device.
    pub gather: u32,
    /// Index in `modules`; dispatched indirectly before the stages of `spills`. Only for graphs that have some.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<u32>,
    /// Index in `modules`; may be dispatched as one workgroup behind every launch, to look for shaders that leave their
    /// records. Only in packages that were made for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<u32>,
    /// Index in `modules`; dispatched with one workgroup for each fused run before the stages that have some. Only for graphs
    /// that do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuse: Option<u32>,
    /// Index in `modules`; dispatched over instances that read their grids from records before whatever asks how many workgroups
    /// they have. Only in packages for devices without 64-bit atomics on buffers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scan: Option<u32>,
}

/// One node at one recursion level: the unit of scheduling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instance {
    pub node: NodeName,
    /// Recursion level; 0 is what other nodes reach.
    pub level: u32,
    pub launch: NodeLaunch,
    /// Index in `modules`.
    pub module: u32,
    pub stage: u32,
    /// Where its records wait; several instances may share one queue.
    pub queue: u32,
    /// For tools: `name[index] level n`.
    pub label: String,
    /// Index in `records`: what it gets. `None`: empty records, or a package of before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<u32>,
    /// The record of its local root arguments, by number in the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_root: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stage {
    /// Consecutive in `instances`.
    pub first_instance: u32,
    pub instances: u32,
    /// Consecutive spills: for each the kernel scatter runs before the instances.
    #[serde(default, skip_serializing_if = "none")]
    pub first_spill: u32,
    #[serde(default, skip_serializing_if = "none")]
    pub spills: u32,
    /// Behind the head of a segment: in a scheduled run no kernel sched stands before it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub follows: bool,
    /// Consecutive fused runs: for all of them the kernel fuse runs before the instances.
    #[serde(default, skip_serializing_if = "none")]
    pub first_run: u32,
    #[serde(default, skip_serializing_if = "none")]
    pub runs: u32,
}

/// Instances of a stage that have one dispatch together, with the arguments of the first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FusedRun {
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
    /// `None`: empty records, only a count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<StructLayout>,
    /// Of the arena, for one record and all that follows from it, in one pass: at most. `None`: one record may be more than
    /// one pass can have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closure_bytes: Option<u64>,
}

/// How large an arena is, and with it how dispatches come to their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArenaBytes {
    /// Pages for [`Manifest::min_pages`].
    pub least: u64,
    /// Where nothing is known of the entry records.
    pub recommended: u64,
    /// With these, and [`EntryPoint::closure_bytes`] of each entry record, a dispatch runs in one pass.
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
