// The C interface of wgc's runtime: emulated work graphs inside an engine.
//
// A graph runs on the engine's device, in its memory, recorded into its command buffers. Nothing here submits, waits or
// allocates device memory.
//
// 1. Once: wgc_package_read, wgc_graph_load, wgc_graph_requirements, wgc_graph_bind, wgc_graph_record_upload.
// 2. For each dispatch: wgc_graph_record, submit, wait, wgc_graph_status. While it is pending: wgc_graph_resume, submit,
//    wait, wgc_graph_status.
//
// One dispatch of a graph is in flight at a time. wgc_graph_share creates one more graph, for example for another frame.
//
// Pointers are valid, or NULL where a function accepts it. WgcGraph and WgcPackage are handles: numbers, not addresses. A
// handle that was destroyed, is of another kind, or never was a handle is refused (WGC_RESULT_ARGUMENT). Calls for one
// handle run one after another, from any threads; calls for different handles run at the same time. As in Vulkan, the
// caller keeps command pools of different threads apart. Each thread has its own wgc_last_error. The interface is for
// 64-bit platforms.
//
// Examples: capi/examples/hello.c is a whole program. capi/examples/inside.c has mesh nodes, local root arguments,
// timestamps, labels and guards.

#ifndef WGC_GRAPH_H
#define WGC_GRAPH_H

#include <stdint.h>
#include "vulkan/vulkan.h"

// Puts a debug label around each launch and each stage: the instance has VK_EXT_debug_utils enabled.
#define WGC_HOST_LABELS 1

// Allocators use subgroup operations in varying control flow: the device has VK_KHR_shader_maximal_reconvergence enabled.
#define WGC_HOST_MAXIMAL_RECONVERGENCE 2

// Nodes with WaveSize have subgroups of the requested size, if the device supports it: it has subgroupSizeControl and
// computeFullSubgroups enabled. Without this they run only where the default size is right, and loading fails
// elsewhere.
#define WGC_HOST_SUBGROUP_SIZE_CONTROL 4

// Completion in one pass. The arena must have the worst-case capacity for the entry records.
#define WGC_COMPLETION_SINGLE 0

// Completion in a number of sweeps; wgc_graph_status reports whether more are needed.
#define WGC_COMPLETION_SWEEPS 1

// Completion in one pass if the arena allows it, else in a number of sweeps.
#define WGC_COMPLETION_EITHER 2

// The kind of a mesh node's primitives.
#define WGC_TOPOLOGY_LINE 0

#define WGC_TOPOLOGY_TRIANGLE 1

// The result of a call; wgc_last_error describes it.
typedef enum WgcResult {
  WGC_RESULT_OK = 0,
  // A pointer is NULL, a string is not UTF-8, or an argument does not fit. Examples are a block that is too small,
  // too few queries, and push constants of another size.
  WGC_RESULT_ARGUMENT = 1,
  // The package cannot be read.
  WGC_RESULT_PACKAGE = 2,
  // The device lacks something, or Vulkan failed.
  WGC_RESULT_DEVICE = 3,
  // An input does not fit the graph.
  WGC_RESULT_INPUT = 4,
  // The arena is too small.
  WGC_RESULT_ARENA = 5,
  // A shader broke its own limits: records beyond the limits are lost, the rest was done.
  WGC_RESULT_GRAPH = 6,
  // A bug in this library.
  WGC_RESULT_INTERNAL = 7,
  // Records of the previous dispatch are pending: resume it, or record the upload again to abandon it.
  WGC_RESULT_BUSY = 8,
  // Another function has to be called before; wgc_last_error names it.
  WGC_RESULT_EARLY = 9,
} WgcResult;

// A package on a device.
typedef struct WgcGraph WgcGraph;

// A package in memory. It belongs to no device, and graphs do not need it after loading.
typedef struct WgcPackage WgcPackage;

// The engine's Vulkan objects, of Vulkan 1.2 or newer. They outlive the graph.
typedef struct WgcHost {
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  // WGC_HOST_*
  uint32_t flags;
} WgcHost;

// The records of an entry node.
typedef struct WgcEntry {
  // 0: records are empty.
  uint32_t record_bytes;
  uint32_t record_align;
} WgcEntry;

// The capacities that a host needs.
typedef struct WgcSizes {
  // The most that the arena will ever have, all chunks together.
  uint64_t arena_bytes;
  // The most bytes of a dispatch's entry records in host memory.
  uint64_t record_bytes;
  // The most inputs of a dispatch.
  uint32_t inputs;
} WgcSizes;

