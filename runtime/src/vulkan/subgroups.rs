//! Subgroup sizes other than a device's default (VK_EXT_subgroup_size_control, Vulkan 1.3). The module finds the
//! available sizes and builds a pipeline's request. [`SubgroupSizes::choose`] decides on the size.

use vulkanalia::prelude::v1_2::*;

use crate::device::{RequestableSizes, SubgroupSizes};

/// The two required features.
pub(super) const SUBGROUP_SIZE_CONTROL: &str = "subgroupSizeControl";
pub(super) const FULL_SUBGROUPS: &str = "computeFullSubgroups";

/// Returns the sizes of a device; `may_ask`: both features are enabled, with the extension or Vulkan 1.3.
///
/// # Safety
/// The physical device belongs to the instance and supports Vulkan 1.2, and with `may_ask` the structure of the
/// properties.
pub(super) unsafe fn sizes(
    instance: &vulkanalia::Instance,
    physical: vk::PhysicalDevice,
    may_ask: bool,
) -> SubgroupSizes {
    let mut own = vk::PhysicalDeviceSubgroupProperties::default();
    let mut control = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
    let mut chain = vk::PhysicalDeviceProperties2::builder().push_next(&mut own);
    if may_ask {
        chain = chain.push_next(&mut control);
    }
    // SAFETY: the chain lives until after the call; the rest is the caller's promise.
    unsafe { instance.get_physical_device_properties2(physical, &mut chain) };
    let asked = RequestableSizes {
        least: control.min_subgroup_size,
        most: control.max_subgroup_size,
        most_subgroups: control.max_compute_workgroup_subgroups,
    };
    let of = |stage| control.required_subgroup_size_stages.contains(stage).then_some(asked);
    SubgroupSizes {
        default: own.subgroup_size,
        compute: of(vk::ShaderStageFlags::COMPUTE),
        meshes: of(vk::ShaderStageFlags::MESH_EXT),
    }
}

/// The requests of a pipeline's stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Asking {
    lanes: u32,
    /// Every subgroup is full, as it is if the workgroup's first axis consists of whole waves.
    is_full: bool,
}

impl Asking {
    pub fn new(lanes: u32, [x, ..]: [u32; 3]) -> Self {
        Self { lanes, is_full: x != 0 && x.is_multiple_of(lanes) }
    }

    pub fn required(self) -> vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo {
        vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo {
            required_subgroup_size: self.lanes,
            ..vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default()
        }
    }

    pub fn flags(self) -> vk::PipelineShaderStageCreateFlags {
        match self.is_full {
            true => vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS,
            false => vk::PipelineShaderStageCreateFlags::empty(),
        }
    }
}
