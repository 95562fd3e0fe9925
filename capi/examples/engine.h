// An engine of a hundred lines, which the examples share: a device, buffers, command buffers.

#ifndef WGC_EXAMPLE_ENGINE_H
#define WGC_EXAMPLE_ENGINE_H

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

// Enables mesh shaders if `meshes`. Returns 0 if the device has none.
static int open_device(int meshes)
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
    const VkQueueFlags work = VK_QUEUE_COMPUTE_BIT | (meshes ? VK_QUEUE_GRAPHICS_BIT : 0);
    while (family < count && (families[family].queueFlags & work) != work)
        family++;
    check(family < count, "finding a queue");

    // The required features of docs/emulation-abi.md. The manifest of a package lists further ones.
    VkPhysicalDeviceVulkan12Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
        .vulkanMemoryModel = VK_TRUE,
        .vulkanMemoryModelDeviceScope = VK_TRUE,
        .scalarBlockLayout = VK_TRUE,
    };
    VkPhysicalDeviceMeshShaderFeaturesEXT mesh = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MESH_SHADER_FEATURES_EXT };
    if (meshes) {
        VkPhysicalDeviceFeatures2 known = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, .pNext = &mesh };
        vkGetPhysicalDeviceFeatures2(physical, &known);
        if (!mesh.meshShader)
            return 0;
        mesh = (VkPhysicalDeviceMeshShaderFeaturesEXT) { .sType = mesh.sType, .meshShader = VK_TRUE };
        features.pNext = &mesh;
    }
    const char *extension = VK_EXT_MESH_SHADER_EXTENSION_NAME;
    VkPhysicalDeviceFeatures core = { .shaderInt64 = VK_TRUE };
    float priority = 1;
    VkDeviceQueueCreateInfo queues = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueFamilyIndex = family,
                                       .queueCount = 1, .pQueuePriorities = &priority };
    VkDeviceCreateInfo create = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features, .queueCreateInfoCount = 1,
                                  .pQueueCreateInfos = &queues, .pEnabledFeatures = &core, .enabledExtensionCount = meshes ? 1 : 0,
                                  .ppEnabledExtensionNames = &extension };
    vk(vkCreateDevice(physical, &create, NULL, &device), "vkCreateDevice");
    vkGetDeviceQueue(device, family, 0, &queue);
    return 1;
}

// A buffer with its own memory, mapped if `seen`; *pointer is then its first byte.
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

// ---- the only resource of the shader: RWStructuredBuffer<uint> Result

static uint32_t *result;
static VkDescriptorSetLayout set_layout;
static VkDescriptorSet set;

static void make_result(const WgcPackage *package)
{
    WgcBinding bound;
    wgc(wgc_package_binding(package, 0, &bound), "asking for the binding");
    check(wgc_package_binding_count(package) == 1 && strcmp(bound.name, "Result") == 0 && bound.set == 0
          && bound.count == 1 && bound.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, "knowing the binding");
    WgcBlock block = make_buffer(16, 0, 1, (void **)&result);
    memset(result, 0, 16);
    VkDescriptorSetLayoutBinding binding = { .binding = bound.binding, .descriptorType = bound.type,
                                             .descriptorCount = bound.count,
                                             .stageFlags = wgc_package_stages(package) };
    VkDescriptorSetLayoutCreateInfo layout = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1,
                                               .pBindings = &binding };
    vk(vkCreateDescriptorSetLayout(device, &layout, NULL, &set_layout), "vkCreateDescriptorSetLayout");
    VkDescriptorPoolSize size = { bound.type, 1 };
    VkDescriptorPoolCreateInfo pool_info = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO, .maxSets = 1,
                                             .poolSizeCount = 1, .pPoolSizes = &size };
    VkDescriptorPool pool;
    vk(vkCreateDescriptorPool(device, &pool_info, NULL, &pool), "vkCreateDescriptorPool");
    VkDescriptorSetAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, .descriptorPool = pool,
                                             .descriptorSetCount = 1, .pSetLayouts = &set_layout };
    vk(vkAllocateDescriptorSets(device, &allocate, &set), "vkAllocateDescriptorSets");
    VkDescriptorBufferInfo buffer = { block.buffer, 0, VK_WHOLE_SIZE };
    VkWriteDescriptorSet write = { .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET, .dstSet = set,
                                   .dstBinding = bound.binding, .descriptorCount = 1, .descriptorType = bound.type,
                                   .pBufferInfo = &buffer };
    vkUpdateDescriptorSets(device, 1, &write, 0, NULL);
}

#endif
