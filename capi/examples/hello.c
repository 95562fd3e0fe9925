// Runs examples/hello.hlsl inside an engine of a hundred lines, and compares what comes out.
//
//   wgc examples/hello.hlsl --target spirv-emulated --pack -o hello.wgcpkg
//   cargo build --release -p wgc-capi
//   cc -I capi/include capi/examples/hello.c target/release/libwgc_graph.a -lvulkan -lm -lpthread -ldl -o hello
//   ./hello hello.wgcpkg
//
// With a second argument, so many KiB for the graph's arena, and sweeps: in little memory the same comes out, later.

#include "wgc_graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static uint32_t family;

static void check(int good, const char *what)
{
    if (!good) {
        fprintf(stderr, "%s failed\n", what);
        exit(1);
    }
}

static void vk(VkResult result, const char *what)
{
    check(result == VK_SUCCESS, what);
}

static void wgc(WgcResult result, const char *what)
{
    if (result != WGC_RESULT_OK) {
        fprintf(stderr, "%s: %s\n", what, wgc_last_error());
        exit(1);
    }
}

// ---- the engine

static void open_device(void)
{
    VkApplicationInfo app = { .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2 };
    VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app };
    vk(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
    uint32_t count = 1;
    VkResult found = vkEnumeratePhysicalDevices(instance, &count, &physical);
    check((found == VK_SUCCESS || found == VK_INCOMPLETE) && count == 1, "finding a device");
    VkQueueFamilyProperties families[16];
    count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(physical, &count, families);
    while (family < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        family++;
    check(family < count, "finding a queue for compute");

    // The floor of docs/emulation-abi.md; the manifest of a package says what it needs beyond.
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
        .vulkanMemoryModel = VK_TRUE,
        .vulkanMemoryModelDeviceScope = VK_TRUE,
        .scalarBlockLayout = VK_TRUE,
    };
    VkPhysicalDeviceFeatures core = { .shaderInt64 = VK_TRUE };
    float priority = 1;
    VkDeviceQueueCreateInfo queues = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = family,
                                       .queueCount = 1, .pQueuePriorities = &priority };
    VkDeviceCreateInfo create = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queues, .pEnabledFeatures = &core };
    vk(vkCreateDevice(physical, &create, NULL, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
}

// A buffer with its own memory, mapped where `seen`; *pointer is its first byte then.
static WgcBlock make_buffer(uint64_t bytes, VkBufferUsageFlags usage, int seen, void **pointer)
{
    VkBufferCreateInfo info = { .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes,
                                .usage = usage | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
                                         | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT };
    WgcBlock block = { .bytes = bytes };
    vk(vkCreateBuffer(device, &info, NULL, &block.buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(device, block.buffer, &needs);
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(physical, &memory);
    VkMemoryPropertyFlags wanted = seen
        ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT
        : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    uint32_t type = 0;
    while (type < memory.memoryTypeCount
           && (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted))
        type++;
    check(type < memory.memoryTypeCount, "finding a memory type");
    VkMemoryAllocateFlagsInfo flags = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT };
    VkMemoryAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .pNext = &flags,
                                      .allocationSize = needs.size, .memoryTypeIndex = type };
    VkDeviceMemory allocated;
    vk(vkAllocateMemory(device, &allocate, NULL, &allocated), "vkAllocateMemory");
    vk(vkBindBufferMemory(device, block.buffer, allocated, 0), "vkBindBufferMemory");
    if (seen)
        vk(vkMapMemory(device, allocated, 0, VK_WHOLE_SIZE, 0, pointer), "vkMapMemory");
    VkBufferDeviceAddressInfo address = { .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = block.buffer };
    block.address = vkGetBufferDeviceAddress(device, &address);
    return block;
}

static VkCommandBuffer begin(VkCommandPool pool)
{
    vk(vkResetCommandPool(device, pool, 0), "vkResetCommandPool");
    VkCommandBufferAllocateInfo info = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, .commandPool = pool,
                                         .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY, .commandBufferCount = 1 };
    VkCommandBuffer commands;
    vk(vkAllocateCommandBuffers(device, &info, &commands), "vkAllocateCommandBuffers");
    VkCommandBufferBeginInfo start = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
    vk(vkBeginCommandBuffer(commands, &start), "vkBeginCommandBuffer");
    return commands;
}

