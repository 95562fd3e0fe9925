//! Memory, descriptors, commands and submissions, as far as the host uses them.

use std::ffi::c_void;

use vulkanalia::prelude::v1_2::*;

use super::{BufferOf, Memory, Recorded, functions, object, with};

functions! {
    "vkDestroyDevice" PFN_vkDestroyDevice destroy_device;
    "vkDeviceWaitIdle" PFN_vkDeviceWaitIdle wait_idle;
    "vkGetDeviceQueue" PFN_vkGetDeviceQueue get_queue;
    "vkCreateCommandPool" PFN_vkCreateCommandPool create_pool;
    "vkDestroyCommandPool" PFN_vkDestroyCommandPool destroy_pool;
    "vkResetCommandPool" PFN_vkResetCommandPool reset_pool;
    "vkAllocateCommandBuffers" PFN_vkAllocateCommandBuffers allocate_commands;
    "vkCreateFence" PFN_vkCreateFence create_fence;
    "vkDestroyFence" PFN_vkDestroyFence destroy_fence;
    "vkResetFences" PFN_vkResetFences reset_fences;
    "vkWaitForFences" PFN_vkWaitForFences wait_for_fences;
    "vkCreateBuffer" PFN_vkCreateBuffer create_buffer;
    "vkDestroyBuffer" PFN_vkDestroyBuffer destroy_buffer;
    "vkGetBufferMemoryRequirements" PFN_vkGetBufferMemoryRequirements memory_requirements;
    "vkGetBufferDeviceAddress" PFN_vkGetBufferDeviceAddress buffer_address;
    "vkAllocateMemory" PFN_vkAllocateMemory allocate_memory;
    "vkFreeMemory" PFN_vkFreeMemory free_memory;
    "vkMapMemory" PFN_vkMapMemory map_memory;
    "vkBindBufferMemory" PFN_vkBindBufferMemory bind_memory;
    "vkCreateDescriptorSetLayout" PFN_vkCreateDescriptorSetLayout create_set_layout;
    "vkDestroyDescriptorSetLayout" PFN_vkDestroyDescriptorSetLayout destroy_set_layout;
    "vkCreateDescriptorPool" PFN_vkCreateDescriptorPool create_descriptors;
    "vkDestroyDescriptorPool" PFN_vkDestroyDescriptorPool destroy_descriptors;
    "vkAllocateDescriptorSets" PFN_vkAllocateDescriptorSets allocate_sets;
    "vkUpdateDescriptorSets" PFN_vkUpdateDescriptorSets update_sets;
    "vkCreatePipelineLayout" PFN_vkCreatePipelineLayout create_layout;
    "vkDestroyPipelineLayout" PFN_vkDestroyPipelineLayout destroy_layout;
    "vkCreatePipelineCache" PFN_vkCreatePipelineCache create_cache;
    "vkDestroyPipelineCache" PFN_vkDestroyPipelineCache destroy_cache;
    "vkBeginCommandBuffer" PFN_vkBeginCommandBuffer begin;
    "vkEndCommandBuffer" PFN_vkEndCommandBuffer end;
    "vkCmdBindPipeline" PFN_vkCmdBindPipeline bind_pipeline;
    "vkCmdBindDescriptorSets" PFN_vkCmdBindDescriptorSets bind_sets;
    "vkCmdPushConstants" PFN_vkCmdPushConstants push_constants;
    "vkCmdPipelineBarrier" PFN_vkCmdPipelineBarrier barrier;
    "vkQueueSubmit" PFN_vkQueueSubmit submit;
}

object! { CommandPool CommandPoolCreateInfo create_pool destroy_pool }
object! { Fence FenceCreateInfo create_fence destroy_fence }
object! { DescriptorSetLayout DescriptorSetLayoutCreateInfo create_set_layout destroy_set_layout }
object! { DescriptorPool DescriptorPoolCreateInfo create_descriptors destroy_descriptors }
object! { PipelineLayout PipelineLayoutCreateInfo create_layout destroy_layout }
object! { PipelineCache PipelineCacheCreateInfo create_cache destroy_cache }

unsafe extern "system" fn destroy_device(device: vk::Device, _: *const vk::AllocationCallbacks) {
    with(|driver| {
        driver.destroy("Device", device.as_raw() as u64);
        driver.log.push("vkDestroyDevice".to_owned());
    });
}

unsafe extern "system" fn wait_idle(_: vk::Device) -> vk::Result {
    vk::Result::SUCCESS
}

unsafe extern "system" fn get_queue(_: vk::Device, _: u32, _: u32, out: *mut vk::Queue) {
    // SAFETY: here and below, the caller's output pointers are valid.
    unsafe { *out = vk::Queue::from_raw(1) };
}

