//! The caller's device: its commands, loaded from the handles, and the limits that a package is checked against.

use vulkanalia::Version;
use vulkanalia::prelude::v1_2::*;

use super::super::instance::failed;
use super::super::subgroups;
use crate::device::SubgroupSizes;
use crate::emulated::{RunError, has_lanes, too_many_threads};
use wgc_abi::NodeLaunch;
use wgc_abi::interface::BindingKind;
use wgc_abi::manifest::Manifest;

/// The Vulkan objects of an engine that a graph needs.
#[derive(Clone)]
pub struct Host {
    instance: vulkanalia::Instance,
    pub(super) device: vulkanalia::Device,
    pub(super) limits: vk::PhysicalDeviceLimits,
    pub(super) subgroups: SubgroupSizes,
    /// The sizes for pipelines that may request others.
    controlled: SubgroupSizes,
    /// Threads of a workgroup of mesh shaders, which matter to those alone that have enabled these.
    mesh_threads: u32,
    /// Barriers of a workgroup are fast.
    pub(super) is_gpu: bool,
    /// Command buffers get labels.
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
    /// The handles are valid and belong together. They are of Vulkan 1.2 or newer, and outlive every object created
    /// with them.
    pub unsafe fn new(
        get_instance_proc_addr: vk::PFN_vkGetInstanceProcAddr,
        instance: vk::Instance,
        physical: vk::PhysicalDevice,
        device: vk::Device,
    ) -> Result<Self, RunError> {
        let commands = vk::StaticCommands { get_instance_proc_addr };
        // The enabled extensions are unknown here; only the queries of `labels` and `subgroup_allocator` depend on
        // them.
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
        let mut meshes = vk::PhysicalDeviceMeshShaderPropertiesEXT::default();
        // SAFETY: the physical device belongs to the instance.
        let extensions = unsafe { instance.enumerate_device_extension_properties(physical, None) }.unwrap_or_default();
        let mut properties = vk::PhysicalDeviceProperties2::builder();
        if extensions.iter().any(|e| e.extension_name == vk::EXT_MESH_SHADER_EXTENSION.name) {
            properties = properties.push_next(&mut meshes);
        }
        // SAFETY: the physical device belongs to the instance.
        unsafe { instance.get_physical_device_properties2(physical, &mut properties) };
        let (limits, version) = (properties.properties.limits, properties.properties.api_version);
        let is_gpu = properties.properties.device_type != vk::PhysicalDeviceType::CPU;
        let mesh_threads = meshes.max_mesh_work_group_invocations;
        let has_control = version >= u32::from(Version::V1_3_0)
            || extensions.iter().any(|e| e.extension_name == vk::EXT_SUBGROUP_SIZE_CONTROL_EXTENSION.name);
        // SAFETY: Vulkan 1.2, as the caller promises; the device has the structure.
        let [subgroups, controlled] =
            [false, has_control].map(|ask| unsafe { subgroups::sizes(&instance, physical, ask) });
        Ok(Self {
            instance,
            device,
            limits,
            subgroups,
            controlled,
            mesh_threads,
            is_gpu,
            labels: false,
            maximal_reconvergence: false,
        })
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

    /// Gives nodes with `WaveSize` subgroups of the requested size, if the device has it. The device has
    /// `subgroupSizeControl` and `computeFullSubgroups` enabled (Vulkan 1.3, or VK_EXT_subgroup_size_control).
    /// Otherwise these nodes run only if the default size is right.
    pub fn with_subgroup_size_control(mut self) -> Self {
        self.subgroups = self.controlled;
        self
    }

    /// Checks the package against limits. Features cannot be queried: only the caller knows the enabled ones.
    pub(super) fn supports(&self, manifest: &Manifest) -> Result<(), RunError> {
        has_lanes(manifest, &self.subgroups)?;
        too_many_threads(manifest, self.limits.max_compute_work_group_invocations, self.mesh_threads)
    }

    /// Returns the instance, if command buffers get labels.
    pub(super) fn labels(&self) -> Option<&vulkanalia::Instance> {
        self.labels.then_some(&self.instance)
    }
}

/// Returns the descriptor type of a binding of the manifest. If the rows of a heap differ in it (docs/emulation-abi.md,
/// section 11), the binding is of type mutable, and this is one of its types.
pub fn descriptor_type(kind: &BindingKind) -> vk::DescriptorType {
    match kind {
        BindingKind::StorageBuffer { .. } => vk::DescriptorType::STORAGE_BUFFER,
        BindingKind::UniformBuffer { .. } => vk::DescriptorType::UNIFORM_BUFFER,
        BindingKind::StorageImage { .. } => vk::DescriptorType::STORAGE_IMAGE,
        BindingKind::SampledImage { .. } => vk::DescriptorType::SAMPLED_IMAGE,
        BindingKind::TexelBuffer { writable: true, .. } => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        BindingKind::TexelBuffer { writable: false, .. } => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        BindingKind::Sampler => vk::DescriptorType::SAMPLER,
        BindingKind::AccelerationStructure => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
    }
}

/// Returns the stages that see bindings and push constants: compute shaders, and with mesh nodes also these and their
/// pixel shaders.
pub fn stages(manifest: &Manifest) -> vk::ShaderStageFlags {
    let draws = vk::ShaderStageFlags::MESH_EXT | vk::ShaderStageFlags::FRAGMENT;
    let has_meshes = manifest.instances.iter().any(|instance| instance.launch == NodeLaunch::Mesh);
    vk::ShaderStageFlags::COMPUTE | if has_meshes { draws } else { vk::ShaderStageFlags::empty() }
}
