// The C interface of wgc's runtime: emulated work graphs inside an engine.
//
// On the engine's device, in its memory, recorded into its command buffers: nothing here submits, waits or allocates
// device memory. In order: wgc_graph_load, wgc_graph_requirements, wgc_graph_bind, wgc_graph_record_upload once; then, for
// each dispatch, wgc_graph_record, submit, wait, wgc_graph_status and, while it is pending, wgc_graph_resume. One dispatch
// of a graph is in flight at a time. Pointers are valid or, where a function says so, NULL. For 64-bit platforms.
// capi/examples/hello.c is a whole program.

#ifndef WGC_GRAPH_H
#define WGC_GRAPH_H

#include <stdint.h>
#include "vulkan/vulkan.h"

// Puts a debug label around each dispatch: the instance has VK_EXT_debug_utils enabled.
#define WGC_HOST_LABELS 1

// Allocators use subgroup operations in varying control flow: the device has VK_KHR_shader_maximal_reconvergence enabled.
#define WGC_HOST_MAXIMAL_RECONVERGENCE 2

// How a dispatch comes to its end: in one pass. The arena must hold the worst case of the entry records.
#define WGC_COMPLETION_SINGLE 0

// In so many sweeps; wgc_graph_status says whether more are needed.
#define WGC_COMPLETION_SWEEPS 1

// In one pass where the arena allows it, else in so many sweeps.
#define WGC_COMPLETION_EITHER 2

// What became of a call; wgc_last_error has words for it.
typedef enum WgcResult {
  WGC_RESULT_OK = 0,
  // A pointer is NULL, or a string is not UTF-8.
  WGC_RESULT_ARGUMENT = 1,
  // The package cannot be read.
  WGC_RESULT_PACKAGE = 2,
  // The device lacks something, or Vulkan failed.
  WGC_RESULT_DEVICE = 3,
  // An input does not fit the graph.
  WGC_RESULT_INPUT = 4,
  // The arena is too small.
  WGC_RESULT_ARENA = 5,
  // A shader broke its own limits: what exceeded them is lost, the rest was done.
  WGC_RESULT_GRAPH = 6,
  // A mistake of this library.
  WGC_RESULT_INTERNAL = 7,
} WgcResult;

// A package on a device.
typedef struct WgcGraph WgcGraph;

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

// What a host wants to be able to do.
typedef struct WgcSizes {
  // The most that the arena will ever have, all chunks together.
  uint64_t arena_bytes;
  // Bytes of the entry records of a dispatch that lie in the host's memory, at most.
  uint64_t record_bytes;
  // Inputs of a dispatch, at most.
  uint32_t inputs;
} WgcSizes;

