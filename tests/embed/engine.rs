//! A small engine without knowledge of graphs. It has a device, with mesh shaders if supported, buffers with addresses,
//! one descriptor set with one storage buffer, and submissions that it waits for.

#![allow(
    clippy::undocumented_unsafe_blocks,
    reason = "one proof for all: the engine is these tests', handles come from it and live to the end of the process, and each \
              submission is waited for"
)]

use std::ptr::NonNull;
use vulkanalia::Version;
use vulkanalia::loader::{LIBRARY, LibloadingLoader, Loader};
use vulkanalia::prelude::v1_2::*;
use wgc_runtime::vulkan::embed::{Block, Mapped, Timestamps};

pub struct Engine {
    pub get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
    _entry: vulkanalia::Entry,
    pub instance: vulkanalia::Instance,
    pub physical: vk::PhysicalDevice,
    pub device: vulkanalia::Device,
    queue: vk::Queue,
    pool: vk::CommandPool,
    /// True if mesh shaders are enabled.
    pub meshes: bool,
    pub set_layout: vk::DescriptorSetLayout,
    pub set: vk::DescriptorSet,
    /// The buffer that the set binds.
    pub result: Mapped,
}

const USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::STORAGE_BUFFER
    .union(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS)
    .union(vk::BufferUsageFlags::INDIRECT_BUFFER)
    .union(vk::BufferUsageFlags::TRANSFER_SRC)
    .union(vk::BufferUsageFlags::TRANSFER_DST);

