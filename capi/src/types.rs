//! The structures of the interface. Handles of Vulkan have the representation of 64-bit platforms.

use std::ffi::{c_char, c_void};
use vulkanalia::vk::{self, Handle};
use wgc_runtime::emulated::LocalRootTable;
use wgc_runtime::vulkan::embed::{Block, Sizes, Timestamps};

// The types of <vulkan/vulkan.h>: the header names these types and does not define them.
pub type VkInstance = *mut c_void;
pub type VkPhysicalDevice = *mut c_void;
pub type VkDevice = *mut c_void;
pub type VkCommandBuffer = *mut c_void;
pub type VkBuffer = u64;
pub type VkDescriptorSet = u64;
pub type VkDescriptorSetLayout = u64;
pub type VkPipelineLayout = u64;
pub type VkPipelineCache = u64;
pub type VkDeviceAddress = u64;
pub type VkPipeline = u64;
pub type VkShaderModule = u64;
pub type VkQueryPool = u64;
pub type VkShaderStageFlags = u32;
pub type VkDescriptorType = i32;
#[allow(non_camel_case_types, reason = "Vulkan's name")]
pub type PFN_vkGetInstanceProcAddr = Option<vk::PFN_vkGetInstanceProcAddr>;

/// Puts a debug label around each launch and each stage: the instance has VK_EXT_debug_utils enabled.
pub const WGC_HOST_LABELS: u32 = 1;
/// Allocators use subgroup operations in varying control flow: the device has VK_KHR_shader_maximal_reconvergence enabled.
pub const WGC_HOST_MAXIMAL_RECONVERGENCE: u32 = 2;

/// Nodes with WaveSize have subgroups of the requested size, if the device supports it: it has subgroupSizeControl and
/// computeFullSubgroups enabled. Without this they run only where the default size is right, and loading fails
/// elsewhere.
pub const WGC_HOST_SUBGROUP_SIZE_CONTROL: u32 = 4;

/// Completion in one pass. The arena must have the worst-case capacity for the entry records.
pub const WGC_COMPLETION_SINGLE: u32 = 0;
/// Completion in a number of sweeps; wgc_graph_status reports whether more are needed.
pub const WGC_COMPLETION_SWEEPS: u32 = 1;
/// Completion in one pass if the arena allows it, else in a number of sweeps.
pub const WGC_COMPLETION_EITHER: u32 = 2;

/// The engine's Vulkan objects, of Vulkan 1.2 or newer. They outlive the graph.
#[repr(C)]
pub struct WgcHost {
    pub get_instance_proc_addr: PFN_vkGetInstanceProcAddr,
    pub instance: VkInstance,
    pub physical_device: VkPhysicalDevice,
    pub device: VkDevice,
    /// WGC_HOST_*
    pub flags: u32,
}

/// A binding of the shaders. The layout of its set must contain it, for all stages of wgc_package_stages.
#[repr(C)]
pub struct WgcBinding {
    /// The name of the variable, valid while the package lives.
    pub name: *const c_char,
    pub set: u32,
    pub binding: u32,
    /// 1, the length of an array, or 0 for any number that the host binds.
    pub count: u32,
    /// Rows of a heap have one set and binding. If their types differ, it is VK_DESCRIPTOR_TYPE_MUTABLE_EXT with all of
    /// them (docs/emulation-abi.md, section 11).
    pub r#type: VkDescriptorType,
}

/// The records of an entry node.
#[repr(C)]
pub struct WgcEntry {
    /// 0: records are empty.
    pub record_bytes: u32,
    pub record_align: u32,
}

/// The capacities that a host needs.
#[repr(C)]
pub struct WgcSizes {
    /// The most that the arena will ever have, all chunks together.
    pub arena_bytes: u64,
    /// The most bytes of a dispatch's entry records in host memory.
    pub record_bytes: u64,
    /// The most inputs of a dispatch.
    pub inputs: u32,
}

/// The memory that a graph needs. All of it is allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT.
#[repr(C)]
pub struct WgcRequirements {
    /// Device memory; usage storage, indirect, shader device address, transfer source and destination.
    pub state_bytes: u64,
    /// Host-visible, coherent memory; usage storage, shader device address, transfer source and destination.
    pub exchange_bytes: u64,
    /// Chunks of the arena have a multiple of this; device memory; usage storage, shader device address and transfer
    /// destination.
    pub page_bytes: u64,
    /// All chunks together, at least.
    pub least_arena_bytes: u64,
}