unsafe extern "system" fn allocate_commands(
    _: vk::Device,
    _: *const vk::CommandBufferAllocateInfo,
    out: *mut vk::CommandBuffer,
) -> vk::Result {
    // SAFETY: the host asks for one.
    unsafe { *out = vk::CommandBuffer::from_raw(1) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn reset_pool(_: vk::Device, _: vk::CommandPool, _: vk::CommandPoolResetFlags) -> vk::Result {
    with(|driver| driver.recorded.clear());
    vk::Result::SUCCESS
}

unsafe extern "system" fn reset_fences(_: vk::Device, _: u32, _: *const vk::Fence) -> vk::Result {
    vk::Result::SUCCESS
}

unsafe extern "system" fn wait_for_fences(_: vk::Device, _: u32, _: *const vk::Fence, _: u32, _: u64) -> vk::Result {
    with(|driver| driver.log.push("vkWaitForFences".to_owned()));
    vk::Result::SUCCESS
}

unsafe extern "system" fn create_buffer(
    _: vk::Device,
    info: *const vk::BufferCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::Buffer,
) -> vk::Result {
    // SAFETY: as above.
    let info = unsafe { &*info };
    let handle = with(|driver| {
        let handle = driver.handle("Buffer");
        driver.buffers.insert(handle, BufferOf { bytes: info.size, usage: info.usage, memory: None });
        handle
    });
    // SAFETY: as above.
    unsafe { *made = vk::Buffer::from_raw(handle) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_buffer(_: vk::Device, buffer: vk::Buffer, _: *const vk::AllocationCallbacks) {
    with(|driver| {
        driver.destroy("Buffer", buffer.as_raw());
        driver.buffers.remove(&buffer.as_raw());
    });
}

unsafe extern "system" fn memory_requirements(_: vk::Device, buffer: vk::Buffer, out: *mut vk::MemoryRequirements) {
    let size = with(|driver| driver.buffers[&buffer.as_raw()].bytes);
    // SAFETY: as above.
    unsafe { *out = vk::MemoryRequirements { size, alignment: 16, memory_type_bits: 1 } };
}

unsafe extern "system" fn buffer_address(_: vk::Device, info: *const vk::BufferDeviceAddressInfo) -> u64 {
    // SAFETY: as above.
    let buffer = unsafe { (*info).buffer }.as_raw();
    with(|driver| {
        let usage = driver.buffers[&buffer].usage;
        driver.demand(usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS), "VkBufferDeviceAddressInfo-02601");
        let memory = driver.buffers[&buffer].memory.unwrap_or_default();
        driver.memories.get_mut(&memory).map_or(0, Memory::address)
    })
}

unsafe extern "system" fn allocate_memory(
    _: vk::Device,
    info: *const vk::MemoryAllocateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::DeviceMemory,
) -> vk::Result {
    // SAFETY: as above.
    let size = unsafe { (*info).allocation_size };
    if size > with(|driver| driver.setup.memory) {
        return vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
    }
    // Filled, because real device memory is not zeroed either. The address is a multiple of 16 and of no higher power
    // of two.
    let mut words = vec![0xa5a5_a5a5_a5a5_a5a5; size.div_ceil(8) as usize + 64];
    let start = words.as_mut_ptr().expose_provenance();
    let skipped = start.next_multiple_of(256) - start + 16;
    let handle = with(|driver| {
        let handle = driver.handle("DeviceMemory");
        driver.memories.insert(handle, Memory { words, skipped });
        handle
    });
    // SAFETY: as above.
    unsafe { *made = vk::DeviceMemory::from_raw(handle) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn free_memory(_: vk::Device, memory: vk::DeviceMemory, _: *const vk::AllocationCallbacks) {
    with(|driver| {
        driver.destroy("DeviceMemory", memory.as_raw());
        driver.memories.remove(&memory.as_raw());
    });
}

unsafe extern "system" fn map_memory(
    _: vk::Device,
    memory: vk::DeviceMemory,
    _: u64,
    _: u64,
    _: vk::MemoryMapFlags,
    out: *mut *mut c_void,
) -> vk::Result {
    let address = with(|driver| driver.memories.get_mut(&memory.as_raw()).map_or(0, Memory::address));
    // SAFETY: as above.
    unsafe { *out = std::ptr::with_exposed_provenance_mut(address as usize) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn bind_memory(
    _: vk::Device,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
    _: u64,
) -> vk::Result {
    with(|driver| {
        if let Some(buffer) = driver.buffers.get_mut(&buffer.as_raw()) {
            buffer.memory = Some(memory.as_raw());
        }
    });
    vk::Result::SUCCESS
}

unsafe extern "system" fn allocate_sets(
    _: vk::Device,
    info: *const vk::DescriptorSetAllocateInfo,
    out: *mut vk::DescriptorSet,
) -> vk::Result {
    // SAFETY: as above; there is room for each layout.
    unsafe {
        for index in 0..(*info).descriptor_set_count as usize {
            with(|driver| driver.last_handle += 1);
            *out.add(index) = vk::DescriptorSet::from_raw(with(|driver| driver.last_handle));
        }
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn update_sets(
    _: vk::Device,
    count: u32,
    writes: *const vk::WriteDescriptorSet,
    _: u32,
    _: *const vk::CopyDescriptorSet,
) {
    for index in 0..count as usize {
        // SAFETY: as above; the test binds storage buffers alone.
        let (write, buffer) = unsafe {
            let write = *writes.add(index);
            (write, *write.buffer_info)
        };
        with(|driver| {
            driver
                .demand(write.descriptor_type == vk::DescriptorType::STORAGE_BUFFER, "the tests bind storage buffers");
            let memory = driver.buffers[&buffer.buffer.as_raw()].memory.unwrap_or_default();
            let address = driver.memories.get_mut(&memory).map_or(0, Memory::address) + buffer.offset;
            if write.dst_binding == 0 {
                driver.sets.insert(write.dst_set.as_raw(), address);
            }
        });
    }
}

unsafe extern "system" fn begin(_: vk::CommandBuffer, _: *const vk::CommandBufferBeginInfo) -> vk::Result {
    vk::Result::SUCCESS
}

unsafe extern "system" fn end(_: vk::CommandBuffer) -> vk::Result {
    vk::Result::SUCCESS
}

fn record(command: Recorded, line: String) {
    with(|driver| {
        driver.recorded.push(command);
        driver.log.push(line);
    });
}

unsafe extern "system" fn bind_pipeline(_: vk::CommandBuffer, point: vk::PipelineBindPoint, pipeline: vk::Pipeline) {
    record(Recorded::Pipeline(point, pipeline.as_raw()), format!("vkCmdBindPipeline {point:?}"));
}

unsafe extern "system" fn bind_sets(
    _: vk::CommandBuffer,
    point: vk::PipelineBindPoint,
    _: vk::PipelineLayout,
    first: u32,
    count: u32,
    sets: *const vk::DescriptorSet,
    _: u32,
    _: *const u32,
) {
    // SAFETY: as above.
    let sets: Vec<u64> = (0..count as usize).map(|index| unsafe { *sets.add(index) }.as_raw()).collect();
    let line = format!("vkCmdBindDescriptorSets {point:?} {} from {first}", sets.len());
    record(Recorded::Sets(point, sets), line);
}

unsafe extern "system" fn push_constants(
    _: vk::CommandBuffer,
    _: vk::PipelineLayout,
    stages: vk::ShaderStageFlags,
    offset: u32,
    size: u32,
    values: *const c_void,
) {
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts(values.cast::<u8>(), size as usize) }.to_vec();
    let line = format!("vkCmdPushConstants {stages:?} {bytes:?} at {offset}");
    record(Recorded::Push(bytes), line);
}

#[allow(clippy::too_many_arguments, reason = "it is the interface's")]
unsafe extern "system" fn barrier(
    _: vk::CommandBuffer,
    before: vk::PipelineStageFlags,
    after: vk::PipelineStageFlags,
    _: vk::DependencyFlags,
    count: u32,
    barriers: *const vk::MemoryBarrier,
    _: u32,
    _: *const vk::BufferMemoryBarrier,
    _: u32,
    _: *const vk::ImageMemoryBarrier,
) {
    let (mut source, mut target) = (vk::AccessFlags::empty(), vk::AccessFlags::empty());
    for index in 0..count as usize {
        // SAFETY: as above.
        let barrier = unsafe { *barriers.add(index) };
        source |= barrier.src_access_mask;
        target |= barrier.dst_access_mask;
    }
    let stages = before & after;
    record(Recorded::Barrier { source, target, stages }, "vkCmdPipelineBarrier".to_owned());
}

unsafe extern "system" fn submit(_: vk::Queue, _: u32, _: *const vk::SubmitInfo, _: vk::Fence) -> vk::Result {
    with(|driver| {
        driver.log.push("vkQueueSubmit".to_owned());
        driver.submissions += 1;
        if Some(driver.submissions) == driver.setup.failing_submission {
            return vk::Result::ERROR_OUT_OF_DEVICE_MEMORY;
        }
        driver.execute();
        vk::Result::SUCCESS
    })
}
