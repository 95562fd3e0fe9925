//! The caller's device: its commands, loaded from the handles, and the limits that a package is held against.

use vulkanalia::prelude::v1_2::*;

use super::super::instance::failed;
use crate::emulated::{RunError, has_lanes, too_many_threads};
use wgc_abi::manifest::Manifest;

/// The Vulkan objects of an engine that a graph needs.
#[derive(Clone)]
pub struct Host {
    instance: vulkanalia::Instance,
    pub(super) device: vulkanalia::Device,
    pub(super) limits: vk::PhysicalDeviceLimits,
    subgroup_size: u32,
    /// Threads of a workgroup of mesh shaders, which matter to those alone that have enabled these.
    mesh_threads: u32,
    /// Whether command buffers get labels.
    labels: bool,
    pub(super) maximal_reconvergence: bool,
}

impl Host {
    /// Takes the handles of an engine.
    ///
    /// # Errors
    /// The loader does not answer.
    ///
    /// # Safety
    /// The handles are valid and belong together, are of Vulkan 1.2 or newer, and outlive what is made with them.
    pub unsafe fn new(
        get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
        instance: vk::Instance,
        physical: vk::PhysicalDevice,
        device: vk::Device,
    ) -> Result<Self, RunError> {
        let commands = vk::StaticCommands { get_instance_proc_addr };
        // What was enabled is unknown here; it matters for what `labels` and `subgroup_allocator` ask about alone.
        let unknown = vk::InstanceCreateInfo::default();
        let unknown_device = vk::DeviceCreateInfo::default();
        // SAFETY: the handles are valid, as the caller promises; the structures are read during the calls alone.
        let (instance, device) = unsafe {
            let instance = vulkanalia::Instance::from_created(&commands, &unknown, instance)
                .map_err(failed("load the commands of the instance"))?;
            let get = instance.commands().get_device_proc_addr;
            let device = vulkanalia::Device::from_created(get, physical, &unknown_device, device)
                .map_err(failed("load the commands of the device"))?;
            (instance, device)
        };
        let mut subgroups = vk::PhysicalDeviceSubgroupProperties::default();
        let mut meshes = vk::PhysicalDeviceMeshShaderPropertiesEXT::default();
        // SAFETY: the physical device belongs to the instance.
        let extensions = unsafe { instance.enumerate_device_extension_properties(physical, None) }.unwrap_or_default();
        let mut properties = vk::PhysicalDeviceProperties2::builder().push_next(&mut subgroups);
        if extensions.iter().any(|e| e.extension_name == vk::EXT_MESH_SHADER_EXTENSION.name) {
            properties = properties.push_next(&mut meshes);
        }
        // SAFETY: the physical device belongs to the instance.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let limits = properties.properties.limits;
        let (subgroup_size, mesh_threads) = (subgroups.subgroup_size, meshes.max_mesh_work_group_invocations);
        Ok(Self { instance, device, limits, subgroup_size, mesh_threads, labels: false, maximal_reconvergence: false })
    }

    /// Puts a label around each dispatch. The instance has VK_EXT_debug_utils enabled.
    pub fn with_labels(mut self) -> Self {
        self.labels = true;
        self
    }

    /// Allocators use subgroup operations in varying control flow. The device has
    /// VK_KHR_shader_maximal_reconvergence enabled.
    pub fn with_maximal_reconvergence(mut self) -> Self {
        self.maximal_reconvergence = true;
        self
    }

    /// Holds the package against limits. Features cannot be asked for: which are enabled, the caller knows.
    pub(super) fn supports(&self, manifest: &Manifest) -> Result<(), RunError> {
        has_lanes(manifest, self.subgroup_size)?;
        too_many_threads(manifest, self.limits.max_compute_work_group_invocations, self.mesh_threads)
    }

    /// The instance, where command buffers get labels.
    pub(super) fn labels(&self) -> Option<&vulkanalia::Instance> {
        self.labels.then_some(&self.instance)
    }
}