// The memory that a graph needs. All of it is allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT.
typedef struct WgcRequirements {
  // Device memory; usage storage, indirect, shader device address, transfer source and destination.
  uint64_t state_bytes;
  // Host-visible, coherent memory; usage storage, shader device address, transfer source and destination.
  uint64_t exchange_bytes;
  // Chunks of the arena have a multiple of this; device memory; usage storage, shader device address and transfer
  // destination.
  uint64_t page_bytes;
  // All chunks together, at least.
  uint64_t least_arena_bytes;
} WgcRequirements;

// A range of a buffer. `offset` and `address`, the device address of the first byte, are multiples of 256.
typedef struct WgcBlock {
  VkBuffer buffer;
  uint64_t offset;
  uint64_t bytes;
  VkDeviceAddress address;
} WgcBlock;

// The host's memory. Nothing else uses it while the graph has it.
typedef struct WgcMemory {
  struct WgcBlock state;
  struct WgcBlock exchange;
  // The first byte of `exchange`, mapped.
  void *exchange_pointer;
  // 1 to 16 chunks of one size.
  const struct WgcBlock *chunks;
  uint32_t chunk_count;
} WgcMemory;

// Records for an entry node. They are in the host's memory (`records`, copied while recording) or on the device
// (`records` is NULL; `address` and `stride` are multiples of 4).
typedef struct WgcInput {
  const char *node;
  // The index in the node array; 0 for a node outside of arrays.
  uint32_t index;
  // Bytes from record to record; 0 repeats one record.
  uint32_t stride;
  uint32_t count;
  const void *records;
  VkDeviceAddress address;
} WgcInput;

// The bindings of the user's code.
typedef struct WgcBindings {
  // Descriptor sets from set 0 on.
  const VkDescriptorSet *sets;
  uint32_t set_count;
  // The user's push constants.
  uint32_t push_bytes;
  const void *push;
} WgcBindings;

// A table of local root arguments, or its requirements. The table and the buffers that it names stay unchanged until
// the dispatch has ended.
typedef struct WgcLocalRoots {
  // The address of record 0. This and the stride are multiples of 8, or of 4 if records have nothing of 64 bits.
  VkDeviceAddress address;
  // Bytes from record to record.
  uint32_t stride;
  uint32_t records;
} WgcLocalRoots;

// Timestamp queries that nothing else uses. The recording resets them and writes one at its start. It writes one after
// every launch, when all before it has finished. wgc_graph_mark identifies the launch.
typedef struct WgcTimestamps {
  VkQueryPool pool;
  uint32_t first;
  // At least the result of wgc_graph_most_timestamps, or the number that turns out to be needed.
  uint32_t count;
} WgcTimestamps;

// One dispatch of a graph.
typedef struct WgcDispatch {
  const struct WgcInput *inputs;
  uint32_t input_count;
  // If not 0, a device address of {count, 0, address, stride}, a multiple of 8. That address has the given count of
  // {entry, count, address, stride} (u32, u32, u64, u64): D3D12_MULTI_NODE_GPU_INPUT, VkDispatchGraphCountInfoAMDX.
  // The device reads them in place of `inputs`, at most `input_count`; the dispatch runs in sweeps. `entry` is a
  // number of wgc_graph_entry_number.
  uint64_t device_inputs;
  // WGC_COMPLETION_*
  uint32_t completion;
  // Sweeps to record, unless it runs in one pass.
  uint32_t sweeps;
  struct WgcBindings bindings;
  // NULL, unless nodes have local root arguments.
  const struct WgcLocalRoots *local_roots;
  // NULL: no timestamps.
  const struct WgcTimestamps *timestamps;
} WgcDispatch;

// The result of a recording.
typedef struct WgcRecorded {
  // Not 0: it runs in sweeps, and wgc_graph_status reports whether these were enough.
  uint32_t scheduled;
  // Pages of the arena that it needs at least.
  uint64_t pages;
} WgcRecorded;

