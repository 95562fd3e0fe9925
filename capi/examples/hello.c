// Runs examples/hello.hlsl inside the small engine of engine.h, and checks the result.
//
//   wgc examples/hello.hlsl --target spirv-emulated --pack -o hello.wgcpkg
//   cargo build --release -p wgc-capi
//   cc -I capi/include capi/examples/hello.c target/release/libwgc_graph.a -lvulkan -lm -lpthread -ldl -o hello
//   ./hello hello.wgcpkg
//
// The optional second argument is the size of the graph's arena in KiB. The graph then runs in sweeps, with the same result.

#include "engine.h"

// ---- the graph

// An engine has packed packages in its own archives; a directory (without --pack) is handy during development.
static WgcPackage *read_package(const char *path)
{
    WgcPackage *package;
    static unsigned char bytes[1 << 20];
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof(bytes), file) : 0;
    if (file)
        fclose(file);
    check(size < sizeof(bytes), "reading a package of this size");
    wgc(size ? wgc_package_unpack(bytes, size, &package) : wgc_package_read(path, &package), "reading the package");
    return package;
}

enum { RANGES = 10000 };

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: hello PACKAGE [KIB]\n");
        return 2;
    }
    open_device(0);
    WgcPackage *package = read_package(argv[1]);
    make_result(package);

    WgcHost host = { vkGetInstanceProcAddr, instance, physical, device, 0 };
    WgcGraph *graph;
    wgc(wgc_graph_load(&host, package, &set_layout, 1, VK_NULL_HANDLE, &graph), "loading the graph");
    wgc_package_destroy(package);

    // The arena may have any size from the minimum on.
    WgcSizes sizes = { .arena_bytes = argc == 3 ? strtoull(argv[2], NULL, 10) << 10 : 16 << 20, .record_bytes = 8 * RANGES,
                       .inputs = 1 };
    WgcRequirements needs;
    wgc(wgc_graph_requirements(graph, &sizes, &needs), "asking for memory");
    const VkBufferUsageFlags copies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WgcBlock chunk = make_buffer(sizes.arena_bytes / needs.page_bytes * needs.page_bytes, copies, 0, NULL);
    WgcMemory memory = { .chunks = &chunk, .chunk_count = 1 };
    memory.state = make_buffer(needs.state_bytes, copies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0, NULL);
    memory.exchange = make_buffer(needs.exchange_bytes, copies, 1, &memory.exchange_pointer);
    wgc(wgc_graph_bind(graph, &sizes, &memory), "binding memory");

    // One dispatch: ranges of numbers, and the expected sum of their squares.
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
        wgc(wgc_graph_resume(graph, commands, &bindings, 2, status.deepest, NULL), "recording more sweeps");
        finish(commands);
        wgc(wgc_graph_status(graph, &status), "running the graph on");
    }
    printf("sum %u, collected %u, largest %u, in %u sweeps\n", result[0], result[1], result[2], status.sweeps);
    check(result[0] == sum && result[1] == numbers && result[2] == largest, "the comparison");
    check(wgc_graph_consumed(graph, "Split", 0) == RANGES && wgc_graph_consumed(graph, "Square", 0) == 2 * RANGES
          && wgc_graph_consumed(graph, "Collect", 0) == numbers, "counting records");
    wgc_graph_destroy(graph);
    // The process ends; the device frees the remaining objects.
    return 0;
}
