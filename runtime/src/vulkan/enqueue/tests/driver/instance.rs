//! The driver's properties and features: one device, with the extension as the setup describes it.

use std::ffi::c_char;

use vulkanalia::prelude::v1_2::*;

use super::{device, functions, graphs, text, with};

functions! {
    "vkEnumerateInstanceVersion" PFN_vkEnumerateInstanceVersion enumerate_instance_version;
    "vkEnumerateInstanceExtensionProperties" PFN_vkEnumerateInstanceExtensionProperties instance_extensions;
    "vkCreateInstance" PFN_vkCreateInstance create_instance;
    "vkDestroyInstance" PFN_vkDestroyInstance destroy_instance;
    "vkEnumeratePhysicalDevices" PFN_vkEnumeratePhysicalDevices enumerate_physical_devices;
    "vkEnumerateDeviceExtensionProperties" PFN_vkEnumerateDeviceExtensionProperties device_extensions;
    "vkGetPhysicalDeviceProperties" PFN_vkGetPhysicalDeviceProperties properties;
    "vkGetPhysicalDeviceProperties2" PFN_vkGetPhysicalDeviceProperties2 properties2;
    "vkGetPhysicalDeviceFeatures2" PFN_vkGetPhysicalDeviceFeatures2 features2;
    "vkGetPhysicalDeviceQueueFamilyProperties" PFN_vkGetPhysicalDeviceQueueFamilyProperties queue_families;
    "vkGetPhysicalDeviceMemoryProperties" PFN_vkGetPhysicalDeviceMemoryProperties memory_properties;
    "vkCreateDevice" PFN_vkCreateDevice create_device;
    "vkGetDeviceProcAddr" PFN_vkGetDeviceProcAddr get_device_proc_addr;
}

pub(super) unsafe extern "system" fn get_instance_proc_addr(
    _: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    find(&text(name))
}

unsafe extern "system" fn get_device_proc_addr(_: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    let name = text(name);
    if with(|driver| driver.setup.without.contains(&name.as_str())) {
        return None;
    }
    device::find(&name).or_else(|| graphs::find(&name))
}

unsafe extern "system" fn enumerate_instance_version(version: *mut u32) -> vk::Result {
    // SAFETY: here and below, the caller's output pointers are valid.
    unsafe { *version = vk::make_version(1, 3, 0) };
    vk::Result::SUCCESS
}

