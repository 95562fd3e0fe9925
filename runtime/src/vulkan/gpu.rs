//! The logical device: choice of a physical one, its queue, its memory types. Everything made on it shares it.

use vulkanalia::prelude::v1_2::*;

use super::features::{MUTABLE_DESCRIPTORS, Support};
use super::instance::{PhysicalDevice, PhysicalDeviceInfo, VulkanInstance, failed};
use crate::device::{DeviceError, Limits, Result};

pub(super) struct Gpu {
    pub device: vulkanalia::Device,
    pub physical: vk::PhysicalDevice,
    pub queue: vk::Queue,
    pub queue_family: u32,
    pub info: PhysicalDeviceInfo,
    pub limits: Limits,
    /// Vulkan's own limits, of which `limits` is an extract.
    pub raw_limits: vk::PhysicalDeviceLimits,
    pub max_allocation: u64,
    pub support: Support,
    pub memory_types: Vec<vk::MemoryType>,
    /// `samplerMirrorClampToEdge`
    pub mirrors_once: bool,
    // Last, so that the instance outlives the device.
    pub instance: VulkanInstance,
}

impl Gpu {
    pub fn open(name: Option<&str>) -> Result<Self> {
        let instance = VulkanInstance::new()?;
        let devices = instance.physical_devices()?;
        let PhysicalDevice { handle, info, version, properties, subgroup_size, max_allocation, support } =
            choose(devices, name)?;
        let (Some(support), Some(queue_family)) = (support, instance.compute_queue_family(handle)) else {
            return Err(DeviceError::new(format!("{} cannot run compute shaders", info.name)));
        };

        let mut enabled = support.enabled();
        let priorities = [1.0];
        let queues =
            [vk::DeviceQueueCreateInfo::builder().queue_family_index(queue_family).queue_priorities(&priorities)];
        let extensions: Vec<_> = support.extensions().iter().map(|e| e.name.as_ptr()).collect();
        let mut create = vk::DeviceCreateInfo::builder()
            .queue_create_infos(&queues)
            .enabled_features(&enabled.core)
            .enabled_extension_names(&extensions)
            .push_next(&mut enabled.v11)
            .push_next(&mut enabled.v12);
        if version >= vulkanalia::Version::V1_3_0 {
            create = create.push_next(&mut enabled.v13);
        }
        if support.traces_rays() {
            create = create.push_next(&mut enabled.structures).push_next(&mut enabled.rays);
        }
        if support.derives() {
            create = create.push_next(&mut enabled.derivatives);
        }
        if support.offers(MUTABLE_DESCRIPTORS) {
            create = create.push_next(&mut enabled.mutable);
        }
        // SAFETY: the physical device is of this instance, every structure lives until after the call, and only
        // features that the device reports are enabled.
        let device = unsafe { instance.raw.create_device(handle, &create, None) }
            .map_err(failed(&format!("open the Vulkan device {}", info.name)))?;
        // SAFETY: one queue of this family was asked for above.
        let queue = unsafe { device.get_device_queue(queue_family, 0) };
        // SAFETY: the physical device is of this instance.
        let memory = unsafe { instance.raw.get_physical_device_memory_properties(handle) };
        let raw_limits = properties.limits;
        let mirrors_once = enabled.v12.sampler_mirror_clamp_to_edge == vk::TRUE;
        Ok(Self {
            device,
            physical: handle,
            queue,
            queue_family,
            mirrors_once,
            info,
            limits: Limits {
                max_groups: raw_limits.max_compute_work_group_count,
                max_group_threads: raw_limits.max_compute_work_group_invocations,
                max_group_shared_bytes: raw_limits.max_compute_shared_memory_size,
                subgroup_size,
                int64_atomics: support.int64_atomics(),
            },
            raw_limits,
            max_allocation,
            support,
            memory_types: memory.memory_types.iter().take(memory.memory_type_count as usize).copied().collect(),
            instance,
        })
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: everything made on the device holds it, so nothing is left; waiting fails only when the device is
        // lost, and then there is nothing to wait for.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_device(None);
        }
    }
}

/// The device that `name` asks for, or the best one.
fn choose(devices: Vec<PhysicalDevice>, name: Option<&str>) -> Result<PhysicalDevice> {
    let index = choice(&devices.iter().map(|d| &d.info).collect::<Vec<_>>(), name)?;
    devices.into_iter().nth(index).ok_or_else(|| DeviceError::new("there is no Vulkan device"))
}

fn choice(devices: &[&PhysicalDeviceInfo], name: Option<&str>) -> Result<usize> {
    if devices.is_empty() {
        return Err(DeviceError::new(
            "there is no Vulkan device on this machine: install a driver (tools/install-vulkan installs lavapipe, which \
             needs no GPU, on Debian)",
        ));
    }
    let wanted = name.map(str::to_lowercase).unwrap_or_default();
    let mut named: Vec<usize> = (0..devices.len())
        .filter(|&i| devices.get(i).is_some_and(|d| d.name.to_lowercase().contains(&wanted)))
        .collect();
    if named.is_empty() {
        let names: Vec<&str> = devices.iter().map(|d| d.name.as_str()).collect();
        return Err(DeviceError::new(format!(
            "no Vulkan device has \"{}\" in its name; there are: {}",
            name.unwrap_or_default(),
            names.join(", ")
        )));
    }
    // Stable: the loader's order decides among equals.
    named.sort_by_key(|&i| devices.get(i).map(|d| (!d.missing.is_empty(), d.kind)));
    let best = named[0];
    match devices.get(best) {
        Some(device) if !device.missing.is_empty() => Err(DeviceError::new(format!(
            "the Vulkan device {} cannot run emulated graphs: it lacks {}",
            device.name,
            device.missing.join(", ")
        ))),
        _ => Ok(best),
    }
}

#[cfg(test)]
mod unit {
    use super::super::instance::DeviceKind;
    use super::*;

    fn device(name: &str, kind: DeviceKind, missing: &[&str]) -> PhysicalDeviceInfo {
        PhysicalDeviceInfo {
            name: name.to_owned(),
            kind,
            api_version: (1, 3, 0),
            driver: String::new(),
            missing: missing.iter().map(|m| (*m).to_owned()).collect(),
        }
    }

    #[test]
    fn real_devices_come_first_and_names_decide() {
        let llvmpipe = device("llvmpipe (LLVM 15)", DeviceKind::Cpu, &[]);
        let integrated = device("Some iGPU", DeviceKind::IntegratedGpu, &[]);
        let poor = device("Old Card", DeviceKind::DiscreteGpu, &["shaderInt64", "scalarBlockLayout"]);
        let devices = [&llvmpipe, &poor, &integrated];
        assert_eq!(choice(&devices, None), Ok(2));
        assert_eq!(choice(&devices, Some("LLVM")), Ok(0));
        assert_eq!(
            choice(&devices, Some("old")).unwrap_err().message,
            "the Vulkan device Old Card cannot run emulated graphs: it lacks shaderInt64, scalarBlockLayout"
        );
        assert_eq!(
            choice(&devices, Some("h200")).unwrap_err().message,
            "no Vulkan device has \"h200\" in its name; there are: llvmpipe (LLVM 15), Old Card, Some iGPU"
        );
        assert!(choice(&[], None).unwrap_err().message.starts_with("there is no Vulkan device on this machine"));
    }
}
