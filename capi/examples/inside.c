// Runs inside.hlsl in the small engine of engine.h. Shows mesh nodes in a pipeline of the host. Also shows local root arguments,
// timestamps, labels and guards.
//
//   wgc capi/examples/inside.hlsl --target spirv-emulated --poison -o inside.wgcpkg
//   cc -I capi/include capi/examples/inside.c target/release/libwgc_graph.a -lvulkan -lm -lpthread -ldl -o inside
//   ./inside inside.wgcpkg

#include "engine.h"

// ---- labels

// The texts of the labels in the last recording, with '<' before each and '>' at its end.
static char labels[4096];

static void add_label(const char *mark, const char *text)
{
    check(strlen(labels) + strlen(text) + 2 < sizeof labels, "room for labels");
    strcat(strcat(labels, mark), text);
}

static VKAPI_ATTR void VKAPI_CALL begin_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT *label)
{
    (void)commands;
    add_label("<", label->pLabelName);
}

static VKAPI_ATTR void VKAPI_CALL end_label(VkCommandBuffer commands)
{
    (void)commands;
    add_label(">", "");
}

// Returns a function of the loader. The instance lacks those for labels, so the functions above replace them.
static VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL get(VkInstance of, const char *name)
{
    if (strcmp(name, "vkCmdBeginDebugUtilsLabelEXT") == 0)
        return (PFN_vkVoidFunction)begin_label;
    if (strcmp(name, "vkCmdEndDebugUtilsLabelEXT") == 0)
        return (PFN_vkVoidFunction)end_label;
    return vkGetInstanceProcAddr(of, name);
}

// ---- the pipeline of the mesh node: discards all primitives, so needs no image

static VkRenderPass pass;
static VkFramebuffer frame;

static VkPipeline make_pipeline(const WgcMeshNode *node, VkPipelineLayout layout)
{
    VkSubpassDescription subpass = { .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS };
    VkRenderPassCreateInfo pass_info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1,
                                         .pSubpasses = &subpass };
    vk(vkCreateRenderPass(device, &pass_info, NULL, &pass), "vkCreateRenderPass");
    VkFramebufferCreateInfo frame_info = { .sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO, .renderPass = pass,
                                           .width = 16, .height = 16, .layers = 1 };
    vk(vkCreateFramebuffer(device, &frame_info, NULL, &frame), "vkCreateFramebuffer");
    VkPipelineShaderStageCreateInfo stage = { .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                              .stage = VK_SHADER_STAGE_MESH_BIT_EXT, .module = node->module,
                                              .pName = node->entry };
    VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1 };
    VkGraphicsPipelineCreateInfo info = { .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .stageCount = 1,
                                          .pStages = &stage, .pRasterizationState = &raster, .layout = layout,
                                          .renderPass = pass };
    VkPipeline pipeline;
    vk(vkCreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline), "vkCreateGraphicsPipelines");
    return pipeline;
}

// ---- the graph

enum { NUMBERS = 1000 };

static struct { uint32_t value, at; } numbers[NUMBERS];
static WgcGraph *graph;
static VkCommandPool pool;
static VkPipeline pipeline;
// The two queries for the draws, or NULL.
static const WgcTimestamps *draw_times;

static void put(unsigned char *table, const WgcLocalRoots *roots, uint32_t index, const char *variable, const void *value,
                size_t bytes)
{
    uint32_t offset = wgc_graph_local_argument(graph, index, variable);
    check(offset != UINT32_MAX && offset + bytes <= roots->stride, "placing a local root argument");
    memcpy(table + index * roots->stride + offset, value, bytes);
}