/// A range of a buffer. `offset` and `address`, the device address of the first byte, are multiples of 256.
#[repr(C)]
pub struct WgcBlock {
    pub buffer: VkBuffer,
    pub offset: u64,
    pub bytes: u64,
    pub address: VkDeviceAddress,
}

/// The host's memory. Nothing else uses it while the graph has it.
#[repr(C)]
pub struct WgcMemory {
    pub state: WgcBlock,
    pub exchange: WgcBlock,
    /// The first byte of `exchange`, mapped.
    pub exchange_pointer: *mut c_void,
    /// 1 to 16 chunks of one size.
    pub chunks: *const WgcBlock,
    pub chunk_count: u32,
}

/// Records for an entry node. They are in the host's memory (`records`, copied while recording) or on the device
/// (`records` is NULL; `address` and `stride` are multiples of 4).
#[repr(C)]
pub struct WgcInput {
    pub node: *const c_char,
    /// The index in the node array; 0 for a node outside of arrays.
    pub index: u32,
    /// Bytes from record to record; 0 repeats one record.
    pub stride: u32,
    pub count: u32,
    pub records: *const c_void,
    pub address: VkDeviceAddress,
}

/// The bindings of the user's code.
#[repr(C)]
pub struct WgcBindings {
    /// Descriptor sets from set 0 on.
    pub sets: *const VkDescriptorSet,
    pub set_count: u32,
    /// The user's push constants.
    pub push_bytes: u32,
    pub push: *const c_void,
}

/// One dispatch of a graph.
#[repr(C)]
pub struct WgcDispatch {
    pub inputs: *const WgcInput,
    pub input_count: u32,
    /// If not 0, a device address of {count, 0, address, stride}, a multiple of 8. That address has the given count of
    /// {entry, count, address, stride} (u32, u32, u64, u64): D3D12_MULTI_NODE_GPU_INPUT, VkDispatchGraphCountInfoAMDX.
    /// The device reads them in place of `inputs`, at most `input_count`; the dispatch runs in sweeps. `entry` is a
    /// number of wgc_graph_entry_number.
    pub device_inputs: u64,
    /// WGC_COMPLETION_*
    pub completion: u32,
    /// Sweeps to record, unless it runs in one pass.
    pub sweeps: u32,
    pub bindings: WgcBindings,
    /// NULL, unless nodes have local root arguments.
    pub local_roots: *const WgcLocalRoots,
    /// NULL: no timestamps.
    pub timestamps: *const WgcTimestamps,
}

/// A table of local root arguments, or its requirements. The table and the buffers that it names stay unchanged until
/// the dispatch has ended.
#[repr(C)]
pub struct WgcLocalRoots {
    /// The address of record 0. This and the stride are multiples of 8, or of 4 if records have nothing of 64 bits.
    pub address: VkDeviceAddress,
    /// Bytes from record to record.
    pub stride: u32,
    pub records: u32,
}

/// Timestamp queries that nothing else uses. The recording resets them and writes one at its start. It writes one after
/// every launch, when all before it has finished. wgc_graph_mark identifies the launch.
#[repr(C)]
pub struct WgcTimestamps {
    pub pool: VkQueryPool,
    pub first: u32,
    /// At least the result of wgc_graph_most_timestamps, or the number that turns out to be needed.
    pub count: u32,
}

/// A launch followed by a timestamp.
#[repr(C)]
pub struct WgcMark {
    /// The label of an instance or a joint dispatch, or the name of a kernel. Valid until the next recording.
    pub label: *const c_char,
    /// Index in `instances` of the manifest, of a joint dispatch that of its first; UINT32_MAX: a kernel.
    pub instance: u32,
    /// The stage, or UINT32_MAX for none.
    pub stage: u32,
}

/// The kind of a mesh node's primitives.
pub const WGC_TOPOLOGY_LINE: u32 = 0;
pub const WGC_TOPOLOGY_TRIANGLE: u32 = 1;