// The state of a dispatch.
typedef struct WgcStatus {
  // Not 0: records are pending. Record wgc_graph_resume and submit it.
  uint32_t pending;
  // The sweeps so far; 0: it ran in one pass, or there was nothing to do.
  uint32_t sweeps;
  // Not 0: a dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
  uint32_t grid_clamped;
  // The fewest free pages, in sweeps: none or few mean that more memory saves sweeps.
  uint32_t pages_least;
  // The most pages that were in use at a time, in sweeps.
  uint32_t pages_peak;
  // The first stage of the next sweep, for wgc_graph_resume.
  uint32_t deepest;
  // The first error of a shader, from the table of codes in docs/emulation-abi.md; 0: none. The following fields
  // describe this error.
  uint32_t error;
  // The number of errors.
  uint32_t error_count;
  // Name and index of the node, and the level of recursion it was at. The name is valid while the graph lives.
  const char *error_node;
  uint32_t error_node_index;
  uint32_t error_level;
  // The output of the node, or 0xffffffff for its input; the queue, if a shader wrote after the end of its record.
  uint32_t error_output;
  // The number of reports for wgc_graph_report: each error once, this one among them, and each node whose grids were
  // cut.
  uint32_t report_count;
  // Not 0: there was more to report.
  uint32_t unlisted;
} WgcStatus;

// Something that happened in a dispatch, whether once or often.
typedef struct WgcReport {
  // A code from the table in docs/emulation-abi.md.
  uint32_t code;
  // The node, as in WgcStatus. NULL: no node.
  const char *node;
  uint32_t node_index;
  uint32_t level;
  uint32_t output;
} WgcReport;

// A launch followed by a timestamp.
typedef struct WgcMark {
  // The label of an instance or a joint dispatch, or the name of a kernel. Valid until the next recording.
  const char *label;
  // Index in `instances` of the manifest, of a joint dispatch that of its first; UINT32_MAX: a kernel.
  uint32_t instance;
  // The stage, or UINT32_MAX for none.
  uint32_t stage;
} WgcMark;

// A mesh node: the first stage of a graphics pipeline that the host creates, with wgc_graph_layout.
typedef struct WgcMeshNode {
  // Valid while the graph lives, like the other strings.
  const char *node;
  // The index in the node array; 0 for a node outside of arrays.
  uint32_t index;
  // The output of a workgroup: WGC_TOPOLOGY_*, and the most vertices and primitives.
  uint32_t topology;
  uint32_t vertices;
  uint32_t primitives;
  // For the stage VK_SHADER_STAGE_MESH_BIT_EXT.
  VkShaderModule module;
  const char *entry;
  // WaveSize, for the stage's VkPipelineShaderStageRequiredSubgroupSizeCreateInfo; 0: the stage has none.
  uint32_t subgroup_size;
} WgcMeshNode;

// The draws after a dispatch, or after a sweep of it.
typedef struct WgcDraws {
  // For each mesh node, in their order.
  const VkPipeline *pipelines;
  uint32_t pipeline_count;
  // The dispatch's bindings.
  struct WgcBindings bindings;
  // Timestamp queries, one more than there are mesh nodes, which were reset before the render pass. One is written
  // before the draws, and one after the draw of each mesh node. NULL: none are wanted.
  const struct WgcTimestamps *timestamps;
} WgcDraws;

// A binding of the shaders. The layout of its set must contain it, for all stages of wgc_package_stages.
typedef struct WgcBinding {
  // The name of the variable, valid while the package lives.
  const char *name;
  uint32_t set;
  uint32_t binding;
  // 1, the length of an array, or 0 for any number that the host binds.
  uint32_t count;
  // Rows of a heap have one set and binding. If their types differ, it is VK_DESCRIPTOR_TYPE_MUTABLE_EXT with all of
  // them (docs/emulation-abi.md, section 11).
  VkDescriptorType type;
} WgcBinding;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Loads a package and creates its pipelines.
//
// `layouts` are the caller's descriptor set layouts, from set 0 on, according to wgc_package_binding; `cache` may be
// VK_NULL_HANDLE. The device has the features that the package needs.
enum WgcResult wgc_graph_load(const struct WgcHost *host,
                              const struct WgcPackage *package,
                              const VkDescriptorSetLayout *layouts,
                              uint32_t layout_count,
                              VkPipelineCache cache,
                              struct WgcGraph **graph);

// Loads another state of a graph's package. The pipelines and mesh shaders of modules with unchanged code are reused:
// after an edit of one node only that node's are created. `layouts` are those that the package requires. If its
// bindings are the same, they are defined like those that `graph` was loaded with. If the bindings differ, all
// pipelines are created. `reloaded` has no memory yet; `graph` is unchanged.
enum WgcResult wgc_graph_reload(const struct WgcGraph *graph,
                                const struct WgcPackage *package,
                                const VkDescriptorSetLayout *layouts,
                                uint32_t layout_count,
                                VkPipelineCache cache,
                                struct WgcGraph **reloaded);