static void finish(VkCommandBuffer commands)
{
    vk(vkEndCommandBuffer(commands), "vkEndCommandBuffer");
    VkSubmitInfo submit = { .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands };
    vk(vkQueueSubmit(queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
    vk(vkQueueWaitIdle(queue), "vkQueueWaitIdle");
}

// ---- what the shader declares: RWStructuredBuffer<uint> Result, set 0, binding 0

static uint32_t *result;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;

static void make_result(void)
{
    WgcBlock block = make_buffer(16, 0, 1, (void **)&result);
    memset(result, 0, 16);
    VkDescriptorSetLayoutBinding binding = { .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .descriptorCount = 1,
                                             .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT };
    VkDescriptorSetLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1,
                                               .pBindings = &binding };
    vk(vkCreateDescriptorSetLayout(device, &layout, NULL, &set_layout), "vkCreateDescriptorSetLayout");
    VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
    VkDescriptorPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
                                             .poolSizeCount = 1, .pPoolSizes = &size };
    VkDescriptorPool pool;
    vk(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool,
                                             .descriptorSetCount = 1, .pSetLayouts = &set_layout };
    vk(vkAllocateDescriptorSets(device, &allocate, &set), "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo buffer = { block.buffer, 0, VK_WHOLE_SIZE };
    VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set, .descriptorCount = 1,
                                   .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, .pBufferInfo = &buffer };
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

// ---- the graph

// An engine has packed packages in its own archives; a directory (without --pack) is handy during development.
static WgcGraph *load(const char *path)
{
    WgcHost host = { vkGetInstanceProcAddr, instance, physical, device, 0 };
    WgcGraph *graph;
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    if (file)
        fclose(file);
    check(size < sizeof(bytes), "reading a package of this size");
    wgc(size ? wgc_graph_load_packed(&host, bytes, size, &set_layout, 1, VK_NULL_HANDLE, &graph)
             : wgc_graph_load(&host, path, &set_layout, 1, VK_NULL_HANDLE, &graph), "loading the graph");
    return graph;
}

enum { RANGES = 10000 };

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: hello PACKAGE [KIB]\n");
        return 2;
    }
    open_device();
    make_result();

    WgcGraph *graph = load(argv[1]);

    // Memory: of any size from the least on.
    WgcSizes sizes = { .arena_bytes = argc == 3 ? strtoull(argv[2], NULL, 10) << 10 : 16 << 20, .record_bytes = 8 * RANGES,
                       .inputs = 1 };
    WgcRequirements needs;
    wgc(wgc_graph_requirements(graph, &sizes, &needs), "asking for memory");
    const VkBufferUsageFlags copies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WgcBlock chunk = make_buffer(sizes.arena_bytes / needs.page_bytes * needs.page_bytes, 0, 0, NULL);
    WgcMemory memory = { .chunks = &chunk, .chunk_count = 1 };
    memory.state = make_buffer(needs.state_bytes, copies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0, NULL);
    memory.exchange = make_buffer(needs.exchange_bytes, copies, 1, &memory.exchange_pointer);
    wgc(wgc_graph_bind(graph, &sizes, &memory), "binding memory");

    // One dispatch: ranges of numbers, and what their squares sum up to.
    static struct { uint32_t first, count; } ranges[RANGES];
    uint32_t sum = 0, numbers = 0, largest = 0;
    for (uint32_t i = 0; i < RANGES; i++) {
        ranges[i].first = i % 1000;
        ranges[i].count = i % 33;
        for (uint32_t n = ranges[i].first; n < ranges[i].first + ranges[i].count; n++) {
            sum += n * n;
            numbers++;
            largest = n * n > largest ? n * n : largest;
        }
    }
    WgcInput input = { .node = "Split", .stride = sizeof ranges[0], .count = RANGES, .records = ranges };
    WgcBindings bindings = { .sets = &set, .set_count = 1 };
    WgcDispatch dispatch = { .inputs = &input, .input_count = 1, .sweeps = 1, .bindings = bindings };
    dispatch.completion = argc == 3 ? WGC_COMPLETION_SWEEPS : WGC_COMPLETION_SINGLE;

    VkCommandPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family };
    VkCommandPool pool;
    vk(vkCreateCommandPool(device, &pool_info, NULL, &pool), "vkCreateCommandPool");
    VkCommandBuffer commands = begin(pool);
    wgc(wgc_graph_record_upload(graph, commands), "recording the upload");
    wgc(wgc_graph_record(graph, commands, &dispatch, NULL), "recording the graph");
    finish(commands);

    WgcStatus status;
    wgc(wgc_graph_status(graph, &status), "running the graph");
    while (status.pending) {
        commands = begin(pool);
        wgc(wgc_graph_resume(graph, commands, &bindings, 2), "recording more sweeps");
        finish(commands);
        wgc(wgc_graph_status(graph, &status), "running the graph on");
    }
    printf("sum %u, collected %u, largest %u, in %u sweeps\n", result[0], result[1], result[2], status.sweeps);
    check(result[0] == sum && result[1] == numbers && result[2] == largest, "the comparison");
    check(wgc_graph_consumed(graph, "Split", 0) == RANGES && wgc_graph_consumed(graph, "Square", 0) == 2 * RANGES
          && wgc_graph_consumed(graph, "Collect", 0) == numbers, "counting records");
    wgc_graph_destroy(graph);
    // The process ends: what else was made goes with the device.
    return 0;
}