/// A mesh node: the first stage of a graphics pipeline that the host creates, with wgc_graph_layout.
#[repr(C)]
pub struct WgcMeshNode {
    /// Valid while the graph lives, like the other strings.
    pub node: *const c_char,
    /// The index in the node array; 0 for a node outside of arrays.
    pub index: u32,
    /// The output of a workgroup: WGC_TOPOLOGY_*, and the most vertices and primitives.
    pub topology: u32,
    pub vertices: u32,
    pub primitives: u32,
    /// For the stage VK_SHADER_STAGE_MESH_BIT_EXT.
    pub module: VkShaderModule,
    pub entry: *const c_char,
    /// WaveSize, for the stage's VkPipelineShaderStageRequiredSubgroupSizeCreateInfo; 0: the stage has none.
    pub subgroup_size: u32,
}

/// The draws after a dispatch, or after a sweep of it.
#[repr(C)]
pub struct WgcDraws {
    /// For each mesh node, in their order.
    pub pipelines: *const VkPipeline,
    pub pipeline_count: u32,
    /// The dispatch's bindings.
    pub bindings: WgcBindings,
    /// Timestamp queries, one more than there are mesh nodes, which were reset before the render pass. One is written
    /// before the draws, and one after the draw of each mesh node. NULL: none are wanted.
    pub timestamps: *const WgcTimestamps,
}

/// The result of a recording.
#[repr(C)]
pub struct WgcRecorded {
    /// Not 0: it runs in sweeps, and wgc_graph_status reports whether these were enough.
    pub scheduled: u32,
    /// Pages of the arena that it needs at least.
    pub pages: u64,
}

/// The state of a dispatch.
#[repr(C)]
pub struct WgcStatus {
    /// Not 0: records are pending. Record wgc_graph_resume and submit it.
    pub pending: u32,
    /// The sweeps so far; 0: it ran in one pass, or there was nothing to do.
    pub sweeps: u32,
    /// Not 0: a dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
    pub grid_clamped: u32,
    /// The fewest free pages, in sweeps: none or few mean that more memory saves sweeps.
    pub pages_least: u32,
    /// The most pages that were in use at a time, in sweeps.
    pub pages_peak: u32,
    /// The first stage of the next sweep, for wgc_graph_resume.
    pub deepest: u32,
    /// The first error of a shader, from the table of codes in docs/emulation-abi.md; 0: none. The following fields
    /// describe this error.
    pub error: u32,
    /// The number of errors.
    pub error_count: u32,
    /// Name and index of the node, and the level of recursion it was at. The name is valid while the graph lives.
    pub error_node: *const c_char,
    pub error_node_index: u32,
    pub error_level: u32,
    /// The output of the node, or 0xffffffff for its input; the queue, if a shader wrote after the end of its record.
    pub error_output: u32,
    /// The number of reports for wgc_graph_report: each error once, this one among them, and each node whose grids were
    /// cut.
    pub report_count: u32,
    /// Not 0: there was more to report.
    pub unlisted: u32,
}

/// Something that happened in a dispatch, whether once or often.
#[repr(C)]
pub struct WgcReport {
    /// A code from the table in docs/emulation-abi.md.
    pub code: u32,
    /// The node, as in WgcStatus. NULL: no node.
    pub node: *const c_char,
    pub node_index: u32,
    pub level: u32,
    pub output: u32,
}

impl From<&WgcSizes> for Sizes {
    fn from(sizes: &WgcSizes) -> Self {
        Self { arena_bytes: sizes.arena_bytes, inputs: sizes.inputs, record_bytes: sizes.record_bytes }
    }
}

impl From<&WgcBlock> for Block {
    fn from(block: &WgcBlock) -> Self {
        let buffer = vk::Buffer::from_raw(block.buffer);
        Self { buffer, offset: block.offset, bytes: block.bytes, address: block.address }
    }
}

impl From<&WgcLocalRoots> for LocalRootTable {
    fn from(table: &WgcLocalRoots) -> Self {
        Self { address: table.address, stride: table.stride, records: table.records }
    }
}

impl From<&WgcTimestamps> for Timestamps {
    fn from(timestamps: &WgcTimestamps) -> Self {
        Self { pool: vk::QueryPool::from_raw(timestamps.pool), first: timestamps.first, count: timestamps.count }
    }
}