/// Answers the two calls of a list: the count, then the elements.
unsafe fn list<T: Copy>(all: &[T], count: *mut u32, out: *mut T) -> vk::Result {
    // SAFETY: the caller asks for the count first and makes room for as many.
    unsafe {
        if !out.is_null() {
            std::slice::from_raw_parts_mut(out, (*count as usize).min(all.len())).copy_from_slice(all);
        }
        *count = all.len() as u32;
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn instance_extensions(
    _: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: as the caller promises.
    unsafe { list(&[], count, out) }
}

unsafe extern "system" fn create_instance(
    _: *const vk::InstanceCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::Instance,
) -> vk::Result {
    let handle = with(|driver| driver.handle("Instance"));
    // SAFETY: as above.
    unsafe { *made = vk::Instance::from_raw(handle as usize) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_instance(instance: vk::Instance, _: *const vk::AllocationCallbacks) {
    with(|driver| driver.destroy("Instance", instance.as_raw() as u64));
}

unsafe extern "system" fn enumerate_physical_devices(
    _: vk::Instance,
    count: *mut u32,
    out: *mut vk::PhysicalDevice,
) -> vk::Result {
    // SAFETY: as the caller promises.
    unsafe { list(&[vk::PhysicalDevice::from_raw(1)], count, out) }
}

fn extensions() -> Vec<(&'static str, u32)> {
    with(|driver| {
        let mut all = Vec::new();
        all.extend(driver.setup.revision.map(|revision| ("VK_AMDX_shader_enqueue", revision)));
        if driver.setup.dependencies {
            all.extend([("VK_KHR_maintenance5", 1), ("VK_KHR_pipeline_library", 1)]);
        }
        all
    })
}

unsafe extern "system" fn device_extensions(
    _: vk::PhysicalDevice,
    _: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    let of = |(name, spec_version): (&str, u32)| vk::ExtensionProperties {
        extension_name: vk::ExtensionName::from_bytes(name.as_bytes()),
        spec_version,
    };
    let all: Vec<_> = extensions().into_iter().map(of).collect();
    // SAFETY: as the caller promises.
    unsafe { list(&all, count, out) }
}

unsafe extern "system" fn properties(_: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties) {
    let (major, minor) = with(|driver| driver.setup.version);
    let limits = vk::PhysicalDeviceLimits {
        max_push_constants_size: 128,
        max_bound_descriptor_sets: 8,
        max_storage_buffer_range: 1 << 30,
        max_compute_work_group_invocations: 128,
        max_compute_work_group_size: [128; 3],
        max_compute_work_group_count: [65535; 3],
        min_storage_buffer_offset_alignment: 16,
        min_uniform_buffer_offset_alignment: 16,
        ..Default::default()
    };
    let all = vk::PhysicalDeviceProperties {
        api_version: vk::make_version(major, minor, 0),
        device_name: vk::StringArray::from_bytes(b"Graph Card"),
        device_type: vk::PhysicalDeviceType::DISCRETE_GPU,
        limits,
        ..Default::default()
    };
    // SAFETY: as above.
    unsafe { *out = all };
}

/// Calls `fill` with each structure of a chain.
///
/// # Safety
/// It is a chain of structures of Vulkan.
unsafe fn each(
    mut next: *mut vk::BaseOutStructure,
    mut fill: impl FnMut(vk::StructureType, *mut vk::BaseOutStructure),
) {
    while !next.is_null() {
        // SAFETY: as the caller promises.
        let structure = unsafe { *next };
        fill(structure.s_type, next);
        next = structure.next;
    }
}

/// Checks that a structure of the extension is used only with drivers that list it.
fn of_the_extension() {
    let listed = extensions().iter().any(|(name, revision)| (*name, *revision) == ("VK_AMDX_shader_enqueue", 2));
    with(|driver| driver.demand(listed, "a structure of revision 2 in the chain of a driver that has it not"));
}

unsafe extern "system" fn properties2(device: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2) {
    let max_payloads = with(|driver| driver.setup.max_payloads);
    // SAFETY: the type of a structure identifies it.
    unsafe {
        properties(device, &mut (*out).properties);
        each((*out).next.cast(), |kind, structure| match kind {
            vk::StructureType::PHYSICAL_DEVICE_SUBGROUP_PROPERTIES => {
                let subgroup = structure.cast::<vk::PhysicalDeviceSubgroupProperties>();
                (*subgroup).supported_stages = vk::ShaderStageFlags::COMPUTE;
                (*subgroup).supported_operations = vk::SubgroupFeatureFlags::all();
            }
            vk::StructureType::PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES => {
                let maintenance = structure.cast::<vk::PhysicalDeviceMaintenance3Properties>();
                (*maintenance).max_memory_allocation_size = 1 << 30;
            }
            vk::StructureType::PHYSICAL_DEVICE_SHADER_ENQUEUE_PROPERTIES_AMDX => {
                of_the_extension();
                // By the offsets of the C header.
                let words = structure.cast::<u32>();
                *words.add(28 / 4) = max_payloads;
                *words.add(32 / 4) = 4;
            }
            _ => {}
        });
    }
}

unsafe extern "system" fn features2(_: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceFeatures2) {
    let (addresses, enqueue) = with(|driver| (driver.setup.buffer_device_address, driver.setup.shader_enqueue));
    // SAFETY: the type of a structure identifies it.
    unsafe {
        (*out).features.shader_int64 = vk::TRUE;
        each((*out).next.cast(), |kind, structure| match kind {
            vk::StructureType::PHYSICAL_DEVICE_VULKAN_1_2_FEATURES => {
                let features = structure.cast::<vk::PhysicalDeviceVulkan12Features>();
                (*features).buffer_device_address = u32::from(addresses);
                (*features).vulkan_memory_model = vk::TRUE;
                (*features).vulkan_memory_model_device_scope = vk::TRUE;
                (*features).scalar_block_layout = vk::TRUE;
            }
            vk::StructureType::PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES => {
                (*structure.cast::<vk::PhysicalDeviceMaintenance5Features>()).maintenance5 = vk::TRUE;
            }
            vk::StructureType::PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX => {
                of_the_extension();
                *structure.cast::<u32>().add(16 / 4) = u32::from(enqueue);
            }
            _ => {}
        });
    }
}

unsafe extern "system" fn queue_families(_: vk::PhysicalDevice, count: *mut u32, out: *mut vk::QueueFamilyProperties) {
    let family =
        vk::QueueFamilyProperties { queue_flags: vk::QueueFlags::COMPUTE, queue_count: 1, ..Default::default() };
    // SAFETY: as the caller promises.
    unsafe { list(&[family], count, out) };
}

unsafe extern "system" fn memory_properties(_: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceMemoryProperties) {
    use vk::MemoryPropertyFlags as Flags;
    let mut all =
        vk::PhysicalDeviceMemoryProperties { memory_type_count: 1, memory_heap_count: 1, ..Default::default() };
    all.memory_types[0].property_flags =
        Flags::DEVICE_LOCAL | Flags::HOST_VISIBLE | Flags::HOST_COHERENT | Flags::HOST_CACHED;
    // SAFETY: as above.
    unsafe { *out = all };
}

unsafe extern "system" fn create_device(
    _: vk::PhysicalDevice,
    info: *const vk::DeviceCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::Device,
) -> vk::Result {
    // SAFETY: the caller's structures exist, and their types identify them.
    let (names, features) = unsafe {
        let info = &*info;
        let names: Vec<String> =
            (0..info.enabled_extension_count as usize).map(|i| text(*info.enabled_extension_names.add(i))).collect();
        let mut features = Vec::new();
        each(info.next.cast_mut().cast(), |kind, structure| match kind {
            vk::StructureType::PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX => {
                let words = structure.cast::<u32>();
                features.push(format!("shaderEnqueue {}", *words.add(16 / 4)));
                features.push(format!("shaderMeshEnqueue {}", *words.add(20 / 4)));
            }
            vk::StructureType::PHYSICAL_DEVICE_MAINTENANCE_5_FEATURES => {
                let maintenance5 = (*structure.cast::<vk::PhysicalDeviceMaintenance5Features>()).maintenance5;
                features.push(format!("maintenance5 {maintenance5}"));
            }
            _ => {}
        });
        (names, features)
    };
    let listed = extensions();
    let handle = with(|driver| {
        let known = names.iter().all(|name| listed.iter().any(|(listed, _)| listed == name));
        driver.demand(known, "VkDeviceCreateInfo: an extension that the device does not list");
        driver.log.push(format!("vkCreateDevice {} | {}", names.join(" "), features.join(", ")));
        driver.handle("Device")
    });
    // SAFETY: as above.
    unsafe { *made = vk::Device::from_raw(handle as usize) };
    vk::Result::SUCCESS
}