// Creates another graph of the same package, with the same pipelines and without memory: one for each dispatch that is
// recorded or in flight at the same time. Each is destroyed separately, in any order.
enum WgcResult wgc_graph_share(const struct WgcGraph *graph, struct WgcGraph **shared);

// Returns the number of pipelines and mesh shaders that loading created, without the reused ones.
uint32_t wgc_graph_pipelines_made(const struct WgcGraph *graph);

// Destroys the graph, and the pipelines that no other graph uses. No dispatch of it is in flight or being recorded.
// NULL is ignored.
void wgc_graph_destroy(struct WgcGraph *graph);

// Returns the layout of all pipelines, which descriptor sets are bound with.
VkPipelineLayout wgc_graph_layout(const struct WgcGraph *graph);

// Gets the entry node of this name: the bytes of its records (0: empty ones) and their alignment.
enum WgcResult wgc_graph_entry(const struct WgcGraph *graph, const char *node, uint32_t index, struct WgcEntry *entry);

// Returns the number of the entry node of this name, for inputs that the device counts; UINT32_MAX if there is none.
uint32_t wgc_graph_entry_number(const struct WgcGraph *graph, const char *node, uint32_t index);

// Gets the memory that the graph needs for these sizes.
enum WgcResult wgc_graph_requirements(const struct WgcGraph *graph,
                                      const struct WgcSizes *sizes,
                                      struct WgcRequirements *requirements);

// Binds memory, in place of the previous one. Record wgc_graph_record_upload next.
enum WgcResult wgc_graph_bind(struct WgcGraph *graph, const struct WgcSizes *sizes, const struct WgcMemory *memory);

// Gets the bytes of arena with which dispatches of these records run well: in one pass if that takes at most `most`.
// `records` of the inputs are not read.
enum WgcResult wgc_graph_recommended_arena(const struct WgcGraph *graph,
                                           const struct WgcInput *inputs,
                                           uint32_t input_count,
                                           uint64_t most,
                                           uint64_t *bytes);

// Gets the bytes of arena with which a dispatch of these inputs runs well, as wgc_graph_recommended_arena does. If all
// `records` are in host memory, they are read, and the grids in them count in place of the largest ones.
enum WgcResult wgc_graph_arena_for(const struct WgcGraph *graph,
                                   const struct WgcInput *inputs,
                                   uint32_t input_count,
                                   uint64_t most,
                                   uint64_t *bytes);

// Adds a chunk to the arena, of the size of the other chunks. No dispatch is in flight; a pending one uses it from the
// next wgc_graph_resume on.
enum WgcResult wgc_graph_grow(struct WgcGraph *graph, const struct WgcBlock *chunk);

// Records the upload of the package's tables, once for the memory that the graph has.
enum WgcResult wgc_graph_record_upload(struct WgcGraph *graph, VkCommandBuffer commands);

// Records one dispatch of the graph. `recorded` may be NULL.
enum WgcResult wgc_graph_record(struct WgcGraph *graph,
                                VkCommandBuffer commands,
                                const struct WgcDispatch *dispatch,
                                struct WgcRecorded *recorded);

// Records more sweeps of a pending dispatch. `deepest` comes from the status if the last submission has finished, else
// it is 0: stages before it are left out of the first sweep. `timestamps` may be NULL.
enum WgcResult wgc_graph_resume(struct WgcGraph *graph,
                                VkCommandBuffer commands,
                                const struct WgcBindings *bindings,
                                uint32_t sweeps,
                                uint32_t deepest,
                                const struct WgcTimestamps *timestamps);

// Gets the state of the last recorded dispatch. Its submission has finished. WGC_RESULT_GRAPH: a shader broke its own
// limits. WGC_RESULT_INPUT: one of the inputs that the device has counted was left out. wgc_last_error names it; the
// status is valid all the same.
enum WgcResult wgc_graph_status(const struct WgcGraph *graph, struct WgcStatus *status);

// Gets one of the `report_count` reports of the last dispatch, in the order of the stages, errors first. Its
// submission has finished.
enum WgcResult wgc_graph_report(const struct WgcGraph *graph, uint32_t number, struct WgcReport *report);

// Returns the records that a node consumed in the last dispatch, all recursion levels together; 0 for an unknown node.
uint64_t wgc_graph_consumed(const struct WgcGraph *graph, const char *node, uint32_t index);