impl Engine {
    /// Opens the first device. The process ends before any of it is destroyed.
    pub fn open() -> Self {
        unsafe {
            let loader = LibloadingLoader::new(LIBRARY).unwrap();
            let get = loader.load(b"vkGetInstanceProcAddr").unwrap();
            let get: vk::PFN_vkGetInstanceProcAddr = std::mem::transmute(get);
            let entry = vulkanalia::Entry::new(loader).unwrap();
            let app = vk::ApplicationInfo::builder().api_version(u32::from(Version::V1_2_0));
            let info = vk::InstanceCreateInfo::builder().application_info(&app);
            let instance = entry.create_instance(&info, None).unwrap();
            let physical = instance.enumerate_physical_devices().unwrap()[0];
            // Features that only some graphs need are enabled if available.
            let mut had11 = vk::PhysicalDeviceVulkan11Features::default();
            let mut had12 = vk::PhysicalDeviceVulkan12Features::default();
            let mut had = vk::PhysicalDeviceFeatures2::builder().push_next(&mut had11).push_next(&mut had12);
            instance.get_physical_device_features2(physical, &mut had);
            let had = had.features;
            let mut v11 = vk::PhysicalDeviceVulkan11Features::builder()
                .storage_buffer_16bit_access(had11.storage_buffer_16bit_access == vk::TRUE);
            let mut v12 = vk::PhysicalDeviceVulkan12Features::builder()
                .shader_buffer_int64_atomics(had12.shader_buffer_int64_atomics == vk::TRUE)
                .buffer_device_address(true)
                .vulkan_memory_model(true)
                .vulkan_memory_model_device_scope(true)
                .scalar_block_layout(true);
            let core =
                vk::PhysicalDeviceFeatures::builder().shader_int64(true).shader_int16(had.shader_int16 == vk::TRUE);
            let queues = [vk::DeviceQueueCreateInfo::builder().queue_priorities(&[1.0])];
            let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::builder().mesh_shader(true);
            let meshes = has_meshes(&instance, physical);
            let extension = [vk::EXT_MESH_SHADER_EXTENSION.name.as_ptr()];
            let extensions: &[_] = if meshes { &extension } else { &[] };
            let mut info = vk::DeviceCreateInfo::builder()
                .queue_create_infos(&queues)
                .enabled_features(&core)
                .enabled_extension_names(extensions)
                .push_next(&mut v11)
                .push_next(&mut v12);
            if meshes {
                info = info.push_next(&mut mesh);
            }
            let device = instance.create_device(physical, &info, None).unwrap();
            let queue = device.get_device_queue(0, 0);
            let pool = device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None).unwrap();
            let result = buffer(&instance, physical, &device, 4096);
            let mut stages = vk::ShaderStageFlags::COMPUTE;
            if meshes {
                stages |= vk::ShaderStageFlags::MESH_EXT;
            }
            let (set_layout, set) = storage_buffer_set(&device, stages, result.block.buffer);
            Self {
                get_instance_proc_addr: get,
                _entry: entry,
                instance,
                physical,
                device,
                queue,
                pool,
                meshes,
                set_layout,
                set,
                result,
            }
        }
    }

    /// Creates a zeroed buffer that the host can access.
    pub fn buffer(&self, bytes: u64) -> Mapped {
        unsafe { buffer(&self.instance, self.physical, &self.device, bytes) }
    }

    pub fn record(&self, record: impl FnOnce(vk::CommandBuffer)) -> vk::CommandBuffer {
        let commands = self.begin();
        record(commands);
        self.end(commands);
        commands
    }

    /// Creates a pool of `count` queries.
    pub fn queries(&self, count: u32) -> Timestamps {
        let info = vk::QueryPoolCreateInfo::builder().query_type(vk::QueryType::TIMESTAMP).query_count(count);
        let pool = unsafe { self.device.create_query_pool(&info, None) }.unwrap();
        Timestamps { pool, first: 0, count }
    }

    /// Returns the first `count` of them, which must all have been written.
    pub fn ticks(&self, timestamps: Timestamps, count: usize) -> Vec<u64> {
        let mut data = vec![0; 8 * count];
        let flags = vk::QueryResultFlags::_64;
        let read = unsafe { self.device.get_query_pool_results(timestamps.pool, 0, count as u32, &mut data, 8, flags) };
        assert_eq!(read, Ok(vk::SuccessCode::SUCCESS), "a query was not written");
        data.as_chunks::<8>().0.iter().map(|tick| u64::from_le_bytes(*tick)).collect()
    }

    /// Begins a command buffer.
    pub fn begin(&self) -> vk::CommandBuffer {
        unsafe {
            let info = vk::CommandBufferAllocateInfo::builder().command_pool(self.pool).command_buffer_count(1);
            let commands = self.device.allocate_command_buffers(&info).unwrap()[0];
            self.device.begin_command_buffer(commands, &vk::CommandBufferBeginInfo::default()).unwrap();
            commands
        }
    }

    pub fn end(&self, commands: vk::CommandBuffer) {
        unsafe { self.device.end_command_buffer(commands) }.unwrap();
    }

    pub fn submit(&self, commands: vk::CommandBuffer) {
        unsafe {
            let commands = [commands];
            let submit = vk::SubmitInfo::builder().command_buffers(&commands);
            self.device.queue_submit(self.queue, &[submit], vk::Fence::null()).unwrap();
            self.device.queue_wait_idle(self.queue).unwrap();
        }
    }
}

pub fn write(at: &Mapped, words: &[u32]) {
    assert!(words.len() as u64 * 4 <= at.block.bytes);
    unsafe { std::ptr::copy_nonoverlapping(words.as_ptr(), at.pointer.as_ptr().cast(), words.len()) };
}

/// Returns the first words, and overwrites them with zeros.
pub fn take(at: &Mapped, count: usize) -> Vec<u32> {
    let words = unsafe { std::slice::from_raw_parts(at.pointer.as_ptr().cast(), count) }.to_vec();
    write(at, &vec![0; count]);
    words
}