// The memory that a graph needs. All of it is allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT.
typedef struct WgcRequirements {
  // Device memory; usage storage, indirect, shader device address, transfer source and destination.
  uint64_t state_bytes;
  // Host-visible, coherent memory; usage storage, shader device address, transfer source and destination.
  uint64_t exchange_bytes;
  // Chunks of the arena have a multiple of this; device memory; usage storage and shader device address.
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

// What the host brings. Nothing else uses it while the graph has it.
typedef struct WgcMemory {
  struct WgcBlock state;
  struct WgcBlock exchange;
  // The first byte of `exchange`, mapped.
  void *exchange_pointer;
  // 1 to 16 chunks of one size.
  const struct WgcBlock *chunks;
  uint32_t chunk_count;
} WgcMemory;

// Records for an entry node, in the host's memory (`records`, copied while recording) or on the device (`records` is
// NULL; `address` and `stride` are multiples of 4).
typedef struct WgcInput {
  const char *node;
  // In the node array; 0 for a node that stands alone.
  uint32_t index;
  // Bytes from record to record; 0 repeats one record.
  uint32_t stride;
  uint32_t count;
  const void *records;
  VkDeviceAddress address;
} WgcInput;

// What the user's code is bound to.
typedef struct WgcBindings {
  // Descriptor sets from set 0 on.
  const VkDescriptorSet *sets;
  uint32_t set_count;
  // The user's push constants.
  uint32_t push_bytes;
  const void *push;
} WgcBindings;

// One dispatch of a graph.
typedef struct WgcDispatch {
  const struct WgcInput *inputs;
  uint32_t input_count;
  // Not 0: a device address, a multiple of 8, of {count, 0, address, stride}, and there of so many {entry, count, address,
  // stride} (u32, u32, u64, u64): D3D12_MULTI_NODE_GPU_INPUT, VkDispatchGraphCountInfoAMDX. The device reads them in place of
  // `inputs`, at most `input_count`; the dispatch runs in sweeps. `entry` is a number of wgc_graph_entry_number.
  uint64_t device_inputs;
  // WGC_COMPLETION_*
  uint32_t completion;
  // Sweeps to record, unless it runs in one pass.
  uint32_t sweeps;
  struct WgcBindings bindings;
} WgcDispatch;

// What was recorded.
typedef struct WgcRecorded {
  // Not 0: it runs in sweeps, and wgc_graph_status says whether these were enough.
  uint32_t scheduled;
  // Pages of the arena that it needs at least.
  uint64_t pages;
} WgcRecorded;

// How a dispatch stands.
typedef struct WgcStatus {
  // Not 0: records wait. Record wgc_graph_resume and submit it.
  uint32_t pending;
  // So far; 0: it ran in one pass.
  uint32_t sweeps;
  // Not 0: a dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
  uint32_t grid_clamped;
  // The fewest pages that nobody had, in sweeps: none or few mean that more memory saves sweeps.
  uint32_t pages_least;
} WgcStatus;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Loads a package, the directory or (with --pack) the file that `wgc --target spirv-emulated` writes, and makes its
// pipelines.
//
// `layouts` are the caller's descriptor set layouts, from set 0 on, as the manifest's `bindings` ask for; `cache` may be
// VK_NULL_HANDLE. The device has the features that the package needs.
enum WgcResult wgc_graph_load(const struct WgcHost *host,
                              const char *path,
                              const VkDescriptorSetLayout *layouts,
                              uint32_t layout_count,
                              VkPipelineCache cache,
                              struct WgcGraph **graph);

// As wgc_graph_load, from the bytes of a packed package, which are not needed afterwards.
enum WgcResult wgc_graph_load_packed(const struct WgcHost *host,
                                     const void *bytes,
                                     uintptr_t size,
                                     const VkDescriptorSetLayout *layouts,
                                     uint32_t layout_count,
                                     VkPipelineCache cache,
                                     struct WgcGraph **graph);

// Destroys the graph and its pipelines. No dispatch of it is in flight. NULL is ignored.
void wgc_graph_destroy(struct WgcGraph *graph);

// The layout of all pipelines, which descriptor sets are bound with.
VkPipelineLayout wgc_graph_layout(const struct WgcGraph *graph);

// The entry node of this name: the bytes of its records (0: empty ones) and their alignment.
enum WgcResult wgc_graph_entry(const struct WgcGraph *graph, const char *node, uint32_t index, struct WgcEntry *entry);

// The number of the entry node of this name, for inputs that the device counts; UINT32_MAX where there is none.
uint32_t wgc_graph_entry_number(const struct WgcGraph *graph, const char *node, uint32_t index);

// The memory that the graph needs for these sizes.
enum WgcResult wgc_graph_requirements(const struct WgcGraph *graph,
                                      const struct WgcSizes *sizes,
                                      struct WgcRequirements *requirements);

// Takes memory, in place of what it had. Record wgc_graph_record_upload next.
enum WgcResult wgc_graph_bind(struct WgcGraph *graph, const struct WgcSizes *sizes, const struct WgcMemory *memory);

// Adds a chunk to the arena, of the size of the others. No dispatch is in flight or pending.
enum WgcResult wgc_graph_grow(struct WgcGraph *graph, const struct WgcBlock *chunk);

// Records the upload of the package's tables, once for the memory that the graph has.
enum WgcResult wgc_graph_record_upload(struct WgcGraph *graph, VkCommandBuffer commands);

// Records one dispatch of the graph. `recorded` may be NULL.
enum WgcResult wgc_graph_record(struct WgcGraph *graph,
                                VkCommandBuffer commands,
                                const struct WgcDispatch *dispatch,
                                struct WgcRecorded *recorded);

// Records more sweeps of a dispatch that is pending.
enum WgcResult wgc_graph_resume(struct WgcGraph *graph,
                                VkCommandBuffer commands,
                                const struct WgcBindings *bindings,
                                uint32_t sweeps);

// How the last recorded dispatch stands. Its submission has finished. WGC_RESULT_GRAPH: a shader broke its own
// limits, WGC_RESULT_INPUT: one of the inputs that the device has counted was left out, and wgc_last_error says which;
// the status is there all the same.
enum WgcResult wgc_graph_status(const struct WgcGraph *graph, struct WgcStatus *status);

// Records that a node consumed in the last dispatch, all recursion levels together; 0 for a node that there is not.
uint64_t wgc_graph_consumed(const struct WgcGraph *graph, const char *node, uint32_t index);

// The message of the last call of this thread that did not return WGC_RESULT_OK. It is valid until the next call.
const char *wgc_last_error(void);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* WGC_GRAPH_H */