// Returns the message of this thread's last call that failed. Such a call did not return WGC_RESULT_OK, or it has
// another return type and could not succeed, for example because its handle was destroyed. The message is valid until
// the next call.
const char *wgc_last_error(void);

// Makes later recordings check for shaders that write after the end of their records. The result of wgc_graph_status
// is WGC_RESULT_GRAPH then, and wgc_last_error names the shader. The package was compiled with --poison
// (WGC_RESULT_PACKAGE otherwise). Every launch is followed by a kernel and two barriers. The arena is filled before
// each dispatch, so its buffers must have usage transfer destination.
enum WgcResult wgc_graph_poison(struct WgcGraph *graph);

// Returns the most timestamps of a recording of this many sweeps; 0: in one pass.
uint32_t wgc_graph_most_timestamps(const struct WgcGraph *graph, uint32_t sweeps);

// Returns the number of launches that the last recording wrote timestamps after: one less than there are timestamps. 0
// if it wrote none.
uint32_t wgc_graph_mark_count(const struct WgcGraph *graph);

// Gets the launch that ended at timestamp `number` + 1 of the last recording.
enum WgcResult wgc_graph_mark(const struct WgcGraph *graph, uint32_t number, struct WgcMark *mark);

// Returns the stages that may read the push constants: compute shaders, and with mesh nodes also these and their pixel
// shaders. All code that pushes constants with wgc_graph_layout must name the same stages.
VkShaderStageFlags wgc_graph_stages(const struct WgcGraph *graph);

// Returns the number of mesh nodes.
uint32_t wgc_graph_mesh_node_count(const struct WgcGraph *graph);

// Gets a mesh node, in the order of their draws.
enum WgcResult wgc_graph_mesh_node(const struct WgcGraph *graph, uint32_t number, struct WgcMeshNode *mesh_node);

// Records the draws of all mesh nodes, for all records that each received: once after each wgc_graph_record and
// wgc_graph_resume. They are recorded inside a render pass of the host, with all dynamic state set. Attachments are
// cleared for the first, and loaded for all others.
enum WgcResult wgc_graph_record_draws(const struct WgcGraph *graph,
                                      VkCommandBuffer commands,
                                      const struct WgcDraws *draws);

// Reads a package, the directory or (with --pack) the file that `wgc --target spirv-emulated` writes.
enum WgcResult wgc_package_read(const char *path, struct WgcPackage **package);

// Reads a package like wgc_package_read, from the bytes of a packed package, which are not needed afterwards.
enum WgcResult wgc_package_unpack(const void *bytes, uintptr_t size, struct WgcPackage **package);

// Destroys a package. NULL is ignored.
void wgc_package_destroy(struct WgcPackage *package);

// Returns the text of manifest.json (docs/emulation-abi.md, section 11), valid while the package lives.
const char *wgc_package_manifest(const struct WgcPackage *package);

// Returns the stages that see the bindings and the push constants, like wgc_graph_stages for a graph.
VkShaderStageFlags wgc_package_stages(const struct WgcPackage *package);

// Returns the bytes of the user's push constants; 0 if there are none. WgcBindings describes them.
uint32_t wgc_package_push_bytes(const struct WgcPackage *package);

// Returns the number of bindings in the shaders.
uint32_t wgc_package_binding_count(const struct WgcPackage *package);

// Gets a binding of the shaders.
enum WgcResult wgc_package_binding(const struct WgcPackage *package, uint32_t number, struct WgcBinding *binding);

// Returns the number of features that the device must have enabled, beyond the required features of docs/emulation-abi.md, section
// 2, and beyond those of the modules' OpCapability.
uint32_t wgc_package_feature_count(const struct WgcPackage *package);

// Returns the name of such a feature, as a member of Vulkan's structures; valid while the package lives. NULL: the
// number is too large.
const char *wgc_package_feature(const struct WgcPackage *package, uint32_t number);

// Gets the requirements of a dispatch's table of local root arguments: the least number of records, and of bytes from
// one to the next. Both are 0 if no node has any.
enum WgcResult wgc_graph_local_roots(const struct WgcGraph *graph, struct WgcLocalRoots *table);

// Gets the offset of a variable in record `index` of that table. Root constants have the contents of their constant
// buffer there, another buffer its address. A variable in a descriptor table has the table there, a 32-bit index in
// the host's heap. UINT32_MAX: no node reads the variable there.
uint32_t wgc_graph_local_argument(const struct WgcGraph *graph, uint32_t index, const char *variable);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WGC_GRAPH_H */