// Runs one frame: the dispatch, and its draws in a render pass.
static void run(const WgcDispatch *dispatch)
{
    VkCommandBuffer commands = begin(pool);
    labels[0] = 0;
    if (draw_times)
        vkCmdResetQueryPool(commands, draw_times->pool, draw_times->first, draw_times->count);
    wgc(wgc_graph_record(graph, commands, dispatch, NULL), "recording the graph");
    VkRenderPassBeginInfo info = { .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO, .renderPass = pass,
                                   .framebuffer = frame, .renderArea = { .extent = { 16, 16 } } };
    vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
    WgcDraws draws = { .pipelines = &pipeline, .pipeline_count = 1, .bindings = dispatch->bindings, .timestamps = draw_times };
    wgc(wgc_graph_record_draws(graph, commands, &draws), "recording the draws");
    vkCmdEndRenderPass(commands);
    finish(commands);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: inside PACKAGE\n");
        return 2;
    }
    if (!open_device(1)) {
        printf("no mesh shaders\n");
        return 0;
    }
    WgcPackage *package;
    check(wgc_package_read("/nowhere", &package) == WGC_RESULT_PACKAGE, "refusing no package");
    wgc(wgc_package_read(argv[1], &package), "reading the package");
    check(strstr(wgc_package_manifest(package), "\"min_pages\"") != NULL, "the manifest");
    check(wgc_package_push_bytes(package) == 0, "the push constants");
    check(wgc_package_feature_count(package) == 1 && strcmp(wgc_package_feature(package, 0), "meshShader") == 0
          && !wgc_package_feature(package, 1), "the features");
    WgcBinding unbound;
    check(wgc_package_binding(package, 1, &unbound) == WGC_RESULT_ARGUMENT, "refusing another binding");
    make_result(package);
    WgcHost host = { get, instance, physical, device, WGC_HOST_LABELS };
    check(wgc_graph_load(&host, package, NULL, 0, VK_NULL_HANDLE, &graph) == WGC_RESULT_ARGUMENT, "refusing no layouts");
    printf("%s\n", wgc_last_error());
    wgc(wgc_graph_load(&host, package, &set_layout, 1, VK_NULL_HANDLE, &graph), "loading the graph");
    // A reloaded or shared graph uses the pipelines of the first. Each can outlive the other.
    WgcGraph *first = graph, *shared;
    wgc(wgc_graph_reload(first, package, &set_layout, 1, VK_NULL_HANDLE, &graph), "reloading the graph");
    check(wgc_graph_pipelines_made(first) > 0 && wgc_graph_pipelines_made(graph) == 0, "taking over pipelines");
    wgc_package_destroy(package);
    wgc(wgc_graph_share(first, &shared), "sharing pipelines");
    check(wgc_graph_layout(shared) == wgc_graph_layout(first), "the layout that is shared");
    wgc_graph_destroy(first);
    wgc_graph_destroy(shared);
    WgcStatus status;
    check(wgc_graph_status(graph, &status) == WGC_RESULT_EARLY, "refusing a status before a dispatch");
    printf("%s\n", wgc_last_error());
    check(wgc_graph_record_upload(graph, NULL) == WGC_RESULT_ARGUMENT, "refusing an upload to nowhere");
    printf("%s\n", wgc_last_error());
    WgcSizes sizes = { .arena_bytes = 4 << 20, .record_bytes = sizeof numbers, .inputs = 1 };
    WgcRequirements needs;
    WgcSizes most = { .arena_bytes = UINT64_MAX, .record_bytes = UINT64_MAX, .inputs = UINT32_MAX };
    wgc(wgc_graph_requirements(graph, &most, &needs), "asking for more memory than there is");
    check(needs.exchange_bytes > (uint64_t)1 << 62 && needs.state_bytes > (uint64_t)1 << 31, "the requirements of the largest sizes");
    wgc(wgc_graph_requirements(graph, &sizes, &needs), "asking for memory");
    const VkBufferUsageFlags copies = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    WgcBlock chunk = make_buffer(sizes.arena_bytes, copies, 0, NULL);
    WgcMemory memory = { .chunks = &chunk, .chunk_count = 1 };
    memory.state = make_buffer(needs.state_bytes, copies | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT, 0, NULL);
    memory.exchange = make_buffer(needs.exchange_bytes, copies, 1, &memory.exchange_pointer);
    wgc(wgc_graph_bind(graph, &sizes, &memory), "binding memory");
    VkCommandPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family };
    vk(vkCreateCommandPool(device, &pool_info, NULL, &pool), "vkCreateCommandPool");
    VkCommandBuffer upload = begin(pool);
    WgcDispatch early = { .completion = WGC_COMPLETION_SINGLE, .bindings = { .sets = &set, .set_count = 1 } };
    check(wgc_graph_record(graph, upload, &early, NULL) == WGC_RESULT_EARLY, "refusing a dispatch before the upload");
    wgc(wgc_graph_record_upload(graph, upload), "recording the upload");
    finish(upload);

    // The mesh node.
    WgcMeshNode node;
    check(wgc_graph_mesh_node_count(graph) == 1, "counting mesh nodes");
    wgc(wgc_graph_mesh_node(graph, 0, &node), "asking for the mesh node");
    check(strcmp(node.node, "Draw") == 0 && node.index == 0 && node.topology == WGC_TOPOLOGY_TRIANGLE
          && node.vertices == 3 && node.primitives == 1 && node.subgroup_size == 0, "the mesh node");
    check(wgc_graph_mesh_node(graph, 1, &node) == WGC_RESULT_ARGUMENT, "refusing another mesh node");
    check(wgc_graph_stages(graph)
          == (VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_FRAGMENT_BIT), "the stages");
    pipeline = make_pipeline(&node, wgc_graph_layout(graph));

    // Local root arguments: Square uses record 2, Draw record 1, no node record 0.
    WgcLocalRoots roots;
    wgc(wgc_graph_local_roots(graph, &roots), "asking for local root arguments");
    check(roots.records == 3 && roots.stride == 16, "the table of local root arguments");
    check(wgc_graph_local_argument(graph, 0, "List") == UINT32_MAX
          && wgc_graph_local_argument(graph, 1, "Result") == UINT32_MAX, "refusing variables without a local root argument");
    unsigned char *table;
    uint32_t *lists[3] = { NULL };
    roots.address = make_buffer(roots.records * roots.stride, 0, 1, (void **)&table).address;
    for (uint32_t index = 1; index < 3; index++) {
        uint32_t factor = index == 1 ? 3 : 7;
        WgcBlock list = make_buffer(16, 0, 1, (void **)&lists[index]);
        lists[index][0] = 0;
        put(table, &roots, index, "Factor", &factor, sizeof factor);
        put(table, &roots, index, "List", &list.address, sizeof list.address);
    }

    uint32_t squares = 0, odd = 0, odds = 0;
    for (uint32_t i = 0; i < NUMBERS; i++) {
        numbers[i].value = i;
        numbers[i].at = i % 2;
        squares += i * i * 7;
        odd += i % 2 ? i * 3 : 0;
        odds += i % 2;
    }
    WgcInput input = { .node = "Start", .stride = sizeof numbers[0], .count = NUMBERS, .records = numbers };
    WgcBindings bindings = { .sets = &set, .set_count = 1 };
    WgcDispatch dispatch = { .inputs = &input, .input_count = 1, .completion = WGC_COMPLETION_SINGLE, .bindings = bindings };

    // Without the table, or with a small one, nothing is recorded.
    VkCommandBuffer nothing = begin(pool);
    check(wgc_graph_record(graph, nothing, &dispatch, NULL) == WGC_RESULT_INPUT, "refusing a dispatch without a table");
    printf("%s\n", wgc_last_error());
    WgcLocalRoots little = roots;
    little.records = 2;
    dispatch.local_roots = &little;
    check(wgc_graph_record(graph, nothing, &dispatch, NULL) == WGC_RESULT_INPUT, "refusing a small table");
    printf("%s\n", wgc_last_error());
    // The stride of records with addresses must be a multiple of eight.
    little = roots;
    little.stride = 20;
    check(wgc_graph_record(graph, nothing, &dispatch, NULL) == WGC_RESULT_INPUT, "refusing a misaligned table");
    dispatch.local_roots = &roots;
    // The bindings must match those of the shaders.
    WgcDispatch unlike = dispatch;
    unlike.bindings.set_count = 0;
    check(wgc_graph_record(graph, nothing, &unlike, NULL) == WGC_RESULT_ARGUMENT, "refusing too few sets");
    unlike = dispatch;
    unlike.bindings.push = &little;
    unlike.bindings.push_bytes = 4;
    check(wgc_graph_record(graph, nothing, &unlike, NULL) == WGC_RESULT_ARGUMENT, "refusing push constants");
    unlike = dispatch;
    unlike.device_inputs = 4;
    check(wgc_graph_record(graph, nothing, &unlike, NULL) == WGC_RESULT_ARGUMENT, "refusing inputs from both the host and the device");
    WgcDispatch sweeps = dispatch;
    sweeps.completion = WGC_COMPLETION_SWEEPS;
    check(wgc_graph_record(graph, nothing, &sweeps, NULL) == WGC_RESULT_ARGUMENT, "refusing no sweeps");
    check(wgc_graph_resume(graph, nothing, &bindings, 1, 0, NULL) == WGC_RESULT_EARLY, "refusing to resume without a dispatch");
    vk(vkEndCommandBuffer(nothing), "vkEndCommandBuffer");

    // Timestamps, and guards after every launch.
    wgc(wgc_graph_poison(graph), "asking for guards");
    WgcTimestamps times = { .count = wgc_graph_most_timestamps(graph, 0) };
    VkQueryPoolCreateInfo queries = { .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO, .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                      .queryCount = times.count };
    VkQueryPool query_pool;
    vk(vkCreateQueryPool(device, &queries, NULL, &query_pool), "vkCreateQueryPool");
    times.pool = query_pool;
    dispatch.timestamps = &times;
    check(wgc_graph_mark_count(graph) == 0, "no marks before");
    run(&dispatch);
    wgc(wgc_graph_status(graph, &status), "running the graph");
    check(status.error == 0 && status.error_count == 0 && !status.error_node, "no error");
    check(result[0] == NUMBERS && result[1] == odds, "the counts of records");
    check(lists[2][0] == squares && lists[1][0] == odd, "the comparison");
    check(wgc_graph_consumed(graph, "Draw", 0) == odds && wgc_graph_consumed(graph, "Square", 0) == NUMBERS,
          "counting records");
    uint32_t marks = wgc_graph_mark_count(graph);
    check(marks + 1 <= times.count, "the number of timestamps");
    uint64_t ticks[64];
    check(marks < 64, "room for timestamps");
    vk(vkGetQueryPoolResults(device, times.pool, 0, marks + 1, sizeof ticks, ticks, 8, VK_QUERY_RESULT_64_BIT),
       "vkGetQueryPoolResults");
    for (uint32_t i = 0; i < marks; i++) {
        WgcMark mark;
        wgc(wgc_graph_mark(graph, i, &mark), "asking for a mark");
        check(ticks[i] <= ticks[i + 1] && ticks[0] < ticks[marks], "the order of timestamps");
        check((mark.instance == UINT32_MAX) == (strcmp(mark.label, "Start") != 0 && strcmp(mark.label, "Square") != 0),
              "the marks of instances");
        check(mark.instance != 0 || mark.stage == 0, "the stage of Start");
        printf("%s ", mark.label);
    }
    WgcMark beyond;
    check(wgc_graph_mark(graph, marks, &beyond) == WGC_RESULT_ARGUMENT, "refusing another mark");
    printf("\n%s\n", labels);

    // The draw has its own timestamps.
    WgcTimestamps around = { .count = 2 };
    queries.queryCount = 2;
    vk(vkCreateQueryPool(device, &queries, NULL, &query_pool), "vkCreateQueryPool");
    around.pool = query_pool;
    draw_times = &around;
    dispatch.timestamps = NULL;
    run(&dispatch);
    wgc(wgc_graph_status(graph, &status), "running the graph again");
    vk(vkGetQueryPoolResults(device, around.pool, 0, 2, sizeof ticks, ticks, 8, VK_QUERY_RESULT_64_BIT),
       "vkGetQueryPoolResults");
    check(ticks[0] < ticks[1], "the order of timestamps around the draw");
    draw_times = NULL;

    // One number writes outside an array of its record. It also requests too many records.
    numbers[501].at = 3;
    run(&dispatch);
    check(wgc_graph_mark_count(graph) == 0, "no marks without timestamps");
    check(wgc_graph_status(graph, &status) == WGC_RESULT_GRAPH, "finding the write outside the array");
    printf("%s\n", wgc_last_error());
    check(status.error == 23 && status.error_count == 2 && status.error_output == 0, "the first error");
    check(strcmp(status.error_node, "Start") == 0 && status.error_node_index == 0 && status.error_level == 0, "the node of the first error");
    check(status.report_count == 2 && status.unlisted == 0, "the number of errors");
    for (uint32_t i = 0; i < status.report_count; i++) {
        WgcReport report;
        wgc(wgc_graph_report(graph, i, &report), "asking for an error");
        check(report.code == (i ? 23 : 16) && report.output == (i ? 0 : 1), "each error");
        check(strcmp(report.node, "Start") == 0 && report.node_index == 0 && report.level == 0, "the node of each error");
    }
    WgcReport none;
    check(wgc_graph_report(graph, 2, &none) == WGC_RESULT_ARGUMENT, "refusing another error");
    check(result[0] == 3 * NUMBERS && lists[2][0] == 3 * squares, "the results of all other records");
    wgc_graph_destroy(graph);
    return 0;
}