/// Returns whether the device has mesh shaders, and its first queues draw.
unsafe fn has_meshes(instance: &vulkanalia::Instance, physical: vk::PhysicalDevice) -> bool {
    unsafe {
        let extensions = instance.enumerate_device_extension_properties(physical, None).unwrap();
        if !extensions.iter().any(|e| e.extension_name == vk::EXT_MESH_SHADER_EXTENSION.name) {
            return false;
        }
        let mut mesh = vk::PhysicalDeviceMeshShaderFeaturesEXT::default();
        let mut features = vk::PhysicalDeviceFeatures2::builder().push_next(&mut mesh);
        instance.get_physical_device_features2(physical, &mut features);
        let families = instance.get_physical_device_queue_family_properties(physical);
        mesh.mesh_shader == vk::TRUE && families[0].queue_flags.contains(vk::QueueFlags::GRAPHICS)
    }
}

/// Finds a memory type with the wanted properties.
pub unsafe fn memory_type(engine: &Engine, bits: u32, wanted: vk::MemoryPropertyFlags) -> u32 {
    unsafe {
        let types = engine.instance.get_physical_device_memory_properties(engine.physical);
        let fits = |i: &u32| bits >> i & 1 == 1 && types.memory_types[*i as usize].property_flags.contains(wanted);
        (0..types.memory_type_count).find(fits).unwrap()
    }
}

unsafe fn buffer(
    instance: &vulkanalia::Instance,
    physical: vk::PhysicalDevice,
    device: &vulkanalia::Device,
    bytes: u64,
) -> Mapped {
    unsafe {
        let info = vk::BufferCreateInfo::builder().size(bytes).usage(USAGE);
        let buffer = device.create_buffer(&info, None).unwrap();
        let needs = device.get_buffer_memory_requirements(buffer);
        let seen = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let types = instance.get_physical_device_memory_properties(physical);
        let fits = |i: &u32| {
            needs.memory_type_bits >> i & 1 == 1 && types.memory_types[*i as usize].property_flags.contains(seen)
        };
        let mut flags = vk::MemoryAllocateFlagsInfo::builder().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let info = vk::MemoryAllocateInfo::builder()
            .allocation_size(needs.size)
            .memory_type_index((0..types.memory_type_count).find(fits).unwrap())
            .push_next(&mut flags);
        let memory = device.allocate_memory(&info, None).unwrap();
        device.bind_buffer_memory(buffer, memory, 0).unwrap();
        let pointer = device.map_memory(memory, 0, bytes, vk::MemoryMapFlags::empty()).unwrap();
        let address = device.get_buffer_device_address(&vk::BufferDeviceAddressInfo::builder().buffer(buffer));
        let pointer = NonNull::new(pointer.cast::<u8>()).unwrap();
        pointer.write_bytes(0, bytes as usize);
        Mapped { block: Block { buffer, offset: 0, bytes, address }, pointer }
    }
}

unsafe fn storage_buffer_set(
    device: &vulkanalia::Device,
    stages: vk::ShaderStageFlags,
    buffer: vk::Buffer,
) -> (vk::DescriptorSetLayout, vk::DescriptorSet) {
    unsafe {
        let ty = vk::DescriptorType::STORAGE_BUFFER;
        let bindings =
            [vk::DescriptorSetLayoutBinding::builder().descriptor_type(ty).descriptor_count(1).stage_flags(stages)];
        let info = vk::DescriptorSetLayoutCreateInfo::builder().bindings(&bindings);
        let layout = device.create_descriptor_set_layout(&info, None).unwrap();
        let sizes = [vk::DescriptorPoolSize { type_: ty, descriptor_count: 1 }];
        let info = vk::DescriptorPoolCreateInfo::builder().max_sets(1).pool_sizes(&sizes);
        let pool = device.create_descriptor_pool(&info, None).unwrap();
        let layouts = [layout];
        let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(pool).set_layouts(&layouts);
        let set = device.allocate_descriptor_sets(&info).unwrap()[0];
        let buffers = [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
        let write = vk::WriteDescriptorSet::builder().dst_set(set).descriptor_type(ty).buffer_info(&buffers);
        device.update_descriptor_sets(&[write], &[] as &[vk::CopyDescriptorSet]);
        (layout, set)
    }
}
